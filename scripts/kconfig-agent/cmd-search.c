// SPDX-License-Identifier: GPL-2.0-only
/*
 * kconfig-agent search - symbols by name, prompt and help
 */
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "cmd-json.h"
#include "cmd.h"
#include "json.h"
#include "opts.h"
#include "session.h"
#include "symjson.h"
#include "term.h"
#include "text.h"
#include "whatif.h"

struct search_options {
	struct opts_common common;
	bool regex;
	bool names;
	unsigned int max;
};

#define SEARCH(member) offsetof(struct search_options, member)

static const struct opt options[] = {
	{ .name = "regex", .letter = 'e', .type = OPT_FLAG,
	  .offset = SEARCH(regex),
	  .help = "the words are extended regular expressions" },
	{ .name = "names", .type = OPT_FLAG, .offset = SEARCH(names),
	  .help = "print names only, of symbols that begin with the word" },
	{ .name = "max", .letter = 'm', .arg = "N", .type = OPT_NUMBER,
	  .offset = SEARCH(max), .min = 0, .max = 1000000,
	  .help = "print at most so many (0: all; default 20)" },
	{ .name = NULL },
};

/* How well a place fits; the sum over all words is what is sorted by. */
enum {
	SCORE_NAME = 1000,	/* it is the name */
	SCORE_NAME_START = 400,
	SCORE_NAME_WORD = 300,	/* a part between underscores */
	SCORE_NAME_PART = 150,
	SCORE_PROMPT_WORD = 200,
	SCORE_PROMPT_PART = 80,
	SCORE_HELP = 20,
	SCORE_NEAR = 100,	/* less what is wrong with it */
};

struct hit {
	lkc_sym sym;
	int score;
};

struct search {
	const struct search_options *o;
	struct session session;
	struct term term;
	char **words;
	size_t n_words;
	regex_t *regexes;
	size_t n_regexes;
	struct { VEC(struct hit); } hits;
	bool near;		/* nothing fits, these are like it */
};

/* ---- scores --------------------------------------------------------------- */

/* Is @at, which is in @text, a word of its own for @len bytes? */
static bool is_whole(const char *text, const char *at, size_t len)
{
	return (at == text || !isalnum((unsigned char)at[-1])) &&
	       !isalnum((unsigned char)at[len]);
}

static int score_name(const char *name, const char *word)
{
	const char *at = strcasestr(name, word);
	size_t len = strlen(word);

	if (!at)
		return 0;
	if (at == name && !name[len])
		return SCORE_NAME;
	if (is_whole(name, at, len))
		return at == name ? SCORE_NAME_START : SCORE_NAME_WORD;
	return SCORE_NAME_PART;
}

static int score_text(const char *text, const char *word, int whole, int part)
{
	const char *at = text ? strcasestr(text, word) : NULL;

	if (!at)
		return 0;
	return is_whole(text, at, strlen(word)) ? whole : part;
}

static int max3(int a, int b, int c)
{
	int m = a > b ? a : b;

	return m > c ? m : c;
}

/* 0 if one of the words is nowhere. Short names first, among equals. */
static int score_words(const struct search *s, lkc_sym sym)
{
	const struct lkc_tree *tree = s->session.tree;
	const char *name = lkc_sym_name(tree, sym);
	int sum = 0, best;
	size_t i;

	for (i = 0; i < s->n_words; i++) {
		best = max3(score_name(name, s->words[i]),
			    score_text(lkc_sym_prompt(tree, sym), s->words[i],
				       SCORE_PROMPT_WORD, SCORE_PROMPT_PART),
			    score_text(lkc_sym_help(tree, sym), s->words[i],
				       SCORE_HELP, SCORE_HELP / 2));
		if (!best)
			return 0;
		sum += best;
	}
	return sum;
}

static bool matches(const regex_t *re, const char *text)
{
	return text && regexec(re, text, 0, NULL, 0) == 0;
}

