/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * random-tree - Kconfig text by chance, for property tests
 *
 * The same seed makes the same text. What a symbol depends on stands before it,
 * and what it selects after it, so that there are no loops.
 */
#ifndef TEST_RANDOM_TREE_H
#define TEST_RANDOM_TREE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANDOM_SYMS 40
#define RANDOM_TEXT (64 * 1024)

struct random_tree {
	uint64_t state;
	bool old;		/* 6.1: choices may be tristate, or optional */
	char type[RANDOM_SYMS];	/* b t i h s, by number */
	unsigned int n;		/* symbols so far */
	unsigned int known;	/* those that may be depended on */
	unsigned int depth;	/* of blocks */
	char *text;
	size_t len;
};

static inline uint32_t random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) +
		UINT64_C(1442695040888963407);
	return *state >> 33;
}

/* 0 to @n - 1. */
static inline unsigned int pick(struct random_tree *t, unsigned int n)
{
	return random_next(&t->state) % n;
}

static inline bool chance(struct random_tree *t, unsigned int percent)
{
	return pick(t, 100) < percent;
}

__attribute__((format(printf, 2, 3)))
static inline void emit(struct random_tree *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t->len += vsnprintf(t->text + t->len, RANDOM_TEXT - t->len, fmt, ap);
	va_end(ap);
	if (t->len >= RANDOM_TEXT)
		abort();
}

static inline void random_term(struct random_tree *t)
{
	static const char *const cmp[] = { "=", "!=", "<", ">", "<=", ">=" };
	unsigned int s;

	if (!t->known || chance(t, 3)) {
		emit(t, "%s", chance(t, 50) ? "y" : chance(t, 50) ? "m" : "U");
		return;
	}
	s = pick(t, t->known);
	switch (t->type[s]) {
	case 'i':
		emit(t, "S%u %s %u", s, cmp[pick(t, 6)], pick(t, 12));
		break;
	case 'h':
		emit(t, "S%u %s 0x%x", s, cmp[pick(t, 6)], pick(t, 32));
		break;
	case 's':
		emit(t, "S%u %s \"%c\"", s, cmp[pick(t, 2)], 'a' + pick(t, 3));
		break;
	default:
		if (chance(t, 15))
			emit(t, "S%u %s %c", s, cmp[pick(t, 2)],
			     t->type[s] == 'b' ? "ny"[pick(t, 2)] :
			     "nmy"[pick(t, 3)]);
		else
			emit(t, "%sS%u", chance(t, 20) ? "!" : "", s);
		break;
	}
}

static inline void random_expr(struct random_tree *t, unsigned int depth)
{
	if (!depth || chance(t, 60)) {
		random_term(t);
		return;
	}
	emit(t, "%s", chance(t, 10) ? "!(" : "(");
	random_expr(t, depth - 1);
	emit(t, " %s ", chance(t, 60) ? "&&" : "||");
	random_expr(t, depth - 1);
	emit(t, ")");
}

static inline void random_if(struct random_tree *t, unsigned int percent)
{
	if (chance(t, percent)) {
		emit(t, " if ");
		random_expr(t, 2);
	}
	emit(t, "\n");
}

static inline void random_value(struct random_tree *t, char type)
{
	switch (type) {
	case 'b':
		emit(t, "%c", "yn"[pick(t, 2)]);
		break;
	case 't':
		emit(t, "%c", "ymn"[pick(t, 3)]);
		break;
	case 'i':
		emit(t, "%u", pick(t, 20));
		break;
	case 'h':
		emit(t, "0x%x", pick(t, 40));
		break;
	default:
		emit(t, "\"%c%s\"", 'a' + pick(t, 3),
		     chance(t, 20) ? "\\\"\\\\" : "");
		break;
	}
}

static inline const char *type_word(char type)
{
	switch (type) {
	case 'b':
		return "bool";
	case 't':
		return "tristate";
	case 'i':
		return "int";
	case 'h':
		return "hex";
	default:
		return "string";
	}
}

static inline void random_default(struct random_tree *t, char type)
{
	emit(t, "\tdefault ");
	if ((type == 'b' || type == 't') && chance(t, 40))
		random_expr(t, 1);
	else
		random_value(t, type);
	random_if(t, 50);
}

/* Bounds may be symbols; the upper one is never the lower. */
static inline void random_range(struct random_tree *t, char type)
{
	unsigned int low = pick(t, 5), high = 8 + pick(t, 5), s;

	s = t->known ? pick(t, t->known) : 0;
	if (t->known && t->type[s] == type && chance(t, 50))
		emit(t, "\trange %s S%u", type == 'h' ? "0x0" : "0", s);
	else
		emit(t, type == 'h' ? "\trange 0x%x 0x%x" : "\trange %u %u",
		     low, high);
	random_if(t, 40);
}

