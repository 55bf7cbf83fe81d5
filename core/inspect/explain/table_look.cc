// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/explain/table_look.h"

#include <utility>

#include "core/base/try.h"
#include "core/format/table/bloom_filter.h"
#include "core/inspect/counting_order.h"
#include "core/table/read/point_search.h"
#include "core/table/read/table_state.h"

namespace varve {
namespace {

class TableLookup {
 public:
  TableLookup(const TableReader& reader, const Comparator& comparator, std::string_view key,
              Sequence at, LookDepth depth, Clock* clock)
      : table_(reader.impl()),
        clock_(clock),
        order_{&comparator, &look_.comparisons},
        depth_(depth),
        at_(at),
        lookup_(key, depth == LookDepth::kAllVersions ? kMaxSequence : at),
        target_(SearchTarget()) {}

  TableLook Run() {
    if (table_.tombstones != nullptr) {
      look_.covered_by = table_.tombstones->NewestCovering(lookup_.user_key, at_);
    }
    const Status status = Walk();
    if (!status.ok()) look_.problem = status;
    return std::move(look_);
  }

 private:
  InternalKey SearchTarget() const {
    const bool all = table_.global_sequence != 0 || depth_ == LookDepth::kAllVersions;
    return LookupKey(lookup_.user_key, all ? kMaxSequence : lookup_.snapshot);
  }

  Status Walk() {
    if (depth_ == LookDepth::kAsGet && table_.global_sequence > at_) return Status::Ok();
    if (depth_ == LookDepth::kAsGet && table_.point != nullptr && AskPointIndex()) {
      return Status::Ok();
    }
    RETURN_IF_ERROR(AskFilter());
    if (depth_ == LookDepth::kFilterOnly) {
      return table_.filter.is_per_block() ? AskBlockFilter() : Status::Ok();
    }
    if (!look_.filter.may_match && depth_ == LookDepth::kAsGet) return Status::Ok();
    IndexBlockCursor top;
    top.Attach(*table_.index.top, table_.index.encoding);
    bool found = top.Seek(order_, target_);
    if (!table_.index.two_levels) {
      return WalkData(&top, found);
    }
    for (; found; found = top.Next()) {
      ASSIGN_OR_RETURN(const std::shared_ptr<const Block> partition,
                       Fetch(top.handle(), BlockKind::kKeyValue, "index_partition"));
      IndexBlockCursor leaf;
      leaf.Attach(*partition, table_.index.encoding);
      const bool on = started_ ? leaf.SeekToFirst() : leaf.Seek(order_, target_);
      RETURN_IF_ERROR(WalkData(&leaf, on));
      if (finished_) return Status::Ok();
    }
    return top.damaged() ? Damaged("index", table_.index.handle.offset) : Status::Ok();
  }

  // Searches data blocks from the cursor's position until the key's versions end.
  Status WalkData(IndexBlockCursor* index, bool on) {
    for (; on; on = index->Next()) {
      const BlockHandle handle = index->handle();
      started_ = true;
      const bool skip = table_.filter.is_per_block() && depth_ == LookDepth::kAsGet &&
                        !table_.filter.BlockMayMatch(handle.offset, lookup_.user_key);
      if (!skip) RETURN_IF_ERROR(WalkEntries(handle));
      if (finished_) return Status::Ok();
      rocksdb_only_ = rocksdb_only_ || !GoesOn(index->key());
    }
    return index->damaged() ? Damaged("index", table_.index.handle.offset) : Status::Ok();
  }

  // Whether the next data block may begin with the key: not if the separator is past it.
  bool GoesOn(std::string_view separator) const {
    if (table_.index.encoding.user_keys) return false;
    if (separator.size() < kPackedSize) return true;
    separator.remove_suffix(kPackedSize);
    return order_(separator, lookup_.user_key) <= 0;
  }

