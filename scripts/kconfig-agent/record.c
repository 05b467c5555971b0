// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent.h"
#include "answer.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "group.h"
#include "journal.h"
#include "json.h"
#include "llm.h"
#include "menupath.h"
#include "record.h"
#include "utf8.h"
#include "version.h"
#include "walk.h"

#define REPLY_MAX (64u << 10)	/* bytes of a reply that are kept */

void record_hash(const char *text, size_t len, char out[17])
{
	snprintf(out, 17, "%016" PRIx64,
		 hash_fnv64(HASH_FNV64_INIT, text, len));
}

static void set_hex(struct json *j, const char *key, uint64_t value)
{
	char hex[17];

	snprintf(hex, sizeof(hex), "%016" PRIx64, value);
	json_set_str(j, key, hex);
}

static void set_hash(struct json *j, const char *key, const char *text,
		     size_t len)
{
	char hex[17];

	record_hash(text, len, hex);
	json_set_str(j, key, hex);
}

/* ---- beginning and end --------------------------------------------------- */

static void set_time(struct json *j)
{
	char text[32];
	time_t now = time(NULL);
	struct tm tm;

	if (gmtime_r(&now, &tm) &&
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		json_set_str(j, "time", text);
}

static struct json *new_header(const struct record_header *h)
{
	struct json *j = json_new_object();
	struct json *part;
	size_t i;

	json_set_str(j, "format", RECORD_FORMAT);
	json_set_int(j, "version", RECORD_VERSION);
	json_set_str(j, "tool", "kconfig-agent " KA_VERSION);
	json_set_str(j, "kernel", h->kernel);
	json_set_str(j, "arch", h->arch);
	json_set_str(j, "goal", h->goal);
	json_set_str(j, "provider", h->provider);
	json_set_str(j, "model", h->model);
	set_hex(j, "tree", lkc_tree_hash(h->tree));
	set_hex(j, "prompts", prompt_hash());
	part = json_set_object(j, "base");
	json_set_str(part, "path", h->base_path);
	json_set_str(part, "origin", h->base_origin);
	set_hash(part, "hash", h->base_text, h->base_len);
	part = json_set_array(j, "scope");
	for (i = 0; h->scope && h->scope[i]; i++)
		json_append(part, json_new_str(h->scope[i]));
	json_set_int(j, "max_repair", h->max_repair);
	set_time(j);
	return j;
}

/* Would JSON give these bytes back as they are? */
static bool is_clean(const char *s, size_t len)
{
	const char *end = s + len;

	while (s < end) {
		uint32_t c;
		size_t n = utf8_decode(s, end, &c);

		if (!n || !c)
			return false;
		s += n;
	}
	return true;
}

static struct json *new_base(const char *text, size_t len)
{
	struct json *j = json_new_object();
	struct strbuf hex = {0};
	size_t i;

	if (is_clean(text, len)) {
		json_set_str(j, "encoding", "text");
		json_set(j, "text", json_new_strn(text, len));
		return j;
	}
	for (i = 0; i < len; i++)
		strbuf_addf(&hex, "%02x", (unsigned char)text[i]);
	json_set_str(j, "encoding", "hex");
	json_set(j, "text", hex.err ? NULL :
		 json_new_strn(strbuf_str(&hex), hex.len));
	strbuf_free(&hex);
	return j;
}

int record_begin(struct journal *j, const struct record_header *h)
{
	int err = journal_add(j, "header", new_header(h), false);

	return err ? err : journal_add(j, "base",
				       new_base(h->base_text, h->base_len),
				       true);
}

int record_usage(struct journal *j, const struct agent_totals *t)
{
	struct json *body = json_new_object();

	json_set_int(body, "groups", t->groups);
	json_set_int(body, "left", t->left);
	json_set_int(body, "requests", t->requests);
	json_set_int(body, "tries", t->tries);
	json_set_int(body, "unreadable", t->unreadable);
	json_set_int(body, "rounds", t->rounds);
	json_set_int(body, "input_tokens", t->input_tokens);
	json_set_int(body, "output_tokens", t->output_tokens);
	json_set_int(body, "uncounted", t->uncounted);
	return journal_add(j, "usage", body, false);
}

int record_end(struct journal *j, const char *status, const char *text,
	       size_t len)
{
	struct json *body = json_new_object();

	json_set_str(body, "status", status);
	if (text)
		set_hash(body, "config", text, len);
	return journal_add(j, "end", body, true);
}

/* ---- events -------------------------------------------------------------- */

static const struct lkc_tree *tree_of(const struct agent_event *e)
{
	return lkc_config_tree(e->group->config);
}

static struct json *new_body(const struct agent_event *e)
{
	struct json *j = json_new_object();

	json_set_int(j, "group", e->number);
	json_set_int(j, "round", e->group->round);
	return j;
}

static void set_path(struct json *j, const char *key,
		     const struct lkc_tree *tree, lkc_menu m)
{
	struct strbuf path = {0};

	menupath_add(&path, tree, m);
	json_set(j, key, path.err ? NULL : json_new_str(strbuf_str(&path)));
	strbuf_free(&path);
}

/* A menu entry by its symbol, or by its prompt. */
static struct json *new_entry_name(const struct lkc_tree *tree, lkc_menu m)
{
	lkc_sym sym = lkc_menu_sym(tree, m);
	const char *name = sym == LKC_NONE ? NULL : lkc_sym_name(tree, sym);

	return json_new_str(name ? name : lkc_menu_prompt(tree, m));
}

static int record_ask(struct journal *j, const struct agent_event *e)
{
	struct json *body = new_body(e);
	uint64_t hash = HASH_FNV64_INIT;
	struct json *items;
	uint32_t i;

	json_set_str(body, "kind", group_kind_name(e->group->kind));
	set_path(body, "menu", tree_of(e), e->group->menu);
	items = json_set_array(body, "items");
	for (i = 0; i < e->group->n; i++)
		json_append(items, new_entry_name(tree_of(e),
						  e->group->items[i].entry));
	for (i = 0; i < e->prompt->messages.n; i++) {
		const char *text = e->prompt->messages.v[i].text;

		hash = hash_fnv64(hash, text, strlen(text) + 1);
	}
	json_set_int(body, "messages", e->prompt->messages.n);
	set_hex(body, "hash", hash);
	return journal_add(j, "ask", body, false);
}

static int record_reply(struct journal *j, const struct agent_event *e)
{
	const struct llm_reply *r = e->reply;
	struct json *body = new_body(e);

	if (r->err) {
		json_set_str(body, "error", llm_err_name(r->err));
		json_set_str(body, "message", r->message);
	} else {
		json_set_int(body, "length", r->len);
		json_set(body, "text",
			 json_new_strn(r->text, r->len < REPLY_MAX ? r->len :
				       REPLY_MAX));
		json_set_bool(body, "truncated", r->truncated);
	}
	json_set_int(body, "tries", r->tries);
	if (r->usage.input_tokens >= 0)
		json_set_int(body, "input_tokens", r->usage.input_tokens);
	if (r->usage.output_tokens >= 0)
		json_set_int(body, "output_tokens", r->usage.output_tokens);
	return journal_add(j, "reply", body, false);
}

static int record_why(struct journal *j, const struct agent_event *e,
		      const char *event)
{
	struct json *body = new_body(e);

	json_set_str(body, "why", e->why);
	return journal_add(j, event, body, false);
}

static int record_repair(struct journal *j, const struct agent_event *e)
{
	struct json *body = new_body(e);
	struct json *names = json_set_array(body, "rejected");
	size_t i;

	for (i = 0; i < e->answer->n; i++) {
		const struct suggestion *s = &e->answer->v[i];

		if (s->round == e->group->round && suggestion_rejected(s))
			json_append(names, json_new_str(s->name));
	}
	return journal_add(j, "repair", body, false);
}

static int record_suggestion(struct journal *j, const struct agent_event *e,
			     const struct suggestion *s)
{
	struct json *body = json_new_object();

	json_set_int(body, "group", e->number);
	json_set_int(body, "round", s->round);
	json_set_str(body, "name", s->name);
	json_set_str(body, "value", s->value);
	json_set_str(body, "reason", s->reason);
	if (s->confidence >= 0)
		json_set_double(body, "confidence", s->confidence);
	json_set_bool(body, "asked", s->item != SUGGEST_NO_ITEM);
	json_set_str(body, "verdict", verdict_name(s->verdict));
	json_set_str(body, "why", s->why ? s->why : "");
	if (s->before)
		json_set_str(body, "before", s->before);
	if (s->got)
		json_set_str(body, "got", s->got);
	return journal_add(j, "suggestion", body, false);
}

static struct json *new_change(const struct lkc_tree *tree,
			       const struct lkc_change *c)
{
	struct json *j = json_new_object();

	json_set_str(j, "name", lkc_sym_name(tree, c->sym));
	json_set_str(j, "before", c->before);
	json_set_str(j, "after", c->after);
	json_set_str(j, "origin", lkc_origin_name(c->origin));
	json_set_bool(j, "requested", c->request >= 0);
	json_set_bool(j, "lost", c->lost);
	if (c->cause != LKC_NONE && lkc_sym_name(tree, c->cause))
		json_set_str(j, "cause", lkc_sym_name(tree, c->cause));
	return j;
}

static int record_commit(struct journal *j, const struct agent_event *e)
{
	struct json *body = new_body(e);
	struct json *list = json_set_array(body, "set");
	size_t i;

	for (i = 0; i < e->answer->n; i++) {
		const struct suggestion *s = &e->answer->v[i];
		struct json *set;

		if (!suggestion_stands(s))
			continue;
		set = json_new_object();
		json_set_str(set, "name", s->name);
		json_set_str(set, "value", s->value);
		json_append(list, set);
	}
	list = json_set_array(body, "changes");
	for (i = 0; i < lkc_txn_changes(e->txn); i++)
		json_append(list, new_change(tree_of(e),
					     lkc_txn_change(e->txn, i)));
	return journal_add(j, "commit", body, true);
}

static int record_suggestions(struct journal *j, const struct agent_event *e)
{
	size_t i;
	int err = 0;

	for (i = 0; i < e->answer->n && !err; i++)
		err = record_suggestion(j, e, &e->answer->v[i]);
	return err;
}

static void add_names(struct json *list, const struct lkc_tree *tree,
		      const lkc_menu *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		json_append(list, new_entry_name(tree, v[i]));
}

static int record_moves(struct journal *j, const struct agent_event *e)
{
	const struct walk_moves *m = e->moves;
	struct json *body = new_body(e);

	add_names(json_set_array(body, "appeared"), tree_of(e), m->appeared,
		  m->n_appeared);
	add_names(json_set_array(body, "vanished"), tree_of(e), m->vanished,
		  m->n_vanished);
	return journal_add(j, "moves", body, false);
}

static int record_opened(struct journal *j, const struct agent_event *e)
{
	struct json *body = new_body(e);

	set_path(body, "menu", tree_of(e), e->menu);
	json_set_str(body, "why", e->why);
	return journal_add(j, "opened", body, false);
}

int record_event(struct journal *j, const struct agent_event *e)
{
	int err;

	switch (e->type) {
	case AGENT_ASK:
		return record_ask(j, e);
	case AGENT_REPLY:
		return record_reply(j, e);
	case AGENT_REJECT:
		return record_why(j, e, "reject");
	case AGENT_REPAIR:
		return record_repair(j, e);
	case AGENT_COMMIT:
		err = record_suggestions(j, e);
		return err ? err : record_commit(j, e);
	case AGENT_LEFT:
		err = record_suggestions(j, e);
		return err ? err : record_why(j, e, "left");
	case AGENT_MOVES:
		return record_moves(j, e);
	case AGENT_OPENED:
		return record_opened(j, e);
	}
	return -EINVAL;
}
