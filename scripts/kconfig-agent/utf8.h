/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * utf8 - characters in and out of UTF-8, as RFC 3629 has it
 */
#ifndef KA_UTF8_H
#define KA_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

#define UTF8_REPLACEMENT 0xfffd	/* stands for what is not a character */

/* Is @c half of a pair of UTF-16, which no UTF-8 may hold? */
bool utf8_surrogate(uint32_t c);
/*
 * Decodes the character at @p, where at least one byte stands before @end,
 * into *@out. Returns its length; or 0, with *@out unchanged, if that is not
 * UTF-8: too long a form, cut off, a surrogate, or beyond U+10FFFF.
 */
size_t utf8_decode(const char *p, const char *end, uint32_t *out);
/* Adds the character @c to @b. */
void utf8_encode(struct strbuf *b, uint32_t c);

#endif
