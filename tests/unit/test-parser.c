// SPDX-License-Identifier: GPL-2.0-only
/*
 * The grammar and its dialects, and what is said about texts that do not
 * follow it. Messages are those of the kernel's conf.
 */
#include "parse.h"

/*
 * @kconfig is accepted in the dialects whose letter is in @in, and only there:
 * a: 4.11, b: 6.1, c: 6.12, d: 7.2.
 */
static void accepted(const char *in, const char *kconfig)
{
	struct parsed p;
	size_t i;

	for (i = 0; i < DIALECTS; i++) {
		bool expected = strchr(in, 'a' + (int)i);

		parse_text(&p, parse_dialects[i], kconfig);
		if (expected != !p.err)
			fail_msg("%s: %s: %s", parse_dialects[i], kconfig,
				 p.errors);
		parse_done(&p);
	}
}

static void dialects(void **state)
{
	(void)state;
	accepted("a", "config A\n\tboolean \"a\"\n");
	accepted("a", "config A\n\tbool \"a\"\n\t---help---\n\t  text\n");
	accepted("a", "config A\n\tbool\n\toption modules\n");
	accepted("a", "config A\n\tstring\n\toption env=\"HOME\"\n");
	accepted("a", "config A\n\tstring\n\toption defconfig_list\n");
	accepted("a", "config A\n\tbool\n\toption allnoconfig_y\n");
	accepted("", "config A\n\tbool\n\toption unheard_of\n");
	accepted("abcd", "config A\n\tbool \"a\"\n\tmodules\n");
	accepted("d", "config A\n\tbool\n\ttransitional\n");
	accepted("d", "config A\n\tbool\n\tdepends on B if C\n");
	accepted("abcd", "config A\n\tbool\n\tdepends on B\n");
	accepted("a", "menu Bare\nendmenu\n");
	accepted("a", "config A\n\tbool\n\tprompt bare\n");
	accepted("abcd", "menu \"Quoted\"\nendmenu\n");
}

static void dialects_of_choice(void **state)
{
#define MEMBER "\tprompt \"x\"\nconfig A\n\tbool \"a\"\n"
#define END "endchoice\n"
	(void)state;
	parse_write("empty", "");
	accepted("abcd", "choice\n" MEMBER END);
	accepted("ab", "choice NAMED\n" MEMBER END);
	accepted("ab", "choice\n\toptional\n" MEMBER END);
	accepted("ab", "choice\n\tbool\n" MEMBER END);
	accepted("ab", "choice\n\ttristate\n" MEMBER END);
	accepted("abc", "choice\n\tbool \"x\"\nconfig A\n\tbool \"a\"\n" END);
	accepted("abcd", "choice\n" MEMBER "comment \"c\"\n" END);
	accepted("abcd", "choice\n" MEMBER "if y\nendif\n" END);
	accepted("a", "choice\n" MEMBER "source \"empty\"\n" END);
	accepted("a", "choice\n" MEMBER "if y\nsource \"empty\"\nendif\n" END);
	accepted("a", "choice\n" MEMBER "menuconfig B\n\tbool \"b\"\n" END);
	accepted("", "choice\n" MEMBER "menu \"m\"\nendmenu\n" END);
	accepted("", "choice\n" MEMBER "choice\nendchoice\n" END);
	accepted("", "choice\n" MEMBER "V = 5\n" END);
	accepted("", "choice\n\tdefault \"A\"\n" MEMBER END);
	accepted("", "choice\n\tdefault A && A\n" MEMBER END);
	accepted("", "choice\n\tselect A\n" MEMBER END);
	accepted("", "choice\n\tdef_bool y\n" MEMBER END);
#undef MEMBER
#undef END
}

