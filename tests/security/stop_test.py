#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SIGTERM ends varve serve, whatever it is at:

    stop_test.py VARVE FIXTURES"""
import os
import pathlib
import select
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
# In the place of a disk that does not answer: says on descriptor HELD that a read of SLOW has come, and
# never ends it. (A tracer would hold up the end as well.)
SLOW_READS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ssize_t pread(int fd, void* buffer, size_t size, off_t offset) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length > 0) {
    path[length] = 0;
    if (strstr(path, getenv("SLOW"))) {
      if (write(atoi(getenv("HELD")), "!", 1) != 1) abort();
      for (;;) pause();
    }
  }
  ssize_t (*next)(int, void*, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
  return next(fd, buffer, size, offset);
}

ssize_t pread64(int fd, void* buffer, size_t size, off64_t offset) {
  return pread(fd, buffer, size, offset);
}
"""
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
        code = process.wait(30)
        self.assertLess(time.monotonic() - begin, STOP_SECONDS)
        return code

    def test_while_a_file_is_a_fifo(self):
        """Nobody ever writes to it: reading it the usual way never returns."""
        db = self.copy()
        server = self.serve(db)
        table = sorted(db.glob("*.sst"))[0]
        table.unlink()
        os.mkfifo(table)
        asked = threading.Thread(target=self.ask, args=(server, f"/api/v1/targets/t1/files/{int(table.stem)}/footer"))
        asked.start()
        served.wait_until("it has answered, or opens the FIFO", lambda: not asked.is_alive() or
                          self.opens(server.process.pid))
        self.assertEqual(self.stops(server.process), 0)
        asked.join()

    @staticmethod
    def opens(pid):
        """Whether a thread is in the system call openat, on x86-64 and AArch64."""
        calls = [task / "syscall" for task in pathlib.Path(f"/proc/{pid}/task").iterdir()]
        return any(call.read_text().startswith(("257 ", "56 ")) for call in calls)

    @staticmethod
    def ask(server, target):
        try:
            server.get(target, timeout=30)
        except (OSError, AssertionError, served.NoAnswer):
            pass  # The connection ends with the server.

    def slow_disk(self):
        """A server that is held by a read of a table, for a request."""
        db = self.copy()
        table = sorted(db.glob("*.sst"))[0]
        shim = self.home / "slow.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, "-x", "c", "-"], input=SLOW_READS, check=True,
                       text=True)
        held, holds = os.pipe()
        self.addCleanup(os.close, held)
        server = served.Server(VARVE, [db], pass_fds=[holds], before=[
            "env", f"LD_PRELOAD={shim}", f"SLOW={table.name}", f"HELD={holds}"])
        os.close(holds)
        self.addCleanup(server.process.stdout.close)
        self.addCleanup(server.process.kill)
        asked = threading.Thread(target=self.ask, args=(server, f"/api/v1/targets/t1/files/{int(table.stem)}/footer"))
        asked.start()
        self.assertTrue(select.select([held], [], [], 60)[0], "nothing reads the table")
        self.assertEqual(os.read(held, 1), b"!")  # Not the end of the pipe.
        self.addCleanup(asked.join)
        return server

    def test_while_the_disk_does_not_answer(self):
        self.assertEqual(self.stops(self.slow_disk().process), 0)

    def test_a_second_signal_is_not_made_to_wait(self):
        server = self.slow_disk()
        process = server.process
        process.terminate()
        served.wait_until("it takes no more connections", lambda: self.refuses(server))
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(30), 0)
        self.assertLess(time.monotonic() - begin, 2)

    @staticmethod
    def refuses(server):
        try:
            server.connect().close()
        except ConnectionRefusedError:
            return True
        return False

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
