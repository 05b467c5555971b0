// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "opts.h"
#include "term.h"
#include "text.h"

#define WIDTH 80

static bool wants_color(const struct opts_common *o)
{
	const char *no = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	return (!no || !*no) && isatty(STDOUT_FILENO) && term &&
	       strcmp(term, "dumb") != 0;
}

void term_init(struct term *t, const struct opts_common *o)
{
	t->color = !o->json && wants_color(o);
	t->progress = !o->quiet && isatty(STDERR_FILENO);
	t->shown = false;
}

const char *term_style(const struct term *t, enum term_style style)
{
	static const char *const codes[] = {
		[TERM_PLAIN] = "\033[0m",
		[TERM_BOLD] = "\033[1m",
		[TERM_GOOD] = "\033[32m",
		[TERM_BAD] = "\033[31m",
		[TERM_DIM] = "\033[2m",
	};

	return t->color ? codes[style] : "";
}

void term_error(const char *fmt, ...)
{
	struct strbuf raw = {0}, clean = {0};
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&raw, fmt, ap);
	va_end(ap);
	text_add_lines(&clean, strbuf_str(&raw), raw.len);
	fprintf(stderr, "kconfig-agent: %s\n", raw.err || clean.err ?
		"out of memory" : strbuf_str(&clean));
	strbuf_free(&raw);
	strbuf_free(&clean);
}

static size_t width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 20)
		return WIDTH;
	return size.ws_col;
}

void term_progress(struct term *t, const char *fmt, ...)
{
	struct strbuf raw = {0}, clean = {0};
	va_list ap;

	if (!t->progress)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&raw, fmt, ap);
	va_end(ap);
	text_add(&clean, strbuf_str(&raw), width() - 4);
	fprintf(stderr, "\r\033[K%s", strbuf_str(&clean));
	fflush(stderr);
	t->shown = true;
	strbuf_free(&raw);
	strbuf_free(&clean);
}

void term_progress_end(struct term *t)
{
	if (!t->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	t->shown = false;
}
