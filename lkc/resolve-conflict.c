// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve-conflict - why there is no answer, in few words
 *
 * The formula is made once more with a guard on every rule. Guards that the
 * contradiction needs are found by leaving out one after another.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "resolve.h"

/* More than this is no explanation. */
#define TEXT_MAX 240
#define SELECTORS_MAX 4
#define ROUNDS_MAX 200

int resolve_add_conflict(struct search *s, enum lkc_conflict_kind kind,
			 lkc_sym sym, struct strbuf *text)
{
	struct lkc_conflict c = { .kind = kind, .sym = sym };

	c.text = text->err ? NULL :
		arena_strdup(&s->out->arena, strbuf_str(text));
	strbuf_free(text);
	if (!c.text || !vec_push(&s->out->conflicts, c))
		return LKC_ENOMEM;
	return 0;
}

/* ---- words -------------------------------------------------------------- */

static void add_name(const struct lkc_tree *t, lkc_sym sym,
		     struct strbuf *text)
{
	const char *title = lkc_sym_prompt(t, sym);
	struct lkc_place place;

	if (sym_get(t, sym)->name)
		strbuf_addstr(text, sym_get(t, sym)->name);
	else
		strbuf_addf(text, "the choice \"%s\"",
			    title ? title : "unnamed");
	if (lkc_sym_place(t, sym, &place) && place.file)
		strbuf_addf(text, " (%s:%u)", place.file, place.line);
}

/* Adds @more, which is freed, or the start of it. */
static void add_cut(struct strbuf *text, char *more)
{
	if (!more)
		strbuf_fail(text);
	else if (strlen(more) > TEXT_MAX)
		strbuf_addf(text, "%.*s...", TEXT_MAX, more);
	else
		strbuf_addstr(text, more);
	free(more);
}

/* Who selects or implies @sym: "; selected by A (now n), B (now n)". */
static void add_selectors(const struct lkc_config *c, lkc_sym sym,
			  struct strbuf *text)
{
	const struct lkc_tree *t = c->tree;
	const struct symbol *s = sym_get(t, sym);
	uint32_t i;

	for (i = 0; i < s->reverse.n && i < SELECTORS_MAX; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];

		strbuf_addf(text, "%s %s (now %s)",
			    i ? "," : "; selected or implied by",
			    sym_get(t, p->sym)->name ?
			    sym_get(t, p->sym)->name : "a choice",
			    lkc_value(c, p->sym));
	}
	if (s->reverse.n > SELECTORS_MAX)
		strbuf_addf(text, " and %u more",
			    s->reverse.n - SELECTORS_MAX);
}

/* The condition of @sym's prompt: what it lacks, and all of it if short. */
static void add_condition(const struct lkc_config *c, lkc_sym sym,
			  struct strbuf *text)
{
	lkc_expr cond = sym_get(c->tree, sym)->prompt_cond;
	enum lkc_tri has = eval_expr(c, cond);
	char *whole = lkc_expr_text(c->tree, cond, c);

	strbuf_addch(text, ' ');
	if (has == LKC_YES && whole) {
		strbuf_addstr(text, "needs ");
		add_cut(text, whole);
		return;
	}
	if (!whole) {
		strbuf_fail(text);
	} else {
		add_cut(text, lkc_unmet_text(c, cond, has + 1));
		/* a part that is met now may be what cannot stay so */
		if (strlen(whole) <= TEXT_MAX && strchr(whole, ' ') !=
		    strrchr(whole, ' '))
			strbuf_addf(text, "; in all: %s", whole);
	}
	free(whole);
}

static void say_limit(const struct lkc_config *c, lkc_sym sym,
		      struct strbuf *text)
{
	const struct lkc_tree *t = c->tree;

	add_name(t, sym, text);
	if (lkc_sym_prompt(t, sym))
		add_condition(c, sym, text);
	else
		strbuf_addstr(text,
			      " has no prompt, so only other symbols set it");
	add_selectors(c, sym, text);
}

static void say_floor(const struct lkc_config *c, lkc_sym sym,
		      struct strbuf *text)
{
	const struct symbol *s = sym_get(c->tree, sym);
	const struct prop *p = eval_default(c, sym);

	add_name(c->tree, sym, text);
	if (s->reverse.n) {
		strbuf_addstr(text, " is held up");
		add_selectors(c, sym, text);
	} else if (p && !lkc_sym_prompt(c->tree, sym)) {
		strbuf_addstr(text, " has no prompt, and is ");
		add_cut(text, lkc_expr_text(c->tree, p->a, c));
		if (!lkc_expr_is_const(c->tree, p->own, LKC_YES)) {
			strbuf_addstr(text, " if ");
			add_cut(text, lkc_expr_text(c->tree, p->own, c));
		}
	} else {
		strbuf_addf(text, " is %s and has to stay so",
			    lkc_value(c, sym));
	}
}

static void say_choice(const struct lkc_config *c, lkc_sym sym,
		       struct strbuf *text)
{
	const struct symbol *s = sym_get(c->tree, sym);

	add_name(c->tree, sym, text);
	strbuf_addstr(text, " is y just where it is chosen in ");
	add_name(c->tree, s->choice, text);
	if (eval_expr(c, s->prompt_cond) == LKC_NO) {
		strbuf_addstr(text, ", and");
		add_condition(c, sym, text);
	}
}

