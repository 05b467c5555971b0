/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * llm-providers - what the table in llm.c is made of
 */
#ifndef KA_LLM_PROVIDERS_H
#define KA_LLM_PROVIDERS_H

#include "llm.h"

extern const struct llm_ops llm_knowledge;	/* the knowledge base */
extern const struct llm_ops llm_openai;		/* OpenAI chat completions */
extern const struct llm_ops llm_anthropic;	/* Anthropic messages */
extern const struct llm_ops llm_ollama;		/* Ollama's /api/chat */

#endif
