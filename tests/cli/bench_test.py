#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`varve bench`: every workload runs, its counts agree, and its reports can be trusted.

    bench_test.py VARVE [unittest arguments]"""
import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

VARVE = sys.argv[1]
PEERS = sorted(pathlib.Path(VARVE).resolve().parent.glob("varve-bench-*"))
NUM = 2000
ONCE = {"flush", "compact", "waitforcompaction", "open"}
UNCOUNTED = ONCE | {"readtocache"}  # They do what there is, not --ops.
READS = {"readrandom", "multireadrandom", "readseq", "readreverse", "seekrandom", "ycsbc",
         "readwhilewriting", "multireadwhilewriting"}


def varve(*words):
    return subprocess.run([VARVE, *map(str, words)], capture_output=True, text=True, timeout=120,
                          check=False)


def leaves(value):
    """Every value in a JSON document that is not an object or a list."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        yield value
        return
    for member in value:
        yield from leaves(member)


class Case(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-bench-test-"))
        self.addCleanup(shutil.rmtree, self.home, True)

    def ok(self, *words, code=0):
        done = varve("bench", *words)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout[:2000]}\n{done.stderr}")
        return done

    def run_json(self, *words):
        return json.loads(self.ok("run", *words, "--json").stdout)


class Run(Case):
    def test_every_workload_runs_and_its_counts_agree(self):
        names = [line.split("\t")[0] for line in self.ok("list").stdout.splitlines()]
        self.assertGreaterEqual(len(names), 24)
        for name in names:
            with self.subTest(name):
                result = self.run_json(name, "--num", NUM, "--threads", 2)
                self.assertEqual(result["schema"], "varve.bench/1")
                [one] = result["workloads"]
                expected = 1 if name in ONCE else NUM if name == "readtocache" else 2 * NUM
                self.assertEqual(one["operations"], expected)
                self.assertEqual(sum(i["operations"] for i in one["intervals"]),
                                 0 if name == "open" else expected)
                self.assertEqual(sum(b[2] for b in one["latency"]["buckets"]),
                                 one["latency"]["count"])
                self.assertGreater(one["latency"]["count"], 0)
                if name in READS:
                    self.assertEqual(one["found"], expected)
                if name == "readmissing":
                    self.assertEqual(one["found"], 0)

    def test_a_fill_writes_what_it_says(self):
        db = self.home / "db"
        result = self.run_json("filluniquerandom", "--num", NUM, "--db", db)
        self.assertEqual(result["workloads"][0]["end"]["user_bytes_written"], NUM * 116)
        count = subprocess.run([VARVE, "count", db], capture_output=True, text=True, check=True)
        self.assertEqual(int(count.stdout), NUM)
        first = subprocess.run([VARVE, "scan", db, "--limit", "1", "--keys-only"],
                               capture_output=True, text=True, check=True)
        self.assertEqual(first.stdout, "\\x00" * 8 + "0" * 8 + "\n")

    def test_reads_do_not_follow_the_order_of_the_writes(self):
        result = self.run_json("fillrandom", "readrandom", "--num", 100000, "--ops", 10000)
        share = result["workloads"][1]["found"] / 10000  # 1 - e^-0.1 of the records exist.
        self.assertAlmostEqual(share, 0.095, delta=0.02)

    def test_the_same_seed_does_the_same(self):
        def found(seed):
            done = self.run_json("fillrandom", "readrandom", "--num", NUM, "--ops", 500, "--seed",
                                 seed)
            return [w["found"] for w in done["workloads"]] + [w["bytes"] for w in done["workloads"]]
        self.assertEqual(found(7), found(7))
        self.assertNotEqual(found(7), found(8))

    def test_a_duration_ends_it(self):
        [one] = self.run_json("readrandom", "--num", NUM, "--duration", "0.3",
                              "--report-interval", "0.1")["workloads"]
        self.assertGreater(one["operations"], NUM)
        # A busy machine may take longer to notice, so there is no tight upper bound.
        self.assertGreater(one["seconds"], 0.25)
        self.assertLess(one["seconds"], 10)
        self.assertGreaterEqual(len(one["intervals"]), 3)

    def test_options_reach_the_engine_and_the_report(self):
        result = self.run_json("fillseq", "flush", "--num", NUM, "--compression", "zstd", "--option",
                               "block_size=8192")
        self.assertEqual(result["options_changed"]["block_size"], "8192")
        self.assertIn("compression", result["options_changed"])
        plain = self.run_json("fillseq", "flush", "--num", NUM)
        self.assertEqual(plain["options_changed"], {})
        self.assertLess(result["workloads"][1]["end"]["table_bytes"],
                        0.8 * plain["workloads"][1]["end"]["table_bytes"])

    def test_an_existing_database_is_kept_and_read_only_is_obeyed(self):
        db = self.home / "db"
        self.ok("run", "fillseq", "--num", NUM, "--db", db)
        self.assertIn("not empty", self.ok("run", "fillseq", "--db", db, code=2).stderr)
        [one] = self.run_json("readrandom", "--num", NUM, "--db", db, "--read-only")["workloads"]
        self.assertEqual((one["found"], one["prepared"]), (NUM, False))
        self.ok("run", "overwrite", "--db", db, "--read-only", code=2)

    def test_nothing_stays_in_the_temporary_directory(self):
        done = subprocess.run([VARVE, "bench", "run", "fillseq", "--num", "100"],
                              capture_output=True, env={"TMPDIR": str(self.home)}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(self.home.iterdir()), [])

    def test_usage(self):
        for words in (["nosuchworkload"], ["fillseq", "--num", "0"], ["fillseq", "--key-size", "0"],
                      ["fillseq", "--key-size", "1", "--num", "1000"], ["readseq", "--use-existing"],
                      ["fillseq", "--option", "nosuch=1"], ["fillseq", "--distribution", "odd"]):
            with self.subTest(words):
                self.ok("run", *words, code=2)


