# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share: a directory for each test, and the fixtures."""
import pathlib
import shutil
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
FIXTURES = SOURCE / "tests/fixtures/db"


class Scratch(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-python-"))
        self.addCleanup(shutil.rmtree, self.home)

    def fixture(self, name):
        """A copy of it, which may be written to."""
        return pathlib.Path(shutil.copytree(FIXTURES / name, self.home / name.replace("/", "-")))
