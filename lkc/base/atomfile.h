/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * atomfile - files that are there whole or not at all
 */
#ifndef LKC_BASE_ATOMFILE_H
#define LKC_BASE_ATOMFILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads the whole of @path, up to @max bytes (0: FILE_READ_MAX), into *@text, NUL
 * terminated, to be freed by the caller. Returns 0 or a negative errno:
 * -EISDIR for a directory, -EFBIG past the limit.
 */
#define FILE_READ_MAX (256u << 20)
int file_read(const char *path, size_t max, char **text, size_t *len);

/*
 * Replaces @path by @len bytes of @text: a temporary file beside it is
 * written, synced and renamed over it, so that every moment sees the old file
 * or the new one. A symbolic link stays one: what it points to is replaced.
 * The mode of an existing file is kept, else it is @mode less the umask. With
 * @backup, what was there is afterwards called "@path.old". What is no regular
 * file, such as a pipe, is written to.
 * Returns 0, or a negative errno with @path as it was.
 */
int file_replace(const char *path, const char *text, size_t len,
		 unsigned int mode, bool backup);

/* 1 if @path is a regular file of just these bytes, else 0. */
int file_same(const char *path, const char *text, size_t len);

#endif
