// SPDX-License-Identifier: Apache-2.0
// What stands behind the option handles of c.h, and the objects that options refer to.
//
// Ownership is c.h's: options take over merge operators, slice transforms and filter policies that
// they are given; comparators, caches, environments and snapshots stay the caller's. A copy of
// options shares what they own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/c/eleven_rows.h"
#include "core/c/option_rows.h"
#include "varve/compaction_filter.h"
#include "varve/comparator.h"
#include "varve/environment.h"
#include "varve/file_system.h"
#include "varve/merge_operator.h"
#include "varve/options.h"
#include "varve/result.h"

namespace varve::c {

class Logger;  // core/c/logger.h
class Statistics;

// RocksDB keeps what c.h passes as unsigned char as a bool.
template <typename Set, typename Get>
using Stored = std::conditional_t<std::is_same_v<Get, unsigned char>, bool, Set>;

#define VARVE_C_FIELD(name, Set, Get, initial) Stored<Set, Get> name = initial;
#define VARVE_C_MEMBER(name, Type, initial) varve::c::Stored<Type, Type> name = initial;
struct OptionValues {
  VARVE_C_OPTION_ROWS(VARVE_C_FIELD, VARVE_C_FIELD, VARVE_C_FIELD, VARVE_C_FIELD)
  VARVE_C_SEVEN_OPTION_ROWS(VARVE_C_FIELD)
  VARVE_C_ELEVEN_OPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
  bool dump_malloc_stats = false;
  bool memtable_whole_key_filtering = false;
  unsigned block_protection_bytes_per_key = 0;  // c.h's is an uint8_t.
};
#undef VARVE_C_FIELD

// RocksDB's CompressionOptions, as far as c.h has no pair of functions for a member.
struct CodecOptions {
  int level = TableOptions::kDefaultCompressionLevel;
  int max_dict_bytes = 0;
  // Of bottommost_compression_opts only.
  bool enabled = false;
  int zstd_max_train_bytes = 0;
  bool use_zstd_dict_trainer = true;
};

struct Cache;  // core/c/cache.h

// Of rocksdb_slicetransform_t: which keys have a prefix, and what it is.
class SliceTransform {
 public:
  virtual ~SliceTransform() = default;
  virtual bool InDomain(std::string_view key) const = 0;
  virtual std::string_view PrefixOf(std::string_view key) const = 0;
};

struct FilterPolicy {
  FilterKind kind = FilterKind::kNone;
  double bits_per_key = 0;
  int bloom_before_level = -1;
};

// RocksDB's BlockBasedTableOptions with its defaults, as far as they have a meaning here.
struct TableValues {
  size_t block_size = 4096;
  int block_restart_interval = 16;
  int index_block_restart_interval = 1;
  uint64_t metadata_block_size = 4096;
  bool partition_filters = false;
  bool no_block_cache = false;
  int format_version = 5;
  char checksum = 4;
  int index_type = 0;
  int data_block_index_type = 0;
  double data_block_hash_ratio = 0.75;
  // Hints, for the LOG.
  int block_size_deviation = 10;
  bool use_delta_encoding = true;
  bool whole_key_filtering = true;
  bool cache_index_and_filter_blocks = false;
  bool cache_index_and_filter_blocks_with_high_priority = true;
  bool pin_l0_filter_and_index_blocks_in_cache = false;
  bool pin_top_level_index_and_filter = true;
  VARVE_C_ELEVEN_BLOCK_BASED_OPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER, VARVE_C_MEMBER)
  std::shared_ptr<const FilterPolicy> filter_policy = {};
  std::shared_ptr<Cache> block_cache = {};
  std::string user_defined_index = {};  // Refused when a database is opened with it.
};

}  // namespace varve::c

struct rocksdb_cache_t;

struct rocksdb_slicetransform_t {
  std::shared_ptr<const varve::c::SliceTransform> transform;
};

struct rocksdb_filterpolicy_t {
  varve::c::FilterPolicy policy;
};

struct rocksdb_dbpath_t {
  varve::DbPath path;
};

struct rocksdb_comparator_t;
struct rocksdb_mergeoperator_t;

struct rocksdb_block_based_table_options_t {
  varve::c::TableValues values;
};

struct rocksdb_universal_compaction_options_t {
  int size_ratio = 1;
  int min_merge_width = 2;
  int max_merge_width = -1;
  int max_size_amplification_percent = 200;
  int compression_size_percent = -1;
  int stop_style = 1;
  VARVE_C_ELEVEN_UNIVERSAL_COMPACTION_OPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER, VARVE_C_MEMBER)
};

struct rocksdb_fifo_compaction_options_t {
  uint64_t max_table_files_size = uint64_t{1} << 30;
  VARVE_C_ELEVEN_FIFO_COMPACTION_OPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
};

