#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program and the shared library are built so that a defect in them is hard to use. Read from the files, as
they were linked, by readelf (binutils):

    hardened_test.py VARVE LIBRARY"""
import os
import subprocess
import sys
import unittest

FILES = sys.argv[1:3]


def readelf(*arguments):
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(["readelf", "-W", *arguments], capture_output=True, text=True, check=True,
                          env=environment).stdout


class Hardened(unittest.TestCase):
    def check(self, holds):
        for path in FILES:
            with self.subTest(path):
                holds(path)

    def test_code_is_at_an_address_that_is_drawn_at_each_start(self):
        self.check(lambda path: self.assertRegex(readelf("-h", path), r"Type:\s+DYN"))
        self.check(lambda path: self.assertNotIn("TEXTREL", readelf("-d", path)))

    def test_no_memory_is_writable_and_executable(self):
        self.check(lambda path: self.assertRegex(readelf("-l", path), r"GNU_STACK.*\sRW\s"))
        self.check(lambda path: self.assertNotRegex(readelf("-l", path), r"LOAD.*\sRWE\s"))

    def test_tables_of_addresses_are_read_only_before_main(self):
        self.check(lambda path: self.assertIn("GNU_RELRO", readelf("-l", path)))
        self.check(lambda path: self.assertRegex(readelf("-d", path), r"BIND_NOW|FLAGS.*\bNOW\b"))

    def test_libraries_are_looked_for_where_the_system_has_them(self):
        # A path in the file, above all a relative one, would be another's way in.
        self.check(lambda path: self.assertNotRegex(readelf("-d", path), r"\((RPATH|RUNPATH)\)"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
