#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How long kconf takes, as a part of what the kernel's own conf takes.

usage: load.py [--kconf PROGRAM] [--arch ARCH] [-n ROUNDS] [--large]

Both run on the trees of tests/trees.sh, in turn and in the environment that the
kernel's make gives conf, so that what else goes on on this machine meets both.
The ratio is that of the medians. What they write goes to memory where there is
/dev/shm, for kconf calls fsync and conf does not. conf is built here from the tree's sources, with
the compiler and the flags that make gives kconf. PATH is the system's, so that
neither waits for a user's wrappers of compilers.

"at hand" is the time with all results of $(shell) there: kconf's from its cache,
conf's from a shell that looks each command up in a directory, one file per
command; the time that this shell takes is measured by itself and taken off.

Trees that are made up, of 10,000 symbols and ten and a hundred times as many
(--large), tell whether time and memory grow in step with them.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, 'tests/parity'))

import kernel  # noqa: E402

SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
# The programs of conf's own Makefile, as far as conf consists of them.
CONF_FLAGS = ('-O2', '-g')

# Plays /bin/sh for conf: prints what the command in $2 printed before.
PLAYER = r"""
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char path[4096], text[8192];
	uint64_t h = 0xcbf29ce484222325;
	const char *p;
	ssize_t n;
	int fd;

	if (argc < 3)
		return 127;
	for (p = argv[argc - 1]; *p; p++)
		h = (h ^ (unsigned char)*p) * 0x100000001b3;
	snprintf(path, sizeof(path), "%s/%016llx", getenv("BENCH_RESULTS"),
		 (unsigned long long)h);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return 127;
	while ((n = read(fd, text, sizeof(text))) > 0)
		if (write(1, text, n) < 0)
			return 1;
	return 0;
}
"""


def fnv64(data):
    h = 0xcbf29ce484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return h


