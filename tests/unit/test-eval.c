// SPDX-License-Identifier: GPL-2.0-only
/*
 * Evaluation and its order: what golden files do not show.
 */
#include "fixture.h"

static void read_text(struct lkc_config *c, const char *text)
{
	struct lkc_diags *diags = lkc_diags_new();

	assert_int_equal(lkc_config_read_mem(c, "test", text, strlen(text), 0,
					     diags), 0);
	lkc_diags_free(diags);
}

/* The values of @names in order, with blanks between; static. */
static const char *values(const struct lkc_config *c, const char *names)
{
	static char out[256];
	char *copy = strdup(names), *name, *rest = NULL;

	*out = '\0';
	for (name = strtok_r(copy, " ", &rest); name;
	     name = strtok_r(NULL, " ", &rest)) {
		if (*out)
			strcat(out, " ");
		strcat(out, fixture_value(c, name));
	}
	free(copy);
	return out;
}

static void commit(struct lkc_config *c, const char *name, const char *value)
{
	struct lkc_txn *txn;

	assert_int_equal(lkc_txn_begin(c, &txn), 0);
	assert_true(lkc_txn_set(txn, name, value) >= 0);
	assert_int_equal(lkc_txn_prepare(txn), 0);
	assert_int_equal(lkc_txn_commit(txn), 0);
}

/* ---- constants ---------------------------------------------------------- */

static void constants_stay_what_they_are(void **data)
{
	static const char kconfig[] =
		"config MODULES\n\tbool \"m\"\n\tmodules\n\tdefault y\n"
		"config y\n\tbool \"why\"\n"
		"config n\n\tbool \"no\"\n\tdefault y\n"
		"config m\n\ttristate \"em\"\n"
		"config A\n\ttristate \"a\"\n\tdepends on y\n\tselect n\n"
		"config B\n\tbool \"b\"\n\tdefault y if n\n"
		"config M\n\ttristate \"m\"\n\tdefault m\n";
	static const char choice[] =
		"choice\n\tprompt \"c\"\n"
		"config y\n\tbool \"again\"\n"
		"config C\n\tbool \"c\"\n"
		"endchoice\n";
	char text[1000];
	struct lkc_diags *diags = lkc_diags_new();
	static const char *const dialects[] = { "6.1", "6.12" };
	struct lkc_tree *tree;
	struct lkc_config *c;
	struct lkc_txn *txn;
	size_t i;

	(void)data;
	for (i = 0; i < 2; i++) {
		/* since 6.12, members must be bool, which y is not */
		snprintf(text, sizeof(text), "%s%s", kconfig,
			 i ? "config C\n\tdef_bool y\n" : choice);
		assert_int_equal(fixture_load(text, dialects[i], &tree, diags),
				 0);
		c = fixture_config(tree, "CONFIG_y=n\nCONFIG_n=y\n");
		assert_string_equal(values(c, "y n m MODULES A B M C"),
				    "y n m y n n m y");
		assert_int_equal(lkc_txn_begin(c, &txn), 0);
		assert_int_equal(lkc_txn_set(txn, "y", "n"), 0);
		assert_int_equal(lkc_txn_prepare(txn), LKC_EREJECTED);
		assert_int_equal(lkc_txn_request(txn, 0)->verdict,
				 LKC_V_UNKNOWN);
		lkc_config_free(c);
		lkc_tree_free(tree);
	}
	lkc_diags_free(diags);
}

/* ---- order -------------------------------------------------------------- */

/* What two orders of two entries have in common: no loop, and one result. */
static void ranges_close_no_loop(void **data)
{
	static const char a[] = "config A\n\tint \"a\"\n\trange 0 B\n";
	static const char b[] =
		"config B\n\tint \"b\"\n\tdefault 3 if A = 1\n\tdefault 7\n";
	char kconfig[200];
	struct lkc_tree *tree;
	struct lkc_config *c;
	size_t i;

	(void)data;
	for (i = 0; i < 2; i++) {
		snprintf(kconfig, sizeof(kconfig), "%s%s", i ? b : a,
			 i ? a : b);
		tree = fixture_tree(kconfig, "6.12");
		c = fixture_config(tree, NULL);
		assert_string_equal(values(c, "A B"), "0 7");
		commit(c, "A", "1");
		assert_string_equal(values(c, "A B"), "1 3");
		lkc_config_free(c);
		lkc_tree_free(tree);
	}
}

static void expect_loop(const char *kconfig, const char *dialect,
			const char *step)
{
	struct lkc_diags *diags = lkc_diags_new();
	struct lkc_tree *tree;
	bool found = false;
	size_t i;

	assert_int_equal(fixture_load(kconfig, dialect, &tree, diags),
			 LKC_EPARSE);
	assert_null(tree);
	for (i = 0; i < lkc_diags_count(diags); i++) {
		const struct lkc_diag *d = lkc_diags_get(diags, i);

		assert_string_equal(lkc_diag_name(d->code),
				    "recursive-dependency");
		found |= strstr(d->full, step) != NULL;
	}
	assert_true(found);
	lkc_diags_free(diags);
}

