// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "llm-http.h"

#define MAX_PAUSE_MS 30000
#define MAX_FORMS 8	/* how often one request may be put in another form */

struct job {
	struct job *next;
	struct arena mem;		/* holds what @req points to */
	struct llm_request req;
	bool flying;
	unsigned int form;		/* as it was last asked */
	unsigned int forms;		/* how often the form was changed */
	unsigned int failures;
	unsigned int sent;		/* requests over the wire */
	int64_t deadline;		/* 0: not begun */
	int64_t due;			/* not to be sent before */
};

struct llm_http {
	const struct llm_http_ops *ops;
	void *state;
	struct http *http;
	char *base, *url, *public;	/* the last is for people */
	char *key;
	char *key_line;			/* the header with it, or NULL */
	const char *header;
	struct llm_where where;
	unsigned int timeout_ms, max_tries, jobs, backoff_ms;
	struct job *queue;		/* in order of submission */
	unsigned int flying;
	int64_t hold;			/* send nothing before: the server said so */
	bool reached;			/* the server answered before */
	uint32_t random;
};

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* ---- opening and closing ---------------------------------------------- */

static unsigned int or_default(unsigned int n, unsigned int dflt)
{
	return n ? n : dflt;
}

static int open_urls(struct llm_http *q, const struct llm_http_config *c,
		     struct strbuf *why)
{
	struct strbuf b = {0};
	int err;

	err = http_url_join(c->url, c->path, &q->url);
	if (err == HTTP_EINVAL) {
		strbuf_addstr(why,
			      "--url is not a URL like http://127.0.0.1:8080/v1");
		return LLM_ECONFIG;
	}
	q->base = strdup(c->url);
	if (!err)
		http_url_add(&b, q->url);
	q->public = strbuf_detach(&b, NULL);
	strbuf_free(&b);
	if (err || !q->base || !q->public) {
		strbuf_addstr(why, "out of memory");
		return LLM_ENOMEM;
	}
	q->where.url = q->public;
	return 0;
}

static int open_key(struct llm_http *q, const struct llm_http_config *c,
		    struct strbuf *why)
{
	const char *key = c->settings->key, *s;
	struct strbuf b = {0};

	q->where.key_variable = c->key_variable;
	if (!key || !*key)
		return 0;
	for (s = key; *s; s++) {
		if ((unsigned char)*s <= ' ' || *s == 0x7f) {
			llm_explain(&q->where, why, LLM_EAUTH,
				    "the key has a space or a line break in it");
			return LLM_EAUTH;
		}
	}
	strbuf_addstr(&b, c->key_header);
	strbuf_addstr(&b, key);
	q->key = strdup(key);
	q->key_line = strbuf_detach(&b, NULL);
	strbuf_free(&b);
	if (!q->key || !q->key_line) {
		strbuf_addstr(why, "out of memory");
		return LLM_ENOMEM;
	}
	q->where.key = q->key;
	return 0;
}

static int open_client(struct llm_http *q, const struct llm_settings *s,
		       struct strbuf *why)
{
	struct http_settings set = {
		.max_reply = s->max_reply ? s->max_reply : LLM_MAX_REPLY,
		.interrupted = s->interrupted,
		.interrupted_arg = s->interrupted_arg,
	};

	q->timeout_ms = or_default(s->timeout_ms, LLM_TIMEOUT_MS);
	q->max_tries = or_default(s->max_tries, LLM_MAX_TRIES);
	q->backoff_ms = or_default(s->backoff_ms, LLM_BACKOFF_MS);
	q->jobs = or_default(s->jobs, LLM_JOBS);
	if (q->jobs > LLM_JOBS_MAX)
		q->jobs = LLM_JOBS_MAX;
	q->random = hash_mix((uint32_t)now_ms(), (uint32_t)getpid());
	if (http_open(&set, &q->http)) {
		strbuf_addstr(why, "out of memory");
		return LLM_ENOMEM;
	}
	return 0;
}

int llm_http_open(const struct llm_http_config *config, struct llm_http **out,
		  struct strbuf *why)
{
	struct llm_http *q = calloc(1, sizeof(*q));
	int err;

	if (!q) {
		strbuf_addstr(why, "out of memory");
		return LLM_ENOMEM;
	}
	q->ops = config->ops;
	q->header = config->header;
	q->state = config->state;
	err = open_urls(q, config, why);
	if (!err)
		err = open_key(q, config, why);
	if (!err)
		err = open_client(q, config->settings, why);
	if (err) {
		llm_http_close(q);
		return err;
	}
	*out = q;
	return 0;
}

static void job_free(struct job *j)
{
	arena_free(&j->mem);
	free(j);
}

