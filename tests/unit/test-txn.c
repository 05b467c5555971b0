// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transactions: one verdict for every request, and nothing left behind.
 */
#include "fixture.h"

static const char kconfig[] =
	"config MODULES\n\tbool \"modules\"\n\tmodules\n\tdefault y\n"
	"config PCI\n\tbool \"PCI\"\n"
	"config NET\n\tbool \"Networking\"\n\tdefault y\n"
	"config E100\n\ttristate \"E100\"\n\tdepends on PCI && NET\n"
	"config E100_DEBUG\n\tbool \"E100 debugging\"\n\tdepends on E100\n"
	"config HELPER\n\ttristate\n"
	"config USER1\n\ttristate \"User 1\"\n\tselect HELPER2\n"
	"config HELPER2\n\ttristate \"Helper 2\"\n"
	"config COUNT\n\tint \"Count\"\n\trange 1 10\n\tdefault 5\n"
	"config ADDR\n\thex \"Address\"\n\tdefault 0x10\n"
	"config NAME\n\tstring \"Name\"\n\tdefault \"none\"\n"
	"choice\n\tprompt \"Tick\"\n\tdefault HZ_250\n"
	"config HZ_100\n\tbool \"100\"\n"
	"config HZ_250\n\tbool \"250\"\n"
	"config HZ_1000\n\tbool \"1000\"\n\tdepends on PCI\n"
	"endchoice\n"
	"config LEGACY\n\tbool \"Legacy\"\n\tdepends on !PCI\n";

struct state {
	struct lkc_tree *tree;
	struct lkc_config *c;
	struct lkc_txn *txn;
};

