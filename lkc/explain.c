// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain - values and unmet conditions in words, with places
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "config.h"

/* More conditions than this tell nobody anything. */
#define TERMS_MAX 5

struct unmet {
	const struct lkc_config *c;
	struct strbuf *out;
	unsigned int depth;	/* of choices and the like looked into */
};

static void unmet_expr(struct unmet *u, lkc_expr e, enum lkc_tri want,
		       bool inside_or);

static void add_now(const struct unmet *u, lkc_sym sym)
{
	const struct lkc_tree *t = u->c->tree;
	struct lkc_place place;

	if (!lkc_sym_is_config(t, sym)) {
		strbuf_addstr(u->out, " (not defined in this kernel)");
		return;
	}
	strbuf_addf(u->out, " (now %s", eval_string(u->c, sym));
	if (lkc_sym_place(t, sym, &place) && place.file)
		strbuf_addf(u->out, ", %s:%u", place.file, place.line);
	strbuf_addch(u->out, ')');
}

static void unmet_sym(struct unmet *u, lkc_sym sym, enum lkc_tri want)
{
	const struct lkc_tree *t = u->c->tree;
	const struct symbol *s = sym_get(t, sym);
	const char *prompt;

	if (s->flags & SYMBOL_CONST) {
		strbuf_addf(u->out, "a constant %s", s->name);
		return;
	}
	if (!(s->flags & SYMBOL_CHOICE)) {
		strbuf_addf(u->out, "%s=%s", s->name,
			    want == LKC_YES ? "y" :
			    s->type == LKC_TRISTATE ? "m or y" : "y");
		add_now(u, sym);
		return;
	}
	/* the choice around a member: say what keeps it away */
	if (u->depth < 3 && eval_expr(u->c, s->prompt_cond) < want) {
		u->depth++;
		unmet_expr(u, s->prompt_cond, want, false);
		u->depth--;
		return;
	}
	prompt = lkc_sym_prompt(t, sym);
	strbuf_addf(u->out, "the choice \"%s\" to be %s",
		    prompt ? prompt : "unnamed",
		    want == LKC_YES ? "y" : "m or y");
}

/* What keeps !@e below @want: @e itself is too high. */
static void unmet_not(struct unmet *u, lkc_expr e)
{
	const struct lkc_tree *t = u->c->tree;
	const struct expr *x = expr_get(t, e);

	if (x->op == LKC_OP_SYM) {
		strbuf_addf(u->out, "%s=n",
			    lkc_sym_name(t, x->l) ? lkc_sym_name(t, x->l) :
			    "the choice");
		add_now(u, x->l);
		return;
	}
	strbuf_addstr(u->out, "not (");
	expr_text(t, e, u->c, u->out);
	strbuf_addch(u->out, ')');
}

/* The terms of a chain that are below @want: all of them, for an OR. */
static void unmet_chain(struct unmet *u, lkc_expr e, enum lkc_tri want)
{
	enum lkc_op op = expr_get(u->c->tree, e)->op;
	struct expr_list terms = {0};
	uint32_t i, n = 0;

	if (!expr_terms(u->c->tree, e, op, &terms))
		strbuf_fail(u->out);
	for (i = 0; i < terms.n && !u->out->err; i++) {
		if (eval_expr(u->c, terms.v[i]) >= want || n++ >= TERMS_MAX)
			continue;
		if (n > 1)
			strbuf_addstr(u->out, op == LKC_OP_OR ? " or " :
				      " and ");
		unmet_expr(u, terms.v[i], want, op == LKC_OP_OR);
	}
	if (n > TERMS_MAX)
		strbuf_addf(u->out, " %s %u more", op == LKC_OP_OR ? "or" :
			    "and", n - TERMS_MAX);
	vec_free(&terms);
}

static void unmet_expr(struct unmet *u, lkc_expr e, enum lkc_tri want,
		       bool inside_or)
{
	const struct lkc_tree *t = u->c->tree;
	const struct expr *x = expr_get(t, e);
	bool paren = inside_or ? x->op == LKC_OP_AND : x->op == LKC_OP_OR;

	if (paren)
		strbuf_addch(u->out, '(');
	switch (x->op) {
	case LKC_OP_SYM:
		unmet_sym(u, x->l, want);
		break;
	case LKC_OP_NOT:
		unmet_not(u, x->l);
		break;
	case LKC_OP_AND:
	case LKC_OP_OR:
		unmet_chain(u, e, want);
		break;
	default:
		expr_text(t, e, NULL, u->out);
		if (lkc_sym_is_config(t, x->l))
			add_now(u, x->l);
		break;
	}
	if (paren)
		strbuf_addch(u->out, ')');
}

