// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/table/table_parts.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/format/table/block_walker.h"
#include "core/inspect/table/block_scanner.h"
#include "core/table/read/table_opener.h"

namespace varve {
namespace {

// Whether the value is a block handle. Index blocks consist of these, and may look like data blocks
// otherwise.
bool IsHandle(std::string_view value, uint64_t limit) {
  ByteReader in(value);
  BlockHandle handle;
  return ReadBlockHandle(&in, &handle) && in.empty() && handle.FitsBelow(limit) && handle.size > 0;
}

}  // namespace

Result<std::unique_ptr<TableParts>> TableParts::Open(FileSystem& fs, const std::string& path,
                                                     const TableContext& context,
                                                     std::vector<SalvageLoss>* losses) {
  CHECK(losses != nullptr);
  std::unique_ptr<TableParts> parts(new TableParts(context, losses));
  ASSIGN_OR_RETURN(auto file, fs.OpenForRead(path, /*direct=*/false));
  auto reader = TableReader::Open(std::move(file), {.comparator = context.comparator,
                                                    .global_sequence = context.largest_sequence});
  // Without its ingestion properties it would show the stored sequence numbers.
  const bool has_sequence =
      !context.one_sequence() ||
      (reader.ok() && (*reader)->impl().global_sequence == context.largest_sequence);
  if (reader.ok() && has_sequence) {
    parts->reader_ = *std::move(reader);
    parts->tombstones_read_ = true;
    if (const Status& filter = parts->reader_->filter_status(); !filter.ok()) {
      const auto entry = FindFilter(parts->table().metaindex);
      parts->Lose(entry ? entry->handle : BlockHandle{}, "the filter", filter);
    }
    return parts;
  }
  // An intact table of an unsupported format is not salvaged.
  if (!reader.ok() && reader.status().code() == Code::kNotSupported) return reader.status();
  ASSIGN_OR_RETURN(auto again, fs.OpenForRead(path, /*direct=*/false));
  RETURN_IF_ERROR(parts->LoadPieces(std::move(again)));
  return parts;
}

void TableParts::Lose(BlockHandle handle, std::string_view what, const Status& failure) {
  losses_->push_back({.offset = handle.offset,
                      .bytes = handle.size + kBlockTrailerSize,
                      .what = std::string(what) + ": " + Unplaced(failure),
                      .data = false});
}

Status TableParts::LoadPieces(std::unique_ptr<RandomAccessFile> file) {
  ASSIGN_OR_RETURN(const uint64_t size, file->Size());
  pieces_ = std::make_unique<TableReader::Impl>(std::move(file), size, nullptr);
  LoadFooter();
  if (!footer_guessed_) LoadMetaindex(footer().metaindex);
  LoadMetaBlocks();
  return Status::Ok();
}

void TableParts::LoadFooter() {
  const uint64_t size = file_size(), tail = std::min(size, kFooterSize);
  const auto bytes = pieces_->fetcher.ReadBytes(size - tail, tail);
  const auto footer = bytes.ok() ? DecodeFooter(*bytes, size) : Result<Footer>(bytes.status());
  if (footer.ok()) return pieces_->fetcher.set_footer(*footer);
  footer_guessed_ = true;
  Lose({size - tail, tail - std::min(tail, kBlockTrailerSize)}, "the footer", footer.status());
  const auto decodes = [&](const Footer& candidate, BlockHandle block) {
    Footer trial = candidate;
    trial.offset = size;
    pieces_->fetcher.set_footer(trial);
    return pieces_->fetcher.Read(block, BlockKind::kData, {}).ok();
  };
  const auto guess = BlockScanner::GuessFooter(pieces_->fetcher.file(), size, decodes);
  Footer assumed;
  // Nothing can be verified, so blocks cannot be searched for.
  assumed.checksum = ChecksumType::kNone;
  if (guess.ok() && *guess) assumed = **guess;
  assumed.offset = size;
  pieces_->fetcher.set_footer(assumed);
}

void TableParts::LoadMetaindex(BlockHandle handle) {
  const auto block = pieces_->fetcher.Read(handle, BlockKind::kKeyValue, {});
  const auto metaindex = block.ok() ? DecodeMetaindex((*block)->bytes(), footer().offset)
                                    : Result<Metaindex>(block.status());
  if (!metaindex.ok()) return Lose(handle, "the metaindex", metaindex.status());
  pieces_->metaindex = *metaindex;
}

void TableParts::LoadProperties(BlockHandle handle) {
  auto properties = ReadTableProperties(pieces_->fetcher, handle);
  if (!properties.ok()) return Lose(handle, "the properties", properties.status());
  pieces_->properties = *std::move(properties);
  pieces_->has_properties = true;
}

// A table in a family has the family's comparator, whatever its properties say.
void TableParts::ChooseComparator() {
  TableReader::Impl& table = *pieces_;
  const std::string& stored = table.properties.comparator;
  const bool known = context_.comparator != nullptr;
  comparator_assumed_ = !known && stored.empty() && !footer().legacy_magic;
  table.comparator_name = known            ? std::string(context_.comparator->name())
                          : stored.empty() ? std::string(BytewiseComparator()->name())
                                           : stored;
  table.comparator = known ? context_.comparator : ComparatorByName(table.comparator_name);
}

// Loads the blocks that the metaindex names, if it is readable.
void TableParts::LoadMetaBlocks() {
  TableReader::Impl& table = *pieces_;
  const auto handle = FindProperties(table.metaindex);
  if (handle && !table.has_properties) LoadProperties(*handle);
  ChooseComparator();
  // The readable properties may lack the ingestion marks: an ingested table has one sequence, and a
  // table with one sequence uses it for all entries.
  const bool ingested =
      table.properties.external_version.value_or(0) == 2 || context_.one_sequence();
  table.global_sequence = table.properties.global_seqno.value_or(0);
  if (table.global_sequence == 0 && ingested) table.global_sequence = context_.largest_sequence;
  const auto dictionary = FindMeta(table.metaindex, kMetaCompressionDict);
  if (dictionary && dictionary->size > 0 && table.fetcher.dictionary() == nullptr) {
    auto block = table.fetcher.Read(*dictionary, BlockKind::kOpaque, {});
    if (block.ok()) {
      table.fetcher.set_dictionary(*std::move(block));
    } else {
      Lose(*dictionary, "the dictionary", block.status());
    }
  }
  const auto deletions = FindMeta(table.metaindex, kMetaRangeDeletions);
  if (deletions && !tombstones_read_) {
    const auto block = table.fetcher.Read(*deletions, BlockKind::kKeyValue, {});
    if (block.ok()) {
      TakeTombstones(**block);
    } else {
      losses_->push_back({.offset = deletions->offset,
                          .bytes = deletions->size + kBlockTrailerSize,
                          .what = "the range deletions: " + Unplaced(block.status())});
    }
  }
  auto index = footer().index;
  if (!index) index = FindMeta(table.metaindex, kMetaIndex);
  if (!index || table.index.top != nullptr) return;
  if (!table.has_properties && !footer().legacy_magic) return;  // Its encoding is unknown.
  const uint32_t kind = table.properties.index_type.value_or(0);
  table.index.two_levels = kind == static_cast<uint32_t>(IndexType::kTwoLevel);
  table.index.handle = *index;
  table.index.encoding = {
      .user_keys = table.properties.index_key_is_user_key,
      .values = {.delta_encoded = table.properties.index_value_is_delta_encoded,
                 .has_first_key = kind == static_cast<uint32_t>(IndexType::kBinaryWithFirstKey)}};
  auto top = table.fetcher.Read(*index, BlockKind::kKeyValue, {});
  if (top.ok()) {
    table.index.top = *std::move(top);
  } else {
    Lose(*index, "the index", top.status());
  }
}

SalvageOrigin TableParts::Origin() const {
  return {.comparator = table().comparator,
          .comparator_name = table().comparator_name,
          .properties = table().properties,
          .format_version = footer().format_version,
          .checksum = footer().checksum,
          .for_ingestion =
              table().properties.external_version.value_or(0) == 2 && table().global_sequence == 0};
}

bool TableParts::WalkIndex(
    const std::function<void(BlockHandle, std::string_view)>& block,
    const std::function<void(BlockHandle, const Status&)>& unreadable) const {
  const IndexReader& index = table().index;
  if (index.top == nullptr) return false;
  bool complete = true;
  const auto walk = [&](const Block& entries, const auto& use) {
    IndexBlockCursor cursor;
    cursor.Attach(entries, index.encoding);
    for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
      use(cursor.handle(), cursor.key());
    }
    if (cursor.damaged()) complete = false;
  };
  if (!index.two_levels) {
    walk(*index.top, block);
    return complete;
  }
  uint64_t end = 0;
  bool out_of_order = false;  // Reported once.
  walk(*index.top, [&](BlockHandle handle, std::string_view) {
    // A partition that is named twice, or overlaps another one, is invalid.
    if (handle.offset < end || !handle.FitsBelow(file_size())) {
      if (!std::exchange(out_of_order, true)) {
        unreadable(handle, Status::Corruption("overlaps the part before it"));
      }
      complete = false;
      return;
    }
    end = handle.end();
    const auto partition = table().fetcher.Read(handle, BlockKind::kKeyValue, {});
    if (partition.ok()) return walk(**partition, block);
    complete = false;
    unreadable(handle, partition.status());
  });
  return complete;
}

