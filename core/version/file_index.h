// SPDX-License-Identifier: Apache-2.0
// FileIndex finds the file of a sorted level that may have a key.
//
// Files are disjoint and ascending, so it is the first file whose largest key is not smaller than
// the target. There are three algorithms (FileSearch) with the same results:
//
//   kComparator  binary search on whole keys through the virtual comparator, as RocksDB's
//                FindFileInRange
//   kPrefix      binary search on the first 8 bytes of the largest keys, stored in an array; from
//                the first tie on, on whole keys with an inlined comparison (ToplingDB's
//                LevelFilesBrief)
//   kHeads       on the 8 bytes after the common prefix of all largest keys, in SortedHeads;
//                whole keys are compared only if those are equal
//
//     largest keys   user:1007  user:1950  user:4402
//     common prefix  user:                               compared once
//     heads          "1007"     "1950"     "4402"        as integers (key_head.h)
//
// The key order is selected once, when the index is built; orders that are not built in are always
// searched with the comparator. Immutable, thread-safe; shared by Versions in which the level is
// the same. Measured in core/decisions/0012.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/options/grades.h"
#include "core/format/internal_key.h"
#include "core/iterator/sorted_heads.h"
#include "core/version/file_metadata.h"
#include "varve/comparator.h"
#include "varve/options.h"

namespace varve {

class FileIndex {
 public:
  // Requires that `files` are ascending and disjoint.
  FileIndex(const Comparator& comparator, std::vector<FilePtr> files, FileSearch search);

  const std::vector<FilePtr>& files() const { return files_; }
  uint64_t memory_bytes() const;

  // Index of the first file with largest >= target; files().size() if there is none.
  size_t FirstNotBefore(const InternalKey& target) const;
  // The same for many targets, in any order; with kHeads their cache misses overlap.
  void FirstNotBefore(std::span<const InternalKey> targets, uint32_t* found) const;

 private:
  // Files before `begin` are too small, files from `end` on large enough; those between have equal
  // heads.
  struct Range {
    size_t begin = 0;
    size_t end = 0;
  };

  template <typename Order>
  void BuildHeads(Order order);
  template <typename Order>
  size_t Search(Order order, const InternalKey& target) const;
  template <typename Order>
  void SearchMany(Order order, std::span<const InternalKey> targets, uint32_t* found) const;
  template <typename Order>
  Range SearchPrefixes(Order order, std::string_view user_key) const;
  template <typename Order>
  size_t SearchKeys(Order order, const InternalKey& target, Range range) const;
  // From the first file whose head is not below `head` to the last one with an equal head.
  Range Ties(size_t begin, uint64_t head) const;
  // Compares `user_key` with all keys that have the common prefix: < 0, 0 or > 0.
  template <typename Order>
  int ToPrefix(Order order, std::string_view user_key) const;

  const Comparator* comparator_;
  const std::vector<FilePtr> files_;
  FileSearch search_;
  std::string common_prefix_;       // kHeads.
  SortedHeads heads_;               // kHeads.
  std::vector<uint64_t> prefixes_;  // kPrefix.
};

}  // namespace varve
