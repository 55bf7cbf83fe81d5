// SPDX-License-Identifier: Apache-2.0
#include "core/table/write/table_builder.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/bytes/short_copy.h"
#include "core/base/check.h"
#include "core/base/codec/compression.h"
#include "core/base/keys/key_order.h"
#include "core/base/keys/timestamps.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/entry_size.h"
#include "core/format/limits.h"
#include "core/format/table/block_builder.h"
#include "core/format/table/footer.h"
#include "core/format/table/metaindex.h"
#include "core/iterator/key_head.h"
#include "core/iterator/range_tombstones.h"
#include "core/table/block/block_writer.h"
#include "core/table/filter/filter_writer.h"
#include "core/table/index/index_builder.h"
#include "core/table/point/point_index_builder.h"
#include "core/table/write/dictionary_sampler.h"

namespace varve {
namespace {

constexpr uint32_t kContextChecksumsFrom = 6;  // format_version.
constexpr uint32_t kCompressionManagerFrom = 7;
constexpr uint32_t kExternalFileVersion = 2;
// A block that is this full is ended if the next entry would not fit.
constexpr uint64_t kBlockFillPercent = 90;
// Properties, metaindex and footer together, roughly.
constexpr uint64_t kTailEstimate = 1500;

// The property rocksdb.compression, by which readers decide whether to decompress at all.
std::string CompressionProperty(const TableOptions& options, bool compressed_any) {
  if (options.format_version < kCompressionManagerFrom) {
    return std::string(CompressionName(options.compression));
  }
  if (options.compression == CompressionType::kNone) return ";;";
  if (!compressed_any) return "BuiltinV2;;";
  std::string codec = Hex(static_cast<uint64_t>(options.compression), 2);
  // All numbers are below 10: their letter case does not matter.
  return "BuiltinV2;" + codec + ";";
}

std::string CompressionOptionsProperty(const TableOptions& options) {
  return "window_bits=-14; level=" + std::to_string(options.compression_level) +
         "; strategy=0; max_dict_bytes=" + std::to_string(options.compression_dict_bytes) +
         "; zstd_max_train_bytes=" + std::to_string(options.zstd_max_train_bytes) +
         "; enabled=0; max_dict_buffer_bytes=0; use_zstd_dict_trainer=1; ";
}

}  // namespace

struct TableBuilder::Impl {
  Impl(const TableOptions& table_options, const Comparator& key_comparator,
       TableOrigin table_origin, WritableFile* file)
      : options(table_options),
        comparator(key_comparator),
        origin(std::move(table_origin)),
        writer(file, {.type = options.checksum,
                      .base_context = options.format_version >= kContextChecksumsFrom
                                          ? origin.base_context_checksum
                                          : 0}),
        timestamp_size(comparator.timestamp_size()),
        block({.restart_interval = options.block_restart_interval,
               // A hash index finds stored keys, and readers look for keys at a timestamp.
               .hash_index_ratio = options.data_block_hash_index && timestamp_size == 0
                                       ? options.data_block_hash_table_util_ratio
                                       : 0}),
        index(options, comparator),
        filter(options, timestamp_size),
        sampler(options) {
    CHECK(options.format_version >= 2);
    CHECK(options.format_version <= kFormatVersionMax);
    CHECK(options.format_version < kContextChecksumsFrom || origin.base_context_checksum != 0);
    CHECK(options.index_type == IndexType::kBinary || options.index_type == IndexType::kTwoLevel);
    if (options.point_index != PointIndexKind::kNone) {
      if (comparator.kind() != Comparator::Kind::kBytewise) {
        properties.point_index = "none: the order of keys is not bytewise";
      } else if (options.checksum == ChecksumType::kNone) {
        properties.point_index = "none: nothing would guard its bytes";
      } else {
        point.emplace(options.point_index);
      }
    }
    if (!sampler.sampling()) status = MakeDataCompressor("");
  }

