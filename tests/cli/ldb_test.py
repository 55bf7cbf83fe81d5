#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`varve ldb` prints what RocksDB's ldb prints, ends with the same code, and leaves the same records: both run on copies
of one database, each in a directory of its own, so that paths are the same.

    ldb_test.py VARVE FIXTURES LDB [unittest arguments]"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import unittest

import harness

FIXTURES, LDB = pathlib.Path(sys.argv[2]), sys.argv[3]
TABLE = pathlib.Path(__file__).resolve().parents[2] / "cli/ldb"
SEED = 20261126
ABORTED = -6  # ldb lets an exception end it where we answer 1.


def run(program, directory, words, stdin=b""):
    words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    done = subprocess.run([*program, *words], cwd=directory, input=stdin, capture_output=True, timeout=120,
                          env={**os.environ, "TZ": "UTC", "LC_ALL": "C"})
    return done.returncode, done.stdout, done.stderr


def ldb(directory, *words, stdin=b""):
    return run([LDB], directory, words, stdin)


def varve(directory, *words, stdin=b""):
    return run([harness.VARVE, "ldb"], directory, words, stdin)


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        self.rocksdb, self.ours = self.home / "rocksdb", self.home / "varve"
        self.rocksdb.mkdir()
        self.ours.mkdir()

    def made(self, *words, stdin=b""):
        """A step of the database that both get."""
        code, out, err = ldb(self.rocksdb, "--db=db", *words, stdin=stdin)
        self.assertEqual(code, 0, (words, out, err))

    def copied(self):
        """Both have the database as it is now."""
        shutil.rmtree(self.ours, ignore_errors=True)
        shutil.copytree(self.rocksdb, self.ours)

    def same(self, *words, stdin=b"", also_err=False):
        code, out, err = ldb(self.rocksdb, *words, stdin=stdin)
        our_code, our_out, our_err = varve(self.ours, *words, stdin=stdin)
        self.assertEqual(our_out, out, (words, our_err, err))
        self.assertEqual(our_code, 1 if code == ABORTED else code, (words, our_err, err))
        if also_err:
            self.assertEqual(our_err, err, words)
        return our_out

    def same_records(self, database="db"):
        """In each family, read by RocksDB."""
        families = ldb(self.rocksdb, "list_column_families", f"--db={database}")[1]
        self.assertEqual(ldb(self.ours, "list_column_families", f"--db={database}")[1], families)
        for family in re.search(rb"\{(.*)\}", families)[1].split(b", "):
            words = [f"--db={database}", b"--column_family=" + family, "--hex", "scan"]
            records = ldb(self.rocksdb, *words)
            self.assertEqual(ldb(self.ours, *words)[:2], records[:2], family)

    def fill(self):
        """Families, tables on two levels, range deletions, blobs, binary keys, and a log."""
        self.made("--create_if_missing", "batchput", "a", "1", "b", "2", "c.x", "3", "c.y", "four")
        self.made("put", "d", "5")
        self.made("create_column_family", "two")
        self.made("--column_family=two", "batchput", "x", "y", "z", "")
        self.made("compact")
        self.made("--hex", "batchput", "0x00ff0a", "0x000001", "0x6b00", "0x7600", "0xff", "0x")
        self.made("delete", "a")
        self.made("--enable_blob_files", "put", "large", "in a blob file")
        self.made("--enable_blob_files", "deleterange", "b", "c.y")
        self.made("put", "b1", "after")
        self.made("--column_family=two", "put", "x", "z")
        self.made("singledelete", "d")