  Status WalkEntries(BlockHandle handle) {
    ASSIGN_OR_RETURN(const std::shared_ptr<const Block> block,
                     Fetch(handle, BlockKind::kData, "data"));
    if (order_.comparator->kind() == Comparator::Kind::kBytewise && !table_.bare_keys &&
        block->hints().disordered()) {
      return table_.Damaged(handle, 0);  // As SeekInBlock().
    }
    BlockCursor cursor(*block);
    const CompareStoredKey<CountingOrder> compare{order_, target_, table_.bare_keys};
    for (bool on = cursor.Seek(compare); on; on = cursor.Next()) {
      InternalKey found;
      if (!ParseStoredKey(cursor.key(), table_.bare_keys, &found)) {
        return table_.Damaged(handle, cursor.offset());
      }
      if (order_(found.user_key, lookup_.user_key) != 0) {
        finished_ = true;
        return Status::Ok();
      }
      if (table_.global_sequence != 0) found.sequence = table_.global_sequence;
      look_.versions.push_back({found.sequence, std::string(ValueTypeName(found.type)),
                                std::string(cursor.value()), handle.offset, found.sequence <= at_});
      if (depth_ == LookDepth::kAsGet && found.type != ValueType::kMerge) {
        finished_ = true;
        return Status::Ok();
      }
    }
    return cursor.damaged() ? table_.Damaged(handle, cursor.offset()) : Status::Ok();
  }

  // As SearchByPoint(). True: that is all that a Get does.
  bool AskPointIndex() {
    const PointIndex& point = *table_.point;
    const std::optional<PointIndex::Place> place = point.Find(&lookup_);
    look_.filter = {.kind = std::string(kAnsweredByPointIndex), .may_match = place.has_value()};
    look_.filter_checked = true;
    if (!place.has_value()) return true;
    const BlockHandle handle = point.handle(place->block);
    if (SpansBlocks(point, *place) || !IsAtPlace(handle, place->slot)) {
      look_.filter = {};
      look_.filter_checked = false;
      return false;
    }
    const Status walked = WalkEntries(handle);
    if (!walked.ok()) look_.problem = walked;
    return true;
  }
  bool IsAtPlace(BlockHandle handle, uint32_t slot) {
    const auto block = table_.fetcher.Read(handle, BlockKind::kData, FetchOptions{});
    if (!block.ok()) return false;
    BlockCursor cursor(**block);
    InternalKey found;
    return cursor.SeekToSlot(slot, table_.properties.data_block_restart_interval) &&
           ParseStoredKey(cursor.key(), table_.bare_keys, &found) &&
           found.user_key == lookup_.user_key;
  }

  Status AskFilter() {
    if (!table_.filter_status.ok()) {
      look_.filter.kind = "unusable";
    } else if (table_.filter.is_per_block()) {
      look_.filter.kind = "per_block";
    } else if (table_.filter.full()) {
      look_.filter_checked = true;
      Probe(*table_.filter.full());
    } else if (table_.filter.top() != nullptr) {
      return AskPartition();
    } else {
      look_.filter.kind = "none";
    }
    return Status::Ok();
  }

  // LevelDB's filters: the index tells which data block may have the key, and so which filter to
  // check.
  Status AskBlockFilter() {
    IndexCursor index(table_.index, table_.fetcher, FetchOptions{});
    if (!index.Seek(VirtualOrder{order_.comparator}, target_)) {
      RETURN_IF_ERROR(index.status());
      look_.filter.may_match = false;  // Behind the last block.
      return Status::Ok();
    }
    look_.filter_checked = true;
    look_.filter.may_match = table_.filter.BlockMayMatch(index.handle().offset, lookup_.user_key);
    return Status::Ok();
  }

  Status AskPartition() {
    look_.filter_checked = look_.filter.partitioned = true;
    look_.filter.kind = "unusable";
    IndexEncoding encoding = table_.index.encoding;
    encoding.values.has_first_key = false;
    IndexBlockCursor top;
    top.Attach(*table_.filter.top(), encoding);
    if (!top.Seek(order_, target_) && (top.damaged() || !top.SeekToLast())) return Status::Ok();
    const BlockHandle handle = top.handle();
    if (handle.size == 0) {
      look_.filter = {.kind = "empty", .partitioned = true, .may_match = false};
      return Status::Ok();
    }
    ASSIGN_OR_RETURN(const std::shared_ptr<const Block> block,
                     Fetch(handle, BlockKind::kFilter, "filter_partition"));
    Probe(FilterProbe::Parse(block->bytes()));
    return Status::Ok();
  }

