// SPDX-License-Identifier: Apache-2.0
// How a read as of a sequence number is refused that no write has reached.
#pragma once

#include <string>

#include "varve/status.h"
#include "varve/types.h"

namespace varve {

inline Status YetToCome(Sequence asked, Sequence newest) {
  return Status::InvalidArgument("sequence " + std::to_string(asked) +
                                 " is yet to come: the newest is " + std::to_string(newest));
}

}  // namespace varve
