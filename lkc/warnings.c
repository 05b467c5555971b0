// SPDX-License-Identifier: GPL-2.0-only
/*
 * warnings - what conf says of a configuration, in the order in which it does
 *
 * conf computes a symbol when it is first asked for, after all that it needs
 * for that, and warns of it then. Our values are there already; only the order
 * is made again here, by walking what conf would read.
 */
#include <stdlib.h>

#include "base/strbuf.h"
#include "config.h"
#include "order.h"

/* What of @kind aims at @sym and amounts to @level, one a line. */
static void add_sources(const struct lkc_config *c, lkc_sym sym,
			enum prop_kind kind, enum lkc_tri level,
			struct strbuf *out)
{
	const struct lkc_tree *t = c->tree;
	const struct symbol *s = sym_get(t, sym);
	uint32_t i;

	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];
		enum lkc_tri v = c->value[p->sym].tri;
		enum lkc_tri cond = eval_expr(c, p->cond);
		char *text;

		if (p->kind != kind || (cond < v ? cond : v) != level)
			continue;
		strbuf_addf(out, "  - %s", t->syms.v[p->sym].name ?
			    t->syms.v[p->sym].name : "<choice>");
		if (t->syms.v[p->sym].type != LKC_UNKNOWN)
			strbuf_addf(out, " [=%s]", eval_string(c, p->sym));
		if (p->cond != EXPR_Y) {
			bool paren = expr_get(t, p->cond)->op == LKC_OP_OR;

			text = lkc_expr_conf_text(c, p->cond);
			strbuf_addf(out, paren ? " && (%s)" : " && %s",
				    text ? text : "");
			free(text);
		}
		strbuf_addch(out, '\n');
	}
}

/* A choice that is visible is at least m: conf has it select itself. */
static void add_own(const struct lkc_config *c, lkc_sym sym,
		    enum lkc_tri level, struct strbuf *out)
{
	const struct lkc_tree *t = c->tree;
	const struct symbol *s = sym_get(t, sym);
	uint32_t i;

	if (t->dialect >= DIALECT_6_12 || !(s->flags & SYMBOL_CHOICE) ||
	    (s->flags & SYMBOL_OPTIONAL))
		return;
	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = &t->props.v[t->sym_props[s->props.at + i]];
		enum lkc_tri v;
		char *text;

		if (p->kind != PROP_PROMPT)
			continue;
		v = eval_expr(c, p->cond);
		if ((v < LKC_MOD ? v : LKC_MOD) != level)
			continue;
		text = p->cond == EXPR_Y ? NULL : lkc_expr_conf_text(c, p->cond);
		if (text)
			strbuf_addf(out, expr_get(t, p->cond)->op == LKC_OP_OR ?
				    "  - (%s) && m [=m]\n" :
				    "  - %s && m [=m]\n", text);
		else
			strbuf_addstr(out, "  - m [=m]\n");
		free(text);
	}
}

char *lkc_reverse_text(const struct lkc_config *c, lkc_sym sym,
		       enum lkc_prop_kind kind, enum lkc_tri level)
{
	struct strbuf out = {0};

	if (kind == LKC_PROP_SELECT)
		add_own(c, sym, level, &out);
	add_sources(c, sym, kind == LKC_PROP_SELECT ? PROP_SELECT : PROP_IMPLY,
		    level, &out);
	return strbuf_detach(&out, NULL);
}

static void add_selectors(const struct lkc_config *c, lkc_sym sym,
			  enum lkc_tri level, struct strbuf *out)
{
	char *text = lkc_reverse_text(c, sym, LKC_PROP_SELECT, level);

	if (text && *text)
		strbuf_addf(out, "  Selected by [%c]:\n%s",
			    level == LKC_YES ? 'y' : 'm', text);
	free(text);
}

static void warn_unmet(const struct lkc_config *c, lkc_sym sym,
		       struct lkc_diags *diags)
{
	const struct symbol *s = sym_get(c->tree, sym);
	enum lkc_tri dep = c->value[sym].dep;
	char *text = lkc_expr_conf_text(c, s->depends);
	struct strbuf out = {0};

	strbuf_addf(&out, "\nWARNING: unmet direct dependencies detected for %s\n"
		    "  Depends on [%c]: %s\n", s->name,
		    dep == LKC_YES ? 'y' : dep == LKC_MOD ? 'm' : 'n',
		    text ? text : "");
	add_selectors(c, sym, LKC_YES, &out);
	add_selectors(c, sym, LKC_MOD, &out);
	strbuf_truncate(&out, out.len ? out.len - 1 : 0);
	diag_add(diags, LKC_WARNING, DIAG_UNMET_DEPENDENCIES, DIAG_BARE, NULL,
		 "%s", strbuf_str(&out));
	strbuf_free(&out);
	free(text);
}

