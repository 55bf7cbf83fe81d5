#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`varve bench`: every workload runs, its counts agree, and its reports can be trusted.

    bench_test.py VARVE [unittest arguments]"""
import csv
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import jsonschema

import harness

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import waiting  # noqa: E402  pylint: disable=wrong-import-position

VARVE = os.path.abspath(sys.argv[1])
PEERS = sorted(pathlib.Path(VARVE).resolve().parent.glob("varve-bench-*"))
SCHEMAS = {name: jsonschema.Draft202012Validator(harness.strict(schema))
           for name, schema in json.loads(harness.varve("help", "--json").stdout)["schemas"].items()}
NUM = 2000
ONCE = {"flush", "compact", "waitforcompaction", "open"}
WHOLE = {"readtocache", "filluniquerandom"}  # All records, by one thread.
FEWER = {"fillsync", "fill100k"}  # A thousandth of the records.
READS = {"readrandom", "readhot", "updaterandom", "readwhilescanning", "multireadrandom", "readseq", "readseqbatch", "readreverse", "seekrandom", "ycsbc",
         "seekrandomwhilewriting", "readwhilewriting", "multireadwhilewriting"}


def varve(*words):
    return subprocess.run([VARVE, *map(str, words)], capture_output=True, text=True, timeout=120,
                          check=False)


def processes_about(directory):
    """The command lines that name it."""
    lines = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_text(errors="replace")
        except OSError:
            continue
        if str(directory) in line:
            lines.append(line)
    return lines


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
        return self.valid(self.ok("run", *words, "--json").stdout)

    def valid(self, text):
        """The document, which is as `varve help --json` says."""
        document = json.loads(text)
        SCHEMAS[document["schema"]].validate(document)
        return document


class Run(Case):
    def test_every_workload_runs_and_its_counts_agree(self):
        names = [row["name"] for row in json.loads(self.ok("list", "--json").stdout)["workloads"]]
        self.assertGreaterEqual(len(names), 34)
        for name in names:
            with self.subTest(name):
                result = self.run_json(name, "--num", NUM, "--threads", 2)
                self.assertEqual(result["schema"], "varve.bench/1")
                [one] = result["workloads"]
                expected = (1 if name in ONCE else NUM if name in WHOLE
                            else 2 * NUM // 1000 if name in FEWER else 2 * NUM)
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

    def test_intervals_have_latencies_of_their_own(self):
        [one] = self.run_json("readrandom", "--num", NUM, "--duration", "0.5",
                              "--report-interval", "0.1")["workloads"]
        whole = one["latency"]
        parts = [i["latency"] for i in one["intervals"]]
        self.assertGreaterEqual(len(parts), 3)
        self.assertEqual(sum(p["count"] for p in parts), whole["count"])
        self.assertAlmostEqual(sum(p["count"] * p["mean_ns"] for p in parts),
                               whole["count"] * whole["mean"], delta=whole["count"])
        for part in parts:
            if part["count"] > 0:
                self.assertLessEqual(part["p50_ns"], part["p99_ns"])
                self.assertLessEqual(part["p99_ns"], part["max_ns"])
        # A bucket's end stands for what is in it, so 0.8 % more than the true greatest may be said.
        self.assertGreaterEqual(max(p["max_ns"] for p in parts), whole["max"] * 0.99)
        self.assertLessEqual(max(p["max_ns"] for p in parts), whole["max"])

    def test_values_have_the_sizes_that_were_asked_for(self):
        def values(distribution, *words):
            db = self.home / distribution
            self.ok("run", "filluniquerandom", "--num", 20000, "--db", db,
                    "--value-size-distribution", distribution, *words)
            scan = subprocess.run([VARVE, "scan", db, "--json"], capture_output=True, text=True,
                                  check=True)
            return sorted(row["value"]["len"] for row in json.loads(scan.stdout)["rows"])
        within = ["--value-size-min", 50, "--value-size-max", 250]
        uniform, normal = values("uniform", *within), values("normal", *within)
        for sizes in (uniform, normal):
            self.assertGreaterEqual(sizes[0], 50)
            self.assertLessEqual(sizes[-1], 250)
            self.assertAlmostEqual(sizes[10000], 150, delta=5)
        self.assertAlmostEqual(uniform[5000], 100, delta=5)  # Quartiles.
        self.assertAlmostEqual(normal[5000], 150 - 0.674 * 200 / 6, delta=3)
        self.assertEqual(set(values("fixed")), {100})

    def test_the_same_answers_have_the_same_checksum(self):
        def sums(*words):
            done = self.run_json("filluniquerandom", "readrandom", "seekrandom", "readmissing",
                                 "--num", NUM, "--checksum", *words)
            return [w["checksum"] for w in done["workloads"]]
        plain = sums()
        self.assertEqual(plain, sums("--option", "block_size=512", "--compression", "zstd"))
        self.assertEqual(plain[3], "0")  # Nothing was answered.
        other = sums("--seed", 7)
        self.assertNotEqual(plain[1:3], other[1:3])
        self.assertIsNone(self.run_json("readrandom", "--num", 10)["workloads"][0]["checksum"])

    def test_a_fill_of_its_own_settings_leaves_those_of_the_others(self):
        done = self.run_json("fill100k", "fillbatch", "readrandom", "--num", NUM)
        big, batches, reads = done["workloads"]
        self.assertEqual(big["bytes"], 2 * (16 + 100_000))
        self.assertEqual((batches["operations"], batches["latency"]["count"]), (NUM, 2))
        self.assertEqual((reads["found"], reads["bytes"]), (NUM, NUM * 116))

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
        # Engines are compared, not codecs: the bench compresses only where it is told to.
        self.assertEqual(plain["options_changed"], {"compression": "kNoCompression"})
        self.assertLess(result["workloads"][1]["end"]["table_bytes"],
                        0.8 * plain["workloads"][1]["end"]["table_bytes"])

    def test_an_existing_database_is_kept_and_read_only_is_obeyed(self):
        db = self.home / "db"
        self.ok("run", "fillseq", "--num", NUM, "--db", db)
        self.assertIn("not empty", self.ok("run", "fillseq", "--db", db, code=2).stderr)
        [one] = self.run_json("readrandom", "--num", NUM, "--db", db, "--read-only")["workloads"]
        self.assertEqual((one["found"], one["prepared"]), (NUM, False))
        self.ok("run", "overwrite", "--db", db, "--read-only", code=2)

    def test_a_directory_that_is_given_stays(self):
        real, link = self.home / "real", self.home / "link"
        real.mkdir(mode=0o700)
        link.symlink_to(real)
        before = real.stat()
        self.ok("run", "fillseq", "fillrandom", "--num", NUM, "--db", link)
        self.assertTrue(link.is_symlink())
        self.assertEqual((real.stat().st_ino, real.stat().st_mode), (before.st_ino, before.st_mode))
        self.assertTrue((real / "CURRENT").exists())
        file, loop = self.home / "file", self.home / "loop"
        file.touch()
        loop.symlink_to(loop)
        self.assertIn("is no directory", self.ok("run", "fillseq", "--db", file, code=2).stderr)
        self.assertTrue(file.is_file())
        self.assertIn(f"{loop}: Too many", self.ok("run", "fillseq", "--db", loop, code=3).stderr)

    def test_the_file_system_is_told_of_a_database_that_is_made(self):
        names = [self.run_json("fillseq", "--num", 10, "--db", path)["machine"]["file_system"]
                 for path in (self.home / "new", self.home / "new2/")]
        done = self.run_json("readseq", "--num", 10, "--db", self.home / "new", "--use-existing")
        self.assertEqual(names, [done["machine"]["file_system"]] * 2)
        self.assertNotIn("unknown", names)

    def test_a_file_that_cannot_be_made_is_told_before_measuring(self):
        db, file = self.home / "db", self.home / "file"
        file.touch()
        for flag, path in (("--html", self.home / "no/page.html"), ("--csv", file / "tables")):
            with self.subTest(flag):
                self.ok("run", "fillseq", "--num", 10, "--db", db, flag, path, code=3)
                self.assertFalse(db.exists())
        done = self.ok("run", "fillseq", "--num", 10, "--html", "/dev/full", code=3)
        self.assertIn("\nfillseq ", done.stdout)

    def test_more_threads_than_there_can_be(self):
        def little():
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
        done = subprocess.run([VARVE, "bench", "run", "readrandom", "--num", "10", "--threads",
                               "1024", "--json"], capture_output=True, text=True, timeout=120,
                              env={"TMPDIR": str(self.home)}, preexec_fn=little, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        problem = json.loads(done.stderr.splitlines()[-1])
        SCHEMAS["varve.problem/1"].validate(problem)
        self.assertEqual(problem["exit_code"], 3)
        self.assertEqual(list(self.home.iterdir()), [])

    def test_a_reader_that_has_gone_away_leaves_nothing_behind(self):
        # The second prints more than is held back until the database is closed.
        for which, words in (("stderr", []), ("stdout", ["-q", "--json", "--repeat", "40"])):
            with self.subTest(which):
                reading, writing = os.pipe()
                os.close(reading)
                streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
                           which: writing}
                done = subprocess.run([VARVE, "bench", "run", "readrandom", "--num", "100", *words],
                                      env={"TMPDIR": str(self.home)}, timeout=60, check=False,
                                      **streams)
                os.close(writing)
                self.assertEqual(done.returncode, -signal.SIGPIPE)
                self.assertEqual(list(self.home.iterdir()), [])

    def test_nothing_stays_in_the_temporary_directory(self):
        done = subprocess.run([VARVE, "bench", "run", "fillseq", "--num", "100"],
                              capture_output=True, env={"TMPDIR": str(self.home)}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(self.home.iterdir()), [])

    def test_a_signal_leaves_nothing_behind_either(self):
        calls = [["run", "readrandom", "--num", "1000", "--duration", "60"],
                 ["run", "fillrandom", "--num", "100000000"],
                 ["compare", VARVE, VARVE, "--num", "100000000"],
                 ["claims", "readahead", "--peer", "none"]]
        sleeper = self.home.with_suffix(".sleeps")
        # A shell, which SIGINT ends at any moment; Python may miss one while it starts.
        sleeper.write_text('#!/bin/sh\nread line < "$0.fifo"\n')
        sleeper.chmod(0o755)
        self.addCleanup(sleeper.unlink)
        fifo = pathlib.Path(f"{sleeper}.fifo")
        os.mkfifo(fifo)
        self.addCleanup(fifo.unlink)
        calls += [["compare", sleeper, sleeper]]
        for number, words in enumerate(calls):
            told = signal.SIGTERM if number % 2 else signal.SIGINT
            with self.subTest(words), subprocess.Popen(
                    [VARVE, "bench", *words], stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, env={"TMPDIR": str(self.home)}) as process:
                waiting.wait_until("it is at work", lambda: self.at_work(process, words[1] == sleeper))
                self.assertNotEqual(list(self.home.iterdir()), [])
                process.send_signal(told)
                process.wait(timeout=60)
                self.assertEqual(process.returncode, -told)
                self.assertEqual(list(self.home.iterdir()), [])
                # One that it started may take a moment more.
                waiting.wait_until("its processes are gone", lambda: not processes_about(self.home))

    def at_work(self, process, sleeps):
        """It, or a process that it has started, does what it was told: writes, or sleeps."""
        started = waiting.children(process.pid)
        if sleeps:
            return started and list(self.home.iterdir())
        return (list(self.home.glob("*/**/*.log")) and
                sum(map(waiting.cpu_seconds, [process.pid, *started])) > 0.2)

    def test_usage(self):
        for words in (["nosuchworkload"], ["fillseq", "--num", "0"], ["fillseq", "--key-size", "0"],
                      ["fillseq", "--key-size", "1", "--num", "1000"], ["readseq", "--use-existing"],
                      ["fillseq", "--value-size-distribution", "odd"],
                      ["fillseq", "--value-size-min", "9", "--value-size-max", "8",
                       "--value-size-distribution", "normal"],
                      ["readseq", "--duration", "nan"], ["readseq", "--duration", "inf"],
                      ["readseq", "--report-interval", "nan"], ["fillseq", "--repeat", "0"],
                      ["multireadrandom", "--batch-size", "0"],
                      ["multireadrandom", "--batch-size", 2**64 - 1],
                      ["fillseq", "--option", "nosuch=1"], ["fillseq", "--distribution", "odd"]):
            with self.subTest(words):
                self.ok("run", *words, code=2)

    def test_a_flag_that_has_no_effect_is_refused(self):
        for words, named in (
                (["--value-size-min", 9], ["--value-size-min", "--value-size-distribution"]),
                (["--value-size-max", 9], ["--value-size-max", "--value-size-distribution"]),
                (["--value-size", 9, "--value-size-distribution", "uniform"],
                 ["--value-size ", "--value-size-distribution uniform"]),
                (["--compression", "lz4", "--option", "compression=zstd"],
                 ["--compression", "--option compression="]),
                (["--cache-size", "1M", "--option", "block_cache_bytes=2M"],
                 ["--cache-size", "--option block_cache_bytes="]),
                (["--direct-reads", "--option", "use_direct_reads=false"],
                 ["--direct-reads", "--option use_direct_reads="]),
                (["--port", 1234], ["--port", "--serve"])):
            with self.subTest(words):
                told = self.ok("run", "fillseq", "--num", NUM, *words, code=2).stderr
                for name in named:
                    self.assertIn(name, told)

    def test_a_count_beside_a_duration(self):
        both = ["--ops", 10, "--duration", 5]
        for words in (["run", "readrandom"], ["run", "flush", "seekrandom"], ["compare", "--workload", "readrandom"]):
            self.assertIn("--ops and --duration", self.ok(*words, "--num", NUM, *both, code=2).stderr)
        [one] = self.run_json("fillseq", "--num", NUM, *both)["workloads"]
        self.assertEqual(one["operations"], 10)

    def test_the_last_interval_ends_with_the_work(self):
        result = self.run_json("fillseq", "readrandom", "--num", NUM, "--threads", 2,
                               "--report-interval", 0.01)
        for one in result["workloads"]:
            self.assertEqual(one["intervals"][-1]["seconds"], one["seconds"])
            self.assertAlmostEqual(sum(i["length"] for i in one["intervals"]), one["seconds"])


class Reports(Case):
    def test_csv_has_a_row_for_each_run(self):
        done = self.ok("run", "fillseq", "readseq", "--num", NUM, "--repeat", 2, "-F", "csv")
        rows = list(csv.DictReader(done.stdout.splitlines()))
        self.assertEqual([r["workload"] for r in rows], ["fillseq", "readseq"] * 2)
        self.assertEqual({int(r["operations"]) for r in rows}, {NUM})

    def test_the_command_is_told_as_a_shell_takes_it(self):
        words = ["run", "fillseq", "--num", "10", "--json", "--db", self.home / "it's; a #db"]
        command = self.valid(self.ok(*words).stdout)["command"]
        self.assertEqual(shlex.split(command), [VARVE, "bench", *map(str, words)])

    def test_csv_files_hold_what_the_json_holds(self):
        tables = self.home / "tables"
        done = self.run_json("fillrandom", "flush", "readrandom", "--num", NUM, "--csv", tables,
                             "--option", "write_buffer_size=64k", "--report-interval", "0.01")

        def rows(name):
            with open(tables / name, encoding="utf-8", newline="") as file:
                return list(csv.DictReader(file))
        runs = rows("workloads.csv")
        self.assertEqual([r["workload"] for r in runs], ["fillrandom", "flush", "readrandom"])
        for row, workload in zip(runs, done["workloads"], strict=True):
            for moment in ("start", "end"):
                levels = " ".join(f"{l['level']}:{l['files']}:{l['bytes']}"
                                  for l in workload[moment]["levels"])
                self.assertEqual(row[moment + "_levels"], levels)
                self.assertAlmostEqual(float(row[moment + "_space_amplification"]),
                                       workload[moment]["space_amplification"], places=3)
        self.assertNotEqual(runs[-1]["end_levels"], "")
        points = [i for w in done["workloads"] for i in w["intervals"]]
        self.assertEqual([int(r["operations"]) for r in rows("intervals.csv")],
                         [i["operations"] for i in points])
        self.assertEqual([int(r["latency_p99_ns"]) for r in rows("intervals.csv")],
                         [i["latency"]["p99_ns"] for i in points])
        self.assertEqual([[int(r[c]) for c in ("from_ns", "to_ns", "calls")]
                          for r in rows("latency.csv")],
                         [b for w in done["workloads"] for b in w["latency"]["buckets"]])
        environment = {(r["group"], r["name"]): r["value"] for r in rows("environment.csv")}
        self.assertEqual(environment["options", "write_buffer_size"], "65536")
        self.assertEqual(environment["run", "command"], done["command"])
        self.assertEqual(environment["machine", "memory_bytes"], str(done["machine"]["memory_bytes"]))

    def test_all_options_are_told_with_their_values(self):
        listed = json.loads(varve("options", "--json").stdout)["options"]
        done = self.run_json("fillseq", "--num", 10)
        self.assertEqual(sorted(done["options"]), sorted(option["name"] for option in listed))

    def test_the_text_tells_the_options_that_were_in_effect(self):
        def told(*words):
            lines = self.ok("run", "fillseq", "--num", 10, *words).stdout.splitlines()
            header = next(i for i, line in enumerate(lines) if line.startswith("workload"))
            self.assertLessEqual(max(map(len, lines[1:header])), 100)
            return dict(word.split("=", 1) for line in lines[1:header] for word in line.split())
        plain = told()
        self.assertEqual((plain["compression"], plain["durability"], plain["block_size"]),
                         ("kNoCompression", "buffered", "4096"))
        # At its default, as that of the engine.
        self.assertEqual(told("--compression", "lz4")["compression"], "kLZ4Compression")
        given = told("--durability", "none", "--direct-reads", "--cache-size", "1M", "--option",
                     "num_levels=7", "--option", "multiget=per_key")
        self.assertEqual(dict(set(given.items()) - set(plain.items())),
                         {"durability": "none", "use_direct_reads": "true",
                          "block_cache_bytes": "1048576", "num_levels": "7",
                          "multiget": "per_key"})
        for peer in PEERS:
            if "rocksdb" not in peer.name:
                continue
            done = subprocess.run([peer, "bench", "run", "fillseq", "--num", "10", "--option",
                                   "async_io=true"], capture_output=True, text=True, check=True)
            self.assertIn("async_io=true", done.stdout)

    def test_the_list_has_a_header_and_is_aligned(self):
        text = harness.at_a_terminal(["bench", "list"], columns=200)[0].decode()
        lines = re.sub("\x1b\\[[0-9]*m", "", text).splitlines()
        self.assertEqual(lines[0].split(), ["workload", "writes", "summary"])
        rows = json.loads(self.ok("list", "--json").stdout)["workloads"]
        self.assertEqual(len(lines), 1 + len(rows))
        writes, summary = lines[0].index("writes"), lines[0].index("summary")
        for line, row in zip(lines[1:], rows, strict=True):
            self.assertEqual(line[:writes].strip(), row["name"])
            self.assertEqual(line[writes:summary].strip(), "*" if row["writes"] else "")
            self.assertEqual(line[summary:], row["summary"])

    def test_how_the_engine_searches_is_set_and_told(self):
        done = self.run_json("fillseq", "multireadrandom", "--num", NUM, "--option",
                             "multiget=per_key", "--option", "memtable_rep=skip_list")
        self.assertEqual(done["grades"]["multiget"], "per_key")
        self.assertEqual(done["grades"]["file_search"], "heads")
        changed = done["options_changed"]
        self.assertEqual((changed["multiget"], changed["memtable_rep"]), ("per_key", "skip_list"))
        self.assertIn("per_key|grouped|pipeline",
                      self.ok("run", "fillseq", "--option", "multiget=odd", code=2).stderr)
        # Only measurements have the choice.
        refused = varve("get", "--option", "multiget=per_key", self.home / "db", "k")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("there is no option 'multiget'", refused.stderr)

    def test_the_page_is_whole_in_itself(self):
        page = self.home / "report.html"
        self.ok("run", "fillseq", "readrandom", "--num", NUM, "--html", page)
        text = page.read_text(encoding="utf-8")
        self.assertNotRegex(text, r"https?://|@import|url\(|<link|\ssrc=")
        data = re.search(r'<script type="application/json" id="result">(.*?)</script>', text, re.S)
        result = json.loads(data[1])
        self.assertEqual([w["name"] for w in result["workloads"]], ["fillseq", "readrandom"])
        self.assertNotIn("@RESULT@", text)

    @unittest.skipUnless(shutil.which("chromium"), "needs Chromium")
    def test_a_browser_draws_the_page(self):
        page = self.home / "report.html"
        self.ok("run", "fillrandom", "readrandom", "compact", "open", "--num", 20 * NUM, "--option",
                "write_buffer_size=64k", "--report-interval", "0.01", "--html", page)
        done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                               f"--user-data-dir={self.home / 'profile'}", "--dump-dom",
                               page.as_uri()], capture_output=True, text=True, timeout=120,
                              check=True)
        body = done.stdout.split("</script>")[-1]  # What the scripts made.
        sections = body.split("<section")
        self.assertEqual(len(sections), 1 + 1 + 4 + 1)  # Summary, workloads, environment.
        fill, reads, compact, reopened = sections[2:6]
        self.assertGreaterEqual(fill.count("<svg"), 4)
        self.assertIn("Latency over time", fill)
        self.assertIn("Written in the background", fill)
        self.assertGreaterEqual(reads.count("<svg"), 2)
        self.assertNotIn("Operations per second", compact)
        self.assertNotIn("<svg", reopened)
        # Without the whole result as JSON, whose base64 may spell any of these words.
        drawn = re.sub(r"<pre>.*?</pre>", "", body, flags=re.S)
        self.assertEqual(re.findall(r"NaN|Infinity|undefined|\[object", drawn), [])

    def test_numbers_are_finite(self):
        result = self.run_json("open", "flush", "readmissing", "--num", 10, "--sample", 0)
        self.assertEqual(result["workloads"][2]["latency"]["count"], 0)
        for workload in result["workloads"]:
            self.assertIsNone(workload.pop("checksum"))
        self.assertNotIn(None, list(leaves(result["workloads"])))


class Claims(Case):
    def test_every_grade_works_and_answers_as_the_others_and_the_peers_do(self):
        # The command itself fails if one of them finds another number of records.
        done = self.valid(self.ok("claims", "--short", "--rounds", 1, "--json", "-q").stdout)
        self.assertEqual(done["schema"], "varve.bench-claims/1")
        self.assertEqual([claim["name"] for claim in done["claims"]],
                         ["multiget", "multiget-direct", "readahead", "memtable",
                          "memtable-writing", "memtable-get", "memtable-scan", "files",
                          "file-search", "partitions", "point-index-get", "point-index-absent",
                          "point-index-multiget", "point-index-build",
                          "point-index-any-get", "point-index-any-absent",
                          "point-index-any-multiget", "point-index-any-build"])
        claims = {claim["name"]: claim for claim in done["claims"]}
        for name, claim in claims.items():
            grades = [grade["grade"] for grade in claim["grades"]]
            expected = {"memtable-get": ["off", "beyond"], "memtable-scan": ["off", "beyond"],
                        "partitions": ["whole", "off", "published", "beyond"]}
            default = (["off", "beyond"] if name.startswith("point-index-")
                       else ["off", "published", "beyond"])
            self.assertEqual(grades, expected.get(name, default))
            if PEERS and name not in ("file-search", "point-index-build", "point-index-any-build"):
                self.assertTrue(claim["peer"].startswith("RocksDB "), claim["peer"])
                grades.append("peer")
            for point in claim["points"]:
                self.assertEqual(sorted(point["ops_per_second"]), sorted(grades))
                for rates in point["ops_per_second"].values():
                    self.assertEqual([rate > 0 for rate in rates], [True])
        self.assertEqual(len(claims["multiget"]["points"]), 24)  # Batch sizes by strides.
        self.assertEqual([p["point"] for p in claims["partitions"]["points"]],
                         [f"cache {mb} MB" for mb in (3, 6, 10, 20, 30, 60, 100, 1200)])
        self.assertEqual(claims["file-search"]["records"], 10102)
        self.assertGreater(claims["files"]["files"], 50)  # Of 62 KB, 200,000 records.
        self.assertIn("100,000 instead of 12,000,000 records", claims["multiget"]["scaled"])
        self.assertEqual({name for name, claim in claims.items()
                          for point in claim["points"] if "table_bytes" in point},
                         {"point-index-build", "point-index-any-build"})
        for name in ("point-index-build", "point-index-any-build"):
            for point in claims[name]["points"]:
                self.assertGreater(point["table_bytes"]["beyond"], point["table_bytes"]["off"])
                self.assertLess(point["table_bytes"]["beyond"], 1.2 * point["table_bytes"]["off"])

    def test_a_claim_that_fails_does_not_stop_the_others(self):
        failing = self.home / "failing"
        failing.write_text("#!/bin/sh\nexit 3\n")
        failing.chmod(0o755)
        done = varve("bench", "claims", "memtable-get", "file-search", "--short", "--rounds", 1,
                     "--peer", failing)
        self.assertEqual(done.returncode, 3)
        self.assertIn("memtable-get: ", done.stderr)
        self.assertIn("20 bytes shared + 8, batch 32", done.stdout)

    def test_other_answers_are_found_out(self):
        for found, checksum in ((19999, 1), (20000, 1)):
            liar = self.home / "liar"
            result = {"schema": "varve.bench/1", "store": "liar 1", "workloads": [
                {"operations": 1, "seconds": 1, "found": found, "checksum": str(checksum)}]}
            liar.write_text(f"#!/bin/sh\necho '{json.dumps(result)}'\n")
            liar.chmod(0o755)
            done = self.ok("claims", "memtable-get", "--short", "--rounds", 1, "--peer", liar,
                           code=4)
            self.assertIn(f"liar 1 found {found} records of checksum 1 but the others found 20000 records "
                          "of checksum", done.stderr)

    def test_usage(self):
        self.assertIn("the claims are: multiget", self.ok("claims", "nonsense", code=2).stderr)
        self.ok("claims", "--num", 10, code=2)
        self.ok("claims", "--rounds", 0, code=2)


class Peers(Case):
    def test_all_stores_do_the_same_operations(self):
        words = ["fillrandom", "deleterandom", "readrandom", "readmissing", "multireadrandom",
                 "readseq", "readreverse", "seekrandom", "ycsba", "ycsbe", "compact"]
        ours = self.run_json(*words, "--num", str(NUM), "-q", "--checksum")
        for peer in PEERS:
            done = subprocess.run([peer, "bench", "run", *words, "--num", str(NUM), "--json", "-q",
                                   "--checksum"],
                                  capture_output=True, text=True, timeout=120, check=True)
            theirs = self.valid(done.stdout)
            self.assertNotEqual(theirs["store"], ours["store"])
            for a, b in zip(ours["workloads"], theirs["workloads"], strict=True):
                self.assertEqual([a["name"], a["operations"], a["found"], a["bytes"], a["checksum"]],
                                 [b["name"], b["operations"], b["found"], b["bytes"], b["checksum"]],
                                 peer.name)

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
        result = self.valid(done.stdout)
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
        self.valid(self.ok("compare", old, slower, "--json", code=1).stdout)
        noise = self.result("same", [s * (1 + (-1) ** i / 100) for i, s in enumerate(base)])
        self.assertIn("no difference shown", self.ok("compare", old, noise).stdout)
        few = self.result("few", base[:3])
        self.assertIn("too few", self.ok("compare", old, few).stdout)

    def test_of_two_results_one_workload(self):
        old, new = (self.result(name, [1 + i % 3 / 100 for i in range(12)]) for name in ("old", "new"))
        for path in (old, new):
            result = json.loads(path.read_text())
            result["workloads"] += [{**run, "name": "fillseq"} for run in result["workloads"]]
            path.write_text(json.dumps(result))

        def compared(*words):
            found = json.loads(self.ok("compare", old, new, *words, "--json").stdout)
            return [one["workload"] for one in found["comparisons"]]
        self.assertEqual(compared(), ["fillseq", "readrandom"])
        self.assertEqual(compared("--workload", "fillseq"), ["fillseq"])
        self.assertIn("--workload readseq",
                      self.ok("compare", old, new, "--workload", "readseq", code=2).stderr)

    def test_what_measures_is_refused_with_results(self):
        old = self.result("old", [1] * 12)
        for words in (["--num", 10], ["--pairs", 20], ["--processes"], ["--a", "block_size=8192"],
                      ["--b", "block_size=8192"], ["--seed", 7], ["--compression", "lz4"]):
            with self.subTest(words):
                told = self.ok("compare", old, old, *words, code=2).stderr
                self.assertIn(f"{words[0]} is for measuring", told)

    def test_what_is_no_result(self):
        good = self.result("good", [1] * 12)

        def with_run(**members):
            return json.dumps({"schema": "varve.bench/1", "workloads": [
                {"name": "readrandom", "operations": 1, "seconds": 1} | members] * 12})
        texts = ["", "[]", '{"schema": 5}', '{"schema": null}',
                 '{"schema": "varve.bench/1", "workloads": 5}',
                 '{"schema": "varve.bench/1", "workloads": [5]}',
                 '{"schema": "varve.bench/1", "workloads": ' + "[" * 10**6 + "]" * 10**6 + "}",
                 with_run(name=5), with_run(operations="many"), with_run(operations=-1),
                 with_run(operations=1e-300), with_run(seconds=None), with_run(seconds=-1),
                 with_run(seconds=1e300), with_run(seconds=1e-300), with_run()[:-9]]
        for text in texts:
            with self.subTest(text[:90]):
                bad = self.home / "bad"
                bad.write_text(text)
                for words in ((bad, good), (good, bad)):
                    done = self.ok("compare", *words, code=2)
                    self.assertIn(f"{bad} is not a result of bench run --json: ", done.stderr)
        bad.write_text(with_run().replace("bench/1", "bench/2"))
        self.assertIn("is varve.bench/2, of another version", self.ok("compare", bad, good, code=2).stderr)
        self.assertIn("cannot be read", self.ok("compare", self.home, good, code=3).stderr)

    def test_nothing_is_no_rate(self):
        for how in ([], ["--processes"]):
            done = self.ok("compare", "--num", 10, "--ops", 0, "--pairs", 10, *how, code=2)
            self.assertIn("has done no operation", done.stderr)

    def stand_in(self, name, slower):
        """An executable that says it took a second an operation, give or take 2 %, and `slower`."""
        path = self.home / name
        path.write_text(f"""#!{sys.executable}
