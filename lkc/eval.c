// SPDX-License-Identifier: GPL-2.0-only
/*
 * eval - what follows from what the user wants
 *
 * The rules are those of Documentation/kbuild/kconfig-language.rst, and where
 * that is silent, what conf of the dialect is seen to do.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

#define min_tri(a, b) ((a) < (b) ? (a) : (b))
#define max_tri(a, b) ((a) > (b) ? (a) : (b))

bool eval_modules(const struct lkc_config *c)
{
	lkc_sym modules = c->tree->modules;

	return modules != LKC_NONE && c->value[modules].tri != LKC_NO;
}

enum lkc_type eval_type(const struct lkc_config *c, lkc_sym sym)
{
	enum lkc_type type = sym_get(c->tree, sym)->type;

	/* MODULES itself cannot wait for what it decides */
	if (type == LKC_TRISTATE && sym > SYM_Y &&
	    (sym == c->tree->modules || !eval_modules(c)))
		return LKC_BOOL;
	return type;
}

/* ---- expressions -------------------------------------------------------- */

const char *eval_string(const struct lkc_config *c, lkc_sym sym)
{
	static const char *const tri[] = { "n", "m", "y" };
	const struct symbol *s = sym_get(c->tree, sym);

	switch (s->type) {
	case LKC_BOOL:
	case LKC_TRISTATE:
		return tri[c->value[sym].tri];
	case LKC_UNKNOWN:
		return s->name ? s->name : "";
	default:
		return c->value[sym].str ? c->value[sym].str : "";
	}
}

/* How a string compares: as a number, signed or not, or as text. */
enum kind { AS_TEXT, AS_SIGNED, AS_UNSIGNED };

static enum kind number_of(const char *s, enum lkc_type type, int64_t *out)
{
	enum kind kind = AS_SIGNED;
	char *end;

	errno = 0;
	switch (type) {
	case LKC_BOOL:
	case LKC_TRISTATE:
		*out = strcmp(s, "n") == 0 ? 0 : strcmp(s, "m") == 0 ? 1 :
			strcmp(s, "y") == 0 ? 2 : -1;
		return AS_SIGNED;
	case LKC_INT:
		*out = strtoll(s, &end, 10);
		break;
	case LKC_HEX:
		*out = (int64_t)strtoull(s, &end, 16);
		kind = AS_UNSIGNED;
		break;
	default:
		*out = strtoll(s, &end, 0);
		break;
	}
	if (errno || *end || end == s || !isxdigit((unsigned char)end[-1]))
		return AS_TEXT;
	return kind;
}

static int compare_syms(const struct lkc_config *c, lkc_sym l, lkc_sym r)
{
	enum lkc_type lt = sym_get(c->tree, l)->type;
	enum lkc_type rt = sym_get(c->tree, r)->type;
	const char *ls = eval_string(c, l), *rs = eval_string(c, r);
	enum kind lk = AS_TEXT, rk = AS_TEXT;
	int64_t a, b;

	/* to 4.11, y, m and n are words */
	if (c->tree->dialect < DIALECT_6_1 &&
	    (type_is_tri(lt) || type_is_tri(rt)))
		return strcmp(ls, rs);
	if (lt != LKC_STRING || rt != LKC_STRING) {
		lk = number_of(ls, lt, &a);
		rk = number_of(rs, rt, &b);
	}
	if (lk == AS_TEXT || rk == AS_TEXT)
		return strcmp(ls, rs);
	if (lk == AS_UNSIGNED || rk == AS_UNSIGNED)
		return ((uint64_t)a > (uint64_t)b) -
		       ((uint64_t)a < (uint64_t)b);
	return (a > b) - (a < b);
}

static enum lkc_tri eval_cmp(const struct lkc_config *c, const struct expr *x)
{
	int d = compare_syms(c, x->l, x->r);
	bool holds;

	switch (x->op) {
	case LKC_OP_EQ:
		holds = d == 0;
		break;
	case LKC_OP_NE:
		holds = d != 0;
		break;
	case LKC_OP_LT:
		holds = d < 0;
		break;
	case LKC_OP_LE:
		holds = d <= 0;
		break;
	case LKC_OP_GT:
		holds = d > 0;
		break;
	default:
		holds = d >= 0;
		break;
	}
	return holds ? LKC_YES : LKC_NO;
}

