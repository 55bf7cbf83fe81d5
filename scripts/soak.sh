#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/soak.sh [MINUTES]: the random tests with seeds nobody has tried, round after round, until
# the time is up (default 60). Stops at the first failure, whose output says how to repeat it.
# `scripts/soak.sh --exhaustive` flips every bit of every fixture instead, which takes hours;
# `scripts/soak.sh --mutants` checks that the tests notice the defects of tests/mutants, in an hour or two.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh test
if [ "${1:-}" = --mutants ]; then exec tests/mutants/mutants.py; fi
scripts/tidy.sh --lint
scripts/build.sh release
scripts/build.sh tsan concurrent_test
tests=build/release/tests
if [ "${1:-}" = --exhaustive ]; then
  exec "$tests/corruption/flip_test" --exhaustive tests/fixtures
fi
end=$((SECONDS + ${1:-60} * 60))

# Larger inputs than the test of every change takes: once is enough, nothing in it is random.
python3 tests/cost/cost_test.py build/release/varve "$tests/cost/cost_inputs" "$tests/cost/scratch" --long

run() {
  echo "== ${*##*/}"
  "$@"
}
for ((round = 1; SECONDS < end; ++round)); do
  seed=$((RANDOM * 32768 + RANDOM + 1))
  echo "== round $round, seed $seed, $(((end - SECONDS) / 60)) minutes left"
  for offset in {0..19}; do run "$tests/model/model_test" --seed=$((seed + offset)) --ops=5000; done
  run "$tests/simulator/power_loss_test" --first=$seed --seeds=20 --ops=200
  run "$tests/simulator/concurrent_test" --first=$seed --seeds=2000 --commits=80
  run build/tsan/tests/simulator/concurrent_test --first=$seed --seeds=500 --commits=80
  run "$tests/property/grades_test" --seed=$seed --ops=3000
  run "$tests/interop/interop_tests" --first=$seed --seeds=100
  run python3 tests/interop/latest_test.py build/release/varve .deps/rocksdb-11.8.1/librocksdb.so \
    --first=$seed --seeds=100 --crashes=100
  run "$tests/interop/interop_fuzz_test" --first=$seed --seeds=100 --ops=2000
  run tests/linearizability/check_histories.sh "$tests/linearizability/record_histories" "$(command -v go)" \
    "$PWD/$tests/linearizability/histories" --first=$seed --seeds=200
  run "$tests/crash/kill_tests" --seed=$seed --cycles=300 "--varve=$PWD/build/release/varve"
  run "$tests/concurrency/stress_test" --seconds=60
  run "$tests/concurrency/memtable_grades_test" --seconds=60
  run "$tests/corruption/flip_test" --seed=$seed --samples=400 tests/fixtures
  python3 tests/fixtures/hostile/unpack.py "$tests/hostile_inputs"
  run "$tests/answers/answers_test" --seed=$seed --changes=200 tests/fixtures "$tests/hostile_inputs"
  run scripts/fuzz.sh --seconds=30
done
echo "soak: $((round - 1)) rounds, nothing found"
