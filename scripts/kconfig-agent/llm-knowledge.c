// SPDX-License-Identifier: GPL-2.0-only
/*
 * The built-in provider: answers from the knowledge base, at once and offline.
 *
 * It knows no more than the topics that the goal names. What they say is put
 * into a plan per tree, and each question is answered from the plan; what the
 * plan does not mention is left as it is.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lkc/lkc.h>

#include "base/vec.h"

#include "group.h"
#include "json.h"
#include "kb.h"
#include "llm.h"
#include "llm-providers.h"

#define SURE 0.9	/* confidence in what a topic requires */
#define LIKELY 0.6	/* and in what it recommends */

/* An item of the plan whose symbol the tree has. */
struct target {
	lkc_sym sym;
	const struct kb_item *item;
	const struct kb_topic *topic;
};

/* What is still to be done below a menu entry. */
struct below {
	uint32_t n;
	uint32_t first;		/* a target: the first one found */
};

struct knowledge {
	const struct kb *kb;
	struct kb *own_kb;	/* if none came with the settings */
	char *goal;
	/* Of the tree that was asked about last: */
	const struct lkc_tree *tree;
	uint64_t hash;
	struct kb_plan *plan;
	struct {
		VEC(struct target);
	} targets;
	uint32_t *target_of;	/* per symbol: its target, or UINT32_MAX */
	struct below *below;	/* per menu entry */
	/* Answers that were not fetched yet, from @next on: */
	struct {
		VEC(struct llm_reply);
	} replies;
	uint32_t next;
};

/* ---- the plan for a tree ----------------------------------------------- */

static void forget_tree(struct knowledge *k)
{
	kb_plan_free(k->plan);
	vec_free(&k->targets);
	free(k->target_of);
	free(k->below);
	k->plan = NULL;
	k->target_of = NULL;
	k->below = NULL;
	k->tree = NULL;
}

static int find_targets(struct knowledge *k)
{
	for (size_t i = 0; i < kb_plan_items(k->plan); i++) {
		struct target t;

		t.item = kb_plan_item(k->plan, i, &t.topic);
		t.sym = lkc_sym_find(k->tree, t.item->name);
		if (t.sym == LKC_NONE || !lkc_sym_is_config(k->tree, t.sym))
			continue;
		k->target_of[t.sym] = k->targets.n;
		if (!vec_push(&k->targets, t))
			return LLM_ENOMEM;
	}
	return 0;
}

/* Makes the plan for @tree, if it is not the one that was asked about last. */
static int use_tree(struct knowledge *k, const struct lkc_tree *tree)
{
	const char *version = lkc_tree_getenv(tree, "KERNELVERSION");
	const char *arch = lkc_tree_getenv(tree, "SRCARCH");
	size_t n_syms = lkc_sym_count(tree);
	int err = LLM_ENOMEM;

	if (k->tree == tree && k->hash == lkc_tree_hash(tree))
		return 0;
	forget_tree(k);
	if (!version || !kb_version(version))
		version = lkc_tree_dialect(tree);
	k->target_of = malloc(n_syms * sizeof(*k->target_of) + 1);
	k->below = calloc(lkc_menu_count(tree) + 1, sizeof(*k->below));
	if (k->target_of && k->below &&
	    !kb_plan_make(k->kb, k->goal, version, arch, &k->plan)) {
		memset(k->target_of, 0xff, n_syms * sizeof(*k->target_of));
		k->tree = tree;
		k->hash = lkc_tree_hash(tree);
		err = find_targets(k);
	}
	if (err)
		forget_tree(k);
	return err;
}

static const struct target *target_of(const struct knowledge *k, lkc_sym sym)
{
	uint32_t at = sym == LKC_NONE ? UINT32_MAX : k->target_of[sym];

	return at == UINT32_MAX ? NULL : &k->targets.v[at];
}

/* ---- what is wanted ---------------------------------------------------- */

static bool is_tri(const char *value)
{
	return !strcmp(value, "y") || !strcmp(value, "m") ||
	       !strcmp(value, "n");
}

/* True if @a and @b are the same text or the same number. */
static bool same_literal(const char *a, const char *b)
{
	char *end_a, *end_b;
	long long x, y;

	if (!strcmp(a, b))
		return true;
	if (!*a || !*b)
		return false;
	errno = 0;
	x = strtoll(a, &end_a, 0);
	y = strtoll(b, &end_b, 0);
	return !errno && !*end_a && !*end_b && x == y;
}

