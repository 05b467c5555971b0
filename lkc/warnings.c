// SPDX-License-Identifier: GPL-2.0-only
/*
 * warnings - what conf says of a configuration
 */
#include <stdlib.h>

#include "base/strbuf.h"
#include "config.h"

/* The selects of @sym that amount to @level, one a line. */
static void add_selectors(const struct lkc_config *c, lkc_sym sym,
			  enum lkc_tri level, struct strbuf *out)
{
	const struct lkc_tree *t = c->tree;
	const struct symbol *s = sym_get(t, sym);
	bool headed = false;
	uint32_t i;

	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];
		enum lkc_tri v = c->value[p->sym].tri;
		enum lkc_tri cond = eval_expr(c, p->cond);
		char *text;

		if (p->kind != PROP_SELECT || (cond < v ? cond : v) != level)
			continue;
		if (!headed)
			strbuf_addf(out, "  Selected by [%c]:\n",
				    level == LKC_YES ? 'y' : 'm');
		headed = true;
		strbuf_addf(out, "  - %s [=%s]",
			    t->syms.v[p->sym].name ? t->syms.v[p->sym].name :
			    "<choice>", eval_string(c, p->sym));
		if (p->cond != EXPR_Y) {
			bool paren = expr_get(t, p->cond)->op == LKC_OP_OR;

			text = lkc_expr_text(t, p->cond, c);
			strbuf_addf(out, paren ? " && (%s)" : " && %s",
				    text ? text : "");
			free(text);
		}
		strbuf_addch(out, '\n');
	}
}

static void warn_unmet(const struct lkc_config *c, lkc_sym sym,
		       struct lkc_diags *diags)
{
	const struct symbol *s = sym_get(c->tree, sym);
	enum lkc_tri dep = c->value[sym].dep;
	char *text = lkc_expr_text(c->tree, s->depends, c);
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

int lkc_config_warnings(const struct lkc_config *c, struct lkc_diags *diags)
{
	const struct lkc_tree *t = c->tree;
	lkc_sym i;

	for (i = 0; i < t->syms.n; i++) {
		const struct symbol *s = sym_get(t, i);

		if (!(s->flags & SYMBOL_DEFINED) || !type_is_tri(s->type))
			continue;
		/* since 6.12, a choice decides alone over its members */
		if (s->choice != LKC_NONE && t->dialect >= DIALECT_6_12)
			continue;
		if (c->value[i].dep < c->value[i].sel)
			warn_unmet(c, i, diags);
	}
	return 0;
}
