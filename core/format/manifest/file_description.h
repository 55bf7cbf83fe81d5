// SPDX-License-Identifier: Apache-2.0
// FileDescription is the MANIFEST's description of one table (NewFile4, db-format 4.2).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/format/table_counts.h"
#include "varve/types.h"

namespace varve {

struct FileDescription {
  FileNumber number = 0;
  uint64_t size = 0;
  std::string smallest;  // Encoded internal keys; they cover points and tombstones.
  std::string largest;
  Sequence smallest_sequence = 0;
  Sequence largest_sequence = 0;
  // False for LevelDB's NewFile, which has no sequence numbers (both are 0 then): at level 0 the
  // larger file number is newer.
  bool sequences_known = true;
  uint64_t oldest_blob_file = 0;      // 0: references no blob file.
  uint64_t oldest_ancestor_time = 0;  // Unix seconds, 0 unknown.
  uint64_t creation_time = 0;
  uint64_t epoch = 0;                          // 0 unknown.
  std::array<uint64_t, 2> unique_id = {0, 0};  // Zeros: not verified.
  uint32_t path_id = 0;
  bool marked_for_compaction = false;
  uint8_t temperature = 0;
  std::string file_checksum;
  std::string file_checksum_function;
  uint64_t tail_size = 0;
  bool user_timestamps_persisted = true;
  TableCounts counts;  // Not in the MANIFEST: of a table that was just written, or read whole.

  bool operator==(const FileDescription&) const = default;
};

}  // namespace varve
