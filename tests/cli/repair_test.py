#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is damaged or wasted, and what can be done about it: sst verify and salvage, db repair and
space, against RocksDB's own tools.

    repair_test.py VARVE FIXTURES [unittest arguments]"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

VARVE, FIXTURES = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*words, stdin=b"", timeout=120):
    return subprocess.run([*map(os.fsencode, map(str, words))], input=stdin, capture_output=True,
                          timeout=timeout)


class Case(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-repair-"))
        self.addCleanup(shutil.rmtree, self.home, True)
        self.db = self.home / "db"

    def ok(self, *words, stdin=b"", code=0):
        done = run(VARVE, *words, stdin=stdin)
        self.assertEqual(done.returncode, code,
                         f"{words}\n{done.stdout[:2000]}\n{done.stderr[:2000]}")
        return done

    def json(self, *words, code=0):
        return json.loads(self.ok(*words, "--json", code=code).stdout)

    def tool(self, *words):
        done = run(*words)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout[:2000]}\n{done.stderr[:2000]}")
        return done.stdout.decode()


def sst_dump(path, scratch):
    """The entries as RocksDB's own tool prints them: RocksDB wants the suffix."""
    copy = scratch / "dumped.sst"
    shutil.copy(path, copy)
    done = run("sst_dump", f"--file={copy}", "--command=scan", "--output_hex")
    return [line for line in done.stdout.decode(errors="replace").splitlines() if " => " in line]


class Salvage(Case):
    def tables(self):
        facts = json.loads((FIXTURES / "sst" / "manifest.json").read_text())["files"]
        for table in facts:
            blocks = table.get("blocks", {}).get("data", {}).get("count", 0)
            readable = table.get("readers", {}).get("7.8.3", "").startswith("ok")
            if readable and blocks >= 4 and table.get("checksum") != "none" and \
                    table["properties"].get("rocksdb.comparator") == "leveldb.BytewiseComparator":
                yield FIXTURES / "sst" / table["file"], table

    def test_what_rocksdb_reads_of_a_salvaged_table_is_what_it_read_of_the_sound_blocks(self):
        tried = 0
        for path, facts in self.tables():
            with self.subTest(path.name):
                shutil.rmtree(self.home)
                self.home.mkdir()
                before = sst_dump(path, self.home)
                damaged, saved = self.home / "damaged", self.home / "saved.sst"
                blob = bytearray(path.read_bytes())
                data_end = facts["properties"]["rocksdb.data.size"]
                blob[data_end // 2] ^= 0x10
                damaged.write_bytes(blob)
                bill = self.json("sst", "salvage", damaged, "-o", saved, code=7)
                self.assertEqual(len(bill["losses"]), 1)
                loss = bill["losses"][0]
                self.assertTrue(loss["offset"] <= data_end // 2 < loss["offset"] + loss["size"])
                after = sst_dump(saved, self.home)
                lost = [line for line in before if line not in set(after)]
                self.assertEqual([line for line in before if line not in set(lost)], after)
                self.assertEqual(len(lost), bill["entries_lost"])
                self.assertGreater(len(lost), 0)
                self.tool("sst_dump", f"--file={saved}", "--command=verify")
                self.ok("sst", "verify", saved)
                tried += 1
        self.assertGreater(tried, 50)

    def test_a_table_without_footer_is_saved_whole(self):
        path = FIXTURES / "sst" / "r78_comp_zstd_fv5.sst"
        damaged, saved = self.home / "damaged", self.home / "saved.sst"
        damaged.write_bytes(path.read_bytes()[:-53])
        self.assertIn(b"footer", self.ok("sst", "salvage", damaged, "-o", saved).stdout)
        self.assertEqual(sst_dump(saved, self.home), sst_dump(path, self.home))

    def test_refusals(self):
        path = FIXTURES / "sst" / "r78_tiny.sst"
        self.ok("sst", "salvage", path, code=2)
        taken = self.home / "taken"
        taken.write_bytes(b"precious")
        self.ok("sst", "salvage", path, "-o", taken, code=8)
        self.assertEqual(taken.read_bytes(), b"precious")
        noise = self.home / "noise"
        noise.write_bytes(bytes(i * i % 251 for i in range(5000)))
        self.ok("sst", "salvage", noise, "-o", self.home / "out", code=4)
        self.assertFalse((self.home / "out").exists())
        self.ok("sst", "salvage", FIXTURES / "sst" / "r78_plain_table.sst", "--dry-run", code=6)

    def test_verify_of_a_table(self):
        path = FIXTURES / "sst" / "r78_comp_snappy_fv5.sst"
        self.assertTrue(self.json("sst", "verify", path)["clean"])
        damaged = self.home / "damaged"
        blob = bytearray(path.read_bytes())
        blob[100] ^= 1
        damaged.write_bytes(blob)
        report = self.json("sst", "verify", damaged, code=4)
        self.assertEqual(report["findings"][0]["offset"], 0)
        self.assertIn("to", report["findings"][0]["lost_range"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
