// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/table/block_report.h"

#include <algorithm>
#include <cctype>

#include "core/base/check.h"
#include "core/base/codec/compression.h"
#include "core/base/try.h"
#include "core/format/internal_key.h"
#include "core/format/table/block_entry.h"
#include "core/format/table/block_trailer.h"
#include "core/format/table/block_view.h"
#include "core/inspect/table/table_parts.h"
#include "core/table/read/table_opener.h"

namespace varve {

// Walks the entries of a block in any of the three forms, with their encoding.
class BlockEntryWalk {
 public:
  BlockEntryWalk(const BlockView& view, const BlockContents& contents)
      : view_(view), contents_(contents), next_(view.entries.data()) {}

  // False: the end, or damage, which is in *damage.
  bool Next(BlockEntryReport* out, Status* damage) {
    const char* const limit = view_.limit();
    if (next_ >= limit) return false;
    const auto at = static_cast<uint64_t>(next_ - view_.entries.data());
    while (restart_ < view_.num_restarts && view_.restart_offset(restart_) < at) ++restart_;
    const bool restart = restart_ < view_.num_restarts && view_.restart_offset(restart_) == at;
    BlockEntry entry;
    if (!Parse(restart, &entry) || entry.shared > key_.size()) {
      *damage = Status::Corruption("entry at byte " + std::to_string(at) + " is broken");
      return false;
    }
    key_.resize(entry.shared);
    key_.append(entry.suffix());
    *out = {.offset = at,
            .restart = restart,
            .shared = entry.shared,
            .non_shared = entry.non_shared,
            .key = key_,
            .value = value_,
            .handle = index_.handle,
            .first_key = index_.first_key};
    if (contents_.keys == BlockContents::Keys::kInternalKeys) {
      TakeApart(out);
      if (const auto first = DecodeInternalKey(index_.first_key)) out->first_key = first->user_key;
    }
    return true;
  }

 private:
  static void TakeApart(BlockEntryReport* entry) {
    const auto key = DecodeInternalKey(entry->key);
    if (!key) return;
    entry->key = key->user_key;
    entry->sequence = key->sequence;
    entry->type = ValueTypeName(key->type);
  }

  bool Parse(bool restart, BlockEntry* entry) {
    const char* const limit = view_.limit();
    if (view_.separated) {
      if (!ParseSeparatedEntry(next_, limit, restart, view_.values.size(), &value_at_, entry)) {
        return false;
      }
      value_ = view_.values.substr(static_cast<size_t>(value_at_), entry->value_size);
      value_at_ += entry->value_size;
      next_ = entry->after_key();
      return true;
    }
    const bool index = contents_.values == BlockContents::Values::kIndex;
    const bool sizeless = index && contents_.index.delta_encoded;
    if (sizeless ? !ParseKeyOnlyEntry(next_, limit, entry)
                 : !ParseBlockEntry(next_, limit, entry)) {
      return false;
    }
    const char* end = sizeless ? limit : entry->end();
    if (index) {
      const BlockHandle before = index_.handle;
      end =
          ParseIndexValue(entry->after_key(), end, contents_.index, entry->shared, before, &index_);
      if (end == nullptr) return false;
    } else if (contents_.values == BlockContents::Values::kHandles) {
      ByteReader in(entry->value());
      index_ = {};
      if (!ReadBlockHandle(&in, &index_.handle)) return false;
    }
    value_ = sizeless ? std::string_view(entry->after_key(),
                                         static_cast<size_t>(end - entry->after_key()))
                      : entry->value();
    next_ = sizeless ? end : entry->end();
    return true;
  }

