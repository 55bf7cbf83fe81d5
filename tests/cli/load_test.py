#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `load` and `sst build` take, reject and leave behind.

    load_test.py VARVE [unittest arguments]"""
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest
import zlib

import harness
from harness import wait_until

VARVE = harness.VARVE


def zstd_frame(content):
    """A frame of one raw block, since Python has no zstd."""
    assert len(content) < 256
    return (b"\x28\xb5\x2f\xfd\x20" + bytes([len(content)]) +
            (len(content) << 3 | 1).to_bytes(3, "little") + content)


def zstd_blocks(*blocks):
    """A frame of blocks that each make 128 KiB: its bytes, or the one byte that they all are."""
    frame = b"\x28\xb5\x2f\xfd\x00\x38"
    for i, block in enumerate(blocks):
        header = 128 * 1024 << 3 | (len(block) == 1) << 1 | (i + 1 == len(blocks))
        frame += header.to_bytes(3, "little") + block
    return frame


class Case(harness.Case):
    def put(self, name, content):
        path = self.home / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def scan(self, *flags):
        return self.ok("scan", self.db, *flags).stdout.decode().splitlines()

    def nothing_is_there(self):
        self.assertEqual([p.name for p in self.home.iterdir() if p.name.startswith("db")], [])


class Guessing(Case):
    CSV = "key,value\na,1\nb,2\n"
    JSONL = '{"key":"a","value":"1"}\n{"key":"b","value":"2"}\n'
    TSV = "a\t1\nb\t2\n"

    def test_by_the_end_of_the_name(self):
        for name, content, says in (
                ("in.csv", self.CSV, "csv, by its name"),
                ("in.jsonl", self.JSONL, "jsonl, by its name"),
                ("in.ndjson", self.JSONL, "jsonl, by its name"),
                ("in.tsv", self.TSV, "tsv, by its name"),
                ("in.csv.gz", gzip.compress(self.CSV.encode()), "csv within gzip, by its name"),
                ("in.jsonl.zst", zstd_frame(self.JSONL.encode()), "jsonl within zstd, by its name")):
            with self.subTest(name):
                shutil.rmtree(self.db, True)
                done = self.ok("load", self.db, self.put(name, content))
                self.assertIn(f"{name}: read as {says}", done.stderr.decode())
                self.assertEqual(self.scan(), ["a\t1", "b\t2"])

    def test_by_how_it_begins(self):
        nul = b"a\x001\x00b\x002\x00"
        for content, says in ((self.CSV.encode(), "csv, by its first line"),
                              (self.JSONL.encode(), "jsonl, by its first line"),
                              (self.TSV.encode(), "tsv, by its first line"),
                              (b"\xef\xbb\xbf" + self.CSV.encode(), "csv, by its first line"),
                              (gzip.compress(self.JSONL.encode()), "jsonl within gzip"),
                              (nul, "nul, by its first bytes")):
            for where in ("-", "file"):
                with self.subTest([content[:20], where]):
                    shutil.rmtree(self.db, True)
                    source = where if where == "-" else self.put("in", content)
                    done = self.ok("load", self.db, source, stdin=content)
                    self.assertIn(f": read as {says}", done.stderr.decode())
                    self.assertEqual(self.scan(), ["a\t1", "b\t2"])

    def test_a_line_of_json_on_both_sides_of_a_tab_is_tsv(self):
        self.ok("load", self.db, "-", stdin='{"id":1}\t{"v":2}\n')
        self.assertEqual(self.scan(), ['{"id":1}\t{"v":2}'])

    def test_what_is_said_is_taken(self):
        done = self.ok("load", self.db, self.put("in.csv", self.TSV), "--input-format", "tsv")
        self.assertNotIn(b"read as", done.stderr)
        self.assertEqual(self.scan(), ["a\t1", "b\t2"])

    def test_a_pipe_in_place_of_a_file(self):
        done = subprocess.run(["bash", "-c", f"{VARVE} load {self.db} <(printf 'a\\t1\\n')"],
                              capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.scan(), ["a\t1"])

    def test_the_first_thousand_lines_of_another_format(self):
        csv = "id,name\n" + "".join(f"{i},n{i}\n" for i in range(100000))
        done = self.ok("load", self.db, "-", stdin=csv, code=2)
        text = done.stderr.decode()
        self.assertIn("the first 1,000 lines, read as tsv, are all rejected", text)
        self.assertIn("--input-format csv --key-column 'id' --value-column 'name'", text)
        self.nothing_is_there()

    def test_a_thousand_bad_lines_among_good_ones_are_only_rejected(self):
        text = "good\t1\n" + "bad\n" * 3000
        self.ok("load", self.db, "-", stdin=text, code=7)
        self.assertEqual(self.scan(), ["good\t1"])

    def test_a_header_without_the_columns_names_those_there_are(self):
        done = self.ok("load", self.db, self.put("x.csv", "id,name\n1,2\n"), code=2)
        self.assertIn("no column 'key' but id, name; choose with --key-column", done.stderr.decode())
        self.nothing_is_there()


class Compressed(Case):
    TEXT = b"".join(b"k%06d\tvalue %d\n" % (i, i % 9) for i in range(128 * 64))
    assert len(TEXT) == 128 * 1024

    def test_a_frame_that_ends_with_the_buffer_is_whole(self):
        for times in (1, 2, 3, 8):
            with self.subTest(times):
                shutil.rmtree(self.db, True)
                self.ok("load", self.db, self.put("in.tsv.zst", zstd_blocks(*[self.TEXT] * times)))
                self.assertEqual(self.out("count", self.db), "8192\n")
                self.ok("load", self.db, self.put("in.tsv.gz", gzip.compress(self.TEXT * times)))
                cut = zstd_blocks(*[self.TEXT] * times)[:-1]
                self.ok("load", self.db, self.put("cut.tsv.zst", cut), code=4)

    def test_gigabytes_in_a_few_bytes_are_unpacked_piece_by_piece(self):
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        pieces = [packer.compress(b"no tab\n")]
        pieces += [packer.compress(b"\n" * (1 << 20)) for _ in range(400)]
        first = b"no tab".ljust(128 << 10, b"\n")
        for name, content in (("in.tsv.gz", b"".join(pieces) + packer.flush()),
                              ("in.tsv.zst", zstd_blocks(first, *[b"\n"] * 3200))):
            with self.subTest(name):
                # The first line is one too many; what is behind it does not matter.
                process = subprocess.Popen([VARVE, "load", self.db, self.put(name, content), "--strict"],
                                           stderr=subprocess.DEVNULL)
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                self.assertEqual(process.returncode, 2)
                self.assertLess(used.ru_maxrss, 200 << 10)


class Csv(Case):
    def load(self, text, *flags, code=0):
        shutil.rmtree(self.db, True)
        return self.ok("load", self.db, self.put("in.csv", text), *flags, code=code).stderr.decode()

    def test_what_the_rfc_allows(self):
        self.load('key,value\r\n"a ""b""",1\r\n\r\n"c\nd","2,3"\r\n,""\r\nlast,5')
        self.assertEqual(self.scan(), ["\t", 'a "b"\t1', "c\\nd\t2,3", "last\t5"])

    def test_a_quote_that_is_not_closed_is_named_where_it_opened(self):
        said = self.load('key,value\na,1\nb,"2\nc,3\nd,4\n', code=7)
        self.assertIn("in.csv:3: rejected: the quote that opens at line 3, column 3, is not closed",
                      said)
        self.assertEqual(self.scan(), ["a\t1"])

    def test_text_after_a_closing_quote(self):
        said = self.load('key,value\na,"1"x\n"b" ,2\nc,3\n', code=7)
        self.assertIn("in.csv:2: rejected: text after the closing quote, at line 2, column 6", said)
        self.assertIn("in.csv:3: rejected: text after the closing quote, at line 3, column 4", said)
        self.assertEqual(self.scan(), ["c\t3"])

    def test_more_cells_than_the_header(self):
        said = self.load("key,value\na,1,2\nb\nc,3\n", code=7)
        self.assertIn("in.csv:2: rejected: 3 cells, and the header has 2", said)
        self.assertIn("in.csv:3: rejected: only 1 cells", said)
        self.assertEqual(self.scan(), ["c\t3"])

    def test_rows_of_several_lines_are_named_by_the_first(self):
        said = self.load('key,value\n"a\nb\nc","1"x\nd,2\n', code=7)
        self.assertIn("in.csv:2: rejected: text after the closing quote, at line 4, column 7", said)