static void unmet_text(const struct lkc_config *c, lkc_expr e,
		       enum lkc_tri want, struct strbuf *out)
{
	struct unmet u = { .c = c, .out = out };

	if (eval_expr(c, e) >= want)
		return;
	strbuf_addstr(out, "needs ");
	unmet_expr(&u, e, want, false);
}

char *lkc_unmet_text(const struct lkc_config *c, lkc_expr e, enum lkc_tri want)
{
	struct strbuf out = {0};

	unmet_text(c, e, want, &out);
	return strbuf_detach(&out, NULL);
}

/* ---- why it has its value ----------------------------------------------- */

static void add_prop_place(const struct lkc_tree *t, const struct prop *p,
			   struct strbuf *out)
{
	struct diag_place place = build_place(t, p->span);

	if (place.file)
		strbuf_addf(out, " (%s:%u)", place.file, place.line);
}

static void why_selected(const struct lkc_config *c, lkc_sym sym,
			 enum prop_kind kind, struct strbuf *out)
{
	const struct lkc_tree *t = c->tree;
	const struct symbol *s = sym_get(t, sym);
	uint32_t i;

	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];

		if (p->kind != kind || c->value[p->sym].tri == LKC_NO ||
		    eval_expr(c, p->cond) == LKC_NO)
			continue;
		strbuf_addf(out, "; %s by %s=%s",
			    kind == PROP_SELECT ? "selected" : "implied",
			    t->syms.v[p->sym].name ? t->syms.v[p->sym].name :
			    "<choice>", eval_string(c, p->sym));
		add_prop_place(t, p, out);
	}
}

static void why_default(const struct lkc_config *c, lkc_sym sym,
			struct strbuf *out)
{
	const struct prop *p = eval_default(c, sym);

	if (!p)
		return;
	strbuf_addstr(out, "; default ");
	expr_text(c->tree, p->a, p->a <= EXPR_Y ? NULL : c, out);
	if (!lkc_expr_is_const(c->tree, p->own, LKC_YES)) {
		strbuf_addstr(out, " if ");
		expr_text(c->tree, p->own, c, out);
	}
	add_prop_place(c->tree, p, out);
}

/* The user's value, where it is not the one in force. */
static void why_not_asked(const struct lkc_config *c, lkc_sym sym,
			  struct strbuf *out)
{
	const char *asked = lkc_user_value(c, sym);
	lkc_expr cond = sym_get(c->tree, sym)->prompt_cond;

	if (!asked || strcmp(asked, eval_string(c, sym)) == 0)
		return;
	strbuf_addf(out, "; %s was asked for", asked);
	if (eval_expr(c, cond) < LKC_YES)
		strbuf_addstr(out, " but ");
	unmet_text(c, cond, LKC_YES, out);
}

char *lkc_explain(const struct lkc_config *c, lkc_sym sym)
{
	const struct lkc_tree *t = c->tree;
	const struct symbol *s = sym_get(t, sym);
	const struct value *v = &c->value[sym];
	struct strbuf out = {0};

	strbuf_addf(&out, "%s=%s: %s", s->name ? s->name : "<choice>",
		    eval_string(c, sym), lkc_origin_name(v->origin));
	switch (v->origin) {
	case LKC_ORIGIN_SELECT:
		why_selected(c, sym, PROP_SELECT, &out);
		break;
	case LKC_ORIGIN_IMPLY:
		why_selected(c, sym, PROP_IMPLY, &out);
		break;
	case LKC_ORIGIN_DEFAULT:
		why_default(c, sym, &out);
		break;
	case LKC_ORIGIN_CHOICE:
		if (c->value[s->choice].winner != LKC_NONE)
			strbuf_addf(&out, "; the choice has %s",
				    lkc_sym_name(t, c->value[s->choice].winner));
		break;
	default:
		break;
	}
	why_not_asked(c, sym, &out);
	return strbuf_detach(&out, NULL);
}
