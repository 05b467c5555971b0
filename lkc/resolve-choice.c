// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve-choice - who wins a choice, as clauses
 *
 * Of a choice's members at most one is changed to y: whatever changes make a
 * member win, asking for it at once is one change. Others are changed to n only
 * where the one that is to win is locked, and so cannot be asked for.
 */
#include <stdlib.h>

#include "resolve-encode.h"

struct member {
	lkc_sym sym;
	uint32_t seq;
	uint32_t at;	/* in order of definition */
	int wins;
	int by_default;	/* it wins by default */
	int to_y, to_n;	/* it is changed to this */
};

struct choice {
	struct formula *f;
	lkc_sym sym;
	struct member *m;
	uint32_t n;
	int none;	/* no member has won so far */
	int any_y;	/* a member is changed to y */
};

static int newest_first(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->seq != y->seq)
		return x->seq < y->seq ? 1 : -1;
	return (x->at > y->at) - (x->at < y->at);
}

static int oldest_first(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->seq != y->seq)
		return x->seq > y->seq ? 1 : -1;
	return (x->at > y->at) - (x->at < y->at);
}

static int by_definition(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* @m wins where @cond holds and nobody has won before. */
static void may_win(struct choice *ch, struct member *m, int cond)
{
	struct sat *s = ch->f->sat;
	int now = sat_and2(s, ch->none, cond);

	if (m)
		m->wins = sat_or2(s, m->wins, now);
	ch->none = sat_and2(s, ch->none, -cond);
}

static int visible(const struct choice *ch, const struct member *m)
{
	return ch->f->syms[m->sym].vis.m;
}

static struct member *member_of(struct choice *ch, lkc_sym sym)
{
	uint32_t i;

	for (i = 0; i < ch->n; i++) {
		if (ch->m[i].sym == sym)
			return &ch->m[i];
	}
	return NULL;
}

/* Members set to y, newest first; before 6.12 only the newest counts. */
static void win_by_user(struct choice *ch)
{
	const struct formula *f = ch->f;
	int newest = SAT_TRUE;
	uint32_t i;

	qsort(ch->m, ch->n, sizeof(*ch->m), newest_first);
	for (i = 0; i < ch->n; i++) {
		struct member *m = &ch->m[i];
		const struct user *u = &f->c->user[m->sym];
		int cond;

		if (!u->set || !u->seq || u->tri != LKC_YES)
			continue;
		cond = sat_and2(f->sat, visible(ch, m), -m->to_n);
		may_win(ch, m, sat_and2(f->sat, newest, cond));
		if (f->c->tree->dialect < DIALECT_6_12)
			newest = sat_and2(f->sat, newest, m->to_n);
	}
	qsort(ch->m, ch->n, sizeof(*ch->m), by_definition);
}

static void win_by_default(struct choice *ch)
{
	struct formula *f = ch->f;
	const struct lkc_tree *t = f->c->tree;
	const struct symbol *s = sym_get(t, ch->sym);
	int by_default = ch->none;
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_props[s->props.at + i]];
		struct member *m;
		int cond;

		if (p->kind != PROP_DEFAULT ||
		    expr_get(t, p->a)->op != LKC_OP_SYM)
			continue;
		m = member_of(ch, expr_get(t, p->a)->l);
		/* a default that is no member: as visible as it is now */
		cond = m ? visible(ch, m) :
			f->c->value[expr_get(t, p->a)->l].vis ? SAT_TRUE :
			SAT_FALSE;
		cond = sat_and2(f->sat, cond, formula_expr(f, p->cond).m);
		may_win(ch, m, cond);
	}
	for (i = 0; i < ch->n; i++)
		may_win(ch, &ch->m[i], visible(ch, &ch->m[i]));
	for (i = 0; i < ch->n; i++)
		ch->m[i].by_default = sat_and2(f->sat, ch->m[i].wins,
					       by_default);
}

