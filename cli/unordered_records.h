// SPDX-License-Identifier: Apache-2.0
// The visible records of a column family whose key order is not known here. Any order brings the
// versions of a key together, so everything stored is sorted by bytes; what a range deletion
// covers, or what an operand of a merge is to be folded with, nobody can tell.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "cli/range.h"
#include "varve/db.h"
#include "varve/status.h"

namespace varve::cli {

// Calls use(key, value) in byte order until it returns false. About `memory` bytes are used; what
// does not fit goes to temporary files. NotSupported names what needs the order: bounds do, a
// prefix does not.
Status WalkUnordered(const std::string& path, const FamilyInfo& family, const KeyRange& range,
                     uint64_t memory,
                     const std::function<bool(std::string_view, std::string_view)>& use);

// NotSupported: the family's order is not known here; `what` says what that means.
Status NoOrder(const FamilyInfo& family, const std::string& what);

}  // namespace varve::cli
