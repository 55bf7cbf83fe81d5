// SPDX-License-Identifier: Apache-2.0

// Package eleven links a program with Varve where grocksdb 1.11 would link RocksDB 11: README.md.
package eleven

// #cgo pkg-config: varve-rocksdb-11
import "C"
