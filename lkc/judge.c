// SPDX-License-Identifier: GPL-2.0-only
/*
 * judge - one verdict for every request of a transaction, and its reason
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "txn.h"

static const struct {
	const char *name;
	bool holds;
} verdicts[] = {
	[LKC_V_PENDING] = { "pending", false },
	[LKC_V_ACCEPTED] = { "accepted", true },
	[LKC_V_ALREADY] = { "already", true },
	[LKC_V_UNKNOWN] = { "unknown", false },
	[LKC_V_INVISIBLE] = { "invisible", false },
	[LKC_V_PINNED] = { "pinned", false },
	[LKC_V_OUT_OF_RANGE] = { "out-of-range", false },
	[LKC_V_CHOICE_CONFLICT] = { "choice-conflict", false },
	[LKC_V_PROMPTLESS] = { "promptless", false },
	[LKC_V_TYPE] = { "type", false },
	[LKC_V_CLOBBERED] = { "clobbered", false },
};

const char *lkc_verdict_name(enum lkc_verdict v)
{
	return verdicts[v].name;
}

bool lkc_verdict_holds(enum lkc_verdict v)
{
	return verdicts[v].holds;
}

int txn_reason(struct lkc_txn *txn, struct lkc_request *r, struct strbuf *text)
{
	r->reason = text->err ? NULL :
		arena_strdup(&txn->arena, strbuf_str(text));
	strbuf_free(text);
	if (r->reason)
		return 0;
	r->reason = "";
	return LKC_ENOMEM;
}

/* ---- one judge per verdict ---------------------------------------------- */

static int judge_unknown(struct lkc_txn *txn, struct lkc_request *r)
{
	const struct lkc_tree *t = txn->c->tree;
	struct strbuf text = {0};
	lkc_sym near[3];
	size_t n, i;

	r->verdict = LKC_V_UNKNOWN;
	n = lkc_sym_nearest(t, r->name, near, 3);
	strbuf_addstr(&text, "no such symbol in this kernel");
	for (i = 0; i < n; i++)
		strbuf_addf(&text, "%s%s", i ? ", " : "; nearest: ",
			    lkc_sym_name(t, near[i]));
	return txn_reason(txn, r, &text);
}

static int judge_type(struct lkc_txn *txn, struct lkc_request *r)
{
	static const char *const expected[] = {
		[LKC_UNKNOWN] = "has no type",
		[LKC_BOOL] = "is bool: y or n",
		[LKC_TRISTATE] = "is tristate: y, m or n",
		[LKC_INT] = "is int: a decimal number",
		[LKC_HEX] = "is hex: a hexadecimal number such as 0x1000",
		[LKC_STRING] = "is string: one line of text",
	};
	struct strbuf text = {0};

	r->verdict = LKC_V_TYPE;
	strbuf_addf(&text, "%s %s", r->name,
		    expected[lkc_sym_type(txn->c->tree, r->sym)]);
	return txn_reason(txn, r, &text);
}

static int judge_clash(struct lkc_txn *txn, struct lkc_request *r)
{
	const struct lkc_tree *t = txn->c->tree;
	struct strbuf text = {0};

	if (r->other == r->sym) {
		r->verdict = LKC_V_CLOBBERED;
		strbuf_addf(&text, "%s is asked to have two values at once",
			    r->name);
	} else {
		r->verdict = LKC_V_CHOICE_CONFLICT;
		strbuf_addf(&text,
			    "%s and %s are members of one choice (%s): only one can be y",
			    r->name, lkc_sym_name(t, r->other),
			    lkc_sym_prompt(t, sym_get(t, r->sym)->choice) ?
			    lkc_sym_prompt(t, sym_get(t, r->sym)->choice) :
			    "unnamed");
	}
	return txn_reason(txn, r, &text);
}

static void add_place(const struct lkc_tree *t, lkc_sym sym,
		      struct strbuf *text)
{
	struct lkc_place place;

	if (lkc_sym_place(t, sym, &place) && place.file)
		strbuf_addf(text, ", %s:%u", place.file, place.line);
}

/* Up to @max symbols that select or imply @sym, with their values. */
static void add_selectors(const struct lkc_txn *txn, lkc_sym sym,
			  unsigned int max, struct strbuf *text)
{
	const struct lkc_tree *t = txn->c->tree;
	const struct symbol *s = sym_get(t, sym);
	unsigned int n = 0;
	uint32_t i;

	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];

		if (n++ < max)
			strbuf_addf(text, "%s%s (now %s)", n > 1 ? ", " : "",
				    lkc_sym_name(t, p->sym) ?
				    lkc_sym_name(t, p->sym) : "a choice",
				    lkc_value(txn->c, p->sym));
	}
	if (n > max)
		strbuf_addf(text, " and %u more", n - max);
	if (!n)
		strbuf_addstr(text, "nothing in this kernel does");
}

