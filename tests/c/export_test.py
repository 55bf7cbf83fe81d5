#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Column families that one of librocksdb.so.11 and RocksDB 11.8.1 exports, and the other imports: both ways, and each to itself. The
new family holds what the old one held, for both of them; and what one refuses, the other does, too. RocksDB takes no list that
a program made of tables which a range deletion spans, for lack of their internal bounds: only imports of Varve have these.

    export_test.py LIBRARY ROCKSDB-LIBRARY"""
import ctypes
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "interop"))
from rocksdb_c import FLAG, INT, POINTER, SIZE, TEXT, Database, Library, RocksDbError  # noqa: E402

NUMBER = ctypes.c_uint64
MORE = {
    "checkpoint_export_column_family": (POINTER, [POINTER, POINTER, TEXT, ctypes.POINTER(POINTER)]),
    "create_column_family_with_import": (POINTER, [POINTER, POINTER, TEXT, POINTER, POINTER, ctypes.POINTER(POINTER)]),
    "export_import_files_metadata_create": (POINTER, []),
    "export_import_files_metadata_destroy": (None, [POINTER]),
    "export_import_files_metadata_get_db_comparator_name": (POINTER, [POINTER]),
    "export_import_files_metadata_set_db_comparator_name": (None, [POINTER, TEXT]),
    "export_import_files_metadata_get_files": (POINTER, [POINTER]),
    "export_import_files_metadata_set_files": (None, [POINTER, POINTER]),
    "import_column_family_options_create": (POINTER, []),
    "import_column_family_options_set_move_files": (None, [POINTER, FLAG]),
    "livefiles_create": (POINTER, []), "livefiles_destroy": (None, [POINTER]), "livefiles_count": (INT, [POINTER]),
    "livefiles_add": (None, [POINTER, POINTER]), "livefile_create": (POINTER, []),
    "create_snapshot": (POINTER, [POINTER]), "release_snapshot": (None, [POINTER, POINTER]),
}
# Getter and setter of each thing that is known of a table.
VALUES = {"name": TEXT, "directory": TEXT, "level": INT, "size": SIZE, "smallest_seqno": NUMBER, "largest_seqno": NUMBER}
KEYS = {"smallest_key": "smallestkey", "largest_key": "largestkey"}
for name, kind in VALUES.items():
    MORE[f"livefiles_{name}"] = (kind, [POINTER, INT])
    MORE[f"livefile_set_{name}"] = (None, [POINTER, kind])
for name, getter in KEYS.items():
    MORE[f"livefiles_{getter}"] = (POINTER, [POINTER, INT, ctypes.POINTER(SIZE)])
    MORE[f"livefile_set_{name}"] = (None, [POINTER, TEXT, SIZE])

OPTIONS = ("compression=kNoCompression;target_file_size_base=4096;write_buffer_size=1048576;"
           "level_compaction_dynamic_level_bytes=false;disable_auto_compactions=true;")


def key_of(number):
    return b"k%04d" % number


def fill(db, dice, spanned):
    """A family with tables on several levels, with range deletions, perhaps in several tables of a level, and a memtable."""
    library, model = db.library, {}

    def put(count, size):
        records = {key_of(dice.randrange(600)): dice.randbytes(size) for _ in range(count)}
        db.write([("put", "from", *record) for record in records.items()])
        model.update(records)

    put(900, 60)
    db.compact("from")
    snapshot = library._create_snapshot(db.db)  # Keeps the range deletions.
    for _ in range(3):
        begin, end = sorted((key_of(dice.randrange(600)), key_of(dice.randrange(600))))
        if begin < end:
            db.write([("delete-range", "from", begin, end)])
        for key in [key for key in model if begin <= key < end]:
            del model[key]
        put(60, 40)
    if not spanned:
        library._release_snapshot(db.db, snapshot)
    db.compact("from")
    if spanned:
        library._release_snapshot(db.db, snapshot)
    for count in (40, 30):
        begin, end = key_of(count), key_of(2 * count)
        db.write([("delete-range", "from", begin, end)])
        for key in [key for key in model if begin <= key < end]:
            del model[key]
        put(count, 10)
        db.write([("delete", "from", key) for key in list(model)[:count // 2]])
        for key in list(model)[:count // 2]:
            del model[key]
        db.flush("from")
    put(20, 5)
    return model


def described(library, metadata):
    files = library._export_import_files_metadata_get_files(metadata)
    rows = []
    for i in range(library._livefiles_count(files)):
        row = {name: getattr(library, f"_livefiles_{name}")(files, i) for name in VALUES}
        for name, getter in KEYS.items():
            size = SIZE()
            row[name] = ctypes.string_at(getattr(library, f"_livefiles_{getter}")(files, i, ctypes.byref(size)), size.value)
        rows.append({name: value.decode() if isinstance(value, bytes) else value for name, value in row.items()})
    library._livefiles_destroy(files)
    name = library._export_import_files_metadata_get_db_comparator_name(metadata)
    return {"comparator": ctypes.string_at(name).decode(), "files": rows}


def metadata_of(library, description):
    metadata, files = library._export_import_files_metadata_create(), library._livefiles_create()
    for row in description["files"]:
        file = library._livefile_create()
        for name, value in row.items():
            value = value.encode() if isinstance(value, str) else value
            getattr(library, f"_livefile_set_{name}")(file, value, *((len(value),) if name in KEYS else ()))
        library._livefiles_add(files, file)
    library._export_import_files_metadata_set_db_comparator_name(metadata, description["comparator"].encode())
    library._export_import_files_metadata_set_files(metadata, files)
    return metadata


def text_of(records):
    return {key.decode(): value.hex() for key, value in records}


def export(library, folder, seed, spanned):
    with Database(library, folder / "db", library.options(OPTIONS)) as db:
        db.create_family("from")
        model = fill(db, random.Random(seed), spanned)
        checkpoint = library.call("checkpoint_object_create", db.db)
        metadata = library.call("checkpoint_export_column_family", checkpoint, db.handles["from"],
                                str(folder / "out").encode())
        assert sorted(db.scan("from")) == sorted(model.items())
        (folder / "model.json").write_text(json.dumps(text_of(model.items())))
        (folder / "out.json").write_text(json.dumps(described(library, metadata)))


def bring(library, folder, move):
    """Imports; says what the family holds then, or the code of the error, and what is left in its place."""
    with Database(library, folder, library.options(OPTIONS)) as db:
        description = json.loads((folder.parent / "out.json").read_text())
        options = library._import_column_family_options_create()
        library._import_column_family_options_set_move_files(options, move)
        try:
            db.handles["to"] = library.call("create_column_family_with_import", db.db, db.options, b"to", options,
                                            metadata_of(library, description))
        except RocksDbError as error:
            tables = len(list(folder.glob("*.sst")))
            return {"error": str(error), "code": str(error).split(":")[0], "tables": tables, "families": library.families(folder)}
        found = db.scan("to")
        assert found == db.scan("to", reverse=True)[::-1]
        for number in range(600):
            assert db.get(key_of(number), "to") == dict(found).get(key_of(number)), number
        db.write([("put", "to", b"later", b"1"), ("put", "default", b"later", b"1")])
        return {"records": text_of(found)}


def read(library, folder):
    with Database(library, folder, library.options(OPTIONS)) as db:
        db.verify()
        db.compact("to")
        db.flush("to")
        return text_of(db.scan("to"))


def work(name, library, folder, *more):
    found = {"export": export, "bring": bring, "read": read}[name](Library(library, MORE), pathlib.Path(folder),
                                                                  *map(int, more))
    print(json.dumps(found))


def call(*words):
    done = subprocess.run([sys.executable, __file__, "--worker", *map(str, words)], text=True, stdout=subprocess.PIPE)
    assert done.returncode == 0, f"{words}: {done.returncode}"
    return json.loads(done.stdout)


def exchange(scratch, by, to, seed, spanned):
    """What `by` exported, in `to`, which may move the tables, and then in the other one."""
    folder = scratch / "exchange"
    folder.mkdir()
    call("export", by, folder, seed, int(spanned))
    model = json.loads((folder / "model.json").read_text())
    assert len({row["level"] for row in json.loads((folder / "out.json").read_text())["files"]}) > 1
    assert all(path.suffix == ".sst" for path in (folder / "out").iterdir())
    for move, place in ((0, "copied"), (1, "moved")):
        found = call("bring", to, folder / place, move)
        assert found.get("records") == model, (by, to, seed, place, found.get("error"), len(model))
        for reader in (by, to):
            assert call("read", reader, folder / place) == model | {"later": b"1".hex()}, (by, to, seed, place, reader)
    assert not list((folder / "out").iterdir())
    shutil.rmtree(folder)


def refusals(scratch, ours, theirs):
    """Both refuse these, and nothing is left: of what RocksDB finds out at all."""
    folder = scratch / "refusals"
    folder.mkdir()
    call("export", theirs, folder, 1, 0)
    good = json.loads((folder / "out.json").read_text())
    first = good["files"][0]
    table = folder / "out" / first["name"].lstrip("/")
    (folder / "out" / "cut.sst").write_bytes(table.read_bytes()[:-100])
    (folder / "out" / "text.sst").write_bytes(b"nothing" * 1000)

    def changed(**members):
        return {**good, "files": [{**first, **members}, *good["files"][1:]]}

    cases = {
        "comparator": {**good, "comparator": "other"},
        "empty": {**good, "files": []},
        "missing": changed(name="/nothing.sst"),
        "cut": changed(name="/cut.sst", size=0),
        "text": changed(name="/text.sst", size=0),
        "size": changed(size=first["size"] + 1),
    }
    for name, description in cases.items():
        (folder / "out.json").write_text(json.dumps(description))
        found = {library: call("bring", library, folder / f"{name}-{who}", 0)
                 for library, who in ((ours, "ours"), (theirs, "theirs"))}
        for library in (ours, theirs):
            assert "error" in found[library], (name, library)
        mine = found[ours]
        assert mine["code"] == found[theirs]["code"], (name, found)
        assert mine["tables"] == 0 and mine["families"] == ["default"], (name, mine)
        print(f"{name}: {mine['error']}\n    RocksDB: {found[theirs]['error']}")
    shutil.rmtree(folder)


def main(*arguments):
    if arguments[0] == "--worker":  # Two libraries of the same names need two processes.
        return work(*arguments[1:])
    ours, theirs = arguments
    scratch = pathlib.Path(tempfile.mkdtemp())
    try:
        for seed, (by, to) in enumerate(((ours, theirs), (theirs, ours), (ours, ours), (theirs, ours), (ours, theirs))):
            exchange(scratch, by, to, seed, spanned=to == ours and seed > 0)
        refusals(scratch, ours, theirs)
    finally:
        shutil.rmtree(scratch)
    print("ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
