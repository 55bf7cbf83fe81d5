#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damage in a log: every read says that it is partial, every write needs consent, and RocksDB opens
what a write that had it leaves behind.

    recovery_test.py VARVE FIXTURES LDB [unittest arguments]"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import harness

VARVE, FIXTURES, LDB = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
DAMAGED = FIXTURES / "db/damaged/flip_first_record_wal5"  # w3_* are in front of the damage.
TORN = FIXTURES / "db/damaged/torn_last_wal"
SEEN, HIDDEN = "w3_0_0", "w5_0_0"


def run(*words, stdin=b""):
    return subprocess.run([*map(os.fsencode, map(str, words))], input=stdin, capture_output=True,
                          timeout=120)


def recyclable_record(log, payload):
    """As harness.log_record(), with the header of a log that is used again."""
    return harness.log_record(5, payload, struct.pack("<I", log))


def contents(directory):
    return {str(path.relative_to(directory)): path.read_bytes()
            for path in sorted(directory.rglob("*")) if path.is_file() and path.name != "LOCK"}


class Case(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-recovery-"))
        self.addCleanup(shutil.rmtree, self.home, True)

    def copy(self, fixture):
        db = pathlib.Path(tempfile.mkdtemp(dir=self.home)) / "db"
        shutil.copytree(fixture, db)
        return db

    def expect(self, code, *words, stdin=b""):
        done = run(VARVE, *words, stdin=stdin)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done


class Sequences(Case):
    def test_a_batch_with_sequence_0_is_damage_for_all(self):
        """No write is given it. In a memtable it would be newer than the tables, and in a scan older."""
        db = self.home / "db"
        self.expect(0, "put", "--create", db, "key", "old")
        self.expect(0, "compact", db)
        self.expect(0, "put", db, "key", "new")
        log, = db.glob("*.log")
        header, batch = log.read_bytes()[:7], log.read_bytes()[7:]
        self.assertEqual((header[6], batch[8:]), (1, b"\1\0\0\0\1\3key\3new"))
        log.write_bytes(harness.log_record(1, bytes(8) + batch[8:]))
        self.assertIn(b"sequence 0", self.expect(4, "db", "verify", db).stdout)
        self.assertIn(b"sequence 0", self.expect(4, "put", db, "other", "value").stderr)
        for verb in (["get", db, "key"], ["scan", db]):
            done = self.expect(7, *verb)
            self.assertIn(b"sequence 0", done.stderr)
            self.assertIn(b"old", done.stdout)
        self.expect(0, "put", db, "other", "value", "--accept-loss")
        self.assertEqual(self.expect(0, "get", db, "key").stdout, b"old\n")


class FirstRecord(Case):
    def test_each_bit_of_the_first_header_is_damage_while_records_follow(self):
        """One of them makes its header one of a reused file, whose rest would be of no account."""
        db = self.home / "db"
        groups = b"".join(b"put\tkey%d\tvalue\n\n" % i for i in range(50))
        self.expect(0, "batch", "--create", db, stdin=groups)
        log, = (path for path in db.glob("*.log") if path.stat().st_size > 0)
        sound = log.read_bytes()
        for bit in range(8 * 12):
            flipped = bytearray(sound)
            flipped[bit // 8] ^= 1 << bit % 8
            log.write_bytes(flipped)
            with self.subTest(bit=bit):
                self.assertIn(b"INCOMPLETE: " + log.name.encode(),
                              self.expect(7, "count", db).stderr)
        log.write_bytes(sound[:6] + bytes([sound[6] ^ 4]) + sound[7:])
        self.expect(4, "db", "verify", db)
        before = contents(db)
        self.expect(4, "put", db, "other", "value")
        self.assertEqual(contents(db), before)
        self.expect(0, "put", db, "other", "value", "--accept-loss")
        self.assertEqual((db / "lost" / log.name).read_bytes()[7:], sound[7:])


def batch(sequence, key, value):
    """Of a put, as a log holds it."""
    return (struct.pack("<QI", sequence, 1) + b"\1" + bytes([len(key)]) + key +
            bytes([len(value)]) + value)


class EndsOfLogs(Case):
    """Every verb makes the same of the place where a log cannot be read on."""

    def logged(self, *records):
        """A database whose log is these records, and the log."""
        shutil.rmtree(self.home / "db", True)
        db = self.home / "db"
        self.expect(0, "put", "--create", db, "a", "1")
        log, = db.glob("*.log")
        if records:
            log.write_bytes(b"".join(records))
        return db, log

    def agree(self, db, log, damage):
        code = 4 if damage else 0
        read = 7 if damage else 0
        for verb in (["scan", db], ["dump", db], ["db", "info", db], ["db", "space", db],
                     ["db", "repair", db, "--dry-run"]):
            self.expect(read, *verb)
        self.expect(code, "db", "verify", db)
        for verb in (["segments", db], ["records", db, int(log.stem)],
                     ["layout", db, int(log.stem)]):
            for form in ([], ["--json"], ["-F", "jsonl"], ["-F", "csv"]):
                self.expect(code, "wal", *verb, *form)

    def test_a_torn_end_is_not_damage_for_any(self):
        records = [harness.log_record(1, batch(n + 1, key, b"value"))
                   for n, key in enumerate((b"a", b"b", b"c"))]
        whole = b"".join(records)
        old = recyclable_record(2, batch(1, b"old", b"value"))
        reused = lambda number: [recyclable_record(number, batch(n + 1, key, b"value"))
                                 for n, key in enumerate((b"a", b"b"))]
        number = int(self.logged()[1].stem)
        ends = {"a wrong last byte": whole[:-1] + b"X",
                "zeros for the last bytes": whole[:-12] + bytes(12 + 4096),
                "cut": whole[:-1],
                "in a reused file": b"".join(reused(number))[:-3] + b"XXX" + old,
                "in a reused file, within an old record": b"".join(reused(number)) + old[5:] + old}
        for what, bytes_of_log in ends.items():
            with self.subTest(what):
                db, log = self.logged(bytes_of_log)
                self.agree(db, log, damage=False)
                rows = self.expect(0, "wal", "records", db, number, "-F", "jsonl").stdout
                self.assertTrue(json.loads(rows.splitlines()[-2])["unfinished"])

    def test_bytes_before_a_whole_record_are_damage_for_all(self):
        records = [harness.log_record(1, batch(n + 1, key, b"value"))
                   for n, key in enumerate((b"a", b"b", b"c"))]
        long = records[1][:4] + b"\xff\x0f" + records[1][6:]  # Hides the third.
        number = int(self.logged()[1].stem)
        own = recyclable_record(number, batch(1, b"a", b"value"))
        old = recyclable_record(2, bytes(32768 - len(own) - 11))
        behind = recyclable_record(number, batch(2, b"b", b"value"))
        for what, bytes_of_log in {
                "a wrong length": records[0] + long + records[2],
                "a wrong byte": records[0] + records[1][:-1] + b"X" + records[2],
                "an old record within a reused file": own + old + behind}.items():
            with self.subTest(what):
                db, log = self.logged(bytes_of_log)
                self.agree(db, log, damage=True)
                rows = self.expect(4, "wal", "records", db, number, "-F", "jsonl").stdout
                self.assertIs(json.loads(rows.splitlines()[1])["unfinished"], False)

    def test_a_torn_log_that_a_later_one_continues_is_whole(self):
        first = harness.log_record(1, batch(1, b"a", b"1"))
        torn = first + harness.log_record(1, batch(2, b"lost", b"2"))[:-1]
        again = harness.log_record(1, batch(2, b"b", b"3"))
        later = harness.log_record(1, batch(5, b"b", b"3"))
        for what, second, damage in (("goes on", again, False), ("empty", b"", False),
                                     ("torn, too", again[:-1], False), ("a hole", later, True)):
            with self.subTest(what):
                db, log = self.logged(torn)
                (db / f"{int(log.stem) + 1:06}.log").write_bytes(second)
                read, code = (7, 4) if damage else (0, 0)
                for verb in (["count", db], ["db", "space", db], ["db", "repair", db, "--dry-run"]):
                    self.expect(read, *verb)
                self.expect(code, "db", "verify", db)
                self.expect(code, "put", db, "n", "1")
                self.expect(code, "db", "verify", db)

    def test_an_unreadable_log_is_an_error(self):
        db, log = self.logged()
        log.unlink()
        os.mkfifo(log)
        self.expect(3, "scan", db)
        for form in ([], ["--json"], ["-F", "jsonl"], ["-F", "csv"]):
            self.assertIn(log.name.encode(), self.expect(3, "wal", "segments", db, *form).stderr +
                          self.expect(3, "wal", "segments", db, *form).stdout)
            done = self.expect(7, "db", "info", db, *form)
            self.assertIn(log.name.encode(), done.stdout if "json" in form else done.stderr +
                          done.stdout)


class DamagedManifest(Case):
    def test_a_log_is_shown_in_every_form(self):
        db = self.copy(FIXTURES / "db/rocksdb-7.8.3/multi_cf")
        manifest = db / "MANIFEST-000005"
        sound = manifest.read_bytes()
        manifest.write_bytes(sound[:100] + bytes([sound[100] ^ 0x40]) + sound[101:])
        for verb in ("records", "layout"):
            for form in ([], ["--json"], ["-F", "jsonl"], ["-F", "csv"]):
                with self.subTest(verb=verb, form=form):
                    alone = self.expect(0, "wal", verb, db / "000018.log", *form)
                    done = self.expect(4, "wal", verb, db, 18, *form)
                    if "csv" in form or not form:
                        self.assertEqual(done.stdout, alone.stdout)
                        self.assertIn(b"MANIFEST-000005", done.stderr)
                    else:
                        self.assertIn(b"MANIFEST-000005", done.stdout)
                        self.assertGreater(len(done.stdout), len(alone.stdout) // 2)


class TrackedLogs(Case):
    """As RocksDB's track_and_verify_wals_in_manifest has it, which refuses what lacks a log."""

    def tracked(self):
        """A database whose MANIFEST says how much of its log was synced, and the log."""
        db = self.home / "tracked"
        self.expect(0, "put", "--create", db, "key", "value")
        log, = db.glob("*.log")
        manifest = db / (db / "CURRENT").read_text().strip()
        wal = bytes([int(log.stem), 2, log.stat().st_size, 1])  # Number, size, end.
        edit = b"\x87\x40" + bytes([len(wal)]) + wal
        with manifest.open("ab") as out:
            out.write(harness.log_record(1, edit))
        return db, log

    def test_a_missing_log_is_a_loss_for_all(self):
        db, log = self.tracked()
        self.expect(0, "get", db, "key")
        self.expect(0, "db", "verify", db)
        log.unlink()
        for verb in (["get", db, "key"], ["scan", db], ["db", "info", db]):
            self.assertIn(b"is missing; the MANIFEST says", self.expect(7, *verb).stderr)
        self.expect(4, "db", "verify", db)
        self.expect(4, "put", db, "other", "value")
        out = self.home / "out"
        for verb in (["db", "repair", db, "--dry-run"], ["db", "repair", db, "-o", out]):
            self.assertIn(b"is missing; the MANIFEST says", self.expect(7, *verb).stdout)
        self.expect(0, "db", "verify", out)


class Reads(Case):
    VERBS = [["scan", "DB"], ["scan", "DB", "--versions"], ["scan", "DB", "--all-cfs"],
             ["count", "DB"], ["get", "DB", SEEN], ["get", "DB", HIDDEN],
             ["multiget", "DB", SEEN, HIDDEN], ["explain", "get", "DB", HIDDEN],
             ["explain", "multiget", "DB", SEEN, HIDDEN], ["explain", "scan", "DB"],
             ["locate", "DB", HIDDEN], ["db", "info", "DB"], ["db", "info", "DB", "--digest"],
             ["diff", "DB", "DB"], ["diff", TORN, "DB"]]

    def test_partial_answers_say_so_on_standard_error_even_if_quiet(self):
        for verb in [*self.VERBS, ["dump", "DB"]]:
            with self.subTest(verb):
                words = [str(DAMAGED) if word == "DB" else word for word in verb]
                before = contents(DAMAGED)
                done = self.expect(7, *words, "-q")
                self.assertIn(b"INCOMPLETE: 000005.log@0: ", done.stderr)
                self.assertEqual(contents(DAMAGED), before)

    def test_rows_are_not_all_and_standard_error_says_so(self):
        for verb in self.VERBS:
            if verb == ["db", "info", "DB", "--digest"] or verb[0] == "diff":
                continue
            words = [str(DAMAGED) if word == "DB" else word for word in verb]
            for form in ("csv", "tsv"):
                with self.subTest(verb, form=form):
                    done = self.expect(7, *words, "-F", form)
                    self.assertEqual(done.stderr.count(b"INCOMPLETE: 000005.log@0: "), 1)

    def test_help_says_that_they_may_be_partial(self):
        commands = json.loads(self.expect(0, "help", "--json").stdout)["commands"]
        codes = {command["name"]: command["exit_codes"] for command in commands}
        for verb in [*self.VERBS, ["dump", "DB"], ["db", "space", "DB"]]:
            name = verb[0] if verb[0] in codes else " ".join(verb[:2])
            with self.subTest(name):
                self.assertIn(", 7 ", codes[name])

    def test_partial_answers_say_so_in_json(self):
        for verb in self.VERBS:
            with self.subTest(verb):
                words = [str(DAMAGED) if word == "DB" else word for word in verb]
                answer = json.loads(self.expect(7, *words, "--json").stdout)
                loss = answer["recovery"]["losses"][0]
                self.assertEqual((loss["file"], loss["offset"]), ("000005.log", 0))
                self.assertGreater(loss["size"], 0)
                self.assertFalse(answer.get("exact", False) or answer.get("complete", False))

    def test_the_last_of_json_lines_says_so(self):
        for verb in (["scan", DAMAGED], ["diff", DAMAGED, TORN], ["diff", TORN, DAMAGED],
                     ["diff", DAMAGED, DAMAGED, "--brief"]):
            with self.subTest(verb):
                lines = self.expect(7, *verb, "-F", "jsonl").stdout.splitlines()
                end = json.loads(lines[-1])
                self.assertFalse(end["complete"])
                self.assertEqual(end["recovery"]["losses"][0]["file"], "000005.log")

    def test_a_torn_tail_does_not_make_an_answer_partial(self):
        self.assertIn(b"warning: 000007.log@", self.expect(0, "scan", TORN).stderr)
        answer = json.loads(self.expect(0, "scan", TORN, "--json").stdout)
        self.assertTrue(answer["complete"] and answer["exact"])
        self.expect(0, "get", TORN, SEEN)
        self.expect(1, "get", TORN, "absent")


class Writes(Case):
    def verbs(self, db):
        records, table = self.home / "records.tsv", self.home / "table.sst"
        records.write_text("k\tv\n")
        if not table.exists():
            self.expect(0, "sst", "build", table, records)
        return [["put", db, "k", "v"], ["delete", db, SEEN], ["compact", db],
                ["load", db, records], ["checkpoint", db, self.home / "copy"],
                ["batch", db], ["ingest", db, table], ["cf", "create", db, "more"],
                ["db", "set-options", db, "compression=zstd"]]

    def write(self, code, verb):
        return self.expect(code, *verb, stdin=b"put\tk\tv\n" if verb[0] == "batch" else b"")

    def test_without_consent_nothing_is_changed(self):
        db = self.copy(DAMAGED)
        before = contents(db)
        for verb in self.verbs(db):
            with self.subTest(verb):
                done = self.write(4, verb)
                self.assertIn(b"000005.log@0", done.stderr)
                self.assertIn(b"--accept-loss", done.stderr)
                self.assertEqual(contents(db), before)

    def test_with_consent_the_log_is_kept(self):
        log = (DAMAGED / "000005.log").read_bytes()
        for i in range(len(self.verbs(self.home))):
            db = self.copy(DAMAGED)
            verb = self.verbs(db)[i]
            with self.subTest(verb):
                shutil.rmtree(self.home / "copy", True)
                done = self.write(0, [*verb, "--accept-loss"])
                self.assertIn(b"LOST: 000005.log@0", done.stderr)
                self.assertEqual((db / "lost/000005.log").read_bytes(), log)
                self.expect(0, "count", db)  # What is left is whole.
                ldb = run(LDB, f"--db={db}", "scan")
                self.assertEqual(ldb.returncode, 0, ldb.stderr)
                if verb[0] != "delete":
                    self.assertIn(SEEN.encode(), ldb.stdout)

    def test_a_torn_tail_needs_no_consent(self):
        self.expect(0, "put", self.copy(TORN), "k", "v")


class Bills(Case):
    def test_verify_repair_and_its_dry_run_agree(self):
        for fixture, lost in ((DAMAGED, True), (TORN, False)):
            with self.subTest(fixture.name):
                self.expect(4 if lost else 0, "db", "verify", fixture)
                code = 7 if lost else 0
                out = self.home / f"repaired-{lost}"
                dry = json.loads(self.expect(code, "db", "repair", fixture, "--dry-run",
                                             "--json").stdout)
                done = json.loads(self.expect(code, "db", "repair", fixture, "-o", out,
                                              "--json").stdout)
                self.assertEqual(dry["log_losses"], done["log_losses"])
                self.assertEqual(dry["log_batches"], done["log_batches"])
                self.assertEqual(dry["complete"], not lost)
                self.assertEqual(done["complete"], not lost)
                self.expect(0, "db", "verify", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=1)
