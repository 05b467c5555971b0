/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fragment - what was asked for, as a fragment for merge_config.sh
 */
#ifndef KA_FRAGMENT_H
#define KA_FRAGMENT_H

#include <stddef.h>

struct report;
struct strbuf;

/*
 * Adds to @b the symbols that suggestions have changed, as lines of @config
 * (the text of the resulting .config, which knows how values are written), in
 * its order, each with its reason as a comment. What merely followed is left
 * out, as it follows again. @goal stands on top.
 */
void fragment_add(struct strbuf *b, const struct report *r, const char *config,
		  const char *goal);

#endif
