// SPDX-License-Identifier: Apache-2.0
// FileIndex finds the file of a sorted level that may hold a key.
//
// Files are disjoint and ascending, so the answer is the first file whose largest key is not
// smaller than the target. Under the two built-in orders the search runs over an array of integers,
// one per file, and looks at whole keys only where those tie:
//
//   largest keys   user:1007  user:1950  user:4402
//   common prefix  user:                               compared once
//   heads          "1007"     "1950"     "4402"        the next 8 bytes, big-endian (inverted under
//                                                      the reverse order, so heads always ascend)
//
// The key order is chosen once, when the index is built. Immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/internal_key.h"
#include "core/version/file_metadata.h"
#include "varve/comparator.h"

namespace varve {

class FileIndex {
 public:
  // `files` must outlive the index and not change.
  FileIndex(const Comparator& comparator, const std::vector<std::shared_ptr<FileMetadata>>& files);

  // Index of the first file with largest >= target; files.size() if there is none.
  size_t FirstNotBefore(const InternalKey& target) const;

 private:
  // Files before `begin` are too small, files from `end` on large enough; those between tie.
  struct Range {
    size_t begin = 0;
    size_t end = 0;
  };
  Range SearchHeads(std::string_view user_key) const;

  template <typename Order>
  size_t SearchKeys(Order order, const InternalKey& target, Range range) const;

  const Comparator* comparator_;
  const Comparator::Kind kind_;
  const std::vector<std::shared_ptr<FileMetadata>>* files_;
  std::string common_prefix_;
  std::vector<uint64_t> heads_;
};

}  // namespace varve
