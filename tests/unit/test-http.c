// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the provider's tests do not reach: URLs, headers, the order of calls.
 * The other end is a child process that sends back what it was told to.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "http.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

static void test_join(void **state)
{
	static const struct {
		const char *base, *path, *url, *shown;
	} cases[] = {
		{ "http://h", "", "http://h/", "http://h/" },
		{ "http://h/", "/m", "http://h/m", "http://h/m" },
		{ "http://h/v1", "/m", "http://h/v1/m", "http://h/v1/m" },
		{ "http://h/v1/", "/m/n", "http://h/v1/m/n", "http://h/v1/m/n" },
		{ "HTTPS://h:99/v1?k=1", "/m", "https://h:99/v1/m?k=1",
		  "https://h:99/v1/m" },
		{ "http://u:p@h/v1#x", "/m", "http://u:p@h/v1/m#x",
		  "http://h/v1/m" },
		{ "http://[::1]:8080/v1", "/m", "http://[::1]:8080/v1/m",
		  "http://[::1]:8080/v1/m" },
	};
	static const char *const bad[] = {
		"", "h", "h/v1", "localhost:8080/v1", "ftp://h/", "file:///x",
		"http://", "http://:80/", "http://h:99999/", "http://h\n/",
		"http://h/ /x", "http://h/\x7f", "gopher://h/",
	};
	size_t i;

	(void)state;
	for (i = 0; i < N(cases); i++) {
		struct strbuf b = {0};
		char *url;

		assert_int_equal(http_url_join(cases[i].base, cases[i].path,
					       &url), 0);
		assert_string_equal(url, cases[i].url);
		http_url_add(&b, url);
		assert_string_equal(strbuf_str(&b), cases[i].shown);
		strbuf_free(&b);
		free(url);
	}
	for (i = 0; i < N(bad); i++) {
		struct strbuf b = {0};
		char *url;

		if (http_url_join(bad[i], "/m", &url) != HTTP_EINVAL)
			fail_msg("\"%s\" became \"%s\"", bad[i], url);
		http_url_add(&b, "http://secret h");
		assert_string_equal(strbuf_str(&b), "the given URL");
		strbuf_free(&b);
	}
}

static void test_bad_requests(void **state)
{
	static const char *const bad[] = {
		"X: y\r\nEvil: 1", "X: y\n", "no colon", ": no name", "X: \x01",
		"",
	};
	const struct http_settings set = {0};
	const char *headers[] = { "Fine: yes", NULL, NULL };
	struct http_request req = { .url = "http://127.0.0.1:1/",
				    .headers = headers };
	struct http_reply reply;
	struct http *h;
	size_t i;

	(void)state;
	assert_int_equal(http_open(&set, &h), 0);
	for (i = 0; i < N(bad); i++) {
		headers[1] = bad[i];
		assert_int_equal(http_submit(h, &req), HTTP_EINVAL);
	}
	req.headers = NULL;
	req.url = "file:///etc/passwd";
	assert_int_equal(http_submit(h, &req), HTTP_EINVAL);
	assert_int_equal(http_pending(h), 0);
	assert_int_equal(http_wait(h, 0, &reply), HTTP_ETIMEOUT);
	assert_int_equal(http_wait(h, 20, &reply), HTTP_ETIMEOUT);
	http_close(h);
	http_close(NULL);
}

/* Listens on a port that the system chooses, and returns it. */
static int listen_any(unsigned short *port)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	*port = ntohs(a.sin_port);
	return fd;
}

/* The other end: reads a request without a body, answers @text, hangs up. */
static void serve(int fd, const char *text)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		int peer = accept(fd, NULL, NULL);
		char buf[4096];
		size_t n = 0;

		while (n < sizeof(buf) - 1) {
			ssize_t got = read(peer, buf + n, sizeof(buf) - 1 - n);

			if (got <= 0)
				break;
			n += got;
			buf[n] = '\0';
			if (strstr(buf, "\r\n\r\n"))
				break;
		}
		if (write(peer, text, strlen(text)) < 0)
			_exit(1);
		close(peer);
	}
}

struct end {
	pid_t pid;
	char url[64];
};

static struct end start(const char *text)
{
	unsigned short port;
	int fd = listen_any(&port);
	struct end e;

	e.pid = fork();
	assert_true(e.pid >= 0);
	if (e.pid == 0)
		serve(fd, text);
	close(fd);
	snprintf(e.url, sizeof(e.url), "http://127.0.0.1:%u/", port);
	return e;
}

static void stop(struct end e)
{
	kill(e.pid, SIGKILL);
	waitpid(e.pid, NULL, 0);
}

static void get(const char *text, const struct http_settings *set,
		struct http_reply *reply)
{
	struct end e = start(text);
	struct http_request req = { .url = e.url, .tag = reply,
				    .timeout_ms = 5000 };
	struct http *h;

