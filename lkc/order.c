// SPDX-License-Identifier: GPL-2.0-only
/*
 * order - the order in which conf's hash table has the symbols
 */
#include <stdlib.h>

#include "order.h"

/* FNV-1a over signed characters, as conf has it; hash_fnv32() differs there. */
static uint32_t bucket_of(const struct symbol *s, uint32_t buckets)
{
	uint32_t h = 2166136261U, i;

	if (!s->name)
		return 0;
	for (i = 0; i < s->len; i++)
		h = (h ^ (uint32_t)(signed char)s->name[i]) * 0x01000193U;
	return h % buckets;
}

/* In a bucket, what came last is found first. */
lkc_sym *order_hash(const struct lkc_tree *t, uint32_t *n)
{
	uint32_t buckets = t->dialect >= DIALECT_6_12 ? 16384 : 9973;
	lkc_sym *order = malloc((t->syms.n + 1) * sizeof(*order));
	uint32_t *at = calloc(buckets + 1, sizeof(*at));
	uint32_t i;

	*n = 0;
	if (!order || !at) {
		free(order);
		order = NULL;
		goto out;
	}
	for (i = SYM_Y + 1; i < t->syms.n; i++)
		at[bucket_of(&t->syms.v[i], buckets) + 1]++;
	for (i = 1; i <= buckets; i++)
		at[i] += at[i - 1];
	for (i = t->syms.n; i-- > SYM_Y + 1; (*n)++)
		order[at[bucket_of(&t->syms.v[i], buckets)]++] = i;
out:
	free(at);
	return order;
}