static void attributes(void **state)
{
	static const char *const good[] = {
		"bool \"x\" if Y && \"y\"", "bool\n\tprompt 'x' if Y",
		"bool\n\tdepends on !B = C || (D != 'x') && E",
		"bool\n\tdepends on 3<5&&7>=8", "bool\n\tdefault y if Y",
		"int\n\trange 1 B if Y", "bool\n\tselect B if Y",
		"bool\n\timply B if Y", "def_bool B && C if Y",
		"def_tristate m", "hex \"x\"\n\tdefault 0x1F",
		"int \"x\"\n\tdefault -5", "string \"x\"\n\tdefault \"\"",
		"bool \\\n\t  \"x\" \\\n\tif Y # comment",
	}, *const bad[] = {
		"bool x", "bool \"x\" \"y\"", "depends B", "depends on",
		"depends on B = C = D", "depends on (B) = C",
		"depends on B = (C)", "depends on B && && C",
		"depends on (B", "depends on B)", "depends on on",
		"default", "default y if", "default y if y if y", "select",
		"select \"B\"", "select !B", "select B C", "range 1",
		"visible if y", "optional", "help text",
		"modules y", "def_int 5", "A B = 5", "select = 5",
	};
	char text[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		snprintf(text, sizeof(text), "config A\n\t%s\n", good[i]);
		accepted("abcd", text);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "config A\n\tbool\n\t%s\n",
			 bad[i]);
		accepted("", text);
	}
}

static void syntax_errors(void **state)
{
	(void)state;
	/* all of them, each in its line; 6.1 looks one line ahead */
	parse_expect("6.12", "config A\n\tbool \"a\" 3\nmenu \"m\"\nfoo bar\n"
		     "endmenu\nconfig B\n\tbool \"b\"\n\tselect\n",
		     "Kconfig:2: syntax error\n"
		     "Kconfig:2: invalid statement\n"
		     "Kconfig:4: syntax error\n"
		     "Kconfig:4: unknown statement \"foo\"\n"
		     "Kconfig:8: syntax error\n"
		     "Kconfig:8: invalid statement\n");
	parse_expect("6.1", "config A\n\tbool \"a\" 3\nfoo\n",
		     "Kconfig:3: syntax error\n"
		     "Kconfig:2: invalid statement\n"
		     "Kconfig:3: unknown statement \"foo\"\n");
	/* one message while it finds its way back */
	parse_expect("6.12", "foo\n\n\nbar\n# c\nbaz\n",
		     "Kconfig:1: syntax error\n"
		     "Kconfig:1: unknown statement \"foo\"\n"
		     "Kconfig:4: unknown statement \"bar\"\n"
		     "Kconfig:6: unknown statement \"baz\"\n");
	/* a statement is where its first line is */
	parse_expect("6.12", "\\\n\\\nfoo \\\nbar \\\nbaz\n",
		     "Kconfig:3: syntax error\n"
		     "Kconfig:3: unknown statement \"foo\"\n");
	parse_expect("6.12", "mainmenu foo\nconfig A\n",
		     "Kconfig:1: syntax error\n");
	parse_expect("6.12", "config A\n\tfoo\nmainmenu \"x\"\n",
		     "Kconfig:2: syntax error\n"
		     "Kconfig:2: unknown statement \"foo\"\n"
		     "Kconfig:3: invalid statement\n");
}

static void characters(void **state)
{
	(void)state;
	parse_expect_all("config A\n\tdef_bool y ; %\r\n",
			 "Kconfig:2:warning: ignoring unsupported character ';'\n"
			 "Kconfig:2:warning: ignoring unsupported character '%'\n"
			 "Kconfig:2:warning: ignoring unsupported character '\r'\n");
	parse_expect_all("config A\n\tdef_bool y\n\tprompt \"a\n",
			 "Kconfig:3:warning: multi-line strings not supported\n");
	parse_expect("6.1", "config A\n\tdef_bool y",
		     "Kconfig:2:warning: no new line at end of file\n");
	parse_expect("6.12", "config A\n\tdef_bool y",
		     "Kconfig:2:warning: no new line at end of file\n"
		     "Kconfig:2: syntax error\n");
	parse_expect_all("config A\n\tdef_bool y\n# c", "");
}

static void binary(void **state)
{
	static char junk[40000];
	struct lkc_load_options opt = { .dialect = "6.12" };
	const struct lkc_diag *last;
	struct parsed p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(junk); i++)
		junk[i] = i % 3 ? (char)0x80 : '\0';
	parse_file("Kconfig", junk, sizeof(junk));
	parse_load(&p, &opt);
	assert_int_equal(p.err, LKC_EPARSE);
	last = lkc_diags_get(p.diags, lkc_diags_count(p.diags) - 1);
	assert_string_equal(last->text, "too many errors, giving up");
	assert_memory_equal(p.errors, "Kconfig:1:warning: ", 19);
	parse_done(&p);
}

