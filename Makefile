# SPDX-License-Identifier: GPL-2.0-only
#
# Builds and tests kconfig-agent outside of a kernel tree, into build/.
#
#	make				the library and the programs
#	make SAN=1			the same with sanitizers, into build/san
#	make CC=clang B=build/clang	another compiler, another directory
#	make V=1			show the commands

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:

# What is given for these is text: no make and no shell is to expand it.
text-vars := GOAL PROVIDER MODEL URL JOURNAL ARGS KDIR O
$(foreach v,$(text-vars),$(eval override $v := $$(value $v)))
export $(text-vars)

ifdef SAN
B ?= build/san
else
B ?= build
endif

ifeq ($(origin CC),default)
CC := gcc
endif
FLEX ?= flex
BISON ?= bison
PKG_CONFIG ?= pkg-config

include objs.mk

# What setup installs has to be there when the rest of this file is read: the other
# goals are for a make of their own.
goals := $(filter-out setup,$(MAKECMDGOALS))
ifneq ($(filter setup,$(MAKECMDGOALS)),)
.PHONY: setup $(goals)
setup:
	@scripts/setup.sh $(goals)
$(firstword $(goals)): setup
	@$(MAKE) --no-print-directory $(goals)
$(wordlist 2,$(words $(goals)),$(goals)): $(firstword $(goals)) ;
else

CFLAGS ?= -O2 -g
warnings := -Wall -Wextra -Werror -Wmissing-prototypes -Wstrict-prototypes \
	-Wdeclaration-after-statement
includes := -Ilkc -Ilkc/include -Iscripts/kconfig-agent -I$(B)/lkc
cflags := -std=gnu11 $(CFLAGS) $(warnings) -D_GNU_SOURCE $(includes) -pthread
ldflags := $(LDFLAGS) -pthread
ifdef SAN
cflags += -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
ldflags += -fsanitize=address,undefined
endif

agent-libs := @$(B)/libs -lm
test-libs = $(shell $(PKG_CONFIG) --libs cmocka)

