// SPDX-License-Identifier: GPL-2.0-only
/*
 * The report for programs: one object.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "json.h"
#include "kb.h"
#include "menupath.h"
#include "report.h"
#include "symjson.h"
#include "walk.h"

static const struct lkc_tree *tree_of(const struct report *r)
{
	return lkc_config_tree(r->base);
}

static void set_path(struct json *j, const char *key,
		     const struct lkc_tree *tree, lkc_menu m)
{
	struct strbuf path = {0};

	if (m != LKC_NONE)
		menupath_add(&path, tree, m);
	json_set(j, key, path.err ? NULL : json_new_str(strbuf_str(&path)));
	strbuf_free(&path);
}

static void set_about(struct json *j, const struct report_about *a)
{
	struct json *base;

	json_set_str(j, "goal", a->goal);
	json_set_str(j, "kernel", a->kernel);
	json_set_str(j, "arch", a->arch);
	json_set_str(j, "provider", a->provider);
	json_set_str(j, "model", a->model);
	json_set_str(j, "config", a->config_path);
	base = json_set_object(j, "base");
	json_set_str(base, "path", a->base_path);
	json_set_str(base, "origin", a->base_origin);
	json_set_bool(j, "dry_run", a->dry_run);
	json_set_bool(j, "written", a->written);
	json_set_bool(j, "checked_by_conf", !a->only_ours);
	json_set_str(j, "fragment", a->fragment);
	json_set_str(j, "defconfig", a->defconfig);
	json_set_str(j, "journal", a->journal);
}

/* ---- changes and suggestions --------------------------------------------- */

static struct json *new_change(const struct report *r,
			       const struct report_about *a,
			       const struct report_change *c)
{
	const struct lkc_tree *tree = tree_of(r);
	const char *name = lkc_sym_name(tree, c->sym);
	struct json *j = symjson_new(r->config, c->sym);
	const struct kb_topic *topic;

	json_set_str(j, "before", c->before);
	json_set_str(j, "after", c->after);
	json_set_bool(j, "requested", c->by != NULL);
	json_set_bool(j, "lost", c->lost);
	json_set_str(j, "reason", c->by ? c->by->s.reason : NULL);
	json_set_str(j, "cause", c->cause == LKC_NONE ? NULL :
		     lkc_sym_name(tree, c->cause));
	set_path(j, "menu", tree, report_menu(tree, c->sym));
	if (a->plan && c->by && kb_plan_find(a->plan, name, &topic))
		json_set_str(j, "topic", topic->id);
	return j;
}

static struct json *new_suggestion(const struct report_suggestion *n)
{
	const struct suggestion *s = &n->s;
	struct json *j = json_new_object();

	json_set_int(j, "group", n->group);
	json_set_int(j, "round", s->round);
	json_set_str(j, "name", s->name);
	json_set_str(j, "value", s->value);
	json_set_str(j, "verdict", verdict_name(s->verdict));
	json_set_bool(j, "rejected", suggestion_rejected(s));
	json_set_bool(j, "asked", s->item != SUGGEST_NO_ITEM);
	json_set_str(j, "why", s->why);
	json_set_str(j, "reason", s->reason);
	if (s->confidence >= 0)
		json_set_double(j, "confidence", s->confidence);
	json_set_str(j, "before", s->before);
	json_set_str(j, "got", s->got);
	return j;
}

static void set_verdicts(struct json *j, const struct report *r)
{
	struct json *verdicts = json_set_object(j, "verdicts");
	size_t i;

	for (i = 0; i < VERDICT_COUNT; i++) {
		if (r->verdicts[i])
			json_set_int(verdicts, verdict_name(i),
				     r->verdicts[i]);
	}
}

/* ---- the walk ------------------------------------------------------------ */

static void set_menus(struct json *j, const struct lkc_tree *tree,
		      const struct walk *w)
{
	struct json *menus = json_set_object(j, "menus");
	struct json *list = json_new_array();
	size_t counts[WALK_FATES] = { 0 }, i;
	lkc_menu m;

	for (m = 0; m < lkc_menu_count(tree); m++) {
		struct json *menu;
		enum walk_fate fate;
		const char *why;

		if (!walk_is_menu(w, m))
			continue;
		fate = walk_fate(w, m, &why);
		counts[fate]++;
		menu = json_new_object();
		set_path(menu, "menu", tree, m);
		json_set_str(menu, "fate", walk_fate_name(fate));
		json_set_str(menu, "why", why);
		json_append(list, menu);
	}
	for (i = 0; i < WALK_FATES; i++)
		json_set_int(menus, walk_fate_name(i), counts[i]);
	json_set(menus, "list", list);
}

