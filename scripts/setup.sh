#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that building and testing Varve needs, and says which.
# Does nothing, and needs no root, where they are already there.
#   scripts/setup.sh build    compiler, CMake and the libraries
#   scripts/setup.sh test     and the oracles: RocksDB's and LevelDB's own tools and libraries
#   scripts/setup.sh bench    what scripts/bench.sh needs: peers to measure against, and fio
set -euo pipefail

build=(build-essential cmake ninja-build pkg-config ccache mold python3
  libcli11-dev nlohmann-json3-dev libcpp-httplib-dev libxxhash-dev
  libzstd-dev liblz4-dev libsnappy-dev libbz2-dev zlib1g-dev liburing-dev)
test=(doctest-dev python3-jsonschema rocksdb-tools librocksdb-dev libleveldb-dev liblmdb-dev
  libgflags-dev clang-19 strace python3-prometheus-client
  lld-19 llvm-19 node-acorn chromium)

cd "$(dirname "$0")/.."
. scripts/node.sh
want=("${build[@]}")
if [ "${1:-build}" = test ]; then
  want+=("${test[@]}")
  node_is_recent || want+=(nodejs npm)
fi

if [ "${1:-build}" = bench ]; then
  want+=("${bench[@]}")
fi

missing=()
for package in "${want[@]}"; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
    missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "setup: installing ${missing[*]}"
  sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "setup: not root and no sudo; ask an administrator to install the packages above" >&2
      exit 1
    }
    sudo=(sudo)
  fi
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null
fi
[ "${1:-build}" != test ] || node_is_recent || install_node
