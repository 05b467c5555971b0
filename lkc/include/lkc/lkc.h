/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lkc.h - the public interface of liblkc, a re-entrant Kconfig library
 *
 * Two objects matter:
 *
 * struct lkc_tree    what the Kconfig files say: symbols, menu entries,
 *                    expressions. Never changes after lkc_tree_load(), so any
 *                    number of threads may read it.
 * struct lkc_config  one configuration over a tree: what the user asked for,
 *                    and every value that follows from it. Belongs to one
 *                    thread at a time; several may exist over one tree.
 *
 * Symbols, menu entries and expressions are named by dense 32-bit ids that are
 * valid for the tree that gave them out. LKC_NONE is no id.
 *
 * Functions that can fail return 0 or a negative enum lkc_err and leave the
 * reason in a struct lkc_diags. Results go through out-parameters. Strings
 * returned as "const char *" belong to the tree or the configuration and live
 * as long as it does, except values of a configuration, which live until that
 * symbol changes.
 *
 * The library has no writable globals, prints nothing and never exits.
 */
#ifndef LKC_LKC_H
#define LKC_LKC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lkc_tree;
struct lkc_config;
struct lkc_diags;
struct lkc_txn;

typedef uint32_t lkc_sym;
typedef uint32_t lkc_menu;
typedef uint32_t lkc_expr;

#define LKC_NONE UINT32_MAX

/* ---- errors ------------------------------------------------------------ */

enum lkc_err {
	LKC_OK = 0,
	LKC_ENOMEM = -1,	/* out of memory */
	LKC_EIO = -2,		/* a file cannot be read or written */
	LKC_EPARSE = -3,	/* the Kconfig files or a .config are not valid */
	LKC_EINVAL = -4,	/* an argument makes no sense */
	LKC_ENOENT = -5,	/* no such symbol, entry or file */
	LKC_EREJECTED = -6,	/* at least one request of a transaction failed */
	LKC_ESTATE = -7,	/* not possible in this state of the object */
	LKC_ELIMIT = -8,	/* a documented limit was exceeded */
};

/* A short English description of @err; never NULL. */
const char *lkc_strerror(int err);

/* ---- diagnostics ------------------------------------------------------- */

enum lkc_severity {
	LKC_INFO,	/* output of $(info,...): belongs on stdout */
	LKC_WARNING,
	LKC_ERROR,
};

/*
 * One diagnostic. @code is permanent: it always means the same thing (see
 * lkc_diag_name()). @file is NULL if there is no place; lines and columns
 * count from 1, column 0 means unknown. @text is the message as the kernel's
 * conf words it where it has one, without place and severity. @full is the
 * complete line(s) as conf prints them, without the last newline.
 * @source is the source line, or NULL.
 */
struct lkc_diag {
	enum lkc_severity severity;
	int code;
	const char *file;
	uint32_t line;
	uint32_t column;
	const char *text;
	const char *full;
	const char *source;
};

/* An empty list, or NULL when out of memory. Free with lkc_diags_free(). */
struct lkc_diags *lkc_diags_new(void);
void lkc_diags_free(struct lkc_diags *d);
size_t lkc_diags_count(const struct lkc_diags *d);
size_t lkc_diags_errors(const struct lkc_diags *d);
/* Diagnostic @i in order of appearance; belongs to the list. */
const struct lkc_diag *lkc_diags_get(const struct lkc_diags *d, size_t i);
/* Forgets all diagnostics. */
void lkc_diags_clear(struct lkc_diags *d);
/* The permanent name of a diagnostic code, such as "unknown-symbol". */
const char *lkc_diag_name(int code);

/* ---- values ------------------------------------------------------------ */

enum lkc_tri { LKC_NO = 0, LKC_MOD = 1, LKC_YES = 2 };

enum lkc_type {
	LKC_UNKNOWN,	/* referenced but never defined, or defined untyped */
	LKC_BOOL,
	LKC_TRISTATE,
	LKC_INT,
	LKC_HEX,
	LKC_STRING,
};

/* "bool", "tristate", "int", "hex", "string" or "unknown". */
const char *lkc_type_name(enum lkc_type type);

/* Where a value comes from. */
enum lkc_origin {
	LKC_ORIGIN_UNSET,	/* no source at all: n, or the empty string */
	LKC_ORIGIN_USER,	/* the user's value holds (perhaps limited) */
	LKC_ORIGIN_DEFAULT,	/* a default */
	LKC_ORIGIN_SELECT,	/* raised by a select */
	LKC_ORIGIN_IMPLY,	/* raised by an imply */
	LKC_ORIGIN_CHOICE,	/* decided by the choice it belongs to */
};

