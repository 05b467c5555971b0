// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strbuf.h"

void strbuf_fail(struct strbuf *b)
{
	free(b->s);
	b->s = NULL;
	b->len = 0;
	b->alloc = 0;
	b->err = true;
}

/* Makes room for @extra more bytes and the terminator. */
static bool strbuf_room(struct strbuf *b, size_t extra)
{
	size_t need, alloc;
	char *s;

	if (b->err)
		return false;
	if (extra > SIZE_MAX / 4 || b->len > SIZE_MAX / 4 ||
	    (b->max && b->len + extra > b->max)) {
		strbuf_fail(b);
		return false;
	}
	need = b->len + extra + 1;
	if (need <= b->alloc)
		return true;
	alloc = b->alloc * 2 < 64 ? 64 : b->alloc * 2;
	if (alloc < need)
		alloc = need;
	s = realloc(b->s, alloc);
	if (!s) {
		strbuf_fail(b);
		return false;
	}
	b->s = s;
	b->alloc = alloc;
	return true;
}

void strbuf_free(struct strbuf *b)
{
	free(b->s);
	b->s = NULL;
	b->len = 0;
	b->alloc = 0;
	b->err = false;
}

void strbuf_reset(struct strbuf *b)
{
	b->len = 0;
	b->err = false;
	if (b->s)
		b->s[0] = '\0';
}

void strbuf_add(struct strbuf *b, const void *p, size_t len)
{
	if (!strbuf_room(b, len))
		return;
	if (len)
		memcpy(b->s + b->len, p, len);
	b->len += len;
	b->s[b->len] = '\0';
}

void strbuf_addstr(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}

void strbuf_addch(struct strbuf *b, char c)
{
	if (!strbuf_room(b, 1))
		return;
	b->s[b->len++] = c;
	b->s[b->len] = '\0';
}

void strbuf_vaddf(struct strbuf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	if (!strbuf_room(b, 0))
		return;
	va_copy(again, ap);
	n = vsnprintf(b->s + b->len, b->alloc - b->len, fmt, ap);
	if (n < 0) {
		strbuf_fail(b);
	} else if ((size_t)n >= b->alloc - b->len) {
		if (strbuf_room(b, n)) {
			vsnprintf(b->s + b->len, b->alloc - b->len, fmt, again);
			b->len += n;
		}
	} else if (b->max && b->len + n > b->max) {
		strbuf_fail(b);
	} else {
		b->len += n;
	}
	va_end(again);
}

void strbuf_addf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(b, fmt, ap);
	va_end(ap);
}

void strbuf_truncate(struct strbuf *b, size_t len)
{
	if (len < b->len) {
		b->len = len;
		b->s[len] = '\0';
	}
}

const char *strbuf_str(const struct strbuf *b)
{
	return b->s ? b->s : "";
}

char *strbuf_detach(struct strbuf *b, size_t *len)
{
	char *s;

	if (!strbuf_room(b, 0))
		return NULL;
	s = b->s;
	s[b->len] = '\0';
	if (len)
		*len = b->len;
	b->s = NULL;
	b->len = 0;
	b->alloc = 0;
	return s;
}
