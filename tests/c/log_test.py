#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The LOG of Varve's librocksdb.so.7.8, against that of RocksDB's with the same options and calls.

    log_test.py LIBRARY ROCKSDB-LIBRARY VARVE"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "interop")]
from rocksdb_c import Database, Library, RocksDbError  # noqa: E402
from waiting import wait_until  # noqa: E402

OURS = THEIRS = VARVE = None
SET = ("max_open_files=77;max_background_jobs=3;wal_recovery_mode=kAbsoluteConsistency;write_buffer_size=1048576;"
       "compression=kLZ4Compression;bottommost_compression=kZSTD;num_levels=5;max_bytes_for_level_multiplier=7.5;"
       "compression_opts={level=3;max_dict_bytes=4096};"
       "block_based_table_factory={block_size=8192;format_version=4;index_type=kTwoLevelIndexSearch;"
       "cache_index_and_filter_blocks=true;pin_l0_filter_and_index_blocks_in_cache=true;partition_filters=true;"
       "data_block_index_type=kDataBlockBinaryAndHash;data_block_hash_table_util_ratio=0.35;"
       "filter_policy=bloomfilter:10:false;index_block_restart_interval=16;whole_key_filtering=true};")
EVENTS = ("flush_started", "flush_finished", "table_file_creation", "compaction_started", "compaction_finished",
          "trivial_move")
STAMP = re.compile(r"\d{4}/\d\d/\d\d-\d\d:\d\d:\d\d\.\d{6} \d+ ")


def settings(log):
    """What it says of options, of the database and of its table format."""
    options = re.findall(r"^\S+ \d+ +(Options\.[\w.\[\]]+) *: (.*)$", log, re.M)
    return options + re.findall(r"^ +(\w+) ?: (.*)$", log, re.M)


def events(log):
    """Job by job: those of two may be mixed."""
    found = [json.loads(line) for line in re.findall(r"EVENT_LOG_v1 (.*)$", log, re.M)]
    return sorted((event for event in found if event["event"] in EVENTS), key=lambda event: event["job"])


def flush_and_compact(db, flushes):
    for round in range(flushes):
        db.write([("put", "default", b"a%d" % round, b"1"), ("put", "default", b"z", b"%d" % round)])
        db.flush()
    db.compact()


