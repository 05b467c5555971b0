/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gate - the last one: nothing leaves but what two evaluators agree on
 *
 * The text of a configuration passes if our own evaluator gives it back byte
 * for byte after reading it, and the tree's own "conf --olddefconfig" does not
 * change a byte of it either.
 */
#ifndef KA_GATE_H
#define KA_GATE_H

#include <stdbool.h>
#include <stddef.h>

#include <lkc/lkc.h>

struct kenv;
struct strbuf;

enum gate_err {
	GATE_ENOMEM = -1,
	GATE_EOURS = -2,	/* it does not read back to itself */
	GATE_ETHEIRS = -3,	/* the tree's conf would change it */
	GATE_ECONF = -4,	/* the tree's conf cannot be built or run */
};

/* A text that has passed. */
struct gate_text {
	char *text;
	size_t len;
	bool only_ours;		/* conf was not asked: see gate_pass() */
};

/*
 * Has the configuration @c pass, in the environment @env, into *@out, to be
 * freed with gate_text_free(). With @build, the tree's conf is built if it is
 * not there; without, it is then not asked. Returns 0 or a gate_err, with the
 * reason and the first lines that differ in @why.
 */
int gate_pass(const struct lkc_config *c, const struct kenv *env, bool build,
	      struct gate_text *out, struct strbuf *why);
void gate_text_free(struct gate_text *t);

#endif
