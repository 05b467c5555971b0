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
	[ ! -d "$here/seeds/$1" ] || cp "$here/seeds/$1"/* "$dir"
	case $1 in
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
