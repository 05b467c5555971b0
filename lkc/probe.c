// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe - commands that run in turn, ahead, or not at all
 *
 * There are no threads: commands that run ahead are given what they print into
 * pipes, and these are read whenever one of the calls here is made.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "probe.h"

#define RUNNING_MAX 64
/* Commands of a tree that are run ahead; the rest run in turn. */
#define AHEAD_MAX 10000

enum stage {
	STAGE_NEW,
	STAGE_QUEUED,		/* to be run ahead */
	STAGE_RUNNING,
	STAGE_DONE,
};

struct probe {
	const char *command;
	enum probe_class class;
	enum stage stage;
	bool fresh;		/* to be stored */
	bool needed;		/* someone asked for the result, not only ahead */
	struct hash128 key;
	struct child child;
	uint32_t index;		/* in all */
	char *out, *noise;
	size_t len, noise_len;
};

struct probes {
	const struct lkc_load_options *opt;
	struct keyer *keyer;
	struct probe_cache *cache;	/* or NULL */
	struct arena arena;
	struct { VEC(struct probe *); } all;
	struct strmap commands;		/* to numbers in all */
	struct probe *running[RUNNING_MAX];
	unsigned int n_running, slots;
	uint32_t next;			/* before it, none is queued */
	struct hash128 note;		/* key of the note for the next load */
	bool looked_ahead;
	struct lkc_probe_stats stats;
};

/* ---- running ------------------------------------------------------------ */

static int start(struct probes *ps, struct probe *p, bool alone)
{
	int err;

	if (!p->out)
		p->out = malloc(PROBE_OUTPUT_MAX);
	if (!p->out)
		return -ENOMEM;
	err = child_start(&p->child, p->command, ps->opt->env, alone);
	if (err)
		return -err;
	p->len = 0;
	p->stage = STAGE_RUNNING;
	ps->running[ps->n_running++] = p;
	ps->stats.run++;
	return 0;
}

static void finish(struct probes *ps, unsigned int i)
{
	struct probe *p = ps->running[i];

	child_end(&p->child, &p->noise, &p->noise_len);
	p->stage = STAGE_DONE;
	p->fresh = p->class == PROBE_KNOWN && !p->noise &&
		p->len < PROBE_OUTPUT_MAX;
	ps->running[i] = ps->running[--ps->n_running];
}

/* True if that was all. What conf does not read, nobody does. */
static bool read_output(struct probe *p)
{
	ssize_t n;

	do {
		n = read(p->child.out, p->out + p->len,
			 PROBE_OUTPUT_MAX - p->len);
	} while (n < 0 && errno == EINTR);
	if (n > 0)
		p->len += n;
	return n <= 0 || p->len == PROBE_OUTPUT_MAX;
}

/* Starts what is queued while there are processors. */
static void fill(struct probes *ps)
{
	while (ps->n_running < ps->slots && ps->next < ps->all.n) {
		struct probe *p = ps->all.v[ps->next++];

		/* if it cannot be started, its turn will tell */
		if (p->stage == STAGE_QUEUED && start(ps, p, true))
			p->stage = STAGE_NEW;
	}
}

/* Reads what there is to read; waits for it if @wait. */
static void pump(struct probes *ps, bool wait)
{
	struct pollfd fds[RUNNING_MAX];
	unsigned int i, n;

	fill(ps);
	n = ps->n_running;
	for (i = 0; i < n; i++)
		fds[i] = (struct pollfd){ ps->running[i]->child.out, POLLIN, 0 };
	if (!n || poll(fds, n, wait ? -1 : 0) <= 0)
		return;
	/* from the end: the last takes the place of one that is done */
	for (i = n; i-- > 0;) {
		if (fds[i].revents && read_output(ps->running[i]))
			finish(ps, i);
	}
	fill(ps);
}

/* ---- finding ------------------------------------------------------------ */

static struct probe *find(const struct probes *ps, const char *command)
{
	uint32_t i = strmap_get(&ps->commands, command, strlen(command));

	return i == UINT32_MAX ? NULL : ps->all.v[i];
}

