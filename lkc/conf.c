// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconf - the front end of liblkc that behaves like the kernel's conf
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lkc/lkc.h>

#include "base/strbuf.h"

extern char **environ;

struct kconf;

struct mode {
	const char *name;
	bool takes_file;
	int (*run)(struct kconf *k);
	enum lkc_set_all set_all;
	const char *seed;	/* file that KCONFIG_ALLCONFIG=1 means */
	const char *help;
};

struct kconf {
	const struct mode *mode;
	const char *file;	/* of --defconfig and --savedefconfig */
	const char *kconfig;
	const char *dialect;
	bool silent;
	bool no_shell;
	struct lkc_tree *tree;
	struct lkc_config *config;
	struct lkc_diags *diags;
	size_t shown;		/* diagnostics printed so far */
	bool fatal;		/* KCONFIG_WERROR, and there were warnings */
};

/* Prints what has been found since the last call, each where conf does. */
static void show_diags(struct kconf *k)
{
	size_t n = lkc_diags_count(k->diags);

	for (; k->shown < n; k->shown++) {
		const struct lkc_diag *d = lkc_diags_get(k->diags, k->shown);

		fprintf(d->severity == LKC_INFO ? stdout : stderr, "%s\n",
			d->full);
	}
	fflush(stdout);
}

static const char *config_name(void)
{
	const char *name = getenv("KCONFIG_CONFIG");

	return name ? name : ".config";
}

/*
 * The path of @name: itself, or below $srctree if it is only there. The
 * result is to be freed; NULL if it is nowhere.
 */
static char *find_file(const char *name)
{
	const char *srctree = getenv("srctree");
	struct strbuf path = {0};

	if (access(name, R_OK) == 0)
		return strdup(name);
	if (*name == '/' || !srctree)
		return NULL;
	strbuf_addf(&path, "%s/%s", srctree, name);
	if (!path.err && access(path.s, R_OK) == 0)
		return strbuf_detach(&path, NULL);
	strbuf_free(&path);
	return NULL;
}

/* Reads @name if it can be found; false if not. */
static bool read_config(struct kconf *k, const char *name)
{
	char *path = find_file(name);
	size_t before = lkc_diags_count(k->diags);
	int err;

	if (!path)
		return false;
	err = lkc_config_read(k->config, path, 0, k->diags);
	free(path);
	show_diags(k);
	if (lkc_diags_count(k->diags) > before && getenv("KCONFIG_WERROR"))
		k->fatal = true;
	return !err;
}

/* The user's .config, or the first file of KCONFIG_DEFCONFIG_LIST. */
static void read_user_config(struct kconf *k)
{
	const char *list = getenv("KCONFIG_DEFCONFIG_LIST");
	char *copy, *name, *path, *rest = NULL;

	if (read_config(k, config_name()) || !list)
		return;
	copy = strdup(list);
	for (name = copy ? strtok_r(copy, " \t", &rest) : NULL; name;
	     name = strtok_r(NULL, " \t", &rest)) {
		path = find_file(name);
		free(path);
		if (!path)
			continue;
		if (!k->silent)
			printf("#\n# using defaults found in %s\n#\n", name);
		read_config(k, name);
		break;
	}
	free(copy);
}

static int write_config(struct kconf *k)
{
	const char *name = config_name();
	char *text;
	size_t len;
	int err;

	if (k->fatal)
		return 1;
	if (lkc_config_format(k->config, LKC_FORMAT_CONFIG, &text, &len)) {
		fprintf(stderr, "\n*** Error during writing of the configuration.\n\n");
		return 1;
	}
	err = lkc_file_replace(name, text, len, true, k->diags);
	free(text);
	show_diags(k);
	if (err < 0) {
		fprintf(stderr, "\n*** Error during writing of the configuration.\n\n");
		return 1;
	}
	if (!k->silent)
		printf(err == LKC_UNCHANGED ? "#\n# No change to %s\n#\n" :
		       "#\n# configuration written to %s\n#\n", name);
	return 0;
}

static int run_olddefconfig(struct kconf *k)
{
	read_user_config(k);
	return write_config(k);
}

static int run_defconfig(struct kconf *k)
{
	if (!read_config(k, k->file)) {
		fprintf(stderr, "***\n*** Can't find default configuration \"%s\"!\n***\n",
			k->file);
		return 1;
	}
	return write_config(k);
}

static int run_savedefconfig(struct kconf *k)
{
	char *text;
	size_t len;
	int err;

	read_user_config(k);
	err = lkc_config_format(k->config, LKC_FORMAT_DEFCONFIG, &text, &len);
	if (!err) {
		err = lkc_file_replace(k->file, text, len, false, k->diags);
		free(text);
	}
	show_diags(k);
	if (err < 0) {
		fprintf(stderr, "\n*** Error while saving defconfig to: %s\n\n",
			k->file);
		return 1;
	}
	return 0;
}