class LinesOfOtherSystems(Case):
    def test_lines_that_end_in_cr_lf(self):
        self.ok("load", self.db, "-", stdin="a\t1\r\nb\t2\r\nc\tends in CR\\x0d\r\nd\t4\n")
        self.assertEqual(self.scan(), ["a\t1", "b\t2", "c\tends in CR\\x0d", "d\t4"])
        listed = self.ok("scan", self.db).stdout.replace(b"\n", b"\r\n")
        shutil.rmtree(self.db)
        self.ok("load", self.db, "-", stdin=listed)
        self.assertEqual(self.scan(), ["a\t1", "b\t2", "c\tends in CR\\x0d", "d\t4"])
        shutil.rmtree(self.db)
        self.ok("load", self.db, "-", "--strict",
                stdin='{"key":"a","value":"1"}\r\n\r\n{"key":"b","value":"2"}\r\n')
        self.assertEqual(self.scan(), ["a\t1", "b\t2"])
        self.ok("batch", self.db, stdin="put\tc\t3\r\n\r\ndelete\ta\r\ncommit\r\n")
        self.assertEqual(self.scan(), ["b\t2", "c\t3"])

    def test_rejected_lines_stay_as_they_are(self):
        rejects = self.home / "rejects"
        self.ok("load", self.db, "-", "--rejects", rejects, stdin="a\t1\r\nbad\r\n", code=7)
        self.assertEqual(rejects.read_bytes(), b"bad\r\n")


