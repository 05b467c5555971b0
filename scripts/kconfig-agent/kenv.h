/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kenv - the environment in which the kernel's make runs conf
 *
 * Kconfig files read ARCH, SRCARCH, CC, CC_VERSION_TEXT, KERNELVERSION and more
 * from the environment, and the tree's own Makefile is what sets them. Under
 * make they are there. Otherwise make is run once on the tree with a rule of
 * ours that shows the environment, and the result is kept in
 * $XDG_CACHE_HOME/kconfig-agent (~/.cache/kconfig-agent). Only what make
 * changed is kept there, nothing of the caller's own environment.
 *
 * Asking for the environment writes nothing in the tree. Running the tree's
 * conf may first have to build it, which writes what "make olddefconfig" in
 * the same place would.
 *
 *	struct kenv_options opt = { .tree = "linux", .arch = "arm64" };
 *	struct strbuf why = {0};
 *	struct kenv env;
 *
 *	if (kenv_get(&opt, &env, &why) < 0) {
 *		complain(strbuf_str(&why));
 *		exit 2
 *	}
 *	chdir(env.objtree);
 *	load.env = (const char *const *)env.env;
 *	lkc_tree_load(env.kconfig, &load, &tree, diags);
 *	...
 *	kenv_free(&env);
 */
#ifndef KA_KENV_H
#define KA_KENV_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

struct kenv_options {
	const char *tree;	/* kernel source; NULL: $srctree under make, */
				/* else the current directory */
	const char *objtree;	/* make's O=; NULL: the current directory */
				/* under make of that tree, else what make */
				/* takes: $KBUILD_OUTPUT, or the source */
	const char *arch;	/* make's ARCH=; NULL: what make takes */
	/*
	 * Further NAME=value arguments of make, NULL terminated, such as
	 * "CC=clang"; may be NULL.
	 */
	const char *const *vars;
	bool no_cache;		/* neither read the cache nor write it */
};

/*
 * All paths but @kconfig are absolute. @env is for the tree: variables that
 * hold keys (*_API_KEY, KCONFIG_AGENT_KEY_FILE) are not in it, so that no
 * Kconfig file can read them. Relative names in it, such as KCONFIG_CONFIG and
 * srctree, are meant from @objtree, which has to be the current directory
 * where the tree is loaded.
 */
struct kenv {
	char **env;		/* NAME=value, NULL terminated */
	char *srctree;
	char *objtree;
	char *kconfig;		/* name of the first Kconfig file */
	char *conf;		/* the tree's own conf; may not be built yet */
	char *defconfig;	/* what "make defconfig" reads, or NULL where */
				/* that is not one file */
	char *arch;		/* ARCH */
	char *srcarch;		/* SRCARCH: the directory below arch/ */
	char *version;		/* KERNELVERSION */
	bool under_make;	/* the caller's environment was the right one */
	char **vars;		/* as in the options; for kenv_build_conf() */
};

/*
 * Finds the environment of a tree. On success *@env must be freed with
 * kenv_free(). Returns 0, or a negative errno with the reason, in a sentence
 * or with make's last lines, in @why (and *@env is zeroed):
 * -ENOENT not a kernel tree; -EPROTO make failed; others as they came.
 */
int kenv_get(const struct kenv_options *opt, struct kenv *env,
	     struct strbuf *why);
void kenv_free(struct kenv *env);

/* The value of @name in env->env, or NULL. Belongs to @env. */
const char *kenv_value(const struct kenv *env, const char *name);

/*
 * Has make build env->conf if it is not there. Returns 0, or a negative errno
 * with the reason in @why.
 */
int kenv_build_conf(const struct kenv *env, struct strbuf *why);

/*
 * Runs the tree's own "conf --@mode" (such as "olddefconfig") on a copy of the
 * @len bytes at @text, in a private directory that is removed afterwards;
 * builds conf first if need be. Nothing else is written in the tree. @config
 * gets the configuration that conf wrote, @messages what it said on stderr;
 * both are appended to. Returns 0, or a negative errno with the reason in
 * @why: -EPROTO conf could not be built or did not exit with 0.
 */
int kenv_run_conf(const struct kenv *env, const char *mode, const char *text,
		  size_t len, struct strbuf *config, struct strbuf *messages,
		  struct strbuf *why);

#endif
