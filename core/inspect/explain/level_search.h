// SPDX-License-Identifier: Apache-2.0
// LevelSearch is the search for the file of a level by itself (version/file_index.h), on files that
// do not exist, so that its grades can be measured apart from the reads they are a part of.
// Immutable, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/grades.h"
#include "core/version/file_index.h"
#include "varve/options.h"

namespace varve {

class LevelSearch {
 public:
  // `largest`: the largest keys of the files, ascending. `targets`: what is searched for.
  LevelSearch(std::span<const std::string> largest, std::vector<std::string> targets,
              FileSearch search);

  size_t targets() const { return targets_.size(); }
  // The number of the file for the target of that number.
  size_t Find(size_t target) const { return index_.FirstNotBefore(keys_[target]); }
  // The same for as many targets as `found` has room for, from `first` on.
  void FindMany(size_t first, std::span<uint32_t> found) const {
    index_.FirstNotBefore(std::span(keys_).subspan(first, found.size()), found.data());
  }

 private:
  const std::vector<std::string> targets_;
  std::vector<InternalKey> keys_;  // Point into targets_.
  const FileIndex index_;
};

}  // namespace varve
