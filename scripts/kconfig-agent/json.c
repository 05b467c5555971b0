// SPDX-License-Identifier: GPL-2.0-only
/*
 * A struct json is a cJSON item by another name; parsing is left to cJSON once
 * json-scan.c has made the text safe, printing is done here.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/strbuf.h"
#include "json.h"
#include "json-scan.h"
#include "utf8.h"

#define MAX_EXACT 9007199254740992.0	/* 2^53 */

/* A bit that cJSON leaves alone: something could not be added to this. */
#define FAILED (1 << 16)

static cJSON *to_c(const struct json *j)
{
	return (cJSON *)j;
}

static struct json *from_c(cJSON *c)
{
	return (struct json *)c;
}

struct json *json_parse(const char *text, size_t len,
			const struct json_limits *limits,
			struct json_error *err)
{
	static const struct json_limits defaults;
	struct json_error why = {0};
	struct strbuf clean = {0};
	cJSON *c = NULL;

	if (json_scan(text, len, limits ? limits : &defaults, &clean, &why)) {
		c = cJSON_ParseWithLength(clean.s, clean.len);
		if (!c) {
			why.code = JSON_ENOMEM;
			why.what = "out of memory";
		}
	}
	if (!c && err)
		*err = why;
	strbuf_free(&clean);
	return from_c(c);
}

/* ---- getters ---------------------------------------------------------- */

void json_free(struct json *j)
{
	cJSON_Delete(to_c(j));
}

enum json_type json_type(const struct json *j)
{
	if (!j)
		return JSON_NONE;
	switch (to_c(j)->type & 0xff) {
	case cJSON_NULL:
		return JSON_NULL;
	case cJSON_False:
	case cJSON_True:
		return JSON_BOOL;
	case cJSON_Number:
		return JSON_NUMBER;
	case cJSON_String:
		return JSON_STRING;
	case cJSON_Array:
		return JSON_ARRAY;
	case cJSON_Object:
		return JSON_OBJECT;
	}
	return JSON_NONE;
}

static bool is_container(const struct json *j)
{
	enum json_type t = json_type(j);

	return t == JSON_ARRAY || t == JSON_OBJECT;
}

const struct json *json_get(const struct json *j, const char *key)
{
	if (json_type(j) != JSON_OBJECT)
		return NULL;
	return from_c(cJSON_GetObjectItemCaseSensitive(to_c(j), key));
}

size_t json_len(const struct json *j)
{
	return is_container(j) ? (size_t)cJSON_GetArraySize(to_c(j)) : 0;
}

const struct json *json_at(const struct json *j, size_t i)
{
	const struct json *item = json_first(j);

	while (item && i--)
		item = json_next(item);
	return item;
}

const struct json *json_first(const struct json *j)
{
	return is_container(j) ? from_c(to_c(j)->child) : NULL;
}

const struct json *json_next(const struct json *item)
{
	return item ? from_c(to_c(item)->next) : NULL;
}

const char *json_key(const struct json *item)
{
	return item ? to_c(item)->string : NULL;
}

const char *json_str(const struct json *j)
{
	return json_type(j) == JSON_STRING ? to_c(j)->valuestring : NULL;
}

bool json_double(const struct json *j, double *out)
{
	if (json_type(j) != JSON_NUMBER || !isfinite(to_c(j)->valuedouble))
		return false;
	*out = to_c(j)->valuedouble;
	return true;
}

bool json_int(const struct json *j, int64_t *out)
{
	double d;

	if (!json_double(j, &d) || fabs(d) > MAX_EXACT ||
	    (double)(int64_t)d != d)
		return false;
	*out = (int64_t)d;
	return true;
}

bool json_bool(const struct json *j, bool *out)
{
	if (json_type(j) != JSON_BOOL)
		return false;
	*out = cJSON_IsTrue(to_c(j));
	return true;
}

const char *json_get_str(const struct json *j, const char *key)
{
	return json_str(json_get(j, key));
}

bool json_get_int(const struct json *j, const char *key, int64_t *out)
{
	return json_int(json_get(j, key), out);
}

bool json_get_double(const struct json *j, const char *key, double *out)
{
	return json_double(json_get(j, key), out);
}

bool json_get_bool(const struct json *j, const char *key, bool *out)
{
	return json_bool(json_get(j, key), out);
}

/* ---- building --------------------------------------------------------- */

struct json *json_new_object(void)
{
	return from_c(cJSON_CreateObject());
}

struct json *json_new_array(void)
{
	return from_c(cJSON_CreateArray());
}

struct json *json_new_null(void)
{
	return from_c(cJSON_CreateNull());
}

struct json *json_new_bool(bool b)
{
	return from_c(cJSON_CreateBool(b));
}

struct json *json_new_int(int64_t n)
{
	if (n > (int64_t)MAX_EXACT || n < -(int64_t)MAX_EXACT)
		return NULL;
	return from_c(cJSON_CreateNumber((double)n));
}

struct json *json_new_double(double d)
{
	return isfinite(d) ? from_c(cJSON_CreateNumber(d)) : NULL;
}

struct json *json_new_str(const char *s)
{
	return s ? from_c(cJSON_CreateString(s)) : json_new_null();
}

struct json *json_new_strn(const char *s, size_t len)
{
	struct strbuf b = {0};
	struct json *j = NULL;
	size_t i;

	for (i = 0; i < len; i++) {
		if (s[i])
			strbuf_addch(&b, s[i]);
		else
			utf8_encode(&b, UTF8_REPLACEMENT);
	}
	if (!b.err)
		j = json_new_str(strbuf_str(&b));
	strbuf_free(&b);
	return j;
}

