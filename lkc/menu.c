// SPDX-License-Identifier: GPL-2.0-only
/*
 * menu - from entries as written to the tree that people see
 *
 * Entries are numbered as they were read, which is the order of the menu tree
 * before and after: making submenus moves an entry down to a parent before it,
 * never past a sibling.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define NOBLOCK LKC_NONE

/* ---- conditions --------------------------------------------------------- */

/*
 * What everything in @block depends on. Before 6.12, the members of a choice
 * depend on the choice itself, whose value bounds theirs; since then, on what
 * the choice depends on, whether its own prompt is visible or not.
 */
static lkc_expr block_depends(struct loader *ld, lkc_menu block)
{
	const struct entry *b = &ld->tree->entries.v[block];

	if (b->kind == LKC_ENTRY_CHOICE && ld->dialect < DIALECT_6_12)
		return build_expr_sym(ld, b->sym);
	return b->depends;
}

/*
 * Direct dependencies: any definition that has some and has them met will do.
 * One that has none does not count beside those, as it does not for conf.
 */
static void finalize_depends(struct loader *ld)
{
	struct lkc_tree *t = ld->tree;
	lkc_expr cond;
	uint32_t i;

	for (i = 0; i < t->entries.n; i++) {
		if (t->entries.v[i].sym != LKC_NONE)
			t->syms.v[t->entries.v[i].sym].depends = EXPR_Y;
	}
	for (i = 0; i < t->entries.n && !ld->err; i++) {
		const struct entry *e = &t->entries.v[i];
		lkc_sym sym = e->sym;

		if (sym == LKC_NONE || e->depends == EXPR_Y)
			continue;
		cond = t->syms.v[sym].depends == EXPR_Y ? e->depends :
			build_expr_or(ld, t->syms.v[sym].depends, e->depends);
		t->syms.v[sym].depends = cond;
	}
}

/* What is written as @own; EXPR_Y if nothing is. */
static lkc_expr written_condition(struct loader *ld, lkc_expr own)
{
	lkc_expr e = expr_condition(ld, own);

	return e == EXPR_Y && own != EXPR_Y ? EXPR_WRITTEN_Y : e;
}

static void finalize_conditions(struct loader *ld)
{
	struct lkc_tree *t = ld->tree;
	/* "visible if" of an entry and of all menus around it, innermost first */
	lkc_expr *shown = malloc(t->entries.n * sizeof(*shown));
	lkc_expr cond;
	uint32_t i;

	if (!shown) {
		ld->err = LKC_ENOMEM;
		return;
	}
	shown[0] = EXPR_Y;
	for (i = 1; i < t->entries.n && !ld->err; i++) {
		lkc_menu block = t->entries.v[i].block;
		lkc_expr outer = block_depends(ld, block);
		lkc_expr own = written_condition(ld, t->entries.v[i].own);
		lkc_expr visible = written_condition(ld, t->entries.v[i].visible);

		t->entries.v[i].depends = build_expr_and(ld, outer, own);
		t->entries.v[i].visible = visible;
		shown[i] = build_expr_and(ld, visible, shown[block]);
	}
	for (i = 0; i < t->props.n && !ld->err; i++) {
		const struct entry *e = &t->entries.v[t->props.v[i].entry];

		cond = written_condition(ld, t->props.v[i].own);
		if (!t->props.v[i].free)
			cond = build_expr_and(ld, e->depends, cond);
		if (t->props.v[i].kind == PROP_PROMPT &&
		    t->props.v[i].sym != LKC_NONE)
			cond = build_expr_and(ld, cond, shown[e->block]);
		t->props.v[i].cond = cond;
	}
	free(shown);
	finalize_depends(ld);
}

static void finalize_prompts(struct loader *ld)
{
	struct lkc_tree *t = ld->tree;
	uint32_t i;

	for (i = 0; i < t->props.n && !ld->err; i++) {
		const struct prop *p = &t->props.v[i];
		lkc_sym sym = p->sym;
		lkc_expr cond;

		if (p->kind != PROP_PROMPT || sym == LKC_NONE)
			continue;
		cond = build_expr_or(ld, t->syms.v[sym].prompt_cond, p->cond);
		t->syms.v[sym].prompt_cond = cond;
	}
}

