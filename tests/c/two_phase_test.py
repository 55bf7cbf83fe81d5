#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two-phase commits over crashes, with Varve's librocksdb.so.7.8 and RocksDB's taking turns on one database.

    two_phase_test.py LIBRARY ROCKSDB-LIBRARY [--first N] [--seeds N] [TEST...]

A random program puts, prepares, commits, rolls back and flushes in two families. It is killed, or closes the database,
and either library goes on with it. A dict is the model: each opening has to find what was committed and what is
prepared, with its changes.
"""
import ctypes
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "interop"))
from rocksdb_c import ERROR, FLAG, INT, POINTER, SIZE, TEXT, Library, RocksDbError  # noqa: E402

from library_process import LibraryProcess, run_tests, serve, settings  # noqa: E402

LIBRARIES = SETTINGS = None
FAMILIES = ("default", "other")
KEYS = 40
BYTES = [TEXT, SIZE]
FUNCTIONS = {
    "options_set_create_missing_column_families": (None, [POINTER, FLAG]),
    "options_set_write_buffer_size": (None, [POINTER, SIZE]),
    "writeoptions_disable_WAL": (None, [POINTER, INT]),
    "transactiondb_options_create": (POINTER, []),
    "transactiondb_options_set_default_lock_timeout": (None, [POINTER, ctypes.c_int64]),
    "transactiondb_options_set_transaction_lock_timeout": (None, [POINTER, ctypes.c_int64]),
    "transactiondb_open_column_families": (POINTER, [POINTER, POINTER, TEXT, INT, POINTER, POINTER, POINTER, ERROR]),
    "transactiondb_close": (None, [POINTER]),
    "transactiondb_put_cf": (None, [POINTER, POINTER, POINTER, *BYTES, *BYTES, ERROR]),
    "transactiondb_get_cf": (POINTER, [POINTER, POINTER, POINTER, *BYTES, ctypes.POINTER(SIZE), ERROR]),
    "transactiondb_flush_cf": (None, [POINTER, POINTER, POINTER, ERROR]),
    "transactiondb_get_prepared_transactions": (POINTER, [POINTER, ctypes.POINTER(SIZE)]),
    "transaction_options_create": (POINTER, []),
    "transaction_begin": (POINTER, [POINTER, POINTER, POINTER, POINTER]),
    "transaction_destroy": (None, [POINTER]),
    "transaction_set_name": (None, [POINTER, *BYTES, ERROR]),
    "transaction_get_name": (POINTER, [POINTER, ctypes.POINTER(SIZE)]),
    "transaction_put_cf": (None, [POINTER, POINTER, *BYTES, *BYTES, ERROR]),
    "transaction_delete_cf": (None, [POINTER, POINTER, *BYTES, ERROR]),
    "transaction_get_cf": (POINTER, [POINTER, POINTER, POINTER, *BYTES, ctypes.POINTER(SIZE), ERROR]),
    "transaction_prepare": (None, [POINTER, ERROR]),
    "transaction_commit": (None, [POINTER, ERROR]),
    "transaction_rollback": (None, [POINTER, ERROR]),
}


def sized(*words):
    return [part for word in words for part in (word.encode(), len(word.encode()))]


class Worker:
    """The database in a process with one library: each method is a command."""

    def __init__(self, library, path):
        self.library = Library(library, FUNCTIONS)
        options = self.library.options("create_if_missing=true;create_missing_column_families=true;")
        self.library._options_set_write_buffer_size(options, 64 << 10)
        rules = self.library._transactiondb_options_create()
        self.library._transactiondb_options_set_default_lock_timeout(rules, 0)
        self.library._transactiondb_options_set_transaction_lock_timeout(rules, 0)
        names = (TEXT * 2)(*(name.encode() for name in FAMILIES))
        handles = (POINTER * 2)()
        self.db = self.library.call("transactiondb_open_column_families", options, rules, path.encode(), 2, names,
                                    (POINTER * 2)(options, options), handles)
        self.handles = dict(zip(FAMILIES, handles))
        self.prepared_now = {}
        count = SIZE()
        found = self.library._transactiondb_get_prepared_transactions(self.db, ctypes.byref(count))
        for handle in ctypes.cast(found, ctypes.POINTER(POINTER))[:count.value] if found else []:
            size = SIZE()
            name = ctypes.string_at(self.library._transaction_get_name(handle, ctypes.byref(size)), size.value)
            self.prepared_now[name.decode()] = handle
        if found:
            self.library._free(found)

    def text(self, value, size):
        if not value:
            return None
        text = ctypes.string_at(value, size.value).decode()
        self.library._free(value)
        return text

    def put(self, family, key, value):
        self.library.call("transactiondb_put_cf", self.db, self.library.writing, self.handles[family],
                          *sized(key, value))

    def put_unlogged(self, family, key, value):
        writing = self.library._writeoptions_create()
        self.library._writeoptions_disable_WAL(writing, 1)
        self.library.call("transactiondb_put_cf", self.db, writing, self.handles[family], *sized(key, value))

    def change(self, changes):
        transaction = self.library._transaction_begin(self.db, self.library.writing,
                                                      self.library._transaction_options_create(), None)
        for family, key, value in changes:
            if value is None:
                self.library.call("transaction_delete_cf", transaction, self.handles[family], *sized(key))
            else:
                self.library.call("transaction_put_cf", transaction, self.handles[family], *sized(key, value))
        return transaction

    def write(self, changes):
        transaction = self.change(changes)
        self.library.call("transaction_commit", transaction)
        self.library._transaction_destroy(transaction)

    def prepare(self, name, changes):
        transaction = self.change(changes)
        self.library.call("transaction_set_name", transaction, *sized(name))
        self.library.call("transaction_prepare", transaction)
        self.prepared_now[name] = transaction

    def end(self, name, how):
        transaction = self.prepared_now.pop(name)
        self.library.call("transaction_" + how, transaction)
        self.library._transaction_destroy(transaction)

    def flush(self, family):
        self.library.call("transactiondb_flush_cf", self.db, self.library.flushing, self.handles[family])

    def state(self):
        """What is committed, and what each prepared transaction sees."""
        data, size = {}, SIZE()
        seen = {name: {} for name in self.prepared_now}
        for family in FAMILIES:
            for number in range(KEYS):
                key = f"k{number}"
                data[f"{family}/{key}"] = self.text(
                    self.library.call("transactiondb_get_cf", self.db, self.library.reading, self.handles[family],
                                      *sized(key), ctypes.byref(size)), size)
                for name, transaction in self.prepared_now.items():
                    seen[name][f"{family}/{key}"] = self.text(
                        self.library.call("transaction_get_cf", transaction, self.library.reading,
                                          self.handles[family], *sized(key), ctypes.byref(size)), size)
        return [data, seen]

    def close(self):
        for transaction in self.prepared_now.values():
            self.library._transaction_destroy(transaction)
        for handle in self.handles.values():
            self.library._column_family_handle_destroy(handle)
        self.library._transactiondb_close(self.db)


def open_plainly(library, path):
    """Not as a TransactionDB."""
    library = Library(library)
    names, options = (TEXT * 2)(*(name.encode() for name in FAMILIES)), library.options()
    library._close(library.call("open_column_families", options, path.encode(), 2, names,
                                (POINTER * 2)(options, options), (POINTER * 2)()))


def work(library, path):
    worker = None

    def call(name, *arguments):
        nonlocal worker
        if name == "open":
            worker = Worker(library, path)
            return None
        if name == "open_plainly":
            return open_plainly(library, path)
        return getattr(worker, name)(*arguments)

    serve(call)


class Session(LibraryProcess):
    def __init__(self, library, path, how="open"):
        super().__init__(__file__, library, path)
        self.open(how)

    def close(self):
        self.end("close")


class TwoPhase(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-2pc-"))
        self.addCleanup(shutil.rmtree, self.home)

    def check(self, session, data, prepared):
        found, seen = session.do("state")
        self.assertEqual({key: value for key, value in found.items() if value is not None}, data)
        self.assertEqual(sorted(seen), sorted(prepared))
        for name, changes in prepared.items():
            expected = dict(data)
            for family, key, value in changes:
                expected[f"{family}/{key}"] = value
            self.assertEqual({key: value for key, value in seen[name].items() if value is not None},
                             {key: value for key, value in expected.items() if value is not None}, name)

    def run_program(self, seed):
        dice = random.Random(seed)
        path = self.home / str(seed)
        data, prepared, names, copies = {}, {}, 0, 0
        turns = []

        def changed(changes):
            for family, key, value in changes:
                data[f"{family}/{key}"] = value
                if value is None:
                    del data[f"{family}/{key}"]

        session = None
        for step in range(120):
            if session is None:
                library = dice.choice(LIBRARIES)
                turns.append((step, str(library)))
                session = Session(library, path)
                self.check(session, data, prepared)
            locked = {(family, key) for changes in prepared.values() for family, key, _ in changes}
            free = [(family, f"k{n}") for family in FAMILIES for n in range(KEYS) if (family, f"k{n}") not in locked]
            drawn = dice.sample(free, min(len(free), dice.randint(1, 4)))
            changes = [[family, key, None if dice.random() < 0.2 else f"{step}" + "v" * dice.randint(0, 4000)]
                       for family, key in drawn]
            kind = dice.choices(("put", "write", "prepare", "commit", "rollback", "flush", "kill", "close", "copy"),
                                (4, 4, 5, 4, 2, 3, 2, 1, 1))[0]
            if kind == "put" and changes:
                family, key, _ = changes[0]
                session.do("put", family, key, f"{step}")
                changed([[family, key, f"{step}"]])
            elif kind == "write":
                session.do("write", changes)
                changed(changes)
            elif kind == "prepare":
                name = f"t{names}"
                names += 1
                session.do("prepare", name, changes)
                prepared[name] = changes
            elif kind in ("commit", "rollback") and prepared:
                name = dice.choice(sorted(prepared))
                session.do("end", name, kind)
                if kind == "commit":
                    changed(prepared[name])
                del prepared[name]
            elif kind == "flush":
                session.do("flush", dice.choice(FAMILIES))
            elif kind == "kill":
                session.kill()
                session = None
            elif kind == "close":
                session.close()
                session = None
            elif kind == "copy":
                copies += 1
                copy = self.home / f"{seed}-{copies}"
                session.process.send_signal(signal.SIGSTOP)  # As of one moment.
                os.waitpid(session.process.pid, os.WUNTRACED)
                shutil.copytree(path, copy)
                session.process.send_signal(signal.SIGCONT)
                other = Session(dice.choice(LIBRARIES), copy)
                self.check(other, data, prepared)
                other.kill()
        if session is None:
            session = Session(dice.choice(LIBRARIES), path)
        self.check(session, data, prepared)
        session.close()
        for library in LIBRARIES:
            session = Session(library, path)
            self.check(session, data, prepared)
            session.close()
        return turns

    def test_random_programs(self):
        for seed in range(SETTINGS.first, SETTINGS.first + SETTINGS.seeds):
            with self.subTest(seed=seed):
                self.run_program(seed)

    def cut_opening(self, path):
        """An opening by Varve that gets as far as what is prepared is logged again. Returns the new log."""
        before = {log.name for log in path.glob("*.log")}
        newest = max(int(file.name[:6]) for file in path.glob("[0-9]*.*"))
        in_the_way = [path / f"MANIFEST-{newest + more:06}" for more in range(1, 9)]
        for directory in in_the_way:
            directory.mkdir()
        with self.assertRaises(RocksDbError):
            Session(LIBRARIES[0], path)
        for directory in in_the_way:
            directory.rmdir()
        return max(log for log in path.glob("*.log") if log.name not in before and log.stat().st_size > 0)

    def test_openings_that_are_cut_short(self):
        """The newest log ends within a record; more sequence numbers are used than the logs have."""
        for library, torn in ((library, torn) for library in LIBRARIES for torn in (False, True)):
            with self.subTest(library=library, torn=torn):
                path = self.home / f"{LIBRARIES.index(library)}-{torn}"
                session = Session(library, path)
                session.do("put", "other", "k1", "v")
                session.do("prepare", "one", [["default", "k2", "v"]])
                session.do("prepare", "two", [["default", "k3", "v"], ["other", "k3", "v"]])
                for number in range(5):
                    session.do("put_unlogged", "default", "k4", f"{number}")
                session.do("flush", "default")
                session.kill()
                with max(path.glob("*.log")).open("ab") as log:
                    log.write(b"\1\2\3")
                log = self.cut_opening(path)
                if torn:
                    os.truncate(log, log.stat().st_size - 1)
                    self.cut_opening(path)
                data = {"other/k1": "v", "default/k4": "4"}
                prepared = {"one": [["default", "k2", "v"]],
                            "two": [["default", "k3", "v"], ["other", "k3", "v"]]}
                session = Session(library, path)
                self.check(session, data, prepared)
                session.do("end", "one", "commit")
                session.do("end", "two", "rollback")
                session.kill()
                for later in LIBRARIES:
                    session = Session(later, path)
                    self.check(session, data | {"default/k2": "v"}, {})
                    session.close()

    def test_a_plain_opening_is_refused_and_changes_nothing(self):
        for library in LIBRARIES:
            path = self.home / str(LIBRARIES.index(library))
            session = Session(library, path)
            session.do("prepare", "one", [["default", "k1", "v"]])
            session.kill()
            # Debian's build of RocksDB, which refuses it as well, ends the process by an assertion.
            with self.assertRaisesRegex(RocksDbError, "^Not implemented: .*prepared transactions"):
                Session(LIBRARIES[0], path, "open_plainly")
            session = Session(library, path)
            self.check(session, {}, {"one": [["default", "k1", "v"]]})
            session.close()


def main():
    global LIBRARIES, SETTINGS
    if sys.argv[1] == "--worker":
        return work(*sys.argv[2:])
    SETTINGS = settings(seeds=12)
    LIBRARIES = SETTINGS.libraries
    run_tests(SETTINGS)


if __name__ == "__main__":
    main()
