// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve-encode - the rules of eval.c as clauses
 *
 * Units are encoded in the order in which they are evaluated, so that what a
 * rule reads has its literals already; and what cannot change comes out as a
 * constant, which keeps the formula small.
 */
#include <stdlib.h>
#include <string.h>

#include "resolve-encode.h"

int formula_init(struct formula *f, const struct lkc_config *c,
		 const struct sat_limits *limits, bool guarded)
{
	const struct lkc_tree *t = c->tree;

	*f = (struct formula){ .c = c, .guarded = guarded };
	f->sat = sat_new(limits);
	f->syms = calloc(t->syms.n + 1, sizeof(*f->syms));
	f->exprs = calloc(t->exprs.n + 1, sizeof(*f->exprs));
	f->fixed = calloc(t->syms.n + 1, 1);
	if (f->sat && f->syms && f->exprs && f->fixed)
		return 0;
	formula_free(f);
	return LKC_ENOMEM;
}

void formula_free(struct formula *f)
{
	sat_free(f->sat);
	free(f->syms);
	free(f->exprs);
	free(f->fixed);
	vec_free(&f->units);
	vec_free(&f->free);
	vec_free(&f->guards);
	vec_free(&f->lits);
	*f = (struct formula){0};
}

/* ---- tristate logic ----------------------------------------------------- */

struct tri_lit formula_const(enum lkc_tri v)
{
	return (struct tri_lit){
		v >= LKC_MOD ? SAT_TRUE : SAT_FALSE,
		v == LKC_YES ? SAT_TRUE : SAT_FALSE,
	};
}

static bool is_const(struct tri_lit v)
{
	return abs(v.m) == SAT_TRUE && abs(v.y) == SAT_TRUE;
}

static struct tri_lit tri_not(struct tri_lit v)
{
	return (struct tri_lit){ -v.y, -v.m };
}

struct tri_lit formula_and(struct formula *f, struct tri_lit a,
			   struct tri_lit b)
{
	struct tri_lit v;

	v.m = sat_and2(f->sat, a.m, b.m);
	v.y = a.m == a.y && b.m == b.y ? v.m : sat_and2(f->sat, a.y, b.y);
	return v;
}

struct tri_lit formula_or(struct formula *f, struct tri_lit a,
			  struct tri_lit b)
{
	return tri_not(formula_and(f, tri_not(a), tri_not(b)));
}

struct tri_lit formula_if(struct formula *f, int cond, struct tri_lit a,
			  struct tri_lit b)
{
	struct tri_lit v;

	v.m = sat_if(f->sat, cond, a.m, b.m);
	v.y = a.m == a.y && b.m == b.y ? v.m : sat_if(f->sat, cond, a.y, b.y);
	return v;
}

/* ---- symbols ------------------------------------------------------------ */

/* True: m exists, for @sym. */
static int has_m(struct formula *f, lkc_sym sym)
{
	lkc_sym modules = f->c->tree->modules;

	if (sym_get(f->c->tree, sym)->type != LKC_TRISTATE ||
	    modules == LKC_NONE)
		return SAT_FALSE;
	if (modules == sym)
		return eval_modules(f->c) ? SAT_TRUE : SAT_FALSE;
	return f->syms[modules].v.m ? f->syms[modules].v.m : SAT_FALSE;
}

struct tri_lit formula_raise(struct formula *f, lkc_sym sym, struct tri_lit v)
{
	if (v.m != v.y)
		v.y = sat_or2(f->sat, v.y,
			      sat_and2(f->sat, v.m, -has_m(f, sym)));
	return v;
}

/* Two new variables of which y implies m. */
static struct tri_lit fresh(struct formula *f, lkc_sym sym)
{
	struct tri_lit v = { .m = sat_var(f->sat) };

	v.y = v.m;
	if (sym_get(f->c->tree, sym)->type == LKC_TRISTATE) {
		v.y = sat_var(f->sat);
		sat_clause2(f->sat, -v.y, v.m);
	}
	return v;
}

static struct tri_lit sym_value(struct formula *f, lkc_sym sym)
{
	if (!f->syms[sym].in_cone ||
	    !type_is_tri(sym_get(f->c->tree, sym)->type))
		return formula_const(f->c->value[sym].tri);
	/* read before it is evaluated: what graph.c lets yield */
	if (!f->syms[sym].v.m)
		f->syms[sym].v = fresh(f, sym);
	return f->syms[sym].v;
}

