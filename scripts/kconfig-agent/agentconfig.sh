#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What "make agentconfig" runs in the object tree of a kernel
#
#	GOAL PROVIDER MODEL URL JOURNAL	options of "kconfig-agent run"
#	ARGS				further ones, quoted as for a shell
#	KCONFIG_AGENT			the program, if it is not the one
#					that Kbuild has built here
#	-s				make is to be silent

set -eu

agent=${KCONFIG_AGENT:-scripts/kconfig-agent/kconfig-agent}

set -f
eval "set -- ${1:+-q} ${ARGS-}"
set +f

set -- run ${GOAL:+--goal "$GOAL"} ${PROVIDER:+--provider "$PROVIDER"} \
	${MODEL:+--model "$MODEL"} ${URL:+--url "$URL"} \
	${JOURNAL:+--journal "$JOURNAL"} "$@"
unset GOAL PROVIDER MODEL URL JOURNAL ARGS KCONFIG_AGENT

exec "$agent" "$@"
