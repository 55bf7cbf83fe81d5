// SPDX-License-Identifier: Apache-2.0
// Everything a caller can choose. Plain data: copied at Open(), never shared, never mutated.
// Each option has one row in option_table.h with its RocksDB name, range and help text.
#pragma once

#include <cstdint>
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
class MergeOperator;
class Snapshot;

// How far a write has travelled when Write() returns.
enum class Durability : uint8_t {
  kSync,      // On stable storage: survives power loss.
  kBuffered,  // With the OS: survives a crash of this process.
  kNone,      // In memory only, no log: survives neither.
};

// What recovery does with damage at the tail of a WAL (RocksDB's names and meaning).
enum class WalRecoveryMode : uint8_t {
  kTolerateCorruptedTail = 0,
  kAbsoluteConsistency = 1,
  kPointInTime = 2,
  kSkipAnyCorrupted = 3,
};

// Values are part of the format (sst-format 5.2, 3.2, 7.1).
enum class CompressionType : uint8_t {
  kNone = 0, kSnappy = 1, kZlib = 2, kBzip2 = 3, kLz4 = 4, kLz4hc = 5, kXpress = 6, kZstd = 7,
};
// What a new column family's blocks are compressed with unless it is told otherwise: the first of
// LZ4 and Snappy that this build has, else nothing (decisions/0019).
VARVE_EXPORT CompressionType DefaultCompression();

enum class ChecksumType : uint8_t { kNone = 0, kCrc32c = 1, kXxh32 = 2, kXxh64 = 3, kXxh3 = 4 };
enum class IndexType : uint8_t { kBinary = 0, kHash = 1, kTwoLevel = 2, kBinaryWithFirstKey = 3 };

enum class FilterKind : uint8_t { kNone, kBloom, kRibbon };
enum class CompactionStyle : uint8_t { kLevel, kFifo, kNone };

// --- Grades of the read optimisations -----------------------------------------------------------
// Each has what a plain engine does, what was published, and what goes beyond it, so that one
// binary can measure them against each other. All give the same answers.

// The index of a memtable.
enum class MemtableRep : uint8_t {
  kSkipList,   // As plain engines have it: a node an entry, the comparator called for each.
  kBtree,      // Prefix B+-tree.
  kBtreeHash,  // The same, and a hash index once there are point reads.
};
// How a sorted batch of keys is looked up in a memtable.
enum class MemtableBatchLookup : uint8_t {
  kOff,          // One descent after the other.
  kFinger,       // Skip lists: from the last search's path (RocksDB PR 14428, 14465).
  kInterleaved,  // Descents side by side, each next node prefetched.
};
// How the file of a sorted level that may hold a key is found.
enum class FileSearch : uint8_t {
  kComparator,  // Binary search on whole keys through the virtual comparator.
  kPrefix,      // On the keys' first 8 bytes, the comparator known at compile time (ToplingDB).
  kHeads,       // On the 8 bytes after the level's common prefix, by table and vector comparison.
};
enum class MultiGetMode : uint8_t {
  kPerKey,    // As many Gets.
  kGrouped,   // Sorted keys grouped by table, filters in bulk, shared blocks once (PR 5011).
  kPipeline,  // Stages over all tables and levels at once.
};
enum class MultiGetIo : uint8_t {
  kPerFile,  // A batch of reads per table.
  kGlobal,   // One submission for all tables and levels.
};
// The form in which a data block stays in the block cache.
enum class BlockForm : uint8_t {
  kDisk,    // As it was stored, uncompressed.
  kLookup,  // Re-encoded with an array of key heads once it is used again.
};
// How the partition of an index or filter that covers a key is found.
enum class PartitionSearch : uint8_t {
  kIterate,  // By seeking in the top-level block.
  kDecoded,  // In the pinned, decoded top level, one search for index and filter.
};
enum class ScanReadahead : uint8_t {
  kOff,
  kDoubling,  // 8 KB doubling to 256 KB after two sequential reads, synchronous (PR 3884).
  kAdaptive,  // Never more than was consumed, double-buffered, trimmed at bounds.
};

