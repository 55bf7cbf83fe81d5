#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/repro.sh and the shrinking of what fails, with a suite that fails when it is told to."""
import pathlib
import random
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import replay  # noqa: E402
from shrink import list_of, parse_list, shrink  # noqa: E402

FAKE = f"""
[fake]
program = "{HERE}/fake_suite.py"
arguments = ["3,17,18"]
"""


class ShrinkTest(unittest.TestCase):
    def test_what_is_needed_is_left(self):
        dice = random.Random(1)
        for size in (1, 2, 3, 10, 100):
            for _ in range(20):
                needed = set(dice.sample(range(size), dice.randint(1, min(size, 4))))
                self.assertEqual(shrink(range(size), lambda kept, needed=needed: needed <= set(kept)), sorted(needed))

    def test_nothing_can_be_left_out(self):
        """Also where one removal makes another impossible, or possible: 9 can go once 4 is out."""
        for size, fails in ((100, lambda kept: len({5, 50, 95} & set(kept)) >= 2), (100, lambda kept: sum(kept) > 100),
                            (10, lambda kept: {0, 5} <= set(kept) and (9 in kept or 4 not in kept))):
            kept = shrink(range(size), fails)
            self.assertTrue(fails(kept))
            for item in kept:
                self.assertFalse(fails([other for other in kept if other != item]))

    def test_many_operations_take_few_runs(self):
        runs = []
        self.assertEqual(shrink(range(5000), lambda kept: runs.append(1) or {17, 4000} <= set(kept)), [17, 4000])
        self.assertLess(len(runs), 100)

    def test_time_is_limited(self):
        left = iter([False] * 3 + [True] * 100)
        kept = shrink(range(64), lambda kept: 63 in kept, lambda: next(left))
        self.assertIn(63, kept)
        self.assertGreater(len(kept), 1)

    def test_lists(self):
        self.assertEqual(list_of([0, 1, 2, 5, 7, 8]), "0-2,5,7-8")
        self.assertEqual(parse_list("0-2,5,7-8"), [0, 1, 2, 5, 7, 8])


class ReproTest(unittest.TestCase):
    def setUp(self):
        self.place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.suites = self.place / "suites.toml"
        self.suites.write_text(FAKE)

    def repro(self, *words, seconds=60):
        return subprocess.run([HERE.parent.parent / "scripts/repro.sh", f"--suites={self.suites}", "--build=release",
                               f"--seconds={seconds}", *words], capture_output=True, text=True, check=False)

    def test_the_exit_code_is_the_tests(self):
        self.assertEqual(self.repro("fake", "--seed=7").returncode, 1)
        self.assertEqual(self.repro("fake --seed=7").returncode, 1)
        self.assertEqual(self.repro("fake --seed=7 --keep=3,17").returncode, 0)
        self.assertEqual(self.repro("fake --seed=6").returncode, 0)
        self.assertEqual(self.repro("fake --seed=9").returncode, 128 + 9)

    def test_a_seed_is_for_all_suites(self):
        self.suites.write_text(FAKE + FAKE.replace("fake]", "other]") + FAKE.replace("fake]", "none]\nseeded = false"))
        done = self.repro("7")
        self.assertEqual(done.returncode, 1)
        self.assertIn("seed 7: 2 suites, fake, other failed", done.stdout)
        self.assertEqual(self.repro("6").returncode, 0)

    def test_what_is_no_line(self):
        for words in (["unknown", "--seed=1"], ["--shrink", "fake", "--seed=6"], []):
            done = self.repro(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertTrue(done.stderr)

    def test_a_line_is_shrunk(self):
        for line, seed in (("--seed=7", 7), ("--first=5 --seeds=9 --ops=40", 7), ("--seed=9 --ops=20", 9)):
            done = self.repro("--shrink", "fake", line)
            self.assertEqual(done.stdout, f"fake --seed={seed} --keep=3,17-18\n", done.stderr)

    def test_the_operations_of_a_hang(self):
        suites = replay.read_suites(self.suites)
        suite, options = replay.parse_line(["fake --seed=8 --ops=19"], suites)
        first = replay.Outcome(replay.HANGS, "replay: fake --seed=8 --ops=19\n")
        self.assertEqual(replay.run_and_clear(suite.command(options, "release"), 5), first)
        # Each that hangs takes five seconds: one is enough to see.
        shrunk = replay.shrink_line(suite, options, first, suites, "release", seconds=6)
        self.assertEqual(shrunk[0], "--seed=8")
        self.assertLessEqual({3, 17, 18}, set(parse_list(shrunk[1].removeprefix("--keep="))))

    def seeds(self, text):
        file = self.place / "seeds.txt"
        file.write_text(text)
        return self.repro(f"--seeds={file}")

    def test_seeds(self):
        text = textwrap.dedent("""\
            # What may stand above.

            fake --seed=14 --keep=3,17  # mended in 12345678
            """)
        done = self.seeds(text)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 lines, 0 failed", done.stdout)
        done = self.seeds(text + "fake --seed=14 --keep=3,17-18  # not mended\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("broken", done.stdout)
        self.assertEqual(self.seeds("fake --seed=14\n").returncode, 2)


class SuitesTest(unittest.TestCase):
    def test_every_suite_is_a_ctest(self):
        tests = (HERE.parent / "tests.txt").read_text().split()
        others = [name for name in replay.read_suites() if name not in tests]
        self.assertEqual(others, ["concurrent_tsan", "fuzz"])


if __name__ == "__main__":
    unittest.main()