/* The value to ask for: m where there can be no module is y. */
static const char *wanted(const struct target *t, const struct lkc_config *c)
{
	const struct lkc_tree *tree = lkc_config_tree(c);
	lkc_sym modules;

	if (strcmp(t->item->value, "m") != 0)
		return t->item->value;
	if (lkc_sym_type(tree, t->sym) == LKC_BOOL)
		return "y";
	modules = lkc_sym_find(tree, "MODULES");
	if (modules == LKC_NONE || lkc_value_tri(c, modules) == LKC_NO)
		return "y";
	return "m";
}

/* True if @c has what is wanted; y does where m is. */
static bool holds(const struct target *t, const struct lkc_config *c)
{
	const char *want = wanted(t, c);

	if (!is_tri(want))
		return same_literal(lkc_value(c, t->sym), want);
	switch (lkc_value_tri(c, t->sym)) {
	case LKC_YES:
		return *want != 'n';
	case LKC_MOD:
		return *want == 'm';
	default:
		return *want == 'n';
	}
}

/* Counts, for each menu entry, the targets below it that do not hold. */
static void count_below(struct knowledge *k, const struct lkc_config *c)
{
	memset(k->below, 0, lkc_menu_count(k->tree) * sizeof(*k->below));
	for (uint32_t i = 0; i < k->targets.n; i++) {
		lkc_sym sym = k->targets.v[i].sym;

		if (holds(&k->targets.v[i], c))
			continue;
		for (size_t e = 0; e < lkc_sym_entries(k->tree, sym); e++) {
			lkc_menu m = lkc_sym_entry(k->tree, sym, e);

			while ((m = lkc_menu_parent(k->tree, m)) != LKC_NONE) {
				if (!k->below[m].n++)
					k->below[m].first = i;
			}
		}
	}
}

/* ---- answers ----------------------------------------------------------- */

/* If memory was out for the @reason, the reply cannot be printed either. */
static void add_answer(struct json *answers, const char *name,
		       const char *value, const struct strbuf *reason,
		       double confidence)
{
	struct json *a = json_new_object();

	json_set_str(a, "name", name);
	json_set_str(a, "value", value);
	json_set_str(a, "reason", strbuf_str(reason));
	json_set_double(a, "confidence", confidence);
	if (reason->err)
		json_set(a, "", NULL);
	json_append(answers, a);
}

/* Answers for symbol @name with what the target's topic says. */
static void add_target(struct json *answers, const struct target *t,
		       const char *name, const char *value, const char *remark)
{
	struct strbuf reason = { 0 };

	strbuf_addf(&reason, "%s: %s%s", t->topic->title, t->item->reason,
		    remark);
	add_answer(answers, name, value, &reason,
		   t->item->required ? SURE : LIKELY);
	strbuf_free(&reason);
}

static void answer_menu(struct knowledge *k, const struct group *g,
			struct json *answers)
{
	struct strbuf reason = { 0 };
	char name[32];

	count_below(k, g->config);
	for (size_t i = 0; i < g->n; i++) {
		const struct below *b = &k->below[g->items[i].entry];

		strbuf_reset(&reason);
		if (b->n) {
			const struct target *t = &k->targets.v[b->first];

			strbuf_addf(&reason, "%s: has %s", t->topic->title,
				    t->item->name);
		} else {
			strbuf_addstr(&reason,
				      "nothing to change in it for this goal");
		}
		if (b->n > 1)
			strbuf_addf(&reason, " and %u more", b->n - 1);
		snprintf(name, sizeof(name), "menu:%zu", i + 1);
		add_answer(answers, name, b->n ? "open" : "skip", &reason,
			   SURE);
	}
	strbuf_free(&reason);
}

static void answer_bool(const struct knowledge *k, const struct group *g,
			struct json *answers)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct target *t = target_of(k, g->items[i].sym);
		const char *want;

		if (!t || !is_tri(t->item->value))
			continue;
		want = wanted(t, g->config);
		if (*want == 'm' &&
		    lkc_value_tri(g->config, t->sym) == LKC_YES)
			add_target(answers, t, t->item->name, "keep",
				   " (built in already)");
		else
			add_target(answers, t, t->item->name, want, "");
	}
}

static void answer_choice(const struct knowledge *k, const struct group *g,
			  struct json *answers)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct target *t = target_of(k, g->items[i].sym);

		if (!t || strcmp(t->item->value, "y") != 0)
			continue;
		add_target(answers, t, t->item->name, "y", "");
		return;
	}
}

