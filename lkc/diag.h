/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diag - the list of diagnostics, for those who add to it
 *
 * Reading it is in lkc/lkc.h. Nothing here fails visibly: when memory is out,
 * the list remembers that it is incomplete, and lkc_diags_errors() counts one
 * more error.
 */
#ifndef LKC_DIAG_H
#define LKC_DIAG_H

#include <stddef.h>
#include <stdint.h>

#include <lkc/lkc.h>

/* Codes: see diag-codes.h; a code's number and name never change meaning. */
enum diag_code {
#define DIAG(number, id, name) DIAG_##id = number,
#include "diag-codes.h"
#undef DIAG
};

/* How conf prints the line; each form has its own habits. */
enum diag_form {
	DIAG_BARE,	/* text */
	DIAG_PLACE,	/* file:line: text */
	DIAG_WARNING,	/* file:line:warning: text */
	DIAG_ERROR,	/* file:line: error: text */
	DIAG_TIGHT,	/* file:line:text */
};

/* A place, resolved. A zeroed one is no place. */
struct diag_place {
	const char *file;
	uint32_t line;		/* as conf counts it, from 1 */
	uint32_t column;	/* from 1, 0: unknown */
	const char *source;	/* the line's text, not NUL terminated, or NULL */
	size_t source_len;
};

/* Appends a diagnostic; @place may be NULL; everything is copied. */
__attribute__((format(printf, 6, 7)))
void diag_add(struct lkc_diags *d, enum lkc_severity severity,
	      enum diag_code code, enum diag_form form,
	      const struct diag_place *place, const char *fmt, ...);

#endif
