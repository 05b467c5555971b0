// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconfig-agent show - what the tree says of symbols
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd-json.h"
#include "cmd.h"
#include "json.h"
#include "menupath.h"
#include "opts.h"
#include "session.h"
#include "symjson.h"
#include "term.h"
#include "text.h"
#include "whatif.h"

#define LISTED_MAX 12	/* selectors that are shown without -v */

struct show_options {
	struct opts_common common;
};

static const struct opt options[] = {
	{ .name = NULL },
};

struct show {
	const struct show_options *o;
	struct session session;
	struct term term;
};

static const char *const kinds[] = {
	[LKC_PROP_SELECT] = "selects", [LKC_PROP_IMPLY] = "implies",
	[LKC_PROP_DEFAULT] = "default", [LKC_PROP_RANGE] = "range",
};

static void print_text(const char *text)
{
	char *line = text_line(text, 0);

	fputs(line ? line : "?", stdout);
	free(line);
}

static void print_expr(const struct show *s, const char *label, lkc_expr e)
{
	char *text;

	if (lkc_expr_is_const(s->session.tree, e, LKC_YES))
		return;
	text = lkc_expr_text(s->session.tree, e, s->session.config);
	printf("  %-12s ", label);
	print_text(text);
	putchar('\n');
	free(text);
}

/* ---- properties ----------------------------------------------------------- */

/* The object of a property: a symbol, a value, or two bounds. */
static void prop_object(const struct lkc_tree *tree, const struct lkc_prop *p,
			struct strbuf *b)
{
	char *a, *z;

	switch (p->kind) {
	case LKC_PROP_DEFAULT:
		a = lkc_expr_text(tree, p->value, NULL);
		strbuf_addstr(b, a ? a : "?");
		free(a);
		break;
	case LKC_PROP_RANGE:
		a = lkc_sym_text(tree, p->low, NULL);
		z = lkc_sym_text(tree, p->high, NULL);
		strbuf_addf(b, "%s to %s", a ? a : "?", z ? z : "?");
		free(a);
		free(z);
		break;
	default:
		strbuf_addstr(b, lkc_sym_name(tree, p->target));
		break;
	}
}

static void print_prop(const struct show *s, const struct lkc_prop *p)
{
	struct strbuf b = {0};
	char *cond;

	prop_object(s->session.tree, p, &b);
	if (!lkc_expr_is_const(s->session.tree, p->cond, LKC_YES)) {
		cond = lkc_expr_text(s->session.tree, p->cond,
				     s->session.config);
		strbuf_addf(&b, " if %s", cond ? cond : "?");
		free(cond);
	}
	printf("  %-12s ", kinds[p->kind]);
	print_text(strbuf_str(&b));
	printf("  %s%s:%u%s\n", term_style(&s->term, TERM_DIM), p->place.file,
	       p->place.line, term_style(&s->term, TERM_PLAIN));
	strbuf_free(&b);
}

static struct json *prop_json(const struct lkc_tree *tree,
			      const struct lkc_prop *p)
{
	struct json *j = json_new_object();
	struct strbuf b = {0};
	char *cond = lkc_expr_text(tree, p->cond, NULL);

	prop_object(tree, p, &b);
	json_set_str(j, "kind", kinds[p->kind]);
	json_set_str(j, "what", strbuf_str(&b));
	json_set_str(j, "if", cond);
	json_set_str(j, "file", p->place.file);
	json_set_int(j, "line", p->place.line);
	free(cond);
	strbuf_free(&b);
	return j;
}

static void print_selectors(const struct show *s, lkc_sym sym)
{
	const struct lkc_tree *tree = s->session.tree;
	size_t i, n = lkc_sym_reverse(tree, sym);

	for (i = 0; i < n; i++) {
		struct lkc_prop p;

		if (i == LISTED_MAX && !s->o->common.verbose) {
			printf("  %-12s %zu more; -v shows all\n", "", n - i);
			break;
		}
		lkc_sym_reverse_prop(tree, sym, i, &p);
		printf("  %-12s %s [=%s]", p.kind == LKC_PROP_SELECT ?
		       "selected by" : "implied by", lkc_sym_name(tree, p.sym),
		       lkc_value(s->session.config, p.sym));
		printf("  %s%s:%u%s\n", term_style(&s->term, TERM_DIM),
		       p.place.file, p.place.line,
		       term_style(&s->term, TERM_PLAIN));
	}
}

/* ---- a symbol ------------------------------------------------------------- */

static void print_help(const struct show *s, lkc_sym sym)
{
	const char *help = lkc_sym_help(s->session.tree, sym);
	struct strbuf b = {0};
	const char *line;

	if (!help || !*help)
		return;
	text_add_lines(&b, help, strlen(help));
	putchar('\n');
	for (line = strbuf_str(&b); *line; line += strspn(line, "\n") ? 1 : 0) {
		size_t n = strcspn(line, "\n");

		printf("%s%.*s\n", n ? "    " : "", (int)n, line);
		line += n;
	}
	strbuf_free(&b);
}

