/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * prompt - a group in words: the dialogue with a model about one question
 *
 * A dialogue begins with a system message (the rules, always the same) and a
 * user message (the goal, the kernel, the menu, and each item with its prompt,
 * type, value, dependencies and help). If some of the answers did not hold, it
 * goes on with what the model said and what became of it. Along with the
 * messages goes a JSON Schema that allows the names and values that make sense,
 * for servers that can hold a model to it.
 *
 * What comes from Kconfig files is cleaned (see text.h), shortened, and set
 * between <kconfig> and </kconfig>, which cannot stand in it: it is data.
 */
#ifndef KA_PROMPT_H
#define KA_PROMPT_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "llm.h"

struct answer;
struct group;

/* What is the same in all questions of a run. Strings stay the caller's. */
struct prompt_about {
	const char *goal;
	const char *version;	/* of the kernel; NULL: unknown */
	const char *arch;	/* the same */
};

/* How much is told about each item; less for models with little context. */
enum prompt_detail {
	PROMPT_FULL,
	PROMPT_BRIEF,		/* short help, no dependencies */
	PROMPT_BARE,		/* no help at all, and few rules */
	PROMPT_DETAILS
};

/* A zeroed struct is an empty dialogue. */
struct prompt {
	struct {
		VEC(struct llm_message);	/* texts are malloc()ed */
	} messages;
	char *schema;
};

#define PROMPT_SCHEMA_NAME "answers"

/*
 * A number for the fixed words of all prompts: if it is the same, the same
 * question is put in the same words.
 */
uint64_t prompt_hash(void);

/* Begins the dialogue @p about @g. Returns 0 or -ENOMEM. */
int prompt_ask(struct prompt *p, const struct prompt_about *about,
	       const struct group *g, enum prompt_detail detail);
/*
 * Goes on with the reply of @len bytes at @text and with what became of it:
 * the suggestions in @a of g->round (that of the reply) that were rejected.
 */
int prompt_repair(struct prompt *p, const struct group *g, const char *text,
		  size_t len, const struct answer *a);
/* The same for a reply that could not be read, because of @why. */
int prompt_reject(struct prompt *p, const char *text, size_t len,
		  const char *why);
/* Frees the dialogue; it is empty and usable again. */
void prompt_free(struct prompt *p);

/*
 * The JSON Schemas of replies, to be freed; NULL when out of memory: to a
 * group as it is asked, and to the message of prompt_repair().
 */
char *prompt_schema(const struct group *g);
char *prompt_repair_schema(const struct group *g, const struct answer *a);

#endif
