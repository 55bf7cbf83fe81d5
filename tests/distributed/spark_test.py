#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spark reads and writes databases (varve.spark): contents are those of a load by one process, or unchanged, whatever is
killed, and nothing is left: spark_test.py [--kills=N] [unittest arguments]

Executors are processes of their own. What goes wrong in a task does so in the rows that are written: what makes them
counts them, and fails, waits, or kills the executor."""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
from decimal import Decimal

import loads
import pyspark
import varve
from case import DatabaseCase, ServerCase
from children import run
from faults import Fault, wait_until
from guide import run_page
from loads import NEW, OLD
from pyspark.sql import functions
from spark_driver import new_rows, save, session
from varve import staging, views
from varve.spark import sorted_by_key

HERE = pathlib.Path(__file__).resolve().parent
KILLS = 4  # Of a kind, in each test that kills at random.


class Case(DatabaseCase):
    apart = staticmethod(run)


class SparkTest(Case):
    @classmethod
    def setUpClass(cls):
        cls.spark = session("local-cluster[2,1,1024]", **{"spark.executor.memory": "1g"})

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()

    def refused(self, text, work, *args, **options):
        with self.assertRaisesRegex(Exception, text):
            work(*args, **options)

    def read(self, path=None, **options):
        return self.spark.read.format("varve").options(**options).load(path or self.db)


class WriteTest(SparkTest):
    def test_rows_in_no_order(self):
        self.filled()
        save(sorted_by_key(new_rows(self.spark)), self.db)
        self.assertEqual([], loads.left(self.db))
        self.check(OLD | NEW)

    def test_a_new_database_with_options_and_a_family(self):
        save(sorted_by_key(new_rows(self.spark), partitions=3), self.db, family="f", table_bytes=20_000,
             **{"option.compression": "kZSTD"})
        records, tables, options = run(family, self.db, "f")
        self.assertEqual((NEW, "kZSTD"), (records, options["compression"]))
        self.assertEqual(3, len(tables))

    def test_no_rows(self):
        self.filled()
        save(sorted_by_key(new_rows(self.spark).where("false")), self.db)
        self.check(OLD)

    def test_typed_columns(self):
        schema = {"key_schema": "id:u64be,name:str", "value_schema": "n:i32be,text:str"}
        frame = self.spark.createDataFrame([(Decimal(2**64 - 1), "z", -1, "a"), (Decimal(7), "b", 2, ""),
                                            (Decimal(7), "a", 3, "c")], "id decimal(20,0), name string, n int, text string")
        save(sorted_by_key(frame, key_schema=schema["key_schema"]), self.db, **schema)
        found = self.read(**schema)
        self.assertEqual(frame.dtypes, found.dtypes)  # Decimals, which have room for unsigned integers.
        self.assertEqual(sorted(map(tuple, frame.collect())), [tuple(row) for row in found.collect()])
        self.assertEqual([(7, "a"), (7, "b")], [tuple(row) for row in self.read(**schema, **{"equals.id": 7})
                                                .select("id", "name").collect()])
        self.assertEqual([7, 7], [row.id for row in self.spark.read.schema("id long, name string, n int, text string")
                                  .format("varve").options(**schema, **{"stop.id": "8"}).load(self.db).collect()])

    def test_keys_twice(self):
        frame = self.spark.range(30_000).selectExpr(
            "format_string('%02d', id % 13) as key", "cast(id as string) as value", "hash(id) as time")
        self.refused("ascending|order", save, sorted_by_key(frame), self.db)
        self.assertEqual([], loads.left(self.db))
        last = {row.key.encode(): row.value.encode() for row in frame.groupBy("key").agg(
            functions.max_by("value", "time").alias("value")).collect()}
        save(sorted_by_key(frame, last_by="time"), self.db, duplicates="last")
        self.check(last)

    def test_what_is_refused(self):
        self.filled()
        frame = new_rows(self.spark)
        self.refused("sorted|ascending|order", save, frame.repartitionByRange(2, "key"), self.db)
        self.refused("a range of keys of its own", save, frame.repartition(2).sortWithinPartitions("key"), self.db)
        self.refused('"value"', save, frame.drop("value"), self.db)
        self.refused("no such option", save, frame, self.db, families="f")
        self.refused("overwrite", frame.write.format("varve").mode("overwrite").save, self.db)
        self.assertEqual([], loads.left(self.db))
        self.check(OLD)


def family(path, name):
    """Its records, tables and options."""
    with varve.open(path, read_only=True) as db:
        of_name = db.family(name)
        return dict(of_name.items()), of_name.files(), of_name.options()


class ReadTest(SparkTest):
    def setUp(self):
        super().setUp()
        save(sorted_by_key(new_rows(self.spark), partitions=6), self.db, table_bytes=10_000)

    def keys(self, **options):
        return [bytes(row.key) for row in self.read(**options).select("key").collect()]

    def test_all_of_it_in_slices(self):
        found = self.read(partitions=4)
        self.assertEqual([("key", "binary"), ("value", "binary")], found.dtypes)
        self.assertEqual(4, found.rdd.getNumPartitions())
        self.assertEqual(sorted(NEW.items()), [(bytes(row.key), bytes(row.value)) for row in found.collect()])
        self.assertEqual(len(NEW), self.spark.read.schema("key string, value string").format("varve").load(self.db)
                         .where("value = 'new' and key like '0%'").count())

    def test_bounds(self):
        ordered = sorted(NEW)
        self.assertEqual([key for key in ordered if b"0013" <= key < b"012"],
                         self.keys(**{"start.key": "0013", "stop.key": "hex:303132"}))
        self.assertEqual([key for key in ordered if key.startswith(b"013")], self.keys(**{"prefix.KEY": "013"}))
        self.assertEqual([b"000012"], self.keys(**{"equals.key": "000012"}))
        self.assertEqual([], self.keys(**{"start.key": "x"}))
        few = self.read(partitions=6, **{"prefix.key": "0000"})
        self.assertEqual(1, few.rdd.getNumPartitions())  # Tables without such keys are not read.
        self.refused("columns of keys are key", self.read, **{"start.id": "1"})
        self.assertEqual(50, few.where("key >= X'303030'").count())

    def test_one_state(self):
        fault = Fault(self.home, "wait")
        frame = self.read(partitions=3)
        seen = frame.mapInArrow(fault, frame.schema)
        result = []
        thread = threading.Thread(target=lambda: result.extend(seen.collect()))
        thread.start()
        wait_until("a task waits", fault.met)
        run(loads.fill, self.db, [(key, b"changed") for key in NEW])
        (self.home / "go").touch()
        thread.join()
        self.assertEqual({b"new"}, {bytes(row.value) for row in result})
        self.assertEqual(len(NEW), len(result))
        self.assertEqual(0, self.read().where("value = X'6e6577'").count())
        pinned = run(views.view, self.db)
        run(loads.fill, self.db, [(b"a", b"b")])
        self.assertEqual(len(NEW), self.read(pinned).count())
        self.assertEqual(len(NEW) + 1, self.read().count())


class FaultTest(SparkTest):
    """Of four tasks, one meets with something after a part of its rows."""

    def write(self, what, times=1, **options):
        self.fault = Fault(self.home, what, times)
        frame = sorted_by_key(new_rows(self.spark), partitions=4)
        save(frame.mapInArrow(self.fault, frame.schema), self.db, **options)
        self.assertEqual(times, self.fault.met())
        self.assertEqual([], loads.left(self.db))

    def anew(self):
        shutil.rmtree(self.home)
        self.home.mkdir()
        self.filled()

    def test_an_attempt_fails(self):
        for what in ("raise", "worker", "executor"):
            with self.subTest(what):
                self.anew()
                self.write(what)
                self.check(OLD | NEW)

    def test_all_attempts_fail(self):
        for what in ("raise", "executor"):
            with self.subTest(what):
                self.anew()
                self.refused("a task that fails|aborted|[Ff]ailed", self.write, what, 1000)
                self.assertGreaterEqual(self.fault.met(), 4)
                self.check(OLD)

    def test_executors_are_killed(self):
        for kill in range(KILLS):
            self.anew()
            self.write("executor", 1 + kill % 2)
            self.check(OLD | NEW)

    def test_executors_are_killed_during_and_after_the_ingestion(self):
        """Nobody needs them any more."""
        for kill in range(2 * KILLS):
            with self.subTest(kill):
                self.anew()
                before = os.listdir(self.db)
                over = threading.Event()
                thread = threading.Thread(target=kill_executors, args=(
                    over.is_set if kill % 2 else lambda before=before: set(os.listdir(self.db)) - set(before),))
                thread.start()
                try:
                    self.write("none", 0)
                finally:
                    over.set()
                    thread.join()
                self.check(OLD | NEW)


def kill_executors(when):
    """All of them, once that holds."""
    wait_until("the executors are to be killed", when, 600)
    for process in processes():
        with contextlib.suppress(OSError):
            words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            if b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in words and session_of(process) == os.getsid(0):
                os.kill(process, signal.SIGKILL)


class ServerTest(ServerCase, SparkTest):
    def save(self, what="none", times=0, **options):
        frame = sorted_by_key(new_rows(self.spark), partitions=4)
        save(frame.mapInArrow(Fault(self.home, what, times), frame.schema), self.url, **options)

    def test_executors_upload(self):
        self.save(token=self.server.token)
        self.check(OLD | NEW)

    def test_an_executor_is_killed(self):
        self.save("executor", 2, token=self.server.token)
        self.check(OLD | NEW)

    def test_all_attempts_fail(self):
        self.refused("a task that fails|aborted|[Ff]ailed", self.save, "raise", 1000, token=self.server.token)
        self.check(OLD)

    def test_without_the_token(self):
        self.refused("token of the server is missing", self.save)
        self.refused("unauthorized", self.save, token="0" * 32)
        self.check(OLD)


class SpeculationTest(SparkTest):
    """Spark runs a second attempt on another host only: here, one of another address."""

    @classmethod
    def setUpClass(cls):
        cls.started = []
        cls.addClassCleanup(cls.end)
        port = cls.free_port()
        cls.start("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        for host in ("127.0.0.1", "127.0.0.2"):
            cls.start("worker.Worker", f"spark://127.0.0.1:{port}", "--host", host, "--cores", "1", "--memory", "1g",
                      "--webui-port", "0", "--work-dir", tempfile.gettempdir() + "/varve-spark-work")
        cls.spark = session(f"spark://127.0.0.1:{port}", **{
            "spark.executor.memory": "1g", "spark.speculation": "true", "spark.speculation.quantile": 0.5,
            "spark.speculation.minTaskRuntime": "1s"})

    @staticmethod
    def free_port():
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            return listening.getsockname()[1]

    @classmethod
    def start(cls, name, *args):
        program = pathlib.Path(pyspark.__file__).parent / "bin/spark-class"
        cls.started.append(subprocess.Popen([program, f"org.apache.spark.deploy.{name}", *args], stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    @classmethod
    def end(cls):
        for process in cls.started:
            process.terminate()
            process.wait()
        shutil.rmtree(tempfile.gettempdir() + "/varve-spark-work", ignore_errors=True)

    def test_a_slow_task_is_run_twice(self):
        self.filled()
        fault = Fault(self.home, "wait")
        frame = sorted_by_key(new_rows(self.spark), partitions=4)
        save(frame.mapInArrow(fault, frame.schema), self.db)
        self.assertEqual(1, fault.met())
        self.check(OLD | NEW)
        self.assertEqual(len(OLD) + len(NEW), run(loads.entries, self.db))


class DriverTest(Case):
    """The driver, with all that it has started, is killed."""

    def killed(self, when, waits=False):
        """Kills it once `when` holds, or when it has ended."""
        driver = subprocess.Popen([sys.executable, HERE / "spark_driver.py", self.db, *([self.home] if waits else [])],
                                  stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            wait_until("it is to be killed", lambda: when() or driver.poll() is not None, 600)
            self.assertIn(driver.poll(), (None, 0))
        finally:
            # Spark's workers in Python are in a group of their own, so it is not enough to kill one.
            while of_session := [process for process in processes() if session_of(process) == driver.pid]:
                for process in of_session:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
            driver.wait()

    def staged(self):
        return any(pathlib.Path(f"{self.db}.staging").glob("*/*/*.sst"))

    def tables(self):
        return len(list(pathlib.Path(self.db).glob("*.sst")))

    def test_before_the_ingestion(self):
        self.filled()
        self.killed(self.staged, waits=True)
        self.assertNotEqual([], loads.left(self.db))
        self.assertEqual([], run(staging.sweep, self.db, 3600))
        self.check(OLD)

    def test_during_the_ingestion(self):
        for _ in range(KILLS):
            shutil.rmtree(self.db, ignore_errors=True)
            self.filled()
            before = self.tables()
            self.killed(lambda before=before: self.tables() > before)
            found = self.contents()
            self.assertIn(found, (OLD, OLD | NEW))
            self.check(found)

    def test_after_the_ingestion(self):
        self.filled()
        begun = []

        def over():
            begun.extend([True] * self.staged())
            return begun and not os.path.exists(f"{self.db}.staging")
        self.killed(over)
        self.check(OLD | NEW)


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def session_of(process):
    """None of one that has ended."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return int(fields[3]) if fields[0] != "Z" else None
    except OSError:
        return None


