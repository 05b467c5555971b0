/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * conf - what the files of kconf share
 *
 * kconf behaves like the kernel's conf: the modes, messages, files and exit
 * statuses. Here, unlike in the library, printing and asking are in place.
 */
#ifndef LKC_CONF_H
#define LKC_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include <lkc/lkc.h>

struct kconf;

struct mode {
	const char *name;
	bool takes_file;
	/* Done as soon as the mode is named, before Kconfig is read. */
	void (*prepare)(struct kconf *k);
	/* All that the mode does; returns the exit status. */
	int (*run)(struct kconf *k);
	enum lkc_set_all set_all;
	const char *seed;	/* file that KCONFIG_ALLCONFIG=1 means */
	enum lkc_tri from, to;	/* user values to rewrite */
};

struct kconf {
	const struct mode *mode;
	const char *file;	/* of --defconfig and --savedefconfig */
	const char *kconfig;
	const char *dialect;
	bool silent;
	bool no_shell, no_probe_cache;
	bool modern;		/* dialect 6.12 or newer */
	bool ancient;		/* dialect 4.11 */
	struct lkc_tree *tree;
	struct lkc_config *config;
	struct lkc_warner *warner;
	struct lkc_diags *diags;
	size_t shown;		/* diagnostics printed so far */
	bool changed;		/* .config and configuration differ */
	bool fatal;		/* KCONFIG_WERROR, and there were warnings */
};

/* ---- conf.c ------------------------------------------------------------- */

/* Prints what has been found since the last call, each where conf does. */
void conf_show_diags(struct kconf *k);
/* Forgets what has been found since, which conf does not tell. */
void conf_drop_diags(struct kconf *k);
/* The value of an environment variable, or @otherwise. */
const char *conf_env(const char *name, const char *otherwise);
/*
 * Has the warner look at @sym, or at all, and prints what it says. Called
 * where conf would compute @sym.
 */
void conf_calc(struct kconf *k, lkc_sym sym);
/* The user has changed something: all is computed again when asked for. */
void conf_calc_again(struct kconf *k);

/* ---- conf-modes.c: modes that do not ask -------------------------------- */

/* Reads the user's .config, or a default for it; returns the exit status. */
int conf_read(struct kconf *k);
/* Takes the seed of randconfig from the environment. */
void conf_seed_lots(struct kconf *k);

int conf_run_olddefconfig(struct kconf *k);
int conf_run_defconfig(struct kconf *k);
int conf_run_savedefconfig(struct kconf *k);
int conf_run_set_all(struct kconf *k);
int conf_run_random(struct kconf *k);
int conf_run_rewrite(struct kconf *k);

/* ---- conf-ask.c: modes that ask, or list what they would ask for -------- */

int conf_run_oldconfig(struct kconf *k);
int conf_run_oldaskconfig(struct kconf *k);
int conf_run_syncconfig(struct kconf *k);
int conf_run_listnewconfig(struct kconf *k);
int conf_run_helpnewconfig(struct kconf *k);

/* ---- conf-help.c -------------------------------------------------------- */

/* Prints what is known of the entry @m. */
void conf_print_help(struct kconf *k, lkc_menu m);

/* ---- conf-write.c ------------------------------------------------------- */

/*
 * Writes .config and, where there is none yet, auto.conf and all else that a
 * build reads. Returns the exit status.
 */
int conf_write(struct kconf *k);
/* The parts of it; the latter whether there is an auto.conf or not. */
int conf_write_config(struct kconf *k);
int conf_write_auto(struct kconf *k);

#endif
