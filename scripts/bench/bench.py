#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The head-to-head of bench.sh: `varve bench run` and varve-bench-rocksdb with the same words, in
turn. A row that fails says so and the next one goes on; what is measured is written to --out as it
comes."""
import argparse
import json
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CACHED, SMALL = "4G", "64M"
LOAD = ["flush", "waitforcompaction"]
SECONDS_MAX = 3600  # Of one process.


class Failed(Exception):
    pass


class Store:
    """An executable that knows `bench run`, and the databases that it made."""

    def __init__(self, executable, home, disk):
        self.executable = str(executable)
        self.home, self.disk = home, disk
        self.name = ""

    def run(self, words, *flags, own=(), db=None):
        """{workload: its result}, of one process. `own`: options that only RocksDB has."""
        command = [self.executable, "bench", "run", *words, "--json", "-q", *FLAGS, *flags]
        for option in own if "rocksdb" in pathlib.Path(self.executable).name else []:
            command += ["--option", option]
        if db is not None:
            command += ["--db", str(db)]
        command = [str(word) for word in command]
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              timeout=SECONDS_MAX)
        if done.returncode != 0:
            raise Failed(f"{' '.join(command)}: {done.stderr.strip().splitlines()[-1:]}")
        result = json.loads(done.stdout)
        self.name = result["store"]
        MACHINE.update(result["machine"])
        return {w["name"]: w for w in result["workloads"]} | {"opened": result["open_seconds"]}

    def fresh(self, name):
        shutil.rmtree(self.home / name, ignore_errors=True)
        return self.home / name

    def made(self, name, words, *flags):
        """The database of that name, filled if it is not there."""
        path = self.home / name
        if not path.exists():
            try:
                self.run(words, *flags, db=path)
            except BaseException:
                shutil.rmtree(path, ignore_errors=True)
                raise
        return path

    def on_disk(self, name, words, *flags):
        """A copy of it on the disk, for direct reads."""
        path = self.disk / name
        if not path.exists():
            shutil.copytree(self.made(name, words, *flags), path)
        return path


class Row:
    """`measure(store)` gives {label: (figure, found, checksum)}; one row of the table for each of
    the labels in `targets`, {label: (minimum, target)}."""

    def __init__(self, name, targets, measure, unit="ops/s", lower=False):
        self.name, self.targets, self.measure = name, targets, measure
        self.unit, self.lower = unit, lower


def figure(result):
    return result["operations_per_second"], result["found"], result["checksum"]


def seconds(result):
    return result["seconds"], 0, None


def head_to_head(num):
    """The rows, in the order of the table. All sizes follow from the number of records."""
    reads = num  # As db_bench's --reads.
    main = ("main", ["fillrandom", *LOAD], "--num", num, "--cache-size", SMALL)

    def fill(workload, *flags, before=()):
        def measure(store):
            path = store.fresh("fill")
            done = store.run([*before, workload], "--num", num, "--cache-size", SMALL, *flags,
                             db=path)
            shutil.rmtree(path, ignore_errors=True)
            RSS[store, workload] = done[workload]["max_rss_bytes"]
            return figure(done[workload])
        return measure

    def cached(workload, *flags, ops=reads):
        def measure(store):
            done = store.run(["readtocache", workload], "--num", num, "--ops", ops, "--cache-size",
                             CACHED, "--use-existing", *flags, db=store.made(*main))
            RSS[store, workload] = done[workload]["max_rss_bytes"]
            return figure(done[workload])
        return measure

    def direct(workload, *flags, ops, cache, own=()):
        def measure(store):
            done = store.run([workload], "--num", num, "--ops", ops, "--cache-size", cache,
                             "--direct-reads", "--use-existing", *flags, own=own,
                             db=store.on_disk(*main))
            return figure(done[workload])
        return measure

    def compaction(store):
        path = store.fresh("fill")
        done = store.run(["fillrandom", "flush", "compact"], "--num", num, "--cache-size", SMALL,
                         "--durability", "none", "--option", "disable_auto_compactions=true",
                         "--option", "level0_slowdown_writes_trigger=1000", "--option",
                         "level0_stop_writes_trigger=2000", db=path)
        shutil.rmtree(path, ignore_errors=True)
        return seconds(done["compact"])

    # 20 M records of 28 bytes make 10,000 files of 62 KB; a quarter of them as many that are smaller,
    # still fewer make fewer: a file is not to consist of its metadata.
    tiny = min(5 * num, 20_000_000)
    file_bytes = max(6200, 62_000 * tiny // 20_000_000)
    small = ["--num", tiny, "--key-size", 8, "--value-size", 20]
    # By one compaction (of some ten tables, as one alone would just be moved): to move files down
    # level by level takes minutes.
    many = ("many", ["filluniquerandom", "flush", "compact"], *small, "--durability", "none",
            "--option", f"target_file_size_base={file_bytes}", "--option",
            f"write_buffer_size={max(1 << 20, tiny * 8)}", "--option",
            "disable_auto_compactions=true")

    def opened(*own):
        def measure(store):
            path = store.made(*many)
            FILES[store] = len(list(path.glob("*.*[bt]")))  # .sst; LevelDB's .ldb; LMDB has none.
            return store.run(["newiterator"], *small, "--ops", 1, "--use-existing", own=own,
                             db=path)["opened"] * 1e3, 0, None
        return measure

    def many_files(store):
        done = store.run(["readtocache", "readrandom"], *small, "--ops", reads, "--cache-size",
                         "8G", "--use-existing", db=store.made(*many))
        return figure(done["readrandom"])

    in_memory = min(num, 2_000_000)

    def memtable(*workloads, batch):
        def measure(store):
            path = store.fresh("memtable")
            done = store.run(["filluniquerandom", *workloads], "--num", in_memory, "--batch-size",
                             batch, "--durability", "none", "--option", "write_buffer_size=2g",
                             db=path)
            shutil.rmtree(path, ignore_errors=True)
            return {w: figure(done[w]) for w in workloads}
        return measure

    def one_of(measure, workload):
        return lambda store: measure(store)[workload]

    # The published table is of 5 M records: fewer have as much less cache.
    cut = min(num, 5_000_000)
    partitioned = ["--num", cut, "--option", "compaction_style=fifo", "--option",
                   "compaction_options_fifo.max_table_files_size=100g", "--option",
                   f"write_buffer_size={max(1 << 20, (32 << 20) * cut // 5_000_000)}", "--option",
                   "level0_slowdown_writes_trigger=1000", "--option",
                   "level0_stop_writes_trigger=2000", "--option", "index_type=two_level",
                   "--option", "partition_filters=true"]

    def partitions(megabytes):
        def measure(store):
            path = store.made("partitions", ["filluniquerandom", *LOAD], *partitioned)
            cache = (megabytes << 20) * cut // 5_000_000
            done = store.run(["readrandom", "readrandom"], *partitioned, "--ops",
                             max(1000, reads // 10), "--cache-size", cache, "--use-existing",
                             db=path)
            return figure(done["readrandom"])  # The second one: the cache has settled.
        return measure

    def memory(workload):
        def measure(store):
            if (store, workload) not in RSS:
                {"readrandom": cached, "fillrandom": fill}[workload](workload)(store)
            return RSS[store, workload] / 2**20, 0, None
        return measure

    scan_bytes = num * 116

    def disk_share(store):
        """Ours alone: the peer's place has what fio reads."""
        if store.executable != VARVE:
            return fio(store.disk, scan_bytes), 0, None
        done = store.run(["readseq"], "--num", num, "--cache-size", "8M", "--direct-reads",
                         "--use-existing", db=store.on_disk(*main))["readseq"]
        return done["bytes"] / done["seconds"] / 1e6, 0, None

    multi = "multireadrandom"
    yield Row("fillseq", (1.5, 2), fill("fillseq"))
    yield Row("fillrandom", (2, 2.5), fill("fillrandom"))
    yield Row("overwrite", (1.8, 2.2), fill("overwrite", before=["fillrandom", *LOAD]))
    yield Row("fillrandom, 2 threads", (2, 3), fill("fillrandom", "--threads", 2))
    yield Row(f"compaction of {num:,} entries", (1.5, 2.5), compaction, "s", lower=True)
    yield Row("open of many files", (5, 10), opened(), "ms", lower=True)
    yield Row("the same, open_files_async", (None, None),
              opened("open_files_async=true", "skip_stats_update_on_db_open=true"), "ms",
              lower=True)
    yield Row("readrandom, many files, cached", (2, 3), many_files)
    yield Row("readrandom, cached", (1.8, 2.5), cached("readrandom"))
    yield Row("readmissing, cached", (1.5, 2), cached("readmissing"))
    yield Row("multireadrandom, batch 32, cached", (3.5, 5), cached(multi, "--batch-size", 32))
    yield Row("multireadrandom, batch 32, stride 16, cached", (2.5, 3.3),
              cached(multi, "--batch-size", 32, "--stride", 16))
    for batch in (8, 32):
        yield Row(f"multireadrandom, batch {batch}, O_DIRECT, small cache", (2.3, 2.8),
                  direct(multi, "--batch-size", batch, ops=max(2000, reads // 20), cache=SMALL))
    for nexts in (10, 100):
        yield Row(f"seekrandom, {nexts} nexts, cached", (2.2, 3),
                  cached("seekrandom", "--nexts", nexts, ops=max(500, 4 * reads // nexts // 4)))
    yield Row("seekrandom, 10,000 nexts, O_DIRECT", (3, 4.4),
              direct("seekrandom", "--nexts", 10000, ops=max(5, min(200, num // 5000)), cache="8M",
                     own=["async_io=true"]))
    yield Row("readseq, cached", (2, 2.5), cached("readseq", ops=num))
    for batch, targets in ((64, (4, 8)), (8, (3.5, 6)), (2, (2.5, 4.5))):
        yield Row(f"memtable MultiGet, batch {batch}", targets,
                  one_of(memtable(multi, batch=batch), multi))
    yield Row("memtable Get", (3, 4.5), one_of(memtable("readrandom", batch=1), "readrandom"))
    for megabytes, targets in ((3, (1.1, 1.3)), (10, (1.5, 2.5)), (30, (1.5, 2.5)), (100, (2.5, 4)),
                               (1200, (2.5, 4))):
        yield Row(f"readrandom, partitioned metadata, cache {megabytes} MB", targets,
                  partitions(megabytes))
    yield Row("peak memory, all cached", (1 / 1.1, 1), memory("readrandom"), "MiB", lower=True)
    yield Row("peak memory, fillrandom", (None, None), memory("fillrandom"), "MiB", lower=True)
    yield Row("sequential direct scan; fio 1 MB QD32 instead of RocksDB", (0.6, 0.9), disk_share,
              "MB/s")


def fio(directory, size):
    """MB/s of 1 MB reads, 32 at a time."""
    if shutil.which("fio") is None:
        raise Failed("fio is not there: apt-get install fio")
    file = directory / "fio.dat"
    done = subprocess.run(
        ["fio", "--name=seq", f"--filename={file}", f"--size={max(size, 64 << 20)}", "--rw=read",
         "--bs=1M", "--iodepth=32", "--direct=1", "--ioengine=io_uring", "--output-format=json"],
        capture_output=True, text=True, check=False, timeout=SECONDS_MAX)
    if done.returncode != 0:
        raise Failed(f"fio: {done.stderr.strip()[-200:]}")
    return json.loads(done.stdout)["jobs"][0]["read"]["bw_bytes"] / 1e6


def agree(row, answers):
    """All stores must have found the same, and the same in it."""
    kinds = {(found, checksum) for _, found, checksum in answers.values()}
    if len(kinds) > 1:
        said = "; ".join(f"{store.name}: {a[1]} found, checksum {a[2]}"
                         for store, a in answers.items())
        raise Failed(f"{row.name}: the answers differ: {said}")


def race(row, stores, rounds, report):
    """Figures of each store, round by round: who begins changes with the round."""
    figures = {store: [] for store in stores}
    for number in range(rounds):
        answers = {}
        for store in stores if number % 2 == 0 else reversed(stores):
            report(f"round {number + 1} of {rounds}: "
                   f"{store.name or pathlib.Path(store.executable).name}")
            answers[store] = row.measure(store)
            figures[store].append(answers[store][0])
        agree(row, answers)
    return figures


def amount(value, unit):
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}"


def cells(row, theirs, ours, other):
    """A line of the table: medians, the median of the pairs' ratios and their range. Minimum and
    target are of the ratio to RocksDB."""
    ratios = [a / b if row.lower else b / a for a, b in zip(theirs, ours, strict=True)]
    ratio = statistics.median(ratios)
    minimum, target = row.targets if other.name.startswith("RocksDB") else (None, None)
    verdict = "" if minimum is None else (
        "target" if ratio >= target else "minimum" if ratio >= minimum else "missed")
    return [row.name, other.name, amount(statistics.median(theirs), row.unit),
            amount(statistics.median(ours), row.unit), f"{ratio:.2f}",
            f"{min(ratios):.2f} to {max(ratios):.2f}",
            "" if minimum is None else f"{minimum:.3g}, {target:.3g}", verdict]


def markdown(header, rows):
    table = [header, ["---"] * len(header), *rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(header))]
    return "\n".join("| " + " | ".join(c.ljust(w) for c, w in zip(line, widths)) + " |"
                     for line in table) + "\n"


def heading(args, stores, tail=""):
    machine = (f"{MACHINE.get('cpus')} x {MACHINE.get('cpu')}, "
               f"{MACHINE.get('memory_bytes', 0) / 2**30:.1f} GiB, {MACHINE.get('kernel')}, "
               f"{MACHINE.get('compiler')}, load {LOAD_BEFORE:.1f} before")
    checks = ("\nBuilt with checks on: **these are not figures to compare.**"
              if MACHINE.get("assertions") else "")
    command = " ".join(["scripts/bench.sh", *(w for w in sys.argv[1:] if "/" not in w)])
    return (f"{time.strftime('%Y-%m-%d')}, {machine}.\n`{command}`: {args.num:,} records of 16 + "
            f"100 bytes, no compression, Bloom filters of 10 bits a key, WAL buffered, one thread, "
            f"medians of {args.rounds} interleaved rounds; {' against '.join(s.name for s in stores)}"
            f"{tail}.{checks}\n")


def publish(path, mark, text_of):
    """Between the comments <!-- mark --> and <!-- /mark --> of the file: text_of(what is there)."""
    begin, end = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    content = path.read_text(encoding="utf-8")
    if content.count(begin) != 1 or content.count(end) != 1:
        print(f"bench.py: {path.name} has no {begin} ... {end}: the table was not put there",
              file=sys.stderr)
        return
    head, rest = content.split(begin)
    old, tail = rest.split(end)
    path.write_text(f"{head}{begin}\n{text_of(old)}{end}{tail}", encoding="utf-8")


def with_sections(heading_text, old, new):
    """The claims' text, in which the sections `new`, {claim: text}, take the place of theirs."""
    parts = re.split(r"^\*\*([a-z-]+)\*\*: ", old, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True)) | new
    return heading_text + "".join(f"\n**{name}**: {text.strip()}\n"
                                  for name, text in sections.items())


def claims(args):
    """`varve bench claims` as Markdown, as far as it gets."""
    size = ["--short"] if args.short else ["--num", str(args.num)] if args.num else []
    size += ["--rounds", str(args.rounds)]
    peer = ["--peer", args.peers[0] if args.peers else "none"]
    names = [] if args.short else [word for word in args.only.split(",") if word]
    done = subprocess.run([VARVE, "bench", "claims", *names, "--json", *peer, *size],
                          stdout=subprocess.PIPE, text=True, check=False)
    if not done.stdout:
        return done.returncode
    result = json.loads(done.stdout)
    MACHINE.update(result["machine"])
    machine = (f"{MACHINE['cpus']} x {MACHINE['cpu']}, {MACHINE['memory_bytes'] / 2**30:.1f} GiB, "
               f"{MACHINE['kernel']}, {MACHINE['compiler']}. Operations/s, medians of the rounds.\n")
    sections = {}
    for claim in result["claims"]:
        grades = [grade["grade"] for grade in claim["grades"]]
        peer = claim["peer"]
        columns = ["point"]
        for grade in grades:
            columns += [grade] if grade == "off" else [grade, "/off"]
        columns += [peer, "/peer"] if peer else []
        builds = any("table_bytes" in point for point in claim["points"])
        for grade in grades if builds else []:
            columns += [f"{grade}, table"] + ([] if grade == "off" else ["/off"])
        lines = []
        for point in claim["points"]:
            rates = point["ops_per_second"]

            def times(a, b, rates=rates):
                return f"{statistics.median(x / y for x, y in zip(rates[a], rates[b])):.2f}"
            line = [point["point"]]
            for grade in grades:
                line += [f"{statistics.median(rates[grade]):,.0f}"]
                line += [] if grade == "off" else [times(grade, "off")]
            if peer:
                line += [f"{statistics.median(rates['peer']):,.0f}", times(grades[-1], "peer")]
            sizes = point.get("table_bytes", {})
            for grade in grades if builds else []:
                line += [f"{sizes[grade] / 2**20:.1f} MiB"]
                line += [] if grade == "off" else [f"{sizes[grade] / sizes['off']:.2f}"]
            lines.append(line)
        command = " ".join(["varve bench claims", claim["name"], *size])
        about = f"{claim['source']}: {claim['workload']}, {claim['records']:,} records"
        about += f", {claim['files']:,} files" if claim["files"] else ""
        about += f". {claim['grades_are']}" if claim["grades_are"] else ""
        about += f". Scaled: {claim['scaled']}" if claim["scaled"] else ""
        about += f". `{command}`, {time.strftime('%Y-%m-%d')}, load {LOAD_BEFORE:.1f} before"
        sections[claim["name"]] = f"{about}.\n\n{markdown(columns, lines)}"
    print("\n" + with_sections(machine, "", sections))
    if not args.short and args.results:
        publish(args.results, "claims", lambda old: with_sections(machine, old, sections))
    return done.returncode


def compare(args, stores, wanted):
    """The table, row by row; how many rows failed."""
    rows, failures, results = [], 0, {}
    names = [store.name or "?" for store in stores]
    for number, row in enumerate(wanted):
        begin = time.monotonic()
        label = f"[{number + 1}/{len(wanted)}] {row.name}"

        def report(what, label=label):
            print(f"{label}, {what}", file=sys.stderr, flush=True)
        try:
            figures = race(row, stores, args.rounds, report)
            lines = [cells(row, figures[other], figures[stores[0]], other) for other in stores[1:]]
            results[row.name] = {s.name: figures[s] for s in stores} | {"unit": row.unit}
        except (Failed, OSError, subprocess.SubprocessError, KeyError, ValueError) as error:
            failures += 1
            report(f"FAILED: {error}")
            lines = [[row.name, "", "failed", "", "", "", "", ""]]
            results[row.name] = {"failed": str(error)}
        rows += lines
        report(f"{lines[0][4] or 'failed'} in {time.monotonic() - begin:.0f} s")
        names = [store.name or "?" for store in stores]
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps(
            {"schema": "varve.head-to-head/1", "date": time.strftime("%Y-%m-%d"), "num": args.num,
             "rounds": args.rounds, "stores": names, "machine": MACHINE, "rows": results},
            indent=1), encoding="utf-8")
    many = ", ".join(f"{count:,} ({store.name})" for store, count in FILES.items())
    tail = f"; many files are {many}" if many else ""
    header = ["what", "against", names[1] if len(names) == 2 else "the other", names[0], "ratio",
              "range", "minimum, target", ""]
    if len(names) == 2:  # One other store: its name is in the header.
        header, rows = ([line[:1] + line[2:] for line in lines] for lines in ([header], rows))
        header = header[0]
    text = f"{heading(args, stores, tail)}\n{markdown(header, rows)}"
    print("\n" + text)
    if args.results and not args.short and not args.only:
        publish(args.results, "bench", lambda _: text)
    return failures


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--num", type=int, help="records; 10,000,000, or 20,000 for --short")
    parser.add_argument("--rounds", type=int, help="5, or 1 for --short")
    parser.add_argument("--dir", default="/dev/shm" if pathlib.Path("/dev/shm").is_dir() else "/tmp")
    parser.add_argument("--disk", default="/tmp", help="where direct reads are to reach a device")
    parser.add_argument("--only", default="",
                        help="rows whose name contains one of these words, or these claims")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--claims", action="store_true")
    parser.add_argument("--rows-only", action="store_true", help="--short without the claims")
    parser.add_argument("--varve", default=str(ROOT / "build/release/varve"))
    parser.add_argument("--peers", nargs="*", help="executables; RocksDB's first")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/bench/head-to-head.json")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "RESULTS.md",
                        help="the Markdown whose tables are replaced")
    args = parser.parse_args()
    args.rounds = args.rounds or (1 if args.short else 3 if args.claims else 5)
    if not args.claims:
        args.num = args.num or (20_000 if args.short else 10_000_000)
    if args.peers is None:
        beside = pathlib.Path(args.varve).resolve().parent
        known = ["rocksdb", "leveldb", "lmdb"] if args.short else ["rocksdb"]
        args.peers = [str(beside / f"varve-bench-{p}") for p in known
                      if (beside / f"varve-bench-{p}").exists()]
    return args


def main():
    global VARVE, FLAGS  # pylint: disable=global-statement
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # So that what was made is removed.
    args = parse()
    VARVE = str(pathlib.Path(args.varve).resolve())
    FLAGS = ["--sample", "0", "--option", "max_background_jobs=2"]
    FLAGS += ["--checksum"] if args.short else []
    if args.claims:
        return claims(args)
    if not args.peers:
        print("bench.py: no varve-bench-* is built: nothing to measure against", file=sys.stderr)
        return 2
    homes = []
    try:
        stores = []
        for executable in [VARVE, *args.peers]:
            for directory in (args.dir, args.disk):
                homes.append(pathlib.Path(tempfile.mkdtemp(prefix="varve-bench-", dir=directory)))
            stores.append(Store(executable, *homes[-2:]))
        words = [word for word in args.only.split(",") if word]
        wanted = [row for row in head_to_head(args.num)
                  if not words or any(word in row.name for word in words)]
        if args.short:  # No figure that a store cannot answer differently, and no tool but ours.
            wanted = [row for row in wanted if "fio" not in row.name and "async" not in row.name]
        failures = compare(args, stores, wanted)
    finally:
        for home in homes:
            shutil.rmtree(home, ignore_errors=True)
    if args.short and not args.rows_only and not words:
        failures += claims(args) != 0
    if failures:
        print(f"bench.py: {failures} failed", file=sys.stderr)
    return 1 if failures else 0


VARVE, FLAGS, MACHINE, RSS, FILES = "", [], {}, {}, {}
LOAD_BEFORE = float(pathlib.Path("/proc/loadavg").read_text(encoding="ascii").split()[0])

if __name__ == "__main__":
    sys.exit(main())
