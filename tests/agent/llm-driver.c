// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks a provider what a file says, and prints what comes of it.
 *
 *	llm-driver FILE
 *
 * FILE is a JSON object: "settings" has the members of struct llm_settings;
 * "interrupt_ms" is when the person presses Ctrl-C; "requests" is a list of
 * objects with the members of struct llm_request, submitted at once, or one
 * after the other with "one_by_one". Prints one JSON object a line: {"open"},
 * then the replies in order of arrival, then {"wait"} if waiting failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/atomfile.h"
#include "json.h"
#include "llm.h"

#define MAX_MESSAGES 16

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static bool is_late(void *arg)
{
	return now_ms() > *(int64_t *)arg;
}

static int64_t get_int(const struct json *j, const char *key)
{
	int64_t n = 0;

	json_get_int(j, key, &n);
	return n;
}

static void print_line(struct json *j)
{
	char *s = json_print(j, NULL);

	puts(s ? s : "out of memory");
	fflush(stdout);
	free(s);
	json_free(j);
}

static void print_reply(const struct llm_reply *r, int64_t start)
{
	struct json *j = json_new_object();

	json_set_int(j, "id", r->id);
	json_set_int(j, "err", r->err);
	json_set_str(j, "name", llm_err_name(r->err));
	json_set(j, "text", r->text ? json_new_strn(r->text, r->len) :
		 json_new_null());
	json_set_str(j, "message", r->message);
	json_set_bool(j, "truncated", r->truncated);
	json_set_int(j, "input_tokens", r->usage.input_tokens);
	json_set_int(j, "output_tokens", r->usage.output_tokens);
	json_set_int(j, "tries", r->tries);
	json_set_int(j, "ms", now_ms() - start);
	print_line(j);
}

static enum llm_role role_of(const char *name)
{
	if (name && !strcmp(name, "system"))
		return LLM_SYSTEM;
	return name && !strcmp(name, "assistant") ? LLM_ASSISTANT : LLM_USER;
}

static int submit(struct llm *l, const struct json *j)
{
	struct llm_message messages[MAX_MESSAGES];
	struct llm_request req = {
		.id = get_int(j, "id"),
		.messages = messages,
		.schema_name = json_get_str(j, "schema_name"),
		.schema = json_get_str(j, "schema"),
		.max_tokens = get_int(j, "max_tokens"),
	};
	const struct json *m;

	json_for_each(m, json_get(j, "messages")) {
		struct llm_message *out = &messages[req.n_messages++];

		out->role = role_of(json_get_str(m, "role"));
		out->text = json_get_str(m, "text");
	}
	return llm_submit(l, &req);
}

static int wait_one(struct llm *l, int64_t start)
{
	struct llm_reply r;
	int err = llm_wait(l, &r);

	if (err) {
		struct json *j = json_new_object();

		json_set_int(j, "wait", err);
		json_set_str(j, "name", llm_err_name(err));
		json_set_int(j, "ms", now_ms() - start);
		print_line(j);
		return err;
	}
	print_reply(&r, start);
	llm_reply_free(&r);
	return 0;
}

static void ask(struct llm *l, const struct json *root)
{
	const struct json *req, *requests = json_get(root, "requests");
	bool one_by_one = false;
	int64_t start = now_ms();
	size_t i;

	json_get_bool(root, "one_by_one", &one_by_one);
	json_for_each(req, requests) {
		if (submit(l, req))
			return;
		if (one_by_one && wait_one(l, start))
			return;
	}
	for (i = 0; !one_by_one && i < json_len(requests); i++) {
		if (wait_one(l, start))
			return;
	}
	/* and one too many, which must be noticed */
	wait_one(l, start);
}

static void run(const struct json *root)
{
	const struct json *s = json_get(root, "settings");
	int64_t late = now_ms() + get_int(root, "interrupt_ms");
	struct llm_settings set = {
		.provider = json_get_str(s, "provider"),
		.model = json_get_str(s, "model"),
		.url = json_get_str(s, "url"),
		.key = json_get_str(s, "key"),
		.timeout_ms = get_int(s, "timeout_ms"),
		.max_tries = get_int(s, "max_tries"),
		.jobs = get_int(s, "jobs"),
		.max_reply = get_int(s, "max_reply"),
		.backoff_ms = get_int(s, "backoff_ms"),
		.interrupted = json_get(root, "interrupt_ms") ? is_late : NULL,
		.interrupted_arg = &late,
	};
	struct json *j = json_new_object();
	struct strbuf why = {0};
	struct llm *l = NULL;
	int err;

	err = llm_open(&set, &l, &why);
	json_set_int(j, "open", err);
	json_set_str(j, "name", llm_err_name(err));
	json_set_str(j, "why", strbuf_str(&why));
	json_set_str(j, "provider", l ? llm_name(l) : NULL);
	json_set_str(j, "model", l ? llm_model(l) : NULL);
	print_line(j);
	strbuf_free(&why);
	if (l)
		ask(l, root);
	llm_close(l);
}

int main(int argc, char **argv)
{
	struct json *root;
	char *text;
	size_t len;

	if (argc != 2 || file_read(argv[1], 0, &text, &len)) {
		fprintf(stderr, "usage: llm-driver FILE\n");
		return 1;
	}
	root = json_parse(text, len, NULL, NULL);
	free(text);
	run(root);
	json_free(root);
	return 0;
}
