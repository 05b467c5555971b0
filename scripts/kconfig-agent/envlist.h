/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * envlist - an environment that can be changed
 *
 * Where a name is asked for, a whole entry, NAME=value, will do as well.
 */
#ifndef KA_ENVLIST_H
#define KA_ENVLIST_H

#include <stdbool.h>

/* A zeroed struct is empty. Running out of memory is remembered in @err. */
struct envlist {
	char **v;		/* NAME=value, NULL terminated if not NULL */
	unsigned int n, cap;
	bool err;
};

/* Adds copies of the strings in @env, which ends with NULL. */
void envlist_add(struct envlist *e, char *const *env);
/* The value of @name, or NULL. Valid until it is changed. */
const char *envlist_get(const struct envlist *e, const char *name);
/* Makes @value the value of @name, whether it had one or not. */
void envlist_set(struct envlist *e, const char *name, const char *value);
/* The same for a string of the form NAME=value. */
void envlist_put(struct envlist *e, const char *entry);
void envlist_unset(struct envlist *e, const char *name);
void envlist_free(struct envlist *e);

#endif
