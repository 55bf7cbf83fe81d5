#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs db_bench and `varve bench run` in turn and prints the ratios of medians. See bench.sh."""
import argparse
import json
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
VARVE = str(ROOT / "build/release/varve")
LINE = re.compile(r"^(\w+)\s*:\s+[\d.]+ micros/op (\d+) ops/sec", re.M)
OPEN = re.compile(r"^OpenDb:\s+([\d.]+) milliseconds", re.M)
CACHED, SMALL = 4 << 30, 64 << 20


def run(command):
    done = subprocess.run(["/usr/bin/time", "-f", "maxrss %M", *command] if TIME else command,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    rss = re.search(r"maxrss (\d+)", done.stderr)
    return done.stdout + done.stderr, int(rss[1]) * 1024 if rss else 0


def common(num):
    return [f"--num={num}", "--value_size=100", "--compression_type=none", "--bloom_bits=10",
            "--max_background_jobs=2", "--seed=42"]


def ours(num, workloads, db, *flags):
    """The result of `varve bench run`: varve.bench/1. Nothing is timed but the whole, as there."""
    out, _ = run([VARVE, "bench", "run", *workloads.split(","), "--db", str(db), "--num", str(num),
                  "--sample", "0", "--option", "filter_bits_per_key=10", "--option",
                  "max_background_jobs=2", "--json", "-q", *map(str, flags)])
    return json.loads(out.splitlines()[0])  # What follows is standard error.


class Race:
    """One workload: theirs and ours in turn, `rounds` times."""

    def __init__(self, name, rounds):
        self.name, self.rounds, self.theirs, self.ours = name, rounds, [], []

    def go(self, theirs, ours):
        for _ in range(self.rounds):
            self.theirs.append(theirs())
            self.ours.append(ours())
        return self

    def row(self, owed, higher_is_better=True, unit="ops/s"):
        a, b = statistics.median(self.theirs), statistics.median(self.ours)
        ratio = b / a if higher_is_better else a / b
        verdict = "ok" if ratio >= owed else "MISSED"
        spread = f"{min(self.ours):,.0f}..{max(self.ours):,.0f}"
        return [self.name, f"{a:,.0f} {unit}", f"{b:,.0f} {unit}", f"{ratio:.2f}",
                f"{owed:g}", verdict, spread]


def rate(output, name):
    return {n: int(r) for n, r in LINE.findall(output)}[name]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--num", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dir", default="/dev/shm" if pathlib.Path("/dev/shm").exists() else "/tmp")
    parser.add_argument("--only", default="", help="comma-separated names of rows")
    args = parser.parse_args()
    only = set(filter(None, args.only.split(",")))
    base = pathlib.Path(tempfile.mkdtemp(prefix="varve-bench-", dir=args.dir))
    try:
        rows = races(args, base, only)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    header = ["workload", "RocksDB 7.8.3 (Debian)", "varve", "ratio", "owed", "", "our spread"]
    print(f"\n{args.num:,} records of 16 + 100 bytes, no compression, Bloom 10 bits/key, WAL buffered, "
          f"1 thread, medians of {args.rounds} interleaved rounds\n"
          f"{time.strftime('%Y-%m-%d')}, {platform.machine()}, {cpu()}\n")
    table = [header, ["---"] * len(header), *rows]
    widths = [max(len(r[i]) for r in table) for i in range(len(header))]
    for row in table:
        print("| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths)) + " |")


def cpu():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*: (.*)", text)
    return f"{text.count('processor')} x {model[1] if model else 'unknown CPU'}"


def races(args, base, only):
    num, flags = args.num, common(args.num)
    theirs_db, ours_db = base / "theirs", base / "ours"
    peak = {}

    def peer(benchmarks, db, name, *extra):
        out, rss = run(["db_bench", f"--benchmarks={benchmarks}", f"--db={db}", *flags, *extra])
        peak[f"theirs {name}"] = rss
        return rate(out, name)

    def mine(workloads, db, name, *flags):
        result = {w["name"]: w for w in ours(num, workloads, db, *flags)["workloads"]}
        peak[f"ours {name}"] = max(w["max_rss_bytes"] for w in result.values())
        return result[name]["operations_per_second"]

    def afresh(workloads, name):
        shutil.rmtree(ours_db, ignore_errors=True)
        return mine(workloads, ours_db, name, "--cache-size", SMALL)

    def wanted(name):
        return not only or name in only

    rows, fillseq_ours = [], None
    small = f"--cache_size={SMALL}"
    if wanted("fillseq") or wanted("load"):
        race = Race("fillseq", args.rounds).go(lambda: peer("fillseq", theirs_db, "fillseq", small),
                                               lambda: afresh("fillseq", "fillseq"))
        rows.append(race.row(1.0))
        fillseq_ours = race
    if wanted("fillrandom") or wanted("overwrite") or wanted("readrandom") or wanted("readseq"):
        race = Race("fillrandom", args.rounds).go(
            lambda: peer("fillrandom,flush,waitforcompaction", theirs_db, "fillrandom", small),
            lambda: afresh("fillrandom,flush,waitforcompaction", "fillrandom"))
        rows.append(race.row(1.0))
    if wanted("overwrite"):
        race = Race("overwrite", args.rounds).go(
            lambda: peer("overwrite,flush,waitforcompaction", theirs_db, "overwrite", small,
                         "--use_existing_db=1"),
            lambda: mine("overwrite,flush,waitforcompaction", ours_db, "overwrite", "--cache-size",
                         SMALL, "--use-existing"))
        rows.append(race.row(1.0))
    cached = [f"--cache_size={CACHED}", "--use_existing_db=1", "--readonly=1"]
    ours_cached = ["--cache-size", CACHED, "--read-only"]
    if wanted("readrandom"):
        reads = min(num, 3_000_000)
        # Reads of the same files by both: theirs, after compaction.
        race = Race("readrandom", args.rounds).go(
            lambda: peer("readtocache,readrandom", theirs_db, "readrandom", f"--reads={reads}",
                         *cached),
            lambda: mine("readtocache,readrandom", theirs_db, "readrandom", "--ops", reads,
                         *ours_cached))
        rows.append(race.row(1.5))
    if wanted("readseq"):
        race = Race("readseq", args.rounds).go(
            lambda: peer("readtocache,readseq", theirs_db, "readseq", *cached),
            lambda: mine("readtocache,readseq", theirs_db, "readseq", *ours_cached))
        rows.append(race.row(1.5))
    if wanted("load"):
        rows.append(load_row(args, base, fillseq_ours))
    if wanted("open"):
        rows.append(open_row(args, base))
    for name in ("fillrandom", "readrandom"):
        if f"ours {name}" in peak and f"theirs {name}" in peak:
            a, b = peak[f"theirs {name}"], peak[f"ours {name}"]
            rows.append([f"peak memory, {name}", f"{a / 2**20:,.0f} MiB", f"{b / 2**20:,.0f} MiB",
                         f"{a / b:.2f}", "", "", ""])
    return rows


def load_row(args, base, fillseq):
    """`varve load --sorted` against RocksDB's fillseq, in records per second."""
    source = base / "sorted.tsv"
    value = ("x1y2z" * 20)[:100]
    with open(source, "w", encoding="ascii") as out:
        for start in range(0, args.num, 100_000):
            out.write("".join(f"{i:016d}\t{value}\n"
                              for i in range(start, min(args.num, start + 100_000))))
    race = Race("load --sorted / fillseq", args.rounds)
    race.theirs = fillseq.theirs

    def load():
        shutil.rmtree(base / "loaded", ignore_errors=True)
        begin = time.monotonic()
        run([VARVE, "load", "-q", str(base / "loaded"), str(source), "--sorted"])
        return args.num / (time.monotonic() - begin)

    race.ours = [load() for _ in range(args.rounds)]
    source.unlink()
    return race.row(5.0)


def open_row(args, base):
    """Opening a database of about 10,000 small tables that RocksDB wrote."""
    db = base / "many"
    run(["db_bench", "--benchmarks=fillseq,flush,waitforcompaction", f"--db={db}", "--key_size=8",
         "--value_size=20", "--batch_size=10", "--num=32000000", "--target_file_size_base=102400",
         "--write_buffer_size=4194304", "--max_bytes_for_level_base=819200",
         "--max_bytes_for_level_multiplier=4", "--disable_wal=1", "--compression_type=none"])
    files = len(list(db.glob("*.sst")))
    race = Race(f"open, {files:,} tables", args.rounds)

    def theirs():
        out, _ = run(["db_bench", "--benchmarks=readrandom", "--reads=1", "--num=1000", f"--db={db}",
                      "--key_size=8", "--use_existing_db=1", "--report_open_timing=1",
                      "--compression_type=none"])
        return float(OPEN.search(out)[1])

    def mine():
        return 1e3 * ours(1000, "readrandom", db, "--ops", 1, "--key-size", 8,
                          "--use-existing")["open_seconds"]

    return race.go(theirs, mine).row(2.0, higher_is_better=False, unit="ms")


if __name__ == "__main__":
    TIME = shutil.which("time") is not None or pathlib.Path("/usr/bin/time").exists()
    main()
