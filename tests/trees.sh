#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Lay out the kernel trees that the tests are judged by.
#
# usage: tests/trees.sh [VERSION...]		(default: 6.1 6.12)
#
# For each VERSION, of Debian's package linux-source-VERSION, what configuration
# needs is unpacked into build/trees/VERSION, and the tree's own conf is built in
# build/trees/obj-VERSION. Trees that are in place already are left alone.
#
# TREES_SRC names another directory than /usr/src to find the tarballs in.

set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
trees=$top/build/trees
src=${TREES_SRC:-/usr/src}

# What a caller's make or shell exports must not reach the kernel's make.
unset MAKEFLAGS MAKEOVERRIDES MFLAGS MAKELEVEL MAKEFILES GNUMAKEFLAGS
unset ARCH SUBARCH CROSS_COMPILE LLVM LLVM_IAS CC LD AR NM OBJCOPY HOSTCC
unset KDIR O KBUILD_OUTPUT KCONFIG_CONFIG KCONFIG_ALLCONFIG KCONFIG_SEED
unset KCONFIG_DIALECT KCONFIG_DEFCONFIG_LIST srctree objtree CDPATH

die() {
	echo "tests/trees.sh: $*" >&2
	exit 1
}

# Patterns that may begin at any component of a path; see tar(1), --no-anchored.
floating='Kconfig* Kbuild* Makefile* Platform'

# Patterns that begin at the top of the tree: what the make rules of
# configuration and `make help` read, and what $(shell) in Kconfig files calls.
anchored='
scripts/*
tools/build/*
tools/scripts/*
kernel/configs/*
arch/*/configs/*
arch/*/tools/*
arch/*/scripts/*
Documentation/kbuild/*
include/linux/compiler*.h
include/linux/kconfig.h
include/linux/export*.h
include/uapi/linux/a.out.h
arch/x86/include/asm/orc_types.h
'

# These stand at the top of every kernel tree, and nothing else matches.
toplevel='COPYING CREDITS MAINTAINERS README .clang-format .gitignore'

unpack() {
	version=$1 tarball=$2 tree=$trees/$1
	prefix=linux-source-$version

	set -f
	set --
	for pattern in $floating; do
		set -- "$@" --no-anchored "$pattern"
	done
	for pattern in $anchored $toplevel; do
		set -- "$@" --anchored "$prefix/$pattern"
	done
	set +f

	rm -rf "$trees/tmp-$version"
	mkdir -p "$trees/tmp-$version"
	# A pattern that matches nothing in this version is no fault; all else is.
	xz -dc -T0 "$tarball" |
		LC_ALL=C tar -xf - -C "$trees/tmp-$version" --strip-components=1 \
			--no-same-owner --wildcards "$@" \
			2>"$trees/tmp-$version.log" || :
	if grep -v -e ': Not found in archive$' -e ': Exiting with failure status' \
		"$trees/tmp-$version.log" >&2; then
		die "cannot unpack $tarball"
	fi
	for need in Makefile Kconfig scripts/kconfig/conf.c scripts/checkpatch.pl; do
		test -s "$trees/tmp-$version/$need" ||
			die "$tarball: no $need in it; is the package damaged?"
	done
	rm -rf "$tree" "$trees/tmp-$version.log"
	mv "$trees/tmp-$version" "$tree"
}

build_conf() {
	version=$1 obj=$trees/obj-$1

	rm -rf "$obj"
	mkdir -p "$obj"
	make -s -C "$trees/$version" O="$obj" ARCH=x86_64 defconfig \
		>"$obj/build.log" 2>&1 || {
		cat "$obj/build.log" >&2
		die "cannot build the conf of $version (needs gcc, make, flex, bison)"
	}
	test -x "$obj/scripts/kconfig/conf" ||
		die "$obj/scripts/kconfig/conf has not been built"
}

prepare() {
	version=$1
	tarball=$src/linux-source-$version.tar.xz
	stamp=$trees/.stamp-$version

	test -r "$tarball" ||
		die "no $tarball; install the package linux-source-$version"
	# The tree is remade when the package or this script changes.
	want=$(stat -c '%s %Y' "$tarball"; cksum <"$top/tests/trees.sh")
	if test -f "$stamp" && test "$(cat "$stamp")" = "$want" &&
	   test -x "$trees/obj-$version/scripts/kconfig/conf"; then
		return
	fi
	echo "  TREE    build/trees/$version"
	rm -f "$stamp"
	unpack "$version" "$tarball"
	echo "  CONF    build/trees/obj-$version"
	build_conf "$version"
	echo "$want" >"$stamp"
}

for tool in xz tar make cksum flock; do
	command -v $tool >/dev/null || die "$tool is not installed"
done

mkdir -p "$trees"
exec 9>"$trees/.lock"
flock 9

test $# -gt 0 || set -- 6.1 6.12
for version; do
	prepare "$version"
done
