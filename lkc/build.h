/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * build - how the parser builds a tree
 *
 * The parser reads top to bottom and calls these in that order. There is a
 * current entry, to which attributes are added, and a stack of open blocks.
 * Nothing returns an error: the first failure is kept in loader.err, after
 * which the calls are harmless and do nothing; the parser looks at it now and
 * then. Faults of the input become diagnostics.
 */
#ifndef LKC_BUILD_H
#define LKC_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include <lkc/lkc.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "diag.h"

struct preproc;
struct probes;

/* Dialects in order of age: "at least 6.12" is a comparison. */
enum dialect {
	DIALECT_4_11,
	DIALECT_6_1,
	DIALECT_6_12,
	DIALECT_7_2,
};

/* Part of a file: byte offsets, the end exclusive. Lines are counted later. */
struct span {
	uint32_t file;
	uint32_t start, end;
};

#define NO_SPAN ((struct span){ UINT32_MAX, 0, 0 })

/* A comparison of @sym with m, as written. conf remarks on it for a bool. */
struct m_test {
	lkc_sym sym;
	enum lkc_op op;		/* = or != */
	uint32_t owner;		/* a property, or an entry */
};

enum m_test_where {
	M_TEST_PROP,		/* a property's condition */
	M_TEST_DEPENDS,		/* what an entry depends on */
	M_TEST_VISIBLE,		/* "visible if" of an entry */
	M_TEST_PENDING,		/* just read: where is not known yet */
	N_M_TESTS,
};

struct m_tests {
	VEC(struct m_test);	/* by owner, then as written */
};

struct loader {
	struct lkc_tree *tree;
	struct lkc_diags *diags;
	const struct lkc_load_options *opt;
	enum dialect dialect;
	struct preproc *pp;
	struct probes *probes;
	const char *kconfig;		/* the first file */
	bool ahead;			/* only to see what commands there are */
	int err;			/* sticky: an enum lkc_err */
	lkc_menu entry;			/* current entry, or LKC_NONE */
	lkc_menu parent;		/* innermost open block */
	struct m_tests m_tests[N_M_TESTS];
};

/* ---- files: build.c keeps the texts, for places and help ---------------- */

/*
 * Registers one reading of a file under the name that messages use; @text
 * (malloc()ed, NUL terminated) becomes the tree's. @from: the source statement,
 * or NO_SPAN for the first file. Returns the file's number, or UINT32_MAX.
 */
uint32_t build_file(struct loader *ld, const char *name, char *text,
		    uint32_t len, struct span from);
/*
 * Reads all files once more, or rather before their time, so that the commands
 * in them run ahead.
 */
void build_look_ahead(struct loader *ld);
/* Feeds @len bytes at @p into the tree's hash (shell results, for example). */
void build_hash(struct loader *ld, const void *p, size_t len);
/* Resolves the start of @span. */
struct diag_place build_place(const struct lkc_tree *tree, struct span span);
/* Adds a diagnostic about @span (NO_SPAN: no place). */
__attribute__((format(printf, 6, 7)))
void build_diag(struct loader *ld, enum lkc_severity severity,
		enum diag_code code, enum diag_form form, struct span span,
		const char *fmt, ...);

/* ---- symbols and expressions -------------------------------------------- */

/* An unquoted word in an expression: the symbol (y, m, n: the constants). */
lkc_sym build_symbol(struct loader *ld, const char *name, size_t len);
/* A quoted word: a constant ("y", "m", "n": the tristate constants). */
lkc_sym build_const(struct loader *ld, const char *text, size_t len);
lkc_expr build_expr_sym(struct loader *ld, lkc_sym sym);
lkc_expr build_expr_not(struct loader *ld, lkc_expr e);
lkc_expr build_expr_and(struct loader *ld, lkc_expr a, lkc_expr b);
lkc_expr build_expr_or(struct loader *ld, lkc_expr a, lkc_expr b);
/* @op: one of the six comparisons. */
lkc_expr build_expr_cmp(struct loader *ld, enum lkc_op op, lkc_sym a,
			lkc_sym b);

/* The expression just read is a value. What is wrong in it no one remarks on. */
void build_value(struct loader *ld);

/* ---- entries: each becomes the current one ------------------------------ */

void build_mainmenu(struct loader *ld, const char *text, struct span span);
void build_config(struct loader *ld, lkc_sym sym, bool menuconfig,
		  struct span span);
void build_comment(struct loader *ld, const char *text, struct span span);
void build_menu(struct loader *ld, const char *text, struct span span);
/*
 * @name: of @len bytes, NULL for an unnamed one. Names of choices are apart from
 * those of symbols: an expression cannot mean a choice.
 */
void build_choice(struct loader *ld, const char *name, size_t len,
		  struct span span);
void build_if(struct loader *ld, lkc_expr cond, struct span span);

/* What follows stands inside the current entry (menu, choice, if). */
void build_open(struct loader *ld);
/* Ends the innermost block. */
void build_close(struct loader *ld);
/* The kind of the innermost open block; LKC_ENTRY_MENU for the root. */
enum lkc_entry_kind build_block(const struct loader *ld);

/* ---- attributes of the current entry ------------------------------------ */
/* @cond: LKC_NONE where there is no "if". Texts are copied. */

void build_type(struct loader *ld, enum lkc_type type, struct span span);
void build_prompt(struct loader *ld, const char *text, lkc_expr cond,
		  struct span span);
/* The current entry: has it a prompt, its symbol's type so far, its statement. */
bool build_has_prompt(const struct loader *ld);
enum lkc_type build_entry_type(const struct loader *ld);
struct span build_entry_span(const struct loader *ld);
void build_default(struct loader *ld, lkc_expr value, lkc_expr cond,
		   struct span span);
/* @cond: only in dialect 7.2, "depends on X if Y". */
void build_depends(struct loader *ld, lkc_expr e, lkc_expr cond,
		   struct span span);
void build_visible(struct loader *ld, lkc_expr e, struct span span);
void build_select(struct loader *ld, lkc_sym target, lkc_expr cond,
		  struct span span);
void build_imply(struct loader *ld, lkc_sym target, lkc_expr cond,
		 struct span span);
void build_range(struct loader *ld, lkc_sym low, lkc_sym high, lkc_expr cond,
		 struct span span);
void build_help(struct loader *ld, const char *text, size_t len,
		struct span span);
/* "modules": this symbol decides whether m exists. */
void build_modules(struct loader *ld, struct span span);
/* "optional" of a choice (4.11, 6.1). */
void build_optional(struct loader *ld, struct span span);
/* "transitional" (7.2). */
void build_transitional(struct loader *ld, struct span span);
/* Dialect 4.11: option env=, defconfig_list, allnoconfig_y. */
void build_option_env(struct loader *ld, const char *name, struct span span);
void build_option_defconfig_list(struct loader *ld, struct span span);
void build_option_allnoconfig_y(struct loader *ld, struct span span);

/* ---- provided by the front end ------------------------------------------ */

/* Parses @name and what it sources (parser.y). Faults are diagnostics. */
void parse_kconfig(struct loader *ld, const char *name);

#endif
