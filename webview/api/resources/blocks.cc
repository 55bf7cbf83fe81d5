// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/blocks, …/blocks/{offset}, …/blocks/{offset}/entries, …/files/{n}/index.

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/inspect/table/block_report.h"
#include "core/inspect/table/table_report.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/schema.h"

namespace varve::api {
namespace {

struct OpenTable {
  TableFile file;
  std::shared_ptr<const TableLayout> layout;
};

Answer<OpenTable> OpenLayout(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile file, call.File());
  ASSIGN_OR_RETURN(auto layout, TableLayout::Open(call.target().fs(), file.path));
  return OpenTable{file, std::move(layout)};
}

Problem NoBlock(const std::string& at) {
  return Problem("block_not_found", "no block of the table begins at " + at);
}

Answer<TablePart> BlockAt(const TableLayout& layout, const std::string& text) {
  const std::optional<uint64_t> offset = ParseDecimal(text);
  if (!offset) return NoBlock(text);
  const TablePart* part = layout.Find(*offset);
  if (part != nullptr) return *part;
  if (!layout.status().ok()) return Problem::OfReading(layout.status());
  return NoBlock(text);
}

Json BlockJson(const BlockReport& block) {
  Json json = {{"offset", block.part.offset},
               {"size", block.part.size},
               {"kind", TablePartName(block.part.kind)},
               {"codec", block.codec},
               {"raw_size", block.raw_size},
               {"checksum",
                {{"ok", block.checksum_ok},
                 {"stored", "0x" + Hex(block.stored_checksum, 8)},
                 {"computed", "0x" + Hex(block.computed_checksum, 8)}}}};
  if (block.patched) json["checksum"]["patched"] = true;
  if (block.restarts > 0) {
    json.update({{"entries", block.entries},
                 {"restarts", block.restarts},
                 {"restart_interval", block.restart_interval},
                 {"key_bytes", block.key_bytes},
                 {"shared_key_bytes", block.shared_key_bytes},
                 {"value_bytes", block.value_bytes}});
  }
  if (block.hash_buckets > 0) {
    json["hash_buckets"] = block.hash_buckets;
    json["hash_empty"] = block.hash_empty;
    json["hash_collisions"] = block.hash_collisions;
  }
  if (block.separated) json["separated"] = true;
  if (!block.problem.empty()) json["problem"] = block.problem;
  return json;
}
Json BlockRowSchema() {
  return Object("Block", {{"offset", Number()},
                          {"size", Number()},
                          {"kind", Text()},
                          {"codec", Text()},
                          {"raw_size", Number()},
                          {"checksum", Object({{"ok", Boolean()},
                                               {"stored", HexText()},
                                               {"computed", HexText()},
                                               {"patched", Boolean(), kOptional}})},
                          {"entries", Number(), kOptional},
                          {"restarts", Number(), kOptional},
                          {"restart_interval", Number(), kOptional},
                          {"key_bytes", Number(), kOptional},
                          {"shared_key_bytes", Number(), kOptional},
                          {"value_bytes", Number(), kOptional},
                          {"hash_buckets", Number(), kOptional},
                          {"hash_empty", Number(), kOptional},
                          {"hash_collisions", Number(), kOptional},
                          {"separated", Boolean(), kOptional},
                          {"problem", Text(), kOptional}});
}

// How many data blocks the index partition at `handle` names; nullopt if it cannot be read. *end is
// that of the partition before, behind which it lies: so that each is walked once, however often it
// is named.
std::optional<uint64_t> BlocksOf(const TableLayout& layout, BlockHandle handle, uint64_t* end) {
  if (handle.offset < *end || !handle.FitsBelow(layout.file_size())) return std::nullopt;
  *end = handle.end();
  const TablePart partition{handle.offset, handle.size + kBlockTrailerSize,
                            TablePartKind::kIndexPartition};
  uint64_t blocks = 0;
  const Status walked = WalkBlockEntries(layout, partition, [&](const BlockEntryReport&) {
    ++blocks;
    return true;
  });
  return walked.ok() ? std::optional(blocks) : std::nullopt;
}

Json EntryRowJson(const Call& call, const BlockContents& contents, const BlockEntryReport& entry) {
  const bool cut = IsCut(entry.key, call.bytes()) || IsCut(entry.value, call.bytes());
  const std::string href = cut ? call.RowHref(std::to_string(entry.offset)) : std::string();
  Json json = {{"offset", entry.offset},
               {"restart", entry.restart},
               {"shared", entry.shared},
               {"non_shared", entry.non_shared}};
  json["key"] = BytesJson(entry.key, call.bytes(), href);
  if (entry.sequence) {
    json["seq"] = std::to_string(*entry.sequence);
    json["type"] = entry.type;
  }
  if (contents.values == BlockContents::Values::kOpaque) {
    json["value"] = BytesJson(entry.value, call.bytes(), href);
    return json;
  }
  json["handle"] = HandleJson({entry.handle.offset, entry.handle.size});
  if (contents.values == BlockContents::Values::kIndex && contents.index.has_first_key) {
    json["first_key"] = BytesJson(entry.first_key, call.bytes(), href);
  }
  return json;
}
Json EntryRowSchema() {
  return Object("BlockEntry", {{"blocks", Number(), kOptional},
                               {"offset", Number()},
                               {"restart", Boolean()},
                               {"shared", Number()},
                               {"non_shared", Number()},
                               {"key", BytesRef()},
                               {"seq", U64(), kOptional},
                               {"type", Text(), kOptional},
                               {"value", BytesRef(), kOptional},
                               {"handle", HandleSchema(), kOptional},
                               {"first_key", BytesRef(), kOptional}});
}

// The entries of one block, which is decoded once a page.
class BlockEntryRows : public RowSource {
 public:
  BlockEntryRows(const Call& call, std::shared_ptr<const TableLayout> layout, TablePart part,
                 bool count_blocks = false)
      : call_(call),
        layout_(std::move(layout)),
        contents_(*layout_->ContentsOf(part.kind)),
        count_blocks_(count_blocks),
        first_(call.number_of_position()) {
    auto entries = BlockEntries::Open(*layout_, part);
    if (entries.ok()) {
      entries_ = *std::move(entries);
    } else {
      status_ = entries.status();
    }
  }
  bool Next(Row* row) override {
    if (entries_ == nullptr) return false;
    BlockEntryReport entry;
    do {
      if (entries_->Next(&entry)) continue;
      status_ = entries_->status();
      entries_ = nullptr;
      return false;
    } while (entry.offset < first_);
    *row = {EntryRowJson(call_, contents_, entry), std::to_string(entry.offset)};
    if (count_blocks_) {
      const auto blocks = BlocksOf(*layout_, entry.handle, &counted_to_);
      if (blocks) row->json["blocks"] = *blocks;
    }
    return true;
  }
  const Status& status() const override { return status_; }

