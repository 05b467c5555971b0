// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "group.h"
#include "menupath.h"
#include "walk.h"

/* A menu entry, as the walk sees it. */
struct entry {
	lkc_menu screen;	/* the menu it stands in; LKC_NONE: the root */
	bool in_scope;
	bool ready;		/* visible, with more than one possible value */
	/* Of menus: */
	bool is_menu;
	bool given;		/* was in a GROUP_MENU */
	bool asked;		/* symbols or choices of it were given */
	bool clean;		/* nothing of its own is left to give */
	enum walk_decision decision;
	char *why;
	lkc_menu first;		/* the first menu in it */
	lkc_menu last;
	lkc_menu next;		/* the next menu in the same menu */
};

struct walk {
	const struct lkc_config *c;
	const struct lkc_tree *tree;
	struct entry *entries;	/* by lkc_menu */
	size_t n;
	bool *asked;		/* by lkc_sym */
	bool scoped;
	size_t n_asked;
	struct {
		VEC(lkc_menu);
	} appeared, vanished;
};

/* ---- moving about -------------------------------------------------------- */

/* The menu after @m, with the menus in @m if @into. */
static lkc_menu menu_after(const struct walk *w, lkc_menu m, bool into)
{
	lkc_menu next = into ? w->entries[m].first : LKC_NONE;

	while (next == LKC_NONE && m != LKC_NONE) {
		next = w->entries[m].next;
		m = w->entries[m].screen;
	}
	return next;
}

static bool opened(const struct walk *w, lkc_menu m)
{
	return w->entries[m].decision == WALK_OPEN;
}

/* ---- what can be asked --------------------------------------------------- */

static bool choice_ready(const struct walk *w, lkc_sym choice)
{
	size_t i, visible = 0;

	for (i = 0; i < lkc_choice_members(w->tree, choice); i++)
		visible += lkc_visibility(w->c, lkc_choice_member(w->tree,
					  choice, i)) != LKC_NO;
	return visible > 1 ||
	       (visible && lkc_value_tri(w->c, choice) != LKC_YES);
}

static bool symbol_ready(const struct walk *w, lkc_sym sym)
{
	enum lkc_tri low = lkc_selected(w->c, sym);
	enum lkc_tri high = lkc_visibility(w->c, sym);
	struct lkc_place place;
	int64_t min, max;

	switch (lkc_sym_type(w->tree, sym)) {
	case LKC_BOOL:
		return low == LKC_NO && high != LKC_NO;
	case LKC_TRISTATE:
		return low < high;
	case LKC_INT:
	case LKC_HEX:
		return !lkc_range(w->c, sym, &min, &max, &place) || min < max;
	case LKC_STRING:
		return true;
	default:
		return false;
	}
}

/* Can the symbol or choice of @m be asked about now, were it the first time? */
static bool is_ready(const struct walk *w, lkc_menu m)
{
	lkc_sym sym = lkc_menu_sym(w->tree, m);

	if (sym == LKC_NONE || !lkc_menu_visible(w->c, m))
		return false;
	if (lkc_menu_kind(w->tree, m) == LKC_ENTRY_CHOICE)
		return choice_ready(w, sym);
	/* members are asked about with their choice */
	return lkc_sym_choice(w->tree, sym) == LKC_NONE && symbol_ready(w, sym);
}

/* Is the symbol or choice of @m still to be asked about? */
static bool is_open(const struct walk *w, lkc_menu m)
{
	const struct entry *e = &w->entries[m];

	return e->ready && e->in_scope && !w->asked[lkc_menu_sym(w->tree, m)];
}

static bool something_below(const struct walk *w, lkc_menu top)
{
	lkc_menu m = top;

	while ((m = menupath_next(w->tree, m, true, top)) != LKC_NONE) {
		if (is_open(w, m))
			return true;
	}
	return false;
}

/* ---- life ---------------------------------------------------------------- */

static void enter_menu(struct walk *w, lkc_menu m)
{
	struct entry *e = &w->entries[m];
	struct entry *s;

	e->is_menu = true;
	if (e->screen == LKC_NONE)
		return;
	s = &w->entries[e->screen];
	if (s->first == LKC_NONE)
		s->first = m;
	else
		w->entries[s->last].next = m;
	s->last = m;
}

