#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a file includes a folder that it may not, or is compiled unlike the others.
Usage: layers.py [ROOT]

core/ obeys core/layers.txt; the faces around it obey OUTSIDE below. Runs as the test `layers`."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include "((?:\w+/)*)\w+\.h"', re.M)
LEVEL = re.compile(r"(?<![\w-])-O[0-3sgz]\b")
GRADED = "core/engine/open/"  # open_graded.h: the benchmarks and the lessons.
OUTSIDE = {  # Folder: the prefixes its includes may start with.
    "webview/api": ["webview/api/", "varve/", "core/base/", "core/fs/", "core/inspect/"],
    "webview/http": ["webview/http/", "webview/api/", "varve/", "core/base/", "core/fs/"],
    "cli": ["cli/", "varve/", "core/base/", "core/inspect/", "core/repair/", "webview/api/",
            "webview/http/", GRADED],
    "wasm": ["wasm/", "varve/", "core/base/", "core/fs/", "webview/api/", GRADED],
}


def parse(text):
    """`wal: base format fs` -> {'wal': {'wal', 'base', 'format', 'fs'}}; checks the order."""
    allowed = {}
    for line in filter(None, (l.split("#")[0].strip() for l in text.splitlines())):
        folder, _, below = line.partition(":")
        unknown = set(below.split()) - allowed.keys()
        if unknown:
            sys.exit(f"layers.txt: {folder}: {unknown} must be listed above it")  # No cycles.
        allowed[folder] = {folder, *below.split()}
    return allowed


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".h", ".cc"))


def core_violations(root):
    allowed = parse((root / "core/layers.txt").read_text())
    for path in sources(root / "core"):
        folder = path.relative_to(root / "core").parts[0]
        if folder not in allowed:
            yield f"{path}: core/{folder} is not in core/layers.txt"
            continue
        for match in INCLUDE.finditer(path.read_text()):
            prefix = match[1]
            if prefix.startswith("varve/"):
                target = "include"
            elif prefix.startswith("core/"):
                target = prefix.split("/")[1]
            else:
                yield f"{path}: {match[0]} does not name its layer"
                continue
            if target not in allowed[folder]:
                yield f"{path}: {folder} may not include {target} ({match[0]})"


def outside_violations(root):
    for folder, prefixes in OUTSIDE.items():
        for path in sources(root / folder):
            for match in INCLUDE.finditer(path.read_text()):
                if not any(match[1].startswith(p) for p in prefixes):
                    yield f"{path}: {folder} may not include {match[0]}"


def optimisation_violations(root):
    """Of an inline function that several objects have, the linker takes any: one that was compiled
    for a cold place at -O0 would serve the hot ones."""
    for folder in ("core", "cli", "webview"):
        for path in (root / folder).rglob("CMakeLists.txt"):
            for match in LEVEL.finditer(path.read_text()):
                yield f"{path}: a level of optimisation of its own ({match[0]})"


if __name__ == "__main__":
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = [*core_violations(top), *outside_violations(top), *optimisation_violations(top)]
    print("\n".join(found))
    print(f"{len(found)} violations")
    sys.exit(bool(found))
