#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a verb costs follows the size of its input: for inputs of n, 2n and 4n that are as bad as we can make them,
CPU time grows by at most 2.3 with each doubling, and peak memory stays within a bound.

usage: cost_test.py VARVE COST_INPUTS SCRATCH [--only KIND] [--verb VERB] [--verbose]

n is doubled until a verb takes MEASURABLE seconds, or an input has MOST_BYTES: then nothing can be said of growth,
and nothing need be, for so large an input took no time. CPU time is the process's own, less that of a call that
does nothing; of several calls the least counts, and a growth that is too large is measured again before it is
believed.

Memory: PEAK_BASE, and PEAK_PER_BYTE of the input for reports, which hold a row for each thing that they list.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

MEASURABLE = 0.05
MOST_BYTES = 4 << 20
GROWTH_MAX = 2.3
PEAK_BASE = 96 << 20
PEAK_PER_BYTE = 64
CALLS = 2
CALLS_IN_DOUBT = 6

INFO = ["sst", "info", "{}"]
ENTRIES = ["sst", "entries", "{}"]
VERIFY_TABLE = ["sst", "verify", "{}"]
VERIFY_TABLE_JSON = ["sst", "verify", "{}", "--json"]
SALVAGE = ["sst", "salvage", "{}", "-o", "{out}"]
LAYOUT = ["sst", "layout", "{}"]
LAYOUT_JSON = ["sst", "layout", "{}", "--json"]
INDEX = ["sst", "index", "{}"]
BLOCKS = ["sst", "blocks", "{}"]
SCAN = ["scan", "{}", "--keys-only"]
SCAN_BACK = ["scan", "{}", "--keys-only", "--reverse"]
COUNT = ["count", "{}"]
EVERY_TABLE_VERB = [INFO, ENTRIES, VERIFY_TABLE, VERIFY_TABLE_JSON, SALVAGE, LAYOUT, LAYOUT_JSON, INDEX, BLOCKS, SCAN,
                    SCAN_BACK, COUNT]

DB_INFO = ["db", "info", "{}"]
DB_INFO_JSON = ["db", "info", "{}", "--json"]
DB_VERIFY = ["db", "verify", "{}"]
DB_OPTIONS = ["db", "options", "{}"]
DB_OPTIONS_JSON = ["db", "options", "{}", "--json"]
DB_SPACE = ["db", "space", "{}"]
DB_EVENTS = ["db", "events", "{}"]
LSM_SHOW = ["lsm", "show", "{}"]
LSM_FILES_JSON = ["lsm", "files", "{}", "--json"]
LSM_HISTORY = ["lsm", "history", "{}"]
MANIFEST_EDITS = ["manifest", "edits", "{}"]
MANIFEST_EDITS_JSON = ["manifest", "edits", "{}", "--json"]
MANIFEST_SHOW = ["manifest", "show", "{}"]
MANIFEST_LAYOUT = ["manifest", "layout", "{}"]
WAL_SEGMENTS = ["wal", "segments", "{}"]
WAL_RECORDS = ["wal", "records", "{}"]
WAL_RECORDS_JSON = ["wal", "records", "{}", "--json"]
WAL_LAYOUT = ["wal", "layout", "{}"]
GET = ["get", "{}", "k"]
LOCATE = ["locate", "{}", "k"]
EXPLAIN = ["explain", "get", "{}", "k"]
REPAIR = ["db", "repair", "{}", "--dry-run"]
OF_MANIFEST = [DB_INFO, DB_INFO_JSON, DB_VERIFY, LSM_SHOW, LSM_FILES_JSON, LSM_HISTORY, MANIFEST_EDITS,
               MANIFEST_EDITS_JSON, MANIFEST_SHOW, MANIFEST_LAYOUT]
OF_LOG = [DB_VERIFY, WAL_SEGMENTS, WAL_RECORDS, WAL_RECORDS_JSON, WAL_LAYOUT, GET, LOCATE, EXPLAIN, REPAIR]
OF_OPTIONS = [DB_INFO, DB_VERIFY, DB_OPTIONS, DB_OPTIONS_JSON, LSM_SHOW, GET]

