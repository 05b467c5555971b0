// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "kb-words.h"

#define LIST_MAX 32	/* words from a comma to the "or" of its list */

/* ---- word lists -------------------------------------------------------- */

/* May stand between the words of a phrase: "host for the many kvm guests". */
static const char *const fillers[] = {
	"a", "all", "an", "any", "few", "five", "for", "four", "in", "many",
	"multiple", "my", "of", "on", "our", "several", "six", "some", "ten",
	"the", "these", "this", "three", "to", "twelve", "twenty", "two",
	"with", NULL
};

/* Negate what follows; what "and" adds is not negated any more. */
static const char *const nots[] = {
	"cannot", "cant", "doesnt", "dont", "isnt", "neither", "never", "no",
	"nor", "not", "wont", NULL
};

/* Negate what follows, whatever "and" adds included. */
static const char *const withouts[] = {
	"avoid", "avoiding", "disable", "disabling", "drop", "dropping",
	"except", "exclude", "excluding", "lacking", "minus", "omit",
	"omitting", "remove", "removing", "skip", "skipping", "without", NULL
};

/* Negate what goes before, unless they stand at the beginning of a clause. */
static const char *const offs[] = {
	"disabled", "excluded", "off", "omitted", "removed", "unnecessary",
	"unneeded", "unwanted", NULL
};

/* After "not", negate what goes before: "debugging is not needed". */
static const char *const participles[] = {
	"allowed", "desired", "enabled", "necessary", "needed", "required",
	"supported", "used", "wanted", NULL
};

/* After "not", make it say the opposite: "not only". */
static const char *const onlys[] = { "just", "merely", "only", NULL };

/* Before "off", make it negate what follows: "switch off debugging". */
static const char *const turns[] = { "shut", "switch", "turn", NULL };

/* End what a negation reaches. */
static const char *const limits[] = {
	"but", "for", "instead", "on", "plus", "that", "then", "though",
	"when", "where", "which", "while", "with", "yet", NULL
};

/* After these, what would end it does not: "no need for debugging". */
static const char *const carriers[] = {
	"depend", "need", "provision", "reli", "rely", "requirement", "support",
	"use", NULL
};

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++) {
		if (!strcmp(word, *list))
			return true;
	}
	return false;
}

/* ---- splitting --------------------------------------------------------- */

static bool ends_in(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && !strncmp(s + len - n, end, n);
}

static bool has_vowel(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr("aeiouy", s[i]))
			return true;
	}
	return false;
}

/* Length without a plural's s, or es after a hiss. */
static size_t cut_plural(const char *s, size_t len)
{
	if (len > 4 && (ends_in(s, len, "ses") || ends_in(s, len, "xes") ||
			ends_in(s, len, "ches") || ends_in(s, len, "shes")))
		return len - 2;
	if (len < 4 || !ends_in(s, len, "s") || ends_in(s, len, "ss") ||
	    ends_in(s, len, "us") || ends_in(s, len, "is"))
		return len;
	return len - 1;
}

/* Length without -ing or -ed, and without the consonant doubled for it. */
static size_t cut_ending(const char *s, size_t len)
{
	size_t n = len;

	if (ends_in(s, len, "ing"))
		n -= 3;
	else if (ends_in(s, len, "ed") && !ends_in(s, len, "eed"))
		n -= 2;
	if (n == len || n < 3 || !has_vowel(s, n))
		return len;
	if (s[n - 1] == s[n - 2] && !strchr("aeiouylsz", s[n - 1]))
		n--;
	return n;
}

/* Cuts endings off @s, so that "tracing", "traces" and "trace" are the same. */
static void stem(char *s)
{
	size_t len = cut_ending(s, cut_plural(s, strlen(s)));

	if (len > 4 && s[len - 1] == 'e')
		len--;
	else if (len > 4 && s[len - 1] == 'y')
		s[len - 1] = 'i';
	s[len] = '\0';
}

/*
 * Length of the letter or digit at @at, or 0. Characters beyond ASCII count as
 * letters but for dashes, quotes and the like (U+2000 to U+203F).
 */
static size_t letter(const char *text, size_t at, size_t len)
{
	unsigned char c = (unsigned char)text[at];

	if (c == 0xe2 && at + 2 < len && (unsigned char)text[at + 1] == 0x80)
		return 0;
	return c >= 0x80 || isalnum(c);
}

/* Length of an apostrophe between two letters ("don't") at @at, or 0. */
static size_t apostrophe(const char *text, size_t at, size_t len)
{
	size_t n = 0;

	if (text[at] == '\'')
		n = 1;
	else if (at + 3 < len && !memcmp(text + at, "\xe2\x80\x99", 3))
		n = 3;
	if (!n || !at || at + n >= len || !isalpha((unsigned char)text[at - 1]))
		return 0;
	return isalpha((unsigned char)text[at + n]) ? n : 0;
}

/* What the character at @at, no letter, means for the flow of words. */
static enum pause pause_at(const char *text, size_t at, size_t len)
{
	unsigned char c = (unsigned char)text[at];
	bool gap = at + 1 == len || isspace((unsigned char)text[at + 1]);

