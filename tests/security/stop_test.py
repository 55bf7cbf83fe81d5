#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SIGTERM ends varve serve, whatever it is at:

    stop_test.py VARVE FIXTURES"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import served

VARVE, FIXTURES = sys.argv[1], pathlib.Path(sys.argv[2])
STOP_SECONDS = 5.5  # Five, and what it takes to start a process on a busy machine.


class Stop(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-stop-"))
        self.addCleanup(shutil.rmtree, self.home, True)

    def serve(self, *targets):
        server = served.Server(VARVE, targets)
        self.addCleanup(server.process.stdout.close)
        self.addCleanup(server.process.kill)
        return server

    def stops(self, process):
        begin = time.monotonic()
        process.terminate()
        self.wait_until_dead(process)
        self.assertLess(time.monotonic() - begin, STOP_SECONDS)
        return process.wait(30)

    @staticmethod
    def wait_until_dead(process):
        """All threads have ended. wait() would also wait for strace, whose delays go on."""
        tasks = pathlib.Path(f"/proc/{process.pid}/task")
        for _ in range(3000):
            states = set()
            for task in list(tasks.iterdir()) if tasks.exists() else []:
                try:
                    states.add((task / "stat").read_text().rpartition(")")[2].split()[0])
                except OSError:
                    pass  # It is gone.
            if states <= {"Z", "X"}:
                return
            time.sleep(0.01)

    def test_while_a_file_is_a_fifo(self):
        """Nobody ever writes to it: reading it the usual way never returns."""
        db = self.copy()
        server = self.serve(db)
        table = sorted(db.glob("*.sst"))[0]
        table.unlink()
        os.mkfifo(table)
        asked = threading.Thread(target=self.ask, args=(server, f"/api/v1/targets/t1/files/{int(table.stem)}/footer"))
        asked.start()
        time.sleep(0.5)
        self.assertEqual(self.stops(server.process), 0)
        asked.join()

    @staticmethod
    def ask(server, target):
        try:
            server.get(target, timeout=30)
        except (OSError, AssertionError):
            pass  # The connection ends with the server.

    def slow_disk(self):
        """A server whose reads of a table take 20 seconds each; itself, and a request that waits."""
        db = self.copy()
        table = sorted(db.glob("*.sst"))[0]
        server = served.Server(VARVE, [db], before=[
            "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-P", table, "-e", "trace=pread64",
            "-e", "inject=pread64:delay_enter=20000000"])
        self.addCleanup(server.process.stdout.close)
        self.addCleanup(server.process.kill)
        asked = threading.Thread(target=self.ask, args=(server, f"/api/v1/targets/t1/files/{int(table.stem)}/footer"))
        asked.start()
        time.sleep(1)
        self.assertTrue(asked.is_alive())
        self.addCleanup(asked.join)
        return server.process

    def test_while_the_disk_does_not_answer(self):
        self.assertEqual(self.stops(self.slow_disk()), 0)

    def test_a_second_signal_is_not_made_to_wait(self):
        process = self.slow_disk()
        process.terminate()
        time.sleep(0.2)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.wait_until_dead(process)
        self.assertLess(time.monotonic() - begin, 2)
        self.assertEqual(process.wait(30), 0)

    def copy(self):
        db = self.home / "db"
        shutil.copytree(FIXTURES / "db/rocksdb-7.8.3/cursor", db)
        return db

    def test_with_write_what_was_acknowledged_stays(self):
        db = self.home / "db"
        subprocess.run([VARVE, "put", db, "--create", "a", "b"], check=True, capture_output=True)
        server = served.Server(VARVE, [db], "--write")
        self.addCleanup(server.process.stdout.close)
        answer = server.get("/api/v1/targets/t1/batch", "POST",
                            {"ops": [{"op": "put", "key": "k", "value": "v"}]})
        self.assertIn(answer.status, (200, 201), answer.body)
        self.assertEqual(self.stops(server.process), 0)
        found = subprocess.run([VARVE, "get", db, "k"], capture_output=True)
        self.assertEqual(found.stdout, b"v\n", found.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
