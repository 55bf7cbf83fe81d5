#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Databases whose tables are in several directories (db_paths), through the C interface: each library goes on with
what the other wrote, and puts tables of a level into the same directory.

    paths_test.py LIBRARY ROCKSDB-LIBRARY [TEST...]
"""
import ctypes
import pathlib
import shutil
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "interop")]
from rocksdb_c import POINTER, SIZE, TEXT, Database, Library, RocksDbError  # noqa: E402
from waiting import wait_until  # noqa: E402

OURS = THEIRS = None
MORE = {
    "dbpath_create": (POINTER, [TEXT, ctypes.c_uint64]),
    "options_set_db_paths": (None, [POINTER, POINTER, SIZE]),
    "destroy_db": (None, [POINTER, TEXT, ctypes.POINTER(ctypes.c_void_p)]),
}
MB = 1 << 20
# Level 0 fits into the first path, levels 1 and 2 into the second, the rest goes to the third.
SIZES = (MB, 11 * MB, 0)
BASE = (f"level0_file_num_compaction_trigger=2;max_bytes_for_level_base={MB};max_bytes_for_level_multiplier=10;"
        "level_compaction_dynamic_level_bytes=false;num_levels=7;target_file_size_base=4000")  # Less is merged in level 0.


class PathsTest(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-paths-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.db = self.home / "db"
        self.paths = [self.home / name for name in ("fast", "middle", "slow")]

    def options(self, library, paths=True):
        options = library.options(BASE)
        library._options_set_create_if_missing(options, True)
        if paths:
            made = [library._dbpath_create(bytes(path), size) for path, size in zip(self.paths, SIZES)]
            library._options_set_db_paths(options, (ctypes.c_void_p * 3)(*made), 3)
        return options

    def open(self, library, paths=True):
        return Database(library, self.db, self.options(library, paths))

    def tables(self):
        return [len(list(path.glob("*.sst"))) if path.exists() else 0 for path in (self.db, *self.paths)]

    def await_tables(self, *expected):
        """After a compaction in the background."""
        wait_until(f"there are {expected} tables", lambda: self.tables() == list(expected))

    def make(self, library):
        records = [(b"k%03d" % number, b"v%d" % number) for number in range(100)]
        with self.open(library) as db:
            for round in range(2):
                db.write([("put", "default", key, value) for key, value in records[round::2]])
                db.flush()
            self.await_tables(0, 0, 1, 0)
            db.write([("put", "default", *records[0])])
            db.flush()
            self.assertEqual([0, 1, 1, 0], self.tables())
        return records

    def test_each_goes_on_with_the_tables_of_the_other(self):
        for first, second in ((OURS, THEIRS), (THEIRS, OURS)):
            records = self.make(first)
            with self.open(second) as db:
                self.assertEqual(records, db.scan())
                # Both tables of level 0 have the first key, so that they are compacted together.
                db.write([("put", "default", *records[0]), ("put", "default", b"more", b"1")])
                db.flush()
                self.await_tables(0, 0, 1, 0)
            with self.open(first) as db:
                self.assertEqual([*records, (b"more", b"1")], db.scan())
            second.call("destroy_db", self.options(second), bytes(self.db))
            self.assertEqual([0, 0, 0, 0], self.tables())
            self.assertFalse(self.db.exists())

    def test_without_its_paths_nothing_is_opened(self):
        self.make(OURS)
        before = self.tables()
        with self.assertRaisesRegex(RocksDbError, r"^(Corruption|Not implemented|IO error)"):
            self.open(OURS, paths=False)
        self.assertEqual(before, self.tables())

    def test_a_checkpoint_is_in_one_directory(self):
        records = self.make(OURS)
        copy = self.home / "copy"
        with self.open(OURS) as db:
            db.checkpoint(copy)
        self.db = copy
        for library in (THEIRS, OURS):
            with self.open(library, paths=False) as db:
                self.assertEqual(records, db.scan())


if __name__ == "__main__":
    OURS, THEIRS = (Library(path, MORE) for path in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
