// SPDX-License-Identifier: GPL-2.0-only
/*
 * Explanations: every shape of condition and every origin of a value in words.
 */
#include "fixture.h"

static const char kconfig[] =
	"config MODULES\n\tbool \"modules\"\n\tmodules\n\tdefault y\n"
	"config A\n\tbool \"A\"\n"
	"config B\n\tbool \"B\"\n"
	"config T\n\ttristate \"T\"\n\tdefault m\n"
	"config N\n\tint \"N\"\n\tdefault 3\n\trange 1 10\n"
	"config S\n\tstring \"S\"\n\tdefault \"text\"\n"
	"config SEL\n\tbool \"SEL\"\n\tselect HELD\n\timply SOFT\n"
	"config HELD\n\tbool \"HELD\"\n"
	"config SOFT\n\tbool \"SOFT\"\n"
	"config DEF\n\tbool \"DEF\"\n\tdefault y if T && !A\n"
	"config AND\n\tbool \"x\"\n\tdepends on A && B\n"
	"config OR\n\tbool \"x\"\n\tdepends on A || B\n"
	"config NOT\n\tbool \"x\"\n\tdepends on !T\n"
	"config NOTAND\n\tbool \"x\"\n\tdepends on !(T && N = 3)\n"
	"config CMP\n\tbool \"x\"\n\tdepends on N > 5\n"
	"config MIX\n\tbool \"x\"\n\tdepends on (A || B) && S = \"other\"\n"
	"config ORAND\n\tbool \"x\"\n\tdepends on (A && B) || NOSUCH\n"
	"config MANY\n\tbool \"x\"\n"
	"\tdepends on U1 || U2 || U3 || U4 || U5 || U6 || U7\n"
	"config ALL\n\tbool \"x\"\n"
	"\tdepends on U1 && U2 && U3 && U4 && U5 && U6 && U7\n"
	"config CONST\n\tbool \"x\"\n\tdepends on n\n"
	"config TRI\n\ttristate \"x\"\n\tdepends on T\n"
	"choice\n\tprompt \"One of them\"\n\tdepends on B\n\tdefault C2\n"
	"config C1\n\tbool \"C1\"\n"
	"config C2\n\tbool \"C2\"\n"
	"endchoice\n";

struct state {
	struct lkc_tree *tree;
	struct lkc_config *c;
};

static int setup(void **data)
{
	struct state *s = calloc(1, sizeof(*s));

	s->tree = fixture_tree(kconfig, "6.12");
	s->c = fixture_config(s->tree, NULL);
	*data = s;
	return 0;
}

static int teardown(void **data)
{
	struct state *s = *data;

	lkc_config_free(s->c);
	lkc_tree_free(s->tree);
	free(s);
	return 0;
}

static void set(struct state *s, const char *text)
{
	struct lkc_diags *diags = lkc_diags_new();

	assert_int_equal(lkc_config_read_mem(s->c, "test", text, strlen(text),
					     0, diags), 0);
	lkc_diags_free(diags);
}

/* @text with its places, which depend on a temporary file's name, cut out. */
static void without_places(char *text)
{
	char *from, *to;

	while ((from = strstr(text, "/tmp/lkc-test-"))) {
		to = from + strcspn(from, ":");
		to += 1 + strspn(to + 1, "0123456789");
		memmove(from, to, strlen(to) + 1);
	}
}

static void expect_unmet(const struct state *s, const char *name,
			 enum lkc_tri want, const char *expected)
{
	lkc_sym sym = lkc_sym_find(s->tree, name);
	char *text = lkc_unmet_text(s->c, lkc_sym_prompt_cond(s->tree, sym),
				    want);

	assert_non_null(text);
	without_places(text);
	assert_string_equal(text, expected);
	free(text);
}

static void expect_why(const struct state *s, const char *name,
		       const char *expected)
{
	char *text = lkc_explain(s->c, lkc_sym_find(s->tree, name));

	assert_non_null(text);
	without_places(text);
	assert_string_equal(text, expected);
	free(text);
}

static void expect_text(const struct state *s, const char *name,
			const char *expected)
{
	lkc_sym sym = lkc_sym_find(s->tree, name);
	char *text = lkc_expr_text(s->tree, lkc_sym_depends(s->tree, sym),
				   NULL);

	assert_string_equal(text, expected);
	free(text);
}

static void conditions_in_words(void **data)
{
	struct state *s = *data;

	expect_unmet(s, "AND", LKC_YES, "needs A=y (now n, ) and B=y (now n, )");
	expect_unmet(s, "OR", LKC_YES,
		     "needs (A=y (now n, ) or B=y (now n, ))");
	expect_unmet(s, "NOT", LKC_YES, "needs T=n (now m, )");
	expect_unmet(s, "NOTAND", LKC_YES,
		     "needs not (T [=m] && N [=3]=3)");
	expect_unmet(s, "CMP", LKC_YES, "needs N>5 (now 3, )");
	expect_unmet(s, "MIX", LKC_YES,
		     "needs (A=y (now n, ) or B=y (now n, )) and S=\"other\" (now text, )");
	expect_unmet(s, "ORAND", LKC_YES,
		     "needs ((A=y (now n, ) and B=y (now n, )) or NOSUCH=y (not defined in this kernel))");
	expect_unmet(s, "CONST", LKC_YES, "needs a constant n");
	expect_unmet(s, "TRI", LKC_YES, "needs T=y (now m, )");
	expect_unmet(s, "TRI", LKC_MOD, "");
}

