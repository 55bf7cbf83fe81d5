#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compactions elsewhere: databases that give them away, also to a function, and processes of Python that do them."""
import contextlib
import http.server
import os
import pathlib
import pickle
import random
import shutil
import subprocess
import sys
import textwrap
import threading
import unittest

import varve
from scratch import SOURCE, Scratch

sys.path += [str(SOURCE / "tests"), str(SOURCE / "tests/distributed")]
from guide import run_page  # noqa: E402
from waiting import wait_until  # noqa: E402

RECORDS = 3000
TOKEN = "0123456789abcdef" * 2


def sent(job):
    return varve.run_sent_compaction_job(job.data)


class Case(Scratch):
    def filled(self, families=()):
        """A new database with three tables that overlap, in each family."""
        shutil.rmtree(self.home / "db", ignore_errors=True)
        with varve.open(self.home / "db", create_if_missing=True, disable_auto_compactions=True) as db:
            for family in [db, *(db.create_family(name) for name in families)]:
                for part in range(3):
                    for number in range(RECORDS):
                        family.put(b"%06d" % number, b"%d" % part, durability="none")
                    family.flush()
        return str(self.home / "db")

    def check(self, db):
        self.assertEqual({b"%06d" % number: b"2" for number in range(RECORDS)}, dict(db.items()))
        self.assertEqual([], self.jobs())

    def jobs(self):
        return list((self.home / "db").glob("remote-compactions/*"))

    def compacted(self, service, **options):
        """The statistics of a database that was compacted by that service."""
        with varve.open(self.filled(), compaction_service=service, **options) as db:
            db.compact(force_bottommost=True)
            self.check(db)
            return db.stats()

    def done(self, service, **options):
        stats = self.compacted(service, **options)
        self.assertGreater(stats["remote_compactions"], 0)
        self.assertEqual((0, ""), (stats["remote_compaction_failures"], stats["remote_compaction_failure"]))

    def fell_back(self, text, service):
        stats = self.compacted(service)
        self.assertEqual(0, stats["remote_compactions"])
        self.assertEqual(stats["remote_compaction_failures"], stats["remote_compaction_fallbacks"])
        self.assertGreater(stats["remote_compaction_fallbacks"], 0)
        self.assertIn(text, stats["remote_compaction_failure"])


