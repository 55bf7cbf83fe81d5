#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts/wheel.sh makes: it can be installed where the sources are not, has what it needs in it, and
nothing else.

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
import tarfile
import tempfile
import tomllib
import unittest
import zipfile

SOURCE = TOOLS = None
ARROW = pathlib.Path(__file__).resolve().parents[2] / ".deps/arrow"  # Where pyarrow is.
TOLD = "user:1 is Ada\n2 users\nGrace was Barbara\n"
PYTHON = "/usr/bin/python3"
GRAFTED = {"libzstd", "libbz2"}  # The other codecs are linked statically.


def run(*command, **environment):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=Made.home,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        raise AssertionError(f"{command} exits with {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def version():
    return re.search(r'VARVE_VERSION "(.*)"', (SOURCE / "core/include/varve/version.h").read_text())[1]


class Made(unittest.TestCase):
    """By one run of the script, beside build/release, so that the compiler's cache has what that compiled."""
    home = wheel = sdist = None

    @classmethod
    def setUpClass(cls):
        if Made.home is None:
            Made.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-package-"))
            unittest.addModuleCleanup(shutil.rmtree, Made.home)
            run(SOURCE / "scripts/wheel.sh", Made.home / "dist")
            Made.wheel, = (Made.home / "dist").glob("*.whl")
            Made.sdist, = (Made.home / "dist").glob("*.tar.gz")

    def needed(self, file):
        """The libraries that it is linked with, by their names."""
        dynamic = run("readelf", "-dW", file)
        self.assertNotIn("TEXTREL", dynamic)
        return set(re.findall(r"NEEDED.*\[((?:lib|ld-)\w+)[-.]", dynamic))


class WheelTest(Made):
    def test_its_name_says_what_it_is_for(self):
        major, minor = map(int, run(PYTHON, "-c", "import sys; print(*sys.version_info[:2])").split())
        tag = "cp312-abi3" if (major, minor) >= (3, 12) else f"cp{major}{minor}-cp{major}{minor}"
        self.assertRegex(self.wheel.name, rf"^varve-{version()}-{tag}-manylinux_2_34_\w+\.whl$")
        told = run(PYTHON, "-m", "auditwheel", "show", self.wheel, PYTHONPATH=str(TOOLS))
        self.assertRegex(" ".join(told.split()), r'is consistent with the following platform tag: "manylinux_2_34_\w+"')

    def test_what_is_in_it(self):
        about, libraries, other = set(), set(), set()
        with zipfile.ZipFile(self.wheel) as wheel:
            record, = (name for name in wheel.namelist() if name.endswith("/RECORD"))
            for name, digest, _ in csv.reader(wheel.read(record).decode().splitlines()):
                if digest:
                    told = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=")
                    self.assertEqual(digest, f"sha256={told.decode()}", name)
                parts = pathlib.PurePath(name).parts
                (about if parts[0].endswith(".dist-info") else libraries if parts[0] == "varve.libs" else other).add(name)
            extension, = (name for name in other if name.endswith(".so"))
            self.assertEqual({extension, f"varve-{version()}.data/scripts/varve", *(f"varve/{name}" for name in (
                "__init__.py", "__main__.py", "_compaction.py", "_errors.py", "_folders.py", "_map.py", "_parts.py",
                "_reading.py", "_server.py", "_varve.pyi", "py.typed", "ray.py", "spark.py", "staging.py", "views.py"))}, other)
            found = {re.match(r"varve\.libs/(lib[a-z]+\d?)-", name)[1] for name in libraries}
            self.assertEqual(GRAFTED, found)
            licences = {pathlib.PurePath(name).stem for name in about if "/licenses/" in name}
            self.assertLessEqual({"LICENSE", "libzstd-dev", "nanobind", "libedit-dev"}, licences)

    def test_what_its_program_and_module_need(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            wheel.extractall(self.home / "unpacked")
        system = {"libc", "libm", "libgcc_s", "ld-linux"}
        program, = (self.home / "unpacked").glob("*.data/scripts/varve")
        self.assertLessEqual(self.needed(program), system)
        module, = (self.home / "unpacked/varve").glob("_varve*.so")
        self.assertEqual(GRAFTED, self.needed(module) - system)
        dynamic = run("readelf", "-dW", module)
        self.assertIn("[$ORIGIN/../varve.libs]", dynamic)
        self.assertNotIn("STATIC_TLS", dynamic)
        shown = [line.split()[-1] for line in run("nm", "-D", "--defined-only", module).splitlines()]
        self.assertEqual(["PyInit__varve"], shown)


class InstalledTest(Made):
    """In a virtual environment, by pip, without an index."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place = cls.home / "venv"
        run(PYTHON, "-m", "venv", "--without-pip", cls.place)
        run(PYTHON, "-m", "pip", "--python", cls.place / "bin/python", "install", "--no-index", "--no-deps",
            "--disable-pip-version-check", cls.wheel)
        cls.python, cls.varve = cls.place / "bin/python", cls.place / "bin/varve"

    def test_the_example(self):
        self.assertEqual(TOLD, run(self.python, SOURCE / "core/python/examples/tour.py", self.home / "tour"))

    def test_the_program(self):
        told = run("varve", "--version", PATH=f"{self.place / 'bin'}:{os.environ['PATH']}")
        self.assertTrue(told.startswith(f"varve {version()}:"), told)
        self.assertIn("libedit", told)
        self.assertEqual(told, run(self.python, "-m", "varve", "--version"))

    def test_module_and_program_share_a_database(self):
        for codec in ("snappy", "zlib", "bzip2", "lz4", "zstd"):
            path = self.home / codec
            run(self.python, "-c", "import sys, varve\n"
                f"with varve.open(sys.argv[1], create_if_missing=True, compression={codec!r}) as db:\n"
                "    for number in range(1000): db[b'%d' % number] = b'value' * 100\n"
                "    db.flush()", path)
            self.assertEqual("value" * 100 + "\n", run(self.varve, "get", path, "999"))

    def test_the_module_reads_what_the_program_loaded(self):
        (self.home / "records.tsv").write_text("a\t1\nb\t2\n")
        run(self.varve, "load", self.home / "loaded", "records.tsv")
        self.assertEqual("[(b'a', b'1'), (b'b', b'2')]\n", run(
            self.python, "-c", "import varve; print(list(varve.open('loaded').items()))"))


    @unittest.skipUnless(ARROW.exists(), "scripts/python.sh --arrow has it for CPython 3.11 on x86-64")
    def test_parquet(self):
        arrow, path = str(ARROW), self.home / "table.parquet"
        run(self.python, "-c", "import sys, pyarrow, pyarrow.parquet as parquet\n"
            "rows = range(200_000)\n"
            "table = pyarrow.table({'id': [b'%06d' % row for row in rows], 'value': [str(row) for row in rows]})\n"
            "parquet.write_table(table, sys.argv[1])", path, PYTHONPATH=arrow)
        for number, words in enumerate((("db", path), (path, "db"))):  # In either order.
            at = self.home / f"parquet-{number}"
            run(self.python, "-m", "varve", "load", *(at if word == "db" else word for word in words), "--key-column",
                "id", "--quiet", PYTHONPATH=arrow)
            self.assertEqual("199999\n", run(self.varve, "get", at, "199999"))
            self.assertEqual("200000\n", run(self.python, "-c", "import sys, varve\n"
                                             "print(sum(1 for _ in varve.open(sys.argv[1])))", at))

    def refused(self, *words, **environment):
        """What it says, and its exit code."""
        done = subprocess.run([self.python, "-m", "varve", "load", self.home / "refused", *words], capture_output=True,
                              text=True, cwd=self.home, env={**os.environ, **environment})
        self.assertFalse((self.home / "refused").exists())
        return done.returncode, done.stderr

    def test_parquet_without_pyarrow(self):
        self.assertEqual((2, "varve: no.parquet needs pyarrow: pip install 'varve[parquet]'\n"),
                         self.refused("no.parquet", PYTHONPATH=""))

    @unittest.skipUnless(ARROW.exists(), "scripts/python.sh --arrow has it for CPython 3.11 on x86-64")
    def test_parquet_that_is_none(self):
        arrow = str(ARROW)
        code, told = self.refused("no.parquet", PYTHONPATH=arrow)
        self.assertEqual(3, code, told)
        (self.home / "damaged.parquet").write_bytes(b"PAR1 and nothing else of it PAR1")
        code, told = self.refused("damaged.parquet", PYTHONPATH=arrow)
        self.assertEqual(4, code, told)
        self.assertTrue(told.startswith("varve: damaged.parquet: "), told)


class SourcesTest(Made):
    """The source distribution."""

    def setUp(self):
        with tarfile.open(self.sdist) as archive:
            self.names = {name.partition("/")[2] for name in archive.getnames()}
        self.sources = {name for name in self.names if name.endswith((".cc", ".h"))}

    def test_it_is_what_is_tracked(self):
        tracked = set(run("git", "-C", SOURCE, "ls-files").splitlines())
        self.assertEqual({"PKG-INFO"}, self.names - tracked)

    def test_the_compiler_reads_all_of_it_and_no_more(self):
        build, read, taken = SOURCE / "build/wheel", set(), False
        inputs = set(run("ninja", "-C", build, "-t", "inputs", "varve", "varve_python").splitlines())
        for line in run("ninja", "-C", build, "-t", "deps").splitlines():
            if not line.startswith(" "):
                taken = line.partition(":")[0] in inputs
            elif taken:
                path = pathlib.Path(os.path.normpath(build / line.strip()))
                if path.is_relative_to(SOURCE) and path.relative_to(SOURCE).parts[0] not in ("build", ".deps"):
                    read.add(str(path.relative_to(SOURCE)))
        self.assertGreater(len(read), 900)
        self.assertEqual(self.sources, read)

    def test_it_can_be_configured(self):
        run("tar", "-xf", self.sdist)
        place = self.home / f"varve-{version()}"
        settings = tomllib.loads((place / "pyproject.toml").read_text())["tool"]["scikit-build"]
        build = self.home / "configured"
        told = run("/usr/bin/cmake", "-G", "Ninja", "-S", place, "-B", build, "--log-level=NOTICE",
                   f"-DVARVE_PYTHON_TOOLS={TOOLS}", f"-DPython_EXECUTABLE={PYTHON}",
                   *(f"-D{name}={value}" for name, value in settings["cmake"]["define"].items()), CC="/usr/bin/cc",
                   CXX="/usr/bin/c++")
        self.assertNotIn("Warning", told)
        run("ninja", "-C", build, "-n", *settings["build"]["targets"])  # Nothing is missing.

    def test_its_version(self):
        with tarfile.open(self.sdist) as archive:
            told = archive.extractfile(f"varve-{version()}/PKG-INFO").read().decode()
        self.assertIn(f"\nVersion: {version()}\n", told)


if __name__ == "__main__":
    SOURCE, TOOLS = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
