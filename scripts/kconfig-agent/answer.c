// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "answer.h"
#include "base/strbuf.h"
#include "group.h"
#include "json.h"
#include "llm.h"
#include "text.h"

/* Limits of the search for JSON among prose. */
#define SEARCH_BYTES (1u << 20)
#define SEARCH_TRIES 64

/* ---- verdicts ------------------------------------------------------------ */

static const struct {
	const char *name;
	bool holds;
} verdicts[] = {
#define VERDICT_ROW(name, text, holds) [VERDICT_##name] = { text, holds },
	VERDICTS(VERDICT_ROW)
#undef VERDICT_ROW
};

const char *verdict_name(enum verdict v)
{
	return verdicts[v].name;
}

bool verdict_holds(enum verdict v)
{
	return verdicts[v].holds;
}

enum verdict verdict_of(enum lkc_verdict v)
{
	static const enum verdict of[] = {
		[LKC_V_PENDING] = VERDICT_PENDING,
		[LKC_V_ACCEPTED] = VERDICT_ACCEPTED,
		[LKC_V_ALREADY] = VERDICT_ALREADY,
		[LKC_V_UNKNOWN] = VERDICT_UNKNOWN,
		[LKC_V_INVISIBLE] = VERDICT_INVISIBLE,
		[LKC_V_PINNED] = VERDICT_PINNED,
		[LKC_V_OUT_OF_RANGE] = VERDICT_OUT_OF_RANGE,
		[LKC_V_CHOICE_CONFLICT] = VERDICT_CHOICE_CONFLICT,
		[LKC_V_PROMPTLESS] = VERDICT_PROMPTLESS,
		[LKC_V_TYPE] = VERDICT_TYPE,
		[LKC_V_CLOBBERED] = VERDICT_CLOBBERED,
	};

	return of[v];
}

/* ---- suggestions --------------------------------------------------------- */

bool suggestion_judge(struct suggestion *s, enum verdict v, const char *why)
{
	s->verdict = v;
	free(s->why);
	s->why = text_line(why, 0);
	return s->why != NULL;
}

bool suggestion_rejected(const struct suggestion *s)
{
	return s->verdict >= VERDICT_UNKNOWN &&
	       (s->kind == SUGGEST_VALUE || s->kind == SUGGEST_NOTHING);
}

bool suggestion_stands(const struct suggestion *s)
{
	return s->kind == SUGGEST_VALUE && verdict_holds(s->verdict);
}

bool suggestion_unasked(const struct suggestion *s)
{
	return s->item == SUGGEST_NO_ITEM && s->sym != LKC_NONE;
}

void suggestion_free(struct suggestion *s)
{
	free(s->name);
	free(s->value);
	free(s->reason);
	free(s->why);
	free(s->before);
	free(s->got);
	memset(s, 0, sizeof(*s));
}

void answer_free(struct answer *a)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		suggestion_free(&a->v[i]);
	free(a->v);
	a->v = NULL;
	a->n = 0;
}

/* ---- finding the JSON ---------------------------------------------------- */

/* The list of answers in @j, whatever form it has; NULL if there is none. */
static const struct json *answers_in(const struct json *j)
{
	const struct json *list = json_get(j, "answers");

	if (json_type(list) == JSON_ARRAY)
		return list;
	return json_type(j) == JSON_ARRAY ? j : NULL;
}

/* The end of the object or array that begins at @p; NULL if it has none. */
static const char *balanced(const char *p, const char *end)
{
	size_t depth = 0;
	bool quoted = false;

	for (; p < end; p++) {
		if (quoted) {
			if (*p == '\\' && p + 1 < end)
				p++;
			else if (*p == '"')
				quoted = false;
			continue;
		}
		if (*p == '"')
			quoted = true;
		else if (*p == '{' || *p == '[')
			depth++;
		else if ((*p == '}' || *p == ']') && !--depth)
			return p + 1;
	}
	return NULL;
}

/* The last object or array among prose that has answers. NULL: none has. */
static struct json *find_json(const char *text, size_t len)
{
	const char *end = text + (len < SEARCH_BYTES ? len : SEARCH_BYTES);
	unsigned int tries = SEARCH_TRIES;
	struct json *found = NULL, *j;
	const char *p, *close;

	for (p = text; p < end && tries; p++) {
		if (*p != '{' && *p != '[')
			continue;
		tries--;
		close = balanced(p, end);
		j = close ? json_parse(p, close - p, NULL, NULL) : NULL;
		if (!j)
			continue;
		if (json_type(j) == JSON_OBJECT ? answers_in(j) != NULL :
		    json_type(json_first(j)) == JSON_OBJECT) {
			json_free(found);
			found = j;
		} else {
			json_free(j);
		}
		p = close - 1;
	}
	return found;
}

