// SPDX-License-Identifier: GPL-2.0-only
#include "group.h"

const char *group_kind_name(enum group_kind kind)
{
	static const char *const names[] = {
		[GROUP_MENU] = "menu",
		[GROUP_BOOL] = "bool",
		[GROUP_CHOICE] = "choice",
		[GROUP_VALUE] = "value",
	};

	return names[kind];
}
