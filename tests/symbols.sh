#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Holds liblkc to its word: it never exits, never prints, and has no writable
# data, so that trees can be loaded in any number and from any thread.
#
#	tests/symbols.sh LIBRARY
#
# Looks at the symbols of its objects, which must be optimised ones: without
# optimisation calls are left in that can never be reached.

set -eu
LC_ALL=C
export LC_ALL

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM

# faults FILE: a line for each symbol that has no place there, its object first.
# Tables of pointers that are constant but for relocation are not writable.
faults() {
	nm -A -f sysv "$1" | awk -F '|' '
	BEGIN {
		n = split("exit _exit _Exit quick_exit abort raise kill " \
			"printf vprintf puts putchar putc fprintf vfprintf " \
			"fputs fputc fwrite perror psignal dprintf vdprintf " \
			"__printf_chk __vprintf_chk __fprintf_chk " \
			"__vfprintf_chk __dprintf_chk __vdprintf_chk " \
			"__assert_fail stdin stdout stderr " \
			"warn warnx vwarn vwarnx err errx verr verrx error " \
			"syslog vsyslog getenv secure_getenv setenv putenv " \
			"environ", names, " ")
		for (i = 1; i <= n; i++)
			banned[names[i]]
	}
	{
		for (i = 1; i <= NF; i++)
			gsub(/^ +| +$/, "", $i)
		n = split($1, where, ":")
		name = where[n]
		sub(/@.*/, "", name)
		object = where[n - 1]
	}
	# flex gives its scanners files to fall back on, never used here.
	object == "lexer.lex.o" && (name == "stdin" || name == "stdout") {
		next
	}
	$3 == "U" && name in banned {
		print object ": calls or uses " name
	}
	$3 ~ /^[dDbBC]$/ && $7 !~ /^\.data\.rel\.ro/ {
		print object ": writable data: " name
	}'
}

# What has to be found in an object that does all of it.
cat >"$work/bad.c" <<-END
	#include <stdio.h>
	#include <stdlib.h>
	static int calls;
	int shared = 1;
	const char *const words[] = { "a", "b" };
	void bad(void)
	{
		calls++;
		puts(words[calls]);
		fprintf(stderr, "%d", shared);
		exit(1);
	}
END
${CC:-gcc} -O2 -fPIE -c -o "$work/bad.o" "$work/bad.c"
ar rcs "$work/bad.a" "$work/bad.o"
found=$(faults "$work/bad.a" | sed 's/.* //' | sort | tr '\n' ' ')
found=$(echo "$found" | sed 's/__fprintf_chk/fprintf/')
if [ "$found" != "calls exit fprintf puts shared stderr " ]; then
	echo "symbols: the search does not work, it found: $found"
	echo "symbols: 0 passed, 1 failed"
	exit 1
fi

objects=$(ar t "$1" | wc -l)
faults "$1" | tee "$work/faults"
bad=$(cut -d : -f 1 "$work/faults" | sort -u | wc -l)
echo "symbols: $((objects + 1 - bad)) passed, $bad failed"
[ "$bad" -eq 0 ]
