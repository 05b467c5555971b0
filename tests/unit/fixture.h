/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fixture - trees and configurations out of strings, for unit tests
 *
 * Everything fails the running test when it does not work.
 */
#ifndef TEST_FIXTURE_H
#define TEST_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <lkc/lkc.h>

/* What lkc_tree_load() makes of the text @kconfig. */
static inline int fixture_load(const char *kconfig, const char *dialect,
			       struct lkc_tree **tree, struct lkc_diags *diags)
{
	char path[] = "/tmp/lkc-test-XXXXXX";
	struct lkc_load_options opt = { .dialect = dialect };
	int fd = mkstemp(path);
	int err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, kconfig, strlen(kconfig)), strlen(kconfig));
	close(fd);
	err = lkc_tree_load(path, &opt, tree, diags);
	unlink(path);
	return err;
}

/* The tree that @kconfig describes, in @dialect. */
static inline struct lkc_tree *fixture_tree(const char *kconfig,
					    const char *dialect)
{
	struct lkc_diags *diags = lkc_diags_new();
	struct lkc_tree *tree;
	size_t i;
	int err;

	err = fixture_load(kconfig, dialect, &tree, diags);
	for (i = 0; i < lkc_diags_count(diags); i++)
		fprintf(stderr, "%s\n", lkc_diags_get(diags, i)->full);
	lkc_diags_free(diags);
	assert_int_equal(err, 0);
	return tree;
}

/* A configuration of @tree with the lines of @text read, or none if NULL. */
static inline struct lkc_config *fixture_config(const struct lkc_tree *tree,
						const char *text)
{
	struct lkc_diags *diags = lkc_diags_new();
	struct lkc_config *c;

	assert_int_equal(lkc_config_new(tree, &c), 0);
	if (text)
		assert_int_equal(lkc_config_read_mem(c, "test", text,
						     strlen(text), 0, diags),
				 0);
	lkc_diags_free(diags);
	return c;
}

/* The value of symbol @name. */
static inline const char *fixture_value(const struct lkc_config *c,
					const char *name)
{
	lkc_sym sym = lkc_sym_find(lkc_config_tree(c), name);

	assert_int_not_equal(sym, LKC_NONE);
	return lkc_value(c, sym);
}

#endif
