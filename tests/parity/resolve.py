#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Hold repairs to the kernel's conf.

usage: resolve.py [-n REQUESTS] [--seed N] [--version V] [--arch A] [--conf N]

Random requests that do not hold on the arch's defconfig are resolved. The
.config of the best answer is given to the tree's own conf --olddefconfig, of
the first N requests (default 100): it must not change a byte, and the request
must hold in it. Prints the times, and how many answers are proved smallest.
Needs tests/trees.sh to have run, and build/tests/resolve-driver.
"""

import argparse
import collections
import concurrent.futures
import os
import subprocess
import sys
import tempfile

import kernel

DRIVER = os.path.join(kernel.TOP, 'build/tests/resolve-driver')


def holds(request, config):
    name, value = request.split('=')
    lines = config.decode().splitlines()
    if value == 'n':
        return not any(line.startswith('CONFIG_%s=' % name) for line in lines)
    return 'CONFIG_' + request in lines


def judge(tree, env, path):
    """What conf has against the .config at path, or None."""
    with open(path, 'rb') as f:
        before = f.read()
    # it writes include/ as well: not into the tree
    with tempfile.TemporaryDirectory(prefix='resolve-conf-') as cwd:
        done = subprocess.run([tree.conf, '--olddefconfig', 'Kconfig'], cwd=cwd,
                              env=dict(env, KCONFIG_CONFIG=path,
                                       srctree=tree.path),
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
    with open(path, 'rb') as f:
        after = f.read()
    if done.returncode:
        return 'conf exits with %d: %s' % (done.returncode, done.stderr)
    if before != after:
        return 'conf changes the .config'
    if not holds(os.path.basename(path), after):
        return 'the request does not hold'
    return None


def run_driver(args, tree, env, work):
    done = subprocess.run([DRIVER, 'Kconfig', tree.defconfig(args.arch),
                           str(args.n), str(args.seed), work],
                          cwd=tree.path, env=env, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit('%s: exit status %d' % (DRIVER, done.returncode))
    return [line.split() for line in done.stdout.splitlines()]


def report(rows):
    times = sorted(float(row[1]) for row in rows)
    print('%d requests: %s' % (len(rows), ', '.join(
        '%d %s' % (n, what) for what, n in
        sorted(collections.Counter(row[2] for row in rows).items()))))
    print('proved: %d' % sum(row[3] == 'proved' for row in rows))
    print('ms: median %.1f, 99th percentile %.1f, most %.1f'
          % (times[len(times) // 2], times[len(times) * 99 // 100], times[-1]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('-n', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--version', default='6.12')
    parser.add_argument('--arch', default='x86')
    parser.add_argument('--conf', type=int, default=100)
    parser.add_argument('-j', type=int, default=os.cpu_count())
    args = parser.parse_args()
    tree = kernel.Tree(args.version)
    if not tree.present():
        sys.exit('no tree %s: run tests/trees.sh' % args.version)
    env = tree.environment(args.arch)
    bad = 0
    with tempfile.TemporaryDirectory(prefix='resolve-') as work:
        rows = run_driver(args, tree, env, work)
        report(rows)
        found = list(dict.fromkeys(row[0] for row in rows
                                   if row[2] == 'found'))[:args.conf]
        with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
            paths = [os.path.join(work, request) for request in found]
            for request, fault in zip(found, pool.map(
                    lambda path: judge(tree, env, path), paths)):
                if fault:
                    bad += 1
                    print('%s: %s' % (request, fault))
    print('conf agrees with %d of %d' % (len(found) - bad, len(found)))
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