static void imply_lit(struct formula *f, int guard, int a, int b)
{
	if (a != b)
		sat_clause3(f->sat, -guard, -a, b);
}

void formula_define(struct formula *f, lkc_sym sym, struct tri_lit v,
		    enum lkc_conflict_kind below, enum lkc_conflict_kind above)
{
	struct tri_lit *own = &f->syms[sym].v;
	int up, down;

	if (!own->m && !f->guarded) {
		*own = v;
		return;
	}
	if (!own->m)
		*own = fresh(f, sym);
	up = formula_guard(f, below, sym, 0);
	down = formula_guard(f, above, sym, 0);
	imply_lit(f, up, own->m, v.m);
	imply_lit(f, up, own->y, v.y);
	imply_lit(f, down, v.m, own->m);
	imply_lit(f, down, v.y, own->y);
}

/* ---- expressions -------------------------------------------------------- */

static bool is_tri(const struct formula *f, lkc_sym sym)
{
	return type_is_tri(sym_get(f->c->tree, sym)->type);
}

static int same_lit(struct formula *f, int a, int b)
{
	return sat_if(f->sat, a, b, -b);
}

/* @sym is read as if it could not change. */
static void note_number(struct formula *f, lkc_sym sym)
{
	f->numbers |= f->syms[sym].tunable;
	f->inexact |= f->syms[sym].drifts ||
		(is_tri(f, sym) && !is_const(sym_value(f, sym)));
}

static struct tri_lit compare(struct formula *f, lkc_expr e)
{
	const struct expr *x = expr_get(f->c->tree, e);
	struct tri_lit l, r;
	int lit;

	if (!is_tri(f, x->l) || !is_tri(f, x->r)) {
		note_number(f, x->l);
		note_number(f, x->r);
		return formula_const(eval_expr(f->c, e));
	}
	l = sym_value(f, x->l);
	r = sym_value(f, x->r);
	if (x->op == LKC_OP_EQ || x->op == LKC_OP_NE) {
		lit = sat_and2(f->sat, same_lit(f, l.m, r.m),
			       same_lit(f, l.y, r.y));
		if (x->op == LKC_OP_NE)
			lit = -lit;
		return (struct tri_lit){ lit, lit };
	}
	if (x->op == LKC_OP_GT || x->op == LKC_OP_LE) {
		struct tri_lit swap = l;

		l = r;
		r = swap;
	}
	/* l < r: some step that r takes and l does not */
	lit = sat_or2(f->sat, sat_and2(f->sat, -l.m, r.m),
		      sat_and2(f->sat, -l.y, r.y));
	if (x->op == LKC_OP_LE || x->op == LKC_OP_GE)
		lit = -lit;
	return (struct tri_lit){ lit, lit };
}

/* A chain of one operator: one gate over all its terms. */
static struct tri_lit chain(struct formula *f, lkc_expr e)
{
	const struct lkc_tree *t = f->c->tree;
	enum lkc_op op = expr_get(t, e)->op;
	uint32_t at = f->lits.n, n = 0, i;
	struct tri_lit v;
	bool two = false;

	for (;;) {
		const struct expr *x = expr_get(t, e);

		v = formula_expr(f, x->op == op ? x->r : e);
		if (op == LKC_OP_OR)
			v = tri_not(v);
		if (!vec_reserve(&f->lits, 2)) {
			f->err = LKC_ENOMEM;
			break;
		}
		f->lits.v[f->lits.n++] = v.m;
		f->lits.v[f->lits.n++] = v.y;
		two |= v.m != v.y;
		n++;
		if (x->op != op || (v.m == SAT_FALSE && v.y == SAT_FALSE))
			break;
		e = x->l;
	}
	/* from pairs to two rows; sat_and() takes them apart */
	if (!vec_reserve(&f->lits, n)) {
		f->err = LKC_ENOMEM;
		f->lits.n = at;
		return formula_const(LKC_NO);
	}
	for (i = 0; i < n; i++)
		f->lits.v[at + 2 * n + i] = f->lits.v[at + 2 * i + 1];
	for (i = 0; i < n; i++)
		f->lits.v[at + i] = f->lits.v[at + 2 * i];
	v.m = sat_and(f->sat, f->lits.v + at, n);
	v.y = two ? sat_and(f->sat, f->lits.v + at + 2 * n, n) : v.m;
	f->lits.n = at;
	return op == LKC_OP_OR ? tri_not(v) : v;
}