  Status MakeDataCompressor(std::string_view dictionary);
  InternalKey LastKey() const {
    return {last_user_key, last_packed >> 8, static_cast<ValueType>(last_packed & 0xff)};
  }
  // Compares the heads first, which differ if keys differ early.
  template <typename Order>
  int CompareLast(Order order, const InternalKey& key) const {
    const uint64_t last_head = KeyHead(order, last_user_key);
    const uint64_t head = KeyHead(order, key.user_key);
    if (last_head != head) return last_head < head ? -1 : 1;
    return order(std::string_view(last_user_key), key.user_key);
  }
  void Count(const InternalKey& key, std::string_view value);
  void AddToFilter(const InternalKey& key, bool is_new);
  void AddTimestamped(std::string_view user_key);
  bool BlockIsFull(const InternalKey& key, std::string_view value) const;
  Status EndBlock();
  Status WriteDataBlock(std::string_view raw);
  Status WriteHeldBlocks();
  Status WriteMetaBlocks();
  Status WritePointIndex();
  Result<BlockHandle> WriteTombstones();
  void FillProperties();
  void FillBounds();
  Status WriteFooter(BlockHandle metaindex_handle);

  const TableOptions options;
  const Comparator& comparator;
  const TableOrigin origin;
  BlockWriter writer;
  const size_t timestamp_size;  // Of the keys; 0: they have none.
  BlockBuilder block;
  IndexBuilder index;
  FilterWriter filter;
  std::optional<PointIndexBuilder> point;
  DictionarySampler sampler;
  std::unique_ptr<Compressor> data_compressor;   // Null: stored raw.
  std::unique_ptr<Compressor> index_compressor;  // The same codec without the dictionary.
  std::string dictionary;

  std::string last_user_key;
  uint64_t last_packed = 0;
  bool has_points = false;
  std::vector<RangeTombstone> tombstones;
  Metaindex metaindex;
  BlockHandle index_handle;

