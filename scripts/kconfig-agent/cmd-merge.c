// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconfig-agent merge - a base and fragments, with what became of each request
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "cmd-json.h"
#include "cmd.h"
#include "interrupt.h"
#include "json.h"
#include "lines.h"
#include "opts.h"
#include "outcome.h"
#include "session.h"
#include "term.h"
#include "whatif.h"

#define CHANGES_SHOWN 20

struct merge_options {
	struct opts_common common;
	bool resolve;
	bool strict;
	bool dry_run;
};

#define MERGE(member) offsetof(struct merge_options, member)

static const struct opt options[] = {
	{ .name = "resolve", .letter = 'r', .type = OPT_FLAG,
	  .offset = MERGE(resolve),
	  .help = "also make the smallest set of further changes that it takes" },
	{ .name = "strict", .letter = 's', .type = OPT_FLAG,
	  .offset = MERGE(strict),
	  .help = "write nothing if a request does not hold" },
	{ .name = "dry-run", .letter = 'n', .type = OPT_FLAG,
	  .offset = MERGE(dry_run), .help = "write no configuration" },
	{ .name = NULL },
};

struct merge {
	const struct merge_options *o;
	struct session session;
	struct term term;
	struct lines lines;		/* of the fragments */
	struct wish *wishes;		/* the last line of each symbol */
	size_t n_wishes;
	struct lkc_txn *txn;
	struct lkc_repairs *repairs;
	struct outcome out;
	size_t failed;
};

static int out_of_memory(void)
{
	term_error("out of memory");
	return EXIT_INPUT;
}

/* ---- reading -------------------------------------------------------------- */

static int read_fragments(struct merge *m, const struct opts *o)
{
	size_t i;
	int err;

	for (i = 1; i < o->n_args; i++) {
		err = lines_add_file(&m->lines, o->args[i]);
		if (err) {
			term_error("%s: it cannot be read: %s", o->args[i],
				   strerror(-err));
			return EXIT_INPUT;
		}
	}
	return EXIT_DONE;
}

/* The base as alldefconfig takes it: what it does not say is left to defaults. */
static int read_base(struct merge *m, const char *path)
{
	struct session *s = &m->session;
	size_t before = lkc_diags_count(s->diags), i;
	char *text;
	size_t len;
	int err = file_read(path, 0, &text, &len);

	if (err) {
		term_error("%s: it cannot be read: %s", path, strerror(-err));
		return EXIT_INPUT;
	}
	err = lkc_config_new(s->tree, &s->config);
	if (!err)
		err = lkc_config_read_mem(s->config, path, text, len,
					  LKC_READ_SEED, s->diags);
	free(text);
	for (i = before; i < lkc_diags_count(s->diags); i++)
		term_error("%s", lkc_diags_get(s->diags, i)->full);
	return err ? out_of_memory() : EXIT_DONE;
}

/* Of several lines for a symbol the last one counts, as in merge_config.sh. */
static int make_wishes(struct merge *m)
{
	uint32_t i;

	m->wishes = calloc(m->lines.all.n + 1, sizeof(*m->wishes));
	if (!m->wishes)
		return out_of_memory();
	for (i = 0; i < m->lines.all.n; i++) {
		const struct line *l = &m->lines.all.v[i];
		struct strbuf from = {0};

		if (l->later != UINT32_MAX)
			continue;
		strbuf_addf(&from, "%s:%u", l->file, l->number);
		m->wishes[m->n_wishes++] = (struct wish) {
			.name = l->name, .value = l->value,
			.from = arena_strdup(&m->lines.memory,
					     strbuf_str(&from)),
		};
		strbuf_free(&from);
	}
	return EXIT_DONE;
}

/* ---- judging -------------------------------------------------------------- */

