// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/atomfile.h"
#include "base/vec.h"

#include "kb-embed.h"
#include "kb.h"

#define SUFFIX ".config"
#define FILE_MAX (1u << 20)	/* bytes of one file */
#define ITEMS_MAX 4096		/* items of one file */

struct items {
	VEC(struct kb_item);
};

struct kb {
	struct arena arena;	/* all strings and items */
	struct {
		VEC(struct kb_topic);
	} topics;
};

/* A file on its way in. */
struct parse {
	struct kb *kb;
	struct strbuf *why;
	const char *path;
	uint32_t line;
	struct kb_topic topic;
	struct items items;
	struct strbuf match, source;
	struct strbuf note;	/* the "##" lines of the newest item */
	bool open;		/* a "##" line may follow */
	int err;		/* once failed, the rest is passed over */
};

/* ---- errors ------------------------------------------------------------ */

__attribute__((format(printf, 3, 4)))
static void fail_at(struct parse *p, uint32_t line, const char *fmt, ...)
{
	va_list ap;

	if (p->err)
		return;
	p->err = -EINVAL;
	strbuf_addf(p->why, "%s:%u: ", p->path, line);
	va_start(ap, fmt);
	strbuf_vaddf(p->why, fmt, ap);
	va_end(ap);
}

#define fail(p, ...) fail_at(p, (p)->line, __VA_ARGS__)

static void out_of_memory(struct parse *p)
{
	if (p->err)
		return;
	p->err = -ENOMEM;
	strbuf_addf(p->why, "%s: out of memory", p->path);
}

/* A copy of @len bytes that lives as long as the base. */
static const char *keep(struct parse *p, const char *s, size_t len)
{
	const char *copy = arena_strndup(&p->kb->arena, s, len);

	if (!copy)
		out_of_memory(p);
	return copy;
}

static const char *keep_buf(struct parse *p, const struct strbuf *b)
{
	if (b->err) {
		out_of_memory(p);
		return NULL;
	}
	return keep(p, strbuf_str(b), b->len);
}

/* ---- versions ---------------------------------------------------------- */

/* Reads a number of at most @max and moves *@s past it; -1 if there is none. */
static long read_number(const char **s, long max)
{
	long n = 0;

	if (!isdigit((unsigned char)**s))
		return -1;
	for (; isdigit((unsigned char)**s); (*s)++) {
		n = n * 10 + **s - '0';
		if (n > max)
			return -1;
	}
	return n;
}

uint32_t kb_version(const char *text)
{
	long major, minor;

	major = read_number(&text, 0xffff);
	if (major < 0 || *text++ != '.')
		return 0;
	minor = read_number(&text, 0xff);
	if (minor < 0 || (*text && !strchr(".-+ ", *text)))
		return 0;
	return (uint32_t)major << 16 | (uint32_t)minor << 8;
}

/* ---- items ------------------------------------------------------------- */

static uint32_t tag_version(struct parse *p, const char *s)
{
	uint32_t v = kb_version(s);

	if (!v)
		fail(p, "\"%s\" is no version such as 6.12", s);
	return v;
}

static bool is_arch_list(const char *s)
{
	return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_ ")] == 0;
}

/* Takes in what stands between the brackets of one tag. */
static void parse_tag(struct parse *p, struct kb_item *item, const char *tag,
		      bool *level)
{
	bool required = !strcmp(tag, "required");

	if (required || !strcmp(tag, "optional")) {
		if (*level)
			fail(p, "required and optional: one of them");
		item->required = required;
		*level = true;
	} else if (!strncmp(tag, "since ", 6)) {
		item->since = tag_version(p, tag + 6);
	} else if (!strncmp(tag, "until ", 6)) {
		item->until = tag_version(p, tag + 6);
	} else if (!strncmp(tag, "arch ", 5) && is_arch_list(tag + 5)) {
		item->arches = keep(p, tag + 5, strlen(tag + 5));
	} else {
		fail(p, "unknown tag [%s]", tag);
	}
}

