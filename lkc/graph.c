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
 * do not count for that, as they do not for conf: bounds of ranges, and the
 * direct dependencies of a symbol without prompt or default. They are soft: the
 * order honours them only if it can honour all of them.
 */
#include <stdarg.h>
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
	uint32_t loops;			/* found */
	enum diag_form form;		/* of reports of loops */
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

		if (!(s->flags & (SYMBOL_DEFINED | SYMBOL_CHOICE)) ||
		    s->choice != LKC_NONE)
			continue;
		g->lead[g->n_units] = i;
		for (j = 0; j < unit_size(t, i); j++)
			t->syms.v[unit_sym(t, i, j)].unit = g->n_units;
		g->n_units++;
	}
}

/* ---- loops -------------------------------------------------------------- */

static const char *sym_label(const struct lkc_tree *t, lkc_sym sym)
{
	return t->syms.v[sym].name ? t->syms.v[sym].name : "<choice>";
}

static struct span sym_span(const struct lkc_tree *t, lkc_sym sym)
{
	const struct symbol *s = &t->syms.v[sym];

	if (!s->entries.n)
		return NO_SPAN;
	return t->entries.v[t->sym_entries[s->entries.at]].span;
}

static bool prop_reads(const struct lkc_tree *t, const struct prop *p,
		       lkc_sym other)
{
	return expr_mentions(t, p->cond, other);
}

/* How @sym comes to read @other, in conf's words. */
static const char *loop_verb(const struct lkc_tree *t, lkc_sym sym,
			     lkc_sym other)
{
	const struct symbol *s = &t->syms.v[sym];
	uint32_t i;

	if (expr_mentions(t, s->depends, other))
		return "depends on";
	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];

		if (p->sym == other || prop_reads(t, p, other))
			return p->kind == PROP_SELECT ? "is selected by" :
				"is implied by";
	}
	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = &t->props.v[t->sym_props[s->props.at + i]];

		if (p->kind == PROP_DEFAULT && p->a < t->exprs.n &&
		    expr_mentions(t, p->a, other))
			return "default value contains";
		if (p->kind == PROP_PROMPT && prop_reads(t, p, other))
			return "prompt is visible depending on";
	}
	return "depends on";
}

/*
 * Each back edge of a search is a loop, and there may be as many as there are
 * dependencies. People mend one after the other.
 */
#define LOOPS_MAX 50

/* True if there is no room for one more report; else it is begun. */
static bool report_begin(struct graph *g, struct span span)
{
	if (g->loops++ >= LOOPS_MAX)
		return true;
	build_diag(g->ld, LKC_ERROR, DIAG_RECURSIVE_DEPENDENCY, g->form, span,
		   "error: recursive dependency detected!");
	return false;
}

static void report_end(struct graph *g)
{
	build_diag(g->ld, LKC_ERROR, DIAG_RECURSIVE_DEPENDENCY, DIAG_BARE,
		   NO_SPAN,
		   "For a resolution refer to Documentation/kbuild/kconfig-language.rst\n"
		   "subsection \"Kconfig recursive dependency limitations\"\n");
}

__attribute__((format(printf, 3, 4)))
static void report_step(struct graph *g, lkc_sym sym, const char *fmt, ...)
{
	struct strbuf text = {0};
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	build_diag(g->ld, LKC_ERROR, DIAG_RECURSIVE_DEPENDENCY, g->form,
		   sym_span(g->t, sym), "\t%s", strbuf_str(&text));
	strbuf_free(&text);
}

/* Reports the loop that @path ends, from @from on. */
static void report_loop(struct graph *g, const uint32_t *path, uint32_t from,
			uint32_t n)
{
	struct lkc_tree *t = g->t;
	uint32_t i;

	if (report_begin(g, sym_span(t, g->lead[path[from]])))
		return;
	for (i = from; i < n; i++) {
		lkc_sym sym = g->lead[path[i]];
		lkc_sym other = g->lead[path[i + 1 < n ? i + 1 : from]];

		report_step(g, sym, "symbol %s %s %s", sym_label(t, sym),
			    loop_verb(t, sym, other), sym_label(t, other));
	}
	report_end(g);
}

/* How a choice comes to read @other. */
static const char *choice_verb(const struct lkc_tree *t, lkc_sym choice,
			       lkc_sym other)
{
	const struct symbol *s = &t->syms.v[choice];
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = &t->props.v[t->sym_props[s->props.at + i]];

		if (expr_mentions(t, p->cond, other))
			return p->kind == PROP_PROMPT ? "prompt" : "default";
	}
	return "unknown";
}

