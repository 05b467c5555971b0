// SPDX-License-Identifier: GPL-2.0-only
/*
 * confread - .config files become user values
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "confdata.h"

struct reader {
	struct lkc_config *c;
	struct lkc_diags *diags;
	const char *name;	/* of the file, for messages */
	uint32_t line;
	const char *prefix;
	size_t prefix_len;
	bool warn_unknown;
	uint8_t *seen;		/* symbols this file has set */
};

__attribute__((format(printf, 3, 4)))
static void warn(struct reader *r, enum diag_code code, const char *fmt, ...)
{
	struct diag_place place = { .file = r->name, .line = r->line };
	struct strbuf text = {0};
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	diag_add(r->diags, LKC_WARNING, code, DIAG_WARNING, &place, "%s",
		 strbuf_str(&text));
	strbuf_free(&text);
}

/* Cuts a string literal at its closing quote and takes escapes out. */
static bool unquote(char *s)
{
	char *to = s;

	for (; *s && *s != '"'; s++) {
		if (*s == '\\' && s[1])
			s++;
		*to++ = *s;
	}
	if (*s != '"')
		return false;
	*to = '\0';
	return true;
}

/* 0: set; 1: not usable, said so; 2: not usable, as silent as conf. */
enum { SET, BAD, IGNORED };

static int parse_tri(struct reader *r, lkc_sym sym, const char *value,
		     struct user *u)
{
	const struct symbol *s = sym_get(r->c->tree, sym);

	/* conf looks at the first letter only */
	if (*value == 'y' || *value == 'n' ||
	    (*value == 'm' && s->type == LKC_TRISTATE)) {
		u->tri = *value == 'y' ? LKC_YES : *value == 'm' ? LKC_MOD :
			LKC_NO;
		return SET;
	}
	warn(r, DIAG_BAD_VALUE, "symbol value '%s' invalid for %s", value,
	     s->name);
	return BAD;
}

static int parse_text(struct reader *r, lkc_sym sym, char *value,
		      struct user *u)
{
	const struct symbol *s = sym_get(r->c->tree, sym);

	if (s->type == LKC_STRING) {
		if (*value != '"')
			return IGNORED;
		value++;
		if (!unquote(value)) {
			warn(r, DIAG_BAD_VALUE, "invalid string found");
			return BAD;
		}
	}
	if (!value_valid(s->type, value)) {
		warn(r, DIAG_BAD_VALUE, "symbol value '%s' invalid for %s",
		     value, s->name);
		return BAD;
	}
	u->str = config_intern(r->c, value);
	return SET;
}

/* 6.1: what a member says of its choice. */
static void tell_choice(struct reader *r, lkc_sym sym, enum lkc_tri tri)
{
	lkc_sym choice = sym_get(r->c->tree, sym)->choice;
	struct user *u;

	if (choice == LKC_NONE || r->c->tree->dialect >= DIALECT_6_12)
		return;
	u = &r->c->user[choice];
	u->set |= tri != LKC_NO;
	if (tri == LKC_MOD && u->tri == LKC_YES) {
		warn(r, DIAG_CHOICE_OVERRIDE,
		     "%s creates inconsistent choice state",
		     lkc_sym_name(r->c->tree, sym));
		u->set = false;
	}
	if (tri == LKC_YES && u->tri != LKC_NO)
		warn(r, DIAG_CHOICE_OVERRIDE,
		     "override: %s changes choice state",
		     lkc_sym_name(r->c->tree, sym));
	if (tri > u->tri)
		u->tri = tri;
}

static int assign(struct reader *r, const char *name, char *value)
{
	struct lkc_config *c = r->c;
	lkc_sym sym = lkc_sym_find(c->tree, name);
	struct user u = { .set = true };
	int result;

	if (sym == LKC_NONE || sym <= SYM_Y) {
		if (r->warn_unknown)
			warn(r, DIAG_UNKNOWN_SYMBOL, "unknown symbol: %s",
			     name);
		return 0;
	}
	if (r->seen[sym])
		warn(r, DIAG_REASSIGNED, "override: reassigning to symbol %s",
		     name);
	switch (sym_get(c->tree, sym)->type) {
	case LKC_BOOL:
	case LKC_TRISTATE:
		result = parse_tri(r, sym, value, &u);
		break;
	case LKC_UNKNOWN:
		return 0;
	default:
		result = parse_text(r, sym, value, &u);
		if (result == SET && !u.str)
			return LKC_ENOMEM;
		break;
	}
	if (result != SET)
		return 0;
	r->seen[sym] = 1;
	u.seq = ++c->seq;
	c->user[sym] = u;
	tell_choice(r, sym, u.tri);
	return 0;
}

