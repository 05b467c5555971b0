// SPDX-License-Identifier: GPL-2.0-only
/*
 * expr - hash-consed expressions
 *
 * Equal expressions are the same id, so they are compared by comparing
 * numbers, and the dependencies that thousands of entries share are kept once.
 */
#include <stdlib.h>

#include "base/strbuf.h"
#include "model.h"

static uint32_t expr_hash(enum lkc_op op, uint32_t l, uint32_t r)
{
	return hash_mix(hash_mix(l, r), op);
}

static bool expr_table_grow(struct lkc_tree *t)
{
	uint32_t size = t->expr_table_size ? t->expr_table_size * 2 : 1024;
	uint32_t *table = malloc(size * sizeof(*table));
	uint32_t i, at;

	if (!table)
		return false;
	for (i = 0; i < size; i++)
		table[i] = LKC_NONE;
	for (i = 0; i < t->exprs.n; i++) {
		const struct expr *e = &t->exprs.v[i];

		at = expr_hash(e->op, e->l, e->r) & (size - 1);
		while (table[at] != LKC_NONE)
			at = (at + 1) & (size - 1);
		table[at] = i;
	}
	free(t->expr_table);
	t->expr_table = table;
	t->expr_table_size = size;
	return true;
}

static bool op_is_cmp(enum lkc_op op)
{
	return op >= LKC_OP_EQ;
}

/*
 * What recursion costs: chains of one operator lean left and are walked in a
 * loop; only a change of operator and right sides count.
 */
static uint32_t expr_depth(const struct lkc_tree *t, enum lkc_op op,
			   uint32_t l, uint32_t r)
{
	uint32_t left, right;

	if (op == LKC_OP_SYM || op_is_cmp(op))
		return 1;
	left = t->exprs.v[l].depth + (t->exprs.v[l].op != op);
	if (op == LKC_OP_NOT)
		return left;
	right = t->exprs.v[r].depth + 1;
	return left > right ? left : right;
}

static lkc_expr expr_intern(struct loader *ld, enum lkc_op op, uint32_t l,
			    uint32_t r)
{
	struct lkc_tree *t = ld->tree;
	struct expr e = { .op = op, .l = l, .r = r };
	uint32_t at, depth;

	if (t->exprs.n >= t->expr_table_size / 2 && !expr_table_grow(t))
		goto nomem;
	at = expr_hash(op, l, r) & (t->expr_table_size - 1);
	for (; t->expr_table[at] != LKC_NONE;
	     at = (at + 1) & (t->expr_table_size - 1)) {
		const struct expr *old = &t->exprs.v[t->expr_table[at]];

		if (old->op == op && old->l == l && old->r == r)
			return t->expr_table[at];
	}
	depth = expr_depth(t, op, l, r);
	if (depth > EXPR_DEPTH_MAX) {
		build_diag(ld, LKC_ERROR, DIAG_TOO_DEEP, DIAG_BARE, NO_SPAN,
			   "an expression is nested more than %d levels deep",
			   EXPR_DEPTH_MAX);
		ld->err = LKC_ELIMIT;
		return EXPR_N;
	}
	e.depth = depth;
	if (op == LKC_OP_SYM)
		e.bare_m = l == SYM_M;
	else if (!op_is_cmp(op))
		e.bare_m = t->exprs.v[l].bare_m ||
			   (op != LKC_OP_NOT && t->exprs.v[r].bare_m);
	if (!vec_push(&t->exprs, e))
		goto nomem;
	t->expr_table[at] = t->exprs.n - 1;
	return t->exprs.n - 1;
nomem:
	ld->err = LKC_ENOMEM;
	return EXPR_N;
}

void expr_init(struct loader *ld)
{
	expr_intern(ld, LKC_OP_SYM, SYM_N, 0);
	expr_intern(ld, LKC_OP_SYM, SYM_M, 0);
	expr_intern(ld, LKC_OP_SYM, SYM_Y, 0);
}

lkc_expr expr_make(struct loader *ld, enum lkc_op op, uint32_t l, uint32_t r)
{
	if (ld->err)
		return EXPR_N;
	switch (op) {
	case LKC_OP_NOT:
		/* not m: what it stands for depends on MODULES */
		if (l == EXPR_N || l == EXPR_Y)
			return EXPR_Y - l;
		r = 0;
		break;
	case LKC_OP_AND:
		if (l == EXPR_Y || l == r || r == EXPR_N)
			return r;
		if (r == EXPR_Y || l == EXPR_N)
			return l;
		break;
	case LKC_OP_OR:
		if (l == EXPR_N || l == r || r == EXPR_Y)
			return r;
		if (r == EXPR_N || l == EXPR_Y)
			return l;
		break;
	case LKC_OP_SYM:
		r = 0;
		break;
	default:
		break;
	}
	return expr_intern(ld, op, l, r);
}