/* "unset", "user", "default", "select", "imply", "choice". */
const char *lkc_origin_name(enum lkc_origin origin);

/* ---- loading a tree ---------------------------------------------------- */

struct lkc_load_options {
	/*
	 * "4.11", "6.1", "6.12", "7.2" or another version, which goes to the
	 * nearest dialect below; NULL: KCONFIG_DIALECT of the environment,
	 * else KERNELVERSION, else $srctree/Makefile, else the newest.
	 */
	const char *dialect;
	/*
	 * The environment as NAME=value strings, NULL terminated: what
	 * $(NAME) reads and what $(shell,...) commands are run with. NULL: an
	 * empty environment.
	 */
	const char *const *env;
	/* $(shell,...) expands to nothing and a warning says so. */
	bool no_shell;
	/*
	 * A file in which the results of $(shell,...) commands are kept from one
	 * load to the next, as far as it can be seen that they would be the same
	 * again; NULL: none. See lkc_probe_cache_path().
	 */
	const char *probe_cache;
	/*
	 * How many commands that change nothing may run at once; 0: as many as
	 * there are processors. With 1, each runs when its turn comes.
	 */
	unsigned int jobs;
};

/*
 * The dialect that lkc_tree_load() takes with @opt, such as "6.12"; NULL if it
 * has a name that is none. Never to be freed.
 */
const char *lkc_find_dialect(const struct lkc_load_options *opt);

/*
 * Parses @kconfig (looked up in the current directory, then in $srctree) and
 * all it sources, and builds the graph. On success *@tree must be freed with
 * lkc_tree_free(). Appends to @diags, which may already hold others.
 * LKC_EPARSE: the files have errors, all of them are in @diags.
 */
int lkc_tree_load(const char *kconfig, const struct lkc_load_options *opt,
		  struct lkc_tree **tree, struct lkc_diags *diags);
void lkc_tree_free(struct lkc_tree *tree);

/*
 * $XDG_CACHE_HOME/kconfig-agent/probes, or the same below $HOME/.cache; @env is as
 * in struct lkc_load_options. To be freed; NULL if neither is set.
 */
char *lkc_probe_cache_path(const char *const *env);

struct lkc_probe_stats {
	unsigned int run;	/* commands that were run */
	unsigned int cached;	/* results that came from the cache */
};

void lkc_tree_probe_stats(const struct lkc_tree *tree,
			  struct lkc_probe_stats *stats);

/* The dialect in force, as a version string such as "6.12". */
const char *lkc_tree_dialect(const struct lkc_tree *tree);
/* True if that dialect is version @major.@minor or newer. */
bool lkc_tree_at_least(const struct lkc_tree *tree, unsigned int major,
		       unsigned int minor);
/* The text of mainmenu, expanded. */
const char *lkc_tree_title(const struct lkc_tree *tree);
/* Value of the environment the tree was loaded with, or NULL. */
const char *lkc_tree_getenv(const struct lkc_tree *tree, const char *name);
/* A 64-bit hash over all Kconfig text read and all shell results. */
uint64_t lkc_tree_hash(const struct lkc_tree *tree);
/* Number of files read, and the name of file @i as it was sourced. */
size_t lkc_tree_files(const struct lkc_tree *tree);
const char *lkc_tree_file(const struct lkc_tree *tree, size_t i);

/* ---- symbols ----------------------------------------------------------- */

struct lkc_place {
	const char *file;
	uint32_t line;
	uint32_t column;
};

/*
 * Number of symbol ids. Ids from 0 to n-1 include constants, choices and names
 * that are referenced but never defined: see lkc_sym_is_config().
 */
size_t lkc_sym_count(const struct lkc_tree *tree);
/* The symbol called @name (no CONFIG_), or LKC_NONE. */
lkc_sym lkc_sym_find(const struct lkc_tree *tree, const char *name);
/* The name, or NULL for an unnamed choice. */
const char *lkc_sym_name(const struct lkc_tree *tree, lkc_sym sym);
enum lkc_type lkc_sym_type(const struct lkc_tree *tree, lkc_sym sym);
/* True if a config or menuconfig entry defines it. */
bool lkc_sym_is_config(const struct lkc_tree *tree, lkc_sym sym);
bool lkc_sym_is_choice(const struct lkc_tree *tree, lkc_sym sym);
bool lkc_sym_is_const(const struct lkc_tree *tree, lkc_sym sym);
/* The choice that @sym is a member of, or LKC_NONE. */
lkc_sym lkc_sym_choice(const struct lkc_tree *tree, lkc_sym sym);
/* Members of @choice: their number, and member @i in order of definition. */
size_t lkc_choice_members(const struct lkc_tree *tree, lkc_sym choice);
lkc_sym lkc_choice_member(const struct lkc_tree *tree, lkc_sym choice,
			  size_t i);
