// SPDX-License-Identifier: Apache-2.0
// Metadata of one table file, and its stored entries.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "varve/file_system.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

struct HandleReport {
  uint64_t offset = 0;
  uint64_t size = 0;  // Without the 5-byte trailer.
};

struct BoundReport {  // One internal key.
  std::string key;
  Sequence sequence = 0;
  std::string type;  // "put", "delete", ...: see ValueTypeName().
};

struct TableReport {
  std::string path;
  uint64_t size = 0;
  std::string table_type = "block_based";
  bool leveldb = false;
  uint32_t format_version = 0;
  std::string checksum;  // "xxh3", "crc32c", ...
  uint32_t base_context_checksum = 0;
  HandleReport metaindex, index;
  std::vector<std::pair<std::string, HandleReport>> metaindex_entries;

  std::string comparator;
  // False, as in LevelDB's tables: then all counts from properties are 0.
  bool has_properties = false;
  bool damaged = false;    // Its first or last entry cannot be read; `warnings` says why.
  std::string codec;       // From the properties, otherwise "unknown".
  std::string index_kind;  // "binary", "hash", "two_level", "first_key".
  bool index_keys_are_user_keys = false;
  bool index_values_are_deltas = false;
  uint64_t index_partitions = 0;
  std::string filter_kind;  // "none", "bloom", "legacy_bloom", "ribbon", "leveldb".
  bool filter_partitioned = false;
  uint64_t filter_bytes = 0;
  // "none", "all_one", "dense", "piecewise", or "unusable".
  std::string point_index = "none";
  uint64_t point_index_bytes = 0;
  // Why it has none although one was asked for, or why it cannot be used. Empty otherwise.
  std::string point_index_why;

  std::optional<BoundReport> smallest, largest;  // Of stored point entries.
  uint64_t entries = 0, deletions = 0, merges = 0, range_deletions = 0, data_blocks = 0;
  uint64_t raw_key_bytes = 0, raw_value_bytes = 0, data_bytes = 0, index_bytes = 0;
  std::optional<uint64_t> global_seqno;
  std::string unique_id;  // Hex; empty if it cannot be computed.
  // Every property by name: as stored, and decoded for display ("17", "ZSTD", hex for opaque ones).
  struct Property {
    std::string name, raw, text;
  };
  std::vector<Property> properties;
  std::vector<std::string> warnings;  // A damaged filter, a missing properties block, ...
};

// Name of the property index.type.
std::string_view IndexKindName(uint32_t type);

Result<TableReport> ReportTable(FileSystem& fs, const std::string& path);

// One stored entry. Views are valid until the next call.
struct StoredEntry {
  std::string_view key;
  Sequence sequence = 0;
  std::string_view type;   // As in BoundReport.
  std::string_view value;  // For range_delete: the exclusive end.
};

struct EntryRange {
  std::optional<std::string> from = {}, to = {};  // User keys, half-open.
  // Of the keys, and of the begin keys of range deletions. InvalidArgument if the order scatters
  // the keys of a prefix.
  std::optional<std::string> prefix = {};
  // Begin at this key of the range. Range deletions before it are shown.
  std::optional<std::string> start = {};
  bool range_deletions_only = false;  // Skip the point entries.
};

// Walks the stored entries of a table in file order, then its range deletions in stored order. Also
// works for unknown comparators, without a range.
class EntryStream {
 public:
  static Result<EntryStream> OpenTable(FileSystem& fs, const std::string& path,
                                       const EntryRange& range);
  // All internal entries of a family of a database, merged, newest version of a key first,
  // including those in WALs. Range deletions last.
  static Result<EntryStream> OpenDatabase(FileSystem& fs, const std::string& path,
                                          const std::string& family, const EntryRange& range);
  EntryStream(EntryStream&&) noexcept;
  EntryStream& operator=(EntryStream&&) noexcept;
  ~EntryStream();

  bool Next(StoredEntry* entry);
  const Status& status() const;  // Check it when Next() returns false.
  // The comparator is known, so the stream can begin at a key.
  bool can_seek() const;

 private:
  struct Impl;
  explicit EntryStream(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace varve
