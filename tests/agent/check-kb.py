#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check the knowledge base against kernel trees.

Every item of every topic is looked up in the Kconfig files of every tree that
it says it is for: its symbol must be defined there, have a prompt, be of a type
that the value fits, and, in a choice, come with all other members. Then each
topic is put on top of the defconfig of each tree and architecture, and the
tree's own conf says what holds: all that is required must; what is optional
must somewhere.

usage: check-kb.py [-v] [--kb DIR] [--topic ID]... [--static] [--cache DIR]
                   TREES

TREES holds one kernel tree per version, named like "6.12" (see tests/trees.sh).
x86_64 is judged with gcc, arm64 with clang, and what x86_64 refused with clang
once more, as some symbols ask for a compiler.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
KB = TOP / "scripts/kconfig-agent/kb"
ARCHES = {"x86": "x86_64", "arm64": "arm64"}    # SRCARCH: ARCH

# Words that begin comments for readers.
PROSE = ("Workload", "Direction", "Evidence", "Note")

# Symbols that only a part of all build hosts can set, and what they need. They
# are held against nobody, but still have to exist.
HOST = {
    "GCC_PLUGINS": "the plugin headers of gcc",
    "GCC_PLUGIN_LATENT_ENTROPY": "the plugin headers of gcc",
    "GCC_PLUGIN_STACKLEAK": "the plugin headers of gcc",
    "CFI_CLANG": "Clang 16",
}


def version(text):
    return tuple(int(n) for n in text.split(".")[:2])


# ---- the base ---------------------------------------------------------------

@dataclass
class Item:
    name: str
    value: str
    line: int
    reason: str = ""
    required: bool = False
    since: tuple = None
    until: tuple = None
    arches: tuple = ()

    def is_for(self, tree_version, arch=None):
        return ((not self.since or tree_version >= self.since) and
                (not self.until or tree_version <= self.until) and
                (not arch or not self.arches or arch in self.arches))

    def text(self):
        if self.value == "n":
            return f"# CONFIG_{self.name} is not set"
        return f"CONFIG_{self.name}={self.value}"

    def held_by(self, value):
        """True if the written value of the symbol is what the item wants."""
        want = self.value
        if want == "m":
            return value in ("m", "y")
        if re.fullmatch(r"-?\d+|0[xX][0-9a-fA-F]+", want) and value != "n":
            return int(want, 0) == int(value, 0)
        return want == value


@dataclass
class Topic:
    path: Path
    header: dict = field(default_factory=dict)
    items: list = field(default_factory=list)

    @property
    def id(self):
        return self.path.stem


def parse_tags(item):
    while m := re.search(r"\s*\[([^\[\]]*)\]$", item.reason):
        item.reason = item.reason[:m.start()]
        word, _, rest = m[1].partition(" ")
        if word in ("required", "optional"):
            item.required = word == "required"
        elif word in ("since", "until"):
            setattr(item, word, version(rest))
        elif word == "arch":
            item.arches = tuple(rest.split())
        else:
            sys.exit(f"{item.name}: unknown tag [{m[1]}]")


def parse_topic(path):
    topic = Topic(path)
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if m := re.fullmatch(r"CONFIG_(\w+)=(.+)", line):
            topic.items.append(Item(m[1], m[2], number))
        elif m := re.fullmatch(r"# CONFIG_(\w+) is not set", line):
            topic.items.append(Item(m[1], "n", number))
        elif line.startswith("##"):
            item = topic.items[-1]
            item.reason = f"{item.reason} {line[2:].strip()}".strip()
        elif m := re.fullmatch(r"# (\w+): +(.*)", line):
            topic.header.setdefault(m[1], []).append(m[2])
    for item in topic.items:
        parse_tags(item)
    return topic


# ---- Kconfig files ----------------------------------------------------------

@dataclass
class Symbol:
    types: set = field(default_factory=set)
    prompt: bool = False
    choices: set = field(default_factory=set)


