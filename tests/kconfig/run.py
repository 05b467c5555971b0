#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check a conf against what the kernel's own conf was recorded to do.

usage: run.py [--conf PROGRAM] [--dialect D] [-v] [CASE...]

Every step of every case is one test: files, stdout, stderr and exit status
must be as recorded. PROGRAM is build/kconf unless stated. The file
tests/differences lists where it does something else, and why.
"""

import argparse
import difflib
import fnmatch
import os
import sys

import case


def difference_patterns():
    """The patterns of steps that differ, with the number of those that do."""
    with open(os.path.join(case.TOP, 'tests/differences')) as f:
        lines = [line.strip() for line in f]
    return {line: 0 for line in lines if line and not line.startswith('#')}


class Tally:
    """Counts results, and prints what fails."""

    def __init__(self, verbose):
        self.verbose = verbose
        self.passed = self.failed = self.different = 0
        self.patterns = difference_patterns()

    def fail(self, name, why, diff=()):
        print('FAIL %s: %s' % (name, why))
        for line in diff if self.verbose else list(diff)[:20]:
            print('    ' + line)
        self.failed += 1

    def step(self, name, dialect, step, want, got):
        if want == got:
            self.passed += 1
            return
        matching = [p for p in self.patterns
                    if fnmatch.fnmatchcase('%s (%s): %s' % (
                        name, dialect, step.text), p)]
        if matching:
            self.different += 1
            for pattern in matching:
                self.patterns[pattern] += 1
            return
        self.fail('%s (%s)' % (name, dialect), step.text, difflib.unified_diff(
            want.splitlines(), got.splitlines(), 'conf', 'kconf', lineterm=''))

    def stale_patterns(self):
        for pattern, count in self.patterns.items():
            if not count:
                self.fail('differences', 'nothing fails of "%s"' % pattern)


def check_case(tally, program, dialect, directory):
    name = os.path.basename(directory)
    golden = case.expected(directory, dialect)
    if golden is None:
        tally.fail(name, 'nothing recorded for %s; run record.py' % dialect)
        return
    golden = case.split_report(golden)
    steps = case.parse_steps(directory)
    if [text for text, _ in golden] != [step.text for step in steps]:
        tally.fail(name, 'its steps have changed; run record.py')
        return
    for step, (_, want) in zip(steps, golden):
        got = case.run_step(program, dialect, directory, step)
        tally.step(name, dialect, step, want, got)


def main():
    parser = argparse.ArgumentParser(description='check a conf by golden files')
    parser.add_argument('--conf', default=os.path.join(case.TOP, 'build/kconf'))
    parser.add_argument('--dialect', choices=case.DIALECTS)
    parser.add_argument('-v', '--verbose', action='store_true',
                        help='whole differences, not only their beginning')
    parser.add_argument('cases', nargs='*')
    args = parser.parse_args()
    program = os.path.abspath(args.conf)
    if not os.access(program, os.X_OK):
        sys.exit('run.py: cannot run ' + program)

    tally = Tally(args.verbose)
    for directory in case.cases(args.cases):
        for dialect in case.dialects(directory):
            if args.dialect in (None, dialect):
                check_case(tally, program, dialect, directory)
    if not args.cases and not args.dialect:
        tally.stale_patterns()
    print('kconfig cases: %d passed, %d failed, %d different on purpose'
          % (tally.passed, tally.failed, tally.different))
    return 1 if tally.failed or not tally.passed else 0


if __name__ == '__main__':
    sys.exit(main())
