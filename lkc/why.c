// SPDX-License-Identifier: GPL-2.0-only
/*
 * why - an explanation as a tree: what decides a value, and what decides that
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "config.h"

/* Below this, an explanation only goes on about what needs no explaining. */
#define DEPTH_MAX 6
/* Selects, clauses or symbols that are listed; of the rest, the number is. */
#define LISTED_MAX 8

struct lkc_why {
	struct arena arena;
	struct { VEC(struct lkc_why_node); } nodes;
	bool failed;			/* out of memory */
};

struct why {
	struct lkc_why *out;
	const struct lkc_config *c;
	const struct lkc_tree *t;
	lkc_sym path[2 * DEPTH_MAX];	/* what is being explained */
	unsigned int n_path;
};

static void why_value(struct why *w, lkc_sym sym, unsigned int depth);
static void why_not(struct why *w, lkc_sym sym, enum lkc_tri want,
		    unsigned int depth);

/* ---- nodes --------------------------------------------------------------- */

/* Adds a node; @text is emptied. */
static void node(struct why *w, unsigned int depth, enum lkc_why_kind kind,
		 lkc_sym sym, struct diag_place place, struct strbuf *text)
{
	struct lkc_why_node n = {
		.depth = depth, .kind = kind, .sym = sym,
		.text = arena_strdup(&w->out->arena, strbuf_str(text)),
		.place = { place.file, place.line, place.column },
	};

	if (text->err || !n.text || !vec_push(&w->out->nodes, n))
		w->out->failed = true;
	strbuf_free(text);
}

static const char *name_of(const struct why *w, lkc_sym sym)
{
	const char *name = lkc_sym_name(w->t, sym);

	if (!name)
		name = lkc_sym_prompt(w->t, sym);
	return name ? name : "a choice";
}

static struct diag_place sym_place(const struct why *w, lkc_sym sym)
{
	const struct symbol *s = sym_get(w->t, sym);

	if (!s->entries.n)
		return (struct diag_place){ 0 };
	return build_place(w->t, w->t->entries.v[
			   w->t->sym_entries[s->entries.at]].span);
}

static bool is_explained(const struct why *w, lkc_sym sym)
{
	unsigned int i;

	for (i = 0; i < w->n_path; i++) {
		if (w->path[i] == sym)
			return true;
	}
	return false;
}

/* False if there is no point in explaining @sym here. */
static bool enter(struct why *w, lkc_sym sym, unsigned int depth)
{
	if (depth > DEPTH_MAX || w->n_path >= 2 * DEPTH_MAX ||
	    is_explained(w, sym) || !lkc_sym_is_config(w->t, sym))
		return false;
	w->path[w->n_path++] = sym;
	return true;
}

static void leave(struct why *w)
{
	w->n_path--;
}

static void add_more(struct why *w, unsigned int depth, enum lkc_why_kind kind,
		     unsigned int n, const char *what)
{
	struct strbuf text = {0};

	if (n <= LISTED_MAX)
		return;
	strbuf_addf(&text, "and %u more %s", n - LISTED_MAX, what);
	node(w, depth, kind, LKC_NONE, (struct diag_place){ 0 }, &text);
}

/* ---- where a value comes from -------------------------------------------- */

/* The line of a default, if it asks the tools: "def_bool $(cc-option,...)". */
static void add_probe(struct why *w, const struct prop *p, unsigned int depth)
{
	struct diag_place place = build_place(w->t, p->span);
	struct strbuf text = {0};
	const char *at = place.source;
	size_t len = place.source_len;

	if (!at || !memmem(at, len, "$(", 2))
		return;
	while (len && (*at == ' ' || *at == '\t')) {
		at++;
		len--;
	}
	strbuf_addf(&text, "that is what the build tools answered: %.*s",
		    (int)len, at);
	node(w, depth, LKC_WHY_PROBE, LKC_NONE, place, &text);
}

/* The number of default @p among those of its symbol, from 1, and how many. */
static unsigned int default_number(const struct why *w, const struct prop *p,
				   unsigned int *of)
{
	const struct symbol *s = sym_get(w->t, p->sym);
	unsigned int i, found = 0;

	*of = 0;
	for (i = 0; i < s->props.n; i++) {
		const struct prop *q =
			&w->t->props.v[w->t->sym_props[s->props.at + i]];

		if (q->kind != PROP_DEFAULT)
			continue;
		(*of)++;
		if (q == p)
			found = *of;
	}
	return found;
}

