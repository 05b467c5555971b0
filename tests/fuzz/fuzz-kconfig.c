// SPDX-License-Identifier: GPL-2.0-only
/* Kconfig text: load it, evaluate it, write it, say what there is to say. */
#include "fuzz.h"

static const char *const dialects[] = { "4.11", "6.1", "6.12", "7.2" };

static void ask_everything(const struct lkc_tree *tree,
			   const struct lkc_config *c)
{
	lkc_sym s;

	for (s = 0; s < lkc_sym_count(tree); s++) {
		free(lkc_expr_text(tree, lkc_sym_depends(tree, s), c));
		free(lkc_expr_conf_text(c, lkc_sym_depends(tree, s)));
		free(lkc_default_value(c, s));
		must(lkc_value(c, s) != NULL);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lkc_diags *diags = lkc_diags_new();
	struct lkc_config *c = NULL;
	struct lkc_tree *tree;
	char *text, *again;
	size_t len, len2;

	if (!size)
		goto out;
	tree = fuzz_tree(data + 1, size - 1, dialects[*data % 4], diags);
	if (!tree)
		goto out;
	must(lkc_config_new(tree, &c) == 0);
	ask_everything(tree, c);
	must(lkc_config_warnings(c, diags) == 0);
	must(lkc_config_format(c, LKC_FORMAT_CONFIG, &text, &len) == 0);
	must(lkc_config_format(c, LKC_FORMAT_CONFIG, &again, &len2) == 0);
	must(len == len2 && memcmp(text, again, len) == 0);
	free(text);
	free(again);
	lkc_config_free(c);
	lkc_tree_free(tree);
out:
	lkc_diags_free(diags);
	return 0;
}
