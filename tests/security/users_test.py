#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""varve serve --users: users with rights, tokens and passwords, over HTTP: users_test.py VARVE FIXTURES"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import served

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import waiting  # noqa: E402  pylint: disable=wrong-import-position

VARVE = sys.argv[1]
T = "/api/v1/targets/t1"
SESSION = "/api/v1/session"
PASSWORD, WRONG = "correct horse", "battery staple"
PUT = {"ops": [{"op": "put", "key": "k", "value": "2"}]}


def run(*words, text=""):
    return subprocess.run([VARVE, *map(str, words)], check=False, capture_output=True, text=True, input=text,
                          timeout=60)


class Users(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-users-"))
        self.addCleanup(shutil.rmtree, self.home, True)
        self.db, self.other, self.users = self.home / "orders", self.home / "stock", self.home / "users"
        for path in (self.db, self.other):
            run("put", path, "k", "1", "--create")
        run("cf", "create", self.db, "secret")
        run("put", self.db, "k", "hidden", "--cf", "secret")
        run("compact", self.db)
        self.token = {name: self.add(name, *rights, "--token") for name, rights in {
            "ada": ["write:*"], "bob": ["read:orders"], "cem": ["write:orders/default"], "dan": ["read:stock"],
            "eve": []}.items()}
        self.add("ada-p", "write:*", "--password", text=PASSWORD + "\n")

    def add(self, name, *words, text=""):
        may = [word for right in words[:-1] for word in ("--may", right)]
        done = run("users", "add", self.users, name, *may, words[-1], text=text)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def serve(self, *options, targets=None):
        self.stderr = open(self.home / "stderr", "w+", encoding="utf-8")
        self.addCleanup(self.stderr.close)
        server = served.Server(VARVE, targets or [self.db], "--users", str(self.users), *options, stderr=self.stderr)
        self.addCleanup(server.stop)
        return server

    def ask(self, server, name, *words, **how):
        server.token = self.token.get(name, name)
        return server.get(*words, **how)

    @staticmethod
    def send(server, method, target, headers=(), body=None):
        """A request with just these headers, besides those of its body."""
        payload = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {target} HTTP/1.1", *headers]
        if not any(line.startswith("Host:") for line in headers):
            lines.append(f"Host: 127.0.0.1:{server.port}")
        if body is not None:
            lines.append(f"Content-Length: {len(payload)}")
            if not any(line.startswith("Content-Type:") for line in headers):
                lines.append("Content-Type: application/json")
        with server.connect() as client:
            client.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + payload)
            return served.read_answer(client, bytearray(), method == "HEAD")

    def sign_in(self, server, name="ada-p", password=PASSWORD, headers=()):
        return self.send(server, "POST", SESSION, headers, {"name": name, "password": password})

    def session(self, server, **who):
        """The two headers of a session that begins."""
        answer = self.sign_in(server, **who)
        self.assertEqual(answer.status, 201, answer.body)
        return [f"Authorization: Session {answer.json()['key']}",
                "Cookie: " + answer.headers["set-cookie"].partition(";")[0]]

    def refused(self, answer, status, code, part=""):
        self.assertEqual((answer.status, answer.json()["code"]), (status, code), answer.body)
        self.assertIn(part, json.dumps(answer.json()))

    def refusal_to_start(self, *options, targets=None):
        as_root = ["--as-root"] if os.geteuid() == 0 else []
        done = run("serve", *(targets or [self.db]), *as_root, *options)
        self.assertEqual(done.returncode, 2, done)
        for token in self.token.values():
            self.assertNotIn(token, done.stderr)
        return done.stderr