class Rejecting(Case):
    LINES = "a\t1\nbad one\nb\t2\nworse\nc\t3\n"

    def test_strict_changes_nothing(self):
        done = self.ok("load", self.db, "-", "--strict", stdin=self.LINES, code=2)
        self.assertIn(b"1 line is rejected, and --strict allows none; nothing was changed",
                      done.stderr)
        self.nothing_is_there()
        self.ok("load", self.db, "-", stdin="x\t0\n")
        self.ok("load", self.db, "-", "--strict", stdin=self.LINES, code=2)
        self.assertEqual(self.scan(), ["x\t0"])

    def test_so_many_errors_and_no_more(self):
        self.ok("load", self.db, "-", "--max-errors", "1", stdin=self.LINES, code=2)
        self.nothing_is_there()
        self.ok("load", self.db, "-", "--max-errors", "2", stdin=self.LINES, code=7)
        self.assertEqual(len(self.scan()), 3)
        self.ok("load", self.db, "-", "--max-errors", "2", "--strict", stdin=self.LINES, code=2)

    def test_rejected_lines_can_be_mended_and_loaded(self):
        rejects = self.home / "rejects.csv"
        text = 'key,value\na,1\n"b\nc",2,3\nd,4\ne,"5"x\n'
        self.ok("load", self.db, self.put("in.csv", text), "--rejects", rejects, code=7)
        self.assertEqual(rejects.read_text(), 'key,value\n"b\nc",2,3\ne,"5"x\n')
        rejects.write_text(rejects.read_text().replace(",3", "").replace('"x', '"'))
        self.ok("load", self.db, rejects)
        self.assertEqual(self.scan(), ["a\t1", "b\\nc\t2", "d\t4", "e\t5"])
        for fmt, stdin, rejected in (("jsonl", b'{"key":"k"}\n', b'{"key":"k"}\n'),
                                     ("tsv", b"no tab\n", b"no tab\n"),
                                     ("nul", b"k\0v\0k", None)):
            self.ok("load", self.db, "-", "--input-format", fmt, "--rejects", rejects, stdin=stdin,
                    code=7)
            if rejected is not None:
                self.assertEqual(rejects.read_bytes(), rejected)

    def test_rejects_never_replace_an_input(self):
        source = self.put("in.tsv", self.LINES)
        os.link(source, self.home / "other-name")
        for name in ("in.tsv", "other-name"):
            self.ok("load", self.db, source, "--rejects", self.home / name, code=8)
            self.assertEqual(source.read_text(), self.LINES)
        with open(source, "rb") as stdin:
            done = subprocess.run([VARVE, "load", self.db, "-", "--rejects", source], stdin=stdin,
                                  capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 8, done)
        self.assertEqual(source.read_text(), self.LINES)

    def test_rejects_never_replace_a_part_of_the_database(self):
        self.ok("load", self.db, "-", stdin="x\t0\n")
        current = (self.db / "CURRENT").read_bytes()
        for name in ("CURRENT", "new"):
            self.ok("load", self.db, "-", "--rejects", self.db / name, stdin=self.LINES, code=8)
        self.assertEqual((self.db / "CURRENT").read_bytes(), current)
        self.assertEqual(self.scan(), ["x\t0"])
        self.ok("load", self.db, "-", "--rejects", self.home / "r", "-o", self.home / "r",
                stdin=self.LINES, code=8)

    def test_nothing_is_loaded_when_what_is_rejected_cannot_be_kept(self):
        self.ok("load", self.db, "-", "--rejects", "/dev/full", stdin=self.LINES, code=3)
        self.nothing_is_there()

    def test_a_line_of_three_cells(self):
        # As `dump -F tsv` prints: all its keys would be the name of the family.
        self.ok("load", self.db, "-", stdin="x\t0\n")
        rows = self.ok("dump", self.db, "-F", "tsv").stdout
        done = self.ok("load", self.home / "copy", "-", "--input-format", "tsv", stdin=rows, code=7)
        self.assertIn(b"-:1: rejected: more than a key and a value", done.stderr)
        self.assertFalse((self.home / "copy").exists())

    def test_a_flag_that_changes_nothing(self):
        dump = "#varve-dump 1\n#cf\tdefault\tleveldb.BytewiseComparator\n#end count=0 xxh3=" + "0" * 16
        for flags in (["--key-column", "id"], ["--value-column", "v"]):
            done = self.ok("load", self.db, "-", *flags, stdin="a\t1\n", code=2)
            self.assertIn(f"{flags[0]} does not apply to tsv input", done.stderr.decode())
        for flags in (["--key-in", "hex"], ["--value-in", "hex"], ["--cf", "x"]):
            done = self.ok("load", self.db, "-", *flags, stdin=dump, code=2)
            self.assertIn(f"{flags[0]} does not apply to dump input", done.stderr.decode())
        self.nothing_is_there()


