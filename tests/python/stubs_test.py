#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The types of the package: its stub is what nanobind makes of the module, and mypy agrees.

    stubs_test.py [--update]

--update writes the stub, core/python/varve/_varve.pyi. TOOLS is where nanobind is."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import varve
from scratch import SOURCE, Scratch

HERE = pathlib.Path(__file__).resolve().parent
STUB = SOURCE / "core/python/varve/_varve.pyi"
HEAD = "# SPDX-License-Identifier: Apache-2.0\n# Made by tests/python/stubs_test.py --update from the module.\n"


def stub():
    """Of the module as it is built."""
    maker = pathlib.Path(os.environ["TOOLS"]) / "nanobind/stubgen.py"
    with tempfile.NamedTemporaryFile(suffix=".pyi") as made:
        subprocess.run([sys.executable, maker, "-q", "-m", "varve._varve", "-o", made.name], check=True)
        return HEAD + pathlib.Path(made.name).read_text()


class StubsTest(Scratch):
    maxDiff = None

    def test_the_stub_is_that_of_the_module(self):
        self.assertEqual(STUB.read_text(), stub(), "tests/python/stubs_test.py --update writes it")

    def mypy(self, program):
        return subprocess.run(
            ["mypy", "--strict", "--no-error-summary", "--cache-dir", self.home / "cache", program],
            capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(SOURCE / "core/python")})

    def test_a_program_that_is_right(self):
        done = self.mypy(HERE / "types_checked.py")
        self.assertEqual((0, ""), (done.returncode, done.stdout + done.stderr))
        done = subprocess.run([sys.executable, HERE / "types_checked.py", self.home / "db"], capture_output=True,
                              text=True)
        self.assertEqual("b'key' b'a' True\n"
                         "b'value' b'value' 7 [b'value', None] 8 False\n"
                         "['default'] 1\n"
                         "Shutdown (None, None)\n", done.stdout, done.stderr)

    def test_the_example(self):
        done = self.mypy(SOURCE / "core/python/examples/tour.py")
        self.assertEqual((0, ""), (done.returncode, done.stdout + done.stderr))

    def test_what_is_written_in_python(self):
        for file in sorted((SOURCE / "core/python/varve").glob("*.py")):
            done = self.mypy(file)
            self.assertEqual((0, ""), (done.returncode, done.stdout + done.stderr))

    def test_a_program_that_is_wrong(self):
        program = HERE / "types_refused.py"
        wanted = [number for number, line in enumerate(program.read_text().splitlines(), 1) if "# refused" in line]
        found = {int(number) for number in re.findall(r"types_refused\.py:(\d+): error", self.mypy(program).stdout)}
        self.assertEqual(wanted, sorted(found))

    def test_every_name_is_there(self):
        self.assertEqual([], [name for name in varve.__all__ if not hasattr(varve, name)])
        public = {name for name in vars(varve) if not name.startswith("_")} - {"version"}
        self.assertEqual(set(varve.__all__), public)
        self.assertEqual(varve.__version__, re.search(
            r'VARVE_VERSION "(.*)"', (SOURCE / "core/include/varve/version.h").read_text())[1])


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        STUB.write_text(stub())
    else:
        unittest.main()
