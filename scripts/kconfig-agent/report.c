// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "group.h"
#include "kb.h"
#include "llm.h"
#include "report.h"

/* ---- watching ------------------------------------------------------------ */

int report_init(struct report *r, const struct lkc_config *base)
{
	size_t n = lkc_sym_count(lkc_config_tree(base)), i;

	memset(r, 0, sizeof(*r));
	r->base = base;
	r->cause = malloc(n * sizeof(*r->cause) + 1);
	r->lost = calloc(n + 1, sizeof(*r->lost));
	if (!r->cause || !r->lost) {
		report_free(r);
		return -ENOMEM;
	}
	for (i = 0; i < n; i++)
		r->cause[i] = LKC_NONE;
	return 0;
}

void report_free(struct report *r)
{
	uint32_t i;

	for (i = 0; i < r->suggestions.n; i++)
		suggestion_free(&r->suggestions.v[i].s);
	for (i = 0; i < r->left.n; i++)
		free(r->left.v[i].why);
	for (i = 0; i < r->warnings.n; i++)
		free(r->warnings.v[i]);
	vec_free(&r->suggestions);
	vec_free(&r->left);
	vec_free(&r->warnings);
	free(r->cause);
	free(r->lost);
	free(r->changes);
	memset(r, 0, sizeof(*r));
}

static char *copy(const char *s)
{
	return s ? strdup(s) : NULL;
}

static int note_suggestion(struct report *r, uint64_t group,
			   const struct suggestion *s)
{
	struct report_suggestion n = { .s = *s, .group = group };

	n.s.name = copy(s->name);
	n.s.value = copy(s->value);
	n.s.reason = copy(s->reason);
	n.s.why = copy(s->why ? s->why : "");
	n.s.before = copy(s->before);
	n.s.got = copy(s->got);
	if (!n.s.name || !n.s.value || !n.s.reason || !n.s.why ||
	    !vec_push(&r->suggestions, n)) {
		suggestion_free(&n.s);
		return -ENOMEM;
	}
	r->verdicts[s->verdict]++;
	r->rejected += suggestion_rejected(s);
	r->unasked += suggestion_unasked(s);
	return 0;
}

static int note_suggestions(struct report *r, const struct agent_event *e)
{
	size_t i;
	int err = 0;

	for (i = 0; i < e->answer->n && !err; i++)
		err = note_suggestion(r, e->number, &e->answer->v[i]);
	return err;
}

static void note_changes(struct report *r, const struct lkc_txn *txn)
{
	size_t i;

	for (i = 0; i < lkc_txn_changes(txn); i++) {
		const struct lkc_change *c = lkc_txn_change(txn, i);

		r->cause[c->sym] = c->cause;
		r->lost[c->sym] |= c->lost;
	}
}

static int note_left(struct report *r, const struct agent_event *e)
{
	struct report_left left = {
		.group = e->number,
		.menu = e->group->menu,
		.why = strdup(e->why),
	};

	if (left.why && vec_push(&r->left, left))
		return 0;
	free(left.why);
	return -ENOMEM;
}

int report_event(struct report *r, const struct agent_event *e)
{
	int err;

	switch (e->type) {
	case AGENT_COMMIT:
		note_changes(r, e->txn);
		return note_suggestions(r, e);
	case AGENT_LEFT:
		err = note_suggestions(r, e);
		return err ? err : note_left(r, e);
	default:
		return 0;
	}
}

/* ---- comparing ----------------------------------------------------------- */

static bool differs(const struct report *r, lkc_sym sym)
{
	const struct lkc_tree *tree = lkc_config_tree(r->base);

	return lkc_sym_is_config(tree, sym) && !lkc_sym_is_choice(tree, sym) &&
	       lkc_sym_name(tree, sym) &&
	       strcmp(lkc_value(r->base, sym), lkc_value(r->config, sym)) != 0;
}

