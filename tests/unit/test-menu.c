// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree of menus: automatic submenus, groups, places, members of choices.
 */
#include "fixture.h"

/*
 * Draws what stands under @m: kinds as letters, prompts or names, children in
 * parentheses.
 */
static void draw(const struct lkc_tree *tree, lkc_menu m, char *out)
{
	static const char kinds[] = "msMCci";
	const char *name = lkc_menu_prompt(tree, m);
	lkc_menu child = lkc_menu_child(tree, m);

	if (!name && lkc_menu_sym(tree, m) != LKC_NONE)
		name = lkc_sym_name(tree, lkc_menu_sym(tree, m));
	sprintf(out + strlen(out), "%c:%s", kinds[lkc_menu_kind(tree, m)],
		name ? name : "-");
	if (child == LKC_NONE)
		return;
	strcat(out, "(");
	for (; child != LKC_NONE; child = lkc_menu_next(tree, child)) {
		assert_int_equal(lkc_menu_parent(tree, child), m);
		draw(tree, child, out);
		if (lkc_menu_next(tree, child) != LKC_NONE)
			strcat(out, " ");
	}
	strcat(out, ")");
}

static void expect_menus(const char *kconfig, const char *expected)
{
	struct lkc_tree *tree = fixture_tree(kconfig, "6.12");
	char out[1000] = "";

	draw(tree, lkc_menu_root(tree), out);
	assert_string_equal(out, expected);
	lkc_tree_free(tree);
}

#define BOOL(name, more) "config " name "\n\tbool \"" name "\"\n" more

static void empty_trees(void **data)
{
	struct lkc_tree *tree;
	struct lkc_config *c;
	char *text;
	size_t len;

	(void)data;
	expect_menus("", "m:Main menu");
	expect_menus("mainmenu \"Title\"\n", "m:Title");
	expect_menus("if X\nendif\n", "m:Main menu(i:-)");
	tree = fixture_tree("", "6.12");
	c = fixture_config(tree, "CONFIG_A=y\n\n# nothing\n");
	assert_int_equal(lkc_menu_count(tree), 1);
	assert_true(lkc_menu_visible(c, lkc_menu_root(tree)));
	assert_true(lkc_expr_is_const(tree, lkc_menu_cond(tree, 0), LKC_YES));
	assert_int_equal(lkc_config_set_all(c, LKC_ALL_YES), 0);
	assert_int_equal(lkc_config_format(c, LKC_FORMAT_CONFIG, &text, &len),
			 0);
	assert_string_equal(text, "#\n# Automatically generated file; DO NOT EDIT.\n# Main menu\n#\n");
	free(text);
	lkc_config_free(c);
	lkc_tree_free(tree);
}

static void automatic_submenus(void **data)
{
	(void)data;
	/* what requires the entry before, however it is put */
	expect_menus(BOOL("A", "") BOOL("B", "\tdepends on A\n")
		     BOOL("C", "\tdepends on B && X\n")
		     BOOL("D", "\tdepends on A = y\n")
		     BOOL("E", "\tdepends on A != n\n") BOOL("F", ""),
		     "m:Main menu(s:A(s:B(s:C) s:D s:E) s:F)");
	/* an alternative is no requirement, but mentions A and includes all
	 * that A itself depends on
	 */
	expect_menus(BOOL("A", "") BOOL("B", "\tdepends on A || X\n"),
		     "m:Main menu(s:A(s:B))");
	expect_menus(BOOL("A", "\tdepends on X\n")
		     BOOL("B", "\tdepends on A || X\n"),
		     "m:Main menu(s:A s:B)");
	/* something between them ends it */
	expect_menus(BOOL("A", "") BOOL("X", "")
		     BOOL("B", "\tdepends on A\n"),
		     "m:Main menu(s:A s:X s:B)");
	/* the prompt's own condition counts */
	expect_menus(BOOL("A", "") "config B\n\tbool \"B\" if A\n",
		     "m:Main menu(s:A(s:B))");
}

