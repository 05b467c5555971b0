// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe-files - the files and variables that commands depend on
 *
 * A file counts with its inode, size and times, one that is not there with that.
 * A compiler counts with all that it consists of, according to its own
 * -print-search-dirs. Variables count with their values, but for those that
 * change from call to call and that the text of the command does not name.
 */
#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "probe-key.h"

/* Seconds within which a change may hide behind another: clocks are coarse. */
#define RACY_S 2

/* Changes from one call of make to the next, or with the terminal. */
static const char *const fickle[] = {
	"COLORTERM", "COLUMNS", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "LINES",
	"MAKELEVEL", "MAKEFLAGS", "MAKEOVERRIDES", "MAKE_TERMERR",
	"MAKE_TERMOUT", "MFLAGS", "OLDPWD", "PWD", "SHLVL", "SSH_AGENT_PID",
	"SSH_AUTH_SOCK", "SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "STY",
	"TERM", "TERM_PROGRAM", "TMUX", "TMUX_PANE", "WAYLAND_DISPLAY", "WINDOW",
	"WINDOWID", "XDG_RUNTIME_DIR", "XDG_SESSION_ID", "XDG_CACHE_HOME", "_",
	"KCONFIG_ALLCONFIG", "KCONFIG_AUTOCONFIG", "KCONFIG_AUTOHEADER",
	"KCONFIG_CONFIG", "KCONFIG_DEFCONFIG_LIST", "KCONFIG_NOSILENTUPDATE",
	"KCONFIG_OVERWRITECONFIG", "KCONFIG_PROBABILITY", "KCONFIG_RUSTCCFG",
	"KCONFIG_SEED", "KCONFIG_WARN_UNKNOWN_SYMBOLS", "KCONFIG_WERROR",
};

bool is_in(const char *const *table, size_t n, const char *name,
		  size_t len)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (strlen(table[i]) == len && memcmp(table[i], name, len) == 0)
			return true;
	}
	return false;
}

void lower(struct state *s, enum probe_class class)
{
	if (s->class > class)
		s->class = class;
}

const char *env_get(const struct keyer *k, const char *name, size_t len)
{
	size_t i;

	for (i = 0; k->env && k->env[i]; i++) {
		if (strncmp(k->env[i], name, len) == 0 && k->env[i][len] == '=')
			return k->env[i] + len + 1;
	}
	return NULL;
}

/* ---- items: each is looked at once -------------------------------------- */

struct item *find_item(struct keyer *k, const struct strmap *map,
			      const char *name)
{
	uint32_t i = strmap_get(map, name, strlen(name));

	return i == UINT32_MAX ? NULL : &k->items.v[i];
}

struct item *add_item(struct keyer *k, struct strmap *map,
			     const char *name)
{
	struct item item = { .name = strdup(name), .class = PROBE_KNOWN };

	if (!item.name || !vec_push(&k->items, item)) {
		free(item.name);
		k->failed = true;
		return NULL;
	}
	if (!strmap_add(map, item.name, strlen(name), k->items.n - 1)) {
		free(item.name);
		k->items.n--;
		k->failed = true;
		return NULL;
	}
	return &k->items.v[k->items.n - 1];
}

static void add_number(struct hash128 *h, uint64_t n)
{
	hash128_add(h, &n, sizeof(n));
}

static void stamp(struct keyer *k, const char *name, struct hash128 *h)
{
	struct stat st;

	hash128_add(h, name, strlen(name) + 1);
	if (stat(name, &st)) {
		add_number(h, 0);
		return;
	}
	add_number(h, st.st_mode);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		add_number(h, st.st_rdev);
		return;
	}
	add_number(h, st.st_dev);
	add_number(h, st.st_ino);
	add_number(h, st.st_size);
	add_number(h, st.st_mtim.tv_sec);
	add_number(h, st.st_mtim.tv_nsec);
	add_number(h, st.st_ctim.tv_sec);
	add_number(h, st.st_ctim.tv_nsec);
	if (st.st_ctim.tv_sec > k->began - RACY_S)
		k->racy = true;
}

void take_stamp(struct state *s, const char *name)
{
	struct item *item = find_item(s->k, &s->k->files, name);

	if (!item) {
		item = add_item(s->k, &s->k->files, name);
		if (!item)
			return;
		stamp(s->k, name, &item->digest);
	}
	hash128_add(&s->key, &item->digest, sizeof(item->digest));
}