static int request_all(struct merge *m)
{
	size_t i;
	int err = lkc_txn_begin(m->session.config, &m->txn);

	for (i = 0; i < m->n_wishes && err >= 0; i++)
		err = lkc_txn_set(m->txn, m->wishes[i].name, m->wishes[i].value);
	if (err >= 0)
		err = lkc_txn_prepare(m->txn);
	return err == LKC_EREJECTED ? 0 : err;
}

static size_t count_failed(const struct merge *m)
{
	size_t i, n = 0;

	for (i = 0; i < m->n_wishes; i++) {
		if (!lkc_verdict_holds(lkc_txn_request(m->txn, i)->verdict))
			n++;
	}
	return n;
}

static int find_answers(struct merge *m)
{
	struct lkc_want *wants = calloc(m->n_wishes + 1, sizeof(*wants));
	size_t i;
	int err;

	if (!wants)
		return LKC_ENOMEM;
	for (i = 0; i < m->n_wishes; i++) {
		wants[i].name = m->wishes[i].name;
		wants[i].value = m->wishes[i].value;
	}
	term_progress(&m->term, "looking for the smallest set of changes");
	err = lkc_resolve(m->session.config, wants, m->n_wishes, NULL,
			  &m->repairs);
	term_progress_end(&m->term);
	free(wants);
	return err;
}

/* Adds to the requests what the best answer has beside them. */
static int add_answer(struct merge *m)
{
	const struct lkc_repair *r = lkc_repairs_get(m->repairs, 0);
	size_t i;
	int err = 0;

	for (i = 0; i < r->n_changes && err >= 0; i++) {
		if (!r->changes[i].requested)
			err = lkc_txn_set(m->txn,
					  lkc_sym_name(m->session.tree,
						       r->changes[i].sym),
					  r->changes[i].to);
	}
	if (err >= 0)
		err = lkc_txn_prepare(m->txn);
	return err == LKC_EREJECTED ? 0 : err;
}

static int judge(struct merge *m)
{
	int err = request_all(m);

	if (err)
		return err;
	m->failed = count_failed(m);
	if (!m->failed || !m->o->resolve)
		return 0;
	lkc_txn_abort(m->txn);
	m->txn = NULL;
	err = find_answers(m);
	if (!err)
		err = request_all(m);
	if (!err && lkc_repairs_resolution(m->repairs) == LKC_R_FOUND)
		err = add_answer(m);
	if (!err)
		m->failed = count_failed(m);
	return err;
}

/* ---- results -------------------------------------------------------------- */

static const char *remark(const struct merge *m)
{
	if (m->failed && m->o->strict)
		return "not written: not all requests hold";
	if (m->o->dry_run)
		return "not written: dry run";
	if (!m->out.written)
		return "unchanged";
	return m->out.had_config ? "the one before it has .old at its end" :
		"there was none before";
}

/* Requests beyond the wishes are what --resolve has added. */
static const struct wish *wish_of(const struct merge *m, size_t i)
{
	return i < m->n_wishes ? &m->wishes[i] : NULL;
}

static int print_json(struct merge *m)
{
	struct json *j = json_new_object(), *list, *item;
	size_t i;

	json_set_str(j, "config", m->session.config_path);
	json_set_bool(j, "written", m->out.written);
	json_set_bool(j, "dry_run", m->o->dry_run);
	json_set_int(j, "requests_made", m->n_wishes);
	json_set_int(j, "failed", m->failed);
	list = json_set_array(j, "requests");
	for (i = 0; i < lkc_txn_requests(m->txn); i++)
		json_append(list, whatif_request_json(
				lkc_txn_request(m->txn, i), wish_of(m, i)));
	list = json_set_array(j, "overridden");
	for (i = 0; i < m->lines.all.n; i++) {
		const struct line *l = &m->lines.all.v[i];

		if (l->later == UINT32_MAX)
			continue;
		item = json_new_object();
		json_set_str(item, "name", l->name);
		json_set_str(item, "value", l->value);
		json_set_str(item, "file", l->file);
		json_set_int(item, "line", l->number);
		json_append(list, item);
	}
	if (m->repairs)
		json_set(j, "repairs", whatif_repairs_json(m->repairs,
							   m->session.tree));
	return cmd_print_json(j);
}

