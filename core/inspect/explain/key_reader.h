// SPDX-License-Identifier: Apache-2.0
// A database opened to be asked about keys: its present version, its tables as they are needed, and
// what its logs hold. For locate.cc and explain.cc. One thread.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/inspect/explain/locate.h"
#include "core/inspect/wal/log_entries.h"
#include "core/iterator/lookup.h"
#include "core/version/blob_reader.h"
#include "core/version/database_files.h"
#include "core/version/merging.h"
#include "core/version/version.h"

namespace varve {

class KeyReader {
 public:
  static Result<std::unique_ptr<KeyReader>> Open(FileSystem& fs, const std::string& path,
                                                 const KeyQuestion& question);

  const Comparator& comparator() const { return *family_->comparator; }
  const Version& version() const { return *family_->version; }

  // What a read at `asked` sees: nothing is newer than the last sequence that recovery gives, even
  // where a damaged table says so.
  Sequence Snapshot(Sequence asked) const { return std::min(asked, last_sequence_); }

  // In the order of internal keys.
  const std::vector<LogEntry>& logged() const { return logged_; }
  const std::vector<RangeTombstone>& log_tombstones() const { return log_tombstones_; }
  // The versions of `key` in the logs, newest first, and the newest visible range deletion over it.
  std::vector<KeyVersion> Logged(std::string_view key, Sequence at, Sequence* covered_by) const;
  // Feeds the logs' versions of the lookup's key, as memtables do. True if its answer is final.
  bool GetLogged(Lookup* lookup) const;
  // The user's value of a stored one, down to the blob file. Of a type that is a value.
  Result<Value> ReadValue(std::string_view user_key, ValueType type, std::string_view stored) const;
  // What a Get answers after a lookup.
  Result<std::optional<Value>> Finish(Lookup* lookup) const;
  // What a Get or a scan makes of operands.
  Result<std::string> Fold(std::string_view user_key, std::optional<std::string_view> base,
                           std::span<const std::string_view> operands) const {
    return FoldOperands(merge_operator_, version(), user_key, base, operands);
  }
  // A table of the version.
  Result<std::shared_ptr<const TableReader>> OpenTable(const FileMetadata& file) const;
  bool InRange(const FileMetadata& file, std::string_view key) const;
  TableLook Look(const FileMetadata& file, std::string_view key, Sequence at, LookDepth depth,
                 Clock* clock) const;

 private:
  KeyReader() = default;

  std::unique_ptr<TableCache> tables_;
  std::unique_ptr<BlobReader> blobs_;
  DatabaseFiles files_;
  const FamilyState* family_ = nullptr;
  const MergeOperator* merge_operator_ = nullptr;  // Of a family opened without a caller's word.
  Sequence last_sequence_ = 0;
  std::vector<LogEntry> logged_;
  std::vector<RangeTombstone> log_tombstones_;
};

}  // namespace varve
