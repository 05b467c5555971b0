// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"

#include "kb-words.h"
#include "kb.h"

struct won {
	const struct kb_item *item;
	const struct kb_topic *topic;
};

struct matches {
	VEC(struct kb_match);
};

struct kb_plan {
	struct arena arena;	/* words of matches */
	struct matches matches, excluded;
	struct {
		VEC(struct kb_conflict);
	} conflicts;
	struct {
		VEC(struct won);
	} items;
	struct strmap names;	/* of items, to their numbers */
};

/* A place in the goal where an entry of a topic's Match stands. */
struct hit {
	uint32_t topic;
	uint32_t first, last;	/* words of the goal */
	uint32_t rank;		/* more words are better, then exact ones */
};

struct search {
	const struct kb *kb;
	const char *goal;
	struct words words;
	uint32_t *cover;	/* per word of the goal: the best hit's rank */
	struct {
		VEC(struct hit);
	} hits;
};

/* ---- finding ----------------------------------------------------------- */

/* An entry of a topic's Match: a word or a phrase. */
struct entry {
	struct words words;
	bool exact;		/* endings matter */
};

static bool same_word(const struct word *a, const struct word *b, bool exact)
{
	return exact ? !strcmp(a->text, b->text) : !strcmp(a->stem, b->stem);
}

/*
 * The last word of @goal that @e covers if it begins at @first, or UINT32_MAX.
 * Filler words of the goal may stand between, but not before.
 */
static uint32_t match_at(const struct words *goal, uint32_t first,
			 const struct entry *e)
{
	uint32_t at = first;

	for (uint32_t i = 0; i < e->words.n; i++) {
		const struct word *want = &e->words.v[i];

		while (i && at < goal->n && goal->v[at].filler &&
		       !goal->v[at].pause &&
		       !same_word(&goal->v[at], want, e->exact))
			at++;
		if (at == goal->n || (i && goal->v[at].pause) ||
		    !same_word(&goal->v[at], want, e->exact))
			return UINT32_MAX;
		at++;
	}
	return at - 1;
}

/* Looks for one entry of topic number @topic all over the goal. */
static int find_entry(struct search *s, uint32_t topic, const char *text,
		      size_t len)
{
	struct entry e = { .exact = *text == '=' };
	int err;

	err = words_split(text, len, &e.words);
	if (err)
		return err;
	for (uint32_t i = 0; e.words.n && i < s->words.n; i++) {
		struct hit hit = { topic, i, 0, 2 * e.words.n + e.exact };

		hit.last = match_at(&s->words, i, &e);
		if (hit.last != UINT32_MAX && !vec_push(&s->hits, hit)) {
			err = -ENOMEM;
			break;
		}
	}
	words_free(&e.words);
	return err;
}

/* Looks for each word and "phrase" of the topic's Match. */
static int find_topic(struct search *s, uint32_t topic)
{
	const char *m = kb_topic(s->kb, topic)->match;
	int err = 0;

	while (!err && *m) {
		size_t len;

		if (*m == ' ') {
			m++;
			continue;
		}
		if (*m == '"') {
			len = strcspn(++m, "\"");
			err = find_entry(s, topic, m, len);
			m += len + (m[len] == '"');
		} else {
			len = strcspn(m, " \"");
			err = find_entry(s, topic, m, len);
			m += len;
		}
	}
	return err;
}

/* Better hits first, then in order of the goal and of the topics. */
static int by_rank(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->topic > y->topic) - (x->topic < y->topic);
}

/* Drops the hits that share a word with a better one. */
static void drop_covered(struct search *s)
{
	uint32_t n = 0;

	if (s->hits.n)
		qsort(s->hits.v, s->hits.n, sizeof(*s->hits.v), by_rank);
	for (uint32_t i = 0; i < s->hits.n; i++) {
		struct hit hit = s->hits.v[i];
		bool covered = false;

		for (uint32_t w = hit.first; w <= hit.last; w++)
			covered |= s->cover[w] > hit.rank;
		if (covered)
			continue;
		for (uint32_t w = hit.first; w <= hit.last; w++)
			s->cover[w] = hit.rank;
		s->hits.v[n++] = hit;
	}
	s->hits.n = n;
}

static int find_hits(struct search *s)
{
	int err;

	err = words_split(s->goal, strlen(s->goal), &s->words);
	if (err)
		return err;
	words_negate(&s->words);
	s->cover = calloc(s->words.n + 1, sizeof(*s->cover));
	if (!s->cover)
		return -ENOMEM;
	for (size_t i = 0; !err && i < kb_topics(s->kb); i++)
		err = find_topic(s, (uint32_t)i);
	drop_covered(s);
	return err;
}

/* ---- matches ----------------------------------------------------------- */

/* The first hit of topic number @topic that is negated or not, or NULL. */
static const struct hit *first_hit(const struct search *s, uint32_t topic,
				   bool negated)
{
	const struct hit *best = NULL;

	for (uint32_t i = 0; i < s->hits.n; i++) {
		const struct hit *h = &s->hits.v[i];

		if (h->topic == topic &&
		    s->words.v[h->last].negated == negated &&
		    (!best || h->first < best->first))
			best = h;
	}
	return best;
}

