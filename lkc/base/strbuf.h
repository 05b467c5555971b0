/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * strbuf - a string that grows
 *
 * Failure is sticky: when memory or the cap runs out, the buffer is emptied,
 * @err is set, and further additions do nothing. So a whole text can be put
 * together and checked once at the end. A zeroed struct is an empty buffer
 * without a cap.
 */
#ifndef LKC_BASE_STRBUF_H
#define LKC_BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct strbuf {
	char *s;	/* NUL terminated if not NULL */
	size_t len;
	size_t alloc;
	size_t max;	/* cap on len; 0: none. Set it where input is hostile */
	bool err;	/* something did not fit */
};

/* Frees the text; the buffer is empty, its cap stays, its error is cleared. */
void strbuf_free(struct strbuf *b);
/* Empties the buffer but keeps its memory; clears the error. */
void strbuf_reset(struct strbuf *b);
void strbuf_add(struct strbuf *b, const void *p, size_t len);
void strbuf_addstr(struct strbuf *b, const char *s);
void strbuf_addch(struct strbuf *b, char c);
__attribute__((format(printf, 2, 3)))
void strbuf_addf(struct strbuf *b, const char *fmt, ...);
void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap);
/* Empties the buffer, which has failed from then on. */
void strbuf_fail(struct strbuf *b);
/* Cuts to @len bytes, if longer. */
void strbuf_truncate(struct strbuf *b, size_t len);
/* The text, never NULL: "" when empty or failed. Belongs to the buffer. */
const char *strbuf_str(const struct strbuf *b);
/*
 * Hands the text over to the caller, who frees it; the buffer becomes empty.
 * NULL if the buffer failed or memory is out.
 */
char *strbuf_detach(struct strbuf *b, size_t *len);

#endif
