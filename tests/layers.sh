#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Checks who includes what: a file may use its own layer and those below it, and
# each library that is not ours has one file that knows it. Also, that each source
# is built.

set -eu
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM

# includes FILE...: "file header" for each.
includes() {
	awk '/^#[ \t]*include/ {
		header = $2
		gsub(/[<>"]/, "", header)
		print FILENAME, header
	}' "$@"
}

lkc=$(find lkc -name '*.[chly]')
agent=$(find scripts/kconfig-agent -name '*.[ch]')
# shellcheck disable=SC2086
includes $lkc $agent >"$work/all"

passed=0
failed=0

# rule WHAT AWK-CONDITION: lines for which it is true are faults; file and
# header are the variables.
rule() {
	if awk "{ file = \$1; header = \$2 } $2 { print \"$1: \" \$0; bad = 1 }
		END { exit bad }" "$work/all"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
}

rule 'only http.c knows curl' \
	'header ~ /^curl\// && file !~ /\/http\.c$/'
rule 'only json.c knows cJSON' \
	'header ~ /cJSON/ && file !~ /\/json\.c$/'
rule 'only resolve-sat.c knows PicoSAT' \
	'header ~ /picosat/ && file !~ /\/resolve-sat\.c$/'
rule 'only tui-*.c knows ncurses' \
	'header ~ /curses/ && file !~ /\/tui-[a-z]*\.c$/'
rule 'lkc/base knows nothing of Kconfig' \
	'file ~ /^lkc\/base\// && header ~ /lkc\/lkc\.h|^[a-z-]*\.h$/ &&
	 system("test -e lkc/" header) == 0'
rule 'lkc does not know the agent' \
	'file ~ /^lkc\// && header ~ /^[a-z-]*\.h$/ &&
	 system("test -e scripts/kconfig-agent/" header) == 0 &&
	 system("test -e lkc/" header) != 0'
rule 'the agent uses the public header of lkc, and lkc/base' \
	'file ~ /^scripts\// && header ~ /^[a-z-]*\.h$/ &&
	 system("test -e lkc/" header) == 0 &&
	 system("test -e scripts/kconfig-agent/" header) != 0'
rule 'kconf uses the public header of lkc, lkc/base and its own files' \
	'file ~ /^lkc\/conf(-[a-z]*)?\.c$/ && header ~ /^[a-z-]*\.h$/ &&
	 header !~ /^conf(-[a-z]*)?\.h$/ &&
	 system("test -e lkc/" header) == 0'
rule 'what is below the commands does not know them' \
	'header ~ /^(cmd|tui)(-[a-z]*)?\.h$/ &&
	 file !~ /\/(cmd|tui)(-[a-z]*)?\.[ch]$/ &&
	 file !~ /\/(main|session|outcome)\.c$/'

# Every source is built: there is one list, and it is whole.
for source in lkc/*.[cly] lkc/base/*.c scripts/kconfig-agent/*.c; do
	object=${source#lkc/}
	object=${object#scripts/kconfig-agent/}
	case $object in
	*.l) object=${object%.l}.lex.o ;;
	*.y) object=${object%.y}.tab.o ;;
	*) object=${object%.c}.o ;;
	esac
	tr -s ' \t\\' '\n' <objs.mk | grep -qxF "$object" ||
		echo "not in objs.mk: $source"
done >"$work/unlisted"
if [ -s "$work/unlisted" ]; then
	cat "$work/unlisted"
	failed=$((failed + 1))
else
	passed=$((passed + 1))
fi

echo "layers: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
