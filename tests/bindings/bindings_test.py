#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tests that bindings of RocksDB's C interface have of their own, on a library of core/c, and those of its tool ldb.

    bindings_test.py SUITE LIBRARY FOLDER [TEST...]      of ldb_test: the program in the place of the library

SUITE is a name below .deps/bindings (scripts/bindings.sh). It is built in FOLDER, and each test runs in a process of its
own, since one that aborts would end the others. expected/SUITE.txt lists those that fail on Varve; one that fails and is not
listed is an error, and so is one that passes and is listed, unless its reason begins with "may fail:". With names, only
these tests run."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SECONDS_MAX = 120
MAY_FAIL = "may fail:"


def run(command, folder, environment, **options):
    return subprocess.run([*map(str, command)], cwd=folder, env={**os.environ, **environment}, text=True, **options)


def output_of(command, folder, environment):
    """Of what has to succeed."""
    done = run(command, folder, environment, stdout=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}")
    return done.stdout


class Suite:
    """tests(): (name, command) of each test. Names are the first columns of expected/SUITE.txt."""

    def __init__(self, name, library, folder):
        self.source = ROOT / ".deps" / "bindings" / name
        self.folder = folder / name
        self.library = library
        self.environment = {"LD_LIBRARY_PATH": str(library.parent)}
        self.directory = self.source  # In which tests run.
        self.folder.mkdir(parents=True, exist_ok=True)


class Rust(Suite):
    """rust-rocksdb with the crate of core/c/rust in the place of librocksdb-sys."""

    stand_ins = {"0.19.0": "0.8", "0.20.1": "0.10", "0.25.0": "0.19"}

    def tests(self):
        stand_in = ROOT / "core/c/rust" / self.stand_ins[self.source.name.rpartition("-")[2]]
        (self.folder / "librocksdb.so").unlink(missing_ok=True)
        (self.folder / "librocksdb.so").symlink_to(self.library)
        build = {"ROCKSDB_LIB_DIR": str(self.folder), "CARGO_TARGET_DIR": str(self.folder / "target"),
                 "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0"}
        messages = output_of(["cargo", "test", "--no-run", "--quiet", "--offline", "--locked",
                              "--lib", "--tests", "--message-format=json", "--config",
                              f"patch.crates-io.librocksdb-sys.path='{stand_in}'"],
                             self.source, {**self.environment, **build, "RUSTFLAGS": "--cap-lints=allow"})
        for line in messages.splitlines():
            message = json.loads(line)
            program = message.get("executable")
            if program and message["profile"]["test"]:
                yield from self.tests_of(message["target"]["name"], program)

    def tests_of(self, name, program):
        listed = output_of([program, "--list", "--format=terse"], self.source, self.environment)
        for test in re.findall(r"^(.+): test$", listed, re.M):
            if not self.checks_the_compiler(name, test):
                yield f"{name} {test}", [program, "--exact", test]

    def checks_the_compiler(self, name, test):
        """Tests that something does not compile: of rustc's words, whatever the library is."""
        path = self.source / "tests" / f"{name}.rs"
        body = re.search(rf"fn {test}\(\) {{(.*?)^}}", path.read_text(), re.M | re.S) if path.exists() else None
        return body is not None and "compile_fail" in body[1]


class Go(Suite):
    """grocksdb, linked as it says itself but for the library's place."""

    # Of those that are not made for the header of the system.
    headers = {"1.11.1": "c_test-11.8.1/include"}

    def tests(self):
        program = self.folder / "tests"
        header = self.headers.get(self.source.name.rpartition("-")[2])
        include = f" -I{self.source.parent / header}" if header else ""
        flags = {"CGO_CFLAGS": f"-O1{include}", "CGO_LDFLAGS": f"{self.library}", "GOFLAGS": "-mod=mod", "GOPROXY": "off"}
        output_of(["go", "test", "-c", "-tags", "grocksdb_clean_link", "-o", program, "."], self.source,
                  {**self.environment, **flags})
        for test in re.findall(r"^Test\w+$", output_of([program, "-test.list", "."], self.source, self.environment), re.M):
            yield test, [program, "-test.run", f"^{test}$"]


