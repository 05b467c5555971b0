// SPDX-License-Identifier: GPL-2.0-only
/*
 * graph - who reads whom, and in which order to evaluate
 *
 * A unit is evaluated at once: a symbol, or a choice together with its
 * members, since which member wins depends on the visibility of all. The
 * order in which units are numbered puts each after all it reads, so that one
 * pass in that order evaluates everything, and a change propagates upwards
 * only.
 *
 * A loop of dependencies is an error, as it is for conf. Two kinds of reading
 * need not count for that: bounds of ranges, and direct dependencies apart from
 * those of prompts and defaults. They are soft: the order honours them only if
 * it can honour all of them, and recursion.c says what conf takes for a loop.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define SOFT (1u << 31)

struct graph {
	struct loader *ld;
	struct lkc_tree *t;
	lkc_sym *lead;			/* the symbol that stands for unit */
	uint32_t n_units;
	uint32_t *first;		/* per unit: its reads in @reads */
	struct { VEC(uint32_t); } reads;	/* symbols, perhaps | SOFT */
	uint32_t *sym_seen;		/* stamp per symbol */
	uint32_t *expr_seen;		/* stamp per expression */
	uint32_t stamp;
	uint32_t loops;			/* from unit to unit */
	uint32_t suspects;		/* in a choice, or by soft reads */
	struct { VEC(lkc_expr); } todo;
};

static void read_sym(struct graph *g, lkc_sym sym, uint32_t soft)
{
	if (g->t->syms.v[sym].unit == UINT32_MAX ||
	    g->sym_seen[sym] == g->stamp)
		return;
	g->sym_seen[sym] = g->stamp;
	if (!vec_push(&g->reads, sym | soft))
		g->ld->err = LKC_ENOMEM;
}

static void read_expr(struct graph *g, lkc_expr e, uint32_t soft)
{
	g->todo.n = 0;
	for (;;) {
		const struct expr *x = &g->t->exprs.v[e];

		if (g->expr_seen[e] != g->stamp) {
			g->expr_seen[e] = g->stamp;
			switch (x->op) {
			case LKC_OP_SYM:
				read_sym(g, x->l, soft);
				break;
			case LKC_OP_AND:
			case LKC_OP_OR:
				if (!vec_push(&g->todo, x->r))
					g->ld->err = LKC_ENOMEM;
				/* fallthrough */
			case LKC_OP_NOT:
				e = x->l;
				continue;
			default:
				read_sym(g, x->l, soft);
				read_sym(g, x->r, soft);
				break;
			}
		}
		if (!g->todo.n)
			return;
		e = g->todo.v[--g->todo.n];
	}
}

/*
 * A choice looks at the visibility of the symbol that its default names; that
 * is one of its members, unless the author erred.
 */
static void read_default(struct graph *g, lkc_sym sym, lkc_expr value)
{
	struct lkc_tree *t = g->t;
	lkc_sym named = expr_get(t, value)->l;

	if (!(t->syms.v[sym].flags & SYMBOL_CHOICE)) {
		read_expr(g, value, 0);
	} else if (expr_get(t, value)->op == LKC_OP_SYM &&
		   t->syms.v[named].choice != sym) {
		t->syms.v[named].flags |= SYMBOL_VIS_READ;
		read_sym(g, named, 0);
	}
}

static void read_props(struct graph *g, lkc_sym sym)
{
	struct lkc_tree *t = g->t;
	const struct symbol *s = &t->syms.v[sym];
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = &t->props.v[t->sym_props[s->props.at + i]];

		if (p->kind == PROP_SELECT || p->kind == PROP_IMPLY)
			continue;
		read_expr(g, p->cond, 0);
		if (p->kind == PROP_DEFAULT)
			read_default(g, sym, p->a);
	}
	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];

		read_sym(g, p->sym, 0);
		read_expr(g, p->cond, 0);
	}
	if (s->type == LKC_TRISTATE && t->modules != LKC_NONE &&
	    t->modules != sym)
		read_sym(g, t->modules, 0);
}

static void read_soft(struct graph *g, lkc_sym sym)
{
	struct lkc_tree *t = g->t;
	const struct symbol *s = &t->syms.v[sym];
	uint32_t i;

	read_expr(g, s->depends, SOFT);
	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = &t->props.v[t->sym_props[s->props.at + i]];

		if (p->kind == PROP_RANGE) {
			read_sym(g, p->a, SOFT);
			read_sym(g, p->b, SOFT);
		}
	}
}

