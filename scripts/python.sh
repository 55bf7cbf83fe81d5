#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/python.sh [--arrow|--distributed]: what builds the Python package (core/python/requirements.txt) into
# .deps/python: nanobind and scikit-build-core, which Debian does not have. --arrow: also what reads Arrow
# in tests (tests/arrow/requirements.txt), into .deps/arrow. --distributed: instead, Spark and Ray
# (tests/distributed/requirements.txt), a gigabyte, into .deps/distributed.
set -euo pipefail
cd "$(dirname "$0")/.."

# install WHAT REQUIREMENTS PREFIX [ARGUMENT...]. What is there is right as long as the list is what it was installed from.
install() {
  ! cmp -s "$2" "$3/.installed-from" || return 0
  echo "setup: $1 into $3"
  rm -rf "$3"
  /usr/bin/python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps --require-hashes \
    --only-binary :all: --target "$3" --requirement "$2" "${@:4}"
  cp "$2" "$3/.installed-from"
}

install "nanobind and scikit-build-core" core/python/requirements.txt .deps/python
[[ -n ${1-} ]] || exit 0
# Their wheels are for one machine and one Python.
machine=$(/usr/bin/python3 -c 'import platform as p; print(p.machine(), *p.python_version_tuple()[:2])')
[[ $machine == "x86_64 3 11" ]] || exit 0
case $1 in
  --arrow) install "pyarrow, polars and DuckDB" tests/arrow/requirements.txt .deps/arrow ;;
  # Of PySpark there is no wheel. Compiled, since Ray gives up if its processes do not start quickly.
  --distributed) install "Spark and Ray" tests/distributed/requirements.txt .deps/distributed \
    --no-binary pyspark --no-build-isolation --compile ;;
esac
