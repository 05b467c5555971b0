// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bottom layer: memory, strings, arrays, maps and files.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "fixture.h"

#include "base/arena.h"
#include "base/atomfile.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* ---- arena -------------------------------------------------------------- */

static void arena_pieces(void **data)
{
	static const char zeroes[1000];
	struct arena a = {0};
	char *pieces[2000];
	size_t i;

	(void)data;
	for (i = 0; i < 2000; i++) {
		char *odd = arena_bytes(&a, 1);

		pieces[i] = arena_alloc(&a, i % 1000);
		assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t),
				 0);
		assert_memory_equal(pieces[i], zeroes, i % 1000);
		memset(pieces[i], i & 0x7f, i % 1000);
		*odd = 'x';
	}
	for (i = 0; i < 2000; i++) {
		if (i % 1000)
			assert_int_equal(pieces[i][i % 1000 - 1], i & 0x7f);
	}
	arena_free(&a);
	assert_null(a.blocks);
	assert_string_equal(arena_strdup(&a, "usable again"), "usable again");
	arena_free(&a);
}

static void arena_large_and_absurd(void **data)
{
	struct arena a = {0};
	char *p = arena_alloc(&a, 10 << 20);

	(void)data;
	assert_non_null(p);
	p[(10 << 20) - 1] = 'x';
	assert_null(arena_alloc(&a, SIZE_MAX));
	assert_null(arena_alloc(&a, SIZE_MAX / 2));
	assert_null(arena_bytes(&a, SIZE_MAX));
	assert_null(arena_strndup(&a, "", SIZE_MAX));
	assert_string_equal(arena_strndup(&a, "abc", 2), "ab");
	assert_string_equal(arena_strndup(&a, NULL, 0), "");
	arena_free(&a);
}

/* ---- strbuf ------------------------------------------------------------- */

static void strbuf_texts(void **data)
{
	struct strbuf b = {0};
	size_t len, i;
	char *s;

	(void)data;
	assert_string_equal(strbuf_str(&b), "");
	strbuf_addf(&b, "%s-%d", "abc", 42);
	strbuf_addch(&b, '!');
	strbuf_add(&b, "x\0y", 3);
	assert_int_equal(b.len, 10);
	assert_memory_equal(b.s, "abc-42!x\0y", 11);
	strbuf_truncate(&b, 20);
	assert_int_equal(b.len, 10);
	strbuf_truncate(&b, 3);
	assert_string_equal(strbuf_str(&b), "abc");
	strbuf_reset(&b);
	for (i = 0; i < 1000; i++)
		strbuf_addf(&b, "%zu ", i);
	assert_int_equal(b.len, 3890);
	s = strbuf_detach(&b, &len);
	assert_int_equal(strlen(s), len);
	assert_null(b.s);
	free(s);
	/* empty is a text, too */
	s = strbuf_detach(&b, &len);
	assert_string_equal(s, "");
	free(s);
}

static void strbuf_cap_is_sticky(void **data)
{
	struct strbuf b = { .max = 10 };

	(void)data;
	strbuf_addstr(&b, "12345");
	strbuf_addf(&b, "%s", "67890");
	assert_false(b.err);
	assert_string_equal(strbuf_str(&b), "1234567890");
	strbuf_addch(&b, '1');
	assert_true(b.err);
	assert_string_equal(strbuf_str(&b), "");
	strbuf_addstr(&b, "x");
	strbuf_addf(&b, "x");
	strbuf_truncate(&b, 0);
	assert_true(b.err);
	assert_null(strbuf_detach(&b, NULL));
	/* the cap outlives the error */
	strbuf_reset(&b);
	strbuf_addstr(&b, "again");
	assert_string_equal(strbuf_str(&b), "again");
	strbuf_addf(&b, "%s", "toolong");
	assert_true(b.err);
	strbuf_free(&b);
	assert_false(b.err);
	assert_int_equal(b.max, 10);
	strbuf_fail(&b);
	assert_true(b.err);
}

/* ---- vec and strmap ----------------------------------------------------- */

