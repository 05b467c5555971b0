# SPDX-License-Identifier: GPL-2.0-only
#
# The target agentconfig of the kernel's make
#
# This is read by the kernel's own makefiles: through MAKEFILES where the tree
# is as it came, by an include in scripts/kconfig/Makefile where "make
# install-tree" has been at work. Every make of the kernel's recursion then
# reads it, but the rules are for the one that builds in scripts/kconfig, where
# all that conf needs has been exported.
#
# KCONFIG_AGENT names the program, unless Kbuild is to build it. The other
# variables are options: see agentconfig.sh.

# A tree that has this installed may be given it by MAKEFILES as well: what is read
# first counts.

ifeq ($(obj),scripts/kconfig)
ifneq ($(origin kconfig-agent-dir),file)

kconfig-agent-dir := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))

# The words of the user as they stand, whatever they mean to make or a shell.
define kconfig-agent-export
override $(1) := $$(value $(1))
export $(1)
endef
$(foreach v,GOAL PROVIDER MODEL URL JOURNAL ARGS,\
	$(if $(filter-out undefined,$(origin $v)),\
		$(eval $(call kconfig-agent-export,$v))))

.PHONY: agentconfig
agentconfig: $(obj)/conf
ifndef KCONFIG_AGENT
	$(Q)$(MAKE) $(build)=scripts/kconfig-agent
endif
	$(Q)sh $(kconfig-agent-dir)/agentconfig.sh $(silent)

endif
endif

# Only the kernel's makes down to that one are to read this.
ifeq ($(origin obj),command line)
unexport MAKEFILES
endif
