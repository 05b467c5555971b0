// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a journal says, read back for a replay.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "journal.h"
#include "json.h"
#include "record.h"

struct reader {
	struct record_run *run;
	size_t cap;		/* of run->commits */
	struct strbuf *why;
	const char *path;
};

__attribute__((format(printf, 3, 4)))
static int fail(struct reader *r, int err, const char *fmt, ...)
{
	va_list ap;

	strbuf_addf(r->why, "%s: ", r->path);
	va_start(ap, fmt);
	strbuf_vaddf(r->why, fmt, ap);
	va_end(ap);
	return err;
}

/* Copies the member @key of @body to *@to. What is not there is NULL. */
static int take(const struct json *body, const char *key, char **to)
{
	const char *s = json_get_str(body, key);

	free(*to);
	*to = s ? strdup(s) : NULL;
	return s && !*to ? -ENOMEM : 0;
}

static int read_header(struct reader *r, const struct json *body)
{
	const char *format = json_get_str(body, "format");
	int64_t version;
	int err;

	if (!format || strcmp(format, RECORD_FORMAT) != 0 ||
	    !json_get_int(body, "version", &version))
		return fail(r, -EBADMSG, "this is not a journal of kconfig-agent");
	if (version != RECORD_VERSION)
		return fail(r, -EPROTONOSUPPORT, "version %lld of the format is not known; a newer kconfig-agent has written it",
			    (long long)version);
	err = take(body, "kernel", &r->run->kernel);
	if (!err)
		err = take(body, "arch", &r->run->arch);
	if (!err)
		err = take(body, "goal", &r->run->goal);
	if (!err)
		err = take(body, "tree", &r->run->tree);
	if (!err && !r->run->tree)
		return fail(r, -EBADMSG, "the header lacks the hash of the tree");
	return err;
}

static int nibble(char c)
{
	const char *digits = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? at - digits : -1;
}

static int decode_hex(const char *hex, struct strbuf *out)
{
	for (; hex[0] && hex[1]; hex += 2) {
		int high = nibble(hex[0]), low = nibble(hex[1]);

		if (high < 0 || low < 0)
			return -EBADMSG;
		strbuf_addch(out, high << 4 | low);
	}
	return *hex ? -EBADMSG : 0;
}

static int read_base(struct reader *r, const struct json *body)
{
	const char *text = json_get_str(body, "text");
	const char *encoding = json_get_str(body, "encoding");
	struct strbuf b = {0};
	int err = 0;

	if (!text || !encoding)
		return fail(r, -EBADMSG, "the record of the base lacks its text");
	if (!strcmp(encoding, "hex"))
		err = decode_hex(text, &b);
	else
		strbuf_addstr(&b, text);
	if (err) {
		strbuf_free(&b);
		return fail(r, err, "the text of the base is not in hexadecimal");
	}
	free(r->run->base_text);
	r->run->base_text = strbuf_detach(&b, &r->run->base_len);
	return r->run->base_text ? 0 : -ENOMEM;
}

static int read_set(struct reader *r, const struct json *item,
		    struct record_set *set)
{
	int err = take(item, "name", &set->name);

	if (!err)
		err = take(item, "value", &set->value);
	if (!err && (!set->name || !set->value))
		err = fail(r, -EBADMSG, "a commit has a request without name or value");
	return err;
}

static int read_commit(struct reader *r, const struct json *body)
{
	const struct json *list = json_get(body, "set");
	struct record_run *run = r->run;
	struct record_commit *c;
	const struct json *item;
	int64_t group;
	int err = 0;

	if (run->n == r->cap) {
		size_t cap = 2 * r->cap + 16;
		void *v = realloc(run->commits, cap * sizeof(*run->commits));

		if (!v)
			return -ENOMEM;
		run->commits = v;
		r->cap = cap;
	}
	c = &run->commits[run->n++];
	memset(c, 0, sizeof(*c));
	if (json_get_int(body, "group", &group))
		c->group = group;
	c->sets = calloc(json_len(list) + 1, sizeof(*c->sets));
	if (!c->sets)
		return -ENOMEM;
	for (item = json_first(list); item && !err; item = json_next(item))
		err = read_set(r, item, &c->sets[c->n++]);
	return err;
}

static int read_end(struct reader *r, const struct json *body)
{
	int err = take(body, "status", &r->run->status);

	return err ? err : take(body, "config", &r->run->config);
}

static int read_record(void *arg, const struct journal_record *record)
{
	static const struct {
		const char *event;
		int (*read)(struct reader *r, const struct json *body);
	} readers[] = {
		{ "header", read_header },
		{ "base", read_base },
		{ "commit", read_commit },
		{ "end", read_end },
	};
	struct reader *r = arg;
	size_t i;

	if (!record->seq && strcmp(record->event, "header") != 0)
		return fail(r, -EBADMSG, "it does not begin with a header");
	for (i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		if (!strcmp(record->event, readers[i].event))
			return readers[i].read(r, record->body);
	}
	return 0;	/* not needed here */
}

int record_read(const char *path, struct record_run *run, struct strbuf *why)
{
	struct reader r = { .run = run, .why = why, .path = path };
	struct journal_text text;
	int err;

	memset(run, 0, sizeof(*run));
	err = journal_read(path, &text, read_record, &r, why);
	if (!err && !run->base_text)
		err = fail(&r, -EBADMSG, "it ends before the base configuration");
	if (err == -ENOMEM && !why->len)
		fail(&r, err, "out of memory");
	run->records = text.records;
	run->damaged = text.damaged;
	if (err)
		record_run_free(run);
	return err;
}

void record_run_free(struct record_run *run)
{
	size_t i, k;

	for (i = 0; i < run->n; i++) {
		for (k = 0; k < run->commits[i].n; k++) {
			free(run->commits[i].sets[k].name);
			free(run->commits[i].sets[k].value);
		}
		free(run->commits[i].sets);
	}
	free(run->commits);
	free(run->kernel);
	free(run->arch);
	free(run->goal);
	free(run->tree);
	free(run->base_text);
	free(run->status);
	free(run->config);
	memset(run, 0, sizeof(*run));
}
