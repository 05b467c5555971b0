// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the built-in provider answers to each kind of question.
 */
#include "fixture.h"

#include "base/strbuf.h"
#include "group.h"
#include "json.h"
#include "kb.h"
#include "llm.h"
#include "llm-providers.h"

static const char kconfig[] =
	"config MODULES\n\tbool \"Modules\"\n\tmodules\n"
	"menu \"One\"\n"
	"config A\n\tbool \"A\"\n"
	"menu \"Inner\"\n"
	"config DEEP\n\ttristate \"Deep\"\n"
	"endmenu\n"
	"endmenu\n"
	"menu \"Two\"\n"
	"config B\n\tbool \"B\"\n"
	"config FAR\n\tbool \"Far\"\n\tdepends on NEVER\n"
	"config NEVER\n\tbool \"Never\"\n"
	"endmenu\n"
	"menuconfig NET\n\tbool \"Net\"\n"
	"config TCP\n\tbool \"TCP\"\n\tdepends on NET\n"
	"config OTHER\n\tbool \"Other\"\n"
	"choice\n\tprompt \"Pick\"\n"
	"config C1\n\tbool \"C1\"\n"
	"config C2\n\tbool \"C2\"\n"
	"endchoice\n"
	"config SIZE\n\tint \"Size\"\n\tdefault 3\n"
	"config HEX\n\thex \"Hex\"\n\tdefault 0x10\n"
	"config NAME\n\tstring \"Name\"\n";

static const char topic[] =
	"# Topic: testing\n# Match: tests\n# Source: none\n"
	"CONFIG_A=y\n## it \"must\" be [required]\n"
	"CONFIG_DEEP=m\n## it may be [optional]\n"
	"# CONFIG_B is not set\n## off\n"
	"# CONFIG_C1 is not set\n"
	"CONFIG_C2=y\n## the better one [required]\n"
	"CONFIG_TCP=y\n## talk\n"
	"CONFIG_SIZE=7\n## enough\n"
	"CONFIG_NAME=\"x\"\n## a name\n"
	"CONFIG_HEX=16\n## as it is\n"
	"CONFIG_UNKNOWN=y\n## not here\n"
	"CONFIG_OTHER=y\n## too new [since 6.13]\n";

struct state {
	struct kb *kb;
	struct lkc_tree *tree;
	struct lkc_config *c;
	void *provider;
	struct group g;
	struct group_item items[8];
	struct json *reply;
};

static void begin(struct state *s, const char *config)
{
	struct llm_settings set = { .goal = "a test" };
	struct strbuf why = { 0 };

	memset(s, 0, sizeof(*s));
	assert_int_equal(kb_load_text("t", topic, strlen(topic), &s->kb, &why),
			 0);
	set.kb = s->kb;
	assert_int_equal(llm_knowledge.open(&set, &s->provider, &why), 0);
	s->tree = fixture_tree(kconfig, "6.12");
	s->c = fixture_config(s->tree, config);
	s->g.items = s->items;
	s->g.config = s->c;
}

static void end(struct state *s)
{
	json_free(s->reply);
	llm_knowledge.close(s->provider);
	lkc_config_free(s->c);
	lkc_tree_free(s->tree);
	kb_free(s->kb);
}

static void add(struct state *s, const char *name)
{
	struct group_item *item = &s->items[s->g.n++];

	item->sym = lkc_sym_find(s->tree, name);
	assert_int_not_equal(item->sym, LKC_NONE);
	item->entry = lkc_sym_entry(s->tree, item->sym, 0);
}

/* The menu that @name stands in. */
static void add_menu_of(struct state *s, const char *name)
{
	struct group_item *item = &s->items[s->g.n++];
	lkc_sym sym = lkc_sym_find(s->tree, name);

	item->sym = LKC_NONE;
	item->entry = lkc_menu_parent(s->tree,
				      lkc_sym_entry(s->tree, sym, 0));
}

/* Asks; the array of answers is the result. */
static const struct json *ask(struct state *s, enum group_kind kind)
{
	struct llm_request req = { .id = 42, .group = &s->g };
	struct llm_reply reply;

	s->g.kind = kind;
	assert_int_equal(llm_knowledge.submit(s->provider, &req), 0);
	assert_int_equal(llm_knowledge.wait(s->provider, &reply), 0);
	assert_int_equal(reply.id, 42);
	assert_int_equal(reply.err, 0);
	assert_int_equal(reply.len, strlen(reply.text));
	json_free(s->reply);
	s->reply = json_parse(reply.text, reply.len, NULL, NULL);
	assert_non_null(s->reply);
	free(reply.text);
	s->g.n = 0;
	return json_get(s->reply, "answers");
}