std::optional<std::string> TableParts::SeparatorUserKey(std::string_view separator) const {
  if (table().index.encoding.user_keys) return std::string(separator);
  const auto key = DecodeInternalKey(separator);
  return std::string(key ? key->user_key : separator);
}

uint64_t TableParts::EndOfData() const {
  uint64_t end = footer().offset;
  const auto before = [&](BlockHandle handle) {
    if (handle.size > 0) end = std::min(end, handle.offset);
  };
  if (!footer_guessed_) before(footer().metaindex);
  if (!footer_guessed_ && footer().index) before(*footer().index);
  for (const auto& [name, handle] : table().metaindex) before(handle);
  if (table().index.top != nullptr) before(table().index.handle);
  const TableProperties& p = properties();
  if (p.tail_start_offset > 0) end = std::min(end, p.tail_start_offset);
  if (p.data_size > 0 && p.tail_start_offset == 0) end = std::min(end, p.data_size);
  if (has_properties() && p.raw.contains("rocksdb.data.size") && p.data_size == 0) end = 0;
  return end;
}

void TableParts::Notice(BlockHandle handle) {
  if (pieces_ == nullptr || !pieces_->metaindex.empty() || handle.size > (1 << 20)) return;
  const auto block = pieces_->fetcher.Read(handle, BlockKind::kOpaque, {});
  if (!block.ok()) return;
  const auto properties = DecodeTableProperties((*block)->bytes());
  if (properties.ok() && properties->raw.contains("rocksdb.num.entries")) {
    pieces_->properties = *properties;
    pieces_->has_properties = true;
  }
  const auto metaindex = DecodeMetaindex((*block)->bytes(), file_size());
  const bool real = metaindex.ok() && !metaindex->empty() &&
                    (FindProperties(*metaindex) || FindFilter(*metaindex));
  if (real) pieces_->metaindex = *metaindex;
  if (real || properties.ok()) LoadMetaBlocks();
}