bool expr_terms(const struct lkc_tree *t, lkc_expr e, enum lkc_op op,
		struct expr_list *out)
{
	uint32_t from = out->n, to;

	for (; expr_get(t, e)->op == op; e = expr_get(t, e)->l) {
		if (!vec_push(out, expr_get(t, e)->r))
			return false;
	}
	if (!vec_push(out, e))
		return false;
	for (to = out->n - 1; from < to; from++, to--) {
		e = out->v[from];
		out->v[from] = out->v[to];
		out->v[to] = e;
	}
	return true;
}

static lkc_expr gate_chain(struct loader *ld, lkc_expr e)
{
	enum lkc_op op = expr_get(ld->tree, e)->op;
	struct expr_list terms = {0};
	uint32_t i;

	if (!expr_terms(ld->tree, e, op, &terms))
		ld->err = LKC_ENOMEM;
	for (i = 0; i < terms.n && !ld->err; i++) {
		lkc_expr term = expr_gate_m(ld, terms.v[i]);

		e = i ? expr_make(ld, op, e, term) : term;
	}
	vec_free(&terms);
	return ld->err ? EXPR_N : e;
}

lkc_expr expr_gate_m(struct loader *ld, lkc_expr e)
{
	struct expr x = ld->tree->exprs.v[e];
	lkc_expr gate;

	if (!x.bare_m || ld->err)
		return e;
	if (x.op == LKC_OP_SYM) {
		if (ld->tree->modules == LKC_NONE)
			return EXPR_N;
		gate = build_expr_sym(ld, ld->tree->modules);
		return expr_make(ld, LKC_OP_AND, e, gate);
	}
	if (x.op == LKC_OP_NOT)
		return build_expr_not(ld, expr_gate_m(ld, x.l));
	return gate_chain(ld, e);
}

bool expr_mentions(const struct lkc_tree *t, lkc_expr e, lkc_sym sym)
{
	for (;;) {
		const struct expr *x = expr_get(t, e);

		switch (x->op) {
		case LKC_OP_SYM:
			return x->l == sym;
		case LKC_OP_NOT:
			break;
		case LKC_OP_AND:
		case LKC_OP_OR:
			if (expr_mentions(t, x->r, sym))
				return true;
			break;
		default:
			return x->l == sym || x->r == sym;
		}
		e = x->l;
	}
}

bool expr_requires(const struct lkc_tree *t, lkc_expr e, lkc_sym sym)
{
	for (;;) {
		const struct expr *x = expr_get(t, e);

		switch (x->op) {
		case LKC_OP_SYM:
			return x->l == sym;
		case LKC_OP_EQ:
			return x->l == sym && (x->r == SYM_Y || x->r == SYM_M);
		case LKC_OP_NE:
			return x->l == sym && x->r == SYM_N;
		case LKC_OP_AND:
			if (expr_requires(t, x->r, sym))
				return true;
			e = x->l;
			break;
		default:
			return false;
		}
	}
}

/* The term X!=n of a conjunction says the same as X where it is a gate. */
static lkc_expr term_normal(struct loader *ld, lkc_expr e)
{
	const struct expr *x = expr_get(ld->tree, e);

	if (x->op == LKC_OP_NE && x->r == SYM_N)
		return build_expr_sym(ld, x->l);
	return e;
}

static bool has_term(struct loader *ld, lkc_expr e, lkc_expr term)
{
	const struct lkc_tree *t = ld->tree;

	while (expr_get(t, e)->op == LKC_OP_AND) {
		lkc_expr left = expr_get(t, e)->l;

		if (has_term(ld, expr_get(t, e)->r, term))
			return true;
		e = left;
	}
	return term_normal(ld, e) == term;
}

bool expr_covers(struct loader *ld, lkc_expr e, lkc_expr part)
{
	const struct lkc_tree *t = ld->tree;

	while (expr_get(t, part)->op == LKC_OP_AND) {
		lkc_expr left = expr_get(t, part)->l;

		if (!expr_covers(ld, e, expr_get(t, part)->r))
			return false;
		part = left;
	}
	return part == EXPR_Y || has_term(ld, e, term_normal(ld, part));
}

lkc_expr build_expr_sym(struct loader *ld, lkc_sym sym)
{
	return expr_make(ld, LKC_OP_SYM, sym, 0);
}

lkc_expr build_expr_not(struct loader *ld, lkc_expr e)
{
	return expr_make(ld, LKC_OP_NOT, e, 0);
}

