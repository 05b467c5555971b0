// SPDX-License-Identifier: GPL-2.0-only
/*
 * tree - loading a Kconfig tree, and asking it about itself
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomfile.h"
#include "model.h"
#include "preprocess.h"
#include "probe.h"

static const struct {
	const char *name;
	unsigned int version;	/* major * 1000 + minor */
} dialects[] = {
	[DIALECT_4_11] = { "4.11", 4011 },
	[DIALECT_6_1] = { "6.1", 6001 },
	[DIALECT_6_12] = { "6.12", 6012 },
	[DIALECT_7_2] = { "7.2", 7002 },
};

#define N_DIALECTS (sizeof(dialects) / sizeof(dialects[0]))

/* The nearest dialect at or below @version; the oldest below that. */
static bool dialect_of(const char *version, enum dialect *out)
{
	unsigned int major, minor = 0;
	size_t i;
	char *end;

	if (!version || !isdigit((unsigned char)*version))
		return false;
	major = strtoul(version, &end, 10);
	if (*end == '.')
		minor = strtoul(end + 1, NULL, 10);
	if (minor > 999)
		minor = 999;
	*out = DIALECT_4_11;
	for (i = 0; i < N_DIALECTS; i++) {
		if (dialects[i].version <= major * 1000 + minor)
			*out = i;
	}
	return true;
}

/* A number assigned to @name at the start of a line of a makefile. */
static bool makefile_number(const char *text, const char *name,
			    unsigned int *out)
{
	size_t len = strlen(name);
	const char *p = text;

	while (p) {
		if (strncmp(p, name, len) == 0) {
			const char *v = p + len + strspn(p + len, " \t");

			if (*v == '=') {
				v += 1 + strspn(v + 1, " \t");
				if (isdigit((unsigned char)*v)) {
					*out = strtoul(v, NULL, 10);
					return true;
				}
			}
		}
		p = strchr(p, '\n');
		if (p)
			p++;
	}
	return false;
}

/* The value of @name in @env, which NULL ends; NULL if it has none. */
static const char *find_env(const char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (; env && *env; env++) {
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			return *env + len + 1;
	}
	return NULL;
}

/* The version that the tree's top Makefile states. */
static bool dialect_from_makefile(const char *const *env, enum dialect *out)
{
	const char *srctree = find_env(env, "srctree");
	struct strbuf path = {0};
	unsigned int major, minor;
	char version[32], *text;
	bool found = false;
	size_t len;

	strbuf_addf(&path, "%s/Makefile", srctree && *srctree ? srctree : ".");
	if (!path.err && file_read(path.s, 1 << 20, &text, &len) == 0) {
		if (makefile_number(text, "VERSION", &major) &&
		    makefile_number(text, "PATCHLEVEL", &minor)) {
			snprintf(version, sizeof(version), "%u.%u", major,
				 minor);
			found = dialect_of(version, out);
		}
		free(text);
	}
	strbuf_free(&path);
	return found;
}

/* What is asked for by name, or NULL. */
static const char *dialect_asked(const struct lkc_load_options *opt)
{
	const char *env = find_env(opt->env, "KCONFIG_DIALECT");

	return opt->dialect ? opt->dialect : env && *env ? env : NULL;
}

static bool find_dialect(const struct lkc_load_options *opt, enum dialect *out)
{
	const char *asked = dialect_asked(opt);

	if (asked)
		return dialect_of(asked, out);
	*out = N_DIALECTS - 1;
	if (!dialect_of(find_env(opt->env, "KERNELVERSION"), out))
		dialect_from_makefile(opt->env, out);
	return true;
}

const char *lkc_find_dialect(const struct lkc_load_options *opt)
{
	enum dialect d;

	return find_dialect(opt, &d) ? dialects[d].name : NULL;
}

static int choose_dialect(struct loader *ld)
{
	enum dialect d;

	if (!find_dialect(ld->opt, &d)) {
		diag_add(ld->diags, LKC_ERROR, DIAG_CANNOT_READ, DIAG_BARE,
			 NULL,
			 "'%s' is no Kconfig dialect; known are 4.11, 6.1, 6.12 and 7.2",
			 dialect_asked(ld->opt));
		return LKC_EINVAL;
	}
	ld->dialect = d;
	ld->tree->dialect = d;
	return 0;
}

