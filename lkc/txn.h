/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * txn - the inside of a transaction, shared by its parts
 */
#ifndef LKC_TXN_H
#define LKC_TXN_H

#include "config.h"

struct request {
	struct lkc_request pub;
	struct user want;	/* parsed; unset: the user's value goes */
	bool usable;		/* symbol and value make sense */
	bool withdrawn;		/* by lkc_txn_drop_rejected() */
	bool clash;		/* with another request for the same thing */
};

/* What the user wants of a symbol. */
struct wish {
	lkc_sym sym;
	struct user user;
};

struct lkc_txn {
	struct lkc_config *c;
	struct lkc_txn *outer;
	struct undo_log log;
	struct { VEC(struct request); } reqs;
	struct { VEC(struct lkc_change); } changes;
	struct { VEC(struct wish); } inner;	/* committed within this one */
	struct arena arena;
	uint32_t seq;		/* the configuration's when this began */
	bool prepared;
};

/* Restores what was when @txn began. */
void txn_rewind(struct lkc_txn *txn);
/* Applies request @i and no evaluation. */
int txn_apply(struct lkc_txn *txn, uint32_t i);
/* True if request @i has its value now. */
bool txn_holds(const struct lkc_txn *txn, uint32_t i);
/* True if request @i takes part. */
bool txn_active(const struct lkc_txn *txn, uint32_t i);

/* judge.c: verdict and reason of each request of an evaluated transaction */
int txn_judge(struct lkc_txn *txn);
/* The reason, kept by @txn; takes over @text (freed). */
int txn_reason(struct lkc_txn *txn, struct lkc_request *r,
	       struct strbuf *text);

#endif
