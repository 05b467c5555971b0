// SPDX-License-Identifier: GPL-2.0-only
#include "vec.h"

void *vec_grow(void *v, uint32_t *cap, uint32_t need, size_t size)
{
	uint32_t n = *cap < 8 ? 8 : *cap;
	void *p;

	while (n < need) {
		if (n > UINT32_MAX / 2)
			return NULL;
		n *= 2;
	}
	if (n > SIZE_MAX / size)
		return NULL;
	p = realloc(v, n * size);
	if (p)
		*cap = n;
	return p;
}
