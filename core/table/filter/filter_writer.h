// SPDX-License-Identifier: Apache-2.0
// FilterWriter collects the user keys of a table and writes its filter: one block, or partitions
// and their index (sst-format 10.6).
//
//   coupled     a partition ends one data block after an index partition does; its key is the
//               separator of the last data block it covers
//   decoupled   a partition ends when it is full; its key is the last user key in it, with a packed
//               part of 0 where the index keeps packed parts, and before it the oldest timestamp
//
// With merge_runt_partitions a last partition of less than half the wanted size is merged into the
// previous one: a small partition costs a lookup as much as a large one, and the cache one more
// block. So each partition is held until the next one has ended, then built, and written at the
// end. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/table/filter.h"
#include "core/format/table/metaindex.h"
#include "core/format/table/table_properties.h"
#include "core/table/block/block_writer.h"
#include "core/table/index/index_builder.h"
#include "varve/options.h"

namespace varve {

class FilterWriter {
 public:
  // Keys are added without their timestamps, which have this size.
  explicit FilterWriter(const TableOptions& options, size_t timestamp_size = 0);

  bool enabled() const { return enabled_; }
  // `is_new`: the user key differs from the previous entry's.
  void Add(std::string_view user_key, bool is_new) {
    if (!enabled_) return;
    if (is_new) {
      if (decoupled_ && builder_.entries() >= entries_wanted_)
        EndPartition({.last_key = last_key_});
      if (decoupled_) last_key_.assign(user_key);
    } else if (!builder_.empty()) {
      return;  // In this partition already.
    }
    builder_.AddKey(user_key);
  }
  // Xxph3_64() of the key that was added last, if it was new and the filter needed it.
  std::optional<uint64_t> last_hash() const {
    if (!enabled_ || !builder_.uses_xxph3()) return std::nullopt;
    return builder_.last_hash();
  }
  // A data block ended with this separator; `index_cut`: an index partition ended as well.
  void EndBlock(size_t separator, bool index_cut);

  uint64_t EstimatedSize() const {
    return partitions_size_ + held_size_ + builder_.EstimatedSize();
  }

  // Writes the filter, enters it into the metaindex and fills in its properties.
  Status Finish(const IndexBuilder& index, BlockWriter* writer, Metaindex* metaindex,
                TableProperties* properties);

 private:
  struct Partition {
    std::vector<uint64_t> hashes = {};  // Until the filter is built.
    std::string filter = {};
    size_t separator = 0;       // Its key, if coupled.
    std::string last_key = {};  // Its key, if decoupled.
  };
  // Entries since the last partition become one, with the key given in `partition`.
  void EndPartition(Partition partition);
  // The file's last partition.
  void EndLastPartition(const IndexBuilder& index);
  void BuildHeld();
  Result<BlockHandle> WritePartitions(const IndexBuilder& index, BlockWriter* writer,
                                      TableProperties* properties);

  const TableOptions options_;
  FilterBuilder builder_;
  const bool enabled_;
  const bool partitioned_;
  const bool decoupled_;
  const uint64_t entries_wanted_;  // In a partition.
  const size_t timestamp_size_;
  bool cut_after_next_block_ = false;  // Coupled: the index was cut one block ago.
  std::string last_key_;
  std::optional<Partition> held_;      // Ended, but the next one may be merged into it.
  uint64_t held_size_ = 0;             // Size of its filter.
  std::vector<Partition> partitions_;  // Built.
  uint64_t partitions_size_ = 0;
  uint64_t entries_ = 0;
};

}  // namespace varve