/* The last of the suggestions that stand, per symbol. */
static void find_requests(const struct report *r,
			  const struct report_suggestion **by)
{
	uint32_t i;

	for (i = 0; i < r->suggestions.n; i++) {
		const struct report_suggestion *s = &r->suggestions.v[i];

		if (suggestion_stands(&s->s))
			by[s->s.sym] = s;
	}
}

/* Tells of @n that it held, and does no longer. */
static int unmake(struct report *r, struct report_suggestion *n,
		  const struct report_suggestion *last)
{
	const struct lkc_tree *tree = lkc_config_tree(r->base);
	lkc_sym cause = r->cause[n->s.sym];
	const char *name = cause == LKC_NONE ? NULL : lkc_sym_name(tree, cause);
	struct strbuf why = {0};
	bool ok;

	if (last != n)
		strbuf_addf(&why, "it held until %s=%s was suggested in question %" PRIu64,
			    n->s.name, last->s.value, last->group);
	else
		strbuf_addf(&why, "it held until a later answer unmade it%s%s",
			    name ? ", because of " : "", name ? name : "");
	r->verdicts[n->s.verdict]--;
	ok = !why.err && suggestion_judge(&n->s, VERDICT_CLOBBERED,
					  strbuf_str(&why));
	r->verdicts[n->s.verdict]++;
	r->rejected++;
	strbuf_free(&why);
	return ok ? 0 : -ENOMEM;
}

static int find_unmade(struct report *r, const struct report_suggestion **by)
{
	uint32_t i;
	int err = 0;

	for (i = 0; i < r->suggestions.n && !err; i++) {
		struct report_suggestion *n = &r->suggestions.v[i];

		if (suggestion_stands(&n->s) &&
		    strcmp(n->s.value, lkc_value(r->config, n->s.sym)) != 0)
			err = unmake(r, n, by[n->s.sym]);
	}
	return err;
}

static void add_change(struct report *r, lkc_sym sym,
		       const struct report_suggestion *by)
{
	struct report_change *c = &r->changes[r->n_changes++];

	c->sym = sym;
	c->before = lkc_value(r->base, sym);
	c->after = lkc_value(r->config, sym);
	if (by && suggestion_stands(&by->s))
		c->by = by;
	c->cause = c->by ? LKC_NONE : r->cause[sym];
	c->lost = !c->by && r->lost[sym];
	r->requested += c->by != NULL;
	r->derived += !c->by;
	r->n_lost += c->lost;
}

static int compare(struct report *r)
{
	size_t n = lkc_sym_count(lkc_config_tree(r->base)), changed = 0;
	const struct report_suggestion **by = calloc(n + 1, sizeof(*by));
	lkc_sym sym;
	int err;

	for (sym = 0; sym < n; sym++)
		changed += differs(r, sym);
	r->changes = calloc(changed + 1, sizeof(*r->changes));
	if (!by || !r->changes) {
		free(by);
		return -ENOMEM;
	}
	find_requests(r, by);
	err = find_unmade(r, by);
	for (sym = 0; sym < n; sym++) {
		if (differs(r, sym))
			add_change(r, sym, by[sym]);
	}
	free(by);
	return err;
}

/* ---- warnings ------------------------------------------------------------ */

static bool has_warning(const struct lkc_diags *d, const char *text)
{
	size_t i;

	for (i = 0; i < lkc_diags_count(d); i++) {
		if (!strcmp(lkc_diags_get(d, i)->full, text))
			return true;
	}
	return false;
}

static int add_new_warnings(struct report *r, const struct lkc_diags *before,
			    const struct lkc_diags *after)
{
	size_t i;

	for (i = 0; i < lkc_diags_count(after); i++) {
		const char *text = lkc_diags_get(after, i)->full;
		char *own;

		if (has_warning(before, text))
			continue;
		own = strdup(text);
		if (!own || !vec_push(&r->warnings, own)) {
			free(own);
			return -ENOMEM;
		}
	}
	return 0;
}