static void vec_grows(void **data)
{
	struct { VEC(uint64_t); } a = {0};
	uint32_t i;

	(void)data;
	for (i = 0; i < 100000; i++)
		assert_true(vec_push(&a, i));
	assert_int_equal(a.n, 100000);
	assert_true(a.cap < 200000);
	for (i = 0; i < a.n; i++)
		assert_int_equal(a.v[i], i);
	assert_true(vec_reserve(&a, 1000));
	assert_int_equal(a.n, 100000);
	vec_free(&a);
	assert_int_equal(a.cap, 0);
	/* what cannot be had leaves all as it was */
	assert_true(vec_push(&a, 7));
	assert_null(vec_grow(a.v, &a.cap, UINT32_MAX, SIZE_MAX / 8));
	assert_int_equal(a.v[0], 7);
	vec_free(&a);
}

static void strmap_finds(void **data)
{
	enum { N = 20000 };
	struct strmap m = {0};
	struct arena a = {0};
	char key[32];
	uint32_t i;

	(void)data;
	assert_int_equal(strmap_get(&m, "x", 1), UINT32_MAX);
	assert_null(strmap_key(&m, "x", 1));
	for (i = 0; i < N; i++) {
		snprintf(key, sizeof(key), "KEY_%u", i);
		assert_true(strmap_add(&m, arena_strdup(&a, key), strlen(key),
				       i));
	}
	assert_true(strmap_add(&m, "", 0, N));
	assert_true(strmap_add(&m, "a\0b", 3, N + 1));
	for (i = 0; i < N; i++) {
		snprintf(key, sizeof(key), "KEY_%u", i);
		assert_int_equal(strmap_get(&m, key, strlen(key)), i);
		assert_string_equal(strmap_key(&m, key, strlen(key)), key);
		assert_ptr_not_equal(strmap_key(&m, key, strlen(key)), key);
	}
	assert_int_equal(strmap_get(&m, "", 0), N);
	assert_int_equal(strmap_get(&m, "a", 1), UINT32_MAX);
	assert_int_equal(strmap_get(&m, "a\0b", 3), N + 1);
	assert_int_equal(strmap_get(&m, "KEY_", 4), UINT32_MAX);
	assert_true(m.used < m.size);
	strmap_free(&m);
	arena_free(&a);
}

/* Values that the authors of FNV-1a published. */
static void hashes_are_fnv(void **data)
{
	(void)data;
	assert_int_equal(hash_fnv32("", 0), 0x811c9dc5);
	assert_int_equal(hash_fnv32("a", 1), 0xe40c292c);
	assert_int_equal(hash_fnv32("foobar", 6), 0xbf9cf968);
	assert_true(hash_fnv64(HASH_FNV64_INIT, "foobar", 6) ==
		    UINT64_C(0x85944171f73967e8));
	assert_true(hash_fnv64(hash_fnv64(HASH_FNV64_INIT, "foo", 3), "bar", 3)
		    == UINT64_C(0x85944171f73967e8));
}

/* ---- files -------------------------------------------------------------- */

struct dir {
	char path[64];
	char name[80];		/* of the file in it */
};

static int setup(void **data)
{
	struct dir *d = calloc(1, sizeof(*d));

	strcpy(d->path, "/tmp/lkc-base-XXXXXX");
	assert_non_null(mkdtemp(d->path));
	snprintf(d->name, sizeof(d->name), "%s/file", d->path);
	*data = d;
	return 0;
}

/* The names in @d but "." and "..", sorted, with blanks between; static. */
static const char *listing(const struct dir *d)
{
	static char out[200];
	struct dirent **list;
	int n = scandir(d->path, &list, NULL, alphasort), i;

	*out = '\0';
	for (i = 0; i < n; i++) {
		if (list[i]->d_name[0] != '.') {
			strcat(out, *out ? " " : "");
			strcat(out, list[i]->d_name);
		}
		free(list[i]);
	}
	free(list);
	return out;
}

static int teardown(void **data)
{
	struct dir *d = *data;
	char command[200];

	snprintf(command, sizeof(command), "chmod -R u+w %s; rm -rf %s",
		 d->path, d->path);
	assert_int_equal(system(command), 0);
	free(d);
	return 0;
}

