// SPDX-License-Identifier: Apache-2.0
// varve sst blocks, sst block.
#include "cli/commands/commands.h"
#include "cli/commands/inspect/file_parts.h"
#include "cli/output/api_output.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/report_columns.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/table/block_report.h"
#include "core/inspect/table/table_report.h"
#include "webview/api/fields/block_fields.h"

namespace varve::cli {
namespace {

// What is not a block comes behind them.
std::vector<std::string> BlockKinds() {
  std::vector<std::string> names;
  for (int kind = 0; kind <= static_cast<int>(TablePartKind::kMeta); ++kind) {
    names.emplace_back(TablePartName(static_cast<TablePartKind>(kind)));
  }
  return names;
}

using Align = TextTable::Align;

class SstBlocks : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Option("kind", &kind_, "of this kind only", BlockKinds());
  }
  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireTable(Files(), path_));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(console, {path_, kind},
                           "/files/{file}/blocks" + ApiQuery().Text("kind", kind_).str());
    }
    ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(Files(), path_));
    const ReportColumns<BlockReport> columns = Columns(TerminalOf(console));
    TextTable table = columns.NewTable();
    bool damaged = false;
    for (const TablePart& part : layout->parts()) {
      if (!Wants(part)) continue;
      const BlockReport block = ReportBlock(*layout, part);
      damaged = damaged || IsDamaged(block);
      table.Add(columns.Row(block));
    }
    console.out().Write(table.Render());
    for (const std::string& problem : layout->problems()) console.out().Write(problem + "\n");
    return damaged ? kCorrupt : ExitOf(*layout);
  }

 private:
  bool Wants(const TablePart& part) const {
    return part.is_block() && (!kind_ || TablePartName(part.kind) == *kind_);
  }
  static ReportColumns<BlockReport> Columns(const Terminal& terminal) {
    ReportColumns<BlockReport> columns(terminal, api::BlockFields());
    columns.Show("offset")
        .Show("kind")
        .ShowExact("size", "stored")
        .ShowExact("raw_size", "raw")
        .Show("codec", Align::kLeft,
              [](const BlockReport& block) { return block.codec == "none" ? "" : block.codec; })
        .Show("checksum", Align::kLeft,
              [](const BlockReport& block) { return block.checksum_ok ? "ok" : "WRONG"; })
        .Show("entries")
        .Show("restarts")
        .Show("keys saved", Align::kRight, SavedText);
    return columns;
  }
  static std::string SavedText(const BlockReport& block) {
    if (block.restarts == 0) return "";
    const uint64_t saved =
        block.key_bytes == 0 ? 0 : 100 * block.shared_key_bytes / block.key_bytes;
    return std::to_string(saved) + " %";
  }

  std::string path_;
  std::optional<std::string> kind_;
};

class SstBlock : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Positional("offset", &offset_, "where the block begins").in_bytes = true;
  }
  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireTable(Files(), path_));
    ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(Files(), path_));
    const TablePart* part = layout->Find(offset_);
    if (part == nullptr) {
      RETURN_IF_ERROR(layout->status());
      return Status::InvalidArgument(path_ + ": no block begins at " + std::to_string(offset_) +
                                     "; 'varve sst blocks' lists them");
    }
    const bool has_entries = layout->ContentsOf(part->kind).has_value();
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(
          console, {path_, kind},
          "/files/{file}/blocks/" + std::to_string(offset_) + (has_entries ? "/entries" : ""));
    }
    const BlockReport block = ReportBlock(*layout, *part);
    PrintFacts(console.out(), block);
    if (has_entries) {
      RETURN_IF_ERROR(PrintEntries(console, *layout, *part));
    } else {
      ASSIGN_OR_RETURN(const LayoutNode tree, layout->ExpandDecoded(*part));
      PrintTree(console.out(), tree, 0);
    }
    return IsDamaged(block) ? kCorrupt : kDone;
  }

 private:
  static void PrintFacts(Sink& out, const BlockReport& block) {
    out.Write(
        std::string(TablePartName(block.part.kind)) + " block @" +
        std::to_string(block.part.offset) + ": " + HumanBytes(block.part.size) + " stored, " +
        HumanBytes(block.raw_size) + " raw, " + block.codec + ", checksum 0x" +
        Hex(block.stored_checksum, 8) +
        (block.checksum_ok ? " ok" : " WRONG: computed 0x" + Hex(block.computed_checksum, 8)) +
        "\n");
    if (block.restarts > 0) {
      out.Write(CountedEntries(block.entries) + ", " + Counted(block.restarts, "restart") + ", " +
                std::to_string(block.shared_key_bytes) + " of " + std::to_string(block.key_bytes) +
                " bytes of keys shared" +
                (block.hash_buckets > 0
                     ? ", hash index of " + HumanCount(block.hash_buckets) + " buckets"
                     : "") +
                (block.separated ? ", keys and values apart" : "") + "\n");
    }
    if (!block.problem.empty()) out.Write(block.problem + "\n");
  }

  static std::string HandleText(const api::EntryOfBlock& row) {
    const std::optional<HandleReport> handle = row.handle();
    if (!handle) return "";
    return "@" + std::to_string(handle->offset) + " +" + std::to_string(handle->size);
  }

  static Status PrintEntries(Console& console, const TableLayout& layout, const TablePart& part) {
    ReportColumns<api::EntryOfBlock> columns(TerminalOf(console), api::BlockEntryRowFields());
    columns.Show("offset")
        .Show("restart")
        .ShowExact("shared")
        .ShowExact("non_shared", "own")
        .ShowBytes("key", kKeyWidth)
        .Show("seq")
        .Show("type")
        .ShowBytes("value", kKeyWidth)
        .Show("leads to", Align::kLeft, HandleText);
    const BlockContents contents = *layout.ContentsOf(part.kind);
    TextTable table = columns.NewTable();
    const Status status = WalkBlockEntries(layout, part, [&](const BlockEntryReport& entry) {
      table.Add(columns.Row({contents, entry}));
      return true;
    });
    console.out().Write(table.Render());
    return status;
  }

  std::string path_;
  uint64_t offset_ = 0;
};

}  // namespace

const Command kSstBlocks = {"sst blocks", "the blocks of a table, each read and verified",
                            "varve sst blocks 000123.sst --kind data",
                            "0 all are sound, 4 a block is damaged",
                            [] { return MakeInvocation<SstBlocks>(); }};
const Command kSstBlock = {"sst block", "one block: its entries, restarts and shared prefixes",
                           "varve sst block 000123.sst 0", "0 sound, 4 damaged",
                           [] { return MakeInvocation<SstBlock>(); }};

}  // namespace varve::cli