static void add_condition(const struct why *w, lkc_expr cond,
			  struct strbuf *text)
{
	if (lkc_expr_is_const(w->t, cond, LKC_YES))
		return;
	strbuf_addstr(text, " if ");
	expr_text(w->t, cond, w->c, text);
}

static void why_default(struct why *w, lkc_sym sym, unsigned int depth)
{
	const struct prop *p = eval_default(w->c, sym);
	struct strbuf text = {0};
	unsigned int i, of;

	if (!p) {
		strbuf_addstr(&text, "none of its defaults applies");
		node(w, depth, LKC_WHY_DEFAULT, LKC_NONE,
		     (struct diag_place){ 0 }, &text);
		return;
	}
	i = default_number(w, p, &of);
	strbuf_addstr(&text, "default ");
	if (of > 1)
		strbuf_addf(&text, "%u of %u: ", i, of);
	expr_text(w->t, p->a, p->a <= EXPR_Y ? NULL : w->c, &text);
	add_condition(w, p->own, &text);
	node(w, depth, LKC_WHY_DEFAULT, LKC_NONE, build_place(w->t, p->span),
	     &text);
	add_probe(w, p, depth + 1);
}

/* The selects or implies that aim at @sym and are in force. */
static void why_reverse(struct why *w, lkc_sym sym, enum prop_kind kind,
			unsigned int depth)
{
	const struct symbol *s = sym_get(w->t, sym);
	struct strbuf text = {0};
	unsigned int i, n = 0;

	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&w->t->props.v[w->t->sym_reverse[s->reverse.at + i]];

		if (p->kind != kind || w->c->value[p->sym].tri == LKC_NO ||
		    eval_expr(w->c, p->cond) == LKC_NO || n++ >= LISTED_MAX)
			continue;
		strbuf_addf(&text, "%s by %s=%s",
			    kind == PROP_SELECT ? "selected" : "implied",
			    name_of(w, p->sym), eval_string(w->c, p->sym));
		add_condition(w, p->own, &text);
		node(w, depth, kind == PROP_SELECT ? LKC_WHY_SELECT :
		     LKC_WHY_IMPLY, p->sym, build_place(w->t, p->span), &text);
		if (n <= 2)
			why_value(w, p->sym, depth + 1);
	}
	add_more(w, depth, LKC_WHY_SELECT, n, "of these");
}

static void why_choice(struct why *w, lkc_sym sym, unsigned int depth)
{
	lkc_sym choice = sym_get(w->t, sym)->choice;
	lkc_sym winner = w->c->value[choice].winner;
	const char *prompt = lkc_sym_prompt(w->t, choice);
	struct strbuf text = {0};

	strbuf_addf(&text, "the choice \"%s\" has ", prompt ? prompt : "");
	strbuf_addstr(&text, winner == LKC_NONE ? "no member" :
		      winner == sym ? "this member" : name_of(w, winner));
	node(w, depth, LKC_WHY_CHOICE, winner, sym_place(w, choice), &text);
}

static void why_range(struct why *w, lkc_sym sym, unsigned int depth)
{
	struct strbuf text = {0};
	struct lkc_place at;
	int64_t low, high;

	if (!lkc_range(w->c, sym, &low, &high, &at))
		return;
	if (sym_get(w->t, sym)->type == LKC_HEX)
		strbuf_addf(&text, "its range is from 0x%llx to 0x%llx",
			    (unsigned long long)low, (unsigned long long)high);
	else
		strbuf_addf(&text, "its range is from %lld to %lld",
			    (long long)low, (long long)high);
	node(w, depth, LKC_WHY_RANGE, LKC_NONE,
	     (struct diag_place){ .file = at.file, .line = at.line,
				  .column = at.column }, &text);
}

/* ---- what stands in the way ---------------------------------------------- */

