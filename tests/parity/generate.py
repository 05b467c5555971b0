# SPDX-License-Identifier: GPL-2.0-only
"""Random Kconfig trees and .config files, from a seed.

A tree is made of plain lists, so that it can be shrunk step by step:

    entry       [kind, name, attributes, entries]
    attribute   [keyword, text or expression, condition or None]
    expression  a string, or [operator, expression...]

Most trees are free of recursive dependencies: every symbol has a rank, and
what it reads has a lower one.
"""

import random

TYPES = ('bool', 'bool', 'bool', 'tristate', 'tristate', 'int', 'hex', 'string')
LOGICAL = ('bool', 'tristate')
STRINGS = ('', 'y', 'm', 'n', 'text', 'two words', '0x10', '16', '7', 'a"b',
           'back\\slash', '# hash', "it's", 'A')
INTS = ('0', '1', '5', '7', '16', '42', '-3', '1000', '007')
HEXES = ('0x0', '0x10', '0xff', '0xFF', 'ff', '10', '0x7')
# What both programs find in their environment.
ENVIRONMENT = {'ENV_NUMBER': '42', 'ENV_TEXT': 'some text', 'ENV_EMPTY': '',
               'ENV_YES': 'y'}
MACROS = ('V_y := y', 'V_n = n', 'V_m := $(V_n)m', 'V_e =', 'V_x := A=y',
          'V_sh := $(shell,echo y)', 'V_f = $(1)$(2)', 'V_e += y')


class Symbol:
    def __init__(self, name, type_, rank):
        self.name = name
        self.type = type_
        self.rank = rank
        self.member = False


class Tree:
    """A generated tree: entries, and a few lines of macros before them."""

    def __init__(self, macros, entries):
        self.macros = macros
        self.entries = entries

    def text(self):
        lines = list(self.macros)
        render(self.entries, lines)
        return '\n'.join(lines) + '\n'


