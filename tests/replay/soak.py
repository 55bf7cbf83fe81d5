#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The random suites of suites.toml with seeds that nobody has tried, round after round.

soak.py [--hours=N]   for so long (1). What is interrupted is gone on with by the next call: with the same round, and
                      for what is left of the hours. A failure does not end it: it is shrunk and filed in
                      build/soak/found, with its output. In the end there is a line for a seeds.txt for each, and the
                      exit code is 1.
soak.py --figures     what all soaks here have done, by suite

build/soak/journal.jsonl has a line for each soak that begins or ends and each job that is done."""
import argparse
import collections
import json
import os
import pathlib
import re
import secrets
import shlex
import signal
import sys
import time

import replay

JOB_SECONDS_MAX = 3 * 3600


class Interrupted(Exception):
    """By a signal."""


class Journal:
    """What soaks have done; each entry is whole or, if it was being written when all ended, ignored."""

    def __init__(self, folder):
        self.file = folder / "journal.jsonl"
        self.entries = []
        folder.mkdir(parents=True, exist_ok=True)
        text = self.file.read_text() if self.file.exists() else ""
        if text and not text.endswith("\n"):
            text = text[:text.rfind("\n") + 1]
            self.file.write_text(text)
        for line in text.splitlines():
            self.entries.append(json.loads(line))

    def add(self, **entry):
        self.entries.append(entry)
        with self.file.open("a") as out:
            out.write(json.dumps(entry) + "\n")
            out.flush()
            os.fsync(out.fileno())

    def jobs(self):
        return [entry for entry in self.entries if "job" in entry]

    def soak(self):
        """The entries of the soak at hand, its beginning first; none if the last one has ended."""
        for at in range(len(self.entries) - 1, -1, -1):
            if "end" in self.entries[at]:
                return []
            if "begin" in self.entries[at]:
                return self.entries[at:]
        return []


def counts_of(suite, output):
    """Sums of the numbers in front of the suite's words."""
    counts = collections.Counter()
    for word in suite.counts:
        for number in re.findall(rf"(?<![\w.])(\d+) {re.escape(word)}\b", output):
            counts[word] += int(number)
    return dict(counts)


class Soak:
    def __init__(self, journal, suites, build, shrink_seconds):
        self.journal, self.suites, self.build, self.shrink_seconds = journal, suites, build, shrink_seconds
        self.found = journal.file.parent / "found"

    def run(self, hours):
        if not self.journal.soak():
            self.journal.add(begin=time.strftime("%Y-%m-%d %H:%M:%S"), hours=hours)
        while self.seconds_left(hours) > 0:
            for job in self.round():
                if self.seconds_left(hours) <= 0:
                    break
                self.do(*job)
        return self.finish()

    def seconds_left(self, hours):
        return hours * 3600 - sum(entry.get("seconds", 0) for entry in self.journal.soak())

    def round(self):
        """The jobs of the round at hand that are not done: (round, seed, suite, options)."""
        jobs = [entry for entry in self.journal.soak() if "job" in entry]
        number, seed = (jobs[-1]["round"], jobs[-1]["seed"]) if jobs else (1, self.new_seed())
        left = self.left(jobs, number, seed)
        if not left:
            number, seed = number + 1, self.new_seed()
            left = self.left(jobs, number, seed)
        if not left:
            raise replay.Unusable("no suite has a round")
        return left

    def left(self, jobs, number, seed):
        done = {entry["job"] for entry in jobs if entry["round"] == number}
        left = []
        for suite in self.suites.values():
            for line in (suite.once if number == 1 else []) + suite.round:
                options = shlex.split(line.format(seed=seed))
                if replay.line_of(suite, options) not in done:
                    left.append((number, seed, suite, options))
        return left

    @staticmethod
    def new_seed():
        return secrets.randbelow(1 << 30) + 1

    def do(self, number, seed, suite, options):
        line = replay.line_of(suite, options)
        print(f"== round {number}: {line}", flush=True)
        begin = time.monotonic()
        build = self.build or replay.build_of(suite)
        outcome, _ = replay.run(suite.command(options, build), JOB_SECONDS_MAX)
        shrunk = None
        if outcome.code != 0:
            print(f"   failed ({outcome.code})", flush=True)
            shrunk = self.file(suite, options, outcome, build)
        self.journal.add(job=line, suite=suite.name, round=number, seed=seed, code=outcome.code, found=shrunk,
                         seconds=round(time.monotonic() - begin, 3), counts=counts_of(suite, outcome.output))

    def file(self, suite, options, outcome, build):
        """The shrunk line; with its output it goes to a file of its own."""
        short = replay.shrink_line(suite, options, outcome, self.suites, build, self.shrink_seconds)
        shrunk = replay.line_of(suite, short)
        self.found.mkdir(exist_ok=True)
        number = len(list(self.found.iterdir())) + 1
        place = self.found / f"{number:03}-{suite.name}.txt"
        place.write_text(f"{shrunk}\n\nfound by: {replay.line_of(suite, options)}\nexit code: {outcome.code}\n\n"
                         f"{outcome.output}")
        print(f"   {place}: {shrunk}", flush=True)
        return shrunk

    def finish(self):
        entries = self.journal.soak()
        jobs = [entry for entry in entries if "job" in entry]
        found = [entry["found"] for entry in jobs if entry["code"] != 0]
        self.journal.add(end=time.strftime("%Y-%m-%d %H:%M:%S"))
        print(f"soak: {len(jobs)} jobs of {jobs[-1]['round'] if jobs else 0} rounds, {len(found)} failed")
        if found:
            print("For tests/*/seeds.txt, once it is known what they are:")
            print("".join(f"{line}  # WHAT, mended in COMMIT\n" for line in dict.fromkeys(found)), end="")
        return int(bool(found))


def print_figures(journal):
    table = collections.defaultdict(lambda: [0, 0, 0.0, collections.Counter()])
    for job in journal.jobs():
        row = table[job["suite"]]
        row[0] += 1
        row[1] += job["code"] != 0
        row[2] += job["seconds"]
        row[3].update(job["counts"])
    print("| suite | jobs | failed | hours | did |\n|---|---|---|---|---|")
    for suite, (jobs, failed, seconds, counts) in table.items():
        did = ", ".join(f"{number:,} {word}" for word, number in counts.items())
        print(f"| `{suite}` | {jobs} | {failed} | {seconds / 3600:.1f} | {did} |")


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     allow_abbrev=False, usage="soak.sh [--hours=N | --figures]")
    parser.add_argument("--hours", type=float, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--figures", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--build", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--suites", type=pathlib.Path, default=replay.SUITES, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=pathlib.Path, default=replay.ROOT / "build/soak", help=argparse.SUPPRESS)
    parser.add_argument("--shrink-seconds", type=float, default=replay.SHRINK_SECONDS, help=argparse.SUPPRESS)
    return parser.parse_args(words)


def interrupt(*_):
    raise Interrupted


def main(words):
    args = parse(words)
    journal = Journal(args.folder)
    if args.figures:
        print_figures(journal)
        return 0
    signal.signal(signal.SIGTERM, interrupt)
    suites = replay.read_suites(args.suites)
    if not args.build:
        replay.make(suites.values())
    return Soak(journal, suites, args.build, args.shrink_seconds).run(args.hours)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Interrupted, KeyboardInterrupt):
        print("soak: interrupted; the next call goes on")
        sys.exit(130)
    except replay.Unusable as why:
        print(f"soak: {why}", file=sys.stderr)
        sys.exit(replay.USAGE)
