#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Event streams over the socket, with the server's own thread at work behind them:

    streams_test.py VARVE FIXTURES

What a job does, how it ends, that it can be cancelled, that who comes again is not told twice; what a
LOG gets while it is watched; that streams are bounded in number and end with the server."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import served

RECORDS = 1_500_000  # Verified in some 0.2 s.
JOBS = "/api/v1/targets/t1/jobs"
EVENTS = "Accept: text/event-stream"


class Stream:
    """An open event stream: yields (event, id, data)."""

    def __init__(self, server, target, *headers, timeout=20):
        self.client = server.connect(timeout)
        head = [f"GET {target} HTTP/1.1", "Host: @HOST@", "Authorization: Bearer @TOKEN@", EVENTS, *headers]
        self.client.sendall(server.fill("\r\n".join([*head, "", ""]).encode()))
        self.buffer = bytearray()
        self.status, self.headers = served.read_head(self.client, self.buffer)

    def __iter__(self):
        text = ""
        while piece := served.read_chunk(self.client, self.buffer):
            text += piece.decode()
            while "\n\n" in text:
                block, _, text = text.partition("\n\n")
                fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
                if fields:
                    yield fields["event"], fields.get("id"), json.loads(fields["data"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()


class Streams(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="varve-streams-"))
        records = "".join(f"key{i:09}\t{i * 7919 % 1000003:0100}\n" for i in range(RECORDS))
        subprocess.run([VARVE, "load", cls.folder / "large", "-", "--sorted"], input=records.encode(),
                       check=True, capture_output=True)
        shutil.copytree(FIXTURES / "db/rocksdb-7.8.3/cursor", cls.folder / "small")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def setUp(self):
        self.server = served.Server(VARVE, [self.folder / "large", self.folder / "small"])

    def tearDown(self):
        if self.server.alive():
            self.server.stop()

    def start(self, **body):
        answer = self.server.get(JOBS, "POST", body)
        self.assertEqual(answer.status, 202)
        href = answer.json()["job"]["href"]
        self.assertEqual(answer.headers["location"], href)
        return href

    def start_later(self):
        """One that begins when those before it have ended, so that a stream of it is open by then."""
        return [self.start(kind="verify") for _ in range(6)][-1]

    def test_a_job_is_told_from_its_start_to_its_end(self):
        href = self.start_later()
        with Stream(self.server, href) as stream:
            self.assertEqual(stream.status, 200)
            self.assertEqual(stream.headers["content-type"], "text/event-stream")
            self.assertEqual(stream.headers["cache-control"], "no-store")
            self.assertLessEqual(served.SECURITY_HEADERS.items(), stream.headers.items())
            events = list(stream)
        states = [data["state"] for _, _, data in events]
        self.assertEqual(states[-1], "done")
        self.assertGreaterEqual(states.count("running"), 1, "no progress was shown")
        done = [data["progress"]["done"] for _, _, data in events]
        self.assertEqual(done, sorted(done))
        self.assertTrue(all(event == "job" and id for event, id, _ in events))
        self.assertEqual(len({id for _, id, _ in events}), len(events))
        result = self.server.get(events[-1][2]["result_href"])
        self.assertEqual(result.status, 200)
        self.assertEqual(result.json()["schema"], "varve.verify/1")
        # Who has seen the end is told not to come again; who has not is told the end.
        with Stream(self.server, href, f"Last-Event-ID: {events[-1][1]}") as again:
            self.assertEqual(again.status, 204)
        with Stream(self.server, href, f"Last-Event-ID: {events[0][1]}") as again:
            self.assertEqual([data["state"] for _, _, data in again], ["done"])

    def test_a_running_job_can_be_cancelled(self):
        for _ in range(10):
            href = self.start_later()
            with Stream(self.server, href) as stream:
                events = iter(stream)
                for _, _, data in events:
                    if data["state"] == "running":
                        break
                deleted = self.server.get(href, "DELETE")
                self.assertEqual(deleted.status, 200)
                if deleted.json()["job"]["state"] == "done":
                    continue  # It had ended when the request came.
                self.assertEqual([data["state"] for _, _, data in events][-1], "cancelled")
                break
        refused = self.server.get(href + "/result")
        self.assertEqual((refused.status, refused.json()["code"]), (409, "conflict"))

    def test_a_queued_job_can_be_cancelled_and_too_many_are_refused(self):
        hrefs = [self.start(kind="verify") for _ in range(8)]
        answer = self.server.get(JOBS, "POST", {"kind": "verify"})
        self.assertEqual((answer.status, answer.json()["code"]), (429, "rate_limited"))
        for href in reversed(hrefs):
            self.assertEqual(self.server.get(href, "DELETE").status, 200)
        with Stream(self.server, hrefs[-1]) as stream:
            self.assertEqual([data["state"] for _, _, data in stream][-1], "cancelled")

    def test_a_watched_log_shows_what_is_logged_after(self):
        log = self.folder / "small" / "LOG"
        line = '2026/11/21-01:09:18.786 1 EVENT_LOG_v1 {"time_micros": %d, "job": 3, "event": "%s"}\n'
        log.write_text(line % (1000, "flush_started"))
        with Stream(self.server, "/api/v1/targets/t2/events") as stream:
            events = iter(stream)
            name, _, data = next(events)
            self.assertEqual((name, data), ("edit", {"edit": "22", "seq": "1800"}))
            with log.open("a") as out:
                out.write(line % (2000, "flush_finished") + line % (3000, "table_file_creation"))
            first, second = next(events), next(events)
        self.assertEqual([first[0], first[2]["type"], second[2]["type"]],
                         ["log", "flush_finished", "table_file_creation"])
        self.assertEqual(first[2]["data"]["job"], 3)
        with Stream(self.server, "/api/v1/targets/t2/events", f"Last-Event-ID: {first[1]}") as again:
            told = [data["type"] for _, (name, _, data) in zip(range(2), again) if name == "log"]
        self.assertEqual(told, ["table_file_creation"])
        with Stream(self.server, "/api/v1/targets/t2/events?types=a,flush_finished",
                    "Last-Event-ID: 0-0") as some:
            told = [data["type"] for _, (name, _, data) in zip(range(2), some) if name == "log"]
        self.assertEqual(told, ["flush_finished"])
        log.unlink()

    def test_a_download_that_fails_on_the_way_does_not_look_whole(self):
        shutil.copytree(self.folder / "large", self.folder / "cut")
        table = max((self.folder / "cut").glob("*.sst"), key=lambda path: path.stat().st_size)
        size = table.stat().st_size
        self.assertGreater(size, 16 << 20)  # More than a connection holds on its way.
        server = served.Server(VARVE, [self.folder / "cut"])
        try:
            with server.connect() as client:
                target = f"/api/v1/targets/t1/files/{int(table.stem)}/bytes"
                client.sendall(server.fill(
                    f"GET {target} HTTP/1.1\r\nHost: @HOST@\r\nAuthorization: Bearer @TOKEN@\r\n\r\n".encode()))
                buffer = bytearray()
                status, headers = served.read_head(client, buffer)
                self.assertEqual((status, headers.get("content-length")), (200, str(size)))
                with table.open("r+b") as file:
                    file.truncate(size // 2)
                received = len(buffer)
                while piece := client.recv(1 << 20):
                    received += len(piece)
                self.assertLess(received, size)
        finally:
            self.assertEqual(server.stop(), 0)
            shutil.rmtree(self.folder / "cut")

    def open_stream(self):
        """None if there are too many."""
        stream = Stream(self.server, "/api/v1/targets/t2/events")
        if stream.status == 200:
            return stream
        stream.client.close()
        return None

    def test_streams_are_bounded_in_number_and_end_with_the_server(self):
        streams = [Stream(self.server, "/api/v1/targets/t2/events") for _ in range(17)]
        self.assertEqual([stream.status for stream in streams], [200] * 16 + [503])
        self.assertEqual(self.server.get("/api/v1/").status, 200)
        streams[0].client.close()
        streams.append(served.wait_until("a client that left has no stream any more",
                                         self.open_stream, 5))
        begin = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - begin, 3)
        for stream in streams:
            stream.client.close()


if __name__ == "__main__":
    VARVE, FIXTURES = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
