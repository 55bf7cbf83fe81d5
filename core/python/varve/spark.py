# SPDX-License-Identifier: Apache-2.0
"""Apache Spark (4.1 and newer) reads and writes databases, with tasks on many hosts.

    import varve.spark

    varve.spark.register(spark)
    spark.read.format("varve").option("key_schema", "id:u64be,name:str").load("/shared/db")
    varve.spark.sorted_by_key(frame, key_schema="id:u64be").write.format("varve").mode("append") \\
        .option("key_schema", "id:u64be").save("/shared/db")

A write becomes visible in one step, whatever is killed: see varve.staging. A read sees one state: see varve.views. The folder
of the database must be one that all hosts see under the same path; a write can also go to the URL of a server, with its option
token. _READ, _WRITE and the guide say which options there are;
those whose names begin with `option.` are the engine's."""
# mypy: disable-error-code="import,misc"

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions
from pyspark.sql.datasource import (DataSource, DataSourceArrowWriter, DataSourceReader, DataSourceStreamArrowWriter,
                                    InputPartition, WriterCommitMessage)
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from . import _parts, staging
from ._errors import InvalidArgument, NotSupported
from ._reading import Bounds, Reading, Slice

_BOUNDS = ("start.", "stop.", "equals.", "prefix.")
_READ = ("path", "family", "key_schema", "value_schema", "partitions", *_BOUNDS)
_WRITE = ("path", "family", "key", "value", "key_schema", "value_schema", "duplicates", "last_by", "table_bytes", "wait",
          "expiry", "stream", "checkpointlocation", "token", "option.")
