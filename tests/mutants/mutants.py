#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation testing: applies the defects of tests/mutants/*.patch one at a time, and runs the test that each
of them names, which must fail. README.md beside this file says how a mutant is written.

    mutants.py [NAME...]            all, or those named: 12, part of a name
    mutants.py --list               one line each
    mutants.py --check BUILD        only whether each applies, and names a target of that build

Exit code: 0 each is caught (or expected to survive, and does), 1 some are not, 2 nothing can be said of some:
their test fails, or runs nothing, without any mutant. On SIGINT, SIGTERM and SIGHUP it ends what it has started,
takes the mutant out of the copy of the sources, and ends with 128 + the signal."""
import argparse
import concurrent.futures
import contextlib
import dataclasses
import filecmp
import json
import os
import pathlib
import queue
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FIELDS = ("Breaks", "Defect", "Test", "Preset", "Ends", "Expected")
NEEDED = ("Breaks", "Defect", "Test")
COUNT_MIN = 40
TEST_SECONDS_MAX = 60
BUILD_SECONDS_MAX = 1800
END_SECONDS_MAX = 2  # For what is asked to end.
DATA_BYTES_MAX = 4 << 30  # A mutant may ask for memory without end.

CAUGHT, SURVIVED = "caught", "SURVIVED"
EXPECTED = "survives, as expected"
NOT_EXPECTED = "caught, but expected to survive"
NO_APPLY, NO_BUILD, TIMEOUT = "does not apply", "does not build", "TIMEOUT"
NO_BASELINE = "its test fails without it"
GOOD = (CAUGHT, EXPECTED)


class Unusable(Exception):
    """The mutants, or the command line, are not what they have to be."""


class Interrupted(Exception):
    """A signal came: nothing more is started, and no verdict is one."""


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: pathlib.Path
    breaks: str
    defect: str
    test: str
    preset: str = "release"
    ends: str = "failure"
    expected: str = ""

    @property
    def name(self):
        return self.path.stem

    @property
    def target(self):
        return pathlib.PurePath(shlex.split(self.test)[0]).name

    @property
    def survives(self):
        return self.expected.startswith("survives")


def read_mutant(path):
    """The head of a patch: fields, one a line; lines that are indented go on with the one before."""
    fields, last = {}, None
    for line in path.read_text().splitlines():
        if line.startswith(("diff ", "--- ")):
            break
        if line.startswith(" ") and last:
            fields[last] += " " + line.strip()
        elif line:
            last, colon, text = line.partition(":")
            if not colon or last not in FIELDS or last in fields:
                raise Unusable(f"{path.name}: not a line of a head: {line}")
            fields[last] = text.strip()
    for name in NEEDED:
        if not fields.get(name):
            raise Unusable(f"{path.name}: its head has no line '{name}:'")
    mutant = Mutant(path, **{name.lower(): text for name, text in fields.items()})
    if mutant.ends not in ("failure", "hang"):
        raise Unusable(f"{path.name}: 'Ends:' is failure or hang")
    if mutant.expected and not re.match("survives: .", mutant.expected):
        raise Unusable(f"{path.name}: 'Expected:' is 'survives: ' and the reason")
    return mutant


def read_mutants(folder):
    mutants = [read_mutant(path) for path in sorted(folder.glob("*.patch"))]
    for number, mutant in enumerate(mutants, 1):
        if not re.fullmatch(rf"{number:03}-[a-z0-9-]+", mutant.name):
            raise Unusable(f"{mutant.path.name}: number {number:03} is next: {number:03}-what-is-wrong.patch")
    return mutants


def chosen(mutants, names):
    if not names:
        return mutants
    for name in names:
        if not any(is_named(mutant, name) for mutant in mutants):
            raise Unusable(f"no mutant is named {name}")
    return [mutant for mutant in mutants if any(is_named(mutant, name) for name in names)]


def is_named(mutant, name):
    if name.isdigit():
        return int(mutant.name.split("-")[0]) == int(name)
    return name in mutant.name


def run_git(folder, *words, **environment):
    # In a session of its own: what a terminal sends to all is for this program alone.
    with signals_blocked():
        return subprocess.run(["git", *words], cwd=folder, env=dict(os.environ, **environment),
                              start_new_session=True, capture_output=True, text=True)


def git_apply(root, patch, *options):
    # Not as a part of a repository around it: `git apply` would leave out what lies elsewhere there.
    return run_git(root, "apply", *options, str(patch), GIT_CEILING_DIRECTORIES=str(root.parent))


class Interruption:
    """The signal that came, if one did. Each thread looks for it, ends what it has started, and cleans up."""

    def __init__(self):
        self.signal = None

    def handle(self, number, _):
        self.signal = self.signal or number

    def check(self):
        if self.signal:
            raise Interrupted


interruption = Interruption()


@contextlib.contextmanager
def signals_blocked():
    """A process that is started within is spared until it has a session of its own."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def wait_for(process, seconds):
    """The exit code, or None after too long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        interruption.check()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(min(seconds, 0.2))
    return None


def end_group(process):
    # Ninja has each compiler in a group of its own, and ends them if it is asked to end.
    end = time.monotonic() + END_SECONDS_MAX
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
        while time.monotonic() < end:
            process.poll()
            os.killpg(process.pid, 0)
            time.sleep(0.01)  # pause: between two looks
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Tree:
    """A copy of the sources, with builds of its own."""

    def __init__(self, root, place, jobs):
        self.root, self.place, self.jobs = root, place, jobs
        self.logs = place.parent / "logs"
        self.baselines = {}
        self.update()

    def update(self):
        """Copies what differs, and nothing else: the rest need not be built again."""
        self.logs.mkdir(parents=True, exist_ok=True)
        listed = run_git(self.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        listed.check_returncode()
        wanted = {name for name in listed.stdout.split("\0") if name and (self.root / name).exists()}
        for folder, folders, files in os.walk(self.place):
            below = pathlib.Path(folder).relative_to(self.place)
            folders[:] = [name for name in folders if (below / name).as_posix() != "build"]
            for name in files:
                if (below / name).as_posix() not in wanted:
                    (self.place / below / name).unlink()
        for name in wanted:
            source, copy = self.root / name, self.place / name
            if not copy.exists() or not filecmp.cmp(source, copy, shallow=False):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, copy)
                shutil.copymode(source, copy)
        # What scripts/setup.sh has fetched: a build with tests needs it.
        fetched, link = self.root / ".deps", self.place / ".deps"
        if fetched.exists() and not link.exists():
            link.symlink_to(fetched)

    def build(self, mutant, log):
        return self.run(["scripts/build.sh", mutant.preset, f"-j{self.jobs}", mutant.target], self.place, log,
                        BUILD_SECONDS_MAX)

    def test(self, mutant, log):
        scratch = self.place.parent / (self.place.name + "-scratch")
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        build = self.place / "build" / mutant.preset
        words = shlex.split(mutant.test.replace("{tests}", str(self.place / "tests")))
        try:
            return self.run([str(build / words[0]), *words[1:]], scratch, log, TEST_SECONDS_MAX,
                            limited=mutant.preset == "release")
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
            printed = pathlib.Path(log.name).read_text(errors="replace")
            for kept in re.findall("the directory is kept: (.+)", printed):
                shutil.rmtree(kept, ignore_errors=True)

    @staticmethod
    def run(command, folder, log, seconds, limited=False):
        """The exit code, or None after too long."""

        def limit():
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if limited:
                resource.setrlimit(resource.RLIMIT_DATA, (DATA_BYTES_MAX, DATA_BYTES_MAX))

        print("$", shlex.join(command), file=log, flush=True)
        interruption.check()
        with signals_blocked():
            process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limit,
                                       env=dict(os.environ, TMPDIR=str(folder)) if limited else None)
        try:
            return wait_for(process, seconds)
        finally:
            end_group(process)

    def baseline(self, mutant):
        """What is wrong with the test without a mutant; run once for each preset and command."""
        key = (mutant.preset, mutant.test)
        if key not in self.baselines:
            self.baselines[key] = self.run_baseline(mutant)
        return self.baselines[key]

    def run_baseline(self, mutant):
        path = self.logs / f"{mutant.name}.baseline"
        with path.open("w") as log:
            if self.build(mutant, log) != 0:
                return f"{mutant.target} does not build: {path}"
            code = self.test(mutant, log)
        if code is None:
            return f"it takes more than {TEST_SECONDS_MAX} s: {path}"
        if code != 0:
            return f"it fails ({code}): {path}"
        # doctest passes if no case has the name.
        if re.search(r"test cases:\s+0 \|", path.read_text(errors="replace")):
            return "it runs no case"
        return None

    def judge(self, mutant, keep):
        """(verdict, detail)"""
        if wrong := self.baseline(mutant):
            return NO_BASELINE, wrong
        try:
            applied = git_apply(self.place, mutant.path)
            if applied.returncode != 0:
                return NO_APPLY, applied.stderr.strip()
            with (self.logs / f"{mutant.name}.log").open("w") as log:
                if self.build(mutant, log) != 0:
                    return NO_BUILD, log.name
                code = self.test(mutant, log)
        finally:
            if not keep:
                self.update()
        return verdict(mutant, code), "" if code == 0 else f"exit {code}" if code is not None else "hangs"


def verdict(mutant, code):
    if code is None and mutant.ends != "hang":
        return TIMEOUT
    if code == 0:
        return EXPECTED if mutant.survives else SURVIVED
    return NOT_EXPECTED if mutant.survives else CAUGHT


def run(mutants, root, work, jobs, keep, report):
    trees = queue.SimpleQueue()
    each = max(1, (os.cpu_count() or 1) // jobs)
    for number in range(jobs):
        trees.put(Tree(root, work / f"tree-{number}", each))

    def one(mutant):
        tree = trees.get()
        begin = time.monotonic()
        try:
            judged, detail = tree.judge(mutant, keep)
        finally:
            trees.put(tree)
        row = {"mutant": mutant.name, "verdict": judged, "seconds": round(time.monotonic() - begin, 1),
               "test": mutant.test, "preset": mutant.preset, "detail": detail}
        report(row)
        return row

    with concurrent.futures.ThreadPoolExecutor(jobs) as threads:
        # Neighbours have the same program: less is built.
        order = sorted(mutants, key=lambda mutant: (mutant.preset, mutant.target, mutant.name))
        futures = [threads.submit(one, mutant) for mutant in order]
        try:
            return [future.result() for future in futures]
        finally:
            for future in futures:
                future.cancel()


def check(mutants, root, build):
    """What is wrong with the patches, without building any."""
    wrong = []
    counted = sum(not mutant.survives for mutant in mutants)
    if counted < COUNT_MIN:
        wrong.append(f"{counted} mutants have to be caught, of at least {COUNT_MIN}")
    for mutant in mutants:
        applied = git_apply(root, mutant.path, "--check")
        if applied.returncode != 0:
            wrong.append(f"{mutant.name} does not apply: {applied.stderr.strip()}")
        if mutant.preset not in presets(root):
            wrong.append(f"{mutant.name}: there is no preset {mutant.preset}")
    if build:
        told = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], check=True,
                              capture_output=True, text=True).stdout
        programs = {line.split(":")[0] for line in told.splitlines()}
        for mutant in mutants:
            if shlex.split(mutant.test)[0] not in programs:
                wrong.append(f"{mutant.name}: nothing builds {shlex.split(mutant.test)[0]}")
    return wrong


def presets(root):
    file = json.loads((root / "CMakePresets.json").read_text())
    return {preset["name"] for preset in file["configurePresets"]}


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true", help="prints them, runs nothing")
    parser.add_argument("--check", metavar="BUILD", help="applies nothing for good, builds nothing")
    parser.add_argument("--json", action="store_true", help="prints an array of results")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="mutants at a time")
    parser.add_argument("--keep", action="store_true", help="leaves the one mutant in build/mutants")
    parser.add_argument("--work", type=pathlib.Path, help="the folder for trees and logs (build/mutants)")
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parent.parent, help=argparse.SUPPRESS)
    return parser.parse_args(words)


def main(words):
    args = parse(words)
    root = args.root.resolve()
    mutants = chosen(read_mutants(root / "tests/mutants"), args.names)
    if args.list:
        for mutant in mutants:
            print(f"{mutant.name}: {mutant.breaks}: {mutant.defect}")
        return 0
    if args.check:
        wrong = check(mutants, root, args.check)
        print("".join(f"mutants: {line}\n" for line in wrong), end="", file=sys.stderr)
        return int(bool(wrong))
    if args.keep and len(mutants) != 1:
        raise Unusable("--keep is for one mutant")

    def report(row):
        print(f"{row['mutant']:44} {row['verdict']:10} {row['seconds']:7.1f} s  {row['detail']}",
              file=sys.stderr if args.json else sys.stdout, flush=True)

    for number in SIGNALS:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, interruption.handle)
    rows = run(mutants, root, (args.work or root / "build/mutants").resolve(), args.jobs, args.keep, report)
    bad = [row for row in rows if row["verdict"] not in GOOD]
    if args.json:
        print(json.dumps(rows, indent=1))
    else:
        print(f"mutants: {len(rows) - len(bad)} of {len(rows)} as they should be")
    if any(row["verdict"] == NO_BASELINE for row in rows):
        return 2
    return int(bool(bad))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Interrupted:
        print("mutants: interrupted", file=sys.stderr)
        sys.exit(128 + interruption.signal)
    except Unusable as why:
        print(f"mutants: {why}", file=sys.stderr)
        sys.exit(2)