lkc_expr build_expr_and(struct loader *ld, lkc_expr a, lkc_expr b)
{
	return expr_make(ld, LKC_OP_AND, a, b);
}

lkc_expr build_expr_or(struct loader *ld, lkc_expr a, lkc_expr b)
{
	return expr_make(ld, LKC_OP_OR, a, b);
}

lkc_expr build_expr_cmp(struct loader *ld, enum lkc_op op, lkc_sym a,
			lkc_sym b)
{
	return expr_make(ld, op, a, b);
}

enum lkc_op lkc_expr_op(const struct lkc_tree *tree, lkc_expr e)
{
	return expr_get(tree, e)->op;
}

lkc_expr lkc_expr_left(const struct lkc_tree *tree, lkc_expr e)
{
	const struct expr *x = expr_get(tree, e);

	return x->op == LKC_OP_SYM || op_is_cmp(x->op) ? LKC_NONE : x->l;
}

lkc_expr lkc_expr_right(const struct lkc_tree *tree, lkc_expr e)
{
	const struct expr *x = expr_get(tree, e);

	return x->op == LKC_OP_AND || x->op == LKC_OP_OR ? x->r : LKC_NONE;
}

lkc_sym lkc_expr_sym(const struct lkc_tree *tree, lkc_expr e)
{
	const struct expr *x = expr_get(tree, e);

	return x->op == LKC_OP_SYM || op_is_cmp(x->op) ? x->l : LKC_NONE;
}

lkc_sym lkc_expr_rsym(const struct lkc_tree *tree, lkc_expr e)
{
	const struct expr *x = expr_get(tree, e);

	return op_is_cmp(x->op) ? x->r : LKC_NONE;
}

bool lkc_expr_is_const(const struct lkc_tree *tree, lkc_expr e, enum lkc_tri v)
{
	(void)tree;
	return e == (lkc_expr)v;
}

/* How tightly an operator binds; a weaker one inside needs parentheses. */
static int op_rank(enum lkc_op op)
{
	switch (op) {
	case LKC_OP_OR:
		return 0;
	case LKC_OP_AND:
		return 1;
	case LKC_OP_NOT:
		return 2;
	default:
		return 3;
	}
}

static void text_sym(const struct lkc_tree *t, lkc_sym sym,
		     const struct lkc_config *c, struct strbuf *out)
{
	const struct symbol *s = sym_get(t, sym);

	if (!s->name)
		strbuf_addstr(out, "<choice>");
	else if ((s->flags & SYMBOL_CONST) && sym > SYM_Y)
		strbuf_addf(out, "\"%s\"", s->name);
	else
		strbuf_addstr(out, s->name);
	if (c && s->name && s->type != LKC_UNKNOWN)
		strbuf_addf(out, " [=%s]", lkc_value(c, sym));
}

/* The operator that holds where @op does not, its sides negated, too. */
static enum lkc_op op_negated(enum lkc_op op)
{
	switch (op) {
	case LKC_OP_AND:
		return LKC_OP_OR;
	case LKC_OP_OR:
		return LKC_OP_AND;
	case LKC_OP_EQ:
		return LKC_OP_NE;
	case LKC_OP_NE:
		return LKC_OP_EQ;
	case LKC_OP_LT:
		return LKC_OP_GE;
	case LKC_OP_LE:
		return LKC_OP_GT;
	case LKC_OP_GT:
		return LKC_OP_LE;
	case LKC_OP_GE:
		return LKC_OP_LT;
	default:
		return op;
	}
}

static void text_expr(const struct lkc_tree *t, lkc_expr e, int rank, bool neg,
		      const struct lkc_config *c, struct strbuf *out);

/* All terms of a chain, also those of chains in brackets, from the left. */
static bool flatten(const struct lkc_tree *t, lkc_expr e, enum lkc_op op,
		    struct expr_list *terms)
{
	struct expr_list todo = {0};
	bool ok = vec_push(&todo, e);

	while (ok && todo.n) {
		const struct expr *x;

		e = todo.v[--todo.n];
		x = expr_get(t, e);
		ok = x->op == op ?
			vec_push(&todo, x->r) && vec_push(&todo, x->l) :
			vec_push(terms, e);
	}
	vec_free(&todo);
	return ok;
}

/* True if @e says that @sym is y or m, perhaps which of them. */
static bool says_set(const struct lkc_tree *t, lkc_expr e, lkc_sym sym)
{
	const struct expr *x = expr_get(t, e);

	if (x->l != sym)
		return false;
	return x->op == LKC_OP_SYM ||
	       (x->op == LKC_OP_NE && x->r == SYM_N) ||
	       (x->op == LKC_OP_EQ && (x->r == SYM_Y || x->r == SYM_M));
}

