#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compactions by `varve compact-worker` while workers and engines are killed at random: contents stay what a model says,
and nothing is left behind: worker_kills.py VARVE [--kills=N] [--first=SEED] [--ldb=LDB]

N workers and N engines are killed, and it is counted where: engines before, while and after they install a result; workers
before, at and after a job. What a seed does is drawn from it; where a process is when it is killed is not, since that is a
matter of time, but some wait for new tables of the worker, or of the database. Half of the seeds allow compacting without
the service, and half do not: then an engine that finishes has had every compaction done by a worker."""
import argparse
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from waiting import wait_until  # noqa: E402

SECONDS = 120
WHEN = ("before", "during", "after")  # A job of a worker, or the installation of a result.
WHERE = [(who, when) for who in ("worker", "engine") for when in WHEN]
OPTIONS = ["--option", "write_buffer_size=65536", "--option", "target_file_size_base=65536",
           "--option", "level0_file_num_compaction_trigger=3"]


class Run:
    def __init__(self, varve, seed):
        self.varve, self.chance = varve, random.Random(seed)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve_remote_"))
        self.db, self.jobs = self.home / "db", self.home / "jobs"
        self.jobs.mkdir()
        self.fallback = seed % 2 == 0
        self.model = {}
        self.kills = dict.fromkeys(WHERE, 0)
        self.remote = 0

    def done(self, *words, stdin=b""):
        ran = subprocess.run([self.varve, *map(str, words)], input=stdin, capture_output=True, timeout=SECONDS)
        if ran.returncode != 0:
            raise AssertionError(f"{words}: {ran.returncode}: {ran.stderr.decode(errors='replace')}")
        return ran.stdout

    def write(self):
        for _ in range(self.chance.randrange(1, 4)):
            keys = [f"k{self.chance.randrange(3000):05}" for _ in range(1500)]
            pairs = {key: f"{self.chance.random()}" * self.chance.randrange(1, 4) for key in keys}
            text = "".join(f"{key}\t{value}\n" for key, value in sorted(pairs.items())).encode()
            self.load(text)
            self.model |= pairs

    def load(self, text):
        self.done("load", self.db, "-", *OPTIONS, "--option", "disable_auto_compactions=true", stdin=text)

    def worker(self):
        return subprocess.Popen([self.varve, "compact-worker", "--watch", str(self.jobs)], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def engine(self):
        return subprocess.Popen([self.varve, "compact", str(self.db), "--force", "--json", "--service", f"folder:{self.jobs}",
                                 "--option", f"compaction_service_fallback={str(self.fallback).lower()}", *OPTIONS],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def check(self):
        self.done("db", "verify", self.db)
        text = self.done("scan", self.db, "-F", "text").decode()
        found = dict(line.split("\t", 1) for line in text.splitlines())
        assert found == self.model, f"{len(found)} records instead of {len(self.model)}"

    def tables(self):
        return {path.name for path in self.db.glob("*.sst")}

    def named(self):
        files = json.loads(self.done("lsm", "files", self.db, "--json"))["files"]
        return {table["name"] for table in files}

    def results(self):
        """Of each job that is out, what its folder has: none, "tables" of a worker, or its "result"."""
        found = []
        for job in (self.db / "remote-compactions").glob("*"):
            with contextlib.suppress(FileNotFoundError):
                names = {path.name for path in job.iterdir()}
                found.append("result" if "RESULT" in names else "tables" if names - {"JOB", "JOB.tmp"} else "none")
        return found

    def wait_to_kill(self, dies, engine):
        """At the job, after a part of the work, or when all is done: whatever the time is then; or at once when there is
        what the victim is to be in the middle of."""
        before, aims = self.tables(), self.chance.random() < .5
        end = time.monotonic() + SECONDS
        while aims and engine.poll() is None and time.monotonic() < end:
            if self.tables() - before if dies == "engine" else "tables" in self.results():
                return
        for _ in range(0 if aims else self.chance.randrange(40)):
            if engine.poll() is not None:
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                engine.wait(self.chance.uniform(0, .02))

    def kill(self, dies, victim, before):
        """Counts where it was: the engine by what is in its MANIFEST and its directory, the worker by what it has written."""
        tables = self.tables()
        os.kill(victim.pid, signal.SIGSTOP)
        results = self.results()
        victim.kill()
        victim.wait()
        if dies == "worker":
            self.kills[dies, "after" if "result" in results or not results and tables != before else
                       "during" if "tables" in results else "before"] += 1
        else:
            self.kills[dies, "after" if self.named() != before else "during" if self.tables() != before else "before"] += 1

    def round(self, dies):
        """One compaction of everything, in which one of the two is killed, or neither."""
        before = self.named()
        worker, engine = self.worker(), self.engine()
        try:
            if dies is not None:
                self.wait_to_kill(dies, engine)
                victim = worker if dies == "worker" else engine
                if victim.poll() is None:
                    self.kill(dies, victim, before)
                if dies == "worker":
                    worker = self.worker()
            output, errors = engine.communicate(timeout=SECONDS)
        finally:
            for process in (worker, engine):
                if process.poll() is None:
                    process.terminate()
                process.wait(SECONDS)
        if engine.returncode >= 0:
            assert engine.returncode == 0, errors.decode(errors="replace")
            report = json.loads(output)
            self.remote += report["remote_compactions"]
            assert report["remote_compaction_failures"] == 0, report
            assert report["remote_compaction_fallbacks"] == 0, report

    def run(self):
        self.write()
        for dies in (self.chance.choice(("worker", "engine")), self.chance.choice(("worker", "engine")), None):
            self.round(dies)
            self.check()
            self.write()
        self.round(None)
        self.check()
        # Opening for writing has removed what the killed ones left.
        wait_until("no job is left", lambda: not list(self.jobs.iterdir()), SECONDS)
        left = list((self.db / "remote-compactions").glob("*"))
        assert not left, left
        named, there = self.named(), self.tables()
        assert there == named, f"tables that no MANIFEST names: {there - named}"
        return self.kills

    def ldb(self, ldb):
        for words in (["checkconsistency"], ["scan"]):
            ran = subprocess.run([ldb, f"--db={self.db}", *words], capture_output=True, timeout=SECONDS)
            assert ran.returncode == 0, ran.stderr.decode(errors="replace")
        assert ran.stdout.count(b"\n") >= len(self.model)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("varve")
    parser.add_argument("--kills", type=int, default=15)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--ldb")
    arguments = parser.parse_args()
    kills = dict.fromkeys(WHERE, 0)
    seed, remote = arguments.first, 0

    def killed(who):
        return sum(kills[who, when] for when in WHEN)

    while min(killed("worker"), killed("engine")) < arguments.kills:
        run = Run(str(pathlib.Path(arguments.varve).resolve()), seed)
        try:
            for where, times in run.run().items():
                kills[where] += times
            if arguments.ldb:
                run.ldb(arguments.ldb)
        except BaseException:
            print(f"replay: worker_kills.py {arguments.varve} --first={seed} --kills=1; the database: {run.db}")
            raise
        remote += run.remote
        shutil.rmtree(run.home)
        seed += 1
    assert remote > 0
    print(f"{seed - arguments.first} runs, {remote} compactions by workers; killed:",
          "; ".join(f"{killed(who)} {who}s, " + ", ".join(f"{kills[who, when]} {when}" for when in WHEN)
                    for who in ("worker", "engine")))
    assert arguments.kills < 20 or min(kills.values()) > 0


if __name__ == "__main__":
    main()
