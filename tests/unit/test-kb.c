// SPDX-License-Identifier: GPL-2.0-only
/*
 * The knowledge base: how files are read, what goals match, who wins.
 */
#include "fixture.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "kb.h"

#define HEADER "# Topic: t\n# Match: word\n# Source: s\n"
#define ITEM(value) HEADER "CONFIG_X=" value "\n"

/* ---- versions ---------------------------------------------------------- */

static void test_version(void **state)
{
	(void)state;
	assert_int_equal(kb_version("6.12"), 0x00060c00);
	assert_int_equal(kb_version("6.12.3"), 0x00060c00);
	assert_int_equal(kb_version("6.1.0-rc1"), 0x00060100);
	assert_int_equal(kb_version("7.2-rc3"), 0x00070200);
	assert_true(kb_version("6.2") < kb_version("6.12"));
	assert_true(kb_version("6.255") < kb_version("7.0"));
	assert_int_equal(kb_version(""), 0);
	assert_int_equal(kb_version("6"), 0);
	assert_int_equal(kb_version("6."), 0);
	assert_int_equal(kb_version(".12"), 0);
	assert_int_equal(kb_version("6.x"), 0);
	assert_int_equal(kb_version("v6.12"), 0);
	assert_int_equal(kb_version("6.12b"), 0);
	assert_int_equal(kb_version("6.256"), 0);
	assert_int_equal(kb_version("65536.1"), 0);
	assert_int_equal(kb_version("99999999999999999999.1"), 0);
}

static void test_applies(void **state)
{
	struct kb_topic topic = { .since = kb_version("5.4") };
	struct kb_item item = {
		.since = kb_version("6.2"), .until = kb_version("6.8"),
		.arches = "x86 arm64",
	};

	(void)state;
	assert_true(kb_item_applies(&topic, &item, 0, NULL));
	assert_true(kb_item_applies(&topic, &item, kb_version("6.2"), "x86"));
	assert_true(kb_item_applies(&topic, &item, kb_version("6.8.12"),
				    "arm64"));
	assert_false(kb_item_applies(&topic, &item, kb_version("6.1.99"),
				     "x86"));
	assert_false(kb_item_applies(&topic, &item, kb_version("6.9"), "x86"));
	assert_false(kb_item_applies(&topic, &item, kb_version("6.6"), "arm"));
	assert_false(kb_item_applies(&topic, &item, kb_version("6.6"), "x8"));
	item.since = item.until = 0;
	item.arches = NULL;
	assert_true(kb_item_applies(&topic, &item, kb_version("5.4"), "arm"));
	assert_false(kb_item_applies(&topic, &item, kb_version("5.3"), "arm"));
}

/* ---- files ------------------------------------------------------------- */

static struct kb *load(const char *text)
{
	struct strbuf why = { 0 };
	struct kb *kb = NULL;
	int err;

	err = kb_load_text("dir/some-topic.config", text, strlen(text), &kb,
			   &why);
	if (err)
		fail_msg("%s", strbuf_str(&why));
	strbuf_free(&why);
	return kb;
}

static void test_parse(void **state)
{
	static const char text[] =
		"# SPDX-License-Identifier: GPL-2.0-only\n"
		"# Topic: some topic\n"
		"# Match: one \"two words\"\n"
		"# Match: three\n"
		"# Source: a place;\r\n"
		"# Source: another\n"
		"# Precedence: 7\n"
		"# Since: 5.4\n"
		"# Until: 6.12\n"
		"#\n"
		"# Prose: for readers.\n"
		"\n"
		"CONFIG_YES=y\n"
		"##  the first line\n"
		"##\tand the second [required] [since 6.2]  [arch x86 arm64]\n"
		"# CONFIG_NO is not set\n"
		"## na\xc3\xafve [optional][until 6.9]\n"
		"CONFIG_MOD=m\n"
		"CONFIG_INT=-1\n"
		"CONFIG_HEX=0xFf\n"
		"CONFIG_EMPTY=\"\"\n"
		"CONFIG_TEXT=\"a \\\"b\\\" \\\\\"\n"
		"## last line without an end";
	struct kb *kb = load(text);
	const struct kb_topic *t = kb_topic(kb, 0);

	(void)state;
	assert_int_equal(kb_topics(kb), 1);
	assert_string_equal(t->id, "some-topic");
	assert_string_equal(t->path, "dir/some-topic.config");
	assert_string_equal(t->title, "some topic");
	assert_string_equal(t->match, "one \"two words\" three");
	assert_string_equal(t->source, "a place; another");
	assert_int_equal(t->precedence, 7);
	assert_int_equal(t->since, kb_version("5.4"));
	assert_int_equal(t->until, kb_version("6.12"));
	assert_int_equal(t->n, 7);
	assert_string_equal(t->items[0].name, "YES");
	assert_string_equal(t->items[0].value, "y");
	assert_string_equal(t->items[0].reason,
			    "the first line and the second");
	assert_true(t->items[0].required);
	assert_int_equal(t->items[0].since, kb_version("6.2"));
	assert_string_equal(t->items[0].arches, "x86 arm64");
	assert_int_equal(t->items[0].line, 13);
	assert_string_equal(t->items[1].name, "NO");
	assert_string_equal(t->items[1].value, "n");
	assert_string_equal(t->items[1].reason, "na\xc3\xafve");
	assert_false(t->items[1].required);
	assert_int_equal(t->items[1].until, kb_version("6.9"));
	assert_null(t->items[1].arches);
	assert_string_equal(t->items[2].reason, "");
	assert_string_equal(t->items[3].value, "-1");
	assert_string_equal(t->items[4].value, "0xFf");
	assert_string_equal(t->items[5].value, "");
	assert_string_equal(t->items[6].value, "a \"b\" \\");
	assert_string_equal(t->items[6].reason, "last line without an end");
	kb_free(kb);
}

