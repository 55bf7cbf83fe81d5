// SPDX-License-Identifier: Apache-2.0
// varve db info.
#include <algorithm>
#include <cstdio>

#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/input/dump_format.h"
#include "cli/output/api_output.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/output/progress.h"
#include "cli/output/text_table.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/options/options_report.h"
#include "core/inspect/target.h"

namespace varve::cli {
namespace {

std::string Pad(std::string text, size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string PadLeft(std::string text, size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string Bar(uint64_t bytes, uint64_t largest) {
  constexpr uint64_t kWidth = 30;
  const uint64_t filled =
      largest == 0 ? 0 : std::max<uint64_t>(bytes * kWidth / largest, bytes > 0);
  return std::string(filled, '#') + std::string(kWidth - filled, ' ');
}

void PrintFamily(Sink& out, const FamilyReport& family) {
  out.Write("\ncolumn family " + EscapeForDisplay(family.name) + " (id " +
            std::to_string(family.id) + ", " + EscapeForDisplay(family.comparator) +
            (family.comparator_known ? "" : ", unknown here: raw reading only") + ")\n");
  uint64_t largest = 0;
  for (const LevelReport& level : family.levels) largest = std::max(largest, level.bytes);
  for (const LevelReport& level : family.levels) {
    if (level.files.empty()) continue;
    std::string first = level.files.front().smallest.key, last = level.files.front().largest.key;
    for (const FileReport& file : level.files) {
      if (level.level == 0) first = std::min(first, file.smallest.key);
      if (level.level == 0) last = std::max(last, file.largest.key);
    }
    if (level.level > 0) last = level.files.back().largest.key;
    out.Write("  L" + std::to_string(level.level) + " " +
              PadLeft(HumanCount(level.files.size()), 7) +
              (level.files.size() == 1 ? " file  " : " files ") +
              PadLeft(HumanBytes(level.bytes), 10) + "  |" + Bar(level.bytes, largest) + "| " +
              ShortKey(first, 24) + " .. " + ShortKey(last, 24) + "\n");
  }
  if (family.files == 0) out.Write("  no table files\n");
  if (family.blob_files > 0) out.Write("  " + Counted(family.blob_files, "blob file") + "\n");
}

// "OPTIONS-000007, 12 differ from RocksDB's defaults".
std::string OptionsText(const LsmReport& report) {
  if (report.options_file.empty()) return "no OPTIONS file";
  const auto options = ReportOptions(*NativeEnvironment().file_system, report.path);
  if (!options.ok()) return std::string(options.status().message());
  return options->file + ", " + HumanCount(options->CountDiffering()) +
         " differ from RocksDB's defaults";
}

void PrintReport(Sink& out, const LsmReport& report) {
  uint64_t files = 0, bytes = 0;
  for (const FamilyReport& family : report.families) {
    files += family.files;
    bytes += family.bytes;
  }
  uint64_t wals = 0, wal_bytes = 0;
  for (const WalFileReport& wal : report.wals) {
    wals += wal.live ? 1 : 0;
    wal_bytes += wal.live ? wal.size : 0;
  }
  out.Write(Pad(report.leveldb ? "LevelDB database" : "database", 18) + report.path + "\n" +
            Pad("identity", 18) + (report.db_id.empty() ? "none" : report.db_id) + "\n" +
            Pad("manifest", 18) + report.manifest + ", " + Counted(report.manifest_edits, "edit") +
            ", " + HumanBytes(report.manifest_bytes) + "\n" + Pad("sequence", 18) +
            HumanCount(report.last_sequence) + "\n" + Pad("tables", 18) + Counted(files, "file") +
            ", " + HumanBytes(bytes) + "\n" + Pad("write-ahead log", 18) + Counted(wals, "file") +
            ", " + HumanBytes(wal_bytes) + "\n" + Pad("options", 18) + OptionsText(report) + "\n");
  for (const FamilyReport& family : report.families) PrintFamily(out, family);
  for (const std::string& name : report.missing) out.Write("missing           " + name + "\n");
  for (const std::string& text : report.wrong_size) out.Write("damaged           " + text + "\n");
  for (const std::string& name : report.orphans) out.Write("orphan            " + name + "\n");
}

class DbInfo : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Option(
        "digest", &digest_,
        "read everything and add the digest of all records; as data, the digest alone");
    DeclareEngine(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    // Wrong ones are refused in every format, whether or not records are read with them.
    ASSIGN_OR_RETURN(const Options options, MakeOptions(engine_));
    RETURN_IF_ERROR(RequireDatabase(*NativeEnvironment().file_system, target_));
    if (IsData(console.format(Format::kTable))) {
      ApiSession session(options);
      RETURN_IF_ERROR(session.Open(target_));
      if (!digest_) return session.Print(console, "");
      Progress progress(console, "digest", "records", 0);
      return session.PrintJob(console, {{"kind", "digest"}}, &progress);
    }
    if (!digest_) NoteRecovery(console, target_);
    ASSIGN_OR_RETURN(const LsmReport report, ReportLsm(*NativeEnvironment().file_system, target_));
    ContentDigest digest;
    if (digest_) RETURN_IF_ERROR(Digest(console, &digest));
    PrintReport(console.out(), report);
    if (digest_) {
      console.out().Write("\ndigest            xxh3 " + digest.hex() + ", " +
                          Counted(digest.count(), "record") + "\n");
    }
    // A digest needs none of those that hold older versions alone.
    return report.has_all_files() ? kDone : kCorrupt;
  }

 private:
  Status Digest(Console& console, ContentDigest* digest) {
    ASSIGN_OR_RETURN(const auto db, OpenForReading(console, target_, engine_));
    Progress progress(console, "digest", "records", [&] { return EntriesIn(target_, ""); });
    for (const FamilyInfo& family : db->Families()) {
      ASSIGN_OR_RETURN(Iterator it, db->NewIterator({.fill_cache = false}, family.id));
      for (it.SeekToFirst(); it.Valid(); it.Next()) {
        digest->Add(family.name, it.key(), it.value());
        progress.Update(digest->count());
      }
      RETURN_IF_ERROR(it.status());
    }
    return Status::Ok();
  }

  std::string target_;
  bool digest_ = false;
  EngineFlags engine_;
};

}  // namespace

const Command kDbInfo = {
    "db info", "summarise a database: column families, levels, files, logs",
    "varve db info ./db\nvarve db info ./db --digest --json",
    "0 shown, 4 files are missing or of another size, 7 partial: a damaged log hides records",
    [] { return MakeInvocation<DbInfo>(); }};

}  // namespace varve::cli