/* Menu entries that define @sym: their number, and entry @i. */
size_t lkc_sym_entries(const struct lkc_tree *tree, lkc_sym sym);
lkc_menu lkc_sym_entry(const struct lkc_tree *tree, lkc_sym sym, size_t i);
/* The first prompt's text, or NULL if it has none anywhere. */
const char *lkc_sym_prompt(const struct lkc_tree *tree, lkc_sym sym);
/* The first help text, or NULL. */
const char *lkc_sym_help(const struct lkc_tree *tree, lkc_sym sym);
/* Where it is first defined; false if nowhere. */
bool lkc_sym_place(const struct lkc_tree *tree, lkc_sym sym,
		   struct lkc_place *place);
/* Its direct dependencies: the OR over all its definitions. */
lkc_expr lkc_sym_depends(const struct lkc_tree *tree, lkc_sym sym);
/* The OR of its prompts' conditions; constant n if it has no prompt. */
lkc_expr lkc_sym_prompt_cond(const struct lkc_tree *tree, lkc_sym sym);

/* A select, imply, default or range of a symbol. */
enum lkc_prop_kind {
	LKC_PROP_SELECT,	/* @sym selects @target if @cond */
	LKC_PROP_IMPLY,		/* @sym implies @target if @cond */
	LKC_PROP_DEFAULT,	/* @sym defaults to @value if @cond */
	LKC_PROP_RANGE,		/* @low to @high if @cond */
};

struct lkc_prop {
	enum lkc_prop_kind kind;
	lkc_sym sym;		/* the symbol that has the property */
	lkc_sym target;		/* of select and imply, else LKC_NONE */
	lkc_expr value;		/* of default, else LKC_NONE */
	lkc_sym low, high;	/* of range, else LKC_NONE */
	lkc_expr cond;		/* whole condition, enclosing ones included */
	struct lkc_place place;
};

/* Properties of @sym in order of definition: their number, and number @i. */
size_t lkc_sym_props(const struct lkc_tree *tree, lkc_sym sym);
void lkc_sym_prop(const struct lkc_tree *tree, lkc_sym sym, size_t i,
		  struct lkc_prop *prop);
/* Selects and implies that aim at @sym: their number, and number @i. */
size_t lkc_sym_reverse(const struct lkc_tree *tree, lkc_sym sym);
void lkc_sym_reverse_prop(const struct lkc_tree *tree, lkc_sym sym, size_t i,
			  struct lkc_prop *prop);

/*
 * Fills @out with up to @max defined symbols whose names are nearest to @name
 * (edit distance, then order of definition); returns how many.
 */
size_t lkc_sym_nearest(const struct lkc_tree *tree, const char *name,
		       lkc_sym *out, size_t max);

/* ---- menu entries ------------------------------------------------------ */

enum lkc_entry_kind {
	LKC_ENTRY_MENU,		/* a menu, or the root */
	LKC_ENTRY_SYMBOL,	/* config */
	LKC_ENTRY_MENUCONFIG,	/* menuconfig */
	LKC_ENTRY_CHOICE,
	LKC_ENTRY_COMMENT,
	LKC_ENTRY_IF,
};

/* The root entry. */
lkc_menu lkc_menu_root(const struct lkc_tree *tree);
size_t lkc_menu_count(const struct lkc_tree *tree);
enum lkc_entry_kind lkc_menu_kind(const struct lkc_tree *tree, lkc_menu m);
/*
 * Neighbours after automatic submenus are made (entries that depend on the
 * entry before them become its children, "if" blocks without a prompt are
 * transparent); LKC_NONE if there is none.
 */
lkc_menu lkc_menu_parent(const struct lkc_tree *tree, lkc_menu m);
lkc_menu lkc_menu_child(const struct lkc_tree *tree, lkc_menu m);
lkc_menu lkc_menu_next(const struct lkc_tree *tree, lkc_menu m);
/* The symbol or choice it defines, or LKC_NONE. */
lkc_sym lkc_menu_sym(const struct lkc_tree *tree, lkc_menu m);
/* The prompt, or NULL. */
const char *lkc_menu_prompt(const struct lkc_tree *tree, lkc_menu m);
/* The help text, or NULL. */
const char *lkc_menu_help(const struct lkc_tree *tree, lkc_menu m);
void lkc_menu_place(const struct lkc_tree *tree, lkc_menu m,
		    struct lkc_place *place);
