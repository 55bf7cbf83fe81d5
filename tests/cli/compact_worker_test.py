#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""varve compact --service and varve compact-worker, as they are typed: compact_worker_test.py VARVE [TEST...]"""
import json
import subprocess
import sys
import unittest

import harness


class CompactWorker(harness.Case):
    def setUp(self):
        super().setUp()
        for part in range(3):
            self.ok("load", self.db, "-", "--option", "disable_auto_compactions=true",
                    stdin="".join(f"k{i:04}\t{part}\n" for i in range(1000)))
        self.records = self.ok("scan", self.db).stdout

    def compacted(self, service, *flags, code=0):
        done = self.ok("compact", self.db, "--force", "--json", "--service", service, *flags, code=code)
        self.assertEqual(self.ok("scan", self.db).stdout, self.records)
        return done

    def test_a_command_for_each_job(self):
        report = json.loads(self.compacted(f"command:{harness.VARVE} compact-worker {{job}}").stdout)
        self.assertGreater(report["remote_compactions"], 0)
        self.assertEqual(report["remote_compaction_failures"], 0)
        self.ok("db", "verify", self.db)
        self.assertEqual(list(self.db.glob("remote-compactions/*")), [])

    def test_what_the_service_does_not_do_is_done_here_and_said(self):
        done = self.compacted("command:exit 7 #")
        report = json.loads(done.stdout)
        self.assertEqual(report["remote_compactions"], 0)
        self.assertGreater(report["remote_compaction_fallbacks"], 0)
        self.assertIn("ended with code 7", report["remote_compaction_failure"])
        self.assertIn(b"done here", done.stderr)

    def test_without_a_fallback_the_reason_is_the_error(self):
        done = self.compacted("command:exit 7 #", "--option", "compaction_service_fallback=false", code=3)
        self.assertIn(b"ended with code 7", done.stderr)

    def test_what_is_no_job_is_refused(self):
        self.ok("compact-worker", code=2)
        self.ok("compact-worker", "job", "--watch", self.home, code=2)
        self.ok("compact-worker", "job", "--count", "1", code=2)
        self.ok("compact-worker", "job", "--threads", "0", code=2)
        self.ok("compact-worker", self.home / "none", code=3)
        (self.home / "job").write_bytes(b"VARVEJOB" + bytes(100))
        self.assertIn("@8: version 0", self.err("compact-worker", self.home / "job", code=6))
        self.ok("compact", self.db, "--service", "pigeon:home", code=2)

    def test_a_watching_worker_ends_by_a_signal(self):
        jobs = self.home / "jobs"
        jobs.mkdir()
        worker = subprocess.Popen([harness.VARVE, "compact-worker", "--watch", str(jobs), "--json"],
                                  stdout=subprocess.PIPE)
        report = json.loads(self.compacted(f"folder:{jobs}").stdout)
        worker.terminate()
        output, _ = worker.communicate(timeout=60)
        self.assertEqual(worker.returncode, 0)
        self.assertEqual(json.loads(output)["done"], report["remote_compactions"])
        self.assertEqual(list(jobs.iterdir()), [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
