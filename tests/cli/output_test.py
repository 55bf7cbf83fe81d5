#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What commands print: formats, documents and their schemas, output files, progress, terminals.

    output_test.py VARVE FIXTURES [unittest arguments]"""
import csv
import io
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest

import jsonschema

import harness
from harness import at_a_terminal, strict

VARVE, FIXTURES = harness.VARVE, pathlib.Path(sys.argv[2])
HOSTILE = FIXTURES / "hostile"


class Case(harness.Case):
    def fill(self):
        self.ok("load", self.db, "-", stdin="".join(f"k{i:03}\tvalue, {i}\n" for i in range(100)))
        self.ok("put", self.db, "hex:6b0a", "hex:00ff")
        self.ok("put", self.db, "gone", "x")
        self.ok("delete", self.db, "gone")

    def commands(self):
        return json.loads(self.ok("help", "--json").stdout)


class Documents(Case):
    def words_for(self, command):
        """Every command with something to do, in a database that is filled, or None."""
        name, table = command["name"], self.home / "copy.sst"
        other = self.home / "other"
        given = {"load": [self.home / "new", self.home / "in.tsv"],
                 "get": [self.db, "k001"], "multiget": [self.db, "k001", "k002"],
                 "put": [self.db, "a", "b"], "delete": [self.db, "a"],
                 "db set-options": [self.db, "block_size=8192"],
                 "diff": [self.db, other], "checkpoint": [self.db, self.home / "checkpoint"],
                 "snapshot": [self.db, self.home / "snapshot"],
                 "sst build": [self.home / "built.sst", self.home / "in.tsv"],
                 "sst salvage": [table, "-o", self.home / "saved.sst"],
                 "sst block": [table, "0"], "sst probe": [table, "k001"],
                 "db repair": [self.db, "-o", self.home / "repaired"],
                 "explain get": [self.db, "k001"], "explain multiget": [self.db, "k001", "x"],
                 "locate": [self.db, "k001"], "options": [], "config": [], "help": [],
                 "version": [], "bench list": [],
                 "completion": ["bash"], "cf drop": [self.db, "emptied", "--yes"],
                 "cf create": [self.db, "another"],
                 "ingest": [self.db, self.home / "ingested.sst"],
                 "sst recompress": [table, "--compare", "--codec", "none"],
                 "bench run": ["fillseq", "--num", "1000"],
                 "compact-worker": ["--watch", self.home, "--count", "0"],
                 "users add": [self.home / "users", "ada", "--may", "read:*", "--token"],
                 "users list": [self.home / "users"], "users remove": [self.home / "users", "ada"],
                 "bench compare": None,  # Takes minutes, as claims do: bench_test.py has them.
                 "bench claims": None, "serve": None, "shell": None, "ldb": None}
        if name in ("wal records", "wal layout"):
            return [*name.split(), self.db, str(int(next(self.db.glob("*.log")).stem))]
        if name in given:
            return None if given[name] is None else [*name.split(), *given[name]]
        return [*name.split(), table if name.startswith("sst ") else self.db]

    def prepare(self):
        self.fill()
        shutil.copy(next(self.db.glob("*.sst")), self.home / "copy.sst")
        (self.home / "in.tsv").write_text("a\t1\nb\t2\n")
        self.ok("load", self.home / "other", self.home / "in.tsv")
        self.ok("sst", "build", self.home / "ingested.sst", self.home / "in.tsv")
        self.ok("cf", "create", self.db, "emptied")
        self.ok("users", "add", self.home / "users", "bob", "--token")

    def check(self, document, help_document, names):
        schema = help_document["schemas"].get(document["schema"])
        self.assertIn(document["schema"], names)
        self.assertIsNotNone(schema, document["schema"])
        jsonschema.Draft202012Validator(strict(schema)).validate(document)

    def test_every_schema_that_is_named_is_there(self):
        help_document = self.commands()
        schemas, named = help_document["schemas"], {"varve.help/1", "varve.problem/1"}
        for command in help_document["commands"]:
            named.update(command["schemas"])
            self.assertEqual([name for name in command["schemas"] if name not in schemas], [],
                             command["name"])
        self.assertEqual(set(schemas), named)
        for name, schema in schemas.items():
            jsonschema.Draft202012Validator.check_schema(schema)
            self.assertTrue("properties" in schema or "$ref" in schema, name)

    def test_every_answer_follows_its_schema(self):
        help_document = self.commands()
        self.check(help_document, help_document, ["varve.help/1"])
        seen = set()
        self.prepare()
        for command in help_document["commands"]:
            words = self.words_for(command)
            if words is None:
                continue
            with self.subTest(command["name"]):
                self.assertTrue(command["schemas"])
                done = harness.varve(*words, "--json")
                self.assertIn(done.returncode, (0, 1), done.stderr)
                document = json.loads(done.stdout)
                self.check(document, help_document, command["schemas"])
                seen.add(document["schema"])
        self.assertGreater(len(seen), 30)
        for words in (["scan", "--all-cfs"], ["scan", "--stored-order"], ["scan", "--versions"],
                      ["get", "-"], ["multiget", "-"]):
            with self.subTest(words):
                done = harness.varve(words[0], self.db, *words[1:], "--json", stdin="a\nno\n")
                names = next(command["schemas"] for command in help_document["commands"]
                             if command["name"] == words[0])
                self.check(json.loads(done.stdout), help_document, names)

    def test_answers_about_damage_follow_their_schemas(self):
        help_document = self.commands()
        damaged = self.home / "damaged"
        shutil.copytree(FIXTURES / "db/damaged/flip_first_record_wal5", damaged)
        for words, code in ((["count", damaged], 7), (["dump", damaged], 7),
                            (["db", "repair", damaged, "--dry-run"], 7),
                            (["db", "repair", damaged, "-o", self.home / "repaired"], 7)):
            with self.subTest(words):
                document = json.loads(self.ok(*words, "--json", code=code).stdout)
                self.check(document, help_document, [document["schema"]])
                self.assertFalse(document["complete"])

    def test_lists_without_rows_have_their_columns(self):
        for fmt, gap in (("csv", ","), ("tsv", "\t")):
            self.assertEqual(self.out("completion", "fish", "-F", fmt, "--", "no-such-verb", "x"),
                             gap.join(("word", "help")) + "\n")
        self.fill()
        for flags, columns in (([], "key,value"), (["--keys-only"], "key"),
                               (["--all-cfs"], "cf,key,value"), (["--versions"], "key,seq,type,value"),
                               (["--stored-order", "--keys-only"], "key,seq,type")):
            with self.subTest(flags):
                words = ["scan", self.db, *flags, "-F", "csv"]
                self.assertEqual(self.out(*words, "--prefix", "none"), columns + "\n")
                self.assertEqual(self.ok(*words).stdout.splitlines()[0], columns.encode())
        self.assertEqual(self.out("multiget", self.db, "none", "-F", "csv", code=1), "key,value\n")

    def test_keys_only_is_without_values_in_every_format(self):
        self.fill()
        for order in ([], ["--versions"], ["--stored-order"], ["--all-cfs"]):
            with self.subTest(order):
                words = ["scan", self.db, "--keys-only", *order]
                self.assertNotIn("value, 7", self.out(*words))
                rows = json.loads(self.out(*words, "--json"))["rows"]
                rows += [json.loads(line) for line in self.out(*words, "-F", "jsonl").splitlines()[:-1]]
                self.assertEqual([row for row in rows if "value" in row], [])

    def test_names_are_escaped_once(self):
        self.fill()
        self.ok("cf", "create", self.db, "a\tb")
        for fmt in ("text", "table"):
            self.assertIn("a\\tb", re.split(r"\t|  +", self.out("cf", "list", self.db, "-F", fmt)
                                            .splitlines()[-1]))

    def test_what_fails_follows_the_schema_of_problems(self):
        schema = self.commands()["schemas"]["varve.problem/1"]
        for words in (["get", self.home / "no", "k"], ["frobnicate"], ["db", "frobnicate"], ["db"],
                      ["get", self.db, "k", "--no-such-flag"],
                      ["load", self.db, "-", "--strict"], ["scan", self.db, "-o", self.db / "x"]):
            with self.subTest(words):
                if not self.db.exists():
                    self.fill()
                done = harness.varve(*words, "--json", stdin="bad\n")
                self.assertGreaterEqual(done.returncode, 2)
                problem = json.loads(done.stderr.splitlines()[-1])
                jsonschema.Draft202012Validator(schema).validate(problem)
                self.assertEqual(problem["exit_code"], done.returncode)
                words = [*words, "-F", "json"] if len(words) > 2 else ["-F", "json", *words]
                same = harness.varve(*words, stdin="bad\n")
                self.assertEqual(json.loads(same.stderr.splitlines()[-1]), problem)

    def test_rows_are_whole_in_every_format(self):
        self.prepare()
        for command in self.commands()["commands"]:
            words = self.words_for(command)
            if words is None or command["name"] in ("checkpoint", "snapshot", "compact", "sst build", "db repair",
                                                    "sst salvage", "bench run", "load", "cf create", "cf drop",
                                                    "users add", "users remove"):
                continue
            with self.subTest(command["name"]):
                text = {}
                for fmt in ("csv", "tsv", "jsonl"):
                    done = harness.varve(*words, "-F", fmt)
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                    text[fmt] = done.stdout.decode("latin-1")
                rows = list(csv.reader(io.StringIO(text["csv"], newline="")))
                self.assertEqual({len(row) for row in rows}, {len(rows[0])})
                lines = text["tsv"].split("\n")[:-1]  # Values may have other ends of lines.
                # The plain records have no header in tsv.
                extra = 0 if lines and lines[0].count("\t") and rows[0] == lines[0].split("\t") else 1
                self.assertEqual(len(rows), len(lines) + extra)
                self.assertEqual({line.count("\t") for line in lines}, {len(rows[0]) - 1})
                for line in text["jsonl"].splitlines():
                    json.loads(line)

    # Lists whose rows are all that rows show: what the document says of the list is in json.
    HEADS = {"config": "settings", "help": "commands", "diff": "differences", "db verify": "findings",
             "sst verify": "findings", "compact-worker": "jobs"}

    def leaves(self, value):
        """As they are in csv, whose bytes are taken for Latin-1."""
        if isinstance(value, dict) and "hex" in value and "len" in value:
            return [bytes.fromhex(value["hex"]).decode("latin-1")]
        if isinstance(value, dict):
            return [leaf for name, member in value.items() if name not in ("schema", "as_of")
                    for leaf in self.leaves(member)]
        if isinstance(value, list):
            return [leaf for member in value for leaf in self.leaves(member)]
        text = value if isinstance(value, str) else json.dumps(value)
        return [text.encode().decode("latin-1")] if value is not None else []

    def test_rows_say_what_the_document_says(self):
        self.prepare()
        ldb = self.home / "000005.ldb"
        shutil.copy(FIXTURES / "db/leveldb-1.23/leveldb_l0/000005.ldb", ldb)
        more = [(None, words) for words in (
            ["sst", "info", ldb], ["sst", "info", ldb, "--properties"],
            ["sst", "probe", self.home / "copy.sst", "no-such-key"], ["db", "options", self.db, "--all"],
            ["lsm", "history", self.db, "--file", int(next(self.db.glob("*.sst")).stem)],
            ["db", "info", self.db, "--digest"], ["explain", "get", self.db, "k001"],
            ["explain", "get", self.db, "no"], ["locate", self.db, "no"])]
        other = {"checkpoint", "snapshot", "compact", "sst build", "db repair", "sst salvage", "bench run", "load",
                 "cf create", "cf drop", "put", "delete", "batch", "ingest", "sst recompress",
                 "db set-options", "users add", "users remove"}  # They change something, or measure.
        other |= {"get", "multiget"}  # A record is there, or is not.
        verbs = [(command["name"], self.words_for(command))
                 for command in self.commands()["commands"] if command["name"] not in other]
        for name, words in verbs + more:
            if words is None:
                continue
            with self.subTest(words):
                document = json.loads(harness.varve(*words, "--json").stdout)
                text = harness.varve(*words, "-F", "csv").stdout.decode("latin-1")
                cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
                if name in self.HEADS:
                    document = document[self.HEADS[name]]
                elif "count" in document and "complete" in document:
                    rows = [m for m in list(document)[:list(document).index("count")]
                            if isinstance(document[m], list)]
                    document = document[rows[-1]]
                whole = set(cells)
                nested = "\n".join(cell for cell in cells if cell[:1] in "[{")
                lost = [leaf for leaf in self.leaves(document)
                        if leaf not in whole and leaf.encode("latin-1").hex() not in nested
                        and json.dumps(leaf, ensure_ascii=False)[1:-1] not in nested]
                self.assertEqual(lost, [], text[:500])

    def test_options_are_all_there_in_every_format(self):
        self.fill()
        self.ok("cf", "create", self.db, "users")
        self.ok("db", "set-options", self.db, "compression=zstd")
        for flags, families in (([], {"default", "users"}), (["--cf", "users"], {"users"}),
                                (["--all"], {"default", "users"})):
            with self.subTest(flags):
                text = self.out("db", "options", self.db, *flags, "-F", "text")
                shown = re.findall(r"(?m)^  ([A-Za-z]\S*)(?: \*)?  ", text)
                rows = json.loads(self.out("db", "options", self.db, *flags, "--json"))["options"]
                self.assertEqual([row["name"] for row in rows], [n for n in shown if n != "option"])
                self.assertEqual({row["cf"] for row in rows if "cf" in row}, families)
                self.assertEqual({"cf" in row for row in rows if row["scope"] == "db"} - {False}, set())
                for fmt in ("csv", "tsv", "jsonl"):
                    lines = self.out("db", "options", self.db, *flags, "-F", fmt).splitlines()
                    self.assertEqual(len(lines), len(rows) + 1, fmt)

    def test_nothing_in_a_table_is_cut_for_a_pipe(self):
        long_name = "family-" + "x" * 120
        self.fill()
        self.ok("cf", "create", self.db, long_name)
        self.ok("db", "set-options", self.db, "compression=zstd", "compression_opts.level=3")
        for words, whole in ((["db", "options", self.db], "compression_opts"),
                             (["db", "options", self.db, "--all"],
                              "max_bytes_for_level_multiplier_additional"),
                             (["cf", "list", self.db], long_name),
                             (["lsm", "show", self.db], long_name)):
            with self.subTest(words):
                for flags in ([], ["-F", "table"], ["-o", "OUT"]):
                    out = self.home / "out"
                    done = self.ok(*words, *[out if flag == "OUT" else flag for flag in flags])
                    text = out.read_text() if "OUT" in flags else done.stdout.decode()
                    self.assertIn(whole, text)
                    self.assertNotIn("...", text)

    def test_bytes_in_csv_and_tsv(self):
        self.fill()
        rows = list(csv.DictReader(io.StringIO(
            self.ok("lsm", "files", self.db, "-F", "csv").stdout.decode(), newline="")))
        self.assertIn(("k000", "k099"), {(r["smallest.key"], r["largest.key"]) for r in rows})
        long_key = "k" * 500
        self.ok("put", self.home / "long", "--create", long_key, "v")
        self.ok("compact", self.home / "long")
        out = self.ok("lsm", "files", self.home / "long", "-F", "tsv").stdout.decode()
        self.assertIn("\t" + long_key + "\t", out)

    def test_scan_as_a_dump(self):
        self.fill()
        self.assertEqual(self.ok("scan", self.db, "-F", "dump").stdout,
                         self.ok("dump", self.db).stdout)
        part = self.ok("scan", self.db, "-F", "dump", "--prefix", "k01").stdout
        self.ok("load", self.home / "copy", "-", stdin=part)
        self.assertEqual(self.ok("count", self.home / "copy").stdout, b"10\n")
        self.ok("scan", self.db, "-F", "dump", "--keys-only", code=2)

    def test_a_format_that_is_not_printed_is_an_error(self):
        self.fill()
        for words in (["lsm", "show", self.db, "-F", "dump"], ["count", self.db, "-F", "nul"],
                      ["put", self.db, "a", "b", "-F", "raw"]):
            done = self.ok(*words, code=2)
            self.assertIn(f"--format: '{words[-1]}' is not one of".encode(), done.stderr)
            # Its help lists what it does print.
            help = self.ok(*[word for word in words[:2] if word != self.db], "--help").stdout
            listed = re.search(rb"--format <value> .*: (.*)", help).group(1).split()
            self.assertIn(b"json", listed)
            self.assertNotIn(words[-1].encode(), listed)
        self.ok("get", self.db, "a", code=1)

    def test_damage_within_a_list_is_in_the_exit_code(self):
        self.ok("load", self.db, "-", stdin="".join(f"key{i:05}\tvalue{i}\n" for i in range(5000)))
        table = next(self.db.glob("*.sst"))
        damaged = bytearray(table.read_bytes())
        damaged[len(damaged) // 2] ^= 0x40
        table.write_bytes(damaged)
        for fmt in ("text", "json", "jsonl"):
            with self.subTest(fmt):
                self.ok("scan", self.db, "-F", fmt, code=4)


class FamilyNames(Case):
    """They may be any bytes: documents have them with escapes, and what takes a name takes it so."""

    NAMES = {b"\xff\xfe": r"\xff\xfe", b"a\\b": r"a\\b", b"tab\there": r"tab\there", "ž".encode(): "ž"}

    def families(self, value):
        """Every name of a family that a document has."""
        if isinstance(value, list):
            return set().union(*map(self.families, value))
        if not isinstance(value, dict):
            return set()
        named = {value["cf"]} if isinstance(value.get("cf"), str) else set()
        named |= {name for name in value.get("cfs", []) if isinstance(name, str)}
        return named.union(*map(self.families, value.values()))

    def prepare(self):
        self.ok("put", self.db, "--create", "k", "v")
        self.ok("cf", "create", self.db, *self.NAMES.values())
        self.ok("batch", self.db, stdin="".join(f"cf={escaped}\tput\tk\tv\n"
                                                for escaped in ("default", *self.NAMES.values())))

    def test_every_document_has_them_with_escapes(self):
        self.prepare()
        listed = json.loads(self.out("cf", "list", self.db, "--json"))["families"]
        self.assertEqual({family["name"] for family in listed}, {"default", *self.NAMES.values()})
        log = max(int(path.stem) for path in self.db.glob("*.log"))
        for words in (["scan", self.db, "--all-cfs"], ["wal", "records", self.db, log]):
            with self.subTest(words):
                self.assertEqual(self.families(json.loads(self.out(*words, "--json"))),
                                 {"default", *self.NAMES.values()})
        self.assertEqual(self.families(json.loads(self.out("db", "repair", self.db, "--dry-run", "--json"))),
                         {"default", *self.NAMES.values()})
        for bytes_of, escaped in self.NAMES.items():
            for words in (["put", self.db, "a", "b"], ["delete", self.db, "a"], ["compact", self.db],
                          ["approxsize", self.db], ["lsm", "show", self.db], ["lsm", "files", self.db],
                          ["lsm", "history", self.db], ["manifest", "edits", self.db],
                          ["db", "set-options", self.db, "block_size=8192"], ["db", "options", self.db]):
                with self.subTest(words, escaped=escaped):
                    document = json.loads(self.out(*words, "--cf", escaped, "--json"))
                    self.assertEqual(self.families(document), {escaped})
            with self.subTest(escaped):  # Both forms where no backslash is in the name itself.
                self.ok("get", self.db, "--cf", escaped if b"\\" in bytes_of else bytes_of, "k", "--json")
                self.assertEqual(self.out("scan", self.db, "--cf", escaped), "k\tv\n")
                self.ok("explain", "get", self.db, "k", "--cf", escaped, "--json")
                self.ok("db", "space", self.db, "--cf", escaped, "--json")
        everything = self.ok("scan", self.db, "--all-cfs", "-F", "jsonl").stdout
        other = self.home / "other"
        self.ok("put", other, "--create", "k", "v")
        self.ok("cf", "create", other, *self.NAMES.values())
        self.ok("load", other, "-", stdin=everything)
        self.ok("diff", self.db, other, "--all-cfs")
        self.ok("batch", other, stdin=f"cf={self.NAMES[bytes([255, 254])]}\tput\tk\tnew\n")
        self.assertIn(r"\xff\xfe", self.families(json.loads(
            self.out("scan", other, "--all-cfs", "--json"))))
        self.ok("diff", self.db, other, "--all-cfs", code=1)

    def test_what_is_no_name(self):
        self.prepare()
        for words in (["get", self.db, "k", "--cf", "a\\"], ["cf", "create", self.db, r"\q"],
                      ["cf", "drop", self.db, r"\x1", "--yes"], ["scan", self.db, "--cf", r"\x"]):
            with self.subTest(words):
                self.assertRegex(self.err(*words, code=2), "(--cf|name): ")
        self.ok("load", self.db, "-", "--input-format", "jsonl",
                stdin='{"cf":"\\\\q","key":"a","value":"b"}\n', code=7)


class CutShort(Case):
    """By damage among the rows: what was printed is a document, which says that it is not all."""

    def test_records_before_a_damaged_block(self):
        for name, rows in (("d_idx_overlap", 20), ("d_blk_desc", 1)):
            damaged = HOSTILE / name
            for words in (["scan", damaged, "--all-cfs"], ["scan", damaged, "--stored-order"],
                          ["dump", damaged]):
                with self.subTest(f"{name} {words[0]} {words[-1]}"):
                    document = json.loads(self.ok(*words, "--json", code=4).stdout)
                    self.assertEqual(len(document["rows"]), rows)
                    self.assertEqual((document["count"], document["complete"]), (rows, False))
                    *_, end = self.ok(*words, "-F", "jsonl", code=4).stdout.splitlines()
                    self.assertEqual(json.loads(end), {"end": True, "count": rows, "complete": False})


class OutputFiles(Case):
    def setUp(self):
        super().setUp()
        self.fill()

    def test_what_fails_leaves_the_file_as_it_was(self):
        out = self.home / "out"
        out.write_text("before")
        out.chmod(0o640)
        self.ok("scan", self.db, "--cf", "no-such", "-o", out, code=2)
        self.assertEqual(out.read_text(), "before")
        self.ok("scan", self.db, "-o", out)
        self.assertEqual(len(out.read_text().splitlines()), 101)
        self.assertEqual(out.stat().st_mode & 0o777, 0o640)
        self.assertEqual([p.name for p in self.home.glob("out*")], ["out"])

    def test_a_link_stays_one(self):
        (self.home / "real").write_text("before")
        (self.home / "link").symlink_to(self.home / "real")
        self.ok("count", self.db, "-o", self.home / "link")
        self.assertTrue((self.home / "link").is_symlink())
        self.assertEqual((self.home / "real").read_text(), "101\n")

    def test_never_an_input(self):
        table = next(self.db.glob("*.sst"))
        os.link(table, self.home / "same.sst")
        os.symlink(table, self.home / "link.sst")
        before = table.read_bytes()
        for words in (["sst", "entries", table, "-o", table],
                      ["sst", "entries", table, "-o", self.home / "same.sst"],
                      ["sst", "entries", self.home / "link.sst", "-o", table],
                      ["scan", self.db, "-o", table], ["scan", self.db, "-o", self.db / "new"],
                      ["get", self.db, f"@{self.home}/same.sst", "-o", self.home / "same.sst"]):
            with self.subTest(words):
                done = self.ok(*words, code=8)
                self.assertIn(b"would change", done.stderr)
        self.assertEqual(table.read_bytes(), before)
        self.assertFalse((self.db / "new").exists())

    def test_never_what_the_command_makes(self):
        source = self.home / "in.tsv"
        source.write_text("a\t1\n")
        for words, made in ((["sst", "build"], "new.sst"), (["load"], "copy")):
            self.ok(*words, self.home / made, source, "-o", self.home / made, code=8)
            self.assertFalse((self.home / made).exists())
        self.ok("checkpoint", self.db, self.home / "point", "-o", self.home / "point", code=8)
        self.assertFalse((self.home / "point").exists())
        # The name of a family is no file.
        (self.home / "users").write_text("before")
        done = subprocess.run([VARVE, "cf", "create", self.db, "users", "-o", "users"],
                              cwd=self.home, timeout=60)
        self.assertEqual(done.returncode, 0)

    def test_a_dash_is_standard_output(self):
        done = subprocess.run([VARVE, "count", self.db, "-o", "-"], cwd=self.home,
                              capture_output=True, timeout=60)
        self.assertEqual(done.stdout, b"101\n")
        self.assertFalse((self.home / "-").exists())

    def test_a_full_disk(self):
        for words in (["help"], ["--help"], ["help", "get"], ["get", "--help"], ["help", "--json"],
                      ["help", "--man"], ["version"], ["options"], ["completion", "bash"],
                      ["scan", self.db], ["lsm", "show", self.db]):
            with self.subTest(words):
                with open("/dev/full", "wb") as full:
                    done = subprocess.run([VARVE, *map(str, words)], stdout=full,
                                          stderr=subprocess.PIPE, timeout=60)
                self.assertEqual(done.returncode, 3)
                self.assertIn(b"writing the output", done.stderr)
        self.ok("scan", self.db, "-o", "/dev/full", code=3)


class Terminals(Case):
    def check(self, words, **more):
        for env in ({}, {"NO_COLOR": "1"}):
            out, _ = at_a_terminal(words, env={**os.environ, "TERM": "xterm", **env}, **more)
            # Our own colours and the wiping of a progress line are all there may be.
            left = re.sub(rb"\x1b\[[0-9]*m|\r\x1b\[K|\r\n", b"", out)
            self.assertNotRegex(left, rb"[\x00-\x08\x0b-\x1f\x7f]", words)
            self.assertNotIn("\x9b", left.decode("utf-8"), words)
            if env:
                self.assertNotIn(b"\x1b", out.replace(b"\r\x1b[K", b""), words)

    def test_a_dumb_terminal_gets_no_colors(self):
        self.fill()
        for words in (["lsm", "show", self.db], ["options"]):
            for terminal in ("xterm", "dumb"):
                with self.subTest(words, terminal=terminal):
                    out, _ = at_a_terminal(words, env={**os.environ, "TERM": terminal, "NO_COLOR": ""})
                    self.assertEqual(b"\x1b" in out, terminal != "dumb", out)

    def test_escapes_in_files(self):
        tables = [HOSTILE / name for name in ("prop_cmp_evil.sst", "meta_evil.sst", "evil_keys.sst",
                                              "prop_prefix_evil.sst")]
        for table in tables:
            self.assertTrue(table.exists(), table)
            for words in (["sst", "info", table, "--properties"], ["sst", "verify", table],
                          ["sst", "layout", table, "--fields"], ["sst", "blocks", table],
                          ["sst", "index", table], ["sst", "filter", table],
                          ["sst", "entries", table], ["sst", "entries", table, "-F", "raw"],
                          ["sst", "entries", table, "-F", "csv"],
                          ["sst", "salvage", table, "--dry-run"],
                          ["sst", "info", table, "--json"], ["db", "info", table]):
                with self.subTest(words):
                    self.check(words)
        for name in ("m_cmp_evil", "m_cfname_evil", "o_evil", "d_evil_keys"):
            for words in (["db", "info"], ["db", "verify"], ["db", "options"], ["lsm", "show"],
                          ["lsm", "files"], ["manifest", "edits"], ["manifest", "show"], ["scan"],
                          ["scan", "-F", "raw"], ["scan", "--json"], ["scan", "-F", "jsonl"],
                          ["db", "options", "--json"], ["dump"], ["count"], ["db", "events"],
                          ["db", "repair", "--dry-run"], ["manifest", "layout"]):
                with self.subTest([*words, name]):
                    self.assertTrue((HOSTILE / name).exists())
                    self.check([*words[:2], HOSTILE / name, *words[2:]]
                               if len(words) > 1 and not words[1].startswith("-")
                               else [words[0], HOSTILE / name, *words[1:]])

    def test_escapes_in_values_are_not_our_colours(self):
        for code in ("0", "1", "2", "31", "32", "33"):
            self.ok("put", self.db, "--create", f"key{code}", f"\x1b[{code}mvalue")
        self.ok("load", self.home / "other", "-", stdin="a\tb\n")
        for words in (["scan", self.db], ["get", self.db, "key31"], ["diff", self.db, self.home / "other"],
                      ["dump", self.db], ["sst", "entries", HOSTILE / "evil_keys.sst"]):
            for fmt in ("text", "csv", "tsv", "raw", "nul", "json", "jsonl", "dump"):
                if harness.varve(*words, "-F", fmt).returncode > 1:
                    continue  # The verb has no such format.
                for flags in ([], ["--color", "always"]):
                    with self.subTest(words=words, fmt=fmt, flags=flags):
                        out, _ = at_a_terminal([*words, "-F", fmt, *flags])
                        self.assertNotIn(b"\x1b", out.replace(b"\r\x1b[K", b""))
        # What is no terminal gets the bytes, whatever the colours of text are.
        for flags in ([], ["--color", "always"]):
            self.assertIn(b"key31,\x1b[31mvalue\n", self.ok("scan", self.db, "-F", "csv", *flags).stdout)

    def test_escapes_in_names_are_not_our_colours(self):
        table = self.home / "\x1b[31mred.sst"
        shutil.copy(HOSTILE / "fv_5.sst", table)
        for words in (["sst", "info", table], ["sst", "verify", table], ["sst", "info", HOSTILE / "prop_cmp_evil.sst"]):
            out, _ = at_a_terminal([*words, "--color", "always"])
            self.assertNotIn(b"\x1b", re.sub(rb"\r\x1b\[K", b"", out), words)

    def test_escapes_in_arguments_and_names(self):
        evil = "\x1b]0;owned\x07\x1b[2J"
        self.check(["get", self.home / evil, "k"])
        self.check([evil])
        self.check(["db", evil])
        self.fill()
        self.check(["scan", self.db, "--cf", evil])
        (self.db / evil).write_text("x")
        for words in (["lsm", "show"], ["db", "verify"], ["db", "info"], ["db", "space"]):
            self.check([*words, self.db])

    # Turned around, invisible, a control character past ASCII, a tag: what a name must not do to the
    # line that it stands in.
    INVISIBLE = "a\u202eb \u2066 \u200b \u061c \x9b31m \x7f \ufeff \U000e0041 ž 鍵"

    def test_what_is_invisible_in_json(self):
        self.ok("put", self.db, "--create", self.INVISIBLE, self.INVISIBLE)
        self.ok("cf", "create", self.db, self.INVISIBLE)
        for words in (["scan", self.db, "--json"], ["scan", self.db, "-F", "jsonl"],
                      ["get", self.db, self.INVISIBLE, "--json"], ["cf", "list", self.db, "--json"],
                      ["scan", self.db, "--all-cfs", "--json"], ["dump", self.db, "--json"],
                      ["sst", "info", next(self.db.glob("*.sst")), "--json"],
                      ["lsm", "show", self.db, "--json"],
                      ["get", self.home / self.INVISIBLE, "k", "--json"],  # To standard error.
                      ["scan", self.db], ["db", "info", self.db], ["cf", "list", self.db]):
            with self.subTest(words):
                out, _ = at_a_terminal(words)
                text = out.decode()
                for character in self.INVISIBLE:
                    if not character.isascii() and character not in "ž鍵":
                        self.assertNotIn(character, text)
                self.assertNotIn("\x7f", text)
                if "--json" in words and words[0] != "get":
                    self.assertEqual(json.loads(text), json.loads(self.ok(*words).stdout))
        rows = json.loads(at_a_terminal(["scan", self.db, "--json"])[0])["rows"]
        self.assertEqual(bytes.fromhex(rows[0]["key"]["hex"]).decode(), self.INVISIBLE)

    def test_to_a_file_bytes_stay(self):
        table = HOSTILE / "evil_keys.sst"
        self.assertIn(b"\x1b", self.ok("sst", "entries", table, "-F", "raw").stdout)
        for words in (["sst", "info", table, "--properties"], ["sst", "entries", table]):
            self.assertNotIn(b"\x1b", harness.varve(*words).stdout)


class Progress(Case):
    LINE = re.compile(r"\r\x1b\[K([^\r\n]+)")

    # Of which of the verbs it is said how far they are, whatever they count.
    RATE_SHARE_AND_TIME = r": [\d.]+ %, .* to go, [\d,.]+ ?\w*( \w+)?/s"

    def in_slices(self, process, pause):
        """A fraction of a second of work takes several, however fast the machine is. (What is drawn
        depends on the clock: only time itself makes there be more of it.)"""
        while process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            time.sleep(pause)  # pause: what is tested is drawn by the clock
            process.send_signal(signal.SIGCONT)
            time.sleep(0.002)  # pause: the slice

    def at_work(self, *words, pause, **how):
        def feed(process):
            process.stdin.close()
            threading.Thread(target=self.in_slices, args=[process, pause], daemon=True).start()
        out, code = at_a_terminal([*words], feed=feed, **how)
        self.assertEqual(code, 0, out)
        return out.decode()

    def drawn(self, verb, *words, pause=0.2):
        """The lines of progress, and all that came to the terminal. On a busy machine a slice may last until all is
        done: then it is done again."""
        for _ in range(5):
            lines, text, moved = self.drawn_once(verb, *words, pause=pause)
            if moved:
                break
        self.assertTrue(moved, lines)
        self.assertTrue(any(re.search(self.RATE_SHARE_AND_TIME, line) for line in lines), lines)
        return lines, text

    def drawn_once(self, verb, *words, pause):
        """Likewise, and whether they say of one phase that it went on."""
        text = self.at_work(*words, pause=pause)
        lines = [line for line in self.LINE.findall(text) if line.startswith(verb + ": ")]
        for line in lines:
            self.assertLessEqual(len(line), 79)
        shares = {}  # By phase: each begins anew.
        for line in lines:
            if found := re.match(r"(.*): ([\d.]+) %, ", line):
                shares.setdefault(found[1], []).append(float(found[2]))
        for of_phase in shares.values():
            self.assertEqual(of_phase, sorted(of_phase), lines)
        moved = any(len({share for share in of_phase if 0 < share < 100}) > 1 for of_phase in shares.values())
        return lines, text, moved

    def test_load_shows_rate_share_and_time_to_go(self):
        source = self.home / "in.tsv"
        source.write_text("".join(f"key{i:08}\tvalue{i}\n" for i in range(400000)))
        words = ["load", self.db, source, "--mem", "2M", "--option", "compression=zstd"]
        lines, text = self.drawn("load", *words, pause=0.05)
        # Where a line cannot be erased, none is drawn.
        plain = self.at_work(*words, pause=0.05, env={**os.environ, "TERM": "dumb"})
        self.assertNotIn("\x1b", plain)
        self.assertNotIn("\r\n\r", plain)
        # What a narrow terminal has no room for is the count.
        self.assertRegex(lines[0], r": [\d.]+ %, (.* to go, )?[\d,]+ records/s, ")
        # The summary stands alone.
        last = text.split("\r\n")[-2].split("\r\x1b[K")[-1]
        self.assertTrue(last.startswith("loaded 400,000 records"), last)

    def load_much(self, *flags):
        rows = (f"key{i:07}\t{random.Random(i).randbytes(60).hex()}\n" for i in range(240000))
        self.ok("load", self.db, "-", *flags, stdin="".join(rows))

    def test_one_compaction_shows_how_far_it_is(self):
        one_table = ["--option", "target_file_size_base=1G"]
        self.load_much(*one_table)
        self.drawn("compact", "compact", self.db, "--force", *one_table)

    def test_reading_shows_how_far_it_is(self):
        self.load_much()
        self.drawn("verify", "db", "verify", self.db)
        self.drawn("count", "count", self.db)
        _, text = self.drawn("dump", "dump", self.db, "-o", self.home / "dump")
        self.assertNotIn("#end", text)
        self.drawn("verify", "sst", "verify", next(self.db.glob("*.sst")))

    def slow(self, words, seconds=2.5):
        """A line now and then through standard input; what is drawn meanwhile."""
        def feed(process):
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                process.stdin.write(b"".join(b"k%d\tv\n" % i for i in range(300)) + b"bad\n")
                process.stdin.flush()
                time.sleep(0.1)  # pause: what is tested is drawn by the clock
            process.stdin.close()
        return at_a_terminal(words, feed=feed)[0].decode()

    def test_nothing_runs_into_a_progress_line(self):
        text = self.slow(["load", self.db, "-"])
        self.assertTrue(self.LINE.findall(text), text)
        for line in text.split("\r\n"):
            visible = line.split("\r\x1b[K")[-1]  # What is left of it on the screen.
            self.assertFalse("records/s" in visible and not visible.startswith("loaded"), line)
            if "rejected: no tab" in visible:
                self.assertTrue(visible.startswith("-:"), line)

    def test_narrow_terminals_are_not_overrun(self):
        def feed(process):
            for _ in range(25):
                process.stdin.write(b"".join(b"k%d\tv\n" % i for i in range(300)))
                process.stdin.flush()
                time.sleep(0.1)  # pause: what is tested is drawn by the clock
            process.stdin.close()
        out, _ = at_a_terminal(["load", self.db, "-"], columns=30, feed=feed)
        drawn = [line for line in self.LINE.findall(out.decode()) if line.startswith("load: ")]
        self.assertTrue(drawn)
        self.assertLessEqual(max(map(len, drawn)), 29)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
