#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Hold kconf to the kernel's own conf, on the kernel's own Kconfig trees.

usage: run.py [--full] [--extra] [--version V] [--arch A] [--mode M] [--strict]

For each version, ARCH and mode both programs run in directories of their own,
in the environment in which the kernel's make calls conf. All files that they
leave and their exit statuses must be the same. stdout and stderr are compared
too, and with --strict a difference there counts.

The trees come from tests/trees.sh. The quick set is three archs, and saves
few of their configs; --full takes every arch, and all that was made. --extra
adds further modes: those that write auto.conf, change a config, or draw lots.
"""

import argparse
import concurrent.futures
import difflib
import lzma
import os
import sys

import kernel
from reference import AUTO_CONF, Reference, run

QUICK_ARCHS = ('x86_64', 'i386', 'arm64')
ALL_MODES = ('allnoconfig', 'allyesconfig', 'allmodconfig', 'alldefconfig')
DISTRIBUTION = '/usr/src/linux-config-%s/config.amd64_none_amd64.xz'
CHANGING_MODES = ('yes2modconfig', 'mod2yesconfig', 'mod2noconfig')
FIRST_ROWS = ALL_MODES + ('defconfig',)
DIFF_LINES = 12


class Test:
    """One comparison: a row's name, conf's argument, and what it finds."""

    def __init__(self, reference, row, mode, config=None, about='', env=None,
                 auto=False):
        self.reference = reference
        self.row = row
        self.mode = mode
        self.about = about
        self.env = env or {}
        self.files = {}
        if config is not None:
            self.files['.config'] = config
        if not auto:
            # With an auto.conf there, conf leaves it and its relatives alone.
            self.files[AUTO_CONF] = b''
        self.want = self.got = None

    def run_reference(self):
        self.want = self.reference.run(self.mode, self.files, self.env)

    def compare(self, program):
        self.run_reference()
        env = dict(self.reference.env, **self.env)
        self.got = run(program, self.mode, env, self.files)
        return self

    def same_files(self):
        return (self.want.files == self.got.files and
                self.want.status == self.got.status)

    def name(self):
        return '%s %s %s%s' % (self.reference.tree.version, self.reference.arch,
                               self.mode, self.about)

    def explain(self, streams):
        """The beginning of each difference."""
        if self.want.status != self.got.status:
            yield 'exit status: conf %s, kconf %s' % (self.want.status,
                                                      self.got.status)
        pairs = [(name, self.want.files.get(name), self.got.files.get(name))
                 for name in sorted(set(self.want.files) | set(self.got.files))]
        if streams or not self.same_files():
            pairs += [('stdout', self.want.out, self.got.out),
                      ('stderr', self.want.err, self.got.err)]
        for name, want, got in pairs:
            if want == got:
                continue
            if want is None or got is None:
                yield '%s: only %s wrote it' % (name,
                                                'kconf' if want is None else 'conf')
                continue
            diff = list(difflib.unified_diff(
                want.decode('latin-1').splitlines(),
                got.decode('latin-1').splitlines(),
                'conf: ' + name, 'kconf: ' + name, lineterm='', n=2))
            yield from diff[:DIFF_LINES]
            if len(diff) > DIFF_LINES:
                yield '... %d more lines of difference' % (len(diff) - DIFF_LINES)


def first_tests(references, args):
    """Every defconfig, and the modes that need no config."""
    for ref in references:
        for mode in ALL_MODES:
            yield Test(ref, mode, mode)
        for name in ref.tree.defconfigs(ref.arch):
            yield Test(ref, 'defconfig', 'defconfig=' + name)


def second_tests(done, references, args):
    """What starts from a .config that the kernel's conf has made."""
    made = {}
    for test in done:
        config = test.want.files.get('.config')
        if config is None:
            continue
        ref = test.reference
        is_default = test.mode == 'defconfig=%s' % ref.tree.defconfig(ref.arch)
        if is_default:
            made[ref.tree.version, ref.arch] = config
        # allnoconfig and alldefconfig save next to nothing.
        if args.full or is_default or test.row in ('allyesconfig', 'allmodconfig'):
            yield Test(ref, 'savedefconfig', 'savedefconfig=defconfig', config,
                       ' of ' + test.mode)
    for ref in references:
        for (version, arch), config in sorted(made.items()):
            if arch == ref.arch and version != ref.tree.version:
                yield Test(ref, 'olddefconfig', 'olddefconfig', config,
                           ' of the defconfig of ' + version)
        for version in kernel.VERSIONS if args.full else ():
            if ref.arch == 'x86_64' and os.path.exists(DISTRIBUTION % version):
                with lzma.open(DISTRIBUTION % version) as f:
                    yield Test(ref, 'olddefconfig', 'olddefconfig', f.read(),
                               " of the config of Debian's " + version)
    if args.extra:
        yield from extra_tests(made, references)


