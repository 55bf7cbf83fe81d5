# SPDX-License-Identifier: Apache-2.0
# Made by tests/python/stubs_test.py --update from the module.
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence
)
from typing import Any, Literal, NoReturn, TypeVar, overload

import _typeshed


T = TypeVar("T")

version: str = '0.1.0'

class Records:
    """
    What items(), keys() and values() give: an iterator over records in the order of their keys,
    in the state that the database had when it was made.
    """

    def __iter__(self) -> Records: ...

    def __next__(self) -> bytes | tuple[bytes, bytes]: ...

    def __reduce__(self) -> NoReturn: ...

class Scan:
    """
    Records as a table of Arrow with the columns "key" and "value", both large_binary, or those of schemas: pyarrow.table(),
    polars.DataFrame(), duckdb's FROM and others take it by the Arrow PyCapsule interface. It is read each time
    that one asks for a stream, as the state is then.
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """
        A capsule with an ArrowArrayStream. If a record cannot be read, the stream ends with an error, after
        the records before it.
        """

    def __reduce__(self) -> NoReturn: ...

class View:
    """
    The records of a column family, to be read like a dict from bytes to bytes.

    It differs from a dict in this: items(), keys() and values() are iterators in the order of the keys,
    and there is no len(), which would read all of it.
    """

    def __getitem__(self, key: _typeshed.ReadableBuffer, /) -> bytes:
        """The value of the key. Raises KeyError if there is none."""

    def __contains__(self, key: _typeshed.ReadableBuffer, /) -> bool: ...

    @overload
    def get(self, key: _typeshed.ReadableBuffer) -> bytes | None:
        """The value of the key, or `default`."""

    @overload
    def get(self, key: _typeshed.ReadableBuffer, default: T) -> bytes | T: ...

    def multi_get(self, keys: Iterable[_typeshed.ReadableBuffer]) -> list[bytes | None]:
        """
        The values of many keys in one state of the database, None where there is none. Faster than one by one.
        """

    def __iter__(self) -> Iterator[bytes]: ...

    @property
    def name(self) -> str:
        """The name of the column family."""

    def __reduce__(self) -> NoReturn: ...

    def items(self, *, start: _typeshed.ReadableBuffer | None = None, stop: _typeshed.ReadableBuffer | None = None, prefix: _typeshed.ReadableBuffer | None = None, reverse: bool = False) -> Iterator[tuple[bytes, bytes]]:
        """
        Keys and values in the order of the keys: from `start`, inclusive, to `stop`, exclusive, or those
        that begin with `prefix`. With `reverse` the same records, the last one first.
        """

    def keys(self, *, start: _typeshed.ReadableBuffer | None = None, stop: _typeshed.ReadableBuffer | None = None, prefix: _typeshed.ReadableBuffer | None = None, reverse: bool = False) -> Iterator[bytes]:
        """As items(), keys only: values are not copied."""

    def values(self, *, start: _typeshed.ReadableBuffer | None = None, stop: _typeshed.ReadableBuffer | None = None, prefix: _typeshed.ReadableBuffer | None = None, reverse: bool = False) -> Iterator[bytes]:
        """As items(), values only."""

    def scan(self, *, start: _typeshed.ReadableBuffer | None = None, stop: _typeshed.ReadableBuffer | None = None, prefix: _typeshed.ReadableBuffer | None = None, reverse: bool = False, values: bool = True, key_schema: str | None = None, value_schema: str | None = None, mismatch: Literal['stop', 'null'] = 'stop') -> Scan:
        """
        The records of items() for programs that take Arrow's record batches; without `values` only the keys.
        Schemas such as "id:u64be,name:str" say what keys and values consist of, as for `varve scan`: each part is a
        column of its type. What does not fit is an error, or null in all of these columns.
        """

class Family(View):
    """
    A column family, to be used like a dict from bytes to bytes.

    `del` does not look whether the key is there, so that it raises no KeyError. `durability` says how far a
    write has got when a function returns: "sync" is on stable storage, "buffered" is with the system and
    survives a crash of this process, "none" is in memory only until it is flushed.
    """

    def __setitem__(self, key: _typeshed.ReadableBuffer, value: _typeshed.ReadableBuffer, /) -> None: ...

    def __delitem__(self, key: _typeshed.ReadableBuffer, /) -> None: ...

    def put(self, key: _typeshed.ReadableBuffer, value: _typeshed.ReadableBuffer, *, durability: Literal['sync', 'buffered', 'none'] = 'buffered') -> None:
        """Sets the value of a key."""

    def delete(self, key: _typeshed.ReadableBuffer, *, durability: Literal['sync', 'buffered', 'none'] = 'buffered') -> None:
        """Deletes a key, whether it is there or not."""

    def delete_range(self, start: _typeshed.ReadableBuffer, stop: _typeshed.ReadableBuffer, *, durability: Literal['sync', 'buffered', 'none'] = 'buffered') -> None:
        """Deletes the keys from `start`, inclusive, to `stop`, exclusive."""

    def merge(self, key: _typeshed.ReadableBuffer, operand: _typeshed.ReadableBuffer, *, durability: Literal['sync', 'buffered', 'none'] = 'buffered') -> None:
        """
        Adds an operand for the family's merge operator (option merge_operator).
        """

    def flush(self, *, wait: bool = True) -> None:
        """
        Writes what is in memory into a table. Without `wait` it is only scheduled.
        """

    def compact(self, begin: _typeshed.ReadableBuffer | None = None, end: _typeshed.ReadableBuffer | None = None, *, force_bottommost: bool = False) -> None:
        """
        Flushes, and compacts the keys from `begin` to `end`, both inclusive; None is unbounded.
        """

    def ingest(self, paths: Sequence[_typeshed.StrOrBytesPath], *, move: bool = False) -> None:
        """
        Adds finished tables (SST files), all or none. Their records are newer than all others.
        """

    def load(self, table: object, *, key: str | None = None, value: str | None = None, key_schema: str | None = None, value_schema: str | None = None, durability: Literal['sync', 'buffered', 'none'] = 'buffered') -> int:
        """
        Writes the records of a table of Arrow, of any object with __arrow_c_stream__, and returns how many
        there are. `key` and `value`, or what these arguments name, are columns of bytes or strings without nulls; or
        keys and values are made of the columns of a schema, as scan() splits them. They are written in batches: if it
        raises, some may have been.
        """

    def options(self) -> dict[str, str]:
        """The current options, by RocksDB's names, as in an OPTIONS file."""

    def set_options(self, **changes: bool | int | float | str) -> None:
        """Changes options while the database is open, and stores them."""

    def family_stats(self) -> dict[str, Any]:
        """Statistics of this family since the database was opened."""

    def levels(self) -> list[dict[str, int]]:
        """Files and bytes of each level."""

    def files(self) -> list[dict[str, Any]]:
        """The tables, level by level."""

    def approximate_size(self, start: _typeshed.ReadableBuffer | None = None, stop: _typeshed.ReadableBuffer | None = None) -> int:
        """
        Roughly how many bytes of files the keys from `start`, inclusive, to `stop`, exclusive, take.
        """

