// SPDX-License-Identifier: GPL-2.0-only
/*
 * config - configurations: their life, their changes, and reading their values
 */
#include <stdlib.h>
#include <string.h>

#include "config.h"

/* ---- life --------------------------------------------------------------- */

static struct lkc_config *config_alloc(const struct lkc_tree *tree)
{
	struct lkc_config *c = calloc(1, sizeof(*c));
	size_t n = tree->syms.n + 1;

	if (!c)
		return NULL;
	c->tree = tree;
	c->user = calloc(n, sizeof(*c->user));
	c->value = calloc(n, sizeof(*c->value));
	c->heap = malloc((tree->n_units + 1) * sizeof(*c->heap));
	c->queued = calloc(tree->n_units + 1, 1);
	if (!c->user || !c->value || !c->heap || !c->queued) {
		lkc_config_free(c);
		return NULL;
	}
	return c;
}

int lkc_config_new(const struct lkc_tree *tree, struct lkc_config **out)
{
	struct lkc_config *c = config_alloc(tree);
	uint32_t i;
	int err;

	*out = NULL;
	if (!c)
		return LKC_ENOMEM;
	for (i = 0; i < tree->syms.n; i++)
		c->value[i].winner = LKC_NONE;
	for (i = SYM_N; i <= SYM_Y; i++)
		c->value[i].tri = i;
	err = config_evaluate(c);
	if (err) {
		lkc_config_free(c);
		return err;
	}
	*out = c;
	return 0;
}

int lkc_config_clone(const struct lkc_config *c, struct lkc_config **out)
{
	struct lkc_config *copy = config_alloc(c->tree);
	uint32_t i;

	*out = NULL;
	if (!copy)
		return LKC_ENOMEM;
	copy->seq = c->seq;
	memcpy(copy->user, c->user, c->tree->syms.n * sizeof(*c->user));
	memcpy(copy->value, c->value, c->tree->syms.n * sizeof(*c->value));
	for (i = 0; i < c->tree->syms.n; i++) {
		struct user *u = &copy->user[i];
		struct value *v = &copy->value[i];

		if (u->str)
			u->str = config_intern(copy, u->str);
		if (v->str)
			v->str = config_intern(copy, v->str);
		if ((c->user[i].str && !u->str) || (c->value[i].str && !v->str)) {
			lkc_config_free(copy);
			return LKC_ENOMEM;
		}
	}
	*out = copy;
	return 0;
}

void lkc_config_free(struct lkc_config *c)
{
	if (!c)
		return;
	while (c->txn)
		lkc_txn_abort(c->txn);
	free(c->user);
	free(c->value);
	free(c->heap);
	free(c->queued);
	strmap_free(&c->strings);
	arena_free(&c->arena);
	free(c);
}

const struct lkc_tree *lkc_config_tree(const struct lkc_config *c)
{
	return c->tree;
}

const char *config_intern(struct lkc_config *c, const char *s)
{
	size_t len = strlen(s);
	const char *copy = strmap_key(&c->strings, s, len);

	if (copy)
		return copy;
	copy = arena_strndup(&c->arena, s, len);
	if (!copy || !strmap_add(&c->strings, copy, len, 0))
		return NULL;
	return copy;
}

/* ---- changes ------------------------------------------------------------ */

static int log_undo(struct lkc_config *c, const struct undo *u)
{
	if (!c->log || vec_push(c->log, *u))
		return 0;
	return LKC_ENOMEM;
}

int config_user_set(struct lkc_config *c, lkc_sym sym, struct user u)
{
	struct undo undo = { .sym = sym, .is_user = true };
	int err;

	undo.old.user = c->user[sym];
	err = log_undo(c, &undo);
	if (err)
		return err;
	c->user[sym] = u;
	config_touch(c, sym);
	return 0;
}

static bool same_value(const struct value *a, const struct value *b)
{
	return a->tri == b->tri && a->str == b->str && a->vis == b->vis &&
	       a->sel == b->sel && a->imp == b->imp && a->dep == b->dep &&
	       a->write == b->write && a->origin == b->origin &&
	       a->winner == b->winner;
}

int config_value_set(struct lkc_config *c, lkc_sym sym, const struct value *v)
{
	struct value *now = &c->value[sym];
	const struct symbol *s = sym_get(c->tree, sym);
	struct undo undo = { .sym = sym };
	uint32_t i;
	int err;

	if (same_value(now, v))
		return 0;
	undo.old.value = *now;
	err = log_undo(c, &undo);
	if (err)
		return err;
	if (now->tri == v->tri && now->str == v->str &&
	    !(s->flags & SYMBOL_VIS_READ)) {
		*now = *v;
		return 0;
	}
	*now = *v;
	for (i = 0; i < s->readers.n; i++) {
		uint32_t unit = c->tree->readers[s->readers.at + i];

		if (!c->queued[unit])
			config_touch(c, c->tree->units[unit]);
	}
	return 0;
}

void config_touch(struct lkc_config *c, lkc_sym sym)
{
	uint32_t unit = sym_get(c->tree, sym)->unit;
	uint32_t at, up;

	if (unit == UINT32_MAX || c->queued[unit])
		return;
	c->queued[unit] = 1;
	at = c->heap_n++;
	while (at) {
		up = (at - 1) / 2;
		if (c->heap[up] <= unit)
			break;
		c->heap[at] = c->heap[up];
		at = up;
	}
	c->heap[at] = unit;
}