 private:
  const Call call_;
  const std::shared_ptr<const TableLayout> layout_;
  const BlockContents contents_;
  const bool count_blocks_;  // Its entries lead to index partitions: how many blocks has each?
  uint64_t counted_to_ = 0;  // Where the last of these partitions ends.
  uint64_t first_;           // The page begins with the entry at or behind it.
  std::unique_ptr<BlockEntries> entries_;
  Status status_;
};

}  // namespace

Reply ListBlocks(const Call& call) {
  ASSIGN_OR_RETURN(const OpenTable table, OpenLayout(call));
  const std::optional<std::string> kind = call.Text("kind");
  auto blocks = std::make_shared<std::vector<TablePart>>();
  for (const TablePart& part : table.layout->parts()) {
    if (part.is_block() && (!kind || TablePartName(part.kind) == *kind)) blocks->push_back(part);
  }
  Json head = call.Head();
  head["blocks_total"] = blocks->size();
  head["problems"] = table.layout->problems();
  return List{std::move(head), "blocks",
              IndexedRows(call, blocks->size(),
                          [layout = table.layout, blocks](size_t i) {
                            return BlockJson(ReportBlock(*layout, (*blocks)[i]));
                          }),
              /*partial=*/false, Problem::OfFailure(table.layout->status())};
}

