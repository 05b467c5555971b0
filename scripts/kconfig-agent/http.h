/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * http - HTTP requests, several at once, over connections that are kept
 *
 * A client is used by one thread. Requests are submitted; http_wait() lets
 * them go on and hands out replies as they come in, in any order.
 *
 * Only http and https are spoken. Certificates are verified. Proxies are found
 * in the environment (HTTPS_PROXY, NO_PROXY, ...), and authorities in
 * CURL_CA_BUNDLE, SSL_CERT_DIR and SSL_CERT_FILE, as by the curl program.
 * Redirects are handed out, never followed: a request may carry a key that is
 * meant for one server only. For the same reason no text made here contains a
 * header, a body, or the user name, password or query of a URL.
 */
#ifndef KA_HTTP_H
#define KA_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http;
struct strbuf;

enum http_err {
	HTTP_OK = 0,
	HTTP_ENOMEM = -1,
	HTTP_EINVAL = -2,	/* a URL or header that cannot be sent */
	HTTP_ECONNECT = -3,	/* the server was not reached */
	HTTP_EBROKEN = -4,	/* the connection broke */
	HTTP_ETLS = -5,		/* no secure connection, or not to that server */
	HTTP_ETIMEOUT = -6,
	HTTP_ETOOBIG = -7,	/* the reply is beyond the cap */
	HTTP_EMALFORMED = -8,	/* what came back is not HTTP */
	HTTP_EINTERRUPTED = -9,
};

/* 0 and NULL mean the default. */
struct http_settings {
	unsigned int connect_timeout_ms;	/* 20 s */
	size_t max_reply;			/* bytes of one body; 8 MiB */
	/* looked at ten times a second while waiting; true ends the wait */
	bool (*interrupted)(void *arg);
	void *interrupted_arg;
};

struct http_request {
	const char *url;
	const char *const *headers;	/* "Name: value", ended by NULL; or NULL */
	const char *body;		/* NULL for GET, else POST */
	size_t len;
	unsigned int timeout_ms;	/* for all of it; 0: 5 minutes */
	void *tag;			/* the caller's; comes back in the reply */
};

struct http_reply {
	void *tag;
	int err;		/* 0, or an enum http_err */
	char what[256];		/* on error: for people, what went wrong */
	long status;		/* such as 200; 0 if it did not get that far */
	char *body;		/* malloc()ed, NUL terminated; NULL on error */
	size_t len;
	char *location;		/* where a redirect leads, malloc()ed, or NULL */
	int64_t retry_after_s;	/* what Retry-After says, or -1 */
};

/* Opens a client. Returns 0 or HTTP_ENOMEM. */
int http_open(const struct http_settings *settings, struct http **out);
/* Closes it; requests that are still under way are dropped. */
void http_close(struct http *h);

/*
 * Sends a request; everything in @req is copied. Returns 0, and a reply is
 * going to come; or HTTP_ENOMEM or HTTP_EINVAL, and none will.
 */
int http_submit(struct http *h, const struct http_request *req);

/*
 * Waits up to @max_ms for a reply (0: looks only; negative: any time). Returns
 * 0 and fills @reply, whose own @err may tell of a failure; HTTP_ETIMEOUT if
 * none came, HTTP_EINTERRUPTED, or HTTP_ENOMEM. Without requests under way it
 * just waits, interruptibly. The caller frees with http_reply_free().
 */
int http_wait(struct http *h, int64_t max_ms, struct http_reply *reply);
void http_reply_free(struct http_reply *reply);

/* Requests submitted whose replies have not been handed out. */
unsigned int http_pending(const struct http *h);

/*
 * Puts @path, which is empty or begins with '/', after the path that @base
 * has, and before its query: "http://h/v1/?a=b" and "/models" make
 * "http://h/v1/models?a=b". Returns 0 and the URL in *@out, to be freed by the
 * caller, and shown to nobody but by http_url_add(); HTTP_EINVAL if @base is
 * not a http or https URL with a host; or HTTP_ENOMEM.
 */
int http_url_join(const char *base, const char *path, char **out);
/* Adds @url without user name, password, query and fragment to @b. */
void http_url_add(struct strbuf *b, const char *url);

#endif
