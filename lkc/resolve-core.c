// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve-core - the least number of changes, from reasons for each
 *
 * At first it is assumed that nothing changes. Each time that cannot be, the
 * solver names a core: assumptions of which one must go. That is one change
 * more in any answer. The core's assumptions are given up for a weaker one: no
 * more than one of them is broken; and so on, until a model is found. Then what
 * is still assumed holds of just those answers that have the least number.
 *
 * Requests that have little to do with each other have cores apart, so many of
 * them take little more than each by itself; bounding the number of all changes
 * would have the solver try all ways to share them out.
 */
#include <stdlib.h>
#include <string.h>

#include "resolve.h"

/* A core larger than this is not followed to its end. */
#define CORE_STEPS_MAX 64
#define TRIMS_MAX 4

static bool add_soft(struct search *s, int lit, uint32_t counter,
		     unsigned int at_most)
{
	struct soft soft = {
		.lit = lit, .counter = counter, .at_most = at_most,
	};

	return vec_push(&s->softs, soft);
}

/* Moves what the contradiction needs to the end of softs: the core's start. */
static uint32_t split_core(struct search *s, uint32_t from)
{
	uint32_t i, n = from;

	for (i = from; i < s->softs.n; i++) {
		struct soft soft = s->softs.v[i];

		if (sat_failed(s->f.sat, soft.lit))
			continue;
		s->softs.v[i] = s->softs.v[n];
		s->softs.v[n++] = soft;
	}
	return n;
}

static enum sat_result solve_from(struct search *s, uint32_t from)
{
	uint32_t i;

	s->assumed.n = 0;
	for (i = from; i < s->softs.n; i++) {
		if (!vec_push(&s->assumed, s->softs.v[i].lit))
			return SAT_NOMEM;
	}
	return sat_solve(s->f.sat, s->assumed.v, s->assumed.n);
}

/* A counter of the broken ones among softs from @from on; its number. */
static bool count_core(struct search *s, uint32_t from, uint32_t *number)
{
	uint32_t n = s->softs.n - from, i;
	struct core_counter k = {
		.max = n < CORE_STEPS_MAX ? n : CORE_STEPS_MAX,
	};
	int *lits = malloc((n + 1) * sizeof(*lits));

	k.out = malloc((k.max + 1) * sizeof(*k.out));
	if (!lits || !k.out || !vec_push(&s->counters, k)) {
		free(lits);
		free(k.out);
		return false;
	}
	for (i = 0; i < n; i++)
		lits[i] = -s->softs.v[from + i].lit;
	sat_count(s->f.sat, lits, n, k.out, k.max);
	free(lits);
	*number = s->counters.n - 1;
	return true;
}

/* Weakens the core, softs from @from on. False when out of memory. */
static bool relax(struct search *s, uint32_t from, bool *lost)
{
	uint32_t n = s->softs.n, i, number;

	if (n - from > 1) {
		if (!count_core(s, from, &number) ||
		    !add_soft(s, -s->counters.v[number].out[2], number, 1))
			return false;
	}
	for (i = from; i < n; i++) {
		struct soft soft = s->softs.v[i];
		const struct core_counter *k;
		unsigned int j = soft.at_most + 1;

		if (soft.counter == UINT32_MAX)
			continue;
		/* no more than one over what was allowed */
		k = &s->counters.v[soft.counter];
		if (j < k->max && k->out[j + 1] != SAT_FALSE &&
		    !add_soft(s, -k->out[j + 1], soft.counter, j))
			return false;
		*lost |= j >= k->max && k->max == CORE_STEPS_MAX;
	}
	/* what was added takes the place of the core */
	memmove(s->softs.v + from, s->softs.v + n,
		(s->softs.n - n) * sizeof(*s->softs.v));
	s->softs.n -= n - from;
	return true;
}

enum sat_result resolve_least(struct search *s)
{
	enum sat_result res;
	bool lost = false;
	uint32_t i, from, before;

	for (i = 0; i < s->f.free.n; i++) {
		int changed = s->f.syms[s->f.free.v[i]].changed;

		if (!add_soft(s, -changed, UINT32_MAX, 0))
			return SAT_NOMEM;
	}
	while ((res = solve_from(s, 0)) == SAT_NO && !lost) {
		from = split_core(s, 0);
		/* a second look often needs less */
		for (i = 0; i < TRIMS_MAX && s->softs.n - from > 1; i++) {
			before = from;
			res = solve_from(s, from);
			if (res != SAT_NO)
				return res == SAT_YES ? SAT_LIMIT : res;
			from = split_core(s, from);
			if (from == before)
				break;
		}
		if (from == s->softs.n)
			return SAT_NO;
		if (!relax(s, from, &lost))
			return SAT_NOMEM;
		if (++s->least > s->opt.max_changes)
			return SAT_LIMIT;
	}
	return lost ? SAT_LIMIT : res;
}