class Generator:
    def __init__(self, seed, dialect):
        self.r = random.Random(seed)
        # Of choices, 4.11 and 6.1 have the same; 4.11 has no macros, and says
        # some things in other words.
        self.old = dialect in ('4.11', '6.1')
        self.ancient = dialect == '4.11'
        # Few trees may have recursive dependencies, or what is an error.
        # In 4.11 the former only make conf say so: see tests/differences.
        self.wild = self.r.random() < 0.04 and not self.ancient
        self.faulty = self.r.random() < 0.05
        self.symbols = []
        self.macros = []

    def chance(self, p):
        return self.r.random() < p

    # Names and values

    def new_symbol(self, type_):
        letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'
        taken = {s.name for s in self.symbols}
        while True:
            name = self.r.choice(letters[:26]) + ''.join(
                self.r.choice(letters) for _ in range(self.r.choice((0, 0, 1, 2, 5))))
            if name not in taken and name != 'MODULES':
                break
        symbol = Symbol(name, type_, None)
        self.symbols.append(symbol)
        return symbol

    def value(self, type_):
        if type_ == 'int':
            return self.r.choice(INTS)
        if type_ == 'hex':
            return self.r.choice(HEXES)
        if type_ == 'string':
            return quote(self.r.choice(STRINGS))
        return self.r.choice('yyymn')

    # Expressions

    def below(self, rank):
        if self.wild:
            return self.symbols
        return [s for s in self.symbols if s.rank is not None and s.rank < rank]

    def operand(self, rank):
        known = self.below(rank)
        if known and self.chance(0.93):
            # What was defined a little before is taken often: submenus.
            if self.chance(0.4):
                known = known[-3:]
            return self.r.choice(known)
        return None

    def atom(self, rank):
        symbol = self.operand(rank)
        if symbol is None:
            return self.r.choice(('y', 'n', 'm', 'UNDEFINED', 'y', '"y"')) \
                if not self.macros or self.chance(0.5) else '$(V_y)'
        if symbol.type in LOGICAL:
            if self.chance(0.7):
                return symbol.name
            operator = self.r.choice(('=', '=', '!=', '<', '>='))
            value = self.r.choice('ymn')
            # conf of 6.12 fails on this one: it prints an address ("Oops!"),
            # and takes the condition for met.
            if operator == '!=' and value == 'y' and symbol.type == 'bool':
                value = 'n'
            return [operator, symbol.name, value]
        other = self.operand(rank)
        if other is None or self.chance(0.7):
            right = self.value(symbol.type)
        else:
            right = other.name
        return [self.r.choice(('=', '!=', '<', '<=', '>', '>=')), symbol.name, right]

    def expression(self, rank, depth=2):
        if depth == 0 or self.chance(0.55):
            atom = self.atom(rank)
            return ['!', atom] if self.chance(0.15) else atom
        left = self.expression(rank, depth - 1)
        right = self.expression(rank, depth - 1)
        node = [self.r.choice(('&&', '||')), left, right]
        return ['!', node] if self.chance(0.08) else node

    def condition(self, rank, p):
        return self.expression(rank) if self.chance(p) else None

    # Entries

    def config(self, symbol):
        """An entry whose attributes are filled in when ranks are known."""
        kind = 'menuconfig' if self.chance(0.05) else 'config'
        return [kind, symbol.name, [], []]

    def entries(self, budget, depth):
        made = []
        while budget > 0:
            kind = self.r.random()
            if kind < 0.62 or depth == 0:
                made.append(self.config(self.new_symbol(self.r.choice(TYPES))))
                budget -= 1
            elif kind < 0.72:
                inner = self.r.randint(0, min(budget, 5))
                made.append(['menu', None, [], self.entries(inner, depth - 1)])
                budget -= inner + 1
            elif kind < 0.84:
                inner = self.r.randint(0, min(budget, 5))
                made.append(['if', None, [], self.entries(inner, depth - 1)])
                budget -= inner + 1
            elif kind < 0.93:
                made.append(self.choice())
                budget -= len(made[-1][3])
            else:
                made.append(['comment', None, [], []])
                budget -= 1
        return made

    def choice(self):
        tristate = self.old and self.chance(0.3)
        members = []
        for _ in range(self.r.choice((1, 2, 2, 3, 3, 4))):
            symbol = self.new_symbol('tristate' if tristate else 'bool')
            symbol.member = True
            members.append(['config', symbol.name, [], []])
        if self.chance(0.15) and len(members) > 1:
            cut = self.r.randrange(1, len(members))
            members[cut:] = [['if', None, [], members[cut:]]]
        if self.chance(0.08):
            members.append(['comment', None, [], []])
        name = None
        if self.old and self.chance(0.2):
            name = 'CHOICE%d' % len(self.symbols)
        return ['choice', name, [['tristate', None, None]] if tristate else [],
                members]

    # Ranks

    def assign_ranks(self, tree):
        """In order of definition, or any; members of a choice stay together."""
        groups = []

        def collect(entries, group):
            for entry in entries:
                if entry[0] in ('config', 'menuconfig'):
                    if group is None:
                        groups.append([entry[1]])
                    else:
                        group.append(entry[1])
                elif entry[0] == 'choice':
                    groups.append([])
                    collect(entry[3], groups[-1])
                else:
                    collect(entry[3], group)

        collect(tree, None)
        if self.chance(0.3):
            self.r.shuffle(groups)
        by_name = {s.name: s for s in self.symbols}
        for rank, name in enumerate(n for g in groups for n in g):
            by_name[name].rank = rank
        # Members may read only what all of their choice may read.
        self.limit = {}
        for group in groups:
            low = min(by_name[n].rank for n in group) if group else 0
            for name in group:
                self.limit[name] = low
        self.symbols.sort(key=lambda s: s.rank)
        return by_name

    def lowest(self, entries):
        ranks = [10 ** 6]
        for entry in entries:
            if entry[0] in ('config', 'menuconfig'):
                ranks.append(self.limit[entry[1]])
            ranks.append(self.lowest(entry[3]))
        return min(ranks)

    # Attributes

    def fill(self, entries, by_name):
        for entry in entries:
            kind, name, attributes, inner = entry
            if kind in ('config', 'menuconfig'):
                self.fill_config(attributes, by_name[name])
                continue
            rank = self.lowest(inner)
            if kind == 'comment':
                rank = 10 ** 6 if self.wild else self.r.randrange(
                    len(self.symbols) + 1)
                attributes.append(['comment', self.prompt(), None])
                if self.chance(0.4):
                    attributes.append(['depends on', self.expression(rank), None])
            elif kind == 'if':
                attributes.append(['if', self.expression(rank), None])
            elif kind == 'menu':
                attributes.append(['menu', self.prompt(), None])
                if self.chance(0.4):
                    attributes.append(['depends on', self.expression(rank), None])
                if self.chance(0.25):
                    # 4.11 takes it only before what the menu depends on
                    attributes.insert(1 if self.ancient else len(attributes),
                                      ['visible if', self.expression(rank), None])
            elif kind == 'choice':
                self.fill_choice(entry, rank)
            self.fill(inner, by_name)

    def fill_choice(self, entry, rank):
        attributes = entry[2]
        members = [e[1] for e in flat(entry[3]) if e[0] == 'config']
        attributes.append(['prompt', self.prompt(), self.condition(rank, 0.2)])
        while self.chance(0.45):
            attributes.append(['default', self.r.choice(members),
                               self.condition(rank, 0.4)])
        if self.chance(0.3):
            attributes.append(['depends on', self.expression(rank), None])
        if self.old and self.chance(0.25):
            attributes.append(['optional', None, None])

    def prompt(self):
        return quote(self.r.choice(('prompt', 'a longer prompt', 'p "q"', 'x')))

    def fill_config(self, attributes, symbol, first=True):
        rank = self.limit[symbol.name]
        type_ = symbol.type
        if symbol.member:
            prompted = first
        else:
            prompted = self.chance(0.7)
        if prompted and not symbol.member and self.chance(0.3):
            attributes.append([type_, None, None])
            attributes.append(['prompt', self.prompt(), self.condition(rank, 0.5)])
        elif prompted:
            attributes.append([type_, self.prompt(), self.condition(rank, 0.25)])
        elif first or self.chance(0.5):
            attributes.append([type_, None, None])
        if self.chance(0.3):
            attributes.append(['depends on', self.expression(rank), None])
        if not symbol.member or (self.faulty and self.chance(0.3)):
            self.add_defaults(attributes, symbol, rank)
        if type_ in ('int', 'hex') and self.chance(0.4):
            self.add_range(attributes, symbol, rank)
        if type_ in LOGICAL:
            for keyword in ('select', 'imply'):
                while self.chance(0.2):
                    self.add_reverse(attributes, keyword, symbol, rank)
        if self.ancient and self.chance(0.1):
            attributes.append(['option', self.option(type_), None])
        if self.chance(0.08):
            keyword = '---help---' if self.ancient and self.chance(0.5) else 'help'
            attributes.append([keyword, self.r.choice(('a line', 'two\n\nlines')),
                               None])

    def option(self, type_):
        if type_ == 'bool' and self.chance(0.7):
            return 'allnoconfig_y'
        return 'env="%s"' % self.r.choice(sorted(ENVIRONMENT) + ['NOT_SET'])

    def add_defaults(self, attributes, symbol, rank):
        while self.chance(0.45):
            same = [s for s in self.below(rank) if s.type == symbol.type]
            if symbol.type in LOGICAL:
                value = self.expression(rank, 1) if self.chance(0.5) \
                    else self.value(symbol.type)
            elif same and self.chance(0.3):
                value = self.r.choice(same).name
            else:
                value = self.value(symbol.type)
            attributes.append(['default', value, self.condition(rank, 0.4)])

    def add_range(self, attributes, symbol, rank):
        same = [s for s in self.below(rank) if s.type == symbol.type]
        for _ in range(self.r.choice((1, 1, 2))):
            low, high = self.value(symbol.type), self.value(symbol.type)
            if same and self.chance(0.2):
                high = self.r.choice(same).name
            attributes.append(['range', '%s %s' % (low, high),
                               self.condition(rank, 0.3)])

    def add_reverse(self, attributes, keyword, symbol, rank):
        targets = [s for s in self.symbols
                   if self.wild or s.rank > symbol.rank and
                   self.limit[s.name] > symbol.rank]
        logical = [s for s in targets if s.type in LOGICAL]
        if self.chance(0.9):
            targets = logical
        if targets:
            attributes.append([keyword, self.r.choice(targets).name,
                               self.condition(rank, 0.4)])
        elif self.chance(0.2) and not self.ancient:
            attributes.append([keyword, 'UNDEFINED', None])

    # The whole

    def again(self, tree, by_name):
        """Define some symbols a second time, mostly without a prompt."""
        for symbol in list(self.symbols):
            if not self.chance(0.1):
                continue
            entry = ['config', symbol.name, [], []]
            self.fill_config(entry[2], symbol, first=False)
            if symbol.member and not (self.old or self.faulty):
                entry[2] = [a for a in entry[2] if a[0] != 'prompt' and
                            not (a[0] in LOGICAL and a[1])]
            tree.insert(self.r.randrange(len(tree) + 1), entry)

    def tree(self):
        if self.chance(0.3) and not self.ancient:
            self.macros = self.r.sample(MACROS, self.r.randint(1, len(MACROS)))
            if 'V_y := y' not in self.macros:
                self.macros.append('V_y := y')
        entries = self.entries(self.r.choice((3, 6, 10, 16)), 3)
        by_name = self.assign_ranks(entries)
        self.fill(entries, by_name)
        self.again(entries, by_name)
        if self.chance(0.8):
            entries.insert(0, self.modules())
        if self.ancient:
            if self.chance(0.5):
                self.macros = ['mainmenu "title"']
            for entry in flat(entries):
                self.use_old_words(entry[2])
        return Tree(self.macros, entries)

    def use_old_words(self, attributes):
        for attribute in attributes:
            if attribute[0] == 'bool' and self.chance(0.2):
                attribute[0] = 'boolean'

    def modules(self):
        attributes = [['bool', self.prompt() if self.chance(0.8) else None, None],
                      ['option' if self.ancient else 'modules',
                       'modules' if self.ancient else None, None]]
        if self.chance(0.8):
            attributes.append(['default', 'y', None])
        return ['config', 'MODULES', attributes, []]

    def config_lines(self):
        """A .config for the tree made before: mostly of valid values."""
        lines = []
        density = self.r.choice((0.2, 0.5, 0.9))
        for symbol in self.symbols:
            if self.chance(density):
                lines.append(self.config_line(symbol))
        if self.chance(0.4):
            lines.append(self.r.choice(('CONFIG_MODULES=y', 'CONFIG_MODULES=y',
                                        '# CONFIG_MODULES is not set')))
        if self.chance(0.5):
            self.r.shuffle(lines)
        if lines and self.chance(0.2):
            lines.insert(self.r.randrange(len(lines)),
                         self.config_line(self.r.choice(self.symbols)))
        if self.chance(0.1):
            lines.append(self.r.choice(('CONFIG_UNKNOWN=y', 'garbage', '',
                                        '# CONFIG_UNKNOWN is not set', '# text',
                                        'CONFIG_NOTHING', ' CONFIG_A=y')))
        return lines

    def config_line(self, symbol):
        if symbol.type in LOGICAL:
            value = self.r.choice('yyyn' if symbol.type == 'bool' else 'yymmn')
            if value == 'n':
                return '# CONFIG_%s is not set' % symbol.name
        else:
            value = self.value(symbol.type)
        if self.chance(0.03):
            value = self.r.choice(('m', 'n', '', 'x', '5', '"a"', '"open'))
        return 'CONFIG_%s=%s' % (symbol.name, value)


    def has_numbers(self):
        return any(s.type in ('int', 'hex') for s in self.symbols)

    def answers(self):
        """What somebody in a hurry types at the prompts of oldconfig."""
        words = ('', '', '', 'y', 'y', 'n', 'm', '?', '1', '2', '3', '1?', '0x7',
                 'text', 'x', '99999', ' y', 'Y', '"')
        return [self.r.choice(words) for _ in range(self.r.randint(0, 40))]


