// SPDX-License-Identifier: GPL-2.0-only
/*
 * txn - transactions over a configuration
 *
 * A transaction applies its requests as a set, has the configuration evaluate
 * what they reach, and keeps an undo log of every array element that changed.
 * Judging the requests may apply subsets of them in between.
 */
#include <stdlib.h>
#include <string.h>

#include "txn.h"

int lkc_txn_begin(struct lkc_config *c, struct lkc_txn **txn)
{
	struct lkc_txn *t = calloc(1, sizeof(*t));

	*txn = t;
	if (!t)
		return LKC_ENOMEM;
	t->c = c;
	t->outer = c->txn;
	t->seq = c->seq;
	c->txn = t;
	c->log = &t->log;
	return 0;
}

/* ---- requests ----------------------------------------------------------- */

static const char *keep(struct lkc_txn *txn, const char *s)
{
	return arena_strdup(&txn->arena, s);
}

/* A value that a line of a .config can hold. */
static bool is_one_line(const char *s)
{
	for (; *s; s++) {
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return false;
	}
	return true;
}

static int parse_want(struct lkc_txn *txn, struct request *r)
{
	enum lkc_type type = sym_get(txn->c->tree, r->pub.sym)->type;
	const char *want = r->pub.want;

	r->want = (struct user){ .set = want != NULL };
	r->usable = !want || (value_valid(type, want) && is_one_line(want));
	if (!want || !r->usable)
		return 0;
	if (type_is_tri(type)) {
		r->want.tri = *want == 'y' ? LKC_YES : *want == 'm' ? LKC_MOD :
			LKC_NO;
		return 0;
	}
	r->want.str = config_intern(txn->c, want);
	return r->want.str ? 0 : LKC_ENOMEM;
}

/* Two requests that want different things of one symbol, or two winners. */
static bool clashes(const struct lkc_txn *txn, const struct request *a,
		    const struct request *b)
{
	const struct lkc_tree *t = txn->c->tree;
	lkc_sym choice;

	if (!a->usable || !b->usable)
		return false;
	if (a->pub.sym == b->pub.sym)
		return a->want.set != b->want.set ||
		       a->want.tri != b->want.tri ||
		       a->want.str != b->want.str;
	choice = sym_get(t, a->pub.sym)->choice;
	return choice != LKC_NONE && sym_get(t, b->pub.sym)->choice == choice &&
	       a->want.set && b->want.set && a->want.tri == LKC_YES &&
	       b->want.tri == LKC_YES;
}

int lkc_txn_set(struct lkc_txn *txn, const char *name, const char *value)
{
	const struct lkc_tree *t = txn->c->tree;
	struct request r = { .pub = { .reason = "", .unmet = LKC_NONE,
				      .other = LKC_NONE } };

	if (strncmp(name, "CONFIG_", 7) == 0)
		name += 7;
	r.pub.name = keep(txn, name);
	r.pub.want = value ? keep(txn, value) : NULL;
	if (!r.pub.name || (value && !r.pub.want))
		return LKC_ENOMEM;
	r.pub.sym = lkc_sym_find(t, name);
	if (r.pub.sym != LKC_NONE && !lkc_sym_is_config(t, r.pub.sym))
		r.pub.sym = LKC_NONE;
	r.pub.before = "";
	if (r.pub.sym != LKC_NONE) {
		if (parse_want(txn, &r))
			return LKC_ENOMEM;
		r.pub.before = NULL;	/* looked up when rewound */
	}
	r.pub.got = "";
	if (!vec_push(&txn->reqs, r))
		return LKC_ENOMEM;
	txn->prepared = false;
	return txn->reqs.n - 1;
}

/* ---- applying ----------------------------------------------------------- */

void txn_rewind(struct lkc_txn *txn)
{
	config_rollback(txn->c, &txn->log, 0);
	txn->c->seq = txn->seq;
}

bool txn_active(const struct lkc_txn *txn, uint32_t i)
{
	const struct request *r = &txn->reqs.v[i];

	return r->usable && !r->withdrawn && !r->clash;
}

