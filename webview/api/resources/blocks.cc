// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/blocks, …/blocks/{offset}, …/blocks/{offset}/entries, …/files/{n}/index.

#include <functional>

#include "core/base/text/quantity.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/table/block_report.h"
#include "core/inspect/table/table_report.h"
#include "webview/api/fields/block_fields.h"
#include "webview/api/json/summaries.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/call.h"

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

const Fields<BlockReport>& ChecksumFields() {
  static const auto fields =
      Fields<BlockReport>("BlockChecksum")
          .Flag("ok", &BlockReport::checksum_ok, "it is right, or the table has none")
          .Hex32("stored", &BlockReport::stored_checksum, "in the block's trailer")
          .Hex32("computed", &BlockReport::computed_checksum, "of the bytes that are there")
          .Flag("patched", IfSet(&BlockReport::patched),
                "it is right of the block as it was before ingestion wrote a sequence number "
                "into it");
  return fields;
}

const Fields<BlockEntryReport>& BlockEntryFields() {
  static const auto fields =
      Fields<BlockEntryReport>()
          .Number("offset", Unit::kOffset, &BlockEntryReport::offset,
                  "where it begins in the decompressed block")
          .Flag("restart", &BlockEntryReport::restart, "its key is stored whole")
          .Number("shared", Unit::kBytes, &BlockEntryReport::shared,
                  "of its key, taken from the one before")
          .Number("non_shared", Unit::kBytes, &BlockEntryReport::non_shared, "of its key, stored")
          .Bytes("key", &BlockEntryReport::key, "whole, without sequence number and type")
          .Id("seq", &BlockEntryReport::sequence, "its sequence number, if its key has one")
          .Text("type",
                When([](const BlockEntryReport& entry) { return entry.sequence.has_value(); },
                     &BlockEntryReport::type),
                "put, delete, merge, ...");
  return fields;
}

constexpr int kExitOfDamage = 4;

// The blocks of a table, each verified as its row is made.
class BlockRows : public RowSource {
 public:
  BlockRows(const Call& call, std::shared_ptr<const TableLayout> layout,
            std::vector<TablePart> blocks)
      : layout_(std::move(layout)), blocks_(std::move(blocks)), next_(call.number_of_position()) {}

  bool Next(Row* row) override {
    if (next_ >= blocks_.size()) return false;
    const BlockReport block = ReportBlock(*layout_, blocks_[next_]);
    damaged_ = damaged_ || IsDamaged(block);
    *row = {BlockFields().ToJson(block), std::to_string(next_)};
    ++next_;
    return true;
  }
  const Status& status() const override { return status_; }
  int exit_code() const override { return damaged_ ? kExitOfDamage : 0; }

 private:
  const std::shared_ptr<const TableLayout> layout_;
  const std::vector<TablePart> blocks_;
  size_t next_;
  bool damaged_ = false;
  const Status status_;
};

// The entries of one block, which is decoded once per page.
class BlockEntryRows : public RowSource {
 public:
  BlockEntryRows(const Call& call, std::shared_ptr<const TableLayout> layout, TablePart part,
                 bool count_blocks = false)
      : call_(call),
        layout_(std::move(layout)),
        part_(part),
        contents_(*layout_->ContentsOf(part_.kind)),
        partitions_(*layout_),
        count_blocks_(count_blocks),
        first_(call.number_of_position()) {
    auto entries = BlockEntries::Open(*layout_, part_);
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
    EntryOfBlock shown{contents_, entry, std::nullopt};
    if (count_blocks_) shown.blocks = partitions_.BlocksOf(entry.handle);
    row->position = std::to_string(entry.offset);
    row->json = BlockEntryRowFields().ToJson(
        shown, {call_.bytes(), [this, row] { return call_.RowHref(row->position); }});
    return true;
  }
  const Status& status() const override { return status_; }
  // Its restarts or its hash index may be damaged where its entries are not.
  int exit_code() const override {
    return IsDamaged(ReportBlock(*layout_, part_)) ? kExitOfDamage : 0;
  }

 private:
  const Call call_;
  const std::shared_ptr<const TableLayout> layout_;
  const TablePart part_;
  const BlockContents contents_;
  PartitionCounter partitions_;
  const bool count_blocks_;  // Its entries name index partitions: count the blocks of each.
  uint64_t first_;           // The page begins with the first entry at or behind it.
  std::unique_ptr<BlockEntries> entries_;
  Status status_;
};

// An index, or a partition of it, whose entries are listed.
struct IndexView {
  const TableParts& parts;
  const TablePart& block;

  bool is_top() const {
    return parts.index().two_levels && block.kind != TablePartKind::kIndexPartition;
  }
};