/* Condition under which it is shown; LKC_NONE if it has no prompt. */
lkc_expr lkc_menu_cond(const struct lkc_tree *tree, lkc_menu m);
/* What it depends on, whether it has a prompt or not. */
lkc_expr lkc_menu_depends(const struct lkc_tree *tree, lkc_menu m);
/* True if it has a prompt that is visible in @c. */
bool lkc_menu_visible(const struct lkc_config *c, lkc_menu m);

/* ---- expressions ------------------------------------------------------- */

enum lkc_op {
	LKC_OP_SYM,	/* lkc_expr_sym() */
	LKC_OP_NOT,	/* lkc_expr_left() */
	LKC_OP_AND,	/* left, right */
	LKC_OP_OR,
	LKC_OP_EQ,	/* the six comparisons: symbols lkc_expr_lsym/rsym */
	LKC_OP_NE,
	LKC_OP_LT,
	LKC_OP_LE,
	LKC_OP_GT,
	LKC_OP_GE,
};

enum lkc_op lkc_expr_op(const struct lkc_tree *tree, lkc_expr e);
lkc_expr lkc_expr_left(const struct lkc_tree *tree, lkc_expr e);
lkc_expr lkc_expr_right(const struct lkc_tree *tree, lkc_expr e);
/* Symbol of LKC_OP_SYM; left and right symbols of a comparison. */
lkc_sym lkc_expr_sym(const struct lkc_tree *tree, lkc_expr e);
lkc_sym lkc_expr_rsym(const struct lkc_tree *tree, lkc_expr e);
/* The value in @c. */
enum lkc_tri lkc_expr_value(const struct lkc_config *c, lkc_expr e);
/* True if @e is the constant @v whatever the configuration. */
bool lkc_expr_is_const(const struct lkc_tree *tree, lkc_expr e,
		       enum lkc_tri v);
/*
 * Text of @e, as Kconfig writes it; with @c, each symbol is followed by
 * " [=value]". To be freed with free(); NULL when out of memory.
 */
char *lkc_expr_text(const struct lkc_tree *tree, lkc_expr e,
		    const struct lkc_config *c);
/* The same for a symbol alone. */
char *lkc_sym_text(const struct lkc_tree *tree, lkc_sym sym,
		   const struct lkc_config *c);
/* Both as the kernel's conf writes them, which leaves out quotation marks. */
char *lkc_expr_conf_text(const struct lkc_config *c, lkc_expr e);
char *lkc_sym_conf_text(const struct lkc_config *c, lkc_sym sym);

/* ---- configurations ---------------------------------------------------- */

/* A configuration with no user values, evaluated. */
int lkc_config_new(const struct lkc_tree *tree, struct lkc_config **out);
/* A copy, independent from then on. */
int lkc_config_clone(const struct lkc_config *c, struct lkc_config **out);
void lkc_config_free(struct lkc_config *c);
const struct lkc_tree *lkc_config_tree(const struct lkc_config *c);

enum lkc_read_flags {
	/* Keep user values already there; later ones win. */
	LKC_READ_ADD = 1 << 0,
	/*
	 * As all*config reads what it starts from: before 6.12, a number out
	 * of range is then not forgotten, but limited.
	 */
	LKC_READ_SEED = 1 << 1,
};

/*
 * Reads a .config, a defconfig or a fragment; what it says become user values,
 * and all is evaluated again. Lines that cannot be used are warnings in
 * @diags, in conf's words. LKC_EIO if the file cannot be read. When out of
 * memory, part of it may have been read. LKC_ESTATE in a transaction.
 */
int lkc_config_read(struct lkc_config *c, const char *path, unsigned int flags,
		    struct lkc_diags *diags);
/* The same for @len bytes in memory; @name stands in diagnostics. */
int lkc_config_read_mem(struct lkc_config *c, const char *name,
			const char *text, size_t len, unsigned int flags,
			struct lkc_diags *diags);

enum lkc_set_all {
	LKC_ALL_DEF,	/* alldefconfig: leave it all to the defaults */
	LKC_ALL_NO,
	LKC_ALL_MOD,
	LKC_ALL_YES,
};

/* Gives every symbol without a user value one, as all*config does. */
int lkc_config_set_all(struct lkc_config *c, enum lkc_set_all mode);

/* Lots to draw, and how many of a hundred win. */
struct lkc_lots {
	int (*draw)(void *ctx);		/* a number, not negative */
	void *ctx;
	int bool_y;			/* y, for a bool */
	int tri_y, tri_m;		/* y and m, for a tristate */
};

