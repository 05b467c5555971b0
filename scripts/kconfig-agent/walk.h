/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walk - which questions are asked, and in which order
 *
 * A menu, for the walk, is what menuconfig shows as one screen: what stands
 * below the root, a menu or a menuconfig, down to the next menu or menuconfig.
 * Entries that depend on an ordinary config entry are shown indented below it,
 * on the same screen, so they belong to the same menu here.
 *
 * Of each menu that was decided to be opened, the walk gives first the menus
 * in it that have something to ask (a GROUP_MENU, for that decision), then its
 * own symbols and choices, then what is in its menus, one after the other: so,
 * depth first. It looks at the configuration as it is at that moment: what a
 * commit has made visible is asked next, what has become invisible is not asked
 * at all. Each symbol is given at most once, a choice again if it has a member by
 * then that it did not show before. A symbol that has only one possible value as
 * things are is not asked about.
 *
 * Everything depends on the tree, the configuration and the decisions only: the
 * same answers give the same walk.
 */
#ifndef KA_WALK_H
#define KA_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lkc/lkc.h>

struct group;
struct walk;

#define WALK_MENUS_MAX 32	/* menus in one GROUP_MENU */

/*
 * A walk over the tree of @c, which must stay until walk_free() and may change
 * between the calls. Returns 0 or -ENOMEM.
 */
int walk_new(const struct lkc_config *c, struct walk **out);
void walk_free(struct walk *w);

/*
 * Confines the walk to @m and what is below it; further calls add to that. The
 * menus that lead there count as opened. To be called before walk_next().
 */
void walk_scope(struct walk *w, lkc_menu m);

/*
 * Fills @g with the next question (kind, menu, choice, items, config); goal and
 * round are the caller's. Its items are asked about from then on. Returns 1; 0
 * if there is nothing left to ask; or -ENOMEM. End with walk_group_free().
 */
int walk_next(struct walk *w, struct group *g);
/* Frees what walk_next() put into @g. */
void walk_group_free(struct group *g);

/* What was decided about a menu. */
enum walk_decision {
	WALK_UNDECIDED,
	WALK_OPEN,
	WALK_SKIP,
	WALK_UNSURE,		/* not opened: it is not known if it matters */
	WALK_FAILED,		/* not opened: there was no usable answer */
};

/*
 * Decides about the menu @m, because of @why (copied; NULL for no reason). What
 * is not WALK_OPEN is not descended into. Out of memory loses the reason only.
 */
void walk_decide(struct walk *w, lkc_menu m, enum walk_decision d,
		 const char *why);

/* Is @m a menu within the scope about which nothing was decided yet? */
bool walk_may_open(const struct walk *w, lkc_menu m);

/* What walk_update() found. */
struct walk_moves {
	const lkc_menu *appeared;	/* to be asked about from now on */
	size_t n_appeared;
	const lkc_menu *vanished;	/* would have been asked about */
	size_t n_vanished;
};

/*
 * To be called after the configuration changed: what became visible in menus
 * that were not decided against, and what was dropped, in menu order. Only
 * what was not asked about counts. @moves is valid until the next call. Returns
 * 0 or -ENOMEM.
 */
int walk_update(struct walk *w, struct walk_moves *moves);

/* What became of a menu, for reports. */
enum walk_fate {
	WALK_FATE_ASKED,	/* something in it was asked about */
	WALK_FATE_EMPTY,	/* opened, but there was nothing to ask */
	WALK_FATE_SKIPPED,	/* a provider said so: see the reason */
	WALK_FATE_UNSURE,
	WALK_FATE_FAILED,
	WALK_FATE_WITHIN,	/* in a menu that was not opened */
	WALK_FATE_HIDDEN,	/* nothing in it was ever visible */
	WALK_FATE_STOPPED,	/* the walk ended before */
	WALK_FATE_OUTSIDE,	/* not within the scope */
	WALK_FATES
};

/* "asked", "empty", "skipped", ... */
const char *walk_fate_name(enum walk_fate fate);
/* Is @m a menu in the sense of the walk? */
bool walk_is_menu(const struct walk *w, lkc_menu m);
/* What has become of the menu @m so far; @why is "" if there is no reason. */
enum walk_fate walk_fate(const struct walk *w, lkc_menu m, const char **why);

/* Symbols and choices that were given out, and those visible but never. */
struct walk_counts {
	size_t asked;
	size_t unasked;		/* visible, with a choice to make, within scope */
};

void walk_count(const struct walk *w, struct walk_counts *counts);

#endif
