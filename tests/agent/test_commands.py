# SPDX-License-Identifier: GPL-2.0-only
"""explain, set, merge, diff, check, show, search and groups.

Tests whose names begin with pain are what people have reported of other tools:
each says what and where.
"""
import json
import os
import random
import subprocess
import sys

import pytest

from conftest import TOP, TREES, lines_of

sys.path.insert(0, os.path.join(TOP, "tests", "parity"))
import kernel  # noqa: E402

SMALL = """
config MODULES
	bool "Modules"
	modules
	default y

config NET
	bool "Networking"

config WIFI
	tristate "Wireless"
	depends on NET
	select CRYPTO

config CRYPTO
	tristate

config HIDDEN
	bool
	default y if NET

config NCPUS
	int "CPUs"
	range 2 64
	default 8

config HEXED
	hex "Address"
	default 0x10

config NAME
	string "Name"
	default "x"

choice
	prompt "Debug information"
	default DEBUG_NONE

config DEBUG_NONE
	bool "None"

config DEBUG_DWARF
	bool "DWARF"
	select DEBUG_INFO

endchoice

config DEBUG_INFO
	bool

config BTF
	bool "BTF"
	depends on DEBUG_INFO

config ORPHAN
	bool "Needs something else"
	depends on ABSENT
"""
BASE = "CONFIG_MODULES=y\n"


@pytest.fixture
def small(site):
    site.kconfig(SMALL, BASE)
    site.make("olddefconfig", KCONFIG_CONFIG=str(site.config))
    return site


def nodes(result, key="why"):
    return [(n["depth"], n["kind"], n["text"]) for n in result.json()[key]]


# ---- explain ---------------------------------------------------------------

def test_explain_origins(small):
    small.call("set", "WIFI=m", "NET=y")
    top, *rest = nodes(small.call("explain", "CONFIG_CRYPTO", "--json"))
    assert top == (0, "value", "CRYPTO=m")
    assert rest[0][1:] == ("select", "selected by WIFI=m")
    assert rest[1][1] == "user"
    assert nodes(small.call("explain", "HIDDEN", "--json"))[1] == (
        1, "default", "default y if NET [=y]")
    ranges = nodes(small.call("explain", "NCPUS", "--json"))
    assert ranges[-1] == (1, "range", "its range is from 2 to 64")


def test_explain_places(small):
    ran = small.call("explain", "WIFI=y")
    assert ran.status == 3
    line = next(i for i, text in enumerate(SMALL.splitlines(), 2)
                if text == "config NET")
    assert f"needs NET=y, which is n  {small.root}/Kconfig:{line}" in ran.out
    assert "1. WIFI=y NET=y" in ran.out
    assert small.call("explain", "NET=y").status == 0


def test_explain_writes_nothing(small):
    before = small.config.read_bytes()
    for what in ("WIFI=y", "NET=y", "DEBUG_DWARF=y", "NCPUS=4", "HIDDEN"):
        small.call("explain", what)
    assert small.config.read_bytes() == before
    assert not os.path.exists(str(small.config) + ".old") or \
        open(str(small.config) + ".old", "rb").read() != before


def test_pain_installed_tools_decide(site):
    """labbott.name, December 2018: which probe hides a symbol?"""
    site.kconfig('config A\n\tbool "a"\n\tdepends on $(shell,echo n)\n'
                 'config HAS\n\tdef_bool $(shell,echo n)\n'
                 'config B\n\tbool "b"\n\tdepends on HAS\n')
    found = nodes(site.call("explain", "A=y", "--json"), "why_not")
    assert found[1][1:] == (
        "probe", "the build tools answered n: depends on $(shell,echo n)")
    found = nodes(site.call("explain", "B=y", "--json"), "why_not")
    assert any(kind == "probe" and "def_bool $(shell,echo n)" in text
               for _, kind, text in found)


def test_pain_promptless(small):
    """zephyr issue 8388: not its dependencies are to blame."""
    ran = small.call("explain", "CRYPTO=y", "--json")
    assert ran.status == 3
    assert ran.json()["request"]["verdict"] == "promptless"
    found = nodes(ran, "why_not")
    assert found[0][1:] == ("promptless", "has no prompt: others select it")
    assert found[1][1] == "select" and found[1][2].startswith("WIFI (now n)")


