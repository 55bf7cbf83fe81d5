#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Databases that others wrote, and damaged ones: what is read, and what the errors say."""
import json
import unittest

import varve
from scratch import FIXTURES, Scratch

SMALL = {entry["name"]: entry for entry in json.loads((FIXTURES / "manifest.json").read_text())["databases"]}
READ = ["rocksdb-7.8.3/wal_basic", "rocksdb-7.8.3/multi_cf", "rocksdb-7.8.3/blob", "rocksdb-7.8.3/revcmp",
        "rocksdb-11.9/recycle_tail", "leveldb-1.23/leveldb_l0"]


def expected(name):
    """What the real library found there: family to pairs."""
    families, = SMALL[name]["expect"].values()
    return {family: [tuple(map(bytes.fromhex, pair)) for pair in of["pairs_hex"]]
            for family, of in families["families"].items() if "pairs_hex" in of}


class ForeignTest(Scratch):
    def test_what_rocksdb_and_leveldb_wrote(self):
        compared = 0
        for name in READ:
            with self.subTest(name), varve.open(FIXTURES / name, read_only=True) as db:
                for family, pairs in expected(name).items():
                    found = list(db.family(family).items())
                    self.assertEqual(pairs, found)
                    self.assertEqual([value for _, value in pairs],
                                     db.family(family).multi_get([key for key, _ in pairs]))
                    compared += len(pairs)
        self.assertGreater(compared, 50)  # Else nothing was looked at.

    def test_written_on(self):
        path, pairs = self.fixture("rocksdb-7.8.3/wal_basic"), expected("rocksdb-7.8.3/wal_basic")["default"]
        with varve.open(path) as db:
            db[b"new"] = b"1"
            db.flush()
        with varve.open(path) as db:
            self.assertEqual(sorted([*pairs, (b"new", b"1")]), list(db.items()))

    def test_a_family_whose_name_is_not_utf8(self):
        with varve.open(FIXTURES.parent / "hostile/m_cfname_evil", read_only=True) as db:
            names = db.families()
            self.assertTrue([name for name in names if "\udcff" in name], names)
            for name in names:
                self.assertEqual(name, db.family(name).name)

    def test_leveldb_is_read_only(self):
        path = self.fixture("leveldb-1.23/leveldb_wal")
        self.assertRaisesRegex(varve.NotSupported, "LevelDB", varve.open, path)

    def test_an_unknown_order(self):
        """A database in its order is bounded in that, too."""
        with varve.open(FIXTURES / "rocksdb-7.8.3/revcmp", read_only=True) as db:
            keys = list(db)
            self.assertEqual(sorted(keys, reverse=True), keys)
            self.assertEqual(keys[3:7], list(db.keys(start=keys[3], stop=keys[7])))


class DamageTest(Scratch):
    def test_a_damaged_log(self):
        path = self.fixture("damaged/flip_first_record_wal5")
        with self.assertRaises(varve.Corruption) as raised:
            varve.open(path)
        self.check_place(raised.exception, "000005.log", 0)
        with varve.open(path, read_only=True) as db:
            recovery = db.recovery()
            self.assertTrue(recovery["damaged"])
            loss = recovery["losses"][0]
            self.assertEqual(("000005.log", 0, True), (loss["file"], loss["offset"], loss["damage"]))
        with varve.open(path, accept_loss=True) as db:
            db[b"a"] = b"1"

    def test_a_damaged_manifest(self):
        with self.assertRaises(varve.Corruption) as raised:
            varve.open(self.fixture("damaged/manifest_flip"))
        self.assertRegex(raised.exception.file, r"^MANIFEST-\d{6}$")
        self.assertIsInstance(raised.exception.offset, int)

    def test_a_damaged_table(self):
        path = self.home / "db"
        with varve.open(path, create_if_missing=True, compression="none") as db:
            for number in range(2000):
                db[b"%06d" % number] = b"x" * 20
            db.flush()
            number = db.files()[0]["number"]
        table = path / f"{number:06}.sst"
        damaged = bytearray(table.read_bytes())
        damaged[20_000] ^= 1
        table.write_bytes(damaged)
        with varve.open(path) as db:
            records, good = db.items(), []
            with self.assertRaises(varve.Corruption) as raised:
                for key, _ in records:
                    good.append(key)
            self.check_place(raised.exception, table.name)
            self.assertLess(raised.exception.offset, 20_000)
            self.assertGreater(raised.exception.offset, 10_000)
            # All records before the damage were given, and the error once.
            self.assertEqual([b"%06d" % number for number in range(len(good))], good)
            self.assertGreater(len(good), 100)
            self.assertEqual([], list(records))
            bad = b"%06d" % (len(good) + 1)
            for read in (lambda: db[bad], lambda: db.get(bad), lambda: bad in db, lambda: db.multi_get([b"000000", bad])):
                with self.assertRaises(varve.Corruption) as raised:
                    read()
                self.check_place(raised.exception, table.name)
            self.assertEqual(b"x" * 20, db[good[0]])

    def check_place(self, error, file, offset=None):
        self.assertEqual(file, error.file, error)
        self.assertIsInstance(error.offset, int, error)
        if offset is not None:
            self.assertEqual(offset, error.offset, error)
        self.assertIn(f"{error.file}@{error.offset}", str(error))


class ErrorTest(Scratch):
    def test_classes(self):
        for error, others in ((varve.Corruption, ()), (varve.IoError, (OSError,)), (varve.NoSpace, (varve.IoError,)),
                              (varve.NotFound, (FileNotFoundError,)), (varve.InvalidArgument, (ValueError,)),
                              (varve.NotSupported, ()), (varve.Busy, ()), (varve.Shutdown, ())):
            for base in (varve.Error, *others):
                self.assertTrue(issubclass(error, base), error)
            self.assertNotIn(KeyError, error.__mro__)

    def test_each_is_raised(self):
        """Corruption, Busy and Shutdown are elsewhere."""
        with self.assertRaises(varve.NotFound) as raised:
            varve.open(self.home / "none")
        self.assertIn(str(self.home / "none"), str(raised.exception))
        self.assertFalse((self.home / "none").exists())
        with varve.open(self.home / "db", create_if_missing=True):
            pass
        self.assertRaises(varve.InvalidArgument, varve.open, self.home / "db", error_if_exists=True)
        (self.home / "odd/CURRENT").mkdir(parents=True)
        with self.assertRaises(varve.IoError) as raised:
            varve.open(self.home / "odd")
        self.assertEqual("CURRENT", raised.exception.file)
        self.assertRaises(varve.NotSupported, varve.open, self.fixture("rocksdb-7.8.3/udt"))

    def test_places(self):
        for text, file, offset in (
                ("000012.sst@4096: checksum", "000012.sst", 4096), ("/a b/000012.sst@4096: checksum", "000012.sst", 4096),
                ("opening: /tmp/db/MANIFEST-000005@77: bad", "MANIFEST-000005", 77),
                ("/tmp/db/000012.sst: No such file", "000012.sst", None), ("CURRENT: it is empty", "CURRENT", None),
                ("/tmp/db/OPTIONS-000007: line 3", "OPTIONS-000007", None), ("no place", None, None),
                ("", None, None), ("mail ada@12th.example", None, None)):
            error = varve.Corruption(text)
            self.assertEqual((file, offset), (error.file, error.offset), text)


if __name__ == "__main__":
    unittest.main()
