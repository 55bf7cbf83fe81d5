// SPDX-License-Identifier: Apache-2.0
// One change to a database, as the tests have it that apply the same changes to several engines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace varve::mix {

struct Operation {
  enum class Kind : uint8_t { kPut, kDelete, kSingleDelete, kDeleteRange, kMerge };
  Kind kind = Kind::kPut;
  std::string family, key, value;  // kDeleteRange: value is the exclusive end.
};

// One atomic group; or what one table for ingestion holds, range deletions first.
using Group = std::vector<Operation>;

}  // namespace varve::mix
