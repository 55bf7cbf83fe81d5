# SPDX-License-Identifier: Apache-2.0
"""A program that stubs_test.py has checked by mypy, and runs: what the types of the interface are."""
from __future__ import annotations

import pathlib
import sys
from collections.abc import Iterator

import varve


def first(view: varve.View) -> bytes | None:
    for key in view:
        return key
    return None


def longest(pairs: Iterator[tuple[bytes, bytes]]) -> int:
    return max((len(key) + len(value) for key, value in pairs), default=0)


def main(path: pathlib.Path) -> None:
    with varve.open(path, create_if_missing=True, block_size=8192, compression="zstd") as db:
        family: varve.Family = db.create_family("users")
        family[bytearray(b"a")] = memoryview(b"1")
        db.put(b"key", b"value", durability="sync")
        value: bytes = db[b"key"]
        maybe: bytes | None = db.get(b"key")
        number: bytes | int = db.get(b"absent", 7)
        values: list[bytes | None] = db.multi_get([b"key", b"absent"])
        scan: varve.Scan = db.scan(prefix=b"k", values=False)
        stream: object = scan.__arrow_c_stream__()
        loaded: int = family.load(db.scan(), durability="none")
        batch = varve.WriteBatch()
        batch.put(b"x", b"y", family=family)
        db.write(batch, durability="none")
        with db.snapshot() as snapshot:
            view: varve.View = snapshot.family("users")
            sequence: int = snapshot.sequence
            print(first(snapshot), first(view), sequence > 0)
        print(value, maybe, number, values, longest(db.items(reverse=True, start=b"a")), db.closed)
    jobs: list[tuple[str, int, bool]] = []

    def compact(job: varve.CompactionJob) -> bytes | None:
        jobs.append((job.family, job.input_bytes, job.cancelled))
        return varve.run_sent_compaction_job(job.data, threads=2)

    with varve.open(path, compaction_service=compact) as db:
        db.compact(force_bottommost=True)
        print([job[0] for job in jobs], db.stats()["remote_compactions"])
    try:
        db.flush()
    except varve.Error as error:
        place: tuple[str | None, int | None] = (error.file, error.offset)
        print(type(error).__name__, place)


main(pathlib.Path(sys.argv[1]))
