// SPDX-License-Identifier: Apache-2.0
// The entries that can be read out of a block that does not verify, or does not even have an
// outline.
#pragma once

#include <functional>
#include <string_view>

#include "varve/status.h"

namespace varve {

// From restart point to restart point; an interval ends at its first broken entry. Without an
// outline, from the first byte on. `block`: raw bytes, which the values point into; a key, as
// stored, is there until `visit` returns. Ends with the first status that is not ok.
Status VisitReadableEntries(
    std::string_view block,
    const std::function<Status(std::string_view key, std::string_view value)>& visit);

}  // namespace varve
