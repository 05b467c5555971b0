// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe-key - what a command depends on
 *
 * A command is looked at as text: every word in it that could be the name of a
 * file or of a program is taken to be one, as long as there is one. So more is
 * found than is used, which does no harm: what counts is that nothing is missed.
 * A program that is not in the tables below, a pattern of file names, or a file
 * that is written leaves the command in the class of those that might do
 * anything. Scripts are read in the same way, and what they name counts as well.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "probe-key.h"

#define SCRIPT_MAX (256u << 10)
#define WORD_MAX 4096
#define NAME_MAX_LEN 64

/*
 * Programs that read what their arguments and their input say, and nothing else.
 * Those that write files are held to temporary ones: see is_temporary().
 */
static const char *const plain[] = {
	"[", "awk", "basename", "bash", "cat", "cmp", "cut", "dash", "diff",
	"dirname", "echo", "egrep", "env", "expr", "false", "fgrep", "gawk",
	"grep", "head", "mawk", "mkdir", "mktemp", "od", "printf", "rm", "rmdir",
	"sed", "seq", "sh", "sort", "tail", "test", "tr", "true", "uniq", "wc",
	"which",
};

/* Likewise, for machine code; with the name of a target before, or "llvm-". */
static const char *const binutils[] = {
	"addr2line", "ar", "as", "gold", "ld", "ld.bfd", "ld.gold", "ld.lld",
	"lld", "nm", "objcopy", "objdump", "pahole", "ranlib", "readelf",
	"size", "strip",
};

static const char *const compilers[] = {
	"c++", "cc", "clang", "clang++", "cpp", "g++", "gcc",
};

/* Variables of the kernel's makefiles that never name a program. */
static const char *const data[] = {
	"ARCH", "KERNELVERSION", "SRCARCH", "SUBARCH", "UTS_MACHINE",
};

static void take_text(struct state *s, const char *text, size_t len);
static void take_program(struct state *s, const char *name, size_t len,
			 const char *path);

/* ---- scripts ------------------------------------------------------------ */

static bool is_script(const char *path, char **text, size_t *len)
{
	if (file_read(path, SCRIPT_MAX, text, len))
		return false;
	if (*len > 2 && (*text)[0] == '#' && (*text)[1] == '!' &&
	    !memchr(*text, '\0', *len))
		return true;
	free(*text);
	return false;
}

/* Comments go: they are full of words. */
static void cut_comments(char *text)
{
	char *line = text, *end;

	for (; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (line[strspn(line, " \t")] == '#' && line != text)
			memset(line, ' ', end - line);
	}
}

/* Also what is only read by the shell, and has no "#!". */
static void take_script(struct state *s, const char *path, char *text,
			size_t len)
{
	struct item *item = find_item(s->k, &s->k->scripts, path);
	struct state inner = {
		.k = s->k, .class = PROBE_KNOWN, .depth = s->depth + 1,
	};
	char dir[PATH_MAX];
	const char *slash;

	if (!item) {
		item = add_item(s->k, &s->k->scripts, path);
		if (!item)
			return;
		item->class = PROBE_UNKNOWN;	/* should it call itself */
		slash = strrchr(path, '/');
		snprintf(dir, sizeof(dir), "%.*s",
			 slash ? (int)(slash - path) : 1, slash ? path : ".");
		inner.dir = dir;
		cut_comments(text);
		take_text(&inner, text, len);
		item = find_item(s->k, &s->k->scripts, path);
		item->digest = inner.key;
		item->class = inner.class;
	}
	hash128_add(&s->key, &item->digest, sizeof(item->digest));
	lower(s, item->class);
}

/* ---- words --------------------------------------------------------------- */

/* "x86_64-linux-gnu-gcc-12" is a gcc. */
static void bare_name(const char **name, size_t *len)
{
	const char *p = *name, *dash;
	size_t n = *len;

	while (n && (isdigit((unsigned char)p[n - 1]) || p[n - 1] == '.'))
		n--;
	if (n && n < *len && p[n - 1] == '-')
		*len = n - 1;
	dash = memrchr(p, '-', *len);
	if (dash && dash + 1 < p + *len) {
		*len -= dash + 1 - p;
		*name = dash + 1;
	}
}

