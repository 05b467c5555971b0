// SPDX-License-Identifier: GPL-2.0-only
/*
 * conf-help - what conf prints when asked for help
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"

static const char *label(const struct kconf *k, lkc_sym sym)
{
	const char *name = lkc_sym_name(k->tree, sym);

	return name ? name : "<choice>";
}

/* The value, as it stands in brackets; a choice has none since 6.12. */
static const char *bracket(const struct kconf *k, lkc_sym sym)
{
	if (k->modern && lkc_sym_is_choice(k->tree, sym))
		return "n";
	return lkc_value(k->config, sym);
}

/* The condition's text, to be freed; NULL if there is none. */
static char *expr_text(const struct kconf *k, lkc_expr e)
{
	if (e == LKC_NONE || lkc_expr_is_const(k->tree, e, LKC_YES))
		return NULL;
	return lkc_expr_conf_text(k->config, e);
}

/* ---- where it is defined ------------------------------------------------ */

static void print_location(const struct kconf *k, lkc_menu m)
{
	lkc_menu path[8];
	int n = 0, indent = 4;

	/* as many levels as conf has room for */
	for (; m != lkc_menu_root(k->tree) && n < 8;
	     m = lkc_menu_parent(k->tree, m))
		path[n++] = m;
	printf("  Location:\n");
	for (; n-- > 0; indent += 2) {
		lkc_sym sym = lkc_menu_sym(k->tree, path[n]);

		printf("%*c-> %s", indent, ' ',
		       lkc_menu_prompt(k->tree, path[n]));
		if (sym != LKC_NONE)
			printf(" (%s [=%s])", label(k, sym), bracket(k, sym));
		putchar('\n');
	}
}

static void print_definition(const struct kconf *k, lkc_menu m)
{
	const char *prompt = lkc_menu_prompt(k->tree, m);
	char *depends = expr_text(k, lkc_menu_depends(k->tree, m));
	char *visible = expr_text(k, lkc_menu_cond(k->tree, m));
	struct lkc_place place;

	lkc_menu_place(k->tree, m, &place);
	printf("Defined at %s:%u\n", place.file, place.line);
	if (prompt)
		printf("  Prompt: %s\n", prompt);
	if (depends)
		printf("  Depends on: %s\n", depends);
	if (visible && (!depends || strcmp(visible, depends) != 0))
		printf("  Visible if: %s\n", visible);
	if (prompt)
		print_location(k, m);
	free(depends);
	free(visible);
}

/* Those with a prompt, or those without. */
static void print_definitions(const struct kconf *k, lkc_sym sym, bool prompt)
{
	size_t i;

	for (i = 0; i < lkc_sym_entries(k->tree, sym); i++) {
		lkc_menu m = lkc_sym_entry(k->tree, sym, i);

		if ((lkc_menu_prompt(k->tree, m) != NULL) == prompt)
			print_definition(k, m);
	}
}

/* ---- what it is and does ------------------------------------------------ */

static void print_range(const struct kconf *k, lkc_sym sym)
{
	size_t i, n = lkc_sym_props(k->tree, sym);
	struct lkc_prop p;
	char *low, *high;

	for (i = 0; i < n; i++) {
		lkc_sym_prop(k->tree, sym, i, &p);
		if (p.kind == LKC_PROP_RANGE &&
		    lkc_expr_value(k->config, p.cond) != LKC_NO)
			break;
	}
	if (i == n)
		return;
	low = lkc_sym_conf_text(k->config, p.low);
	high = lkc_sym_conf_text(k->config, p.high);
	printf("Range : [%s %s]\n", low ? low : "", high ? high : "");
	free(low);
	free(high);
}

static void print_targets(const struct kconf *k, lkc_sym sym,
			  enum lkc_prop_kind kind, const char *title)
{
	size_t i, n = lkc_sym_props(k->tree, sym);
	struct lkc_prop p;
	bool any = false;

	for (i = 0; i < n; i++) {
		char *text;

		lkc_sym_prop(k->tree, sym, i, &p);
		if (p.kind != kind)
			continue;
		text = lkc_sym_conf_text(k->config, p.target);
		printf("%s%s", any ? " && " : title, text ? text : "");
		free(text);
		any = true;
	}
	if (any)
		putchar('\n');
}

static void print_sources(const struct kconf *k, lkc_sym sym,
			  enum lkc_prop_kind kind, const char *title)
{
	static const enum lkc_tri levels[] = { LKC_YES, LKC_MOD, LKC_NO };
	size_t i;

	for (i = 0; i < 3; i++) {
		char *text = lkc_reverse_text(k->config, sym, kind, levels[i]);

		if (text && *text)
			printf("%s [%c]:\n%s", title, "nmy"[levels[i]], text);
		free(text);
	}
}

static const char *type_name(enum lkc_type type)
{
	return type == LKC_INT ? "integer" : lkc_type_name(type);
}

static void print_symbol(const struct kconf *k, lkc_sym sym)
{
	const char *name = lkc_sym_name(k->tree, sym);
	enum lkc_type type = lkc_sym_type(k->tree, sym);

	if (name) {
		printf("Symbol: %s [=%s]\nType  : %s\n", name,
		       lkc_value(k->config, sym), type_name(type));
		if (type == LKC_INT || type == LKC_HEX)
			print_range(k, sym);
	}
	print_definitions(k, sym, true);
	print_definitions(k, sym, false);
	print_targets(k, sym, LKC_PROP_SELECT, "Selects: ");
	print_sources(k, sym, LKC_PROP_SELECT, "Selected by");
	print_targets(k, sym, LKC_PROP_IMPLY, "Implies: ");
	print_sources(k, sym, LKC_PROP_IMPLY, "Implied by");
	printf("\n\n");
}

void conf_print_help(struct kconf *k, lkc_menu m)
{
	const char *help = lkc_menu_help(k->tree, m);
	lkc_sym sym = lkc_menu_sym(k->tree, m);

	putchar('\n');
	if (!help) {
		printf("There is no help available for this option.\n");
	} else {
		if (sym != LKC_NONE && lkc_sym_name(k->tree, sym))
			printf("%s%s:\n\n", conf_env("CONFIG_", "CONFIG_"),
			       lkc_sym_name(k->tree, sym));
		printf("%s\n", help);
	}
	if (sym != LKC_NONE)
		print_symbol(k, sym);
	putchar('\n');
}
