/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * opts - options: what is in the table is parsed, and is in --help
 *
 * A table describes the options of a command; each row says where in the
 * command's own struct the value goes, so there is no option that is accepted
 * and not stored. The struct begins with a struct opts_common, for the options
 * that all commands have.
 *
 * A value comes from the command line, else from the environment variable of
 * the row, else from the file ~/.config/kconfig-agent/config (or where
 * XDG_CONFIG_HOME leads), which has lines of the form "name = value" for a few
 * of them, and never a key.
 */
#ifndef KA_OPTS_H
#define KA_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

struct strbuf;

enum opt_type {
	OPT_FLAG,		/* bool: no value */
	OPT_TEXT,		/* const char *, NULL by default */
	OPT_LIST,		/* struct opt_list; may be given several times */
	OPT_NUMBER,		/* unsigned int within @min and @max */
	OPT_WORD,		/* unsigned int: number of the word in @words */
};

struct opt_list {
	const char **v;		/* ended by NULL; NULL if there are none */
	size_t n;
};

struct opt {
	const char *name;	/* without dashes; NULL ends a table */
	char letter;		/* short form, or 0 */
	enum opt_type type;
	size_t offset;		/* in the struct of the command */
	const char *arg;	/* what --help calls the value */
	const char *help;
	const char *env;	/* environment variable, or NULL */
	unsigned int min, max;
	const char *const *words;	/* ended by NULL */
};

enum opts_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct opts_common {
	const char *tree;
	const char *objtree;
	const char *arch;
	const char *config;
	bool json;
	bool quiet;
	bool verbose;
	bool no_probe_cache;
	unsigned int color;	/* enum opts_color */
	bool help;
	bool version;
};

/* A command line, parsed. */
struct opts {
	char **args;		/* what is not an option, in order */
	size_t n_args;
	struct arena memory;	/* of values from elsewhere, and of lists */
};

/*
 * Parses argv[1] up to argv[argc - 1] by @table and by the common options into
 * @values, which is set up with its defaults. Returns 0, -EINVAL for what
 * the user has to change, or -ENOMEM; the reason is in @why. End with
 * opts_free(): until then values are valid.
 */
int opts_parse(struct opts *o, int argc, char **argv, const struct opt *table,
	       void *values, struct strbuf *why);
void opts_free(struct opts *o);

/* Prints a table, and the common options, for --help. */
void opts_help(FILE *f, const struct opt *table);

/*
 * The path of @name in the directory of the user's for such things: @variable
 * of the environment says which ("XDG_CONFIG_HOME"), else it is @below the home
 * directory (".config"). To be freed; NULL if there is no such place, or out of
 * memory.
 */
char *opts_user_path(const char *variable, const char *below, const char *name);

#endif
