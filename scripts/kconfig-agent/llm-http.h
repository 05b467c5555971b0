/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llm-http - what providers have in common that ask a server
 *
 * A queue of requests of which a few are in flight; tries with growing pauses
 * in between; time limits. What the server is sent and what its answers mean
 * is the provider's, which supplies two functions.
 *
 * The key goes into one header and nowhere else: where a server sends it back,
 * it is taken out of what is handed on.
 */
#ifndef KA_LLM_HTTP_H
#define KA_LLM_HTTP_H

#include "http.h"
#include "llm.h"
#include "llm-error.h"

struct llm_http;

/* What is to be done after a reply of the server. */
enum llm_http_next {
	LLM_HTTP_DONE,		/* this is the answer, or the error */
	LLM_HTTP_RETRY,		/* an error, but the next try may succeed */
	LLM_HTTP_AGAIN,		/* ask at once, in another form */
};

struct llm_http_ops {
	/*
	 * Adds to @out the body of a POST that asks @req. What is left in
	 * *@form comes back to judge(): how it was asked.
	 */
	void (*body)(void *state, const struct llm_request *req,
		     unsigned int *form, struct strbuf *out);
	/*
	 * Looks at a whole reply with any status. Sets @reply's text, len,
	 * usage and truncated; or calls llm_fail(). Before LLM_HTTP_AGAIN it
	 * does so as well, as one may not ask again for ever.
	 */
	enum llm_http_next (*judge)(void *state, const struct http_reply *http,
				    unsigned int form,
				    struct llm_reply *reply);
};

struct llm_http_config {
	const struct llm_http_ops *ops;
	void *state;
	const char *url;		/* base */
	const char *path;		/* of the POSTs, put after @url */
	const char *header;		/* one more, or NULL; kept, not copied */
	const char *key_header;		/* such as "Authorization: Bearer " */
	const char *key_variable;	/* where people put the key */
	const struct llm_settings *settings;
};

/*
 * Opens a queue. Strings are copied, but for @path, @header and those about
 * the key.
 * Returns 0, or an llm_err with the reason in @why.
 */
int llm_http_open(const struct llm_http_config *config, struct llm_http **out,
		  struct strbuf *why);
void llm_http_close(struct llm_http *q);

/* As llm_submit() and llm_wait(). */
int llm_http_submit(struct llm_http *q, const struct llm_request *req);
int llm_http_wait(struct llm_http *q, struct llm_reply *reply);

/*
 * GETs @path, put after the base URL, and waits for it, once; to be used while
 * there are no other requests. Returns 0 and fills @http, to be freed by the
 * caller; or an llm_err with the reason in @why.
 */
int llm_http_get(struct llm_http *q, const char *path,
		 struct http_reply *http, struct strbuf *why);

/* What llm_fail() needs to know. Belongs to @q. */
const struct llm_where *llm_http_where(const struct llm_http *q);

#endif