/* Takes the tags off the end of @note, the last one first. */
static void parse_note(struct parse *p, struct kb_item *item, char *note)
{
	size_t len = strlen(note);
	bool level = false;
	char *open;

	for (;;) {
		while (len && note[len - 1] == ' ')
			note[--len] = '\0';
		if (!len || note[len - 1] != ']')
			break;
		open = strrchr(note, '[');
		if (!open) {
			fail(p, "\"]\" without \"[\"");
			break;
		}
		note[len - 1] = '\0';
		parse_tag(p, item, open + 1, &level);
		*open = '\0';
		len = (size_t)(open - note);
	}
	if (item->since && item->until && item->since > item->until)
		fail(p, "since is later than until");
	item->reason = keep(p, note, len);
}

/* True if @word of @len bytes is in a blank separated list. */
static bool list_has(const char *list, const char *word, size_t len)
{
	while (*list) {
		size_t n = strcspn(list, " ");

		if (n == len && !strncmp(list, word, len))
			return true;
		list += n;
		list += strspn(list, " ");
	}
	return false;
}

static bool version_in(uint32_t version, uint32_t since, uint32_t until)
{
	return (!since || version >= since) && (!until || version <= until);
}

bool kb_item_applies(const struct kb_topic *topic, const struct kb_item *item,
		     uint32_t version, const char *arch)
{
	if (arch && item->arches && !list_has(item->arches, arch, strlen(arch)))
		return false;
	return !version || (version_in(version, topic->since, topic->until) &&
			    version_in(version, item->since, item->until));
}

/* True if there is a version and an architecture that both items are for. */
static bool items_meet(const struct kb_item *a, const struct kb_item *b)
{
	const char *arch = a->arches;

	if ((a->until && b->since > a->until) ||
	    (b->until && a->since > b->until))
		return false;
	if (!arch || !b->arches)
		return true;
	while (*arch) {
		size_t len = strcspn(arch, " ");

		if (len && list_has(b->arches, arch, len))
			return true;
		arch += len;
		arch += strspn(arch, " ");
	}
	return false;
}

/* Ends the newest item: no more "##" lines belong to it. */
static void end_item(struct parse *p)
{
	struct kb_item *item;
	char *note;

	if (p->err || !p->items.n || p->items.v[p->items.n - 1].reason)
		return;
	item = &p->items.v[p->items.n - 1];
	note = strbuf_detach(&p->note, NULL);
	if (note)
		parse_note(p, item, note);
	else
		item->reason = keep(p, "", 0);
	free(note);
	for (uint32_t i = 0; i + 1 < p->items.n && !p->err; i++) {
		if (!strcmp(p->items.v[i].name, item->name) &&
		    items_meet(&p->items.v[i], item))
			fail_at(p, item->line, "%s is already set in line %u",
				item->name, p->items.v[i].line);
	}
}

static void begin_item(struct parse *p, const char *name, size_t len,
		       const char *value)
{
	struct kb_item item = { .line = p->line, .value = value };

	end_item(p);
	if (p->items.n == ITEMS_MAX)
		fail(p, "more than %u items", ITEMS_MAX);
	item.name = keep(p, name, len);
	if (p->err)
		return;
	if (!vec_push(&p->items, item))
		out_of_memory(p);
	p->open = true;
}

/* ---- lines ------------------------------------------------------------- */

static size_t name_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* "..." without the quotes and backslashes, or NULL if it is not well formed */
static const char *unquote(struct parse *p, const char *s, size_t len)
{
	char *copy = arena_bytes(&p->kb->arena, len + 1);
	size_t n = 0;

	if (!copy) {
		out_of_memory(p);
		return NULL;
	}
	for (size_t i = 1; i + 1 < len; i++) {
		if (s[i] == '"')
			return NULL;
		if (s[i] == '\\' && ++i + 1 >= len)
			return NULL;
		copy[n++] = s[i];
	}
	copy[n] = '\0';
	return copy;
}

