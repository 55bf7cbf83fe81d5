# SPDX-License-Identifier: Apache-2.0
"""Compactions by Ray tasks: what their tests have in common. As a program, a process that may be killed, which has Ray
compact a database: compactions.py DATABASE"""
import os
import pathlib
import signal
import sys

import varve

RECORDS = {b"%06d" % key: b"third " * 20 for key in range(50_000)}


def fill(path):
    """RECORDS, in three tables that overlap."""
    with varve.open(path, create_if_missing=True, disable_auto_compactions=True, write_buffer_size=64 << 20) as db:
        for value in (b"first " * 20, b"second" * 20, b"third " * 20):
            for key in RECORDS:
                db.put(key, value, durability="none")
            db.flush()


def tables(path):
    return {name for name in os.listdir(path) if name.endswith(".sst")}


def left(path):
    """What compactions have left in a database."""
    with varve.open(path, read_only=True) as db:
        named = {f"{file['number']:06}.sst" for file in db.files()}
    return sorted((tables(path) - named)) + [str(job) for job in pathlib.Path(path).glob("remote-compactions/*")]


def workers():
    """Of Ray, that are at a compaction."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if pathlib.Path(f"/proc/{name}/cmdline").read_bytes().startswith(b"ray::varve.compaction"):
                found.append(int(name))
        except OSError:
            pass  # It has ended.
    return found


def end(worker):
    """Kills it, if it is still at it."""
    if worker not in workers():
        return False
    os.kill(worker, signal.SIGKILL)
    return True


def main(path):
    import varve.ray
    from ray_driver import begin
    begin()
    with varve.open(path, compaction_service=varve.ray.CompactionService(), compaction_service_fallback=False,
                    disable_auto_compactions=True) as db:
        db.compact(force_bottommost=True)


if __name__ == "__main__":
    main(sys.argv[1])