static void forget(char *secret)
{
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

void llm_http_close(struct llm_http *q)
{
	struct job *j, *next;

	if (!q)
		return;
	http_close(q->http);
	for (j = q->queue; j; j = next) {
		next = j->next;
		job_free(j);
	}
	forget(q->key);
	forget(q->key_line);
	free(q->base);
	free(q->url);
	free(q->public);
	free(q);
}

const struct llm_where *llm_http_where(const struct llm_http *q)
{
	return &q->where;
}

/* ---- sending ---------------------------------------------------------- */

static bool copy_text(struct job *j, const char **s)
{
	if (!*s)
		return true;
	*s = arena_strdup(&j->mem, *s);
	return *s;
}

static bool copy_request(struct job *j, const struct llm_request *req)
{
	struct llm_message *m;
	size_t i;

	j->req = *req;
	m = arena_alloc(&j->mem, (req->n_messages + 1) * sizeof(*m));
	if (!m)
		return false;
	j->req.messages = m;
	for (i = 0; i < req->n_messages; i++) {
		m[i] = req->messages[i];
		if (!copy_text(j, &m[i].text))
			return false;
	}
	return copy_text(j, &j->req.schema_name) &&
	       copy_text(j, &j->req.schema);
}

int llm_http_submit(struct llm_http *q, const struct llm_request *req)
{
	struct job *j = calloc(1, sizeof(*j)), **end;

	if (!j)
		return LLM_ENOMEM;
	if (!copy_request(j, req)) {
		job_free(j);
		return LLM_ENOMEM;
	}
	for (end = &q->queue; *end; end = &(*end)->next)
		;
	*end = j;
	return 0;
}

static int send_http(struct llm_http *q, const char *url,
		     const struct strbuf *body, unsigned int timeout_ms,
		     void *tag)
{
	const char *headers[5] = { "Accept: application/json" };
	struct http_request req = {
		.url = url,
		.headers = headers,
		.timeout_ms = timeout_ms,
		.tag = tag,
	};
	size_t n = 1;

	if (body) {
		req.body = body->s;
		req.len = body->len;
		headers[n++] = "Content-Type: application/json";
	}
	if (q->header)
		headers[n++] = q->header;
	headers[n] = q->key_line;
	return http_submit(q->http, &req);
}

static int start(struct llm_http *q, struct job *j, int64_t now)
{
	struct strbuf body = {0};
	int err = LLM_ENOMEM;

	if (!j->deadline)
		j->deadline = now + q->timeout_ms;
	q->ops->body(q->state, &j->req, &j->form, &body);
	if (body.s && !body.err)
		err = send_http(q, q->url, &body, j->deadline > now ?
				(unsigned int)(j->deadline - now) : 1, j);
	strbuf_free(&body);
	if (err)
		return LLM_ENOMEM;
	j->flying = true;
	j->sent++;
	q->flying++;
	return 0;
}

/*
 * Sends what is due, and tells in *@wait_ms when there will be more to send:
 * negative means, not before a reply has come.
 */
static int start_due(struct llm_http *q, int64_t *wait_ms)
{
	int64_t now = now_ms(), when;
	struct job *j;
	int err;

	*wait_ms = -1;
	for (j = q->queue; j && q->flying < q->jobs; j = j->next) {
		if (j->flying)
			continue;
		when = j->due > q->hold ? j->due : q->hold;
		if (when <= now) {
			err = start(q, j, now);
			if (err)
				return err;
		} else if (*wait_ms < 0 || when - now < *wait_ms) {
			*wait_ms = when - now;
		}
	}
	if (q->flying == q->jobs)
		*wait_ms = -1;
	return 0;
}

/* ---- receiving -------------------------------------------------------- */

/* Words for a failure below HTTP, and whether to try once more. */
static enum llm_http_next judge_failure(struct llm_http *q,
					const struct http_reply *http,
					struct llm_reply *r)
{
	const struct llm_where *w = &q->where;

	switch (http->err) {
	case HTTP_ENOMEM:
		llm_fail(w, r, LLM_ENOMEM, "out of memory");
		return LLM_HTTP_DONE;
	case HTTP_ETIMEOUT:
		llm_fail(w, r, LLM_ETIMEOUT, "no answer in time: %s",
			 http->what);
		return LLM_HTTP_DONE;
	case HTTP_ETOOBIG:
		llm_fail(w, r, LLM_ETOOBIG, "the reply is too big: %s",
			 http->what);
		return LLM_HTTP_DONE;
	case HTTP_EMALFORMED:
		llm_fail(w, r, LLM_EMALFORMED, "the reply is not HTTP: %s",
			 http->what);
		return LLM_HTTP_DONE;
	case HTTP_ETLS:
		llm_fail(w, r, LLM_ENETWORK, "no secure connection: %s",
			 http->what);
		return LLM_HTTP_DONE;
	case HTTP_ECONNECT:
		llm_fail(w, r, LLM_ENETWORK, "cannot connect: %s", http->what);
		/* a server that never was there is a mistake in the settings */
		return q->reached ? LLM_HTTP_RETRY : LLM_HTTP_DONE;
	default:
		llm_fail(w, r, LLM_ENETWORK, "the connection broke: %s",
			 http->what);
		return LLM_HTTP_RETRY;
	}
}

/* Doubles with each failure; half to one and a half of that, by chance. */
static int64_t pause_ms(struct llm_http *q, unsigned int failures)
{
	int64_t ms = q->backoff_ms;

	while (--failures && ms < MAX_PAUSE_MS)
		ms *= 2;
	if (ms > MAX_PAUSE_MS)
		ms = MAX_PAUSE_MS;
	q->random = hash_mix(q->random, failures + 1);
	return ms / 2 + q->random % (ms + 1);
}

/* Puts off the next try of @j. False if there is to be none. */
static bool schedule_retry(struct llm_http *q, struct job *j,
			   int64_t retry_after_s)
{
	int64_t now = now_ms(), wait;

	if (++j->failures >= q->max_tries)
		return false;
	wait = pause_ms(q, j->failures);
	if (retry_after_s > 0) {
		if (retry_after_s > q->timeout_ms / 1000)
			return false;
		if (q->hold < now + retry_after_s * 1000)
			q->hold = now + retry_after_s * 1000;
		/* a little later, so that not all come at the same moment */
		wait = wait / 8 + retry_after_s * 1000;
	}
	j->due = now + wait;
	return j->due < j->deadline;
}

static bool goes_on(struct llm_http *q, struct job *j,
		    enum llm_http_next next, int64_t retry_after_s)
{
	if (next == LLM_HTTP_AGAIN)
		return ++j->forms <= MAX_FORMS;
	return next == LLM_HTTP_RETRY && schedule_retry(q, j, retry_after_s);
}

static void remove_job(struct llm_http *q, struct job *j)
{
	struct job **pp = &q->queue;

	while (*pp != j)
		pp = &(*pp)->next;
	*pp = j->next;
	job_free(j);
}

/* True if @http ended its job, and how is in @r. */
static bool settle(struct llm_http *q, const struct http_reply *http,
		   struct llm_reply *r)
{
	struct job *j = http->tag;
	enum llm_http_next next;

	j->flying = false;
	q->flying--;
	r->usage.input_tokens = -1;
	r->usage.output_tokens = -1;
	if (http->err) {
		next = judge_failure(q, http, r);
	} else {
		q->reached = true;
		next = q->ops->judge(q->state, http, j->form, r);
	}
	if (goes_on(q, j, next, http->retry_after_s)) {
		llm_reply_free(r);
		return false;
	}
	if (r->text && llm_scrub(&r->text, &r->len, q->key))
		llm_fail(&q->where, r, LLM_ENOMEM, "out of memory");
	r->id = j->req.id;
	r->tries = j->sent;
	remove_job(q, j);
	return true;
}

static int err_of(int http_err)
{
	return http_err == HTTP_EINTERRUPTED ? LLM_EINTERRUPTED : LLM_ENOMEM;
}

int llm_http_wait(struct llm_http *q, struct llm_reply *reply)
{
	struct http_reply http;
	int64_t wait_ms;
	bool done;
	int err;

	while (q->queue) {
		err = start_due(q, &wait_ms);
		if (err)
			return err;
		err = http_wait(q->http, wait_ms, &http);
		if (err == HTTP_ETIMEOUT)
			continue;
		if (err)
			return err_of(err);
		done = settle(q, &http, reply);
		http_reply_free(&http);
		if (done)
			return 0;
	}
	return LLM_ECONFIG;
}

int llm_http_get(struct llm_http *q, const char *path,
		 struct http_reply *http, struct strbuf *why)
{
	struct llm_reply r = {0};
	char *url;
	int err;

	err = http_url_join(q->base, path, &url);
	if (!err)
		err = send_http(q, url, NULL, q->timeout_ms, NULL);
	if (!err)
		err = http_wait(q->http, -1, http);
	free(url);
	if (err) {
		err = err_of(err);
		strbuf_addstr(why, llm_err_name(err));
		return err;
	}
	if (!http->err)
		return 0;
	judge_failure(q, http, &r);
	err = r.err;
	strbuf_addstr(why, r.message ? r.message : llm_err_name(err));
	llm_reply_free(&r);
	http_reply_free(http);
	return err;
}
