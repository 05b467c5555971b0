# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of make, Kbuild and kenv share.

BUILD   the build directory (default: build)
TREES   where tests/trees.sh laid the kernel trees out (default: build/trees)
"""
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("BUILD", TOP / "build")).resolve()
TREES = Path(os.environ.get("TREES", TOP / "build" / "trees")).resolve()
VERSIONS = ("6.12", "6.1")
KEY = "sk-secret-0123456789abcdef"
TIMEOUT = 600

# Stands in for kconfig-agent: tells how it was called.
STANDIN = f"""#!{sys.executable}
import json, os, sys
with open(os.environ["STANDIN"], "w") as f:
    json.dump({{"args": sys.argv[1:], "env": dict(os.environ),
               "cwd": os.getcwd(),
               "conf": os.access("scripts/kconfig/conf", os.X_OK)}}, f)
"""


def snapshot(top, leave_out=()):
    """Each path below @top, with its type, mode and contents."""
    seen = {}
    for base, dirs, files in os.walk(top):
        dirs[:] = [d for d in dirs if d not in leave_out]
        for name in dirs + files:
            path = os.path.join(base, name)
            info = os.lstat(path)
            if stat.S_ISLNK(info.st_mode):
                what = os.readlink(path)
            elif stat.S_ISDIR(info.st_mode):
                what = "directory"
            else:
                with open(path, "rb") as f:
                    what = hashlib.sha1(f.read()).hexdigest()
            seen[os.path.relpath(path, top)] = (info.st_mode, what)
    return seen


def difference(before, after):
    return sorted(k for k in before.keys() | after.keys()
                  if before.get(k) != after.get(k))


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


class Result:
    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout.decode("utf-8", "surrogateescape")
        self.err = process.stderr.decode("utf-8", "surrogateescape")
        assert "Sanitizer" not in self.err and "runtime error" not in self.err

    def ok(self):
        assert self.status == 0, self.out + self.err
        return self


class Place:
    """A directory to work in, with a home and an environment of its own."""

    def __init__(self, root):
        self.root = root
        self.cache = root / "cache"
        self.obj = root / "obj"
        (root / "home").mkdir()
        self.env = {k: v for k, v in os.environ.items()
                    if not k.startswith(("KCONFIG_", "KBUILD_", "XDG_", "MAKE"))
                    and k not in ("ARCH", "CROSS_COMPILE", "LLVM", "MFLAGS",
                                  "KDIR", "GOAL", "ARGS", "V", "BUILD")}
        self.env.update(HOME=str(root / "home"), XDG_CACHE_HOME=str(self.cache),
                        XDG_STATE_HOME=str(root / "state"), LC_ALL="C.UTF-8",
                        STANDIN=str(root / "standin.json"))

    def call(self, *args, cwd=None, **env):
        return Result(subprocess.run(
            [str(a) for a in args], cwd=str(cwd or self.root),
            env={**self.env, **env}, stdin=subprocess.DEVNULL, timeout=TIMEOUT,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False))

    def make(self, *args, cwd=TOP, **env):
        """Our own Makefile."""
        return self.call("make", "B=" + str(BUILD), *args, cwd=cwd, **env)

    def kernel(self, tree, *args, **env):
        """The kernel's Makefile."""
        return self.call("make", "-C", tree, *args, **env)

    def standin(self):
        """A build directory whose kconfig-agent is the stand-in."""
        write(self.root / "standin-build" / "kconfig-agent", STANDIN, 0o755)
        return self.root / "standin-build"

    def standin_make(self, *args, cwd=TOP, **env):
        """make agentconfig with it; returns how the stand-in was called."""
        self.call("make", "-s", "-o", "kconfig-agent", "B=" +
                  str(self.standin()), "agentconfig", *args, cwd=cwd,
                  **env).ok()
        return self.called()

    def called(self):
        path = Path(self.env["STANDIN"])
        told = json.loads(path.read_text())
        path.unlink()
        return told


def option(args, name):
    """The value of an option that has to be there once."""
    assert args.count(name) == 1, args
    return args[args.index(name) + 1]


def original(version):
    path = TREES / version
    if not (path / "Makefile").exists():
        pytest.skip(f"no tree of {version}: run tests/trees.sh")
    return path


def copy_tree(version, copy):
    """As it was unpacked, even if somebody has tried something in it since."""
    subprocess.run(["cp", "-a", "--reflink=auto", original(version), copy],
                   check=True)
    for name in (".config", ".config.old", "include/config",
                 "include/generated"):
        subprocess.run(["rm", "-rf", copy / name], check=True)
    return copy


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.fixture(params=VERSIONS)
def version(request):
    return request.param


@pytest.fixture
def tree(version, tmp_path):
    """A kernel tree to write in."""
    return copy_tree(version, tmp_path / "linux")


@pytest.fixture(scope="session")
def shared_trees(tmp_path_factory):
    """Kernel trees that no test may write in, and what is in them."""
    top = tmp_path_factory.mktemp("trees")
    found = {}
    for version in VERSIONS:
        copy = copy_tree(version, top / version)
        found[version] = (copy, snapshot(copy))
    yield found
    shutil.rmtree(top)


@pytest.fixture
def source(version, shared_trees):
    """A kernel tree that must be the same afterwards."""
    path, before = shared_trees[version]
    yield path
    assert difference(before, snapshot(path)) == []
