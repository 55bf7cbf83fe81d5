// SPDX-License-Identifier: Apache-2.0
// FileMetadata is what the MANIFEST says about one table: enough to decide whether to open it.
// Immutable once in a Version, except the atomics; shared by all Versions that contain the file.
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

// Lives as long as any Version that uses a particular blob file.
struct BlobFileUse {};

// One blob file of a family (db-format section 9); read-only in this engine.
struct BlobFileMetadata {
  FileNumber number = 0;
  uint64_t blobs = 0;
  uint64_t bytes = 0;
  uint64_t garbage_blobs = 0;
  uint64_t garbage_bytes = 0;
  std::string checksum_method = {}, checksum_value = {};  // To be written to the next MANIFEST.
  // Shared by all Versions that use the file.
  std::shared_ptr<const BlobFileUse> use = {};
};

struct FileMetadata {
  // Requires bounds of at least 8 bytes: VersionBuilder checks those from a MANIFEST.
  explicit FileMetadata(FileDescription d);
  FileMetadata(const FileMetadata&) = delete;
  ~FileMetadata() { gone->store(true, std::memory_order_release); }

  const FileDescription description;
  // Decoded from `description`; they point into it.
  const InternalKey smallest;
  const InternalKey largest;

  // True once no Version uses the file; outlives this object. A thread that loads true with acquire
  // is ordered after everything that readers of the file did, which weak_ptr::expired() does not
  // guarantee.
  const std::shared_ptr<std::atomic<bool>> gone = std::make_shared<std::atomic<bool>>(false);

  // Whether the largest key is the exclusive end of a range tombstone and precedes all versions of
  // its user key: the file has no entries of that user key, and its tombstones apply up to there.
  bool ends_before_largest() const {
    return largest.type == ValueType::kRangeDeletion && largest.sequence == kMaxSequence;
  }
  // Whether `user_key` is within the bounds.
  template <typename Order>
  bool Spans(Order order, std::string_view user_key) const {
    if (order(smallest.user_key, user_key) > 0) return false;
    const int c = order(user_key, largest.user_key);
    return c < 0 || (c == 0 && !ends_before_largest());
  }

  FileNumber number() const { return description.number; }
  uint64_t size() const { return description.size; }

  // Set once, by Version::OpenFast, if tables stay open (max_open_files = -1), with release;
  // readers load with acquire. Owned by the TableCache until the file is obsolete.
  mutable std::atomic<const TableReader*> pinned_reader{nullptr};

  // What the table's properties say of its entries, for compaction scores: known once it was
  // written or opened here, without entries until then. From any thread, also at a time.
  TableCounts counts() const;
  // The same counts whoever calls it. From any thread, also at a time.
  void SetCounts(const TableCounts& counts) const;

 private:
  mutable std::atomic<uint64_t> deletions_{0}, raw_key_bytes_{0}, raw_value_bytes_{0};
  mutable std::atomic<uint64_t> entries_{0};  // Stored last, with release.
};

using FilePtr = std::shared_ptr<FileMetadata>;

}  // namespace varve
