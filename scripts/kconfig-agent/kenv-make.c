// SPDX-License-Identifier: GPL-2.0-only
#include "kenv-make.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "child.h"
#include "envlist.h"
#include "text.h"

/*
 * MAKEFILES has each make of the kernel's recursion read this before its own
 * makefile. Names that end in "config" lead the kernel's make to the one that
 * builds in scripts/kconfig: there, obj is given on the command line. For the
 * environment the way there is ours too, so that nothing is built on it: of two
 * patterns that match, make takes the one that says more.
 */
#define ENV_GOAL	"agentenvconfig"
#define CONF_GOAL	"agentbuildconfig"

static const char makefile[] =
	"ifeq ($(origin obj),command line)\n"
	"unexport MAKEFILES\n"
	"agentenvconf%:\n"
	"\t@{ printf '%s\\0' \"$$(pwd -P)\" '$(Kconfig)' \\\n"
	"\t\t'$(KBUILD_DEFCONFIG)'; env -0; } >&3\n"
	".PHONY: " CONF_GOAL "\n"
	CONF_GOAL ": $(obj)/conf\n"
	"\t@:\n"
	"else\n"
	"agentenvconf%:\n"
	"\t@$(MAKE) $(build)=scripts/kconfig $@\n"
	"endif\n";

#define SHOWN_BYTES	1500	/* of make's last words */

/* The last lines of @said. */
static void add_last_lines(struct strbuf *why, const struct strbuf *said)
{
	const char *s = strbuf_str(said);
	size_t len = said->len, skip = 0;

	if (len > SHOWN_BYTES) {
		skip = len - SHOWN_BYTES;
		while (skip < len && s[skip - 1] != '\n')
			skip++;
	}
	while (len > skip && s[len - 1] == '\n')
		len--;
	text_add_lines(why, s + skip, len - skip);
}

/* MAKEFILES is a list with blanks between: a directory without any. */
static int write_makefile(struct strbuf *path, struct strbuf *why)
{
	const char *dir = getenv("TMPDIR");
	int fd, err = 0;

	if (!dir || *dir != '/' || strpbrk(dir, " \t\n:#$%"))
		dir = "/tmp";
	strbuf_addf(path, "%s/kconfig-agent-XXXXXX", dir);
	if (path->err)
		return -ENOMEM;
	fd = mkstemp(path->s);
	if (fd < 0)
		err = -errno;
	else if (write(fd, makefile, strlen(makefile)) !=
		 (ssize_t)strlen(makefile))
		err = errno ? -errno : -EIO;
	if (err)
		strbuf_addf(why, "cannot write a temporary file in %s: %s",
			    dir, strerror(-err));
	if (err && fd >= 0)
		unlink(path->s);
	if (fd >= 0)
		close(fd);
	return err;
}

static int start(const struct kenv_make *m, const char *goal,
		 const char *makefiles, struct strbuf *out, struct strbuf *said)
{
	struct { VEC(const char *); } argv = {0};
	struct strbuf objtree = {0}, arch = {0};
	struct envlist env = {0};
	struct child child = { .out = said, .err = said, .three = out };
	const char *const *var;
	bool ok;
	int ret = -ENOMEM;

	envlist_add(&env, m->env->v);
	envlist_set(&env, "MAKEFILES", makefiles);
	ok = vec_push(&argv, "make") && vec_push(&argv, "-s") &&
	     vec_push(&argv, "--no-print-directory") &&
	     vec_push(&argv, "-C") && vec_push(&argv, m->tree);
	if (m->objtree) {
		strbuf_addf(&objtree, "O=%s", m->objtree);
		ok = ok && vec_push(&argv, strbuf_str(&objtree));
	}
	if (m->arch) {
		strbuf_addf(&arch, "ARCH=%s", m->arch);
		ok = ok && vec_push(&argv, strbuf_str(&arch));
	}
	for (var = m->vars; var && *var; var++)
		ok = ok && vec_push(&argv, *var);
	ok = ok && vec_push(&argv, goal) && vec_push(&argv, NULL);
	if (ok && !env.err && !objtree.err && !arch.err) {
		child.argv = argv.v;
		child.env = env.v;
		ret = child_run(&child);
	}
	vec_free(&argv);
	strbuf_free(&objtree);
	strbuf_free(&arch);
	envlist_free(&env);
	return ret;
}

static int run_make(const struct kenv_make *m, const char *goal,
		    struct strbuf *out, struct strbuf *why)
{
	struct strbuf path = {0}, said = {0};
	int ret;

	ret = write_makefile(&path, why);
	if (ret)
		goto out;
	ret = start(m, goal, strbuf_str(&path), out, &said);
	unlink(path.s);
	if (ret == -ENOENT) {
		strbuf_addstr(why, "make is not installed");
	} else if (ret < 0) {
		strbuf_addf(why, "cannot run make: %s", strerror(-ret));
	} else if (ret > 0) {
		strbuf_addf(why, "make failed in %s:\n", m->tree);
		add_last_lines(why, &said);
		ret = -EPROTO;
	}
out:
	strbuf_free(&path);
	strbuf_free(&said);
	return ret;
}

int kenv_make_env(const struct kenv_make *m, struct strbuf *out,
		  struct strbuf *why)
{
	int ret = run_make(m, ENV_GOAL, out, why);

	if (!ret && (!out->len || out->s[out->len - 1])) {
		strbuf_addf(why, "make in %s did not get as far as %s", m->tree,
			    "scripts/kconfig: is this a kernel tree?");
		ret = -EPROTO;
	}
	return ret;
}

int kenv_make_conf(const struct kenv_make *m, struct strbuf *why)
{
	return run_make(m, CONF_GOAL, NULL, why);
}
