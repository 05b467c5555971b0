// SPDX-License-Identifier: GPL-2.0-only
/* The macro language: the input is the value of variables, in all their uses. */
#include "fuzz.h"

#include "base/strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lkc_diags *diags = lkc_diags_new();
	struct strbuf text = {0};
	int n = size < 4000 ? size : 4000;

	strbuf_addstr(&text, "late = ");
	strbuf_add(&text, (const char *)data, n);
	strbuf_addstr(&text, "\nnow := ");
	strbuf_add(&text, (const char *)data, n);
	strbuf_addstr(&text, "\nnow += $(late)\n$(info,$(now))\n"
		      "$(warning-if,$(late),$(now))\n"
		      "config A\n\tstring\n\tdefault \"$(late,one,$(now))\"\n"
		      "\tdepends on $(late)\n"
		      "config B\n\tdef_bool $(now,$(late))\n");
	must(!text.err);
	lkc_tree_free(fuzz_tree(text.s, text.len, "6.12", diags));
	strbuf_free(&text);
	lkc_diags_free(diags);
	return 0;
}
