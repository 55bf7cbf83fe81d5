#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that building and testing Varve needs, and says which.
# Does nothing, and needs no root, where they are already there.
#   scripts/setup.sh library  what the library alone needs, without command line, HTTP and web page
#   scripts/setup.sh build    compiler, CMake and the libraries: for scripts/build.sh release varve
#   scripts/setup.sh python   and what the Python package needs: pip install .
#   scripts/setup.sh bench    and what scripts/bench.sh needs: stores to measure against, and fio
#   scripts/setup.sh test     and the oracles: RocksDB's and LevelDB's own tools, browsers, Node,
#                             a current RocksDB (scripts/rocksdb.sh), and programs that are
#                             written for RocksDB (scripts/bindings.sh)
#   scripts/setup.sh distributed    and what scripts/soak.sh --distributed needs: Java, Spark and Ray
#   scripts/setup.sh --list NAME    prints the list, a package a line
# tests/setup/setup_test.py checks that each list has all that its builds read.
set -euo pipefail

library=(build-essential cmake ninja-build ccache mold
  libxxhash-dev libzstd-dev liblz4-dev libsnappy-dev libbz2-dev zlib1g-dev liburing-dev libcurl4-openssl-dev)
build=("${library[@]}" python3 libcli11-dev nlohmann-json3-dev libboost-dev libedit-dev)
python=("${build[@]}" python3-dev python3-pip)
distributed=("${python[@]}" openjdk-17-jre-headless)
peers=(librocksdb-dev libleveldb-dev liblmdb-dev libgflags-dev)
bench=("${build[@]}" "${peers[@]}" fio)
# relacy-dev has the memory model that tests/memory_orders runs lock-free code in.
test=("${build[@]}" "${peers[@]}" "${python[@]}" mypy pkg-config doctest-dev relacy-dev python3-jsonschema rocksdb-tools
  valgrind clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev lld-19 llvm-19 codespell doxygen
  groff-base strace python3-prometheus-client node-acorn chromium firefox-esr zsh fish maven golang-go cargo-web rustc-web)

cd "$(dirname "$0")/.."
. scripts/node.sh
node_is_recent || test+=(nodejs npm)

list=${1:-build}
[ "$list" != --list ] || list=${2:-}
case $list in
  library) want=("${library[@]}") ;;
  build) want=("${build[@]}") ;;
  python) want=("${python[@]}") ;;
  bench) want=("${bench[@]}") ;;
  distributed) want=("${distributed[@]}") ;;
  test) want=("${test[@]}") ;;
  *)
    echo "usage: scripts/setup.sh [--list] library|build|python|bench|distributed|test" >&2
    exit 2
    ;;
esac
if [ "${1:-}" = --list ]; then
  printf '%s\n' "${want[@]}"
  exit
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
[ "$list" != test ] || node_is_recent || install_node
[ "$list" != test ] || { scripts/rocksdb.sh; scripts/bindings.sh; }
case $list in
  python) scripts/python.sh ;;
  distributed) scripts/python.sh --distributed ;;
  test) scripts/python.sh --arrow ;;
esac
