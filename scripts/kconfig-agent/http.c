// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <curl/curl.h>

#include "base/strbuf.h"
#include "http.h"
#include "version.h"

#define CONNECT_TIMEOUT_MS 20000
#define TIMEOUT_MS (5 * 60 * 1000)
#define MAX_REPLY (8u << 20)
#define MAX_HEADERS (256u << 10)	/* bytes, all of one reply */
#define SLICE_MS 100			/* between looks at interrupted() */
#define CURLE_TOO_LARGE_ 100		/* CURLE_TOO_LARGE since curl 8.6 */

struct transfer {
	struct transfer *next;
	CURL *easy;
	struct curl_slist *headers;
	struct strbuf body;
	size_t max_reply;
	size_t header_bytes;
	bool headers_end;	/* the empty line after them came */
	bool too_big;
	void *tag;
	char what[CURL_ERROR_SIZE];
};

struct http {
	struct http_settings set;
	CURLM *multi;
	struct transfer *transfers;
	unsigned int pending;
};

/* ---- transfers -------------------------------------------------------- */

static size_t on_header(char *p, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;

	n *= size;
	t->header_bytes += n;
	if (t->header_bytes > MAX_HEADERS) {
		t->too_big = true;
		return 0;
	}
	/* a proxy's headers come first, and so may those of "100 Continue" */
	if (n >= 5 && !memcmp(p, "HTTP/", 5))
		t->headers_end = false;
	else if (n && (p[0] == '\r' || p[0] == '\n'))
		t->headers_end = true;
	return n;
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;

	if (size * n > t->max_reply - t->body.len) {
		t->too_big = true;
		return 0;
	}
	strbuf_add(&t->body, p, size * n);
	return t->body.err ? 0 : size * n;
}

static void transfer_free(struct transfer *t)
{
	if (!t)
		return;
	curl_easy_cleanup(t->easy);
	curl_slist_free_all(t->headers);
	strbuf_free(&t->body);
	free(t);
}

/* A line break in a header would start another one. */
static bool header_ok(const char *s)
{
	const char *colon = strchr(s, ':');

	if (!colon || colon == s)
		return false;
	for (; *s; s++) {
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			return false;
	}
	return true;
}

static int add_header(struct transfer *t, const char *s)
{
	struct curl_slist *list;

	list = curl_slist_append(t->headers, s);
	if (!list)
		return HTTP_ENOMEM;
	t->headers = list;
	return 0;
}

static int add_headers(struct transfer *t, const struct http_request *req)
{
	const char *const *s;
	int err;

	for (s = req->headers; s && *s; s++) {
		if (!header_ok(*s))
			return HTTP_EINVAL;
		err = add_header(t, *s);
		if (err)
			return err;
	}
	/* or a long body waits a second for a "100 Continue" */
	return add_header(t, "Expect:");
}

/* As the curl program does; the library does not look at these by itself. */
static CURLcode set_authorities(CURL *e)
{
	const char *bundle = getenv("CURL_CA_BUNDLE");
	const char *dir = getenv("SSL_CERT_DIR");
	const char *file = getenv("SSL_CERT_FILE");
	CURLcode rc = CURLE_OK;

	if (bundle && *bundle)
		return curl_easy_setopt(e, CURLOPT_CAINFO, bundle);
	if (dir && *dir)
		rc = curl_easy_setopt(e, CURLOPT_CAPATH, dir);
	if (!rc && file && *file)
		rc = curl_easy_setopt(e, CURLOPT_CAINFO, file);
	return rc;
}

