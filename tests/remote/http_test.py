#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compactions by HTTP: varve compact --service http://…, varve compact-worker --listen, and workers that do not do
what they should: http_test.py VARVE [TEST...]

Whatever a worker answers, the database has the same records, and what it did not do is done here and counted."""
import contextlib
import http.server
import json
import pathlib
import re
import socket
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import harness  # noqa: E402  pylint: disable=wrong-import-position

TOKEN = "0123456789abcdef" * 2


class Fake(http.server.BaseHTTPRequestHandler):
    """A worker that answers what `server.answer(job)` says: (code, body), or nothing."""
    protocol_version = "HTTP/1.1"

    def do_POST(self):  # pylint: disable=invalid-name
        self.server.asked.append((self.path, self.headers.get("Authorization")))
        answer = self.server.answer(self.rfile.read(int(self.headers["Content-Length"])))
        if answer is None:
            self.close_connection = True
            return
        self.send_response(answer[0])
        self.send_header("Content-Length", str(len(answer[1])))
        self.end_headers()
        self.wfile.write(answer[1])

    def log_message(self, *_):
        pass


class Compactions(harness.Case):
    def setUp(self):
        super().setUp()
        for part in range(3):
            self.ok("load", self.db, "-", "--option", "disable_auto_compactions=true",
                    stdin="".join(f"k{i:04}\t{part}\n" for i in range(1000)))
        self.records = self.ok("scan", self.db).stdout
        self.token = self.home / "token"
        self.token.write_text(TOKEN + "\n")
        self.token.chmod(0o600)

    def compacted(self, port, *flags, code=0, token=None):
        service = f"http://127.0.0.1:{port}#token-file={token or self.token}"
        done = self.ok("compact", self.db, "--force", "--json", "--service", service, *flags, code=code)
        self.assertEqual(self.ok("scan", self.db).stdout, self.records)
        self.assertEqual(list(self.db.glob("remote-compactions/*")), [])
        self.ok("db", "verify", self.db)
        return json.loads(done.stdout)

    def fell_back(self, report, why):
        self.assertEqual(report["remote_compactions"], 0)
        self.assertGreater(report["remote_compaction_fallbacks"], 0)
        self.assertIn(why, report["remote_compaction_failure"])

    @contextlib.contextmanager
    def worker(self, *flags):
        process = subprocess.Popen([harness.VARVE, "compact-worker", "--listen", "127.0.0.1:0", "--token-file",
                                    str(self.token), "--json", *flags], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        try:
            process.port = int(re.search(r":(\d+) takes jobs", process.stderr.readline())[1])
            yield process
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()

    @contextlib.contextmanager
    def fake(self, answer):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Fake)
        server.answer, server.asked = answer, []
        server.handle_error = lambda *_: None  # Of clients that have left.
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def test_a_worker_does_the_jobs(self):
        with self.worker() as worker:
            report = self.compacted(worker.port)
            self.assertGreater(report["remote_compactions"], 0)
            self.assertEqual(report["remote_compaction_failures"], 0)
            worker.terminate()
            done = json.loads(worker.stdout.read())
            self.assertEqual(worker.wait(30), 0)
        self.assertEqual(done["done"], report["remote_compactions"])

    def test_a_result_of_many_long_keys(self):
        self.ok("load", self.db, "-", stdin="".join(f"l{i:04}{'x' * 60_000}\t1\n" for i in range(200)))
        self.records = self.ok("scan", self.db).stdout
        with self.worker() as worker:
            report = self.compacted(worker.port, "--option", "target_file_size_base=1000")
        self.assertEqual(report["remote_compaction_fallbacks"], 0, report)
        files = json.loads(self.ok("lsm", "files", self.db, "--json").stdout)["files"]
        bounds = sum(file[bound]["key"]["len"] for file in files for bound in ("smallest", "largest"))
        self.assertGreater(bounds, 17 << 20)  # The least that the result had.

    def test_only_with_the_token(self):
        other = self.home / "other"
        other.write_text("f" * 32)
        other.chmod(0o600)
        with self.worker() as worker:
            self.fell_back(self.compacted(worker.port, token=other), "401")
            other.chmod(0o644)
            self.fell_back(self.compacted(worker.port, token=other), "chmod 600")
            other.unlink()
            self.fell_back(self.compacted(worker.port, token=other), "No such file")
            self.assertGreater(self.compacted(worker.port)["remote_compactions"], 0)

    def test_a_worker_that_does_not_see_the_database(self):
        with self.worker("--db", "/nowhere") as worker:
            self.fell_back(self.compacted(worker.port), "is not seen here")

    def test_nobody_is_there(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        self.fell_back(self.compacted(port), f"127.0.0.1:{port}")

    def test_a_worker_that_never_answers(self):
        over = threading.Event()
        with self.fake(lambda job: over.wait() and None) as server:
            try:
                report = self.compacted(server.server_port, "--option", "compaction_service_timeout_seconds=1")
            finally:
                over.set()
            self.fell_back(report, "within 1 seconds")
            self.assertEqual(server.asked[0], ("/api/v1/compactions", f"Bearer {TOKEN}"))

    def test_answers_that_are_no_results(self):
        for answer, why in ((lambda job: None, "127.0.0.1"), (lambda job: (200, b""), "RESULT"),
                            (lambda job: (200, b"x" * 1000), "RESULT"), (lambda job: (200, job), "RESULT"),
                            (lambda job: (500, b'{"detail":"a bug\\u001b"}'), "500: a bug"),
                            (lambda job: (302, b""), "302"),
                            (lambda job: (200, b"x" * (17 << 20)), "RESULT"),
                            (lambda job: (200, b"x" * (65 << 20)), "longer than 67108864 bytes")):
            with self.subTest(why), self.fake(answer) as server:
                self.fell_back(self.compacted(server.server_port), why)

    def test_results_that_were_changed(self):
        """A true worker's answers, each with a byte that is not its own, cut short, or of another job."""
        with self.worker() as worker:
            kept = []

            def changed(change):
                def answer(job):
                    result = self.from_worker(worker.port, job)
                    kept.append(result)
                    return 200, change(result)
                return answer
            for change, why in ((lambda r: r[:20] + bytes([r[20] ^ 1]) + r[21:], "RESULT"), (lambda r: r[:-1], "RESULT"),
                                (lambda r: r + b"x", "RESULT"), (lambda r: kept[0], "it is of the job")):
                with self.subTest(why, kept=len(kept)), self.fake(changed(change)) as server:
                    self.fell_back(self.compacted(server.server_port), why)

    @staticmethod
    def from_worker(port, job):
        head = (f"POST /api/v1/compactions HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n"
                f"Content-Type: application/octet-stream\r\nConnection: close\r\nContent-Length: {len(job)}\r\n\r\n")
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(head.encode() + job)
            answer = b""
            while piece := client.recv(65536):
                answer += piece
        return answer.partition(b"\r\n\r\n")[2]

    def test_a_worker_dies_over_a_job(self):
        with self.worker() as worker:
            def answer(job):
                worker.kill()
                worker.wait()
                with contextlib.suppress(OSError):
                    self.from_worker(worker.port, job)
            with self.fake(answer) as server:
                self.fell_back(self.compacted(server.server_port), "127.0.0.1")

    def test_without_a_fallback_the_reason_is_the_error(self):
        with self.fake(lambda job: (503, b"busy")) as server:
            done = self.ok("compact", self.db, "--force", "--service", f"http://127.0.0.1:{server.server_port}",
                           "--option", "compaction_service_fallback=false", code=3)
            self.assertIn(b"503: busy", done.stderr)
            self.assertEqual(server.asked[0][1], None)

    def test_what_a_worker_is_sent_that_is_no_job(self):
        with self.worker() as worker:
            for job in (b"", b"x" * 100, b"VARVEJOB" + bytes(100)):
                self.assertIn(b'"code"', self.from_worker(worker.port, job))
            self.assertGreater(self.compacted(worker.port)["remote_compactions"], 0)

    def test_words_that_do_not_fit(self):
        for words in (["--listen", "127.0.0.1:0"], ["--token-file", self.token],
                      ["--listen", "127.0.0.1:0", "--token-file", self.token, "--watch", self.home],
                      ["--listen", "127.0.0.1", "--token-file", self.token],
                      ["--listen", "127.0.0.1:70000", "--token-file", self.token]):
            self.ok("compact-worker", *words, code=2)
        for service in ("http://", "http://h/path", "http://h#token=x", "http://u@h", "ftp://h"):
            self.ok("compact", self.db, "--service", service, code=2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
