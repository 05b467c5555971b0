// SPDX-License-Identifier: GPL-2.0-only
/*
 * random - randconfig
 *
 * A seed is to give the very configuration that conf makes of it, so that a
 * failed build can be made again: what is drawn for whom, in which order, and
 * where no lot is drawn, all counts.
 */
#include <stdlib.h>

#include "config.h"
#include "order.h"

static enum lkc_tri draw_tri(const struct lkc_lots *lots, enum lkc_type type)
{
	int lot = lots->draw(lots->ctx) % 100;

	if (type == LKC_BOOL)
		return lot < lots->bool_y ? LKC_YES : LKC_NO;
	if (lot < lots->tri_y)
		return LKC_YES;
	return lot < lots->tri_y + lots->tri_m ? LKC_MOD : LKC_NO;
}

static lkc_sym member(const struct lkc_tree *t, lkc_sym choice, uint32_t i)
{
	return t->members.v[sym_get(t, choice)->members.at + i];
}

/* ---- before 6.12 -------------------------------------------------------- */

/* One member is y. False: the choice itself does not call for one. */
static bool draw_member(struct lkc_config *c, const struct lkc_lots *lots,
			lkc_sym choice)
{
	uint32_t n = sym_get(c->tree, choice)->members.n, lot, i;

	if (c->user[choice].set || c->value[choice].tri != LKC_YES || !n)
		return false;
	lot = (uint32_t)lots->draw(lots->ctx) % n;
	for (i = 0; i < n; i++) {
		struct user *u = &c->user[member(c->tree, choice, i)];

		*u = (struct user) {
			.set = true, .tri = i == lot ? LKC_YES : LKC_NO,
			.seq = i == lot ? ++c->seq : 0,
		};
	}
	c->user[choice].set = true;
	config_touch(c, choice);
	return true;
}

static int draw_by_hash(struct lkc_config *c, const struct lkc_lots *lots)
{
	const struct lkc_tree *t = c->tree;
	bool changed = true;
	uint32_t i, n;
	lkc_sym *order;
	int err;

	order = order_hash(t, &n);
	if (!order)
		return LKC_ENOMEM;
	for (i = 0; i < n; i++) {
		const struct symbol *s = sym_get(t, order[i]);
		struct user *u = &c->user[order[i]];

		if (!type_is_tri(s->type) || u->set)
			continue;
		u->tri = draw_tri(lots, s->type);
		/* a choice is the user's only if a member is drawn */
		u->set = !(s->flags & SYMBOL_CHOICE);
	}
	err = config_evaluate(c);
	/* a member that was drawn may make another choice visible */
	while (changed && !err) {
		changed = false;
		for (i = 0; i < n && !err; i++) {
			if (!(sym_get(t, order[i])->flags & SYMBOL_CHOICE) ||
			    !draw_member(c, lots, order[i]))
				continue;
			changed = true;
			err = config_settle(c);
		}
	}
	free(order);
	return err;
}

/* ---- since 6.12 --------------------------------------------------------- */

/*
 * Members are put into an order, the first of which that is visible wins; but
 * what the user has asked for goes before.
 */
static void draw_order(struct lkc_config *c, const struct lkc_lots *lots,
		       lkc_sym choice)
{
	uint32_t n = sym_get(c->tree, choice)->members.n, left = 0, lot, i;

	for (i = 0; i < n; i++)
		left += !c->user[member(c->tree, choice, i)].set;
	for (; left; left--) {
		lot = (uint32_t)lots->draw(lots->ctx) % left;
		for (i = 0; i < n; i++) {
			struct user *u = &c->user[member(c->tree, choice, i)];

			if (u->set || lot--)
				continue;
			*u = (struct user) {
				.set = true, .tri = LKC_YES, .seq = left,
			};
			break;
		}
	}
}

static int draw_by_menu(struct lkc_config *c, const struct lkc_lots *lots)
{
	const struct lkc_tree *t = c->tree;
	uint32_t i;

	/* room below for the members that are drawn */
	for (i = 0; i < t->syms.n; i++)
		c->user[i].seq += c->user[i].seq ? t->syms.n : 0;
	c->seq += t->syms.n;
	for (i = 1; i < t->entries.n; i++) {
		const struct entry *e = &t->entries.v[i];
		const struct symbol *s;

		if (e->sym == LKC_NONE || e->prompt == LKC_NONE)
			continue;
		s = sym_get(t, e->sym);
		if (s->flags & SYMBOL_CHOICE) {
			draw_order(c, lots, e->sym);
		} else if (type_is_tri(s->type) && s->choice == LKC_NONE &&
			   !c->user[e->sym].set) {
			c->user[e->sym].tri = draw_tri(lots, s->type);
			c->user[e->sym].set = true;
		}
	}
	return config_evaluate(c);
}

int lkc_config_set_random(struct lkc_config *c, const struct lkc_lots *lots)
{
	if (c->txn)
		return LKC_ESTATE;
	if (c->tree->dialect >= DIALECT_6_12)
		return draw_by_menu(c, lots);
	return draw_by_hash(c, lots);
}
