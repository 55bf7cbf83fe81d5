// SPDX-License-Identifier: Apache-2.0
// ManifestWriter appends VersionEdits to the live MANIFEST.
//
// Create() writes a new MANIFEST: snapshot and edits, sync, sync directory, CURRENT replaced
// durably (rule S5). When it succeeds the previous MANIFEST is obsolete; when it fails, CURRENT
// names the old or the new one, and only another Create() with a new number may follow.
//
// After a failed append or sync the contents on disk are unknown: the writer rejects further edits,
// and the engine must continue with a new MANIFEST (a record must never follow a partial one).
//
// Not thread-safe: the engine lets one job at a time log, and calls this without its mutex:
//   locked:    version = builder.Build(); CheckVersion(...); copy = state, if a new MANIFEST is due
//   unlocked:  writer->Append(edits)   or   writer = Create(number, copy, edits)
//   locked:    state.Install(edit, version)
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/format/manifest/version_edit.h"
#include "core/version/column_families.h"
#include "core/wal/log_writer.h"
#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/status.h"

namespace varve {

class ManifestWriter {
 public:
  // `number`: new, and already below `state.counters.next_file_number`. `edits` follow the
  // snapshot: the change that the caller is logging.
  static Result<std::unique_ptr<ManifestWriter>> Create(FileSystem& fs,
                                                        const std::string& directory,
                                                        FileNumber number,
                                                        const DatabaseState& state,
                                                        std::span<const VersionEdit> edits);

  // Appends and syncs. Several edits are written as one atomic group: recovery sees all or none. So
  // none of them may drop a family, nor add one, unless the first does: then they are not a group.
  Status Append(std::span<const VersionEdit> edits);

  bool failed() const { return failed_; }
  // The next edit should go to a new MANIFEST: this one failed or exceeded its limit (a snapshot
  // alone may be larger than `max_size`, so growth since then counts as well).
  bool NeedsRollover(uint64_t max_size) const;

  FileNumber number() const { return number_; }
  uint64_t size() const { return log_.size(); }

 private:
  ManifestWriter(FileNumber number, std::unique_ptr<WritableFile> file);
  Status AppendRecords(std::span<const VersionEdit> edits);

  const FileNumber number_;
  LogWriter log_;
  uint64_t snapshot_size_ = 0;
  bool failed_ = false;
};

}  // namespace varve
