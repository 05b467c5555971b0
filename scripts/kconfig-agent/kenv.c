// SPDX-License-Identifier: GPL-2.0-only
#include "kenv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "envlist.h"
#include "kenv-cache.h"
#include "kenv-make.h"

extern char **environ;

/* What a make says to the makes it runs: of no use to ours, or misleading. */
static const char *const make_vars[] = {
	"GNUMAKEFLAGS", "MAKEFILES", "MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES",
	"MAKE_TERMERR", "MAKE_TERMOUT", "MFLAGS",
};

/* Different from process to process, and nothing to Kconfig. */
static const char *const process_vars[] = { "OLDPWD", "PWD", "SHLVL", "_" };

#define N(a) (sizeof(a) / sizeof((a)[0]))

static bool is_one_of(const char *entry, const char *const *names, size_t n)
{
	size_t i, len = strcspn(entry, "=");

	for (i = 0; i < n; i++)
		if (strlen(names[i]) == len && !strncmp(entry, names[i], len))
			return true;
	return false;
}

static bool is_noise(const char *entry)
{
	return is_one_of(entry, make_vars, N(make_vars)) ||
	       is_one_of(entry, process_vars, N(process_vars));
}

/* Holds a key, or says where one is. */
static bool is_secret(const char *entry)
{
	static const char *const names[] = { "KCONFIG_AGENT_KEY_FILE" };
	static const char suffix[] = "_API_KEY";
	size_t len = strcspn(entry, "="), slen = sizeof(suffix) - 1;

	return is_one_of(entry, names, N(names)) ||
	       (len >= slen && !strncmp(entry + len - slen, suffix, slen));
}

/* ---- what is asked for --------------------------------------------------- */

struct query {
	const struct kenv_options *opt;
	char *tree;			/* real path */
	char *objtree;			/* absolute, or NULL */
	struct envlist env;		/* the caller's, without secrets */
};

static void query_free(struct query *q)
{
	free(q->tree);
	free(q->objtree);
	envlist_free(&q->env);
}

static char *absolute(const char *path)
{
	char *cwd, *abs = NULL;

	if (*path == '/')
		return strdup(path);
	cwd = getcwd(NULL, 0);
	if (cwd && asprintf(&abs, "%s/%s", cwd, path) < 0)
		abs = NULL;
	free(cwd);
	return abs;
}

static int check_tree(const char *tree, struct strbuf *why)
{
	static const char *const needed[] = {
		"Makefile", "Kconfig", "scripts/kconfig/Makefile",
	};
	struct strbuf path = {0};
	int ret = 0;
	size_t i;

	for (i = 0; i < N(needed) && !ret; i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", tree, needed[i]);
		if (path.err)
			ret = -ENOMEM;
		else if (access(path.s, R_OK) < 0)
			ret = -errno;
		if (ret == -ENOENT)
			strbuf_addf(why, "%s is not a kernel tree: it has no %s; %s",
				    tree, needed[i],
				    "say where one is with -C DIR");
		else if (ret)
			strbuf_addf(why, "cannot read %s/%s: %s", tree,
				    needed[i], strerror(-ret));
	}
	strbuf_free(&path);
	return ret;
}

static int query_init(struct query *q, const struct kenv_options *opt,
		      struct strbuf *why)
{
	const char *tree = opt->tree ? opt->tree : ".";
	char **entry;
	int err;

	q->opt = opt;
	q->tree = realpath(tree, NULL);
	if (!q->tree) {
		err = -errno;
		strbuf_addf(why, "cannot find the kernel tree %s: %s", tree,
			    strerror(errno));
		return err;
	}
	if (opt->objtree) {
		q->objtree = absolute(opt->objtree);
		if (!q->objtree)
			return -ENOMEM;
	}
	for (entry = environ; *entry; entry++)
		if (!is_secret(*entry))
			envlist_put(&q->env, *entry);
	if (q->env.err)
		return -ENOMEM;
	return check_tree(q->tree, why);
}