/* ---- the tree that people see ------------------------------------------- */

static bool has_prompt(const struct lkc_tree *t, lkc_menu e)
{
	return t->entries.v[e].prompt != LKC_NONE &&
	       *t->props.v[t->entries.v[e].prompt].text;
}

/* The condition by which an entry may become a submenu of another. */
static lkc_expr shown_if(const struct lkc_tree *t, const struct entry *e)
{
	return e->prompt != LKC_NONE ? t->props.v[e->prompt].cond : e->depends;
}

/*
 * True if @e belongs under @head: its condition requires head's symbol, or
 * mentions it and includes all of head's own condition.
 */
static bool is_below(struct loader *ld, lkc_menu e, lkc_menu head)
{
	const struct lkc_tree *t = ld->tree;
	const struct entry *h = &t->entries.v[head];
	lkc_expr cond = shown_if(t, &t->entries.v[e]);
	lkc_expr base;

	if (!expr_mentions(t, cond, h->sym))
		return false;
	if (expr_requires(t, cond, h->sym))
		return true;
	base = h->prompt != LKC_NONE ? t->props.v[h->prompt].cond : EXPR_Y;
	return expr_covers(ld, cond, base);
}

/*
 * Gives each entry its parent. For every open block a stack of possible
 * parents is kept: symbols each of which is below the one under it.
 */
static void finalize_parents(struct loader *ld)
{
	struct lkc_tree *t = ld->tree;
	lkc_menu *head;		/* per block: top of its stack, or NOBLOCK */
	uint32_t i;

	head = malloc(t->entries.n * sizeof(*head));
	if (!head) {
		ld->err = LKC_ENOMEM;
		return;
	}
	for (i = 0; i < t->entries.n; i++)
		head[i] = NOBLOCK;
	for (i = 1; i < t->entries.n && !ld->err; i++) {
		lkc_menu block = t->entries.v[i].block;
		lkc_menu up = head[block];

		while (up != NOBLOCK && !is_below(ld, i, up))
			up = t->entries.v[up].parent == block ? NOBLOCK :
				t->entries.v[up].parent;
		t->entries.v[i].parent = up == NOBLOCK ? block : up;
		head[block] = up;
		if (t->entries.v[i].sym != LKC_NONE && !t->entries.v[i].open)
			head[block] = i;
	}
	free(head);
}

/* Every entry after those below it; to be freed. */
static lkc_menu *bottom_up(struct loader *ld)
{
	const struct lkc_tree *t = ld->tree;
	lkc_menu *order = malloc((t->entries.n + 1) * sizeof(*order));
	lkc_menu up = 0;
	uint32_t i, n = 0;

	if (!order) {
		ld->err = LKC_ENOMEM;
		return NULL;
	}
	/* @up is the entry before; it and its parents end where @i is above */
	for (i = 1; i < t->entries.n; i++) {
		while (up != t->entries.v[i].parent) {
			order[n++] = up;
			up = t->entries.v[up].parent;
		}
		up = i;
	}
	for (; up != NOBLOCK; up = t->entries.v[up].parent)
		order[n++] = up;
	return order;
}

/* Entries without a prompt are transparent; then siblings are linked. */
static void finalize_links(struct loader *ld)
{
	struct lkc_tree *t = ld->tree;
	uint32_t i;

	for (i = 1; i < t->entries.n; i++) {
		lkc_menu up = t->entries.v[i].parent;

		/* parents have smaller numbers, and are done already */
		if (up != 0 && !has_prompt(t, up))
			t->entries.v[i].parent = t->entries.v[up].parent;
	}
	for (i = t->entries.n - 1; i > 0; i--) {
		struct entry *e = &t->entries.v[i];
		struct entry *up = &t->entries.v[e->parent];

		e->next = up->child;
		up->child = i;
	}
}

/* ---- choices ------------------------------------------------------------ */

static void member_add(struct loader *ld, lkc_sym choice, lkc_menu entry)
{
	struct lkc_tree *t = ld->tree;
	lkc_sym sym = t->entries.v[entry].sym;

	if (t->syms.v[sym].choice != LKC_NONE)
		return;
	t->syms.v[sym].choice = choice;
	if (!vec_push(&t->members, sym))
		ld->err = LKC_ENOMEM;
}

