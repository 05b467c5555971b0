#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Hold kconf to the kernel's conf on random Kconfig trees.

usage: random_trees.py [-n TREES] [--seed N] [--dialect D] [--files-only]

For each seed and dialect a tree and some .config files are made, and both
programs are run on them in several modes. Files, exit status and stderr must
be the same. What differs is shrunk to a small case, and printed.
"""

import argparse
import concurrent.futures
import copy
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import kernel
from generate import ENVIRONMENT, Generator

AUTO_CONF = 'include/config/auto.conf'
ALL_MODES = ('alldefconfig', 'allnoconfig', 'allyesconfig', 'allmodconfig',
             'randconfig')
ASKING_MODES = ('oldconfig', 'oldaskconfig', 'syncconfig')
DIALECTS = ('4.11',) + kernel.VERSIONS
OTHER_MODES = ('listnewconfig', 'helpnewconfig', 'yes2modconfig',
               'mod2yesconfig', 'mod2noconfig')
ASKING_MODES_4_11 = ('oldconfig', 'oldaskconfig', 'silentoldconfig')
OTHER_MODES_4_11 = ('listnewconfig', 'oldnoconfig')
TIMEOUT = 5
SHRINK_SECONDS = 60


class Case:
    """A tree, a .config, a mode, and what is answered to questions.

    With "allconfig" the .config is given in KCONFIG_ALLCONFIG."""

    def __init__(self, dialect, tree, config, mode, allconfig=False, answers=(),
                 seed=0):
        self.dialect = dialect
        self.tree = tree
        self.config = config
        self.mode = mode
        self.allconfig = allconfig
        self.answers = list(answers)
        self.seed = seed

    def config_text(self):
        return ''.join(line + '\n' for line in self.config)

    def files(self):
        """What the programs find in their directory."""
        files = {'Kconfig': self.tree.text()}
        if self.mode == 'silentoldconfig':
            # It makes no directories.
            files['include/config/empty'] = ''
            files['include/generated/empty'] = ''
        if self.mode not in ('syncconfig', 'silentoldconfig'):
            # With an auto.conf there, it and its relatives are not written.
            files[AUTO_CONF] = ''
        if self.mode not in ALL_MODES:
            files['.config'] = self.config_text()
        elif self.allconfig:
            files['input'] = self.config_text()
        return files

    def environment(self):
        env = {'PATH': os.environ['PATH'], 'LC_ALL': 'C',
               'KERNELVERSION': self.dialect + '.0', **ENVIRONMENT}
        if self.mode in ALL_MODES and self.allconfig:
            env['KCONFIG_ALLCONFIG'] = 'input'
        if self.mode == 'randconfig':
            env['KCONFIG_SEED'] = str(self.seed)
        return env

    def argument(self):
        return '--' + self.mode + ('=saved' if self.mode == 'savedefconfig' else '')

    def what(self):
        """The mode, and how it is run."""
        text = self.mode
        if self.mode in ALL_MODES and self.allconfig:
            text += ' with KCONFIG_ALLCONFIG'
        if self.mode == 'randconfig':
            text += ' with KCONFIG_SEED=%d' % self.seed
        return text


class Runner:
    """Runs programs in one directory, which is emptied before each run."""

    def __init__(self, kconf, streams):
        self.kconf = kconf
        self.streams = streams
        self.work = tempfile.mkdtemp(prefix='random-trees-')

    def close(self):
        shutil.rmtree(self.work)

    def reset(self, files):
        for entry in os.scandir(self.work):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)
        os.makedirs(os.path.join(self.work, 'include/config'))
        for name, text in files.items():
            path = os.path.join(self.work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w') as f:
                f.write(text)

    def run(self, program, case):
        files = case.files()
        self.reset(files)
        answers = ''.join(line + '\n' for line in case.answers).encode()
        try:
            done = subprocess.run(['conf', case.argument(), 'Kconfig'],
                                  executable=program, cwd=self.work,
                                  env=case.environment(), input=answers,
                                  close_fds=False, capture_output=True,
                                  timeout=TIMEOUT)
            status, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            status, out, err = 'timeout', b'', b''
        result = {'status': str(status), 'stdout': out.decode('latin-1'),
                  'stderr': err.decode('latin-1')}
        for base, _, names in os.walk(self.work):
            for name in names:
                path = os.path.join(base, name)
                name = os.path.relpath(path, self.work)
                with open(path, encoding='latin-1') as f:
                    text = f.read()
                if files.get(name) != text:
                    result[name] = text
        return result

    def differences(self, case):
        """What differs between the two programs: names, conf's, kconf's."""
        want = self.run(kernel.conf_of(case.dialect), case)
        if want['status'].startswith('-') or want['status'] == 'timeout':
            # The kernel's conf itself was killed by a signal, or goes on for ever.
            return [], want, want
        got = self.run(self.kconf, case)
        names = [n for n in sorted(set(want) | set(got))
                 if want.get(n) != got.get(n) and
                 (self.streams or n not in ('stdout', 'stderr'))]
        return names, want, got


def kind_of(names):
    """Shrinking must not turn a wrong value into a wrong message."""
    for group in ('status',), ('stderr',), ('stdout',):
        if set(names) <= set(group):
            return group[0]
    return 'status' if 'status' in names else 'files'


# Shrinking: every function yields smaller copies of what it is given.

def smaller_expressions(e):
    if isinstance(e, str):
        return
    if e[0] in ('!', '&&', '||'):
        yield from e[1:]
        for i in range(1, len(e)):
            for less in smaller_expressions(e[i]):
                yield e[:i] + [less] + e[i + 1:]


def smaller_attributes(attributes, keep_first):
    for i in range(len(attributes) - 1, -1, -1):
        if i or not keep_first:
            yield attributes[:i] + attributes[i + 1:]
        keyword, value, condition = attributes[i]
        if condition is not None:
            yield attributes[:i] + [[keyword, value, None]] + attributes[i + 1:]
            for less in smaller_expressions(condition):
                yield attributes[:i] + [[keyword, value, less]] + attributes[i + 1:]
        if value is not None:
            for less in smaller_expressions(value):
                yield attributes[:i] + [[keyword, less, condition]] + \
                    attributes[i + 1:]


def smaller_entries(entries):
    for i in range(len(entries) - 1, -1, -1):
        kind, name, attributes, inner = entries[i]
        before, after = entries[:i], entries[i + 1:]
        yield before + after
        if inner:
            yield before + inner + after
            for less in smaller_entries(inner):
                yield before + [[kind, name, attributes, less]] + after
        keep_first = kind in ('menu', 'if', 'comment')
        for less in smaller_attributes(attributes, keep_first):
            yield before + [[kind, name, less, inner]] + after


def smaller_cases(case):
    def variant(**changes):
        less = copy.copy(case)
        less.tree = copy.copy(case.tree)
        for name, value in changes.items():
            setattr(less if hasattr(less, name) else less.tree, name, value)
        return less

    for i in range(len(case.config) - 1, -1, -1):
        yield variant(config=case.config[:i] + case.config[i + 1:])
    for i in range(len(case.answers) - 1, -1, -1):
        yield variant(answers=case.answers[:i] + case.answers[i + 1:])
    for entries in smaller_entries(case.tree.entries):
        yield variant(entries=entries)
    for i in range(len(case.tree.macros)):
        yield variant(macros=case.tree.macros[:i] + case.tree.macros[i + 1:])


def shrink(runner, case, kind, limit=3000):
    """The smallest case that was found to differ in the same kind of thing."""
    tried = 0
    progress = True
    until = time.monotonic() + SHRINK_SECONDS
    while progress and tried < limit:
        progress = False
        for less in smaller_cases(case):
            tried += 1
            if tried > limit or time.monotonic() > until:
                return case
            names, _, _ = runner.differences(less)
            if names and kind_of(names) == kind:
                case, progress = less, True
                break
    return case


def cases_of(seed, dialect):
    generator = Generator('%s-%d' % (dialect, seed), dialect)
    tree = generator.tree()
    for mode in 'olddefconfig', 'savedefconfig', 'olddefconfig', 'savedefconfig':
        if mode == 'olddefconfig':
            config = generator.config_lines()
        yield Case(dialect, tree, config, mode)
    for mode in ALL_MODES:
        yield Case(dialect, tree, config, mode, generator.chance(0.3), seed=seed)
    # At the end of the answers, conf of 4.11 and 6.1 asks for ever for a number
    # that has no default.
    asking, other = ASKING_MODES, OTHER_MODES
    if dialect == '4.11':
        asking, other = ASKING_MODES_4_11, OTHER_MODES_4_11
    if dialect == '6.12' or not generator.has_numbers():
        yield Case(dialect, tree, config, generator.r.choice(asking),
                   answers=generator.answers())
    yield Case(dialect, tree, config, generator.r.choice(other))


def report(runner, seed, case):
    """What is printed about a difference."""
    names, want, got = runner.differences(case)
    lines = ['DIFFERENT: seed %d, dialect %s, %s: %s'
             % (seed, case.dialect, case.what(), ', '.join(names))]
    for name, text in case.files().items():
        if text:
            lines += ['--- ' + name, text.rstrip()]
    if case.answers:
        lines.append('--- answers: %r' % case.answers)
    for name in names:
        lines += difflib.unified_diff(want.get(name, '').splitlines(),
                                      got.get(name, '').splitlines(),
                                      'conf: ' + name, 'kconf: ' + name,
                                      lineterm='', n=2)
    return '\n'.join(lines)


def signature(text):
    """The report's lines of difference, without names and numbers: reports of
    the same fault mostly have the same."""
    lines = [line for line in text.split('\n') if line[:1] in ('+', '-')]
    return re.sub(r'\b[A-Z0-9_]+\b', '#', '\n'.join(lines[1:]))


def check_seed(args, seed, dialect):
    """Run one tree: how many runs there were, how many differ, the reports."""
    runner = Runner(args.kconf, not args.files_only)
    try:
        runs, found, kinds = 0, [], set()
        differ = 0
        for case in cases_of(seed, dialect):
            runs += 1
            names, _, _ = runner.differences(case)
            if not names:
                continue
            differ += 1
            kind = kind_of(names)
            if kind in kinds or args.no_shrink:
                continue
            kinds.add(kind)
            found.append(report(runner, seed, shrink(runner, case, kind)))
        return runs, differ, found
    finally:
        runner.close()


def show(seed, dialect):
    for case in cases_of(seed, dialect):
        print('=== %s\n%s' % (case.what(), case.config_text()))
    print(case.tree.text())


def main():
    parser = argparse.ArgumentParser(description='compare on random trees')
    parser.add_argument('-n', '--trees', type=int, default=300,
                        help='how many, in each dialect')
    parser.add_argument('--seed', type=int, default=1, help='of the first tree')
    parser.add_argument('--dialect', choices=DIALECTS)
    parser.add_argument('--kconf', default=os.path.join(kernel.TOP, 'build/kconf'))
    parser.add_argument('--files-only', action='store_true',
                        help='do not compare stdout and stderr')
    parser.add_argument('--no-shrink', action='store_true')
    parser.add_argument('--show', action='store_true',
                        help='print the tree of --seed, and run nothing')
    parser.add_argument('--max', type=int, default=10,
                        help='stop after so many reports')
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count() or 2)
    args = parser.parse_args()
    args.kconf = os.path.abspath(args.kconf)
    dialects = [args.dialect] if args.dialect else DIALECTS
    if args.show:
        for dialect in dialects:
            show(args.seed, dialect)
        return 0
    for dialect in dialects:
        if not os.access(kernel.conf_of(dialect), os.X_OK):
            sys.exit('random_trees.py: no conf of %s: run make setup and '
                     'tests/trees.sh' % dialect)
    if not os.access(args.kconf, os.X_OK):
        sys.exit('random_trees.py: cannot run ' + args.kconf)

    runs = failed = reports = 0
    seen = set()
    seeds = range(args.seed, args.seed + args.trees)
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        futures = [pool.submit(check_seed, args, seed, dialect)
                   for seed in seeds for dialect in dialects]
        for future in futures:
            done, differ, found = future.result()
            runs += done
            failed += differ
            for text in found:
                if signature(text) in seen:
                    continue
                seen.add(signature(text))
                reports += 1
                print(text + '\n')
                sys.stdout.flush()
            if reports >= args.max:
                print('... and no further: %d reports' % reports)
                for rest in futures:
                    rest.cancel()
                break
    print('random trees: %d passed, %d failed' % (runs - failed, failed))
    return 1 if failed or not runs else 0


if __name__ == '__main__':
    sys.exit(main())
