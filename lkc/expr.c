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

		if (i == EXPR_WRITTEN_Y)
			continue;
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

static uint8_t expr_flags(const struct lkc_tree *t, enum lkc_op op, uint32_t l,
			  uint32_t r)
{
	switch (op) {
	case LKC_OP_SYM:
		return l == SYM_M ? EXPR_BARE_M : 0;
	case LKC_OP_NOT:
		return t->exprs.v[l].flags;
	case LKC_OP_AND:
		return t->exprs.v[l].flags | t->exprs.v[r].flags;
	case LKC_OP_OR:
		return t->exprs.v[l].flags | t->exprs.v[r].flags |
			(t->exprs.v[l].op == LKC_OP_NOT ||
			 t->exprs.v[r].op == LKC_OP_NOT ? EXPR_OR_NOT : 0);
	case LKC_OP_EQ:
	case LKC_OP_NE:
		return r <= SYM_Y ? EXPR_TRI_CMP : 0;
	default:
		return 0;
	}
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
	e.flags = expr_flags(t, op, l, r);
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
	/* this one only its number finds */
	if (!ld->err && !vec_push(&ld->tree->exprs, ld->tree->exprs.v[EXPR_Y]))
		ld->err = LKC_ENOMEM;
}

/* A written y among others is as good as none; alone, it stays. */
static bool make_with_y(enum lkc_op op, lkc_expr l, lkc_expr r, lkc_expr *out)
{
	lkc_expr other = l == EXPR_WRITTEN_Y ? r : l;

	if ((l != EXPR_WRITTEN_Y && r != EXPR_WRITTEN_Y) ||
	    (op != LKC_OP_AND && op != LKC_OP_OR))
		return false;
	*out = op == LKC_OP_AND && other != EXPR_Y ? other : EXPR_WRITTEN_Y;
	return true;
}

