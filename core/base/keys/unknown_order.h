// SPDX-License-Identifier: Apache-2.0
// The error of an operation that needs the key order of an unknown comparator.
#pragma once

#include <string>
#include <string_view>

#include "core/base/text/text.h"
#include "varve/status.h"

namespace varve {

// NotSupported; the message lists verbs that need no order. `what` is the family or table that has
// the comparator: "column family default", or a path.
inline Status UnknownOrder(const std::string& what, std::string_view comparator_name) {
  return Status::NotSupported(what + " is ordered by " + EscapeForDisplay(comparator_name) +
                              ", which is not known here; scan --stored-order, dump, count and "
                              "db verify need no order");
}

}  // namespace varve