static bool is_unmet(const struct lkc_config *c, lkc_sym sym)
{
	const struct symbol *s = sym_get(c->tree, sym);

	if (!(s->flags & SYMBOL_DEFINED) || !type_is_tri(s->type))
		return false;
	return c->value[sym].dep < c->value[sym].sel;
}

/* ---- what conf reads to compute a symbol -------------------------------- */

struct frame {
	lkc_sym sym;
	uint32_t next, end;	/* of lkc_warner.reads */
};

/* What has been computed of a symbol, or of a choice. */
enum { ITSELF = 1, MEMBERS = 2 };

struct lkc_warner {
	const struct lkc_config *c;
	uint8_t *done;
	lkc_sym *order;		/* of conf's hash table */
	uint32_t n_order;
	struct { VEC(struct frame); } path;
	struct { VEC(lkc_sym); } reads;		/* of all on the path */
	struct { VEC(lkc_expr); } todo;
	bool nomem;
};

static void read_sym(struct lkc_warner *w, lkc_sym sym)
{
	if (sym > SYM_Y && !(w->done[sym] & ITSELF) && !vec_push(&w->reads, sym))
		w->nomem = true;
}

/* The symbols of @e from left to right. */
static void read_expr(struct lkc_warner *w, lkc_expr e)
{
	for (w->todo.n = 0;;) {
		const struct expr *x = expr_get(w->c->tree, e);

		switch (x->op) {
		case LKC_OP_SYM:
			read_sym(w, x->l);
			break;
		case LKC_OP_AND:
		case LKC_OP_OR:
			if (!vec_push(&w->todo, x->r))
				w->nomem = true;
			/* fallthrough */
		case LKC_OP_NOT:
			e = x->l;
			continue;
		default:
			read_sym(w, x->l);
			read_sym(w, x->r);
			break;
		}
		if (!w->todo.n)
			return;
		e = w->todo.v[--w->todo.n];
	}
}

static const struct prop *prop_of(const struct lkc_tree *t,
				  const struct symbol *s, uint32_t i)
{
	return &t->props.v[t->sym_props[s->props.at + i]];
}

static void read_prompts(struct lkc_warner *w, const struct symbol *s)
{
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = prop_of(w->c->tree, s, i);

		if (p->kind == PROP_PROMPT)
			read_expr(w, p->cond);
	}
}

static void read_reverse(struct lkc_warner *w, const struct symbol *s,
			 enum prop_kind kind)
{
	const struct lkc_tree *t = w->c->tree;
	uint32_t i;

	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];

		if (p->kind != kind)
			continue;
		read_sym(w, p->sym);
		read_expr(w, p->cond);
	}
}

/* Conditions are looked at up to the first that holds; returns that one. */
static const struct prop *read_first(struct lkc_warner *w,
				     const struct symbol *s,
				     enum prop_kind kind)
{
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = prop_of(w->c->tree, s, i);

		if (p->kind != kind)
			continue;
		read_expr(w, p->cond);
		if (eval_expr(w->c, p->cond) != LKC_NO)
			return p;
	}
	return NULL;
}

/* The visibility of the members, then who wins. */
static void read_choice(struct lkc_warner *w, const struct symbol *s)
{
	const struct lkc_tree *t = w->c->tree;
	uint32_t i;

	for (i = 0; i < s->members.n; i++)
		read_prompts(w, sym_get(t, t->members.v[s->members.at + i]));
	read_first(w, s, PROP_DEFAULT);
}

static void read_range(struct lkc_warner *w, const struct symbol *s)
{
	const struct prop *p = read_first(w, s, PROP_RANGE);

	if (p) {
		read_sym(w, p->a);
		read_sym(w, p->b);
	}
}

