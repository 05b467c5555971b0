// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"
#include "symjson.h"

struct json *symjson_new(const struct lkc_config *c, lkc_sym sym)
{
	static const char *const tri[] = { "n", "m", "y" };
	const struct lkc_tree *tree = lkc_config_tree(c);
	enum lkc_origin origin = lkc_value_origin(c, sym);
	struct json *j = json_new_object();
	struct lkc_place place;

	json_set_str(j, "name", lkc_sym_name(tree, sym));
	json_set_str(j, "type", lkc_type_name(lkc_sym_type(tree, sym)));
	json_set_str(j, "value", lkc_value(c, sym));
	json_set_str(j, "origin", origin == LKC_ORIGIN_UNSET ? "derived" :
		     lkc_origin_name(origin));
	json_set_str(j, "visible", tri[lkc_visibility(c, sym)]);
	if (lkc_sym_prompt(tree, sym))
		json_set_str(j, "prompt", lkc_sym_prompt(tree, sym));
	if (lkc_sym_place(tree, sym, &place) && place.file) {
		json_set_str(j, "file", place.file);
		json_set_int(j, "line", place.line);
	}
	return j;
}
