#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every verb on every hostile input: within 1 GiB of address space and 10 s of CPU, and never a signal.

Keys that share their beginnings can be many times what the file takes: 1.8 GB in 880 KB. What writes each of them
out in full, as JSON or into new tables, costs what it writes, and gets the time for that; the limit of memory stays.

usage: limits_test.py VARVE INPUTS SCRATCH [--only NAME] [--verb VERB] [--slowest N] [--wider]

VARVE is the program, INPUTS the folder that fixtures/hostile/unpack.py made. Verbs that write get a copy of their
own in SCRATCH. What a verb answers is other tests' business (tests/property); here it must answer: with one of the
documented exit codes, of which 70, a bug, is none. --wider lifts the limits, to measure what was needed.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

ADDRESS_SPACE = 1 << 30
CPU_SECONDS = 10
EXPANDING = "quad_prefix_60000"
# 60,000 keys of 30 KB on average: 5.4 GB of JSON at 1.0 ns a byte (5 s; 8 s with --stored-order), and `compact`
# builds blocks of 1.8 GB, compresses them and reads them back (8 s). A slower machine may take twice that. Text, which
# is 1.8 GB, takes 0.8 s, and gets no more time than other verbs.
WRITING_OUT = re.compile(r"compact .*|(scan|sst entries|sst block) .*--json")
CPU_SECONDS_WRITING_OUT = 20
# A verb that waits instead of working is not seen by the limit of CPU time.
WALL_SECONDS = 300
EXIT_CODES = {0, 1, 2, 3, 4, 5, 6, 7, 8}

KEYS = ("k", "hex:", "key00000005", "hex:ffffffffffffffffffff")

TABLE_VERBS = [
    ["sst", "info", "{}"],
    ["sst", "info", "{}", "--json"],
    ["sst", "entries", "{}"],
    ["sst", "entries", "{}", "--json"],
    ["sst", "verify", "{}"],
    ["sst", "verify", "{}", "--json"],
    ["sst", "salvage", "{}", "-o", "{scratch}"],
    ["sst", "salvage", "{}", "-o", "{scratch}", "--json"],
    ["sst", "layout", "{}"],
    ["sst", "layout", "{}", "--json"],
    ["sst", "index", "{}"],
    ["sst", "index", "{}", "--json"],
    ["sst", "filter", "{}"],
    ["sst", "filter", "{}", "--json"],
    ["sst", "probe", "{}", KEYS[2]],
    ["sst", "blocks", "{}"],
    ["sst", "blocks", "{}", "--json"],
    ["sst", "block", "{}", "0"],
    ["sst", "block", "{}", "0", "--json"],
    ["sst", "hex", "{}"],
    ["sst", "recompress", "{}", "--compare"],
    ["sst", "recompress", "{}", "--compare", "--codec", "none", "--block-size", "4K"],
    ["sst", "recompress", "{}", "--compare", "--dictionary", "64K", "--codec", "zstd"],
    ["scan", "{}"],
    ["scan", "{}", "--stored-order"],
    ["scan", "{}", "--json"],
    ["count", "{}"],
]

READING_VERBS = [
    ["db", "info", "{}"],
    ["db", "info", "{}", "--json"],
    ["db", "verify", "{}"],
    ["db", "verify", "{}", "--json"],
    ["db", "options", "{}"],
    ["db", "options", "{}", "--all", "--json"],
    ["db", "events", "{}"],
    ["db", "space", "{}"],
    ["db", "space", "{}", "--json"],
    ["db", "space", "{}", "--group-length", "2"],
    ["db", "space", "{}", "--estimate"],
    ["approxsize", "{}"],
    ["approxsize", "{}", "--from", "a", "--to", "key00000005"],
    ["cf", "list", "{}"],
    ["cf", "list", "{}", "--json"],
    ["lsm", "show", "{}"],
    ["lsm", "show", "{}", "--json"],
    ["lsm", "show", "{}", "--edits", "1..2"],
    ["lsm", "show", "{}", "--against", "{}"],
    ["lsm", "files", "{}", "--properties"],
    ["lsm", "files", "{}"],
    ["lsm", "files", "{}", "--json"],
    ["lsm", "history", "{}"],
    ["lsm", "history", "{}", "--json"],
    ["manifest", "edits", "{}"],
    ["manifest", "edits", "{}", "--json"],
    ["manifest", "show", "{}"],
    ["manifest", "show", "{}", "--json"],
    ["manifest", "layout", "{}"],
    ["wal", "segments", "{}"],
    ["wal", "records", "{log}"],
    ["wal", "records", "{log}", "--json"],
    ["wal", "layout", "{log}"],
    ["get", "{}", KEYS[0]],
    ["get", "{}", KEYS[2], "--json"],
    ["multiget", "{}", *KEYS],
    ["scan", "{}"],
    ["scan", "{}", "--reverse", "--keys-only"],
    ["scan", "{}", "--json"],
    ["scan", "{}", "--versions"],
    ["scan", "{}", "--all-cfs"],
    ["scan", "{}", "--stored-order"],
    ["scan", "{}", "--stored-order", "--json"],
    ["count", "{}"],
    ["dump", "{}"],
    ["diff", "{}", "{}"],
    ["explain", "get", "{}", KEYS[2]],
    ["explain", "get", "{}", KEYS[0], "--json"],
    ["explain", "multiget", "{}", *KEYS],
    ["explain", "scan", "{}"],
    ["explain", "scan", "{}", "--json"],
    ["locate", "{}", KEYS[0], "--all"],
    ["locate", "{}", KEYS[2], "--json"],
    ["db", "repair", "{}", "--dry-run"],
    ["db", "repair", "{}", "-o", "{scratch}"],
]