/* In a choice, @sym (the choice or a member) reads the member @other. */
static void report_choice_loop(struct graph *g, lkc_sym choice, lkc_sym sym,
			       lkc_sym other)
{
	const struct lkc_tree *t = g->t;
	bool old = g->ld->dialect < DIALECT_6_12;
	const char *label = sym_label(t, choice);
	const char *verb = loop_verb(t, sym, other);

	if (report_begin(g, sym_span(t, choice)))
		return;
	if (old)
		report_step(g, choice, "choice %s contains symbol %s", label,
			    sym_label(t, sym == choice ? other : sym));
	else
		report_step(g, choice, "symbol %s %s is visible depending on %s",
			    label, sym == choice ?
			    choice_verb(t, choice, other) : "unknown",
			    sym_label(t, sym == choice ? other : sym));
	if (sym != choice && old)
		report_step(g, sym, "symbol %s is part of choice %s",
			    sym_label(t, sym), sym_label(t, other));
	else if (sym != choice)
		report_step(g, sym, "symbol %s %s %s", sym_label(t, sym),
			    strcmp(verb, "depends on") == 0 ?
			    "prompt is visible depending on" : verb,
			    sym_label(t, other));
	if (old)
		report_step(g, other, "symbol %s is part of choice %s",
			    sym_label(t, other), label);
	else
		report_step(g, other, "symbol %s is part of choice block at %s:%u",
			    sym_label(t, other),
			    build_place(t, sym_span(t, choice)).file,
			    build_place(t, sym_span(t, choice)).line);
	report_end(g);
}

/* ---- what a unit reads -------------------------------------------------- */

/* True if nothing but prompts of @sym reads @other. */
static bool only_prompts_read(const struct lkc_tree *t, lkc_sym sym,
			      lkc_sym other)
{
	const struct symbol *s = &t->syms.v[sym];
	uint32_t i;

	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];

		if (p->sym == other || expr_mentions(t, p->cond, other))
			return false;
	}
	return !expr_mentions(t, s->depends, other);
}

/*
 * Which member wins follows from the visibility of all. So neither the choice
 * nor a member may depend on a member; members do depend on their choice.
 * @from: the first read of @sym. True if all is well.
 */
static bool check_unit_reads(struct graph *g, lkc_sym lead, lkc_sym sym,
			     uint32_t from)
{
	const struct lkc_tree *t = g->t;

	for (; from < g->reads.n; from++) {
		lkc_sym read = g->reads.v[from];

		if (t->syms.v[read].unit != t->syms.v[lead].unit ||
		    (sym != lead && read == lead))
			continue;
		/* before 6.12, conf does not look at the prompts of members */
		if (g->ld->dialect < DIALECT_6_12 && sym != lead &&
		    only_prompts_read(t, sym, read))
			continue;
		report_choice_loop(g, lead, sym, read);
		return false;
	}
	return true;
}

static void collect_reads(struct graph *g)
{
	struct lkc_tree *t = g->t;
	uint32_t u, j, from;

	for (u = 0; u < g->n_units && !g->ld->err; u++) {
		lkc_sym lead = g->lead[u];
		bool check = t->syms.v[lead].members.n != 0;

		g->stamp++;
		g->first[u] = g->reads.n;
		for (j = 0; j < unit_size(t, lead); j++) {
			from = g->reads.n;
			read_props(g, unit_sym(t, lead, j));
			if (check)
				check = check_unit_reads(g, lead,
						unit_sym(t, lead, j), from);
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
		uint32_t read, v, i;

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
		/* what choices may not read is reported already */
		if (v == u && g->t->syms.v[g->lead[u]].members.n)
			continue;
		if (w->colour[v] == WHITE) {
			walk_push(g, w, v);
		} else if (w->colour[v] == GREY && w->soft) {
			w->broken |= !(read & SOFT);
		} else if (w->colour[v] == GREY) {
			for (i = 0; w->path[i] != v; i++)
				;
			report_loop(g, w->path, i, w->n);
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
	if (!g->ld->err && g->loops)
		g->ld->err = LKC_EPARSE;
	if (!g->ld->err)
		walk_all(g, &w, true);
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
	struct graph g = {
		.ld = ld, .t = t,
		.form = ld->dialect >= DIALECT_6_12 ? DIAG_BARE : DIAG_TIGHT,
	};

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
