// SPDX-License-Identifier: Apache-2.0
// LevelZeroIndex finds in one pass which files of level 0, whose ranges may overlap, may have a
// key: the heads (key_head.h) of all smallest and largest keys, taken after their common prefix,
// are in two arrays, so that no metadata of other files is read.
//
//   smallest heads  [ 10 | 3f | 22 ]       key with head 40:  [ no | maybe | yes ]
//   largest heads   [ 1f | 90 | 40 ]       equal heads give "maybe": the file's keys decide
//
// Used with FileSearch::kHeads and a built-in order; otherwise files are compared one by one.
// Immutable, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/options/grades.h"
#include "core/version/file_metadata.h"
#include "varve/comparator.h"
#include "varve/options.h"

namespace varve {

class LevelZeroIndex {
 public:
  LevelZeroIndex(const Comparator& comparator, std::vector<FilePtr> newest_first,
                 FileSearch search);

  const std::vector<FilePtr>& files() const { return files_; }

  // Calls visit(file) for each file whose range contains `user_key`, newest first, until it returns
  // true; returns whether it did.
  template <typename Order, typename Visitor>
  bool Visit(Order order, std::string_view user_key, Visitor&& visit) const {
    for (size_t begin = 0; begin < files_.size(); begin += kSweep) {
      for (uint64_t left = Sweep(order, user_key, begin); left != 0; left &= left - 1) {
        const FileMetadata& file = *files_[begin + static_cast<size_t>(__builtin_ctzll(left))];
        if (file.Spans(order, user_key) && visit(file)) return true;
      }
    }
    return false;
  }

 private:
  static constexpr size_t kSweep = 64;

  // Bit i: files_[begin + i] may have it.
  template <typename Order>
  uint64_t Sweep(Order order, std::string_view user_key, size_t begin) const;

  const std::vector<FilePtr> files_;
  std::string common_prefix_;
  std::vector<uint64_t> smallest_, largest_;  // Heads; empty: every file is compared.
};

}  // namespace varve