/* "A=y (now n)": one symbol of a condition, and why it is not so. */
static void unmet_sym(struct why *w, lkc_sym sym, enum lkc_tri want,
		      unsigned int depth)
{
	const struct symbol *s = sym_get(w->t, sym);
	struct strbuf text = {0};

	if (s->flags & SYMBOL_CONST) {
		strbuf_addf(&text, "a constant %s is never %s", s->name,
			    want == LKC_YES ? "y" : "m");
		node(w, depth, LKC_WHY_UNMET, LKC_NONE,
		     (struct diag_place){ 0 }, &text);
		return;
	}
	if (s->flags & SYMBOL_CHOICE) {
		strbuf_addf(&text, "needs the choice \"%s\"", name_of(w, sym));
	} else if (!lkc_sym_is_config(w->t, sym)) {
		strbuf_addf(&text, "needs %s, which this kernel does not have",
			    s->name);
	} else {
		strbuf_addf(&text, "needs %s=%s, which is %s", s->name,
			    want == LKC_MOD && s->type == LKC_TRISTATE ?
			    "m or y" : "y", eval_string(w->c, sym));
	}
	node(w, depth, LKC_WHY_UNMET, sym, sym_place(w, sym), &text);
	if (enter(w, sym, depth + 1)) {
		why_not(w, sym, want, depth + 1);
		leave(w);
	}
}

static void unmet(struct why *w, lkc_expr e, enum lkc_tri want,
		  unsigned int depth);

/* Each of the terms that keeps the chain @e below @want. */
static void unmet_terms(struct why *w, lkc_expr e, enum lkc_op op,
			enum lkc_tri want, unsigned int depth)
{
	struct expr_list terms = {0};
	uint32_t i, n = 0;

	if (!expr_terms(w->t, e, op, &terms))
		w->out->failed = true;
	for (i = 0; i < terms.n; i++) {
		if (eval_expr(w->c, terms.v[i]) >= want || n++ >= LISTED_MAX)
			continue;
		unmet(w, terms.v[i], want, depth);
	}
	add_more(w, depth, LKC_WHY_UNMET, n, "conditions");
	vec_free(&terms);
}

static void unmet_other(struct why *w, lkc_expr e, unsigned int depth)
{
	const struct expr *x = expr_get(w->t, e);
	struct strbuf text = {0};
	lkc_sym sym = LKC_NONE;

	if (x->op == LKC_OP_NOT && expr_get(w->t, x->l)->op == LKC_OP_SYM) {
		sym = expr_get(w->t, x->l)->l;
		strbuf_addf(&text, "needs %s=n, which is %s", name_of(w, sym),
			    eval_string(w->c, sym));
	} else {
		strbuf_addstr(&text, "needs ");
		expr_text(w->t, e, w->c, &text);
		if (x->op != LKC_OP_NOT)
			sym = x->l;
	}
	if (sym != LKC_NONE && !lkc_sym_is_config(w->t, sym))
		sym = LKC_NONE;
	node(w, depth, LKC_WHY_UNMET, sym, sym == LKC_NONE ?
	     (struct diag_place){ 0 } : sym_place(w, sym), &text);
	if (sym != LKC_NONE)
		why_value(w, sym, depth + 1);
}

static void unmet(struct why *w, lkc_expr e, enum lkc_tri want,
		  unsigned int depth)
{
	const struct expr *x = expr_get(w->t, e);
	struct strbuf text = {0};

	if (eval_expr(w->c, e) >= want || depth > DEPTH_MAX + 2)
		return;
	switch (x->op) {
	case LKC_OP_SYM:
		unmet_sym(w, x->l, want, depth);
		break;
	case LKC_OP_AND:
		unmet_terms(w, e, LKC_OP_AND, want, depth);
		break;
	case LKC_OP_OR:
		strbuf_addstr(&text, "needs one of");
		node(w, depth, LKC_WHY_UNMET, LKC_NONE,
		     (struct diag_place){ 0 }, &text);
		unmet_terms(w, e, LKC_OP_OR, want, depth + 1);
		break;
	default:
		unmet_other(w, e, depth);
		break;
	}
}

/* Who could set what has no prompt. */
static void why_promptless(struct why *w, lkc_sym sym, unsigned int depth)
{
	const struct symbol *s = sym_get(w->t, sym);
	struct strbuf text = {0};
	unsigned int i, n = 0;

	strbuf_addstr(&text, s->reverse.n ?
		      "has no prompt: others select it" :
		      "has no prompt, and nothing selects it: only its defaults set it");
	node(w, depth, LKC_WHY_PROMPTLESS, LKC_NONE, sym_place(w, sym), &text);
	for (i = 0; i < s->reverse.n; i++) {
		const struct prop *p =
			&w->t->props.v[w->t->sym_reverse[s->reverse.at + i]];

		if (p->kind != PROP_SELECT || n++ >= LISTED_MAX)
			continue;
		strbuf_addf(&text, "%s (now %s) would", name_of(w, p->sym),
			    eval_string(w->c, p->sym));
		add_condition(w, p->own, &text);
		node(w, depth + 1, LKC_WHY_SELECT, p->sym,
		     build_place(w->t, p->span), &text);
	}
	add_more(w, depth + 1, LKC_WHY_SELECT, n, "selectors");
	if (eval_default(w->c, sym) || !s->reverse.n)
		why_default(w, sym, depth + 1);
	if (eval_expr(w->c, s->depends) == LKC_NO)
		unmet(w, s->depends, LKC_MOD, depth + 1);
}

