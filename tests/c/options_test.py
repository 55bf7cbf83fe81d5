#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Options of rocksdb/c.h by what functions.tsv says of them: defaults and kept values are RocksDB's,
hints leave a database usable, what is refused is named.

    options_test.py LIBRARY HEADER ROCKSDB-LIBRARY"""
import ctypes
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core/c"))
import functions  # noqa: E402

OURS = THEIRS = HEADER = None
TYPES = {"unsigned char": ctypes.c_ubyte, "char": ctypes.c_byte, "int": ctypes.c_int,
         "unsigned int": ctypes.c_uint, "uint8_t": ctypes.c_uint8, "uint32_t": ctypes.c_uint32, "int64_t": ctypes.c_int64,
         "uint64_t": ctypes.c_uint64, "size_t": ctypes.c_size_t, "double": ctypes.c_double}
# Only what is an option of theirs: RocksDB's asserts, which Debian's library has, end the process.
VALUES = {"compression": 4, "bottommost_compression": 7, "compaction_style": 2, "wal_recovery_mode": 1,
          "wal_compression": 7, "blob_compression_type": 4, "access_hint_on_compaction_start": 2,
          "persist_user_defined_timestamps": 0}
# Made with arguments, or without effect before another function is called.
NOT_ALONE = ("rocksdb_env.", "rocksdb_lru", "rocksdb_cache", "rocksdb_sst_file_manager", "rocksdb_options.statistics_level")


class Pair:
    """A setter with one plain parameter, and the getter of the same name."""

    def __init__(self, handle, name, value_type, getter_type):
        self.handle, self.name = handle, name
        self.value_type, self.getter_type = value_type, getter_type

    def on(self, library):
        maker = getattr(library, f"{self.handle}_create")
        maker.restype = ctypes.c_void_p
        made = maker(b"directory") if self.handle.endswith("backup_engine_options") else maker()
        getter = getattr(library, f"{self.handle}_get_{self.name}")
        getter.argtypes, getter.restype = [ctypes.c_void_p], self.getter_type
        setter = getattr(library, f"{self.handle}_set_{self.name}")
        setter.argtypes, setter.restype = [ctypes.c_void_p, self.value_type], None
        return made, setter, getter

    def value(self):
        if self.name in VALUES:
            return VALUES[self.name]
        return 0.5 if self.value_type is ctypes.c_double else 1


def pairs():
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", HEADER.read_text(), flags=re.S)
    text = re.sub(r"\s+", " ", text)
    getters = {name: kind.strip() for kind, name in re.findall(
        r"ROCKSDB_LIBRARY_API ([\w ]+?) (rocksdb_\w+_get_\w+)\( ?rocksdb_\w+_t ?\*[^,)]*\)", text)}
    for handle, name, kind in re.findall(
            r"void (rocksdb_\w+?)_set_(\w+)\( ?rocksdb_\w+_t ?\* ?\w*, ?((?:unsigned )?\w+)(?: \w+)? ?\)", text):
        getter = getters.get(f"{handle}_get_{name}")
        if getter in TYPES and kind in TYPES:
            yield Pair(handle, name, TYPES[kind], TYPES[getter])


class OptionsTest(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-c-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.eleven = hasattr(OURS, "rocksdb_wait_for_compact")
        rows = functions.rows_of_eleven() if self.eleven else functions.rows()
        self.treatment = {name: treatment for name, _, treatment, _ in rows}

    def test_defaults_and_kept_values_are_those_of_rocksdb(self):
        seen = 0
        for pair in pairs():
            if f"{pair.handle}.{pair.name}".startswith(NOT_ALONE):
                continue
            with self.subTest(option=f"{pair.handle}.{pair.name}"):
                ours, set_ours, get_ours = pair.on(OURS)
                theirs, set_theirs, get_theirs = pair.on(THEIRS)
                self.assertEqual(get_theirs(theirs), get_ours(ours), "default")
                set_ours(ours, pair.value())
                set_theirs(theirs, pair.value())
                self.assertEqual(get_theirs(theirs), get_ours(ours))
                self.assertEqual(pair.value(), get_ours(ours))
                seen += 1
        self.assertGreater(seen, 120)

    def open_with(self, options, name):
        error = ctypes.c_void_p()
        OURS.rocksdb_open.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        OURS.rocksdb_open.restype = ctypes.c_void_p
        OURS.rocksdb_close.argtypes = [ctypes.c_void_p]
        db = OURS.rocksdb_open(options, str(self.home / name).encode(), ctypes.byref(error))
        if db is None:
            return ctypes.cast(error, ctypes.c_char_p).value.decode()
        OURS.rocksdb_close(db)
        return "ok"

    def options(self):
        OURS.rocksdb_options_create.restype = ctypes.c_void_p
        made = ctypes.c_void_p(OURS.rocksdb_options_create())
        OURS.rocksdb_options_set_create_if_missing(made, ctypes.c_ubyte(1))
        return made

    def test_hints_leave_a_database_usable_and_what_is_refused_is_named(self):
        refused = hints = 0
        for pair in pairs():
            setter = f"{pair.handle}_set_{pair.name}"
            if pair.handle != "rocksdb_options":
                continue
            with self.subTest(option=setter):
                options = self.options()
                getattr(OURS, setter)(options, pair.value_type(pair.value()))
                opened = self.open_with(options, pair.name)
                if self.treatment[setter] == "refused":
                    self.assertTrue(opened.startswith(f"Not implemented: {setter}"), opened)
                    refused += 1
                elif self.treatment[setter] == "hint":
                    self.assertEqual("ok", opened)
                    hints += 1
        self.assertGreater(hints, 40)
        self.assertGreater(refused, 0)

    def test_reads_name_what_they_refuse_until_it_is_set_back(self):
        options, error, size = self.options(), ctypes.c_void_p(), ctypes.c_size_t()
        OURS.rocksdb_open.restype = OURS.rocksdb_readoptions_create.restype = ctypes.c_void_p
        OURS.rocksdb_create_iterator.restype = OURS.rocksdb_get.restype = ctypes.c_void_p
        db = ctypes.c_void_p(OURS.rocksdb_open(options, str(self.home / "reads").encode(), ctypes.byref(error)))
        self.assertIsNone(error.value)
        read = ctypes.c_void_p(OURS.rocksdb_readoptions_create())

        def said(function, *arguments):
            error = ctypes.c_void_p()
            function(*arguments, ctypes.byref(error))
            return ctypes.cast(error, ctypes.c_char_p).value.decode() if error else "ok"

        def get():
            return said(OURS.rocksdb_get, db, read, b"k", ctypes.c_size_t(1), ctypes.byref(size))

        def iterate():
            iterator = ctypes.c_void_p(OURS.rocksdb_create_iterator(db, read))
            answer = said(OURS.rocksdb_iter_get_error, iterator)
            OURS.rocksdb_iter_destroy(iterator)
            return answer

        timestamp, null, none = b"12345678", ctypes.c_void_p(), ctypes.c_size_t(0)
        OURS.rocksdb_readoptions_set_timestamp(read, timestamp, ctypes.c_size_t(8))  # Keys have none.
        if not self.eleven:
            OURS.rocksdb_readoptions_set_managed(read, ctypes.c_ubyte(0))
        OURS.rocksdb_readoptions_set_read_tier(read, 0)
        for answer in (get(), iterate()):
            self.assertTrue(answer.startswith("Invalid argument: "), answer)
        OURS.rocksdb_readoptions_set_timestamp(read, null, none)
        self.assertEqual(("ok", "ok"), (get(), iterate()))
        for name, kind, gets in (("ignore_range_deletions", ctypes.c_ubyte, False),
                                 ("max_skippable_internal_keys", ctypes.c_uint64, True)):
            setter = f"rocksdb_readoptions_set_{name}"
            getattr(OURS, setter)(read, kind(1))
            self.assertEqual(gets, get() == "ok")
            self.assertTrue(iterate().startswith(f"Not implemented: {setter}"))
            getattr(OURS, setter)(read, kind(0))
            self.assertEqual(("ok", "ok"), (get(), iterate()))
        OURS.rocksdb_close(db)

    def test_refused_objects_are_named(self):
        options = self.options()
        OURS.rocksdb_options_set_wal_dir(options, b"/elsewhere")
        self.assertIn("rocksdb_options_set_wal_dir", self.open_with(options, "y"))

    def test_an_iterator_of_a_transaction_ends_at_its_bound(self):
        # RocksDB's shows what the transaction has changed behind it.
        def made(name, *arguments):
            function = getattr(OURS, name)
            function.restype = ctypes.c_void_p
            return ctypes.c_void_p(function(*arguments))

        error, one = ctypes.c_void_p(), ctypes.c_size_t(1)
        db = made("rocksdb_transactiondb_open", self.options(), made("rocksdb_transactiondb_options_create"),
                  str(self.home / "bound").encode(), ctypes.byref(error))
        txn = made("rocksdb_transaction_begin", db, made("rocksdb_writeoptions_create"),
                   made("rocksdb_transaction_options_create"), ctypes.c_void_p())
        for key in (b"a", b"b", b"c"):
            OURS.rocksdb_transaction_put(txn, key, one, b"v", one, ctypes.byref(error))
        read = made("rocksdb_readoptions_create")
        OURS.rocksdb_readoptions_set_iterate_upper_bound(read, b"b", one)
        iterator = made("rocksdb_transaction_create_iterator", txn, read)
        OURS.rocksdb_iter_seek_to_first(iterator)
        self.assertEqual(1, OURS.rocksdb_iter_valid(iterator) & 255)
        OURS.rocksdb_iter_next(iterator)
        self.assertEqual(0, OURS.rocksdb_iter_valid(iterator) & 255)
        OURS.rocksdb_iter_destroy(iterator)
        OURS.rocksdb_transaction_destroy(txn)
        OURS.rocksdb_transactiondb_close(db)
        self.assertIsNone(error.value)


if __name__ == "__main__":
    HEADER = pathlib.Path(sys.argv[2])
    OURS, THEIRS = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(sys.argv[3])
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)