/* True if the cache has it. */
static bool recall(struct probes *ps, struct probe *p)
{
	const char *text;

	if (p->class != PROBE_KNOWN || !ps->cache ||
	    !probe_cache_get(ps->cache, &p->key, &text, &p->len))
		return false;
	p->out = malloc(p->len + 1);
	if (!p->out)
		return false;
	memcpy(p->out, text, p->len);
	p->stage = STAGE_DONE;
	return true;
}

static struct probe *add(struct probes *ps, const char *command)
{
	struct probe *p = arena_alloc(&ps->arena, sizeof(*p));

	if (!p)
		return NULL;
	memset(p, 0, sizeof(*p));
	p->command = arena_strdup(&ps->arena, command);
	if (!p->command || !vec_push(&ps->all, p))
		return NULL;
	if (!strmap_add(&ps->commands, p->command, strlen(command),
			ps->all.n - 1)) {
		ps->all.n--;
		return NULL;
	}
	p->index = ps->all.n - 1;
	p->class = keyer_key(ps->keyer, command, &p->key);
	recall(ps, p);
	return p;
}

static void enqueue(struct probes *ps, struct probe *p)
{
	if (p->stage != STAGE_NEW || p->index >= AHEAD_MAX)
		return;
	p->stage = STAGE_QUEUED;
	if (ps->next > p->index)
		ps->next = p->index;
}

static struct probe *find_or_add(struct probes *ps, const char *command)
{
	struct probe *p = find(ps, command);

	return p ? p : add(ps, command);
}

/* ---- in turn ------------------------------------------------------------ */

static int wait_for(struct probes *ps, struct probe *p)
{
	int err;

	if (p->stage == STAGE_DONE) {
		if (!p->needed && !p->fresh && p->class == PROBE_KNOWN)
			ps->stats.cached++;
		p->needed = true;
		return 0;
	}
	p->needed = true;
	while (p->stage != STAGE_RUNNING && ps->n_running == RUNNING_MAX)
		pump(ps, true);
	if (p->stage == STAGE_NEW || p->stage == STAGE_QUEUED) {
		err = start(ps, p, p->class != PROBE_UNKNOWN);
		if (err)
			return err;
	}
	while (p->stage == STAGE_RUNNING)
		pump(ps, true);
	return 0;
}

int probes_run(struct probes *ps, const char *command,
	       struct probe_result *result)
{
	struct probe *p = find_or_add(ps, command);
	int err;

	if (!p)
		return -ENOMEM;
	if (p->class == PROBE_UNKNOWN && p->stage == STAGE_DONE) {
		free(p->out);
		free(p->noise);
		p->out = p->noise = NULL;
		p->stage = STAGE_NEW;
	}
	pump(ps, false);
	err = wait_for(ps, p);
	if (err)
		return err;
	*result = (struct probe_result) {
		.out = p->out, .len = p->len, .noise = p->noise,
		.noise_len = p->noise_len,
	};
	return 0;
}

/* ---- ahead -------------------------------------------------------------- */

bool probes_look_ahead(struct probes *ps, const char *command)
{
	struct probe *p;

	if (ps->looked_ahead || ps->slots < 2)
		return false;
	p = find_or_add(ps, command);
	if (!p || p->class == PROBE_UNKNOWN || p->stage != STAGE_NEW)
		return false;
	ps->looked_ahead = true;
	enqueue(ps, p);
	pump(ps, false);
	return true;
}

bool probes_ahead(struct probes *ps, const char *command,
		  struct probe_result *result)
{
	struct probe *p = find_or_add(ps, command);

	if (!p || p->class == PROBE_UNKNOWN)
		return false;
	enqueue(ps, p);
	pump(ps, false);
	if (p->stage != STAGE_DONE)
		return false;
	result->out = p->out;
	result->len = p->len;
	return true;
}

/* Runs what asks a compiler about itself; see keyer_new(). */
static char *ask_compiler(void *arg, const char *command)
{
	struct probes *ps = arg;
	struct probe_result r;
	char *text = NULL;

	if (probes_run(ps, command, &r) == 0 && r.len < PROBE_OUTPUT_MAX) {
		text = malloc(r.len + 1);
		if (text) {
			memcpy(text, r.out, r.len);
			text[r.len] = '\0';
		}
	}
	return text;
}