void TableParts::TakeTombstones(const Block& block) {
  CHECK(pieces_ != nullptr && !tombstones_read_);
  TableReader::Impl& table = *pieces_;
  uint64_t room = kTombstoneKeysMax * block.bytes().size();
  BlockWalker walker(block.view());
  while (walker.Next()) {
    const auto key = DecodeInternalKey(walker.key());
    if (!key || key->type != ValueType::kRangeDeletion || walker.key().size() > room) return;
    room -= walker.key().size();
    table.raw_tombstones.push_back(
        {std::string(key->user_key), std::string(walker.value()),
         table.global_sequence != 0 ? table.global_sequence : key->sequence});
  }
  tombstones_read_ = true;
}

Result<std::shared_ptr<const Block>> TableParts::ReadData(BlockHandle handle) const {
  return table().fetcher.Read(handle, BlockKind::kData, {});
}

std::string TableParts::UnverifiedData(BlockHandle handle) const {
  const auto stored = table().fetcher.ReadStored(handle);
  if (!stored.ok()) return "";
  const auto block = table().fetcher.Decode(*stored, handle, BlockKind::kOpaque, /*verify=*/false);
  return block.ok() ? std::string((*block)->bytes()) : "";
}

bool TableParts::IsData(const Block& block) const {
  BlockWalker walker(block.view());
  InternalKey key;
  bool any = false, all_handles = true;
  std::string before;
  while (walker.Next()) {
    if (!ParseKey(walker.key(), &key)) return false;
    if (any && !After(before, key)) return false;
    any = true;
    all_handles = all_handles && IsHandle(walker.value(), file_size());
    before = EncodeInternalKey(key);
  }
  return any && walker.status().ok() && !all_handles;
}

bool TableParts::After(std::string_view encoded_before, const InternalKey& key) const {
  if (table().comparator == nullptr) return true;
  const auto before = DecodeInternalKey(encoded_before);
  return before && CompareInternalKeys(VirtualOrder{table().comparator}, *before, key) < 0;
}

bool TableParts::Between(const std::optional<std::string>& after, std::string_view user_key,
                         const std::optional<std::string>& last) const {
  const Comparator* order = table().comparator;
  if (order == nullptr) return true;
  return (!after || order->Compare(*after, user_key) <= 0) &&
         (!last || order->Compare(user_key, *last) <= 0);
}

std::string TableParts::Unplaced(const Status& failure) const {
  const std::string text(failure.message());
  const size_t at = text.find(": ");
  return text.find('@') < at && at != std::string::npos ? text.substr(at + 2) : text;
}

}  // namespace varve
