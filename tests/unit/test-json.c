// SPDX-License-Identifier: GPL-2.0-only
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json.h"
#include "utf8.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))
#define FFFD "\xef\xbf\xbd"

/* Parses and prints again; "!offset what" when it is not accepted. */
static char *again(const char *text, size_t len)
{
	struct json_error err;
	struct json *j = json_parse(text, len, NULL, &err);
	struct strbuf b = {0};
	char *s;

	if (j) {
		s = json_print(j, NULL);
	} else {
		strbuf_addf(&b, "!%zu %s", err.offset, err.what);
		s = strbuf_detach(&b, NULL);
	}
	json_free(j);
	assert_non_null(s);
	return s;
}

struct pair {
	const char *in, *out;
};

static void check_pairs(const struct pair *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		char *got = again(p[i].in, strlen(p[i].in));

		if (strcmp(got, p[i].out))
			print_error("input: %s\n", p[i].in);
		assert_string_equal(got, p[i].out);
		free(got);
	}
}

static void test_accepted(void **state)
{
	static const struct pair pairs[] = {
		{ "{}", "{}" },
		{ " [ ] ", "[]" },
		{ "\xef\xbb\xbfnull\r\n", "null" },
		{ "\t[true,false , null]\n", "[true,false,null]" },
		{ "{\"b\":1,\"a\":{\"c\":[]}}", "{\"b\":1,\"a\":{\"c\":[]}}" },
		{ "{\"a\":1,\"A\":2,\"\":3}", "{\"a\":1,\"A\":2,\"\":3}" },
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
		  "\"\\\"\\\\/\\u0008\\u000c\\n\\u000d\\t\"" },
		{ "\"a\nb\x01\"", "\"a\\nb\\u0001\"" },
		{ "\"\\u0041\\u00e9\\u20AC\"", "\"A\xc3\xa9\xe2\x82\xac\"" },
		{ "\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\"" },
		/* what cannot stand in a string is replaced */
		{ "\"a\\u0000b\"", "\"a" FFFD "b\"" },
		{ "\"\\ud83d\"", "\"" FFFD "\"" },
		{ "\"\\ud83dx\\ude00\"", "\"" FFFD "x" FFFD "\"" },
		{ "\"\\ud83d\\ud83d\\ude00\"",
		  "\"" FFFD "\xf0\x9f\x98\x80\"" },
		{ "\"\xff\xc0\x80\"", "\"" FFFD FFFD FFFD "\"" },
		{ "\"\xed\xa0\x80\"", "\"" FFFD FFFD FFFD "\"" },
		{ "\"\xe2\x82\"", "\"" FFFD FFFD "\"" },
		/* nothing that acts on a terminal comes out */
		{ "\"\x1b[2J\x7f\xc2\x9b\xe2\x80\xa8\"",
		  "\"\\u001b[2J\\u007f\\u009b\\u2028\"" },
		/* numbers */
		{ "[0,-0,1,-1,1.0,1e2,1E+2,100e-2]", "[0,0,1,-1,1,100,100,1]" },
		{ "[0.5,-1.25e-3,1e15,4294967296]",
		  "[0.5,-0.00125,1000000000000000,4294967296]" },
		{ "[0.1,0.30000000000000004]", "[0.1,0.30000000000000004]" },
		{ "9007199254740992", "9007199254740992" },
		{ "1e999", "null" },
	};

	(void)state;
	check_pairs(pairs, N(pairs));
}

