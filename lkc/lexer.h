/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lexer - tokens, and the files they come from
 *
 * One struct parser is one parse: the lexer, the grammar and the stack of
 * included files share it. Inclusion does not recurse: a source statement puts
 * a file on the stack, and the lexer goes on there.
 */
#ifndef LKC_LEXER_H
#define LKC_LEXER_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "build.h"
#include "preprocess.h"

/* Deeper inclusion than this is taken for an endless one. */
#define INCLUDE_DEPTH_MAX 1000

/* Not NUL terminated; in a file's text or in the parser's arena. */
struct text {
	const char *s;
	uint32_t len;
};

/* What stands behind the name in an assignment. */
struct assignment {
	struct text value;
	enum preproc_flavor flavor;
};

struct include {
	uint32_t file;
	const char *text;	/* belongs to the tree */
	uint32_t len;
	char *copy;		/* what flex scans, and scribbles into */
	uint32_t pos;		/* where the next token begins */
	uint32_t line;		/* where the current line begins */
	bool continued;		/* a backslash has joined lines to it */
	struct span from;	/* the source statement */
};

struct block {
	enum lkc_entry_kind kind;
	struct span span;
};

struct parser {
	struct loader *ld;
	struct arena arena;	/* words that are not as in the file */
	struct strbuf buf;	/* for whoever needs one for a moment */
	struct { VEC(struct include); } includes;
	char absent[64];		/* a directory that is not there */
	size_t absent_len;
	struct { VEC(struct block); } blocks;	/* innermost last */
	struct text entry_name;	/* of the current config entry */
	unsigned int faults;	/* see source_fault() */

	/* the lexer's own */
	void *scanner;
	struct include *in;	/* innermost file */
	uint32_t start;		/* of the current token */
	unsigned int tokens;	/* of this line so far */
	int last;		/* token returned last */
	bool moved;		/* flex does not stand at in->pos */
	char *dead;		/* copy of a file that has ended */
	jmp_buf fatal;		/* where flex goes when it gives up */
};

/* False when out of memory. */
bool lexer_init(struct parser *ps);
void lexer_free(struct parser *ps);
/* The lexer goes on in @text, which is the tree's file number @file. */
void lexer_enter(struct parser *ps, uint32_t file, const char *text,
		 uint32_t len, struct span from);
/*
 * Reads the help text that begins on the next line; @text is valid until
 * parser.buf is used again. Returns where it ended.
 */
struct span lexer_help(struct parser *ps, struct text *text);
/* A NUL-terminated copy that lives as long as the parse. */
const char *parser_keep(struct parser *ps, struct text t);

/*
 * source.c: the name that a source or mainmenu statement means by @t. Lives as
 * long as the parse.
 */
const char *source_name(struct parser *ps, struct text t);
/* source.c: the lexer goes on in the file called @name, or it cannot. */
void source_enter(struct parser *ps, const char *name, struct span from);
/*
 * source.c: counts a fault at @span. A text that has too many is not Kconfig at
 * all, and no more is read of it.
 */
void source_fault(struct parser *ps, struct span span);
/* source.c: opens the current entry as a block that began at @span. */
void source_open_block(struct parser *ps, enum lkc_entry_kind kind,
		       struct span span);
/* source.c: an end statement at @span closes the innermost block. */
void source_close_block(struct parser *ps, enum lkc_entry_kind kind,
			struct span span);
/* source.c: complains of the blocks that are open at the end. */
void source_end(struct parser *ps);

#endif