static void check(const struct json *answers, size_t i, const char *name,
		  const char *value, const char *reason)
{
	const struct json *a = json_at(answers, i);

	assert_non_null(a);
	assert_string_equal(json_get_str(a, "name"), name);
	assert_string_equal(json_get_str(a, "value"), value);
	if (reason)
		assert_string_equal(json_get_str(a, "reason"), reason);
}

static double confidence(const struct json *answers, size_t i)
{
	double d = -1;

	assert_true(json_get_double(json_at(answers, i), "confidence", &d));
	return d;
}

static void test_bool(void **state)
{
	const struct json *answers;
	struct state s;

	(void)state;
	begin(&s, "CONFIG_MODULES=y\n");
	add(&s, "NET");
	add(&s, "A");
	add(&s, "B");
	add(&s, "DEEP");
	add(&s, "OTHER");
	answers = ask(&s, GROUP_BOOL);
	assert_int_equal(json_len(answers), 3);
	check(answers, 0, "A", "y", "testing: it \"must\" be");
	assert_true(confidence(answers, 0) > confidence(answers, 1));
	check(answers, 1, "B", "n", "testing: off");
	check(answers, 2, "DEEP", "m", "testing: it may be");
	end(&s);
}

/* m is y where nothing can be a module, and no reason to take y away. */
static void test_modules(void **state)
{
	const struct json *answers;
	struct state s;

	(void)state;
	begin(&s, "# CONFIG_MODULES is not set\n");
	add(&s, "DEEP");
	answers = ask(&s, GROUP_BOOL);
	check(answers, 0, "DEEP", "y", NULL);
	end(&s);
	begin(&s, "CONFIG_MODULES=y\nCONFIG_DEEP=y\n");
	add(&s, "DEEP");
	answers = ask(&s, GROUP_BOOL);
	check(answers, 0, "DEEP", "keep", NULL);
	end(&s);
}

static void test_choice_and_value(void **state)
{
	const struct json *answers;
	struct state s;

	(void)state;
	begin(&s, "");
	add(&s, "C1");
	add(&s, "C2");
	answers = ask(&s, GROUP_CHOICE);
	assert_int_equal(json_len(answers), 1);
	check(answers, 0, "C2", "y", "testing: the better one");
	add(&s, "C1");
	answers = ask(&s, GROUP_CHOICE);
	assert_int_equal(json_len(answers), 0);
	add(&s, "SIZE");
	add(&s, "NAME");
	answers = ask(&s, GROUP_VALUE);
	assert_int_equal(json_len(answers), 2);
	check(answers, 0, "SIZE", "7", "testing: enough");
	check(answers, 1, "NAME", "x", NULL);
	end(&s);
}

static void test_menu(void **state)
{
	const struct json *answers;
	struct state s;

	(void)state;
	begin(&s, "CONFIG_MODULES=y\n");
	add_menu_of(&s, "A");
	add_menu_of(&s, "B");
	add(&s, "NET");
	answers = ask(&s, GROUP_MENU);
	assert_int_equal(json_len(answers), 3);
	check(answers, 0, "menu:1", "open", "testing: has A and 1 more");
	check(answers, 1, "menu:2", "skip", NULL);
	/* NET is off, but what the plan wants is below it */
	check(answers, 2, "menu:3", "open", "testing: has TCP");
	end(&s);

	/* What holds is no reason to open a menu. */
	begin(&s, "CONFIG_MODULES=y\nCONFIG_A=y\nCONFIG_DEEP=m\nCONFIG_B=y\n"
		  "CONFIG_NET=y\nCONFIG_TCP=y\n");
	add_menu_of(&s, "A");
	add_menu_of(&s, "B");
	add(&s, "NET");
	answers = ask(&s, GROUP_MENU);
	check(answers, 0, "menu:1", "skip", NULL);
	check(answers, 1, "menu:2", "open", "testing: has B");
	check(answers, 2, "menu:3", "skip", NULL);
	end(&s);
}

