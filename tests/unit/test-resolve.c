// SPDX-License-Identifier: GPL-2.0-only
/*
 * Repairs: the smallest changes, and why there are none.
 *
 * Small random trees are resolved and held against all assignments there are.
 * RESOLVE_TREES and RESOLVE_SEED ask for more, or for others.
 */
#include "fixture.h"

#include "txn.h"

static struct lkc_repairs *resolve(struct lkc_config *c, const char *name,
				   const char *value)
{
	const struct lkc_want want = { name, value };
	struct lkc_repairs *r;

	assert_int_equal(lkc_resolve(c, &want, 1, NULL, &r), 0);
	return r;
}

/* "A=y B=m": answer @i. */
static const char *answer_text(const struct lkc_config *c,
			       const struct lkc_repairs *r, size_t i)
{
	static char text[400];
	const struct lkc_repair *a = lkc_repairs_get(r, i);
	size_t j, len = 0;

	if (!a)
		return "none";
	text[0] = '\0';
	for (j = 0; j < a->n_changes; j++)
		len += snprintf(text + len, sizeof(text) - len, "%s%s=%s",
				j ? " " : "",
				lkc_sym_name(lkc_config_tree(c),
					     a->changes[j].sym),
				a->changes[j].to);
	return text;
}

static void expect_conflict(const struct lkc_repairs *r, const char *words)
{
	size_t i;

	assert_int_equal(lkc_repairs_resolution(r), LKC_R_IMPOSSIBLE);
	for (i = 0; i < lkc_repairs_conflicts(r); i++) {
		if (strstr(lkc_repairs_conflict(r, i)->text, words))
			return;
	}
	for (i = 0; i < lkc_repairs_conflicts(r); i++)
		print_message("%s\n", lkc_repairs_conflict(r, i)->text);
	fail_msg("no conflict says \"%s\"", words);
}

/* ---- by hand ------------------------------------------------------------ */

static const char kconfig[] =
	"config MODULES\n\tbool \"modules\"\n\tmodules\n\tdefault y\n"
	"config PCI\n\tbool \"PCI\"\n"
	"config NET\n\tbool \"Networking\"\n"
	"config E100\n\ttristate \"E100\"\n\tdepends on PCI && NET\n"
	"config E100_DEBUG\n\tbool \"E100 debugging\"\n\tdepends on E100\n"
	"config HELPER\n\ttristate\n"
	"config USER1\n\ttristate \"User 1\"\n\tselect HELPER\n"
	"config USER2\n\tbool \"User 2\"\n\tselect HELPER\n\tdepends on PCI\n"
	"config NEEDS_HELPER\n\ttristate \"Needs\"\n\tdepends on HELPER\n"
	"config COUNT\n\tint \"Count\"\n\trange 1 10 if !PCI\n\trange 1 99\n"
	"config LATE\n\thex \"Late\"\n\tdepends on NET\n\tdefault 0x10\n"
	"choice\n\tprompt \"Tick\"\n"
	"config HZ_100\n\tbool \"100\"\n"
	"config HZ_1000\n\tbool \"1000\"\n\tdepends on PCI\n"
	"endchoice\n"
	"config FAST\n\tbool \"Fast\"\n\tdepends on HZ_1000\n"
	"config LEGACY\n\tbool \"Legacy\"\n\tdepends on !PCI\n"
	"config FOREIGN\n\tbool \"Foreign\"\n\tdepends on OTHER_ARCH\n"
	"config BOTH\n\tbool \"Both\"\n\tdepends on PCI && !PCI && NET\n"
	"config SMALL\n\tbool \"Small\"\n\tdepends on COUNT < 5\n";

struct state {
	struct lkc_tree *tree;
	struct lkc_config *c;
};

static int setup(void **data)
{
	struct state *s = calloc(1, sizeof(*s));

	s->tree = fixture_tree(kconfig, "6.12");
	s->c = fixture_config(s->tree, NULL);
	*data = s;
	return 0;
}

static int teardown(void **data)
{
	struct state *s = *data;

	lkc_config_free(s->c);
	lkc_tree_free(s->tree);
	free(s);
	return 0;
}

