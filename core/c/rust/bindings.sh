#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# core/c/rust/bindings.sh: makes src/seven.rs and src/eleven.rs anew of rocksdb/c.h of RocksDB 7.8.3 (librocksdb-dev) and
# 11.8.1 (scripts/bindings.sh), as librocksdb-sys does at each build. Needs `bindgen` of the crate bindgen-cli, and libclang.
set -euo pipefail
cd "$(dirname "$0")"
make() {  # make HEADER OUTPUT
  bindgen "$1" --ctypes-prefix libc --no-derive-debug --blocklist-type max_align_t --allowlist-item 'rocksdb_.*' \
    --no-layout-tests --output "$2"
}
make /usr/include/rocksdb/c.h src/seven.rs
make ../../../.deps/bindings/c_test-11.8.1/include/rocksdb/c.h src/eleven.rs
