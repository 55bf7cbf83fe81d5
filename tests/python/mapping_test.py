#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A database and its families as mappings."""
import array
import os
import pathlib
import unittest

import varve
from scratch import Scratch


class MappingTest(Scratch):
    def setUp(self):
        super().setUp()
        self.db = varve.open(self.home / "db", create_if_missing=True)
        self.addCleanup(self.db.close)

    def fill(self, *keys):
        for key in keys:
            self.db[key] = b"value of " + key

    def test_get_set_delete(self):
        self.db[b"k"] = b"v"
        self.assertEqual(b"v", self.db[b"k"])
        self.assertIn(b"k", self.db)
        self.assertEqual(b"v", self.db.get(b"k"))
        self.assertEqual(b"v", self.db.get(b"k", b"other"))
        del self.db[b"k"]
        self.assertNotIn(b"k", self.db)
        self.assertIsNone(self.db.get(b"k"))
        self.assertEqual(b"other", self.db.get(b"k", b"other"))
        self.assertEqual(7, self.db.get(b"k", default=7))
        self.assertIsNone(self.db.get(b"k", None))
        self.assertIsNone(self.db.get(b"k", default=None))
        with self.assertRaises(KeyError) as raised:
            self.db[b"k"]
        self.assertEqual((b"k",), raised.exception.args)

    def test_to_delete_what_is_not_there_is_no_error(self):
        del self.db[b"absent"]
        self.db.delete(b"absent", durability="sync")

    def test_empty_keys_and_values_and_zeros(self):
        self.db[b""] = b""
        self.db[b"\0"] = b"\0\0"
        self.assertEqual([(b"", b""), (b"\0", b"\0\0")], list(self.db.items()))

    def test_whatever_has_bytes_is_a_key_or_a_value(self):
        numbers = array.array("H", [1, 2])
        for number, given in enumerate((bytearray(b"ab"), memoryview(b"ab"), memoryview(b"a_b_")[::2], numbers)):
            with self.subTest(type(given)):
                self.db.put(given, given)
                self.assertEqual(bytes(given), self.db[given])
                self.assertEqual([bytes(given)], self.db.multi_get([given]))
                del self.db[given]
                self.assertNotIn(bytes(given), self.db, number)

    def test_what_has_no_bytes_is_refused(self):
        for given in ("text", 7, None, [97], object()):
            with self.subTest(given):
                for use in (lambda: self.db[given], lambda: self.db.put(given, b""), lambda: self.db.put(b"", given),
                            lambda: given in self.db, lambda: self.db.multi_get([given])):
                    self.assertRaises(TypeError, use)
        self.assertEqual([], list(self.db))

    def test_a_key_may_be_changed_after_the_call(self):
        key, value = bytearray(b"key"), bytearray(b"value")
        self.db[key] = value
        key[0] = value[0] = 0
        self.assertEqual([(b"key", b"value")], list(self.db.items()))

    def test_items_keys_values(self):
        self.fill(b"c", b"a", b"b")
        self.assertEqual([b"a", b"b", b"c"], list(self.db))
        self.assertEqual([b"a", b"b", b"c"], list(self.db.keys()))
        self.assertEqual([b"value of a", b"value of b", b"value of c"], list(self.db.values()))
        self.assertEqual([(key, b"value of " + key) for key in (b"a", b"b", b"c")], list(self.db.items()))

    def test_bounds(self):
        self.fill(b"a", b"ab", b"b", b"ba", b"c")
        for given, keys in (({"start": b"ab"}, [b"ab", b"b", b"ba", b"c"]), ({"stop": b"b"}, [b"a", b"ab"]),
                            ({"start": b"aa", "stop": b"bb"}, [b"ab", b"b", b"ba"]), ({"prefix": b"b"}, [b"b", b"ba"]),
                            ({"prefix": b""}, [b"a", b"ab", b"b", b"ba", b"c"]), ({"start": b"x"}, []),
                            ({"start": b"c", "stop": b"a"}, [])):
            with self.subTest(given):
                self.assertEqual(keys, list(self.db.keys(**given)))
                self.assertEqual(keys[::-1], [key for key, _ in self.db.items(reverse=True, **given)])
                self.assertEqual([b"value of " + key for key in keys], list(self.db.values(**given)))
        self.assertRaises(ValueError, self.db.items, prefix=b"a", start=b"a")

    def test_iterators_see_one_state(self):
        self.fill(*(b"%04d" % number for number in range(1000)))
        records = self.db.items()
        first = next(records)
        self.db.delete_range(b"", b"9")
        self.db[b"0000x"] = b"new"
        self.assertEqual([b"%04d" % number for number in range(1000)], [first[0], *(key for key, _ in records)])
        self.assertEqual([b"0000x"], list(self.db))
        self.assertEqual([], list(records))  # It stays at its end.

    def test_records_that_are_larger_than_what_is_read_ahead(self):
        values = {b"%d" % number: os.urandom(100_000) for number in range(8)}
        for key, value in values.items():
            self.db[key] = value
        self.assertEqual(sorted(values.items()), list(self.db.items()))

    def test_multi_get(self):
        self.fill(b"a", b"b")
        self.assertEqual([b"value of b", None, b"value of a", b"value of b"],
                         self.db.multi_get([b"b", b"x", b"a", b"b"]))
        self.assertEqual([b"value of a"], self.db.multi_get(bytes(key) for key in (bytearray(b"a"),)))
        self.assertEqual([], self.db.multi_get([]))
        self.assertRaises(TypeError, self.db.multi_get, 7)

    def test_there_is_no_len(self):
        self.assertRaises(TypeError, len, self.db)
        self.assertTrue(self.db)  # And so an empty one is not false.

    def test_batches(self):
        other = self.db.create_family("other")
        self.fill(b"a", b"b", b"b2", b"c")
        batch = varve.WriteBatch()
        batch[b"x"] = b"1"
        batch.put(b"y", b"2", family=other)
        batch.delete_range(b"b", b"c")
        del batch[b"a"]
        batch.single_delete(b"c")
        self.assertEqual(5, len(batch))
        self.db.write(batch, durability="sync")
        self.assertEqual([(b"x", b"1")], list(self.db.items()))
        self.assertEqual([(b"y", b"2")], list(other.items()))
        self.db.delete_range(b"", b"z")
        self.db.write(batch)  # Again.
        self.assertEqual(b"1", self.db[b"x"])
        batch.clear()
        self.assertEqual(0, len(batch))

    def test_a_batch_is_of_one_database(self):
        with varve.open(self.home / "two", create_if_missing=True) as two:
            batch = varve.WriteBatch()
            batch.put(b"a", b"1", family=two)
            self.assertRaises(varve.InvalidArgument, batch.put, b"a", b"1", family=self.db)
            self.assertRaises(varve.InvalidArgument, self.db.write, batch)
            two.write(batch)
            self.assertEqual([b"a"], list(two))
        self.assertEqual([], list(self.db))

    def test_a_batch_is_written_as_a_whole_or_not_at_all(self):
        gone = self.db.create_family("gone")
        batch = varve.WriteBatch()
        batch.put(b"a", b"1")
        batch.put(b"b", b"2", family=gone)
        self.db.drop_family("gone")
        self.assertRaises(varve.InvalidArgument, self.db.write, batch)
        self.assertEqual([], list(self.db))

    def test_families(self):
        users = self.db.create_family("users", compression="zstd")
        users[b"1"] = b"Ada"
        self.assertEqual(["default", "users"], self.db.families())
        self.assertEqual(b"Ada", self.db.family("users")[b"1"])
        self.assertEqual(("users", "default"), (users.name, self.db.name))
        self.assertNotIn(b"1", self.db)
        self.assertEqual("kZSTD", users.options()["compression"])
        self.assertRaisesRegex(varve.InvalidArgument, "nobody", self.db.family, "nobody")
        self.db.drop_family("users")
        self.assertRaises(varve.InvalidArgument, users.get, b"1")
        self.assertRaises(varve.InvalidArgument, users.family_stats)
        self.assertRaises(varve.InvalidArgument, users.levels)

    def test_names_of_families_are_any_bytes(self):
        """In a str, bytes that are not UTF-8 are lone surrogates, as in os.fsdecode()."""
        odd = "\udcff\0é"
        family = self.db.create_family(odd)
        family[b"a"] = b"1"
        self.assertEqual((odd, ["default", odd]), (family.name, self.db.families()))
        self.assertEqual(odd, family.family_stats()["name"])
        with self.db.snapshot() as then:
            self.assertEqual((b"1", odd), (then.family(odd)[b"a"], then.family(odd).name))
        self.db.close()
        with varve.open(self.home / "db", families={odd: {"write_buffer_size": 1 << 20}}) as db:
            self.assertEqual(str(1 << 20), db.family(odd).options()["write_buffer_size"])
            db.drop_family(odd)
            self.assertEqual(["default"], db.families())
            self.assertRaises(TypeError, db.family, "\ud800")  # Stands for no byte.

    def test_snapshots(self):
        other = self.db.create_family("other")
        self.fill(b"a")
        with self.db.snapshot() as then:
            self.fill(b"b")
            other[b"o"] = b"1"
            del self.db[b"a"]
            self.assertEqual([b"a"], list(then))
            self.assertEqual(b"value of a", then[b"a"])
            self.assertEqual([None, b"value of a"], then.multi_get([b"b", b"a"]))
            self.assertNotIn(b"o", then.family("other"))
            self.assertGreater(self.db.snapshot().sequence, then.sequence)
        self.assertFalse(hasattr(then, "put"))
        self.assertEqual([b"b"], list(self.db))

    def test_merge(self):
        with varve.open(self.home / "sums", create_if_missing=True, merge_operator="uint64add") as db:
            for number in (1, 2, 39):
                db.merge(b"sum", number.to_bytes(8, "little"))
            batch = varve.WriteBatch()
            batch.merge(b"sum", (1).to_bytes(8, "little"))
            db.write(batch)
            self.assertEqual(43, int.from_bytes(db[b"sum"], "little"))
        self.assertRaises(varve.NotSupported, self.db.merge, b"a", b"b")

    def test_flush_compact_and_figures(self):
        self.fill(b"a", b"b")
        self.assertEqual([], self.db.files())
        self.db.flush()
        file, = self.db.files()
        self.assertEqual((b"a", b"b", 2, 0), (file["smallest_key"], file["largest_key"], file["entries"], file["level"]))
        self.assertEqual(1, self.db.levels()[0]["files"])
        self.assertGreater(self.db.approximate_size(), 0)
        self.assertEqual(0, self.db.approximate_size(start=b"x"))
        self.db.compact(force_bottommost=True)
        self.db.wait_for_background_work()
        self.assertEqual([6], [file["level"] for file in self.db.files()])
        stats = self.db.stats()
        self.assertEqual((1, 2), (stats["flushes"], stats["entries_written"]))
        self.assertEqual(1, stats["flush_durations"]["count"])
        self.db.get(b"a")
        self.db.get(b"x")
        of_family = self.db.family_stats()
        self.assertEqual(("default", 2, 1), tuple(of_family[name] for name in ("name", "gets", "gets_found")))

    def test_options_that_are_no_text(self):
        self.assertRaises(varve.InvalidArgument, self.db.set_options, **{"\udcff": 1})
        self.assertRaises(varve.InvalidArgument, self.db.set_options, compression="\udcff")
        self.assertRaises(UnicodeEncodeError, self.db.set_options, compression="\ud800")

    def test_options(self):
        with varve.open(self.home / "o", create_if_missing=True, write_buffer_size=1 << 20, compression="zstd",
                        filter_bits_per_key=7.5, paranoid_checks=False,
                        **{"compression_opts.level": 5}) as db:
            options = db.options()
            self.assertEqual(("1048576", "kZSTD", "5"), (
                options["write_buffer_size"], options["compression"], options["compression_opts.level"]))
            db.set_options(write_buffer_size=2 << 20)
            self.assertEqual("2097152", db.options()["write_buffer_size"])
        for wrong in ({"no_such_option": 1}, {"num_levels": 0}, {"compression": "loud"}, {"compression_opts": "{}"}):
            with self.subTest(wrong), self.assertRaises(varve.InvalidArgument) as raised:
                varve.open(self.home / "p", create_if_missing=True, **wrong)
            self.assertIn(next(iter(wrong)), str(raised.exception))
        for wrong in (None, b"zstd", ["zstd"]):
            self.assertRaises(TypeError, varve.open, self.home / "p", create_if_missing=True, compression=wrong)
        self.assertFalse((self.home / "p").exists())

    def test_options_of_families(self):
        families = {"logs": {"compression": "zlib"}, "users": {"compression": "zstd"}}
        with varve.open(self.home / "f", create_if_missing=True, create_missing_column_families=True,
                        families=families, write_buffer_size=1 << 20) as db:
            self.assertEqual({"default", "logs", "users"}, set(db.families()))
            self.assertEqual(["kZlibCompression", "kZSTD"],
                             [db.family(name).options()["compression"] for name in families])
            self.assertEqual("1048576", db.family("logs").options()["write_buffer_size"])
        for wrong in ({"logs": "zstd"}, {b"logs": {}}, ["logs"]):
            self.assertRaises(TypeError, varve.open, self.home / "f", families=wrong)

    def test_paths(self):
        for number, given in enumerate((str, os.fsencode, pathlib.Path)):
            path = given(str(self.home / f"path-{number}"))
            with varve.open(path, create_if_missing=True) as db:
                self.assertEqual(os.fsdecode(path), db.path)
        strange = os.fsencode(self.home) + b"/\xff\xfe"
        with varve.open(strange, create_if_missing=True) as db:
            self.assertEqual(os.fsdecode(strange), db.path)
            self.assertIn("varve.DB", repr(db))
        self.assertRaises(TypeError, varve.open, 7)

    def test_reopened(self):
        self.db.put(b"a", b"1", durability="none")
        self.db.close()
        with varve.open(self.home / "db") as db:
            self.assertEqual(b"1", db[b"a"])
            self.assertFalse(db.read_only)

    def test_reading_only(self):
        self.fill(b"a")
        with varve.open(self.home / "db", read_only=True) as db:  # Beside the writer.
            self.assertTrue(db.read_only)
            self.assertEqual([b"a"], list(db))
            for write in (lambda: db.put(b"b", b""), lambda: db.write(varve.WriteBatch()), lambda: db.create_family("f"),
                          lambda: db.checkpoint(self.home / "c")):
                self.assertRaises(varve.NotSupported, write)
            self.assertEqual([], db.recovery()["losses"])
            self.assertEqual(1, db.recovery()["wal_records"])

    def test_checkpoints_and_tables_that_are_taken_in(self):
        self.fill(b"a")
        self.db.checkpoint(self.home / "copy")
        self.fill(b"b")
        with varve.open(self.home / "copy") as copy:
            self.assertEqual([b"a"], list(copy))
        self.assertRaises(varve.NotFound, self.db.ingest, [self.home / "none.sst"])

    def test_durability(self):
        for durability in ("sync", "buffered", "none"):
            self.db.put(b"a", durability.encode(), durability=durability)
            self.assertEqual(durability.encode(), self.db[b"a"])
        self.assertRaises(TypeError, self.db.put, b"a", b"b", durability="later")
        self.db.sync_wal()
        self.db.flush_all()


if __name__ == "__main__":
    unittest.main()
