#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# This engine against RocksDB: the same operations by the same harness, in turn, and the medians of
# their ratios as a table, which takes the place of the one in scripts/bench/RESULTS.md.
#   scripts/bench.sh -DVARVE_ROCKSDB_PREFIX=DIR [--num=10000000] [--rounds=5] [--dir=/dev/shm]
#       [--disk=/tmp] [--only=fillseq,open]     minutes for --num=1000000, an hour for the default
#   scripts/bench.sh -D... --claims [--num=...] [--only=files,readahead]
#                                                the published results, by `varve bench claims`
#   scripts/bench.sh --short                     small: does each grade and each row work, and do all
#                                                stores answer alike? 5 minutes at most
# Without a prefix it is Debian's librocksdb, which has assertions on: a floor, not the fair race.
set -euo pipefail
cd "$(dirname "$0")/.."
configure=() arguments=()
for argument in "$@"; do
  case $argument in
    -D*) configure+=("$argument") ;;
    *) arguments+=("$argument") ;;
  esac
done
scripts/setup.sh bench
cmake --preset release --log-level=WARNING -DVARVE_BUILD_PEERS=ON \
  ${configure[@]+"${configure[@]}"} >/dev/null
scripts/build.sh release varve
ninja -C build/release varve-bench-rocksdb varve-bench-leveldb varve-bench-lmdb
exec /usr/bin/env python3 scripts/bench/bench.py ${arguments[@]+"${arguments[@]}"}