  const BlockView& view_;
  const BlockContents& contents_;
  const char* next_;
  uint32_t restart_ = 0;
  uint64_t value_at_ = 0;
  std::string key_;
  std::string_view value_;
  IndexValue index_;
};

namespace {

// "none", "zstd", ...
std::string CodecName(CompressionType codec) {
  if (codec == CompressionType::kNone) return "none";
  std::string name(CompressionName(codec));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

void CountEntries(std::string_view payload, const BlockContents& contents, BlockReport* report) {
  const Result<BlockView> view = ParseBlock(payload);
  if (!view.ok()) {
    report->problem = view.status().message();
    return;
  }
  report->restarts = view->num_restarts;
  report->hash_buckets = view->num_buckets;
  const uint8_t* const buckets_end = view->buckets + view->num_buckets;
  report->hash_empty = static_cast<uint64_t>(std::count(view->buckets, buckets_end, kBucketEmpty));
  report->hash_collisions =
      static_cast<uint64_t>(std::count(view->buckets, buckets_end, kBucketCollision));
  report->separated = view->separated;
  BlockEntryWalk walk(*view, contents);
  BlockEntryReport entry;
  Status damage;
  uint64_t interval = 0;
  while (walk.Next(&entry, &damage)) {
    ++report->entries;
    interval = entry.restart ? 1 : interval + 1;
    report->restart_interval = std::max(report->restart_interval, interval);
    report->key_bytes += entry.shared + entry.non_shared;
    report->shared_key_bytes += entry.shared;
    report->value_bytes += entry.value.size();
  }
  if (!damage.ok()) report->problem = damage.message();
}

}  // namespace

BlockReport ReportBlock(const TableLayout& table, const TablePart& part) {
  CHECK(part.is_block());
  CHECK_OP(part.size, >=, kBlockTrailerSize);
  BlockReport report{.part = part};
  const Result<std::string> stored = table.Stored(part);
  if (!stored.ok()) {
    report.problem = stored.status().message();
    return report;
  }
  const Footer& footer = table.table().footer();
  report.stored_checksum = LoadFixed32(stored->data() + stored->size() - sizeof(uint32_t));
  const std::string_view checked =
      std::string_view(*stored).substr(0, stored->size() - sizeof(uint32_t));
  report.computed_checksum =
      ComputeStringChecksum(footer.checksum, checked, footer.base_context_checksum, part.offset);
  report.checksum_ok =
      SplitTrailer(*stored, footer.checksum, footer.base_context_checksum, part.offset).ok();
  // Ingestion wrote the table's sequence number into its properties later.
  if (!report.checksum_ok && part.kind == TablePartKind::kProperties) {
    report.checksum_ok = ReadTableProperties(table.table().fetcher(), part.handle()).ok();
    report.patched = report.checksum_ok;
  }
  const Result<StoredBlock> split = SplitTrailerUnverified(*stored);
  if (split.ok()) {
    const Result<CompressionType> codec = CodecOf(*split, footer.legacy_magic);
    if (codec.ok()) report.codec = CodecName(*codec);
  }
  const auto decoded = table.Decoded(part);
  if (!decoded.ok()) {
    report.problem = decoded.status().message();
    return report;
  }
  report.raw_size = (*decoded)->bytes().size();
  const std::optional<BlockContents> contents = table.ContentsOf(part.kind);
  if (contents) CountEntries((*decoded)->bytes(), *contents, &report);
  return report;
}

struct BlockEntries::State {
  State(std::shared_ptr<const Block> decoded, const BlockView& block_view,
        const BlockContents& what, std::string place)
      : block(std::move(decoded)),
        view(block_view),
        contents(what),
        where(std::move(place)),
        walk(view, contents) {}

  const std::shared_ptr<const Block> block;
  const BlockView view;
  const BlockContents contents;
  const std::string where;
  BlockEntryWalk walk;
};

BlockEntries::BlockEntries(std::unique_ptr<State> state) : state_(std::move(state)) {}
BlockEntries::~BlockEntries() = default;

Result<std::unique_ptr<BlockEntries>> BlockEntries::Open(const TableLayout& table,
                                                         const TablePart& part) {
  const std::optional<BlockContents> contents = table.ContentsOf(part.kind);
  if (!contents) {
    return Status::NotSupported("a block of kind " + std::string(TablePartName(part.kind)) +
                                " has no entries");
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const Block> decoded, table.Decoded(part));
  const std::string where = table.table().fetcher().Where(part.offset);
  const Result<BlockView> view = ParseBlock(decoded->bytes());
  if (!view.ok()) return view.status().At(where);
  return std::unique_ptr<BlockEntries>(
      new BlockEntries(std::make_unique<State>(std::move(decoded), *view, *contents, where)));
}

bool BlockEntries::Next(BlockEntryReport* entry) {
  Status damage;
  if (status_.ok() && state_->walk.Next(entry, &damage)) return true;
  if (!damage.ok()) status_ = damage.At(state_->where);
  return false;
}

std::optional<uint64_t> PartitionCounter::BlocksOf(BlockHandle handle) {
  if (handle.offset < end_ || !handle.FitsBelow(table_.file_size())) return std::nullopt;
  end_ = handle.end();
  const TablePart partition{handle.offset, handle.size + kBlockTrailerSize,
                            TablePartKind::kIndexPartition};
  uint64_t blocks = 0;
  const Status walked = WalkBlockEntries(table_, partition, [&](const BlockEntryReport&) {
    ++blocks;
    return true;
  });
  return walked.ok() ? std::optional(blocks) : std::nullopt;
}

Status WalkBlockEntries(const TableLayout& table, const TablePart& part,
                        const std::function<bool(const BlockEntryReport&)>& use) {
  ASSIGN_OR_RETURN(const auto entries, BlockEntries::Open(table, part));
  BlockEntryReport entry;
  while (entries->Next(&entry)) {
    if (!use(entry)) return Status::Ok();
  }
  return entries->status();
}

}  // namespace varve
