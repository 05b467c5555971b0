#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How long kconf takes, as a part of what the kernel's own conf takes.

usage: load.py [--kconf PROGRAM] [--arch ARCH] [-n ROUNDS]

Both run "--alldefconfig Kconfig" on the trees of tests/trees.sh, in turn and in
the environment that the kernel's make gives conf, so that what else goes on on
this machine meets both. The ratio is that of the medians.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, 'tests/parity'))

import kernel  # noqa: E402


def seconds(program, env):
    """One run, and the configuration it wrote."""
    with tempfile.TemporaryDirectory(prefix='bench-') as work:
        began = time.monotonic()
        subprocess.run([program, '--alldefconfig', 'Kconfig'], cwd=work,
                       env=env, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        took = time.monotonic() - began
        with open(os.path.join(work, '.config'), 'rb') as f:
            return took, f.read()


def compare(tree, arch, kconf, rounds):
    programs = {'conf': tree.conf, 'kconf': kconf}
    times = {name: [] for name in programs}
    env = tree.environment(arch)
    for turn in range(rounds + 1):
        configs = set()
        for name, program in programs.items():
            took, config = seconds(program, env)
            configs.add(config)
            if turn:                # the first fills the caches of files
                times[name].append(took)
        if len(configs) != 1:
            sys.exit('load.py: %s %s: kconf and conf do not agree'
                     % (tree.version, arch))
    middle = {name: statistics.median(t) for name, t in times.items()}
    print('%-5s %-7s conf %.3f s (%.3f to %.3f), kconf %.3f s (%.3f to %.3f): '
          '%.1f times as fast'
          % (tree.version, arch, middle['conf'], min(times['conf']),
             max(times['conf']), middle['kconf'], min(times['kconf']),
             max(times['kconf']), middle['conf'] / middle['kconf']))


def main():
    parser = argparse.ArgumentParser(description='time kconf against conf')
    parser.add_argument('--kconf', default=os.path.join(TOP, 'build/kconf'))
    parser.add_argument('--arch', default='x86_64')
    parser.add_argument('-n', '--rounds', type=int, default=5)
    args = parser.parse_args()
    for version in kernel.VERSIONS:
        tree = kernel.Tree(version)
        if not tree.present():
            sys.exit('load.py: no tree of %s: run tests/trees.sh' % version)
        compare(tree, args.arch, os.path.abspath(args.kconf), args.rounds)


if __name__ == '__main__':
    main()