/* Says in @why what is wrong with the reply as a whole, if it is. */
static struct json *parse(const char *text, size_t len, struct strbuf *why)
{
	struct json_error err = {0};
	struct json *j;
	size_t n;
	const char *inner = llm_unfence(text, len, &n);

	j = json_parse(inner, n, NULL, &err);
	if (j && answers_in(j))
		return j;
	json_free(j);
	switch (err.code) {
	case JSON_ENOMEM:
		return NULL;
	case JSON_EDUPKEY:
		/* whichever was meant: it is not to be guessed at */
		strbuf_addf(why, "an object has the same key twice (byte %zu)",
			    err.offset);
		return NULL;
	case JSON_ESYNTAX:
	case JSON_ELIMIT:
		strbuf_addf(why, "the reply is not JSON: %s at byte %zu",
			    err.what, err.offset);
		break;
	default:
		strbuf_addstr(why, "there is no list called \"answers\" in the reply");
	}
	return find_json(text, len);
}

/* ---- names --------------------------------------------------------------- */

/* Strips blanks, and pairs of quotes around the whole, from both ends. */
static void strip(char *s)
{
	size_t n = strlen(s), from = 0;

	for (;;) {
		while (n > from && s[n - 1] == ' ')
			n--;
		while (from < n && s[from] == ' ')
			from++;
		if (n - from < 2 || s[from] != s[n - 1] ||
		    !strchr("\"'`", s[from]))
			break;
		from++;
		n--;
	}
	memmove(s, s + from, n - from);
	s[n - from] = '\0';
}

static void strip_prefix(char *s)
{
	if (!strncasecmp(s, "CONFIG_", 7))
		memmove(s, s + 7, strlen(s + 7) + 1);
}

static const struct lkc_tree *tree_of(const struct group *g)
{
	return lkc_config_tree(g->config);
}

static const char *item_name(const struct group *g, size_t i)
{
	lkc_sym sym = g->items[i].sym;

	return sym == LKC_NONE ? NULL : lkc_sym_name(tree_of(g), sym);
}

static size_t find_item(const struct group *g, const char *name)
{
	size_t i;

	for (i = 0; i < g->n; i++) {
		const char *symbol = item_name(g, i);

		if (symbol && !strcasecmp(symbol, name))
			return i;
	}
	for (i = 0; i < g->n; i++) {
		const char *prompt = lkc_menu_prompt(tree_of(g),
						     g->items[i].entry);

		if (prompt && !strcasecmp(prompt, name))
			return i;
	}
	return SUGGEST_NO_ITEM;
}

/* The item that "menu:N" or "N" means. */
static size_t find_numbered(const struct group *g, const char *name)
{
	unsigned long n;
	char *end;

	if (!strncasecmp(name, "menu", 4))
		name += 4 + (name[4] == ':' || name[4] == ' ');
	if (!isdigit((unsigned char)*name))
		return SUGGEST_NO_ITEM;
	n = strtoul(name, &end, 10);
	return *end || n < 1 || n > g->n ? SUGGEST_NO_ITEM : n - 1;
}

static bool is_symbol(const struct group *g, const char *name)
{
	lkc_sym sym = lkc_sym_find(tree_of(g), name);

	return sym != LKC_NONE && lkc_sym_is_config(tree_of(g), sym);
}

/* Makes @name the @len bytes of it at @from, if they are a symbol's name. */
static bool take_symbol(const struct group *g, char *name, const char *from,
			size_t len)
{
	char *part = strndup(from, len);
	bool found;

	if (!part)
		return false;
	strip(part);
	strip_prefix(part);
	found = is_symbol(g, part);
	if (found)
		memcpy(name, part, strlen(part) + 1);
	free(part);
	return found;
}

/* "prompt (SYMBOL)" and "SYMBOL (prompt)" become SYMBOL, if there is one. */
static void unwrap_name(const struct group *g, char *name)
{
	size_t n = strlen(name);
	char *open = strrchr(name, '(');

	if (!open || name[n - 1] != ')')
		return;
	if (!take_symbol(g, name, open + 1, name + n - open - 2))
		take_symbol(g, name, name, open - name);
}

/* ---- values -------------------------------------------------------------- */

static const struct {
	const char *word;
	const char *means;
} tri_words[] = {
	{ "y", "y" }, { "yes", "y" }, { "true", "y" }, { "on", "y" },
	{ "enable", "y" }, { "enabled", "y" }, { "builtin", "y" },
	{ "built-in", "y" },
	{ "n", "n" }, { "no", "n" }, { "false", "n" }, { "off", "n" },
	{ "disable", "n" }, { "disabled", "n" }, { "not set", "n" },
	{ "is not set", "n" },
	{ "m", "m" }, { "mod", "m" }, { "module", "m" },
};

