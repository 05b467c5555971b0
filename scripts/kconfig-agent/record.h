/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record - what the records of a journal say (the file's form: journal.h)
 *
 *	header	  the first one: "format" ("kconfig-agent-journal"), "version",
 *		  "tool", "kernel", "arch", "goal", "provider", "model", hashes
 *		  of the Kconfig "tree" and of the fixed words of the "prompts",
 *		  "base": {"path", "origin", "hash"}, "scope", "max_repair", "time"
 *	base	  "text" of the base configuration as it was read, in "encoding"
 *		  "text" or, if it is not clean UTF-8, "hex"
 *	ask	  a request: "group" (its number), "round", "kind", "menu",
 *		  "items", "messages" and "hash" of all of them
 *	reply	  "group", "round", "text" and "length", or "error" and
 *		  "message"; "truncated", "tries", "input_tokens",
 *		  "output_tokens" (where the server said)
 *	reject	  "group", "round", "why": a reply that could not be read
 *	repair	  "group", "round", "rejected": names
 *	suggestion "group", "round", "name", "value", "reason", "confidence",
 *		  "asked", "verdict", "why", "before", "got"
 *	commit	  "group", "set": [{"name", "value"}], the requests as they were
 *		  committed, and "changes": [{"name", "before", "after",
 *		  "origin", "requested", "lost", "cause"}]
 *	left	  "group", "why": nothing of it was changed
 *	moves	  "appeared", "vanished": names
 *	opened	  "menu", "why"
 *	usage	  totals: see record_usage()
 *	end	  "status" ("done", "interrupted", ...), "config": hash of the
 *		  resulting .config, if one came about
 *
 * The base, and the sets of the commits in order, give the resulting .config
 * again. Hashes are FNV-1a, 64 bits, as 16 hexadecimal digits.
 */
#ifndef KA_RECORD_H
#define KA_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lkc/lkc.h>

struct agent_event;
struct agent_totals;
struct journal;
struct json;
struct strbuf;

#define RECORD_FORMAT "kconfig-agent-journal"
#define RECORD_VERSION 1

/* What a run begins with. NULL where there is none. */
struct record_header {
	const struct lkc_tree *tree;
	const char *kernel;
	const char *arch;
	const char *goal;
	const char *provider;
	const char *model;
	const char *base_path;
	const char *base_origin;	/* "file", "defconfig", "none" */
	const char *base_text;
	size_t base_len;
	const char *const *scope;	/* ended by NULL */
	unsigned int max_repair;
};

/* Adds the header and the base. This and all below: 0 or a negative errno. */
int record_begin(struct journal *j, const struct record_header *h);
/* Adds what @event tells, in one or more records. */
int record_event(struct journal *j, const struct agent_event *event);
/* Adds the totals: the members of struct agent_totals by their names. */
int record_usage(struct journal *j, const struct agent_totals *t);
/* Adds the end; @text of @len bytes is the resulting .config, or NULL. */
int record_end(struct journal *j, const char *status, const char *text,
	       size_t len);

/* "0123456789abcdef" in @out for the @len bytes at @text. */
void record_hash(const char *text, size_t len, char out[17]);

/*
 * What a replay needs of a journal. Strings are its own.
 */
struct record_set {
	char *name;
	char *value;
};

struct record_commit {
	uint64_t group;
	struct record_set *sets;
	size_t n;
};

struct record_run {
	char *kernel, *arch, *goal;
	char *tree;		/* hash */
	char *base_text;
	size_t base_len;
	struct record_commit *commits;
	size_t n;
	char *status;		/* NULL: there is no end */
	char *config;		/* hash, or NULL */
	size_t records;
	size_t damaged;		/* bytes at the end that do not count */
};

/*
 * Reads the journal at @path. Returns 0, or a negative errno with the reason in
 * @why: -EPROTONOSUPPORT if a newer version has written it, -EBADMSG if it does
 * not hold what it should. End with record_run_free().
 */
int record_read(const char *path, struct record_run *run, struct strbuf *why);
void record_run_free(struct record_run *run);

#endif
