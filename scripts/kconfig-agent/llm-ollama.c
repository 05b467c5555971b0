// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ollama's own chat interface. Its "format" takes the schema of the answer as it
 * is, whatever the model.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "json.h"
#include "llm-chat.h"
#include "llm-providers.h"

#define DEFAULT_URL "http://127.0.0.1:11434"
#define KEY_VARIABLE "OLLAMA_API_KEY"	/* of those in front of a server */
#define SEED 1				/* any, but the same each time */

struct ollama {
	struct llm_http *http;
	char *model;
	bool no_schema;		/* the server refused it */
};

static void ollama_body(void *state, const struct llm_request *req,
			unsigned int *form, struct strbuf *out)
{
	const struct ollama *a = state;
	bool schema = req->schema && !a->no_schema;
	struct json *body = json_new_object(), *options;

	*form = schema;
	json_set_str(body, "model", a->model);
	json_set_bool(body, "stream", false);
	chat_add_messages(json_set_array(body, "messages"), req, true,
			  req->schema && !schema);
	if (schema)
		json_set(body, "format",
			 json_parse(req->schema, strlen(req->schema), NULL,
				    NULL));
	options = json_set_object(body, "options");
	json_set_int(options, "temperature", 0);
	json_set_int(options, "seed", SEED);
	if (req->max_tokens)
		json_set_int(options, "num_predict", req->max_tokens);
	json_print_to(out, body);
	json_free(body);
}

static void read_usage(const struct json *root, struct llm_usage *u)
{
	int64_t n;

	if (json_get_int(root, "prompt_eval_count", &n) && n >= 0)
		u->input_tokens = n;
	if (json_get_int(root, "eval_count", &n) && n >= 0)
		u->output_tokens = n;
}

/* Reads what the model said; on failure returns its class, and why in @what. */
static int read_message(const struct json *root, struct llm_reply *reply,
			struct strbuf *what)
{
	const char *error = json_get_str(root, "error");
	const char *reason = json_get_str(root, "done_reason");
	const struct json *message = json_get(root, "message");
	struct strbuf text = {0};
	int err = 0;

	if (json_type(message) != JSON_OBJECT) {
		strbuf_addf(what, error ? "%.300s" : "the reply has no message",
			    error);
		return LLM_EMALFORMED;
	}
	reply->truncated = reason && !strcmp(reason, "length");
	if (chat_add_content(&text, json_get(message, "content")) ||
	    reply->truncated) {
		err = chat_set_text(reply, &text);
		if (err)
			strbuf_addstr(what, "out of memory");
	} else {
		err = LLM_EREFUSED;
		strbuf_addstr(what, "the model gave no text");
	}
	strbuf_free(&text);
	return err;
}

static enum llm_http_next ollama_judge(void *state,
				       const struct http_reply *http,
				       unsigned int form,
				       struct llm_reply *reply)
{
	struct ollama *a = state;
	const struct llm_where *w = llm_http_where(a->http);
	struct strbuf what = {0};
	enum llm_http_next next;
	struct json *root;
	int err;

	if (http->status < 200 || http->status >= 300) {
		next = chat_judge_error(w, http->status, http, reply);
		/* before 0.5, "format" could only be "json" */
		if (!form || http->status != 400 ||
		    !memmem(http->body, http->len, "format", 6))
			return next;
		a->no_schema = true;
		return LLM_HTTP_AGAIN;
	}
	root = chat_parse(w, http, reply);
	if (!root)
		return LLM_HTTP_DONE;
	read_usage(root, &reply->usage);
	err = read_message(root, reply, &what);
	if (err)
		llm_fail(w, reply, err, "%s", strbuf_str(&what));
	strbuf_free(&what);
	json_free(root);
	return LLM_HTTP_DONE;
}

/* ---- the provider ----------------------------------------------------- */

static void ollama_close(void *state)
{
	struct ollama *a = state;

	llm_http_close(a->http);
	free(a->model);
	free(a);
}

static int ask_model(struct ollama *a, struct strbuf *why)
{
	const struct llm_where *w = llm_http_where(a->http);
	struct http_reply http;
	int err;

	err = llm_http_get(a->http, "/api/tags", &http, why);
	if (err)
		return err;
	if (http.status == 200) {
		err = chat_read_models(w, &http, "models", "name", &a->model,
				       why);
	} else {
		err = LLM_ECONFIG;
		llm_explain(w, why, err,
			    "no model is given, and the server does not say which it has (HTTP %ld for /api/tags); use --model",
			    http.status);
	}
	http_reply_free(&http);
	return err;
}

static int open_parts(struct ollama *a, const struct llm_settings *s,
		      struct strbuf *why)
{
	static const struct llm_http_ops ops = {
		.body = ollama_body,
		.judge = ollama_judge,
	};
	const struct llm_http_config config = {
		.ops = &ops,
		.state = a,
		.url = s->url && *s->url ? s->url : DEFAULT_URL,
		.path = "/api/chat",
		.key_header = "Authorization: Bearer ",
		.key_variable = KEY_VARIABLE,
		.settings = s,
	};
	int err;

	err = llm_http_open(&config, &a->http, why);
	if (err)
		return err;
	if (!s->model || !*s->model)
		return ask_model(a, why);
	a->model = strdup(s->model);
	return a->model ? 0 : LLM_ENOMEM;
}

static int ollama_open(const struct llm_settings *s, void **state,
		       struct strbuf *why)
{
	struct ollama *a = calloc(1, sizeof(*a));
	int err = a ? open_parts(a, s, why) : LLM_ENOMEM;

	if (err == LLM_ENOMEM && !why->len)
		strbuf_addstr(why, "out of memory");
	if (!err)
		*state = a;
	else if (a)
		ollama_close(a);
	return err;
}

static int ollama_submit(void *state, const struct llm_request *req)
{
	return llm_http_submit(((struct ollama *)state)->http, req);
}

static int ollama_wait(void *state, struct llm_reply *reply)
{
	return llm_http_wait(((struct ollama *)state)->http, reply);
}

static const char *ollama_model(void *state)
{
	return ((struct ollama *)state)->model;
}

const struct llm_ops llm_ollama = {
	.name = "ollama",
	.summary = "an Ollama server (--url, on this machine by default)",
	.needs_network = true,
	.open = ollama_open,
	.submit = ollama_submit,
	.wait = ollama_wait,
	.close = ollama_close,
	.model = ollama_model,
};
