#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program of C prints the same with Varve's librocksdb.so.7.8 as with RocksDB's, and each reads what
it wrote with the other. Under valgrind, each value and handle is released once.

    program_test.py PROGRAM LIBRARY ROCKSDB-LIBRARY"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = OURS = THEIRS = None


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-c-"))
        self.addCleanup(shutil.rmtree, self.home)

    def run_with(self, library, *command, **more):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(library.parent), **more}
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, env=environment)
        self.assertEqual(0, done.returncode, f"{command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def test_each_run_has_the_library_that_it_asks_for(self):
        for library in (OURS, THEIRS):
            loaded = re.search(r"librocksdb\.so\.7\.8 => (\S+)", self.run_with(library, "ldd", PROGRAM))[1]
            self.assertEqual(library.resolve(), pathlib.Path(loaded).resolve())

    def test_the_same_answers(self):
        answers = {}
        for name, library in (("ours", OURS), ("theirs", THEIRS)):
            (self.home / name).mkdir()
            answers[name] = self.run_with(library, PROGRAM, "all", self.home / name)
        self.maxDiff = None
        self.assertEqual(answers["theirs"].splitlines(), answers["ours"].splitlines())

    def test_a_locale_with_a_decimal_comma(self):
        # Debian has no such locale without the package "locales": this is one of glibc's LC_NUMERIC.
        numeric = (b"\x14\x11\x03\x20\x06\0\0\0" + struct.pack("<6I", 32, 34, 36, 40, 44, 48)
                   + b",\0.\0\3\3\0\0" + struct.pack("<2I", ord(","), ord(".")) + b"UTF-8\0")
        (self.home / "comma").mkdir()
        (self.home / "comma" / "LC_NUMERIC").write_bytes(numeric)
        locale = {"LOCPATH": str(self.home), "LC_NUMERIC": "comma", "LC_ALL": "", "LANG": "C"}
        for name, library in (("ours", OURS), ("theirs", THEIRS)):
            (self.home / name).mkdir()
            said = self.run_with(library, PROGRAM, "locale", self.home / name, **locale).splitlines()
            self.assertEqual(["=== locale", "half is 0,5", "created: ok", "opened: ok"], said)

    def test_nothing_leaks_and_no_byte_is_read_that_is_not_there(self):
        # The threads of the engine's pool live as long as the process: "possibly lost".
        self.run_with(OURS, "valgrind", "-q", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect",
                      "--show-leak-kinds=definite,indirect", "--error-exitcode=9", PROGRAM, "all", self.home)

    def test_each_reads_what_the_other_wrote(self):
        for writer in (OURS, THEIRS):
            directory = self.home / f"of-{'ours' if writer is OURS else 'theirs'}"
            self.run_with(writer, PROGRAM, "write", directory)
            reader = THEIRS if writer is OURS else OURS
            first = self.run_with(reader, PROGRAM, "read", directory)
            self.assertRegex(first, r"default: \d{4} records")
            self.assertEqual(first, self.run_with(writer, PROGRAM, "read", directory))
            scan = self.run_with(THEIRS, "ldb", f"--db={directory}", "--column_family=other", "scan")
            self.assertRegex(first, rf"other: {len(scan.splitlines())} records")

    def test_each_goes_on_with_the_timestamps_of_the_other(self):
        # By those who wrote, and round; without the history that compactions may forget, and without timestamps, which
        # RocksDB's compactions set to 0 where they may.
        read = []
        for turn, writers in enumerate(((OURS, THEIRS), (THEIRS, OURS), (OURS, OURS), (THEIRS, THEIRS))):
            directory = self.home / f"timestamps-{turn}"
            read.append([])
            for number in range(1, 7):
                self.run_with(writers[number % 2], PROGRAM, f"grow:{number}", directory)
                shown = [self.run_with(reader, PROGRAM, f"show:{number}", directory).splitlines()
                         for reader in (THEIRS, OURS)]
                self.assertGreater(len(shown[0]), 100)
                self.assertEqual(*shown)
                read[-1].append([re.sub(r" of \d+|@\d+", "", line) for line in shown[0]
                                 if not line.startswith("versions ")])
        for others in read[1:]:
            self.assertEqual(read[0], others)


if __name__ == "__main__":
    PROGRAM, OURS, THEIRS = map(pathlib.Path, sys.argv[1:4])
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)
