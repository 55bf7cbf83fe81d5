#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables that clients upload to varve serve --write, and varve ingest of a URL: upload_test.py VARVE [TEST...]"""
import hashlib
import http.server
import json
import pathlib
import signal
import sys
import threading
import time
import unittest

import harness

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "security"))
import served  # noqa: E402  pylint: disable=wrong-import-position

TARGET = "/api/v1/targets/t1"


class Always(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.document)))
        self.end_headers()
        self.wfile.write(self.server.document)

    do_GET = do_POST = do_DELETE = answer  # pylint: disable=invalid-name

    def log_message(self, *_):
        pass


class Odd(http.server.ThreadingHTTPServer):
    """A server that answers every request with the same document; entered, it is its port."""
    def __init__(self, document, handler=Always):
        super().__init__(("127.0.0.1", 0), handler)
        self.seen = {}
        self.document = json.dumps(document).encode()
        self.thread = threading.Thread(target=self.serve_forever)

    def __enter__(self):
        self.thread.start()
        return self.server_port

    def __exit__(self, *_):
        self.shutdown()
        self.thread.join()
        self.server_close()


class NoRoom(Always):
    """Has no room for the first two requests of each resource, then answers as a server does."""
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        resource = f"{self.command} {self.path.partition('?')[0]}"
        seen = self.server.seen.setdefault(resource, [])
        seen.append(hashlib.sha256(body).hexdigest())
        if len(seen) <= 2:
            if self.command == "GET" and len(seen) == 1:
                self.close_connection = True  # Without an answer.
                return
            status, document = (429, 503)[len(seen) - 1], b"{}"
        else:
            status, document = 200, self.server.document
        self.send_response(status)
        if status == 503:
            self.send_header("Retry-After", "1")
        self.send_header("Content-Length", str(len(document)))
        self.end_headers()
        self.wfile.write(document)

    do_GET = do_POST = do_DELETE = answer  # pylint: disable=invalid-name


