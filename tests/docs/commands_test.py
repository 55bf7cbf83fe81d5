#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the pages of web/docs show in a shell works, and prints what they say.

    commands_test.py PAGES VARVE [TEST...]

The ```sh blocks of a page are run one after the other in a directory of the page's own, where `varve`
is VARVE; each ends with 0. A ```text block behind one is what it prints, but for

    a line "…"               any lines
    numbers with units       sizes, times, rates and shares of another machine
    long hexadecimal words   identities, checksums
    widths                   of columns and bars

Output that no two runs have in common is ```txt. Words behind ```sh say what else a block is:

    ```sh serve              starts a server, which says where, and goes on until it is ended
    ```sh checkout           in a checkout of the project: its scripts and presets are held to exist"""
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PAGES = VARVE = None
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^```(sh|text)[ ]*(\w*)\n(.*?)^```$", re.M | re.S)
UNIT = r"(?:B|[KMG]iB|[nmu]?s|%|ops/s|records/s|MB/s)"


def blocks(page):
    """(language, word behind it, text, number of the line) of each block of shell or its output."""
    text = page.read_text()
    return [(*found.groups(), text.count("\n", 0, found.start()) + 1) for found in FENCE.finditer(text)]


def normal(line):
    line = re.sub(r"\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b(?:0x)?[0-9a-f]{8,16}\b", "HEX", line)
    line = re.sub(rf"[<~]?-?\d[\d,.]* ?{UNIT}(?![\w/])", "SIZE", line)
    line = re.sub("[\u2580-\u259f]+", "BAR", line)
    return " ".join(line.split())


def pattern(shown):
    """A regular expression for output: what the page shows, made normal; a line "…" is any lines."""
    lines = [normal(line) for line in shown.splitlines()]
    return "".join(r"(?:.*\n)*" if line == "…" else re.escape(line) + r"\n" for line in lines)


class Commands(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-docs-"))
        self.addCleanup(shutil.rmtree, self.home)
        programs = self.home / "programs"
        programs.mkdir()
        (programs / "varve").symlink_to(VARVE)
        self.scratch = self.home / "scratch"
        self.scratch.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("VARVE_")}
        self.environment = {**kept, "HOME": str(self.home), "LC_ALL": "C.UTF-8", "TMPDIR": str(self.home),
                            "PATH": f"{programs}:{kept['PATH']}"}

    def shell(self, script, **how):
        return subprocess.Popen(["bash", "-euo", "pipefail", "-c", script], cwd=self.scratch, text=True,
                                env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)

    def run_block(self, script, where):
        process = self.shell(script)
        said, _ = process.communicate(timeout=240)
        self.assertEqual(0, process.returncode, f"{where}:\n{script}\n{said}")
        return said

    def serve_block(self, script, where):
        if os.getuid() == 0:  # Which a reader is not.
            script = script.replace("varve serve", "varve serve --as-root")
        process = self.shell("exec " + script)
        try:
            ready, _, _ = select.select([process.stdout], [], [], 30)
            said = process.stdout.readline() if ready else ""
            self.assertIn("http://127.0.0.1:", said, f"{where}: {script}")
        finally:
            process.terminate()
            process.communicate(timeout=30)

    def checkout_block(self, script, where):
        presets = {p["name"] for p in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
        for line in script.splitlines():
            words = line.split("#")[0].split()
            if not words or words[0] == "cd" or words[:2] == ["git", "clone"]:
                continue
            if words[0].startswith("scripts/"):
                self.assertTrue(os.access(ROOT / words[0], os.X_OK), f"{where}: {line}")
                if words[0] == "scripts/build.sh":
                    self.assertIn(words[1], presets | {"web", "docs"}, f"{where}: {line}")
            elif words[:2] == ["cmake", "--preset"]:
                self.assertIn(words[2], presets, f"{where}: {line}")
            else:
                self.assertEqual("cmake", words[0], f"{where}: {line}")

    def check(self, page):
        said = None
        for language, word, text, line in blocks(page):
            where = f"{page.name}:{line}"
            if language == "sh":
                kinds = {"": self.run_block, "serve": self.serve_block, "checkout": self.checkout_block}
                began = time.monotonic()
                said = kinds[word](text, where)
                print(f"{where}: {time.monotonic() - began:.1f} s", file=sys.stderr)
            elif said is not None:
                told = "".join(normal(each) + "\n" for each in said.splitlines())
                self.assertRegex(told, f"^{pattern(text)}$", f"{where}: it prints\n{said}")
                said = None


def test_of(page):
    return lambda self: self.check(page)


if __name__ == "__main__":
    PAGES, VARVE = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    for each in sorted(PAGES.glob("*.md")):
        if any(language == "sh" for language, *_ in blocks(each)):
            setattr(Commands, f"test_{each.stem.replace('-', '_')}", test_of(each))
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