static void expect_file(const char *dir, const char *name, const char *expected)
{
	char path[100], *text;
	size_t len;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(file_read(path, 0, &text, &len), 0);
	assert_string_equal(text, expected);
	assert_int_equal(len, strlen(expected));
	free(text);
}

static int replace(const struct dir *d, const char *text, bool backup)
{
	return file_replace(d->name, text, strlen(text), 0666, backup);
}

static void files_are_read(void **data)
{
	const struct dir *d = *data;
	char *text, *big = calloc(1, 300000);
	size_t len;

	assert_int_equal(file_read(d->name, 0, &text, &len), -ENOENT);
	assert_int_equal(file_read(d->path, 0, &text, &len), -EISDIR);
	assert_int_equal(replace(d, "", false), 0);
	expect_file(d->path, "file", "");
	assert_int_equal(file_replace(d->name, big, 300000, 0666, false), 0);
	assert_int_equal(file_read(d->name, 300000, &text, &len), 0);
	assert_int_equal(len, 300000);
	free(text);
	assert_int_equal(file_read(d->name, 299999, &text, &len), -EFBIG);
	/* a size of 0 does not mean that nothing is in it */
	assert_int_equal(file_read("/proc/self/maps", 0, &text, &len), 0);
	assert_true(len > 100);
	free(text);
	assert_int_equal(file_read("/dev/zero", 100000, &text, &len), -EFBIG);
	free(big);
}

static void files_are_compared(void **data)
{
	const struct dir *d = *data;

	assert_int_equal(file_same(d->name, "", 0), 0);
	assert_int_equal(replace(d, "text", false), 0);
	assert_int_equal(file_same(d->name, "text", 4), 1);
	assert_int_equal(file_same(d->name, "texT", 4), 0);
	assert_int_equal(file_same(d->name, "text ", 5), 0);
	assert_int_equal(file_same(d->name, "", 0), 0);
	assert_int_equal(file_same(d->path, "", 0), 0);
	assert_int_equal(file_same("/dev/null", "", 0), 0);
}