static void expect_answer(struct state *s, const char *name, const char *value,
			  const char *first)
{
	struct lkc_repairs *r = resolve(s->c, name, value);

	assert_int_equal(lkc_repairs_resolution(r), LKC_R_FOUND);
	assert_string_equal(answer_text(s->c, r, 0), first);
	assert_true(lkc_repairs_proved(r));
	lkc_repairs_free(r);
}

static void turns_on_what_is_needed(void **data)
{
	struct state *s = *data;

	expect_answer(s, "NET", "y", "NET=y");
	expect_answer(s, "CONFIG_E100", "m", "E100=m PCI=y NET=y");
	expect_answer(s, "E100_DEBUG", "y", "E100_DEBUG=y PCI=y NET=y E100=m");
	expect_answer(s, "NEEDS_HELPER", "m", "NEEDS_HELPER=m USER1=m");
	expect_answer(s, "NEEDS_HELPER", "y", "NEEDS_HELPER=y USER1=y");
	expect_answer(s, "HELPER", "y", "HELPER=y USER1=y");
	expect_answer(s, "FAST", "y", "FAST=y PCI=y HZ_1000=y");
	expect_answer(s, "LATE", "0x20", "LATE=0x20 NET=y");
	expect_answer(s, "LATE", "0x10", "LATE=0x10 NET=y");
	expect_answer(s, "COUNT", "50", "COUNT=50 PCI=y");
	/* nothing was changed on the way */
	assert_string_equal(fixture_value(s->c, "PCI"), "n");
	assert_null(lkc_user_value(s->c, lkc_sym_find(s->tree, "E100")));
}

static void ranks_other_ways(void **data)
{
	struct state *s = *data;
	struct lkc_repairs *r = resolve(s->c, "NEEDS_HELPER", "m");

	assert_int_equal(lkc_repairs_count(r), 2);
	assert_string_equal(answer_text(s->c, r, 0), "NEEDS_HELPER=m USER1=m");
	assert_string_equal(answer_text(s->c, r, 1),
			    "NEEDS_HELPER=m PCI=y USER2=y");
	assert_int_equal(lkc_repairs_get(r, 0)->further, 1);
	assert_true(lkc_repairs_get(r, 0)->changes[0].requested);
	assert_false(lkc_repairs_get(r, 0)->changes[1].requested);
	assert_null(lkc_repairs_get(r, 2));
	lkc_repairs_free(r);
}

static void several_requests(void **data)
{
	static const struct lkc_want wants[] = {
		{ "E100", "y" }, { "FAST", "y" }, { "COUNT", "20" },
	};
	static const struct lkc_want both[] = {
		{ "E100", "y" }, { "LEGACY", "y" },
	};
	struct state *s = *data;
	struct lkc_repairs *r;

	assert_int_equal(lkc_resolve(s->c, wants, 3, NULL, &r), 0);
	assert_string_equal(answer_text(s->c, r, 0),
			    "E100=y FAST=y COUNT=20 PCI=y NET=y HZ_1000=y");
	lkc_repairs_free(r);
	assert_int_equal(lkc_resolve(s->c, both, 2, NULL, &r), 0);
	expect_conflict(r, "E100=y is asked for");
	expect_conflict(r, "LEGACY=y is asked for");
	expect_conflict(r, "E100 (");
	expect_conflict(r, "LEGACY (");
	assert_int_equal(lkc_repairs_conflicts(r), 4);
	lkc_repairs_free(r);
}

static void says_why_not(void **data)
{
	static const struct lkc_want winners[] = {
		{ "HZ_100", "y" }, { "HZ_1000", "y" },
	};
	struct state *s = *data;
	struct lkc_repairs *r;

	r = resolve(s->c, "FOREIGN", "y");
	expect_conflict(r, "OTHER_ARCH=y (not defined in this kernel)");
	assert_true(lkc_repairs_proved(r));
	assert_int_equal(lkc_repairs_conflicts(r), 2);
	lkc_repairs_free(r);
	r = resolve(s->c, "BOTH", "y");
	expect_conflict(r, "BOTH");
	lkc_repairs_free(r);
	r = resolve(s->c, "NO_SUCH", "y");
	expect_conflict(r, "no such symbol");
	lkc_repairs_free(r);
	r = resolve(s->c, "PCI", "m");
	expect_conflict(r, "bool");
	lkc_repairs_free(r);
	assert_int_equal(lkc_resolve(s->c, winners, 2, NULL, &r), 0);
	expect_conflict(r, "only one can be y");
	lkc_repairs_free(r);
	r = resolve(s->c, "COUNT", "100");
	expect_conflict(r, "bounds");
	lkc_repairs_free(r);
}

