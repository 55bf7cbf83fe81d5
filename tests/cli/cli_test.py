#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line's contract: exit codes, formats, literals, ranges, traces left behind.

    cli_test.py VARVE FIXTURES [unittest arguments]"""
import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import harness
from harness import varve

VARVE, FIXTURES = harness.VARVE, pathlib.Path(sys.argv[2])


class Case(harness.Case):
    def load(self, records, *flags, code=0):
        return self.ok("load", self.db, "-", *flags, stdin=records, code=code)


class ExitCodes(Case):
    def test_found_and_absent(self):
        self.load("k\tv\n")
        self.assertEqual(self.ok("get", self.db, "k").stdout, b"v\n")
        absent = self.ok("get", self.db, "nope", code=1)
        self.assertEqual(absent.stdout, b"")

    def test_usage(self):
        for words in ([], ["mutliget"], ["get"], ["get", "x"], ["get", "x", "hex:0", ],
                      ["get", "x", "y", "z"], ["scan", "x", "--no-such-flag"],
                      ["scan", "x", "--limit", "many"], ["db"], ["scan", "x", "-F", "xml"],
                      ["load", "x", "-", "--option", "no_such_option=1"],
                      ["load", "x", "-", "--option", "format_version=99"]):
            with self.subTest(words):
                self.ok(*words, code=2)

    def test_usage_is_the_same_in_every_format(self):
        self.load("k\tv\n")
        table = next(self.db.glob("*.sst"))
        for words in (["db", "info", self.db, "--option", "no_such_option=1"],
                      ["get", self.db, "k", "--option", "no_such_option=1"],
                      ["sst", "blocks", table, "--kind", "no_such_kind"]):
            for form in ("text", "json", "jsonl"):
                with self.subTest(words, form=form):
                    self.ok(*words, "-F", form, code=2)

    def test_the_nearest_command_is_suggested(self):
        self.assertIn(b"'multiget'", varve("mutliget").stderr)
        self.assertEqual(varve("mutliget").stderr.count(b"\n"), 1)

    def test_no_such_file(self):
        for words in (["get", self.db, "k"], ["scan", self.db], ["db", "info", self.db],
                      ["db", "verify", self.db], ["sst", "info", self.db]):
            with self.subTest(words):
                done = self.ok(*words, code=3)
                self.assertEqual(done.stderr.count(b"\n"), 1)
                self.assertIn(os.fsencode(str(self.db)), done.stderr)
        self.assertFalse(self.db.exists())

    def test_busy(self):
        self.load("k\tv\n")
        holder = subprocess.Popen([VARVE, "batch", str(self.db)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        try:
            holder.stdin.write(b"put\ta\t1\n\n")
            holder.stdin.flush()
            self.assertTrue(holder.stdout.readline().startswith(b"committed"))
            self.ok("put", self.db, "x", "y", code=5)
            # Readers need no lock and see what was committed.
            self.assertEqual(self.ok("get", self.db, "a").stdout, b"1\n")
        finally:
            holder.stdin.close()
            holder.wait()
            holder.stdout.close()
        self.ok("put", self.db, "x", "y")

    def test_corruption_is_4_and_located(self):
        self.load("".join(f"key{i:05}\tvalue{i}\n" for i in range(5000)))
        table = next(self.db.glob("*.sst"))
        damaged = bytearray(table.read_bytes())
        damaged[len(damaged) // 3] ^= 0x40
        table.write_bytes(damaged)
        done = self.ok("db", "verify", self.db, code=4)
        self.assertIn(table.name.encode(), done.stdout)
        self.assertRegex(done.stdout.decode(), rf"{table.name}@\d+: .*checksum")
        scan = self.ok("scan", self.db, code=4)
        self.assertRegex(scan.stderr.decode(), rf"{table.name}@\d+")

    def test_unsupported_is_6_and_named(self):
        seen = set()
        for name, word in (("r78_plain_table.sst", "PlainTable"),
                           ("r78_cuckoo_table.sst", "Cuckoo")):
            path = FIXTURES / "sst" / name
            if path.exists():
                done = self.ok("sst", "info", path, code=6)
                self.assertIn(word, done.stderr.decode())
                seen.add(word)
        self.assertIn("PlainTable", seen)

    def test_partial(self):
        done = self.load("good\t1\nbad line\nalso\t2\nesc\\q\t3\n", code=7)
        self.assertIn(b"-:2: rejected: no tab", done.stderr)
        self.assertIn(b"-:4: rejected: key: ", done.stderr)
        self.assertEqual(self.ok("scan", self.db).stdout, b"also\t2\ngood\t1\n")

    def test_a_closed_pipe_is_silent(self):
        self.load("".join(f"key{i:05}\t{'v' * 100}\n" for i in range(20000)))
        script = f"{VARVE} scan {self.db} | head -1; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", script], capture_output=True, timeout=60)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(done.stdout.splitlines()[1], str(128 + signal.SIGPIPE).encode())

    def test_random_words_never_crash(self):
        self.load("k\tv\n")
        rng = random.Random(7)
        pool = ["get", "scan", "db", "info", "sst", "entries", "load", "--", "-", "--limit", "-1",
                "9" * 30, "hex:", "hex:zz", "esc:\\", "@/nope", "u64be:x", "--from", "", "--json",
                str(self.db), "-F", "jsonl", "--cf", "\u00fc", "[a,b]", "{}", "--option", "a=b"]
        for _ in range(150):
            words = [rng.choice(pool) for _ in range(rng.randrange(6))]
            if words[:1] == ["load"] or "-" in words:
                continue
            with self.subTest(words):
                self.assertIn(varve(*words).returncode, (0, 1, 2, 3, 4, 5, 6, 7, 8))


class Literals(Case):
    def test_every_form(self):
        for literal, stored in (("plain", b"plain"), ("hex:00ff", b"\x00\xff"),
                                ("b64:AP8=", b"\x00\xff"), ("esc:a\\x00\\n", b"a\x00\n"),
                                ("u64be:258", b"\0\0\0\0\0\0\1\2"), ("utf8:hex:1", b"hex:1"),
                                ("[a,b]", b"[a,b]"), ("{}", b"{}"), ("", b"")):
            with self.subTest(literal):
                self.ok("put", self.db, literal, "v", "--create")
                got = json.loads(self.ok("get", self.db, literal, "--json").stdout)
                self.assertEqual(bytes.fromhex(got["key"]["hex"]), stored)

    def test_files_and_standard_input(self):
        blob = bytes(range(256)) * 100
        (self.home / "blob").write_bytes(blob)
        self.ok("put", self.db, "f", f"@{self.home}/blob", "--create")
        self.ok("put", self.db, "s", "-", stdin=blob)
        self.assertEqual(self.ok("get", self.db, "f", "-F", "raw").stdout, blob)
        self.assertEqual(self.ok("get", self.db, "s", "-F", "raw").stdout, blob)

    def test_a_default_encoding(self):
        self.ok("put", self.db, "6b31", "7631", "--key-in", "hex", "--value-in", "hex", "--create")
        self.assertEqual(self.ok("get", self.db, "k1").stdout, b"v1\n")


class RoundTrips(Case):
    def records(self, count=400):
        rng = random.Random(11)
        pairs = {b"": b"empty key", b" ==> ": b" ==> ", b"#cf\tx": b"#end", b"new\nline": b"\r\n\t\\",
                 b"\0": b"\0\0", b"\xff" * 9: b"", b"\xc3\x28": b"\xed\xa0\x80", "ü€😀".encode(): b"x"}
        for _ in range(count):
            pairs[rng.randbytes(rng.randrange(1, 40))] = rng.randbytes(rng.randrange(60))
        return pairs

    def fill(self):
        pairs = self.records()
        esc = lambda b: "".join(f"\\x{c:02x}" for c in b)
        self.load("".join(f"{esc(k)}\t{esc(v)}\n" for k, v in pairs.items()))
        return pairs

    def check_copy(self, copy):
        self.ok("diff", self.db, copy)
        digest = lambda db: json.loads(self.ok("db", "info", db, "--digest", "--json").stdout)["digest"]
        self.assertEqual(digest(self.db), digest(copy))

    def test_dump_and_load(self):
        pairs = self.fill()
        dump = self.ok("dump", self.db).stdout
        self.assertEqual(dump.count(b"\n"), len(pairs) + 3)
        self.ok("load", self.home / "copy", "-", stdin=dump)
        self.check_copy(self.home / "copy")

    def test_a_cut_or_changed_dump_is_noticed(self):
        self.fill()
        lines = self.ok("dump", self.db).stdout.splitlines(keepends=True)
        self.ok("load", self.home / "cut", "-", stdin=b"".join(lines[:-1]), code=7)
        self.ok("load", self.home / "less", "-", stdin=b"".join(lines[:5] + lines[6:]), code=7)

    def test_every_text_format_comes_back(self):
        pairs = self.fill()
        for fmt in ("text", "jsonl", "csv"):
            with self.subTest(fmt):
                out = self.ok("scan", self.db, "-F", fmt).stdout
                copy = self.home / fmt
                self.ok("load", copy, "-", "--input-format", {"text": "tsv"}.get(fmt, fmt),
                        stdin=out)
                if fmt == "csv":  # Bytes that are not UTF-8 pass as they are.
                    self.assertEqual(len(pairs), int(self.ok("count", copy).stdout))
                self.check_copy(copy)

    def test_nul_format(self):
        self.load("a\t1\nb\t2\n")
        out = self.ok("scan", self.db, "-F", "nul").stdout
        self.assertEqual(out, b"a\x001\x00b\x002\x00")
        self.ok("load", self.home / "copy", "-", "--input-format", "nul", stdin=out)
        self.check_copy(self.home / "copy")
        # A record that the format cannot hold is not written as two.
        self.ok("put", self.db, "c", "hex:3100")
        done = self.ok("scan", self.db, "-F", "nul", code=2)
        self.assertEqual(done.stdout, out)
        self.assertIn(b"NUL", done.stderr)

    def test_gzip_and_zstd_are_recognised(self):
        text = "".join(f"key{i:06}\tvalue{i}\n" for i in range(30000)).encode()
        (self.home / "in.bin").write_bytes(gzip.compress(text[:9]) + gzip.compress(text[9:]))
        self.ok("load", self.db, self.home / "in.bin")
        self.assertEqual(self.ok("count", self.db).stdout, b"30000\n")
        (self.home / "cut").write_bytes(gzip.compress(text)[:-100])
        done = self.ok("load", self.home / "x", self.home / "cut", code=4)
        self.assertIn(b"cut short", done.stderr)

    def test_families_survive(self):
        lines = ('{"cf":"a","key":"k","value":"1"}\n{"cf":"b","key":"k","value":"2"}\n'
                 '{"key":"k","value":"3"}\n')
        self.load(lines, "--input-format", "jsonl")
        dump = self.ok("dump", self.db).stdout
        self.ok("load", self.home / "copy", "-", stdin=dump)
        self.ok("diff", self.db, self.home / "copy", "--all-cfs")
        self.assertEqual(self.ok("get", self.home / "copy", "k", "--cf", "b").stdout, b"2\n")
        self.assertEqual(self.ok("scan", self.db, "--all-cfs").stdout, b"default\tk\t3\na\tk\t1\nb\tk\t2\n")


class Loading(Case):
    def test_the_last_of_equal_keys_wins_whatever_the_memory(self):
        text = "".join(f"k{i % 5000:04}\t{i}-{'x' * 200}\n" for i in range(20000))
        self.load(text, "--mem", "1M")
        self.assertEqual(self.ok("count", self.db).stdout, b"5000\n")
        self.assertTrue(self.ok("get", self.db, "k0007").stdout.startswith(b"15007-"))
        self.load("k0007\tnew\n")
        self.assertEqual(self.ok("get", self.db, "k0007").stdout, b"new\n")
        self.assertEqual([p.name for p in self.db.iterdir() if p.is_dir()], [])

    def test_sorted_input(self):
        text = "".join(f"k{i:06}\t{i}\n" for i in range(50000))
        self.load(text, "--sorted", "--option", "compression=zstd", "--option",
                  "target_file_size_base=40000")
        self.assertEqual(self.ok("count", self.db).stdout, b"50000\n")
        self.assertGreater(len(list(self.db.glob("*.sst"))), 2)
        self.ok("db", "verify", self.db)
        done = varve("load", self.home / "x", "-", "--sorted", stdin="b\t1\na\t2\nc\t3\n")
        self.assertEqual(done.returncode, 7)
        self.assertIn(b"-:2: rejected: not after the key before it", done.stderr)

    def test_csv_columns(self):
        self.load('id,name,x\r\n7,"Smith, ""J""",y\r\n8,"two\nlines",z\r\n', "--input-format", "csv",
                  "--key-column", "id", "--value-column", "name")
        self.assertEqual(self.ok("get", self.db, "7").stdout, b'Smith, "J"\n')
        self.assertEqual(self.ok("get", self.db, "8").stdout, b"two\\nlines\n")

    def test_a_table_as_input(self):
        self.load("".join(f"k{i:04}\t{i}\n" for i in range(1000)))
        table = next(self.db.glob("*.sst"))
        shutil.copy(table, self.home / "x")  # The suffix does not matter.
        self.ok("load", self.home / "copy", self.home / "x")
        self.ok("diff", self.db, self.home / "copy")

    def test_sst_build(self):
        out = self.home / "out.sst"
        self.ok("sst", "build", out, "-", stdin="b\t2\na\t1\nb\t3\n")
        self.assertEqual(self.ok("sst", "entries", out).stdout, b"a\t0\tput\t1\nb\t0\tput\t3\n")
        self.ok("sst", "build", out, "-", stdin="b\t2\n", code=8)
        info = json.loads(self.ok("sst", "info", out, "--json").stdout)
        self.assertEqual(info["schema"], "varve.file/1")
        self.assertEqual(info["file"]["entries"], 2)