class Reading(Case):
    WORDS = (
        ["get", "c.y"], ["get", "large"], ["get", "--hex", "0x6b00"], ["get", "--key_hex", "0x6b00"],
        ["get", "--value_hex", "c.y"], ["get", "none"], ["get", "b"], ["get"], ["get", "a", "b"],
        ["--column_family=two", "get", "x"], ["--column_family=none", "get", "x"], ["get", "--hex", "61"],
        ["get", "--hex", "0x6"], ["get", "--hex", "0xzz"], ["get", "--hex=maybe", "0x61"], ["get", "--hex=TRUE", "0x62"],
        ["scan"], ["scan", "--hex"], ["scan", "--key_hex"], ["scan", "--value_hex"], ["scan", "--from=b", "--to=c.y"],
        ["scan", "--hex", "--from=0x00", "--to=0x64"], ["scan", "--max_keys=2"], ["scan", "--max_keys=0"],
        ["scan", "--max_keys=-1"], ["scan", "--max_keys=foo"], ["scan", "--max_keys=1x"], ["scan", "--no_value"],
        ["scan", "--max_keys=99999999999"], ["scan", "--from=zz"], ["scan", "--column_family=two"],
        ["scan", "--from="], ["scan", "--to=a"], ["scan", "--timestamp"],
        ["dump"], ["dump", "--hex"], ["dump", "--from=b", "--to=d"], ["dump", "--max_keys=2"], ["dump", "--max_keys=0"],
        ["dump", "--count_only"], ["dump", "--count_delim"], ["dump", "--count_delim=x"], ["dump", "--count_delim=,"],
        ["dump", "--column_family=two"], ["dump", "--key_hex", "--from=0x62"], ["dump", "--create_if_missing"],
        ["dump", "--start_time=5", "--end_time=4"], ["dump", "--max_keys=q"],
        ["idump"], ["idump", "--hex"], ["idump", "--decode_blob_index"], ["idump", "--max_keys=3"],
        ["idump", "--max_keys=0"], ["idump", "--from=b", "--to=d"], ["idump", "--count_only"], ["idump", "--count_delim"],
        ["idump", "--count_delim=x"], ["idump", "--input_key_hex", "--from=0x62", "--to=0x63"],
        ["idump", "--column_family=two"], ["idump", "--key_hex"],
        ["list_column_families"], ["checkconsistency"], ["list_live_files_metadata"],
        ["list_live_files_metadata", "--sort_by_filename"], ["file_checksum_dump"], ["file_checksum_dump", "--hex"],
        ["manifest_dump"], ["manifest_dump", "--hex"], ["manifest_dump", "--verbose"],
        ["manifest_dump", "--verbose", "--hex"], ["manifest_dump", "--json"],
        ["list_file_range_deletes"], ["list_file_range_deletes", "--max_keys=1"],
        ["list_file_range_deletes", "--max_keys=0"], ["list_file_range_deletes", "--column_family=two"],
        ["dump_live_files"], ["dump_live_files", "--decode_blob_index", "--dump_uncompressed_blobs"],
        ["approxsize"], ["approxsize", "--from=a"], ["get_property"], ["get_property", "rocksdb.no-such-property"],
        ["get_property", "rocksdb.num-files-at-level0"],
        ["get_property", "rocksdb.num-files-at-level99"], ["get_property", "rocksdb.levelstats"],
        ["get_property", "rocksdb.aggregated-table-properties"], ["get_property", "rocksdb.total-sst-files-size"],
        ["--secondary_path=second", "get", "c.y"], ["--env_uri=posix", "get", "c.y"],
        ["reduce_levels", "--new_levels=1"],
        ["reduce_levels"], ["change_compaction_style"], ["change_compaction_style", "--old_compaction_style=0"],
        ["change_compaction_style", "--old_compaction_style=0", "--new_compaction_style=0"],
        ["change_compaction_style", "--old_compaction_style=1", "--new_compaction_style=0"],
        ["nonsense", "x"], ["put", "a"], ["put", "a", "b", "--max_keys=1"], ["put", "a", "b", "--he"],
        ["batchput"], ["batchput", "a"], ["batchput", "a", "b", "c"], ["delete"], ["delete", "a", "b"], ["deleterange", "a"],
        ["singledelete"], ["put", "--hex", "61", "62"], ["put", "--block_size=0", "a", "b"],
        ["put", "--write_buffer_size=x", "a", "b"], ["put", "--compression_type=best", "a", "b"],
        ["create_column_family"], ["create_column_family", "two"], ["drop_column_family"], ["drop_column_family", "none"],
        ["drop_column_family", "default"], ["create_column_family", "--column_family=two", "x"],
        ["write_extern_sst"], ["ingest_extern_sst"], ["ingest_extern_sst", "none.sst"], ["dump_wal"],
        ["ingest_extern_sst", "--allow_global_seqno=false", "none.sst"], ["checkpoint"], ["checkpoint", "--checkpoint_dir=db"],
    )

    def test_a_database_of_rocksdb(self):
        self.fill()
        self.copied()
        for words in (["scan"], ["list_live_files_metadata"], ["dump_live_files"], ["manifest_dump"]):
            with self.subTest(["/", *words]):
                self.same("--db=db/", *words)
        for words in self.WORDS:
            with self.subTest(words):
                self.same("--db=db", *words)

    def test_files(self):
        self.fill()
        self.copied()
        for path in sorted((self.rocksdb / "db").iterdir()):
            for flags in ([], ["--hex"], ["--decode_blob_index"], ["--dump_uncompressed_blobs"], ["--from=b"]):
                if path.name.startswith("MANIFEST") and flags == ["--from=b"]:
                    continue
                with self.subTest(path.name, flags=flags):
                    self.same("dump", f"--path=db/{path.name}", *flags)
            if path.suffix == ".log":
                for flags in ([], ["--header"], ["--print_value"], ["--header", "--print_value"]):
                    self.same("dump_wal", f"--walfile=db/{path.name}", *flags)
            if path.name.startswith("MANIFEST"):
                self.same("manifest_dump", f"--path=db/{path.name}")
        for words in (["dump", "--path=db/none"], ["dump", "--path=db/000099.log"], ["manifest_dump", "--path=none"],
                      ["dump_wal", "--walfile=none"], ["dump", "--path=none.sst"]):
            with self.subTest(words):
                self.same(*words)

    def test_no_database(self):
        for words in self.WORDS:
            # ldb makes the directory when it is to write.
            with self.subTest(words):
                for home in (self.rocksdb, self.ours):
                    shutil.rmtree(home / "db", ignore_errors=True)
                self.same("--db=db", *words)
        for words in (["get", "a"], ["put", "a", "b"], ["list_column_families", "--x"], ["--db=db"], ["scan"]):
            with self.subTest(words):
                self.same(*words)

    def test_times(self):
        ldb(self.rocksdb, "--db=db", "--create_if_missing", "--ttl", "batchput", "a", "1", "b", "2")
        self.copied()
        for words in (["get", "a"], ["get", "c"], ["scan"], ["scan", "--timestamp"], ["dump"], ["dump", "--timestamp"],
                      ["dump", "--bucket=100000000"], ["scan", "--start_time=1900000000"], ["scan", "--end_time=1400000000"],
                      ["dump", "--hex"], ["scan", "--hex"], ["dump", "--start_time=9", "--end_time=3"]):
            with self.subTest(words):
                self.same("--db=db", "--ttl", *words)
                self.same("--db=db", *words)
        for home in (self.rocksdb, self.ours):
            ldb(home, "--db=db", "put", "short", "x")
        self.same("--db=db", "--ttl", "get", "short")

    NOT_BY_LDB = {"recycle_tail": "it hangs in its own recovery", "paths": "it ends with a failed assertion",
                  "entity": "its dump_wal has no words for entities"}

    def test_the_fixtures(self):
        for database in sorted((FIXTURES / "db/rocksdb-7.8.3").iterdir()):
            if database.name in self.NOT_BY_LDB:
                continue
            for home in (self.rocksdb, self.ours):
                shutil.rmtree(home / "db", ignore_errors=True)
                shutil.copytree(database, home / "db")
            for words in (["manifest_dump", "--verbose", "--hex"], ["list_column_families"]):
                with self.subTest(database.name, words=words):
                    self.same("--db=db", *words)
            for path in sorted((self.rocksdb / "db").glob("*.log")):
                with self.subTest(database.name, path=path.name):
                    self.same("dump_wal", f"--walfile=db/{path.name}", "--header", "--print_value")