struct tri_lit formula_expr(struct formula *f, lkc_expr e)
{
	const struct expr *x = expr_get(f->c->tree, e);
	struct tri_lit v;

	/* the cone's marks have no m */
	if (f->exprs[e].m)
		return f->exprs[e];
	switch (x->op) {
	case LKC_OP_SYM:
		v = sym_value(f, x->l);
		break;
	case LKC_OP_NOT:
		v = tri_not(formula_expr(f, x->l));
		break;
	case LKC_OP_AND:
	case LKC_OP_OR:
		v = chain(f, e);
		break;
	default:
		v = compare(f, e);
		break;
	}
	f->exprs[e] = v;
	return v;
}

/* ---- inputs of a symbol ------------------------------------------------- */

static const struct prop *prop_of(const struct lkc_tree *t,
				  const struct symbol *s, uint32_t i)
{
	return &t->props.v[t->sym_props[s->props.at + i]];
}

struct tri_lit formula_visibility(struct formula *f, lkc_sym sym)
{
	const struct lkc_tree *t = f->c->tree;
	const struct symbol *s = sym_get(t, sym);
	struct tri_lit v = formula_const(LKC_NO);
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = prop_of(t, s, i);
		struct tri_lit one;

		if (p->kind != PROP_PROMPT)
			continue;
		one = formula_expr(f, p->cond);
		if (s->choice != LKC_NONE && s->type == LKC_TRISTATE &&
		    one.m != one.y)
			one.m = sat_if(f->sat, f->syms[s->choice].v.y, one.y,
				       one.m);
		v = formula_or(f, v, one);
	}
	return formula_raise(f, sym, v);
}

struct tri_lit formula_reverse(struct formula *f, lkc_sym sym,
			       enum prop_kind kind)
{
	const struct lkc_tree *t = f->c->tree;
	const struct symbol *s = sym_get(t, sym);
	struct tri_lit v = formula_const(LKC_NO), one;
	uint32_t i, n = 0, at = f->lits.n;

	if (!vec_reserve(&f->lits, 2 * s->reverse.n + 2)) {
		f->err = LKC_ENOMEM;
		return v;
	}
	f->lits.n += 2 * s->reverse.n;
	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];

		if (p->kind != kind)
			continue;
		one = formula_and(f, sym_value(f, p->sym),
				  formula_expr(f, p->cond));
		f->lits.v[at + n] = -one.m;
		f->lits.v[at + s->reverse.n + n] = -one.y;
		n++;
	}
	v.m = -sat_and(f->sat, f->lits.v + at, n);
	v.y = -sat_and(f->sat, f->lits.v + at + s->reverse.n, n);
	f->lits.n = at;
	return formula_raise(f, sym, v);
}

static bool has_reverse(const struct formula *f, lkc_sym sym,
			enum prop_kind kind)
{
	const struct lkc_tree *t = f->c->tree;
	const struct symbol *s = sym_get(t, sym);
	uint32_t i;

	/* selecting a member of a choice has no effect */
	for (i = 0; i < s->reverse.n && s->choice == LKC_NONE; i++) {
		if (t->props.v[t->sym_reverse[s->reverse.at + i]].kind == kind)
			return true;
	}
	return false;
}

/* The first active default, limited by implies. */
static struct tri_lit default_value(struct formula *f, lkc_sym sym)
{
	const struct lkc_tree *t = f->c->tree;
	const struct symbol *s = sym_get(t, sym);
	struct tri_lit v = formula_const(LKC_NO), implied;
	uint32_t i;

	for (i = s->props.n; i-- > 0;) {
		const struct prop *p = prop_of(t, s, i);
		struct tri_lit cond;

		if (p->kind != PROP_DEFAULT)
			continue;
		cond = formula_expr(f, p->cond);
		if (cond.m == SAT_FALSE)
			continue;
		v = formula_if(f, cond.m,
			       formula_and(f, formula_expr(f, p->a), cond), v);
	}
	if (!has_reverse(f, sym, PROP_IMPLY))
		return v;
	implied = formula_reverse(f, sym, PROP_IMPLY);
	if (implied.m == SAT_FALSE)
		return v;
	return formula_if(f, implied.m,
			  formula_and(f, formula_or(f, v, implied),
				      formula_raise(f, sym,
						    formula_expr(f,
								 s->depends))),
			  v);
}

