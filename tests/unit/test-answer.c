// SPDX-License-Identifier: GPL-2.0-only
/*
 * What models say, and what is made of it.
 */
#include "fixture.h"

#include "answer.h"
#include "base/strbuf.h"
#include "group.h"

static const char kconfig[] =
	"config MODULES\n\tbool \"Modules\"\n\tmodules\n\tdefault y\n"
	"config A\n\tbool \"The first one\"\n"
	"config B\n\ttristate \"B\"\n"
	"config N\n\tint \"Number\"\n\trange 1 10\n\tdefault 5\n"
	"config S\n\tstring \"Words\"\n"
	"choice\n\tprompt \"Pick\"\n"
	"config C1\n\tbool \"one\"\n"
	"config C2\n\tbool \"two\"\n"
	"endchoice\n"
	"menu \"Deep\"\n"
	"config D\n\tbool \"D\"\n"
	"endmenu\n";

struct asked {
	struct lkc_tree *tree;
	struct lkc_config *c;
	struct group g;
	struct group_item items[4];
	struct answer a;
	struct strbuf why;
};

static void add_item(struct asked *q, const char *name)
{
	struct group_item *item = &q->items[q->g.n++];

	item->sym = lkc_sym_find(q->tree, name);
	assert_int_not_equal(item->sym, LKC_NONE);
	item->entry = lkc_sym_entry(q->tree, item->sym, 0);
}

/* A question of @kind about the symbols @a and @b. */
static void ask(struct asked *q, enum group_kind kind, const char *a,
		const char *b)
{
	memset(q, 0, sizeof(*q));
	q->tree = fixture_tree(kconfig, "6.12");
	q->c = fixture_config(q->tree, NULL);
	q->g.kind = kind;
	q->g.config = q->c;
	q->g.items = q->items;
	q->g.menu = lkc_menu_root(q->tree);
	add_item(q, a);
	add_item(q, b);
}

static void done(struct asked *q)
{
	answer_free(&q->a);
	strbuf_free(&q->why);
	lkc_config_free(q->c);
	lkc_tree_free(q->tree);
}

static int reply(struct asked *q, const char *text)
{
	answer_free(&q->a);
	strbuf_reset(&q->why);
	return answer_parse(&q->g, text, strlen(text), &q->a, &q->why);
}

/* The only suggestion in the answer with the only element @element. */
static const struct suggestion *one(struct asked *q, const char *element)
{
	struct strbuf b = {0};

	strbuf_addf(&b, "{\"answers\":[%s]}", element);
	assert_int_equal(reply(q, strbuf_str(&b)), 0);
	strbuf_free(&b);
	assert_int_equal(q->a.n, 1);
	return q->a.v;
}

/* The only element is understood as a wish for @name to have @value. */
static void takes(struct asked *q, const char *element, const char *name,
		  const char *value)
{
	const struct suggestion *s = one(q, element);

	assert_int_equal(s->kind, SUGGEST_VALUE);
	assert_string_equal(s->name, name);
	assert_string_equal(s->value, value);
}

static void test_plain(void **state)
{
	const struct suggestion *s;
	struct asked q;

	(void)state;
	ask(&q, GROUP_BOOL, "A", "B");
	s = one(&q, "{\"name\":\"A\",\"value\":\"y\",\"reason\":\"it \\u001b[1mhelps\\n\",\"confidence\":0.75}");
	assert_int_equal(s->kind, SUGGEST_VALUE);
	assert_int_equal(s->verdict, VERDICT_PENDING);
	assert_string_equal(s->reason, "it [1mhelps");
	assert_true(s->confidence == 0.75);
	assert_int_equal(s->item, 0);
	assert_int_equal(s->sym, q.items[0].sym);
	assert_int_equal(one(&q, "{\"name\":\"B\",\"value\":\"keep\"}")->kind,
			 SUGGEST_KEEP);
	assert_int_equal(one(&q, "{\"name\":\"B\",\"value\":\"unsure\"}")->kind,
			 SUGGEST_UNSURE);
	assert_int_equal(reply(&q, "{\"answers\":[]}"), 0);
	assert_int_equal(q.a.n, 0);
	done(&q);
}

static void test_spellings(void **state)
{
	struct asked q;

	(void)state;
	ask(&q, GROUP_BOOL, "A", "B");
	takes(&q, "{\"name\":\"CONFIG_A\",\"value\":\"Y\"}", "A", "y");
	takes(&q, "{\"name\":\"A\",\"value\":\"yes\"}", "A", "y");
	takes(&q, "{\"name\":\"A\",\"value\":true}", "A", "y");
	takes(&q, "{\"name\":\"A\",\"value\":false}", "A", "n");
	takes(&q, "{\"name\":\"a\",\"value\":\"Enabled\"}", "A", "y");
	takes(&q, "{\"name\":\"A=y\"}", "A", "y");
	takes(&q, "{\"name\":\"CONFIG_A=n\",\"value\":\"n\"}", "A", "n");
	takes(&q, "{\"name\":\"A\",\"value\":\"CONFIG_A=y\"}", "A", "y");
	takes(&q, "\"CONFIG_B=m\"", "B", "m");
	takes(&q, "{\"name\":\"B\",\"value\":\"module\"}", "B", "m");
	takes(&q, "{\"name\":\"`A`\",\"value\":\"'y'\"}", "A", "y");
	takes(&q, "{\"name\":\"The first one\",\"value\":\"y\"}", "A", "y");
	takes(&q, "{\"name\":\"The first one (A)\",\"value\":\"y\"}",
		     "A", "y");
	takes(&q, "{\"name\":\"A (the first one)\",\"value\":\"y\"}",
		     "A", "y");
	/* 1 is y in C, and m in Kconfig: not for us to guess */
	takes(&q, "{\"name\":\"B\",\"value\":1}", "B", "1");
	done(&q);
}