def flat(entries):
    for entry in entries:
        yield entry
        yield from flat(entry[3])


def quote(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'


def render_expression(e):
    if isinstance(e, str):
        return e
    if e[0] == '!':
        inner = render_expression(e[1])
        return '!' + (inner if isinstance(e[1], str) else '(%s)' % inner)
    if e[0] in ('&&', '||'):
        parts = [render_expression(x) for x in e[1:]]
        for i, x in enumerate(e[1:]):
            if not isinstance(x, str) and x[0] in ('&&', '||') and x[0] != e[0]:
                parts[i] = '(%s)' % parts[i]
        return (' %s ' % e[0]).join(parts)
    return '%s %s %s' % (e[1], e[0], e[2])


def render_attribute(attribute, lines, tab):
    keyword, value, condition = attribute
    if keyword.strip('-') == 'help':
        lines.append(tab + keyword)
        lines.extend(tab + '  ' + line if line else ''
                     for line in value.split('\n'))
        return
    text = keyword
    if value is not None:
        text += ' ' + render_expression(value)
    if condition is not None:
        text += ' if ' + render_expression(condition)
    lines.append(tab + text)


def render(entries, lines):
    for kind, name, attributes, inner in entries:
        if kind in ('config', 'menuconfig', 'choice'):
            lines.append(kind + (' ' + name if name else ''))
            first = None
        else:
            # The first attribute is the statement itself.
            first = attributes[0]
            render_attribute(first, lines, '')
        for attribute in attributes:
            if attribute is not first:
                render_attribute(attribute, lines, '\t')
        lines.append('')
        render(inner, lines)
        if kind in ('menu', 'if', 'choice'):
            lines.extend(('end' + kind, ''))
