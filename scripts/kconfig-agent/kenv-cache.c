// SPDX-License-Identifier: GPL-2.0-only
#include "kenv-cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "base/hash.h"
#include "base/strbuf.h"

/*
 * A file of the cache is a line with a version and the checksum of all that
 * follows, then NUL-terminated strings: the key, the stamps as pairs of a path
 * and what was seen there, an empty string, the text.
 */
#define MAGIC		"kconfig-agent environment 1 "
#define HEADER_LEN	(sizeof(MAGIC) - 1 + 16 + 1)
#define MAX_FILE	(8u << 20)
#define MAX_AGE		(30 * 24 * 3600)	/* of unused files, seconds */
#define SUFFIX		".env"

static void see_file(struct strbuf *b, const char *path)
{
	struct stat st;

	if (!stat(path, &st))
		strbuf_addf(b, "%jd %jd.%09ld;", (intmax_t)st.st_size,
			    (intmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

/*
 * All programs of that name in PATH, as the first may be a wrapper, such as
 * ccache, that runs the next.
 */
static void see_program(struct strbuf *b, const char *name)
{
	const char *dir = getenv("PATH");
	struct strbuf path = {0};
	size_t len;

	for (; dir && *dir; dir += len + (dir[len] == ':')) {
		len = strcspn(dir, ":");
		strbuf_reset(&path);
		strbuf_add(&path, dir, len);
		strbuf_addf(&path, "/%s", name);
		see_file(b, strbuf_str(&path));
	}
	strbuf_free(&path);
}

static void see(struct strbuf *b, const char *path)
{
	if (strchr(path, '/'))
		see_file(b, path);
	else
		see_program(b, path);
}

void kenv_cache_stamp(struct strbuf *b, const char *path)
{
	strbuf_addstr(b, path);
	strbuf_addch(b, '\0');
	see(b, path);
	strbuf_addch(b, '\0');
}

/* The directory, with a slash; false if there is no home for it. */
static bool cache_dir(struct strbuf *b)
{
	const char *base = getenv("XDG_CACHE_HOME");

	if (base && *base == '/') {
		strbuf_addf(b, "%s/kconfig-agent/", base);
		return true;
	}
	base = getenv("HOME");
	if (!base || *base != '/')
		return false;
	strbuf_addf(b, "%s/.cache/kconfig-agent/", base);
	return true;
}

static bool cache_file(struct strbuf *b, const char *key)
{
	if (!cache_dir(b))
		return false;
	strbuf_addf(b, "%016" PRIx64 SUFFIX,
		    hash_fnv64(HASH_FNV64_INIT, key, strlen(key)));
	return !b->err;
}

/* The string at *@at, which is moved past it; NULL if there is no whole one. */
static const char *take(const char **at, const char *end)
{
	const char *s = *at;
	const char *nul = s < end ? memchr(s, '\0', (size_t)(end - s)) : NULL;

	if (nul)
		*at = nul + 1;
	return nul ? s : NULL;
}

static bool stamps_hold(const char **at, const char *end)
{
	struct strbuf now = {0};
	bool same = true;

	while (same) {
		const char *path = take(at, end);
		const char *seen = path && *path ? take(at, end) : NULL;

		if (!seen) {
			same = path && !*path;
			break;
		}
		strbuf_reset(&now);
		see(&now, path);
		same = !now.err && !strcmp(strbuf_str(&now), seen);
	}
	strbuf_free(&now);
	return same;
}

static void add_header(struct strbuf *b, const char *body, size_t len)
{
	strbuf_addf(b, MAGIC "%016" PRIx64 "\n",
		    hash_fnv64(HASH_FNV64_INIT, body, len));
}

static bool header_is_right(const char *file, size_t len)
{
	struct strbuf want = {0};
	bool right;

	if (len < HEADER_LEN || file[len - 1])
		return false;
	add_header(&want, file + HEADER_LEN, len - HEADER_LEN);
	right = want.len == HEADER_LEN && !memcmp(want.s, file, HEADER_LEN);
	strbuf_free(&want);
	return right;
}

bool kenv_cache_load(const char *key, char **text, size_t *len)
{
	struct strbuf path = {0};
	const char *at, *end, *stored;
	char *file = NULL;
	size_t size;
	bool good;

	good = cache_file(&path, key) &&
	       !file_read(strbuf_str(&path), MAX_FILE, &file, &size) &&
	       header_is_right(file, size);
	if (good) {
		at = file + HEADER_LEN;
		end = file + size;
		stored = take(&at, end);
		good = stored && !strcmp(stored, key) && stamps_hold(&at, end);
	}
	if (good) {
		/* Its age is counted from its last use. */
		utimensat(AT_FDCWD, strbuf_str(&path), NULL, 0);
		*len = (size_t)(end - at);
		memmove(file, at, *len);
		*text = file;
	} else {
		free(file);
	}
	strbuf_free(&path);
	return good;
}

static bool make_dirs(const char *path)
{
	char *copy = strdup(path);
	char *slash;

	if (!copy)
		return false;
	for (slash = copy; (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		if (mkdir(copy, 0700) < 0 && errno != EEXIST)
			break;
		*slash = '/';
	}
	free(copy);
	return !slash;
}

static void remove_old(const char *dir)
{
	DIR *d = opendir(dir);
	time_t oldest = time(NULL) - MAX_AGE;
	struct dirent *e;
	struct stat st;

	if (!d)
		return;
	while ((e = readdir(d))) {
		size_t len = strlen(e->d_name);

		if (len > strlen(SUFFIX) &&
		    !strcmp(e->d_name + len - strlen(SUFFIX), SUFFIX) &&
		    !fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    st.st_mtime < oldest)
			unlinkat(dirfd(d), e->d_name, 0);
	}
	closedir(d);
}

void kenv_cache_store(const char *key, const struct strbuf *stamps,
		      const char *text, size_t len)
{
	struct strbuf dir = {0}, path = {0}, body = {0}, file = {0};

	strbuf_add(&body, key, strlen(key) + 1);
	strbuf_add(&body, strbuf_str(stamps), stamps->len);
	strbuf_addch(&body, '\0');
	strbuf_add(&body, text, len);
	add_header(&file, strbuf_str(&body), body.len);
	strbuf_add(&file, strbuf_str(&body), body.len);

	if (!stamps->err && !body.err && !file.err && cache_dir(&dir) &&
	    cache_file(&path, key) && make_dirs(strbuf_str(&dir))) {
		remove_old(strbuf_str(&dir));
		file_replace(strbuf_str(&path), file.s, file.len, 0600, false);
	}
	strbuf_free(&dir);
	strbuf_free(&path);
	strbuf_free(&body);
	strbuf_free(&file);
}