class LeavingNothing(Case):
    def test_where_nothing_was_loaded(self):
        self.ok("load", self.db, "/dev/null")
        self.nothing_is_there()
        self.ok("load", self.db, "-", stdin="only\nbad\nlines\n", code=7)
        self.nothing_is_there()
        self.ok("load", self.db, self.home / "no-such-file", code=3)
        self.nothing_is_there()
        self.db.mkdir()  # One that was there stays, with what is in it.
        (self.db / "mine").write_text("x")
        self.ok("load", self.db, "-", "--strict", stdin="a\t1\nbad\n", code=2)
        self.assertEqual([p.name for p in self.db.iterdir()], ["mine"])

    def test_no_family_for_records_that_were_not_loaded(self):
        self.ok("load", self.db, "-", stdin="a\t1\n")
        lines = '{"cf":"new","key":"k","value":"v"}\nbad\n'
        self.ok("load", self.db, "-", "--strict", stdin=lines, code=2)
        self.assertNotIn("new", self.ok("db", "info", self.db).stdout.decode())

    def test_a_dump_of_an_empty_database_is_loaded(self):
        self.ok("batch", self.db, "--create")
        dump = self.ok("dump", self.db).stdout
        copy = self.home / "copy"
        self.ok("load", copy, "-", stdin=dump)
        self.ok("diff", self.db, copy)

    def test_a_dump_keeps_the_order_of_its_families(self):
        self.ok("batch", self.db, "--create", "--option",
                "comparator=rocksdb.ReverseBytewiseComparator", stdin="put\ta\t1\nput\tb\t2\n")
        dump = self.ok("dump", self.db).stdout
        copy = self.home / "copy"
        self.ok("load", copy, "-", stdin=dump)
        self.assertEqual(self.ok("scan", copy).stdout, b"b\t2\na\t1\n")

    def interrupted(self, words, before, sig, stdin=None):
        """Runs `words`, sends the signal once `before` exists; what is there then."""
        process = subprocess.Popen([VARVE, *map(str, words)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if stdin:
            process.stdin.write(stdin)
            process.stdin.flush()
        wait_until("it has come so far, or ended", lambda: before() or process.poll() is not None)
        self.assertTrue(before(), "it ended before")
        process.send_signal(sig)
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, -sig, err)
        return err

    def test_signals(self):
        for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(sig):
                # A database that is made for this goes with all in it,
                self.interrupted(["load", self.db, "-"],
                                 lambda: (self.db / "varve-load.tmp").exists(), sig, b"a\t1\n")
                self.nothing_is_there()
                # one that was there stays as it was.
                self.ok("load", self.db, "-", stdin="x\t0\n")
                self.interrupted(["load", self.db, "-"],
                                 lambda: (self.db / "varve-load.tmp").exists(), sig, b"a\t1\n")
                self.assertEqual([p.name for p in self.db.iterdir() if p.is_dir()], [])
                self.assertEqual(self.scan(), ["x\t0"])
                shutil.rmtree(self.db)
                table = self.home / "t.sst"
                self.interrupted(["sst", "build", table, "-"],
                                 lambda: (self.home / "t.sst.tmp").exists(), sig, b"a\t1\n")
                self.assertEqual(list(self.home.glob("t.sst*")), [])
                # The file of -o and what is written beside it.
                out = self.put("out", "before")
                self.ok("batch", self.db, "--create", stdin="put\ta\t1\n")
                self.interrupted(["batch", self.db, "-o", out],
                                 lambda: len(list(self.home.glob("out*"))) == 2, sig, b"put\tb\t2\n")
                self.assertEqual([p.name for p in self.home.glob("out*")], ["out"])
                self.assertEqual(out.read_text(), "before")
                shutil.rmtree(self.db)

    def test_a_build_clears_away_only_what_builds_left(self):
        table, place = self.home / "t.sst", self.home / "t.sst.tmp"
        place.write_text("a\t1\n")
        self.ok("sst", "build", table, place, "--input-format", "tsv", code=8)
        self.assertEqual(place.read_text(), "a\t1\n")
        place.unlink()
        place.mkdir()
        (place / "mine").write_text("x")
        self.ok("sst", "build", table, "-", stdin="a\t1\n", code=8)
        self.assertEqual((place / "mine").read_text(), "x")
        (place / "mine").rename(place / "table-1")
        self.ok("sst", "build", table, "-", stdin="a\t1\n")
        self.assertFalse(place.exists())

    def test_a_signal_that_comes_with_the_end_of_the_input_counts(self):
        # What is cut short by the same Ctrl-C must not pass for a whole.
        for _ in range(30):
            self.ok("batch", self.db, "--create", stdin="put\ta\t1\n")
            out = self.put("out", "before")
            self.interrupted(["batch", self.db, "-o", out],
                             lambda: len(list(self.home.glob("out*"))) == 2, signal.SIGTERM,
                             b"put\tb\t2\n")
            self.assertEqual(out.read_text(), "before")
            self.assertEqual(self.scan(), ["a\t1"])
            shutil.rmtree(self.db)

    def test_a_signal_that_is_ignored_stays_ignored(self):
        process = subprocess.Popen([VARVE, "load", str(self.db), "-"], stdin=subprocess.PIPE,
                                   stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        process.stdin.write(b"a\t1\n")
        process.stdin.flush()
        wait_until("it has begun", (self.db / "varve-load.tmp").exists)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(b"b\t2\n", timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(self.scan(), ["a\t1", "b\t2"])

    def test_what_a_killed_load_left_is_cleared(self):
        self.ok("load", self.db, "-", stdin="x\t0\n")
        self.interrupted(["load", self.db, "-"], lambda: (self.db / "varve-load.tmp").exists(),
                         signal.SIGKILL, b"a\t1\n")
        self.assertTrue((self.db / "varve-load.tmp").exists())
        self.ok("load", self.db, "-", stdin="y\t0\n")
        self.assertEqual([p.name for p in self.db.iterdir() if p.is_dir()], [])
        self.assertEqual(self.scan(), ["x\t0", "y\t0"])

    def test_a_second_load_into_a_new_database_does_not_spoil_the_first(self):
        first = subprocess.Popen([VARVE, "load", str(self.db), "-"], stdin=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
        first.stdin.write(b"a\t1\n")
        first.stdin.flush()
        wait_until("the first has begun", (self.db / "varve-load.tmp").exists)
        self.ok("load", self.db, "-", stdin="b\t2\n", code=5)
        first.communicate(timeout=60)
        self.assertEqual(first.returncode, 0)
        self.assertEqual(self.scan(), ["a\t1"])


class Reporting(Case):
    def test_one_document(self):
        source = self.put("in.csv", "key,value\na,1\nb,2,3\n")
        done = self.ok("load", self.db, source, "--json", code=7)
        document = json.loads(done.stdout)
        self.assertEqual(document["schema"], "varve.load/1")
        self.assertEqual((document["records"], document["lines"], document["rejected"]), (1, 2, 1))
        self.assertEqual(document["cfs"][0]["cf"], "default")
        self.assertEqual(document["inputs"], [{
            "name": str(source), "format": "csv", "format_is": "by its name",
            "compression": "none", "lines": 2, "rejected": 1}])
        self.assertEqual(document["rejections"][0]["line"], 3)

    def test_sst_build_takes_the_same_inputs(self):
        out = self.home / "t.sst"
        document = json.loads(self.ok("sst", "build", out, self.put("in.csv", "key,value\nb,2\na,1\n"),
                                      "--json").stdout)
        self.assertEqual((document["schema"], document["records"]), ("varve.sst_build/1", 2))
        self.assertEqual(self.ok("sst", "entries", out, "--keys-only").stdout,
                         b"a\t0\tput\nb\t0\tput\n")
        done = self.ok("sst", "build", self.home / "u.sst", "-", "--sorted", "--strict",
                       stdin="b\t1\na\t2\n", code=2)
        self.assertIn(b"--strict", done.stderr)
        self.ok("sst", "build", self.home / "u.sst", "/dev/null")
        self.assertEqual(list(self.home.glob("u.sst*")), [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
