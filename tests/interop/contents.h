// SPDX-License-Identifier: Apache-2.0
// What a database should hold, and the random operations that get it there: one stream of
// operations that either engine can apply, so that both are checked against the same map.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/mix/operation.h"

namespace varve::interop {

using Family = std::map<std::string, std::string>;
using Contents = std::map<std::string, Family>;  // By column family name.

using mix::Group;
using mix::Operation;

// Random groups over `families`, with keys that hurt: empty, NULs, 0xFF, shared prefixes, 64 KiB;
// values up to 4 MiB when `huge`. Merges append (StringAppendOperator). Deterministic.
class OperationSource {
 public:
  OperationSource(uint64_t seed, std::vector<std::string> families, bool huge);

  Group Next();
  // The model's answer to a group.
  static void Apply(const Group& group, Contents* contents);

 private:
  std::string RandomKey();
  std::string RandomValue();
  Operation RandomOperation();

  std::mt19937_64 random_;
  const std::vector<std::string> families_;
  const bool huge_;
  // Keys eligible for a single delete: put exactly once since they were last deleted.
  std::map<std::string, std::map<std::string, int>> puts_;
};

// "" if equal, else the first difference, readable.
std::string Difference(const Contents& expected, const Contents& found);

}  // namespace varve::interop
