// SPDX-License-Identifier: GPL-2.0-only
/*
 * build - what the parser says becomes symbols, entries and properties
 *
 * Only collects; menu.c and graph.c make sense of it when all has been read.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* ---- files and places --------------------------------------------------- */

static bool find_lines(struct source_file *f)
{
	struct { VEC(uint32_t); } lines = {0};
	const char *p = f->text, *end = f->text + f->len;

	while (p && vec_push(&lines, p - f->text)) {
		p = memchr(p, '\n', end - p);
		if (p)
			p++;
	}
	f->lines = lines.v;
	f->n_lines = lines.n;
	return !p;
}

uint32_t build_file(struct loader *ld, const char *name, char *text,
		    uint32_t len, struct span from)
{
	struct lkc_tree *t = ld->tree;
	struct source_file f = {
		.name = arena_strdup(&t->arena, name),
		.text = text, .len = len, .from = from,
	};

	if (!f.name || !find_lines(&f) || !vec_push(&t->files, f)) {
		free(f.lines);
		free(text);
		ld->err = LKC_ENOMEM;
		return UINT32_MAX;
	}
	build_hash(ld, name, strlen(name) + 1);
	build_hash(ld, text, len);
	return t->files.n - 1;
}

void build_hash(struct loader *ld, const void *p, size_t len)
{
	ld->tree->hash = hash_text64(ld->tree->hash, p, len);
}

struct diag_place build_place(const struct lkc_tree *tree, struct span span)
{
	const struct source_file *f;
	uint32_t low = 0, high, mid, end;

	if (span.file >= tree->files.n)
		return (struct diag_place){ 0 };
	f = &tree->files.v[span.file];
	if (span.start > f->len)
		span.start = f->len;
	/* the last line that does not begin after it */
	high = f->n_lines;
	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (f->lines[mid] <= span.start)
			low = mid;
		else
			high = mid;
	}
	end = high < f->n_lines ? f->lines[high] - 1 : f->len;
	return (struct diag_place) {
		.file = f->name, .line = low + 1,
		.column = span.start - f->lines[low] + 1,
		.source = f->text + f->lines[low],
		.source_len = end - f->lines[low],
	};
}

void build_diag(struct loader *ld, enum lkc_severity severity,
		enum diag_code code, enum diag_form form, struct span span,
		const char *fmt, ...)
{
	struct diag_place place = build_place(ld->tree, span);
	struct strbuf text = {0};
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	diag_add(ld->diags, severity, code, form, place.file ? &place : NULL,
		 "%s", strbuf_str(&text));
	strbuf_free(&text);
}

/* ---- symbols ------------------------------------------------------------ */

static lkc_sym symbol_new(struct loader *ld, const char *name, size_t len,
			  unsigned int flags)
{
	struct lkc_tree *t = ld->tree;
	struct symbol s = {
		.len = len, .flags = flags, .choice = LKC_NONE,
		.depends = EXPR_N, .prompt_cond = EXPR_N, .unit = UINT32_MAX,
	};

	if (name) {
		s.name = arena_strndup(&t->arena, name, len);
		if (!s.name)
			goto nomem;
	}
	if (!vec_push(&t->syms, s))
		goto nomem;
	return t->syms.n - 1;
nomem:
	ld->err = LKC_ENOMEM;
	return SYM_N;
}

static lkc_sym symbol_intern(struct loader *ld, struct strmap *map,
			     const char *name, size_t len, unsigned int flags)
{
	lkc_sym sym = strmap_get(map, name, len);

	if (sym != UINT32_MAX || ld->err)
		return sym == UINT32_MAX ? SYM_N : sym;
	sym = symbol_new(ld, name, len, flags);
	if (!ld->err &&
	    !strmap_add(map, ld->tree->syms.v[sym].name, len, sym))
		ld->err = LKC_ENOMEM;
	return sym;
}

lkc_sym build_symbol(struct loader *ld, const char *name, size_t len)
{
	return symbol_intern(ld, &ld->tree->names, name, len, 0);
}