  void Probe(const FilterProbe& probe) {
    look_.filter.kind = FilterKindName(probe.kind());
    look_.filter.may_match = table_.filter.ProbeMayMatch(probe, &lookup_);
    const std::optional<std::string_view> asked = AskedOf(lookup_.user_key);
    if (!asked) return;
    const uint64_t hash = probe.Hash(*asked);
    if (probe.kind() == FilterProbe::Kind::kFastLocalBloom) {
      const uint64_t line = FastLocalBloomLine(hash, probe.lines()) * probe.line_bits();
      auto h = static_cast<uint32_t>(hash >> 32);
      for (uint32_t i = 0; i < probe.probes(); ++i, h *= 0x9E3779B9u) {
        if (!NoteBit(line + (h >> 23), probe)) return;
      }
    } else if (probe.kind() == FilterProbe::Kind::kLegacyBloom) {
      auto h = static_cast<uint32_t>(hash);
      const uint64_t line = uint64_t{h % probe.lines()} * probe.line_bits();
      const uint32_t delta = h >> 17 | h << 15;
      for (uint32_t i = 0; i < probe.probes(); ++i, h += delta) {
        if (!NoteBit(line + (h & (probe.line_bits() - 1)), probe)) return;
      }
    }
  }

  // Records a probed bit; false if it is not set.
  bool NoteBit(uint64_t bit, const FilterProbe& probe) {
    look_.filter.bits.push_back(bit);
    if (probe.BitIsSet(bit)) return true;
    look_.filter.first_zero = bit;
    return false;
  }

  // The part of the key that is in the filter; nullopt: none.
  std::optional<std::string_view> AskedOf(std::string_view user_key) const {
    if (table_.properties.whole_key_filtering) return user_key;
    if (!table_.properties.prefix_filtering) return std::nullopt;
    const auto extractor = PrefixExtractor::FromName(table_.properties.prefix_extractor);
    return extractor ? extractor->Prefix(user_key) : std::nullopt;
  }

  Result<std::shared_ptr<const Block>> Fetch(BlockHandle handle, BlockKind kind, const char* name) {
    BlockLook look{.kind = name, .offset = handle.offset, .size = handle.size + kBlockTrailerSize};
    look.rocksdb_only = rocksdb_only_;
    look.cached = table_.fetcher.IsCached(handle);
    const uint64_t begin = clock_ == nullptr ? 0 : clock_->NowMicros();
    Result<std::shared_ptr<const Block>> block = table_.fetcher.Fetch(handle, kind, FetchOptions{});
    if (clock_ != nullptr) look.micros = clock_->NowMicros() - begin;
    if (block.ok()) look.raw_size = (*block)->bytes().size();
    look_.blocks.push_back(look);
    return block;
  }

  Status Damaged(const char* what, uint64_t offset) const {
    return Status::Corruption(std::string(what) + " block is broken")
        .At(table_.fetcher.Where(offset));
  }

  const TableReader::Impl& table_;
  Clock* const clock_;
  TableLook look_;
  const CountingOrder order_;
  const LookDepth depth_;
  const Sequence at_;
  Lookup lookup_;
  const InternalKey target_;
  bool started_ = false, finished_ = false, rocksdb_only_ = false;
};

}  // namespace

std::string_view FilterKindName(FilterProbe::Kind kind) {
  switch (kind) {
    case FilterProbe::Kind::kFastLocalBloom:
      return "bloom";
    case FilterProbe::Kind::kLegacyBloom:
      return "legacy_bloom";
    case FilterProbe::Kind::kRibbon:
      return "ribbon";
    case FilterProbe::Kind::kAlways:
    case FilterProbe::Kind::kNever:
      break;
  }
  return "constant";
}

TableLook LookInTable(const TableReader& reader, const Comparator& comparator, std::string_view key,
                      Sequence at, LookDepth depth, Clock* clock) {
  return TableLookup(reader, comparator, key, at, depth, clock).Run();
}

}  // namespace varve
