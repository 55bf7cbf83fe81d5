#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Defaults from the environment and the configuration file, and `varve config`.

    config_test.py VARVE [unittest arguments]"""
import json
import os
import sys
import unittest

import harness


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        self.file = self.home / ".config" / "varve" / "config"
        self.file.parent.mkdir(parents=True)
        self.variables = {}
        self.ok("load", self.db, "-", stdin="k\tv\n")

    def ok(self, *words, **how):
        return super().ok(*words, env={"PATH": os.environ["PATH"], "HOME": str(self.home),
                                       **self.variables}, **how)

    def settings(self):
        document = json.loads(self.out("config", "--json"))
        self.assertEqual(document["schema"], "varve.config/1")
        return {s["name"]: (s["value"], s["source"], s["place"]) for s in document["settings"]}


class Config(Case):
    def test_without_anything(self):
        self.assertEqual(self.settings(), {"format": ("", "built in", ""),
                                           "color": ("auto", "built in", ""),
                                           "cache": ("", "built in", "")})
        self.assertEqual(self.out("config"), "setting  value  from\n"
                                             "format   -      built in\n"
                                             "color    auto   built in\n"
                                             "cache    -      built in\n")

    def test_flags_beat_the_environment_which_beats_the_file(self):
        scan = ["scan", self.db]
        self.assertEqual(self.out(*scan), "k\tv\n")
        self.file.write_text("# mine\n\n  format=csv\ncolor = never\r\ncache = 16MiB\n")
        self.assertEqual(self.settings(), {"format": ("csv", "file", f"{self.file}:3"),
                                           "color": ("never", "file", f"{self.file}:4"),
                                           "cache": ("16MiB", "file", f"{self.file}:5")})
        self.assertEqual(self.out(*scan), "key,value\nk,v\n")
        self.variables = {"VARVE_FORMAT": "nul", "VARVE_CACHE": ""}
        self.assertEqual(self.settings()["format"], ("nul", "environment", "VARVE_FORMAT"))
        self.assertEqual(self.settings()["cache"][1], "file")  # An empty variable says nothing.
        self.assertEqual(self.out(*scan), "k\0v\0")
        self.assertEqual(self.out(*scan, "-F", "text"), "k\tv\n")
        self.assertEqual(json.loads(self.out(*scan, "--json"))["count"], 1)
        # What a command does not print is no default of it.
        self.assertTrue(self.out("db", "info", self.db))

    def test_what_programs_read_is_what_it_always_is(self):
        completion, dump = self.out("completion", "bash"), self.out("dump", self.db)
        self.variables = {"VARVE_FORMAT": "json"}
        self.assertEqual(self.out("completion", "bash"), completion)
        self.assertEqual(self.out("completion", "fish", "--", "ge"),
                         "get\tprint the value of a key\n")
        self.assertEqual(self.out("dump", self.db), dump)
        self.assertEqual(json.loads(self.out("dump", self.db, "-F", "json"))["count"], 1)

    def test_the_cache_and_colours_take_effect(self):
        table = next(self.db.glob("*.sst"))
        self.variables = {"VARVE_COLOR": "always"}
        coloured = self.out("lsm", "show", self.db, "-F", "table")
        self.assertIn("\x1b[", coloured)
        self.assertNotIn("\x1b[", self.out("lsm", "show", self.db, "-F", "table", "--color", "never"))
        self.variables = {"VARVE_CACHE": "64X"}
        self.assertIn("VARVE_CACHE: ", self.err("config", code=2))
        self.assertIn("VARVE_CACHE: ", self.err("get", self.db, "k", code=2))
        self.assertTrue(table.exists())

    def test_xdg_config_home(self):
        self.file.write_text("format = csv\n")
        other = self.home / "other" / "varve" / "config"
        self.variables = {"XDG_CONFIG_HOME": str(self.home / "other")}
        self.assertEqual(self.settings()["format"][1], "built in")
        other.parent.mkdir(parents=True)
        other.write_text("format = tsv\n")
        self.assertEqual(self.settings()["format"], ("tsv", "file", f"{other}:1"))
        self.variables = {"XDG_CONFIG_HOME": "relative"}
        self.assertEqual(self.settings()["format"], ("csv", "file", f"{self.file}:1"))

    def test_what_is_wrong_is_named_with_file_and_line(self):
        for text, says in (("\nformta = csv\n", "'formta'; did you mean 'format'?"),
                           ("# x\nformat = cvs\n", "'cvs' is not one of"),
                           ("color=auto\ncolor=never\n", "already"),
                           ("# x\ncache = lots\n", "'lots' is not a number"),
                           ("\nnonsense\n", "expected NAME = VALUE")):
            with self.subTest(text):
                self.file.write_text(text)
                for words in (["config"], ["get", self.db, "k"], ["scan", self.db, "-F", "text"]):
                    message = self.err(*words, code=2)
                    self.assertIn(f"{self.file}:2: ", message)
                    self.assertIn(says, message)
                self.ok("get", "--help")
                self.ok("help", "config")

    def test_a_file_that_cannot_be_read_is_an_error(self):
        self.file.mkdir()
        self.assertIn(str(self.file), self.err("get", self.db, "k", code=3))
        self.file.rmdir()
        os.mkfifo(self.file)
        self.assertIn(str(self.file), self.err("config", code=3))
        self.file.unlink()
        self.ok("get", self.db, "k")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
