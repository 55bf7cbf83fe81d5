// SPDX-License-Identifier: Apache-2.0
#include "cli/database.h"

#include "cli/arguments/suggestion.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/target.h"
#include "core/inspect/wal/recovery_report.h"
#include "varve/option_table.h"

namespace varve::cli {
namespace {

// Records that an option was given, even if it equals the default. For a value in braces, records
// the members given.
void Choose(const OptionRow& row, const std::string& value, Options* options) {
  if (!row.is_struct) {
    options->chosen.emplace_back(row.name);
    return;
  }
  const std::string prefix = std::string(row.name) + ".";
  for (const OptionRow& member : OptionTable()) {
    if (!member.name.starts_with(prefix)) continue;
    const std::string name(member.name.substr(prefix.size()));
    if (value.find("{" + name + "=") != std::string::npos ||
        value.find(";" + name + "=") != std::string::npos) {
      options->chosen.emplace_back(member.name);
    }
  }
}

void NoteOptions(Console& console, const RecoveryReport& report) {
  for (const std::string& note : report.option_notes) console.Note("note: " + note);
}

// Reports ends of logs as a crash leaves them.
void NoteTornEnds(Console& console, const RecoveryReport& report) {
  for (const RecoveryLoss& loss : report.losses) {
    if (!loss.damage) console.Note("warning: " + DescribeLoss(loss));
  }
}

}  // namespace

std::string LikelyOption(const std::string& name) {
  std::vector<std::string> names;
  for (const OptionRow& row : OptionTable()) names.emplace_back(row.name);
  return DidYouMean(name, names);
}

void DeclareEngine(Parameters& parameters, EngineFlags* flags) {
  parameters.Option("option", &flags->options,
                    "NAME=VALUE of an engine option, RocksDB's names (varve options lists them)");
  parameters.Size("mem", &flags->memory, "memory to use at most, e.g. 512M, 512MiB");
  parameters.Size("cache", &flags->cache, "size of the block cache (default: a quarter of --mem)");
}

void DeclareConsent(Parameters& parameters, EngineFlags* flags) {
  parameters.Option("accept-loss", &flags->accept_loss,
                    "open although a log is damaged; what cannot be replayed is kept in lost/");
}

Status ApplyOptions(const std::vector<std::string>& words, Options* options) {
  for (const std::string& text : words) {
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const OptionRow* row = FindOption(name);
    if (row == nullptr || equals == std::string::npos) {
      return Status::InvalidArgument("--option " + text + ": " +
                                     (row == nullptr
                                          ? "there is no option '" + name + "'" + LikelyOption(name)
                                          : "expected NAME=VALUE"));
    }
    if (Status set = row->set(options, text.substr(equals + 1)); !set.ok()) {
      return Status(set.code(), "--option " + std::string(set.message()));
    }
    Choose(*row, text.substr(equals + 1), options);
  }
  return ValidateOptions(*options);
}

Result<Options> MakeOptions(const EngineFlags& flags) {
  Options options;
  options.env = NativeEnvironment();
  if (flags.memory_bytes() / 4 == 0) {
    return Status::InvalidArgument("--mem " + std::to_string(flags.memory_bytes()) +
                                   ": too little memory to read or write anything");
  }
  options.block_cache_bytes = flags.cache.value_or(flags.memory_bytes() / 4);
  options.family.write_buffer_size = std::min<uint64_t>(64 << 20, flags.memory_bytes() / 4);
  // Overrides the stored value, which may be larger.
  if (flags.memory) options.chosen.emplace_back("write_buffer_size");
  RETURN_IF_ERROR(ApplyOptions(flags.options, &options));
  return options;
}

Result<std::unique_ptr<DB>> OpenForReading(Console& console, const std::string& path,
                                           const EngineFlags& flags) {
  ASSIGN_OR_RETURN(const Options options, MakeOptions(flags));
  RETURN_IF_ERROR(RequireDatabase(*options.env.file_system, path));
  RecoveryReport report;
  ASSIGN_OR_RETURN(auto db, DB::OpenReadOnly(options, path, &report));
  NoteTornEnds(console, report);
  console.NotePartial(report);
  return db;
}

Result<std::unique_ptr<DB>> OpenForWriting(Console& console, const std::string& path,
                                           const EngineFlags& flags, bool create_if_missing) {
  ASSIGN_OR_RETURN(Options options, MakeOptions(flags));
  options.create_if_missing = create_if_missing;
  RecoveryReport report;
  options.accept_loss |= flags.accept_loss;
  Result<std::unique_ptr<DB>> db = DB::Open(options, path, &report);
  if (!db.ok() && report.damaged() && !options.accept_loss) {
    return Status(db.status().code(),
                  std::string(db.status().message()) +
                      ". --accept-loss consents; varve db repair makes a new database instead");
  }
  FileSystem& fs = *options.env.file_system;
  if (!db.ok() && fs.Exists(path) && !fs.List(path).ok()) {
    RETURN_IF_ERROR(RequireDatabase(fs, path));  // It is a file.
  }
  if (db.status().code() == Code::kNotFound && !create_if_missing) {
    return Status::NotFound(std::string(db.status().message()) +
                            "; put, batch and ingest (with --create) and load create one");
  }
  if (!db.ok()) return db.status();
  NoteOptions(console, report);
  NoteTornEnds(console, report);
  for (const RecoveryLoss& loss : report.losses) {
    if (loss.damage) console.Error("LOST: " + DescribeLoss(loss) + "; the log is kept in lost/");
  }
  return db;
}

void NoteRecovery(Console& console, const std::string& path) {
  FileSystem& fs = *NativeEnvironment().file_system;
  const auto kind = IdentifyTarget(fs, path);
  if (!kind.ok() || *kind != TargetKind::kDatabase) return;
  // The command itself reports a database that cannot be read.
  if (const auto report = ReportRecovery(fs, path); report.ok()) console.NotePartial(*report);
}

bool IsNew(const std::string& path) {
  return !NativeEnvironment().file_system->Exists(path + "/CURRENT");
}

Status CheckNewFamily(const std::string& name) {
  if (name == "default") return Status::Ok();
  return Status::InvalidArgument("there is no column family '" + EscapeForDisplay(name) +
                                 "' in a new database; varve cf create makes one");
}

Result<ColumnFamilyId> FamilyNamed(const DB& db, const std::string& name) {
  if (const auto id = db.FindFamily(name)) return *id;
  std::string names;
  for (const FamilyInfo& family : db.Families()) names += " " + EscapeForDisplay(family.name);
  return Status::InvalidArgument("there is no column family '" + EscapeForDisplay(name) +
                                 "'; there are:" + names);
}

Result<Snapshot> SnapshotFor(DB& db, std::optional<uint64_t> sequence) {
  if (!sequence) return db.GetSnapshot();
  return db.GetSnapshotAt(*sequence);
}

}  // namespace varve::cli
