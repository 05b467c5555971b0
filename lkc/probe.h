/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe - what $(shell,...) commands print
 *
 * Most of the time that loading a kernel's tree takes is spent in commands that
 * ask the compiler what it can do. Each command belongs to one of three classes:
 *
 * - of some it is known which files and variables they read: what they print is
 *   kept from run to run, under a key that holds the state of all of these;
 * - of some it is only known that they change nothing: they may run ahead of
 *   need and beside each other, and twice the same text is run once;
 * - the rest run when their turn comes, as in conf.
 */
#ifndef LKC_PROBE_H
#define LKC_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lkc/lkc.h>

#include "base/hash.h"

/* Bytes of a command's output that are read; conf reads as many. */
#define PROBE_OUTPUT_MAX 4095
/* Bytes of what a command says on stderr that are kept. */
#define PROBE_NOISE_MAX 65536

struct probes;

/* What came of a command. The texts belong to the probes. */
struct probe_result {
	const char *out;	/* not NUL terminated */
	size_t len;
	const char *noise;	/* what it wrote to stderr */
	size_t noise_len;
};

/*
 * For one load. @env and @opt must stay. NULL when out of memory.
 * @tree names the tree in the cache: its commands of the second class are
 * started at once, if an earlier load has left a note of them.
 */
struct probes *probes_new(const struct lkc_load_options *opt, const char *tree);
/* Ends what still runs, and stores what is new in the cache. */
void probes_free(struct probes *ps);

/*
 * Runs @command, or finds what it printed before. Returns 0, -ENOMEM, or
 * another negative errno if it could not be started.
 */
int probes_run(struct probes *ps, const char *command,
	       struct probe_result *result);
/*
 * True once: when @command would have to be run now, could have been run ahead,
 * and nobody has yet looked what else there is to run ahead.
 */
bool probes_look_ahead(struct probes *ps, const char *command);
/*
 * Of a reader ahead: true if the result is there. If not, the command is started
 * when there is a processor for it, unless it might change something.
 */
bool probes_ahead(struct probes *ps, const char *command,
		  struct probe_result *result);

void probes_stats(const struct probes *ps, struct lkc_probe_stats *stats);

/* ---- probe-key.c: what a command depends on ------------------------------ */

enum probe_class {
	PROBE_UNKNOWN,		/* might do anything */
	PROBE_PURE,		/* changes nothing; what it reads is not known */
	PROBE_KNOWN,		/* changes nothing, and the key says what it reads */
};

struct keyer;

/*
 * @run and @arg: runs a command that asks a compiler where its parts are; it
 * returns malloc()ed text or NULL.
 */
struct keyer *keyer_new(const char *const *env,
			char *(*run)(void *arg, const char *command), void *arg);
void keyer_free(struct keyer *k);
/* Looks at all files afresh from now on. */
void keyer_forget(struct keyer *k);
/* The class of @command, and for PROBE_KNOWN its key. */
enum probe_class keyer_key(struct keyer *k, const char *command,
			   struct hash128 *key);
/*
 * True if a file that a key since keyer_forget() holds has been changed so short
 * a time ago that another change might not show.
 */
bool keyer_racy(const struct keyer *k);

/* ---- probe-cache.c: results that are kept in a file ---------------------- */

struct probe_cache;

/* @path: the file, which need not be there. NULL when out of memory. */
struct probe_cache *probe_cache_open(const char *path);
void probe_cache_free(struct probe_cache *c);
/* False if there is nothing under @key. The text belongs to the cache. */
bool probe_cache_get(const struct probe_cache *c, const struct hash128 *key,
		     const char **text, size_t *len);
/* To be stored; false when out of memory. */
bool probe_cache_put(struct probe_cache *c, const struct hash128 *key,
		     const char *text, size_t len);
/* Adds what was put to the file. Failure is no harm and not reported. */
void probe_cache_store(struct probe_cache *c);

/* ---- probe-child.c: running a command ------------------------------------ */

struct child {
	int pid;
	int out;		/* where its output can be read */
	int noise;		/* a file that has its stderr, or -1 */
};

/*
 * Starts /bin/sh -c @command. With @alone it cannot read what this process could.
 * Returns 0 or an errno.
 */
int child_start(struct child *c, const char *command, const char *const *env,
		bool alone);
/* Waits for its end; @noise is malloc()ed, or NULL if there was none. */
void child_end(struct child *c, char **noise, size_t *len);

#endif
