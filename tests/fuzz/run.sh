#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs the fuzz targets of build/fuzz, each for so many seconds.
#
#	tests/fuzz/run.sh SECONDS [TARGET...]
#
# What a target finds worth keeping goes to build/fuzz/corpus/TARGET, and is
# where it begins next time; what makes it fail goes to build/fuzz/crash-*.

set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=$1
shift
out=build/fuzz
here=tests/fuzz

[ $# -gt 0 ] || set -- $(basename -a $here/fuzz-*.c | sed 's/^fuzz-//; s/\.c$//')

# Texts that others test with make good beginnings. The first byte is an option
# to some targets.
seeds() {
	dir=$out/seeds/$1
	mkdir -p "$dir"
	case $1 in
	answer)
		echo '0{"answers":[{"name":"menu:1","value":"open"}]}' >"$dir/menu"
		echo '1{"answers":[{"name":"A","value":"y","reason":"r",' \
			'"confidence":0.5},{"name":"CONFIG_B","value":"keep"}]}' \
			>"$dir/bool"
		printf '2```json\n{"answers":[{"name":"C1","value":"y"}]}\n```' \
			>"$dir/choice"
		echo '3{"answers":[{"name":"N","value":7},{"name":"S","value":""}]}' \
			>"$dir/value"
		;;
	json)
		printf '%s' '{"a":[1,-2.5e3,true,false,null,"\u00e4\ud83d\ude00\n"],' \
			'"b":{"c":{}},"":[]}' >"$dir/all"
		;;
	journal)
		printf '%s\n' '0{"seq":0,"event":"header",' \
			'"format":"kconfig-agent-journal","version":1' >"$dir/header"
		printf '%s%s\n' '0{"seq":0,"event":"header","format":' \
			'"kconfig-agent-journal","version":1,"kernel":"6.12"' \
			'{"seq":1,"event":"base","text":"CONFIG_A=y\n",' \
			'"hash":"0123456789abcdef"' \
			'{"seq":2,"event":"commit","group":1,"set":' \
			'[{"name":"A","value":"y"}],"changes":[]' \
			'{"seq":3,"event":"end","status":"done",' \
			'"config":"0123456789abcdef"' >"$dir/run"
		;;
	preprocess)
		echo '$(if,$(1),$(lineno),$(filename))$(error-if,n,$(2))' \
			>"$dir/functions"
		echo '$($(late),a,$(b),c)$(ARCH)' >"$dir/call"
		;;
	kconfig)
		for f in tests/kconfig/*/Kconfig; do
			name=$(basename "$(dirname "$f")")
			{ printf 2; cat "$f"; } >"$dir/$name"
			{ printf 1; cat "$f"; } >"$dir/$name-old"
		done
		;;
	config)
		for f in tests/kconfig/*/*.config; do
			cp "$f" "$dir/$(basename "$(dirname "$f")")-${f##*/}"
		done
		;;
	kb) cp scripts/kconfig-agent/kb/*.config "$dir" ;;
	esac
}

passed=0
failed=0
for target; do
	seeds "$target"
	corpus=$out/corpus/$target
	mkdir -p "$corpus"
	dict=$here/$target.dict
	log=$out/$target.log
	if "$out/$here/fuzz-$target" -max_total_time="$seconds" -timeout=20 \
		-rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
		-artifact_prefix="$out/crash-$target-" \
		$([ ! -e "$dict" ] || echo "-dict=$dict") \
		"$corpus" "$out/seeds/$target" >"$log" 2>&1; then
		passed=$((passed + 1))
		runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
		echo "$target: $runs runs in $seconds s, nothing found"
	else
		failed=$((failed + 1))
		echo "$target: FAILED; the end of $log:"
		tail -n 40 "$log"
	fi
done
echo "fuzz: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