static void blocks(void **state)
{
	(void)state;
	parse_expect("6.12", "menu \"a\"\nif y\nchoice\n\tprompt \"c\"\n",
		     "Kconfig:5: syntax error\n"
		     "Kconfig:3: missing end statement for this entry\n"
		     "Kconfig:2: missing end statement for this entry\n"
		     "Kconfig:1: missing end statement for this entry\n");
	parse_expect("6.1", "menu \"a\"\n",
		     "<none>:3: syntax error\n"
		     "Kconfig:1: missing end statement for this entry\n");
	parse_expect_all("menu \"a\"\nif y\nendmenu\nendif\n",
			 "Kconfig:3: unexpected 'menu' within if block\n"
			 "Kconfig:4: unexpected 'if' within menu block\n");
	parse_write("open", "menu \"a\"\n");
	parse_write("close", "endmenu\n");
	parse_expect_all("source \"open\"\nendmenu\n",
			 "Kconfig:2: 'menu' in different file than 'menu'\n"
			 "open:1: location of the 'menu'\n");
	parse_expect_all("menu \"a\"\nsource \"close\"\n",
			 "close:1: 'menu' in different file than 'menu'\n"
			 "Kconfig:1: location of the 'menu'\n");
	parse_expect("6.12", "endmenu\n",
		     "Kconfig:1: syntax error\nKconfig:1: invalid statement\n");
}

static void sources(void **state)
{
	struct parsed p;

	(void)state;
	parse_write("sub", "config SUB\n\tdef_bool y");
	parse_text(&p, "6.12", "source \"sub\"\nconfig B\n\tdef_bool y\n");
	assert_string_equal(p.errors,
			    "sub:2:warning: no new line at end of file\n");
	assert_int_equal(lkc_tree_files(p.tree), 2);
	assert_string_equal(lkc_tree_file(p.tree, 1), "sub");
	assert_int_not_equal(lkc_sym_find(p.tree, "SUB"), LKC_NONE);
	assert_int_not_equal(lkc_sym_find(p.tree, "B"), LKC_NONE);
	parse_done(&p);

	parse_write("a", "source \"missing\"\n");
	parse_expect_all("source \"a\"\nfoo\n",
			 "a:1: can't open file \"missing\"\n");
	parse_expect_all("\nsource \"/\"\n",
			 "Kconfig:2: can't open file \"/\": it is a directory\n");
	parse_expect_all("source \"\"\n", "Kconfig:1: can't open file \"\"\n");
	parse_write("sub", "");
	accepted("abc", "source \"sub\"\nsource \"sub\"\n");
	parse_expect("7.2", "source \"sub\"\n\nsource \"sub\"\nfoo\n",
		     "Kconfig:3: error: repeated inclusion of sub\n");
}

static void cycles(void **state)
{
	struct parsed p;

	(void)state;
	parse_write("a", "\nsource \"b\"\n");
	parse_write("b", "source \"a\"\n");
	parse_expect("6.12", "source \"a\"\nfoo\n",
		     "Recursive inclusion detected.\n"
		     "Inclusion path:\n"
		     "  current file : a\n"
		     "  included from: b:1\n"
		     "  included from: a:2\n"
		     "  included from: Kconfig:1\n");
	parse_expect("6.1", "source \"a\"\nfoo\n",
		     "Recursive inclusion detected.\n"
		     "Inclusion path:\n"
		     "  current file : a\n"
		     "  included from: b:1\n"
		     "  included from: a:2\n");
	/* under a new name each time */
	parse_text(&p, "6.12", "N2 := $(N)./\nN := $(N2)\n"
		   "source \"$(N)Kconfig\"\nfoo\n");
	assert_int_equal(p.err, LKC_EPARSE);
	assert_int_equal(lkc_diags_count(p.diags), 1);
	assert_string_equal(lkc_diags_get(p.diags, 0)->text,
			    "files include each other more than 1000 deep");
	parse_done(&p);
}