static void members_may_not_read_members(void **data)
{
	static const char depends[] =
		"choice\n\tprompt \"c\"\n"
		"config A\n\tbool \"a\"\n\tdepends on B\n"
		"config B\n\tbool \"b\"\nendchoice\n";
	static const char selects[] =
		"choice\n\tprompt \"c\"\nconfig A\n\tbool \"a\"\n"
		"config B\n\tbool \"b\"\n\tselect A\nendchoice\n";
	static const char by_default[] =
		"choice\n\tprompt \"c\"\n\tdefault B if A\n"
		"config A\n\tbool \"a\"\nconfig B\n\tbool \"b\"\nendchoice\n";
	static const char itself[] =
		"choice\n\tprompt \"c\"\n\tdepends on A\n"
		"config A\n\tbool \"a\"\nendchoice\n";

	(void)data;
	expect_loop(depends, "6.12", "A prompt is visible depending on B");
	expect_loop(depends, "6.1", "A is part of choice B");
	expect_loop(selects, "6.12", "A is selected by B");
	expect_loop(selects, "6.1", "A is part of choice B");
	expect_loop(by_default, "6.12", "default is visible depending on A");
	expect_loop(by_default, "6.1", "contains symbol A");
	expect_loop(itself, "6.12", "prompt is visible depending on A");
	expect_loop(itself, "6.1", "contains symbol A");
}

/* A loop that each of 2000 symbols closes is not told 2000 times. */
static void loops_are_told_within_reason(void **data)
{
	struct lkc_diags *diags = lkc_diags_new();
	char *kconfig = malloc(2000 * 60), *p = kconfig;
	struct lkc_tree *tree;
	int i;

	(void)data;
	p += sprintf(p, "config A0\n\tbool \"a\"\n\tdepends on A1999\n");
	for (i = 1; i < 2000; i++)
		p += sprintf(p, "config A%d\n\tbool \"a\"\n"
			     "\tdepends on A%d && A0\n", i, i - 1);
	assert_int_equal(fixture_load(kconfig, "6.12", &tree, diags),
			 LKC_EPARSE);
	assert_true(lkc_diags_count(diags) < 60 * 2002);
	lkc_diags_free(diags);
	free(kconfig);
}

/* ---- choices ------------------------------------------------------------ */

/* A choice whose default is no member looks at that symbol's visibility. */
static void default_that_is_no_member(void **data)
{
	static const char kconfig[] =
		"config GATE\n\tbool \"gate\"\n"
		"config X\n\tbool \"x\"\n\tdepends on GATE\n"
		"choice\n\tprompt \"c\"\n\tdefault X\n"
		"config A\n\tbool \"a\"\n"
		"config B\n\tbool \"b\"\n"
		"endchoice\n";
	struct lkc_diags *diags = lkc_diags_new();
	struct lkc_tree *tree;
	struct lkc_config *c;

	(void)data;
	assert_int_equal(fixture_load(kconfig, "6.12", &tree, diags), 0);
	c = fixture_config(tree, NULL);
	assert_string_equal(values(c, "X A B"), "n y n");
	commit(c, "GATE", "y");
	assert_string_equal(values(c, "X A B"), "n n n");
	commit(c, "GATE", "n");
	assert_string_equal(values(c, "X A B"), "n y n");
	lkc_config_free(c);
	lkc_tree_free(tree);
	lkc_diags_free(diags);
}

static void winners(void **data)
{
	static const char kconfig[] =
		"choice\n\tprompt \"c\"\n\tdefault B\n"
		"config A\n\tbool \"a\"\n"
		"config B\n\tbool \"b\"\n"
		"config C\n\tbool \"c\"\n"
		"endchoice\n";
	struct lkc_tree *tree = fixture_tree(kconfig, "6.12");
	struct lkc_config *c = fixture_config(tree, NULL);

	(void)data;
	assert_string_equal(values(c, "A B C"), "n y n");
	read_text(c, "CONFIG_A=y\nCONFIG_C=y\n");
	assert_string_equal(values(c, "A B C"), "n n y");
	read_text(c, "CONFIG_C=y\nCONFIG_A=y\n");
	assert_string_equal(values(c, "A B C"), "y n n");
	read_text(c, "# CONFIG_B is not set\n");
	assert_string_equal(values(c, "A B C"), "y n n");
	read_text(c, "# CONFIG_C is not set\n# CONFIG_B is not set\n"
		  "# CONFIG_A is not set\n");
	assert_string_equal(values(c, "A B C"), "n n y");
	lkc_config_free(c);
	lkc_tree_free(tree);
}

/* MODULES decides what m is, so it cannot be m itself. */
static void tristate_modules(void **data)
{
	static const char kconfig[] =
		"config T\n\ttristate \"t\"\n\tdefault m\n"
		"config MODS\n\ttristate \"mods\"\n\tmodules\n\tdefault m\n";
	struct lkc_tree *tree = fixture_tree(kconfig, "6.12");
	struct lkc_config *c = fixture_config(tree, NULL);

	(void)data;
	assert_string_equal(values(c, "MODS T"), "y m");
	commit(c, "MODS", "n");
	assert_string_equal(values(c, "MODS T"), "n y");
	commit(c, "MODS", "y");
	assert_string_equal(values(c, "MODS T"), "y m");
	lkc_config_free(c);
	lkc_tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants_stay_what_they_are),
		cmocka_unit_test(ranges_close_no_loop),
		cmocka_unit_test(members_may_not_read_members),
		cmocka_unit_test(loops_are_told_within_reason),
		cmocka_unit_test(default_that_is_no_member),
		cmocka_unit_test(winners),
		cmocka_unit_test(tristate_modules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
