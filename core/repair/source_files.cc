// SPDX-License-Identifier: Apache-2.0
#include "core/repair/source_files.h"

#include <algorithm>

#include "core/base/try.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/format/options/options_file.h"
#include "core/repair/empty_family.h"
#include "core/version/manifest_origin.h"

namespace varve {
namespace {

Status CheckName(const std::string& directory, const DirectoryEntry& entry, const FileName& name) {
  if (name.kind == FileKind::kTableLdb) {
    return Status::NotSupported(JoinPath(directory, entry.name) +
                                ": a LevelDB table; use LevelDB's own RepairDB");
  }
  if (name.kind != FileKind::kInfoLog && name.number > kFileNumberMax) {
    return Status::Corruption(JoinPath(directory, entry.name) + ": file numbers must not exceed " +
                              std::to_string(kFileNumberMax) + "; give it another name");
  }
  return Status::Ok();
}

// A directory without any of these has nothing of a database: it was named by mistake.
bool IsOfDatabase(FileKind kind) {
  return kind == FileKind::kCurrent || kind == FileKind::kManifest || kind == FileKind::kTable ||
         kind == FileKind::kBlob || kind == FileKind::kWal;
}

void ReadOptionsFile(FileSystem& fs, const std::string& directory, FileNumber number,
                     SourceFiles* files) {
  const std::string name = OptionsFileName(number);
  const auto text = ReadFileToString(fs, JoinPath(directory, name), kOptionsFileSizeMax);
  if (!text.ok()) return;
  const auto parsed = ParseOptionsFile(*text);
  if (!parsed.ok()) return;
  files->options_file = name;
  ApplyOptionsFile(*parsed, &files->options);  // Unknown options do not matter.
}

}  // namespace

int SourceFiles::LevelsOf(const std::string& family) const {
  const auto found = options.families.find(family);
  return found == options.families.end() ? kUsualLevels : std::max(2, found->second.num_levels);
}

Result<SourceFiles> SurveySource(FileSystem& fs, const std::string& directory) {
  ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, fs.List(directory));
  SourceFiles files;
  FileNumber largest = 1;
  std::optional<FileNumber> newest_options;
  for (const DirectoryEntry& entry : entries) {
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name) continue;
    files.any |= IsOfDatabase(name->kind);
    if (!entry.is_directory) {
      RETURN_IF_ERROR(CheckName(directory, entry, *name));
      if (name->kind != FileKind::kInfoLog) largest = std::max(largest, name->number);
    }
    if (name->kind == FileKind::kTable) files.tables[name->number] = entry.name;
    if (name->kind == FileKind::kWal) files.logs.emplace(name->number, entry.name);
    if (name->kind == FileKind::kManifest) {
      files.newest_manifest = std::max(files.newest_manifest.value_or(0), name->number);
    }
    if (name->kind == FileKind::kOptions) {
      newest_options = std::max(newest_options.value_or(0), name->number);
    }
  }
  files.next_number = largest + 1;
  if (HoldsLevelDb(fs, directory)) return RefuseToWriteLevelDb(directory);
  if (newest_options) ReadOptionsFile(fs, directory, *newest_options, &files);
  return files;
}

}  // namespace varve