struct tri_lit formula_unchanged(struct formula *f, lkc_sym sym)
{
	const struct user *u = &f->c->user[sym];
	struct tri_lit vis = f->syms[sym].vis;
	struct tri_lit v = formula_const(LKC_NO);

	if (!u->set || vis.m != SAT_TRUE)
		v = default_value(f, sym);
	if (u->set && vis.m != SAT_FALSE)
		v = formula_if(f, vis.m,
			       formula_and(f, vis, formula_const(u->tri)), v);
	if (has_reverse(f, sym, PROP_SELECT))
		v = formula_or(f, v, formula_reverse(f, sym, PROP_SELECT));
	return formula_raise(f, sym, v);
}

bool formula_changeable(const struct formula *f, lkc_sym sym)
{
	const struct symbol *s = sym_get(f->c->tree, sym);

	return !f->fixed[sym] && (s->flags & SYMBOL_DEFINED) &&
		!(s->flags & SYMBOL_TRANSITIONAL) && type_is_tri(s->type) &&
		f->syms[sym].vis.m != SAT_FALSE;
}

/*
 * A changed user value is one that holds: where it would be cut at the
 * visibility or lifted by a select, the value that comes of it could have been
 * asked for at once.
 */
static struct tri_lit changed_value(struct formula *f, lkc_sym sym)
{
	struct formula_sym *fs = &f->syms[sym];
	struct tri_lit sel = formula_const(LKC_NO);
	struct sat *s = f->sat;

	fs->changed = sat_var(s);
	fs->to = fresh(f, sym);
	if (!vec_push(&f->free, sym))
		f->err = LKC_ENOMEM;
	sat_clause2(s, -fs->changed, fs->vis.m);
	sat_clause3(s, -fs->changed, -fs->to.y, fs->vis.y);
	if (has_reverse(f, sym, PROP_SELECT))
		sel = formula_reverse(f, sym, PROP_SELECT);
	sat_clause3(s, -fs->changed, -sel.m, fs->to.m);
	sat_clause3(s, -fs->changed, -sel.y, fs->to.y);
	if (fs->to.m != fs->to.y)
		sat_clause3(s, -fs->to.m, fs->to.y, has_m(f, sym));
	/* nothing to decide where nothing is changed */
	sat_clause2(s, fs->changed, -fs->to.m);
	return fs->to;
}

static void encode_tri(struct formula *f, lkc_sym sym)
{
	struct tri_lit v;

	f->syms[sym].vis = formula_visibility(f, sym);
	v = formula_unchanged(f, sym);
	if (formula_changeable(f, sym)) {
		struct tri_lit to = changed_value(f, sym);

		v = formula_if(f, f->syms[sym].changed, to, v);
	}
	formula_define(f, sym, v, LKC_CONFLICT_LIMIT, LKC_CONFLICT_FLOOR);
}

static void follow(struct formula_sym *fs, const struct formula_sym *read)
{
	fs->drifts |= read->drifts;
	fs->tunable |= read->tunable;
}

/* Do defaults (or ranges) of @sym make it change, or tunable? */
static void follow_props(struct formula *f, lkc_sym sym, enum prop_kind kind)
{
	const struct lkc_tree *t = f->c->tree;
	const struct symbol *s = sym_get(t, sym);
	struct formula_sym *fs = &f->syms[sym];
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = prop_of(t, s, i);
		int cond;

		if (p->kind != kind)
			continue;
		cond = formula_expr(f, p->cond).m;
		if (cond == SAT_FALSE)
			continue;
		if (kind == PROP_RANGE) {
			follow(fs, &f->syms[p->a]);
			follow(fs, &f->syms[p->b]);
		} else if (expr_get(t, p->a)->op == LKC_OP_SYM) {
			follow(fs, &f->syms[expr_get(t, p->a)->l]);
		}
		/* the first active one decides */
		if (cond == SAT_TRUE)
			return;
		fs->drifts = true;
	}
}

/* A number or string is taken as it is, with a note if it may be otherwise. */
static void encode_text(struct formula *f, lkc_sym sym)
{
	struct formula_sym *fs = &f->syms[sym];
	bool set = f->c->user[sym].set;

	fs->vis = formula_visibility(f, sym);
	fs->tunable = fs->vis.m != SAT_FALSE && f->fixed[sym] == FREE;
	fs->drifts = abs(fs->vis.m) != SAT_TRUE && set;
	if (!set || fs->vis.m != SAT_TRUE)
		follow_props(f, sym, PROP_DEFAULT);
	follow_props(f, sym, PROP_RANGE);
}

