# SPDX-License-Identifier: GPL-2.0-only
"""The kernel's environment without make, and its conf as a judge."""
import os
import shutil

import pytest

from conftest import BUILD, KEY, TOP, Place, difference, snapshot, write

DRIVER = BUILD / "tests" / "kenv-driver"
# What make says to the makes it runs, and what differs between processes.
NOISE = {"MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS", "MAKEFILES",
         "MAKE_TERMERR", "MAKE_TERMOUT", "PWD", "OLDPWD", "SHLVL", "_"}


class Found:
    def __init__(self, text):
        self.env = {}
        for line in text.splitlines():
            key, _, value = line.partition(" ")
            if key == "env":
                name, _, value = value.partition("=")
                self.env[name] = value
            else:
                setattr(self, key, value)


class KenvPlace(Place):
    """With a make that counts how often it is asked about the environment."""

    def __init__(self, root):
        super().__init__(root)
        self.count = root / "count"
        self.count.write_text("")
        write(root / "bin" / "make",
              "#!/bin/sh\n[ -n \"$MAKELEVEL\" ] || "
              f"echo \"$*\" >>'{self.count}'\n"
              f"exec {shutil.which('make')} \"$@\"\n", 0o755)
        self.env["PATH"] = f"{root}/bin:{self.env['PATH']}"
        self.env["OPENAI_API_KEY"] = KEY
        self.env["MY_OWN_API_KEY"] = KEY
        self.env["KCONFIG_AGENT_KEY_FILE"] = "/where/it/is"

    def driver(self, *args, **env):
        return self.call(DRIVER, *args, **env)

    def find(self, *args, **env):
        return Found(self.driver(*args, **env).ok().out)

    def runs(self):
        return len(self.count.read_text().splitlines())


@pytest.fixture
def kenv(tmp_path):
    return KenvPlace(tmp_path)


@pytest.mark.parametrize("arch", ["x86_64", "arm64"])
def test_same_as_under_make(kenv, source, arch):
    kenv.obj.mkdir()
    found = kenv.find("-C", source, "-O", kenv.obj, "-a", arch, "CC=gcc -O2")
    write(kenv.root / "dump", "#!/bin/sh\nenv -0 >dump\n", 0o755)
    kenv.kernel(source, "-s", f"O={kenv.obj}", f"ARCH={arch}", "CC=gcc -O2",
                "agentconfig", KCONFIG_AGENT=str(kenv.root / "dump"),
                MAKEFILES=str(TOP / "scripts/kconfig-agent/agentconfig.mk")
                ).ok()
    conf = dict(line.split("=", 1) for line in
                (kenv.obj / "dump").read_text().split("\0") if line)
    for name in NOISE | {"OPENAI_API_KEY", "MY_OWN_API_KEY",
                         "KCONFIG_AGENT_KEY_FILE"}:
        conf.pop(name, None)
    assert {k: v for k, v in found.env.items() if k not in NOISE} == conf
    assert found.srctree == str(source)
    assert found.objtree == str(kenv.obj)
    assert found.arch == arch
    assert found.srcarch == ("x86" if arch == "x86_64" else arch)
    assert found.version == conf["KERNELVERSION"]
    assert found.kconfig == "Kconfig"
    assert found.defconfig == f"{source}/arch/{found.srcarch}/configs/" + (
        "x86_64_defconfig" if arch == "x86_64" else "defconfig")
    assert found.under_make == "0"


def test_nothing_is_written_in_the_tree(kenv, source):
    found = kenv.find("-C", source)
    assert found.objtree == str(source)
    assert found.env["srctree"] == "."


def test_cached(kenv, tree):
    first = kenv.find("-C", tree)
    assert kenv.runs() == 1
    assert kenv.find("-C", tree).__dict__ == first.__dict__
    assert kenv.find("-C", "linux").__dict__ == first.__dict__
    assert kenv.runs() == 1
    kenv.find("-n", "-C", tree)
    assert kenv.runs() == 2, "-n must not use the cache"

    kenv.find("-C", tree, "-a", "arm64")
    assert kenv.runs() == 3
    kenv.find("-C", tree, "CC=gcc -O2")
    assert kenv.runs() == 4
    kenv.find("-C", tree, LOCALVERSION="x")
    assert kenv.runs() == 5
    kenv.find("-C", tree)
    assert kenv.runs() == 5


