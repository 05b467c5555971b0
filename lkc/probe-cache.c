// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe-cache - what commands printed, from run to run
 *
 * The file is a line that says what it is, and records of
 *
 *	key		16 bytes
 *	length		2 bytes, the lower one first
 *	text		that many bytes
 *	check		4 bytes: FNV-1a over all before it, the lower ones first
 *
 * It is read up to the first thing that is not as it should be. Newer records
 * come last; when the file grows too large, the oldest go. It is replaced as a
 * whole, so that two who store at once lose the results of one,
 * which will be found again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "probe.h"

#define MAGIC "kconfig-agent probes 1\n"
#define HEAD (sizeof(struct hash128) + 2)
#define TAIL 4
#define FILE_MAX (4u << 20)

struct probe_cache {
	char *path;
	char *text;		/* the file as it was read */
	size_t len;		/* of its sound part */
	struct strmap records;	/* key to place in text */
	struct strbuf fresh;	/* records to be added */
};

static unsigned int number(const char *p, int bytes)
{
	unsigned int n = 0;

	while (bytes--)
		n = n << 8 | (unsigned char)p[bytes];
	return n;
}

static void add_number(struct strbuf *b, unsigned int n, int bytes)
{
	for (; bytes--; n >>= 8)
		strbuf_addch(b, n & 0xff);
}

/* The size of the record at @p, or 0 if there is no sound one in @left bytes. */
static size_t record_size(const char *p, size_t left)
{
	size_t size;

	if (left < HEAD + TAIL)
		return 0;
	size = HEAD + number(p + HEAD - 2, 2);
	if (left < size + TAIL || hash_fnv32(p, size) != number(p + size, TAIL))
		return 0;
	return size + TAIL;
}

/* Only what nobody else could have written is believed. */
static bool is_ours(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && !(st.st_mode & 022);
}

static void read_file(const char *path, char **text, size_t *len)
{
	size_t at = strlen(MAGIC), size;

	*text = NULL;
	*len = 0;
	if (!is_ours(path) || file_read(path, FILE_MAX, text, len)) {
		*text = NULL;
		return;
	}
	if (*len < at || memcmp(*text, MAGIC, at) != 0) {
		*len = 0;
		return;
	}
	while ((size = record_size(*text + at, *len - at)))
		at += size;
	*len = at;
}

static bool index_records(struct probe_cache *c)
{
	size_t at = strlen(MAGIC);

	while (at < c->len) {
		const char *key = c->text + at;
		uint32_t old = strmap_get(&c->records, key,
					  sizeof(struct hash128));

		/* what two have stored at once is the same */
		if (old == UINT32_MAX &&
		    !strmap_add(&c->records, key, sizeof(struct hash128), at))
			return false;
		at += HEAD + number(key + HEAD - 2, 2) + TAIL;
	}
	return true;
}

struct probe_cache *probe_cache_open(const char *path)
{
	struct probe_cache *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->path = strdup(path);
	if (!c->path) {
		free(c);
		return NULL;
	}
	read_file(path, &c->text, &c->len);
	if (!index_records(c)) {
		probe_cache_free(c);
		return NULL;
	}
	return c;
}

void probe_cache_free(struct probe_cache *c)
{
	if (!c)
		return;
	strmap_free(&c->records);
	strbuf_free(&c->fresh);
	free(c->text);
	free(c->path);
	free(c);
}

bool probe_cache_get(const struct probe_cache *c, const struct hash128 *key,
		     const char **text, size_t *len)
{
	uint32_t at = strmap_get(&c->records, (const char *)key, sizeof(*key));

	if (at == UINT32_MAX)
		return false;
	*text = c->text + at + HEAD;
	*len = number(*text - 2, 2);
	return true;
}

bool probe_cache_put(struct probe_cache *c, const struct hash128 *key,
		     const char *text, size_t len)
{
	size_t at = c->fresh.len;

	if (len > 0xffff)
		return true;
	strbuf_add(&c->fresh, key, sizeof(*key));
	add_number(&c->fresh, len, 2);
	strbuf_add(&c->fresh, text, len);
	if (!c->fresh.err)
		add_number(&c->fresh, hash_fnv32(c->fresh.s + at,
						 c->fresh.len - at), TAIL);
	return !c->fresh.err;
}

/* The directory that @path is in, and the one above. */
static void make_directories(const char *path)
{
	char *dir = strdup(path), *end;
	char *upper;

	if (!dir)
		return;
	end = strrchr(dir, '/');
	if (end && end != dir) {
		*end = '\0';
		upper = strrchr(dir, '/');
		if (upper && upper != dir) {
			*upper = '\0';
			mkdir(dir, 0700);
			*upper = '/';
		}
		mkdir(dir, 0700);
	}
	free(dir);
}

void probe_cache_store(struct probe_cache *c)
{
	struct strbuf all = {0};
	size_t at = strlen(MAGIC), len;
	char *text;

	if (!c->fresh.len || c->fresh.err)
		return;
	make_directories(c->path);
	/* others may have added to it */
	read_file(c->path, &text, &len);
	while (len && len - at + c->fresh.len > FILE_MAX / 2 && at < len)
		at += record_size(text + at, len - at);
	strbuf_addstr(&all, MAGIC);
	if (len)
		strbuf_add(&all, text + at, len - at);
	strbuf_add(&all, c->fresh.s, c->fresh.len);
	if (!all.err)
		file_replace(c->path, all.s, all.len, 0600, false);
	strbuf_free(&all);
	free(text);
}