lkc_sym build_const(struct loader *ld, const char *text, size_t len)
{
	return symbol_intern(ld, &ld->tree->consts, text, len, SYMBOL_CONST);
}

void build_init(struct loader *ld)
{
	static const char *const names[] = { "n", "m", "y" };
	struct lkc_tree *t = ld->tree;
	lkc_sym i;

	for (i = SYM_N; i <= SYM_Y && !ld->err; i++) {
		build_const(ld, names[i], 1);
		if (ld->err)
			return;
		t->syms.v[i].type = LKC_TRISTATE;
		if (!strmap_add(&t->names, t->syms.v[i].name, 1, i))
			ld->err = LKC_ENOMEM;
	}
	expr_init(ld);
	t->modules = LKC_NONE;
	t->defconfig_sym = LKC_NONE;
}

/* ---- comparisons with m ------------------------------------------------- */

lkc_expr build_expr_cmp(struct loader *ld, enum lkc_op op, lkc_sym a,
			lkc_sym b)
{
	struct m_test test = { .sym = a, .op = op };

	if (b == SYM_M && (op == LKC_OP_EQ || op == LKC_OP_NE) && !ld->err &&
	    !vec_push(&ld->m_tests[M_TEST_PENDING], test))
		ld->err = LKC_ENOMEM;
	return expr_make(ld, op, a, b);
}

void build_value(struct loader *ld)
{
	ld->m_tests[M_TEST_PENDING].n = 0;
}

/* Those read since the last time belong to @owner. */
static void own_m_tests(struct loader *ld, enum m_test_where where,
			uint32_t owner)
{
	struct m_tests *pending = &ld->m_tests[M_TEST_PENDING];
	uint32_t i;

	for (i = 0; i < pending->n; i++) {
		pending->v[i].owner = owner;
		if (!vec_push(&ld->m_tests[where], pending->v[i]))
			ld->err = LKC_ENOMEM;
	}
	pending->n = 0;
}

void build_free(struct loader *ld)
{
	int i;

	for (i = 0; i < N_M_TESTS; i++)
		vec_free(&ld->m_tests[i]);
}

static lkc_expr written(lkc_expr e)
{
	return e == EXPR_Y ? EXPR_WRITTEN_Y : e;
}

/* ---- entries ------------------------------------------------------------- */

static struct entry *entry_new(struct loader *ld, enum lkc_entry_kind kind,
			       lkc_sym sym, struct span span)
{
	struct lkc_tree *t = ld->tree;
	struct entry e = {
		.kind = kind, .sym = sym, .block = ld->parent,
		.parent = LKC_NONE, .child = LKC_NONE, .next = LKC_NONE,
		.own = EXPR_Y, .depends = EXPR_Y, .visible = EXPR_Y,
		.prompt = LKC_NONE, .span = span,
	};

	if (ld->err)
		return NULL;
	if (!vec_push(&t->entries, e)) {
		ld->err = LKC_ENOMEM;
		return NULL;
	}
	ld->entry = t->entries.n - 1;
	return &t->entries.v[ld->entry];
}

static struct entry *current(struct loader *ld)
{
	if (ld->err || ld->entry == LKC_NONE)
		return NULL;
	return &ld->tree->entries.v[ld->entry];
}

static struct symbol *current_symbol(struct loader *ld)
{
	struct entry *e = current(ld);

	return e && e->sym != LKC_NONE ? &ld->tree->syms.v[e->sym] : NULL;
}

static const char *keep_text(struct loader *ld, const char *text)
{
	const char *copy = arena_strdup(&ld->tree->arena, text);

	if (!copy)
		ld->err = LKC_ENOMEM;
	return copy;
}

void build_mainmenu(struct loader *ld, const char *text, struct span span)
{
	(void)span;
	if (!ld->err && !ld->tree->title)
		ld->tree->title = keep_text(ld, text);
}

