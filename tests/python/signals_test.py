#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in long calls. Each is made by a child process whose second thread sends SIGINT once the call is
under way. The work would take far longer than the end of an interrupted call may: what it has left undone
shows that it was interrupted, not a clock."""
import subprocess
import sys
import textwrap
import unittest

from scratch import Scratch

CHILD = """
import os, random, signal, sys, threading, varve

def send_when(began):
    def send():
        while not began():
            pass
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send, daemon=True).start()

some = random.Random(7)
values = [bytes(some.choices(range(16), k=4000)) for _ in range(64)]
db = varve.open(sys.argv[1], create_if_missing=True, disable_auto_compactions=True, compression="none",
                write_buffer_size=1 << 28, **{"compression_opts.level": 19})
for table in range(2):  # Each has all the keys: none can be moved to another level as it is.
    for number in range(20_000):
        db.put(b"%06d" % number, values[number % 64], durability="none")
    db.flush()
db.set_options(compression="zstd")  # Slow: 80 MB.
before = db.files()
"""


class SignalsTest(Scratch):
    def told(self, text):
        """What the child prints."""
        done = subprocess.run([sys.executable, "-c", CHILD + textwrap.dedent(text), self.home / "db"],
                              capture_output=True, text=True, timeout=500)
        self.assertEqual(0, done.returncode, done.stderr)
        return done.stdout

    def test_a_compaction(self):
        """It leaves the tables as they were, and no others; the next one works."""
        self.assertEqual("interrupted True True True\n", self.told("""
            send_when(lambda: db.stats()["compaction_bytes_read"] > 0)
            try:
                db.compact()
            except KeyboardInterrupt:
                there = {name for name in os.listdir(sys.argv[1]) if name.endswith(".sst")}
                print("interrupted", before == db.files(), there == {"%06d.sst" % file["number"] for file in before},
                      end=" ")
            db.set_options(compression="none")
            db.compact()
            print([file["level"] > 0 for file in db.files()] == [True] * len(db.files()))
            """))

    def test_what_the_handler_raises_is_raised(self):
        self.assertEqual("mine\n", self.told("""
            class Mine(Exception): pass
            def handler(number, frame): raise Mine
            signal.signal(signal.SIGINT, handler)
            send_when(lambda: db.stats()["compaction_bytes_read"] > 0)
            try:
                db.compact()
            except Mine:
                print("mine")
            """))

    def test_a_handler_that_raises_nothing_interrupts_nothing(self):
        self.assertEqual("True\n", self.told("""
            called = threading.Event()
            signal.signal(signal.SIGINT, lambda number, frame: called.set())
            db.set_options(compression="none")
            send_when(lambda: db.stats()["compaction_bytes_read"] > 0)
            db.compact()
            called.wait()
            print(before != db.files())
            """))

    def test_other_threads_are_not_interrupted(self):
        """Signals are the main thread's."""
        self.assertEqual("interrupted True\n", self.told("""
            db.set_options(compression="none")
            thread = threading.Thread(target=db.compact)
            send_when(lambda: db.stats()["compaction_bytes_read"] > 0)
            try:
                thread.start()
                threading.Event().wait()
            except KeyboardInterrupt:
                print("interrupted", end=" ")
            thread.join()
            print(before != db.files())
            """))

    def test_load(self):
        """Between two batches: what was written before stays."""
        self.assertEqual("interrupted True\n", self.told("""
            other = varve.open(sys.argv[1] + "-other", create_if_missing=True)
            send_when(lambda: next(other.keys(), None) is not None)
            try:
                other.load(db.scan(), durability="sync")
            except KeyboardInterrupt:
                print("interrupted", 0 < len(list(other)) < 20_000)
            """))


if __name__ == "__main__":
    unittest.main()
