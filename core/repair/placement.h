// SPDX-License-Identifier: Apache-2.0
// Assigns levels to tables without a MANIFEST, judging only by their keys and sequences. Pure.
//
//   [a..f]@1-9  [d..k]@10-20   [p..t]@3-4        tables that share keys make a group
//
//   a group of one                       the last level
//   sequences that follow one another    oldest on the last level, each newer one a level higher
//   sequences that interleave, or too    merged into one table of the last level: no order of
//   many of them                         whole tables can be right
//
// Groups share no keys, so each may use all levels.
#pragma once

#include <vector>

#include "core/format/manifest/file_description.h"
#include "varve/comparator.h"

namespace varve {

struct Placement {
  std::vector<int> levels;                  // For each given table; -1: to be merged.
  std::vector<std::vector<size_t>> merges;  // Groups to merge, by index, newest number first.
};

Placement PlaceTables(const Comparator& order, const std::vector<FileDescription>& tables,
                      int num_levels);

}  // namespace varve
