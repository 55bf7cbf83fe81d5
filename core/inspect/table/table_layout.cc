// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/table/table_layout.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/codec/compression.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/table/block_trailer.h"
#include "core/format/table/hash_index.h"
#include "core/format/table/integer_index.h"
#include "core/inspect/table/block_layout.h"
#include "core/inspect/table/point_index_layout.h"
#include "core/table/read/table_opener.h"
#include "core/table/read/table_state.h"

namespace varve {
namespace {

// Larger parts are one leaf and are not read.
constexpr uint64_t kExpandedSizeMax = 64 << 20;
// Larger parts are never read.
constexpr uint64_t kReadSizeMax = 1 << 30;

TablePartKind KindOfMeta(std::string_view name) {
  if (name == kMetaProperties || name == kMetaPropertiesOld) return TablePartKind::kProperties;
  if (name == kMetaIndex) return TablePartKind::kIndex;
  if (name == kMetaIntegerIndex || name == kMetaHashIndex) return TablePartKind::kPointIndex;
  if (name == kMetaCompressionDict) return TablePartKind::kDictionary;
  if (name == kMetaRangeDeletions) return TablePartKind::kRangeDeletions;
  if (name.starts_with(kMetaFullFilter)) return TablePartKind::kFilter;
  if (name.starts_with(kMetaPartitionedFilter)) return TablePartKind::kFilterIndex;
  if (name.starts_with(kMetaBlockFilter)) return TablePartKind::kPerBlockFilter;
  return TablePartKind::kMeta;
}

bool AllZero(std::string_view bytes) { return bytes.find_first_not_of('\0') == bytes.npos; }

}  // namespace

std::string_view TablePartName(TablePartKind kind) {
  switch (kind) {
    case TablePartKind::kData:
      return "data";
    case TablePartKind::kFilter:
      return "filter";
    case TablePartKind::kFilterPartition:
      return "filter_partition";
    case TablePartKind::kFilterIndex:
      return "filter_index";
    case TablePartKind::kPerBlockFilter:
      return "per_block_filter";
    case TablePartKind::kIndex:
      return "index";
    case TablePartKind::kIndexPartition:
      return "index_partition";
    case TablePartKind::kPointIndex:
      return "point_index";
    case TablePartKind::kProperties:
      return "properties";
    case TablePartKind::kDictionary:
      return "dictionary";
    case TablePartKind::kRangeDeletions:
      return "range_deletions";
    case TablePartKind::kMetaindex:
      return "metaindex";
    case TablePartKind::kMeta:
      return "meta";
    case TablePartKind::kFooter:
      return "footer";
    case TablePartKind::kUnreferenced:
      break;
  }
  return "unreferenced";
}

Result<std::unique_ptr<TableLayout>> TableLayout::Open(FileSystem& fs, const std::string& path) {
  std::unique_ptr<TableLayout> layout(new TableLayout());
  layout->path_ = path;
  std::vector<SalvageLoss> losses;
  auto table = TableParts::Open(fs, path, TableContext(), &losses);
  if (table.ok()) {
    layout->table_ = *std::move(table);
    layout->file_size_ = layout->table_->file_size();
  } else if (table.status().code() == Code::kNotSupported) {
    layout->problems_.emplace_back(table.status().message());
    ASSIGN_OR_RETURN(layout->unsupported_file_, fs.OpenForRead(path, /*direct=*/false));
    ASSIGN_OR_RETURN(layout->file_size_, layout->unsupported_file_->Size());
  } else {
    return table.status();
  }
  char first = 0;
  RETURN_IF_ERROR(layout->file().Read(0, 1, &first).status());  // Fails e.g. for a directory.
  if (layout->table_ != nullptr) layout->Collect();
  for (const SalvageLoss& loss : losses) layout->problems_.push_back(loss.what);
  layout->Tile();
  return layout;
}

Status TableLayout::status() const {
  if (problems_.empty()) return Status::Ok();
  const std::string why = path_ + ": " + problems_.front();
  return is_implemented() ? Status::Corruption(why) : Status::NotSupported(why);
}

void TableLayout::Add(BlockHandle handle, TablePartKind kind) {
  if (handle.size == 0) return;  // Empty.
  if (!handle.FitsBelow(file_size_)) {
    problems_.push_back("a handle of a block of kind " + std::string(TablePartName(kind)) +
                        " leads outside the file: offset " + std::to_string(handle.offset) +
                        ", size " + std::to_string(handle.size));
    return;
  }
  parts_.push_back({handle.offset, handle.size + kBlockTrailerSize, kind});
}

void TableLayout::Collect() {
  const Footer& footer = table_->footer();
  if (!table_->footer_guessed()) {
    parts_.push_back({footer.offset, footer.size(), TablePartKind::kFooter});
    Add(footer.metaindex, TablePartKind::kMetaindex);
    if (footer.index) Add(*footer.index, TablePartKind::kIndex);
  }
  for (const auto& [name, handle] : table_->metaindex()) Add(handle, KindOfMeta(name));
  CollectFilter();
  CollectIndex();
}

void TableLayout::CollectFilter() {
  if (table_->filter().top() == nullptr) return;
  IndexEncoding encoding = table_->index().encoding;
  encoding.values.has_first_key = false;
  IndexBlockCursor cursor;
  cursor.Attach(*table_->filter().top(), encoding);
  for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
    Add(cursor.handle(), TablePartKind::kFilterPartition);
  }
}

