// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconfig-agent check - is a configuration what it seems to be?
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "cmd-json.h"
#include "cmd.h"
#include "json.h"
#include "lines.h"
#include "opts.h"
#include "session.h"
#include "term.h"
#include "text.h"
#include "whatif.h"

#define SHOWN_MAX 20	/* findings of a kind that are shown without -v */

struct check_options {
	struct opts_common common;
	const char *against;
};

#define CHECK(member) offsetof(struct check_options, member)

static const struct opt options[] = {
	{ .name = "against", .arg = "FILE", .type = OPT_TEXT,
	  .offset = CHECK(against),
	  .help = "a defconfig or fragment whose requests have to hold, too" },
	{ .name = NULL },
};

/* What may be wrong. */
enum finding_kind {
	FOUND_UNKNOWN,		/* no such symbol */
	FOUND_BAD_LINE,
	FOUND_DUPLICATE,	/* set twice, to different values */
	FOUND_RANGE,
	FOUND_TYPE,
	FOUND_DEAD,		/* the line has no effect */
	FOUND_MISSING,		/* a question that the file does not answer */
	FOUND_UNMET,		/* a select whose target has unmet dependencies */
	FOUND_LOST,		/* a request of the second file */
	FOUND_KINDS
};

/* @fault: makes the file invalid, and the exit status 3. */
static const struct {
	const char *name, *title;
	bool fault;
} kinds[FOUND_KINDS] = {
	[FOUND_UNKNOWN] = { "unknown", "Unknown symbols", true },
	[FOUND_BAD_LINE] = { "bad-line", "Lines that say nothing", true },
	[FOUND_DUPLICATE] = { "duplicate", "Set more than once", true },
	[FOUND_RANGE] = { "out-of-range", "Out of range", true },
	[FOUND_TYPE] = { "type", "Values that do not fit", true },
	[FOUND_DEAD] = { "dead", "Lines without effect", true },
	[FOUND_MISSING] = { "missing",
			    "Questions without an answer: defaults are taken",
			    false },
	[FOUND_UNMET] = { "unmet", "Selected against their dependencies",
			  false },
	[FOUND_LOST] = { "lost", "Requests that do not hold", true },
};

struct finding {
	enum finding_kind kind;
	const char *name;	/* of the symbol, or NULL */
	const char *file;	/* or NULL */
	unsigned int line;
	const char *text;
};

struct check {
	const struct check_options *o;
	struct session session;
	struct term term;
	char *path;
	char *against_path;
	char *text;
	size_t len;
	struct lines lines, against;
	struct arena memory;
	struct { VEC(struct finding); } found;
	size_t count[FOUND_KINDS];
	bool fixed_point;
	bool whole;		/* it has all that a .config has */
	bool failed;		/* out of memory */
};

static int out_of_memory(void)
{
	term_error("out of memory");
	return EXIT_INPUT;
}

__attribute__((format(printf, 5, 6)))
static void found(struct check *k, enum finding_kind kind, const char *name,
		  const struct line *line, const char *fmt, ...)
{
	struct finding f = { .kind = kind, .name = name };
	struct strbuf b = {0};
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&b, fmt, ap);
	va_end(ap);
	f.text = arena_strdup(&k->memory, strbuf_str(&b));
	strbuf_free(&b);
	if (line) {
		f.file = line->file;
		f.line = line->number;
	}
	if (!f.text || !vec_push(&k->found, f))
		k->failed = true;
	k->count[kind]++;
}

/* ---- lines ---------------------------------------------------------------- */

/* What Kconfig's rules make of the request in @line. */
static void judge_line(struct check *k, const struct line *line,
		       enum finding_kind otherwise)
{
	const struct lkc_request *q;
	enum finding_kind kind;
	struct lkc_txn *txn;
	int err;

	if (lkc_txn_begin(k->session.config, &txn)) {
		k->failed = true;
		return;
	}
	err = lkc_txn_set(txn, line->name, line->value);
	if (err >= 0)
		err = lkc_txn_prepare(txn);
	if (err >= 0 || err == LKC_EREJECTED) {
		q = lkc_txn_request(txn, 0);
		kind = q->verdict == LKC_V_UNKNOWN ? FOUND_UNKNOWN :
		       q->verdict == LKC_V_OUT_OF_RANGE ? FOUND_RANGE :
		       q->verdict == LKC_V_TYPE ? FOUND_TYPE : otherwise;
		if (otherwise == FOUND_LOST)
			kind = FOUND_LOST;
		found(k, kind, line->name, line, "%s=%s: %s%s%s", line->name,
		      line->value, lkc_verdict_holds(q->verdict) ?
		      "another line has the last word" :
		      lkc_verdict_name(q->verdict), *q->reason ? "; " : "",
		      q->reason);
	} else {
		k->failed = true;
	}
	lkc_txn_abort(txn);
}

