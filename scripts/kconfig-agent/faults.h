/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * faults - what is wrong in a Kconfig file, as people like to see it
 */
#ifndef KA_FAULTS_H
#define KA_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

struct lkc_diag;
struct lkc_diags;
struct strbuf;

/*
 * Adds "FILE:LINE:COLUMN: error: TEXT", and in the next two lines what stands
 * there and a caret under the column, as far as these are known. No line break
 * at the end.
 */
void faults_add(struct strbuf *b, const struct lkc_diag *diag);

/*
 * Prints the diagnostics from number @from on to standard error: errors, and not
 * too many of them, or all of all kinds.
 */
void faults_print(const struct lkc_diags *d, size_t from, bool all);

#endif