struct json *json_copy(const struct json *j)
{
	return from_c(cJSON_Duplicate(to_c(j), true));
}

/* Settles who owns @value after an attempt to add it to @j. */
static bool added(struct json *j, struct json *value, bool ok)
{
	if (ok)
		return true;
	json_free(value);
	if (j)
		to_c(j)->type |= FAILED;
	return false;
}

bool json_set(struct json *j, const char *key, struct json *value)
{
	return added(j, value, json_type(j) == JSON_OBJECT && value &&
		     cJSON_AddItemToObject(to_c(j), key, to_c(value)));
}

bool json_append(struct json *j, struct json *value)
{
	return added(j, value, json_type(j) == JSON_ARRAY && value &&
		     cJSON_AddItemToArray(to_c(j), to_c(value)));
}

bool json_set_str(struct json *j, const char *key, const char *s)
{
	return json_set(j, key, json_new_str(s));
}

bool json_set_int(struct json *j, const char *key, int64_t n)
{
	return json_set(j, key, json_new_int(n));
}

bool json_set_double(struct json *j, const char *key, double d)
{
	return json_set(j, key, json_new_double(d));
}

bool json_set_bool(struct json *j, const char *key, bool b)
{
	return json_set(j, key, json_new_bool(b));
}

bool json_set_null(struct json *j, const char *key)
{
	return json_set(j, key, json_new_null());
}

struct json *json_set_object(struct json *j, const char *key)
{
	struct json *child = json_new_object();

	return json_set(j, key, child) ? child : NULL;
}

struct json *json_set_array(struct json *j, const char *key)
{
	struct json *child = json_new_array();

	return json_set(j, key, child) ? child : NULL;
}

/* ---- writing ---------------------------------------------------------- */

void json_print_char(struct strbuf *b, uint32_t c)
{
	switch (c) {
	case '"':
		strbuf_add(b, "\\\"", 2);
		break;
	case '\\':
		strbuf_add(b, "\\\\", 2);
		break;
	case '\n':
		strbuf_add(b, "\\n", 2);
		break;
	case '\t':
		strbuf_add(b, "\\t", 2);
		break;
	case 0:
		utf8_encode(b, UTF8_REPLACEMENT);
		break;
	default:
		if (c < 0x20 || (c >= 0x7f && c < 0xa0) ||
		    c == 0x2028 || c == 0x2029)
			strbuf_addf(b, "\\u%04x", (unsigned int)c);
		else
			utf8_encode(b, c);
	}
}

void json_print_str(struct strbuf *b, const char *s, size_t len)
{
	const char *end = s + len;

	strbuf_addch(b, '"');
	while (s < end) {
		uint32_t c = UTF8_REPLACEMENT;
		size_t n = utf8_decode(s, end, &c);

		json_print_char(b, c);
		s += n ? n : 1;
	}
	strbuf_addch(b, '"');
}

/* The fewest digits that read back as the same number. */
static void print_number(struct strbuf *b, const struct json *j)
{
	char text[40], *p;
	int digits;
	int64_t n;
	double d;

	if (json_int(j, &n)) {
		strbuf_addf(b, "%" PRId64, n);
		return;
	}
	if (!json_double(j, &d)) {
		strbuf_addstr(b, "null");
		return;
	}
	for (digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, d);
		if (strtod(text, NULL) == d)
			break;
	}
	/* the locale may have another decimal point, of several bytes */
	for (p = text; *p; p++) {
		if (strchr("0123456789+-e", *p))
			strbuf_addch(b, *p);
		else if (p > text && strchr("0123456789", p[-1]))
			strbuf_addch(b, '.');
	}
}

static void print_break(struct strbuf *b, int level)
{
	if (level < 0)
		return;
	strbuf_addch(b, '\n');
	while (level--)
		strbuf_addstr(b, "  ");
}

/* @level: of indentation, or -1 for all on one line. */
static void print_value(struct strbuf *b, const struct json *j, int level)
{
	const int inner = level < 0 ? -1 : level + 1;
	enum json_type type = json_type(j);
	const char *s = json_str(j);
	const struct json *item;
	bool is;

	if (type == JSON_NONE || (to_c(j)->type & FAILED)) {
		strbuf_free(b);
		b->err = true;
	} else if (type == JSON_NULL) {
		strbuf_addstr(b, "null");
	} else if (json_bool(j, &is)) {
		strbuf_addstr(b, is ? "true" : "false");
	} else if (type == JSON_NUMBER) {
		print_number(b, j);
	} else if (s) {
		json_print_str(b, s, strlen(s));
	} else {
		strbuf_addch(b, type == JSON_OBJECT ? '{' : '[');
		json_for_each(item, j) {
			if (item != json_first(j))
				strbuf_addch(b, ',');
			print_break(b, inner);
			if (type == JSON_OBJECT) {
				s = json_key(item);
				json_print_str(b, s, strlen(s));
				strbuf_addstr(b, level < 0 ? ":" : ": ");
			}
			print_value(b, item, inner);
		}
		if (json_first(j))
			print_break(b, level);
		strbuf_addch(b, type == JSON_OBJECT ? '}' : ']');
	}
}

void json_print_to(struct strbuf *b, const struct json *j)
{
	print_value(b, j, -1);
}

void json_print_pretty(struct strbuf *b, const struct json *j)
{
	print_value(b, j, 0);
	strbuf_addch(b, '\n');
}

char *json_print(const struct json *j, size_t *len)
{
	struct strbuf b = {0};
	char *s;

	json_print_to(&b, j);
	s = strbuf_detach(&b, len);
	strbuf_free(&b);
	return s;
}
