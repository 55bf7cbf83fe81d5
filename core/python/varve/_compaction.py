# SPDX-License-Identifier: Apache-2.0
"""Compactions by a function: what open() does with its compaction_service."""

from __future__ import annotations

import threading
from collections.abc import Callable

from . import _errors
from ._varve import CompactionJob, CompactionQueue


def start(queue: CompactionQueue, compact: Callable[[CompactionJob], bytes | None]) -> None:
    """Has `compact` do the jobs, each in a thread of its own, until the database is closed.

    The threads keep neither the database open nor the interpreter from ending."""
    threading.Thread(target=_give, args=(queue, compact), name="varve-compactions", daemon=True).start()


def _give(queue: CompactionQueue, compact: Callable[[CompactionJob], bytes | None]) -> None:
    while (job := queue.next()) is not None:
        try:
            threading.Thread(target=_do, args=(queue, compact, job), name=f"varve-compaction {job.id}", daemon=True).start()
        except BaseException as error:  # Of a system that has no more threads, or no more memory.
            _fail(queue, job, error)


def _do(queue: CompactionQueue, compact: Callable[[CompactionJob], bytes | None], job: CompactionJob) -> None:
    try:
        result = compact(job)
        if result is not None and not isinstance(result, bytes):
            raise TypeError(f"it returned a {type(result).__name__}: bytes or None is needed")
        queue.end(job, result or b"")
    except BaseException as error:  # Nobody else would learn of it.
        _fail(queue, job, error)


def _fail(queue: CompactionQueue, job: CompactionJob, error: BaseException) -> None:
    kind = type(error).__name__
    try:
        text = " ".join(str(error).encode("utf-8", "backslashreplace").decode().split())  # In one line.
    except Exception:
        text = "its text cannot be made"
    queue.fail(job, kind, text if isinstance(error, _errors.Error) else f"{kind}: {text}")