/* True for y, m, n and for what Kconfig takes as an int or hex value. */
static bool is_plain_value(const char *s)
{
	if (!strcmp(s, "y") || !strcmp(s, "m") || !strcmp(s, "n"))
		return true;
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		return s[2] && !s[2 + strspn(s + 2, "0123456789abcdefABCDEF")];
	s += *s == '-';
	return *s && !s[strspn(s, "0123456789")];
}

static void parse_value(struct parse *p, const char *s)
{
	size_t name = name_length(s), len;
	const char *value = s + name + 1;

	if (!name || s[name] != '=') {
		fail(p, "expected CONFIG_NAME=value");
		return;
	}
	len = strlen(value);
	if (len >= 2 && value[0] == '"' && value[len - 1] == '"')
		value = unquote(p, value, len);
	else
		value = is_plain_value(value) ? keep(p, value, len) : NULL;
	if (!value)
		fail(p, "%.*s: the value is not y, m, n, a number or \"text\"",
		     (int)name, s);
	else
		begin_item(p, s, name, value);
}

/* "# CONFIG_NAME is not set": true if it is such a line. */
static bool parse_not_set(struct parse *p, const char *s)
{
	size_t len;

	if (strncmp(s, "# CONFIG_", 9) != 0)
		return false;
	s += 9;
	len = name_length(s);
	if (!len || strcmp(s + len, " is not set") != 0)
		return false;
	begin_item(p, s, len, "n");
	return true;
}

static void parse_precedence(struct parse *p, const char *s)
{
	const char *end = s;
	long n = read_number(&end, 1000);

	if (n < 0 || *end)
		fail(p, "the precedence is not a number from 0 to 1000");
	p->topic.precedence = (int)n;
}

static void parse_title(struct parse *p, const char *s)
{
	if (p->topic.title)
		fail(p, "there is a Topic already");
	p->topic.title = keep(p, s, strlen(s));
}

static void parse_match(struct parse *p, const char *s)
{
	const char *q;
	bool quoted = false;

	for (q = s; *q; q++)
		quoted ^= *q == '"';
	if (quoted)
		fail(p, "a quote does not end");
	strbuf_addf(&p->match, "%s%s", p->match.len ? " " : "", s);
}

static void parse_source(struct parse *p, const char *s)
{
	strbuf_addf(&p->source, "%s%s", p->source.len ? " " : "", s);
}

static void parse_since(struct parse *p, const char *s)
{
	p->topic.since = tag_version(p, s);
}

static void parse_until(struct parse *p, const char *s)
{
	p->topic.until = tag_version(p, s);
}

static const struct header {
	const char *key;
	void (*parse)(struct parse *p, const char *s);
} headers[] = {
	{ "# Topic: ", parse_title },
	{ "# Match: ", parse_match },
	{ "# Source: ", parse_source },
	{ "# Precedence: ", parse_precedence },
	{ "# Since: ", parse_since },
	{ "# Until: ", parse_until },
};

static void parse_header(struct parse *p, const char *s)
{
	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
		size_t len = strlen(headers[i].key);

		if (strncmp(s, headers[i].key, len) != 0)
			continue;
		if (p->items.n)
			fail(p, "belongs above the first CONFIG_ line");
		s += len;
		headers[i].parse(p, s + strspn(s, " "));
		return;
	}
}

static void parse_note_line(struct parse *p, const char *s)
{
	if (!p->open) {
		fail(p, "\"##\" without a CONFIG_ line right above it");
		return;
	}
	s += 2;
	s += strspn(s, " ");
	strbuf_addf(&p->note, "%s%s", p->note.len ? " " : "", s);
	if (p->note.err)
		out_of_memory(p);
}

