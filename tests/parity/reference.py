# SPDX-License-Identifier: GPL-2.0-only
"""Run a conf in a directory of its own, and keep what the kernel's conf did.

The kernel's conf takes about four seconds a run, so what it did is kept below
build/, under a key made of all that it can depend on.
"""

import hashlib
import json
import os
import subprocess
import tempfile
import threading
import zlib

import kernel

CACHE = os.path.join(kernel.TOP, 'build/parity')
TIMEOUT = 300
AUTO_CONF = 'include/config/auto.conf'


class Result:
    """What a run did: exit status, stdout, stderr, and the files it left."""

    def __init__(self, status, out, err, files):
        self.status = status
        self.out = out
        self.err = err
        self.files = files

    def dump(self):
        text = {'status': self.status, 'out': self.out.decode('latin-1'),
                'err': self.err.decode('latin-1'),
                'files': {k: v.decode('latin-1') for k, v in self.files.items()}}
        return zlib.compress(json.dumps(text).encode())

    @staticmethod
    def load(data):
        text = json.loads(zlib.decompress(data))
        return Result(text['status'], text['out'].encode('latin-1'),
                      text['err'].encode('latin-1'),
                      {k: v.encode('latin-1') for k, v in text['files'].items()})


def run(program, mode, env, files):
    """Run PROGRAM --MODE Kconfig where FILES are, and report what it did."""
    with tempfile.TemporaryDirectory(prefix='parity-') as work:
        for name, data in files.items():
            path = os.path.join(work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'wb') as f:
                f.write(data)
        try:
            done = subprocess.run([program, '--' + mode, 'Kconfig'], cwd=work,
                                  env=env, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=TIMEOUT)
            status, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            status, out, err = 'timeout', late.stdout or b'', late.stderr or b''
        left = {}
        for base, _, names in os.walk(work):
            for name in names:
                path = os.path.join(base, name)
                rel = os.path.relpath(path, work)
                with open(path, 'rb') as f:
                    data = f.read()
                if files.get(rel) != data:
                    left[rel] = data
        return Result(status, out, err, left)


class Reference:
    """The conf of a tree, with a memory."""

    def __init__(self, tree, arch, use_cache=True):
        self.tree = tree
        self.arch = arch
        self.env = tree.environment(arch)
        self.use_cache = use_cache
        self._identity = None
        self._lock = threading.Lock()

    def identity(self):
        """A digest of what all runs depend on.

        $(shell) in Kconfig files asks the tools of this machine what they can
        do. One run that is never taken from the cache sees most of it."""
        with self._lock:
            if self._identity is None:
                h = hashlib.sha256()
                with open(self.tree.conf, 'rb') as f:
                    h.update(f.read())
                with open(os.path.join(kernel.TREES,
                                       '.stamp-' + self.tree.version), 'rb') as f:
                    h.update(f.read())
                h.update(json.dumps(self.env, sort_keys=True).encode())
                probe = run(self.tree.conf, 'alldefconfig', self.env,
                            {AUTO_CONF: b''})
                h.update(probe.files.get('.config', b''))
                self._identity = h.digest()
            return self._identity

    def run(self, mode, files, more_env):
        """As the function run(), but from memory where possible."""
        env = dict(self.env, **more_env)
        if not self.use_cache:
            return run(self.tree.conf, mode, env, files)
        h = hashlib.sha256(self.identity())
        h.update(json.dumps([mode, more_env], sort_keys=True).encode() + b'\0')
        for name in sorted(files):
            h.update(name.encode() + b'\0' + hashlib.sha256(files[name]).digest())
        path = os.path.join(CACHE, h.hexdigest()[:2], h.hexdigest()[2:])
        try:
            with open(path, 'rb') as f:
                return Result.load(f.read())
        except (OSError, ValueError, zlib.error):
            pass
        result = run(self.tree.conf, mode, env, files)
        if result.status != 'timeout':
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=CACHE, delete=False) as f:
                f.write(result.dump())
            os.replace(f.name, path)
        return result
