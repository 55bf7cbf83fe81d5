#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verbs that write, on a disk that gets full at some moment of theirs: they end with 3, name the file, and leave what
was there before them as it was, and no rubbish.

    cli_test.py VARVE FULL_DISK

The disk is a small file system in memory where this process may mount one. Beside that, and where it may not, the
library FULL_DISK makes a directory seem full after so many bytes."""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

VARVE, FULL_DISK = sys.argv[1:3]
DISK_BYTES = 48 << 20
PAGE = 4096
ROOMS = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192]  # Pages.

randomness = random.Random(1)
BASE = {f"base{n:04}": randomness.randbytes(300).hex() for n in range(400)}
MORE = {f"more{n:04}": randomness.randbytes(500).hex() for n in range(2000)}


def rows(records):
    return "".join(f"{key}\t{value}\n" for key, value in records.items()).encode()


def varve(*words, given=b"", **options):
    return subprocess.run([VARVE, *map(str, words)], input=given, capture_output=True, check=False, **options)


class PreloadedDisk:
    """Each process may write so much."""

    def __init__(self, folder):
        self.at = pathlib.Path(folder) / "disk"
        self.at.mkdir()

    def run(self, words, room, given):
        return varve(*words, given=given, env={**os.environ, "TMPDIR": str(self.at), "LD_PRELOAD": FULL_DISK,
                                               "FULL_DISK_AT": str(self.at), "FULL_DISK_BYTES": str(room)})

    def close(self):
        pass


class MountedDisk:
    """A file system of its own, filled up to so much."""

    def __init__(self, folder):
        self.at = pathlib.Path(folder) / "mounted"
        self.at.mkdir()
        words = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "varve-test", str(self.at)]
        if subprocess.run(words, capture_output=True, check=False).returncode != 0:
            raise PermissionError("no file system can be mounted here")

    def run(self, words, room, given):
        state = os.statvfs(self.at)
        ballast = self.at / "ballast"
        with open(ballast, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(1, state.f_bavail * state.f_bsize - room))
        try:
            return varve(*words, given=given, env={**os.environ, "TMPDIR": str(self.at)})
        finally:
            ballast.unlink()

    def close(self):
        subprocess.run(["umount", "-l", str(self.at)], check=True)


def disks():
    """Those that can be had here, with who makes them."""
    kinds = [PreloadedDisk]
    folder = tempfile.mkdtemp(prefix="varve-mount-")
    try:
        MountedDisk(folder).close()
        kinds.append(MountedDisk)
    except (PermissionError, FileNotFoundError):
        print("no file system can be mounted here: the disk is only as good as full", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    return kinds


class FullDisk:
    """The tests, for one kind of disk."""

    kind = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="varve-full-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.disk = self.kind(self.folder)
        self.addCleanup(self.disk.close)
        self.origin = pathlib.Path(self.folder) / "origin"
        self.must("load", self.origin, "-", given=rows(BASE))
        self.must("put", self.origin, "in-the-log", "1")
        self.db = self.disk.at / "db"

    def must(self, *words, given=b""):
        done = varve(*words, given=given)
        self.assertEqual(done.returncode, 0, done)
        return done.stdout.decode()

    def fill(self, words, given=b"", after=lambda done: None, failures=2):
        """The verb with more and more room, each time on a copy of the database; `after` looks at what it left."""
        failed = 0
        for room in ROOMS:
            with self.subTest(pages=room):
                shutil.rmtree(self.db, ignore_errors=True)
                shutil.copytree(self.origin, self.db)
                done = self.disk.run(words, room * PAGE, given)
                if done.returncode != 0:
                    failed += 1
                    self.check_said(done)
                after(done)
            if done.returncode == 0:
                break
        self.assertEqual(done.returncode, 0, done)
        self.assertGreaterEqual(failed, failures)

    def check_said(self, done):
        errors = done.stderr.decode()
        self.assertEqual(done.returncode, 3, done)
        self.assertIn("No space left on device", errors)
        self.assertIn(str(self.disk.at), errors)

    def records(self):
        lines = self.must("scan", self.db, "-F", "tsv").splitlines()
        return dict(line.split("\t") for line in lines)

    def check_database(self, may_have=()):
        """All that was there before is there, and of what came nothing but what was given."""
        found = self.records()
        self.assertEqual({key: found.get(key) for key in BASE}, BASE)
        self.assertEqual(found.pop("in-the-log"), "1")
        new = {key: value for key, value in found.items() if key not in BASE}
        self.assertLessEqual(new.items(), dict(may_have).items())
        self.must("db", "verify", self.db)
        self.must("put", self.db, "room", "again")  # The next opening puts the rest in order.
        names = os.listdir(self.db)
        tables = {name for name in names if name.endswith(".sst")}
        live = {file["name"] for file in json.loads(self.must("lsm", "files", self.db, "--json"))["files"]}
        self.assertEqual(tables, live)
        known = r"CURRENT|IDENTITY|LOCK|MANIFEST-\d+|OPTIONS-\d+|\d+\.log|\d+\.sst|LOG.*"
        self.assertEqual([name for name in names if not re.fullmatch(known, name)], [])
        self.assertEqual(len([name for name in names if name.startswith("MANIFEST")]), 1)
        self.assertLessEqual(len([name for name in names if name.startswith("OPTIONS")]), 2)

    def check_alone(self, *names):
        """Nothing is on the disk but the database and these."""
        self.assertLessEqual(set(os.listdir(self.disk.at)), {"db", *names})

    def test_load(self):
        def after(_):
            self.check_database(MORE)
            self.check_alone()

        self.fill(["load", self.db, "-"], rows(MORE), after)

    def test_load_by_writing(self):
        def after(_):
            self.check_database(MORE)
            self.check_alone()

        batch = "".join(f"put\t{key}\t{value}\n" for key, value in MORE.items()).encode()
        self.fill(["batch", self.db, "--option", "write_buffer_size=64K"], batch, after)

    def test_put(self):
        self.fill(["put", self.db, "key", "v" * 10000], after=lambda _: self.check_database({"key": "v" * 10000}))

    def test_compact(self):
        self.fill(["compact", self.db, "--force"], after=lambda _: self.check_database())

    def test_set_options(self):
        self.fill(["db", "set-options", self.db, "compression=zstd"], after=lambda _: self.check_database())

    def test_checkpoint(self):
        copy = self.disk.at / "copy"

        def after(done):
            self.check_database()
            self.check_alone(*(["copy"] if done.returncode == 0 else []))
            if done.returncode == 0:
                self.must("db", "verify", copy)

        # Tables are links: only a few small files are copied.
        self.fill(["checkpoint", self.db, copy], after=after, failures=1)

    def test_sst_build(self):
        table = self.disk.at / "new.sst"

        def after(done):
            self.check_alone(*(["new.sst"] if done.returncode == 0 else []))
            if done.returncode == 0:
                self.must("sst", "verify", table)

        self.fill(["sst", "build", table, "-"], rows(MORE), after)

    def test_dump(self):
        target = self.disk.at / "dump.txt"
        target.write_text("what was there before")

        def after(done):
            self.check_alone("dump.txt")
            if done.returncode != 0:
                self.assertEqual(target.read_text(), "what was there before")

        self.fill(["dump", self.db, "-o", target], after=after)

    def test_a_new_database(self):
        new = self.disk.at / "new"

        def after(done):
            self.check_alone("new")
            if done.returncode != 0:  # With room, it can be made there.
                self.must("put", new, "key", "value", "--create")
            self.assertEqual(self.must("get", new, "key"), "value\n")
            shutil.rmtree(new)

        self.fill(["put", new, "key", "value", "--create"], after=after)


for kind in disks():
    name = f"On{kind.__name__}"
    globals()[name] = type(name, (FullDisk, unittest.TestCase), {"kind": kind})

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