class Rights(Users):
    def test_each_is_told_who_one_is_and_what_one_may(self):
        server = self.serve("--write")
        for name, write, targets in (("ada", True, 1), ("bob", False, 1), ("cem", True, 1), ("dan", False, 0),
                                     ("eve", False, 0)):
            root = self.ask(server, name, "/api/v1/").json()
            self.assertEqual((root["user"], root["capabilities"]["write"]), (name, write))
            self.assertEqual(len(root["targets"]), targets)
        self.assertEqual(self.ask(server, "cem", "/api/v1/").json()["rights"],
                         [{"access": "write", "target": "orders", "cf": "default"}])
        ada = self.token["ada"]
        for token in ("0" * 32, ada[1:], ada + "a", ada * 2, "bobby", "", f"ada {ada}", ada[:16]):
            for target in ("/api/v1/", T, "/metrics"):
                self.refused(self.ask(server, token, target), 401, "unauthorized")

    def test_who_may_read_changes_nothing(self):
        server = self.serve("--write")
        changes = (("POST", "/batch", PUT), ("POST", "/batch", {**PUT, "expect": [{"key": "k"}]}),
                   ("POST", "/cfs/default:flush", {}), ("PATCH", "/cfs/default/options", {"write_buffer_size": 1 << 20}),
                   ("POST", "/jobs", {"kind": "compact"}), ("POST", "/uploads", {}),
                   ("POST", "/jobs", {"kind": "ingest", "tables": [{"files": ["a"]}]}))
        for method, resource, body in changes:
            with self.subTest(resource):
                self.refused(self.ask(server, "bob", T + resource, method, body), 403, "right_missing", "write:orders")
        upload = self.ask(server, "ada", T + "/uploads", "POST", {}).json()["upload"]["id"]
        self.refused(self.ask(server, "bob", f"{T}/uploads/{upload}", "DELETE"), 403, "right_missing")
        bring = ["Content-Type: application/octet-stream", f"Authorization: Bearer {self.token['bob']}"]
        self.refused(self.send(server, "POST", f"{T}/uploads/{upload}/tables?sha256={'0' * 64}", bring, "x"), 403,
                     "right_missing")
        bring[1] = f"Authorization: Bearer {self.token['cem']}"
        self.refused(self.send(server, "POST", f"{T}/uploads/{upload}/tables?sha256={'0' * 64}", bring, "x"), 404,
                     "upload_not_found")
        self.assertEqual(self.ask(server, "bob", T + "/cfs/default/get?key=k").json()["value"]["text"], "1")
        self.assertEqual(self.ask(server, "cem", T + "/batch", "POST", PUT).status, 200)
        self.assertEqual(self.ask(server, "bob", T + "/cfs/default/get?key=k").json()["value"]["text"], "2")

    def test_a_family_and_nothing_beside_it(self):
        server = self.serve("--write")
        files = {file["cf"]: file["id"] for file in self.ask(server, "ada", T + "/files").json()["files"]}
        for target in ("", "/cfs", "/files", "/cfs/default", "/cfs/default/get?key=k", "/cfs/default/scan",
                       "/cfs/default/explain?key=k", "/cfs/default/options", f"/files/{files['default']}",
                       f"/files/{files['default']}/bytes", f"/files/{files['default']}/entries", "/jobs"):
            with self.subTest(target):
                answer = self.ask(server, "cem", T + target)
                self.assertEqual(answer.status, 200, answer.body)
                self.assertNotIn(b"secret", answer.body)
                self.assertNotIn(b"hidden", answer.body)
        for target, right in (("/cfs/secret/get?key=k", "read:orders/secret"), ("/wal", "read:orders"),
                              ("/manifest/edits", "read:orders"), ("/events", "read:orders"),
                              ("/stats", "read:orders"), ("/options", "read:orders"), ("/history", "read:orders"),
                              (f"/files/{files['secret']}/bytes", "read:orders"),
                              (f"/files/{files['secret']}/lineage", "read:orders")):
            with self.subTest(target):
                answer = self.ask(server, "cem", T + target)
                self.refused(answer, 403, "right_missing")
                self.assertEqual(answer.json()["right"], right)
                self.assertEqual(self.ask(server, "cem", T + target, "HEAD").status, 403)
        ranged = self.ask(server, "cem", T + f"/files/{files['secret']}/bytes", headers=["Range: bytes=0-3"])
        self.refused(ranged, 403, "right_missing")
        self.refused(self.ask(server, "cem", "/metrics"), 403, "right_missing", "read:orders")
        secret = {"ops": [*PUT["ops"], {**PUT["ops"][0], "cf": "secret"}]}
        self.refused(self.ask(server, "cem", T + "/batch", "POST", secret), 403, "right_missing", "write:orders/secret")
        self.assertEqual(self.ask(server, "cem", T + "/cfs/default/get?key=k").json()["value"]["text"], "1")

    def test_a_target_that_one_may_not_see_is_none(self):
        server = self.serve(targets=[self.db, self.other])
        unknown = self.ask(server, "bob", "/api/v1/targets/t9")
        for target in ("", "/cfs", "/jobs", "/wal", "/cfs/default/get?key=k", "/files/1/bytes"):
            answer = self.ask(server, "bob", "/api/v1/targets/t2" + target)
            self.assertEqual((answer.status, answer.body), (404, unknown.body))
        for target in ("/api/v1/", "/api/v1/targets"):
            self.assertNotIn(b"stock", self.ask(server, "bob", target).body)
        self.assertEqual(self.ask(server, "dan", "/api/v1/targets/t2").status, 200)
        self.refused(self.ask(server, "bob", T + "/jobs", "POST", {"kind": "diff", "other": "t2"}), 404,
                     "target_not_found")

    def test_without_write_nobody_may(self):
        server = self.serve()
        for name in ("ada", "bob"):
            self.refused(self.ask(server, name, T + "/batch", "POST", PUT), 403, "read_only", "without --write")
            self.assertFalse(self.ask(server, name, "/api/v1/").json()["capabilities"]["write"])

    def test_jobs_and_pages_are_of_a_user(self):
        server = self.serve("--write")
        job = self.ask(server, "bob", T + "/jobs", "POST", {"kind": "verify"}).json()["job"]
        self.assertEqual(job["user"], "bob")
        for method in ("GET", "DELETE"):
            for part in ("", "/result", "/findings") if method == "GET" else ("",):
                self.refused(self.ask(server, "cem", job["href"] + part, method), 404, "job_not_found")
        self.assertEqual(self.ask(server, "cem", T + "/jobs").json()["jobs"], [])
        self.assertEqual(self.ask(server, "ada", job["href"], "DELETE").status, 200)
        page = T + "/manifest/edits?page_size=1"
        token = self.ask(server, "bob", page).json()["next_page_token"]
        self.assertEqual(self.ask(server, "bob", f"{page}&page_token={token}").status, 200)
        self.refused(self.ask(server, "ada", f"{page}&page_token={token}"), 400, "page_token_mismatch")