/*
 * A prompt whose condition is n for good: tells the lines of its definitions in
 * which the tools were asked, as "depends on $(cc-option,-fsanitize=kcfi)".
 */
static void why_never(struct why *w, lkc_sym sym, unsigned int depth)
{
	const struct symbol *s = sym_get(w->t, sym);
	struct strbuf text = {0};
	unsigned int i, n = 0;

	strbuf_addstr(&text, "its dependencies can never be met in this tree with these build tools");
	node(w, depth, LKC_WHY_UNMET, LKC_NONE, sym_place(w, sym), &text);
	for (i = 0; i < s->entries.n; i++) {
		struct span span = w->t->entries.v[
			w->t->sym_entries[s->entries.at + i]].span;
		struct diag_place place = build_place(w->t, span);
		const char *line = place.source ? strchr(place.source, '\n') :
			NULL;

		while (line && (line[1] == ' ' || line[1] == '\t' ||
				line[1] == '\n') && n < LISTED_MAX) {
			size_t len = strcspn(line + 1, "\n"), skip;

			place.line++;
			skip = 1 + strspn(line + 1, " \t");
			if (strncmp(line + skip, "help", 4) == 0)
				break;
			if (strncmp(line + skip, "depends on", 10) == 0 &&
			    memmem(line + 1, len, "$(", 2)) {
				strbuf_addf(&text, "the build tools answered n: %.*s",
					    (int)(len + 1 - skip), line + skip);
				place.column = skip;
				node(w, depth + 1, LKC_WHY_PROBE, LKC_NONE,
				     place, &text);
				n++;
			}
			line = line[1 + len] ? line + 1 + len : NULL;
		}
	}
}

/* What keeps the bool or tristate @sym below @want. */
static void why_not(struct why *w, lkc_sym sym, enum lkc_tri want,
		    unsigned int depth)
{
	const struct symbol *s = sym_get(w->t, sym);
	const char *asked = lkc_user_value(w->c, sym);
	struct strbuf text = {0};

	if (w->c->value[sym].tri >= want && type_is_tri(s->type))
		return;
	if (s->prompt_cond == EXPR_N && lkc_sym_prompt(w->t, sym)) {
		why_never(w, sym, depth);
		return;
	}
	if (s->prompt_cond == EXPR_N) {
		why_promptless(w, sym, depth);
		return;
	}
	if (want == LKC_MOD && s->type != LKC_TRISTATE)
		want = LKC_YES;
	if (eval_expr(w->c, s->prompt_cond) < want) {
		unmet(w, s->prompt_cond, want, depth);
		return;
	}
	if (s->choice != LKC_NONE) {
		why_choice(w, sym, depth);
		return;
	}
	strbuf_addf(&text, "nothing: it can be set%s", asked ?
		    ", the configuration has it otherwise" : "");
	node(w, depth, LKC_WHY_FREE, sym, sym_place(w, sym), &text);
}

/* ---- both ----------------------------------------------------------------- */

static void why_asked(struct why *w, lkc_sym sym, unsigned int depth)
{
	const struct symbol *s = sym_get(w->t, sym);
	const char *asked = lkc_user_value(w->c, sym);
	struct strbuf text = {0};

	if (!asked || strcmp(asked, eval_string(w->c, sym)) == 0)
		return;
	strbuf_addf(&text, "the configuration asks for %s", asked);
	node(w, depth, LKC_WHY_ASKED, sym, (struct diag_place){ 0 }, &text);
	if (eval_expr(w->c, s->prompt_cond) < LKC_YES)
		unmet(w, s->prompt_cond, strcmp(asked, "m") == 0 ? LKC_MOD :
		      LKC_YES, depth + 1);
	if (s->choice != LKC_NONE && w->c->value[sym].origin ==
	    LKC_ORIGIN_CHOICE)
		why_choice(w, sym, depth + 1);
}

