// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "json.h"
#include "json-scan.h"
#include "utf8.h"

#define MAX_NUMBER 60		/* characters; cJSON reads 63 */

struct key_span {
	size_t start, len;	/* in the rewritten text */
	size_t offset;		/* in the original */
};

struct scan {
	const char *text, *p, *end;
	struct strbuf out;
	struct { VEC(struct key_span); } keys;	/* of all open objects */
	unsigned int depth, max_depth;
	size_t values, max_values;
	struct json_error err;
};

static bool scan_fail_at(struct scan *s, size_t offset, enum json_err code,
			 const char *what)
{
	s->err.code = code;
	s->err.offset = offset;
	s->err.what = what;
	return false;
}

static bool scan_fail(struct scan *s, enum json_err code, const char *what)
{
	return scan_fail_at(s, s->p - s->text, code, what);
}

static bool scan_syntax(struct scan *s, const char *what)
{
	return scan_fail(s, JSON_ESYNTAX, s->p < s->end ? what :
			 "the text ends too early");
}

/* The byte ahead, or -1 at the end. */
static int scan_peek(const struct scan *s)
{
	return s->p < s->end ? (unsigned char)*s->p : -1;
}

static void scan_space(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' ||
				 *s->p == '\n' || *s->p == '\r'))
		s->p++;
}

/* Copies @c, which must come next after white space, and the space after. */
static bool scan_mark(struct scan *s, char c)
{
	scan_space(s);
	if (scan_peek(s) != c)
		return false;
	s->p++;
	strbuf_addch(&s->out, c);
	scan_space(s);
	return true;
}

/* The 4 hexadecimal digits after "\u". */
static bool scan_hex4(struct scan *s, uint32_t *out)
{
	int i;

	for (*out = 0, i = 0; i < 4; i++, s->p++) {
		int c = scan_peek(s);

		if (c >= '0' && c <= '9')
			c -= '0';
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			c = (c | 0x20) - 'a' + 10;
		else
			return scan_syntax(s, "expected 4 hexadecimal digits");
		*out = *out << 4 | c;
	}
	return true;
}

/* What follows "\u", and the other half if it is a pair of surrogates. */
static bool scan_unicode(struct scan *s, uint32_t *out)
{
	const char *after;
	uint32_t low;

	if (!scan_hex4(s, out))
		return false;
	if (!utf8_surrogate(*out))
		return true;
	after = s->p;
	if (*out < 0xdc00 && s->end - s->p >= 2 &&
	    s->p[0] == '\\' && s->p[1] == 'u') {
		s->p += 2;
		if (!scan_hex4(s, &low))
			return false;
		if (low >= 0xdc00 && low <= 0xdfff) {
			*out = 0x10000 + ((*out - 0xd800) << 10) +
			       (low - 0xdc00);
			return true;
		}
		s->p = after;	/* stands for itself */
	}
	*out = UTF8_REPLACEMENT;
	return true;
}

/* What follows a backslash. */
static bool scan_escape(struct scan *s, uint32_t *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	int c = scan_peek(s);
	const char *hit;

	hit = c > 0 ? strchr(from, c) : NULL;
	if (!hit && c != 'u')
		return scan_syntax(s, "no such escape in a string");
	s->p++;
	if (!hit)
		return scan_unicode(s, out);
	*out = to[hit - from];
	return true;
}

static bool scan_string(struct scan *s)
{
	uint32_t c;
	size_t n;

	s->p++;
	strbuf_addch(&s->out, '"');
	while (s->p < s->end && *s->p != '"') {
		if (*s->p == '\\') {
			s->p++;
			if (!scan_escape(s, &c))
				return false;
		} else {
			c = UTF8_REPLACEMENT;
			n = utf8_decode(s->p, s->end, &c);
			s->p += n ? n : 1;
		}
		json_print_char(&s->out, c);
	}
	if (s->p == s->end)
		return scan_syntax(s, "");
	s->p++;
	strbuf_addch(&s->out, '"');
	return true;
}

static bool scan_digits(struct scan *s)
{
	const char *start = s->p;

	while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
		s->p++;
	return s->p > start || scan_syntax(s, "expected a digit");
}

static bool scan_number(struct scan *s)
{
	const char *start = s->p;
	int c;

	if (*s->p == '-')
		s->p++;
	if (scan_peek(s) == '0')
		s->p++;
	else if (!scan_digits(s))
		return false;
	if (scan_peek(s) == '.') {
		s->p++;
		if (!scan_digits(s))
			return false;
	}
	if ((scan_peek(s) | 0x20) == 'e') {
		s->p++;
		c = scan_peek(s);
		if (c == '+' || c == '-')
			s->p++;
		if (!scan_digits(s))
			return false;
	}
	if (s->p - start > MAX_NUMBER)
		return scan_fail_at(s, start - s->text, JSON_ELIMIT,
				    "too many digits in a number");
	strbuf_add(&s->out, start, s->p - start);
	return true;
}

