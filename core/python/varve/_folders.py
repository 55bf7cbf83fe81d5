# SPDX-License-Identifier: Apache-2.0
"""Folders beside a database that many processes write to, each of which may be killed at any point."""

from __future__ import annotations

import os
import shutil
import uuid

_GONE = ".gone-"  # In the name of a folder that is being removed.


def make(root: str, name: str) -> str:
    """The new folder `name` in `root`, which is made if it is not there."""
    path = os.path.join(root, name)
    while True:
        os.makedirs(root, exist_ok=True)
        try:
            os.mkdir(path)
            return path
        except FileNotFoundError:
            continue  # Another process has removed the root, which was empty.


def remove(path: str) -> bool:
    """Removes a folder with all that is in it, and the folder around it once that is empty.

    Whoever still writes into it gets an error, and can leave nothing behind: it is renamed first. False if it
    is not there."""
    gone = f"{path}{_GONE}{uuid.uuid4().hex}"
    try:
        os.rename(path, gone)
    except FileNotFoundError:
        return False
    _delete(gone)
    return True


def sweep(root: str, older_than: float) -> list[str]:
    """Removes the folders in `root` in which nothing has changed for so many seconds. Returns their names."""
    try:
        names = os.listdir(root)
    except FileNotFoundError:
        return []
    removed = []
    for name in names:
        path = os.path.join(root, name)
        if _GONE in name:  # Whoever removed it was killed, or is still doing so.
            _delete(path)
        elif age(path) >= older_than and remove(path):
            removed.append(name)
    _remove_if_empty(root)
    return sorted(removed)


def touch(path: str) -> None:
    """From now on the folder counts as used, if it is there."""
    try:
        os.utime(path)
    except FileNotFoundError:
        pass


def _delete(gone: str) -> None:
    shutil.rmtree(gone, ignore_errors=True)
    _remove_if_empty(os.path.dirname(gone))


def _remove_if_empty(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:
        pass  # Something is in it, or it is gone.


def age(path: str) -> float:
    """Seconds since anything in the folder changed, by the clock of the host that stores it. Of one that is not
    there, infinite."""
    changed = []
    for folder, _, files in os.walk(path):
        for name in ["", *files]:
            try:
                changed.append(os.lstat(os.path.join(folder, name)).st_mtime)
            except FileNotFoundError:
                pass
    return now(os.path.dirname(path)) - max(changed) if changed else float("inf")


def now(folder: str) -> float:
    """What a file that is written there now gets as its time."""
    path = os.path.join(folder, f"{uuid.uuid4().hex}{_GONE}clock")
    try:
        os.mkdir(path)
        now = os.stat(path).st_mtime
        os.rmdir(path)
    except OSError:  # Removed meanwhile, by another sweep.
        return 0
    return now
