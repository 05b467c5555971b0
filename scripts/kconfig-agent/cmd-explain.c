// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconfig-agent explain - why a symbol has its value, or not another one
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd-json.h"
#include "cmd.h"
#include "json.h"
#include "opts.h"
#include "session.h"
#include "symjson.h"
#include "term.h"
#include "text.h"
#include "whatif.h"

#define CHANGES_SHOWN 10

struct explain_options {
	struct opts_common common;
};

static const struct opt options[] = {
	{ .name = NULL },
};

struct explain {
	const struct explain_options *o;
	struct session session;
	struct term term;
	struct wish wish;
	lkc_sym sym;
};

static int out_of_memory(void)
{
	term_error("out of memory");
	return EXIT_INPUT;
}

/* ---- a tree of reasons ---------------------------------------------------- */

static void print_why(const struct explain *e, const struct lkc_why *why)
{
	size_t i;

	for (i = 0; i < lkc_why_nodes(why); i++) {
		const struct lkc_why_node *n = lkc_why_node(why, i);
		char *line = text_line(n->text, 0);

		printf("%*s%s%s%s", n->depth * 2, "",
		       term_style(&e->term, n->depth ? TERM_PLAIN : TERM_BOLD),
		       line ? line : "?", term_style(&e->term, TERM_PLAIN));
		if (n->place.file)
			printf("  %s%s:%u%s", term_style(&e->term, TERM_DIM),
			       n->place.file, n->place.line,
			       term_style(&e->term, TERM_PLAIN));
		putchar('\n');
		free(line);
	}
}

static struct json *why_json(const struct lkc_tree *tree,
			     const struct lkc_why *why)
{
	struct json *list = json_new_array();
	size_t i;

	for (i = 0; i < lkc_why_nodes(why); i++) {
		const struct lkc_why_node *n = lkc_why_node(why, i);
		struct json *j = json_new_object();

		json_set_int(j, "depth", n->depth);
		json_set_str(j, "kind", lkc_why_kind_name(n->kind));
		if (n->sym != LKC_NONE && lkc_sym_name(tree, n->sym))
			json_set_str(j, "symbol", lkc_sym_name(tree, n->sym));
		json_set_str(j, "text", n->text);
		if (n->place.file) {
			json_set_str(j, "file", n->place.file);
			json_set_int(j, "line", n->place.line);
		}
		json_append(list, j);
	}
	return list;
}

/* ---- the value that it has ------------------------------------------------ */

static int explain_value(struct explain *e)
{
	const struct lkc_config *c = e->session.config;
	struct lkc_why *why;
	struct json *j;
	int status = EXIT_DONE;

	if (lkc_why(c, e->sym, &why))
		return out_of_memory();
	if (e->o->common.json) {
		j = symjson_new(c, e->sym);
		json_set(j, "why", why_json(e->session.tree, why));
		status = cmd_print_json(j);
	} else {
		print_why(e, why);
	}
	lkc_why_free(why);
	return status;
}

/* ---- another value -------------------------------------------------------- */

static bool tri_of(const char *value, enum lkc_tri *out)
{
	static const char *const names[] = { "n", "m", "y" };
	size_t i;

	for (i = 0; i < 3; i++) {
		if (strcmp(value, names[i]) == 0) {
			*out = i;
			return true;
		}
	}
	return false;
}

/* What stands in the way, if it is that the value is too low. */
static int find_obstacles(struct explain *e, const struct lkc_request *q,
			  struct lkc_why **why)
{
	enum lkc_type type = lkc_sym_type(e->session.tree, e->sym);
	enum lkc_tri want;

	*why = NULL;
	if (lkc_verdict_holds(q->verdict) || !tri_of(q->want, &want) ||
	    (type != LKC_BOOL && type != LKC_TRISTATE) ||
	    lkc_value_tri(e->session.config, e->sym) >= want)
		return 0;
	return lkc_why_not(e->session.config, e->sym, want, why);
}

static int find_repairs(struct explain *e, struct lkc_repairs **repairs)
{
	struct lkc_want want = { e->wish.name, e->wish.value };

	return lkc_resolve(e->session.config, &want, 1, NULL, repairs);
}

