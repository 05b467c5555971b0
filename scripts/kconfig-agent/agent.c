// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "answer.h"
#include "base/strbuf.h"
#include "group.h"
#include "llm.h"
#include "walk.h"

#define FAILURES_MAX 3	/* groups in a row that the provider may fail */

struct agent {
	const struct agent_settings *s;
	struct agent_totals *totals;
	struct strbuf *why;
	enum prompt_detail detail;	/* what fits the model */
	unsigned int failures;		/* in a row */
	bool answered;			/* there was a reply of use */
	uint64_t requests;
};

/* A question from its asking to its end. */
struct task {
	uint64_t number;
	struct group *g;
	struct prompt prompt;
	struct answer answer;		/* of all rounds */
	size_t *asked;			/* per request of @txn: its suggestion */
	bool rejected;			/* a reply could not be read */
};

/* What comes next for a task. Negative: an agent_err. */
enum next {
	NEXT_WAIT,			/* for a reply */
	NEXT_DONE,
	NEXT_SPLIT,			/* too big for the model */
};

static int out_of_memory(struct agent *a)
{
	strbuf_reset(a->why);
	strbuf_addstr(a->why, "out of memory");
	return AGENT_ENOMEM;
}

/* ---- telling ------------------------------------------------------------- */

static int tell(struct agent *a, struct task *t, struct agent_event *e)
{
	int err;

	e->number = t->number;
	e->group = t->g;
	err = a->s->observe(a->s->arg, e);
	return err == AGENT_ENOMEM ? out_of_memory(a) : err;
}

/* ---- judging ------------------------------------------------------------- */

/* What needs no transaction. False when out of memory. */
static bool judge_plain(struct suggestion *s)
{
	switch (s->kind) {
	case SUGGEST_KEEP:
	case SUGGEST_UNSURE:
		if (s->sym == LKC_NONE && s->item == SUGGEST_NO_ITEM)
			return suggestion_judge(s, VERDICT_UNKNOWN,
						"no such symbol in this kernel");
		return suggestion_judge(s, s->kind == SUGGEST_KEEP ?
					VERDICT_KEPT : VERDICT_ABSTAINED, "");
	case SUGGEST_OPEN:
		return suggestion_judge(s, VERDICT_OPENED, "");
	case SUGGEST_SKIP:
		return suggestion_judge(s, VERDICT_SKIPPED, "");
	default:
		return true;
	}
}

static bool is_yes(const struct suggestion *s)
{
	return !strcmp(s->value, "y");
}

/* Is it a decision about a menu of the group? */
static bool is_decision(const struct task *t, const struct suggestion *s)
{
	return t->g->kind == GROUP_MENU && s->item != SUGGEST_NO_ITEM &&
	       s->kind != SUGGEST_VALUE && s->kind != SUGGEST_NOTHING;
}

/* Does @later say something else about what @s is about? */
static bool replaces(const struct lkc_tree *tree, const struct task *t,
		     const struct suggestion *s, const struct suggestion *later)
{
	if (is_decision(t, s) && is_decision(t, later))
		return s->item == later->item;
	/* contradictions within one answer are the transaction's matter */
	if (later->round == s->round || !suggestion_stands(s) ||
	    later->kind != SUGGEST_VALUE || later->sym == LKC_NONE)
		return false;
	if (s->sym == later->sym)
		return strcmp(s->value, later->value) != 0;
	return is_yes(s) && is_yes(later) &&
	       lkc_sym_choice(tree, s->sym) != LKC_NONE &&
	       lkc_sym_choice(tree, s->sym) == lkc_sym_choice(tree, later->sym);
}

/* Gives suggestions their verdict that were answered anew later on. */
static bool replace_earlier(struct agent *a, struct task *t)
{
	const struct lkc_tree *tree = lkc_config_tree(a->s->config);
	size_t i, k;

	for (i = 0; i < t->answer.n; i++) {
		struct suggestion *s = &t->answer.v[i];

		for (k = i + 1; k < t->answer.n; k++) {
			if (replaces(tree, t, s, &t->answer.v[k]))
				break;
		}
		if (k < t->answer.n &&
		    !suggestion_judge(s, VERDICT_CLOBBERED,
				      "a later answer takes its place"))
			return false;
	}
	return true;
}

