#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many threads on one database, and one that closes it under them."""
import sys
import threading
import time
import unittest

import varve
from scratch import Scratch


class ThreadsTest(Scratch):
    def setUp(self):
        super().setUp()
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)  # They change places often.
        self.addCleanup(sys.setswitchinterval, before)
        self.db = varve.open(self.home / "db", create_if_missing=True, write_buffer_size=64 << 10)
        self.addCleanup(self.db.close)

    def together(self, *works):
        """Runs them at once; what one raises is raised here."""
        raised, ready = [], threading.Barrier(len(works))

        def run(work):
            try:
                ready.wait()
                work()
            except BaseException as error:  # Asserted below.
                raised.append(error)

        threads = [threading.Thread(target=run, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if raised:
            raise raised[0]

    def test_readers_and_writers(self):
        """Both keys of a batch are there with one value, or neither."""
        def write(name):
            for number in range(300):
                batch = varve.WriteBatch()
                for key in (b"a", b"b"):
                    batch.put(key + name, b"%d" % number)
                self.db.write(batch)

        def read(name):
            last = -1
            while last < 299:
                first, second = self.db.multi_get([b"a" + name, b"b" + name])
                self.assertEqual(first, second)
                with self.db.snapshot() as snapshot:
                    self.assertEqual(snapshot.get(b"a" + name), snapshot.get(b"b" + name))
                seen = dict(self.db.items())
                self.assertEqual(seen.get(b"a" + name), seen.get(b"b" + name))
                number = -1 if first is None else int(first)
                self.assertGreaterEqual(number, last)
                last = number

        names = (b"1", b"2")
        self.together(*(lambda name=name, work=work: work(name) for name in names for work in (write, read)))
        self.assertEqual({b"a1", b"a2", b"b1", b"b2"}, set(self.db))

    def test_the_gil_is_released(self):
        """While a thread is in a call of the engine, and only then, another one comes to run."""
        self.db[b"a"] = b"value"
        family, batch = self.db.create_family("f", merge_operator="max"), varve.WriteBatch()
        calls = {"get": lambda: self.db.get(b"a"), "[]": lambda: self.db[b"a"], "in": lambda: b"a" in self.db,
                 "multi_get": lambda: self.db.multi_get([b"a"]), "items": self.db.items,
                 "next": lambda: list(self.db.items()), "put": lambda: self.db.put(b"a", b"value"),
                 "delete": lambda: self.db.delete(b"x"), "delete_range": lambda: self.db.delete_range(b"x", b"y"),
                 "merge": lambda: family.merge(b"a", b"b"), "write": lambda: self.db.write(batch),
                 "snapshot": self.db.snapshot, "flush": self.db.flush, "compact": self.db.compact,
                 "sync_wal": self.db.sync_wal, "flush_all": self.db.flush_all, "files": self.db.files,
                 "wait_for_background_work": self.db.wait_for_background_work,
                 "approximate_size": self.db.approximate_size,
                 "open, close": lambda: varve.open(self.home / "db", read_only=True).close()}
        sys.setswitchinterval(1000)  # Nobody takes the GIL from another: it is only given.
        for name, call in calls.items():
            with self.subTest(name):
                ran, gate = [], threading.Lock()
                gate.acquire()

                def run(ran=ran, gate=gate):
                    with gate:
                        ran.append(True)

                thread = threading.Thread(target=run)
                thread.start()
                gate.release()
                end = time.monotonic() + 20
                while not ran and time.monotonic() < end:
                    call()
                self.assertEqual([True], ran)
                thread.join()

    def test_one_iterator_by_many(self):
        """Each record is given once, or the thread is told that another one is at it."""
        for number in range(20_000):
            self.db[b"%06d" % number] = b""
        records, lists = self.db.keys(), [[] for _ in range(4)]

        def take(mine):
            while True:
                try:
                    mine.append(next(records))
                except StopIteration:
                    return
                except RuntimeError as error:
                    self.assertIn("another thread", str(error))

        self.together(*(lambda mine=mine: take(mine) for mine in lists))
        self.assertEqual([b"%06d" % number for number in range(20_000)], sorted(sum(lists, [])))
        for mine in lists:
            self.assertEqual(sorted(mine), mine)

    def test_closed_under_them(self):
        """Every call ends well or raises Shutdown."""
        for number in range(3000):
            self.db[b"%06d" % number] = b"value"
        began = threading.Barrier(7)

        def until_closed(use):
            began.wait()
            while True:
                try:
                    use()
                except varve.Shutdown:
                    return

        snapshot = self.db.snapshot()

        def write():
            self.db[b"000001"] = b"value"

        def close():
            began.wait()
            self.db.close()

        self.together(close, *(lambda use=use: until_closed(use) for use in (
            lambda: self.assertEqual(b"value", self.db[b"000001"]),
            lambda: self.assertEqual(3000, sum(1 for _ in self.db)),
            lambda: self.assertEqual(3000, len(list(snapshot.items(reverse=True)))),
            lambda: self.assertEqual([b"value", None], self.db.multi_get([b"000001", b"x"])),
            lambda: self.db.snapshot().close(),
            write)))
        with varve.open(self.home / "db") as db:
            self.assertEqual(3000, sum(1 for _ in db))

    def test_closed_by_many(self):
        self.together(*[self.db.close] * 4)
        self.assertTrue(self.db.closed)


if __name__ == "__main__":
    unittest.main()