static const struct {
	const char *word;
	enum suggestion_kind kind;
} kind_words[] = {
	{ "keep", SUGGEST_KEEP },
	{ "unsure", SUGGEST_UNSURE },
};

static const struct {
	const char *word;
	enum suggestion_kind kind;
} menu_words[] = {
	{ "open", SUGGEST_OPEN }, { "y", SUGGEST_OPEN },
	{ "skip", SUGGEST_SKIP }, { "n", SUGGEST_SKIP },
	{ "keep", SUGGEST_SKIP },
	{ "unsure", SUGGEST_UNSURE },
};

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* Makes words for y, m and n those letters. */
static void plain_tri(char *value)
{
	size_t i;

	for (i = 0; i < ROWS(tri_words); i++) {
		if (!strcasecmp(value, tri_words[i].word)) {
			value[0] = tri_words[i].means[0];
			value[1] = '\0';
			return;
		}
	}
}

static bool is_tri(const struct group *g, lkc_sym sym)
{
	enum lkc_type type = sym == LKC_NONE ? LKC_UNKNOWN :
		lkc_sym_type(tree_of(g), sym);

	return type == LKC_BOOL || type == LKC_TRISTATE;
}

/*
 * The value as text, or NULL when out of memory or, then with *@bad, if it is
 * nothing that can be a value.
 */
static char *value_text(const struct json *value, const char **bad)
{
	struct strbuf b = {0};
	const char *s = json_str(value);
	int64_t n;
	bool yes;

	if (s && strlen(s) > ANSWER_VALUE_MAX) {
		*bad = "the value is too long";
		return NULL;
	}
	if (s) {
		text_add(&b, s, 0);
	} else if (json_bool(value, &yes)) {
		strbuf_addstr(&b, yes ? "y" : "n");
	} else if (json_int(value, &n)) {
		strbuf_addf(&b, "%" PRId64, n);
	} else {
		*bad = !value ? "there is no \"value\" in the answer" :
			"the value must be a string";
		return NULL;
	}
	return strbuf_detach(&b, NULL);
}

/* "SYMBOL=value", the symbol being the suggestion's, becomes value. */
static void strip_assignment(const char *name, char *value)
{
	char *eq = strchr(value, '=');
	const char *left = strncasecmp(value, "CONFIG_", 7) ? value : value + 7;

	if (eq && (size_t)(eq - left) == strlen(name) &&
	    !strncasecmp(left, name, eq - left))
		memmove(value, eq + 1, strlen(eq + 1) + 1);
}

/* ---- one answer ---------------------------------------------------------- */

/* "NAME=value" in place of a name is both. False when out of memory. */
static bool split_assignment(struct suggestion *s, const char **bad)
{
	char *eq = strchr(s->name, '=');

	if (!eq)
		return true;
	if (!s->value) {
		s->value = strdup(eq + 1);
		*bad = NULL;
	}
	*eq = '\0';
	strip(s->name);
	return s->value != NULL;
}

/* In a choice, the member may stand where the value should. */
static bool take_member(const struct group *g, struct suggestion *s)
{
	size_t item;

	if (g->kind != GROUP_CHOICE || find_item(g, s->name) != SUGGEST_NO_ITEM)
		return true;
	item = find_item(g, strncasecmp(s->value, "CONFIG_", 7) ? s->value :
			 s->value + 7);
	if (item == SUGGEST_NO_ITEM)
		return true;
	free(s->name);
	s->name = s->value;
	strip_prefix(s->name);
	s->value = strdup("y");
	return s->value != NULL;
}

/* Items are known by their own names. False when out of memory. */
static bool resolve_name(const struct group *g, struct suggestion *s)
{
	struct strbuf name = {0};

	if (g->kind == GROUP_MENU)
		s->item = find_numbered(g, s->name);
	if (s->item == SUGGEST_NO_ITEM)
		s->item = find_item(g, s->name);
	if (s->item == SUGGEST_NO_ITEM) {
		s->sym = is_symbol(g, s->name) ?
			lkc_sym_find(tree_of(g), s->name) : LKC_NONE;
		return true;
	}
	s->sym = g->items[s->item].sym;
	if (g->kind == GROUP_MENU)
		strbuf_addf(&name, "menu:%zu", s->item + 1);
	else
		strbuf_addstr(&name, item_name(g, s->item));
	free(s->name);
	s->name = strbuf_detach(&name, NULL);
	return s->name != NULL;
}

