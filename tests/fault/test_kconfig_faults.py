# SPDX-License-Identifier: GPL-2.0-only
"""Kconfig and .config files that are wrong, huge, endless or no files at all.

Whatever it is: a diagnostic with a place and exit status 1, in bounded time and
memory. $BUILD is where the programs are.
"""

import os
import random
import resource
import subprocess

import pytest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, os.environ.get('BUILD', 'build'))
SANITIZED = os.path.basename(BUILD) == 'san'
SECONDS = 60
MEMORY = 1 << 30
DEEP = 100000


def limit():
    # a sanitizer's shadow does not fit below any limit
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def kconf(directory, *args, mode='--alldefconfig', dialect='6.12', lines=True):
    done = subprocess.run([os.path.join(BUILD, 'kconf'), '--dialect', dialect,
                           mode, *args], cwd=directory, preexec_fn=limit,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=SECONDS)
    assert done.returncode >= 0, done.stderr[-2000:]
    assert b'AddressSanitizer' not in done.stderr
    assert b'runtime error' not in done.stderr
    return done


def fails(directory, text, *args, **more):
    """The Kconfig file is refused; stderr, which is not without bound."""
    path = os.path.join(directory, 'Kconfig')
    with open(path, 'wb') as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    done = kconf(directory, 'Kconfig', *args, **more)
    assert done.returncode == 1
    assert done.stderr.strip()
    assert len(done.stderr) < 64 << 20
    assert not os.path.exists(os.path.join(directory, '.config'))
    return done.stderr.decode('latin-1')


def errors(stderr):
    return [line for line in stderr.splitlines() if line]


# ---- every error is reported -------------------------------------------------

def test_all_errors_of_a_file(tmp_path):
    said = errors(fails(tmp_path, 'config A\n\tbool "a"\n\tdepends on (B &&\n'
                                  '\tselect\n\n'
                                  'config B\n\tbool "b"\n\tfrobnicate\n\n'
                                  'bogus statement\n\n'
                                  'config C\n\tint "c"\n\trange 1\n'))
    lines = {line.split(':')[1].strip() for line in said}
    assert {'3', '4', '8', '10', '14'} <= lines, said


def test_unterminated_blocks(tmp_path):
    for kind in 'if A', 'menu "m"', 'choice\n\tprompt "c"':
        said = fails(tmp_path, 'config A\n\tbool "a"\n\n%s\n\nconfig B\n\tbool "b"\n'
                     % kind)
        assert 'Kconfig:4: missing end statement for this entry' in said
    assert 'Kconfig:6: unexpected' in fails(
        tmp_path, 'menu "m"\nif A\nconfig B\n\tbool "b"\n\nendmenu\nendif\n')


def test_recursive_source(tmp_path):
    (tmp_path / 'b').write_text('source "c"\n')
    (tmp_path / 'c').write_text('\nsource "b"\n')
    said = fails(tmp_path, 'source "b"\n')
    assert 'Recursive inclusion detected' in said
    for step in 'b:1', 'c:2', 'Kconfig:1':
        assert step in said


def test_recursive_dependency(tmp_path):
    said = fails(tmp_path, 'config A\n\tbool "a"\n\tdepends on C\n\n'
                           'config B\n\tbool "b"\n\tdepends on A\n\n'
                           'config C\n\tbool "c" if B\n')
    assert 'recursive dependency' in said
    for symbol in 'A', 'B', 'C':
        assert 'symbol %s ' % symbol in said


def test_missing_source(tmp_path):
    said = fails(tmp_path, 'config A\n\tbool "a"\n\nsource "nowhere/Kconfig"\n')
    assert 'Kconfig:4: can\'t open file "nowhere/Kconfig"' in said


# ---- depth and size ----------------------------------------------------------

@pytest.mark.parametrize('text', [
    'config A\n\tbool "a"\n\tdepends on ' + '(' * DEEP + 'B' + ')' * DEEP + '\n',
    'config A\n\tbool "a"\n\tdepends on ' + '!' * DEEP + 'B\n',
    'config A\n\tbool "a"\n\tdepends on ' + '(B && (C || ' * DEEP + 'D' +
    '))' * DEEP + '\n',
    'if A\n' * DEEP + 'config B\n\tbool "b"\n' + 'endif\n' * DEEP,
    'menu "m"\n' * DEEP + 'endmenu\n' * DEEP,
    'if A\n' * DEEP,
    'X = $(Y' * DEEP + '\n$(info,$(X))\n',
    'X = ' + '$(info,' * DEEP + ')' * DEEP + '\n$(X)\n',
    'X = $(call,$(X))\nY := $(X)\n',
], ids=['parentheses', 'nots', 'mixed', 'ifs', 'menus', 'unclosed', 'macros',
        'calls', 'endless'])