const Fields<IndexView>& IndexHeadFields() {
  static const auto fields =
      Fields<IndexView>()
          .Number(
              "offset", Unit::kOffset, [](const IndexView& view) { return view.block.offset; },
              "where the block begins in the table")
          .Number(
              "size", Unit::kBytes, [](const IndexView& view) { return view.block.size; },
              "of the block as stored, with its trailer")
          .Text(
              "kind",
              [](const IndexView& view) {
                return IndexKindName(view.parts.properties().index_type.value_or(0));
              },
              "binary, hash, two_level, first_key")
          .Flag(
              "two_levels", [](const IndexView& view) { return view.parts.index().two_levels; },
              "the top level leads to partitions, and these to data blocks")
          .Choice(
              "leads_to", {"index_partition", "data"},
              [](const IndexView& view) -> std::string_view {
                return view.is_top() ? "index_partition" : "data";
              },
              "blocks that the handles are of")
          .Flag(
              "user_keys",
              [](const IndexView& view) { return view.parts.index().encoding.user_keys; },
              "its keys have no sequence numbers")
          .Flag(
              "delta_encoded",
              [](const IndexView& view) {
                return view.parts.index().encoding.values.delta_encoded;
              },
              "places are stored as differences from the one before");
  return fields;
}

struct BlocksHead {
  const TableLayout& layout;
  uint64_t blocks_total;
};

const Fields<BlocksHead>& BlocksHeadFields() {
  static const auto fields =
      Fields<BlocksHead>()
          .Number("blocks_total", Unit::kCount, &BlocksHead::blocks_total,
                  "on all pages, of the kind that was asked for")
          .Texts(
              "problems", [](const BlocksHead& head) { return head.layout.problems(); },
              "defects of the table as a whole");
  return fields;
}

const Fields<BlockReport>& BlockDocumentFields() {
  static const auto fields =
      Fields<BlockReport>().Object("block", std::identity(), BlockFields(), "the block, verified");
  return fields;
}

const Fields<TablePart>& BlockEntriesHeadFields() {
  static const auto fields = Fields<TablePart>().Text(
      "kind", [](const TablePart& part) { return TablePartName(part.kind); }, "of the block");
  return fields;
}

Reply ListBlocks(const Call& call) {
  ASSIGN_OR_RETURN(const OpenTable table, OpenLayout(call));
  const std::optional<std::string> kind = call.Text("kind");
  std::vector<TablePart> blocks;
  for (const TablePart& part : table.layout->parts()) {
    if (part.is_block() && (!kind || TablePartName(part.kind) == *kind)) blocks.push_back(part);
  }
  Json head = call.Head();
  BlocksHeadFields().AddTo(&head, {*table.layout, blocks.size()});
  return List{std::move(head), "blocks",
              std::make_unique<BlockRows>(call, table.layout, std::move(blocks)),
              /*partial=*/false, Problem::OfFailure(table.layout->status())};
}

Reply GetBlock(const Call& call) {
  ASSIGN_OR_RETURN(const OpenTable table, OpenLayout(call));
  ASSIGN_OR_RETURN(const TablePart part, BlockAt(*table.layout, call.Part("offset")));
  const BlockReport report = ReportBlock(*table.layout, part);
  Json json = call.Head();
  BlockDocumentFields().AddTo(&json, report);
  return Reply(std::move(json)).WithExit(IsDamaged(report) ? kExitOfDamage : 0);
}

Reply ListBlockEntries(const Call& call) {
  ASSIGN_OR_RETURN(const OpenTable table, OpenLayout(call));
  ASSIGN_OR_RETURN(const TablePart part, BlockAt(*table.layout, call.Part("offset")));
  if (!table.layout->ContentsOf(part.kind)) {
    return Problem("bad_request",
                   "a block of kind " + std::string(TablePartName(part.kind)) + " has no entries");
  }
  Json head = call.Head();
  BlockEntriesHeadFields().AddTo(&head, part);
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
  const IndexView view{table.layout->table(), *block};
  Json head = call.Head();
  IndexHeadFields().AddTo(&head, view);
  return List{std::move(head), "handles",
              std::make_unique<BlockEntryRows>(call, table.layout, *block, view.is_top())};
}

constexpr DocumentSchema kBlocksDocument = {
    .name = "varve.blocks/1", .make = [](std::string_view name) {
      return ListDocument(name, BlocksHeadFields().Members(), "blocks", BlockFields().Schema());
    }};

constexpr DocumentSchema kBlockDocument = {
    .name = "varve.block/1",
    .make = [](std::string_view name) { return Document(name, BlockDocumentFields().Members()); }};

constexpr DocumentSchema kBlockEntriesDocument = {
    .name = "varve.block_entries/1", .make = [](std::string_view name) {
      return ListDocument(name, BlockEntriesHeadFields().Members(), "entries",
                          BlockEntryRowFields().Schema());
    }};

