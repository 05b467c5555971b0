// SPDX-License-Identifier: GPL-2.0-only
/*
 * source - which file is read, and which blocks are open in it
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomfile.h"
#include "lexer.h"

/* No Kconfig file comes near this. */
#define FILE_MAX (64u << 20)

#define FAULTS_MAX 10000

const char *parser_keep(struct parser *ps, struct text t)
{
	const char *copy = arena_strndup(&ps->arena, t.s, t.len);

	if (!copy) {
		ps->ld->err = LKC_ENOMEM;
		return "";
	}
	return copy;
}

static const char *file_name(const struct parser *ps, uint32_t file)
{
	return lkc_tree_file(ps->ld->tree, file);
}

static uint32_t line_of(const struct parser *ps, struct span span)
{
	return build_place(ps->ld->tree, span).line;
}

/* Parsing stops here: what follows would make no sense. */
static void stop(struct parser *ps)
{
	if (!ps->ld->err)
		ps->ld->err = LKC_EPARSE;
}

void source_fault(struct parser *ps, struct span span)
{
	if (++ps->faults < FAULTS_MAX || ps->ld->err)
		return;
	build_diag(ps->ld, LKC_ERROR, DIAG_SYNTAX, DIAG_ERROR, span,
		   "too many errors, giving up");
	stop(ps);
}

/* The statement that has the lexer read include number @i's successor. */
static struct span source_statement(const struct parser *ps, uint32_t i,
				    struct span from)
{
	return i + 1 < ps->includes.n ? ps->includes.v[i + 1].from : from;
}

/* Says how reading came to the statement at @from, which begins a cycle. */
static void report_cycle(struct parser *ps, const char *name, struct span from)
{
	struct strbuf text = {0};
	uint32_t i = ps->includes.n;

	strbuf_addf(&text, "Recursive inclusion detected.\n"
		    "Inclusion path:\n  current file : %s", name);
	while (i--) {
		struct span at = source_statement(ps, i, from);
		const char *by = file_name(ps, at.file);

		strbuf_addf(&text, "\n  included from: %s:%u", by,
			    line_of(ps, at));
		if (ps->ld->dialect < DIALECT_6_12 && strcmp(by, name) == 0)
			break;
	}
	build_diag(ps->ld, LKC_ERROR, DIAG_RECURSIVE_SOURCE, DIAG_BARE, from,
		   "%s", strbuf_str(&text));
	strbuf_free(&text);
	stop(ps);
}

static bool is_open(const struct parser *ps, const char *name)
{
	uint32_t i;

	for (i = 0; i < ps->includes.n; i++) {
		if (!strcmp(file_name(ps, ps->includes.v[i].file), name))
			return true;
	}
	return false;
}

/* From 7.2 on a file may be read only once. */
static bool is_repeated(struct parser *ps, const char *name, struct span from)
{
	size_t i, n = lkc_tree_files(ps->ld->tree);

	if (ps->ld->dialect < DIALECT_7_2)
		return false;
	for (i = 0; i < n; i++) {
		if (strcmp(lkc_tree_file(ps->ld->tree, i), name) == 0) {
			build_diag(ps->ld, LKC_ERROR, DIAG_REPEATED_SOURCE,
				   DIAG_ERROR, from,
				   "repeated inclusion of %s", name);
			stop(ps);
			return true;
		}
	}
	return false;
}

/*
 * True if the current directory has not even the first directory in @name, as in
 * a build outside of the tree. The last one that was not there is remembered, for
 * most of the files of a tree are below few directories.
 */
static bool is_elsewhere(struct parser *ps, const char *name)
{
	size_t n = strcspn(name, "/");

	return name[n] && n && n == ps->absent_len &&
	       memcmp(name, ps->absent, n) == 0;
}

static void remember_absent(struct parser *ps, const char *name)
{
	size_t n = strcspn(name, "/");

	if (!name[n] || n >= sizeof(ps->absent))
		return;
	memcpy(ps->absent, name, n);
	ps->absent[n] = '\0';
	ps->absent_len = access(ps->absent, F_OK) && errno == ENOENT ? n : 0;
}

/* Reads @name, else the file of that name below $srctree. */
static int read_source(struct parser *ps, const char *name, char **text,
		       size_t *len)
{
	const char *srctree = lkc_tree_getenv(ps->ld->tree, "srctree");
	int err = -ENOENT, err2;

	if (!srctree || !is_elsewhere(ps, name)) {
		err = file_read(name, FILE_MAX, text, len);
		if (!err || *name == '/' || !srctree)
			return err;
		if (err == -ENOENT)
			remember_absent(ps, name);
	}
	strbuf_reset(&ps->buf);
	strbuf_addf(&ps->buf, "%s/%s", srctree, name);
	if (ps->buf.err)
		return -ENOMEM;
	err2 = file_read(ps->buf.s, FILE_MAX, text, len);
	return err2 == -ENOENT ? err : err2;
}