/* The program @name as PATH has it, in @path; not the file @other, if given. */
static bool find_program(const struct keyer *k, const char *name, size_t len,
			 const char *other, char *path)
{
	char real[PATH_MAX];
	const char *p = k->path;

	while (*p) {
		size_t n = strcspn(p, ":");

		if (n + len + 2 < PATH_MAX) {
			snprintf(path, PATH_MAX, "%.*s/%.*s", n ? (int)n : 1,
				 n ? p : ".", (int)len, name);
			if (access(path, X_OK) == 0 &&
			    (!other || (realpath(path, real) &&
					strcmp(real, other) != 0)))
				return true;
		}
		p += n + (p[n] == ':');
	}
	return false;
}

/*
 * ccache answers as the compiler would that its arguments name, or whose name it
 * goes by and that comes later in PATH.
 */
static void take_ccache(struct state *s, const char *name, size_t len,
			const char *real)
{
	const char *home = env_get(s->k, "HOME", 4);
	char path[PATH_MAX];

	take_stamp(s, "/etc/ccache.conf");
	take_stampf(s, "%s/.ccache/ccache.conf", home ? home : "");
	take_stampf(s, "%s/.config/ccache/ccache.conf", home ? home : "");
	if (len == 6 && memcmp(name, "ccache", 6) == 0)
		return;
	if (find_program(s->k, name, len, real, path))
		take_program(s, name, len, path);
	else
		lower(s, PROBE_PURE);
}

static void take_program(struct state *s, const char *name, size_t len,
			 const char *path)
{
	const char *base, *bare = name;
	size_t bare_len = len, n;
	char real[PATH_MAX];
	char *text;

	if (s->depth >= DEPTH_MAX || !realpath(path, real)) {
		lower(s, PROBE_UNKNOWN);
		return;
	}
	take_stamp(s, path);
	take_stamp(s, real);
	base = strrchr(real, '/') + 1;
	if (strcmp(base, "ccache") == 0) {
		s->depth++;
		take_ccache(s, name, len, real);
		s->depth--;
		return;
	}
	if (IS_IN(plain, name, len))
		return;
	if (is_script(real, &text, &n)) {
		/* what it runs is its own affair */
		free(text);
		lower(s, PROBE_PURE);
	}
	bare_name(&bare, &bare_len);
	if (IS_IN(compilers, bare, bare_len) || IS_IN(compilers, name, len)) {
		if (s->class == PROBE_KNOWN)
			take_compiler(s, path);
	} else if (len == 5 && memcmp(name, "rustc", 5) == 0) {
		take_rustc(s, real);
	} else if (len == 7 && memcmp(name, "bindgen", 7) == 0) {
		/* libclang may be anywhere */
		lower(s, PROBE_PURE);
	} else if (!IS_IN(binutils, bare, bare_len) &&
		   !IS_IN(binutils, name, len)) {
		lower(s, PROBE_UNKNOWN);
	}
}

static void take_file(struct state *s, const char *path)
{
	const char *base = strrchr(path, '/');
	struct stat st;
	char *text;
	size_t len;

	take_stamp(s, path);
	/* no need to look at what is in every command */
	if (strcmp(path, "/dev/null") == 0 || stat(path, &st) ||
	    !S_ISREG(st.st_mode))
		return;
	base = base ? base + 1 : path;
	if (IS_IN(plain, base, strlen(base))) {
		take_program(s, base, strlen(base), path);
	} else if (is_script(path, &text, &len)) {
		if (s->depth < DEPTH_MAX)
			take_script(s, path, text, len);
		else
			lower(s, PROBE_UNKNOWN);
		free(text);
	} else if (access(path, X_OK) == 0) {
		take_program(s, base, strlen(base), path);
	}
}

static bool is_name(const char *w, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (!isalnum((unsigned char)w[i]) && !strchr("_.+-", w[i]))
			return false;
	}
	return len && len < NAME_MAX_LEN && isalnum((unsigned char)w[0]);
}

/* A part of a word that stands for a file if there is one. */
static void take_path(struct state *s, const char *w, size_t len)
{
	const char *slash = memrchr(w, '/', len);
	char path[WORD_MAX];

	if (len >= sizeof(path) / 2)
		return;
	memcpy(path, w, len);
	path[len] = '\0';
	take_file(s, path);
	/* "$(dirname $0)/other.sh" */
	if (s->dir && slash && slash + 1 < w + len) {
		int n = snprintf(path, sizeof(path), "%s/%.*s", s->dir,
				 (int)(w + len - slash - 1), slash + 1);

		if (n > 0 && (size_t)n < sizeof(path) && access(path, F_OK) == 0)
			take_file(s, path);
	}
}

