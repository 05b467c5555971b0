// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "hash.h"

uint32_t hash_fnv32(const void *p, size_t len)
{
	const unsigned char *s = p;
	uint32_t h = 0x811c9dc5;

	while (len--)
		h = (h ^ *s++) * 0x01000193;
	return h;
}

uint64_t hash_fnv64(uint64_t h, const void *p, size_t len)
{
	const unsigned char *s = p;

	while (len--)
		h = (h ^ *s++) * UINT64_C(0x100000001b3);
	return h;
}

/* Multiplier and shift of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t mix64(uint64_t h, uint64_t x)
{
	h = (h ^ x) * UINT64_C(0xbf58476d1ce4e5b9);
	return h ^ h >> 31;
}

uint64_t hash_text64(uint64_t h, const void *p, size_t len)
{
	const unsigned char *s = p;
	uint64_t x;

	h = mix64(h, len);
	for (; len >= 8; len -= 8, s += 8) {
		memcpy(&x, s, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		x = __builtin_bswap64(x);
#endif
		h = mix64(h, x);
	}
	for (x = 0; len--;)
		x = x << 8 | s[len];
	return mix64(h, x);
}

void hash128_add(struct hash128 *h, const void *p, size_t len)
{
	const unsigned char *s = p;

	h->a = hash_fnv64(h->a ^ HASH_FNV64_INIT, p, len);
	h->b += len;
	while (len--) {
		h->b = (h->b ^ *s++) * UINT64_C(0x9e3779b97f4a7c15);
		h->b ^= h->b >> 32;
	}
}

uint32_t hash_mix(uint32_t a, uint32_t b)
{
	uint64_t x = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);

	x ^= x >> 29;
	x *= UINT64_C(0xbf58476d1ce4e5b9);
	return x >> 32;
}

static uint32_t slot_of(const struct strmap *m, const char *key, size_t len,
			uint32_t hash)
{
	uint32_t mask = m->size - 1;
	uint32_t i = hash_mix(hash, 0) & mask;

	while (m->slots[i].key) {
		const struct strmap_slot *s = &m->slots[i];

		if (s->hash == hash && s->len == len &&
		    memcmp(s->key, key, len) == 0)
			break;
		i = (i + 1) & mask;
	}
	return i;
}

static const struct strmap_slot *strmap_find(const struct strmap *m,
					     const char *key, size_t len)
{
	const struct strmap_slot *s;

	if (!m->size)
		return NULL;
	s = &m->slots[slot_of(m, key, len, hash_fnv32(key, len))];
	return s->key ? s : NULL;
}

uint32_t strmap_get(const struct strmap *m, const char *key, size_t len)
{
	const struct strmap_slot *s = strmap_find(m, key, len);

	return s ? s->value : UINT32_MAX;
}

const char *strmap_key(const struct strmap *m, const char *key, size_t len)
{
	const struct strmap_slot *s = strmap_find(m, key, len);

	return s ? s->key : NULL;
}

static bool strmap_rehash(struct strmap *m, uint32_t size)
{
	struct strmap bigger = { .size = size, .used = m->used };
	uint32_t i;

	bigger.slots = calloc(size, sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	for (i = 0; i < m->size; i++) {
		const struct strmap_slot *s = &m->slots[i];

		if (s->key)
			bigger.slots[slot_of(&bigger, s->key, s->len,
					     s->hash)] = *s;
	}
	free(m->slots);
	*m = bigger;
	return true;
}

bool strmap_add(struct strmap *m, const char *key, size_t len, uint32_t value)
{
	uint32_t hash = hash_fnv32(key, len);

	if (len > UINT32_MAX)
		return false;
	if (m->used >= m->size - m->size / 4) {
		if (m->size > UINT32_MAX / 2 ||
		    !strmap_rehash(m, m->size ? m->size * 2 : 64))
			return false;
	}
	m->slots[slot_of(m, key, len, hash)] = (struct strmap_slot) {
		.key = key, .len = len, .hash = hash, .value = value,
	};
	m->used++;
	return true;
}

void strmap_free(struct strmap *m)
{
	free(m->slots);
	memset(m, 0, sizeof(*m));
}
