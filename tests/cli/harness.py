# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command line begin with: the program that is given first on their own command
line, and a case with a directory to itself, in which there may be a database."""
import fcntl
import os
import pathlib
import pty
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from waiting import wait_until  # noqa: E402, F401  pylint: disable=wrong-import-position

VARVE = os.path.abspath(sys.argv[1])  # Some tests run it in another directory.


def varve(*words, stdin=b"", **how):
    """What it said and answered to these words, which may be paths, bytes or anything printable."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    words = [word if isinstance(word, bytes) else os.fsencode(str(word)) for word in words]
    return subprocess.run([VARVE, *words], input=stdin, capture_output=True, timeout=120, **how)


def at_a_terminal(words, columns=80, feed=None, env=None):
    """What a terminal is sent by `words`, and the exit code. One with colours, unless `env` says."""
    env = env or {**os.environ, "TERM": "xterm"}
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([VARVE, *map(str, words)], stdout=slave, stderr=slave,
                               stdin=subprocess.PIPE if feed else slave, env=env)
    os.close(slave)
    if feed:
        feed(process)
    out = b""
    while True:
        try:
            ready, _, _ = select.select([master], [], [], 30)
            piece = os.read(master, 65536) if ready else b""
        except OSError:
            break
        if not piece:
            break
        out += piece
    os.close(master)
    return out, process.wait(timeout=30)


def strict(schema):
    """The schema with members that it does not describe refused."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    if "properties" in schema:
        closed["properties"] = {k: strict(v) for k, v in schema["properties"].items()}
        closed.setdefault("additionalProperties", False)
    return closed


def log_record(kind, payload, number=b""):
    """A record of a WAL or MANIFEST, with its masked CRC-32C; `number`: a reused log's in its header."""
    crc = 0xffffffff
    for byte in bytes([kind]) + number + payload:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    crc ^= 0xffffffff
    masked = ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff
    return struct.pack("<IHB", masked, len(payload), kind) + number + payload


class Case(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-cli-"))
        self.addCleanup(shutil.rmtree, self.home, True)
        self.db = self.home / "db"

    def ok(self, *words, code=0, **how):
        done = varve(*words, **how)
        self.assertEqual(done.returncode, code,
                         f"{words}\n{done.stdout[:2000]}\n{done.stderr[:2000]}")
        return done

    def out(self, *words, **how):
        return self.ok(*words, **how).stdout.decode()

    def err(self, *words, **how):
        return self.ok(*words, **how).stderr.decode()
