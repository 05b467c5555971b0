// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconfig-agent diff - what differs in effect between two configurations
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "cmd-json.h"
#include "cmd.h"
#include "json.h"
#include "lines.h"
#include "opts.h"
#include "session.h"
#include "term.h"
#include "whatif.h"

struct diff_options {
	struct opts_common common;
	bool fragment;
};

static const struct opt options[] = {
	{ .name = "fragment", .letter = 'f', .type = OPT_FLAG,
	  .offset = offsetof(struct diff_options, fragment),
	  .help = "print what makes B of A, as a fragment" },
	{ .name = NULL },
};

enum difference {
	DIFF_REQUESTED,		/* B asks for it, and has it */
	DIFF_LOST,		/* A has what it asks for; B asks for that, too */
	DIFF_DERIVED,		/* nobody asks: it follows from others */
	DIFF_KINDS
};

static const char *const names[DIFF_KINDS] = {
	[DIFF_REQUESTED] = "requested", [DIFF_LOST] = "lost",
	[DIFF_DERIVED] = "derived",
};

static const char *const titles[DIFF_KINDS] = {
	[DIFF_REQUESTED] = "Asked for", [DIFF_LOST] = "Lost",
	[DIFF_DERIVED] = "Follows",
};

struct item {
	lkc_sym sym;
	enum difference kind;
};

/* One of the two configurations. */
struct side {
	char *path;
	struct lines lines;
	struct lkc_config *config;
};

struct diff {
	const struct diff_options *o;
	struct session session;
	struct term term;
	struct side a, b;
	struct { VEC(struct item); } items;
};

static int out_of_memory(void)
{
	term_error("out of memory");
	return EXIT_INPUT;
}

static int read_side(struct diff *d, struct side *s)
{
	int err = lines_add_file(&s->lines, s->path);
	struct lkc_diags *diags;

	if (err && err != -ENOMEM) {
		term_error("%s: it cannot be read: %s", s->path, strerror(-err));
		return EXIT_INPUT;
	}
	diags = lkc_diags_new();
	err = err || !diags ? LKC_ENOMEM :
		lkc_config_new(d->session.tree, &s->config);
	if (!err)
		err = lkc_config_read(s->config, s->path, 0, diags);
	lkc_diags_free(diags);
	return err ? out_of_memory() : EXIT_DONE;
}

static enum difference kind_of(const struct diff *d, lkc_sym sym)
{
	const char *name = lkc_sym_name(d->session.tree, sym);
	const struct line *a = lines_find(&d->a.lines, name);
	const struct line *b = lines_find(&d->b.lines, name);
	const char *was = lkc_value(d->a.config, sym);
	const char *is = lkc_value(d->b.config, sym);

	if (a && strcmp(a->value, was) == 0 && (!b || strcmp(b->value, is) != 0))
		return DIFF_LOST;
	if (b && strcmp(b->value, is) == 0 &&
	    lkc_visibility(d->b.config, sym) != LKC_NO)
		return DIFF_REQUESTED;
	return DIFF_DERIVED;
}

static int compare(struct diff *d)
{
	const struct lkc_tree *tree = d->session.tree;
	lkc_sym sym;

	for (sym = 0; sym < lkc_sym_count(tree); sym++) {
		struct item item = { .sym = sym };

		if (!lkc_sym_name(tree, sym) || !lkc_sym_is_config(tree, sym) ||
		    strcmp(lkc_value(d->a.config, sym),
			   lkc_value(d->b.config, sym)) == 0)
			continue;
		item.kind = kind_of(d, sym);
		if (!vec_push(&d->items, item))
			return out_of_memory();
	}
	return EXIT_DONE;
}

/* ---- results -------------------------------------------------------------- */

