# SPDX-License-Identifier: GPL-2.0-only
#
# What is built from what. Makefile and Kbuild both read this: it is the only
# list of objects. Names are relative to lkc/ and to scripts/kconfig-agent/.

lkc-all := $(patsubst $(top)/lkc/%.c,%.o,$(wildcard $(top)/lkc/*.c $(top)/lkc/base/*.c))
lkc-objs := $(filter-out conf.o,$(lkc-all)) \
	$(patsubst $(top)/lkc/%.l,%.lex.o,$(wildcard $(top)/lkc/*.l)) \
	$(patsubst $(top)/lkc/%.y,%.tab.o,$(wildcard $(top)/lkc/*.y))

kconf-objs := conf.o

agent-objs := $(patsubst $(top)/scripts/kconfig-agent/%.c,%.o,\
	$(filter-out %/main.c,$(wildcard $(top)/scripts/kconfig-agent/*.c))) \
	kb-embedded.o
