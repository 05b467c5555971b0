/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vec - arrays that grow
 *
 *	struct { VEC(struct loc); } places = {0};
 *	if (!vec_push(&places, loc))
 *		return LKC_ENOMEM;
 *	... places.v[i] for i < places.n ...
 *	vec_free(&places);
 *
 * A zeroed struct is an empty array.
 */
#ifndef LKC_BASE_VEC_H
#define LKC_BASE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define VEC(type) type *v; uint32_t n, cap

/* @v with room for @need items of @size, or NULL (and @v is untouched). */
void *vec_grow(void *v, uint32_t *cap, uint32_t need, size_t size);

/* Makes room for @extra more items; false when out of memory. */
#define vec_reserve(a, extra) \
	((a)->n + (uint32_t)(extra) <= (a)->cap || \
	 vec_reserve_((a), (a)->n + (uint32_t)(extra)))

#define vec_reserve_(a, need) \
	({ \
		void *vec_p_ = vec_grow((a)->v, &(a)->cap, (need), \
					sizeof(*(a)->v)); \
		if (vec_p_) \
			(a)->v = vec_p_; \
		vec_p_ != NULL; \
	})

/* Appends @item; false when out of memory. */
#define vec_push(a, item) \
	(vec_reserve((a), 1) && ((a)->v[(a)->n++] = (item), 1))

#define vec_free(a) \
	do { \
		free((a)->v); \
		(a)->v = NULL; \
		(a)->n = (a)->cap = 0; \
	} while (0)

#endif