@pytest.mark.parametrize('dialect', ['6.1', '6.12'])
def test_depth(tmp_path, text, dialect):
    fails(tmp_path, text, dialect=dialect)


def test_long_chains_are_no_error(tmp_path):
    names = ['A%d' % i for i in range(20000)]
    text = ''.join('config %s\n\tbool "x"\n' % name for name in names)
    text += 'config Z\n\tbool "z"\n\tdepends on ' + ' || '.join(names) + '\n'
    (tmp_path / 'Kconfig').write_text(text)
    assert kconf(tmp_path, 'Kconfig').returncode == 0


def test_huge_file(tmp_path):
    with open(tmp_path / 'huge', 'wb') as f:
        f.truncate(1 << 30)
    done = kconf(tmp_path, 'huge')
    assert done.returncode == 1 and b'huge: it is too big' in done.stderr
    said = fails(tmp_path, 'source "huge"\n')
    assert 'Kconfig:1: can\'t open file "huge": it is too big' in said


def test_many_errors_end(tmp_path):
    said = fails(tmp_path, 'bogus line\n' * 3000000)
    assert 'too many errors' in said


@pytest.mark.parametrize('seed', range(8))
def test_binary(tmp_path, seed):
    r = random.Random(seed)
    text = r.randbytes(100000)
    if seed % 2:
        text = b'config A\n\tbool "a"\n\t' + text
    fails(tmp_path, text)


# ---- what is no file ---------------------------------------------------------

def no_files(directory):
    os.mkdir(directory / 'directory')
    os.mkfifo(directory / 'fifo')
    os.symlink('loop', directory / 'loop')
    os.symlink('nowhere', directory / 'dangling')
    return ['directory', 'loop', 'dangling', '/dev/zero', 'directory/none',
            'fifo/none', 'x' * 5000]


def test_not_a_file(tmp_path):
    for name in no_files(tmp_path):
        done = kconf(tmp_path, name)
        assert done.returncode == 1 and done.stderr.strip(), name
        said = fails(tmp_path, 'source "%s"\n' % name)
        assert 'Kconfig:1' in said, name


def test_pipe_that_no_one_writes_to(tmp_path):
    no_files(tmp_path)
    assert kconf(tmp_path, 'fifo').returncode == 0


@pytest.mark.skipif(os.geteuid() == 0, reason='root may read everything')
def test_unreadable(tmp_path):
    (tmp_path / 'secret').write_text('config A\n\tbool "a"\n')
    (tmp_path / 'secret').chmod(0)
    assert kconf(tmp_path, 'secret').returncode == 1
    assert 'secret' in fails(tmp_path, 'source "secret"\n')


# ---- .config -----------------------------------------------------------------

KCONFIG = ('config A\n\tbool "a"\n\nconfig N\n\tint "n"\n\trange 1 10\n'
           '\tdefault 5\n\nconfig S\n\tstring "s"\n')


def config_result(directory, text):
    (directory / 'Kconfig').write_text(KCONFIG)
    (directory / 'given').write_bytes(text)
    done = kconf(directory, 'given', 'Kconfig', mode='--defconfig')
    assert done.returncode == 0, done.stderr[-500:]
    return (directory / '.config').read_bytes(), done.stderr


@pytest.mark.parametrize('seed', range(8))
def test_damaged_config(tmp_path, seed):
    r = random.Random(seed)
    good = b'CONFIG_A=y\nCONFIG_N=7\nCONFIG_S="some text"\n' * 20
    text = bytearray(good)
    for _ in range(30):
        at = r.randrange(len(text))
        text[at:at + r.randrange(3)] = r.randbytes(r.randrange(4))
    written, _ = config_result(tmp_path, bytes(text))
    again, said = config_result(tmp_path, written)
    assert again == written and not said


def test_config_of_many_lines(tmp_path):
    written, said = config_result(tmp_path, b'CONFIG_N=99\n' * 100000)
    assert b'CONFIG_N=10\n' in written


def test_config_is_no_file(tmp_path):
    (tmp_path / 'Kconfig').write_text(KCONFIG)
    for name in no_files(tmp_path):
        done = kconf(tmp_path, name, 'Kconfig', mode='--defconfig')
        assert done.returncode == 1, name
        assert b"Can't find default configuration" in done.stderr, name
        assert not (tmp_path / '.config').exists()
