// SPDX-License-Identifier: GPL-2.0-only
/*
 * check - what conf finds fault with once a tree is read
 *
 * The messages are conf's own, and come in its order: of each entry after
 * those below it, and before those that follow.
 */
#include <string.h>

#include "config.h"

__attribute__((format(printf, 4, 5)))
static void say(struct loader *ld, struct span span, enum diag_code code,
		const char *fmt, ...)
{
	struct strbuf text = {0};
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	build_diag(ld, LKC_WARNING, code, DIAG_WARNING, span, "%s",
		   strbuf_str(&text));
	strbuf_free(&text);
}

static void say_error(struct loader *ld, struct span span, const char *text)
{
	build_diag(ld, LKC_ERROR, DIAG_BAD_CHOICE, DIAG_ERROR, span, "%s",
		   text);
	ld->err = LKC_EPARSE;
}

/* ---- choices ------------------------------------------------------------ */

static void check_choice_prompt(struct loader *ld, lkc_menu entry)
{
	const struct entry *e = &ld->tree->entries.v[entry];
	static const char text[] = "choice must have a prompt";

	if (e->prompt != LKC_NONE)
		return;
	if (ld->dialect >= DIALECT_6_12)
		say_error(ld, e->span, text);
	else
		say(ld, e->span, DIAG_BAD_CHOICE, "%s", text);
}

/* The entry of a choice that @entry stands in, or LKC_NONE. */
static lkc_menu choice_around(const struct lkc_tree *t, lkc_menu entry)
{
	lkc_menu up = t->entries.v[entry].block;

	while (up != LKC_NONE && t->entries.v[up].kind == LKC_ENTRY_IF)
		up = t->entries.v[up].block;
	if (up == LKC_NONE || t->entries.v[up].kind != LKC_ENTRY_CHOICE)
		return LKC_NONE;
	return up;
}

static void check_member(struct loader *ld, lkc_menu entry)
{
	const struct lkc_tree *t = ld->tree;
	const struct entry *e = &t->entries.v[entry];
	const struct symbol *s = &t->syms.v[e->sym];
	bool errors = ld->dialect >= DIALECT_6_12;
	uint32_t i;

	if (e->prompt == LKC_NONE) {
		if (!errors)
			say(ld, e->span, DIAG_BAD_CHOICE,
			    "choice value must have a prompt");
		else if (ld->dialect < DIALECT_7_2)
			say_error(ld, e->span,
				  "choice member must have a prompt");
	}
	if (errors && s->type != LKC_BOOL)
		say_error(ld, e->span, "choice member must be bool");
	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = &t->props.v[t->sym_props[s->props.at + i]];

		if (p->kind == PROP_DEFAULT) {
			if (errors)
				say_error(ld, p->span,
					  "defaults for choice values not supported");
			else
				say(ld, p->span, DIAG_BAD_CHOICE,
				    "defaults for choice values not supported");
		}
		if (p->kind != PROP_PROMPT || p->entry == entry ||
		    choice_around(t, p->entry) == choice_around(t, entry))
			continue;
		if (errors)
			say_error(ld, p->span,
				  "choice value has a prompt outside its choice group");
		else
			say(ld, p->span, DIAG_BAD_CHOICE,
			    "choice value used outside its choice group");
	}
}

static void check_members(struct loader *ld, lkc_menu choice)
{
	const struct lkc_tree *t = ld->tree;
	lkc_sym sym = t->entries.v[choice].sym;
	uint32_t i;

	for (i = choice + 1; i < t->entries.n; i++) {
		const struct entry *e = &t->entries.v[i];

		if (e->block == LKC_NONE || e->block < choice)
			break;
		if (e->sym == LKC_NONE || e->kind == LKC_ENTRY_CHOICE ||
		    choice_around(t, i) != choice)
			continue;
		/* a member of two choices is found fault with in both */
		if (t->syms.v[e->sym].choice == sym ||
		    ld->dialect >= DIALECT_6_12)
			check_member(ld, i);
	}
}

/* ---- properties --------------------------------------------------------- */

/* True if @value can stand for a number of @sym. */
static bool number_fits(const struct lkc_tree *t, lkc_sym sym, lkc_sym value)
{
	const struct symbol *v = &t->syms.v[value];

	return v->type == LKC_INT || v->type == LKC_HEX ||
	       (v->type == LKC_UNKNOWN && v->name &&
		value_valid(t->syms.v[sym].type, v->name));
}

