/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json - JSON values, read from untrusted bytes and written for anybody
 *
 * A struct json is a value of any type; it owns the values in it, and
 * json_free() of the outermost frees them all. Getters accept NULL and values
 * of any type, and then find nothing, so that they can be chained:
 *
 *	s = json_str(json_get(json_at(json_get(reply, "choices"), 0), "text"));
 *
 * Building fails late: an object or array to which something could not be
 * added remembers it, and so does whatever it becomes part of; nothing is ever
 * printed that lacks a part. So results are checked once, when printing:
 *
 *	struct json *rec = json_new_object();
 *
 *	json_set_str(rec, "event", "reply");
 *	json_set_int(rec, "seq", seq);
 *	list = json_set_array(rec, "names");
 *	json_append(list, json_new_str("PREEMPT"));
 *	line = json_print(rec, &len);
 *	json_free(rec);
 *	if (!line)
 *		return -ENOMEM;
 *
 * All functions may be used from several threads on different values, but for
 * json_parse(), which one thread at a time may call.
 */
#ifndef KA_JSON_H
#define KA_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct json;

enum json_type {
	JSON_NONE,		/* no value: NULL was asked */
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

/* ---- reading ---------------------------------------------------------- */

enum json_err {
	JSON_ENOMEM = -1,
	JSON_ESYNTAX = -2,	/* not JSON */
	JSON_ELIMIT = -3,	/* too long, too deep, or too many values */
	JSON_EDUPKEY = -4,	/* the same key twice in one object */
};

/* What to accept; 0 means the default. */
struct json_limits {
	size_t max_size;	/* bytes of text */
	unsigned int max_depth;	/* objects and arrays within each other */
	size_t max_values;	/* values in all; each takes about 100 bytes */
};

#define JSON_MAX_SIZE	(8u << 20)
#define JSON_MAX_DEPTH	64u
#define JSON_MAX_VALUES	(256u << 10)

/* Why a text was not accepted. */
struct json_error {
	enum json_err code;
	size_t offset;		/* of the byte where it was noticed */
	const char *what;	/* such as "expected ':'"; static, no input in it */
};

/*
 * Reads the @len bytes at @text, which must be one value as RFC 8259 has it,
 * with white space around it and nothing else, within @limits (NULL: the
 * defaults). Returns NULL on failure, and says why in @err if not NULL.
 *
 * Where what servers and models send differs from the standard:
 * - a key that stands twice in one object is an error, as readers disagree on
 *   which one counts;
 * - within strings, bytes that are not UTF-8, NUL, \u0000 and lone surrogates
 *   become U+FFFD, so that strings are UTF-8 and end where C says they end;
 * - within strings, raw control characters (line breaks, mostly) are accepted.
 *   What goes to a terminal has to be cleaned of them in any case, as \u001b
 *   is correct JSON;
 * - a byte order mark in front is skipped.
 */
struct json *json_parse(const char *text, size_t len,
			const struct json_limits *limits,
			struct json_error *err);

void json_free(struct json *j);

enum json_type json_type(const struct json *j);

/* The member of the object @j called @key (case matters), or NULL. */
const struct json *json_get(const struct json *j, const char *key);
/* The number of items of an array or members of an object, else 0. */
size_t json_len(const struct json *j);
/* Item @i of an array or object, or NULL. Takes time in proportion to @i. */
const struct json *json_at(const struct json *j, size_t i);

/* The first item of an array or object; the one after @item. NULL: no more. */
const struct json *json_first(const struct json *j);
const struct json *json_next(const struct json *item);
/* The key that @item has in the object it stands in, else NULL. */
const char *json_key(const struct json *item);

#define json_for_each(item, j) \
	for ((item) = json_first(j); (item); (item) = json_next(item))

/* The text of a string, which belongs to it; NULL if it is not a string. */
const char *json_str(const struct json *j);
/*
 * True if @j is a number that is whole and at most 2^53 away from 0, which
 * then is in *@out. "1.0" and "1e2" are whole numbers.
 */
bool json_int(const struct json *j, int64_t *out);
/* True if @j is a number that a double can hold, which then is in *@out. */
bool json_double(const struct json *j, double *out);
/* True if @j is a boolean, which then is in *@out. */
bool json_bool(const struct json *j, bool *out);

/* The same for a member of an object. */
const char *json_get_str(const struct json *j, const char *key);
bool json_get_int(const struct json *j, const char *key, int64_t *out);
bool json_get_double(const struct json *j, const char *key, double *out);
bool json_get_bool(const struct json *j, const char *key, bool *out);

/* ---- building --------------------------------------------------------- */

/* New values; NULL when out of memory. The caller frees them or adds them. */
struct json *json_new_object(void);
struct json *json_new_array(void);
struct json *json_new_null(void);
struct json *json_new_bool(bool b);
/* @n at most 2^53 away from 0, else NULL: what is bigger is best a string. */
struct json *json_new_int(int64_t n);
/* @d finite, else NULL. */
struct json *json_new_double(double d);
/* A copy of @s, or null if @s is NULL. Need not be UTF-8: see json_print(). */
struct json *json_new_str(const char *s);
/* A copy of the @len bytes at @s; NUL bytes become U+FFFD. */
struct json *json_new_strn(const char *s, size_t len);
/* A copy with all that is in it; NULL for NULL. */
struct json *json_copy(const struct json *j);

/*
 * Adds @value, which is taken over even on failure, to the end of the object
 * @j, which must not have a @key yet. False, and @j is unprintable from then
 * on, if @j is not an object, @value is NULL, or memory is out.
 */
bool json_set(struct json *j, const char *key, struct json *value);
/* The same for the array @j. */
bool json_append(struct json *j, struct json *value);

/* Short for json_set(j, key, json_new_...(...)). */
bool json_set_str(struct json *j, const char *key, const char *s);
bool json_set_int(struct json *j, const char *key, int64_t n);
bool json_set_double(struct json *j, const char *key, double d);
bool json_set_bool(struct json *j, const char *key, bool b);
bool json_set_null(struct json *j, const char *key);
/* Adds an empty object or array and returns it, still owned by @j, or NULL. */
struct json *json_set_object(struct json *j, const char *key);
struct json *json_set_array(struct json *j, const char *key);

/* ---- writing ---------------------------------------------------------- */

/*
 * @j on one line without spaces, members in the order they were added or
 * read, NUL terminated; the caller frees it. Its length goes to @len if not
 * NULL. NULL when out of memory now or while @j was built.
 *
 * The text is UTF-8 whatever went in (what is not becomes U+FFFD) and free of
 * control characters, the C1 ones and the line separators of Unicode included:
 * one line in every reader, and safe to print to a terminal.
 */
char *json_print(const struct json *j, size_t *len);
/* The same, added to @b; on failure @b is marked as failed. */
void json_print_to(struct strbuf *b, const struct json *j);
/* The same for people: two spaces of indentation a level, final line break. */
void json_print_pretty(struct strbuf *b, const struct json *j);
/* Adds the @len bytes at @s to @b as a JSON string with its quotes. */
void json_print_str(struct strbuf *b, const char *s, size_t len);
/* Adds the character @c as it has to stand between such quotes. */
void json_print_char(struct strbuf *b, uint32_t c);

#endif