struct rocksdb_options_t {
  varve::c::OptionValues values = {};
  const varve::Comparator* comparator = nullptr;
  std::shared_ptr<const varve::MergeOperator> merge_operator = {};
  std::shared_ptr<const varve::c::SliceTransform> prefix_extractor = {};
  std::optional<varve::c::TableValues> table = {};
  std::vector<int> compression_per_level = {};
  varve::c::CodecOptions compression_options = {};
  varve::c::CodecOptions bottommost_compression_options = {};
  rocksdb_universal_compaction_options_t universal = {};
  rocksdb_fifo_compaction_options_t fifo = {};
  size_t compaction_readahead_size = 0;
  // Of rocksdb_options_set_compaction_filter(), or else of ..._factory(), as in RocksDB.
  std::shared_ptr<const varve::CompactionFilterFactory> compaction_filters = {};
  std::shared_ptr<const varve::CompactionFilterFactory> compaction_filter_factory = {};
  std::string wal_dir = {};
  std::string db_log_dir = {};  // Empty: the directory of the database.
  std::vector<varve::DbPath> db_paths = {};
  std::vector<varve::DbPath> cf_paths = {};
  bool allow_2pc = false;  // Of a TransactionDB.
  varve::Environment env = {};
  std::shared_ptr<varve::c::Statistics> statistics = {};
  std::shared_ptr<varve::c::Logger> logger = {};  // Null: the LOG.
  std::string db_host_id = "__hostname__";
  std::string daily_offpeak_time_utc = {};
  // Of rocksdb_options_checksum_handoff_file_types_*() and of
  // rocksdb_options_calculate_sst_write_lifetime_hint_set_*(): hints.
  std::set<int> handoff_file_types = {};
  std::set<int> lifetime_hint_styles = {0};
  // Functions that were called and that opening a database refuses.
  std::set<std::string_view> refused = {};
};

struct rocksdb_readoptions_t {
  // Bounds and timestamps point to the caller's bytes, as in RocksDB: an iterator reads them when
  // it is made.
  varve::ReadOptions read = {};
  // Functions that were called and that reads refuse, and those that only iterators do.
  std::set<std::string_view> refused = {};
  std::set<std::string_view> refused_by_iterators = {};
  int read_tier = 0;
  bool tailing = false;
  bool prefix_same_as_start = false;
  bool pin_data = false;
  bool total_order_seek = false;
  uint64_t max_skippable_internal_keys = 0;
  bool background_purge_on_iterator_cleanup = false;
  bool ignore_range_deletions = false;
  uint64_t deadline = 0;
  uint64_t io_timeout = 0;
  VARVE_C_ELEVEN_READOPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
  std::optional<size_t> merge_operand_threshold = {};
  std::optional<std::string> request_id = {};
  std::string table_index_factory = {};
  bool has_table_filter = false;
  std::shared_ptr<void> table_filter_state = {};
};

struct rocksdb_writeoptions_t {
  bool sync = false;
  bool disable_WAL = false;
  bool ignore_missing_column_families = false;
  bool no_slowdown = false;
  bool low_pri = false;
  bool memtable_insert_hint_per_batch = false;
  VARVE_C_ELEVEN_WRITEOPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
};

struct rocksdb_flushoptions_t {
  bool wait = true;
  VARVE_C_ELEVEN_FLUSHOPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
};

struct rocksdb_compactoptions_t {
  bool exclusive_manual_compaction = false;
  unsigned char bottommost_level_compaction = 1;
  bool change_level = false;
  int target_level = -1;
  std::optional<std::string> full_history_ts_low = {};
  VARVE_C_ELEVEN_COMPACTOPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
};

struct rocksdb_ingestexternalfileoptions_t {
  bool move_files = false;
  bool snapshot_consistency = true;
  bool allow_global_seqno = true;
  bool allow_blocking_flush = true;
  bool ingest_behind = false;
  VARVE_C_ELEVEN_INGESTEXTERNALFILEOPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
};

struct rocksdb_env_t {
  varve::Environment env = {};  // Null members: the native ones.
  int background_threads = 1;
  int high_priority_threads = 1;
  int low_priority_threads = 1;
  int bottom_priority_threads = 0;
  std::unique_ptr<varve::FileSystem> memory = {};
};

struct rocksdb_envoptions_t {
  VARVE_C_ELEVEN_ENVOPTIONS(VARVE_C_MEMBER, VARVE_C_MEMBER)
};

namespace varve::c {

// Databases to open, or families to create, with what c.h's options mean. NotSupported names what
// was set and is refused. `out` gets the options of the database and Options::family.
Status ToEngine(const rocksdb_options_t& options, const std::string& path, Options* out);
// The same for one family.
Result<ColumnFamilyOptions> FamilyToEngine(const rocksdb_options_t& options);
// InvalidArgument if RocksDB has no codec of that number.
Result<CompressionType> CodecOf(int number);

// RocksDB's SanitizeOptions(), for the values that it corrects instead of refusing them.
OptionValues Sanitized(OptionValues values);

// Null: none.
inline std::shared_ptr<const CompactionFilterFactory> FiltersOf(const rocksdb_options_t& options) {
  return options.compaction_filters != nullptr ? options.compaction_filters
                                               : options.compaction_filter_factory;
}

// Sets an option by its name in an OPTIONS file. InvalidArgument for a value that cannot be parsed;
// kNotFound for a name that c.h's options do not have.
Status SetByName(std::string_view name, std::string_view value, rocksdb_options_t* options);
// SetByName() for each member of "a=1;b={c=2;d=3;}", until one fails.
Status SetManyByName(std::string_view text, rocksdb_options_t* options);

}  // namespace varve::c
