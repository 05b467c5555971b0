// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbol - what a tree knows of its symbols
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

const char *lkc_type_name(enum lkc_type type)
{
	switch (type) {
	case LKC_BOOL:
		return "bool";
	case LKC_TRISTATE:
		return "tristate";
	case LKC_INT:
		return "int";
	case LKC_HEX:
		return "hex";
	case LKC_STRING:
		return "string";
	default:
		return "unknown";
	}
}

const char *lkc_origin_name(enum lkc_origin origin)
{
	static const char *const names[] = {
		[LKC_ORIGIN_UNSET] = "unset",
		[LKC_ORIGIN_USER] = "user",
		[LKC_ORIGIN_DEFAULT] = "default",
		[LKC_ORIGIN_SELECT] = "select",
		[LKC_ORIGIN_IMPLY] = "imply",
		[LKC_ORIGIN_CHOICE] = "choice",
	};

	return names[origin];
}

size_t lkc_sym_count(const struct lkc_tree *tree)
{
	return tree->syms.n;
}

lkc_sym lkc_sym_find(const struct lkc_tree *tree, const char *name)
{
	uint32_t sym = strmap_get(&tree->names, name, strlen(name));

	return sym == UINT32_MAX ? LKC_NONE : sym;
}

const char *lkc_sym_name(const struct lkc_tree *tree, lkc_sym sym)
{
	return sym_get(tree, sym)->name;
}

enum lkc_type lkc_sym_type(const struct lkc_tree *tree, lkc_sym sym)
{
	return sym_get(tree, sym)->type;
}

bool lkc_sym_is_config(const struct lkc_tree *tree, lkc_sym sym)
{
	return sym_get(tree, sym)->flags & SYMBOL_DEFINED;
}

bool lkc_sym_is_choice(const struct lkc_tree *tree, lkc_sym sym)
{
	return sym_get(tree, sym)->flags & SYMBOL_CHOICE;
}

bool lkc_sym_is_const(const struct lkc_tree *tree, lkc_sym sym)
{
	return sym_get(tree, sym)->flags & SYMBOL_CONST;
}

lkc_sym lkc_sym_choice(const struct lkc_tree *tree, lkc_sym sym)
{
	return sym_get(tree, sym)->choice;
}

size_t lkc_choice_members(const struct lkc_tree *tree, lkc_sym choice)
{
	return sym_get(tree, choice)->members.n;
}

lkc_sym lkc_choice_member(const struct lkc_tree *tree, lkc_sym choice, size_t i)
{
	return tree->members.v[sym_get(tree, choice)->members.at + i];
}

size_t lkc_sym_entries(const struct lkc_tree *tree, lkc_sym sym)
{
	return sym_get(tree, sym)->entries.n;
}

lkc_menu lkc_sym_entry(const struct lkc_tree *tree, lkc_sym sym, size_t i)
{
	return tree->sym_entries[sym_get(tree, sym)->entries.at + i];
}

const char *lkc_sym_prompt(const struct lkc_tree *tree, lkc_sym sym)
{
	const struct symbol *s = sym_get(tree, sym);
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		const struct prop *p =
			&tree->props.v[tree->sym_props[s->props.at + i]];

		if (p->kind == PROP_PROMPT)
			return p->text;
	}
	return NULL;
}

const char *lkc_sym_help(const struct lkc_tree *tree, lkc_sym sym)
{
	size_t i, n = lkc_sym_entries(tree, sym);

	for (i = 0; i < n; i++) {
		const char *help =
			tree->entries.v[lkc_sym_entry(tree, sym, i)].help;

		if (help)
			return help;
	}
	return NULL;
}

bool lkc_sym_place(const struct lkc_tree *tree, lkc_sym sym,
		   struct lkc_place *place)
{
	if (!lkc_sym_entries(tree, sym))
		return false;
	lkc_menu_place(tree, lkc_sym_entry(tree, sym, 0), place);
	return true;
}

lkc_expr lkc_sym_depends(const struct lkc_tree *tree, lkc_sym sym)
{
	return sym_get(tree, sym)->depends;
}

lkc_expr lkc_sym_prompt_cond(const struct lkc_tree *tree, lkc_sym sym)
{
	return sym_get(tree, sym)->prompt_cond;
}

/* ---- properties --------------------------------------------------------- */

static void prop_public(const struct lkc_tree *t, const struct prop *p,
			struct lkc_prop *out)
{
	struct diag_place place = build_place(t, p->span);

