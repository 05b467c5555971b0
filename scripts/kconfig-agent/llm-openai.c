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
#include "llm-http.h"
#include "llm-openai-error.h"
#include "llm-providers.h"

#define DEFAULT_URL "https://api.openai.com/v1"
#define KEY_VARIABLE "OPENAI_API_KEY"
#define SEED 1			/* any, but the same each time */
#define MAX_LISTED 10		/* models in a message */

struct openai {
	struct llm_http *http;
	char *model;
	unsigned int refused;	/* openai_part bits that the server refused */
	bool schema_worked;
	unsigned int errors_on_schema;
};

/* ---- requests --------------------------------------------------------- */

static const char *role_name(enum llm_role role)
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
	json_set_str(j, "role", role_name(m->role));
	json_set(j, "content", b.err ? NULL : json_new_str(strbuf_str(&b)));
	strbuf_free(&b);
	return j;
}

static void set_messages(struct json *body, const struct llm_request *req,
			 bool in_words)
{
	struct json *list = json_set_array(body, "messages");
	size_t i, last = req->n_messages;

	for (i = 0; in_words && i < req->n_messages; i++) {
		if (req->messages[i].role == LLM_USER)
			last = i;
	}
	for (i = 0; i < req->n_messages; i++)
		json_append(list, new_message(&req->messages[i],
					      i == last ? req : NULL));
}

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
	set_messages(body, req, req->schema && !(parts & OPENAI_SCHEMA));
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

/*
 * Adds the text of a message to @b: a string, or the strings of its parts.
 * False if there is none.
 */
static bool add_content(struct strbuf *b, const struct json *content)
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

static void read_usage(const struct json *root, struct llm_usage *u)
{
	const struct json *usage = json_get(root, "usage");
	int64_t n;

	if (json_get_int(usage, "prompt_tokens", &n) && n >= 0)
		u->input_tokens = n;
	if (json_get_int(usage, "completion_tokens", &n) && n >= 0)
		u->output_tokens = n;
}

/* Makes what llm_unfence() finds in the text of @b that of the reply. */
static int set_text(struct llm_reply *reply, const struct strbuf *b)
{
	const char *inner = llm_unfence(strbuf_str(b), b->len, &reply->len);

	reply->text = b->err ? NULL : strndup(inner, reply->len);
	return reply->text ? 0 : LLM_ENOMEM;
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
	if (add_content(&text, json_get(message, "content")) ||
	    reply->truncated) {
		err = set_text(reply, &text);
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
	if (e.err == LLM_EAUTH && !w->key)
		llm_fail(w, reply, e.err, "HTTP %ld, and there is no key",
			 status);
	else if (http->retry_after_s > 0)
		llm_fail(w, reply, e.err, "HTTP %ld, try again in %lld s: %s",
			 status, (long long)http->retry_after_s, e.text);
	else
		llm_fail(w, reply, e.err, "HTTP %ld: %s", status,
			 *e.text ? e.text : "(no text)");
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
	struct json_limits limits = { .max_size = http->len + 1 };
	struct strbuf what = {0};
	struct json_error why;
	struct json *root;
	long status;
	int err;

	root = json_parse(http->body, http->len, &limits, &why);
	if (!root) {
		llm_fail(w, reply, why.code == JSON_ENOMEM ? LLM_ENOMEM :
			 LLM_EMALFORMED,
			 "the reply is not JSON: at byte %zu of %zu: %s",
			 why.offset, http->len, why.what);
		return LLM_HTTP_DONE;
	}
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
	llm_fail(llm_http_where(a->http), reply, LLM_EMALFORMED,
		 "HTTP %ld, a redirect to %s, which is not followed",
		 http->status, http->location ? http->location : "nowhere");
	return LLM_HTTP_DONE;
}

/* ---- the model, if there is just one ---------------------------------- */

static int say_models(const struct openai *a, const struct json *data,
		      struct strbuf *why)
{
	struct strbuf names = {0};
	const struct json *m;
	size_t n = 0;

	json_for_each(m, data) {
		const char *id = json_get_str(m, "id");

		if (id && n++ < MAX_LISTED)
			strbuf_addf(&names, "%s %.100s", n > 1 ? "," : "", id);
	}
	if (n > MAX_LISTED)
		strbuf_addstr(&names, ", ...");
	llm_explain(llm_http_where(a->http), why, LLM_ECONFIG,
		    "the server has %zu models; choose one with --model%s%s",
		    n, n ? ":" : "", strbuf_str(&names));
	strbuf_free(&names);
	return LLM_ECONFIG;
}

static int read_models(struct openai *a, const struct http_reply *http,
		       struct strbuf *why)
{
	struct json_error bad = {0};
	struct json *root = json_parse(http->body, http->len, NULL, &bad);
	const struct json *data = json_get(root, "data");
	const char *id = json_get_str(json_at(data, 0), "id");
	int err = 0;

	if (bad.code == JSON_ENOMEM) {
		err = LLM_ENOMEM;
	} else if (json_type(data) != JSON_ARRAY) {
		llm_explain(llm_http_where(a->http), why, LLM_EMALFORMED,
			    "no model is given, and /models lists none");
		err = LLM_EMALFORMED;
	} else if (json_len(data) != 1 || !id || !*id) {
		err = say_models(a, data, why);
	} else {
		a->model = strdup(id);
		if (!a->model)
			err = LLM_ENOMEM;
	}
	json_free(root);
	return err;
}

static int ask_model(struct openai *a, struct strbuf *why)
{
	struct llm_reply r = {0};
	struct http_reply http;
	int err;

	err = llm_http_get(a->http, "/models", &http, why);
	if (err)
		return err;
	if (http.status == 200) {
		err = read_models(a, &http, why);
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