void build_config(struct loader *ld, lkc_sym sym, bool menuconfig,
		  struct span span)
{
	/* a config called y, m or n still is that constant */
	if (entry_new(ld, menuconfig ? LKC_ENTRY_MENUCONFIG : LKC_ENTRY_SYMBOL,
		      sym, span) && sym > SYM_Y)
		ld->tree->syms.v[sym].flags |= SYMBOL_DEFINED;
}

static void build_heading(struct loader *ld, enum lkc_entry_kind kind,
			  const char *text, struct span span)
{
	if (entry_new(ld, kind, LKC_NONE, span))
		build_prompt(ld, text, LKC_NONE, span);
}

void build_comment(struct loader *ld, const char *text, struct span span)
{
	build_heading(ld, LKC_ENTRY_COMMENT, text, span);
}

void build_menu(struct loader *ld, const char *text, struct span span)
{
	build_heading(ld, LKC_ENTRY_MENU, text, span);
}

void build_choice(struct loader *ld, const char *name, size_t len,
		  struct span span)
{
	lkc_sym sym;

	if (ld->err)
		return;
	if (name)
		sym = symbol_intern(ld, &ld->tree->choices, name, len, 0);
	else
		sym = symbol_new(ld, NULL, 0, 0);
	if (entry_new(ld, LKC_ENTRY_CHOICE, sym, span)) {
		struct symbol *s = &ld->tree->syms.v[sym];

		s->flags |= SYMBOL_CHOICE;
		if (ld->dialect >= DIALECT_6_12)
			s->type = LKC_BOOL;
	}
}

void build_if(struct loader *ld, lkc_expr cond, struct span span)
{
	struct entry *e = entry_new(ld, LKC_ENTRY_IF, LKC_NONE, span);

	if (!e)
		return;
	e->own = written(cond);
	own_m_tests(ld, M_TEST_DEPENDS, ld->entry);
}

void build_open(struct loader *ld)
{
	struct entry *e = current(ld);

	if (!e)
		return;
	e->open = true;
	ld->parent = ld->entry;
}

void build_close(struct loader *ld)
{
	if (ld->err || ld->parent == LKC_NONE)
		return;
	ld->entry = LKC_NONE;
	ld->parent = ld->tree->entries.v[ld->parent].block;
}

enum lkc_entry_kind build_block(const struct loader *ld)
{
	if (ld->parent == LKC_NONE || ld->parent >= ld->tree->entries.n)
		return LKC_ENTRY_MENU;
	return ld->tree->entries.v[ld->parent].kind;
}

/* ---- attributes --------------------------------------------------------- */

uint32_t build_add_prop(struct loader *ld, struct prop p)
{
	const struct entry *e = current(ld);

	if (!e)
		return LKC_NONE;
	p.sym = e->sym;
	p.entry = ld->entry;
	p.own = p.own == LKC_NONE ? EXPR_Y : written(p.own);
	if (!vec_push(&ld->tree->props, p)) {
		ld->err = LKC_ENOMEM;
		return LKC_NONE;
	}
	own_m_tests(ld, M_TEST_PROP, ld->tree->props.n - 1);
	return ld->tree->props.n - 1;
}

/* conf calls int by another name. */
static const char *conf_type_name(enum lkc_type type)
{
	return type == LKC_INT ? "integer" : lkc_type_name(type);
}

void build_type(struct loader *ld, enum lkc_type type, struct span span)
{
	struct symbol *s = current_symbol(ld);

	(void)span;
	if (!s)
		return;
	if (s->type == LKC_UNKNOWN)
		s->type = type;
	else if (s->type != type)
		build_diag(ld, LKC_WARNING, DIAG_TYPE_REDEFINED, DIAG_WARNING,
			   ld->tree->entries.v[ld->entry].span,
			   "ignoring type redefinition of '%s' from '%s' to '%s'",
			   s->name ? s->name : "<choice>",
			   conf_type_name(s->type), conf_type_name(type));
}

void build_prompt(struct loader *ld, const char *text, lkc_expr cond,
		  struct span span)
{
	struct entry *e = current(ld);
	struct prop p = { .kind = PROP_PROMPT, .own = cond, .span = span };
	uint32_t id;

