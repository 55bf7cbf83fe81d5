// SPDX-License-Identifier: Apache-2.0
// The visible records of a column family, even if its comparator is unknown. Every order makes the
// versions of a key adjacent, so all stored entries are sorted by bytes instead; but the effect of
// range deletions and merge operands cannot be determined that way.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "cli/arguments/range.h"
#include "core/base/try.h"
#include "varve/comparator.h"
#include "varve/db.h"
#include "varve/status.h"

namespace varve::cli {

// Calls use(key, value) in byte order until it returns false. Uses about `memory` bytes; the rest
// goes to temporary files. NotSupported names what requires the comparator: bounds do, a prefix
// does not.
Status WalkUnordered(const std::string& path, const FamilyInfo& family, const ScanRange& range,
                     uint64_t memory,
                     const std::function<bool(std::string_view, std::string_view)>& use);

// The same for any family: in its own order (`reverse`: backward) as of `snapshot` of the database
// at `path`, or as above if the comparator is unknown.
template <typename Use>
Status WalkFamily(DB& db, const std::string& path, const Snapshot& snapshot,
                  const FamilyInfo& family, const ScanRange& range, bool reverse, uint64_t memory,
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

// NotSupported: the family's comparator is unknown; `what` names the consequence.
Status NoOrder(const FamilyInfo& family, const std::string& what);

}  // namespace varve::cli
