// SPDX-License-Identifier: GPL-2.0-only
#include "base/strbuf.h"
#include "utf8.h"

bool utf8_surrogate(uint32_t c)
{
	return c >= 0xd800 && c <= 0xdfff;
}

size_t utf8_decode(const char *p, const char *end, uint32_t *out)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char b = *p;
	uint32_t c;
	size_t n, i;

	if (b < 0x80) {
		*out = b;
		return 1;
	}
	n = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2;
	if (b < 0xc2 || b > 0xf4 || (size_t)(end - p) < n)
		return 0;
	c = b & (0xff >> (n + 1));
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || utf8_surrogate(c))
		return 0;
	*out = c;
	return n;
}

void utf8_encode(struct strbuf *b, uint32_t c)
{
	if (c < 0x80) {
		strbuf_addch(b, c);
		return;
	}
	if (c < 0x800) {
		strbuf_addch(b, 0xc0 | c >> 6);
	} else if (c < 0x10000) {
		strbuf_addch(b, 0xe0 | c >> 12);
		strbuf_addch(b, 0x80 | (c >> 6 & 0x3f));
	} else {
		strbuf_addch(b, 0xf0 | c >> 18);
		strbuf_addch(b, 0x80 | (c >> 12 & 0x3f));
		strbuf_addch(b, 0x80 | (c >> 6 & 0x3f));
	}
	strbuf_addch(b, 0x80 | (c & 0x3f));
}
