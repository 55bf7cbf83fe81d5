#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/dev.sh [PATH...]: builds what changed since the last commit (or what the paths are of; a
#   folder stands for its files) and runs the tests of it, in minutes rather than in scripts/test.sh's
#   hour.
# scripts/dev.sh --list [PATH...]: prints the tests, and runs nothing.
# PRESET=debug scripts/dev.sh builds with another preset of CMakePresets.json than release.
set -euo pipefail
cd "$(dirname "$0")/.."
list=
[ "${1:-}" != --list ] || { list=1; shift; }
preset=${PRESET:-release}

changed=()
for path in "$@"; do
  if [ -d "$path" ]; then
    mapfile -t -O "${#changed[@]}" changed < <(git ls-files --cached --others --exclude-standard -- "$path")
  else
    changed+=("${path#./}")
  fi
done
if [ $# -eq 0 ]; then
  # With renames as two lines; untracked files, too.
  mapfile -t changed < <(git diff --name-only --no-renames HEAD; git ls-files --others --exclude-standard)
fi
if [ ${#changed[@]} -eq 0 ]; then
  echo "dev.sh: nothing changed since the last commit; name paths, or run scripts/test.sh" >&2
  exit 0
fi

declare -A tests=() targets=()
everything= compare_tests=
installed=(varve varve_pages varve_static varve_shared)  # What the test `install` needs.
add() {  # add TEST-PATTERN TARGET...
  tests[$1]=1
  shift
  for target in "$@"; do targets[$target]=1; done
}
for path in "${changed[@]}"; do
  room=${path#*/}
  room=${room%%/*}
  case $path in
    core/include/*) add 'unit_.*|reference|install|layers|mutants_apply'; everything=1 ;;
    core/package/*) add 'install|reference' "${installed[@]}" ;;
    CONTRIBUTING.md | core/README.md) add 'docs_places' ;;
    core/decisions/*) ;;
    core/arrow/*) add 'unit_arrow|arrow|layers' arrow_tests varve varve_python ;;
    core/python/*) add 'python_.*|docs_python|layers|arrow|staging.*' varve varve_python ;;
    pyproject.toml | scripts/wheel.sh) add 'python_wheel' varve varve_python ;;
    */layers.txt) add 'layers' ;;
    core/*/*) add "unit_$room|layers|mutants_apply" "${room}_tests" ;;
    cli/*) add 'unit_cli|cli|cli_(load|opening|output|recovery|repair|verbs|config)|layers' varve cli_tests ;;
    webview/api/*) add 'unit_api|contract|layers' varve api_tests ;;
    webview/http/*) add 'unit_http|security_.*' varve http_tests ;;
    wasm/*) add 'wasm_(package|goldens|example)' varve ;;
    web/docs/*) add 'docs_.*' varve docs_embedded ;;
    web/*) add 'web_unit' ;;
    tests/unit/*)
      room=${path#tests/unit/}
      add "unit_${room%%/*}" "${room%%/*}_tests"
      ;;
    tests/fixtures/*) add 'unit_.*|corruption|answers'; everything=1 ;;
    tests/cli/*) add 'cli.*' varve cli_tests ;;
    tests/concurrency/*) add 'stress|memtable_grades' concurrency_programs ;;
    tests/crash/*) add 'kill' varve kill_tests ;;
    tests/hostile/*) add 'limits' varve ;;
    tests/mutants/*) add 'mutants.*' ;;
    tests/mix/*) add 'model|interop_fuzz|power_loss'; everything=1 ;;
    tests/property/*) add 'grades' grades_test ;;
    tests/simulator/*) add 'power_loss' power_loss_test ;;
    tests/snapshot/*) add 'unit_(compaction|version)' compaction_tests version_tests ;;
    tests/python/wheel.py) add 'python_wheel' varve varve_python ;;
    tests/python/*) add 'python_package|docs_python' varve_python ;;
    tests/distributed/*) add 'staging.*' varve_python ;;
    tests/setup/*) add 'setup|release|layers_refused|lint_finds'; everything=1 ;;
    tests/doctest_main.cc | tests/forwarding_fs.h | tests/scratch_directory.h) add 'unit_.*'; everything=1 ;;
    tests/*/*) add "${room}.*"; everything=1 ;;
    CMakeLists.txt | CMakePresets.json | */CMakeLists.txt) add 'layers|setup'; everything=1 ;;
    tests/tests.txt | scripts/check_tests.py) compare_tests=1 ;;
    .clang-format | scripts/spelling.txt) add 'tidy' ;;
    .clang-tidy | scripts/tidy.sh | scripts/lint_sources.py) add 'tidy|lint_finds' ;;
    scripts/setup.sh) add 'setup'; everything=1 ;;
    scripts/release.sh) add 'release' ;;
    scripts/layers.py) add 'layers|layers_refused' ;;
    *) ;;
  esac
done
if [ ${#tests[@]} -eq 0 ] && [ -z "$compare_tests" ]; then
  echo "dev.sh: no test is about what changed: ${changed[*]}"
  exit 0
fi
pattern="^($(IFS='|'; echo "${!tests[*]}"))\$"
if [ -n "$list" ]; then
  [ -z "$compare_tests" ] || echo scripts/check_tests.py
  ctest --test-dir "build/$preset" --show-only -R "$pattern" | sed -n 's/^ *Test *#[0-9]*: //p'
  exit
fi
case " ${changed[*]} " in *" wasm/"*) scripts/build.sh wasm ;; esac
case " ${changed[*]} " in *" web/"*) scripts/build.sh web ;; esac
case " ${changed[*]} " in *" web/docs/"*) scripts/build.sh docs ;; esac
if [ -n "$everything" ]; then
  scripts/build.sh "$preset"
else  # build.ninja: what CMake makes, at least.
  scripts/build.sh "$preset" build.ninja "${!targets[@]}"
fi
[ -z "$compare_tests" ] || scripts/check_tests.py "build/$preset"
[ ${#tests[@]} -gt 0 ] || exit 0
exec ctest --test-dir "build/$preset" -R "$pattern" --output-on-failure -j "$(nproc)"