static int print_other(struct explain *e, const struct lkc_txn *txn,
		       const struct lkc_why *why,
		       const struct lkc_repairs *repairs)
{
	const struct lkc_request *q = lkc_txn_request(txn, 0);
	struct json *j;

	if (e->o->common.json) {
		j = symjson_new(e->session.config, e->sym);
		json_set(j, "request", whatif_request_json(q, NULL));
		json_set(j, "changes", whatif_changes_json(txn, e->session.tree));
		if (why)
			json_set(j, "why_not", why_json(e->session.tree, why));
		if (repairs)
			json_set(j, "repairs", whatif_repairs_json(repairs,
							e->session.tree));
		return cmd_print_json(j);
	}
	whatif_print_request(&e->term, q, NULL);
	if (why) {
		printf("%sWhat stands in the way%s\n",
		       term_style(&e->term, TERM_BOLD),
		       term_style(&e->term, TERM_PLAIN));
		print_why(e, why);
	}
	if (repairs)
		whatif_print_repairs(&e->term, repairs, e->session.tree);
	else
		whatif_print_changes(&e->term, txn, e->session.tree,
				     e->o->common.verbose ? 0 : CHANGES_SHOWN);
	return EXIT_DONE;
}

static int explain_other(struct explain *e)
{
	struct lkc_repairs *repairs = NULL;
	struct lkc_why *why = NULL;
	const struct lkc_request *q;
	struct lkc_txn *txn;
	int err, status = EXIT_INPUT;
	bool holds;

	if (lkc_txn_begin(e->session.config, &txn))
		return out_of_memory();
	err = lkc_txn_set(txn, e->wish.name, e->wish.value);
	if (err >= 0)
		err = lkc_txn_prepare(txn);
	if (err < 0 && err != LKC_EREJECTED) {
		lkc_txn_abort(txn);
		return out_of_memory();
	}
	q = lkc_txn_request(txn, 0);
	holds = lkc_verdict_holds(q->verdict);
	err = find_obstacles(e, q, &why);
	if (!err && !holds) {
		/* it has to be looked for from where we are */
		lkc_txn_drop_rejected(txn);
		err = find_repairs(e, &repairs);
	}
	if (err)
		out_of_memory();
	else
		status = print_other(e, txn, why, repairs);
	lkc_why_free(why);
	lkc_repairs_free(repairs);
	lkc_txn_abort(txn);
	return status ? status : holds ? EXIT_DONE : EXIT_INVALID;
}

static int explain(struct explain *e, const struct opts *o, struct arena *memory)
{
	struct strbuf why = {0};
	int err = wish_parse(o->args[0], memory, &e->wish, &why);
	int status;

	if (err)
		term_error("%s", err == -ENOMEM ? "out of memory" :
			   strbuf_str(&why));
	strbuf_free(&why);
	if (err)
		return err == -ENOMEM ? EXIT_INPUT : EXIT_USAGE;
	status = session_open(&e->session, &e->o->common);
	if (!status)
		status = session_read_base(&e->session, &e->o->common);
	if (status)
		return status;
	e->sym = whatif_find(e->session.tree, e->wish.name);
	if (e->sym == LKC_NONE)
		return EXIT_INVALID;
	return e->wish.value ? explain_other(e) : explain_value(e);
}

static int run(void *values, const struct opts *o)
{
	struct explain e = { .o = values };
	struct arena memory = {0};
	int status;

	term_init(&e.term, &e.o->common);
	status = explain(&e, o, &memory);
	session_close(&e.session);
	arena_free(&memory);
	return status;
}

const struct cmd cmd_explain = {
	.name = "explain",
	.summary = "why a symbol has its value, or what stands in the way of another",
	.args = "SYMBOL[=VALUE]",
	.about =
"Tells what decides the value of a symbol, and what decides that: what the\n"
"configuration asks for, defaults, selects, dependencies, choices, ranges, and\n"
"what the build tools answered. With a value, tells what stands between the\n"
"symbol and that value, and the smallest sets of changes that get there.\n"
"Nothing is written; the exit status is 3 if the value cannot just be set.\n",
	.opts = options,
	.size = sizeof(struct explain_options),
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
