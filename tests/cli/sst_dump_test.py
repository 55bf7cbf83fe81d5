#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The insides of tables as RocksDB's sst_dump sees them, and what a changed byte does to exit codes.

    sst_dump_test.py VARVE FIXTURES SST_DUMP"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

# A line of "Index Details": key, and the handle that it leads to.
HANDLE = re.compile(r"^  HEX    ([0-9A-F]*): ([0-9A-F]+)( |$)")


def varve(*words):
    return subprocess.run([VARVE, *map(str, words)], capture_output=True)


def answer(*words):
    done = varve(*words, "--json")
    assert done.returncode == 0, (words, done.stderr)
    return json.loads(done.stdout)


def varints(data):
    numbers, number, shift = [], 0, 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    return numbers


class Insides(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)

    def dump(self, table):
        """What sst_dump prints of a copy of `table`; None if this release cannot read it."""
        copy = self.home / table.name
        shutil.copy(table, copy)
        subprocess.run([SST_DUMP, f"--file={copy}", "--command=raw"], cwd=self.home,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        dump = self.home / (table.stem + "_dump.txt")
        return dump.read_text(errors="replace") if dump.exists() else None

    def handles_of(self, table):
        """Separators and handles of the data blocks, through partitions if there are some."""
        index = answer("sst", "index", table)
        if index["leads_to"] == "data":
            return index, index["handles"]
        handles = []
        for top in index["handles"]:
            inner = answer("sst", "index", table, "--partition", top["handle"]["offset"])
            self.assertEqual(len(inner["handles"]), top["blocks"])
            handles += inner["handles"]
        return index, handles

    def test_index_and_blocks_are_those_of_sst_dump(self):
        compared = 0
        for table in sorted(FIXTURES.glob("sst/r78_*.sst")):
            dump = self.dump(table)
            if dump is None or "Index Details:" not in dump or "Data Block # 1" not in dump:
                continue
            with self.subTest(table.name):
                index, handles = self.handles_of(table)
                details = dump[dump.index("Index Details:"):dump.index("Data Block # 1")]
                details = details.split("Range deletions:")[0]
                theirs = [HANDLE.match(line) for line in details.splitlines()]
                theirs = [match for match in theirs if match]
                self.assertEqual(len(theirs), len(handles))
                for match, ours in zip(theirs, handles):
                    offset, size = varints(bytes.fromhex(match[2]))[:2]
                    self.assertEqual((offset, size),
                                     (ours["handle"]["offset"], ours["handle"]["size"]))
                    self.assertTrue(match[1].lower().startswith(ours["key"]["hex"]))
                blocks = answer("sst", "blocks", table, "--kind", "data")["blocks"]
                self.assertEqual([(b["offset"], b["size"] - 5) for b in blocks],
                                 [(h["handle"]["offset"], h["handle"]["size"]) for h in handles])
                self.assertTrue(all(b["checksum"]["ok"] for b in blocks))
                fact = re.search(r"index block size \(user-key\? (\d), delta-value\? (\d)\)", dump)
                self.assertEqual((index["user_keys"], index["delta_encoded"]),
                                 (fact[1] == "1", fact[2] == "1"))
                entries = int(re.search(r"# entries: (\d+)", dump)[1])
                deletions = int(re.search(r"# range deletions: (\d+)", dump)[1])
                self.assertEqual(sum(b["entries"] for b in blocks), entries - deletions)
                compared += 1
        self.assertGreater(compared, 60)

    def test_deletions_of_keys_and_of_ranges_are_told_apart(self):
        table = FIXTURES / "db/rocksdb-7.8.3/ingest/000012.sst"
        types = [entry["type"] for entry in answer("sst", "entries", table)["entries"]]
        counts = {"deletions": types.count("delete"), "range_deletions": types.count("range_delete")}
        self.assertEqual(counts, {"deletions": 0, "range_deletions": 1})
        files = {file["id"]: file
                 for file in answer("lsm", "files", table.parent, "--properties")["files"]}
        for said in (answer("sst", "info", table)["file"], files["12"]):
            self.assertEqual({name: said[name] for name in counts}, counts)
        self.assertIn(b"11 (0 deletions, 0 merges, 1 range deletion)", varve("sst", "info", table).stdout)
        # sst_dump counts one and the same deletion twice.
        self.assertRegex(self.dump(table), r"# deletions: 1\n(.*\n)*.*# range deletions: 1\n")

    def test_a_changed_byte_of_a_block_is_exit_4_in_every_format(self):
        table = self.home / "table.sst"
        source = FIXTURES / "sst/r78_data_hash_index.sst"
        data = bytearray(source.read_bytes())
        data[100] ^= 0x40
        table.write_bytes(data)
        for more in ([], ["--json"], ["-F", "jsonl"], ["-F", "csv"]):
            for words in (["blocks"], ["block", "0"]):
                done = varve("sst", words[0], table, *words[1:], *more)
                self.assertEqual(done.returncode, 4, (words, more, done.stderr))
            self.assertEqual(varve("sst", "blocks", table, "--kind", "index", *more).returncode, 0)
            self.assertEqual(varve("sst", "block", table, "1", *more).returncode, 2)
        blocks = json.loads(varve("sst", "blocks", table, "--json").stdout)["blocks"]
        self.assertEqual([b["offset"] for b in blocks if not b["checksum"]["ok"]], [0])

    def test_other_formats_of_tables_are_named_not_called_damaged(self):
        for more in ([], ["--json"]):
            done = varve("sst", "layout", FIXTURES / "sst/r78_plain_table.sst", *more)
            self.assertEqual(done.returncode, 6, done.stderr)

    def test_probe_says_it_by_its_exit_code(self):
        table = FIXTURES / "sst/r78_filter_bloom5_bpk10.sst"
        for more in ([], ["--json"]):
            key = answer("sst", "entries", table, "--limit", "1")["entries"][0]["key"]["hex"]
            self.assertEqual(varve("sst", "probe", table, "hex:" + key, *more).returncode, 0)
            self.assertEqual(varve("sst", "probe", table, "certainly-absent", *more).returncode, 1)


if __name__ == "__main__":
    VARVE, FIXTURES, SST_DUMP = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    unittest.main(argv=sys.argv[:1])