static int add_match(struct kb_plan *p, struct matches *to,
		     const struct search *s, const struct hit *h)
{
	const struct word *first = &s->words.v[h->first];
	const struct word *last = &s->words.v[h->last];
	struct kb_match m = { .topic = kb_topic(s->kb, h->topic) };
	char *word;

	word = arena_strndup(&p->arena, s->goal + first->start,
			     last->end - first->start);
	if (!word)
		return -ENOMEM;
	for (char *c = word; *c; c++)
		*c = iscntrl((unsigned char)*c) ? ' ' : *c;
	m.word = word;
	return vec_push(to, m) ? 0 : -ENOMEM;
}

static int add_matches(struct kb_plan *p, const struct search *s)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < kb_topics(s->kb); i++) {
		const struct hit *yes = first_hit(s, i, false);
		const struct hit *no = first_hit(s, i, true);

		if (yes)
			err = add_match(p, &p->matches, s, yes);
		else if (no)
			err = add_match(p, &p->excluded, s, no);
	}
	return err;
}

/* ---- items ------------------------------------------------------------- */

static bool is_on(const char *value)
{
	return !strcmp(value, "y") || !strcmp(value, "m");
}

/* True if @new is to take the place of @old, which wants a different value. */
static bool beats(const struct won *new, const struct won *old)
{
	if (new->topic->precedence != old->topic->precedence)
		return new->topic->precedence > old->topic->precedence;
	return new->item->required && !old->item->required;
}

/* True if @new says the same as @old and says it more strongly. */
static bool adds_to(const struct won *new, const struct won *old)
{
	if (strcmp(new->item->value, old->item->value) != 0)
		return !strcmp(new->item->value, "y");
	return new->item->required && !old->item->required;
}

static int settle(struct kb_plan *p, struct won *old, const struct won *new)
{
	struct kb_conflict c = { .name = new->item->name };
	bool wins;

	/* Only if no version is given: two items for different ones. */
	if (old->topic == new->topic)
		return 0;
	if (!strcmp(old->item->value, new->item->value) ||
	    (is_on(old->item->value) && is_on(new->item->value))) {
		if (adds_to(new, old))
			*old = *new;
		return 0;
	}
	wins = beats(new, old);
	c.winner = wins ? new->topic : old->topic;
	c.won = wins ? new->item : old->item;
	c.loser = wins ? old->topic : new->topic;
	c.lost = wins ? old->item : new->item;
	if (wins)
		*old = *new;
	return vec_push(&p->conflicts, c) ? 0 : -ENOMEM;
}

static int add_item(struct kb_plan *p, const struct won *new)
{
	const char *name = new->item->name;
	uint32_t at = strmap_get(&p->names, name, strlen(name));

	if (at != UINT32_MAX)
		return settle(p, &p->items.v[at], new);
	if (!strmap_add(&p->names, name, strlen(name), p->items.n) ||
	    !vec_push(&p->items, *new))
		return -ENOMEM;
	return 0;
}

static int add_items(struct kb_plan *p, const char *version, const char *arch)
{
	uint32_t v = version ? kb_version(version) : 0;
	int err = 0;

	for (uint32_t i = 0; i < p->matches.n; i++) {
		struct won w = { .topic = p->matches.v[i].topic };

		for (size_t k = 0; !err && k < w.topic->n; k++) {
			w.item = &w.topic->items[k];
			if (kb_item_applies(w.topic, w.item, v, arch))
				err = add_item(p, &w);
		}
	}
	return err;
}

/* ---- the plan ---------------------------------------------------------- */

int kb_plan_make(const struct kb *kb, const char *goal, const char *version,
		 const char *arch, struct kb_plan **out)
{
	struct search s = { .kb = kb, .goal = goal };
	struct kb_plan *p;
	int err;

	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	err = find_hits(&s);
	if (!err)
		err = add_matches(p, &s);
	if (!err)
		err = add_items(p, version, arch);
	vec_free(&s.hits);
	free(s.cover);
	words_free(&s.words);
	if (err) {
		kb_plan_free(p);
		return err;
	}
	*out = p;
	return 0;
}

void kb_plan_free(struct kb_plan *p)
{
	if (!p)
		return;
	arena_free(&p->arena);
	vec_free(&p->matches);
	vec_free(&p->excluded);
	vec_free(&p->conflicts);
	vec_free(&p->items);
	strmap_free(&p->names);
	free(p);
}

size_t kb_plan_matches(const struct kb_plan *p)
{
	return p->matches.n;
}

const struct kb_match *kb_plan_match(const struct kb_plan *p, size_t i)
{
	return &p->matches.v[i];
}

size_t kb_plan_excluded(const struct kb_plan *p)
{
	return p->excluded.n;
}

const struct kb_match *kb_plan_exclusion(const struct kb_plan *p, size_t i)
{
	return &p->excluded.v[i];
}

size_t kb_plan_conflicts(const struct kb_plan *p)
{
	return p->conflicts.n;
}

const struct kb_conflict *kb_plan_conflict(const struct kb_plan *p, size_t i)
{
	return &p->conflicts.v[i];
}

const struct kb_item *kb_plan_find(const struct kb_plan *p, const char *name,
				   const struct kb_topic **topic)
{
	uint32_t at = strmap_get(&p->names, name, strlen(name));

	return at == UINT32_MAX ? NULL : kb_plan_item(p, at, topic);
}

size_t kb_plan_items(const struct kb_plan *p)
{
	return p->items.n;
}

const struct kb_item *kb_plan_item(const struct kb_plan *p, size_t i,
				   const struct kb_topic **topic)
{
	const struct won *w = &p->items.v[i];

	if (topic)
		*topic = w->topic;
	return w->item;
}