class Reports(Case):
    def test_csv_has_a_row_for_each_run(self):
        done = self.ok("run", "fillseq", "readseq", "--num", NUM, "--repeat", 2, "-F", "csv")
        rows = list(csv.DictReader(done.stdout.splitlines()))
        self.assertEqual([r["workload"] for r in rows], ["fillseq", "readseq"] * 2)
        self.assertEqual({int(r["operations"]) for r in rows}, {NUM})

    def test_the_page_is_whole_in_itself(self):
        page = self.home / "report.html"
        self.ok("run", "fillseq", "readrandom", "--num", NUM, "--html", page)
        text = page.read_text(encoding="utf-8")
        self.assertNotRegex(text, r"https?://|@import|url\(|<link|\ssrc=")
        data = re.search(r'<script type="application/json" id="result">(.*?)</script>', text, re.S)
        result = json.loads(data[1])
        self.assertEqual([w["name"] for w in result["workloads"]], ["fillseq", "readrandom"])
        self.assertNotIn("@RESULT@", text)

    def test_numbers_are_finite(self):
        result = self.run_json("open", "flush", "readmissing", "--num", 10, "--sample", 0)
        self.assertEqual(result["workloads"][2]["latency"]["count"], 0)
        self.assertNotIn(None, list(leaves(result["workloads"])))


class Claims(Case):
    def test_every_grade_works_and_answers_as_the_others_and_the_peers_do(self):
        # The command itself fails if one of them finds another number of records.
        done = json.loads(self.ok("claims", "--short", "--rounds", 1, "--json", "-q").stdout)
        self.assertEqual(done["schema"], "varve.bench-claims/1")
        self.assertEqual([claim["name"] for claim in done["claims"]],
                         ["multiget", "readahead", "memtable", "memtable-writing", "files",
                          "partitions"])
        for claim in done["claims"]:
            for point in claim["points"]:
                for grade in ("off", "published", "beyond"):
                    self.assertGreater(point[grade + "_ops_per_second"][0], 0)
            if PEERS:
                self.assertTrue(claim["peer"].startswith("RocksDB "), claim["peer"])
        self.assertEqual(len(done["claims"][0]["points"]), 24)  # Batch sizes by strides.

    def test_usage(self):
        self.assertIn("the claims are: multiget", self.ok("claims", "nonsense", code=2).stderr)
        self.ok("claims", "--rounds", 0, code=2)


