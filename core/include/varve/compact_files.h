// SPDX-License-Identifier: Apache-2.0
// Of DB::CompactFiles(): how it compacts the tables that the caller chose, and what it did.
//
// Plain data; thread-compatible.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "varve/options.h"
#include "varve/types.h"

namespace varve {

// How DB::CompactFiles() writes its tables.
struct CompactFilesOptions {
  // Of the data blocks; nullopt: as any compaction into that level.
  std::optional<CompressionType> compression = {};
  // A table ends once it has so many bytes. By default there is one table, unless it would overlap
  // too much of the level below; into level 0 there is always one.
  uint64_t output_file_size_limit = std::numeric_limits<uint64_t>::max();
  int max_subcompactions = 0;  // At most so many parts run at once; 0: Options::max_subcompactions.
  // Tables of one level that overlap nothing in their way, and need no rewriting, only change their
  // level.
  bool allow_trivial_move = false;
  std::optional<uint32_t> output_path = {};  // An index into cf_paths; nullopt: that of the level.
  // The call ends soon with kShutdown, and without effect, once any thread has set it to true.
  // Null: nothing but the end of the database ends it early.
  const std::atomic<bool>* cancelled = nullptr;
};

// A table that a compaction read, wrote or moved.
struct CompactedTable {
  FileNumber number = 0;         // Of the file.
  int level = 0;                 // Where it was, if it was read, else where it is.
  std::string path;              // The directory of the database or that of its path, and its name.
  uint64_t size = 0;             // Bytes of the file.
  uint64_t entries = 0;          // Deletions included; 0 if that was never read.
  uint64_t deletions = 0;        // Of these entries.
  uint64_t raw_key_bytes = 0;    // Of these entries, before compression.
  uint64_t raw_value_bytes = 0;  // Of these entries, before compression.
  FileNumber oldest_blob_file = 0;  // To which it refers; 0: it refers to none.
};

// Values of a blob file that a compaction wrote, or to which no table refers any more.
struct CompactedBlobs {
  FileNumber number = 0;  // Of the file.
  std::string path;       // The directory of the database or that of its path, and its name.
  uint64_t count = 0;     // Of values.
  uint64_t bytes = 0;     // Of these values, with their headers.
};

// A compaction that is done.
struct CompactionJobInfo {
  uint64_t job = 0;  // Counts the flushes and compactions of this opening, from 1.
  ColumnFamilyId family = kDefaultColumnFamilyId;  // Whose tables they are.
  std::string family_name;                         // As in FamilyInfo.
  int base_input_level = 0;                        // The lowest number of a level that had inputs.
  int output_level = 0;                            // Where its tables are now.
  std::vector<CompactedTable> inputs;              // By level.
  std::vector<CompactedTable> outputs;             // By key; those of a move are its inputs.
  std::vector<CompactedBlobs> blobs;               // Blob files that it wrote.
  std::vector<CompactedBlobs> garbage;             // Values to which no table refers any more.
  bool moved = false;                              // The tables only changed their level.
  bool full = false;                               // It read all tables of the family.
  bool remote = false;                             // A CompactionService did it.
  CompressionType compression = CompressionType::kNone;       // Of the outputs.
  CompressionType blob_compression = CompressionType::kNone;  // Of blob files of the family.
  uint64_t level0_files = 0;  // Tables of level 0 of the family, afterwards.
  uint64_t micros = 0;        // How long it took.
};

}  // namespace varve