static int score_regexes(const struct search *s, lkc_sym sym)
{
	const struct lkc_tree *tree = s->session.tree;
	int sum = 0;
	size_t i;

	for (i = 0; i < s->n_regexes; i++) {
		if (matches(&s->regexes[i], lkc_sym_name(tree, sym)))
			sum += SCORE_NAME;
		else if (matches(&s->regexes[i], lkc_sym_prompt(tree, sym)))
			sum += SCORE_PROMPT_WORD;
		else if (matches(&s->regexes[i], lkc_sym_help(tree, sym)))
			sum += SCORE_HELP;
		else
			return 0;
	}
	return sum;
}

/* Of the parts of a name or prompt, the one most like @word. */
static size_t nearest_part(const char *text, const char *word)
{
	size_t best = SIZE_MAX, n, d;
	char part[64];

	for (; text && *text; text += n ? n : 1) {
		n = 0;
		while (isalnum((unsigned char)text[n]))
			n++;
		if (!n || n >= sizeof(part))
			continue;
		memcpy(part, text, n);
		part[n] = '\0';
		d = text_distance(part, word);
		if (d < best)
			best = d;
	}
	return best;
}

/* For words that are misspelled. */
static int score_near(const struct search *s, lkc_sym sym)
{
	const struct lkc_tree *tree = s->session.tree;
	int sum = 0;
	size_t i;

	for (i = 0; i < s->n_words; i++) {
		const char *word = s->words[i];
		size_t d = text_distance(lkc_sym_name(tree, sym), word), other;

		other = nearest_part(lkc_sym_name(tree, sym), word);
		if (other < d)
			d = other;
		other = nearest_part(lkc_sym_prompt(tree, sym), word);
		if (other < d)
			d = other;
		if (d > strlen(word) / 3)
			return 0;
		sum += SCORE_NEAR - (int)d * 10;
	}
	return sum;
}

static int score_prefix(const struct search *s, lkc_sym sym)
{
	const char *name = lkc_sym_name(s->session.tree, sym);
	const char *word = s->words[0];

	if (strncmp(word, "CONFIG_", 7) == 0)
		word += 7;
	return strncasecmp(name, word, strlen(word)) == 0;
}

static int find(struct search *s,
		int (*score)(const struct search *s, lkc_sym sym))
{
	const struct lkc_tree *tree = s->session.tree;
	lkc_sym sym;

	for (sym = 0; sym < lkc_sym_count(tree); sym++) {
		struct hit hit = { .sym = sym };

		if (!lkc_sym_name(tree, sym) || !lkc_sym_is_config(tree, sym))
			continue;
		hit.score = score(s, sym);
		if (hit.score > 0 && !vec_push(&s->hits, hit))
			return LKC_ENOMEM;
	}
	return 0;
}

/* Best first, then by the length of the name, then by name. */
static int by_score(const void *a, const void *b, void *tree)
{
	const struct hit *x = a, *y = b;
	const char *p = lkc_sym_name(tree, x->sym);
	const char *q = lkc_sym_name(tree, y->sym);

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	if (strlen(p) != strlen(q))
		return strlen(p) < strlen(q) ? -1 : 1;
	return strcmp(p, q);
}

static int search(struct search *s)
{
	int err;

	if (s->o->names)
		err = find(s, score_prefix);
	else if (s->o->regex)
		err = find(s, score_regexes);
	else
		err = find(s, score_words);
	if (!err && !s->hits.n && !s->o->names && !s->o->regex) {
		s->near = true;
		err = find(s, score_near);
	}
	if (err)
		return err;
	if (s->hits.n)
		qsort_r(s->hits.v, s->hits.n, sizeof(*s->hits.v), by_score,
			s->session.tree);
	return 0;
}

/* ---- results -------------------------------------------------------------- */

static size_t shown(const struct search *s)
{
	if (s->o->names || !s->o->max || s->hits.n < s->o->max)
		return s->hits.n;
	return s->o->max;
}

static int print_json(const struct search *s)
{
	struct json *j = json_new_object(), *list, *item;
	size_t i;

	json_set_int(j, "found", s->hits.n);
	json_set_bool(j, "near", s->near);
	list = json_set_array(j, "symbols");
	for (i = 0; i < shown(s); i++) {
		item = symjson_new(s->session.config, s->hits.v[i].sym);
		json_set_int(item, "score", s->hits.v[i].score);
		json_append(list, item);
	}
	return cmd_print_json(j);
}

