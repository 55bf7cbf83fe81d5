#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""messages_test.py VARVE [TEST...]: messages name what was found and what to do, come after the output that
they are about, and claim no more than varve knows; lists for people are tables."""
import json
import os
import re
import shutil
import subprocess
import unittest

import harness
from harness import VARVE, at_a_terminal, varve

FIXTURES = harness.pathlib.Path(__file__).resolve().parent.parent / "fixtures"


class Case(harness.Case):
    def load(self, records="a\t1\nb\t2\n"):
        self.ok("load", self.db, "-", stdin=records)

    def together(self, *words, code=0):
        """Standard output and error as one stream, in the order in which they were written."""
        done = subprocess.run([VARVE, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout.decode()


class Options(Case):
    def rows(self):
        return json.loads(self.out("options", "--json"))["options"]

    def test_a_table_with_a_header(self):
        header, *lines = self.out("options").splitlines()
        self.assertEqual(header.split(), ["name", "default", "values", "meaning"])
        self.assertEqual([line.split()[0] for line in lines], [row["name"] for row in self.rows()])
        columns = [header.index(word) for word in header.split()]
        for line, row in zip(lines, self.rows()):
            for column in columns[1:]:
                self.assertEqual(line[column - 2:column], "  ", line)
                empty = column == columns[1] and row["default"] == ""
                self.assertEqual(line[column] == " ", empty, line)

    def test_it_fits_the_terminal_and_cuts_nothing(self):
        names = [row["name"] for row in self.rows()]
        for columns in (80, 120, 300):
            sent, code = at_a_terminal(["options", "--color", "never"], columns=columns)
            self.assertEqual(code, 0)
            lines = sent.decode().replace("\r\n", "\n").splitlines()
            self.assertLessEqual(max(map(len, lines)), columns)
            self.assertEqual(lines[0].split()[:2], ["name", "default"])
            self.assertEqual([line.split()[0] for line in lines[1:] if not line.startswith(" ")], names)
            told = " ".join(" ".join(lines).split())
            for row in self.rows():
                self.assertIn(row["help"], told)

    def test_a_default_is_one_of_the_values(self):
        for line in self.out("options").splitlines()[1:]:
            name, default, values = re.split(r"  +", line)[:3]
            if "|" in values and "BITS" not in values:
                self.assertIn(default, values.split("|"), name)
            elif re.fullmatch(r"-?[\d.]+\.\.[\d.]+", values):
                low, high = values.split("..")
                self.assertLessEqual(float(low), float(default), name)
                self.assertGreaterEqual(float(high), float(default), name)
            self.assertNotRegex(values, r"18446744073709551615|2147483647")
        self.assertRegex(self.out("options"), r"\nfilter_policy +bloomfilter:10 ")


class Lists(Case):
    def test_the_same_table_with_a_header_in_a_pipe_and_on_a_terminal(self):
        self.load()
        table = next(self.db.glob("*.sst"))
        for words, header in ((["config"], ["setting", "value", "from"]),
                              (["cf", "list", self.db], ["column family", "id", "files", "size", "order"]),
                              (["sst", "recompress", table, "--compare", "--codec", "none"],
                               ["codec", "block", "table", "to now", "data", "blocks", "time"])):
            with self.subTest(words):
                lines = self.out(*words).splitlines()
                sent, code = at_a_terminal([*words, "--color", "never", "-q"])
                self.assertEqual(code, 0)
                shown = sent.decode().replace("\r\n", "\n").splitlines()
                at = 1 if "recompress" in words else 0  # The table itself comes first.
                for text in (lines, shown):
                    self.assertEqual(re.split(r"  +", text[at].strip()), header)
                if "recompress" not in words:  # It measures times.
                    self.assertEqual(lines, shown)


class Arguments(Case):
    def test_an_unknown_format_lists_those_that_the_verb_prints(self):
        for words in (["get", self.db, "a"], ["scan", self.db], ["lsm", "show", self.db]):
            listed = re.search(rb"--format <value> .*: (.*)", varve(*words[:-1], "--help").stdout)
            said = self.err(*words, "-F", "xml", code=2)
            self.assertIn("'xml' is not one of " + listed.group(1).decode().replace(" ", ", ") + "\n", said)
        self.assertNotIn("dump", self.err("get", self.db, "a", "-F", "xml", code=2))

    def test_what_is_missing(self):
        self.assertIn("missing <key>: give <target> <key>", self.err("get", self.db, code=2))
        self.assertIn("missing <shell>: one of bash, zsh, fish", self.err("completion", code=2))

    def test_another_shell_is_not_a_mistyped_one(self):
        said = self.err("completion", "tcsh", code=2)
        self.assertIn("bash, zsh, fish", said)
        self.assertNotIn("did you mean", said)
        self.assertIn("did you mean 'bash'", self.err("completion", "bsah", code=2))

    def test_limits(self):
        for wrong in ("-1", "x", "1.5"):
            self.assertIn(f"--limit: '{wrong}' is not a whole number from 0 to 2^64 - 1",
                          self.err("scan", self.db, "--limit", wrong, code=2))

    def test_a_literal_that_is_wrong_names_its_parameter(self):
        self.load()
        table = next(self.db.glob("*.sst"))
        for words, parameter in (
                (["get", self.db, "hex:zz"], "key"), (["multiget", self.db, "a", "hex:zz"], "key"),
                (["put", self.db, "hex:zz", "1"], "key"), (["put", self.db, "a", "hex:zz"], "value"),
                (["delete", self.db, "a", "hex:zz"], "key"),
                (["delete", self.db, "--from", "hex:zz", "--to", "b"], "--from"),
                (["delete", self.db, "--from", "a", "--to", "hex:zz"], "--to"),
                (["scan", self.db, "--from", "hex:zz"], "--from"), (["scan", self.db, "--to", "hex:zz"], "--to"),
                (["count", self.db, "--prefix", "hex:zz"], "--prefix"),
                (["explain", "get", self.db, "hex:zz"], "key"),
                (["explain", "multiget", self.db, "a", "hex:zz"], "key"),
                (["explain", "scan", self.db, "--from", "hex:zz"], "--from"),
                (["explain", "scan", self.db, "--to", "hex:zz"], "--to"),
                (["locate", self.db, "hex:zz"], "key"), (["sst", "probe", table, "hex:zz"], "key"),
                (["lsm", "files", self.db, "--from", "hex:zz"], "--from"),
                (["lsm", "files", self.db, "--to", "hex:zz"], "--to")):
            with self.subTest(words):
                self.assertRegex(self.err(*words, code=2),
                                 rf"^varve [a-z ]+: {parameter}: 'hex:zz': 'zz' is not hex\n$")
        self.assertIn("value: ", self.err("put", self.db, "a", f"@{self.home / 'absent'}", code=3))
        self.assertIn("--edits: expected two edits, 17..25, not '3'",
                      self.err("lsm", "show", self.db, "--edits", "3", code=2))

    def test_no_destination(self):
        """It is a mistake in the words (2), not something that was refused (8)."""
        self.load()
        table = next(self.db.glob("*.sst"))
        for words in (["sst", "salvage", table], ["db", "repair", self.db]):
            said = self.err(*words, code=2)
            self.assertIn("give -o ", said)
            self.assertIn("--dry-run", said)


class Answers(Case):
    def test_a_deletion_is_written_without_a_look(self):
        self.load()
        self.assertEqual(self.err("delete", self.db, "absent"), "wrote 1 deletion\n")
        self.assertEqual(self.err("delete", self.db, "a", "absent"), "wrote 2 deletions\n")
        self.assertEqual(self.err("delete", self.db, "--from", "x", "--to", "y"), "wrote 1 range deletion\n")

    def test_advice_comes_after_the_findings(self):
        self.load("".join(f"key{i:05}\tvalue{i}\n" for i in range(2000)))
        table = next(self.db.glob("*.sst"))
        damaged = bytearray(table.read_bytes())
        damaged[100] ^= 1
        table.write_bytes(damaged)
        for words, advice in ((["db", "verify", self.db], "varve db repair"),
                              (["sst", "verify", table], "varve sst salvage")):
            said = self.together(*words, code=4)
            self.assertIn("DAMAGED", said)
            self.assertTrue(said.splitlines()[-1].startswith(advice), said)

    def test_no_advice_is_no_line(self):
        empty = self.home / "empty"
        empty.write_bytes(b"")
        self.assertEqual(self.err("sst", "verify", empty, code=4), "")

    def test_the_only_log_needs_no_number(self):
        self.load()
        self.ok("put", self.db, "k", "v")
        log = next(self.db.glob("*.log"))
        for verb in ("records", "layout"):
            for flags in ([], ["--json"]):
                self.assertEqual(self.out("wal", verb, self.db, *flags),
                                 self.out("wal", verb, self.db, int(log.stem), *flags))
        (self.db / "archive").mkdir()
        shutil.copy(log, self.db / "archive" / "000003.log")
        said = self.err("wal", "records", self.db, code=2)
        self.assertIn(f"several logs; add the number of one: 3, {int(log.stem)}", said)

    def test_the_levels_of_leveldb_are_its_own(self):
        db = FIXTURES / "db" / "leveldb-1.23" / "leveldb_l0"
        said = self.out("lsm", "show", db)
        self.assertIn("targets and scores are those that LevelDB computes", said)
        self.assertIn("compaction level, L0 goes to L1\n", said)
        self.assertNotIn("dynamic", said)
        levels = json.loads(self.out("lsm", "show", db, "--cf", "default", "--json"))["levels"]
        self.assertEqual([level.get("target_bytes") for level in levels[:3]], [None, 10 << 20, 100 << 20])


class Targets(Case):
    """A path that is not what a verb wants."""

    def test_what_is_there_instead_of_a_table(self):
        self.load()
        text, empty, directory = (self.home / name for name in ("text.txt", "empty", "directory"))
        text.write_text("some text that is no table\n" * 10)
        empty.write_bytes(b"")
        directory.mkdir()
        for path, says, code in ((text, "not a table: it ends with", 4), (empty, "a file of 0 bytes", 4),
                                 (directory, "but a directory; name a table in it", 2),
                                 (self.db, "but a database; name a table in it", 2),
                                 (self.home / "absent", "no such file or directory", 3)):
            with self.subTest(path):
                said = self.err("sst", "info", path, code=code)
                self.assertIn(path.name, said)
                self.assertIn(says, said)

    def test_a_file_that_may_not_be_read(self):
        path = self.home / "table.sst"
        path.write_bytes(b"")
        path.chmod(0)
        self.home.chmod(0o755)
        other = {}
        if os.getuid() == 0:  # Root may read every file, and others may not look into its home.
            other = {"user": 65534, "group": 65534, "extra_groups": [], "executable": shutil.copy(VARVE, self.home)}
        self.assertIn(f"{path}: open: Permission denied", self.err("sst", "info", path, code=3, **other))

    def test_a_shell_needs_a_target(self):
        directory = self.home / "directory"
        directory.mkdir()
        self.assertIn(f"{directory}: there is no database", self.err("shell", directory, code=3))

    def test_a_log_without_batches(self):
        empty = self.home / "empty"
        empty.write_bytes(b"")
        self.assertEqual(self.err("wal", "records", empty), f"{empty} has no batches\n")

    def test_a_layout_of_nothing_names_the_file(self):
        empty = self.home / "empty"
        empty.write_bytes(b"")
        self.assertTrue(self.ok("sst", "layout", empty, code=4).stdout.decode().startswith(f"{empty}: "))


class Help(Case):
    def test_exit_codes_are_sentences_that_the_man_page_takes_apart(self):
        for command in json.loads(self.out("help", "--json"))["commands"]:
            codes = re.split(r", (?=\d)", command["exit_codes"])
            with self.subTest(command["name"]):
                if command["name"] != "shell":
                    for code in codes:
                        self.assertRegex(code, r"^\d+ \w")

    def test_the_man_page_of_the_shell_says_whose_exit_code_it_has(self):
        self.assertIn(".SH EXIT STATUS\nthat of the last verb; ", self.out("help", "--man", "shell"))

    def test_a_group_alone(self):
        self.assertIn("'sst' needs one of: info, entries, ", self.err("sst", code=2))
        self.assertIn("'sst' has no command 'verfy'; did you mean 'verify'?", self.err("sst", "verfy", code=2))


if __name__ == "__main__":
    unittest.main(argv=[__file__, *harness.sys.argv[2:]])