class FunctionTest(Case):
    def test_it_returns_a_result(self):
        jobs = []

        def service(job):
            jobs.append(job)
            self.assertEqual(pathlib.Path(job.path).read_bytes(), job.data)
            return sent(job)

        self.done(service)
        self.assertEqual(len(jobs), len({job.id for job in jobs}))
        for job in jobs:
            self.assertEqual(job.folder, os.path.dirname(job.path))
            self.assertEqual(f"{self.home}/db/remote-compactions/{job.id}", job.folder)
            self.assertEqual("default", job.family)
            self.assertGreater(job.input_bytes, 0)
            self.assertTrue(job.cancelled)  # Its result was taken.
            self.assertNotIn("varve-compaction " + job.id, [thread.name for thread in threading.enumerate()])

    def test_a_worker_wrote_it_into_the_folder(self):
        reports = []
        self.done(lambda job: reports.append(varve.run_compaction_job(job.path)))
        self.assertEqual(3 * RECORDS, reports[0]["input_entries"])
        self.assertEqual((3, RECORDS), (reports[0]["input_tables"], reports[0]["output_entries"]))
        self.assertEqual((0, "default"), (reports[0]["input_level"], reports[0]["family"]))

    def test_an_object_that_can_be_called(self):
        class Service:
            def __call__(self, job):
                return sent(job)

        self.done(Service())

    def test_errors_are_counted_and_named(self):
        def broken(job):
            raise ValueError(f"no room for {job.family}")

        def refused(job):
            raise varve.NoSpace("none is left")

        def exits(job):
            sys.exit(7)

        class Odd(Exception):
            def __str__(self):
                raise RuntimeError("no text")

        def odd(job):
            raise Odd

        for text, service in (("io_error: python:FunctionTest.test_errors_are_counted_and_named.<locals>.broken: "
                               "ValueError: no room for default", broken), ("no_space: ", refused), ("SystemExit: 7", exits),
                              ("Odd: its text cannot be made", odd), ("TypeError: it returned a str", lambda job: "text"),
                              ("TypeError", lambda: None),
                              ("RESULT", lambda job: None), ("RESULT", lambda job: b"x" * 100), ("RESULT", lambda job: job.data),
                              ("RESULT", lambda job: b""), ("RESULT", lambda job: sent(job)[:-1])):
            with self.subTest(text):
                self.fell_back(text, service)

    def test_without_a_fallback_an_error_is_that_of_the_compaction(self):
        def refused(job):
            raise varve.NotSupported("not today")

        with varve.open(self.filled(), compaction_service=refused, compaction_service_fallback=False) as db:
            with self.assertRaisesRegex(varve.NotSupported, "refused: not today"):
                db.compact(force_bottommost=True)
            self.assertEqual(0, db.stats()["remote_compaction_fallbacks"])
            self.check(db)

    def test_one_that_takes_too_long(self):
        over = threading.Event()
        self.addCleanup(over.set)
        with varve.open(self.filled(), compaction_service=lambda job: over.wait() and None,
                        compaction_service_timeout_seconds=1) as db:
            db.compact(force_bottommost=True)
            self.assertIn("within 1 seconds", db.stats()["remote_compaction_failure"])
            self.check(db)

    def test_several_at_once(self):
        both = threading.Barrier(2)

        def service(job):
            both.wait(60)
            return sent(job)

        with varve.open(self.filled(["other"]), compaction_service=service, compaction_service_fallback=False,
                        max_background_jobs=8) as db:
            threads = [threading.Thread(target=family.compact) for family in (db, db.family("other"))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual((2, 0), (db.stats()["remote_compactions"], db.stats()["remote_compaction_failures"]))
            self.check(db)

    def test_what_is_no_service(self):
        path = self.filled()
        for service in (7, b"folder:/tmp", object()):
            with self.assertRaisesRegex(TypeError, "compaction_service"):
                varve.open(path, compaction_service=service)
        with self.assertRaisesRegex(varve.InvalidArgument, "compaction_service"):
            varve.open(path, compaction_service="pigeon:home")

    def test_a_job_cannot_be_pickled(self):
        raised = []

        def service(job):
            try:
                pickle.dumps(job)
            except TypeError as error:
                raised.append(str(error))
            return sent(job)

        self.done(service)
        self.assertIn("CompactionJob", raised[0])


class EndTest(Case):
    """Whatever the function is at, the database can be closed and the interpreter can end."""

    def threads(self):
        return [thread.name for thread in threading.enumerate() if thread.name == "varve-compactions"]

    def test_close(self):
        jobs, over = [], threading.Event()

        def service(job):
            jobs.append(job)
            over.wait()
            return sent(job)  # Too late: nobody takes it, and nothing is left of it.

        db = varve.open(self.filled(), compaction_service=service)
        raised = []

        def compact():
            try:
                db.compact()
            except varve.Shutdown as error:
                raised.append(error)

        thread = threading.Thread(target=compact)
        thread.start()
        wait_until("the function is called", lambda: jobs, 60)
        self.assertFalse(jobs[0].cancelled)
        self.assertEqual(1, len(self.jobs()))
        db.close()
        thread.join()
        self.assertEqual((1, True), (len(raised), jobs[0].cancelled))
        self.assertEqual([], self.jobs())
        wait_until("the thread of the database has ended", lambda: not self.threads(), 60)
        over.set()
        wait_until("that of the job has, too", lambda: not any(
            thread.name == "varve-compaction " + jobs[0].id for thread in threading.enumerate()), 60)
        with varve.open(self.home / "db") as again:
            self.check(again)

    def test_a_database_that_is_dropped_or_was_not_opened(self):
        db = varve.open(self.filled(), compaction_service=sent)
        self.assertEqual(1, len(self.threads()))
        with self.assertRaises(varve.Busy):
            varve.open(self.home / "db", compaction_service=sent)
        del db
        wait_until("no thread is left", lambda: not self.threads(), 60)
        with varve.open(self.home / "db"):
            pass  # It is closed.

    def ends(self, work, then=""):
        """A process whose database is not closed, with a job at `work`."""
        program = textwrap.dedent("""
            import os, sys, threading, time, varve
            began = threading.Event()
            def service(job):
                began.set()
                {}
            db = varve.open(sys.argv[1], compaction_service=service)
            threading.Thread(target=db.compact, daemon=True).start()
            began.wait()
            {}
            print("the end", flush=True)
            """).format(work, then)
        done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", program, self.filled()], capture_output=True,
                              text=True, timeout=120)
        self.assertEqual((0, "the end\n", ""), (done.returncode, done.stdout, done.stderr))
        with varve.open(self.home / "db") as db:
            self.check(db)

    def test_the_interpreter_ends(self):
        for work in ("threading.Event().wait()", "return varve.run_sent_compaction_job(job.data)", "while True: pass",
                     "while not job.cancelled: pass"):
            for then in ("", "del db"):
                with self.subTest(work, then=then):
                    self.ends(work, then)

    def test_a_forked_child_ends(self):
        self.ends("threading.Event().wait()", "os.fork() or sys.exit(); assert os.wait()[1] == 0")