/*
 * 6.1: the direct children, those of entries without a prompt included; what
 * became a submenu of a member is none. Since 6.12: every config inside.
 */
static bool is_member(const struct loader *ld, lkc_menu choice, lkc_menu entry)
{
	const struct lkc_tree *t = ld->tree;
	const struct entry *e = &t->entries.v[entry];
	lkc_menu up;

	if (e->sym == LKC_NONE || e->sym <= SYM_Y ||
	    (t->syms.v[e->sym].flags & SYMBOL_CHOICE))
		return false;
	if (ld->dialect < DIALECT_6_12) {
		up = e->parent;
		while (up > choice && !has_prompt(t, up))
			up = t->entries.v[up].parent;
		return up == choice;
	}
	for (up = e->block; up != NOBLOCK; up = t->entries.v[up].block) {
		if (up == choice)
			return true;
		if (t->entries.v[up].kind != LKC_ENTRY_IF)
			return false;
	}
	return false;
}

/* A choice has the type of its first member that has one, and gives its own. */
static void choice_types(struct loader *ld, lkc_sym choice)
{
	struct lkc_tree *t = ld->tree;
	struct symbol *c = &t->syms.v[choice];
	uint32_t i;

	for (i = 0; i < c->members.n && c->type == LKC_UNKNOWN; i++)
		c->type = t->syms.v[t->members.v[c->members.at + i]].type;
	/* since 6.12, a member without a type is an error: see check.c */
	for (i = 0; i < c->members.n && ld->dialect < DIALECT_6_12; i++) {
		struct symbol *m = &t->syms.v[t->members.v[c->members.at + i]];

		if (m->type == LKC_UNKNOWN)
			m->type = c->type;
	}
}

/* In a tristate choice, bool members exist only while it is y. */
static void choice_bool_members(struct loader *ld)
{
	struct lkc_tree *t = ld->tree;
	uint32_t i;

	for (i = 0; i < t->props.n && !ld->err; i++) {
		const struct prop *p = &t->props.v[i];
		lkc_sym choice = p->sym == LKC_NONE ? LKC_NONE :
			t->syms.v[p->sym].choice;
		lkc_expr cond;

		if (choice == LKC_NONE ||
		    t->syms.v[choice].type != LKC_TRISTATE ||
		    t->syms.v[p->sym].type == LKC_TRISTATE)
			continue;
		cond = build_expr_and(ld, build_expr_cmp(ld, LKC_OP_EQ, choice,
							 SYM_Y), p->cond);
		t->props.v[i].cond = cond;
	}
}

static void choice_collect(struct loader *ld, lkc_menu choice)
{
	struct lkc_tree *t = ld->tree;
	lkc_sym sym = t->entries.v[choice].sym;
	lkc_menu i;

	for (i = choice + 1; i < t->entries.n && !ld->err; i++) {
		lkc_menu up = t->entries.v[i].block;

		while (up != NOBLOCK && up > choice)
			up = t->entries.v[up].block;
		if (up != choice)
			break;
		if (is_member(ld, choice, i))
			member_add(ld, sym, i);
	}
}

/* Gives each choice its slice of the members; a choice may have many entries. */
static void index_members(struct loader *ld)
{
	struct lkc_tree *t = ld->tree;
	uint32_t n = t->members.n, i, at = 0;
	lkc_sym *found = t->members.v;

	t->members.v = malloc((n + 1) * sizeof(*found));
	t->members.cap = n + 1;
	if (!t->members.v)
		ld->err = LKC_ENOMEM;
	for (i = 0; i < n && !ld->err; i++)
		t->syms.v[t->syms.v[found[i]].choice].members.n++;
	for (i = 0; i < t->syms.n && !ld->err; i++) {
		struct slice *s = &t->syms.v[i].members;

		s->at = at;
		at += s->n;
		s->n = 0;
	}
	for (i = 0; i < n && !ld->err; i++) {
		struct slice *s =
			&t->syms.v[t->syms.v[found[i]].choice].members;

		t->members.v[s->at + s->n++] = found[i];
	}
	free(found);
}

