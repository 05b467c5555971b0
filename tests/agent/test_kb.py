# SPDX-License-Identifier: GPL-2.0-only
"""The knowledge base against the kernel trees, and the files it is made of.

Without the trees of tests/trees.sh these fail, as there is no other judge.
"""
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
AGENT = TOP / "scripts/kconfig-agent"
BUILD = Path(os.environ.get("BUILD", TOP / "build"))
TREES = Path(os.environ.get("TREES", TOP / "build/trees"))
TOPICS = sorted((AGENT / "kb").glob("*.config"))


def check_kb(*args):
    return subprocess.run([sys.executable, TOP / "tests/agent/check-kb.py",
                           *args], capture_output=True, text=True)


@pytest.fixture(scope="module")
def trees():
    for name in ("6.1", "6.12"):
        if not (TREES / name / "Kconfig").exists():
            pytest.fail(f"no kernel tree {TREES / name}: run tests/trees.sh")
    return TREES


def test_symbols(trees):
    """Every symbol is there, can be set, and is of the right type."""
    done = check_kb("--static", trees)
    assert done.returncode == 0, done.stderr


def test_judged(trees):
    """On top of a defconfig, the tree's own conf keeps what is required."""
    done = check_kb("--cache", BUILD / "kb-cache", trees)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("lines, message", [
    ("CONFIG_NO_SUCH_SYMBOL=y", "is not in 6.12"),
    ("CONFIG_NF_TABLES=7", "does not fit its type"),
    ("CONFIG_NF_NAT_FTP=m", "has no prompt"),
    ("CONFIG_HZ_100=y", "has other members"),
    ("CONFIG_VIDEO_NOWHERE=y\n## gone [until 5.0]", "is for none of the trees"),
    ("CONFIG_KVM=m\n", "no reason is given"),
])
def test_checker(trees, tmp_path, lines, message):
    """The checker finds what is wrong."""
    text = ("# Topic: t\n# Match: t\n# Source: s\n"
            f"{lines}\n" + ("" if "##" in lines or "KVM" in lines
                            else "## why\n"))
    (tmp_path / "t.config").write_text(text)
    done = check_kb("--static", "--kb", tmp_path, trees)
    assert done.returncode == 1
    assert message in done.stderr


@pytest.mark.parametrize("topic", TOPICS, ids=lambda p: p.stem)
def test_style(topic):
    lines = topic.read_text(encoding="ascii").split("\n")
    assert lines[0] == "# SPDX-License-Identifier: GPL-2.0-only"
    assert lines[-1] == "" and lines[-2] != ""
    for number, line in enumerate(lines, 1):
        assert len(line) <= 80, f"{topic}:{number} is too long"
        assert line == line.rstrip(), f"{topic}:{number} ends in blanks"


@pytest.mark.parametrize("topic", TOPICS, ids=lambda p: p.stem)
def test_merge_config(trees, tmp_path, topic):
    """The kernel's own merge_config.sh takes the files as they are."""
    base = tmp_path / "base"
    base.write_text("CONFIG_BASE=y\n")
    done = subprocess.run(
        [trees / "6.12/scripts/kconfig/merge_config.sh", "-m", "-O", tmp_path,
         base, topic], capture_output=True, text=True, cwd=trees / "6.12")
    assert done.returncode == 0, done.stdout + done.stderr
    merged = (tmp_path / ".config").read_text().splitlines()
    assert "CONFIG_BASE=y" in merged
    names = [line for line in topic.read_text().splitlines()
             if line.startswith(("CONFIG_", "# CONFIG_"))]
    assert names and names[-1] in merged


def test_embed(tmp_path):
    """What is built into the program is what the files say."""
    awkward = tmp_path / "awkward.config"
    awkward.write_bytes(b'# a "q" \\ b\\n ?? \t %s & \xc3\xbc\r\n\nCONFIG_X="\\""\n')
    files = [awkward, *TOPICS]
    table = tmp_path / "table.c"
    subprocess.run(["sh", AGENT / "kb-embed.sh", table, *files], check=True)
    main = tmp_path / "main.c"
    main.write_text('#include <stdio.h>\n#include "kb-embed.h"\n'
                    "int main(void)\n{\n"
                    "\tconst struct kb_embedded *e = kb_embedded;\n\n"
                    "\tfor (; e->name; e++)\n"
                    '\t\tprintf("%s\\n%s", e->name, e->text);\n'
                    "\treturn 0;\n}\n")
    program = tmp_path / "program"
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-Wall",
                    "-Wextra", "-Werror", f"-I{AGENT}", "-o", program, table,
                    main], check=True)
    out = subprocess.run([program], capture_output=True, check=True).stdout
    assert out == b"".join(f.name.encode() + b"\n" + f.read_bytes()
                           for f in files)


def test_embed_fails(tmp_path):
    """A file that cannot be read leaves no table behind."""
    table = tmp_path / "table.c"
    done = subprocess.run(["sh", AGENT / "kb-embed.sh", table,
                           tmp_path / "missing.config"], capture_output=True)
    assert done.returncode != 0
    assert not list(tmp_path.iterdir())
