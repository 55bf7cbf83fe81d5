// SPDX-License-Identifier: Apache-2.0
//! The functions of `rocksdb/c.h`, which Varve is behind. Documentation is RocksDB's; README.md in core/c says what differs.
#![allow(clippy::all)]
#![allow(non_camel_case_types)]
#![allow(non_snake_case)]
#![allow(non_upper_case_globals)]

// Replaces malloc of the program; nothing else of it is used.
#[cfg(feature = "jemalloc")]
extern crate tikv_jemalloc_sys;

include!(env!("VARVE_BINDINGS"));
