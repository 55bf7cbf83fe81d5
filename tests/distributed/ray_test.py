#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ray Data reads and writes databases (varve.ray): contents are those of a load by one process, or unchanged, whatever is
killed, and nothing is left: ray_test.py [--kills=N] [unittest arguments]"""
import multiprocessing
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest
import uuid

import compactions
import loads
import pyarrow
import ray
import varve
import varve.ray
from case import DatabaseCase, ServerCase
from guide import run_page
from loads import NEW, OLD
from ray_driver import begin, new_rows
from varve import staging

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from waiting import wait_until

HERE = pathlib.Path(__file__).resolve().parent
KILLS = 4  # Of a kind, in each test that kills.


def run(work, *args):
    """In a process of its own, which is not forked: this one has Ray's threads."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, args)


class Case(DatabaseCase):
    apart = staticmethod(run)

    def refused(self, text, work, *args, **options):
        with self.assertRaisesRegex(Exception, text):
            work(*args, **options)


class RayTest(Case):
    @classmethod
    def setUpClass(cls):
        begin()

    @classmethod
    def tearDownClass(cls):
        ray.shutdown()


class WriteTest(RayTest):
    def test_rows_in_no_order(self):
        self.filled()
        varve.ray.write(new_rows(), self.db)
        self.assertEqual([], loads.left(self.db))
        self.check(OLD | NEW)

    def test_typed_columns(self):
        table = pyarrow.table({"id": pyarrow.array([2**64 - 1, 7, 7], pyarrow.uint64()), "name": ["z", "b", "a"],
                               "n": pyarrow.array([-1, 2, 3], pyarrow.int32())})
        schema = {"key_schema": "id:u64be,name:str", "value_schema": "n:i32be"}
        varve.ray.write(ray.data.from_arrow(table), self.db, columns=staging.Columns(**schema))
        wanted = table.sort_by([("id", "ascending"), ("name", "ascending")]).to_pylist()
        self.assertEqual(wanted, varve.ray.read(self.db, **schema).take_all())
        self.assertEqual(wanted[:2], varve.ray.read(self.db, **schema, stop={"id": 8}).take_all())

    def test_keys_twice(self):
        rows = pyarrow.table({"key": [f"{row % 13:02}" for row in range(30_000)], "value": [str(row) for row in range(30_000)],
                              "time": [row * 7919 % 30_011 for row in range(30_000)]})
        frame = ray.data.from_arrow([rows.slice(first, 5000) for first in range(0, 30_000, 5000)])
        self.refused("ascending|order", varve.ray.write, frame, self.db)
        self.assertEqual([], loads.left(self.db))
        last = {row["key"].encode(): row["value"].encode() for row in sorted(rows.to_pylist(), key=lambda row: row["time"])}
        varve.ray.write(frame, self.db, last_by="time", duplicates="last")
        self.check(last)

    def test_what_is_refused(self):
        self.filled()
        self.refused('"value"', varve.ray.write, new_rows().drop_columns(["value"]), self.db)
        self.refused("i64le", varve.ray.write, new_rows(), self.db, columns=staging.Columns(key_schema="key:i64le"))
        self.assertEqual([], loads.left(self.db))
        self.check(OLD)


class ReadTest(RayTest):
    def setUp(self):
        super().setUp()
        varve.ray.write(new_rows(), self.db)

    def keys(self, **how):
        return sorted(row["key"] for row in varve.ray.read(self.db, **how).take_all())

    def test_all_of_it(self):
        found = varve.ray.read(self.db, override_num_blocks=3)
        self.assertEqual(["key", "value"], found.columns())
        self.assertEqual(3, found.materialize().num_blocks())
        self.assertEqual(NEW, {row["key"]: row["value"] for row in found.take_all()})

    def test_bounds(self):
        ordered = sorted(NEW)
        self.assertEqual([key for key in ordered if b"0013" <= key < b"012"],
                         self.keys(start={"key": b"0013"}, stop={"key": b"012"}))
        self.assertEqual([key for key in ordered if key.startswith(b"013")], self.keys(prefix={"key": b"013"}))
        self.assertEqual([b"000012"], self.keys(equals={"key": b"000012"}))
        self.assertEqual([], self.keys(start={"key": b"x"}))
        self.refused("columns of keys are key", varve.ray.read, self.db, start={"id": 1})


