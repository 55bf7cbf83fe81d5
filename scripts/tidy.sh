#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/tidy.sh: formats the C++ sources (.clang-format), and the web app (web/.prettierrc.json) where
#   scripts/build.sh web has installed what that needs.
# scripts/tidy.sh --check: changes nothing, fails where something is not formatted, a comment is wider
#   than 100 columns (which clang-format leaves, since it would cut diagrams), a word is misspelled
#   (codespell, except for the words of scripts/spelling.txt), or a test sleeps without a reason
#   (tests/README.md, "Waiting"). The test `tidy` runs it.
# scripts/tidy.sh --lint [FILE...]: clang-tidy (.clang-tidy) over the product's sources, or those
#   named. A quarter of an hour for all: CI has a job for it (.github/workflows/ci.yml).
set -euo pipefail
cd "$(dirname "$0")/.."
made='tests/fixtures/(db|sst|hostile|other_order|logs)'  # Not written by hand.
sources() { git ls-files '*.h' '*.cc' '*.c' | grep -vE "^$made"; }
format=clang-format-19
. scripts/node.sh
wide_comments() { sources | LC_ALL=C.UTF-8 xargs grep -nHP '^(?=.{101})(.*\s)?//\s'; }
# Sleeps of tests in C++ and Python without "pause: REASON" on their line. The simulator defines such calls.
bare_sleeps() {
  git grep -nE '\b(sleep|sleep_for|sleep_until|usleep|nanosleep)\(' -- 'tests/*.cc' 'tests/*.h' 'tests/*.c' 'tests/*.py' \
    ':!tests/simulator/posix_calls.cc' | grep -vE '(//|#) pause: .'
}
web() { [ ! -x web/node_modules/.bin/prettier ] || (cd web && node_modules/.bin/prettier --log-level warn "$1" .); }
case ${1:-} in
  '')
    sources | xargs $format -i
    web --write
    ;;
  --check)
    failed=0
    sources | xargs $format --dry-run -Werror || failed=1
    web --check || failed=1
    [ $failed -eq 0 ] || echo "tidy.sh: scripts/tidy.sh formats them" >&2
    wide_comments && failed=1
    git ls-files | grep -vE "^$made|^tests/fuzz/corpus/|package-lock\.json$|go\.sum$|\.(png|svg|ico)$" |
      xargs codespell --ignore-words=scripts/spelling.txt || failed=1
    ! bare_sleeps || {
      echo "tidy.sh: wait for a condition (tests/waiting.h, tests/waiting.py), or say why: \"pause: REASON\"" >&2
      failed=1
    }
    exit $failed
    ;;
  --lint)
    shift
    [ -e build/clang/compile_commands.json ] || cmake --preset clang --log-level=NOTICE >/dev/null
    # Other stores are not there in this build (cli/commands/bench/peers).
    all() { git ls-files 'core/*.cc' 'cli/*.cc' 'webview/*.cc' | grep -v /peers/; }
    if [ $# -gt 0 ]; then printf '%s\n' "$@"; else all; fi |
      xargs -P "$(nproc)" -n 4 clang-tidy-19 -p build/clang --quiet --warnings-as-errors='*' 2>/dev/null
    ;;
  *)
    echo "usage: scripts/tidy.sh [--check | --lint [FILE...]]" >&2
    exit 2
    ;;
esac
