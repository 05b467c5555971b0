// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconfig-agent - say what a kernel is for, get a .config that Kconfig accepts
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd.h"
#include "opts.h"
#include "term.h"
#include "text.h"
#include "version.h"

static const struct cmd *const commands[] = {
	&cmd_run,
	&cmd_replay,
	&cmd_explain,
	&cmd_set,
	&cmd_show,
	&cmd_merge,
	&cmd_check,
	&cmd_search,
	&cmd_diff,
	&cmd_groups,
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const char *command_name(const void *arg, size_t i)
{
	(void)arg;
	return commands[i]->name;
}

static int print_usage(void)
{
	size_t i;

	printf("Usage: kconfig-agent COMMAND [options]\n\n"
	       "Configures a Linux kernel for a goal stated in words. What a\n"
	       "language model or the built-in knowledge suggests is judged by\n"
	       "Kconfig's own rules, so that what is written is valid.\n\n"
	       "Commands:\n");
	for (i = 0; i < COMMANDS; i++)
		printf("  %-10s %s\n", commands[i]->name,
		       commands[i]->summary);
	printf("\nkconfig-agent COMMAND --help tells more.\n");
	return EXIT_DONE;
}

static int print_version(void)
{
	printf("kconfig-agent %s\n", KA_VERSION);
	return EXIT_DONE;
}

static int print_help(const struct cmd *cmd)
{
	printf("Usage: kconfig-agent %s [options]%s%s\n\n%s", cmd->name,
	       *cmd->args ? " " : "", cmd->args, cmd->about);
	opts_help(stdout, cmd->opts);
	if (cmd->more)
		cmd->more(stdout);
	return EXIT_DONE;
}

static const struct cmd *find(const char *name)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	return NULL;
}

static int unknown(const char *name)
{
	const char *near = text_nearest(name, COMMANDS, command_name, NULL);

	if (*name == '-')
		term_error("the command goes before its options: kconfig-agent COMMAND %s; see kconfig-agent --help",
			   name);
	else if (near)
		term_error("there is no command \"%s\"; did you mean \"%s\"?",
			   name, near);
	else
		term_error("there is no command \"%s\"; see kconfig-agent --help",
			   name);
	return EXIT_USAGE;
}

static int check_args(const struct cmd *cmd, const struct opts *o)
{
	if (o->n_args < cmd->min_args) {
		term_error("%s: something is missing: kconfig-agent %s [options] %s",
			   cmd->name, cmd->name, cmd->args);
		return EXIT_USAGE;
	}
	if (o->n_args > cmd->max_args) {
		term_error("%s: \"%s\" is one argument too many; see kconfig-agent %s --help",
			   cmd->name, o->args[cmd->max_args], cmd->name);
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

static int run(const struct cmd *cmd, int argc, char **argv)
{
	struct opts_common *values = calloc(1, cmd->size);
	struct strbuf why = {0};
	struct opts o = {0};
	int status;

	if (!values) {
		term_error("out of memory");
		return EXIT_INPUT;
	}
	if (cmd->defaults)
		cmd->defaults(values);
	if (opts_parse(&o, argc, argv, cmd->opts, values, &why)) {
		term_error("%s: %s; see kconfig-agent %s --help", cmd->name,
			   strbuf_str(&why), cmd->name);
		status = EXIT_USAGE;
	} else if (values->help) {
		status = print_help(cmd);
	} else if (values->version) {
		status = print_version();
	} else {
		status = check_args(cmd, &o);
		if (!status)
			status = cmd->run(values, &o);
	}
	strbuf_free(&why);
	opts_free(&o);
	free(values);
	return status;
}

/* What was printed has to have arrived somewhere. */
static int finish(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (errno != EPIPE)
		term_error("the standard output cannot be written: %s",
			   strerror(errno));
	return status ? status : EXIT_INPUT;
}

int main(int argc, char **argv)
{
	const struct cmd *cmd;

	setlocale(LC_CTYPE, "");
	if (argc < 2) {
		print_usage();
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return finish(print_usage());
	if (!strcmp(argv[1], "--version"))
		return finish(print_version());
	cmd = find(argv[1]);
	if (!cmd)
		return unknown(argv[1]);
	return finish(run(cmd, argc - 1, argv + 1));
}
