// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "text.h"
#include "utf8.h"

#define WORD_NEAR 16	/* bytes that may be cut off to end with a word */
#define DISTANCE_MAX 64

/* ---- cleaning ------------------------------------------------------------ */

enum text_class { PLAIN, BLANK, UNSEEN };

static enum text_class classify(uint32_t c)
{
	if (c <= 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0x2028 || c == 0x2029)
		return BLANK;
	if (c == 0x061c || c == 0x200e || c == 0x200f ||
	    (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
	    c == 0xfeff)
		return UNSEEN;
	return PLAIN;
}

/* The character at @p, which is moved past it. */
static uint32_t next_char(const char **p, const char *end)
{
	uint32_t c = UTF8_REPLACEMENT;
	size_t n = utf8_decode(*p, end, &c);

	*p += n ? n : 1;
	return c;
}

/* Cuts @b, whose text starts at @start, back to a word and says so. */
static void cut_at_word(struct strbuf *b, size_t start)
{
	size_t len = b->len;

	while (len > start && b->len - len < WORD_NEAR && b->s[len - 1] != ' ')
		len--;
	if (len > start && b->s[len - 1] == ' ')
		strbuf_truncate(b, len - 1);
	strbuf_addstr(b, "...");
}

void text_add_line(struct strbuf *b, const char *s, size_t len, size_t max)
{
	const char *end = s + len;
	size_t start = b->len, n = 0;
	bool blank = false;

	while (s < end) {
		uint32_t c = next_char(&s, end);
		enum text_class class = classify(c);

		if (class != PLAIN) {
			blank |= class == BLANK;
			continue;
		}
		if (max && n + (blank && n) >= max) {
			if (!b->err)
				cut_at_word(b, start);
			return;
		}
		if (blank && n) {
			strbuf_addch(b, ' ');
			n++;
		}
		blank = false;
		utf8_encode(b, c);
		n++;
	}
}

void text_add(struct strbuf *b, const char *s, size_t max)
{
	if (s)
		text_add_line(b, s, strlen(s), max);
}

char *text_line(const char *s, size_t max)
{
	struct strbuf b = {0};

	text_add(&b, s, max);
	return strbuf_detach(&b, NULL);
}

void text_add_lines(struct strbuf *b, const char *s, size_t len)
{
	const char *end = s + len;

	while (s < end) {
		uint32_t c = next_char(&s, end);

		if (c == '\n' || c == '\t')
			strbuf_addch(b, c);
		else if (classify(c) == BLANK)
			strbuf_addch(b, ' ');
		else if (classify(c) == PLAIN)
			utf8_encode(b, c);
	}
}

/* ---- likeness ------------------------------------------------------------ */

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t text_distance(const char *a, const char *b)
{
	size_t rows[3][DISTANCE_MAX + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2], *spare;
	size_t len_a = strlen(a), len_b = strlen(b), i, j;

	if (len_a > DISTANCE_MAX || len_b > DISTANCE_MAX)
		return SIZE_MAX;
	for (j = 0; j <= len_b; j++)
		row[j] = above[j] = before[j] = j;
	for (i = 1; i <= len_a; i++) {
		spare = before;
		before = above;
		above = row;
		row = spare;
		row[0] = i;
		for (j = 1; j <= len_b; j++) {
			row[j] = min(above[j], row[j - 1]) + 1;
			row[j] = min(row[j], above[j - 1] +
				     !same_letter(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				row[j] = min(row[j], before[j - 2] + 1);
		}
	}
	return row[len_b];
}

const char *text_nearest(const char *s, size_t n,
			 const char *(*get)(const void *arg, size_t i),
			 const void *arg)
{
	size_t least = strlen(s) / 3 + 1, i;
	const char *nearest = NULL;

	for (i = 0; i < n; i++) {
		const char *candidate = get(arg, i);
		size_t d = candidate ? text_distance(s, candidate) : SIZE_MAX;

		if (d < least || (d == least && !nearest)) {
			least = d;
			nearest = candidate;
		}
	}
	return nearest;
}