static void locked_symbols_stay(void **data)
{
	struct state *s = *data;
	const lkc_sym locked[] = { lkc_sym_find(s->tree, "USER1") };
	struct lkc_resolve_options opt = { .locked = locked, .n_locked = 1 };
	const struct lkc_want want = { "NEEDS_HELPER", "m" };
	const struct lkc_want user = { "USER1", "y" };
	struct lkc_repairs *r;

	assert_int_equal(lkc_resolve(s->c, &want, 1, &opt, &r), 0);
	assert_string_equal(answer_text(s->c, r, 0),
			    "NEEDS_HELPER=m PCI=y USER2=y");
	assert_int_equal(lkc_repairs_count(r), 1);
	lkc_repairs_free(r);
	assert_int_equal(lkc_resolve(s->c, &user, 1, &opt, &r), 0);
	expect_conflict(r, "USER1 (");
	expect_conflict(r, "is locked at n");
	lkc_repairs_free(r);
}

/* What compares numbers is taken as it is now, and owned up to. */
static void numbers_stay(void **data)
{
	struct state *s = *data;
	const struct lkc_want wants[] = {{ "SMALL", "y" }, { "COUNT", "3" }};
	struct lkc_txn *txn;
	struct lkc_repairs *r;

	assert_int_equal(lkc_txn_begin(s->c, &txn), 0);
	assert_true(lkc_txn_set(txn, "COUNT", "7") >= 0);
	assert_int_equal(lkc_txn_commit(txn), 0);
	r = resolve(s->c, "SMALL", "y");
	expect_conflict(r, "COUNT<5");
	assert_false(lkc_repairs_proved(r));
	lkc_repairs_free(r);
	assert_int_equal(lkc_resolve(s->c, wants, 2, NULL, &r), 0);
	assert_int_equal(lkc_repairs_resolution(r), LKC_R_FOUND);
	lkc_repairs_free(r);
}

static bool stop_now(void *data)
{
	(*(int *)data)++;
	return true;
}

static void limits_hold(void **data)
{
	struct state *s = *data;
	int asked = 0;
	struct lkc_resolve_options opt = {
		.stop = stop_now, .stop_data = &asked,
	};
	const struct lkc_want want = { "E100", "m" };
	const struct lkc_want senseless = { "E100", NULL };
	struct lkc_repairs *r;

	assert_int_equal(lkc_resolve(s->c, &want, 1, &opt, &r), 0);
	assert_int_equal(lkc_repairs_resolution(r), LKC_R_UNDECIDED);
	assert_false(lkc_repairs_proved(r));
	assert_true(asked > 0);
	lkc_repairs_free(r);
	opt = (struct lkc_resolve_options){ .max_changes = 1 };
	assert_int_equal(lkc_resolve(s->c, &want, 1, &opt, &r), 0);
	assert_int_equal(lkc_repairs_resolution(r), LKC_R_UNDECIDED);
	lkc_repairs_free(r);
	assert_int_equal(lkc_resolve(s->c, &senseless, 1, NULL, &r),
			 LKC_EINVAL);
}

/* Requests that have nothing to do with each other, and two ways for each. */
static void many_requests(void **data)
{
	enum { MANY = 30 };
	static char text[8000], names[MANY][16];
	struct lkc_want wants[MANY];
	struct lkc_tree *tree;
	struct lkc_config *c;
	struct lkc_repairs *r;
	size_t len = 0;
	int i;

	(void)data;
	for (i = 0; i < MANY; i++) {
		len += snprintf(text + len, sizeof(text) - len,
				"config A%d\n\tbool \"A\"\n"
				"config B%d\n\tbool \"B\"\n"
				"config C%d\n\tbool \"C\"\n"
				"\tdepends on A%d || B%d\n", i, i, i, i, i);
		snprintf(names[i], sizeof(names[i]), "C%d", i);
		wants[i] = (struct lkc_want){ names[i], "y" };
	}
	tree = fixture_tree(text, "6.12");
	c = fixture_config(tree, NULL);
	assert_int_equal(lkc_resolve(c, wants, MANY, NULL, &r), 0);
	assert_int_equal(lkc_repairs_resolution(r), LKC_R_FOUND);
	assert_int_equal(lkc_repairs_get(r, 0)->further, MANY);
	assert_true(lkc_repairs_proved(r));
	lkc_repairs_free(r);
	lkc_config_free(c);
	lkc_tree_free(tree);
}