/* Does the configuration give @line what it asks for? */
static bool line_holds(const struct check *k, const struct line *line)
{
	const struct lkc_config *c = k->session.config;
	lkc_sym sym = lkc_sym_find(k->session.tree, line->name);
	const char *value;

	if (sym == LKC_NONE || !lkc_sym_is_config(k->session.tree, sym))
		return false;
	value = lkc_value(c, sym);
	if (lkc_sym_type(k->session.tree, sym) == LKC_HEX)
		return strtoull(value, NULL, 16) ==
		       strtoull(line->value, NULL, 16);
	return strcmp(value, line->value) == 0;
}

static void check_lines(struct check *k)
{
	uint32_t i;

	for (i = 0; i < k->lines.bad.n; i++) {
		const struct bad_line *b = &k->lines.bad.v[i];
		struct line line = { .file = b->file, .number = b->number };

		found(k, FOUND_BAD_LINE, NULL, &line, "%s", b->text);
	}
	for (i = 0; i < k->lines.all.n && !k->failed; i++) {
		const struct line *l = &k->lines.all.v[i], *last;

		if (l->later != UINT32_MAX) {
			last = lines_find(&k->lines, l->name);
			found(k, FOUND_DUPLICATE, l->name, l,
			      "%s=%s, but line %u says %s", l->name, l->value,
			      last->number, last->value);
		} else if (!line_holds(k, l)) {
			judge_line(k, l, FOUND_DEAD);
		}
	}
}

/* What "make oldconfig" would ask. */
static void check_missing(struct check *k)
{
	const struct lkc_tree *tree = k->session.tree;
	lkc_sym sym;

	for (sym = 0; sym < lkc_sym_count(tree) && !k->failed; sym++) {
		const char *name = lkc_sym_name(tree, sym);

		if (!name || !lkc_sym_is_config(tree, sym) ||
		    lkc_visibility(k->session.config, sym) == LKC_NO ||
		    !lkc_value_written(k->session.config, sym) ||
		    lines_find(&k->lines, name))
			continue;
		found(k, FOUND_MISSING, name, NULL, "%s gets %s", name,
		      *lkc_value(k->session.config, sym) ?
		      lkc_value(k->session.config, sym) : "\"\"");
	}
}

static int check_unmet(struct check *k)
{
	struct lkc_diags *diags = lkc_diags_new();
	size_t i;
	int err = diags ? lkc_config_warnings(k->session.config, diags) :
		LKC_ENOMEM;

	for (i = 0; !err && i < lkc_diags_count(diags); i++)
		found(k, FOUND_UNMET, NULL, NULL, "%s",
		      lkc_diags_get(diags, i)->text);
	lkc_diags_free(diags);
	return err;
}

static void check_against(struct check *k)
{
	uint32_t i;

	for (i = 0; i < k->against.all.n && !k->failed; i++) {
		const struct line *l = &k->against.all.v[i];

		if (l->later == UINT32_MAX && !line_holds(k, l))
			judge_line(k, l, FOUND_LOST);
	}
}

/* Read and written again, is it the same, byte for byte? */
static int check_fixed_point(struct check *k)
{
	char *text;
	size_t len;
	int err = lkc_config_format(k->session.config, LKC_FORMAT_CONFIG, &text,
				    &len);

	if (err)
		return err;
	k->fixed_point = len == k->len && memcmp(text, k->text, len) == 0;
	free(text);
	return 0;
}

/* ---- results -------------------------------------------------------------- */

static bool is_valid(const struct check *k)
{
	size_t i;

	for (i = 0; i < FOUND_KINDS; i++) {
		if (kinds[i].fault && k->count[i])
			return false;
	}
	/* a defconfig or a fragment leaves out what is as it is by default */
	return k->fixed_point || !k->whole;
}

static int print_json(const struct check *k)
{
	struct json *j = json_new_object(), *list, *item, *counts;
	size_t i;

	json_set_str(j, "file", k->path);
	json_set_bool(j, "valid", is_valid(k));
	json_set_bool(j, "fixed_point", k->fixed_point);
	json_set_bool(j, "whole", k->whole);
	counts = json_set_object(j, "counts");
	for (i = 0; i < FOUND_KINDS; i++)
		json_set_int(counts, kinds[i].name, k->count[i]);
	list = json_set_array(j, "findings");
	for (i = 0; i < k->found.n; i++) {
		const struct finding *f = &k->found.v[i];

		item = json_new_object();
		json_set_str(item, "kind", kinds[f->kind].name);
		json_set_bool(item, "fault", kinds[f->kind].fault);
		json_set_str(item, "name", f->name);
		if (f->file) {
			json_set_str(item, "file", f->file);
			json_set_int(item, "line", f->line);
		}
		json_set_str(item, "text", f->text);
		json_append(list, item);
	}
	return cmd_print_json(j);
}