void TableLayout::CollectIndex() {
  const IndexReader& index = table_->index();
  if (index.top == nullptr) return;
  if (index.two_levels) {
    IndexBlockCursor cursor;
    cursor.Attach(*index.top, index.encoding);
    for (bool on = cursor.SeekToFirst(); on; on = cursor.Next()) {
      Add(cursor.handle(), TablePartKind::kIndexPartition);
    }
  }
  const bool whole = table_->WalkIndex(
      [this](BlockHandle block, std::string_view) { Add(block, TablePartKind::kData); },
      [this](BlockHandle partition, const Status& why) {
        problems_.push_back("the index partition at " + std::to_string(partition.offset) + ": " +
                            std::string(why.message()));
      });
  if (!whole) problems_.emplace_back("not all of the index can be read");
}

// Sorts the parts, drops overlapping ones and fills the gaps.
void TableLayout::Tile() {
  std::stable_sort(parts_.begin(), parts_.end(),
                   [](const TablePart& a, const TablePart& b) { return a.offset < b.offset; });
  std::vector<TablePart> tiles;
  tiles.reserve(parts_.size() + 1);
  uint64_t end = 0;
  for (const TablePart& part : parts_) {
    if (part.offset < end) {
      const TablePart& before = tiles.back();
      if (before.offset == part.offset && before.size == part.size) continue;  // Found twice.
      problems_.push_back("the " + std::string(TablePartName(part.kind)) + " block at " +
                          std::to_string(part.offset) + " begins before " + std::to_string(end) +
                          ", where the part in front of it ends");
      continue;
    }
    if (part.offset > end) {
      tiles.push_back({end, part.offset - end, TablePartKind::kUnreferenced});
    }
    tiles.push_back(part);
    end = part.offset + part.size;
    DCHECK_OP(end, <=, file_size_, "Add() rejected handles that end later");
  }
  if (end < file_size_) tiles.push_back({end, file_size_ - end, TablePartKind::kUnreferenced});
  parts_ = std::move(tiles);
}

const TablePart* TableLayout::Find(uint64_t offset) const {
  const auto found =
      std::lower_bound(parts_.begin(), parts_.end(), offset,
                       [](const TablePart& part, uint64_t at) { return part.offset < at; });
  return found == parts_.end() || found->offset != offset || !found->is_block() ? nullptr : &*found;
}

