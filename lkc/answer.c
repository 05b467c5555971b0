// SPDX-License-Identifier: GPL-2.0-only
/*
 * answer - what conf makes of an answer to one of its questions, and which
 * symbols it takes for new and asks about
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "config.h"

/* ---- what is new -------------------------------------------------------- */

static bool differs(const struct lkc_config *c)
{
	const struct lkc_tree *t = c->tree;
	lkc_sym i;

	for (i = SYM_Y + 1; i < t->syms.n; i++) {
		const struct symbol *s = sym_get(t, i);
		const struct user *u = &c->user[i];
		const struct value *v = &c->value[i];

		if (s->flags & (SYMBOL_CHOICE | SYMBOL_TRANSITIONAL))
			continue;
		if (u->set != v->write)
			return true;
		if (!u->set)
			continue;
		if (type_is_tri(s->type) ? u->tri != v->tri :
		    strcmp(u->str, eval_string(c, i)) != 0)
			return true;
	}
	return false;
}

static void forget_hidden(struct lkc_config *c)
{
	const struct lkc_tree *t = c->tree;
	lkc_sym i;

	for (i = SYM_Y + 1; i < t->syms.n; i++) {
		if (c->value[i].vis == LKC_NO && c->user[i].set &&
		    sym_get(t, i)->choice == LKC_NONE) {
			c->user[i].set = false;
			config_touch(c, i);
		}
	}
}

void config_forget_partial_choices(struct lkc_config *c)
{
	const struct lkc_tree *t = c->tree;
	lkc_sym i;
	uint32_t j;

	if (t->dialect >= DIALECT_6_12)
		return;
	for (i = SYM_Y + 1; i < t->syms.n; i++) {
		const struct symbol *s = sym_get(t, i);

		if (!(s->flags & SYMBOL_CHOICE) || !c->user[i].set ||
		    c->value[i].tri != LKC_YES)
			continue;
		for (j = 0; j < s->members.n; j++) {
			lkc_sym m = t->members.v[s->members.at + j];

			if (c->value[m].vis != LKC_NO && !c->user[m].set)
				c->user[i].set = false;
		}
		config_touch(c, i);
	}
}

bool lkc_config_finish_read(struct lkc_config *c)
{
	bool changed = differs(c);

	if (!changed)
		forget_hidden(c);
	config_forget_partial_choices(c);
	return changed;
}

bool lkc_value_new(const struct lkc_config *c, lkc_sym sym)
{
	return !c->user[sym].set;
}

void lkc_value_make_old(struct lkc_config *c, lkc_sym sym)
{
	c->user[sym].set = true;
	config_touch(c, sym);
}

/* ---- answers ------------------------------------------------------------ */

bool lkc_value_possible(const struct lkc_config *c, lkc_sym sym,
			enum lkc_tri v)
{
	enum lkc_type type = eval_type(c, sym);
	const struct value *now = &c->value[sym];

	if (!type_is_tri(type) || now->vis <= now->sel ||
	    (type == LKC_BOOL && v == LKC_MOD))
		return false;
	if (sym_get(c->tree, sym)->choice != LKC_NONE && now->vis == LKC_YES)
		return v == LKC_YES;
	return v >= now->sel && v <= now->vis;
}

/* What nothing follows from is not computed before something else changes. */
static int settle(struct lkc_config *c, bool changed)
{
	int err;

	if (!changed)
		return 0;
	config_forget_partial_choices(c);
	err = config_settle(c);
	/* which takes effect when conf computes the next time */
	config_forget_partial_choices(c);
	return err ? err : 1;
}

/*
 * The member of a choice that is chosen makes all that are visible old. True
 * if it was another.
 */
static bool choose(struct lkc_config *c, lkc_sym sym)
{
	const struct lkc_tree *t = c->tree;
	lkc_sym choice = sym_get(t, sym)->choice;
	const struct symbol *s = sym_get(t, choice);
	bool modern = t->dialect >= DIALECT_6_12;
	uint32_t i;

	for (i = 0; i < s->members.n; i++) {
		lkc_sym m = t->members.v[s->members.at + i];

		if (m == sym || c->value[m].vis == LKC_NO)
			continue;
		c->user[m].set = true;
		if (modern) {
			c->user[m].tri = LKC_NO;
			c->user[m].seq = ++c->seq;
		}
	}
	if (!modern)
		c->user[choice].set = true;
	c->user[sym] = (struct user) {
		.set = true, .tri = LKC_YES, .seq = ++c->seq,
	};
	config_touch(c, choice);
	return c->value[sym].tri != LKC_YES;
}

int lkc_config_answer_tri(struct lkc_config *c, lkc_sym sym, enum lkc_tri v)
{
	struct user *u = &c->user[sym];
	bool changed;

	if (c->txn)
		return LKC_ESTATE;
	if (c->value[sym].tri != v && !lkc_value_possible(c, sym, v))
		return LKC_EREJECTED;
	if (v == LKC_YES && sym_get(c->tree, sym)->choice != LKC_NONE) {
		changed = choose(c, sym);
	} else {
		u->set = true;
		u->tri = v;
		u->seq = ++c->seq;
		changed = c->value[sym].tri != v;
		config_touch(c, sym);
	}
	return settle(c, changed);
}

static bool text_possible(const struct lkc_config *c, lkc_sym sym,
			  const char *s)
{
	enum lkc_type type = sym_get(c->tree, sym)->type;
	int64_t low, high, v;

	if (!value_valid(type, s))
		return false;
	if (type == LKC_STRING || !lkc_range(c, sym, &low, &high, NULL))
		return true;
	v = strtoll(s, NULL, type == LKC_HEX ? 16 : 10);
	return v >= low && v <= high;
}

int lkc_config_answer_text(struct lkc_config *c, lkc_sym sym, const char *s)
{
	struct user *u = &c->user[sym];
	struct strbuf text = {0};
	const char *str;
	bool changed;

	if (c->txn)
		return LKC_ESTATE;
	if (!text_possible(c, sym, s))
		return LKC_EREJECTED;
	if (sym_get(c->tree, sym)->type == LKC_HEX &&
	    !(s[0] == '0' && (s[1] == 'x' || s[1] == 'X')))
		strbuf_addstr(&text, "0x");
	strbuf_addstr(&text, s);
	str = text.err ? NULL : config_intern(c, strbuf_str(&text));
	strbuf_free(&text);
	if (!str)
		return LKC_ENOMEM;
	changed = !u->set || u->str != str;
	*u = (struct user) { .set = true, .str = str, .seq = ++c->seq };
	config_touch(c, sym);
	return settle(c, changed);
}
