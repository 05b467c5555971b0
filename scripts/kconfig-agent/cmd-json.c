// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>

#include "cmd-json.h"
#include "cmd.h"
#include "json.h"
#include "term.h"

int cmd_print_json(struct json *j)
{
	char *text = json_print(j, NULL);

	json_free(j);
	if (!text) {
		term_error("out of memory");
		return EXIT_INPUT;
	}
	puts(text);
	free(text);
	return EXIT_DONE;
}
