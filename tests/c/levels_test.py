#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Databases with more levels than num_levels has by default, through the C interface and the command line.

    levels_test.py LIBRARY ROCKSDB-LIBRARY VARVE [TEST...]

A program says how many levels there are only when it opens the database; what lists families, inspects, copies or repairs
it is not told, and takes tables on any level.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "interop"))
from rocksdb_c import Database, Library  # noqa: E402

OURS = THEIRS = VARVE = None
LEVELS = "num_levels=15;level_compaction_dynamic_level_bytes=true;disable_auto_compactions=true"
VERBS = (
    ["db", "verify"], ["db", "info"], ["db", "space"], ["lsm", "show"], ["lsm", "files"], ["explain", "get", "DB", "k050"],
    ["explain", "scan"], ["locate", "DB", "k050"], ["approxsize"], ["count"], ["dump"], ["wal", "segments"], ["manifest", "show"],
)


class LevelsTest(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-levels-"))
        self.addCleanup(shutil.rmtree, self.home)

    def open(self, library, path):
        options = library.options(LEVELS)
        library._options_set_create_if_missing(options, True)
        return Database(library, path, options)

    def make(self, library, path):
        """With its tables on the last level, by a compaction of all, and on level 0."""
        records = [(b"k%03d" % number, b"v%d" % number) for number in range(100)]
        with self.open(library, path) as db:
            for round in range(2):
                db.write([("put", "default", key, value) for key, value in records[round::2]])
                db.flush()
            db.compact()
            db.write([("put", "default", *records[0])])
            db.flush()
        return records

    def varve(self, *words):
        return subprocess.run([VARVE, *map(str, words)], capture_output=True, text=True)

    def check(self, path, records):
        for library in (OURS, THEIRS):
            self.assertEqual(["default"], library.families(path))
            with self.open(library, path) as db:
                self.assertEqual(records, db.scan())
        for words in VERBS:
            words = [path if word == "DB" else word for word in words]
            run = self.varve(*words, *([] if path in words else [path]))
            self.assertEqual(0, run.returncode, (words, run.stdout, run.stderr))

    def test_each_library_and_each_verb_reads_what_the_other_made(self):
        for name, library in (("ours", OURS), ("theirs", THEIRS)):
            with self.subTest(name):
                records = self.make(library, self.home / name)
                files = self.varve("lsm", "files", self.home / name, "-F", "csv").stdout
                self.assertRegex(files, r"(?m)^(.*,)?14,", name)
                self.check(self.home / name, records)

    def test_copies_and_repairs_are_whole(self):
        records = self.make(THEIRS, self.home / "db")
        for words in (["snapshot", self.home / "db", self.home / "snapshot"],
                      ["checkpoint", self.home / "db", self.home / "checkpoint"],
                      ["db", "repair", self.home / "db", "-o", self.home / "repaired"]):
            run = self.varve(*words)
            self.assertEqual(0, run.returncode, (words, run.stdout, run.stderr))
            self.check(words[-1], records)


if __name__ == "__main__":
    OURS, THEIRS, VARVE = Library(sys.argv[1]), Library(sys.argv[2]), sys.argv[3]
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
