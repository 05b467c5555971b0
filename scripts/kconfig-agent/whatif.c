// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "json.h"
#include "term.h"
#include "text.h"
#include "whatif.h"

#define NEAR_MAX 3

static const char *without_prefix(const char *name)
{
	return strncmp(name, "CONFIG_", 7) == 0 ? name + 7 : name;
}

int wish_parse(const char *arg, struct arena *memory, struct wish *wish,
	       struct strbuf *why)
{
	const char *name = without_prefix(arg), *equals = strchr(name, '=');
	size_t len = equals ? (size_t)(equals - name) : strlen(name);
	const char *value = equals ? equals + 1 : NULL;
	size_t n = value ? strlen(value) : 0;

	if (!len) {
		strbuf_addf(why, "\"%s\" names no symbol; say SYMBOL=value", arg);
		return -EINVAL;
	}
	if (n >= 2 && value[0] == '"' && value[n - 1] == '"') {
		value++;
		n -= 2;
	}
	wish->name = arena_strndup(memory, name, len);
	wish->value = value ? arena_strndup(memory, value, n) : NULL;
	wish->from = NULL;
	return wish->name && (wish->value || !value) ? 0 : -ENOMEM;
}

lkc_sym whatif_find(const struct lkc_tree *tree, const char *name)
{
	lkc_sym near[NEAR_MAX], sym = lkc_sym_find(tree, without_prefix(name));
	struct strbuf b = {0};
	size_t i, n;

	if (sym != LKC_NONE && lkc_sym_is_config(tree, sym))
		return sym;
	n = lkc_sym_nearest(tree, without_prefix(name), near, NEAR_MAX);
	strbuf_addf(&b, "there is no symbol %s in this kernel",
		    without_prefix(name));
	for (i = 0; i < n; i++)
		strbuf_addf(&b, "%s%s", i ? i + 1 == n ? " or " : ", " :
			    "; did you mean ", lkc_sym_name(tree, near[i]));
	if (n)
		strbuf_addch(&b, '?');
	term_error("%s", strbuf_str(&b));
	strbuf_free(&b);
	return LKC_NONE;
}

/* ---- requests ------------------------------------------------------------ */

static void print_clean(const char *text)
{
	char *line = text_line(text, 0);

	fputs(line ? line : "?", stdout);
	free(line);
}

void whatif_print_request(const struct term *t, const struct lkc_request *q,
			  const struct wish *wish)
{
	bool holds = lkc_verdict_holds(q->verdict);

	printf("  %s%s%s  ", term_style(t, holds ? TERM_GOOD : TERM_BAD),
	       holds ? "yes" : "no ", term_style(t, TERM_PLAIN));
	print_clean(q->name);
	putchar('=');
	print_clean(q->want ? q->want : "(default)");
	if (q->verdict == LKC_V_ALREADY)
		printf("  it was so already");
	else if (holds)
		printf("  was %s", *q->before ? q->before : "unset");
	else
		printf("  %s; it is %s", lkc_verdict_name(q->verdict),
		       *q->got ? q->got : "unset");
	if (wish && wish->from)
		printf("  (%s)", wish->from);
	putchar('\n');
	if (!holds && *q->reason) {
		printf("       ");
		print_clean(q->reason);
		putchar('\n');
	}
}

struct json *whatif_request_json(const struct lkc_request *q,
				 const struct wish *wish)
{
	struct json *j = json_new_object();

	json_set_str(j, "name", q->name);
	json_set_str(j, "want", q->want);
	json_set_str(j, "before", q->before);
	json_set_str(j, "value", q->got);
	json_set_str(j, "verdict", lkc_verdict_name(q->verdict));
	json_set_bool(j, "holds", lkc_verdict_holds(q->verdict));
	json_set_str(j, "reason", q->reason);
	if (wish && wish->from)
		json_set_str(j, "from", wish->from);
	return j;
}

/* ---- changes ------------------------------------------------------------- */

static void print_change(const struct lkc_change *c, const struct lkc_tree *tree)
{
	printf("  %-26s %s -> %s", lkc_sym_name(tree, c->sym),
	       *c->before ? c->before : "\"\"", *c->after ? c->after : "\"\"");
	if (c->cause != LKC_NONE && lkc_sym_name(tree, c->cause))
		printf("  because of %s", lkc_sym_name(tree, c->cause));
	putchar('\n');
}

static bool is_shown(const struct lkc_change *c, const struct lkc_tree *tree,
		     bool lost)
{
	return c->request < 0 && c->lost == lost && lkc_sym_name(tree, c->sym) &&
	       lkc_sym_is_config(tree, c->sym);
}

