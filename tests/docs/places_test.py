#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files and folders that newcomers are sent to are there: places_test.py SOURCE"""
import pathlib
import re
import sys
import unittest

SOURCE = None
TOLD_IN = ("CONTRIBUTING.md", "core/README.md")
ROOTS = ("", "core", "core/include")  # What paths in these texts are relative to.
PATH = re.compile(r"[\w{},.-]+(?:/[\w{},.-]+)+")
FILE = re.compile(r"\w+\.(?:h|cc)")


def each_of(path):
    """a/{b,c} is two paths."""
    match = re.fullmatch(r"([^{]*)\{(.*)\}(.*)", path)
    return [match[1] + one + match[3] for one in match[2].split(",")] if match else [path]


def place_of(path):
    """None if there is no such file or folder."""
    return next((SOURCE / root / path for root in ROOTS if (SOURCE / root / path).exists()), None)


class Places(unittest.TestCase):
    def test_every_path_is_there(self):
        for name in TOLD_IN:
            told = re.findall(r"`([^`\n]+)`", (SOURCE / name).read_text())
            paths = [each for path in told if PATH.fullmatch(path) for each in each_of(path)
                     if not re.search(r"\b[A-Z]{4,}\b", each)]  # ROOM/NAME.cc: of any name.
            self.assertGreater(len(paths), 20)
            self.assertEqual([], [path for path in paths if place_of(path) is None], name)

    def test_every_question_has_an_answer(self):
        rows = re.findall(r"(?m)^\| ([^|]+\?) \| ([^|]+) \|$", (SOURCE / "CONTRIBUTING.md").read_text())
        self.assertEqual(10, len(rows))
        self.assertEqual(1, sum("new column of a report" in question for question, _ in rows))
        for question, answer in rows:
            folder = None
            for name in re.findall(r"`([^`]+)`", answer):
                if PATH.fullmatch(name):
                    place = place_of(name)
                    self.assertIsNotNone(place, f"{question} {name}")
                    folder = place.parent
                elif FILE.fullmatch(name):  # Beside the one before.
                    self.assertTrue((folder / name).is_file(), f"{question} {name}")
            self.assertIsNotNone(folder, f"{question} names no place")


if __name__ == "__main__":
    SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
