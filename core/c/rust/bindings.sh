#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# core/c/rust/bindings.sh: makes src/bindings.rs anew of rocksdb/c.h of RocksDB 7.8.3 (librocksdb-dev), as librocksdb-sys
# does at each build. Needs `bindgen` of the crate bindgen-cli, and libclang.
set -euo pipefail
cd "$(dirname "$0")"
header=${1:-/usr/include/rocksdb/c.h}
bindgen "$header" --ctypes-prefix libc --no-derive-debug --blocklist-type max_align_t --allowlist-item 'rocksdb_.*' \
  --no-layout-tests --output src/bindings.rs
