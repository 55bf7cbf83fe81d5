#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/repro.sh SUITE --seed=N ...: builds what this line of a random test needs and runs it; the line
#   is what a failure prints behind "replay:". The exit code is that of the test.
# scripts/repro.sh SEED: every suite that has seeds, at this one; 1 if any fails. What a seed means is each
#   suite's own business: one that failed somewhere is repeated faster by its line.
# scripts/repro.sh --shrink SUITE --seed=N ...: prints a line with fewer operations that fails, too.
# Suites are in tests/replay/suites.toml, lines that once failed in tests/*/seeds.txt.
set -euo pipefail
exec python3 "$(dirname "$0")/../tests/replay/replay.py" "$@"