static void print_values(const struct show *s, lkc_sym sym)
{
	const struct lkc_config *c = s->session.config;
	const char *asked = lkc_user_value(c, sym);
	struct lkc_place place;
	int64_t low, high;

	printf("  %-12s %s (%s)", "value", *lkc_value(c, sym) ?
	       lkc_value(c, sym) : "\"\"",
	       lkc_origin_name(lkc_value_origin(c, sym)));
	if (asked && strcmp(asked, lkc_value(c, sym)) != 0)
		printf(", although %s is asked for", asked);
	putchar('\n');
	if (lkc_range(c, sym, &low, &high, &place))
		printf("  %-12s %lld to %lld\n", "in force", (long long)low,
		       (long long)high);
}

static int show_text(const struct show *s, lkc_sym sym)
{
	const struct lkc_tree *tree = s->session.tree;
	const char *prompt = lkc_sym_prompt(tree, sym);
	struct strbuf path = {0};
	size_t i;

	printf("%s%s%s  %s", term_style(&s->term, TERM_BOLD),
	       lkc_sym_name(tree, sym), term_style(&s->term, TERM_PLAIN),
	       lkc_type_name(lkc_sym_type(tree, sym)));
	if (prompt) {
		printf("  \"");
		print_text(prompt);
		putchar('"');
	}
	putchar('\n');
	print_values(s, sym);
	for (i = 0; i < lkc_sym_entries(tree, sym); i++) {
		lkc_menu entry = lkc_sym_entry(tree, sym, i);
		struct lkc_place place;

		lkc_menu_place(tree, entry, &place);
		strbuf_reset(&path);
		menupath_add(&path, tree, entry);
		printf("  %-12s %s:%u", i ? "" : "defined", place.file,
		       place.line);
		if (path.len) {
			printf("  in ");
			print_text(strbuf_str(&path));
		}
		putchar('\n');
	}
	strbuf_free(&path);
	print_expr(s, "depends on", lkc_sym_depends(tree, sym));
	for (i = 0; i < lkc_sym_props(tree, sym); i++) {
		struct lkc_prop p;

		lkc_sym_prop(tree, sym, i, &p);
		print_prop(s, &p);
	}
	print_selectors(s, sym);
	print_help(s, sym);
	return EXIT_DONE;
}

static struct json *show_json(const struct show *s, lkc_sym sym)
{
	const struct lkc_tree *tree = s->session.tree;
	struct json *j = symjson_new(s->session.config, sym), *list;
	char *depends = lkc_expr_text(tree, lkc_sym_depends(tree, sym), NULL);
	struct lkc_prop p;
	size_t i;

	json_set_str(j, "depends", depends);
	free(depends);
	list = json_set_array(j, "properties");
	for (i = 0; i < lkc_sym_props(tree, sym); i++) {
		lkc_sym_prop(tree, sym, i, &p);
		json_append(list, prop_json(tree, &p));
	}
	list = json_set_array(j, "reverse");
	for (i = 0; i < lkc_sym_reverse(tree, sym); i++) {
		struct json *item = json_new_object();

		lkc_sym_reverse_prop(tree, sym, i, &p);
		json_set_str(item, "kind", p.kind == LKC_PROP_SELECT ?
			     "selected by" : "implied by");
		json_set_str(item, "name", lkc_sym_name(tree, p.sym));
		json_set_str(item, "value", lkc_value(s->session.config, p.sym));
		json_set_str(item, "file", p.place.file);
		json_set_int(item, "line", p.place.line);
		json_append(list, item);
	}
	json_set_str(j, "help", lkc_sym_help(tree, sym));
	return j;
}

static int show_all(struct show *s, const struct opts *o)
{
	struct json *list = NULL, *top = NULL;
	int status = EXIT_DONE;
	size_t i;

	if (s->o->common.json) {
		top = json_new_object();
		list = json_set_array(top, "symbols");
	}
	for (i = 0; i < o->n_args; i++) {
		lkc_sym sym = whatif_find(s->session.tree, o->args[i]);

		if (sym == LKC_NONE) {
			status = EXIT_INVALID;
		} else if (list) {
			json_append(list, show_json(s, sym));
		} else {
			if (i)
				putchar('\n');
			show_text(s, sym);
		}
	}
	if (top && cmd_print_json(top))
		status = EXIT_INPUT;
	return status;
}

static int run(void *values, const struct opts *o)
{
	struct show s = { .o = values };
	int status;

	term_init(&s.term, &s.o->common);
	status = session_open(&s.session, &s.o->common);
	if (!status)
		status = session_read_base(&s.session, &s.o->common);
	if (!status)
		status = show_all(&s, o);
	session_close(&s.session);
	return status;
}

const struct cmd cmd_show = {
	.name = "show",
	.summary = "what the tree says of a symbol",
	.args = "SYMBOL...",
	.about =
"Shows symbols with their values, where they are defined, what they depend on,\n"
"their defaults and ranges, what they select and what selects them, and their\n"
"help.\n",
	.opts = options,
	.size = sizeof(struct show_options),
	.min_args = 1,
	.max_args = 10000,
	.run = run,
};
