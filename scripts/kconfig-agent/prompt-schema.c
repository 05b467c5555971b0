// SPDX-License-Identifier: GPL-2.0-only
/*
 * The JSON Schema of a reply.
 *
 * Names and values are enumerated, and names that have the same values stand
 * together, so that a constrained decoder can produce nothing else. Only what
 * all constrained decoders know is used: object, array, string, number, enum,
 * required, additionalProperties, anyOf.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lkc/lkc.h>

#include "answer.h"
#include "group.h"
#include "json.h"
#include "prompt.h"

#define DEPTH_MAX 16		/* of conditions, for the same */
#define NAMES_MAX 64		/* beyond that, conditions add no names */

/* Sets of values: bits of y, m and n, or one of the others. */
enum {
	VALUES_N = 1 << LKC_NO,
	VALUES_M = 1 << LKC_MOD,
	VALUES_Y = 1 << LKC_YES,
	VALUES_TRI = VALUES_N | VALUES_M | VALUES_Y,
	VALUES_MENU,		/* open, skip */
	VALUES_LITERAL,		/* any string */
	VALUES_SETS
};

/* A name that may be answered for. Names are the tree's, or from @numbers. */
struct choice_of {
	const char *name;
	int values;
};

struct schema {
	struct {
		VEC(struct choice_of);
	} names;
	char (*numbers)[32];
	bool failed;
};

static void schema_free(struct schema *s)
{
	vec_free(&s->names);
	free(s->numbers);
}

static void add_name(struct schema *s, const char *name, int values)
{
	struct choice_of c = { name, values };
	uint32_t i;

	for (i = 0; i < s->names.n; i++) {
		if (!strcmp(s->names.v[i].name, name))
			return;
	}
	s->failed |= !vec_push(&s->names, c);
}

/* ---- as JSON ------------------------------------------------------------- */

static struct json *new_type(const char *type)
{
	struct json *j = json_new_object();

	json_set_str(j, "type", type);
	return j;
}

static struct json *new_values(int values)
{
	static const struct {
		int bit;
		const char *name;
	} tri[] = {
		{ VALUES_Y, "y" }, { VALUES_M, "m" }, { VALUES_N, "n" },
	};
	struct json *j = new_type("string");
	struct json *list;
	size_t i;

	if (values == VALUES_LITERAL)
		return j;
	list = json_set_array(j, "enum");
	if (values == VALUES_MENU) {
		json_append(list, json_new_str("open"));
		json_append(list, json_new_str("skip"));
	} else {
		for (i = 0; i < sizeof(tri) / sizeof(tri[0]); i++) {
			if (values & tri[i].bit)
				json_append(list, json_new_str(tri[i].name));
		}
		json_append(list, json_new_str("keep"));
	}
	json_append(list, json_new_str("unsure"));
	return j;
}

/* An answer for the names that have @values. */
static struct json *new_answer(const struct schema *s, int values)
{
	static const char *const parts[] = {
		"name", "reason", "value", "confidence",
	};
	struct json *j = new_type("object");
	struct json *props, *name = new_type("string"), *list;
	uint32_t i;

	json_set_bool(j, "additionalProperties", false);
	list = json_set_array(j, "required");
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		json_append(list, json_new_str(parts[i]));
	if (s->names.n) {
		list = json_set_array(name, "enum");
		for (i = 0; i < s->names.n; i++) {
			if (s->names.v[i].values == values)
				json_append(list,
					    json_new_str(s->names.v[i].name));
		}
	}
	/* the reason before the value: it is to lead there */
	props = json_set_object(j, "properties");
	json_set(props, "name", name);
	json_set(props, "reason", new_type("string"));
	json_set(props, "value", new_values(values));
	json_set(props, "confidence", new_type("number"));
	return j;
}

/* The answers, one form for each set of values that occurs. */
static struct json *new_answers(const struct schema *s)
{
	bool seen[VALUES_SETS] = { false };
	struct json *forms = json_new_array();
	struct json *j;
	uint32_t i;

	for (i = 0; i < s->names.n; i++) {
		int values = s->names.v[i].values;

		if (!seen[values])
			json_append(forms, new_answer(s, values));
		seen[values] = true;
	}
	if (!s->names.n)
		json_append(forms, new_answer(s, VALUES_LITERAL));
	if (json_len(forms) == 1) {
		j = json_copy(json_first(forms));
		json_free(forms);
		return j;
	}
	j = json_new_object();
	json_set(j, "anyOf", forms);
	return j;
}

