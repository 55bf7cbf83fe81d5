// SPDX-License-Identifier: Apache-2.0
// TableProperties is the decoded properties block of a table (sst-format section 9), a key/value
// block of names sorted bytewise. Known properties are decoded; unknown ones are kept as bytes, for
// display.
//
// Written by: table/write/table_builder.cc.
// Read by: table/read/table_reader.cc, inspect/table/table_report.cc.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "varve/options.h"
#include "varve/result.h"

namespace varve {

struct TableProperties {
  // Used by readers.
  std::optional<uint32_t> index_type;  // As stored: the reader rejects unknown kinds.
  bool index_key_is_user_key = false;
  bool index_value_is_delta_encoded = false;
  bool whole_key_filtering = true;
  bool prefix_filtering = true;
  std::string compression;       // "ZSTD", or "BuiltinV2;07;" at fv 7.
  std::string prefix_extractor;  // "nullptr", "rocksdb.FixedPrefix.N", ...
  std::string comparator;
  std::string merge_operator;
  std::optional<uint32_t> external_version;  // 2: made by an SstFileWriter.
  std::optional<uint64_t> global_seqno;
  bool user_timestamps_persisted = true;
  // Of the keys, as their comparator has them; empty: they have none.
  std::string oldest_timestamp, newest_timestamp;
  bool has_embedded_blobs = false;
  uint64_t data_block_restart_interval = 0;  // 0: absent.
  uint64_t index_block_restart_interval = 0;
  bool separate_key_value = false;
  bool decoupled_partitioned_filters = false;

  // Counts and sizes (bytes).
  uint64_t entries = 0;    // Range deletions included.
  uint64_t deletions = 0;  // Of all kinds.
  uint64_t merge_operands = 0;
  uint64_t range_deletions = 0;
  uint64_t data_blocks = 0;
  uint64_t filter_entries = 0;
  uint64_t raw_key_size = 0;
  uint64_t raw_value_size = 0;
  uint64_t data_size = 0;
  uint64_t index_size = 0;
  uint64_t index_partitions = 0;
  uint64_t top_level_index_size = 0;
  uint64_t filter_size = 0;
  uint64_t tail_start_offset = 0;
  uint64_t format_version = 0;  // Informative only; the footer decides.
  uint64_t fixed_key_length = 0;

  // Origin of the table.
  std::string filter_policy;
  // Which point index the table has, or "none: " and why; empty: none was asked for. Not a property
  // of RocksDB, which shows it as one of a user's collector.
  std::string point_index;
  std::string property_collectors = "[]";
  std::string compression_options;
  uint64_t family_id = 0;
  std::string family_name;
  std::string db_id;  // rocksdb.creating.db.identity
  std::string db_session_id;
  std::string db_host_id;
  uint64_t original_file_number = 0;
  uint64_t creation_time = 0;  // Unix seconds; 0 unknown.
  uint64_t oldest_key_time = 0;
  uint64_t newest_key_time = 0;
  uint64_t file_creation_time = 0;
  std::optional<Sequence> key_largest_seqno;
  std::optional<Sequence> key_smallest_seqno;

  // Every property as stored, known or not, for display. Not written.
  std::map<std::string, std::string, std::less<>> raw;
};

// The value of `compression` for a table written with codec `configured`; `used`: whether any block
// was in fact compressed. At format_version 7 this is "BuiltinV2;07;", before that the codec's
// name: never "NoCompression" if a block is compressed (sst-format 5.3).
std::string CompressionProperty(uint32_t format_version, CompressionType configured, bool used);

// The contents of a properties block (restart interval as in RocksDB: one restart for all).
// Embedded blobs are never written, nor is their property.
std::string EncodeTableProperties(const TableProperties& properties);
// `block` is the verified, decompressed block. Corruption for invalid entries, unsorted names, and
// invalid values of properties that readers use; other invalid values count as absent.
Result<TableProperties> DecodeTableProperties(std::string_view block);

}  // namespace varve
