// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "llm.h"
#include "llm-providers.h"

#define DEFAULT_PROVIDER "knowledge"

static const struct llm_ops *const providers[] = {
	&llm_knowledge,
	&llm_openai,
	&llm_anthropic,
	&llm_ollama,
	NULL
};

struct llm {
	const struct llm_ops *ops;
	void *state;
};

const char *llm_err_name(int err)
{
	static const struct {
		int err;
		const char *name;
	} names[] = {
		{ LLM_OK, "no error" },
		{ LLM_ENOMEM, "out of memory" },
		{ LLM_ECONFIG, "settings" },
		{ LLM_EAUTH, "authentication" },
		{ LLM_EMODEL, "unknown model" },
		{ LLM_EQUOTA, "account exhausted" },
		{ LLM_ERATE, "rate limit" },
		{ LLM_EOVERLOADED, "server error" },
		{ LLM_ECONTEXT, "prompt too long" },
		{ LLM_EREFUSED, "refused" },
		{ LLM_EMALFORMED, "malformed reply" },
		{ LLM_ENETWORK, "network" },
		{ LLM_ETIMEOUT, "timeout" },
		{ LLM_ETOOBIG, "reply too big" },
		{ LLM_EINTERRUPTED, "interrupted" },
		{ 0, NULL }
	};
	size_t i;

	for (i = 0; names[i].name; i++) {
		if (names[i].err == err)
			return names[i].name;
	}
	return "unknown error";
}

void llm_reply_free(struct llm_reply *r)
{
	free(r->text);
	free(r->message);
	memset(r, 0, sizeof(*r));
}

const struct llm_ops *const *llm_providers(void)
{
	return providers;
}

static const struct llm_ops *find(const char *name)
{
	const struct llm_ops *const *p;

	for (p = providers; *p; p++) {
		if (!strcmp((*p)->name, name))
			return *p;
	}
	return NULL;
}

static void say_unknown(struct strbuf *why, const char *name)
{
	const struct llm_ops *const *p;

	strbuf_addf(why, "there is no provider \"%s\"; choose one of:", name);
	for (p = providers; *p; p++)
		strbuf_addf(why, "%s %s", p == providers ? "" : ",",
			    (*p)->name);
}

int llm_open(const struct llm_settings *s, struct llm **out,
	     struct strbuf *why)
{
	const char *name = s->provider ? s->provider : DEFAULT_PROVIDER;
	const struct llm_ops *ops = find(name);
	struct llm *l;
	int err;

	if (!ops) {
		say_unknown(why, name);
		return LLM_ECONFIG;
	}
	l = calloc(1, sizeof(*l));
	if (!l) {
		strbuf_addstr(why, "out of memory");
		return LLM_ENOMEM;
	}
	l->ops = ops;
	err = ops->open(s, &l->state, why);
	if (err) {
		free(l);
		return err;
	}
	*out = l;
	return 0;
}

const char *llm_name(const struct llm *l)
{
	return l->ops->name;
}

const char *llm_model(const struct llm *l)
{
	return l->ops->model ? l->ops->model(l->state) : NULL;
}

int llm_submit(struct llm *l, const struct llm_request *req)
{
	return l->ops->submit(l->state, req);
}

int llm_wait(struct llm *l, struct llm_reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	return l->ops->wait(l->state, reply);
}

void llm_close(struct llm *l)
{
	if (!l)
		return;
	l->ops->close(l->state);
	free(l);
}

/* ---- fenced blocks ---------------------------------------------------- */

struct span {
	const char *p, *end;
};

/* The next line of *@rest without its line break. False at the end. */
static bool next_line(struct span *rest, struct span *line)
{
	const char *nl;

	if (rest->p == rest->end)
		return false;
	nl = memchr(rest->p, '\n', rest->end - rest->p);
	line->p = rest->p;
	line->end = nl ? nl : rest->end;
	rest->p = nl ? nl + 1 : rest->end;
	return true;
}

static void trim(struct span *s)
{
	while (s->p < s->end && strchr(" \t\r\n", *s->p) && *s->p)
		s->p++;
	while (s->p < s->end && strchr(" \t\r\n", s->end[-1]) && s->end[-1])
		s->end--;
}

/* Is @line a fence? Then *@info is what follows the backquotes. */
static bool is_fence(struct span line, struct span *info)
{
	trim(&line);
	if (line.end - line.p < 3 || memcmp(line.p, "```", 3))
		return false;
	while (line.p < line.end && *line.p == '`')
		line.p++;
	trim(&line);
	*info = line;
	return true;
}

const char *llm_unfence(const char *text, size_t len, size_t *out_len)
{
	struct span rest = { text, text + len };
	struct span line, info, block = rest, best = rest;
	bool inside = false, json = false, best_json = false, more = true;

	trim(&best);
	if (best.p < best.end && (*best.p == '{' || *best.p == '['))
		more = false;
	while (more) {
		more = next_line(&rest, &line);
		if (more && !is_fence(line, &info))
			continue;
		if (inside) {
			block.end = more ? line.p : rest.end;
			trim(&block);
			if (block.p < block.end && (json || !best_json)) {
				best = block;
				best_json = json;
			}
		}
		if (!more)
			break;
		/* a fence that says of what is a new one, in any case */
		inside = !inside || info.p < info.end;
		block.p = rest.p;
		json = info.end - info.p == 4 && !strncasecmp(info.p, "json", 4);
	}
	*out_len = best.end - best.p;
	return best.p;
}
