// SPDX-License-Identifier: GPL-2.0-only
/*
 * OpenAI's chat completions, which many servers speak in part. What a server
 * refuses by name (a schema for the answer, a temperature, a seed, a name for
 * the limit of tokens) is left out of this and all later requests.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "json.h"
#include "llm-chat.h"
#include "llm-openai-error.h"
#include "llm-providers.h"

#define DEFAULT_URL "https://api.openai.com/v1"
#define KEY_VARIABLE "OPENAI_API_KEY"
#define SEED 1			/* any, but the same each time */

struct openai {
	struct llm_http *http;
	char *model;
	unsigned int refused;	/* openai_part bits that the server refused */
	bool schema_worked;
	unsigned int errors_on_schema;
};

/* ---- requests --------------------------------------------------------- */

static void set_schema(struct json *body, const struct llm_request *req)
{
	struct json *format = json_set_object(body, "response_format");
	struct json *o;

	json_set_str(format, "type", "json_schema");
	o = json_set_object(format, "json_schema");
	json_set_str(o, "name", req->schema_name ? req->schema_name : "answer");
	json_set_bool(o, "strict", true);
	json_set(o, "schema", json_parse(req->schema, strlen(req->schema),
					 NULL, NULL));
}

static void set_limit(struct json *body, const struct llm_request *req,
		      unsigned int parts)
{
	if (parts & OPENAI_MAX_TOKENS)
		json_set_int(body, "max_tokens", req->max_tokens);
	if (parts & OPENAI_MAX_COMPLETION)
		json_set_int(body, "max_completion_tokens", req->max_tokens);
}

static void openai_body(void *state, const struct llm_request *req,
			unsigned int *form, struct strbuf *out)
{
	const struct openai *a = state;
	unsigned int parts = OPENAI_ALL & ~a->refused;
	struct json *body = json_new_object();

	if (!req->schema)
		parts &= ~OPENAI_SCHEMA;
	if (!req->max_tokens)
		parts &= ~(OPENAI_MAX_TOKENS | OPENAI_MAX_COMPLETION);
	else if (parts & OPENAI_MAX_TOKENS)
		parts &= ~OPENAI_MAX_COMPLETION;
	*form = parts;
	json_set_str(body, "model", a->model);
	chat_add_messages(json_set_array(body, "messages"), req, true,
			  req->schema && !(parts & OPENAI_SCHEMA));
	if (parts & OPENAI_TEMPERATURE)
		json_set_int(body, "temperature", 0);
	if (parts & OPENAI_SEED)
		json_set_int(body, "seed", SEED);
	set_limit(body, req, parts);
	if (parts & OPENAI_SCHEMA)
		set_schema(body, req);
	json_print_to(out, body);
	json_free(body);
}

/* ---- replies ---------------------------------------------------------- */

static void read_usage(const struct json *root, struct llm_usage *u)
{
	const struct json *usage = json_get(root, "usage");
	int64_t n;

	if (json_get_int(usage, "prompt_tokens", &n) && n >= 0)
		u->input_tokens = n;
	if (json_get_int(usage, "completion_tokens", &n) && n >= 0)
		u->output_tokens = n;
}

/* Reads choices[0]; on failure returns its class, and why in @what. */
static int read_choice(const struct json *root, struct llm_reply *reply,
		       struct strbuf *what)
{
	const struct json *choice = json_at(json_get(root, "choices"), 0);
	const struct json *message = json_get(choice, "message");
	const char *finish = json_get_str(choice, "finish_reason");
	const char *refusal = json_get_str(message, "refusal");
	struct strbuf text = {0};
	int err = 0;

	if (json_type(message) != JSON_OBJECT) {
		strbuf_addstr(what, "the reply has no choices[0].message");
		return LLM_EMALFORMED;
	}
	if (refusal && *refusal) {
		strbuf_addf(what, "the model declined: \"%.300s\"", refusal);
		return LLM_EREFUSED;
	}
	if (finish && !strcmp(finish, "content_filter")) {
		strbuf_addstr(what, "a content filter stopped the reply");
		return LLM_EREFUSED;
	}
	reply->truncated = finish && !strcmp(finish, "length");
	/* a model that was cut off while still thinking has no text yet */
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

static enum llm_http_next judge_error(struct openai *a, long status,
				      const struct http_reply *http,
				      unsigned int form,
				      struct llm_reply *reply)
{
	const struct llm_where *w = llm_http_where(a->http);
	struct openai_error e;

