/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * whatif - requests on the command line, and what comes of them
 *
 * What the commands set, merge and explain have in common: "NAME=value" as people
 * write it, verdicts, consequences and repairs, for people and as JSON.
 */
#ifndef KA_WHATIF_H
#define KA_WHATIF_H

#include <stdbool.h>
#include <stddef.h>

#include <lkc/lkc.h>

#include "base/arena.h"

struct json;
struct strbuf;
struct term;

/* A request as it was given. */
struct wish {
	const char *name;	/* without CONFIG_ */
	const char *value;	/* without quotes; NULL if there was no "=" */
	const char *from;	/* file and line, or NULL */
};

/*
 * Takes "SYMBOL=value" apart, CONFIG_ in front or not, the value in quotes or not.
 * The strings are from @memory. Returns 0, -EINVAL with a reason in @why, or
 * -ENOMEM.
 */
int wish_parse(const char *arg, struct arena *memory, struct wish *wish,
	       struct strbuf *why);

/*
 * The symbol called @name, CONFIG_ in front or not. LKC_NONE after a message that
 * has the nearest names.
 */
lkc_sym whatif_find(const struct lkc_tree *tree, const char *name);

/* One line, or several, on what became of a request. */
void whatif_print_request(const struct term *t, const struct lkc_request *q,
			  const struct wish *wish);
/* {"name","want","before","value","verdict","reason","from"} */
struct json *whatif_request_json(const struct lkc_request *q,
				 const struct wish *wish);

/*
 * What changes beside the requests: first what is lost, then what follows, at most
 * @max of each (0: all).
 */
void whatif_print_changes(const struct term *t, const struct lkc_txn *txn,
			  const struct lkc_tree *tree, size_t max);
/* An array of {"name","before","after","requested","lost","cause"}. */
struct json *whatif_changes_json(const struct lkc_txn *txn,
				 const struct lkc_tree *tree);

/* The ways that there are, or why there are none. */
void whatif_print_repairs(const struct term *t, const struct lkc_repairs *r,
			  const struct lkc_tree *tree);
/* {"resolution","proved","answers":[{"changes":[...]}],"conflicts":[...]} */
struct json *whatif_repairs_json(const struct lkc_repairs *r,
				 const struct lkc_tree *tree);

#endif