enum lkc_tri eval_expr(const struct lkc_config *c, lkc_expr e)
{
	const struct expr *x = expr_get(c->tree, e);
	enum lkc_op op = x->op;
	enum lkc_tri v, r;

	switch (op) {
	case LKC_OP_SYM:
		return c->value[x->l].tri;
	case LKC_OP_NOT:
		return LKC_YES - eval_expr(c, x->l);
	case LKC_OP_AND:
	case LKC_OP_OR:
		break;
	default:
		return eval_cmp(c, x);
	}
	/* a chain of one operator, from its right end to its left */
	v = op == LKC_OP_AND ? LKC_YES : LKC_NO;
	for (;;) {
		r = eval_expr(c, x->op == op ? x->r : e);
		v = op == LKC_OP_AND ? min_tri(v, r) : max_tri(v, r);
		if (v == (op == LKC_OP_AND ? LKC_NO : LKC_YES) || x->op != op)
			return v;
		e = x->l;
		x = expr_get(c->tree, e);
	}
}

/* ---- inputs of a symbol ------------------------------------------------- */

static const struct prop *prop_of(const struct lkc_tree *t,
				  const struct symbol *s, uint32_t i)
{
	return &t->props.v[t->sym_props[s->props.at + i]];
}

static const struct prop *first_active(const struct lkc_config *c,
				       lkc_sym sym, enum prop_kind kind)
{
	const struct symbol *s = sym_get(c->tree, sym);
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = prop_of(c->tree, s, i);

		if (p->kind == kind && eval_expr(c, p->cond) != LKC_NO)
			return p;
	}
	return NULL;
}

const struct prop *eval_default(const struct lkc_config *c, lkc_sym sym)
{
	return first_active(c, sym, PROP_DEFAULT);
}

const struct prop *eval_range(const struct lkc_config *c, lkc_sym sym)
{
	return first_active(c, sym, PROP_RANGE);
}

/* m means y to what cannot be m. */
static enum lkc_tri raise_m(enum lkc_tri v, bool has_m)
{
	return v == LKC_MOD && !has_m ? LKC_YES : v;
}

static enum lkc_tri visibility(const struct lkc_config *c, lkc_sym sym)
{
	const struct symbol *s = sym_get(c->tree, sym);
	enum lkc_tri v = LKC_NO;
	uint32_t i;

	for (i = 0; i < s->props.n && v != LKC_YES; i++) {
		const struct prop *p = prop_of(c->tree, s, i);
		enum lkc_tri one;

		if (p->kind != PROP_PROMPT)
			continue;
		one = eval_expr(c, p->cond);
		/* a member that may only be m is no candidate in a y choice */
		if (one == LKC_MOD && s->choice != LKC_NONE &&
		    s->type == LKC_TRISTATE &&
		    c->value[s->choice].tri == LKC_YES)
			one = LKC_NO;
		v = max_tri(v, one);
	}
	return raise_m(v, eval_type(c, sym) == LKC_TRISTATE);
}

/* What selects or implies (@kind) make of @sym. */
static enum lkc_tri reverse(const struct lkc_config *c, lkc_sym sym,
			    enum prop_kind kind)
{
	const struct lkc_tree *t = c->tree;
	const struct symbol *s = sym_get(t, sym);
	enum lkc_tri v = LKC_NO;
	uint32_t i;

	for (i = 0; i < s->reverse.n && v != LKC_YES; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];
		enum lkc_tri one;

		if (p->kind != kind)
			continue;
		one = c->value[p->sym].tri;
		if (one > v)
			one = min_tri(one, eval_expr(c, p->cond));
		v = max_tri(v, one);
	}
	return v;
}

/* A choice that is visible is at least m, unless it may be n. */
static enum lkc_tri choice_floor(const struct lkc_config *c, lkc_sym sym)
{
	const struct symbol *s = sym_get(c->tree, sym);
	enum lkc_tri v = LKC_NO;
	uint32_t i;

	if (s->flags & SYMBOL_OPTIONAL)
		return LKC_NO;
	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = prop_of(c->tree, s, i);

