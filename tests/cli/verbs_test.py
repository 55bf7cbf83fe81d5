#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verbs and words: suggestions, quantities, literals, column families, ingestion, foreign orders.

    verbs_test.py VARVE FIXTURES [unittest arguments]"""
import fcntl
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tarfile
import threading
import unittest

import harness

FIXTURES = pathlib.Path(sys.argv[2])


class Case(harness.Case):
    def load(self, records, *flags):
        return self.ok("load", self.db, "-", *flags, stdin=records)


class Words(Case):
    def test_what_was_probably_meant_is_named(self):
        for words, meant in (
                (["mutliget"], "'multiget'"), (["inof"], ""), (["sst", "inof"], "'info'"),
                (["db", "verfy", "x"], "'verify'"), (["space", "x"], "'db space'"),
                (["scan", "x", "--limt", "3"], "'--limit'"), (["scan", "x", "--lim", "3"], "'--limit'"),
                (["scan", "x", "--keys_only"], "'--keys-only'"), (["scan", "x", "-F", "jsno"], "'json'"),
                (["bench", "run", "fillrandm"], "'fillrandom'"),
                (["bench", "compare", "--workload", "readrandon"], "'readrandom'"),
                (["load", "x", "-", "--option", "compresion=zstd"], "'compression'"),
                (["scan", "x", "--zzzz"], "")):
            with self.subTest(words):
                text = self.err(*words, code=2)
                self.assertEqual(text.count("\n"), 1)
                if meant:
                    self.assertIn(f"did you mean {meant}", text)
                else:
                    self.assertNotIn("did you mean", text)

    def test_flags_of_every_command_may_stand_in_front(self):
        self.load("k\tv\n")
        behind = self.ok("get", self.db, "k", "--json").stdout
        for words in (["--json", "get"], ["-F", "json", "get"], ["-Fjson", "get"],
                      ["--format=json", "get"], ["-q", "--json", "get"]):
            self.assertEqual(self.ok(*words, self.db, "k").stdout, behind, words)
        self.assertEqual(json.loads(self.out("sst", "--json", "info", next(self.db.glob("*.sst"))))
                         ["schema"], "varve.file/1")
        self.assertEqual(json.loads(self.err("--json", "mutliget", code=2))["exit_code"], 2)
        self.assertIn("must follow the command", self.err("--limit", "3", "scan", self.db, code=2))
        self.ok("--json", code=2)

    def test_help_of_a_group(self):
        by_help = self.out("help", "sst")
        for words in (["sst", "--help"], ["sst", "-h"], ["--help", "sst"]):
            self.assertEqual(self.out(*words), by_help)
        self.assertIn("varve sst verify ", by_help)
        self.assertNotIn("db verify", by_help)
        self.assertEqual(self.out("help", "sst", "info"), self.out("sst", "info", "--help"))
        self.assertEqual(json.loads(self.out("help", "--json"))["schema"], "varve.help/1")
        self.ok("help", "nonsense", code=2)

    def test_quantities(self):
        self.load("".join(f"k{i:04}\t{i}\n" for i in range(1100)))
        self.assertEqual(self.out("scan", self.db, "--limit", "1K").count("\n"), 1000)
        for size in ("64M", "64MB", "64MiB", "64mib", "67108864", "67108864B"):
            self.ok("count", self.db, "--mem", size)
            self.ok("count", self.db, "--option", f"write_buffer_size={size}")
        for size in ("64X", "64MiBB", "M", "-1"):
            self.ok("count", self.db, "--mem", size, code=2)
        self.ok("scan", self.db, "--limit", "1MB", code=2)
        listed = self.out("bench", "run", "fillseq", "--num", "1K", "--value-size", "10", "--json",
                          "-q", "--db", self.home / "b")
        self.assertEqual(json.loads(listed)["settings"]["num"], 1000)

    def test_put_where_nothing_is_names_create(self):
        self.assertIn("--create", self.err("put", self.db, "k", "v", code=3))
        self.db.mkdir()
        self.assertIn("--create", self.err("put", self.db, "k", "v", code=3))
        self.assertEqual(list(self.db.iterdir()), [])

    def test_damage_names_what_helps(self):
        self.load("".join(f"key{i:05}\tvalue{i}\n" for i in range(5000)))
        table = next(self.db.glob("*.sst"))
        damaged = bytearray(table.read_bytes())
        damaged[len(damaged) // 3] ^= 0x40
        table.write_bytes(damaged)
        for words in (["scan", self.db], ["db", "verify", self.db], ["count", self.db]):
            self.assertIn(f"varve db repair {self.db}", self.err(*words, code=4))
        self.assertIn(f"varve sst salvage {table}", self.err("sst", "entries", table, code=4))
        sound, log = self.home / "sound", self.home / "log"
        for db in (sound, log):
            self.ok("put", db, "--create", "k", "v")
        wal = next(log.glob("*.log"))
        wal.write_bytes(harness.log_record(1, bytes([1] + [0] * 7 + [5, 0, 0, 0])))  # No such batch.
        for a, b in ((sound, self.db), (self.db, sound), (sound, log), (log, sound)):
            damaged = b if a is sound else a
            self.assertIn(f"varve db repair {damaged} ", self.err("diff", a, b, code=4))
        # Where the answer itself says what is damaged, too.
        hidden = next(key for key in (f"key{i:05}" for i in range(0, 5000, 25))
                      if harness.varve("get", self.db, key).returncode == 4)
        for db, *words in ((self.db, "explain", "get", self.db, hidden),
                           (self.db, "explain", "scan", self.db, "--from", hidden),
                           (self.db, "explain", "multiget", self.db, "key00000", hidden),
                           (self.db, "locate", self.db, hidden), (log, "wal", "segments", log)):
            self.assertIn(f"varve db repair {db} ", self.err(*words, code=4), words)
        self.assertIn(f"varve sst salvage {table}", self.err("sst", "blocks", table, code=4))
        # Reads that stand on a part of a log.
        part = self.home / "part"
        self.ok("batch", part, "--create", stdin="put\ta\t1\n\nput\tb\t2\n\nput\tc\t3\n")
        wal = next(part.glob("*.log"))
        broken = bytearray(wal.read_bytes())
        broken[len(broken) // 2] ^= 0x40
        wal.write_bytes(broken)
        for words in (["get", part, "a"], ["scan", part], ["count", part], ["dump", part]):
            self.assertIn(f"varve db repair {part} ", self.err(*words, code=7), words)
        # A database that lost its CURRENT: it is not the input's first line that is damaged.
        (sound / "CURRENT").unlink()
        said = self.err("load", sound, "-", stdin="k\tv\n", code=4)
        self.assertIn(f"varve db repair {sound} ", said)
        self.assertNotIn("-:1", said)
        # The damage of an input is not the database's.
        (self.home / "cut.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\0abc")
        self.assertNotIn("repair", self.err("load", self.home / "new", self.home / "cut.gz", code=4))


class ManPages(Case):
    MACROS = {"TH", "SH", "TP", "PP", "RS", "RE", "EX", "EE", "BR", "nr", "nh", "ad"}
    ESCAPES = re.compile(r"\\(-|e|&|f[BIR]|\((aq|ga|ha|ti|dq)|\[u[0-9A-F]{4,6}\])")

    def commands(self):
        return json.loads(self.out("help", "--json"))["commands"]

    def pages(self):
        """Each page with its command; None is varve(1)."""
        yield None, self.out("help", "--man")
        for command in self.commands():
            yield command, self.out("help", "--man", *command["name"].split())

    def rendered(self, page):
        """As a terminal shows it, on lines that are long enough."""
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-rLL=250n", "-P-cbou"],
                              input=page.encode(), capture_output=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def test_every_page_is_without_accidents(self):
        for command, page in self.pages():
            with self.subTest(command and command["name"]):
                self.assertTrue(page.isascii())
                for line in page.splitlines():
                    self.assertNotEqual(line, "")
                    self.assertFalse(line.startswith("'"), line)
                    if line.startswith("."):
                        self.assertIn(line[1:].split(" ")[0], self.MACROS)
                    self.assertNotIn("\\", self.ESCAPES.sub("", line))
                self.assertNotIn("-", self.ESCAPES.sub("", page))  # That would be a hyphen.

    def test_a_page_says_all_that_help_says(self):
        for command, page in self.pages():
            if command is None:
                continue
            with self.subTest(command["name"]):
                title = "varve-" + command["name"].replace(" ", "-")
                text = self.rendered(page)
                self.assertTrue(text.startswith(title.upper() + "(1)"), text[:100])
                self.assertIn(f"{title} - {command['summary']}\n", text)
                sections = re.findall("^[A-Z][A-Z ]+$", text, re.MULTILINE)
                self.assertEqual(sections, ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS",
                                            "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"])
                lines = {line.strip() for line in text.splitlines()}
                for example in command["examples"].splitlines():
                    self.assertIn(example.strip(), lines)  # As it is to be typed.
                words = " ".join(text.split())
                for parameter in command["parameters"]:
                    self.assertIn(parameter["name"], words)
                    self.assertIn(" ".join(parameter["help"].split()), words)
                    for choice in parameter["choices"]:
                        self.assertIn(choice, words)
                for code in re.findall(r"(?:^|, )(\d+)", command["exit_codes"]):
                    self.assertRegex(text, rf"(?m)^ +{code} ")
                self.assertIn("VARVE_COLOR", text)

    def test_the_page_of_varve_names_all_others(self):
        text = self.rendered(self.out("help", "--man"))
        self.assertTrue(text.startswith("VARVE(1)"))
        for command in self.commands():
            self.assertIn(f"varve-{command['name'].replace(' ', '-')}(1)", text)
        for word in ("VARVE_FORMAT", "VARVE_COLOR", "VARVE_CACHE", "NO_COLOR", "TMPDIR", "--json",
                     "70", "varve/config"):
            self.assertIn(word, text)

    def test_pages_that_there_are_not(self):
        self.assertIn("did you mean 'scan'", self.err("help", "--man", "scna", code=2))
        self.assertIn("'sst' needs one of: info", self.err("help", "--man", "sst", code=2))
        self.assertIn("troff", self.err("help", "--man", "scan", "--json", code=2))
        self.assertIn("'more'", self.err("help", "scan", "more", code=2))
        self.assertIn("'--man'", self.err("help", "--mann", code=2))
        self.assertEqual(self.out("help", "scan", "--man"), self.out("help", "--man", "scan"))
        self.ok("help", "--man", "scan", "-o", self.home / "varve-scan.1")
        self.assertEqual((self.home / "varve-scan.1").read_text(), self.out("help", "--man", "scan"))

    def test_help_is_a_command_as_others_are(self):
        flags = {p["name"] for p in next(c for c in self.commands() if c["name"] == "help")["parameters"]}
        self.assertLessEqual({"command", "--man", "--json"}, flags)
        one = json.loads(self.out("help", "sst", "info", "--json"))
        self.assertEqual([c["name"] for c in one["commands"]], ["sst info"])
        group = json.loads(self.out("help", "wal", "--json"))
        self.assertEqual([c["name"] for c in group["commands"]],
                         ["wal segments", "wal records", "wal layout"])

        def offered(*words):
            return self.out("completion", "bash", "--", *words).splitlines()
        self.assertEqual(offered("help", "--m"), ["--man"])
        self.assertEqual(offered("help", "--man", "wal", ""), ["segments", "records", "layout"])
        self.assertIn("help", offered("help", "h"))


class Examples(Case):
    def test_every_line_is_a_command_or_a_comment(self):
        document = json.loads(self.out("help", "--json"))
        commands = {command["name"]: command for command in document["commands"]}
        texts = [(name, command["examples"]) for name, command in commands.items()]
        overview = self.out("--help").split("\n\n")[1]
        for name, text in texts + [("", overview)]:
            for line in filter(None, map(str.strip, text.splitlines())):
                with self.subTest(line):
                    self.check(line, commands)

    def check(self, line, commands):
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|<>()")
        lexer.commenters, lexer.whitespace_split = "#", True
        words = list(lexer)
        if not words:
            self.assertTrue(line.startswith("#"))
            return
        self.assertTrue({"varve", "echo"} & set(words), line)
        self.assertNotRegex(line.partition("#")[0].strip(), r" {2}")  # Prose begins with a #.
        while "varve" in words:
            words = words[words.index("varve") + 1:]
            end = next((i for i, word in enumerate(words) if set(word) <= set("|<>()")), len(words))
            self.check_words(words[:end], commands)
            words = words[end:]

    def check_words(self, words, commands):
        name = next((name for name in (" ".join(words[:2]), words[0]) if name in commands), None)
        self.assertIsNotNone(name, words)
        if name == "ldb":
            return  # The rest are words of ldb: ldb_test.py.
        parameters, left = commands[name]["parameters"], words[len(name.split()):]
        flags = {"-F", "-o", "-q"} | {p["name"] for p in parameters if not p["positional"]}
        if "--" in left:
            left = left[:left.index("--")]
        for word in left:
            if word.startswith("-") and word != "-":
                self.assertIn(word, flags)


class Flags(Case):
    # What asks for that which is shown anyway, or needs what this database has not: a LOG, damage,
    # several tables or blocks.
    ASKED_FOR_ANYWAY = {("scan TABLE", "versions"), ("scan TABLE", "stored-order"),
                        ("count TABLE", "versions"), ("db events", "type"), ("db events", "job"),
                        ("sst salvage", "unverified"),
                        ("lsm files", "order-by"), ("lsm files", "from"), ("approxsize", "from"),
                        ("locate", "all"), ("sst hex", "block"), ("explain scan", "blocks")}
    VALUES = {"from": "k05", "to": "k06", "prefix": "k05", "limit": "1", "at-seq": "50", "cf": "users",
              "edit": "3", "level": "6", "group-length": "2", "group-by": "0", "samples": "2",
              "seed": "7", "offset": "16", "size": "32", "at": "100", "ask": "k001", "block": "0",
              "type": "flush_finished", "job": "1", "edits": "2..3", "file": "6", "partition": "0",
              "kind": "data", "block-size": "1024", "dictionary": "100", "properties": "x",
              "key-schema": "name:str", "value-schema": "text:str"}
    SKIPPED = {"format", "json", "output", "color", "quiet", "option", "mem", "cache", "key-in",
               "http-cache", "http-stats"}

    def prepare(self):
        """A database in which every flag could find something: versions, families, a log."""
        self.load("".join(f"k{i:03}\tvalue {i}\n" for i in range(100)))
        self.ok("cf", "create", self.db, "users")
        self.ok("put", self.db, "--cf", "users", "u1", "x")
        self.ok("batch", self.db, stdin="".join(f"put\tk001\tnew {i}\n\n" for i in range(99)) +
                "delete\tk003\n\nput\tk055\tx\n\ncf=users\tput\tu2\ty\n")
        table = max(self.db.glob("*.sst"), key=lambda path: path.stat().st_size)
        log = max(self.db.glob("*.log"))
        return table, int(log.stem)

    def test_every_flag_has_an_effect_or_is_refused(self):
        table, log = self.prepare()
        given = {"scan TABLE": [table], "count TABLE": [table], "get": [self.db, "k001"],
                 "multiget": [self.db, "k001", "k055"], "diff": [self.db, self.home / "other"],
                 "db repair": [self.db, "--dry-run"], "sst salvage": [table, "--dry-run"],
                 "locate": [self.db, "k001"], "explain get": [self.db, "k001"],
                 "explain multiget": [self.db, "k001", "k055"], "wal records": [self.db, log],
                 "wal layout": [self.db, log], "sst probe": [table, "k001"],
                 "sst block": [table, "0"], "sst recompress": [table, "--compare"]}
        self.ok("load", self.home / "other", "-", stdin="k001\tx\n")
        commands = {c["name"]: c for c in json.loads(self.out("help", "--json"))["commands"]}
        for name in ("scan", "count", "dump", "approxsize", "db space", "db options", "db events",
                     "lsm files", "lsm history", "manifest edits", "manifest show", "explain scan",
                     "sst info", "sst entries", "sst layout", "sst blocks", "sst hex", *given):
            verb = name.removesuffix(" TABLE")
            words = [*verb.split(), *given.get(name, [table if verb.startswith("sst") else self.db])]
            for parameter in commands[verb]["parameters"]:
                flag = parameter["name"].lstrip("-").split(",")[-1]
                if parameter["positional"] or flag in self.SKIPPED or f"--{flag}" in words or \
                        (name, flag) in self.ASKED_FOR_ANYWAY:
                    continue
                choices = parameter["choices"] or [None]
                if harness.varve(*words, f"--{flag}").stderr.endswith(b"needs a value\n"):
                    choices = parameter["choices"] or [self.VALUES[flag]]
                with self.subTest(name=name, flag=flag):
                    plain = self.said(*words)
                    answers = {self.said(*words, f"--{flag}", *([value] if value else []))
                               for value in choices}
                    self.assertNotEqual(answers, {plain})

    @staticmethod
    def said(*words):
        """What a command says, but for how long it took."""
        done = harness.varve(*words)
        return done.returncode, re.sub(rb" +\d[\d.]* [mu\xc2\xb5]*s\b", b"", done.stdout), done.stderr

    def test_what_would_say_nothing_is_refused(self):
        table, _ = self.prepare()
        for words, says in (
                (["count", self.db, "--reverse"], "unknown flag '--reverse'"),
                (["count", self.db, "--keys-only"], "unknown flag '--keys-only'"),
                (["scan", table, "--cf", "users"], "is a table"),
                (["count", table, "--all-cfs"], "is a table"),
                (["scan", self.db, "--all-cfs", "--cf", "users"], "--all-cfs and --cf cannot be combined"),
                (["diff", self.db, self.db, "--all-cfs", "--cf", "users"], "--all-cfs and --cf cannot be combined"),
                (["scan", self.db, "--versions", "--all-cfs"], "--versions shows one"),
                (["db", "space", self.db, "--seed", "3"], "need --estimate"),
                (["db", "space", self.db, "--samples", "3"], "need --estimate"),
                (["db", "space", self.db, "--estimate", "--group-by", "0"], "--estimate does not report groups"),
                (["db", "space", self.db, "--analysis", "filters"], "--analysis needs --json"),
                (["db", "space", self.db, "--group-length", "2", "--group-by", "0"],
                 "--group-length and --group-by cannot be combined"),
                (["lsm", "show", self.db, "--properties", "--edits", "1..2"], "--properties is for scores"),
                (["lsm", "show", self.db, "--properties", "--against", self.db], "--properties is for scores"),
                (["lsm", "history", self.db, "--file", "6", "--cf", "users"], "--file cannot be combined with --cf"),
                (["lsm", "history", self.db, "--file", "6", "--kind", "flush"],
                 "--file cannot be combined with --kind"),
                (["lsm", "history", self.db, "--file", "6", "-F", "trace"],
                 "--file cannot be combined with -F trace"),
                (["db", "repair", self.db, "--dry-run", "-o", self.home / "new"], "--dry-run writes nothing"),
                (["db", "repair", self.db, "--yes", "-o", self.home / "new"], "cannot be combined with -o"),
                (["db", "repair", self.db, "--yes", "--dry-run"], "cannot be combined with --dry-run"),
                (["sst", "salvage", table, "--dry-run", "-o", self.home / "new"], "--dry-run writes nothing"),
                (["sst", "recompress", table, "--compare", "--codec", "snappy", "--dictionary", "4K"],
                 "--dictionary is for zstd"),
                (["serve", self.db, "--as-root", "--accept-loss"], "--accept-loss needs --write"),
                (["serve", self.db, "--as-root", "--upload-limit", "1M"], "need --write"),
                (["serve", self.db, "--as-root", "--plugins", self.home / "none"], "--plugins"),
                (["serve", self.db, "--as-root", "--users", "u", "--token-file", "t"], "exclude each other"),
                (["get", self.db, "k001", "--mem", "0"], "--mem 0: too little"),
                (["scan", self.db, "--json", "-F", "csv"], "--json means -F json, not -F csv"),
                (["-F", "tsv", "scan", self.db, "--json"], "--json means -F json, not -F tsv"),
                (["scan", self.db, "-o", ""], "needs the name of a file"),
                (["scan", self.db, "--output="], "--output needs a value"),
                (["load", self.db, "-", "--rejects", ""], "needs the name of a file"),
                (["db", "repair", self.db, "-o", ""], "needs the name of a file"),
                (["get", "", "k"], "needs the name of a file")):
            with self.subTest(words):
                self.assertIn(says, self.err(*words, code=2))
        self.ok("scan", self.db, "--json", "-F", "json")
        same = self.ok("scan", self.db, "--json").stdout  # A default is no contradiction.
        self.assertEqual(self.ok("scan", self.db, "--json",
                                 env={**os.environ, "VARVE_FORMAT": "csv"}).stdout, same)


class Differences(Case):
    def setUp(self):
        super().setUp()
        self.other = self.home / "other"
        for db in (self.db, self.other):
            self.ok("put", db, "--create", "k", "v")

    def test_a_family_that_one_of_them_lacks(self):
        self.ok("cf", "create", self.db, "empty")
        self.ok("cf", "create", self.other, "users")
        self.ok("put", self.other, "--cf", "users", "u", "1")
        words = ["diff", self.db, self.other, "--all-cfs"]
        done = self.ok(*words, code=1)
        self.assertEqual(done.stdout, b"- column family empty\n+ column family users\n+\tu\t1\n")
        self.assertIn(b"2 column families in one of them only, 0 only in", done.stderr)
        self.assertEqual(self.ok(*words, "--brief", code=1).stdout, b"")
        document = json.loads(self.ok(*words, "--json", code=1).stdout)
        self.assertEqual((document["cfs_only_a"], document["cfs_only_b"]), (["empty"], ["users"]))
        self.assertEqual((document["equal"], document["only_b"], document["complete"]), (False, 1, True))
        self.assertEqual(document["differences"][0]["cf"], "users")
        self.assertEqual(self.out(*words, "-F", "csv", code=1).splitlines(),
                         ["cf,kind,key,value", 'empty,cf_only_a,"",""', 'users,cf_only_b,"",""',
                          "users,only_b,u,1"])
        rows = [json.loads(line) for line in self.out(*words, "-F", "jsonl", code=1).splitlines()]
        self.assertEqual(rows[:2], [{"cf": "empty", "kind": "cf_only_a"},
                                    {"cf": "users", "kind": "cf_only_b"}])
        # An empty family alone is a difference, too; a family that is asked for has to be there.
        self.ok("diff", self.db, self.other)
        self.ok("cf", "drop", self.other, "users", "--yes")
        for flags in ([], ["--json"], ["--brief"], ["-F", "jsonl"]):
            self.ok(*words, *flags, code=1)
        self.ok("diff", self.db, self.other, "--cf", "empty", code=2)
        self.ok("cf", "drop", self.db, "empty", "--yes")
        self.ok(*words)
        self.assertTrue(json.loads(self.out(*words, "--json"))["equal"])

    def test_brief_says_how_many(self):
        self.ok("put", self.db, "k", "other")
        document = json.loads(self.out("diff", self.db, self.other, "--brief", "--json", code=1))
        self.assertEqual((document["changed"], document["differences"], document["complete"]),
                         (1, [], False))

    def test_other_orders_are_not_walked_in_step(self):
        other = self.home / "reversed"
        for db, flags in ((self.db, []),
                          (other, ["--option", "comparator=rocksdb.ReverseBytewiseComparator"])):
            self.ok("put", db, "--create", *flags, "a", "1")
            self.ok("put", db, *flags, "k", "v")
        for flags in ([], ["--json"]):
            self.assertIn("compared in key order",
                          self.ok("diff", self.db, other, *flags, code=6).stderr.decode())


class Alike(Case):
    """Text, JSON and rows end with the same exit code."""

    def alike(self, code, *words):
        """What is said in text, with standard error at its end, after a look at the other formats."""
        for form in ("json", "jsonl", "csv"):
            self.ok(*words, "-F", form, code=code)
        done = self.ok(*words, code=code)
        return (done.stdout + done.stderr).decode()

    def copy(self, fixture):
        copy = self.home / fixture.replace("/", "-")
        shutil.copytree(FIXTURES / fixture, copy)
        copy.chmod(0o755)
        return copy

    def flip(self, path, at):
        damaged = bytearray(path.read_bytes())
        damaged[at] ^= 0x40
        path.chmod(0o644)
        path.write_bytes(damaged)

    def test_a_blob_file_that_is_missing(self):
        db = self.copy("db/rocksdb-7.8.3/blob")
        keys = [line.split("\t")[0] for line in self.out("scan", db).splitlines()]
        for blob in db.glob("*.blob"):
            blob.unlink()
        self.assertIn("is missing", self.alike(4, "scan", db))
        lost = [key for key in keys if harness.varve("get", db, key).returncode]
        self.assertGreater(len(lost), 0)
        self.assertIn("is missing", self.alike(4, "get", db, lost[0]))
        self.assertIn("is missing", self.alike(4, "explain", "get", db, lost[0]))

    def test_a_damaged_manifest(self):
        db = self.copy("db/rocksdb-7.8.3/cursor")
        manifest = db / "MANIFEST-000005"
        self.flip(manifest, 1700)
        for words, shown in ((["lsm", "history"], "flush"), (["db", "options"], "OPTIONS-"),
                             (["db", "events"], "LOG files"), (["manifest", "edits"], "add_family"),
                             (["manifest", "layout"], "undecoded")):
            with self.subTest(words):
                text = self.alike(4, *words, db)
                self.assertIn("MANIFEST-000005@1636: checksum", text)
                if words != ["manifest", "edits"]:
                    self.assertIn(shown, text)
                document = json.loads(self.ok(*words, db, "--json", code=4).stdout)
                self.assertIn("MANIFEST-000005@1636", document["problem"]["detail"])
                self.assertFalse(document["complete"])
        for words in (["lsm", "history"], ["manifest", "edits"], ["manifest", "layout"]):
            self.alike(4, *words, manifest)
        self.assertGreater(len(json.loads(self.ok("lsm", "history", db, "--json",
                                                  code=4).stdout)["jobs"]), 3)
        self.alike(4, "lsm", "history", db, "--file", "24")
        # What was before the damage is known all the same.
        for words in (["lsm", "show"], ["lsm", "files"], ["manifest", "show"]):
            self.alike(0, *words, db, "--edit", "15")
            self.alike(4, *words, db)
        self.alike(1, "lsm", "show", db, "--edits", "8..9")

    def test_a_torn_end_is_not_damage(self):
        db = self.copy("db/rocksdb-7.8.3/cursor")
        manifest = db / "MANIFEST-000005"
        manifest.chmod(0o644)
        manifest.write_bytes(manifest.read_bytes() + harness.log_record(1, b"edit")[:5])
        for words in (["manifest", "show"], ["manifest", "edits"], ["manifest", "layout"],
                      ["lsm", "history"], ["db", "info"], ["db", "options"]):
            self.alike(0, *words, db)
        torn = FIXTURES / "db/damaged/torn_last_wal"
        log = max(torn.glob("*.log"))
        self.alike(0, "wal", "records", log)
        self.alike(0, "wal", "layout", log)

    def test_a_damaged_log(self):
        db = self.copy("db/damaged/flip_first_record_wal5")
        for words in (["wal", "records"], ["wal", "layout"]):
            self.assertIn("checksum is", self.alike(4, *words, db, "5"))
            self.alike(4, *words, db / "000005.log")
        for flags in ([], ["--analysis", "tombstones"], ["--analysis", "keyspace"], ["--estimate"]):
            document = json.loads(self.out("db", "space", db, *flags, "--json", code=7))
            self.assertFalse(document["exact"])
            self.assertEqual(document["recovery"]["losses"][0]["file"], "000005.log")
        self.assertIn("INCOMPLETE", self.alike(7, "db", "space", db))

    def test_a_table_that_cannot_be_read_may_hold_the_key(self):
        self.load("".join(f"key{i:05}\tvalue{i}\n" for i in range(5000)))
        table = next(self.db.glob("*.sst"))
        self.alike(1, "locate", self.db, "key00001x")
        self.flip(table, table.stat().st_size - 60)
        self.assertIn("unreadable", self.alike(4, "locate", self.db, "key00001x"))

    def test_what_there_is_not(self):
        db = FIXTURES / "db/rocksdb-7.8.3/multi_cf"
        table = next(db.glob("*.sst"))
        log = max(db.glob("*.log"))
        for words in (["scan"], ["lsm", "show"], ["lsm", "files"], ["lsm", "history"],
                      ["manifest", "edits"], ["lsm", "show", "--edits", "3..4"],
                      ["lsm", "show", "--against", db]):
            with self.subTest(words):
                self.assertIn("'nosuch'", self.alike(2, *words, db, "--cf", "nosuch"))
        self.assertIn("'nosuch'", self.alike(2, "wal", "records", db, log.stem, "--cf", "nosuch"))
        for words in (["lsm", "show"], ["lsm", "files"], ["manifest", "show"]):
            self.alike(2, *words, db, "--edit", "4711")
        self.alike(0, "lsm", "files", db, "--level", "5")
        self.assertIn("no level 77; the last is 6", self.alike(2, "lsm", "files", db, "--level", "77"))
        size = table.stat().st_size
        for words in (["sst", "hex", table, "--offset"], ["sst", "layout", table, "--at"]):
            for beyond in (size, size + 1, 2**63):
                with self.subTest(words=words, beyond=beyond):
                    self.assertIn(f"has {size} bytes", self.alike(2, *words, beyond))
            self.alike(0, *words, size - 1)
        self.assertIn("the block has", self.alike(2, "sst", "hex", table, "--block", "0", "--offset",
                                                  "99999"))

    def test_a_place_is_of_the_part_that_holds_it(self):
        table = next((FIXTURES / "db/rocksdb-7.8.3/multi_cf").glob("*.sst"))
        parts = json.loads(self.out("sst", "layout", table, "--json"))["ranges"]
        part = max(parts, key=lambda part: part["n"])
        fields = json.loads(self.out("sst", "layout", table, "--at", part["o"] + 3, "--json"))["ranges"]
        self.assertEqual(fields[0]["o"], part["o"])
        self.assertEqual(sum(field["n"] for field in fields), part["n"])


class Refusals(Case):
    """What is refused leaves everything as it was, and nothing where nothing was."""

    def test_a_new_database(self):
        for words, stdin in ((["put", self.db, "--create", "--cf", "nope", "k", "v"], ""),
                             (["put", self.db, "--create", "k", "@no-such-file"], ""),
                             (["batch", self.db, "--create"], "put\tk\tv\nput\tx\n"),
                             (["batch", self.db, "--create"], "put\tk\tv\nmerge\tk\tv\n"),
                             (["batch", self.db, "--create"], "delete-range\tb\ta\n"),
                             (["batch", self.db, "--create"], "cf=nope\tput\tk\tv\n"),
                             (["batch", self.db, "--create", "--cf", "nope"], "put\tk\tv\n")):
            with self.subTest(words):
                self.assertGreaterEqual(harness.varve(*words, stdin=stdin).returncode, 2)
                self.assertFalse(self.db.exists())
        self.ok("batch", self.db, "--create", stdin="put\tk\tv\n\nput\tx\n", code=2)
        self.assertEqual(self.out("get", self.db, "k"), "v\n")  # Committed before it.
        self.ok("batch", self.home / "empty", "--create")
        self.ok("batch", self.home / "merges", "--create", "--option", "merge_operator=max",
                stdin="merge\tk\tv\n")
        self.ok("scan", self.home / "empty")

    def test_problems_say_what_they_are(self):
        self.load("a\t1\n")
        self.ok("cf", "create", self.db, "users")
        table, absent, copy = next(self.db.glob("*.sst")), self.home / "nope", self.home / "taken"
        copy.mkdir()
        for words, code, status, exit_code in (
                (["cf", "create", self.db, "users"], "already_exists", 409, 8),
                (["checkpoint", self.db, copy], "already_exists", 409, 8),
                (["sst", "build", table, "-"], "already_exists", 409, 8),
                (["sst", "salvage", table, "-o", copy], "already_exists", 409, 8),
                (["db", "repair", self.db, "-o", copy], "already_exists", 409, 8),
                (["cf", "drop", self.db, "users"], "confirm_required", 403, 8),
                (["load", self.db, absent], "target_not_found", 404, 3),
                (["ingest", self.db, absent], "target_not_found", 404, 3),
                (["sst", "build", self.home / "new.sst", absent], "target_not_found", 404, 3),
                (["put", self.db, "k", f"@{absent}"], "target_not_found", 404, 3),
                (["load", self.db, copy], "io_error", 500, 3)):
            with self.subTest(words):
                problem = json.loads(self.err(*words, "--json", code=exit_code))
                self.assertEqual((problem["code"], problem["status"], problem["exit_code"]),
                                 (code, status, exit_code))

    def test_a_problem_is_said_as_the_answer_would_be(self):
        """As JSON where the answer is lines of JSON, whatever finds it; as text beside csv and tsv."""
        self.load("a\t1\n")
        next(self.db.glob("*.sst")).unlink()
        for words in (["get", self.db, "a"], ["multiget", self.db, "a"], ["scan", self.db],
                      ["scan", self.db, "--all-cfs"], ["count", self.db], ["diff", self.db, self.db],
                      ["cf", "create", self.db, "default"], ["db", "options", self.db, "--cf", "no"],
                      ["ingest", self.db, self.home / "no"]):
            for form in ("json", "jsonl"):
                done = harness.varve(*words, "-F", form)
                with self.subTest(words=words, form=form):
                    self.assertEqual(json.loads(done.stderr)["exit_code"], done.returncode)
                    self.assertEqual(done.stdout, b"")
            for form in ("csv", "tsv"):
                done = harness.varve(*words, "-F", form)
                with self.subTest(words=words, form=form):
                    if b"format" in done.stderr and done.returncode == 2:
                        continue  # Not a form that the verb has.
                    self.assertTrue(done.stderr.startswith(b"varve"), done.stderr)

    def test_a_comparator_s_name_stays_in_its_line(self):
        name = b"mine\nvarve: all is well"
        edit = b"\1" + bytes([len(name)]) + name + b"\2\3\3\4\4\0"
        self.db.mkdir()
        (self.db / "MANIFEST-000001").write_bytes(harness.log_record(1, edit))
        (self.db / "CURRENT").write_text("MANIFEST-000001\n")
        said = b""
        for words in (["get", "k"], ["put", "k", "v"], ["scan"], ["scan", "--stored-order"],
                      ["explain", "get", "k"], ["approxsize", "--from", "a"], ["db", "info"],
                      ["db", "space"], ["db", "verify"], ["db", "repair", "--dry-run"], ["cf", "list"],
                      ["lsm", "show"], ["manifest", "show"], ["manifest", "edits"], ["diff", self.db]):
            verb = words[:2] if words[0] in ("db", "cf", "lsm", "manifest", "explain") else words[:1]
            done = harness.varve(*verb, self.db, *words[len(verb):])
            with self.subTest(words):
                self.assertNotRegex(done.stdout + done.stderr, rb"(?m)^varve: all")
            said += done.stdout + done.stderr
        self.assertIn(b"mine\\nvarve: all is well", said)

    def test_a_place_that_is_taken(self):
        self.load("a\t1\n")
        (self.home / "taken").mkdir()
        (self.home / "file").write_text("x")
        for place in (self.db, self.home / "taken", self.home / "file"):
            self.assertIn("new directory", self.err("checkpoint", self.db, place, code=8))
        (self.home / "link").symlink_to("nowhere")
        self.assertIn("broken link", self.err("checkpoint", self.db, self.home / "link", code=8))
        problem = json.loads(self.err("checkpoint", self.db, self.db, "--json", code=8))
        self.assertEqual(problem["exit_code"], 8)
        self.ok("checkpoint", self.db, "", code=2)
        unfinished = self.home / "new.checkpoint"
        unfinished.symlink_to("nowhere")
        self.assertIn("broken link", self.err("checkpoint", self.db, self.home / "new", code=8))
        self.assertTrue(unfinished.is_symlink())
        unfinished.unlink()
        unfinished.mkdir()
        (unfinished / "mine").write_text("x")
        self.ok("checkpoint", self.db, self.home / "new", code=8)
        self.assertEqual((unfinished / "mine").read_text(), "x")

    def test_what_there_is_not(self):
        self.load("a\t1\n")
        table = next(self.db.glob("*.sst"))
        for words in (["sst", "block", table, "17"], ["sst", "hex", table, "--block", "17"],
                      ["sst", "index", table, "--partition", "17"],
                      ["manifest", "edits", self.db, "--edits", "90..92"],
                      ["manifest", "edits", self.db, "--edits", "3..2"],
                      ["lsm", "show", self.db, "--edits", "3..2"]):
            for flags in ([], ["--json"], ["-F", "csv"], ["-F", "jsonl"]):
                with self.subTest(words=words, flags=flags):
                    self.ok(*words, *flags, code=2)
        self.assertTrue(self.out("manifest", "edits", self.db, "--edits", "1..92"))

    def test_a_column_family_that_there_is_not(self):
        self.load("a\t1\n")
        for words in (["get", self.db, "a"], ["scan", self.db], ["scan", self.db, "--stored-order"],
                      ["count", self.db], ["put", self.db, "a", "b"], ["delete", self.db, "a"],
                      ["compact", self.db], ["db", "space", self.db], ["approxsize", self.db],
                      ["explain", "get", self.db, "a"], ["lsm", "show", self.db]):
            with self.subTest(words):
                problem = json.loads(self.err(*words, "--cf", "other", "--json", code=2))
                self.assertEqual((problem["code"], problem["status"]), ("cf_not_found", 404))
        problem = json.loads(self.err("cf", "drop", self.db, "other", "--yes", "--json", code=2))
        self.assertEqual(problem["code"], "cf_not_found")

    def test_a_file_that_is_not_a_table(self):
        self.load("a\t1\n")
        text = self.home / "text.sst"
        text.write_text("no table, but as long as one\n" * 20)
        for words in (["ingest", self.db, text], ["sst", "info", text], ["scan", text]):
            with self.subTest(words):
                problem = json.loads(self.err(*words, "--json", code=4 if words[0] != "scan" else 2))
                self.assertEqual(problem["code"], "corruption" if words[0] != "scan" else "bad_request")

    def test_what_may_have_been_in_the_rest_of_a_table(self):
        self.load("".join(f"k{i:04}\tvalue {i}\n" for i in range(2000)))
        table = next(self.db.glob("*.sst"))
        whole = table.read_bytes()
        for name, content in (("cut", whole[:1000]), ("empty", b"")):
            path = self.home / f"{name}.sst"
            path.write_bytes(content)
            for words in (["block", path, "0"], ["index", path], ["hex", path, "--block", "0"],
                          ["layout", path], ["blocks", path]):
                for flags in ([], ["--json"], ["-F", "jsonl"], ["-F", "csv"]):
                    with self.subTest(words=words, flags=flags):
                        done = self.ok("sst", *words, *flags, code=4)
                        if "jsonl" in flags and done.stdout:
                            end = json.loads(done.stdout.splitlines()[-1])
                            self.assertFalse(end["complete"])
                            self.assertIn("detail", end["problem"])
                        if flags == ["--json"] and done.stdout:
                            self.assertFalse(json.loads(done.stdout)["complete"])
                        if "csv" in flags:
                            self.assertTrue(done.stderr)

    def test_a_directory_without_a_lock_file(self):
        copies = [shutil.copytree(FIXTURES / name, self.home / name.replace("/", "-"))
                  for name in ("other_order", "db/rocksdb-7.8.3/udt", "db/leveldb-1.23/leveldb_wal",
                               "db/damaged/manifest_flip", "hostile/m_nextf_max1")]
        for copy in copies:
            (copy / "LOCK").unlink(missing_ok=True)
            before = {path.name: path.read_bytes() for path in copy.iterdir() if path.is_file()}
            verbs = [["put", copy, "k", "v"], ["put", copy, "--create", "k", "v"], ["compact", copy]]
            if copy not in copies[:2]:  # A checkpoint needs no order.
                verbs.append(["checkpoint", copy, self.home / "checkpoint"])
            for words in verbs:
                with self.subTest(words):
                    self.assertIn(harness.varve(*words).returncode, (4, 6))
                    self.assertEqual(
                        {path.name: path.read_bytes() for path in copy.iterdir() if path.is_file()},
                        before)


class NoDatabase(Case):
    def test_an_empty_directory_is_not_a_database_for_any_verb(self):
        path = self.home / "empty"
        path.mkdir()
        for words in (["get", path, "k"], ["scan", path], ["db", "info", path], ["db", "verify", path],
                      ["db", "space", path], ["wal", "segments", path], ["put", path, "k", "v"],
                      ["checkpoint", path, self.home / "copy"], ["lsm", "show", path],
                      ["lsm", "files", path], ["lsm", "history", path], ["manifest", "show", path],
                      ["manifest", "edits", path], ["manifest", "layout", path], ["wal", "records", path],
                      ["wal", "layout", path], ["cf", "list", path], ["db", "options", path],
                      ["db", "events", path], ["compact", path], ["explain", "get", path, "k"]):
            with self.subTest(words):
                self.assertIn("there is no database (no CURRENT)", self.err(*words, code=3))
        self.assertEqual(list(path.iterdir()), [])

    def test_a_file_is_not_a_database_to_write_into(self):
        path = self.home / "file"
        path.write_text("text\n")
        for flags in ([], ["--create"]):
            self.assertIn("is not a database but a file of an unknown kind",
                          self.err("put", path, *flags, "k", "v", code=2))

    def test_a_target_of_another_kind_is_named_as_text_and_as_json_alike(self):
        self.load("a\t1\n")
        table, manifest = next(self.db.glob("*.sst")), next(self.db.glob("MANIFEST-*"))
        out = self.home / "out"
        for words in (["get", table, "a"], ["multiget", table, "a"], ["scan", manifest], ["count", manifest],
                      ["explain", "get", table, "a"], ["explain", "multiget", table, "a"],
                      ["explain", "scan", table], ["locate", table, "a"], ["diff", self.db, table],
                      ["approxsize", table, "--from", "a", "--to", "b"], ["db", "info", table],
                      ["db", "space", table], ["db", "verify", manifest], ["db", "options", table],
                      ["db", "events", table], ["db", "repair", table, "-o", out], ["put", table, "a", "b"],
                      ["compact", table], ["checkpoint", table, out], ["cf", "list", table],
                      ["lsm", "show", table], ["lsm", "files", table], ["lsm", "history", table],
                      ["manifest", "show", table], ["manifest", "edits", table], ["manifest", "layout", table],
                      ["wal", "segments", table], ["wal", "records", table], ["wal", "layout", manifest],
                      ["sst", "info", manifest], ["sst", "entries", manifest], ["sst", "verify", manifest],
                      ["sst", "salvage", manifest, "-o", out], ["sst", "layout", self.db],
                      ["sst", "index", manifest], ["sst", "filter", self.db], ["sst", "probe", manifest, "a"],
                      ["sst", "blocks", self.home], ["sst", "block", manifest, "0"], ["sst", "hex", manifest],
                      ["sst", "verify", self.db], ["sst", "recompress", manifest, "--compare"]):
            for form in ([], ["--json"]):
                with self.subTest(words + form):
                    self.assertRegex(self.err(*words, *form, code=2), " but a ")
        self.assertFalse(out.exists())

    def test_no_edits_of_a_kind(self):
        self.load("a\t1\n")
        self.assertEqual(self.out("manifest", "edits", self.db, "--kind", "drop_family"),
                         "no such edits\n")


class Streams(Case):
    def test_a_key_or_value_is_of_a_file_and_not_of_a_pipe(self):
        fifo = self.home / "fifo"
        os.mkfifo(fifo)
        self.ok("put", self.db, "--create", "k", "v")
        for words in (["put", self.db, "k", f"@{fifo}"], ["get", self.db, f"@{fifo}"],
                      ["put", self.db, "k", "@/dev/zero"], ["put", self.db, "k", f"@{self.home}"]):
            with self.subTest(words):
                self.assertIn("not a regular file", self.err(*words, code=3))
        self.ok("put", self.db, "k", "@/dev/stdin", stdin="piped")
        self.assertEqual(self.out("get", self.db, "k"), "piped\n")
        self.ok("put", self.db, "k", "@/dev/null")
        self.assertEqual(self.out("get", self.db, "k"), "\n")
        subprocess.run(["bash", "-c", '"$0" put "$1" k @<(printf substituted)', harness.VARVE, self.db],
                       check=True, capture_output=True, timeout=60)
        self.assertEqual(self.out("get", self.db, "k"), "substituted\n")

    def test_output_goes_to_a_pipe_that_somebody_reads(self):
        fifo = self.home / "fifo"
        os.mkfifo(fifo)
        self.ok("put", self.db, "--create", "k", "-", stdin="v" * 200000)
        self.assertIn("pipe without a reader", self.err("scan", self.db, "-o", fifo, code=3))
        with subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE) as reader:
            read = threading.Thread(target=lambda: setattr(self, "got", reader.stdout.read()))
            read.start()
            harness.wait_until("cat reads the pipe",
                               lambda: harness.varve("scan", self.db, "-o", fifo).returncode == 0)
            read.join()
        self.assertEqual(self.got, b"k\t" + b"v" * 200000 + b"\n")


class Literals(Case):
    def test_batches_take_literals(self):
        script = ("put\thex:0001\tb64:/w==\nput\tu64be:1\tesc:a\\tb\nput\tutf8:hex:1\tplain\\n\n"
                  "put\tbare\\x41\t@file\n")
        self.ok("batch", self.db, "--create", stdin=script)
        rows = json.loads(self.out("scan", self.db, "--json"))["rows"]
        got = {bytes.fromhex(r["key"]["hex"]): bytes.fromhex(r["value"]["hex"]) for r in rows}
        self.assertEqual(got, {b"\0\1": b"\xff", b"\0\0\0\0\0\0\0\1": b"a\tb", b"hex:1": b"plain\n",
                               b"bareA": b"@file"})
        self.ok("batch", self.db, stdin="delete\thex:0001\ndelete-range\tu64be:0\tu64be:9\n")
        self.assertEqual(self.out("count", self.db), "2\n")
        self.ok("batch", self.db, "--key-in", "hex", "--value-in", "utf8", stdin="put\t6b\t\\x41\n")
        self.assertEqual(self.out("get", self.db, "k", "-F", "raw"), "\\x41")
        self.assertIn("line 2", self.err("batch", self.db, stdin="put\ta\tb\nput\thex:zz\tb\n", code=2))

    def test_a_range_with_one_bound_is_refused_also_beside_keys(self):
        self.load("a\t1\nb\t2\n")
        for words in (["--from", "a"], ["--to", "c"], ["a", "--from", "b"], ["a", "--to", "c"],
                      ["a", "--from", "b", "--to", "c"], []):
            with self.subTest(words):
                self.assertIn("give keys, or a range", self.err("delete", self.db, *words, code=2))
        self.assertEqual(self.out("count", self.db), "2\n")

    def test_a_range_that_ends_before_it_begins_is_refused(self):
        self.load("a\t1\nb\t2\n")
        self.assertIn("ends before it begins",
                      self.err("delete", self.db, "--from", "b", "--to", "a", code=2))
        self.err("batch", self.db, stdin="delete-range\tb\ta\n", code=2)
        self.assertEqual(self.out("count", self.db), "2\n")
        reverse = self.home / "reverse"
        self.ok("load", reverse, "-", "--option", "comparator=rocksdb.ReverseBytewiseComparator",
                stdin="a\t1\nb\t2\n")
        self.ok("delete", reverse, "--from", "a", "--to", "b", code=2)
        self.ok("delete", reverse, "--from", "b", "--to", "a")
        self.assertEqual(self.out("scan", reverse), "a\t1\n")


class Families(Case):
    def test_create_list_drop(self):
        self.load("k\tv\n")
        self.ok("cf", "create", self.db, "users")
        self.err("cf", "create", self.db, "users", code=8)
        self.ok("put", self.db, "u", "1", "--cf", "users")
        rows = [line.split("\t") for line in self.out("cf", "list", self.db, "-F", "tsv").splitlines()]
        self.assertEqual([row[0] for row in rows], ["name", "default", "users"])
        listed = json.loads(self.out("cf", "list", self.db, "--json"))
        self.assertEqual(listed["schema"], "varve.cf_list/1")
        self.assertEqual([f["name"] for f in listed["families"]], ["default", "users"])
        self.assertIn("--yes", self.err("cf", "drop", self.db, "users", code=8))
        self.assertEqual(self.out("get", self.db, "u", "--cf", "users"), "1\n")
        self.ok("cf", "drop", self.db, "users", "--yes")
        self.ok("get", self.db, "u", "--cf", "users", code=2)
        self.ok("cf", "drop", self.db, "default", "--yes", code=8)
        self.ok("cf", "drop", self.db, "nope", "--yes", code=2)
        self.ok("db", "verify", self.db)


class Reading(Case):
    def setUp(self):
        super().setUp()
        self.load("".join(f"{p}{i}\t{i}\n" for p in "abc" for i in range(10)))

    def test_keys_from_standard_input(self):
        keys = "b1\nnope\nhex:6130\n"
        done = self.ok("multiget", self.db, "c1", "-", stdin=keys, code=1)
        self.assertEqual(done.stdout, b"c1\t1\nb1\t1\na0\t0\n")
        self.assertIn(b"absent: nope", done.stderr)
        done = self.ok("get", self.db, "-", stdin=keys, code=1)
        self.assertEqual(done.stdout, b"1\n0\n")
        lines = self.ok("get", self.db, "-", "-F", "jsonl", stdin="b1\na0\n").stdout.splitlines()
        self.assertEqual(json.loads(lines[-1]), {"end": True, "count": 2, "complete": True})
        self.assertIn("line 2", self.err("multiget", self.db, "-", stdin="a\nhex:1\n", code=2))

    def test_dump_of_a_range(self):
        for flags, expected in ((["--prefix", "b"], 10), (["--from", "b", "--to", "b3"], 3),
                                (["--from", "c8"], 2), (["--prefix", "b", "--limit", "4"], 4)):
            with self.subTest(flags):
                dump = self.ok("dump", self.db, *flags).stdout
                self.assertIn(f"#end count={expected} ".encode(), dump)
                copy = self.home / "copy"
                self.ok("load", copy, "-", stdin=dump)
                self.assertEqual(self.out("scan", copy), self.out("scan", self.db, *flags))
                shutil.rmtree(copy)
        self.ok("dump", self.db, "--prefix", "a", "--from", "b", code=2)

    def test_approxsize(self):
        big = self.home / "big"
        self.ok("load", big, "-", "--option", "compression=none", stdin="".join(
            f"{p}{i:05}\t{'v' * 100}\n" for p in "ab" for i in range(5000)))
        size = lambda *flags: int(self.out("approxsize", big, *flags))
        whole = sum(p.stat().st_size for p in big.glob("*.sst"))
        self.assertEqual(size(), whole)
        for flags in (["--prefix", "a"], ["--from", "b"], ["--to", "b"]):
            self.assertAlmostEqual(size(*flags) / whole, 0.5, delta=0.05)
        self.assertEqual(size("--prefix", "zz"), 0)
        self.assertLess(size("--from", "a00000", "--to", "a00001"), 10000)
        self.assertEqual(json.loads(self.out("approxsize", big, "--json"))["bytes"], whole)
        self.ok("approxsize", big, "--cf", "nope", code=2)


class Tables(Case):
    def build(self, name, records):
        path = self.home / name
        self.ok("sst", "build", path, "-", stdin=records)
        return path

    def test_ingest(self):
        self.load("a\t1\nb\t2\n")
        one, two = self.build("one.sst", "b\tnew\nc\t3\n"), self.build("two.sst", "x\t9\n")
        self.ok("ingest", self.db, one, two)
        self.assertEqual(self.out("scan", self.db), "a\t1\nb\tnew\nc\t3\nx\t9\n")
        self.assertTrue(one.exists())
        self.ok("cf", "create", self.db, "users")
        done = json.loads(self.out("ingest", self.db, two, "--cf", "users", "--move", "--json"))
        self.assertEqual((done["schema"], done["files"], done["moved"]), ("varve.ingest/1", 1, True))
        self.assertFalse(two.exists())
        self.assertEqual(self.out("get", self.db, "x", "--cf", "users"), "9\n")
        self.ok("db", "verify", self.db)

    def test_several_families_in_one_step(self):
        self.load("a\t1\n")
        for name in ("users", "orders"):
            self.ok("cf", "create", self.db, name)
        one, two, three = (self.build(f"{name}.sst", f"{name}\t1\n") for name in ("one", "two", "three"))
        done = json.loads(self.out("ingest", "--cf", "users", self.db, one, two, "--move", "--cf=orders", three,
                                   "--json"))
        self.assertEqual([(f["cf"], f["files"]) for f in done["families"]], [("users", 2), ("orders", 1)])
        self.assertEqual((done["cf"], done["files"]), ("users", 3))
        self.assertEqual(done["bytes"], sum(f["bytes"] for f in done["families"]))
        self.assertEqual(self.out("scan", self.db, "--cf", "users"), "one\t1\ntwo\t1\n")
        self.assertEqual(self.out("scan", self.db, "--cf", "orders"), "three\t1\n")
        self.assertEqual(self.out("scan", self.db), "a\t1\n")
        self.ok("db", "verify", self.db)

    def test_several_families_all_or_none(self):
        self.load("a\t1\n")
        self.ok("cf", "create", self.db, "users")
        good, over = self.build("good.sst", "b\t1\n"), self.build("over.sst", "a\t2\n")
        before = {p.name for p in self.db.glob("*.sst")}
        for words, part in ((["--cf", "users", good, "--cf", "default", over, "--no-overlap"], "overlap"),
                            (["--cf", "users", good, "--cf", "none", over], "none"),
                            ([good, "--cf", "users", over, "--cf", "default", over], "whose is it"),
                            (["--cf", "users", "--cf", "default", good], "no file behind it"),
                            (["--cf", "users", good, "--cf", "default", good], "the same file")):
            with self.subTest(words):
                self.assertIn(part, self.err("ingest", self.db, *words, code=2))
                self.assertEqual(self.out("scan", self.db, "--cf", "users"), "")
                self.assertEqual({p.name for p in self.db.glob("*.sst")}, before)
        # One --cf is that of all files, wherever it is.
        self.ok("ingest", self.db, good, "--cf", "users", over)
        self.assertEqual(self.out("scan", self.db, "--cf", "users"), "a\t2\nb\t1\n")

    def test_split(self):
        records = "".join(f"k{i:06}\t{i * 2654435761 % 2**32:08x}{'abc' * 20}{i}\n" for i in range(60000))
        text = self.home / "in.tsv"
        text.write_text(records)
        limit = 256 * 1024
        for flags in (["--sorted"], [], ["--option", "compression=none"]):
            with self.subTest(flags):
                part = self.home / ("-".join(["part", *flags]).replace("/", "") + ".sst")
                done = json.loads(self.out("sst", "build", part, text, "--split", "256K", *flags, "--json"))
                files = [pathlib.Path(table["file"]) for table in done["tables"]]
                self.assertGreater(len(files), 2)
                self.assertEqual(files[0].name, part.stem + "-00001.sst")
                self.assertFalse(part.exists())
                for file, table in zip(files, done["tables"]):
                    self.assertEqual(file.stat().st_size, table["table_bytes"])
                    self.assertLessEqual(table["table_bytes"], limit)
                # Not much smaller, either, except the last.
                self.assertGreater(min(file.stat().st_size for file in files[:-1]), limit / 2)
                self.assertEqual(done["records"], 60000)
                self.assertEqual(sum(table["records"] for table in done["tables"]), 60000)
                copy = self.home / (part.stem + "-db")
                self.assertIn("--create", self.err("ingest", copy, *files, code=3))
                self.assertIn("new database", self.err("ingest", copy, *files, "--create", "--cf", "f", code=2))
                self.assertFalse(copy.exists())
                self.ok("ingest", copy, *files, "--create")
                self.assertEqual(self.out("scan", copy), records)
                self.assertIn("exists", self.err("sst", "build", part, text, "--split", "256K", code=8))

    def test_split_refuses_what_is_not_sorted_also_between_tables(self):
        rows = [f"k{i:06}\t{'x' * 1000}{i}\n" for i in range(3000)]
        swapped = "".join(rows[:1500] + ["a\t1\n"] + rows[1500:])
        part = self.home / "part.sst"
        done = json.loads(self.out("sst", "build", part, "-", "--sorted", "--split", "64K", "--option",
                                   "compression=none", "--json", stdin=swapped, code=7))
        self.assertEqual((done["records"], done["rejected"]), (3000, 1))
        self.assertGreater(len(done["tables"]), 30)
        self.ok("sst", "build", self.home / "tiny.sst", "-", "--split", "10K", stdin="a\t1\n", code=2)
        # One record may be more than that.
        big = self.home / "big.sst"
        done = json.loads(self.out("sst", "build", big, "-", "--split", "64K", "--option", "compression=none",
                                   "--json", stdin=f"a\t1\nb\t{'x' * 200000}\nc\t1\n"))
        self.assertEqual([table["records"] for table in done["tables"]], [1, 1, 1])

    def test_what_is_no_table_is_named(self):
        self.load("a\t1\n")
        text = self.home / "t.tsv"
        text.write_text("a\t1\n")
        damaged = self.build("damaged.sst", "".join(f"k{i:04}\tvalue {i}\n" for i in range(2000)))
        content = bytearray(damaged.read_bytes())
        content[len(content) // 2] ^= 0x40
        damaged.write_bytes(content)
        for path in (text, damaged):
            message = self.err("ingest", self.db, path, code=4)
            self.assertTrue(message.startswith(f"varve ingest: {path}@"), message)
            self.assertNotRegex(message, r"\d{6}\.sst")

    def test_a_leveldb_table_does_not_know_its_counts(self):
        table = self.home / "000005.ldb"
        shutil.copy(FIXTURES / "db/leveldb-1.23/leveldb_l0/000005.ldb", table)
        text = self.out("sst", "info", table)
        for name in ("entries", "data", "compression"):
            self.assertRegex(text, rf"(?m)^{name} +unknown$")
        self.assertRegex(text, r"(?m)^index +binary, 23 B, ")
        about = json.loads(self.out("sst", "info", table, "--json"))["file"]
        self.assertEqual(about["index"]["bytes"], 23)
        for name in ("entries", "deletions", "data_blocks", "data_bytes", "raw_key_bytes"):
            self.assertNotIn(name, about)
        content = bytearray(table.read_bytes())
        content[20] ^= 0xff
        table.write_bytes(content)
        for flags in ([], ["--json"], ["-F", "csv"]):
            self.ok("sst", "info", table, *flags, code=4)

    def test_advice_about_a_damaged_leveldb(self):
        copy = shutil.copytree(FIXTURES / "db/leveldb-1.23/leveldb_l0", self.home / "ldb")
        content = bytearray((copy / "000005.ldb").read_bytes())
        content[20] ^= 0xff
        (copy / "000005.ldb").write_bytes(content)
        for words in (["scan"], ["dump"], ["db", "verify"]):
            with self.subTest(words):
                message = self.err(*words, copy, code=4)
                self.assertNotIn("db repair", message)
                self.assertIn("RepairDB", message)
                advised = re.search(r"varve (sst salvage \S+ --dry-run)", message)
                self.assertIn(harness.varve(*advised[1].split()).returncode, (0, 4, 7))

    def test_one_of_a_kind(self):
        self.assertIn("loaded 1 record (1 line, ", self.err("load", self.db, "-", stdin="a\t1\n"))
        one = self.build("one.sst", "b\t1\n")
        self.assertIn("ingested 1 table, ", self.err("ingest", self.db, one))
        self.assertIn("1 entry", self.out("sst", "salvage", one, "--dry-run"))
        for words in (["sst", "verify", one], ["sst", "block", one, "0"], ["explain", "get", self.db, "a"],
                      ["explain", "scan", self.db], ["lsm", "history", self.db], ["db", "info", self.db]):
            self.assertNotRegex(self.out(*words), r"\b1 (?![mu]s\b)[a-z]+(s|es|ies)\b")

    def test_all_or_none(self):
        self.load("a\t1\n")
        good, other = self.build("good.sst", "m\t1\nn\t2\n"), self.build("other.sst", "n\t3\n")
        bad = self.home / "bad.sst"
        damaged = bytearray(good.read_bytes())
        damaged[10] ^= 0xff
        bad.write_bytes(damaged)
        before = {p.name for p in self.db.glob("*.sst")}
        for files, code in (([other, bad], 4), ([good, self.home / "absent.sst"], 3),
                            ([good, other], 2), ([good, good], 2),
                            ([good, self.db / before.copy().pop()], 2)):
            with self.subTest(files):
                self.ok("ingest", self.db, *files, "--move", code=code)
                self.assertEqual(self.out("scan", self.db), "a\t1\n")
                self.assertEqual({p.name for p in self.db.glob("*.sst")}, before)
                self.assertTrue(good.exists() and other.exists())
        self.ok("ingest", self.db, self.build("over.sst", "a\t2\n"), "--no-overlap", code=2)
        self.assertEqual(self.out("get", self.db, "a"), "1\n")

    # Tables that were ingested keep their bytes, so they could be taken in again - and moved away.
    def test_a_live_table_is_not_taken(self):
        self.load("a\t1\n")
        self.ok("ingest", self.db, self.build("one.sst", "b\t1\n"))
        newest = max(self.db.glob("*.sst"))
        alias = self.home / "alias"
        alias.symlink_to(self.db)
        for path in (newest, alias / newest.name):
            self.ok("ingest", self.db, path, "--move", code=2)
        self.assertEqual(self.out("count", self.db), "2\n")

    # What is moved is the table, not the name that it was given by: the target may go any time.
    def test_a_table_by_a_symbolic_link(self):
        self.load("a\t1\n")
        table, link = self.build("one.sst", "b\t1\n"), self.home / "link.sst"
        link.symlink_to(table)
        self.ok("ingest", self.db, link, "--move")
        table.unlink()
        self.assertEqual([p for p in self.db.iterdir() if p.is_symlink()], [])
        self.assertEqual(self.out("scan", self.db), "a\t1\nb\t1\n")

    def test_recompress(self):
        table = self.build("t.sst", "".join(f"k{i:05}\t{'abc' * 30}{i}\n" for i in range(3000)))
        header, *rows = [l.split("\t") for l in self.out("sst", "recompress", table, "--compare", "-F",
                                                         "tsv").splitlines()]
        self.assertEqual(header[:3], ["codec", "block_size", "file_bytes"])
        self.assertEqual(len(rows), 7 * 3)
        size = {(codec, int(block)): int(size) for codec, block, size, *_ in rows}
        self.assertLess(size["zstd", 65536], size["snappy", 4096])
        self.assertLess(size["snappy", 4096], size["none", 4096])
        # It is what a table built so takes.
        for codec, block in (("none", 4096), ("zstd", 16384)):
            built = self.home / f"{codec}.sst"
            dump = "".join(l.split("\t")[0] + "\t" + l.split("\t")[3] + "\n"
                           for l in self.out("sst", "entries", table).splitlines())
            self.ok("sst", "build", built, "-", "--option", f"compression={codec}", "--option",
                    f"block_size={block}", stdin=dump)
            self.assertAlmostEqual(built.stat().st_size / size[codec, block], 1, delta=0.02)
        found = json.loads(self.out("sst", "recompress", table, "--compare", "--json", "--codec",
                                    "zstd", "--block-size", "8KiB", "--level", "9"))
        self.assertEqual([(r["codec"], r["block_size"]) for r in found["rows"]], [("zstd", 8192)])
        self.ok("sst", "recompress", table, code=2)
        self.ok("sst", "recompress", table, "--compare", "--block-size", "1", code=2)


class Orders(Case):
    BYTEWISE, FOREIGN = b"leveldb.BytewiseComparator", b"someone.elses.own.Comparat"

    def foreign(self, fixture):
        """A copy of a database whose MANIFEST names an order that nobody knows."""
        copy = self.home / "foreign"
        shutil.copytree(FIXTURES / "db" / fixture, copy)
        manifest = copy / (copy / "CURRENT").read_text().strip()
        data = bytearray(manifest.read_bytes())
        at = 0
        while at < len(data):
            size, kind = struct.unpack_from("<HB", data, at + 4)
            payload = bytes(data[at + 7:at + 7 + size]).replace(self.BYTEWISE, self.FOREIGN)
            data[at:at + 7 + size] = harness.log_record(kind, payload)
            at += 7 + size
        manifest.write_bytes(data)
        return copy

    def test_what_needs_no_order_works_in_a_foreign_one(self):
        for fixture in ("leveldb-1.23/leveldb_l0", "leveldb-1.23/leveldb_wal"):
            with self.subTest(fixture):
                original = FIXTURES / "db" / fixture
                copy = self.foreign(fixture)
                records = self.out("scan", original)
                self.assertGreater(records.count("\n"), 10)
                self.assertEqual(self.out("count", copy), f"{records.count(chr(10))}\n")
                for flags in ([], ["--mem", "16K"]):  # In memory, and by way of temporary files.
                    dump = self.ok("dump", copy, *flags).stdout
                    self.ok("load", self.home / "known", "-", stdin=dump)
                    self.assertEqual(self.out("scan", self.home / "known"), records)
                    shutil.rmtree(self.home / "known")
                stored = self.out("scan", copy, "--stored-order").splitlines()
                versions = self.out("scan", original, "--versions").splitlines()
                self.assertEqual(sorted(stored), sorted(versions))
                self.assertEqual(sorted(self.out("scan", original, "--stored-order").splitlines()),
                                 sorted(stored))
                rows = self.ok("scan", copy, "--stored-order", "-F", "jsonl").stdout.splitlines()
                self.assertEqual(json.loads(rows[-1])["count"], len(stored))
                shutil.rmtree(copy)

    def test_tables_of_rocksdb_in_a_foreign_order(self):
        # Written by RocksDB 7.8.3, shorter keys first: 0 to 199 in a table whose properties name
        # that order, a newer version of 7 and one key more in the log.
        copy = shutil.copytree(FIXTURES / "other_order", self.home / "foreign")
        records = {str(i): f"v{i}" for i in range(200)} | {"7": "newer", "in-wal": "x"}
        self.assertEqual(self.out("count", copy), "201\n")
        dump = self.ok("dump", copy).stdout
        self.assertEqual(self.ok("scan", copy, "-F", "dump").stdout, dump)
        dump = dump.replace(b"my.Order", b"leveldb.BytewiseComparator")
        self.ok("load", self.home / "known", "-", stdin=dump)
        self.assertEqual(dict(line.split("\t") for line in
                              self.out("scan", self.home / "known").splitlines()), records)
        self.assertEqual(self.out("scan", copy, "--stored-order").count("\n"), 202)
        self.assertIn("my.Order", self.err("scan", copy, code=6))

    def test_a_checkpoint_needs_no_order(self):
        original = shutil.copytree(FIXTURES / "other_order", self.home / "foreign")
        before = {path.name: path.read_bytes() for path in original.iterdir() if path.name != "LOCK"}
        self.ok("checkpoint", original, self.home / "copy")
        self.assertEqual(self.ok("dump", self.home / "copy").stdout, self.ok("dump", original).stdout)
        self.assertEqual({path.name: path.read_bytes() for path in original.iterdir() if path.name != "LOCK"}, before)
        self.ok("db", "verify", self.home / "copy", code=6)  # Sound, as far as it can be without the order.
        self.err("checkpoint", original, self.home / "copy", code=8)
        with open(original / "LOCK", "w") as lock:  # As a process that has it open for writing.
            fcntl.lockf(lock, fcntl.LOCK_EX)
            self.err("checkpoint", original, self.home / "second", code=5)
        self.assertFalse((self.home / "second").exists())

    def test_keys_with_timestamps_are_shown_and_not_taken_for_others(self):
        fixture = FIXTURES / "db" / "rocksdb-7.8.3" / "udt"
        self.assertIn("put\tnewer", self.out("scan", fixture, "--stored-order", "--cf", "ts"))
        for verb in ("count", "dump"):
            self.assertIn("timestamps", self.err(verb, fixture, "--cf", "ts", code=6))

    def test_what_needs_the_order_names_it(self):
        copy = self.foreign("leveldb-1.23/leveldb_l0")
        other = shutil.copytree(FIXTURES / "other_order", self.home / "other")  # Not LevelDB's.
        for verb in (["scan"], ["scan", "--versions"], ["get", "k"], ["multiget", "k"], ["put", "k", "v"],
                     ["delete", "k"], ["compact"], ["cf create", "f"], ["load", "-"], ["locate", "k"],
                     ["explain get", "k"], ["explain multiget", "k"], ["explain scan"],
                     ["approxsize", "--from", "a"], ["dump", "--from", "a"]):
            for db, order in ((copy, self.FOREIGN.decode()), (other, "my.Order")):
                words = [*verb[0].split(), db, *verb[1:]]
                with self.subTest(words):
                    said = self.err(*words, code=6, stdin="k\tv\n")
                    if db is copy and "LevelDB" in said:  # Which is not written to in any order.
                        continue
                    self.assertIn(order, said)
                    self.assertIn("prefix" if verb[0] == "dump" else "--stored-order", said)
        self.assertIn("--stored-order", self.err("diff", other, other, code=6))
        self.err("scan", copy, "--stored-order", "--from", "a", code=2)

    def test_a_prefix_in_reverse_order(self):
        reverse = FIXTURES / "db" / "rocksdb-7.8.3" / "revcmp"  # key000000 to 9 in a table, to 13 in the log.
        table = reverse / "000009.sst"
        for prefix in ("", "k", "ke", "key00000", "key000003", "key00001", "kex", "key0000030", "zz"):
            with self.subTest(prefix):
                keys = [f"key{i:06}" for i in reversed(range(14)) if f"key{i:06}".startswith(prefix)]
                stored = [key for key in keys if key < "key000010"]
                flags = ["--prefix", prefix]
                self.assertEqual(self.out("count", reverse, *flags), f"{len(keys)}\n")
                for target, more, expected in ((reverse, [], keys), (reverse, ["--versions"], keys),
                                               (reverse, ["--stored-order"], None), (table, [], stored)):
                    listed = [line.split("\t")[0] for line in
                              self.out("scan", target, *flags, *more).splitlines()]
                    self.assertEqual(sorted(listed) if expected is None else listed,
                                     sorted(keys) if expected is None else expected, more)
                for target, more, expected in ((reverse, ["--versions"], keys), (table, [], stored)):
                    rows = json.loads(self.out("scan", target, *flags, *more, "--json"))["rows"
                                      if target == reverse else "entries"]
                    self.assertEqual([row["key"]["text"] for row in rows], expected)
                space = json.loads(self.out("db", "space", reverse, *flags, "--json"))
                self.assertEqual(int(space["cfs"][0]["total"]["live"]["entries"]), len(keys))
                size = json.loads(self.out("approxsize", reverse, *flags, "--json"))
                self.assertEqual(int(size["tables"]), 1 if stored or prefix == "key0000030" else 0)

    def test_a_prefix_in_an_order_that_scatters_it(self):
        with tarfile.open(FIXTURES / "db" / "chromium" / "indexeddb.tar.xz") as archive:
            archive.extractall(self.db)
        for verb in (["scan"], ["scan", "--versions"], ["approxsize"]):
            self.assertIn("idb_cmp1", self.err(verb[0], self.db, *verb[1:], "--prefix", "a", code=2))
        self.assertIn("idb_cmp1", self.out("db", "space", self.db, "--prefix", "a"))

    # Written by Chromium 156: a page that fills object stores and indexes with keys of every type,
    # deletes some, and writes one large value until there are two tables beside the log.
    def test_a_browser_s_database(self):
        with tarfile.open(FIXTURES / "db" / "chromium" / "indexeddb.tar.xz") as archive:
            archive.extractall(self.db)
        # Both tables ascend in the order that Chromium sorted them by, entry by entry.
        self.ok("db", "verify", self.db)
        self.assertIn("idb_cmp1", self.out("db", "info", self.db))
        rows = json.loads(self.out("scan", self.db, "--json"))["rows"]
        keys = [bytes.fromhex(row["key"]["hex"]) for row in rows]
        self.assertNotEqual(keys, sorted(keys))  # The bytes' own order would be another one.
        self.assertEqual(self.out("count", self.db), f"{len(keys)}\n")
        self.assertEqual([bytes.fromhex(row["key"]["hex"]) for row in json.loads(
            self.out("scan", self.db, "--reverse", "--json"))["rows"]], keys[::-1])
        # Object store 2 of database 1 has a value for each of 32 keys, less -0, which is 0.
        mixed = [key for key in keys if key[:4] == b"\0\1\2\1"]
        kinds = [key[4] for key in mixed]
        self.assertEqual(len(mixed), 31)
        # Numbers, dates, strings, binary, arrays, as the specification has it.
        self.assertEqual(kinds, sorted(kinds, key=[3, 2, 1, 6, 4].index))
        numbers = [struct.unpack("<d", key[5:])[0] for key in mixed if key[4] == 3]
        self.assertEqual(numbers, sorted(numbers))
        for key in keys[::37]:
            self.ok("get", self.db, "hex:" + key.hex(), "-F", "raw")
        dump = self.ok("dump", self.db).stdout
        self.ok("load", self.home / "copy", "-", stdin=dump)
        self.assertEqual(self.out("count", self.home / "copy"), f"{len(keys)}\n")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
