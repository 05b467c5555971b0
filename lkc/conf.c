// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconf - the front end of liblkc that behaves like the kernel's conf
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"

extern char **environ;

/* The first is the one that conf falls back to. */
static const struct mode modes[] = {
	{ .name = "oldaskconfig", .run = conf_run_oldaskconfig },
	{ .name = "oldconfig", .run = conf_run_oldconfig },
	{ .name = "syncconfig", .run = conf_run_syncconfig },
	/* what 4.11 has for syncconfig and olddefconfig */
	{ .name = "silentoldconfig", .run = conf_run_syncconfig },
	{ .name = "oldnoconfig", .run = conf_run_olddefconfig },
	{ .name = "listnewconfig", .run = conf_run_listnewconfig },
	{ .name = "helpnewconfig", .run = conf_run_helpnewconfig },
	{ .name = "olddefconfig", .run = conf_run_olddefconfig },
	{ .name = "defconfig", .takes_file = true, .run = conf_run_defconfig },
	{ .name = "savedefconfig", .takes_file = true,
	  .run = conf_run_savedefconfig },
	{ .name = "allnoconfig", .run = conf_run_set_all,
	  .set_all = LKC_ALL_NO, .seed = "allno.config" },
	{ .name = "allyesconfig", .run = conf_run_set_all,
	  .set_all = LKC_ALL_YES, .seed = "allyes.config" },
	{ .name = "allmodconfig", .run = conf_run_set_all,
	  .set_all = LKC_ALL_MOD, .seed = "allmod.config" },
	{ .name = "alldefconfig", .run = conf_run_set_all,
	  .set_all = LKC_ALL_DEF, .seed = "alldef.config" },
	{ .name = "randconfig", .run = conf_run_random,
	  .prepare = conf_seed_lots, .seed = "allrandom.config" },
	{ .name = "yes2modconfig", .run = conf_run_rewrite,
	  .from = LKC_YES, .to = LKC_MOD },
	{ .name = "mod2yesconfig", .run = conf_run_rewrite,
	  .from = LKC_MOD, .to = LKC_YES },
	{ .name = "mod2noconfig", .run = conf_run_rewrite,
	  .from = LKC_MOD, .to = LKC_NO },
};

#define N_MODES (sizeof(modes) / sizeof(modes[0]))

void conf_show_diags(struct kconf *k)
{
	size_t n = lkc_diags_count(k->diags);

	for (; k->shown < n; k->shown++) {
		const struct lkc_diag *d = lkc_diags_get(k->diags, k->shown);

		fprintf(d->severity == LKC_INFO ? stdout : stderr, "%s\n",
			d->full);
	}
	fflush(stdout);
}

void conf_drop_diags(struct kconf *k)
{
	k->shown = lkc_diags_count(k->diags);
}

const char *conf_env(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value ? value : otherwise;
}

void conf_calc(struct kconf *k, lkc_sym sym)
{
	lkc_warner_sym(k->warner, sym, k->diags);
	conf_show_diags(k);
}

void conf_calc_again(struct kconf *k)
{
	lkc_warner_forget(k->warner, k->diags);
	conf_show_diags(k);
}

/* ---- options ------------------------------------------------------------ */

enum { OPT_DIALECT = 1000, OPT_NO_SHELL, OPT_NO_PROBE_CACHE, OPT_MODE };

/* Word for word conf's, for those who look for a mode in it. */
static int usage_4_11(const char *argv0)
{
	printf("Usage: %s [-s] [option] <kconfig-file>\n", argv0);
	fputs("[option] is _one_ of the following:\n"
	      "  --listnewconfig         List new options\n"
	      "  --oldaskconfig          Start a new configuration using a line-oriented program\n"
	      "  --oldconfig             Update a configuration using a provided .config as base\n"
	      "  --silentoldconfig       Same as oldconfig, but quietly, additionally update deps\n"
	      "  --olddefconfig          Same as silentoldconfig but sets new symbols to their default value\n"
	      "  --oldnoconfig           An alias of olddefconfig\n"
	      "  --defconfig <file>      New config with default defined in <file>\n"
	      "  --savedefconfig <file>  Save the minimal current configuration to <file>\n"
	      "  --allnoconfig           New config where all options are answered with no\n"
	      "  --allyesconfig          New config where all options are answered with yes\n"
	      "  --allmodconfig          New config where all options are answered with mod\n"
	      "  --alldefconfig          New config with all symbols set to default\n"
	      "  --randconfig            New config with random answer to all options\n",
	      stdout);
	return 1;
}