class LogTest(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-log-"))
        self.addCleanup(shutil.rmtree, self.home)

    def open(self, library, path, text=""):
        options = library.options(text)
        library._options_set_create_if_missing(options, True)
        return Database(library, path, options)

    def both(self, text="", use=lambda db: None):
        """The LOGs of a database of each library."""
        logs = []
        for name, library in (("ours", OURS), ("theirs", THEIRS)):
            path = self.home / name
            with self.open(library, path, text) as db:
                use(db)
            logs.append((path / "LOG").read_text())
        return logs

    def test_options_as_rocksdb_writes_them(self):
        for text in ("", SET):
            with self.subTest(text):
                ours, theirs = self.both(text)
                said = settings(ours)
                self.assertGreater(len(said), 110)
                self.assertEqual([], sorted(set(said) - set(settings(theirs))))
                for line in ours.splitlines():
                    self.assertRegex(line, rf"{STAMP.pattern}|^  ")
            shutil.rmtree(self.home / "ours")
            shutil.rmtree(self.home / "theirs")

    def test_each_family_has_its_options(self):
        with self.open(OURS, self.home / "db") as db:
            db.create_family("other")
        library = OURS
        with Database(library, self.home / "db", library.options(), families={"other": library.options("num_levels=4")}):
            log = (self.home / "db/LOG").read_text()
        parts = re.split(r"Options for column family \[(.*)\]:\n", log)
        self.assertEqual(["default", "other"], parts[1::2])
        self.assertEqual(["7", "4"], [dict(settings(part))["Options.num_levels"] for part in parts[2::2]])

    def test_events_of_flushes_compactions_and_moves(self):
        ours, theirs = map(events, self.both("disable_auto_compactions=true", lambda db: flush_and_compact(db, 3)))
        self.assertEqual([event["event"] for event in theirs], [event["event"] for event in ours])
        self.assertEqual(3, sum(event["event"] == "flush_finished" for event in ours))
        self.assertEqual(["Manual Flush"] * 3, [event["flush_reason"] for event in ours if event["event"] == "flush_started"])
        for our, their in zip(ours, theirs):
            self.assertLessEqual(set(our), set(their) | {"memory_usage"})
            for same in ("num_memtables", "num_entries", "num_deletes", "cf_name", "lsm_state", "output_level",
                         "num_output_files", "compaction_reason", "flush_reason", "immutable_memtables", "smallest_seqno", "largest_seqno"):
                self.assertEqual(their.get(same), our.get(same), (same, our, their))
        started = next(event for event in ours if event["event"] == "compaction_started")
        made = [event["file_number"] for event in ours if event["event"] == "table_file_creation"]
        self.assertEqual(made[2::-1], started["files_L0"])
        for number in {event["job"] for event in ours}:
            kinds = [event["event"] for event in ours if event["job"] == number]
            self.assertRegex(" ".join(kinds), r"^(flush|compaction)_started table_file_creation \1_finished$")

    def tables(self, db):
        return len(list(pathlib.Path(db.path.decode()).glob("*.sst")))

    def test_why_a_memtable_was_flushed(self):
        def use(db):
            db.write([("put", "default", b"a", b"1")])
            db.compact()
            db.write([("put", "default", b"b", b"1")])
            db.checkpoint(self.home / f"copy-{len(list(self.home.iterdir()))}")
            db.write([("put", "default", b"%d" % number, b"v" * 20_000) for number in range(5)])
            before = self.tables(db)
            db.write([("put", "default", b"c", b"1")])
            # Otherwise one job has both memtables.
            wait_until("the full memtable is a table", lambda: self.tables(db) > before)
            db.flush()
        logs = self.both("disable_auto_compactions=true;write_buffer_size=70000;arena_block_size=8192", use)
        ours, theirs = ([event["flush_reason"] for event in events(log) if event["event"] == "flush_started"] for log in logs)
        self.assertEqual(["Manual Compaction", "Manual Flush", "Write Buffer Full", "Manual Flush"], ours)
        # The second is of the checkpoint, for which RocksDB has a word of its own.
        self.assertEqual(ours, [reason.replace("Get Live Files", "Manual Flush") for reason in theirs])

    def test_deleted_tables(self):
        found = []
        for log in self.both("disable_auto_compactions=true", lambda db: flush_and_compact(db, 2)):
            all_events = [json.loads(line) for line in re.findall(r"EVENT_LOG_v1 (.*)$", log, re.M)]
            made = [event["file_number"] for event in all_events if event["event"] == "table_file_creation"]
            deleted = [event for event in all_events if event["event"] == "table_file_deletion"]
            self.assertEqual(made[:2], sorted(event["file_number"] for event in deleted))
            found.append(set(deleted[0]))
        self.assertEqual(found[1], found[0])

    def test_a_move_is_an_event_and_the_inspector_reads_all(self):
        path = self.home / "db"
        with self.open(OURS, path) as db:
            db.write([("put", "default", b"a", b"1")])
            db.flush()
            db.compact()
        self.assertEqual(["flush_started", "table_file_creation", "flush_finished", "trivial_move"],
                         [event["event"] for event in events((path / "LOG").read_text())])
        said = subprocess.run([VARVE, "db", "events", path, "-F", "jsonl"], capture_output=True, text=True, check=True)
        self.assertEqual(4, len(re.findall('"time_micros"', said.stdout)), said.stdout)
        history = subprocess.run([VARVE, "lsm", "history", path], capture_output=True, text=True, check=True).stdout
        self.assertRegex(history, "joined with the events of LOG")

    def old_logs(self, path):
        return sorted(entry.name for entry in path.iterdir() if entry.name.startswith("LOG.old."))

    def test_earlier_logs_are_kept_as_many_as_asked_for(self):
        for name, library in (("ours", OURS), ("theirs", THEIRS)):
            path = self.home / name
            for opening in range(5):
                with self.open(library, path, "keep_log_file_num=3"):
                    pass
                first = (path / "LOG").read_text()
            self.assertEqual(2, len(self.old_logs(path)), name)
            self.assertNotIn(first, [(path / old).read_text() for old in self.old_logs(path)])
            for old in self.old_logs(path):
                self.assertRegex(old, r"^LOG\.old\.\d{16}$")
            with self.assertRaisesRegex(RocksDbError, "Invalid argument: keep_log_file_num must be greater than 0"):
                self.open(library, path, "keep_log_file_num=0")

    def test_what_only_looks_like_an_earlier_log_is_neither_counted_nor_removed(self):
        path = self.home / "db"
        names = ["LOG.old.", "LOG.old.garbage", "LOG.old.12x", "LOG.old.0123", "LOG.old.99999999999999999999999"]
        with self.open(OURS, path, "keep_log_file_num=3"):
            pass
        for name in [*names, "LOG.old.5", "LOG.old.1700000000000000"]:
            (path / name).write_text(name)
        for opening in range(2):
            with self.open(OURS, path, "keep_log_file_num=3"):
                pass
            kept = self.old_logs(path)
            self.assertEqual(set(names), set(names) & set(kept))
            self.assertEqual(2, len(set(kept) - set(names)), kept)
            self.assertNotIn("LOG.old.5", kept)
            self.assertEqual(opening == 0, "LOG.old.1700000000000000" in kept)

    def test_names_of_families_are_what_they_are(self):
        name = 'Zo\u00eb "\u6771" \\'
        with self.open(OURS, self.home / "db") as db:
            db.create_family(name)
            db.write([("put", name, b"a", b"1")])
            db.flush(name)
        self.assertIn(name, [event.get("cf_name") for event in events((self.home / "db/LOG").read_text())])

    def test_a_directory_of_its_own(self):
        names = []
        (self.home / "a db").mkdir()
        for library in (OURS, THEIRS):
            logs = self.home / "logs"
            with self.open(library, self.home / "a db" / ".." / "the db", f"db_log_dir={logs}"):
                pass
            self.assertFalse((self.home / "the db" / "LOG").exists())
            names.append(sorted(entry.name for entry in logs.iterdir()))
            shutil.rmtree(logs)
            shutil.rmtree(self.home / "the db")
        self.assertEqual(names[1], names[0])

    def test_levels(self):
        def use(db):
            db.write([("put", "default", b"a", b"1")])
            db.flush()
        for level, there in (("INFO_LEVEL", True), ("WARN_LEVEL", False), ("HEADER_LEVEL", False)):
            for log in self.both(f"info_log_level={level}", use):
                self.assertEqual(there, "EVENT_LOG_v1" in log, level)
                self.assertEqual(there, "Options.max_open_files: " in log, level)
            shutil.rmtree(self.home / "ours")
            shutil.rmtree(self.home / "theirs")

    def test_a_new_file_when_one_is_large(self):
        path = self.home / "db"
        with self.open(OURS, path, "max_log_file_size=20000;keep_log_file_num=4;disable_auto_compactions=true") as db:
            for round in range(100):
                db.write([("put", "default", b"a", b"1")])
                db.flush()
        files = [path / name for name in (*self.old_logs(path), "LOG")]
        self.assertEqual(4, len(files))
        for file in files:
            self.assertLess(file.stat().st_size, 21000)
            self.assertIn("Options.max_open_files: ", file.read_text())
        numbers = [event["job"] for file in files for event in events(file.read_text())]
        self.assertEqual(numbers, sorted(numbers))
        self.assertEqual(100, numbers[-1])
        self.assertGreater(numbers[0], 1)

    def test_no_log_of_those_who_only_read_or_are_refused(self):
        path = self.home / "db"
        with self.open(OURS, path):
            pass
        (path / "LOG").unlink()
        with Database(OURS, path, OURS.options(), read_only=True):
            pass
        with self.assertRaises(RocksDbError):
            Database(OURS, path, OURS.options("error_if_exists=true"))
        self.assertEqual([], [entry.name for entry in path.iterdir() if "LOG" in entry.name])

    def test_what_opening_left_out(self):
        path = self.home / "db"
        with self.open(OURS, path) as db:
            for number in range(100):
                db.write([("put", "default", b"%d" % number, b"v" * 1000)])
        wal = next(path.glob("*.log"))
        bytes = bytearray(wal.read_bytes())
        bytes[50_000] ^= 1
        wal.write_bytes(bytes)
        with self.open(OURS, path):
            pass
        self.assertRegex((path / "LOG").read_text(), rf"\[ERROR\] {wal.name}@\d+: .*bytes are left out")


if __name__ == "__main__":
    OURS, THEIRS = (Library(path) for path in sys.argv[1:3])
    VARVE = sys.argv[3]
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)
