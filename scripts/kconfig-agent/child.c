// SPDX-License-Identifier: GPL-2.0-only
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"

#define CHILD_MAX_OUTPUT	(64u << 20)
#define CHILD_FDS		4	/* 0 to 3 */

static int dup_output(int fd)
{
	fd = fcntl(fd, F_DUPFD_CLOEXEC, CHILD_FDS);
	return fd < 0 ? -errno : fd;
}

/*
 * An unnamed file for each output, not a pipe: there is nobody to wait for if
 * the program leaves a daemon behind that keeps its output open. They are kept
 * clear of the numbers that the child uses.
 */
static int open_output(void)
{
	int low = memfd_create("kconfig-agent", MFD_CLOEXEC);
	int fd;

	if (low < 0)
		return -errno;
	fd = dup_output(low);
	close(low);
	return fd;
}

static void close_outputs(int fds[CHILD_FDS])
{
	int i;

	for (i = 0; i < CHILD_FDS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static int open_outputs(const struct child *c, int fds[CHILD_FDS])
{
	const struct strbuf *want[CHILD_FDS] = { NULL, c->out, c->err,
						 c->three };
	int i, err = 0;

	for (i = 0; i < CHILD_FDS; i++)
		fds[i] = -1;
	for (i = 1; i < CHILD_FDS && !err; i++) {
		if (!want[i])
			continue;
		if (i == 2 && want[i] == want[1])
			fds[i] = dup_output(fds[1]);
		else
			fds[i] = open_output();
		if (fds[i] < 0)
			err = fds[i];
	}
	if (err)
		close_outputs(fds);
	return err;
}

/* In the child: does not return. */
static void become(const struct child *c, const int fds[CHILD_FDS], int report)
{
	sigset_t none;
	int i, fd, err;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	for (i = 0; i < CHILD_FDS; i++) {
		fd = fds[i];
		if (fd < 0 && i < 3)
			fd = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (fd == i)
			fcntl(fd, F_SETFD, 0);
		else if (fd >= 0 && dup2(fd, i) < 0)
			goto failed;
	}
	if (c->dir && chdir(c->dir) < 0)
		goto failed;
	execvpe(c->argv[0], (char *const *)c->argv, c->env);
failed:
	err = errno;
	if (write(report, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

static int take_output(int fd, struct strbuf *b)
{
	char buf[16384];
	size_t total = 0;
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	while (total < CHILD_MAX_OUTPUT) {
		n = read(fd, buf, sizeof(buf));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		strbuf_add(b, buf, (size_t)n);
		total += (size_t)n;
	}
	return b->err ? -ENOMEM : 0;
}

/* The exit status of @pid, or the errno that kept it from running. */
static int wait_for(pid_t pid, int report)
{
	int status, err = 0;
	ssize_t n;

	do {
		n = read(report, &err, sizeof(err));
	} while (n < 0 && errno == EINTR);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (n == sizeof(err))
		return -err;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

static int start_and_wait(const struct child *c, const int fds[CHILD_FDS])
{
	int report[2], high, status;
	pid_t pid;

	if (pipe2(report, O_CLOEXEC) < 0)
		return -errno;
	high = fcntl(report[1], F_DUPFD_CLOEXEC, CHILD_FDS);
	pid = high < 0 ? -1 : fork();
	status = -errno;
	if (!pid)
		become(c, fds, high);
	close(report[1]);
	if (high >= 0)
		close(high);
	if (pid > 0)
		status = wait_for(pid, report[0]);
	close(report[0]);
	return status;
}

int child_run(const struct child *c)
{
	int fds[CHILD_FDS];
	int status, err;

	err = open_outputs(c, fds);
	if (err < 0)
		return err;
	status = start_and_wait(c, fds);
	if (c->out)
		err = take_output(fds[1], c->out);
	if (!err && c->err && c->err != c->out)
		err = take_output(fds[2], c->err);
	if (!err && c->three)
		err = take_output(fds[3], c->three);
	close_outputs(fds);
	return status < 0 || !err ? status : err;
}
