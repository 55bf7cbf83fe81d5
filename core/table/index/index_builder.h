// SPDX-License-Identifier: Apache-2.0
// IndexBuilder collects one separator per data block and writes the index at the end.
//
// Whether separators are bare user keys is decided for the whole file (sst-format 7.2): no two
// adjacent blocks may end and begin with the same user key. So separators are kept as (user key,
// packed) until Finish(). Handles are added separately, because a dictionary may delay blocks.
//
//   one level    | sep 0 -> block 0 | sep 1 -> block 1 | ...                       -> one block
//   two levels   partitions of about metadata_block_size, and a top level of their last separators;
//                with merge_runt_partitions each is at least half of that, if there are several
//
// One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/base/codec/compression.h"
#include "core/format/internal_key.h"
#include "core/format/table/block_builder.h"
#include "core/format/table/table_properties.h"
#include "core/table/block/block_writer.h"
#include "varve/comparator.h"
#include "varve/options.h"

namespace varve {

class IndexBuilder {
 public:
  IndexBuilder(const TableOptions& options, const Comparator& comparator);

  // The current data block ends with `last`, the next one begins with `next`. Returns true if an
  // index partition ends here (never with one level).
  bool AddSeparator(const InternalKey& last, const InternalKey& next);
  // The same for the file's last data block.
  void AddLastSeparator(const InternalKey& last);
  // The handle of the next data block, in order. Finish() requires as many handles as separators.
  void AddHandle(BlockHandle handle) {
    DCHECK(handles_.empty() || handles_.back().end() <= handle.offset);
    handles_.push_back(handle);
  }

  size_t separators() const { return separators_.size(); }
  uint64_t EstimatedSize() const { return estimated_size_; }

  // Final once all separators were added.
  bool user_keys() const { return user_keys_; }
  bool delta_values() const { return delta_values_; }
  // Appends the separator in the form that the file's indexes use.
  void AppendSeparator(size_t index, std::string* out) const;

  // Writes the index and fills in its properties. Returns the top block's handle.
  Result<BlockHandle> Finish(BlockWriter* writer, Compressor* compressor, CompressionType codec,
                             TableProperties* properties);

 private:
  struct Separator {
    uint64_t key_offset = 0;  // In keys_.
    uint32_t key_size = 0;
    uint64_t packed = 0;
  };
  void Append(std::string_view user_key, uint64_t packed);
  BlockBuilderOptions BlockOptions() const;
  Result<BlockHandle> WriteTwoLevels(BlockWriter* writer, Compressor* compressor,
                                     CompressionType codec, TableProperties* properties);

  const TableOptions options_;
  const Comparator& comparator_;
  const bool delta_values_;
  bool user_keys_;
  std::vector<Separator> separators_;
  std::string keys_;
  std::vector<BlockHandle> handles_;
  std::vector<size_t> partition_ends_;  // Separator counts at which a partition ends.
  uint64_t estimated_size_ = 0;
  uint64_t partition_size_ = 0;
  std::string scratch_;
};

}  // namespace varve
