#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails unless every source in core/ has a unit test of its name, or a row in mirror.txt.
Usage: mirror.py [ROOT]

core/table/index/index_heads.cc is tested by tests/unit/table/index_heads_test.cc. A source that is
part of a unit that is tested as a whole has a row in mirror.txt instead, which names that test; the
test must include a header of the layer, or a public one. `none` for a test is a known hole. core/c and
core/python are left out: they are tested through the interfaces that they are, by tests/c and
tests/python. Runs as the test `mirror`."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
ROW = re.compile(r"(core/\S+\.cc): (none|tests/\S+_test\.cc)  # \S.*")


def own_test(source):  # core/table/index/index_heads.cc
    return pathlib.Path("tests/unit", source.parts[1], source.stem + "_test.cc")


def includes(path):
    return set(INCLUDE.findall(path.read_text()))


def is_of(layer, header):
    return header.startswith((f"core/{layer}/", "varve/"))


def violations(root):
    rows = {}
    for line in (root / "tests/unit/mirror.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        match = ROW.fullmatch(line)
        if match is None:
            yield f"mirror.txt: not `core/SOURCE.cc: TEST  # why`: {line}"
        elif rows and match[1] <= max(rows):
            yield f"{match[1]}: rows are sorted, one for each source"
        else:
            rows[match[1]] = match[2]
    sources = sorted(path.relative_to(root) for path in (root / "core").rglob("*.cc")
                     if path.relative_to(root).parts[1] not in ("c", "python"))
    for source in sources:
        test = rows.get(source.as_posix())
        if (root / own_test(source)).exists():
            if test is not None:
                yield f"{source}: has a test of its own, and a row in mirror.txt"
        elif test is None:
            yield f"{source}: neither has {own_test(source)} nor a row in tests/unit/mirror.txt"
        elif test != "none" and not (root / test).exists():
            yield f"{source}: {test} does not exist"
        elif test != "none" and not any(is_of(source.parts[1], header) for header in includes(root / test)):
            yield f"{source}: {test} includes no header of core/{source.parts[1]}"
    for gone in sorted(rows.keys() - {source.as_posix() for source in sources}):
        yield f"{gone}: does not exist"
    holes = list(rows.values()).count("none")
    print(f"{len(sources)} sources, {len(rows)} in mirror.txt, {holes} without a test")


if __name__ == "__main__":
    found = list(violations(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
    print("\n".join(found))
    print(f"{len(found)} violations")
    sys.exit(bool(found))
