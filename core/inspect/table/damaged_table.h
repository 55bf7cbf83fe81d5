// SPDX-License-Identifier: Apache-2.0
// What is known of a table that may be damaged: by the database that it belongs to, by those of its
// parts that could be read, and what could not be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/format/internal_key.h"
#include "core/format/table/table_properties.h"
#include "varve/comparator.h"
#include "varve/options.h"

namespace varve {

// What the database knows about a table; replaces lost properties.
struct TableContext {
  const Comparator* comparator = nullptr;  // Of its family; null: from the table.
  // Range of the entries' sequences, from the MANIFEST; 0: unknown. For an ingested table, which
  // has its sequence only from the MANIFEST, both are equal.
  Sequence smallest_sequence = 0, largest_sequence = 0;
  // Of the whole database. Reads ignore larger ones, and logs continue with the next one.
  Sequence last_sequence = kMaxSequence;

  // All entries have the same one, whether the table was ingested or not.
  bool one_sequence() const {
    return largest_sequence != 0 && smallest_sequence == largest_sequence;
  }
};

// A part of the file from which nothing was recovered, or nothing reliable.
struct SalvageLoss {
  uint64_t offset = 0, bytes = 0;
  std::string what = {};
  std::optional<std::string> key_from = {}, key_to = {};  // User keys: (from, to].
  uint64_t entries = 0;     // Lost: exact or estimated, see SalvageReport.
  uint64_t unverified = 0;  // Entries that could be read nevertheless.
  bool data = true;         // False: an index, a filter, properties.
};

// How data blocks are stored, judging by the table's blocks, not its properties.
struct BlockShape {
  CompressionType compression = CompressionType::kNone;
  uint32_t block_size = 4096, restart_interval = 16;
};

// The properties that a copy of the table should have.
struct SalvageOrigin {
  const Comparator* comparator = nullptr;  // Null: the stored name is unknown.
  std::string comparator_name;
  TableProperties properties;  // Defaults where they could not be read.
  uint32_t format_version = 0;
  ChecksumType checksum = ChecksumType::kCrc32c;
  bool for_ingestion = false;  // Entries have no sequences of their own yet.
  // Copies in blocks of another shape may be many times as large as the table. Nullopt: unknown.
  std::optional<BlockShape> shape = {};
};

}  // namespace varve
