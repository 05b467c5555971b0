# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of kconfig-agent run share.

BUILD   the build directory (default: build)
TREES   where tests/trees.sh laid the kernel trees out (default: build/trees)

Small Kconfig trees stand in for the kernel's own: the tree is a real one, of
which KBUILD_KCONFIG replaces the Kconfig files, so that its own make and its own
conf are what judges.
"""
import json
import os
import shutil
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(TOP, "build")))
TREES = os.path.abspath(os.environ.get(
    "TREES", os.path.join(TOP, "build", "trees")))
AGENT = os.path.join(BUILD, "kconfig-agent")
KEY = "sk-secret-0123456789abcdef"
VERSIONS = ("6.12", "6.1")
TIMEOUT = 120


class Result:
    """What a run of the program left behind."""

    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout.decode("utf-8")
        self.err = process.stderr.decode("utf-8")
        # Kernel options have "Sanitizer" in their prompts, so on stdout it is what
        # a sanitizer's own messages have: its name with a colon. These go to
        # stderr, where the word alone is enough. Looked for one by one: pytest
        # would compare megabytes, letter by letter.
        words = (KEY, "\x1b", "\x9b", "runtime error")
        for stream, more in ((self.out, "Sanitizer:"), (self.err, "Sanitizer")):
            for bad in (*words, more):
                found = stream.find(bad)
                assert found < 0, stream[max(0, found - 200):found + 500]

    def json(self):
        return json.loads(self.out)


def lines_of(path):
    with open(path, encoding="utf-8") as f:
        return f.read().splitlines()


def journal_of(path):
    return [json.loads(line) for line in lines_of(path)]


class Site:
    """A place with a Kconfig file, a .config, and a home of its own."""

    def __init__(self, root, cache, version):
        self.root = root
        self.version = version
        self.config = root / ".config"
        self.journal = root / "journal.jsonl"
        self.home = root / "home"
        self.home.mkdir(parents=True)
        self.objtree = os.path.join(TREES, "obj-" + version)
        self.env = {k: v for k, v in os.environ.items()
                    if not k.lower().endswith("_proxy") and
                    not k.startswith(("KCONFIG_", "KBUILD_", "XDG_"))}
        self.env.update(HOME=str(self.home), XDG_CACHE_HOME=str(cache),
                        OPENAI_API_KEY=KEY, LC_ALL="C.UTF-8")
        self.env.pop("ARCH", None)

    def kconfig(self, text, config=""):
        """Uses this instead of the kernel's own Kconfig files."""
        path = self.root / "Kconfig"
        path.write_text('mainmenu "Test"\n' + text, encoding="utf-8")
        self.env["KBUILD_KCONFIG"] = str(path)
        if config is not None:
            self.config.write_text(config)

    def args(self, command, *args):
        return [AGENT, command, "-C", os.path.join(TREES, self.version),
                "-O", self.objtree, "--config", str(self.config), *args]

    def call(self, command, *args, **env):
        return Result(subprocess.run(
            self.args(command, *map(str, args)), capture_output=True,
            cwd=str(self.root), env={**self.env, **env}, timeout=TIMEOUT,
            stdin=subprocess.DEVNULL, check=False))

    def run(self, server, *args, **env):
        """A run with the goal "test", asking the server if there is one."""
        if server:
            args = ("--provider", "openai", "--model", "test-model",
                    "--url", server.url, *args)
        if "--goal" not in args:
            args = ("--goal", "test", *args)
        if "--journal" not in args and "--dry-run" not in args:
            args = ("--journal", self.journal, *args)
        return self.call("run", *args, **env)

    def value(self, name):
        for line in lines_of(self.config):
            if line == "# CONFIG_%s is not set" % name:
                return "n"
            if line.startswith("CONFIG_%s=" % name):
                return line.split("=", 1)[1]
        return None

    def conf(self, mode="olddefconfig", config=None):
        """The bytes of the configuration after the tree's own conf."""
        copy = self.root / "judge"
        shutil.copy(config or self.config, copy)
        self.make(mode, KCONFIG_CONFIG=str(copy))
        return copy.read_bytes()

    def make(self, goal, **env):
        subprocess.run(
            ["make", "-s", "-C", os.path.join(TREES, self.version),
             "O=" + self.objtree, goal], check=True, timeout=TIMEOUT,
            env={**self.env, **env}, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def assert_valid(self):
        """The tree's own conf does not change a byte."""
        assert self.conf() == self.config.read_bytes()


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def site(tmp_path, cache):
    if not os.path.isdir(os.path.join(TREES, "obj-6.12")):
        pytest.skip("no kernel trees: run tests/trees.sh")
    return Site(tmp_path, cache, "6.12")


@pytest.fixture(params=VERSIONS)
def kernel(request, tmp_path, cache):
    """The same for each kernel version."""
    if not os.path.isdir(os.path.join(TREES, "obj-" + request.param)):
        pytest.skip("no tree of " + request.param + ": run tests/trees.sh")
    return Site(tmp_path, cache, request.param)


@pytest.fixture
def sites(tmp_path, cache):
    """Places by version."""
    def make(version):
        if not os.path.isdir(os.path.join(TREES, "obj-" + version)):
            pytest.skip("no kernel trees: run tests/trees.sh")
        return Site(tmp_path, cache, version)
    return make