class Writing(Case):
    def both(self, *words, stdin=b""):
        self.same("--db=db", *words, stdin=stdin)
        self.same_records()

    def test_records(self):
        self.both("put", "--create_if_missing", "a", "1")
        for words in (["put", "b", "2"], ["get_property", "rocksdb.estimate-num-keys"],
                      ["batchput", "c", "3", "d", "4", "e", ""], ["delete", "a"], ["delete", "none"],
                      ["deleterange", "b", "d"], ["singledelete", "e"], ["--hex", "put", "0x00ff", "0x0001"],
                      ["put", "--bloom_bits=14", "--block_size=1024", "--file_size=2097152", "f", "6"],
                      ["put", "--compression_type=zstd", "--write_buffer_size=1000000", "g", "7"],
                      ["compact"], ["compact", "--from=b", "--to=f"], ["compact", "--hex", "--from=0x61"],
                      ["reduce_levels", "--new_levels=4", "--print_old_levels"],
                      ["create_column_family", "two"], ["put", "--column_family=two", "a", "1"],
                      ["create_column_family", "three"], ["drop_column_family", "two"],
                      ["put", "--column_family=three", "q", "r"], ["put", "--disable_consistency_checks", "h", "8"]):
            with self.subTest(words):
                self.both(*words)

    def test_load(self):
        lines = b"a ==> 1\nb ==> 2 ==> 3\nnothing\nKeys in range: 7\nCreated bg thread 0x12\n ==> empty\nlast ==> x"
        for flags in (["--create_if_missing"], [], ["--disable_wal"], ["--compact"], ["--bulk_load"]):
            with self.subTest(flags):
                self.both("load", *flags, stdin=lines)
        self.both("load", "--hex", stdin=b"0x61 ==> 0x00\n0x6162 ==> 0x\n")
        dumped = self.same("--db=db", "dump", "--hex")
        self.same("--db=again", "load", "--hex", "--create_if_missing", stdin=dumped)
        self.same_records("again")

    def test_query(self):
        self.both("put", "--create_if_missing", "a", "1")
        for text in (b"get a\nput b 2\nget b\ndelete a\nhelp\nnonsense\nput x\n\n", b"get none\nget a\n", b"put q r"):
            with self.subTest(text):
                self.both("query", stdin=text)

    def test_tables(self):
        self.both("batchput", "--create_if_missing", "x1", "y1", "x2", "y2")
        lines = b"x1 ==> y10\nx2 ==> y20\nbad\nx3 ==> y30"
        self.same("--db=db", "write_extern_sst", "out.sst", stdin=lines, also_err=True)
        # Each takes the other's table.
        ours, theirs = self.ours / "out.sst", self.rocksdb / "out.sst"
        swap = self.home / "swap.sst"
        for source, target in ((ours, swap), (theirs, ours), (swap, theirs)):
            shutil.copy(source, target)
        self.same("--db=db", "ingest_extern_sst", "out.sst", also_err=True)
        self.same_records()
        self.same("--db=db", "ingest_extern_sst", "--allow_global_seqno=false", "out.sst")
        self.same("--db=db", "write_extern_sst", "out2.sst", stdin=b"b ==> 1\na ==> 2\n")
        self.same("--db=db", "write_extern_sst", "out3.sst", stdin=b"")

    def test_checkpoint(self):
        self.both("batchput", "--create_if_missing", "x1", "y1", "x2", "y2")
        self.same("--db=db", "checkpoint", "--checkpoint_dir=copy")
        self.same_records("copy")

    def test_repair(self):
        self.fill()
        self.copied()
        for home in (self.rocksdb, self.ours):
            next((home / "db").glob("MANIFEST-*")).unlink()
        self.same("--db=db", "repair")
        self.assertIn(b"c.y : four", ldb(self.ours, "--db=db", "scan")[1])

    def test_at_random(self):
        rng = random.Random(SEED)

        def word():
            return "0x" + bytes(rng.choice(b"\x00\x01ab\xff.=\n") for _ in range(rng.randrange(1, 6))).hex()

        self.same("--db=db", "--hex", "put", "--create_if_missing", word(), word())
        self.same("--db=db", "create_column_family", "f")
        for step in range(25):
            family = rng.choice(["default", "f"])
            words = rng.choice([["put", word(), word()], ["batchput", *[word() for _ in range(6)]], ["delete", word()],
                                ["deleterange", *sorted([word(), word()])], ["compact"]])
            with self.subTest(SEED, step=step, words=words):
                self.same("--db=db", "--hex", f"--column_family={family}", *words)
                for reading in (["scan"], ["scan", "--hex"], ["dump"], ["dump", "--hex"], ["dump", "--count_delim"],
                                ["dump", "--count_only"]):
                    self.same("--db=db", f"--column_family={family}", *reading)
        self.same_records()


