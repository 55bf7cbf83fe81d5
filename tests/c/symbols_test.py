#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""librocksdb.so.7.8 exports the functions of rocksdb/c.h, and nothing else.

    symbols_test.py LIBRARY HEADER ROCKSDB-LIBRARY"""
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core/c"))
import functions  # noqa: E402

LIBRARY = HEADER = ROCKSDB = None
# RocksDB exports two functions that its header does not have, and lacks one that it has.
ONLY_IN_ITS_LIBRARY = {"rocksdb_filterpolicy_create_bloom_format",
                       "rocksdb_filterpolicy_create_ribbon_format"}
ONLY_IN_ITS_HEADER = {"rocksdb_writebatch_wi_create_from"}


def exported(library):
    shown = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True,
                           check=True).stdout
    return [line.split()[-1] for line in shown.splitlines()]


def declared(header):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", header.read_text(), flags=re.S)
    return set(re.findall(r"\b(rocksdb_\w+)\s*\((?!\*)", text))


class SymbolsTest(unittest.TestCase):
    def test_the_header_is_what_is_exported(self):
        self.assertEqual(sorted(declared(HEADER)), sorted(exported(LIBRARY)))

    def test_the_table_is_the_header(self):
        listed = [name for name, _, _, _ in functions.rows()]
        self.assertEqual(sorted(declared(HEADER)), sorted(listed))

    def test_rocksdb_has_the_same(self):
        theirs = {name for name in exported(ROCKSDB) if name.startswith("rocksdb_")}
        self.assertEqual(theirs - ONLY_IN_ITS_LIBRARY | ONLY_IN_ITS_HEADER, set(exported(LIBRARY)))

    def test_the_soname(self):
        for library in (LIBRARY, ROCKSDB):
            dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True,
                                     check=True).stdout
            self.assertIn("soname: [librocksdb.so.7.8]", dynamic)


if __name__ == "__main__":
    LIBRARY, HEADER, ROCKSDB = map(pathlib.Path, sys.argv[1:4])
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)
