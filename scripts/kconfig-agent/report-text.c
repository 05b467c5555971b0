// SPDX-License-Identifier: GPL-2.0-only
/*
 * The report for people.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "kb.h"
#include "menupath.h"
#include "report.h"
#include "term.h"
#include "text.h"
#include "walk.h"

#define NAME_WIDTH 28
#define DERIVED_MAX 25	/* of these and others, without -v */
#define VALUE_MAX 40
#define REASON_MAX 110

struct printer {
	const struct report *r;
	const struct report_about *about;
	const struct lkc_tree *tree;
	const struct term *t;
	bool verbose;
	struct strbuf out;
};

/* Adds @s cleaned; text of models and Kconfig files goes this way only. */
static void add_clean(struct printer *p, const char *s, size_t max)
{
	text_add(&p->out, s, max);
}

static void add_style(struct printer *p, enum term_style style)
{
	strbuf_addstr(&p->out, term_style(p->t, style));
}

static void add_styled(struct printer *p, enum term_style style, const char *s)
{
	add_style(p, style);
	add_clean(p, s, 0);
	add_style(p, TERM_PLAIN);
}

/* Blanks up to column @width after what was added from @start on. */
static void pad(struct printer *p, size_t start, size_t width)
{
	size_t len = p->out.len - start;

	strbuf_addf(&p->out, "%*s", len < width ? (int)(width - len) : 0, "");
}

__attribute__((format(printf, 2, 3)))
static void heading(struct printer *p, const char *fmt, ...)
{
	va_list ap;

	strbuf_addch(&p->out, '\n');
	add_style(p, TERM_BOLD);
	va_start(ap, fmt);
	strbuf_vaddf(&p->out, fmt, ap);
	va_end(ap);
	add_style(p, TERM_PLAIN);
	strbuf_addch(&p->out, '\n');
}