static void backups(void **data)
{
	const struct dir *d = *data;
	struct lkc_diags *diags = lkc_diags_new();
	struct stat before, after;

	assert_int_equal(replace(d, "one", true), 0);
	assert_string_equal(listing(d), "file");
	assert_int_equal(replace(d, "two", true), 0);
	assert_string_equal(listing(d), "file file.old");
	assert_int_equal(replace(d, "three", true), 0);
	assert_int_equal(replace(d, "four", false), 0);
	expect_file(d->path, "file", "four");
	expect_file(d->path, "file.old", "two");
	assert_string_equal(listing(d), "file file.old");

	assert_int_equal(stat(d->name, &before), 0);
	assert_int_equal(lkc_file_replace(d->name, "four", 4, true, diags),
			 LKC_UNCHANGED);
	assert_int_equal(stat(d->name, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	expect_file(d->path, "file.old", "two");
	assert_int_equal(lkc_file_replace(d->name, "five", 4, true, diags),
			 LKC_WRITTEN);
	expect_file(d->path, "file.old", "four");
	assert_int_equal(lkc_file_replace(d->path, "x", 1, true, diags),
			 LKC_EIO);
	assert_int_equal(lkc_diags_errors(diags), 1);
	lkc_diags_free(diags);
}

static void modes_are_kept(void **data)
{
	const struct dir *d = *data;
	mode_t mask = umask(027);
	struct stat st;

	assert_int_equal(replace(d, "one", false), 0);
	assert_int_equal(stat(d->name, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(chmod(d->name, 0604), 0);
	assert_int_equal(replace(d, "two", true), 0);
	assert_int_equal(stat(d->name, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0604);
	umask(mask);
}

static void links_are_followed(void **data)
{
	const struct dir *d = *data;
	char link[100], target[100];
	struct stat st;

	/* one that leads somewhere, one that leads nowhere yet, and both */
	assert_int_equal(replace(d, "one", false), 0);
	snprintf(link, sizeof(link), "%s/link", d->path);
	assert_int_equal(symlink("file", link), 0);
	assert_int_equal(file_replace(link, "two", 3, 0666, true), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	expect_file(d->path, "file", "two");
	expect_file(d->path, "file.old", "one");
	assert_string_equal(listing(d), "file file.old link");

	assert_int_equal(unlink(d->name), 0);
	assert_int_equal(file_replace(link, "three", 5, 0666, true), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	expect_file(d->path, "file", "three");

	snprintf(target, sizeof(target), "%s/other", d->path);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(unlink(d->name), 0);
	assert_int_equal(symlink(target, d->name), 0);
	assert_int_equal(symlink("file", link), 0);
	assert_int_equal(file_replace(link, "four", 4, 0666, false), 0);
	expect_file(d->path, "other", "four");
	assert_string_equal(listing(d), "file file.old link other");

	assert_int_equal(unlink(target), 0);
	assert_int_equal(symlink("link", target), 0);
	assert_int_equal(file_replace(link, "x", 1, 0666, false), -ELOOP);
}

/* As root, replacing /dev/null would be the end of more than a file. */
static void pipes_are_written_to(void **data)
{
	const struct dir *d = *data;
	char got[10] = "";
	struct stat st;
	int fd;

	assert_int_equal(mkfifo(d->name, 0600), 0);
	fd = open(d->name, O_RDWR | O_NONBLOCK);
	assert_true(fd >= 0);
	assert_int_equal(replace(d, "text", true), 0);
	assert_int_equal(read(fd, got, sizeof(got)), 4);
	assert_string_equal(got, "text");
	close(fd);
	assert_int_equal(stat(d->name, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	assert_string_equal(listing(d), "file");
}

static void failures_leave_the_old_file(void **data)
{
	const struct dir *d = *data;
	char path[100], tmp[120];

	assert_int_equal(replace(d, "one", false), 0);
	/* a directory where the temporary file would be */
	snprintf(tmp, sizeof(tmp), "%s.tmp%ld", d->name, (long)getpid());
	assert_int_equal(mkdir(tmp, 0700), 0);
	assert_true(replace(d, "two", true) < 0);
	expect_file(d->path, "file", "one");
	assert_int_equal(rmdir(tmp), 0);
	assert_string_equal(listing(d), "file");
	/* a backup that cannot be made: a directory with something in it */
	snprintf(path, sizeof(path), "%s.old", d->name);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(tmp, sizeof(tmp), "%s/x", path);
	assert_int_equal(mkdir(tmp, 0700), 0);
	assert_true(replace(d, "two", true) < 0);
	expect_file(d->path, "file", "one");
	assert_string_equal(listing(d), "file file.old");
	assert_int_equal(file_replace(d->path, "x", 1, 0666, true), -EISDIR);
	snprintf(path, sizeof(path), "%s/none/file", d->path);
	assert_int_equal(file_replace(path, "x", 1, 0666, true), -ENOENT);
	snprintf(path, sizeof(path), "%s/x", d->name);
	assert_int_equal(file_replace(path, "x", 1, 0666, true), -ENOTDIR);
	assert_string_equal(listing(d), "file file.old");
}

static void full_disks_are_told(void **data)
{
	(void)data;
	if (access("/dev/full", W_OK) != 0)
		skip();
	assert_int_equal(file_replace("/dev/full", "text", 4, 0666, true),
			 -ENOSPC);
}

#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_pieces),
		cmocka_unit_test(arena_large_and_absurd),
		cmocka_unit_test(strbuf_texts),
		cmocka_unit_test(strbuf_cap_is_sticky),
		cmocka_unit_test(vec_grows),
		cmocka_unit_test(strmap_finds),
		cmocka_unit_test(hashes_are_fnv),
		FILE_TEST(files_are_read),
		FILE_TEST(files_are_compared),
		FILE_TEST(backups),
		FILE_TEST(modes_are_kept),
		FILE_TEST(links_are_followed),
		FILE_TEST(pipes_are_written_to),
		FILE_TEST(failures_leave_the_old_file),
		cmocka_unit_test(full_disks_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
