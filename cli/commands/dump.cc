// SPDX-License-Identifier: Apache-2.0
// varve dump.
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/dump_format.h"
#include "cli/progress.h"
#include "cli/range.h"
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
    Sink& out = console.out();
    out.Write(std::string(kDumpMagic) + "\n");
    ContentDigest digest;
    Progress progress(console, "dump", "records", 0);
    for (const FamilyInfo& family : families) {
      out.Write(DumpFamily(family.name, family.comparator));
      ASSIGN_OR_RETURN(Iterator it, db->NewIterator({.snapshot = &snapshot, .fill_cache = false},
                                                    family.id));
      for (it.SeekToFirst(); it.Valid() && digest.count() < limit_.value_or(UINT64_MAX);
           it.Next()) {
        out.Write(DumpRecord(it.key(), it.value()));
        digest.Add(family.name, it.key(), it.value());
        progress.Update(digest.count());
      }
      RETURN_IF_ERROR(it.status());
      if (out.failed()) break;
    }
    out.Write(DumpTrailer(digest));
    return kDone;
  }

 private:
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
