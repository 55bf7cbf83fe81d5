// SPDX-License-Identifier: Apache-2.0
// All options of a database. Plain data: copied at Open(), never shared, never changed. Each option
// has one row in varve/option_table.h with its RocksDB name, range and help text.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "varve/block_cache.h"
#include "varve/environment.h"
#include "varve/export.h"
#include "varve/types.h"

namespace varve {

class Comparator;
class CompactionFilterFactory;
class CompactionService;
class MergeOperator;
class Snapshot;

// How far a write has got when Write() returns.
enum class Durability : uint8_t {
  kSync,      // On stable storage: survives power loss.
  kBuffered,  // With the OS: survives a crash of this process.
  kNone,      // In memory only, no log: survives neither.
};

// What recovery does with damage in a WAL (names and meaning as in RocksDB). In every mode, damage
// that a crash does not explain prevents opening for writing unless Options::accept_loss is set.
enum class WalRecoveryMode : uint8_t {
  // An unfinished record at the end is dropped; most other damage is an error.
  kTolerateCorruptedTail = 0,
  kAbsoluteConsistency = 1,  // Any damage is an error, including an unfinished record at the end.
  // Replay stops at the first damage: the result is a prefix of the writes.
  kPointInTime = 2,
  kSkipAnyCorrupted = 3,  // Damaged records are skipped; what follows is replayed.
};

// The codec of a block. Values are part of RocksDB's table format. A build may lack codecs: writing
// or reading blocks with those is kNotSupported.
enum class CompressionType : uint8_t {
  kNone = 0,    // Blocks are stored as they are.
  kSnappy = 1,  // Snappy.
  kZlib = 2,    // Zlib (deflate).
  kBzip2 = 3,   // Bzip2.
  kLz4 = 4,     // LZ4.
  kLz4hc = 5,   // LZ4's slower compressor; decompressed as LZ4.
  kXpress = 6,  // RocksDB's on Windows; kNotSupported here.
  kZstd = 7,    // Zstandard.
};
// The default codec of a new column family: LZ4 or else Snappy if this build has one of them,
// otherwise none.
VARVE_EXPORT CompressionType DefaultCompression();

// The checksum that each block of a table ends with. Values are part of the format.
enum class ChecksumType : uint8_t {
  kNone = 0,    // Damage of a block may go unnoticed.
  kCrc32c = 1,  // CRC-32C.
  kXxh32 = 2,   // XXH32.
  kXxh64 = 3,   // XXH64, shortened to 32 bits.
  kXxh3 = 4     // XXH3, shortened to 32 bits.
};
// The index of a table's data blocks. Values are part of the format.
enum class IndexType : uint8_t {
  kBinary = 0,             // One block, searched binarily.
  kHash = 1,               // RocksDB's, by key prefix; not written here.
  kTwoLevel = 2,           // Partitions below a top-level block; RocksDB's kTwoLevelIndexSearch.
  kBinaryWithFirstKey = 3  // RocksDB's, with the first key of each block; not written here.
};

// The filter of a table, which tells without reading data that a key is absent.
enum class FilterKind : uint8_t {
  kNone,   // No filter.
  kBloom,  // RocksDB's cache-local Bloom filter ("bloomfilter").
  kRibbon  // Smaller than Bloom at the same false positive rate, slower to build ("ribbonfilter").
};
// An index of a table that Get and MultiGet use instead of the filter: it says which keys there
// are, and at which entry of which block. RocksDB skips it.
enum class PointIndexKind : uint8_t {
  kNone,     // No such index.
  kInteger,  // If the table's keys are of one size and differ in their last 8 bytes only; exact.
  kAny       // Of any keys: that one if they allow it, else a hash index of about 5 bytes a key.
};
// What automatic compaction does.
enum class CompactionStyle : uint8_t {
  kLevel,  // Leveled: each level larger than the one above (RocksDB's kCompactionStyleLevel).
  kFifo,   // Drops the oldest tables beyond a total size (kCompactionStyleFIFO).
  kNone,   // Only DB::CompactRange() compacts (kCompactionStyleNone).
  // Merges neighbouring sorted runs of similar size: fewer bytes are written than with kLevel, and
  // more space is taken (kCompactionStyleUniversal; UniversalOptions). A sorted run is a table of
  // level 0, or all tables of another level.
  kUniversal
};

// Which runs universal compaction merges by size: up to which next run.
enum class UniversalStopStyle : uint8_t {
  kSimilarSize,  // As long as the next run is of similar size as the one before.
  kTotalSize     // As long as all runs taken so far are together as large as the next one.
};

// How iterators read ahead.
enum class ScanReadahead : uint8_t {
  kOff,       // No readahead: blocks are read one by one.
  kDoubling,  // 8 KB doubling to 256 KB after two sequential reads, synchronous (PR 3884).
  // At most as much as was consumed, double-buffered, trimmed at bounds. Without direct I/O it
  // behaves as kDoubling, because the system reads ahead as well.
  kAdaptive,
};

// A directory for tables, and how much of them it should have.
struct DbPath {
  std::string path;          // Of this database alone.
  uint64_t target_size = 0;  // Bytes, approximately; that of the last path does not matter.
};

// How tables are written. Tables say themselves how to read them.
struct TableOptions {
  uint32_t format_version = 5;                  // 2..7; 5 is what RocksDB 7.8 and 11.x both read.
  ChecksumType checksum = ChecksumType::kXxh3;  // Of every new block.
  uint32_t block_size = 4096;                   // Raw bytes of a data block, approximately.
  uint32_t block_restart_interval = 16;         // Keys per restart point in a data block.
  uint32_t index_block_restart_interval = 1;    // Keys per restart point in an index block.
  // Size of an index or filter partition in bytes, approximately.
  uint32_t metadata_block_size = 4096;
  IndexType index_type = IndexType::kBinary;  // kBinary or kTwoLevel.
  FilterKind filter = FilterKind::kBloom;     // With filter_bits_per_key, RocksDB's filter_policy.
  double filter_bits_per_key = 10;            // 0..100; 0: no filter.
  // With kRibbon and leveled compaction: tables written to levels below this number get a Bloom
  // filter, which is built faster; a flush counts as level -1. -1: none. The third part of
  // RocksDB's filter_policy.
  int bloom_before_level = -1;
  bool partition_filters = false;  // Needs kTwoLevel.
  // Cut filter partitions independently of index partitions.
  bool decouple_partitioned_filters = true;
  // Avoid an undersized last partition (index and filter).
  bool merge_runt_partitions = true;
  // Add a hash index to each data block: RocksDB's data_block_index_type kDataBlockBinaryAndHash.
  bool data_block_hash_index = false;
  double data_block_hash_table_util_ratio = 0.75;        // Keys per bucket of that index, 0.01..1.
  PointIndexKind point_index = PointIndexKind::kNone;    // Of tables whose keys allow it.
  CompressionType compression = CompressionType::kNone;  // The codec of new blocks.
  int compression_level = kDefaultCompressionLevel;  // The codec's level: compression_opts.level.
  // Maximum size of the compression dictionary per table, for the codecs that use one (LZ4, LZ4HC,
  // zlib, zstd); 0: none. compression_opts.max_dict_bytes.
  uint32_t compression_dict_bytes = 0;
  // With zstd: bytes of samples to train the dictionary from. 0, or another codec: the dictionary
  // is cut from the data itself. compression_opts.zstd_max_train_bytes.
  uint32_t zstd_max_train_bytes = 0;