static void blocks(void **data)
{
	(void)data;
	/* an "if" is transparent, a menu is not */
	expect_menus(BOOL("A", "") "if A\n" BOOL("B", "")
		     "menu \"M\"\n" BOOL("C", "") "endmenu\nendif\n",
		     "m:Main menu(s:A(i:- s:B m:M(s:C)))");
	/* so is an entry without prompt, but it keeps its place */
	expect_menus("config A\n\tbool\n" BOOL("B", "\tdepends on A\n"),
		     "m:Main menu(s:A s:B)");
	expect_menus("menuconfig A\n\tbool \"A\"\nif A\n" BOOL("B", "")
		     "comment \"word\"\nendif\n",
		     "m:Main menu(M:A(i:- s:B c:word))");
	expect_menus("choice\n\tprompt \"P\"\n" BOOL("A", "")
		     "if X\n" BOOL("B", "") "endif\nendchoice\n",
		     "m:Main menu(C:P(s:A i:- s:B))");
}

static void visibility(void **data)
{
	static const char kconfig[] =
		BOOL("A", "")
		"menu \"M\"\n\tvisible if A\n"
		BOOL("B", "")
		"comment \"word\"\n"
		"menu \"inner\"\nconfig C\n\tbool\nendmenu\n"
		"endmenu\n";
	struct lkc_tree *tree = fixture_tree(kconfig, "6.12");
	struct lkc_config *c = fixture_config(tree, NULL);
	struct lkc_diags *diags = lkc_diags_new();
	static const bool off[] = { 1, 1, 0, 0, 0, 0, 0 };
	static const bool on[] = { 1, 1, 1, 1, 1, 1, 0 };
	lkc_menu m;

	(void)data;
	assert_int_equal(lkc_menu_count(tree), 7);
	for (m = 0; m < 7; m++)
		assert_int_equal(lkc_menu_visible(c, m), off[m]);
	assert_int_equal(lkc_config_read_mem(c, "x", "CONFIG_A=y\n", 11, 0,
					     diags), 0);
	for (m = 0; m < 7; m++)
		assert_int_equal(lkc_menu_visible(c, m), on[m]);
	assert_int_equal(lkc_menu_cond(tree, 6), LKC_NONE);
	lkc_diags_free(diags);
	lkc_config_free(c);
	lkc_tree_free(tree);
}

static void places(void **data)
{
	static const char kconfig[] =
		"\n\nconfig A\n\tbool \"a\"\n\tselect B if C\n\thelp\n\t  Text.\n"
		"\nconfig B\n\tbool\n"
		"config N\n\tint \"n\"\n\trange 1 5 if A\n\tdefault 3\n"
		"config A\n\tbool\n\tdefault y\n";
	struct lkc_diags *diags = lkc_diags_new();
	struct lkc_tree *tree;
	struct lkc_place place;
	struct lkc_prop prop;
	lkc_sym a, n;

	(void)data;
	assert_int_equal(fixture_load(kconfig, "6.12", &tree, diags), 0);
	a = lkc_sym_find(tree, "A");
	n = lkc_sym_find(tree, "N");
	assert_true(lkc_sym_place(tree, a, &place));
	assert_int_equal(place.line, 3);
	assert_string_equal(place.file, lkc_tree_file(tree, 0));
	assert_false(lkc_sym_place(tree, lkc_sym_find(tree, "C"), &place));
	assert_int_equal(lkc_sym_entries(tree, a), 2);
	lkc_menu_place(tree, lkc_sym_entry(tree, a, 1), &place);
	assert_int_equal(place.line, 15);
	assert_string_equal(lkc_sym_help(tree, a), "Text.\n");
	assert_int_equal(lkc_sym_props(tree, a), 2);
	lkc_sym_prop(tree, a, 0, &prop);
	assert_int_equal(prop.kind, LKC_PROP_SELECT);
	assert_int_equal(prop.target, lkc_sym_find(tree, "B"));
	assert_int_equal(prop.place.line, 5);
	lkc_sym_prop(tree, a, 1, &prop);
	assert_int_equal(prop.kind, LKC_PROP_DEFAULT);
	assert_int_equal(prop.place.line, 17);
	assert_int_equal(lkc_sym_reverse(tree, prop.sym), 0);
	assert_int_equal(lkc_sym_reverse(tree, lkc_sym_find(tree, "B")), 1);
	lkc_sym_prop(tree, n, 0, &prop);
	assert_int_equal(prop.kind, LKC_PROP_RANGE);
	assert_string_equal(lkc_sym_name(tree, prop.low), "1");
	assert_string_equal(lkc_sym_name(tree, prop.high), "5");
	assert_int_equal(prop.place.line, 13);
	lkc_diags_free(diags);
	lkc_tree_free(tree);
}

