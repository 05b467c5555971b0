// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve-search - models of the formula with few changes, best ones first
 *
 * The least number of changes comes first (resolve-core.c), then, if that has
 * few answers, the number above. Within a level, those come first that take the
 * least away. What was found is excluded with all that contains it.
 */
#include <stdlib.h>
#include <string.h>

#include "resolve.h"

/* After so many models that the evaluator did not confirm, give up. */
#define REJECTED_MAX 64
/* Beyond this, it is all the same how much is taken away. */
#define LOWERED_MAX 4
/* There is no looking for longer ways than this. */
#define LONGER_MAX 12

static const struct formula_sym *sym_of(const struct search *s, uint32_t i)
{
	return &s->f.syms[s->f.free.v[i]];
}

/* True if symbol @i of the changeable ones would lose by its change. */
static int lowering(struct search *s, uint32_t i)
{
	lkc_sym sym = s->f.free.v[i];
	const struct formula_sym *fs = sym_of(s, i);

	if (sym_get(s->c->tree, sym)->choice != LKC_NONE)
		return fs->changed;
	switch (s->before[sym]) {
	case LKC_YES:
		return sat_and2(s->f.sat, fs->changed, -fs->to.y);
	case LKC_MOD:
		return sat_and2(s->f.sat, fs->changed, -fs->to.m);
	default:
		return SAT_FALSE;
	}
}

/* Lets changes be counted, of all kinds or of those that take away. */
static int count_changes(struct search *s, bool lowered, unsigned int max,
			 int **out)
{
	uint32_t i, n = s->f.free.n;
	int *lits = malloc((n + 1) * sizeof(*lits));

	free(*out);
	*out = malloc((max + 1) * sizeof(**out));
	if (!lits || !*out) {
		free(lits);
		return LKC_ENOMEM;
	}
	for (i = 0; i < n; i++)
		lits[i] = lowered ? lowering(s, i) : sym_of(s, i)->changed;
	sat_count(s->f.sat, lits, n, *out, max);
	free(lits);
	return 0;
}

/* Makes @s->number know numbers up to @k, and more to come. */
static int count_up_to(struct search *s, unsigned int k)
{
	if (k <= s->cap)
		return 0;
	s->cap = k <= 4 ? 4 : k <= 16 ? 16 : s->opt.max_changes;
	return count_changes(s, false, s->cap + 1, &s->number);
}

static int assume(struct search *s, int lit)
{
	return vec_push(&s->assumed, lit) ? 0 : LKC_ENOMEM;
}

static enum sat_result solve(struct search *s)
{
	return sat_solve(s->f.sat, s->assumed.v, s->assumed.n);
}

/* At most @k changes, @l of which take something away. */
static enum sat_result solve_level(struct search *s, unsigned int k,
				   unsigned int l)
{
	uint32_t i;
	int err = 0;

	s->assumed.n = 0;
	if (k > s->least)
		err = assume(s, -s->number[k + 1]);
	for (i = 0; i < s->softs.n && k == s->least && !err; i++)
		err = assume(s, s->softs.v[i].lit);
	if (l < LOWERED_MAX && !err)
		err = assume(s, -s->lowered[l + 1]);
	return err ? SAT_NOMEM : solve(s);
}

static enum lkc_tri model_value(const struct search *s, struct tri_lit v)
{
	return sat_value(s->f.sat, v.y) ? LKC_YES :
	       sat_value(s->f.sat, v.m) ? LKC_MOD : LKC_NO;
}

/* The changes that the model makes. */
static int read_moves(struct search *s)
{
	uint32_t i;

	s->moves.n = 0;
	for (i = 0; i < s->f.free.n; i++) {
		const struct formula_sym *fs = sym_of(s, i);
		struct move m = { .sym = s->f.free.v[i] };

		if (!sat_value(s->f.sat, fs->changed))
			continue;
		m.to = model_value(s, fs->to);
		if (!vec_push(&s->moves, m))
			return LKC_ENOMEM;
	}
	return 0;
}

