#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads by many processes (varve.staging) are all or nothing: staging_test.py STRACE [unittest arguments]"""
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import unittest

import loads
import varve
from children import run
from staged import NEW, OLD, Staged
from varve import _folders, _parts, staging, views

STRACE = None


class Folders(Staged):
    def contents(self):
        return run(loads.contents, self.db)

    def begun(self, **how):
        return run(lambda: staging.begin(self.db, **{"like": loads.like(), **how}))

    def built(self, job, pairs, label="0"):
        return run(lambda: job.write(loads.batches(pairs), label))


class LoadTest(Folders):
    def test_tables_of_several_tasks(self):
        run(loads.fill, self.db, OLD)
        job = self.begun()
        built = [self.built(job, NEW[:200], "0"), self.built(job, [], "1"), self.built(job, NEW[200:], "2")]
        self.assertEqual([200, 0, 300], [of_task.records for of_task in built])
        self.assertEqual(dict(OLD), self.contents())
        self.assertTrue(run(job.commit, built))
        self.assertEqual(dict(OLD) | dict(NEW), self.contents())
        self.assertFalse(os.path.exists(f"{self.db}.staging"))

    def test_what_was_not_chosen_is_not_added(self):
        job = self.begun()
        chosen = self.built(job, NEW)
        self.built(job, [(key, b"another attempt") for key, _ in NEW])
        run(job.commit, [chosen])
        self.assertEqual(dict(NEW), self.contents())
        self.assertEqual(len(NEW), run(loads.entries, self.db))
        self.assertEqual([], loads.left(self.db))

    def test_abort(self):
        run(loads.fill, self.db, OLD)
        job = self.begun()
        built = self.built(job, NEW)
        run(job.abort)
        self.assertEqual([], loads.left(self.db))
        self.refused("NotFound", "the job is over", self.built, job, NEW)
        self.refused("NotFound", "000000.sst", job.commit, [built])
        self.assertEqual(dict(OLD), self.contents())
        self.assertEqual([], loads.left(self.db))

    def test_a_task_that_goes_on_after_the_end_leaves_nothing(self):
        pairs = [(b"%08d" % key, b"value" * 10) for key in range(2000)]
        for table_bytes in (1, 1 << 20):  # It begins another table after the end, or completes one.
            job = self.begun(table_bytes=table_bytes)

            def write(job=job):
                def records():
                    yield from loads.batches(pairs[:1000])
                    job.abort()
                    yield from loads.batches(pairs[1000:])
                return job.write(records(), "0")
            if table_bytes == 1:
                self.refused("NotFound", "No such file|sst", write)
            else:
                self.refused("NotFound", "sst", job.commit, [run(write)])
            self.assertEqual([], loads.left(self.db))
            self.assertFalse(os.path.exists(f"{self.db}.staging"))

    def test_small_tables(self):
        job = self.begun(table_bytes=1)
        pairs = [(b"%08d" % key, b"v" * 10) for key in range(100_000)]
        built = run(lambda: job.write(loads.batches(pairs, 50_000), "0"))
        self.assertGreater(len(built.tables), 3)
        for left, right in zip(built.tables, built.tables[1:]):
            self.assertLess(left.largest, right.smallest)
        run(job.commit, [built])
        self.assertEqual(dict(pairs), self.contents())

    def test_families_and_options(self):
        job = self.begun(family="users", options={"compression": "zstd", "block_size": "1024"})
        built = self.built(job, [(b"k%04d" % key, b"value" * 100) for key in range(1000)])
        self.assertLess(built.tables[0].size, 50_000)

        def users():
            with varve.open(self.db) as db:
                return len(list(db)), len(list(db.family("users"))), db.family("users").options()["block_size"]
        run(job.commit, [built])
        self.assertEqual((0, 1000, "1024"), run(users))
        # Tables of a database have its options, whoever loads.
        self.assertEqual("kZSTD", run(lambda: staging.begin(self.db, family="users")).options["compression"])

    def test_sweep(self):
        job = self.begun()
        self.built(job, NEW)
        self.assertEqual([], run(staging.sweep, self.db, 3600))
        self.assertEqual([job.name], run(staging.sweep, self.db, 0))
        self.assertEqual([], loads.left(self.db))
        self.assertFalse(os.path.exists(f"{self.db}.staging"))
        self.assertEqual([], run(staging.sweep, self.db, 0))
        old = self.begun()
        new = self.begun(expiry=0)  # A job sweeps before it begins.
        self.assertEqual([new.name], os.listdir(f"{self.db}.staging"))
        told = subprocess.run([sys.executable, "-m", "varve.staging", self.db, "--older-than", "0"], text=True,
                              capture_output=True, check=True)
        self.assertEqual(f"{new.name}\n", told.stdout)
        self.refused("NotFound", "swept", self.built, old, NEW)

    def test_a_removal_that_was_killed(self):
        job = self.begun()
        os.rename(job.folder, f"{job.folder}{_folders._GONE}1")
        self.assertEqual([], run(staging.sweep, self.db, 3600))
        self.assertEqual([], loads.left(self.db))