def test_pain_out_of_range(small):
    """zephyr issue 6749: the bounds, not dependencies."""
    ran = small.call("explain", "NCPUS=100", "--json")
    assert ran.status == 3
    assert ran.json()["request"]["verdict"] == "out-of-range"
    assert "from 2 to 64" in ran.json()["request"]["reason"]


def test_pain_debug_info_became_a_choice(small):
    """kernel-patches/vmtest PR 71: explain, and offer the way."""
    ran = small.call("explain", "BTF=y", "--json")
    answers = ran.json()["repairs"]["answers"]
    assert [(c["name"], c["to"]) for c in answers[0]["changes"]] == [
        ("BTF", "y"), ("DEBUG_DWARF", "y")]


def test_pain_no_reason(small):
    """zephyr issue 21888: the unmet clauses, with places."""
    request = small.call("explain", "WIFI=y", "--json").json()["request"]
    assert request["verdict"] == "invisible"
    assert "NET=y (now n" in request["reason"] and "Kconfig:" in request["reason"]


def test_explain_unknown(small):
    ran = small.call("explain", "wif")
    assert ran.status == 3
    assert "there is no symbol wif in this kernel; did you mean WIFI" in ran.err


# ---- set -------------------------------------------------------------------

def test_set_all_or_nothing(small):
    before = small.config.read_bytes()
    ran = small.call("set", "NET=y", "NCPUS=1000", "--json")
    assert ran.status == 3
    assert [r["holds"] for r in ran.json()["requests"]] == [True, False]
    assert not ran.json()["written"]
    assert small.config.read_bytes() == before


def test_set_in_any_order(small):
    written = set()
    for order in (("NET=y", "WIFI=m", "NCPUS=4"), ("NCPUS=4", "WIFI=m", "NET=y"),
                  ("WIFI=m", "NET=y", "NCPUS=4")):
        small.config.write_text(BASE)
        assert small.call("set", *order).status == 0
        small.assert_valid()
        written.add(small.config.read_bytes())
    assert len(written) == 1


def test_set_values_of_all_types(small):
    assert small.call("set", "CONFIG_NET=y", 'NAME="a \\"b\\" c"', "HEXED=0xff",
                      "NCPUS=64", "DEBUG_DWARF=y", "BTF=y").status == 0
    assert small.value("HEXED") == "0xff"
    assert small.value("NCPUS") == "64"
    assert small.value("BTF") == "y"
    small.assert_valid()


def test_set_dry_run(small):
    before = small.config.read_bytes()
    ran = small.call("set", "--dry-run", "NET=y", "--json")
    assert ran.status == 0 and ran.json()["dry_run"]
    assert [(c["name"], c["after"]) for c in ran.json()["changes"]] == [
        ("NET", "y"), ("HIDDEN", "y")]
    assert small.config.read_bytes() == before


def test_pain_parent_is_off(small):
    """kernelci-project issue 83: say which parent, offer the closure."""
    ran = small.call("set", "WIFI=y")
    assert ran.status == 3 and "needs NET=y" in ran.out and "--resolve" in ran.out
    ran = small.call("set", "--resolve", "WIFI=y", "--json")
    assert ran.status == 0
    assert small.value("WIFI") == "y" and small.value("NET") == "y"
    small.assert_valid()


def test_set_impossible(small):
    before = small.config.read_bytes()
    ran = small.call("set", "--resolve", "ORPHAN=y", "--json")
    assert ran.status == 3
    assert ran.json()["repairs"]["resolution"] == "impossible"
    assert "ABSENT" in " ".join(ran.json()["repairs"]["conflicts"])
    ran = small.call("set", "--resolve", "DEBUG_NONE=y", "BTF=y", "--json")
    assert ran.json()["repairs"]["resolution"] == "impossible"
    assert small.config.read_bytes() == before


def test_pain_later_unmakes_earlier(small):
    """nixpkgs issue 521048: requests are judged as a set."""
    for order in (("DEBUG_NONE=y", "DEBUG_DWARF=y"),
                  ("DEBUG_DWARF=y", "DEBUG_NONE=y")):
        ran = small.call("set", *order, "--json")
        assert ran.status == 3
        assert "choice-conflict" in [r["verdict"]
                                     for r in ran.json()["requests"]]


def test_usage(small):
    for args in (("set",), ("set", "NET"), ("set", "=y"), ("explain",),
                 ("merge", "one"), ("diff", "one"), ("search", "-e", "("),
                 ("set", "--nonsense", "NET=y")):
        ran = small.call(*args)
        assert ran.status == 1, args
        assert ran.err.startswith("kconfig-agent: "), args


