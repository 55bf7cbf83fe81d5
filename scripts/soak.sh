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
# scripts/soak.sh --distributed [--kills=N]: the tests of Spark and Ray, in half an hour; not in CI, since they
#   are a gigabyte. N processes are killed in each of the tests that do so (4).
# scripts/soak.sh --lint: clang-tidy over all sources, in an hour; CI looks at what changed only.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  -h | --help) sed -n '3,13s/^# \{0,1\}//p' scripts/soak.sh; exit 0 ;;
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
    scripts/build.sh release varve_python
    export PYTHONPATH=$PWD/build/release/core/python:$PWD/.deps/distributed PYTHONDONTWRITEBYTECODE=1
    for engine in spark ray; do /usr/bin/python3 tests/distributed/${engine}_test.py "${@:2}"; done
    exit
    ;;
  --exhaustive) exec scripts/repro.sh corruption --exhaustive ;;
esac
exec python3 tests/replay/soak.py "$@"
