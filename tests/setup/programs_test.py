#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts/test.sh builds for a sanitizer has all programs that it then runs: programs_test.py BUILD

A test of a label whose program is not in the target <label>_programs fails there only, as "Not Run"
(tests/CMakeLists.txt, varve_labels)."""
import json
import pathlib
import subprocess
import sys

LABELS = ("unit", "model", "concurrency")


def told(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def main(build):
    tests = json.loads(told("ctest", "--test-dir", build, "--show-only=json-v1"))["tests"]
    seen, missing = 0, []
    for label in LABELS:
        built = told("ninja", "-C", build, "-t", "query", f"tests/CMakeFiles/{label}_programs").split()
        for test in tests:
            labels = [value for each in test["properties"] if each["name"] == "LABELS" for value in each["value"]]
            program = pathlib.Path(test.get("command", ["/"])[0])
            if label not in labels or not program.is_relative_to(build):
                continue
            seen += 1
            if program.relative_to(build).as_posix() not in built:
                missing.append(f"{test['name']} has the label {label}, but {program} is not in {label}_programs")
    for line in missing:
        print(line)
    if not seen:
        print("no test of these labels has a program of this build")
    return int(bool(missing) or not seen)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
