#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Checks the form of the sources.
#
#	tests/style.sh CHECKPATCH
#
# CHECKPATCH is the kernel's scripts/checkpatch.pl.

set -eu
cd "$(dirname "$0")/.."
checkpatch=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM

passed=0
failed=0

# verdict NAME FILE: no line in it, no fault.
verdict() {
	if [ -s "$2" ]; then
		sed "s/^/$1: /" "$2"
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
}

# What is meant for the kernel alone, and what the name of a macro hides.
#
# its macros, which are not ours		ARRAY_SIZE
#						PREFER_DEFINED_ATTRIBUTE_MACRO
#						STRCPY
# lists of rows, expanded several times		COMPLEX_MACRO MACRO_ARG_UNUSED
#						MACRO_WITH_FLOW_CONTROL
#						TRAILING_SEMICOLON
# sentences for people, longer than a line	SPLIT_STRING STRING_FRAGMENTS
#						LONG_LINE_STRING
# the verb that a function is called by		EMBEDDED_FUNCTION_NAME
# what execve() wants				STATIC_CONST_CHAR_ARRAY
# sig_atomic_t					VOLATILE
# comments about comments			REPEATED_WORD
# texts of tests				QUOTED_WHITESPACE_BEFORE_NEWLINE
#						SPDX_LICENSE_TAG
ignored=$(sed -n '/^# What is meant/,/^$/s/^#.*	\{1,\}//p' "$0" |
	tr -s '\n ' ',,')

# file TYPE: single places, each for the reason given.
exceptions='
lkc/base/arena.c LINE_SPACING		an array that is but an alignment
lkc/base/vec.h SPACING			the macro that declares members
lkc/order.h SPACING			a pointer to a type it does not know
lkc/resolve-sat.c SPACING		__has_include
tests/unit/test-oom.c AVOID_EXTERNS	what glibc declares nowhere
scripts/kconfig-agent/answer.c BRACKET_SPACE	designated initialisers in a macro
'

git ls-files '*.[ch]' >"$work/c"
git ls-files | grep -v -e '\.config$' -e '/config$' -e '^tests/kconfig/[^/]*/' \
	-e '^LICENSES/' -e '\.patch$' -e '\.md$' >"$work/all"

xargs -P "$(nproc)" -n 16 perl "$checkpatch" --no-tree --terse --show-types \
	--ignore "$ignored" -f <"$work/c" 2>/dev/null |
	sed -n 's/^\([^:]*:[0-9]*: [A-Z]*:[A-Z_]*: .*\)/\1/p' >"$work/found" || :
echo "$exceptions" | while read -r file type _; do
	[ -z "$file" ] ||
		printf '^%s:[0-9]*: [A-Z]*:%s:\n' "$file" "$type"
done >"$work/known"
grep -v -f "$work/known" "$work/found" >"$work/faults" || :
verdict checkpatch "$work/faults"

# clang-format and a person do not break lines alike, and versions of it do not
# either. Where more than three lines in ten differ, the style is another one.
while read -r file; do
	lines=$(wc -l <"$file")
	differ=$(clang-format "$file" | diff "$file" - | grep -c '^<') || :
	[ $((differ * 10)) -le $((lines * 3)) ] ||
		echo "$file: $differ of $lines lines differ"
done <"$work/c" >"$work/faults"
verdict clang-format "$work/faults"

while read -r file; do
	[ -L "$file" ] || [ ! -s "$file" ] ||
		head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0' ||
		echo "$file: no SPDX line"
done <"$work/all" >"$work/faults"
verdict licence "$work/faults"

xargs grep -nE '[ 	]+$' <"$work/all" >"$work/faults" || :
verdict 'blanks at the end' "$work/faults"

echo "style: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