/* The number is right whatever base it is written in. */
static void test_same_number(void **state)
{
	const struct json *answers;
	struct state s;

	(void)state;
	begin(&s, "CONFIG_MODULES=y\nCONFIG_A=y\nCONFIG_DEEP=m\n"
		  "CONFIG_NET=y\nCONFIG_TCP=y\nCONFIG_C2=y\n"
		  "CONFIG_SIZE=7\nCONFIG_NAME=\"x\"\n");
	s.items[s.g.n].sym = LKC_NONE;
	s.items[s.g.n++].entry = lkc_menu_root(s.tree);
	answers = ask(&s, GROUP_MENU);
	check(answers, 0, "menu:1", "skip", NULL);
	end(&s);
}

/* A second asking gets no second opinion. */
static void test_round(void **state)
{
	const struct json *answers;
	struct state s;

	(void)state;
	begin(&s, "");
	add(&s, "A");
	s.g.round = 1;
	answers = ask(&s, GROUP_BOOL);
	assert_int_equal(json_type(answers), JSON_ARRAY);
	assert_int_equal(json_len(answers), 0);
	end(&s);
}

/* Replies come in the order of the questions; then there are none. */
static void test_queue(void **state)
{
	struct llm_reply reply = { 0 };
	struct llm_request req;
	struct state s;

	(void)state;
	begin(&s, "");
	add(&s, "A");
	s.g.kind = GROUP_BOOL;
	for (uint64_t id = 0; id < 5; id++) {
		req = (struct llm_request){ .id = id, .group = &s.g };
		assert_int_equal(llm_knowledge.submit(s.provider, &req), 0);
	}
	for (uint64_t id = 0; id < 4; id++) {
		assert_int_equal(llm_knowledge.wait(s.provider, &reply), 0);
		assert_int_equal(reply.id, id);
		assert_int_equal(reply.usage.input_tokens, 0);
		llm_reply_free(&reply);
	}
	req.group = NULL;
	assert_int_equal(llm_knowledge.submit(s.provider, &req), LLM_ECONFIG);
	end(&s);	/* with one reply that nobody fetched */

	begin(&s, "");
	assert_int_equal(llm_knowledge.wait(s.provider, &reply), LLM_ECONFIG);
	end(&s);
}

/* Another tree, perhaps at the same address, has a plan of its own. */
static void test_trees(void **state)
{
	const struct json *answers;
	struct state s;

	(void)state;
	begin(&s, "");
	add(&s, "OTHER");
	assert_int_equal(json_len(ask(&s, GROUP_BOOL)), 0);
	lkc_config_free(s.c);
	lkc_tree_free(s.tree);
	s.tree = fixture_tree("config X\n\tbool\nconfig OTHER\n\tbool \"O\"\n",
			      "7.2");
	s.c = fixture_config(s.tree, "");
	s.g.config = s.c;
	add(&s, "OTHER");
	answers = ask(&s, GROUP_BOOL);
	check(answers, 0, "OTHER", "y", "testing: too new");
	end(&s);
}

static void test_no_match(void **state)
{
	struct llm_settings set = { .goal = "nothing of the sort" };
	struct strbuf why = { 0 };
	void *provider = NULL;

	(void)state;
	assert_int_equal(llm_knowledge.open(&set, &provider, &why),
			 LLM_ECONFIG);
	assert_null(provider);
	assert_non_null(strstr(strbuf_str(&why), "nothing on this goal"));
	assert_non_null(strstr(strbuf_str(&why), "container-host"));
	strbuf_reset(&why);
	set.goal = "no containers, please";
	assert_int_equal(llm_knowledge.open(&set, &provider, &why),
			 LLM_ECONFIG);
	assert_non_null(strstr(strbuf_str(&why), "\"containers\""));
	strbuf_reset(&why);
	set.goal = NULL;
	assert_int_equal(llm_knowledge.open(&set, &provider, &why),
			 LLM_ECONFIG);
	strbuf_free(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bool),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_choice_and_value),
		cmocka_unit_test(test_menu),
		cmocka_unit_test(test_same_number),
		cmocka_unit_test(test_round),
		cmocka_unit_test(test_queue),
		cmocka_unit_test(test_trees),
		cmocka_unit_test(test_no_match),
	};

	return cmocka_run_group_tests_name("llm-knowledge", tests, NULL, NULL);
}
