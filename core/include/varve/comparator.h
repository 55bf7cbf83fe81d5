// SPDX-License-Identifier: Apache-2.0
// Comparator is the order of the user keys of a column family. Its name is stored in the MANIFEST
// and in every table; a database opens only under the comparator it was written with.
//
// Three orders are built in (see ComparatorByName()). Two of them are known to the engine at
// compile time, so hot paths compare inline: see base/key_order.h. Any other comparator is called
// through this interface. Implementations must be thread-safe and must not throw: the engine is compiled
// without exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "varve/export.h"

namespace varve {

// An order of keys: total, and the same for as long as there is a database with it. Must outlive
// every DB that it is given to; called by many threads at once.
class VARVE_EXPORT Comparator {
 public:
  // Whether it is one that hot paths know.
  enum class Kind : uint8_t {
    kBytewise,         // Unsigned byte order: "leveldb.BytewiseComparator".
    kReverseBytewise,  // Its exact reverse: "rocksdb.ReverseBytewiseComparator".
    kOther,            // Any other: every comparator of an embedder's own.
  };

  virtual ~Comparator() = default;  // No DB may use it any more.

  // < 0, 0 or > 0 as a sorts before, equal to or after b.
  virtual int Compare(std::string_view a, std::string_view b) const = 0;
  // What is stored with the data; never changes, valid while the comparator is.
  virtual std::string_view name() const = 0;
  // Not to be overridden: for what is not kOther, the engine does not call Compare().
  virtual Kind kind() const { return Kind::kOther; }

  // Requires *start < limit. May shorten *start to any key in [*start, limit). Defined here because
  // core/ is built without RTTI: a class whose vtable it owned could not be derived from with.
  virtual void FindShortestSeparator([[maybe_unused]] std::string* start,
                                     [[maybe_unused]] std::string_view limit) const {}
};

// The order by unsigned bytes, the default. Lives as long as the process.
VARVE_EXPORT const Comparator* BytewiseComparator();
// Its exact reverse. Lives as long as the process.
VARVE_EXPORT const Comparator* ReverseBytewiseComparator();

// The built-in comparator of that name, or null: an unknown order cannot be searched. These are the
// two above and "idb_cmp1", that of browsers' IndexedDB databases. They live as long as the
// process.
VARVE_EXPORT const Comparator* ComparatorByName(std::string_view name);

}  // namespace varve