class Snapshot(View):
    """
    One state of the whole database: reads see it whatever is written later. It reads the family "default"
    itself. close() it, use it with `with`, or drop it, when it is not needed: compactions keep what it sees.
    """

    def family(self, name: str) -> View:
        """Another column family in this state."""

    @property
    def sequence(self) -> int:
        """The sequence number of the newest write that it sees."""

    def close(self) -> None:
        """Gives the state up. Reads at it raise Shutdown from then on."""

    def __enter__(self) -> Snapshot: ...

    def __exit__(self, *args: object) -> None: ...

class WriteBatch:
    """
    Changes that DB.write() applies together or not at all, also after a crash, in the order in which
    they were added. A change is for the family "default", or for the one given. May be written again.
    """

    def __init__(self) -> None: ...

    def put(self, key: _typeshed.ReadableBuffer, value: _typeshed.ReadableBuffer, family: Family | None = None) -> None:
        """Sets the value of a key."""

    def delete(self, key: _typeshed.ReadableBuffer, family: Family | None = None) -> None:
        """Deletes a key, whether it is there or not."""

    def single_delete(self, key: _typeshed.ReadableBuffer, family: Family | None = None) -> None:
        """
        As delete(), for a key that was put exactly once since it was last deleted, and never merged:
        compactions drop both together.
        """

    def delete_range(self, start: _typeshed.ReadableBuffer, stop: _typeshed.ReadableBuffer, family: Family | None = None) -> None:
        """Deletes the keys from `start`, inclusive, to `stop`, exclusive."""

    def merge(self, key: _typeshed.ReadableBuffer, operand: _typeshed.ReadableBuffer, family: Family | None = None) -> None:
        """Adds an operand for the family's merge operator."""

    def clear(self) -> None:
        """Removes all changes."""

    def __len__(self) -> int: ...

    def __setitem__(self, key: _typeshed.ReadableBuffer, value: _typeshed.ReadableBuffer, /) -> None: ...

    def __delitem__(self, key: _typeshed.ReadableBuffer, /) -> None: ...

    def __reduce__(self) -> NoReturn: ...

