// SPDX-License-Identifier: GPL-2.0-only
#include "envlist.h"

#include <stdlib.h>
#include <string.h>

static unsigned int find(const struct envlist *e, const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < e->n; i++)
		if (!strncmp(e->v[i], name, len) && e->v[i][len] == '=')
			break;
	return i;
}

static bool reserve(struct envlist *e)
{
	unsigned int cap = e->cap ? 2 * e->cap : 64;
	char **v;

	if (e->n + 2 <= e->cap)
		return true;
	v = reallocarray(e->v, cap, sizeof(*v));
	if (!v)
		return false;
	e->v = v;
	e->cap = cap;
	return true;
}

/* Takes @entry over, whose name has @len bytes. */
static void put(struct envlist *e, char *entry, size_t len)
{
	unsigned int i;

	if (!entry || !reserve(e)) {
		e->err = true;
		free(entry);
		return;
	}
	i = find(e, entry, len);
	if (i == e->n)
		e->v[++e->n] = NULL;
	else
		free(e->v[i]);
	e->v[i] = entry;
}

void envlist_add(struct envlist *e, char *const *env)
{
	for (; *env; env++)
		envlist_put(e, *env);
}

const char *envlist_get(const struct envlist *e, const char *name)
{
	size_t len = strcspn(name, "=");
	unsigned int i = find(e, name, len);

	return i == e->n ? NULL : e->v[i] + len + 1;
}

void envlist_set(struct envlist *e, const char *name, const char *value)
{
	size_t len = strlen(name), vlen = strlen(value);
	char *entry = malloc(len + vlen + 2);

	if (entry) {
		memcpy(entry, name, len);
		entry[len] = '=';
		memcpy(entry + len + 1, value, vlen + 1);
	}
	put(e, entry, len);
}

void envlist_put(struct envlist *e, const char *entry)
{
	const char *eq = strchr(entry, '=');

	if (eq)
		put(e, strdup(entry), (size_t)(eq - entry));
}

void envlist_unset(struct envlist *e, const char *name)
{
	unsigned int i = find(e, name, strcspn(name, "="));

	if (i == e->n)
		return;
	free(e->v[i]);
	e->v[i] = e->v[--e->n];
	e->v[e->n] = NULL;
}

void envlist_free(struct envlist *e)
{
	unsigned int i;

	for (i = 0; i < e->n; i++)
		free(e->v[i]);
	free(e->v);
	*e = (struct envlist){0};
}