/* Tells what @s says to do. False when out of memory. */
static bool understand(const struct group *g, struct suggestion *s)
{
	bool menu = g->kind == GROUP_MENU && s->item != SUGGEST_NO_ITEM;
	size_t i;

	for (i = 0; menu && i < ROWS(menu_words); i++) {
		if (!strcasecmp(s->value, menu_words[i].word)) {
			s->kind = menu_words[i].kind;
			return true;
		}
	}
	for (i = 0; i < ROWS(kind_words); i++) {
		if (!strcasecmp(s->value, kind_words[i].word)) {
			s->kind = kind_words[i].kind;
			return true;
		}
	}
	if (menu)
		return suggestion_judge(s, VERDICT_TYPE,
					"it must be open, skip or unsure");
	if (!strncmp(s->name, "menu:", 5))
		return suggestion_judge(s, VERDICT_UNKNOWN,
					"there is no item of this number");
	s->kind = SUGGEST_VALUE;
	return true;
}

/* The name as text, or NULL as in value_text(). */
static char *name_text(const struct json *elem, const char **bad)
{
	const struct json *name = json_get(elem, "name");
	const char *s = json_str(name);
	struct strbuf b = {0};
	int64_t n;

	if (!s)
		s = json_str(elem);	/* "SYMBOL=value" alone */
	if (s)
		text_add(&b, s, ANSWER_NAME_MAX);
	else if (json_int(name, &n))
		strbuf_addf(&b, "%" PRId64, n);
	if (b.len || b.err)
		return strbuf_detach(&b, NULL);
	*bad = json_type(elem) != JSON_OBJECT ? "an answer must be an object" :
		name ? "the name must be a string" :
		"there is no \"name\" in the answer";
	return NULL;
}

static double confidence(const struct json *elem)
{
	double d;

	if (!json_get_double(elem, "confidence", &d) || d < 0 || d > 100)
		return -1;
	return d > 1 ? d / 100 : d;
}

/* The parts of @s, as far as there are any. False when out of memory. */
static bool read_parts(const struct group *g, const struct json *elem,
		       struct suggestion *s, const char **bad_name,
		       const char **bad_value)
{
	s->name = name_text(elem, bad_name);
	if (!s->name && !*bad_name)
		return false;
	s->value = value_text(json_get(elem, "value"), bad_value);
	if (!s->value && !*bad_value)
		return false;
	s->reason = text_line(json_get_str(elem, "reason"), ANSWER_REASON_MAX);
	s->confidence = confidence(elem);
	if (!s->reason)
		return false;
	if (s->name && !split_assignment(s, bad_value))
		return false;
	if (!s->value && s->name && g->kind == GROUP_CHOICE) {
		s->value = strdup("y");		/* a member, named alone */
		*bad_value = NULL;
		return s->value != NULL;
	}
	return true;
}

/* One element of the list. False when out of memory. */
static bool read_answer(const struct group *g, const struct json *elem,
			struct suggestion *s)
{
	const char *bad_name = NULL, *bad_value = NULL;

	s->kind = SUGGEST_NOTHING;
	s->item = SUGGEST_NO_ITEM;
	s->sym = s->other = LKC_NONE;
	s->unmet = LKC_NONE;
	s->round = g->round;
	if (!read_parts(g, elem, s, &bad_name, &bad_value))
		return false;
	if (bad_name) {
		s->name = strdup("");
		if (!s->value)
			s->value = strdup("");
		return s->name && s->value &&
			suggestion_judge(s, VERDICT_UNKNOWN, bad_name);
	}
	strip(s->name);
	strip_prefix(s->name);
	if (s->value && !take_member(g, s))
		return false;
	if (!is_symbol(g, s->name) &&
	    find_item(g, s->name) == SUGGEST_NO_ITEM)
		unwrap_name(g, s->name);
	if (!resolve_name(g, s))
		return false;
	if (bad_value) {
		s->value = strdup("");
		return s->value && suggestion_judge(s, VERDICT_TYPE, bad_value);
	}
	strip_assignment(s->name, s->value);
	strip(s->value);
	if (is_tri(g, s->sym) || g->kind == GROUP_MENU)
		plain_tri(s->value);
	return understand(g, s);
}

/* ---- all of them --------------------------------------------------------- */

int answer_parse(const struct group *g, const char *text, size_t len,
		 struct answer *a, struct strbuf *why)
{
	struct json *j = parse(text, len, why);
	const struct json *list = answers_in(j);
	const struct json *elem;
	size_t n = json_len(list);
	bool ok;

	a->v = NULL;
	a->n = 0;
	if (!j)
		return why->len ? ANSWER_EMALFORMED : ANSWER_ENOMEM;
	strbuf_reset(why);
	if (n > ANSWER_MAX) {
		strbuf_addf(why, "there are %zu answers in the reply, where the question has %zu items",
			    n, g->n);
		json_free(j);
		return ANSWER_EMALFORMED;
	}
	a->v = calloc(n + 1, sizeof(*a->v));
	ok = a->v != NULL;
	for (elem = json_first(list); ok && elem; elem = json_next(elem))
		ok = read_answer(g, elem, &a->v[a->n++]);
	json_free(j);
	if (ok)
		return 0;
	answer_free(a);
	return ANSWER_ENOMEM;
}
