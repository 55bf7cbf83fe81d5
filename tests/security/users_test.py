#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""varve serve --users: several users, each with a token and rights: users_test.py VARVE FIXTURES"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import served

VARVE = sys.argv[1]
T = "/api/v1/targets/t1"
ADA, BOB, EVE = "a" * 32, "b" * 48, "e" * 32


class Users(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-users-"))
        self.addCleanup(shutil.rmtree, self.home, True)
        self.db, self.users = self.home / "db", self.home / "users"
        subprocess.run([VARVE, "put", self.db, "k", "1", "--create"], check=True, capture_output=True)
        self.users.write_text(f"# who may\nada write {ADA}\n\nbob read {BOB}\neve read {EVE}\n")
        self.users.chmod(0o600)

    def serve(self, *options):
        server = served.Server(VARVE, [self.db], "--users", str(self.users), *options)
        self.addCleanup(server.process.stdout.close)
        self.addCleanup(server.stop)
        return server

    @staticmethod
    def ask(server, token, *words, **how):
        server.token = token
        return server.get(*words, **how)

    def refused(self, answer, status, code, part=""):
        self.assertEqual((answer.status, answer.json()["code"]), (status, code), answer.body)
        self.assertIn(part, answer.json()["detail"])

    def refusal_to_start(self, *options):
        as_root = ["--as-root"] if os.geteuid() == 0 else []
        done = subprocess.run([VARVE, "serve", self.db, *as_root, *options], capture_output=True, text=True,
                              check=False, timeout=30)
        self.assertEqual(done.returncode, 2, done)
        for token in (ADA, BOB, EVE):
            self.assertNotIn(token, done.stderr)
        return done.stderr

    def test_each_is_told_who_one_is_and_what_one_may(self):
        server = self.serve("--write")
        for token, name, write in ((ADA, "ada", True), (BOB, "bob", False), (EVE, "eve", False)):
            root = self.ask(server, token, "/api/v1/").json()
            self.assertEqual((root["user"], root["capabilities"]["write"]), (name, write))
            self.assertEqual(self.ask(server, token, T + "/cfs/default/get?key=k").json()["found"], True)
        for token in ("0" * 32, ADA[1:], ADA + "a", ADA + BOB, "ada", "", f"ada {ADA}", BOB[:32]):
            for target in ("/api/v1/", T, "/metrics"):
                self.refused(self.ask(server, token, target), 401, "unauthorized")

    def test_who_may_read_changes_nothing(self):
        server = self.serve("--write")
        put = {"ops": [{"op": "put", "key": "k", "value": "2"}]}
        changes = (("POST", "/batch", put), ("POST", "/batch", {**put, "expect": [{"key": "k"}]}),
                   ("POST", "/cfs/default:flush", {}), ("PATCH", "/cfs/default/options", {"write_buffer_size": 1 << 20}),
                   ("POST", "/jobs", {"kind": "compact"}), ("POST", "/uploads", {}),
                   ("POST", "/jobs", {"kind": "ingest", "tables": [{"files": ["a"]}]}))
        for method, resource, body in changes:
            with self.subTest(resource):
                self.refused(self.ask(server, BOB, T + resource, method, body), 403, "read_only", "bob may only read")
        upload = self.ask(server, ADA, T + "/uploads", "POST", {}).json()["upload"]["id"]
        self.refused(self.ask(server, BOB, f"{T}/uploads/{upload}", "DELETE"), 403, "read_only", "bob may only read")
        server.token = BOB
        with server.connect() as client:
            client.sendall(server.fill(
                f"POST {T}/uploads/{upload}/tables?sha256={'0' * 64} HTTP/1.1\r\nHost: @HOST@\r\n"
                "Authorization: Bearer @TOKEN@\r\nContent-Type: application/octet-stream\r\nContent-Length: 1\r\n\r\nx"
                .encode()))
            self.refused(served.read_answer(client, bytearray()), 403, "read_only", "bob may only read")
        self.assertEqual(self.ask(server, BOB, T + "/cfs/default/get?key=k").json()["value"]["text"], "1")
        self.assertEqual(self.ask(server, ADA, T + "/batch", "POST", put).status, 200)
        self.assertEqual(self.ask(server, BOB, T + "/cfs/default/get?key=k").json()["value"]["text"], "2")

    def test_without_write_nobody_may(self):
        server = self.serve()
        put = {"ops": [{"op": "put", "key": "k", "value": "2"}]}
        for token in (ADA, BOB):
            self.refused(self.ask(server, token, T + "/batch", "POST", put), 403, "read_only", "without --write")
            self.assertFalse(self.ask(server, token, "/api/v1/").json()["capabilities"]["write"])

    def test_jobs_and_pages_are_of_a_user(self):
        server = self.serve("--write")
        job = self.ask(server, BOB, T + "/jobs", "POST", {"kind": "verify"}).json()["job"]
        self.assertEqual(job["user"], "bob")
        self.assertEqual(self.ask(server, EVE, job["href"]).json()["job"]["user"], "bob")
        self.refused(self.ask(server, EVE, job["href"], "DELETE"), 403, "read_only", "of bob")
        self.assertEqual(self.ask(server, ADA, job["href"], "DELETE").status, 200)
        page = T + "/manifest/edits?page_size=1"
        token = self.ask(server, BOB, page).json()["next_page_token"]
        self.assertEqual(self.ask(server, BOB, f"{page}&page_token={token}").status, 200)
        self.refused(self.ask(server, EVE, f"{page}&page_token={token}"), 400, "page_token_mismatch")

    def test_the_file_is_private_and_makes_sense(self):
        users = ["--users", str(self.users)]
        self.users.chmod(0o640)
        self.assertIn("chmod 600", self.refusal_to_start(*users))
        self.users.chmod(0o600)
        self.assertIn("exclude each other", self.refusal_to_start(*users, "--token-file", str(self.users)))
        self.users.write_text(f"ada write {ADA}\nbob read {ADA}\n")
        self.assertIn("line 2: bob has the token of ada", self.refusal_to_start(*users))
        self.users.write_text(f"ada {ADA} write\n")
        self.assertIn("line 1: ", self.refusal_to_start(*users))
        self.users.write_text("")
        self.assertIn("no user", self.refusal_to_start(*users))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