_INTEGER = ("u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "tuple.int", "tuple.uint")


def register(spark: SparkSession) -> None:
    """Makes the format "varve" known to a session."""
    spark.dataSource.register(VarveDataSource)


def sorted_by_key(frame: DataFrame, *, key: str | None = None, key_schema: str | None = None,
                  partitions: int | None = None, last_by: str | None = None) -> DataFrame:
    """The rows as a write needs them: each partition has a range of keys of its own, of about the same size since rows are
    sampled for it, in their order. Of rows with one key, the one with the greatest `last_by` is the last of them: the one
    that stays with the option duplicates=last. `key` and `key_schema` are the options of the write."""
    columns = [_quoted(name) for name in _parts.columns_to_sort_by(key, key_schema)]
    count: list[Any] = [] if partitions is None else [partitions]
    ordered = [*columns, *([] if last_by is None else [_quoted(last_by)])]
    return frame.repartitionByRange(*count, *columns).sortWithinPartitions(*ordered)


class VarveDataSource(DataSource):
    """The format "varve"."""

    @classmethod
    def name(cls) -> str:
        return "varve"

    def schema(self) -> StructType:
        """The types that Spark has for the engine's: it has no unsigned ones."""
        found = _reading(self.options).schema()
        return from_arrow_schema(pyarrow.schema([field.with_type(_for_spark(field.type)) for field in found]))

    def reader(self, schema: StructType) -> DataSourceReader:
        return _Reader(_reading(self.options), self.options.get("partitions"), schema)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceArrowWriter:
        if overwrite:
            raise NotSupported(f"{self.options['path']}: mode overwrite is not supported: records are added, mode append")
        return _Writer(_Writing(self.options, schema), None)

    def streamWriter(self, schema: StructType, overwrite: bool) -> DataSourceStreamArrowWriter:
        stream = self.options.get("stream") or self.options.get("checkpointLocation")
        if stream is None:
            raise InvalidArgument(f"{self.options['path']}: a stream needs a name in the database, option stream, or a "
                                  "checkpointLocation, which is its name then")
        return _StreamWriter(_Writing(self.options, schema), stream)


class _Reader(DataSourceReader):
    # Without pushFilters(), with which Spark 4.3 loses rows: bounds are options. It would need a setting, too.

    def __init__(self, reading: Reading, partitions: str | None, schema: StructType) -> None:
        self.reading = reading
        self.count = None if partitions is None else int(partitions)
        self.schema = schema

    def partitions(self) -> list[InputPartition]:
        return [InputPartition(part) for part in self.reading.slices(self.count)]

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        part: Slice = partition.value
        wanted = to_arrow_schema(self.schema, timezone="UTC")
        for batch in self.reading.batches(part):
            yield from _cast(batch, wanted)


class _Writing:
    """What the options of a write say."""

    def __init__(self, options: Mapping[str, str], schema: StructType) -> None:
        _check(options, _WRITE)
        self.database = options["path"]
        self.columns = staging.Columns(**{name: options.get(name) for name in ("key", "value", "key_schema", "value_schema")})
        self.last_by = options.get("last_by")
        self.keys = _parts.parts_of(self.columns.key, self.columns.key_schema)
        self.parts = self.keys + (_parts.parts_of(None, self.columns.value_schema) if self.columns.value_schema else
                                  [_parts.Part(self.columns.value or "value", "bytes")])
        numbers = {name: kind(options[name]) for name, kind in (("table_bytes", int), ("wait", float), ("expiry", float))
                   if name in options}
        self.how: dict[str, Any] = {**numbers, **{name: options[name] for name in ("family", "duplicates", "token")
                                                if name in options},
                                    "options": _under("option.", options)}
        self.like = self.narrowed(to_arrow_schema(schema).empty_table())

    def begin(self, stream: str | None) -> staging.Job:
        return staging.begin(self.database, columns=self.columns, like=self.like, stream=stream, **self.how)

    def narrowed(self, rows: Any) -> Any:
        """The columns that are written, with integers where Spark has decimals."""
        there = [part for part in self.parts if part.name in rows.schema.names]
        cells = [rows.column(part.name) for part in there]
        cells = [cell.cast(pyarrow.uint64() if part.type.startswith(("u", "tuple.u")) else pyarrow.int64())
                 if part.type.startswith(_INTEGER) and pyarrow.types.is_decimal(cell.type) else cell
                 for part, cell in zip(there, cells)]
        return type(rows).from_arrays(cells, names=[part.name for part in there])

    def sorted(self, rows: pyarrow.Table) -> pyarrow.Table:
        return _parts.sorted_rows(rows, _parts.columns_to_sort_by(self.columns.key, self.columns.key_schema), self.last_by)


@dataclass
class _Done(WriterCommitMessage):
    built: staging.Built


class _Writer(DataSourceArrowWriter):
    def __init__(self, writing: _Writing, stream: str | None) -> None:
        self.writing = writing
        self.job = writing.begin(stream)

    def write(self, iterator: Iterator[pyarrow.RecordBatch]) -> WriterCommitMessage:
        return _Done(self.job.write(map(self.writing.narrowed, iterator), _label()))

    def commit(self, messages: list[Any]) -> None:
        self.job.commit([message.built for message in messages])

    def abort(self, messages: list[Any]) -> None:
        self.job.abort()


class _StreamWriter(DataSourceStreamArrowWriter):
    """Spark makes one for the tasks of a batch, and another one for its end. It refuses to sort a stream, so tasks do."""

    def __init__(self, writing: _Writing, stream: str) -> None:
        self.writing = writing
        self.job = writing.begin(stream)

    def write(self, iterator: Iterator[pyarrow.RecordBatch]) -> WriterCommitMessage:
        batches = list(iterator)
        if not batches:
            return _Done(staging.Built(()))
        rows = self.writing.narrowed(self.writing.sorted(pyarrow.Table.from_batches(batches)))
        return _Done(self.job.write([rows], _label()))

    def commit(self, messages: list[Any], batchId: int) -> None:
        self.job.commit([message.built for message in messages], batch=batchId)

    def abort(self, messages: list[Any], batchId: int) -> None:
        self.job.abort()


def _label() -> str:
    task: Any = TaskContext.get()
    return f"{task.partitionId()}-{task.attemptNumber()}"


def _quoted(name: str) -> Any:
    return functions.col("`" + name.replace("`", "``") + "`")


def _check(options: Mapping[str, str], known: tuple[str, ...]) -> None:
    for name in options:
        if not any(name.lower() == each or each.endswith(".") and name.lower().startswith(each) for each in known):
            raise InvalidArgument(f"option {name}: there is no such option: {', '.join(known)}")
    if "path" not in options:
        raise InvalidArgument("the path of the database is missing")


def _under(start: str, options: Mapping[str, str]) -> dict[str, str]:
    return {name[len(start):]: value for name, value in options.items() if name.lower().startswith(start)}


def _reading(options: Mapping[str, str]) -> Reading:
    _check(options, _READ)
    parts = _parts.parts_of(None, options.get("key_schema"))
    # Spark does not keep the case of the names of options.
    by_name = {part.name.lower(): part for part in parts}
    bounds: dict[str, dict[str, Any]] = {}
    for start in _BOUNDS:
        cells = bounds[start[:-1]] = {}
        for name, text in _under(start, options).items():
            part = by_name.get(name.lower())
            if part is None:
                raise InvalidArgument(f"option {start}{name}: the columns of keys are {', '.join(p.name for p in parts)}")
            cells[part.name] = _cell(part, f"{start}{name}", text)
    return Reading(options["path"], options.get("family", "default"), options.get("key_schema"),
                   options.get("value_schema"), Bounds(**bounds))


def _cell(part: _parts.Part, option: str, text: str) -> Any:
    if part.type.startswith(_INTEGER):
        return int(text)
    if "str" in part.type:
        return text
    if "bytes" in part.type or part.type.startswith("fixed"):
        return bytes.fromhex(text[4:]) if text.startswith("hex:") else text.encode()
    raise NotSupported(f"option {option}: there are no bounds of parts of the type {part.type}")


def _for_spark(type: pyarrow.DataType) -> pyarrow.DataType:
    wider = {pyarrow.uint8(): pyarrow.int16(), pyarrow.uint16(): pyarrow.int32(), pyarrow.uint32(): pyarrow.int64(),
             pyarrow.uint64(): pyarrow.decimal128(20, 0)}
    return pyarrow.binary() if pyarrow.types.is_fixed_size_binary(type) else wider.get(type, type)


def _cast(batch: pyarrow.RecordBatch, wanted: pyarrow.Schema) -> Iterator[pyarrow.RecordBatch]:
    """The batch with the types of Spark's columns, in two if one of them has too many bytes for these."""
    try:
        cells = [batch.column(field.name).cast(field.type) for field in wanted]
    except pyarrow.ArrowInvalid:
        if batch.nbytes < 1 << 31 or batch.num_rows < 2:
            raise
        half = batch.num_rows // 2
        yield from _cast(batch.slice(0, half), wanted)
        yield from _cast(batch.slice(half), wanted)
        return
    yield pyarrow.RecordBatch.from_arrays(cells, schema=wanted)
