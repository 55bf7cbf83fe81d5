// SPDX-License-Identifier: Apache-2.0
// The entries that can be read from a block that fails verification or has no valid outline.
#pragma once

#include <functional>
#include <string_view>

#include "varve/status.h"

namespace varve {

// Reads restart interval by restart interval; each ends at its first invalid entry. Without an
// outline, starts at the first byte. `block`: raw bytes, which the values point into; a stored key
// is valid until `visit` returns. Stops at the first status that is not ok.
Status VisitReadableEntries(
    std::string_view block,
    const std::function<Status(std::string_view key, std::string_view value)>& visit);

}  // namespace varve