LayoutNode TableLayout::Expand(const TablePart& part) const {
  LayoutNode node;
  node.name = TablePartName(part.kind);
  node.offset = part.offset;
  node.size = part.size;
  if (part.size > kExpandedSizeMax) {
    node.note = "too large to be taken apart";
    return node;
  }
  Result<std::string> stored = Stored(part);
  if (!stored.ok()) {
    node.note = stored.status().message();
    return node;
  }
  if (part.kind == TablePartKind::kFooter) return ExpandFooter(part, *stored);
  if (part.is_block()) return ExpandBlock(part, *stored);
  node.note = AllZero(*stored) ? "padding" : "";
  node.bytes = *std::move(stored);
  return node;
}

LayoutNode TableLayout::ExpandBlock(const TablePart& part, std::string_view stored) const {
  CHECK_OP(part.size, >=, kBlockTrailerSize);
  CHECK_OP(stored.size(), ==, part.size);
  LayoutNode node;
  node.name = TablePartName(part.kind);
  node.offset = part.offset;
  node.size = part.size;
  const Footer& footer = table_->footer();
  const uint64_t size = part.size - kBlockTrailerSize;
  const std::string_view payload = stored.substr(0, static_cast<size_t>(size));
  const Result<StoredBlock> unverified = SplitTrailerUnverified(stored);
  const Result<CompressionType> codec = unverified.ok()
                                            ? CodecOf(*unverified, footer.legacy_magic)
                                            : Result<CompressionType>(unverified.status());
  LayoutNode& inside = node.children.emplace_back();
  inside.name = "payload";
  inside.offset = part.offset;
  inside.size = size;
  if (codec.ok() && *codec == CompressionType::kNone) {
    LayOut(payload, part.kind, &inside);
  } else {
    inside.name = codec.ok() ? "compressed" : "undecoded";
    inside.note =
        codec.ok() ? std::string(CompressionName(*codec)) : std::string(codec.status().message());
    inside.bytes = payload;
  }
  if (size == 0) node.children.pop_back();
  LayoutNode trailer{.name = "trailer", .offset = part.offset + size, .size = kBlockTrailerSize};
  LayoutCutter cut(stored.substr(static_cast<size_t>(size)), part.offset + size, &trailer);
  cut.Fixed8("compression");
  if (codec.ok()) cut.Note(std::string(CompressionName(*codec)));
  cut.Fixed32("checksum");
  const auto verified =
      SplitTrailer(stored, footer.checksum, footer.base_context_checksum, part.offset);
  if (verified.ok()) {
    cut.Note("verified");
  } else if (part.kind == TablePartKind::kProperties &&
             ReadTableProperties(table_->fetcher(), part.handle()).ok()) {
    cut.Note("verified except for the global sequence number, which was written later");
  } else {
    cut.Note(std::string(verified.status().message()));
  }
  node.children.push_back(std::move(trailer));
  return node;
}

std::optional<BlockContents> TableLayout::ContentsOf(TablePartKind kind) const {
  using Keys = BlockContents::Keys;
  using Values = BlockContents::Values;
  const IndexEncoding& index = table().index().encoding;
  const Keys index_keys = index.user_keys ? Keys::kUserKeys : Keys::kInternalKeys;
  const Keys data_keys = table_->bare_keys() ? Keys::kUserKeys : Keys::kInternalKeys;
  switch (kind) {
    case TablePartKind::kData:
    case TablePartKind::kRangeDeletions:
      return BlockContents{data_keys, Values::kOpaque};
    case TablePartKind::kIndex:
    case TablePartKind::kIndexPartition:
      return BlockContents{index_keys, Values::kIndex, index.values};
    case TablePartKind::kFilterIndex: {
      IndexValueFormat values = index.values;
      values.has_first_key = false;
      return BlockContents{index_keys, Values::kIndex, values};
    }
    case TablePartKind::kMetaindex:
      return BlockContents{Keys::kText, Values::kHandles};
    case TablePartKind::kProperties:
      return BlockContents{Keys::kText, Values::kOpaque};
    default:
      return std::nullopt;
  }
}

