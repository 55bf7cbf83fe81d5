#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compactions by `varve compact-worker` while workers and engines are killed at random: contents stay what a model says,
and nothing is left behind: worker_kills.py VARVE [--kills=N] [--first=SEED] [--ldb=LDB]

What a seed does is drawn from it; where a process is when it is killed is not, since that is a matter of time. Half of
the seeds allow compacting without the service, and half do not: then an engine that finishes has had every compaction
done by a worker."""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from waiting import wait_until  # noqa: E402

SECONDS = 120
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
        self.kills = {"worker": 0, "engine": 0}
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

    def round(self, dies):
        """One compaction of everything, in which one of the two is killed, or neither."""
        worker, engine = self.worker(), self.engine()
        try:
            if dies is not None:
                # At the job, after a part of the work, or when all is done: whatever the time is then.
                for _ in range(self.chance.randrange(40)):
                    if engine.poll() is not None:
                        break
                    try:
                        engine.wait(self.chance.uniform(0, .02))
                    except subprocess.TimeoutExpired:
                        pass
                victim = worker if dies == "worker" else engine
                if victim.poll() is None:
                    victim.kill()
                    self.kills[dies] += 1
                victim.wait()
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
        files = json.loads(self.done("lsm", "files", self.db, "--json"))["files"]
        named = {table["name"] for table in files}
        there = {path.name for path in self.db.glob("*.sst")}
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
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--ldb")
    arguments = parser.parse_args()
    kills = {"worker": 0, "engine": 0}
    seed, remote = arguments.first, 0
    while sum(kills.values()) < arguments.kills:
        run = Run(str(pathlib.Path(arguments.varve).resolve()), seed)
        try:
            for process, times in run.run().items():
                kills[process] += times
            if arguments.ldb:
                run.ldb(arguments.ldb)
        except BaseException:
            print(f"replay: worker_kills.py {arguments.varve} --first={seed} --kills=1; the database: {run.db}")
            raise
        remote += run.remote
        shutil.rmtree(run.home)
        seed += 1
    assert remote > 0
    print(f"{seed - arguments.first} runs, {kills['worker']} workers and {kills['engine']} engines killed, "
          f"{remote} compactions by workers")


if __name__ == "__main__":
    main()
