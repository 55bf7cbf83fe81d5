# SPDX-License-Identifier: Apache-2.0
"""A test of an engine that writes into a database and reads it."""
import pathlib
import shutil
import tempfile
import unittest

import loads


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