static void say_range(const struct lkc_config *c, lkc_sym sym,
		      struct strbuf *text)
{
	bool hex = sym_get(c->tree, sym)->type == LKC_HEX;
	struct lkc_place place = {0};
	int64_t low, high;

	strbuf_addf(text, "%s has bounds", sym_get(c->tree, sym)->name);
	if (!lkc_range(c, sym, &low, &high, &place))
		return;
	strbuf_addf(text, hex ? ": 0x%" PRIx64 " to 0x%" PRIx64 :
		    ": %" PRId64 " to %" PRId64, low, high);
	if (place.file)
		strbuf_addf(text, " (%s:%u)", place.file, place.line);
}

static int say(struct search *s, const struct guard *g)
{
	const struct lkc_tree *t = s->c->tree;
	struct strbuf text = {0};

	switch (g->kind) {
	case LKC_CONFLICT_REQUEST:
		strbuf_addf(&text, "%s=%s is asked for",
			    sym_get(t, g->sym)->name,
			    s->wants[g->request].value);
		break;
	case LKC_CONFLICT_LIMIT:
		say_limit(s->c, g->sym, &text);
		break;
	case LKC_CONFLICT_FLOOR:
		say_floor(s->c, g->sym, &text);
		break;
	case LKC_CONFLICT_CHOICE:
		say_choice(s->c, g->sym, &text);
		break;
	case LKC_CONFLICT_RANGE:
		say_range(s->c, g->sym, &text);
		break;
	case LKC_CONFLICT_LOCKED:
		add_name(t, g->sym, &text);
		strbuf_addf(&text, " is locked at %s",
			    lkc_value(s->c, g->sym));
		break;
	}
	return resolve_add_conflict(s, g->kind, g->sym, &text);
}

/* ---- the core ----------------------------------------------------------- */

struct core {
	struct formula f;
	struct { VEC(uint32_t); } in;	/* guards that are needed */
	struct { VEC(int); } lits;
	unsigned int rounds;
};

/* Solves with all guards that are in, but for number @but. */
static enum sat_result solve_without(struct core *k, uint32_t but)
{
	uint32_t i;

	k->lits.n = 0;
	for (i = 0; i < k->in.n; i++) {
		if (i != but &&
		    !vec_push(&k->lits, k->f.guards.v[k->in.v[i]].lit))
			return SAT_NOMEM;
	}
	k->rounds++;
	return sat_solve(k->f.sat, k->lits.v, k->lits.n);
}

/* After SAT_NO: only those stay in that had a part in it. */
static void keep_failed(struct core *k)
{
	uint32_t i, n = 0;

	for (i = 0; i < k->in.n; i++) {
		if (sat_failed(k->f.sat, k->f.guards.v[k->in.v[i]].lit))
			k->in.v[n++] = k->in.v[i];
	}
	k->in.n = n;
}

static enum sat_result shrink(struct core *k)
{
	enum sat_result res = SAT_NO;
	uint32_t i, n;

	for (i = 0; i < k->f.guards.n; i++) {
		if (!vec_push(&k->in, i))
			return SAT_NOMEM;
	}
	/* a proof that need not mention the rest is often shorter yet */
	do {
		n = k->in.n;
		res = solve_without(k, UINT32_MAX);
		if (res == SAT_NO)
			keep_failed(k);
	} while (res == SAT_NO && k->in.n < n);
	/* requests come last in the list, so they are the last to go */
	for (i = 0; i < k->in.n && res == SAT_NO;) {
		if (k->rounds > ROUNDS_MAX)
			return SAT_LIMIT;
		res = solve_without(k, i);
		if (res == SAT_NO)
			keep_failed(k);
		else
			i++;
		if (res == SAT_YES)
			res = SAT_NO;
	}
	return res;
}

/* Requests first, then what stands in their way, from near to far. */
static int say_all(struct search *s, const struct core *k)
{
	const struct guard *g, *last = NULL;
	uint32_t i;
	int pass, err = 0;

	for (pass = 0; pass < 2; pass++) {
		for (i = k->in.n; i-- > 0 && !err;) {
			g = &k->f.guards.v[k->in.v[i]];
			if ((g->kind == LKC_CONFLICT_REQUEST) != (pass == 0))
				continue;
			/* the two halves of one rule */
			if (last && last->kind == g->kind &&
			    last->sym == g->sym)
				continue;
			err = say(s, g);
			last = g;
		}
	}
	return err;
}

int resolve_conflict(struct search *s)
{
	struct core k = {0};
	struct lkc_txn *txn;
	enum sat_result res;
	int err;

	err = resolve_begin(s, &txn);
	if (err)
		return err;
	err = resolve_apply(txn);
	if (!err)
		err = resolve_formula(s, &k.f, true);
	lkc_txn_abort(txn);
	if (!err) {
		res = shrink(&k);
		err = res == SAT_NOMEM ? LKC_ENOMEM : say_all(s, &k);
	}
	formula_free(&k.f);
	vec_free(&k.in);
	vec_free(&k.lits);
	return err;
}
