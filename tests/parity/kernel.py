# SPDX-License-Identifier: GPL-2.0-only
"""The kernel trees of tests/trees.sh, and how their makefiles call conf."""

import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
TREES = os.path.join(TOP, 'build/trees')
VERSIONS = ('6.1', '6.12')
# The conf of 4.11, of Debian's package kconfig-frontends-nox.
CONF_4_11 = '/usr/bin/kconfig-conf'
GOAL = 'print-environment-config'

# Given to the kernel's make through MAKEFILES. A goal that ends in "config" is
# handed down to the make that calls conf; there it prints what conf would see.
RULE = """
ifeq ($(obj),scripts/kconfig)
%s:
	@env -0 >$(PARITY_ENVIRONMENT)
endif
""" % GOAL

# What the capture itself puts into the environment, or make for its children.
NOT_OURS = {'MAKEFILES', 'MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'MAKEOVERRIDES',
            'MAKE_TERMOUT', 'MAKE_TERMERR', 'PARITY_ENVIRONMENT', '_', 'PWD',
            'OLDPWD', 'SHLVL'}

# ARCH= values beyond the names of the directories below arch/.
MORE_ARCHS = {'x86': ('x86_64', 'i386'), 'sparc': ('sparc', 'sparc64'),
              'parisc': ('parisc', 'parisc64')}


def conf_of(dialect):
    """What judges small trees of a dialect."""
    return CONF_4_11 if dialect == '4.11' else Tree(dialect).conf


class Tree:
    """A kernel tree: its files, its conf, and the environments of its archs."""

    def __init__(self, version):
        self.version = version
        self.path = os.path.join(TREES, version)
        self.obj = os.path.join(TREES, 'obj-' + version)
        self.conf = os.path.join(self.obj, 'scripts/kconfig/conf')
        self._environment = {}

    def present(self):
        return os.access(self.conf, os.X_OK)

    def archs(self):
        """Every ARCH= there is."""
        found = []
        for name in sorted(os.listdir(os.path.join(self.path, 'arch'))):
            if os.path.exists(os.path.join(self.path, 'arch', name, 'Kconfig')):
                found.extend(MORE_ARCHS.get(name, (name,)))
        return found

    def environment(self, arch):
        """What conf sees when the kernel's make calls it for this ARCH."""
        if arch not in self._environment:
            self._environment[arch] = self._capture(arch)
        return dict(self._environment[arch])

    def _capture(self, arch):
        with tempfile.TemporaryDirectory(prefix='parity-env-') as work:
            rule = os.path.join(work, 'rule.mk')
            dump = os.path.join(work, 'environment')
            with open(rule, 'w') as f:
                f.write(RULE)
            env = {'PATH': os.environ['PATH'], 'LC_ALL': 'C',
                   'HOME': os.environ.get('HOME', '/'), 'MAKEFILES': rule,
                   'PARITY_ENVIRONMENT': dump}
            done = subprocess.run(['make', '-s', '-C', self.path, 'O=' + self.obj,
                                   'ARCH=' + arch, GOAL], env=env, text=True,
                                  stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            if done.returncode or not os.path.exists(dump):
                raise RuntimeError('make ARCH=%s in %s:\n%s'
                                   % (arch, self.path, done.stdout))
            with open(dump, 'rb') as f:
                pairs = f.read().decode().split('\0')
        env = dict(pair.split('=', 1) for pair in pairs if pair)
        return {k: v for k, v in env.items() if k not in NOT_OURS}

    def defconfigs(self, arch):
        """The arch's configs, as conf is given them: relative to the tree."""
        srcarch = self.environment(arch)['SRCARCH']
        below = 'arch/%s/configs' % srcarch
        found = []
        for base, _, names in os.walk(os.path.join(self.path, below)):
            rel = os.path.relpath(base, self.path)
            found.extend(os.path.join(rel, n) for n in names
                         if n.endswith(('defconfig', '.config')))
        return sorted(found)

    def defconfig(self, arch):
        """The one that `make defconfig` takes."""
        env = self.environment(arch)
        name = 'arch/%s/configs/%s' % (env['SRCARCH'],
                                       env.get('KBUILD_DEFCONFIG', 'defconfig'))
        if os.path.exists(os.path.join(self.path, name)):
            return name
        whole = [n for n in self.defconfigs(arch) if n.endswith('defconfig')]
        return whole[0] if whole else None
