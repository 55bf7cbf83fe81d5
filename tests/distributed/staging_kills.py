#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads by many processes (varve.staging), whose tasks and drivers are killed at random: contents are those of a load
by one process, or unchanged, and nothing is left: staging_kills.py [--first=SEED] [--seeds=N] [--seed=SEED] [--kills=N]

After so many seeds, it goes on until N processes of each kind are killed.

What a seed does is drawn from it; where a process is when it is killed is not, since that is a matter of time."""
import argparse
import ctypes
import itertools
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

import loads
from children import Child, Failed, Killed, run
from varve import staging

PR_SET_CHILD_SUBREAPER = 36
ATTEMPTS = 4


def write(job, pairs, label):
    return job.write(loads.batches(pairs, 100), label)


def task(job, pairs, label, seed, seconds):
    """As an engine runs it: what is killed is tried again, and now and then two attempts run at once. Returns what one of
    them has made, and how many were killed."""
    chance = random.Random(seed)
    killed = 0
    for _ in range(ATTEMPTS):
        attempts = [Child(write, job, pairs, label, seconds=chance.uniform(0, seconds) if chance.random() < .4 else None)
                    for _ in range(chance.choice((1, 1, 2)))]
        built = []
        for attempt in attempts:
            try:
                built.append(attempt.result())
            except Killed:
                killed += 1
        if built:
            return chance.choice(built), killed
    return None, killed


def drive(path, parts, stream, seed, seconds, how, dies):
    """What the driver of an engine does, and then `dies`. Whether it has committed, and the kills."""
    job = staging.begin(path, stream=stream, like=loads.like(), **how)
    tasks = [Child(task, job, pairs, f"p{number}", f"{seed}/{number}", seconds) for number, pairs in enumerate(parts)]
    done = [each.result() for each in tasks]
    kills = sum(killed for _, killed in done)
    if any(built is None for built, _ in done):
        job.abort()
        return False, kills
    job.commit([built for built, _ in done], **({} if stream is None else {"batch": 1}))
    if dies:
        os.kill(os.getpid(), signal.SIGKILL)
    return True, kills


class Cycle:
    """One load, from its first try to the one that nobody kills."""
    seconds = 1.0  # That a load takes.
    counts = {"loads": 0, "kills of tasks": 0, "kills of drivers": 0, "of these after the commit": 0}

    def __init__(self, seed, home):
        self.chance = random.Random(seed)
        self.seed, self.path = seed, str(home / "db")
        self.stream = self.chance.choice((None, "stream"))
        self.how = {"table_bytes": self.chance.choice((1, 64 << 20)), "duplicates": self.chance.choice(("refuse", "last"))}
        self.old, self.new, self.parts = loads.drawn(self.chance, seed)

    def check(self, committed):
        """Whether the load is there; it must be if it was `committed`."""
        found = run(loads.contents, self.path)
        there = found == self.old | self.new
        if not there and found != self.old or committed and not there:
            raise AssertionError(f"seed {self.seed}: {len(found)} records, of which "
                                 f"{sum(self.new.get(key) == value for key, value in found.items())} of {len(self.new)} "
                                 f"are new, committed: {committed}")
        return there

    def attempt(self, seconds, dies=False):
        """With a driver that is killed after so many seconds, or that `dies` once it has committed. Whether the load is
        there afterwards, and whether its driver has told so."""
        begun = time.monotonic()
        driver = Child(drive, self.path, self.parts, self.stream, self.chance.random(), Cycle.seconds, self.how, dies,
                       seconds=None if dies else seconds)
        committed = False
        try:
            committed, kills = driver.result()
            self.counts["kills of tasks"] += kills
            if seconds is None:
                Cycle.seconds = time.monotonic() - begun
        except Killed:
            self.counts["kills of drivers"] += 1
            if self.chance.random() < .3:  # While its tasks still run.
                run(staging.sweep, self.path, 0)
        reap()
        there = self.check(committed)
        self.counts["of these after the commit"] += there and not committed
        left = run(loads.sweep_all, self.path)
        if left:
            raise AssertionError(f"seed {self.seed}: left behind: {left}")
        return there, committed

    def run(self):
        run(loads.fill, self.path, sorted(self.old.items()))
        self.counts["loads"] += 1
        there, committed = self.attempt(self.chance.uniform(0, 1.2 * Cycle.seconds), dies=self.seed % 5 == 0)
        if there and self.stream is not None:
            # The driver does not know, and does it again; meanwhile someone else has written.
            later = {next(iter(self.new)): b"later"}
            run(loads.fill, self.path, list(later.items()))
            self.new |= later
            self.check(True)
        while not committed:
            there, committed = self.attempt(None)


def reap():
    """Waits for what is still running of those whose parents were killed."""
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--seed", type=int, help="this one alone")
    parser.add_argument("--kills", type=int, default=0)
    args = parser.parse_args()
    if args.seed is not None:
        args.first, args.seeds = args.seed, 1
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    for seed in itertools.count(args.first):
        if seed >= args.first + args.seeds and min(Cycle.counts.values()) >= args.kills:
            break
        home = pathlib.Path(tempfile.mkdtemp(prefix="varve-staging-"))
        try:
            Cycle(seed, home).run()
        except (AssertionError, Failed):
            print(f"replay: staging_kills --seed={seed}", file=sys.stderr)
            raise
        finally:
            shutil.rmtree(home, ignore_errors=True)
    print(", ".join(f"{count} {what}" for what, count in Cycle.counts.items()))
    if args.seeds >= 20 and min(Cycle.counts.values()) == 0:
        raise AssertionError("nothing was killed: is a load quicker than it takes to say so?")


if __name__ == "__main__":
    main()
