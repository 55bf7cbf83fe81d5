// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/wal/recovery_report.h"

#include <vector>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/version/database_files.h"
#include "core/wal/wal_walk.h"

namespace varve {
namespace {

Status NoteRefusal(const WalFile& wal, const Status& refused, RecoveryReport* report) {
  CHECK(!refused.ok());
  if (refused.code() == Code::kNotSupported) return Status::Ok();  // Not damage.
  if (refused.code() != Code::kCorruption) return refused;
  report->losses.push_back({.file = WalFileName(wal.number),
                            .offset = 0,
                            .bytes = wal.size,
                            .reason = std::string(refused.message()),
                            .damage = true});
  return Status::Ok();
}

// Reads all of them, or up to the one that recovery rejects.
Status ReadWals(const DatabaseFiles& files, RecoveryReport* report) {
  WalWalk walk(WalRecoveryMode::kPointInTime, report, LogStatesOf(files.manifest.state.families),
               [](uint64_t, const BatchHeader&, std::string_view) { return Status::Ok(); });
  for (const WalFile& wal : files.wals) {
    if (const Status read = walk.Read(wal); !read.ok()) return NoteRefusal(wal, read, report);
  }
  const Status ahead = walk.CheckFamilies();
  if (ahead.ok() || files.wals.empty()) return Status::Ok();
  return NoteRefusal(files.wals.back(), ahead, report);
}

// WALs that an opening needs and that cannot be opened.
Result<std::vector<RecoveryLoss>> UnreadableLogs(FileSystem& fs, const std::string& directory) {
  std::vector<RecoveryLoss> losses;
  ASSIGN_OR_RETURN(const RecoveredManifest manifest,
                   ReadManifest(fs, directory, InspectionOptions(), /*tables=*/nullptr));
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(directory));
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name || name->kind != FileKind::kWal) continue;
    if (name->number < manifest.state.MinLogToReplay()) continue;
    const Status opened = OpenWal(fs, directory, name->number).status();
    if (opened.ok() || opened.code() == Code::kNotFound) continue;
    losses.push_back({.file = entry.name,
                      .offset = 0,
                      .bytes = entry.size,
                      .reason = std::string(opened.message()),
                      .damage = true});
  }
  return losses;
}

}  // namespace

Result<RecoveryReport> ReportRecovery(FileSystem& fs, const std::string& directory) {
  RecoveryReport report;
  const auto files = ReadDatabaseFiles(fs, directory, InspectionOptions(), /*tables=*/nullptr,
                                       OtherWriters::kPossible);
  if (!files.ok()) {
    ASSIGN_OR_RETURN(report.losses, UnreadableLogs(fs, directory));
    if (report.losses.empty()) return files.status();
    return report;
  }
  report.losses = LostWals(*files);
  RETURN_IF_ERROR(ReadWals(*files, &report));
  if (fs.IsLocked(JoinPath(directory, kLockFileName))) LeaveOutUnfinished(&report);
  return report;
}

Status SurveyLogs(FileSystem& fs, const std::string& directory,
                  const std::vector<std::string>& names, WalRecoveryMode mode,
                  RecoveryReport* report) {
  WalWalk walk(mode, report, /*families=*/{},
               [](uint64_t, const BatchHeader&, std::string_view) { return Status::Ok(); });
  for (const std::string& name : names) {
    const auto parsed = ParseFileName(name);
    if (!parsed) continue;
    ASSIGN_OR_RETURN(const WalFile wal, OpenWal(fs, directory, parsed->number));
    RETURN_IF_ERROR(walk.Read(wal));
  }
  return Status::Ok();
}

std::vector<RecoveryLoss> MissingLogs(FileSystem& fs, const std::string& directory) {
  const auto files = ReadDatabaseFiles(fs, directory, InspectionOptions(), /*tables=*/nullptr,
                                       OtherWriters::kPossible);
  return files.ok() ? LostWals(*files) : std::vector<RecoveryLoss>();
}

std::string DescribeLoss(const RecoveryLoss& loss) {
  return FileOffset(loss.file, loss.offset) + ": " + loss.reason + "; " +
         std::to_string(loss.bytes) + " bytes cannot be replayed";
}

}  // namespace varve
