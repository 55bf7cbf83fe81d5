// SPDX-License-Identifier: Apache-2.0
// VersionBuilder turns a Version and the VersionEdits that follow into the next Version.
//
//   base files --Apply(edit)*--> number -> (level, file) --Build--> ordered and checked Version
//
// Every byte of an edit may come from a damaged MANIFEST: Apply checks the rules of db-format 4.4,
// Build those of section 5, and a violation is Corruption naming the file. After an error the
// builder must not be used. A file that only moves between levels keeps its FileMetadata. No I/O;
// one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/format/manifest/version_edit.h"
#include "core/version/file_metadata.h"
#include "core/version/version.h"
#include "varve/comparator.h"
#include "varve/result.h"
#include "varve/status.h"

namespace varve {

// In place of a number of levels: the usual one, or more if tables are on deeper levels.
inline constexpr int kLevelsAsFound = 0;

class VersionBuilder {
 public:
  // Starts from `base`; null: from an empty Version. With a null comparator (unknown order) files
  // are ordered by number, and the orders of section 5 are not checked. `base` must outlive the
  // builder.
  VersionBuilder(const Comparator* comparator, const Version* base, int num_levels);

  // Applies blob additions, blob garbage, file deletions, then file additions.
  Status Apply(const VersionEdit& edit);

  // `tables` may be null if the Version's tables are not read. Files written by LevelDB have no
  // sequences in the MANIFEST: they get the tightest ranges that order level 0 by file number and
  // are within `last_sequence`.
  Result<std::shared_ptr<const Version>> Build(TableCache* tables, Sequence last_sequence);

  // Largest epoch of the files applied so far, 0 if none has one.
  uint64_t max_epoch() const { return max_epoch_; }

 private:
  struct Placed {
    int level = 0;
    FilePtr file;
  };

  Status ApplyBlobs(const VersionEdit& edit);
  Status Delete(const VersionEdit::DeletedFile& deleted);
  Status Add(const VersionEdit::NewFile& added);
  std::vector<BlobFileMetadata> LiveBlobs() const;

  const Comparator* comparator_;
  const Version* const base_;
  const int num_levels_;
  std::unordered_map<FileNumber, Placed> live_;
  // Deleted by the edit being applied: adding the same number again is a move.
  std::unordered_map<FileNumber, FilePtr> leaving_;
  std::map<FileNumber, BlobFileMetadata> blobs_;
  uint64_t max_epoch_ = 0;
};

}  // namespace varve
