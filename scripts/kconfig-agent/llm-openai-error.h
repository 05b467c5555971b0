/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llm-openai-error - what servers of OpenAI's protocol mean by an error
 *
 * There is a common form, {"error":{"message","type","param","code"}}, and
 * there are servers that have their own, or send a page of HTML. So words are
 * looked for, in the fields of the common form or else in all of the text.
 */
#ifndef KA_LLM_OPENAI_ERROR_H
#define KA_LLM_OPENAI_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* Parts of a request that some servers refuse; a set of bits. */
enum openai_part {
	OPENAI_SCHEMA = 1,		/* response_format */
	OPENAI_TEMPERATURE = 2,
	OPENAI_SEED = 4,
	OPENAI_MAX_TOKENS = 8,		/* the old name of the limit */
	OPENAI_MAX_COMPLETION = 16,	/* the new one */
};
#define OPENAI_ALL 31u

struct openai_error {
	int err;		/* an enum llm_err */
	bool retry;		/* may pass by itself */
	unsigned int refused;	/* the one part that it is about, or 0 */
	char text[320];		/* what the server says, perhaps unfit to show */
};

/*
 * Reads the reply with @status and the @len bytes at @body, with a NUL after
 * them, to a request that had the parts @sent.
 */
void openai_error_read(struct openai_error *e, long status, const char *body,
		       size_t len, unsigned int sent);

#endif