/* ---- by brute force ----------------------------------------------------- */

#define SYMS_MAX 6

struct random {
	uint64_t state;
	char text[4000];
	size_t len;
	int n;			/* symbols */
	bool tristate[SYMS_MAX];
	bool prompt[SYMS_MAX];
	int choice_at, choice_n;
};

static unsigned int draw(struct random *r, unsigned int below)
{
	r->state = r->state * UINT64_C(6364136223846793005) +
		UINT64_C(1442695040888963407);
	return (r->state >> 33) % below;
}

__attribute__((format(printf, 2, 3)))
static void add(struct random *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	r->len += vsnprintf(r->text + r->len, sizeof(r->text) - r->len, fmt,
			    ap);
	va_end(ap);
	assert_true(r->len < sizeof(r->text));
}

/* An expression over the first @n symbols. */
static void add_expr(struct random *r, int n, int depth)
{
	static const char *const op[] = { "=", "!=", "<", ">=" };

	switch (n ? draw(r, depth > 2 ? 4 : 9) : 9) {
	case 0:
	case 1:
	case 2:
		add(r, "S%u", draw(r, n));
		break;
	case 3:
		add(r, "!S%u", draw(r, n));
		break;
	case 4:
		add(r, "S%u%s%c", draw(r, n), op[draw(r, 4)],
		    "nmy"[draw(r, 3)]);
		break;
	case 5:
		add(r, "S%u%sS%u", draw(r, n), op[draw(r, 4)], draw(r, n));
		break;
	case 9:
		add(r, "%c", "ymyn"[draw(r, 4)]);
		break;
	default:
		add(r, "(");
		add_expr(r, n, depth + 1);
		add(r, draw(r, 2) ? " && " : " || ");
		add_expr(r, n, depth + 1);
		add(r, ")");
		break;
	}
}

static void add_if(struct random *r, int n, unsigned int one_in)
{
	if (draw(r, one_in) == 0) {
		add(r, " if ");
		add_expr(r, n, 1);
	}
	add(r, "\n");
}

static void add_properties(struct random *r, int i, int n_read)
{
	unsigned int times;

	if (draw(r, 2)) {
		add(r, "\tdepends on ");
		add_expr(r, n_read, 0);
		add(r, "\n");
	}
	for (times = draw(r, 3); times && r->choice_at < 0; times--) {
		add(r, "\tdefault ");
		add_expr(r, n_read, 2);
		add_if(r, n_read, 2);
	}
	for (times = draw(r, 4) / 2; times && i + 1 < r->n; times--) {
		add(r, draw(r, 3) ? "\tselect S%u" : "\timply S%u",
		    i + 1 + draw(r, r->n - i - 1));
		add_if(r, n_read, 3);
	}
}

static void add_symbol(struct random *r, int i, bool member)
{
	r->tristate[i] = !member && draw(r, 2);
	r->prompt[i] = member || draw(r, 5);
	add(r, "config S%d\n\t%s", i, r->tristate[i] ? "tristate" : "bool");
	if (r->prompt[i]) {
		add(r, " \"S%d\"", i);
		add_if(r, member ? r->choice_at : i, 4);
	} else {
		add(r, "\n");
	}
	if (member && draw(r, 2)) {
		add(r, "\tdepends on ");
		add_expr(r, r->choice_at, 1);
		add(r, "\n");
	}
	if (!member)
		add_properties(r, i, i);
}

static void add_choice(struct random *r, int i, int n)
{
	int j;

	r->choice_at = i;
	add(r, "choice\n\tprompt \"C\"");
	add_if(r, i, 4);
	if (draw(r, 2)) {
		add(r, "\tdefault S%u", i + draw(r, n));
		add_if(r, i, 2);
	}
	for (j = i; j < i + n; j++)
		add_symbol(r, j, true);
	add(r, "endchoice\n");
	r->choice_n = n;
}