int txn_apply(struct lkc_txn *txn, uint32_t i)
{
	const struct request *r = &txn->reqs.v[i];
	const struct symbol *s = sym_get(txn->c->tree, r->pub.sym);
	struct user u = r->want;
	const struct user *choice;
	int err;

	/* requests are a set: none is newer than another */
	u.seq = txn->seq + 1;
	if (txn->c->seq < u.seq)
		txn->c->seq = u.seq;
	err = config_user_set(txn->c, r->pub.sym, u);
	if (err || s->choice == LKC_NONE || !u.set || u.tri == LKC_NO)
		return err;
	/* the choice goes along; where one wants y of it and one m, y */
	choice = &txn->c->user[s->choice];
	if (u.tri == LKC_MOD && choice->seq == u.seq && choice->tri == LKC_YES)
		return 0;
	return config_user_set(txn->c, s->choice, u);
}

/* What inner transactions have committed, over what this one asks for. */
static int apply_inner(struct lkc_txn *txn)
{
	uint32_t i;
	int err = 0;

	for (i = 0; i < txn->inner.n && !err; i++) {
		const struct wish *w = &txn->inner.v[i];

		err = config_user_set(txn->c, w->sym, w->user);
		if (txn->c->seq < w->user.seq)
			txn->c->seq = w->user.seq;
	}
	return err;
}

bool txn_holds(const struct lkc_txn *txn, uint32_t i)
{
	const struct request *r = &txn->reqs.v[i];

	if (!r->usable)
		return false;
	return !r->pub.want ||
	       strcmp(lkc_value(txn->c, r->pub.sym), r->pub.want) == 0;
}

/* Of several clashes one is told, whatever their order: the nearest. */
static void mark_clash(struct request *r, lkc_sym with)
{
	if (!r->clash || with == r->pub.sym ||
	    (r->pub.other != r->pub.sym && with < r->pub.other))
		r->pub.other = with;
	r->clash = true;
}

static void find_clashes(struct lkc_txn *txn)
{
	uint32_t i, j;

	for (i = 0; i < txn->reqs.n; i++)
		txn->reqs.v[i].clash = false;
	for (i = 0; i < txn->reqs.n; i++) {
		for (j = 0; j < i; j++) {
			if (txn->reqs.v[i].withdrawn ||
			    txn->reqs.v[j].withdrawn ||
			    !clashes(txn, &txn->reqs.v[i], &txn->reqs.v[j]))
				continue;
			mark_clash(&txn->reqs.v[i], txn->reqs.v[j].pub.sym);
			mark_clash(&txn->reqs.v[j], txn->reqs.v[i].pub.sym);
		}
	}
}

static int apply_all(struct lkc_txn *txn)
{
	uint32_t i;
	int err = 0;

	txn_rewind(txn);
	for (i = 0; i < txn->reqs.n; i++) {
		struct request *r = &txn->reqs.v[i];

		if (r->pub.sym != LKC_NONE && !r->pub.before)
			r->pub.before = lkc_value(txn->c, r->pub.sym);
	}
	for (i = 0; i < txn->reqs.n && !err; i++) {
		if (txn_active(txn, i))
			err = txn_apply(txn, i);
	}
	if (!err)
		err = apply_inner(txn);
	return err ? err : config_settle(txn->c);
}

/* ---- what changed ------------------------------------------------------- */

static int change_order(const void *a, const void *b)
{
	lkc_sym x = ((const struct lkc_change *)a)->sym;
	lkc_sym y = ((const struct lkc_change *)b)->sym;

	return (x > y) - (x < y);
}

static const char *value_text(const struct lkc_tree *t, lkc_sym sym,
			      const struct value *v)
{
	static const char *const tri[] = { "n", "m", "y" };

	if (type_is_tri(sym_get(t, sym)->type))
		return tri[v->tri];
	return v->str ? v->str : "";
}

static const struct lkc_change *change_of(const struct lkc_txn *txn,
					  lkc_sym sym)
{
	struct lkc_change key = { .sym = sym };

	return bsearch(&key, txn->changes.v, txn->changes.n, sizeof(key),
		       change_order);
}

/* A changed symbol in @e other than @self, the leftmost, or LKC_NONE. */
static lkc_sym changed_in(const struct lkc_txn *txn, lkc_expr e, lkc_sym self)
{
	lkc_sym found = LKC_NONE, right;
	const struct expr *x;

	for (;; e = x->l) {
		x = expr_get(txn->c->tree, e);
		switch (x->op) {
		case LKC_OP_NOT:
			break;
		case LKC_OP_AND:
		case LKC_OP_OR:
			right = changed_in(txn, x->r, self);
			if (right != LKC_NONE)
				found = right;
			break;
		case LKC_OP_SYM:
			return x->l != self && change_of(txn, x->l) ? x->l :
				found;
		default:
			if (x->l != self && change_of(txn, x->l))
				return x->l;
			return x->r != self && change_of(txn, x->r) ? x->r :
				found;
		}
	}
}

