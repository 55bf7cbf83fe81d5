#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exit codes tell what is damaged from what could not be read, and from what is not there.

usage: verdicts_test.py VARVE FIXTURES
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

VARVE = FIXTURES = None


def run(*words, nobody=False):
    command = [VARVE, *words]
    if nobody and os.geteuid() == 0:
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


class Verdicts(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        os.chmod(self.home.name, 0o755)
        self.db = pathlib.Path(self.home.name) / "db"
        shutil.copytree(pathlib.Path(FIXTURES) / "db/rocksdb-7.8.3/cursor", self.db)
        for place in (self.db, *self.db.iterdir()):
            place.chmod(0o755 if place.is_dir() else 0o644)
        global VARVE
        if os.geteuid() == 0:
            # Where nobody may run it.
            mine = pathlib.Path(self.home.name) / "varve"
            shutil.copy(PROGRAM, mine)
            VARVE = str(mine)

    def tearDown(self):
        self.home.cleanup()

    def table(self):
        return sorted(self.db.glob("*.sst"))[0]

    def test_sound(self):
        self.assertEqual(run("db", "verify", str(self.db), nobody=True)[0], 0)

    def test_an_unreadable_table_is_not_damage(self):
        self.table().chmod(0)
        code, out, _ = run("db", "verify", str(self.db), nobody=True)
        self.assertEqual(code, 3, out)
        self.assertIn("NOT READABLE", out)
        self.assertIn("ermission denied", out)
        code, out, _ = run("db", "verify", str(self.db), "--json", nobody=True)
        self.assertEqual(code, 3)
        self.assertEqual({f["severity"] for f in json.loads(out)["findings"]}, {"unreadable"})

    def test_an_unreadable_manifest_is_not_damage(self):
        for manifest in self.db.glob("MANIFEST-*"):
            manifest.chmod(0)
        code, out, err = run("db", "verify", str(self.db), nobody=True)
        self.assertEqual(code, 3, out + err)

    def test_damage_beside_unreadable_files_is_damage(self):
        tables = sorted(self.db.glob("*.sst"))
        self.assertGreater(len(tables), 1)
        tables[0].chmod(0)
        data = bytearray(tables[1].read_bytes())
        data[10] ^= 1
        tables[1].write_bytes(data)
        code, out, err = run("db", "verify", str(self.db), nobody=True)
        self.assertEqual(code, 4, out + err)
        self.assertIn("db repair", err)

    def test_a_missing_current_is_damage(self):
        (self.db / "CURRENT").unlink()
        for words in (("db", "verify"), ("scan",), ("get",)):
            words = (*words, str(self.db), *(["k"] if words == ("get",) else []))
            code, out, err = run(*words)
            self.assertEqual(code, 4, (words, out, err))

    def test_a_get_does_not_search_without_a_known_order(self):
        """Keys that descend, with checksums that are right: a search would find what it happens upon."""
        db = str(pathlib.Path(FIXTURES) / "hostile/d_blk_desc")
        for key in ("key000000", "key000007", "key000019"):
            for words in (("get", db, key), ("multiget", db, key), ("explain", "get", db, key)):
                code, out, err = run(*words)
                self.assertEqual(code, 4, (words, out, err))


if __name__ == "__main__":
    PROGRAM = VARVE = sys.argv[1]
    FIXTURES = sys.argv[2]
    unittest.main(argv=sys.argv[:1])