// How tables are written. Reading takes everything from the table itself.
struct TableOptions {
  uint32_t format_version = 5;               // 2..7; 5 is what RocksDB 7.8 and 11.x both read.
  ChecksumType checksum = ChecksumType::kXxh3;
  uint32_t block_size = 4096;                // Raw bytes of a data block, approximately.
  uint32_t block_restart_interval = 16;
  uint32_t index_block_restart_interval = 1;
  uint32_t metadata_block_size = 4096;       // Of an index or filter partition.
  IndexType index_type = IndexType::kBinary;  // kBinary or kTwoLevel.
  FilterKind filter = FilterKind::kBloom;
  double filter_bits_per_key = 10;           // 0: no filter.
  bool partition_filters = false;            // Needs kTwoLevel.
  bool decouple_partitioned_filters = true;  // Cut filter partitions independently of the index's.
  bool merge_runt_partitions = true;         // No undersized last partition (index and filter).
  bool data_block_hash_index = false;
  double data_block_hash_table_util_ratio = 0.75;
  CompressionType compression = CompressionType::kNone;
  int compression_level = kDefaultCompressionLevel;
  uint32_t compression_dict_bytes = 0;       // > 0: a zstd dictionary of at most this many bytes.
  uint32_t zstd_max_train_bytes = 0;         // Samples to train it from; 0: the samples are it.

  static constexpr int kDefaultCompressionLevel = 32767;  // The codec's own default.
};

// The deepest level that has data may be compressed in a way of its own: it holds most of the bytes
// and is rewritten least often.
struct BottommostCompression {
  std::optional<CompressionType> type = {};  // Nullopt: as any other level.
  bool enabled = false;                      // The members below hold, not those of TableOptions.
  int level = TableOptions::kDefaultCompressionLevel;
  uint32_t dict_bytes = 0;
  uint32_t zstd_max_train_bytes = 0;
};

struct ColumnFamilyOptions {
  const Comparator* comparator = nullptr;         // Null: bytewise, or what the MANIFEST names.
  const MergeOperator* merge_operator = nullptr;  // Null: what OPTIONS or the tables name, if any.
  uint64_t write_buffer_size = 64 << 20;          // A memtable this large is sealed and flushed.
  int max_write_buffer_number = 2;                // Memtables, sealed ones included, before a stall.
  CompactionStyle compaction_style = CompactionStyle::kLevel;
  bool disable_auto_compactions = false;
  int num_levels = 7;
  int level0_file_num_compaction_trigger = 4;
  int level0_slowdown_writes_trigger = 20;
  int level0_stop_writes_trigger = 36;
  uint64_t max_bytes_for_level_base = 256 << 20;
  double max_bytes_for_level_multiplier = 10;
  bool level_compaction_dynamic_level_bytes = true;
  uint64_t target_file_size_base = 64 << 20;
  int target_file_size_multiplier = 1;
  uint64_t max_compaction_bytes = 0;              // 0: 25 times target_file_size_base.
  uint64_t soft_pending_compaction_bytes_limit = uint64_t{64} << 30;
  uint64_t hard_pending_compaction_bytes_limit = uint64_t{256} << 30;
  uint64_t fifo_max_table_files_size = uint64_t{1} << 30;
  // Empty: `table.compression` at every level. Else one per level, the last repeated.
  std::vector<CompressionType> compression_per_level = {};
  BottommostCompression bottommost_compression = {};
  MemtableRep memtable_rep = MemtableRep::kBtreeHash;
  MemtableBatchLookup memtable_batch_lookup = MemtableBatchLookup::kInterleaved;
  FileSearch file_search = FileSearch::kHeads;
  TableOptions table = {.compression = DefaultCompression()};
};