static void print_overridden(const struct merge *m)
{
	size_t i;

	for (i = 0; i < m->lines.all.n; i++) {
		const struct line *l = &m->lines.all.v[i], *by;

		if (l->later == UINT32_MAX)
			continue;
		by = lines_find(&m->lines, l->name);
		if (strcmp(l->value, by->value) != 0)
			printf("  %s=%s (%s:%u) gives way to %s (%s:%u)\n",
			       l->name, l->value, l->file, l->number, by->value,
			       by->file, by->number);
	}
}

static int print_text(struct merge *m)
{
	size_t i, all = lkc_txn_requests(m->txn);

	for (i = 0; i < m->lines.bad.n; i++)
		term_error("%s:%u: this line asks for nothing: %s",
			   m->lines.bad.v[i].file, m->lines.bad.v[i].number,
			   m->lines.bad.v[i].text);
	if (m->o->common.quiet && !m->failed)
		return EXIT_DONE;
	print_overridden(m);
	for (i = 0; i < all; i++) {
		const struct lkc_request *q = lkc_txn_request(m->txn, i);

		if (i >= m->n_wishes || m->o->common.verbose ||
		    !lkc_verdict_holds(q->verdict))
			whatif_print_request(&m->term, q, wish_of(m, i));
	}
	if (m->repairs && m->failed)
		whatif_print_repairs(&m->term, m->repairs, m->session.tree);
	printf("%zu of %zu requests hold", m->n_wishes - m->failed, m->n_wishes);
	if (all > m->n_wishes)
		printf(", with %zu further changes", all - m->n_wishes);
	printf("\n%s (%s)\n", m->session.config_path, remark(m));
	return EXIT_DONE;
}

static int merge(struct merge *m, const struct opts *o)
{
	const struct opts_common *common = &m->o->common;
	bool writes;
	char *base = session_absolute(o->args[0]);
	int status = base ? read_fragments(m, o) : out_of_memory();

	if (!status)
		status = session_open(&m->session, common);
	if (!status)
		status = read_base(m, base);
	free(base);
	if (!status)
		status = make_wishes(m);
	if (status)
		return status;
	if (judge(m) || lkc_config_set_all(m->session.config, LKC_ALL_DEF) > 0)
		return out_of_memory();
	writes = !m->o->dry_run && !(m->failed && m->o->strict);
	status = outcome_pass(&m->session, writes, &m->out);
	if (!status && writes)
		status = outcome_write(&m->session, false, &m->out);
	if (!status)
		status = common->json ? print_json(m) : print_text(m);
	return status ? status : m->failed || m->lines.bad.n ? EXIT_INVALID :
		EXIT_DONE;
}

static int run(void *values, const struct opts *o)
{
	struct merge m = { .o = values };
	int status;

	interrupt_catch();
	term_init(&m.term, &m.o->common);
	status = merge(&m, o);
	outcome_free(&m.out);
	lkc_repairs_free(m.repairs);
	if (m.txn)
		lkc_txn_abort(m.txn);
	session_close(&m.session);
	free(m.wishes);
	lines_free(&m.lines);
	return status;
}

const struct cmd cmd_merge = {
	.name = "merge",
	.summary = "a base and fragments, with what became of each request",
	.args = "BASE FRAGMENT...",
	.about =
"Merges fragments into a base configuration, as scripts/kconfig/merge_config.sh\n"
"does: the last line for a symbol counts, and what nobody mentions gets its\n"
"default. Every request of the fragments that does not hold in the result is told\n"
"with the reason, and then the exit status is 3. With --resolve, the smallest set\n"
"of further changes under which all of them hold is made as well.\n",
	.opts = options,
	.size = sizeof(struct merge_options),
	.min_args = 2,
	.max_args = 10000,
	.run = run,
};
