// SPDX-License-Identifier: GPL-2.0-only
/*
 * Configurations: reading whatever is given, and asking about values.
 */
#include "fixture.h"

static const char kconfig[] =
	"config MODULES\n\tbool \"modules\"\n\tmodules\n\tdefault y\n"
	"config A\n\tbool \"A\"\n"
	"config T\n\ttristate \"T\"\n\tdepends on A\n\tdefault m\n"
	"config N\n\tint \"N\"\n\trange 1 10 if A\n\trange 0 LIMIT\n\tdefault 3\n"
	"config LIMIT\n\tint \"LIMIT\"\n\tdefault 100\n"
	"config H\n\thex \"H\"\n\trange 0x10 0xff\n\tdefault 0x20\n"
	"config S\n\tstring \"S\"\n\tdefault \"text\"\n"
	"config HELD\n\ttristate \"HELD\"\n\tdefault y if !A\n"
	"config HOLDER\n\tbool \"HOLDER\"\n\tselect HELD\n"
	"config BARE\n\tbool\n\tdefault A\n";

struct state {
	struct lkc_tree *tree;
	struct lkc_config *c;
	struct lkc_diags *diags;
};

static int setup(void **data)
{
	struct state *s = calloc(1, sizeof(*s));

	s->tree = fixture_tree(kconfig, "6.12");
	s->c = fixture_config(s->tree, NULL);
	s->diags = lkc_diags_new();
	*data = s;
	return 0;
}

static int teardown(void **data)
{
	struct state *s = *data;

	lkc_config_free(s->c);
	lkc_tree_free(s->tree);
	lkc_diags_free(s->diags);
	free(s);
	return 0;
}

static void read_bytes(struct state *s, const char *text, size_t len,
		       unsigned int flags)
{
	lkc_diags_clear(s->diags);
	assert_int_equal(lkc_config_read_mem(s->c, "file", text, len, flags,
					     s->diags), 0);
}

static void read_text(struct state *s, const char *text)
{
	read_bytes(s, text, strlen(text), 0);
}

static lkc_sym sym(const struct state *s, const char *name)
{
	return lkc_sym_find(s->tree, name);
}

static void expect_is(const struct state *s, const char *name,
			 const char *value)
{
	assert_string_equal(fixture_value(s->c, name), value);
}

static void expect_user(const struct state *s, const char *name,
			const char *value)
{
	const char *user = lkc_user_value(s->c, sym(s, name));

	if (value)
		assert_string_equal(user, value);
	else
		assert_null(user);
}

/* ---- reading ------------------------------------------------------------ */

static void reading_replaces_or_adds(void **data)
{
	struct state *s = *data;

	read_text(s, "CONFIG_A=y\nCONFIG_N=5\n");
	expect_is(s, "N", "5");
	expect_user(s, "N", "5");
	expect_user(s, "T", NULL);
	read_bytes(s, "CONFIG_T=y\nCONFIG_N=6\n", 22, LKC_READ_ADD);
	expect_is(s, "A", "y");
	expect_is(s, "T", "y");
	expect_is(s, "N", "6");
	read_text(s, "CONFIG_T=y\n");
	expect_is(s, "A", "n");
	expect_is(s, "T", "n");
	expect_is(s, "N", "3");
	/* what cannot be had now is remembered */
	expect_user(s, "T", "y");
	read_bytes(s, "CONFIG_A=y\n", 11, LKC_READ_ADD);
	expect_is(s, "T", "y");
}

static void not_while_a_transaction_is_open(void **data)
{
	struct state *s = *data;
	struct lkc_txn *txn;

	assert_int_equal(lkc_txn_begin(s->c, &txn), 0);
	assert_int_equal(lkc_config_read_mem(s->c, "x", "", 0, 0, s->diags),
			 LKC_ESTATE);
	assert_int_equal(lkc_config_set_all(s->c, LKC_ALL_YES), LKC_ESTATE);
	lkc_txn_abort(txn);
	assert_int_equal(lkc_config_read_mem(s->c, "x", "", 0, 0, s->diags), 0);
}

