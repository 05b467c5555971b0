#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Puts the knowledge base into a C file:
#
#	kb-embed.sh OUT.c FILE.config...
#
# OUT.c defines the table that kb-embed.h declares. It is replaced in one go.

set -eu

if [ $# -lt 2 ]; then
	echo "usage: $0 OUT.c FILE.config..." >&2
	exit 1
fi

LC_ALL=C
export LC_ALL

out=$1
shift
tmp=$out.tmp.$$
trap 'rm -f "$tmp"' EXIT HUP INT TERM

awk '
function quoted(s)
{
	gsub(/\\/, "&&", s)
	# question marks too: two of them could begin a trigraph
	gsub(/["?]/, "\\\\&", s)
	gsub(/\t/, "\\t", s)
	gsub(/\r/, "\\r", s)
	return "\"" s
}

function begin(file)
{
	sub(/.*\//, "", file)
	printf "\t{ %s\",\n", quoted(file)
}

BEGIN {
	print "// SPDX-License-Identifier: GPL-2.0-only"
	print "/* Made by kb-embed.sh from kb/: do not edit. */"
	print "#include <stddef.h>\n"
	print "#include \"kb-embed.h\"\n"
	print "const struct kb_embedded kb_embedded[] = {"
	for (i = 1; i < ARGC; i++) {
		begin(ARGV[i])
		n = 0
		while ((got = (getline line < ARGV[i])) > 0) {
			print "\t  " quoted(line) "\\n\""
			n++
		}
		if (got < 0) {
			print ARGV[i] ": cannot be read" > "/dev/stderr"
			exit 1
		}
		close(ARGV[i])
		print n ? "\t}," : "\t  \"\"\n\t},"
	}
	print "\t{ NULL, NULL },\n};"
}
' "$@" >"$tmp"

mv -f "$tmp" "$out"