/*
 * Gives every symbol without a user value a random one, as randconfig does:
 * with glibc's rand() as @lots->draw, the same as conf for the same seed.
 */
int lkc_config_set_random(struct lkc_config *c, const struct lkc_lots *lots);

/*
 * Gives every tristate symbol for which the user has asked @from the user
 * value @to, as yes2modconfig, mod2yesconfig and mod2noconfig do.
 */
int lkc_config_rewrite(struct lkc_config *c, enum lkc_tri from,
		       enum lkc_tri to);

/* ---- asking, as oldconfig does ------------------------------------------ */

/*
 * What conf does after reading a .config before it asks: it finds out whether
 * the one that it would write says something else, which makes the
 * configuration a changed one, and is the result; if not, user values of what
 * is not visible are forgotten; should it become visible, it is new. Values
 * stay as they are until the next change.
 */
bool lkc_config_finish_read(struct lkc_config *c);
/* True if the user has not said anything of @sym, a choice included. */
bool lkc_value_new(const struct lkc_config *c, lkc_sym sym);
/*
 * Makes the bool or tristate @sym, which is not visible, one that is not new.
 * Before 6.12 conf does so to what it shows for the sake of what is below it;
 * from the next change on, its user value is n.
 */
void lkc_value_make_old(struct lkc_config *c, lkc_sym sym);
/* True if the user may set the bool or tristate @sym to @v. */
bool lkc_value_possible(const struct lkc_config *c, lkc_sym sym,
			enum lkc_tri v);
/*
 * Sets one user value as an answer to conf's question does: y for a member of
 * a choice chooses it, a hexadecimal number gets its 0x. Returns 1 if conf
 * would compute all values anew for that, 0 if nothing else changes, and
 * LKC_EREJECTED if it would not take the answer.
 */
int lkc_config_answer_tri(struct lkc_config *c, lkc_sym sym, enum lkc_tri v);
int lkc_config_answer_text(struct lkc_config *c, lkc_sym sym, const char *s);

/* ---- values of a configuration ------------------------------------------ */

/* The symbol's value: "y", "m", "n", a literal, or "" */
const char *lkc_value(const struct lkc_config *c, lkc_sym sym);
/* Value of a bool, tristate or choice; LKC_NO for others. */
enum lkc_tri lkc_value_tri(const struct lkc_config *c, lkc_sym sym);
/* Upper limit for a user value: n means invisible. */
enum lkc_tri lkc_visibility(const struct lkc_config *c, lkc_sym sym);
/* Lower limit: what select forces it to. */
enum lkc_tri lkc_selected(const struct lkc_config *c, lkc_sym sym);
/* Value of its direct dependencies. */
enum lkc_tri lkc_depends(const struct lkc_config *c, lkc_sym sym);
enum lkc_origin lkc_value_origin(const struct lkc_config *c, lkc_sym sym);
/* True if it stands in the written .config (as a value or as "not set"). */
bool lkc_value_written(const struct lkc_config *c, lkc_sym sym);
/* What the user asked for, or NULL: it may differ from the value. */
const char *lkc_user_value(const struct lkc_config *c, lkc_sym sym);
/* The chosen member of a choice, or LKC_NONE. */
lkc_sym lkc_choice_winner(const struct lkc_config *c, lkc_sym choice);
/*
 * The range in force for an int or hex symbol: true if there is one, with its
 * bounds as numbers and where it is set.
 */
bool lkc_range(const struct lkc_config *c, lkc_sym sym, int64_t *low,
	       int64_t *high, struct lkc_place *place);
/*
 * The value that @sym would have if the user had set nothing for it and
 * nothing selected it: what savedefconfig compares with. To be freed.
 */
char *lkc_default_value(const struct lkc_config *c, lkc_sym sym);

/*
 * The selects (or implies, by @kind) that aim at @sym and amount to @level, as
 * conf lists them: lines of "  - SYM [=y] && CONDITION\n". To be freed with
 * free(); NULL when out of memory.
 */
char *lkc_reverse_text(const struct lkc_config *c, lkc_sym sym,
		       enum lkc_prop_kind kind, enum lkc_tri level);

/*
 * Appends the warnings that conf gives for this configuration (selects whose
 * target has unmet dependencies) to @diags, in the order in which it does when
 * it has read a .config.
 */
int lkc_config_warnings(const struct lkc_config *c, struct lkc_diags *diags);

/*
 * The same, one by one. conf warns of a symbol when it computes it: when it is
 * asked for, after all it depends on, and again whenever a change made it
 * forget. A warner knows which symbols that is true of; the configuration may
 * change while it lives, and must outlive it.
 */
