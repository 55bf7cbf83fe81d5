// SPDX-License-Identifier: Apache-2.0
// FileMetadata is what the MANIFEST says about one table: enough to decide whether to open it.
// Immutable once in a Version, but for the atomics; shared by all Versions that contain the file.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/format/internal_key.h"
#include "core/format/manifest/file_description.h"

namespace varve {

class TableReader;

// Lives as long as any Version that has a certain blob file.
struct BlobFileUse {};

// One blob file of a family (db-format section 9); read-only in this engine.
struct BlobFileMetadata {
  FileNumber number = 0;
  uint64_t blobs = 0;
  uint64_t bytes = 0;
  uint64_t garbage_blobs = 0;
  uint64_t garbage_bytes = 0;
  std::string checksum_method = {}, checksum_value = {};  // Kept for the next MANIFEST.
  // Shared by all Versions that have the file.
  std::shared_ptr<const BlobFileUse> use = {};
};

struct FileMetadata {
  // Requires bounds of at least 8 bytes: what comes from a MANIFEST is checked by VersionBuilder.
  explicit FileMetadata(FileDescription d);
  FileMetadata(const FileMetadata&) = delete;
  ~FileMetadata() { gone->store(true, std::memory_order_release); }

  const FileDescription description;
  // Decoded from `description`; they point into it.
  const InternalKey smallest;
  const InternalKey largest;

  // True once no version has the file any more; outlives this. Who reads true with acquire comes
  // after all that readers of the file did, which a weak_ptr's expired() does not promise.
  const std::shared_ptr<std::atomic<bool>> gone = std::make_shared<std::atomic<bool>>(false);

  // The end of a range tombstone as the largest key stands before all versions of its user key: the
  // file holds nothing of it, and its tombstones, which may reach further, count up to there.
  bool ends_before_largest() const {
    return largest.type == ValueType::kRangeDeletion && largest.sequence == kMaxSequence;
  }
  // Does `user_key` lie within the bounds?
  template <typename Order>
  bool Spans(Order order, std::string_view user_key) const {
    if (order(smallest.user_key, user_key) > 0) return false;
    const int c = order(user_key, largest.user_key);
    return c < 0 || (c == 0 && !ends_before_largest());
  }

  FileNumber number() const { return description.number; }
  uint64_t size() const { return description.size; }

  // Set once, by Version::OpenFast, when tables stay open (max_open_files = -1), with release
  // order; readers load with acquire. Owned by the TableCache until the file is obsolete.
  mutable std::atomic<const TableReader*> pinned_reader{nullptr};
  // Learnt when the table is first opened or made (0 until then): drive compaction scores.
  mutable std::atomic<uint64_t> entries{0};
  mutable std::atomic<uint64_t> deletions{0};
  // Guarded by the engine's mutex: an input of a running compaction.
  bool being_compacted = false;
};

using FilePtr = std::shared_ptr<FileMetadata>;

}  // namespace varve
