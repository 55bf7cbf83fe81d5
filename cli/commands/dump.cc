// SPDX-License-Identifier: Apache-2.0
// varve dump.
#include "cli/api_output.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/dump_format.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "cli/record_writer.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

class DumpCommand : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Option("limit", &limit_, "at most so many records");
    parameters.Option("cf", &family_, "only this column family (default: all)");
    DeclareEngine(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const auto db, OpenForReading(console, target_, engine_));
    const Snapshot snapshot = db->GetSnapshot();
    std::vector<FamilyInfo> families = db->Families();
    if (family_) {
      ASSIGN_OR_RETURN(const ColumnFamilyId wanted, FamilyNamed(*db, *family_));
      std::erase_if(families, [&](const FamilyInfo& family) { return family.id != wanted; });
    }
    if (WantsDocument(console)) return PrintRecords(console, *db, snapshot, families);
    Sink& out = console.out();
    out.WriteData(std::string(kDumpMagic) + "\n");
    ContentDigest digest;
    Progress progress(console, "dump", "records", [&] { return RecordsToDump(); });
    for (const FamilyInfo& family : families) {
      out.WriteData(DumpFamily(family.name, family.comparator));
      ASSIGN_OR_RETURN(Iterator it, db->NewIterator({.snapshot = &snapshot, .fill_cache = false},
                                                    family.id));
      for (it.SeekToFirst(); it.Valid() && digest.count() < limit_.value_or(UINT64_MAX);
           it.Next()) {
        out.WriteData(DumpRecord(it.key(), it.value()));
        digest.Add(family.name, it.key(), it.value());
        progress.Update(digest.count());
      }
      RETURN_IF_ERROR(it.status());
      if (out.failed()) break;
    }
    out.WriteData(DumpTrailer(digest));
    return kDone;
  }

 private:
  uint64_t RecordsToDump() const {
    const uint64_t entries = EntriesIn(target_, family_.value_or(""));
    return std::min(entries, limit_.value_or(entries));
  }

  // As rows for programs, with their families.
  Result<ExitCode> PrintRecords(Console& console, DB& db, const Snapshot& snapshot,
                                const std::vector<FamilyInfo>& families) {
    RecordWriter out(console, console.format(Format::kJson), "varve.dump/1",
                     {.with_family = true});
    bool complete = true;
    for (const FamilyInfo& family : families) {
      ASSIGN_OR_RETURN(Iterator it,
                       db.NewIterator({.snapshot = &snapshot, .fill_cache = false}, family.id));
      for (it.SeekToFirst(); it.Valid() && complete; it.Next()) {
        complete = out.count() < limit_.value_or(UINT64_MAX);
        if (complete) out.Write(family.name, it.key(), it.value());
      }
      RETURN_IF_ERROR(it.status());
    }
    out.Finish(complete);
    return kDone;
  }

  std::string target_;
  std::optional<uint64_t> limit_;
  std::optional<std::string> family_;
  EngineFlags engine_;
};

}  // namespace

const Command kDump = {"dump", "write everything as lossless text, for `varve load`",
                       "varve dump ./db > db.dump\nvarve dump ./db | varve load ./copy -",
                       "0 complete (the last line carries a count and a digest)",
                       [] { return MakeInvocation<DumpCommand>(); }};

}  // namespace varve::cli
