// SPDX-License-Identifier: Apache-2.0
#include "core/version/database_files.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/base/try.h"
#include "core/format/file_name.h"

namespace varve {
namespace {

// Flushes and compactions change the MANIFEST now and then; this many changes in a row only occur
// if edits are made faster than they can be read.
constexpr int kTriesMax = 200;

// Changes with every edit: CURRENT names the MANIFEST, and edits make it longer.
struct ManifestStamp {
  FileNumber number = 0;
  uint64_t size = 0;

  bool operator==(const ManifestStamp&) const = default;
};

Result<ManifestStamp> LookAtManifest(FileSystem& fs, const std::string& directory) {
  ASSIGN_OR_RETURN(const FileNumber number, ReadCurrent(fs, directory));
  ASSIGN_OR_RETURN(const uint64_t size, fs.FileSize(JoinPath(directory, ManifestFileName(number))));
  return ManifestStamp{number, size};
}

bool AreAlike(const Result<ManifestStamp>& before, const Result<ManifestStamp>& after) {
  return before.ok() == after.ok() && (!before.ok() || *before == *after);
}

std::vector<uint64_t> WalsToReplay(const DatabaseFiles& files, bool allow_2pc) {
  const DatabaseState& state = files.manifest.state;
  // RocksDB with two-phase commits names no oldest log until one is flushed, and reads all.
  const bool all = allow_2pc && state.counters.min_log_number_to_keep == 0;
  const uint64_t first = all ? 0 : state.MinLogToReplay();
  const uint64_t previous = state.counters.prev_log_number;
  std::vector<uint64_t> wals;
  for (const DirectoryEntry& entry : files.entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name || name->kind != FileKind::kWal) continue;
    if (name->number >= first || (previous != 0 && name->number == previous)) {
      wals.push_back(name->number);
    }
  }
  std::sort(wals.begin(), wals.end());
  return wals;
}

Result<DatabaseFiles> ReadOnce(FileSystem& fs, const std::string& directory, const Options& options,
                               TableCache* tables, OtherWriters others, const HoldFiles& hold) {
  DatabaseFiles files;
  ASSIGN_OR_RETURN(files.manifest, ReadManifest(fs, directory, options, tables));
  ASSIGN_OR_RETURN(files.entries, fs.List(directory));
  for (const uint64_t number : WalsToReplay(files, options.allow_2pc)) {
    WalFile wal{.number = number};
    if (others == OtherWriters::kPossible) {
      ASSIGN_OR_RETURN(wal, OpenWal(fs, directory, number));
    }
    files.wals.push_back(std::move(wal));
  }
  if (hold != nullptr) RETURN_IF_ERROR(hold(files));
  return files;
}

// Errors of the file itself are left to its readers.
Status LeaveToReaders(const Status& opened) {
  const Code code = opened.code();
  return code == Code::kCorruption || code == Code::kNotSupported ? Status::Ok() : opened;
}

template <typename Visit>
Status ForEachTable(const DatabaseState& state, const Visit& visit) {
  for (const FamilyState& family : state.families.all()) {
    for (int level = 0; level < family.version->num_levels(); ++level) {
      for (const FilePtr& file : family.version->files(level)) {
        RETURN_IF_ERROR(visit(*family.version, *file));
      }
    }
  }
  return Status::Ok();
}

template <typename Visit>
Status ForEachBlobFile(const DatabaseState& state, const Visit& visit) {
  for (const FamilyState& family : state.families.all()) {
    for (const BlobFileMetadata& blob : family.version->blob_files()) {
      RETURN_IF_ERROR(visit(blob.number));
    }
  }
  return Status::Ok();
}

// See DatabaseFiles::unreadable_tables. One in another directory is not supported by any reader.
std::map<FileNumber, Status> FindUnreadable(FileSystem& fs, const std::string& directory,
                                            const DatabaseFiles& files) {
  const TablePlaces places(fs, directory, files.entries);
  std::map<FileNumber, Status> unreadable;
  ForEachTable(files.manifest.state, [&](const Version&, const FileMetadata& file) {
    Status status = places.Of(file.description).status;
    if (!status.ok()) unreadable.emplace(file.number(), std::move(status));
    return Status::Ok();
  }).Ignore("nothing fails");
  return unreadable;
}

}  // namespace

std::vector<FamilyLogState> LogStatesOf(const ColumnFamilies& families) {
  std::vector<FamilyLogState> states;
  for (const FamilyState& family : families.all()) {
    states.push_back({family.name, family.log_number, family.version->TotalFiles() > 0});
  }
  return states;
}