# Each on a copy.
WRITING_VERBS = [
    ["put", "{copy}", "k", "v"],
    ["delete", "{copy}", "k"],
    ["delete", "{copy}", "--from", "a", "--to", "b"],
    ["compact", "{copy}"],
    ["compact", "{copy}", "--force"],
    ["checkpoint", "{copy}", "{scratch}"],
    ["batch", "{copy}"],
    ["load", "{copy}", "-"],
    ["ingest", "{copy}", "{table}"],
    ["cf", "create", "{copy}", "new"],
    ["cf", "drop", "{copy}", "new", "--yes"],
    ["db", "set-options", "{copy}", "compression=zstd"],
]
STANDARD_INPUT = {"batch": b"put\ta\t1\ndelete\tb\n", "load": b"a\t1\nb\t2\n"}


def limit(wider, cpu_seconds):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if wider:
        resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        return
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))


class Call:
    """One verb on one input, and what became of it."""

    def __init__(self, options, path, verb, place):
        self.words = [options.varve]
        log = str(min(path.glob("*.log"), default="")) if "{log}" in verb else ""
        for word in verb:
            self.words.append(word.replace("{log}", log).replace("{scratch}", str(place / "out"))
                              .replace("{copy}", str(place / "copy")).replace("{}", str(path))
                              .replace("{table}", str(options.scratch / "table.sst")))
        self.name = f"{' '.join(verb)} of {path.name}"
        self.path, self.verb, self.place, self.options = path, verb, place, options
        writes_out = EXPANDING in path.name and WRITING_OUT.fullmatch(" ".join(verb))
        self.cpu_seconds = CPU_SECONDS_WRITING_OUT if writes_out else CPU_SECONDS

    def run(self):
        self.place.mkdir(parents=True)
        if "{copy}" in self.verb:
            shutil.copytree(self.path, self.place / "copy")
        began = time.monotonic()
        child = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, preexec_fn=lambda: limit(self.options.wider, self.cpu_seconds))
        killer = None
        try:
            _, errors = child.communicate(STANDARD_INPUT.get(self.verb[0], b""), timeout=WALL_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            _, errors = child.communicate()
            killer = f"did not end within {WALL_SECONDS} s"
        self.errors = errors.decode(errors="replace")[-300:].strip()
        self.seconds = time.monotonic() - began
        self.code = child.returncode
        shutil.rmtree(self.place, ignore_errors=True)
        if killer is None and self.code < 0:
            killer = f"ended by {signal.Signals(-self.code).name}"
        elif killer is None and self.code not in EXIT_CODES:
            killer = f"exit code {self.code}"
        self.failure = f"{self.name}: {killer} {self.errors}" if killer else None
        return self


def calls(options):
    number = 0
    for path in sorted(options.inputs.iterdir()):
        if options.only and options.only not in path.name:
            continue
        verbs = READING_VERBS + WRITING_VERBS if path.is_dir() else TABLE_VERBS
        for verb in verbs:
            if options.verb and not " ".join(verb).startswith(options.verb):
                continue
            if "{log}" in verb and not any(path.glob("*.log")):
                continue
            number += 1
            yield Call(options, path, verb, options.scratch / str(number))


def misused(done):
    """The verbs that were a usage error on each input: nothing of them was measured."""
    codes = collections.defaultdict(set)
    for call in done:
        codes[" ".join(call.verb)].add(call.code)
    return [f"{verb}: a usage error on every input" for verb, seen in codes.items() if seen == {2}]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("varve")
    parser.add_argument("inputs", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--only")
    parser.add_argument("--verb")
    parser.add_argument("--slowest", type=int, default=0)
    parser.add_argument("--wider", action="store_true")
    options = parser.parse_args()
    shutil.rmtree(options.scratch, ignore_errors=True)
    options.scratch.mkdir(parents=True)
    subprocess.run([options.varve, "sst", "build", options.scratch / "table.sst", "-"], input=b"zz\tv\n",
                   check=True, stderr=subprocess.DEVNULL)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(Call.run, calls(options)))
    shutil.rmtree(options.scratch, ignore_errors=True)
    failures = [call.failure for call in done if call.failure]
    if not options.only:
        failures += misused(done)
    for failure in failures:
        print("FAILED:", failure)
    for call in sorted(done, key=lambda call: -call.seconds)[:options.slowest]:
        print(f"{call.seconds:8.2f} s  {call.code}  {call.name}")
    print(f"{len(done)} calls, {len(failures)} failed")
    return 1 if failures or not done else 0


if __name__ == "__main__":
    sys.exit(main())
