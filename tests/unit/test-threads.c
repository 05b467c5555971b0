// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads: trees of their own, and configurations of their own over one tree.
 * Each must come to what one thread alone comes to. Built with
 * -fsanitize=thread, this finds what they share and should not.
 */
#include <pthread.h>

#include "fixture.h"
#include "random-tree.h"

#define THREADS 4
#define ROUNDS 30

struct job {
	pthread_t thread;
	const struct lkc_tree *tree;	/* NULL: loads its own */
	const char *path;
	const char *dialect;
	uint64_t seed;
	char *out;		/* all that was written */
	size_t len;
	bool failed;
};

static void keep(struct job *j, char *text)
{
	size_t len = strlen(text);

	j->out = realloc(j->out, j->len + len + 1);
	memcpy(j->out + j->len, text, len + 1);
	j->len += len;
	free(text);
}

static bool change(struct job *j, struct lkc_config *c, uint64_t *state)
{
	static const char *const values[] = { "y", "m", "n", "7", "0x3" };
	struct lkc_txn *txn;
	char name[16], *text;
	size_t len;

	if (lkc_txn_begin(c, &txn))
		return false;
	for (len = 0; len < 3; len++) {
		snprintf(name, sizeof(name), "S%u",
			 random_next(state) % RANDOM_SYMS);
		lkc_txn_set(txn, name, values[random_next(state) % 5]);
	}
	lkc_txn_prepare(txn);
	keep(j, lkc_explain(c, lkc_sym_find(lkc_config_tree(c), name)));
	if (random_next(state) % 4 == 0)
		lkc_txn_abort(txn);
	else if (lkc_txn_drop_rejected(txn) || lkc_txn_commit(txn))
		return false;
	if (lkc_config_format(c, LKC_FORMAT_CONFIG, &text, &len))
		return false;
	keep(j, text);
	return true;
}

static void *work(void *arg)
{
	struct job *j = arg;
	struct lkc_load_options opt = { .dialect = j->dialect };
	struct lkc_diags *diags = lkc_diags_new();
	struct lkc_tree *own = NULL;
	struct lkc_config *c = NULL;
	uint64_t state = j->seed;
	int i;

	if (!j->tree)
		j->failed = lkc_tree_load(j->path, &opt, &own, diags) != 0;
	if (!j->failed)
		j->failed = lkc_config_new(j->tree ? j->tree : own, &c) != 0;
	for (i = 0; i < ROUNDS && !j->failed; i++)
		j->failed = !change(j, c, &state);
	lkc_config_free(c);
	lkc_tree_free(own);
	lkc_diags_free(diags);
	return NULL;
}

static void compare_with_one_thread(struct job *jobs)
{
	int i;

	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&jobs[i].thread, NULL, work,
						&jobs[i]), 0);
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(jobs[i].thread, NULL), 0);
	for (i = 0; i < THREADS; i++) {
		struct job alone = jobs[i];

		alone.out = NULL;
		alone.len = 0;
		work(&alone);
		assert_false(jobs[i].failed);
		assert_false(alone.failed);
		assert_string_equal(jobs[i].out, alone.out);
		free(alone.out);
		free(jobs[i].out);
	}
}

static void write_tree(char *path, uint64_t seed)
{
	struct random_tree t;
	char *text = random_tree(&t, seed, false);
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, t.len), t.len);
	close(fd);
	free(text);
}

static void trees_of_their_own(void **data)
{
	char paths[THREADS][24];
	struct job jobs[THREADS] = {0};
	int i;

	(void)data;
	for (i = 0; i < THREADS; i++) {
		strcpy(paths[i], "/tmp/lkc-test-XXXXXX");
		write_tree(paths[i], i / 2 + 1);
		jobs[i].path = paths[i];
		jobs[i].dialect = i % 2 ? "6.1" : "6.12";
		jobs[i].seed = i;
	}
	compare_with_one_thread(jobs);
	for (i = 0; i < THREADS; i++)
		unlink(paths[i]);
}

static void one_tree(void **data)
{
	struct random_tree t;
	char *text = random_tree(&t, 5, false);
	struct lkc_diags *diags = lkc_diags_new();
	struct job jobs[THREADS] = {0};
	struct lkc_tree *tree;
	int i;

	(void)data;
	/* it has warnings, which do not matter here */
	assert_int_equal(fixture_load(text, "6.12", &tree, diags), 0);
	lkc_diags_free(diags);
	for (i = 0; i < THREADS; i++) {
		jobs[i].tree = tree;
		jobs[i].seed = i;
	}
	compare_with_one_thread(jobs);
	lkc_tree_free(tree);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_of_their_own),
		cmocka_unit_test(one_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