/* "$NAME/rest": the value as if it stood there. */
static void take_variable(struct state *s, const char *w, size_t len)
{
	size_t skip = len > 1 && w[1] == '{' ? 2 : 1, n = skip;
	struct strbuf text = {0};
	const char *value = NULL;

	while (n < len && (isalnum((unsigned char)w[n]) || w[n] == '_'))
		n++;
	if (n == skip)
		return;
	if (!IS_IN(data, w + skip, n - skip))
		value = env_get(s->k, w + skip, n - skip);
	if (n < len && w[n] == '}')
		n++;
	if (value && s->depth < DEPTH_MAX) {
		s->depth++;
		strbuf_addf(&text, "%s%.*s", value, (int)(len - n), w + n);
		if (text.err)
			s->k->failed = true;
		else
			take_text(s, text.s, text.len);
		s->depth--;
	} else if (n < len && w[n] == '/') {
		take_path(s, w + n, len - n);
	}
	strbuf_free(&text);
}

/* A word that is a program, or a file of the current directory, or nothing. */
static void take_name(struct state *s, const char *w, size_t len)
{
	struct strmap *map = s->dir ? &s->k->script_words : &s->k->words;
	struct state inner = *s;
	struct item *item;
	char name[NAME_MAX_LEN], path[PATH_MAX];

	memcpy(name, w, len);
	name[len] = '\0';
	item = find_item(s->k, map, name);
	if (!item) {
		item = add_item(s->k, map, name);
		if (!item)
			return;
		inner.class = PROBE_KNOWN;
		inner.key = (struct hash128){0};
		if (!s->dir)
			take_path(&inner, w, len);
		if (find_program(s->k, w, len, NULL, path))
			take_program(&inner, w, len, path);
		item = find_item(s->k, map, name);
		item->digest = inner.key;
		item->class = inner.class;
	}
	hash128_add(&s->key, &item->digest, sizeof(item->digest));
	lower(s, item->class);
}

static void take_word(struct state *s, const char *w, size_t len)
{
	const char *at;

	if (!len || len >= WORD_MAX)
		return;
	at = memchr(w, '=', len);
	/* "CC=gcc" runs gcc; "-gz=zstd" does not run zstd */
	if (at && at + 1 < w + len && (w[0] != '-' || memchr(at, '/', w + len - at)))
		take_word(s, at + 1, w + len - at - 1);
	at = memchr(w, '$', len);
	if (at)
		take_variable(s, at, w + len - at);
	if (w[0] == '-') {
		/* where a compiler is to look for all that it reads */
		if (len > 9 && memcmp(w, "--sysroot", 9) == 0)
			lower(s, PROBE_PURE);
		at = memchr(w, '/', len);
		if (at)
			take_path(s, at, w + len - at);
		return;
	}
	if (w[0] == '@') {
		take_word(s, w + 1, len - 1);
		return;
	}
	if (memchr(w, '/', len)) {
		if (w[0] != '$')
			take_path(s, w, len);
		return;
	}
	if (is_name(w, len))
		take_name(s, w, len);
}

/* ---- texts --------------------------------------------------------------- */

#define SEPARATORS " \t\r\n\"'`;|&(){}<>,\\"

static bool is_word(const char *text, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - text) >= n && memcmp(text, word, n) == 0 &&
	       (text + n == end || strchr(SEPARATORS, text[n]));
}

/* Where a redirection may go, and what rm and mkdir may be given. */
static bool is_temporary(const struct state *s, const char *p, const char *end)
{
	static const char *const places[] = { "/dev/null", ".tmp_$$" };
	size_t i;

	/* scripts have the names of theirs from mktemp */
	if (s->dir && p < end && (*p == '$' || *p == '"'))
		return true;
	for (i = 0; i < COUNT(places); i++) {
		size_t n = strlen(places[i]);

		if ((size_t)(end - p) >= n && memcmp(p, places[i], n) == 0)
			return true;
	}
	return p < end && *p == '&';
}

/* What stands outside of quotes: files that are written, patterns. */
static void look_at_syntax(struct state *s, const char *text, size_t len)
{
	const char *p, *end = text + len;
	char quote = 0;

	for (p = text; p < end; p++) {
		if (*p == '\\' && quote != '\'') {
			p++;
		} else if (quote) {
			if (*p == quote)
				quote = 0;
		} else if (*p == '\'' || *p == '"') {
			quote = *p;
		} else if (*p == '>') {
			while (p + 1 < end && strchr("> \t|", p[1]))
				p++;
			if (!is_temporary(s, p + 1, end))
				lower(s, PROBE_UNKNOWN);
		} else if (!s->dir && strchr("*?~", *p)) {
			lower(s, PROBE_UNKNOWN);
		}
	}
}