/* Copies the verdict of @r. False when out of memory. */
static bool take_verdict(struct suggestion *s, const struct lkc_request *r)
{
	free(s->before);
	free(s->got);
	s->before = strdup(r->before ? r->before : "");
	s->got = strdup(r->got ? r->got : "");
	s->other = r->other;
	s->unmet = r->unmet;
	return s->before && s->got &&
		suggestion_judge(s, verdict_of(r->verdict), r->reason);
}

static bool take_verdicts(struct task *t, const struct lkc_txn *txn)
{
	size_t i;

	for (i = 0; i < lkc_txn_requests(txn); i++) {
		if (!take_verdict(&t->answer.v[t->asked[i]],
				  lkc_txn_request(txn, i)))
			return false;
	}
	return true;
}

/* Requests everything that stands so far, and what came in this round. */
static int set_all(struct task *t, struct lkc_txn *txn)
{
	size_t i, n = 0;
	int err;

	free(t->asked);
	t->asked = calloc(t->answer.n + 1, sizeof(*t->asked));
	if (!t->asked)
		return LKC_ENOMEM;
	for (i = 0; i < t->answer.n; i++) {
		struct suggestion *s = &t->answer.v[i];

		if (s->kind != SUGGEST_VALUE ||
		    (s->round != t->g->round && !suggestion_stands(s)))
			continue;
		err = lkc_txn_set(txn, s->name, s->value);
		if (err < 0)
			return err;
		t->asked[n++] = i;
	}
	return 0;
}

/*
 * Tries the suggestions: all have their verdicts then. The transaction is left
 * open in *@txn. Returns 0 or an agent_err.
 */
static int judge(struct agent *a, struct task *t, struct lkc_txn **txn)
{
	size_t i;
	int err;

	for (i = 0; i < t->answer.n; i++) {
		struct suggestion *s = &t->answer.v[i];

		if (s->round == t->g->round && !judge_plain(s))
			return out_of_memory(a);
	}
	if (!replace_earlier(a, t) || lkc_txn_begin(a->s->config, txn))
		return out_of_memory(a);
	err = set_all(t, *txn);
	if (!err)
		err = lkc_txn_prepare(*txn);
	if ((!err || err == LKC_EREJECTED) && take_verdicts(t, *txn))
		return 0;
	lkc_txn_abort(*txn);
	return out_of_memory(a);
}

static bool any_rejected(const struct task *t)
{
	size_t i;

	for (i = 0; i < t->answer.n; i++) {
		if (t->answer.v[i].round == t->g->round &&
		    suggestion_rejected(&t->answer.v[i]))
			return true;
	}
	return false;
}

/* ---- the end of a task --------------------------------------------------- */

static void decide_menus(struct agent *a, const struct task *t)
{
	static const enum walk_decision decisions[] = {
		[SUGGEST_UNSURE] = WALK_UNSURE,
		[SUGGEST_OPEN] = WALK_OPEN,
		[SUGGEST_SKIP] = WALK_SKIP,
		[SUGGEST_NOTHING] = WALK_FAILED,
	};
	size_t i, k;

	for (i = 0; i < t->g->n; i++) {
		enum walk_decision d = WALK_SKIP;
		const char *why = "not mentioned in the answer";

		for (k = 0; k < t->answer.n; k++) {
			const struct suggestion *s = &t->answer.v[k];

			if (s->item != i || s->kind == SUGGEST_VALUE ||
			    s->verdict == VERDICT_CLOBBERED)
				continue;
			d = decisions[s->kind];
			why = *s->reason ? s->reason : s->why;
		}
		walk_decide(a->s->walk, t->g->items[i].entry, d, why);
	}
}