static void test_rejected(void **state)
{
	static const struct pair pairs[] = {
		{ "", "!0 the text ends too early" },
		{ "  ", "!2 the text ends too early" },
		{ "{\"PRE", "!5 the text ends too early" },
		{ "{\"a\":", "!5 the text ends too early" },
		{ "{\"a\"", "!4 the text ends too early" },
		{ "[1,", "!3 the text ends too early" },
		{ "\"a\\", "!3 the text ends too early" },
		{ "\"\\u12", "!5 the text ends too early" },
		{ "tru", "!0 expected a value" },
		{ "nul", "!0 expected a value" },
		{ "NaN", "!0 expected a value" },
		{ "Infinity", "!0 expected a value" },
		{ "'a'", "!0 expected a value" },
		{ "+1", "!0 expected a value" },
		{ ".5", "!0 expected a value" },
		{ "-", "!1 the text ends too early" },
		{ "-a", "!1 expected a digit" },
		{ "01", "!1 something follows the value" },
		{ "0x10", "!1 something follows the value" },
		{ "1.", "!2 the text ends too early" },
		{ "[1.]", "!3 expected a digit" },
		{ "[1e]", "!3 expected a digit" },
		{ "[1,]", "!3 expected a value" },
		{ "[1 2]", "!3 expected ',' or ']'" },
		{ "{\"a\":1,}", "!7 expected a key in double quotes" },
		{ "{a:1}", "!1 expected a key in double quotes" },
		{ "{\"a\" 1}", "!5 expected ':'" },
		{ "{\"a\":1 \"b\":2}", "!7 expected ',' or '}'" },
		{ "{} {}", "!3 something follows the value" },
		{ "nullx", "!4 something follows the value" },
		{ "[1] // no", "!4 something follows the value" },
		{ "\"\\x41\"", "!2 no such escape in a string" },
		{ "\"\\u12g4\"", "!5 expected 4 hexadecimal digits" },
		{ "\"\\ud800\\u12g4\"", "!11 expected 4 hexadecimal digits" },
		{ "{\"a\":1,\"b\":2,\"a\":3}", "!13 a key for the second time" },
		{ "{\"a\":1,\"\\u0061\":3}", "!7 a key for the second time" },
		{ "[{\"b\":{\"a\":1},\"a\":{\"a\":2},\"b\":3}]",
		  "!26 a key for the second time" },
		{ "<html>", "!0 expected a value" },
		{ "\xff\xfe", "!0 expected a value" },
	};
	char *got;

	(void)state;
	check_pairs(pairs, N(pairs));
	got = again("null\0", 5);
	assert_string_equal(got, "!4 something follows the value");
	free(got);
	got = again("\"a\0b\"", 5);
	assert_string_equal(got, "\"a" FFFD "b\"");
	free(got);
	assert_null(json_parse("x", 1, NULL, NULL));
}

static void expect(const char *text, size_t len, const struct json_limits *lim,
		   int code, size_t offset)
{
	struct json_error err = {0};
	struct json *j = json_parse(text, len, lim, &err);

	assert_int_equal(err.code, code);
	if (code)
		assert_null(j);
	else
		assert_non_null(j);
	assert_int_equal(err.offset, offset);
	json_free(j);
}

static void test_limits(void **state)
{
	struct json_limits lim = { .max_depth = 3, .max_values = 5,
				   .max_size = 20 };
	const size_t big = 9u << 20;
	char *text = malloc(big);
	size_t i;

	(void)state;
	assert_non_null(text);
	expect("[[[1]]]", 7, &lim, 0, 0);
	expect("[[[[1]]]]", 9, &lim, JSON_ELIMIT, 3);
	expect("[[{\"a\":{}}]]", 12, &lim, JSON_ELIMIT, 7);
	expect("[1,2,3,4]", 9, &lim, 0, 0);
	expect("[1,2,3,4,5]", 11, &lim, JSON_ELIMIT, 9);
	expect("[                   ]", 21, &lim, JSON_ELIMIT, 20);
	expect("[                  ]", 20, &lim, 0, 0);

	memset(text, '[', big);
	expect(text, 1 << 20, NULL, JSON_ELIMIT, JSON_MAX_DEPTH);
	expect(text, big, NULL, JSON_ELIMIT, JSON_MAX_SIZE);
	lim = (struct json_limits){ .max_depth = 1000000 };
	expect(text, 1 << 20, &lim, JSON_ELIMIT, 500);
	for (i = 1; i < (1 << 20); i += 2)
		memcpy(text + i, "1,", 2);
	expect(text, 1 << 20, NULL, JSON_ELIMIT, 2 * JSON_MAX_VALUES - 1);
	memset(text, '1', big);
	expect(text, 60, NULL, 0, 0);
	expect(text, 61, NULL, JSON_ELIMIT, 0);
	memset(text, 0xff, big);
	text[0] = '"';
	text[4 << 20] = '"';
	expect(text, (4 << 20) + 1, NULL, 0, 0);
	free(text);
}

