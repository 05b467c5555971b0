/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arena - memory that is given back all at once
 *
 * An arena hands out pieces of large blocks. Pieces cannot be freed one by
 * one; arena_free() frees them all. A zeroed struct is an empty arena.
 */
#ifndef LKC_BASE_ARENA_H
#define LKC_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;	/* newest first */
	char *next, *end;		/* unused part of the newest block */
	size_t total;			/* bytes taken from malloc() */
};

/* @size zeroed bytes, aligned for any type; NULL when out of memory. */
void *arena_alloc(struct arena *a, size_t size);
/* @size bytes with no alignment, not zeroed; NULL when out of memory. */
char *arena_bytes(struct arena *a, size_t size);
/* A NUL-terminated copy of the @len bytes at @s. */
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_strdup(struct arena *a, const char *s);
/* Frees everything; the arena is empty and usable again. */
void arena_free(struct arena *a);

#endif