/* ---- notes for the next load -------------------------------------------- */

/* Starts the commands that the last load had to run although they are pure. */
static void follow_note(struct probes *ps)
{
	const char *p, *end;
	struct probe *probe;
	size_t len;

	if (!probe_cache_get(ps->cache, &ps->note, &p, &len))
		return;
	for (end = p + len; p < end; p += strlen(p) + 1) {
		if (!memchr(p, '\0', end - p))
			return;
		probe = find_or_add(ps, p);
		if (probe && probe->class == PROBE_PURE)
			enqueue(ps, probe);
	}
	pump(ps, false);
}

static void leave_note(struct probes *ps)
{
	struct strbuf note = {0};
	const char *old;
	size_t len;
	uint32_t i;

	for (i = 0; i < ps->all.n; i++) {
		const struct probe *p = ps->all.v[i];

		if (p->class == PROBE_PURE && p->needed)
			strbuf_add(&note, p->command, strlen(p->command) + 1);
	}
	/* the first note of a tree stays: what is gone by then is not run */
	if (note.len && !note.err &&
	    !probe_cache_get(ps->cache, &ps->note, &old, &len))
		probe_cache_put(ps->cache, &ps->note, note.s, note.len);
	strbuf_free(&note);
}

/* What a command read must be what it was when the key was made. */
static void store(struct probes *ps)
{
	struct hash128 key;
	uint32_t i;

	keyer_forget(ps->keyer);
	for (i = 0; i < ps->all.n; i++) {
		const struct probe *p = ps->all.v[i];

		if (!p->fresh)
			continue;
		if (keyer_key(ps->keyer, p->command, &key) != PROBE_KNOWN ||
		    memcmp(&key, &p->key, sizeof(key)) != 0)
			continue;
		if (keyer_racy(ps->keyer))
			break;
		if (!probe_cache_put(ps->cache, &key, p->out, p->len))
			break;
	}
	leave_note(ps);
	probe_cache_store(ps->cache);
}

static bool has_fresh(const struct probes *ps)
{
	uint32_t i;

	for (i = 0; i < ps->all.n; i++) {
		if (ps->all.v[i]->fresh)
			return true;
	}
	return false;
}

/* ------------------------------------------------------------------------- */

static unsigned int processors(void)
{
	cpu_set_t set;
	int n;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	n = CPU_COUNT(&set);
	return n < 1 ? 1 : n > RUNNING_MAX / 2 ? RUNNING_MAX / 2 : n;
}

struct probes *probes_new(const struct lkc_load_options *opt, const char *tree)
{
	struct probes *ps = calloc(1, sizeof(*ps));

	if (!ps)
		return NULL;
	ps->opt = opt;
	ps->slots = opt->jobs ? opt->jobs : processors();
	if (ps->slots > RUNNING_MAX / 2)
		ps->slots = RUNNING_MAX / 2;
	ps->keyer = keyer_new(opt->env, ask_compiler, ps);
	if (!ps->keyer) {
		free(ps);
		return NULL;
	}
	if (opt->probe_cache)
		ps->cache = probe_cache_open(opt->probe_cache);
	hash128_add(&ps->note, "note", 4);
	hash128_add(&ps->note, tree, strlen(tree));
	if (ps->cache)
		follow_note(ps);
	return ps;
}

void probes_free(struct probes *ps)
{
	uint32_t i;

	if (!ps)
		return;
	ps->next = ps->all.n;
	while (ps->n_running)
		pump(ps, true);
	if (ps->cache && has_fresh(ps))
		store(ps);
	for (i = 0; i < ps->all.n; i++) {
		free(ps->all.v[i]->out);
		free(ps->all.v[i]->noise);
	}
	vec_free(&ps->all);
	strmap_free(&ps->commands);
	probe_cache_free(ps->cache);
	keyer_free(ps->keyer);
	arena_free(&ps->arena);
	free(ps);
}

void probes_stats(const struct probes *ps, struct lkc_probe_stats *stats)
{
	*stats = ps->stats;
}