/* ---- under make: all is there -------------------------------------------- */

static bool same_place(const char *a, const char *b)
{
	char *ra = realpath(a, NULL), *rb = realpath(b, NULL);
	bool same = ra && rb && !strcmp(ra, rb);

	free(ra);
	free(rb);
	return same;
}

/* Does the environment come from a kernel's make, in this directory? */
static bool is_under_make(void)
{
	static const char *const set[] = {
		"srctree", "SRCARCH", "KERNELVERSION", "CC_VERSION_TEXT",
	};
	const char *value;
	size_t i;

	for (i = 0; i < N(set); i++) {
		value = getenv(set[i]);
		if (!value || !*value)
			return false;
	}
	return true;
}

/* Is it the environment that is asked for? */
static bool is_right_make(const struct kenv_options *opt)
{
	const char *arch = getenv("ARCH");

	return same_place(getenv("srctree"), opt->tree) &&
	       same_place(opt->objtree, ".") &&
	       (!opt->arch || (arch && !strcmp(opt->arch, arch))) &&
	       (!opt->vars || !*opt->vars);
}

/* ---- the result ---------------------------------------------------------- */

static const char *value_or(const struct envlist *e, const char *name,
			    const char *otherwise)
{
	const char *value = envlist_get(e, name);

	return value && *value ? value : otherwise;
}

static char **copy_strings(const char *const *v)
{
	struct envlist copy = {0};

	if (!v || !*v)
		return calloc(1, sizeof(char *));
	for (; *v; v++)
		envlist_put(&copy, *v);
	if (copy.err)
		envlist_free(&copy);
	return copy.v;
}

/* The file of that name among the defaults of the architecture, if any. */
static int find_defconfig(struct kenv *env, const char *name)
{
	if (asprintf(&env->defconfig, "%s/arch/%s/configs/%s", env->srctree,
		     env->srcarch, name) < 0) {
		env->defconfig = NULL;
		return -ENOMEM;
	}
	if (access(env->defconfig, R_OK) < 0) {
		free(env->defconfig);
		env->defconfig = NULL;
	}
	return 0;
}

/* What make says besides its environment. */
struct found {
	const char *objtree;
	const char *kconfig;
	const char *defconfig;		/* its name, or "" */
};

/*
 * Makes @env of the environment in @q, which it takes over. An object tree that
 * is not there yet has no real path.
 */
static int set_result(struct kenv *env, struct query *q, const struct found *f)
{
	env->srctree = strdup(q->tree);
	env->objtree = realpath(f->objtree, NULL);
	if (!env->objtree)
		env->objtree = strdup(f->objtree);
	env->kconfig = strdup(f->kconfig);
	env->arch = strdup(value_or(&q->env, "ARCH", ""));
	env->srcarch = strdup(value_or(&q->env, "SRCARCH", ""));
	env->version = strdup(value_or(&q->env, "KERNELVERSION", ""));
	env->vars = copy_strings(q->opt->vars);
	if (q->env.err || !env->srctree || !env->objtree || !env->kconfig ||
	    !env->arch || !env->srcarch || !env->version || !env->vars)
		return -ENOMEM;
	if (asprintf(&env->conf, "%s/scripts/kconfig/conf", env->objtree) < 0) {
		env->conf = NULL;
		return -ENOMEM;
	}
	env->env = q->env.v;
	q->env = (struct envlist){0};
	return find_defconfig(env, *f->defconfig ? f->defconfig : "defconfig");
}

static int from_environ(struct kenv *env, struct query *q)
{
	const struct found found = {
		.objtree = ".",
		.kconfig = value_or(&q->env, "KBUILD_KCONFIG", "Kconfig"),
		.defconfig = value_or(&q->env, "KBUILD_DEFCONFIG", ""),
	};

	env->under_make = true;
	return set_result(env, q, &found);
}

/* ---- from make, or from the cache ---------------------------------------- */

