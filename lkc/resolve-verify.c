// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve-verify - what comes of an answer, tried in a transaction
 */
#include <string.h>

#include "resolve.h"

static const char *const tri_text[] = { "n", "m", "y" };

static int set_moves(struct search *s, struct lkc_txn *txn,
		     const struct move *moves, uint32_t n)
{
	uint32_t i;
	int err = 0;

	for (i = 0; i < n && err >= 0; i++)
		err = lkc_txn_set(txn, sym_get(s->c->tree, moves[i].sym)->name,
				  tri_text[moves[i].to]);
	return err < 0 ? err : 0;
}

static bool all_hold(const struct lkc_txn *txn)
{
	uint32_t i;

	for (i = 0; i < txn->reqs.n; i++) {
		if (!txn_holds(txn, i))
			return false;
	}
	return true;
}

static bool keeps_locked(const struct search *s, const struct lkc_txn *txn)
{
	size_t i, j;

	for (i = 0; i < lkc_txn_changes(txn); i++) {
		for (j = 0; j < s->opt.n_locked; j++) {
			if (lkc_txn_change(txn, i)->sym == s->opt.locked[j])
				return false;
		}
	}
	return true;
}

/* True if @to is less than what @sym has, or costs a choice its winner. */
static bool lowers(const struct search *s, const struct move *m)
{
	return m->to < s->before[m->sym] ||
		sym_get(s->c->tree, m->sym)->choice != LKC_NONE;
}

static int describe(struct search *s, const struct lkc_txn *txn,
		    const struct move *moves, uint32_t n,
		    struct lkc_repair *answer)
{
	size_t total = lkc_txn_requests(txn), i;
	struct lkc_repair_change *ch;

	ch = arena_alloc(&s->out->arena, (total + 1) * sizeof(*ch));
	if (!ch)
		return LKC_ENOMEM;
	*answer = (struct lkc_repair){
		.changes = ch, .n_changes = total, .further = n,
	};
	for (i = 0; i < total; i++) {
		const struct lkc_request *r = lkc_txn_request(txn, i);

		ch[i].sym = r->sym;
		ch[i].before = r->before;
		ch[i].to = arena_strdup(&s->out->arena, r->want);
		ch[i].requested = i < s->n_wants;
		if (!ch[i].to)
			return LKC_ENOMEM;
	}
	for (i = 0; i < n; i++) {
		answer->lowered += lowers(s, &moves[i]);
		answer->raised_y += moves[i].to == LKC_YES &&
			eval_type(s->c, moves[i].sym) == LKC_TRISTATE;
	}
	for (i = 0; i < lkc_txn_changes(txn); i++) {
		answer->derived += lkc_txn_change(txn, i)->request < 0;
		answer->lost += lkc_txn_change(txn, i)->lost;
	}
	return 1;
}

int resolve_try(struct search *s, const struct move *moves, uint32_t n,
		struct lkc_repair *answer)
{
	struct lkc_txn *txn;
	int err;

	err = resolve_begin(s, &txn);
	if (err)
		return err;
	err = set_moves(s, txn, moves, n);
	/* look before judging, which says much about what does not hold */
	if (!err)
		err = resolve_apply(txn);
	if (!err && all_hold(txn)) {
		err = lkc_txn_prepare(txn);
		if (err == LKC_EREJECTED)
			err = 0;
		else if (!err && keeps_locked(s, txn))
			err = answer ? describe(s, txn, moves, n, answer) : 1;
	}
	lkc_txn_abort(txn);
	return err;
}

static int order(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

int resolve_rank(const void *a, const void *b)
{
	const struct lkc_repair *x = a, *y = b;
	int d = order(x->further, y->further);
	size_t i;

	if (!d)
		d = order(x->lowered, y->lowered);
	if (!d)
		d = order(x->lost, y->lost);
	if (!d)
		d = order(x->raised_y, y->raised_y);
	if (!d)
		d = order(x->derived, y->derived);
	for (i = 0; !d && i < x->n_changes; i++)
		d = order(x->changes[i].sym, y->changes[i].sym);
	return d;
}