static CURLcode set_protocols(CURL *e)
{
#if LIBCURL_VERSION_NUM >= 0x075500
	return curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	return curl_easy_setopt(e, CURLOPT_PROTOCOLS,
				(long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

#define SET(option, value) \
	do { \
		if (!rc) \
			rc = curl_easy_setopt(e, option, value); \
	} while (0)

static CURLcode set_limits(const struct http *h, struct transfer *t,
			   const struct http_request *req)
{
	CURL *e = t->easy;
	CURLcode rc = CURLE_OK;

	SET(CURLOPT_CONNECTTIMEOUT_MS, (long)h->set.connect_timeout_ms);
	SET(CURLOPT_TIMEOUT_MS, (long)(req->timeout_ms ? req->timeout_ms :
				       TIMEOUT_MS));
	SET(CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)h->set.max_reply);
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_HTTP09_ALLOWED, 0L);
	SET(CURLOPT_SSL_VERIFYPEER, 1L);
	SET(CURLOPT_SSL_VERIFYHOST, 2L);
	SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(CURLOPT_TCP_KEEPALIVE, 1L);
	if (!rc)
		rc = set_protocols(e);
	if (!rc)
		rc = set_authorities(e);
	return rc;
}

static CURLcode set_options(const struct http *h, struct transfer *t,
			    const struct http_request *req)
{
	CURL *e = t->easy;
	CURLcode rc;

	rc = set_limits(h, t, req);
	SET(CURLOPT_PRIVATE, t);
	SET(CURLOPT_ERRORBUFFER, t->what);
	SET(CURLOPT_URL, req->url);
	SET(CURLOPT_USERAGENT, "kconfig-agent/" KA_VERSION);
	SET(CURLOPT_HTTPHEADER, t->headers);
	SET(CURLOPT_HEADERFUNCTION, on_header);
	SET(CURLOPT_HEADERDATA, t);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, t);
	if (req->body) {
		SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)req->len);
		SET(CURLOPT_COPYPOSTFIELDS, req->body);
	}
	return rc;
}

int http_submit(struct http *h, const struct http_request *req)
{
	struct transfer *t;
	char *url;
	int err;

	err = http_url_join(req->url, "", &url);
	if (err)
		return err;
	free(url);
	t = calloc(1, sizeof(*t));
	if (!t)
		return HTTP_ENOMEM;
	t->tag = req->tag;
	t->max_reply = h->set.max_reply;
	t->easy = curl_easy_init();
	err = t->easy ? add_headers(t, req) : HTTP_ENOMEM;
	if (!err && (set_options(h, t, req) ||
		     curl_multi_add_handle(h->multi, t->easy)))
		err = HTTP_ENOMEM;
	if (err) {
		transfer_free(t);
		return err;
	}
	t->next = h->transfers;
	h->transfers = t;
	h->pending++;
	return 0;
}

static void drop(struct http *h, struct transfer *t)
{
	struct transfer **pp = &h->transfers;

	while (*pp != t)
		pp = &(*pp)->next;
	*pp = t->next;
	h->pending--;
	curl_multi_remove_handle(h->multi, t->easy);
	transfer_free(t);
}

/* ---- replies ---------------------------------------------------------- */

/* Has anything come back? */
static bool has_begun(const struct transfer *t)
{
	curl_off_t us = 0;

	curl_easy_getinfo(t->easy, CURLINFO_STARTTRANSFER_TIME_T, &us);
	return us > 0;
}

static int err_of(CURLcode rc, const struct transfer *t)
{
	switch ((int)rc) {
	case CURLE_OK:
		/* curl does not mind headers that are cut off */
		return t->headers_end ? HTTP_OK : HTTP_EBROKEN;
	case CURLE_OUT_OF_MEMORY:
		/* so curl says of a header line beyond its own limit, too */
		return has_begun(t) ? HTTP_ETOOBIG : HTTP_ENOMEM;
	case CURLE_TOO_LARGE_:
		return HTTP_ETOOBIG;
	case CURLE_WRITE_ERROR:
		return t->too_big ? HTTP_ETOOBIG : HTTP_ENOMEM;
	case CURLE_FILESIZE_EXCEEDED:
		return HTTP_ETOOBIG;
	case CURLE_URL_MALFORMAT:
		return HTTP_EINVAL;
	case CURLE_OPERATION_TIMEDOUT:
		return HTTP_ETIMEOUT;
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
		return HTTP_ECONNECT;
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SSL_ENGINE_NOTFOUND:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_INVALIDCERTSTATUS:
	case CURLE_PEER_FAILED_VERIFICATION:
		return HTTP_ETLS;
	case CURLE_UNSUPPORTED_PROTOCOL:	/* HTTP/0.9: that is, no HTTP */
	case CURLE_WEIRD_SERVER_REPLY:
	case CURLE_BAD_CONTENT_ENCODING:
		return HTTP_EMALFORMED;
	default:
		return HTTP_EBROKEN;
	}
}

