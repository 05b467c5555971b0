/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llm - providers: whoever answers the questions of the walk
 *
 * One interface for servers and for what is built in: requests are submitted,
 * replies come back in any order. A provider is one file and one row in the
 * table in llm.c.
 *
 * Whatever comes back is untrusted: the text of a reply is bytes up to a cap,
 * NUL terminated, perhaps not UTF-8, perhaps not JSON.
 */
#ifndef KA_LLM_H
#define KA_LLM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct group;
struct llm;

enum llm_err {
	LLM_OK = 0,
	LLM_ENOMEM = -1,
	LLM_ECONFIG = -2,	/* settings are missing or make no sense */
	LLM_EAUTH = -3,		/* the key is missing or refused */
	LLM_EMODEL = -4,	/* the server does not know the model */
	LLM_EQUOTA = -5,	/* the account is exhausted */
	LLM_ERATE = -6,		/* too many requests, after all retries */
	LLM_EOVERLOADED = -7,	/* server errors (5xx), after all retries */
	LLM_ECONTEXT = -8,	/* the prompt does not fit the model */
	LLM_EREFUSED = -9,	/* the model declined to answer */
	LLM_EMALFORMED = -10,	/* the server does not speak the protocol */
	LLM_ENETWORK = -11,	/* no connection, or it broke */
	LLM_ETIMEOUT = -12,
	LLM_ETOOBIG = -13,	/* a reply beyond the size cap */
	LLM_EINTERRUPTED = -14,	/* the person pressed Ctrl-C */
};

/* A short English name of an error class, such as "rate limit". */
const char *llm_err_name(int err);

enum llm_role { LLM_SYSTEM, LLM_USER, LLM_ASSISTANT };

struct llm_message {
	enum llm_role role;
	const char *text;
};

struct llm_request {
	uint64_t id;			/* the caller's; comes back in the reply */
	const struct llm_message *messages;
	size_t n_messages;
	const char *schema_name;	/* [a-z_]+ */
	const char *schema;		/* JSON Schema of the reply, as text */
	unsigned int max_tokens;	/* of the reply; 0: the provider's default */
	const struct group *group;	/* the question as a structure */
};

/* Figures of the server; -1 where it gave none. */
struct llm_usage {
	int64_t input_tokens;
	int64_t output_tokens;
};

struct llm_reply {
	uint64_t id;
	int err;			/* 0 or an enum llm_err */
	char *text;			/* NULL on error; else malloc()ed */
	size_t len;
	char *message;			/* on error: for people, malloc()ed */
	bool truncated;			/* the model hit its output limit */
	struct llm_usage usage;
	unsigned int tries;		/* HTTP requests this took, 0 if none */
};

/* Frees what is in @r and zeroes it. */
void llm_reply_free(struct llm_reply *r);

/* Settings; NULL and 0 mean default. Strings are copied where kept. */
struct llm_settings {
	const char *provider;		/* "knowledge", "openai", ... */
	const char *model;
	const char *url;		/* base, such as http://127.0.0.1:8080/v1 */
	const char *key;		/* never printed, logged or journalled */
	unsigned int timeout_ms;	/* of one request, tries included */
	unsigned int max_tries;
	unsigned int jobs;		/* requests in flight at most */
	size_t max_reply;		/* bytes of one HTTP reply */
	const char *goal;		/* what the walk is for */
	const struct kb *kb;		/* for the knowledge provider */
	/* looked at while waiting; true ends the wait with LLM_EINTERRUPTED */
	bool (*interrupted)(void *arg);
	void *interrupted_arg;
	unsigned int backoff_ms;	/* before the second try; then doubled */
};

/* What 0 means in the settings of a provider on the network. */
#define LLM_TIMEOUT_MS	(5 * 60 * 1000)
#define LLM_MAX_TRIES	4
#define LLM_JOBS	1
#define LLM_JOBS_MAX	64
#define LLM_MAX_REPLY	(8u << 20)
#define LLM_BACKOFF_MS	500

/* What a provider implements. All functions get its own @state. */
struct llm_ops {
	const char *name;
	const char *summary;		/* one line for --help */
	bool needs_network;
	int (*open)(const struct llm_settings *s, void **state,
		    struct strbuf *why);
	int (*submit)(void *state, const struct llm_request *req);
	int (*wait)(void *state, struct llm_reply *reply);
	void (*close)(void *state);
	/* the model that answers; NULL function or result: there is none */
	const char *(*model)(void *state);
};

/* Rows of the table, ended by NULL: for --help and completions. */
const struct llm_ops *const *llm_providers(void);

/*
 * Opens the provider that @s names. On failure returns an llm_err and says in
 * @why what is wrong and what to do.
 */
int llm_open(const struct llm_settings *s, struct llm **out,
	     struct strbuf *why);
/* The name of the provider. */
const char *llm_name(const struct llm *l);
/*
 * The model that answers, as in the settings or as found out from the server;
 * NULL if the provider has none. Belongs to @l; not fit for a terminal as is.
 */
const char *llm_model(const struct llm *l);
/*
 * Queues a request. Copies what it needs of @req, but for @group, which must
 * stay until its reply is there. Returns 0 or LLM_ENOMEM.
 */
int llm_submit(struct llm *l, const struct llm_request *req);
/*
 * Waits for the next reply of those submitted. Returns 0 and fills @reply
 * (whose own @err may tell of a failure), or an llm_err when nothing can be
 * waited for: LLM_ECONFIG if there are no requests, LLM_EINTERRUPTED (they stay
 * and may be waited for again) or LLM_ENOMEM. Free the reply with
 * llm_reply_free().
 */
int llm_wait(struct llm *l, struct llm_reply *reply);
/* Closes the provider; requests without a reply are dropped. NULL is fine. */
void llm_close(struct llm *l);

/*
 * Models that cannot be held to a schema are asked to put their answer in a
 * fenced block, and put words around it. Finds the answer in the @len bytes at
 * @text: the last block marked as JSON, else the last block, also if it is cut
 * off before its end; else all of it. The result points into @text.
 */
const char *llm_unfence(const char *text, size_t len, size_t *out_len);

#endif
