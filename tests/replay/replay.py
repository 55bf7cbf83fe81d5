#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs replay lines again: SUITE --option=value ..., as a random test prints them when it fails.

replay.py SUITE --seed=N ...            builds what it needs and runs it; the exit code is that of the test
replay.py SEED                          every suite that has seeds, at this one, in the size of its own ctest
replay.py --shrink SUITE --seed=N ...   looks for a minute for fewer operations that fail in the same way, and prints
                                        the line that does them alone
replay.py --seeds=FILE                  the lines of a seeds.txt, each with a comment (what it found); all must pass

--build=DIR: runs what is built there and builds nothing; of a seeds.txt the lines for that preset.
--seconds=N: how long to shrink. Suites are those of suites.toml; the last two forms are of the ctests."""
import argparse
import contextlib
import dataclasses
import glob
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib

from shrink import list_of, parse_list, shrink

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITES = ROOT / "tests/replay/suites.toml"
USAGE = 2  # An exit code that is no failure.
HANGS = None
SHRINK_SECONDS = 60
RUN_SECONDS_MAX = 3600


class Unusable(Exception):
    """A line, or what it needs, is not what it has to be."""


@dataclasses.dataclass(frozen=True)
class Suite:
    name: str
    program: str
    arguments: list = dataclasses.field(default_factory=list)
    preset: str = "release"
    targets: list = dataclasses.field(default_factory=list)
    round: list = dataclasses.field(default_factory=list)
    once: list = dataclasses.field(default_factory=list)
    counts: list = dataclasses.field(default_factory=list)
    seeded: bool = True

    def all_targets(self):
        own = [pathlib.PurePath(self.program).name] if self.program.startswith("{build}") else []
        return own + self.targets

    def command(self, options, build):
        places = {"build": build, "root": ROOT, "go": shutil.which("go", path=os.environ["PATH"] + ":/usr/local/go/bin")}
        return [word.format(**places) for word in [self.program, *self.arguments]] + options


@dataclasses.dataclass(frozen=True)
class Outcome:
    code: int | None
    output: str

    def failed(self):
        return self.code not in (0, USAGE)


def read_suites(path=SUITES):
    return {name: Suite(name, **fields) for name, fields in tomllib.loads(path.read_text()).items()}


def parse_line(words, suites):
    """(suite, options)"""
    words = shlex.split(" ".join(words), comments=True)
    if not words or words[0] not in suites:
        raise Unusable(f"no suite is named {words[0] if words else ''!r}: {', '.join(suites)}")
    return suites[words[0]], words[1:]


def line_of(suite, options):
    return shlex.join([suite.name, *options])


def build_of(suite):
    return ROOT / "build" / suite.preset


def make(suites):
    """Builds what these need."""
    for preset in sorted({suite.preset for suite in suites}):
        targets = sorted({target for suite in suites if suite.preset == preset for target in suite.all_targets()})
        if targets and subprocess.run([ROOT / "scripts/build.sh", preset, *targets], check=False).returncode != 0:
            raise Unusable(f"{preset} does not build")


def end(process):
    """All of its group: first it may say what it was doing."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=10)
        os.killpg(process.pid, signal.SIGKILL)


def run(command, seconds=RUN_SECONDS_MAX):
    """Runs it to its end, or for so long."""
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        end(process)
        output, code = process.communicate()[0], HANGS
    finally:
        end(process)
    return Outcome(code, output), process.pid


def run_and_clear(command, seconds):
    """The same, and what it leaves behind goes."""
    outcome, pid = run(command, seconds)
    left = re.findall("the directory is kept: (.+)", outcome.output)
    for place in ("/dev/shm", os.environ.get("TMPDIR", "/tmp")):
        left += glob.glob(f"{place}/varve[-_]*[-_]{pid}[-_]*")
    for path in left:
        shutil.rmtree(path, ignore_errors=True)
    return outcome