/* Opens the menus of symbols that were just switched on for the goal. */
static int open_menus(struct agent *a, struct task *t)
{
	const struct lkc_tree *tree = lkc_config_tree(a->s->config);
	size_t i, k;
	int err;

	for (i = 0; i < t->answer.n; i++) {
		const struct suggestion *s = &t->answer.v[i];

		if (s->verdict != VERDICT_ACCEPTED || *s->value == 'n')
			continue;
		for (k = 0; k < lkc_sym_entries(tree, s->sym); k++) {
			struct agent_event e = {
				.type = AGENT_OPENED, .why = s->reason,
				.menu = lkc_sym_entry(tree, s->sym, k),
			};

			if (!walk_may_open(a->s->walk, e.menu))
				continue;
			walk_decide(a->s->walk, e.menu, WALK_OPEN, s->reason);
			err = tell(a, t, &e);
			if (err)
				return err;
		}
	}
	return 0;
}

/* Looks at what a commit has made visible, or invisible. */
static int look_around(struct agent *a, struct task *t)
{
	struct walk_moves moves;
	struct agent_event e = { .type = AGENT_MOVES, .moves = &moves };
	int err = open_menus(a, t);

	if (err)
		return err;
	if (walk_update(a->s->walk, &moves))
		return out_of_memory(a);
	if (!moves.n_appeared && !moves.n_vanished)
		return 0;
	return tell(a, t, &e);
}

/* Commits what holds of @txn, which ends. */
static int commit(struct agent *a, struct task *t, struct lkc_txn *txn)
{
	struct agent_event e = {
		.type = AGENT_COMMIT, .answer = &t->answer, .txn = txn,
	};
	bool changed;
	int err;

	if (lkc_txn_drop_rejected(txn) || !take_verdicts(t, txn)) {
		lkc_txn_abort(txn);
		return out_of_memory(a);
	}
	changed = lkc_txn_changes(txn) > 0;
	err = tell(a, t, &e);
	if (err) {
		lkc_txn_abort(txn);
		return err;
	}
	if (lkc_txn_commit(txn))
		return out_of_memory(a);
	if (t->g->kind == GROUP_MENU)
		decide_menus(a, t);
	return changed ? look_around(a, t) : 0;
}

/* No reply to be had any more: nothing is changed but by earlier rounds. */
static int leave(struct agent *a, struct task *t, const char *why)
{
	struct agent_event e = {
		.type = AGENT_LEFT, .answer = &t->answer, .why = why,
	};
	struct lkc_txn *txn;
	size_t i;
	int err;

	if (t->answer.n) {
		err = judge(a, t, &txn);
		return err ? err : commit(a, t, txn);
	}
	a->totals->left++;
	for (i = 0; i < t->g->n && t->g->kind == GROUP_MENU; i++)
		walk_decide(a->s->walk, t->g->items[i].entry, WALK_FAILED, why);
	return tell(a, t, &e);
}

/* ---- rounds -------------------------------------------------------------- */

/* Sends the dialogue as it is now. */
static int submit(struct agent *a, struct task *t)
{
	struct agent_event e = { .type = AGENT_ASK, .prompt = &t->prompt };
	struct llm_request req = {
		.id = ++a->requests,
		.messages = t->prompt.messages.v,
		.n_messages = t->prompt.messages.n,
		.schema_name = PROMPT_SCHEMA_NAME,
		.schema = t->prompt.schema,
		.group = t->g,
	};
	int err = tell(a, t, &e);

	if (err)
		return err;
	a->totals->requests++;
	err = llm_submit(a->s->llm, &req);
	if (err == LLM_ENOMEM)
		return out_of_memory(a);
	if (err) {
		strbuf_addf(a->why, "the provider does not take questions: %s",
			    llm_err_name(err));
		return AGENT_EPROVIDER;
	}
	return NEXT_WAIT;
}

static int ask(struct agent *a, struct task *t)
{
	if (prompt_ask(&t->prompt, &a->s->about, t->g, a->detail))
		return out_of_memory(a);
	return submit(a, t);
}

