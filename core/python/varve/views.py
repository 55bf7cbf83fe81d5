# SPDX-License-Identifier: Apache-2.0
"""One state of a database for readers in many processes, while another process writes to it."""

from __future__ import annotations

import math
import os
import time
import uuid
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import TypeVar

from . import _folders
from ._errors import Corruption, NotFound
from ._varve import DB, open, snapshot
from .staging import EXPIRY, views_root

_RANGE_BYTES = 128 << 20
_MAX_RANGES = 10_000
_KEEP_SECONDS = 60.0
_SETTLED = 1.0  # Seconds. Clocks of file systems are coarser than writes are quick.

T = TypeVar("T")


def view(database: str | os.PathLike[str], expiry: float = EXPIRY) -> str:
    """A folder with the current state of the database: hard links, which no lock was taken for.

    It is the same folder as long as nothing is written. It is removed once nobody has used it for `expiry` seconds,
    by the next call or by varve.staging.sweep(). kept() says that it is in use."""
    database = os.path.abspath(os.fspath(database))
    root = views_root(database)
    _folders.sweep(root, expiry)
    state = _state(database)
    shared = os.path.join(root, state)
    # One that is about to expire may be in another process's hands already.
    if _folders.age(shared) < expiry / 2:
        _folders.touch(shared)
        return shared
    own = _made(database, root)
    if _state(database) != state or not _settled(database, root):
        return own
    try:
        os.rename(own, shared)
        return shared
    except OSError:  # Another process was first; or the one that expires is still there.
        return own


def opened(path: str) -> DB:
    """A view, or another folder that nobody writes to, open for reading. Raises Corruption if a damaged log hides records:
    a part of them would look like all of them."""
    db = open(path, read_only=True)
    recovery = db.recovery()
    if recovery["damaged"]:
        db.close()
        place = next((f"{loss['file']}@{loss['offset']}" for loss in recovery["losses"] if loss["damage"]), path)
        raise Corruption(f"{place}: the log is damaged and hides records: see varve db verify")
    return db


def kept(path: str, batches: Iterable[T]) -> Iterator[T]:
    """Gives what is read of a view, which counts as used meanwhile. What is no view is left alone."""
    is_view = os.path.dirname(path).endswith(views_root(""))
    touched = -math.inf
    for batch in batches:
        if is_view and time.monotonic() - touched >= _KEEP_SECONDS:
            _folders.touch(path)
            touched = time.monotonic()
        yield batch


def ranges(path: str, family: str = "default", *, start: bytes | None = None, stop: bytes | None = None,
           count: int | None = None) -> list[tuple[bytes | None, bytes | None]]:
    """Splits the keys from `start`, inclusive, to `stop`, exclusive, where tables begin: into `count` ranges of
    about the same size, or as many as have 128 MiB each. There may be fewer: tables are not divided."""
    with opened(path) as db:
        tables = [(file["smallest_key"], file["size"]) for file in db.family(family).files()
                  if (start is None or file["largest_key"] >= start) and (stop is None or file["smallest_key"] < stop)]
    total = sum(size for _, size in tables)
    count = min(count or max(math.ceil(total / _RANGE_BYTES), 1), _MAX_RANGES)
    cuts: list[bytes] = []
    before = 0
    for key, size in sorted(tables):
        inside = (start is None or key > start) and (not cuts or key > cuts[-1])
        if inside and before > 0 and before >= total * (len(cuts) + 1) / count and len(cuts) + 1 < count:
            cuts.append(key)
        before += size
    bounds = [start, *cuts, stop]
    return list(zip(bounds, bounds[1:]))


def _made(database: str, root: str) -> str:
    """A new view of a name of its own."""
    while True:
        os.makedirs(root, exist_ok=True)
        path = os.path.join(root, uuid.uuid4().hex)
        try:
            snapshot(database, path)
            return path
        except NotFound:
            if os.path.isdir(root):
                raise
            # Another process has removed the root, which was empty.


def _files(database: str) -> list[tuple[str, int, int]]:
    """Of the files that change with every write that a reader could see: name, size, time."""
    found = []
    try:
        names = sorted(os.listdir(database))
    except FileNotFoundError:
        raise NotFound(f"{database}: there is no such database") from None
    for name in names:
        if name == "CURRENT" or name.startswith("MANIFEST-") or name.endswith(".log"):
            try:
                of_file = os.stat(os.path.join(database, name))
                found.append((name, of_file.st_size, of_file.st_mtime_ns))
            except FileNotFoundError:
                found.append((name, -1, 0))
    return found


def _state(database: str) -> str:
    return sha256(repr(_files(database)).encode()).hexdigest()[:32]


def _settled(database: str, root: str) -> bool:
    """Whether a later write would change _state() for certain."""
    newest = max((time for _, _, time in _files(database)), default=0) / 1e9
    return _folders.now(root) - newest > _SETTLED
