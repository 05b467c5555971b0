/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * outcome - a configuration becomes a file, if it passes the gate
 */
#ifndef KA_OUTCOME_H
#define KA_OUTCOME_H

#include <stdbool.h>

#include "gate.h"

struct session;

struct outcome {
	struct gate_text text;
	bool had_config;	/* there is a file already */
	bool written;		/* it was replaced */
};

/*
 * Has the session's configuration pass the gate; with @build, see gate_pass().
 * Prints what is wrong and returns an exit status, or 0. End with
 * outcome_free().
 */
int outcome_pass(const struct session *s, bool build, struct outcome *out);
/*
 * Writes it to s->config_path, keeping what was there as ".old"; unless there
 * was an interruption or, with @as_read, the file is no longer the one that was
 * read as the base. The same.
 */
int outcome_write(const struct session *s, bool as_read, struct outcome *out);
/*
 * Writes @text of @len bytes to the file @path that the user named; nothing
 * and 0 if that is NULL. The same.
 */
int outcome_write_other(const char *path, const char *text, size_t len);
void outcome_free(struct outcome *out);

#endif
