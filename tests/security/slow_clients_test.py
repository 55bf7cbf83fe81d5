#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""200 clients that take their time, and one that does not:

    slow_clients_test.py VARVE FIXTURES

However slow the others are (a byte of a head now and then, a body that trickles, an answer that
nobody takes, nothing at all), the good one gets its answers, and the server stops when told to."""
import pathlib
import socket
import sys
import threading
import time
import unittest

import hostile_rows
import served

CLIENTS = 200
GOOD_REQUESTS = 40
WORST_SECONDS = 1.0
BUSY_SECONDS = 5.0  # Where the slow ones make the server work, too.


class Slow:
    """One slow client, which comes again whenever it is thrown out, until told to stop."""

    def __init__(self, server, opening, drip, stop):
        self.server, self.opening, self.drip, self.stop = server, opening, drip, stop
        self.client, self.connected = None, 0
        self.reconnect()

    def reconnect(self):
        self.client = socket.socket()
        self.client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self.client.settimeout(2)
        self.client.connect(("127.0.0.1", self.server.port))
        self.client.sendall(self.server.fill(self.opening))
        self.connected += 1

    def step(self):
        try:
            if self.drip:
                self.client.sendall(self.drip)
        except OSError:
            self.client.close()
            try:
                self.reconnect()
            except OSError:
                pass


class SlowClients(unittest.TestCase):
    def setUp(self):
        self.server = served.Server(VARVE, [FIXTURES / "db/rocksdb-7.8.3/cursor"])

    def tearDown(self):
        if self.server.alive():
            self.server.stop()

    def run_against(self, opening, drip=b"", bound=WORST_SECONDS):
        stop = threading.Event()
        slow = [Slow(self.server, opening, drip, stop) for _ in range(CLIENTS)]

        def work():
            while not stop.is_set():
                for client in slow:
                    client.step()
                stop.wait(0.1)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            worst = 0
            for _ in range(GOOD_REQUESTS):
                begin = time.monotonic()
                answer = self.server.get("/api/v1/targets/t1/files")
                worst = max(worst, time.monotonic() - begin)
                self.assertEqual(answer.status, 200)
                time.sleep(0.02)  # pause: over several pieces of the slow ones, which come by the clock
            self.assertLess(worst, bound)
            self.assert_is_bounded()
        finally:
            stop.set()
            thread.join()
            begin = time.monotonic()
            self.assertEqual(self.server.stop(), 0)
            self.assertLess(time.monotonic() - begin, 5)
            for client in slow:
                client.client.close()

    def assert_is_bounded(self):
        process = pathlib.Path(f"/proc/{self.server.process.pid}")
        threads = len(list((process / "task").iterdir()))
        # 32 of connections, and those of the engine behind them.
        self.assertLess(threads, 80)
        descriptors = len(list((process / "fd").iterdir()))
        self.assertLess(descriptors, 32 + 80)

    def test_silent_clients(self):
        self.run_against(b"")

    def test_heads_that_trickle(self):
        self.run_against(b"GET /api/v1/targets HTTP/1.1\r\nHost: @HOST@\r\nX: ", b"y")

    def test_bodies_that_trickle(self):
        self.run_against(hostile_rows.post(hostile_rows.MULTIGET, b'{"keys":["', length=60000), b"y")

    def test_answers_that_nobody_takes(self):
        # More than the buffers of a connection hold, asked for over and over.
        whole = hostile_rows.get("/api/v1/targets/t1/cfs/default/scan?page_size=10000")
        self.run_against(whole * 8, bound=BUSY_SECONDS)

    def test_streams_that_nobody_takes(self):
        lines = hostile_rows.get("/api/v1/targets/t1/cfs/default/scan", "Accept: application/jsonl")
        self.run_against(lines, bound=BUSY_SECONDS)


if __name__ == "__main__":
    VARVE, FIXTURES = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
