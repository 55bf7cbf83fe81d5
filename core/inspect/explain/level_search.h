// SPDX-License-Identifier: Apache-2.0
// LevelSearch is the search for a file within a level (version/file_index.h), on imaginary files,
// so that its grades can be measured separately from the reads. Immutable, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/base/options/grades.h"
#include "core/version/file_index.h"
#include "varve/options.h"

namespace varve {

class LevelSearch {
 public:
  // `largest`: the largest keys of the files, ascending. `targets`: the keys to search for.
  LevelSearch(std::span<const std::string> largest, std::vector<std::string> targets,
              FileSearch search);

  size_t targets() const { return targets_.size(); }
  // The index of the file for the target with that index.
  size_t Find(size_t target) const {
    DCHECK_OP(target, <, keys_.size());
    return index_.FirstNotBefore(keys_[target]);
  }
  // The same for found.size() targets, from `first` on.
  void FindMany(size_t first, std::span<uint32_t> found) const {
    DCHECK_OP(first + found.size(), <=, keys_.size());
    index_.FirstNotBefore(std::span(keys_).subspan(first, found.size()), found.data());
  }

 private:
  const std::vector<std::string> targets_;
  std::vector<InternalKey> keys_;  // Point into targets_.
  const FileIndex index_;
};

}  // namespace varve
