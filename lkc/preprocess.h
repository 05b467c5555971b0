/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * preprocess - variables, functions and $(shell) of the Kconfig language
 */
#ifndef LKC_PREPROCESS_H
#define LKC_PREPROCESS_H

#include "build.h"

/* NULL when out of memory. */
struct preproc *preproc_new(struct loader *ld);
void preproc_free(struct preproc *pp);

enum preproc_flavor {
	PREPROC_RECURSIVE,	/* =  : expanded when used */
	PREPROC_SIMPLE,		/* := : expanded now */
	PREPROC_APPEND,		/* += : keeps the flavour it has */
};

/* An assignment statement; @value is the rest of the line, unexpanded. */
void preproc_assign(struct preproc *pp, const char *name, const char *value,
		    enum preproc_flavor flavor, struct span span);
/*
 * Appends the expansion of all of @text to @out. False: a fault that ends
 * parsing, already diagnosed, loader.err set.
 */
bool preproc_expand(struct preproc *pp, const char *text, size_t len,
		    struct span span, struct strbuf *out);
/*
 * @text starts at a '$': appends the expansion of that one reference to @out
 * and sets *@used to the number of bytes it took.
 */
bool preproc_expand_dollar(struct preproc *pp, const char *text, size_t len,
			   struct span span, struct strbuf *out, size_t *used);

/*
 * Environment variables that were read, in order of first use: their number,
 * and name and value of number @i. Their strings belong to the tree.
 */
size_t preproc_env_count(const struct preproc *pp);
void preproc_env(const struct preproc *pp, size_t i, const char **name,
		 const char **value);

#endif