static void print_kind(const struct check *k, enum finding_kind kind)
{
	size_t i, n = 0;

	if (!k->count[kind])
		return;
	printf("%s%s (%zu)%s\n", term_style(&k->term, TERM_BOLD),
	       kinds[kind].title, k->count[kind],
	       term_style(&k->term, TERM_PLAIN));
	for (i = 0; i < k->found.n; i++) {
		const struct finding *f = &k->found.v[i];
		char *line;

		if (f->kind != kind)
			continue;
		if (n++ >= SHOWN_MAX && !k->o->common.verbose)
			continue;
		line = text_line(f->text, 0);
		printf("  ");
		if (f->file)
			printf("%s:%u: ", f->file, f->line);
		printf("%s\n", line ? line : "?");
		free(line);
	}
	if (n > SHOWN_MAX && !k->o->common.verbose)
		printf("  and %zu more; -v shows all\n", n - SHOWN_MAX);
}

static int print_text(const struct check *k)
{
	size_t i;

	if (k->o->common.quiet)
		return EXIT_DONE;
	for (i = 0; i < FOUND_KINDS; i++)
		print_kind(k, i);
	printf("%s: %s%s%s; ", k->path, term_style(&k->term, is_valid(k) ?
	       TERM_GOOD : TERM_BAD), is_valid(k) ? "valid" : "not valid",
	       term_style(&k->term, TERM_PLAIN));
	if (k->fixed_point)
		printf("make olddefconfig would leave it as it is\n");
	else if (k->whole)
		printf("make olddefconfig would change it\n");
	else
		printf("it is not a whole .config, the rest are defaults\n");
	return EXIT_DONE;
}

/* ---- */

static int read_files(struct check *k)
{
	int err = file_read(k->path, 0, &k->text, &k->len);

	if (err) {
		term_error("%s: it cannot be read: %s", k->path, strerror(-err));
		return EXIT_INPUT;
	}
	err = lines_add(&k->lines, k->path, k->text, k->len);
	if (!err && k->against_path) {
		err = lines_add_file(&k->against, k->against_path);
		if (err && err != -ENOMEM) {
			term_error("%s: it cannot be read: %s", k->against_path,
				   strerror(-err));
			return EXIT_INPUT;
		}
	}
	/* only conf writes this heading, and only into a whole .config */
	k->whole = memmem(k->text, k->len,
			  "# Automatically generated file; DO NOT EDIT.\n", 45);
	return err ? out_of_memory() : EXIT_DONE;
}

static int check(struct check *k)
{
	struct lkc_diags *diags;
	int err;

	diags = lkc_diags_new();
	err = diags ? lkc_config_new(k->session.tree, &k->session.config) :
		LKC_ENOMEM;
	if (!err)
		err = lkc_config_read_mem(k->session.config, k->path, k->text,
					  k->len, 0, diags);
	lkc_diags_free(diags);
	if (!err)
		err = check_fixed_point(k);
	if (!err) {
		check_lines(k);
		if (k->whole)
			check_missing(k);
		err = check_unmet(k);
		check_against(k);
	}
	if (err || k->failed)
		return out_of_memory();
	err = k->o->common.json ? print_json(k) : print_text(k);
	return err ? err : is_valid(k) ? EXIT_DONE : EXIT_INVALID;
}

static int run(void *values, const struct opts *o)
{
	struct check k = { .o = values };
	int status = EXIT_DONE;

	term_init(&k.term, &k.o->common);
	k.against_path = session_absolute(k.o->against);
	if (k.o->against && !k.against_path)
		return out_of_memory();
	if (o->n_args) {
		k.path = session_absolute(o->args[0]);
		status = k.path ? read_files(&k) : out_of_memory();
	}
	if (!status)
		status = session_open(&k.session, &k.o->common);
	if (!status && !k.path) {
		k.path = strdup(k.session.config_path);
		status = k.path ? read_files(&k) : out_of_memory();
	}
	if (!status)
		status = check(&k);
	session_close(&k.session);
	lines_free(&k.lines);
	lines_free(&k.against);
	vec_free(&k.found);
	arena_free(&k.memory);
	free(k.text);
	free(k.path);
	free(k.against_path);
	return status;
}

const struct cmd cmd_check = {
	.name = "check",
	.summary = "is a configuration valid, and does it do what it says?",
	.args = "[FILE]",
	.about =
"Checks a .config, a defconfig or a fragment against the tree: symbols that there\n"
"are not, values out of range or of the wrong type, lines without effect and what\n"
"stands in their way, lines for the same symbol, selects whose targets have unmet\n"
"dependencies, and whether make olddefconfig would leave it as it is. The exit\n"
"status is 3 if it is not valid. Without FILE, checks the .config.\n",
	.opts = options,
	.size = sizeof(struct check_options),
	.min_args = 0,
	.max_args = 1,
	.run = run,
};
