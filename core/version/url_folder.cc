// SPDX-License-Identifier: Apache-2.0
#include "core/version/url_folder.h"

#include <algorithm>
#include <utility>

#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/format/manifest/current_file.h"
#include "core/version/manifest_reader.h"

namespace varve {
namespace {

constexpr FileNumber kNumbersAbove = 16;   // Given since the last edit of the MANIFEST.
constexpr FileNumber kNumbersMax = 2'000;  // Asked for.
constexpr FileNumber kOptionsAtOnce = 32;

// Adds those of `names` that are there. Whether any is.
Result<bool> AddFound(const std::string& directory, const std::vector<std::string>& names,
                      const SizesOfFiles& sizes, std::vector<DirectoryEntry>* entries) {
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back(JoinPath(directory, name));
  const std::vector<Result<uint64_t>> found = sizes(paths);
  bool any = false;
  for (size_t i = 0; i < names.size(); ++i) {
    if (found[i].status().code() == Code::kNotFound) continue;
    RETURN_IF_ERROR(found[i].status());
    entries->push_back({.name = names[i], .size = *found[i]});
    any = true;
  }
  return any;
}

void AddTables(const DatabaseState& state, bool leveldb, std::vector<DirectoryEntry>* entries) {
  for (const FamilyState& family : state.families.all()) {
    for (int level = 0; level < family.version->num_levels(); ++level) {
      for (const FilePtr& file : family.version->files(level)) {
        // Those of other paths are not in this folder.
        if (file->description.path_id != 0) continue;
        entries->push_back(
            {.name = leveldb ? TableLdbFileName(file->number()) : TableFileName(file->number()),
             .size = file->description.size});
      }
    }
  }
}

}  // namespace

Result<std::vector<DirectoryEntry>> ListUrlFolder(FileSystem& files, const std::string& directory,
                                                  const SizesOfFiles& sizes) {
  const std::string current = JoinPath(directory, kCurrentFileName);
  RETURN_IF_ERROR(ReadFileToString(files, current, kCurrentFileSizeMax).status());
  std::vector<DirectoryEntry> entries;
  ASSIGN_OR_RETURN(const RecoveredManifest manifest,
                   ReadManifest(files, directory, InspectionOptions(), /*tables=*/nullptr));
  entries.push_back({.name = ManifestFileName(manifest.number), .size = manifest.file_size});
  const DatabaseState& state = manifest.state;

  // LevelDB named its tables .sst until 1.14.
  bool ldb = false;
  if (manifest.leveldb) {
    std::vector<DirectoryEntry> tables;
    AddTables(state, /*leveldb=*/true, &tables);
    ldb = !tables.empty() && files.Exists(JoinPath(directory, tables.front().name));
  }
  AddTables(state, ldb, &entries);

  std::vector<std::string> names = {std::string(kIdentityFileName), std::string(kInfoLogFileName)};
  for (const FamilyState& family : state.families.all()) {
    for (const BlobFileMetadata& blob : family.version->blob_files()) {
      names.push_back(BlobFileName(blob.number));
    }
  }
  const FileNumber end = state.counters.next_file_number + kNumbersAbove;
  const FileNumber oldest = std::max<FileNumber>(state.MinLogToReplay(), 1);
  if (end > oldest + kNumbersMax) {
    return Status::NotSupported(directory + ": logs may have the numbers " +
                                std::to_string(oldest) + " to " + std::to_string(end) +
                                ", too many to ask a web server for; make a checkpoint");
  }
  for (FileNumber number = oldest; number < end; ++number) names.push_back(WalFileName(number));
  const FileNumber previous = state.counters.prev_log_number;
  if (previous != 0 && previous < oldest) names.push_back(WalFileName(previous));
  // Asked for last: it is there, so a server that denies it refuses all HEAD requests, or refuses
  // these credentials by now, and has not said which logs there are.
  names.emplace_back(kCurrentFileName);
  RETURN_IF_ERROR(AddFound(directory, names, sizes, &entries).status());
  if (entries.back().name != kCurrentFileName) {
    return Status::NotSupported(current +
                                ": the server denies with HEAD what it sent with GET, so " +
                                "it cannot be asked which logs there are");
  }

  // OPTIONS: the newest one counts.
  if (manifest.leveldb) return entries;
  const FileNumber least = end > kNumbersMax ? end - kNumbersMax : 1;
  for (FileNumber to = end; to > least;) {
    const FileNumber from = to > least + kOptionsAtOnce ? to - kOptionsAtOnce : least;
    names.clear();
    for (FileNumber number = from; number < to; ++number) names.push_back(OptionsFileName(number));
    ASSIGN_OR_RETURN(const bool any, AddFound(directory, names, sizes, &entries));
    if (any) break;
    to = from;
  }
  return entries;
}

}  // namespace varve
