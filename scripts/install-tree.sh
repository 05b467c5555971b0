#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Puts kconfig-agent into a kernel tree, and takes it out again.
#
#	install-tree.sh install DIR
#	install-tree.sh uninstall DIR
#
# The sources go to DIR/scripts/kconfig-agent/, and a patch of patches/, chosen
# by the version of the tree, makes Kbuild know of them. All is checked before
# anything is touched. Doing it twice does no harm, and brings sources up to
# date. Uninstalling leaves the tree as it was, byte by byte.

set -eu
LC_ALL=C
export LC_ALL

top=$(cd "$(dirname "$0")/.." && pwd)

die() {
	echo "install-tree: $*" >&2
	exit 2
}

usage() {
	echo "usage: $0 install|uninstall DIR" >&2
	exit 1
}

[ $# -eq 2 ] || usage
action=$1
[ -n "$2" ] || die "which kernel tree? Say so with KDIR="
[ -f "$2/Makefile" ] && [ -f "$2/scripts/kconfig/Makefile" ] ||
	die "$2 is no kernel tree"
tree=$(cd "$2" && pwd)
dest=$tree/scripts/kconfig-agent
manifest=$dest/.manifest

command -v patch >/dev/null || die "the program patch is not installed"

# make_var NAME: what the tree's Makefile sets it to.
make_var() {
	sed -n "s/^$1 *= *//p" "$tree/Makefile" | head -n 1
}

# older A.B C.D: is the first version older than the second?
older() {
	[ "${1%%.*}" -lt "${2%%.*}" ] ||
		{ [ "${1%%.*}" -eq "${2%%.*}" ] && [ "${1#*.}" -lt "${2#*.}" ]; }
}

# The patch for the newest version that is not newer than the tree.
choose_patch() {
	version=$(make_var VERSION).$(make_var PATCHLEVEL)
	case $version in
	*[!0-9.]* | .* | *.) die "the Makefile of $tree has no version" ;;
	esac
	best=
	for file in "$top"/patches/*.patch; do
		this=$(basename "$file" .patch)
		if ! older "$version" "$this" &&
		   { [ -z "$best" ] || older "$best" "$this"; }; then
			best=$this
		fi
	done
	[ -n "$best" ] || die "Linux $version is too old: there is no patch for it"
	patch=$top/patches/$best.patch
}

# run_patch FILE OPTION...: all of it or nothing, and no files of its own.
run_patch() {
	file=$1
	shift
	patch -p1 -d "$tree" -f -s -F0 --no-backup-if-mismatch -r - "$@" <"$file"
}

# would_patch FILE OPTION...: would it work?
would_patch() {
	run_patch "$@" --dry-run >/dev/null 2>&1
}

# "source destination" of each file, relative to $top and to $dest.
list_files() {
	cd "$top"
	printf '%s %s\n' Kbuild Kbuild objs.mk objs.mk
	find lkc -name '*.[chly]' | sort | sed 's/.*/& &/'
	find scripts/kconfig-agent -type f \( -name '*.[ch]' -o -name '*.sh' \
		-o -name '*.mk' -o -name '*.config' -o -name .gitignore \) |
		sort | sed 's,scripts/kconfig-agent/\(.*\),& \1,'
}

# Removes the directories that have become empty, $dest at last.
prune() {
	find "$dest" -depth -type d -exec rmdir {} + 2>/dev/null || :
}

copy_files() {
	list_files | while read -r from to; do
		cmp -s "$top/$from" "$dest/$to" && continue
		mkdir -p "$(dirname "$dest/$to")"
		cp "$top/$from" "$dest/$to"
	done
}

# What an earlier version had, and this one has not.
remove_stale() {
	[ -f "$manifest" ] || return 0
	list_files | sed 's/.* //' | sort >"$manifest.new"
	sort "$manifest" | comm -23 - "$manifest.new" | while read -r file; do
		rm -f "$dest/$file"
	done
	rm -f "$manifest.new"
}

install_tree() {
	if [ -e "$dest" ] && [ ! -f "$manifest" ]; then
		die "$dest is there, but did not come from here"
	fi
	choose_patch
	if would_patch "$patch" -R; then
		patched=y
	elif would_patch "$patch" -N; then
		patched=
	else
		die "$patch does not fit $tree: has it other changes there?"
	fi

	# From here on, uninstalling undoes what has been done.
	mkdir -p "$dest"
	remove_stale
	list_files | sed 's/.* //' >"$manifest"
	cp "$patch" "$dest/.patch"
	copy_files
	prune
	[ -n "$patched" ] || run_patch "$patch" -N
	echo "kconfig-agent is in $tree: make agentconfig GOAL=\"...\""
}

remove_files() {
	while read -r file; do
		rm -f "$dest/$file"
	done <"$manifest"
	rm -f "$manifest" "$dest/.patch"
	# What Kbuild has made of them.
	find "$dest" \( -name '*.o' -o -name '.*.cmd' -o -name '.*.d' \
		-o -name '*.lex.c' -o -name '*.tab.[ch]' \) -exec rm -f {} +
	sed -n 's,^/,,p' "$top/scripts/kconfig-agent/.gitignore" |
		while read -r file; do
			rm -f "$dest/$file"
		done
	prune
}

uninstall_tree() {
	if [ ! -f "$manifest" ]; then
		echo "kconfig-agent is not in $tree"
		return
	fi
	if would_patch "$dest/.patch" -R; then
		run_patch "$dest/.patch" -R
	elif grep -q kconfig-agent "$tree/scripts/Makefile" \
		"$tree/scripts/kconfig/Makefile"; then
		die "$tree has changed where it was patched: take the lines" \
			"that name kconfig-agent out of scripts/Makefile and" \
			"scripts/kconfig/Makefile, then try again"
	fi
	remove_files
	if [ -e "$dest" ]; then
		echo "install-tree: these did not come from here, and stay:" >&2
		find "$dest" ! -type d >&2
		exit 3
	fi
	echo "kconfig-agent is no longer in $tree"
}

case $action in
install) install_tree ;;
uninstall) uninstall_tree ;;
*) usage ;;
esac
