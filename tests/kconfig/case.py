# SPDX-License-Identifier: GPL-2.0-only
"""A test case of the Kconfig language: what it consists of and how it is run.

A case is a directory:

    Kconfig          the tree, with any further files it sources
    config           the .config that each step starts from, if there is one
    steps            what is run, a line each; see parse_step(); without it,
                     DEFAULT_STEPS
    dialects         the dialects that can run it, if not all
    expect           what the kernel's conf does, if it is the same in all dialects
    expect-6.1       what it does in that dialect
    expect-6.12

The expect files are recorded from the kernel's own conf by record.py, never
written by hand.
"""

import os
import re
import shutil
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
DIALECTS = ('6.1', '6.12')
DEFAULT_STEPS = ('olddefconfig', 'alldefconfig', 'allnoconfig', 'allyesconfig',
                 'allmodconfig', 'savedefconfig=defconfig', 'defconfig=config')
NOT_INPUT = {'steps', 'dialects', 'expect'} | {'expect-' + d for d in DIALECTS}
TIMEOUT = 20

# What nearly every run writes is left out of the reports, if it is just that.
HEADER = b"""#
# Automatically generated file; DO NOT EDIT.
# Main menu
#
"""
WRITTEN = b"""#
# configuration written to .config
#
"""
MARK = '======== '
AUTO_CONF = 'include/config/auto.conf'


class Step:
    """One run of conf: its environment, mode, starting .config and stdin."""

    def __init__(self, text):
        words = text.split()
        self.text = ' '.join(words)
        self.env = {}
        self.silent = False
        self.start = 'config'
        self.stdin = None
        self.auto = False
        while words and re.match(r'(srctree|[A-Z][A-Z_]*)=', words[0]):
            name, value = words.pop(0).split('=', 1)
            self.env[name] = value
        if words and words[0] == '-s':
            self.silent = True
            words.pop(0)
        self.mode = words.pop(0)
        while words:
            key = words.pop(0)
            if key == 'from':
                self.start = words.pop(0)
            elif key == '<':
                self.stdin = words.pop(0)
            elif key == 'auto':
                self.auto = True
            else:
                raise ValueError('bad step: ' + text)

    def argv(self):
        # Messages begin with the name the program was called by: the same for all.
        return ['conf'] + ['-s'] * self.silent + ['--' + self.mode, 'Kconfig']


def parse_steps(directory):
    """The steps of a case. A line is

        [VAR=value]... [-s] MODE[=FILE] [from FILE] [< FILE] [auto]

    "from" names the file that is copied to .config first ("-": none), "<" the
    answers given on stdin. Without "auto" an auto.conf is there already, and
    so conf does not write it and its relatives. A # begins a comment."""
    path = os.path.join(directory, 'steps')
    if not os.path.exists(path):
        lines = [s for s in DEFAULT_STEPS
                 if s != 'defconfig=config' or
                 os.path.exists(os.path.join(directory, 'config'))]
    else:
        with open(path) as f:
            lines = [line.split('#')[0].strip() for line in f]
    return [Step(line) for line in lines if line]


def cases(names=()):
    """The directories of the named cases, or of all."""
    if names:
        return [os.path.join(HERE, os.path.basename(os.path.normpath(n)))
                for n in names]
    return sorted(e.path for e in os.scandir(HERE)
                  if os.path.exists(os.path.join(e.path, 'Kconfig')))


def dialects(directory):
    path = os.path.join(directory, 'dialects')
    if not os.path.exists(path):
        return DIALECTS
    with open(path) as f:
        return tuple(f.read().split())


def environment(dialect, extra):
    """What a program sees: nothing of the caller's but how to find tools."""
    env = {'PATH': os.environ['PATH'], 'LC_ALL': 'C', 'HOME': '/nonexistent',
           'KERNELVERSION': dialect + '.0', 'KCONFIG_DIALECT': dialect}
    env.update(extra)
    return env


def files_below(directory):
    found = {}
    for base, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(base, name)
            with open(path, 'rb') as f:
                found[os.path.relpath(path, directory)] = f.read()
    return found


def prepare(work, directory, step):
    """Fill the work directory with the case's input."""
    for entry in os.scandir(directory):
        if entry.name in NOT_INPUT:
            continue
        target = os.path.join(work, entry.name)
        if entry.is_dir():
            shutil.copytree(entry.path, target)
        else:
            shutil.copy(entry.path, target)
    start = os.path.join(work, step.start)
    if os.path.exists(start):
        shutil.copy(start, os.path.join(work, '.config'))
    auto = os.path.join(work, AUTO_CONF)
    if not step.auto and not os.path.exists(auto):
        os.makedirs(os.path.dirname(auto), exist_ok=True)
        open(auto, 'w').close()


def execute(program, dialect, work, step):
    """Run conf in the work directory: exit status, stdout, stderr."""
    stdin = open(os.path.join(work, step.stdin or os.devnull), 'rb')
    with stdin:
        try:
            done = subprocess.run(step.argv(), executable=program, cwd=work,
                                  env=environment(dialect, step.env), stdin=stdin,
                                  capture_output=True, timeout=TIMEOUT)
            return str(done.returncode), done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            return 'timeout', late.stdout or b'', late.stderr or b''


def run_step(program, dialect, directory, step):
    """Run one step in a fresh copy of the case; returns what it did, as text."""
    with tempfile.TemporaryDirectory(prefix='kconfig-case-') as work:
        prepare(work, directory, step)
        before = files_below(work)
        status, out, err = execute(program, dialect, work, step)
        after = files_below(work)

    report = ['exit ' + status]

    def section(title, data):
        if not data:
            report.append('-------- %s (empty)' % title)
            return
        report.append('-------- ' + title)
        # A stray byte or a missing last newline must be seen in the report.
        text = re.sub(r'[^\n\t -~]', lambda m: '\\x%02x' % ord(m[0]),
                      data.decode('latin-1'))
        report.append(text[:-1] if text.endswith('\n')
                      else text + '\\(no newline)')

    if out == WRITTEN:
        report[0] += ', .config written'
    elif out:
        section('stdout', out)
    if err:
        section('stderr', err)
    for name in sorted(after):
        data = after[name]
        if before.get(name) == data:
            continue
        if name == '.config.old' and data == before.get('.config'):
            continue
        if name == '.config' and data.startswith(HEADER):
            data = data[len(HEADER):]
        elif name == '.config':
            name += ' (with its header)'
        section(name, data)
    for name in sorted(set(before) - set(after)):
        report.append('-------- %s (removed)' % name)
    return '\n'.join(report) + '\n'


def run_case(program, dialect, directory):
    """The whole report: what each step did, and the same thing only once."""
    report, first = [], {}
    for step in parse_steps(directory):
        text = run_step(program, dialect, directory, step)
        if text in first:
            report.append(MARK + '%s: as %s\n' % (step.text, first[text]))
        else:
            first[text] = step.text
            report.append(MARK + '%s: %s' % (step.text, text))
    return ''.join(report)


def split_report(report):
    """What each step did: a list of (step, text)."""
    done = []
    for part in report.split(MARK)[1:]:
        step, text = part.split(': ', 1)
        if text.startswith('as '):
            text = dict(done)[text[3:-1]]
        done.append((step, text))
    return done


def expected(directory, dialect):
    """The recorded report, or None."""
    for name in ('expect-' + dialect, 'expect'):
        try:
            with open(os.path.join(directory, name)) as f:
                return f.read()
        except FileNotFoundError:
            pass
    return None


def tree_conf(dialect):
    return os.path.join(TOP, 'build/trees/obj-' + dialect, 'scripts/kconfig/conf')
