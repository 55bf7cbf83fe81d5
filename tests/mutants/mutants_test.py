#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutants.py on a project of one file: what each kind of mutant is said to be.

    mutants_test.py

Its build copies the "source" to where a program would be."""
import contextlib
import difflib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from waiting import wait_until  # noqa: E402  pylint: disable=wrong-import-position

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
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def patch(old, new, test=TEST, head=""):
    changed = SOURCE.replace(old + "\n", new + "\n" if new else "")
    diff = difflib.unified_diff(SOURCE.splitlines(keepends=True), changed.splitlines(keepends=True),
                                "a/product.sh", "b/product.sh")
    return f"Breaks: a promise\nDefect: of some\n  length\nTest: {test}\n{head}\n" + "".join(diff)


def works_below(entry, root):
    try:
        return pathlib.Path(os.readlink(entry / "cwd")).is_relative_to(root)
    except OSError:
        return False


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

    def test_what_was_fetched_for_the_sources_is_there_for_the_copy(self):
        (self.root / ".deps").mkdir()
        self.write(".gitignore", ".deps/\nbuild/\n")
        self.write(".deps/fetched", "")
        self.mutant("001-wrong", patch("answer=42", "answer=43"))
        for _ in range(2):  # Also when it is brought up to date.
            self.assertEqual(["caught"], self.verdicts(code=0))
            self.assertTrue((self.root / "build/mutants/tree-0/.deps/fetched").exists())

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

    def start(self, *words):
        """The script in a session of its own, so that a signal to its group is what a terminal sends."""

        def default_signals():
            for number in SIGNALS:
                signal.signal(number, signal.SIG_DFL)

        process = subprocess.Popen([sys.executable, SCRIPT, f"--root={self.root}", *words], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                                   preexec_fn=default_signals)
        self.addCleanup(self.end_left)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def end_left(self):
        """Ends them all: one that is looked at before it starts another leaves that one."""
        def none_left():
            left = self.left()
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return not left
        wait_until("nothing of the project runs", none_left, 20)

    def left(self):
        """The processes that work for this project."""
        return [int(entry.name) for entry in pathlib.Path("/proc").iterdir()
                if entry.name.isdigit() and works_below(entry, self.root)]

    def wait_for(self, name):
        wait_until(f"there is {name}", (self.root / name).exists, 20)

    def check_interrupted(self, process, number):
        os.killpg(process.pid, number)
        stdout, stderr = process.communicate(timeout=20)
        self.assertEqual((128 + number, "", "mutants: interrupted\n"), (process.returncode, stdout, stderr))
        self.check_nothing_left()

    def check_nothing_left(self):
        self.assertEqual([], self.left())
        self.assertEqual(SOURCE, (self.root / "product.sh").read_text())
        for copy in self.root.glob("build/mutants/tree-*/product.sh"):
            self.assertEqual(SOURCE, copy.read_text(), copy)
        self.assertEqual([], list(self.root.glob("build/mutants/*-scratch")))

    def slow(self):
        return patch("unused=1", f"touch {self.root}/started; sleep 600; answer=43")

    def test_a_test_is_interrupted(self):
        self.mutant("001-slow", self.slow())
        for number in SIGNALS:
            with self.subTest(number):
                (self.root / "started").unlink(missing_ok=True)
                process = self.start()
                self.wait_for("started")
                self.check_interrupted(process, number)

    def test_each_of_several_trees_is_interrupted(self):
        for number in range(1, 5):
            self.mutant(f"{number:03}-slow", self.slow().replace("started", f"started-{number}"))
        process = self.start("--jobs=2")
        self.wait_for("started-1")
        self.wait_for("started-2")
        self.check_interrupted(process, signal.SIGTERM)
        self.assertFalse((self.root / "started-3").exists())

    def test_output_before_an_interruption_is_kept(self):
        self.mutant("001-wrong", patch("answer=42", "answer=43"))
        self.mutant("002-slow", self.slow())
        process = self.start()
        first = process.stdout.readline()
        self.assertRegex(first, "^001-wrong +caught ")
        self.wait_for("started")
        self.check_interrupted(process, signal.SIGINT)

    def test_a_build_may_end_what_it_has_started(self):
        # As ninja does: compilers are in groups of their own.
        self.write("scripts/build.sh", BUILD + f"""
grep -q answer=43 product.sh || exit 0
setsid sleep 600 &
compiler=$!
trap 'sleep 0.2; kill $compiler; exit 1' TERM
touch {self.root}/started
wait
""")
        self.mutant("001-wrong", patch("answer=42", "answer=43"))
        process = self.start()
        self.wait_for("started")
        self.check_interrupted(process, signal.SIGTERM)

    def test_a_test_that_ignores_sigterm_is_killed(self):
        self.mutant("001-slow", patch("unused=1", f"trap '' TERM; touch {self.root}/started\n"
                                                  "while :; do sleep 1; done"))
        process = self.start()
        self.wait_for("started")
        self.check_interrupted(process, signal.SIGTERM)

    def test_at_any_moment_no_mutant_stays_in_the_copy(self):
        for number in range(1, 31):
            self.mutant(f"{number:03}-wrong", patch("answer=42", "answer=43"))
        for step in range(16):
            process = self.start(f"--jobs={1 + step % 2}")
            self.wait_for("build/mutants/logs/001-wrong.baseline")
            time.sleep(step * 0.017)  # pause: the moment is what is tried
            os.killpg(process.pid, signal.SIGINT)
            said = process.communicate(timeout=20)
            self.assertEqual(128 + signal.SIGINT, process.returncode, said)
            self.check_nothing_left()
            shutil.rmtree(self.root / "build/mutants")

    def test_a_copy_left_in_any_state_is_restored(self):
        self.mutant("001-slow", self.slow())
        process = self.start()
        self.wait_for("started")
        process.kill()
        process.communicate()
        self.end_left()
        self.mutant("001-slow", patch("unused=1", "unused=2"))
        self.assertEqual(["SURVIVED"], self.verdicts(code=1))
        self.check_nothing_left()

    def test_without_a_terminal_sighup_is_ignored(self):
        self.mutant("001-slow", patch("unused=1", f"touch {self.root}/started; sleep 0.5"))
        process = subprocess.Popen(["nohup", sys.executable, SCRIPT, f"--root={self.root}"], text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.wait_for("started")
        process.send_signal(signal.SIGHUP)
        self.assertIn("001-slow", process.communicate(timeout=20)[0])
        self.assertEqual(1, process.returncode)


if __name__ == "__main__":
    unittest.main()
