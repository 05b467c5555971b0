// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atomfile.h"
#include "strbuf.h"

static int read_fd(int fd, size_t max, char **text, size_t *len)
{
	size_t n = 0, alloc = 0;
	char *buf = NULL, *p;
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISREG(st.st_mode) && st.st_size > 0) {
		if ((uintmax_t)st.st_size > SIZE_MAX / 2)
			return -EFBIG;
		alloc = (size_t)st.st_size + 2;
		if (max && alloc > max + 2)
			return -EFBIG;
		buf = malloc(alloc);
		if (!buf)
			return -ENOMEM;
	}
	for (;;) {
		if (n + 2 > alloc) {
			alloc = alloc ? alloc * 2 : 4096;
			p = realloc(buf, alloc);
			if (!p) {
				free(buf);
				return -ENOMEM;
			}
			buf = p;
		}
		got = read(fd, buf + n, alloc - n - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int err = -errno;

			free(buf);
			return err;
		}
		if (got == 0)
			break;
		n += got;
		if (max && n > max) {
			free(buf);
			return -EFBIG;
		}
		/* there is no need to be told that this was all */
		if (S_ISREG(st.st_mode) && st.st_size > 0 &&
		    n == (size_t)st.st_size)
			break;
	}
	buf[n] = '\0';
	*text = buf;
	*len = n;
	return 0;
}

/*
 * Opening a pipe does not wait for someone to write to it: where no one does,
 * it is empty.
 */
int file_read(const char *path, size_t max, char **text, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int flags, err;

	if (fd < 0)
		return -errno;
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK))
		err = -errno;
	else
		err = read_fd(fd, max ? max : FILE_READ_MAX, text, len);
	close(fd);
	return err;
}

int file_same(const char *path, const char *text, size_t len)
{
	struct stat st;
	char *old;
	size_t n;
	int same;

	if (stat(path, &st) || !S_ISREG(st.st_mode) ||
	    (uintmax_t)st.st_size != len || file_read(path, len, &old, &n))
		return 0;
	same = n == len && memcmp(old, text, len) == 0;
	free(old);
	return same;
}

static int write_all(int fd, const char *p, size_t len)
{
	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= n;
	}
	return 0;
}

/* Makes the rename last, too; best effort, not every system can. */
static void sync_dir_of(const char *path)
{
	char *dir = strdup(path);
	char *slash;
	int fd;

	if (!dir)
		return;
	slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir] = '\0';
	fd = open(slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
	free(dir);
}

/* A terminal, a pipe, /dev/null: not ours to replace. */
static int write_through(const char *path, const char *text, size_t len)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = write_all(fd, text, len);
	if (close(fd) && !err)
		err = -errno;
	return err;
}

/* "@path.old" becomes a second name of @path, with no moment without. */
static int make_backup(const char *path, const char *old, const char *tmp,
		       unsigned int mode)
{
	if (unlink(tmp) && errno != ENOENT)
		return -errno;
	if (link(path, tmp)) {
		/* no hard links here: copy */
		char *text;
		size_t len;
		int err;

		err = file_read(path, 0, &text, &len);
		if (err)
			return err;
		err = file_replace(old, text, len, mode, false);
		free(text);
		return err;
	}
	if (rename(tmp, old)) {
		int err = -errno;

		unlink(tmp);
		return err;
	}
	/* rename() of two names of one file leaves both */
	unlink(tmp);
	return 0;
}

static int replace_real(const char *path, const char *text, size_t len,
			unsigned int mode, bool backup)
{
	struct strbuf tmp = {0}, old = {0}, link = {0};
	struct stat st;
	int fd = -1, err = -ENOMEM;
	bool exists;

	strbuf_addf(&tmp, "%s.tmp%ld", path, (long)getpid());
	strbuf_addf(&old, "%s.old", path);
	strbuf_addf(&link, "%s.lnk%ld", path, (long)getpid());
	if (tmp.err || old.err || link.err)
		goto out;
	exists = stat(path, &st) == 0;
	if (exists && S_ISDIR(st.st_mode)) {
		err = -EISDIR;
		goto out;
	}
	fd = open(tmp.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
		  mode);
	if (fd < 0) {
		err = -errno;
		goto out;
	}
	if (exists)
		(void)fchmod(fd, st.st_mode & 07777);
	err = write_all(fd, text, len);
	if (!err && fsync(fd))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	if (!err && backup && exists)
		err = make_backup(path, old.s, link.s, st.st_mode & 0777);
	if (!err && rename(tmp.s, path))
		err = -errno;
	if (err)
		unlink(tmp.s);
	else
		sync_dir_of(path);
out:
	strbuf_free(&tmp);
	strbuf_free(&old);
	strbuf_free(&link);
	return err;
}

/*
 * The name of the file that @path leads to, which need not be there: then it is
 * where the last symbolic link points. NULL: see errno.
 */
static char *follow_links(const char *path)
{
	char *real = realpath(path, NULL), target[PATH_MAX];
	struct strbuf next = {0};
	int links;

	for (links = 0; !real && errno == ENOENT && links < 40; links++) {
		const char *from = links ? next.s : path;
		const char *slash = strrchr(from, '/');
		ssize_t n = readlink(from, target, sizeof(target));
		struct strbuf to = {0};

		if (n < 0 || n == sizeof(target))
			break;
		if (slash && *target != '/')
			strbuf_add(&to, from, slash + 1 - from);
		strbuf_add(&to, target, n);
		strbuf_free(&next);
		next = to;
		if (next.err)
			return NULL;
		real = realpath(next.s, NULL);
	}
	if (real) {
		strbuf_free(&next);
		return real;
	}
	/* no link at the end: EINVAL; nothing there: ENOENT */
	if (errno != ENOENT && errno != EINVAL) {
		strbuf_free(&next);
		return NULL;
	}
	return next.s ? strbuf_detach(&next, NULL) : strdup(path);
}

int file_replace(const char *path, const char *text, size_t len,
		 unsigned int mode, bool backup)
{
	struct stat st;
	char *real;
	int err;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) &&
	    !S_ISDIR(st.st_mode))
		return write_through(path, text, len);
	real = follow_links(path);
	if (!real)
		return -errno;
	err = replace_real(real, text, len, mode, backup);
	free(real);
	return err;
}
