# SPDX-License-Identifier: GPL-2.0-only
"""make install-tree and uninstall-tree."""
import os
import re
import subprocess

import pytest

from conftest import TOP, VERSIONS, difference, option, snapshot, write


def install(place, tree, **env):
    return place.make("-s", "install-tree", f"KDIR={tree}", **env)


def uninstall(place, tree, **env):
    return place.make("-s", "uninstall-tree", f"KDIR={tree}", **env)


def test_comes_and_goes_without_a_trace(place, tree):
    before = snapshot(tree)
    install(place, tree).ok()
    installed = snapshot(tree)
    assert {"scripts/Makefile", "scripts/kconfig/Makefile",
            "scripts/kconfig-agent/Kbuild",
            "scripts/kconfig-agent/lkc/include/lkc/lkc.h"} <= set(
                difference(before, installed))
    assert not any(name.endswith((".orig", ".rej")) for name in installed)

    install(place, tree).ok()           # once more does no harm
    assert difference(installed, snapshot(tree)) == []

    uninstall(place, tree).ok()
    assert difference(before, snapshot(tree)) == []
    again = uninstall(place, tree).ok()
    assert "is not in" in again.out
    assert difference(before, snapshot(tree)) == []


def test_relative_tree(place, tree):
    before = snapshot(tree)
    where = os.path.relpath(tree, TOP)
    place.make("-s", "install-tree", f"KDIR={where}").ok()
    place.make("-s", "uninstall-tree", f"KDIR={where}").ok()
    assert difference(before, snapshot(tree)) == []


def test_git_checkout(place, tree):
    def git(*args):
        return subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@example.com",
             "-c", "core.excludesFile=/dev/null", *args], cwd=tree, check=True,
            env=place.env, stdout=subprocess.PIPE).stdout.decode()

    git("init", "-q")
    # Debian's trees come with a .gitignore that leaves everything out.
    git("add", "-f", "Makefile", "scripts", ".gitignore")
    git("commit", "-q", "-m", "as it came")
    clean = git("status", "--porcelain")
    install(place, tree).ok()
    assert " M scripts/kconfig/Makefile" in git("status", "--porcelain")
    uninstall(place, tree).ok()
    assert git("status", "--porcelain") == clean


def test_patch_is_one_for_git(tree, version):
    subprocess.run(["git", "apply", "--check",
                    TOP / "patches" / (version + ".patch")], cwd=tree,
                   check=True)


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_sources_are_brought_up_to_date(place, tree):
    install(place, tree).ok()
    installed = snapshot(tree)
    agent = tree / "scripts/kconfig-agent"
    write(agent / "old" / "gone.c", "int x;\n")
    with open(agent / ".manifest", "a") as f:
        f.write("old/gone.c\n")
    (agent / "main.c").write_text("int old;\n")
    install(place, tree).ok()
    assert difference(installed, snapshot(tree)) == []


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_what_is_not_ours_stays(place, tree):
    install(place, tree).ok()
    mine = write(tree / "scripts/kconfig-agent/lkc/mine.txt", "mine\n")
    gone = uninstall(place, tree)
    assert gone.status != 0
    assert "lkc/mine.txt" in gone.err
    assert mine.read_text() == "mine\n"
    assert not (tree / "scripts/kconfig-agent/main.c").exists()


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_foreign_directory(place, tree):
    write(tree / "scripts/kconfig-agent/Kbuild", "# theirs\n")
    before = snapshot(tree)
    assert "did not come from here" in install(place, tree).err
    assert difference(before, snapshot(tree)) == []


def test_patch_does_not_fit(place, tree):
    makefile = tree / "scripts/kconfig/Makefile"
    makefile.write_text(makefile.read_text().replace("oldconfig", "xconfig"))
    before = snapshot(tree)
    ran = install(place, tree)
    assert ran.status != 0
    assert "does not fit" in ran.err
    assert difference(before, snapshot(tree)) == []


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_changed_where_it_was_patched(place, tree):
    install(place, tree).ok()
    makefile = tree / "scripts/Makefile"
    makefile.write_text(makefile.read_text().replace(
        "kconfig kconfig-agent", "extra kconfig kconfig-agent"))
    before = snapshot(tree)
    ran = uninstall(place, tree)
    assert ran.status != 0
    assert "scripts/Makefile" in ran.err
    assert difference(before, snapshot(tree)) == []


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_changes_elsewhere_stay(place, tree):
    install(place, tree).ok()
    makefile = tree / "scripts/kconfig/Makefile"
    text = "# one more line\n" + makefile.read_text() + "# and one\n"
    makefile.write_text(text)
    uninstall(place, tree).ok()
    left = makefile.read_text()
    assert left.startswith("# one more line\n") and left.endswith("# and one\n")
    assert "kconfig-agent" not in left


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_too_old(place, tree):
    makefile = tree / "Makefile"
    makefile.write_text(re.sub(r"^VERSION = .*$", "VERSION = 4",
                               makefile.read_text(), flags=re.M))
    ran = install(place, tree)
    assert ran.status != 0
    assert "too old" in ran.err