static int assume_value(struct search *s, struct tri_lit v, enum lkc_tri to)
{
	int err = assume(s, to >= LKC_MOD ? v.m : -v.m);

	return err ? err : assume(s, to == LKC_YES ? v.y : -v.y);
}

/*
 * What a symbol is best changed to, first the best: what is off, to m; what is
 * y, to m as well rather than to n; what is m, to y.
 */
static const enum lkc_tri *preferred(enum lkc_tri before)
{
	static const enum lkc_tri order[][3] = {
		[LKC_NO] = { LKC_MOD, LKC_YES, LKC_NO },
		[LKC_MOD] = { LKC_YES, LKC_NO, LKC_MOD },
		[LKC_YES] = { LKC_MOD, LKC_NO, LKC_YES },
	};

	return order[before];
}

/* Of the moves' values, the best ones that do; the level is assumed. */
static int improve_values(struct search *s)
{
	uint32_t i, j;
	int err = 0;

	for (i = 0; i < s->moves.n && !err; i++)
		err = assume(s, s->f.syms[s->moves.v[i].sym].changed);
	for (i = 0; i < s->moves.n && !err; i++) {
		struct move *m = &s->moves.v[i];
		const struct formula_sym *fs = &s->f.syms[m->sym];
		const enum lkc_tri *best = preferred(s->before[m->sym]);
		uint32_t keep = s->assumed.n;

		if (fs->to.m == fs->to.y)
			continue;
		for (j = 0; best[j] != m->to && !err; j++) {
			s->assumed.n = keep;
			err = assume_value(s, fs->to, best[j]);
			if (!err && solve(s) == SAT_YES) {
				err = read_moves(s);
				break;
			}
		}
		s->assumed.n = keep;
		/* the moves are the same ones, in the same order */
		if (!err)
			err = assume_value(s, fs->to, s->moves.v[i].to);
	}
	return err;
}

/* No answer is to have all these symbols changed. */
static int exclude_set(struct search *s)
{
	uint32_t i;

	s->assumed.n = 0;
	for (i = 0; i < s->moves.n; i++) {
		if (assume(s, -s->f.syms[s->moves.v[i].sym].changed))
			return LKC_ENOMEM;
	}
	sat_clause(s->f.sat, s->assumed.v, s->assumed.n);
	return 0;
}

/* Not just these changes, to just these values. */
static int exclude_model(struct search *s)
{
	uint32_t i, at = 0;
	int err = 0;

	s->assumed.n = 0;
	for (i = 0; i < s->f.free.n && !err; i++) {
		const struct formula_sym *fs = sym_of(s, i);
		const struct move *m =
			at < s->moves.n ? &s->moves.v[at] : NULL;
		struct tri_lit to = fs->to;

		if (!m || m->sym != s->f.free.v[i]) {
			err = assume(s, fs->changed);
			continue;
		}
		at++;
		err = assume(s, -fs->changed);
		if (!err)
			err = assume(s, m->to >= LKC_MOD ? -to.m : to.m);
		if (!err)
			err = assume(s, m->to == LKC_YES ? -to.y : to.y);
	}
	if (!err)
		sat_clause(s->f.sat, s->assumed.v, s->assumed.n);
	s->rejected++;
	return err;
}

/* Takes the model of the level as an answer, if the evaluator agrees. */
static int take_model(struct search *s)
{
	struct lkc_repair answer;
	int err;

	err = read_moves(s);
	if (!err)
		err = improve_values(s);
	if (!err)
		err = resolve_try(s, s->moves.v, s->moves.n, &answer);
	if (err < 0)
		return err;
	if (!err)
		return exclude_model(s);
	if (!vec_push(&s->out->answers, answer))
		return LKC_ENOMEM;
	return exclude_set(s);
}

/*
 * All models with @k changes, up to @pool answers in all. 1: there are no
 * more; 0: a limit was reached.
 */