		if (p->kind == PROP_PROMPT)
			v = max_tri(v, min_tri(eval_expr(c, p->cond), LKC_MOD));
	}
	return v;
}

static struct value inputs(const struct lkc_config *c, lkc_sym sym)
{
	const struct symbol *s = sym_get(c->tree, sym);
	bool has_m = eval_type(c, sym) == LKC_TRISTATE;
	struct value v = { .winner = LKC_NONE };

	v.vis = visibility(c, sym);
	v.dep = raise_m(eval_expr(c, s->depends), has_m);
	/* selecting a member of a choice has no effect */
	if (s->choice == LKC_NONE) {
		v.sel = reverse(c, sym, PROP_SELECT);
		v.imp = raise_m(reverse(c, sym, PROP_IMPLY), has_m);
	}
	if (s->flags & SYMBOL_CHOICE)
		v.sel = max_tri(v.sel, choice_floor(c, sym));
	v.sel = raise_m(v.sel, has_m);
	v.write = v.vis != LKC_NO && s->type != LKC_UNKNOWN;
	return v;
}

/* ---- bool and tristate -------------------------------------------------- */

static void default_tri(const struct lkc_config *c, lkc_sym sym,
			struct value *v)
{
	const struct prop *p = eval_default(c, sym);
	enum lkc_tri implied;

	if (p) {
		v->tri = min_tri(eval_expr(c, p->a), eval_expr(c, p->cond));
		if (v->tri != LKC_NO || c->tree->dialect < DIALECT_6_1) {
			v->write = true;
			v->origin = LKC_ORIGIN_DEFAULT;
		}
	}
	if (v->imp == LKC_NO ||
	    (v->dep == LKC_NO && c->tree->dialect < DIALECT_6_1))
		return;
	v->write = true;
	implied = min_tri(max_tri(v->tri, v->imp), v->dep);
	if (implied > v->tri)
		v->origin = LKC_ORIGIN_IMPLY;
	v->tri = implied;
}

static struct value eval_tri(const struct lkc_config *c, lkc_sym sym)
{
	const struct user *u = &c->user[sym];
	struct value v = inputs(c, sym);

	if (v.vis != LKC_NO && u->set) {
		v.tri = min_tri(u->tri, v.vis);
		v.origin = LKC_ORIGIN_USER;
	} else if (!(sym_get(c->tree, sym)->flags & SYMBOL_CHOICE)) {
		default_tri(c, sym, &v);
	}
	if (v.sel != LKC_NO)
		v.write = true;
	if (v.sel > v.tri) {
		v.tri = v.sel;
		v.origin = LKC_ORIGIN_SELECT;
	}
	if (v.tri == LKC_MOD && eval_type(c, sym) == LKC_BOOL)
		v.tri = LKC_YES;
	/* in 4.11, what y implies is no module: kconfig-language.txt, "imply" */
	if (v.tri == LKC_MOD && v.imp == LKC_YES &&
	    c->tree->dialect < DIALECT_6_1)
		v.tri = LKC_YES;
	if (v.tri == LKC_NO && v.origin != LKC_ORIGIN_USER)
		v.origin = LKC_ORIGIN_UNSET;
	return v;
}

/* ---- int, hex, string --------------------------------------------------- */

static int base_of(enum lkc_type type)
{
	return type == LKC_HEX ? 16 : 10;
}

int64_t eval_bound(const struct lkc_config *c, lkc_sym sym, lkc_sym bound)
{
	enum lkc_type type = sym_get(c->tree, bound)->type;

	if (type != LKC_INT && type != LKC_HEX)
		type = sym_get(c->tree, sym)->type;
	return strtoll(eval_string(c, bound), NULL, base_of(type));
}

#define BOUND_TEXT 24		/* bytes, the NUL included */

/* The value of @bound, as a value of @sym: in 4.11, it is written anew. */
static const char *bound_text(const struct lkc_config *c, lkc_sym sym,
			      lkc_sym bound, char text[BOUND_TEXT])
{
	int64_t value = eval_bound(c, sym, bound);

	if (c->tree->dialect >= DIALECT_6_1)
		return eval_string(c, bound);
	if (sym_get(c->tree, sym)->type == LKC_HEX)
		snprintf(text, BOUND_TEXT, "0x%" PRIx64, (uint64_t)value);
	else
		snprintf(text, BOUND_TEXT, "%" PRId64, value);
	return text;
}