static inline void random_selects(struct random_tree *t, unsigned int self)
{
	unsigned int first = self + 5;

	while (first < RANDOM_SYMS && chance(t, 25)) {
		emit(t, "\t%s S%u", chance(t, 60) ? "select" : "imply",
		     first + pick(t, RANDOM_SYMS - first));
		random_if(t, 30);
	}
}

static inline void random_config(struct random_tree *t)
{
	static const char types[] = "bbbtttihs";
	unsigned int self = t->n++;
	char type = types[pick(t, sizeof(types) - 1)];

	t->type[self] = type;
	emit(t, "%s S%u\n\t%s", chance(t, 10) ? "menuconfig" : "config", self,
	     type_word(type));
	if (chance(t, 80)) {
		emit(t, " \"s%u\"", self);
		random_if(t, 20);
	} else {
		emit(t, "\n");
	}
	if (chance(t, 40)) {
		emit(t, "\tdepends on ");
		random_expr(t, 2);
		emit(t, "\n");
	}
	while (chance(t, 45))
		random_default(t, type);
	if (type == 'i' || type == 'h') {
		if (chance(t, 60))
			random_range(t, type);
	} else if (type != 's') {
		random_selects(t, self);
	}
	t->known = t->n;
}

/* Members: four at most, so that what selects from five on is no loop. */
static inline void random_choice(struct random_tree *t)
{
	unsigned int n = 1 + pick(t, 4), i, from = t->n;
	char type = t->old && chance(t, 30) ? 't' : 'b';

	emit(t, "choice\n\tprompt \"c%u\"", from);
	random_if(t, 20);
	if (t->old && chance(t, 20))
		emit(t, "\toptional\n");
	if (t->old && type == 't')
		emit(t, "\ttristate\n");
	if (chance(t, 30)) {
		emit(t, "\tdepends on ");
		random_expr(t, 1);
		emit(t, "\n");
	}
	if (chance(t, 50)) {
		emit(t, "\tdefault S%u", from + pick(t, n));
		random_if(t, 30);
	}
	for (i = 0; i < n && t->n < RANDOM_SYMS; i++) {
		t->type[t->n] = type;
		emit(t, "config S%u\n\t%s \"m%u\"", t->n, type_word(type),
		     t->n);
		random_if(t, 20);
		if (chance(t, 30)) {
			emit(t, "\tdepends on ");
			random_expr(t, 1);
			emit(t, "\n");
		}
		random_selects(t, t->n++);
	}
	emit(t, "endchoice\n");
	t->known = t->n;
}

static inline void random_entries(struct random_tree *t, unsigned int n);

static inline void random_block(struct random_tree *t)
{
	bool menu = chance(t, 50);

	if (menu) {
		emit(t, "menu \"menu %u\"\n", t->n);
		if (chance(t, 30)) {
			emit(t, "\tdepends on ");
			random_expr(t, 1);
			emit(t, "\n");
		}
		if (chance(t, 30)) {
			emit(t, "\tvisible if ");
			random_expr(t, 1);
			emit(t, "\n");
		}
	} else {
		emit(t, "if ");
		random_expr(t, 1);
		emit(t, "\n");
	}
	t->depth++;
	random_entries(t, 1 + pick(t, 6));
	t->depth--;
	emit(t, menu ? "endmenu\n" : "endif\n");
}

static inline void random_entries(struct random_tree *t, unsigned int n)
{
	while (n-- && t->n < RANDOM_SYMS) {
		if (t->depth < 3 && chance(t, 15))
			random_block(t);
		else if (t->n + 5 < RANDOM_SYMS && chance(t, 12))
			random_choice(t);
		else if (chance(t, 4))
			emit(t, "comment \"comment %u\"\n", t->n);
		else
			random_config(t);
	}
}

/* The text, to be freed with free(). */
static inline char *random_tree(struct random_tree *t, uint64_t seed, bool old)
{
	*t = (struct random_tree){ .old = old, .state = seed * 2 + old };
	t->text = malloc(RANDOM_TEXT);
	random_next(&t->state);
	if (chance(t, 90))
		emit(t, "config MODULES\n\tbool \"modules\"\n\tmodules\n%s",
		     chance(t, 80) ? "\tdefault y\n" : "");
	random_entries(t, RANDOM_SYMS);
	while (t->n < RANDOM_SYMS)
		random_config(t);
	return t->text;
}

#endif