struct lkc_warner;
int lkc_warner_new(const struct lkc_config *c, struct lkc_warner **out);
void lkc_warner_free(struct lkc_warner *w);
/* Nothing has been computed, from now on; conf begins anew with MODULES. */
int lkc_warner_forget(struct lkc_warner *w, struct lkc_diags *diags);
/* Has @sym computed, and warns of it and of all that this takes. */
int lkc_warner_sym(struct lkc_warner *w, lkc_sym sym, struct lkc_diags *diags);
/* The same for what the visibility of a menu or comment takes. */
int lkc_warner_menu(struct lkc_warner *w, lkc_menu m, struct lkc_diags *diags);
/* Has all symbols computed in the order that conf keeps them in. */
int lkc_warner_all(struct lkc_warner *w, struct lkc_diags *diags);

enum lkc_format {
	LKC_FORMAT_CONFIG,	/* a .config */
	LKC_FORMAT_DEFCONFIG,	/* the minimal form of savedefconfig */
	LKC_FORMAT_AUTO_CONF,	/* include/config/auto.conf, for make */
	LKC_FORMAT_AUTO_HEADER,	/* include/generated/autoconf.h, for C */
	LKC_FORMAT_RUSTC_CFG,	/* include/generated/rustc_cfg, for Rust */
	LKC_FORMAT_TRISTATE_CONF, /* include/config/tristate.conf, until 5.x */
};

/* The file's bytes; *@text is NUL terminated and to be freed with free(). */
int lkc_config_format(const struct lkc_config *c, enum lkc_format format,
		      char **text, size_t *len);

/*
 * The same for auto.conf.cmd, which makes the file @auto_conf depend on the
 * Kconfig files and on the environment variables that were read.
 */
int lkc_tree_format_cmd(const struct lkc_tree *tree, const char *auto_conf,
			char **text, size_t *len);

/*
 * Calls @touch for each symbol, by name, whose value differs from what @old
 * says: the @len bytes of an earlier auto.conf. Names that are in it and no
 * symbols any more are among them.
 */
int lkc_config_changes(const struct lkc_config *c, const char *old, size_t len,
		       void (*touch)(void *ctx, const char *name), void *ctx);

enum lkc_write_result {
	LKC_WRITTEN = 0,
	LKC_UNCHANGED = 1,	/* the file already had these bytes */
};

/*
 * Writes @len bytes of @text to @path atomically (temporary file, fsync,
 * rename), keeping what was there as @path.old if @backup. Nothing is touched
 * if the file has these bytes already. Returns an lkc_write_result or an error.
 */
int lkc_file_replace(const char *path, const char *text, size_t len,
		     bool backup, struct lkc_diags *diags);

/* ---- transactions ------------------------------------------------------ */

/* What became of a request. One per request, always. */
enum lkc_verdict {
	LKC_V_PENDING,		/* not judged yet */
	LKC_V_ACCEPTED,		/* it holds, and did not before */
	LKC_V_ALREADY,		/* it had that value */
	LKC_V_UNKNOWN,		/* no such symbol */
	LKC_V_INVISIBLE,	/* a condition is unmet */
	LKC_V_PINNED,		/* a select forces it higher */
	LKC_V_OUT_OF_RANGE,
	LKC_V_CHOICE_CONFLICT,	/* another member of the choice wins */
	LKC_V_PROMPTLESS,	/* no prompt: only others can set it */
	LKC_V_TYPE,		/* the value does not fit the type */
	LKC_V_CLOBBERED,	/* held alone, unmade by another request */
};

/* "accepted", "already", "unknown", "invisible", "pinned", ... */
const char *lkc_verdict_name(enum lkc_verdict v);
/* True for the verdicts under which the request holds. */
bool lkc_verdict_holds(enum lkc_verdict v);

/* A request of a transaction and its verdict. */
struct lkc_request {
	lkc_sym sym;		/* LKC_NONE for LKC_V_UNKNOWN */
	const char *name;	/* as given, without CONFIG_ */
	const char *want;	/* as given */
	const char *before;	/* value when the transaction began */
	const char *got;	/* value now, "" for LKC_V_UNKNOWN */
	enum lkc_verdict verdict;
	/*
	 * Why, in a sentence or more, with the values of the symbols involved
	 * and their places; "" for accepted and already.
	 */
	const char *reason;
	lkc_expr unmet;		/* LKC_V_INVISIBLE: the condition, or LKC_NONE */
	lkc_sym other;		/* winner, selector or clobberer, or LKC_NONE */
};

