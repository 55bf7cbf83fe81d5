#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a build reads is what its list of scripts/setup.sh installs.

    setup_test.py SOURCE BUILD [unittest arguments]

A machine that has everything cannot show what a new one would miss. So every file that CMake opens
when it configures, every header that the compiler read and every file that the linker reads is traced
to its Debian package, and that package has to come with the list (with what its packages depend on),
or be on every Debian machine: git, apt and what is required."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

SOURCE = BUILD = None
OPENED = re.compile(r'open(?:at)?\((?:AT_FDCWD, )?"([^"]+)".* = \d')
NO_PYTHON = "-DVARVE_BUILD_PYTHON=OFF"  # Which would be built, since it can be where tests are.
STARTED = re.compile(r'execve\("([^"]+)".* = 0')


def text_of(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def all_said_by(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, **options).stdout


class Packages:
    """The packages of this machine: their files, and what they depend on."""

    def __init__(self):
        self.depends, self.base, provided = {}, {"git", "ca-certificates", "apt"}, {}
        form = "${Package}\t${Priority}\t${Essential}\t${Pre-Depends}, ${Depends}\t${Provides}\n"
        for line in text_of("dpkg-query", "-W", "-f", form).splitlines():
            name, priority, essential, depends, provides = line.split("\t")
            groups = [[self.name(a) for a in group.split("|")] for group in depends.split(",")]
            self.depends[name] = [group for group in groups if group != [""]]
            if essential == "yes" or priority == "required":
                self.base.add(name)
            for virtual in filter(None, map(self.name, provides.split(","))):
                provided.setdefault(virtual, []).append(name)
        self.provided = provided
        self.owner = {}
        for listing in pathlib.Path("/var/lib/dpkg/info").glob("*.list"):
            package = listing.stem.partition(":")[0]
            for path in listing.read_text(errors="replace").splitlines():
                self.owner.setdefault(self.merged(path), package)

    @staticmethod
    def name(dependency):
        return re.split(r"[\s:(]", dependency.strip())[0]

    @staticmethod
    def merged(path):
        """/bin, /lib and /sbin are links into /usr, but packages may say either."""
        return re.sub(r"^/(bin|sbin|lib|lib32|lib64|libx32)/", r"/usr/\1/", path)

    def with_dependencies(self, wanted):
        found, left = set(), [*self.base, *wanted]
        while left:
            package = left.pop()
            if package in found:
                continue
            if package not in self.depends:
                left += [p for p in self.provided.get(package, [])[:1] if p not in found]
                continue
            found.add(package)
            for group in self.depends[package]:  # Of "a | b", apt takes the first that it can.
                left += [p for p in group if p in self.depends or p in self.provided][:1]
        return found


class Lists(unittest.TestCase):
    maxDiff = None
    fetched = ()  # What scripts put where no package is.

    @classmethod
    def setUpClass(cls):
        cls.packages = Packages()

    def ours(self, path):
        """Of no package: what is made here, and what a machine says of itself."""
        places = (SOURCE, *self.fetched, pathlib.Path(tempfile.gettempdir()), *map(
            pathlib.Path, ("/proc", "/sys", "/dev", "/etc", "/run", "/var")))
        return any(path.is_relative_to(place) for place in places)

    def strangers(self, files, list_name, needless=frozenset()):
        """Of `files`, those that no package of the list but the needless ones brings, each with the
        package it is of."""
        wanted = set(text_of(SOURCE / "scripts/setup.sh", "--list", list_name).split())
        self.assertLessEqual(needless, wanted)
        there = self.packages.with_dependencies(wanted - needless)
        found = {}
        for name in files:
            path = pathlib.Path(name)
            if not path.is_absolute() or not path.is_file():
                continue
            path = path.resolve()
            # Python looks at every module that happens to be installed; none of ours is among them.
            if self.ours(path) or path.suffix == ".pyc" or "dist-packages" in path.parts:
                continue
            package = self.packages.owner.get(self.packages.merged(str(path)))
            if package not in there:
                found.setdefault(package, str(path))
        return found

    def traced(self, *command, **options):
        with tempfile.NamedTemporaryFile() as log:
            text_of("strace", "-f", "-qq", "-e", "trace=open,openat,execve", "-o", log.name, *command,
                    **options)
            text = pathlib.Path(log.name).read_text(errors="replace")
        return set(OPENED.findall(text)) | set(STARTED.findall(text))

    def configured(self, preset, *flags):
        with tempfile.TemporaryDirectory() as build:
            return self.traced("/usr/bin/cmake", "--preset", preset, "-B", build, *flags, cwd=SOURCE)

    def headers(self, objects=None, build=None):
        """What the compiler read for these objects of BUILD, or for all of them."""
        read, taken = set(), False
        for line in text_of("ninja", "-C", build or BUILD, "-t", "deps").splitlines():
            if not line.startswith(" "):
                taken = objects is None or line.partition(":")[0] in objects
            elif taken:
                read.add(line.strip())
        return read

    def linked(self, target, build=None):
        """The libraries in the commands that link it."""
        commands = text_of("ninja", "-C", build or BUILD, "-t", "commands", target)
        return {word for command in commands.splitlines()
                if " -c " not in command for word in shlex.split(command) if word.startswith("/")}


class SetupTest(Lists):
    def test_the_library(self):
        self.assertEqual({}, self.strangers(
            self.configured("release", "-DVARVE_BUILD_CLI=OFF", "-DVARVE_BUILD_HTTP=OFF", NO_PYTHON),
            "library"))
        inputs = set()
        for target in ("varve_static", "varve_shared"):
            inputs |= set(text_of("ninja", "-C", BUILD, "-t", "inputs", target).split())
        read = self.headers(inputs)
        self.assertGreater(len(read), 300)  # Else nothing was looked at.
        self.assertEqual({}, self.strangers(read | self.linked("varve_shared"), "library"))

    def test_the_program(self):
        self.assertEqual({}, self.strangers(
            self.configured("release", "-DVARVE_BUILD_TESTS=OFF", NO_PYTHON), "build"))
        inputs = set(text_of("ninja", "-C", BUILD, "-t", "inputs", "varve").split())
        read = self.headers(inputs)
        self.assertGreater(len(read), 500)  # Else nothing was looked at.
        self.assertEqual({}, self.strangers(read | self.linked("varve"), "build"))

    def test_the_python_package(self):
        read = self.configured("release", "-DVARVE_BUILD_CLI=OFF", "-DVARVE_BUILD_HTTP=OFF",
                               "-DVARVE_BUILD_PYTHON=ON")
        self.assertTrue([path for path in read if path.startswith("/usr/include/python3")])
        self.assertEqual({}, self.strangers(read, "python"))
        inputs = set(text_of("ninja", "-C", BUILD, "-t", "inputs", "varve_python").split())
        read = self.headers(inputs)
        self.assertTrue([path for path in read if path.endswith("/Python.h")])
        self.assertEqual({}, self.strangers(read | self.linked("varve_python"), "python"))

    def test_parts_that_are_left_out(self):
        """What an option leaves out is not compiled, and needs no package any more."""
        for option, needless, left_out in (
                ("VARVE_BUILD_CLI=OFF", {"libcli11-dev", "libedit-dev"}, r"/cli/\S+\.cc\b"),
                ("VARVE_BUILD_HTTP=OFF", {"libboost-dev", "python3"}, r"/webview/http/\S+\.cc\b|web/dist"),
                ("VARVE_BUILD_BENCH=OFF", set(), r"/commands/bench/\S+\.cc\b|VARVE_HAS_BENCH"),
                ("VARVE_WITH_LIBEDIT=OFF", {"libedit-dev"}, r"VARVE_LIBEDIT\b"),
                ("VARVE_BUILD_C=OFF", set(), r"/core/c/\S+\.cc\b"),
                ("VARVE_BUILD_PYTHON=OFF", set(), r"/core/python/\S+\.cc\b|libpython"),
                ("VARVE_WEB=OFF", set(), r"web/dist")):
            with self.subTest(option), tempfile.TemporaryDirectory() as build:
                read = self.traced("/usr/bin/cmake", "--preset", "release", "-B", build,
                                   "-DVARVE_BUILD_TESTS=OFF", NO_PYTHON, f"-D{option}", cwd=SOURCE)
                commands = text_of("ninja", "-C", build, "-t", "commands", "all")
                unity = "".join(path.read_text() for path in pathlib.Path(build).rglob("unity_*.cxx"))
                self.assertIn("/webview/api/", unity)  # Else nothing was looked at.
                self.assertNotRegex(commands + unity, left_out)
                inputs = set(text_of("ninja", "-C", build, "-t", "inputs", "all").split())
                read |= self.headers(inputs) | self.linked("all", build)
                # BUILD has tests: there core/c is held against RocksDB's own header.
                read = {path for path in read if not path.startswith("/usr/include/rocksdb/")}
                self.assertEqual({}, self.strangers(read, "build", frozenset(needless)))

    def test_the_web_app_that_is_wanted_and_not_there(self):
        with tempfile.TemporaryDirectory() as build:
            done = subprocess.run(
                ["/usr/bin/cmake", "--preset", "release", "-B", build, "-DVARVE_BUILD_TESTS=OFF",
                 "-DVARVE_WEB=ON", f"-DVARVE_WEB_DIST={build}/none"],
                cwd=SOURCE, capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("The web app is not there", done.stderr)

    def test_everything_with_tests(self):
        self.assertEqual({}, self.strangers(
            self.configured("release", "-DVARVE_BUILD_TESTS=ON"), "test"))
        self.assertEqual({}, self.strangers(self.headers() | self.linked("all"), "test"))

    def test_the_other_compiler(self):
        self.assertEqual({}, self.strangers(self.configured("clang"), "test"))

    def test_presets_with_checks(self):
        """Their sanitizers' libraries, too, which no other preset links."""
        for preset, libraries in (("asan", ["libasan", "libubsan"]), ("tsan", ["libtsan"]), ("debug", [])):
            with self.subTest(preset), tempfile.TemporaryDirectory() as build:
                read = self.traced("/usr/bin/cmake", "--preset", preset, "-B", build,
                                   "-DVARVE_BUILD_TESTS=ON", cwd=SOURCE)
                commands = text_of("ninja", "-C", build, "-t", "commands", "varve")
                flags = sorted(set(re.findall(r"-fsanitize=\S+", commands)))
                read |= self.program_linked(build, "/usr/bin/c++", flags, "int main() {}\n")
                self.check_libraries(read, libraries)

    def program_linked(self, folder, compiler, flags, text):
        """What is read when the program is made."""
        program = pathlib.Path(folder, "program.cc")
        program.write_text(text)
        return self.traced(compiler, *flags, program, "-o", program.with_suffix(""))

    def check_libraries(self, read, libraries):
        for library in libraries:
            self.assertTrue([path for path in read if f"/{library}." in path], library)
        self.assertEqual({}, self.strangers(read, "test"))

    def test_the_fuzzers(self):
        with tempfile.TemporaryDirectory() as build:
            read = self.traced("/usr/bin/cmake", "--preset", "fuzz", "-B", build, cwd=SOURCE)
            commands = text_of("ninja", "-C", build, "-t", "commands", "fuzz_block")
            flags = sorted(set(re.findall(r"-fsanitize=\S+", commands)))
            self.assertIn("-fsanitize=fuzzer", flags)
            read |= self.program_linked(
                build, "/usr/bin/clang++-19", flags,
                'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }\n')
            self.check_libraries(read, ["libclang_rt.fuzzer-x86_64", "libclang_rt.asan-x86_64"])

    def test_stores_to_measure_against(self):
        self.assertEqual({}, self.strangers(
            self.configured("release", "-DVARVE_BUILD_TESTS=OFF", "-DVARVE_BUILD_PEERS=ON", NO_PYTHON),
            "bench"))

    def test_a_library_that_no_list_has_is_noticed(self):
        read = self.headers()
        doctest = {path for path in read if path.endswith("doctest/doctest.h")}
        self.assertTrue(doctest)
        self.assertEqual({"doctest-dev"}, set(self.strangers(doctest, "build")))

    def test_what_a_build_has_is_said(self):
        """At configure and by `varve version`."""
        parts = {"VARVE_WITH_URING": ("io_uring", "VARVE_HAS_URING", "io_uring",
                                      "reads by io_uring, where the kernel has it"),
                 "VARVE_WITH_CURL": ("tables and databases at URLs (libcurl, loaded when needed)",
                                     "VARVE_HAS_CURL", "urls",
                                     "tables and databases at URLs, where libcurl is installed"),
                 "VARVE_WITH_LIBEDIT": ("history and Tab in the shell (libedit)", "VARVE_HAS_LIBEDIT",
                                        "line_editing", "history and Tab in varve shell (libedit)")}
        for is_on, word in enumerate(("OFF", "ON")):
            with self.subTest(word), tempfile.TemporaryDirectory() as build:
                said = all_said_by("/usr/bin/cmake", "--preset", "release", "-B", build,
                                   "--log-level=NOTICE", "-DVARVE_BUILD_TESTS=OFF",
                                   *(f"-D{option}={word}" for option in parts), cwd=SOURCE)
                commands = text_of("ninja", "-C", build, "-t", "commands", "varve")
                for told, macro, _, _ in parts.values():
                    self.assertIn(f"   {told}: {word}\n", said)
                    self.assertIn(f"-D{macro}={is_on} ", commands)
        cache = (BUILD / "CMakeCache.txt").read_text()
        version = text_of(BUILD / "varve", "version")
        features = json.loads(text_of(BUILD / "varve", "version", "--json"))["features"]
        lines = re.findall(r"(?m)^(has|lacks) +\S", version)
        self.assertEqual(sorted(lines), sorted("has" if on else "lacks" for on in features.values()))
        for option, (_, _, feature, what) in parts.items():
            on = re.search(rf"^{option}:BOOL=(\w+)$", cache, re.M)[1] == "ON"
            self.assertEqual(features[feature], on)
            self.assertRegex(version, f"(?m)^{'has' if on else 'lacks'} +{re.escape(what)}$")

    def test_scripts_say_what_they_take(self):
        for words, code in ((["build.sh"], 2), (["build.sh", "--help"], 0), (["demo.sh", "--help"], 0),
                            (["demo.sh", "--no-such-flag"], 2)):
            done = subprocess.run([SOURCE / "scripts" / words[0], *words[1:]], capture_output=True,
                                  text=True, timeout=60)
            self.assertEqual(done.returncode, code, words)
            self.assertIn(f"scripts/{words[0]} ", done.stderr if code else done.stdout)


class WasmTest(Lists):
    """Of the build for browsers, once scripts/build.sh wasm has made it. Emscripten and the codecs'
    sources are fetched by it; the compilers and Node are of the list."""

    def test_the_build_for_browsers(self):
        build = SOURCE / "build/wasm"
        toolchain = re.search(r"^CMAKE_TOOLCHAIN_FILE:\w+=(.*)$",
                              (build / "CMakeCache.txt").read_text(), re.M)[1]
        prefix = pathlib.Path(toolchain.partition("/usr/share/emscripten/")[0]).resolve()
        self.fetched = (prefix,)
        with tempfile.TemporaryDirectory() as again:
            read = self.traced("/usr/bin/cmake", "--preset", "wasm", "-B", again, cwd=SOURCE,
                               env={**os.environ, "PATH": "/usr/bin:/bin",  # Debian's Python.
                                    "EMSCRIPTEN_PREFIX": str(prefix)})
        for program in ("/clang-19", "/node"):
            self.assertTrue([path for path in read if path.endswith(program)], program)
        headers = self.headers(build=build)
        self.assertGreater(len(headers), 300)  # Else nothing was looked at.
        self.assertEqual({}, self.strangers(read | headers, "test"))


if __name__ == "__main__":
    SOURCE, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
