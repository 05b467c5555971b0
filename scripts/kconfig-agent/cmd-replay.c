// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconfig-agent replay - the same result again, from a journal
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd.h"
#include "interrupt.h"
#include "json.h"
#include "opts.h"
#include "outcome.h"
#include "record.h"
#include "session.h"
#include "term.h"

struct replay_options {
	struct opts_common common;
	bool force;
	bool dry_run;
};

#define REPLAY(member) offsetof(struct replay_options, member)

static const struct opt options[] = {
	{ .name = "force", .letter = 'f', .type = OPT_FLAG,
	  .offset = REPLAY(force),
	  .help = "go on although the Kconfig files are not those of the journal" },
	{ .name = "dry-run", .letter = 'n', .type = OPT_FLAG,
	  .offset = REPLAY(dry_run), .help = "write no configuration" },
	{ .name = NULL },
};

struct replay {
	const struct replay_options *o;
	const char *path;		/* of the journal */
	struct record_run run;
	struct session session;
	struct outcome out;
	size_t sets;
	size_t failed;			/* of these, do not hold */
	bool other_tree;
	bool same;			/* as the journal says it should be */
};

static int read_journal(struct replay *r)
{
	struct strbuf why = {0};
	int err = record_read(r->path, &r->run, &why);

	if (err)
		term_error("%s", strbuf_str(&why));
	strbuf_free(&why);
	if (err)
		return EXIT_INPUT;
	if (r->run.damaged)
		term_error("%s: the last %zu bytes are damaged and left out; %zu records before them are whole",
			   r->path, r->run.damaged, r->run.records);
	if (!r->run.status)
		term_error("%s: the run that wrote it did not come to an end; this is what was accepted before",
			   r->path);
	else if (!r->run.config)
		term_error("%s: the run ended early (%s); this is what was accepted before",
			   r->path, r->run.status);
	return EXIT_DONE;
}

static int check_tree(struct replay *r)
{
	char hash[17];

	snprintf(hash, sizeof(hash), "%016" PRIx64,
		 lkc_tree_hash(r->session.tree));
	r->other_tree = strcmp(hash, r->run.tree) != 0;
	if (!r->other_tree)
		return EXIT_DONE;
	if (r->o->force) {
		term_error("the Kconfig files, or what they find out about the tools, are not those of the journal (Linux %s, %s); going on, as --force says",
			   r->run.kernel ? r->run.kernel : "?",
			   r->run.arch ? r->run.arch : "?");
		return EXIT_DONE;
	}
	term_error("the Kconfig files, or what they find out about the tools, are not those of the journal (Linux %s, %s), so the result would be another one; use that tree and these tools, or --force",
		   r->run.kernel ? r->run.kernel : "?",
		   r->run.arch ? r->run.arch : "?");
	return EXIT_INVALID;
}

static void print_failed(struct replay *r, const struct lkc_txn *txn)
{
	size_t i;

	for (i = 0; i < lkc_txn_requests(txn); i++) {
		const struct lkc_request *q = lkc_txn_request(txn, i);

		if (lkc_verdict_holds(q->verdict))
			continue;
		r->failed++;
		term_error("%s=%s does not hold: %s. %s", q->name, q->want,
			   lkc_verdict_name(q->verdict), q->reason);
	}
}

static int apply(struct replay *r, const struct record_commit *c)
{
	struct lkc_txn *txn;
	size_t i;
	int err = lkc_txn_begin(r->session.config, &txn);

	if (err)
		return err;
	for (i = 0; i < c->n && err >= 0; i++)
		err = lkc_txn_set(txn, c->sets[i].name, c->sets[i].value);
	r->sets += c->n;
	if (err >= 0)
		err = lkc_txn_prepare(txn);
	if (err == LKC_EREJECTED) {
		err = lkc_txn_drop_rejected(txn);
		print_failed(r, txn);
	}
	if (err < 0) {
		lkc_txn_abort(txn);
		return err;
	}
	return lkc_txn_commit(txn);
}

