/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symjson - symbols as JSON, the same in all commands
 *
 *	{"name":"PREEMPT","type":"bool","value":"y","origin":"user",
 *	 "visible":"y","prompt":"Preemptible Kernel",
 *	 "file":"kernel/Kconfig.preempt","line":60}
 *
 * "origin" is user, default, select, imply, choice, or derived if there is no
 * source for the value but the absence of any; "visible" is the upper limit of
 * a value that the user sets. "prompt", "file" and "line" are left out where
 * there are none.
 */
#ifndef KA_SYMJSON_H
#define KA_SYMJSON_H

#include <lkc/lkc.h>

struct json;

/* The object for @sym as it is in @c; see json.h for ownership and errors. */
struct json *symjson_new(const struct lkc_config *c, lkc_sym sym);

#endif
