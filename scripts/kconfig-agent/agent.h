/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * agent - the loop: ask about a group, judge the answers, repair, commit
 *
 * For each group that the walk gives, the provider is asked. What it suggests
 * is tried as one transaction, so that every suggestion gets a verdict from
 * Kconfig's own rules. What is rejected goes back with the reasons, a few times
 * at most; what holds in the end is committed. Between rounds nothing is left
 * applied: a question that waits for its answer changes nothing.
 *
 * The agent knows no files and no terminal. Whatever happens is told to an
 * observer, in order; a journal, a report and a progress line are observers.
 */
#ifndef KA_AGENT_H
#define KA_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lkc/lkc.h>

#include "prompt.h"

struct answer;
struct group;
struct llm;
struct llm_reply;
struct strbuf;
struct walk;
struct walk_moves;

enum agent_event_type {
	AGENT_ASK,	/* a request goes out: @prompt has it */
	AGENT_REPLY,	/* @reply came; it may tell of a failure */
	AGENT_REJECT,	/* the reply cannot be read, @why; asked once more */
	AGENT_REPAIR,	/* rejected suggestions in @answer go back */
	AGENT_COMMIT,	/* the group is done: verdicts in @answer, changes */
			/* in @txn, which is about to be committed */
	AGENT_LEFT,	/* the group stays as it was, @why */
	AGENT_MOVES,	/* what a commit made visible, or invisible: @moves */
	AGENT_OPENED,	/* the menu @menu is opened without asking, @why */
};

/* What is not named for a type above is NULL or 0. Valid during the call. */
struct agent_event {
	enum agent_event_type type;
	uint64_t number;		/* of the group, from 1 */
	const struct group *group;	/* with its round */
	const struct prompt *prompt;
	const struct llm_reply *reply;
	const struct answer *answer;	/* of all rounds so far */
	const struct lkc_txn *txn;
	const struct walk_moves *moves;
	lkc_menu menu;
	const char *why;
};

struct agent_settings {
	struct lkc_config *config;	/* is changed */
	struct walk *walk;		/* over @config */
	struct llm *llm;
	struct prompt_about about;
	unsigned int max_repair;	/* rounds after the first, per group */
	/* returns 0, or an agent_err that ends the run */
	int (*observe)(void *arg, const struct agent_event *event);
	bool (*interrupted)(void *arg);	/* looked at between groups */
	void *arg;			/* of both */
};

enum agent_err {
	AGENT_ENOMEM = -1,
	AGENT_EPROVIDER = -2,	/* it failed, and would go on failing */
	AGENT_EINTERRUPTED = -3,
	AGENT_EOBSERVER = -4,	/* for observers that cannot go on */
	AGENT_ENOANSWER = -5,	/* not one reply could be used */
};

struct agent_totals {
	uint64_t groups;		/* asked about */
	uint64_t left;			/* of these, left as they were */
	uint64_t requests;
	uint64_t tries;			/* HTTP requests */
	uint64_t unreadable;		/* replies */
	uint64_t rounds;		/* repair rounds */
	uint64_t input_tokens;
	uint64_t output_tokens;
	uint64_t uncounted;		/* replies without figures of use */
};

/*
 * Runs until the walk is at its end, the observer or the provider fails, or
 * the run is interrupted. Returns 0 or an agent_err, with the reason in @why.
 * What was committed by then stays in the configuration.
 */
int agent_run(const struct agent_settings *s, struct agent_totals *totals,
	      struct strbuf *why);

#endif