/* The arguments of rm and mkdir, which the macros of Kconfig.include call. */
static void look_at_arguments(struct state *s, const char *p, const char *end)
{
	while (p < end) {
		size_t n;

		p += strspn(p, " \t");
		n = strcspn(p, SEPARATORS);
		if (!n || p >= end)
			return;
		if (*p != '-' && !is_temporary(s, p, end))
			lower(s, PROBE_UNKNOWN);
		p += n;
	}
}

/* "import NAME" reads modules, wherever they are. */
static bool is_import(const char *p, const char *end)
{
	static const char start[] = " -c \"import ";
	size_t n = strlen(start);

	if ((size_t)(end - p) < n || memcmp(p, start, n) != 0)
		return false;
	p += n;
	while (p < end && (isalnum((unsigned char)*p) || *p == '_' ||
			   *p == '.'))
		p++;
	return p < end && *p == '"';
}

/* The length of the quoted text at @p, unless the shell runs a part of it. */
static size_t quoted(const char *p, const char *end)
{
	const char *q;

	for (q = p + 1; q < end && *q != *p; q++) {
		if (*p == '"' && (*q == '`' || (*q == '$' && q[1] == '(')))
			return 0;
		if (*p == '"' && *q == '\\')
			q++;
	}
	return q < end ? q + 1 - p : 0;
}

/*
 * What echo and printf are given in quotes is source code or a message, whose
 * words are no programs.
 */
static size_t skip_printed(const char *p, const char *end)
{
	const char *start = p;

	for (;;) {
		size_t n = strspn(p, " \t");

		if (strncmp(p + n, ">&2", 3) == 0)
			n += 3;
		else if (p[n] == '\'' || p[n] == '"')
			n += quoted(p + n, end);
		else
			return p - start;
		if (n == strspn(p, " \t"))
			return p - start;
		p += n;
	}
}

/* "gcc)" at the start of a line of a script is a case. */
static bool is_case(const struct state *s, const char *text, const char *w,
		    size_t n)
{
	if (!s->dir || w[n] != ')')
		return false;
	while (w > text && (w[-1] == ' ' || w[-1] == '\t'))
		w--;
	return w == text || w[-1] == '\n';
}

/* How much of the text from @w on has been dealt with here. */
static size_t special_word(struct state *s, const char *w, size_t n,
			   const char *end)
{
	if (is_word(w, end, "rm") || is_word(w, end, "mkdir") ||
	    is_word(w, end, "rmdir")) {
		if (!s->dir)
			look_at_arguments(s, w + n, end);
	} else if (is_word(w, end, "python3") && is_import(w + n, end)) {
		lower(s, PROBE_PURE);
		return n;
	} else if (is_word(w, end, "echo") || is_word(w, end, "printf")) {
		return n + skip_printed(w + n, end);
	} else if (is_word(w, end, "env")) {
		/* alone it prints all there is */
		size_t blank = strspn(w + n, " \t\"");

		if (!memchr(w + n + blank, '=',
			    strcspn(w + n + blank, SEPARATORS)))
			lower(s, PROBE_UNKNOWN);
	} else if (is_word(w, end, "pwd") || is_word(w, end, "export") ||
		   is_word(w, end, "read") || is_word(w, end, "ulimit")) {
		lower(s, s->dir ? PROBE_PURE : PROBE_UNKNOWN);
	}
	return 0;
}

static void take_text(struct state *s, const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	hash128_add(&s->key, text, len);
	take_fickle(s, text, len);
	look_at_syntax(s, text, len);
	while (p < end && s->class != PROBE_UNKNOWN) {
		size_t n = strcspn(p, SEPARATORS);
		size_t done = n ? special_word(s, p, n, end) : 0;

		if (!done && !is_case(s, text, p, n))
			take_word(s, p, n);
		p += done ? done : n;
		p += strspn(p, SEPARATORS);
	}
}

/* ------------------------------------------------------------------------- */

enum probe_class keyer_key(struct keyer *k, const char *command,
			   struct hash128 *key)
{
	struct state s = { .k = k, .class = PROBE_KNOWN };

	if (!k->path)		/* the shell has ideas of its own then */
		return PROBE_UNKNOWN;
	if (!k->have_common)
		take_common(k);
	s.asking = strstr(command, ASK_COMPILER) != NULL;
	s.key = k->common;
	take_text(&s, command, strlen(command));
	*key = s.key;
	return k->failed ? PROBE_UNKNOWN : s.class;
}
