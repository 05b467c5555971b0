/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * confdata - what reading and writing .config files share
 */
#ifndef LKC_CONFDATA_H
#define LKC_CONFDATA_H

#include "config.h"

/* "CONFIG_", or what the environment says instead. */
const char *confdata_prefix(const struct lkc_tree *t);

#endif
