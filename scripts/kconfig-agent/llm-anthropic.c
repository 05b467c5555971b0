// SPDX-License-Identifier: GPL-2.0-only
/*
 * Anthropic's messages. The answer is asked for as the input of a tool, which the
 * model is told to use; so its schema is that of the answer. A model that writes
 * the answer into its text all the same is understood, too.
 */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "json.h"
#include "llm-chat.h"
#include "llm-providers.h"

#define DEFAULT_URL "https://api.anthropic.com/v1"
#define KEY_VARIABLE "ANTHROPIC_API_KEY"
#define VERSION "anthropic-version: 2023-06-01"
#define MAX_TOKENS 4096		/* a limit must be given */

struct anthropic {
	struct llm_http *http;
	char *model;
	bool no_tools;		/* the server refused them */
};

/* ---- requests --------------------------------------------------------- */

static const char *tool_name(const struct llm_request *req)
{
	return req->schema_name ? req->schema_name : "answer";
}

static void set_tool(struct json *body, const struct llm_request *req)
{
	struct json *tool = json_new_object(), *choice;

	json_set_str(tool, "name", tool_name(req));
	json_set_str(tool, "description", "Takes the answer.");
	json_set(tool, "input_schema",
		 json_parse(req->schema, strlen(req->schema), NULL, NULL));
	json_append(json_set_array(body, "tools"), tool);
	choice = json_set_object(body, "tool_choice");
	json_set_str(choice, "type", "tool");
	json_set_str(choice, "name", tool_name(req));
}

static void anthropic_body(void *state, const struct llm_request *req,
			   unsigned int *form, struct strbuf *out)
{
	const struct anthropic *a = state;
	bool tool = req->schema && !a->no_tools;
	struct json *body = json_new_object();
	struct strbuf system = {0};

	*form = tool;
	json_set_str(body, "model", a->model);
	json_set_int(body, "max_tokens",
		     req->max_tokens ? req->max_tokens : MAX_TOKENS);
	json_set_int(body, "temperature", 0);
	chat_add_system(&system, req);
	if (system.len || system.err)
		json_set(body, "system", system.err ? NULL :
			 json_new_str(strbuf_str(&system)));
	strbuf_free(&system);
	chat_add_messages(json_set_array(body, "messages"), req, false,
			  req->schema && !tool);
	if (tool)
		set_tool(body, req);
	json_print_to(out, body);
	json_free(body);
}

/* ---- replies ---------------------------------------------------------- */

static void read_usage(const struct json *root, struct llm_usage *u)
{
	const struct json *usage = json_get(root, "usage");
	int64_t n;

	if (json_get_int(usage, "input_tokens", &n) && n >= 0)
		u->input_tokens = n;
	if (json_get_int(usage, "output_tokens", &n) && n >= 0)
		u->output_tokens = n;
}

/* What the tool was given, as text; false if it was not used. */
static bool add_input(struct strbuf *b, const struct json *content)
{
	const struct json *part, *input = NULL;

	json_for_each(part, content) {
		const char *type = json_get_str(part, "type");

		if (type && !strcmp(type, "tool_use"))
			input = json_get(part, "input");
	}
	if (input)
		json_print_to(b, input);
	return input;
}

/* Reads what the model said; on failure returns its class, and why in @what. */
static int read_message(const struct json *root, struct llm_reply *reply,
			struct strbuf *what)
{
	const struct json *content = json_get(root, "content");
	const char *stop = json_get_str(root, "stop_reason");
	struct strbuf text = {0};
	int err = 0;

	if (json_type(content) != JSON_ARRAY) {
		strbuf_addstr(what, "the reply has no content");
		return LLM_EMALFORMED;
	}
	if (stop && !strcmp(stop, "refusal")) {
		strbuf_addstr(what, "the model declined to answer");
		return LLM_EREFUSED;
	}
	reply->truncated = stop && (!strcmp(stop, "max_tokens") ||
				    !strcmp(stop, "model_context_window_exceeded"));
	if (add_input(&text, content) || chat_add_content(&text, content) ||
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

/* A server that knows no tools says so by name. */
static bool refuses_tools(const struct http_reply *http, unsigned int form)
{
	return form && (http->status == 400 || http->status == 422) &&
	       memmem(http->body, http->len, "tool", 4);
}

static enum llm_http_next anthropic_judge(void *state,
					  const struct http_reply *http,
					  unsigned int form,
					  struct llm_reply *reply)
{
	struct anthropic *a = state;
	const struct llm_where *w = llm_http_where(a->http);
	struct strbuf what = {0};
	enum llm_http_next next;
	struct json *root;
	int err;

	if (http->status < 200 || http->status >= 300) {
		next = chat_judge_error(w, http->status, http, reply);
		if (!refuses_tools(http, form))
			return next;
		a->no_tools = true;
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

static void anthropic_close(void *state)
{
	struct anthropic *a = state;

	llm_http_close(a->http);
	free(a->model);
	free(a);
}

static int ask_model(struct anthropic *a, struct strbuf *why)
{
	const struct llm_where *w = llm_http_where(a->http);
	struct llm_reply r = {0};
	struct http_reply http;
	int err;

	err = llm_http_get(a->http, "/models", &http, why);
	if (err)
		return err;
	if (http.status == 200) {
		err = chat_read_models(w, &http, "data", "id", &a->model, why);
	} else if (http.status == 401 || http.status == 403) {
		chat_judge_error(w, http.status, &http, &r);
		err = r.err;
		strbuf_addstr(why, r.message ? r.message : "out of memory");
	} else {
		err = LLM_ECONFIG;
		llm_explain(w, why, err, "no model is given; use --model");
	}
	llm_reply_free(&r);
	http_reply_free(&http);
	return err;
}

static int open_parts(struct anthropic *a, const struct llm_settings *s,
		      struct strbuf *why)
{
	static const struct llm_http_ops ops = {
		.body = anthropic_body,
		.judge = anthropic_judge,
	};
	const struct llm_http_config config = {
		.ops = &ops,
		.state = a,
		.url = s->url && *s->url ? s->url : DEFAULT_URL,
		.path = "/messages",
		.header = VERSION,
		.key_header = "x-api-key: ",
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

static int anthropic_open(const struct llm_settings *s, void **state,
			  struct strbuf *why)
{
	struct anthropic *a = calloc(1, sizeof(*a));
	int err = a ? open_parts(a, s, why) : LLM_ENOMEM;

	if (err == LLM_ENOMEM && !why->len)
		strbuf_addstr(why, "out of memory");
	if (!err)
		*state = a;
	else if (a)
		anthropic_close(a);
	return err;
}

static int anthropic_submit(void *state, const struct llm_request *req)
{
	return llm_http_submit(((struct anthropic *)state)->http, req);
}

static int anthropic_wait(void *state, struct llm_reply *reply)
{
	return llm_http_wait(((struct anthropic *)state)->http, reply);
}

static const char *anthropic_model(void *state)
{
	return ((struct anthropic *)state)->model;
}

const struct llm_ops llm_anthropic = {
	.name = "anthropic",
	.summary = "Anthropic's messages, or a server that speaks them (--url)",
	.needs_network = true,
	.open = anthropic_open,
	.submit = anthropic_submit,
	.wait = anthropic_wait,
	.close = anthropic_close,
	.model = anthropic_model,
};