@pytest.mark.parametrize("name", ["Makefile", "scripts/kconfig/Makefile",
                                  "arch/x86/Makefile"])
@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_cache_follows_the_tree(kenv, tree, name):
    kenv.find("-C", tree)
    os.utime(tree / name, (1, 1))
    kenv.find("-C", tree)
    assert kenv.runs() == 2
    kenv.find("-C", tree)
    assert kenv.runs() == 2


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_cache_follows_the_compiler(kenv, source):
    gcc = kenv.root / "bin" / "gcc"
    gcc.symlink_to(shutil.which("gcc"))
    before = kenv.find("-C", source).env["CC_VERSION_TEXT"]
    gcc.unlink()
    write(gcc, "#!/bin/sh\n[ \"$*\" != --version ] || { echo mine 1.0; exit; }\n"
          f"exec {shutil.which('gcc')} \"$@\"\n", 0o755)
    after = kenv.find("-C", source).env["CC_VERSION_TEXT"]
    assert before != after == "mine 1.0"
    assert kenv.runs() == 2


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_damaged_cache(kenv, source):
    found = kenv.find("-C", source)
    (path,) = (kenv.cache / "kconfig-agent").glob("*.env")
    whole = path.read_bytes()
    for text in (b"", whole[:10], whole[:-1], whole[:200] + whole[201:],
                 whole.replace(b"Kconfig", b"Kcomfig"), b"\0" * len(whole)):
        path.write_bytes(text)
        before = kenv.runs()
        assert kenv.find("-C", source).__dict__ == found.__dict__
        assert kenv.runs() == before + 1
    assert path.read_bytes() == whole


def test_no_keys(kenv, source):
    found = kenv.find("-C", source)
    assert KEY not in str(found.env)
    assert "KCONFIG_AGENT_KEY_FILE" not in found.env
    for path in (kenv.cache / "kconfig-agent").iterdir():
        text = path.read_bytes()
        assert KEY.encode() not in text
        assert b"API_KEY" not in text and b"/where/it/is" not in text
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_no_place_for_a_cache(kenv, source):
    kenv.cache.write_text("a file, not a directory")
    kenv.find("-C", source)
    env = dict(kenv.env)
    for name in ("HOME", "XDG_CACHE_HOME"):
        env.pop(name)
    kenv.env = env
    kenv.find("-C", source)


def test_under_make(kenv, source):
    write(kenv.root / "agent", "#!/bin/sh\n"
          f"for a in '-C {source}' '' '-a x86' '-O .'; do\n"
          f"\t{DRIVER} $a >>found || exit 1\n\techo end >>found\n"
          f"done\n{DRIVER} -a arm64 >>found\n", 0o755)
    kenv.kernel(source, "-s", f"O={kenv.obj}", "agentconfig",
                KCONFIG_AGENT=str(kenv.root / "agent"),
                MAKEFILES=str(TOP / "scripts/kconfig-agent/agentconfig.mk")
                ).ok()
    *under, other = (kenv.obj / "found").read_text().split("end\n")
    for text in under:
        found = Found(text)
        assert found.under_make == "1"
        assert found.srctree == str(source)
        assert found.objtree == str(kenv.obj)
        assert found.conf == f"{kenv.obj}/scripts/kconfig/conf"
        assert found.defconfig.endswith("/arch/x86/configs/x86_64_defconfig")
        assert KEY not in text
    found = Found(other)        # another arch: make has to be asked
    assert found.under_make == "0" and found.srcarch == "arm64"
    assert found.srctree == str(source) and found.objtree == str(kenv.obj)


