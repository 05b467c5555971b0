// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe-child - the shell that runs a command
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

/*
 * What this process does with signals is not the command's affair: it gets the
 * defaults for what would keep it from ending when nobody reads on.
 */
static int set_signals(posix_spawnattr_t *attr)
{
	sigset_t signals;

	sigemptyset(&signals);
	posix_spawnattr_setsigmask(attr, &signals);
	sigaddset(&signals, SIGPIPE);
	posix_spawnattr_setsigdefault(attr, &signals);
	return posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK |
					POSIX_SPAWN_SETSIGDEF);
}

static int spawn(struct child *c, const char *command, const char *const *env,
		 int out, bool alone)
{
	static char *const no_env[] = { NULL };
	char *argv[] = { "sh", "-c", (char *)command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int err;

	err = posix_spawn_file_actions_init(&actions);
	if (err)
		return err;
	err = posix_spawnattr_init(&attr);
	if (err)
		goto no_attr;
	err = set_signals(&attr);
	if (!err && alone)
		err = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
						       "/dev/null", O_RDONLY,
						       0);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, out,
						       STDOUT_FILENO);
	if (!err && c->noise >= 0)
		err = posix_spawn_file_actions_adddup2(&actions, c->noise,
						       STDERR_FILENO);
	if (!err)
		err = posix_spawn(&c->pid, "/bin/sh", &actions, &attr, argv,
				  env ? (char *const *)env : no_env);
	posix_spawnattr_destroy(&attr);
no_attr:
	posix_spawn_file_actions_destroy(&actions);
	return err;
}

int child_start(struct child *c, const char *command, const char *const *env,
		bool alone)
{
	int fds[2], err;

	if (pipe2(fds, O_CLOEXEC))
		return errno;
	/* without it, what the command says goes where ours goes */
	c->noise = memfd_create("stderr", MFD_CLOEXEC);
	err = spawn(c, command, env, fds[1], alone);
	close(fds[1]);
	c->out = fds[0];
	if (err) {
		close(fds[0]);
		if (c->noise >= 0)
			close(c->noise);
	}
	return err;
}

static void read_noise(int fd, char **noise, size_t *len)
{
	struct stat st;
	size_t size;
	ssize_t n;

	if (fstat(fd, &st) || !st.st_size)
		return;
	size = st.st_size < PROBE_NOISE_MAX ? st.st_size : PROBE_NOISE_MAX;
	*noise = malloc(size);
	if (!*noise)
		return;
	n = pread(fd, *noise, size, 0);
	*len = n > 0 ? n : 0;
}

void child_end(struct child *c, char **noise, size_t *len)
{
	int status;

	*noise = NULL;
	*len = 0;
	close(c->out);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (c->noise < 0)
		return;
	read_noise(c->noise, noise, len);
	close(c->noise);
}
