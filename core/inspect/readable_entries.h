// SPDX-License-Identifier: Apache-2.0
// The entries that can be read out of a block that does not verify, or does not even have an
// outline.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace varve {

struct ReadableEntry {
  std::string key;  // As stored.
  std::string_view value;
};

// From restart point to restart point; an interval ends at its first broken entry. Without an
// outline, from the first byte on. `block`: raw bytes, which the values point into.
std::vector<ReadableEntry> ReadableEntries(std::string_view block);

}  // namespace varve
