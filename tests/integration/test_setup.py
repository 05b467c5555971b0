# SPDX-License-Identifier: GPL-2.0-only
"""make setup, on machines of which only the commands are pretended."""
import os
import shutil
import subprocess

import pytest

from conftest import TOP, write

# What every distribution has at the start.
TOOLS = ("sh", "awk", "basename", "cat", "cp", "cut", "dirname", "echo", "env",
         "find", "grep", "head", "mkdir", "mv", "rm", "sed", "sort", "tail",
         "tar", "touch", "tr", "gzip")
INSTALLERS = ("apt-get", "dnf", "pacman")
RELEASES = {"debian": "ID=debian\n", "ubuntu": "ID=ubuntu\nID_LIKE=debian\n",
            "fedora": "ID=fedora\n", "arch": "ID=arch\n",
            "mint": 'ID=linuxmint\nID_LIKE="ubuntu debian"\n'}


class Machine:
    def __init__(self, root, release, uid=0):
        self.root = root
        self.bin = root / "bin"
        self.log = root / "log"
        self.sources = root / "src"
        self.sources.mkdir()
        self.log.write_text("")
        self.bin.mkdir()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        for tool in INSTALLERS:
            self.command(tool, f"echo {tool} \"$@\" >>'{self.log}'")
        self.command("sudo", f"echo sudo >>'{self.log}'\n\"$@\"")
        self.command("id", f"echo {uid}")
        write(root / "os-release", RELEASES.get(release, release))
        (root / "scripts").mkdir()
        self.script = root / "scripts" / "setup.sh"
        shutil.copy(TOP / "scripts" / "setup.sh", self.script)

    def command(self, name, text="exit 0"):
        write(self.bin / name, "#!/bin/sh\n" + text + "\n", 0o755)

    def complete(self):
        if not (self.bin / "xz").exists():
            (self.bin / "xz").symlink_to(shutil.which("xz"))
        for tool in ("make", "gcc", "flex", "bison", "pkg-config", "patch",
                     "perl", "bzip2", "bc", "python3", "clang",
                     "clang-format", "flock", "openssl", "git", "kconfig-conf"):
            if not (self.bin / tool).exists():
                self.command(tool, "echo /found")
        # a Python that has every module
        write(self.bin / "pytest", f"#!{shutil.which('true')}\n", 0o755)
        for version in ("6.1", "6.12"):
            self.tarball(f"linux-source-{version}.tar.xz")

    def tarball(self, name):
        """A kernel source, as the packages have it."""
        stem = name.split(".tar")[0]
        write(self.root / "pack" / stem / "Kconfig", name + "\n")
        subprocess.run(["tar", "-caf", self.sources / name, stem],
                       cwd=self.root / "pack", check=True)

    def setup(self, *goals, **env):
        ran = subprocess.run(
            ["/bin/sh", self.script, *goals], cwd=self.root,
            env={"PATH": str(self.bin), "TREES_SRC": str(self.sources),
                 "OS_RELEASE": str(self.root / "os-release"), **env},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        return ran.returncode, ran.stdout

    def logged(self):
        return self.log.read_text()


@pytest.mark.parametrize("release,command,package", [
    ("debian", "apt-get install -q -y", "libcurl4-openssl-dev"),
    ("ubuntu", "apt-get install -q -y", "libcjson-dev"),
    ("mint", "apt-get install -q -y", "libcjson-dev"),
    ("fedora", "dnf install -y", "libcurl-devel"),
    ("arch", "pacman -S --needed --noconfirm", "cjson"),
])
def test_installs_what_is_missing(tmp_path, release, command, package):
    machine = Machine(tmp_path, release)
    status, out = machine.setup("agentconfig", KDIR="/somewhere")
    assert status == 0, out
    (line,) = [x for x in machine.logged().splitlines() if "nstall" in x
               or "-S" in x]
    assert line.startswith(command)
    assert {"make", "gcc", "flex", "bison", package} <= set(line.split())
    assert "picosat" in line
    assert "+ " in out and package in out, "what is run has to be shown"
    assert "clang" not in line, "that is for the tests"
    assert "sudo" not in machine.logged()
    assert not (tmp_path / "build").exists()


def test_tests_take_more(tmp_path):
    machine = Machine(tmp_path, "debian")
    machine.complete()
    (machine.bin / "clang").unlink()
    status, out = machine.setup("check")
    assert status == 0, out
    assert machine.logged().splitlines() == [
        "apt-get update -q",
        "apt-get install -q -y --no-install-recommends clang libclang-rt-dev"]


def test_a_clang_without_its_runtime(tmp_path):
    machine = Machine(tmp_path, "debian")
    machine.complete()
    # it answers with the bare name when it has no such file
    machine.command("clang", 'case $1 in -dumpmachine) echo x86_64-pc-linux;; '
                    '*) echo "${1#*=}";; esac')
    status, out = machine.setup("check")
    assert status == 0, out
    assert machine.logged().splitlines()[-1].endswith(" libclang-rt-dev")


@pytest.mark.parametrize("system, wanted", [
    ("debian", " kconfig-frontends-nox"), ("fedora", None), ("arch", None)])
def test_what_not_every_distribution_has(tmp_path, system, wanted):
    machine = Machine(tmp_path, system)
    machine.complete()
    (machine.bin / "kconfig-conf").unlink()
    status, out = machine.setup("check")
    assert status == 0, out
    if wanted:
        assert machine.logged().splitlines()[-1].endswith(wanted)
    else:
        assert "kconfig-conf" not in out
        assert machine.logged() == ""


def test_module_of_pytest(tmp_path):
    machine = Machine(tmp_path, "debian")
    machine.complete()
    write(machine.bin / "pytest", f"#!{shutil.which('false')}\n", 0o755)
    status, out = machine.setup("check")
    assert status == 0, out
    assert machine.logged().splitlines()[-1].endswith(" python3-pytest-xdist")


def test_sudo_when_not_root(tmp_path):
    machine = Machine(tmp_path, "debian", uid=1000)
    machine.complete()
    (machine.bin / "bison").unlink()
    assert machine.setup("check")[0] == 0
    assert machine.logged().count("sudo") == 2
    (machine.bin / "sudo").unlink()
    status, out = machine.setup("check")
    assert status != 0 and "no sudo" in out


def test_nothing_to_do(tmp_path):
    machine = Machine(tmp_path, "debian", uid=1000)
    machine.complete()
    for _ in range(2):
        status, out = machine.setup()
        assert status == 0, out
        assert machine.logged() == ""
    assert "6.12" in (tmp_path / "build/linux/Kconfig").read_text()
    assert os.listdir(tmp_path / "build") == ["linux"]


def test_unknown_distribution(tmp_path):
    machine = Machine(tmp_path, "ID=plan9\n")
    status, out = machine.setup("check")
    assert status != 0
    assert "flex" in out and "install them" in out
    machine.complete()
    status, out = machine.setup("check")
    assert status == 0, out


def test_installer_fails(tmp_path):
    machine = Machine(tmp_path, "debian")
    machine.command("apt-get", "echo no network >&2; exit 100")
    status, out = machine.setup("check")
    assert status != 0 and "all is there" not in out


def test_kernel_source_of_debian(tmp_path):
    machine = Machine(tmp_path, "debian")
    machine.complete()
    for path in machine.sources.iterdir():
        path.unlink()
    machine.tarball("linux-source-6.12.tar.xz")
    stash = machine.sources.rename(tmp_path / "stash")
    machine.sources.mkdir()
    machine.command("apt-cache", "echo 'linux-source-6.1 - x'; "
                    "echo 'linux-source-6.12 - x'; echo 'linux-source-6.9 - x'")
    machine.command("apt-get", f"echo \"$@\" >>'{machine.log}'\n"
                    f"cp {stash}/* {machine.sources}/")
    status, out = machine.setup("agentconfig")
    assert status == 0, out
    assert machine.logged().splitlines()[-1].endswith(" linux-source-6.12")
    assert (tmp_path / "build/linux/Kconfig").exists()


def test_kernel_source_of_ubuntu(tmp_path):
    machine = Machine(tmp_path, "ubuntu")
    machine.complete()
    for path in machine.sources.iterdir():
        path.unlink()
    machine.tarball("linux-source-6.8.0.tar.gz")
    where = machine.sources / "linux-source-6.8.0"
    where.mkdir()
    name = "linux-source-6.8.0.tar.gz"
    (machine.sources / name).rename(where / name)
    (machine.sources / name).symlink_to(where / name)
    status, out = machine.setup("agentconfig")
    assert status == 0, out
    assert "6.8.0" in (tmp_path / "build/linux/Kconfig").read_text()


def test_kernel_source_of_fedora(tmp_path):
    machine = Machine(tmp_path, "fedora")
    machine.complete()
    machine.tarball("linux-6.12.9.tar.xz")
    machine.command("dnf", f"echo \"$@\" >>'{machine.log}'\n"
                    "while [ \"$1\" != --destdir ]; do shift; done\n"
                    "touch \"$2/kernel-6.12.9-1.src.rpm\"")
    machine.command("rpm2cpio")
    machine.command("cpio", f"cp {machine.sources}/linux-6.12.9.tar.xz .")
    status, out = machine.setup("agentconfig")
    assert status == 0, out
    assert "download --source" in machine.logged()
    assert "6.12.9" in (tmp_path / "build/linux/Kconfig").read_text()
    assert os.listdir(tmp_path / "build") == ["linux"]


def test_kernel_source_of_arch(tmp_path):
    machine = Machine(tmp_path, "arch")
    machine.complete()
    machine.command("pacman", "echo 'Repository      : core'; "
                    "echo 'Version         : 6.12.4.arch1-1'")
    machine.tarball("linux-6.12.4.tar.xz")
    machine.command("curl", f"echo \"$@\" >>'{machine.log}'\n"
                    "while [ \"$1\" != -o ]; do shift; done\n"
                    f"cp {machine.sources}/linux-6.12.4.tar.xz \"$2\"")
    status, out = machine.setup("agentconfig")
    assert status == 0, out
    assert "/v6.x/linux-6.12.4.tar.xz" in machine.logged()
    assert "6.12.4" in (tmp_path / "build/linux/Kconfig").read_text()
    assert os.listdir(tmp_path / "build") == ["linux"]


def test_damaged_tarball(tmp_path):
    machine = Machine(tmp_path, "debian")
    machine.complete()
    (machine.sources / "linux-source-6.12.tar.xz").write_bytes(b"damaged")
    status, out = machine.setup("agentconfig")
    assert status != 0
    assert not (tmp_path / "build/linux").exists()