static int usage(const char *argv0)
{
	printf("Usage: %s [options] <kconfig-file>\n\n", argv0);
	fputs("Generic options:\n"
	      "  -h, --help              Print this message and exit.\n"
	      "  -s, --silent            Do not print log.\n"
	      "\n"
	      "Mode options:\n"
	      "  --listnewconfig         List new options\n"
	      "  --helpnewconfig         List new options and help text\n"
	      "  --oldaskconfig          Start a new configuration using a line-oriented program\n"
	      "  --oldconfig             Update a configuration using a provided .config as base\n"
	      "  --syncconfig            Similar to oldconfig but generates configuration in\n"
	      "                          include/{generated/,config/}\n"
	      "  --olddefconfig          Same as oldconfig but sets new symbols to their default value\n"
	      "  --defconfig <file>      New config with default defined in <file>\n"
	      "  --savedefconfig <file>  Save the minimal current configuration to <file>\n"
	      "  --allnoconfig           New config where all options are answered with no\n"
	      "  --allyesconfig          New config where all options are answered with yes\n"
	      "  --allmodconfig          New config where all options are answered with mod\n"
	      "  --alldefconfig          New config with all symbols set to default\n"
	      "  --randconfig            New config with random answer to all options\n"
	      "  --yes2modconfig         Change answers from yes to mod if possible\n"
	      "  --mod2yesconfig         Change answers from mod to yes if possible\n"
	      "  --mod2noconfig          Change answers from mod to no if possible\n"
	      "  (If none of the above is given, --oldaskconfig is the default)\n",
	      stdout);
	return 1;
}

static int show_usage(const struct kconf *k, const char *argv0)
{
	return k->ancient ? usage_4_11(argv0) : usage(argv0);
}

/* Some of the options, and what is said of them, are other ones in 4.11. */
static bool is_ancient(const struct kconf *k)
{
	const struct lkc_load_options opt = {
		.dialect = k->dialect, .env = (const char *const *)environ,
	};
	const char *dialect = lkc_find_dialect(&opt);

	return dialect && strcmp(dialect, "4.11") == 0;
}

static int parse_options(struct kconf *k, int argc, char **argv)
{
	struct option options[N_MODES + 7] = {
		{ "silent", no_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ "dialect", required_argument, NULL, OPT_DIALECT },
		{ "no-shell", no_argument, NULL, OPT_NO_SHELL },
		{ "no-probe-cache", no_argument, NULL, OPT_NO_PROBE_CACHE },
	};
	size_t i;
	int opt;

	for (i = 0; i < N_MODES; i++)
		options[5 + i] = (struct option){
			modes[i].name, modes[i].takes_file, NULL, OPT_MODE + i,
		};
	k->mode = &modes[0];
	k->ancient = is_ancient(k);
	while ((opt = getopt_long(argc, argv, "hs", options, NULL)) != -1) {
		if (opt >= OPT_MODE) {
			k->mode = &modes[opt - OPT_MODE];
			k->file = optarg;
			if (k->mode->prepare)
				k->mode->prepare(k);
		} else if (opt == 's') {
			k->silent = true;
		} else if (opt == OPT_DIALECT) {
			k->dialect = optarg;
			k->ancient = is_ancient(k);
		} else if (opt == OPT_NO_SHELL) {
			k->no_shell = true;
		} else if (opt == OPT_NO_PROBE_CACHE) {
			k->no_probe_cache = true;
		} else if (opt == 'h') {
			return show_usage(k, argv[0]);
		}
		/* conf goes on after an option that it does not know */
	}
	if (optind >= argc) {
		fprintf(stderr, "%s: Kconfig file missing\n", argv[0]);
		return show_usage(k, argv[0]);
	}
	k->kconfig = argv[optind];
	return 0;
}

/* ---- a run -------------------------------------------------------------- */

static int run(struct kconf *k)
{
	struct lkc_load_options opt = {
		.dialect = k->dialect, .env = (const char *const *)environ,
		.no_shell = k->no_shell,
	};
	char *cache = NULL;
	int err, status;

	if (!k->no_probe_cache)
		cache = lkc_probe_cache_path(opt.env);
	opt.probe_cache = cache;
	err = lkc_tree_load(k->kconfig, &opt, &k->tree, k->diags);
	free(cache);
	conf_show_diags(k);
	if (!err)
		err = lkc_config_new(k->tree, &k->config);
	if (!err)
		err = lkc_warner_new(k->config, &k->warner);
	if (err) {
		if (err != LKC_EPARSE)
			fprintf(stderr, "kconf: %s\n", lkc_strerror(err));
		return 1;
	}
	k->modern = lkc_tree_at_least(k->tree, 6, 12);
	status = k->mode->run(k);
	conf_show_diags(k);
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
	lkc_warner_free(k.warner);
	lkc_config_free(k.config);
	lkc_tree_free(k.tree);
	lkc_diags_free(k.diags);
	return status;
}