/*
 * What is kept: the object tree, the Kconfig file and the default
 * configuration, then what make did to its environment: "+NAME=value", "-NAME".
 */
#define FIXED_STRINGS	3

/* The string after the one at @s, or NULL after the last one. */
static const char *next_string(const char *s, const char *end)
{
	s += strlen(s) + 1;
	return s < end ? s : NULL;
}

static void add_string(struct strbuf *b, const char *s, size_t len)
{
	strbuf_add(b, s, len);
	strbuf_addch(b, '\0');
}

/* Puts @dump, which kenv_make_env() gave, in this form. */
static void add_difference(struct strbuf *b, const struct strbuf *dump,
			   const struct envlist *before, struct envlist *after)
{
	const char *s = dump->s, *end = dump->s + dump->len, *old;
	unsigned int i;

	for (i = 0; i < FIXED_STRINGS && s; i++, s = next_string(s, end))
		add_string(b, s, strlen(s));
	for (; s; s = next_string(s, end))
		if (!is_noise(s))
			envlist_put(after, s);
	for (i = 0; i < before->n; i++) {
		s = before->v[i];
		if (is_noise(s) || envlist_get(after, s))
			continue;
		strbuf_addch(b, '-');
		add_string(b, s, strcspn(s, "="));
	}
	for (i = 0; i < after->n; i++) {
		s = after->v[i];
		old = envlist_get(before, s);
		if (old && !strcmp(old, strchr(s, '=') + 1))
			continue;
		strbuf_addch(b, '+');
		add_string(b, s, strlen(s));
	}
}

static int apply(struct kenv *env, struct query *q, const char *text,
		 size_t len)
{
	const char *fixed[FIXED_STRINGS], *s = text, *end = text + len;
	struct found found;
	unsigned int i;

	for (i = 0; i < FIXED_STRINGS; i++, s = next_string(s, end)) {
		if (!s || s == end)
			return -EPROTO;
		fixed[i] = s;
	}
	for (; s; s = next_string(s, end)) {
		if (*s == '+')
			envlist_put(&q->env, s + 1);
		else if (*s == '-')
			envlist_unset(&q->env, s + 1);
	}
	found = (struct found){ fixed[0], fixed[1], fixed[2] };
	return set_result(env, q, &found);
}

/* The words of a command that may be programs. */
static void stamp_command(struct strbuf *stamps, const char *command)
{
	struct strbuf word = {0};
	size_t len;

	for (; command && *command; command += len) {
		command += strspn(command, " \t");
		len = strcspn(command, " \t");
		if (!len || *command == '-')
			continue;
		strbuf_reset(&word);
		strbuf_add(&word, command, len);
		kenv_cache_stamp(stamps, strbuf_str(&word));
	}
	strbuf_free(&word);
}

/* What the environment depends on, besides the caller's. */
static void add_stamps(struct strbuf *stamps, const char *tree,
		       const struct envlist *after)
{
	static const char *const files[] = {
		"Makefile", "scripts/Kbuild.include", "scripts/Makefile.build",
		"scripts/kconfig/Makefile",
	};
	static const char *const commands[] = { "CC", "LD", "RUSTC", "PAHOLE" };
	const char *srcarch = envlist_get(after, "SRCARCH");
	struct strbuf path = {0};
	size_t i;

	for (i = 0; i < N(files) + 1; i++) {
		strbuf_reset(&path);
		if (i < N(files))
			strbuf_addf(&path, "%s/%s", tree, files[i]);
		else
			strbuf_addf(&path, "%s/arch/%s/Makefile", tree,
				    srcarch ? srcarch : "");
		kenv_cache_stamp(stamps, strbuf_str(&path));
	}
	for (i = 0; i < N(commands); i++)
		stamp_command(stamps, envlist_get(after, commands[i]));
	strbuf_free(&path);
}

/*
 * The same question from the same environment. Of the environment there is but
 * a checksum.
 */