static void print_hit(const struct search *s, lkc_sym sym)
{
	const struct lkc_tree *tree = s->session.tree;
	const char *prompt = lkc_sym_prompt(tree, sym);
	struct lkc_place place;
	char *line;

	printf("%s%s%s=%s", term_style(&s->term, TERM_BOLD),
	       lkc_sym_name(tree, sym), term_style(&s->term, TERM_PLAIN),
	       *lkc_value(s->session.config, sym) ?
	       lkc_value(s->session.config, sym) : "\"\"");
	line = text_line(prompt ? prompt : "(no prompt)", 0);
	printf("  %s", line ? line : "?");
	free(line);
	if (lkc_sym_place(tree, sym, &place) && place.file)
		printf("  %s%s:%u%s", term_style(&s->term, TERM_DIM), place.file,
		       place.line, term_style(&s->term, TERM_PLAIN));
	putchar('\n');
}

static int print_text(const struct search *s)
{
	size_t i;

	if (s->o->names) {
		for (i = 0; i < s->hits.n; i++)
			puts(lkc_sym_name(s->session.tree, s->hits.v[i].sym));
		return EXIT_DONE;
	}
	if (s->near && s->hits.n && !s->o->common.quiet)
		printf("Nothing has just these words; like them are:\n");
	for (i = 0; i < shown(s); i++)
		print_hit(s, s->hits.v[i].sym);
	if (s->hits.n > shown(s) && !s->o->common.quiet)
		printf("and %zu more; --max=0 shows all\n",
		       s->hits.n - shown(s));
	return EXIT_DONE;
}

/* ---- */

static int compile(struct search *s)
{
	char why[256];
	size_t i;
	int err;

	s->regexes = calloc(s->n_words, sizeof(*s->regexes));
	if (!s->regexes) {
		term_error("out of memory");
		return EXIT_INPUT;
	}
	for (i = 0; s->o->regex && i < s->n_words; i++) {
		err = regcomp(&s->regexes[i], s->words[i],
			      REG_EXTENDED | REG_ICASE | REG_NOSUB);
		if (err) {
			regerror(err, &s->regexes[i], why, sizeof(why));
			term_error("\"%s\" is no regular expression: %s",
				   s->words[i], why);
			return EXIT_USAGE;
		}
		s->n_regexes++;
	}
	return EXIT_DONE;
}

static int run(void *values, const struct opts *o)
{
	struct search s = {
		.o = values, .words = o->args, .n_words = o->n_args,
	};
	int status;
	size_t i;

	term_init(&s.term, &s.o->common);
	status = compile(&s);
	if (!status)
		status = session_open(&s.session, &s.o->common);
	if (!status)
		status = session_read_base(&s.session, &s.o->common);
	if (!status && search(&s)) {
		term_error("out of memory");
		status = EXIT_INPUT;
	}
	if (!status)
		status = s.o->common.json ? print_json(&s) : print_text(&s);
	if (!status && !s.hits.n) {
		if (!s.o->common.quiet && !s.o->names)
			term_error("nothing found");
		status = EXIT_INVALID;
	}
	for (i = 0; i < s.n_regexes; i++)
		regfree(&s.regexes[i]);
	free(s.regexes);
	vec_free(&s.hits);
	session_close(&s.session);
	return status;
}

static void defaults(void *values)
{
	struct search_options *o = values;

	o->max = 20;
}

const struct cmd cmd_search = {
	.name = "search",
	.summary = "find symbols by name, prompt and help",
	.args = "WORD...",
	.about =
"Finds the symbols that have all the words in their names, prompts or help, the\n"
"best ones first. If there are none, those that are like the words. The exit\n"
"status is 3 if nothing is found.\n",
	.opts = options,
	.size = sizeof(struct search_options),
	.min_args = 1,
	.max_args = 100,
	.defaults = defaults,
	.run = run,
};