class CompactionJob:
    """
    A compaction that a database gives to the function that open() was given as its compaction_service.
    """

    @property
    def id(self) -> str:
        """Never used twice; letters, digits and '-'."""

    @property
    def data(self) -> bytes:
        """The job: what run_sent_compaction_job() takes."""

    @property
    def path(self) -> str:
        """The file with these bytes: what run_compaction_job() takes."""

    @property
    def folder(self) -> str:
        """
        Of this job, in the directory of the database. A worker writes its tables there.
        """

    @property
    def family(self) -> str:
        """The name of the column family."""

    @property
    def input_bytes(self) -> int:
        """Of the tables to be read."""

    @property
    def cancelled(self) -> bool:
        """
        Whether nobody waits for it any more: the database is being closed, or it took too long.
        """

    def __reduce__(self) -> NoReturn: ...

class CompactionQueue:
    """The jobs of a database, for varve._compaction."""

    def next(self) -> CompactionJob | None:
        """Waits for a job. None: there will be none."""

    def end(self, job: CompactionJob, result: _typeshed.ReadableBuffer) -> None:
        """
        There is a result: these bytes, or if there are none, what is in the folder of the job.
        """

    def fail(self, job: CompactionJob, error: str, text: str) -> None:
        """
        There is none, because of an error: the name of its class in varve._errors, and its text.
        """

    def __reduce__(self) -> NoReturn: ...

def run_compaction_job(job: _typeshed.StrOrBytesPath, *, directory: _typeshed.StrOrBytesPath | None = None, threads: int = 0) -> dict[str, Any]:
    """
    Does the compaction of a job file, as `varve compact-worker JOB` does, and returns what it did: its tables
    and its result are written beside that file. `directory` is that of the database as it is seen here, if the
    job names it otherwise. `threads` work at once; 0: as many as the job says. Busy: there is a result already;
    NotFound: nobody waits for it; Ctrl-C: another worker may begin.
    """

def run_sent_compaction_job(job: _typeshed.ReadableBuffer, *, directory: _typeshed.StrOrBytesPath | None = None, threads: int = 0) -> bytes:
    """
    The same for the bytes of a job (CompactionJob.data), and returns those of the result, which also tells of
    most failures. It raises if there can be none.
    """

def run_first_compaction_job(folder: _typeshed.StrOrBytesPath, *, directory: _typeshed.StrOrBytesPath | None = None, threads: int = 0) -> dict[str, Any] | None:
    """
    Does the first job of a folder that no other worker is at, as `varve compact-worker --watch FOLDER` does.
    None: there is none.
    """