# ---- merge -----------------------------------------------------------------

def fragment(site, name, text):
    path = site.root / name
    path.write_text(text)
    return path


def test_pain_merge_exit_status(small):
    """kernelci-core issue 137, kernel-ark issue 152: a lost request is a failure."""
    a = fragment(small, "a.config", "CONFIG_WIFI=m\nCONFIG_NCPUS=5\n")
    ran = small.call("merge", small.config, a, "--json")
    assert ran.status == 3
    assert ran.json()["failed"] == 1
    (lost,) = [r for r in ran.json()["requests"] if not r["holds"]]
    assert lost["name"] == "WIFI" and lost["from"].endswith("a.config:1")
    assert "NET=y" in lost["reason"]
    assert ran.json()["written"], "as merge_config.sh does"
    small.assert_valid()


def test_merge_strict(small):
    before = small.config.read_bytes()
    a = fragment(small, "a.config", "CONFIG_WIFI=m\n")
    assert small.call("merge", "--strict", small.config, a).status == 3
    assert small.config.read_bytes() == before


def test_merge_resolve(small):
    a = fragment(small, "a.config", "CONFIG_WIFI=m\nCONFIG_BTF=y\n")
    ran = small.call("merge", "--resolve", small.config, a)
    assert ran.status == 0, ran.out + ran.err
    assert "2 of 2 requests hold, with 2 further changes" in ran.out
    assert small.value("WIFI") == "m" and small.value("BTF") == "y"
    small.assert_valid()


def test_merge_last_line_counts(small):
    a = fragment(small, "a.config", "CONFIG_NCPUS=4\nCONFIG_NET=y\n")
    b = fragment(small, "b.config", "CONFIG_NCPUS=16\nCONFIG_NET=y\n")
    ran = small.call("merge", small.config, a, b)
    assert ran.status == 0
    assert f"NCPUS=4 ({a}:1) gives way to 16 ({b}:1)" in ran.out
    assert "NET=y (" not in ran.out
    assert small.value("NCPUS") == "16"


def test_pain_renamed_symbols(small):
    """LKML, August 2023: unknown symbols are errors, with the nearest names."""
    a = fragment(small, "a.config", "CONFIG_WIFII=m\n")
    ran = small.call("merge", small.config, a, "--json")
    assert ran.status == 3
    (request,) = ran.json()["requests"]
    assert request["verdict"] == "unknown" and "WIFI" in request["reason"]


def test_merge_junk(small):
    a = fragment(small, "a.config", "nonsense\nCONFIG_NET=y\n")
    ran = small.call("merge", small.config, a)
    assert ran.status == 3
    assert f"{a}:1: this line asks for nothing: nonsense" in ran.err
    assert small.call("merge", small.config, small.root / "none").status == 2


def differences(a, b):
    """The first lines that are in one of two files only."""
    return sorted(set(lines_of(a)) ^ set(lines_of(b)))[:10]


