#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a file includes a folder that it may not, or is compiled unlike the others.
Usage: layers.py [ROOT]

core/, webview/api/, cli/ and cli/commands/ obey the layers.txt in them, the faces around core/ OUTSIDE below.
Runs as the test `layers`.

A line of layers.txt says what a folder may include besides itself: `wal: base format fs`. All that it
names stands above it, so there are no cycles. In core/ the first level are the layers, which libraries
are linked by; below them, and in the others, are rooms: a line for each folder with sources. A file
that stands in a line of its own, with or without .h or .cc, obeys that and not its folder's; names
before one colon are one room. What is in no room, the layer's own folder, all rooms share."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include "((?:\w+/)*)\w+\.h"', re.M)
LEVEL = re.compile(r"(?<![\w-])-O[0-3sgz]\b")
GRADED = "core/engine/open/"  # open_graded.h: the benchmarks and the lessons.
OUTSIDE = {  # Folder: the prefixes its includes may start with.
    "webview/api": ["webview/api/", "varve/", "core/base/", "core/fs/", "core/inspect/"],
    "webview/http": ["webview/http/", "webview/api/", "varve/", "core/base/", "core/fs/"],
    "cli": ["cli/", "varve/", "core/arrow/", "core/base/", "core/fs/http/", "core/inspect/", "core/repair/",
            "webview/api/", "webview/http/", GRADED],
    "wasm": ["wasm/", "varve/", "core/base/", "core/fs/", "core/inspect/", "core/repair/", "webview/api/", GRADED],
}

ROOMS = ["webview/api", "cli", "cli/commands"]


class Order:
    """A layers.txt."""

    def __init__(self, path):
        self.lines, self.line_of = [], {}  # For each line, the lines that it allows; for each name, its line.
        for text in filter(None, (l.split("#")[0].strip() for l in path.read_text().splitlines())):
            names, _, below = text.partition(":")
            unknown = set(below.split()) - self.line_of.keys()
            if unknown:
                sys.exit(f"{path}: {names}: {unknown} must be listed above it")  # No cycles.
            line = len(self.lines)
            self.lines.append({line, *(self.line_of[name] for name in below.split())})
            self.line_of |= {name: line for name in names.split()}

    def room_of(self, source, depth):
        """The most special name that the source goes by; None if it has none."""
        folders = [folder for folder in source.parents if len(folder.parts) >= depth]
        names = map(str, (source, source.with_suffix(""), *folders))
        return next((name for name in names if name in self.line_of), None)

    def may_include(self, name, included):
        return self.line_of[included] in self.lines[self.line_of[name]]


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".h", ".cc"))


def layer_violations(root):
    order = Order(root / "core/layers.txt")
    for path in sources(root / "core"):
        folder = path.relative_to(root / "core").parts[0]
        if folder not in order.line_of:
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
            if not order.may_include(folder, target):
                yield f"{path}: {folder} may not include {target} ({match[0]})"


def room_violations(root, top, depth):
    """Rooms are the folders at `depth` below `top`: between those of one parent, layers.txt decides."""
    order = Order(root / top / "layers.txt")
    for path in sources(root / top):
        source = path.relative_to(root / top)
        if len(source.parts) <= depth or source.parts[0] == "include":
            continue
        room = order.room_of(source, depth)
        if room is None:
            yield f"{path}: {top}/{source.parent} is not in {top}/layers.txt"
            continue
        for match in INCLUDE.finditer(path.read_text()):
            included = pathlib.PurePath(match[0].split('"')[1])
            if not included.is_relative_to(top):
                continue
            included = included.relative_to(top)
            if len(included.parts) <= depth or included.parts[: depth - 1] != source.parts[: depth - 1]:
                continue  # In no room, or of another layer.
            target = order.room_of(included, depth)
            if target is None or not order.may_include(room, target):
                yield f"{path}: {room} may not include {target} ({match[0]})"


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
    found = [*layer_violations(top), *room_violations(top, "core", 2),
             *(v for rooms in ROOMS for v in room_violations(top, rooms, 1)),
             *outside_violations(top), *optimisation_violations(top)]
    print("\n".join(found))
    print(f"{len(found)} violations")
    sys.exit(bool(found))
