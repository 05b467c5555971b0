// SPDX-License-Identifier: GPL-2.0-only
/*
 * recursion - loops of dependencies, told as conf tells them
 *
 * Which loops there are, graph.c knows; which of them conf comes upon, from
 * which end, and by which of several ways from one symbol to the next, follows
 * from the order in which it looks. So it is looked for once more, like that.
 *
 * conf gives up on a symbol at the first loop below it, and never looks at
 * what it has looked at before.
 */
#include <stdlib.h>

#include "model.h"
#include "order.h"

/* People mend one after the other. */
#define LOOPS_MAX 50

enum how {
	HOW_CHOICE,		/* a choice and its members */
	HOW_DEPENDS,
	HOW_SELECT,
	HOW_IMPLY,
	HOW_CONDITION,		/* of a property */
	HOW_VALUE,		/* of a default */
};

/* One look from a symbol at another. */
struct look {
	lkc_sym sym;
	enum how how;
	uint32_t prop;		/* or LKC_NONE */
};

enum level_kind {
	LEVEL_SYMBOL,		/* what a symbol depends on */
	LEVEL_MEMBER,		/* from a member to its choice */
	LEVEL_CHOICE,		/* from a choice to itself and its members */
	LEVEL_PART,		/* a symbol, on behalf of its choice */
};

struct level {
	lkc_sym sym;
	enum level_kind kind;
	uint32_t first, next, end;	/* of recursion.looks */
};

struct recursion {
	struct loader *ld;
	struct lkc_tree *t;
	bool old;			/* before 6.12 */
	uint8_t *open;			/* symbols being looked at */
	uint8_t *seen;
	struct { VEC(struct level); } path;
	struct { VEC(struct look); } looks;	/* of all on the path */
	struct { VEC(lkc_expr); } todo;
	uint32_t loops;
};

/* ---- what there is to look at ------------------------------------------- */

static void add_look(struct recursion *r, lkc_sym sym, enum how how,
		     uint32_t prop)
{
	struct look look = { sym, how, prop };

	if (sym > SYM_Y && !vec_push(&r->looks, look))
		r->ld->err = LKC_ENOMEM;
}

/* The symbols of @e from left to right. */
static void add_expr(struct recursion *r, lkc_expr e, enum how how,
		     uint32_t prop)
{
	for (r->todo.n = 0; !r->ld->err;) {
		const struct expr *x = expr_get(r->t, e);

		switch (x->op) {
		case LKC_OP_SYM:
			add_look(r, x->l, how, prop);
			break;
		case LKC_OP_AND:
		case LKC_OP_OR:
			if (!vec_push(&r->todo, x->r))
				r->ld->err = LKC_ENOMEM;
			/* fallthrough */
		case LKC_OP_NOT:
			e = x->l;
			continue;
		default:
			add_look(r, x->l, how, prop);
			add_look(r, x->r, how, prop);
			break;
		}
		if (!r->todo.n)
			return;
		e = r->todo.v[--r->todo.n];
	}
}

static void add_reverse(struct recursion *r, const struct symbol *s,
			enum prop_kind kind, enum how how)
{
	uint32_t i;

	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&r->t->props.v[r->t->sym_reverse[s->reverse.at + i]];

		if (p->kind != kind)
			continue;
		add_look(r, p->sym, how, LKC_NONE);
		add_expr(r, p->cond, how, LKC_NONE);
	}
}

static void add_props(struct recursion *r, const struct symbol *s)
{
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		uint32_t id = r->t->sym_props[s->props.at + i];
		const struct prop *p = &r->t->props.v[id];

		if (p->kind == PROP_SELECT || p->kind == PROP_IMPLY)
			continue;
		add_expr(r, p->cond, HOW_CONDITION, id);
		if (p->kind == PROP_DEFAULT && !(s->flags & SYMBOL_CHOICE))
			add_expr(r, p->a, HOW_VALUE, id);
	}
}

static void add_symbol(struct recursion *r, lkc_sym sym)
{
	const struct symbol *s = sym_get(r->t, sym);
	bool in_choice = s->choice != LKC_NONE || (s->flags & SYMBOL_CHOICE);

	if (r->old || !in_choice)
		add_expr(r, s->depends, HOW_DEPENDS, LKC_NONE);
	add_reverse(r, s, PROP_SELECT, HOW_SELECT);
	add_reverse(r, s, PROP_IMPLY, HOW_IMPLY);
	add_props(r, s);
}

