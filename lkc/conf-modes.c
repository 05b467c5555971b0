// SPDX-License-Identifier: GPL-2.0-only
/*
 * conf-modes - the modes that do not ask
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "conf.h"

/* ---- reading ------------------------------------------------------------ */

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

/*
 * Reads @name if it can be found; false if not. Messages call the file what the
 * user called it, wherever it was.
 */
static bool read_file(struct kconf *k, const char *name, unsigned int flags)
{
	char *path = find_file(name), *text;
	size_t before = lkc_diags_count(k->diags), len;
	int err;

	if (!path)
		return false;
	err = file_read(path, 0, &text, &len);
	free(path);
	if (err)
		return false;
	err = lkc_config_read_mem(k->config, name, text, len, flags, k->diags);
	free(text);
	conf_show_diags(k);
	if (lkc_diags_count(k->diags) > before) {
		k->changed = true;
		if (getenv("KCONFIG_WERROR"))
			k->fatal = true;
	}
	return !err;
}

/*
 * What conf does to a .config, but not to a seed, after reading it, or after
 * there was none. Returns the exit status.
 */
static int finish_reading(struct kconf *k, bool found)
{
	lkc_warner_forget(k->warner, k->diags);
	if (found)
		lkc_warner_all(k->warner, k->diags);
	conf_show_diags(k);
	if (lkc_config_finish_read(k->config))
		k->changed = true;
	return k->fatal;
}

/* The first file of KCONFIG_DEFCONFIG_LIST that is there. */
static bool read_default(struct kconf *k)
{
	char *list = strdup(conf_env("KCONFIG_DEFCONFIG_LIST", ""));
	char *name, *path, *rest = NULL;
	bool found = false;

	for (name = list ? strtok_r(list, " \t", &rest) : NULL;
	     name && !found; name = strtok_r(NULL, " \t", &rest)) {
		path = find_file(name);
		if (!path)
			continue;
		free(path);
		if (!k->silent)
			printf("#\n# using defaults found in %s\n#\n", name);
		found = read_file(k, name, 0);
	}
	free(list);
	return found;
}

int conf_read(struct kconf *k)
{
	bool found = read_file(k, conf_env("KCONFIG_CONFIG", ".config"), 0);

	if (!found) {
		k->changed = true;
		found = read_default(k);
	}
	return finish_reading(k, found);
}

/* ---- modes -------------------------------------------------------------- */

int conf_run_olddefconfig(struct kconf *k)
{
	return conf_read(k) || conf_write(k);
}

int conf_run_defconfig(struct kconf *k)
{
	if (!read_file(k, k->file, 0)) {
		fprintf(stderr, "***\n*** Can't find default configuration \"%s\"!\n***\n",
			k->file);
		return 1;
	}
	return finish_reading(k, true) || conf_write(k);
}

/* Computes in the order in which a defconfig is written. */
static void calc_for_saving(struct kconf *k)
{
	size_t i, n = lkc_menu_count(k->tree);

	conf_calc_again(k);
	for (i = 1; i < n; i++) {
		lkc_sym sym = lkc_menu_sym(k->tree, i);

		if (sym != LKC_NONE && !lkc_sym_is_choice(k->tree, sym))
			conf_calc(k, sym);
	}
}

int conf_run_savedefconfig(struct kconf *k)
{
	char *text;
	size_t len;
	int err;

	if (conf_read(k))
		return 1;
	calc_for_saving(k);
	err = lkc_config_format(k->config, LKC_FORMAT_DEFCONFIG, &text, &len);
	if (!err) {
		err = file_replace(k->file, text, len, 0666, false);
		free(text);
	}
	if (err) {
		/* the n is conf's */
		fprintf(stderr, "n*** Error while saving defconfig to: %s\n\n",
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
		if (read_file(k, name, LKC_READ_SEED))
			return true;
		fprintf(stderr, "*** Can't read seed configuration \"%s\"!\n",
			name);
		return false;
	}
	if (read_file(k, k->mode->seed, LKC_READ_SEED) ||
	    read_file(k, "all.config", LKC_READ_SEED))
		return true;
	fprintf(stderr,
		"*** KCONFIG_ALLCONFIG set, but no \"%s\" or \"all.config\" file found\n",
		k->mode->seed);
	return false;
}

int conf_run_set_all(struct kconf *k)
{
	if (!read_seed(k) || k->fatal)
		return 1;
	if (lkc_config_set_all(k->config, k->mode->set_all))
		return 1;
	conf_calc_again(k);
	return conf_write(k);
}

int conf_run_rewrite(struct kconf *k)
{
	if (conf_read(k) ||
	    lkc_config_rewrite(k->config, k->mode->from, k->mode->to))
		return 1;
	conf_calc_again(k);
	return conf_write(k);
}

/* ---- randconfig --------------------------------------------------------- */

static int draw(void *ctx)
{
	(void)ctx;
	return rand();
}

/* A seed that is not given, or is no number, is taken from the clock. */
void conf_seed_lots(struct kconf *k)
{
	const char *text = conf_env("KCONFIG_SEED", "");
	unsigned int seed = 0;
	struct timeval now;
	char *end = NULL;

	if (*text)
		seed = strtol(text, &end, 0);
	if (!*text || *end) {
		gettimeofday(&now, NULL);
		seed = (now.tv_sec + 1) * (now.tv_usec + 1);
	}
	fprintf(k->ancient ? stderr : stdout, "KCONFIG_SEED=0x%X\n", seed);
	srand(seed);
}

static int lots_failed(void)
{
	errno = ERANGE;
	perror("KCONFIG_PROBABILITY");
	return 1;
}

/*
 * KCONFIG_PROBABILITY is Y, or TRI_Y:TRI_M, or BOOL_Y:TRI_Y:TRI_M, in percent.
 * As in conf, what is no number counts as 0.
 */
static int read_lots(struct lkc_lots *lots)
{
	const char *text = conf_env("KCONFIG_PROBABILITY", "");
	int n = 0;
	long p[3];
	char *end;

	while (*text && n < 3) {
		p[n] = strtol(text, &end, 10);
		if (p[n] < 0 || p[n] > 100)
			return lots_failed();
		n++;
		text = *end == ':' ? end + 1 : end;
	}
	if (n == 1) {
		lots->bool_y = p[0];
		lots->tri_m = p[0] / 2;
		lots->tri_y = p[0] - lots->tri_m;
	} else if (n) {
		lots->tri_y = p[n - 2];
		lots->tri_m = p[n - 1];
		lots->bool_y = n == 3 ? p[0] : lots->tri_y + lots->tri_m;
	}
	return lots->tri_y + lots->tri_m > 100 ? lots_failed() : 0;
}

int conf_run_random(struct kconf *k)
{
	struct lkc_lots lots = {
		.draw = draw, .bool_y = 50, .tri_y = 33, .tri_m = 33,
	};

	if (!read_seed(k) || k->fatal || read_lots(&lots))
		return 1;
	if (lkc_config_set_random(k->config, &lots))
		return 1;
	conf_calc_again(k);
	return conf_write(k);
}
