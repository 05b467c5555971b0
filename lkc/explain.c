// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain - values and unmet conditions in words, with places
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "config.h"

/* More alternatives than this tell nobody anything. */
#define ALTERNATIVES_MAX 5

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
	char *text;

	if (x->op == LKC_OP_SYM) {
		strbuf_addf(u->out, "%s=n",
			    lkc_sym_name(t, x->l) ? lkc_sym_name(t, x->l) :
			    "the choice");
		add_now(u, x->l);
		return;
	}
	text = lkc_expr_text(t, e, u->c);
	strbuf_addf(u->out, "not (%s)", text ? text : "");
	free(text);
}

static void unmet_or(struct unmet *u, lkc_expr e, enum lkc_tri want)
{
	const struct lkc_tree *t = u->c->tree;
	lkc_expr terms[ALTERNATIVES_MAX];
	unsigned int n = 0, more = 0;

	while (expr_get(t, e)->op == LKC_OP_OR) {
		if (n < ALTERNATIVES_MAX)
			terms[n++] = expr_get(t, e)->r;
		else
			more++;
		e = expr_get(t, e)->l;
	}
	if (n < ALTERNATIVES_MAX)
		terms[n++] = e;
	else
		more++;
	while (n) {
		unmet_expr(u, terms[--n], want, true);
		if (n)
			strbuf_addstr(u->out, " or ");
	}
	if (more)
		strbuf_addf(u->out, " or %u more", more);
}

static void unmet_and(struct unmet *u, lkc_expr e, enum lkc_tri want)
{
	const struct expr *x = expr_get(u->c->tree, e);
	bool left = eval_expr(u->c, x->l) < want;
	bool right = eval_expr(u->c, x->r) < want;

	if (left)
		unmet_expr(u, x->l, want, false);
	if (left && right)
		strbuf_addstr(u->out, " and ");
	if (right)
		unmet_expr(u, x->r, want, false);
}

static void unmet_expr(struct unmet *u, lkc_expr e, enum lkc_tri want,
		       bool inside_or)
{
	const struct lkc_tree *t = u->c->tree;
	const struct expr *x = expr_get(t, e);
	bool paren = inside_or ? x->op == LKC_OP_AND : x->op == LKC_OP_OR;
	char *text;

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
		unmet_and(u, e, want);
		break;
	case LKC_OP_OR:
		unmet_or(u, e, want);
		break;
	default:
		text = lkc_expr_text(t, e, NULL);
		strbuf_addstr(u->out, text ? text : "");
		free(text);
		if (lkc_sym_is_config(t, x->l))
			add_now(u, x->l);
		break;
	}
	if (paren)
		strbuf_addch(u->out, ')');
}

char *lkc_unmet_text(const struct lkc_config *c, lkc_expr e, enum lkc_tri want)
{
	struct strbuf out = {0};
	struct unmet u = { .c = c, .out = &out };

	if (eval_expr(c, e) < want) {
		strbuf_addstr(&out, "needs ");
		unmet_expr(&u, e, want, false);
	}
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
			    lkc_sym_name(t, p->sym), eval_string(c, p->sym));
		add_prop_place(t, p, out);
	}
}

static void why_default(const struct lkc_config *c, lkc_sym sym,
			struct strbuf *out)
{
	const struct prop *p = eval_default(c, sym);
	char *text;

	if (!p)
		return;
	text = lkc_expr_text(c->tree, p->a, c);
	strbuf_addf(out, "; default %s", text ? text : "");
	free(text);
	if (p->own != EXPR_Y) {
		text = lkc_expr_text(c->tree, p->own, c);
		strbuf_addf(out, " if %s", text ? text : "");
		free(text);
	}
	add_prop_place(c->tree, p, out);
}

/* The user's value, where it is not the one in force. */
static void why_not_asked(const struct lkc_config *c, lkc_sym sym,
			  struct strbuf *out)
{
	const char *asked = lkc_user_value(c, sym);
	char *text;

	if (!asked || strcmp(asked, eval_string(c, sym)) == 0)
		return;
	text = lkc_unmet_text(c, sym_get(c->tree, sym)->prompt_cond, LKC_YES);
	strbuf_addf(out, "; %s was asked for", asked);
	if (text && *text)
		strbuf_addf(out, " but %s", text);
	free(text);
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
