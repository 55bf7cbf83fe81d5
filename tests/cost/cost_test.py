#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a verb costs follows the size of its input: for inputs of n, 2n and 4n that are as bad as we can make them,
work grows by at most 2.3 with each doubling, and peak memory stays within a bound (core/README.md, Costs).

usage: cost_test.py VARVE COST_INPUTS SCRATCH [--only KIND] [--verb VERB] [--verbose] [--long]

Work is CPU time first, of the process alone, less that of a call that does nothing: it is cheap to ask, and a growth
that is small enough is not that small by chance. A growth that is too large may be noise, or memory that no longer
fits a cache. So it is measured again, all three sizes in turn, of which the least counts; and what is then still too
large is decided by the instructions that valgrind counts, which are the same each time. Without valgrind a growth is
only believed beyond GROWTH_UNCOUNTED.

n is doubled until a call takes MEASURABLE seconds, or 4n is more than MOST_BYTES: where so large an input takes no
time, nothing can be said of growth. --long goes on to larger inputs.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

MEASURABLE = 0.03
MOST_BYTES = 4 << 20
GROWTH_MAX = 2.3
GROWTH_UNCOUNTED = 3.2
# Each of these stands in core/README.md.
PEAK_BASE = 40 << 20
PEAK_PER_BYTE = 256
# Bytes of a block for each n, decoded; a verb holds two of them, and eight times the value as JSON.
DECODED_PER_N = {"expanding_block.sst": 1000}
# A block may be 64 MiB, decoded: of a thousandth of that where it expands to the utmost.
MOST_BYTES_OF = {"expanding_block.sst": 120 << 10}
DECODED_HELD, DECODED_HELD_AS_JSON = 2, 8
ROUNDS_MAX = 4

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
ENTRIES_JSON = ["sst", "entries", "{}", "--json"]
INDEX_JSON = ["sst", "index", "{}", "--json"]
BLOCKS_JSON = ["sst", "blocks", "{}", "--json"]
BLOCK = ["sst", "block", "{}", "0"]
BLOCK_JSON = ["sst", "block", "{}", "0", "--json"]
FILTER = ["sst", "filter", "{}"]
PROBE = ["sst", "probe", "{}", "k0000000005"]
HEX = ["sst", "hex", "{}"]
RECOMPRESS = ["sst", "recompress", "{}", "--compare"]
STORED_ORDER = ["scan", "{}", "--stored-order"]
TABLE_JSON = ["scan", "{}", "--json"]
EVERY_TABLE_VERB = [INFO, ENTRIES, ENTRIES_JSON, VERIFY_TABLE, VERIFY_TABLE_JSON, SALVAGE, LAYOUT, LAYOUT_JSON, INDEX,
                    INDEX_JSON, BLOCKS, BLOCKS_JSON, BLOCK, BLOCK_JSON, FILTER, PROBE, HEX, RECOMPRESS, SCAN, COUNT]
# What goes through the blocks in the order of the index, and ends where that repeats itself.
IN_ORDER = [ENTRIES, ENTRIES_JSON, SCAN, COUNT, RECOMPRESS]