Reply GetBlock(const Call& call) {
  ASSIGN_OR_RETURN(const OpenTable table, OpenLayout(call));
  ASSIGN_OR_RETURN(const TablePart part, BlockAt(*table.layout, call.Part("offset")));
  const BlockReport report = ReportBlock(*table.layout, part);
  Json json = call.Head();
  json["block"] = BlockJson(report);
  return Reply(std::move(json)).WithExit(IsDamaged(report) ? 4 : 0);
}

Reply ListBlockEntries(const Call& call) {
  ASSIGN_OR_RETURN(const OpenTable table, OpenLayout(call));
  ASSIGN_OR_RETURN(const TablePart part, BlockAt(*table.layout, call.Part("offset")));
  if (!table.layout->ContentsOf(part.kind)) {
    return Problem("bad_request",
                   "a block of kind " + std::string(TablePartName(part.kind)) + " has no entries");
  }
  Json head = call.Head();
  head["kind"] = TablePartName(part.kind);
  return List{std::move(head), "entries",
              std::make_unique<BlockEntryRows>(call, table.layout, part)};
}

Reply ListIndex(const Call& call) {
  ASSIGN_OR_RETURN(const OpenTable table, OpenLayout(call));
  const std::optional<uint64_t> partition = call.Number("partition");
  const TablePart* block = nullptr;
  for (const TablePart& part : table.layout->parts()) {
    const bool wanted =
        partition ? part.kind == TablePartKind::kIndexPartition && part.offset == *partition
                  : part.kind == TablePartKind::kIndex;
    if (wanted) block = &part;
  }
  if (block == nullptr) {
    if (!table.layout->status().ok()) return Problem::OfReading(table.layout->status());
    return Problem("block_not_found",
                   partition ? "no index partition begins at " + std::to_string(*partition)
                             : std::string("the table has no index"));
  }
  const TableParts& parts = table.layout->table();
  const IndexEncoding& encoding = parts.index().encoding;
  Json head = call.Head();
  head["offset"] = block->offset;
  head["size"] = block->size;
  head["kind"] = IndexKindName(parts.properties().index_type.value_or(0));
  head["two_levels"] = parts.index().two_levels;
  const bool top = parts.index().two_levels && !partition;
  head["leads_to"] = top ? "index_partition" : "data";
  head["user_keys"] = encoding.user_keys;
  head["delta_encoded"] = encoding.values.delta_encoded;
  return List{std::move(head), "handles",
              std::make_unique<BlockEntryRows>(call, table.layout, *block, top)};
}

Json BlocksSchema() {
  return ListDocument("varve.blocks/1", {{"blocks_total", Number()}, {"problems", ArrayOf(Text())}},
                      "blocks", BlockRowSchema());
}
Json BlockSchema() { return Document("varve.block/1", {{"block", BlockRowSchema()}}); }
Json BlockEntriesSchema() {
  return ListDocument("varve.block_entries/1", {{"kind", Text()}}, "entries", EntryRowSchema());
}
Json IndexSchema() {
  return ListDocument("varve.index/1",
                      {{"offset", Number()},
                       {"size", Number()},
                       {"kind", Text()},
                       {"two_levels", Boolean()},
                       {"leads_to", OneOf({"index_partition", "data"})},
                       {"user_keys", Boolean()},
                       {"delta_encoded", Boolean()}},
                      "handles", EntryRowSchema());
}

}  // namespace varve::api
