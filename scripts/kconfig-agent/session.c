// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "cmd.h"
#include "faults.h"
#include "interrupt.h"
#include "opts.h"
#include "session.h"
#include "term.h"


const char *session_origin_name(enum session_origin origin)
{
	static const char *const names[] = {
		[SESSION_FILE] = "file",
		[SESSION_DEFCONFIG] = "defconfig",
		[SESSION_NONE] = "none",
	};

	return names[origin];
}

static int out_of_memory(void)
{
	term_error("out of memory");
	return EXIT_INPUT;
}

/* "@dir/@path", or @path if that is absolute. NULL when out of memory. */
static char *join(const char *dir, const char *path)
{
	struct strbuf b = {0};

	if (*path != '/')
		strbuf_addf(&b, "%s/", dir);
	strbuf_addstr(&b, path);
	return strbuf_detach(&b, NULL);
}

char *session_absolute(const char *path)
{
	char *cwd, *joined;

	if (!path)
		return NULL;
	cwd = getcwd(NULL, 0);
	if (!cwd)
		return strdup(path);
	joined = join(cwd, path);
	free(cwd);
	return joined;
}

/* ---- the tree ------------------------------------------------------------ */

static int load_tree(struct session *s, const struct opts_common *o)
{
	struct lkc_load_options opt = {
		.env = (const char *const *)s->env.env,
	};
	char *cache = NULL;
	int err;

	if (!o->no_probe_cache)
		cache = lkc_probe_cache_path(opt.env);
	opt.probe_cache = cache;
	err = lkc_tree_load(s->env.kconfig, &opt, &s->tree, s->diags);
	free(cache);
	faults_print(s->diags, 0, o->verbose);
	if (!err)
		return EXIT_DONE;
	s->tree = NULL;
	if (err == LKC_ENOMEM)
		return out_of_memory();
	term_error("%s: the Kconfig files of %s cannot be used: %s",
		   s->env.kconfig, s->env.srctree, lkc_strerror(err));
	return EXIT_INPUT;
}

static int choose_config(struct session *s, const struct opts_common *o)
{
	const char *env = getenv("KCONFIG_CONFIG");

	if (o->config)
		s->config_path = session_absolute(o->config);
	else
		s->config_path = join(s->env.objtree,
				      env && *env ? env : ".config");
	return s->config_path ? EXIT_DONE : out_of_memory();
}

int session_open(struct session *s, const struct opts_common *o)
{
	struct kenv_options opt = {
		.tree = o->tree, .objtree = o->objtree, .arch = o->arch,
	};
	struct strbuf why = {0};
	int err;

	memset(s, 0, sizeof(*s));
	s->diags = lkc_diags_new();
	if (!s->diags)
		return out_of_memory();
	err = kenv_get(&opt, &s->env, &why);
	if (err && interrupt_seen(NULL)) {
		strbuf_free(&why);
		return EXIT_INTERRUPTED;
	}
	if (err) {
		term_error("%s", strbuf_str(&why));
		strbuf_free(&why);
		return EXIT_INPUT;
	}
	strbuf_free(&why);
	s->opened = true;
	err = choose_config(s, o);
	if (err)
		return err;
	if (chdir(s->env.objtree)) {
		term_error("%s: %s", s->env.objtree, strerror(errno));
		return EXIT_INPUT;
	}
	return load_tree(s, o);
}

void session_close(struct session *s)
{
	lkc_config_free(s->config);
	lkc_tree_free(s->tree);
	lkc_diags_free(s->diags);
	if (s->opened)
		kenv_free(&s->env);
	free(s->config_path);
	free(s->base_path);
	free(s->base_text);
	memset(s, 0, sizeof(*s));
}

/* ---- the base ------------------------------------------------------------ */

/*
 * The base counts as "make olddefconfig" would write it: with every value that
 * a person could have set. Left to defaults, some would move with what is
 * changed for the goal: NETFILTER_ADVANCED turns off what defaults to m
 * without it.
 */
static int make_explicit(struct session *s, const char *path)
{
	struct lkc_diags *diags = lkc_diags_new();
	char *text = NULL;
	size_t len;
	int err = diags ? 0 : LKC_ENOMEM;

	if (!err)
		err = lkc_config_format(s->config, LKC_FORMAT_CONFIG, &text,
					&len);
	if (!err)
		err = lkc_config_read_mem(s->config, path, text, len, 0, diags);
	free(text);
	lkc_diags_free(diags);
	return err;
}

int session_read_text(struct session *s, const struct opts_common *o,
		      const char *path, const char *text, size_t len)
{
	size_t before = lkc_diags_count(s->diags);
	int err;

	free(s->base_text);
	s->base_text = malloc(len + 1);
	s->base_len = len;
	if (!s->base_text || lkc_config_new(s->tree, &s->config))
		return out_of_memory();
	memcpy(s->base_text, text, len);
	s->base_text[len] = '\0';
	err = lkc_config_read_mem(s->config, path, s->base_text, len, 0,
				  s->diags);
	faults_print(s->diags, before, o->verbose);
	if (!err)
		err = make_explicit(s, path);
	if (!err)
		return EXIT_DONE;
	if (err == LKC_ENOMEM)
		return out_of_memory();
	term_error("%s: it cannot be used: %s", path, lkc_strerror(err));
	return EXIT_INPUT;
}

/* Takes the file at @path as the base. Returns 0 or a negative errno. */
static int take_file(struct session *s, const char *path, char **text,
		     size_t *len)
{
	int err = file_read(path, 0, text, len);

	if (err)
		return err;
	s->base_path = strdup(path);
	if (s->base_path)
		return 0;
	free(*text);
	return -ENOMEM;
}

int session_read_base(struct session *s, const struct opts_common *o)
{
	const char *path = s->config_path;
	char *text = NULL;
	size_t len = 0;
	int err, status;

	s->origin = SESSION_FILE;
	err = take_file(s, path, &text, &len);
	if (err == -ENOENT && s->env.defconfig) {
		s->origin = SESSION_DEFCONFIG;
		path = s->env.defconfig;
		err = take_file(s, path, &text, &len);
	} else if (err == -ENOENT) {
		s->origin = SESSION_NONE;
		path = "no file";
		text = calloc(1, 1);
		err = text ? 0 : -ENOMEM;
	}
	if (err) {
		term_error("%s: it cannot be read: %s", path, strerror(-err));
		return EXIT_INPUT;
	}
	status = session_read_text(s, o, path, text, len);
	free(text);
	return status;
}
