// SPDX-License-Identifier: GPL-2.0-only
/*
 * check - what conf finds fault with once a tree is read
 *
 * The messages are conf's own, and come in its order: of each entry after
 * those below it, and before those that follow.
 */
#include <stdlib.h>
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

static bool has_prompt(const struct lkc_tree *t, lkc_sym sym)
{
	const struct slice *props = &t->syms.v[sym].props;
	uint32_t i;

	for (i = 0; i < props->n; i++) {
		if (t->props.v[t->sym_props[props->at + i]].kind == PROP_PROMPT)
			return true;
	}
	return false;
}

/* True if the prompt @p of a member stands outside of its choice's @entry. */
static bool is_outside(const struct lkc_tree *t, const struct prop *p,
		       lkc_menu entry)
{
	return p->kind == PROP_PROMPT && p->entry != entry &&
	       choice_around(t, p->entry) != choice_around(t, entry);
}

static void check_member(struct loader *ld, lkc_menu entry)
{
	const struct lkc_tree *t = ld->tree;
	const struct entry *e = &t->entries.v[entry];
	const struct symbol *s = &t->syms.v[e->sym];
	uint32_t i;

	if (e->prompt == LKC_NONE)
		say(ld, e->span, DIAG_BAD_CHOICE,
		    "choice value must have a prompt");
	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = &t->props.v[t->sym_props[s->props.at + i]];

		if (p->kind == PROP_DEFAULT)
			say(ld, p->span, DIAG_BAD_CHOICE,
			    "defaults for choice values not supported");
		else if (is_outside(t, p, entry))
			say(ld, p->span, DIAG_BAD_CHOICE,
			    "choice value used outside its choice group");
	}
}

/* The same where faults are errors; others parse_kconfig() has found. */
static void check_modern_member(struct loader *ld, lkc_menu entry)
{
	const struct lkc_tree *t = ld->tree;
	const struct symbol *s = &t->syms.v[t->entries.v[entry].sym];
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = &t->props.v[t->sym_props[s->props.at + i]];

		if (is_outside(t, p, entry))
			say_error(ld, p->span,
				  "choice value has a prompt outside its choice group");
	}
	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = &t->props.v[t->sym_props[s->props.at + i]];

		if (p->kind == PROP_DEFAULT)
			say_error(ld, p->span,
				  "defaults for choice values not supported");
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
		if (ld->dialect >= DIALECT_6_12)
			check_modern_member(ld, i);
		else if (t->syms.v[e->sym].choice == sym)
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
 * True if @sym is a member of @choice when conf looks. In 6.1 that is when it
 * has read the first entry of the choice, @entry; a later one may add members.
 */
static bool is_contained(const struct lkc_tree *t, lkc_sym choice,
			 lkc_menu entry, lkc_sym sym)
{
	const struct symbol *s = &t->syms.v[sym];

	if (s->choice != choice || t->dialect >= DIALECT_6_12)
		return s->choice == choice;
	return s->entries.n &&
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
		    "config symbol '%s' uses %s, but is not %s or tristate",
		    s->name, use,
		    t->dialect < DIALECT_6_1 ? "boolean" : "bool");
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

/* ---- bools compared with m ---------------------------------------------- */

static void say_m_test(struct loader *ld, const struct m_test *test)
{
	const struct symbol *s = &ld->tree->syms.v[test->sym];

	if (s->type == LKC_BOOL)
		build_diag(ld, LKC_INFO, DIAG_M_TEST, DIAG_BARE, NO_SPAN,
			   "boolean symbol %s tested for 'm'? test forced to '%s'",
			   s->name ? s->name : "<choice>",
			   test->op == LKC_OP_EQ ? "n" : "y");
}