class Peers(Case):
    def test_all_stores_do_the_same_operations(self):
        words = ["fillrandom", "deleterandom", "readrandom", "readmissing", "multireadrandom",
                 "readseq", "readreverse", "seekrandom", "ycsba", "ycsbe", "compact"]
        ours = self.run_json(*words, "--num", str(NUM), "-q")
        for peer in PEERS:
            done = subprocess.run([peer, "bench", "run", *words, "--num", str(NUM), "--json", "-q"],
                                  capture_output=True, text=True, timeout=120, check=True)
            theirs = json.loads(done.stdout)
            self.assertNotEqual(theirs["store"], ours["store"])
            for a, b in zip(ours["workloads"], theirs["workloads"], strict=True):
                self.assertEqual([a["name"], a["operations"], a["found"], a["bytes"]],
                                 [b["name"], b["operations"], b["found"], b["bytes"]], peer.name)

    def test_a_peer_takes_options_of_its_own(self):
        for peer in PEERS:
            refused = subprocess.run([peer, "bench", "run", "fillseq", "--num", "10", "--option",
                                      "no_such_option=1"], capture_output=True, text=True,
                                     check=False)
            self.assertEqual(refused.returncode, 2, peer)
            self.assertIn("no_such_option", refused.stderr)


class Compare(Case):
    def test_two_sets_of_options(self):
        done = varve("bench", "compare", "--a", "block_size=4096", "--b", "block_size=8192", "--num",
                     NUM, "--pairs", 10, "--workload", "seekrandom", "--json")
        self.assertIn(done.returncode, (0, 1, 7), done.stderr)  # So little work shows anything.
        result = json.loads(done.stdout)
        self.assertEqual(result["schema"], "varve.bench-comparison/1")
        [one] = result["comparisons"]
        self.assertEqual((one["a"], one["b"]), ("block_size=4096", "block_size=8192"))
        for effect in (one["check"], one["effect"]):
            self.assertEqual(effect["pairs"], 10)
            self.assertLessEqual(effect["low"], effect["percent"])
            self.assertLessEqual(effect["percent"], effect["high"])
        expected = 7 if "trusted" in one["verdict"] else 0 if "no diff" in one["verdict"] else 1
        self.assertEqual(done.returncode, expected)

    def result(self, name, seconds):
        path = self.home / name
        runs = [{"name": "readrandom", "operations": 1000, "seconds": s} for s in seconds]
        path.write_text(json.dumps({"schema": "varve.bench/1", "workloads": runs}))
        return path

    def test_two_results(self):
        base = [1 + i % 3 / 100 for i in range(12)]
        old = self.result("old", base)
        slower = self.result("new", [s * 1.05 for s in base])
        self.assertIn("B is slower", self.ok("compare", old, slower, code=1).stdout)
        noise = self.result("same", [s * (1 + (-1) ** i / 100) for i, s in enumerate(base)])
        self.assertIn("no difference shown", self.ok("compare", old, noise).stdout)
        few = self.result("few", base[:3])
        self.assertIn("too few", self.ok("compare", old, few).stdout)

    def test_usage(self):
        other = self.home / "other"
        other.write_text("{}")
        self.ok("compare", other, code=2)
        self.ok("compare", other, other, code=2)
        self.ok("compare", self.home / "none", other, code=3)
        self.ok("compare", "--pairs", 3, code=2)
        self.ok("compare", "--workload", "odd", code=2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