/*
 * True if @sym is a member of @choice when its first entry, @entry, has been
 * read: that is when conf looks, and a later entry may add members.
 */
static bool is_contained(const struct lkc_tree *t, lkc_sym choice,
			 lkc_menu entry, lkc_sym sym)
{
	const struct symbol *s = &t->syms.v[sym];

	return s->choice == choice && s->entries.n &&
	       choice_around(t, t->sym_entries[s->entries.at]) <= entry;
}

static void check_default(struct loader *ld, const struct prop *p,
			  lkc_menu entry)
{
	const struct lkc_tree *t = ld->tree;
	const struct symbol *s = &t->syms.v[p->sym];
	bool text = s->type == LKC_STRING || s->type == LKC_INT ||
		s->type == LKC_HEX;
	lkc_sym value;

	if (expr_get(t, p->a)->op != LKC_OP_SYM) {
		if (text)
			say(ld, p->span, DIAG_BAD_DEFAULT,
			    "default for config symbol '%s' must be a single symbol",
			    s->name);
		return;
	}
	value = expr_get(t, p->a)->l;
	if ((s->type == LKC_INT || s->type == LKC_HEX) &&
	    !number_fits(t, p->sym, value))
		say(ld, p->span, DIAG_BAD_DEFAULT, "'%s': number is invalid",
		    s->name);
	if ((s->flags & SYMBOL_CHOICE) &&
	    !is_contained(t, p->sym, entry, value))
		say(ld, p->span, DIAG_BAD_CHOICE,
		    "choice default symbol '%s' is not contained in the choice",
		    t->syms.v[value].name);
}

static void check_select(struct loader *ld, const struct prop *p)
{
	const struct lkc_tree *t = ld->tree;
	const struct symbol *s = &t->syms.v[p->sym];
	const struct symbol *target = &t->syms.v[p->a];
	const char *use = p->kind == PROP_SELECT ? "select" : "imply";

	if (!type_is_tri(s->type))
		say(ld, p->span, DIAG_BAD_SELECT,
		    "config symbol '%s' uses %s, but is not bool or tristate",
		    s->name, use);
	else if (target->type != LKC_UNKNOWN && !type_is_tri(target->type))
		say(ld, p->span, DIAG_BAD_SELECT,
		    "'%s' has wrong type. '%s' only accept arguments of bool and tristate type",
		    target->name, use);
}

static void check_range(struct loader *ld, const struct prop *p)
{
	const struct lkc_tree *t = ld->tree;
	const struct symbol *s = &t->syms.v[p->sym];

	if (s->type != LKC_INT && s->type != LKC_HEX)
		say(ld, p->span, DIAG_BAD_RANGE,
		    "range is only allowed for int or hex symbols");
	if (!number_fits(t, p->sym, p->a) || !number_fits(t, p->sym, p->b))
		say(ld, p->span, DIAG_BAD_RANGE, "range is invalid");
}

static void check_symbol(struct loader *ld, lkc_menu entry)
{
	const struct lkc_tree *t = ld->tree;
	const struct symbol *s = &t->syms.v[t->entries.v[entry].sym];
	uint32_t i;

	if (s->type == LKC_UNKNOWN)
		say(ld, t->entries.v[entry].span, DIAG_NO_TYPE,
		    "config symbol defined without type");
	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = &t->props.v[t->sym_props[s->props.at + i]];

		if (p->kind == PROP_DEFAULT)
			check_default(ld, p, entry);
		else if (p->kind == PROP_SELECT || p->kind == PROP_IMPLY)
			check_select(ld, p);
		else if (p->kind == PROP_RANGE)
			check_range(ld, p);
	}
}

void check_tree(struct loader *ld, const lkc_menu *order)
{
	const struct lkc_tree *t = ld->tree;
	uint32_t i;

	for (i = 0; i < t->entries.n; i++) {
		const struct entry *e = &t->entries.v[order[i]];

		if (e->kind == LKC_ENTRY_CHOICE) {
			check_choice_prompt(ld, order[i]);
			check_members(ld, order[i]);
		}
		if (e->sym != LKC_NONE && !(t->syms.v[e->sym].flags &
					    SYMBOL_CHECKED)) {
			ld->tree->syms.v[e->sym].flags |= SYMBOL_CHECKED;
			check_symbol(ld, order[i]);
		}
	}
}
