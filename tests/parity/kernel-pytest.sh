#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs the kernel's own tests of conf, scripts/kconfig/tests, on kconf.
#
#	tests/parity/kernel-pytest.sh [VERSION...]	(default: 6.1 6.12)
#
# The tests are those of the trees that tests/trees.sh has laid out. They call
# scripts/kconfig/conf below the current directory, which is made to be kconf.
# CONF names another program to put there, PYTHON a Python that has pytest.

set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
conf=$(realpath "${CONF:-$top/build/kconf}") || exit 2
unset KCONFIG_CONFIG KCONFIG_ALLCONFIG KCONFIG_SEED KCONFIG_DEFCONFIG_LIST srctree

python=
for candidate in ${PYTHON:-python3 /usr/bin/python3}; do
	if "$candidate" -m pytest --version >/dev/null 2>&1; then
		python=$candidate
		break
	fi
done
if [ -z "$python" ]; then
	echo 'kernel-pytest.sh: no Python with pytest; set PYTHON' >&2
	exit 2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
mkdir -p "$work/scripts/kconfig"
ln -s "$conf" "$work/scripts/kconfig/conf"
cd "$work" || exit 2

# -B and cache_dir: nothing is to be left in the tree.
run_tests() {
	KCONFIG_DIALECT=$version "$python" -B -m pytest "$tests" \
		-o cache_dir="$work/cache" >"$work/log" 2>&1
}

# count WORD: how many of them the last line of pytest's speaks of
count() {
	tail -n 1 "$work/log" |
	sed -n "s/.*[^0-9]\([0-9][0-9]*\) $1.*/\1/p;t;s/^\([0-9][0-9]*\) $1.*/\1/p;t;s/.*/0/p"
}

failed=0
[ $# -gt 0 ] || set -- 6.1 6.12
for version; do
	tests=$top/build/trees/$version/scripts/kconfig/tests
	if [ ! -d "$tests" ]; then
		echo "kernel-pytest.sh: no $tests; run tests/trees.sh" >&2
		exit 2
	fi
	# The kernel's harness writes to a program that may just have ended. That
	# is no fault of the program; try again.
	for attempt in 1 2 3 4 5; do
		run_tests && break
		if [ "$attempt" -lt 5 ] && grep -q BrokenPipeError "$work/log"; then
			continue
		fi
		failed=1
		cat "$work/log"
		break
	done
	echo "$version: $(count passed) passed, $(count failed) failed"
done
exit $failed
