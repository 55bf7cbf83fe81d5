#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/fuzz.sh [TARGET...] [--seconds=N | --runs=N]: builds the fuzzers of tests/fuzz (all of them, or
#   these) and runs each for so long (default: 60 seconds), beginning with its corpora: the checked-in
#   one and what earlier runs found new, build/fuzz/corpus. An input that fails goes to
#   build/fuzz/found, with the line that repeats it in repeat.txt there; the exit code is 1.
# scripts/fuzz.sh --minimise [TARGET...]: makes the checked-in corpora again from these two and the
#   fixtures: few inputs that reach all that all of them reach.
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { sed -n '3,8s/^# \{0,1\}//p' scripts/fuzz.sh; }
targets=()
limit=-max_total_time=60
minimise=
for word; do
  case $word in
    -h | --help) usage; exit 0 ;;
    --seconds=*) limit=-max_total_time=${word#*=} ;;
    --runs=*) limit=-runs=${word#*=} ;;
    --minimise) minimise=yes ;;
    -*) usage >&2; exit 2 ;;
    *) targets+=("$word") ;;
  esac
done
scripts/setup.sh test
if [ ${#targets[@]} -gt 0 ]; then
  scripts/build.sh fuzz "${targets[@]/#/fuzz_}" fuzz_seeds
else
  scripts/build.sh fuzz
  for program in build/fuzz/fuzzers/*; do targets+=("${program##*/}"); done
fi

# The CPU time of each input is checked by the programs themselves; these end what hangs.
limits=(-timeout=60 -rss_limit_mb=2560 -malloc_limit_mb=1024)
found=build/fuzz/found
inputs_max=100
export UBSAN_OPTIONS=print_stacktrace=1

# Edges alone, not how often each is passed: else the corpus would be ten times as large.
minimise() {
  local target=$1 kept=tests/fuzz/corpus/$1 made
  made=$(mktemp -d)
  mkdir -p "$kept" "build/fuzz/seeds/$target"
  "build/fuzz/fuzzers/$target" -set_cover_merge=1 -use_counters=0 "${limits[@]}" "-artifact_prefix=$found/$target-" "$made" \
    "$kept" "build/fuzz/corpus/$target" "build/fuzz/seeds/$target" 2>&1 | tail -1
  # What once failed stays, under its own name.
  find "$kept" -type f ! -name 'found-*' -delete
  # Of too many, some of all sizes: the smallest are often those that are refused at once.
  # shellcheck disable=SC2012  # Names of hashes.
  ls -rS "$made" | awk -v most=$inputs_max '{ name[NR] = $0 }
    END {
      step = NR > most ? NR / most : 1
      for (i = 0; i < NR && i < most; ++i) print name[int(i * step) + 1]
    }' | while read -r name; do cp "$made/$name" "$kept/${name:0:12}"; done
  rm -r "$made"
  echo "$target: $(find "$kept" -type f | wc -l) inputs, $(du -sb "$kept" | cut -f1) bytes"
}

mkdir -p build/fuzz/corpus $found
if [ -n "$minimise" ]; then
  build/fuzz/tests/fuzz/fuzz_seeds tests/fixtures build/fuzz/seeds
  for target in "${targets[@]}"; do
    mkdir -p "build/fuzz/corpus/$target"
    minimise "$target"
  done
  exit
fi

failed=0
for target in "${targets[@]}"; do
  mkdir -p "build/fuzz/corpus/$target"
  program=build/fuzz/fuzzers/$target
  log=$found/$target.log
  dictionary=()
  [ -e "tests/fuzz/$target.dict" ] && dictionary=("-dict=tests/fuzz/$target.dict")
  if "$program" "$limit" "${limits[@]}" "${dictionary[@]}" -print_final_stats=1 \
    "-artifact_prefix=$found/$target-" "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" \
    >"$log" 2>&1; then
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: //p' "$log") inputs, nothing found"
    continue
  fi
  failed=1
  input=$(sed -n 's/^artifact_prefix.*written to //p' "$log" | tail -1)
  echo "$target: $(grep -m 1 -E '^does not hold|^SUMMARY|ERROR: ' "$log" || tail -1 "$log")"
  echo "$program $input" | tee -a $found/repeat.txt
done
exit $failed
