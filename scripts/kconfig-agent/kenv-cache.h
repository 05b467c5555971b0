/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kenv-cache - results kept in $XDG_CACHE_HOME/kconfig-agent
 *
 * A result is kept under a key together with stamps of what it was made from:
 * files, and programs in PATH. It is found again as long as those are the same.
 */
#ifndef KA_KENV_CACHE_H
#define KA_KENV_CACHE_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

/*
 * Adds to @b the stamp of the file at @path, or of the programs called @path
 * that PATH has if there is no slash in it.
 */
void kenv_cache_stamp(struct strbuf *b, const char *path);

/*
 * Finds what was kept under @key. @text, to be freed, is a series of
 * NUL-terminated strings, @len bytes in all. False if there is nothing, or
 * nothing that is still good.
 */
bool kenv_cache_load(const char *key, char **text, size_t *len);

/*
 * Keeps the @len bytes at @text under @key, with stamps as kenv_cache_stamp()
 * wrote them. Failing is no harm: it is a cache.
 */
void kenv_cache_store(const char *key, const struct strbuf *stamps,
		      const char *text, size_t len);

#endif
