#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/soak.sh [--hours=N]: the random tests with seeds nobody has tried, round after round, for so long
#   (1). A failure is shrunk and filed in build/soak/found, and the rest goes on; the exit code is 1 then,
#   and the last lines are for tests/*/seeds.txt. What was interrupted goes on where it was.
# scripts/soak.sh --figures: what all soaks here have done, as a table.
# scripts/soak.sh --exhaustive: flips every bit of every fixture instead, which takes hours.
# scripts/soak.sh --mutants: checks that the tests notice the defects of tests/mutants, in an hour or two.
# scripts/soak.sh --browser: an hour of a tree that changes in the web app, an hour of views of a running engine,
#   and a database of 2 GiB that the browser keeps; needs wasm, web and release built.
# scripts/soak.sh --distributed [--kills=N]: the tests of Spark and Ray, and those that kill processes of loads
#   and of compactions elsewhere; not in CI, since Spark and Ray are a gigabyte. N processes of each kind are
#   killed in each of the tests that do so (4): tasks, workers, executors (once, twice, every time), drivers,
#   servers and engines, before, during and after tables are added and results of compactions are installed.
# scripts/soak.sh --lint: clang-tidy over all sources, in an hour; CI looks at what changed only.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  -h | --help) sed -n '3,15s/^# \{0,1\}//p' scripts/soak.sh; exit 0 ;;
  --figures) exec python3 tests/replay/soak.py --figures ;;
esac
scripts/setup.sh test
case ${1:-} in
  --mutants) exec tests/mutants/mutants.py ;;
  --browser)
    for group in 'playground: memory' 'http: memory' large; do
      node web/e2e/run.mjs --varve build/release/varve --only http,playground --group "$group" \
        --live 3600 --kept 2048
    done
    exit ;;
  --lint) exec scripts/tidy.sh --lint ;;
  --distributed)
    scripts/setup.sh distributed
    scripts/build.sh release varve_python varve
    export PYTHONPATH=$PWD/build/release/core/python:$PWD/.deps/distributed PYTHONDONTWRITEBYTECODE=1
    export VARVE=$PWD/build/release/varve
    kills=${2:---kills=4}
    for test in "remote/worker_kills.py $VARVE" "distributed/server_kills.py $VARVE" distributed/staging_kills.py \
      distributed/spark_test.py distributed/ray_test.py; do
      # shellcheck disable=SC2086  # Its words.
      time /usr/bin/python3 tests/$test "$kills"
    done
    exit
    ;;
  --exhaustive) exec scripts/repro.sh corruption --exhaustive ;;
esac
exec python3 tests/replay/soak.py "$@"