static void expect_members(const struct lkc_tree *tree, lkc_sym choice,
			   const char *expected)
{
	char out[100] = "";
	size_t i;

	for (i = 0; i < lkc_choice_members(tree, choice); i++) {
		lkc_sym m = lkc_choice_member(tree, choice, i);

		strcat(out, lkc_sym_name(tree, m));
		assert_int_equal(lkc_sym_choice(tree, m), choice);
	}
	assert_string_equal(out, expected);
}

/* Before 6.12, a choice with a name may be continued elsewhere. */
static lkc_sym choice_of(const struct lkc_tree *tree, const char *member)
{
	return lkc_sym_choice(tree, lkc_sym_find(tree, member));
}

static void choices_in_parts(void **data)
{
	static const char kconfig[] =
		"choice ONE\n\tbool \"one\"\n" BOOL("A", "") "endchoice\n"
		"choice TWO\n\tbool \"two\"\n" BOOL("B", "") "endchoice\n"
		"choice ONE\n" BOOL("C", "") BOOL("D", "") "endchoice\n";
	struct lkc_tree *tree;
	struct lkc_config *c;
	struct lkc_diags *diags = lkc_diags_new();

	(void)data;
	assert_int_equal(fixture_load(kconfig, "6.1", &tree, diags), 0);
	/* names of choices are not those of symbols */
	assert_int_equal(lkc_sym_find(tree, "ONE"), LKC_NONE);
	expect_members(tree, choice_of(tree, "A"), "ACD");
	expect_members(tree, choice_of(tree, "B"), "B");
	c = fixture_config(tree, "CONFIG_D=y\n");
	assert_string_equal(fixture_value(c, "A"), "n");
	assert_string_equal(fixture_value(c, "B"), "y");
	assert_string_equal(fixture_value(c, "D"), "y");
	lkc_config_free(c);
	lkc_tree_free(tree);
	lkc_diags_free(diags);
}

static void format_and_warn(const struct lkc_tree *tree,
			    struct lkc_diags *diags)
{
	struct lkc_config *c = fixture_config(tree, NULL);
	char *text;
	size_t len;

	assert_int_equal(lkc_config_format(c, LKC_FORMAT_CONFIG, &text, &len),
			 0);
	assert_int_equal(lkc_config_warnings(c, diags), 0);
	free(text);
	lkc_config_free(c);
}

/* What a hostile file can be full of is handled in reasonable time. */
static void big_trees(void **data)
{
	enum { N = 60000 };
	static const struct {
		const char *dialect, *begin, *each, *end;
	} shapes[] = {
		{ "6.12", "menu \"m\"\n",
		  "config A%d\n\tbool \"a\"\n\tdepends on A%d\n",
		  "endmenu\n" },
		{ "6.1", "",
		  "choice\n\tprompt \"c%d\"\nconfig M%d\n\ttristate \"m\"\nendchoice\n",
		  "" },
		{ "6.12", "choice\n\tprompt \"c\"\n",
		  "config M%d\n\tbool \"m%d\"\n", "endchoice\n" },
		{ "6.1", "", "config A%d\n\t#%d\n", "" },
	};
	struct lkc_diags *diags = lkc_diags_new();
	char *kconfig = malloc(N * 80), *p;
	struct lkc_tree *tree;
	size_t shape;
	int i;

	(void)data;
	/* it takes a second; with quadratic time anywhere, a good many */
	alarm(60);
	for (shape = 0; shape < sizeof(shapes) / sizeof(shapes[0]); shape++) {
		p = stpcpy(kconfig, shapes[shape].begin);
		for (i = 1; i < N; i++)
			p += sprintf(p, shapes[shape].each, i, i - 1);
		strcpy(p, shapes[shape].end);
		assert_int_equal(fixture_load(kconfig, shapes[shape].dialect,
					      &tree, diags), 0);
		format_and_warn(tree, diags);
		lkc_tree_free(tree);
	}
	alarm(0);
	lkc_diags_free(diags);
	free(kconfig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_trees),
		cmocka_unit_test(automatic_submenus),
		cmocka_unit_test(blocks),
		cmocka_unit_test(visibility),
		cmocka_unit_test(places),
		cmocka_unit_test(choices_in_parts),
		cmocka_unit_test(big_trees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