static bool scan_word(struct scan *s)
{
	static const char *const words[] = { "true", "false", "null", NULL };
	const char *const *w;

	for (w = words; *w; w++) {
		size_t n = strlen(*w);

		if ((size_t)(s->end - s->p) < n || memcmp(s->p, *w, n))
			continue;
		s->p += n;
		strbuf_add(&s->out, *w, n);
		return true;
	}
	return scan_syntax(s, "expected a value");
}

static int compare_keys(const void *va, const void *vb, void *text)
{
	const struct key_span *a = va, *b = vb;
	const char *t = text;
	int d;

	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	d = memcmp(t + a->start, t + b->start, a->len);
	if (d)
		return d;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Looks for doubles among the keys from number @first on, and drops them. */
static bool scan_close_keys(struct scan *s, uint32_t first)
{
	uint32_t n = s->keys.n - first, i;
	struct key_span *k;

	s->keys.n = first;
	if (n < 2 || s->out.err)
		return true;
	k = s->keys.v + first;
	/* keys of one text are few or sorted fast; a hash could be attacked */
	qsort_r(k, n, sizeof(*k), compare_keys, s->out.s);
	for (i = 1; i < n; i++) {
		if (k[i].len == k[i - 1].len &&
		    !memcmp(s->out.s + k[i].start, s->out.s + k[i - 1].start,
			    k[i].len))
			return scan_fail_at(s, k[i].offset, JSON_EDUPKEY,
					    "a key for the second time");
	}
	return true;
}

static bool scan_value(struct scan *s);

static bool scan_member(struct scan *s)
{
	struct key_span k = { .offset = s->p - s->text };

	if (scan_peek(s) != '"')
		return scan_syntax(s, "expected a key in double quotes");
	k.start = s->out.len;
	if (!scan_string(s))
		return false;
	k.len = s->out.len - k.start;
	if (!vec_push(&s->keys, k))
		return scan_fail(s, JSON_ENOMEM, "out of memory");
	if (!scan_mark(s, ':'))
		return scan_syntax(s, "expected ':'");
	return scan_value(s);
}

static bool scan_container(struct scan *s, bool object)
{
	const char close = object ? '}' : ']';
	uint32_t first_key = s->keys.n;

	if (s->depth == s->max_depth)
		return scan_fail(s, JSON_ELIMIT, "nested too deeply");
	s->depth++;
	scan_mark(s, object ? '{' : '[');
	if (!scan_mark(s, close)) {
		do {
			if (!(object ? scan_member(s) : scan_value(s)))
				return false;
		} while (scan_mark(s, ','));
		if (!scan_mark(s, close))
			return scan_syntax(s, object ? "expected ',' or '}'" :
					   "expected ',' or ']'");
	}
	s->depth--;
	return !object || scan_close_keys(s, first_key);
}

static bool scan_value(struct scan *s)
{
	int c = scan_peek(s);

	if (s->values++ == s->max_values)
		return scan_fail(s, JSON_ELIMIT, "too many values");
	if (s->out.err)
		return scan_fail(s, JSON_ENOMEM, "out of memory");
	if (c == '{' || c == '[')
		return scan_container(s, c == '{');
	if (c == '"')
		return scan_string(s);
	if (c == '-' || (c >= '0' && c <= '9'))
		return scan_number(s);
	return scan_word(s);
}

static bool scan_text(struct scan *s, size_t max_size)
{
	const size_t len = s->end - s->p;

	if (len > max_size)
		return scan_fail_at(s, max_size, JSON_ELIMIT,
				    "the text is too long");
	if (len >= 3 && !memcmp(s->p, "\xef\xbb\xbf", 3))
		s->p += 3;
	scan_space(s);
	if (!scan_value(s))
		return false;
	scan_space(s);
	if (s->p < s->end)
		return scan_syntax(s, "something follows the value");
	if (s->out.err)
		return scan_fail(s, JSON_ENOMEM, "out of memory");
	return true;
}

bool json_scan(const char *text, size_t len, const struct json_limits *limits,
	       struct strbuf *out, struct json_error *err)
{
	struct scan s = { .text = text, .p = text, .end = text + len };
	bool ok;

	s.max_depth = limits->max_depth ? limits->max_depth : JSON_MAX_DEPTH;
	if (s.max_depth > JSON_SCAN_DEPTH)
		s.max_depth = JSON_SCAN_DEPTH;
	s.max_values = limits->max_values ? limits->max_values :
		       JSON_MAX_VALUES;
	ok = scan_text(&s, limits->max_size ? limits->max_size : JSON_MAX_SIZE);
	*err = s.err;
	*out = s.out;
	vec_free(&s.keys);
	return ok;
}