def run(args, env, cwd):
    """Wall time, processor time and kilobytes of one run."""
    began = time.monotonic()
    process = subprocess.Popen(args, cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit('load.py: %s: status %d' % (' '.join(args), status))
    return (time.monotonic() - began, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss)


class Contest:
    """Runs programs in turn, and keeps the figures."""

    def __init__(self, rounds):
        self.rounds = rounds
        memory = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
        self.work = tempfile.mkdtemp(prefix='bench-', dir=memory)
        self.disk = tempfile.mkdtemp(prefix='bench-', dir=os.path.join(TOP, 'build'))

    def close(self):
        shutil.rmtree(self.work)
        shutil.rmtree(self.disk)

    def hold(self, runners, check=True):
        """runners: name -> function that does one run in a directory."""
        seen = {name: [] for name in runners}
        for turn in range(self.rounds + 1):
            made = set()
            for name, runner in runners.items():
                place = os.path.join(self.disk if 'disk' in name else self.work,
                                     name.replace(' ', '-'))
                shutil.rmtree(place, ignore_errors=True)
                os.makedirs(os.path.join(place, 'include/config'))
                # With it there, both leave it and 14,000 files beside it alone.
                open(os.path.join(place, 'include/config/auto.conf'), 'w').close()
                figures = runner(place)
                with open(os.path.join(place, '.config'), 'rb') as f:
                    made.add(f.read())
                if turn:                # the first fills the caches of files
                    seen[name].append(figures)
            if check and len(made) != 1:
                sys.exit('load.py: not all wrote the same configuration')
        return {name: tuple(statistics.median(x[i] for x in figures)
                            for i in range(3))
                for name, figures in seen.items()}


def report(title, unit, slow, fast, goal):
    print('  %-42s conf %6.3f s  kconf %6.3f s  %5.1f times  (goal: %s)'
          % (title + ', ' + unit, slow, fast, slow / fast, goal))


def build_conf(tree, work):
    """The tree's conf, with our flags; its parser is made by flex and bison."""
    source = os.path.join(tree.path, 'scripts/kconfig')
    for made in ('lexer.lex.c', 'parser.tab.c', 'parser.tab.h'):
        shutil.copy(os.path.join(tree.obj, 'scripts/kconfig', made), work)
    names = ['conf', 'confdata', 'expr', 'menu', 'preprocess', 'symbol', 'util']
    files = [os.path.join(source, n + '.c') for n in names]
    files += [os.path.join(work, 'lexer.lex.c'), os.path.join(work, 'parser.tab.c')]
    program = os.path.join(work, 'conf')
    include = os.path.join(tree.path, 'scripts/include')
    parts = ['-I', include] if os.path.isdir(include) else []
    subprocess.run(['gcc', *CONF_FLAGS, '-w', '-D_GNU_SOURCE', '-I', source, '-I',
                    work, *parts, '-o', program, *files], check=True)
    return program


def bind_shell(args, shell):
    """The command line that runs @args with @shell as /bin/sh."""
    return ['unshare', '--mount', '--map-root-user', 'sh', '-c',
            'mount --bind "$0" "$(readlink -f /bin/sh)" && exec "$@"', shell,
            *args]


def at_hand(contest, conf, kconf, env, mode):
    """Both with the results of all commands at hand."""
    work = os.path.join(contest.work, 'hand-' + mode)
    os.mkdir(work)
    results = os.path.join(work, 'results')
    source = os.path.join(work, 'player.c')
    player = os.path.join(work, 'player')
    with open(source, 'w') as f:
        f.write(PLAYER)
    subprocess.run(['gcc', '-O2', '-static', '-o', player, source], check=True)
    os.mkdir(results)
    commands = list_commands(conf, env, work)
    for command in commands:
        done = subprocess.run(['/bin/sh', '-c', command], env=env, cwd=work,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        name = os.path.join(results, '%016x' % fnv64(command))
        with open(name, 'wb') as f:
            f.write(done.stdout)
    env = dict(env, BENCH_RESULTS=results)

    def play(_):
        began = time.monotonic()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for command in commands:
            subprocess.run([player, '-c', command], env=env, check=True,
                           stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (time.monotonic() - began, after.ru_utime + after.ru_stime -
                before.ru_utime - before.ru_stime, 0)

    fast = contest.hold({
        'conf': lambda d: run(bind_shell([conf, '--' + mode, 'Kconfig'], player),
                              env, d),
        'kconf': lambda d: run([kconf, '--' + mode, 'Kconfig'], env, d),
    })
    shell = statistics.median(play(None)[1] for _ in range(contest.rounds))
    idle = statistics.median(
        run(bind_shell(['true'], player), env, work)[1]
        for _ in range(contest.rounds))
    report(mode + ', results at hand', 'processor', fast['conf'][1] - shell - idle,
           fast['kconf'][1], '15')
    return fast


def list_commands(conf, env, work):
    """The commands that conf runs, in order, as strace sees them."""
    log = os.path.join(work, 'trace')
    subprocess.run(['strace', '-f', '-qq', '-xx', '-s', '100000', '-e',
                    'trace=execve', '-o', log, conf, '--alldefconfig', 'Kconfig'],
                   cwd=work, env=env, check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sh = '"%s", [' % ''.join('\\x%02x' % b for b in b'/bin/sh')
    found = []
    with open(log) as f:
        for line in f:
            at = line.find('execve(' + sh)
            if at < 0:
                continue
            words = line[at:].split('[', 1)[1].split(']', 1)[0].split(', ')
            texts = [bytes.fromhex(w.strip('"').replace('\\x', ''))
                     for w in words]
            if len(texts) > 2 and texts[0] == b'sh' and texts[-2] in (b'-c', b'--'):
                found.append(texts[-1])
    return list(dict.fromkeys(found))


def whole(contest, conf, kconf, env, mode):
    cache = os.path.join(contest.work, 'cache')
    cold = dict(env, XDG_CACHE_HOME=cache + '-cold')
    warm = dict(env, XDG_CACHE_HOME=cache)

    def first(place):
        shutil.rmtree(cache + '-cold', ignore_errors=True)
        return run([kconf, '--' + mode, 'Kconfig'], cold, place)

    got = contest.hold({
        'conf': lambda d: run([conf, '--' + mode, 'Kconfig'], warm, d),
        'first': first,
        'warm': lambda d: run([kconf, '--' + mode, 'Kconfig'], warm, d),
        'warm disk': lambda d: run([kconf, '--' + mode, 'Kconfig'], warm, d),
    })
    report(mode + ', first run', 'wall', got['conf'][0], got['first'][0],
           '1.67, or 0.6 of the time')
    report(mode + ', next run', 'wall', got['conf'][0], got['warm'][0], '25')
    report(mode + ', next run, on disk', 'wall', got['conf'][0],
           got['warm disk'][0], 'none: the time of fsync')
    print('  %-42s %d MB (goal: at most 40)' % (mode + ', peak memory',
                                               got['warm'][2] / 1024))


MODULES = 'config MODULES\n\tbool "modules"\n\tdefault y\n\tmodules\n\n'
SYMBOLS_IN_A_FILE = 1000


def made_up(first, symbols):
    """Menus of symbols that depend on earlier ones, and select some."""
    lines = []
    for i in range(first, first + symbols):
        if i % 100 == 0:
            lines.append('%smenu "menu %d"\n\n'
                         % ('endmenu\n\n' if i > first else '', i // 100))
        if i % 5 == 4:
            lines.append('config S%d\n\ttristate\n\n' % i)
            continue
        lines.append('config S%d\n\ttristate "symbol %d"\n' % (i, i))
        if i % 5 == 1:
            lines.append('\tdepends on S%d || !S%d\n' % (i - 1, i * 7 // 9))
        if i % 5 == 2:
            lines.append('\tselect S%d if S%d\n'
                         % (i // 10 * 5 + 4, i // 2 // 5 * 5))
        if i % 5 == 0:
            if i:
                lines.append('\tdefault m if S%d\n' % (i // 15 * 5))
        lines.append('\thelp\n\t  What this is.\n\n')
    lines.append('endmenu\n')
    return ''.join(lines)


def growth(contest, kconf, sizes):
    print('made up trees, kconf --allmodconfig:')
    first = None
    for size in sizes:
        place = os.path.join(contest.work, 'made-%d' % size)
        os.mkdir(place)
        with open(os.path.join(place, 'Kconfig'), 'w') as top:
            top.write(MODULES)
            for start in range(0, size, SYMBOLS_IN_A_FILE):
                top.write('source "Kconfig.%d"\n' % start)
                with open(os.path.join(place, 'Kconfig.%d' % start), 'w') as f:
                    f.write(made_up(start, SYMBOLS_IN_A_FILE))
        env = {'PATH': SYSTEM_PATH, 'KERNELVERSION': '6.12'}
        figures = [run([kconf, '--no-probe-cache', '--allmodconfig', 'Kconfig'],
                       env, place) for _ in range(min(contest.rounds, 3))]
        wall = statistics.median(f[0] for f in figures)
        memory = statistics.median(f[2] for f in figures)
        per = (wall / size * 1e6, memory * 1024 / size)
        first = first or per
        print('  %9d symbols  %7.3f s  %6.0f MB  per symbol %5.2f us (%.2f of the '
              'first), %5.0f bytes (%.2f)'
              % (size, wall, memory / 1024, per[0], per[0] / first[0], per[1],
                 per[1] / first[1]))


def main():
    parser = argparse.ArgumentParser(description='time kconf against conf')
    parser.add_argument('--kconf', default=os.path.join(TOP, 'build/kconf'))
    parser.add_argument('--arch', default='x86_64')
    parser.add_argument('--version', action='append')
    parser.add_argument('-n', '--rounds', type=int, default=5)
    parser.add_argument('--large', action='store_true')
    args = parser.parse_args()
    kconf = os.path.abspath(args.kconf)
    contest = Contest(args.rounds)
    try:
        for version in args.version or kernel.VERSIONS:
            tree = kernel.Tree(version)
            if not tree.present():
                sys.exit('load.py: no tree of %s: run tests/trees.sh' % version)
            place = tempfile.mkdtemp(dir=contest.work)
            conf = build_conf(tree, place)
            env = dict(tree.environment(args.arch), PATH=SYSTEM_PATH)
            env['XDG_CACHE_HOME'] = os.path.join(contest.work, 'hand')
            print('%s %s:' % (version, args.arch))
            for mode in ('alldefconfig', 'allmodconfig'):
                whole(contest, conf, kconf, env, mode)
            if shutil.which('strace') and shutil.which('unshare'):
                for mode in ('alldefconfig', 'allmodconfig'):
                    at_hand(contest, conf, kconf, env, mode)
                    shutil.rmtree(os.path.join(contest.work, 'hand-' + mode))
            else:
                print('  results at hand: not measured without strace, unshare')
        growth(contest, kconf, (10000, 100000, 1000000) if args.large
               else (10000, 100000))
    finally:
        contest.close()


if __name__ == '__main__':
    main()
