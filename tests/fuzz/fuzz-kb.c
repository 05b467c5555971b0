// SPDX-License-Identifier: GPL-2.0-only
/* A file of the knowledge base, and what is planned from it. */
#include "fuzz.h"

#include "base/strbuf.h"
#include "kb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf why = {0};
	struct kb_plan *plan;
	struct kb *kb;

	if (kb_load_text("fuzz.config", (const char *)data, size, &kb,
			 &why) == 0) {
		if (kb_plan_make(kb, "a docker host with low latency, no debugging",
				 "6.12", "x86", &plan) == 0)
			kb_plan_free(plan);
		kb_free(kb);
	} else {
		must(why.len > 0);
	}
	strbuf_free(&why);
	return 0;
}