void take_stampf(struct state *s, const char *fmt, ...)
{
	struct strbuf name = {0};
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&name, fmt, ap);
	va_end(ap);
	if (name.err)
		s->k->failed = true;
	else
		take_stamp(s, name.s);
	strbuf_free(&name);
}

/* ---- compilers ---------------------------------------------------------- */

/* Programs and files that a compiler looks for in the directories it lists. */
static const char *const parts[] = {
	"as", "cc1", "collect2", "crt1.o", "ld", "ld.bfd", "ld.lld", "libc.a",
	"libc.so", "libgcc.a", "liblto_plugin.so", "lto-wrapper", "plugin",
	"plugin/include", "specs",
};

static void stamp_directory(struct keyer *k, const char *dir, size_t len,
			    struct hash128 *h)
{
	char name[PATH_MAX];
	size_t i;

	if (!len || len > sizeof(name) - 32)
		return;
	memcpy(name, dir, len);
	while (len > 1 && name[len - 1] == '/')
		len--;
	name[len] = '\0';
	stamp(k, name, h);
	for (i = 0; i < COUNT(parts); i++) {
		snprintf(name + len, sizeof(name) - len, "/%s", parts[i]);
		stamp(k, name, h);
	}
}

/* "/usr/lib/gcc/TARGET/12/" lets guess where the headers of TARGET are. */
static void stamp_headers(struct keyer *k, const char *install,
			  struct hash128 *h)
{
	const char *at = strstr(install, "/gcc/");
	char name[PATH_MAX];

	stamp(k, "/usr/include", h);
	stamp(k, "/usr/local/include", h);
	if (at) {
		snprintf(name, sizeof(name), "/usr/include/%.*s",
			 (int)strcspn(at + 5, "/\n"), at + 5);
		stamp(k, name, h);
	}
}

/* Lines as "programs: =/a:/b". */
static void stamp_listed(struct keyer *k, const char *text, struct hash128 *h)
{
	while (*text) {
		size_t n = strcspn(text, "\n:= ");

		if (*text == '/')
			stamp_directory(k, text, n, h);
		text += n;
		text += strspn(text, "\n:= ");
	}
}

static void stamp_compiler(struct keyer *k, const char *path, struct item *item)
{
	struct strbuf command = {0};
	struct hash128 h = {0};
	char *text = NULL;

	stamp(k, path, &h);
	if (strchr(path, '\''))
		item->class = PROBE_PURE;
	strbuf_addf(&command, "'%s'" ASK_COMPILER, path);
	if (item->class == PROBE_KNOWN && !command.err)
		text = k->run(k->arg, command.s);
	strbuf_free(&command);
	if (text && strstr(text, "programs:")) {
		hash128_add(&h, text, strlen(text));
		stamp_listed(k, text, &h);
		stamp_headers(k, text, &h);
	} else {
		item->class = PROBE_PURE;
	}
	free(text);
	item->digest = h;
}

void take_compiler(struct state *s, const char *path)
{
	struct item *item = find_item(s->k, &s->k->compilers, path);
	struct item seen;

	if (s->asking)
		return;
	if (!item) {
		item = add_item(s->k, &s->k->compilers, path);
		if (!item)
			return;
		/* asking the compiler may add items, and move this one */
		seen = *item;
		stamp_compiler(s->k, path, &seen);
		*find_item(s->k, &s->k->compilers, path) = seen;
		item = &seen;
	}
	hash128_add(&s->key, &item->digest, sizeof(item->digest));
	lower(s, item->class);
}

/* ---- Rust ---- */

/* What a Rust compiler in @dir consists of, as far as the kernel asks. */
static void take_rust(struct state *s, const char *dir)
{
	take_stampf(s, "%s/bin/rustc", dir);
	take_stampf(s, "%s/lib", dir);
	take_stampf(s, "%s/lib/rustlib", dir);
	take_stampf(s, "%s/lib/rustlib/src/rust/library/core/src/lib.rs", dir);
}

/* Files by which a directory and those below it choose a toolchain. */
static void take_overrides(struct state *s)
{
	char dir[PATH_MAX], *slash;

	if (!getcwd(dir, sizeof(dir))) {
		lower(s, PROBE_PURE);
		return;
	}
	do {
		slash = strrchr(dir, '/');
		take_stampf(s, "%s/rust-toolchain", dir);
		take_stampf(s, "%s/rust-toolchain.toml", dir);
		if (slash)
			*slash = '\0';
	} while (slash);
}

