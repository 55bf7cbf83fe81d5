#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/bindings.sh: what tests/bindings runs, into .deps/bindings: bindings of RocksDB's C interface for Rust and Go with
# their own tests, RocksDB's c_test.c (7.8.3, and 11.8.1 with its c.h), and its ldb_test.py. Each comes from its package registry (of
# Rust's, what Cargo.lock names), or from Debian's source package.
# scripts/bindings.sh --lock: makes the Cargo.locks anew.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
dir=$root/.deps/bindings
locks=$root/tests/bindings/locks

# The source of a crate, as the registry has it: a package that depends on it knows where cargo unpacked it.
fetch_crate() {  # fetch_crate NAME VERSION STAND-IN
  local work
  work=$(mktemp -d)
  mkdir "$work/src"
  touch "$work/src/lib.rs"
  cat >"$work/Cargo.toml" <<T
[package]
name = "fetch"
version = "0.0.0"
[dependencies]
$1 = { version = "=$2", default-features = false }
T
  (cd "$work" && cargo --quiet metadata --format-version 1 --config "$3") |
    python3 -c 'import json, sys
print(*(p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == sys.argv[1]))' "$1" >"$work/manifest"
  cp -r "$(dirname "$(cat "$work/manifest")")" "$work/crate"
  rm -f "$work"/crate/rust-toolchain{,.toml}  # Of that time.
  mv "$work/crate" "$dir/new"
  rm -rf "$work"
}

rust() {  # rust VERSION VERSION-OF-LIBROCKSDB-SYS
  local name=rust-rocksdb-$1
  local stand_in="patch.crates-io.librocksdb-sys.path='$root/core/c/rust/$2'"
  [ ! -e "$dir/$name" ] || return 0
  echo "setup: $name into .deps/bindings"
  fetch_crate rocksdb "$1" "$stand_in"
  cd "$dir/new"
  if [ $lock = yes ]; then
    cargo --quiet generate-lockfile --config "$stand_in"
    cp Cargo.lock "$locks/$name.lock"
  fi
  cp "$locks/$name.lock" Cargo.lock
  cargo --quiet fetch --locked --config "$stand_in"
  mv "$dir/new" "$dir/$name"
  cd "$root"
}

go_module() {  # go_module NAME PATH VERSION SUM
  [ ! -e "$dir/$1" ] || return 0
  echo "setup: $1 into .deps/bindings"
  local said
  said=$(cd "$dir" && go mod download -json "$2@$3")
  cp -r "$(python3 -c 'import json, sys
said = json.loads(sys.argv[1])
if said["Sum"] != sys.argv[2]: sys.exit("setup: %(Path)s has the checksum %(Sum)s" % said)
print(said["Dir"])' "$said" "$4")" "$dir/new"
  chmod -R u+w "$dir/new"
  (cd "$dir/new" && go mod download)
  mv "$dir/new" "$dir/$1"
}

of_rocksdb() {  # of_rocksdb NAME FILE VERSION DEBIAN-VERSION: a file of Debian's source package
  [ ! -e "$dir/$1-$3" ] || return 0
  echo "setup: $2 of RocksDB $3 into .deps/bindings"
  local work
  work=$(mktemp -d)
  (
    . wasm/private_apt.sh
    private_apt "$work" deb-src bookworm
    cd "$work"
    apt-get -qq source --download-only "rocksdb=$4" 2>/dev/null
    mkdir "$dir/new"
    tar -xf rocksdb_*.orig.tar.* -C "$dir/new" --strip-components=2 "rocksdb-$3/$2"
  )
  rm -rf "$work"
  mv "$dir/new" "$dir/$1-$3"
}

# The crate that builds RocksDB has its sources.
c_test_of_crate() {  # c_test_of_crate VERSION CRATE-VERSION
  local name=c_test-$1
  [ ! -e "$dir/$name" ] || return 0
  echo "setup: c_test.c of RocksDB $1 into .deps/bindings"
  fetch_crate librocksdb-sys "$2" net.retry=3
  local rocksdb=$dir/new/rocksdb
  mkdir -p "$dir/part/include/rocksdb" "$dir/part/c_api_gen"
  cp "$rocksdb/db/c_test.c" "$dir/part"
  cp "$rocksdb/include/rocksdb/c.h" "$dir/part/include/rocksdb"
  cp "$rocksdb/c_api_gen/c_generated_roundtrip_tests.c.inc" "$dir/part/c_api_gen"
  rm -rf "$dir/new"
  mv "$dir/part" "$dir/$name"
}

lock=no
[ "${1:-}" != --lock ] || { lock=yes; rm -rf "$dir"/rust-*; }
mkdir -p "$dir"
rm -rf "$dir/new" "$dir/part"
rust 0.19.0 0.8
rust 0.20.1 0.10
rust 0.25.0 0.19
cargo --quiet fetch --locked --manifest-path tests/bindings/crate/Cargo.toml
go_module grocksdb-1.7.14 github.com/linxGnu/grocksdb v1.7.14 h1:8lMZzyWeNP5lI0BIppX05DzmQzXj/Tgu82bgWYtowLY=
go_module grocksdb-1.11.1 github.com/linxGnu/grocksdb v1.11.1 h1:/gjcsviJimrQCDDlQCVuvzmeVAvgapQKaFQkQSe48bQ=
of_rocksdb c_test db/c_test.c 7.8.3 7.8.3-2
c_test_of_crate 11.8.1 0.19.0+11.8.1
of_rocksdb ldb_test tools/ldb_test.py 7.8.3 7.8.3-2
