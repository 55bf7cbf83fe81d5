// SPDX-License-Identifier: Apache-2.0
// The error of a read at a sequence number that no write has used yet.
#pragma once

#include <string>

#include "varve/status.h"
#include "varve/types.h"

namespace varve {

inline Status YetToCome(Sequence asked, Sequence newest) {
  return Status::InvalidArgument("sequence " + std::to_string(asked) +
                                 " does not exist yet: the newest is " + std::to_string(newest));
}

}  // namespace varve
