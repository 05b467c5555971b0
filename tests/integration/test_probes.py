# SPDX-License-Identifier: GPL-2.0-only
"""What $(shell) commands print, and when that may be remembered."""
import os
import random
import shutil
import subprocess
import sys
import time

import pytest

from conftest import BUILD, TOP, VERSIONS, original, write

sys.path.insert(0, str(TOP / "tests" / "parity"))
import kernel  # noqa: E402

# A program of a known name, so that the command counts as known. Each run
# leaves a byte in the file that COUNT names.
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	FILE *f = fopen(getenv("COUNT"), "a");
	fputc('x', f);
	fclose(f);
	%s
	return 0;
}
"""
KCONFIG = """
config RESULT
	string
	default "$(shell,%s)"
"""


class Lab:
    def __init__(self, root):
        self.root = root
        self.bin = root / "bin"
        self.cache = root / "cache"
        self.count = root / "count"
        self.work = root / "work"
        for path in (self.bin, self.work):
            path.mkdir()
        self.env = {"PATH": f"{self.bin}:/usr/bin:/bin", "COUNT": str(self.count),
                    "XDG_CACHE_HOME": str(self.cache), "KERNELVERSION": "6.12",
                    "srctree": str(root / "src")}

    def program(self, text, name="pahole", where=None):
        path = (where or self.bin) / name
        source = write(self.root / (name + ".c"), PROGRAM % text)
        made = self.root / (name + ".made")
        subprocess.run(["gcc", "-o", made, source], check=True)
        os.replace(made, path)
        return path

    def kconfig(self, command):
        write(self.root / "src" / "Kconfig", KCONFIG % command)

    def settle(self):
        """A file that has just changed might change again unseen."""
        time.sleep(3.1)

    def run(self, *options, **env):
        """RESULT, and how often programs ran."""
        self.count.write_text("")
        ran = subprocess.run(
            [BUILD / "kconf", *options, "--alldefconfig", "Kconfig"],
            cwd=self.work, env={**self.env, **env}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
            check=True)
        self.err = ran.stderr.decode()
        text = (self.work / ".config").read_text()
        (line,) = [x for x in text.splitlines() if x.startswith("CONFIG_RESULT")]
        return line.split('"')[1], len(self.count.read_text())


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path)


def test_remembered(lab):
    lab.program('puts("1");')
    lab.kconfig("pahole --version")
    assert lab.run() == ("1", 1)
    assert lab.run() == ("1", 1), "it is too new to be sure of it"
    lab.settle()
    assert lab.run() == ("1", 1)
    assert lab.run() == ("1", 0)
    assert lab.run("--no-probe-cache") == ("1", 1)
    assert lab.run(TERM="other", MAKEFLAGS="s") == ("1", 0)
    assert lab.run(LANG="de_DE.UTF-8") == ("1", 1)
    assert lab.run(PATH=lab.env["PATH"] + ":/nowhere") == ("1", 1)
    mode = (lab.cache / "kconfig-agent/probes").stat().st_mode & 0o777
    assert mode == 0o600


def test_off(lab):
    lab.program('puts("1");')
    lab.kconfig("pahole --version")
    lab.settle()
    for _ in range(2):
        assert lab.run("--no-probe-cache") == ("1", 1)
    assert not lab.cache.exists()


def test_program_is_swapped(lab):
    """The same name, size and time of modification: still another program."""
    path = lab.program('puts("1");')
    lab.kconfig("pahole --version")
    lab.settle()
    assert lab.run() == ("1", 1)
    assert lab.run() == ("1", 0)
    old = path.stat()
    lab.program('puts("2");')
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))
    assert path.stat().st_size == old.st_size
    assert lab.run()[0] == "2"


def test_program_is_overwritten_in_place(lab):
    path = lab.program('puts("1");')
    lab.kconfig("pahole --version")
    lab.settle()
    assert lab.run() == ("1", 1)
    old = path.stat()
    other = lab.program('puts("2");', "other").read_bytes()
    with open(path, "r+b") as f:
        f.write(other)
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))
    assert lab.run()[0] == "2"


def test_another_comes_before_it(lab):
    lab.program('puts("1");')
    first = lab.root / "first"
    lab.env["PATH"] = f"{first}:" + lab.env["PATH"]
    lab.kconfig("pahole --version")
    lab.settle()
    assert lab.run() == ("1", 1)
    assert lab.run() == ("1", 0)
    first.mkdir()
    lab.program('puts("2");', where=first)
    assert lab.run()[0] == "2"


def test_program_comes_and_goes(lab):
    lab.kconfig("command -v pahole >/dev/null && echo y || echo n")
    assert lab.run()[0] == "n"
    path = lab.program('puts("1");')
    lab.settle()
    assert lab.run()[0] == "y"
    assert lab.run()[0] == "y"
    path.unlink()
    assert lab.run()[0] == "n"


@pytest.mark.parametrize("name", ["data", "./data", "$HERE/data"])
def test_file_that_is_named(lab, name):
    lab.env["HERE"] = str(lab.work)
    lab.kconfig(f"cat {name} 2>/dev/null")
    assert lab.run()[0] == ""
    for text in ("1", "2", "3"):
        (lab.work / "data").write_text(text)
        lab.settle()
        assert lab.run()[0] == text
        assert lab.run()[0] == text
    (lab.work / "data").unlink()
    assert lab.run()[0] == ""


def test_script_and_what_it_calls(lab):
    lab.program('puts("1");')
    write(lab.root / "src/scripts/inner.sh", "#!/bin/sh\npahole\n", 0o755)
    write(lab.root / "src/scripts/outer.sh",
          "#!/bin/sh\n$(dirname $0)/inner.sh\n", 0o755)
    lab.kconfig("$(srctree)/scripts/outer.sh")
    lab.settle()
    assert lab.run() == ("1", 1)
    assert lab.run() == ("1", 0)
    write(lab.root / "src/scripts/inner.sh", "#!/bin/sh\necho $(pahole)2\n",
          0o755)
    assert lab.run()[0] == "12"
    lab.program('puts("3");')
    assert lab.run()[0] == "32"


def test_script_in_place_of_a_program(lab):
    write(lab.bin / "pahole", '#!/bin/sh\ncat "$DATA"\n', 0o755)
    data = write(lab.root / "data", "1\n")
    lab.env["DATA"] = str(data)
    lab.kconfig("pahole --version")
    lab.settle()
    for text in ("1", "2"):
        data.write_text(text)
        assert lab.run()[0] == text


@pytest.mark.parametrize("command", [
    "echo x >>$COUNT; wc -c <$COUNT",
    "mystery",
    "env | grep ^SHLVL",
    "ls *",
    "rm -f data; echo 1",
    "date +%s%N",
])
def test_not_known(lab, command):
    """What might change something, or read anything, runs once, each time."""
    lab.program('puts("1");', "mystery")
    (lab.work / "data").write_text("")
    # something to look ahead for: a result that is not there yet
    lab.program('puts("1");')
    write(lab.root / "src/Kconfig", (KCONFIG % command).replace(
        "config RESULT", "X := $(shell,pahole --version)\nconfig RESULT"))
    lab.settle()
    first = lab.run()
    second = lab.run()
    calls = {"mystery": 1, "echo x >>$COUNT; wc -c <$COUNT": len("x\n")}
    assert first[1] == 1 + calls.get(command, 0)
    assert second[1] == calls.get(command, 0)
    if command.startswith("date"):
        assert first[0] != second[0]
    if command.startswith("rm"):
        assert not (lab.work / "data").exists()


def test_once_for_many(lab):
    """The same command again prints the same, unless it is not known."""
    lab.program('puts("1");')
    lab.program('puts("1");', "mystery")
    for command, runs in (("pahole", 1), ("mystery", 3)):
        write(lab.root / "src/Kconfig",
              f"A := $(shell,{command})\nB := $(shell,{command})\n"
              + KCONFIG % command)
        assert lab.run("--no-probe-cache") == ("1", runs)


def test_what_is_said_on_stderr(lab):
    lab.program('puts("1"); fputs("watch out\\n", stderr);')
    lab.kconfig("pahole --version")
    lab.settle()
    for _ in range(3):
        assert lab.run() == ("1", 1)
        assert lab.err == "watch out\n"


def test_long_output(lab):
    lab.program('for (int i = 0; i < 100000; i++) fputs("0123456789", stdout);')
    lab.kconfig("pahole --version")
    lab.settle()
    for _ in range(2):
        assert lab.run() == (("0123456789" * 410)[:4095], 1)


def test_damaged_cache(lab):
    """Whatever stands in the file, the result is right."""
    lab.program('puts("1");')
    lab.kconfig("pahole --version")
    lab.settle()
    assert lab.run() == ("1", 1)
    path = lab.cache / "kconfig-agent/probes"
    whole = path.read_bytes()
    r = random.Random(1)
    damaged = [b"", whole[:-1], whole[:30], b"\0" * 1000, whole * 3]
    for _ in range(30):
        text = bytearray(whole)
        text[r.randrange(len(text))] ^= 1 << r.randrange(8)
        damaged.append(bytes(text))
    for text in damaged:
        path.write_bytes(text)
        assert lab.run()[0] == "1"
    path.write_bytes(whole)
    path.chmod(0o666)
    assert lab.run() == ("1", 1), "anybody might have written it"


def test_no_place_for_a_cache(lab):
    lab.program('puts("1");')
    lab.kconfig("pahole --version")
    lab.settle()
    blocked = write(lab.root / "blocked", "")
    for place in (str(blocked), "/proc/nowhere", "relative", ""):
        assert lab.run(XDG_CACHE_HOME=place) == ("1", 1)
        assert lab.err == ""


@pytest.mark.parametrize("version", VERSIONS)
def test_real_tree(version, tmp_path):
    """Cold, warm, off, one at a time: the same configuration."""
    original(version)
    env = kernel.Tree(version).environment("x86_64")
    env["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    made = {}
    for name, options in (("cold", []), ("warm", []),
                          ("off", ["--no-probe-cache"])):
        work = tmp_path / name
        work.mkdir()
        ran = subprocess.run(
            [BUILD / "kconf", *options, "--alldefconfig", "Kconfig"], cwd=work,
            env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=300, check=True)
        made[name] = ((work / ".config").read_bytes(), ran.stdout, ran.stderr)
        assert sorted(os.listdir(work)) == [".config", "include"], "left over"
    assert made["cold"] == made["warm"] == made["off"]


def test_real_tree_other_compiler(tmp_path):
    """After gcc has become clang, what gcc said counts no more."""
    original("6.12")
    if not shutil.which("clang"):
        pytest.skip("no clang")
    env = kernel.Tree("6.12").environment("x86_64")
    env["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    tools = tmp_path / "bin"
    tools.mkdir()
    env["PATH"] = f"{tools}:" + env["PATH"]
    tree = kernel.Tree("6.12")
    said = []
    for compiler in ("gcc", "clang", "gcc"):
        (tools / "gcc").unlink(missing_ok=True)
        (tools / "gcc").symlink_to(shutil.which(compiler))
        results = []
        for program in (tree.conf, BUILD / "kconf"):
            config = tmp_path / ".config"
            config.unlink(missing_ok=True)
            ran = subprocess.run([program, "--alldefconfig", "Kconfig"],
                                 cwd=tmp_path, env=env, timeout=300,
                                 stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, check=False)
            results.append((ran.returncode, ran.stdout, ran.stderr,
                            config.exists() and config.read_bytes()))
        assert results[0] == results[1]
        said.append(results[0])
    assert said[0] == said[2] != said[1]