/* The same symbol twice is fine if no tree can see both. */
static void test_twice(void **state)
{
	struct kb *kb = load(HEADER
			     "CONFIG_X=y\n## a [until 6.1]\n"
			     "# CONFIG_X is not set\n## b [since 6.2]\n"
			     "CONFIG_Y=1\n## c [arch x86 arm]\n"
			     "CONFIG_Y=2\n## d [arch arm64]\n");

	(void)state;
	assert_int_equal(kb_topic(kb, 0)->n, 4);
	kb_free(kb);
}

static const struct bad {
	const char *text, *message;
} bads[] = {
	{ "", ":1: no \"# Topic:\"" },
	{ "# Topic: t\n# Source: s\n", ":1: no \"# Match:\"" },
	{ "# Topic: t\n# Match: w\n", ":1: no \"# Source:\"" },
	{ "# Topic: t\n# Topic: u\n", ":2: there is a Topic already" },
	{ "# Match: \"a\n", ":1: a quote does not end" },
	{ "# Precedence: x\n", ":1: the precedence is not a number" },
	{ "# Precedence: 1001\n", ":1: the precedence is not a number" },
	{ "# Since: soon\n", ":1: \"soon\" is no version" },
	{ HEADER "CONFIG_X=y\n# Match: late\n", ":5: belongs above" },
	{ HEADER "words\n", ":4: expected CONFIG_NAME=value or a comment" },
	{ HEADER "CONFIG_=y\n", ":4: expected CONFIG_NAME=value" },
	{ HEADER "CONFIG_X\n", ":4: expected CONFIG_NAME=value" },
	{ HEADER "CONFIG_X =y\n", ":4: expected CONFIG_NAME=value" },
	{ ITEM(""), ":4: X: the value is not" },
	{ ITEM("yes"), ":4: X: the value is not" },
	{ ITEM("0x"), ":4: X: the value is not" },
	{ ITEM("-"), ":4: X: the value is not" },
	{ ITEM("1 2"), ":4: X: the value is not" },
	{ ITEM("\""), ":4: X: the value is not" },
	{ ITEM("\"a\"b\""), ":4: X: the value is not" },
	{ ITEM("\"a\\\""), ":4: X: the value is not" },
	{ HEADER "## no item\n", ":4: \"##\" without" },
	{ ITEM("y") "\n## too late\n", ":6: \"##\" without" },
	{ ITEM("y") "## why [requird]\n", ":5: unknown tag [requird]" },
	{ ITEM("y") "## why [required] [optional]\n", ":5: required and" },
	{ ITEM("y") "## why]\n", ":5: \"]\" without \"[\"" },
	{ ITEM("y") "## why [since 6]\n", ":5: \"6\" is no version" },
	{ ITEM("y") "## [since 6.9] [until 6.8]\n", ":5: since is later" },
	{ ITEM("y") "## why [arch ]\n", ":5: unknown tag" },
	{ ITEM("y") "## why [arch X86]\n", ":5: unknown tag" },
	{ ITEM("y") "CONFIG_X=n\n", ":5: X is already set in line 4" },
	{ ITEM("y") "## [arch x86]\nCONFIG_X=m\n## [arch arm x86]\n",
	  ":6: X is already set in line 4" },
	{ "# bad \x1b[31m\n", ":1: a control character, or not UTF-8" },
	{ "# bad \xff\n", ":1: a control character, or not UTF-8" },
	{ "# bad \xc0\xaf\n", ":1: a control character, or not UTF-8" },
	{ "# bad \xed\xa0\x80\n", ":1: a control character, or not UTF-8" },
	{ "# bad \xc2\x9b\n", ":1: a control character, or not UTF-8" },
	{ "# cut \xe2\x82", ":1: a control character, or not UTF-8" },
	{ "# bell \x7f\n", ":1: a control character, or not UTF-8" },
};