static void srctree(void **state)
{
	char env[64];
	const char *envp[] = { env, "NAME=sub", NULL };
	struct lkc_load_options opt = { .dialect = "4.11", .env = envp };
	struct parsed p;

	(void)state;
	snprintf(env, sizeof(env), "srctree=%s/tree", parse_dir);
	assert_int_equal(mkdir("tree", 0777), 0);
	parse_write("tree/sub", "config IN_TREE\n\tdef_bool y\n");
	unlink("sub");
	/* and the old ways to name a file */
	parse_write("Kconfig", "source $NAME\nsource ./tree/sub\n"
		    "mainmenu \"x\"\n");
	parse_load(&p, &opt);
	assert_int_equal(p.err, LKC_EPARSE);
	parse_done(&p);
	parse_write("Kconfig", "mainmenu \"The $NAME menu$\"\n"
		    "source \"$NAME\"\nsource ./tree/sub\n");
	parse_load(&p, &opt);
	assert_string_equal(p.errors, "");
	assert_string_equal(lkc_tree_title(p.tree), "The sub menu");
	assert_string_equal(lkc_tree_file(p.tree, 1), "sub");
	assert_string_equal(lkc_tree_file(p.tree, 2), "./tree/sub");
	parse_done(&p);
}

/* The help text of A, whose help statement @lines follow. */
static void help_is(const char *lines, const char *text)
{
	char kconfig[512];
	struct parsed p;

	snprintf(kconfig, sizeof(kconfig),
		 "config A\n\tbool \"a\"\n\thelp\n%s", lines);
	parse_text(&p, "6.12", kconfig);
	assert_string_equal(p.errors, "");
	assert_string_equal(lkc_sym_help(p.tree, lkc_sym_find(p.tree, "A")),
			    text);
	parse_done(&p);
}

static void helps(void **state)
{
	(void)state;
	help_is("\t  one\n\t  two\n", "one\ntwo\n");
	help_is("\t  one\n\t  two", "one\ntwo");
	/* conf keeps the last newline, but not before the file's margin */
	help_is("\t  one\n\nconfig B\n\tbool\n", "one\n");
	help_is("\t  one\nconfig B\n\tbool\n", "one");
	help_is("\t  one\n\n config B\n\tbool\n", "one\n\n");
	/* tabs, deeper lines, blank lines, blanks at the end */
	help_is("\n  \n\t  a\t b  \n\t \tc\n\t          d \t\n\n\t  e\n",
		"\n\na\t b\n      c\n        d\n\ne\n");
	help_is("  # no comment \\\n  \"no $(string)\n", "# no comment \\\n\"no $(string)\n");
	help_is("  one\n   two\n A = 3\n", "one\n two\n");
	/* the very first line may be anywhere */
	help_is("config B\n two\n one\n", "config B\ntwo\none\n");
	parse_expect("6.12", "config A\n\tbool\n\thelp\n\nconfig B\n\tbool\n",
		     "Kconfig:5: warning: 'A' defined with blank help text\n");
	parse_expect("7.2", "config A\n\tbool\n\thelp\n\nconfig B\n\tbool\n",
		     "Kconfig:5: error: 'A' defined with blank help text\n");
}

/* The default of A, a string, given as @text. */
static void string_is(const char *text, const char *value)
{
	static const char *const env[] = { "X=envx", "TWO=a b", NULL };
	struct lkc_load_options opt = { .dialect = "6.12", .env = env };
	char kconfig[512];
	struct parsed p;
	struct lkc_config *c;

	snprintf(kconfig, sizeof(kconfig),
		 "config A\n\tstring\n\tdefault %s\n", text);
	parse_write("Kconfig", kconfig);
	parse_load(&p, &opt);
	assert_int_equal(p.err, 0);
	assert_int_equal(lkc_config_new(p.tree, &c), 0);
	assert_string_equal(fixture_value(c, "A"), value);
	lkc_config_free(c);
	parse_done(&p);
}

static void strings(void **state)
{
	(void)state;
	string_is("\"a 'b' # c\"", "a 'b' # c");
	string_is("'a \"b\"'", "a \"b\"");
	string_is("'a\\'b\\\\c\\d'", "a'b\\cd");
	string_is("\"$(X)|'$(X)'|\\$(X)|\\\\$(X)|$X\"",
		  "envx|'envx'|$(X)|\\envx|$X");
	string_is("a$(X)-b", "aenvx-b");
	string_is("$(TWO)", "a b");
	string_is("\"$(info,\"quoted\")\"", "");
	string_is("\"open\\", "open");
	string_is("\"open # $(X)", "open # envx");
}

