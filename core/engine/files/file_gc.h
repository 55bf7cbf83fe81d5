// SPDX-License-Identifier: Apache-2.0
// FileGc deletes obsolete files (db-format 1.6).
//
//   live --an edit drops it--> obsolete --last Version that has it goes--> deleted
//
// While the database runs, only files that were live and became obsolete are considered, so a table
// that a job is writing is never mistaken for garbage. Sweep() removes what a crash left behind,
// once, when the database is opened. Every deletion follows the synced MANIFEST record that allows
// it (rules S4-S6). Thread-safe unless noted otherwise.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "core/engine/context.h"
#include "core/version/column_families.h"
#include "core/version/file_metadata.h"

namespace varve {

class FileGc {
 public:
  explicit FileGc(EngineContext& context) : context_(context) {}

  // The file left the newest Version.
  void NoteObsolete(const std::shared_ptr<FileMetadata>& file) REQUIRES(engine_mutex);
  void NoteObsoleteBlob(const BlobFileMetadata& file) REQUIRES(engine_mutex);
  // No family needs the WAL any more.
  void NoteObsoleteWal(uint64_t number) REQUIRES(engine_mutex);
  void NoteObsoleteManifest(FileNumber number) REQUIRES(engine_mutex);

  // Deletes obsolete files, unless a hold prevents it.
  void Collect() EXCLUDES(engine_mutex);

  // Nothing is deleted while the hold count is not zero.
  void Hold() EXCLUDES(engine_mutex);
  void Release() EXCLUDES(engine_mutex);

  // Deletes all files of the directory that `state` does not need. Call it before any job or write
  // runs.
  void Sweep(const DatabaseState& state, FileNumber manifest,
             const std::vector<DirectoryEntry>& entries);

 private:
  struct ObsoleteTable {
    FileNumber number = 0;
    // True when the last Version or job that used it has released it.
    std::shared_ptr<const std::atomic<bool>> gone;
  };

  struct ObsoleteBlob {
    FileNumber number = 0;
    std::weak_ptr<const BlobFileUse> use;  // Expires with the last Version that uses the file.
  };

  EngineContext& context_;
  std::vector<ObsoleteTable> tables_ GUARDED_BY(engine_mutex);
  std::vector<ObsoleteBlob> blobs_ GUARDED_BY(engine_mutex);
  std::vector<std::string> names_ GUARDED_BY(engine_mutex);  // Of other files, deletable at once.
  int holds_ GUARDED_BY(engine_mutex) = 0;
};

}  // namespace varve
