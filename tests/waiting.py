# SPDX-License-Identifier: Apache-2.0
"""For tests that wait for another process: they wait for an observable condition, not for time to pass."""
import os
import pathlib
import time


def wait_until(what, condition, seconds=60):
    """What `condition()` answers once that is true; an AssertionError that names `what` after so many
    seconds."""
    end = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s until {what}")
        time.sleep(0.01)  # pause: between two looks
    return answer


def children(pid):
    """The processes that this one has started and that have not ended."""
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def cpu_seconds(pid):
    """The processor time that a process has used; 0 once it has gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
