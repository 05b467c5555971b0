// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve-cone - all that a symbol's value can depend on
 */
#include <stdlib.h>

#include "resolve-encode.h"

struct cone {
	struct formula *f;
	struct { VEC(lkc_sym); } todo;
	struct { VEC(lkc_expr); } exprs;
};

/* A symbol comes with its whole unit: a choice with all its members. */
static void reach_sym(struct cone *k, lkc_sym sym)
{
	const struct lkc_tree *t = k->f->c->tree;
	uint32_t unit = sym_get(t, sym)->unit;
	const struct symbol *lead;
	uint32_t i;

	if (unit == UINT32_MAX || k->f->syms[sym].in_cone)
		return;
	lead = sym_get(t, t->units[unit]);
	k->f->syms[t->units[unit]].in_cone = true;
	if (!vec_push(&k->f->units, unit) ||
	    !vec_push(&k->todo, t->units[unit]))
		k->f->err = LKC_ENOMEM;
	for (i = 0; i < lead->members.n; i++) {
		lkc_sym m = t->members.v[lead->members.at + i];

		k->f->syms[m].in_cone = true;
		if (!vec_push(&k->todo, m))
			k->f->err = LKC_ENOMEM;
	}
}

static void reach_expr(struct cone *k, lkc_expr e)
{
	const struct lkc_tree *t = k->f->c->tree;

	k->exprs.n = 0;
	if (!vec_push(&k->exprs, e))
		k->f->err = LKC_ENOMEM;
	while (k->exprs.n && !k->f->err) {
		const struct expr *x;

		e = k->exprs.v[--k->exprs.n];
		x = expr_get(t, e);
		/* until the encoder fills this in, it marks what was seen */
		if (k->f->exprs[e].y)
			continue;
		k->f->exprs[e].y = SAT_TRUE;
		switch (x->op) {
		case LKC_OP_SYM:
			reach_sym(k, x->l);
			break;
		case LKC_OP_AND:
		case LKC_OP_OR:
			if (!vec_push(&k->exprs, x->r))
				k->f->err = LKC_ENOMEM;
			/* fallthrough */
		case LKC_OP_NOT:
			if (!vec_push(&k->exprs, x->l))
				k->f->err = LKC_ENOMEM;
			break;
		default:
			reach_sym(k, x->l);
			reach_sym(k, x->r);
			break;
		}
	}
}

static void reach_inputs(struct cone *k, lkc_sym sym)
{
	const struct lkc_tree *t = k->f->c->tree;
	const struct symbol *s = sym_get(t, sym);
	uint32_t i;

	reach_expr(k, s->depends);
	for (i = 0; i < s->props.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_props[s->props.at + i]];

		if (p->kind == PROP_SELECT || p->kind == PROP_IMPLY)
			continue;
		reach_expr(k, p->cond);
		if (p->kind == PROP_DEFAULT)
			reach_expr(k, p->a);
		if (p->kind == PROP_RANGE) {
			reach_sym(k, p->a);
			reach_sym(k, p->b);
		}
	}
	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];

		reach_sym(k, p->sym);
		reach_expr(k, p->cond);
	}
	if (s->type == LKC_TRISTATE && t->modules != LKC_NONE)
		reach_sym(k, t->modules);
}

int formula_cone(struct formula *f, lkc_sym sym)
{
	struct cone k = { .f = f };

	reach_sym(&k, sym);
	while (k.todo.n && !f->err)
		reach_inputs(&k, k.todo.v[--k.todo.n]);
	vec_free(&k.todo);
	vec_free(&k.exprs);
	return f->err;
}

static int unit_order(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void formula_sort(struct formula *f)
{
	if (f->units.n)
		qsort(f->units.v, f->units.n, sizeof(*f->units.v), unit_order);
}
