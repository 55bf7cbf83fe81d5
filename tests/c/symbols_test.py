#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A librocksdb.so of core/c exports the functions of its rocksdb/c.h, and nothing else.

    symbols_test.py LIBRARY HEADER ROCKSDB-LIBRARY [SOURCES-HEADER]

With the header that the sources are written for, those of the library are compared with it: what has the same name has the
same parameters, but for the functions that seven/ and eleven/ have both."""
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "core/c"))
import functions  # noqa: E402

LIBRARY = HEADER = ROCKSDB = OTHER_HEADER = None
# RocksDB exports functions that its header does not have, and 7.8.3 lacks one that it has.
ONLY_IN_ITS_LIBRARY = {"rocksdb_filterpolicy_create_bloom_format",
                       "rocksdb_filterpolicy_create_ribbon_format",
                       "rocksdb_abort_all_compactions", "rocksdb_resume_all_compactions"}
ONLY_IN_ITS_HEADER = {"rocksdb_writebatch_wi_create_from"}
OTHER_PARAMETERS = {"rocksdb_enable_file_deletions", "rocksdb_options_set_plain_table_factory",
                    "rocksdb_slicetransform_create"}


def exported(library):
    shown = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True,
                           check=True).stdout
    return [line.split()[-1] for line in shown.splitlines()]


def declared(header):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", header.read_text(), flags=re.S)
    return set(re.findall(r"\b(rocksdb_\w+)\s*\((?!\*)", text))


def parameters(header):
    """The types of each function that takes no callback, without const and names, and the number of parameters of others."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\b(const|struct|extern|ROCKSDB_LIBRARY_API)\b", "", header.read_text(), flags=re.S)
    found = {}
    for returned, name, inside in re.findall(r"([\w\s*]+?)\b(rocksdb_\w+)\s*\(((?:[^()]|\([^()]*\))*)\)\s*;", text):
        outside = re.sub(r"\([^()]*\)", "", inside)
        types = [re.sub(r"(?<=[\s*])(?!char\b|int\b)\w+(?<!_t)(\[\])?$", lambda m: "*" if m[1] else "", part.strip())
                 for part in outside.split(",")]
        types = [re.sub(r"\s", "", kind).replace("[]", "*") for kind in types]
        found[name] = (re.sub(r"\s", "", returned), len(types) if "(" in inside else types)
    return found


class SymbolsTest(unittest.TestCase):
    def test_the_header_is_what_is_exported(self):
        self.assertEqual(sorted(declared(HEADER)), sorted(exported(LIBRARY)))

    def test_the_table_is_the_header(self):
        rows = functions.rows() if OTHER_HEADER is None else functions.rows_of_eleven()
        listed = [name for name, _, _, _ in rows]
        self.assertEqual(sorted(declared(HEADER)), sorted(listed))

    def test_rocksdb_has_the_same(self):
        theirs = {name for name in exported(ROCKSDB) if name.startswith("rocksdb_")}
        self.assertEqual(theirs - ONLY_IN_ITS_LIBRARY | ONLY_IN_ITS_HEADER & declared(HEADER), set(exported(LIBRARY)))

    def test_what_is_compiled_once_has_the_same_parameters(self):
        if OTHER_HEADER is None:
            return
        ours, other = parameters(HEADER), parameters(OTHER_HEADER)
        both = ours.keys() & other.keys()
        self.assertGreater(len(both), 700)
        self.assertEqual(OTHER_PARAMETERS, {name for name in both if ours[name] != other[name]})

    def test_the_soname(self):
        libraries = {LIBRARY: "7.8", ROCKSDB: "7.8"}
        if OTHER_HEADER is not None:  # RocksDB's is taken out of a package of Java, and has none.
            libraries = {LIBRARY: "11"}
        for library, version in libraries.items():
            dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True,
                                     check=True).stdout
            self.assertIn(f"soname: [librocksdb.so.{version}]", dynamic)


if __name__ == "__main__":
    LIBRARY, HEADER, ROCKSDB, *rest = map(pathlib.Path, sys.argv[1:])
    OTHER_HEADER = rest[0] if rest else None
    unittest.main(argv=sys.argv[:1], verbosity=2)
