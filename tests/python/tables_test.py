#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables that are made outside a database and added to it, and views of one that another process has.

Records from Arrow are in tests/distributed, where pyarrow is."""
import os
import unittest

import varve
from scratch import Scratch


class TableWriterTest(Scratch):
    def table(self, name, *keys, **options):
        path = self.home / name
        with varve.TableWriter(path, **options) as writer:
            for key in keys:
                writer.put(key, name.encode())
            writer.finish()
        return path

    def test_what_it_knows_of_its_table(self):
        with varve.TableWriter(self.home / "a.sst", compression="none") as writer:
            self.assertEqual((0, None, None), (writer.records, writer.smallest_key, writer.largest_key))
            writer.put(b"a", b"1")
            writer.put(bytearray(b"c"), memoryview(b"2" * 1000))
            writer.finish()
            self.assertEqual((2, b"a", b"c"), (writer.records, writer.smallest_key, writer.largest_key))
            self.assertEqual(os.path.getsize(self.home / "a.sst"), writer.size)
            self.assertRaises(varve.Shutdown, writer.put, b"d", b"")
            writer.close()
        self.assertTrue((self.home / "a.sst").exists())

    def test_only_what_is_finished_stays(self):
        with varve.TableWriter(self.home / "a.sst") as writer:
            writer.put(b"a", b"1")
            self.assertTrue((self.home / "a.sst").exists())
        writer = varve.TableWriter(self.home / "b.sst")
        del writer
        with varve.TableWriter(self.home / "c.sst") as writer:
            writer.put(b"b", b"1")
            for key in (b"a", b"b"):
                self.assertRaisesRegex(varve.InvalidArgument if key == b"a" else varve.Shutdown, "c.sst",
                                       writer.put, key, b"")
                self.assertFalse((self.home / "c.sst").exists())
        with varve.TableWriter(self.home / "d.sst") as writer:
            self.assertRaises(varve.InvalidArgument, writer.finish)
        self.assertEqual([], list(self.home.iterdir()))

    def test_a_forked_child_leaves_it_alone(self):
        writer = varve.TableWriter(self.home / "a.sst")
        writer.put(b"a", b"1")
        child = os.fork()
        if child == 0:
            code = 1
            try:
                writer.put(b"b", b"2")
            except varve.NotSupported:
                code = 0
            try:
                writer.close()
                del writer
            finally:
                os._exit(code)
        self.assertEqual(0, os.waitpid(child, 0)[1])
        writer.put(b"c", b"3")
        writer.finish()
        with varve.open(self.home / "db", create_if_missing=True) as db:
            db.ingest([self.home / "a.sst"])
            self.assertEqual({b"a": b"1", b"c": b"3"}, dict(db.items()))

    def test_duplicates(self):
        with varve.TableWriter(self.home / "a.sst", duplicates="last") as writer:
            for number in range(3):
                writer.put(b"a", b"%d" % number)
            writer.put(b"b", b"")
            writer.finish()
            self.assertEqual(2, writer.records)
        with varve.open(self.home / "db", create_if_missing=True) as db:
            db.ingest([self.home / "a.sst"], move=True)
            self.assertEqual({b"a": b"2", b"b": b""}, dict(db.items()))
        self.assertRaises(ValueError, varve.TableWriter, self.home / "b.sst", duplicates="first")

    def test_arguments(self):
        self.assertRaises(varve.NotFound, varve.TableWriter, self.home / "none/a.sst")
        self.assertRaises(varve.InvalidArgument, varve.TableWriter, self.home / "a.sst", no_such_option=1)
        self.assertRaises(varve.InvalidArgument, varve.TableWriter, self.home / "a.sst", key_schema="id:u65be")
        self.assertRaises(ValueError, varve.TableWriter, self.home / "a.sst", key="k", key_schema="id:u64be")
        with varve.TableWriter(self.home / "a.sst") as writer:
            self.assertRaises(TypeError, writer.write, [1])
            self.assertRaisesRegex(TypeError, "pickled", writer.__reduce__)

    def test_tables_of_several_families_in_one_step(self):
        one, two = self.table("one.sst", b"a", b"b"), self.table("two.sst", b"a", compression="zstd")
        with varve.open(self.home / "db", create_if_missing=True) as db:
            db.create_family("users")
            before = db.stats()["last_sequence"]
            self.assertRaises(varve.NotFound, db.ingest_families, {"default": [one], "users": [self.home / "none"]})
            self.assertRaises(varve.InvalidArgument, db.ingest_families, {"default": [one], "none": [two]})
            self.assertRaises(TypeError, db.ingest_families, {1: [one]})
            self.assertEqual(([], before), (list(db), db.stats()["last_sequence"]))
            db.ingest_families({"default": [one], "users": (two,)}, move=True)
            self.assertEqual(([b"a", b"b"], {b"a": b"two.sst"}), (list(db), dict(db.family("users").items())))
        self.assertFalse(one.exists() or two.exists())


class SnapshotTest(Scratch):
    def test_of_a_database_that_is_open(self):
        with varve.open(self.home / "db", create_if_missing=True) as db:
            db[b"a"] = b"1"
            varve.snapshot(self.home / "db", self.home / "view")
            db[b"a"] = b"2"
            with varve.open(self.home / "view", read_only=True) as view:
                self.assertEqual({b"a": b"1"}, dict(view.items()))
            self.assertRaises(varve.InvalidArgument, varve.snapshot, self.home / "db", self.home / "view")
        self.assertRaises(varve.NotFound, varve.snapshot, self.home / "none", self.home / "other")


if __name__ == "__main__":
    unittest.main()