static void random_tree(struct random *r)
{
	int i, n;

	r->len = 0;
	r->n = 2 + draw(r, SYMS_MAX - 1);
	r->choice_at = -1;
	r->choice_n = 0;
	if (draw(r, 4))
		add(r, "config MODULES\n\tdef_bool %c\n\tmodules\n",
		    "yyyn"[draw(r, 4)]);
	for (i = 0; i < r->n;) {
		n = 2 + draw(r, 2);
		if (r->choice_n == 0 && i + n <= r->n && draw(r, 5) == 0) {
			add_choice(r, i, n);
			i += n;
			r->choice_at = -1;
			continue;
		}
		if (draw(r, 6) == 0) {
			add(r, "menu \"M\"\n\tvisible if ");
			add_expr(r, i, 1);
			add(r, "\n");
			add_symbol(r, i++, false);
			add(r, "endmenu\n");
			continue;
		}
		add_symbol(r, i++, false);
	}
}

static void random_config(struct random *r, char *text)
{
	int i;

	*text = '\0';
	for (i = 0; i < r->n; i++) {
		unsigned int v = draw(r, 5);

		if (v == 0)
			text += sprintf(text, "# CONFIG_S%d is not set\n", i);
		else if (v < 3)
			text += sprintf(text, "CONFIG_S%d=%c\n", i,
					r->tristate[i] && v == 1 ? 'm' : 'y');
	}
}

/* What a test asks for, and what is locked. */
struct problem {
	struct lkc_want want[2];
	char names[2][16];
	size_t n;
	lkc_sym locked[1];
	size_t n_locked;
	uint8_t fixed[SYMS_MAX];
};

static const char *const tri_name[] = { "n", "m", "y" };

static void random_problem(struct random *r, const struct lkc_tree *tree,
			   struct problem *p)
{
	size_t i;
	int sym;

	memset(p, 0, sizeof(*p));
	p->n = 1 + (draw(r, 3) == 0);
	for (i = 0; i < p->n; i++) {
		do
			sym = draw(r, r->n);
		while (p->fixed[sym]);
		sprintf(p->names[i], "S%d", sym);
		p->want[i].name = p->names[i];
		p->want[i].value = tri_name[r->tristate[sym] ? draw(r, 3) :
					    2 * draw(r, 2)];
		p->fixed[sym] = 1;
	}
	if (p->n == 1 && draw(r, 3) == 0) {
		sym = draw(r, r->n);
		sprintf(p->names[1], "S%d", sym);
		p->locked[p->n_locked++] = lkc_sym_find(tree, p->names[1]);
		p->fixed[sym] = 1;
	}
}

/* True if the requests hold with @change (0: none, else value + 1). */
static bool holds(struct lkc_config *c, const struct problem *p,
		  const uint8_t *change, int n)
{
	enum lkc_tri locked = p->n_locked ? lkc_value_tri(c, p->locked[0]) : 0;
	struct lkc_txn *txn;
	char name[16];
	size_t i;
	int winners = 0;
	bool ok = true;

	assert_int_equal(lkc_txn_begin(c, &txn), 0);
	for (i = 0; i < p->n; i++)
		assert_true(lkc_txn_set(txn, p->want[i].name,
					p->want[i].value) >= 0);
	for (i = 0; i < (size_t)n; i++) {
		sprintf(name, "S%u", (unsigned int)i);
		if (change[i])
			assert_true(lkc_txn_set(txn, name,
						tri_name[change[i] - 1]) >= 0);
	}
	for (i = 0; i < txn->reqs.n; i++) {
		winners += txn->reqs.v[i].want.tri == LKC_YES &&
			lkc_sym_choice(c->tree, txn->reqs.v[i].pub.sym) !=
			LKC_NONE;
		assert_int_equal(txn_apply(txn, i), 0);
	}
	/* two winners of one choice are refused, hold they or not */
	ok = winners < 2;
	assert_int_equal(config_settle(c), 0);
	for (i = 0; i < p->n; i++)
		ok &= txn_holds(txn, i);
	if (p->n_locked && lkc_value_tri(c, p->locked[0]) != locked)
		ok = false;
	lkc_txn_abort(txn);
	return ok;
}

