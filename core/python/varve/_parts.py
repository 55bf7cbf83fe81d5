# SPDX-License-Identifier: Apache-2.0
"""Keys by the columns that they are made of: in which ranges of bytes are those that a program asks for?"""
# mypy: disable-error-code="import"

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pyarrow
import pyarrow.compute

from ._errors import InvalidArgument, NotSupported
from ._varve import keys_of

# Parts whose bytes are not in the order of their cells; and floats, of which others count -0.0 as 0.0.
_UNORDERED = re.compile(r"[iu]\d+le|f\d+le|tuple\.f\d+")
_TO_NUL = ("str0", "tuple.str")  # What begins with a text has the same bytes but for the last.


@dataclass(frozen=True)
class Part:
    name: str
    type: str

    @property
    def ordered(self) -> bool:
        return _UNORDERED.fullmatch(self.type) is None


def parts_of(key: str | None, key_schema: str | None) -> list[Part]:
    """The columns of keys, the most significant first."""
    if key_schema is None:
        return [Part(key or "key", "bytes")]
    return [Part(*text.split(":", 1)) for text in key_schema.split(",") if ":" in text]


def columns_to_sort_by(key: str | None, key_schema: str | None) -> list[str]:
    """The columns by which records are in the order of their keys. Raises NotSupported if there are none."""
    parts = parts_of(key, key_schema)
    for part in parts:
        if not part.ordered:
            raise NotSupported(f"{part.name}: keys with a part of the type {part.type} are not in the order of that column")
    return [part.name for part in parts]


def sorted_rows(rows: Any, columns: list[str], last_by: str | None) -> Any:
    """A table of Arrow by these columns. Of rows with one key, those without a `last_by` come first, then the others by it;
    what is left stays in its order."""
    by = {str(number): rows.column(name) for number, name in enumerate(columns)}
    if last_by is not None:
        by |= {"there": pyarrow.compute.is_valid(rows.column(last_by)), "last": rows.column(last_by)}
    return rows.take(pyarrow.compute.sort_indices(pyarrow.table(by), [(name, "ascending") for name in by]))


def after(prefix: bytes) -> bytes | None:
    """The first key behind all that begin with `prefix`. None if there is none."""
    cut = prefix.rstrip(b"\xff")
    return cut[:-1] + bytes([cut[-1] + 1]) if cut else None


@dataclass(frozen=True)
class Condition:
    """What is asked of the cells of one column: they lie between two, or begin with a text."""

    column: str
    low: Any = None  # None: there is no bound. Both are included, since the range may be wider than is asked for.
    high: Any = None
    prefix: str | bytes | None = None


class KeyRange:
    """The keys that conditions leave, as bytes from `start`, inclusive, to `stop`, exclusive. It may have others, too,
    but lacks none: what cannot be said by bytes does not narrow it."""

    def __init__(self, key: str | None = None, key_schema: str | None = None) -> None:
        self.parts = parts_of(key, key_schema)
        self.start: bytes | None = None
        self.stop: bytes | None = None

    def narrow(self, conditions: list[Condition]) -> None:
        """All conditions hold for each record that is asked for."""
        fixed: list[Any] = []  # Cells of the first parts, which are the same in all of these keys.
        for part in self.parts:
            if not part.ordered:
                return
            exact = None
            for condition in conditions:
                if condition.column != part.name:
                    continue
                self._narrow(fixed, condition)
                if condition.low is not None and condition.low == condition.high:
                    exact = condition.low
            if exact is None or self._bytes([*fixed, exact]) is None:
                return
            fixed.append(exact)

    def _narrow(self, fixed: list[Any], condition: Condition) -> None:
        if condition.prefix is not None:
            prefix = self._prefix([*fixed, condition.prefix])
            if prefix is not None:
                self.cut(prefix, after(prefix))
        low = None if condition.low is None else self._bytes([*fixed, condition.low])
        high = None if condition.high is None else self._bytes([*fixed, condition.high])
        self.cut(low, None if high is None else after(high))

    def cut(self, start: bytes | None, stop: bytes | None) -> None:
        """None is no bound."""
        if start is not None:
            self.start = max(self.start or b"", start)
        if stop is not None:
            self.stop = stop if self.stop is None else min(self.stop, stop)

    def _prefix(self, cells: list[Any]) -> bytes | None:
        kind = self.parts[len(cells) - 1].type
        if kind not in ("str", "bytes", *_TO_NUL):
            return None
        found = self._bytes(cells)
        return found[:-1] if found is not None and kind in _TO_NUL else found

    def _bytes(self, cells: list[Any]) -> bytes | None:
        """How keys begin that have these cells in their first parts. None if no key can have them."""
        parts = self.parts[:len(cells)]
        try:
            row = pyarrow.table({part.name: _column(part, cell) for part, cell in zip(parts, cells)})
            return keys_of(row, key_schema=",".join(f"{part.name}:{part.type}" for part in parts))[0]
        except (pyarrow.ArrowException, InvalidArgument, TypeError, ValueError, OverflowError):
            return None


def _column(part: Part, value: Any) -> Any:
    if isinstance(value, str) and "str" not in part.type:
        value = value.encode()
    return pyarrow.array([value], pyarrow.uint64() if isinstance(value, int) and value >= 1 << 63 else None)
