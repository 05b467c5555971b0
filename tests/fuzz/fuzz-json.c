// SPDX-License-Identifier: GPL-2.0-only
/* JSON: what was read and is printed reads back as the same text. */
#include "fuzz.h"

#include "json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_error err;
	struct json *j = json_parse((const char *)data, size, NULL, &err);
	struct json *back;
	char *text, *again;
	size_t len, len2;

	if (!j) {
		must(err.offset <= size && err.what);
		return 0;
	}
	text = json_print(j, &len);
	must(text != NULL);
	back = json_parse(text, len, NULL, &err);
	must(back != NULL);
	again = json_print(back, &len2);
	must(again && len == len2 && memcmp(text, again, len) == 0);
	free(text);
	free(again);
	json_free(j);
	json_free(back);
	return 0;
}