static int clamp(struct lkc_config *c, lkc_sym sym, struct value *v)
{
	enum lkc_type type = sym_get(c->tree, sym)->type;
	const struct prop *p;
	char text[BOUND_TEXT];
	int64_t now;
	lkc_sym bound;

	if (type != LKC_INT && type != LKC_HEX)
		return 0;
	p = eval_range(c, sym);
	if (!p)
		return 0;
	now = strtoll(v->str, NULL, base_of(type));
	if (now < eval_bound(c, sym, p->a))
		bound = p->a;
	else if (now > eval_bound(c, sym, p->b))
		bound = p->b;
	else
		return 0;
	v->str = config_intern(c, bound_text(c, sym, bound, text));
	return v->str ? 0 : LKC_ENOMEM;
}

const char *eval_empty(const struct lkc_tree *t, enum lkc_type type)
{
	if (t->dialect >= DIALECT_6_12 && type == LKC_INT)
		return "0";
	if (t->dialect >= DIALECT_6_12 && type == LKC_HEX)
		return "0x0";
	return "";
}

static int eval_text(struct lkc_config *c, lkc_sym sym, struct value *v)
{
	const struct user *u = &c->user[sym];
	const char *str = NULL;
	const struct prop *p;

	*v = inputs(c, sym);
	if (v->vis != LKC_NO && u->set) {
		str = u->str;
		v->origin = LKC_ORIGIN_USER;
	} else {
		p = eval_default(c, sym);
		if (p && expr_get(c->tree, p->a)->op == LKC_OP_SYM) {
			v->write = true;
			v->origin = LKC_ORIGIN_DEFAULT;
			str = eval_string(c, expr_get(c->tree, p->a)->l);
		}
	}
	if (!str)
		str = eval_empty(c->tree, sym_get(c->tree, sym)->type);
	v->str = config_intern(c, str);
	if (!v->str)
		return LKC_ENOMEM;
	return clamp(c, sym, v);
}

/* ---- choices ------------------------------------------------------------ */

static lkc_sym member(const struct lkc_tree *t, lkc_sym choice, uint32_t i)
{
	return t->members.v[sym_get(t, choice)->members.at + i];
}

lkc_sym eval_choice_default(const struct lkc_config *c, lkc_sym choice)
{
	const struct lkc_tree *t = c->tree;
	const struct symbol *s = sym_get(t, choice);
	uint32_t i;

	for (i = 0; i < s->props.n; i++) {
		const struct prop *p = prop_of(t, s, i);

		if (p->kind == PROP_DEFAULT &&
		    expr_get(t, p->a)->op == LKC_OP_SYM &&
		    eval_expr(c, p->cond) != LKC_NO &&
		    c->value[expr_get(t, p->a)->l].vis != LKC_NO)
			return expr_get(t, p->a)->l;
	}
	for (i = 0; i < s->members.n; i++) {
		if (c->value[member(t, choice, i)].vis != LKC_NO)
			return member(t, choice, i);
	}
	return LKC_NONE;
}

/* The member that the user set to y last; @visible_only: that can win. */
static lkc_sym newest_y(const struct lkc_config *c, lkc_sym choice,
			bool visible_only)
{
	const struct symbol *s = sym_get(c->tree, choice);
	lkc_sym best = LKC_NONE;
	uint32_t i;

	for (i = 0; i < s->members.n; i++) {
		lkc_sym m = member(c->tree, choice, i);

		/* what all*config set is no wish for this very member */
		if (!c->user[m].set || !c->user[m].seq ||
		    c->user[m].tri != LKC_YES ||
		    (visible_only && c->value[m].vis == LKC_NO))
			continue;
		if (best == LKC_NONE || c->user[m].seq > c->user[best].seq)
			best = m;
	}
	return best;
}

/* 6.1: the last y if it is visible, else the default. */
static lkc_sym winner_6_1(const struct lkc_config *c, lkc_sym choice)
{
	lkc_sym m = newest_y(c, choice, false);

	if (m != LKC_NONE && c->value[m].vis != LKC_NO)
		return m;
	return eval_choice_default(c, choice);
}

