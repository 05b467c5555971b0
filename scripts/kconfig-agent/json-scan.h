/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json-scan - makes any JSON text one that cannot be misread
 *
 * cJSON's parser is lenient in places where leniency hurts (a NUL cuts a
 * string, "-" and "01" are numbers) and strict where servers are not (lone
 * surrogates). So json.c lets it see only what this has read first, by the
 * grammar of RFC 8259, and rewritten in one form: no white space, proper
 * UTF-8, few escapes, equal keys equal byte for byte.
 */
#ifndef KA_JSON_SCAN_H
#define KA_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct json_error;
struct json_limits;
struct strbuf;

#define JSON_SCAN_DEPTH 500	/* whatever the limits say; cJSON's is 1000 */

/*
 * Checks the @len bytes at @text as json_parse() documents, and rewrites them
 * to @out, which the caller frees in any case. False, and the reason in @err,
 * if the text is not acceptable.
 */
bool json_scan(const char *text, size_t len, const struct json_limits *limits,
	       struct strbuf *out, struct json_error *err);

#endif