import json, random, sys
seed = int(sys.argv[sys.argv.index("--seed") + 1])
noise = random.Random(seed * 2 + {int(slower > 0)}).gauss(0, 0.02)
print(json.dumps({{"schema": "varve.bench/1", "store": "{name}", "workloads": [
    {{"name": "readrandom", "operations": 1000, "found": {1000 if slower < 1 else 999},
      "seconds": 1000 * (1 + noise) * (1 + {slower})}}]}}))
""")
        path.chmod(0o755)
        return path

    def test_two_executables(self):
        plain, slower = self.stand_in("plain", 0), self.stand_in("slower", 0.05)
        found = self.valid(self.ok("compare", plain, slower, "--pairs", 40, "--json", "-q",
                                   code=1).stdout)["comparisons"][0]
        self.assertEqual((found["a"], found["b"]), (str(plain), str(slower)))
        self.assertEqual(found["verdict"], "B is slower")
        self.assertLess(found["effect"]["low"], -4.76)  # 1 / 1.05
        self.assertGreater(found["effect"]["high"], -6)
        same = self.stand_in("same", 1e-9)  # With other noise.
        done = self.ok("compare", plain, same, "--pairs", 20, "-q")
        self.assertIn("no difference shown", done.stdout)
        liar = self.stand_in("liar", 1)
        self.assertIn("B found 999", self.ok("compare", plain, liar, "--pairs", 10, code=4).stderr)
        self.assertIn("failed", self.ok("compare", plain, "/bin/false", code=3).stderr)

    def test_the_engine_in_processes(self):
        words = ["compare", VARVE, VARVE, "--num", NUM, "--ops", 200, "--pairs", 10, "--threads",
                 2, "--distribution", "zipfian", "--b", "block_size=8192", "--json", "-q"]
        done = varve("bench", *words)
        self.assertIn(done.returncode, (0, 1, 7), done.stderr)
        [one] = self.valid(done.stdout)["comparisons"]
        self.assertEqual(one["b"], VARVE + " block_size=8192")
        self.assertEqual(one["effect"]["pairs"], 10)
        refused = varve("bench", "compare", "--processes", "--b", "no_such_option=1", "--pairs", 10,
                        "--num", 100)
        self.assertEqual(refused.returncode, 3)
        self.assertIn("no_such_option", refused.stderr)

    def test_usage(self):
        other = self.home / "other"
        other.write_text("{}")
        self.ok("compare", other, code=2)
        self.ok("compare", other, other, code=2)
        self.ok("compare", other, VARVE, code=2)
        self.ok("compare", self.home / "none", other, code=3)
        self.ok("compare", "--pairs", 3, code=2)
        self.ok("compare", "--workload", "odd", code=2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