static void files_that_cannot_be_read(void **data)
{
	struct state *s = *data;

	assert_int_equal(lkc_config_read(s->c, "/nonexistent", 0, s->diags),
			 LKC_EIO);
	assert_int_equal(lkc_config_read(s->c, "/tmp", 0, s->diags), LKC_EIO);
	assert_int_equal(lkc_diags_errors(s->diags), 2);
	assert_string_equal(lkc_diag_name(lkc_diags_get(s->diags, 0)->code),
			    "cannot-read");
}

/* Each line is bad in its way; the good one at the end is read all the same. */
static void hostile_lines(void **data)
{
	static const char *const lines[] = {
		"CONFIG_", "CONFIG_=", "CONFIG_=y", "CONFIG_A", "CONFIG_A=",
		"CONFIG_A=x", "CONFIG_A=\"y\"", "=", "#", "# ", "#CONFIG_A",
		"# CONFIG_", "# CONFIG_ is not set", "# CONFIG_A",
		"# CONFIG_A ", "CONFIG_N=", "CONFIG_N=-", "CONFIG_N=0x5",
		"CONFIG_N=99999999999999999999999999", "CONFIG_H=",
		"CONFIG_H=0x", "CONFIG_H=zz", "CONFIG_H=0xfffffffffffffffffff",
		"CONFIG_S=", "CONFIG_S=\"", "CONFIG_S=\"\\", "CONFIG_S=\"\\\"",
		"CONFIG_S=x", "CONFIG_y=n", "CONFIG_n=y", "CONFIG_BARE=y",
		"CONFIG_CONFIG_A=n", "config_a=n", " CONFIG_A=n",
		"\xff\xfe\x80", "\x01\x02\x1b[31m", "CONFIG_\xff=y",
	};
	struct state *s = *data;
	char text[200];
	size_t i, len;
	char *out;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(text, sizeof(text), "%s\nCONFIG_A=y", lines[i]);
		read_text(s, text);
		expect_is(s, "A", "y");
		assert_int_equal(lkc_diags_errors(s->diags), 0);
		assert_int_equal(lkc_config_format(s->c, LKC_FORMAT_CONFIG,
						   &out, &len), 0);
		assert_int_equal(strlen(out), len);
		free(out);
	}
	read_bytes(s, "CONFIG_A=y\0CONFIG_N=7\nCONFIG_H=0x30\0\n\0", 38, 0);
	expect_is(s, "A", "y");
	expect_is(s, "N", "3");
	expect_is(s, "H", "0x30");
	read_text(s, "CONFIG_A=y\r\nCONFIG_N=4\r\n");
	expect_is(s, "N", "4");
}

/* Bytes by chance do no harm. */
static void random_bytes(void **data)
{
	static const char alphabet[] = "CONFIG_ANTSH=ymn#\"\\ \n\n\r0x19is not set";
	struct state *s = *data;
	uint32_t state = 1;
	char text[300];
	size_t i;
	int round;

	for (round = 0; round < 3000; round++) {
		for (i = 0; i < sizeof(text); i++) {
			state = state * 1103515245 + 12345;
			text[i] = (char)(state >> 20);
			if (round % 2)
				text[i] = alphabet[(state >> 16) %
						   (sizeof(alphabet) - 1)];
		}
		read_bytes(s, text, sizeof(text), round % 3 ? 0 : LKC_READ_ADD);
		assert_int_equal(lkc_diags_errors(s->diags), 0);
	}
}

static void one_long_line(void **data)
{
	enum { LEN = 5 << 20 };
	struct state *s = *data;
	char *text = malloc(LEN + 20);
	size_t len;
	char *out;

	memset(text, 'x', LEN + 20);
	memcpy(text, "CONFIG_S=\"", 10);
	text[LEN] = '"';
	read_bytes(s, text, LEN + 1, 0);
	assert_int_equal(strlen(fixture_value(s->c, "S")), LEN - 10);
	assert_int_equal(lkc_config_format(s->c, LKC_FORMAT_CONFIG, &out, &len),
			 0);
	assert_true(len > LEN);
	free(out);
	free(text);
}

