/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * order - the order in which conf's hash table has the symbols
 *
 * It shows in auto.conf and its relatives, in the order of warnings, and, before
 * 6.12, in what randconfig draws for whom.
 */
#ifndef LKC_ORDER_H
#define LKC_ORDER_H

#include "model.h"

/*
 * All symbols but y, m and n, constants and choices included; *@n says how
 * many. To be freed; NULL when out of memory.
 */
lkc_sym *order_hash(const struct lkc_tree *t, uint32_t *n);

#endif
