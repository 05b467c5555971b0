/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe-key - what a command depends on: for probe-key.c and probe-files.c
 */
#ifndef LKC_PROBE_KEY_H
#define LKC_PROBE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "base/vec.h"
#include "probe.h"

/* Scripts within scripts, variables within variables. */
#define DEPTH_MAX 8
/* Behind a compiler's name: asks where its parts are. */
#define ASK_COMPILER " -print-search-dirs 2>/dev/null"

/* A file, a script or a compiler that was looked at. */
struct item {
	char *name;
	struct hash128 digest;
	enum probe_class class;
};

struct keyer {
	const char *const *env;
	const char *path;		/* where programs are looked for */
	char *(*run)(void *arg, const char *command);
	void *arg;
	struct { VEC(struct item); } items;
	/* name to item; words are of commands, or of scripts */
	struct strmap files, scripts, compilers, words, script_words;
	struct hash128 common;		/* what all commands depend on */
	bool have_common;
	bool racy;
	bool failed;			/* out of memory */
	time_t began;
};

/* What is known of one command so far. */
struct state {
	struct keyer *k;
	struct hash128 key;
	enum probe_class class;
	const char *dir;		/* of the script that is read, or NULL */
	unsigned int depth;
	bool asking;			/* it is what keyer_new() tells of */
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define IS_IN(table, name, len) is_in(table, COUNT(table), name, len)


/* True if the @len bytes at @name are one of the @n names in @table. */
bool is_in(const char *const *table, size_t n, const char *name, size_t len);
/* The class of the command is at most @class. */
void lower(struct state *s, enum probe_class class);
/* The value of the variable of @len bytes at @name, or NULL. */
const char *env_get(const struct keyer *k, const char *name, size_t len);

/* Each file, script and compiler is looked at once; they are found by name. */
struct item *find_item(struct keyer *k, const struct strmap *map,
		       const char *name);
/* NULL when out of memory, which the keyer remembers. */
struct item *add_item(struct keyer *k, struct strmap *map, const char *name);

/* The command depends on the state of the file @name. */
void take_stamp(struct state *s, const char *name);
__attribute__((format(printf, 2, 3)))
void take_stampf(struct state *s, const char *fmt, ...);
/* On the compiler @path, and all that it consists of. */
void take_compiler(struct state *s, const char *path);
/* On the Rust compiler whose real path is @real, which is changed. */
void take_rustc(struct state *s, char *real);
/* On variables that count only where @text names them. */
void take_fickle(struct state *s, const char *text, size_t len);
/* What all commands depend on, into k->common. */
void take_common(struct keyer *k);

#endif
