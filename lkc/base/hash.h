/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hash - hash functions, and a map from strings to 32-bit numbers
 */
#ifndef LKC_BASE_HASH_H
#define LKC_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * FNV-1a, as specified by Fowler, Noll and Vo (draft-eastlake-fnv), over the
 * @len bytes at @p. Not for keys that an adversary chooses to collide.
 */
uint32_t hash_fnv32(const void *p, size_t len);
/* 64 bits; start with HASH_FNV64_INIT, and feed the result back to go on. */
uint64_t hash_fnv64(uint64_t h, const void *p, size_t len);
#define HASH_FNV64_INIT UINT64_C(0xcbf29ce484222325)

/* As many, eight bytes at a time: for whole files. The same on any machine. */
uint64_t hash_text64(uint64_t h, const void *p, size_t len);

/*
 * 128 bits, in two halves that are computed in different ways; start with zeroes.
 * So many that no two of the keys of one person's cache will ever be the same.
 */
struct hash128 {
	uint64_t a, b;
};

void hash128_add(struct hash128 *h, const void *p, size_t len);

/* Spreads the bits of @a and @b over the result. */
uint32_t hash_mix(uint32_t a, uint32_t b);

struct strmap_slot {
	const char *key;
	uint32_t len, hash, value;
};

/* Open addressing; a zeroed struct is an empty map. Keys are not copied. */
struct strmap {
	struct strmap_slot *slots;
	uint32_t size;		/* a power of two, or 0 */
	uint32_t used;
};

/* The value stored under the @len bytes at @key, or UINT32_MAX. */
uint32_t strmap_get(const struct strmap *m, const char *key, size_t len);
/* The stored key equal to the @len bytes at @key, or NULL. */
const char *strmap_key(const struct strmap *m, const char *key, size_t len);
/*
 * Stores @value under @key, which must stay valid as long as the map, and must
 * not be in it yet. False when out of memory.
 */
bool strmap_add(struct strmap *m, const char *key, size_t len, uint32_t value);
void strmap_free(struct strmap *m);

#endif
