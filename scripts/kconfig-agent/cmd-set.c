// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconfig-agent set - several values at once, all or nothing
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "cmd-json.h"
#include "cmd.h"
#include "interrupt.h"
#include "json.h"
#include "opts.h"
#include "outcome.h"
#include "session.h"
#include "term.h"
#include "whatif.h"

#define CHANGES_SHOWN 20

struct set_options {
	struct opts_common common;
	bool resolve;
	bool dry_run;
};

#define SET(member) offsetof(struct set_options, member)

static const struct opt options[] = {
	{ .name = "resolve", .letter = 'r', .type = OPT_FLAG,
	  .offset = SET(resolve),
	  .help = "also make the smallest set of further changes that it takes" },
	{ .name = "dry-run", .letter = 'n', .type = OPT_FLAG,
	  .offset = SET(dry_run), .help = "write no configuration" },
	{ .name = NULL },
};

struct set {
	const struct set_options *o;
	struct session session;
	struct term term;
	struct arena memory;
	struct { VEC(struct wish); } wishes;
	struct lkc_txn *txn;
	struct lkc_repairs *repairs;	/* if some request does not hold */
	struct outcome out;
	bool holds;
};

static int out_of_memory(void)
{
	term_error("out of memory");
	return EXIT_INPUT;
}

static int parse(struct set *s, const struct opts *o)
{
	struct strbuf why = {0};
	struct wish wish;
	size_t i;
	int err = 0;

	for (i = 0; i < o->n_args && !err; i++) {
		err = wish_parse(o->args[i], &s->memory, &wish, &why);
		if (!err && !wish.value) {
			strbuf_addf(&why, "what should %s be? Say %s=value",
				    wish.name, wish.name);
			err = -EINVAL;
		}
		if (!err && !vec_push(&s->wishes, wish))
			err = -ENOMEM;
	}
	if (err)
		term_error("%s", err == -ENOMEM ? "out of memory" :
			   strbuf_str(&why));
	strbuf_free(&why);
	return !err ? EXIT_DONE : err == -ENOMEM ? EXIT_INPUT : EXIT_USAGE;
}

/* ---- judging -------------------------------------------------------------- */

static int request_all(struct set *s)
{
	uint32_t i;
	int err = lkc_txn_begin(s->session.config, &s->txn);

	for (i = 0; i < s->wishes.n && err >= 0; i++)
		err = lkc_txn_set(s->txn, s->wishes.v[i].name,
				  s->wishes.v[i].value);
	return err < 0 ? err : lkc_txn_prepare(s->txn);
}

/* Starts over with the best answer: the requests, and what it takes beside. */
static int take_answer(struct set *s)
{
	const struct lkc_repair *r = lkc_repairs_get(s->repairs, 0);
	size_t i;
	int err;

	err = lkc_txn_begin(s->session.config, &s->txn);
	for (i = 0; i < r->n_changes && err >= 0; i++)
		err = lkc_txn_set(s->txn, lkc_sym_name(s->session.tree,
						       r->changes[i].sym),
				  r->changes[i].to);
	return err < 0 ? err : lkc_txn_prepare(s->txn);
}

static int find_answers(struct set *s)
{
	struct lkc_want *wants = calloc(s->wishes.n, sizeof(*wants));
	uint32_t i;
	int err;

	if (!wants)
		return LKC_ENOMEM;
	for (i = 0; i < s->wishes.n; i++) {
		wants[i].name = s->wishes.v[i].name;
		wants[i].value = s->wishes.v[i].value;
	}
	term_progress(&s->term, "looking for the smallest set of changes");
	err = lkc_resolve(s->session.config, wants, s->wishes.n, NULL,
			  &s->repairs);
	term_progress_end(&s->term);
	free(wants);
	return err;
}

