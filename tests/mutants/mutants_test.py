#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutants.py on a project of one file: what each kind of mutant is said to be.

    mutants_test.py

Its build copies the "source" to where a program would be."""
import difflib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "mutants.py"
SOURCE = """#!/bin/sh
answer=42
unused=1
[ "$answer" = 42 ] && echo 'test cases: 1 |'
"""
BUILD = """#!/bin/sh
# scripts/build.sh PRESET -jN TARGET
sh -n product.sh || exit 1
mkdir -p "build/$1/tests"
cp product.sh "build/$1/tests/$3"
"""
TEST = "tests/answer_test"


def patch(old, new, test=TEST, head=""):
    changed = SOURCE.replace(old + "\n", new + "\n" if new else "")
    diff = difflib.unified_diff(SOURCE.splitlines(keepends=True), changed.splitlines(keepends=True),
                                "a/product.sh", "b/product.sh")
    return f"Breaks: a promise\nDefect: of some\n  length\nTest: {test}\n{head}\n" + "".join(diff)


class MutantsTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="varve-mutants-"))
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "tests/mutants").mkdir(parents=True)
        (self.root / "scripts").mkdir()
        self.write("product.sh", SOURCE)
        self.write("scripts/build.sh", BUILD)
        self.write("CMakePresets.json", json.dumps({"configurePresets": [{"name": "release"}]}))
        self.write(".gitignore", "/build/\n")
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)

    def write(self, name, text):
        (self.root / name).write_text(text)
        (self.root / name).chmod(0o755)

    def mutant(self, name, text):
        self.write(f"tests/mutants/{name}.patch", text)

    def run_script(self, *words):
        return subprocess.run([sys.executable, SCRIPT, f"--root={self.root}", *words],
                              capture_output=True, text=True)

    def verdicts(self, *words, code):
        done = self.run_script("--json", *words)
        self.assertEqual(code, done.returncode, done.stderr)
        return [row["verdict"] for row in json.loads(done.stdout)]

    def test_a_mutant_that_its_test_notices_is_caught(self):
        self.mutant("001-wrong", patch("answer=42", "answer=43"))
        self.assertEqual(["caught"], self.verdicts(code=0))

    def test_a_crash_is_noticed(self):
        self.mutant("001-crash", patch("unused=1", "kill -SEGV $$"))
        self.assertEqual(["caught"], self.verdicts(code=0))

    def test_an_equivalent_mutant_survives(self):
        self.mutant("001-equivalent", patch("unused=1", "unused=2"))
        self.assertEqual(["SURVIVED"], self.verdicts(code=1))

    def test_one_that_is_expected_to_survive_must(self):
        head = "Expected: survives: nothing reads it"
        self.mutant("001-equivalent", patch("unused=1", "unused=2", head=head))
        self.assertEqual(["survives, as expected"], self.verdicts(code=0))
        self.mutant("001-equivalent", patch("answer=42", "answer=43", head=head))
        self.assertEqual(["caught, but expected to survive"], self.verdicts(code=1))

    def test_what_does_not_build_is_not_caught(self):
        self.mutant("001-syntax", patch("answer=42", "if"))
        self.assertEqual(["does not build"], self.verdicts(code=1))

    def test_what_does_not_apply_is_not_caught(self):
        self.mutant("001-old", patch("answer=42", "answer=43").replace("-answer=42", "-answer=41"))
        self.assertEqual(["does not apply"], self.verdicts(code=1))

    def test_a_test_that_fails_without_the_mutant_says_nothing(self):
        self.mutant("001-wrong", patch("answer=42", "answer=43"))
        self.write("product.sh", SOURCE.replace("= 42 ]", "= 44 ]"))
        self.assertEqual(["its test fails without it"], self.verdicts(code=2))

    def test_a_test_without_cases_says_nothing(self):
        self.write("product.sh", SOURCE.replace("cases: 1", "cases: 0"))
        self.mutant("001-wrong", patch("answer=42", "answer=43"))
        self.assertEqual(["its test fails without it"], self.verdicts(code=2))

    def test_the_next_mutant_is_made_of_the_sources_as_they_are(self):
        self.mutant("001-wrong", patch("answer=42", "answer=43"))
        self.mutant("002-equivalent", patch("unused=1", "unused=2"))
        self.assertEqual(["caught", "SURVIVED"], self.verdicts(code=1))
        self.assertEqual(SOURCE, (self.root / "product.sh").read_text())
        self.assertEqual(SOURCE, (self.root / "build/mutants/tree-0/product.sh").read_text())

    def test_what_is_kept(self):
        self.mutant("001-equivalent", patch("unused=1", "unused=2"))
        self.verdicts("--keep", code=1)
        self.assertIn("unused=2", (self.root / "build/mutants/tree-0/product.sh").read_text())
        self.verdicts(code=1)
        self.assertEqual(SOURCE, (self.root / "build/mutants/tree-0/product.sh").read_text())

    def test_mutants_are_named_by_number_or_by_part(self):
        self.mutant("001-wrong", patch("answer=42", "answer=43"))
        self.mutant("002-equivalent", patch("unused=1", "unused=2"))
        self.assertEqual(["SURVIVED"], self.verdicts("2", code=1))
        self.assertEqual(["caught"], self.verdicts("wrong", code=0))
        self.assertEqual(2, self.run_script("3").returncode)
        self.assertEqual("001-wrong: a promise: of some length\n",
                         self.run_script("--list", "wrong").stdout)

    def test_heads_and_numbers_are_checked(self):
        good = patch("answer=42", "answer=43")
        for name, text, why in (("002-first", good, "number 001 is next"),
                                ("001-head", good.replace("Test:", "Tests:"), "not a line of a head"),
                                ("001-test", good.replace("Test: " + TEST, ""), "no line 'Test:'"),
                                ("001-ends", patch("unused=1", "", head="Ends: soon"), "failure or hang"),
                                ("001-why", patch("unused=1", "", head="Expected: survives"), "the reason")):
            self.mutant(name, text)
            done = self.run_script("--list")
            self.assertEqual((2, ""), (done.returncode, done.stdout), name)
            self.assertIn(why, done.stderr)
            (self.root / f"tests/mutants/{name}.patch").unlink()

    def test_the_check_wants_enough_that_apply(self):
        for number in range(1, 41):
            self.mutant(f"{number:03}-wrong", patch("answer=42", "answer=43"))
        ninja = self.root / "build.ninja"
        ninja.write_text(f"rule none\n  command = true\nbuild {TEST}: none\n")
        done = self.run_script("--check", str(self.root))
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.mutant("040-wrong", patch("unused=1", "", test="tests/other", head="Expected: survives: so"))
        self.mutant("039-wrong", patch("answer=42", "").replace("-answer=42", "-answer=41"))
        self.mutant("038-wrong", patch("answer=42", "", head="Preset: none"))
        done = self.run_script("--check", str(self.root))
        self.assertEqual(1, done.returncode)
        for said in ("39 mutants have to be caught", "nothing builds tests/other", "039-wrong does not apply",
                     "there is no preset none"):
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
