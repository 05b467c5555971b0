// SPDX-License-Identifier: GPL-2.0-only
/* What a model says: every answer becomes one suggestion of clean text. */
#include "fuzz.h"

#include "answer.h"
#include "base/strbuf.h"
#include "group.h"
#include "utf8.h"

static const char kconfig[] =
	"config MODULES\n\tbool \"Modules\"\n\tmodules\n\tdefault y\n"
	"config A\n\tbool \"The first one\"\n"
	"config B\n\ttristate \"B\"\n"
	"config N\n\tint \"Number\"\n\trange 1 10\n\tdefault 5\n"
	"config S\n\tstring \"Words\"\n"
	"choice\n\tprompt \"Pick\"\n"
	"config C1\n\tbool \"one\"\n"
	"config C2\n\tbool \"two\"\n"
	"endchoice\n";

static const char *const names[][2] = {
	[GROUP_MENU] = { "A", "B" },
	[GROUP_BOOL] = { "A", "B" },
	[GROUP_CHOICE] = { "C1", "C2" },
	[GROUP_VALUE] = { "N", "S" },
};

static void must_be_clean(const char *s, size_t most)
{
	const char *p;

	must(s != NULL && strlen(s) <= most);
	for (p = s; *p; p++)
		must((unsigned char)*p >= ' ' && *p != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lkc_diags *diags = lkc_diags_new();
	struct group_item items[2] = {0};
	struct group g = { .items = items, .n = 2 };
	struct strbuf why = {0};
	struct lkc_config *c;
	struct lkc_tree *tree;
	struct answer a = {0};
	size_t i;

	if (!size)
		goto out;
	tree = fuzz_tree(kconfig, sizeof(kconfig) - 1, "6.12", diags);
	must(tree && lkc_config_new(tree, &c) == 0);
	g.kind = *data % 4;
	g.config = c;
	g.menu = lkc_menu_root(tree);
	g.choice = LKC_NONE;
	for (i = 0; i < 2; i++) {
		items[i].sym = lkc_sym_find(tree, names[g.kind][i]);
		items[i].entry = lkc_sym_entry(tree, items[i].sym, 0);
	}
	if (g.kind == GROUP_CHOICE)
		g.choice = lkc_sym_choice(tree, items[0].sym);
	if (answer_parse(&g, (const char *)data + 1, size - 1, &a, &why) == 0) {
		must(a.n <= ANSWER_MAX);
		for (i = 0; i < a.n; i++) {
			must_be_clean(a.v[i].name, 4 * ANSWER_NAME_MAX);
			must_be_clean(a.v[i].reason, 4 * ANSWER_REASON_MAX);
			must(a.v[i].item == SUGGEST_NO_ITEM || a.v[i].item < 2);
		}
		answer_free(&a);
	} else {
		must(why.len > 0);
	}
	strbuf_free(&why);
	lkc_config_free(c);
	lkc_tree_free(tree);
out:
	lkc_diags_free(diags);
	return 0;
}
