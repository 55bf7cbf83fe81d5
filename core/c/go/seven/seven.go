// SPDX-License-Identifier: Apache-2.0

// Package seven links a program with Varve where grocksdb 1.7 would link RocksDB 7.8: README.md.
package seven

// #cgo pkg-config: varve-rocksdb
import "C"
