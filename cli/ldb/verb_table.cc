// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "cli/ldb/verbs.h"

namespace varve::cli::ldb {
namespace {

// What all verbs take that may open a database.
constexpr std::string_view kUsualOptions =
    " env_uri fs_uri db secondary_path bloom_bits block_size auto_compaction compression_type"
    " compression_max_dict_bytes write_buffer_size file_size fix_prefix_len try_load_options"
    " disable_consistency_checks enable_blob_files min_blob_size blob_file_size"
    " blob_compression_type enable_blob_garbage_collection blob_garbage_collection_age_cutoff"
    " blob_garbage_collection_force_threshold blob_compaction_readahead_size"
    " blob_file_starting_level prepopulate_blob_cache ignore_unknown_options column_family ";

// Whether `name` is one of the words.
bool IsOneOf(std::string_view words, std::string_view name) {
  while (!words.empty()) {
    const size_t space = words.find(' ');
    if (!name.empty() && words.substr(0, space) == name) return true;
    words.remove_prefix(space == std::string_view::npos ? words.size() : space + 1);
  }
  return false;
}

bool Takes(const Verb& verb, std::string_view name) {
  if (verb.kind == Verb::Kind::kFamilies) return name == "db";
  return IsOneOf(verb.options, name) || IsOneOf(kUsualOptions, name);
}

}  // namespace

std::span<const Verb> VerbTable() {
  using enum Verb::Kind;
  // clang-format off
  static constexpr auto kTable = std::to_array<Verb>({
      {"put", "KEY VALUE", "ttl hex key_hex value_hex create_if_missing", kUsual, Put},
      {"get", "KEY", "ttl hex key_hex value_hex", kUsual, Get},
      {"multi_get", "KEY [KEY]...", "ttl hex key_hex value_hex", kUsual, MultiGet},
      {"get_entity", "KEY", "ttl hex key_hex value_hex", kUsual, Refused},
      {"put_entity", "KEY NAME:VALUE...", "ttl hex key_hex value_hex create_if_missing", kUsual,
       Refused},
      {"batchput", "KEY VALUE [KEY VALUE]...", "ttl hex key_hex value_hex create_if_missing",
       kUsual, BatchPut},
      {"scan", "", "ttl no_value hex key_hex to value_hex from timestamp max_keys start_time end_time",
       kUsual, Scan},
      {"delete", "KEY", "hex key_hex value_hex", kUsual, Delete},
      {"singledelete", "KEY", "hex key_hex value_hex", kUsual, SingleDelete},
      {"deleterange", "BEGIN END", "hex key_hex value_hex", kUsual, DeleteRange},
      {"query", "", "ttl hex key_hex value_hex", kUsual, Query},
      {"approxsize", "", "hex key_hex value_hex from to", kUsual, ApproximateSize},
      {"checkconsistency", "", "", kWithoutDatabase, CheckConsistency},
      {"list_file_range_deletes", "", "max_keys", kUsual, ListRangeDeletions},
      {"dump_wal", "", "walfile write_committed header print_value", kWithoutDatabase, DumpWal},
      {"compact", "", "from to hex key_hex value_hex ttl", kUsual, Compact},
      {"reduce_levels", "", "new_levels print_old_levels", kWithoutDatabase, ReduceLevels},
      {"change_compaction_style", "", "old_compaction_style new_compaction_style", kUsual,
       ChangeCompactionStyle},
      {"dump", "",
       "ttl hex key_hex value_hex from to max_keys count_only count_delim stats start_time end_time"
       " bucket timestamp path decode_blob_index dump_uncompressed_blobs", kUsual, Dump},
      {"load", "", "hex key_hex value_hex from to create_if_missing disable_wal bulk_load compact",
       kUsual, Load},
      {"manifest_dump", "", "verbose path hex json", kWithoutDatabase, DumpManifest},
      {"file_checksum_dump", "", "path hex", kWithoutDatabase, DumpChecksums},
      {"get_property", "NAME", "", kUsual, GetProperty},
      {"list_column_families", "", "", kWithoutDatabase, ListFamilies},
      {"create_column_family", "NAME", "", kFamilies, CreateFamily},
      {"drop_column_family", "NAME", "", kFamilies, DropFamily},
      {"dump_live_files", "", "decode_blob_index dump_uncompressed_blobs", kUsual, DumpLiveFiles},
      {"idump", "",
       "hex key_hex value_hex from to max_keys count_only count_delim stats input_key_hex"
       " decode_blob_index", kUsual, DumpInternal},
      {"list_live_files_metadata", "", "sort_by_filename", kUsual, ListLiveFiles},
      {"repair", "", "verbose", kWithoutDatabase, Repair},
      {"checkpoint", "", "checkpoint_dir", kUsual, Checkpoint},
      {"write_extern_sst", "FILE", "hex key_hex value_hex from to create_if_missing", kUsual,
       WriteTable},
      {"ingest_extern_sst", "FILE",
       "move_files snapshot_consistency allow_global_seqno create_if_missing allow_blocking_flush"
       " ingest_behind write_global_seqno", kUsual, IngestTable},
      {"backup", "", "backup_env_uri backup_fs_uri backup_dir num_threads stderr_log_level", kUsual,
       Refused},
      {"restore", "", "backup_env_uri backup_fs_uri backup_dir num_threads stderr_log_level",
       kWithoutDatabase, Refused},
      {"unsafe_remove_sst_file", "NUMBER", "", kWithoutDatabase, Refused},
      {"update_manifest", "", "verbose update_temperatures", kWithoutDatabase, Refused},
  });
  // clang-format on
  return kTable;
}

const Verb* FindVerb(std::string_view name) {
  const auto table = VerbTable();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Verb& verb) { return verb.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::string WhyNotTaken(const Verb& verb, const CommandLine& line) {
  for (const auto& [name, value] : line.values) {
    if (!Takes(verb, name)) return "Invalid command-line option " + name;
  }
  for (const std::string& flag : line.flags) {
    if (!Takes(verb, flag)) return "Invalid command-line flag " + flag;
  }
  const bool named = line.Value("db") || line.Value("path");
  if (verb.kind != Verb::Kind::kWithoutDatabase && !named) {
    return "Either db or path must be specified.";
  }
  return "";
}

}  // namespace varve::cli::ldb
