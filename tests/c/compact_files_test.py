#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rocksdb_compact_files_cf() of librocksdb.so.11 and of RocksDB 11.8.1, on the same random histories: the tables of each level, what
they hold, the errors, and what the job says of itself are the same after each step, and the values are those of a model. Of
histories with deletions, which the two drop at different times, only the values are compared. Then each library reads what
the other one left.

    compact_files_test.py LIBRARY ROCKSDB-LIBRARY [--seeds N] [--first SEED]"""
import argparse
import ctypes
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "interop"))
from rocksdb_c import FLAG, INT, POINTER, SIZE, TEXT, Database, Library, RocksDbError  # noqa: E402

NUMBER = ctypes.c_uint64
COUNTS = ("num_input_files", "num_input_files_at_output_level", "input_files_count", "output_files_count")
MORE = {
    "compact_files_cf": (None, [POINTER, POINTER, POINTER, ctypes.POINTER(TEXT), SIZE, INT, INT, ctypes.POINTER(POINTER),
                                ctypes.POINTER(SIZE), POINTER, ctypes.POINTER(POINTER)]),
    "compact_files_output_file_names_destroy": (None, [POINTER, SIZE]),
    "compaction_options_create": (POINTER, []), "compaction_options_destroy": (None, [POINTER]),
    "compaction_options_set_allow_trivial_move": (None, [POINTER, FLAG]),
    "compaction_options_canceled_create": (POINTER, []),
    "compaction_options_canceled_set": (None, [POINTER, FLAG]),
    "compaction_options_set_canceled": (None, [POINTER, POINTER]),
    "compactionjobinfo_create": (POINTER, []), "compactionjobinfo_destroy": (None, [POINTER]),
    **{f"compactionjobinfo_{name}": (SIZE, [POINTER]) for name in COUNTS},
    "compactionjobinfo_base_input_level": (INT, [POINTER]), "compactionjobinfo_output_level": (INT, [POINTER]),
    "compactionjobinfo_compaction_reason": (ctypes.c_uint32, [POINTER]),
    "livefiles": (POINTER, [POINTER]), "livefiles_count": (INT, [POINTER]), "livefiles_destroy": (None, [POINTER]),
    "livefiles_name": (TEXT, [POINTER, INT]), "livefiles_level": (INT, [POINTER, INT]),
    "livefiles_entries": (NUMBER, [POINTER, INT]), "livefiles_deletions": (NUMBER, [POINTER, INT]),
    "livefiles_smallestkey": (POINTER, [POINTER, INT, ctypes.POINTER(SIZE)]),
    "livefiles_largestkey": (POINTER, [POINTER, INT, ctypes.POINTER(SIZE)]),
}
STYLES = ("kCompactionStyleLevel", "kCompactionStyleUniversal", "kCompactionStyleFIFO")
OPTIONS = ("compression=kNoCompression;level_compaction_dynamic_level_bytes={dynamic};num_levels={levels};"
           "disable_auto_compactions=true;compaction_style={style};write_buffer_size=1048576;max_open_files=-1;")
KEYS = 40


def key_of(number):
    return b"k%02d" % number


class Tables:
    """The tables of the default family: by level, newest or smallest first."""

    def __init__(self, db):
        library = db.library
        files = library._livefiles(db.db)
        self.rows = []
        for i in range(library._livefiles_count(files)):
            bounds = []
            for end in ("smallestkey", "largestkey"):
                size = SIZE()
                key = getattr(library, f"_livefiles_{end}")(files, i, ctypes.byref(size))
                bounds.append(ctypes.string_at(key, size.value).decode())
            self.rows.append((library._livefiles_level(files, i), *bounds, library._livefiles_entries(files, i),
                              library._livefiles_deletions(files, i), library._livefiles_name(files, i).decode()))
        library._livefiles_destroy(files)
        self.rows.sort(key=lambda row: row[0])

    def described(self):
        return [row[:-1] for row in self.rows]

    def names(self, places):
        return [self.rows[place][-1] for place in places]


def compact(db, names, level, move, path=-1, cancelled=False):
    library = db.library
    options, info = library._compaction_options_create(), library._compactionjobinfo_create()
    library._compaction_options_set_allow_trivial_move(options, move)
    flag = library._compaction_options_canceled_create()
    library._compaction_options_canceled_set(flag, cancelled)
    library._compaction_options_set_canceled(options, flag)
    outputs, count = POINTER(), SIZE()
    try:
        library.call("compact_files_cf", db.db, db.handles["default"], options, (TEXT * len(names))(*map(str.encode, names)),
                     len(names), level, path, ctypes.byref(outputs), ctypes.byref(count), info)
        paths = [text.decode() for text in ctypes.cast(outputs, ctypes.POINTER(TEXT))[:count.value]]
        assert all(pathlib.Path(path).parent == pathlib.Path(db.path.decode()) and pathlib.Path(path).exists() for path in paths)
        assert set(pathlib.Path(path).name for path in paths) <= {row[-1].strip("/") for row in Tables(db).rows}
        library._compact_files_output_file_names_destroy(outputs, count)
        if move:  # RocksDB says nothing of moves.
            return [count.value]
        done = [getattr(library, f"_compactionjobinfo_{name}")(info)
                for name in (*COUNTS, "base_input_level", "output_level", "compaction_reason")]
        return [count.value, *done]
    except RocksDbError as error:
        return ["error", str(error).split(":")[0]]
    finally:
        library._compactionjobinfo_destroy(info)
        library._compaction_options_destroy(options)


def change(db, dice, model, deletes):
    operations = []
    for _ in range(dice.randrange(1, 5)):
        number = dice.randrange(KEYS)
        kind = dice.randrange(10) if deletes else 0
        if kind < 7:
            value = b"%d" % dice.randrange(10**6)
            operations.append(("put", "default", key_of(number), value))
            model[key_of(number)] = value
        elif kind < 9:
            operations.append(("delete", "default", key_of(number)))
            model.pop(key_of(number), None)
        else:
            end = number + dice.randrange(1, 6)
            operations.append(("delete-range", "default", key_of(number), key_of(end)))
            for other in range(number, end):
                model.pop(key_of(other), None)
    db.write(operations)
    db.flush()


def history(db, seed, levels, deletes):
    dice, model, found = random.Random(seed), {}, []
    for _ in range(60):
        tables = Tables(db)
        if not tables.rows or dice.randrange(5) < 2:
            change(db, dice, model, deletes)
            continue
        places = dice.sample(range(len(tables.rows)), min(len(tables.rows), dice.choice((1, 1, 1, 2, 2, 3))))
        names = tables.names(places)
        lowest = max(tables.rows[place][0] for place in places)
        level = dice.randrange(lowest, levels)
        kind = dice.randrange(20)
        if kind == 0:
            level = dice.randrange(-1, levels + 2)
        if kind == 1:
            names.append("/777777.sst")
        move = dice.randrange(4) == 0
        found.append(compact(db, [] if kind == 2 else names, level, move, cancelled=kind == 3))
        found.append(Tables(db).described())
        assert dict(db.scan()) == model, (seed, len(found))
    return found


def settings(seed):
    levels = (7, 4, 7)[seed % 3]
    return levels, OPTIONS.format(dynamic="true" if seed % 2 else "false", levels=levels, style=STYLES[seed // 2 % 3])


def work(path, folder, first, count):
    library, found = Library(path, MORE), {}
    for seed in range(int(first), int(first) + int(count)):
        levels, options = settings(seed)
        with Database(library, f"{folder}/{seed}", library.options(options)) as db:
            deletes = seed % 4 == 0
            steps = history(db, seed, levels, deletes)
            found[seed] = [] if deletes else steps
            (pathlib.Path(folder) / f"{seed}.json").write_text(
                json.dumps([[key.decode(), value.decode()] for key, value in db.scan()]))
    print(json.dumps(found))


def read(path, folder, first, count):
    library = Library(path, MORE)
    for seed in range(int(first), int(first) + int(count)):
        with Database(library, f"{folder}/{seed}", library.options(settings(seed)[1])) as db:
            expected = json.loads((pathlib.Path(folder) / f"{seed}.json").read_text())
            assert [[key.decode(), value.decode()] for key, value in db.scan()] == expected, seed
            db.verify()
    print(json.dumps(True))


def call(*words):
    done = subprocess.run([sys.executable, __file__, "--worker", *map(str, words)], text=True, stdout=subprocess.PIPE)
    assert done.returncode == 0, (words, done.returncode)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("libraries", nargs=2)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=24)
    said = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="varve-compact-files-") as scratch:
        folders, found = [], []
        for i, library in enumerate(said.libraries):
            folders.append(pathlib.Path(scratch) / str(i))
            folders[i].mkdir()
            found.append(call("work", library, folders[i], said.first, said.seeds))
        errors = moves = 0
        for seed in found[0]:
            for step, (ours, theirs) in enumerate(zip(found[0][seed], found[1][seed], strict=True)):
                assert ours == theirs, f"seed {seed}, step {step}:\nours:   {ours}\ntheirs: {theirs}"
                errors += ours[:1] == ["error"]
                moves += len(ours) == 1
        for library, folder in zip(said.libraries, reversed(folders)):
            call("read", library, folder, said.first, said.seeds)
        assert said.seeds < 20 or (errors > 20 and moves > 20), (errors, moves)
        print(f"ok: {errors} errors, {moves} perhaps moves")


if __name__ == "__main__":
    if sys.argv[1] == "--worker":  # Two libraries of the same names need two processes.
        {"work": work, "read": read}[sys.argv[2]](*sys.argv[3:])
    else:
        main()
