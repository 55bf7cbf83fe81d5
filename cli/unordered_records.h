// SPDX-License-Identifier: Apache-2.0
// The visible records of a column family, whether or not its key order is known here. Any order
// brings the versions of a key together, so without it everything stored is sorted by bytes; what a
// range deletion covers, or what an operand of a merge is to be folded with, nobody can tell.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "cli/range.h"
#include "core/base/try.h"
#include "varve/comparator.h"
#include "varve/db.h"
#include "varve/status.h"

namespace varve::cli {

// Calls use(key, value) in byte order until it returns false. About `memory` bytes are used; what
// does not fit goes to temporary files. NotSupported names what needs the order: bounds do, a
// prefix does not.
Status WalkUnordered(const std::string& path, const FamilyInfo& family, const KeyRange& range,
                     uint64_t memory,
                     const std::function<bool(std::string_view, std::string_view)>& use);

// The same of a family whatever its order: in that order (`reverse`: backward) as of `snapshot` of
// the database at `path`, or as above if it is not known here.
template <typename Use>
Status WalkFamily(DB& db, const std::string& path, const Snapshot& snapshot,
                  const FamilyInfo& family, const KeyRange& range, bool reverse, uint64_t memory,
                  Use use) {
  if (ComparatorByName(family.comparator) == nullptr) {
    return WalkUnordered(path, family, range, memory, use);
  }
  ReadOptions options{.snapshot = &snapshot, .fill_cache = false};
  range.ApplyTo(&options);
  ASSIGN_OR_RETURN(Iterator it, db.NewIterator(options, family.id));
  reverse ? it.SeekToLast() : it.SeekToFirst();
  while (it.Valid() && use(it.key(), it.value())) reverse ? it.Prev() : it.Next();
  return it.status();
}

// NotSupported: the family's order is not known here; `what` says what that means.
Status NoOrder(const FamilyInfo& family, const std::string& what);

}  // namespace varve::cli