/* "# CONFIG_FOO is not set", or a comment. */
static int read_comment(struct reader *r, char *line)
{
	const struct lkc_tree *t = r->c->tree;
	bool exact = t->dialect >= DIALECT_6_12;
	char *name, *rest, no[] = "n";

	if (strlen(line) < 2 || (exact && line[1] != ' ') ||
	    strncmp(line + 2, r->prefix, r->prefix_len) != 0)
		return 0;
	name = line + 2 + r->prefix_len;
	rest = strchr(name, ' ');
	if (!rest)
		return 0;
	*rest++ = '\0';
	if (exact ? strcmp(rest, "is not set") : strncmp(rest, "is not set", 10))
		return 0;
	return assign(r, name, no);
}

static int read_line(struct reader *r, char *line, size_t len)
{
	bool strict = r->c->tree->dialect >= DIALECT_6_12;
	char *eq;

	if (*line == '#')
		return read_comment(r, line);
	/* a NUL byte ends a line early; one that begins with it is not empty */
	if (!*line && (strict || !len))
		return 0;
	if (strncmp(line, r->prefix, r->prefix_len) != 0) {
		warn(r, DIAG_CONFIG_LINE, "unexpected data: %s", line);
		return 0;
	}
	eq = strchr(line + r->prefix_len, '=');
	if (!eq) {
		if (strict)
			warn(r, DIAG_CONFIG_LINE, "unexpected data: %s", line);
		return 0;
	}
	*eq = '\0';
	return assign(r, line + r->prefix_len, eq + 1);
}

static int read_lines(struct reader *r, const char *text, size_t len)
{
	const char *end = text + len;
	struct strbuf line = {0};
	const char *nl;
	int err = 0;

	while (text < end && !err) {
		nl = memchr(text, '\n', end - text);
		if (!nl)
			nl = end;
		strbuf_reset(&line);
		strbuf_add(&line, text, nl - text);
		if (line.len && line.s[line.len - 1] == '\r')
			strbuf_truncate(&line, line.len - 1);
		r->line++;
		err = line.err ? LKC_ENOMEM : read_line(r, line.s, line.len);
		text = nl + 1;
	}
	strbuf_free(&line);
	return err;
}

/* 6.1: a number outside its range is forgotten. */
static int drop_out_of_range(struct lkc_config *c)
{
	const struct lkc_tree *t = c->tree;
	int64_t low, high, value;
	lkc_sym i;

	for (i = 0; i < t->syms.n; i++) {
		enum lkc_type type = sym_get(t, i)->type;

		if (!c->user[i].set || (type != LKC_INT && type != LKC_HEX) ||
		    !lkc_range(c, i, &low, &high, NULL))
			continue;
		value = strtoll(c->user[i].str, NULL, type == LKC_INT ? 10 : 16);
		if (value >= low && value <= high)
			continue;
		c->user[i].set = false;
		config_touch(c, i);
	}
	return config_settle(c);
}

/* Before 6.12, conf takes all choices for the user's when it reads a file. */
static void forget_all(struct lkc_config *c)
{
	const struct lkc_tree *t = c->tree;
	lkc_sym i;

	memset(c->user, 0, t->syms.n * sizeof(*c->user));
	c->seq = 0;
	for (i = 0; i < t->syms.n && t->dialect < DIALECT_6_12; i++)
		c->user[i].set = sym_get(t, i)->flags & SYMBOL_CHOICE;
}

int lkc_config_read_mem(struct lkc_config *c, const char *name,
			const char *text, size_t len, unsigned int flags,
			struct lkc_diags *diags)
{
	const struct lkc_tree *t = c->tree;
	struct reader r = {
		.c = c, .diags = diags, .name = name,
		.prefix = confdata_prefix(t),
	};
	int err;

	if (c->txn)
		return LKC_ESTATE;
	r.prefix_len = strlen(r.prefix);
	r.warn_unknown = t->dialect >= DIALECT_6_1 &&
		lkc_tree_getenv(t, "KCONFIG_WARN_UNKNOWN_SYMBOLS");
	r.seen = calloc(t->syms.n + 1, 1);
	if (!r.seen)
		return LKC_ENOMEM;
	if (!(flags & LKC_READ_ADD))
		forget_all(c);
	err = read_lines(&r, text, len);
	free(r.seen);
	if (!err)
		err = config_evaluate(c);
	if (!err && t->dialect < DIALECT_6_12 && !(flags & LKC_READ_SEED))
		err = drop_out_of_range(c);
	return err;
}

int lkc_config_read(struct lkc_config *c, const char *path, unsigned int flags,
		    struct lkc_diags *diags)
{
	char *text;
	size_t len;
	int err;

	err = file_read(path, 0, &text, &len);
	if (err) {
		diag_add(diags, LKC_ERROR, DIAG_CANNOT_READ, DIAG_BARE, NULL,
			 "%s: cannot be read: %s", path, strerror(-err));
		return err == -ENOMEM ? LKC_ENOMEM : LKC_EIO;
	}
	err = lkc_config_read_mem(c, path, text, len, flags, diags);
	free(text);
	return err;
}
