/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text - text from models and Kconfig files, made fit to be shown
 *
 * Such text may hold anything: escape sequences that repaint a terminal, marks
 * that turn the direction of writing, bytes that are not UTF-8, or megabytes
 * without a blank. What comes out of here is UTF-8 without control characters.
 */
#ifndef KA_TEXT_H
#define KA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/*
 * Adds the @len bytes at @s to @b as one line: what is not UTF-8 becomes
 * U+FFFD, white space and control characters become a blank, several of them
 * one, and none at both ends; marks that change the direction are left out. Of
 * more than @max characters (0: no limit) the rest is cut off at a word if
 * there is one near, and "..." stands in its place.
 */
void text_add_line(struct strbuf *b, const char *s, size_t len, size_t max);
/* The same for a NUL-terminated string, or nothing for NULL. */
void text_add(struct strbuf *b, const char *s, size_t max);
/* The same as a string of its own, to be freed; NULL when out of memory. */
char *text_line(const char *s, size_t max);

/* As text_add_line(), without a limit, but line breaks and tabs stay. */
void text_add_lines(struct strbuf *b, const char *s, size_t len);

/*
 * How many letters have to be added, left out, replaced or swapped with their
 * neighbour to turn @a into @b, upper and lower case being the same; SIZE_MAX
 * if one of them is longer than 64 bytes.
 */
size_t text_distance(const char *a, const char *b);

/*
 * Of @n candidates, got one by one with @get, the one nearest to @s; NULL if
 * none is near: more than a third of the letters differ.
 */
const char *text_nearest(const char *s, size_t n,
			 const char *(*get)(const void *arg, size_t i),
			 const void *arg);

#endif
