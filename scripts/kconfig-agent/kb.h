/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kb - the knowledge base: annotated kernel config fragments, one topic a file
 *
 *	# Topic: container host
 *	# Match: docker podman containerd kubernetes "linux containers"
 *	# Source: moby contrib/check-config.sh; systemd README, "Requirements"
 *	# Precedence: 30
 *	# Since: 5.4
 *	CONFIG_NAMESPACES=y
 *	## isolation of processes, required by every container runtime [required]
 *
 * The header comments describe the topic: Topic, Match and Source must be
 * there; Match and Source may be repeated to go on. Each assignment may be
 * followed by "##" lines that belong to it: why, and tags in brackets at the
 * end: [required] or [optional], [since X.Y], [until X.Y] (last version that
 * has it), [arch A B...]. Without a tag an item is optional. Other comments
 * are for readers of the file. Text is UTF-8 with no control characters.
 * Files work with merge_config.sh as they are.
 *
 * A goal is matched word by word: upper and lower case, plurals and endings
 * (-ing, -ed) make no difference, and "low-latency" is two words. A phrase in
 * quotes matches its words one after the other; articles, numbers and the like
 * may stand between them. With "=" in front, the endings do matter: "=guests"
 * does not match "guest". Where matches overlap, the one of more words holds:
 * "kvm guest" is about guests, not about kvm; among equals, one with "=". What
 * is negated ("no debugging", "without docker or nfs") does not match.
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
	const char *reason;	/* one line, "" if none is given */
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
/*
 * A base of one topic, from @len bytes of @text. @path stands in messages; the
 * file name in it gives the topic's id. Errors as kb_load().
 */
int kb_load_text(const char *path, const char *text, size_t len,
		 struct kb **out, struct strbuf *why);
void kb_free(struct kb *kb);
/* Topics in order of their ids: their number, and number @i. */
size_t kb_topics(const struct kb *kb);
const struct kb_topic *kb_topic(const struct kb *kb, size_t i);
/*
 * True if @item of @topic is for kernel @version (as kb_version(); 0: any) on
 * @arch (SRCARCH; NULL: any).
 */
bool kb_item_applies(const struct kb_topic *topic, const struct kb_item *item,
		     uint32_t version, const char *arch);

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

/* What a goal asks for, all topics put together. Needs its base. */
struct kb_plan;

/*
 * Matches @goal; @version and @arch (SRCARCH) restrict items, NULL does not.
 * An empty plan is no error: the goal matched nothing. Returns 0 or -ENOMEM.
 *
 * If topics differ about a symbol, higher precedence wins, then required over
 * optional, then the order of ids. y and m do not differ: y is taken.
 */
int kb_plan_make(const struct kb *kb, const char *goal, const char *version,
		 const char *arch, struct kb_plan **out);
void kb_plan_free(struct kb_plan *p);
/* The topics that matched, in order of their ids. */
size_t kb_plan_matches(const struct kb_plan *p);
const struct kb_match *kb_plan_match(const struct kb_plan *p, size_t i);
/* The topics that the goal names only to exclude them. */
size_t kb_plan_excluded(const struct kb_plan *p);
const struct kb_match *kb_plan_exclusion(const struct kb_plan *p, size_t i);
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
