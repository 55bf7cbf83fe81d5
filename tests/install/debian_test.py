#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Debian packages: debian_test.py DIRECTORY [--root ROOT]

Those in DIRECTORY are unpacked into one tree and used there: the program, a program of C++ that is built with
pkg-config, and RocksDB's C interface. With --root they are installed by dpkg in ROOT, a system with apt (chroot; as root),
what they depend on first, used there, and removed again."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

DIRECTORY = ROOT = None
EXAMPLE = pathlib.Path(__file__).resolve().parent / "example/main.cc"
PROGRAM = "set -e; cd \"$(mktemp -d)\"; varve put db a 1 --create; test \"$(varve get db a)\" = 1; varve db verify db"
NAMES = {"varve", "libvarve-dev", "libvarve-rocksdb7.8", "libvarve-rocksdb11"}


def output(*command, **how):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **how)
    if done.returncode != 0:
        raise AssertionError(f"{command} exits with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class DebianTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-debian-"))
        cls.packages = {path.name.split("_")[0]: path for path in sorted(DIRECTORY.glob("*.deb"))}
        for path in cls.packages.values():
            output("dpkg-deb", "-x", path, cls.home / "tree")
        cls.libraries = next(cls.home.glob("tree/usr/lib/*/libvarve.a")).parent

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home)

    def field(self, package, name):
        return output("dpkg-deb", "-f", self.packages[package], name).strip()

    def files(self, package):
        lines = output("dpkg-deb", "-c", self.packages[package]).splitlines()
        return {line.split(maxsplit=5)[5].split(" -> ")[0]: line for line in lines}

    def test_what_they_are_called_and_need(self):
        versioned = [name for name in self.packages if re.fullmatch(r"libvarve\d+\.\d+", name)]
        self.assertEqual(NAMES | set(versioned), set(self.packages))
        self.assertEqual(1, len(versioned))
        for name in self.packages:
            with self.subTest(name):
                depends = self.field(name, "Depends")
                self.assertIn("libvarve" if name == "libvarve-dev" else "libc6 (>=", depends)
                self.assertNotRegex(depends, "rocksdb")
                self.assertTrue(self.field(name, "Description").count("\n") >= 1)

    def test_no_file_is_in_two_of_them_and_all_are_root_s(self):
        seen = {}
        for name in self.packages:
            files = self.files(name)
            self.assertIn(f"./usr/share/doc/{name}/copyright", files)
            for path, line in files.items():
                self.assertRegex(line, r"^\S+ root/root ")
                if not path.endswith("/"):
                    self.assertNotIn(path, seen)
                    seen[path] = name
        # RocksDB's own files are elsewhere: all can be installed at a time.
        self.assertFalse([path for path in seen if re.search(r"/lib/[^/]+/librocksdb", path)])

    def test_the_program(self):
        self.assertIn("verified", output("sh", "-c", PROGRAM, env={"PATH": f"{self.home}/tree/usr/bin:/usr/bin:/bin"}))

    def test_a_program_of_cpp(self):
        program, database = self.home / "example", self.home / "database"
        database.mkdir()
        flags = output("pkg-config", "--define-variable=pcfiledir=" + str(self.libraries / "pkgconfig"), "--cflags",
                       "--libs", self.libraries / "pkgconfig/varve.pc").split()
        output("g++", "-std=c++20", EXAMPLE, "-o", program, *flags, f"-Wl,-rpath,{self.libraries}")
        self.assertEqual("example: all as it should be\n", output(program, database))

    def test_rocksdb_s_interface(self):
        for directory, name in (("varve-rocksdb", "librocksdb.so.7.8"), ("varve-rocksdb-11", "librocksdb.so.11")):
            symbols = output("nm", "-D", "--defined-only", self.libraries / directory / name)
            self.assertIn(" T rocksdb_open\n", symbols)

    def test_installed_with_dpkg(self):
        if ROOT is None:
            return  # It needs a system that may be changed: see above.
        inside = ROOT / "root/varve-debian"
        inside.mkdir()
        for path in self.packages.values():
            shutil.copy(path, inside)
        def run(command):
            return output("chroot", ROOT, "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8",
                          "DEBIAN_FRONTEND=noninteractive", "sh", "-c", command)
        run("apt-get update -qq && apt-get install -y --no-install-recommends librocksdb7.8 /root/varve-debian/*.deb")
        self.assertIn("verified", run(PROGRAM))
        self.assertIn("librocksdb.so.7.8", run("ldconfig -p"))
        self.assertNotIn("varve-rocksdb", run("ldconfig -p"))
        self.assertIn("libvarve.so", run("ldconfig -p"))
        self.assertRegex(run("dpkg --verify varve libvarve-dev; echo clean"), "^clean$")
        run("apt-get remove -y " + " ".join(self.packages))
        self.assertEqual("", run("find /usr -name '*varve*' ! -path '/root/*'").strip())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path)
    arguments, rest = parser.parse_known_args()
    DIRECTORY, ROOT = arguments.directory.resolve(), arguments.root
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
