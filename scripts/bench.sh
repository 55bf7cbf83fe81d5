#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ratios against the db_bench of Debian's rocksdb-tools, from one run: same sizes, threads,
# compression and WAL setting, the two programs in turn, medians.
#   scripts/bench.sh [--num=10000000] [--rounds=3] [--dir=/dev/shm]
# Debian builds RocksDB 7.8.3 with assertions on, so these figures are a floor, not the fair race.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh test
scripts/build.sh release varve
exec python3 scripts/bench.py "$@"