/* curl's own words, which may quote the server, made fit for a terminal. */
static void describe(struct http_reply *r, CURLcode rc,
		     const struct transfer *t)
{
	const char *s = t->what[0] ? t->what : curl_easy_strerror(rc);
	size_t i;

	if (t->header_bytes > MAX_HEADERS)
		snprintf(r->what, sizeof(r->what),
			 "more than %u bytes of headers", MAX_HEADERS);
	else if (t->too_big || rc == CURLE_FILESIZE_EXCEEDED)
		snprintf(r->what, sizeof(r->what), "more than %zu bytes",
			 t->max_reply);
	else if (r->err == HTTP_ETOOBIG)
		snprintf(r->what, sizeof(r->what),
			 "a header is too long, or memory is out");
	else if (!rc)
		snprintf(r->what, sizeof(r->what),
			 "closed in the midst of the headers");
	else
		snprintf(r->what, sizeof(r->what), "%s", s);
	for (i = 0; r->what[i]; i++) {
		if (r->what[i] < 0x20 || r->what[i] == 0x7f)
			r->what[i] = '?';
	}
}

static void fill_reply(struct http_reply *r, CURLcode rc, struct transfer *t)
{
	curl_off_t wait = 0;
	char *to = NULL;

	memset(r, 0, sizeof(*r));
	r->tag = t->tag;
	r->retry_after_s = -1;
	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &r->status);
	r->err = err_of(rc, t);
	if (!r->err) {
		r->body = strbuf_detach(&t->body, &r->len);
		if (!r->body)
			r->err = HTTP_ENOMEM;
	}
	if (r->err) {
		describe(r, rc, t);
		return;
	}
	if (!curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &wait) &&
	    wait > 0)
		r->retry_after_s = wait;
	if (!curl_easy_getinfo(t->easy, CURLINFO_REDIRECT_URL, &to) && to)
		r->location = strdup(to);
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static bool next_done(struct http *h, struct http_reply *reply)
{
	struct transfer *t;
	CURLMsg *msg;
	CURLcode rc;
	int left;

	do {
		msg = curl_multi_info_read(h->multi, &left);
		if (!msg)
			return false;
	} while (msg->msg != CURLMSG_DONE);
	rc = msg->data.result;	/* gone when the handle is removed */
	curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, (char **)&t);
	fill_reply(reply, rc, t);
	drop(h, t);
	return true;
}

int http_wait(struct http *h, int64_t max_ms, struct http_reply *reply)
{
	const int64_t start = now_ms();
	int running;

	for (;;) {
		int64_t slice = SLICE_MS;

		if (curl_multi_perform(h->multi, &running))
			return HTTP_ENOMEM;
		if (next_done(h, reply))
			return 0;
		if (h->set.interrupted &&
		    h->set.interrupted(h->set.interrupted_arg))
			return HTTP_EINTERRUPTED;
		if (max_ms >= 0) {
			int64_t left = max_ms - (now_ms() - start);

			if (left <= 0)
				return HTTP_ETIMEOUT;
			if (left < slice)
				slice = left;
		}
		if (curl_multi_poll(h->multi, NULL, 0, (int)slice, NULL))
			return HTTP_ENOMEM;
	}
}

void http_reply_free(struct http_reply *reply)
{
	free(reply->body);
	free(reply->location);
	memset(reply, 0, sizeof(*reply));
}

unsigned int http_pending(const struct http *h)
{
	return h->pending;
}

/* ---- clients ---------------------------------------------------------- */

