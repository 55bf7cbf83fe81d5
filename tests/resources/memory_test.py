#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the system gives no more memory: a verb says so and ends with 3, and a server answers what does not need it.

    memory_test.py VARVE SECURITY

SECURITY is the folder of served.py. The limit is one of address space (ulimit -v): what a cgroup does instead, ending
the process, nobody can answer."""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

VARVE = sys.argv[1]
sys.path.insert(0, sys.argv[2])
import served  # noqa: E402

MIB = 1 << 20
LARGE = 192 * MIB


def varve(*words, limit=None, **options):
    def lower():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    return subprocess.run([VARVE, *map(str, words)], capture_output=True, check=False, preexec_fn=lower, **options)


def address_space(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[0])
    return pages * resource.getpagesize()


class LittleMemory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="varve-memory-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.db = cls.folder / "db"
        value = cls.folder / "value"
        value.write_bytes(b"v" * LARGE)
        for words in (["put", cls.db, "large", f"@{value}", "--create"], ["compact", cls.db, "--force"],
                      ["put", cls.db, "small", "1"]):
            done = varve(*words)
            if done.returncode != 0:
                raise AssertionError(done)
        cls.value = value
        cls.table = max(cls.db.glob("*.sst"), key=lambda table: table.stat().st_size)

    def copy(self):
        target = self.folder / "copy"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.db, target)
        return target

    def test_verbs_say_so(self):
        """A verb on large values, with ever more address space: 3 and a message, until it works."""
        for words in (["get", self.db, "large"], ["scan", self.db], ["multiget", self.db, "large", "small"],
                      ["count", self.db], ["dump", self.db, "-o", self.folder / "dump"], ["db", "verify", self.db],
                      ["sst", "entries", self.table], ["sst", "verify", self.table], ["db", "space", self.db],
                      ["explain", "get", self.db, "large"], ["compact", "{copy}", "--force"],
                      ["put", "{copy}", "other", f"@{self.value}"]):
            refused = 0
            with self.subTest(words[0:2]):
                for mebibytes in (200, 300, 500, 800, 1200, 2000, 3000):
                    copy = self.copy() if "{copy}" in words else None
                    done = varve(*(str(word).replace("{copy}", str(copy)) for word in words),
                                 limit=mebibytes * MIB, stdin=subprocess.DEVNULL)
                    said = done.stderr[-300:] + done.stdout[-3000:]
                    errors = said.decode(errors="replace")
                    if done.returncode == 0:
                        break
                    refused += 1
                    self.assertEqual(done.returncode, 3, f"{mebibytes} MiB: {errors}")
                    self.assertRegex(errors, "memory")
                    if copy is not None:
                        self.assertEqual(varve("get", copy, "small").stdout, b"1\n")
                self.assertEqual(done.returncode, 0, errors)

    def serve(self, *options, more=96 * MIB):
        """A server that gets no more than so much beyond what it has."""
        server = served.Server(VARVE, [self.db if not options else self.copy()], *options)
        self.addCleanup(server.stop)
        self.assertEqual(server.get("/api/v1/targets/t1/cfs/default/get?key=small").status, 200)
        limit = address_space(server.process.pid) + more
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (limit, limit))
        return server

    def check_serves(self, server):
        self.assertTrue(server.alive())
        answer = server.get("/api/v1/targets/t1/cfs/default/get?key=small")
        self.assertEqual(answer.status, 200, answer)

    def test_a_request_without_memory_ends_alone(self):
        for options in ([], ["--write"]):
            server = self.serve(*options)
            with self.subTest(options):
                for _ in range(20):  # What each kept would be missing in the end.
                    for target in ("cfs/default/get?key=large", "cfs/default/scan", f"files/{int(self.table.stem)}/entries",
                                   f"files/{int(self.table.stem)}/blocks/0"):
                        answer = server.get(f"/api/v1/targets/t1/{target}", timeout=60)
                        self.assertGreaterEqual(answer.status, 200, answer)
                        if answer.status == 200:  # A list with a problem at its end.
                            self.assertIn(b"memory", answer.body)
                        else:
                            self.assertIn(b"memory", answer.body)
                    self.check_serves(server)

    def test_a_job_without_memory_ends_alone(self):
        for options in ([], ["--write"]):
            server = self.serve(*options)
            with self.subTest(options):
                bodies = [{"kind": "verify"}, {"kind": "digest"}, {"kind": "analysis", "analysis": "space"}]
                if options:
                    bodies.append({"kind": "compact"})
                for body in bodies:
                    started = server.get("/api/v1/targets/t1/jobs", "POST", body)
                    self.assertIn(started.status, (200, 201, 202), started)
                    self.wait(server, started.json()["job"]["href"])
                    self.check_serves(server)

    def test_a_worker_without_memory_does_not_go_on(self):
        """A compaction is the engine's: what passes through it unlocks nothing. With ever more address space beyond
        what the worker has, it refuses the job, ends, or does it."""
        token, ended = self.folder / "token", 0
        token.write_text("0" * 32)
        token.chmod(0o600)
        for more in (1, 4, 6, 8):
            with self.subTest(more), subprocess.Popen(
                    [VARVE, "compact-worker", "--listen", "127.0.0.1:0", "--token-file", token],
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as worker:
                port = int(re.search(rb":(\d+) takes jobs", worker.stderr.readline())[1])
                limit = address_space(worker.pid) + more * LARGE // 2
                resource.prlimit(worker.pid, resource.RLIMIT_AS, (limit, limit))
                done = varve("compact", self.copy(), "--force", "--json", "--service",
                             f"http://127.0.0.1:{port}#token-file={token}")
                self.assertEqual(done.returncode, 0, done)
                report = json.loads(done.stdout)
                worker.terminate()
                code = worker.wait(60)
                answered = report["remote_compactions"] > 0 or "worker" in report["remote_compaction_failure"]
                self.assertEqual(code, 0 if answered else 3, report)
                ended += code == 3
        self.assertGreater(ended, 0)

    def wait(self, server, href):
        for _ in range(600):
            job = server.get(href, timeout=60).json()["job"]
            if job["state"] not in ("queued", "running"):
                return job
            os.sched_yield()
        self.fail("the job does not end")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
