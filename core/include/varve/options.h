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

// What recovery does with damage in a WAL (RocksDB's names and meaning). Whatever the mode,
// damage that no crash explains keeps a database from being opened for writing unless
// Options::accept_loss.
enum class WalRecoveryMode : uint8_t {
  kTolerateCorruptedTail = 0,  // An unfinished record at the end is dropped; most else refuses.
  kAbsoluteConsistency = 1,    // Any damage refuses, an unfinished record at the end, too.
  kPointInTime = 2,            // Replay stops at the first damage: what is there is a prefix.
  kSkipAnyCorrupted = 3,       // Damaged records are passed over, and what follows is replayed.
};

// The codec of a block. Values are part of the format (sst-format 5.2, 3.2, 7.1). Codecs may be
// left out of a build: writing or reading blocks of those is kNotSupported.
enum class CompressionType : uint8_t {
  kNone = 0,    // Blocks are stored as they are.
  kSnappy = 1,  // Snappy.
  kZlib = 2,    // Zlib (deflate).
  kBzip2 = 3,   // Bzip2.
  kLz4 = 4,     // LZ4.
  kLz4hc = 5,   // LZ4's slower compressor; decompressed as LZ4.
  kXpress = 6,  // RocksDB's, on Windows alone; kNotSupported here.
  kZstd = 7,    // Zstandard.
};
// What a new column family's blocks are compressed with unless it is told otherwise: the first of
// LZ4 and Snappy that this build has, else nothing (decisions/0019).
VARVE_EXPORT CompressionType DefaultCompression();

// The checksum that each block of a table ends with. Values are part of the format.
enum class ChecksumType : uint8_t {
  kNone = 0,    // None: damage of a block may go unnoticed.
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

// The filter that says of a table, without reading its data, that it does not have a key.
enum class FilterKind : uint8_t {
  kNone,   // No filter.
  kBloom,  // RocksDB's cache-local Bloom filter ("bloomfilter").
  kRibbon  // Smaller than Bloom for as few errors, slower to build ("ribbonfilter").
};
// What compaction does by itself.
enum class CompactionStyle : uint8_t {
  kLevel,  // Leveled: each level larger than the one above (RocksDB's kCompactionStyleLevel).
  kFifo,   // Drops the oldest tables beyond a total size (kCompactionStyleFIFO).
  kNone    // Nothing, unless DB::CompactRange() asks for it (kCompactionStyleNone).
};

// How iterators read ahead of where they are.
enum class ScanReadahead : uint8_t {
  kOff,       // Not at all: each block is read by itself.
  kDoubling,  // 8 KB doubling to 256 KB after two sequential reads, synchronous (PR 3884).
  kAdaptive,  // Never more than was consumed, double-buffered, trimmed at bounds; but as kDoubling
              // where files are not read by direct I/O, for then the system reads ahead.
};

// How tables are written. Reading takes everything from the table itself.
struct TableOptions {
  uint32_t format_version = 5;                  // 2..7; 5 is what RocksDB 7.8 and 11.x both read.
  ChecksumType checksum = ChecksumType::kXxh3;  // Of every new block.
  uint32_t block_size = 4096;                   // Raw bytes of a data block, approximately.
  uint32_t block_restart_interval = 16;  // Keys of a data block between two that are stored whole.
  uint32_t index_block_restart_interval = 1;  // Keys of an index block, likewise.
  uint32_t metadata_block_size = 4096;  // Of an index or filter partition, in bytes, approximately.
  IndexType index_type = IndexType::kBinary;  // kBinary or kTwoLevel.
  FilterKind filter = FilterKind::kBloom;     // With filter_bits_per_key, RocksDB's filter_policy.
  double filter_bits_per_key = 10;            // 0..100; 0: no filter.
  bool partition_filters = false;             // Needs kTwoLevel.
  bool decouple_partitioned_filters = true;   // Cut filter partitions independently of the index's.
  bool merge_runt_partitions = true;          // No undersized last partition (index and filter).
  // A hash index in each data block: RocksDB's data_block_index_type kDataBlockBinaryAndHash.
  bool data_block_hash_index = false;
  double data_block_hash_table_util_ratio = 0.75;        // Keys for a bucket of it, 0.01..1.
  CompressionType compression = CompressionType::kNone;  // The codec of new blocks.
  int compression_level = kDefaultCompressionLevel;  // The codec's level: compression_opts.level.
  // At most so many bytes of a dictionary a table, with the codecs that take one (LZ4, LZ4HC,
  // zlib, zstd); 0: none. compression_opts.max_dict_bytes.
  uint32_t compression_dict_bytes = 0;
  // With zstd, bytes of samples to train that dictionary from; 0, and with other codecs: it is cut
  // from the data itself. compression_opts.zstd_max_train_bytes.
  uint32_t zstd_max_train_bytes = 0;