lkc_expr expr_make(struct loader *ld, enum lkc_op op, uint32_t l, uint32_t r)
{
	lkc_expr out;

	if (ld->err)
		return EXPR_N;
	if (make_with_y(op, l, r, &out))
		return out;
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

/* True if a bool or its negation must be met by the alternatives @terms. */
static bool is_certain(const struct lkc_tree *t, const struct expr_list *terms)
{
	uint32_t i, j;

	for (i = 0; i < terms->n; i++) {
		const struct expr *x = expr_get(t, terms->v[i]), *y;

		if (x->op != LKC_OP_NOT)
			continue;
		y = expr_get(t, x->l);
		if (y->op != LKC_OP_SYM || sym_get(t, y->l)->type != LKC_BOOL)
			continue;
		for (j = 0; j < terms->n; j++) {
			if (terms->v[j] == x->l)
				return true;
		}
	}
	return false;
}

static lkc_expr chain_condition(struct loader *ld, lkc_expr e)
{
	enum lkc_op op = expr_get(ld->tree, e)->op;
	struct expr_list terms = {0};
	uint32_t i;

	if (!expr_terms(ld->tree, e, op, &terms))
		ld->err = LKC_ENOMEM;
	for (i = 0; i < terms.n && !ld->err; i++) {
		lkc_expr term = expr_condition(ld, terms.v[i]);

		e = i ? expr_make(ld, op, e, term) : term;
		terms.v[i] = term;
	}
	if (op == LKC_OP_OR && terms.n <= 100 && is_certain(ld->tree, &terms))
		e = EXPR_Y;
	vec_free(&terms);
	return ld->err ? EXPR_N : e;
}

/* A comparison of a bool with a constant is one of four things. */
static lkc_expr bool_condition(struct loader *ld, const struct expr *x,
			       lkc_expr e)
{
	lkc_expr sym;

	if (ld->tree->syms.v[x->l].type != LKC_BOOL)
		return e;
	if (x->r == SYM_M)
		return x->op == LKC_OP_EQ ? EXPR_N : EXPR_Y;
	sym = build_expr_sym(ld, x->l);
	return (x->r == SYM_Y) == (x->op == LKC_OP_EQ) ? sym :
		build_expr_not(ld, sym);
}

lkc_expr expr_condition(struct loader *ld, lkc_expr e)
{
	struct expr x = ld->tree->exprs.v[e];
	lkc_expr gate;

	if (!x.flags || ld->err)
		return e;
	switch (x.op) {
	case LKC_OP_SYM:
		if (ld->tree->modules == LKC_NONE)
			return EXPR_N;
		gate = build_expr_sym(ld, ld->tree->modules);
		return expr_make(ld, LKC_OP_AND, e, gate);
	case LKC_OP_NOT:
		return build_expr_not(ld, expr_condition(ld, x.l));
	case LKC_OP_AND:
	case LKC_OP_OR:
		return chain_condition(ld, e);
	default:
		return bool_condition(ld, &x, e);
	}
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
	return e == (lkc_expr)v || (e == EXPR_WRITTEN_Y && v == LKC_YES);
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

struct text_form {
	const struct lkc_tree *t;
	const struct lkc_config *c;	/* values stand behind symbols; or NULL */
	bool conf;			/* as conf writes it: nothing in quotes */
	struct strbuf *out;
};

static void text_sym(const struct text_form *f, lkc_sym sym)
{
	const struct symbol *s = sym_get(f->t, sym);

	if (!s->name)
		strbuf_addstr(f->out, "<choice>");
	else if ((s->flags & SYMBOL_CONST) && sym > SYM_Y && !f->conf)
		strbuf_addf(f->out, "\"%s\"", s->name);
	else
		strbuf_addstr(f->out, s->name);
	if (f->c && s->name && s->type != LKC_UNKNOWN)
		strbuf_addf(f->out, " [=%s]", lkc_value(f->c, sym));
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

/*
 * An operand of a chain. A leaf stands for what @op says of @l and @r: LKC_OP_SYM
 * for a symbol, LKC_OP_NOT for one with a "not", or a comparison; it may be what
 * conf makes of two. Others are written as they are.
 */
struct text_term {
	lkc_expr e;
	enum lkc_op op;
	uint32_t l, r;
};

struct text_terms {
	VEC(struct text_term);
};

static struct text_term term_make(const struct lkc_tree *t, lkc_expr e, bool neg)
{
	const struct expr *x;

	for (; expr_get(t, e)->op == LKC_OP_NOT; neg = !neg)
		e = expr_get(t, e)->l;
	x = expr_get(t, e);
	return (struct text_term){
		.e = e, .l = x->l, .r = x->r,
		.op = !neg ? x->op : x->op == LKC_OP_SYM ? LKC_OP_NOT :
			op_negated(x->op),
	};
}

static bool term_is_leaf(const struct text_term *x)
{
	return x->op != LKC_OP_AND && x->op != LKC_OP_OR;
}

/*
 * All operands of the chain of @op, when written, that @e is, negated or not,
 * with those of chains in brackets, from the left.
 */
static bool flatten(const struct lkc_tree *t, lkc_expr e, bool neg,
		    enum lkc_op op, struct text_terms *terms)
{
	enum lkc_op inner = neg ? op_negated(op) : op;
	struct expr_list todo = {0};
	bool ok = vec_push(&todo, e);

	while (ok && todo.n) {
		const struct expr *x;

		e = todo.v[--todo.n];
		x = expr_get(t, e);
		if (x->op == inner)
			ok = vec_push(&todo, x->r) && vec_push(&todo, x->l);
		else
			ok = vec_push(terms, term_make(t, e, neg));
	}
	vec_free(&todo);
	return ok;
}

/* The values, as bits, for which a comparison with y, m or n holds; or 0. */
static unsigned int term_values(const struct text_term *x)
{
	if (x->r > SYM_Y || (x->op != LKC_OP_EQ && x->op != LKC_OP_NE))
		return 0;
	return x->op == LKC_OP_EQ ? 1u << x->r : 7u & ~(1u << x->r);
}

/* The comparison that holds for @values, where there is one. */
static bool term_of_values(struct text_term *x, unsigned int values)
{
	lkc_sym v;

	for (v = SYM_N; v <= SYM_Y; v++) {
		if (values != 1u << v && values != (7u & ~(1u << v)))
			continue;
		x->op = values == 1u << v ? LKC_OP_EQ : LKC_OP_NE;
		x->r = v;
		x->e = LKC_NONE;
		return true;
	}
	return false;
}

/* What X and a comparison of it are together. */
static bool join_sym(struct text_term *x, unsigned int values)
{
	if (values == (1u << SYM_Y | 1u << SYM_M)) {
		x->op = LKC_OP_SYM;
		return true;
	}
	if (!(values & 1u << SYM_Y))
		return false;
	return term_of_values(x, 1u << SYM_Y);
}

/* Makes @y what conf makes of both, if it makes one of them. */
static bool join_terms(const struct lkc_tree *t, enum lkc_op op,
		       const struct text_term *x, struct text_term *y)
{
	unsigned int a, b;

	if (x->op == y->op && x->l == y->l && x->r == y->r)
		return true;
	if (!term_is_leaf(x) || !term_is_leaf(y) || x->l != y->l ||
	    !type_is_tri(sym_get(t, x->l)->type))
		return false;
	a = term_values(x);
	b = term_values(y);
	if (op == LKC_OP_OR)
		return x->op == LKC_OP_EQ && y->op == LKC_OP_EQ && a && b &&
		       term_of_values(y, a | b);
	if (x->op == LKC_OP_SYM && b)
		return join_sym(y, b);
	if (y->op == LKC_OP_SYM && a)
		return join_sym(y, a);
	return a && b && term_of_values(y, a & b);
}

/* Leaves out terms that others imply; what is left stands where the last did. */
static void dedup(const struct lkc_tree *t, enum lkc_op op,
		  struct text_terms *terms)
{
	uint32_t i, j, n = 0;

	for (i = 0; i < terms->n; i++) {
		/* chains of thousands are for no one to read */
		for (j = i + 1; j < terms->n && j < i + 100; j++) {
			if (join_terms(t, op, &terms->v[i], &terms->v[j]))
				break;
		}
		if (j == terms->n || j == i + 100)
			terms->v[n++] = terms->v[i];
	}
	terms->n = n;
}

static void text_leaf(const struct text_form *f, const struct text_term *x)
{
	static const char *const cmp[] = {
		[LKC_OP_EQ] = "=", [LKC_OP_NE] = "!=", [LKC_OP_LT] = "<",
		[LKC_OP_LE] = "<=", [LKC_OP_GT] = ">", [LKC_OP_GE] = ">=",
	};

	if (x->op == LKC_OP_NOT)
		strbuf_addch(f->out, '!');
	text_sym(f, x->l);
	if (!op_is_cmp(x->op))
		return;
	strbuf_addstr(f->out, cmp[x->op]);
	text_sym(f, x->r);
}

static void text_chain(const struct text_form *f, lkc_expr e, int rank, bool neg)
{
	enum lkc_op inner = expr_get(f->t, e)->op;
	enum lkc_op op = neg ? op_negated(inner) : inner;
	struct text_terms terms = {0};
	bool paren;
	uint32_t i;

	if (!flatten(f->t, e, neg, op, &terms))
		strbuf_fail(f->out);
	dedup(f->t, op, &terms);
	paren = op_rank(op) < rank && terms.n > 1;
	if (paren)
		strbuf_addch(f->out, '(');
	for (i = 0; i < terms.n && !f->out->err; i++) {
		const struct text_term *x = &terms.v[i];

		if (i)
			strbuf_addstr(f->out, op == LKC_OP_AND ? " && " :
				      " || ");
		if (term_is_leaf(x))
			text_leaf(f, x);
		else
			text_chain(f, x->e, terms.n > 1 ? op_rank(op) : rank,
				   x->op != expr_get(f->t, x->e)->op);
	}
	if (paren)
		strbuf_addch(f->out, ')');
	vec_free(&terms);
}

/* As conf does, a "not" is written before symbols only. */
static void text_expr(const struct text_form *f, lkc_expr e)
{
	struct text_term x = term_make(f->t, e, false);

	if (term_is_leaf(&x))
		text_leaf(f, &x);
	else
		text_chain(f, x.e, 0, x.op != expr_get(f->t, x.e)->op);
}

void expr_text(const struct lkc_tree *t, lkc_expr e,
	       const struct lkc_config *c, struct strbuf *out)
{
	struct text_form f = { .t = t, .c = c, .out = out };

	text_expr(&f, e);
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
	struct text_form f = { .t = tree, .c = c, .out = &out };

	text_sym(&f, sym);
	return strbuf_detach(&out, NULL);
}

char *lkc_expr_conf_text(const struct lkc_config *c, lkc_expr e)
{
	struct strbuf out = {0};
	struct text_form f = {
		.t = lkc_config_tree(c), .c = c, .conf = true, .out = &out,
	};

	text_expr(&f, e);
	return strbuf_detach(&out, NULL);
}

char *lkc_sym_conf_text(const struct lkc_config *c, lkc_sym sym)
{
	struct strbuf out = {0};
	struct text_form f = {
		.t = lkc_config_tree(c), .c = c, .conf = true, .out = &out,
	};

	text_sym(&f, sym);
	return strbuf_detach(&out, NULL);
}