static void enter(struct walk *w, lkc_menu m)
{
	lkc_menu parent = lkc_menu_parent(w->tree, m);
	struct entry *e = &w->entries[m];

	e->screen = parent;
	if (parent != LKC_NONE && !w->entries[parent].is_menu)
		e->screen = w->entries[parent].screen;
	e->in_scope = true;
	e->ready = is_ready(w, m);
	if (parent == LKC_NONE)
		e->decision = WALK_OPEN;
	if (parent == LKC_NONE ||
	    (menupath_is_menu(w->tree, m) &&
	     lkc_menu_child(w->tree, m) != LKC_NONE))
		enter_menu(w, m);
}

int walk_new(const struct lkc_config *c, struct walk **out)
{
	struct walk *w = calloc(1, sizeof(*w));
	lkc_menu m;

	if (!w)
		return -ENOMEM;
	w->c = c;
	w->tree = lkc_config_tree(c);
	w->n = lkc_menu_count(w->tree);
	w->entries = calloc(w->n + 1, sizeof(*w->entries));
	w->asked = calloc(lkc_sym_count(w->tree) + 1, sizeof(*w->asked));
	if (!w->entries || !w->asked) {
		walk_free(w);
		return -ENOMEM;
	}
	for (m = 0; m < w->n; m++) {
		struct entry *e = &w->entries[m];

		e->screen = e->first = e->last = e->next = LKC_NONE;
	}
	for (m = lkc_menu_root(w->tree); m != LKC_NONE;
	     m = menupath_next(w->tree, m, true, LKC_NONE))
		enter(w, m);
	*out = w;
	return 0;
}

void walk_free(struct walk *w)
{
	size_t i;

	if (!w)
		return;
	for (i = 0; w->entries && i < w->n; i++)
		free(w->entries[i].why);
	free(w->entries);
	free(w->asked);
	vec_free(&w->appeared);
	vec_free(&w->vanished);
	free(w);
}

void walk_scope(struct walk *w, lkc_menu top)
{
	lkc_menu m = top;
	size_t i;

	for (i = 0; i < w->n && !w->scoped; i++)
		w->entries[i].in_scope = false;
	w->scoped = true;
	w->entries[top].in_scope = true;
	while ((m = menupath_next(w->tree, m, true, top)) != LKC_NONE)
		w->entries[m].in_scope = true;
	if (w->entries[top].is_menu)
		w->entries[top].decision = WALK_OPEN;
	for (m = w->entries[top].screen; m != LKC_NONE;
	     m = w->entries[m].screen)
		w->entries[m].decision = WALK_OPEN;
}

/* ---- groups -------------------------------------------------------------- */

static size_t group_max(const struct walk *w, enum group_kind kind,
			lkc_sym choice)
{
	switch (kind) {
	case GROUP_MENU:
		return WALK_MENUS_MAX;
	case GROUP_CHOICE:
		return lkc_choice_members(w->tree, choice);
	default:
		return GROUP_BOOL_MAX;
	}
}

/* Begins a group in menu @screen. False when out of memory. */
static bool group_begin(const struct walk *w, struct group *g,
			enum group_kind kind, lkc_menu screen, lkc_sym choice)
{
	*g = (struct group){
		.kind = kind,
		.menu = screen,
		.choice = choice,
		.config = w->c,
	};
	g->items = calloc(group_max(w, kind, choice) + 1, sizeof(*g->items));
	return g->items != NULL;
}

static void group_add(const struct walk *w, struct group *g, lkc_menu m)
{
	struct group_item *item = &g->items[g->n++];

	item->entry = m;
	item->sym = lkc_menu_sym(w->tree, m);
}

void walk_group_free(struct group *g)
{
	free(g->items);
	g->items = NULL;
	g->n = 0;
}

/* The menus of @screen that have to be decided about. 1, 0 or -ENOMEM. */
static int menus_group(struct walk *w, lkc_menu screen, struct group *g)
{
	lkc_menu m;

	if (!group_begin(w, g, GROUP_MENU, screen, LKC_NONE))
		return -ENOMEM;
	for (m = w->entries[screen].first;
	     m != LKC_NONE && g->n < WALK_MENUS_MAX; m = w->entries[m].next) {
		struct entry *e = &w->entries[m];

		if (e->decision != WALK_UNDECIDED || e->given ||
		    !e->in_scope || !something_below(w, m))
			continue;
		e->given = true;
		group_add(w, g, m);
	}
	if (g->n)
		return 1;
	walk_group_free(g);
	return 0;
}