static void field(struct printer *p, const char *name, const char *value,
		  const char *remark)
{
	if (!value)
		return;
	strbuf_addf(&p->out, "%-10s", name);
	add_clean(p, value, 0);
	if (remark && *remark)
		strbuf_addf(&p->out, " (%s)", remark);
	strbuf_addch(&p->out, '\n');
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- the head ------------------------------------------------------------ */

static const char *result_remark(const struct report_about *a)
{
	if (a->dry_run)
		return "not written: dry run";
	if (!a->written)
		return "unchanged";
	return a->had_config ? "the one before it has .old at its end" :
		"there was none before";
}

static void print_head(struct printer *p)
{
	const struct report_about *a = p->about;
	const char *base = a->base_path ? a->base_path : "Kconfig's defaults";
	struct strbuf kernel = {0};

	strbuf_addf(&kernel, "Linux %s, %s", a->kernel ? a->kernel : "?",
		    a->arch ? a->arch : "?");
	field(p, "Goal", a->goal, NULL);
	field(p, "Kernel", strbuf_str(&kernel), NULL);
	field(p, "Answers", a->provider, a->model);
	field(p, "Base", base, strcmp(a->base_origin, "file") ?
	      "there was no configuration" : NULL);
	field(p, "Result", a->config_path, result_remark(a));
	field(p, "Fragment", a->fragment, NULL);
	field(p, "Defconfig", a->defconfig, NULL);
	field(p, "Journal", a->journal, NULL);
	strbuf_free(&kernel);
}

/* ---- changes ------------------------------------------------------------- */

static void add_value(struct printer *p, lkc_sym sym, const char *value)
{
	bool text = lkc_sym_type(p->tree, sym) == LKC_STRING;

	strbuf_addstr(&p->out, text ? "\"" : "");
	add_clean(p, value, VALUE_MAX);
	strbuf_addstr(&p->out, text ? "\"" : *value ? "" : "(none)");
}

/* "  NAME    before -> after  " */
static void add_change(struct printer *p, const struct report_change *c)
{
	size_t start = p->out.len;

	strbuf_addf(&p->out, "  %s", lkc_sym_name(p->tree, c->sym));
	pad(p, start, NAME_WIDTH);
	start = p->out.len;
	strbuf_addch(&p->out, ' ');
	add_value(p, c->sym, c->before);
	strbuf_addstr(&p->out, " -> ");
	add_value(p, c->sym, c->after);
	strbuf_addch(&p->out, ' ');
	pad(p, start, 10);
}

static void print_requested(struct printer *p)
{
	size_t i;

	if (p->r->requested)
		heading(p, "Changed as suggested (%zu)", p->r->requested);
	for (i = 0; i < p->r->n_changes; i++) {
		const struct report_change *c = &p->r->changes[i];

		if (!c->by)
			continue;
		add_change(p, c);
		add_clean(p, c->by->s.reason, p->verbose ? 0 : REASON_MAX);
		strbuf_addch(&p->out, '\n');
	}
}

static void print_followed(struct printer *p, bool lost, const char *title,
			   size_t n)
{
	size_t i, shown = 0;

	if (n)
		heading(p, "%s (%zu)", title, n);
	for (i = 0; i < p->r->n_changes; i++) {
		const struct report_change *c = &p->r->changes[i];

		if (c->by || c->lost != lost)
			continue;
		if (shown++ >= DERIVED_MAX && !p->verbose && !lost)
			continue;
		add_change(p, c);
		if (c->cause != LKC_NONE && lkc_sym_name(p->tree, c->cause))
			strbuf_addf(&p->out, "because of %s",
				    lkc_sym_name(p->tree, c->cause));
		strbuf_addch(&p->out, '\n');
	}
	if (shown > DERIVED_MAX && !p->verbose && !lost)
		strbuf_addf(&p->out, "  and %zu more; -v shows all\n",
			    shown - DERIVED_MAX);
}

/* ---- counts -------------------------------------------------------------- */

static size_t of_topic(const struct printer *p, const struct kb_topic *topic)
{
	size_t i, n = 0;

	for (i = 0; i < p->r->n_changes; i++) {
		const struct report_change *c = &p->r->changes[i];
		const struct kb_topic *found;

		n += c->by && kb_plan_find(p->about->plan,
					   lkc_sym_name(p->tree, c->sym),
					   &found) && found == topic;
	}
	return n;
}

static void print_topics(struct printer *p)
{
	const struct kb_plan *plan = p->about->plan;
	size_t i;

	if (!plan)
		return;
	heading(p, "Topics of the goal");
	for (i = 0; i < kb_plan_matches(plan); i++) {
		const struct kb_match *m = kb_plan_match(plan, i);
		size_t n = of_topic(p, m->topic);

		strbuf_addf(&p->out, "  %4zu change%s for \"%s\" (from \"", n,
			    plural(n), m->topic->title);
		add_clean(p, m->word, VALUE_MAX);
		strbuf_addstr(&p->out, "\")\n");
	}
	for (i = 0; i < kb_plan_excluded(plan); i++)
		strbuf_addf(&p->out, "   not: %s\n",
			    kb_plan_exclusion(plan, i)->topic->title);
	for (i = 0; i < kb_plan_conflicts(plan); i++) {
		const struct kb_conflict *c = kb_plan_conflict(plan, i);

		strbuf_addf(&p->out, "  %s: %s wants %s, %s wants %s; the first one holds\n",
			    c->name, c->winner->title, c->won->value,
			    c->loser->title, c->lost->value);
	}
}

struct menu_count {
	lkc_menu m;
	size_t n;
};

static void print_menus_changed(struct printer *p)
{
	struct menu_count *v;
	size_t i, k, n = 0;

	if (!p->r->n_changes) {
		heading(p, "Nothing had to be changed");
		return;
	}
	v = calloc(p->r->n_changes + 1, sizeof(*v));
	if (!v) {
		p->out.err = true;
		return;
	}
	for (i = 0; i < p->r->n_changes; i++) {
		lkc_menu m = report_menu(p->tree, p->r->changes[i].sym);

		for (k = 0; k < n && v[k].m != m; k++)
			;
		v[k].m = m;
		v[k].n++;
		n += k == n;
	}
	heading(p, "%zu symbol%s changed, by menu", p->r->n_changes,
		plural(p->r->n_changes));
	for (k = 0; k < n; k++) {
		const char *prompt = v[k].m == LKC_NONE ? NULL :
			lkc_menu_prompt(p->tree, v[k].m);

		strbuf_addf(&p->out, "  %4zu  ", v[k].n);
		add_clean(p, prompt ? prompt : "(outside of the menus)", 0);
		strbuf_addch(&p->out, '\n');
	}
	free(v);
}

/* ---- what did not come about --------------------------------------------- */

/* A suggestion that was turned down, as often as it came in the same words. */
struct refused {
	const struct suggestion *s;
	size_t times;
};

struct refusals {
	VEC(struct refused);
	struct strmap seen;	/* places in the array */
	struct arena keys;
};

static bool add_refused(struct refusals *all, const struct suggestion *s)
{
	struct strbuf key = {0};
	const char *kept = NULL;
	uint32_t at;

	strbuf_addf(&key, "%d%c%s%c%s%c%s", s->verdict, 0, s->name, 0,
		    s->value, 0, s->why);
	at = strmap_get(&all->seen, strbuf_str(&key), key.len);
	if (at != UINT32_MAX) {
		all->v[at].times++;
		strbuf_free(&key);
		return true;
	}
	if (!key.err)
		kept = arena_strndup(&all->keys, key.s, key.len);
	at = key.len;
	strbuf_free(&key);
	return kept && strmap_add(&all->seen, kept, at, all->n) &&
	       vec_push(all, ((struct refused){ s, 1 }));
}

static void print_one_refused(struct printer *p, const struct refused *r)
{
	const struct suggestion *s = r->s;

	strbuf_addstr(&p->out, "  ");
	add_clean(p, *s->name ? s->name : "(no name)", 0);
	strbuf_addch(&p->out, '=');
	add_clean(p, s->value, VALUE_MAX);
	strbuf_addstr(&p->out, ": ");
	add_styled(p, TERM_BAD, verdict_name(s->verdict));
	if (suggestion_unasked(s))
		strbuf_addstr(&p->out, ", unasked for");
	if (r->times > 1)
		strbuf_addf(&p->out, ", %zu times", r->times);
	strbuf_addstr(&p->out, ". ");
	add_clean(p, s->why, 0);
	strbuf_addch(&p->out, '\n');
}

static void print_refused(struct printer *p)
{
	struct refusals all = {0};
	uint32_t i;

	if (p->r->rejected)
		heading(p, "Suggestions turned down (%zu)", p->r->rejected);
	for (i = 0; i < p->r->suggestions.n; i++) {
		const struct suggestion *s = &p->r->suggestions.v[i].s;

		if (suggestion_rejected(s) && !add_refused(&all, s))
			p->out.err = true;
	}
	for (i = 0; i < all.n; i++)
		print_one_refused(p, &all.v[i]);
	vec_free(&all);
	strmap_free(&all.seen);
	arena_free(&all.keys);
}

static int print_missing(struct printer *p)
{
	struct report_missing *v;
	size_t i, n, hidden = 0;

	if (report_missing(p->r, p->about, &v, &n))
		return -ENOMEM;
	if (n)
		heading(p, "Asked for by the topics, and not so (%zu)", n);
	for (i = 0; i < n; i++) {
		char *why;

		if (!v[i].item->required && !p->verbose) {
			hidden++;
			continue;
		}
		why = report_missing_why(p->r, &v[i]);
		strbuf_addf(&p->out, "  %s=%s (%s%s): ", v[i].item->name,
			    v[i].item->value, v[i].topic->title,
			    v[i].item->required ? ", required" : "");
		add_clean(p, why, p->verbose ? 0 : 3 * REASON_MAX);
		strbuf_addch(&p->out, '\n');
		p->out.err |= !why;
		free(why);
	}
	if (hidden)
		strbuf_addf(&p->out, "  %zu that are optional; -v shows them\n",
			    hidden);
	free(v);
	return 0;
}

static void print_left(struct printer *p)
{
	uint32_t i;

	if (p->r->left.n)
		heading(p, "Questions without a usable answer (%" PRIu32 ")",
			p->r->left.n);
	for (i = 0; i < p->r->left.n; i++) {
		const struct report_left *l = &p->r->left.v[i];
		struct strbuf path = {0};

		menupath_add(&path, p->tree, l->menu);
		strbuf_addf(&p->out, "  %" PRIu64 ", ", l->group);
		add_clean(p, path.len ? strbuf_str(&path) : "the top", 0);
		strbuf_addstr(&p->out, ": ");
		add_clean(p, l->why, 2 * REASON_MAX);
		strbuf_addch(&p->out, '\n');
		strbuf_free(&path);
	}
}

static void print_warnings(struct printer *p)
{
	uint32_t i;

	if (p->r->warnings.n)
		heading(p, "What conf warns about in the result (%" PRIu32 ")",
			p->r->warnings.n);
	for (i = 0; i < p->r->warnings.n; i++) {
		const char *text = p->r->warnings.v[i];

		text_add_lines(&p->out, text, strlen(text));
		strbuf_addch(&p->out, '\n');
	}
}

/* ---- the walk and its cost ----------------------------------------------- */

static void print_fates(struct printer *p)
{
	size_t counts[WALK_FATES] = { 0 };
	const char *why;
	lkc_menu m;

	for (m = 0; m < lkc_menu_count(p->tree); m++) {
		if (walk_is_menu(p->about->walk, m))
			counts[walk_fate(p->about->walk, m, &why)]++;
	}
	strbuf_addf(&p->out, "  menus: %zu asked about", counts[WALK_FATE_ASKED]);
	strbuf_addf(&p->out, ", %zu opened with nothing to ask",
		    counts[WALK_FATE_EMPTY]);
	strbuf_addf(&p->out, ", %zu skipped with %zu in them",
		    counts[WALK_FATE_SKIPPED], counts[WALK_FATE_WITHIN]);
	if (counts[WALK_FATE_UNSURE])
		strbuf_addf(&p->out, ", %zu unsure",
			    counts[WALK_FATE_UNSURE]);
	if (counts[WALK_FATE_FAILED])
		strbuf_addf(&p->out, ", %zu without an answer",
			    counts[WALK_FATE_FAILED]);
	strbuf_addf(&p->out, "; never reached: %zu hidden",
		    counts[WALK_FATE_HIDDEN]);
	if (counts[WALK_FATE_OUTSIDE])
		strbuf_addf(&p->out, ", %zu outside of the scope",
			    counts[WALK_FATE_OUTSIDE]);
	if (counts[WALK_FATE_STOPPED])
		strbuf_addf(&p->out, ", %zu because it ended before",
			    counts[WALK_FATE_STOPPED]);
	strbuf_addch(&p->out, '\n');
}

/* Each menu, and what became of it: asked, skipped and why, ... */
static void print_each_fate(struct printer *p)
{
	lkc_menu m;

	for (m = 0; m < lkc_menu_count(p->tree); m++) {
		struct strbuf path = {0};
		enum walk_fate fate;
		const char *why;

		if (!walk_is_menu(p->about->walk, m))
			continue;
		fate = walk_fate(p->about->walk, m, &why);
		if (fate == WALK_FATE_WITHIN || fate == WALK_FATE_HIDDEN ||
		    fate == WALK_FATE_OUTSIDE)
			continue;
		menupath_add(&path, p->tree, m);
		strbuf_addf(&p->out, "    %-8s ", walk_fate_name(fate));
		add_clean(p, path.len ? strbuf_str(&path) : "the top", 0);
		strbuf_addstr(&p->out, *why ? ": " : "");
		add_clean(p, why, REASON_MAX);
		strbuf_addch(&p->out, '\n');
		strbuf_free(&path);
	}
}

static void print_verdicts(struct printer *p)
{
	size_t i, n = 0;

	strbuf_addf(&p->out, "  suggestions: %" PRIu32,
		    p->r->suggestions.n);
	for (i = 0; i < VERDICT_COUNT; i++) {
		if (p->r->verdicts[i])
			strbuf_addf(&p->out, "%s%zu %s", n++ ? ", " : ": ",
				    p->r->verdicts[i], verdict_name(i));
	}
	if (p->r->unasked)
		strbuf_addf(&p->out, "; %zu of them unasked for",
			    p->r->unasked);
	strbuf_addch(&p->out, '\n');
}

static void print_usage(struct printer *p)
{
	const struct agent_totals *t = p->about->totals;

	if (!t->tries)
		return;
	strbuf_addf(&p->out, "  requests: %" PRIu64, t->requests);
	if (t->tries != t->requests)
		strbuf_addf(&p->out, ", which took %" PRIu64 " tries",
			    t->tries);
	if (t->rounds)
		strbuf_addf(&p->out, ", %" PRIu64 " of them repairs",
			    t->rounds);
	if (t->unreadable)
		strbuf_addf(&p->out, ", %" PRIu64 " unreadable replies",
			    t->unreadable);
	strbuf_addch(&p->out, '\n');
	strbuf_addf(&p->out, "  tokens: %" PRIu64 " in, %" PRIu64 " out",
		    t->input_tokens, t->output_tokens);
	if (t->uncounted)
		strbuf_addf(&p->out, "; unknown for %" PRIu64 " of the requests",
			    t->uncounted);
	strbuf_addch(&p->out, '\n');
}

static void print_walk(struct printer *p)
{
	struct walk_counts counts;

	walk_count(p->about->walk, &counts);
	heading(p, "Questions");
	strbuf_addf(&p->out, "  %" PRIu64 " about %zu symbols and choices; %zu more that are visible were not asked about\n",
		    p->about->totals->groups, counts.asked, counts.unasked);
	print_fates(p);
	if (p->verbose)
		print_each_fate(p);
	print_verdicts(p);
	print_usage(p);
	if (p->about->only_ours)
		strbuf_addstr(&p->out, "  the tree's own conf is not built, so it did not check the result\n");
}

/* ---- all ----------------------------------------------------------------- */

static int write_out(struct printer *p)
{
	int err = p->out.err ? -ENOMEM : 0;

	if (!err)
		fwrite(p->out.s, 1, p->out.len, stdout);
	strbuf_free(&p->out);
	return err;
}

int report_print(const struct report *r, const struct report_about *about,
		 const struct term *t, bool verbose)
{
	struct printer p = {
		.r = r,
		.about = about,
		.tree = lkc_config_tree(r->base),
		.t = t,
		.verbose = verbose,
	};

	print_head(&p);
	print_topics(&p);
	print_menus_changed(&p);
	print_requested(&p);
	print_followed(&p, false, "Followed from these",
		       r->derived - r->n_lost);
	print_followed(&p, true, "Values of the base that were lost",
		       r->n_lost);
	print_refused(&p);
	if (print_missing(&p))
		p.out.err = true;
	print_left(&p);
	print_warnings(&p);
	print_walk(&p);
	return write_out(&p);
}