@pytest.mark.parametrize("version", ["6.12", "6.1"])
def test_merge_agrees_with_conf(sites, version):
    """The fragments of the tree: what merge_config.sh's way to use conf makes."""
    site = sites(version)
    tree = kernel.Tree(version)
    env = tree.environment("x86_64")
    source = os.path.join(TREES, version)
    directory = os.path.join(source, "kernel/configs")
    names = sorted(n for n in os.listdir(directory) if n.endswith(".config"))
    names = [os.path.join(directory, n) for n in names]
    base = os.path.join(source, "arch/x86/configs/x86_64_defconfig")
    for fragments in ([n] for n in names[:6]):
        merged = site.root / "merged"
        merged.write_bytes(b"".join(open(n, "rb").read()
                                    for n in [base, *fragments]))
        work = site.root / "conf"
        work.mkdir(exist_ok=True)
        subprocess.run([tree.conf, "--alldefconfig", "Kconfig"], cwd=work,
                       env={**env, "KCONFIG_ALLCONFIG": str(merged),
                            "HOME": str(site.home)}, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        ran = site.call("merge", "--arch", "x86_64", base, *fragments, "--json")
        assert ran.status in (0, 3), ran.err
        differ = differences(work / ".config", site.config)
        assert not differ, differ
        for r in ran.json()["requests"]:
            if r["verdict"] == "unknown":
                continue
            value = site.value(r["name"]) or "n"
            assert r["holds"] == (value.strip('"') == r["want"]), r
            assert r["holds"] or r["reason"]


# ---- check -----------------------------------------------------------------

def kinds(ran):
    return sorted((f["kind"], f["name"]) for f in ran.json()["findings"])


def test_check_valid(small):
    ran = small.call("check", "--json")
    assert ran.status == 0
    assert ran.json()["valid"] and ran.json()["fixed_point"]
    assert ran.json()["findings"] == []


def test_check_finds(small):
    """coreos-overlay PR 2470: no scripts that grep for y that became n."""
    with open(small.config, "a", encoding="utf-8") as f:
        f.write("CONFIG_WIFI=m\nCONFIG_NCPUS=1000\nCONFIG_GONE=y\nrubbish\n"
                "CONFIG_HEXED=zz\nCONFIG_CRYPTO=y\n")
    ran = small.call("check", "--json")
    assert ran.status == 3
    assert not ran.json()["valid"] and not ran.json()["fixed_point"]
    found = kinds(ran)
    for item in (("dead", "WIFI"), ("out-of-range", "NCPUS"),
                 ("unknown", "GONE"), ("bad-line", None), ("dead", "CRYPTO"),
                 ("duplicate", "NCPUS"), ("type", "HEXED")):
        assert item in found, item
    text = small.call("check")
    assert "needs NET=y" in text.out and "not valid" in text.out


def test_check_missing(small):
    small.config.write_text("".join(
        line + "\n" for line in lines_of(small.config) if "NCPUS" not in line))
    ran = small.call("check", "--json")
    assert kinds(ran) == [("missing", "NCPUS")]
    assert not ran.json()["fixed_point"]
    assert ran.status == 3


def test_pain_new_prompt(small):
    """pmbootstrap PR 712: the answers that are needed, in one go."""
    small.config.write_text("# Automatically generated file; DO NOT EDIT.\n"
                            "CONFIG_MODULES=y\n")
    ran = small.call("check", "--json")
    missing = {name for kind, name in kinds(ran) if kind == "missing"}
    assert missing >= {"NET", "NCPUS", "NAME", "HEXED", "DEBUG_NONE"}


def test_check_fragment(small):
    a = fragment(small, "a.config", "CONFIG_NET=y\nCONFIG_WIFI=m\n")
    assert small.call("check", a).status == 0
    b = fragment(small, "b.config", "CONFIG_WIFI=m\n")
    ran = small.call("check", b, "--json")
    assert ran.status == 3 and kinds(ran) == [("dead", "WIFI")]


def test_check_against(small):
    """confidential-os-builder PR 24: fail on a request that did not hold."""
    want = fragment(small, "want.config", "CONFIG_NET=y\nCONFIG_NCPUS=8\n")
    ran = small.call("check", "--against", want, "--json")
    assert ran.status == 3 and kinds(ran) == [("lost", "NET")]
    small.call("set", "NET=y")
    assert small.call("check", "--against", want).status == 0


def test_check_unmet(site):
    site.kconfig('config A\n\tbool "a"\n\tselect B\n\n'
                 'config B\n\tbool "b"\n\tdepends on C\n\n'
                 'config C\n\tbool "c"\n')
    site.call("set", "A=y")
    ran = site.call("check", "--json")
    assert ran.status == 0, "Kconfig lets it be"
    assert [f["kind"] for f in ran.json()["findings"]] == ["unmet"]


# ---- diff ------------------------------------------------------------------

def test_diff(small):
    a = fragment(small, "a", small.config.read_text())
    small.call("set", "NET=y", "WIFI=m", "NCPUS=4")
    got = {d["name"]: (d["a"], d["b"], d["kind"]) for d in small.call(
        "diff", a, small.config, "--json").json()["differences"]}
    assert got == {"NET": ("n", "y", "requested"),
                   "WIFI": ("n", "m", "requested"),
                   "CRYPTO": ("n", "m", "derived"),
                   "HIDDEN": ("n", "y", "derived"),
                   "NCPUS": ("8", "4", "requested")}
    ran = small.call("diff", a, small.config, "--fragment")
    assert ran.out == "CONFIG_NET=y\nCONFIG_WIFI=m\nCONFIG_NCPUS=4\n"
    assert "no difference" in small.call("diff", a, a).out


def test_diff_lost(small):
    small.call("set", "NET=y", "WIFI=m")
    a = fragment(small, "a", small.config.read_text())
    b = fragment(small, "b", a.read_text().replace(
        "CONFIG_NET=y", "# CONFIG_NET is not set"))
    got = {d["name"]: d["kind"] for d in small.call(
        "diff", a, b, "--json").json()["differences"]}
    assert got["WIFI"] == "lost" and got["NET"] == "requested"


def test_pain_round_trip(small):
    """Kernel_Unico issue 6: the fragment of a diff makes the same again."""
    r = random.Random(7)
    a = fragment(small, "a", small.config.read_text())
    for _ in range(5):
        wants = [f"NET={r.choice('yn')}", f"NCPUS={r.randrange(2, 64)}",
                 f"MODULES={r.choice('yn')}"]
        small.call("set", *wants)
        target = small.config.read_bytes()
        part = fragment(small, "part", small.call(
            "diff", a, small.config, "--fragment").out)
        assert small.call("merge", a, part).status == 0
        assert small.config.read_bytes() == target


# ---- show, search, groups ----------------------------------------------------

def test_show(small):
    ran = small.call("show", "WIFI", "NCPUS", "--json")
    wifi, ncpus = ran.json()["symbols"]
    assert wifi["type"] == "tristate" and wifi["depends"] == "NET"
    assert [p["what"] for p in wifi["properties"]] == ["CRYPTO"]
    assert {p["kind"]: p["what"] for p in ncpus["properties"]} == {
        "range": "2 to 64", "default": "8"}
    text = small.call("show", "CRYPTO").out
    assert "selected by  WIFI [=n]" in text
    assert small.call("show", "NOWHERE").status == 3


def test_search(small):
    """zephyr issue 7442: names, prompts and help, and what is misspelled."""
    def found(*args):
        return [s["name"] for s in small.call(
            "search", *args, "--json").json()["symbols"]]
    assert found("wireless") == ["WIFI"]
    assert found("WIFI") == ["WIFI"]
    assert found("debug")[0] in ("DEBUG_NONE", "DEBUG_INFO")
    assert found("wirless") == ["WIFI"]
    assert found("-e", "^net$|^ncpus") == ["NET", "NCPUS"]
    assert small.call("search", "zzzzzz").status == 3
    names = small.call("search", "--names", "CONFIG_debug_")
    assert names.out.split() == ["DEBUG_INFO", "DEBUG_NONE", "DEBUG_DWARF"]


def test_groups(small):
    got = small.call("groups", "--json").json()
    names = [i.get("name") for g in got["groups"] for i in g["items"]]
    assert {"NET", "NCPUS", "HEXED", "NAME"} <= set(names)
    assert "CRYPTO" not in names and "WIFI" not in names
    assert {g["kind"] for g in got["groups"]} == {"bool", "choice", "value"}


# ---- the real trees ----------------------------------------------------------

def test_json_is_one_object(small):
    for args in (("explain", "NET"), ("explain", "WIFI=y"), ("set", "-n", "NET=y"),
                 ("check",), ("show", "NET"), ("search", "net"), ("groups",),
                 ("diff", small.config, small.config)):
        ran = small.call(*args, "--json")
        assert len(ran.out.splitlines()) == 1
        assert isinstance(json.loads(ran.out), dict)
        assert ran.err == ""


def test_hostile_text(site):
    """What stands in Kconfig files does not reach the terminal as it is."""
    site.kconfig('config A\n\tbool "red \x1b[31m\x07 alert"\n\thelp\n'
                 '\t  \x1b]0;title\x07 \x1b[2J\n')
    for args in (("show", "A"), ("search", "alert"), ("groups",),
                 ("explain", "A"), ("show", "A", "--json")):
        assert site.call(*args).status == 0     # Result looks for escapes


def test_set_resolve_on_a_kernel(sites):
    """What --resolve does holds, says the tree's own conf."""
    site = sites("6.12")
    site.make("defconfig", KCONFIG_CONFIG=str(site.config))
    base = site.config.read_bytes()
    names = [s["name"] for s in site.call(
        "search", "-e", ".", "--max=0", "--json").json()["symbols"]
        if s["visible"] == "n" and "prompt" in s and s["type"] in
        ("bool", "tristate")]
    r = random.Random(612)
    held = 0
    for name in r.sample(names, 8):
        site.config.write_bytes(base)
        ran = site.call("set", "--resolve", name + "=y", "--json")
        if ran.status == 0:
            assert site.value(name) == "y", name
            held += 1
        else:
            assert ran.status == 3, ran.err
            assert ran.json()["repairs"]["resolution"] != "found"
    assert held
    site.assert_valid()