class Reading(Case):
    def setUp(self):
        super().setUp()
        self.load("".join(f"{p}{i}\t{i}\n" for p in "abc" for i in range(10)))

    def keys(self, *flags):
        return self.ok("scan", self.db, "--keys-only", *flags).stdout.decode().split()

    def test_ranges_are_half_open(self):
        self.assertEqual(self.keys("--from", "b", "--to", "b3"), ["b0", "b1", "b2"])
        self.assertEqual(self.keys("--prefix", "c", "--limit", "2"), ["c0", "c1"])
        self.assertEqual(self.keys("--from", "b8", "--to", "c1", "--reverse"), ["c0", "b9", "b8"])
        self.assertEqual(len(self.keys()), 30)
        self.ok("scan", self.db, "--prefix", "a", "--from", "b", code=2)

    def test_jsonl_ends_with_its_count(self):
        lines = self.ok("scan", self.db, "--limit", "3", "-F", "jsonl").stdout.splitlines()
        self.assertEqual(json.loads(lines[-1]), {"end": True, "count": 3, "complete": False})
        self.assertEqual(json.loads(lines[0]),
                         {"key": {"hex": "6130", "text": "a0", "len": 2},
                          "value": {"hex": "30", "text": "0", "len": 1}})
        whole = json.loads(self.ok("scan", self.db, "--json").stdout)
        self.assertEqual((whole["count"], whole["complete"]), (30, True))

    def test_multiget(self):
        done = self.ok("multiget", self.db, "b1", "nope", "a0", "b1", code=1)
        self.assertEqual(done.stdout, b"b1\t1\na0\t0\nb1\t1\n")
        self.assertIn(b"absent: nope", done.stderr)

    def test_versions_and_the_past(self):
        self.ok("put", self.db, "a0", "new")
        self.ok("delete", self.db, "a1")
        lines = self.ok("scan", self.db, "--versions", "--prefix", "a0").stdout.decode().splitlines()
        self.assertEqual([l.split("\t")[2:] for l in lines], [["put", "new"], ["put", "0"]])
        newest = int(lines[0].split("\t")[1])
        self.assertEqual(self.ok("get", self.db, "a0", "--at-seq", newest - 1).stdout, b"0\n")
        self.assertEqual(self.ok("get", self.db, "a1", "--at-seq", newest).stdout, b"1\n")
        self.ok("get", self.db, "a1", code=1)
        last = newest + 1  # Of the deletion.
        for words in (["get", self.db, "b1"], ["multiget", self.db, "b1"], ["scan", self.db],
                      ["explain", "get", self.db, "b1"], ["explain", "multiget", self.db, "b1"],
                      ["explain", "scan", self.db], ["locate", self.db, "b1"]):
            for form in ("text", "json"):
                for at in (last + 1, 2**56 - 1):
                    said = self.ok(*words, "-F", form, "--at-seq", at, code=2)
                    self.assertIn(f"sequence {at} does not exist yet: the newest is {last}".encode(),
                                  said.stdout + said.stderr, words)
                self.ok(*words, "-F", form, "--at-seq", last)

    def test_reading_leaves_no_trace(self):
        self.ok("put", self.db, "in-the-log", "1")
        before = fingerprint(self.db)
        for words in (["get", self.db, "a0"], ["scan", self.db], ["multiget", self.db, "a", "b"],
                      ["count", self.db], ["dump", self.db], ["db", "info", self.db, "--digest"],
                      ["db", "verify", self.db], ["diff", self.db, self.db],
                      ["scan", self.db, "--versions"],
                      ["sst", "info", next(self.db.glob("*.sst"))],
                      ["sst", "entries", next(self.db.glob("*.sst"))]):
            varve(*words)
            self.assertEqual(fingerprint(self.db), before, words)

    # Verbs of an inspection noun that make something: their own tests say where.
    MAKE = {"sst build", "sst salvage", "db repair", "db set-options"}
    NOUNS = ("db", "lsm", "sst", "manifest", "wal", "explain", "locate", "filter")

    def words_for(self, command):
        """Arguments with which an inspection verb has something to show."""
        table = next(self.db.glob("*.sst"))
        known = {"target": self.db, "file": table, "key": "a0", "keys": "a0", "from": "a",
                 "offset": "0", "block": "0", "db": self.db}
        if command["name"].startswith("sst "):
            known["target"] = table
        words = command["name"].split()
        for parameter in command["parameters"]:
            if parameter["positional"] and parameter["required"]:
                self.assertIn(parameter["name"], known, command["name"])
                words.append(known[parameter["name"]])
        if command["name"] in ("wal records", "wal layout"):
            words.append(str(int(next(self.db.glob("*.log")).stem)))
        if command["name"] == "sst recompress":
            words.append("--compare")
        return words

    def test_no_inspection_verb_leaves_a_trace(self):
        self.ok("put", self.db, "in-the-log", "1")
        before = fingerprint(self.db)
        walked = set()
        for command in json.loads(self.ok("help", "--json").stdout)["commands"]:
            name = command["name"]
            if name.split()[0] not in self.NOUNS or name in self.MAKE:
                continue
            words = self.words_for(command)
            for more in ([], ["--json"], ["-F", "jsonl"]):
                with self.subTest([*words, *more]):
                    done = varve(*words, *more)
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                    self.assertEqual(fingerprint(self.db), before)
            walked.add(name)
        self.assertLessEqual({"db info", "db verify", "db options", "db events", "lsm show",
                              "lsm files", "lsm history", "manifest edits", "manifest show",
                              "wal segments", "wal records", "sst info", "sst entries"}, walked)

    def test_a_read_only_directory_can_be_inspected(self):
        self.ok("put", self.db, "in-the-log", "1")
        for path in self.db.iterdir():
            path.chmod(0o444)
        self.db.chmod(0o555)
        try:
            for words in (["lsm", "show"], ["lsm", "history"], ["manifest", "edits"],
                          ["wal", "segments"], ["db", "options"], ["db", "verify"]):
                self.ok(*words, self.db)
        finally:
            self.db.chmod(0o755)

    def test_changes_are_said(self):
        self.assertIn(b"put x", self.ok("put", self.db, "x", "y").stderr)
        self.assertIn(b"wrote 1 deletion", self.ok("delete", self.db, "x").stderr)
        self.ok("delete", self.db, "--from", "b", "--to", "c")
        self.assertEqual(len(self.keys()), 20)
        self.assertIn(b"after:", self.ok("compact", self.db).stderr)
        self.assertEqual(len(self.keys()), 20)

    def test_chosen_tables_are_compacted_into_a_level(self):
        self.ok("compact", self.db)
        keys = self.keys()
        tables = sorted(path.name for path in self.db.glob("*.sst"))
        [row] = json.loads(self.out("lsm", "files", self.db, "--json"))["files"]
        self.assertEqual(row["level"], 6)
        words = [word for table in tables for word in ("--table", table)]
        self.ok("compact", self.db, *words, "--into", "6")
        rewritten = sorted(path.name for path in self.db.glob("*.sst"))
        self.assertNotEqual(rewritten, tables)
        self.assertEqual(self.keys(), keys)
        for more in (["--into", "6", *words], ["--into", "3", "--table", rewritten[0]], ["--into", "6"],
                     ["--table", rewritten[0]], ["--table", rewritten[0], "--into", "6", "--force"]):
            self.ok("compact", self.db, *more, code=2)
        self.assertEqual(sorted(path.name for path in self.db.glob("*.sst")), rewritten)

    def test_checkpoint_and_diff(self):
        copy = self.home / "copy"
        self.ok("checkpoint", self.db, copy)
        self.ok("diff", self.db, copy)
        self.ok("put", copy, "a0", "changed")
        self.ok("put", copy, "zz", "new")
        self.ok("delete", copy, "b0")
        done = self.ok("diff", self.db, copy, code=1)
        self.assertEqual(done.stdout, b"~\ta0\tchanged\n-\tb0\t0\n+\tzz\tnew\n")

    def test_diff_of_databases_whose_comparator_has_no_name(self):
        minimal = FIXTURES / "db" / "hand" / "hand_minimal"  # Its MANIFEST says as little as it may.
        self.ok("diff", minimal, minimal)
        self.assertTrue(json.loads(self.ok("diff", minimal, minimal, "--json").stdout)["equal"])

    def test_a_checkpoint_removes_only_what_checkpoints_left(self):
        place, copy = self.home / "copy.checkpoint", self.home / "copy"
        place.mkdir()
        (place / "MANIFEST-000007").write_text("cut short")
        self.ok("checkpoint", self.db, copy)
        self.assertFalse(place.exists())
        for name in ("notes", "CURRENT"):
            shutil.rmtree(copy, True)
            place.mkdir()
            (place / name).write_text("mine")
            self.assertIn(name.encode(), self.ok("checkpoint", self.db, copy, code=8).stderr)
            self.assertEqual((place / name).read_text(), "mine")
            self.assertFalse(copy.exists())
            shutil.rmtree(place)

    def test_batches(self):
        script = "put\tx\t1\ndelete\ta0\n\ncommit\nmerge\tm\tz\ndelete-range\tb\tc\n"
        done = self.ok("batch", self.db, "--option", "merge_operator=stringappend", stdin=script)
        self.assertEqual(done.stdout, b"committed\t1\t2\ncommitted\t2\t2\n")
        self.ok("batch", self.db, stdin="frobnicate\tx\n", code=2)

    def test_a_batch_reports_what_it_committed_before_an_error(self):
        for form in ("json", "jsonl"):
            for script, what in (("put\tA\t1\n\nput\n", [1, 1, False]),
                                 ("put\tB\t1\nput\tC\t1\ncommit\nput\tD\t1\nput\n", [1, 2, False]),
                                 ("put\tE\t1\n\nput\tF\t1\n", [2, 2, True])):
                done = self.ok("batch", self.db, "--create", "-F", form, stdin=script,
                               code=0 if what[2] else 2)
                said = json.loads(done.stdout)
                self.assertEqual([said[name] for name in ("commits", "changes", "complete")], what)
                self.ok("get", self.db, "A", "--at-seq", said["seq"])
                self.ok("get", self.db, "A", "--at-seq", int(said["seq"]) + 1, code=2)
                self.assertEqual(b"expected put" in done.stderr, not what[2])
            self.ok("get", self.db, "A")
            self.ok("get", self.db, "D", code=1)
            none = self.ok("batch", self.db, "-F", form, stdin="put\tG\t1\nput\n", code=2)
            self.assertEqual(none.stdout, b"")  # Nothing was.

    def test_a_merge_operator_that_is_given_holds_for_that_command(self):
        given = ["--option", "merge_operator=stringappend"]

        def stored(db):
            options = json.loads(self.ok("db", "options", db, "--all", "--json").stdout)["options"]
            return next(row["value"] for row in options if row["name"] == "merge_operator")

        self.ok("batch", self.db, *given, stdin="put\tm\ta\nmerge\tm\tb\n")
        self.assertEqual(stored(self.db), "nullptr")
        self.assertIn(b"varve db set-options", self.ok("batch", self.db, stdin="merge\tm\tc\n", code=6).stderr)
        self.assertEqual(self.ok("get", self.db, "m", *given).stdout, b"a,b\n")
        self.ok("put", self.db, "other", "1")  # Operands in the log are no reason not to open it.
        self.assertEqual(self.ok("get", self.db, "m", *given).stdout, b"a,b\n")
        self.ok("db", "set-options", self.db, "merge_operator=stringappend")
        self.assertEqual(self.ok("get", self.db, "m").stdout, b"a,b\n")
        self.ok("batch", self.db, "--option", "merge_operator=max", stdin="put\tx\t1\n")
        self.assertEqual(stored(self.db), "StringAppendOperator")
        new = self.home / "new"
        self.ok("batch", new, "--create", *given, stdin="merge\tm\ta\n")
        self.assertEqual(stored(new), "StringAppendOperator")

    def test_given_memory_overrides_the_stored_options(self):
        self.ok("db", "set-options", self.db, "write_buffer_size=65536",
                "disable_auto_compactions=true")
        script = "".join(f"put\tkey{i:06}\t{'v' * 100}\ncommit\n" for i in range(4000))
        tables = []
        for words in ((), ("--mem", "1G")):
            copy = self.home / f"copy{len(tables)}"
            shutil.copytree(self.db, copy)
            before = len(list(copy.glob("*.sst")))
            self.ok("batch", copy, *words, stdin=script)
            tables.append(len(list(copy.glob("*.sst"))) - before)
        self.assertGreater(tables[0], tables[1], tables)

    def test_an_option_that_does_not_fit_is_named_once(self):
        for option in ("merge_operator=uint64ad", "compression=zstdd"):
            done = self.ok("put", self.db, "k", "v", "--option", option, code=2)
            self.assertEqual(done.stderr.count(option.split("=")[0].encode()), 1, done.stderr)

    def test_operands_that_nothing_can_merge_are_not_written(self):
        done = self.ok("batch", self.db, stdin="put\tx\t1\nmerge\tm\tz\n", code=6)
        self.assertIn(b"line 2: column family 'default' has no merge operator", done.stderr)
        self.ok("get", self.db, "x", code=1)
        self.ok("count", self.db)

    def test_an_explanation_refuses_what_a_get_refuses(self):
        merged = self.home / "merged"
        self.ok("batch", merged, "--create", "--option", "merge_operator=stringappend",
                stdin="put\tk\ta\nmerge\tk\tb\nput\tz\tend\n")
        self.ok("compact", merged)
        self.ok("batch", merged, stdin="merge\tk\tc\n")
        self.assertEqual(self.ok("get", merged, "k").stdout, b"a,b,c\n")
        self.assertIn(b": found", self.ok("explain", "get", merged, "k").stdout)
        scan = json.loads(self.ok("explain", "scan", merged, "--json").stdout)
        self.assertEqual(scan["result"]["rows"], 2)
        for options in merged.glob("OPTIONS-*"):
            text = options.read_text()
            self.assertIn("merge_operator=StringAppendOperator", text)
            options.write_text(text.replace("StringAppendOperator", "somebody.Else"))
        got = self.ok("get", merged, "k", code=6)
        explained = self.ok("explain", "get", merged, "k", code=6)
        # The operator of the table is known; that of the options is not.
        refusal = b"the key 'k' has merge operands, and its family has no merge operator that is known"
        self.assertIn(refusal, explained.stdout)
        self.assertIn(refusal, got.stderr)
        self.assertIn(b'was written with "StringAppendOperator")', got.stderr)
        self.assertIn(b"--option merge_operator=NAME", got.stderr)
        report = json.loads(self.ok("explain", "get", merged, "k", "--json", code=6).stdout)
        self.assertFalse(report["result"]["found"])
        self.ok("explain", "multiget", merged, "k", "z", code=6)
        self.ok("explain", "get", merged, "z")
        for words in (("get", merged, "k"), ("multiget", merged, "k"), ("scan", merged)):
            for form in ("text", "json"):
                self.ok(*words, "-F", form, code=6)
                given = self.ok(*words, "-F", form, "--option", "merge_operator=stringappend")
                self.assertIn(b"a,b,c", given.stdout)
        self.ok("scan", merged, code=6)
        self.assertIn(b"that is known here", self.ok("explain", "scan", merged, code=6).stdout)
        scan = json.loads(self.ok("explain", "scan", merged, "--json", code=6).stdout)
        problem = scan["result"].pop("problem")
        self.assertEqual(problem["code"], "unsupported_feature")
        self.assertEqual(scan["result"], {"rows": 0, "ended": False})

    def test_a_live_database_can_be_read_all_the_time(self):
        writer = subprocess.Popen(
            [VARVE, "batch", str(self.db), "--option", "write_buffer_size=65536", "--option",
             "level0_file_num_compaction_trigger=2"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        try:
            end = time.monotonic() + 6
            number = 0
            while time.monotonic() < end:
                for _ in range(300):
                    number += 1
                    writer.stdin.write(f"put\tlive{number % 997}\t{'v' * 200}{number}\n\n".encode())
                writer.stdin.flush()
                for words in (["db", "verify", self.db], ["count", self.db],
                              ["get", self.db, "a0"]):
                    done = varve(*words)
                    self.assertEqual(done.returncode, 0, (words, done.stdout, done.stderr))
        finally:
            writer.stdin.close()
            writer.wait()


class Inspecting(Case):
    CURSOR = FIXTURES / "db" / "rocksdb-7.8.3" / "cursor"

    def test_tables_fit_the_terminal_and_are_whole_in_a_pipe(self):
        for database in sorted((FIXTURES / "db" / "rocksdb-7.8.3").iterdir()):
            for words in (["lsm", "show"], ["lsm", "files"], ["lsm", "history"],
                          ["manifest", "edits"], ["manifest", "show"], ["wal", "segments"],
                          ["db", "options"]):
                with self.subTest([*words, database.name]):
                    out, _ = harness.at_a_terminal([*words, database, "--color", "never"])
                    shown = out.decode().replace("\r\n", "\n")
                    self.assertNotIn("\x1b", shown)
                    title = str(database)
                    long = [l for l in shown.split("\n") if len(l) > 80 and title not in l]
                    self.assertEqual(long, [])
                    piped = self.ok(*words, database).stdout.decode()
                    self.assertNotIn("\x1b", piped)
                    if words[0] in ("db", "wal"):
                        self.assertNotIn("...", piped)

    def test_missing_files_and_wrong_options_exit_alike_in_every_format(self):
        blobs = FIXTURES / "db" / "rocksdb-7.8.3" / "blob"
        db = self.home / "without"
        shutil.copytree(blobs, db)
        db.chmod(0o755)
        (db / "000018.blob").unlink()  # All that lies in it is older than what a digest reads.
        for words in (["db", "info"], ["db", "info", "--digest"], ["lsm", "show"],
                      ["manifest", "show"]):
            for form in ("text", "json"):
                with self.subTest(words=words, form=form):
                    done = varve(*words, db, "-F", form)
                    self.assertEqual(done.returncode, 4, done.stderr)
                    self.assertIn("000018.blob", done.stdout.decode())
        for words in (["db", "info"], ["db", "info", "--digest"]):
            for wrong in (["--option", "nosuch=1"], ["--option", "max_open_files=x"], ["--mem", "0"]):
                for form in ("text", "json"):
                    with self.subTest(words=words, wrong=wrong, form=form):
                        self.assertEqual(
                            varve(*words, blobs, *wrong, "-F", form).returncode, 2)

    def test_colours_and_characters_are_only_help(self):
        words = ["lsm", "show", self.CURSOR]
        plain = varve(*words, env={"LC_ALL": "C"}).stdout.decode()
        self.assertTrue(plain.isascii())
        self.assertIn("####", plain)
        coloured = varve(*words, "--color", "always", env={"LC_ALL": "C"}).stdout.decode()
        self.assertIn("\x1b[1m", coloured)
        self.assertEqual(re.sub(r"\x1b\[\d+m", "", coloured), plain)
        self.assertIn("\u2588", varve(*words, env={"LC_ALL": "C.UTF-8"}).stdout.decode())

    def test_time_travel(self):
        now = self.ok("lsm", "show", self.CURSOR).stdout.decode()
        then = self.ok("lsm", "show", self.CURSOR, "--edit", "12").stdout.decode()
        self.assertIn("edit 22 of 22; 8 files", now)
        self.assertIn("edit 12 of 22; 6 files", then)
        self.assertIn("L0", then)
        self.assertNotIn("  L0 ", now)
        changes = self.ok("lsm", "show", self.CURSOR, "--edits", "8..9", code=1).stdout.decode()
        self.assertIn("0 gone, 0 new, 2 moved, 2 the same", changes)
        self.ok("lsm", "show", self.CURSOR, "--edits", "9..9")
        self.ok("lsm", "show", self.CURSOR, "--edit", "23", code=2)
        self.ok("lsm", "show", self.CURSOR, "--edits", "9", code=2)
        self.ok("lsm", "show", self.CURSOR, "--cf", "nope", code=2)

    def test_two_databases(self):
        other = FIXTURES / "db" / "rocksdb-7.8.3" / "multi_cf"
        self.ok("lsm", "show", self.CURSOR, "--against", self.CURSOR)
        text = self.ok("lsm", "show", self.CURSOR, "--against", other, code=1).stdout.decode()
        self.assertIn("alpha  only in B; 0 gone, 1 new", text)

    def test_what_comes_before_damage_is_shown(self):
        copy = self.home / "copy"
        shutil.copytree(self.CURSOR, copy)
        manifest = copy / "MANIFEST-000005"
        damaged = bytearray(manifest.read_bytes())
        damaged[1700] ^= 1
        manifest.write_bytes(damaged)
        done = self.ok("manifest", "edits", copy, code=4)
        self.assertEqual(len(done.stdout.splitlines()), 1 + 15)
        self.assertIn(b"MANIFEST-000005@1636", done.stderr)
        self.ok("lsm", "show", copy, "--edit", "15")
        self.ok("lsm", "show", copy, code=4)
        self.assertIn(b"warning", self.ok("lsm", "history", copy, code=4).stdout)

    def test_lineage(self):
        text = self.ok("lsm", "history", self.CURSOR, "--file", "24").stdout.decode()
        self.assertIn("made by compaction, edit 16 (inferred)", text)
        self.assertIn("every ancestor is known, back to its flush", text)
        self.assertRegex(text, r"\n +\d+ +9  L0 +19\.5 KiB  flush")
        self.ok("lsm", "history", self.CURSOR, "--file", "4711", code=3)

    def test_jobs_as_a_trace(self):
        copy = self.home / "copy"
        shutil.copytree(self.CURSOR, copy)
        jobs = json.loads(self.ok("lsm", "history", copy, "--json").stdout)["jobs"]
        flushes = [job for job in jobs if job["kind"] == "flush"]
        self.assertGreater(len(flushes), 2)
        lines = []
        for number, (job, begin, end) in enumerate(zip(flushes, (10, 15, 30), (20, 25, 40)), 1):
            members = {"time_micros": begin, "job": number}
            of = {"cf_name": "default", "file_number": int(job["outputs"][0]["file"]),
                  "file_size": job["outputs"][0]["size"]}
            lines += [members | {"event": "flush_started", "flush_reason": "Manual Flush"},
                      members | {"event": "table_file_creation"} | of,
                      members | {"event": "flush_finished", "time_micros": end}]
        (copy / "LOG").write_text("".join(f"2026/11/21-01:09:18.786379 24334 EVENT_LOG_v1 {json.dumps(line)}\n"
                                          for line in lines))
        trace = json.loads(self.ok("lsm", "history", copy, "-F", "trace").stdout)
        events = trace["traceEvents"]
        told = [event for event in events if event["ph"] == "X"]
        self.assertEqual([(event["ts"], event["dur"], event["tid"]) for event in told],
                         [(10, 10, 1), (15, 10, 2), (30, 10, 1)])
        self.assertEqual(told[0]["args"]["reason"], "Manual Flush")
        self.assertEqual(told[0]["args"]["outputs"], [f"{flushes[0]['outputs'][0]['file']} (L0)"])
        names = {(event["pid"], event["tid"]): event["args"]["name"]
                 for event in events if event["ph"] == "M"}
        self.assertEqual((names[1, 0], names[1, 1], names[1, 2]),
                         ("column family default", "flush", "flush (2)"))
        # A time of which only the MANIFEST tells is an instant.
        inferred = [event for event in events if event["ph"] == "i"]
        self.assertEqual({event["s"] for event in inferred}, {"t"})
        self.assertTrue(any(event["name"] == "compaction → L1" for event in inferred))
        self.assertTrue(all((event["pid"], event["tid"]) in names for event in told + inferred))
        wanted = [job for job in jobs if job["kind"] != "snapshot"]
        left_out = [job for job in wanted if not job.get("creation_time_unix_s") and job not in flushes[:3]]
        self.assertEqual(len(told) + len(inferred), len(wanted) - len(left_out))
        some = json.loads(self.ok("lsm", "history", copy, "--kind", "flush", "-F", "trace").stdout)
        self.assertEqual({event.get("cat") for event in some["traceEvents"]}, {"flush", None})
        # Counters are about the whole tree, whichever jobs are shown: after the last edit, as it is now.
        counters = [event for event in events if event["ph"] == "C"]
        self.assertEqual(counters, [event for event in some["traceEvents"] if event["ph"] == "C"])
        last = {event["name"]: event["args"] for event in counters if event["pid"] == 1}
        files = [file for file in json.loads(self.ok("lsm", "files", copy, "--json").stdout)["files"]
                 if file["cf_id"] == 0]
        self.assertEqual(last, {"L0 files": {"files": sum(file["level"] == 0 for file in files)},
                                "table bytes": {"bytes": sum(file["size"] for file in files)}})

    def test_flows_of_a_trace(self):
        copy = self.home / "copy"
        shutil.copytree(self.CURSOR, copy)
        jobs = json.loads(self.ok("lsm", "history", copy, "--json").stdout)["jobs"]
        compaction = next(job for job in jobs if job["kind"] == "compaction")
        inputs = [file["file"] for file in compaction["inputs"]]
        flushes = [job for job in jobs if job["kind"] == "flush" and job["outputs"][0]["file"] in inputs]
        self.assertGreater(len(flushes), 1)
        lines = []
        for number, job in enumerate([*flushes, compaction], 1):
            kind, at = job["kind"], {"time_micros": 100 * number, "job": number}
            began = at | {"event": f"{kind}_started"}
            if kind == "compaction":
                began |= {"files_L0": [int(file) for file in inputs], "compaction_reason": "LevelL0FilesNum"}
            lines.append(began)
            lines += [at | {"event": "table_file_creation", "cf_name": "default",
                            "file_number": int(file["file"]), "file_size": file["size"]}
                      for file in job["outputs"]]
            lines.append(at | {"event": f"{kind}_finished", "time_micros": 100 * number + 50,
                               "output_level": job["output_level"]})
        (copy / "LOG").write_text("".join(f"2026/11/21-01:09:18.786379 24334 EVENT_LOG_v1 {json.dumps(line)}\n"
                                          for line in lines))
        events = json.loads(self.ok("lsm", "history", copy, "-F", "trace").stdout)["traceEvents"]
        begun = [event for event in events if event["ph"] == "s"]
        ended = [event for event in events if event["ph"] == "f"]
        self.assertEqual(sorted(event["name"] for event in begun),
                         sorted(f"table {job['outputs'][0]['file']}" for job in flushes))
        # Each begins within the flush, and ends in the compaction: at its beginning.
        self.assertEqual({event["ts"] for event in ended}, {100 * (len(flushes) + 1)})
        self.assertEqual(sorted(event["ts"] for event in begun),
                         [100 * number + 49 for number in range(1, len(flushes) + 1)])
        for begin, end in zip(begun, ended):
            self.assertEqual((begin["id"], begin["cat"], begin["name"]), (end["id"], end["cat"], end["name"]))
            self.assertEqual(end["bp"], "e")
        self.assertEqual(len({event["id"] for event in begun}), len(begun))

    def test_the_wrong_kind_of_target_is_named(self):
        table = next(self.CURSOR.glob("*.sst"))
        for words in (["lsm", "show"], ["manifest", "edits"], ["wal", "segments"],
                      ["wal", "records"], ["db", "options"], ["lsm", "history"]):
            with self.subTest(words):
                self.assertIn(b" but a table", self.ok(*words, table, code=2).stderr)
        manifest = next(self.CURSOR.glob("MANIFEST-*"))
        for group, file, kind in (("wal", table, b"a table"), ("wal", manifest, b"a MANIFEST"),
                                  ("manifest", table, b"a table"), ("sst", manifest, b"a MANIFEST")):
            for form in ("text", "json"):
                done = self.ok(group, "layout", file, "-F", form, code=2)
                self.assertIn(b" but " + kind, done.stderr)
                self.assertEqual(done.stdout, b"")


class About(Case):
    def test_help_about_help(self):
        overview = self.ok("help").stdout
        for words in (["help", "--help"], ["help", "-h"], ["--help", "--help"], ["help", "help"]):
            with self.subTest(words):
                self.assertEqual(self.ok(*words).stdout, overview)
        self.ok("help", "--no-such-flag", code=2)
        self.assertIn(b"did you mean 'help'", self.ok("halp", code=2).stderr)
        self.assertIn(b"did you mean '--json'", self.ok("--jsn", "version", code=2).stderr)

    def test_a_table_without_its_footer_is_damaged_in_every_format(self):
        self.ok("load", self.db, "-", stdin="a\t1\n")
        cut = self.home / "cut.sst"
        cut.write_bytes(next(self.db.glob("*.sst")).read_bytes()[:-20])
        self.assertIn(b"footer", self.ok("db", "verify", cut, code=4).stdout)
        self.ok("db", "verify", cut, "--json", code=4)

    def test_an_unknown_option_to_store(self):
        self.ok("load", self.db, "-", stdin="a\t1\n")
        done = self.ok("db", "set-options", self.db, "blok_size=4096", code=2)
        self.assertIn(b"did you mean 'block_size'?", done.stderr)

    def test_a_directory_is_not_a_value(self):
        self.ok("put", self.db, "k", f"@{self.home}", "--create", code=3)
        for words in (["put", self.db, "k", "-", "--create"], ["batch", self.db, "--create"]):
            directory = os.open(self.home, os.O_RDONLY)
            done = subprocess.run([VARVE, *words], stdin=directory, capture_output=True, timeout=60)
            os.close(directory)
            self.assertEqual(done.returncode, 3, done.stderr)

    def test_help_lists_every_command(self):
        listed = json.loads(self.ok("help", "--json").stdout)["commands"]
        names = {c["name"] for c in listed}
        self.assertLessEqual({"load", "get", "multiget", "put", "delete", "scan", "count", "dump",
                              "batch", "compact", "checkpoint", "snapshot", "diff", "db info", "db verify",
                              "sst info", "sst entries", "sst build", "completion", "version"}, names)
        for command in listed:
            with self.subTest(command["name"]):
                self.assertTrue(command["summary"] and command["examples"] and command["exit_codes"])
                if command["name"] == "ldb":
                    text = self.ok("help", "ldb").stdout.decode()  # `varve ldb --help` is ldb's.
                else:
                    text = self.ok(*command["name"].split(), "--help").stdout.decode()
                self.assertIn(command["examples"].split("\n")[0], text)
                for parameter in command["parameters"] if command["name"] != "help" else []:
                    self.assertIn(parameter["name"].lstrip("-"), text)
        self.assertEqual(self.ok("--help").stdout.count(b"\n  get "), 1)

    def test_completion_scripts_parse(self):
        script = self.ok("completion", "bash").stdout
        subprocess.run(["bash", "-n"], input=script, check=True)
        self.assertIn(b"complete -c varve", self.ok("completion", "fish").stdout)
        self.assertIn(b"compdef _varve varve", self.ok("completion", "zsh").stdout)
        self.ok("completion", "tcsh", code=2)

    def test_errors_as_json(self):
        done = self.ok("get", self.db, "k", "--json", code=3)
        problem = json.loads(done.stderr)
        self.assertEqual((problem["exit_code"], problem["status"]), (3, 404))

    def test_output_file(self):
        self.load("a\t1\n")
        self.ok("scan", self.db, "-o", self.home / "out")
        self.assertEqual((self.home / "out").read_bytes(), b"a\t1\n")
        full = self.ok("scan", self.db, "-o", "/dev/full", code=3)
        self.assertIn(b"writing the output", full.stderr)


def fingerprint(directory):
    rows = []
    for path in sorted(directory.rglob("*")):
        stat = path.stat()
        content = path.read_bytes() if path.is_file() else b""
        rows.append((str(path), stat.st_size, stat.st_mtime_ns, hashlib.sha256(content).hexdigest()))
    return rows


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
