// SPDX-License-Identifier: Apache-2.0
// Lists the edits of a MANIFEST, each with its purpose. RocksDB does not store that; it follows
// from the contents of the edit:
//
//   snapshot      adds files without a file number counter: the state a new MANIFEST begins with
//   flush         adds files and advances the family's log number
//   ingestion     adds files, and that is all
//   compaction    deletes files and adds others
//   trivial move  adds only files that it deletes, elsewhere
//   deletion      only deletes files: FIFO, a deleted range, a compaction that left nothing
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/format/manifest/version_edit.h"
#include "core/inspect/lsm/edit_kind.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/version/manifest_reader.h"
#include "varve/file_system.h"
#include "varve/result.h"

namespace varve {

EditKind KindOfEdit(const VersionEdit& edit);

struct ManifestPlace {
  std::string directory;
  FileNumber number = 0;  // 0 if the file's name has none.
  std::string path;
};
// The MANIFEST of a database's directory, or a MANIFEST itself.
Result<ManifestPlace> FindManifest(FileSystem& fs, const std::string& target);

struct EditReport {
  uint64_t number = 0;            // Starts at 1.
  uint64_t offset = 0, size = 0;  // In the MANIFEST, headers of the log included.
  EditKind kind = EditKind::kCounters;
  std::string family;             // Its name; empty if the MANIFEST has not named it.
  std::vector<FileReport> added;  // Decoded from `edit`; without overlap and directory.
  uint64_t added_bytes = 0;
  VersionEdit edit;
};

// One thread.
class ManifestTimeline {
 public:
  static Result<ManifestTimeline> Open(FileSystem& fs, const std::string& target);

  // Nullopt at the end. After Corruption, which names the offset, there are no more edits.
  Result<std::optional<EditReport>> Next();

  // All families in the edits so far, including dropped ones.
  std::vector<std::string> Families() const;

  const ManifestPlace& place() const { return place_; }
  uint64_t file_size() const { return scanner_->file_size(); }
  uint64_t torn_bytes() const { return scanner_->torn_bytes(); }  // After the end.

 private:
  ManifestTimeline(ManifestPlace place, std::unique_ptr<ManifestScanner> scanner)
      : place_(std::move(place)), scanner_(std::move(scanner)), families_({{0, "default"}}) {}

  ManifestPlace place_;
  std::unique_ptr<ManifestScanner> scanner_;
  std::map<ColumnFamilyId, std::string> families_;
};

// A table's description in the MANIFEST.
FileReport ReportDescription(const FileDescription& file, int level);

}  // namespace varve