static void add_choice(struct recursion *r, lkc_sym choice)
{
	const struct symbol *s = sym_get(r->t, choice);
	uint32_t i;

	add_look(r, choice, HOW_CHOICE, LKC_NONE);
	r->open[choice] = r->seen[choice] = 1;
	for (i = 0; i < s->members.n; i++) {
		lkc_sym m = r->t->members.v[s->members.at + i];

		add_look(r, m, HOW_CHOICE, LKC_NONE);
		r->open[m] = r->seen[m] = 1;
	}
}

/* ---- reports ------------------------------------------------------------ */

static const char *label(const struct recursion *r, lkc_sym sym)
{
	return r->t->syms.v[sym].name ? r->t->syms.v[sym].name : "<choice>";
}

static struct span entry_span(const struct recursion *r, lkc_sym sym)
{
	const struct symbol *s = sym_get(r->t, sym);

	if (!s->entries.n)
		return NO_SPAN;
	return r->t->entries.v[r->t->sym_entries[s->entries.at]].span;
}

static const char *prop_name(const struct recursion *r, uint32_t prop)
{
	const struct prop *p;

	if (prop == LKC_NONE)
		return "unknown";
	p = &r->t->props.v[prop];
	switch (p->kind) {
	case PROP_PROMPT:
		return r->t->entries.v[p->entry].kind == LKC_ENTRY_MENUCONFIG ?
			"menu" : "prompt";
	case PROP_RANGE:
		return "range";
	default:
		return "default";
	}
}

static void describe_choice(struct recursion *r, lkc_sym sym, lkc_sym next,
			    struct strbuf *out)
{
	struct diag_place place = build_place(r->t, entry_span(r, next));

	if (!r->old)
		strbuf_addf(out, "symbol %s is part of choice block at %s:%u",
			    label(r, sym), place.file, place.line);
	else if (r->t->syms.v[sym].flags & SYMBOL_CHOICE)
		strbuf_addf(out, "choice %s contains symbol %s",
			    label(r, sym), label(r, next));
	else
		strbuf_addf(out, "symbol %s is part of choice %s",
			    label(r, sym), label(r, next));
}

static void describe(struct recursion *r, const struct look *look, lkc_sym sym,
		     lkc_sym next, struct strbuf *out)
{
	static const char *const verbs[] = {
		[HOW_DEPENDS] = "depends on",
		[HOW_SELECT] = "is selected by",
		[HOW_IMPLY] = "is implied by",
	};
	const struct symbol *s = sym_get(r->t, sym);
	bool by_choice = r->old ?
		s->choice != LKC_NONE || (s->flags & SYMBOL_CHOICE) :
		r->t->syms.v[next].flags & SYMBOL_CHOICE;

	if (by_choice)
		describe_choice(r, sym, next, out);
	else if (look->how == HOW_VALUE)
		strbuf_addf(out, "symbol %s %s value contains %s",
			    label(r, sym), prop_name(r, look->prop),
			    label(r, next));
	else if (look->how == HOW_CONDITION || look->how == HOW_CHOICE)
		strbuf_addf(out, "symbol %s %s is visible depending on %s",
			    label(r, sym), prop_name(r, look->prop),
			    label(r, next));
	else
		strbuf_addf(out, "symbol %s %s %s", label(r, sym),
			    verbs[look->how], label(r, next));
}

static void report_line(struct recursion *r, const struct look *look,
			lkc_sym sym, lkc_sym next, bool first)
{
	const struct symbol *s = sym_get(r->t, sym);
	enum diag_form form = r->old ? DIAG_TIGHT : DIAG_BARE;
	struct span span = entry_span(r, sym);
	struct strbuf text = {0};

	if (look->prop != LKC_NONE && s->choice == LKC_NONE &&
	    !(s->flags & SYMBOL_CHOICE))
		span = r->t->props.v[look->prop].span;
	if (first)
		build_diag(r->ld, LKC_ERROR, DIAG_RECURSIVE_DEPENDENCY, form,
			   span, "error: recursive dependency detected!");
	describe(r, look, sym, next, &text);
	build_diag(r->ld, LKC_ERROR, DIAG_RECURSIVE_DEPENDENCY, form, span,
		   "\t%s", strbuf_str(&text));
	strbuf_free(&text);
}

