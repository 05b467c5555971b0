/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * interrupt - Ctrl-C means: come to a clean end
 */
#ifndef KA_INTERRUPT_H
#define KA_INTERRUPT_H

#include <stdbool.h>

/*
 * From now on SIGINT, SIGTERM and SIGHUP are noted. The second one of a kind
 * ends the program at once.
 */
void interrupt_catch(void);
/* Was there one? @arg is not used: the form that llm_settings wants. */
bool interrupt_seen(void *arg);

#endif