static void only_what_is_unmet(void **data)
{
	struct state *s = *data;

	set(s, "CONFIG_A=y\n");
	expect_unmet(s, "AND", LKC_YES, "needs B=y (now n, )");
	expect_unmet(s, "OR", LKC_YES, "");
	expect_unmet(s, "ORAND", LKC_YES,
		     "needs ((B=y (now n, )) or NOSUCH=y (not defined in this kernel))");
}

static void choices_are_looked_through(void **data)
{
	struct state *s = *data;

	expect_unmet(s, "C1", LKC_YES, "needs B=y (now n, )");
	set(s, "CONFIG_B=y\n");
	expect_unmet(s, "C1", LKC_YES, "");
}

static void long_conditions_are_cut(void **data)
{
	struct state *s = *data;
#define UNDEFINED(n) "U" #n "=y (not defined in this kernel)"

	expect_unmet(s, "MANY", LKC_YES,
		     "needs (" UNDEFINED(1) " or " UNDEFINED(2) " or "
		     UNDEFINED(3) " or " UNDEFINED(4) " or " UNDEFINED(5)
		     " or 2 more)");
	expect_unmet(s, "ALL", LKC_YES,
		     "needs " UNDEFINED(1) " and " UNDEFINED(2) " and "
		     UNDEFINED(3) " and " UNDEFINED(4) " and " UNDEFINED(5)
		     " and 2 more");
}

static void origins_in_words(void **data)
{
	struct state *s = *data;

	expect_why(s, "A", "A=n: unset");
	expect_why(s, "N", "N=3: default; default 3 ()");
	expect_why(s, "DEF",
		   "DEF=y: default; default y if T [=m] && !A [=n] ()");
	set(s, "CONFIG_SEL=y\nCONFIG_B=y\n# CONFIG_HELD is not set\n");
	expect_why(s, "SEL", "SEL=y: user");
	expect_why(s, "HELD",
		   "HELD=y: select; selected by SEL=y (); n was asked for");
	expect_why(s, "SOFT", "SOFT=y: imply; implied by SEL=y ()");
	expect_why(s, "C1", "C1=n: choice; the choice has C2");
	set(s, "CONFIG_AND=y\nCONFIG_A=y\n");
	expect_why(s, "AND",
		   "AND=n: unset; y was asked for but needs B=y (now n, )");
	set(s, "CONFIG_N=99\n");
	expect_why(s, "N", "N=10: user; 99 was asked for");
}

static void expressions_as_text(void **data)
{
	struct state *s = *data;

	expect_text(s, "AND", "A && B");
	expect_text(s, "NOTAND", "!T || N!=3");
	expect_text(s, "MIX", "(A || B) && S=\"other\"");
	expect_text(s, "ORAND", "A && B || NOSUCH");
	expect_text(s, "CONST", "n");
}

/* A chain as long as a file must not cost stack. */
static void endless_chains(void **data)
{
	enum { TERMS = 200000 };
	static const char *const before[] = {
		"tristate \"x\"\n\tdepends on m",
		"bool \"x\"\n\tdepends on A if A",
	};
	size_t i, j;

	(void)data;
	for (i = 0; i < 2; i++) {
		char *text = malloc(TERMS * 16 + 200), *p = text;
		struct lkc_tree *tree;
		struct lkc_config *c;
		lkc_sym x;

		p += sprintf(p, "config MODULES\n\tbool\n\tmodules\n\tdefault y\n"
			     "config X\n\t%s", before[i]);
		for (j = 0; j < TERMS; j++)
			p += sprintf(p, " && U%zu", j);
		strcpy(p, "\n");
		tree = fixture_tree(text, "7.2");
		c = fixture_config(tree, "CONFIG_X=y\n");
		x = lkc_sym_find(tree, "X");
		free(text);
		text = lkc_expr_text(tree, lkc_sym_prompt_cond(tree, x), c);
		assert_true(strlen(text) > TERMS * 4);
		free(text);
		text = lkc_explain(c, x);
		assert_true(strlen(text) < 1000);
		free(text);
		lkc_config_free(c);
		lkc_tree_free(tree);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(conditions_in_words),
		TEST(only_what_is_unmet),
		TEST(choices_are_looked_through),
		TEST(long_conditions_are_cut),
		TEST(origins_in_words),
		TEST(expressions_as_text),
		TEST(endless_chains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
