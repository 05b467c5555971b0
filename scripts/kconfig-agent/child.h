/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * child - run a program and keep what it says
 */
#ifndef KA_CHILD_H
#define KA_CHILD_H

struct strbuf;

struct child {
	const char *const *argv;	/* argv[0] is looked up in PATH */
	char *const *env;		/* NAME=value, NULL terminated */
	const char *dir;		/* where it runs; NULL: here */
	/*
	 * What it writes to its file descriptors 1, 2 and 3 is appended to
	 * these; NULL: thrown away (3: not open). @out and @err may be the
	 * same. No more than 64 MB of each is read.
	 */
	struct strbuf *out, *err, *three;
};

/*
 * Runs @c with nothing on stdin until it ends; processes that it leaves behind
 * are not waited for. Returns its exit status, 128 plus the number of the
 * signal that ended it, or a negative errno if it could not be run.
 */
int child_run(const struct child *c);

#endif
