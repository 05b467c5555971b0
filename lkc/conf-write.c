// SPDX-License-Identifier: GPL-2.0-only
/*
 * conf-write - the files that kconf leaves
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "conf.h"

/* Makes the directories that @path is to lie in. */
static void make_dirs(const char *path)
{
	char *copy = strdup(path);
	char *slash = copy;

	while (slash && *slash && (slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		mkdir(copy, 0755);
		*slash = '/';
	}
	free(copy);
}

static int write_failed(void)
{
	fprintf(stderr, "\n*** Error during writing of the configuration.\n\n");
	return 1;
}

/* Computes in the order in which conf comes by when it writes a .config. */
static void calc_for_writing(struct kconf *k)
{
	size_t i, n = lkc_menu_count(k->tree);

	for (i = 1; i < n; i++) {
		lkc_sym sym = lkc_menu_sym(k->tree, i);

		if (sym == LKC_NONE)
			lkc_warner_menu(k->warner, i, k->diags);
		else if (!lkc_sym_is_choice(k->tree, sym))
			lkc_warner_sym(k->warner, sym, k->diags);
	}
	conf_show_diags(k);
}

/* In place, for those who have a .config that must not be replaced. */
static int overwrite(const char *path, const char *text, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int err = fd < 0 ? -errno : 0;

	while (!err && len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno != EINTR)
			err = -errno;
		if (n > 0) {
			text += n;
			len -= n;
		}
	}
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	return err;
}

int conf_write_config(struct kconf *k)
{
	const char *name = conf_env("KCONFIG_CONFIG", ".config");
	bool in_place = *conf_env("KCONFIG_OVERWRITECONFIG", "");
	char *text;
	size_t len;
	int err;

	calc_for_writing(k);
	if (lkc_config_format(k->config, LKC_FORMAT_CONFIG, &text, &len))
		return write_failed();
	make_dirs(name);
	if (in_place)
		err = overwrite(name, text, len);
	else
		err = lkc_file_replace(name, text, len, true, k->diags);
	free(text);
	conf_drop_diags(k);
	if (err < 0)
		return write_failed();
	if (!k->silent)
		printf(err == LKC_UNCHANGED ? "#\n# No change to %s\n#\n" :
		       "#\n# configuration written to %s\n#\n", name);
	return 0;
}

/* ---- what a build reads ------------------------------------------------- */

struct touch {
	const struct kconf *k;
	struct strbuf path;
	size_t dir_len;		/* path up to and with the last slash */
	int err;
};

/* Before 5.x, FOO_BAR was foo/bar.h. */
static void add_old_name(struct strbuf *path, const char *name)
{
	for (; *name; name++) {
		char c = *name;

		if (c >= 'A' && c <= 'Z')
			c += 'a' - 'A';
		strbuf_addch(path, c == '_' ? '/' : c);
	}
	strbuf_addstr(path, ".h");
}

/* An empty file per symbol, whose time says when it changed. */
static void touch_symbol(void *ctx, const char *name)
{
	struct touch *t = ctx;
	int fd;

	strbuf_truncate(&t->path, t->dir_len);
	if (t->k->ancient)
		add_old_name(&t->path, name);
	else
		strbuf_addstr(&t->path, name);
	/* from an old auto.conf: a name that leads elsewhere is none */
	if (t->path.err || strstr(name, ".."))
		return;
	fd = open(t->path.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 && errno == ENOENT) {
		make_dirs(t->path.s);
		fd = open(t->path.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			  0666);
	}
	if (fd < 0)
		t->err = -errno;
	else
		close(fd);
}

static int touch_changed(struct kconf *k, const char *auto_conf)
{
	const char *slash = strrchr(auto_conf, '/');
	struct touch t = { .k = k };
	char *old = NULL;
	size_t len = 0;
	int err;

	if (slash)
		strbuf_add(&t.path, auto_conf, slash + 1 - auto_conf);
	t.dir_len = t.path.len;
	if (file_read(auto_conf, 0, &old, &len))
		len = 0;
	err = lkc_config_changes(k->config, old ? old : "", len, touch_symbol,
				 &t);
	free(old);
	strbuf_free(&t.path);
	return err ? err : t.err;
}

/* Takes over @text. conf writes these anew even if they are the same. */
static int put_file(const char *path, char *text, size_t len)
{
	int err;

	make_dirs(path);
	err = file_replace(path, text, len, 0666, false);
	free(text);
	return err;
}

static int put_format(struct kconf *k, enum lkc_format format,
		      const char *path)
{
	char *text;
	size_t len;
	int err;

	err = lkc_config_format(k->config, format, &text, &len);
	return err ? err : put_file(path, text, len);
}

static int put_cmd(struct kconf *k, const char *auto_conf)
{
	struct strbuf path = {0};
	char *text;
	size_t len;
	int err;

	strbuf_addf(&path, "%s.cmd", auto_conf);
	err = lkc_tree_format_cmd(k->tree, auto_conf, &text, &len);
	if (!err && path.err)
		free(text);
	else if (!err)
		err = put_file(path.s, text, len);
	if (path.err)
		err = LKC_ENOMEM;
	strbuf_free(&path);
	return err;
}

/* What only some versions have: 4.11 tristate.conf, later ones rustc_cfg. */
static int put_other(struct kconf *k)
{
	if (k->ancient)
		return put_format(k, LKC_FORMAT_TRISTATE_CONF,
				  conf_env("KCONFIG_TRISTATE",
					   "include/config/tristate.conf"));
	return put_format(k, LKC_FORMAT_RUSTC_CFG,
			  conf_env("KCONFIG_RUSTCCFG",
				   "include/generated/rustc_cfg"));
}

/* auto.conf comes last: make takes it for a sign that all the rest is there. */
static int write_auto(struct kconf *k, const char *name)
{
	const char *header = conf_env("KCONFIG_AUTOHEADER",
				      "include/generated/autoconf.h");
	int err;

	err = put_cmd(k, name);
	if (!err)
		err = touch_changed(k, name);
	if (!err)
		err = put_format(k, LKC_FORMAT_AUTO_HEADER, header);
	if (!err)
		err = put_other(k);
	if (!err)
		err = put_format(k, LKC_FORMAT_AUTO_CONF, name);
	return err;
}

static const char *auto_name(void)
{
	return conf_env("KCONFIG_AUTOCONFIG", "include/config/auto.conf");
}

int conf_write_auto(struct kconf *k)
{
	if (!write_auto(k, auto_name()))
		return 0;
	if (k->ancient)
		fprintf(stderr, "\n*** Error during update of the configuration.\n\n");
	return 1;
}

int conf_write(struct kconf *k)
{
	if (conf_write_config(k))
		return 1;
	/* so that make finds one to include; that it fails is make's matter */
	if (!k->ancient && access(auto_name(), F_OK) != 0)
		write_auto(k, auto_name());
	return 0;
}