/* The symbols of a unit: a symbol alone, or a choice and its members. */
static uint32_t unit_size(const struct lkc_tree *t, lkc_sym lead)
{
	return 1 + t->syms.v[lead].members.n;
}

static lkc_sym unit_sym(const struct lkc_tree *t, lkc_sym lead, uint32_t i)
{
	return i ? t->members.v[t->syms.v[lead].members.at + i - 1] : lead;
}

static void number_units(struct graph *g)
{
	struct lkc_tree *t = g->t;
	uint32_t i, j;

	for (i = 0; i < t->syms.n; i++) {
		struct symbol *s = &t->syms.v[i];

		/* what is selected takes part in loops, defined or not */
		if ((!(s->flags & (SYMBOL_DEFINED | SYMBOL_CHOICE)) &&
		     !s->reverse.n) || s->choice != LKC_NONE || i <= SYM_Y)
			continue;
		g->lead[g->n_units] = i;
		for (j = 0; j < unit_size(t, i); j++)
			t->syms.v[unit_sym(t, i, j)].unit = g->n_units;
		g->n_units++;
	}
}

/* ---- what a unit reads -------------------------------------------------- */

/*
 * Which member wins follows from the visibility of all. So neither the choice
 * nor a member may depend on a member; members do depend on their choice.
 * @from: the first read of @sym.
 */
static void check_unit_reads(struct graph *g, lkc_sym lead, lkc_sym sym,
			     uint32_t from)
{
	const struct lkc_tree *t = g->t;

	for (; from < g->reads.n; from++) {
		lkc_sym read = g->reads.v[from];

		if (t->syms.v[read].unit == t->syms.v[lead].unit &&
		    (sym == lead || read != lead))
			g->suspects++;
	}
}

static void collect_reads(struct graph *g)
{
	struct lkc_tree *t = g->t;
	uint32_t u, j, from;

	for (u = 0; u < g->n_units && !g->ld->err; u++) {
		lkc_sym lead = g->lead[u];
		bool is_choice = t->syms.v[lead].members.n != 0;

		g->stamp++;
		g->first[u] = g->reads.n;
		for (j = 0; j < unit_size(t, lead); j++) {
			from = g->reads.n;
			read_props(g, unit_sym(t, lead, j));
			if (is_choice)
				check_unit_reads(g, lead, unit_sym(t, lead, j),
						 from);
		}
		for (j = 0; j < unit_size(t, lead); j++)
			read_soft(g, unit_sym(t, lead, j));
	}
	g->first[u] = g->reads.n;
}

/* ---- order ------------------------------------------------------------- */

enum { WHITE, GREY, BLACK };

struct walk {
	uint8_t *colour;
	uint32_t *path;		/* units being visited */
	uint32_t *at;		/* per path element: next read */
	uint32_t n;
	uint32_t *order;	/* units, finished */
	uint32_t done;
	bool soft;		/* soft reads are followed, too */
	bool broken;		/* a hard read could not be honoured */
};

static void walk_push(struct graph *g, struct walk *w, uint32_t unit)
{
	w->colour[unit] = GREY;
	w->path[w->n] = unit;
	w->at[w->n++] = g->first[unit];
}

static void walk_from(struct graph *g, struct walk *w, uint32_t unit)
{
	walk_push(g, w, unit);
	while (w->n && !g->ld->err) {
		uint32_t u = w->path[w->n - 1];
		uint32_t at = w->at[w->n - 1]++;
		uint32_t read, v;

		if (at == g->first[u + 1]) {
			w->colour[u] = BLACK;
			w->order[w->done++] = u;
			w->n--;
			continue;
		}
		read = g->reads.v[at];
		if ((read & SOFT) && !w->soft)
			continue;
		v = g->t->syms.v[read & ~SOFT].unit;
		/* what choices may not read is found already */
		if (v == u && g->t->syms.v[g->lead[u]].members.n)
			continue;
		if (w->colour[v] == WHITE) {
			walk_push(g, w, v);
		} else if (w->colour[v] == GREY && w->soft) {
			w->broken |= !(read & SOFT);
			g->suspects++;
		} else if (w->colour[v] == GREY) {
			g->loops++;
		}
	}
}

