#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads into a server (varve.staging with a URL) that is killed before, while and after it adds the tables: contents are
those of a load by one process, or unchanged, and nothing is left: server_kills.py VARVE [--first=SEED] [--kills=N]

It is killed N times at each of the three, which a look at its MANIFEST and its directory tells afterwards. What a seed does
is drawn from it; where the server is when it is killed is not, since that is a matter of time."""
import argparse
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

import loads
import varve
from children import Child, Failed, run
from varve import staging

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "security"))
import served  # noqa: E402  pylint: disable=wrong-import-position

WHEN = ("before", "during", "after")


def load(url, token, parts, how):
    job = staging.begin(url, token=token, like=loads.like(), **how)
    return job.commit([job.write(loads.batches(pairs, 100), str(number)) for number, pairs in enumerate(parts)])


def named(path):
    with varve.open(path, read_only=True) as db:
        return {f"{file['number']:06}.sst" for file in db.files()}


class Cycle:
    """One load, from its first try to the one that nobody kills."""
    seconds = 1.0  # That a load takes.
    kills = dict.fromkeys(WHEN, 0)

    def __init__(self, program, seed, home):
        self.program, self.chance, self.path = program, random.Random(seed), str(home / "db")
        self.old, self.new, self.parts = loads.drawn(self.chance, seed)
        self.how = {"table_bytes": self.chance.choice((1, 64 << 20))}

    def tables(self):
        return {name for name in os.listdir(self.path) if name.endswith(".sst")}

    def wait(self, client, before):
        """Until it is to be killed: at any time, when a table has come into the directory, or when the client is told."""
        aim = self.chance.choice(WHEN)
        end = time.monotonic() + (self.chance.uniform(0, 1.2 * Cycle.seconds) if aim == "before" else 120)
        while not client.poll(0 if aim == "during" else .001) and time.monotonic() < end:
            if aim == "during" and self.tables() - before:
                return

    def killed(self):
        """A load whose server is killed. Whether the client was told that it is done."""
        before = run(named, self.path)
        server = served.Server(self.program, [self.path], "--write")
        client = Child(load, f"http://127.0.0.1:{server.port}", server.token, self.parts, self.how)
        try:
            self.wait(client, before)
        finally:
            server.process.kill()
            server.process.wait()
            server.process.stdout.close()
        try:
            committed = client.result()
        except Failed as error:
            if error.kind not in ("IoError", "Busy", "NotFound"):
                raise
            committed = False
        self.kills["after" if run(named, self.path) != before else "during" if self.tables() != before else "before"] += 1
        return committed

    def check(self, seed, committed):
        found = run(loads.contents, self.path)
        there = found == self.old | self.new
        if not there and found != self.old or committed and not there:
            raise AssertionError(f"seed {seed}: {len(found)} records, committed: {committed}")
        left = [name for name in os.listdir(self.path) if name == "uploads"] + loads.left(self.path)
        if left:
            raise AssertionError(f"seed {seed}: left behind: {left}")

    def run(self, seed):
        run(loads.fill, self.path, sorted(self.old.items()))
        self.check(seed, self.killed())
        server = served.Server(self.program, [self.path], "--write")
        begun = time.monotonic()
        try:
            committed = run(load, f"http://127.0.0.1:{server.port}", server.token, self.parts, self.how)
            Cycle.seconds = time.monotonic() - begun
        finally:
            server.stop()
        self.check(seed, committed)
        if not committed:
            raise AssertionError(f"seed {seed}: nobody killed it, and it is not done")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("varve")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--kills", type=int, default=2)
    args = parser.parse_args()
    seed = args.first
    while min(Cycle.kills.values()) < args.kills:
        home = pathlib.Path(tempfile.mkdtemp(prefix="varve-server-"))
        try:
            Cycle(args.varve, seed, home).run(seed)
        except (AssertionError, Failed):
            print(f"replay: server_kills.py {args.varve} --first={seed} --kills=1", file=sys.stderr)
            raise
        finally:
            shutil.rmtree(home, ignore_errors=True)
        seed += 1
    print(f"{seed - args.first} servers killed while tables were added to them:",
          ", ".join(f"{times} {when}" for when, times in Cycle.kills.items()))


if __name__ == "__main__":
    main()
