/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve-sat - a propositional solver that cannot take the program down
 *
 * Variables count from 1; a literal is a variable or its negation. Clauses are
 * collected and handed over when they are needed. Failure is sticky: once
 * memory has run out, additions do nothing and sat_solve() says so.
 */
#ifndef LKC_RESOLVE_SAT_H
#define LKC_RESOLVE_SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sat;

/* Variable 1 is true. */
#define SAT_TRUE 1
#define SAT_FALSE (-1)

struct sat_limits {
	uint64_t steps;		/* propagations, over the solver's life */
	size_t memory;		/* bytes */
	bool (*stop)(void *data);	/* or NULL: asked now and then */
	void *stop_data;
};

enum sat_result {
	SAT_YES,
	SAT_NO,
	SAT_LIMIT,	/* a limit was reached first */
	SAT_NOMEM,
};

/* A solver without clauses, or NULL when out of memory. */
struct sat *sat_new(const struct sat_limits *limits);
void sat_free(struct sat *s);
/* A new variable. */
int sat_var(struct sat *s);
void sat_clause(struct sat *s, const int *lits, size_t n);
/* Clauses of two and three literals. */
void sat_clause2(struct sat *s, int a, int b);
void sat_clause3(struct sat *s, int a, int b, int c);
/* A literal that equals the conjunction of @lits, which are reordered. */
int sat_and(struct sat *s, int *lits, size_t n);
int sat_and2(struct sat *s, int a, int b);
int sat_or2(struct sat *s, int a, int b);
/* @a if @cond, else @b. */
int sat_if(struct sat *s, int cond, int a, int b);
/* Solves under @assumed, which hold for this call only. */
enum sat_result sat_solve(struct sat *s, const int *assumed, size_t n);
/* After SAT_YES: is @lit true? */
bool sat_value(struct sat *s, int lit);
/* After SAT_NO: had assumption @lit a part in it? */
bool sat_failed(struct sat *s, int lit);

/*
 * Fills @out[1..max] with literals such that @out[j] must be true where at
 * least j of the @n literals are; @out[j] for j > @n is SAT_FALSE.
 */
void sat_count(struct sat *s, const int *lits, size_t n, int *out,
	       unsigned int max);

#endif
