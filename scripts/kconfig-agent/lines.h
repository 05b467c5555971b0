/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lines - what a .config, a defconfig or a fragment asks for, line by line
 */
#ifndef KA_LINES_H
#define KA_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"

struct line {
	const char *name;	/* without CONFIG_ */
	const char *value;	/* "n" for "is not set"; without quotes */
	const char *file;
	unsigned int number;	/* from 1 */
	uint32_t later;		/* the next line of this name, or UINT32_MAX */
};

/* A line that is neither that nor a comment. */
struct bad_line {
	const char *text;
	const char *file;
	unsigned int number;
};

/* A zeroed struct is empty. */
struct lines {
	struct arena memory;
	struct { VEC(struct line); } all;	/* in order */
	struct { VEC(struct bad_line); } bad;
	struct strmap last;	/* name to its last line */
};

/*
 * Adds the lines of the @len bytes at @text, which are of @file. Returns 0 or
 * -ENOMEM.
 */
int lines_add(struct lines *l, const char *file, const char *text, size_t len);
/* Reads the file @path and adds its lines; 0 or a negative errno. */
int lines_add_file(struct lines *l, const char *path);
/* The last line that sets @name, or NULL. */
const struct line *lines_find(const struct lines *l, const char *name);
void lines_free(struct lines *l);

#endif
