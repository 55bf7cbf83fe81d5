#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/release.sh up to the builds, which take too long here: in their place stands one that fails.

    release_test.py SOURCE

It runs in a clone of its own. What fails leaves neither a commit nor a tag; what it committed until then
is looked at by the build that stands in."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = None
STUB = "#!/bin/sh\ngit show HEAD >build/committed\necho the build that stands in >&2\nexit 1\n"


class ReleaseTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-release-"))
        cls.clone = cls.home / "clone"
        cls.git("clone", "-q", "--no-tags", SOURCE, cls.clone, at=cls.home)
        shutil.copy(SOURCE / "scripts/release.sh", cls.clone / "scripts/release.sh")
        (cls.clone / "scripts/build.sh").write_text(STUB)
        cls.begin = cls.commit()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home)

    def setUp(self):
        self.git("reset", "-q", "--hard", self.begin)
        self.changelog("- What its users notice.\n")

    @classmethod
    def git(cls, *words, at=None):
        return subprocess.run(["git", *map(str, words)], cwd=at or cls.clone, check=True,
                              capture_output=True, text=True).stdout

    @classmethod
    def commit(cls):
        cls.git("commit", "-q", "--allow-empty", "-am", "what the test is about")
        return cls.git("rev-parse", "HEAD").strip()

    def release(self, version):
        return subprocess.run(["scripts/release.sh", version], cwd=self.clone, capture_output=True,
                              text=True)

    def assert_nothing_is_left(self):
        self.assertEqual(self.before, self.git("rev-parse", "HEAD").strip())
        self.assertEqual("", self.git("tag"))
        self.assertEqual("", self.git("status", "--porcelain"))

    def changelog(self, unreleased):
        path = self.clone / "CHANGELOG.md"
        begin, older = path.read_text().split("## Unreleased\n", 1)
        older = older[older.index("\n## ") + 1:]
        path.write_text(f"{begin}## Unreleased\n\n{unreleased}\n{older}")
        self.before = self.commit()

    def test_a_build_that_fails_leaves_neither_commit_nor_tag(self):
        done = self.release("9.8.7")
        self.assertIn("the build that stands in", done.stderr)
        self.assertNotEqual(0, done.returncode)
        self.assert_nothing_is_left()

    def test_the_version_is_written_everywhere(self):
        self.release("9.8.7")
        shown = (self.clone / "build/committed").read_text()
        for line in ('+#define VARVE_VERSION "9.8.7"', '+#define VARVE_VERSION_MINOR 8',
                     '+  "version": "9.8.7",', "+## 9.8.7 (", "+find_package(varve 9.8 REQUIRED)",
                     "`libvarve.so.9.8`"):
            self.assertIn(line, shown)
        for file in ("web/package.json", "web/package-lock.json", "wasm/package/package.json",
                     "core/package/README.md"):
            self.assertIn(f"+++ b/{file}", shown)

    def test_a_long_changelog(self):
        self.changelog("- What its users notice.\n" + "  And more of it.\n" * 50_000)
        self.assertIn("the build that stands in", self.release("9.8.7").stderr)
        self.assert_nothing_is_left()

    def test_what_is_refused(self):
        for version in ("9.8", "v9.8.7", "9.8.7-beta"):
            self.assertIn("a version is three numbers", self.release(version).stderr)
        self.changelog("")
        self.assertIn("nothing under Unreleased", self.release("9.8.7").stderr)
        self.assert_nothing_is_left()
        stray = self.clone / "stray"
        stray.write_text("")
        self.addCleanup(stray.unlink)
        self.assertIn("not committed", self.release("9.8.7").stderr)


if __name__ == "__main__":
    SOURCE = pathlib.Path(sys.argv[1]).resolve()
    os.environ.update({f"GIT_{who}_{what}": "release_test" for who in ("AUTHOR", "COMMITTER")
                       for what in ("NAME", "EMAIL")})
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