// Whose options an existing database is opened with. In either case what the caller gives holds
// until the database is closed, and what the database keeps changes by DB::SetOptions() and
// DB::StoreOptions() alone.
enum class OptionSource : uint8_t {
  kDatabase,  // Those that it keeps, but for what the caller chose: fields that differ from their
              // defaults, and Options::chosen.
  kCaller,    // The caller's, all of them, as RocksDB's DB::Open() has it.
};

struct Options {
  Environment env = {};                  // Null members: NativeEnvironment()'s.
  OptionSource source = OptionSource::kDatabase;
  std::vector<std::string> chosen = {};  // Names of options chosen to have their default values.
  bool create_if_missing = false;
  bool error_if_exists = false;
  bool create_missing_column_families = false;
  bool paranoid_checks = true;           // Verify each compaction output block before installing it.
  int max_open_files = -1;               // Tables kept open; -1: all.
  int max_background_jobs = 2;           // Compactions and flushes running at once.
  int max_subcompactions = 1;            // Threads for one compaction.
  uint64_t block_cache_bytes = 32 << 20;
  std::shared_ptr<BlockCache> block_cache = {};  // Shared among databases; null: one of that size.
  bool cache_metadata_with_high_priority = true;  // Blocks read once do not push it out.
  BlockForm block_form = BlockForm::kLookup;
  PartitionSearch partition_search = PartitionSearch::kDecoded;
  MultiGetMode multiget = MultiGetMode::kPipeline;
  MultiGetIo multiget_io = MultiGetIo::kGlobal;
  ScanReadahead scan_readahead = ScanReadahead::kAdaptive;
  uint64_t initial_auto_readahead_size = 8 << 10;   // kDoubling: the first window,
  uint64_t max_auto_readahead_size = 256 << 10;     // the largest one,
  uint32_t num_file_reads_for_auto_readahead = 2;   // and the sequential reads before it.
  bool use_direct_reads = false;         // O_DIRECT for user reads.
  bool use_direct_io_for_flush_and_compaction = false;
  uint64_t compaction_readahead_size = 2 << 20;
  uint64_t max_total_wal_size = 0;       // 0: four times all write buffers.
  uint64_t max_manifest_file_size = uint64_t{1} << 30;  // Rolled over beyond this.
  uint64_t delayed_write_rate = 16 << 20;               // Bytes/s once writes are slowed down.
  WalRecoveryMode wal_recovery_mode = WalRecoveryMode::kPointInTime;
  // Consent to open for writing although a WAL is damaged in a way that no crash explains (see
  // RecoveryLoss::damage): what the damage hides is left out, and the log is kept in "lost/".
  bool accept_loss = false;
  bool allow_concurrent_memtable_write = true;
  ColumnFamilyOptions family = {};       // For each family without an entry in `families`.
  std::map<std::string, ColumnFamilyOptions, std::less<>> families = {};
};

struct ReadOptions {
  const Snapshot* snapshot = nullptr;    // Null: now.
  bool verify_checksums = true;
  bool fill_cache = true;
  bool cache_only = false;               // Fail with kBusy rather than read from disk.
  uint64_t readahead_size = 0;           // Iterators: fixed readahead; 0: adaptive.
  // Iterators only: lower bound inclusive, upper exclusive; the caller keeps the bytes alive.
  std::optional<std::string_view> lower_bound = {};
  std::optional<std::string_view> upper_bound = {};
  std::optional<std::string_view> prefix = {};   // Only keys that start so; sets both bounds.
};

struct WriteOptions {
  Durability durability = Durability::kBuffered;
  bool no_slowdown = false;              // Fail with kBusy instead of waiting in a stall.
};

struct FlushOptions {
  bool wait = true;
};

struct CompactRangeOptions {
  // Rewrites the bottommost level too, where nothing else would (filters, formats, tombstones).
  bool force_bottommost = false;
};

struct IngestOptions {
  bool move_files = false;               // Hard-link and unlink instead of copying.
  bool allow_overlap = true;             // With existing keys; the ingested file is newer.
};

}  // namespace varve