/* A symbol whose value differs from before the transaction. */
struct lkc_change {
	lkc_sym sym;
	const char *before;
	const char *after;
	/* Index of the request for this symbol, or -1 if it is derived. */
	int request;
	/*
	 * The user had asked for the value that it loses. That a select raises
	 * what the user had at n or m is no loss.
	 */
	bool lost;
	/* A symbol whose change explains this one, or LKC_NONE. */
	lkc_sym cause;
	enum lkc_origin origin;	/* of the value it has now */
};

/*
 * Begins a transaction on @c. There may be one open transaction per level:
 * a transaction begun while another is open nests in it (a savepoint), and
 * must end first. What it commits holds over the requests of the outer one,
 * and goes if that is aborted. Values are visible through @c as soon as
 * lkc_txn_prepare() returns.
 */
int lkc_txn_begin(struct lkc_config *c, struct lkc_txn **txn);
/*
 * Adds a request. @name may be anything, CONFIG_ in front included; @value is
 * "y", "m", "n" or a literal; NULL means "forget the user's value". Never
 * fails because of what they say: that is the verdict's matter.
 * Returns the request's index or a negative error.
 */
int lkc_txn_set(struct lkc_txn *txn, const char *name, const char *value);
/*
 * Applies all requests as a set (not a sequence), evaluates, and judges every
 * one. May be called again after more requests. Returns 0 if all hold, else
 * LKC_EREJECTED.
 */
int lkc_txn_prepare(struct lkc_txn *txn);
size_t lkc_txn_requests(const struct lkc_txn *txn);
const struct lkc_request *lkc_txn_request(const struct lkc_txn *txn, size_t i);
/* Symbols whose value changed, in symbol order. Valid after prepare. */
size_t lkc_txn_changes(const struct lkc_txn *txn);
const struct lkc_change *lkc_txn_change(const struct lkc_txn *txn, size_t i);
/*
 * Withdraws the requests that do not hold, so that their user values do not
 * linger, and judges the rest again until all that remain hold. Verdicts of
 * withdrawn requests are kept.
 */
int lkc_txn_drop_rejected(struct lkc_txn *txn);
/* Keeps the effect and frees the transaction. Prepares first if needed. */
int lkc_txn_commit(struct lkc_txn *txn);
/* Restores every value and frees the transaction. */
void lkc_txn_abort(struct lkc_txn *txn);

/* ---- explanations ------------------------------------------------------ */

/*
 * Why @sym has its value, in sentences for people, with places. To be freed
 * with free(); NULL when out of memory.
 */
char *lkc_explain(const struct lkc_config *c, lkc_sym sym);

/* What a node of an explanation is about. */
enum lkc_why_kind {
	LKC_WHY_VALUE,		/* the value that is explained */
	LKC_WHY_USER,		/* the configuration asks for it */
	LKC_WHY_DEFAULT,	/* a default, or that none applies */
	LKC_WHY_SELECT,		/* a select that is in force, or could be */
	LKC_WHY_IMPLY,
	LKC_WHY_CHOICE,		/* which member a choice has */
	LKC_WHY_RANGE,
	LKC_WHY_ASKED,		/* what is asked for and not in force */
	LKC_WHY_UNMET,		/* a condition that does not hold */
	LKC_WHY_PROMPTLESS,	/* nobody can be asked for it */
	LKC_WHY_PROBE,		/* $(shell,...) has decided it */
	LKC_WHY_FREE,		/* nothing stands in the way */
};

/* "value", "user", "default", ... */
const char *lkc_why_kind_name(enum lkc_why_kind kind);

/* Nodes are in the order of a tree that is printed from the top. */
struct lkc_why_node {
	unsigned int depth;	/* one more than that of the node it explains */
	enum lkc_why_kind kind;
	lkc_sym sym;		/* that it is about, or LKC_NONE */
	const char *text;	/* one line, without the place */
	struct lkc_place place;	/* file is NULL if there is none */
};

struct lkc_why;

/*
 * Explains the value of @sym, and what decides that in turn, some levels down:
 * the first node is the value. *@out is to be freed with lkc_why_free(), before
 * the tree.
 */
int lkc_why(const struct lkc_config *c, lkc_sym sym, struct lkc_why **out);
/* The same for what keeps the bool or tristate @sym from being @want. */
int lkc_why_not(const struct lkc_config *c, lkc_sym sym, enum lkc_tri want,
		struct lkc_why **out);
size_t lkc_why_nodes(const struct lkc_why *w);
const struct lkc_why_node *lkc_why_node(const struct lkc_why *w, size_t i);
void lkc_why_free(struct lkc_why *w);

