// SPDX-License-Identifier: Apache-2.0
// varve sst index.
#include "cli/commands/commands.h"
#include "cli/commands/inspect/file_parts.h"
#include "cli/output/api_output.h"
#include "cli/output/human_numbers.h"
#include "cli/output/report_columns.h"
#include "core/base/try.h"
#include "core/inspect/table/block_report.h"
#include "core/inspect/table/table_report.h"
#include "webview/api/fields/block_fields.h"

namespace varve::cli {
namespace {

std::string Kind(const TableLayout& layout) {
  return std::string(IndexKindName(layout.table().properties().index_type.value_or(0)));
}

Status PrintHandles(Console& console, const TableLayout& layout, const TablePart& part) {
  const bool top = part.kind == TablePartKind::kIndex && layout.table().index().two_levels;
  ReportColumns<api::EntryOfBlock> columns(TerminalOf(console), api::BlockEntryRowFields());
  columns.Show("handle.offset").ShowExact("handle.size");
  if (top) {
    columns.Show("blocks", TextTable::Align::kRight, [](const api::EntryOfBlock& row) {
      return row.blocks ? HumanCount(*row.blocks) : "DAMAGED";
    });
  }
  columns.ShowBytes("key", kKeyWidth, "separator")
      .Show("seq")
      .Show("type")
      .ShowBytes("first_key", kKeyWidth);
  const BlockContents contents = *layout.ContentsOf(part.kind);
  PartitionCounter partitions(layout);
  TextTable table = columns.NewTable();
  const Status status = WalkBlockEntries(layout, part, [&](const BlockEntryReport& entry) {
    const auto blocks = top ? partitions.BlocksOf(entry.handle) : std::nullopt;
    table.Add(columns.Row({contents, entry, blocks}));
    return true;
  });
  console.out().Write(table.Render());
  return status;
}

class SstIndex : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("file", &path_, "a table file");
    parameters.Size("partition", &partition_, "the partition that begins at this offset");
  }
  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const TargetKind kind, RequireTable(Files(), path_));
    if (IsData(console.format(Format::kTable))) {
      return PrintResource(
          console, {path_, kind},
          "/files/{file}/index" + ApiQuery().Number("partition", partition_).str());
    }
    ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(Files(), path_));
    for (const TablePart& part : layout->parts()) {
      const bool wanted =
          partition_ ? part.kind == TablePartKind::kIndexPartition && part.offset == *partition_
                     : part.kind == TablePartKind::kIndex;
      if (!wanted) continue;
      const IndexReader& index = layout->table().index();
      console.out().Write(
          std::string(TablePartName(part.kind)) + " @" + std::to_string(part.offset) + ", " +
          HumanBytes(part.size) + ", " + Kind(*layout) + ", " +
          (index.encoding.user_keys ? "user keys" : "internal keys") +
          (index.encoding.values.delta_encoded ? ", delta-encoded" : "") +
          (index.two_levels && !partition_ ? "; leads to partitions (--partition OFFSET)\n"
                                           : "; leads to data blocks\n"));
      RETURN_IF_ERROR(PrintHandles(console, *layout, part));
      return IsDamaged(ReportBlock(*layout, part)) ? kCorrupt : kDone;
    }
    RETURN_IF_ERROR(layout->status());
    return Status::InvalidArgument(
        path_ + (partition_ ? ": no index partition begins at " + std::to_string(*partition_)
                            : std::string(": there is no index")));
  }

 private:
  std::string path_;
  std::optional<uint64_t> partition_;
};

}  // namespace

const Command kSstIndex = {"sst index", "the separators and handles of a table's index",
                           "varve sst index 000123.sst\n"
                           "varve sst index 000123.sst --partition 63000000",
                           "0 shown, 4 damaged", [] { return MakeInvocation<SstIndex>(); }};

}  // namespace varve::cli
