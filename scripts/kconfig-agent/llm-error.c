// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "llm.h"
#include "llm-error.h"
#include "utf8.h"

#define MIN_SECRET 6	/* bytes of a key */
#define MAX_MESSAGE 1500

/* What to do about it; "%s" is the variable for the key. */
static const struct {
	int err;
	const char *advice;
} advices[] = {
	{ LLM_EAUTH,
	  "put a valid key in %s, or in a file that KCONFIG_AGENT_KEY_FILE names" },
	{ LLM_EMODEL, "choose another with --model" },
	{ LLM_EQUOTA, "see to the account, or choose another --provider" },
	{ LLM_ERATE, "lower --jobs or wait, then go on with --resume" },
	{ LLM_EOVERLOADED, "try again later, then go on with --resume" },
	{ LLM_ECONTEXT, "choose a --model with a longer context" },
	{ LLM_EREFUSED,
	  "say the goal in other words, or choose another --model" },
	{ LLM_EMALFORMED,
	  "check that --url is the base URL of an API that the --provider speaks" },
	{ LLM_ENETWORK,
	  "check --url, the network, and HTTPS_PROXY if there is a proxy" },
	{ LLM_ETIMEOUT, "lower --jobs, or choose a faster --model" },
	{ LLM_ETOOBIG, "check --url, or choose another --model" },
	{ 0 }
};

static void add_advice(const struct llm_where *w, struct strbuf *b, int err)
{
	const char *variable = w->key_variable ? w->key_variable : "";
	const char *s, *mark;
	size_t i;

	for (i = 0; advices[i].err && advices[i].err != err; i++)
		;
	s = advices[i].advice;
	if (!s)
		return;
	strbuf_addstr(b, "; ");
	mark = strstr(s, "%s");
	if (mark) {
		strbuf_add(b, s, mark - s);
		strbuf_addstr(b, variable);
		s = mark + 2;
	}
	strbuf_addstr(b, s);
}

/* Is @c nothing that a person sees, but something a terminal acts on? */
static bool acts(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) ||
	       (c >= 0x200e && c <= 0x200f) ||	/* marks of direction */
	       (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

static void add_clean(struct strbuf *b, const char *s, size_t len)
{
	const char *end = s + len;

	while (s < end) {
		uint32_t c = UTF8_REPLACEMENT;
		size_t n = utf8_decode(s, end, &c);

		utf8_encode(b, acts(c) ? ' ' : c);
		s += n ? n : 1;
	}
}

/* Adds what @fmt says, without the key, clean, and not too long. */
static void add_what(const struct llm_where *w, struct strbuf *b,
		     const char *fmt, va_list ap)
{
	struct strbuf raw = {0};
	size_t len;
	char *text;

	strbuf_vaddf(&raw, fmt, ap);
	text = strbuf_detach(&raw, &len);
	if (text && !llm_scrub(&text, &len, w->key))
		add_clean(b, text, len < MAX_MESSAGE ? len : MAX_MESSAGE);
	else
		strbuf_addstr(b, "out of memory");
	free(text);
	strbuf_free(&raw);
}

static void explain(const struct llm_where *w, struct strbuf *b, int err,
		    const char *fmt, va_list ap)
{
	if (w->url) {
		add_clean(b, w->url, strlen(w->url));
		strbuf_addstr(b, ": ");
	}
	add_what(w, b, fmt, ap);
	add_advice(w, b, err);
}

void llm_explain(const struct llm_where *w, struct strbuf *b, int err,
		 const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	explain(w, b, err, fmt, ap);
	va_end(ap);
}

void llm_fail(const struct llm_where *w, struct llm_reply *reply, int err,
	      const char *fmt, ...)
{
	struct strbuf b = {0};
	va_list ap;

	free(reply->text);
	free(reply->message);
	reply->text = NULL;
	reply->len = 0;
	reply->truncated = false;
	reply->err = err;
	va_start(ap, fmt);
	explain(w, &b, err, fmt, ap);
	va_end(ap);
	reply->message = strbuf_detach(&b, NULL);
	strbuf_free(&b);
}

int llm_scrub(char **text, size_t *len, const char *key)
{
	const char *s = *text, *end = s + *len, *hit;
	const size_t n = key ? strlen(key) : 0;
	struct strbuf b = {0};
	char *clean;

	if (n < MIN_SECRET || !memmem(s, *len, key, n))
		return 0;
	while ((hit = memmem(s, end - s, key, n))) {
		strbuf_add(&b, s, hit - s);
		strbuf_addstr(&b, "[key]");
		s = hit + n;
	}
	strbuf_add(&b, s, end - s);
	clean = strbuf_detach(&b, len);
	strbuf_free(&b);
	free(*text);
	*text = clean;
	return clean ? 0 : LLM_ENOMEM;
}