lkc-o := $(addprefix $(B)/lkc/,$(objs-lkc) $(objs-resolve))
kconf-o := $(addprefix $(B)/lkc/,$(objs-kconf))
agent-o := $(addprefix $(B)/agent/,$(objs-agent))
main-o := $(addprefix $(B)/agent/,$(objs-main))
fuzz-targets := $(patsubst %.c,$(B)/%,$(wildcard tests/fuzz/fuzz-*.c))
unit-tests := $(patsubst %.c,$(B)/%,$(wildcard tests/unit/test-*.c))
drivers := $(patsubst %.c,$(B)/tests/%,\
	$(notdir $(wildcard tests/agent/*.c tests/integration/*.c)))

silent := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
ifdef V
Q :=
say = @:
else
Q := @
say = @$(if $(silent),:,printf '  %-7s %s\n')
endif

.PHONY: all lib kconf kconfig-agent tests clean FORCE
.PHONY: agentconfig install-tree uninstall-tree install check check-full bench
.PHONY: check-parity-full
.PHONY: fuzz fuzz-targets
all: lib kconf kconfig-agent
lib: $(B)/liblkc.a
kconf: $(B)/kconf
kconfig-agent: $(B)/kconfig-agent
tests: all $(unit-tests) $(drivers)

$(B)/liblkc.a: $(lkc-o)
$(B)/libagent.a: $(agent-o)
$(B)/lib%.a:
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/kconf: $(kconf-o) $(B)/liblkc.a
	$(say) LD $@
	$(Q)$(CC) $(ldflags) -o $@ $^

$(B)/kconfig-agent: $(main-o) $(B)/libagent.a $(B)/liblkc.a
	$(say) LD $@
	$(Q)$(CC) $(ldflags) -o $@ $^ $(agent-libs)

$(unit-tests): %: %.o $(B)/libagent.a $(B)/liblkc.a
	$(say) LD $@
	$(Q)$(CC) $(ldflags) -o $@ $^ $(agent-libs) $(test-libs)

$(fuzz-targets): %: %.o $(B)/libagent.a $(B)/liblkc.a
	$(say) LD $@
	$(Q)$(CC) -fsanitize=fuzzer $(ldflags) -o $@ $^ $(agent-libs)

$(drivers): %: %.o $(B)/libagent.a $(B)/liblkc.a
	$(say) LD $@
	$(Q)$(CC) $(ldflags) -o $@ $^ $(agent-libs)

# Objects depend on the compiler and its flags, too.
$(B)/.flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(cflags)' | cmp -s - $@ || echo '$(CC) $(cflags)' >$@

# Where the libraries are.
$(B)/libs: $(B)/cflags ;
$(B)/cflags: scripts/kconfig-agent/libs-cfg.sh $(B)/.flags
	$(say) CHECK libraries
	$(Q)HOSTCC='$(CC)' HOSTPKG_CONFIG='$(PKG_CONFIG)' \
		sh $< $(B)/cflags $(B)/libs

compile = $(CC) $(cflags) -MMD -MP -c -o $@ $<

$(B)/lkc/%.o: lkc/%.c $(B)/.flags
	$(say) CC $@
	@mkdir -p $(@D)
	$(Q)$(compile)

$(B)/lkc/%.o: $(B)/lkc/%.c $(B)/.flags
	$(say) CC $@
	$(Q)$(compile)

$(agent-o) $(main-o): compile += @$(B)/cflags
$(agent-o) $(main-o): $(B)/cflags
$(B)/agent/%.o: scripts/kconfig-agent/%.c $(B)/.flags
	$(say) CC $@
	@mkdir -p $(@D)
	$(Q)$(compile)

$(B)/agent/%.o: $(B)/agent/%.c $(B)/.flags
	$(say) CC $@
	$(Q)$(compile)

$(B)/tests/fuzz/%.o: tests/fuzz/%.c $(B)/.flags
	$(say) CC $@
	@mkdir -p $(@D)
	$(Q)$(compile)

$(B)/tests/unit/%.o: tests/unit/%.c $(B)/.flags
	$(say) CC $@
	@mkdir -p $(@D)
	$(Q)$(compile)

vpath %.c tests/agent tests/integration
$(B)/tests/%.o: %.c $(B)/.flags
	$(say) CC $@
	@mkdir -p $(@D)
	$(Q)$(compile)

# Generated sources. Objects that include generated headers wait for them.
generated := $(patsubst %.o,$(B)/lkc/%.c,$(filter %.lex.o %.tab.o,$(objs-lkc)))
$(lkc-o): | $(generated)

$(B)/lkc/%.lex.c: lkc/%.l
	$(say) FLEX $@
	@mkdir -p $(@D)
	$(Q)$(FLEX) -o $@ -L $<

$(B)/lkc/%.tab.c: lkc/%.y
	$(say) BISON $@
	@mkdir -p $(@D)
	$(Q)$(BISON) -o $@ --defines=$(@:.c=.h) -l $<

kb := $(sort $(wildcard scripts/kconfig-agent/kb/*.config))
$(B)/agent/kb-embedded.c: scripts/kconfig-agent/kb-embed.sh $(kb)
	$(say) EMBED $@
	@mkdir -p $(@D)
	$(Q)sh $< $@ $(kb)

# The main job, on the kernel tree KDIR as it is. The kernel's make gets what was
# given to this one on the command line, such as ARCH or LLVM; the agent's
# options reach agentconfig.sh through the environment.
tree := $(if $(KDIR),$(KDIR),build/linux)
kernel-vars := $(foreach v,$(filter-out $(text-vars) B SAN,$(.VARIABLES)),\
	$(if $(filter command,$(firstword $(origin $v))),$v))
quote = '$(subst ','\'',$(1))'
kernel-args = $(foreach v,$(kernel-vars),$(call quote,$v=$(value $v))) \
	$(if $(O),$(call quote,O=$(abspath $(O)))) \
	$(if $(silent),-s)

agentconfig: kconfig-agent
	$(Q)if ! [ -e $(call quote,$(tree)/scripts/kconfig/Makefile) ]; then \
		echo '$(call quote,$(tree)) is no kernel tree:' \
			'give one as KDIR=, or let "make setup" fetch one' >&2; \
		exit 2; \
	fi
	$(Q)unset MAKEFLAGS MFLAGS MAKELEVEL; \
	case $$JOURNAL in ''|/*) ;; *) JOURNAL=$(CURDIR)/$$JOURNAL ;; esac; \
	MAKEFILES=$(CURDIR)/scripts/kconfig-agent/agentconfig.mk \
	KCONFIG_AGENT=$(abspath $(B)/kconfig-agent) \
	$(MAKE) -C $(call quote,$(tree)) $(kernel-args) agentconfig

install-tree uninstall-tree:
	$(Q)scripts/install-tree.sh $(@:-tree=) $(call quote,$(KDIR))

PREFIX ?= /usr/local
bindir := $(DESTDIR)$(PREFIX)/bin
datadir := $(DESTDIR)$(PREFIX)/share
man := $(wildcard scripts/kconfig-agent/man/*.[15])

install: all
	$(Q)install -d $(bindir) $(datadir)/man/man1 $(datadir)/man/man5 \
		$(datadir)/kconfig-agent/kb \
		$(datadir)/bash-completion/completions
	$(say) INSTALL $(bindir)
	$(Q)install -m 755 $(B)/kconf $(B)/kconfig-agent $(bindir)
	$(say) INSTALL $(datadir)
	$(Q)install -m 644 $(filter %.1,$(man)) $(datadir)/man/man1
	$(Q)install -m 644 $(filter %.5,$(man)) $(datadir)/man/man5
	$(Q)install -m 644 $(kb) $(datadir)/kconfig-agent/kb
	$(Q)install -m 644 scripts/completion/kconfig-agent scripts/completion/kconf \
		$(datadir)/bash-completion/completions

# Tests. What they take, "make setup" installs.
check:
	@tests/check.sh

check-full:
	@tests/check.sh --full

# Only the comparison with the kernel's conf on its own trees, all of it.
check-parity-full: kconf
	@tests/trees.sh
	@tests/parity/run.py --full --extra --strict --kconf $(B)/kconf

# libFuzzer is clang's. The targets have a build of their own.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=
fuzz:
	@$(MAKE) --no-print-directory SAN=1 CC=clang B=build/fuzz \
		CFLAGS='-O1 -g -fsanitize=fuzzer-no-link' fuzz-targets
	@tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzz-targets: $(fuzz-targets)

bench: kconf
	@tests/trees.sh
	@tests/bench/load.py --kconf $(B)/kconf --large

clean:
	$(say) CLEAN $(B)
	$(Q)rm -rf $(addprefix $(B)/,agent lkc tests check san clang fuzz .flags cflags \
		libs liblkc.a libagent.a kconf kconfig-agent)

-include $(patsubst %.o,%.d,$(lkc-o) $(kconf-o) $(agent-o) $(main-o) \
	$(addsuffix .o,$(unit-tests) $(drivers) $(fuzz-targets)))

endif # setup