static int copy_environ(struct lkc_tree *t, const char *const *env)
{
	size_t n = 0, i;
	const char **copy;

	while (env && env[n])
		n++;
	copy = arena_alloc(&t->arena, (n + 1) * sizeof(*copy));
	if (!copy)
		return LKC_ENOMEM;
	for (i = 0; i < n; i++) {
		copy[i] = arena_strdup(&t->arena, env[i]);
		if (!copy[i])
			return LKC_ENOMEM;
	}
	t->environ = copy;
	return 0;
}

/* Kept for auto.conf.cmd: what Kconfig read of the environment. */
static void keep_env(struct loader *ld)
{
	size_t i, n = preproc_env_count(ld->pp);
	const char *name, *value;

	for (i = 0; i < n && !ld->err; i++) {
		preproc_env(ld->pp, i, &name, &value);
		name = arena_strdup(&ld->tree->arena, name);
		value = arena_strdup(&ld->tree->arena, value);
		if (!name || !value || !vec_push(&ld->tree->env, name) ||
		    !vec_push(&ld->tree->env, value))
			ld->err = LKC_ENOMEM;
	}
}

static void parse(struct loader *ld)
{
	struct entry root = {
		.kind = LKC_ENTRY_MENU, .sym = LKC_NONE, .block = LKC_NONE,
		.parent = LKC_NONE, .child = LKC_NONE, .next = LKC_NONE,
		.own = EXPR_Y, .depends = EXPR_Y, .visible = EXPR_Y,
		.prompt = LKC_NONE, .open = true, .span = NO_SPAN,
	};

	build_init(ld);
	if (!ld->err && !vec_push(&ld->tree->entries, root))
		ld->err = LKC_ENOMEM;
	if (ld->err)
		return;
	ld->parent = 0;
	ld->pp = preproc_new(ld);
	if (ld->pp)
		parse_kconfig(ld, ld->kconfig);
	else
		ld->err = LKC_ENOMEM;
}

/* The cache's name for this tree, as it is configured. */
static struct probes *new_probes(struct loader *ld)
{
	const char *srctree = lkc_tree_getenv(ld->tree, "srctree");
	const char *arch = lkc_tree_getenv(ld->tree, "ARCH");
	struct strbuf name = {0};
	struct probes *ps = NULL;

	strbuf_addf(&name, "%s %s %s", srctree ? srctree : "",
		    arch ? arch : "", ld->kconfig);
	if (!name.err)
		ps = probes_new(ld->opt, name.s);
	strbuf_free(&name);
	return ps;
}

static void load(struct loader *ld)
{
	size_t errors = lkc_diags_errors(ld->diags);
	struct lkc_tree *t = ld->tree;

	ld->probes = new_probes(ld);
	if (!ld->probes) {
		ld->err = LKC_ENOMEM;
		return;
	}
	parse(ld);
	probes_stats(ld->probes, &t->probes);
	probes_free(ld->probes);
	if (!ld->err && lkc_diags_errors(ld->diags) > errors)
		ld->err = LKC_EPARSE;
	if (!ld->err && !t->title) {
		t->title = "Main menu";
		if (ld->dialect == DIALECT_4_11)
			t->title = "Configuration";
	}
	if (!ld->err)
		keep_env(ld);
	if (!ld->err)
		menu_finalize(ld);
	if (!ld->err) {
		graph_build(ld);
		check_choices(ld);
	}
}

void build_look_ahead(struct loader *ld)
{
	struct lkc_tree *t = calloc(1, sizeof(*t));
	struct loader ahead = {
		.tree = t, .diags = lkc_diags_new(), .opt = ld->opt,
		.entry = LKC_NONE, .parent = LKC_NONE, .probes = ld->probes,
		.kconfig = ld->kconfig, .ahead = true, .dialect = ld->dialect,
	};

	if (t && ahead.diags && copy_environ(t, ld->opt->env) == 0) {
		t->dialect = ld->dialect;
		parse(&ahead);
	}
	preproc_free(ahead.pp);
	build_free(&ahead);
	lkc_diags_free(ahead.diags);
	lkc_tree_free(t);
}

