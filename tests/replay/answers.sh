#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# answers.sh BUILD [--seed=N] [--changes=N]: answers_test, with the hostile inputs as files.
set -euo pipefail
build=$1
shift
cd "$(dirname "$0")/../.."
python3 tests/fixtures/hostile/unpack.py "$build/tests/hostile_inputs"
exec "$build/tests/answers/answers_test" "$@" tests/fixtures "$build/tests/hostile_inputs"
