#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of others in a real browser against `varve serve --write`: nothing changes, nothing is readable.

    browser_test.py VARVE CHROMIUM

Three pages try everything of browser_attacks.js, with the token in hand: one of another port, one of another site
whose name leads to this machine, and one whose name was rebound: a page and a server of one origin, as the browser
sees it. The same page against a server that forbids nothing shows that the tries reach a server and see an answer."""
import contextlib
import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

import served

VARVE, CHROMIUM = sys.argv[1:3]
HERE = pathlib.Path(__file__).parent
CANARY = "the-secret-value"
PATIENCE = 240


class Pages(http.server.ThreadingHTTPServer):
    """Serves the attacking page and takes its report. What it is asked beside that it answers openly,
    and remembers."""

    daemon_threads = True

    def __init__(self):
        self.reports, self.requests = {}, []
        self.arrived = threading.Condition()
        super().__init__(("127.0.0.1", 0), Handler)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()

    def page(self, base, token, name):
        """Where the page is that attacks `base`, without the host."""
        return "/attack?" + urllib.parse.urlencode({"base": base, "token": token, "name": name})

    def report_of(self, name):
        with self.arrived:
            self.arrived.wait_for(lambda: name in self.reports, PATIENCE)
            return self.reports.get(name)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, kind, body, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        origin = self.headers.get("Origin", "*")
        self.send_header("Access-Control-Allow-Origin", origin)
        self.send_header("Access-Control-Allow-Credentials", "true")
        self.send_header("Access-Control-Allow-Methods", "GET, HEAD, POST, PATCH, DELETE")
        self.send_header("Access-Control-Allow-Headers", "authorization, content-type")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/attack":
            words = dict(urllib.parse.parse_qsl(url.query))
            report = f"http://127.0.0.1:{self.server.port}/report?name={words['name']}"
            call = ", ".join(map(json.dumps, (words["base"], words["token"], report)))
            page = (f"<!doctype html><title>a page of somebody</title><body><script>"
                    f"{(HERE / 'browser_attacks.js').read_text()}\nattackAndReport({call});</script>")
            return self.answer("text/html", page.encode())
        if url.path == "/report":
            with self.server.arrived:
                self.server.reports[dict(urllib.parse.parse_qsl(url.query))["name"]] = json.loads(body)
                self.server.arrived.notify_all()
            return self.answer("text/plain", b"")
        self.server.requests.append((self.command, self.headers, body))
        if "text/event-stream" in self.headers.get("Accept", ""):
            return self.answer("text/event-stream", b"data: 1\n\n")
        return self.answer("text/javascript", b"export const seen = 1;")

    do_GET = do_HEAD = do_POST = do_PATCH = do_DELETE = do_OPTIONS = any


class Rebound:
    """An address of its own with the port of `varve serve`: at first the attacker's server, then, as if the name had
    been given another address, `varve serve` itself."""

    ADDRESS = "127.0.0.2"  # Every address of 127/8 is this machine's; varve listens on the first.

    def __init__(self, port, first_port):
        self.port, self.first_port, self.forwarded = port, first_port, 0
        self.listener = socket.create_server((self.ADDRESS, port))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self.forward, args=(client,), daemon=True).start()

    def forward(self, client):
        """One connection; the first request of a page decides by its path whose it is."""
        with client, contextlib.suppress(OSError):
            head = client.recv(65536)
            if head.startswith(b"GET /attack?"):
                port = self.first_port
                head = head.replace(b"\r\nConnection: keep-alive", b"\r\nConnection: close")
            else:
                port = self.port
                self.forwarded += 1
            with socket.create_connection(("127.0.0.1", port)) as server:
                server.sendall(head)
                back = threading.Thread(target=self.pump, args=(server, client), daemon=True)
                back.start()
                self.pump(client, server)
                back.join()

    @staticmethod
    def pump(source, sink):
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="varve-browser-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.db = cls.folder / "db"
        subprocess.run([VARVE, "put", cls.db, "canary", CANARY, "--create"], check=True, capture_output=True)
        cls.server = served.Server(VARVE, [cls.db], "--write")
        cls.addClassCleanup(cls.server.stop)
        cls.pages = Pages()
        cls.addClassCleanup(cls.pages.stop)
        cls.rebound = Rebound(cls.server.port, cls.pages.port)
        cls.addClassCleanup(cls.rebound.listener.close)

    def seen_by_page(self, host, port, base, name):
        """Opens the page in a browser of its own; what it saw of each answer."""
        url = f"http://{host}:{port}{self.pages.page(base, self.server.token, name)}"
        rules = f"MAP evil.test 127.0.0.1, MAP rebound.test {Rebound.ADDRESS}"
        profile = self.folder / f"profile-{name}"
        with subprocess.Popen(
                [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--disable-popup-blocking", f"--host-resolver-rules={rules}", f"--user-data-dir={profile}",
                 "--remote-debugging-port=0", url],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(self.folder)},
        ) as browser:
            try:
                report = self.pages.report_of(name)
            finally:
                browser.terminate()
        self.assertIsNotNone(report, "the page did not report")
        return report

    def check_nothing_seen(self, host, name):
        before = served.digest(self.db)
        seen = self.seen_by_page(host, self.pages.port, f"http://127.0.0.1:{self.server.port}", name)
        self.assertGreater(len(seen), 150)
        self.assertEqual({what: got for what, got in seen.items() if got is not None}, {})
        self.assertEqual(served.digest(self.db), before)

    def test_a_page_of_another_port_sees_and_changes_nothing(self):
        self.check_nothing_seen("127.0.0.1", "port")

    def test_a_page_of_another_site_sees_and_changes_nothing(self):
        self.check_nothing_seen("evil.test", "site")

    def test_a_page_whose_name_was_rebound_sees_refusals_only(self):
        before = served.digest(self.db)
        # Same origin, as the browser sees it: it sends what it likes, and reads what it gets.
        base = f"http://rebound.test:{self.server.port}"
        seen = self.seen_by_page("rebound.test", self.server.port, base, "rebound")
        self.assertGreater(self.rebound.forwarded, 0)
        answered = 0
        for what, got in seen.items():
            with self.subTest(what):
                text = json.dumps(got)
                self.assertNotIn(CANARY, text)
                self.assertNotIn(self.server.token, text)
                if got is not None and "status" in got:
                    answered += 1
                    self.assertEqual(got["status"], 403, got)
                elif got is not None:  # A refusal in a frame, if not even that was kept from it.
                    self.assertIn("this server does not go by that name", got["text"])
        self.assertGreater(answered, 50)
        self.assertEqual(served.digest(self.db), before)

    def test_the_tries_reach_a_server_that_forbids_nothing(self):
        open_server = Pages()
        self.addCleanup(open_server.stop)
        seen = self.seen_by_page("127.0.0.1", self.pages.port, f"http://127.0.0.1:{open_server.port}", "open")
        for what in ("fetch cors include value", "fetch bearer value", "script value", "import value",
                     "fetch POST application/json bearer batch", "fetch PATCH application/json bearer options",
                     "EventSource"):
            self.assertIsNotNone(seen[what], what)
        methods = {method for method, _, _ in open_server.requests}
        self.assertEqual(methods, {"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"})
        destinations = {headers.get("Sec-Fetch-Dest") for _, headers, _ in open_server.requests}
        self.assertLessEqual({"image", "script", "style", "iframe", "object", "video", "document", "empty"},
                             destinations)
        self.assertTrue(any(headers.get("Upgrade") == "websocket" for _, headers, _ in open_server.requests))
        planted = [body for _, headers, body in open_server.requests
                   if headers.get("Content-Type") == "text/plain" and b"planted" in body]
        self.assertGreater(len(planted), 2)  # fetch, beacon, form.
        for body in planted:
            json.loads(body)

    def test_who_may_can(self):
        """What the pages tried does something for who has the token and is not a page."""
        before = served.digest(self.db)
        self.assertIn(CANARY.encode(), self.server.get("/api/v1/targets/t1/cfs/default/get?key=canary").body)
        written = {"ops": [{"op": "put", "key": "z", "value": "1"}]}
        self.assertEqual(self.server.get("/api/v1/targets/t1/batch", "POST", written).status, 200)
        self.assertNotEqual(served.digest(self.db), before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
