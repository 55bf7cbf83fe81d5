# SPDX-License-Identifier: Apache-2.0
"""Programs that open a database with one of two libraries, each in a process of its own, which may be killed."""
import argparse
import json
import pathlib
import subprocess
import sys
import unittest

from rocksdb_c import RocksDbError


class LibraryProcess:
    """`script`, started as a worker with these arguments, which serve()s commands."""

    def __init__(self, script, *arguments):
        self.process = subprocess.Popen([sys.executable, script, "--worker", *map(str, arguments)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def do(self, *command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"{command}: the process ended, {self.process.wait()}")
        kind, answer = json.loads(line)
        if kind == "error":
            raise RocksDbError(answer)
        return answer

    def open(self, how="open"):
        try:
            self.do(how)
        except RocksDbError:
            self.kill()
            raise

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def end(self, command):
        self.do(command)
        self.process.communicate()


def serve(call):
    """Each line is the name of a command and its arguments, which call() takes; it may raise RocksDbError."""
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        try:
            print(json.dumps(["ok", call(name, *arguments)]), flush=True)
        except RocksDbError as error:
            print(json.dumps(["error", str(error)]), flush=True)


def settings(**numbers):
    """What the command line says: two libraries, --first SEED, an option for each of `numbers`, and tests."""
    parser = argparse.ArgumentParser()
    parser.add_argument("libraries", nargs=2, type=pathlib.Path)
    for name, default in {"first": 1, **numbers}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("tests", nargs="*")
    said = parser.parse_intermixed_args()
    said.libraries = [library.resolve() for library in said.libraries]
    return said


def run_tests(said):
    unittest.main(argv=[sys.argv[0], *said.tests], verbosity=2)
