// SPDX-License-Identifier: Apache-2.0
#include "core/table/filter/filter_writer.h"

#include <algorithm>
#include <utility>

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/keys/timestamps.h"
#include "core/base/try.h"

namespace varve {
namespace {

FilterOptions ToFilterOptions(const TableOptions& options) {
  return {.kind = options.filter,
          .bits_per_key = options.filter == FilterKind::kNone ? 0 : options.filter_bits_per_key,
          .format_version = options.format_version};
}

// Aim somewhat below the wanted partition size, so as not to exceed it.
constexpr uint64_t kPartitionFillPercent = 90;

}  // namespace

FilterWriter::FilterWriter(const TableOptions& options, size_t timestamp_size)
    : options_(options),
      builder_(ToFilterOptions(options)),
      enabled_(options.filter != FilterKind::kNone && !builder_.disabled()),
      partitioned_(options.partition_filters && options.index_type == IndexType::kTwoLevel),
      decoupled_(partitioned_ && options.decouple_partitioned_filters),
      entries_wanted_(enabled_ && partitioned_
                          ? std::max<uint64_t>(1, builder_.ApproximateNumEntries(
                                                      uint64_t{options.metadata_block_size} *
                                                      kPartitionFillPercent / 100))
                          : 0),
      timestamp_size_(timestamp_size) {}

void FilterWriter::EndPartition(Partition partition) {
  CHECK(partitioned_ || partitions_.empty());
  const uint64_t size = builder_.EstimatedSize();
  partition.hashes = builder_.TakeHashes();
  BuildHeld();
  held_ = std::move(partition);
  held_size_ = size;
}

void FilterWriter::BuildHeld() {
  if (!held_) return;
  CHECK(builder_.empty(), "the keys of the next partition were taken");
  builder_.PutBackHashes(std::move(held_->hashes));
  entries_ += builder_.entries();
  held_->filter = builder_.Finish();
  partitions_size_ += held_->filter.size();
  partitions_.push_back(*std::move(held_));
  held_.reset();
  held_size_ = 0;
}

void FilterWriter::EndLastPartition(const IndexBuilder& index) {
  if (!builder_.empty()) {
    Partition last{.separator = index.separators() == 0 ? 0 : index.separators() - 1,
                   .last_key = last_key_};
    if (held_ && options_.merge_runt_partitions && builder_.entries() * 2 < entries_wanted_) {
      last.hashes = builder_.TakeHashes();
      builder_.PutBackHashes(std::move(held_->hashes));
      builder_.AddHashes(last.hashes);
      held_.reset();
    }
    EndPartition(std::move(last));
  }
  BuildHeld();
}

void FilterWriter::EndBlock(size_t separator, bool index_cut) {
  if (!enabled_ || !partitioned_ || decoupled_) return;
  if (std::exchange(cut_after_next_block_, index_cut)) EndPartition({.separator = separator});
}

Status FilterWriter::Finish(const IndexBuilder& index, BlockWriter* writer, Metaindex* metaindex,
                            TableProperties* properties) {
  properties->decoupled_partitioned_filters = decoupled_;
  if (!enabled_) return Status::Ok();
  properties->filter_policy =
      options_.filter == FilterKind::kRibbon ? "ribbonfilter" : "bloomfilter";
  EndLastPartition(index);
  properties->filter_entries = entries_;
  if (partitions_.empty()) return Status::Ok();
  BlockHandle handle;
  std::string name;
  if (partitioned_) {
    name = std::string(kMetaPartitionedFilter);
    ASSIGN_OR_RETURN(handle, WritePartitions(index, writer, properties));
  } else {
    CHECK_OP(partitions_.size(), ==, 1);
    name = std::string(kMetaFullFilter);
    properties->filter_size = partitions_[0].filter.size();
    ASSIGN_OR_RETURN(handle, writer->Write(partitions_[0].filter, nullptr, {}));
  }
  name += kRocksDbFilterName;
  metaindex->emplace(std::move(name), handle);
  return Status::Ok();
}

Result<BlockHandle> FilterWriter::WritePartitions(const IndexBuilder& index, BlockWriter* writer,
                                                  TableProperties* properties) {
  BlockBuilder top({.restart_interval = options_.index_block_restart_interval,
                    .delta_encode_index_values = index.delta_values()});
  std::string key;
  for (const Partition& partition : partitions_) {
    ASSIGN_OR_RETURN(const BlockHandle handle, writer->Write(partition.filter, nullptr, {}));
    key.clear();
    if (decoupled_) {
      key = BehindTimestamps(partition.last_key, timestamp_size_);
      if (!index.user_keys()) AppendFixed64(&key, 0);  // After all versions of that key.
    } else {
      CHECK_OP(partition.separator, <, index.separators());
      index.AppendSeparator(partition.separator, &key);
    }
    top.AddIndex(key, handle);
    properties->filter_size += partition.filter.size();
  }
  RETURN_IF_ERROR(top.CheckSize().At("filter index"));
  const std::string_view raw = top.Finish();
  properties->filter_size += raw.size();
  return writer->Write(raw, nullptr, {});
}

}  // namespace varve