class TransportTest(Case):
    """The services of the engine, with processes of Python as workers."""
    WORKER = "import sys, varve; varve.run_compaction_job(sys.argv[1])"

    def test_a_command(self):
        program = self.home / "worker.py"
        program.write_text(self.WORKER)
        self.done(f"command:{sys.executable} {program} {{job}}")

    def test_a_folder_whose_first_worker_is_killed(self):
        jobs = self.home / "jobs"
        jobs.mkdir()
        worker = textwrap.dedent("""
            import os, signal, sys, time, varve
            if len(sys.argv) > 2:  # It dies over the job.
                while not os.listdir(sys.argv[1]):
                    time.sleep(.001)  # pause: between two looks
                signal.setitimer(signal.ITIMER_REAL, float(sys.argv[2]))
            while True:
                if varve.run_first_compaction_job(sys.argv[1]) is None:
                    time.sleep(.01)  # pause: between two looks
            """)
        with varve.open(self.filled(), compaction_service=f"folder:{jobs}", compaction_service_fallback=False) as db:
            thread = threading.Thread(target=lambda: db.compact(force_bottommost=True))
            thread.start()
            with self.process(worker, jobs, ".01") as first:
                first.wait(60)
                with self.process(worker, jobs):
                    thread.join()
            self.assertGreater(db.stats()["remote_compactions"], 0)
            self.check(db)
        self.assertEqual([], os.listdir(jobs))

    @contextlib.contextmanager
    def process(self, program, *words):
        process = subprocess.Popen([sys.executable, "-c", program, *words])
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def test_http_with_a_token(self):
        class Worker(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # pylint: disable=invalid-name
                code, body = 401, b""
                if self.headers["Authorization"] == f"Bearer {TOKEN}" and self.path == "/api/v1/compactions":
                    code, body = 200, varve.run_sent_compaction_job(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(code)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Worker) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                token = self.home / "token"
                for text in (TOKEN, "f" * 32):
                    token.write_text(text + "\n")
                    token.chmod(0o600)
                    service = f"http://127.0.0.1:{server.server_port}#token-file={token}"
                    if text == TOKEN:
                        self.done(service)
                    else:
                        self.fell_back("401", service)
            finally:
                server.shutdown()
                thread.join()


class GuideTest(Case):
    def test_what_it_shows(self):
        os.rename(self.filled(), self.home / "shop")
        run_page("compaction-elsewhere", self.home)


class WorkerTest(Case):
    def test_what_is_no_job(self):
        with self.assertRaises(varve.NotFound):
            varve.run_compaction_job(self.home / "none")
        with self.assertRaisesRegex(varve.NotSupported, "version 0"):
            varve.run_sent_compaction_job(b"VARVEJOB" + bytes(100))
        with self.assertRaises(varve.Corruption):
            varve.run_sent_compaction_job(b"x" * 100)
        with self.assertRaises(varve.NotFound):
            varve.run_first_compaction_job(self.home / "none")
        with self.assertRaisesRegex(ValueError, "threads"):
            varve.run_sent_compaction_job(b"", threads=257)
        self.assertIsNone(varve.run_first_compaction_job(self.home))

    def test_failures(self):
        raised = []

        def service(job):
            for work in (lambda: varve.run_compaction_job(job.path, directory=self.home / "elsewhere"),
                         lambda: varve.run_compaction_job(job.path, threads=1),
                         lambda: varve.run_compaction_job(job.path)):  # There is a result already.
                try:
                    work()
                except varve.Error as error:
                    raised.append(type(error))

        self.done(service)
        self.assertEqual([varve.IoError, varve.Busy], raised[:2])

        def elsewhere(job):
            return varve.run_sent_compaction_job(job.data, directory=self.home / "elsewhere")

        self.fell_back("elsewhere", elsewhere)

    def test_nobody_waits(self):
        kept = []
        self.done(lambda job: kept.append(job) or sent(job))
        with self.assertRaises(varve.NotFound):
            sent(kept[0])

    def test_ctrl_c(self):
        """It leaves nothing, and another worker can begin."""
        worker = textwrap.dedent("""
            import os, signal, sys, threading, varve
            def send():
                while len(os.listdir(sys.argv[2])) == 1:
                    pass
                os.kill(os.getpid(), signal.SIGINT)
            threading.Thread(target=send, daemon=True).start()
            try:
                varve.run_compaction_job(sys.argv[1])
            except KeyboardInterrupt:
                print(os.listdir(sys.argv[2]))
            """)
        told = []

        def service(job):
            done = subprocess.run([sys.executable, "-c", worker, job.path, job.folder], capture_output=True, text=True,
                                  timeout=120, check=False)
            told.append((done.returncode, done.stdout, done.stderr))
            raise varve.NotSupported("it is enough")

        some = random.Random(7)
        values = [bytes(some.choices(range(16), k=4000)) for _ in range(64)]
        with varve.open(self.home / "db", create_if_missing=True, disable_auto_compactions=True, compression="none",
                        write_buffer_size=1 << 26, compaction_service=service, compaction_service_fallback=False,
                        **{"compression_opts.level": 19}) as db:
            for _ in range(2):
                for number in range(5000):
                    db.put(b"%06d" % number, values[number % 64], durability="none")
                db.flush()
            db.set_options(compression="zstd")  # Slow: 40 MB.
            with self.assertRaisesRegex(varve.NotSupported, "enough"):
                db.compact()
        self.assertEqual([(0, "['JOB']\n", "")], told)


if __name__ == "__main__":
    unittest.main()
