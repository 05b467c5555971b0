# SPDX-License-Identifier: GPL-2.0-only
#
# What is built from what, for Makefile and Kbuild alike. Names are relative to
# lkc/ and to scripts/kconfig-agent/, which in a kernel tree are one in the other.

lkc-dir ?= lkc
agent-dir ?= scripts/kconfig-agent

objs-lkc := $(filter-out conf.o conf-%.o %.lex.o %.tab.o,$(patsubst $(lkc-dir)/%.c,%.o,\
	$(wildcard $(lkc-dir)/*.c $(lkc-dir)/base/*.c))) \
	lexer.lex.o parser.tab.o

objs-kconf := $(patsubst $(lkc-dir)/%.c,%.o,$(wildcard \
	$(lkc-dir)/conf.c $(lkc-dir)/conf-*.c))

objs-agent := $(patsubst $(agent-dir)/%.c,%.o,\
	$(filter-out %/main.c %/kb-embedded.c,$(wildcard $(agent-dir)/*.c))) kb-embedded.o

objs-main := main.o