/* A change among those that select or imply @sym, or in their conditions. */
static lkc_sym selector_of(const struct lkc_txn *txn, lkc_sym sym)
{
	const struct lkc_tree *t = txn->c->tree;
	const struct symbol *s = sym_get(t, sym);
	lkc_sym cause = LKC_NONE;
	uint32_t i;

	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&t->props.v[t->sym_reverse[s->reverse.at + i]];

		if (p->sym != sym && change_of(txn, p->sym))
			return p->sym;
		if (cause == LKC_NONE && txn->c->value[p->sym].tri != LKC_NO)
			cause = changed_in(txn, p->cond, sym);
	}
	return cause;
}

/* Nearest first: who selects it, then its visibility, then its defaults. */
static lkc_sym cause_of(const struct lkc_txn *txn, lkc_sym sym)
{
	const struct lkc_tree *t = txn->c->tree;
	const struct symbol *s = sym_get(t, sym);
	lkc_sym cause = LKC_NONE;
	uint32_t i;

	if (s->choice != LKC_NONE) {
		const struct symbol *ch = sym_get(t, s->choice);

		for (i = 0; i < ch->members.n; i++) {
			const struct lkc_change *m = change_of(txn,
					t->members.v[ch->members.at + i]);

			if (m && m->sym != sym && m->request >= 0)
				return m->sym;
		}
	}
	cause = selector_of(txn, sym);
	if (cause == LKC_NONE)
		cause = changed_in(txn, s->prompt_cond, sym);
	for (i = 0; i < s->props.n && cause == LKC_NONE; i++) {
		const struct prop *p = &t->props.v[t->sym_props[s->props.at + i]];

		if (p->kind == PROP_SELECT || p->kind == PROP_IMPLY)
			continue;
		cause = changed_in(txn, p->cond, sym);
		if (cause == LKC_NONE && p->kind == PROP_DEFAULT)
			cause = changed_in(txn, p->a, sym);
		if (cause == LKC_NONE && p->kind == PROP_RANGE)
			cause = change_of(txn, p->a) ? p->a :
				change_of(txn, p->b) ? p->b : LKC_NONE;
	}
	return cause != LKC_NONE ? cause : changed_in(txn, s->depends, sym);
}

/* The symbols that changed, by the first record of each in the log. */
static bool scan_log(struct lkc_txn *txn, uint8_t *seen)
{
	const struct lkc_tree *t = txn->c->tree;
	uint32_t i;

	for (i = 0; i < txn->log.n; i++) {
		const struct undo *u = &txn->log.v[i];
		struct lkc_change ch = {
			.sym = u->sym, .request = -1, .cause = LKC_NONE,
		};

		if (u->is_user || seen[u->sym] ||
		    (sym_get(t, u->sym)->flags & SYMBOL_CHOICE))
			continue;
		seen[u->sym] = 1;
		ch.before = value_text(t, u->sym, &u->old.value);
		ch.after = lkc_value(txn->c, u->sym);
		ch.origin = txn->c->value[u->sym].origin;
		/* what a select adds to a user's n is no loss */
		ch.lost = u->old.value.origin == LKC_ORIGIN_USER &&
			(!type_is_tri(sym_get(t, u->sym)->type) ||
			 u->old.value.tri > txn->c->value[u->sym].tri);
		if (strcmp(ch.before, ch.after) != 0 &&
		    !vec_push(&txn->changes, ch))
			return false;
	}
	return true;
}

static void find_requests(struct lkc_txn *txn)
{
	uint32_t i;

	for (i = 0; i < txn->reqs.n; i++) {
		struct lkc_change key = { .sym = txn->reqs.v[i].pub.sym };
		struct lkc_change *ch;

		if (!txn_active(txn, i) || !txn->changes.n)
			continue;
		ch = bsearch(&key, txn->changes.v, txn->changes.n, sizeof(key),
			     change_order);
		if (ch) {
			ch->request = i;
			ch->lost = false;
		}
	}
}

