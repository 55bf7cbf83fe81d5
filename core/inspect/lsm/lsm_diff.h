// SPDX-License-Identifier: Apache-2.0
// The difference between two LSM reports: of two states of one database, or of two databases.
// Tables are the same if they have the same unique id, which copies keep; without ids, if number
// and size are equal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inspect/lsm/lsm_report.h"

namespace varve {

struct MovedFile {
  FileReport a, b;  // On different levels, or under different numbers.
};

struct LevelDelta {
  int level = 0;
  uint64_t files_a = 0, files_b = 0;
  uint64_t bytes_a = 0, bytes_b = 0;
};

struct FamilyDiff {
  std::string name;
  bool in_a = false, in_b = false;
  std::vector<LevelDelta> levels;  // Levels that are not empty in both.
  std::vector<FileReport> only_a, only_b;
  std::vector<MovedFile> moved;
  uint64_t same = 0;  // Files on the same level in both.

  bool equal() const { return in_a && in_b && only_a.empty() && only_b.empty() && moved.empty(); }
};

// Families of A in their order, then those only in B.
std::vector<FamilyDiff> DiffLsm(const LsmReport& a, const LsmReport& b);

}  // namespace varve
