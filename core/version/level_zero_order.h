// SPDX-License-Identifier: Apache-2.0
// Decides which of two level-0 files is newer (db-format 5.1).
//
// Since RocksDB 8 files have an epoch, a counter of the family. If any file of a family has none,
// the family is ordered by sequences, as before.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "core/version/version.h"

namespace varve {

// Maximum number of level-0 files that are compared pairwise if epochs contradict sequences; no
// working database has more.
inline constexpr size_t kLevel0PairsFilesMax = 4096;

inline bool NewerBySequence(const FilePtr& a, const FilePtr& b) {
  const auto age = [](const FilePtr& f) {
    return std::make_tuple(f->description.largest_sequence, f->description.smallest_sequence,
                           f->number());
  };
  return age(a) > age(b);
}

inline bool NewerByEpoch(const FilePtr& a, const FilePtr& b) {
  if (a->description.epoch != b->description.epoch) {
    return a->description.epoch > b->description.epoch;
  }
  return NewerBySequence(a, b);
}

// Of the whole family, all levels.
inline bool AllHaveEpochs(const std::vector<std::vector<FilePtr>>& levels) {
  return std::all_of(levels.begin(), levels.end(), [](const std::vector<FilePtr>& files) {
    return std::all_of(files.begin(), files.end(),
                       [](const FilePtr& file) { return file->description.epoch > 0; });
  });
}

inline void SortNewestFirst(std::vector<std::vector<FilePtr>>* levels) {
  const auto newer = AllHaveEpochs(*levels) ? NewerByEpoch : NewerBySequence;
  std::sort((*levels)[0].begin(), (*levels)[0].end(), newer);
}

}  // namespace varve