static int judge_promptless(struct lkc_txn *txn, struct lkc_request *r)
{
	struct strbuf text = {0};

	r->verdict = LKC_V_PROMPTLESS;
	strbuf_addf(&text, "%s has no prompt, so only other symbols can set it; selected or implied by: ",
		    r->name);
	add_selectors(txn, r->sym, 6, &text);
	return txn_reason(txn, r, &text);
}

static int judge_invisible(struct lkc_txn *txn, struct lkc_request *r,
			   enum lkc_tri want)
{
	const struct lkc_tree *t = txn->c->tree;
	lkc_expr cond = sym_get(t, r->sym)->prompt_cond;
	struct strbuf text = {0};
	char *unmet;

	r->verdict = LKC_V_INVISIBLE;
	r->unmet = cond;
	unmet = lkc_unmet_text(txn->c, cond, want);
	if (!unmet)
		return LKC_ENOMEM;
	strbuf_addf(&text, "%s cannot be %s: %s", r->name, r->want,
		    *unmet ? unmet : "its condition is not met");
	free(unmet);
	return txn_reason(txn, r, &text);
}

/* m is wanted where modules are off. */
static int judge_no_modules(struct lkc_txn *txn, struct lkc_request *r)
{
	const struct lkc_tree *t = txn->c->tree;
	struct strbuf text = {0};

	r->verdict = LKC_V_INVISIBLE;
	strbuf_addf(&text, "%s cannot be m: needs MODULES=y (now n", r->name);
	if (t->modules != LKC_NONE)
		add_place(t, t->modules, &text);
	strbuf_addch(&text, ')');
	return txn_reason(txn, r, &text);
}

static int judge_pinned(struct lkc_txn *txn, struct lkc_request *r)
{
	const struct lkc_tree *t = txn->c->tree;
	const struct symbol *s = sym_get(t, r->sym);
	struct strbuf text = {0};
	unsigned int n = 0;
	uint32_t i;

	r->verdict = LKC_V_PINNED;
	strbuf_addf(&text, "%s cannot be %s: it is held at %s by", r->name,
		    r->want, r->got);
	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];

		if (p->kind != PROP_SELECT ||
		    txn->c->value[p->sym].tri == LKC_NO ||
		    eval_expr(txn->c, p->cond) == LKC_NO)
			continue;
		if (n++ == 0)
			r->other = p->sym;
		if (n > 6)
			continue;
		strbuf_addf(&text, "%s %s=%s", n > 1 ? "," : "",
			    lkc_sym_name(t, p->sym), lkc_value(txn->c, p->sym));
	}
	if (n > 6)
		strbuf_addf(&text, " and %u more", n - 6);
	strbuf_addstr(&text, ", which select it");
	return txn_reason(txn, r, &text);
}

static int judge_range(struct lkc_txn *txn, struct lkc_request *r,
		       int64_t low, int64_t high, const struct lkc_place *place)
{
	bool hex = lkc_sym_type(txn->c->tree, r->sym) == LKC_HEX;
	struct strbuf text = {0};

	r->verdict = LKC_V_OUT_OF_RANGE;
	strbuf_addf(&text, hex ? "%s must be from 0x%" PRIx64 " to 0x%" PRIx64 :
		    "%s must be from %" PRId64 " to %" PRId64, r->name, low,
		    high);
	if (place->file)
		strbuf_addf(&text, " (%s:%u)", place->file, place->line);
	return txn_reason(txn, r, &text);
}

static int judge_choice(struct lkc_txn *txn, struct lkc_request *r)
{
	const struct lkc_tree *t = txn->c->tree;
	lkc_sym choice = sym_get(t, r->sym)->choice;
	lkc_sym winner = txn->c->value[choice].winner;
	const char *title = lkc_sym_prompt(t, choice);
	struct strbuf text = {0};

	r->verdict = LKC_V_CHOICE_CONFLICT;
	r->other = winner;
	if (!title)
		title = "unnamed";
	if (winner == r->sym)
		strbuf_addf(&text, "%s is the chosen member of the choice \"%s\"; set another member to y instead",
			    r->name, title);
	else
		strbuf_addf(&text, "the choice \"%s\" has %s=y, and only one member can be",
			    title, winner == LKC_NONE ? "no member" :
			    lkc_sym_name(t, winner));
	return txn_reason(txn, r, &text);
}

/* ---- clobbering --------------------------------------------------------- */