static void finalize_choices(struct loader *ld)
{
	struct lkc_tree *t = ld->tree;
	uint32_t i;

	for (i = 0; i < t->entries.n && !ld->err; i++) {
		if (t->entries.v[i].kind == LKC_ENTRY_CHOICE)
			choice_collect(ld, i);
	}
	if (!ld->err)
		index_members(ld);
	for (i = 0; i < t->syms.n && !ld->err; i++) {
		if (t->syms.v[i].flags & SYMBOL_CHOICE)
			choice_types(ld, i);
	}
	if (!ld->err)
		choice_bool_members(ld);
}

/* ---- indexes ------------------------------------------------------------ */

/*
 * Sets the slices of all symbols for @n items whose symbol @key gives; they
 * are taken as @order has them, or as they are numbered.
 */
static uint32_t *index_by_symbol(struct loader *ld, size_t slice_offset,
				 uint32_t n, const uint32_t *order,
				 lkc_sym (*key)(const struct lkc_tree *,
						uint32_t))
{
	struct lkc_tree *t = ld->tree;
	uint32_t *items = malloc((n + 1) * sizeof(*items));
	uint32_t i, item, at = 0;
	struct slice *s;

	if (!items) {
		ld->err = LKC_ENOMEM;
		return NULL;
	}
#define SLICE(sym) ((struct slice *)((char *)&t->syms.v[sym] + slice_offset))
	for (i = 0; i < n; i++) {
		if (key(t, i) != LKC_NONE)
			SLICE(key(t, i))->n++;
	}
	for (i = 0; i < t->syms.n; i++) {
		s = SLICE(i);
		s->at = at;
		at += s->n;
		s->n = 0;
	}
	for (i = 0; i < n; i++) {
		item = order ? order[i] : i;
		if (key(t, item) == LKC_NONE)
			continue;
		s = SLICE(key(t, item));
		items[s->at + s->n++] = item;
	}
#undef SLICE
	return items;
}

/*
 * Properties in the order in which conf adds selects to their targets, which
 * shows in warnings and help: all that stands directly in a block, then what
 * stands in the first block in it, and so on.
 */
static uint32_t *props_by_block(struct loader *ld)
{
	const struct lkc_tree *t = ld->tree;
	uint32_t *order = malloc((t->props.n + 1) * sizeof(*order));
	uint32_t *at = calloc(t->entries.n + 1, sizeof(*at));
	uint32_t i;

	if (!order || !at) {
		ld->err = LKC_ENOMEM;
		free(order);
		order = NULL;
		goto out;
	}
	for (i = 0; i < t->props.n; i++)
		at[t->entries.v[t->props.v[i].entry].block + 1]++;
	for (i = 1; i < t->entries.n; i++)
		at[i] += at[i - 1];
	for (i = 0; i < t->props.n; i++)
		order[at[t->entries.v[t->props.v[i].entry].block]++] = i;
out:
	free(at);
	return order;
}

static lkc_sym prop_owner(const struct lkc_tree *t, uint32_t i)
{
	return t->props.v[i].sym;
}

static lkc_sym prop_target(const struct lkc_tree *t, uint32_t i)
{
	const struct prop *p = &t->props.v[i];

	return p->kind == PROP_SELECT || p->kind == PROP_IMPLY ? p->a :
		LKC_NONE;
}

static lkc_sym entry_owner(const struct lkc_tree *t, uint32_t i)
{
	return t->entries.v[i].sym;
}

void menu_finalize(struct loader *ld)
{
	struct lkc_tree *t = ld->tree;
	uint32_t *by_block = NULL;
	lkc_menu *order = NULL;

	finalize_conditions(ld);
	if (!ld->err)
		finalize_parents(ld);
	if (!ld->err)
		order = bottom_up(ld);
	if (ld->err)
		return;
	finalize_choices(ld);
	finalize_links(ld);
	if (!ld->err)
		finalize_prompts(ld);
	if (!ld->err)
		t->sym_props = index_by_symbol(ld,
				offsetof(struct symbol, props), t->props.n,
				NULL, prop_owner);
	if (!ld->err)
		by_block = props_by_block(ld);
	if (!ld->err)
		check_m_tests(ld, by_block);
	if (!ld->err)
		t->sym_reverse = index_by_symbol(ld,
				offsetof(struct symbol, reverse), t->props.n,
				by_block, prop_target);
	free(by_block);
	if (!ld->err)
		t->sym_entries = index_by_symbol(ld,
				offsetof(struct symbol, entries),
				t->entries.n, NULL, entry_owner);
	if (!ld->err)
		check_tree(ld, order);
	free(order);
}

