/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * term - what people see: messages, colours, and how far a run has come
 *
 * Everything printed here is cleaned first (see text.h): nothing that came from
 * a model or a file reaches the terminal as an escape sequence.
 */
#ifndef KA_TERM_H
#define KA_TERM_H

#include <stdbool.h>
#include <stdio.h>

enum term_style { TERM_PLAIN, TERM_BOLD, TERM_GOOD, TERM_BAD, TERM_DIM };

struct term {
	bool color;		/* on the standard output */
	bool progress;		/* there is a line of progress to keep */
	bool shown;		/* it stands there at present */
};

struct opts_common;

/* Sets up @t as the options and the standard streams have it. */
void term_init(struct term *t, const struct opts_common *o);

/*
 * What switches the style on and, for TERM_PLAIN, off on the standard output;
 * "" without colours.
 */
const char *term_style(const struct term *t, enum term_style style);

/* Prints "kconfig-agent: ..." and a line break on the standard error. */
__attribute__((format(printf, 1, 2)))
void term_error(const char *fmt, ...);

/*
 * Puts a line in the place of the one before it, on the standard error if that
 * is a terminal; nothing else.
 */
__attribute__((format(printf, 2, 3)))
void term_progress(struct term *t, const char *fmt, ...);
/* Takes the line away. */
void term_progress_end(struct term *t);

#endif
