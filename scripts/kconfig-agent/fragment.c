// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "fragment.h"
#include "report.h"
#include "text.h"

#define COMMENT_MAX 300

/* The symbol that the line of @len bytes at @line is about, or LKC_NONE. */
static lkc_sym line_symbol(const struct lkc_tree *tree, const char *line,
			   size_t len)
{
	static const char not_set[] = " is not set";
	size_t tail = sizeof(not_set) - 1;
	char name[256];
	const char *end;

	if (len > 9 + tail && !strncmp(line, "# CONFIG_", 9) &&
	    !memcmp(line + len - tail, not_set, tail)) {
		end = line + len - tail;
		line += 9;
	} else if (len > 7 && !strncmp(line, "CONFIG_", 7)) {
		end = memchr(line, '=', len);
		line += 7;
	} else {
		return LKC_NONE;
	}
	if (!end || (size_t)(end - line) >= sizeof(name))
		return LKC_NONE;
	memcpy(name, line, end - line);
	name[end - line] = '\0';
	return lkc_sym_find(tree, name);
}

static const struct report_change *find_change(const struct report *r,
					       lkc_sym sym)
{
	size_t i;

	for (i = 0; sym != LKC_NONE && i < r->n_changes; i++) {
		if (r->changes[i].sym == sym)
			return &r->changes[i];
	}
	return NULL;
}

static void add_comment(struct strbuf *b, const char *prefix, const char *text)
{
	size_t start = b->len;

	strbuf_addf(b, "# %s", prefix);
	text_add(b, text, COMMENT_MAX);
	/* "# CONFIG_X is not set" would be read as an assignment */
	if (!b->err && !strncmp(b->s + start, "# CONFIG_", 9))
		b->s[start + 1] = '#';
	strbuf_addch(b, '\n');
}

void fragment_add(struct strbuf *b, const struct report *r, const char *config,
		  const char *goal)
{
	const struct lkc_tree *tree = lkc_config_tree(r->base);
	const char *line = config;

	add_comment(b, "Goal: ", goal);
	while (*line) {
		size_t len = strcspn(line, "\n");
		const struct report_change *c =
			find_change(r, line_symbol(tree, line, len));

		if (c && c->by) {
			if (*c->by->s.reason)
				add_comment(b, "", c->by->s.reason);
			strbuf_add(b, line, len);
			strbuf_addch(b, '\n');
		}
		line += len + (line[len] != '\0');
	}
}
