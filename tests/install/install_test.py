#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What cmake --install puts down is enough for programs of others.

    install_test.py SOURCE BUILD

BUILD is installed into an empty prefix, and the prefix is moved; a program is built there with CMake and
with pkg-config, by gcc and by clang, with the static and with the shared library, and run. Every public
header compiles by itself. A project that takes the sources in as a part of itself gets the library
without our flags and without what the command line and HTTP need."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = BUILD = None
EXAMPLE = pathlib.Path(__file__).resolve().parent / "example"
COMPILERS = ("g++", "clang++-19")
STRICT = ("-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
ADDED = "cmake_minimum_required(VERSION 3.25)\nproject(theirs LANGUAGES C CXX)\n" \
        "add_subdirectory({source} varve)\nadd_executable(example {example}/main.cc)\n" \
        "target_link_libraries(example PRIVATE varve::varve)\n"
WRAPPER = "cmake_minimum_required(VERSION 3.25)\nproject(wrapper LANGUAGES C CXX)\n" \
          "add_subdirectory({source} varve)\nadd_library(wrapper STATIC {example}/main.cc)\n" \
          "target_link_libraries(wrapper PRIVATE varve::varve)\n" \
          "install(TARGETS wrapper EXPORT wrapper)\n" \
          "install(EXPORT wrapper DESTINATION lib/cmake/wrapper)\n" \
          "export(EXPORT wrapper FILE wrapper.cmake)\n"


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-install-"))
        made = cls.home / "made"
        cls.run_here("/usr/bin/cmake", "--install", BUILD, "--prefix", made)
        cls.prefix = cls.home / "moved here"
        made.rename(cls.prefix)
        cls.libraries = next(cls.prefix.rglob("libvarve.a")).parent

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home)

    @classmethod
    def run_here(cls, *command, **environment):
        done = subprocess.run([*map(str, command)], capture_output=True, text=True,
                              env={**os.environ, **environment})
        if done.returncode != 0:
            raise AssertionError(f"{command} exits with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def runs(self, program, **environment):
        place = pathlib.Path(tempfile.mkdtemp(dir=self.home))
        self.assertEqual("example: all as it should be\n",
                         self.run_here(program, place, **environment))

    def flags(self, *options, **environment):
        """As a shell takes what pkg-config prints."""
        return shlex.split(self.run_here("pkg-config", *options, "varve", **environment))

    def shared_library_of(self, program):
        return re.search(r"libvarve\S*", self.run_here("readelf", "-d", program))

    def test_cmake(self):
        for compiler in COMPILERS:
            for shared in ("OFF", "ON"):
                with self.subTest(compiler=compiler, shared=shared):
                    build = self.home / f"cmake-{compiler}-{shared}"
                    self.run_here("/usr/bin/cmake", "-G", "Ninja", "-S", EXAMPLE, "-B", build,
                                  f"-DCMAKE_CXX_COMPILER={compiler}", f"-DBUILD_SHARED_LIBS={shared}",
                                  f"-DCMAKE_PREFIX_PATH={self.prefix}")
                    self.run_here("ninja", "-C", build)
                    self.assertEqual(shared == "ON",
                                     self.shared_library_of(build / "example") is not None)
                    self.runs(build / "example")

    def test_pkg_config(self):
        environment = {"PKG_CONFIG_PATH": str(self.libraries / "pkgconfig")}
        version = self.run_here("pkg-config", "--modversion", "varve", **environment).strip()
        self.assertEqual(version, (BUILD / "CMakeCache.txt").read_text().split(
            "CMAKE_PROJECT_VERSION:STATIC=")[1].split("\n")[0])
        for compiler in COMPILERS:
            for form in ("--shared", "--static"):
                with self.subTest(compiler=compiler, form=form):
                    program = self.home / f"pkg-config-{compiler}{form}"
                    flags = self.flags("--cflags", "--libs", *([form] if form == "--static" else []),
                                       **environment)
                    if form == "--static":  # Of ours the archive, of the system's what there is.
                        flags = [str(self.libraries / "libvarve.a") if flag == "-lvarve" else flag
                                 for flag in flags]
                    self.run_here(compiler, *STRICT, EXAMPLE / "main.cc", "-o", program, *flags)
                    shared = self.shared_library_of(program)
                    self.assertEqual(form == "--shared", shared is not None)
                    if shared:  # The name changes with what may break a program.
                        self.assertEqual(f"libvarve.so.{version.rpartition('.')[0]}",
                                         shared.group().rstrip("]"))
                    self.runs(program, LD_LIBRARY_PATH=str(self.libraries))

    def test_every_header_compiles_alone(self):
        headers = sorted((self.prefix / "include" / "varve").glob("*.h"))
        self.assertEqual([h.name for h in headers],
                         sorted(h.name for h in (SOURCE / "core/include/varve").glob("*.h")))
        for header in headers:
            for compiler in COMPILERS:
                with self.subTest(header=header.name, compiler=compiler):
                    source = self.home / "alone.cc"
                    source.write_text(f'#include "varve/{header.name}"\n#include "varve/{header.name}"\n')
                    self.run_here(compiler, *STRICT, "-fsyntax-only", "-I", self.prefix / "include",
                                  source)

    def test_the_shared_library_shows_the_interface_and_no_more(self):
        library = self.libraries / "libvarve.so"
        shown = self.run_here("nm", "-DC", "--defined-only", library).splitlines()
        names = {line.split(" ", 2)[2] for line in shown}
        self.assertTrue(any(name.startswith("varve::DB::Open(") for name in names))
        inside = [name for name in names if re.match(
            r"(vtable for |typeinfo (name )?for )?varve::(Engine|TableReader|MemTable|Version)\b", name)]
        self.assertEqual([], inside)
        own = re.compile(r"((vtable|VTT|typeinfo|typeinfo name) for )?varve::|varve_")
        self.assertEqual([], sorted(name for name in names if not own.match(name)))
        # Local- and initial-exec thread-local variables would keep it from being loaded later.
        self.assertNotIn("STATIC_TLS", self.run_here("readelf", "-d", library))

    def test_the_c_interface(self):
        """A program of C with RocksDB's header, and one that is linked with RocksDB."""
        place = self.libraries / "varve-rocksdb"
        flags = shlex.split(self.run_here("pkg-config", "--cflags", "--libs", "varve-rocksdb",
                                          PKG_CONFIG_PATH=str(place / "pkgconfig")))
        source, program = SOURCE / "core/c/examples/tour.c", self.home / "tour"
        told = "user:1 is Ada\nuser:1\nuser:2\n"
        for name, options, environment in (
                ("ours", flags, {}), ("theirs", ["-lrocksdb"], {"LD_LIBRARY_PATH": str(place)})):
            self.run_here("gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", source, "-o", program, *options)
            self.assertEqual(told, self.run_here(program, self.home / f"tour-{name}", **environment))
            loaded = self.run_here("ldd", program, **environment)
            self.assertIn(str(place / "librocksdb.so.7.8"), loaded.replace("pkgconfig/../", ""))
        eleven = self.libraries / "varve-rocksdb-11"
        self.assertTrue((eleven / "librocksdb.so.11").exists())
        self.run_here("pkg-config", "--exists", "varve-rocksdb-11", PKG_CONFIG_PATH=str(eleven / "pkgconfig"))

    def test_the_program_and_its_files(self):
        self.assertIn("varve ", self.run_here(self.prefix / "bin/varve", "version"))
        share = self.prefix / "share"
        for name, sign in (("bash-completion/completions/varve", "complete -"),
                           ("zsh/site-functions/_varve", "#compdef varve"),
                           ("fish/vendor_completions.d/varve.fish", "complete -c varve")):
            self.assertIn(sign, (share / name).read_text())
        self.assertTrue((share / "doc/varve/LICENSE").exists())
        verbs = json.loads(self.run_here(self.prefix / "bin/varve", "help", "--json"))["commands"]
        pages = {page.name for page in (share / "man/man1").iterdir()}
        self.assertEqual(pages, {"varve.1"} | {
            f"varve-{verb['name'].replace(' ', '-')}.1" for verb in verbs})

    def test_the_archive_alone(self):
        build = self.home / "archive"
        self.run_here("/usr/bin/cmake", "-G", "Ninja", "-S", SOURCE, "-B", build,
                      *(f"-DVARVE_BUILD_{part}=OFF" for part in ("CLI", "HTTP", "SHARED", "C")))
        # What is no part of it is not compiled.
        self.assertNotRegex(self.run_here("ninja", "-C", build, "-n", "-v"), "varve_(inspect|repair)")
        flags = self.run_here("pkg-config", "--libs", "varve",
                              PKG_CONFIG_PATH=str(build / "core/package"))
        self.assertIn("-lzstd", flags.split())  # An archive does not say what it needs.

    def test_places_outside_the_prefix(self):
        build, own = self.home / "elsewhere", self.home / "its own"
        own.mkdir()
        (own / "libraries").symlink_to(self.libraries)
        (own / "headers").symlink_to(self.prefix / "include")
        self.run_here("/usr/bin/cmake", "-G", "Ninja", "-S", SOURCE, "-B", build,
                      *(f"-DVARVE_BUILD_{part}=OFF" for part in ("CLI", "HTTP", "SHARED", "C")),
                      "-DCMAKE_INSTALL_PREFIX=/usr", f"-DCMAKE_INSTALL_LIBDIR={own}/libraries",
                      f"-DCMAKE_INSTALL_INCLUDEDIR={own}/headers")
        environment = {"PKG_CONFIG_PATH": str(build / "core/package")}
        told = {variable: self.run_here("pkg-config", f"--variable={variable}", "varve",
                                        **environment).strip()
                for variable in ("prefix", "libdir", "includedir")}
        self.assertEqual(told, {"prefix": "/usr", "libdir": f"{own}/libraries",
                                "includedir": f"{own}/headers"})
        program = self.home / "example-elsewhere"
        self.run_here("g++", *STRICT, EXAMPLE / "main.cc", "-o", program,
                      *self.flags("--cflags", "--libs", **environment))
        self.runs(program, LD_LIBRARY_PATH=str(own / "libraries"))

    def test_a_library_that_is_installed_with_this_one(self):
        source, build = self.home / "wrapper", self.home / "wrapper-build"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(WRAPPER.format(source=SOURCE, example=EXAMPLE))
        self.run_here("/usr/bin/cmake", "-G", "Ninja", "-S", source, "-B", build, "-DVARVE_INSTALL=ON")
        exported = [build / "wrapper.cmake", *(build / "CMakeFiles/Export").rglob("wrapper.cmake")]
        self.assertEqual([True, True], ["varve::static" in file.read_text() for file in exported])

    def test_as_a_part_of_another_project(self):
        source, build = self.home / "theirs", self.home / "theirs-build"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(ADDED.format(source=SOURCE, example=EXAMPLE))
        self.run_here("/usr/bin/cmake", "-G", "Ninja", "-S", source, "-B", build,
                      "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                      *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in
                        ("CLI11", "nlohmann_json", "doctest", "Python3", "Boost")))
        commands = json.loads((build / "compile_commands.json").read_text())
        theirs = [c["command"] for c in commands if c["file"] == str(EXAMPLE / "main.cc")]
        self.assertEqual(1, len(theirs))
        for flag in ("-W", "-fno-", "-fsanitize", "-D", f"-I{SOURCE} "):
            self.assertNotIn(flag, theirs[0])
        self.assertNotIn("-Werror", " ".join(c["command"] for c in commands))
        self.assertEqual([], [c["file"] for c in commands
                              if re.search(r"/(cli|webview|tests)/", c["file"]) and c not in theirs
                              and str(EXAMPLE) not in c["file"]])


if __name__ == "__main__":
    SOURCE, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