static void test_errors(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bads) / sizeof(*bads); i++) {
		struct strbuf why = { 0 };
		struct kb *kb = NULL;
		int err;

		err = kb_load_text("f.config", bads[i].text,
				   strlen(bads[i].text), &kb, &why);
		if (err != -EINVAL ||
		    strncmp(strbuf_str(&why), "f.config", 8) != 0 ||
		    strncmp(strbuf_str(&why) + 8, bads[i].message,
			    strlen(bads[i].message)) != 0)
			fail_msg("case %zu: %d \"%s\" and not \"%s\"", i, err,
				 strbuf_str(&why), bads[i].message);
		assert_null(kb);
		strbuf_free(&why);
	}
}

static void test_nul_byte(void **state)
{
	static const char text[] = HEADER "CONFIG_\0X=y\n";
	struct strbuf why = { 0 };
	struct kb *kb;

	(void)state;
	assert_int_equal(kb_load_text("f", text, sizeof(text) - 1, &kb, &why),
			 -EINVAL);
	assert_non_null(strstr(strbuf_str(&why), "NUL"));
	strbuf_free(&why);
}

/* One file of too many items is refused at the one too many. */
static void test_too_many(void **state)
{
	struct strbuf text = { 0 }, why = { 0 };
	struct kb *kb;

	(void)state;
	strbuf_addstr(&text, HEADER);
	for (int i = 0; i <= 4096; i++)
		strbuf_addf(&text, "CONFIG_X%d=y\n", i);
	assert_int_equal(kb_load_text("f", text.s, text.len, &kb, &why),
			 -EINVAL);
	assert_string_equal(strbuf_str(&why), "f:4100: more than 4096 items");
	strbuf_free(&text);
	strbuf_free(&why);
}

/* ---- directories ------------------------------------------------------- */

struct dir {
	char path[32];
	struct strbuf file[4];
	int n;
};

static void dir_make(struct dir *d)
{
	*d = (struct dir){ .path = "/tmp/kb-test-XXXXXX" };
	assert_non_null(mkdtemp(d->path));
}

