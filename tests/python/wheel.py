#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pip builds the package from the sources and installs it, and what it installs is enough.

    wheel.py SOURCE TOOLS

TOOLS is where scripts/python.sh has put what pip would fetch."""
import base64
import csv
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE = TOOLS = None
TOLD = "user:1 is Ada\n2 users\nGrace was Barbara\n"


def run(*command, **environment):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        raise AssertionError(f"{command} exits with {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.home)
        # Beside build/release, by a compiler of the same name: so the compiler's cache has what that compiled.
        run("/usr/bin/python3", "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index",
            "--disable-pip-version-check", "--config-settings=cmake.define.VARVE_WARNINGS_AS_ERRORS=ON",
            f"--config-settings=build-dir={SOURCE / 'build/wheel'}", "--wheel-dir", cls.home,
            SOURCE / "core/python", PYTHONPATH=str(TOOLS), CC="/usr/bin/cc", CXX="/usr/bin/c++")
        cls.wheel, = cls.home.glob("*.whl")
        cls.place = cls.home / "installed"
        run("/usr/bin/python3", "-m", "pip", "install", "--no-deps", "--no-index", "--disable-pip-version-check",
            "--target", cls.place, cls.wheel)

    def test_its_name_says_what_it_is_for(self):
        version = re.search(r'VARVE_VERSION "(.*)"', (SOURCE / "core/include/varve/version.h").read_text())[1]
        major, minor = map(int, run("/usr/bin/python3", "-c", "import sys; print(*sys.version_info[:2])").split())
        tag = "cp312-abi3" if (major, minor) >= (3, 12) else f"cp{major}{minor}-cp{major}{minor}"
        self.assertRegex(self.wheel.name, rf"^varve-{version}-{tag}-linux_\w+\.whl$")

    def test_what_is_in_it(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            names = wheel.namelist()
            extension, = (name for name in names if name.endswith(".so"))
            inside = {name for name in names if not re.match(r"varve-[\d.]+\.dist-info/", name)}
            self.assertEqual({extension, *(f"varve/{name}" for name in (
                "__init__.py", "_errors.py", "_varve.pyi", "py.typed"))}, inside)
            record, = (name for name in names if name.endswith("/RECORD"))
            for name, digest, _ in csv.reader(wheel.read(record).decode().splitlines()):
                if digest:
                    told = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=")
                    self.assertEqual(digest, f"sha256={told.decode()}", name)
            self.assertTrue([name for name in names if name.endswith("/LICENSE")], names)

    def test_the_extension(self):
        extension, = (self.place / "varve").glob("_varve*.so")
        dynamic = run("readelf", "-dW", extension)
        self.assertNotRegex(dynamic, "RPATH|RUNPATH|STATIC_TLS")
        needed = set(re.findall(r"NEEDED.*\[(lib[\w+]+)\.so", dynamic))
        self.assertLessEqual({"libzstd", "liblz4", "libsnappy", "libz", "libbz2", "liburing"}, needed)
        self.assertLessEqual(needed, {"libzstd", "liblz4", "libsnappy", "libz", "libbz2", "liburing", "libc", "libm",
                                      "libstdc++", "libgcc_s"})
        shown = [line.split()[-1] for line in run("nm", "-D", "--defined-only", extension).splitlines()]
        self.assertEqual(["PyInit__varve"], shown)

    def test_the_example(self):
        told = run("/usr/bin/python3", SOURCE / "core/python/examples/tour.py", self.home / "db", PYTHONPATH=str(self.place))
        self.assertEqual(TOLD, told)


if __name__ == "__main__":
    SOURCE, TOOLS = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