class StreamTest(SparkTest):
    def stream(self, **options):
        rows = self.spark.readStream.schema("key string, value string").json(str(self.home / "in"))
        query = rows.writeStream.format("varve").options(**options).option("checkpointLocation", str(self.home / "checkpoint"))
        query = query.trigger(availableNow=True).start(self.db)
        query.awaitTermination()

    def arrive(self, number, records):
        source = self.home / "in"
        source.mkdir(exist_ok=True)
        text = "".join(f'{{"key": "{key}", "value": "{value}"}}\n' for key, value in records)
        (self.home / "arriving").write_text(text)
        os.rename(self.home / "arriving", source / f"{number}.json")

    def test_batches(self):
        self.arrive(0, [("c", 0), ("a", 0)])
        self.stream()
        self.arrive(1, [("b", 1), ("a", 1)])
        self.stream()
        self.stream()
        self.check({b"a": b"1", b"b": b"1", b"c": b"0"})
        self.arrive(2, [("a", 2), ("a", 3)])
        self.refused("ascending|order", self.stream)
        self.stream(duplicates="last", last_by="value")
        self.check({b"a": b"3", b"b": b"1", b"c": b"0"})

    def test_a_batch_that_spark_does_not_know_of(self):
        """It was killed between the end of a batch and its note of that: it does the batch again."""
        self.arrive(0, [("a", 0)])
        self.stream()
        run(loads.fill, self.db, [(b"a", b"changed since")])
        for name in ("0", ".0.crc"):
            (self.home / "checkpoint/commits" / name).unlink(missing_ok=True)
        self.stream()
        self.check({b"a": b"changed since"})
        self.arrive(1, [("b", 1)])
        self.stream()
        self.check({b"a": b"changed since", b"b": b"1"})
        shutil.rmtree(self.home / "checkpoint")
        self.refused("comes after its batch", self.stream)


class GuideTest(Case):
    def test_what_it_shows(self):
        arriving = self.home / "arriving"
        arriving.mkdir()
        (arriving / "0.json").write_text('{"key": "grace", "value": "again"}\n')
        self.assertIn("|  7|  Ada|  London|", run_page("spark", self.home))
        self.assertEqual({b"ada": b"second", b"grace": b"again"}, run(loads.contents, str(self.home / "visits")))


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].startswith("--kills="):
        KILLS = int(sys.argv.pop(1).partition("=")[2])
    unittest.main(verbosity=2)