TYPE = re.compile(r"(def_)?(bool|tristate|int|hex|string)\b\s*(\S?)")


class Scanner:
    """What the Kconfig files of a tree define for one architecture."""

    def __init__(self, tree, srcarch):
        self.tree = tree
        self.srcarch = srcarch
        self.symbols = {}
        self.choice = None
        self.hash = hashlib.sha256()    # of all that is read
        self.read("Kconfig")

    def read(self, name):
        symbol = None
        help_indent = None      # -1: the text has not begun yet
        lines = (self.tree / name).read_text(errors="replace")
        self.hash.update(lines.encode())
        for number, raw in enumerate(lines.replace("\\\n", " ").split("\n")):
            line = raw.expandtabs().rstrip()
            indent = len(line) - len(line.lstrip())
            word = line.split(None, 1)
            if help_indent is not None:
                if not word:
                    continue
                if help_indent < 0 and indent > 0:
                    help_indent = indent
                if help_indent > 0 and indent >= help_indent:
                    continue
                help_indent = None
            if not word or word[0].startswith("#"):
                continue
            if word[0] in ("config", "menuconfig") and len(word) == 2:
                symbol = self.symbols.setdefault(word[1].strip(), Symbol())
                if self.choice:
                    symbol.choices.add(self.choice)
            elif word[0] in ("help", "---help---"):
                help_indent = -1
            elif word[0] == "choice":
                symbol, self.choice = None, f"{name}:{number + 1}"
            elif word[0] == "endchoice":
                symbol, self.choice = None, None
            elif word[0] == "source":
                symbol = None
                self.source(word[1])
            elif word[0] in ("menu", "endmenu", "if", "endif", "comment"):
                symbol = None
            elif symbol and word[0] == "prompt":
                symbol.prompt = True
            elif symbol and (m := TYPE.match(line.strip())):
                symbol.types.add(m[2])
                symbol.prompt |= not m[1] and m[3] in ('"', "'")

    def source(self, name):
        name = name.strip().strip('"').replace("$(SRCARCH)", self.srcarch)
        if "$" not in name and (self.tree / name).exists():
            self.read(name)

    def members(self, choice):
        return {name for name, symbol in self.symbols.items()
                if choice in symbol.choices and symbol.prompt}


@functools.cache
def scan(tree, srcarch):
    return Scanner(tree, srcarch)


# ---- what can be said without running anything -------------------------------

def fits(item, types):
    if item.value in ("y", "n"):
        return types & {"bool", "tristate"}
    if item.value == "m":
        return "tristate" in types
    if item.value.startswith('"'):
        return "string" in types
    return types & ({"hex"} if item.value[:2] in ("0x", "0X") else
                    {"int", "hex"})


def check_choice(topic, item, scanner):
    """A topic that chooses says so for all members, so that two topics that
    choose differently are seen to differ."""
    for choice in scanner.symbols[item.name].choices:
        missing = scanner.members(choice) - {i.name for i in topic.items}
        if missing:
            yield (f"the choice at {choice} has other members: "
                   + " ".join(sorted(missing)))


def check_item(topic, item, trees):
    if not item.reason:
        yield "no reason is given"
    seen = False
    for name, tree in trees.items():
        if not item.is_for(version(name)):
            continue
        seen = True
        found = [scan(tree, a) for a in item.arches or ARCHES
                 if item.name in scan(tree, a).symbols]
        if not found:
            yield f"is not in {name}"
            continue
        symbols = [s.symbols[item.name] for s in found]
        if not any(s.prompt for s in symbols):
            yield f"has no prompt in {name}: only others can set it"
        if not any(fits(item, s.types) for s in symbols):
            yield f"{item.value} does not fit its type in {name}"
        if item.value == "y":
            for problem in check_choice(topic, item, found[0]):
                yield f"in {name}, {problem}"
    newest = max(version(name) for name in trees)
    if not seen and not (item.since and item.since > newest):
        yield "is for none of the trees: drop it"


