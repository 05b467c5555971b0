#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Record what the kernel's own conf does with the cases of this directory.

usage: record.py [--check] [CASE...]

The conf of each dialect comes from build/trees (tests/trees.sh). With --check
nothing is written; the exit status says whether the goldens are up to date.
"""

import os
import sys

import case


def wanted(directory):
    """The expect files of a case: name to text."""
    reports = {d: case.run_case(case.tree_conf(d), d, directory)
               for d in case.dialects(directory)}
    if len(reports) == len(case.DIALECTS) and len(set(reports.values())) == 1:
        return {'expect': reports[case.DIALECTS[0]]}
    return {'expect-' + d: text for d, text in reports.items()}


def main(argv):
    check = '--check' in argv
    stale = 0
    for dialect in case.DIALECTS:
        if not os.path.exists(case.tree_conf(dialect)):
            sys.exit('record.py: no conf of %s: run tests/trees.sh' % dialect)
    for directory in case.cases([a for a in argv if a != '--check']):
        files = wanted(directory)
        for name in ['expect'] + ['expect-' + d for d in case.DIALECTS]:
            path = os.path.join(directory, name)
            old = None
            if os.path.exists(path):
                with open(path) as f:
                    old = f.read()
            if old == files.get(name):
                continue
            stale += 1
            print('  %s  %s' % ('STALE ' if check else 'RECORD',
                                os.path.relpath(path, case.TOP)))
            if check:
                continue
            if name in files:
                with open(path, 'w') as f:
                    f.write(files[name])
            else:
                os.unlink(path)
    return 1 if check and stale else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
