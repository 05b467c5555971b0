// SPDX-License-Identifier: GPL-2.0-only
/*
 * autoconf - what a build reads of a configuration: auto.conf for make,
 * autoconf.h for C, rustc_cfg for Rust, and auto.conf.cmd, which says when all
 * of it must be made anew
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "autoconf.h"
#include "order.h"

/* As a string literal of C or of a .config. */
static void add_quoted(struct strbuf *out, const char *s)
{
	strbuf_addch(out, '"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *s);
	}
	strbuf_addch(out, '"');
}

/* A number with what C needs to take it for a hexadecimal one. */
static void add_hex(struct strbuf *out, const char *s)
{
	if (s[0] != '0' || (s[1] != 'x' && s[1] != 'X'))
		strbuf_addstr(out, "0x");
	strbuf_addstr(out, s);
}

static void make_line(const struct lkc_config *c, lkc_sym sym,
		      const char *prefix, struct strbuf *out)
{
	const struct symbol *s = sym_get(c->tree, sym);
	const char *value = eval_string(c, sym);

	strbuf_addf(out, "%s%s=", prefix, s->name);
	if (s->type == LKC_STRING && c->tree->dialect < DIALECT_6_1)
		add_quoted(out, value);
	else
		strbuf_addstr(out, value);
	strbuf_addch(out, '\n');
}

static void tristate_line(const struct lkc_config *c, lkc_sym sym,
			  const char *prefix, struct strbuf *out)
{
	const struct symbol *s = sym_get(c->tree, sym);

	if (s->type == LKC_TRISTATE)
		strbuf_addf(out, "%s%s=%c\n", prefix, s->name,
			    c->value[sym].tri == LKC_MOD ? 'M' : 'Y');
}

static void c_line(const struct lkc_config *c, lkc_sym sym, const char *prefix,
		   struct strbuf *out)
{
	const struct symbol *s = sym_get(c->tree, sym);
	const char *value = eval_string(c, sym);
	bool module = type_is_tri(s->type) && c->value[sym].tri == LKC_MOD;

	strbuf_addf(out, "#define %s%s%s ", prefix, s->name,
		    module ? "_MODULE" : "");
	if (type_is_tri(s->type))
		strbuf_addch(out, '1');
	else if (s->type == LKC_STRING)
		add_quoted(out, value);
	else if (s->type == LKC_HEX)
		add_hex(out, value);
	else
		strbuf_addstr(out, value);
	strbuf_addch(out, '\n');
}

static void rust_line(const struct lkc_config *c, lkc_sym sym,
		      const char *prefix, struct strbuf *out)
{
	const struct symbol *s = sym_get(c->tree, sym);
	const char *value = eval_string(c, sym);

	if (type_is_tri(s->type))
		strbuf_addf(out, "--cfg=%s%s\n", prefix, s->name);
	strbuf_addf(out, "--cfg=%s%s=", prefix, s->name);
	if (s->type == LKC_STRING) {
		add_quoted(out, value);
	} else {
		strbuf_addch(out, '"');
		if (s->type == LKC_HEX)
			add_hex(out, value);
		else
			strbuf_addstr(out, value);
		strbuf_addch(out, '"');
	}
	strbuf_addch(out, '\n');
}

static const struct {
	const char *head;	/* %s: the title */
	void (*line)(const struct lkc_config *c, lkc_sym sym,
		     const char *prefix, struct strbuf *out);
} formats[] = {
	[LKC_FORMAT_AUTO_CONF] = {
		"#\n# Automatically generated file; DO NOT EDIT.\n# %s\n#\n",
		make_line,
	},
	[LKC_FORMAT_AUTO_HEADER] = {
		"/*\n * Automatically generated file; DO NOT EDIT.\n * %s\n */\n",
		c_line,
	},
	[LKC_FORMAT_RUSTC_CFG] = { NULL, rust_line },
	[LKC_FORMAT_TRISTATE_CONF] = {
		"#\n# Automatically generated file; DO NOT EDIT.\n# %s\n#\n",
		tristate_line,
	},
};

/* The head of @format; in 4.11, a comment of C begins and ends with a line. */
static const char *head_of(const struct lkc_tree *t, enum lkc_format format)
{
	if (format == LKC_FORMAT_AUTO_HEADER && t->dialect < DIALECT_6_1)
		return "/*\n *\n * Automatically generated file; DO NOT EDIT.\n * %s\n *\n */\n";
	return formats[format].head;
}

/* True if @sym has a line in these files: n is not even mentioned. */
static bool is_told(const struct lkc_config *c, lkc_sym sym)
{
	const struct symbol *s = sym_get(c->tree, sym);

	return s->name && !s->env && c->value[sym].write && s->type != LKC_UNKNOWN &&
	       !(type_is_tri(s->type) && c->value[sym].tri == LKC_NO);
}

int autoconf_format(const struct lkc_config *c, enum lkc_format format,
		    struct strbuf *out)
{
	const char *prefix = confdata_prefix(c->tree);
	const char *head = head_of(c->tree, format);
	uint32_t i, n;
	lkc_sym *order;

	order = order_hash(c->tree, &n);
	if (!order)
		return LKC_ENOMEM;
	if (head) {
		const char *to = strstr(head, "%s");

		strbuf_add(out, head, to - head);
		strbuf_addstr(out, c->tree->title);
		strbuf_addstr(out, to + 2);
	}
	for (i = 0; i < n; i++) {
		if (is_told(c, order[i]))
			formats[format].line(c, order[i], prefix, out);
	}
	free(order);
	return 0;
}

