// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "menupath.h"
#include "text.h"

#define CANDIDATES_MAX 5	/* named in a message */

bool menupath_is_menu(const struct lkc_tree *tree, lkc_menu m)
{
	enum lkc_entry_kind kind = lkc_menu_kind(tree, m);

	return kind == LKC_ENTRY_MENU || kind == LKC_ENTRY_MENUCONFIG;
}

lkc_menu menupath_next(const struct lkc_tree *tree, lkc_menu m, bool into,
		       lkc_menu top)
{
	lkc_menu next = into ? lkc_menu_child(tree, m) : LKC_NONE;

	while (next == LKC_NONE && m != top) {
		next = lkc_menu_next(tree, m);
		m = lkc_menu_parent(tree, m);
	}
	return next;
}

/* The menu above @m, or LKC_NONE if that is the root. */
static lkc_menu above(const struct lkc_tree *tree, lkc_menu m)
{
	do {
		m = lkc_menu_parent(tree, m);
	} while (m != LKC_NONE &&
		 (!menupath_is_menu(tree, m) || !lkc_menu_prompt(tree, m)));
	return m == lkc_menu_root(tree) ? LKC_NONE : m;
}

void menupath_add(struct strbuf *b, const struct lkc_tree *tree, lkc_menu m)
{
	lkc_menu path[64];
	size_t n = 0;

	if (m == lkc_menu_root(tree))
		return;
	for (; m != LKC_NONE && n < sizeof(path) / sizeof(path[0]);
	     m = above(tree, m))
		path[n++] = m;
	while (n--) {
		text_add(b, lkc_menu_prompt(tree, path[n]), 0);
		if (n)
			strbuf_addstr(b, " > ");
	}
}

/* The start of the separator that ends just before @end, or NULL. */
static const char *before_separator(const char *text, const char *end)
{
	while (end > text && end[-1] == ' ')
		end--;
	if (end == text || (end[-1] != '/' && end[-1] != '>'))
		return NULL;
	end--;
	while (end > text && end[-1] == ' ')
		end--;
	return end;
}

/* How well a text names a menu entry, better ones last. */
enum match {
	MATCH_NOT,
	MATCH_END,		/* by the last prompts of its path */
	MATCH_END_MENU,		/* the same, and it is a menu */
	MATCH_WHOLE,		/* by its whole path */
	MATCHES
};

static enum match match_end(const struct lkc_tree *tree, lkc_menu m)
{
	if (menupath_is_menu(tree, m))
		return MATCH_END_MENU;
	return lkc_menu_kind(tree, m) == LKC_ENTRY_COMMENT ? MATCH_NOT :
		MATCH_END;
}

/*
 * How well do the @len bytes at @text name @m? Prompts may hold slashes
 * themselves, so this goes from the end, prompt by prompt.
 */
static enum match match(const struct lkc_tree *tree, lkc_menu m,
			const char *text, size_t len)
{
	const char *end = text + len;
	enum match as_end = match_end(tree, m);

	while (m != LKC_NONE) {
		const char *prompt = lkc_menu_prompt(tree, m);
		size_t n = prompt ? strlen(prompt) : 0;

		while (n && prompt[n - 1] == ' ')
			n--;
		if (!n || n > (size_t)(end - text) ||
		    strncasecmp(end - n, prompt, n) != 0)
			return MATCH_NOT;
		end -= n;
		m = above(tree, m);
		if (end == text)
			return as_end && m == LKC_NONE ? MATCH_WHOLE : as_end;
		end = before_separator(text, end);
		if (!end)
			return MATCH_NOT;
	}
	return MATCH_NOT;
}

struct search {
	const struct lkc_tree *tree;
	const char *text;
	size_t len;
	size_t n[MATCHES];
	lkc_menu first[MATCHES];
	/* the prompts most like it, for messages */
	size_t distance[CANDIDATES_MAX];
	lkc_menu near[CANDIDATES_MAX];
	size_t n_near;
};

static void note_near(struct search *s, lkc_menu m)
{
	size_t limit = s->len / 3 + 1;
	size_t d = text_distance(s->text, lkc_menu_prompt(s->tree, m));
	size_t at;

	if (d > limit || match_end(s->tree, m) != MATCH_END_MENU)
		return;
	if (s->n_near == CANDIDATES_MAX && d >= s->distance[s->n_near - 1])
		return;
	at = s->n_near < CANDIDATES_MAX ? s->n_near++ : s->n_near - 1;
	for (; at && s->distance[at - 1] > d; at--) {
		s->distance[at] = s->distance[at - 1];
		s->near[at] = s->near[at - 1];
	}
	s->distance[at] = d;
	s->near[at] = m;
}

static void search(struct search *s)
{
	lkc_menu root = lkc_menu_root(s->tree), m = root;

	while ((m = menupath_next(s->tree, m, true, root)) != LKC_NONE) {
		enum match k;

		if (!lkc_menu_prompt(s->tree, m))
			continue;
		k = match(s->tree, m, s->text, s->len);
		if (!s->n[k]++)
			s->first[k] = m;
		note_near(s, m);
	}
}

static lkc_menu by_symbol(const struct lkc_tree *tree, const char *name)
{
	lkc_sym sym;

	if (!strncmp(name, "CONFIG_", 7))
		name += 7;
	sym = lkc_sym_find(tree, name);
	if (sym == LKC_NONE || !lkc_sym_entries(tree, sym))
		return LKC_NONE;
	return lkc_sym_entry(tree, sym, 0);
}

static void say_several(const struct search *s, enum match k,
			struct strbuf *why)
{
	strbuf_addf(why, "\"%s\" is the name of %zu places in the menus; say which, such as \"",
		    s->text, s->n[k]);
	menupath_add(why, s->tree, s->first[k]);
	strbuf_addstr(why, "\"");
}

static void say_none(const struct search *s, struct strbuf *why)
{
	const char *name = s->text;
	lkc_sym near[3];
	size_t n, i;

	if (!strncmp(name, "CONFIG_", 7))
		name += 7;
	strbuf_addf(why, "there is no menu or symbol \"%s\"", s->text);
	for (i = 0; i < s->n_near; i++) {
		strbuf_addstr(why, i ? ", \"" : "; near: \"");
		menupath_add(why, s->tree, s->near[i]);
		strbuf_addch(why, '"');
	}
	n = s->n_near || s->len > 64 ? 0 :
		lkc_sym_nearest(s->tree, name, near, 3);
	for (i = 0; i < n; i++)
		strbuf_addf(why, "%s%s", i ? ", " : "; near: ",
			    lkc_sym_name(s->tree, near[i]));
}

lkc_menu menupath_find(const struct lkc_tree *tree, const char *text,
		       struct strbuf *why)
{
	struct search s = { .tree = tree, .text = text, .len = strlen(text) };
	lkc_menu m;
	int k;

	search(&s);
	for (k = MATCHES - 1; k > MATCH_NOT && !s.n[k]; k--)
		;
	if (k > MATCH_NOT && s.n[k] == 1)
		return s.first[k];
	m = by_symbol(tree, text);
	if (m != LKC_NONE)
		return m;
	if (k > MATCH_NOT)
		say_several(&s, k, why);
	else
		say_none(&s, why);
	return LKC_NONE;
}
