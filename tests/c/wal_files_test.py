#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The lists of logs that librocksdb.so.11 and RocksDB 11.8.1 give after the same steps: whether there are any, with which sequence
numbers they begin, and which one is written to. (Numbers and sizes of files are each program's own.)

    wal_files_test.py LIBRARY ROCKSDB-LIBRARY"""
import ctypes
import json
import pathlib
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.extend([str(TESTS), str(TESTS / "interop")])
from rocksdb_c import INT, POINTER, SIZE, TEXT, Database, Library, RocksDbError  # noqa: E402
from waiting import wait_until  # noqa: E402

NUMBER = ctypes.c_uint64
MORE = {
    "get_sorted_wal_files": (POINTER, [POINTER, ctypes.POINTER(POINTER)]),
    "get_current_wal_file": (POINTER, [POINTER, ctypes.POINTER(POINTER)]),
    "wal_files_count": (SIZE, [POINTER]), "wal_files_get_wal_file": (POINTER, [POINTER, SIZE]),
    "wal_files_destroy": (None, [POINTER]), "wal_file_destroy": (None, [POINTER]),
    "wal_file_path_name": (TEXT, [POINTER]), "wal_file_log_number": (NUMBER, [POINTER]),
    "wal_file_type": (INT, [POINTER]), "wal_file_start_sequence": (NUMBER, [POINTER]),
    "wal_file_size_file_bytes": (NUMBER, [POINTER]),
}


def checked(library, folder, file):
    """What a log says of itself, once its name, number and size are those of the file that there is."""
    number, path = library._wal_file_log_number(file), library._wal_file_path_name(file).decode()
    assert path == f"/{number:06}.log", path
    size = library._wal_file_size_file_bytes(file)
    assert size == (folder / path[1:]).stat().st_size, (path, size)
    return {"number": number, "empty": size == 0, "type": library._wal_file_type(file),
            "sequence": library._wal_file_start_sequence(file)}


def count_logs(db):
    files = db.library.call("get_sorted_wal_files", db.db)
    count = db.library._wal_files_count(files)
    db.library._wal_files_destroy(files)
    return count


def logs(db, folder):
    """All logs, the present one, and whether that is the last of them; without their numbers."""
    library = db.library
    files = library.call("get_sorted_wal_files", db.db)
    count = library._wal_files_count(files)
    rows = [checked(library, folder, library._wal_files_get_wal_file(files, i)) for i in range(count)]
    assert library._wal_files_get_wal_file(files, count) is None
    library._wal_files_destroy(files)
    assert [row["number"] for row in rows] == sorted(row["number"] for row in rows)
    try:
        file = library.call("get_current_wal_file", db.db)
    except RocksDbError as error:
        return [rows, str(error).split(":")[0]]
    present = checked(library, folder, file)
    library._wal_file_destroy(file)
    last = bool(rows) and rows[-1]["number"] == present["number"]
    for row in (*rows, present):
        del row["number"]
    return [rows, present, last]


def work(path, folder):
    library, found = Library(path, MORE), []
    with Database(library, folder, library.options()) as db:

        def note(count):  # A log that is not needed goes after the flush, at some time.
            wait_until(f"{count} logs are left", lambda: count_logs(db) == count)
            found.append(logs(db, folder))

        note(0)  # Nothing was written.
        db.create_family("other")
        for key in (b"a", b"b", b"c"):
            db.write([("put", "default", key, b"1")])
        note(1)
        db.write([("put", "other", b"k", b"1")])
        db.flush()  # The first log stays, for the other family.
        note(1)
        db.write([("put", "default", b"d", b"2"), ("put", "other", b"l", b"2")])
        note(2)
        db.flush("other")
        db.write([("put", "default", b"e", b"3")])
        note(2)
        db.flush()
        db.flush("other")
        note(0)
    with Database(library, folder, library.options(), read_only=True) as db:
        found.append(logs(db, folder)[1:])
    print(json.dumps(found))


def main(*arguments):
    if arguments[0] == "--worker":  # Two libraries of the same names need two processes.
        return work(arguments[1], pathlib.Path(arguments[2]))
    found = []
    for library in arguments:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, __file__, "--worker", library, f"{folder}/db"], text=True,
                                  stdout=subprocess.PIPE)
            assert done.returncode == 0, (library, done.returncode)
            found.append(json.loads(done.stdout))
    for ours, theirs in zip(*found, strict=True):
        assert ours == theirs, f"ours:   {ours}\ntheirs: {theirs}"
    print("ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