/* Renumbers units by @order. */
static void keep_order(struct graph *g, const uint32_t *order)
{
	struct lkc_tree *t = g->t;
	uint32_t i, j;

	for (i = 0; i < g->n_units; i++) {
		lkc_sym lead = g->lead[order[i]];

		t->units[i] = lead;
		for (j = 0; j < unit_size(t, lead); j++)
			t->syms.v[unit_sym(t, lead, j)].unit = i;
	}
	t->n_units = g->n_units;
}

static void walk_all(struct graph *g, struct walk *w, bool soft)
{
	uint32_t i;

	memset(w->colour, WHITE, g->n_units);
	w->done = 0;
	w->soft = soft;
	for (i = 0; i < g->n_units; i++) {
		if (w->colour[i] == WHITE)
			walk_from(g, w, i);
	}
}

/*
 * What is read within a choice, or closes a loop by a soft read, is a fault if
 * conf takes it for one; what is read from unit to unit is one in any case.
 */
static void report_loops(struct graph *g)
{
	uint32_t n;

	if (!g->loops && !g->suspects)
		return;
	n = recursion_report(g->ld);
	if (g->loops && !n)
		build_diag(g->ld, LKC_ERROR, DIAG_RECURSIVE_DEPENDENCY,
			   DIAG_BARE, NO_SPAN,
			   "error: recursive dependency detected!");
	if (!g->ld->err && (g->loops || n))
		g->ld->err = LKC_EPARSE;
}

/*
 * The first walk finds the loops; the second also takes soft reads into
 * account, and counts if they close no loop.
 */
static void order_units(struct graph *g)
{
	struct walk w = {0};
	uint32_t n = g->n_units + 1;

	w.colour = malloc(n);
	w.path = malloc(n * sizeof(*w.path));
	w.at = malloc(n * sizeof(*w.at));
	w.order = malloc(n * sizeof(*w.order));
	g->t->units = malloc(n * sizeof(*g->t->units));
	if (!w.colour || !w.path || !w.at || !w.order || !g->t->units)
		g->ld->err = LKC_ENOMEM;
	if (!g->ld->err)
		walk_all(g, &w, false);
	if (!g->ld->err)
		walk_all(g, &w, true);
	if (!g->ld->err)
		report_loops(g);
	if (!g->ld->err && w.broken)
		walk_all(g, &w, false);
	if (!g->ld->err)
		keep_order(g, w.order);
	free(w.colour);
	free(w.path);
	free(w.at);
	free(w.order);
}

/* Who must be looked at again when a symbol changes. */
static void index_readers(struct graph *g)
{
	struct lkc_tree *t = g->t;
	uint32_t i, u, at = 0;

	t->readers = malloc((g->reads.n + 1) * sizeof(*t->readers));
	if (!t->readers) {
		g->ld->err = LKC_ENOMEM;
		return;
	}
	for (i = 0; i < g->reads.n; i++)
		t->syms.v[g->reads.v[i] & ~SOFT].readers.n++;
	for (i = 0; i < t->syms.n; i++) {
		t->syms.v[i].readers.at = at;
		at += t->syms.v[i].readers.n;
		t->syms.v[i].readers.n = 0;
	}
	for (u = 0; u < g->n_units; u++) {
		uint32_t now = t->syms.v[g->lead[u]].unit;

		for (i = g->first[u]; i < g->first[u + 1]; i++) {
			struct symbol *s = &t->syms.v[g->reads.v[i] & ~SOFT];

			if (s->unit != now)
				t->readers[s->readers.at + s->readers.n++] =
					now;
		}
	}
}

void graph_build(struct loader *ld)
{
	struct lkc_tree *t = ld->tree;
	struct graph g = { .ld = ld, .t = t };

	g.lead = malloc((t->syms.n + 1) * sizeof(*g.lead));
	g.first = malloc((t->syms.n + 2) * sizeof(*g.first));
	g.sym_seen = calloc(t->syms.n + 1, sizeof(*g.sym_seen));
	g.expr_seen = calloc(t->exprs.n + 1, sizeof(*g.expr_seen));
	if (!g.lead || !g.first || !g.sym_seen || !g.expr_seen)
		ld->err = LKC_ENOMEM;
	if (!ld->err) {
		number_units(&g);
		collect_reads(&g);
	}
	if (!ld->err)
		order_units(&g);
	if (!ld->err)
		index_readers(&g);
	free(g.lead);
	free(g.first);
	free(g.sym_seen);
	free(g.expr_seen);
	vec_free(&g.reads);
	vec_free(&g.todo);
}
