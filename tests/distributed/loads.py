# SPDX-License-Identifier: Apache-2.0
"""What the tests of loads by many processes do in their children."""
import os
import pathlib

import pyarrow
import varve
from varve import staging

# What the tests of the engines have in a database, and what they add.
ROWS = 20_000
OLD = {b"%06d" % key: b"old" for key in range(0, ROWS, 3)}
NEW = {b"%06d" % key: b"new" for key in range(0, ROWS, 2)}


def drawn(chance, seed):
    """What a database has, what a load adds, and that in the parts that tasks write."""
    keys = [b"%06d" % key for key in range(chance.randrange(2000, 8000))]
    old = {key: b"old" for key in keys[::3]}
    new = {key: b"new %d" % seed for key in keys[::2]}
    ordered = sorted(new.items())
    count = chance.randrange(1, 5)
    return old, new, [ordered[len(ordered) * part // count:len(ordered) * (part + 1) // count] for part in range(count)]


def batch(pairs):
    keys, values = zip(*pairs) if pairs else ((), ())
    return pyarrow.record_batch([pyarrow.array(keys, pyarrow.binary()), pyarrow.array(values, pyarrow.binary())],
                                names=["key", "value"])


def like():
    return batch([]).schema.empty_table()


def batches(pairs, rows=500):
    return [batch(pairs[first:first + rows]) for first in range(0, len(pairs), rows)]


def fill(path, pairs):
    with varve.open(path, create_if_missing=True) as db:
        changes = varve.WriteBatch()
        for key, value in pairs:
            changes.put(key, value)
        db.write(changes)
        db.flush()


def contents(path):
    """The records of a database; what is in its directory but not in the database is an error."""
    with varve.open(path) as db:
        db.wait_for_background_work()
        records = dict(db.items())
        tables = {f"{file['number']:06}.sst" for name in db.families() for file in db.family(name).files()}
    there = {name for name in os.listdir(path) if name.endswith(".sst")}
    if tables != there:
        raise AssertionError(f"{path}: files {sorted(there)}, but tables {sorted(tables)}")
    return records


def entries(path):
    """How often records are stored, versions included."""
    with varve.open(path, read_only=True) as db:
        return sum(file["entries"] for file in db.files())


def left(path):
    """What loads and readers have left beside a database."""
    return [str(found) for root in (f"{path}.staging", f"{path}.snapshots") for found in pathlib.Path(root).rglob("*")]


def sweep_all(path):
    staging.sweep(path, 0)
    return left(path)
