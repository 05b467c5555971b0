// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "journal.h"
#include "json.h"

#define SUM_FORMAT ",\"sum\":\"%016" PRIx64 "\"}"
#define SUM_LEN 26		/* of what that prints */
#define RECORD_MAX (64u << 20)	/* bytes */

struct journal {
	char *path;
	int fd;
	int err;		/* once it failed: why */
	uint64_t seq;
	uint64_t sum;
};

/* ---- writing ------------------------------------------------------------- */

static int keep_old(const char *path, struct strbuf *why)
{
	char *old;
	int err = 0;

	if (asprintf(&old, "%s.old", path) < 0)
		return -ENOMEM;
	if (rename(path, old) && errno != ENOENT) {
		err = -errno;
		strbuf_addf(why, "%s: cannot be renamed to make room: %s", path,
			    strerror(errno));
	}
	free(old);
	return err;
}

int journal_create(const char *path, struct journal **out, struct strbuf *why)
{
	struct journal *j = calloc(1, sizeof(*j));
	int err;

	if (!j)
		return -ENOMEM;
	j->fd = -1;
	j->sum = HASH_FNV64_INIT;
	j->path = strdup(path);
	err = j->path ? keep_old(path, why) : -ENOMEM;
	if (err) {
		journal_close(j);
		return err;
	}
	j->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC,
		     0600);
	if (j->fd < 0) {
		err = -errno;
		strbuf_addf(why, "%s: cannot be made: %s", path,
			    strerror(errno));
		journal_close(j);
		return err;
	}
	*out = j;
	return 0;
}

static int write_all(int fd, const char *s, size_t len)
{
	while (len) {
		ssize_t n = write(fd, s, len);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			s += n;
			len -= n;
		}
	}
	return 0;
}

/* The line for a record, without its sum. */
static void begin_line(struct strbuf *b, const struct journal *j,
		       const char *event, const struct json *body)
{
	size_t len;
	char *text = json_print(body, &len);

	if (!text) {
		b->err = true;
		return;
	}
	strbuf_addf(b, "{\"seq\":%" PRIu64 ",\"event\":\"%s\"", j->seq, event);
	if (len > 2) {
		strbuf_addch(b, ',');
		strbuf_add(b, text + 1, len - 2);
	}
	free(text);
}

int journal_add(struct journal *j, const char *event, struct json *body,
		bool sync)
{
	struct strbuf b = {0};
	uint64_t sum;

	if (j->err)
		goto out;
	begin_line(&b, j, event, body);
	sum = hash_fnv64(j->sum, strbuf_str(&b), b.len);
	strbuf_addf(&b, SUM_FORMAT "\n", sum);
	j->err = b.err ? -ENOMEM : write_all(j->fd, b.s, b.len);
	if (!j->err && sync && fdatasync(j->fd) && errno != EINVAL &&
	    errno != EROFS)
		j->err = -errno;
	if (!j->err) {
		j->seq++;
		j->sum = sum;
	}
out:
	json_free(body);
	strbuf_free(&b);
	return j->err;
}

const char *journal_path(const struct journal *j)
{
	return j->path;
}

void journal_close(struct journal *j)
{
	if (!j)
		return;
	if (j->fd >= 0)
		close(j->fd);
	free(j->path);
	free(j);
}

/* ---- reading ------------------------------------------------------------- */

/*
 * The record on the line of @len bytes at @line, or NULL if it is not the one
 * with number @seq or does not have the sum that it should. @sum is moved on.
 */
static struct json *read_line(const char *line, size_t len, uint64_t seq,
			      uint64_t *sum)
{
	static const struct json_limits limits = { .max_size = RECORD_MAX };
	char expected[SUM_LEN + 1];
	struct json *j;
	uint64_t h;
	int64_t n;

	if (len < SUM_LEN || len > RECORD_MAX)
		return NULL;
	h = hash_fnv64(*sum, line, len - SUM_LEN);
	snprintf(expected, sizeof(expected), SUM_FORMAT, h);
	if (memcmp(line + len - SUM_LEN, expected, SUM_LEN) != 0)
		return NULL;
	j = json_parse(line, len, &limits, NULL);
	if (!json_get_int(j, "seq", &n) || n < 0 || (uint64_t)n != seq ||
	    !json_get_str(j, "event")) {
		json_free(j);
		return NULL;
	}
	*sum = h;
	return j;
}

static int read_records(const char *s, size_t len, struct journal_text *text,
			int (*each)(void *arg, const struct journal_record *r),
			void *arg)
{
	uint64_t sum = HASH_FNV64_INIT;
	int ret = 0;

	while (text->good < len && !ret) {
		const char *line = s + text->good;
		const char *nl = memchr(line, '\n', len - text->good);
		struct journal_record r = { .seq = text->records };
		struct json *j;

		j = nl ? read_line(line, nl - line, r.seq, &sum) : NULL;
		if (!j)
			break;
		r.event = json_get_str(j, "event");
		r.body = j;
		text->records++;
		text->good = nl + 1 - s;
		ret = each(arg, &r);
		json_free(j);
	}
	text->damaged = len - text->good;
	return ret;
}

int journal_read(const char *path, struct journal_text *text,
		 int (*each)(void *arg, const struct journal_record *r),
		 void *arg, struct strbuf *why)
{
	size_t len;
	char *s;
	int ret;

	memset(text, 0, sizeof(*text));
	ret = file_read(path, 0, &s, &len);
	if (ret) {
		strbuf_addf(why, "%s: cannot be read: %s", path,
			    strerror(-ret));
		return ret;
	}
	ret = read_records(s, len, text, each, arg);
	free(s);
	if (!ret && !text->records) {
		strbuf_addf(why, "%s: this is not a journal of kconfig-agent, or its beginning is damaged",
			    path);
		return -EBADMSG;
	}
	return ret;
}
