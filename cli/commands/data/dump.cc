// SPDX-License-Identifier: Apache-2.0
// varve dump.
#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/input/dump_format.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/progress.h"
#include "cli/output/record_writer.h"
#include "cli/unordered_records.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

class DumpCommand : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Option("from", &range_.from, "first key");
    parameters.Option("to", &range_.to, "exclusive end of the range");
    parameters.Option("prefix", &range_.prefix, "only keys with this prefix");
    parameters.Option("limit", &range_.limit, "at most this many records");
    parameters.Option("cf", &family_, "only this column family (default: all)");
    DeclareKeyEncoding(parameters, &range_.key_encoding);
    DeclareEngine(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const ScanRange range, ParseRange(range_));
    ASSIGN_OR_RETURN(const auto db, OpenForReading(console, target_, engine_));
    const Snapshot snapshot = db->GetSnapshot();
    std::vector<FamilyInfo> families = db->Families();
    if (family_) {
      ASSIGN_OR_RETURN(const ColumnFamilyId wanted, FamilyNamed(*db, *family_));
      std::erase_if(families, [&](const FamilyInfo& family) { return family.id != wanted; });
    }
    if (WantsDocument(console)) return PrintRecords(console, *db, snapshot, families, range);
    Sink& out = console.out();
    out.WriteData(std::string(kDumpMagic) + "\n");
    ContentDigest digest;
    Progress progress(console, "dump", "records", [&] { return RecordsToDump(); });
    for (const FamilyInfo& family : families) {
      out.WriteData(DumpFamily(family.name, family.comparator));
      RETURN_IF_ERROR(
          Walk(*db, snapshot, family, range, [&](std::string_view key, std::string_view value) {
            if (digest.count() == range.limit || out.failed()) return false;
            WriteDumpRecord(out, key, value);
            digest.Add(family.name, key, value);
            progress.Update(digest.count());
            return true;
          }));
      if (out.failed()) break;
    }
    out.WriteData(DumpTrailer(digest));
    return kDone;
  }

 private:
  uint64_t RecordsToDump() const {
    if (range_.from || range_.to || range_.prefix) return 0;  // The size of a part is unknown.
    const uint64_t entries = EntriesIn(target_, family_.value_or(""));
    return std::min(entries, range_.limit.value_or(entries));
  }

  // The records of a family in `range`, until `take` returns false.
  template <typename Take>
  Status Walk(DB& db, const Snapshot& snapshot, const FamilyInfo& family, const ScanRange& range,
              Take take) const {
    return WalkFamily(db, target_, snapshot, family, range, /*reverse=*/false,
                      engine_.memory_bytes() / 2, take);
  }

  // As rows for programs, with their families.
  Result<ExitCode> PrintRecords(Console& console, DB& db, const Snapshot& snapshot,
                                const std::vector<FamilyInfo>& families, const ScanRange& range) {
    RecordWriter out(console, console.format(Format::kJson), kDumpDocument.name,
                     {.with_family = true});
    bool complete = true;
    for (const FamilyInfo& family : families) {
      RETURN_IF_ERROR(
          Walk(db, snapshot, family, range, [&](std::string_view key, std::string_view value) {
            complete = out.count() < range.limit;
            if (complete) out.Write(family.name, key, value);
            return complete;
          }));
      if (!complete) break;
    }
    out.Finish(complete);
    return kDone;
  }

  std::string target_;
  RangeFlags range_;
  std::optional<std::string> family_;
  EngineFlags engine_;
};

}  // namespace

const CommandDocument<RecordList> kDumpDocument = {"varve.dump/1", RecordListFields, "rows"};

const Command kDump = {
    "dump", "write everything as lossless text, for `varve load`",
    "varve dump ./db > db.dump\nvarve dump ./db | varve load ./copy -\n"
    "varve dump ./db --prefix user: --cf default",
    "0 complete (the last line carries a count and a digest), 7 partial: a damaged log hides records",
    [] { return MakeInvocation<DumpCommand>(); }};

}  // namespace varve::cli
