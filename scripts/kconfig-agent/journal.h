/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * journal - what happened, record by record, in a file that survives
 *
 * A journal is a file of JSON Lines. Each line is an object that begins with
 *
 *	{"seq":7,"event":"commit",
 *
 * seq counting from 0, and ends with
 *
 *	,"sum":"0123456789abcdef"}
 *
 * where sum is FNV-1a (64 bits, hexadecimal) over all bytes of the file that
 * stand before a ',"sum"', sums and line breaks left out: so a record vouches
 * for all before it. What follows the last whole record is damage and counts
 * for nothing. Files are readable by their owner only. What the events are and
 * hold is described in record.h.
 */
#ifndef KA_JOURNAL_H
#define KA_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct journal;
struct json;
struct strbuf;

/*
 * Begins a journal at @path; a file of that name becomes "@path.old". Returns
 * 0, or a negative errno with the reason in @why.
 */
int journal_create(const char *path, struct journal **out, struct strbuf *why);
/*
 * Adds a record of @event with the members of the object @body, which is freed
 * in any case and may be NULL for out of memory. With @sync, it has reached the
 * disk on return. Returns 0 or a negative errno; after an error, nothing more
 * is written.
 */
int journal_add(struct journal *j, const char *event, struct json *body,
		bool sync);
/* Where it is. */
const char *journal_path(const struct journal *j);
/* Closes the file. NULL is fine. */
void journal_close(struct journal *j);

/* A record as read back. */
struct journal_record {
	uint64_t seq;
	const char *event;	/* belongs to @body */
	const struct json *body;
};

/* A journal read back. */
struct journal_text {
	size_t records;		/* that are whole */
	size_t good;		/* bytes they take */
	size_t damaged;		/* bytes after them */
};

/*
 * Reads the journal at @path and calls @each for its records in order, as long
 * as it returns 0. Returns 0, the value other than 0 that @each returned, or a
 * negative errno with the reason in @why: -EBADMSG if not even the first
 * record is whole.
 */
int journal_read(const char *path, struct journal_text *text,
		 int (*each)(void *arg, const struct journal_record *r),
		 void *arg, struct strbuf *why);

#endif