/* A hostile object must not take quadratic time. */
static void test_many_keys(void **state)
{
	struct json_limits lim = { .max_values = 1 << 20 };
	struct strbuf b = {0};
	struct json *j;
	int i;

	(void)state;
	strbuf_addch(&b, '{');
	for (i = 0; i < 200000; i++)
		strbuf_addf(&b, "\"%d\":1,", i);
	strbuf_addstr(&b, "\"x\":1}");
	assert_false(b.err);
	j = json_parse(b.s, b.len, &lim, NULL);
	assert_int_equal(json_len(j), 200001);
	json_free(j);
	strbuf_truncate(&b, b.len - 6);
	i = b.len;
	strbuf_addstr(&b, "\"777\":1}");
	expect(b.s, b.len, &lim, JSON_EDUPKEY, i);
	strbuf_free(&b);
}

static void test_getters(void **state)
{
	static const char text[] =
		"{\"s\":\"x\",\"n\":3,\"d\":2.5,\"big\":1e300,\"t\":true,"
		"\"a\":[10,20,30],\"z\":null,\"inf\":1e999,"
		"\"over\":9007199254740994}";
	struct json *j = json_parse(text, sizeof(text) - 1, NULL, NULL);
	const struct json *item, *a = json_get(j, "a");
	int64_t n = 7, sum = 0;
	double d = 7;
	bool b = false;

	(void)state;
	assert_int_equal(json_type(j), JSON_OBJECT);
	assert_int_equal(json_type(NULL), JSON_NONE);
	assert_int_equal(json_type(json_get(j, "z")), JSON_NULL);
	assert_string_equal(json_get_str(j, "s"), "x");
	assert_null(json_get_str(j, "S"));
	assert_null(json_get_str(j, "n"));
	assert_true(json_get_int(j, "n", &n) && n == 3);
	assert_false(json_get_int(j, "d", &n));
	assert_false(json_get_int(j, "big", &n));
	assert_false(json_get_int(j, "inf", &n));
	assert_false(json_get_int(j, "over", &n));
	assert_false(json_get_int(j, "s", &n));
	assert_int_equal(n, 3);
	assert_true(json_get_double(j, "d", &d) && d == 2.5);
	assert_false(json_get_double(j, "inf", &d));
	assert_true(json_get_bool(j, "t", &b) && b);
	assert_false(json_get_bool(j, "z", &b));
	assert_int_equal(json_len(a), 3);
	assert_int_equal(json_len(json_get(j, "s")), 0);
	json_for_each(item, a) {
		assert_true(json_int(item, &n));
		assert_null(json_key(item));
		sum += n;
	}
	assert_int_equal(sum, 60);
	assert_true(json_int(json_at(a, 2), &n) && n == 30);
	assert_null(json_at(a, 3));
	assert_null(json_get(a, "x"));
	assert_string_equal(json_key(json_first(j)), "s");
	assert_null(json_first(json_get(j, "s")));
	assert_null(json_str(json_get(json_at(json_get(j, "no"), 0), "x")));
	json_free(j);
	json_free(NULL);
}