static enum group_kind kind_of(const struct walk *w, lkc_menu m)
{
	lkc_sym sym = lkc_menu_sym(w->tree, m);

	if (lkc_menu_kind(w->tree, m) == LKC_ENTRY_CHOICE)
		return GROUP_CHOICE;
	switch (lkc_sym_type(w->tree, sym)) {
	case LKC_BOOL:
	case LKC_TRISTATE:
		return GROUP_BOOL;
	default:
		return GROUP_VALUE;
	}
}

static void add_members(struct walk *w, struct group *g)
{
	size_t i;

	for (i = 0; i < lkc_choice_members(w->tree, g->choice); i++) {
		lkc_sym sym = lkc_choice_member(w->tree, g->choice, i);

		if (lkc_visibility(w->c, sym) == LKC_NO)
			continue;
		w->asked[sym] = true;
		g->items[g->n].sym = sym;
		g->items[g->n++].entry = lkc_sym_entry(w->tree, sym, 0);
	}
}

/* The first symbols of one kind, or the first choice, left in @screen. */
static int symbols_group(struct walk *w, lkc_menu screen, struct group *g)
{
	lkc_menu m = screen;
	bool into = true;

	g->n = 0;
	while ((m = menupath_next(w->tree, m, into, screen)) != LKC_NONE) {
		lkc_sym sym = lkc_menu_sym(w->tree, m);

		into = !w->entries[m].is_menu;
		if (!is_open(w, m) || (g->n && kind_of(w, m) != g->kind))
			continue;
		if (!g->n && !group_begin(w, g, kind_of(w, m), screen, sym))
			return -ENOMEM;
		w->asked[sym] = true;
		w->entries[screen].asked = true;
		w->n_asked++;
		if (g->kind == GROUP_CHOICE) {
			add_members(w, g);
			break;
		}
		g->choice = LKC_NONE;
		group_add(w, g, m);
		if (g->n == GROUP_BOOL_MAX)
			break;
	}
	return g->n > 0;
}

int walk_next(struct walk *w, struct group *g)
{
	lkc_menu m = lkc_menu_root(w->tree);
	int ret;

	for (; m != LKC_NONE; m = menu_after(w, m, opened(w, m))) {
		if (!opened(w, m) || w->entries[m].clean)
			continue;
		ret = menus_group(w, m, g);
		if (!ret)
			ret = symbols_group(w, m, g);
		if (ret)
			return ret;
		w->entries[m].clean = true;
	}
	return 0;
}

void walk_decide(struct walk *w, lkc_menu m, enum walk_decision d,
		 const char *why)
{
	struct entry *e = &w->entries[m];

	free(e->why);
	e->why = why ? strdup(why) : NULL;
	e->decision = d;
}

bool walk_may_open(const struct walk *w, lkc_menu m)
{
	const struct entry *e = &w->entries[m];

	return e->is_menu && e->in_scope && e->decision == WALK_UNDECIDED;
}

/* ---- changes ------------------------------------------------------------- */

/* Is @m in menus that are opened, or that may still be? */
static bool reachable(const struct walk *w, lkc_menu m)
{
	while ((m = w->entries[m].screen) != LKC_NONE) {
		if (!opened(w, m) && w->entries[m].decision != WALK_UNDECIDED)
			return false;
	}
	return true;
}

/* The menus around @m have something to give again. */
static void wake(struct walk *w, lkc_menu m)
{
	while ((m = w->entries[m].screen) != LKC_NONE)
		w->entries[m].clean = false;
}

/*
 * Is @m a choice that was asked about before a member of it became visible?
 * With that member it is another question.
 */
static bool has_new_member(const struct walk *w, lkc_menu m)
{
	lkc_sym sym = lkc_menu_sym(w->tree, m);
	size_t i;

	if (sym == LKC_NONE || !w->asked[sym] ||
	    lkc_menu_kind(w->tree, m) != LKC_ENTRY_CHOICE)
		return false;
	for (i = 0; i < lkc_choice_members(w->tree, sym); i++) {
		lkc_sym member = lkc_choice_member(w->tree, sym, i);

		if (!w->asked[member] &&
		    lkc_visibility(w->c, member) != LKC_NO)
			return true;
	}
	return false;
}