static void dir_add(struct dir *d, const char *name, const char *text)
{
	struct strbuf *path = &d->file[d->n++];
	FILE *f;

	strbuf_addf(path, "%s/%s", d->path, name);
	f = fopen(strbuf_str(path), "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void dir_remove(struct dir *d)
{
	while (d->n) {
		unlink(strbuf_str(&d->file[--d->n]));
		strbuf_free(&d->file[d->n]);
	}
	assert_int_equal(rmdir(d->path), 0);
}

static void test_dir(void **state)
{
	struct strbuf why = { 0 };
	struct kb *kb;
	struct dir d;

	(void)state;
	assert_int_equal(kb_load("/nonexistent/kb", &kb, &why), -ENOENT);
	assert_non_null(strstr(strbuf_str(&why), "/nonexistent/kb"));
	strbuf_reset(&why);
	dir_make(&d);
	assert_int_equal(kb_load(d.path, &kb, &why), -ENOENT);
	assert_non_null(strstr(strbuf_str(&why), "*.config"));
	strbuf_reset(&why);
	dir_add(&d, "b.config", ITEM("y"));
	dir_add(&d, "a.config", ITEM("n"));
	dir_add(&d, "README", "not a topic\n");
	assert_int_equal(kb_load(d.path, &kb, &why), 0);
	assert_int_equal(kb_topics(kb), 2);
	assert_string_equal(kb_topic(kb, 0)->id, "a");
	assert_string_equal(kb_topic(kb, 1)->id, "b");
	kb_free(kb);
	dir_add(&d, "c.config", "words\n");
	assert_int_equal(kb_load(d.path, &kb, &why), -EINVAL);
	assert_non_null(strstr(strbuf_str(&why), "/c.config:1: expected"));
	strbuf_free(&why);
	dir_remove(&d);
}

/* ---- conflicts --------------------------------------------------------- */

#define TOPIC(precedence) \
	"# Topic: t\n# Match: word\n# Source: s\n" \
	"# Precedence: " precedence "\n"

static struct kb_plan *plan_of(const struct kb *kb, const char *goal,
			       const char *version, const char *arch)
{
	struct kb_plan *p;

	assert_int_equal(kb_plan_make(kb, goal, version, arch, &p), 0);
	return p;
}

static void check_item(const struct kb_plan *p, const char *name,
		       const char *value, const char *id)
{
	const struct kb_topic *topic;
	const struct kb_item *item = kb_plan_find(p, name, &topic);

	assert_non_null(item);
	assert_string_equal(item->value, value);
	assert_string_equal(topic->id, id);
}

static void check_conflict(const struct kb_plan *p, size_t i, const char *name,
			   const char *winner, const char *loser)
{
	const struct kb_conflict *c = kb_plan_conflict(p, i);

	assert_string_equal(c->name, name);
	assert_string_equal(c->winner->id, winner);
	assert_string_equal(c->loser->id, loser);
	assert_string_not_equal(c->won->value, c->lost->value);
}

static void test_conflicts(void **state)
{
	struct strbuf why = { 0 };
	struct kb_plan *p;
	struct kb *kb;
	struct dir d;

	(void)state;
	dir_make(&d);
	dir_add(&d, "a.config", TOPIC("5")
		"CONFIG_RANK=y\n"
		"CONFIG_REQUIRED=1\n"
		"CONFIG_ORDER=1\n"
		"CONFIG_TRI=m\n"
		"CONFIG_SAME=y\n## weak [optional]\n"
		"CONFIG_THREE=n\n");
	dir_add(&d, "b.config", TOPIC("9")
		"# CONFIG_RANK is not set\n"
		"CONFIG_THREE=y\n");
	dir_add(&d, "c.config", TOPIC("5")
		"CONFIG_REQUIRED=2\n## strong [required]\n"
		"CONFIG_ORDER=2\n"
		"CONFIG_TRI=y\n"
		"CONFIG_SAME=y\n## strong [required]\n"
		"CONFIG_THREE=m\n");
	assert_int_equal(kb_load(d.path, &kb, &why), 0);
	p = plan_of(kb, "word", "6.12", "x86");
	assert_int_equal(kb_plan_matches(p), 3);
	assert_int_equal(kb_plan_items(p), 6);
	check_item(p, "RANK", "n", "b");
	check_item(p, "REQUIRED", "2", "c");
	check_item(p, "ORDER", "1", "a");
	check_item(p, "TRI", "y", "c");
	check_item(p, "SAME", "y", "c");
	check_item(p, "THREE", "y", "b");
	assert_null(kb_plan_find(p, "OTHER", NULL));
	assert_int_equal(kb_plan_conflicts(p), 4);
	check_conflict(p, 0, "RANK", "b", "a");
	check_conflict(p, 1, "THREE", "b", "a");
	check_conflict(p, 2, "REQUIRED", "c", "a");
	check_conflict(p, 3, "ORDER", "a", "c");
	kb_plan_free(p);
	kb_free(kb);
	strbuf_free(&why);
	dir_remove(&d);
}

static void test_restricted(void **state)
{
	struct kb *kb = load(HEADER
			     "CONFIG_X=1\n## a [until 6.1]\n"
			     "CONFIG_X=2\n## b [since 6.2]\n"
			     "CONFIG_Y=y\n## c [arch arm64]\n");
	struct kb_plan *p;

	(void)state;
	p = plan_of(kb, "word", "6.1.5", "x86");
	check_item(p, "X", "1", "some-topic");
	assert_null(kb_plan_find(p, "Y", NULL));
	kb_plan_free(p);
	p = plan_of(kb, "word", "6.12", "arm64");
	check_item(p, "X", "2", "some-topic");
	check_item(p, "Y", "y", "some-topic");
	assert_int_equal(kb_plan_conflicts(p), 0);
	kb_plan_free(p);
	p = plan_of(kb, "word", NULL, NULL);
	assert_int_equal(kb_plan_items(p), 2);
	assert_int_equal(kb_plan_conflicts(p), 0);
	kb_plan_free(p);
	kb_free(kb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_applies),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_nul_byte),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_dir),
		cmocka_unit_test(test_conflicts),
		cmocka_unit_test(test_restricted),
	};

	return cmocka_run_group_tests_name("kb", tests, NULL, NULL);
}