class C(Suite):
    """RocksDB's c_test.c, whose main() is a list of phases that use one database: what is before the first phase is
    prepared for all. One that fails ends the program, so each listed one has a program in which only it is not left out."""

    def tests(self):
        text = (self.source / "c_test.c").read_text()
        phases = re.findall(r'^  StartPhase\("(.+)"\);$', text, re.M)
        listed = [name for name in expected_failures(self.source.name) if name in phases]
        everything = self.program("sound", text, listed)
        done = run([everything], self.folder, {**self.environment, "TEST_TMPDIR": str(self.scratch())},
                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        reached = re.findall(r"^=== Test (.+)$", done.stdout, re.M)
        for phase in phases:
            if phase in listed:
                yield phase, [self.program(phase, text, [other for other in listed if other != phase])]
            else:
                passed = phase in reached and (done.returncode == 0 or phase != reached[-1])
                yield phase, ["true" if passed else everything]

    def program(self, name, text, left_out):
        source = self.folder / f"{re.sub(r'[^a-z_]', '_', name)}.c"
        for phase in left_out:
            text = re.sub(rf'^  StartPhase\("{re.escape(phase)}"\);\n.*?(?=^  StartPhase\()', "", text, flags=re.M | re.S)
        source.write_text(text)
        # Its own header, if it came with one.
        output_of(["cc", "-w", f"-I{self.source}/include", f"-I{self.source}", "-o", source.with_suffix(""), source,
                   self.library, "-lm", "-lpthread"], self.folder, self.environment)
        return source.with_suffix("")

    def scratch(self):
        return tempfile.mkdtemp(dir=self.folder)


class Ldb(Suite):
    """RocksDB's ldb_test.py, which calls ./ldb: a program of that name is `varve ldb`."""

    def tests(self):
        self.directory = self.folder
        (self.folder / "ldb").unlink(missing_ok=True)
        (self.folder / "ldb").symlink_to(self.library)
        script = self.source / "ldb_test.py"
        for test in sorted(set(re.findall(r"^    def (test\w+)\(", script.read_text(), re.M))):
            yield test, [sys.executable, script, f"LDBTestCase.{test}"]


KINDS = {"rust-rocksdb": Rust, "grocksdb": Go, "c_test": C, "ldb_test": Ldb}


def expected_failures(suite):
    """Names, and what is missing."""
    rows = (line.split("\t") for line in (HERE / "expected" / f"{suite}.txt").read_text().splitlines()
            if not line.startswith("#"))
    return {" ".join(row[:-1]): row[-1] for row in rows}


def passes(suite, command):
    scratch = tempfile.mkdtemp(dir=suite.folder)
    try:
        done = run(command, suite.directory, {**suite.environment, "TEST_TMPDIR": scratch, "TMPDIR": scratch},
                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS_MAX)
        return done.returncode == 0, done.stdout
    except subprocess.TimeoutExpired as late:
        return False, f"did not end within {SECONDS_MAX} seconds\n{(late.stdout or b'').decode(errors='replace')}"
    finally:
        shutil.rmtree(scratch)


def main(name, library, folder, *wanted):
    suite = KINDS[name.rpartition("-")[0]](name, pathlib.Path(library).resolve(), pathlib.Path(folder).resolve())
    expected = expected_failures(name)
    passed, failed, surprises = set(), set(), []
    for test, command in suite.tests():
        if wanted and test not in wanted:
            continue
        ok, output = passes(suite, command)
        (passed if ok else failed).add(test)
        if not ok and test not in expected:
            surprises.append(f"{test} fails:\n{output[-3000:]}")
        if ok and not expected.get(test, MAY_FAIL).startswith(MAY_FAIL):
            surprises.append(f"{test} passes: take it out of tests/bindings/expected/{name}.txt")
    unknown = [] if wanted else sorted(set(expected) - failed - passed)
    surprises += [f"{test} is listed in tests/bindings/expected/{name}.txt, and not a test" for test in unknown]
    print(*surprises, f"{name}: {len(passed)} passed, {len(failed)} failed", sep="\n")
    return 1 if surprises or not passed | failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
