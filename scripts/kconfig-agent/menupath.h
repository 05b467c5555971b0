/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * menupath - ways through the menus, and where something stands, in words
 */
#ifndef KA_MENUPATH_H
#define KA_MENUPATH_H

#include <lkc/lkc.h>

struct strbuf;

/* Is @m a menu or a menuconfig, which is shown as a screen of its own? */
bool menupath_is_menu(const struct lkc_tree *tree, lkc_menu m);
/*
 * The entry that follows @m in the files, below @top (LKC_NONE: anywhere), with
 * what is below @m if @into; LKC_NONE after the last one. To visit all that is
 * below @top, begin with m = @top.
 */
lkc_menu menupath_next(const struct lkc_tree *tree, lkc_menu m, bool into,
		       lkc_menu top);

/*
 * Adds the prompts of the menus that lead to @m, and its own, with " > " between
 * them: "Networking support > Networking options". The root is left out, so
 * that there is nothing for it.
 */
void menupath_add(struct strbuf *b, const struct lkc_tree *tree, lkc_menu m);

/*
 * The menu entry that @text means: the prompts that lead there from the root
 * with "/" (or " > ") between them, or as many of the last ones as make it
 * unmistakable, or the name of a symbol. Upper and lower case are the same.
 * LKC_NONE if there is none or more than one; @why then says so, and what is
 * near.
 */
lkc_menu menupath_find(const struct lkc_tree *tree, const char *text,
		       struct strbuf *why);

#endif