/* What KCONFIG_ALLCONFIG names goes first; false: there is no such file. */
static bool read_seed(struct kconf *k)
{
	const char *name = getenv("KCONFIG_ALLCONFIG");

	if (!name)
		return true;
	if (*name && strcmp(name, "1") != 0) {
		if (read_config(k, name))
			return true;
		fprintf(stderr, "*** Can't read seed configuration \"%s\"!\n",
			name);
		return false;
	}
	if (read_config(k, k->mode->seed) || read_config(k, "all.config"))
		return true;
	fprintf(stderr,
		"*** KCONFIG_ALLCONFIG set, but no \"%s\" or \"all.config\" file found\n",
		k->mode->seed);
	return false;
}

static int run_set_all(struct kconf *k)
{
	if (!read_seed(k))
		return 1;
	if (lkc_config_set_all(k->config, k->mode->set_all))
		return 1;
	return write_config(k);
}

static const struct mode modes[] = {
	{ .name = "olddefconfig", .run = run_olddefconfig,
	  .help = "set new symbols to their defaults" },
	{ .name = "defconfig", .takes_file = true, .run = run_defconfig,
	  .help = "start from the settings in FILE" },
	{ .name = "savedefconfig", .takes_file = true,
	  .run = run_savedefconfig,
	  .help = "write the smallest equivalent settings to FILE" },
	{ .name = "alldefconfig", .run = run_set_all,
	  .set_all = LKC_ALL_DEF, .seed = "alldef.config",
	  .help = "all symbols at their defaults" },
	{ .name = "allnoconfig", .run = run_set_all, .set_all = LKC_ALL_NO,
	  .seed = "allno.config", .help = "all symbols n where possible" },
	{ .name = "allmodconfig", .run = run_set_all, .set_all = LKC_ALL_MOD,
	  .seed = "allmod.config", .help = "all symbols m where possible" },
	{ .name = "allyesconfig", .run = run_set_all, .set_all = LKC_ALL_YES,
	  .seed = "allyes.config", .help = "all symbols y where possible" },
};

#define N_MODES (sizeof(modes) / sizeof(modes[0]))

enum { OPT_HELP = 1000, OPT_DIALECT, OPT_NO_SHELL, OPT_VERSION };

static void usage(FILE *to, const char *argv0)
{
	size_t i;

	fprintf(to, "Usage: %s [-s] --MODE[=FILE] KCONFIG\n\nModes:\n", argv0);
	for (i = 0; i < N_MODES; i++)
		fprintf(to, "  --%s%-*s %s\n", modes[i].name,
			(int)(22 - strlen(modes[i].name)),
			modes[i].takes_file ? "=FILE" : "", modes[i].help);
	fputs("\nOptions:\n"
	      "  -s, --silent            print no messages about what was written\n"
	      "      --dialect=VERSION   speak Kconfig as of kernel VERSION\n"
	      "      --no-shell          run no $(shell) commands\n"
	      "      --help              this text\n", to);
}

static int parse_options(struct kconf *k, int argc, char **argv)
{
	struct option options[N_MODES + 6] = {
		{ "silent", no_argument, NULL, 's' },
		{ "help", no_argument, NULL, OPT_HELP },
		{ "dialect", required_argument, NULL, OPT_DIALECT },
		{ "no-shell", no_argument, NULL, OPT_NO_SHELL },
	};
	size_t i;
	int opt;

	for (i = 0; i < N_MODES; i++)
		options[4 + i] = (struct option){
			modes[i].name, modes[i].takes_file, NULL, 2000 + i,
		};
	while ((opt = getopt_long(argc, argv, "hs", options, NULL)) != -1) {
		if (opt >= 2000) {
			k->mode = &modes[opt - 2000];
			k->file = optarg;
		} else if (opt == 's') {
			k->silent = true;
		} else if (opt == OPT_DIALECT) {
			k->dialect = optarg;
		} else if (opt == OPT_NO_SHELL) {
			k->no_shell = true;
		} else {
			usage(opt == '?' ? stderr : stdout, argv[0]);
			return 1;
		}
	}
	if (optind >= argc || !k->mode) {
		fprintf(stderr, "%s: %s\n", argv[0], k->mode ?
			"Kconfig file missing" : "mode missing");
		usage(stderr, argv[0]);
		return 1;
	}
	k->kconfig = argv[optind];
	return 0;
}

static int run(struct kconf *k)
{
	struct lkc_load_options opt = {
		.dialect = k->dialect, .env = (const char *const *)environ,
		.no_shell = k->no_shell,
	};
	int err, status;

	err = lkc_tree_load(k->kconfig, &opt, &k->tree, k->diags);
	show_diags(k);
	if (!err)
		err = lkc_config_new(k->tree, &k->config);
	if (err) {
		if (err != LKC_EPARSE)
			fprintf(stderr, "kconf: %s\n", lkc_strerror(err));
		return 1;
	}
	status = k->mode->run(k);
	if (!status)
		lkc_config_warnings(k->config, k->diags);
	show_diags(k);
	return status;
}

int main(int argc, char **argv)
{
	struct kconf k = { .diags = lkc_diags_new() };
	int status = 1;

	if (!k.diags) {
		fputs("kconf: out of memory\n", stderr);
		return 1;
	}
	if (parse_options(&k, argc, argv) == 0)
		status = run(&k);
	lkc_config_free(k.config);
	lkc_tree_free(k.tree);
	lkc_diags_free(k.diags);
	return status;
}