def narrowed(suite, options, outcome, suites):
    """The line that a failure prints, which says more than the one that was run."""
    for line in reversed(re.findall("^replay: (.+)$", outcome.output, re.MULTILINE)):
        with contextlib.suppress(Unusable):
            other, found = parse_line([line], suites)
            if other.name == suite.name:
                return found
    return options


def operations_of(options):
    """What an option says of them, and the other options. --at goes with all operations; it is a place that is found
    again without it."""
    numbers, others = None, []
    for option in options:
        name, _, value = option.partition("=")
        if name == "--keep":
            numbers = parse_list(value)
        elif name == "--ops":
            numbers = list(range(int(value))) if numbers is None else numbers
        elif name != "--at":
            others.append(option)
    return numbers, others


def shrink_line(suite, options, first, suites, build, seconds=SHRINK_SECONDS):
    """Options with fewer operations that end as `first`, the outcome of `options`, did."""
    options = narrowed(suite, options, first, suites)
    numbers, others = operations_of(options)
    if not numbers:
        return options
    over = time.monotonic() + seconds
    longest = max(5, seconds / 4)

    def with_these(kept):
        return [*others, f"--keep={list_of(kept)}"]

    def fails(kept):
        return run_and_clear(suite.command(with_these(kept), build), longest).code == first.code

    if not fails(numbers):  # Chance has a hand in it.
        return options
    return with_these(shrink(numbers, fails, lambda: time.monotonic() > over))


def run_seeds(path, suites, build):
    """The exit code for a seeds.txt."""
    bad = ran = 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if "#" not in line:
            raise Unusable(f"{path}:{number}: what did it find?")
        suite, options = parse_line([line], suites)
        if suite.preset != build.name:
            continue
        begin = time.monotonic()
        outcome, _ = run(suite.command(options, build))
        ran += 1
        print(f"{time.monotonic() - begin:6.1f} s  {'ok  ' if outcome.code == 0 else 'FAIL'}  {line}")
        if outcome.code != 0:
            bad += 1
            print(outcome.output)
    print(f"{path}: {ran} lines, {bad} failed")
    return int(bad > 0)


def run_everywhere(seed, suites, build):
    bad = []
    for suite in suites:
        command = suite.command([f"--seed={seed}"], build or build_of(suite))
        print("==", shlex.join(map(str, command)), flush=True)
        if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
            bad.append(suite.name)
    print(f"seed {seed}: {len(suites)} suites, {', '.join(bad) or 'none'} failed")
    return int(bool(bad))


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     allow_abbrev=False, usage="repro.sh [--shrink] SUITE --seed=N ... | repro.sh SEED")
    parser.add_argument("--shrink", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--seeds", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--build", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=SHRINK_SECONDS, help=argparse.SUPPRESS)
    parser.add_argument("--suites", type=pathlib.Path, default=SUITES, help=argparse.SUPPRESS)
    parser.add_argument("line", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    args = parser.parse_args(words)
    if bool(args.line) == bool(args.seeds):
        parser.error("a line, a seed, or --seeds=FILE")
    return args


def main(words):
    args = parse(words)
    suites = read_suites(args.suites)
    if args.seeds:
        return run_seeds(args.seeds, suites, args.build or ROOT / "build/release")
    if len(args.line) == 1 and args.line[0].isdigit():
        wanted = [suite for suite in suites.values() if suite.seeded]
        if not args.build:
            make(wanted)
        return run_everywhere(args.line[0], wanted, args.build)
    suite, options = parse_line(args.line, suites)
    if not args.build:
        make([suite])
    build = args.build or build_of(suite)
    command = suite.command(options, build)
    if not args.shrink:
        print("$", shlex.join(map(str, command)), flush=True)
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        return code if code >= 0 else 128 - code
    outcome = run_and_clear(command, RUN_SECONDS_MAX)
    if not outcome.failed():
        raise Unusable(f"it does not fail: {line_of(suite, options)}")
    print(line_of(suite, shrink_line(suite, options, outcome, suites, build, args.seconds)))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Unusable as why:
        print(f"repro: {why}", file=sys.stderr)
        sys.exit(USAGE)
