#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/tidy.sh --lint finds defects, in headers too, and says what does not compile.

    lint_test.py SOURCE [unittest arguments]"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = None
SOUND = "#pragma once\ninline int Twice(int value) { return 2 * value; }\n"
DEFECT = "#pragma once\ninline int Twice(int Value) { return 2 * Value; }\n"
USES = '#include "core/base/twice.h"\nint Four() { return Twice(2); }\n'


class LintTest(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.root = pathlib.Path(made.name)
        for name in (".clang-tidy", "scripts/tidy.sh", "scripts/lint_sources.py", "scripts/node.sh"):
            (self.root / name).parent.mkdir(exist_ok=True)
            shutil.copy(SOURCE / name, self.root / name)
        self.git("init", "--quiet")
        self.git("config", "user.email", "nobody@example.com")
        self.git("config", "user.name", "nobody")

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True)

    def write(self, files):
        """Writes the files, and what builds their sources."""
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)
        self.git("add", ".")
        commands = self.root / "build/clang/compile_commands.json"
        commands.parent.mkdir(parents=True, exist_ok=True)
        sources = [path for path in self.root.rglob("*.cc")] + [self.root / "core/tests/none.cc"]
        commands.write_text(json.dumps([
            {"directory": str(self.root), "file": str(path),
             "command": f"clang++-19 -std=c++20 -I{self.root} -c {path}"} for path in sources]))

    def commit(self):
        self.git("commit", "--quiet", "--message=one")

    def lint(self, *words):
        ran = subprocess.run(["scripts/tidy.sh", "--lint", *words], cwd=self.root, capture_output=True, text=True)
        return ran.returncode, ran.stdout + ran.stderr

    def test_what_is_sound_passes_without_a_word(self):
        self.write({"core/base/twice.h": SOUND, "core/base/twice.cc": USES})
        self.assertEqual(self.lint(), (0, ""))

    def test_a_defect_in_a_header_is_found_in_every_folder(self):
        for folder in ("core/base", "cli/output", "webview/api", "wasm", "tests/unit/base"):
            with self.subTest(folder):
                self.write({f"{folder}/twice.h": DEFECT,
                            f"{folder}/twice.cc": USES.replace("core/base", folder)})
                code, said = self.lint()
                self.assertNotEqual(code, 0)
                self.assertIn(f"{folder}/twice.h:2:", said)
                self.assertIn("readability-identifier-naming", said)
                (self.root / folder / "twice.h").unlink()
                (self.root / folder / "twice.cc").unlink()

    def test_other_peoples_headers_are_theirs(self):
        self.write({"other/twice.h": DEFECT, "core/base/twice.cc": USES.replace("core/base", "other")})
        self.assertEqual(self.lint(), (0, ""))

    def test_what_does_not_compile_is_told(self):
        self.write({"core/base/twice.h": SOUND, "core/base/twice.cc": USES + "int broken = Thrice(1);\n"})
        code, said = self.lint()
        self.assertNotEqual(code, 0)
        self.assertIn("use of undeclared identifier 'Thrice'", said)

    def test_since_a_commit_a_header_is_linted_by_who_includes_it(self):
        between = '#pragma once\n#include "core/base/twice.h"\n'
        self.write({"core/base/twice.h": SOUND, "core/base/between.h": between, "core/base/other.cc": "int three = 3;\n",
                    "core/base/uses.cc": USES.replace("twice.h", "between.h")})
        self.commit()
        self.assertEqual(self.lint("--since", "HEAD"), (0, ""))
        self.write({"core/base/twice.h": DEFECT, "core/base/other.cc": "int Three = 3;\n"})
        code, said = self.lint("--since", "HEAD")
        self.assertNotEqual(code, 0)
        self.assertIn("core/base/twice.h:2:", said)
        self.assertIn("core/base/other.cc:1:", said)

    def test_since_a_commit_nothing_else_is_linted(self):
        self.write({"core/base/twice.h": DEFECT, "core/base/twice.cc": USES, "core/base/new.cc": "int three = 3;\n"})
        self.commit()
        self.write({"core/base/new.cc": "int four = 4;\n"})
        self.assertEqual(self.lint("--since", "HEAD"), (0, ""))
        # A commit that is not there is the one before.
        self.commit()
        self.assertEqual(self.lint("--since", "0" * 40), (0, ""))


if __name__ == "__main__":
    SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