int http_open(const struct http_settings *settings, struct http **out)
{
	struct http *h;

	/* counts its callers, and is safe among threads as of curl 7.84 */
	if (curl_global_init(CURL_GLOBAL_DEFAULT))
		return HTTP_ENOMEM;
	h = calloc(1, sizeof(*h));
	if (h)
		h->multi = curl_multi_init();
	if (!h || !h->multi) {
		free(h);
		curl_global_cleanup();
		return HTTP_ENOMEM;
	}
	h->set = *settings;
	if (!h->set.connect_timeout_ms)
		h->set.connect_timeout_ms = CONNECT_TIMEOUT_MS;
	if (!h->set.max_reply)
		h->set.max_reply = MAX_REPLY;
	*out = h;
	return 0;
}

void http_close(struct http *h)
{
	if (!h)
		return;
	while (h->transfers) {
#if LIBCURL_VERSION_NUM >= 0x075700
		/* or a name server that does not answer is waited for */
		curl_easy_setopt(h->transfers->easy, CURLOPT_QUICK_EXIT, 1L);
#endif
		drop(h, h->transfers);
	}
	curl_multi_cleanup(h->multi);
	free(h);
	curl_global_cleanup();
}

/* ---- URLs ------------------------------------------------------------- */

static bool scheme_ok(CURLU *u)
{
	char *scheme = NULL;
	bool ok;

	ok = !curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) &&
	     (!strcmp(scheme, "http") || !strcmp(scheme, "https"));
	curl_free(scheme);
	return ok;
}

/* Appends @path to what the path of @u is, less a final slash. */
static CURLUcode append_path(CURLU *u, const char *path)
{
	struct strbuf b = {0};
	char *old = NULL;
	CURLUcode rc;

	rc = curl_url_get(u, CURLUPART_PATH, &old, 0);
	if (rc)
		return rc;
	strbuf_addstr(&b, old);
	if (*path && b.len && b.s[b.len - 1] == '/')
		strbuf_truncate(&b, b.len - 1);
	strbuf_addstr(&b, path);
	rc = b.err ? CURLUE_OUT_OF_MEMORY :
	     curl_url_set(u, CURLUPART_PATH, strbuf_str(&b), 0);
	curl_free(old);
	strbuf_free(&b);
	return rc;
}

int http_url_join(const char *base, const char *path, char **out)
{
	CURLU *u = curl_url();
	CURLUcode rc = CURLUE_OUT_OF_MEMORY;
	char *url = NULL;

	*out = NULL;
	if (u)
		rc = curl_url_set(u, CURLUPART_URL, base, 0);
	if (!rc && !scheme_ok(u))
		rc = CURLUE_UNSUPPORTED_SCHEME;
	if (!rc)
		rc = append_path(u, path);
	if (!rc)
		rc = curl_url_get(u, CURLUPART_URL, &url, 0);
	if (!rc) {
		*out = strdup(url);
		if (!*out)
			rc = CURLUE_OUT_OF_MEMORY;
	}
	curl_free(url);
	curl_url_cleanup(u);
	if (!rc)
		return 0;
	return rc == CURLUE_OUT_OF_MEMORY ? HTTP_ENOMEM : HTTP_EINVAL;
}

void http_url_add(struct strbuf *b, const char *url)
{
	CURLU *u = curl_url();
	char *clean = NULL;

	if (u && !curl_url_set(u, CURLUPART_URL, url, 0) &&
	    !curl_url_set(u, CURLUPART_USER, NULL, 0) &&
	    !curl_url_set(u, CURLUPART_PASSWORD, NULL, 0) &&
	    !curl_url_set(u, CURLUPART_OPTIONS, NULL, 0) &&
	    !curl_url_set(u, CURLUPART_QUERY, NULL, 0) &&
	    !curl_url_set(u, CURLUPART_FRAGMENT, NULL, 0) &&
	    !curl_url_get(u, CURLUPART_URL, &clean, 0))
		strbuf_addstr(b, clean);
	else
		strbuf_addstr(b, "the given URL");
	curl_free(clean);
	curl_url_cleanup(u);
}