def check_static(topics, trees):
    for topic in topics:
        for key in ("Topic", "Match", "Source"):
            if key not in topic.header:
                yield f"{topic.path}: no {key}"
        for key in topic.header:
            if key not in ("Topic", "Match", "Source", "Precedence", "Since",
                           "Until", *PROSE):
                yield f"{topic.path}: unknown header {key}"
        for item in topic.items:
            for problem in check_item(topic, item, trees):
                yield f"{topic.path}:{item.line}: {item.name} {problem}"


# ---- the judge ---------------------------------------------------------------

DUMP = """\
config DUMP
	def_bool $(shell,env -0 >%s; echo y)
"""


class Judge:
    """The conf of a tree, with the environment that its Makefile gives it."""

    def __init__(self, tree, arch, llvm, work, cache):
        self.name = f"{tree.name} {arch} {'clang' if llvm else 'gcc'}"
        self.arch = next(a for a in ARCHES if ARCHES[a] == arch)
        self.version = version(tree.name)
        self.obj = work / tree.name     # one for all architectures
        self.obj.mkdir(exist_ok=True)
        self.prefix = f"{arch}-{llvm:d}"
        self.cache = cache
        pahole = work / "pahole"        # DEBUG_INFO_BTF asks for its version
        pahole.write_text("#!/bin/sh\necho v1.27\n")
        pahole.chmod(0o755)
        make = ["make", "-s", "-C", tree, f"O={self.obj}", f"ARCH={arch}",
                f"PAHOLE={pahole}", *(["LLVM=1"] if llvm else [])]
        self.set_up(make)
        state = hashlib.sha256(scan(tree, self.arch).hash.digest())
        for part in (self.defconfig, self.env["CC_VERSION_TEXT"], self.name):
            state.update(part.encode())
        self.state = state

    def set_up(self, make):
        config = self.obj / f"{self.prefix}.config"
        dump, env = self.obj / "Kconfig.dump", self.obj / "env"
        clean = {k: v for k, v in os.environ.items()
                 if k in ("PATH", "HOME", "LANG", "TMPDIR")}
        self.run(make + ["defconfig", f"KCONFIG_CONFIG={config}"], clean)
        self.defconfig = config.read_text()
        dump.write_text(DUMP % env)
        self.run(make + [f"KBUILD_KCONFIG={dump}", "alldefconfig",
                         f"KCONFIG_CONFIG={self.obj / 'dump'}"], clean)
        self.env = dict(v.split("=", 1)
                        for v in env.read_text().split("\0") if v)

    def run(self, command, env):
        done = subprocess.run(command, env=env, cwd=self.obj, text=True,
                              capture_output=True)
        if done.returncode:
            sys.exit(f"{command}: {done.stdout}{done.stderr}")

    def apply(self, topic):
        """What the symbols are when the topic is put on the defconfig."""
        lines = "".join(i.text() + "\n" for i in topic.items
                        if i.is_for(self.version, self.arch))
        key = self.state.copy()
        key.update(lines.encode())
        known = self.cache and self.cache / key.hexdigest()
        if known and known.exists():
            return json.loads(known.read_text())
        config = self.obj / f"{self.prefix}-{topic.id}.config"
        config.write_text(self.defconfig + lines)
        self.run([self.obj / "scripts/kconfig/conf", "--olddefconfig",
                  "Kconfig"], {**self.env, "KCONFIG_CONFIG": str(config)})
        values = dict(re.findall(r"^CONFIG_(\w+)=(.*)$", config.read_text(),
                                 re.MULTILINE))
        values = {i.name: values.get(i.name, "n") for i in topic.items}
        if known:
            known.write_text(json.dumps(values))
        return values


