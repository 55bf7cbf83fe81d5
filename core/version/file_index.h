// SPDX-License-Identifier: Apache-2.0
// FileIndex finds the file of a sorted level that may hold a key.
//
// Files are disjoint and ascending, so the answer is the first file whose largest key is not
// smaller than the target. The key order is chosen once, when the index is built. Immutable.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/format/internal_key.h"
#include "core/version/file_metadata.h"
#include "varve/comparator.h"

namespace varve {

class FileIndex {
 public:
  FileIndex(const Comparator& comparator, const std::vector<std::shared_ptr<FileMetadata>>& files);

  // Index of the first file with largest >= target; files.size() if there is none.
  size_t FirstNotBefore(const InternalKey& target) const;

 private:
  const Comparator* comparator_;
  const std::vector<std::shared_ptr<FileMetadata>>* files_;
};

}  // namespace varve