DB_INFO = ["db", "info", "{}"]
DB_INFO_JSON = ["db", "info", "{}", "--json"]
DB_VERIFY = ["db", "verify", "{}"]
DB_OPTIONS = ["db", "options", "{}"]
DB_OPTIONS_JSON = ["db", "options", "{}", "--json"]
DB_SPACE = ["db", "space", "{}"]
DB_SPACE_GROUPS = ["db", "space", "{}", "--group-length", "4"]
DB_SPACE_ESTIMATE = ["db", "space", "{}", "--estimate"]
APPROXSIZE = ["approxsize", "{}", "--from", "a", "--to", "k5"]
CF_LIST = ["cf", "list", "{}"]
DB_EVENTS = ["db", "events", "{}"]
LSM_SHOW = ["lsm", "show", "{}"]
LSM_SHOW_EDITS = ["lsm", "show", "{}", "--edits", "1..2"]
LSM_SHOW_AGAINST = ["lsm", "show", "{}", "--against", "{}"]
LSM_FILES_JSON = ["lsm", "files", "{}", "--json"]
LSM_HISTORY = ["lsm", "history", "{}"]
MANIFEST_EDITS = ["manifest", "edits", "{}"]
MANIFEST_EDITS_JSON = ["manifest", "edits", "{}", "--json"]
MANIFEST_SHOW = ["manifest", "show", "{}"]
MANIFEST_LAYOUT = ["manifest", "layout", "{}"]
WAL_SEGMENTS = ["wal", "segments", "{}"]
WAL_RECORDS = ["wal", "records", "{}", "4"]
WAL_RECORDS_JSON = ["wal", "records", "{}", "4", "--json"]
WAL_LAYOUT = ["wal", "layout", "{}", "4"]
GET = ["get", "{}", "k"]
MULTIGET = ["multiget", "{}", "k", "k0000000005", "z"]
DUMP = ["dump", "{}"]
DIFF = ["diff", "{}", "{}"]
VERSIONS = ["scan", "{}", "--versions"]
LOCATE = ["locate", "{}", "k"]
EXPLAIN = ["explain", "get", "{}", "k"]
EXPLAIN_MULTIGET = ["explain", "multiget", "{}", "k", "k0000000005", "z"]
EXPLAIN_SCAN = ["explain", "scan", "{}"]
REPAIR = ["db", "repair", "{}", "--dry-run"]
REPAIRED = ["db", "repair", "{}", "-o", "{out}"]
# Each on a copy.
PUT = ["put", "{copy}", "k", "v"]
DELETE_RANGE = ["delete", "{copy}", "--from", "a", "--to", "b"]
COMPACT = ["compact", "{copy}", "--force"]
CHECKPOINT = ["checkpoint", "{copy}", "{out}"]
BATCH = ["batch", "{copy}"]
INGEST = ["ingest", "{copy}", "{table}"]
CF_CREATE = ["cf", "create", "{copy}", "new"]
CF_DROP = ["cf", "drop", "{copy}", "f1", "--yes"]
SET_OPTIONS = ["db", "set-options", "{copy}", "compression=zstd"]
EVERY_WRITE = [PUT, DELETE_RANGE, COMPACT, CHECKPOINT, BATCH, INGEST, CF_CREATE, SET_OPTIONS]
STANDARD_INPUT = {"batch": b"put\ta\t1\ndelete\tb\n"}
LOAD = ["load", "{out}", "{}"]
BUILD = ["sst", "build", "{out}", "{}"]
FROM_TEXT = [LOAD, BUILD]
OF_MANIFEST = [DB_INFO, DB_INFO_JSON, DB_VERIFY, DB_SPACE, LSM_SHOW, LSM_FILES_JSON, LSM_HISTORY, MANIFEST_EDITS,
               MANIFEST_EDITS_JSON, MANIFEST_SHOW, MANIFEST_LAYOUT, LOCATE, EXPLAIN, REPAIR, LSM_SHOW_EDITS, LSM_SHOW_AGAINST, CF_LIST]
OF_DATA = [GET, MULTIGET, SCAN, SCAN_BACK, COUNT, DUMP, DIFF, VERSIONS, LOCATE, EXPLAIN, EXPLAIN_MULTIGET, EXPLAIN_SCAN,
           DB_SPACE, DB_SPACE_GROUPS, DB_SPACE_ESTIMATE, APPROXSIZE, STORED_ORDER, DB_VERIFY, REPAIR,
           REPAIRED] + EVERY_WRITE
OF_LOG = [WAL_SEGMENTS, WAL_RECORDS, WAL_RECORDS_JSON, WAL_LAYOUT] + OF_DATA
OF_OPTIONS = [DB_INFO, DB_VERIFY, DB_OPTIONS, DB_OPTIONS_JSON, LSM_SHOW, GET, PUT]


def without(verbs, left_out):
    return [verb for verb in verbs if verb not in left_out]


