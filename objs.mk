# SPDX-License-Identifier: GPL-2.0-only
#
# What is built from what, for Makefile and Kbuild alike. Names are relative to
# lkc/ and to scripts/kconfig-agent/, which in a kernel tree are one in the other.

# The library. What follows "resolve" takes PicoSAT; kconf does without.
objs-lkc := \
	base/arena.o base/atomfile.o base/hash.o base/strbuf.o base/vec.o \
	answer.o autoconf.o build.o check.o config.o confread.o confwrite.o \
	diag.o eval.o explain.o expr.o graph.o judge.o lexer.lex.o menu.o \
	order.o parser.tab.o preprocess.o probe-cache.o probe-child.o \
	probe-files.o probe-key.o probe.o random.o recursion.o setall.o \
	source.o symbol.o tree.o txn.o warnings.o why.o

objs-resolve := \
	resolve-choice.o resolve-cone.o resolve-conflict.o resolve-core.o \
	resolve-encode.o resolve-sat.o resolve-search.o resolve-verify.o \
	resolve.o

objs-kconf := \
	conf-ask.o conf-help.o conf-modes.o conf-write.o conf.o

# The agent, but for its main(), which the tests replace by theirs.
objs-agent := \
	agent.o answer.o child.o cmd-explain.o cmd-json.o cmd-replay.o cmd-groups.o cmd-diff.o cmd-search.o cmd-check.o cmd-merge.o cmd-show.o cmd-set.o cmd-run.o envlist.o faults.o fragment.o \
	gate.o group.o http.o interrupt.o journal.o json-scan.o json.o \
	kb-embedded.o kb-plan.o kb-words.o kb.o kenv-cache.o kenv-conf.o \
	kenv-make.o kenv.o key.o llm-anthropic.o llm-chat.o llm-error.o llm-http.o llm-knowledge.o \
	llm-ollama.o llm-openai-error.o llm-openai.o llm.o menupath.o opts.o outcome.o \
	prompt-schema.o prompt.o record-read.o record.o report-json.o \
	report-text.o report.o session.o symjson.o term.o text.o utf8.o \
	lines.o walk.o whatif.o

objs-main := main.o
