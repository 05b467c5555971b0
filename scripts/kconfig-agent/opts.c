// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomfile.h"
#include "base/strbuf.h"
#include "opts.h"
#include "text.h"

#define CONFIG_NAME "kconfig-agent/config"
#define CONFIG_MAX (64u << 10)
#define HELP_COLUMN 26
#define HELP_WIDTH 79

static const char *const color_words[] = { "auto", "always", "never", NULL };

#define COMMON(member) offsetof(struct opts_common, member)

static const struct opt common[] = {
	{ .name = "tree", .letter = 'C', .arg = "DIR", .type = OPT_TEXT,
	  .offset = COMMON(tree), .help = "the kernel source (default: .)" },
	{ .name = "objtree", .letter = 'O', .arg = "DIR", .type = OPT_TEXT,
	  .offset = COMMON(objtree),
	  .help = "where it is built, as make O= (default: the source)" },
	{ .name = "arch", .arg = "ARCH", .type = OPT_TEXT,
	  .offset = COMMON(arch),
	  .help = "the architecture, as make ARCH= (default: make's)" },
	{ .name = "config", .arg = "FILE", .type = OPT_TEXT,
	  .offset = COMMON(config),
	  .help = "the configuration (default: $KCONFIG_CONFIG, else .config, in the objtree)" },
	{ .name = "json", .type = OPT_FLAG, .offset = COMMON(json),
	  .help = "print one JSON object on the standard output" },
	{ .name = "quiet", .letter = 'q', .type = OPT_FLAG,
	  .offset = COMMON(quiet), .help = "print errors only" },
	{ .name = "verbose", .letter = 'v', .type = OPT_FLAG,
	  .offset = COMMON(verbose), .help = "print details" },
	{ .name = "no-probe-cache", .type = OPT_FLAG,
	  .offset = COMMON(no_probe_cache),
	  .help = "run all $(shell) commands of the Kconfig files again" },
	{ .name = "color", .arg = "WHEN", .type = OPT_WORD,
	  .words = color_words, .offset = COMMON(color),
	  .help = "auto, always or never" },
	{ .name = "help", .letter = 'h', .type = OPT_FLAG,
	  .offset = COMMON(help), .help = "show this" },
	{ .name = "version", .type = OPT_FLAG, .offset = COMMON(version),
	  .help = "show the version" },
	{ .name = NULL },
};

struct parser {
	struct opts *o;
	const struct opt *table;
	char *values;
	struct strbuf *why;
};

__attribute__((format(printf, 2, 3)))
static int fail(struct parser *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(p->why, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

/* ---- the tables ---------------------------------------------------------- */

/* Row @i of both tables, or NULL after the last. */
static const struct opt *row(const struct opt *table, size_t i)
{
	for (; table && table->name; table++) {
		if (!i--)
			return table;
	}
	return i < sizeof(common) / sizeof(common[0]) - 1 ? &common[i] : NULL;
}

static const struct opt *find(const struct opt *table, const char *name,
			      size_t len, char letter)
{
	const struct opt *opt;
	size_t i;

	for (i = 0; (opt = row(table, i)); i++) {
		if (name ? strlen(opt->name) == len &&
		    !strncmp(opt->name, name, len) :
		    opt->letter && opt->letter == letter)
			return opt;
	}
	return NULL;
}

static const char *row_name(const void *arg, size_t i)
{
	return row(arg, i)->name;
}

/* The name of the option most like @name, or NULL. */
static const char *nearest(const struct opt *table, const char *name)
{
	size_t n = 0;

	while (row(table, n))
		n++;
	return text_nearest(name, n, row_name, table);
}

/* ---- values -------------------------------------------------------------- */

/* @from tells in messages where @value comes from. */
static int set_number(struct parser *p, const struct opt *opt,
		      const char *value, const char *from)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(value, &end, 10);
	if (!isdigit((unsigned char)*value) || *end || errno || n < opt->min ||
	    n > opt->max)
		return fail(p, "%s: \"%s\" is not a number from %u to %u", from,
			    value, opt->min, opt->max);
	*(unsigned int *)(p->values + opt->offset) = n;
	return 0;
}

static int set_word(struct parser *p, const struct opt *opt,
		    const char *value, const char *from)
{
	unsigned int i;

	for (i = 0; opt->words[i]; i++) {
		if (!strcmp(opt->words[i], value)) {
			*(unsigned int *)(p->values + opt->offset) = i;
			return 0;
		}
	}
	fail(p, "%s: \"%s\" is none of:", from, value);
	for (i = 0; opt->words[i]; i++)
		strbuf_addf(p->why, " %s", opt->words[i]);
	return -EINVAL;
}

static int add_to_list(struct parser *p, const struct opt *opt,
		       const char *value)
{
	struct opt_list *list = (struct opt_list *)(p->values + opt->offset);
	const char **v = arena_alloc(&p->o->memory,
				     (list->n + 2) * sizeof(*v));

	if (!v)
		return -ENOMEM;
	if (list->n)
		memcpy(v, list->v, list->n * sizeof(*v));
	v[list->n++] = value;
	list->v = v;
	return 0;
}

static int set(struct parser *p, const struct opt *opt, const char *value,
	       const char *from)
{
	switch (opt->type) {
	case OPT_FLAG:
		*(bool *)(p->values + opt->offset) = true;
		return 0;
	case OPT_TEXT:
		*(const char **)(p->values + opt->offset) = value;
		return 0;
	case OPT_LIST:
		return add_to_list(p, opt, value);
	case OPT_NUMBER:
		return set_number(p, opt, value, from);
	case OPT_WORD:
		return set_word(p, opt, value, from);
	}
	return -EINVAL;
}

/* ---- the file and the environment ---------------------------------------- */

char *opts_user_path(const char *variable, const char *below, const char *name)
{
	const char *base = getenv(variable);
	const char *home = getenv("HOME");
	struct strbuf b = {0};

	/* relative ones are to be ignored, says the XDG specification */
	if (base && *base == '/')
		strbuf_addf(&b, "%s/%s", base, name);
	else if (home && *home)
		strbuf_addf(&b, "%s/%s/%s", home, below, name);
	else
		return NULL;
	return strbuf_detach(&b, NULL);
}

/* Options that may stand in the file. */
static const char *const file_names[] = {
	"color", "max-repair", "model", "provider", "url",
};

#define FILE_NAMES (sizeof(file_names) / sizeof(file_names[0]))

static const char *file_name(const void *arg, size_t i)
{
	(void)arg;
	return file_names[i];
}

static bool in_file(const char *name)
{
	size_t i;

	for (i = 0; i < FILE_NAMES; i++) {
		if (!strcmp(file_names[i], name))
			return true;
	}
	return false;
}

/* Names under which someone may want to keep a secret in the file. */
static bool is_secret(const char *name)
{
	static const char *const parts[] = { "key", "token", "secret",
					     "password" };
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strcasestr(name, parts[i]))
			return true;
	}
	return false;
}

