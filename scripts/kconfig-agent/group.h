/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group - one question of the walk: a few items of one menu, of one kind
 *
 * A group is what a provider is asked. Providers that read prose get it as
 * messages (prompt.h); the knowledge provider reads this structure. Either way
 * the reply is the same JSON text, so that there is one parser (answer.h):
 *
 *	{"answers":[{"name":"PREEMPT","value":"y",
 *	             "reason":"latency matters","confidence":0.8}, ...]}
 *
 * kind     name                          value
 * menu     "menu:N", N the item's number "open", "skip" or "unsure"
 *          in the group, from 1
 * bool     the symbol                    "y", "m", "n", "keep", "unsure"
 * choice   the member to choose          "y"; or "keep", "unsure" with any
 *                                        member as name
 * value    the symbol                    a literal, "keep", "unsure"
 *
 * An item that is not mentioned counts as "keep" ("skip" for menus).
 */
#ifndef KA_GROUP_H
#define KA_GROUP_H

#include <stddef.h>

#include <lkc/lkc.h>

enum group_kind {
	GROUP_MENU,
	GROUP_BOOL,
	GROUP_CHOICE,
	GROUP_VALUE,
};

#define GROUP_BOOL_MAX 12	/* symbols in one bool group */

/* An item. Menus have @entry only, and @sym if they are a menuconfig. */
struct group_item {
	lkc_menu entry;
	lkc_sym sym;
};

struct group {
	enum group_kind kind;
	lkc_menu menu;			/* the menu that all items stand in */
	lkc_sym choice;			/* GROUP_CHOICE: the choice */
	struct group_item *items;
	size_t n;
	const struct lkc_config *config;	/* as it is now */
	const char *goal;
	/* what came before in this menu, for repair rounds; see prompt.h */
	unsigned int round;		/* 0: first asking */
};

/* "menu", "bool", "choice", "value". */
const char *group_kind_name(enum group_kind kind);

#endif
