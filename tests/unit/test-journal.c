// SPDX-License-Identifier: GPL-2.0-only
/*
 * Journals: written, read back, and damaged in every way.
 */
#include <errno.h>
#include <sys/stat.h>

#include "fixture.h"

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "journal.h"
#include "json.h"
#include "record.h"

static char dir[] = "/tmp/ka-journal-XXXXXX";
static char path[64];
static char old[80];

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/journal", dir);
	snprintf(old, sizeof(old), "%s.old", path);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(path);
	unlink(old);
	return rmdir(dir);
}

/* Writes a journal of @n records about numbers. */
static void write_numbers(int n)
{
	struct strbuf why = {0};
	struct journal *j;
	int i;

	assert_int_equal(journal_create(path, &j, &why), 0);
	for (i = 0; i < n; i++) {
		struct json *body = json_new_object();

		json_set_int(body, "number", i);
		json_set_str(body, "text", "a\nb\033[1m\",\"sum\":\"x");
		assert_int_equal(journal_add(j, "number", body, i % 2), 0);
	}
	journal_close(j);
	strbuf_free(&why);
}

static int check_number(void *arg, const struct journal_record *r)
{
	int64_t number;

	(void)arg;
	assert_string_equal(r->event, "number");
	assert_true(json_get_int(r->body, "number", &number));
	assert_int_equal(number, r->seq);
	assert_string_equal(json_get_str(r->body, "text"),
			    "a\nb\033[1m\",\"sum\":\"x");
	return 0;
}

static struct journal_text read_numbers(int expect)
{
	struct journal_text text;
	struct strbuf why = {0};

	assert_int_equal(journal_read(path, &text, check_number, NULL, &why),
			 expect);
	assert_int_equal(why.len > 0, expect != 0);
	strbuf_free(&why);
	return text;
}