/* The fewest changes with which all holds, or -1. */
static int brute_force(struct lkc_config *c, const struct random *r,
		       const struct problem *p)
{
	uint8_t change[SYMS_MAX] = {0};
	int best = -1, size, i;

	for (;;) {
		for (size = 0, i = 0; i < r->n; i++)
			size += change[i] != 0;
		if ((best < 0 || size < best) && holds(c, p, change, r->n))
			best = size;
		for (i = 0; i < r->n; i++) {
			if (!r->prompt[i] || p->fixed[i])
				continue;
			/* none, n, m where it is, y */
			change[i] += change[i] == 1 && !r->tristate[i] ? 2 : 1;
			if (change[i] <= 3)
				break;
			change[i] = 0;
		}
		if (i == r->n)
			return best;
	}
}

static void check_answer(struct lkc_config *c, const struct random *r,
			 const struct problem *p, const struct lkc_repair *a)
{
	uint8_t change[SYMS_MAX] = {0};
	size_t i;

	for (i = 0; i < a->n_changes; i++) {
		const char *name = lkc_sym_name(lkc_config_tree(c),
						a->changes[i].sym);

		if (!a->changes[i].requested)
			change[atoi(name + 1)] = *a->changes[i].to == 'y' ? 3 :
				*a->changes[i].to == 'm' ? 2 : 1;
	}
	for (i = 0; i < (size_t)r->n; i++)
		assert_false(change[i] && (p->fixed[i] || !r->prompt[i]));
	assert_true(holds(c, p, change, r->n));
}

static void compare(struct lkc_config *c, const struct random *r,
		    const struct problem *p, const char *config,
		    const char *dialect, uint64_t seed)
{
	struct lkc_resolve_options opt = {
		.locked = p->locked, .n_locked = p->n_locked,
	};
	int best = brute_force(c, r, p), found = -1;
	struct lkc_repairs *rep;
	size_t i;

	assert_int_equal(lkc_resolve(c, p->want, p->n, &opt, &rep), 0);
	if (lkc_repairs_resolution(rep) == LKC_R_FOUND)
		found = lkc_repairs_get(rep, 0)->further;
	if (found != best || !lkc_repairs_proved(rep)) {
		print_message("%s%s", r->text, config);
		for (i = 0; i < p->n; i++)
			print_message("want %s=%s\n", p->want[i].name,
				      p->want[i].value);
		if (p->n_locked)
			print_message("locked %s\n", p->names[1]);
		print_message("answer %s\n", answer_text(c, rep, 0));
		for (i = 0; i < lkc_repairs_conflicts(rep); i++)
			print_message("%s\n",
				      lkc_repairs_conflict(rep, i)->text);
		fail_msg("seed %llu dialect %s: %d changes (%d, proved %d), brute force says %d",
			 (unsigned long long)seed, dialect, found,
			 lkc_repairs_resolution(rep), lkc_repairs_proved(rep),
			 best);
	}
	for (i = 0; i < lkc_repairs_count(rep); i++)
		check_answer(c, r, p, lkc_repairs_get(rep, i));
	assert_true(best >= 0 || lkc_repairs_conflicts(rep) > 0);
	lkc_repairs_free(rep);
}

static void one_tree(uint64_t seed, const char *dialect)
{
	struct random r = { .state = seed * UINT64_C(0x9e3779b97f4a7c15) };
	char config[400];
	struct lkc_tree *tree;
	struct lkc_config *c;
	struct problem p;
	int i;

	random_tree(&r);
	random_config(&r, config);
	tree = fixture_tree(r.text, dialect);
	c = fixture_config(tree, config);
	for (i = 0; i < 3; i++) {
		random_problem(&r, tree, &p);
		compare(c, &r, &p, config, dialect, seed);
	}
	lkc_config_free(c);
	lkc_tree_free(tree);
}

static void agrees_with_brute_force(void **data)
{
	const char *trees = getenv("RESOLVE_TREES");
	const char *from = getenv("RESOLVE_SEED");
	uint64_t seed = from ? strtoull(from, NULL, 10) : 1;
	uint64_t end = seed + (trees ? strtoull(trees, NULL, 10) : 300);

	(void)data;
	for (; seed < end; seed++) {
		one_tree(seed, "6.12");
		one_tree(seed, "6.1");
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(turns_on_what_is_needed),
		TEST(ranks_other_ways),
		TEST(several_requests),
		TEST(says_why_not),
		TEST(locked_symbols_stay),
		TEST(numbers_stay),
		TEST(limits_hold),
		cmocka_unit_test(many_requests),
		cmocka_unit_test(agrees_with_brute_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