static void set_usage(struct json *j, const struct report_about *a)
{
	const struct agent_totals *t = a->totals;
	struct json *usage = json_set_object(j, "usage");
	struct walk_counts counts;

	walk_count(a->walk, &counts);
	json_set_int(usage, "groups", t->groups);
	json_set_int(usage, "symbols", counts.asked);
	json_set_int(usage, "symbols_not_asked", counts.unasked);
	json_set_int(usage, "groups_left", t->left);
	json_set_int(usage, "requests", t->requests);
	json_set_int(usage, "tries", t->tries);
	json_set_int(usage, "repairs", t->rounds);
	json_set_int(usage, "unreadable", t->unreadable);
	json_set_int(usage, "input_tokens", t->input_tokens);
	json_set_int(usage, "output_tokens", t->output_tokens);
	json_set_int(usage, "requests_without_figures", t->uncounted);
}

/* ---- topics -------------------------------------------------------------- */

static void set_topics(struct json *j, const struct kb_plan *plan)
{
	struct json *list = json_set_array(j, "topics");
	size_t i;

	for (i = 0; plan && i < kb_plan_matches(plan); i++) {
		const struct kb_match *m = kb_plan_match(plan, i);
		struct json *topic = json_new_object();

		json_set_str(topic, "id", m->topic->id);
		json_set_str(topic, "title", m->topic->title);
		json_set_str(topic, "word", m->word);
		json_append(list, topic);
	}
	list = json_set_array(j, "conflicts");
	for (i = 0; plan && i < kb_plan_conflicts(plan); i++) {
		const struct kb_conflict *c = kb_plan_conflict(plan, i);
		struct json *conflict = json_new_object();

		json_set_str(conflict, "name", c->name);
		json_set_str(conflict, "winner", c->winner->id);
		json_set_str(conflict, "value", c->won->value);
		json_set_str(conflict, "loser", c->loser->id);
		json_set_str(conflict, "lost", c->lost->value);
		json_append(list, conflict);
	}
}

static int set_missing(struct json *j, const struct report *r,
		       const struct report_about *a)
{
	struct json *list = json_set_array(j, "missing");
	struct report_missing *v;
	size_t i, n;

	if (report_missing(r, a, &v, &n))
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		struct json *m = json_new_object();
		char *why = report_missing_why(r, &v[i]);

		json_set_str(m, "name", v[i].item->name);
		json_set_str(m, "value", v[i].item->value);
		json_set_str(m, "topic", v[i].topic->id);
		json_set_bool(m, "required", v[i].item->required);
		json_set(m, "why", why ? json_new_str(why) : NULL);
		json_append(list, m);
		free(why);
	}
	free(v);
	return 0;
}

/* ---- all ----------------------------------------------------------------- */

static void set_left(struct json *j, const struct report *r)
{
	struct json *list = json_set_array(j, "left");
	uint32_t i;

	for (i = 0; i < r->left.n; i++) {
		struct json *left = json_new_object();

		json_set_int(left, "group", r->left.v[i].group);
		set_path(left, "menu", tree_of(r), r->left.v[i].menu);
		json_set_str(left, "why", r->left.v[i].why);
		json_append(list, left);
	}
}

static int fill(struct json *j, const struct report *r,
		const struct report_about *a)
{
	struct json *list;
	size_t i;

	set_about(j, a);
	json_set_int(j, "changed", r->n_changes);
	json_set_int(j, "requested", r->requested);
	json_set_int(j, "derived", r->derived);
	json_set_int(j, "lost", r->n_lost);
	list = json_set_array(j, "changes");
	for (i = 0; i < r->n_changes; i++)
		json_append(list, new_change(r, a, &r->changes[i]));
	set_verdicts(j, r);
	json_set_int(j, "rejected", r->rejected);
	list = json_set_array(j, "suggestions");
	for (i = 0; i < r->suggestions.n; i++)
		json_append(list, new_suggestion(&r->suggestions.v[i]));
	set_left(j, r);
	list = json_set_array(j, "warnings");
	for (i = 0; i < r->warnings.n; i++)
		json_append(list, json_new_str(r->warnings.v[i]));
	set_topics(j, a->plan);
	if (set_missing(j, r, a))
		return -ENOMEM;
	set_menus(j, tree_of(r), a->walk);
	set_usage(j, a);
	return 0;
}

int report_print_json(const struct report *r, const struct report_about *about)
{
	struct json *j = json_new_object();
	char *text = fill(j, r, about) ? NULL : json_print(j, NULL);

	json_free(j);
	if (!text)
		return -ENOMEM;
	puts(text);
	free(text);
	return 0;
}
