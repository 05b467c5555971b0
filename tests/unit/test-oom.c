// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that runs out: each allocation of a whole life of a tree is made to
 * fail, alone and with all that follow. Nothing crashes or leaks, and what is
 * not reported as failed is as it should be.
 */
#include "fixture.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
#define CANNOT_INTERPOSE 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CANNOT_INTERPOSE 1
#endif
#endif

#ifndef CANNOT_INTERPOSE

/* ---- an allocator that fails on demand ---------------------------------- */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void __libc_free(void *p);

static struct {
	bool on;
	long until;	/* allocations before the one that fails */
	bool forever;	/* and all after it */
	long hits;	/* that have failed */
	long live;	/* allocated and not freed */
} alloc;

static bool fails(void)
{
	if (!alloc.on || alloc.until-- > 0)
		return false;
	if (alloc.until < -1 && !alloc.forever)
		return false;
	alloc.hits++;
	return true;
}

void *malloc(size_t size)
{
	void *p = fails() ? NULL : __libc_malloc(size);

	alloc.live += alloc.on && p;
	return p;
}

void *calloc(size_t n, size_t size)
{
	void *p = fails() ? NULL : __libc_calloc(n, size);

	alloc.live += alloc.on && p;
	return p;
}

void *realloc(void *old, size_t size)
{
	void *p = fails() ? NULL : __libc_realloc(old, size);

	alloc.live += alloc.on && p && !old;
	return p;
}

void free(void *p)
{
	alloc.live -= alloc.on && p;
	__libc_free(p);
}

/* ---- a whole life ------------------------------------------------------- */

static const char top[] =
	"mainmenu \"Title $(name)\"\n"
	"words = $(2) $(1)\n"
	"name := of $(words,a,b)\n"
	"config MODULES\n\tbool \"modules\"\n\tmodules\n\tdefault y\n"
	"config A\n\tbool \"A\"\n\thelp\n\t  Some help.\n"
	"config A\n\tint\n"
	"menu \"M\"\n\tvisible if A || MODULES\n"
	"config B\n\ttristate \"B\"\n\tdepends on m || A = y\n\tselect D if A\n"
	"config C\n\tint \"C\"\n\trange 1 10 if A\n\tdefault 3\n"
	"config D\n\ttristate \"D\"\n\tdepends on NOSUCH\n"
	"endmenu\n"
	"choice\n\tprompt \"one\"\n\tdefault C2 if A\n"
	"config C1\n\tbool \"C1\"\n"
	"config C2\n\tbool \"C2\"\n"
	"endchoice\n"
	"if A\ncomment \"word\"\nendif\n"
	"config S\n\tstring \"S\"\n\tdefault \"$(name)\"\n"
	"source \"$(dir)/second\"\n";

static const char second[] =
	"config H\n\thex \"H\"\n\tdefault 0x10\n"
	"config I\n\tdef_tristate y\n\timply B if !(A && H = 0x10)\n"
	"config T\n\tbool \"T\"\n\tdepends on A && B || C > 5\n";

struct life {
	char path[64];
	char env[80];
	struct lkc_diags *diags;
	struct lkc_tree *tree;
	struct lkc_config *c;
	char *out[12];		/* what came of it */
	size_t n;
	bool dropped;		/* a diagnostic was lost, and that is known */
};

static int keep(struct life *l, char *text)
{
	l->out[l->n++] = text;
	return text ? 0 : LKC_ENOMEM;
}

static int keep_format(struct life *l, enum lkc_format format)
{
	char *text;
	size_t len;
	int err = lkc_config_format(l->c, format, &text, &len);

	return err ? err : keep(l, text);
}

static int load(struct life *l)
{
	const char *const env[] = { l->env, NULL };
	struct lkc_load_options opt = { .dialect = "6.12", .env = env };
	int err = lkc_tree_load(l->path, &opt, &l->tree, l->diags);

	return err ? err : lkc_config_new(l->tree, &l->c);
}

static int read_some(struct life *l)
{
	static const char text[] =
		"CONFIG_A=y\nCONFIG_B=m\nCONFIG_C=99\nCONFIG_S=\"a\\\"b\"\n"
		"# CONFIG_C2 is not set\nCONFIG_H=0x\nCONFIG_NOSUCH=y\n";

	return lkc_config_read_mem(l->c, "text", text, sizeof(text) - 1, 0,
				   l->diags);
}

