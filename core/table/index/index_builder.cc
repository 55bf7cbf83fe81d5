// SPDX-License-Identifier: Apache-2.0
#include "core/table/index/index_builder.h"

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/try.h"

namespace varve {
namespace {

constexpr uint32_t kUserKeySeparatorsFrom = 3;  // format_version.
constexpr uint32_t kDeltaValuesFrom = 4;
// Bytes of an entry besides its key: two lengths, a handle, a restart offset.
constexpr uint64_t kEntryOverhead = 2 + 7 + 4;

}  // namespace

IndexBuilder::IndexBuilder(const TableOptions& options, const Comparator& comparator)
    : options_(options),
      comparator_(comparator),
      delta_values_(options.format_version >= kDeltaValuesFrom),
      user_keys_(options.format_version >= kUserKeySeparatorsFrom) {}

bool IndexBuilder::AddSeparator(const InternalKey& last, const InternalKey& next) {
  DCHECK(CompareInternalKeys(VirtualOrder{&comparator_}, last, next) < 0);
  scratch_.assign(last.user_key);
  uint64_t packed = last.packed();
  if (last.user_key == next.user_key) {
    user_keys_ = false;  // Only sequence and type distinguish the two blocks' keys.
  } else {
    comparator_.FindShortestSeparator(&scratch_, next.user_key);
    // A shortened key sorts between the blocks whatever its packed part is.
    if (scratch_ != last.user_key) packed = PackSequenceAndType(kMaxSequence, ValueType::kValue);
  }
  Append(scratch_, packed);
  if (options_.index_type != IndexType::kTwoLevel ||
      partition_size_ < options_.metadata_block_size) {
    return false;
  }
  partition_ends_.push_back(separators_.size());
  partition_size_ = 0;
  return true;
}

void IndexBuilder::AddLastSeparator(const InternalKey& last) {
  Append(last.user_key, last.packed());
}

void IndexBuilder::Append(std::string_view user_key, uint64_t packed) {
  CHECK(handles_.size() <= separators_.size());
  separators_.push_back({keys_.size(), static_cast<uint32_t>(user_key.size()), packed});
  keys_ += user_key;
  const uint64_t size = user_key.size() + kEntryOverhead + (user_keys_ ? 0 : kPackedSize);
  estimated_size_ += size;
  partition_size_ += size;
}

void IndexBuilder::AppendSeparator(size_t index, std::string* out) const {
  CHECK_OP(index, <, separators_.size());
  const Separator& separator = separators_[index];
  out->append(keys_, separator.key_offset, separator.key_size);
  if (!user_keys_) AppendFixed64(out, separator.packed);
}

BlockBuilderOptions IndexBuilder::BlockOptions() const {
  return {.restart_interval = options_.index_block_restart_interval,
          .delta_encode_index_values = delta_values_};
}

Result<BlockHandle> IndexBuilder::Finish(BlockWriter* writer, Compressor* compressor,
                                         CompressionType codec, TableProperties* properties) {
  CHECK_OP(handles_.size(), ==, separators_.size());
  properties->index_type = static_cast<uint32_t>(options_.index_type);
  properties->index_key_is_user_key = user_keys_;
  properties->index_value_is_delta_encoded = delta_values_;
  properties->index_block_restart_interval = options_.index_block_restart_interval;
  properties->index_size = 0;
  if (options_.index_type == IndexType::kTwoLevel) {
    return WriteTwoLevels(writer, compressor, codec, properties);
  }
  BlockBuilder block(BlockOptions());
  for (size_t i = 0; i < separators_.size(); ++i) {
    scratch_.clear();
    AppendSeparator(i, &scratch_);
    block.AddIndex(scratch_, handles_[i]);
  }
  RETURN_IF_ERROR(block.CheckSize().At("index"));
  const std::string_view raw = block.Finish();
  properties->index_size = raw.size() + kBlockTrailerSize;
  return writer->Write(raw, compressor, codec);
}

Result<BlockHandle> IndexBuilder::WriteTwoLevels(BlockWriter* writer, Compressor* compressor,
                                                 CompressionType codec,
                                                 TableProperties* properties) {
  if (!separators_.empty() &&
      (partition_ends_.empty() || partition_ends_.back() != separators_.size())) {
    // Merge a runt into the previous partition.
    const bool runt = options_.merge_runt_partitions && !partition_ends_.empty() &&
                      partition_size_ * 2 < options_.metadata_block_size;
    if (runt) partition_ends_.pop_back();
    partition_ends_.push_back(separators_.size());
  }
  BlockBuilder top(BlockOptions());
  BlockBuilder partition(BlockOptions());
  size_t i = 0;
  for (const size_t end : partition_ends_) {
    CHECK_OP(i, <, end, "readers take an empty partition for damage");
    for (; i < end; ++i) {
      scratch_.clear();
      AppendSeparator(i, &scratch_);
      partition.AddIndex(scratch_, handles_[i]);
    }
    RETURN_IF_ERROR(partition.CheckSize().At("index partition"));
    const std::string_view raw = partition.Finish();
    ASSIGN_OR_RETURN(const BlockHandle handle, writer->Write(raw, compressor, codec));
    properties->index_size += raw.size() + kBlockTrailerSize;
    partition.Reset();
    top.AddIndex(scratch_, handle);  // Still the partition's last separator.
  }
  CHECK_OP(i, ==, separators_.size());
  RETURN_IF_ERROR(top.CheckSize().At("index"));
  const std::string_view raw = top.Finish();
  properties->index_partitions = partition_ends_.size();
  properties->top_level_index_size = raw.size() + kBlockTrailerSize;
  properties->index_size += raw.size() + kBlockTrailerSize;
  return writer->Write(raw, compressor, codec);
}

}  // namespace varve