# Kind of input, the n that doubling begins with, and the verbs.
CASES = [
    ("cut.sst", 600, [SALVAGE, LAYOUT]),
    ("expanding_block.sst", 2000, without(EVERY_TABLE_VERB, [RECOMPRESS]) + [STORED_ORDER, TABLE_JSON]),
    ("many_blocks.sst", 500, EVERY_TABLE_VERB),
    ("many_meta_blocks.sst", 500, [INFO, VERIFY_TABLE, SALVAGE, LAYOUT]),
    ("many_properties.sst", 500, [INFO, VERIFY_TABLE, LAYOUT_JSON]),
    ("pattern.sst", 4096, [SALVAGE, LAYOUT]),
    ("repeated_block.sst", 500, without(EVERY_TABLE_VERB, IN_ORDER)),
    ("repeated_partition.sst", 500, without(EVERY_TABLE_VERB, IN_ORDER)),
    ("shared_keys.sst", 500, [INFO, VERIFY_TABLE, VERIFY_TABLE_JSON, SALVAGE, LAYOUT, BLOCKS]),
    ("shared_separators.sst", 500, [INFO, VERIFY_TABLE, SALVAGE, LAYOUT, BLOCKS, COUNT]),
    ("zeros.sst", 65536, [SALVAGE, LAYOUT]),
    ("nested_range_deletions.sst", 500, EVERY_TABLE_VERB),
    ("nested_range_deletions", 500, OF_DATA),
    ("shared_separators", 500, [GET, SCAN, SCAN_BACK, COUNT, DUMP, EXPLAIN_SCAN, DB_VERIFY]),
    ("tables_of_range_deletions", 500, OF_DATA),
    ("edits", 500, without(OF_MANIFEST, [DB_SPACE])),
    ("families", 500, OF_MANIFEST + [GET, DUMP, CF_DROP] + EVERY_WRITE),
    ("group", 500, without(OF_MANIFEST, [DB_SPACE])),
    ("level_0", 500, without(OF_MANIFEST, [DB_SPACE])),
    ("level_1", 500, without(OF_MANIFEST, [DB_SPACE])),
    ("tables", 250, [COMPACT]),
    ("event_log", 500, [DB_EVENTS, LSM_HISTORY]),
    ("wide_event", 500, [DB_EVENTS, LSM_HISTORY]),
    ("log_beside_families", 500, [PUT]),
    ("log_of_garbage", 500, OF_LOG),
    ("log_of_one_batch", 500, OF_LOG),
    ("log_of_one_value", 500, OF_LOG),
    ("log_of_records", 500, OF_LOG),
    ("log_of_families", 500, [WAL_SEGMENTS, DB_SPACE, DB_VERIFY, DUMP, REPAIR, PUT]),
    ("log_of_range_deletions", 500, OF_LOG),
    ("options_nested", 500, OF_OPTIONS),
    ("options_of_families", 500, OF_OPTIONS),
    ("options_of_one_section", 500, OF_OPTIONS),
    ("long_cell.csv", 5000, FROM_TEXT),
    ("open_quote.csv", 5000, FROM_TEXT),
    ("rows.csv", 500, FROM_TEXT),
    ("wide_row.csv", 500, FROM_TEXT),
    ("nested.jsonl", 5000, FROM_TEXT),
    ("wide.jsonl", 500, FROM_TEXT),
    ("rows.tsv", 500, FROM_TEXT),
    ("families.dump", 125, [LOAD]),
]

# How a call ends: with 0, or as its verb, or its verb on that kind of input, may. What ends otherwise did not do
# what was to be measured.
ENDS_OF_VERB = {
    "get": {0, 1}, "multiget": {0, 1}, "locate": {0, 1}, "explain get": {0, 1}, "explain multiget": {0, 1},
    "lsm show": {0, 1},  # --edits: nothing changed.
    "sst verify": {0, 4}, "db verify": {0, 4}, "sst salvage": {0, 4, 7}, "db repair": {0, 7},
}
WITHOUT_TABLES = {"db info": {4}, "lsm show": {0, 1, 4}, "lsm files": {4}, "manifest show": {4}, "locate": {4},
                  "explain get": {4}}
ENDS_OF_KIND = {
    "cut.sst": {"sst layout": {4}},
    "pattern.sst": {"sst layout": {4}},
    "zeros.sst": {"sst layout": {4}},
    "repeated_partition.sst": {"sst layout": {4}, "sst blocks": {4}},
    # Tables that the MANIFEST names are missing; what it says is shown all the same.
    "edits": WITHOUT_TABLES, "group": WITHOUT_TABLES, "level_0": WITHOUT_TABLES, "level_1": WITHOUT_TABLES,
    # All of the log is read before anything is answered, in part, or refused.
    "log_of_garbage": {"": {4, 7}, "approxsize": {0}},
    "nested.jsonl": {"": {7}},
    "open_quote.csv": {"": {2}},
}


def expected_ends(kind, verb):
    name = " ".join(word for word in verb[:2] if "{" not in word)
    of_kind = ENDS_OF_KIND.get(kind, {})
    return of_kind.get(name) or of_kind.get("") or ENDS_OF_VERB.get(name) or {0}


