/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session - what a command works on: a kernel tree and a configuration
 */
#ifndef KA_SESSION_H
#define KA_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include <lkc/lkc.h>

#include "kenv.h"

struct opts_common;

/* Where the base configuration is from. */
enum session_origin {
	SESSION_FILE,		/* the .config that was there */
	SESSION_DEFCONFIG,	/* there was none: the architecture's own */
	SESSION_NONE,		/* none of that either: Kconfig's defaults */
};

/* "file", "defconfig", "none". */
const char *session_origin_name(enum session_origin origin);

struct session {
	struct kenv env;
	struct lkc_tree *tree;
	struct lkc_config *config;
	struct lkc_diags *diags;	/* of the tree, then of the base */
	char *config_path;		/* absolute: what is read and written */
	enum session_origin origin;
	char *base_path;		/* what was read, or NULL */
	char *base_text;		/* never NULL */
	size_t base_len;
	bool opened;			/* for session_close() */
};

/*
 * Finds the tree that @o names, makes its objtree the current directory (so
 * paths of the user's have to be absolute before) and parses it. Prints what
 * is wrong and returns an exit status, or 0. Close in any case.
 */
int session_open(struct session *s, const struct opts_common *o);
/* Reads the base configuration. The same. */
int session_read_base(struct session *s, const struct opts_common *o);
/* The same, from @len bytes of @text (copied), which are of @path. */
int session_read_text(struct session *s, const struct opts_common *o,
		      const char *path, const char *text, size_t len);
/* Frees everything; of a zeroed struct, too. */
void session_close(struct session *s);

/*
 * @path as an absolute one, from the current directory; to be freed. NULL for
 * NULL, or when out of memory.
 */
char *session_absolute(const char *path);

#endif