static void parse_line(struct parse *p, const char *s)
{
	if (!strncmp(s, "##", 2)) {
		parse_note_line(p, s);
		return;
	}
	p->open = false;
	if (!strncmp(s, "CONFIG_", 7))
		parse_value(p, s + 7);
	else if (*s == '#' && !parse_not_set(p, s))
		parse_header(p, s);
	else if (*s && *s != '#')
		fail(p, "expected CONFIG_NAME=value or a comment");
}

/* ---- files ------------------------------------------------------------- */

/* Length of the UTF-8 character at @s, 0 if there is none (or a control). */
static size_t utf8_length(const unsigned char *s)
{
	size_t len = *s < 0x80 ? 1 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
	uint32_t c;

	if (len == 1)
		return *s >= 0x20 && *s != 0x7f;
	if (*s < 0xc2 || *s > 0xf4)
		return 0;
	c = *s & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if ((len == 3 && c < 0x800) || (len == 4 && c < 0x10000) ||
	    (c >= 0xd800 && c < 0xe000) || c > 0x10ffff || c < 0xa0)
		return 0;
	return len;
}

static bool is_clean(const char *s)
{
	size_t len;

	for (; *s; s += len) {
		len = utf8_length((const unsigned char *)s);
		if (!len)
			return false;
	}
	return true;
}

/* Ends the line of @len bytes at @s, without blanks at its end. */
static void end_line(char *s, size_t len)
{
	while (len && strchr(" \t\r", s[len - 1]))
		len--;
	s[len] = '\0';
}

/* Parses @len bytes of @text, which it may change. */
static void parse_lines(struct parse *p, char *text, size_t len)
{
	if (memchr(text, '\0', len)) {
		fail_at(p, 1, "not a text file: it has a NUL byte");
		return;
	}
	while (*text && !p->err) {
		size_t n = strcspn(text, "\n");
		bool last = !text[n];

		p->line++;
		end_line(text, n);
		for (char *s = text; *s; s++)
			*s = *s == '\t' ? ' ' : *s;
		if (is_clean(text))
			parse_line(p, text);
		else
			fail(p, "a control character, or not UTF-8");
		text += n + !last;
	}
	end_item(p);
}

/* Checks that the topic is whole and adds it to the base. */
static void end_topic(struct parse *p)
{
	struct kb_item *items;

	if (p->err)
		return;
	if (!p->topic.title || !p->match.len || !p->source.len) {
		fail_at(p, 1, "no \"# %s:\"", !p->topic.title ? "Topic" :
			!p->match.len ? "Match" : "Source");
		return;
	}
	p->topic.match = keep_buf(p, &p->match);
	p->topic.source = keep_buf(p, &p->source);
	items = arena_alloc(&p->kb->arena, p->items.n * sizeof(*items));
	if (!items) {
		out_of_memory(p);
		return;
	}
	if (p->items.n)
		memcpy(items, p->items.v, p->items.n * sizeof(*items));
	p->topic.items = items;
	p->topic.n = p->items.n;
	if (!p->err && !vec_push(&p->kb->topics, p->topic))
		out_of_memory(p);
}

/* Adds the file called @path with @len bytes of @text, which it changes. */
static int add_text(struct kb *kb, const char *path, char *text, size_t len,
		    struct strbuf *why)
{
	struct parse p = { .kb = kb, .why = why, .path = path };
	const char *name = strrchr(path, '/');
	size_t n;

	name = name ? name + 1 : path;
	n = strlen(name);
	if (n > strlen(SUFFIX) && !strcmp(name + n - strlen(SUFFIX), SUFFIX))
		n -= strlen(SUFFIX);
	p.topic.path = keep(&p, path, strlen(path));
	p.topic.id = keep(&p, name, n);
	parse_lines(&p, text, len);
	end_topic(&p);
	vec_free(&p.items);
	strbuf_free(&p.match);
	strbuf_free(&p.source);
	strbuf_free(&p.note);
	return p.err;
}

