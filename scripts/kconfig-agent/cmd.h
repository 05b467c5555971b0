/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd - commands: one file and one row in the table of main.c each
 */
#ifndef KA_CMD_H
#define KA_CMD_H

#include <stddef.h>
#include <stdio.h>

struct opt;
struct opts;

/* Exit statuses of all commands. */
enum {
	EXIT_DONE = 0,
	EXIT_USAGE = 1,
	EXIT_INPUT = 2,		/* the tree or a file cannot be read or parsed */
	EXIT_INVALID = 3,	/* not valid, or a request did not hold */
	EXIT_PROVIDER = 4,	/* the provider failed */
	EXIT_BUDGET = 5,	/* a budget ran out */
	EXIT_DISAGREE = 6,	/* a second evaluator disagreed */
	EXIT_INTERRUPTED = 130,
};

struct cmd {
	const char *name;
	const char *summary;	/* one line */
	const char *args;	/* what follows the options, for --help; or "" */
	const char *about;	/* for --help: some sentences, with line breaks */
	const struct opt *opts;
	size_t size;		/* of the struct that the options are put in */
	size_t min_args, max_args;
	/* defaults other than 0, before anything is parsed; or NULL */
	void (*defaults)(void *values);
	/* prints what --help says after the options; or NULL */
	void (*more)(FILE *f);
	/* returns an exit status; errors were printed */
	int (*run)(void *values, const struct opts *o);
};

extern const struct cmd cmd_run;
extern const struct cmd cmd_replay;
extern const struct cmd cmd_explain;
extern const struct cmd cmd_set;
extern const struct cmd cmd_show;
extern const struct cmd cmd_merge;
extern const struct cmd cmd_check;
extern const struct cmd cmd_search;
extern const struct cmd cmd_diff;
extern const struct cmd cmd_groups;

#endif