/* Since 6.12, a default that the user has set to n does not win. */
static void win_but_for_no(struct choice *ch)
{
	struct formula *f = ch->f;
	int user_no = SAT_FALSE, cond;
	uint32_t i;

	for (i = 0; i < ch->n; i++) {
		struct member *m = &ch->m[i];
		const struct user *u = &f->c->user[m->sym];
		int no = u->set && u->tri == LKC_NO ? SAT_TRUE : m->to_n;

		no = sat_and2(f->sat, no, m->by_default);
		user_no = sat_or2(f->sat, user_no, no);
		m->wins = sat_and2(f->sat, m->wins, -no);
	}
	ch->none = user_no;
	for (i = 0; i < ch->n; i++) {
		cond = sat_and2(f->sat, visible(ch, &ch->m[i]),
				-ch->m[i].to_n);
		if (!f->c->user[ch->m[i].sym].set)
			may_win(ch, &ch->m[i], cond);
	}
	qsort(ch->m, ch->n, sizeof(*ch->m), oldest_first);
	for (i = 0; i < ch->n; i++) {
		cond = sat_and2(f->sat, visible(ch, &ch->m[i]),
				-ch->m[i].to_n);
		if (f->c->user[ch->m[i].sym].set)
			may_win(ch, &ch->m[i], cond);
	}
	/* the newest n is the last resort */
	for (i = 0; i < ch->n; i++)
		may_win(ch, &ch->m[i], visible(ch, &ch->m[i]));
	qsort(ch->m, ch->n, sizeof(*ch->m), by_definition);
}

/* The choice's own value. */
static void choice_value(struct choice *ch)
{
	struct formula *f = ch->f;
	const struct symbol *s = sym_get(f->c->tree, ch->sym);
	const struct user *u = &f->c->user[ch->sym];
	struct formula_sym *fs = &f->syms[ch->sym];
	struct tri_lit v, floor, user;

	fs->vis = formula_visibility(f, ch->sym);
	user = formula_const(u->set ? u->tri : LKC_NO);
	user = formula_if(f, ch->any_y, formula_const(LKC_YES), user);
	v = formula_and(f, fs->vis, user);
	v = formula_or(f, v, formula_reverse(f, ch->sym, PROP_SELECT));
	if (!(s->flags & SYMBOL_OPTIONAL)) {
		floor = formula_expr(f, s->prompt_cond);
		floor.y = SAT_FALSE;
		v = formula_or(f, v, formula_raise(f, ch->sym, floor));
	}
	formula_define(f, ch->sym, formula_raise(f, ch->sym, v),
		       LKC_CONFLICT_LIMIT, LKC_CONFLICT_FLOOR);
}

static bool may_change(const struct formula *f, lkc_sym sym)
{
	const struct symbol *s = sym_get(f->c->tree, sym);

	return !f->fixed[sym] && (s->flags & SYMBOL_DEFINED) &&
		f->syms[sym].vis.m != SAT_FALSE &&
		lkc_sym_prompt(f->c->tree, sym);
}

/* True if a member must neither be asked for nor lose. */
static bool has_locked(const struct choice *ch)
{
	uint32_t i;

	for (i = 0; i < ch->n; i++) {
		if (ch->f->fixed[ch->m[i].sym] == LOCKED)
			return true;
	}
	return false;
}

/* True if a request wants a member to be y: no other is asked for, then. */
static bool has_requested(const struct choice *ch)
{
	const struct formula *f = ch->f;
	uint32_t i;

	for (i = 0; i < ch->n; i++) {
		if (f->fixed[ch->m[i].sym] == REQUESTED &&
		    f->c->user[ch->m[i].sym].tri == LKC_YES)
			return true;
	}
	return false;
}

/* The member that wins whenever there is a winner, or NULL. */
static const struct member *only_candidate(const struct choice *ch)
{
	const struct member *m = NULL;
	uint32_t i;

	/* before, visibility hangs on the choice's own value */
	if (ch->f->c->tree->dialect < DIALECT_6_12)
		return NULL;
	for (i = 0; i < ch->n; i++) {
		if (visible(ch, &ch->m[i]) == SAT_FALSE)
			continue;
		if (m)
			return NULL;
		m = &ch->m[i];
	}
	return m;
}