static int add_copy(struct kb *kb, const char *path, const char *text,
		    size_t len, struct strbuf *why)
{
	char *copy = malloc(len + 1);
	int err;

	if (!copy) {
		strbuf_addf(why, "%s: out of memory", path);
		return -ENOMEM;
	}
	memcpy(copy, text, len);
	copy[len] = '\0';
	err = add_text(kb, path, copy, len, why);
	free(copy);
	return err;
}

static int add_file(struct kb *kb, const char *path, struct strbuf *why)
{
	char *text;
	size_t len;
	int err;

	err = file_read(path, FILE_MAX, &text, &len);
	if (err) {
		strbuf_addf(why, "%s: %s", path, strerror(-err));
		return err;
	}
	err = add_text(kb, path, text, len, why);
	free(text);
	return err;
}

/* Names of other than these characters are no topics: ids are printed. */
static int is_fragment(const struct dirent *d)
{
	const char *s = d->d_name;
	size_t len = strlen(s);

	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)s[i]) && !strchr("._+-", s[i]))
			return 0;
	}
	return len > strlen(SUFFIX) && *s != '.' &&
	       !strcmp(s + len - strlen(SUFFIX), SUFFIX);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int add_dir(struct kb *kb, const char *dir, struct strbuf *why)
{
	struct strbuf path = { 0 };
	struct dirent **names;
	int n, err = 0;

	n = scandir(dir, &names, is_fragment, by_name);
	if (n < 0) {
		err = -errno;
		strbuf_addf(why, "%s: %s", dir, strerror(errno));
		return err;
	}
	if (!n) {
		strbuf_addf(why, "%s: no *" SUFFIX " file in it", dir);
		err = -ENOENT;
	}
	for (int i = 0; i < n; i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", dir, names[i]->d_name);
		if (!err)
			err = path.err ? -ENOMEM :
			      add_file(kb, strbuf_str(&path), why);
		free(names[i]);
	}
	free(names);
	strbuf_free(&path);
	return err;
}

static int add_embedded(struct kb *kb, struct strbuf *why)
{
	struct strbuf path = { 0 };
	int err = 0;

	for (const struct kb_embedded *e = kb_embedded; e->name && !err; e++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "kb/%s", e->name);
		err = path.err ? -ENOMEM : add_copy(kb, strbuf_str(&path),
						    e->text, strlen(e->text),
						    why);
	}
	strbuf_free(&path);
	return err;
}

static int by_id(const void *a, const void *b)
{
	const struct kb_topic *x = a, *y = b;

	return strcmp(x->id, y->id);
}

static int end_load(struct kb *kb, int err, struct kb **out)
{
	if (err) {
		kb_free(kb);
		return err;
	}
	if (kb->topics.n)
		qsort(kb->topics.v, kb->topics.n, sizeof(*kb->topics.v),
		      by_id);
	*out = kb;
	return 0;
}

int kb_load(const char *dir, struct kb **out, struct strbuf *why)
{
	struct kb *kb = calloc(1, sizeof(*kb));

	if (!kb)
		return -ENOMEM;
	return end_load(kb, dir ? add_dir(kb, dir, why) :
			    add_embedded(kb, why), out);
}

int kb_load_text(const char *path, const char *text, size_t len,
		 struct kb **out, struct strbuf *why)
{
	struct kb *kb = calloc(1, sizeof(*kb));

	if (!kb)
		return -ENOMEM;
	return end_load(kb, add_copy(kb, path, text, len, why), out);
}

void kb_free(struct kb *kb)
{
	if (!kb)
		return;
	vec_free(&kb->topics);
	arena_free(&kb->arena);
	free(kb);
}

size_t kb_topics(const struct kb *kb)
{
	return kb->topics.n;
}

const struct kb_topic *kb_topic(const struct kb *kb, size_t i)
{
	return &kb->topics.v[i];
}
