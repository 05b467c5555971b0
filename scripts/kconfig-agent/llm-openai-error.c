// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "json.h"
#include "llm.h"
#include "llm-openai-error.h"

#define MAX_LOOK 4096	/* bytes of a text in which words are looked for */
#define WORDS 8

static const char *const context_words[WORDS] = {
	"context_length_exceeded", "exceed_context_size", "context length",
	"context size", "context window", "prompt is too long",
};

static const char *const quota_words[WORDS] = {
	"insufficient_quota", "insufficient quota", "current quota",
	"billing", "insufficient balance", "insufficient credit",
};

static const char *const filter_words[WORDS] = {
	"content_filter", "content_policy", "content policy",
	"content management policy",
};

static const char *const model_words[WORDS] = {
	"model_not_found", "not found", "not exist", "no such model",
	"unknown model", "invalid model", "not a valid model",
};

static const struct {
	enum openai_part part;
	const char *param;
	const char *words[WORDS];
} parts[] = {
	{ OPENAI_SCHEMA, "response_format", {
		"response_format", "json_schema", "grammar", "guided_",
		"structured output", "structured_output" } },
	{ OPENAI_TEMPERATURE, "temperature", { "temperature" } },
	{ OPENAI_SEED, "seed", { "seed" } },
	{ OPENAI_MAX_TOKENS, "max_tokens", { "max_tokens" } },
	{ OPENAI_MAX_COMPLETION, "max_completion_tokens", {
		"max_completion_tokens" } },
	{ 0 }
};

/* What a reply says, for people and for looking at. */
struct said {
	struct strbuf look;	/* where words are looked for */
	const char *message;
	const char *code;
	const char *param;
};

static bool has_any(const char *text, const char *const words[WORDS])
{
	size_t i;

	for (i = 0; i < WORDS && words[i]; i++) {
		if (strcasestr(text, words[i]))
			return true;
	}
	return false;
}

static void add_field(struct strbuf *b, const char *s)
{
	if (!s)
		return;
	strbuf_add(b, s, strnlen(s, MAX_LOOK));
	strbuf_addch(b, '\n');
}

/* Strings belong to @root. */
static void read_fields(struct said *s, const struct json *root,
			const char *body, size_t len)
{
	const struct json *error = json_get(root, "error");

	if (json_type(error) != JSON_OBJECT)
		error = root;
	s->code = json_get_str(error, "code");
	s->param = json_get_str(error, "param");
	s->message = json_get_str(error, "message");
	if (!s->message)
		s->message = json_get_str(root, "error");
	if (!s->message)
		s->message = json_get_str(root, "detail");
	if (s->message) {
		add_field(&s->look, s->message);
		add_field(&s->look, s->code);
		add_field(&s->look, s->param);
		add_field(&s->look, json_get_str(error, "type"));
	} else {
		strbuf_add(&s->look, body, len < MAX_LOOK ? len : MAX_LOOK);
	}
}

static unsigned int refused_part(const struct said *s, unsigned int sent)
{
	const char *look = strbuf_str(&s->look);
	size_t i;

	for (i = 0; s->param && parts[i].param; i++) {
		if ((sent & parts[i].part) && !strcmp(s->param, parts[i].param))
			return parts[i].part;
	}
	for (i = 0; parts[i].param; i++) {
		if ((sent & parts[i].part) && has_any(look, parts[i].words))
			return parts[i].part;
	}
	return 0;
}

/* The class, when the status alone does not tell it. */
static int err_of_words(const struct said *s, long status)
{
	const char *look = strbuf_str(&s->look);

	if (s->code && !strcmp(s->code, "model_not_found"))
		return LLM_EMODEL;
	if (status == 401 || status == 403)
		return LLM_EAUTH;
	if (status == 413 || has_any(look, context_words))
		return LLM_ECONTEXT;
	if (status == 402 || has_any(look, quota_words))
		return LLM_EQUOTA;
	if (status == 429)
		return LLM_ERATE;
	if (has_any(look, filter_words))
		return LLM_EREFUSED;
	if (status < 500 && strcasestr(look, "model") &&
	    has_any(look, model_words))
		return LLM_EMODEL;
	return LLM_OK;
}

static bool passes_by_itself(long status)
{
	switch (status) {
	case 501:
	case 505:
		return false;
	case 408:
	case 409:
	case 425:
		return true;
	}
	return status >= 500;
}

static void classify(struct openai_error *e, const struct said *s, long status,
		     unsigned int sent)
{
	e->err = err_of_words(s, status);
	if (e->err == LLM_ERATE)
		e->retry = true;
	if (e->err)
		return;
	if (status == 400 || status == 404 || status == 422 || status >= 500)
		e->refused = refused_part(s, sent);
	e->retry = passes_by_itself(status);
	e->err = e->retry ? LLM_EOVERLOADED : LLM_EMALFORMED;
}

static void keep_text(struct openai_error *e, const struct said *s,
		      const char *body, size_t len)
{
	const char *text = s->message ? s->message : body;
	const char *more = "";
	size_t n = s->message ? strlen(text) : len, max = sizeof(e->text) - 4;

	while (n && strchr(" \t\r\n", *text)) {
		text++;
		n--;
	}
	if (!s->message && n && *text == '<') {
		snprintf(e->text, sizeof(e->text), "(a page of HTML or XML)");
		return;
	}
	if (n > max) {
		n = max;
		while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
			n--;	/* not in the midst of a character */
		more = "...";
	}
	snprintf(e->text, sizeof(e->text), "%.*s%s", (int)n, text, more);
}

void openai_error_read(struct openai_error *e, long status, const char *body,
		       size_t len, unsigned int sent)
{
	struct json *root = json_parse(body, len, NULL, NULL);
	struct said s = {0};

	memset(e, 0, sizeof(*e));
	read_fields(&s, root, body, len);
	classify(e, &s, status, sent);
	keep_text(e, &s, body, len);
	strbuf_free(&s.look);
	json_free(root);
}
