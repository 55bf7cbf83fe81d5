#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An engine that runs, over HTTP: `varve serve DB --write` and `varve bench run --serve`.

    live_test.py VARVE

/metrics is read by prometheus_client's parser; the names of tickers and histograms are looked up in
librocksdb; what was changed over HTTP is read back by `varve get` and `varve lsm`."""
import ctypes.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "security"))
import served  # noqa: E402  pylint: disable=wrong-import-position

T = "/api/v1/targets/t1"


def names_in_librocksdb():
    for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/usr/lib64"):
        for path in pathlib.Path(folder).glob("librocksdb.so*"):
            return set(re.findall(rb"rocksdb\.[a-z0-9.\-_]+", path.read_bytes()))
    raise AssertionError("librocksdb is not installed: " + str(ctypes.util.find_library("rocksdb")))


def parsed(test, text):
    """name -> {labels: value}; each line of the text is a sample of a metric with HELP and TYPE."""
    families = list(text_string_to_metric_families(text))
    samples, lines = {}, [line for line in text.splitlines() if not line.startswith("#")]
    for family in families:
        test.assertTrue(family.documentation, family.name)
        test.assertIn(family.type, ("counter", "gauge", "histogram"), family.name)
        for sample in family.samples:
            key = tuple(sorted(sample.labels.items()))
            test.assertNotIn(key, samples.setdefault(sample.name, {}))
            samples[sample.name][key] = sample.value
    test.assertEqual(sum(map(len, samples.values())), len(lines))
    names = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")]
    test.assertEqual(len(names), len(set(names)), "a metric is described twice")
    test.assertEqual(names, [line.split()[2] for line in text.splitlines() if line.startswith("# HELP")])
    return samples


class Live(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="varve-live-"))
        self.database = self.folder / "db"
        lines = "".join(f"key{i:06}\tvalue{i}\n" for i in range(20000))
        self.varve("load", self.database, "-", given=lines)
        self.server = served.Server(VARVE, [self.database], "--write")

    def tearDown(self):
        if self.server.alive():
            self.assertEqual(self.server.stop(), 0)
        shutil.rmtree(self.folder)

    def varve(self, *words, given=None, code=0):
        done = subprocess.run([VARVE, *map(str, words)], input=given, text=True, capture_output=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def ask(self, resource, method="GET", body=None, status=200):
        answer = self.server.get(T + resource, method, body)
        self.assertEqual(answer.status, status, answer.body)
        return answer.json()

    def run_job(self, **body):
        href = self.ask("/jobs", "POST", body, 202)["job"]["href"].removeprefix(T)
        while (job := self.ask(href)["job"])["state"] in ("queued", "running"):
            pass
        return job

    def test_metrics_are_what_prometheus_reads(self):
        for i in range(0, 2000, 2):
            self.ask(f"/cfs/default/get?key=key{i:06}")
        answer = self.server.get("/metrics")
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
        metrics = parsed(self, answer.body.decode())
        family = (("cf", "default"),)
        self.assertEqual(metrics["varve_gets_total"][family], 1000)
        self.assertEqual(metrics["varve_gets_found_total"][family], 1000)
        newest = self.ask("/cfs/default/get?key=a")["as_of"]["seq"]
        self.assertEqual(metrics["varve_last_sequence"][()], int(newest))
        buckets = metrics["varve_get_seconds_bucket"]
        counts = [buckets[key] for key in sorted(buckets, key=lambda key: float(dict(key)["le"]))]
        self.assertEqual(counts, sorted(counts))
        self.assertEqual(counts[-1], metrics["varve_get_seconds_count"][family])
        self.assertGreater(metrics["varve_get_seconds_sum"][family], 0)
        files = {dict(key)["level"]: value for key, value in metrics["varve_level_files"].items()}
        self.assertGreater(sum(files.values()), 0)
        for name, values in metrics.items():
            self.assertTrue(all(value >= 0 for value in values.values()), name)

    def test_tickers_and_histograms_go_by_the_names_of_rocksdb(self):
        stats = self.ask("/stats")["stats"]
        known = names_in_librocksdb()
        for name in [*stats["tickers"], *stats["histograms"]]:
            self.assertTrue(name.startswith("varve.") or name.encode() in known, name)
        self.assertTrue(self.server.get("/api/v1/").json()["capabilities"]["live"])
        self.assertTrue(self.ask("/cfs")["as_of"]["live"])

    def test_what_is_written_over_http_is_in_the_database(self):
        ops = [{"op": "put", "key": "new", "value": "1"}, {"op": "delete", "key": "key000001"},
               {"op": "range_delete", "from": "key000010", "to": "key000020"}]
        self.assertEqual(self.ask("/batch", "POST", {"ops": ops})["written"], 3)
        self.assertTrue(self.ask("/cfs/default/get?key=new")["found"])
        self.ask("/batch", "POST", {"ops": [ops[0], {"op": "put", "key": "hex:z", "value": ""}]}, 400)
        self.assertTrue(self.ask("/cfs/default:flush", "POST", {})["flushed"])
        self.assertEqual(self.run_job(kind="compact")["state"], "done")
        levels = self.ask("/stats")["stats"]["cfs"][0]["levels"]
        self.assertEqual(levels[0]["files"], 0)
        self.assertEqual(self.server.stop(), 0)
        self.assertEqual(self.varve("get", self.database, "new"), "1\n")
        self.varve("get", self.database, "key000001", code=1)
        self.varve("get", self.database, "key000015", code=1)
        self.varve("db", "verify", self.database)

    def test_options_change_while_it_runs(self):
        path = "/cfs/default/options"
        self.assertTrue(self.ask(path, "PATCH", {"write_buffer_size": 1 << 20})["applied"])
        self.assertFalse(self.ask(path + "?validate_only=true", "PATCH",
                                  {"write_buffer_size": 1 << 21})["applied"])
        for body in ({"comparator": "x"}, {"nothing": 1}, {"write_buffer_size": -1},
                     {"write_buffer_size": [1]}):
            self.assertEqual(self.ask(path, "PATCH", body, 400)["code"], "bad_request")

    def test_samples_come_once_a_second(self):
        served.wait_until("there are three samples",
                          lambda: len(self.ask("/stats/history")["samples"]) >= 3, 20)

    def test_without_write_nothing_is_changed(self):
        self.assertEqual(self.server.stop(), 0)
        self.server = served.Server(VARVE, [self.database])
        self.assertFalse(self.server.get("/api/v1/").json()["capabilities"]["write"])
        for resource, method, body in (("/batch", "POST", {"ops": []}), ("/cfs/default:flush", "POST", {}),
                                       ("/cfs/default/options", "PATCH", {"write_buffer_size": 1}),
                                       ("/jobs", "POST", {"kind": "compact"})):
            problem = self.ask(resource, method, body, 403)
            self.assertEqual((problem["code"], problem["exit_code"]), ("read_only", 8))
        self.assertEqual(self.server.get("/metrics").status, 404)

    def test_a_benchmark_can_be_watched(self):
        process = subprocess.Popen(
            [VARVE, "bench", "run", "fillrandom", "--num", "300000", "--serve", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            url = None
            while url is None:
                line = process.stderr.readline()
                self.assertTrue(line, "it ended without being served")
                url = re.search(r"serving http://(127\.0\.0\.1:\d+)/#token=([0-9a-f]{32})", line)
            request = urllib.request.Request(f"http://{url[1]}/metrics",
                                             headers={"Authorization": "Bearer " + url[2]})
            first = parsed(self, urllib.request.urlopen(request).read().decode())
            request.full_url = f"http://{url[1]}{T}/stats"
            stats = json.load(urllib.request.urlopen(request))["stats"]
            self.assertGreaterEqual(stats["tickers"]["rocksdb.number.keys.written"],
                                    first["varve_written_entries_total"][()])
        finally:
            process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    VARVE = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
