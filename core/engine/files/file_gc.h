// SPDX-License-Identifier: Apache-2.0
// FileGc deletes the files that nothing needs any more (db-format 1.6).
//
//   live --an edit drops it--> obsolete --last Version that has it goes--> deleted
//
// While the database runs, only files that were live once and left are looked at: a table that a
// job is writing cannot be mistaken for garbage. What a crash left behind is found by Sweep(),
// once, when the database is opened. Every deletion comes after the synced MANIFEST record that
// allows it (rules S4-S6). Thread-safe where nothing else is required.
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

  // The file left the newest Version, or is a log that no family needs any more.
  void NoteObsolete(const std::shared_ptr<FileMetadata>& file) REQUIRES(engine_mutex);
  void NoteObsoleteBlob(const BlobFileMetadata& file) REQUIRES(engine_mutex);
  void NoteObsoleteWal(uint64_t number) REQUIRES(engine_mutex);
  void NoteObsoleteManifest(FileNumber number) REQUIRES(engine_mutex);

  // Deletes what is due, unless a hold forbids it.
  void Collect() EXCLUDES(engine_mutex);

  // Nothing is deleted while the count of holds is not zero.
  void Hold() EXCLUDES(engine_mutex);
  void Release() EXCLUDES(engine_mutex);

  // Deletes whatever in the directory `state` does not need. Only before any job or write runs.
  void Sweep(const DatabaseState& state, FileNumber manifest,
             const std::vector<DirectoryEntry>& entries);

 private:
  struct ObsoleteTable {
    FileNumber number = 0;
    // True when the last Version or job that had it has let go.
    std::shared_ptr<const std::atomic<bool>> gone;
  };

  struct ObsoleteBlob {
    FileNumber number = 0;
    std::weak_ptr<const BlobFileUse> use;  // Expires with the last Version that has the file.
  };

  EngineContext& context_;
  std::vector<ObsoleteTable> tables_ GUARDED_BY(engine_mutex);
  std::vector<ObsoleteBlob> blobs_ GUARDED_BY(engine_mutex);
  std::vector<std::string> names_ GUARDED_BY(engine_mutex);  // Of other files, due at once.
  int holds_ GUARDED_BY(engine_mutex) = 0;
};

}  // namespace varve