class FaultTest(RayTest):
    """A task of the write is killed, or fails, by a datasink that does so in its middle."""

    def write(self, what, times=1):
        sink = Faulty(self.db, staging.Columns(), self.home, what, times)
        new_rows().sort("key").write_datasink(sink, ray_remote_args={"max_retries": 3, "retry_exceptions": True})

    def met(self):
        return len(list(self.home.glob("fault-*")))

    def test_a_task_is_tried_again(self):
        for kill in range(KILLS):
            with self.subTest(kill):
                shutil.rmtree(self.home)
                self.home.mkdir()
                self.filled()
                self.write("killed", 1 + kill % 2)
                self.assertEqual(1 + kill % 2, self.met())
                self.assertEqual([], loads.left(self.db))
                self.check(OLD | NEW)

    def test_all_attempts_fail(self):
        for what in ("killed", "raise"):
            with self.subTest(what):
                shutil.rmtree(self.home)
                self.home.mkdir()
                self.filled()
                self.refused("fault|died|crash", self.write, what, 1000)
                self.assertGreaterEqual(self.met(), 1)
                self.assertEqual([], loads.left(self.db))
                self.check(OLD)


class Faulty(varve.ray.VarveDatasink):
    def __init__(self, database, columns, folder, what, times, **how):
        super().__init__(database, columns, None, how)
        self.folder, self.what, self.times = folder, what, times

    def write(self, blocks, ctx):
        built = super().write(blocks, ctx)
        if ctx.task_idx == 1 and len(list(self.folder.glob("fault-*"))) < self.times:
            (self.folder / f"fault-{uuid.uuid4().hex}").touch()
            if self.what == "raise":
                raise RuntimeError("a fault")
            os.kill(os.getpid(), signal.SIGKILL)
        return built


class ServerTest(ServerCase, RayTest):
    def test_tasks_upload(self):
        varve.ray.write(new_rows(), self.url, token=self.server.token)
        self.check(OLD | NEW)

    def write(self, what, times):
        sink = Faulty(self.url, staging.Columns(), self.home, what, times, token=self.server.token)
        new_rows().sort("key").write_datasink(sink, ray_remote_args={"max_retries": 3, "retry_exceptions": True})

    def test_a_task_is_killed(self):
        self.write("killed", 2)
        self.check(OLD | NEW)

    def test_all_attempts_fail(self):
        self.refused("fault|died|crash", self.write, "killed", 1000)
        self.check(OLD)

    def test_without_the_token(self):
        self.refused("token of the server is missing", varve.ray.write, new_rows(), self.url)
        self.refused("unauthorized", varve.ray.write, new_rows(), self.url, token="0" * 32)
        self.check(OLD)


class CompactionTest(RayTest):
    """Ray tasks compact for a database of this process, and are killed."""
    OPTIONS = {"disable_auto_compactions": True, "compaction_service_fallback": False}
    service = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.service = varve.ray.CompactionService(num_cpus=1)

    def setUp(self):
        super().setUp()
        self.chance = random.Random(1)
        compactions.fill(self.db)

    def compacted(self, killed=None, **options):
        """What the statistics are afterwards. `killed(db)` is called in a thread meanwhile."""
        options = {**self.OPTIONS, "compaction_service": self.service, **options}
        with varve.open(self.db, **options) as db:
            self.over = False
            thread = threading.Thread(target=killed or bool, args=(db,))
            thread.start()
            try:
                db.compact(force_bottommost=True)
            finally:
                self.over = True
                thread.join()
            self.assertEqual(compactions.RECORDS, dict(db.items()))
            self.assertEqual([], compactions.left(self.db))
            return db.stats()

    def kill(self, db, after, times):
        """Kills so many workers, each some time after it has begun."""
        killed = set()
        while len(killed) < times and not self.over:
            for worker in set(compactions.workers()) - killed:
                time.sleep(self.chance.uniform(0, after))  # pause: it may be anywhere in its work
                if compactions.end(worker):
                    killed.add(worker)
        self.killed = len(killed)

    def test_tasks_do_it(self):
        stats = self.compacted()
        self.assertGreater(stats["remote_compactions"], 0)
        self.assertEqual(0, stats["remote_compaction_failures"])

    def test_workers_are_killed(self):
        begun = time.monotonic()
        self.compacted()
        took = time.monotonic() - begun
        kills = 0
        for _ in range(100 * KILLS):
            if kills >= KILLS:
                break
            shutil.rmtree(self.db)
            compactions.fill(self.db)
            stats = self.compacted(lambda db: self.kill(db, took, 1))
            kills += self.killed
            self.assertGreater(stats["remote_compactions"], 0)
            self.assertEqual(0, stats["remote_compaction_failures"], stats["remote_compaction_failure"])
        self.assertGreaterEqual(kills, KILLS)

    def test_every_worker_is_killed(self):
        self.service = varve.ray.CompactionService(num_cpus=1, max_retries=1)
        with self.assertRaisesRegex(varve.IoError, "WorkerCrashedError"):
            self.compacted(lambda db: self.kill(db, 0, 1000))
        with varve.open(self.db, **{**self.OPTIONS, "compaction_service": self.service}) as db:
            self.assertEqual(compactions.RECORDS, dict(db.items()))
        self.assertEqual([], compactions.left(self.db))
        stats = self.compacted(lambda db: self.kill(db, 0, 1000), compaction_service_fallback=True)
        self.assertEqual(0, stats["remote_compactions"])
        self.assertGreater(stats["remote_compaction_fallbacks"], 0)

    def test_closed_over_a_job(self):
        def close(db):
            wait_until("a worker is at it", compactions.workers)
            db.close()

        with self.assertRaises(varve.Shutdown):
            self.compacted(close)
        wait_until("it was told", lambda: not compactions.workers())
        self.assertEqual([], compactions.left(self.db))
        with varve.open(self.db, **self.OPTIONS) as db:
            self.assertEqual(compactions.RECORDS, dict(db.items()))

    def test_a_worker_that_does_not_see_the_database(self):
        self.service = varve.ray.CompactionService(directory=self.home / "elsewhere")
        with self.assertRaisesRegex(varve.Error, "elsewhere"):
            self.compacted()