class RefusedTest(Folders):
    def check_unchanged(self):
        run(staging.sweep, self.db, 0)
        self.assertEqual(dict(OLD), self.contents())
        self.assertEqual([], loads.left(self.db))

    def setUp(self):
        super().setUp()
        run(loads.fill, self.db, OLD)

    def test_not_sorted(self):
        job = self.begun()
        self.refused("InvalidArgument", "ascending|order", self.built, job, NEW[:10] + NEW[:5])
        job = self.begun(table_bytes=1)  # The other place where it could be.
        pairs = [(b"%08d" % key, b"") for key in range(40_000)]
        backwards = pairs[20_000:] + pairs[:20_000]
        self.refused("InvalidArgument", "sorted|ascending|order", self.built, job, backwards)
        self.check_unchanged()

    def test_overlapping_ranges(self):
        job = self.begun()
        built = [self.built(job, NEW[:300], "p0"), self.built(job, NEW[299:], "p1")]
        self.refused("InvalidArgument", r"p0-\w+/000000.sst and .*p1-\w+/000000.sst both have keys from b'0598'",
                     job.commit, built)
        self.assertEqual(dict(OLD), self.contents())
        # It can still be committed, with something else.
        built[1] = self.built(job, NEW[300:], "p1")
        run(job.commit, built)
        self.assertEqual(dict(OLD) | dict(NEW), self.contents())

    def test_a_key_twice(self):
        twice = [(b"a", b"1"), (b"b", b"1"), (b"b", b"2"), (b"c", b"1")]
        job = self.begun()
        self.refused("InvalidArgument", "ascending|order", self.built, job, twice)
        run(job.abort)
        self.check_unchanged()
        job = self.begun(duplicates="last")
        built = self.built(job, twice)
        self.assertEqual(3, built.records)
        run(job.commit, [built])
        self.assertEqual(dict(OLD) | dict(twice), self.contents())

    def test_the_last_of_many_is_kept_where_tables_end(self):
        job = self.begun(duplicates="last", table_bytes=1)
        pairs = [(b"%08d" % (row // 40_000), b"%d" % row) for row in range(120_001)]
        built = self.built(job, pairs)
        self.assertEqual(4, built.records)
        run(job.commit, [built])
        self.assertEqual(dict(OLD) | dict(pairs), self.contents())

    def test_columns(self):
        import pyarrow
        for table, kind, text in (
                (pyarrow.table({"id": [1], "value": [b""]}), "InvalidArgument", '"key"'),
                (pyarrow.table({"key": [1], "value": [b""]}), "InvalidArgument", '"key".*int64'),
                (pyarrow.table({"key": [b"a"]}), "InvalidArgument", '"value"')):
            self.refused(kind, text, lambda like=table: staging.begin(self.db, like=like))
        self.refused("InvalidArgument", "no type|type", lambda: staging.begin(
            self.db, like=loads.like(), columns=staging.Columns(key_schema="id:u65be")))
        job = self.begun()
        null = pyarrow.record_batch({"key": pyarrow.array([b"a", None]), "value": pyarrow.array([b"", b""])})
        self.refused("InvalidArgument", "null", lambda: job.write([null], "0"))
        self.check_unchanged()

    def test_a_database_that_another_process_has(self):
        with _Held(self.db):
            self.refused("Busy", "LOCK|lock", lambda: staging.begin(self.db, wait=0.2))
        job = self.begun(wait=0.2)
        built = self.built(job, NEW)
        with _Held(self.db):
            self.refused("Busy", "LOCK|lock", job.commit, [built])
        run(job.commit, [built])
        self.assertEqual(dict(OLD) | dict(NEW), self.contents())

    def test_another_order_of_keys(self):
        self.refused("NotSupported", "Reverse", lambda: staging.begin(
            self.home / "reverse", options={"comparator": "rocksdb.ReverseBytewiseComparator"}))

    def test_a_table_that_was_changed_meanwhile(self):
        job = self.begun()
        built = self.built(job, NEW)
        path = pathlib.Path(f"{self.db}.staging", built.tables[0].path)
        data = bytearray(path.read_bytes())
        data[20] ^= 1
        path.write_bytes(data)
        self.refused("Corruption", "sst", job.commit, [built])
        self.check_unchanged()


class _Held:
    """Another process has the database open for writing."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        program = "import sys, varve\nwith varve.open(sys.argv[1]): print('open', flush=True); sys.stdin.read()"
        self.process = subprocess.Popen([sys.executable, "-c", program, self.path], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "open\n"

    def __exit__(self, *_):
        self.process.communicate()


class StreamTest(Folders):
    def commit(self, batch, pairs, stream="s"):
        job = self.begun(stream=stream)
        built = self.built(job, pairs)
        # Spark makes another one for the end of a batch.
        return run(lambda: staging.begin(self.db, stream=stream).commit([built], batch=batch))

    def test_a_batch_counts_once(self):
        self.assertTrue(self.commit(0, [(b"a", b"0")]))
        self.assertTrue(self.commit(1, [(b"a", b"1"), (b"b", b"1")]))
        run(loads.fill, self.db, [(b"a", b"changed since")])
        self.assertFalse(self.commit(1, [(b"a", b"1"), (b"b", b"1")]))
        self.assertEqual({b"a": b"changed since", b"b": b"1"}, self.contents())
        self.assertTrue(self.commit(2, []))
        self.assertTrue(self.commit(0, [(b"c", b"0")], "another"))
        self.refused("InvalidArgument", "batch 1 of the stream 's' comes after its batch 2", self.commit, 1, [])
        self.assertEqual({b"a": b"changed since", b"b": b"1", b"c": b"0"}, self.contents())
        run(staging.sweep, self.db, 0)
        self.assertEqual([], loads.left(self.db))

    def test_a_number_and_a_stream_belong_together(self):
        self.refused("ValueError", "number", lambda: self.begun(stream="s").commit([]))
        self.refused("ValueError", "number", lambda: self.begun().commit([], batch=1))

    def test_an_abort_removes_what_the_batch_has_written(self):
        self.built(self.begun(stream="s"), NEW)
        other = self.begun(stream="t")
        run(lambda: staging.begin(self.db, stream="s").abort())
        self.assertEqual([other.name], os.listdir(f"{self.db}.staging"))


class KilledDriverTest(Folders):
    """The process that commits is killed in each call of the system that changes something."""
    CALLS = ("link", "linkat", "rename", "renameat2", "unlink", "unlinkat", "mkdir", "rmdir", "fsync", "fdatasync",
             "ftruncate", "write", "pwrite64")
    PROGRAM = ("import pickle, sys\n"
               "job, built, how = pickle.load(open(sys.argv[1], 'rb'))\n"
               "job.commit(built, **how)\n"
               "print('committed')\n")

    def commit_killed(self, job, built, point, **how):
        """Kills it in the so manieth call of that name. Whether it got to its end."""
        call, number = point
        given = self.home / "job"
        given.write_bytes(pickle.dumps((job, built, how)))
        done = subprocess.run([STRACE, "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                               f"inject={call}:signal=KILL:when={number}", sys.executable, "-c", self.PROGRAM, given],
                              capture_output=True, text=True)
        if done.returncode == 0:
            self.assertEqual("committed\n", done.stdout)
        else:
            self.assertEqual((-9, ""), (done.returncode, done.stderr))
        return done.returncode == 0

    def each_point(self, commit):
        """How often commit() was killed."""
        kills = 0
        for call in self.CALLS:
            for number in range(1, 500):
                shutil.rmtree(self.db, ignore_errors=True)
                run(loads.fill, self.db, OLD)
                if commit((call, number)):
                    break
                kills += 1
        return kills

    def test_a_load(self):
        seen = {"old": 0, "new": 0}

        def commit(point):
            job = self.begun()
            built = [self.built(job, NEW[:200], "0"), self.built(job, NEW[200:], "1")]
            done = self.commit_killed(job, built, point)
            found = self.contents()
            state = "new" if found == dict(OLD) | dict(NEW) else "old"
            seen[state] += 1
            if state == "old":
                self.assertEqual(dict(OLD), found)
            self.assertLessEqual(done, state == "new")
            self.assertEqual([], run(loads.sweep_all, self.db))
            return done
        self.assertGreater(self.each_point(commit), 12)
        self.assertGreater(min(seen.values()), 3, seen)

    def test_a_batch_of_a_stream(self):
        """Killed, it is tried again, as Spark does; meanwhile something else was written."""
        counted = 0

        def commit(point):
            nonlocal counted
            job = self.begun(stream="s")
            done = self.commit_killed(job, [self.built(job, NEW)], point, batch=7)
            there = self.contents() == dict(OLD) | dict(NEW)
            counted += there
            self.assertLessEqual(done, there)
            run(loads.fill, self.db, [(NEW[0][0], b"later")])
            again = self.begun(stream="s")
            self.assertEqual(not there, run(lambda: again.commit([self.built(again, NEW)], batch=7)))
            later = {NEW[0][0]: b"later"} if there else {}
            self.assertEqual(dict(OLD) | dict(NEW) | later, self.contents())
            run(staging.sweep, self.db, 0)
            self.assertEqual([], loads.left(self.db))
            return done
        kills = self.each_point(commit)
        self.assertTrue(3 < counted < kills, (counted, kills))


class ViewTest(Folders):
    def test_one_state_for_all(self):
        run(loads.fill, self.db, OLD)
        view = run(views.view, self.db)
        run(loads.fill, self.db, NEW)
        self.assertEqual(dict(OLD), run(loads.contents, view))
        self.assertEqual(dict(OLD) | dict(NEW), run(loads.contents, run(views.view, self.db)))
        run(staging.sweep, self.db, 0)
        self.assertEqual([], loads.left(self.db))

    def test_it_is_shared_while_nothing_is_written(self):
        run(loads.fill, self.db, OLD)
        for file in pathlib.Path(self.db).iterdir():
            os.utime(file, (1e9, 1e9))
        view = run(views.view, self.db)
        self.assertEqual(view, run(views.view, self.db))
        self.assertEqual([os.path.basename(view)], os.listdir(f"{self.db}.snapshots"))
        run(loads.fill, self.db, [(b"x", b"y")])
        self.assertNotEqual(view, run(views.view, self.db))

    def test_a_state_that_may_be_changing_is_not_shared(self):
        run(loads.fill, self.db, OLD)
        os.utime(pathlib.Path(self.db, "CURRENT"), (4e9, 4e9))
        self.assertNotEqual(run(views.view, self.db), run(views.view, self.db))

    def test_it_expires_but_not_while_it_is_read(self):
        run(loads.fill, self.db, OLD)
        view = run(views.view, self.db)
        for path in (*pathlib.Path(view).iterdir(), pathlib.Path(view)):
            os.utime(path, (1e9, 1e9))
        self.assertEqual([1], run(lambda: list(views.kept(view, [1]))))
        self.assertEqual([], run(staging.sweep, self.db, 3600))
        for path in (*pathlib.Path(view).iterdir(), pathlib.Path(view)):
            os.utime(path, (1e9, 1e9))
        self.assertEqual([os.path.basename(view)], run(staging.sweep, self.db, 3600))
        # What is no view is not changed by reading.
        before = os.stat(self.db).st_mtime_ns
        run(lambda: list(views.kept(self.db, [1])))
        self.assertEqual(before, os.stat(self.db).st_mtime_ns)

    def test_a_damaged_log_is_not_the_end_of_the_records(self):
        damaged = pathlib.Path(__file__).resolve().parents[1] / "fixtures/db/damaged/flip_first_record_wal5"
        shutil.copytree(damaged, self.db)
        view = run(views.view, self.db)
        for work in (views.opened, views.ranges):
            self.refused("Corruption", "^000005.log@0: the log is damaged", work, view)

    def test_no_database(self):
        self.refused("NotFound", "no such database", views.view, self.db)

    def test_ranges(self):
        job = self.begun(table_bytes=1)
        pairs = [(b"%08d" % key, os.urandom(20)) for key in range(200_000)]
        run(job.commit, [self.built(job, pairs)])
        files = len([name for name in os.listdir(self.db) if name.endswith(".sst")])
        self.assertGreater(files, 8)
        whole = run(views.ranges, self.db)
        self.assertEqual([(None, None)], whole)
        for count in (1, 2, 4, files, 10 * files):
            ranges = run(lambda count=count: views.ranges(self.db, count=count))
            self.assertLessEqual(len(ranges), min(count, files))
            self.assertGreaterEqual(len(ranges), 0.9 * min(count, files))
            self.assertEqual((None, None), (ranges[0][0], ranges[-1][1]))
            for left, right in zip(ranges, ranges[1:]):
                self.assertEqual(left[1], right[0])
                self.assertTrue(left[0] is None or left[0] < left[1])
        ranges = run(lambda: views.ranges(self.db, count=4, start=b"00050000", stop=b"00150000"))
        self.assertEqual((b"00050000", b"00150000"), (ranges[0][0], ranges[-1][1]))
        self.assertGreater(len(ranges), 2)


class KeyRangeTest(unittest.TestCase):
    """A range has all keys that the conditions leave, and for most conditions few others."""

    def check(self, schema, columns, conditions, expected_rows):
        import pyarrow

        def found():
            table = pyarrow.table(columns)
            keys = varve.keys_of(table, key_schema=schema)
            found = _parts.KeyRange(None, schema)
            found.narrow(conditions)
            inside = [row for row, key in enumerate(keys) if (found.start is None or key >= found.start)
                      and (found.stop is None or key < found.stop)]
            return inside
        self.assertEqual(expected_rows, run(found), (schema, conditions))

    def test_parts(self):
        import pyarrow
        is_ = _parts.Condition
        ids = pyarrow.array([1, 1, 2, 2, 300, 2**64 - 1], pyarrow.uint64())
        names = pyarrow.array(["a", "b", "a", "ab", "", "z"], pyarrow.large_utf8())
        both = {"id": ids, "name": names}
        for schema in ("id:u64be,name:str", "id:u64be,name:str0", "id:u64be,name:tuple.str"):
            self.check(schema, both, [], [0, 1, 2, 3, 4, 5])
            self.check(schema, both, [is_("id", low=2, high=2)], [2, 3])
            self.check(schema, both, [is_("id", low=2)], [2, 3, 4, 5])
            self.check(schema, both, [is_("id", high=2)], [0, 1, 2, 3])
            self.check(schema, both, [is_("id", low=2), is_("id", high=300)], [2, 3, 4])
            self.check(schema, both, [is_("id", low=2, high=2), is_("name", prefix="a")], [2, 3])
            self.check(schema, both, [is_("id", low=1, high=1), is_("name", low="b")], [1])
            self.check(schema, both, [is_("name", low="b")], [0, 1, 2, 3, 4, 5])
            self.check(schema, both, [is_("id", low=-5)], [0, 1, 2, 3, 4, 5])
            self.check(schema, both, [is_("id", low=2**64 - 1)], [5])
        self.check("id:u64be,name:str0", both, [is_("id", low=2, high=2), is_("name", low="a", high="a")], [2])
        signed = {"n": pyarrow.array([-2**63, -1, 0, 7], pyarrow.int64())}
        self.check("n:i64be", signed, [is_("n", low=-1, high=0)], [1, 2])
        self.check("n:tuple.int", signed, [is_("n", low=-1)], [1, 2, 3])
        self.check("n:i64le", signed, [is_("n", low=-1, high=0)], [0, 1, 2, 3])  # Not in the order of the numbers.
        floats = {"x": pyarrow.array([-0.0, 0.0, 1.0])}
        self.check("x:tuple.f64", floats, [is_("x", low=0.0)], [0, 1, 2])  # -0.0 is 0.0 for those who ask.
        raw = {"key": pyarrow.array([b"a", b"ab", b"\xff", b"\xff\xff"], pyarrow.large_binary())}
        self.check("key:bytes", raw, [is_("key", prefix=b"a")], [0, 1])
        self.check("key:bytes", raw, [is_("key", prefix=b"\xff")], [2, 3])
        self.check("key:bytes", raw, [is_("key", low="ab")], [1, 2, 3])

    def test_what_to_sort_by(self):
        self.assertEqual(["key"], _parts.columns_to_sort_by(None, None))
        self.assertEqual(["id", "name"], _parts.columns_to_sort_by(None, "id:u64be,name:str"))
        for schema in ("id:u64le", "a:str0,x:f64le", "x:tuple.f64"):
            with self.assertRaisesRegex(varve.NotSupported, "order"):
                _parts.columns_to_sort_by(None, schema)


if __name__ == "__main__":
    STRACE = sys.argv.pop(1)
    unittest.main(verbosity=2)