static int setup(void **data)
{
	struct state *s = calloc(1, sizeof(*s));

	s->tree = fixture_tree(kconfig, "6.12");
	s->c = fixture_config(s->tree, NULL);
	assert_int_equal(lkc_txn_begin(s->c, &s->txn), 0);
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

static void expect(const struct state *s, size_t i, enum lkc_verdict verdict,
		   const char *in_reason)
{
	const struct lkc_request *r = lkc_txn_request(s->txn, i);

	if (r->verdict != verdict)
		fail_msg("%s=%s: %s (%s), expected %s", r->name, r->want,
			 lkc_verdict_name(r->verdict), r->reason,
			 lkc_verdict_name(verdict));
	if (!strstr(r->reason, in_reason))
		fail_msg("%s: \"%s\" does not say \"%s\"", r->name, r->reason,
			 in_reason);
}

static void ask(struct state *s, const char *name, const char *value)
{
	assert_true(lkc_txn_set(s->txn, name, value) >= 0);
}

static void accepts_and_derives(void **data)
{
	struct state *s = *data;
	size_t i;
	bool found = false;

	ask(s, "CONFIG_USER1", "m");
	ask(s, "NET", "y");
	assert_int_equal(lkc_txn_prepare(s->txn), 0);
	expect(s, 0, LKC_V_ACCEPTED, "");
	expect(s, 1, LKC_V_ALREADY, "");
	for (i = 0; i < lkc_txn_changes(s->txn); i++) {
		const struct lkc_change *ch = lkc_txn_change(s->txn, i);

		if (strcmp(lkc_sym_name(s->tree, ch->sym), "HELPER2") != 0)
			continue;
		found = true;
		assert_string_equal(ch->before, "n");
		assert_string_equal(ch->after, "m");
		assert_int_equal(ch->request, -1);
		assert_string_equal(lkc_sym_name(s->tree, ch->cause), "USER1");
		assert_int_equal(ch->origin, LKC_ORIGIN_SELECT);
	}
	assert_true(found);
	assert_int_equal(lkc_txn_commit(s->txn), 0);
	assert_string_equal(fixture_value(s->c, "HELPER2"), "m");
}

static void rejects_with_reasons(void **data)
{
	struct state *s = *data;

	ask(s, "E1000", "y");		/* 0 */
	ask(s, "E100", "y");		/* 1 */
	ask(s, "HELPER", "y");		/* 2 */
	ask(s, "COUNT", "11");		/* 3 */
	ask(s, "ADDR", "xyz");		/* 4 */
	ask(s, "HZ_100", "y");		/* 5 */
	ask(s, "HZ_250", "y");		/* 6 */
	ask(s, "NET", "m");		/* 7 */
	ask(s, "NAME", "a\nCONFIG_PCI=y"); /* 8 */
	ask(s, "HZ_1000", "y");		/* 9 */
	assert_int_equal(lkc_txn_prepare(s->txn), LKC_EREJECTED);
	expect(s, 0, LKC_V_UNKNOWN, "E100");
	expect(s, 1, LKC_V_INVISIBLE, "needs PCI=y (now n");
	expect(s, 2, LKC_V_PROMPTLESS, "nothing in this kernel");
	expect(s, 3, LKC_V_OUT_OF_RANGE, "from 1 to 10");
	expect(s, 4, LKC_V_TYPE, "hex");
	expect(s, 5, LKC_V_CHOICE_CONFLICT, "HZ_");
	expect(s, 6, LKC_V_CHOICE_CONFLICT, "HZ_");
	expect(s, 7, LKC_V_TYPE, "bool");
	expect(s, 8, LKC_V_TYPE, "one line");
	assert_int_equal(lkc_txn_drop_rejected(s->txn), 0);
	assert_int_equal(lkc_txn_changes(s->txn), 0);
	assert_int_equal(lkc_txn_commit(s->txn), 0);
	assert_null(lkc_user_value(s->c, lkc_sym_find(s->tree, "E100")));
}

static void pinned_by_select(void **data)
{
	struct state *s = *data;

	ask(s, "USER1", "y");
	ask(s, "HELPER2", "n");
	assert_int_equal(lkc_txn_prepare(s->txn), LKC_EREJECTED);
	expect(s, 0, LKC_V_ACCEPTED, "");
	expect(s, 1, LKC_V_CLOBBERED, "USER1=y");
	assert_int_equal(lkc_txn_drop_rejected(s->txn), 0);
	assert_int_equal(lkc_txn_commit(s->txn), 0);
	assert_string_equal(fixture_value(s->c, "HELPER2"), "y");

	assert_int_equal(lkc_txn_begin(s->c, &s->txn), 0);
	ask(s, "HELPER2", "n");
	assert_int_equal(lkc_txn_prepare(s->txn), LKC_EREJECTED);
	expect(s, 0, LKC_V_PINNED, "USER1=y");
	lkc_txn_abort(s->txn);
}

static void is_a_set_not_a_sequence(void **data)
{
	struct state *s = *data;

	/* the dependency comes after what depends on it */
	ask(s, "E100_DEBUG", "y");
	ask(s, "E100", "m");
	ask(s, "PCI", "y");
	assert_int_equal(lkc_txn_prepare(s->txn), 0);
	expect(s, 0, LKC_V_ACCEPTED, "");
	expect(s, 1, LKC_V_ACCEPTED, "");
	expect(s, 2, LKC_V_ACCEPTED, "");
	/* and one that another unmakes says which */
	ask(s, "LEGACY", "y");
	assert_int_equal(lkc_txn_prepare(s->txn), LKC_EREJECTED);
	expect(s, 3, LKC_V_CLOBBERED, "PCI=y");
	lkc_txn_abort(s->txn);
	assert_string_equal(fixture_value(s->c, "PCI"), "n");
}

static void one_symbol_two_values(void **data)
{
	struct state *s = *data;

	ask(s, "PCI", "y");
	ask(s, "PCI", "n");
	assert_int_equal(lkc_txn_prepare(s->txn), LKC_EREJECTED);
	expect(s, 0, LKC_V_CLOBBERED, "two values");
	expect(s, 1, LKC_V_CLOBBERED, "two values");
	assert_string_equal(fixture_value(s->c, "PCI"), "n");
	lkc_txn_abort(s->txn);
}

static void lost_values_are_told(void **data)
{
	struct state *s = *data;
	const struct lkc_change *ch;
	size_t i;
	bool lost = false;

	ask(s, "PCI", "y");
	ask(s, "E100", "m");
	assert_int_equal(lkc_txn_prepare(s->txn), 0);
	assert_int_equal(lkc_txn_commit(s->txn), 0);
	assert_int_equal(lkc_txn_begin(s->c, &s->txn), 0);
	ask(s, "PCI", "n");
	assert_int_equal(lkc_txn_prepare(s->txn), 0);
	for (i = 0; i < lkc_txn_changes(s->txn); i++) {
		ch = lkc_txn_change(s->txn, i);
		if (strcmp(lkc_sym_name(s->tree, ch->sym), "E100") == 0) {
			lost = ch->lost;
			assert_string_equal(lkc_sym_name(s->tree, ch->cause),
					    "PCI");
		}
	}
	assert_true(lost);
	lkc_txn_abort(s->txn);
	assert_string_equal(fixture_value(s->c, "E100"), "m");
}

static void nested_transactions(void **data)
{
	struct state *s = *data;
	struct lkc_txn *inner;
	char *before, *after;
	size_t len;

	assert_int_equal(lkc_config_format(s->c, LKC_FORMAT_CONFIG, &before,
					   &len), 0);
	ask(s, "PCI", "y");
	assert_int_equal(lkc_txn_prepare(s->txn), 0);
	assert_int_equal(lkc_txn_begin(s->c, &inner), 0);
	assert_true(lkc_txn_set(inner, "E100", "y") >= 0);
	assert_true(lkc_txn_set(inner, "HZ_1000", "y") >= 0);
	assert_int_equal(lkc_txn_prepare(inner), 0);
	assert_int_equal(lkc_txn_prepare(s->txn), LKC_ESTATE);
	assert_int_equal(lkc_txn_commit(inner), 0);
	assert_string_equal(fixture_value(s->c, "E100"), "y");
	lkc_txn_abort(s->txn);
	assert_string_equal(fixture_value(s->c, "E100"), "n");
	assert_int_equal(lkc_config_format(s->c, LKC_FORMAT_CONFIG, &after,
					   &len), 0);
	assert_string_equal(before, after);
	free(before);
	free(after);
}

/* What an inner transaction committed is there when the outer one goes on. */
static void outer_goes_on_after_inner(void **data)
{
	struct state *s = *data;
	struct lkc_txn *inner;

	ask(s, "PCI", "y");
	ask(s, "HZ_100", "y");
	assert_int_equal(lkc_txn_prepare(s->txn), 0);
	assert_int_equal(lkc_txn_begin(s->c, &inner), 0);
	assert_true(lkc_txn_set(inner, "E100", "m") >= 0);
	assert_true(lkc_txn_set(inner, "HZ_1000", "y") >= 0);
	assert_int_equal(lkc_txn_commit(inner), 0);
	ask(s, "COUNT", "7");
	assert_int_equal(lkc_txn_prepare(s->txn), LKC_EREJECTED);
	expect(s, 0, LKC_V_ACCEPTED, "");
	expect(s, 1, LKC_V_CLOBBERED, "HZ_100=y holds by itself");
	expect(s, 2, LKC_V_ACCEPTED, "");
	assert_string_equal(fixture_value(s->c, "E100"), "m");
	assert_int_equal(lkc_txn_drop_rejected(s->txn), 0);
	assert_int_equal(lkc_txn_commit(s->txn), 0);
	assert_string_equal(fixture_value(s->c, "E100"), "m");
	assert_string_equal(fixture_value(s->c, "HZ_1000"), "y");
	assert_string_equal(fixture_value(s->c, "COUNT"), "7");
}

/* Before 6.12, a choice may be m, and then its members may, too. */
static void choices_follow_their_members(void **data)
{
	static const char text[] =
		"config MODULES\n\tbool \"m\"\n\tmodules\n\tdefault y\n"
		"choice\n\tprompt \"c\"\n"
		"config A\n\ttristate \"a\"\n"
		"config B\n\ttristate \"b\"\n"
		"endchoice\n";
	struct state s;

	(void)data;
	s.tree = fixture_tree(text, "6.1");
	s.c = fixture_config(s.tree, "CONFIG_A=y\n");
	assert_int_equal(lkc_txn_begin(s.c, &s.txn), 0);
	ask(&s, "B", "m");
	assert_int_equal(lkc_txn_prepare(s.txn), 0);
	assert_string_equal(fixture_value(s.c, "B"), "m");
	ask(&s, "A", "y");
	assert_int_equal(lkc_txn_prepare(s.txn), LKC_EREJECTED);
	expect(&s, 0, LKC_V_CLOBBERED, "A=y");
	expect(&s, 1, LKC_V_ALREADY, "");
	lkc_txn_abort(s.txn);
	lkc_config_free(s.c);
	lkc_tree_free(s.tree);
}

static void forgets_a_user_value(void **data)
{
	struct state *s = *data;

	ask(s, "COUNT", "7");
	assert_int_equal(lkc_txn_commit(s->txn), 0);
	assert_string_equal(fixture_value(s->c, "COUNT"), "7");
	assert_int_equal(lkc_txn_begin(s->c, &s->txn), 0);
	ask(s, "COUNT", NULL);
	assert_int_equal(lkc_txn_prepare(s->txn), 0);
	assert_int_equal(lkc_txn_commit(s->txn), 0);
	assert_string_equal(fixture_value(s->c, "COUNT"), "5");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(accepts_and_derives),
		TEST(rejects_with_reasons),
		TEST(pinned_by_select),
		TEST(is_a_set_not_a_sequence),
		TEST(one_symbol_two_values),
		TEST(lost_values_are_told),
		TEST(nested_transactions),
		TEST(outer_goes_on_after_inner),
		cmocka_unit_test(choices_follow_their_members),
		TEST(forgets_a_user_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