static int search_level(struct search *s, unsigned int k, size_t pool)
{
	enum sat_result res = solve_level(s, k, LOWERED_MAX);
	unsigned int l = 0;
	int err;

	while (res == SAT_YES) {
		res = solve_level(s, k, l);
		if (res == SAT_YES) {
			err = take_model(s);
			if (err)
				return err;
			if (s->out->answers.n >= pool ||
			    s->rejected > REJECTED_MAX)
				return 0;
		} else if (res == SAT_NO && l < LOWERED_MAX) {
			l++;
			res = SAT_YES;
		}
	}
	if (res == SAT_NOMEM)
		return LKC_ENOMEM;
	return res == SAT_NO;
}

/*
 * The search was cut short: at least the first model's changes, less those
 * that it can do without.
 */
static int fall_back(struct search *s, struct move *moves, uint32_t n)
{
	struct lkc_repair answer;
	uint32_t i = 0;
	int err;

	err = resolve_try(s, moves, n, NULL);
	while (err == 1 && i < n) {
		struct move out = moves[i];

		memmove(moves + i, moves + i + 1, (n - i - 1) * sizeof(*moves));
		err = resolve_try(s, moves, n - 1, NULL);
		if (err == 1) {
			n--;
			continue;
		}
		memmove(moves + i + 1, moves + i, (n - i - 1) * sizeof(*moves));
		moves[i++] = out;
		if (!err)
			err = 1;
	}
	if (err == 1 && n <= s->opt.max_changes)
		err = resolve_try(s, moves, n, &answer);
	else if (err > 0)
		err = 0;
	if (err == 1 && !vec_push(&s->out->answers, answer))
		err = LKC_ENOMEM;
	return err < 0 ? err : 0;
}

static int search_levels(struct search *s)
{
	size_t pool = 2 * s->opt.max_answers + 6;
	size_t last = s->opt.max_changes;
	enum sat_result res = resolve_least(s);
	unsigned int k;
	int err;

	if (res != SAT_YES)
		return res == SAT_NOMEM ? LKC_ENOMEM : 0;
	err = count_changes(s, true, LOWERED_MAX + 1, &s->lowered);
	if (err)
		return err;
	err = search_level(s, s->least, pool);
	for (k = s->least + 1; k <= last && err == 1; k++) {
		/* one level more, for other ways than the shortest */
		if (s->out->answers.n) {
			if (s->out->answers.n >= s->opt.max_answers ||
			    k > LONGER_MAX)
				break;
			last = k;
		}
		err = count_up_to(s, k);
		if (!err)
			err = search_level(s, k, pool);
	}
	return err < 0 ? err : 0;
}

int resolve_search(struct search *s)
{
	struct lkc_repairs *out = s->out;
	enum sat_result res = sat_solve(s->f.sat, NULL, 0);
	struct move *first = NULL;
	uint32_t n = 0;
	int err = 0;

	if (res == SAT_NOMEM)
		return LKC_ENOMEM;
	out->resolution = res == SAT_NO ? LKC_R_IMPOSSIBLE : LKC_R_UNDECIDED;
	out->proved = res == SAT_NO && !s->f.inexact && !s->f.numbers;
	if (res != SAT_YES)
		return 0;
	err = read_moves(s);
	n = s->moves.n;
	if (!err) {
		first = malloc((n + 1) * sizeof(*first));
		err = first ? 0 : LKC_ENOMEM;
	}
	if (!err && n)
		memcpy(first, s->moves.v, n * sizeof(*first));
	if (!err)
		err = search_levels(s);
	if (!err && out->answers.n)
		out->proved = !s->f.inexact && !s->rejected;
	else if (!err)
		err = fall_back(s, first, n);
	free(first);
	if (err)
		return err;
	if (out->answers.n) {
		out->resolution = LKC_R_FOUND;
		qsort(out->answers.v, out->answers.n, sizeof(*out->answers.v),
		      resolve_rank);
	}
	if (out->answers.n > s->opt.max_answers)
		out->answers.n = s->opt.max_answers;
	return 0;
}
