// SPDX-License-Identifier: Apache-2.0
// VersionEdit is one record of the MANIFEST: a change of the set of live files and of the counters
// (db-format section 4). It is encoded as a sequence of varint tags with fields, in any order.
//
//   record  = ( tag varint32 | fields of that tag )*
//   NewFile4 (tag 103) = level | number | size | smallest lp | largest lp | sequences
//                        | ( field varint32 | data lp )* | 1
//
// An unknown tag with bit 13 set carries its length and is skipped; any other is corruption.
//
// Written by: version/manifest_writer.cc.  Read by: version/manifest_reader.cc, inspect/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/format/manifest/file_description.h"
#include "varve/result.h"
#include "varve/types.h"

namespace varve {

struct BlobFileAddition {
  FileNumber number = 0;
  uint64_t blobs = 0;
  uint64_t bytes = 0;
  std::string checksum_method, checksum_value;

  bool operator==(const BlobFileAddition&) const = default;
};

struct BlobFileGarbage {
  FileNumber number = 0;
  uint64_t blobs = 0;
  uint64_t bytes = 0;

  bool operator==(const BlobFileGarbage&) const = default;
};

struct VersionEdit {
  ColumnFamilyId family = kDefaultColumnFamilyId;
  std::optional<std::string> add_family;  // Name.
  bool drop_family = false;
  std::optional<std::string> comparator;
  std::optional<uint64_t> log_number;
  std::optional<uint64_t> prev_log_number;
  std::optional<uint64_t> next_file_number;
  std::optional<Sequence> last_sequence;
  std::optional<uint64_t> min_log_number_to_keep;
  std::optional<ColumnFamilyId> max_family;
  std::optional<std::string> db_id;
  std::optional<uint32_t> atomic_group_remaining;
  std::optional<std::string> full_history_ts_low;
  std::optional<bool> persist_user_timestamps;

  struct DeletedFile {
    int level = 0;
    FileNumber number = 0;

    bool operator==(const DeletedFile&) const = default;
  };
  struct NewFile {
    int level = 0;
    FileDescription file;

    bool operator==(const NewFile&) const = default;
  };
  std::vector<DeletedFile> deleted_files;
  std::vector<NewFile> new_files;
  std::vector<BlobFileAddition> blob_additions;
  std::vector<BlobFileGarbage> blob_garbage;

  // Decoded for display, never written: db-format section 11 traps 5 and 14.
  struct WalAddition {
    uint64_t number = 0;
    std::optional<uint64_t> synced_size;

    bool operator==(const WalAddition&) const = default;
  };
  std::vector<WalAddition> wal_additions;
  std::optional<uint64_t> wal_deleted_below;
  struct CompactCursor {
    int level = 0;
    std::string key;

    bool operator==(const CompactCursor&) const = default;
  };
  std::vector<CompactCursor> compact_cursors;
  std::vector<uint32_t> skipped_tags;  // Unknown but skippable (bit 13 set).

  bool operator==(const VersionEdit&) const = default;
};

// Appends the record's payload. Never writes WalAddition, cursors or skipped tags.
void EncodeVersionEdit(const VersionEdit& edit, std::string* out);
// Corruption naming the tag and the offset within the record. An empty record is a no-op edit.
Result<VersionEdit> DecodeVersionEdit(std::string_view record);

}  // namespace varve
