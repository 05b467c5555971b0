/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kenv-make - the kernel's make, run with rules of ours
 */
#ifndef KA_KENV_MAKE_H
#define KA_KENV_MAKE_H

struct envlist;
struct strbuf;

struct kenv_make {
	const char *tree;		/* absolute */
	const char *objtree;		/* absolute, or NULL: make's default */
	const char *arch;		/* or NULL */
	const char *const *vars;	/* NAME=value, or NULL */
	const struct envlist *env;	/* make runs in it, but for MAKEFILES */
};

/*
 * Appends to @out what make's environment is where it runs conf: NUL-terminated
 * strings: the object tree, the name of the Kconfig file, the name of the
 * default configuration or "", then NAME=value ones. Returns 0, or a negative
 * errno with the reason in @why.
 */
int kenv_make_env(const struct kenv_make *m, struct strbuf *out,
		  struct strbuf *why);
/* Builds the tree's conf. The same. */
int kenv_make_conf(const struct kenv_make *m, struct strbuf *why);

#endif
