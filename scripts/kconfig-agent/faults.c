// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include <lkc/lkc.h>

#include "base/strbuf.h"
#include "faults.h"
#include "term.h"
#include "text.h"

#define SHOWN_MAX 20

/* Of a long line, what stands around the column is shown. */
#define BEFORE_MAX 60
#define LINE_MAX 120

/*
 * Adds the line with the byte at @at, and a caret under it. White space of any
 * kind becomes one blank, here and in the line below, so that the caret stands
 * where it should; bytes that are no characters each take one place.
 */
static void add_source(struct strbuf *b, const char *line, size_t at)
{
	size_t len = strlen(line), from = 0, i;

	if (at > len)
		at = len;
	if (at > BEFORE_MAX)
		from = at - BEFORE_MAX;
	/* not in the middle of a character */
	while (from < at && ((unsigned char)line[from] & 0xc0) == 0x80)
		from++;
	if (len - from > LINE_MAX)
		len = from + LINE_MAX;
	while (len > at && ((unsigned char)line[len] & 0xc0) == 0x80)
		len--;
	strbuf_addstr(b, from ? "\n  ..." : "\n  ");
	for (i = from; i < len; i++) {
		unsigned char c = line[i];

		if (c < ' ' || c == 0x7f)
			strbuf_addch(b, ' ');
		else
			strbuf_addch(b, c);
	}
	strbuf_addstr(b, from ? "\n     " : "\n  ");
	for (i = from; i < at; i++) {
		if (((unsigned char)line[i] & 0xc0) != 0x80)
			strbuf_addch(b, ' ');
	}
	strbuf_addch(b, '^');
}

void faults_add(struct strbuf *b, const struct lkc_diag *diag)
{
	static const char *const words[] = {
		[LKC_INFO] = "note", [LKC_WARNING] = "warning",
		[LKC_ERROR] = "error",
	};
	struct strbuf raw = {0};
	const char *text = diag->text;

	/* conf puts it into some of its texts itself */
	if (strncmp(text, "warning: ", 9) == 0)
		text += 9;
	if (diag->file) {
		strbuf_addf(&raw, "%s:%u:", diag->file, diag->line);
		if (diag->column)
			strbuf_addf(&raw, "%u:", diag->column);
		strbuf_addch(&raw, ' ');
	}
	if (strncmp(text, "error: ", 7) != 0)
		strbuf_addf(&raw, "%s: ", words[diag->severity]);
	strbuf_addstr(&raw, text);
	if (diag->source && diag->column)
		add_source(&raw, diag->source, diag->column - 1);
	if (raw.err)
		strbuf_fail(b);
	text_add_lines(b, strbuf_str(&raw), raw.len);
	strbuf_free(&raw);
}

void faults_print(const struct lkc_diags *d, size_t from, bool all)
{
	struct strbuf b = {0};
	size_t i, n = 0;

	for (i = from; i < lkc_diags_count(d); i++) {
		const struct lkc_diag *diag = lkc_diags_get(d, i);

		if (diag->severity != LKC_ERROR && !all)
			continue;
		if (!all && n++ >= SHOWN_MAX)
			continue;
		strbuf_reset(&b);
		faults_add(&b, diag);
		term_error("%s", strbuf_str(&b));
	}
	strbuf_free(&b);
	if (!all && n > SHOWN_MAX)
		term_error("and %zu more of these; -v shows all",
			   n - SHOWN_MAX);
}
