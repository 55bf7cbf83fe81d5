#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/tidy.sh: formats the C++ sources (.clang-format), and the web app (web/.prettierrc.json) where
#   scripts/build.sh web has installed what that needs.
# scripts/tidy.sh --check: changes nothing, fails where something is not formatted, a comment is wider
#   than 100 columns (which clang-format leaves, since it would cut diagrams), a word is misspelled
#   (codespell, except for the words of scripts/spelling.txt), or a test sleeps without a reason
#   (tests/README.md, "Waiting"). The test `tidy` runs it.
# scripts/tidy.sh --lint [FILE...]: clang-tidy (.clang-tidy) over the sources that a build with tests
#   compiles, or those named, and the headers that they include. Over an hour of CPU time for all, which
#   scripts/soak.sh --lint does every night.
# scripts/tidy.sh --lint --since COMMIT: what has changed since, headers by a source that includes them.
#   A few minutes: for each change, in CI (.github/workflows/ci.yml).
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
    commands=build/clang/compile_commands.json
    grep -qs /tests/ $commands || cmake --preset clang -DVARVE_BUILD_TESTS=ON --log-level=NOTICE >/dev/null
    if [ "${1:-}" = --since ]; then
      since=$2
      # GitHub names no commit before the first one of a branch.
      git rev-parse --quiet --verify "$since^{commit}" >/dev/null || since=HEAD^
      scripts/lint_sources.py $commands "$since"
    elif [ $# -gt 0 ]; then
      printf '%s\n' "$@"
    else
      scripts/lint_sources.py $commands
    fi | xargs -r -P "$(nproc)" -n 4 clang-tidy-19 -p build/clang --quiet --warnings-as-errors='*' 2>&1 |
      { grep -vE '^[0-9]+ warnings?( and [0-9]+ errors?)? generated\.$' || :; }  # In other people's headers.
    ;;
  *)
    echo "usage: scripts/tidy.sh [--check | --lint [FILE... | --since COMMIT]]" >&2
    exit 2
    ;;
esac
