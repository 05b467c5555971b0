# SPDX-License-Identifier: GPL-2.0-only
"""make agentconfig KDIR=..., on kernel trees as they come."""
import json
import os
import shutil
import subprocess

import pytest

from conftest import TOP, difference, option, snapshot

HOSTILE = [
    "a host for docker",
    "it's \"quoted\" 'twice'",
    "costs $5, $$6, $HOME, ${HOME}, $(HOME)",
    "$(shell touch PWNED)",
    "$(shell touch PWNED) $$(touch PWNED) `touch PWNED`",
    "'; touch PWNED; '",
    "\"; touch PWNED; \"",
    "a && touch PWNED || touch PWNED; touch PWNED | touch PWNED & touch PWNED",
    "back\\slash \\\\ \\' \\\" end\\",
    "#comment %percent ~tilde *glob ?glob [glob] {a,b} !x",
    "$(error stop)",
    "$(eval KCONFIG_AGENT:=touch PWNED)",
    "two\nlines\twith tabs",
    "--help",
    "K\u00fcche \u2192 \u65e5\u672c",
    "define x\nendef",
    "GOAL=x O=y",
]


# ---- what reaches the program ------------------------------------------------

@pytest.mark.parametrize("given", ["argument", "environment"])
@pytest.mark.parametrize("goal", HOSTILE)
def test_goal_arrives_as_it_was_given(place, shared_trees, goal, given):
    source = shared_trees["6.12"][0]
    args = ["KDIR=" + str(source), "O=" + str(place.obj)]
    if given == "argument":
        told = place.standin_make(*args, "GOAL=" + goal)
    else:
        told = place.standin_make(*args, GOAL=goal)
    assert option(told["args"], "--goal") == goal
    for where in (place.root, place.obj, source, TOP):
        assert not (where / "PWNED").exists()


def test_options_of_make_become_options(place, source):
    told = place.standin_make(
        f"KDIR={source}", f"O={place.obj}", "GOAL=a b", "PROVIDER=openai",
        "MODEL=m$1", "URL=http://127.0.0.1:1/v1?a=b&c", "JOURNAL=/tmp/a b",
        "ARGS=--jobs 2 --scope 'General setup' --goal-file \"x y\"")
    assert told["args"][0] == "run"
    assert option(told["args"], "--provider") == "openai"
    assert option(told["args"], "--model") == "m$1"
    assert option(told["args"], "--url") == "http://127.0.0.1:1/v1?a=b&c"
    assert option(told["args"], "--journal") == "/tmp/a b"
    assert option(told["args"], "--jobs") == "2"
    assert option(told["args"], "--scope") == "General setup"
    assert option(told["args"], "--goal-file") == "x y"
    assert "-q" in told["args"]         # make -s
    assert told["conf"], "the tree's conf has to be there first"


def test_nothing_given_nothing_passed(place, source):
    told = place.standin_make(f"KDIR={source}", f"O={place.obj}")
    assert told["args"] == ["run", "-q"]


def test_environment_is_that_of_conf(place, source, version):
    told = place.standin_make(f"KDIR={source}", f"O={place.obj}", "ARCH=arm64",
                              "CC=gcc -O2", "KCONFIG_CONFIG=other",
                              "KCFLAGS=-DX=\"a b\" $$y")
    env = told["env"]
    assert told["cwd"] == str(place.obj)
    assert env["ARCH"] == env["SRCARCH"] == "arm64"
    assert env["CC"] == "gcc -O2"
    assert env["CC_VERSION_TEXT"]
    assert env["KERNELVERSION"].startswith(version + ".")
    assert env["KCONFIG_CONFIG"] == "other"
    assert "configs/defconfig" in env["KCONFIG_DEFCONFIG_LIST"]
    for name in ("MAKEFILES", "KCONFIG_AGENT", "GOAL", "ARGS"):
        assert not env.get(name), name


def test_llvm(place, source):
    if not shutil.which("ld.lld"):
        pytest.skip("no ld.lld")
    told = place.standin_make(f"KDIR={source}", f"O={place.obj}", "LLVM=1",
                              "ARCH=arm64")
    assert told["env"]["CC"] == "clang"
    assert "clang" in told["env"]["CC_VERSION_TEXT"]
    assert told["env"]["LD"] == "ld.lld"