/* All that conf computes before @sym, in its order, is put into reads. */
static void read_all(struct lkc_warner *w, lkc_sym sym)
{
	const struct lkc_config *c = w->c;
	const struct symbol *s = sym_get(c->tree, sym);
	bool modern = c->tree->dialect >= DIALECT_6_12;
	const struct prop *p;

	if (s->type == LKC_UNKNOWN)
		return;
	read_prompts(w, s);
	if (s->choice != LKC_NONE) {
		/* what one member has had computed, the next finds computed */
		if (modern && !(w->done[s->choice] & MEMBERS)) {
			w->done[s->choice] |= MEMBERS;
			read_choice(w, sym_get(c->tree, s->choice));
		}
		if (modern || c->value[sym].vis == LKC_YES)
			return;
	} else {
		read_expr(w, s->depends);
		read_reverse(w, s, PROP_SELECT);
		read_reverse(w, s, PROP_IMPLY);
	}
	if (s->flags & SYMBOL_CHOICE) {
		if (!modern)
			read_choice(w, s);
		return;
	}
	if (c->value[sym].vis == LKC_NO || !c->user[sym].set) {
		p = read_first(w, s, PROP_DEFAULT);
		if (p)
			read_expr(w, p->a);
	}
	if (s->type == LKC_INT || s->type == LKC_HEX)
		read_range(w, s);
}

/* What has been put into reads since @from is to be computed, then @sym. */
static void enter_from(struct lkc_warner *w, lkc_sym sym, uint32_t from)
{
	struct frame f = { .sym = sym, .next = from, .end = w->reads.n };

	if (!vec_push(&w->path, f))
		w->nomem = true;
}

static void enter(struct lkc_warner *w, lkc_sym sym)
{
	uint32_t from = w->reads.n;

	w->done[sym] |= ITSELF;
	read_all(w, sym);
	enter_from(w, sym, from);
}

static int leave(struct lkc_warner *w, struct lkc_diags *diags)
{
	while (w->path.n && !w->nomem) {
		struct frame *f = &w->path.v[w->path.n - 1];

		if (f->next < f->end) {
			lkc_sym read = w->reads.v[f->next++];

			if (!(w->done[read] & ITSELF))
				enter(w, read);
			continue;
		}
		if (f->sym != LKC_NONE && is_unmet(w->c, f->sym))
			warn_unmet(w->c, f->sym, diags);
		w->path.n--;
		w->reads.n = w->path.n ? w->path.v[w->path.n - 1].end : 0;
	}
	return w->nomem ? LKC_ENOMEM : 0;
}

/* ---- public ------------------------------------------------------------- */

int lkc_warner_new(const struct lkc_config *c, struct lkc_warner **out)
{
	struct lkc_warner *w = calloc(1, sizeof(*w));

	*out = NULL;
	if (!w)
		return LKC_ENOMEM;
	w->c = c;
	w->done = calloc(c->tree->syms.n + 1, 1);
	w->order = order_hash(c->tree, &w->n_order);
	if (!w->done || !w->order) {
		lkc_warner_free(w);
		return LKC_ENOMEM;
	}
	*out = w;
	return 0;
}

void lkc_warner_free(struct lkc_warner *w)
{
	if (!w)
		return;
	free(w->done);
	free(w->order);
	vec_free(&w->path);
	vec_free(&w->reads);
	vec_free(&w->todo);
	free(w);
}

int lkc_warner_forget(struct lkc_warner *w, struct lkc_diags *diags)
{
	lkc_sym modules = w->c->tree->modules;

	memset(w->done, 0, w->c->tree->syms.n);
	return modules == LKC_NONE ? 0 : lkc_warner_sym(w, modules, diags);
}

int lkc_warner_sym(struct lkc_warner *w, lkc_sym sym, struct lkc_diags *diags)
{
	if (!(w->done[sym] & ITSELF))
		enter(w, sym);
	return leave(w, diags);
}

int lkc_warner_menu(struct lkc_warner *w, lkc_menu m, struct lkc_diags *diags)
{
	const struct lkc_tree *t = w->c->tree;
	const struct entry *e = &t->entries.v[m];

	if (e->prompt == LKC_NONE)
		return 0;
	read_expr(w, e->visible);
	read_expr(w, t->props.v[e->prompt].cond);
	enter_from(w, LKC_NONE, 0);
	return leave(w, diags);
}

int lkc_warner_all(struct lkc_warner *w, struct lkc_diags *diags)
{
	uint32_t i;
	int err = 0;

	for (i = 0; i < w->n_order && !err; i++)
		err = lkc_warner_sym(w, w->order[i], diags);
	return err;
}

int lkc_config_warnings(const struct lkc_config *c, struct lkc_diags *diags)
{
	struct lkc_warner *w;
	int err;

	err = lkc_warner_new(c, &w);
	if (!err)
		err = lkc_warner_forget(w, diags);
	if (!err)
		err = lkc_warner_all(w, diags);
	lkc_warner_free(w);
	return err;
}
