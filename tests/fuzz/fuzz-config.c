// SPDX-License-Identifier: GPL-2.0-only
/* .config files: whatever is read, what is written reads back to itself. */
#include "fuzz.h"

static const char kconfig[] =
	"config MODULES\n\tbool \"m\"\n\tmodules\n\tdefault y\n"
	"config A\n\tbool \"a\"\n"
	"config T\n\ttristate \"t\"\n\tselect S if A\n"
	"config S\n\ttristate\n\tdepends on A\n"
	"config N\n\tint \"n\"\n\trange 1 10 if A\n\trange 5 20\n\tdefault 7\n"
	"config H\n\thex \"h\"\n\trange 0x10 0xff\n"
	"config W\n\tstring \"w\"\n\tdefault \"a b\"\n"
	"choice\n\tprompt \"c\"\n\tdefault C2\n"
	"config C1\n\tbool \"c1\"\n\tdepends on A\n"
	"config C2\n\tbool \"c2\"\n"
	"config C3\n\tbool \"c3\"\n"
	"endchoice\n"
	"config D\n\ttristate \"d\"\n\tdepends on T && N > 3\n\timply N2\n"
	"config N2\n\tbool \"n2\"\n"
	"config E\n\tbool \"e\" if W = \"a b\"\n\tdefault y if C1\n";

static char *format(const struct lkc_config *c, size_t *len)
{
	char *text;

	must(lkc_config_format(c, LKC_FORMAT_CONFIG, &text, len) == 0);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lkc_diags *diags = lkc_diags_new();
	struct lkc_config *c, *back;
	struct lkc_tree *tree;
	char *text, *again;
	size_t len, len2;

	tree = fuzz_tree(kconfig, sizeof(kconfig) - 1, "6.12", diags);
	must(tree != NULL);
	must(lkc_config_new(tree, &c) == 0);
	must(lkc_config_new(tree, &back) == 0);
	must(lkc_config_read_mem(c, ".config", (const char *)data, size, 0,
				 diags) == 0);
	text = format(c, &len);
	must(lkc_config_read_mem(back, ".config", text, len, 0, diags) == 0);
	again = format(back, &len2);
	must(len == len2 && memcmp(text, again, len) == 0);
	free(text);
	free(again);
	lkc_config_free(c);
	lkc_config_free(back);
	lkc_tree_free(tree);
	lkc_diags_free(diags);
	return 0;
}