/* Asks once more after a reply that says nothing that can be read. */
static int reject(struct agent *a, struct task *t,
		  const struct llm_reply *reply, const char *why)
{
	struct agent_event e = { .type = AGENT_REJECT, .why = why };
	int err;

	a->totals->unreadable++;
	if (t->rejected || t->g->round >= a->s->max_repair) {
		err = leave(a, t, why);
		return err ? err : NEXT_DONE;
	}
	t->rejected = true;
	err = tell(a, t, &e);
	if (err)
		return err;
	if (prompt_reject(&t->prompt, reply->text, reply->len, why))
		return out_of_memory(a);
	a->totals->rounds++;
	t->g->round++;
	return submit(a, t);
}

/* Appends the suggestions of a round. False when out of memory. */
static bool append(struct answer *to, struct answer *from)
{
	struct suggestion *v;

	v = realloc(to->v, (to->n + from->n + 1) * sizeof(*v));
	if (!v)
		return false;
	if (from->n)
		memcpy(v + to->n, from->v, from->n * sizeof(*v));
	to->v = v;
	to->n += from->n;
	free(from->v);
	from->v = NULL;
	from->n = 0;
	return true;
}

/* A reply that could be read: judge it; repair it, or make an end. */
static int take_answer(struct agent *a, struct task *t,
		       const struct llm_reply *reply)
{
	struct agent_event e = { .type = AGENT_REPAIR, .answer = &t->answer };
	struct lkc_txn *txn;
	int err = judge(a, t, &txn);

	if (err)
		return err;
	a->answered = true;
	if (!any_rejected(t) || t->g->round >= a->s->max_repair) {
		err = commit(a, t, txn);
		return err ? err : NEXT_DONE;
	}
	lkc_txn_abort(txn);
	err = tell(a, t, &e);
	if (err)
		return err;
	if (prompt_repair(&t->prompt, t->g, reply->text, reply->len,
			  &t->answer))
		return out_of_memory(a);
	a->totals->rounds++;
	t->g->round++;
	return submit(a, t);
}

static int take_text(struct agent *a, struct task *t,
		     const struct llm_reply *reply)
{
	struct answer fresh = {0};
	struct strbuf why = {0};
	int err;

	err = answer_parse(t->g, reply->text, reply->len, &fresh, &why);
	if (err == ANSWER_EMALFORMED) {
		if (reply->truncated)
			strbuf_addstr(&why, " (it was cut off: be shorter)");
		err = reject(a, t, reply, strbuf_str(&why));
	} else if (err || !append(&t->answer, &fresh)) {
		err = out_of_memory(a);
	} else {
		err = take_answer(a, t, reply);
	}
	answer_free(&fresh);
	strbuf_free(&why);
	return err;
}

/* ---- failures of the provider -------------------------------------------- */

/* Would the next question fail, too? */
static bool is_final(int err)
{
	switch (err) {
	case LLM_ECONTEXT:
	case LLM_EREFUSED:
	case LLM_EMALFORMED:
	case LLM_ETOOBIG:
	case LLM_EOVERLOADED:
	case LLM_ETIMEOUT:
		return false;
	default:
		return true;
	}
}

/* A question that is too long: tell less, or ask about less at a time. */
static int too_long(struct agent *a, struct task *t)
{
	if (t->g->round)
		return NEXT_DONE;	/* no room for a dialogue */
	if (a->detail + 1 < PROMPT_DETAILS) {
		a->detail++;
		return ask(a, t);
	}
	if (t->g->n > 1 && t->g->kind != GROUP_CHOICE)
		return NEXT_SPLIT;
	return NEXT_DONE;
}

