/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llm-chat - what providers have in common whose servers are sent messages
 */
#ifndef KA_LLM_CHAT_H
#define KA_LLM_CHAT_H

#include <stdbool.h>

#include "llm-http.h"

struct json;
struct strbuf;

/* "system", "user", "assistant": the same for all. */
const char *chat_role_name(enum llm_role role);

/*
 * Adds to @list the messages of @req as {"role","content"}, system messages only
 * if @with_system. If @in_words, the last one of the user asks for an answer that
 * fits the schema, in a fenced block.
 */
void chat_add_messages(struct json *list, const struct llm_request *req,
		       bool with_system, bool in_words);

/* Adds the texts of all system messages to @out, a blank line between them. */
void chat_add_system(struct strbuf *out, const struct llm_request *req);

/* Sets @reply's text to what llm_unfence() finds in @b. 0 or LLM_ENOMEM. */
int chat_set_text(struct llm_reply *reply, const struct strbuf *b);

/*
 * Adds the text of a message to @b: a string, or the strings "text" of its parts.
 * False if there is none.
 */
bool chat_add_content(struct strbuf *b, const struct json *content);

/*
 * Reads a server's list of models into *@model, a string to be freed, if there is
 * just one: @key names the list in the reply, @id the name in its elements. Else
 * returns an llm_err, and says in @why what to choose from.
 */
int chat_read_models(const struct llm_where *w, const struct http_reply *http,
		     const char *key, const char *id, char **model,
		     struct strbuf *why);

/*
 * Fails @reply for a @status of 300 or more, with the server's words. Returns
 * whether to try again.
 */
enum llm_http_next chat_judge_error(const struct llm_where *w, long status,
				    const struct http_reply *http,
				    struct llm_reply *reply);

/* Fails @reply with @err, the class of an error of the server that says @text. */
void chat_fail(const struct llm_where *w, long status,
	       const struct http_reply *http, int err, const char *text,
	       struct llm_reply *reply);

/* The reply's JSON; else NULL, and @reply has failed. */
struct json *chat_parse(const struct llm_where *w, const struct http_reply *http,
			struct llm_reply *reply);

#endif
