/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd-json - what commands print with --json
 */
#ifndef KA_CMD_JSON_H
#define KA_CMD_JSON_H

struct json;

/* Prints @j on one line, frees it, and returns an exit status. */
int cmd_print_json(struct json *j);

#endif
