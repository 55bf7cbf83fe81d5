// SPDX-License-Identifier: Apache-2.0
#include "core/version/range_size.h"

#include "core/base/keys/key_order.h"
#include "core/base/try.h"

namespace varve {
namespace {

// `data` bytes of the table's data blocks, and their share of its index, filter and properties.
uint64_t WithShareOfMetadata(uint64_t data, uint64_t data_bytes, uint64_t file_bytes) {
  if (data_bytes == 0) return file_bytes;
  return static_cast<uint64_t>(static_cast<double>(data) / static_cast<double>(data_bytes) *
                               static_cast<double>(file_bytes));
}

}  // namespace

Result<ApproximateSize> MeasureTables(const Version& version, const KeyRange& range) {
  const VirtualOrder order{&version.comparator()};
  // An open lower bound and a closed upper one are behind all versions of their key.
  const Sequence lower_sequence = range.lower_open() ? 0 : kMaxSequence;
  const Sequence upper_sequence = range.upper_closed() ? 0 : kMaxSequence;
  ApproximateSize size;
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      const bool begins_before = range.IsBefore(order, file->smallest.user_key);
      const bool ends_behind = range.IsBehind(order, file->largest.user_key);
      if (range.IsBefore(order, file->largest.user_key)) continue;
      if (range.IsBehind(order, file->smallest.user_key)) continue;
      ++size.tables;
      if (!begins_before && !ends_behind) {
        size.bytes += file->size();
        continue;
      }
      ++size.opened;
      ASSIGN_OR_RETURN(const auto table, version.Open(*file));
      const uint64_t data_bytes = table->DataBytes();
      const uint64_t begin =
          begins_before ? table->ApproximateOffset(LookupKey(*range.lower(), lower_sequence)) : 0;
      const uint64_t end = ends_behind
                               ? table->ApproximateOffset(LookupKey(*range.upper(), upper_sequence))
                               : data_bytes;
      if (end <= begin) continue;
      // Rounded as RocksDB does, which subtracts what is in front of the range.
      size.bytes += ends_behind
                        ? WithShareOfMetadata(end - begin, data_bytes, file->size())
                        : file->size() - WithShareOfMetadata(begin, data_bytes, file->size());
    }
  }
  return size;
}

}  // namespace varve
