#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Finds the libraries that kconfig-agent is built with.
#
#	libs-cfg.sh CFLAGS LIBS
#
# Writes the compiler's and the linker's flags into these two files, or says
# what is missing, and how to get it. Uses $HOSTPKG_CONFIG and $HOSTCC.

set -eu

cflags_file=$1
libs_file=$2
pkg_config=${HOSTPKG_CONFIG:-pkg-config}
cc=${HOSTCC:-cc}

cflags= libs= missing= debian= fedora= arch=

# library NAME HEADER LIBS DEBIAN FEDORA ARCH: NAME is pkg-config's, LIBS what
# the linker takes where pkg-config does not know.
library() {
	if $pkg_config --exists "$1" 2>/dev/null; then
		cflags="$cflags $($pkg_config --cflags "$1")"
		libs="$libs $($pkg_config --libs "$1")"
	elif printf '#include <%s>\nint main(void) { return 0; }\n' "$2" |
	     $cc -x c - -o /dev/null $3 2>/dev/null; then
		libs="$libs $3"
	else
		missing="$missing $1"
		debian="$debian $4"
		fedora="$fedora $5"
		arch="$arch $6"
	fi
}

library libcurl curl/curl.h -lcurl libcurl4-openssl-dev libcurl-devel curl
library libcjson cjson/cJSON.h -lcjson libcjson-dev cjson-devel cjson

# Its header has no directory of its own everywhere.
header=picosat/picosat.h
! echo '#include <picosat.h>' | $cc -x c -fsyntax-only - 2>/dev/null ||
	header=picosat.h
library picosat $header -lpicosat picosat picosat-devel picosat

if [ -n "$missing" ]; then
	cat >&2 <<-END
	*
	* kconfig-agent cannot be built: there is no$missing.
	* Install it, or them, and try again:
	*
	*	Debian, Ubuntu:	apt-get install$debian
	*	Fedora:		dnf install$fedora
	*	Arch:		pacman -S$arch
	*
	END
	exit 1
fi

echo "$cflags" >"$cflags_file"
echo "$libs" >"$libs_file"
