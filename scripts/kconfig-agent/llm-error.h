/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llm-error - failures of servers in words for people
 *
 * A message says where something failed, what, and what to do about it. It may
 * quote the server: what a terminal would act on is taken out, and so is the
 * key, which some servers send back.
 */
#ifndef KA_LLM_ERROR_H
#define KA_LLM_ERROR_H

#include <stdarg.h>
#include <stddef.h>

struct llm_reply;
struct strbuf;

struct llm_where {
	const char *url;		/* as http_url_add() shows it */
	const char *key;		/* or NULL */
	const char *key_variable;	/* where people put it */
};

/* Adds the message for a failure of class @err, and what @fmt says, to @b. */
__attribute__((format(printf, 4, 5)))
void llm_explain(const struct llm_where *w, struct strbuf *b, int err,
		 const char *fmt, ...);
/* Makes @reply such a failure; a text that it has is freed. */
__attribute__((format(printf, 4, 5)))
void llm_fail(const struct llm_where *w, struct llm_reply *reply, int err,
	      const char *fmt, ...);

/*
 * Replaces @key in the *@len bytes at *@text, which is malloc()ed and may
 * change, by "[key]". NULL and keys of less than 6 bytes, such as local
 * servers are given, are no secrets: they are let stand. Returns 0 or
 * LLM_ENOMEM, and then *@text is NULL.
 */
int llm_scrub(char **text, size_t *len, const char *key);

#endif