static void why_origin(struct why *w, lkc_sym sym, unsigned int depth)
{
	const struct symbol *s = sym_get(w->t, sym);
	struct strbuf text = {0};

	switch (w->c->value[sym].origin) {
	case LKC_ORIGIN_USER:
		strbuf_addstr(&text, "the configuration asks for it");
		node(w, depth, LKC_WHY_USER, sym, (struct diag_place){ 0 },
		     &text);
		break;
	case LKC_ORIGIN_DEFAULT:
		why_default(w, sym, depth);
		break;
	case LKC_ORIGIN_SELECT:
		why_reverse(w, sym, PROP_SELECT, depth);
		break;
	case LKC_ORIGIN_IMPLY:
		why_reverse(w, sym, PROP_IMPLY, depth);
		break;
	case LKC_ORIGIN_CHOICE:
		why_choice(w, sym, depth);
		break;
	default:
		if (!type_is_tri(s->type)) {
			if (eval_expr(w->c, s->depends) == LKC_NO)
				unmet(w, s->depends, LKC_MOD, depth);
		} else if (s->choice == LKC_NONE) {
			why_not(w, sym, LKC_MOD, depth);
		} else {
			why_choice(w, sym, depth);
		}
		break;
	}
}

static void why_value(struct why *w, lkc_sym sym, unsigned int depth)
{
	if (!enter(w, sym, depth))
		return;
	why_origin(w, sym, depth);
	leave(w);
}

static int finish(struct lkc_why *out, struct lkc_why **result)
{
	if (!out->failed) {
		*result = out;
		return 0;
	}
	lkc_why_free(out);
	return LKC_ENOMEM;
}

int lkc_why(const struct lkc_config *c, lkc_sym sym, struct lkc_why **result)
{
	struct lkc_why *out = calloc(1, sizeof(*out));
	struct why w = { .out = out, .c = c, .t = c->tree };
	struct strbuf text = {0};
	const char *value;
	bool quote;

	*result = NULL;
	if (!out)
		return LKC_ENOMEM;
	value = eval_string(c, sym);
	quote = sym_get(c->tree, sym)->type == LKC_STRING;
	strbuf_addf(&text, "%s=%s%s%s", name_of(&w, sym), quote ? "\"" : "",
		    value, quote ? "\"" : "");
	node(&w, 0, LKC_WHY_VALUE, sym, sym_place(&w, sym), &text);
	why_value(&w, sym, 1);
	why_asked(&w, sym, 1);
	why_range(&w, sym, 1);
	return finish(out, result);
}

int lkc_why_not(const struct lkc_config *c, lkc_sym sym, enum lkc_tri want,
		struct lkc_why **result)
{
	struct lkc_why *out = calloc(1, sizeof(*out));
	struct why w = { .out = out, .c = c, .t = c->tree };

	*result = NULL;
	if (!out)
		return LKC_ENOMEM;
	w.path[w.n_path++] = sym;
	why_not(&w, sym, want, 0);
	return finish(out, result);
}

size_t lkc_why_nodes(const struct lkc_why *w)
{
	return w->nodes.n;
}

const struct lkc_why_node *lkc_why_node(const struct lkc_why *w, size_t i)
{
	return i < w->nodes.n ? &w->nodes.v[i] : NULL;
}

void lkc_why_free(struct lkc_why *w)
{
	if (!w)
		return;
	vec_free(&w->nodes);
	arena_free(&w->arena);
	free(w);
}

const char *lkc_why_kind_name(enum lkc_why_kind kind)
{
	static const char *const names[] = {
		[LKC_WHY_VALUE] = "value", [LKC_WHY_USER] = "user",
		[LKC_WHY_DEFAULT] = "default", [LKC_WHY_SELECT] = "select",
		[LKC_WHY_IMPLY] = "imply", [LKC_WHY_CHOICE] = "choice",
		[LKC_WHY_RANGE] = "range", [LKC_WHY_ASKED] = "asked",
		[LKC_WHY_UNMET] = "unmet", [LKC_WHY_PROMPTLESS] = "promptless",
		[LKC_WHY_PROBE] = "probe", [LKC_WHY_FREE] = "free",
	};

	return names[kind];
}