	if (!e)
		return;
	if (*text == ' ' || *text == '\t') {
		build_diag(ld, LKC_WARNING, DIAG_PROMPT_WHITESPACE,
			   DIAG_WARNING, span, "leading whitespace ignored");
		text += strspn(text, " \t");
	}
	if (e->prompt != LKC_NONE)
		build_diag(ld, LKC_WARNING, DIAG_PROMPT_REDEFINED,
			   DIAG_WARNING, span, "prompt redefined");
	p.text = keep_text(ld, text);
	id = build_add_prop(ld, p);
	if (!ld->err)
		ld->tree->entries.v[ld->entry].prompt = id;
}

enum lkc_type build_entry_type(const struct loader *ld)
{
	const struct lkc_tree *t = ld->tree;

	if (ld->entry == LKC_NONE || t->entries.v[ld->entry].sym == LKC_NONE)
		return LKC_UNKNOWN;
	return t->syms.v[t->entries.v[ld->entry].sym].type;
}

struct span build_entry_span(const struct loader *ld)
{
	return ld->entry == LKC_NONE ? NO_SPAN :
		ld->tree->entries.v[ld->entry].span;
}

bool build_has_prompt(const struct loader *ld)
{
	return ld->entry != LKC_NONE &&
	       ld->tree->entries.v[ld->entry].prompt != LKC_NONE;
}

void build_default(struct loader *ld, lkc_expr value, lkc_expr cond,
		   struct span span)
{
	build_add_prop(ld, (struct prop) {
		.kind = PROP_DEFAULT, .a = value, .own = cond, .span = span,
	});
}

static lkc_expr expr_is_n(struct loader *ld, lkc_expr e);

/* One term's being n makes a conjunction n; a disjunction takes all. */
static lkc_expr chain_is_n(struct loader *ld, lkc_expr e)
{
	enum lkc_op op = expr_get(ld->tree, e)->op;
	struct expr_list terms = {0};
	uint32_t i;

	if (!expr_terms(ld->tree, e, op, &terms))
		ld->err = LKC_ENOMEM;
	for (i = 0; i < terms.n && !ld->err; i++) {
		lkc_expr term = expr_is_n(ld, terms.v[i]);

		e = !i ? term : op == LKC_OP_AND ?
			build_expr_or(ld, e, term) :
			build_expr_and(ld, e, term);
	}
	vec_free(&terms);
	return ld->err ? EXPR_N : e;
}

/* What makes @e equal to n. */
static lkc_expr expr_is_n(struct loader *ld, lkc_expr e)
{
	struct expr x = ld->tree->exprs.v[e];

	switch (x.op) {
	case LKC_OP_SYM:
		return e <= EXPR_Y ? (e == EXPR_N ? EXPR_Y : EXPR_N) :
			build_expr_cmp(ld, LKC_OP_EQ, x.l, SYM_N);
	case LKC_OP_AND:
	case LKC_OP_OR:
		return chain_is_n(ld, e);
	case LKC_OP_NOT:
		if (ld->tree->exprs.v[x.l].op != LKC_OP_SYM)
			return x.l;
		return build_expr_cmp(ld, LKC_OP_EQ,
				      ld->tree->exprs.v[x.l].l, SYM_Y);
	default:
		/* comparisons are never m */
		return build_expr_not(ld, e);
	}
}

void build_depends(struct loader *ld, lkc_expr e, lkc_expr cond,
		   struct span span)
{
	struct entry *entry = current(ld);
	lkc_expr own;

	(void)span;
	if (!entry)
		return;
	if (cond != LKC_NONE)
		e = build_expr_or(ld, e, expr_is_n(ld, cond));
	own = build_expr_and(ld, entry->own, written(e));
	ld->tree->entries.v[ld->entry].own = own;
	own_m_tests(ld, M_TEST_DEPENDS, ld->entry);
}

