// SPDX-License-Identifier: Apache-2.0
// Comparator is the order of the user keys of a column family. Its name is stored in the MANIFEST
// and in every table; a database opens only under the comparator it was written with.
//
// Two orders are built in and known to the engine at compile time, so hot paths compare inline:
// see base/key_order.h. Any other comparator is called through this interface.
// Implementations must be thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "varve/export.h"

namespace varve {

class VARVE_EXPORT Comparator {
 public:
  enum class Kind : uint8_t {
    kBytewise,         // Unsigned byte order: "leveldb.BytewiseComparator".
    kReverseBytewise,  // Its exact reverse: "rocksdb.ReverseBytewiseComparator".
    kOther,            // The embedder's own.
  };

  virtual ~Comparator() = default;

  // < 0, 0 or > 0 as a sorts before, equal to or after b.
  virtual int Compare(std::string_view a, std::string_view b) const = 0;
  virtual std::string_view name() const = 0;
  virtual Kind kind() const { return Kind::kOther; }

  // Requires *start < limit. May shorten *start to any key in [*start, limit). Defined here because
  // core/ is built without RTTI: a class whose vtable it owned could not be derived from with.
  virtual void FindShortestSeparator([[maybe_unused]] std::string* start,
                                     [[maybe_unused]] std::string_view limit) const {}
};

VARVE_EXPORT const Comparator* BytewiseComparator();
VARVE_EXPORT const Comparator* ReverseBytewiseComparator();

// The built-in comparator of that name, or null: an unknown order cannot be searched.
VARVE_EXPORT const Comparator* ComparatorByName(std::string_view name);

}  // namespace varve
