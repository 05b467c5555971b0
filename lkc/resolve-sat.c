// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve-sat - a propositional solver that cannot take the program down
 *
 * PicoSAT calls abort() when its allocator returns NULL. So ours does not
 * return then: it jumps back to the call that was made, after which the solver
 * is never entered again. All its memory is one arena, so that there is nothing
 * to tidy up in it.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Its header has no directory of its own everywhere. */
#if __has_include(<picosat/picosat.h>)
#include <picosat/picosat.h>
#elif __has_include(<picosat.h>)
#include <picosat.h>
#else
#error "PicoSAT is missing: run make setup, or install picosat(-devel)"
#endif

#include "base/arena.h"
#include "base/vec.h"
#include "resolve-sat.h"

struct sat {
	PicoSAT *pico;
	struct arena arena;
	size_t memory;			/* most that the arena may take */
	jmp_buf nomem;
	bool dead;			/* memory ran out */
	bool full;			/* of what it may take, that is */
	int n_vars;
	struct { VEC(int); } pending;	/* clauses, each ended by 0 */
	bool (*stop)(void *data);
	void *stop_data;
};

/* ---- memory ------------------------------------------------------------- */

static void *pico_alloc(void *data, size_t size)
{
	struct sat *s = data;
	void *p = NULL;

	s->full = s->arena.total > s->memory || size > s->memory;
	if (!s->full)
		p = arena_alloc(&s->arena, size);
	if (!p)
		longjmp(s->nomem, 1);
	return p;
}

static void *pico_resize(void *data, void *old, size_t old_size, size_t size)
{
	void *p;

	if (old && size <= old_size)
		return old;
	p = pico_alloc(data, size);
	if (old)
		memcpy(p, old, old_size);
	return p;
}

static void pico_free(void *data, void *p, size_t size)
{
	(void)data;
	(void)p;
	(void)size;
}

static int pico_stop(void *data)
{
	struct sat *s = data;

	return s->stop(s->stop_data);
}

static bool pico_new(struct sat *s, uint64_t steps)
{
	if (setjmp(s->nomem))
		return false;
	s->pico = picosat_minit(s, pico_alloc, pico_resize, pico_free);
	picosat_set_propagation_limit(s->pico, steps);
	/* what nothing asks for stays as it is: unchanged, off */
	picosat_set_global_default_phase(s->pico, 0);
	if (s->stop)
		picosat_set_interrupt(s->pico, s, pico_stop);
	return true;
}

struct sat *sat_new(const struct sat_limits *limits)
{
	struct sat *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->memory = limits->memory;
	s->stop = limits->stop;
	s->stop_data = limits->stop_data;
	s->n_vars = SAT_TRUE;
	if (!pico_new(s, limits->steps) || !vec_push(&s->pending, SAT_TRUE) ||
	    !vec_push(&s->pending, 0)) {
		sat_free(s);
		return NULL;
	}
	return s;
}

void sat_free(struct sat *s)
{
	if (!s)
		return;
	arena_free(&s->arena);
	vec_free(&s->pending);
	free(s);
}

/* ---- clauses ------------------------------------------------------------ */

int sat_var(struct sat *s)
{
	return ++s->n_vars;
}

void sat_clause(struct sat *s, const int *lits, size_t n)
{
	size_t i;

	if (s->dead || !vec_reserve(&s->pending, n + 1)) {
		s->dead = true;
		return;
	}
	for (i = 0; i < n; i++) {
		if (lits[i] == SAT_TRUE)
			return;
	}
	for (i = 0; i < n; i++) {
		if (lits[i] != SAT_FALSE || n == 1)
			s->pending.v[s->pending.n++] = lits[i];
	}
	s->pending.v[s->pending.n++] = 0;
}

void sat_clause2(struct sat *s, int a, int b)
{
	const int lits[] = { a, b };

	sat_clause(s, lits, 2);
}

void sat_clause3(struct sat *s, int a, int b, int c)
{
	const int lits[] = { a, b, c };

	sat_clause(s, lits, 3);
}