static int take_failure(struct agent *a, struct task *t,
			const struct llm_reply *reply)
{
	const char *message = reply->message ? reply->message :
		llm_err_name(reply->err);
	int err;

	if (reply->err == LLM_ENOMEM)
		return out_of_memory(a);
	if (reply->err == LLM_ECONTEXT) {
		err = too_long(a, t);
		if (err != NEXT_DONE)
			return err;
	}
	err = leave(a, t, message);
	if (err)
		return err;
	if (reply->err == LLM_EINTERRUPTED)
		return AGENT_EINTERRUPTED;
	if (!is_final(reply->err) && ++a->failures < FAILURES_MAX)
		return NEXT_DONE;
	strbuf_addf(a->why, "%s", message);
	return AGENT_EPROVIDER;
}

static void count(struct agent_totals *totals, const struct llm_reply *reply)
{
	const struct llm_usage *u = &reply->usage;

	totals->tries += reply->tries;
	if (u->input_tokens > 0)
		totals->input_tokens += u->input_tokens;
	if (u->output_tokens > 0)
		totals->output_tokens += u->output_tokens;
	if (reply->tries && (u->input_tokens < 0 || u->output_tokens < 0))
		totals->uncounted++;
}

static int take_reply(struct agent *a, struct task *t,
		      const struct llm_reply *reply)
{
	struct agent_event e = { .type = AGENT_REPLY, .reply = reply };
	int err;

	count(a->totals, reply);
	err = tell(a, t, &e);
	if (err)
		return err;
	if (reply->err)
		return take_failure(a, t, reply);
	a->failures = 0;
	return take_text(a, t, reply);
}

/* ---- groups -------------------------------------------------------------- */

/* Waits for the reply to @t, and deals with it. */
static int wait_for(struct agent *a, struct task *t)
{
	struct llm_reply reply;
	int err = llm_wait(a->s->llm, &reply);

	switch (err) {
	case 0:
		err = take_reply(a, t, &reply);
		break;
	case LLM_EINTERRUPTED:
		err = leave(a, t, "interrupted");
		return err ? err : AGENT_EINTERRUPTED;
	case LLM_ENOMEM:
		return out_of_memory(a);
	default:
		strbuf_addf(a->why, "the provider has no reply: %s",
			    llm_err_name(err));
		return AGENT_EPROVIDER;
	}
	llm_reply_free(&reply);
	return err;
}

static int run_group(struct agent *a, struct group *g);

static int run_halves(struct agent *a, const struct group *g)
{
	struct group half = *g;
	int err;

	half.n = g->n / 2;
	err = run_group(a, &half);
	if (err)
		return err;
	half = *g;
	half.items += g->n / 2;
	half.n -= g->n / 2;
	return run_group(a, &half);
}

static int run_group(struct agent *a, struct group *g)
{
	struct task t = { .number = ++a->totals->groups, .g = g };
	int next;

	g->goal = a->s->about.goal;
	g->round = 0;
	next = ask(a, &t);
	while (next == NEXT_WAIT)
		next = wait_for(a, &t);
	prompt_free(&t.prompt);
	answer_free(&t.answer);
	free(t.asked);
	if (next == NEXT_SPLIT)
		return run_halves(a, g);
	return next < 0 ? next : 0;
}

static int run(struct agent *a)
{
	struct group g;
	int err;

	for (;;) {
		if (a->s->interrupted && a->s->interrupted(a->s->arg))
			return AGENT_EINTERRUPTED;
		err = walk_next(a->s->walk, &g);
		if (err < 0)
			return out_of_memory(a);
		if (!err)
			return 0;
		err = run_group(a, &g);
		walk_group_free(&g);
		if (err)
			return err;
	}
}

int agent_run(const struct agent_settings *s, struct agent_totals *totals,
	      struct strbuf *why)
{
	struct agent a = { .s = s, .totals = totals, .why = why };
	int err;

	memset(totals, 0, sizeof(*totals));
	err = run(&a);
	if (err == AGENT_EINTERRUPTED)
		strbuf_addstr(why, "interrupted");
	if (!err && totals->groups && !a.answered) {
		strbuf_addf(why, "none of the %" PRIu64 " replies could be used",
			    totals->requests);
		err = AGENT_ENOANSWER;
	}
	return err;
}