class SigningIn(Users):
    def test_a_session_is_as_good_as_a_token(self):
        server = self.serve("--write")
        headers = self.session(server)
        root = self.send(server, "GET", "/api/v1/", headers).json()
        self.assertEqual((root["user"], root["capabilities"]["write"]), ("ada-p", True))
        self.assertEqual(self.send(server, "POST", T + "/batch", headers, PUT).status, 200)
        out = self.send(server, "DELETE", SESSION, headers)
        self.assertEqual(out.status, 204)
        self.assertIn("Max-Age=0", out.headers["set-cookie"])
        self.refused(self.send(server, "GET", "/api/v1/", headers), 401, "unauthorized", "has ended; sign in again")
        self.refused(self.send(server, "GET", "/api/v1/"), 401, "unauthorized", SESSION)

    def test_neither_half_of_it_is(self):
        server = self.serve()
        key, cookie = self.session(server)
        other = self.session(server)
        name = f"varve-session-{server.port}="
        self.assertTrue(cookie.startswith("Cookie: " + name))
        for headers in ([], [key], [cookie], [key, other[1]], [other[0], cookie], [key.replace("Session", "Bearer"), cookie],
                        [key, cookie.replace(name, "varve-session-1=")], [key, f"{cookie}; {cookie[8:]}"],
                        ["Authorization: Session", cookie]):
            self.refused(self.send(server, "GET", "/api/v1/", headers), 401, "unauthorized")
        self.assertEqual(self.send(server, "GET", "/api/v1/", [key, "Cookie: a=b; " + cookie[8:] + "; c=d"]).status, 200)
        self.refused(self.send(server, "GET", "/api/v1/", [key, cookie, other[1]]), 400, "bad_request")

    def test_other_origins_get_nowhere(self):
        server = self.serve("--write")
        session = self.session(server)
        here = f"http://127.0.0.1:{server.port}"
        for extra in ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: http://evil.example",
                      "Origin: http://127.0.0.1:1", "Origin: null", f"Origin: http://localhost:{server.port}"):
            with self.subTest(extra):
                self.refused(self.send(server, "GET", "/api/v1/", [*session, extra]), 403, "forbidden")
                self.refused(self.sign_in(server, headers=[extra]), 403, "forbidden")
                self.refused(self.send(server, "POST", T + "/batch", [*session, extra], PUT), 403, "forbidden")
                self.refused(self.send(server, "DELETE", SESSION, [*session, extra]), 403, "forbidden")
        # What browsers would send for such a page: the cookie, of a form or an image, and nothing else.
        for method, target, more in (("GET", T + "/cfs/default/get?key=k", []),
                                     ("POST", T + "/batch", ["Content-Type: text/plain"]),
                                     ("POST", T + "/batch", ["Content-Type: application/json"])):
            body = PUT if method == "POST" else None
            self.refused(self.send(server, method, target, [session[1], *more], body), 401, "unauthorized")
        self.assertEqual(self.send(server, "OPTIONS", "/api/v1/", ["Origin: " + here]).status, 405)
        self.assertEqual(self.sign_in(server, headers=["Host: evil.example:80"]).status, 403)
        for content in ("text/plain", "application/x-www-form-urlencoded", "application/octet-stream"):
            self.assertEqual(self.sign_in(server, headers=["Content-Type: " + content]).status, 415, content)
        self.assertEqual(self.send(server, "GET", "/api/v1/", [*session, "Origin: " + here]).status, 200)
        self.assertEqual(self.send(server, "GET", "/api/v1/", [*session, "Sec-Fetch-Site: same-origin"]).status, 200)

    def test_wrong_ones_are_few_and_tell_nothing(self):
        server = self.serve()
        answers = set()
        for name in ("ada-p", "nobody", "ada", "ada-p", "nobody", "x" * 1000):
            answer = self.sign_in(server, name, WRONG)
            self.assertEqual(answer.status, 401)
            answers.add(answer.body)
            self.assertNotIn(WRONG.encode(), answer.body)
        self.assertEqual(len(answers), 1)
        for _ in range(3):
            self.assertEqual(self.sign_in(server, "ada-p", WRONG).status, 401)
        for password in (WRONG, PASSWORD):
            often = self.sign_in(server, "ada-p", password)
            self.refused(often, 429, "rate_limited")
            self.assertIn(int(often.headers["retry-after"]), range(1, 61))
        for name in range(20):
            self.sign_in(server, f"name{name}", WRONG)
        self.assertEqual(self.sign_in(server, "fresh", WRONG).status, 429)  # Of this address.
        self.assertEqual(self.ask(server, "ada", "/api/v1/").status, 200)

    def test_unknown_names_take_as_long(self):
        self.add("zoe", "read:*", "--password", text=PASSWORD)
        server = self.serve()

        def best(name):
            times = []
            for _ in range(4):
                begun = time.monotonic()
                self.assertEqual(self.sign_in(server, name, WRONG).status, 401)
                times.append(time.monotonic() - begun)
            return min(times)

        known, unknown = best("zoe"), best("nobody")
        self.assertGreater(unknown, known / 3)
        self.assertGreater(known, unknown / 3)

    def test_passwords_keep_nobody_waiting(self):
        server = self.serve()
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            tries = [pool.submit(self.sign_in, server) for _ in range(16)]
            begun = time.monotonic()
            self.assertEqual(self.ask(server, "ada", "/api/v1/").status, 200)
            took = time.monotonic() - begun
            statuses = {one.result().status for one in tries}
        self.assertLess(took, 5)
        self.assertLessEqual(statuses, {201, 429})
        self.assertIn(201, statuses)

    def test_what_is_no_body_of_it(self):
        server = self.serve()
        for body in ({}, [], {"name": "ada-p"}, {"name": "ada-p", "password": 1},
                     {"name": "ada-p", "password": PASSWORD, "x": 1}, {PASSWORD: 1}, {"name": PASSWORD}):
            answer = self.send(server, "POST", SESSION, [], body)
            self.refused(answer, 400, "bad_request")
            self.assertNotIn(PASSWORD.encode(), answer.body)
        self.assertEqual(self.send(server, "GET", SESSION).status, 401)
        self.assertEqual(self.ask(server, "ada", SESSION).status, 404)
        for path in ("/api/v1/session/", "/api/v1//session", "/api/v1/s%65ssion", "/API/v1/session"):
            self.assertIn(self.send(server, "POST", path, [], {"name": "ada-p", "password": PASSWORD}).status, (401, 405))
        self.assertEqual(self.sign_in(server, "ada-p", PASSWORD + "\0").status, 401)

    def test_without_passwords_nobody_signs_in(self):
        run("users", "remove", self.users, "ada-p")
        server = self.serve()
        answer = self.sign_in(server)
        self.refused(answer, 401, "unauthorized")
        self.assertNotIn("sign_in", answer.json())


