// SPDX-License-Identifier: Apache-2.0
// A database opened for lookups of keys: its current version, tables opened on demand, and the
// contents of its logs. For locate.cc and explain.cc. One thread.
#pragma once

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

  // Not ok: a Get or a scan fails with this error, because the database cannot be opened with these
  // files.
  Status CheckTables() const { return files_.CheckTables(); }
  const Comparator& comparator() const { return *family_->comparator; }
  const Version& version() const { return *family_->version; }

  // The sequence number of the reads. If none was requested, the last one that recovery determines,
  // even if a damaged table has larger ones.
  Sequence at() const { return at_; }

  // In the order of internal keys.
  const std::vector<LogEntry>& logged() const { return logged_; }
  const std::vector<RangeTombstone>& log_tombstones() const { return log_tombstones_; }
  // The versions of `key` in the logs, newest first, and the newest visible range deletion over it.
  std::vector<KeyVersion> Logged(std::string_view key, Sequence at, Sequence* covered_by) const;
  // Passes the logs' versions of the lookup's key, like a memtable. True if the result is final.
  bool GetLogged(Lookup* lookup) const;
  // The user's value of a stored one, read from its blob file if necessary. Corruption: a type
  // without a value.
  Result<Value> ReadValue(std::string_view user_key, ValueType type, std::string_view stored) const;
  // The result of a Get after a lookup.
  Result<std::optional<Value>> Finish(Lookup* lookup) const;
  // Folds operands as a Get or a scan does.
  Result<std::string> Fold(std::string_view user_key, std::optional<std::string_view> base,
                           std::span<const std::string_view> operands) const {
    return FoldOperands(merge_operator_, version(), user_key, base, operands);
  }
  // Opens a table of the version.
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
  // As when opened without options from the caller.
  const MergeOperator* merge_operator_ = nullptr;
  Sequence at_ = 0;
  std::vector<LogEntry> logged_;
  std::vector<RangeTombstone> log_tombstones_;
};

}  // namespace varve
