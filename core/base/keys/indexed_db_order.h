// SPDX-License-Identifier: Apache-2.0
// "idb_cmp1": the key order of Chromium's IndexedDB in LevelDB, for reading browser profiles.
//
//   | sizes of the ids (1) | database | object store | index | contents, by these ids |
//
//   database 0          metadata of all: a type byte, and its fields
//   object store 0      metadata of a database: the same
//   index 1, 2, 3       a record, its existence, its blobs: a key of a script
//   index >= 30         a key of a script, a sequence number and the primary key of the record
//
// Keys of a script sort as in the IndexedDB specification: numbers, dates, strings, binary, arrays.
// Chromium compares values, not bytes; so keys with different encodings may be equal. Invalid
// bytes, which Chromium treats as equal to everything, sort behind valid ones.
#pragma once

#include "varve/comparator.h"

namespace varve {

const Comparator* IndexedDbComparator();

}  // namespace varve
