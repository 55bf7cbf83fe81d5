#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/python.sh: what builds the Python package (core/python/requirements.txt) into .deps/python:
# nanobind and scikit-build-core, which Debian does not have.
set -euo pipefail
cd "$(dirname "$0")/.."
requirements=core/python/requirements.txt
prefix=.deps/python
# What is there is right as long as the list is what it was installed from.
! cmp -s $requirements $prefix/.installed-from || exit 0

echo "setup: nanobind and scikit-build-core into $prefix"
rm -rf $prefix
/usr/bin/python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps --require-hashes \
  --only-binary :all: --target $prefix --requirement $requirements
cp $requirements $prefix/.installed-from
