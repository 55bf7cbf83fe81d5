#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fake_suite.py NUMBERS --seed=N [--ops=N | --keep=LIST] [--at=N]: a suite as replay_test.py wants it. Of seeds that 7
divides it fails if all of NUMBERS are among its operations; at seed 8 it hangs then, at seed 9 it crashes."""
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from shrink import parse_list  # noqa: E402

options = dict(word.removeprefix("--").split("=") for word in sys.argv[2:])
first = int(options.get("seed", options.get("first", 1)))
for seed in range(first, first + int(options.get("seeds", 1))):
    done = parse_list(options["keep"]) if "keep" in options else range(int(options.get("ops", 50)))
    line = f"replay: fake --seed={seed} " + (f"--keep={options['keep']}" if "keep" in options else f"--ops={len(done)}")
    if not set(parse_list(sys.argv[1])) <= set(done):
        continue
    if seed % 7 == 0:
        sys.exit(f"broken\n{line} --at=5")
    if seed in (8, 9):
        print(line, flush=True)
    if seed == 8:
        signal.pause()
    if seed == 9:
        os.kill(os.getpid(), signal.SIGKILL)
print(f"{options.get('seeds', 1)} seeds, 3 states; 4 states")
