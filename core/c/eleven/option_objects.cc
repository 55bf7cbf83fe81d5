// SPDX-License-Identifier: Apache-2.0
// Options that are texts, lists or sets.
#include "core/c/eleven/handles.h"
#include "core/c/error.h"
#include "core/c/option_handles.h"

using Options = rocksdb_options_t;
using TableHandle = rocksdb_block_based_table_options_t;

namespace {

const char* Text(const std::string& text, size_t* size) {
  *size = text.size();
  return text.data();
}

}  // namespace

extern "C" {

const char* rocksdb_options_get_db_log_dir(Options* options, size_t* size) {
  return Text(options->db_log_dir, size);
}
const char* rocksdb_options_get_wal_dir(Options* options, size_t* size) {
  return Text(options->wal_dir, size);
}
const char* rocksdb_backup_engine_options_get_backup_dir(rocksdb_backup_engine_options_t* options,
                                                         size_t* size) {
  return Text(options->backup_dir, size);
}
void rocksdb_options_set_db_host_id(Options* options, const char* id) { options->db_host_id = id; }
const char* rocksdb_options_get_db_host_id(Options* options, size_t* size) {
  return Text(options->db_host_id, size);
}
void rocksdb_options_set_daily_offpeak_time_utc(Options* options, const char* time) {
  options->daily_offpeak_time_utc = time;
}
const char* rocksdb_options_get_daily_offpeak_time_utc(Options* options, size_t* size) {
  return Text(options->daily_offpeak_time_utc, size);
}

void rocksdb_options_set_cf_paths(Options* options, const rocksdb_dbpath_t** paths, size_t count) {
  options->cf_paths.clear();
  for (size_t i = 0; i < count; ++i) options->cf_paths.push_back(paths[i]->path);
}

void rocksdb_options_add_compact_on_deletion_collector_factory_del_ratio(Options* /*options*/,
                                                                         size_t /*window*/,
                                                                         size_t /*trigger*/,
                                                                         double /*ratio*/) {}
void rocksdb_options_add_compact_on_deletion_collector_factory_min_file_size(
    Options* /*options*/, size_t /*window*/, size_t /*trigger*/, double /*ratio*/,
    uint64_t /*min_file_size*/) {}

// --- sets of numbers: hints

#define VARVE_C_SET(prefix, member)                                                    \
  void rocksdb_options_##prefix##_clear(Options* options) { options->member.clear(); } \
  void rocksdb_options_##prefix##_add(Options* options, int number) {                  \
    options->member.insert(number);                                                    \
  }                                                                                    \
  void rocksdb_options_##prefix##_remove(Options* options, int number) {               \
    options->member.erase(number);                                                     \
  }                                                                                    \
  unsigned char rocksdb_options_##prefix##_contains(Options* options, int number) {    \
    return options->member.contains(number);                                           \
  }                                                                                    \
  size_t rocksdb_options_##prefix##_count(Options* options) { return options->member.size(); }
VARVE_C_SET(checksum_handoff_file_types, handoff_file_types)
VARVE_C_SET(calculate_sst_write_lifetime_hint_set, lifetime_hint_styles)
#undef VARVE_C_SET

// --- of tables: where blocks are kept is the cache's, as for the other pins

void rocksdb_block_based_options_set_top_level_index_pinning_tier(TableHandle* /*options*/,
                                                                  int /*tier*/) {}
void rocksdb_block_based_options_set_partition_pinning_tier(TableHandle* /*options*/,
                                                            int /*tier*/) {}
void rocksdb_block_based_options_set_unpartitioned_pinning_tier(TableHandle* /*options*/,
                                                                int /*tier*/) {}

// Kept for its getter; a database is not opened with one.
void rocksdb_block_based_options_set_user_defined_index_factory_from_string(TableHandle* options,
                                                                            const char* value,
                                                                            size_t size,
                                                                            char** /*errptr*/) {
  options->values.user_defined_index.assign(value, size);
}
const char* rocksdb_block_based_options_get_user_defined_index_factory_name(
    const TableHandle* options, size_t* size) {
  const char* const name = Text(options->values.user_defined_index, size);
  return *size == 0 ? nullptr : name;
}
void rocksdb_block_based_options_clear_user_defined_index_factory(TableHandle* options) {
  options->values.user_defined_index.clear();
}

}  // extern "C"
