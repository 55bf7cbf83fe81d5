// SPDX-License-Identifier: Apache-2.0
// Comparator is the order of the user keys of a column family. Its name is stored in the MANIFEST
// and in every table; a database opens only under the comparator it was written with.
//
// Three orders are built in (see ComparatorByName()). Two of them are known to the engine at
// compile time, so hot paths compare inline. Any other comparator is called through this interface.
// Implementations must be thread-safe and must not throw: the engine is compiled without
// exceptions.
//
// A comparator may also say that keys have timestamps: RocksDB's user-defined timestamps. What is
// stored is then the key and its timestamp in one string, and Compare() orders those:
//
//   | key (n) | timestamp (timestamp_size()) |    by key, and the newest timestamp first
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "varve/export.h"

namespace varve {

// A total order of keys. It must not change while a database exists that was written with it. Must
// outlive every DB that uses it; called by many threads at once.
class VARVE_EXPORT Comparator {
 public:
  // Which comparator this is: hot paths have code for the two bytewise ones.
  enum class Kind : uint8_t {
    kBytewise,         // Unsigned byte order: "leveldb.BytewiseComparator".
    kReverseBytewise,  // Its exact reverse: "rocksdb.ReverseBytewiseComparator".
    kOther,            // Any other, e.g. one defined by the program.
  };

  virtual ~Comparator() = default;  // No DB may use it any more.

  // < 0, 0 or > 0 as a sorts before, equal to or after b.
  virtual int Compare(std::string_view a, std::string_view b) const = 0;
  // Stored with the data: must never change. Valid as long as the comparator.
  virtual std::string_view name() const = 0;
  // Do not override: the engine does not call Compare() on comparators that are not kOther.
  virtual Kind kind() const { return Kind::kOther; }

  // Bytes of the timestamp at the end of each stored key; 0: keys have none. Never changes.
  virtual size_t timestamp_size() const { return 0; }
  // With timestamps: < 0, 0 or > 0 as `a` is older than, as old as or newer than `b`. All bytes 0
  // must be the oldest timestamp, all bytes 0xff the newest.
  virtual int CompareTimestamps([[maybe_unused]] std::string_view a,
                                [[maybe_unused]] std::string_view b) const {
    return 0;
  }
  // With timestamps: compares two keys that come without theirs.
  virtual int CompareWithoutTimestamps(std::string_view a, std::string_view b) const {
    return Compare(a, b);
  }

  // Requires *start < limit. May shorten *start to any key in [*start, limit). Defined here because
  // core/ is built without RTTI: programs could not derive from a class whose vtable is in core/.
  virtual void FindShortestSeparator([[maybe_unused]] std::string* start,
                                     [[maybe_unused]] std::string_view limit) const {}
};

// The order by unsigned bytes, the default. Lives as long as the process.
VARVE_EXPORT const Comparator* BytewiseComparator();
// Its exact reverse. Lives as long as the process.
VARVE_EXPORT const Comparator* ReverseBytewiseComparator();

// Bytewise order of keys with timestamps that are little-endian numbers of 8 bytes:
// "leveldb.BytewiseComparator.u64ts". Lives as long as the process. ComparatorByName() does not
// know it: as with RocksDB, a program says that its keys have timestamps.
VARVE_EXPORT const Comparator* BytewiseComparatorWithU64Ts();

// The built-in comparator of that name, or null (data in an unknown order cannot be searched).
// These are the two above and "idb_cmp1", which browsers use for IndexedDB. They live as long as
// the process.
VARVE_EXPORT const Comparator* ComparatorByName(std::string_view name);

}  // namespace varve