static int find_warnings(struct report *r)
{
	struct lkc_diags *before = lkc_diags_new();
	struct lkc_diags *after = lkc_diags_new();
	int err = -ENOMEM;

	if (before && after && !lkc_config_warnings(r->base, before) &&
	    !lkc_config_warnings(r->config, after))
		err = add_new_warnings(r, before, after);
	lkc_diags_free(before);
	lkc_diags_free(after);
	return err;
}

int report_finish(struct report *r, const struct lkc_config *config)
{
	int err;

	r->config = config;
	err = compare(r);
	return err ? err : find_warnings(r);
}

/* ---- what the topics ask for --------------------------------------------- */

static enum lkc_tri tri_of(const char *value)
{
	return *value == 'y' ? LKC_YES : *value == 'm' ? LKC_MOD : LKC_NO;
}

static bool is_tri(const char *value)
{
	return value[0] && !value[1] && strchr("ymn", value[0]);
}

/* Is @sym as @item asks? Built in and module are the same here. */
static bool is_met(const struct lkc_config *c, lkc_sym sym,
		   const struct kb_item *item)
{
	const char *value = lkc_value(c, sym);
	char *end_a, *end_b;
	long long a, b;

	if (is_tri(item->value))
		return (tri_of(value) != LKC_NO) ==
		       (tri_of(item->value) != LKC_NO);
	if (!strcmp(value, item->value))
		return true;
	a = strtoll(value, &end_a, 0);
	b = strtoll(item->value, &end_b, 0);
	return *value && *item->value && !*end_a && !*end_b && a == b;
}

int report_missing(const struct report *r, const struct report_about *about,
		   struct report_missing **v, size_t *n)
{
	size_t items = about->plan ? kb_plan_items(about->plan) : 0, i;
	const struct lkc_tree *tree = lkc_config_tree(r->base);

	*n = 0;
	*v = calloc(items + 1, sizeof(**v));
	if (!*v)
		return -ENOMEM;
	for (i = 0; i < items; i++) {
		struct report_missing *m = &(*v)[*n];

		m->item = kb_plan_item(about->plan, i, &m->topic);
		m->sym = lkc_sym_find(tree, m->item->name);
		if (m->sym != LKC_NONE && !lkc_sym_is_config(tree, m->sym))
			m->sym = LKC_NONE;
		/* not to have it is to have it at n */
		if (m->sym == LKC_NONE ? !strcmp(m->item->value, "n") :
		    is_met(r->config, m->sym, m->item))
			continue;
		++*n;
	}
	return 0;
}

char *report_missing_why(const struct report *r, const struct report_missing *m)
{
	enum lkc_tri want = is_tri(m->item->value) ? tri_of(m->item->value) :
		LKC_YES;
	lkc_expr cond;
	uint32_t i;
	char *why;

	if (m->sym == LKC_NONE)
		return strdup("this kernel does not have it");
	for (i = r->suggestions.n; i-- > 0;) {
		const struct suggestion *s = &r->suggestions.v[i].s;

		if (s->sym == m->sym && suggestion_rejected(s))
			return strdup(s->why);
	}
	cond = lkc_sym_prompt_cond(lkc_config_tree(r->base), m->sym);
	if (lkc_visibility(r->config, m->sym) != LKC_NO)
		return strdup("it was not asked about");
	why = lkc_unmet_text(r->config, cond, want == LKC_NO ? LKC_MOD : want);
	if (why && !*why) {
		free(why);
		why = strdup("it cannot be set as things are");
	}
	return why;
}

lkc_menu report_menu(const struct lkc_tree *tree, lkc_sym sym)
{
	lkc_menu m, parent, root = lkc_menu_root(tree);

	if (!lkc_sym_entries(tree, sym))
		return LKC_NONE;
	m = lkc_sym_entry(tree, sym, 0);
	while (m != LKC_NONE) {
		parent = lkc_menu_parent(tree, m);
		if (parent == root)
			return m;
		m = parent;
	}
	return LKC_NONE;
}
