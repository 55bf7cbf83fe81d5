#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/wheel.sh DIR [PYTHON...]: what pip installs, made of this checkout into DIR:
#     varve-VERSION.tar.gz            the source distribution
#     varve-VERSION-TAGS.whl          for each PYTHON (/usr/bin/python3), with the program `varve`;
#                                     3.11 or newer: what builds it wants more packages with 3.10
# The wheels are for every Linux with glibc 2.34 or newer: all other libraries are in them. A wheel that
# CPython 3.12 or newer makes serves all later versions as well (abi3), others that version only. The
# web app is in them if scripts/build.sh web has built it. Needs scripts/setup.sh build and python.
# The same commit, built in the same place with the same compiler, gives the same bytes.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,10p' "$0"; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- /usr/bin/python3
scripts/python.sh
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
export PYTHONPATH=$PWD/.deps/python PATH=$PWD/.deps/python/bin:$PATH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

/usr/bin/python3 -c 'import sys, scikit_build_core.build as made; made.build_sdist(sys.argv[1])' "$dir"
number=0
for python in "$@"; do
  number=$((number + 1))
  # Beside build/release, by a compiler of the same name and with the same warnings: so the compiler's
  # cache has what that compiled.
  CC=/usr/bin/cc CXX=/usr/bin/c++ "$python" -m pip wheel --no-build-isolation --no-deps --no-index \
    --disable-pip-version-check --config-settings=build-dir=build/wheel \
    --config-settings=cmake.define.VARVE_WARNINGS_AS_ERRORS=ON \
    --config-settings=cmake.define.VARVE_PORTABLE=ON --wheel-dir "$stage/$number" .
  # Puts the codecs into it, checks that nothing else is needed, and names the systems.
  /usr/bin/python3 -m auditwheel repair --plat "manylinux_2_34_$(uname -m)" \
    --wheel-dir "$dir" "$stage/$number"/*.whl
done
