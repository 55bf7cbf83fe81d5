#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/soak.sh's program with suites that fail, or wait, when they are told to."""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from waiting import children, wait_until  # noqa: E402  pylint: disable=wrong-import-position
SUITES = f"""
[fake]
program = "{HERE}/fake_suite.py"
arguments = ["3,17,18"]
counts = ["seeds", "states"]
round = ["--seed=6"]

[once]
program = "/bin/true"
once = ["--first={{seed}}"]
"""
FAILS = SUITES + f"""
[other]
program = "{HERE}/fake_suite.py"
arguments = ["3,17,18"]
round = ["--seed=1"]
"""


class SoakTest(unittest.TestCase):
    def setUp(self):
        self.place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.suites = self.place / "suites.toml"
        self.suites.write_text(SUITES)

    def start(self, *words):
        return subprocess.Popen([sys.executable, HERE / "soak.py", f"--suites={self.suites}", "--build=release",
                                 f"--folder={self.place}/soak", *words], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def soak(self, *words):
        process = self.start(*words)
        output, _ = process.communicate(timeout=100)
        return process.returncode, output

    def journal(self):
        return [json.loads(line) for line in (self.place / "soak/journal.jsonl").read_text().splitlines()]

    def jobs(self):
        return [entry for entry in self.journal() if "job" in entry]

    def test_rounds_with_seeds_of_their_own(self):
        code, output = self.soak("--hours=0.0003")
        self.assertEqual(code, 0, output)
        jobs = self.jobs()
        self.assertGreater(jobs[-1]["round"], 1, output)
        seeds = {job["round"]: job["seed"] for job in jobs}
        self.assertEqual(len(set(seeds.values())), len(seeds))
        self.assertEqual([job["job"] for job in jobs if job["suite"] == "once"], [f"once --first={seeds[1]}"])
        self.assertIn("0 failed", output)

    def test_a_failure_is_shrunk_and_filed_and_the_rest_goes_on(self):
        self.suites.write_text(FAILS.replace("--seed=6", "--first=5 --seeds=4"))
        code, output = self.soak("--hours=0.0004")
        self.assertEqual(code, 1, output)
        self.assertIn("\nfake --seed=7 --keep=3,17-18  # ", output)
        filed = (self.place / "soak/found/001-fake.txt").read_text()
        self.assertTrue(filed.startswith("fake --seed=7 --keep=3,17-18\n"), filed)
        self.assertIn("found by: fake --first=5 --seeds=4", filed)
        self.assertIn("broken", filed)
        code, output = self.soak("--hours=0.0004")  # Another, as the first has ended.
        self.assertEqual(len([entry for entry in self.journal() if "begin" in entry]), 2)

    def test_what_was_interrupted_goes_on(self):
        self.suites.write_text(FAILS.replace("--seed=1\"", "--seed=8\""))  # Waits.
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            process = self.start("--hours=1")
            with process.stdout:
                for line in process.stdout:
                    if "other" in line:
                        break
                wait_until("the suite runs", lambda: children(process.pid))
                process.send_signal(number)
                process.wait(20)
            self.assertEqual(process.returncode, -9 if number == signal.SIGKILL else 130)
        self.assertEqual([job["suite"] for job in self.jobs()], ["fake", "once"])
        with (self.place / "soak/journal.jsonl").open("a") as journal:
            journal.write('{"job": "half an ent')
        self.suites.write_text(FAILS)
        code, output = self.soak("--hours=0.0003")
        self.assertEqual(code, 0, output)
        jobs = self.jobs()
        self.assertEqual([job["suite"] for job in jobs if job["round"] == 1], ["fake", "once", "other"])
        self.assertEqual(len({job["seed"] for job in jobs if job["round"] == 1}), 1)

    def test_figures(self):
        self.suites.write_text(SUITES.replace("--seed=6", "--seed=7 --keep=1"))
        self.soak("--hours=0.0001")
        count = sum(job["suite"] == "fake" for job in self.jobs())
        code, output = self.soak("--figures")
        self.assertEqual(code, 0)
        self.assertIn(f"| `fake` | {count} | 0 | 0.0 | {count:,} seeds, {7 * count:,} states |", output)


if __name__ == "__main__":
    unittest.main()