/* ---- auto.conf.cmd ------------------------------------------------------ */

/* Names of the files that were read, each once, in order of first reading. */
static const char **files_once(const struct lkc_tree *t, size_t *n)
{
	const char **names = malloc((t->files.n + 1) * sizeof(*names));
	struct strmap seen = {0};
	uint32_t i;

	*n = 0;
	for (i = 0; i < t->files.n && names; i++) {
		const char *name = t->files.v[i].name;
		size_t len = strlen(name);

		if (strmap_key(&seen, name, len))
			continue;
		names[(*n)++] = name;
		if (!strmap_add(&seen, name, len, 0)) {
			free(names);
			names = NULL;
		}
	}
	strmap_free(&seen);
	return names;
}

static void cmd_text(const struct lkc_tree *t, const char *target,
		     const char **names, size_t n, struct strbuf *out)
{
	bool modern = t->dialect >= DIALECT_6_12;
	bool ancient = t->dialect < DIALECT_6_1;
	size_t i;

	if (modern) {
		strbuf_addf(out, "autoconfig := %s\n\n", target);
		target = "$(autoconfig)";
	}
	strbuf_addstr(out, "deps_config := \\\n");
	for (i = 0; i < n; i++)
		strbuf_addf(out, "\t%s%s\n", names[modern ? i : n - 1 - i],
			    ancient && i + 1 == n ? "" : " \\");
	strbuf_addf(out, "\n%s: %s$(deps_config)\n", target,
		    ancient ? "\\\n\t" : "");
	strbuf_addstr(out, modern ? "$(deps_config): ;\n" : "\n");
	for (i = 0; i + 1 < t->env.n; i += 2)
		strbuf_addf(out, "%sifneq \"$(%s)\" \"%s\"\n%s: FORCE\nendif\n",
			    modern ? "\n" : "", t->env.v[i], t->env.v[i + 1],
			    target);
	if (!modern)
		strbuf_addstr(out, "\n$(deps_config): ;\n");
}

int lkc_tree_format_cmd(const struct lkc_tree *tree, const char *auto_conf,
			char **text, size_t *len)
{
	struct strbuf out = {0};
	const char **names;
	size_t n;

	*text = NULL;
	names = files_once(tree, &n);
	if (names) {
		cmd_text(tree, auto_conf, names, n, &out);
		*text = strbuf_detach(&out, len);
	}
	free(names);
	strbuf_free(&out);
	return *text ? 0 : LKC_ENOMEM;
}

/* ---- what has changed --------------------------------------------------- */

struct changes {
	const struct lkc_config *c;
	uint8_t *same;		/* symbols whose value is as it was */
	void (*touch)(void *ctx, const char *name);
	void *ctx;
};

/* True if a line of an auto.conf says what is now. */
static bool same_as(const struct lkc_config *c, lkc_sym sym, const char *old)
{
	enum lkc_type type = sym_get(c->tree, sym)->type;
	const char *now = eval_string(c, sym);
	struct strbuf quoted = {0};
	bool same;

	/* conf looks at the first letter only */
	if (type_is_tri(type))
		return *old == *now;
	if (type != LKC_STRING || c->tree->dialect >= DIALECT_6_1)
		return strcmp(old, now) == 0;
	add_quoted(&quoted, now);
	same = strcmp(old, strbuf_str(&quoted)) == 0;
	strbuf_free(&quoted);
	return same;
}

static void compare_line(struct changes *ch, const char *name,
			 const char *value)
{
	const struct lkc_config *c = ch->c;
	lkc_sym sym = lkc_sym_find(c->tree, name);

	if (sym != LKC_NONE && is_told(c, sym) && same_as(c, sym, value))
		ch->same[sym] = 1;
	/* gone, or n now: a dependency all the same */
	else if (sym == LKC_NONE || !is_told(c, sym))
		ch->touch(ch->ctx, name);
}

static int compare_old(struct changes *ch, const char *old, size_t len)
{
	const char *prefix = confdata_prefix(ch->c->tree);
	size_t prefix_len = strlen(prefix);
	const char *end = old + len, *nl;
	struct strbuf line = {0};
	int err = 0;
	char *eq;

	for (; old < end && !err; old = nl + 1) {
		nl = memchr(old, '\n', end - old);
		if (!nl)
			nl = end;
		strbuf_reset(&line);
		strbuf_add(&line, old, nl - old);
		if (line.err)
			err = LKC_ENOMEM;
		if (!line.len || *line.s == '#' ||
		    strncmp(line.s, prefix, prefix_len) != 0)
			continue;
		eq = strchr(line.s + prefix_len, '=');
		if (!eq)
			continue;
		*eq = '\0';
		compare_line(ch, line.s + prefix_len, eq + 1);
	}
	strbuf_free(&line);
	return err;
}

int lkc_config_changes(const struct lkc_config *c, const char *old, size_t len,
		       void (*touch)(void *ctx, const char *name), void *ctx)
{
	struct changes ch = { .c = c, .touch = touch, .ctx = ctx };
	lkc_sym i;
	int err;

	ch.same = calloc(c->tree->syms.n + 1, 1);
	if (!ch.same)
		return LKC_ENOMEM;
	err = compare_old(&ch, old, len);
	for (i = 0; i < c->tree->syms.n && !err; i++) {
		if (is_told(c, i) && !ch.same[i])
			touch(ctx, sym_get(c->tree, i)->name);
	}
	free(ch.same);
	return err;
}
