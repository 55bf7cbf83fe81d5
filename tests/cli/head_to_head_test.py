#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/bench/bench.py: every row works with every store that is built, all answer alike, and it
gets by without what fails.

    head_to_head_test.py VARVE [unittest arguments]"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from waiting import wait_until  # noqa: E402  pylint: disable=wrong-import-position

VARVE = pathlib.Path(sys.argv[1]).resolve()
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/bench/bench.py"
ROWS = {  # The table of targets.
    "fillseq", "fillrandom", "overwrite", "fillrandom, 2 threads", "open of many files",
    "the same, open_files_async", "readrandom, many files, cached", "readrandom, cached",
    "readmissing, cached", "multireadrandom, batch 32, cached",
    "multireadrandom, batch 32, stride 16, cached",
    "multireadrandom, batch 8, O_DIRECT, small cache",
    "multireadrandom, batch 32, O_DIRECT, small cache", "seekrandom, 10 nexts, cached",
    "seekrandom, 100 nexts, cached", "seekrandom, 10,000 nexts, O_DIRECT", "readseq, cached",
    "memtable MultiGet, batch 64", "memtable MultiGet, batch 8", "memtable MultiGet, batch 2",
    "memtable Get", *(f"readrandom, partitioned metadata, cache {mb} MB"
                      for mb in (3, 10, 30, 100, 1200)),
    "peak memory, all cached", "peak memory, fillrandom",
    "sequential direct scan; fio 1 MB QD32 instead of RocksDB"}


class HeadToHead(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-head-to-head-test-"))
        self.addCleanup(shutil.rmtree, self.home, True)
        self.work = self.home / "work"
        self.work.mkdir()

    def command(self, *words):
        return [sys.executable, str(SCRIPT), "--varve", str(VARVE), "--dir", str(self.work), "--disk",
                str(self.work), "--out", str(self.home / "out.json"), "--results",
                str(self.home / "RESULTS.md"), *map(str, words)]

    def run_it(self, *words, code=0):
        done = subprocess.run(self.command(*words), capture_output=True, text=True, timeout=250,
                              check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(list(self.work.iterdir()), [])
        return done

    def results(self):
        return json.loads((self.home / "out.json").read_text(encoding="utf-8"))

    def stand_in(self, change):
        """An executable that runs VARVE and then changes `done`, the result."""
        path = self.home / "varve-bench-rocksdb"
        path.write_text(f"""#!{sys.executable}
import json, subprocess, sys
words = sys.argv[1:]
run = subprocess.run([{str(VARVE)!r}, *words], capture_output=True, text=True)
if run.returncode == 0:
    done = json.loads(run.stdout)
    done["store"] = "RocksDB 0"
    {change}
    run.stdout = json.dumps(done)
sys.stdout.write(run.stdout)
sys.stderr.write(run.stderr)
sys.exit(run.returncode)
""")
        path.chmod(0o755)
        return path

    def test_all_stores_answer_alike_in_every_row(self):
        done = self.run_it("--short", "--rows-only")
        rows = self.results()["rows"]
        known = {name for name in ROWS if "fio" not in name and "async" not in name}
        self.assertEqual(set(rows) - {"compaction of 20,000 entries"}, known)
        peers = len(list(VARVE.parent.glob("varve-bench-*")))
        for name, row in rows.items():
            self.assertEqual(len(row), peers + 2, name)  # A store each, and the unit.
        self.assertIn("| readrandom, cached", done.stdout)

    def test_the_table_takes_the_place_between_its_marks_and_nothing_else(self):
        results = self.home / "RESULTS.md"
        results.write_text("before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n")
        peer = self.stand_in("done['workloads'][-1]['operations_per_second'] /= 1000")
        done = subprocess.run(self.command("--num", 2000, "--rounds", 1, "--peers", peer),
                              capture_output=True, text=True, timeout=250, check=False)
        rows = self.results()["rows"]
        self.assertEqual(set(rows) - {"compaction of 2,000 entries"}, ROWS)
        failed = [name for name, row in rows.items() if "failed" in row]
        # Options that only RocksDB has; and fio, where it is not.
        allowed = {"the same, open_files_async", "seekrandom, 10,000 nexts, O_DIRECT"}
        allowed |= set() if shutil.which("fio") else {n for n in ROWS if "fio" in n}
        self.assertEqual(set(failed), allowed, rows)
        self.assertEqual(done.returncode, 1)
        text = results.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("before\n<!-- bench -->\n20"), text)
        self.assertTrue(text.endswith("<!-- /bench -->\nafter\n"), text)
        self.assertNotIn("old", text)
        self.assertIn("2,000 records of 16 + 100 bytes", text)
        self.assertRegex(text, r"\| what +\| RocksDB 0 +\| varve [\d.]+ +\| ratio")
        self.assertRegex(text, r"\| fillseq .* \| 1.5, 2 +\| target +\|")
        self.assertNotIn(str(self.home), text)

    def test_another_answer_fails_its_row_and_the_next_one_goes_on(self):
        peer = self.stand_in("""for w in done["workloads"]:
        if w["name"] == "readmissing": w["found"] += 1
        if w["name"] == "seekrandom": w["checksum"] = "1" """)
        done = self.run_it("--short", "--peers", peer, "--only",
                           "readmissing,10 nexts,readseq", code=1)
        rows = self.results()["rows"]
        self.assertIn("the answers differ", rows["readmissing, cached"]["failed"])
        self.assertIn("the answers differ", rows["seekrandom, 10 nexts, cached"]["failed"])
        self.assertEqual(len(rows["readseq, cached"]["RocksDB 0"]), 1)
        self.assertIn("2 failed", done.stderr)
        self.assertIn("round 1 of 1", done.stderr)  # Progress.

    def test_a_store_that_cannot_run_leaves_a_table(self):
        done = self.run_it("--short", "--peers", "/bin/false", "--only", "fillseq", code=1)
        self.assertRegex(done.stdout, r"\| fillseq +\| failed")

    def test_nothing_stays_behind_when_it_is_stopped(self):
        with subprocess.Popen(self.command("--num", 50_000_000, "--peers", VARVE),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            wait_until("it fills a database", lambda: list(self.work.glob("*/*/*.log")))
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)
            self.assertEqual(process.returncode, 143)
        self.assertEqual(list(self.work.iterdir()), [])
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                self.assertNotIn(os.fsencode(self.work), path.read_bytes())
            except OSError:
                pass


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