static char *trim(char *s)
{
	char *end = s + strlen(s);

	while (isspace((unsigned char)*s))
		s++;
	while (end > s && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return s;
}

static int file_line(struct parser *p, char *line, const char *from)
{
	char *eq = strchr(line, '=');
	const struct opt *opt;
	const char *near;
	char *name, *value;

	line = trim(line);
	if (!*line || *line == '#')
		return 0;
	if (!eq)
		return fail(p, "%s: this is not of the form \"name = value\"",
			    from);
	*eq = '\0';
	name = trim(line);
	value = trim(eq + 1);
	if (is_secret(name))
		return fail(p, "%s: keys do not belong into this file; put one into a file of its own and its path into KCONFIG_AGENT_KEY_FILE",
			    from);
	if (!in_file(name)) {
		near = text_nearest(name, FILE_NAMES, file_name, NULL);
		fail(p, "%s: \"%s\" cannot be set here", from, name);
		if (near)
			strbuf_addf(p->why, "; did you mean \"%s\"?", near);
		return -EINVAL;
	}
	/* commands that do not have it have no use for it */
	opt = find(p->table, name, strlen(name), 0);
	return opt ? set(p, opt, value, from) : 0;
}

static int read_file(struct parser *p)
{
	char *path = opts_user_path("XDG_CONFIG_HOME", ".config", CONFIG_NAME);
	char *text, *copy, *line;
	unsigned int n = 0;
	struct strbuf from = {0};
	size_t len;
	int err;

	err = path ? file_read(path, CONFIG_MAX, &text, &len) : -ENOENT;
	if (err == -ENOENT || err == -ENOTDIR) {
		free(path);
		return 0;
	}
	if (err) {
		fail(p, "%s: cannot be read: %s", path, strerror(-err));
		free(path);
		return -EINVAL;
	}
	/* values point into this */
	copy = arena_strndup(&p->o->memory, text, len);
	free(text);
	if (!copy)
		err = -ENOMEM;
	while (!err && (line = strsep(&copy, "\n"))) {
		strbuf_reset(&from);
		strbuf_addf(&from, "%s:%u", path, ++n);
		err = file_line(p, line, strbuf_str(&from));
	}
	strbuf_free(&from);
	free(path);
	return err;
}

static int read_environment(struct parser *p)
{
	const struct opt *opt;
	size_t i;
	int err = 0;

	for (i = 0; (opt = row(p->table, i)) && !err; i++) {
		const char *value = opt->env ? getenv(opt->env) : NULL;

		if (value && *value)
			err = set(p, opt, value, opt->env);
	}
	return err;
}

/* ---- the command line ---------------------------------------------------- */

static int unknown(struct parser *p, const char *arg, const char *name)
{
	const char *near = nearest(p->table, name);

	fail(p, "unknown option %s", arg);
	if (near)
		strbuf_addf(p->why, "; did you mean --%s?", near);
	return -EINVAL;
}

/* "--name", "--name=value" or "--name value": *@i is moved past it. */
static int long_option(struct parser *p, int argc, char **argv, int *i)
{
	char *arg = argv[*i];
	const char *eq = strchr(arg, '=');
	size_t len = eq ? (size_t)(eq - arg - 2) : strlen(arg + 2);
	const struct opt *opt = find(p->table, arg + 2, len, 0);
	const char *value = eq ? eq + 1 : NULL;
	struct strbuf name = {0};
	int err;

	/* without the value, which a message had better not repeat */
	strbuf_add(&name, arg, len + 2);
	if (!opt)
		err = unknown(p, strbuf_str(&name), strbuf_str(&name) + 2);
	else if (opt->type == OPT_FLAG && value)
		err = fail(p, "%s takes no value", strbuf_str(&name));
	else if (opt->type != OPT_FLAG && !value && *i + 1 >= argc)
		err = fail(p, "%s needs a value: %s", strbuf_str(&name),
			   opt->arg);
	else
		err = set(p, opt, opt->type == OPT_FLAG ? NULL : value ?
			  value : argv[++*i], strbuf_str(&name));
	strbuf_free(&name);
	return err;
}

/* "-x", "-xyz", "-Cvalue" or "-C value". */
static int short_options(struct parser *p, int argc, char **argv, int *i)
{
	const char *s = argv[*i] + 1;
	char name[3] = "-";
	int err = 0;

	for (; *s && !err; s++) {
		const struct opt *opt = find(p->table, NULL, 0, *s);

		name[1] = *s;
		if (!opt)
			return fail(p, "unknown option %s", name);
		if (opt->type == OPT_FLAG) {
			err = set(p, opt, NULL, name);
			continue;
		}
		if (!s[1] && *i + 1 >= argc)
			return fail(p, "%s needs a value: %s", name, opt->arg);
		return set(p, opt, s[1] ? s + 1 : argv[++*i], name);
	}
	return err;
}

static int read_line(struct parser *p, int argc, char **argv)
{
	struct opts *o = p->o;
	int i, err = 0;

	for (i = 1; i < argc && !err; i++) {
		if (!strcmp(argv[i], "--")) {
			while (++i < argc)
				o->args[o->n_args++] = argv[i];
			break;
		}
		if (!strncmp(argv[i], "--", 2))
			err = long_option(p, argc, argv, &i);
		else if (argv[i][0] == '-' && argv[i][1])
			err = short_options(p, argc, argv, &i);
		else
			o->args[o->n_args++] = argv[i];
	}
	return err;
}

int opts_parse(struct opts *o, int argc, char **argv, const struct opt *table,
	       void *values, struct strbuf *why)
{
	struct parser p = {
		.o = o, .table = table, .values = values, .why = why,
	};
	int err;

	memset(o, 0, sizeof(*o));
	o->args = arena_alloc(&o->memory, (argc + 1) * sizeof(*o->args));
	err = o->args ? read_file(&p) : -ENOMEM;
	if (!err)
		err = read_environment(&p);
	if (!err)
		err = read_line(&p, argc, argv);
	if (err == -ENOMEM)
		strbuf_addstr(why, "out of memory");
	return err;
}

void opts_free(struct opts *o)
{
	arena_free(&o->memory);
	memset(o, 0, sizeof(*o));
}

/* ---- --help -------------------------------------------------------------- */

/* Prints @text at HELP_COLUMN, @at being where the line stands. */
static void print_wrapped(FILE *f, const char *text, int at)
{
	while (*text) {
		size_t room = HELP_WIDTH - HELP_COLUMN, len = strlen(text);

		if (len > room) {
			len = room;
			while (len && text[len] != ' ')
				len--;
			if (!len)
				len = room;
		}
		fprintf(f, "%*s%.*s\n", HELP_COLUMN - at, "", (int)len, text);
		text += len;
		while (*text == ' ')
			text++;
		at = 0;
	}
}

static void print_row(FILE *f, const struct opt *opt)
{
	int at = opt->letter ? fprintf(f, "  -%c, ", opt->letter) :
		fprintf(f, "      ");

	at += fprintf(f, "--%s", opt->name);
	if (opt->arg)
		at += fprintf(f, " %s", opt->arg);
	if (at >= HELP_COLUMN) {
		fputc('\n', f);
		at = 0;
	}
	print_wrapped(f, opt->help, at);
}

void opts_help(FILE *f, const struct opt *table)
{
	const struct opt *opt;
	size_t i;

	if (table && table->name)
		fprintf(f, "\nOptions:\n");
	for (opt = table; opt && opt->name; opt++)
		print_row(f, opt);
	fprintf(f, "\nCommon options:\n");
	for (i = 0; common[i].name; i++)
		print_row(f, &common[i]);
}