/* Variables for changed members. */
static void change_members(struct choice *ch)
{
	struct formula *f = ch->f;
	bool no = has_locked(ch), taken = has_requested(ch);
	const struct member *alone = only_candidate(ch);
	uint32_t i;

	ch->any_y = SAT_FALSE;
	for (i = 0; i < ch->n; i++) {
		struct member *m = &ch->m[i];
		struct formula_sym *fs = &f->syms[m->sym];

		m->to_y = SAT_FALSE;
		m->to_n = SAT_FALSE;
		fs->changed = SAT_FALSE;
		if (!may_change(f, m->sym) || alone == m)
			continue;
		fs->changed = sat_var(f->sat);
		fs->to.m = no ? sat_var(f->sat) : SAT_TRUE;
		fs->to.y = fs->to.m;
		m->to_y = sat_and2(f->sat, fs->changed, fs->to.m);
		m->to_n = sat_and2(f->sat, fs->changed, -fs->to.m);
		sat_clause2(f->sat, taken ? SAT_FALSE : -ch->any_y, -m->to_y);
		ch->any_y = sat_or2(f->sat, ch->any_y, m->to_y);
		if (!vec_push(&f->free, m->sym))
			f->err = LKC_ENOMEM;
	}
}

static void member_value(struct choice *ch, struct member *m)
{
	struct formula *f = ch->f;
	bool old = f->c->tree->dialect < DIALECT_6_12;
	struct formula_sym *fs = &f->syms[m->sym];
	struct tri_lit v;

	v.m = sat_or2(f->sat, m->to_y,
		      sat_and2(f->sat, -ch->any_y, m->wins));
	v.y = v.m;
	sat_clause2(f->sat, -fs->changed, old ? fs->vis.y : fs->vis.m);
	sat_clause2(f->sat, -m->to_n, -v.m);
	if (old) {
		/* not bound by the choice: a tristate one that is not y */
		sat_clause2(f->sat, -fs->changed, f->syms[ch->sym].v.y);
		v = formula_if(f, fs->vis.y, v, formula_unchanged(f, m->sym));
	}
	formula_define(f, m->sym, v, LKC_CONFLICT_CHOICE, LKC_CONFLICT_CHOICE);
}

static void see_members(struct choice *ch)
{
	uint32_t i;

	for (i = 0; i < ch->n; i++)
		ch->f->syms[ch->m[i].sym].vis =
			formula_visibility(ch->f, ch->m[i].sym);
}

void formula_choice(struct formula *f, lkc_sym sym)
{
	const struct lkc_tree *t = f->c->tree;
	const struct symbol *s = sym_get(t, sym);
	struct choice ch = { .f = f, .sym = sym, .n = s->members.n };
	uint32_t i;

	ch.m = calloc(ch.n + 1, sizeof(*ch.m));
	if (!ch.m) {
		f->err = LKC_ENOMEM;
		return;
	}
	for (i = 0; i < ch.n; i++) {
		ch.m[i].sym = t->members.v[s->members.at + i];
		ch.m[i].seq = f->c->user[ch.m[i].sym].seq;
		ch.m[i].at = i;
		ch.m[i].wins = SAT_FALSE;
	}
	if (t->dialect >= DIALECT_6_12)
		see_members(&ch);
	change_members(&ch);
	choice_value(&ch);
	if (t->dialect < DIALECT_6_12)
		see_members(&ch);
	ch.none = SAT_TRUE;
	if (t->dialect < DIALECT_6_12)
		ch.none = f->syms[sym].v.y;
	win_by_user(&ch);
	win_by_default(&ch);
	if (t->dialect >= DIALECT_6_12)
		win_but_for_no(&ch);
	for (i = 0; i < ch.n; i++)
		member_value(&ch, &ch.m[i]);
	free(ch.m);
}