int walk_update(struct walk *w, struct walk_moves *moves)
{
	lkc_menu m;

	w->appeared.n = w->vanished.n = 0;
	for (m = lkc_menu_root(w->tree); m != LKC_NONE;
	     m = menupath_next(w->tree, m, true, LKC_NONE)) {
		struct entry *e = &w->entries[m];
		bool was = e->ready;

		if (has_new_member(w, m) && reachable(w, m)) {
			w->asked[lkc_menu_sym(w->tree, m)] = false;
			w->n_asked--;
			was = false;
		}
		e->ready = is_ready(w, m);
		if (e->ready == was || !e->in_scope ||
		    w->asked[lkc_menu_sym(w->tree, m)] || !reachable(w, m))
			continue;
		if (e->ready)
			wake(w, m);
		if (!(e->ready ? vec_push(&w->appeared, m) :
		      vec_push(&w->vanished, m)))
			return -ENOMEM;
	}
	*moves = (struct walk_moves){
		.appeared = w->appeared.v,
		.n_appeared = w->appeared.n,
		.vanished = w->vanished.v,
		.n_vanished = w->vanished.n,
	};
	return 0;
}

/* ---- reports ------------------------------------------------------------- */

const char *walk_fate_name(enum walk_fate fate)
{
	static const char *const names[] = {
		[WALK_FATE_ASKED] = "asked",
		[WALK_FATE_EMPTY] = "empty",
		[WALK_FATE_SKIPPED] = "skipped",
		[WALK_FATE_UNSURE] = "unsure",
		[WALK_FATE_FAILED] = "failed",
		[WALK_FATE_WITHIN] = "within",
		[WALK_FATE_HIDDEN] = "hidden",
		[WALK_FATE_STOPPED] = "stopped",
		[WALK_FATE_OUTSIDE] = "outside",
	};

	return names[fate];
}

bool walk_is_menu(const struct walk *w, lkc_menu m)
{
	return w->entries[m].is_menu;
}

/* Is something of its own left to give in the menu @top? */
static bool something_in(const struct walk *w, lkc_menu top)
{
	lkc_menu m = top;
	bool into = true;

	while ((m = menupath_next(w->tree, m, into, top)) != LKC_NONE) {
		if (is_open(w, m))
			return true;
		into = !w->entries[m].is_menu;
	}
	return false;
}

enum walk_fate walk_fate(const struct walk *w, lkc_menu m, const char **why)
{
	static const enum walk_fate decided[] = {
		[WALK_SKIP] = WALK_FATE_SKIPPED,
		[WALK_UNSURE] = WALK_FATE_UNSURE,
		[WALK_FAILED] = WALK_FATE_FAILED,
	};
	const struct entry *e = &w->entries[m];

	*why = e->why ? e->why : "";
	if (e->asked)
		return WALK_FATE_ASKED;
	if (!e->in_scope)
		return WALK_FATE_OUTSIDE;
	if (e->decision != WALK_UNDECIDED && e->decision != WALK_OPEN)
		return decided[e->decision];
	if (!reachable(w, m))
		return WALK_FATE_WITHIN;
	if (opened(w, m))
		return something_in(w, m) ? WALK_FATE_STOPPED : WALK_FATE_EMPTY;
	return e->given || something_below(w, m) ? WALK_FATE_STOPPED :
		WALK_FATE_HIDDEN;
}

/* Is @m the first entry of its symbol that can be asked about? */
static bool is_first(const struct walk *w, lkc_menu m)
{
	lkc_sym sym = lkc_menu_sym(w->tree, m);
	size_t i;

	for (i = 0; i < lkc_sym_entries(w->tree, sym); i++) {
		lkc_menu other = lkc_sym_entry(w->tree, sym, i);

		if (is_open(w, other))
			return other == m;
	}
	return true;
}

void walk_count(const struct walk *w, struct walk_counts *counts)
{
	lkc_menu m;

	*counts = (struct walk_counts){ .asked = w->n_asked };
	for (m = 0; m < w->n; m++)
		counts->unasked += w->entries[m].ready && is_open(w, m) &&
			is_first(w, m);
}