def test_relative_paths(place, source):
    where = os.path.relpath(source, TOP)
    told = place.standin_make("KDIR=" + where, "JOURNAL=journals/a",
                              "O=" + os.path.relpath(place.obj, TOP))
    assert told["cwd"] == str(place.obj)
    assert option(told["args"], "--journal") == str(TOP / "journals" / "a")


def test_called_from_elsewhere(place, source):
    told = place.standin_make("-C", TOP, f"KDIR={source}", f"O={place.obj}",
                              cwd=place.root)
    assert told["cwd"] == str(place.obj)


def test_object_tree_within_the_source(place, tree):
    told = place.standin_make(f"KDIR={tree}", f"O={tree}/obj")
    assert told["cwd"] == f"{tree}/obj"
    assert told["env"]["srctree"] == ".."


@pytest.mark.parametrize("what", ["", "nothing here", "file"])
def test_no_kernel_tree(place, what):
    (place.root / "file").write_text("")
    ran = place.make("-s", "-o", "kconfig-agent", "agentconfig",
                     f"KDIR={place.root / what}")
    assert ran.status != 0
    assert "no kernel tree" in ran.err
    assert str(place.root / what) in ran.err


def test_failure_is_passed_on(place, source):
    build = place.standin()
    (build / "kconfig-agent").write_text("#!/bin/sh\nexit 3\n")
    ran = place.call("make", "-s", "-o", "kconfig-agent", f"B={build}",
                     "agentconfig", f"KDIR={source}", f"O={place.obj}", cwd=TOP)
    assert ran.status != 0
    assert "Error 3" in ran.err


# ---- the program itself --------------------------------------------------------

def judge(place, tree, *args):
    """The kernel's own olddefconfig must not change a byte."""
    where = place.obj if any(a.startswith("O=") for a in args) else tree
    before = (where / ".config").read_bytes()
    place.kernel(tree, "-s", *args, "olddefconfig").ok()
    assert (where / ".config").read_bytes() == before
    return before.decode()


@pytest.mark.parametrize("arch", ["x86_64", "arm64"])
def test_config_is_valid(place, source, arch):
    goal = "a docker host, $(shell touch PWNED) 'it''s'"
    ran = place.make("agentconfig", f"KDIR={source}", f"O={place.obj}",
                     f"ARCH={arch}", "GOAL=" + goal, "PROVIDER=knowledge",
                     "JOURNAL=" + str(place.root / "journal")).ok()
    config = judge(place, source, f"O={place.obj}", f"ARCH={arch}")
    assert "CONFIG_OVERLAY_FS=" in config
    assert "Linux/" + ("x86" if arch == "x86_64" else arch) in config
    with open(place.root / "journal", encoding="utf-8") as f:
        assert json.loads(f.readline())["goal"] == goal
    assert not (place.obj / "PWNED").exists()
    assert "docker" in ran.out


def test_config_is_valid_with_clang(place, source):
    if not shutil.which("ld.lld"):
        pytest.skip("no ld.lld")
    place.make("agentconfig", f"KDIR={source}", f"O={place.obj}", "LLVM=1",
               "GOAL=docker").ok()
    config = judge(place, source, f"O={place.obj}", "LLVM=1")
    assert "CONFIG_CC_IS_CLANG=y" in config


def test_writes_in_the_tree_what_olddefconfig_writes(place, tree):
    before = snapshot(tree)
    other = place.root / "other"
    subprocess.run(["cp", "-a", tree, other], check=True)

    place.make("agentconfig", f"KDIR={tree}", "GOAL=docker").ok()
    ours = set(difference(before, snapshot(tree)))
    config = judge(place, tree)
    assert "CONFIG_OVERLAY_FS=" in config

    (other / ".config").write_text("CONFIG_OVERLAY_FS=y\n")
    place.kernel(other, "-s", "olddefconfig").ok()
    theirs = set(difference(before, snapshot(other)))
    assert ours - theirs == set()
