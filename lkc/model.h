/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * model - what a loaded tree is made of
 *
 * Everything is an array indexed by a dense id. Nothing here is written after
 * lkc_tree_load() returns.
 */
#ifndef LKC_MODEL_H
#define LKC_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include <lkc/lkc.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"
#include "build.h"

/* The tristate constants have fixed ids, equal to their value. */
#define SYM_N ((lkc_sym)LKC_NO)
#define SYM_M ((lkc_sym)LKC_MOD)
#define SYM_Y ((lkc_sym)LKC_YES)

/* So have the expressions made of them alone. */
#define EXPR_N ((lkc_expr)LKC_NO)
#define EXPR_M ((lkc_expr)LKC_MOD)
#define EXPR_Y ((lkc_expr)LKC_YES)
/*
 * A condition that is just a written y, or comes to that. It is not the same as
 * none, EXPR_Y: conf shows it, and of an entry's definitions it is one that can be
 * met.
 */
#define EXPR_WRITTEN_Y (EXPR_Y + 1)

/* Hash-consed: equal expressions have equal ids. */
struct expr {
	uint8_t op;		/* enum lkc_op */
	uint8_t flags;		/* enum expr_flags */
	uint16_t depth;		/* recursion it takes to walk it */
	uint32_t l, r;		/* expressions, or symbols */
};

enum expr_flags {
	EXPR_BARE_M = 1 << 0,	/* has an m outside of comparisons */
	EXPR_TRI_CMP = 1 << 1,	/* has a comparison = or != with y, m or n */
	EXPR_OR_NOT = 1 << 2,	/* has a "not" as an operand of an "or" */
};

#define EXPR_DEPTH_MAX 5000

enum prop_kind {
	PROP_PROMPT,
	PROP_DEFAULT,
	PROP_SELECT,
	PROP_IMPLY,
	PROP_RANGE,
};

/* One property of an entry. @a and @b depend on the kind. */
struct prop {
	enum prop_kind kind;
	lkc_sym sym;		/* owner; LKC_NONE for menus and comments */
	lkc_menu entry;
	uint32_t a;		/* default: expression; select, imply: target;
				 * range: low symbol
				 */
	uint32_t b;		/* range: high symbol */
	lkc_expr own;		/* the condition as written */
	lkc_expr cond;		/* with all that encloses it */
	const char *text;	/* prompt */
	struct span span;
	bool free;		/* of what encloses it: see build_option_env() */
};

enum symbol_flags {
	SYMBOL_CONST = 1 << 0,		/* quoted, or y, m, n */
	SYMBOL_CHOICE = 1 << 1,
	SYMBOL_DEFINED = 1 << 2,	/* has a config or menuconfig entry */
	SYMBOL_OPTIONAL = 1 << 3,	/* a choice that may be n */
	SYMBOL_ALLNO_Y = 1 << 4,	/* option allnoconfig_y */
	SYMBOL_TRANSITIONAL = 1 << 5,
	SYMBOL_CHECKED = 1 << 6,	/* by check.c */
	SYMBOL_VIS_READ = 1 << 7,	/* others depend on its visibility */
};

/* Part of an index array: items [at, at + n). */
struct slice {
	uint32_t at, n;
};

struct symbol {
	const char *name;	/* NULL: unnamed choice */
	uint32_t len;
	uint8_t type;		/* enum lkc_type */
	uint8_t flags;
	lkc_sym choice;		/* it is a member of */
	struct slice props;	/* of tree.sym_props */
	struct slice reverse;	/* of tree.sym_reverse */
	struct slice entries;	/* of tree.sym_entries */
	struct slice members;	/* of tree.members, for a choice */
	struct slice readers;	/* units, of tree.readers */
	lkc_expr depends;	/* OR over its definitions */
	lkc_expr prompt_cond;	/* OR over its prompts */
	uint32_t unit;		/* what evaluates it, or UINT32_MAX */
	const char *env;	/* option env= */
};

struct entry {
	enum lkc_entry_kind kind;
	lkc_sym sym;
	lkc_menu block;		/* the block it stands in, as written */
	lkc_menu parent, child, next;	/* the tree people see */
	lkc_expr own;		/* depends, as written */
	lkc_expr depends;	/* with all that encloses it */
	lkc_expr visible;	/* own "visible if" */
	uint32_t prompt;	/* property, or LKC_NONE */
	bool open;		/* has been a block */
	const char *help;
	struct span span;
};