static int print_json(const struct diff *d)
{
	struct json *j = json_new_object(), *list, *item;
	size_t i;

	json_set_str(j, "a", d->a.path);
	json_set_str(j, "b", d->b.path);
	list = json_set_array(j, "differences");
	for (i = 0; i < d->items.n; i++) {
		lkc_sym sym = d->items.v[i].sym;

		item = json_new_object();
		json_set_str(item, "name", lkc_sym_name(d->session.tree, sym));
		json_set_str(item, "a", lkc_value(d->a.config, sym));
		json_set_str(item, "b", lkc_value(d->b.config, sym));
		json_set_str(item, "kind", names[d->items.v[i].kind]);
		json_append(list, item);
	}
	return cmd_print_json(j);
}

static int print_text(const struct diff *d)
{
	size_t k, i, n;

	for (k = 0; k < DIFF_KINDS; k++) {
		for (i = n = 0; i < d->items.n; i++) {
			lkc_sym sym = d->items.v[i].sym;
			const char *a = lkc_value(d->a.config, sym);
			const char *b = lkc_value(d->b.config, sym);

			if (d->items.v[i].kind != k)
				continue;
			if (!n++)
				printf("%s%s%s\n", term_style(&d->term,
				       TERM_BOLD), titles[k],
				       term_style(&d->term, TERM_PLAIN));
			printf("  %-26s %s -> %s\n",
			       lkc_sym_name(d->session.tree, sym),
			       *a ? a : "\"\"", *b ? b : "\"\"");
		}
	}
	if (!d->items.n)
		printf("no difference in effect\n");
	return EXIT_DONE;
}

/* The line of B's .config for a symbol, which knows how values are written. */
static bool line_is_about(const char *line, size_t len, const char *name)
{
	size_t n = strlen(name);

	if (len > 2 && line[0] == '#')
		line += 2, len -= 2;
	return len > 7 + n && memcmp(line, "CONFIG_", 7) == 0 &&
	       memcmp(line + 7, name, n) == 0 &&
	       (line[7 + n] == '=' || line[7 + n] == ' ');
}

/* Symbols that could be asked for in B, in the order of B's .config. */
static int print_fragment(const struct diff *d)
{
	const char *line;
	char *text;
	size_t len, i;

	if (lkc_config_format(d->b.config, LKC_FORMAT_CONFIG, &text, &len))
		return out_of_memory();
	for (line = text; *line; line += len + (line[len] != '\0')) {
		len = strcspn(line, "\n");
		for (i = 0; i < d->items.n; i++) {
			lkc_sym sym = d->items.v[i].sym;

			if (lkc_visibility(d->b.config, sym) != LKC_NO &&
			    line_is_about(line, len, lkc_sym_name(
						d->session.tree, sym))) {
				printf("%.*s\n", (int)len, line);
				break;
			}
		}
	}
	free(text);
	return EXIT_DONE;
}

static int diff(struct diff *d)
{
	int status = session_open(&d->session, &d->o->common);

	if (!status)
		status = read_side(d, &d->a);
	if (!status)
		status = read_side(d, &d->b);
	if (!status)
		status = compare(d);
	if (status)
		return status;
	return d->o->common.json ? print_json(d) :
	       d->o->fragment ? print_fragment(d) : print_text(d);
}

static void free_side(struct side *s)
{
	lkc_config_free(s->config);
	lines_free(&s->lines);
	free(s->path);
}

static int run(void *values, const struct opts *o)
{
	struct diff d = { .o = values };
	int status;

	term_init(&d.term, &d.o->common);
	d.a.path = session_absolute(o->args[0]);
	d.b.path = session_absolute(o->args[1]);
	status = d.a.path && d.b.path ? diff(&d) : out_of_memory();
	free_side(&d.a);
	free_side(&d.b);
	vec_free(&d.items);
	session_close(&d.session);
	return status;
}

const struct cmd cmd_diff = {
	.name = "diff",
	.summary = "what differs in effect between two configurations",
	.args = "A B",
	.about =
"Compares two configurations (each a .config, a defconfig or a fragment) by what\n"
"they come to in this tree: what B asks for, what A had and B has lost, and what\n"
"merely follows. With --fragment, prints what makes B of A.\n",
	.opts = options,
	.size = sizeof(struct diff_options),
	.min_args = 2,
	.max_args = 2,
	.run = run,
};
