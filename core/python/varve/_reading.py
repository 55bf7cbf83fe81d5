# SPDX-License-Identifier: Apache-2.0
"""A read by many processes of one state of a database: what varve.spark and varve.ray have in common."""
# mypy: disable-error-code="import"

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow
import pyarrow.compute

from . import _parts, views
from ._errors import InvalidArgument

_OPERATIONS = {"start": "greater_equal", "stop": "less", "equals": "equal", "prefix": "starts_with"}


@dataclass(frozen=True)
class Bounds:
    """What is asked of the columns of keys: cells from `start`, inclusive, to `stop`, exclusive, equal ones, or those that
    begin with a text."""

    start: Mapping[str, Any] = field(default_factory=dict)
    stop: Mapping[str, Any] = field(default_factory=dict)
    equals: Mapping[str, Any] = field(default_factory=dict)
    prefix: Mapping[str, Any] = field(default_factory=dict)

    def each(self) -> Iterator[tuple[str, str, Any]]:
        """Which bound, the column, and the cell."""
        for bound in _OPERATIONS:
            for column, cell in getattr(self, bound).items():
                yield bound, column, cell


@dataclass(frozen=True)
class Slice:
    """What one task reads. It can be pickled."""

    view: str
    start: bytes | None
    stop: bytes | None


@dataclass(frozen=True)
class Reading:
    """What is read of a database. It can be pickled, and given to the tasks."""

    database: str
    family: str = "default"
    key_schema: str | None = None
    value_schema: str | None = None
    bounds: Bounds = Bounds()

    def schema(self) -> pyarrow.Schema:
        """The columns as the engine gives them."""
        with views.opened(views.view(self.database)) as db:
            return pyarrow.RecordBatchReader.from_stream(self._scan(db, b"", b"")).schema

    def slices(self, count: int | None = None) -> list[Slice]:
        """Divides the keys at the bounds of tables, into `count` slices if there are as many tables, of one state."""
        keys = _parts.KeyRange(None, self.key_schema)
        keys.narrow(self._conditions())
        view = views.view(self.database)
        return [Slice(view, *ends)
                for ends in views.ranges(view, self.family, start=keys.start, stop=keys.stop, count=count)]

    def batches(self, part: Slice) -> Iterator[pyarrow.RecordBatch]:
        """The records of a slice, as the engine gives them. Empty batches are left out."""
        with views.opened(part.view) as db:
            found = pyarrow.RecordBatchReader.from_stream(self._scan(db, part.start, part.stop))
            for batch in views.kept(part.view, found):
                # A slice may have more than is asked for: it has the bytes of the first columns only.
                for bound, column, cell in self.bounds.each():
                    cells = batch.column(column)
                    compare = getattr(pyarrow.compute, _OPERATIONS[bound])
                    batch = batch.filter(compare(cells, cell if bound == "prefix" else pyarrow.scalar(cell, cells.type)))
                if batch.num_rows > 0:
                    yield batch

    def _scan(self, db: Any, start: bytes | None, stop: bytes | None) -> Any:
        return db.family(self.family).scan(start=start, stop=stop, key_schema=self.key_schema,
                                           value_schema=self.value_schema)

    def _conditions(self) -> list[_parts.Condition]:
        columns = [part.name for part in _parts.parts_of(None, self.key_schema)]
        made = []
        for bound, column, cell in self.bounds.each():
            if column not in columns:
                raise InvalidArgument(f"{bound} of {column}: the columns of keys are {', '.join(columns)}")
            low = cell if bound in ("start", "equals") else None
            high = cell if bound in ("stop", "equals") else None
            made.append(_parts.Condition(column, low, high, cell if bound == "prefix" else None))
        return made
