// SPDX-License-Identifier: GPL-2.0-only
/*
 * Texts from outside, and what is left of them.
 */
#include "fixture.h"

#include "base/strbuf.h"
#include "text.h"

static void expect_line(const char *in, size_t len, size_t max,
			const char *out)
{
	struct strbuf b = {0};

	text_add_line(&b, in, len, max);
	assert_string_equal(strbuf_str(&b), out);
	strbuf_free(&b);
}

#define LINE(in, out) expect_line(in, sizeof(in) - 1, 0, out)
#define CUT(in, max, out) expect_line(in, sizeof(in) - 1, max, out)

static void test_line(void **state)
{
	(void)state;
	LINE("", "");
	LINE("plain", "plain");
	LINE("  two\t\n words \r\n", "two words");
	LINE("\033[31mred\033[0m", "[31mred [0m");
	LINE("\033]0;title\007", "]0;title");
	LINE("c1 \xc2\x9b" "31m \xc2\x85x", "c1 31m x");
	LINE("a\0b", "a b");
	LINE("\xff\xfe!", "\xef\xbf\xbd\xef\xbf\xbd!");
	LINE("\xe2\x80\xaegnp.exe\xe2\x80\xac", "gnp.exe");
	LINE("one\xe2\x80\xa8two", "one two");
	LINE("\xef\xbb\xbfmark", "mark");
	LINE("\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7",
	     "\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7");
}

static void test_cut(void **state)
{
	(void)state;
	CUT("twelve chars", 12, "twelve chars");
	CUT("twelve chars", 11, "twelve...");
	CUT("twelve chars", 7, "twelve...");
	CUT("twelve chars", 3, "twe...");
	CUT("twelve   ", 6, "twelve");
	CUT("averyverylongwordthatgoeson", 20, "averyverylongwordtha...");
	CUT("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 3,
	    "\xc3\xa4\xc3\xa4\xc3\xa4...");
}

static void test_lines(void **state)
{
	static const char in[] = "a\tb\r\n\033[1mc\n";
	struct strbuf b = {0};

	(void)state;
	text_add_lines(&b, in, sizeof(in) - 1);
	assert_string_equal(strbuf_str(&b), "a\tb \n [1mc\n");
	strbuf_free(&b);
}

static void test_distance(void **state)
{
	char longer[100];

	(void)state;
	assert_int_equal(text_distance("", ""), 0);
	assert_int_equal(text_distance("abc", ""), 3);
	assert_int_equal(text_distance("", "abc"), 3);
	assert_int_equal(text_distance("goal", "GOAL"), 0);
	assert_int_equal(text_distance("gaol", "goal"), 1);
	assert_int_equal(text_distance("goal", "goals"), 1);
	assert_int_equal(text_distance("goal", "coal"), 1);
	assert_int_equal(text_distance("kitten", "sitting"), 3);
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	assert_true(text_distance("x", longer) == SIZE_MAX);
	longer[64] = '\0';
	assert_int_equal(text_distance("x", longer), 63);
}

static const char *const words[] = { "run", "replay", "review" };

static const char *word(const void *arg, size_t i)
{
	(void)arg;
	return words[i];
}

static void test_nearest(void **state)
{
	(void)state;
	assert_string_equal(text_nearest("rnu", 3, word, NULL), "run");
	assert_string_equal(text_nearest("reply", 3, word, NULL), "replay");
	assert_null(text_nearest("explain", 3, word, NULL));
	assert_null(text_nearest("zzz", 3, word, NULL));
	assert_null(text_nearest("run", 0, word, NULL));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
