// SPDX-License-Identifier: Apache-2.0
// FilterWriter collects the user keys of a table and writes its filter: one block, or partitions
// and their index (sst-format 10.6).
//
//   coupled     a partition ends one data block after an index partition does; its key is the
//               separator of the last data block it covers
//   decoupled   a partition ends when it is full; its key is the last user key in it, with a packed
//               part of 0 where the index keeps packed parts
//
// Partitions are built as soon as they end and written at the end. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/filter.h"
#include "core/format/metaindex.h"
#include "core/format/table_properties.h"
#include "core/table/block_writer.h"
#include "core/table/index_builder.h"
#include "varve/options.h"

namespace varve {

class FilterWriter {
 public:
  explicit FilterWriter(const TableOptions& options);

  bool enabled() const { return enabled_; }
  // `is_new`: not the user key of the entry before.
  void Add(std::string_view user_key, bool is_new) {
    if (!enabled_) return;
    if (is_new) {
      if (entries_max_ > 0 && builder_.entries() >= entries_max_) CutAtLastKey();
      if (decoupled_) last_key_.assign(user_key);
    } else if (!builder_.empty()) {
      return;  // In this partition already.
    }
    builder_.AddKey(user_key);
  }
  // A data block ended with this separator; `index_cut`: the index partition did, too.
  void EndBlock(size_t separator, bool index_cut);

  uint64_t EstimatedSize() const { return partitions_size_ + builder_.EstimatedSize(); }

  // Writes the filter, enters it into the metaindex and fills in its properties.
  Status Finish(const IndexBuilder& index, BlockWriter* writer, Metaindex* metaindex,
                TableProperties* properties);

 private:
  struct Partition {
    std::string filter = {};
    size_t separator = 0;       // Its key, if coupled.
    std::string last_key = {};  // Its key, if decoupled.
  };
  void Cut(Partition partition);
  void CutAtLastKey();
  Result<BlockHandle> WritePartitions(const IndexBuilder& index, BlockWriter* writer,
                                      TableProperties* properties);

  const TableOptions options_;
  FilterBuilder builder_;
  const bool enabled_;
  const bool partitioned_;
  const bool decoupled_;
  const uint64_t entries_max_;         // In a decoupled partition; 0: not decoupled.
  bool cut_after_next_block_ = false;  // Coupled: the index was cut one block ago.
  std::string last_key_;
  std::vector<Partition> partitions_;
  uint64_t partitions_size_ = 0;
  uint64_t entries_ = 0;
};

}  // namespace varve