def extra_tests(made, references):
    """The other modes, from the config that `make defconfig` gives."""
    for ref in references:
        own = made.get((ref.tree.version, ref.arch))
        for mode in CHANGING_MODES if own else ():
            yield Test(ref, mode, mode, own)
        if own:
            yield Test(ref, 'syncconfig', 'syncconfig', own, auto=True)
        for (version, arch), config in sorted(made.items()):
            if arch == ref.arch and version != ref.tree.version:
                for mode in 'listnewconfig', 'helpnewconfig':
                    yield Test(ref, mode, mode, config,
                               ' of the defconfig of ' + version)
        for seed in range(1, 6):
            yield Test(ref, 'randconfig', 'randconfig', env={
                'KCONFIG_SEED': str(seed)}, about=' of seed %d' % seed)
        yield Test(ref, 'randconfig', 'randconfig', about=' by probabilities',
                   env={'KCONFIG_SEED': '7', 'KCONFIG_PROBABILITY': '10:20:40'})


def wanted(tests, args):
    return [t for t in tests if args.mode in (None, t.row)]


def run_tests(tests, args, pool):
    """Run them all; say at once what differs, in the order of the tests."""
    for test in pool.map(lambda t: t.compare(args.kconf), tests):
        clean = test.want.out == test.got.out and test.want.err == test.got.err
        if not test.same_files() or (args.strict and not clean):
            print('DIFFERENT: ' + test.name())
        elif args.verbose and not clean:
            print('different output: ' + test.name())
        else:
            continue
        for line in test.explain(args.strict or args.verbose):
            print('    ' + line)
        sys.stdout.flush()


def print_table(tests):
    rows = {}
    for test in tests:
        row = rows.setdefault((test.reference.tree.version, test.reference.arch,
                               test.row), [0, 0, 0, 0])
        row[0] += 1
        row[1] += test.same_files()
        row[2] += test.want.out == test.got.out
        row[3] += test.want.err == test.got.err
    print('%-6s %-10s %-14s %13s %9s %9s'
          % ('tree', 'arch', 'mode', 'files, status', 'stdout', 'stderr'))
    for (version, arch, name), (total, same, out, err) in rows.items():
        print('%-6s %-10s %-14s %13s %9s %9s'
              % (version, arch, name, '%d/%d' % (same, total),
                 '%d/%d' % (out, total), '%d/%d' % (err, total)))


def arguments():
    parser = argparse.ArgumentParser(description='compare kconf with conf')
    parser.add_argument('--full', action='store_true',
                        help='every config of every arch')
    parser.add_argument('--extra', action='store_true',
                        help='more modes')
    parser.add_argument('--version', action='append', choices=kernel.VERSIONS)
    parser.add_argument('--arch', action='append')
    parser.add_argument('--mode', help='only this row of the table')
    parser.add_argument('--kconf', default=os.path.join(kernel.TOP, 'build/kconf'))
    parser.add_argument('--strict', action='store_true',
                        help='different stdout or stderr is a failure')
    parser.add_argument('--no-cache', action='store_true',
                        help="run the kernel's conf afresh")
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count() or 2)
    parser.add_argument('-v', '--verbose', action='store_true',
                        help='show differences of stdout and stderr')
    args = parser.parse_args()
    args.kconf = os.path.abspath(args.kconf)
    return args


def main():
    args = arguments()
    if not os.access(args.kconf, os.X_OK):
        sys.exit('run.py: cannot run ' + args.kconf)
    references = []
    for version in args.version or kernel.VERSIONS:
        tree = kernel.Tree(version)
        if not tree.present():
            sys.exit('run.py: no tree of %s: run tests/trees.sh' % version)
        archs = args.arch or (tree.archs() if args.full else QUICK_ARCHS)
        references += [Reference(tree, arch, not args.no_cache)
                       for arch in archs if arch in tree.archs()]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        # With --mode, the runs that give the others their input are not judged.
        first = list(first_tests(references, args))
        if args.mode not in (None,) + FIRST_ROWS:
            for test in first:
                test.run_reference()
        else:
            first = wanted(first, args)
            run_tests(first, args, pool)
        second = wanted(second_tests(first, references, args), args)
        run_tests(second, args, pool)
    tests = [t for t in first + second if t.got]
    print_table(tests)
    failed = sum(not t.same_files() or
                 (args.strict and (t.want.out, t.want.err) !=
                  (t.got.out, t.got.err)) for t in tests)
    print('parity: %d passed, %d failed' % (len(tests) - failed, failed))
    return 1 if failed or not tests else 0


if __name__ == '__main__':
    sys.exit(main())
