# SPDX-License-Identifier: Apache-2.0
"""Work in processes of its own, each of which may be killed. The process that starts them must never have opened a
database: they are forked from it."""
import os
import pickle
import select
import signal
import traceback


class Killed(Exception):
    """The process ended before it had a result."""


class Child:
    """Does `work(*args)` in another process, which is killed after `seconds` of real time, as by kill -9."""

    def __init__(self, work, *args, seconds=None):
        self.reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            self._run(writing, work, args, seconds)
        os.close(writing)
        self.said = b""

    @staticmethod
    def _run(writing, work, args, seconds):
        try:
            if seconds is not None:
                # The default action of SIGALRM ends the process at once, in whatever it is.
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
            try:
                result = (True, work(*args))
            except Failed as error:  # In a child of its own.
                result = (False, error.args)
            except Exception as error:  # pylint: disable=broad-except
                result = (False, (type(error).__name__, str(error), traceback.format_exc()))
            signal.setitimer(signal.ITIMER_REAL, 0)
            with os.fdopen(writing, "wb") as out:
                pickle.dump(result, out)
        finally:
            os._exit(0)

    def poll(self, seconds=0):
        """Reads what is there. True once it has ended."""
        if self.reading is None:
            return True
        if select.select([self.reading], [], [], seconds)[0]:
            got = os.read(self.reading, 1 << 20)
            self.said += got
            if not got:
                os.close(self.reading)
                self.reading = None
                os.waitpid(self.pid, 0)
        return self.reading is None

    def kill(self):
        if self.reading is not None:
            os.kill(self.pid, signal.SIGKILL)

    def result(self):
        """Waits. Raises Killed, or Failed for what the work raised."""
        while not self.poll(60):
            pass
        if not self.said:
            raise Killed
        done, value = pickle.loads(self.said)
        if not done:
            raise Failed(*value)
        return value


class Failed(Exception):
    """What the work raised: the name of its class, its text, and where."""

    def __init__(self, kind, text, where):
        super().__init__(kind, text, where)
        self.kind, self.text = kind, text

    def __str__(self):
        return "{}: {}\n{}".format(*self.args)


def run(work, *args, seconds=None):
    return Child(work, *args, seconds=seconds).result()
