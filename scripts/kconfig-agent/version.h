/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KA_VERSION_H
#define KA_VERSION_H

#define KA_VERSION "0.1.0"

#endif
