# SPDX-License-Identifier: Apache-2.0
"""What goes wrong in tasks: functions over the batches of a task, which Spark gives to executors."""
import os
import pathlib
import signal
import sys
import uuid

from pyspark import TaskContext

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from waiting import wait_until

PARTITION = 1


def _parent(process):
    return int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])


class Fault:
    """One task meets with `what`, in its middle, so many times: "raise", "worker" and "executor", which are killed, and
    "wait", which is until the file "go" is there. The times are files in a folder: Spark counts attempts of a stage anew."""

    def __init__(self, folder, what, times=1):
        self.folder, self.what, self.times = pathlib.Path(folder), what, times

    def met(self):
        return len(list(self.folder.glob("fault-*")))

    def __call__(self, batches):
        for batch in batches:
            half = batch.num_rows // 2
            yield batch.slice(0, half)
            if TaskContext.get().partitionId() == PARTITION and self.met() < self.times:
                (self.folder / f"fault-{uuid.uuid4().hex}").touch()
                self._happen()
            yield batch.slice(half)

    def _happen(self):
        if self.what == "raise":
            raise RuntimeError("a task that fails")
        if self.what == "worker":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.what == "executor":  # It has started the daemon that this process was forked from.
            os.kill(_parent(os.getppid()), signal.SIGKILL)
        wait_until("it may go on", (self.folder / "go").exists, 3600)