static void strings_are_quoted(void **data)
{
	struct state *s = *data;
	char *out;
	size_t len;

	read_text(s, "CONFIG_S=\"a\\\"b\\\\c\\d\"\n");
	expect_is(s, "S", "a\"b\\cd");
	assert_int_equal(lkc_config_format(s->c, LKC_FORMAT_DEFCONFIG, &out,
					   &len), 0);
	assert_string_equal(out, "CONFIG_S=\"a\\\"b\\\\cd\"\n");
	free(out);
}

/* The prefix is the environment's to choose. */
static void other_prefixes(void **data)
{
	static const char *const prefixes[] = { "", "BR2_" };
	char path[] = "/tmp/lkc-test-XXXXXX", env[40], text[40], *out;
	const char *const environ[] = { env, NULL };
	struct lkc_load_options opt = { .dialect = "6.12", .env = environ };
	struct lkc_diags *diags = lkc_diags_new();
	int fd = mkstemp(path);
	struct lkc_tree *tree;
	struct lkc_config *c;
	size_t i, len;

	(void)data;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "config A\n\tbool \"a\"\n", 19), 19);
	close(fd);
	for (i = 0; i < 2; i++) {
		snprintf(env, sizeof(env), "CONFIG_=%s", prefixes[i]);
		snprintf(text, sizeof(text), "%sA=y\n", prefixes[i]);
		assert_int_equal(lkc_tree_load(path, &opt, &tree, diags), 0);
		c = fixture_config(tree, text);
		assert_int_equal(lkc_config_format(c, LKC_FORMAT_DEFCONFIG,
						   &out, &len), 0);
		assert_string_equal(out, text);
		free(out);
		lkc_config_free(c);
		lkc_tree_free(tree);
	}
	unlink(path);
	lkc_diags_free(diags);
}

/* ---- asking ------------------------------------------------------------- */

static void ranges(void **data)
{
	struct state *s = *data;
	struct lkc_place place;
	int64_t low, high;

	assert_true(lkc_range(s->c, sym(s, "N"), &low, &high, &place));
	assert_int_equal(low, 0);
	assert_int_equal(high, 100);
	assert_int_equal(place.line, 14);
	read_text(s, "CONFIG_A=y\nCONFIG_N=99\n");
	assert_true(lkc_range(s->c, sym(s, "N"), &low, &high, NULL));
	assert_int_equal(low, 1);
	assert_int_equal(high, 10);
	expect_is(s, "N", "10");
	expect_user(s, "N", "99");
	assert_true(lkc_range(s->c, sym(s, "H"), &low, &high, &place));
	assert_int_equal(low, 0x10);
	assert_int_equal(high, 0xff);
	assert_false(lkc_range(s->c, sym(s, "LIMIT"), &low, &high, &place));
	assert_false(lkc_range(s->c, sym(s, "A"), &low, &high, &place));
	/* a bound may be a symbol, and change */
	read_text(s, "CONFIG_LIMIT=2\n");
	expect_is(s, "N", "2");
}

static void expect_default(const struct state *s, const char *name,
			   const char *expected)
{
	char *text = lkc_default_value(s->c, sym(s, name));

	assert_string_equal(text, expected);
	free(text);
}

static void defaults(void **data)
{
	struct state *s = *data;

	read_text(s, "CONFIG_A=y\nCONFIG_T=y\nCONFIG_N=7\nCONFIG_S=\"x\"\n"
		  "CONFIG_HOLDER=y\n");
	expect_default(s, "A", "n");
	expect_default(s, "T", "m");
	expect_default(s, "N", "3");
	expect_default(s, "S", "text");
	expect_default(s, "H", "0x20");
	expect_default(s, "HELD", "y");
	expect_default(s, "BARE", "y");
}