  TableProperties properties;
  std::string smallest, largest;  // Encoded.
  Sequence smallest_sequence = kMaxSequence;
  Sequence largest_sequence = 0;
  Status status;
  bool finished = false;
};

Status TableBuilder::Impl::MakeDataCompressor(std::string_view with_dictionary) {
  if (options.compression == CompressionType::kNone) return Status::Ok();
  ASSIGN_OR_RETURN(data_compressor, Compressor::Create(options.compression,
                                                       options.compression_level, with_dictionary));
  ASSIGN_OR_RETURN(index_compressor,
                   Compressor::Create(options.compression, options.compression_level, ""));
  return Status::Ok();
}

void TableBuilder::Impl::Count(const InternalKey& key, std::string_view value) {
  ++properties.entries;
  properties.raw_key_size += key.user_key.size() + kPackedSize;
  properties.raw_value_size += value.size();
  if (IsDeletion(key.type)) ++properties.deletions;
  if (key.type == ValueType::kMerge) ++properties.merge_operands;
  smallest_sequence = std::min(smallest_sequence, key.sequence);
  largest_sequence = std::max(largest_sequence, key.sequence);
}

void TableBuilder::Impl::AddToFilter(const InternalKey& key, bool is_new) {
  if (timestamp_size == 0) [[likely]]
    return filter.Add(key.user_key, is_new);
  AddTimestamped(key.user_key);
}

// Filters have keys without timestamps. Call it before last_user_key is replaced.
void TableBuilder::Impl::AddTimestamped(std::string_view user_key) {
  const std::string_view timestamp = TimestampOf(user_key, timestamp_size);
  std::string& oldest = properties.oldest_timestamp;
  std::string& newest = properties.newest_timestamp;
  if (oldest.empty() || comparator.CompareTimestamps(timestamp, oldest) < 0) oldest = timestamp;
  if (newest.empty() || comparator.CompareTimestamps(timestamp, newest) > 0) newest = timestamp;
  const bool is_new = properties.entries == properties.range_deletions ||
                      CompareIgnoringTimestamps(comparator, last_user_key, user_key) != 0;
  filter.Add(WithoutTimestamp(user_key, timestamp_size), is_new);
}

bool TableBuilder::Impl::BlockIsFull(const InternalKey& key, std::string_view value) const {
  if (block.empty()) return false;
  const uint64_t size = block.CurrentSizeEstimate();
  if (size >= options.block_size) return true;
  // However large blocks are configured, they must not exceed what readers accept.
  if (size + key.user_key.size() + value.size() + kEntryOverheadMax > kBlockRawSizeMax) return true;
  return size * 100 > uint64_t{options.block_size} * kBlockFillPercent &&
         block.EstimateSizeAfter(key.user_key.size() + kPackedSize, value.size()) >
             options.block_size;
}

// Writes the current data block, or holds it back while sampling a dictionary.
Status TableBuilder::Impl::EndBlock() {
  RETURN_IF_ERROR(block.CheckSize());
  const std::string_view raw = block.Finish();
  ++properties.data_blocks;
  if (point) point->EndBlock();
  CHECK_OP(index.separators(), ==, properties.data_blocks,
           "each block has a separator; those of EndBlock() come first");
  if (sampler.sampling()) {
    sampler.Hold(raw);
    block.Reset();
    return sampler.has_enough() ? WriteHeldBlocks() : Status::Ok();
  }
  RETURN_IF_ERROR(WriteDataBlock(raw));
  block.Reset();
  return Status::Ok();
}

Status TableBuilder::Impl::WriteDataBlock(std::string_view raw) {
  ASSIGN_OR_RETURN(const BlockHandle handle,
                   writer.Write(raw, data_compressor.get(), options.compression));
  index.AddHandle(handle);
  if (point) point->AddHandle(handle);
  return Status::Ok();
}

Status TableBuilder::Impl::WriteHeldBlocks() {
  dictionary = sampler.Make();
  RETURN_IF_ERROR(MakeDataCompressor(dictionary));
  for (const std::string& raw : sampler.TakeHeld()) RETURN_IF_ERROR(WriteDataBlock(raw));
  return Status::Ok();
}

// Not compressed: its numbers are as short as they can be.
Status TableBuilder::Impl::WritePointIndex() {
  if (!point) return Status::Ok();
  PointIndexBuilder::Built built = point->Finish();
  properties.point_index = std::move(built.what);
  if (built.bytes.empty()) return Status::Ok();
  ASSIGN_OR_RETURN(const BlockHandle handle, writer.Write(built.bytes, nullptr, {}));
  metaindex.emplace(built.name, handle);
  return Status::Ok();
}

Result<BlockHandle> TableBuilder::Impl::WriteTombstones() {
  WithKeyOrder(comparator, [&](auto order) {
    std::sort(tombstones.begin(), tombstones.end(),
              [order](const RangeTombstone& a, const RangeTombstone& b) {
                const int c = order(a.begin, b.begin);
                return c != 0 ? c < 0 : a.sequence > b.sequence;
              });
  });
  BlockBuilder deletions({.restart_interval = 1});
  for (const RangeTombstone& tombstone : tombstones) {
    deletions.Add({tombstone.begin, tombstone.sequence, ValueType::kRangeDeletion}, tombstone.end);
  }
  RETURN_IF_ERROR(deletions.CheckSize().At("range deletions"));
  return writer.Write(deletions.Finish(), nullptr, {});
}

// Properties that depend on the whole file; counts were kept during Add().
void TableBuilder::Impl::FillProperties() {
  properties.data_block_restart_interval = options.block_restart_interval;
  properties.format_version = options.format_version;
  properties.whole_key_filtering = true;
  properties.prefix_filtering = false;
  properties.compression = CompressionProperty(options, writer.compressed_any());
  properties.compression_options = CompressionOptionsProperty(options);
  properties.prefix_extractor = "nullptr";
  properties.comparator = comparator.name();
  properties.merge_operator = origin.merge_operator;
  properties.family_id = origin.family_id;
  properties.family_name = origin.family_name;
  properties.db_id = origin.db_id;
  properties.db_session_id = origin.db_session_id;
  properties.original_file_number = origin.file_number;
  properties.creation_time = origin.creation_time;
  properties.oldest_key_time = origin.oldest_key_time;
  properties.file_creation_time = origin.file_creation_time;
  if (properties.entries > 0) {
    properties.key_smallest_seqno = smallest_sequence;
    properties.key_largest_seqno = largest_sequence;
  }
  if (origin.for_ingestion) {
    properties.external_version = kExternalFileVersion;
    properties.global_seqno = 0;
  }
}

// Everything between the data blocks and the metaindex, in the order of sst-format 4.1.
Status TableBuilder::Impl::WriteMetaBlocks() {
  RETURN_IF_ERROR(filter.Finish(index, &writer, &metaindex, &properties));
  ASSIGN_OR_RETURN(index_handle,
                   index.Finish(&writer, index_compressor.get(), options.compression, &properties));
  if (options.format_version >= kContextChecksumsFrom) {
    metaindex.emplace(kMetaIndex, index_handle);
  }
  RETURN_IF_ERROR(WritePointIndex());
  if (!dictionary.empty()) {
    ASSIGN_OR_RETURN(const BlockHandle handle, writer.Write(dictionary, nullptr, {}));
    metaindex.emplace(kMetaCompressionDict, handle);
  }
  if (!tombstones.empty()) {
    ASSIGN_OR_RETURN(const BlockHandle handle, WriteTombstones());
    metaindex.emplace(kMetaRangeDeletions, handle);
  }
  FillProperties();
  ASSIGN_OR_RETURN(const BlockHandle handle,
                   writer.Write(EncodeTableProperties(properties), nullptr, {}));
  metaindex.emplace(kMetaProperties, handle);
  return Status::Ok();
}

// The smallest and largest internal key of points and tombstones together (db-format 5.2).
void TableBuilder::Impl::FillBounds() {
  if (has_points) largest = EncodeInternalKey(LastKey());
  WithKeyOrder(comparator, [&](auto order) {
    for (const RangeTombstone& tombstone : tombstones) {
      const InternalKey begin{tombstone.begin, tombstone.sequence, ValueType::kRangeDeletion};
      const InternalKey end{tombstone.end, kMaxSequence, ValueType::kRangeDeletion};
      if (smallest.empty() || CompareInternalKeys(order, begin, *DecodeInternalKey(smallest)) < 0) {
        smallest = EncodeInternalKey(begin);
      }
      if (largest.empty() || CompareInternalKeys(order, end, *DecodeInternalKey(largest)) > 0) {
        largest = EncodeInternalKey(end);
      }
    }
  });
}

Status TableBuilder::Impl::WriteFooter(BlockHandle metaindex_handle) {
  Footer footer;
  footer.format_version = options.format_version;
  footer.checksum = options.checksum;
  footer.metaindex = metaindex_handle;
  footer.offset = writer.offset();
  CHECK_OP(metaindex_handle.end(), ==, footer.offset, "the metaindex is the last block");
  if (options.format_version >= kContextChecksumsFrom) {
    footer.base_context_checksum = origin.base_context_checksum;
  } else {
    footer.index = index_handle;
  }
  std::string bytes;
  AppendFooter(&bytes, footer);
  return writer.WriteBytes(bytes);
}

TableBuilder::TableBuilder(const TableOptions& options, const Comparator& comparator,
                           TableOrigin origin, WritableFile* file)
    : impl_(std::make_unique<Impl>(options, comparator, std::move(origin), file)) {}
TableBuilder::~TableBuilder() = default;

Status TableBuilder::Add(const InternalKey& key, std::string_view value) {
  Impl& table = *impl_;
  CHECK(!table.finished);
  RETURN_IF_ERROR(table.status);
  RETURN_IF_ERROR(CheckEntrySize(key.user_key.size(), value.size()));
  bool is_new = true;
  if (table.has_points) {
    const int c =
        WithKeyOrder(table.comparator, [&](auto order) { return table.CompareLast(order, key); });
    CHECK(c <= 0);
    CHECK(c < 0 || table.last_packed > key.packed());
    DCHECK(IsDataBlockType(static_cast<uint8_t>(key.type)));
    is_new = c < 0;
    if (table.BlockIsFull(key, value)) {
      const bool index_cut = table.index.AddSeparator(table.LastKey(), key);
      table.filter.EndBlock(table.index.separators() - 1, index_cut);
      if (table.status = table.EndBlock(); !table.status.ok()) return table.status;
    }
  } else {
    table.has_points = true;
    table.smallest = EncodeInternalKey(key);
  }
  table.AddToFilter(key, is_new);
  if (table.point) table.point->Add(key.user_key, is_new, table.filter.last_hash());
  table.block.Add(key, value);
  table.Count(key, value);
  if (is_new) AssignShort(&table.last_user_key, key.user_key);
  table.last_packed = key.packed();
  return Status::Ok();
}

Status TableBuilder::AddRangeTombstone(std::string_view begin, std::string_view end,
                                       Sequence sequence) {
  Impl& table = *impl_;
  CHECK(!table.finished);
  CHECK_OP(sequence, <=, kMaxSequence);
  RETURN_IF_ERROR(table.status);
  RETURN_IF_ERROR(CheckEntrySize(begin.size(), end.size()));
  table.tombstones.push_back({std::string(begin), std::string(end), sequence});
  table.Count({begin, sequence, ValueType::kRangeDeletion}, end);
  ++table.properties.range_deletions;
  return Status::Ok();
}

Status TableBuilder::Finish() {
  Impl& table = *impl_;
  CHECK(!table.finished);
  RETURN_IF_ERROR(table.status);
  table.finished = true;
  table.status = [&]() -> Status {
    if (!table.block.empty()) {
      table.index.AddLastSeparator(table.LastKey());
      RETURN_IF_ERROR(table.EndBlock());
    }
    if (table.sampler.sampling()) RETURN_IF_ERROR(table.WriteHeldBlocks());
    table.properties.data_size = table.writer.offset();
    table.properties.tail_start_offset = table.writer.offset();
    RETURN_IF_ERROR(table.WriteMetaBlocks());
    ASSIGN_OR_RETURN(const BlockHandle handle,
                     table.writer.Write(EncodeMetaindex(table.metaindex), nullptr, {}));
    return table.WriteFooter(handle);
  }();
  table.FillBounds();
  CHECK(table.smallest.empty() == (table.properties.entries == 0));
  CHECK(!table.status.ok() || table.sampler.held_bytes() == 0);
  return table.status;
}

uint64_t TableBuilder::file_size() const { return impl_->writer.offset(); }

uint64_t TableBuilder::EstimatedFileSize() const {
  const Impl& table = *impl_;
  if (table.finished) return table.writer.offset();
  return table.writer.offset() + table.sampler.held_bytes() + table.block.CurrentSizeEstimate() +
         table.index.EstimatedSize() + (table.filter.enabled() ? table.filter.EstimatedSize() : 0) +
         (table.point ? table.point->EstimatedSize() : 0) + kTailEstimate;
}

uint64_t TableBuilder::entries() const { return impl_->properties.entries; }
const TableProperties& TableBuilder::properties() const { return impl_->properties; }
const std::string& TableBuilder::smallest() const {
  CHECK(impl_->finished);
  return impl_->smallest;
}
const std::string& TableBuilder::largest() const {
  CHECK(impl_->finished);
  return impl_->largest;
}
Sequence TableBuilder::smallest_sequence() const {
  CHECK(impl_->finished);
  return impl_->properties.entries == 0 ? 0 : impl_->smallest_sequence;
}
Sequence TableBuilder::largest_sequence() const {
  CHECK(impl_->finished);
  return impl_->largest_sequence;
}

}  // namespace varve