static void add_key(struct strbuf *key, const struct query *q)
{
	const char *const *var;
	uint64_t h = HASH_FNV64_INIT;
	unsigned int i;

	for (i = 0; i < q->env.n; i++)
		if (!is_noise(q->env.v[i]))
			h = hash_fnv64(h, q->env.v[i],
				       strlen(q->env.v[i]) + 1);
	strbuf_addf(key, "%s\n%s\n%s\n%016" PRIx64, q->tree,
		    q->objtree ? q->objtree : "",
		    q->opt->arch ? q->opt->arch : "", h);
	for (var = q->opt->vars; var && *var; var++)
		strbuf_addf(key, "\n%s", *var);
}

static int ask_make(struct kenv *env, struct query *q, const char *key,
		    struct strbuf *why)
{
	struct kenv_make make = {
		.tree = q->tree,
		.objtree = q->objtree,
		.arch = q->opt->arch,
		.vars = q->opt->vars,
		.env = &q->env,
	};
	struct strbuf dump = {0}, kept = {0}, stamps = {0};
	struct envlist after = {0};
	int err;

	err = kenv_make_env(&make, &dump, why);
	if (err)
		goto out;
	add_difference(&kept, &dump, &q->env, &after);
	add_stamps(&stamps, q->tree, &after);
	err = after.err || kept.err ? -ENOMEM : 0;
	if (!err && !q->opt->no_cache)
		kenv_cache_store(key, &stamps, kept.s, kept.len);
	if (!err)
		err = apply(env, q, kept.s, kept.len);
out:
	strbuf_free(&dump);
	strbuf_free(&kept);
	strbuf_free(&stamps);
	envlist_free(&after);
	return err;
}

static int from_make(struct kenv *env, struct query *q, struct strbuf *why)
{
	struct strbuf key = {0};
	char *text = NULL;
	size_t i, len;
	int err;

	for (i = 0; i < N(make_vars); i++)
		envlist_unset(&q->env, make_vars[i]);
	/* With this, a kernel's make takes itself for one that make runs. */
	envlist_unset(&q->env, "sub_make_done");

	add_key(&key, q);
	if (key.err)
		err = -ENOMEM;
	else if (!q->opt->no_cache && kenv_cache_load(key.s, &text, &len))
		err = apply(env, q, text, len);
	else
		err = ask_make(env, q, key.s, why);
	strbuf_free(&key);
	free(text);
	return err;
}

/* ---- public -------------------------------------------------------------- */

int kenv_get(const struct kenv_options *opt, struct kenv *env,
	     struct strbuf *why)
{
	struct kenv_options o = *opt;
	struct query q = {0};
	bool right = false;
	int err;

	*env = (struct kenv){0};
	if (is_under_make()) {
		if (!o.tree)
			o.tree = getenv("srctree");
		if (!o.objtree && same_place(getenv("srctree"), o.tree))
			o.objtree = ".";
		right = o.objtree && is_right_make(&o);
	}
	err = query_init(&q, &o, why);
	if (!err && right)
		err = from_environ(env, &q);
	else if (!err)
		err = from_make(env, &q, why);
	query_free(&q);
	if (err)
		kenv_free(env);
	if (err == -ENOMEM)
		strbuf_addstr(why, "out of memory");
	return err;
}

static void free_strings(char **v)
{
	char **s;

	for (s = v; s && *s; s++)
		free(*s);
	free(v);
}

void kenv_free(struct kenv *env)
{
	free_strings(env->env);
	free_strings(env->vars);
	free(env->srctree);
	free(env->objtree);
	free(env->kconfig);
	free(env->conf);
	free(env->defconfig);
	free(env->arch);
	free(env->srcarch);
	free(env->version);
	*env = (struct kenv){0};
}

const char *kenv_value(const struct kenv *env, const char *name)
{
	size_t len = strlen(name);
	char **entry;

	for (entry = env->env; *entry; entry++)
		if (!strncmp(*entry, name, len) && (*entry)[len] == '=')
			return *entry + len + 1;
	return NULL;
}