static void what_holds_a_value(void **data)
{
	struct state *s = *data;

	read_text(s, "CONFIG_A=y\nCONFIG_HOLDER=y\n# CONFIG_HELD is not set\n");
	assert_int_equal(lkc_value_tri(s->c, sym(s, "HELD")), LKC_YES);
	assert_int_equal(lkc_selected(s->c, sym(s, "HELD")), LKC_YES);
	assert_int_equal(lkc_visibility(s->c, sym(s, "HELD")), LKC_YES);
	assert_int_equal(lkc_value_origin(s->c, sym(s, "HELD")),
			 LKC_ORIGIN_SELECT);
	expect_user(s, "HELD", "n");
	assert_int_equal(lkc_visibility(s->c, sym(s, "BARE")), LKC_NO);
	assert_true(lkc_value_written(s->c, sym(s, "BARE")));
	assert_int_equal(lkc_value_origin(s->c, sym(s, "BARE")),
			 LKC_ORIGIN_DEFAULT);
	assert_int_equal(lkc_depends(s->c, sym(s, "T")), LKC_YES);
	read_text(s, "");
	assert_int_equal(lkc_depends(s->c, sym(s, "T")), LKC_NO);
	assert_false(lkc_value_written(s->c, sym(s, "T")));
	assert_false(lkc_value_written(s->c, sym(s, "BARE")));
}

static void copies_are_independent(void **data)
{
	struct state *s = *data;
	struct lkc_config *copy;

	read_text(s, "CONFIG_S=\"mine\"\n");
	assert_int_equal(lkc_config_clone(s->c, &copy), 0);
	read_text(s, "CONFIG_S=\"other\"\n");
	assert_string_equal(fixture_value(copy, "S"), "mine");
	assert_string_equal(lkc_user_value(copy, sym(s, "S")), "mine");
	expect_is(s, "S", "other");
	lkc_config_free(copy);
}

/* ---- names -------------------------------------------------------------- */

static void nearest_names(void **data)
{
	static const char text[] =
		"config E1000\n\tbool\nconfig E1000E\n\tbool\n"
		"config E100\n\tbool\nconfig IGB\n\tbool\n"
		"config IGBVF\n\tbool\n\tdepends on E10000\n";
	struct lkc_tree *tree = fixture_tree(text, "6.12");
	char far[200];
	lkc_sym out[20];

	(void)data;
	assert_int_equal(lkc_sym_nearest(tree, "E1000", out, 2), 2);
	assert_string_equal(lkc_sym_name(tree, out[0]), "E1000");
	assert_string_equal(lkc_sym_name(tree, out[1]), "E1000E");
	/* E10000 is only mentioned */
	assert_int_equal(lkc_sym_nearest(tree, "E10000", out, 20), 3);
	assert_string_equal(lkc_sym_name(tree, out[0]), "E1000");
	assert_string_equal(lkc_sym_name(tree, out[1]), "E1000E");
	assert_string_equal(lkc_sym_name(tree, out[2]), "E100");
	assert_int_equal(lkc_sym_nearest(tree, "SOMETHING_ELSE", out, 5), 0);
	assert_int_equal(lkc_sym_nearest(tree, "IGB", out, 0), 0);
	assert_int_equal(lkc_sym_nearest(tree, "", out, 5), 0);
	memset(far, 'X', sizeof(far) - 1);
	far[sizeof(far) - 1] = '\0';
	assert_int_equal(lkc_sym_nearest(tree, far, out, 5), 0);
	lkc_tree_free(tree);
}

/* Diagnostics are a list to add to: old errors are not this load's. */
static void loads_share_diagnostics(void **data)
{
	struct state *s = *data;
	struct lkc_tree *tree;

	assert_int_equal(fixture_load("config A\n\tnonsense\n", "6.12", &tree,
				      s->diags), LKC_EPARSE);
	assert_null(tree);
	assert_true(lkc_diags_errors(s->diags) > 0);
	assert_int_equal(fixture_load("config A\n\tbool\n", "6.12", &tree,
				      s->diags), 0);
	lkc_tree_free(tree);
	assert_int_equal(fixture_load("", "six", &tree, s->diags), LKC_EINVAL);
	assert_null(tree);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reading_replaces_or_adds),
		TEST(not_while_a_transaction_is_open),
		TEST(files_that_cannot_be_read),
		TEST(hostile_lines),
		TEST(random_bytes),
		TEST(one_long_line),
		TEST(strings_are_quoted),
		TEST(other_prefixes),
		TEST(ranges),
		TEST(defaults),
		TEST(what_holds_a_value),
		TEST(copies_are_independent),
		cmocka_unit_test(nearest_names),
		TEST(loads_share_diagnostics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
