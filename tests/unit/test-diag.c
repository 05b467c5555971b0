// SPDX-License-Identifier: GPL-2.0-only
#include "diag.h"
#include "fixture.h"

static const struct diag_place place = {
	.file = "drivers/Kconfig", .line = 7, .column = 3,
	.source = "\tbool \"x\"\nconfig", .source_len = 9,
};

static void forms(void **state)
{
	static const char *const full[] = {
		[DIAG_BARE] = "it is 42",
		[DIAG_PLACE] = "drivers/Kconfig:7: it is 42",
		[DIAG_WARNING] = "drivers/Kconfig:7:warning: it is 42",
		[DIAG_ERROR] = "drivers/Kconfig:7: error: it is 42",
	};
	struct lkc_diags *d = lkc_diags_new();
	int form;

	(void)state;
	for (form = DIAG_BARE; form <= DIAG_ERROR; form++) {
		const struct lkc_diag *diag;

		diag_add(d, LKC_WARNING, DIAG_SYNTAX, form, &place,
			 "it is %d", 42);
		diag = lkc_diags_get(d, form);
		assert_non_null(diag);
		assert_string_equal(diag->full, full[form]);
		assert_string_equal(diag->text, "it is 42");
		assert_string_equal(diag->file, "drivers/Kconfig");
		assert_int_equal(diag->line, 7);
		assert_int_equal(diag->column, 3);
		assert_string_equal(diag->source, "\tbool \"x\"");
		assert_int_equal(diag->code, DIAG_SYNTAX);
		assert_int_equal(diag->severity, LKC_WARNING);
	}
	lkc_diags_free(d);
}

static void without_place(void **state)
{
	static const struct diag_place nowhere;
	const struct diag_place *places[] = { NULL, &nowhere };
	struct lkc_diags *d = lkc_diags_new();
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		const struct lkc_diag *diag;

		diag_add(d, LKC_ERROR, DIAG_SYNTAX, DIAG_ERROR, places[i],
			 "text");
		diag = lkc_diags_get(d, i);
		assert_string_equal(diag->full, "text");
		assert_null(diag->file);
		assert_null(diag->source);
		assert_int_equal(diag->line, 0);
	}
	lkc_diags_free(d);
}

static void counts(void **state)
{
	struct lkc_diags *d = lkc_diags_new();
	int i;

	(void)state;
	assert_int_equal(lkc_diags_count(d), 0);
	assert_null(lkc_diags_get(d, 0));
	for (i = 0; i < 300; i++)
		diag_add(d, i % 3, DIAG_PP_INFO, DIAG_BARE, NULL, "%d", i);
	assert_int_equal(lkc_diags_count(d), 300);
	assert_int_equal(lkc_diags_errors(d), 100);
	assert_string_equal(lkc_diags_get(d, 299)->text, "299");
	assert_null(lkc_diags_get(d, 300));
	lkc_diags_clear(d);
	assert_int_equal(lkc_diags_count(d), 0);
	assert_int_equal(lkc_diags_errors(d), 0);
	diag_add(d, LKC_ERROR, DIAG_PP_ERROR, DIAG_BARE, NULL, "again");
	assert_string_equal(lkc_diags_get(d, 0)->full, "again");
	lkc_diags_free(d);
	lkc_diags_free(NULL);
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(lkc_diag_name(DIAG_SYNTAX), "syntax");
	assert_string_equal(lkc_diag_name(DIAG_UNKNOWN_SYMBOL),
			    "unknown-symbol");
	assert_string_equal(lkc_diag_name(0), "unknown");
	assert_string_equal(lkc_diag_name(-1), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms),
		cmocka_unit_test(without_place),
		cmocka_unit_test(counts),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