	assert_int_equal(http_open(set, &h), 0);
	assert_int_equal(http_submit(h, &req), 0);
	assert_int_equal(http_pending(h), 1);
	assert_int_equal(http_wait(h, -1, reply), 0);
	assert_ptr_equal(reply->tag, reply);
	assert_int_equal(http_pending(h), 0);
	http_close(h);
	stop(e);
}

static void test_replies(void **state)
{
	static const struct {
		const char *text;
		int err;
		long status;
		const char *body;
		int64_t retry;
	} cases[] = {
		{ "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
		  0, 200, "hi", -1 },
		{ "HTTP/1.0 200 OK\r\n\r\nhi", 0, 200, "hi", -1 },
		{ "HTTP/1.1 204 No\r\n\r\n", 0, 204, "", -1 },
		{ "HTTP/1.1 429 No\r\nRetry-After: 7\r\n\r\n", 0, 429, "", 7 },
		{ "HTTP/1.1 429 No\r\nretry-after:7 \r\n\r\n", 0, 429, "", 7 },
		{ "HTTP/1.1 429 No\r\nRetry-After: -7\r\n\r\n",
		  0, 429, "", -1 },
		{ "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"
		  "Content-Length: 2\r\n\r\nhi", 0, 200, "hi", -1 },
		{ "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n",
		  HTTP_EBROKEN, 200, NULL, -1 },
		{ "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
		  "2\r\nhi\r\n0\r\nX: trailer\r\n\r\n", 0, 200, "hi", -1 },
		{ "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi",
		  HTTP_EBROKEN, 200, NULL, -1 },
		{ "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n",
		  HTTP_ETOOBIG, 200, NULL, -1 },
		{ "HTTP/1.1 200 OK\r\nContent-Length: -9\r\n\r\nhi",
		  HTTP_EMALFORMED, 200, NULL, -1 },
		{ "HTTP/1.0 200 OK\r\n\r\n123456789012345678901",
		  HTTP_ETOOBIG, 200, NULL, -1 },
		{ "HTTP/1.0 200 OK\r\n\r\n12345678901234567890",
		  0, 200, "12345678901234567890", -1 },
		{ "hello\r\n\r\n", HTTP_EMALFORMED, 0, NULL, -1 },
		{ "", HTTP_EBROKEN, 0, NULL, -1 },
	};
	const struct http_settings set = { .max_reply = 20 };
	struct http_reply r;
	size_t i;

	(void)state;
	for (i = 0; i < N(cases); i++) {
		get(cases[i].text, &set, &r);
		if (r.err != cases[i].err)
			print_error("%s: %s\n", cases[i].text, r.what);
		assert_int_equal(r.err, cases[i].err);
		assert_int_equal(r.status, cases[i].status);
		assert_int_equal(r.retry_after_s, cases[i].retry);
		if (cases[i].body)
			assert_string_equal(r.body, cases[i].body);
		else
			assert_null(r.body);
		assert_true(!r.err == !r.what[0]);
		http_reply_free(&r);
	}
}

static void test_redirect(void **state)
{
	const struct http_settings set = {0};
	struct http_reply r;

	(void)state;
	get("HTTP/1.1 302 Go\r\nLocation: http://127.0.0.1:1/x\r\n\r\n", &set,
	    &r);
	assert_int_equal(r.err, 0);
	assert_int_equal(r.status, 302);
	assert_string_equal(r.location, "http://127.0.0.1:1/x");
	http_reply_free(&r);
}

static bool always(void *arg)
{
	++*(int *)arg;
	return true;
}

static void test_interrupt_and_close(void **state)
{
	int asked = 0;
	const struct http_settings set = { .interrupted = always,
					   .interrupted_arg = &asked };
	unsigned short port;
	int fd = listen_any(&port), i;	/* which nobody accepts from */
	struct http_request req = {0};
	struct http_reply r;
	struct http *h;
	char url[64];

	(void)state;
	snprintf(url, sizeof(url), "http://127.0.0.1:%u/", port);
	req.url = url;
	req.body = "x";
	req.len = 1;
	assert_int_equal(http_open(&set, &h), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(http_submit(h, &req), 0);
	assert_int_equal(http_wait(h, -1, &r), HTTP_EINTERRUPTED);
	assert_int_equal(http_wait(h, -1, &r), HTTP_EINTERRUPTED);
	assert_int_equal(asked, 2);
	assert_int_equal(http_pending(h), 3);
	http_close(h);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_bad_requests),
		cmocka_unit_test(test_replies),
		cmocka_unit_test(test_redirect),
		cmocka_unit_test(test_interrupt_and_close),
	};

	/* the other end may be gone */
	signal(SIGPIPE, SIG_IGN);
	unsetenv("http_proxy");
	unsetenv("ALL_PROXY");
	unsetenv("all_proxy");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
