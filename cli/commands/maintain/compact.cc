// SPDX-License-Identifier: Apache-2.0
// varve compact.
#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <limits>

#include "cli/arguments/literal.h"
#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/progress.h"
#include "core/base/try.h"
#include "webview/api/json/json.h"

namespace varve::cli {

struct CompactDone {
  std::string_view family;
  std::vector<LevelInfo> before, after;  // Without empty ones.
  uint64_t bytes_written;
  DbStats stats;
};

namespace {

std::string Shape(const DB& db, ColumnFamilyId family) {
  std::string shape;
  for (const LevelInfo& level : db.Levels(family)) {
    if (level.files == 0) continue;
    shape += (shape.empty() ? "L" : ", L") + std::to_string(level.level) + " " +
             Counted(level.files, "file") + " " + HumanBytes(level.bytes);
  }
  return shape.empty() ? "no files" : shape;
}

// Those with tables.
std::vector<LevelInfo> LevelsOf(const DB& db, ColumnFamilyId family) {
  std::vector<LevelInfo> levels = db.Levels(family);
  std::erase_if(levels, [](const LevelInfo& level) { return level.files == 0; });
  return levels;
}

// The bytes that a full compaction reads: each level is merged with everything from above. An upper
// limit for a range.
uint64_t BytesToCompact(const DB& db, ColumnFamilyId family) {
  uint64_t carried = 0, total = 0;
  for (const LevelInfo& level : db.Levels(family)) {
    if (level.files == 0) continue;
    if (carried > 0) total += carried + level.bytes;
    carried += level.bytes;
  }
  return total > 0 ? total : carried;
}

// Runs `work` and meanwhile shows how much compactions have read.
Status WithProgress(Console& console, const DB& db, std::string_view what, uint64_t total,
                    const std::function<Status()>& work) {
  constexpr std::chrono::milliseconds kLook{200};
  Progress progress(console, what, "bytes", total);
  std::future<Status> done = std::async(std::launch::async, work);
  while (done.wait_for(kLook) != std::future_status::ready) {
    progress.Look(db.Stats().compaction_bytes_read);
  }
  return done.get();
}

// What the service did, if there is one.
void NoteService(Console& console, const DbStats& stats) {
  if (stats.remote_compactions > 0) {
    console.Note(Counted(stats.remote_compactions, "compaction") + " by the service");
  }
  if (stats.remote_compaction_failures == 0) return;
  console.Note(Counted(stats.remote_compaction_failures, "compaction") +
               " failed by the service, " + std::to_string(stats.remote_compaction_fallbacks) +
               " of them done here; the last: " + stats.remote_compaction_failure);
}

class Compact : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Option("from", &range_.from, "first key");
    parameters.Option("to", &range_.to, "last key");
    parameters.Option("force", &force_, "rewrite the last level too");
    parameters.Option("table", &tables_,
                      "these tables only, and what has to go with them; repeatable: 000012.sst");
    parameters.Option("into", &into_, "the level that they are compacted into");
    parameters.Option("service", &service_,
                      "who compacts: folder:DIR, command:COMMAND {job} or "
                      "http://HOST:PORT#token-file=FILE");
    DeclareFamily(parameters, &range_.family);
    DeclareKeyEncoding(parameters, &range_.key_encoding);
    DeclareEngine(parameters, &engine_);
    DeclareConsent(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const ScanRange range, ParseRange(range_));
    RETURN_IF_ERROR(CheckTables(range));
    if (!service_.empty()) engine_.options.push_back("compaction_service=" + service_);
    ASSIGN_OR_RETURN(const auto db, OpenForWriting(console, target_, engine_, false));
    ASSIGN_OR_RETURN(const ColumnFamilyId family, FamilyNamed(*db, range_.family));
    const std::string before = Shape(*db, family);
    const std::vector<LevelInfo> levels_before = LevelsOf(*db, family);
    RETURN_IF_ERROR(
        WithProgress(console, *db, "compact", BytesToCompact(*db, family), [&]() -> Status {
          RETURN_IF_ERROR(tables_.empty() ? db->CompactRange({.force_bottommost = force_},
                                                             range.from, range.to, family)
                                          : db->CompactFiles({}, tables_, OutputLevel(), family));
          return db->WaitForBackgroundWork();
        }));
    if (WantsDocument(console)) {
      PrintReport(console, kCompactionDocument,
                  {range_.family, levels_before, LevelsOf(*db, family),
                   db->Stats().compaction_bytes_written, db->Stats()});
    }
    NoteService(console, db->Stats());
    console.Note("before: " + before + "\nafter:  " + Shape(*db, family));
    RETURN_IF_ERROR(db->Close());
    return kDone;
  }

 private:
  Status CheckTables(const ScanRange& range) const {
    if (tables_.empty() != !into_) return Status::InvalidArgument("--table and --into: both");
    if (!tables_.empty() && (force_ || range.from || range.to)) {
      return Status::InvalidArgument("--table: without --from, --to and --force");
    }
    return Status::Ok();
  }

  int OutputLevel() const {
    return static_cast<int>(std::min<uint64_t>(*into_, std::numeric_limits<int>::max()));
  }

  std::string target_;
  RangeFlags range_;
  bool force_ = false;
  std::vector<std::string> tables_;
  std::optional<uint64_t> into_;
  std::string service_;
  EngineFlags engine_;
};

const api::Fields<CompactDone>& CompactionFields() {
  using api::Unit;
  static const auto level = api::Fields<LevelInfo>()
                                .Number("level", Unit::kNone, &LevelInfo::level, "the level")
                                .Number("files", Unit::kCount, &LevelInfo::files, "tables in it")
                                .Number("bytes", Unit::kBytes, &LevelInfo::bytes, "of the tables");
  static const auto fields =
      api::Fields<CompactDone>()
          .Name("cf", &CompactDone::family, "name of the column family")
          .List("levels_before", &CompactDone::before, level, "with tables")
          .List("levels", &CompactDone::after, level, "with tables")
          .Number("bytes_written", Unit::kBytes, &CompactDone::bytes_written, "by compactions")
          .Number(
              "remote_compactions", Unit::kCount,
              [](const CompactDone& of) { return of.stats.remote_compactions; },
              "done by the service")
          .Number(
              "remote_compaction_failures", Unit::kCount,
              [](const CompactDone& of) { return of.stats.remote_compaction_failures; },
              "that the service did not do, or whose result was refused")
          .Number(
              "remote_compaction_fallbacks", Unit::kCount,
              [](const CompactDone& of) { return of.stats.remote_compaction_fallbacks; },
              "of these, done here")
          .Text(
              "remote_compaction_failure",
              [](const CompactDone& of) { return of.stats.remote_compaction_failure; },
              "why the last of them failed; empty: none has");
  return fields;
}

}  // namespace

const CommandDocument<CompactDone> kCompactionDocument = {"varve.compaction/1", CompactionFields};

const Command kCompact = {"compact", "compact a range, or everything",
                          "varve compact ./db\nvarve compact ./db --from a --to b --force\n"
                          "varve compact ./db --table 000012.sst --table 000015.sst --into 3",
                          "0 done", [] { return MakeInvocation<Compact>(); }};

}  // namespace varve::cli
