# SPDX-License-Identifier: Apache-2.0
"""What the tests of varve.staging have in common, in folders and at a server."""
import pathlib
import shutil
import tempfile
import unittest

from children import Failed, run

OLD = [(b"%04d" % key, b"old") for key in range(0, 1000, 3)]
NEW = [(b"%04d" % key, b"new") for key in range(0, 1000, 2)]


class Staged(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-staging-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.db = str(self.home / "db")

    def refused(self, kind, text, work, *args):
        with self.assertRaises(Failed) as raised:
            run(work, *args)
        self.assertEqual(kind, raised.exception.kind, raised.exception)
        self.assertRegex(raised.exception.text, text)