/* Evaluates requests @i and, if not negative, @j alone. */
static int apply_some(struct lkc_txn *txn, uint32_t i, int64_t j)
{
	int err;

	txn_rewind(txn);
	err = txn_apply(txn, i);
	if (!err && j >= 0)
		err = txn_apply(txn, j);
	return err ? err : config_settle(txn->c);
}

/*
 * If request @i holds alone, another one (or all others together) unmakes it:
 * *@by is that request, or -1; *@alone tells. Leaves other values behind.
 */
static int find_clobberer(struct lkc_txn *txn, uint32_t i, bool *alone,
			  int64_t *by)
{
	uint32_t j;
	int err;

	*by = -1;
	err = apply_some(txn, i, -1);
	*alone = !err && txn_holds(txn, i);
	if (err || !*alone)
		return err;
	for (j = 0; j < txn->reqs.n && *by < 0 && !err; j++) {
		if (j == i || !txn_active(txn, j))
			continue;
		err = apply_some(txn, i, j);
		if (!err && !txn_holds(txn, i))
			*by = j;
	}
	return err;
}

static int judge_clobbered(struct lkc_txn *txn, struct lkc_request *r,
			   int64_t by)
{
	struct strbuf text = {0};

	r->verdict = LKC_V_CLOBBERED;
	if (by >= 0) {
		const struct lkc_request *o = &txn->reqs.v[by].pub;

		r->other = o->sym;
		strbuf_addf(&text, "%s=%s holds by itself, but %s=%s of the same answer unmakes it",
			    r->name, r->want, o->name,
			    o->want ? o->want : "(unset)");
	} else {
		strbuf_addf(&text, "%s=%s holds by itself, but the others of the same answer together unmake it",
			    r->name, r->want);
	}
	return txn_reason(txn, r, &text);
}

/* ---- all ---------------------------------------------------------------- */

/* Why a well-formed request does not have its value, all being applied. */
static int judge_failed(struct lkc_txn *txn, struct lkc_request *r)
{
	const struct symbol *s = sym_get(txn->c->tree, r->sym);
	const struct value *v = &txn->c->value[r->sym];
	enum lkc_tri want = LKC_YES;
	int64_t low, high;
	struct lkc_place place = {0};

	if (s->prompt_cond == EXPR_N && !lkc_sym_prompt(txn->c->tree, r->sym))
		return judge_promptless(txn, r);
	if (type_is_tri(s->type)) {
		want = *r->want == 'y' ? LKC_YES : *r->want == 'm' ? LKC_MOD :
			LKC_NO;
		if (want < v->sel)
			return judge_pinned(txn, r);
		if (want == LKC_MOD && !eval_modules(txn->c))
			return judge_no_modules(txn, r);
		if (s->choice != LKC_NONE && v->vis != LKC_NO)
			return judge_choice(txn, r);
		return judge_invisible(txn, r, want == LKC_NO ? LKC_MOD : want);
	}
	if (v->vis == LKC_NO)
		return judge_invisible(txn, r, LKC_MOD);
	if (lkc_range(txn->c, r->sym, &low, &high, &place))
		return judge_range(txn, r, low, high, &place);
	return judge_invisible(txn, r, LKC_MOD);
}

/* First pass: what can be said with all requests applied. */
static int judge_together(struct lkc_txn *txn, uint32_t i)
{
	struct request *q = &txn->reqs.v[i];
	struct lkc_request *r = &q->pub;

	if (r->sym == LKC_NONE)
		return judge_unknown(txn, r);
	r->got = lkc_value(txn->c, r->sym);
	if (!q->usable)
		return judge_type(txn, r);
	if (q->clash)
		return judge_clash(txn, r);
	r->reason = "";
	r->unmet = LKC_NONE;
	r->other = LKC_NONE;
	if (txn_holds(txn, i)) {
		r->verdict = r->want && strcmp(r->before, r->want) == 0 ?
			LKC_V_ALREADY : LKC_V_ACCEPTED;
		return 0;
	}
	return judge_failed(txn, r);
}

int txn_judge(struct lkc_txn *txn)
{
	uint32_t i;
	int64_t by;
	bool alone;
	int err = 0;

	for (i = 0; i < txn->reqs.n && !err; i++) {
		if (!txn->reqs.v[i].withdrawn)
			err = judge_together(txn, i);
	}
	/* second pass: was it another request? */
	for (i = 0; i < txn->reqs.n && !err; i++) {
		struct lkc_request *r = &txn->reqs.v[i].pub;

		if (!txn_active(txn, i) || lkc_verdict_holds(r->verdict) ||
		    txn->reqs.n + txn->inner.n < 2)
			continue;
		err = find_clobberer(txn, i, &alone, &by);
		if (!err && alone)
			err = judge_clobbered(txn, r, by);
	}
	return err;
}