static void test_others(void **state)
{
	const struct suggestion *s;
	struct asked q;

	(void)state;
	ask(&q, GROUP_BOOL, "A", "B");
	s = one(&q, "{\"name\":\"N\",\"value\":7}");
	assert_int_equal(s->item, SUGGEST_NO_ITEM);
	assert_true(suggestion_unasked(s));
	assert_string_equal(s->value, "7");
	s = one(&q, "{\"name\":\"NO_SUCH\",\"value\":\"y\"}");
	assert_int_equal(s->kind, SUGGEST_VALUE);
	assert_int_equal(s->sym, LKC_NONE);
	assert_false(suggestion_unasked(s));
	done(&q);
}

static void test_not_understood(void **state)
{
	static const struct {
		const char *element;
		enum verdict verdict;
	} cases[] = {
		{ "{\"name\":7,\"value\":[\"y\"]}", VERDICT_TYPE },
		{ "{\"value\":\"y\"}", VERDICT_UNKNOWN },
		{ "{\"name\":[],\"value\":\"y\"}", VERDICT_UNKNOWN },
		{ "{\"name\":\"\",\"value\":\"y\"}", VERDICT_UNKNOWN },
		{ "{\"name\":\"A\"}", VERDICT_TYPE },
		{ "{\"name\":\"A\",\"value\":null}", VERDICT_TYPE },
		{ "{\"name\":\"A\",\"value\":1.5}", VERDICT_TYPE },
		{ "null", VERDICT_UNKNOWN },
		{ "[]", VERDICT_UNKNOWN },
		{ "12", VERDICT_UNKNOWN },
	};
	const struct suggestion *s;
	struct asked q;
	size_t i;

	(void)state;
	ask(&q, GROUP_BOOL, "A", "B");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		s = one(&q, cases[i].element);
		assert_int_equal(s->kind, SUGGEST_NOTHING);
		assert_int_equal(s->verdict, cases[i].verdict);
		assert_true(*s->why);
		assert_true(suggestion_rejected(s));
	}
	done(&q);
}

static void test_around(void **state)
{
	static const char *const texts[] = {
		"{\"answers\":[{\"name\":\"A\",\"value\":\"y\"}]}",
		"[{\"name\":\"A\",\"value\":\"y\"}]",
		"Sure {that is}:\n```json\n{\"answers\":[{\"name\":\"A\",\"value\":\"y\"}]}\n```\nDone.",
		"I think {\"answers\":[{\"name\":\"A\",\"value\":\"y\"}]} will do.",
		"Not [1] or {x}, but {\"answers\":[{\"name\":\"A\",\"value\":\"y\"}]}.",
		"<think>{\"answers\":[]}</think> {\"answers\":[{\"name\":\"A\",\"value\":\"y\"}]}",
		"\xef\xbb\xbf{\"answers\":[{\"name\":\"A\",\"value\":\"y\"}]}",
	};
	struct asked q;
	size_t i;

	(void)state;
	ask(&q, GROUP_BOOL, "A", "B");
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(reply(&q, texts[i]), 0);
		assert_int_equal(q.a.n, 1);
		assert_string_equal(q.a.v[0].name, "A");
	}
	done(&q);
}

static void test_malformed(void **state)
{
	static const char *const texts[] = {
		"", "I would set A to y.", "{", "{\"answers\":[{\"name\":\"A\"",
		"{\"answers\":{\"A\":\"y\"}}", "{\"A\":\"y\"}", "42",
		"{\"answers\":[{\"name\":\"A\",\"name\":\"B\",\"value\":\"y\"}]}",
		"<html>", "\"", "[[[[",
	};
	struct strbuf deep = {0};
	struct asked q;
	size_t i;

	(void)state;
	ask(&q, GROUP_BOOL, "A", "B");
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(reply(&q, texts[i]), ANSWER_EMALFORMED);
		assert_true(q.why.len > 0);
		assert_null(q.a.v);
	}
	for (i = 0; i < 200000; i++)
		strbuf_addstr(&deep, "{[");
	assert_int_equal(reply(&q, strbuf_str(&deep)), ANSWER_EMALFORMED);
	strbuf_free(&deep);
	done(&q);
}