void TableLayout::LayOut(std::string_view payload, TablePartKind kind, LayoutNode* parent) const {
  if (const std::optional<BlockContents> contents = ContentsOf(kind)) {
    return LayOutKeyValueBlock(payload, parent->offset, *contents, parent);
  }
  if (kind == TablePartKind::kFilter || kind == TablePartKind::kFilterPartition) {
    return LayOutFilter(payload, parent->offset, parent);
  }
  if (kind == TablePartKind::kPerBlockFilter) {
    return LayOutPerBlockFilters(payload, parent->offset, parent);
  }
  if (kind == TablePartKind::kPointIndex) {
    const auto hash_index = FindMeta(table_->metaindex(), kMetaHashIndex);
    if (hash_index && hash_index->offset == parent->offset) {
      return LayOutHashIndex(payload, parent->offset, parent);
    }
    return LayOutIntegerIndex(payload, parent->offset, parent);
  }
  parent->bytes = payload;
}

LayoutNode TableLayout::ExpandFooter(const TablePart& part, std::string_view stored) const {
  LayoutNode node{.name = "footer", .offset = part.offset, .size = part.size};
  const Footer& footer = table_->footer();
  const uint64_t handles_end = part.offset + (footer.legacy_magic ? 40 : 41);
  LayoutCutter cut(stored, part.offset, &node);
  if (!footer.legacy_magic) {
    cut.Fixed8("checksum_type");
    cut.Note(std::string(ChecksumName(footer.checksum)));
  }
  if (footer.index) {
    cut.Varint("metaindex_offset");
    cut.Varint("metaindex_size");
    cut.Varint("index_offset");
    cut.Varint("index_size");
  } else {
    cut.Fixed32("extended_magic");
    cut.Fixed32("footer_checksum");
    cut.Fixed32("base_context_checksum");
    cut.Fixed32("metaindex_size");
  }
  cut.Bytes("zeros", handles_end - std::min(handles_end, cut.offset()));
  if (!footer.legacy_magic) cut.Fixed32("format_version");
  cut.Fixed64("magic");
  cut.Finish("undecoded", "the footer's fields do not fit");
  return node;
}

Status TableLayout::CheckSize(const TablePart& part) const {
  if (part.size <= kReadSizeMax) return Status::Ok();
  return Status::NotSupported(path_ + ": the part at " + std::to_string(part.offset) + " has " +
                              std::to_string(part.size) + " bytes: too large to be shown");
}

Result<std::string> TableLayout::Stored(const TablePart& part) const {
  RETURN_IF_ERROR(CheckSize(part));
  std::string buffer(static_cast<size_t>(part.size), '\0');
  ASSIGN_OR_RETURN(const std::string_view read,
                   file().Read(part.offset, buffer.size(), buffer.data()));
  if (read.size() < part.size) {
    return Status::Corruption(path_ + "@" + std::to_string(part.offset) +
                              ": the file has become shorter");
  }
  return read.data() == buffer.data() ? std::move(buffer) : std::string(read);
}

Result<std::shared_ptr<const Block>> TableLayout::Decoded(const TablePart& block) const {
  CHECK(block.is_block());
  RETURN_IF_ERROR(CheckSize(block));
  const bool data = block.kind == TablePartKind::kData;
  return table_->fetcher().Read(block.handle(), data ? BlockKind::kData : BlockKind::kOpaque,
                                FetchOptions{.verify_checksums = false});
}

Result<LayoutNode> TableLayout::ExpandDecoded(const TablePart& block) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<const Block> decoded, Decoded(block));
  LayoutNode node{.name = std::string(TablePartName(block.kind)), .size = decoded->bytes().size()};
  LayOut(decoded->bytes(), block.kind, &node);
  return node;
}

}  // namespace varve
