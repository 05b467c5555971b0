// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconfig-agent groups - the questions that a run would ask
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd-json.h"
#include "cmd.h"
#include "group.h"
#include "json.h"
#include "menupath.h"
#include "opts.h"
#include "session.h"
#include "symjson.h"
#include "term.h"
#include "text.h"
#include "walk.h"
#include "whatif.h"

struct groups_options {
	struct opts_common common;
	struct opt_list scope;
};

static const struct opt options[] = {
	{ .name = "scope", .letter = 's', .arg = "MENU", .type = OPT_LIST,
	  .offset = offsetof(struct groups_options, scope),
	  .help = "only this menu and what is below it; may be repeated" },
	{ .name = NULL },
};

struct groups {
	const struct groups_options *o;
	struct session session;
	struct term term;
	struct walk *walk;
	struct json *list;	/* with --json */
	size_t groups, symbols;
};

static int out_of_memory(void)
{
	term_error("out of memory");
	return EXIT_INPUT;
}

static int set_scope(struct groups *g)
{
	struct strbuf why = {0};
	lkc_menu m = LKC_NONE;
	size_t i;

	for (i = 0; i < g->o->scope.n; i++) {
		m = menupath_find(g->session.tree, g->o->scope.v[i], &why);
		if (m == LKC_NONE) {
			term_error("%s", strbuf_str(&why));
			strbuf_free(&why);
			return EXIT_USAGE;
		}
		walk_scope(g->walk, m);
	}
	strbuf_free(&why);
	return EXIT_DONE;
}

static void add_json(struct groups *g, const struct group *q, const char *path)
{
	const struct lkc_tree *tree = g->session.tree;
	struct json *j = json_new_object(), *items, *item;
	size_t i;

	json_set_str(j, "kind", group_kind_name(q->kind));
	json_set_str(j, "menu", path);
	items = json_set_array(j, "items");
	for (i = 0; i < q->n; i++) {
		if (q->kind == GROUP_MENU) {
			item = json_new_object();
			json_set_str(item, "prompt", lkc_menu_prompt(tree,
						q->items[i].entry));
			if (q->items[i].sym != LKC_NONE)
				json_set_str(item, "name", lkc_sym_name(tree,
							q->items[i].sym));
		} else {
			item = symjson_new(g->session.config, q->items[i].sym);
		}
		json_append(items, item);
	}
	json_append(g->list, j);
}

static void print_group(struct groups *g, const struct group *q,
			const char *path)
{
	const struct lkc_tree *tree = g->session.tree;
	size_t i;

	printf("%s%-6s%s %s\n", term_style(&g->term, TERM_BOLD),
	       group_kind_name(q->kind), term_style(&g->term, TERM_PLAIN),
	       *path ? path : lkc_tree_title(tree));
	if (g->o->common.quiet)
		return;
	for (i = 0; i < q->n; i++) {
		const char *prompt = lkc_menu_prompt(tree, q->items[i].entry);
		char *line = text_line(prompt ? prompt : "", 0);

		if (q->items[i].sym == LKC_NONE)
			printf("         %s\n", line ? line : "?");
		else
			printf("         %s=%s  %s\n",
			       lkc_sym_name(tree, q->items[i].sym) ?
			       lkc_sym_name(tree, q->items[i].sym) : "choice",
			       lkc_value(g->session.config, q->items[i].sym),
			       line ? line : "?");
		free(line);
	}
}

static int list_groups(struct groups *g)
{
	struct group q = {0};
	size_t i;
	int got;

	while ((got = walk_next(g->walk, &q)) > 0) {
		struct strbuf path = {0}, clean = {0};

		menupath_add(&path, g->session.tree, q.menu);
		text_add(&clean, strbuf_str(&path), 0);
		g->groups++;
		if (q.kind != GROUP_MENU)
			g->symbols += q.n;
		if (g->list)
			add_json(g, &q, strbuf_str(&clean));
		else
			print_group(g, &q, strbuf_str(&clean));
		strbuf_free(&path);
		strbuf_free(&clean);
		for (i = 0; q.kind == GROUP_MENU && i < q.n; i++)
			walk_decide(g->walk, q.items[i].entry, WALK_OPEN, NULL);
		walk_group_free(&q);
	}
	return got < 0 ? out_of_memory() : EXIT_DONE;
}

static int groups(struct groups *g)
{
	struct json *top = NULL;
	int status;

	if (walk_new(g->session.config, &g->walk))
		return out_of_memory();
	status = set_scope(g);
	if (!status && g->o->common.json) {
		top = json_new_object();
		g->list = json_set_array(top, "groups");
	}
	if (!status)
		status = list_groups(g);
	if (top) {
		json_set_int(top, "symbols", g->symbols);
		return cmd_print_json(top) ? EXIT_INPUT : status;
	}
	if (!status && !g->o->common.quiet)
		printf("%zu questions about %zu symbols, if all menus are opened\n",
		       g->groups, g->symbols);
	return status;
}

static int run(void *values, const struct opts *o)
{
	struct groups g = { .o = values };
	int status;

	(void)o;
	term_init(&g.term, &g.o->common);
	status = session_open(&g.session, &g.o->common);
	if (!status)
		status = session_read_base(&g.session, &g.o->common);
	if (!status)
		status = groups(&g);
	walk_free(g.walk);
	session_close(&g.session);
	return status;
}

const struct cmd cmd_groups = {
	.name = "groups",
	.summary = "the questions that a run would ask",
	.args = "",
	.about =
"Lists the questions of a run, in order, as they would be if every menu were found\n"
"to matter and nothing were changed on the way.\n",
	.opts = options,
	.size = sizeof(struct groups_options),
	.run = run,
};