class Alone(Case):
    """What has no counterpart."""

    def test_a_link_named_ldb(self):
        (self.home / "ldb").symlink_to(harness.VARVE)
        code, out, _ = run([str(self.home / "ldb")], self.ours, ["--db=db", "put", "--create_if_missing", "a", "b"])
        self.assertEqual((code, out), (0, b"OK\n"))
        self.assertEqual(run([str(self.home / "ldb")], self.ours, ["--version"])[1], ldb(self.ours, "--version")[1])

    LATER = {"multi_get", "get_entity", "put_entity"}  # Verbs that ldb 7.8.3 does not have.

    def test_verbs_of_later_releases(self):
        self.made("--create_if_missing", "batchput", "a", "1", "b", "2")
        self.copied()
        for words, out in ((["multi_get", "a", "b"], b"a ==> 1\nb ==> 2\n"),
                           (["multi_get", "a", "c"], b"a ==> 1\nKey not found: c\n"),
                           (["multi_get", "--hex", "0x61", "0xBEEF"], b"0x61 ==> 0x31\nKey not found: 0xBEEF\n")):
            self.assertEqual(varve(self.ours, "--db=db", *words)[:2], (0, out))
        self.assertEqual(varve(self.ours, "--db=db", "multi_get")[0], 1)

    def test_the_table(self):
        done = subprocess.run([sys.executable, TABLE / "verbs.py", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split("\t") for line in (TABLE / "verbs.tsv").read_text().splitlines() if not line.startswith("#")]
        listed = set(re.findall(r"^  (\w+)", ldb(self.ours, "--help")[1].decode(), re.M))
        self.assertEqual({row[0] for row in rows}, listed | {"singledelete"} | self.LATER)
        ours = varve(self.ours, "--help")[1].decode()
        for verb, _, treatment, *_ in rows:
            self.assertEqual(re.search(rf"^  {verb}\b", ours, re.M) is not None,
                             treatment == "works" or verb == "change_compaction_style", verb)
            if treatment == "refused":
                words = {"change_compaction_style": ["--old_compaction_style=0", "--new_compaction_style=1"]}
                code, out, err = varve(self.ours, "--db=db", verb, *words.get(verb, []))
                self.assertEqual((code, out), (1, b""))
                self.assertIn(f"Failed: Not implemented: {verb}", err.decode())

    def test_reading_writes_nothing(self):
        self.fill()
        self.copied()
        before = {p: p.stat().st_mtime_ns for p in (self.ours / "db").iterdir()}
        for words in Reading.WORDS:
            if words[0] in ("get", "scan", "dump", "idump", "list_column_families", "manifest_dump", "dump_live_files",
                            "checkconsistency", "get_property", "list_file_range_deletes"):
                varve(self.ours, "--db=db", *words)
        self.assertEqual({p: p.stat().st_mtime_ns for p in (self.ours / "db").iterdir()}, before)

    def test_locked(self):
        self.fill()
        holder = subprocess.Popen([LDB, "--db=db", "query"], cwd=self.rocksdb, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)

        def has_a_log():
            files = pathlib.Path(f"/proc/{holder.pid}/fd")
            return any(os.readlink(file).endswith(".log") for file in files.iterdir())

        try:
            harness.wait_until("ldb has opened the database", has_a_log)
            code, out, err = varve(self.rocksdb, "--db=db", "put", "a", "b")
            self.assertEqual((code, out), (1, b""))
            self.assertIn(b"IO error: While lock file", err)
            self.assertEqual(varve(self.rocksdb, "--db=db", "get", "c.y")[:2], (0, b"four\n"))
        finally:
            holder.communicate(b"")

    def test_damage(self):
        self.fill()
        self.copied()
        for path in (self.ours / "db").glob("*.sst"):
            path.write_bytes(b"evil\n")
        for words in (["checkconsistency"], ["get", "c.y"], ["scan"], ["idump"], ["compact"]):
            code, _, err = varve(self.ours, "--db=db", *words)
            self.assertEqual((code, err[:8]), (1, b"Failed: "), words)
        for path in (self.ours / "db").glob("*.sst"):
            path.unlink()
        self.assertEqual(varve(self.ours, "--db=db", "checkconsistency")[0], 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
