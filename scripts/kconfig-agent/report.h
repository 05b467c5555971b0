/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report - what a run did and why, for people and for programs
 *
 * A report watches the events of a run (report_event()), and compares the
 * configuration with the one it began with when all is over. Then it is printed
 * as text or as JSON.
 */
#ifndef KA_REPORT_H
#define KA_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lkc/lkc.h>

#include "agent.h"
#include "answer.h"
#include "base/vec.h"

struct json;
struct kb_plan;
struct term;
struct walk;

/* A suggestion with its group. */
struct report_suggestion {
	struct suggestion s;	/* texts are the report's */
	uint64_t group;
};

/* A symbol whose value at the end is another one than at the beginning. */
struct report_change {
	lkc_sym sym;
	const char *before;	/* as in the first configuration */
	const char *after;	/* as in the last one */
	/* the suggestion that wanted it so; NULL: it followed */
	const struct report_suggestion *by;
	lkc_sym cause;		/* if it followed: from what, or LKC_NONE */
	bool lost;		/* the base had asked for the value it lost */
};

/* A group that stayed as it was. */
struct report_left {
	uint64_t group;
	lkc_menu menu;
	char *why;
};

struct report {
	const struct lkc_config *base;		/* before */
	const struct lkc_config *config;	/* after */
	struct {
		VEC(struct report_suggestion);
	} suggestions;
	struct {
		VEC(struct report_left);
	} left;
	/* by symbol, of the last commit that changed it: */
	lkc_sym *cause;
	bool *lost;
	size_t verdicts[VERDICT_COUNT];
	size_t rejected;
	size_t unasked;
	/* set up by report_finish(): */
	struct report_change *changes;
	size_t n_changes;
	size_t requested, derived, n_lost;
	/* what conf warns about, and did not in the base; malloc()ed */
	struct {
		VEC(char *);
	} warnings;
};

/* @base must stay, and is not changed. Returns 0 or -ENOMEM. */
int report_init(struct report *r, const struct lkc_config *base);
/* Takes note of @event. Returns 0 or -ENOMEM. */
int report_event(struct report *r, const struct agent_event *event);
/*
 * Compares @config with the base. Suggestions that were accepted and unmade by
 * a later answer become VERDICT_CLOBBERED. Returns 0 or -ENOMEM.
 */
int report_finish(struct report *r, const struct lkc_config *config);
void report_free(struct report *r);

/* What else there is to say about a run. NULL where there is none. */
struct report_about {
	const char *goal;
	const char *kernel, *arch;
	const char *provider, *model;
	const char *config_path;
	const char *base_path;
	const char *base_origin;
	const char *journal;
	const char *fragment, *defconfig;	/* written, too */
	const struct walk *walk;
	const struct kb_plan *plan;
	const struct agent_totals *totals;
	bool dry_run;
	bool only_ours;		/* the tree's conf was not asked */
	bool written;
	bool had_config;	/* there was one, which is FILE.old now */
};

/* A symbol that the matched topics ask for, and that is not so. */
struct report_missing {
	const struct kb_item *item;
	const struct kb_topic *topic;
	lkc_sym sym;		/* LKC_NONE: the kernel does not have it */
};

/*
 * Those of @about->plan at the end; @v is to be freed. Returns 0 or -ENOMEM.
 */
int report_missing(const struct report *r, const struct report_about *about,
		   struct report_missing **v, size_t *n);
/*
 * Why what @m asks for is not so, in a sentence, to be freed; NULL when out of
 * memory.
 */
char *report_missing_why(const struct report *r,
			 const struct report_missing *m);
/* The menu right below the root that @sym stands in, or LKC_NONE. */
lkc_menu report_menu(const struct lkc_tree *tree, lkc_sym sym);

/* Prints it for people on the standard output. Returns 0 or -ENOMEM. */
int report_print(const struct report *r, const struct report_about *about,
		 const struct term *t, bool verbose);
/* The same as one JSON object on the standard output. */
int report_print_json(const struct report *r,
		      const struct report_about *about);

#endif