static int transact(struct life *l)
{
	struct lkc_txn *txn, *inner;
	int err = lkc_txn_begin(l->c, &txn);

	if (err)
		return err;
	if (lkc_txn_set(txn, "C1", "y") < 0 || lkc_txn_set(txn, "C", "12") < 0 ||
	    lkc_txn_set(txn, "S", "text") < 0 || lkc_txn_set(txn, "T", "y") < 0 ||
	    lkc_txn_set(txn, "D", "n") < 0 || lkc_txn_set(txn, "B", "y") < 0 ||
	    lkc_txn_set(txn, "CONFIG_HH", "y") < 0) {
		lkc_txn_abort(txn);
		return LKC_ENOMEM;
	}
	err = lkc_txn_prepare(txn);
	if (err == LKC_EREJECTED)
		err = lkc_txn_begin(l->c, &inner);
	if (!err) {
		if (lkc_txn_set(inner, "H", "0x20") < 0) {
			lkc_txn_abort(txn);
			return LKC_ENOMEM;
		}
		err = lkc_txn_commit(inner);
	}
	if (!err)
		err = lkc_txn_drop_rejected(txn);
	if (err) {
		lkc_txn_abort(txn);
		return err;
	}
	return lkc_txn_commit(txn);
}

static int ask(struct life *l)
{
	lkc_sym t = lkc_sym_find(l->tree, "T"), d = lkc_sym_find(l->tree, "D");
	int err = keep(l, lkc_explain(l->c, d));

	if (!err)
		err = keep(l, lkc_unmet_text(l->c, lkc_sym_depends(l->tree, d),
					     LKC_YES));
	if (!err)
		err = keep(l, lkc_expr_text(l->tree,
					    lkc_sym_depends(l->tree, t), l->c));
	if (!err)
		err = keep(l, lkc_default_value(l->c,
						lkc_sym_find(l->tree, "S")));
	return err ? err : lkc_config_warnings(l->c, l->diags);
}

static int copy(struct life *l)
{
	struct lkc_config *clone;
	int err = lkc_config_clone(l->c, &clone);

	if (err)
		return err;
	lkc_config_free(l->c);
	l->c = clone;
	return lkc_config_set_all(l->c, LKC_ALL_MOD);
}

static int write_formats(struct life *l)
{
	int err = keep_format(l, LKC_FORMAT_CONFIG);

	if (!err)
		err = keep_format(l, LKC_FORMAT_DEFCONFIG);
	if (!err)
		err = keep_format(l, LKC_FORMAT_AUTO_CONF);
	if (!err)
		err = keep_format(l, LKC_FORMAT_AUTO_HEADER);
	return err;
}

static int live(struct life *l)
{
	static int (*const steps[])(struct life *) = {
		load, read_some, transact, ask, copy, write_formats,
	};
	size_t i;
	int err = 0;

	l->diags = lkc_diags_new();
	if (!l->diags)
		return LKC_ENOMEM;
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]) && !err; i++)
		err = steps[i](l);
	l->dropped = lkc_diags_errors(l->diags) > 0;
	lkc_config_free(l->c);
	lkc_tree_free(l->tree);
	lkc_diags_free(l->diags);
	return err;
}

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[100];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void forget(struct life *l)
{
	while (l->n)
		free(l->out[--l->n]);
}

static void begin(struct life *l, const char *dir)
{
	memset(l, 0, sizeof(*l));
	snprintf(l->path, sizeof(l->path), "%s/top", dir);
	snprintf(l->env, sizeof(l->env), "dir=%s", dir);
}

/* One life in which allocation number @until fails; false: none did. */
static bool live_badly(const char *dir, const struct life *good, long until,
		       bool forever)
{
	struct life l;
	long leaked;
	size_t i;
	int err;

	begin(&l, dir);
	memset(&alloc, 0, sizeof(alloc));
	alloc.until = until;
	alloc.forever = forever;
	alloc.on = true;
	err = live(&l);
	leaked = alloc.live - l.n;
	alloc.on = false;
	for (i = 0; i < l.n; i++)
		leaked += !l.out[i];
	if (leaked)
		fail_msg("allocation %ld%s: %ld pieces of memory leaked", until,
			 forever ? " and all after it" : "", leaked);
	if (alloc.hits && !err && !l.dropped) {
		assert_int_equal(l.n, good->n);
		for (i = 0; i < l.n; i++)
			assert_string_equal(l.out[i], good->out[i]);
	}
	if (forever && alloc.hits)
		assert_true(err || l.dropped);
	if (err && err != LKC_ENOMEM && !l.dropped)
		fail_msg("allocation %ld: error %d (%s)", until, err,
			 lkc_strerror(err));
	if (!alloc.hits)
		assert_int_equal(err, 0);
	forget(&l);
	return alloc.hits > 0;
}

static void every_allocation(void **data)
{
	char dir[] = "/tmp/lkc-oom-XXXXXX", command[60];
	struct life good;
	long n, i;

	(void)data;
	assert_non_null(mkdtemp(dir));
	write_file(dir, "top", top);
	write_file(dir, "second", second);
	begin(&good, dir);
	assert_int_equal(live(&good), 0);
	assert_false(good.dropped);
	for (n = 0; live_badly(dir, &good, n, false); n++)
		;
	for (i = 0; i < n; i++)
		live_badly(dir, &good, i, true);
	assert_true(n > 100);
	forget(&good);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void every_allocation(void **data)
{
	(void)data;
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
