#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check a conf against what the kernel's own conf was recorded to do.

usage: run.py [--conf PROGRAM] [--dialect D] [-v] [CASE...]

Every step of every case is one test: files, stdout, stderr and exit status
must be as recorded. PROGRAM is build/kconf unless stated.
"""

import argparse
import difflib
import os
import sys

import case


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

    passed = failed = 0
    for directory in case.cases(args.cases):
        name = os.path.basename(directory)
        for dialect in case.DIALECTS:
            if args.dialect not in (None, dialect):
                continue
            golden = case.expected(directory, dialect)
            if golden is None:
                print('FAIL %s (%s): nothing recorded' % (name, dialect))
                failed += 1
                continue
            steps = case.parse_steps(directory)
            golden = case.split_report(golden)
            if [text for text, _ in golden] != [step.text for step in steps]:
                print('FAIL %s (%s): steps have changed; run record.py'
                      % (name, dialect))
                failed += 1
                continue
            for step, (_, want) in zip(steps, golden):
                got = case.run_step(program, dialect, directory, step)
                if got == want:
                    passed += 1
                    continue
                failed += 1
                print('FAIL %s (%s): %s' % (name, dialect, step.text))
                diff = list(difflib.unified_diff(
                    want.splitlines(), got.splitlines(), 'conf', 'kconf',
                    lineterm=''))
                for line in diff if args.verbose else diff[:20]:
                    print('    ' + line)
    print('kconfig cases: %d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
