// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which questions come, and in which order.
 */
#include "fixture.h"

#include "base/strbuf.h"
#include "group.h"
#include "menupath.h"
#include "walk.h"

static const char kconfig[] =
	"mainmenu \"Test\"\n"
	"config TOP\n\tbool \"Top\"\n"
	"config UNDER\n\tbool \"Under\"\n\tdepends on TOP\n"
	"config SIZE\n\tint \"Size\"\n\tdefault 3\n"
	"menu \"One\"\n"
	"config A\n\tbool \"A\"\n"
	"choice\n\tprompt \"Pick\"\n"
	"config C1\n\tbool \"C1\"\n"
	"config C2\n\tbool \"C2\"\n"
	"config C3\n\tbool \"C3\"\n\tdepends on Q\n"
	"endchoice\n"
	"menu \"Inner\"\n"
	"config DEEP\n\tbool \"Deep\"\n"
	"endmenu\n"
	"endmenu\n"
	"menuconfig NET\n\tbool \"Net\"\n"
	"if NET\n"
	"config TCP\n\tbool \"TCP\"\n"
	"config EARLY\n\tbool \"Early\"\n\tdepends on DEEP\n"
	"endif\n"
	"menu \"Empty\"\n"
	"config HIDDEN\n\tbool \"Hidden\"\n\tdepends on NEVER\n"
	"endmenu\n"
	"menu \"I/O\"\n"
	"config P\n\tbool \"Pinned\"\n"
	"config Q\n\tbool \"Q\"\n\tselect P\n"
	"endmenu\n";

struct fixture {
	struct lkc_tree *tree;
	struct lkc_config *c;
	struct walk *w;
	struct group g;
	struct strbuf text;
};

static void begin(struct fixture *f, const char *config)
{
	memset(f, 0, sizeof(*f));
	f->tree = fixture_tree(kconfig, "6.12");
	f->c = fixture_config(f->tree, config);
	assert_int_equal(walk_new(f->c, &f->w), 0);
}

static void end(struct fixture *f)
{
	strbuf_free(&f->text);
	walk_free(f->w);
	lkc_config_free(f->c);
	lkc_tree_free(f->tree);
}

/* The next question in words: "menu(root): One Net". */
static const char *next(struct fixture *f)
{
	size_t i;
	int ret;

	walk_group_free(&f->g);
	ret = walk_next(f->w, &f->g);
	assert_true(ret >= 0);
	strbuf_reset(&f->text);
	if (!ret)
		return "";
	strbuf_addf(&f->text, "%s(", group_kind_name(f->g.kind));
	menupath_add(&f->text, f->tree, f->g.menu);
	strbuf_addstr(&f->text, "):");
	for (i = 0; i < f->g.n; i++)
		strbuf_addf(&f->text, " %s",
			    lkc_menu_prompt(f->tree, f->g.items[i].entry));
	return strbuf_str(&f->text);
}

static void decide(struct fixture *f, enum walk_decision d)
{
	size_t i;

	for (i = 0; i < f->g.n; i++)
		walk_decide(f->w, f->g.items[i].entry, d, "so");
}

/* Sets a symbol, and tells the walk; what appeared is in f->text. */
static void set(struct fixture *f, const char *name, const char *value)
{
	struct walk_moves moves;
	struct lkc_txn *txn;
	size_t i;

	assert_int_equal(lkc_txn_begin(f->c, &txn), 0);
	assert_true(lkc_txn_set(txn, name, value) >= 0);
	assert_int_equal(lkc_txn_prepare(txn), 0);
	assert_int_equal(lkc_txn_commit(txn), 0);
	assert_int_equal(walk_update(f->w, &moves), 0);
	strbuf_reset(&f->text);
	for (i = 0; i < moves.n_appeared; i++)
		strbuf_addf(&f->text, "+%s ",
			    lkc_menu_prompt(f->tree, moves.appeared[i]));
	for (i = 0; i < moves.n_vanished; i++)
		strbuf_addf(&f->text, "-%s ",
			    lkc_menu_prompt(f->tree, moves.vanished[i]));
}

static enum walk_fate fate(struct fixture *f, const char *path)
{
	struct strbuf why = {0};
	lkc_menu m = menupath_find(f->tree, path, &why);
	const char *reason;

	assert_int_not_equal(m, LKC_NONE);
	strbuf_free(&why);
	return walk_fate(f->w, m, &reason);
}

static void test_order(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, NULL);
	/* Net has nothing to ask as long as it is off */
	assert_string_equal(next(&f), "menu(): One I/O");
	decide(&f, WALK_OPEN);
	assert_string_equal(next(&f), "bool(): Top Net");
	assert_string_equal(next(&f), "value(): Size");
	assert_string_equal(next(&f), "menu(One): Inner");
	decide(&f, WALK_OPEN);
	assert_string_equal(next(&f), "bool(One): A");
	assert_string_equal(next(&f), "choice(One): C1 C2");
	assert_string_equal(next(&f), "bool(One > Inner): Deep");
	assert_string_equal(next(&f), "bool(I/O): Pinned Q");
	assert_string_equal(next(&f), "");
	assert_int_equal(fate(&f, "One"), WALK_FATE_ASKED);
	assert_int_equal(fate(&f, "Empty"), WALK_FATE_HIDDEN);
	assert_int_equal(fate(&f, "Net"), WALK_FATE_HIDDEN);
	end(&f);
}

