# SPDX-License-Identifier: GPL-2.0-only
"""make install, and what it installs for people to read."""
import re
import shutil
import subprocess

import pytest

from conftest import BUILD, TOP

AGENT = BUILD / "kconfig-agent"
MAN = TOP / "scripts" / "kconfig-agent" / "man"
COMPLETION = TOP / "scripts" / "completion"


def output(*args):
    return subprocess.run([str(a) for a in args], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True,
                          check=False).stdout


def commands():
    text = output(AGENT, "--help").partition("Commands:\n")[2]
    return re.findall(r"^  ([a-z]+) ", text.partition("\n\n")[0], re.M)


def options(command):
    """Long and short names of all options in the help of a command."""
    found = set()
    for line in output(AGENT, command, "--help").splitlines():
        match = re.match(r"  (?:(-\w), |    )(--[a-z-]+)", line)
        if match:
            found.update(name for name in match.groups() if name)
    return found


def manual(page):
    """A man page as plain text, in sections."""
    if not shutil.which("groff"):
        pytest.skip("no groff to read man pages with")
    ran = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", "-ww",
                          "-rLL=200n", MAN / page], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, check=True)
    assert ran.stderr == "", page
    sections = {}
    name = None
    for line in ran.stdout.splitlines():
        if re.match(r"[A-Z]", line):
            name = line.strip()
            sections[name] = ""
        elif name:
            sections[name] += line + "\n"
    return sections


def listed(text):
    """The options that a section of a man page describes."""
    found = set()
    for line in text.splitlines():
        match = re.match(r" {5,8}(-.*)", line)
        if match:
            found.update(re.findall(r"(?<![\w-])(--?[a-zA-Z][a-z-]*)",
                                    match.group(1)))
    return found


@pytest.mark.parametrize("page", sorted(p.name for p in MAN.iterdir()))
def test_man_page_is_well_formed(page):
    sections = manual(page)
    assert {"NAME", "DESCRIPTION", "SEE ALSO"} <= set(sections)


def test_help_and_man_page_agree():
    sections = manual("kconfig-agent.1")
    common = listed(sections["COMMON OPTIONS"])
    found = commands()
    assert "run" in found
    for command in found:
        section = sections[command.upper()]
        told = options(command)
        assert told, command
        assert listed(section) | common >= told, command
        assert told >= listed(section), command
        assert command in sections["SYNOPSIS"]
    assert set.intersection(*(options(c) for c in found)) >= common
    for number in (0, 1, 2, 3, 4, 5, 6, 130):
        assert re.search(rf"^ +{number} ", sections["EXIT STATUS"], re.M)


def test_modes_of_kconf_and_man_page_agree():
    told = set(re.findall(r"--[a-z0-9-]+", output(BUILD / "kconf", "--help")))
    sections = manual("kconf.1")
    text = sections["MODES"] + sections["OPTIONS"]
    found = set(re.findall(r"^ +(?:-\w, )?(--[a-z0-9-]+)", text, re.M))
    assert told <= found
    completion = (COMPLETION / "kconf").read_text()
    assert found == set(re.findall(r"(?<=[\s'])--[a-z0-9-]+", completion))


def complete(*words):
    """What bash offers for the last word."""
    script = ("source '%s'; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($#-1)); "
              "compopt() { :; }; _kconfig_agent; printf '%%s\\n' "
              "\"${COMPREPLY[@]}\"" % (COMPLETION / "kconfig-agent"))
    return set(output("bash", "-c", script, "-", "-", AGENT, *words).split())


def test_completion():
    assert complete("") >= set(commands())
    assert complete("rep") == {"replay"}
    assert complete("run", "--") == {o for o in options("run")
                                     if o.startswith("--")}
    assert complete("run", "--max-r") == {"--max-repair"}
    assert {"knowledge", "openai"} <= complete("run", "--provider", "")
    assert complete("run", "--color", "a") == {"auto", "always"}
    assert complete("replay", "/etc/host") >= {"/etc/hosts"}


def test_install(place):
    root = place.root / "root"
    place.make("-s", "install", f"DESTDIR={root}", "PREFIX=/usr").ok()
    found = {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()}
    assert {
        "usr/bin/kconf", "usr/bin/kconfig-agent",
        "usr/share/man/man1/kconf.1", "usr/share/man/man1/kconfig-agent.1",
        "usr/share/man/man5/kconfig-agent-journal.5",
        "usr/share/bash-completion/completions/kconfig-agent",
        "usr/share/bash-completion/completions/kconf",
        "usr/share/kconfig-agent/kb/container-host.config",
    } <= found
    assert place.call(root / "usr/bin/kconfig-agent", "--version").ok().out \
        == output(AGENT, "--version")
    place.make("-s", "install", f"DESTDIR={root}", "PREFIX=/usr").ok()


def test_installed_program_needs_no_repository(place, source):
    """And no make of ours: it finds the environment of a tree by itself."""
    root = place.root / "root"
    place.make("-s", "install", f"DESTDIR={root}", "PREFIX=/usr").ok()
    place.call(root / "usr/bin/kconfig-agent", "run", "-C", source, "-O",
               place.obj, "--goal", "docker", "-q").ok()
    assert "CONFIG_OVERLAY_FS=" in (place.obj / ".config").read_text()