static int collect_changes(struct lkc_txn *txn)
{
	uint8_t *seen = calloc(txn->c->tree->syms.n + 1, 1);
	bool ok;
	uint32_t i;

	txn->changes.n = 0;
	ok = seen && scan_log(txn, seen);
	free(seen);
	if (!ok)
		return LKC_ENOMEM;
	if (txn->changes.n)
		qsort(txn->changes.v, txn->changes.n, sizeof(*txn->changes.v),
		      change_order);
	/* causes look at the other changes, so these must be complete */
	find_requests(txn);
	for (i = 0; i < txn->changes.n; i++) {
		struct lkc_change *ch = &txn->changes.v[i];

		if (ch->request < 0)
			ch->cause = cause_of(txn, ch->sym);
	}
	return 0;
}

/* ---- life --------------------------------------------------------------- */

static int prepare(struct lkc_txn *txn)
{
	int err;

	if (txn->c->txn != txn)
		return LKC_ESTATE;
	find_clashes(txn);
	err = apply_all(txn);
	if (!err)
		err = txn_judge(txn);
	if (!err)
		err = apply_all(txn);
	if (!err)
		err = collect_changes(txn);
	txn->prepared = !err;
	return err;
}

int lkc_txn_prepare(struct lkc_txn *txn)
{
	int err = prepare(txn);
	uint32_t i;

	for (i = 0; i < txn->reqs.n && !err; i++) {
		if (!lkc_verdict_holds(txn->reqs.v[i].pub.verdict))
			err = LKC_EREJECTED;
	}
	return err;
}

int lkc_txn_drop_rejected(struct lkc_txn *txn)
{
	bool again = true;
	uint32_t i;
	int err = 0;

	if (!txn->prepared)
		err = prepare(txn);
	while (again && !err) {
		again = false;
		for (i = 0; i < txn->reqs.n; i++) {
			struct request *r = &txn->reqs.v[i];

			if (r->withdrawn ||
			    lkc_verdict_holds(r->pub.verdict))
				continue;
			r->withdrawn = true;
			again = true;
		}
		if (again)
			err = prepare(txn);
	}
	return err;
}

size_t lkc_txn_requests(const struct lkc_txn *txn)
{
	return txn->reqs.n;
}

const struct lkc_request *lkc_txn_request(const struct lkc_txn *txn, size_t i)
{
	return i < txn->reqs.n ? &txn->reqs.v[i].pub : NULL;
}

size_t lkc_txn_changes(const struct lkc_txn *txn)
{
	return txn->changes.n;
}

const struct lkc_change *lkc_txn_change(const struct lkc_txn *txn, size_t i)
{
	return i < txn->changes.n ? &txn->changes.v[i] : NULL;
}

static void txn_end(struct lkc_txn *txn)
{
	txn->c->txn = txn->outer;
	txn->c->log = txn->outer ? &txn->outer->log : NULL;
	vec_free(&txn->log);
	vec_free(&txn->inner);
	vec_free(&txn->reqs);
	vec_free(&txn->changes);
	arena_free(&txn->arena);
	free(txn);
}

/* An enclosing transaction must be able to undo this one, and to redo it. */
static int hand_over(struct lkc_txn *txn, struct lkc_txn *outer)
{
	uint32_t i, before = outer->inner.n;

	if (txn->log.n && !vec_reserve(&outer->log, txn->log.n))
		return LKC_ENOMEM;
	for (i = 0; i < txn->log.n; i++) {
		struct wish w = { .sym = txn->log.v[i].sym };

		if (!txn->log.v[i].is_user)
			continue;
		w.user = txn->c->user[w.sym];
		if (!vec_push(&outer->inner, w)) {
			outer->inner.n = before;
			return LKC_ENOMEM;
		}
	}
	for (i = 0; i < txn->log.n; i++)
		outer->log.v[outer->log.n++] = txn->log.v[i];
	return 0;
}

int lkc_txn_commit(struct lkc_txn *txn)
{
	int err = 0;

	if (txn->c->txn != txn)
		return LKC_ESTATE;
	if (!txn->prepared)
		err = prepare(txn);
	if (!err && txn->outer)
		err = hand_over(txn, txn->outer);
	if (err) {
		lkc_txn_abort(txn);
		return err;
	}
	txn_end(txn);
	return 0;
}

void lkc_txn_abort(struct lkc_txn *txn)
{
	if (!txn)
		return;
	while (txn->c->txn != txn)
		lkc_txn_abort(txn->c->txn);
	txn_rewind(txn);
	txn_end(txn);
}