  static constexpr int kDefaultCompressionLevel = 32767;  // The codec's own default.
};

// Separate compression settings for the deepest level that has data: it holds most of the bytes and
// is rewritten least often.
struct BottommostCompression {
  std::optional<CompressionType> type = {};  // Nullopt: as any other level.
  // Use the members below instead of those of TableOptions.
  bool enabled = false;
  int level = TableOptions::kDefaultCompressionLevel;  // As TableOptions::compression_level.
  uint32_t dict_bytes = 0;                             // As TableOptions::compression_dict_bytes.
  uint32_t zstd_max_train_bytes = 0;                   // As TableOptions::zstd_max_train_bytes.
};

// Large values are kept in files of their own, to which the tables refer: compactions then do not
// copy them. Names of the options are RocksDB's, which has them one by one. Every flush and
// compaction reads the options again, so they may change at any time.
struct BlobOptions {
  bool enabled = false;            // Write blob files: enable_blob_files.
  uint64_t min_size = 0;           // Values of so many bytes, or more: min_blob_size.
  uint64_t file_size = 256 << 20;  // A file of so many bytes is closed: blob_file_size.
  // The codec of each value; one that it does not make smaller is stored as it is:
  // blob_compression_type.
  CompressionType compression = CompressionType::kNone;
  // Compactions move values out of the oldest files, so that these can be deleted:
  // enable_blob_garbage_collection.
  bool collect_garbage = false;
  // The share of the family's blob files that are so old, 0..1:
  // blob_garbage_collection_age_cutoff.
  double age_cutoff = 0.25;
  // Tables that refer to the oldest file are rewritten once so much of it, and of the files that
  // only live because of it, is garbage, 0..1; 1: when something else compacts them.
  // blob_garbage_collection_force_threshold.
  double force_threshold = 1.0;
  int starting_level = 0;  // Not in tables of levels above: blob_file_starting_level.
};

// With CompactionStyle::kUniversal. Names of the options are RocksDB's, the members of its
// compaction_options_universal. When there are level0_file_num_compaction_trigger sorted runs, the
// first of these rules that applies picks neighbouring runs:
//   1. All runs are merged if those above the last one are max_size_amplification_percent of it.
//   2. From the newest run on, the first min_merge_width runs or more are merged, each of which is
//      at most size_ratio percent larger than what stop_style compares it with.
//   3. The newest runs are merged, so many that as many as the trigger remain, if these are
//      min_merge_width runs or more.
// The result goes to the level above the next run, or to the last level if there is none. While it
// is made, the runs and the result take space: twice all data if all runs are merged. See
// core/compaction/universal_picker.h.
struct UniversalOptions {
  uint32_t size_ratio = 1;                // Percent by which the next run may be larger: rule 2.
  uint32_t min_merge_width = 2;           // The fewest runs of rule 2; less than 2 is 2.
  uint32_t max_merge_width = UINT32_MAX;  // The most runs of rules 2 and 3, not below the fewest.
  uint32_t max_size_amplification_percent = 200;  // Of the last run's size: rule 1.
  // Results of rules 2 and 3 are not compressed if the runs older than they are have at least so
  // many percent of all bytes; then flushed tables are never compressed. -1: as other tables.
  int compression_size_percent = -1;
  UniversalStopStyle stop_style = UniversalStopStyle::kTotalSize;  // Of rule 2.
  // Runs without common keys change their level instead of being merged, if the result is not for
  // level 0. The tables stay as they are, whatever the compression of that level is.
  bool allow_trivial_move = false;
};

// The options of one column family. Names and units are RocksDB's where it has the option.
// DB::SetOptions() changes those that MayChangeAtRunTime() names.
struct ColumnFamilyOptions {
  // The order of keys. Null: bytewise, or what the MANIFEST names. Must outlive the DB.
  const Comparator* comparator = nullptr;
  // What merge operands mean. Null: as the OPTIONS file or the tables say, if they do. Must outlive
  // the DB.
  const MergeOperator* merge_operator = nullptr;
  // What compactions remove or change; null: nothing. Not stored. Must outlive the DB.
  const CompactionFilterFactory* compaction_filter_factory = nullptr;
  uint64_t write_buffer_size = 64 << 20;  // Bytes; a memtable this large is sealed and flushed.
  int max_write_buffer_number = 2;  // Writes stop when this many sealed memtables await a flush.
  CompactionStyle compaction_style = CompactionStyle::kLevel;  // What automatic compaction does.
  bool disable_auto_compactions = false;  // Compact only on request (DB::CompactRange()).
  int num_levels = 7;                     // Levels including level 0; 1..64, at least 2 for kLevel.
  // Tables in level 0 that start a compaction. Of this option and the next two: with kUniversal,
  // sorted runs; writes then wait for so many runs at least that some are merged, whatever their
  // sizes are: this trigger, and universal.min_merge_width - 1 more.
  int level0_file_num_compaction_trigger = 4;
  int level0_slowdown_writes_trigger = 20;        // Tables in level 0 that slow writes down.
  int level0_stop_writes_trigger = 36;            // Tables in level 0 that stop writes.
  uint64_t max_bytes_for_level_base = 256 << 20;  // Maximum size of level 1 in bytes.
  double max_bytes_for_level_multiplier = 10;     // Growth factor from one level to the next.
  // Derive the target sizes of levels from the size of the last one, so that it holds nearly all
  // data.
  bool level_compaction_dynamic_level_bytes = true;
  uint64_t target_file_size_base = 64 << 20;  // Size of a table in level 1 in bytes.
  // Growth factor of table sizes from one level to the next.
  int target_file_size_multiplier = 1;
  // Maximum input of one compaction in bytes; 0: 25 times target_file_size_base.
  uint64_t max_compaction_bytes = 0;
  // Bytes awaiting compaction that slow writes down; 0: no limit.
  uint64_t soft_pending_compaction_bytes_limit = uint64_t{64} << 30;
  // Bytes awaiting compaction that stop writes; 0: no limit.
  uint64_t hard_pending_compaction_bytes_limit = uint64_t{256} << 30;
  // With kFifo, the oldest tables are dropped when all tables together exceed this many bytes:
  // RocksDB's compaction_options_fifo.max_table_files_size.
  uint64_t fifo_max_table_files_size = uint64_t{1} << 30;
  UniversalOptions universal = {};  // With kUniversal: RocksDB's compaction_options_universal.
  // Empty: `table.compression` at every level. Else one per level, the last repeated.
  std::vector<CompressionType> compression_per_level = {};
  // The same of point indexes. Empty: `table.point_index` at every level.
  std::vector<PointIndexKind> point_index_per_level = {};
  // How the deepest level that has data is compressed: RocksDB's bottommost_compression and
  // bottommost_compression_opts.
  BottommostCompression bottommost_compression = {};
  BlobOptions blobs = {};  // Whether large values are kept outside the tables.
  // As Options::db_paths, for the tables of this family. Empty: those.
  std::vector<DbPath> cf_paths = {};
  // How tables are written: RocksDB's BlockBasedTableOptions, compression and compression_opts.
  TableOptions table = {.compression = DefaultCompression()};
};

// Which options an existing database is opened with. In either case the caller's options apply
// until the database is closed; the stored options change only through DB::SetOptions() and
// DB::StoreOptions().
enum class OptionSource : uint8_t {
  // The stored ones, except those that the caller chose: fields that differ from their defaults,
  // and Options::chosen.
  kDatabase,
  kCaller,  // The caller's, all of them, as with RocksDB's DB::Open().
};

// What a database is opened with: DB::Open(). Names and units are RocksDB's where it has the
// option.
struct Options {
  Environment env = {};  // Null members: those of NativeEnvironment(). Must outlive the DB.
  // Whose options an existing database is opened with.
  OptionSource source = OptionSource::kDatabase;
  // Options that are chosen although they have their default values.
  std::vector<std::string> chosen = {};
  bool create_if_missing = false;  // Create an absent database; otherwise it is kNotFound.
  bool error_if_exists = false;    // kInvalidArgument if there is a database already.
  bool create_missing_column_families = false;  // Create members of `families` that do not exist.
  bool paranoid_checks = true;                  // Read each new table back before it is installed.
  int max_open_files = -1;                      // Tables kept open; -1: all that were opened.
  // Flushes and compactions that may run at once; a quarter of them flushes, at least one of each.
  int max_background_jobs = 2;
  int max_subcompactions = 1;  // Threads for one compaction.
  // Who compacts instead of this process (varve/compaction_service.h): "folder:DIRECTORY",
  // "command:COMMAND", "http://HOST:PORT#token-file=FILE", or empty: nobody. Compactions that
  // only move or delete tables, and flushes, never go. A job out is one of max_background_jobs.
  std::string compaction_service = {};
  // The same, of your own; null: what `compaction_service` says. Must outlive the DB.
  CompactionService* custom_compaction_service = nullptr;
  // Compact here what the service failed to do, and count it (DbStats). If false, such a failure is
  // that of the compaction: it is retried as others are, and writes stop if nothing helps.
  bool compaction_service_fallback = true;
  uint64_t compaction_service_timeout_seconds = 3600;  // For one job; 0: no limit.
  // Compactions of fewer bytes of inputs are done here.
  uint64_t compaction_service_min_bytes = 0;
  uint64_t block_cache_bytes = 32 << 20;         // Capacity of the cache, if `block_cache` is null.
  std::shared_ptr<BlockCache> block_cache = {};  // Shared; null: one of block_cache_bytes.
  // Keep indexes and filters from being evicted by blocks that are read once.
  bool cache_metadata_with_high_priority = true;
  ScanReadahead scan_readahead = ScanReadahead::kAdaptive;  // How iterators read ahead.
  uint64_t initial_auto_readahead_size = 8 << 10;  // With kDoubling: bytes of the first readahead.
  // With kDoubling: maximum readahead in bytes; 0: none.
  uint64_t max_auto_readahead_size = 256 << 10;
  // With kDoubling: sequential reads before readahead starts.
  uint32_t num_file_reads_for_auto_readahead = 2;
  bool use_direct_reads = false;  // O_DIRECT for user reads, where the file system supports it.
  bool use_direct_io_for_flush_and_compaction = false;  // O_DIRECT in the background.
  uint64_t compaction_readahead_size = 2 << 20;         // Bytes per read of a compaction.
  // When the WALs together exceed this, the families that need the oldest one are flushed. 0: four
  // times all write buffers (the sum of write_buffer_size * max_write_buffer_number).
  uint64_t max_total_wal_size = 0;
  // Bytes; a larger one is replaced by a new one.
  uint64_t max_manifest_file_size = uint64_t{1} << 30;
  uint64_t delayed_write_rate = 16 << 20;  // Bytes per second while writes are slowed down.
  // Which damage in a WAL recovery tolerates.
  WalRecoveryMode wal_recovery_mode = WalRecoveryMode::kPointInTime;
  // Allow opening for writing although a WAL is damaged in a way that a crash does not explain (see
  // RecoveryLoss::damage): writes that the damage makes unreadable are left out, and the log is
  // kept in "lost/".
  bool accept_loss = false;
  // Transactions may be prepared (DB::Prepare()), and a database that has prepared ones opens for
  // writing. Like RocksDB's TransactionDB, who sets it decides about those, and keeps others from
  // their keys until then.
  bool allow_2pc = false;
  // Writers of a group insert into the memtable in parallel.
  bool allow_concurrent_memtable_write = true;
  // Directories for tables, at most four: those of the first levels go to the first one, as long as
  // its target size is not exceeded, those of the next levels to the next one, and so on. Empty:
  // the directory of the database. The first path need not be that. With several,
  // level_compaction_dynamic_level_bytes is off. Not stored: as with RocksDB, a database is opened
  // with all paths that have tables of it. Other files stay in its directory.
  std::vector<DbPath> db_paths = {};
  ColumnFamilyOptions family = {};  // For each family that is not in `families`.
  // Options of individual families, by name.
  std::map<std::string, ColumnFamilyOptions, std::less<>> families = {};
};

// What a read sees and how it reads. Plain data; used only during the call.
struct ReadOptions {
  // The snapshot to read at, of the same DB. Null: the current state.
  const Snapshot* snapshot = nullptr;
  // Of blocks read from files; cached blocks were verified before.
  bool verify_checksums = true;
  bool fill_cache = true;  // Put the blocks that are read into the block cache.
  // Fail with kBusy instead of reading a block of a table from disk. (Tables are still opened, and
  // values in blob files still read.) RocksDB's read_tier kBlockCacheTier.
  bool cache_only = false;
  // Iterators: bytes of a fixed readahead; 0: as Options::scan_readahead says.
  uint64_t readahead_size = 0;
  // Iterators only: inclusive lower bound of the keys shown. Copied when the iterator is made.
  std::optional<std::string_view> lower_bound = {};
  // Iterators only: exclusive upper bound of the keys shown. Copied as well.
  std::optional<std::string_view> upper_bound = {};
  // Iterators only: show only keys with this prefix. Replaces the two bounds above; copied.
  // InvalidArgument in Iterator::status() unless the comparator is one of the two bytewise ones.
  std::optional<std::string_view> prefix = {};
  // Read what had this timestamp or an older one, and was not replaced or deleted by then. Only of
  // families with timestamps (Comparator::timestamp_size()), which cannot be read without. Copied
  // when an iterator is made.
  std::optional<std::string_view> timestamp = {};
  // Iterators of such families only: show all versions with timestamps from this one up to
  // `timestamp`, also deletions, the newest of a key first. Copied as well.
  std::optional<std::string_view> iter_start_timestamp = {};
};

// How durable one write is, and whether it may wait.
struct WriteOptions {
  Durability durability = Durability::kBuffered;  // RocksDB's `sync` and `disableWAL` in one.
  // Fail with kBusy instead of waiting for a write stall.
  bool no_slowdown = false;
};

// Of DB::Flush().
struct FlushOptions {
  bool wait = true;  // Return when the tables are installed; otherwise the flush is only scheduled.
};

// Of DB::CompactRange().
struct CompactRangeOptions {
  // Rewrite the bottommost level even if nothing else requires it (filters, formats, tombstones).
  bool force_bottommost = false;
  // The call ends soon with kShutdown once any thread has set it to true. What was compacted until
  // then is kept. Null: nothing but the end of the database ends it early.
  const std::atomic<bool>* cancelled = nullptr;
};

// Of DB::DropColumnFamily().
struct DropOptions {
  // Get(), MultiGet() and NewIterator() still take the family's id and read it as it was. Its files
  // stay until DB::ForgetDroppedFamily(), or until the database is opened again.
  bool keep_readable = false;
};

// Of DB::ImportColumnFamily().
struct ImportOptions {
  // Hard-link instead of copying (where the file system can), and unlink the files when done.
  bool move_files = false;
};

// Of DB::Ingest().
struct IngestOptions {
  // Hard-link instead of copying (where the file system can), and unlink the files when done.
  bool move_files = false;
  bool allow_overlap = true;  // With existing keys; the ingested entries are newer.
  // Tables of one call may overlap each other: those later in the list are newer.
  bool in_order = false;
  // Take tables whose comparator has another name than the family's, as RocksDB does: if their keys
  // ascend in the family's order they are copied entry by entry, otherwise they are refused.
  bool any_comparator = false;
  // Called now and then with the bytes of tables that were verified since the last call: together,
  // their sizes. By any thread, but by one at a time. Null: nobody is told.
  std::function<void(uint64_t bytes)> verified = {};
  // As for CompactRangeOptions, while tables are verified, and before each is copied. The database
  // stays as it was.
  const std::atomic<bool>* cancelled = nullptr;
};

}  // namespace varve
