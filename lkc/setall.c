// SPDX-License-Identifier: GPL-2.0-only
/*
 * setall - allnoconfig, allyesconfig, allmodconfig, alldefconfig; and
 * yes2modconfig and the like
 */
#include "config.h"

static enum lkc_tri wanted(const struct symbol *s, enum lkc_set_all mode)
{
	switch (mode) {
	case LKC_ALL_YES:
		return LKC_YES;
	case LKC_ALL_MOD:
		return LKC_MOD;
	default:
		return s->flags & SYMBOL_ALLNO_Y ? LKC_YES : LKC_NO;
	}
}

/*
 * Since 6.12, members of choices are left to the choice, and so is what no
 * entry shows; before, every bool and tristate is set, choices included.
 */
static bool applies(const struct lkc_tree *t, lkc_sym sym)
{
	const struct symbol *s = sym_get(t, sym);

	if (!type_is_tri(s->type) || (s->flags & SYMBOL_CONST))
		return false;
	if (t->dialect < DIALECT_6_12)
		return true;
	return s->choice == LKC_NONE && lkc_sym_prompt(t, sym);
}

int lkc_config_set_all(struct lkc_config *c, enum lkc_set_all mode)
{
	const struct lkc_tree *t = c->tree;
	lkc_sym i;

	if (c->txn)
		return LKC_ESTATE;
	for (i = 0; i < t->syms.n && mode != LKC_ALL_DEF; i++) {
		if (c->user[i].set || !applies(t, i))
			continue;
		c->user[i] = (struct user) {
			.tri = wanted(sym_get(t, i), mode), .set = true,
		};
	}
	return config_evaluate(c);
}

int lkc_config_rewrite(struct lkc_config *c, enum lkc_tri from,
		       enum lkc_tri to)
{
	lkc_sym i;

	if (c->txn)
		return LKC_ESTATE;
	config_forget_partial_choices(c);
	for (i = SYM_Y + 1; i < c->tree->syms.n; i++) {
		struct user *u = &c->user[i];

		if (!u->set || eval_type(c, i) != LKC_TRISTATE ||
		    u->tri != from)
			continue;
		u->tri = to;
	}
	return config_evaluate(c);
}