def test_not_a_kernel_tree(kenv):
    ran = kenv.driver("-C", kenv.root)
    assert ran.status == 2
    assert "not a kernel tree" in ran.err and "-C DIR" in ran.err
    ran = kenv.driver("-C", kenv.root / "nowhere")
    assert ran.status == 2
    assert "nowhere: No such file" in ran.err


def test_make_fails(kenv):
    tree = kenv.root / "tree"
    write(tree / "Kconfig", "")
    write(tree / "scripts/kconfig/Makefile", "")
    write(tree / "Makefile", "$(error this \x1b[31m does not work)\n")
    ran = kenv.driver("-C", tree)
    assert ran.status == 2
    assert "make failed" in ran.err and "does not work" in ran.err
    assert "\x1b" not in ran.err
    write(tree / "Makefile", "all:\n%config:\n\t@:\n")
    ran = kenv.driver("-C", tree)
    assert ran.status == 2
    assert str(tree) in ran.err


def test_no_make(kenv, source):
    ran = kenv.driver("-C", source, PATH="/nonexistent")
    assert ran.status == 2
    assert "make is not installed" in ran.err


def test_unknown_arch(kenv, source):
    ran = kenv.driver("-C", source, "-a", "z80")
    assert ran.status == 2
    assert "z80" in ran.err


# ---- conf -----------------------------------------------------------------------

@pytest.mark.parametrize("arch", ["x86_64", "arm64"])
def test_conf_judges(kenv, source, arch):
    config = write(kenv.root / "mine", "CONFIG_EXPERT=y\nCONFIG_NONSENSE=y\n")
    tmp = kenv.root / "tmp"
    tmp.mkdir()
    args = ("-C", source, "-O", kenv.obj, "-a", arch, config)
    first = kenv.driver(*args, TMPDIR=str(tmp)).ok().out
    assert "CONFIG_EXPERT=y" in first and "NONSENSE" not in first
    assert list(tmp.iterdir()) == []

    before = snapshot(kenv.obj)
    assert ".config" not in before
    assert kenv.driver(*args, TMPDIR=str(tmp)).ok().out == first
    assert difference(before, snapshot(kenv.obj)) == []

    shutil.copy(config, kenv.obj / ".config")
    kenv.kernel(source, "-s", f"O={kenv.obj}", f"ARCH={arch}",
                "olddefconfig").ok()
    assert (kenv.obj / ".config").read_text() == first


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_conf_leaves_the_outputs_of_syncconfig_alone(kenv, source):
    config = write(kenv.root / "mine", "")
    args = ("-C", source, "-O", kenv.obj)
    kenv.kernel(source, "-s", f"O={kenv.obj}", "defconfig", "syncconfig").ok()
    assert (kenv.obj / "include/config/auto.conf").exists()
    before = snapshot(kenv.obj)
    kenv.driver(*args, config).ok()
    assert difference(before, snapshot(kenv.obj)) == []


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_conf_fails(kenv, source):
    broken = write(kenv.root / "Kconfig", "config A\n\tnonsense\n")
    config = write(kenv.root / "mine", "")
    ran = kenv.driver("-C", source, "-O", kenv.obj, config,
                      KBUILD_KCONFIG=str(broken))
    assert ran.status == 2
    assert "status 1" in ran.err and "Kconfig:2:" in ran.err


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_conf_cannot_be_built(kenv, source):
    config = write(kenv.root / "mine", "")
    ran = kenv.driver("-C", source, "-O", kenv.obj, "HOSTCC=false", config)
    assert ran.status == 2
    assert "make failed" in ran.err


def test_temporary_directory(kenv, source):
    config = write(kenv.root / "mine", "")
    ran = kenv.driver("-C", source, "-O", kenv.obj, config,
                      TMPDIR=str(kenv.root / "none"))
    assert ran.status == 2
    assert "temporary" in ran.err
    blank = kenv.root / "a b"
    blank.mkdir()
    kenv.driver("-C", source, "-O", kenv.obj, config, TMPDIR=str(blank)).ok()
