#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the sources that scripts/tidy.sh --lint looks at, a path a line.

    lint_sources.py COMPILE_COMMANDS            all that this build compiles
    lint_sources.py COMPILE_COMMANDS COMMIT     those of them that have changed since, and for each changed header
                                                one source that includes it: the one of its name, or the nearest

Headers are linted with the sources that include them (.clang-tidy, HeaderFilterRegex)."""
import json
import pathlib
import re
import subprocess
import sys

ROOMS = re.compile(r"(core|cli|webview|wasm|tests)/.*\.(cc|h)")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout.splitlines()


def compiled(commands, tracked):
    root = pathlib.Path.cwd()
    found = set()
    for entry in json.loads(pathlib.Path(commands).read_text()):
        path = pathlib.Path(entry["directory"], entry["file"])
        if path.is_relative_to(root):
            found.add(path.relative_to(root).as_posix())
    return found & tracked


def includers(tracked):
    """Of each header, who includes it."""
    of = {}
    for path in sorted(tracked):
        for name in INCLUDE.findall(pathlib.Path(path).read_text(errors="replace")):
            for place in (name, f"core/include/{name}"):
                if place in tracked:
                    of.setdefault(place, []).append(path)
    return of


def nearest(header, of, sources):
    """The nearest source that includes the header; none if no source does."""
    near, seen = [header], {header}
    while near:
        found = [path for path in near if path in sources]
        if found:
            own = [path for path in found if pathlib.Path(path).stem == pathlib.Path(header).stem]
            return (own or found)[0]
        near = [path for path in dict.fromkeys(by for at in near for by in of.get(at, [])) if path not in seen]
        seen.update(near)
    return None


def main():
    tracked = {path for path in git("ls-files") if ROOMS.fullmatch(path)}
    sources = compiled(sys.argv[1], tracked)
    if len(sys.argv) > 2:
        changed = tracked & set(git("diff", "--name-only", "--diff-filter=d", sys.argv[2]))
        of = includers(tracked)
        sources = (changed & sources) | {nearest(path, of, sources) for path in changed if path.endswith(".h")}
    print("\n".join(sorted(sources - {None})))


if __name__ == "__main__":
    main()
