# SPDX-License-Identifier: Apache-2.0
"""A test of an engine that writes into a database and reads it. The environment has the program as VARVE."""
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

import loads

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "security"))
import served  # noqa: E402  pylint: disable=wrong-import-position


class DatabaseCase(unittest.TestCase):
    """With a database in a folder of its own. A subclass has `apart(work, *args)`, which runs that in another process."""

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-distributed-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.db = str(self.home / "db")

    def filled(self):
        self.apart(loads.fill, self.db, sorted(loads.OLD.items()))

    def contents(self):
        return self.apart(loads.contents, self.db)

    def check(self, expected):
        self.assertEqual(expected, self.contents())
        self.assertEqual([], self.apart(loads.sweep_all, self.db))


class ServerCase(DatabaseCase):
    """A server alone has the folder of the database: what is written to it is uploaded."""

    def setUp(self):
        super().setUp()
        self.filled()
        self.server = served.Server(os.environ["VARVE"], [self.db], "--write")
        self.addCleanup(self.end)
        self.url = f"http://127.0.0.1:{self.server.port}"

    def end(self):
        if self.server.alive():
            self.server.stop()

    def check(self, expected):
        self.assertFalse(os.path.exists(f"{self.db}/uploads"))
        self.assertEqual(0, self.server.stop())
        super().check(expected)
