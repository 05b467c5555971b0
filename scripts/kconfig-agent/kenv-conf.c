// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree's own conf, as the second evaluator
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "child.h"
#include "envlist.h"
#include "kenv-make.h"
#include "kenv.h"
#include "text.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

int kenv_build_conf(const struct kenv *env, struct strbuf *why)
{
	bool inside = !strcmp(env->objtree, env->srctree);
	struct envlist list = {0};
	struct kenv_make make = {
		.tree = env->srctree,
		.objtree = inside ? NULL : env->objtree,
		.arch = *env->arch ? env->arch : NULL,
		.vars = (const char *const *)env->vars,
		.env = &list,
	};
	int err;

	if (!access(env->conf, X_OK))
		return 0;
	/*
	 * In the same environment make would take itself for one that is in
	 * the middle of its work.
	 */
	envlist_add(&list, env->env);
	envlist_unset(&list, "sub_make_done");
	envlist_unset(&list, "MAKEFLAGS");
	envlist_unset(&list, "MAKELEVEL");
	envlist_unset(&list, "MFLAGS");
	err = list.err ? -ENOMEM : kenv_make_conf(&make, why);
	envlist_free(&list);
	if (!err && access(env->conf, X_OK) < 0) {
		strbuf_addf(why, "make did not build %s", env->conf);
		err = -EPROTO;
	}
	return err;
}

/* ---- a private directory ------------------------------------------------- */

static int make_dir(struct strbuf *dir, struct strbuf *why)
{
	const char *tmp = getenv("TMPDIR");
	int err;

	strbuf_addf(dir, "%s/kconfig-agent-XXXXXX",
		    tmp && *tmp == '/' ? tmp : "/tmp");
	if (dir->err)
		return -ENOMEM;
	if (mkdtemp(dir->s))
		return 0;
	err = -errno;
	strbuf_addf(why, "cannot make a directory for temporary files: %s: %s",
		    dir->s, strerror(-err));
	strbuf_free(dir);
	return err;
}

/* conf leaves files there, but no directories. */
static void remove_dir(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	rmdir(path);
}

/* ---- running conf -------------------------------------------------------- */

/* The files that conf reads and writes, in the private directory. */
static const struct {
	const char *name;
	const char *var;
} outputs[] = {
	{ ".config", "KCONFIG_CONFIG" },
	{ "auto.conf", "KCONFIG_AUTOCONFIG" },
	{ "autoconf.h", "KCONFIG_AUTOHEADER" },
	{ "rustc_cfg", "KCONFIG_RUSTCCFG" },
};

/*
 * Where auto.conf is present, modes other than syncconfig leave it alone, and
 * all that would be written beside it.
 */
static int prepare(const char *dir, struct envlist *env, const char *text,
		   size_t len)
{
	struct strbuf path = {0};
	int err = 0;
	size_t i;

	for (i = 0; i < N(outputs) && !err; i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", dir, outputs[i].name);
		envlist_set(env, outputs[i].var, strbuf_str(&path));
		if (path.err || env->err)
			err = -ENOMEM;
		else if (!i)
			err = file_replace(path.s, text, len, 0600, false);
		else if (i == 1)
			err = file_replace(path.s, "", 0, 0600, false);
	}
	envlist_unset(env, "KCONFIG_OVERWRITECONFIG");
	strbuf_free(&path);
	return err;
}

static int take_config(const char *dir, struct strbuf *config)
{
	struct strbuf path = {0};
	char *text = NULL;
	size_t len;
	int err;

	strbuf_addf(&path, "%s/%s", dir, outputs[0].name);
	err = path.err ? -ENOMEM : file_read(path.s, 0, &text, &len);
	if (!err)
		strbuf_add(config, text, len);
	if (config->err)
		err = -ENOMEM;
	strbuf_free(&path);
	free(text);
	return err;
}

static int run_conf(const struct kenv *env, const char *option,
		    const struct envlist *list, struct strbuf *messages,
		    struct strbuf *why)
{
	struct strbuf said = {0};
	const char *const argv[] = {
		env->conf, "-s", option, env->kconfig, NULL,
	};
	struct child child = {
		.argv = argv,
		.env = list->v,
		.dir = env->objtree,
		.err = &said,
	};
	int ret;

	ret = child_run(&child);
	if (ret > 0) {
		strbuf_addf(why, "%s %s ended with status %d: ", env->conf,
			    option, ret);
		text_add_lines(why, strbuf_str(&said), said.len);
		ret = -EPROTO;
	} else if (ret < 0) {
		strbuf_addf(why, "cannot run %s: %s", env->conf,
			    strerror(-ret));
	} else {
		strbuf_add(messages, strbuf_str(&said), said.len);
	}
	strbuf_free(&said);
	return ret;
}

int kenv_run_conf(const struct kenv *env, const char *mode, const char *text,
		  size_t len, struct strbuf *config, struct strbuf *messages,
		  struct strbuf *why)
{
	struct strbuf dir = {0}, option = {0};
	struct envlist list = {0};
	int err;

	err = kenv_build_conf(env, why);
	if (!err)
		err = make_dir(&dir, why);
	if (err)
		return err;
	strbuf_addf(&option, "--%s", mode);
	envlist_add(&list, env->env);
	err = option.err ? -ENOMEM : prepare(dir.s, &list, text, len);
	if (!err)
		err = run_conf(env, option.s, &list, messages, why);
	if (!err)
		err = take_config(dir.s, config);
	if (err && !why->len)
		strbuf_addf(why, "cannot have %s check a configuration: %s",
			    env->conf, strerror(-err));
	remove_dir(dir.s);
	strbuf_free(&dir);
	strbuf_free(&option);
	envlist_free(&list);
	return err;
}