/* Leaves a transaction in which all requests hold, or says what does not. */
static int judge(struct set *s)
{
	int err = request_all(s);

	s->holds = !err;
	if (err != LKC_EREJECTED || !s->o->resolve)
		return err == LKC_EREJECTED ? 0 : err;
	lkc_txn_abort(s->txn);
	s->txn = NULL;
	err = find_answers(s);
	if (err)
		return err;
	if (lkc_repairs_resolution(s->repairs) == LKC_R_FOUND)
		err = take_answer(s);
	else
		err = request_all(s);
	s->holds = !err;
	return err == LKC_EREJECTED ? 0 : err;
}

/* ---- results -------------------------------------------------------------- */

static const char *remark(const struct set *s)
{
	if (!s->holds)
		return "not written: all or nothing";
	if (s->o->dry_run)
		return "not written: dry run";
	if (!s->out.written)
		return "unchanged";
	return s->out.had_config ? "the one before it has .old at its end" :
		"there was none before";
}

static int print_json(struct set *s)
{
	struct json *j = json_new_object(), *list;
	size_t i;

	json_set_str(j, "config", s->session.config_path);
	json_set_bool(j, "holds", s->holds);
	json_set_bool(j, "written", s->out.written);
	json_set_bool(j, "dry_run", s->o->dry_run);
	list = json_set_array(j, "requests");
	for (i = 0; i < lkc_txn_requests(s->txn); i++)
		json_append(list, whatif_request_json(
				lkc_txn_request(s->txn, i), NULL));
	json_set(j, "changes", whatif_changes_json(s->txn, s->session.tree));
	if (s->repairs)
		json_set(j, "repairs", whatif_repairs_json(s->repairs,
							   s->session.tree));
	return cmd_print_json(j);
}

static int print_text(struct set *s)
{
	size_t i;

	if (s->o->common.quiet)
		return EXIT_DONE;
	for (i = 0; i < lkc_txn_requests(s->txn); i++)
		whatif_print_request(&s->term, lkc_txn_request(s->txn, i), NULL);
	if (s->holds)
		whatif_print_changes(&s->term, s->txn, s->session.tree,
				     s->o->common.verbose ? 0 : CHANGES_SHOWN);
	else if (s->repairs)
		whatif_print_repairs(&s->term, s->repairs, s->session.tree);
	else
		printf("kconfig-agent set --resolve also makes the changes that this takes, if there are any\n");
	printf("%s (%s)\n", s->session.config_path, remark(s));
	return EXIT_DONE;
}

/* What is printed needs the transaction; what is written needs its end. */
static int set(struct set *s, const struct opts *o)
{
	const struct opts_common *common = &s->o->common;
	int status = parse(s, o);

	if (!status)
		status = session_open(&s->session, common);
	if (!status)
		status = session_read_base(&s->session, common);
	if (status)
		return status;
	if (judge(s))
		return out_of_memory();
	if (s->holds)
		status = outcome_pass(&s->session, !s->o->dry_run, &s->out);
	if (!status && s->holds && !s->o->dry_run)
		status = outcome_write(&s->session, true, &s->out);
	if (!status)
		status = common->json ? print_json(s) : print_text(s);
	return status ? status : s->holds ? EXIT_DONE : EXIT_INVALID;
}

static int run(void *values, const struct opts *o)
{
	struct set s = { .o = values };
	int status;

	interrupt_catch();
	term_init(&s.term, &s.o->common);
	status = set(&s, o);
	outcome_free(&s.out);
	lkc_repairs_free(s.repairs);
	if (s.txn)
		lkc_txn_abort(s.txn);
	session_close(&s.session);
	vec_free(&s.wishes);
	arena_free(&s.memory);
	return status;
}

const struct cmd cmd_set = {
	.name = "set",
	.summary = "change values, all or nothing",
	.args = "SYMBOL=VALUE...",
	.about =
"Gives symbols values, as one transaction: if one of them cannot have its value,\n"
"nothing is written, and the reason is told. The order makes no difference. With\n"
"--resolve, the smallest set of further changes under which all of them hold is\n"
"made as well. What follows from a change, and what it makes the configuration\n"
"lose, is told too. The exit status is 3 if some value does not hold.\n",
	.opts = options,
	.size = sizeof(struct set_options),
	.min_args = 1,
	.max_args = 100000,
	.run = run,
};