int lkc_tree_load(const char *kconfig, const struct lkc_load_options *opt,
		  struct lkc_tree **tree, struct lkc_diags *diags)
{
	struct lkc_tree *t = calloc(1, sizeof(*t));
	struct loader ld = {
		.tree = t, .diags = diags, .opt = opt, .entry = LKC_NONE,
		.parent = LKC_NONE, .kconfig = kconfig,
	};

	*tree = NULL;
	if (!t)
		return LKC_ENOMEM;
	t->hash = HASH_FNV64_INIT;
	ld.err = copy_environ(t, opt->env);
	if (!ld.err)
		ld.err = choose_dialect(&ld);
	if (!ld.err)
		load(&ld);
	preproc_free(ld.pp);
	build_free(&ld);
	if (ld.err) {
		lkc_tree_free(t);
		return ld.err;
	}
	*tree = t;
	return 0;
}

char *lkc_probe_cache_path(const char *const *env)
{
	const char *dir = find_env(env, "XDG_CACHE_HOME");
	struct strbuf path = {0};

	/* relative ones are invalid: XDG Base Directory Specification */
	if (dir && *dir == '/') {
		strbuf_addf(&path, "%s/kconfig-agent/probes", dir);
	} else {
		dir = env ? find_env(env, "HOME") : NULL;
		if (!dir || *dir != '/')
			return NULL;
		strbuf_addf(&path, "%s/.cache/kconfig-agent/probes", dir);
	}
	return strbuf_detach(&path, NULL);
}

void lkc_tree_probe_stats(const struct lkc_tree *tree,
			  struct lkc_probe_stats *stats)
{
	*stats = tree->probes;
}

void lkc_tree_free(struct lkc_tree *tree)
{
	uint32_t i;

	if (!tree)
		return;
	for (i = 0; i < tree->files.n; i++) {
		free(tree->files.v[i].text);
		free(tree->files.v[i].lines);
	}
	vec_free(&tree->files);
	vec_free(&tree->syms);
	vec_free(&tree->exprs);
	vec_free(&tree->props);
	vec_free(&tree->entries);
	vec_free(&tree->members);
	vec_free(&tree->env);
	strmap_free(&tree->names);
	strmap_free(&tree->consts);
	strmap_free(&tree->choices);
	free(tree->expr_table);
	free(tree->sym_props);
	free(tree->sym_reverse);
	free(tree->sym_entries);
	free(tree->readers);
	free(tree->units);
	arena_free(&tree->arena);
	free(tree);
}

const char *lkc_tree_dialect(const struct lkc_tree *tree)
{
	return dialects[tree->dialect].name;
}

bool lkc_tree_at_least(const struct lkc_tree *tree, unsigned int major,
		       unsigned int minor)
{
	return dialects[tree->dialect].version >= major * 1000 + minor;
}

const char *lkc_tree_title(const struct lkc_tree *tree)
{
	return tree->title;
}

const char *lkc_tree_getenv(const struct lkc_tree *tree, const char *name)
{
	return find_env(tree->environ, name);
}

uint64_t lkc_tree_hash(const struct lkc_tree *tree)
{
	return tree->hash;
}

size_t lkc_tree_files(const struct lkc_tree *tree)
{
	return tree->files.n;
}

const char *lkc_tree_file(const struct lkc_tree *tree, size_t i)
{
	return i < tree->files.n ? tree->files.v[i].name : NULL;
}

const char *lkc_strerror(int err)
{
	switch (err) {
	case LKC_OK:
		return "no error";
	case LKC_ENOMEM:
		return "out of memory";
	case LKC_EIO:
		return "a file cannot be read or written";
	case LKC_EPARSE:
		return "the text is not valid";
	case LKC_EINVAL:
		return "an argument makes no sense";
	case LKC_ENOENT:
		return "no such symbol, entry or file";
	case LKC_EREJECTED:
		return "a request did not hold";
	case LKC_ESTATE:
		return "not possible in this state";
	case LKC_ELIMIT:
		return "a limit was exceeded";
	default:
		return "unknown error";
	}
}