int sat_and(struct sat *s, int *lits, size_t n)
{
	size_t i, kept = 0;
	int g;

	for (i = 0; i < n; i++) {
		if (lits[i] == SAT_FALSE)
			return SAT_FALSE;
		if (lits[i] != SAT_TRUE)
			lits[kept++] = lits[i];
	}
	if (kept < 2)
		return kept ? lits[0] : SAT_TRUE;
	if (kept == 2 && lits[0] == lits[1])
		return lits[0];
	if (kept == 2 && lits[0] == -lits[1])
		return SAT_FALSE;
	g = sat_var(s);
	for (i = 0; i < kept; i++) {
		sat_clause2(s, -g, lits[i]);
		lits[i] = -lits[i];
	}
	if (s->dead || !vec_reserve(&s->pending, kept + 2)) {
		s->dead = true;
		return g;
	}
	s->pending.v[s->pending.n++] = g;
	memcpy(s->pending.v + s->pending.n, lits, kept * sizeof(*lits));
	s->pending.n += kept;
	s->pending.v[s->pending.n++] = 0;
	return g;
}

int sat_and2(struct sat *s, int a, int b)
{
	int lits[] = { a, b };

	return sat_and(s, lits, 2);
}

int sat_or2(struct sat *s, int a, int b)
{
	return -sat_and2(s, -a, -b);
}

int sat_if(struct sat *s, int cond, int a, int b)
{
	if (a == b)
		return a;
	return sat_or2(s, sat_and2(s, cond, a), sat_and2(s, -cond, b));
}

/* ---- solving ------------------------------------------------------------ */

static void hand_over(struct sat *s, const int *assumed, size_t n)
{
	size_t i;

	for (i = 0; i < s->pending.n; i++)
		picosat_add(s->pico, s->pending.v[i]);
	s->pending.n = 0;
	for (i = 0; i < n; i++)
		picosat_assume(s->pico, assumed[i]);
}

enum sat_result sat_solve(struct sat *s, const int *assumed, size_t n)
{
	int res;

	if (!s->dead && setjmp(s->nomem))
		s->dead = true;
	if (s->dead)
		return s->full ? SAT_LIMIT : SAT_NOMEM;
	hand_over(s, assumed, n);
	if (s->stop && s->stop(s->stop_data))
		return SAT_LIMIT;
	res = picosat_sat(s->pico, -1);
	if (res == PICOSAT_SATISFIABLE)
		return SAT_YES;
	return res == PICOSAT_UNSATISFIABLE ? SAT_NO : SAT_LIMIT;
}

bool sat_value(struct sat *s, int lit)
{
	if (lit == SAT_TRUE || lit == SAT_FALSE)
		return lit == SAT_TRUE;
	/* what is in no clause is nothing it knows */
	return abs(lit) <= picosat_variables(s->pico) &&
		picosat_deref(s->pico, lit) > 0;
}

bool sat_failed(struct sat *s, int lit)
{
	/* it may allocate */
	if (s->dead || setjmp(s->nomem)) {
		s->dead = true;
		return true;
	}
	return picosat_failed_assumption(s->pico, lit) != 0;
}

void sat_count(struct sat *s, const int *lits, size_t n, int *out,
	       unsigned int max)
{
	unsigned int j;
	size_t i;

	for (j = 1; j <= max; j++)
		out[j] = SAT_FALSE;
	for (i = 0; i < n; i++) {
		if (lits[i] == SAT_FALSE)
			continue;
		/* from the top, so that out[j - 1] is still without lits[i] */
		for (j = max; j >= 1; j--) {
			int before = j > 1 ? out[j - 1] : SAT_TRUE;
			int now;

			if (before == SAT_FALSE)
				continue;
			now = sat_var(s);
			sat_clause2(s, -out[j], now);
			sat_clause3(s, -before, -lits[i], now);
			out[j] = now;
		}
	}
}
