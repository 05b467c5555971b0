// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve - the smallest changes under which requests hold
 *
 * Requests are first tried as they are. If they do not hold by themselves,
 * what they depend on becomes a formula (resolve-encode.c), whose models are
 * searched for ones with few changes (resolve-search.c). Each is then tried in
 * a transaction (resolve-verify.c): what is returned has been seen to hold,
 * whatever the formula says. If it has no model, the reason is put into words
 * (resolve-conflict.c).
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "resolve.h"

#define ANSWERS_DEFAULT 5
#define CHANGES_DEFAULT 16
#define STEPS_DEFAULT (5 * 1000 * 1000)
#define MEMORY_MAX ((size_t)1 << 30)

/* ---- requests ----------------------------------------------------------- */

int resolve_begin(const struct search *s, struct lkc_txn **txn)
{
	size_t i;
	int err;

	err = lkc_txn_begin(s->c, txn);
	for (i = 0; i < s->n_wants && !err; i++) {
		err = lkc_txn_set(*txn, s->wants[i].name, s->wants[i].value);
		if (err > 0)
			err = 0;
	}
	if (err && *txn) {
		lkc_txn_abort(*txn);
		*txn = NULL;
	}
	return err;
}

int resolve_apply(struct lkc_txn *txn)
{
	uint32_t i;
	int err = 0;

	txn_rewind(txn);
	for (i = 0; i < txn->reqs.n && !err; i++) {
		if (txn_active(txn, i))
			err = txn_apply(txn, i);
	}
	return err ? err : config_settle(txn->c);
}

/* Two values of one symbol, or two winners of one choice. */
static bool clash(const struct search *s, const struct request *a,
		  const struct request *b)
{
	const struct lkc_tree *t = s->c->tree;
	lkc_sym choice;

	if (a->pub.sym == b->pub.sym)
		return a->want.tri != b->want.tri || a->want.str != b->want.str;
	choice = sym_get(t, a->pub.sym)->choice;
	return choice != LKC_NONE && choice == sym_get(t, b->pub.sym)->choice &&
		a->want.tri == LKC_YES && b->want.tri == LKC_YES;
}

static bool is_sensible(const struct search *s, const struct lkc_txn *txn)
{
	size_t i, j;

	for (i = 0; i < s->n_wants; i++) {
		if (!txn->reqs.v[i].usable)
			return false;
		for (j = 0; j < i; j++) {
			if (clash(s, &txn->reqs.v[i], &txn->reqs.v[j]))
				return false;
		}
	}
	return true;
}

/* Requests that make no sense at all: unknown names, values of other types. */
static int refuse_senseless(struct search *s, struct lkc_txn *txn)
{
	size_t i;
	int err;

	if (is_sensible(s, txn))
		return 0;
	err = lkc_txn_prepare(txn);
	if (err && err != LKC_EREJECTED)
		return err;
	err = 0;
	for (i = 0; i < s->n_wants && !err; i++) {
		const struct lkc_request *r = lkc_txn_request(txn, i);
		struct strbuf text = {0};

		if (txn->reqs.v[i].usable && !txn->reqs.v[i].clash)
			continue;
		strbuf_addf(&text, "%s=%s: %s", r->name, r->want, r->reason);
		err = resolve_add_conflict(s, LKC_CONFLICT_REQUEST, r->sym,
					   &text);
	}
	s->out->resolution = LKC_R_IMPOSSIBLE;
	s->out->proved = true;
	return err;
}

static void fix_symbols(const struct search *s, struct formula *f)
{
	size_t i;

	for (i = 0; i < s->opt.n_locked; i++)
		f->fixed[s->opt.locked[i]] = LOCKED;
	for (i = 0; i < s->n_wants; i++)
		f->fixed[s->syms[i]] = REQUESTED;
}

static void demand_request(const struct search *s, struct formula *f,
			   uint32_t i)
{
	const char *want = s->wants[i].value;

	if (type_is_tri(sym_get(s->c->tree, s->syms[i])->type))
		formula_demand(f, s->syms[i], *want == 'y' ? LKC_YES :
			       *want == 'm' ? LKC_MOD : LKC_NO,
			       LKC_CONFLICT_REQUEST, i);
	else
		formula_demand_text(f, s->syms[i], want, i);
}