/* What conf makes of two terms of a conjunction: one of them, or LKC_NONE. */
static lkc_expr join_terms(const struct lkc_tree *t, lkc_expr a, lkc_expr b)
{
	const struct expr *x = expr_get(t, a), *y = expr_get(t, b);

	if (a == b)
		return a;
	if (x->op == LKC_OP_AND || x->op == LKC_OP_OR ||
	    x->op == LKC_OP_NOT || !type_is_tri(sym_get(t, x->l)->type) ||
	    !says_set(t, a, x->l) || !says_set(t, b, x->l))
		return LKC_NONE;
	/* X = y says more than X, and X more than X != n */
	if (x->op == LKC_OP_NE || (x->op == LKC_OP_SYM && y->op == LKC_OP_EQ))
		return b;
	if (y->op == LKC_OP_NE || (y->op == LKC_OP_SYM && x->op == LKC_OP_EQ))
		return a;
	return LKC_NONE;
}

/* Leaves out terms that others imply; what is left stands where the last did. */
static void dedup(const struct lkc_tree *t, enum lkc_op op,
		  struct expr_list *terms)
{
	uint32_t i, j, n = 0;
	lkc_expr both = LKC_NONE;

	for (i = 0; i < terms->n; i++) {
		/* chains of thousands are for no one to read */
		for (j = i + 1; j < terms->n && j < i + 100; j++) {
			both = LKC_NONE;
			if (terms->v[i] == terms->v[j])
				both = terms->v[i];
			else if (op == LKC_OP_AND)
				both = join_terms(t, terms->v[i], terms->v[j]);
			if (both != LKC_NONE)
				break;
		}
		if (j < terms->n && j < i + 100)
			terms->v[j] = both;
		else
			terms->v[n++] = terms->v[i];
	}
	terms->n = n;
}

static void text_chain(const struct lkc_tree *t, lkc_expr e, bool neg,
		       const struct lkc_config *c, struct strbuf *out)
{
	enum lkc_op op = expr_get(t, e)->op;
	enum lkc_op written = neg ? op_negated(op) : op;
	struct expr_list terms = {0};
	uint32_t i;

	if (!flatten(t, e, op, &terms))
		strbuf_fail(out);
	dedup(t, op, &terms);
	for (i = 0; i < terms.n && !out->err; i++) {
		if (i)
			strbuf_addstr(out, written == LKC_OP_AND ? " && " :
				      " || ");
		text_expr(t, terms.v[i], op_rank(written), neg, c, out);
	}
	vec_free(&terms);
}

/* As conf does, a "not" is written before symbols only; @neg: one is due. */
static void text_expr(const struct lkc_tree *t, lkc_expr e, int rank, bool neg,
		      const struct lkc_config *c, struct strbuf *out)
{
	static const char *const cmp[] = {
		[LKC_OP_EQ] = "=", [LKC_OP_NE] = "!=", [LKC_OP_LT] = "<",
		[LKC_OP_LE] = "<=", [LKC_OP_GT] = ">", [LKC_OP_GE] = ">=",
	};
	const struct expr *x = expr_get(t, e);
	enum lkc_op op = neg ? op_negated(x->op) : x->op;
	bool paren = op_rank(op) < rank;

	if (op == LKC_OP_NOT) {
		text_expr(t, x->l, rank, !neg, c, out);
		return;
	}
	if (paren)
		strbuf_addch(out, '(');
	switch (op) {
	case LKC_OP_SYM:
		if (neg)
			strbuf_addch(out, '!');
		text_sym(t, x->l, c, out);
		break;
	case LKC_OP_AND:
	case LKC_OP_OR:
		text_chain(t, e, neg, c, out);
		break;
	default:
		text_sym(t, x->l, c, out);
		strbuf_addstr(out, cmp[op]);
		text_sym(t, x->r, c, out);
		break;
	}
	if (paren)
		strbuf_addch(out, ')');
}

void expr_text(const struct lkc_tree *t, lkc_expr e,
	       const struct lkc_config *c, struct strbuf *out)
{
	text_expr(t, e, 0, false, c, out);
}

char *lkc_expr_text(const struct lkc_tree *tree, lkc_expr e,
		    const struct lkc_config *c)
{
	struct strbuf out = {0};

	expr_text(tree, e, c, &out);
	return strbuf_detach(&out, NULL);
}

char *lkc_sym_text(const struct lkc_tree *tree, lkc_sym sym,
		   const struct lkc_config *c)
{
	struct strbuf out = {0};

	text_sym(tree, sym, c, &out);
	return strbuf_detach(&out, NULL);
}
