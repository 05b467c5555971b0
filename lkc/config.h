/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config - the inside of a configuration
 *
 * Two arrays indexed by symbol: what the user wants, and what follows. While a
 * transaction is open, both change through config_user_set() and
 * config_settle() only, which write its undo log.
 */
#ifndef LKC_CONFIG_H
#define LKC_CONFIG_H

#include "model.h"

/* What the user asked for. */
struct user {
	const char *str;	/* int, hex, string; interned */
	uint32_t seq;		/* when: later is larger; 0: never */
	uint8_t tri;		/* bool, tristate */
	bool set;
};

/* What follows. Equal strings are equal pointers. */
struct value {
	const char *str;	/* int, hex, string */
	lkc_sym winner;		/* of a choice, or LKC_NONE */
	uint8_t tri;
	uint8_t vis;		/* upper bound of the user's value */
	uint8_t sel;		/* lower bound: selects */
	uint8_t imp;		/* implies */
	uint8_t dep;		/* direct dependencies */
	uint8_t origin;		/* enum lkc_origin */
	bool write;		/* belongs into a .config */
};

/* An entry of the undo log: one array element as it was. */
struct undo {
	lkc_sym sym;
	bool is_user;
	union {
		struct user user;
		struct value value;
	} old;
};

struct undo_log {
	VEC(struct undo);
};

struct lkc_config {
	const struct lkc_tree *tree;
	struct user *user;
	struct value *value;
	uint32_t seq;			/* last one given out */
	struct arena arena;		/* strings */
	struct strmap strings;
	/* units waiting for evaluation: a binary heap, and who is in it */
	uint32_t *heap;
	uint32_t heap_n;
	uint8_t *queued;
	struct undo_log *log;		/* NULL: nobody wants to undo */
	struct lkc_txn *txn;		/* innermost open transaction */
};

/* The one copy of @s that this configuration keeps; NULL: out of memory. */
const char *config_intern(struct lkc_config *c, const char *s);

/* Changes what the user wants of @sym. config_settle() must follow. */
int config_user_set(struct lkc_config *c, lkc_sym sym, struct user u);
/* Evaluates all that changes of user values may have changed. */
int config_settle(struct lkc_config *c);
/* Evaluates everything. */
int config_evaluate(struct lkc_config *c);
/* Has @sym's unit evaluated by the next config_settle(). */
void config_touch(struct lkc_config *c, lkc_sym sym);
/* Undoes all of @log past its first @keep records. */
void config_rollback(struct lkc_config *c, struct undo_log *log,
		     uint32_t keep);

/*
 * Before 6.12, a choice counts as the user's only if all its visible members
 * do. conf finds that out while it computes the choice, so that it matters
 * from the next time on: config_settle() is left to the caller.
 */
void config_forget_partial_choices(struct lkc_config *c);

/* eval.c */

/* Computes unit @unit, storing through config_value_set(). */
int eval_unit(struct lkc_config *c, uint32_t unit);
/* Stores a new value, logging the old one and queueing readers. */
int config_value_set(struct lkc_config *c, lkc_sym sym,
		     const struct value *v);
enum lkc_tri eval_expr(const struct lkc_config *c, lkc_expr e);
/* The string that comparisons and defaults see. */
const char *eval_string(const struct lkc_config *c, lkc_sym sym);
/* What an int, hex or string is when nothing says anything. */
const char *eval_empty(const struct lkc_tree *t, enum lkc_type type);
/* The first active default of @sym, or NULL. */
const struct prop *eval_default(const struct lkc_config *c, lkc_sym sym);
/* The first active range of @sym, or NULL. */
const struct prop *eval_range(const struct lkc_config *c, lkc_sym sym);
/* A bound of a range, read in the base of @sym's type. */
int64_t eval_bound(const struct lkc_config *c, lkc_sym sym, lkc_sym bound);
/* The member that wins if the user wants nothing, or LKC_NONE. */
lkc_sym eval_choice_default(const struct lkc_config *c, lkc_sym choice);
/* True if m exists. */
bool eval_modules(const struct lkc_config *c);
/* The type, with tristate becoming bool where m does not exist. */
enum lkc_type eval_type(const struct lkc_config *c, lkc_sym sym);

/* True if @s is a well-formed value of @type. */
bool value_valid(enum lkc_type type, const char *s);

#endif
