/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kb - the knowledge base: annotated kernel config fragments, one topic a file
 *
 *	# Topic: container host
 *	# Match: docker podman containerd kubernetes lxc container cgroup
 *	# Source: moby contrib/check-config.sh; systemd README, "Requirements"
 *	# Since: 5.4
 *	CONFIG_NAMESPACES=y
 *	## isolation of processes, required by every container runtime [required]
 *
 * The header comments describe the topic. Each assignment may be followed by
 * "##" lines that belong to it: why, and tags in brackets at the end:
 * [required] or [optional], [since X.Y], [until X.Y] (last version that has
 * it), [arch A B...]. Files work with merge_config.sh as they are.
 */
#ifndef KA_KB_H
#define KA_KB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct kb;

struct kb_item {
	const char *name;	/* symbol, no CONFIG_ */
	const char *value;	/* "y", "m", "n" or a literal (unquoted) */
	const char *reason;	/* one line */
	bool required;
	uint32_t since, until;	/* as kb_version(); 0: unbounded */
	const char *arches;	/* blank separated SRCARCH names, or NULL */
	uint32_t line;
};

struct kb_topic {
	const char *id;		/* file name without .config */
	const char *title;
	const char *match;	/* words and "quoted phrases" */
	const char *source;
	int precedence;		/* higher wins over lower on conflict */
	uint32_t since, until;
	const struct kb_item *items;
	size_t n;
	const char *path;
};

/* "6.12.3" -> 0x00060c00: for comparisons; 0 if it is no version. */
uint32_t kb_version(const char *text);

/*
 * Loads the base: every *.config of @dir, or, if @dir is NULL, the copy built
 * into the program. On failure returns a negative errno and says in @why what
 * is wrong, with file and line.
 */
int kb_load(const char *dir, struct kb **out, struct strbuf *why);
void kb_free(struct kb *kb);
size_t kb_topics(const struct kb *kb);
const struct kb_topic *kb_topic(const struct kb *kb, size_t i);

/* A goal against the base. */
struct kb_match {
	const struct kb_topic *topic;
	const char *word;	/* what in the goal matched (owned by the plan) */
};

/* Where two matched topics want different things of one symbol. */
struct kb_conflict {
	const char *name;
	const struct kb_topic *winner, *loser;
	const struct kb_item *won, *lost;
};

/* What a goal asks for, all topics put together. */
struct kb_plan;

/*
 * Matches @goal; @version and @arch (SRCARCH) restrict items. An empty plan is
 * no error: the goal matched nothing.
 */
int kb_plan_make(const struct kb *kb, const char *goal, const char *version,
		 const char *arch, struct kb_plan **out);
void kb_plan_free(struct kb_plan *p);
size_t kb_plan_matches(const struct kb_plan *p);
const struct kb_match *kb_plan_match(const struct kb_plan *p, size_t i);
size_t kb_plan_conflicts(const struct kb_plan *p);
const struct kb_conflict *kb_plan_conflict(const struct kb_plan *p, size_t i);
/* The winning item for symbol @name with its topic, or NULL. */
const struct kb_item *kb_plan_find(const struct kb_plan *p, const char *name,
				   const struct kb_topic **topic);
/* All winning items: their number, and number @i with its topic. */
size_t kb_plan_items(const struct kb_plan *p);
const struct kb_item *kb_plan_item(const struct kb_plan *p, size_t i,
				   const struct kb_topic **topic);

#endif