static void test_many(void **state)
{
	struct strbuf b = {0};
	struct asked q;
	int i;

	(void)state;
	ask(&q, GROUP_BOOL, "A", "B");
	strbuf_addstr(&b, "{\"answers\":[0");
	for (i = 1; i < ANSWER_MAX; i++)
		strbuf_addstr(&b, ",0");
	strbuf_addstr(&b, "]}");
	assert_int_equal(reply(&q, strbuf_str(&b)), 0);
	assert_int_equal(q.a.n, ANSWER_MAX);
	strbuf_truncate(&b, b.len - 2);
	strbuf_addstr(&b, ",0]}");
	assert_int_equal(reply(&q, strbuf_str(&b)), ANSWER_EMALFORMED);
	strbuf_free(&b);
	done(&q);
}

static void test_choice(void **state)
{
	const struct suggestion *s;
	struct asked q;

	(void)state;
	ask(&q, GROUP_CHOICE, "C1", "C2");
	takes(&q, "{\"name\":\"C2\",\"value\":\"y\"}", "C2", "y");
	takes(&q, "{\"name\":\"C2\"}", "C2", "y");
	takes(&q, "{\"name\":\"Pick\",\"value\":\"C2\"}", "C2", "y");
	takes(&q, "{\"name\":\"choice\",\"value\":\"CONFIG_C2\"}", "C2", "y");
	takes(&q, "{\"name\":\"\\\"C2\\\"\",\"value\":\"y\"}", "C2", "y");
	s = one(&q, "{\"name\":\"C1\",\"value\":\"keep\"}");
	assert_int_equal(s->kind, SUGGEST_KEEP);
	done(&q);
}

static void test_value(void **state)
{
	const struct suggestion *s;
	struct asked q;
	char buf[ANSWER_VALUE_MAX + 80];

	(void)state;
	ask(&q, GROUP_VALUE, "N", "S");
	takes(&q, "{\"name\":\"N\",\"value\":7}", "N", "7");
	takes(&q, "{\"name\":\"N\",\"value\":7.0}", "N", "7");
	takes(&q, "{\"name\":\"N\",\"value\":\"7\"}", "N", "7");
	takes(&q, "{\"name\":\"N\",\"value\":\"N=7\"}", "N", "7");
	takes(&q, "{\"name\":\"S\",\"value\":\"\"}", "S", "");
	takes(&q, "{\"name\":\"S\",\"value\":\"a=\\\"b\\\"\"}", "S",
		     "a=\"b\"");
	takes(&q, "{\"name\":\"S\",\"value\":\"yes\"}", "S", "yes");
	snprintf(buf, sizeof(buf), "{\"name\":\"S\",\"value\":\"%0*d\"}",
		 ANSWER_VALUE_MAX + 1, 0);
	s = one(&q, buf);
	assert_int_equal(s->verdict, VERDICT_TYPE);
	done(&q);
}

static void test_menu(void **state)
{
	static const struct {
		const char *element;
		enum suggestion_kind kind;
	} cases[] = {
		{ "{\"name\":\"menu:1\",\"value\":\"open\"}", SUGGEST_OPEN },
		{ "{\"name\":\"menu:1\",\"value\":\"skip\"}", SUGGEST_SKIP },
		{ "{\"name\":\"menu:1\",\"value\":\"unsure\"}", SUGGEST_UNSURE },
		{ "{\"name\":1,\"value\":\"open\"}", SUGGEST_OPEN },
		{ "{\"name\":\"Menu 1\",\"value\":\"Open\"}", SUGGEST_OPEN },
		{ "{\"name\":\"Deep\",\"value\":\"yes\"}", SUGGEST_OPEN },
		{ "{\"name\":\"menu:1\",\"value\":false}", SUGGEST_SKIP },
	};
	const struct suggestion *s;
	struct asked q;
	size_t i;

	(void)state;
	ask(&q, GROUP_MENU, "D", "A");
	q.items[0].entry = lkc_menu_parent(q.tree, q.items[0].entry);
	q.items[0].sym = LKC_NONE;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		s = one(&q, cases[i].element);
		assert_int_equal(s->kind, cases[i].kind);
		assert_string_equal(s->name, "menu:1");
		assert_int_equal(s->item, 0);
	}
	s = one(&q, "{\"name\":\"menu:3\",\"value\":\"open\"}");
	assert_int_equal(s->verdict, VERDICT_UNKNOWN);
	s = one(&q, "{\"name\":\"menu:99999999999999999999\",\"value\":\"open\"}");
	assert_int_equal(s->verdict, VERDICT_UNKNOWN);
	s = one(&q, "{\"name\":\"menu:1\",\"value\":\"perhaps\"}");
	assert_int_equal(s->verdict, VERDICT_TYPE);
	/* a symbol may be set from anywhere */
	takes(&q, "{\"name\":\"B\",\"value\":\"m\"}", "B", "m");
	done(&q);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_not_understood),
		cmocka_unit_test(test_around),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_choice),
		cmocka_unit_test(test_value),
		cmocka_unit_test(test_menu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
