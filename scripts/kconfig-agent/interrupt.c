// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <stddef.h>

#include "interrupt.h"

static volatile sig_atomic_t seen;

static void note(int sig)
{
	(void)sig;
	seen = 1;
}

void interrupt_catch(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = note, .sa_flags = SA_RESETHAND };
	struct sigaction old;
	size_t i;

	sigemptyset(&act.sa_mask);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		/* what is ignored from outside (nohup) stays so */
		if (!sigaction(signals[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
	}
}

bool interrupt_seen(void *arg)
{
	(void)arg;
	return seen;
}