/* The schema as text; ends @s. */
static char *schema_print(struct schema *s)
{
	struct json *j = new_type("object");
	struct json *list = new_type("array");
	char *text;

	json_set_bool(j, "additionalProperties", false);
	json_append(json_set_array(j, "required"), json_new_str("answers"));
	json_set(list, "items", new_answers(s));
	json_set(json_set_object(j, "properties"), "answers", list);
	text = s->failed ? NULL : json_print(j, NULL);
	json_free(j);
	schema_free(s);
	return text;
}

/* ---- what may be answered ------------------------------------------------ */

/* The values that @sym can have in @c; all of its type if @c is NULL. */
static int values_of(const struct lkc_tree *tree, const struct lkc_config *c,
		     lkc_sym sym)
{
	int values = VALUES_TRI;

	switch (lkc_sym_type(tree, sym)) {
	case LKC_BOOL:
		values &= ~VALUES_M;
		break;
	case LKC_TRISTATE:
		break;
	default:
		return VALUES_LITERAL;
	}
	if (!c)
		return values;
	if (lkc_selected(c, sym) >= LKC_MOD)
		values &= ~VALUES_N;
	if (lkc_visibility(c, sym) == LKC_MOD)
		values &= ~VALUES_Y;
	return values;
}

char *prompt_schema(const struct group *g)
{
	const struct lkc_tree *tree = lkc_config_tree(g->config);
	struct schema s = {0};
	size_t i;

	s.numbers = calloc(g->n + 1, sizeof(*s.numbers));
	if (!s.numbers)
		return NULL;
	for (i = 0; i < g->n; i++) {
		lkc_sym sym = g->items[i].sym;

		switch (g->kind) {
		case GROUP_MENU:
			snprintf(s.numbers[i], sizeof(s.numbers[i]), "menu:%zu",
				 i + 1);
			add_name(&s, s.numbers[i], VALUES_MENU);
			break;
		case GROUP_CHOICE:
			add_name(&s, lkc_sym_name(tree, sym), VALUES_Y);
			break;
		default:
			add_name(&s, lkc_sym_name(tree, sym),
				 values_of(tree, g->config, sym));
		}
	}
	return schema_print(&s);
}

static void add_symbol(struct schema *s, const struct lkc_tree *tree,
		       lkc_sym sym)
{
	if (sym != LKC_NONE && lkc_sym_is_config(tree, sym) &&
	    lkc_sym_prompt(tree, sym))
		add_name(s, lkc_sym_name(tree, sym),
			 values_of(tree, NULL, sym));
}

/* The symbols of @e, up to some depth. */
static void add_expr(struct schema *s, const struct lkc_tree *tree, lkc_expr e,
		     unsigned int depth)
{
	if (e == LKC_NONE || !depth || s->names.n >= NAMES_MAX)
		return;
	switch (lkc_expr_op(tree, e)) {
	case LKC_OP_SYM:
		add_symbol(s, tree, lkc_expr_sym(tree, e));
		break;
	case LKC_OP_AND:
	case LKC_OP_OR:
		add_expr(s, tree, lkc_expr_right(tree, e), depth - 1);
		/* fallthrough */
	case LKC_OP_NOT:
		add_expr(s, tree, lkc_expr_left(tree, e), depth - 1);
		break;
	default:
		add_symbol(s, tree, lkc_expr_sym(tree, e));
		add_symbol(s, tree, lkc_expr_rsym(tree, e));
	}
}

char *prompt_repair_schema(const struct group *g, const struct answer *a)
{
	const struct lkc_tree *tree = lkc_config_tree(g->config);
	struct schema s = {0};
	size_t i, n, k;

	for (i = 0; i < a->n; i++) {
		const struct suggestion *sug = &a->v[i];
		lkc_sym near[3];

		if (sug->round != g->round || !suggestion_rejected(sug))
			continue;
		add_symbol(&s, tree, sug->sym);
		add_symbol(&s, tree, sug->other);
		add_expr(&s, tree, sug->unmet, DEPTH_MAX);
		if (sug->sym != LKC_NONE || !*sug->name)
			continue;
		if (sug->item != SUGGEST_NO_ITEM) {
			add_name(&s, sug->name, VALUES_MENU);
			continue;
		}
		n = lkc_sym_nearest(tree, sug->name, near, 3);
		for (k = 0; k < n; k++)
			add_symbol(&s, tree, near[k]);
	}
	return schema_print(&s);
}
