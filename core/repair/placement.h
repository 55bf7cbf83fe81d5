// SPDX-License-Identifier: Apache-2.0
// Where tables may stand when no MANIFEST says it: only as their own keys and sequences prove.
// Pure.
//
//   [a..f]@1-9  [d..k]@10-20   [p..t]@3-4        tables that share keys make a group
//
//   a group of one                       the last level
//   sequences that follow one another    oldest on the last level, each newer one a level higher
//   sequences that interleave, or too    merged into one table of the last level: no order of
//   many of them                         whole tables can be right
//
// Groups share no key, so each has all the levels to itself.
#pragma once

#include <vector>

#include "core/format/manifest/file_description.h"
#include "varve/comparator.h"

namespace varve {

struct Placement {
  std::vector<int> levels;                  // Of each table given; -1: merged.
  std::vector<std::vector<size_t>> merges;  // Groups to merge, by index, newest number first.
};

Placement PlaceTables(const Comparator& order, const std::vector<FileDescription>& tables,
                      int num_levels);

}  // namespace varve
