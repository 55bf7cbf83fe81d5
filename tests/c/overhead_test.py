#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the C interface costs above the C++ one: instructions of an operation, counted by callgrind, which are the same on
every machine and under any load. RocksDB's library runs the same program of C.

    overhead_test.py C-PROGRAM C++-PROGRAM LIBRARY ROCKSDB-LIBRARY"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OVERHEAD_MAX = 0.05
MODES = ("put", "get", "get_pinned")
FEW, MANY = 2000, 12000  # Operations.


def instructions(program, mode, count, library):
    with tempfile.TemporaryDirectory(prefix="varve-overhead-") as directory:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, mode, str(count),
             f"{directory}/db"], capture_output=True, text=True,
            env={**os.environ, "LD_LIBRARY_PATH": str(pathlib.Path(library).parent)})
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or collected is None:
        sys.exit(f"{program} {mode}: {done.stdout}{done.stderr}")
    return int(collected[1])


def of_one(program, mode, library):
    return (instructions(program, mode, MANY, library) - instructions(program, mode, FEW, library)) / (MANY - FEW)


def main(c_program, cc_program, ours, theirs):
    print("| instructions of one | C++ | C | more | RocksDB 7.8.3, C |\n|---|---|---|---|---|")
    worst = 0
    for mode in MODES:
        cc, c, rocksdb = (of_one(*run) for run in ((cc_program, mode, ours), (c_program, mode, ours),
                                                   (c_program, mode, theirs)))
        worst = max(worst, c / cc - 1)
        print(f"| {mode} | {cc:.0f} | {c:.0f} | {c / cc - 1:.1%} | {rocksdb:.0f} |", flush=True)
    return 1 if worst > OVERHEAD_MAX else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