	switch (c) {
	case ',':
		return PAUSE_COMMA;
	case ';': case '!': case '?': case '(': case ')': case '[': case ']':
	case 0xe2:
		return PAUSE_STOP;
	case '.': case ':':	/* not in "6.12" */
		return gap ? PAUSE_STOP : PAUSE_NONE;
	case '-': case '*':	/* not in "low-latency" */
		gap &= !at || isspace((unsigned char)text[at - 1]);
		return gap ? PAUSE_STOP : PAUSE_NONE;
	case '\n':
		return at && text[at - 1] == '\n' ? PAUSE_STOP : PAUSE_NONE;
	default:
		return PAUSE_NONE;
	}
}

/* Adds the word from @at to @end. */
static bool add_word(struct words *w, const char *text, size_t at, size_t end,
		     enum pause pause)
{
	struct word word = {
		.start = (uint32_t)at, .end = (uint32_t)end, .pause = pause
	};
	char *copy = arena_bytes(&w->arena, end - at + 1);
	char *cut;
	size_t n = 0;

	if (!copy)
		return false;
	while (at < end) {
		size_t skip = apostrophe(text, at, end);

		if (skip)
			at += skip;
		else
			copy[n++] = (char)tolower((unsigned char)text[at++]);
	}
	copy[n] = '\0';
	cut = arena_strdup(&w->arena, copy);
	if (!cut)
		return false;
	stem(cut);
	word.text = copy;
	word.stem = cut;
	word.filler = is_one_of(copy, fillers) ||
		      !copy[strspn(copy, "0123456789")];
	return vec_push(w, word);
}

int words_split(const char *text, size_t len, struct words *out)
{
	enum pause pause = PAUSE_NONE;
	size_t at = 0, end, n;

	*out = (struct words){ 0 };
	while (at < len) {
		for (end = at; end < len; end += n) {
			n = letter(text, end, len);
			if (!n && end > at)
				n = apostrophe(text, end, len);
			if (!n)
				break;
		}
		if (end == at) {
			enum pause here = pause_at(text, at, len);

			pause = here > pause ? here : pause;
			at += (unsigned char)text[at] == 0xe2 ? 3 : 1;
			continue;
		}
		if (!add_word(out, text, at, end, pause)) {
			words_free(out);
			return -ENOMEM;
		}
		pause = PAUSE_NONE;
		at = end;
	}
	return 0;
}

void words_free(struct words *w)
{
	vec_free(w);
	arena_free(&w->arena);
}

/* ---- negation ---------------------------------------------------------- */

/*
 * True if the clause ends before word @at: at a pause (but not at the commas
 * of "no docker, kvm or nfs") or a word that leads on to something else.
 */
static bool is_limit(const struct words *w, uint32_t at)
{
	const struct word *word = &w->v[at];

	if (word->pause == PAUSE_STOP)
		return true;
	if (is_one_of(word->text, limits))
		return !is_one_of(w->v[at - 1].stem, carriers);
	if (word->pause != PAUSE_COMMA)
		return false;
	for (uint32_t end = at + LIST_MAX; at < w->n && at < end; at++) {
		if (!strcmp(w->v[at].text, "or") || !strcmp(w->v[at].text, "nor"))
			return false;
		if (w->v[at].pause == PAUSE_STOP ||
		    is_one_of(w->v[at].text, limits))
			return true;
	}
	return true;
}

/* Negates what follows word @at; @and: also what "and" adds. */
static void negate_after(struct words *w, uint32_t at, bool and)
{
	for (uint32_t i = at + 1; i < w->n && !is_limit(w, i); i++) {
		if (!and && !strcmp(w->v[i].text, "and"))
			break;
		w->v[i].negated = true;
	}
}

/* Negates what goes before word @at; false if nothing does in this clause. */
static bool negate_before(struct words *w, uint32_t at)
{
	bool are = at && !strcmp(w->v[at - 1].text, "are");
	bool any = false;

	for (uint32_t i = at; i > 0 && w->v[i].pause == PAUSE_NONE; i--) {
		const char *text = w->v[i - 1].text;

		if (is_one_of(text, limits) || (!are && !strcmp(text, "and")))
			break;
		w->v[i - 1].negated = true;
		any = true;
	}
	return any;
}

/* The word after number @at in its clause, or "". */
static const char *next_text(const struct words *w, uint32_t at)
{
	if (at + 1 >= w->n || w->v[at + 1].pause != PAUSE_NONE)
		return "";
	return w->v[at + 1].text;
}

void words_negate(struct words *w)
{
	for (uint32_t i = 0; i < w->n; i++) {
		const char *text = w->v[i].text;
		const char *next = next_text(w, i);

		if (!strcmp(text, "non")) {
			if (*next)
				w->v[i + 1].negated = true;
		} else if (is_one_of(text, offs)) {
			if ((i && is_one_of(w->v[i - 1].stem, turns)) ||
			    !negate_before(w, i))
				negate_after(w, i, false);
		} else if (is_one_of(text, nots) && is_one_of(next, onlys)) {
			continue;
		} else if (is_one_of(text, nots) &&
			   is_one_of(next, participles)) {
			negate_before(w, i);
		} else if (is_one_of(text, nots)) {
			negate_after(w, i, false);
		} else if (is_one_of(text, withouts)) {
			negate_after(w, i, true);
		}
	}
}
