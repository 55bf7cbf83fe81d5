#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/layers.py finds what may not be included.

    layers_test.py SOURCE [unittest arguments]"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = None
CORE = """
include:
base: include
table: include base
table/block:
table/read: table/block
"""
API = """
json/json:
routing json/list: json/json
json: json/json routing
routing/route_table.cc: json
"""
CLI = """
output:
commands: output
"""


class LayersTest(unittest.TestCase):
    def violations(self, sources, core=CORE, api=API):
        """Of a project with these sources, path: what each includes."""
        with tempfile.TemporaryDirectory() as made:
            root = pathlib.Path(made)
            for path, text in {"core/layers.txt": core, "webview/api/layers.txt": api,
                               "cli/layers.txt": CLI, "cli/commands/layers.txt": "data:\n"}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            for path, includes in sources.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text("".join(f'#include "{name}"\n' for name in includes))
            script = [sys.executable, SOURCE / "scripts/layers.py", root]
            run = subprocess.run(script, capture_output=True, text=True)
            said = (run.stdout + run.stderr).replace(f"{root}/", "").splitlines()
            self.assertEqual(run.returncode != 0, said != ["", "0 violations"], said)
            return [line for line in said if line and not line.endswith(" violations")]

    def test_what_is_allowed(self):
        self.assertEqual(self.violations({
            "core/include/varve/db.h": [],
            "core/base/text.h": ["varve/db.h"],
            "core/table/table.h": ["core/base/text.h", "core/table/read/reader.h"],
            "core/table/block/block.h": ["core/table/table.h"],
            "core/table/read/reader.h": ["core/table/block/block.h"],
            "webview/api/json/json.h": [],
            "webview/api/json/list.h": ["webview/api/routing/call.h"],
            "webview/api/routing/call.h": ["webview/api/json/json.h", "webview/api/json/list.h"],
            "webview/api/routing/route_table.cc": ["webview/api/json/report.h"],
            "webview/api/json/report.h": ["webview/api/routing/call.h", "webview/api/json/list.h"],
            "cli/command.h": ["cli/output/console.h"],
            "cli/output/console.h": ["cli/command.h"],
            "cli/commands/data/get.cc": ["core/base/text.h", "cli/output/console.h"],
        }), [])

    def test_a_layer_includes_what_is_above_it(self):
        self.assertEqual(self.violations({"core/base/text.h": ["core/table/table.h"]}), [
            'core/base/text.h: base may not include table (#include "core/table/table.h")'])

    def test_a_room_includes_one_that_is_above_it(self):
        self.assertEqual(self.violations({"core/table/block/block.h": ["core/table/read/reader.h"]}), [
            "core/table/block/block.h: table/block may not include table/read "
            '(#include "core/table/read/reader.h")'])

    def test_a_room_of_the_command_line(self):
        self.assertEqual(self.violations({"cli/output/console.h": ["cli/commands/data/get.h"]}), [
            'cli/output/console.h: output may not include commands (#include "cli/commands/data/get.h")'])

    def test_a_file_is_not_of_its_folder(self):
        self.assertEqual(self.violations({
            "webview/api/routing/call.h": ["webview/api/json/report.h"],
            "webview/api/json/json.cc": ["webview/api/json/report.h"]}), [
            "webview/api/json/json.cc: json/json may not include json "
            '(#include "webview/api/json/report.h")',
            "webview/api/routing/call.h: routing may not include json "
            '(#include "webview/api/json/report.h")'])

    def test_a_room_that_nobody_declared(self):
        self.assertEqual(self.violations({"core/table/new/it.h": [], "cli/commands/bench/it.cc": []}), [
            "core/table/new/it.h: core/table/new is not in core/layers.txt",
            "cli/commands/bench/it.cc: cli/commands/bench is not in cli/commands/layers.txt"])

    def test_a_cycle_cannot_be_declared(self):
        said = self.violations({}, core=CORE.replace("table/block:", "table/block: table/read"))
        self.assertEqual(said, ["core/layers.txt: table/block: {'table/read'} must be listed above it"])


if __name__ == "__main__":
    SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