std::vector<RecoveryLoss> LostWals(const DatabaseFiles& files) {
  std::map<uint64_t, uint64_t> sizes;
  for (const DirectoryEntry& entry : files.entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (name && name->kind == FileKind::kWal) sizes[name->number] = entry.size;
  }
  std::vector<RecoveryLoss> losses;
  for (const auto& [number, synced] : files.manifest.synced_wals) {
    if (number < files.manifest.state.MinLogToReplay()) continue;
    const auto there = sizes.find(number);
    const uint64_t size = there == sizes.end() ? 0 : there->second;
    if (size >= synced) continue;
    losses.push_back({.file = WalFileName(number),
                      .offset = size,
                      .bytes = synced - size,
                      .reason = std::string(there == sizes.end() ? "is missing" : "ends here") +
                                "; the MANIFEST says that " + std::to_string(synced) +
                                " bytes of it were synced",
                      .damage = true});
  }
  return losses;
}

void LeaveOutUnfinished(RecoveryReport* report) {
  std::erase_if(report->losses,
                [](const RecoveryLoss& loss) { return loss.unfinished && !loss.damage; });
}

Result<DatabaseFiles> ReadDatabaseFiles(FileSystem& fs, const std::string& directory,
                                        const Options& options, TableCache* tables,
                                        OtherWriters others, const HoldFiles& hold) {
  if (others == OtherWriters::kNone) return ReadOnce(fs, directory, options, tables, others, hold);
  Status unreadable;
  for (int tries = 1; tries <= kTriesMax; ++tries) {
    const Result<ManifestStamp> before = LookAtManifest(fs, directory);
    Result<DatabaseFiles> files = ReadOnce(fs, directory, options, tables, others, hold);
    const Result<ManifestStamp> after = LookAtManifest(fs, directory);
    // If nothing changed during the read, a missing file is really missing.
    if (AreAlike(before, after) &&
        (!files.ok() || (after.ok() && *after == ManifestStamp{files->manifest.number,
                                                               files->manifest.file_size}))) {
      return files;
    }
    // Not a concurrent change but e.g. a lack of file descriptors.
    unreadable = after.status();
  }
  RETURN_IF_ERROR(unreadable);
  return Status::Busy(directory + ": changes faster than it can be read; its MANIFEST grew " +
                      std::to_string(kTriesMax) + " times while it was being read");
}

// Called for each state read until one is stable; most files are already open from before.
Status HeldFiles::Hold(const DatabaseState& state) {
  if (!fs_.IsLocked(JoinPath(directory_, kLockFileName))) return Status::Ok();
  Status missing;  // The first one; the others are still held open.
  const auto hold = [&](FileNumber number, const std::string& name, const Status& opened,
                        std::set<FileNumber>* held) {
    if (opened.ok()) held->insert(number);
    if (opened.code() != Code::kNotFound) return LeaveToReaders(opened);
    if (missing.ok()) missing = MissingFile(directory_, name);
    return Status::Ok();
  };
  tables_->KeepAllOpen();
  RETURN_IF_ERROR(ForEachTable(state, [&](const Version& version, const FileMetadata& file) {
    const FileNumber number = file.number();
    return hold(number, TableFileName(number), version.Open(file).status(), &held_tables_);
  }));
  if (blobs_ == nullptr) return missing;
  blobs_->KeepAllOpen();
  RETURN_IF_ERROR(ForEachBlobFile(state, [&](FileNumber number) {
    return hold(number, BlobFileName(number), blobs_->Open(number), &held_blobs_);
  }));
  return missing;
}

void HeldFiles::LetGoOfOthers(const DatabaseState& state) {
  ForEachTable(state, [&](const Version&, const FileMetadata& file) {
    held_tables_.erase(file.number());
    return Status::Ok();
  }).Ignore("nothing fails");
  for (const FileNumber number : held_tables_) tables_->Evict(number);
  held_tables_.clear();
  ForEachBlobFile(state, [&](FileNumber number) {
    held_blobs_.erase(number);
    return Status::Ok();
  }).Ignore("nothing fails");
  for (const FileNumber number : held_blobs_) blobs_->Evict(number);
  held_blobs_.clear();
}

Result<DatabaseFiles> ReadAndHoldFiles(FileSystem& fs, const std::string& directory,
                                       TableCache* tables, BlobReader* blobs) {
  HeldFiles held(fs, directory, tables, blobs);
  const auto hold = [&held](const DatabaseFiles& files) {
    return LeaveToReaders(held.Hold(files.manifest.state));
  };
  ASSIGN_OR_RETURN(DatabaseFiles files, ReadDatabaseFiles(fs, directory, InspectionOptions(),
                                                          tables, OtherWriters::kPossible, hold));
  held.LetGoOfOthers(files.manifest.state);
  files.unreadable_tables = FindUnreadable(fs, directory, files);
  return files;
}

}  // namespace varve