def test_needs_a_tree(place):
    for target in ("install-tree", "uninstall-tree"):
        assert "KDIR=" in place.make("-s", target).err
        assert "no kernel tree" in place.make("-s", target, "KDIR=/").err


def test_missing_libraries_are_named(place):
    script = TOP / "scripts/kconfig-agent/libs-cfg.sh"
    ran = place.call("sh", script, "cflags", "libs", HOSTPKG_CONFIG="false",
                     HOSTCC="false")
    assert ran.status != 0
    assert "libcurl" in ran.err and "apt-get install" in ran.err
    assert not (place.root / "libs").exists()


# ---- built by Kbuild -----------------------------------------------------------

def test_help_lists_it(place, tree):
    install(place, tree).ok()
    assert re.search(r"^  agentconfig\s+- ", place.kernel(tree, "help").ok().out,
                     re.M)


def run_in(place, tree, *args):
    return place.kernel(tree, *args, "agentconfig",
                        "GOAL=a docker host, it's $5 \"today\"").ok()


def test_out_of_the_tree(place, tree):
    before = snapshot(tree)
    install(place, tree).ok()
    installed = snapshot(tree)
    args = (f"O={place.obj}", "ARCH=arm64")

    first = run_in(place, tree, *args, "ARGS=--dry-run")
    assert "HOSTLD  scripts/kconfig-agent/kconfig-agent" in first.out
    assert "warning:" not in first.out + first.err
    assert not (place.obj / ".config").exists()
    second = run_in(place, tree, *args,
                    f"ARGS=--journal '{place.root}/my journal'")
    assert "HOSTCC" not in second.out and "HOSTLD" not in second.out
    assert difference(installed, snapshot(tree)) == []

    assert "it's $5 \\\"today\\\"" in (
        place.root / "my journal").read_text().splitlines()[0]
    config = (place.obj / ".config").read_bytes()
    assert b"CONFIG_ARM64=y" in config and b"CONFIG_OVERLAY_FS=" in config
    place.kernel(tree, "-s", *args, "olddefconfig").ok()
    assert (place.obj / ".config").read_bytes() == config

    uninstall(place, tree).ok()
    assert difference(before, snapshot(tree)) == []


def test_in_the_tree(place, tree):
    before = snapshot(tree)
    install(place, tree).ok()
    run_in(place, tree)
    config = (tree / ".config").read_bytes()
    place.kernel(tree, "-s", "olddefconfig").ok()
    assert (tree / ".config").read_bytes() == config

    # With what was built in there.
    uninstall(place, tree).ok()
    assert not (tree / "scripts/kconfig-agent").exists()
    place.kernel(tree, "-s", "mrproper").ok()
    assert difference(before, snapshot(tree)) == []


@pytest.mark.parametrize("version", ["6.12"], indirect=True)
def test_clean_takes_what_was_built(place, tree):
    install(place, tree).ok()
    installed = snapshot(tree)
    place.kernel(tree, "agentconfig", "GOAL=docker", "ARGS=--dry-run").ok()
    place.kernel(tree, "-s", "mrproper").ok()
    assert difference(installed, snapshot(tree)) == []


def test_patched_tree_with_our_own_make(place, tree):
    """The program that was built here runs, and no rule is there twice."""
    install(place, tree).ok()
    build = place.standin()
    ran = place.call("make", "-s", "-o", "kconfig-agent", f"B={build}",
                     "agentconfig", f"KDIR={tree}", f"O={place.obj}", "GOAL=x",
                     cwd=TOP).ok()
    assert "overriding" not in ran.err and "ignoring" not in ran.err
    assert option(place.called()["args"], "--goal") == "x"
    assert not (place.obj / "scripts/kconfig-agent").exists()


def test_there_is_a_patch_for_each_version():
    assert {p.stem for p in (TOP / "patches").glob("*.patch")} == set(VERSIONS)
