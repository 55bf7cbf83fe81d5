// SPDX-License-Identifier: Apache-2.0
// TableProperties describes a table from the inside: the properties block (sst-format section 9),
// a key/value block of names sorted bytewise. What we know is decoded; what we do not know is kept
// as bytes and shown, never refused.
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
  // What a reader acts on.
  std::optional<uint32_t> index_type;  // Raw: unknown kinds are the reader's to refuse.
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

  // Where it comes from.
  std::string filter_policy;
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

  // Every property as stored, known or not, for showing. Not written.
  std::map<std::string, std::string, std::less<>> raw;
};

// The value of `compression` for a table that was written with codec `configured`; `used` says
// whether any block was really compressed. At format_version 7 that is "BuiltinV2;07;", before the
// codec's name: never "NoCompression" where a block is compressed (sst-format 5.3).
std::string CompressionProperty(uint32_t format_version, CompressionType configured, bool used);
// False if the property names a compression manager that is not RocksDB's own: then even the type
// bytes of blocks may mean something else, and only uncompressed blocks can be read.
bool CompressionIsBuiltIn(uint32_t format_version, std::string_view compression);

// The contents of a properties block (restart interval as RocksDB's: one restart for all). Embedded
// blobs are never written, so neither is their property.
std::string EncodeTableProperties(const TableProperties& properties);
// `block` is the verified, raw block. Corruption on broken entries, on unsorted names and on broken
// values of what a reader acts on; broken values of the others count as absent.
Result<TableProperties> DecodeTableProperties(std::string_view block);

}  // namespace varve
