#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of hostile requests, each on a connection of its own, against `varve serve`:

    hostile_test.py VARVE FIXTURES

Every answer has the status of its row, the security headers, no CORS header, and, if it is an error,
is a problem document; the connection is closed or in step; the server then answers a good request.
The whole runs under strace, which says what the server did to the file system meanwhile."""
import contextlib
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

import hostile_rows
import served

SECRET = "the secret beside the database"
PROBLEM_MEMBERS = {"type", "title", "status", "code", "exit_code", "detail", "retryable"}


def strace_works():
    try:
        done = subprocess.run(["strace", "-f", "-o", "/dev/null", "true"], capture_output=True)
    except FileNotFoundError:
        return False
    return done.returncode == 0


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="varve-hostile-"))
        cls.database = cls.folder / "cursor"
        shutil.copytree(FIXTURES / "db/rocksdb-7.8.3/cursor", cls.database)
        (cls.folder / "secret.txt").write_text(SECRET)
        cls.before = served.digest(cls.folder)
        cls.trace = None
        before = ()
        if strace_works():
            cls.trace = cls.folder.parent / (cls.folder.name + ".trace")
            before = ("strace", "-D", "-f", "-q", "-s", "4096", "-e", "signal=none", "-o", str(cls.trace),
                      "-e", "trace=%file,%process,connect,ftruncate,fallocate,socket")
        cls.server = served.Server(VARVE, [cls.database], before=before)

    @classmethod
    def tearDownClass(cls):
        if cls.server.alive():
            cls.server.stop()
        shutil.rmtree(cls.folder)
        if cls.trace:
            cls.trace.unlink()

    def check_answer(self, answer, head_only):
        """What every answer must be, whatever it says."""
        for name, value in served.SECURITY_HEADERS.items():
            self.assertEqual(answer.headers.get(name), value, name)
        for name in answer.headers:
            self.assertFalse(name.startswith("access-control-"), name)
        self.assertTrue(set(answer.headers).isdisjoint(
            {"set-cookie", "server", "x-injected", "x", "x-powered-by"}), answer.headers)
        self.assertNotIn(SECRET.encode(), answer.body)
        self.assertNotIn(b"root:x:0", answer.body)
        self.assertNotIn(str(self.folder).encode(), answer.body)
        self.assertNotIn(self.server.token.encode(), answer.body)
        if answer.status < 400 or head_only:
            return
        self.assertEqual(answer.headers["content-type"], "application/problem+json")
        self.assertEqual(answer.headers["cache-control"], "no-store")
        problem = answer.json()
        self.assertLessEqual(PROBLEM_MEMBERS, set(problem))
        self.assertEqual(problem["status"], answer.status)
        self.assertEqual(problem["type"], "/problems/" + problem["code"])
        if answer.status == 401:
            self.assertEqual(answer.headers.get("www-authenticate"), "Bearer")
        if answer.status == 405:
            self.assertIn("allow", answer.headers)

    def check_connection(self, client, buffer, answer):
        """Closed with nothing after the answer, or ready for the next request."""
        if answer.closes:
            with self.assertRaises(served.NoAnswer):
                served.read_answer(client, buffer)
            return
        client.sendall(self.server.fill(hostile_rows.get("/api/v1/in-step")))
        following = served.read_answer(client, buffer)
        self.assertEqual(following.status, 404)
        self.assertIn("the API has no such resource", following.json()["detail"])

    def send(self, client, request):
        try:
            client.sendall(request)
        except (BrokenPipeError, ConnectionResetError):
            pass  # It had read enough to answer.

    def run_row(self, row):
        request = self.server.fill(row.request)
        head_only = request.startswith(b"HEAD ")
        with self.server.connect() as client:
            self.send(client, request)
            buffer = bytearray()
            answer = served.read_answer(client, buffer, head_only)
            self.check_answer(answer, head_only)
            self.assertEqual(answer.status, row.status, answer.body[:300])
            if row.code:
                self.assertEqual(answer.json()["code"], row.code, answer.body[:300])
            self.check_connection(client, buffer, answer)
        good = self.server.get("/api/v1/targets")
        self.assertEqual(good.status, 200)
        self.assertEqual(len(good.json()["targets"]), 1)

    def test_every_row_is_answered_as_the_table_says(self):
        rows = hostile_rows.all_rows()
        names = [row.name for row in rows]
        self.assertEqual(len(names), len(set(names)), "two rows of one name")
        self.assertGreaterEqual(len(rows), 300)
        for row in rows:
            with self.subTest(row.name):
                self.run_row(row)
        self.assertTrue(self.server.alive())

    def test_what_never_ends_is_cut_off_in_time(self):
        """Each of these waits for more; the server does so for 5 seconds."""
        rows = {
            "nothing": (b"", None),
            "half a line": (b"GET /api/v1/ HT", 408),
            "a head without an end": (hostile_rows.get()[:-2], 408),
            "a head that ends with a bare LF": (hostile_rows.get()[:-2] + b"\n", 408),
            "a body too short": (hostile_rows.post(hostile_rows.MULTIGET, b"{", length=2), 408),
            "a body that never comes": (hostile_rows.post(hostile_rows.MULTIGET, b"", length=65536), 408),
        }
        failures = []

        def run(name, request, status):
            try:
                with self.server.connect(timeout=8) as client:
                    client.sendall(self.server.fill(request))
                    try:
                        answer = served.read_answer(client, bytearray())
                        self.check_answer(answer, False)
                        self.assertEqual(answer.status, status)
                        self.assertTrue(answer.closes)
                    except served.NoAnswer:
                        self.assertIsNone(status)
            except Exception as error:  # pylint: disable=broad-except
                failures.append((name, repr(error)))

        threads = [threading.Thread(target=run, args=(name, *row)) for name, row in rows.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_a_client_that_resets_harms_nobody(self):
        for request in (b"", b"GET", hostile_rows.get(), hostile_rows.get("/api/v1/targets/t1/files/19/bytes"),
                        hostile_rows.post(hostile_rows.MULTIGET, b"", length=100)):
            for _ in range(20):
                client = self.server.connect()
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                client.sendall(self.server.fill(request))
                client.close()
        self.assertEqual(self.server.get("/api/v1/").status, 200)

    def test_the_token_is_new_at_each_start_and_of_128_bits(self):
        other = served.Server(VARVE, [self.database])
        try:
            self.assertNotEqual(other.token, self.server.token)
        finally:
            self.assertEqual(other.stop(), 0)

    def test_zz_nothing_was_changed_and_nothing_else_was_opened(self):
        """Last, by its name: it stops the server and reads what it did."""
        self.assertTrue(self.server.alive())
        descriptors = pathlib.Path(f"/proc/{self.server.process.pid}/fd")
        for link in descriptors.iterdir():
            with contextlib.suppress(FileNotFoundError):  # Closed since it was listed.
                self.assertNotIn("secret", str(link.readlink()))
        self.assertEqual(self.server.stop(), 0)
        self.assertEqual(self.before, served.digest(self.folder))
        if self.trace is None:
            self.skipTest("strace cannot trace here: what was opened is not known")
        outside, served_yet = [], False
        served.wait_until("strace has written the end of the server", lambda:
                          "+++ exited with 0 +++" in self.trace.read_text(errors="replace")[-4096:])
        for line in self.trace.read_text(errors="replace").splitlines():
            call = re.match(r"\d+ +(\w+)\((.*)", line)
            if not call:
                continue
            name, rest = call[1], call[2]
            # The listening socket is the first; what came before is the program being loaded.
            served_yet |= name == "socket" and "AF_INET" in rest
            if not served_yet:
                continue
            if name in ("clone", "clone3", "exit", "exit_group", "socket"):
                continue
            if name == "rmdir" and re.match(r'"[^"]*/varve-\w{6}"\)', rest):
                continue  # Of its own temporary files, in the end.
            paths = re.findall(r'"((?:[^"\\]|\\.)*)"', rest)
            if name in ("connect", "execve", "fork", "vfork", "unlink", "rename", "mkdir", "truncate",
                        "ftruncate", "fallocate"):
                outside.append(line)
            elif any(flag in rest for flag in ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC")):
                outside.append(line)
            elif any(not self.belongs(rest, path) for path in paths):
                outside.append(line)
        self.assertTrue(served_yet)
        self.assertEqual(outside[:20], [])

    def belongs(self, arguments, path):
        if re.match(r"\d+, ", arguments):  # In a directory that is open; there is but one.
            return path == "" or re.fullmatch(r"[\w.-]+", path) is not None and path != ".."
        inside = path == str(self.database) or path.startswith(str(self.database) + "/")
        # What the C library looks at by itself: memory, the time zone, how many processors there are.
        libraries = path in ("/etc/localtime", "/proc/sys/vm/overcommit_memory", "") or \
            path.startswith("/sys/")
        return (inside and "/../" not in path) or libraries


if __name__ == "__main__":
    VARVE, FIXTURES = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