static void test_build(void **state)
{
	struct json *j = json_new_object(), *copy;
	struct strbuf b = {0};
	size_t len;
	char *s;

	(void)state;
	json_set_str(j, "s", "a\xff\x1b");
	json_set(j, "n", json_new_strn("a\0b", 3));
	json_set_str(j, "none", NULL);
	json_set_int(j, "i", -5000000000);
	json_set_double(j, "d", 0.25);
	json_set_bool(j, "t", true);
	json_set_null(j, "z");
	json_append(json_set_array(j, "a"), json_new_int(1));
	json_set_object(j, "o");
	copy = json_copy(j);
	s = json_print(copy, &len);
	assert_string_equal(s, "{\"s\":\"a" FFFD "\\u001b\",\"n\":\"a" FFFD
			    "b\",\"none\":null,\"i\":-5000000000,\"d\":0.25,"
			    "\"t\":true,\"z\":null,\"a\":[1],\"o\":{}}");
	assert_int_equal(len, strlen(s));
	free(s);
	json_free(copy);
	json_free(j);

	j = json_new_object();
	json_append(json_set_array(j, "a"), json_new_object());
	json_set_int(j, "b", 1);
	json_print_pretty(&b, j);
	assert_string_equal(strbuf_str(&b),
			    "{\n  \"a\": [\n    {}\n  ],\n  \"b\": 1\n}\n");
	strbuf_reset(&b);
	json_print_str(&b, "\"\\", 2);
	assert_string_equal(strbuf_str(&b), "\"\\\"\\\\\"");
	strbuf_free(&b);
	json_free(j);
}

/* Whatever lacks a part is not printed. */
static void test_build_fails_late(void **state)
{
	struct json *j = json_new_object(), *a = json_set_array(j, "a");
	struct strbuf b = {0};

	(void)state;
	assert_null(json_new_double(NAN));
	assert_null(json_new_double(INFINITY));
	assert_null(json_new_int(INT64_MAX));
	assert_null(json_new_int(INT64_MIN));
	assert_null(json_copy(NULL));
	assert_null(json_print(NULL, NULL));
	assert_false(json_append(a, json_new_double(NAN)));
	assert_null(json_print(j, NULL));
	strbuf_addstr(&b, "x");
	json_print_to(&b, j);
	assert_true(b.err);
	assert_string_equal(strbuf_str(&b), "");
	json_free(j);

	j = json_new_array();
	assert_false(json_set_int(j, "a", 1));
	assert_null(json_set_object(NULL, "a"));
	assert_false(json_append(NULL, json_new_null()));
	assert_null(json_print(j, NULL));
	json_free(j);
	strbuf_free(&b);
}

/* Numbers look the same where the decimal point is a comma. */
static void test_locale(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8",
					     "ps_AF.UTF-8" };
	size_t i;
	char *s;

	(void)state;
	for (i = 0; i < N(names); i++) {
		if (!setlocale(LC_ALL, names[i]))
			continue;
		s = again("[0.5,1.5e-9]", 12);
		assert_string_equal(s, "[0.5,1.5e-09]");
		free(s);
	}
	setlocale(LC_ALL, "C");
}

/* What is printed reads back to what prints the same. */
static void test_fixed_point(void **state)
{
	unsigned int seed = 1, i, k;

	(void)state;
	for (i = 0; i < 20000; i++) {
		static const char alphabet[] =
			"{}[]\",:\\u0d8ef1-.\n\xc3\xa9\xf0\x9f\xff tn";
		char text[24], *one, *two;
		size_t len = rand_r(&seed) % sizeof(text);

		for (k = 0; k < len; k++)
			text[k] = alphabet[rand_r(&seed) %
					   (sizeof(alphabet) - 1)];
		if (len > 1 && i % 2) {
			text[0] = '"';
			text[len - 1] = '"';
		}
		one = again(text, len);
		if (one[0] != '!') {
			two = again(one, strlen(one));
			assert_string_equal(one, two);
			free(two);
		}
		free(one);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_rejected),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_many_keys),
		cmocka_unit_test(test_getters),
		cmocka_unit_test(test_build),
		cmocka_unit_test(test_build_fails_late),
		cmocka_unit_test(test_locale),
		cmocka_unit_test(test_fixed_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