/* The first test of @owner or of one after it. */
static uint32_t first_m_test(const struct m_tests *tests, uint32_t owner)
{
	uint32_t low = 0, high = tests->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (tests->v[mid].owner < owner)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* In one condition, 6.1 goes from left to right, later ones the other way. */
static void say_m_tests(struct loader *ld, enum m_test_where where,
			uint32_t owner)
{
	const struct m_tests *tests = &ld->m_tests[where];
	uint32_t from = first_m_test(tests, owner), to = from, i;

	while (to < tests->n && tests->v[to].owner == owner)
		to++;
	for (i = from; i < to; i++)
		say_m_test(ld, &tests->v[ld->dialect < DIALECT_6_12 ? i :
					 to - 1 - (i - from)]);
}

/* From the innermost "visible if" outwards in 6.1, later the other way. */
static void say_visible_m_tests(struct loader *ld, lkc_menu block)
{
	const struct lkc_tree *t = ld->tree;
	lkc_menu up, end = LKC_NONE;

	if (!ld->m_tests[M_TEST_VISIBLE].n)
		return;
	while (ld->dialect >= DIALECT_6_12 && end != block) {
		for (up = block; t->entries.v[up].block != end;)
			up = t->entries.v[up].block;
		say_m_tests(ld, M_TEST_VISIBLE, up);
		end = up;
	}
	for (up = block; ld->dialect < DIALECT_6_12 && up != LKC_NONE;
	     up = t->entries.v[up].block)
		say_m_tests(ld, M_TEST_VISIBLE, up);
}

static void say_prop_m_tests(struct loader *ld, uint32_t prop)
{
	const struct prop *p = &ld->tree->props.v[prop];
	bool shown = p->kind == PROP_PROMPT && p->sym != LKC_NONE;
	lkc_menu block = ld->tree->entries.v[p->entry].block;

	if (shown && ld->dialect >= DIALECT_6_12)
		say_visible_m_tests(ld, block);
	say_m_tests(ld, M_TEST_PROP, prop);
	if (shown && ld->dialect < DIALECT_6_12)
		say_visible_m_tests(ld, block);
}

void check_m_tests(struct loader *ld, const uint32_t *order)
{
	const struct lkc_tree *t = ld->tree;
	uint32_t n = t->entries.n, at = 0, i;
	lkc_menu *first, *next, e;

	if (!ld->m_tests[M_TEST_PROP].n && !ld->m_tests[M_TEST_DEPENDS].n &&
	    !ld->m_tests[M_TEST_VISIBLE].n)
		return;
	first = malloc(2 * n * sizeof(*first));
	if (!first) {
		ld->err = LKC_ENOMEM;
		return;
	}
	next = first + n;
	/* what stands directly in each block */
	for (i = 0; i < n; i++)
		first[i] = LKC_NONE;
	for (i = n - 1; i > 0; i--) {
		next[i] = first[t->entries.v[i].block];
		first[t->entries.v[i].block] = i;
	}
	for (i = 0; i < n; i++) {
		for (e = first[i]; e != LKC_NONE; e = next[e]) {
			say_m_tests(ld, M_TEST_DEPENDS, e);
			for (; at < t->props.n &&
			     t->props.v[order[at]].entry == e; at++)
				say_prop_m_tests(ld, order[at]);
		}
	}
	free(first);
}

void check_tree(struct loader *ld, const lkc_menu *order)
{
	const struct lkc_tree *t = ld->tree;
	uint32_t i;

	for (i = 0; i < t->entries.n; i++) {
		const struct entry *e = &t->entries.v[order[i]];

		if (e->kind == LKC_ENTRY_CHOICE && ld->dialect < DIALECT_6_12) {
			if (!has_prompt(t, e->sym))
				say(ld, e->span, DIAG_BAD_CHOICE,
				    "choice must have a prompt");
			check_members(ld, order[i]);
		}
		if (e->sym != LKC_NONE && !(t->syms.v[e->sym].flags &
					    SYMBOL_CHECKED)) {
			ld->tree->syms.v[e->sym].flags |= SYMBOL_CHECKED;
			check_symbol(ld, order[i]);
		}
	}
}

void check_choices(struct loader *ld)
{
	const struct lkc_tree *t = ld->tree;
	uint32_t i;

	for (i = 0; i < t->entries.n && ld->dialect >= DIALECT_6_12; i++) {
		if (t->entries.v[i].kind == LKC_ENTRY_CHOICE)
			check_members(ld, i);
	}
}
