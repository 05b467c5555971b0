// SPDX-License-Identifier: GPL-2.0-only
/*
 * Journals, as replay reads them. Checksums would keep all that is damaged out;
 * so each line of the input gets the right one, unless the first byte is odd.
 */
#include "fuzz.h"

#include "base/strbuf.h"
#include "record.h"

static void add_sums(const char *data, size_t size, struct strbuf *out)
{
	struct strbuf seen = {0};
	const char *end = data + size, *eol;
	char sum[17];

	for (; data < end && out->len < (1 << 16); data = eol + 1) {
		eol = memchr(data, '\n', end - data);
		if (!eol)
			eol = end;
		strbuf_add(out, data, eol - data);
		strbuf_add(&seen, data, eol - data);
		record_hash(strbuf_str(&seen), seen.len, sum);
		strbuf_addf(out, ",\"sum\":\"%s\"}\n", sum);
	}
	must(!out->err && !seen.err);
	strbuf_free(&seen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf why = {0}, text = {0};
	struct record_run run;
	char path[32];
	int fd;

	if (!size)
		return 0;
	if (*data & 1)
		strbuf_add(&text, (const char *)data + 1, size - 1);
	else
		add_sums((const char *)data + 1, size - 1, &text);
	fd = fuzz_file(strbuf_str(&text), text.len, path);
	if (record_read(path, &run, &why) == 0) {
		must(run.damaged <= text.len);
		record_run_free(&run);
	} else {
		must(why.len > 0);
	}
	strbuf_free(&why);
	strbuf_free(&text);
	close(fd);
	return 0;
}
