// SPDX-License-Identifier: GPL-2.0-only
/*
 * resolve-driver - random requests that do not hold, resolved
 *
 *	resolve-driver KCONFIG CONFIG COUNT SEED DIR
 *
 * For each, prints the request, the milliseconds of processor time, what came
 * of it, and the best answer; that answer's .config becomes DIR/NAME=VALUE.
 * The environment is what Kconfig files see. Exit status 1: an answer did not
 * hold.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lkc/lkc.h>

extern char **environ;

static uint64_t draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) +
		UINT64_C(1442695040888963407);
	return *state >> 33;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static bool holds(struct lkc_config *c, const struct lkc_want *want)
{
	struct lkc_txn *txn;
	bool ok;

	if (lkc_txn_begin(c, &txn))
		exit(2);
	lkc_txn_set(txn, want->name, want->value);
	ok = lkc_txn_prepare(txn) == 0;
	lkc_txn_abort(txn);
	return ok;
}

/* A bool or tristate, and a value that it does not take by being asked to. */
static struct lkc_want random_want(struct lkc_config *c, uint64_t *state)
{
	static const char *const values[] = { "n", "m", "y" };
	const struct lkc_tree *t = lkc_config_tree(c);
	struct lkc_want want;

	for (;;) {
		lkc_sym sym = draw(state) % lkc_sym_count(t);
		enum lkc_type type = lkc_sym_type(t, sym);

		want.value = values[draw(state) % 3];
		if (!lkc_sym_is_config(t, sym) ||
		    (type != LKC_TRISTATE &&
		     (type != LKC_BOOL || *want.value == 'm')))
			continue;
		want.name = lkc_sym_name(t, sym);
		if (strcmp(lkc_value(c, sym), want.value) != 0 &&
		    !holds(c, &want))
			return want;
	}
}

static void write_config(const struct lkc_config *c, const char *path)
{
	struct lkc_diags *diags = lkc_diags_new();
	char *text;
	size_t len;

	if (lkc_config_format(c, LKC_FORMAT_CONFIG, &text, &len) ||
	    lkc_file_replace(path, text, len, false, diags) < 0)
		exit(2);
	free(text);
	lkc_diags_free(diags);
}

/* Makes the best answer, as another user of the library would. */
static bool apply(struct lkc_config *c, const struct lkc_want *want,
		  const struct lkc_repair *a, const char *dir)
{
	const struct lkc_tree *t = lkc_config_tree(c);
	struct lkc_txn *txn;
	char path[4096];
	size_t i;
	bool ok;

	if (lkc_txn_begin(c, &txn))
		exit(2);
	for (i = 0; i < a->n_changes; i++) {
		const char *name = lkc_sym_name(t, a->changes[i].sym);

		lkc_txn_set(txn, name, a->changes[i].to);
		printf(" %s=%s", name, a->changes[i].to);
	}
	ok = lkc_txn_prepare(txn) == 0;
	snprintf(path, sizeof(path), "%s/%s=%s", dir, want->name, want->value);
	write_config(c, path);
	lkc_txn_abort(txn);
	return ok;
}

static bool one(struct lkc_config *c, const struct lkc_want *want,
		const char *dir)
{
	static const char *const outcome[] = {
		[LKC_R_FOUND] = "found",
		[LKC_R_IMPOSSIBLE] = "impossible",
		[LKC_R_UNDECIDED] = "undecided",
	};
	struct lkc_repairs *r;
	double begin = now();
	bool ok = true;

	if (lkc_resolve(c, want, 1, NULL, &r))
		exit(2);
	printf("%s=%s %.2f %s %s", want->name, want->value, now() - begin,
	       outcome[lkc_repairs_resolution(r)],
	       lkc_repairs_proved(r) ? "proved" : "unproved");
	if (lkc_repairs_count(r))
		ok = apply(c, want, lkc_repairs_get(r, 0), dir);
	printf("\n");
	lkc_repairs_free(r);
	return ok;
}

/* The .config that conf would make of @path, read again. */
static struct lkc_config *load(const struct lkc_tree *tree, const char *path,
			       struct lkc_diags *diags)
{
	struct lkc_config *c;
	char *text;
	size_t len;

	if (lkc_config_new(tree, &c) || lkc_config_read(c, path, 0, diags) ||
	    lkc_config_format(c, LKC_FORMAT_CONFIG, &text, &len) ||
	    lkc_config_read_mem(c, path, text, len, 0, diags))
		exit(2);
	free(text);
	return c;
}

int main(int argc, char **argv)
{
	struct lkc_load_options opt = {
		.env = (const char *const *)environ,
	};
	struct lkc_diags *diags = lkc_diags_new();
	struct lkc_config *c;
	struct lkc_tree *tree;
	uint64_t state;
	bool ok = true;
	int i;

	if (argc != 6) {
		fputs("usage: resolve-driver KCONFIG CONFIG COUNT SEED DIR\n",
		      stderr);
		return 2;
	}
	if (lkc_tree_load(argv[1], &opt, &tree, diags))
		return 2;
	c = load(tree, argv[2], diags);
	state = strtoull(argv[4], NULL, 10);
	for (i = 0; i < atoi(argv[3]); i++) {
		struct lkc_want want = random_want(c, &state);

		ok &= one(c, &want, argv[5]);
	}
	lkc_config_free(c);
	lkc_tree_free(tree);
	lkc_diags_free(diags);
	return !ok;
}
