/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve - the inside of the search for repairs, shared by its parts
 */
#ifndef LKC_RESOLVE_H
#define LKC_RESOLVE_H

#include "resolve-encode.h"
#include "txn.h"

struct lkc_repairs {
	struct arena arena;
	enum lkc_resolution resolution;
	bool proved;
	struct { VEC(struct lkc_repair); } answers;
	struct { VEC(struct lkc_conflict); } conflicts;
};

/* A further change. */
struct move {
	lkc_sym sym;
	enum lkc_tri to;
};

/* An assumption that costs a change where it is broken. */
struct soft {
	int lit;
	uint32_t counter;	/* it is about, or UINT32_MAX */
	unsigned int at_most;	/* so many of what that counts are broken */
};

struct core_counter {
	int *out;		/* of sat_count() */
	unsigned int max;
};

struct search {
	struct lkc_config *c;
	const struct lkc_want *wants;
	size_t n_wants;
	struct lkc_resolve_options opt;	/* with defaults filled in */
	struct lkc_repairs *out;
	lkc_sym *syms;			/* of the requests */
	uint8_t *before;		/* tristate values, by symbol */
	struct formula f;
	unsigned int least;		/* changes that any answer has */
	struct { VEC(struct soft); } softs;	/* hold of these answers */
	struct { VEC(struct core_counter); } counters;
	unsigned int cap;		/* levels that @number knows */
	int *number;			/* at least this many changes */
	int *lowered;			/* of them, ones that take away */
	struct { VEC(int); } assumed;
	struct { VEC(struct move); } moves;
	unsigned int rejected;		/* models that were not true */
};

/* Begins a transaction with the requests set, not applied. */
int resolve_begin(const struct search *s, struct lkc_txn **txn);
/* Applies all requests of @txn, and evaluates. */
int resolve_apply(struct lkc_txn *txn);
/*
 * The formula of the requests, in a transaction in which they are applied;
 * @s->before must be filled.
 */
int resolve_formula(const struct search *s, struct formula *f, bool guarded);

/* resolve-verify.c */

/*
 * Tries @moves in a transaction: 1 if all holds, 0 if not, or an error. With
 * @answer, fills that in.
 */
int resolve_try(struct search *s, const struct move *moves, uint32_t n,
		struct lkc_repair *answer);
/* The better answer first, as qsort() wants it. */
int resolve_rank(const void *a, const void *b);

/* resolve-search.c: fills in @s->out */
int resolve_search(struct search *s);

/*
 * resolve-core.c: finds @s->least and @s->softs; SAT_YES if so, SAT_NO if there
 * is no answer at all.
 */
enum sat_result resolve_least(struct search *s);

/* resolve-conflict.c: fills in the reasons why there is no answer */
int resolve_conflict(struct search *s);
/* Adds a reason; takes over @text (freed). */
int resolve_add_conflict(struct search *s, enum lkc_conflict_kind kind,
			 lkc_sym sym, struct strbuf *text);

#endif