static uint32_t heap_pop(struct lkc_config *c)
{
	uint32_t top = c->heap[0], last = c->heap[--c->heap_n];
	uint32_t at = 0, down;

	while ((down = 2 * at + 1) < c->heap_n) {
		if (down + 1 < c->heap_n && c->heap[down + 1] < c->heap[down])
			down++;
		if (last <= c->heap[down])
			break;
		c->heap[at] = c->heap[down];
		at = down;
	}
	c->heap[at] = last;
	c->queued[top] = 0;
	return top;
}

int config_settle(struct lkc_config *c)
{
	/*
	 * Units come in an order in which each is evaluated once, but for
	 * soft reads that would close a loop (see graph.c): those may come
	 * round again, which this bounds.
	 */
	uint64_t left = 8 * (uint64_t)c->tree->n_units + 8;
	int err = 0;

	while (c->heap_n && left--) {
		uint32_t unit = heap_pop(c);

		if (!err)
			err = eval_unit(c, unit);
	}
	while (c->heap_n)
		heap_pop(c);
	return err;
}

int config_evaluate(struct lkc_config *c)
{
	uint32_t i;

	/* in order is a heap */
	for (i = 0; i < c->tree->n_units; i++) {
		c->heap[i] = i;
		c->queued[i] = 1;
	}
	c->heap_n = c->tree->n_units;
	return config_settle(c);
}

void config_rollback(struct lkc_config *c, struct undo_log *log, uint32_t keep)
{
	while (log->n > keep) {
		const struct undo *u = &log->v[--log->n];

		if (u->is_user)
			c->user[u->sym] = u->old.user;
		else
			c->value[u->sym] = u->old.value;
	}
}

/* ---- values ------------------------------------------------------------- */

bool value_valid(enum lkc_type type, const char *s)
{
	size_t n;

	switch (type) {
	case LKC_BOOL:
		return strcmp(s, "y") == 0 || strcmp(s, "n") == 0;
	case LKC_TRISTATE:
		return strcmp(s, "y") == 0 || strcmp(s, "m") == 0 ||
		       strcmp(s, "n") == 0;
	case LKC_INT:
		s += *s == '-';
		n = strspn(s, "0123456789");
		return n && !s[n] && !(s[0] == '0' && n > 1);
	case LKC_HEX:
		if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
			s += 2;
		n = strspn(s, "0123456789abcdefABCDEF");
		return n && !s[n];
	case LKC_STRING:
		return true;
	default:
		return false;
	}
}

const char *lkc_value(const struct lkc_config *c, lkc_sym sym)
{
	return eval_string(c, sym);
}

enum lkc_tri lkc_value_tri(const struct lkc_config *c, lkc_sym sym)
{
	return c->value[sym].tri;
}

enum lkc_tri lkc_visibility(const struct lkc_config *c, lkc_sym sym)
{
	return c->value[sym].vis;
}

enum lkc_tri lkc_selected(const struct lkc_config *c, lkc_sym sym)
{
	return c->value[sym].sel;
}

enum lkc_tri lkc_depends(const struct lkc_config *c, lkc_sym sym)
{
	return c->value[sym].dep;
}

enum lkc_origin lkc_value_origin(const struct lkc_config *c, lkc_sym sym)
{
	return c->value[sym].origin;
}

bool lkc_value_written(const struct lkc_config *c, lkc_sym sym)
{
	return c->value[sym].write;
}

const char *lkc_user_value(const struct lkc_config *c, lkc_sym sym)
{
	static const char *const tri[] = { "n", "m", "y" };
	const struct user *u = &c->user[sym];

	if (!u->set)
		return NULL;
	return type_is_tri(sym_get(c->tree, sym)->type) ? tri[u->tri] : u->str;
}

lkc_sym lkc_choice_winner(const struct lkc_config *c, lkc_sym choice)
{
	return c->value[choice].winner;
}

enum lkc_tri lkc_expr_value(const struct lkc_config *c, lkc_expr e)
{
	return eval_expr(c, e);
}

bool lkc_range(const struct lkc_config *c, lkc_sym sym, int64_t *low,
	       int64_t *high, struct lkc_place *place)
{
	const struct prop *p = eval_range(c, sym);
	struct diag_place where;

	if (!p)
		return false;
	*low = eval_bound(c, sym, p->a);
	*high = eval_bound(c, sym, p->b);
	if (place) {
		where = build_place(c->tree, p->span);
		*place = (struct lkc_place){ where.file, where.line,
					     where.column };
	}
	return true;
}

static const char *default_tri_string(const struct lkc_config *c, lkc_sym sym)
{
	static const char *const tri[] = { "n", "m", "y" };
	const struct value *v = &c->value[sym];
	const struct prop *p = eval_default(c, sym);
	enum lkc_tri val = LKC_NO, limit;

	if (p) {
		val = eval_expr(c, p->a);
		limit = eval_expr(c, p->cond);
		if (limit < val)
			val = limit;
	}
	if (v->sel > val)
		val = v->sel;
	if (val == LKC_MOD && sym_get(c->tree, sym)->choice == LKC_NONE &&
	    !eval_modules(c))
		val = LKC_YES;
	if (val == LKC_MOD && sym_get(c->tree, sym)->type == LKC_BOOL)
		val = LKC_YES;
	if (val < v->imp)
		val = v->imp;
	return tri[val];
}

char *lkc_default_value(const struct lkc_config *c, lkc_sym sym)
{
	enum lkc_type type = sym_get(c->tree, sym)->type;
	const struct prop *p;
	const char *s = "";

	if (type_is_tri(type))
		return strdup(default_tri_string(c, sym));
	p = eval_default(c, sym);
	if (p && expr_get(c->tree, p->a)->op == LKC_OP_SYM)
		s = eval_string(c, expr_get(c->tree, p->a)->l);
	return strdup(*s ? s : eval_empty(c->tree, type));
}
