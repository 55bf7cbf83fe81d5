// SPDX-License-Identifier: Apache-2.0
// "idb_cmp1": the order in which Chromium keeps IndexedDB in LevelDB, for reading browser profiles.
//
//   | sizes of the ids (1) | database | object store | index | what the ids say follows |
//
//   database 0          metadata of all: a type byte, and its fields
//   object store 0      metadata of a database: the same
//   index 1, 2, 3       a record, that it exists, its blobs: a key of a script
//   index >= 30         a key of a script, a sequence number and the primary key of the record
//
// Keys of a script sort as the IndexedDB specification says: numbers, dates, strings, binary,
// arrays. Chromium compares values, not bytes; so keys that are encoded differently may be equal.
// Bytes that are no such key, which Chromium calls equal to everything, sort behind those that are.
#pragma once

#include "varve/comparator.h"

namespace varve {

const Comparator* IndexedDbComparator();

}  // namespace varve
