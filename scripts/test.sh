#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, builds and runs every test.
#   scripts/test.sh              everything CI runs
#   scripts/test.sh -L unit      what follows goes to ctest, release build only
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh test
. scripts/node.sh
echo "== wasm: build"
scripts/build.sh wasm
echo "== web: build"
scripts/build.sh web

run() {  # run PRESET "TARGET..." CTEST-ARGUMENT...
  local preset=$1 targets=$2
  shift 2
  echo "== $preset: build"
  # shellcheck disable=SC2086
  scripts/build.sh "$preset" $targets
  echo "== $preset: test $*"
  ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" "$@"
}

if [ $# -gt 0 ]; then
  echo "== docs: build"
  scripts/build.sh docs
  run release "" "$@"
  exit
fi
# Beside a build that has all processors: doxygen, what bundles the pages, and a link of everything use
# one for most of their time.
mkdir -p build
(
  echo "== docs: build"
  scripts/build.sh docs
  # All libraries in one link that compares their types: two of one name are an error (tests/odr).
  echo "== odr: build"
  scripts/build.sh odr one_definition
) >build/beside.log 2>&1 &
beside=$!
trap 'kill $beside 2>/dev/null || true' EXIT
# The other compiler, for its warnings; it also checks that locks are held where they must be, in every
# test program, too.
echo "== clang: build"
scripts/build.sh clang
trap - EXIT
failed=0
wait $beside || failed=$?
cat build/beside.log
[ $failed -eq 0 ] || exit $failed
# The sanitizer builds run what exercises code paths; oracles and kill tests run at full speed.
run asan 'unit_programs model_programs' -L 'unit|model'
run tsan concurrency_programs -L concurrency
# All there is, and nothing is skipped: what some tests need has been built above.
run release "" --output-log build/release/tests.log
if grep -E '\((Skipped|Not Run|Disabled)\)' build/release/tests.log; then
  echo "test.sh: the tests above did not run" >&2
  exit 1
fi
scripts/check_tests.py build/release