static void places(void **state)
{
	const struct lkc_diag *d;
	struct lkc_place place;
	struct parsed p;

	(void)state;
	parse_text(&p, "6.12", "\n  config A\n\tbool \"a\"\n\tselect B\n");
	assert_true(lkc_sym_place(p.tree, lkc_sym_find(p.tree, "A"), &place));
	assert_string_equal(place.file, "Kconfig");
	assert_int_equal(place.line, 2);
	assert_int_equal(place.column, 3);
	parse_done(&p);

	parse_text(&p, "6.12", "config A\n\tbool \"a\" if (B\n");
	d = lkc_diags_get(p.diags, 0);
	assert_int_equal(d->code, 4);
	assert_int_equal(d->line, 2);
	assert_int_equal(d->column, 16);
	assert_string_equal(d->source, "\tbool \"a\" if (B");
	parse_done(&p);

	/* the line is the one conf says, the source the one at fault */
	parse_text(&p, "6.1", "config A\n\tbool \"a\" if (B\n");
	d = lkc_diags_get(p.diags, 0);
	assert_int_equal(d->line, 3);
	assert_string_equal(d->source, "\tbool \"a\" if (B");
	parse_done(&p);
}

/* @n times @a, then @middle, then @n times @b. */
static char *repeat(size_t n, const char *a, const char *middle, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), i;
	char *text = malloc(n * (la + lb) + strlen(middle) + 1), *p = text;

	for (i = 0; i < n; i++, p += la)
		memcpy(p, a, la);
	p += sprintf(p, "%s", middle);
	for (i = 0; i < n; i++, p += lb)
		memcpy(p, b, lb);
	*p = '\0';
	return text;
}

static void depth(void **state)
{
	static const struct {
		const char *a, *middle, *b;
		bool ok;	/* any number is good */
	} cases[] = {
		{ "", "config A\n\tdef_bool y\n", "", true },
		{ "if y\n", "", "endif\n", false },
		{ "menu \"m\"\n", "", "endmenu\n", false },
		{ "\\\n", "config A\n\tdef_bool y\n", "", true },
		{ "\n", "config A\n\tdef_bool y\n", "", true },
		{ "config A\n\tbool \"a\"\n", "", "# comment\n", true },
	};
	struct parsed p;
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		text = repeat(100000, cases[i].a, cases[i].middle, cases[i].b);
		parse_text(&p, "6.12", text);
		assert_int_equal(!p.err, cases[i].ok);
		if (!cases[i].ok)
			assert_string_equal(lkc_diag_name(lkc_diags_get(p.diags, 0)->code),
					    "too-deep");
		parse_done(&p);
		free(text);
	}
}

static void depth_of_expressions(void **state)
{
	char *inner = repeat(100000, "(", "y", ")");
	char *text = repeat(1, "config A\n\tdef_bool ", inner, "\n");
	struct parsed p;

	(void)state;
	parse_text(&p, "6.12", text);
	assert_string_equal(p.errors, "Kconfig:2: memory exhausted\n");
	parse_done(&p);
	free(inner);
	free(text);
	inner = repeat(100000, "!", "y", "");
	text = repeat(1, "config A\n\tdef_bool ", inner, "\n");
	parse_text(&p, "6.12", text);
	assert_string_equal(p.errors, "Kconfig:2: memory exhausted\n");
	parse_done(&p);
	free(inner);
	free(text);
}

static void missing(void **state)
{
	struct lkc_load_options opt = { .dialect = "6.12" };
	struct parsed p;

	(void)state;
	unlink("Kconfig");
	parse_load(&p, &opt);
	assert_string_equal(p.errors, "can't find file Kconfig\n");
	assert_int_equal(p.err, LKC_EPARSE);
	parse_done(&p);
	parse_expect_all("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dialects),
		cmocka_unit_test(dialects_of_choice),
		cmocka_unit_test(attributes),
		cmocka_unit_test(syntax_errors),
		cmocka_unit_test(characters),
		cmocka_unit_test(binary),
		cmocka_unit_test(blocks),
		cmocka_unit_test(sources),
		cmocka_unit_test(cycles),
		cmocka_unit_test(srctree),
		cmocka_unit_test(helps),
		cmocka_unit_test(strings),
		cmocka_unit_test(places),
		cmocka_unit_test(depth),
		cmocka_unit_test(depth_of_expressions),
		cmocka_unit_test(missing),
	};

	return cmocka_run_group_tests(tests, parse_setup, parse_teardown);
}