static void test_round_trip(void **state)
{
	struct journal_text text;
	struct stat st;

	(void)state;
	write_numbers(5);
	text = read_numbers(0);
	assert_int_equal(text.records, 5);
	assert_int_equal(text.damaged, 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	/* a second one leaves the first */
	write_numbers(2);
	assert_int_equal(read_numbers(0).records, 2);
	assert_int_equal(rename(old, path), 0);
	assert_int_equal(read_numbers(0).records, 5);
}

/* Cut off anywhere, what is whole before the cut counts. */
static void test_cut(void **state)
{
	size_t len, at, lines;
	char *s;

	(void)state;
	write_numbers(3);
	assert_int_equal(file_read(path, 0, &s, &len), 0);
	for (at = len - 1; at > 0; at--) {
		const char *p;
		struct journal_text text;

		assert_int_equal(truncate(path, at), 0);
		for (lines = 0, p = s; (p = memchr(p, '\n', s + at - p)); p++)
			lines++;
		text = read_numbers(lines ? 0 : -EBADMSG);
		assert_int_equal(text.records, lines);
		assert_int_equal(text.good + text.damaged, at);
	}
	free(s);
}

/* No byte can be another without being noticed. */
static void test_flipped(void **state)
{
	size_t len, at;
	char *s;

	(void)state;
	write_numbers(3);
	assert_int_equal(file_read(path, 0, &s, &len), 0);
	for (at = 0; at < len; at++) {
		size_t lines = 0, i;
		char was = s[at];

		for (i = 0; i < at; i++)
			lines += s[i] == '\n';
		s[at] ^= 1;
		assert_int_equal(file_replace(path, s, len, 0600, false), 0);
		assert_int_equal(read_numbers(lines ? 0 : -EBADMSG).records,
				 lines);
		s[at] = was;
	}
	free(s);
}

/* A record that is left out or moved takes all after it along. */
static void test_lines(void **state)
{
	struct strbuf b = {0};
	size_t len;
	char *s, *second, *third;

	(void)state;
	write_numbers(3);
	assert_int_equal(file_read(path, 0, &s, &len), 0);
	second = strchr(s, '\n') + 1;
	third = strchr(second, '\n') + 1;
	strbuf_add(&b, s, second - s);
	strbuf_addstr(&b, third);
	assert_int_equal(file_replace(path, b.s, b.len, 0600, false), 0);
	assert_int_equal(read_numbers(0).records, 1);
	strbuf_reset(&b);
	strbuf_add(&b, s, third - s);
	strbuf_add(&b, second, third - second);
	assert_int_equal(file_replace(path, b.s, b.len, 0600, false), 0);
	assert_int_equal(read_numbers(0).records, 2);
	strbuf_free(&b);
	free(s);
}

/* ---- what a replay needs ------------------------------------------------- */

static const char kconfig[] = "config A\n\tbool \"A\"\n";

static void begin(struct journal **j, const char *base, size_t len)
{
	struct lkc_tree *tree = fixture_tree(kconfig, "6.12");
	struct record_header h = {
		.tree = tree,
		.kernel = "6.12.1",
		.arch = "x86",
		.goal = "a \"quoted\" goal\n",
		.provider = "knowledge",
		.base_origin = "file",
		.base_text = base,
		.base_len = len,
	};
	struct strbuf why = {0};

	assert_int_equal(journal_create(path, j, &why), 0);
	assert_int_equal(record_begin(*j, &h), 0);
	strbuf_free(&why);
	lkc_tree_free(tree);
}

static void add_set(struct json *list, const char *name, const char *value)
{
	struct json *set = json_new_object();

	json_set_str(set, "name", name);
	json_set_str(set, "value", value);
	json_append(list, set);
}

static void test_record(void **state)
{
	static const char *const bases[] = {
		"CONFIG_A=y\n# CONFIG_B is not set\n\tx\n",
		"",
		"CONFIG_S=\"latin \xe9\"\n",
	};
	struct strbuf why = {0};
	struct record_run run;
	struct journal *j;
	struct json *body, *list;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		begin(&j, bases[i], strlen(bases[i]));
		body = json_new_object();
		json_set_int(body, "group", 4);
		list = json_set_array(body, "set");
		add_set(list, "A", "y");
		add_set(list, "S", "");
		assert_int_equal(journal_add(j, "commit", body, true), 0);
		assert_int_equal(record_end(j, "done", "text", 4), 0);
		journal_close(j);
		assert_int_equal(record_read(path, &run, &why), 0);
		assert_int_equal(run.base_len, strlen(bases[i]));
		assert_memory_equal(run.base_text, bases[i], run.base_len);
		assert_string_equal(run.kernel, "6.12.1");
		assert_string_equal(run.goal, "a \"quoted\" goal\n");
		assert_int_equal(run.n, 1);
		assert_int_equal(run.commits[0].group, 4);
		assert_int_equal(run.commits[0].n, 2);
		assert_string_equal(run.commits[0].sets[1].name, "S");
		assert_string_equal(run.commits[0].sets[1].value, "");
		assert_string_equal(run.status, "done");
		assert_string_equal(run.config, "fa04f4ef1995407e");
		record_run_free(&run);
	}
	strbuf_free(&why);
}

static void expect_bad(const char *event, struct json *body, int expect)
{
	struct strbuf why = {0};
	struct record_run run;
	struct journal *j;

	assert_int_equal(journal_create(path, &j, &why), 0);
	assert_int_equal(journal_add(j, event, body, false), 0);
	journal_close(j);
	assert_int_equal(record_read(path, &run, &why), expect);
	assert_true(why.len > 0);
	strbuf_free(&why);
}

static void test_bad(void **state)
{
	struct strbuf why = {0};
	struct record_run run;
	struct journal *j;
	struct json *body;

	(void)state;
	expect_bad("other", json_new_object(), -EBADMSG);
	expect_bad("header", json_new_object(), -EBADMSG);
	body = json_new_object();
	json_set_str(body, "format", RECORD_FORMAT);
	json_set_int(body, "version", RECORD_VERSION + 1);
	expect_bad("header", body, -EPROTONOSUPPORT);
	begin(&j, "", 0);
	assert_int_equal(journal_add(j, "commit", NULL, false), -ENOMEM);
	/* it stays failed */
	assert_int_equal(journal_add(j, "end", json_new_object(), false),
			 -ENOMEM);
	journal_close(j);
	unlink(path);
	assert_int_equal(record_read(path, &run, &why), -ENOENT);
	strbuf_free(&why);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_bad),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
