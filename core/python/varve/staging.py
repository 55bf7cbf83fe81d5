# SPDX-License-Identifier: Apache-2.0
"""Loads of many processes that become visible in one step: what varve.spark and varve.ray have in common.

    job = staging.begin("/shared/db")                       # once
    built = job.write(batches, "3")                         # in each task, anywhere
    job.commit([built, ...])  or  job.abort()               # once

A task writes its tables into a folder of its own, below DB.staging/JOB, and commit() adds those of the given tasks
to the database, all or none. So a task may be tried again, run twice at once, or be killed; what is of no use is
removed by commit() and abort(), and of a job that had neither, by a later one, or by `python -m varve.staging DB`.
The folder that the database is in must be one that all hosts see under the same path. Where there is none, the
database is the URL of a server that has it open (`varve serve DB --write`), and tasks upload their tables to it:

    job = staging.begin("http://10.0.0.7:8420", token=token)"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _folders
from ._errors import Busy, InvalidArgument, NotFound, NotSupported
from ._server import Server, is_url
from ._varve import DB, TableWriter, keys_of, open

EXPIRY = 24 * 60 * 60.0  # Seconds without a change after which a job or a view counts as dead.
STREAMS = "varve.streams"  # The family with the last batch of each stream.

_ROWS = 1 << 14  # After so many, a table may be complete.
_POLL = 0.1
_BYTEWISE = "leveldb.BytewiseComparator"

@dataclass(frozen=True)
class Columns:
    """The columns that keys and values are made of, as DB.load() takes them."""

    key: str | None = None
    value: str | None = None
    key_schema: str | None = None
    value_schema: str | None = None

    def words(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if value is not None}

    def of_keys(self) -> dict[str, Any]:
        return {name: value for name, value in self.words().items() if name in ("key", "key_schema")}


@dataclass(frozen=True)
class Table:
    path: str  # Below the folder of all jobs, or the name that a server has given to it.
    records: int
    size: int
    smallest: bytes
    largest: bytes


@dataclass(frozen=True)
class Built:
    """What a task has made. It can be pickled."""

    tables: tuple[Table, ...]

    @property
    def records(self) -> int:
        return sum(table.records for table in self.tables)


@dataclass(frozen=True)
class Job:
    """A load. It can be pickled, with the token of a server, and given to the tasks."""

    database: str
    name: str
    family: str = "default"
    columns: Columns = Columns()
    duplicates: Literal["refuse", "last"] = "refuse"
    options: Mapping[str, str] = field(default_factory=dict)  # Of the tables.
    table_bytes: int = 64 << 20
    wait: float = 60.0
    stream: str | None = None
    server: Server | None = None  # `name` is that of an upload then.

    @property
    def folder(self) -> str:
        return os.path.join(_root(self.database), self.name)

    def write(self, batches: Iterable[Any], label: str) -> Built:
        """Writes tables of a task's records: of pyarrow's record batches or tables, in the order of the keys. `label`
        is a part of their names, for messages."""
        attempt = f"{label}-{uuid.uuid4().hex}"
        if self.server is not None:
            with tempfile.TemporaryDirectory(prefix="varve-upload-") as folder:
                os.mkdir(os.path.join(folder, attempt))
                return Built(_filled(_Builder(self, attempt, folder, lambda path: self._upload(folder, path)), batches))
        try:
            os.mkdir(os.path.join(self.folder, attempt))
        except FileNotFoundError:
            raise NotFound(f"{self.folder}: the job is over: it was committed, aborted, or swept") from None
        try:
            return Built(_filled(_Builder(self, attempt, self.folder, lambda path: os.path.join(self.name, path)), batches))
        except BaseException:
            shutil.rmtree(os.path.join(self.folder, attempt), ignore_errors=True)
            raise

    def commit(self, built: Iterable[Built], *, batch: int | None = None) -> bool:
        """Adds what the tasks have made to the database, in one step, and removes all else of the job.

        If it raises, the database is as it was, and the job can still be committed or aborted. The `batch` of a
        stream is stored in the same step; False if it was committed before, and nothing is done then."""
        if (self.stream is None) != (batch is None):
            raise ValueError("a stream has a number for each batch, and nothing else has")
        tables = _disjoint([table for of_task in built for table in of_task.tables])
        if self.server is not None:
            if tables:
                self.server.ingest(self.name, {self.family: [table.path for table in tables]})
            self.abort()
            return True
        paths = [os.path.join(_root(self.database), table.path) for table in tables]
        # Without anything to add, the database is not even opened.
        fresh = self._add(paths, batch) if paths or batch is not None else True
        self.abort()
        return fresh

    def abort(self) -> None:
        """Removes all that the tasks have written. Tasks that still run get errors."""
        if self.server is not None:
            self.server.abort(self.name)
            return
        if self.stream is None:
            _folders.remove(self.folder)
            return
        # Whoever commits a batch does not know what the job was called that began it.
        for name in _listed(_root(self.database)):
            if name.startswith(_name_of(self.stream)):
                _folders.remove(os.path.join(_root(self.database), name))

    def _upload(self, folder: str, path: str) -> str:
        assert self.server is not None
        name = self.server.upload(self.name, os.path.join(folder, path))
        os.remove(os.path.join(folder, path))
        return name

    def _add(self, paths: Sequence[str], batch: int | None) -> bool:
        with _opened(self.database, self.wait) as db:
            families = {self.family: list(paths)} if paths else {}
            if self.stream is not None and batch is not None:
                last = last_batch(db, self.stream)
                if last is not None and batch < last:
                    raise InvalidArgument(
                        f"{self.database}: batch {batch} of the stream {self.stream!r} comes after its batch {last}: "
                        "a stream that begins anew needs a name of its own (option stream)")
                if batch == last:
                    return False
                families[STREAMS] = [self._batch_table(db, batch)]
            db.ingest_families(families, move=True)
        return True

    def _batch_table(self, db: DB, batch: int) -> str:
        assert self.stream is not None
        if STREAMS not in db.families():
            db.create_family(STREAMS)
        path = os.path.join(self.folder, f"{uuid.uuid4().hex}.sst")
        with TableWriter(path) as writer:
            writer.put(self.stream.encode(), b"%d" % batch)
            writer.finish()
        return path


class _Builder:
    """The tables of one task, in `folder`/`attempt`. `keep` is told of each complete one, by its path in `folder`, and
    says what it is known as."""

    def __init__(self, job: Job, attempt: str, folder: str, keep: Callable[[str], str]) -> None:
        self.job = job
        self.attempt = attempt
        self.folder = folder
        self.keep = keep
        self.tables: list[Table] = []
        self.writer: TableWriter | None = None

    def add(self, batch: Any) -> None:
        for first in range(0, batch.num_rows, _ROWS):
            rows = batch.slice(first, _ROWS)
            if self.writer is not None and self.writer.size >= self.job.table_bytes:
                rows = self._complete(self.writer, rows)
            if rows.num_rows > 0:
                self._begun().write(rows)

    def finish(self) -> tuple[Table, ...]:
        if self.writer is not None:
            self._finish_table(self.writer)
        return tuple(self.tables)

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()

    def _path(self) -> str:
        return os.path.join(self.attempt, f"{len(self.tables):06}.sst")

    def _begun(self) -> TableWriter:
        if self.writer is None:
            options: dict[str, Any] = dict(self.job.options)
            self.writer = TableWriter(os.path.join(self.folder, self._path()),
                                      duplicates=self.job.duplicates, **self.job.columns.words(), **options)
        return self.writer

    def _complete(self, writer: TableWriter, rows: Any) -> Any:
        """The rows that are left for the next table: records with one key are in one table, which keeps the last."""
        same = 0
        if self.job.duplicates == "last":
            keys = keys_of(rows, **self.job.columns.of_keys())
            same = next((row for row, key in enumerate(keys) if key != writer.largest_key), len(keys))
        if same > 0:
            writer.write(rows.slice(0, same))
        if same < rows.num_rows:
            self._finish_table(writer)
        return rows.slice(same)

    def _finish_table(self, writer: TableWriter) -> None:
        smallest, largest = writer.smallest_key, writer.largest_key
        assert smallest is not None and largest is not None
        if self.tables and smallest <= self.tables[-1].largest:
            raise InvalidArgument(f"{self.job.name}/{self._path()}: its first key {smallest!r} is not greater than the key "
                                  "before it: the records of a task must be sorted by their keys")
        writer.finish()
        self.tables.append(Table(self.keep(self._path()), writer.records, writer.size, smallest, largest))
        self.writer = None


def _filled(builder: _Builder, batches: Iterable[Any]) -> tuple[Table, ...]:
    try:
        for batch in batches:
            builder.add(batch)
        return builder.finish()
    except BaseException:
        builder.close()
        raise


def begin(database: str | os.PathLike[str], *, family: str = "default", columns: Columns = Columns(),
          like: object | None = None, duplicates: Literal["refuse", "last"] = "refuse", table_bytes: int = 64 << 20,
          wait: float = 60.0, expiry: float = EXPIRY, stream: str | None = None,
          options: Mapping[str, str] | None = None, token: str | None = None) -> Job:
    """Begins a load: makes database and family if they are not there, and the folder for what tasks write.

    What cannot work is refused here, before any task runs: `like` is a table of Arrow, without rows, with the
    columns that tasks will write. Busy if another process has the database open for writing for longer than `wait`
    seconds; it need not be closed to others until commit(), which waits for it as well. `options` are the engine's,
    of a new database or family, and of the tables. Jobs in which nothing has changed for `expiry` seconds are
    removed. `stream` names a sequence of jobs, each of which commits a batch with a number.

    A `database` that is the URL of a server has its `token`, which `varve serve` prints, behind "#token=" or as an
    argument. The family must be there; `options` are those of the tables alone; a job in which nothing has changed
    expires by the clock of the server (`varve serve --upload-expiry`), not by `expiry`; there are no streams."""
    if is_url(os.fspath(database)):
        if stream is not None:
            raise NotSupported(f"{stream}: a stream needs the folder of a database, not a server")
        if expiry != EXPIRY:
            raise InvalidArgument("expiry: a server has its own: varve serve --upload-expiry")
        server = Server.at(os.fspath(database), token, wait)
        _check_order(server.url, family, server.comparator(family))
        if like is not None:
            with tempfile.TemporaryDirectory(prefix="varve-upload-") as folder:
                _check_columns(os.path.join(folder, "like.sst"), like, columns)
        return Job(server.url, server.begin(), family, columns, duplicates, dict(options or {}), table_bytes, wait,
                   server=server)
    if token is not None:
        raise InvalidArgument(f"{os.fspath(database)}: a token is about servers")
    database = os.path.abspath(os.fspath(database))
    chosen: dict[str, Any] = dict(options or {})
    with _opened(database, wait, create_if_missing=True, **chosen) as db:
        if family not in db.families():
            db.create_family(family, **chosen)
        target = db.family(family)
        of_family = target.options()
        _check_order(database, family, of_family["comparator"])
        if like is not None:
            target.load(like, **columns.words())
    sweep(database, expiry)
    name = ("" if stream is None else _name_of(stream)) + uuid.uuid4().hex
    _folders.make(_root(database), name)
    of_tables = {option: value for option, value in of_family.items() if not value.startswith("{")}
    return Job(database, name, family, columns, duplicates, {**of_tables, **chosen}, table_bytes, wait, stream)


def _check_order(database: str, family: str, comparator: str) -> None:
    if comparator != _BYTEWISE:
        raise NotSupported(f"{database}: keys of the family {family} are in the order of {comparator}: only the order of "
                           "bytes is supported here")


def _check_columns(path: str, like: Any, columns: Columns) -> None:
    """What TableWriter.write() refuses, a task would meet later."""
    with TableWriter(path, **columns.words()) as writer:
        writer.write(like)


def last_batch(db: DB, stream: str) -> int | None:
    """The number of the last batch that the database has of a stream."""
    if STREAMS not in db.families():
        return None
    number = db.family(STREAMS).get(stream.encode())
    return None if number is None else int(number)


def sweep(database: str | os.PathLike[str], older_than: float = EXPIRY) -> list[str]:
    """Removes what jobs and readers have left beside the database, if nothing of it has changed for so many seconds:
    of jobs and readers that are over, since those at work change it. Returns the names."""
    database = os.path.abspath(os.fspath(database))
    return [name for root in (_root(database), views_root(database)) for name in _folders.sweep(root, older_than)]


def views_root(database: str) -> str:
    """Where varve.views keeps what readers look at."""
    return f"{database}.snapshots"


def _root(database: str) -> str:
    return f"{database}.staging"


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []


def _name_of(stream: str) -> str:
    return f"{hashlib.sha256(stream.encode()).hexdigest()[:16]}-"


def _opened(database: str, wait: float, **options: Any) -> DB:
    """The database, open for writing; Busy if another one has it for longer than `wait` seconds."""
    until = time.monotonic() + wait
    while True:
        try:
            return open(database, **options)
        except Busy:
            if time.monotonic() >= until:
                raise
            time.sleep(_POLL)


def _disjoint(tables: list[Table]) -> list[Table]:
    """The tables in the order of their keys. Raises InvalidArgument if two overlap."""
    tables = sorted(tables, key=lambda table: table.smallest)
    for left, right in zip(tables, tables[1:]):
        if right.smallest <= left.largest:
            raise InvalidArgument(f"{left.path} and {right.path} both have keys from {right.smallest!r} to "
                                  f"{min(left.largest, right.largest)!r}: each task must have a range of keys of its own")
    return tables


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m varve.staging", description="Removes what jobs and readers have "
                                     "left beside a database, once they are over.")
    parser.add_argument("database")
    parser.add_argument("--older-than", type=float, default=EXPIRY, metavar="SECONDS",
                        help="what has not changed for so long is left over (default: a day)")
    args = parser.parse_args()
    for name in sweep(args.database, args.older_than):
        print(name)


if __name__ == "__main__":
    main()