static lkc_sym winner_6_12(const struct lkc_config *c, lkc_sym choice)
{
	const struct symbol *s = sym_get(c->tree, choice);
	lkc_sym m = newest_y(c, choice, true);
	lkc_sym oldest = LKC_NONE;
	uint32_t i;

	if (m != LKC_NONE)
		return m;
	m = eval_choice_default(c, choice);
	if (m != LKC_NONE &&
	    !(c->user[m].set && c->user[m].tri == LKC_NO))
		return m;
	for (i = 0; i < s->members.n; i++) {
		m = member(c->tree, choice, i);
		if (c->value[m].vis == LKC_NO)
			continue;
		if (!c->user[m].set)
			return m;
		if (oldest == LKC_NONE ||
		    c->user[m].seq < c->user[oldest].seq)
			oldest = m;
	}
	return oldest;
}

/* Members of a choice that is y: one is y, the others n. */
static int eval_members(struct lkc_config *c, lkc_sym choice)
{
	const struct symbol *s = sym_get(c->tree, choice);
	lkc_sym winner = c->value[choice].winner;
	uint32_t i;
	int err;

	for (i = 0; i < s->members.n; i++) {
		lkc_sym m = member(c->tree, choice, i);
		struct value v = c->value[m];

		/* not bound by the choice: a tristate one that is not y */
		if (c->tree->dialect < DIALECT_6_12 && v.vis != LKC_YES) {
			v = eval_tri(c, m);
		} else {
			v.tri = m == winner ? LKC_YES : LKC_NO;
			v.write = v.vis != LKC_NO &&
				sym_get(c->tree, m)->type != LKC_UNKNOWN;
			v.origin = !v.write ? LKC_ORIGIN_UNSET :
				   c->user[m].set && (c->user[m].tri ==
						      LKC_YES) == (m == winner) ?
				   LKC_ORIGIN_USER : LKC_ORIGIN_CHOICE;
		}
		err = config_value_set(c, m, &v);
		if (err)
			return err;
	}
	return 0;
}

static int eval_choice(struct lkc_config *c, lkc_sym choice)
{
	const struct symbol *s = sym_get(c->tree, choice);
	struct value v = { .winner = LKC_NONE };
	uint32_t i;
	int err;

	/* conf computes nothing that has no type */
	if (s->type != LKC_UNKNOWN)
		v = eval_tri(c, choice);
	v.write = false;
	v.winner = c->value[choice].winner;
	err = config_value_set(c, choice, &v);
	/* visibility of members, which depends on the choice's own value */
	for (i = 0; i < s->members.n && !err; i++) {
		lkc_sym m = member(c->tree, choice, i);
		struct value in = inputs(c, m);

		in.tri = c->value[m].tri;
		in.origin = c->value[m].origin;
		err = config_value_set(c, m, &in);
	}
	if (err)
		return err;
	v.winner = LKC_NONE;
	if (c->tree->dialect >= DIALECT_6_12)
		v.winner = winner_6_12(c, choice);
	else if (v.tri == LKC_YES)
		v.winner = winner_6_1(c, choice);
	/* up to 6.1 a choice that is y has a member that is y, or is n */
	if (c->tree->dialect < DIALECT_6_12 && v.tri == LKC_YES &&
	    v.winner == LKC_NONE)
		v.tri = LKC_NO;
	err = config_value_set(c, choice, &v);
	return err ? err : eval_members(c, choice);
}

int eval_unit(struct lkc_config *c, uint32_t unit)
{
	lkc_sym sym = c->tree->units[unit];
	const struct symbol *s = sym_get(c->tree, sym);
	struct value v;
	int err = 0;

	if (s->flags & SYMBOL_CHOICE)
		return eval_choice(c, sym);
	switch (s->type) {
	case LKC_BOOL:
	case LKC_TRISTATE:
		v = eval_tri(c, sym);
		break;
	case LKC_UNKNOWN:
		v = inputs(c, sym);
		break;
	default:
		err = eval_text(c, sym, &v);
		break;
	}
	return err ? err : config_value_set(c, sym, &v);
}