/* ---- public ------------------------------------------------------------- */

static const struct entry *entry_get(const struct lkc_tree *t, lkc_menu m)
{
	return &t->entries.v[m];
}

lkc_menu lkc_menu_root(const struct lkc_tree *tree)
{
	(void)tree;
	return 0;
}

size_t lkc_menu_count(const struct lkc_tree *tree)
{
	return tree->entries.n;
}

enum lkc_entry_kind lkc_menu_kind(const struct lkc_tree *tree, lkc_menu m)
{
	return entry_get(tree, m)->kind;
}

lkc_menu lkc_menu_parent(const struct lkc_tree *tree, lkc_menu m)
{
	return entry_get(tree, m)->parent;
}

lkc_menu lkc_menu_child(const struct lkc_tree *tree, lkc_menu m)
{
	return entry_get(tree, m)->child;
}

lkc_menu lkc_menu_next(const struct lkc_tree *tree, lkc_menu m)
{
	return entry_get(tree, m)->next;
}

lkc_sym lkc_menu_sym(const struct lkc_tree *tree, lkc_menu m)
{
	return entry_get(tree, m)->sym;
}

const char *lkc_menu_prompt(const struct lkc_tree *tree, lkc_menu m)
{
	uint32_t prompt = entry_get(tree, m)->prompt;

	if (m == 0)
		return tree->title;
	return prompt == LKC_NONE ? NULL : tree->props.v[prompt].text;
}

const char *lkc_menu_help(const struct lkc_tree *tree, lkc_menu m)
{
	return entry_get(tree, m)->help;
}

void lkc_menu_place(const struct lkc_tree *tree, lkc_menu m,
		    struct lkc_place *place)
{
	struct diag_place p = build_place(tree, entry_get(tree, m)->span);

	*place = (struct lkc_place){ p.file, p.line, p.column };
}

lkc_expr lkc_menu_cond(const struct lkc_tree *tree, lkc_menu m)
{
	uint32_t prompt = entry_get(tree, m)->prompt;

	if (m == 0)
		return EXPR_Y;
	return prompt == LKC_NONE ? LKC_NONE : tree->props.v[prompt].cond;
}

lkc_expr lkc_menu_depends(const struct lkc_tree *tree, lkc_menu m)
{
	return entry_get(tree, m)->depends;
}

bool menu_heading_visible(const struct lkc_config *c, const struct entry *e)
{
	const struct lkc_tree *t = lkc_config_tree(c);

	return e->prompt != LKC_NONE &&
	       lkc_expr_value(c, e->visible) != LKC_NO &&
	       lkc_expr_value(c, t->props.v[e->prompt].cond) != LKC_NO;
}

/* Where a choice is y, a member that may only be m is none. */
static bool hidden_in_choice(const struct lkc_config *c, const struct entry *e)
{
	const struct lkc_tree *t = lkc_config_tree(c);
	const struct symbol *s;

	if (e->sym == LKC_NONE)
		return false;
	s = sym_get(t, e->sym);
	return s->choice != LKC_NONE && s->type == LKC_TRISTATE &&
	       lkc_value_tri(c, s->choice) == LKC_YES &&
	       lkc_expr_value(c, t->props.v[e->prompt].cond) == LKC_MOD;
}

bool lkc_menu_visible(const struct lkc_config *c, lkc_menu m)
{
	const struct lkc_tree *t = lkc_config_tree(c);
	const struct entry *e = entry_get(t, m);
	lkc_menu up;

	if (m == 0)
		return true;
	if (!menu_heading_visible(c, e) || hidden_in_choice(c, e))
		return false;
	/* for what has a symbol, its prompt's condition says this already */
	for (up = e->block; e->sym == LKC_NONE && up != NOBLOCK;
	     up = t->entries.v[up].block) {
		if (lkc_expr_value(c, t->entries.v[up].visible) == LKC_NO)
			return false;
	}
	return true;
}
