#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`varve snapshot` of databases that another process writes to: `varve batch`, and a program with RocksDB.

usage: snapshot_test.py VARVE LIBROCKSDB [TEST...]

The n-th group of changes puts n under "left" and "right", of two families, and something larger. A snapshot has one n in
both, which was acknowledged before or while it was made, for Varve and for RocksDB.
"""
import itertools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from rocksdb_c import Database, Library  # noqa: E402
from waiting import wait_until  # noqa: E402

VARVE = LIBRARY = None
SNAPSHOTS = 15
# Many flushes and compactions.
SETTINGS = {"write_buffer_size": 65536, "level0_file_num_compaction_trigger": 2}


def changes(number):
    return [("default", b"left", b"%d" % number), ("default", b"pad%d" % (number % 300), b"p" * 500),
            ("other", b"right", b"%d" % number)]


def write_forever(library, path, settings):
    """With RocksDB; prints a line for each group that is acknowledged."""
    loaded = Library(library)
    with Database(loaded, path, loaded.options(settings)) as db:
        if "other" not in db.handles:
            db.create_family("other")
        for number in itertools.count(1):
            db.write([("put", family, key, value) for family, key, value in changes(number)])
            print(number, flush=True)


class Writer:
    """A process that writes until it is killed."""

    def __init__(self, words, fed):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.acknowledged = 0
        self.threads = [threading.Thread(target=self.count)]
        if fed:
            self.threads.append(threading.Thread(target=self.feed))
        for thread in self.threads:
            thread.start()

    def count(self):
        for _ in self.process.stdout:
            self.acknowledged += 1

    def feed(self):
        try:
            for number in itertools.count(1):
                lines = [b"cf=%s\tput\t%s\t%s\n" % (family.encode(), key, value) for family, key, value in changes(number)]
                self.process.stdin.write(b"".join(lines) + b"\n")
                self.process.stdin.flush()
        except BrokenPipeError:  # It was killed.
            pass

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        for thread in self.threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except BrokenPipeError:
                pass


class SnapshotTest(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-snapshot-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.db = self.home / "db"

    def varve(self, *words, code=0):
        done = subprocess.run([VARVE, *map(str, words)], capture_output=True)
        self.assertEqual(code, done.returncode, (words, done.stderr))
        return done.stdout.decode().strip()

    def with_rocksdb(self, **settings):
        text = "".join(f"{name}={value};" for name, value in (SETTINGS | settings).items())
        return self.start(sys.executable, __file__, "--write", LIBRARY, self.db, text)

    def start(self, *words, fed=False):
        writer = Writer(words, fed)
        self.addCleanup(writer.kill)
        wait_until("it writes", lambda: writer.acknowledged > 500, 120)
        return writer

    def check_snapshots_of(self, writer):
        last, library = 0, Library(LIBRARY)
        for number in range(SNAPSHOTS):
            copy, before = self.home / f"copy{number}", writer.acknowledged
            self.varve("snapshot", self.db, copy)
            self.varve("db", "verify", copy)
            left = int(self.varve("get", copy, "left"))
            self.assertEqual(left, int(self.varve("get", copy, "right", "--cf", "other")))
            self.assertGreaterEqual(left, max(last, before))
            last = left
            with Database(library, copy, library.options()) as seen:  # It recovers the logs.
                self.assertEqual(b"%d" % left, seen.get(b"left"))
                self.assertEqual(b"%d" % left, seen.get(b"right", "other"))
                self.assertGreaterEqual(len(seen.scan()), 300)
            shutil.rmtree(copy)
            wait_until("more was written", lambda: writer.acknowledged > before + 200, 120)  # pylint: disable=cell-var-from-loop
        self.assertIsNone(writer.process.poll())
        self.assertFalse(list(self.home.glob("*.checkpoint")))

    def test_of_varve(self):
        self.varve("put", self.db, "begin", "1", "--create", *self.options())
        self.varve("cf", "create", self.db, "other")
        self.check_snapshots_of(self.start(VARVE, "batch", self.db, *self.options(), fed=True))

    def options(self):
        return [word for name, value in SETTINGS.items() for word in ("--option", f"{name}={value}")]

    def test_of_rocksdb(self):
        self.check_snapshots_of(self.with_rocksdb())

    def test_of_rocksdb_that_recycles_its_logs(self):
        self.check_snapshots_of(self.with_rocksdb(recycle_log_file_num=2))

    def test_the_database_is_not_touched(self):
        self.varve("load", self.db, self.table())
        before = {file.name: (file.stat().st_size, file.stat().st_mtime_ns) for file in self.db.iterdir()}
        self.varve("snapshot", self.db, self.home / "copy")
        self.assertEqual(before, {file.name: (file.stat().st_size, file.stat().st_mtime_ns) for file in self.db.iterdir()})
        tables = list((self.home / "copy").glob("*.sst"))
        self.assertTrue(tables)
        for table in tables:
            self.assertTrue(os.path.samefile(table, self.db / table.name))
        self.varve("put", self.home / "copy", "a", "changed")  # It is a database of its own.
        self.assertEqual("1", self.varve("get", self.db, "a"))

    def test_what_is_refused(self):
        self.varve("load", self.db, self.table())
        self.varve("snapshot", self.db, self.home, code=8)
        self.varve("snapshot", self.home / "none", self.home / "copy", code=3)
        self.varve("snapshot", self.db, "", code=2)
        next(self.db.glob("*.sst")).unlink()
        self.varve("snapshot", self.db, self.home / "copy", code=4)
        self.assertEqual({"db", "in.tsv"}, {file.name for file in self.home.iterdir()})

    def table(self):
        (self.home / "in.tsv").write_text("a\t1\n")
        return self.home / "in.tsv"


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        write_forever(*sys.argv[2:])
    VARVE, LIBRARY = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
