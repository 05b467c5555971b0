// SPDX-License-Identifier: GPL-2.0-only
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

#define BLOCK_MIN (16 * 1024)
#define BLOCK_MAX (512 * 1024)

struct arena_block {
	struct arena_block *older;
	alignas(max_align_t) char data[];
};

/* Blocks double from BLOCK_MIN to BLOCK_MAX, so small arenas stay small. */
static int arena_grow(struct arena *a, size_t need)
{
	size_t size = a->total;
	struct arena_block *b;

	if (size < BLOCK_MIN)
		size = BLOCK_MIN;
	if (size > BLOCK_MAX)
		size = BLOCK_MAX;
	if (need > SIZE_MAX / 2)
		return -1;
	if (size < need)
		size = need;
	b = malloc(sizeof(*b) + size);
	if (!b)
		return -1;
	a->total += sizeof(*b) + size;
	b->older = a->blocks;
	a->blocks = b;
	a->next = b->data;
	a->end = b->data + size;
	return 0;
}

void *arena_alloc(struct arena *a, size_t size)
{
	size_t mask = alignof(max_align_t) - 1;
	size_t pad = -(uintptr_t)a->next & mask;
	void *p;

	if (size > SIZE_MAX / 4)
		return NULL;
	if (!a->next || (size_t)(a->end - a->next) < pad + size) {
		if (arena_grow(a, size + mask))
			return NULL;
		pad = -(uintptr_t)a->next & mask;
	}
	p = a->next + pad;
	a->next += pad + size;
	return memset(p, 0, size);
}

char *arena_bytes(struct arena *a, size_t size)
{
	char *p;

	if (!a->next || (size_t)(a->end - a->next) < size) {
		if (arena_grow(a, size))
			return NULL;
	}
	p = a->next;
	a->next += size;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p;

	if (len == SIZE_MAX)
		return NULL;
	p = arena_bytes(a, len + 1);
	if (!p)
		return NULL;
	if (len)
		memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

void arena_free(struct arena *a)
{
	struct arena_block *b, *older;

	for (b = a->blocks; b; b = older) {
		older = b->older;
		free(b);
	}
	memset(a, 0, sizeof(*a));
}
