// SPDX-License-Identifier: Apache-2.0
// A whole table, through every reader and report: what the verifier says is what reads meet
// (tests/answers), layouts have all bytes, and salvage takes all entries of a sound table.
#include <memory>
#include <string>
#include <string_view>

#include "core/fs/memory_fs.h"
#include "core/inspect/salvage/salvage.h"
#include "core/inspect/table/block_report.h"
#include "core/inspect/table/filter_report.h"
#include "core/inspect/table/table_layout.h"
#include "core/inspect/table/table_report.h"
#include "tests/answers/questions.h"
#include "tests/fuzz/mend_table.h"
#include "tests/fuzz/targets.h"

namespace varve::fuzz {
namespace {

const std::string kPath = "000001.sst";

class Counted : public SalvageSink {
 public:
  Status Begin(const SalvageOrigin&) override { return Status::Ok(); }
  Status Add(const InternalKey&, std::string_view) override {
    ++entries_;
    return Status::Ok();
  }
  Status AddRangeDeletion(std::string_view, std::string_view, Sequence) override {
    return Status::Ok();
  }
  uint64_t entries() const { return entries_; }

 private:
  uint64_t entries_ = 0;
};

void ReportBlocks(const TableLayout& layout) {
  for (const TablePart& part : layout.parts()) {
    if (!part.is_block()) continue;
    const BlockReport report = ReportBlock(layout, part);
    uint64_t entries = 0;
    const Status walked = WalkBlockEntries(layout, part, [&](const BlockEntryReport&) {
      ++entries;
      return true;
    });
    if (!walked.ok() || !report.problem.empty()) continue;
    Must(entries == report.entries, "a block's report counts the entries that it lists");
  }
}

void LayOut(FileSystem& fs) {
  const auto layout = TableLayout::Open(fs, kPath);
  if (!layout.ok()) return;
  uint64_t end = 0;
  for (const TablePart& part : (*layout)->parts()) {
    Must(part.offset == end, "the parts of a table tile it");
    end += part.size;
    const auto stored = (*layout)->Stored(part);
    std::string again;
    EncodeLayout((*layout)->Expand(part), &again);
    Must(!stored.ok() || again == *stored, "a part's layout has all of its bytes");
    if (part.is_block()) static_cast<void>((*layout)->ExpandDecoded(part));
  }
  Must(end == (*layout)->file_size(), "the parts of a table are all of it");
  if ((*layout)->is_implemented()) ReportBlocks(**layout);
}

uint64_t Stream(FileSystem& fs) {
  auto stream = EntryStream::OpenTable(fs, kPath, {});
  uint64_t entries = 0;
  StoredEntry entry;
  while (stream.ok() && stream->Next(&entry)) entries += entry.type != "range_delete";
  return entries;
}

void Salvage(FileSystem& fs, uint64_t streamed) {
  Counted taken;
  const auto report = SalvageTable(fs, kPath, {}, &taken);
  if (!report.ok()) return;
  Must(report->entries == taken.entries(), "salvage reports what it gave");
  const auto verified = VerifyTable(fs, kPath, nullptr);
  if (verified.ok() && verified->clean()) {
    Must(taken.entries() == streamed, "salvage takes all entries of a sound table");
  }
  Counted unverified;
  SalvageTable(fs, kPath, {.take_unverified = true}, &unverified).status().Ignore("any bytes");
}

void Run(std::string_view bytes) {
  const auto fs = NewMemoryFileSystem();
  WriteFile(*fs, kPath, bytes);
  Judge judge(/*failures_shown=*/5);
  judge.Begin(kPath);
  CheckTable(*fs, kPath, &judge);
  Must(judge.failures() == 0, "all ways of asking give one answer");
  LayOut(*fs);
  ReportTable(*fs, kPath).status().Ignore("any bytes");
  ReportFilter(*fs, kPath, {.ask = 64}).status().Ignore("any bytes");
  AskFilter(*fs, kPath, "key").status().Ignore("any bytes");
  Salvage(*fs, Stream(*fs));
}

}  // namespace

const Target table = {"table", Run, ChangeTable};

}  // namespace varve::fuzz
