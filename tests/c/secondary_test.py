#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A secondary instance of Varve's librocksdb.so.7.8, which follows primaries of it and of RocksDB's.

    secondary_test.py LIBRARY ROCKSDB-LIBRARY [--first N] [--seeds N] [TEST...]

A random program writes, deletes ranges, flushes and compacts in two families; the primary is killed, or closed, and either
library goes on with the database. The secondary lives all the time, in a process of its own: after it caught up, it has to
have what a dict has, until then what it had before. (RocksDB's own secondary does not pass, with its own primary either: a
Get() comes to find another value than an iterator.)
"""
import pathlib
import random
import shutil
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "interop"))
from rocksdb_c import ERROR, INT, POINTER, TEXT, Database, Library, RocksDbError  # noqa: E402

from library_process import LibraryProcess, run_tests, serve, settings  # noqa: E402

LIBRARIES = SETTINGS = None
FAMILIES = ("default", "other")
KEYS = 60
FUNCTIONS = {
    "open_as_secondary_column_families": (POINTER, [POINTER, TEXT, TEXT, INT, POINTER, POINTER, POINTER, ERROR]),
    "try_catch_up_with_primary": (None, [POINTER, ERROR]),
}


class Reads(Database):
    def state(self):
        """By iterators in both directions, and by Get()."""
        found = {}
        for family in FAMILIES:
            records = self.scan(family)
            if records != self.scan(family, reverse=True)[::-1]:
                raise RocksDbError(f"{family} is not the same backwards")
            for number in range(KEYS):
                key = f"k{number:02}".encode()
                if self.get(key, family) != dict(records).get(key):
                    raise RocksDbError(f"Get() of {key} in {family} gives another value than an iterator")
            found |= {f"{family}/{key.decode()}": value.decode() for key, value in records}
        return found


class Primary(Reads):
    def __init__(self, library, path):
        library = Library(library, FUNCTIONS)
        super().__init__(library, path, library.options("max_open_files=-1;write_buffer_size=65536;"))
        if "other" not in self.handles:
            self.create_family("other")

    def change(self, changes):
        self.write([(kind, family, *(word.encode() for word in words)) for kind, family, *words in changes])


class Secondary(Reads):
    def __init__(self, library, path):
        self.library = library = Library(library, FUNCTIONS)
        options = library.options("max_open_files=-1;")
        handles = (POINTER * 2)()
        self.db = library.call("open_as_secondary_column_families", options, path.encode(),
                               tempfile.mkdtemp(dir=pathlib.Path(path).parent).encode(), 2,
                               (TEXT * 2)(*(name.encode() for name in FAMILIES)), (POINTER * 2)(options, options), handles)
        self.handles = dict(zip(FAMILIES, handles))

    def catch_up(self):
        self.library.call("try_catch_up_with_primary", self.db)


def work(role, library, path):
    worker = None

    def call(name, *arguments):
        nonlocal worker
        if name == "open":
            worker = {"primary": Primary, "secondary": Secondary}[role](library, path)
            return None
        return getattr(worker, name)(*arguments)

    serve(call)


class Process(LibraryProcess):
    """One of the roles."""

    def __init__(self, role, library, path):
        super().__init__(__file__, role, library, path)
        self.open()


def key_of(dice):
    return f"k{dice.randrange(KEYS):02}"


def drawn_changes(dice, step):
    changes = []
    for number in range(dice.randint(1, 8)):
        family, kind = dice.choice(FAMILIES), dice.choices(("put", "delete", "delete-range"), (8, 3, 1))[0]
        if kind == "delete-range":
            begin, end = sorted(dice.sample(range(KEYS), 2))
            changes.append((kind, family, f"k{begin:02}", f"k{end:02}"))
        elif kind == "delete":
            changes.append((kind, family, key_of(dice)))
        else:
            changes.append((kind, family, key_of(dice), f"{step}.{number}" + "v" * dice.randint(0, 3000)))
    return changes


def apply(changes, data):
    for kind, family, *words in changes:
        if kind == "put":
            data[f"{family}/{words[0]}"] = words[1]
        elif kind == "delete":
            data.pop(f"{family}/{words[0]}", None)
        else:
            for key in [key for key in data if f"{family}/{words[0]}" <= key < f"{family}/{words[1]}"]:
                del data[key]


class SecondaryTest(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-secondary-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.processes = []
        self.addCleanup(lambda: [process.kill() for process in self.processes])

    def start(self, role, library, path):
        self.processes.append(Process(role, library, path))
        return self.processes[-1]

    def end(self, process, kill):
        self.processes.remove(process)
        if kill:
            process.kill()
        else:
            process.end("__exit__")

    def run_program(self, seed):
        dice = random.Random(seed)
        path = self.home / str(seed) / "db"
        path.parent.mkdir()
        data = {}
        primary = self.start("primary", dice.choice(LIBRARIES), path)
        secondary = self.start("secondary", LIBRARIES[0], path)
        shown = {}
        for step in range(SETTINGS.steps):
            kind = dice.choices(("change", "flush", "compact", "kill", "close", "catch up", "look"), (12, 3, 1, 1, 1, 4, 2))[0]
            if kind == "change":
                changes = drawn_changes(dice, step)
                primary.do("change", changes)
                apply(changes, data)
            elif kind in ("flush", "compact"):
                primary.do(kind, dice.choice(FAMILIES))
            elif kind in ("kill", "close"):
                self.end(primary, kill=kind == "kill")
                if dice.random() < 0.5:  # Without a primary.
                    shown = self.catch_up(secondary, data, step)
                primary = self.start("primary", dice.choice(LIBRARIES), path)
            elif kind == "catch up":
                shown = self.catch_up(secondary, data, step)
            else:
                self.assertEqual(shown, secondary.do("state"), step)
        self.assertEqual(data, primary.do("state"))
        self.catch_up(secondary, data, "end")
        for process in (primary, secondary):
            self.end(process, kill=False)

    def catch_up(self, secondary, data, step):
        secondary.do("catch_up")
        self.assertEqual(data, secondary.do("state"), step)
        return dict(data)

    def test_random_programs(self):
        for seed in range(SETTINGS.first, SETTINGS.first + SETTINGS.seeds):
            with self.subTest(seed=seed):
                self.run_program(seed)


def main():
    global LIBRARIES, SETTINGS
    if sys.argv[1] == "--worker":
        return work(*sys.argv[2:])
    SETTINGS = settings(seeds=8, steps=120)
    LIBRARIES = SETTINGS.libraries
    run_tests(SETTINGS)


if __name__ == "__main__":
    main()
