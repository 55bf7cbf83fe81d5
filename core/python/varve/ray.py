# SPDX-License-Identifier: Apache-2.0
"""Ray Data reads and writes databases, with tasks on many hosts.

    import varve.ray

    varve.ray.write(dataset, "/shared/db", columns=staging.Columns(key_schema="id:u64be"))
    varve.ray.read("/shared/db", key_schema="id:u64be", start={"id": 1000})

A write becomes visible in one step, whatever is killed: see varve.staging. A read sees one state: see varve.views. The folder
of the database must be one that all hosts see under the same path; a write can also go to the URL of a server, with its token.

Ray tasks also compact for a database that this process has open: CompactionService."""
# mypy: disable-error-code="import,misc"

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pyarrow
import ray.data
from ray.data import Dataset
from ray.data.block import BlockAccessor, BlockMetadata
from ray.data.datasource import Datasink, Datasource, ReadTask

from . import CompactionJob, Shutdown, _parts, run_sent_compaction_job, staging, views
from ._reading import Bounds, Reading, Slice


def read(database: str | os.PathLike[str], *, family: str = "default", key_schema: str | None = None,
         value_schema: str | None = None, start: Mapping[str, Any] | None = None, stop: Mapping[str, Any] | None = None,
         equals: Mapping[str, Any] | None = None, prefix: Mapping[str, Any] | None = None, **how: Any) -> Dataset:
    """The records as a dataset with the columns of DB.scan(). Bounds are by column, `key` without a schema: cells from `start`,
    inclusive, to `stop`, exclusive; what `equals` them or begins with a `prefix`. Only the tables that may have such keys are
    read, if the first columns have bounds. `how` are arguments of ray.data.read_datasource()."""
    bounds = Bounds(start or {}, stop or {}, equals or {}, prefix or {})
    reading = Reading(os.path.abspath(os.fspath(database)), family, key_schema, value_schema, bounds)
    return ray.data.read_datasource(VarveDatasource(reading), **how)


def write(dataset: Dataset, database: str | os.PathLike[str], *, columns: staging.Columns = staging.Columns(),
          last_by: str | None = None, **how: Any) -> None:
    """Sorts the rows, and adds them to the database in one step. Of rows with one key, which are refused otherwise,
    duplicates="last" keeps the one with the greatest `last_by`. `how` are arguments of varve.staging.begin()."""
    by = _parts.columns_to_sort_by(columns.key, columns.key_schema)
    dataset.sort(by).write_datasink(VarveDatasink(database, columns, last_by, how))


class VarveDatasource(Datasource):
    """Reads one state of a database."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.reading = reading

    def estimate_inmemory_data_size(self) -> int | None:
        with views.opened(views.view(self.reading.database)) as db:
            return sum(int(file["size"]) for file in db.family(self.reading.family).files())

    def get_read_tasks(self, parallelism: int, per_task_row_limit: int | None = None,
                       data_context: Any = None) -> list[ReadTask]:
        unknown = BlockMetadata(num_rows=None, size_bytes=None, input_files=None, exec_stats=None)
        return [ReadTask(_task(self.reading, part), unknown, schema=self.reading.schema(),
                         per_task_row_limit=per_task_row_limit) for part in self.reading.slices(parallelism)]


class VarveDatasink(Datasink[list[staging.Built]]):
    """Writes blocks, each of which has a range of keys of its own."""

    def __init__(self, database: str | os.PathLike[str], columns: staging.Columns, last_by: str | None,
                 how: Mapping[str, Any]) -> None:
        self.database = os.fspath(database)
        self.by = _parts.columns_to_sort_by(columns.key, columns.key_schema)
        self.last_by = last_by
        self.job = staging.begin(self.database, columns=columns, **how)

    def write(self, blocks: Iterable[Any], ctx: Any) -> list[staging.Built]:
        # Ray sorts by the columns of keys alone, since it would cut between rows with one key otherwise.
        tables = (BlockAccessor.for_block(block).to_arrow() for block in blocks)
        return [self.job.write([_parts.sorted_rows(table, self.by, self.last_by)], f"{ctx.task_idx}-{number}")
                for number, table in enumerate(tables) if table.num_rows > 0]

    def on_write_complete(self, write_result: Any) -> None:
        self.job.commit([built for of_task in write_result.write_returns for built in of_task])

    def on_write_failed(self, error: Exception) -> None:
        self.job.abort()


def _task(reading: Reading, part: Slice) -> Callable[[], Iterator[pyarrow.Table]]:
    return lambda: (pyarrow.Table.from_batches([batch]) for batch in reading.batches(part))


class CompactionService:
    """Compacts by Ray tasks: varve.open(path, compaction_service=varve.ray.CompactionService(num_cpus=1)).

    `how` are options of a Ray task, such as num_cpus, memory, resources and max_retries, the times that a compaction is begun
    anew when its worker dies. `directory` is that of the database as the workers see it, if it is another path there; `threads`
    work on one compaction, as many as the database says if it is 0. May be given to several databases."""

    def __init__(self, *, directory: str | os.PathLike[str] | None = None, threads: int = 0, **how: Any) -> None:
        self.directory = None if directory is None else os.fspath(directory)
        self.threads = threads
        self.task = ray.remote(_compact).options(name="varve.compaction", **how)

    def __call__(self, job: CompactionJob) -> bytes:
        doing = self.task.remote(job.data, self.directory, self.threads)
        while not ray.wait([doing], timeout=0.1)[0]:
            if job.cancelled:
                ray.cancel(doing)  # It gets a KeyboardInterrupt, and removes what it has written.
                raise Shutdown("nobody waits for the compaction any more")
        try:
            result: bytes = ray.get(doing)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        return result


def _compact(job: bytes, directory: str | None, threads: int) -> bytes:
    return run_sent_compaction_job(job, directory=directory, threads=threads)