class DB(Family):
    """
    An open database, and its family "default". Any number of threads may use it: the GIL is released while
    the engine works. Use it with `with`, or close() it. After that, it and all that was made of it, families,
    snapshots and iterators, raise Shutdown. If it is not closed, it is when the last of them is gone.
    """

    def close(self) -> None:
        """Syncs what was written, and closes. A second call does nothing."""

    def __enter__(self) -> DB: ...

    def __exit__(self, *args: object) -> None: ...

    def write(self, batch: WriteBatch, *, durability: Literal['sync', 'buffered', 'none'] = 'buffered', no_slowdown: bool = False) -> None:
        """
        Applies all changes of a batch together or not at all, in all families. With `no_slowdown` it raises
        Busy instead of waiting for flushes and compactions.
        """

    def snapshot(self) -> Snapshot:
        """The current state of the whole database."""

    def family(self, name: str) -> Family:
        """The column family of that name."""

    def families(self) -> list[str]:
        """The names of all column families."""

    def create_family(self, name: str, /, **options: bool | int | float | str) -> Family:
        """Makes a column family."""

    def drop_family(self, name: str) -> None:
        """Removes a column family and all that is in it."""

    def ingest_families(self, tables: Mapping[str, Sequence[_typeshed.StrOrBytesPath]], *, move: bool = False) -> None:
        """
        ingest() into several families, by their names, in one step: a reader, or whoever opens the database
        after a crash, sees the tables of all of them or of none.
        """

    def flush_all(self) -> None:
        """flush() of every family."""

    def sync_wal(self) -> None:
        """Makes all earlier writes durable."""

    def wait_for_background_work(self) -> None:
        """Waits until no flush or compaction is running or due."""

    def checkpoint(self, path: _typeshed.StrOrBytesPath) -> None:
        """
        Makes a complete copy in a new directory; tables are hard links where that is possible.
        """

    def stats(self) -> dict[str, Any]:
        """Statistics since the database was opened."""

    def recovery(self) -> dict[str, Any]:
        """What opening replayed from the logs, and what it left out."""

    @property
    def path(self) -> str:
        """The directory."""

    @property
    def closed(self) -> bool:
        """Whether close() was called."""

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading only."""

    def __repr__(self) -> str: ...

def open(path: _typeshed.StrOrBytesPath, *, read_only: bool = False, families: dict[str, dict[str, Any]] = {}, http_cache: _typeshed.StrOrBytesPath | None = None, compaction_service: str | Callable[[CompactionJob], bytes | None] | None = None, **options: bool | int | float | str) -> DB:
    """
    Opens the database in a directory, or with `read_only` at an http, https or s3 URL.

    `options` are those of the engine, by RocksDB's names: create_if_missing=True, compression="zstd", ...
    (`varve options` lists them). A name with a dot is given as **{"compression_opts.level": 3}. `families` are
    options of column families, by their names. With `read_only` nothing is written or locked, and databases
    with damaged logs are opened, too: see DB.recovery(). `http_cache` is a directory for
    what is read from a URL, for later runs.

    `compaction_service` is who compacts: a str as for the option of that name, "folder:DIRECTORY",
    "command:COMMAND" or "http://HOST:PORT#token-file=FILE"; or a function that is called with a CompactionJob in
    a thread of its own, several at once. It returns the bytes of a result (run_sent_compaction_job()), or None
    if a worker has written it into the folder of the job. What it raises, or a result that is refused, is counted
    (DB.stats()), and the database compacts itself unless compaction_service_fallback is False. The function must
    not use the database. close() and the end of the interpreter do not wait for it.
    """

def snapshot(directory: _typeshed.StrOrBytesPath, path: _typeshed.StrOrBytesPath) -> None:
    """
    Makes a copy of the database in `directory`, as of one moment, in the new directory `path`. Another process
    may have it open and write to it: no lock is taken. Tables are hard links where that is possible.
    """

class TableWriter:
    """
    Writes a table (an SST file) outside any database, for ingest(). Records come in the order of their keys.
    Use it with `with`: what is not finished at its end, or after an error, is removed. `options` are those of
    open(), such as compression="zstd". `key`, `value` and the schemas are as for load(). Of records with one key,
    one behind the other, duplicates="last" keeps the last; otherwise they are an error.
    """

    def __init__(self, path: _typeshed.StrOrBytesPath, *, key: str | None = None, value: str | None = None, key_schema: str | None = None, value_schema: str | None = None, duplicates: Literal['refuse', 'last'] = 'refuse', **options: bool | int | float | str) -> None: ...

    def write(self, table: object) -> int:
        """
        Adds the records of an object with __arrow_c_stream__, and returns how many it had.
        """

    def put(self, key: _typeshed.ReadableBuffer, value: _typeshed.ReadableBuffer) -> None:
        """Adds one record."""

    def finish(self) -> None:
        """Completes the file and syncs it. It must have a record."""

    def close(self) -> None:
        """Removes the file unless it is finished."""

    def __enter__(self) -> TableWriter: ...

    def __exit__(self, *args: object) -> None: ...

    @property
    def size(self) -> int:
        """Bytes written so far."""

    @property
    def records(self) -> int:
        """How many it has, once it is finished."""

    @property
    def smallest_key(self) -> bytes | None:
        """None before the first record."""

    @property
    def largest_key(self) -> bytes | None:
        """None before the first record."""

    def __reduce__(self) -> NoReturn: ...

def keys_of(table: object, *, key: str | None = None, key_schema: str | None = None) -> list[bytes]:
    """
    The keys that load() would make of the columns of an object with __arrow_c_stream__. Of the first parts
    of a schema they are prefixes of keys.
    """