int formula_encode(struct formula *f)
{
	const struct lkc_tree *t = f->c->tree;
	uint32_t i;

	for (i = 0; i < f->units.n && !f->err; i++) {
		lkc_sym sym = t->units[f->units.v[i]];
		const struct symbol *s = sym_get(t, sym);

		if (s->flags & SYMBOL_CHOICE)
			formula_choice(f, sym);
		else if (type_is_tri(s->type))
			encode_tri(f, sym);
		else if (s->type != LKC_UNKNOWN)
			encode_text(f, sym);
	}
	return f->err;
}

/* ---- demands ------------------------------------------------------------ */

void formula_demand(struct formula *f, lkc_sym sym, enum lkc_tri v,
		    enum lkc_conflict_kind kind, uint32_t request)
{
	struct tri_lit is = sym_value(f, sym);
	int guard = formula_guard(f, kind, sym, request);

	sat_clause2(f->sat, -guard, v >= LKC_MOD ? is.m : -is.m);
	sat_clause2(f->sat, -guard, v == LKC_YES ? is.y : -is.y);
}

static bool in_range(const struct formula *f, lkc_sym sym, const char *value,
		     const struct prop *range)
{
	enum lkc_type type = sym_get(f->c->tree, sym)->type;
	int64_t v = strtoll(value, NULL, type == LKC_HEX ? 16 : 10);

	return v >= eval_bound(f->c, sym, range->a) &&
		v <= eval_bound(f->c, sym, range->b);
}

/* True where the first active range, if any, lets @want through. */
static int range_admits(struct formula *f, lkc_sym sym, const char *want)
{
	const struct lkc_tree *t = f->c->tree;
	const struct symbol *s = sym_get(t, sym);
	int ok = SAT_TRUE;
	uint32_t i;

	if (s->type == LKC_STRING)
		return ok;
	for (i = s->props.n; i-- > 0;) {
		const struct prop *p = prop_of(t, s, i);

		if (p->kind != PROP_RANGE)
			continue;
		note_number(f, p->a);
		note_number(f, p->b);
		ok = sat_if(f->sat, formula_expr(f, p->cond).m,
			    in_range(f, sym, want, p) ? SAT_TRUE : SAT_FALSE,
			    ok);
	}
	return ok;
}

/* True where the first active default is @want. */
static int default_is(struct formula *f, lkc_sym sym, const char *want)
{
	const struct lkc_tree *t = f->c->tree;
	const struct symbol *s = sym_get(t, sym);
	int ok = strcmp(eval_empty(t, s->type), want) == 0 ? SAT_TRUE :
		SAT_FALSE;
	uint32_t i;

	for (i = s->props.n; i-- > 0;) {
		const struct prop *p = prop_of(t, s, i);
		bool same;

		if (p->kind != PROP_DEFAULT)
			continue;
		same = expr_get(t, p->a)->op == LKC_OP_SYM &&
			strcmp(eval_string(f->c, expr_get(t, p->a)->l),
			       want) == 0;
		if (expr_get(t, p->a)->op == LKC_OP_SYM)
			note_number(f, expr_get(t, p->a)->l);
		ok = sat_if(f->sat, formula_expr(f, p->cond).m,
			    same ? SAT_TRUE : SAT_FALSE, ok);
	}
	return ok;
}

void formula_demand_text(struct formula *f, lkc_sym sym, const char *want,
			 uint32_t request)
{
	int guard = formula_guard(f, LKC_CONFLICT_REQUEST, sym, request);
	int vis = f->syms[sym].vis.m;
	int shown = formula_guard(f, LKC_CONFLICT_LIMIT, sym, request);
	int range = formula_guard(f, LKC_CONFLICT_RANGE, sym, request);
	int sees;

	/*
	 * Visible, the user's value holds if the range lets it; else the
	 * default must be the same by chance.
	 */
	sees = f->guarded ? sat_var(f->sat) :
		sat_or2(f->sat, vis, default_is(f, sym, want));
	if (f->guarded)
		imply_lit(f, shown, sees,
			  sat_or2(f->sat, vis, default_is(f, sym, want)));
	sat_clause2(f->sat, -guard, sees);
	sat_clause3(f->sat, -guard, -range, range_admits(f, sym, want));
}