  static constexpr int kDefaultCompressionLevel = 32767;  // The codec's own default.
};

// The deepest level that has data may be compressed in a way of its own: it holds most of the bytes
// and is rewritten least often.
struct BottommostCompression {
  std::optional<CompressionType> type = {};  // Nullopt: as any other level.
  bool enabled = false;                      // The members below hold, not those of TableOptions.
  int level = TableOptions::kDefaultCompressionLevel;  // As TableOptions::compression_level.
  uint32_t dict_bytes = 0;                             // As TableOptions::compression_dict_bytes.
  uint32_t zstd_max_train_bytes = 0;                   // As TableOptions::zstd_max_train_bytes.
};

// The options of one column family. Names and units are RocksDB's where it has the option.
// DB::SetOptions() changes those that MayChangeAtRunTime() names.
struct ColumnFamilyOptions {
  // The order of keys. Null: bytewise, or what the MANIFEST names. Must outlive the DB.
  const Comparator* comparator = nullptr;
  // What merge operands mean. Null: what OPTIONS or the tables name, if any. Must outlive the DB.
  const MergeOperator* merge_operator = nullptr;
  uint64_t write_buffer_size = 64 << 20;  // Bytes; a memtable this large is sealed and flushed.
  int max_write_buffer_number = 2;  // Writes stop while so many sealed memtables await a flush.
  CompactionStyle compaction_style = CompactionStyle::kLevel;  // What compaction does by itself.
  bool disable_auto_compactions = false;  // Compact only when asked to (DB::CompactRange()).
  int num_levels = 7;  // Levels of the tree, level 0 included; 1..64, at least 2 for kLevel.
  int level0_file_num_compaction_trigger = 4;     // Tables in level 0 that start a compaction.
  int level0_slowdown_writes_trigger = 20;        // Tables in level 0 that slow writes down.
  int level0_stop_writes_trigger = 36;            // Tables in level 0 that stop writes.
  uint64_t max_bytes_for_level_base = 256 << 20;  // Bytes that level 1 may have.
  double max_bytes_for_level_multiplier = 10;     // How much larger each level is than that above.
  // Derive the sizes of levels from that of the last, so that nearly all data is there.
  bool level_compaction_dynamic_level_bytes = true;
  uint64_t target_file_size_base = 64 << 20;  // Bytes of a table in level 1.
  int target_file_size_multiplier = 1;        // How much larger tables get each level down.
  // Bytes that one compaction takes in; 0: 25 times target_file_size_base.
  uint64_t max_compaction_bytes = 0;
  // Bytes awaiting compaction that slow writes down; 0: no limit.
  uint64_t soft_pending_compaction_bytes_limit = uint64_t{64} << 30;
  // Bytes awaiting compaction that stop writes; 0: no limit.
  uint64_t hard_pending_compaction_bytes_limit = uint64_t{256} << 30;
  // With kFifo, the oldest tables go beyond this many bytes of all: RocksDB's
  // compaction_options_fifo.max_table_files_size.
  uint64_t fifo_max_table_files_size = uint64_t{1} << 30;
  // Empty: `table.compression` at every level. Else one per level, the last repeated.
  std::vector<CompressionType> compression_per_level = {};
  // How the deepest level that has data is compressed: RocksDB's bottommost_compression and
  // bottommost_compression_opts.
  BottommostCompression bottommost_compression = {};
  // How tables are written: RocksDB's BlockBasedTableOptions, compression and compression_opts.
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

// What a database is opened with: DB::Open(). Names and units are RocksDB's where it has the
// option.
struct Options {
  Environment env = {};  // Null members: NativeEnvironment()'s. What it names outlives the DB.
  OptionSource source = OptionSource::kDatabase;  // Of an existing database: whose options hold.
  std::vector<std::string> chosen = {};  // Names of options chosen to have their default values.
  bool create_if_missing = false;        // Create an absent database; otherwise it is kNotFound.
  bool error_if_exists = false;          // kInvalidArgument if there is a database already.
  bool create_missing_column_families = false;  // Create those of `families` that are absent.
  bool paranoid_checks = true;                  // Read each new table back before it is installed.
  int max_open_files = -1;                      // Tables kept open; -1: all that were opened.
  // Compactions and flushes running at once: a quarter of them flushes, at least one of each.
  int max_background_jobs = 2;
  int max_subcompactions = 1;                    // Threads for one compaction.
  uint64_t block_cache_bytes = 32 << 20;         // Capacity of the cache, if `block_cache` is null.
  std::shared_ptr<BlockCache> block_cache = {};  // Shared; null: one of block_cache_bytes.
  // Indexes and filters: blocks that are read once do not push them out of the cache.
  bool cache_metadata_with_high_priority = true;
  ScanReadahead scan_readahead = ScanReadahead::kAdaptive;  // How iterators read ahead.
  uint64_t initial_auto_readahead_size = 8 << 10;  // Of kDoubling: bytes of its first window.
  uint64_t max_auto_readahead_size = 256 << 10;  // Of kDoubling: bytes of its largest one; 0: none.
  uint32_t num_file_reads_for_auto_readahead = 2;  // Of kDoubling: sequential reads before it.
  bool use_direct_reads = false;  // O_DIRECT for user reads, where the file system has it.
  bool use_direct_io_for_flush_and_compaction = false;  // O_DIRECT in the background.
  uint64_t compaction_readahead_size = 2 << 20;         // Bytes that a compaction reads at once.
  // Bytes of all WALs beyond which families are flushed that need the oldest; 0: four times all
  // write buffers (the sum of write_buffer_size * max_write_buffer_number).
  uint64_t max_total_wal_size = 0;
  uint64_t max_manifest_file_size = uint64_t{1} << 30;  // Bytes; rolled over beyond this.
  uint64_t delayed_write_rate = 16 << 20;  // Bytes a second once writes are slowed down.
  // What damage in a WAL recovery tolerates.
  WalRecoveryMode wal_recovery_mode = WalRecoveryMode::kPointInTime;
  // Consent to open for writing although a WAL is damaged in a way that no crash explains (see
  // RecoveryLoss::damage): what the damage hides is left out, and the log is kept in "lost/".
  bool accept_loss = false;
  // Let the writers of a group fill the memtable side by side.
  bool allow_concurrent_memtable_write = true;
  ColumnFamilyOptions family = {};  // For each family without an entry in `families`.
  // By name: options of families that have their own.
  std::map<std::string, ColumnFamilyOptions, std::less<>> families = {};
};

// How one read goes about it, and what it sees. Plain data; read during the call alone.
struct ReadOptions {
  const Snapshot* snapshot = nullptr;  // The moment to read at, one of the same DB's. Null: now.
  bool verify_checksums = true;        // Of blocks that are read from files; not of cached ones.
  bool fill_cache = true;              // Keep the blocks that are read in the block cache.
  // Fail with kBusy rather than read a block of a table from disk. (A table that is not open is
  // opened, and values in blob files are read all the same.) RocksDB's read_tier kBlockCacheTier.
  bool cache_only = false;
  // Iterators: bytes of a fixed readahead; 0: as Options::scan_readahead says.
  uint64_t readahead_size = 0;
  // Iterators only: the first key that may be shown. Copied when the iterator is made.
  std::optional<std::string_view> lower_bound = {};
  // Iterators only: the first key behind those that may be shown (exclusive). Copied as well.
  std::optional<std::string_view> upper_bound = {};
  // Iterators only: show keys that start so, and no others. Sets both bounds, in place of the two
  // above; copied. InvalidArgument in Iterator::status() unless the order is one of the two
  // bytewise ones.
  std::optional<std::string_view> prefix = {};
};

// How durable one write is, and whether it may wait.
struct WriteOptions {
  Durability durability = Durability::kBuffered;  // RocksDB's `sync` and `disableWAL` in one.
  bool no_slowdown = false;                       // Fail with kBusy instead of waiting in a stall.
};

// Of DB::Flush().
struct FlushOptions {
  bool wait = true;  // Until the tables are installed; otherwise the flush is only begun.
};

// Of DB::CompactRange().
struct CompactRangeOptions {
  // Rewrites the bottommost level too, where nothing else would (filters, formats, tombstones).
  bool force_bottommost = false;
};

// Of DB::Ingest().
struct IngestOptions {
  // Hard-link instead of copying (where the file system can), and unlink the files when done.
  bool move_files = false;
  bool allow_overlap = true;  // With existing keys; the ingested file is newer.
};

}  // namespace varve
