// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random trees and random transactions: whatever way a configuration came
 * about, it is what an evaluation from scratch gives.
 *
 * INCREMENTAL_TREES in the environment says how many trees, INCREMENTAL_SEED
 * with which one to begin. A failure names its seed; with INCREMENTAL_KEEP, its
 * tree is written to the file of that name.
 */
#include "fixture.h"

#include "config.h"
#include "random-tree.h"

#define REQUESTS_MAX 5

struct trial {
	struct random_tree gen;
	char *kconfig;
	struct lkc_tree *tree;
	struct lkc_config *c;
	uint64_t seed;
	const char *doing;
	unsigned int unsettled;	/* what changed when it was read again */
};

struct wanted {
	char name[16];
	char value[16];
	bool unset;
};

__attribute__((format(printf, 2, 3)))
static void give_up(struct trial *t, const char *fmt, ...)
{
	const char *keep = getenv("INCREMENTAL_KEEP");
	char text[500];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (keep) {
		FILE *f = fopen(keep, "w");

		fputs(t->kconfig, f);
		fclose(f);
	}
	fail_msg("seed %llu, dialect %s, %s: %s", (unsigned long long)t->seed,
		 lkc_tree_dialect(t->tree), t->doing, text);
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static void compare(struct trial *t, const struct lkc_config *a,
		    const struct lkc_config *b)
{
	lkc_sym i;

	for (i = 0; i < lkc_sym_count(t->tree); i++) {
		const struct value *x = &a->value[i], *y = &b->value[i];
		const char *name = lkc_sym_name(t->tree, i);

		if (x->tri == y->tri && x->vis == y->vis && x->sel == y->sel &&
		    x->imp == y->imp && x->dep == y->dep &&
		    x->origin == y->origin && x->write == y->write &&
		    x->winner == y->winner && same_text(x->str, y->str))
			continue;
		give_up(t, "%s: tri %d/%d vis %d/%d sel %d/%d imp %d/%d dep %d/%d origin %d/%d write %d/%d winner %d/%d str %s/%s",
			name ? name : "choice", x->tri, y->tri, x->vis, y->vis,
			x->sel, y->sel, x->imp, y->imp, x->dep, y->dep,
			x->origin, y->origin, x->write, y->write,
			(int)x->winner, (int)y->winner, x->str, y->str);
	}
}

/* What the same wishes give in a configuration that knows nothing else. */
static void check_from_scratch(struct trial *t)
{
	struct lkc_config *fresh;
	lkc_sym i;

	assert_int_equal(lkc_config_new(t->tree, &fresh), 0);
	for (i = 0; i < lkc_sym_count(t->tree); i++) {
		struct user u = t->c->user[i];

		if (u.str)
			u.str = config_intern(fresh, u.str);
		assert_int_equal(config_user_set(fresh, i, u), 0);
	}
	assert_int_equal(config_evaluate(fresh), 0);
	compare(t, t->c, fresh);
	lkc_config_free(fresh);
}

static char *format(const struct lkc_config *c)
{
	char *text;
	size_t len;

	assert_int_equal(lkc_config_format(c, LKC_FORMAT_CONFIG, &text, &len),
			 0);
	assert_int_equal(len, strlen(text));
	return text;
}

static void expect_bytes(struct trial *t, const char *before)
{
	char *now = format(t->c);

	if (strcmp(before, now) != 0)
		give_up(t, "other bytes:\n%s\n%s", before, now);
	free(now);
}

/* ---- requests ----------------------------------------------------------- */

static void want_something(struct trial *t, struct wanted *w)
{
	struct random_tree *g = &t->gen;
	unsigned int s = pick(g, RANDOM_SYMS);

	snprintf(w->name, sizeof(w->name), "%sS%u",
		 chance(g, 10) ? "CONFIG_" : "", s);
	w->unset = chance(g, 10);
	if (chance(g, 2))
		strcpy(w->name, chance(g, 50) ? "U" : "NOSUCH");
	if (chance(g, 5))
		strcpy(w->value, "!");
	else if (g->type[s] == 'i')
		sprintf(w->value, "%u", pick(g, 20));
	else if (g->type[s] == 'h')
		sprintf(w->value, "0x%x", pick(g, 40));
	else if (g->type[s] == 's')
		sprintf(w->value, "%c\"", 'a' + pick(g, 3));
	else
		sprintf(w->value, "%c", g->type[s] == 'b' ?
			"yn"[pick(g, 2)] : "ymn"[pick(g, 3)]);
}

static void add(struct lkc_txn *txn, const struct wanted *w)
{
	assert_true(lkc_txn_set(txn, w->name, w->unset ? NULL : w->value) >= 0);
}

/* A verdict, and the right one. */
static void check_verdicts(struct trial *t, struct lkc_txn *txn, int result)
{
	bool all = true;
	size_t i;

	for (i = 0; i < lkc_txn_requests(txn); i++) {
		const struct lkc_request *r = lkc_txn_request(txn, i);
		bool holds = lkc_verdict_holds(r->verdict);

		if (r->verdict == LKC_V_PENDING)
			give_up(t, "%s has no verdict", r->name);
		if (holds != (*r->reason == '\0'))
			give_up(t, "%s: %s, but \"%s\"", r->name,
				lkc_verdict_name(r->verdict), r->reason);
		all &= holds;
		if (r->sym == LKC_NONE) {
			assert_int_equal(r->verdict, LKC_V_UNKNOWN);
			continue;
		}
		if (holds && r->want &&
		    strcmp(lkc_value(t->c, r->sym), r->want) != 0)
			give_up(t, "%s=%s is %s, but has %s", r->name, r->want,
				lkc_verdict_name(r->verdict),
				lkc_value(t->c, r->sym));
		if (!holds && r->verdict != LKC_V_CLOBBERED &&
		    r->verdict != LKC_V_CHOICE_CONFLICT && r->want &&
		    strcmp(lkc_value(t->c, r->sym), r->want) == 0)
			give_up(t, "%s=%s holds, but is %s: %s", r->name,
				r->want, lkc_verdict_name(r->verdict),
				r->reason);
	}
	assert_int_equal(result, all ? 0 : LKC_EREJECTED);
}

/* Changes are the symbols whose values differ from @before, and no others. */
static void check_changes(struct trial *t, struct lkc_txn *txn,
			  const struct lkc_config *before)
{
	size_t n = 0, i;
	lkc_sym s;

	for (s = 0; s < lkc_sym_count(t->tree); s++) {
		if (!lkc_sym_is_choice(t->tree, s))
			n += strcmp(lkc_value(before, s),
				    lkc_value(t->c, s)) != 0;
	}
	assert_int_equal(lkc_txn_changes(txn), n);
	for (i = 0; i < n; i++) {
		const struct lkc_change *ch = lkc_txn_change(txn, i);

		assert_string_equal(ch->before, lkc_value(before, ch->sym));
		assert_string_equal(ch->after, lkc_value(t->c, ch->sym));
	}
}

/* ---- properties --------------------------------------------------------- */

/* The same requests in another order: the same verdicts and bytes. */
static void check_order(struct trial *t, struct lkc_txn *first,
			const struct wanted *w, size_t n)
{
	enum lkc_verdict verdicts[REQUESTS_MAX];
	char *bytes = format(t->c), *again;
	struct lkc_txn *txn;
	size_t i, turn = 1 + pick(&t->gen, n);

	t->doing = "requests in another order";
	for (i = 0; i < n; i++)
		verdicts[i] = lkc_txn_request(first, i)->verdict;
	lkc_txn_abort(first);
	assert_int_equal(lkc_txn_begin(t->c, &txn), 0);
	for (i = 0; i < n; i++)
		add(txn, &w[(n - 1 - i + turn) % n]);
	assert_true(lkc_txn_prepare(txn) != LKC_ENOMEM);
	for (i = 0; i < n; i++) {
		size_t was = (n - 1 - i + turn) % n;
		const struct lkc_request *r = lkc_txn_request(txn, i);

		if (r->verdict != verdicts[was])
			give_up(t, "%s=%s: %s, before %s; %s", r->name, r->want,
				lkc_verdict_name(r->verdict),
				lkc_verdict_name(verdicts[was]), r->reason);
	}
	again = format(t->c);
	if (strcmp(bytes, again) != 0)
		give_up(t, "other bytes:\n%s\n%s", bytes, again);
	free(again);
	free(bytes);
	lkc_txn_abort(txn);
}

static void check_nesting(struct trial *t, struct lkc_txn *outer)
{
	char *before = format(t->c), *after;
	struct lkc_txn *inner;
	struct wanted w;
	unsigned int n = 1 + pick(&t->gen, 2);

	assert_int_equal(lkc_txn_begin(t->c, &inner), 0);
	while (n--) {
		want_something(t, &w);
		add(inner, &w);
	}
	t->doing = "inner prepare";
	check_verdicts(t, inner, lkc_txn_prepare(inner));
	check_from_scratch(t);
	if (chance(&t->gen, 50)) {
		t->doing = "inner abort";
		lkc_txn_abort(inner);
		expect_bytes(t, before);
	} else {
		t->doing = "inner commit";
		assert_int_equal(lkc_txn_drop_rejected(inner), 0);
		assert_int_equal(lkc_txn_commit(inner), 0);
		check_from_scratch(t);
		after = format(t->c);
		t->doing = "outer prepared again";
		(void)lkc_txn_prepare(outer);
		check_from_scratch(t);
		expect_bytes(t, after);
		free(after);
	}
	check_from_scratch(t);
	free(before);
}

/*
 * What is written reads back as what was written; but not always at once, and
 * for conf neither: a default of y that no user could give where only m is
 * visible is a user's m after that, and other things may follow.
 */
static void check_fixed_point(struct trial *t)
{
	char *text = format(t->c), *again = NULL;
	struct lkc_config *c;
	int rounds;
	bool same = false;

	t->doing = "reading what was written";
	for (rounds = 0; rounds < 5 && !same; rounds++) {
		c = fixture_config(t->tree, text);
		again = format(c);
		lkc_config_free(c);
		same = strcmp(text, again) == 0;
		free(text);
		text = again;
	}
	if (!same)
		give_up(t, "no end");
	t->unsettled += rounds > 1;
	free(text);
}

static void one_transaction(struct trial *t)
{
	size_t n = 1 + pick(&t->gen, REQUESTS_MAX), i;
	struct wanted w[REQUESTS_MAX];
	struct lkc_config *before;
	struct lkc_txn *txn;
	char *bytes = format(t->c);
	bool kept = false;

	assert_int_equal(lkc_config_clone(t->c, &before), 0);
	compare(t, before, t->c);
	assert_int_equal(lkc_txn_begin(t->c, &txn), 0);
	for (i = 0; i < n; i++) {
		want_something(t, &w[i]);
		add(txn, &w[i]);
	}
	t->doing = "prepare";
	check_verdicts(t, txn, lkc_txn_prepare(txn));
	check_from_scratch(t);
	check_changes(t, txn, before);
	if (chance(&t->gen, 40)) {
		check_order(t, txn, w, n);
	} else if (chance(&t->gen, 70)) {
		if (chance(&t->gen, 30))
			check_nesting(t, txn);
		t->doing = "drop";
		assert_int_equal(lkc_txn_drop_rejected(txn), 0);
		check_from_scratch(t);
		t->doing = "commit";
		assert_int_equal(lkc_txn_commit(txn), 0);
		check_from_scratch(t);
		kept = true;
	} else {
		lkc_txn_abort(txn);
	}
	if (!kept) {
		t->doing = "abort";
		check_from_scratch(t);
		compare(t, t->c, before);
		expect_bytes(t, bytes);
	}
	free(bytes);
	lkc_config_free(before);
}

static unsigned int one_tree(uint64_t seed, bool old)
{
	struct trial t = { .seed = seed, .doing = "loading" };
	struct lkc_diags *diags = lkc_diags_new();
	int i;

	t.kconfig = random_tree(&t.gen, seed, old);
	if (fixture_load(t.kconfig, old ? "6.1" : "6.12", &t.tree, diags))
		fail_msg("seed %llu: %s\n%s", (unsigned long long)seed,
			 lkc_diags_get(diags, lkc_diags_count(diags) - 1)->full,
			 t.kconfig);
	t.c = fixture_config(t.tree, NULL);
	t.doing = "new";
	check_from_scratch(&t);
	for (i = 0; i < 12; i++)
		one_transaction(&t);
	check_fixed_point(&t);
	lkc_config_free(t.c);
	lkc_tree_free(t.tree);
	lkc_diags_free(diags);
	free(t.kconfig);
	return t.unsettled;
}

static unsigned long number(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : otherwise;
}

static void trees(bool old)
{
	uint64_t seed = number("INCREMENTAL_SEED", 1);
	unsigned long n = number("INCREMENTAL_TREES", 300), i;
	unsigned long unsettled = 0;

	for (i = 0; i < n; i++)
		unsettled += one_tree(seed + i, old);
	assert_true(unsettled <= n / 10);
}

static void dialect_6_1(void **data)
{
	(void)data;
	trees(true);
}

static void dialect_6_12(void **data)
{
	(void)data;
	trees(false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dialect_6_1),
		cmocka_unit_test(dialect_6_12),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
