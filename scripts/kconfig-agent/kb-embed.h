/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kb-embed - the knowledge base inside the program
 *
 * The table is in a C file that kb-embed.sh makes from the files in kb/.
 */
#ifndef KA_KB_EMBED_H
#define KA_KB_EMBED_H

struct kb_embedded {
	const char *name;	/* file name, with .config */
	const char *text;	/* the whole file */
};

/* In the order the files were given; ended by a row of NULLs. */
extern const struct kb_embedded kb_embedded[];

#endif
