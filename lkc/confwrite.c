// SPDX-License-Identifier: GPL-2.0-only
/*
 * confwrite - the text of a .config or a defconfig, and writing it
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "autoconf.h"
#include "base/atomfile.h"
#include "base/strbuf.h"
#include "confdata.h"

const char *confdata_prefix(const struct lkc_tree *t)
{
	const char *prefix = lkc_tree_getenv(t, "CONFIG_");

	return prefix ? prefix : "CONFIG_";
}

static void write_symbol(const struct lkc_config *c, lkc_sym sym,
			 const char *prefix, struct strbuf *out)
{
	const struct symbol *s = sym_get(c->tree, sym);
	const char *value = eval_string(c, sym);

	if (type_is_tri(s->type) && c->value[sym].tri == LKC_NO) {
		strbuf_addf(out, "# %s%s is not set\n", prefix, s->name);
		return;
	}
	strbuf_addf(out, "%s%s=", prefix, s->name);
	if (s->type == LKC_STRING) {
		strbuf_addch(out, '"');
		for (; *value; value++) {
			if (*value == '"' || *value == '\\')
				strbuf_addch(out, '\\');
			strbuf_addch(out, *value);
		}
		strbuf_addch(out, '"');
	} else {
		strbuf_addstr(out, value);
	}
	strbuf_addch(out, '\n');
}

struct dotconfig {
	const struct lkc_config *c;
	const char *prefix;
	struct strbuf *out;
	bool blank_due;		/* an empty line, before the next symbol */
};

static void end_menu(struct dotconfig *w, lkc_menu menu)
{
	const struct lkc_tree *t = w->c->tree;
	const struct entry *e = &t->entries.v[menu];

	if (t->dialect < DIALECT_6_1 || e->kind != LKC_ENTRY_MENU ||
	    !menu_heading_visible(w->c, e))
		return;
	strbuf_addf(w->out, "# end of %s\n", t->props.v[e->prompt].text);
	w->blank_due = true;
}

static void write_heading(struct dotconfig *w, const struct entry *e)
{
	if (!menu_heading_visible(w->c, e))
		return;
	strbuf_addf(w->out, "\n#\n# %s\n#\n",
		    w->c->tree->props.v[e->prompt].text);
	w->blank_due = false;
}

static void write_value(struct dotconfig *w, lkc_sym sym)
{
	if (w->blank_due)
		strbuf_addch(w->out, '\n');
	w->blank_due = false;
	write_symbol(w->c, sym, w->prefix, w->out);
}

/*
 * Entries are numbered in the order of the menu tree. A symbol is written
 * where it is defined first; menus say where they end.
 */
static int format_config(const struct lkc_config *c, struct strbuf *out)
{
	const struct lkc_tree *t = c->tree;
	struct dotconfig w = { c, confdata_prefix(t), out, false };
	uint8_t *seen = calloc(t->syms.n + 1, 1);
	lkc_menu last = 0;
	uint32_t i;

	if (!seen)
		return LKC_ENOMEM;
	strbuf_addf(out, "#\n# Automatically generated file; DO NOT EDIT.\n"
		    "# %s\n#\n", t->title);
	for (i = 1; i < t->entries.n; i++) {
		const struct entry *e = &t->entries.v[i];

		/* the entry before ends here, and so do those around it */
		for (; last != e->parent; last = t->entries.v[last].parent)
			end_menu(&w, last);
		last = i;
		if (e->sym == LKC_NONE) {
			write_heading(&w, e);
		} else if (e->kind != LKC_ENTRY_CHOICE && !seen[e->sym] &&
			   c->value[e->sym].write &&
			   !sym_get(t, e->sym)->env) {
			seen[e->sym] = 1;
			write_value(&w, e->sym);
		}
	}
	for (; last != 0; last = t->entries.v[last].parent)
		end_menu(&w, last);
	free(seen);
	return 0;
}

/* True if a defconfig need not mention @sym. */
static bool is_implied(const struct lkc_config *c, lkc_sym sym, bool *nomem)
{
	const struct symbol *s = sym_get(c->tree, sym);
	const struct value *v = &c->value[sym];
	char *def;
	bool same;

	if (!v->write || v->vis <= v->sel || s->env)
		return true;
	def = lkc_default_value(c, sym);
	if (!def) {
		*nomem = true;
		return true;
	}
	same = strcmp(def, eval_string(c, sym)) == 0;
	free(def);
	if (same || s->choice == LKC_NONE)
		return same;
	/* the member that its choice would take anyhow */
	return s->type == LKC_BOOL && v->tri == LKC_YES &&
	       !(sym_get(c->tree, s->choice)->flags & SYMBOL_OPTIONAL) &&
	       eval_choice_default(c, s->choice) == sym;
}

static int format_defconfig(const struct lkc_config *c, struct strbuf *out)
{
	const struct lkc_tree *t = c->tree;
	const char *prefix = confdata_prefix(t);
	uint8_t *seen = calloc(t->syms.n + 1, 1);
	bool nomem = !seen;
	uint32_t i;

	for (i = 1; i < t->entries.n && !nomem; i++) {
		const struct entry *e = &t->entries.v[i];

		if (e->sym == LKC_NONE || e->kind == LKC_ENTRY_CHOICE ||
		    seen[e->sym])
			continue;
		seen[e->sym] = 1;
		if (!is_implied(c, e->sym, &nomem))
			write_symbol(c, e->sym, prefix, out);
	}
	free(seen);
	return nomem ? LKC_ENOMEM : 0;
}

/* Before 6.12, values are computed anew, without what was only half chosen. */
static int format_defconfig_6_1(const struct lkc_config *c, struct strbuf *out)
{
	struct lkc_config *copy;
	int err;

	err = lkc_config_clone(c, &copy);
	if (err)
		return err;
	config_forget_partial_choices(copy);
	/* all of it: what @c has yet to settle is not copied */
	err = config_evaluate(copy);
	if (!err)
		err = format_defconfig(copy, out);
	lkc_config_free(copy);
	return err;
}

int lkc_config_format(const struct lkc_config *c, enum lkc_format format,
		      char **text, size_t *len)
{
	struct strbuf out = {0};
	int err;

	if (format == LKC_FORMAT_CONFIG)
		err = format_config(c, &out);
	else if (format != LKC_FORMAT_DEFCONFIG)
		err = autoconf_format(c, format, &out);
	else if (c->tree->dialect < DIALECT_6_12)
		err = format_defconfig_6_1(c, &out);
	else
		err = format_defconfig(c, &out);
	*text = err ? NULL : strbuf_detach(&out, len);
	strbuf_free(&out);
	if (!err && !*text)
		err = LKC_ENOMEM;
	return err;
}

int lkc_file_replace(const char *path, const char *text, size_t len,
		     bool backup, struct lkc_diags *diags)
{
	int err;

	if (file_same(path, text, len))
		return LKC_UNCHANGED;
	err = file_replace(path, text, len, 0666, backup);
	if (!err)
		return LKC_WRITTEN;
	diag_add(diags, LKC_ERROR, DIAG_CANNOT_WRITE, DIAG_BARE, NULL,
		 "%s: cannot be written: %s", path, strerror(-err));
	return err == -ENOMEM ? LKC_ENOMEM : LKC_EIO;
}
