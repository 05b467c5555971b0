// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "json.h"
#include "llm-chat.h"
#include "llm-openai-error.h"

#define MAX_LISTED 10		/* models in a message */

/* ---- requests --------------------------------------------------------- */

const char *chat_role_name(enum llm_role role)
{
	switch (role) {
	case LLM_SYSTEM:
		return "system";
	case LLM_ASSISTANT:
		return "assistant";
	default:
		return "user";
	}
}

/* What is asked of a model that the server does not hold to the schema. */
static void add_instruction(struct strbuf *b, const struct llm_request *req)
{
	strbuf_addstr(b, "\n\nReply with exactly one fenced block, and nothing after it:\n");
	strbuf_addstr(b, "```json\n{ ... }\n```\n");
	strbuf_addstr(b, "What is in the block must be JSON that fits this JSON Schema:\n");
	strbuf_addf(b, "```json-schema\n%s\n```\n", req->schema);
}

static struct json *new_message(const struct llm_message *m,
				const struct llm_request *schema_of)
{
	struct json *j = json_new_object();
	struct strbuf b = {0};

	strbuf_addstr(&b, m->text);
	if (schema_of)
		add_instruction(&b, schema_of);
	json_set_str(j, "role", chat_role_name(m->role));
	json_set(j, "content", b.err ? NULL : json_new_str(strbuf_str(&b)));
	strbuf_free(&b);
	return j;
}

void chat_add_messages(struct json *list, const struct llm_request *req,
		       bool with_system, bool in_words)
{
	size_t i, last = req->n_messages;

	for (i = 0; in_words && i < req->n_messages; i++) {
		if (req->messages[i].role == LLM_USER)
			last = i;
	}
	for (i = 0; i < req->n_messages; i++) {
		if (with_system || req->messages[i].role != LLM_SYSTEM)
			json_append(list, new_message(&req->messages[i],
						      i == last ? req : NULL));
	}
}

void chat_add_system(struct strbuf *out, const struct llm_request *req)
{
	size_t i;

	for (i = 0; i < req->n_messages; i++) {
		if (req->messages[i].role != LLM_SYSTEM)
			continue;
		if (out->len)
			strbuf_addstr(out, "\n\n");
		strbuf_addstr(out, req->messages[i].text);
	}
}

/* ---- replies ---------------------------------------------------------- */

bool chat_add_content(struct strbuf *b, const struct json *content)
{
	const struct json *part;
	const char *s = json_str(content);
	bool any = s;

	if (s)
		strbuf_addstr(b, s);
	if (json_type(content) == JSON_ARRAY) {
		json_for_each(part, content) {
			s = json_get_str(part, "text");
			if (!s)
				continue;
			any = true;
			strbuf_addstr(b, s);
		}
	}
	return any;
}

int chat_set_text(struct llm_reply *reply, const struct strbuf *b)
{
	const char *inner = llm_unfence(strbuf_str(b), b->len, &reply->len);

	reply->text = b->err ? NULL : strndup(inner, reply->len);
	return reply->text ? 0 : LLM_ENOMEM;
}

struct json *chat_parse(const struct llm_where *w, const struct http_reply *http,
			struct llm_reply *reply)
{
	struct json_limits limits = { .max_size = http->len + 1 };
	struct json_error why;
	struct json *root;

	root = json_parse(http->body, http->len, &limits, &why);
	if (!root)
		llm_fail(w, reply, why.code == JSON_ENOMEM ? LLM_ENOMEM :
			 LLM_EMALFORMED,
			 "the reply is not JSON: at byte %zu of %zu: %s",
			 why.offset, http->len, why.what);
	return root;
}

void chat_fail(const struct llm_where *w, long status,
	       const struct http_reply *http, int err, const char *text,
	       struct llm_reply *reply)
{
	if (err == LLM_EAUTH && !w->key)
		llm_fail(w, reply, err, "HTTP %ld, and there is no key",
			 status);
	else if (http->retry_after_s > 0)
		llm_fail(w, reply, err, "HTTP %ld, try again in %lld s: %s",
			 status, (long long)http->retry_after_s, text);
	else
		llm_fail(w, reply, err, "HTTP %ld: %s", status,
			 *text ? text : "(no text)");
}

enum llm_http_next chat_judge_error(const struct llm_where *w, long status,
				    const struct http_reply *http,
				    struct llm_reply *reply)
{
	struct openai_error e;

	if (status < 400) {
		llm_fail(w, reply, LLM_EMALFORMED,
			 "HTTP %ld, a redirect to %s, which is not followed",
			 status, http->location ? http->location : "nowhere");
		return LLM_HTTP_DONE;
	}
	openai_error_read(&e, status, http->body, http->len, 0);
	chat_fail(w, status, http, e.err, e.text, reply);
	return e.retry ? LLM_HTTP_RETRY : LLM_HTTP_DONE;
}

/* ---- the model, if there is just one ---------------------------------- */

static int say_models(const struct llm_where *w, const struct json *list,
		      const char *key, struct strbuf *why)
{
	struct strbuf names = {0};
	const struct json *m;
	size_t n = 0;

	json_for_each(m, list) {
		const char *id = json_get_str(m, key);

		if (id && n++ < MAX_LISTED)
			strbuf_addf(&names, "%s %.100s", n > 1 ? "," : "", id);
	}
	if (n > MAX_LISTED)
		strbuf_addstr(&names, ", ...");
	llm_explain(w, why, LLM_ECONFIG,
		    "the server has %zu models; choose one with --model%s%s",
		    n, n ? ":" : "", strbuf_str(&names));
	strbuf_free(&names);
	return LLM_ECONFIG;
}

int chat_read_models(const struct llm_where *w, const struct http_reply *http,
		     const char *key, const char *id, char **model,
		     struct strbuf *why)
{
	struct json_error bad = {0};
	struct json *root = json_parse(http->body, http->len, NULL, &bad);
	const struct json *list = json_get(root, key);
	const char *name = json_get_str(json_at(list, 0), id);
	int err = 0;

	if (bad.code == JSON_ENOMEM) {
		err = LLM_ENOMEM;
	} else if (json_type(list) != JSON_ARRAY) {
		llm_explain(w, why, LLM_EMALFORMED,
			    "no model is given, and the server lists none");
		err = LLM_EMALFORMED;
	} else if (json_len(list) != 1 || !name || !*name) {
		err = say_models(w, list, id, why);
	} else {
		*model = strdup(name);
		if (!*model)
			err = LLM_ENOMEM;
	}
	json_free(root);
	return err;
}