class File(Users):
    def test_who_is_removed_is_refused_at_once(self):
        server = self.serve("--write")
        session = self.session(server)
        events = ["Accept: text/event-stream"]
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
            client.sendall("\r\n".join([f"GET {T}/events HTTP/1.1", f"Host: 127.0.0.1:{server.port}", *session, *events,
                                        "", ""]).encode())
            buffer = bytearray()
            self.assertEqual(served.read_head(client, buffer)[0], 200)
            self.assertTrue(served.read_chunk(client, buffer))
            self.assertEqual(run("users", "remove", self.users, "ada-p").returncode, 0)
            self.assertEqual(run("users", "remove", self.users, "bob").returncode, 0)
            self.refused(self.send(server, "GET", "/api/v1/", session), 401, "unauthorized")
            self.refused(self.ask(server, "bob", "/api/v1/"), 401, "unauthorized")
            with self.assertRaises((AssertionError, served.NoAnswer)):  # The stream is cut off.
                while served.read_chunk(client, buffer):
                    pass
        self.assertEqual(self.ask(server, "ada", "/api/v1/").status, 200)
        self.token["fay"] = self.add("fay", "read:orders/default", "--token")
        self.assertEqual(self.ask(server, "fay", T + "/cfs/default/get?key=k").status, 200)

    def test_who_comes_back_signs_in_again(self):
        server = self.serve()
        who = self.session(server)
        line = next(line for line in self.users.read_text().splitlines() if line.startswith("ada-p "))
        run("users", "remove", self.users, "ada-p")
        self.refused(self.send(server, "GET", "/api/v1/", who), 401, "unauthorized")
        with self.users.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self.refused(self.send(server, "GET", "/api/v1/", who), 401, "unauthorized")
        self.assertEqual(self.sign_in(server).status, 201)

    def test_a_file_by_another_name(self):
        real = self.home / "elsewhere/users"
        real.parent.mkdir()
        self.users.rename(real)
        self.users.symlink_to(real)
        server = self.serve()
        for path, name in ((real, "bob"), (self.users, "cem")):
            self.assertEqual(self.ask(server, name, T).status, 200)
            self.assertEqual(run("users", "remove", path, name).returncode, 0)
            self.refused(self.ask(server, name, T), 401, "unauthorized")
        self.assertTrue(self.users.is_symlink())
        self.assertEqual(self.ask(server, "ada", T).status, 200)

    def test_a_pipe_in_place_of_the_file_changes_nothing(self):
        server = self.serve()
        self.users.unlink()
        os.mkfifo(self.users, 0o600)
        self.assertEqual(self.ask(server, "bob", T).status, 200)
        self.assertEqual(run("users", "list", self.users).returncode, 3)

    def test_whoever_thinks_of_a_password_brings_nobody_back(self):
        adding = subprocess.Popen([VARVE, "users", "add", self.users, "new", "--may", "read:*", "--password"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        waiting.wait_until("it waits for the password", lambda: self.reads_from_its_input(adding.pid))
        self.assertEqual(run("users", "remove", self.users, "bob").returncode, 0)
        (self.home / "users.new").write_text("of one that was killed")
        _, said = adding.communicate(b"long enough\n", timeout=60)
        self.assertEqual(adding.returncode, 0, said)
        names = [line.split()[0] for line in self.users.read_text().splitlines()]
        self.assertIn("new", names)
        self.assertNotIn("bob", names)

    @staticmethod
    def reads_from_its_input(pid):
        """By the system call that it is in: read(0, …)."""
        return pathlib.Path(f"/proc/{pid}/syscall").read_text().startswith("0 0x0 ")

    def test_nothing_of_another_family_is_named(self):
        server = self.serve()
        files = {file["cf"]: file["id"] for file in self.ask(server, "ada", f"{T}/files").json()["files"]}
        own = files["default"]
        self.assertEqual(self.ask(server, "cem", f"{T}/files/{own}").status, 200)
        for place in (f"{T}/files/{own}/lineage", f"{T}/files/{own}?include=lineage"):
            self.refused(self.ask(server, "cem", place), 403, "right_missing")

    def test_the_page_is_told_whether_one_signs_in(self):
        for removed, told in ((None, True), ("ada-p", False)):
            if removed:
                run("users", "remove", self.users, removed)
            server = self.serve()
            self.assertEqual("varve-sign-in=1" in self.send(server, "GET", "/").headers.get("set-cookie", ""), told)

    def test_rights_change_at_once(self):
        server = self.serve("--write")
        self.assertEqual(self.ask(server, "cem", T + "/batch", "POST", PUT).status, 200)
        self.users.write_text(self.users.read_text().replace("write:orders/default", "read:orders/default"))
        self.refused(self.ask(server, "cem", T + "/batch", "POST", PUT), 403, "right_missing", "write:orders")

    def test_a_file_that_makes_no_sense_changes_nothing(self):
        server = self.serve()
        before = self.users.read_text()
        for text, mode in ((before + "x\n", 0o600), (before.replace("bob", "ada"), 0o600), (before, 0o644)):
            self.users.write_text(text)
            self.users.chmod(mode)
            self.assertEqual(self.ask(server, "bob", "/api/v1/").status, 200)
            self.assertEqual(self.ask(server, "ada", "/api/v1/").status, 200)
        self.users.unlink()
        self.assertEqual(self.ask(server, "bob", "/api/v1/").status, 200)
        said = (self.home / "stderr").read_text()
        self.assertEqual(said.count("the users stay as they were"), 4, said)
        for token in self.token.values():
            self.assertNotIn(token, said)

    def test_the_file_is_private_and_makes_sense(self):
        users = ["--users", str(self.users)]
        self.users.chmod(0o640)
        self.assertIn("chmod 600", self.refusal_to_start(*users))
        self.users.chmod(0o600)
        self.assertIn("exclude each other", self.refusal_to_start(*users, "--token-file", str(self.users)))
        twin = self.home / "more" / "orders"
        twin.parent.mkdir()
        run("put", twin, "k", "1", "--create")
        self.assertIn("two targets have the name orders", self.refusal_to_start(*users, targets=[self.db, twin]))
        self.users.write_text("ada write\n")
        self.assertIn("line 1: ", self.refusal_to_start(*users))
        self.users.write_text("")
        self.assertIn("no user", self.refusal_to_start(*users))

    def test_the_verb(self):
        self.assertEqual(self.users.stat().st_mode & 0o777, 0o600)
        text = self.users.read_text()
        for secret in (*self.token.values(), PASSWORD):
            self.assertNotIn(secret, text)
        listed = json.loads(run("users", "list", self.users, "--json").stdout)["users"]
        self.assertEqual(listed[2], {"name": "cem", "may": ["write:orders/default"], "password": False, "token": True})
        self.assertEqual(run("users", "add", self.users, "ada", "--token").returncode, 8)
        for words in (["new"], ["new", "--may", "all:*", "--token"], ["b b", "--token"]):
            self.assertEqual(run("users", "add", self.users, *words).returncode, 2, words)
        for text_in in ("", "short\n"):
            done = run("users", "add", self.users, "new", "--password", text=text_in)
            self.assertEqual(done.returncode, 2)
            self.assertNotIn("short\n", done.stderr + done.stdout)
        self.assertEqual(run("users", "remove", self.users, "nobody").returncode, 2)
        self.assertEqual(self.users.read_text(), text)
        self.users.write_text("# ours\n" + text)
        self.assertEqual(run("users", "remove", self.users, "bob").returncode, 0)
        self.assertTrue(self.users.read_text().startswith("# ours\nada "))
        self.assertNotIn("bob", self.users.read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
