// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/lsm_report.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/version/manifest_reader.h"

namespace varve {
namespace {

constexpr uint64_t kIdentityBytesMax = 4096;

BoundReport ReportBound(const InternalKey& key) {
  return {std::string(key.user_key), key.sequence, std::string(ValueTypeName(key.type))};
}

FileReport ReportFile(const FileMetadata& file, int level, const std::string& name) {
  const FileDescription& d = file.description;
  return {.number = d.number,
          .name = name,
          .level = level,
          .size = d.size,
          .smallest = ReportBound(file.smallest),
          .largest = ReportBound(file.largest),
          .smallest_sequence = d.smallest_sequence,
          .largest_sequence = d.largest_sequence,
          .epoch = d.epoch,
          .creation_time = d.creation_time};
}

// What the directory holds, by the numbers in the names.
struct Directory {
  std::unordered_map<FileNumber, std::string> tables, blobs;
  std::unordered_map<FileNumber, uint64_t> wals;
};

Result<Directory> ReadDirectory(FileSystem& fs, const std::string& path) {
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(path));
  Directory directory;
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name || entry.is_directory) continue;
    if (name->kind == FileKind::kTable || name->kind == FileKind::kTableLdb) {
      directory.tables[name->number] = entry.name;
    } else if (name->kind == FileKind::kBlob) {
      directory.blobs[name->number] = entry.name;
    } else if (name->kind == FileKind::kWal) {
      directory.wals[name->number] = entry.size;
    }
  }
  return directory;
}

// Takes the files it reports out of `unclaimed`: what stays there is an orphan.
FamilyReport ReportFamily(const FamilyState& family, const Directory& directory,
                          Directory* unclaimed, std::vector<std::string>* missing) {
  FamilyReport report;
  report.id = family.id;
  report.name = family.name;
  report.comparator = family.comparator_name;
  report.comparator_known = family.comparator != nullptr;
  report.log_number = family.log_number;
  const Version& version = *family.version;
  for (int level = 0; level < version.num_levels(); ++level) {
    LevelReport& out = report.levels.emplace_back();
    out.level = level;
    for (const FilePtr& file : version.files(level)) {
      const auto found = directory.tables.find(file->number());
      const bool there = found != directory.tables.end();
      const std::string name = there ? found->second : TableFileName(file->number());
      if (!there && file->description.path_id == 0) missing->push_back(name);
      unclaimed->tables.erase(file->number());
      out.files.push_back(ReportFile(*file, level, name));
      out.bytes += file->size();
    }
    report.files += out.files.size();
    report.bytes += out.bytes;
  }
  for (const BlobFileMetadata& blob : version.blob_files()) {
    if (!directory.blobs.contains(blob.number)) missing->push_back(BlobFileName(blob.number));
    unclaimed->blobs.erase(blob.number);
    ++report.blob_files;
  }
  return report;
}

}  // namespace

Result<LsmReport> ReportLsm(FileSystem& fs, const std::string& path) {
  ASSIGN_OR_RETURN(const RecoveredManifest manifest,
                   ReadManifest(fs, path, Options(), /*tables=*/nullptr));
  ASSIGN_OR_RETURN(const Directory directory, ReadDirectory(fs, path));

  LsmReport report;
  report.path = path;
  report.manifest = ManifestFileName(manifest.number);
  report.manifest_edits = manifest.edits;
  report.manifest_bytes = manifest.file_size;
  report.last_sequence = manifest.state.counters.last_sequence;
  report.next_file_number = manifest.state.counters.next_file_number;
  report.db_id = manifest.state.counters.db_id;
  if (report.db_id.empty()) {
    const auto identity =
        ReadFileToString(fs, JoinPath(path, kIdentityFileName), kIdentityBytesMax);
    if (identity.ok()) report.db_id = *identity;
    while (report.db_id.ends_with('\n')) report.db_id.pop_back();
  }

  Directory unclaimed = directory;
  for (const FamilyState& family : manifest.state.families.all()) {
    report.families.push_back(ReportFamily(family, directory, &unclaimed, &report.missing));
  }
  report.leveldb = std::any_of(directory.tables.begin(), directory.tables.end(),
                               [](const auto& table) { return table.second.ends_with(".ldb"); });
  for (const auto& [number, name] : unclaimed.tables) report.orphans.push_back(name);
  for (const auto& [number, name] : unclaimed.blobs) report.orphans.push_back(name);
  std::sort(report.orphans.begin(), report.orphans.end());
  const uint64_t first_live = manifest.state.MinLogToReplay();
  for (const auto& [number, size] : directory.wals) {
    report.wals.push_back({number, size, number >= first_live});
  }
  std::sort(report.wals.begin(), report.wals.end(),
            [](const WalFileReport& a, const WalFileReport& b) { return a.number < b.number; });
  return report;
}

}  // namespace varve
