// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "gate.h"
#include "kenv.h"

#define DIFFERENCES_MAX 5	/* lines that are told */

void gate_text_free(struct gate_text *t)
{
	free(t->text);
	t->text = NULL;
	t->len = 0;
}

/* The length of the line at @p. */
static size_t line_len(const char *p)
{
	return strcspn(p, "\n");
}

static const char *next_line(const char *p)
{
	p += line_len(p);
	return *p ? p + 1 : p;
}

/* Is the line of @len bytes at @line one of those of @text? */
static bool has_line(const char *text, const char *line, size_t len)
{
	for (; *text; text = next_line(text)) {
		if (line_len(text) == len && !memcmp(text, line, len))
			return true;
	}
	return false;
}

/* Adds the first lines of @a that are not in @b. */
static size_t add_missing(struct strbuf *why, const char *a, const char *b,
			  char sign)
{
	size_t n = 0;

	for (; *a; a = next_line(a)) {
		size_t len = line_len(a);

		if (n < DIFFERENCES_MAX && !has_line(b, a, len)) {
			strbuf_addf(why, "\n  %c%.*s", sign, (int)len, a);
			n++;
		}
	}
	return n;
}

static void tell_differences(struct strbuf *why, const char *ours,
			     const char *theirs)
{
	size_t n = add_missing(why, ours, theirs, '-');

	n += add_missing(why, theirs, ours, '+');
	if (!n)
		strbuf_addstr(why, "\n  (the same lines in another order)");
}

/* Does our own evaluator give @t back as it is? */
static int pass_ours(const struct lkc_config *c, const struct gate_text *t,
		     struct strbuf *why)
{
	struct lkc_diags *diags = lkc_diags_new();
	struct lkc_config *again = NULL;
	char *text = NULL;
	size_t len = 0;
	int err = GATE_ENOMEM;

	if (diags && !lkc_config_new(lkc_config_tree(c), &again) &&
	    !lkc_config_read_mem(again, "the result", t->text, t->len, 0,
				 diags) &&
	    !lkc_config_format(again, LKC_FORMAT_CONFIG, &text, &len))
		err = len == t->len && !memcmp(text, t->text, len) ? 0 :
			GATE_EOURS;
	if (err == GATE_EOURS) {
		strbuf_addstr(why, "the configuration does not read back to itself:");
		tell_differences(why, t->text, text);
	}
	free(text);
	lkc_config_free(again);
	lkc_diags_free(diags);
	return err;
}

/* Does the tree's own conf leave @t as it is? */
static int pass_theirs(const struct kenv *env, const struct gate_text *t,
		       struct strbuf *why)
{
	struct strbuf config = {0}, messages = {0};
	int err;

	err = kenv_run_conf(env, "olddefconfig", t->text, t->len, &config,
			    &messages, why);
	if (err) {
		err = GATE_ECONF;
	} else if (config.err) {
		err = GATE_ENOMEM;
	} else if (config.len != t->len ||
		   memcmp(config.s, t->text, t->len) != 0) {
		err = GATE_ETHEIRS;
		strbuf_addstr(why, "the tree's own conf --olddefconfig would change the configuration:");
		tell_differences(why, t->text, strbuf_str(&config));
	}
	strbuf_free(&config);
	strbuf_free(&messages);
	return err;
}

int gate_pass(const struct lkc_config *c, const struct kenv *env, bool build,
	      struct gate_text *out, struct strbuf *why)
{
	int err;

	memset(out, 0, sizeof(*out));
	if (lkc_config_format(c, LKC_FORMAT_CONFIG, &out->text, &out->len))
		return GATE_ENOMEM;
	err = pass_ours(c, out, why);
	out->only_ours = !build && access(env->conf, X_OK);
	if (!err && !out->only_ours)
		err = pass_theirs(env, out, why);
	if (err)
		gate_text_free(out);
	return err;
}