/*
 * The part of @e that keeps it below @want, with the values and places of the
 * symbols in it: "needs PCI=y (now n, drivers/pci/Kconfig:20) and ...". To be
 * freed with free(); "" if nothing does; NULL when out of memory.
 */
char *lkc_unmet_text(const struct lkc_config *c, lkc_expr e,
		     enum lkc_tri want);

/* ---- repairs ----------------------------------------------------------- */

struct lkc_repairs;

/* A request: @value is "y", "m", "n" or a literal; CONFIG_ may be in front. */
struct lkc_want {
	const char *name;
	const char *value;
};

struct lkc_resolve_options {
	/*
	 * Symbols that must keep both what the user asked for and the value
	 * they have. May be NULL.
	 */
	const lkc_sym *locked;
	size_t n_locked;
	/* Most answers to return; 0: 5. */
	size_t max_answers;
	/*
	 * Most changes beyond the requests that an answer may have; 0: 16, and
	 * 4 for each request.
	 */
	size_t max_changes;
	/*
	 * Limit of the search, in propagations of the solver, which go with
	 * the time it takes; 0: a default in the order of seconds.
	 */
	uint64_t max_steps;
	/* Asked now and then: true ends the search. May be NULL. */
	bool (*stop)(void *data);
	void *stop_data;
};

enum lkc_resolution {
	LKC_R_FOUND,		/* there are answers */
	LKC_R_IMPOSSIBLE,	/* the conflict says why */
	LKC_R_UNDECIDED,	/* none was found before a limit was reached */
};

/* One user value of an answer. */
struct lkc_repair_change {
	lkc_sym sym;
	const char *before;	/* its value now */
	const char *to;		/* what to ask for: "y", "m", "n", a literal */
	bool requested;		/* a request itself */
};

/*
 * An answer: after lkc_txn_set() for all @changes in their order, requests
 * first, every one of them holds. That has been tried, not only reckoned.
 */
struct lkc_repair {
	const struct lkc_repair_change *changes;
	size_t n_changes;
	size_t further;		/* of these, the ones that are no requests */
	size_t lowered;		/* further changes that take something away */
	size_t raised_y;	/* further changes to y where m exists */
	size_t derived;		/* other symbols whose values change */
	size_t lost;		/* of these, ones the user had asked for */
};

/* A part of the reason why there is no answer. */
enum lkc_conflict_kind {
	LKC_CONFLICT_REQUEST,	/* a request, or it makes no sense */
	LKC_CONFLICT_LIMIT,	/* dependencies, or the lack of a selector */
	LKC_CONFLICT_FLOOR,	/* a select or default holds it up */
	LKC_CONFLICT_CHOICE,	/* just one member of a choice is y */
	LKC_CONFLICT_RANGE,	/* bounds of a number */
	LKC_CONFLICT_LOCKED,	/* a locked symbol */
};

struct lkc_conflict {
	enum lkc_conflict_kind kind;
	lkc_sym sym;		/* or LKC_NONE for an unknown name */
	const char *text;	/* a sentence with places */
};

/*
 * Finds the smallest sets of further user values under which all @wants hold.
 * Best answers come first: fewest further changes, then fewest that take
 * something away, fewest lost values, m rather than y, fewest derived changes.
 * No answer contains another; user values are changed, never forgotten, and
 * those of ints, hexes and strings are not changed beyond the requests.
 *
 * @c is as before afterwards. @opt may be NULL. On success *@out is to be freed
 * with lkc_repairs_free(), before @c.
 */
int lkc_resolve(struct lkc_config *c, const struct lkc_want *wants, size_t n,
		const struct lkc_resolve_options *opt,
		struct lkc_repairs **out);
void lkc_repairs_free(struct lkc_repairs *r);
enum lkc_resolution lkc_repairs_resolution(const struct lkc_repairs *r);
/*
 * True if it is proved that there is no answer with fewer further changes than
 * the first one has, or no answer at all. It is not if a limit was reached, or
 * if it hangs on a comparison with a number or string, which are taken to be
 * what they are now.
 */
bool lkc_repairs_proved(const struct lkc_repairs *r);
size_t lkc_repairs_count(const struct lkc_repairs *r);
const struct lkc_repair *lkc_repairs_get(const struct lkc_repairs *r, size_t i);
/*
 * LKC_R_IMPOSSIBLE: conditions that cannot all be met, none of which could be
 * left out (unless a limit was reached on the way).
 */
size_t lkc_repairs_conflicts(const struct lkc_repairs *r);
const struct lkc_conflict *lkc_repairs_conflict(const struct lkc_repairs *r,
						size_t i);

#ifdef __cplusplus
}
#endif
#endif /* LKC_LKC_H */