class Upload(harness.Case):
    def setUp(self):
        super().setUp()
        self.ok("load", self.db, "-", stdin="a\t1\n")
        self.ok("cf", "create", self.db, "users")
        self.serve()

    def serve(self, *flags):
        self.server = served.Server(harness.VARVE, [self.db], "--write", *flags)
        self.addCleanup(self.end, self.server)

    @staticmethod
    def end(server):
        if server.alive():
            server.process.kill()
        server.process.wait()
        server.process.stdout.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.port}/#token={self.server.token}"

    def table(self, name, records):
        path = self.home / name
        self.ok("sst", "build", path, "-", stdin=records)
        return path

    def begin(self):
        answer = self.server.get(f"{TARGET}/uploads", "POST", {})
        self.assertEqual(answer.status, 201, answer.body)
        return answer.json()["upload"]["id"]

    def head(self, upload, size, digest, token="@TOKEN@"):
        lines = [f"POST {TARGET}/uploads/{upload}/tables?sha256={digest} HTTP/1.1", "Host: @HOST@",
                 f"Authorization: Bearer {token}", "Content-Type: application/octet-stream", f"Content-Length: {size}"]
        return self.server.fill("\r\n".join(lines).encode() + b"\r\n\r\n")

    def send(self, upload, body, digest=None, size=None, **how):
        digest = digest or hashlib.sha256(body).hexdigest()
        with self.server.connect() as client:
            client.sendall(self.head(upload, size or len(body), digest, **how) + body)
            return served.read_answer(client, bytearray())

    def refused(self, answer, status, code):
        self.assertEqual((answer.status, answer.json()["code"]), (status, code), answer.body)

    def ingest(self, upload, *tables):
        started = self.server.get(f"{TARGET}/jobs", "POST", {"kind": "ingest", "upload": upload, "tables": list(tables)})
        if started.status != 202:
            return started.json()
        job = started.json()["job"]["href"]
        return harness.wait_until("the job has ended", lambda: self.ended(job))

    def ended(self, job):
        state = self.server.get(job).json()["job"]
        return state if state["state"] not in ("queued", "running") else None

    def left(self):
        return [path.name for path in self.db.glob("uploads/**/*")]

    def records(self, *words):
        self.assertEqual(self.server.stop(), 0)
        return self.out("scan", self.db, *words)

    def test_the_verb_adds_all_files_in_one_step(self):
        one, two = self.table("one.sst", "b\tnew\n"), self.table("two.sst", "x\t9\n")
        done = json.loads(self.out("ingest", self.url, "--cf", "users", one, "--cf", "default", two, "--json"))
        self.assertEqual((done["schema"], done["files"], done["moved"]), ("varve.ingest/1", 2, False))
        self.assertNotIn("seq", done)
        self.assertTrue(one.exists())
        self.assertEqual(self.left(), [])
        self.assertFalse((self.db / "uploads").exists())
        self.assertEqual(self.records(), "a\t1\nx\t9\n")
        self.assertEqual(self.out("scan", self.db, "--cf", "users"), "b\tnew\n")
        self.ok("db", "verify", self.db)

    def test_the_verb_leaves_the_database_as_it_is_when_a_file_is_no_table(self):
        good, bad = self.table("good.sst", "b\t1\n"), self.home / "bad.sst"
        bad.write_bytes(b"no table" * 1000)
        self.assertIn("uploads/", self.err("ingest", self.url, good, bad, code=4))
        self.assertEqual(self.left(), [])
        self.assertIn("cf", self.err("ingest", self.url, "--cf", "none", good, code=2))
        for words, part in ((["--move"], "as they are"), (["--create"], "as they are"),
                            (["--option", "compression=none"], "as they are")):
            self.assertIn(part, self.err("ingest", self.url, good, *words, code=2))
        self.assertIn("token", self.err("ingest", self.url[:-1], good, code=3))
        self.assertIn("is about servers", self.err("ingest", self.db, good, "--token-file", good, code=2))
        self.assertIn("HOST:PORT", self.err("ingest", "http://127.0.0.1:1/db", good, code=2))
        self.assertIn("127.0.0.1:1", self.err("ingest", "http://127.0.0.1:1", good, code=3))
        self.assertEqual(self.records(), "a\t1\n")

    def test_a_verb_that_failed_leaves_no_job_at_the_server(self):
        bad = self.home / "bad.sst"
        bad.write_bytes(b"no table" * 1000)
        for _ in range(3):
            self.ok("ingest", self.url, bad, code=4)
        self.assertEqual(self.server.get(f"{TARGET}/jobs").json()["jobs"], [])

    def test_a_server_that_answers_what_no_server_does(self):
        table = self.table("one.sst", "b\t1\n")
        for job in ({"state": "cancelled"}, {"state": 5}, {"state": "failed"}, {"state": "failed", "problem": "words"},
                    {"state": "failed", "problem": {"status": "words", "detail": 5, "exit_code": []}},
                    {"state": "failed", "problem": {"status": 1e300, "exit_code": 1e300}}):
            answer = {"upload": {"id": "u"}, "table": {"name": "t"}, "job": {"id": "j", **job}}
            with self.subTest(job), Odd(answer) as port:
                self.assertIn(f"127.0.0.1:{port}", self.err("ingest", f"http://127.0.0.1:{port}", table, code=3))

    def test_a_server_that_has_no_room_is_asked_again(self):
        table = self.table("one.sst", "".join(f"k{number:06}\tvalue {number}\n" for number in range(50_000)))
        answer = {"upload": {"id": "u"}, "table": {"name": "t"}, "job": {"id": "j", "state": "done"}}
        busy = Odd(answer, NoRoom)
        with busy as port:
            begin = time.monotonic()
            self.ok("ingest", f"http://127.0.0.1:{port}", table)
            self.assertGreater(time.monotonic() - begin, 4)  # It waits as long as it is asked to, each time.
        whole = hashlib.sha256(table.read_bytes()).hexdigest()
        self.assertEqual(busy.seen[f"POST {TARGET}/uploads/u/tables"], [whole] * 3)
        self.assertEqual({resource: len(seen) for resource, seen in busy.seen.items()},
                         {f"POST {TARGET}/uploads": 3, f"POST {TARGET}/uploads/u/tables": 3, f"POST {TARGET}/jobs": 3,
                          f"GET {TARGET}/jobs/j": 3, f"DELETE {TARGET}/jobs/j": 1})

    def test_a_token_comes_from_a_file_too(self):
        token = self.home / "token"
        token.write_text(self.server.token + "\n")
        token.chmod(0o600)
        url = f"http://127.0.0.1:{self.server.port}"
        self.ok("ingest", url, self.table("one.sst", "b\t1\n"), "--token-file", token)
        self.assertEqual(self.records(), "a\t1\nb\t1\n")

    def test_what_is_not_what_was_announced_is_refused_and_not_kept(self):
        upload = self.begin()
        body = self.table("one.sst", "b\t1\n").read_bytes()
        self.refused(self.send(upload, body, "0" * 64), 422, "digest_mismatch")
        self.refused(self.send(upload, body[:-1] + b"x", hashlib.sha256(body).hexdigest()), 422, "digest_mismatch")
        self.refused(self.send(upload, body, "zz"), 400, "bad_request")
        self.refused(self.send("0" * 32, body), 404, "upload_not_found")
        self.refused(self.send(upload, body, token="0" * 32), 401, "unauthorized")
        self.assertEqual(self.left(), [upload])
        added = self.send(upload, body)
        self.assertEqual((added.status, added.json()["table"]["name"]), (201, "000003.sst"), added.body)
        # Names are the server's, each once, of this upload alone.
        for files in (["../../CURRENT"], ["000001.sst"], ["000003.sst", "000003.sst"]):
            self.assertEqual(self.ingest(upload, {"files": files})["code"], "bad_request")
        self.assertEqual(self.ingest(upload, {"files": ["000003.sst"]})["state"], "done")
        self.refused(self.send(upload, body), 404, "upload_not_found")
        self.assertEqual(self.records(), "a\t1\nb\t1\n")

    def test_only_writers_may_upload_and_only_where_files_are_taken(self):
        upload, body = self.begin(), b"x" * 200_000
        digest = hashlib.sha256(body).hexdigest()
        with self.server.connect() as client:
            client.sendall(self.head(upload, len(body), digest).replace(b"/tables", b"") + body[:100])
            self.assertIn(served.read_answer(client, bytearray()).status, (404, 405))
        self.refused(self.server.get(f"{TARGET}/uploads/{upload}/tables?sha256={digest}", "POST", {}), 415,
                     "unsupported_media_type")
        self.assertEqual(self.server.stop(), 0)
        self.server = served.Server(harness.VARVE, [self.db])
        self.addCleanup(self.end, self.server)
        self.refused(self.server.get(f"{TARGET}/uploads", "POST", {}), 403, "read_only")
        self.refused(self.send(upload, body), 403, "read_only")

    def test_clients_that_leave_or_abort_leave_nothing(self):
        upload, body = self.begin(), b"x" * 300_000
        path = self.db / "uploads" / upload / "000001.sst"
        with self.server.connect() as client:
            client.sendall(self.head(upload, len(body), "0" * 64) + body[:200_000])
            harness.wait_until("some of it is stored", lambda: path.exists() and path.stat().st_size > 0)
        harness.wait_until("it is gone", lambda: self.left() == [upload])
        # Aborted by one client while another one sends.
        with self.server.connect() as client:
            client.sendall(self.head(upload, len(body), "0" * 64) + body[:200_000])
            harness.wait_until("some of it is stored", lambda: len(self.left()) == 2)
            self.assertEqual(self.server.get(f"{TARGET}/uploads/{upload}", "DELETE").status, 200)
            client.sendall(body[200_000:])
            self.refused(served.read_answer(client, bytearray()), 404, "upload_not_found")
        self.assertEqual(self.left(), [])
        self.refused(self.server.get(f"{TARGET}/uploads/{upload}"), 404, "upload_not_found")

    def test_limits(self):
        self.assertEqual(self.server.stop(), 0)
        self.serve("--upload-limit", "100K", "--upload-expiry", "1")
        upload = self.begin()
        self.assertEqual(self.server.get(f"{TARGET}/uploads/{upload}").json()["bytes_max"], 100 << 10)
        self.assertEqual(self.send(upload, b"x" * 60_000).status, 201)
        # Refused by what is announced, before it is sent, whoever has sent the rest.
        self.refused(self.send(upload, b"", "0" * 64, size=60_000), 413, "payload_too_large")
        harness.wait_until("it was forgotten", lambda: self.left() == [])
        self.assertEqual(self.server.get(f"{TARGET}/uploads").json()["uploads"], [])
        ids = [self.begin() for _ in range(64)]
        self.assertEqual(len(set(ids)), 64)
        answer = self.server.get(f"{TARGET}/uploads", "POST", {})
        self.assertIn(answer.status, (201, 429))  # 201: the first has expired meanwhile.
        self.ok("serve", self.db, "--as-root", "--upload-expiry", "5", code=2)
        self.ok("serve", self.db, "--as-root", "--write", "--upload-expiry", "0", code=2)

    def test_a_killed_server_leaves_nothing_once_the_database_is_opened_again(self):
        upload = self.begin()
        self.assertEqual(self.send(upload, b"x" * 1000).status, 201)
        self.server.process.send_signal(signal.SIGKILL)
        self.server.process.wait()
        self.assertEqual(len(self.left()), 2)
        self.ok("put", self.db, "b", "2")
        self.assertFalse((self.db / "uploads").exists())

    def test_a_stopped_server_leaves_nothing(self):
        self.send(self.begin(), b"x" * 1000)
        self.assertEqual(self.server.stop(), 0)
        self.assertFalse((self.db / "uploads").exists())

    def test_it_takes_no_more_memory_than_a_piece(self):
        def peak():
            status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
            return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
        upload, before, piece, count = self.begin(), peak(), b"x" * (1 << 20), 192
        digest = hashlib.sha256()
        for _ in range(count):
            digest.update(piece)
        with self.server.connect(60) as client:
            client.sendall(self.head(upload, count << 20, digest.hexdigest()))
            for _ in range(count):
                client.sendall(piece)
            self.assertEqual(served.read_answer(client, bytearray()).status, 201)
        self.assertLess(peak() - before, 16 << 10)  # KiB.


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