static void answer_value(const struct knowledge *k, const struct group *g,
			 struct json *answers)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct target *t = target_of(k, g->items[i].sym);

		if (t && !is_tri(t->item->value))
			add_target(answers, t, t->item->name, t->item->value,
				   "");
	}
}

/* The reply's text, or NULL when out of memory. */
static char *answer(struct knowledge *k, const struct group *g, size_t *len)
{
	struct json *reply = json_new_object();
	struct json *answers = json_set_array(reply, "answers");
	char *text;

	/* What was turned down stays down: there is no second opinion. */
	if (!g->round) {
		switch (g->kind) {
		case GROUP_MENU:
			answer_menu(k, g, answers);
			break;
		case GROUP_BOOL:
			answer_bool(k, g, answers);
			break;
		case GROUP_CHOICE:
			answer_choice(k, g, answers);
			break;
		case GROUP_VALUE:
			answer_value(k, g, answers);
			break;
		}
	}
	text = json_print(reply, len);
	json_free(reply);
	return text;
}

/* ---- the provider ------------------------------------------------------ */

static void knowledge_close(void *state)
{
	struct knowledge *k = state;

	if (!k)
		return;
	for (uint32_t i = k->next; i < k->replies.n; i++)
		free(k->replies.v[i].text);
	vec_free(&k->replies);
	forget_tree(k);
	free(k->goal);
	kb_free(k->own_kb);
	free(k);
}

/* Says that the goal matches nothing, and what there is to choose from. */
static int no_match(const struct knowledge *k, const struct kb_plan *p,
		    struct strbuf *why)
{
	strbuf_addf(why, "the built-in knowledge has nothing on this goal");
	for (size_t i = 0; i < kb_plan_excluded(p); i++)
		strbuf_addf(why, "%s \"%s\"",
			    i ? "," : " but what it excludes:",
			    kb_plan_exclusion(p, i)->word);
	strbuf_addstr(why, "; use words of these topics, or a model (--provider):");
	for (size_t i = 0; i < kb_topics(k->kb); i++) {
		const struct kb_topic *t = kb_topic(k->kb, i);

		strbuf_addf(why, "\n  %-18s %s", t->id, t->title);
	}
	return LLM_ECONFIG;
}

static int find_topics(struct knowledge *k, const struct llm_settings *s,
		       struct strbuf *why)
{
	struct kb_plan *p;
	int err = 0;

	k->kb = s->kb;
	if (!k->kb) {
		err = kb_load(NULL, &k->own_kb, why);
		if (err)
			return err == -ENOMEM ? LLM_ENOMEM : LLM_ECONFIG;
		k->kb = k->own_kb;
	}
	k->goal = strdup(s->goal ? s->goal : "");
	if (!k->goal || kb_plan_make(k->kb, k->goal, NULL, NULL, &p))
		return LLM_ENOMEM;
	if (!kb_plan_matches(p))
		err = no_match(k, p, why);
	kb_plan_free(p);
	return err;
}

static int knowledge_open(const struct llm_settings *s, void **state,
			  struct strbuf *why)
{
	struct knowledge *k = calloc(1, sizeof(*k));
	int err;

	if (!k)
		return LLM_ENOMEM;
	err = find_topics(k, s, why);
	if (err) {
		knowledge_close(k);
		return err;
	}
	*state = k;
	return 0;
}

static int knowledge_submit(void *state, const struct llm_request *req)
{
	struct knowledge *k = state;
	struct llm_reply r = { .id = req->id };
	int err;

	if (!req->group)
		return LLM_ECONFIG;
	err = use_tree(k, lkc_config_tree(req->group->config));
	if (err)
		return err;
	r.text = answer(k, req->group, &r.len);
	if (!r.text)
		return LLM_ENOMEM;
	if (!vec_push(&k->replies, r)) {
		free(r.text);
		return LLM_ENOMEM;
	}
	return 0;
}

static int knowledge_wait(void *state, struct llm_reply *reply)
{
	struct knowledge *k = state;

	if (k->next == k->replies.n)
		return LLM_ECONFIG;
	*reply = k->replies.v[k->next++];
	if (k->next == k->replies.n)
		k->next = k->replies.n = 0;
	return 0;
}

const struct llm_ops llm_knowledge = {
	.name = "knowledge",
	.summary = "built in, offline: from topics that the goal names",
	.open = knowledge_open,
	.submit = knowledge_submit,
	.wait = knowledge_wait,
	.close = knowledge_close,
};