/* rustup runs the compiler of one of its toolchains. */
static void take_rustup(struct state *s)
{
	const char *home = env_get(s->k, "RUSTUP_HOME", 11);
	const char *user = env_get(s->k, "HOME", 4);
	struct strbuf top = {0}, path = {0};
	const struct dirent *entry;
	DIR *dir = NULL;

	if (home)
		strbuf_addstr(&top, home);
	else
		strbuf_addf(&top, "%s/.rustup", user ? user : "");
	take_stampf(s, "%s/settings.toml", strbuf_str(&top));
	take_stampf(s, "%s/toolchains", strbuf_str(&top));
	strbuf_addf(&path, "%s/toolchains", strbuf_str(&top));
	if (!path.err)
		dir = opendir(path.s);
	if (!dir)
		lower(s, PROBE_PURE);
	/* the directory is the same, so the order is */
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/toolchains/%s", strbuf_str(&top),
			    entry->d_name);
		take_rust(s, strbuf_str(&path));
	}
	if (dir)
		closedir(dir);
	strbuf_free(&top);
	strbuf_free(&path);
	take_overrides(s);
}

void take_rustc(struct state *s, char *real)
{
	char *base = strrchr(real, '/');

	if (strcmp(base, "/rustup") == 0) {
		take_rustup(s);
		return;
	}
	*base = '\0';
	base = strrchr(real, '/');
	if (base)
		*base = '\0';
	take_rust(s, real);
}

/* ---- the environment ---- */

/* Variables that count only where they are named. */
void take_fickle(struct state *s, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < COUNT(fickle); i++) {
		const char *value;

		/* "_" is in everything; nobody means the variable */
		if (fickle[i][1] == '\0' ||
		    !memmem(text, len, fickle[i], strlen(fickle[i])))
			continue;
		value = env_get(s->k, fickle[i], strlen(fickle[i]));
		if (value)
			hash128_add(&s->key, value, strlen(value) + 1);
	}
}

static void take_environment(struct keyer *k, struct hash128 *h)
{
	struct hash128 sum = {0};
	size_t i;

	for (i = 0; k->env && k->env[i]; i++) {
		size_t n = strcspn(k->env[i], "=");
		struct hash128 one = {0};

		if (IS_IN(fickle, k->env[i], n))
			continue;
		/* whatever the order */
		hash128_add(&one, k->env[i], strlen(k->env[i]));
		sum.a += one.a;
		sum.b += one.b;
	}
	hash128_add(h, &sum, sizeof(sum));
}

static void take_limits(struct hash128 *h)
{
	static const int limits[] = {
		RLIMIT_AS, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE,
		RLIMIT_NPROC, RLIMIT_STACK,
	};
	struct rlimit limit;
	size_t i;

	for (i = 0; i < COUNT(limits); i++) {
		if (getrlimit(limits[i], &limit) == 0)
			add_number(h, limit.rlim_cur);
	}
}

/* What all commands depend on: also where they can write, and as whom. */
void take_common(struct keyer *k)
{
	const char *tmp = env_get(k, "TMPDIR", 6);
	struct hash128 h = {0};

	take_environment(k, &h);
	take_limits(&h);
	add_number(&h, geteuid());
	add_number(&h, access(".", W_OK | X_OK) == 0);
	add_number(&h, access(tmp ? tmp : "/tmp", W_OK | X_OK) == 0);
	stamp(k, "/bin/sh", &h);
	stamp(k, "/etc/ld.so.cache", &h);
	k->common = h;
	k->have_common = true;
}

bool keyer_racy(const struct keyer *k)
{
	return k->racy;
}

void keyer_forget(struct keyer *k)
{
	uint32_t i;

	for (i = 0; i < k->items.n; i++)
		free(k->items.v[i].name);
	vec_free(&k->items);
	strmap_free(&k->files);
	strmap_free(&k->scripts);
	strmap_free(&k->compilers);
	strmap_free(&k->words);
	strmap_free(&k->script_words);
	k->have_common = k->racy = false;
	k->began = time(NULL);
}

struct keyer *keyer_new(const char *const *env,
			char *(*run)(void *arg, const char *command), void *arg)
{
	struct keyer *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->env = env;
	k->run = run;
	k->arg = arg;
	k->path = env_get(k, "PATH", 4);
	keyer_forget(k);
	return k;
}

void keyer_free(struct keyer *k)
{
	if (!k)
		return;
	keyer_forget(k);
	free(k);
}
