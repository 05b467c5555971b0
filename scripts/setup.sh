#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Installs what is missing, and fetches a kernel source.
#
#	setup.sh [GOAL...]
#
# With the goal agentconfig, what building and configuring takes, and, unless
# $KDIR names a kernel tree, the distribution's kernel source in build/linux.
# With any other goal, such as check, what the tests take as well. Without a
# goal, all of this. What is there already is left alone; what is run to get the
# rest is printed first.

set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
linux=$top/build/linux
tarballs=${TREES_SRC:-/usr/src}
mirror=${KERNEL_MIRROR:-https://cdn.kernel.org/pub/linux/kernel}

say() {
	echo "setup: $*"
}

die() {
	echo "setup: $*" >&2
	exit 2
}

# What is needed, how to see that it is there, and who has it. A need is a
# command, pkg-config's name of a library (pc:), a library of the compiler (cc:), a
# module of the Python that pytest runs in (py:), or a file. A distribution that
# has no package of it has a dash: what needs it is then left out of the tests.
#
# need			Debian, Ubuntu		Fedora			Arch
building='
make			make			make			make
gcc			gcc			gcc			gcc
/usr/include/stdio.h	libc6-dev		glibc-devel		glibc
flex			flex			flex			flex
bison			bison			bison			bison
pkg-config		pkg-config		pkgconf-pkg-config	pkgconf
patch			patch			patch			patch
perl			perl			perl			perl
xz			xz-utils		xz			xz
bzip2			bzip2			bzip2			bzip2
bc			bc			bc			bc
pc:libcurl		libcurl4-openssl-dev	libcurl-devel		curl
pc:libcjson		libcjson-dev		cjson-devel		cjson
cc:libpicosat.so	picosat			picosat-devel		picosat
pc:libelf		libelf-dev		elfutils-libelf-devel	libelf
pc:libcrypto		libssl-dev		openssl-devel		openssl
/etc/ssl/certs		ca-certificates		ca-certificates		ca-certificates
'
testing='
python3			python3			python3			python
pytest			python3-pytest		python3-pytest		python-pytest
py:xdist		python3-pytest-xdist	python3-pytest-xdist	python-pytest-xdist
pc:cmocka		libcmocka-dev		libcmocka-devel		cmocka
clang			clang			clang			clang
clang-rt:fuzzer		libclang-rt-dev		compiler-rt		compiler-rt
clang-format		clang-format		clang-tools-extra	clang
cc:libasan.so		gcc			libasan			gcc-libs
cc:libubsan.so		gcc			libubsan		gcc-libs
flock			util-linux		util-linux-core		util-linux
openssl			openssl			openssl			openssl
git			git			git			git
kconfig-conf		kconfig-frontends-nox	-			-
'

is_path() {
	case $1 in
	/*) return 0 ;;
	*) return 1 ;;
	esac
}

has_module() {
	python=$(sed -n '1s/^#! *//p' "$(command -v pytest)" 2>/dev/null) || return
	# shellcheck disable=SC2086
	${python:-python3} -c "import $1" 2>/dev/null
}

# The library of clang's that -fsanitize=$1 links, on this machine.
clang_runtime() {
	echo "libclang_rt.$1-$(clang -dumpmachine 2>/dev/null | cut -d- -f1).a"
}

is_there() {
	case $1 in
	pc:*) pkg-config --exists "${1#pc:}" 2>/dev/null ;;
	py:*) has_module "${1#py:}" ;;
	clang-rt:*) is_path "$(clang -print-file-name="$(clang_runtime "${1#*:}")")" ;;
	cc:*) is_path "$(gcc -print-file-name="${1#cc:}" 2>/dev/null)" ;;
	/*) [ -e "$1" ] ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

# Sets $family to debian, fedora, arch, or nothing, and $column to its column.
find_family() {
	ID= ID_LIKE=
	# shellcheck disable=SC1090
	[ ! -r "${OS_RELEASE:-/etc/os-release}" ] ||
		. "${OS_RELEASE:-/etc/os-release}"
	family= column=
	for id in $ID $ID_LIKE; do
		case $id in
		debian | ubuntu) family=debian column=2 ;;
		fedora | rhel | centos) family=fedora column=3 ;;
		arch) family=arch column=4 ;;
		esac
		[ -z "$family" ] || break
	done
}

# Runs a command as root, after printing it.
as_root() {
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null ||
			die "this takes root, and there is no sudo: $*"
		set -- sudo "$@"
	fi
	echo "+ $*"
	"$@"
}

update_lists() {
	[ -z "${updated-}" ] || return 0
	updated=y
	[ "$family" != debian ] || as_root apt-get update -q
}

install_packages() {
	case $family in
	debian)
		update_lists
		as_root env DEBIAN_FRONTEND=noninteractive apt-get install \
			-q -y --no-install-recommends "$@"
		;;
	fedora) as_root dnf install -y "$@" ;;
	arch) as_root pacman -S --needed --noconfirm "$@" ;;
	esac
}

# install_missing TABLE: what of the table is not there.
install_missing() {
	needs= packages=
	while read -r need names; do
		if [ -z "$need" ] || is_there "$need"; then
			continue
		fi
		package=
		# shellcheck disable=SC2086
		[ -z "$column" ] ||
			package=$(echo $need $names | cut -d ' ' -f "$column")
		[ "$package" != - ] || continue
		needs="$needs $need"
		packages="$packages $package"
	done <<-END
	$1
	END
	[ -n "$needs" ] || return 0
	say "missing:$needs"
	[ -n "$family" ] ||
		die "this distribution is unknown here; please install them"
	# shellcheck disable=SC2086
	install_packages $packages
}

# ---- kernel sources --------------------------------------------------------

# unpack TARBALL DIR: the tree in it becomes DIR, whole or not at all.
unpack() {
	say "unpacking $1 into $2"
	rm -rf "$2.tmp"
	mkdir -p "$2.tmp"
	tar -xf "$1" -C "$2.tmp" --strip-components=1 --no-same-owner
	[ -f "$2.tmp/Kconfig" ] || die "$1 is not a kernel source"
	rm -rf "$2"
	mv "$2.tmp" "$2"
}

# The newest tarball of the distribution's that is installed.
newest_tarball() {
	find -L "$tarballs" -maxdepth 2 -name 'linux-source-*.tar.*' 2>/dev/null |
		sort -V | tail -n 1
}

fetch_debian() {
	if [ -z "$(newest_tarball)" ]; then
		update_lists
		package=$(apt-cache search --names-only '^linux-source-[0-9.]+$' |
			cut -d ' ' -f 1 | sort -V | tail -n 1)
		[ -n "$package" ] || die "there is no package linux-source-*"
		install_packages "$package"
	fi
	tarball=$(newest_tarball)
	[ -n "$tarball" ] || die "$package has put no tarball into $tarballs"
	unpack "$tarball" "$linux"
}

fetch_fedora() {
	work=$linux.rpm
	rm -rf "$work"
	mkdir -p "$work"
	command -v cpio >/dev/null || install_packages cpio
	echo "+ dnf download --source kernel"
	dnf download --source --destdir "$work" kernel
	(cd "$work" && rpm2cpio kernel-*.src.rpm | cpio -id 'linux-*.tar.xz')
	unpack "$(find "$work" -name 'linux-*.tar.xz' | head -n 1)" "$linux"
	rm -rf "$work"
}

# kernel.org VERSION FILE
download() {
	say "downloading Linux $1"
	is_there curl || install_packages curl
	curl -fL --retry 3 -o "$2.tmp" "$mirror/v${1%%.*}.x/linux-$1.tar.xz"
	mv "$2.tmp" "$2"
}

# Arch has no package of it: the version that its package linux is made from.
fetch_arch() {
	version=$(pacman -Si linux | sed -n 's/^Version *: \([0-9.]*[0-9]\).*/\1/p' |
		head -n 1)
	[ -n "$version" ] || die "pacman knows of no package linux"
	download "$version" "$linux.tar.xz"
	unpack "$linux.tar.xz" "$linux"
	rm -f "$linux.tar.xz"
}

fetch_linux() {
	[ ! -f "$linux/Kconfig" ] || return 0
	[ -n "$family" ] || die "please give a kernel tree with KDIR="
	mkdir -p "$top/build"
	"fetch_$family"
}

# The trees that the tests hold us to: see tests/trees.sh.
fetch_test_trees() {
	for version in 6.1 6.12; do
		[ ! -f "$tarballs/linux-source-$version.tar.xz" ] || continue
		if [ "$family" = debian ]; then
			update_lists
			install_packages "linux-source-$version"
		else
			die "the tests need linux-source-$version.tar.xz of" \
				"Debian in $tarballs, or TREES_SRC=DIR"
		fi
	done
}

# ---- main ------------------------------------------------------------------

find_family
install_missing "$building"
case " $* " in
*" agentconfig "* | "  ") [ -n "${KDIR-}" ] || fetch_linux ;;
esac
for goal in "${@:-check}"; do
	if [ "$goal" != agentconfig ]; then
		install_missing "$testing"
		fetch_test_trees
		break
	fi
done
say "all is there"