int resolve_formula(const struct search *s, struct formula *f, bool guarded)
{
	struct sat_limits limits = {
		.steps = s->opt.max_steps, .memory = MEMORY_MAX,
		.stop = s->opt.stop, .stop_data = s->opt.stop_data,
	};
	uint32_t i;
	int err;

	err = formula_init(f, s->c, &limits, guarded);
	if (err)
		return err;
	fix_symbols(s, f);
	for (i = 0; i < s->n_wants && !err; i++)
		err = formula_cone(f, s->syms[i]);
	for (i = 0; i < s->opt.n_locked && !err; i++)
		err = formula_cone(f, s->opt.locked[i]);
	formula_sort(f);
	if (!err)
		err = formula_encode(f);
	for (i = 0; i < s->n_wants && !err; i++) {
		demand_request(s, f, i);
		err = f->err;
	}
	for (i = 0; i < s->opt.n_locked && !err; i++) {
		lkc_sym sym = s->opt.locked[i];

		if (!f->syms[sym].in_cone)
			continue;
		if (type_is_tri(sym_get(s->c->tree, sym)->type))
			formula_demand(f, sym, s->before[sym],
				       LKC_CONFLICT_LOCKED, 0);
		else
			f->inexact |= f->syms[sym].drifts;
		err = f->err;
	}
	return err;
}

/* ---- all ---------------------------------------------------------------- */

static int resolve(struct search *s)
{
	struct lkc_repair answer = {0};
	struct lkc_txn *txn;
	uint32_t i;
	int err;

	err = resolve_begin(s, &txn);
	if (err)
		return err;
	err = refuse_senseless(s, txn);
	if (err || s->out->conflicts.n) {
		lkc_txn_abort(txn);
		return err;
	}
	for (i = 0; i < s->n_wants; i++)
		s->syms[i] = txn->reqs.v[i].pub.sym;
	err = resolve_try(s, NULL, 0, &answer);
	if (err == 1) {
		s->out->resolution = LKC_R_FOUND;
		s->out->proved = true;
		err = vec_push(&s->out->answers, answer) ? 0 : LKC_ENOMEM;
		lkc_txn_abort(txn);
		return err;
	}
	if (!err)
		err = resolve_apply(txn);
	if (!err)
		err = resolve_formula(s, &s->f, false);
	lkc_txn_abort(txn);
	if (!err)
		err = resolve_search(s);
	if (!err && s->out->resolution == LKC_R_IMPOSSIBLE)
		err = resolve_conflict(s);
	return err;
}

static int check_arguments(const struct search *s)
{
	size_t i;

	for (i = 0; i < s->n_wants; i++) {
		if (!s->wants[i].name || !s->wants[i].value)
			return LKC_EINVAL;
	}
	for (i = 0; i < s->opt.n_locked; i++) {
		if (s->opt.locked[i] >= s->c->tree->syms.n)
			return LKC_EINVAL;
	}
	return 0;
}

int lkc_resolve(struct lkc_config *c, const struct lkc_want *wants, size_t n,
		const struct lkc_resolve_options *opt,
		struct lkc_repairs **out)
{
	struct search s = { .c = c, .wants = wants, .n_wants = n };
	uint32_t i;
	int err;

	*out = NULL;
	if (opt)
		s.opt = *opt;
	if (!s.opt.max_answers)
		s.opt.max_answers = ANSWERS_DEFAULT;
	if (!s.opt.max_changes)
		s.opt.max_changes = CHANGES_DEFAULT + 4 * n;
	if (!s.opt.max_steps)
		s.opt.max_steps = STEPS_DEFAULT;
	err = check_arguments(&s);
	if (err)
		return err;
	s.out = calloc(1, sizeof(*s.out));
	s.syms = calloc(n + 1, sizeof(*s.syms));
	s.before = malloc(c->tree->syms.n + 1);
	err = s.out && s.syms && s.before ? 0 : LKC_ENOMEM;
	for (i = 0; i < c->tree->syms.n && !err; i++)
		s.before[i] = c->value[i].tri;
	if (!err)
		err = resolve(&s);
	formula_free(&s.f);
	free(s.syms);
	free(s.before);
	free(s.number);
	free(s.lowered);
	for (i = 0; i < s.counters.n; i++)
		free(s.counters.v[i].out);
	vec_free(&s.counters);
	vec_free(&s.softs);
	vec_free(&s.assumed);
	vec_free(&s.moves);
	if (err) {
		lkc_repairs_free(s.out);
		return err;
	}
	*out = s.out;
	return 0;
}

void lkc_repairs_free(struct lkc_repairs *r)
{
	if (!r)
		return;
	vec_free(&r->answers);
	vec_free(&r->conflicts);
	arena_free(&r->arena);
	free(r);
}

enum lkc_resolution lkc_repairs_resolution(const struct lkc_repairs *r)
{
	return r->resolution;
}

bool lkc_repairs_proved(const struct lkc_repairs *r)
{
	return r->proved;
}

size_t lkc_repairs_count(const struct lkc_repairs *r)
{
	return r->answers.n;
}

const struct lkc_repair *lkc_repairs_get(const struct lkc_repairs *r, size_t i)
{
	return i < r->answers.n ? &r->answers.v[i] : NULL;
}

size_t lkc_repairs_conflicts(const struct lkc_repairs *r)
{
	return r->conflicts.n;
}

const struct lkc_conflict *lkc_repairs_conflict(const struct lkc_repairs *r,
						size_t i)
{
	return i < r->conflicts.n ? &r->conflicts.v[i] : NULL;
}
