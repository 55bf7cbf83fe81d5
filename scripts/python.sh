#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/python.sh [--arrow]: what builds the Python package (core/python/requirements.txt) into
# .deps/python: nanobind and scikit-build-core, which Debian does not have. --arrow: also what reads Arrow
# in tests (tests/arrow/requirements.txt), into .deps/arrow.
set -euo pipefail
cd "$(dirname "$0")/.."

# install WHAT REQUIREMENTS PREFIX. What is there is right as long as the list is what it was installed from.
install() {
  ! cmp -s "$2" "$3/.installed-from" || return 0
  echo "setup: $1 into $3"
  rm -rf "$3"
  /usr/bin/python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps --require-hashes \
    --only-binary :all: --target "$3" --requirement "$2"
  cp "$2" "$3/.installed-from"
}

install "nanobind and scikit-build-core" core/python/requirements.txt .deps/python
if [[ ${1-} == --arrow ]]; then
  # Their wheels are for one machine and one Python.
  machine=$(/usr/bin/python3 -c 'import platform as p; print(p.machine(), *p.python_version_tuple()[:2])')
  [[ $machine == "x86_64 3 11" ]] || exit 0
  install "pyarrow, polars and DuckDB" tests/arrow/requirements.txt .deps/arrow
fi
