// SPDX-License-Identifier: GPL-2.0-only
/*
 * diag - the list of diagnostics
 */
#include <stdarg.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "diag.h"

struct lkc_diags {
	struct arena arena;	/* all strings */
	struct { VEC(struct lkc_diag); } list;
	size_t errors;
	bool incomplete;	/* memory was out at least once */
};

/* What stands between a place and the text. */
static const char separators[][12] = {
	[DIAG_PLACE] = ": ",
	[DIAG_WARNING] = ":warning: ",
	[DIAG_ERROR] = ": error: ",
	[DIAG_TIGHT] = ":",
};

struct lkc_diags *lkc_diags_new(void)
{
	return calloc(1, sizeof(struct lkc_diags));
}

void lkc_diags_free(struct lkc_diags *d)
{
	if (!d)
		return;
	lkc_diags_clear(d);
	free(d);
}

void lkc_diags_clear(struct lkc_diags *d)
{
	vec_free(&d->list);
	arena_free(&d->arena);
	d->errors = 0;
	d->incomplete = false;
}

size_t lkc_diags_count(const struct lkc_diags *d)
{
	return d->list.n;
}

size_t lkc_diags_errors(const struct lkc_diags *d)
{
	return d->errors + d->incomplete;
}

const struct lkc_diag *lkc_diags_get(const struct lkc_diags *d, size_t i)
{
	return i < d->list.n ? &d->list.v[i] : NULL;
}

const char *lkc_diag_name(int code)
{
	switch (code) {
#define DIAG(number, id, name) case number: return name;
#include "diag-codes.h"
#undef DIAG
	default:
		return "unknown";
	}
}

/* Fills in the strings of @out; false when out of memory. */
static bool keep_strings(struct lkc_diags *d, struct lkc_diag *out,
			 const struct strbuf *full, size_t text_at,
			 const struct diag_place *place)
{
	char *s;

	if (full->err)
		return false;
	/* the text is the end of the full line */
	s = arena_strndup(&d->arena, strbuf_str(full), full->len);
	if (!s)
		return false;
	out->full = s;
	out->text = s + text_at;
	if (!place)
		return true;
	out->file = arena_strdup(&d->arena, place->file);
	if (place->source)
		out->source = arena_strndup(&d->arena, place->source,
					    place->source_len);
	return out->file && (out->source || !place->source);
}

void diag_add(struct lkc_diags *d, enum lkc_severity severity,
	      enum diag_code code, enum diag_form form,
	      const struct diag_place *place, const char *fmt, ...)
{
	struct lkc_diag diag = { .severity = severity, .code = code };
	struct strbuf full = {0};
	size_t text_at;
	va_list ap;

	if (place && !place->file)
		place = NULL;
	if (place) {
		diag.line = place->line;
		diag.column = place->column;
		if (form != DIAG_BARE)
			strbuf_addf(&full, "%s:%u%s", place->file, place->line,
				    separators[form]);
	}
	text_at = full.len;
	va_start(ap, fmt);
	strbuf_vaddf(&full, fmt, ap);
	va_end(ap);
	if (severity == LKC_ERROR)
		d->errors++;
	if (!keep_strings(d, &diag, &full, text_at, place) ||
	    !vec_push(&d->list, diag))
		d->incomplete = true;
	strbuf_free(&full);
}