	openai_error_read(&e, status, http->body, http->len, form);
	chat_fail(w, status, http, e.err, e.text, reply);
	/* some servers break on a schema, or refuse it without saying so */
	if (!e.refused && (form & OPENAI_SCHEMA) && !a->schema_worked &&
	    ((status == 500 && ++a->errors_on_schema > 1) ||
	     ((status == 400 || status == 422) && e.err == LLM_EMALFORMED)))
		e.refused = OPENAI_SCHEMA;
	if (e.refused) {
		a->refused |= e.refused;
		return LLM_HTTP_AGAIN;
	}
	return e.retry ? LLM_HTTP_RETRY : LLM_HTTP_DONE;
}

/* An error that comes with status 200, as from some that pass on requests. */
static long hidden_status(const struct json *root)
{
	const struct json *error = json_get(root, "error");
	int64_t code;

	if (json_get(root, "choices") || json_type(error) != JSON_OBJECT)
		return 0;
	if (json_get_int(error, "code", &code) && code >= 400 && code < 600)
		return code;
	return 502;
}

static enum llm_http_next judge_success(struct openai *a,
					const struct http_reply *http,
					unsigned int form,
					struct llm_reply *reply)
{
	const struct llm_where *w = llm_http_where(a->http);
	struct strbuf what = {0};
	struct json *root;
	long status;
	int err;

	root = chat_parse(w, http, reply);
	if (!root)
		return LLM_HTTP_DONE;
	status = hidden_status(root);
	if (status) {
		json_free(root);
		return judge_error(a, status, http, form, reply);
	}
	if (form & OPENAI_SCHEMA)
		a->schema_worked = true;
	read_usage(root, &reply->usage);
	err = read_choice(root, reply, &what);
	if (err)
		llm_fail(w, reply, err, "%s", strbuf_str(&what));
	strbuf_free(&what);
	json_free(root);
	return LLM_HTTP_DONE;
}

static enum llm_http_next openai_judge(void *state,
				       const struct http_reply *http,
				       unsigned int form,
				       struct llm_reply *reply)
{
	struct openai *a = state;

	if (http->status >= 200 && http->status < 300)
		return judge_success(a, http, form, reply);
	if (http->status >= 400)
		return judge_error(a, http->status, http, form, reply);
	return chat_judge_error(llm_http_where(a->http), http->status, http,
				reply);
}

/* ---- the model, if there is just one ---------------------------------- */

static int ask_model(struct openai *a, struct strbuf *why)
{
	struct llm_reply r = {0};
	struct http_reply http;
	int err;

	err = llm_http_get(a->http, "/models", &http, why);
	if (err)
		return err;
	if (http.status == 200) {
		err = chat_read_models(llm_http_where(a->http), &http, "data",
				       "id", &a->model, why);
	} else if (http.status == 401 || http.status == 403) {
		judge_error(a, http.status, &http, 0, &r);
		err = r.err;
		strbuf_addstr(why, r.message ? r.message : "out of memory");
	} else {
		err = LLM_ECONFIG;
		llm_explain(llm_http_where(a->http), why, err,
			    "no model is given, and the server does not say which it has (HTTP %ld for /models); use --model",
			    http.status);
	}
	llm_reply_free(&r);
	http_reply_free(&http);
	return err;
}

/* ---- the provider ----------------------------------------------------- */

static void openai_close(void *state)
{
	struct openai *a = state;

	llm_http_close(a->http);
	free(a->model);
	free(a);
}

static int open_parts(struct openai *a, const struct llm_settings *s,
		      struct strbuf *why)
{
	static const struct llm_http_ops ops = {
		.body = openai_body,
		.judge = openai_judge,
	};
	const struct llm_http_config config = {
		.ops = &ops,
		.state = a,
		.url = s->url && *s->url ? s->url : DEFAULT_URL,
		.path = "/chat/completions",
		.key_header = "Authorization: Bearer ",
		.key_variable = KEY_VARIABLE,
		.settings = s,
	};
	int err;

	err = llm_http_open(&config, &a->http, why);
	if (err)
		return err;
	if (!strcmp(config.url, DEFAULT_URL) && !llm_http_where(a->http)->key) {
		llm_explain(llm_http_where(a->http), why, LLM_EAUTH,
			    "this server wants a key (one of your own is named with --url)");
		return LLM_EAUTH;
	}
	if (!s->model || !*s->model)
		return ask_model(a, why);
	a->model = strdup(s->model);
	return a->model ? 0 : LLM_ENOMEM;
}

static int openai_open(const struct llm_settings *s, void **state,
		       struct strbuf *why)
{
	struct openai *a = calloc(1, sizeof(*a));
	int err = a ? open_parts(a, s, why) : LLM_ENOMEM;

	if (err == LLM_ENOMEM && !why->len)
		strbuf_addstr(why, "out of memory");
	if (err) {
		if (a)
			openai_close(a);
		return err;
	}
	*state = a;
	return 0;
}

static int openai_submit(void *state, const struct llm_request *req)
{
	return llm_http_submit(((struct openai *)state)->http, req);
}

static int openai_wait(void *state, struct llm_reply *reply)
{
	return llm_http_wait(((struct openai *)state)->http, reply);
}

static const char *openai_model(void *state)
{
	return ((struct openai *)state)->model;
}

const struct llm_ops llm_openai = {
	.name = "openai",
	.summary = "a server that speaks OpenAI's chat completions (--url)",
	.needs_network = true,
	.open = openai_open,
	.submit = openai_submit,
	.wait = openai_wait,
	.close = openai_close,
	.model = openai_model,
};
