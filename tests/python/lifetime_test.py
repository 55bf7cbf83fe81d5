#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may use what for how long: closing, dropping, forking and pickling, in any order."""
import collections
import copy
import ctypes
import gc
import itertools
import os
import pickle
import signal
import subprocess
import sys
import unittest

import varve
from scratch import Scratch


class LifetimeTest(Scratch):
    def open(self, **options):
        db = varve.open(self.home / "db", create_if_missing=True, **options)
        self.addCleanup(db.close)
        return db

    def filled(self, count=1000):
        db = self.open()
        for number in range(count):
            db[b"%06d" % number] = b"value"
        return db

    def test_every_function_raises_after_close(self):
        db = self.filled()
        family, snapshot, batch = db.create_family("other"), db.snapshot(), varve.WriteBatch()
        at_snapshot, fresh, begun = snapshot.family("other"), db.items(), snapshot.items()
        next(begun)
        db.close()
        reads = {"__getitem__": (b"a",), "__contains__": (b"a",), "__iter__": (), "get": (b"a",), "multi_get": ([b"a"],),
                 "items": (), "keys": (), "values": (), "scan": ()}
        writes = {"__setitem__": (b"a", b"b"), "__delitem__": (b"a",), "put": (b"a", b"b"), "delete": (b"a",),
                  "delete_range": (b"a", b"b"), "merge": (b"a", b"b"), "flush": (), "compact": (),
                  "ingest": ([],), "load": ([],), "options": (), "set_options": (), "family_stats": (), "levels": (), "files": (),
                  "approximate_size": ()}
        of_database = {"write": (batch,), "snapshot": (), "family": ("other",), "families": (), "create_family": ("x",),
                       "drop_family": ("other",), "flush_all": (), "sync_wal": (), "wait_for_background_work": (),
                       "checkpoint": (self.home / "copy",), "ingest_families": ({},), "stats": (), "recovery": ()}
        harmless = {"close", "path", "closed", "read_only", "name", "sequence", "__enter__", "__exit__",
                    "_repr_html_"}
        for thing, functions in ((db, reads | writes | of_database), (family, reads | writes),
                                 (snapshot, reads | {"family": ("other",)}), (at_snapshot, reads)):
            listed = {name for kind in type(thing).__mro__ if kind.__module__.startswith("varve")
                      for name in vars(kind)} - {"__doc__", "__module__", "__repr__", "__reduce__", "__init__", "__new__"}
            self.assertEqual(set(), listed - functions.keys() - harmless)  # None is forgotten here.
            for name, arguments in functions.items():
                with self.subTest(type=type(thing).__name__, function=name), \
                        self.assertRaisesRegex(varve.Shutdown, "the database is closed"):
                    getattr(thing, name)(*arguments)
        for records in (fresh, begun):
            self.assertRaises(varve.Shutdown, next, records)
        self.assertTrue(db.closed)
        self.assertIn("closed", repr(db))
        self.assertEqual(str(self.home / "db"), db.path)
        db.close()  # Does nothing.
        snapshot.close()

    def test_close_releases_the_database_although_all_else_lives(self):
        db = self.filled()
        db.flush()
        kept = [db.snapshot(), db.items(), db.family("default")]
        next(kept[1])
        self.assertTrue(self.open_files())
        db.close()
        self.assertEqual([], self.open_files())
        with self.open() as again:  # The lock is free.
            self.assertEqual(1000, sum(1 for _ in again))
        self.assertRaises(varve.Shutdown, list, kept[1])

    def open_files(self):
        """Of the database, those that this process has open."""
        links = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
        return [link for link in links if os.path.lexists(link) and os.readlink(link).startswith(str(self.home))]

    def test_a_database_that_is_in_use_is_busy(self):
        with self.open():
            self.assertRaises(varve.Busy, varve.open, self.home / "db")

    def test_objects_keep_the_database(self):
        """In a process of its own, which nothing else keeps anything in."""
        self.run_python("""
            def views():
                db = varve.open(path, create_if_missing=True)
                for number in range(1000):
                    db[b"%04d" % number] = b"v"
                return db.family("default"), db.snapshot(), db.items(), db.snapshot().items()
            family, snapshot, items, at_snapshot = views()
            gc.collect()
            next(items)
            del family
            assert len(list(items)) == 999 and snapshot[b"0007"] == b"v" and len(list(at_snapshot)) == 1000
            del snapshot, at_snapshot, items
            gc.collect()
            with varve.open(path) as db:  # The last one has closed it.
                assert db[b"0999"] == b"v"
            """)

    def test_the_end_of_the_interpreter(self):
        """Whatever is left open then: every order of destruction that it may choose."""
        for left in ("db", "db, db.snapshot(), db.items()", "db.items(), db", "[db.keys()], db.family('default')"):
            with self.subTest(left):
                self.run_python(f"""
                    db = varve.open(path, create_if_missing=True)
                    db.put(b"a", b"b", durability="none")
                    left = {left}
                    """)
                with self.open() as db:  # It was closed, so that nothing is missing.
                    self.assertEqual(b"b", db[b"a"])
                    del db[b"a"]

    def test_daemon_threads_at_the_end_of_the_interpreter(self):
        """They are in a call, or come back from one: the process ends as it would without them."""
        for use in ("db.get(b'0001')", "list(db.items())", "db.multi_get([b'0001'] * 100)", "db.put(b'a', b'b')",
                    "db.snapshot().close()"):
            with self.subTest(use):
                self.run_python(f"""
                    import threading
                    db = varve.open(path, create_if_missing=True)
                    for number in range(1000):
                        db[b"%04d" % number] = b"v"
                    began = threading.Barrier(5)
                    def forever():
                        began.wait()
                        while True:
                            {use}
                    for _ in range(4):
                        threading.Thread(target=forever, daemon=True).start()
                    began.wait()
                    {use}
                    """)

    def test_interrupted_in_the_middle_of_a_list(self):
        """Functions in C that take all of an iterator do not look for signals. No record is lost."""
        db = self.filled(10_000)
        records, kill = db.keys(), ctypes.CDLL(None).kill  # Which does not look for signals either.
        signalled = map(kill, [os.getpid()], [signal.SIGINT])
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with self.assertRaises(KeyboardInterrupt):
            collections.deque(itertools.chain(signalled, records), maxlen=0)
        self.assertEqual([b"%06d" % number for number in range(10_000)], list(records))

    def test_a_write_without_memory_ends_the_process(self):
        """Or raises MemoryError, where the engine was not reached. A later call does not wait forever."""
        program = f"""if True:
            import resource, sys, varve
            db = varve.open({str(self.home / 'db')!r} + sys.argv[1], create_if_missing=True)
            value, size = bytes(32 << 20), int(open("/proc/self/statm").read().split()[0]) << 12
            resource.setrlimit(resource.RLIMIT_AS, (size + (int(sys.argv[1]) << 20),) * 2)
            try:
                db[b"a"] = value
            except MemoryError:
                print("MemoryError")
            db[b"b"] = b"2"
            db.close()
            """
        seen = set()
        for more in (16, 36, 52, 68, 84, 512):
            done = subprocess.run([sys.executable, "-c", program, str(more)], capture_output=True, text=True, timeout=60)
            seen.add((done.returncode, done.stdout, done.stderr))
        ended, refused, done = (-signal.SIGABRT, "", "varve: out of memory\n"), (0, "MemoryError\n", ""), (0, "", "")
        self.assertEqual({ended, refused, done}, seen)

    def test_subinterpreters_are_refused(self):
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            self.skipTest("this Python has them elsewhere")
        other = interpreters.create()
        self.addCleanup(interpreters.destroy, other)
        interpreters.run_string(other, "try:\n import varve\nexcept ImportError as error:\n assert 'main' in str(error)\n"
                                "else:\n assert False")
        self.assertEqual(1, len(list(self.filled(1))))

    def run_python(self, text):
        lines = text.splitlines()
        indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        program = f"import gc, os, sys, varve\npath = {str(self.home / 'db')!r}\n" + "\n".join(
            line[indent:] for line in lines)
        done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", program], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        return done.stdout

    def test_closed_snapshots(self):
        db = self.filled()
        snapshot = db.snapshot()
        family, records = snapshot.family("default"), snapshot.items()
        snapshot.close()
        snapshot.close()
        for read in (lambda: snapshot[b"a"], lambda: family.get(b"a"), snapshot.items, lambda: list(family)):
            self.assertRaisesRegex(varve.Shutdown, "the snapshot is closed", read)
        self.assertEqual(1000, len(list(records)))  # It has the state already.
        self.assertIn(b"000000", db)

    def test_with_closes_also_when_it_is_left_by_an_error(self):
        with self.assertRaises(ZeroDivisionError), self.open() as db:
            raise ZeroDivisionError
        self.assertTrue(db.closed)

    def test_nothing_is_made_but_by_open(self):
        for kind in (varve.CompactionJob, varve.DB, varve.Family, varve.View, varve.Snapshot):
            with self.subTest(kind):
                self.assertRaises(TypeError, kind)
                self.assertRaises(TypeError, kind, self.home)

    def test_pickling_is_refused(self):
        db = self.filled()
        for thing in (db, db.create_family("other"), db.snapshot(), db.snapshot().family("other"), db.items(),
                      db.scan(), varve.WriteBatch()):
            with self.subTest(type(thing)):
                for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                    self.assertRaisesRegex(TypeError, "cannot be pickled", pickle.dumps, thing, protocol)
                self.assertRaisesRegex(TypeError, "cannot be pickled", copy.copy, thing)

    def test_errors_are_pickled(self):
        error = varve.Corruption("000012.sst@4096: checksum is 1, block says 2")
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(error), str(error), "000012.sst", 4096),
                         (type(again), str(again), again.file, again.offset))

    def test_forked_children(self):
        """A child may not use what its parent has open, and ends without harm to it."""
        self.run_python("""
            db = varve.open(path, create_if_missing=True)
            for number in range(1000):
                db[b"%04d" % number] = b"v"
            snapshot, items = db.snapshot(), db.items()
            next(items)
            child = os.fork()
            if child == 0:
                for use in (lambda: db[b"0000"], lambda: db.put(b"a", b"b"), lambda: next(items),
                            lambda: snapshot[b"0000"], db.snapshot):
                    try:
                        use()
                    except varve.NotSupported as error:
                        assert "fork" in str(error)
                    else:
                        os._exit(1)
                snapshot.close()
                db.close()
                del db, snapshot, items
                gc.collect()
                with varve.open(path + "-of-child", create_if_missing=True) as own:
                    own[b"a"] = b"b"
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
            assert len(list(items)) == 999 and snapshot[b"0000"] == b"v"
            db[b"after"] = b"fork"
            db.close()
            with varve.open(path) as db:
                assert db[b"after"] == b"fork"
            """)

    def test_memory_stays_as_it_is(self):
        """Neither objects nor what they hold of the engine pile up."""
        db = self.filled(10)

        def use():
            for _ in range(10_000):
                db.get(b"000001")
                db.multi_get([b"000001", b"x"])
                next(db.items(start=b"000002"))
                db.snapshot().get(b"000001")
                db.family("default").put(b"a", bytearray(1000))
                try:
                    db[b"absent"]
                except KeyError:
                    pass
                try:
                    db.family("absent")
                except varve.InvalidArgument:
                    pass
            db.flush()
            gc.collect()
            return resident()

        # malloc() gives back or takes megabytes at times. What leaks is taken in every round.
        sizes = [use() for _ in range(6)]
        self.assertLess(min(after - before for before, after in zip(sizes[1:], sizes[2:])), 2 << 20, sizes)


def resident():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    unittest.main()
