/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kb-words - a goal in words, and what of it is negated
 */
#ifndef KA_KB_WORDS_H
#define KA_KB_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

/* Where a word stands apart from the one before it. */
enum pause {
	PAUSE_NONE,
	PAUSE_COMMA,
	PAUSE_STOP,	/* . ; : ! ? brackets, a dash, an empty line */
};

struct word {
	const char *text;	/* in lower case */
	const char *stem;	/* without the ending: "hardened": "harden" */
	uint32_t start, end;	/* bytes of the text it came from */
	enum pause pause;
	bool filler;		/* "the", "for", "2": may stand in a phrase */
	bool negated;
};

struct words {
	VEC(struct word);
	struct arena arena;
};

/*
 * Splits @len bytes of @text into words. Returns 0 or -ENOMEM; free with
 * words_free() unless it failed.
 */
int words_split(const char *text, size_t len, struct words *out);
void words_free(struct words *w);

/*
 * Marks the words that are negated: what follows "no", "not", "without" and
 * their like up to the end of the clause, and what goes before "off",
 * "disabled" and "not needed".
 */
void words_negate(struct words *w);

#endif