static void print_some(const struct term *t, const struct lkc_txn *txn,
		       const struct lkc_tree *tree, bool lost, size_t max)
{
	size_t i, n = 0;

	for (i = 0; i < lkc_txn_changes(txn); i++) {
		const struct lkc_change *c = lkc_txn_change(txn, i);

		if (!is_shown(c, tree, lost))
			continue;
		if (!n++)
			printf("%s%s%s\n", term_style(t, TERM_BOLD), lost ?
			       "Lost, although the configuration asks for it" :
			       "Follows from it", term_style(t, TERM_PLAIN));
		if (!max || n <= max)
			print_change(c, tree);
	}
	if (max && n > max)
		printf("  and %zu more; -v shows all\n", n - max);
}

void whatif_print_changes(const struct term *t, const struct lkc_txn *txn,
			  const struct lkc_tree *tree, size_t max)
{
	print_some(t, txn, tree, true, max);
	print_some(t, txn, tree, false, max);
}

struct json *whatif_changes_json(const struct lkc_txn *txn,
				 const struct lkc_tree *tree)
{
	struct json *list = json_new_array();
	size_t i;

	for (i = 0; i < lkc_txn_changes(txn); i++) {
		const struct lkc_change *c = lkc_txn_change(txn, i);
		struct json *j;

		if (!lkc_sym_name(tree, c->sym) || !lkc_sym_is_config(tree, c->sym))
			continue;
		j = json_new_object();
		json_set_str(j, "name", lkc_sym_name(tree, c->sym));
		json_set_str(j, "before", c->before);
		json_set_str(j, "after", c->after);
		json_set_bool(j, "requested", c->request >= 0);
		json_set_bool(j, "lost", c->lost);
		json_set_str(j, "cause", c->cause == LKC_NONE ? NULL :
			     lkc_sym_name(tree, c->cause));
		json_append(list, j);
	}
	return list;
}

/* ---- repairs ------------------------------------------------------------- */

static void print_repair(const struct lkc_repair *r, const struct lkc_tree *tree,
			 size_t number)
{
	size_t i;

	printf("  %zu. ", number);
	for (i = 0; i < r->n_changes; i++)
		printf("%s%s=%s", i ? " " : "",
		       lkc_sym_name(tree, r->changes[i].sym), r->changes[i].to);
	printf("\n     %zu beside what was asked for", r->further);
	if (r->derived)
		printf("; %zu follow", r->derived);
	if (r->lost)
		printf("; %zu that the configuration asks for would be lost",
		       r->lost);
	putchar('\n');
}

void whatif_print_repairs(const struct term *t, const struct lkc_repairs *r,
			  const struct lkc_tree *tree)
{
	size_t i;

	switch (lkc_repairs_resolution(r)) {
	case LKC_R_FOUND:
		printf("%sWays to get there, %s%s\n", term_style(t, TERM_BOLD),
		       lkc_repairs_proved(r) ? "the first with the fewest changes" :
		       "best first, though a limit was reached",
		       term_style(t, TERM_PLAIN));
		for (i = 0; i < lkc_repairs_count(r); i++)
			print_repair(lkc_repairs_get(r, i), tree, i + 1);
		break;
	case LKC_R_IMPOSSIBLE:
		printf("%sThere is no way: these cannot all be met%s\n",
		       term_style(t, TERM_BOLD), term_style(t, TERM_PLAIN));
		for (i = 0; i < lkc_repairs_conflicts(r); i++) {
			printf("  - ");
			print_clean(lkc_repairs_conflict(r, i)->text);
			putchar('\n');
		}
		break;
	default:
		printf("No way was found before the search reached its limit; there may be one\n");
		break;
	}
}

static struct json *repair_json(const struct lkc_repair *r,
				const struct lkc_tree *tree)
{
	struct json *j = json_new_object(), *list, *change;
	size_t i;

	list = json_set_array(j, "changes");
	for (i = 0; i < r->n_changes; i++) {
		change = json_new_object();
		json_set_str(change, "name",
			     lkc_sym_name(tree, r->changes[i].sym));
		json_set_str(change, "before", r->changes[i].before);
		json_set_str(change, "to", r->changes[i].to);
		json_set_bool(change, "requested", r->changes[i].requested);
		json_append(list, change);
	}
	json_set_int(j, "further", r->further);
	json_set_int(j, "derived", r->derived);
	json_set_int(j, "lost", r->lost);
	return j;
}

struct json *whatif_repairs_json(const struct lkc_repairs *r,
				 const struct lkc_tree *tree)
{
	static const char *const names[] = {
		[LKC_R_FOUND] = "found", [LKC_R_IMPOSSIBLE] = "impossible",
		[LKC_R_UNDECIDED] = "undecided",
	};
	struct json *j = json_new_object(), *list;
	size_t i;

	json_set_str(j, "resolution", names[lkc_repairs_resolution(r)]);
	json_set_bool(j, "proved", lkc_repairs_proved(r));
	list = json_set_array(j, "answers");
	for (i = 0; i < lkc_repairs_count(r); i++)
		json_append(list, repair_json(lkc_repairs_get(r, i), tree));
	list = json_set_array(j, "conflicts");
	for (i = 0; i < lkc_repairs_conflicts(r); i++)
		json_append(list, json_new_str(lkc_repairs_conflict(r, i)->text));
	return j;
}
