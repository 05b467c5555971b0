/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz - what the fuzz targets share
 *
 * Each target is one file with LLVMFuzzerTestOneInput(), which libFuzzer calls
 * with bytes of its making. A target fails by crashing, so what must hold is
 * stated with must(); sanitizers see to the rest.
 */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <lkc/lkc.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Not assert(): that can be compiled away. */
#define must(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, \
				__LINE__, #condition); \
			abort(); \
		} \
	} while (0)

/* A file of @size bytes that has a name, @path, as long as the result is open. */
static inline int fuzz_file(const void *data, size_t size, char path[32])
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	must(fd >= 0);
	must(write(fd, data, size) == (ssize_t)size);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

/* The tree that the @size bytes at @data describe; NULL if they do not. */
static inline struct lkc_tree *fuzz_tree(const void *data, size_t size,
					 const char *dialect,
					 struct lkc_diags *diags)
{
	static const char *const env[] = { "ARCH=x86", "WORD=some words", NULL };
	struct lkc_load_options opt = {
		.dialect = dialect, .env = env, .no_shell = true,
	};
	struct lkc_tree *tree = NULL;
	char path[32];
	int fd = fuzz_file(data, size, path);
	int err = lkc_tree_load(path, &opt, &tree, diags);

	close(fd);
	/* what is not accepted is found fault with */
	must((err == 0) == (tree != NULL));
	must(err == 0 || err == LKC_ENOMEM || lkc_diags_errors(diags) > 0);
	return tree;
}

#endif