@dataclass
class Verdict:
    judge: Judge
    topic: Topic
    held: list = field(default_factory=list)
    refused: list = field(default_factory=list)     # with their values

    def __str__(self):
        required = [i for i, _ in self.refused if i.required]
        return (f"{self.judge.name}: {self.topic.id}: {len(self.held)} held, "
                f"{len(self.refused)} refused ({len(required)} required) "
                + " ".join(f"{i.name}={value}" for i, value in self.refused))


def judge_topic(judge, topic):
    values = judge.apply(topic)
    verdict = Verdict(judge, topic)
    for item in topic.items:
        if not item.is_for(judge.version, judge.arch):
            continue
        if item.held_by(values[item.name]):
            verdict.held.append(item)
        else:
            verdict.refused.append((item, values[item.name]))
    return verdict


def unsettled(verdicts):
    """Items that held nowhere, by topic and line."""
    held = {(v.topic.id, i.line) for v in verdicts for i in v.held}
    return {(v.topic.id, i.line): (v.topic, i)
            for v in verdicts for i, _ in v.refused
            if (v.topic.id, i.line) not in held and i.name not in HOST}


class Court:
    def __init__(self, topics, trees, cache, verbose):
        self.topics = topics
        self.trees = trees
        self.cache = cache
        self.verbose = verbose

    def hear(self, topics, judges):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(lambda pair: judge_topic(*pair),
                                 [(j, t) for j in judges for t in topics]))

    def judges(self, work, arch, llvm):
        return [Judge(tree, arch, llvm, work, self.cache)
                for tree in self.trees.values()]

    def sit(self, work):
        verdicts = self.hear(self.topics, self.judges(work, "x86_64", False))
        llvm = bool(shutil.which("clang") and shutil.which("ld.lld"))
        if llvm:
            verdicts += self.hear(self.topics,
                                  self.judges(work, "arm64", True))
        else:
            print("check-kb: no clang and ld.lld: arm64 is not judged",
                  file=sys.stderr)
        for v in verdicts:
            if self.verbose:
                print(v)
            for item, value in v.refused:
                if item.required and item.name not in HOST:
                    yield (f"{v.topic.path}:{item.line}: {item.name} is "
                           f"required, but is {value} ({v.judge.name})")
        open_cases = unsettled(verdicts)
        if open_cases and llvm:
            topics = {t.id: t for t, _ in open_cases.values()}
            verdicts += self.hear(topics.values(),
                                  self.judges(work, "x86_64", True))
            open_cases = unsettled(verdicts)
        for topic, item in open_cases.values():
            yield (f"{topic.path}:{item.line}: {item.name}={item.value} is "
                   "refused everywhere")


def find_trees(top):
    trees = {p.name: p for p in sorted(top.iterdir())
             if re.fullmatch(r"\d+\.\d+", p.name) and (p / "Kconfig").exists()}
    if not trees:
        sys.exit(f"{top}: no kernel trees in it (see tests/trees.sh)")
    return trees


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("trees", type=Path)
    parser.add_argument("--kb", type=Path, default=KB)
    parser.add_argument("--topic", action="append")
    parser.add_argument("--cache", type=Path, metavar="DIR",
                        help="keep what conf said there, and do not ask again")
    parser.add_argument("--static", action="store_true",
                        help="do not run anything")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    trees = find_trees(args.trees.resolve())
    topics = [parse_topic(p) for p in sorted(args.kb.glob("*.config"))
              if not args.topic or p.stem in args.topic]
    problems = list(check_static(topics, trees))
    if not args.static:
        if args.cache:
            args.cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="check-kb-") as work:
            court = Court(topics, trees, args.cache, args.verbose)
            problems += court.sit(Path(work))
    for problem in problems:
        print(os.path.relpath(problem), file=sys.stderr)
    print(f"check-kb: {len(topics)} topics, "
          f"{sum(len(t.items) for t in topics)} items, "
          f"trees {' '.join(trees)}: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