/* @sym, which is on the path, has been come upon again. */
static void report(struct recursion *r, lkc_sym sym)
{
	struct look member = { sym, HOW_CHOICE, LKC_NONE };
	lkc_sym last = sym, next;
	uint32_t from = r->path.n, i;

	if (r->loops++ >= LOOPS_MAX)
		return;
	if (r->t->syms.v[sym].choice != LKC_NONE)
		last = r->t->syms.v[sym].choice;
	while (from && r->path.v[from - 1].sym != last)
		from--;
	if (!from)
		return;
	for (i = from - 1; i < r->path.n; i++) {
		const struct level *l = &r->path.v[i];

		next = i + 1 < r->path.n ? r->path.v[i + 1].sym : sym;
		report_line(r, &r->looks.v[l->next - 1], l->sym, next,
			    i == from - 1);
	}
	if (last != sym)
		report_line(r, &member, sym, last, false);
	build_diag(r->ld, LKC_ERROR, DIAG_RECURSIVE_DEPENDENCY, DIAG_BARE,
		   NO_SPAN,
		   "For a resolution refer to Documentation/kbuild/kconfig-language.rst\n"
		   "subsection \"Kconfig recursive dependency limitations\"\n");
}

/* ---- looking ------------------------------------------------------------ */

static void enter(struct recursion *r, lkc_sym sym, enum level_kind kind)
{
	struct level l = { .sym = sym, .kind = kind, .first = r->looks.n };

	switch (kind) {
	case LEVEL_MEMBER:
		add_look(r, sym_get(r->t, sym)->choice, HOW_CHOICE, LKC_NONE);
		break;
	case LEVEL_CHOICE:
		add_choice(r, sym);
		break;
	case LEVEL_SYMBOL:
		r->open[sym] = r->seen[sym] = 1;
		/* fallthrough */
	case LEVEL_PART:
		add_symbol(r, sym);
		break;
	}
	l.next = l.first;
	l.end = r->looks.n;
	if (!vec_push(&r->path, l))
		r->ld->err = LKC_ENOMEM;
}

static void leave(struct recursion *r)
{
	const struct level *l = &r->path.v[--r->path.n];
	const struct symbol *s = sym_get(r->t, l->sym);
	uint32_t i;

	r->looks.n = l->first;
	if (l->kind == LEVEL_SYMBOL ||
	    (l->kind == LEVEL_PART && (s->flags & SYMBOL_CHOICE)))
		r->open[l->sym] = 0;
	/* members stay open until all have been looked at */
	for (i = 0; l->kind == LEVEL_CHOICE && i < s->members.n; i++)
		r->open[r->t->members.v[s->members.at + i]] = 0;
}

/* False if that closes a loop. */
static bool look_at(struct recursion *r, lkc_sym sym)
{
	const struct symbol *s = sym_get(r->t, sym);

	if (r->open[sym]) {
		report(r, sym);
		return false;
	}
	if (!r->seen[sym])
		enter(r, sym, s->choice != LKC_NONE ? LEVEL_MEMBER :
		      s->flags & SYMBOL_CHOICE ? LEVEL_CHOICE : LEVEL_SYMBOL);
	return true;
}

static void look_from(struct recursion *r, lkc_sym sym)
{
	bool loop = !look_at(r, sym);

	while (r->path.n && !r->ld->err) {
		struct level *l = &r->path.v[r->path.n - 1];
		lkc_sym next;

		if (loop || l->next == l->end) {
			leave(r);
			continue;
		}
		next = r->looks.v[l->next++].sym;
		if (l->kind == LEVEL_CHOICE)
			enter(r, next, LEVEL_PART);
		else
			loop = !look_at(r, next);
	}
}

static void look_by_hash(struct recursion *r)
{
	uint32_t i, n;
	lkc_sym *order;

	order = order_hash(r->t, &n);
	if (!order)
		r->ld->err = LKC_ENOMEM;
	for (i = 0; order && i < n && !r->ld->err; i++)
		look_from(r, order[i]);
	free(order);
}

uint32_t recursion_report(struct loader *ld)
{
	struct lkc_tree *t = ld->tree;
	struct recursion r = {
		.ld = ld, .t = t, .old = ld->dialect < DIALECT_6_12,
	};
	uint32_t i;

	r.open = calloc(t->syms.n + 1, 1);
	r.seen = calloc(t->syms.n + 1, 1);
	if (!r.open || !r.seen)
		ld->err = LKC_ENOMEM;
	else if (r.old)
		look_by_hash(&r);
	for (i = 1; i < t->entries.n && !r.old && !ld->err; i++) {
		if (t->entries.v[i].sym != LKC_NONE)
			look_from(&r, t->entries.v[i].sym);
	}
	free(r.open);
	free(r.seen);
	vec_free(&r.path);
	vec_free(&r.looks);
	vec_free(&r.todo);
	return r.loops;
}