void build_visible(struct loader *ld, lkc_expr e, struct span span)
{
	struct entry *entry = current(ld);

	(void)span;
	if (!entry)
		return;
	entry->visible = build_expr_and(ld, entry->visible, written(e));
	own_m_tests(ld, M_TEST_VISIBLE, ld->entry);
}

void build_select(struct loader *ld, lkc_sym target, lkc_expr cond,
		  struct span span)
{
	build_add_prop(ld, (struct prop) {
		.kind = PROP_SELECT, .a = target, .own = cond, .span = span,
	});
}

void build_imply(struct loader *ld, lkc_sym target, lkc_expr cond,
		 struct span span)
{
	build_add_prop(ld, (struct prop) {
		.kind = PROP_IMPLY, .a = target, .own = cond, .span = span,
	});
}

void build_range(struct loader *ld, lkc_sym low, lkc_sym high, lkc_expr cond,
		 struct span span)
{
	build_add_prop(ld, (struct prop) {
		.kind = PROP_RANGE, .a = low, .b = high, .own = cond,
		.span = span,
	});
}

void build_help(struct loader *ld, const char *text, size_t len,
		struct span span)
{
	struct entry *e = current(ld);

	if (!e)
		return;
	if (e->help)
		build_diag(ld, LKC_WARNING, DIAG_HELP_REDEFINED, DIAG_WARNING,
			   span, "'%s' defined with more than one help text -- only the last one will be used",
			   e->sym == LKC_NONE ? "choice" :
			   ld->tree->syms.v[e->sym].name ?
			   ld->tree->syms.v[e->sym].name : "choice");
	e->help = arena_strndup(&ld->tree->arena, text, len);
	if (!e->help)
		ld->err = LKC_ENOMEM;
}

void build_modules(struct loader *ld, struct span span)
{
	struct entry *e = current(ld);

	if (!e)
		return;
	if (ld->tree->modules != LKC_NONE && ld->tree->modules != e->sym)
		build_diag(ld, LKC_ERROR, DIAG_BAD_MENU, DIAG_ERROR, span,
			   "symbol '%s' redefines option 'modules' already defined by symbol '%s'",
			   lkc_sym_name(ld->tree, e->sym),
			   lkc_sym_name(ld->tree, ld->tree->modules));
	ld->tree->modules = e->sym;
}

static void set_flag(struct loader *ld, unsigned int flag)
{
	struct symbol *s = current_symbol(ld);

	if (s)
		s->flags |= flag;
}

void build_optional(struct loader *ld, struct span span)
{
	(void)span;
	set_flag(ld, SYMBOL_OPTIONAL);
}

void build_transitional(struct loader *ld, struct span span)
{
	(void)span;
	set_flag(ld, SYMBOL_TRANSITIONAL);
}

void build_option_allnoconfig_y(struct loader *ld, struct span span)
{
	(void)span;
	set_flag(ld, SYMBOL_ALLNO_Y);
}

void build_option_env(struct loader *ld, const char *name, struct span span)
{
	struct symbol *s = current_symbol(ld);
	const char *value;

	if (!s)
		return;
	s->env = keep_text(ld, name);
	value = lkc_tree_getenv(ld->tree, name);
	if (!value) {
		build_diag(ld, LKC_WARNING, DIAG_UNKNOWN_SYMBOL, DIAG_WARNING,
			   span, "environment variable %s undefined", name);
		return;
	}
	/* whatever the symbol depends on, it has this value: seen of conf */
	build_add_prop(ld, (struct prop) {
		.kind = PROP_DEFAULT, .own = LKC_NONE, .cond = LKC_NONE,
		.a = build_expr_sym(ld, build_const(ld, value, strlen(value))),
		.span = span, .free = true,
	});
}

void build_option_defconfig_list(struct loader *ld, struct span span)
{
	const struct entry *e = current(ld);

	if (!e)
		return;
	if (ld->tree->defconfig_sym != LKC_NONE)
		build_diag(ld, LKC_WARNING, DIAG_BAD_MENU, DIAG_WARNING, span,
			   "trying to redefine defconfig symbol");
	ld->tree->defconfig_sym = e->sym;
}