class CompactionDriverTest(Case):
    """The process that has the database open is killed while Ray compacts for it."""

    def test_killed(self):
        chance = random.Random(1)
        for kill in range(KILLS):
            shutil.rmtree(self.db, ignore_errors=True)
            compactions.fill(self.db)
            driver = subprocess.Popen([sys.executable, HERE / "compactions.py", self.db], stdin=subprocess.DEVNULL)
            try:
                wait_until("a worker is at it", lambda: compactions.workers() or driver.poll() is not None, 600)
                self.assertIsNone(driver.poll())
                if kill % 2 == 0:
                    time.sleep(chance.uniform(0, .5))  # pause: it may be anywhere in its work
                else:  # While it installs the result.
                    before = compactions.tables(self.db)
                    wait_until("there are new tables", lambda before=before: compactions.tables(self.db) - before, 600)
            finally:
                driver.kill()
                driver.wait()
            with varve.open(self.db, disable_auto_compactions=True) as db:
                self.assertEqual(compactions.RECORDS, dict(db.items()))
            self.assertEqual([], compactions.left(self.db))
            wait_until("Ray's processes have ended", lambda: not compactions.workers(), 600)
            self.assertEqual([], compactions.left(self.db))


class DriverTest(Case):
    """The driver is killed."""

    def killed(self, when):
        driver = subprocess.Popen([sys.executable, HERE / "ray_driver.py", self.db], stdin=subprocess.DEVNULL)
        try:
            wait_until("it is to be killed", lambda: when() or driver.poll() is not None, 600)
            self.assertIn(driver.poll(), (None, 0))
        finally:
            driver.kill()  # Ray ends by itself what it has started.
            driver.wait()

    def staged(self):
        return any(pathlib.Path(f"{self.db}.staging").glob("*/*/*.sst"))

    def test_before_during_and_after_the_ingestion(self):
        def tables():
            return len(list(pathlib.Path(self.db).glob("*.sst")))
        begun = []

        def over():
            begun.extend([True] * self.staged())
            return begun and not os.path.exists(f"{self.db}.staging")
        for when in (self.staged, lambda: tables() > 1, over):
            shutil.rmtree(self.home)
            self.home.mkdir()
            begun.clear()
            self.filled()
            self.assertEqual(1, tables())
            self.killed(when)
            wait_until("Ray's processes have ended", lambda: run(loads.sweep_all, self.db) == [], 600)
            found = run(loads.contents, self.db)
            self.assertIn(found, (OLD, OLD | NEW))
            if when is over:
                self.assertEqual(OLD | NEW, found)


class GuideTest(Case):
    def test_what_it_shows(self):
        run_page("ray", self.home)
        self.assertEqual({b"ada": b"second"}, run(loads.contents, str(self.home / "visits")))


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].startswith("--kills="):
        KILLS = int(sys.argv.pop(1).partition("=")[2])
    unittest.main(verbosity=2)
