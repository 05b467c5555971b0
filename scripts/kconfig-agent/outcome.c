// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "cmd.h"
#include "interrupt.h"
#include "outcome.h"
#include "session.h"
#include "term.h"

static int report_gate(int err, const struct strbuf *why)
{
	if (interrupt_seen(NULL))
		return EXIT_INTERRUPTED;
	switch (err) {
	case 0:
		return EXIT_DONE;
	case GATE_EOURS:
	case GATE_ETHEIRS:
		term_error("nothing is written: %s\nThis is a fault of kconfig-agent; please report it with the journal.",
			   strbuf_str(why));
		return EXIT_DISAGREE;
	case GATE_ECONF:
		term_error("nothing is written, as the tree's own conf cannot check the result: %s",
			   strbuf_str(why));
		return EXIT_INPUT;
	default:
		term_error("out of memory");
		return EXIT_INPUT;
	}
}

int outcome_pass(const struct session *s, bool build, struct outcome *out)
{
	struct strbuf why = {0};
	int status;

	memset(out, 0, sizeof(*out));
	status = report_gate(gate_pass(s->config, &s->env, build, &out->text,
				       &why), &why);
	strbuf_free(&why);
	return status;
}

/* Prints what the library has to say about a file. */
static int report_write(const char *path, int err,
			const struct lkc_diags *diags)
{
	size_t n = lkc_diags_count(diags);

	term_error("%s: it cannot be written: %s", path,
		   n ? lkc_diags_get(diags, n - 1)->text : lkc_strerror(err));
	return EXIT_INPUT;
}

static int replace(const char *path, const char *text, size_t len, bool backup,
		   bool *written)
{
	struct lkc_diags *diags = lkc_diags_new();
	int ret, status = EXIT_DONE;

	if (!diags) {
		term_error("out of memory");
		return EXIT_INPUT;
	}
	ret = lkc_file_replace(path, text, len, backup, diags);
	if (ret < 0)
		status = report_write(path, ret, diags);
	*written = ret == LKC_WRITTEN;
	lkc_diags_free(diags);
	return status;
}

/* Is the file still as it was when the base was read? */
static bool is_as_read(const struct session *s)
{
	if (s->origin == SESSION_FILE)
		return file_same(s->config_path, s->base_text, s->base_len);
	return access(s->config_path, F_OK) != 0;
}

int outcome_write(const struct session *s, bool as_read, struct outcome *out)
{
	if (interrupt_seen(NULL))
		return EXIT_INTERRUPTED;
	out->had_config = access(s->config_path, F_OK) == 0;
	if (as_read && !is_as_read(s)) {
		term_error("%s: it was changed by someone else in the meantime; nothing is written. Run this again, or have kconfig-agent replay the journal",
			   s->config_path);
		return EXIT_INPUT;
	}
	return replace(s->config_path, out->text.text, out->text.len, true,
		       &out->written);
}

int outcome_write_other(const char *path, const char *text, size_t len)
{
	bool written;

	return path ? replace(path, text, len, false, &written) : EXIT_DONE;
}

void outcome_free(struct outcome *out)
{
	gate_text_free(&out->text);
}
