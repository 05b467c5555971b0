// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomfile.h"
#include "lines.h"

#define PREFIX "CONFIG_"
#define NOT_SET " is not set"
/* What is said of a line that makes no sense. */
#define BAD_MAX 80

static int add_line(struct lines *l, const char *file, unsigned int number,
		    const char *name, size_t name_len, const char *value)
{
	struct line line = {
		.name = arena_strndup(&l->memory, name, name_len),
		.value = value, .file = file, .number = number,
		.later = UINT32_MAX,
	};
	uint32_t last;
	size_t i;

	if (!line.name || !line.value || !vec_push(&l->all, line))
		return -ENOMEM;
	last = strmap_get(&l->last, line.name, name_len);
	if (last == UINT32_MAX)
		return strmap_add(&l->last, line.name, name_len,
				  l->all.n - 1) ? 0 : -ENOMEM;
	/* the map keeps the first; from there a chain leads to the last */
	for (i = last; l->all.v[i].later != UINT32_MAX;)
		i = l->all.v[i].later;
	l->all.v[i].later = l->all.n - 1;
	return 0;
}

static int add_bad(struct lines *l, const char *file, unsigned int number,
		   const char *text, size_t len)
{
	struct bad_line bad = {
		.text = arena_strndup(&l->memory, text, len < BAD_MAX ? len :
				      BAD_MAX),
		.file = file, .number = number,
	};

	return bad.text && vec_push(&l->bad, bad) ? 0 : -ENOMEM;
}

/* Takes the quotes off, and the backslashes within them. */
static const char *unquote(struct lines *l, const char *s, size_t len)
{
	char *copy = arena_strndup(&l->memory, s, len), *out = copy;
	size_t i;

	if (!copy || len < 2 || s[0] != '"' || s[len - 1] != '"')
		return copy;
	for (i = 1; i + 1 < len; i++) {
		if (s[i] == '\\' && i + 2 < len)
			i++;
		*out++ = s[i];
	}
	*out = '\0';
	return copy;
}

static int take_line(struct lines *l, const char *file, unsigned int number,
		     const char *s, size_t len)
{
	size_t prefix = strlen(PREFIX), tail = strlen(NOT_SET);
	const char *equals;

	while (len && (s[len - 1] == '\r' || s[len - 1] == ' '))
		len--;
	if (len > prefix + 2 + tail && strncmp(s, "# " PREFIX, prefix + 2) == 0 &&
	    memcmp(s + len - tail, NOT_SET, tail) == 0)
		return add_line(l, file, number, s + prefix + 2,
				len - prefix - 2 - tail, "n");
	if (!len || s[0] == '#')
		return 0;
	equals = memchr(s, '=', len);
	if (len <= prefix || strncmp(s, PREFIX, prefix) != 0 || !equals ||
	    equals == s + prefix)
		return add_bad(l, file, number, s, len);
	return add_line(l, file, number, s + prefix, equals - s - prefix,
			unquote(l, equals + 1, s + len - equals - 1));
}

int lines_add(struct lines *l, const char *file, const char *text, size_t len)
{
	const char *name = arena_strdup(&l->memory, file), *end = text + len;
	unsigned int number = 0;
	int err = name ? 0 : -ENOMEM;

	while (text < end && !err) {
		const char *stop = memchr(text, '\n', end - text);

		if (!stop)
			stop = end;
		err = take_line(l, name, ++number, text, stop - text);
		text = stop + 1;
	}
	return err;
}

int lines_add_file(struct lines *l, const char *path)
{
	char *text;
	size_t len;
	int err = file_read(path, 0, &text, &len);

	if (err)
		return err;
	err = lines_add(l, path, text, len);
	free(text);
	return err;
}

const struct line *lines_find(const struct lines *l, const char *name)
{
	uint32_t i = strmap_get(&l->last, name, strlen(name));

	if (i == UINT32_MAX)
		return NULL;
	while (l->all.v[i].later != UINT32_MAX)
		i = l->all.v[i].later;
	return &l->all.v[i];
}

void lines_free(struct lines *l)
{
	vec_free(&l->all);
	vec_free(&l->bad);
	strmap_free(&l->last);
	arena_free(&l->memory);
}