static void report_unreadable(struct parser *ps, const char *name, int err,
			      struct span from)
{
	const char *why = err == -EISDIR ? ": it is a directory" :
			  err == -EFBIG ? ": it is too big" : "";

	if (err == -ENOMEM)
		ps->ld->err = LKC_ENOMEM;
	else if (!ps->includes.n)
		build_diag(ps->ld, LKC_ERROR, DIAG_CANNOT_READ, DIAG_BARE, from,
			   "can't find file %s%s", name, why);
	else
		build_diag(ps->ld, LKC_ERROR, DIAG_CANNOT_READ, DIAG_PLACE,
			   from, "can't open file \"%s\"%s", name, why);
	stop(ps);
}

void source_enter(struct parser *ps, const char *name, struct span from)
{
	uint32_t file;
	size_t len;
	char *text;
	int err;

	if (ps->ld->err)
		return;
	if (is_open(ps, name)) {
		report_cycle(ps, name, from);
		return;
	}
	if (is_repeated(ps, name, from))
		return;
	if (ps->includes.n >= INCLUDE_DEPTH_MAX) {
		build_diag(ps->ld, LKC_ERROR, DIAG_TOO_DEEP, DIAG_ERROR, from,
			   "files include each other more than %d deep",
			   INCLUDE_DEPTH_MAX);
		stop(ps);
		return;
	}
	err = read_source(ps, name, &text, &len);
	if (err) {
		report_unreadable(ps, name, err, from);
		return;
	}
	file = build_file(ps->ld, name, text, len, from);
	if (file != UINT32_MAX)
		lexer_enter(ps, file, text, len, from);
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

/*
 * 4.11 has $NAME for the value of a symbol, which can only be one that holds
 * an environment variable of the same name.
 */
const char *source_name(struct parser *ps, struct text t)
{
	const char *s = parser_keep(ps, t), *dollar, *value;
	struct strbuf name = {0};
	struct text out;

	if (ps->ld->dialect > DIALECT_4_11 || !strchr(s, '$'))
		return s;
	strbuf_reset(&ps->buf);
	while ((dollar = strchr(s, '$'))) {
		strbuf_add(&ps->buf, s, dollar - s);
		strbuf_reset(&name);
		for (s = dollar + 1; is_name(*s); s++)
			strbuf_addch(&name, *s);
		value = lkc_tree_getenv(ps->ld->tree, strbuf_str(&name));
		strbuf_addstr(&ps->buf, value ? value : "");
	}
	strbuf_addstr(&ps->buf, s);
	if (name.err || ps->buf.err)
		ps->ld->err = LKC_ENOMEM;
	strbuf_free(&name);
	out = (struct text){ strbuf_str(&ps->buf), ps->buf.len };
	return parser_keep(ps, out);
}

static const char *block_name(enum lkc_entry_kind kind)
{
	return kind == LKC_ENTRY_IF ? "if" :
	       kind == LKC_ENTRY_CHOICE ? "choice" : "menu";
}

void source_open_block(struct parser *ps, enum lkc_entry_kind kind,
		       struct span span)
{
	struct block b = { kind, span };

	if (!vec_push(&ps->blocks, b))
		ps->ld->err = LKC_ENOMEM;
	build_open(ps->ld);
}

void source_close_block(struct parser *ps, enum lkc_entry_kind kind,
			struct span span)
{
	struct block b;

	if (ps->ld->err || !ps->blocks.n)
		return;
	b = ps->blocks.v[--ps->blocks.n];
	if (b.kind != kind)
		build_diag(ps->ld, LKC_ERROR, DIAG_SYNTAX, DIAG_PLACE, span,
			   "unexpected '%s' within %s block", block_name(kind),
			   block_name(b.kind));
	else if (b.span.file != span.file)
		build_diag(ps->ld, LKC_ERROR, DIAG_BLOCK_ACROSS_FILES,
			   DIAG_PLACE, span,
			   "'%s' in different file than '%s'\n%s:%u: location of the '%s'",
			   block_name(kind), block_name(kind),
			   file_name(ps, b.span.file), line_of(ps, b.span),
			   block_name(kind));
	build_close(ps->ld);
}

void source_end(struct parser *ps)
{
	for (; ps->blocks.n && !ps->ld->err; ps->blocks.n--)
		build_diag(ps->ld, LKC_ERROR, DIAG_UNTERMINATED_BLOCK,
			   DIAG_PLACE, ps->blocks.v[ps->blocks.n - 1].span,
			   "missing end statement for this entry");
}
