/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parse - loads Kconfig files made of strings, for tests of the front end
 *
 * Files are written into a directory of the test's own, which is the current
 * one; so messages show their bare names.
 */
#ifndef TEST_PARSE_H
#define TEST_PARSE_H

#include <fcntl.h>
#include <sys/stat.h>

#include "fixture.h"

#define DIALECTS 4
static const char *const parse_dialects[DIALECTS] = {
	"4.11", "6.1", "6.12", "7.2",
};

/* What became of loading ./Kconfig. */
struct parsed {
	int err;
	struct lkc_tree *tree;		/* NULL if it failed */
	struct lkc_diags *diags;
	char out[8192], errors[8192];	/* what conf would print */
};

static char parse_dir[] = "/tmp/lkc-parse-XXXXXX";

static inline int parse_setup(void **state)
{
	(void)state;
	return !mkdtemp(parse_dir) || chdir(parse_dir);
}

static inline int parse_teardown(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", parse_dir);
	return chdir("/") || system(command);
}

static inline void parse_file(const char *name, const char *text, size_t len)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	close(fd);
}

static inline void parse_write(const char *name, const char *text)
{
	parse_file(name, text, strlen(text));
}

static inline void parse_print(char *to, size_t size, const char *line)
{
	size_t len = strlen(to);

	snprintf(to + len, size - len, "%s\n", line);
}

/* Loads ./Kconfig. The result is for parse_done(). */
static inline void parse_load(struct parsed *p,
			      const struct lkc_load_options *opt)
{
	size_t i;

	memset(p, 0, sizeof(*p));
	p->diags = lkc_diags_new();
	assert_non_null(p->diags);
	p->err = lkc_tree_load("Kconfig", opt, &p->tree, p->diags);
	for (i = 0; i < lkc_diags_count(p->diags); i++) {
		const struct lkc_diag *d = lkc_diags_get(p->diags, i);

		if (d->severity == LKC_INFO)
			parse_print(p->out, sizeof(p->out), d->full);
		else
			parse_print(p->errors, sizeof(p->errors), d->full);
	}
	assert_int_equal(p->err != 0, p->tree == NULL);
}

static inline void parse_text(struct parsed *p, const char *dialect,
			      const char *kconfig)
{
	struct lkc_load_options opt = { .dialect = dialect };

	parse_write("Kconfig", kconfig);
	parse_load(p, &opt);
}

static inline void parse_done(struct parsed *p)
{
	lkc_tree_free(p->tree);
	lkc_diags_free(p->diags);
}

/* Expects ./Kconfig of @kconfig to make conf print @errors on stderr. */
static inline void parse_expect(const char *dialect, const char *kconfig,
				const char *errors)
{
	struct parsed p;

	parse_text(&p, dialect, kconfig);
	assert_string_equal(p.errors, errors);
	parse_done(&p);
}

/* Expects the same in all dialects. */
static inline void parse_expect_all(const char *kconfig, const char *errors)
{
	size_t i;

	for (i = 0; i < DIALECTS; i++)
		parse_expect(parse_dialects[i], kconfig, errors);
}

#endif