static void test_appear(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, NULL);
	next(&f);
	decide(&f, WALK_OPEN);
	assert_string_equal(next(&f), "bool(): Top Net");
	set(&f, "TOP", "y");
	assert_string_equal(strbuf_str(&f.text), "+Under ");
	/* an entry that depends on another stands in the same menu */
	assert_string_equal(next(&f), "bool(): Under");
	set(&f, "NET", "y");
	assert_string_equal(strbuf_str(&f.text), "+TCP ");
	assert_string_equal(next(&f), "menu(): Net");
	decide(&f, WALK_OPEN);
	set(&f, "DEEP", "y");
	assert_string_equal(strbuf_str(&f.text), "+Early ");
	set(&f, "DEEP", "n");
	assert_string_equal(strbuf_str(&f.text), "-Early ");
	assert_string_equal(next(&f), "value(): Size");
	assert_string_equal(next(&f), "menu(One): Inner");
	decide(&f, WALK_SKIP);
	next(&f);
	next(&f);
	assert_string_equal(next(&f), "bool(Net): TCP");
	/* behind the walk: it goes back */
	set(&f, "DEEP", "y");
	assert_string_equal(strbuf_str(&f.text), "+Early ");
	assert_string_equal(next(&f), "bool(Net): Early");
	assert_string_equal(next(&f), "bool(I/O): Pinned Q");
	assert_string_equal(next(&f), "");
	assert_int_equal(fate(&f, "One/Inner"), WALK_FATE_SKIPPED);
	end(&f);
}

/* A choice is asked about again for the sake of a member that is new. */
static void test_choice(void **state)
{
	struct walk_counts before, after;
	struct fixture f;

	(void)state;
	begin(&f, NULL);
	next(&f);
	decide(&f, WALK_OPEN);
	while (strcmp(next(&f), "choice(One): C1 C2") != 0)
		assert_string_not_equal(strbuf_str(&f.text), "");
	walk_count(f.w, &before);
	set(&f, "C2", "y");
	assert_string_equal(strbuf_str(&f.text), "");
	set(&f, "Q", "y");
	assert_string_equal(strbuf_str(&f.text), "+Pick -Pinned ");
	assert_string_equal(next(&f), "choice(One): C1 C2 C3");
	walk_count(f.w, &after);
	assert_int_equal(after.asked, before.asked);
	set(&f, "Q", "n");
	set(&f, "Q", "y");
	while (*next(&f))
		assert_int_not_equal(f.g.kind, GROUP_CHOICE);
	end(&f);
}

static void test_skip(void **state)
{
	struct walk_counts counts;
	struct fixture f;

	(void)state;
	begin(&f, "CONFIG_Q=y\n");
	assert_string_equal(next(&f), "menu(): One I/O");
	walk_decide(f.w, f.g.items[0].entry, WALK_SKIP, "why not");
	walk_decide(f.w, f.g.items[1].entry, WALK_OPEN, NULL);
	next(&f);
	next(&f);
	/* what Q selects has one possible value only */
	assert_string_equal(next(&f), "bool(I/O): Q");
	set(&f, "Q", "n");
	assert_string_equal(strbuf_str(&f.text), "+Pinned ");
	assert_string_equal(next(&f), "bool(I/O): Pinned");
	/* nothing appears in what is skipped */
	assert_string_equal(next(&f), "");
	assert_int_equal(fate(&f, "One"), WALK_FATE_SKIPPED);
	assert_int_equal(fate(&f, "Inner"), WALK_FATE_WITHIN);
	walk_count(f.w, &counts);
	assert_int_equal(counts.asked, 5);	/* TOP NET SIZE Q P */
	assert_int_equal(counts.unasked, 3);	/* A, the choice, DEEP */
	end(&f);
}

static void test_scope(void **state)
{
	struct strbuf why = {0};
	struct fixture f;

	(void)state;
	begin(&f, NULL);
	walk_scope(f.w, menupath_find(f.tree, "One/Inner", &why));
	walk_scope(f.w, menupath_find(f.tree, "SIZE", &why));
	assert_string_equal(next(&f), "value(): Size");
	assert_string_equal(next(&f), "bool(One > Inner): Deep");
	assert_string_equal(next(&f), "");
	assert_int_equal(fate(&f, "One"), WALK_FATE_OUTSIDE);
	assert_int_equal(fate(&f, "I/O"), WALK_FATE_OUTSIDE);
	strbuf_free(&why);
	end(&f);
}

static void test_paths(void **state)
{
	static const struct {
		const char *path;
		const char *prompt;
	} cases[] = {
		{ "One", "One" },
		{ "one/inner", "Inner" },
		{ "One > Inner", "Inner" },
		{ "Inner", "Inner" },
		{ "I/O", "I/O" },
		{ "I/O/Q", "Q" },
		{ "CONFIG_SIZE", "Size" },
		{ "NET", "Net" },
		{ "Onee", NULL },
		{ "I/Oo", NULL },
		{ "One/Deeper", NULL },
		{ "", NULL },
		{ "/", NULL },
	};
	struct strbuf why = {0};
	struct fixture f;
	size_t i;

	(void)state;
	begin(&f, NULL);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		lkc_menu m = menupath_find(f.tree, cases[i].path, &why);

		if (!cases[i].prompt) {
			assert_int_equal(m, LKC_NONE);
			assert_true(why.len > 0);
			strbuf_reset(&why);
			continue;
		}
		assert_int_not_equal(m, LKC_NONE);
		assert_string_equal(lkc_menu_prompt(f.tree, m),
				    cases[i].prompt);
	}
	menupath_find(f.tree, "Onee", &why);
	assert_non_null(strstr(strbuf_str(&why), "\"One\""));
	strbuf_free(&why);
	end(&f);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_appear),
		cmocka_unit_test(test_choice),
		cmocka_unit_test(test_skip),
		cmocka_unit_test(test_scope),
		cmocka_unit_test(test_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
