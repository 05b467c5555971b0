/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * autoconf - the formats that a build reads
 */
#ifndef LKC_AUTOCONF_H
#define LKC_AUTOCONF_H

#include "base/strbuf.h"
#include "confdata.h"

/* Appends the whole file in @format, one of LKC_FORMAT_AUTO_CONF and below. */
int autoconf_format(const struct lkc_config *c, enum lkc_format format,
		    struct strbuf *out);

#endif
