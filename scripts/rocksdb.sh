#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/rocksdb.sh: RocksDB 11.8.1 as its own project builds it, into .deps/rocksdb-11.8.1/librocksdb.so.
# Debian's is 7.8.3. The library is taken out of the Java package org.rocksdb:rocksdbjni; it has all of
# RocksDB's C interface and needs no Java. tests/interop/latest_test.py tests against it.
set -euo pipefail
cd "$(dirname "$0")/.."
version=11.8.1
case "$(uname -m)" in
  aarch64)
    library=librocksdbjni-linux-aarch64.so
    sha256=7b2d0808c6afae32db39f11cb61cbefffcf460895b1c64ee6193ba02d6bdd23a
    ;;
  *)
    library=librocksdbjni-linux64.so
    sha256=265c656af5c6502cb8d71db1a74858509f706cc47f1a5b6f603c736d11ce677d
    ;;
esac
prefix=.deps/rocksdb-$version
[ ! -e "$prefix/librocksdb.so" ] || exit 0

echo "setup: RocksDB $version into $prefix"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mvn --quiet --batch-mode -Dstyle.color=never \
  org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
  "-Dartifact=org.rocksdb:rocksdbjni:$version" "-DoutputDirectory=$work" -Dmdep.stripVersion=true |
  sed 's/\x1b\[[0-9;]*m//g'  # It says nothing unless something is wrong.
python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract(*sys.argv[2:])' \
  "$work/rocksdbjni.jar" "$library" "$work"
echo "$sha256  $work/$library" | sha256sum --quiet --check
mkdir -p "$prefix"
mv "$work/$library" "$prefix/librocksdb.so"