constexpr DocumentSchema kIndexDocument = {
    .name = "varve.index/1", .make = [](std::string_view name) {
      return ListDocument(name, IndexHeadFields().Members(), "handles",
                          BlockEntryRowFields().Schema());
    }};

}  // namespace

const Fields<BlockReport>& BlockFields() {
  static const auto fields =
      Fields<BlockReport>("Block")
          .Number(
              "offset", Unit::kOffset, [](const BlockReport& block) { return block.part.offset; },
              "where it begins in the table")
          .Number(
              "size", Unit::kBytes, [](const BlockReport& block) { return block.part.size; },
              "as stored, with its trailer")
          .Text(
              "kind", [](const BlockReport& block) { return TablePartName(block.part.kind); },
              "data, index, filter, properties, ...")
          .Text("codec", &BlockReport::codec, "none, snappy, zstd, ...; empty: unknown")
          .Number("raw_size", Unit::kBytes, &BlockReport::raw_size, "decompressed; 0: it cannot be")
          .Object("checksum", std::identity(), ChecksumFields(), "of the block as stored")
          .Number("entries", Unit::kCount, When(&BlockReport::restarts, &BlockReport::entries),
                  "of a block of keys and values")
          .Number("restarts", Unit::kCount, IfSet(&BlockReport::restarts),
                  "entries whose key is stored whole, where a search may begin")
          .Number("restart_interval", Unit::kCount,
                  When(&BlockReport::restarts, &BlockReport::restart_interval),
                  "entries from one restart to the next, at most")
          .Number("key_bytes", Unit::kBytes, When(&BlockReport::restarts, &BlockReport::key_bytes),
                  "of its keys, written out")
          .Number("shared_key_bytes", Unit::kBytes,
                  When(&BlockReport::restarts, &BlockReport::shared_key_bytes),
                  "of these, those that sharing prefixes saved")
          .Number("value_bytes", Unit::kBytes,
                  When(&BlockReport::restarts, &BlockReport::value_bytes), "of its values")
          .Number("hash_buckets", Unit::kCount, IfSet(&BlockReport::hash_buckets),
                  "of its hash index")
          .Number("hash_empty", Unit::kCount,
                  When(&BlockReport::hash_buckets, &BlockReport::hash_empty), "of these buckets")
          .Number("hash_collisions", Unit::kCount,
                  When(&BlockReport::hash_buckets, &BlockReport::hash_collisions),
                  "of these buckets, those that cannot say which restart")
          .Flag("separated", IfSet(&BlockReport::separated), "keys and values are stored apart")
          .Text("problem", IfSet(&BlockReport::problem), "why not all of it could be decoded");
  return fields;
}

const Fields<EntryOfBlock>& BlockEntryRowFields() {
  static const auto fields =
      Fields<EntryOfBlock>("BlockEntry")
          .Include([](const EntryOfBlock& row) -> const BlockEntryReport& { return row.entry; },
                   BlockEntryFields())
          .Bytes("value", &EntryOfBlock::value, "as stored, unless it is a handle")
          .Object("handle", &EntryOfBlock::handle, HandleFields(), "of the block that it leads to")
          .Bytes("first_key", &EntryOfBlock::first_key, "first user key of that block, if stored")
          .Number("blocks", Unit::kCount, &EntryOfBlock::blocks,
                  "data blocks that the index partition it leads to names");
  return fields;
}

std::span<const Route> BlocksRoutes() {
  using enum ParameterType;
  constexpr std::string_view kBlockKinds =
      "data|filter|filter_partition|filter_index|per_block_filter|index|index_partition|point_index|"
      "properties|dictionary|range_deletions|metaindex|meta";
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/index",
       .handler = ListIndex,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kPageRowsMax,
       .cost = Cost::kFile,
       .documents = kIndexDocument,
       .summary = "the handles of a table's index, of its top level or of one partition",
       .parameters = {{"partition", kNumber, "the offset of a partition"}}},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/blocks",
       .handler = ListBlocks,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kPageRowsMax,
       .cost = Cost::kFile,
       .documents = kBlocksDocument,
       .summary = "the blocks of a table, each read and verified",
       .parameters = {{"kind", kChoice, "of this kind only", kBlockKinds}}},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/blocks/{offset}",
       .handler = GetBlock,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kNoRows,
       .cost = Cost::kFile,
       .documents = kBlockDocument,
       .summary = "one block"},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/blocks/{offset}/entries",
       .handler = ListBlockEntries,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kPageRowsMax,
       .cost = Cost::kFile,
       .documents = kBlockEntriesDocument,
       .summary = "the entries of a block, with restarts and shared prefixes"},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
