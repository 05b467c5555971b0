/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve-encode - a part of a configuration as a propositional formula
 *
 * The formula says which values follow from which user values, for the cone:
 * all symbols that the requested ones' values can depend on. Its models are
 * configurations that differ from the present one in some user values.
 *
 * A tristate value is two literals: at least m, and y. Numbers and strings are
 * no variables; what compares them is taken as it is in the configuration.
 */
#ifndef LKC_RESOLVE_ENCODE_H
#define LKC_RESOLVE_ENCODE_H

#include "config.h"
#include "resolve-sat.h"

/* A zeroed one is none. */
struct tri_lit {
	int m;		/* at least m */
	int y;
};

struct formula_sym {
	struct tri_lit v;	/* its value */
	struct tri_lit vis;
	struct tri_lit to;	/* the user's value, if changed */
	int changed;		/* the user's value is; 0, SAT_FALSE: never */
	bool in_cone;
	bool drifts;		/* a number or string that follows changes */
	bool tunable;		/* or that a person could change */
};

/* What a guard literal switches on: see lkc_conflict_kind. */
struct guard {
	int lit;
	enum lkc_conflict_kind kind;
	lkc_sym sym;
	uint32_t request;
};

struct formula {
	const struct lkc_config *c;
	struct sat *sat;
	struct formula_sym *syms;	/* by symbol */
	struct tri_lit *exprs;		/* by expression, once encoded */
	uint8_t *fixed;			/* by symbol: FREE or why not */
	struct { VEC(uint32_t); } units;	/* of the cone, in order */
	struct { VEC(lkc_sym); } free;	/* symbols that may be changed */
	struct { VEC(struct guard); } guards;
	struct { VEC(int); } lits;	/* scratch, used as a stack */
	bool guarded;
	bool inexact;	/* a comparison may turn out otherwise */
	bool numbers;	/* or would, were a number or string changed */
	int err;
};

/* Why a user value stays. */
enum { FREE, REQUESTED, LOCKED };

/* An empty formula over @c; @guarded: each rule can be switched off. */
int formula_init(struct formula *f, const struct lkc_config *c,
		 const struct sat_limits *limits, bool guarded);
void formula_free(struct formula *f);
/* Adds @sym and all it depends on to the cone (resolve-cone.c). */
int formula_cone(struct formula *f, lkc_sym sym);
/* Puts the units of the cone into the order of evaluation. */
void formula_sort(struct formula *f);
/* Encodes the cone: @f->fixed must be filled. */
int formula_encode(struct formula *f);
/* Demands that @sym be @v, or what it has as request @i of @want. */
void formula_demand(struct formula *f, lkc_sym sym, enum lkc_tri v,
		    enum lkc_conflict_kind kind, uint32_t request);
/* The same of an int, hex or string, whose user value is @want. */
void formula_demand_text(struct formula *f, lkc_sym sym, const char *want,
			 uint32_t request);

/* ---- between resolve-encode.c and resolve-choice.c ---------------------- */

struct tri_lit formula_expr(struct formula *f, lkc_expr e);
struct tri_lit formula_const(enum lkc_tri v);
struct tri_lit formula_or(struct formula *f, struct tri_lit a,
			  struct tri_lit b);
struct tri_lit formula_and(struct formula *f, struct tri_lit a,
			   struct tri_lit b);
struct tri_lit formula_if(struct formula *f, int cond, struct tri_lit a,
			  struct tri_lit b);
/* m becomes y where there is no m. */
struct tri_lit formula_raise(struct formula *f, lkc_sym sym,
			     struct tri_lit v);
/* The upper limit of a user value. */
struct tri_lit formula_visibility(struct formula *f, lkc_sym sym);
/* What selects, or implies, make of @sym. */
struct tri_lit formula_reverse(struct formula *f, lkc_sym sym,
			       enum prop_kind kind);
/* The value by the common rules, the user's value being unchanged. */
struct tri_lit formula_unchanged(struct formula *f, lkc_sym sym);
/* Gives @sym the value @v, by a rule of @kind. */
void formula_define(struct formula *f, lkc_sym sym, struct tri_lit v,
		    enum lkc_conflict_kind below,
		    enum lkc_conflict_kind above);
/* True if the user's value of @sym may be changed at all. */
bool formula_changeable(const struct formula *f, lkc_sym sym);

/* resolve-choice.c: a choice and its members */
void formula_choice(struct formula *f, lkc_sym choice);

static inline int formula_guard(struct formula *f, enum lkc_conflict_kind kind,
				lkc_sym sym, uint32_t request)
{
	struct guard g = { .kind = kind, .sym = sym, .request = request };

	if (!f->guarded)
		return SAT_TRUE;
	g.lit = sat_var(f->sat);
	if (!vec_push(&f->guards, g))
		f->err = LKC_ENOMEM;
	return g.lit;
}

#endif
