// SPDX-License-Identifier: Apache-2.0
// Counts with their noun: "1 table", "2 tables", "1,234 entries".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/output/human_numbers.h"

namespace varve::cli {

// `many` if the plural is not `one` with an s.
inline std::string Counted(uint64_t count, std::string_view one, std::string_view many = "") {
  std::string text = HumanCount(count) + " ";
  if (count == 1) return text.append(one);
  return many.empty() ? text.append(one) + "s" : text.append(many);
}

inline std::string CountedEntries(uint64_t count) { return Counted(count, "entry", "entries"); }

}  // namespace varve::cli
