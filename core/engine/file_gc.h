// SPDX-License-Identifier: Apache-2.0
// FileGc deletes the files that nothing needs any more (db-format 1.6).
//
//   live --an edit drops it--> obsolete --last Version that has it goes--> deleted
//
// While the database runs, only files that were live once and left are looked at: a table that a
// job is writing cannot be mistaken for garbage. What a crash left behind is found by Sweep(),
// once, when the database is opened. Every deletion comes after the synced MANIFEST record that
// allows it (rules S4-S6). Thread-safe.
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

  // Requires the engine's mutex: the file left the newest Version.
  void NoteObsolete(const std::shared_ptr<FileMetadata>& file);
  void NoteObsoleteBlob(const BlobFileMetadata& file);
  void NoteObsoleteWal(uint64_t number);
  void NoteObsoleteManifest(FileNumber number);

  // Deletes what is due, unless a hold forbids it.
  void Collect() EXCLUDES(context_.mutex);

  // Nothing is deleted while the count of holds is not zero.
  void Hold() EXCLUDES(context_.mutex);
  void Release() EXCLUDES(context_.mutex);

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
  // All guarded by the engine's mutex.
  std::vector<ObsoleteTable> tables_;
  std::vector<ObsoleteBlob> blobs_;
  std::vector<std::string> names_;  // Of other files, due at once.
  int holds_ = 0;
};

}  // namespace varve
