// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "llm.h"
#include "llm-error.h"
#include "llm-openai-error.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

static void test_unfence(void **state)
{
	static const struct {
		const char *text, *inner;
	} cases[] = {
		{ "", "" },
		{ " \n", "" },
		{ "hello ", "hello" },
		{ " {\"a\":\"\n```\nb\n```\"}\n", "{\"a\":\"\n```\nb\n```\"}" },
		{ "```json\n{}\n```", "{}" },
		{ "```\n{}\n```\n", "{}" },
		{ "```JSON\r\n{}\r\n```\r\n", "{}" },
		{ "Well:\n\n  ```json\n  {\n}\n  ```\nThere.", "{\n}" },
		{ "````json\n{}\n````", "{}" },
		{ "``` json \n{}\n```", "{}" },
		/* the last one of JSON counts, or else the last one */
		{ "```json\n{1}\n```\nno:\n```json\n{2}\n```", "{2}" },
		{ "```json\n{1}\n```\n```sh\nls\n```", "{1}" },
		{ "```sh\nls\n```\n```\n{2}\n```", "{2}" },
		{ "```sh\nls\n```", "ls" },
		/* cut off, doubled, empty */
		{ "```json\n{\"a\":", "{\"a\":" },
		{ "```json", "```json" },
		{ "```json\n{1}\n```json\n{2}", "{2}" },
		{ "```json\n{1}\n```\n```\n```", "{1}" },
		{ "```\n```", "```\n```" },
		{ "``` is a fence", "``` is a fence" },
		{ "see ```json\n{}", "see ```json\n{}" },
	};
	size_t i, len;

	(void)state;
	for (i = 0; i < N(cases); i++) {
		const char *s = cases[i].text;
		char *copy = malloc(strlen(s) + 1);	/* exact, for ASan */

		assert_non_null(copy);
		memcpy(copy, s, strlen(s));
		s = llm_unfence(copy, strlen(s), &len);
		if (len != strlen(cases[i].inner) ||
		    memcmp(s, cases[i].inner, len))
			fail_msg("\"%s\" gives \"%.*s\"", cases[i].text,
				 (int)len, s);
		free(copy);
	}
}

static void test_unfence_nul(void **state)
{
	static const char text[] = "```json\n\0{}\0\n```\n\0";
	size_t len;
	const char *s = llm_unfence(text, sizeof(text) - 1, &len);

	(void)state;
	assert_int_equal(len, 4);
	assert_memory_equal(s, "\0{}", 4);
}

static void test_names(void **state)
{
	const struct llm_ops *const *p;
	int err;

	(void)state;
	for (err = LLM_EINTERRUPTED; err <= LLM_OK; err++)
		assert_string_not_equal(llm_err_name(err), "unknown error");
	assert_string_equal(llm_err_name(-99), "unknown error");
	for (p = llm_providers(); *p; p++) {
		assert_non_null((*p)->name);
		assert_non_null((*p)->summary);
	}
	llm_close(NULL);
}

static void check_scrub(const char *text, const char *key, const char *want)
{
	char *s = strdup(text);
	size_t len = strlen(text);

	assert_non_null(s);
	assert_int_equal(llm_scrub(&s, &len, key), 0);
	assert_string_equal(s, want);
	assert_int_equal(len, strlen(want));
	free(s);
}

static void test_scrub(void **state)
{
	(void)state;
	check_scrub("a secret", NULL, "a secret");
	check_scrub("a secret", "secret", "a [key]");
	check_scrub("secretsecret, secre", "secret", "[key][key], secre");
	check_scrub("", "secret", "");
	/* what local servers are given must not cut up texts */
	check_scrub("none of it", "none", "none of it");
	check_scrub("x", "", "x");
}

static void test_fail(void **state)
{
	const struct llm_where w = { "http://h/v1", "s3cret!", "MY_KEY" };
	struct llm_reply r = { .text = strdup("x"), .len = 1,
			       .truncated = true };

	(void)state;
	llm_fail(&w, &r, LLM_EAUTH, "no: %s", "s3cret!\n\x1b[1m\x9b\xe2\x80\xae");
	assert_int_equal(r.err, LLM_EAUTH);
	assert_null(r.text);
	assert_int_equal(r.len, 0);
	assert_false(r.truncated);
	assert_string_equal(r.message, "http://h/v1: no: [key]  [1m\xef\xbf\xbd ;"
			    " put a valid key in MY_KEY, or in a file that"
			    " KCONFIG_AGENT_KEY_FILE names");
	llm_fail(&w, &r, LLM_ENOMEM, "again");
	assert_string_equal(r.message, "http://h/v1: again");
	llm_reply_free(&r);
	assert_null(r.message);
}

/* The classes are tested end to end; here, what a body can do to them. */
static void test_openai_error(void **state)
{
	static const char odd[] = "{\"error\":{\"message\":7,\"code\":[]}}";
	static const char fastapi[] =
		"{\"detail\":[{\"type\":\"extra_forbidden\","
		"\"loc\":[\"body\",\"seed\"],\"msg\":\"Extra inputs\"}]}";
	static const char either[] =
		"{\"error\":{\"message\":\"Unsupported parameter:"
		" 'max_tokens'; use 'max_completion_tokens'\"}}";
	struct openai_error e;

	(void)state;
	openai_error_read(&e, 400, "", 0, OPENAI_ALL);
	assert_int_equal(e.err, LLM_EMALFORMED);
	assert_string_equal(e.text, "");
	openai_error_read(&e, 400, odd, strlen(odd), OPENAI_ALL);
	assert_int_equal(e.err, LLM_EMALFORMED);
	assert_string_equal(e.text, odd);
	openai_error_read(&e, 422, fastapi, strlen(fastapi), OPENAI_ALL);
	assert_int_equal(e.refused, OPENAI_SEED);
	openai_error_read(&e, 422, fastapi, strlen(fastapi), OPENAI_SCHEMA);
	assert_int_equal(e.refused, 0);
	openai_error_read(&e, 400, either, strlen(either), OPENAI_MAX_TOKENS);
	assert_int_equal(e.refused, OPENAI_MAX_TOKENS);
	openai_error_read(&e, 400, either, strlen(either),
			  OPENAI_MAX_COMPLETION);
	assert_int_equal(e.refused, OPENAI_MAX_COMPLETION);
	openai_error_read(&e, 301, "x", 1, 0);
	assert_int_equal(e.err, LLM_EMALFORMED);
	assert_false(e.retry);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unfence),
		cmocka_unit_test(test_unfence_nul),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_scrub),
		cmocka_unit_test(test_fail),
		cmocka_unit_test(test_openai_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
