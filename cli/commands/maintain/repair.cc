// SPDX-License-Identifier: Apache-2.0
// varve db repair.
#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/commands/maintain/salvage_text.h"
#include "cli/database.h"
#include "cli/help/help.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/progress.h"
#include "cli/output/text_table.h"
#include "cli/process/leftovers.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/verify/verify.h"
#include "core/inspect/wal/recovery_report.h"
#include "core/repair/database_repair.h"
#include "core/repair/destination.h"
#include "webview/api/json/recovery_json.h"
#include "webview/api/json/salvage_json.h"

namespace varve::cli {

struct RepairDone {
  bool dry_run;
  const RepairReport& report;
  const RecoveryReport& logs;
  std::optional<bool> verified;

  const RepairReport& tables() const { return report; }
  const RecoveryReport& replayed() const { return logs; }
  bool complete() const { return report.complete() && !logs.damaged(); }
};

namespace {

using Fate = RepairTable::Fate;

constexpr std::array<std::string_view, 5> kFateNames = {"kept", "salvaged", "merged", "lost",
                                                        "obsolete"};
static_assert(kFateNames.size() == static_cast<size_t>(Fate::kObsolete) + 1);

std::string_view FateName(Fate fate) { return kFateNames.at(static_cast<size_t>(fate)); }

// Recovers as much of the logs as possible.
constexpr WalRecoveryMode kLogMode = WalRecoveryMode::kSkipAnyCorrupted;

// Locks out writers, which would continue writing to the old directory. Null if there is no LOCK,
// or it cannot be opened: then there are none.
Result<std::unique_ptr<FileLock>> LockOut(FileSystem& fs, const std::string& target) {
  const std::string path = target + "/LOCK";
  if (!fs.Exists(path)) return std::unique_ptr<FileLock>();
  Result<std::unique_ptr<FileLock>> lock = fs.Lock(path);
  if (!lock.ok() && lock.status().code() != Code::kBusy) return std::unique_ptr<FileLock>();
  return lock;
}

// The path with a name that can be exchanged: "." has none.
std::string WithName(const std::string& path) {
  const std::filesystem::path name = std::filesystem::path(path).filename();
  if (!name.empty() && name != "." && name != "..") return path;
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

bool HasLevel(const RepairTable& table) {
  return table.fate != Fate::kLost && table.fate != Fate::kObsolete;
}

// What a table lost.
const api::Fields<SalvageReport>& BillFields() {
  static const auto fields =
      api::Fields<SalvageReport>()
          .Number("entries_lost", api::Unit::kCount, &SalvageReport::entries_lost,
                  "of a table that was salvaged, about")
          .List("losses", &SalvageReport::losses, api::SalvageLossFields(), "parts of that table");
  return fields;
}

const api::Fields<RepairTable>& RepairTableFields() {
  using api::Unit;
  using api::When;
  static const auto fields =
      api::Fields<RepairTable>()
          .Text("name", &RepairTable::name, "of the file")
          .Choice(
              "fate", kFateNames, [](const RepairTable& table) { return FateName(table.fate); },
              "what becomes of it; obsolete: the MANIFEST does not need it")
          .Name("cf", When(HasLevel, &RepairTable::family), "name of its column family")
          .Number("level", Unit::kNone, When(HasLevel, &RepairTable::level), "in the new database")
          .Number("entries", Unit::kCount, When(HasLevel, &RepairTable::entries),
                  "in the new database")
          .Text("why", api::IfSet(&RepairTable::why), "that is its fate")
          .Include(&RepairTable::bill, BillFields());
  return fields;
}

const api::Fields<RepairReport>& RepairReportFields() {
  static const auto fields =
      api::Fields<RepairReport>()
          .Flag("manifest_whole", &RepairReport::manifest_whole, "all of it could be read")
          .Text("manifest", &RepairReport::manifest, "what could be read of it")
          .Names("cfs", &RepairReport::families, "names of the column families")
          .List("tables", &RepairReport::tables, RepairTableFields(), "of the old database")
          .Texts("blobs", &RepairReport::blobs, "files of large values that are copied")
          .Texts("logs", &RepairReport::logs, "that are copied and replayed");
  return fields;
}

const api::Fields<RecoveryLoss>& LogLossFields() {
  static const auto fields =
      api::Fields<RecoveryLoss>()
          .Include(std::identity(), api::RecoveryLossFields())
          .Flag("damage", &RecoveryLoss::damage, "else it ends as a crash leaves it");
  return fields;
}

const api::Fields<RecoveryReport>& LogFields() {
  static const auto fields =
      api::Fields<RecoveryReport>()
          .Number("log_batches", api::Unit::kCount, &RecoveryReport::wal_records,
                  "of the logs, that are in the new database")
          .List("log_losses", &RecoveryReport::losses, LogLossFields(),
                "parts of logs that are left out");
  return fields;
}

const api::Fields<RepairDone>& RepairFields() {
  static const auto fields =
      api::Fields<RepairDone>()
          .Flag("dry_run", &RepairDone::dry_run, "nothing was written")
          .Flag("complete", &RepairDone::complete, "nothing was lost")
          .Include(&RepairDone::tables, RepairReportFields())
          .Include(&RepairDone::replayed, LogFields())
          .Number(
              "entries", api::Unit::kCount,
              [](const RepairDone& done) { return done.report.entries; },
              "in the tables of the new database")
          .Flag("verified", &RepairDone::verified, "the new database is sound");
  return fields;
}

class DbRepair : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "directory of the damaged database");
    parameters.Option("dry-run", &dry_run_, "only print what would be done");
    parameters.Option("yes", &yes_,
                      "put the result in the target's place; what was there stays beside it");
    DeclareEngine(parameters, &engine_);
  }
  std::string* OwnOutput() override { return &out_; }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(Options options, MakeOptions(engine_));
    const Environment& env = options.env;
    while (target_.size() > 1 && target_.ends_with('/')) target_.pop_back();
    if (!env.file_system->List(target_).ok()) {
      if (env.file_system->Exists(target_)) {
        RETURN_IF_ERROR(RequireDatabase(*env.file_system, target_));
      }
      return Status::NotFound(target_ + ": there is no such directory");
    }
    if (yes_ && (dry_run_ || !out_.empty())) {
      return Status::InvalidArgument(std::string("--yes replaces ") + target_ +
                                     ": it cannot be combined with " +
                                     (dry_run_ ? "--dry-run" : "-o"));
    }
    if (dry_run_ && !out_.empty()) {
      return Status::InvalidArgument("--dry-run writes nothing: it cannot be combined with -o");
    }
    const bool in_place = yes_;
    if (in_place) target_ = WithName(target_);
    const std::string aside = target_ + ".damaged";
    if (in_place) out_ = target_ + ".repaired";
    if (!dry_run_ && out_.empty()) {
      return Status::InvalidArgument("give -o NEWDIR for the result, --yes to replace " + target_ +
                                     ", or --dry-run to see what would be done");
    }
    if (!dry_run_ &&
        (env.file_system->Exists(out_) || (in_place && env.file_system->Exists(aside)))) {
      return Refuse(console, "varve db repair", "already_exists",
                    (env.file_system->Exists(out_) ? out_ : aside) + " exists");
    }
    std::unique_ptr<FileLock> lock;
    if (in_place) {
      ASSIGN_OR_RETURN(lock, LockOut(*env.file_system, target_));
    }
    TemporaryPath made(out_);
    ASSIGN_OR_RETURN(RepairReport report, Rebuild(console, env));
    if (dry_run_) {
      RETURN_IF_ERROR(SurveyLogs(*env.file_system, target_, report.logs, kLogMode, &logs_));
    } else {
      RETURN_IF_ERROR(ReplayLogs(options));
      if (report.brings_flushed_logs()) RETURN_IF_ERROR(PlaceAnew(env, &report));
      ASSIGN_OR_RETURN(verified_, VerifyDatabase(*env.file_system, out_, nullptr));
    }
    for (RecoveryLoss& loss : MissingLogs(*env.file_system, target_)) {
      logs_.losses.push_back(std::move(loss));
    }
    made.Keep();
    if (in_place) RETURN_IF_ERROR(ReplaceDirectory(*env.file_system, out_, target_, aside));
    Show(console, report);
    if (!dry_run_) {
      console.Note("wrote " + (in_place ? target_ + "; the old contents are in " + aside : out_) +
                   ": " + CountedEntries(report.entries) + " of tables, " +
                   Counted(logs_.wal_records, "batch", "batches") + " of logs");
    }
    if (verified_ && verified_->Count(Finding::Severity::kError) > 0) return kCorrupt;
    return report.complete() && !logs_.damaged() ? kDone : kPartial;
  }

 private:
  Result<RepairReport> Rebuild(Console& console, const Environment& env) const {
    Progress progress(console, "repair", "bytes", 0);
    return RepairDatabase(env, target_, out_,
                          {.dry_run = dry_run_, .progress = [&](const VerifyProgress& p) {
                             progress.LookShare(p.bytes_done, p.bytes_done, p.bytes_total);
                             return true;
                           }});
  }

  // Opens the database to apply its logs, except their damaged parts.
  Status ReplayLogs(Options options) {
    options.wal_recovery_mode = kLogMode;
    options.accept_loss = true;  // The old directory still has its logs.
    options.allow_2pc = true;    // What is prepared stays so.
    options.family.disable_auto_compactions = true;
    ASSIGN_OR_RETURN(const auto db, DB::Open(options, out_, &logs_));
    return db->Close();
  }

  // The tables of replayed logs are on top, and may have older versions than those below.
  Status PlaceAnew(const Environment& env, RepairReport* report) const {
    const TemporaryPath replayed(out_ + ".replayed");
    RETURN_IF_ERROR(env.file_system->Rename(out_, replayed.path()));
    ASSIGN_OR_RETURN(const RepairReport placed,
                     RepairDatabase(env, replayed.path(), out_, {.place_anew = true}));
    for (RepairTable& table : report->tables) {
      const auto found =
          std::find_if(placed.tables.begin(), placed.tables.end(),
                       [&](const RepairTable& other) { return other.name == table.name; });
      if (found == placed.tables.end() || !HasLevel(table)) continue;
      table.level = found->level;
      if (table.fate == Fate::kKept) table.fate = found->fate;
      if (!found->why.empty()) table.why += (table.why.empty() ? "" : "; ") + found->why;
    }
    return Status::Ok();
  }

  void Show(Console& console, const RepairReport& report) const {
    if (WantsDocument(console)) {
      std::optional<bool> sound;
      if (verified_) sound = verified_->Count(Finding::Severity::kError) == 0;
      PrintReport(console, kRepairDocument, {dry_run_, report, logs_, sound});
    } else {
      Print(console.out(), report);
    }
  }

  void Print(Sink& out, const RepairReport& report) const {
    out.Write("manifest  " + report.manifest + "\n");
    std::string families;
    for (const std::string& name : report.families) families += " " + EscapeForDisplay(name);
    out.Write("families " + families + "\n");
    for (const RepairTable& table : report.tables) {
      std::string line(FateName(table.fate));
      line.resize(10, ' ');
      line += table.name;
      if (HasLevel(table)) {
        line += "  " + EscapeForDisplay(table.family) + " L" + std::to_string(table.level) + ", " +
                CountedEntries(table.entries);
      }
      out.Write(line + (table.why.empty() ? "" : ": " + table.why) + "\n");
      if (table.bill) PrintSalvage(out, *table.bill);
    }
    for (const std::string& name : report.blobs) out.Write("blobs     " + name + "\n");
    for (const std::string& name : report.logs) {
      out.Write((dry_run_ ? "log       " : "replayed  ") + name + "\n");
    }
    for (const RecoveryLoss& loss : logs_.losses) {
      out.Write((loss.damage ? "LOST      " : "unfinished  ") + FileOffset(loss.file, loss.offset) +
                ": " + loss.reason + "; " + HumanBytes(loss.bytes) + " left out\n");
    }
    if (verified_) {
      for (const Finding& finding : verified_->findings) {
        out.Write("verify    " + finding.file + ": " + finding.what + "\n");
      }
      out.Write(verified_->Count(Finding::Severity::kError) == 0
                    ? "verified  the result is sound\n"
                    : "verified  THE RESULT IS NOT SOUND\n");
    }
  }

  std::string target_, out_;
  bool dry_run_ = false, yes_ = false;
  EngineFlags engine_;
  RecoveryReport logs_;
  std::optional<VerifyReport> verified_;
};

}  // namespace

const CommandDocument<RepairDone> kRepairDocument = {"varve.repair/1", RepairFields};

const Command kDbRepair = {
    "db repair", "make a new database from the sound parts of a damaged one, and list what is lost",
    "varve db repair ./db --dry-run\n"
    "varve db repair ./db -o ./repaired\n"
    "varve db repair ./db --yes",
    "0 nothing was lost, 7 something was lost, 8 the destination exists",
    [] { return MakeInvocation<DbRepair>(); }};

}  // namespace varve::cli