static int apply_all(struct replay *r)
{
	size_t i;
	int err = 0;

	for (i = 0; i < r->run.n && !err; i++)
		err = apply(r, &r->run.commits[i]);
	if (!err)
		return EXIT_DONE;
	term_error("the journal cannot be replayed: %s", lkc_strerror(err));
	return EXIT_INPUT;
}

/* Is the result what the run had? If that is known. */
static int check_result(struct replay *r)
{
	char hash[17];

	record_hash(r->out.text.text, r->out.text.len, hash);
	r->same = r->run.config && !strcmp(hash, r->run.config);
	if (!r->run.config || r->same || r->other_tree)
		return EXIT_DONE;
	term_error("the result is not the one that the journal tells of, although the Kconfig files are the same; nothing is written. Please report this with the journal.");
	return EXIT_INVALID;
}

static int print_result(const struct replay *r)
{
	const char *remark = r->o->dry_run ? "not written: dry run" :
		r->out.written ? r->out.had_config ?
		"the one before it has .old at its end" :
		"there was none before" : "unchanged";
	struct json *j;
	char *text;

	if (r->o->common.json) {
		j = json_new_object();
		json_set_str(j, "journal", r->path);
		json_set_str(j, "goal", r->run.goal);
		json_set_str(j, "config", r->session.config_path);
		json_set_bool(j, "written", r->out.written);
		json_set_bool(j, "dry_run", r->o->dry_run);
		json_set_bool(j, "same_tree", !r->other_tree);
		json_set_bool(j, "same_result", r->same);
		json_set_bool(j, "whole", r->run.config && !r->run.damaged);
		json_set_int(j, "commits", r->run.n);
		json_set_int(j, "requests", r->sets);
		json_set_int(j, "failed", r->failed);
		text = json_print(j, NULL);
		json_free(j);
		if (!text) {
			term_error("out of memory");
			return EXIT_INPUT;
		}
		puts(text);
		free(text);
	} else if (!r->o->common.quiet) {
		printf("Result    %s (%s)\n"
		       "%zu requests of %zu questions applied%s\n",
		       r->session.config_path, remark, r->sets - r->failed,
		       r->run.n, r->same ? ": the same as in the journal" : "");
	}
	return r->failed ? EXIT_INVALID : EXIT_DONE;
}

static int replay(struct replay *r)
{
	const struct opts_common *common = &r->o->common;
	int status = read_journal(r);

	if (!status)
		status = session_open(&r->session, common);
	if (!status)
		status = check_tree(r);
	if (!status)
		status = session_read_text(&r->session, common,
					   "the base in the journal",
					   r->run.base_text, r->run.base_len);
	if (!status)
		status = apply_all(r);
	if (!status)
		status = outcome_pass(&r->session, !r->o->dry_run, &r->out);
	if (!status)
		status = check_result(r);
	if (!status && !r->o->dry_run)
		status = outcome_write(&r->session, false, &r->out);
	return status ? status : print_result(r);
}

static int run(void *values, const struct opts *o)
{
	struct replay r = { .o = values, .path = o->args[0] };
	int status;

	interrupt_catch();
	status = replay(&r);
	outcome_free(&r.out);
	session_close(&r.session);
	record_run_free(&r.run);
	return status;
}

const struct cmd cmd_replay = {
	.name = "replay",
	.summary = "the same result again, from a journal",
	.args = "JOURNAL",
	.about =
"Applies what a run accepted to the configuration that it began with, both of\n"
"which are in its journal: no provider is asked, and the resulting .config is\n"
"the same, byte for byte. If the run ended early, what it had accepted by then\n"
"is applied.\n",
	.opts = options,
	.size = sizeof(struct replay_options),
	.min_args = 1,
	.max_args = 1,
	.run = run,
};
