/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * answer - what a model said about a group: from bytes to suggestions
 *
 * The reply is JSON as described in group.h. Around it there may be prose; it
 * may stand in a fenced block. Names and values are taken as models tend to
 * write them: "CONFIG_SMP", "SMP=y", a prompt in place of its symbol, "Y",
 * "yes", "enabled", true, a number for a literal.
 *
 * Each answer in the reply becomes one suggestion, whatever it is: what cannot
 * be understood is a suggestion with a verdict already (VERDICT_TYPE or
 * VERDICT_UNKNOWN, and why). All texts in suggestions are single lines of clean
 * UTF-8 (see text.h).
 */
#ifndef KA_ANSWER_H
#define KA_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include <lkc/lkc.h>

struct group;
struct strbuf;

/* What became of a suggestion: X(name, text, does what it suggests hold?) */
#define VERDICTS(X) \
	X(PENDING, "pending", false)		/* not judged yet */ \
	X(ACCEPTED, "accepted", true) \
	X(ALREADY, "already", true)		/* it had that value */ \
	X(KEPT, "kept", false)			/* it said to leave it */ \
	X(ABSTAINED, "abstained", false)	/* it said that it is unsure */ \
	X(OPENED, "opened", false)		/* a menu */ \
	X(SKIPPED, "skipped", false)		/* a menu */ \
	X(UNKNOWN, "unknown", false) \
	X(INVISIBLE, "invisible", false) \
	X(PINNED, "pinned", false) \
	X(OUT_OF_RANGE, "out-of-range", false) \
	X(CHOICE_CONFLICT, "choice-conflict", false) \
	X(PROMPTLESS, "promptless", false) \
	X(TYPE, "type", false) \
	X(CLOBBERED, "clobbered", false)

enum verdict {
#define VERDICT_ENUM(name, text, holds) VERDICT_##name,
	VERDICTS(VERDICT_ENUM)
#undef VERDICT_ENUM
	VERDICT_COUNT
};

/* "accepted", "already", ... */
const char *verdict_name(enum verdict v);
/* Is the configuration as was suggested? */
bool verdict_holds(enum verdict v);
/* The verdict of a transaction in these terms. */
enum verdict verdict_of(enum lkc_verdict v);

enum suggestion_kind {
	SUGGEST_VALUE,		/* @name is to have @value */
	SUGGEST_KEEP,		/* leave @name as it is */
	SUGGEST_UNSURE,
	SUGGEST_OPEN,		/* a menu */
	SUGGEST_SKIP,
	SUGGEST_NOTHING,	/* not understood: see @verdict and @why */
};

#define SUGGEST_NO_ITEM ((size_t)-1)

struct suggestion {
	enum suggestion_kind kind;
	char *name;		/* the symbol, or "menu:N"; "" if there is none */
	char *value;		/* as it will be asked for, or as it was said */
	char *reason;		/* of the model; perhaps "" */
	double confidence;	/* 0 to 1; -1: none was stated */
	size_t item;		/* the item of the group it is about, or NO_ITEM */
	unsigned int round;	/* of the reply it came with */
	/* Filled in by whoever judges: */
	enum verdict verdict;
	char *why;		/* in sentences; perhaps "" */
	char *before;		/* the value there was, NULL if it is unknown */
	char *got;		/* the value there is now, the same */
	lkc_sym sym;		/* LKC_NONE: there is no such symbol */
	lkc_sym other;		/* who is in the way, or LKC_NONE */
	lkc_expr unmet;		/* the condition that is, or LKC_NONE */
};

struct answer {
	struct suggestion *v;
	size_t n;
};

#define ANSWER_MAX 128		/* answers in one reply */
#define ANSWER_NAME_MAX 128	/* characters */
#define ANSWER_VALUE_MAX 512	/* bytes */
#define ANSWER_REASON_MAX 300

enum answer_err {
	ANSWER_ENOMEM = -1,
	ANSWER_EMALFORMED = -2,
};

/*
 * Reads the @len bytes at @text, the reply to @g in its round, into *@a, to be
 * freed with answer_free(). On ANSWER_EMALFORMED there is nothing in *@a, and
 * @why tells the model what is wrong with its reply.
 */
int answer_parse(const struct group *g, const char *text, size_t len,
		 struct answer *a, struct strbuf *why);
void answer_free(struct answer *a);

/* Sets @s's verdict and reason. False when out of memory. */
bool suggestion_judge(struct suggestion *s, enum verdict v, const char *why);
/* Was a change suggested, or something not understood, and turned down? */
bool suggestion_rejected(const struct suggestion *s);
/* Does @s set a value, and hold? */
bool suggestion_stands(const struct suggestion *s);
/* Is it about a symbol that was not in the question? */
bool suggestion_unasked(const struct suggestion *s);
/* Frees what @s holds. */
void suggestion_free(struct suggestion *s);

#endif
