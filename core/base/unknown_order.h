// SPDX-License-Identifier: Apache-2.0
// How what needs the order of keys is refused where that order is not known here.
#pragma once

#include <string>
#include <string_view>

#include "core/base/text.h"
#include "varve/status.h"

namespace varve {

// NotSupported, with what needs no order. `what` has it: "column family default", or a path.
inline Status UnknownOrder(const std::string& what, std::string_view comparator_name) {
  return Status::NotSupported(what + " is ordered by " + EscapeForDisplay(comparator_name) +
                              ", which is not known here; scan --stored-order, dump, count and "
                              "db verify need no order");
}

}  // namespace varve