# Kind of input, the n that doubling begins with, and the verbs.
CASES = [
    ("cut.sst", 600, [SALVAGE, LAYOUT]),
    ("many_blocks.sst", 500, EVERY_TABLE_VERB),
    ("many_meta_blocks.sst", 500, [INFO, VERIFY_TABLE, SALVAGE, LAYOUT]),
    ("many_properties.sst", 500, [INFO, VERIFY_TABLE, LAYOUT_JSON]),
    ("pattern.sst", 4096, [SALVAGE, LAYOUT]),
    ("repeated_block.sst", 500, EVERY_TABLE_VERB),
    ("repeated_partition.sst", 500, EVERY_TABLE_VERB),
    ("shared_keys.sst", 500, [INFO, VERIFY_TABLE, VERIFY_TABLE_JSON, SALVAGE, LAYOUT, BLOCKS, COUNT]),
    ("shared_separators.sst", 500, [INFO, VERIFY_TABLE, SALVAGE, LAYOUT, BLOCKS, COUNT, SCAN_BACK]),
    ("zeros.sst", 65536, [SALVAGE, LAYOUT]),
    ("edits", 500, OF_MANIFEST),
    ("families", 500, OF_MANIFEST),
    ("group", 500, OF_MANIFEST),
    ("level_0", 500, OF_MANIFEST),
    ("level_1", 500, OF_MANIFEST),
    ("event_log", 500, [DB_EVENTS, LSM_HISTORY]),
    ("wide_event", 500, [DB_EVENTS, LSM_HISTORY]),
    ("log_of_garbage", 500, OF_LOG),
    ("log_of_one_batch", 500, OF_LOG),
    ("log_of_records", 500, OF_LOG),
    ("options_nested", 500, OF_OPTIONS),
    ("options_of_families", 500, OF_OPTIONS),
    ("options_of_one_section", 500, OF_OPTIONS),
]


class Bench:
    def __init__(self, options):
        self.options = options
        self.inputs = {}
        self.idle = min(self.once(["version"], None)[0] for _ in range(5))

    def input(self, kind, n):
        """The path of an input, and its size."""
        if (kind, n) not in self.inputs:
            path = self.options.scratch / f"{n}" / kind
            path.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([self.options.cost_inputs, kind, str(n), str(path)], check=True)
            files = [path] if path.is_file() else list(path.iterdir())
            self.inputs[kind, n] = path, sum(file.stat().st_size for file in files)
        return self.inputs[kind, n]

    def once(self, verb, path):
        """CPU seconds and peak bytes of one call."""
        with tempfile.TemporaryDirectory(dir=self.options.scratch) as place:
            words = [self.options.varve] + [w.replace("{out}", f"{place}/out").replace("{}", str(path)) for w in verb]
            with open(os.devnull, "wb") as nowhere:
                child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=nowhere, stderr=nowhere)
                _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode < 0 or child.returncode == 70:
            raise AssertionError(f"{' '.join(words)}: ended with {child.returncode}")
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024

    def least(self, verb, path, calls):
        measured = [self.once(verb, path) for _ in range(calls)]
        return max(min(m[0] for m in measured) - self.idle, 1e-4), max(m[1] for m in measured)

    def check(self, kind, n, verb):
        """What is wrong, or None."""
        while True:
            path, size = self.input(kind, n)
            seconds, peak = self.least(verb, path, 1)
            if seconds >= MEASURABLE or 4 * size > MOST_BYTES:
                break
            n *= 2
        paths = [self.input(kind, n * factor) for factor in (1, 2, 4)]
        costs = [self.least(verb, path, CALLS) for path, _ in paths]
        times = [cost[0] for cost in costs]

        def growths():
            return times[1] / times[0], times[2] / times[1]

        if seconds >= MEASURABLE and max(growths()) > GROWTH_MAX:
            for i, (path, _) in enumerate(paths):
                times[i] = min(times[i], self.least(verb, path, CALLS_IN_DOUBT)[0])
        peak, size = max(cost[1] for cost in costs), paths[2][1]
        bound = PEAK_BASE + PEAK_PER_BYTE * size
        line = (f"{kind} {' '.join(verb[:2])}{' --json' if '--json' in verb else ''}: n {n}, {paths[0][1]} bytes, "
                f"{times[0]:.3f} {times[1]:.3f} {times[2]:.3f} s, peak {peak >> 20} MiB of {bound >> 20}")
        if self.options.verbose:
            print(line, flush=True)
        if times[0] >= MEASURABLE and max(growths()) > GROWTH_MAX:
            return f"{line}: grows by {growths()[0]:.2f} and {growths()[1]:.2f}"
        if peak > bound:
            return f"{line}: too much memory"
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("varve")
    parser.add_argument("cost_inputs")
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--verb", default="")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    shutil.rmtree(options.scratch, ignore_errors=True)
    options.scratch.mkdir(parents=True)
    bench = Bench(options)
    checked, failures = 0, []
    for kind, n, verbs in CASES:
        for verb in verbs:
            if options.only not in kind or options.verb not in " ".join(verb):
                continue
            checked += 1
            try:
                failure = bench.check(kind, n, verb)
            except AssertionError as error:
                failure = str(error)
            if failure:
                failures.append(failure)
                print("FAILED:", failure, flush=True)
    shutil.rmtree(options.scratch, ignore_errors=True)
    print(f"{checked} verbs on inputs of {len(CASES)} kinds, {len(failures)} failed")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