struct source_file {
	const char *name;
	char *text;
	uint32_t len;
	uint32_t *lines;	/* where each line begins */
	uint32_t n_lines;
	struct span from;	/* the source statement */
};

struct lkc_tree {
	struct arena arena;
	enum dialect dialect;
	const char *title;
	struct lkc_probe_stats probes;
	uint64_t hash;

	struct { VEC(struct source_file); } files;
	struct { VEC(struct symbol); } syms;
	struct { VEC(struct expr); } exprs;
	struct { VEC(struct prop); } props;
	struct { VEC(struct entry); } entries;
	struct strmap names;		/* symbols by name */
	struct strmap consts;		/* constants by text */
	struct strmap choices;		/* named choices */
	uint32_t *expr_table;		/* ids, for hash-consing */
	uint32_t expr_table_size;

	lkc_sym modules;		/* or LKC_NONE */
	lkc_sym defconfig_sym;		/* option defconfig_list */

	/* index arrays that slices point into */
	uint32_t *sym_props;
	uint32_t *sym_reverse;
	uint32_t *sym_entries;
	struct { VEC(lkc_sym); } members;
	uint32_t *readers;

	/*
	 * A unit is what is evaluated at once: a symbol, or a choice with its
	 * members. Units are numbered in an order in which each comes after
	 * all it reads.
	 */
	lkc_sym *units;
	uint32_t n_units;

	struct { VEC(const char *); } env;	/* name, value, name, ... */
	const char *const *environ;	/* copies of what was given */
};

static inline const struct symbol *sym_get(const struct lkc_tree *t, lkc_sym s)
{
	return &t->syms.v[s];
}

static inline const struct expr *expr_get(const struct lkc_tree *t, lkc_expr e)
{
	return &t->exprs.v[e];
}

static inline bool type_is_tri(unsigned int type)
{
	return type == LKC_BOOL || type == LKC_TRISTATE;
}

/* expr.c */

/* The expression (@op @l @r), simplified; EXPR_N with loader.err on failure. */
lkc_expr expr_make(struct loader *ld, enum lkc_op op, uint32_t l, uint32_t r);
/*
 * The condition @e as conf takes it: each bare m replaced by (m && MODULES); bools
 * not compared with y, m or n, but taken as they are, negated, or as a constant.
 * Types are known only when all has been read.
 */
lkc_expr expr_condition(struct loader *ld, lkc_expr e);
/* Creates the three constants. */
void expr_init(struct loader *ld);
/* Operands of a chain of one operator, leftmost first. */
struct expr_list {
	VEC(lkc_expr);
};

/*
 * Appends the operands of the chain of @op that @e is: itself alone, if it is
 * of another operator. Chains lean left and may be as long as a file; so what
 * walks one must not recurse into left sides. False when out of memory.
 */
bool expr_terms(const struct lkc_tree *t, lkc_expr e, enum lkc_op op,
		struct expr_list *out);
/* Appends what lkc_expr_text() returns. */
void expr_text(const struct lkc_tree *t, lkc_expr e,
	       const struct lkc_config *c, struct strbuf *out);
/* True if @sym occurs in @e. */
bool expr_mentions(const struct lkc_tree *t, lkc_expr e, lkc_sym sym);
/* True if @e cannot be other than n while @sym is n. */
bool expr_requires(const struct lkc_tree *t, lkc_expr e, lkc_sym sym);
/* True if each term of the conjunction @part is one of the conjunction @e. */
bool expr_covers(struct loader *ld, lkc_expr e, lkc_expr part);

/* build.c */

void build_init(struct loader *ld);
/* Frees what the loader has collected for itself, not for the tree. */
void build_free(struct loader *ld);
uint32_t build_add_prop(struct loader *ld, struct prop p);

/* menu.c: conditions, automatic submenus, members of choices, indexes */
void menu_finalize(struct loader *ld);
/* True if the heading of a menu or comment is written into a .config. */
bool menu_heading_visible(const struct lkc_config *c, const struct entry *e);

/* check.c: faults of a finished tree, entries taken in @order */
void check_tree(struct loader *ld, const lkc_menu *order);
/* check.c: members of choices that are errors, not mere faults */
void check_choices(struct loader *ld);
/* check.c: bools that are compared with m, properties taken in @order */
void check_m_tests(struct loader *ld, const uint32_t *order);

/* graph.c: units, their order, readers; finds recursive dependencies */
void graph_build(struct loader *ld);

/* recursion.c: tells of loops of dependencies; returns how many conf sees */
uint32_t recursion_report(struct loader *ld);

#endif
