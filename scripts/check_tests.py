#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails unless the tests of a build are those of tests/tests.txt: check_tests.py BUILD [--update]

A test that is not built runs no more than one that fails, and is not missed. Adding one: --update."""
import json
import pathlib
import subprocess
import sys


def main(build, update):
    listed = pathlib.Path(__file__).resolve().parent.parent / "tests/tests.txt"
    told = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True,
                          capture_output=True, text=True).stdout
    there = {test["name"] for test in json.loads(told)["tests"]}
    if update:
        listed.write_text("".join(f"{name}\n" for name in sorted(there)))
        return 0
    wanted = set(listed.read_text().split())
    for name in sorted(wanted - there):
        print(f"check_tests: {name} is in tests/tests.txt, but this build has no such test")
    for name in sorted(there - wanted):
        print(f"check_tests: {name} is not in tests/tests.txt (scripts/check_tests.py BUILD --update)")
    if wanted == there:
        print(f"check_tests: all of {len(there)} tests are there")
    return int(wanted != there)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--update" in sys.argv[2:]))