class Bench:
    def __init__(self, options):
        self.options = options
        self.inputs, self.lock = {}, threading.Lock()
        self.table = options.scratch / "table.sst"
        subprocess.run([options.varve, "sst", "build", self.table, "-"], input=b"zz\tv\n", check=True,
                       stderr=subprocess.DEVNULL)
        self.idle = min(self.once(["version"], None)[0] for _ in range(5))
        self.valgrind = shutil.which("valgrind")
        self.most_bytes = MOST_BYTES * (8 if options.long else 1)

    def input(self, kind, n):
        """The path of an input, and its size."""
        with self.lock:
            if (kind, n) not in self.inputs:
                path = self.options.scratch / f"{n}" / kind
                path.parent.mkdir(parents=True, exist_ok=True)
                subprocess.run([self.options.cost_inputs, kind, str(n), str(path)], check=True)
                files = [path] if path.is_file() else list(path.iterdir())
                self.inputs[kind, n] = path, sum(file.stat().st_size for file in files)
            return self.inputs[kind, n]

    def call(self, verb, path, before=(), errors=subprocess.DEVNULL):
        """What a call used (rusage), and what it wrote to `errors`."""
        with tempfile.TemporaryDirectory(dir=self.options.scratch) as place:
            if "{copy}" in verb:
                shutil.copytree(path, f"{place}/copy")
            words = [*before, self.options.varve]
            words += [w.replace("{out}", f"{place}/out").replace("{copy}", f"{place}/copy")
                      .replace("{table}", str(self.table)).replace("{}", str(path)) for w in verb]
            with open(f"{place}/stdin", "w+b") as stdin:
                stdin.write(STANDARD_INPUT.get(verb[0], b""))
                stdin.seek(0)
                child = subprocess.Popen(words, stdin=stdin, stdout=subprocess.DEVNULL, stderr=errors)
            told = child.stderr.read().decode(errors="replace") if child.stderr else ""
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        ends = expected_ends(path.name if path else "", verb)
        # What is refused at once costs nothing, and so does what it was to measure.
        if child.returncode not in ends:
            raise AssertionError(f"{' '.join(words)}: ended with {child.returncode}, not with {sorted(ends)}")
        return usage, told

    def once(self, verb, path):
        """CPU seconds and peak bytes of one call."""
        usage, _ = self.call(verb, path)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024

    def instructions(self, verb, path):
        _, told = self.call(verb, path, errors=subprocess.PIPE,
                            before=[self.valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null"])
        return int(re.search(r"Collected : (\d+)", told).group(1))

    def counted(self, kind, n, verb):
        """Instructions for inputs of n, 2n and 4n, less those of a call that does nothing."""
        idle = self.instructions(["version"], None)
        return [self.instructions(verb, self.input(kind, n * factor)[0]) - idle for factor in (1, 2, 4)]

    def check(self, kind, n, verb):
        """What is wrong, or None."""
        seconds = 0
        while seconds < MEASURABLE:
            path, size = self.input(kind, n)
            seconds = self.once(verb, path)[0] - self.idle
            if 8 * size > MOST_BYTES_OF.get(kind, self.most_bytes):
                break
            n *= 1 if seconds >= MEASURABLE else 2
        paths = [self.input(kind, n * factor)[0] for factor in (1, 2, 4)]
        sizes = [self.input(kind, n * factor)[1] for factor in (1, 2, 4)]
        times, peaks = [float("inf")] * 3, [0] * 3
        for _ in range(ROUNDS_MAX):
            for i, path in enumerate(paths):
                seconds, peak = self.once(verb, path)
                times[i] = min(times[i], max(seconds - self.idle, 1e-4))
                peaks[i] = max(peaks[i], peak)
            measurable = times[2] >= 2 * MEASURABLE
            if not measurable or growth(times) <= GROWTH_MAX:
                break
        decoded = DECODED_PER_N.get(kind, 0) * n * (
            DECODED_HELD_AS_JSON if "--json" in verb else DECODED_HELD)
        bounds = [PEAK_BASE + PEAK_PER_BYTE * size + decoded * factor
                  for size, factor in zip(sizes, (1, 2, 4))]
        line = (f"{kind} {' '.join(verb[:2])}{' --json' if '--json' in verb else ''}: n {n}, {sizes[0]} bytes, "
                f"{times[0]:.3f} {times[1]:.3f} {times[2]:.3f} s, peak {peaks[0] >> 20} {peaks[1] >> 20} "
                f"{peaks[2] >> 20} MiB, least bound {bounds[0] >> 20}")
        too_large = measurable and growth(times) > GROWTH_MAX
        if too_large and self.valgrind:
            times = self.counted(kind, max(1, n // 2), verb)
            line += f", {times[0]} {times[1]} {times[2]} instructions"
            too_large = growth(times) > GROWTH_MAX
        elif too_large:
            too_large = growth(times) > GROWTH_UNCOUNTED
        if self.options.verbose:
            print(line, flush=True)
        if too_large:
            return f"{line}: grows by {times[1] / times[0]:.2f} and {times[2] / times[1]:.2f}"
        if any(peak > bound for peak, bound in zip(peaks, bounds)):
            return f"{line}: too much memory"
        return None


def growth(costs):
    return max(costs[1] / costs[0], costs[2] / costs[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("varve")
    parser.add_argument("cost_inputs")
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--verb", default="")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    shutil.rmtree(options.scratch, ignore_errors=True)
    options.scratch.mkdir(parents=True)
    bench = Bench(options)
    failures = []

    def check(case):
        kind, n, verb = case
        try:
            failure = bench.check(kind, n, verb)
        except AssertionError as error:
            failure = str(error)
        if failure:
            failures.append(failure)
            print("FAILED:", failure, flush=True)

    cases = [(kind, n, verb) for kind, n, verbs in CASES for verb in verbs
             if options.only in kind and options.verb in " ".join(verb)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(check, cases))
    shutil.rmtree(options.scratch, ignore_errors=True)
    print(f"{len(cases)} calls on inputs of {len(CASES)} kinds, {len(failures)} failed")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