	*out = (struct lkc_prop) {
		.sym = p->sym, .target = LKC_NONE, .value = LKC_NONE,
		.low = LKC_NONE, .high = LKC_NONE, .cond = p->cond,
		.place = { place.file, place.line, place.column },
	};
	switch (p->kind) {
	case PROP_SELECT:
	case PROP_IMPLY:
		out->kind = p->kind == PROP_SELECT ? LKC_PROP_SELECT :
			LKC_PROP_IMPLY;
		out->target = p->a;
		break;
	case PROP_RANGE:
		out->kind = LKC_PROP_RANGE;
		out->low = p->a;
		out->high = p->b;
		break;
	default:
		out->kind = LKC_PROP_DEFAULT;
		out->value = p->a;
		break;
	}
}

/* Prompts come first in each entry but are not properties in lkc.h's sense. */
size_t lkc_sym_props(const struct lkc_tree *tree, lkc_sym sym)
{
	const struct symbol *s = sym_get(tree, sym);
	size_t i, n = 0;

	for (i = 0; i < s->props.n; i++)
		n += tree->props.v[tree->sym_props[s->props.at + i]].kind !=
			PROP_PROMPT;
	return n;
}

void lkc_sym_prop(const struct lkc_tree *tree, lkc_sym sym, size_t i,
		  struct lkc_prop *prop)
{
	const struct symbol *s = sym_get(tree, sym);
	const struct prop *p = NULL;
	size_t at;

	for (at = 0; at < s->props.n; at++) {
		p = &tree->props.v[tree->sym_props[s->props.at + at]];
		if (p->kind != PROP_PROMPT && i-- == 0)
			break;
	}
	prop_public(tree, p, prop);
}

size_t lkc_sym_reverse(const struct lkc_tree *tree, lkc_sym sym)
{
	return sym_get(tree, sym)->reverse.n;
}

void lkc_sym_reverse_prop(const struct lkc_tree *tree, lkc_sym sym, size_t i,
			  struct lkc_prop *prop)
{
	const struct symbol *s = sym_get(tree, sym);

	prop_public(tree, &tree->props.v[tree->sym_reverse[s->reverse.at + i]],
		    prop);
}

/* ---- names near a name -------------------------------------------------- */

#define NEAR_NAME_MAX 64

/* Names are in capitals, as a rule; people write them otherwise. */
static bool same_letter(char a, char b)
{
	return toupper((unsigned char)a) == toupper((unsigned char)b);
}

/* Levenshtein distance, or @limit if it is that or more. */
static unsigned int edit_distance(const char *a, size_t na, const char *b,
				  size_t nb, unsigned int limit)
{
	unsigned int row[NEAR_NAME_MAX + 1];
	size_t i, j;

	if (na > NEAR_NAME_MAX || nb > NEAR_NAME_MAX ||
	    (na > nb ? na - nb : nb - na) >= limit)
		return limit;
	for (j = 0; j <= nb; j++)
		row[j] = j;
	for (i = 1; i <= na; i++) {
		unsigned int diagonal = row[0], best = row[0] = i;

		for (j = 1; j <= nb; j++) {
			unsigned int d = diagonal +
				!same_letter(a[i - 1], b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < d)
				d = row[j] + 1;
			if (row[j - 1] + 1 < d)
				d = row[j - 1] + 1;
			row[j] = d;
			if (d < best)
				best = d;
		}
		if (best >= limit)
			return limit;
	}
	return row[nb] < limit ? row[nb] : limit;
}

size_t lkc_sym_nearest(const struct lkc_tree *tree, const char *name,
		       lkc_sym *out, size_t max)
{
	/* more than a third of the letters wrong is another name */
	size_t len = strlen(name), n = 0, at;
	unsigned int limit = len / 3 + 2;
	unsigned int dist[16];
	lkc_sym i;

	if (max > 16)
		max = 16;
	for (i = 0; i < tree->syms.n && max; i++) {
		const struct symbol *s = &tree->syms.v[i];
		unsigned int bound = n == max ? dist[n - 1] : limit;
		unsigned int d;

		if (!(s->flags & SYMBOL_DEFINED) || !s->name)
			continue;
		d = edit_distance(name, len, s->name, s->len, bound);
		if (d >= bound)
			continue;
		at = n < max ? n++ : n - 1;
		for (; at && dist[at - 1] > d; at--) {
			dist[at] = dist[at - 1];
			out[at] = out[at - 1];
		}
		dist[at] = d;
		out[at] = i;
	}
	return n;
}
