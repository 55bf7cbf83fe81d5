// SPDX-License-Identifier: Apache-2.0
// RocksDB through its library, whatever version from 7.8 on the build was pointed at, with the
// settings that the engine gets and RocksDB's own best published options on. What a version does
// not know is left out.
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/version.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <string>
#include <vector>

#include "cli/commands/bench/store.h"
#include "core/base/try.h"
#include "varve/option_table.h"

namespace varve::cli::bench {
namespace {

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

Status FromRocks(const rocksdb::Status& status) {
  return status.ok() ? Status::Ok() : Status::IoError("rocksdb: " + status.ToString());
}

class RocksScan final : public StoreScan {
 public:
  explicit RocksScan(std::unique_ptr<rocksdb::Iterator> it) : it_(std::move(it)) {}
  void SeekToFirst() override { it_->SeekToFirst(), Expose(); }
  void SeekToLast() override { it_->SeekToLast(), Expose(); }
  void Seek(std::string_view key) override { it_->Seek(ToSlice(key)), Expose(); }
  void Next() override { it_->Next(), Expose(); }
  void Prev() override { it_->Prev(), Expose(); }
  Status status() const override { return FromRocks(it_->status()); }

 private:
  void Expose() {
    if (it_->Valid()) return Show(true, ToView(it_->key()), ToView(it_->value()));
    Show(false, {}, {});
  }
  const std::unique_ptr<rocksdb::Iterator> it_;
};

class RocksStore final : public Store {
 public:
  RocksStore(std::unique_ptr<rocksdb::DB> db, const Settings& settings, bool async_io)
      : db_(std::move(db)) {
    writing_.sync = settings.durability == Durability::kSync;
    writing_.disableWAL = settings.durability == Durability::kNone;
    scanning_.async_io = async_io;
  }

  Status Put(std::string_view key, std::string_view value) override {
    return FromRocks(db_->Put(writing_, ToSlice(key), ToSlice(value)));
  }
  Status PutMany(std::span<const Record> records) override {
    rocksdb::WriteBatch batch;
    for (const auto& [key, value] : records) {
      RETURN_IF_ERROR(FromRocks(batch.Put(ToSlice(key), ToSlice(value))));
    }
    return FromRocks(db_->Write(writing_, &batch));
  }
  Status Delete(std::string_view key) override {
    return FromRocks(db_->Delete(writing_, ToSlice(key)));
  }
  Status Get(std::string_view key, ReadCount* count) override {
    rocksdb::PinnableSlice value;
    const rocksdb::Status status =
        db_->Get(reading_, db_->DefaultColumnFamily(), ToSlice(key), &value);
    return Count(status, key, value, count);
  }
  Status MultiGet(std::span<const std::string_view> keys, ReadCount* count) override {
    thread_local std::vector<rocksdb::Slice> slices;
    thread_local std::vector<rocksdb::PinnableSlice> values;
    thread_local std::vector<rocksdb::Status> statuses;
    slices.clear();
    for (const std::string_view key : keys) slices.push_back(ToSlice(key));
    if (values.size() < keys.size()) values.resize(keys.size());
    if (statuses.size() < keys.size()) statuses.resize(keys.size());
    db_->MultiGet(reading_, db_->DefaultColumnFamily(), keys.size(), slices.data(), values.data(),
                  statuses.data());
    for (size_t i = 0; i < keys.size(); ++i) {
      RETURN_IF_ERROR(Count(statuses[i], keys[i], values[i], count));
      values[i].Reset();
    }
    return Status::Ok();
  }
  Result<std::unique_ptr<StoreScan>> NewScan() override {
    return std::unique_ptr<StoreScan>(std::make_unique<RocksScan>(
        std::unique_ptr<rocksdb::Iterator>(db_->NewIterator(scanning_))));
  }
  Status Flush() override { return FromRocks(db_->Flush({})); }
  Status Compact() override { return FromRocks(db_->CompactRange({}, nullptr, nullptr)); }
  Status WaitForBackgroundWork() override {
    // There is no call for it in every version: nothing pending and nothing running.
    const auto property = [this](const char* name) {
      uint64_t value = 0;
      db_->GetIntProperty(name, &value);
      return value;
    };
    while (property("rocksdb.compaction-pending") + property("rocksdb.num-running-compactions") +
               property("rocksdb.mem-table-flush-pending") +
               property("rocksdb.num-running-flushes") !=
           0) {
      rocksdb::Env::Default()->SleepForMicroseconds(10'000);
    }
    return Status::Ok();
  }

  bool empty() const override { return db_->GetLatestSequenceNumber() == 0; }
  TreeState State() const override {
    TreeState state;
    rocksdb::ColumnFamilyMetaData family;
    db_->GetColumnFamilyMetaData(&family);
    for (const rocksdb::LevelMetaData& level : family.levels) {
      if (level.files.empty()) continue;
      state.levels.push_back({level.level, level.files.size(), level.size});
    }
    state.stats.last_sequence = db_->GetLatestSequenceNumber();
    db_->GetIntProperty("rocksdb.cur-size-all-mem-tables", &state.stats.memtable_bytes);
    db_->GetIntProperty("rocksdb.block-cache-usage", &state.stats.block_cache_bytes);
    return state;
  }
  Status Close() override { return FromRocks(db_->Close()); }

 private:
  static Status Count(const rocksdb::Status& status, std::string_view key,
                      const rocksdb::PinnableSlice& value, ReadCount* count) {
    if (status.IsNotFound()) return Status::Ok();
    RETURN_IF_ERROR(FromRocks(status));
    count->Add(key, ToView(value));
    return Status::Ok();
  }

  const std::unique_ptr<rocksdb::DB> db_;
  rocksdb::WriteOptions writing_;
  const rocksdb::ReadOptions reading_;
  rocksdb::ReadOptions scanning_;
};

std::shared_ptr<rocksdb::Cache> MakeCache(uint64_t bytes, bool lru) {
#if ROCKSDB_MAJOR >= 9  // Before, the clock cache had to be told how large entries would be.
  if (!lru) return rocksdb::HyperClockCacheOptions(bytes, 0).MakeSharedCache();
#endif
  static_cast<void>(lru);
  return rocksdb::NewLRUCache(bytes);
}

// The engine's settings in RocksDB's words.
rocksdb::BlockBasedTableOptions TableOptionsOf(const Settings& settings, bool lru_cache) {
  const TableOptions& ours = settings.options.family.table;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = MakeCache(settings.options.block_cache_bytes, lru_cache);
  table.block_size = ours.block_size;
  table.block_restart_interval = static_cast<int>(ours.block_restart_interval);
  table.index_block_restart_interval = static_cast<int>(ours.index_block_restart_interval);
  table.metadata_block_size = ours.metadata_block_size;
  table.format_version = ours.format_version;
  table.index_type = ours.index_type == IndexType::kTwoLevel
                         ? rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch
                         : rocksdb::BlockBasedTableOptions::kBinarySearch;
  table.partition_filters = ours.partition_filters;
  table.cache_index_and_filter_blocks = ours.index_type == IndexType::kTwoLevel;
  if (ours.filter == FilterKind::kBloom && ours.filter_bits_per_key > 0) {
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(ours.filter_bits_per_key));
  } else if (ours.filter == FilterKind::kRibbon && ours.filter_bits_per_key > 0) {
    table.filter_policy.reset(rocksdb::NewRibbonFilterPolicy(ours.filter_bits_per_key));
  }
  return table;
}

rocksdb::Options OptionsOf(const Settings& settings, bool lru_cache) {
  const Options& ours = settings.options;
  const ColumnFamilyOptions& family = ours.family;
  rocksdb::Options options;
  options.create_if_missing = ours.create_if_missing;
  options.max_open_files = ours.max_open_files;
  options.max_background_jobs = ours.max_background_jobs;
  options.max_subcompactions = static_cast<uint32_t>(ours.max_subcompactions);
  options.use_direct_reads = ours.use_direct_reads;
  options.use_direct_io_for_flush_and_compaction = ours.use_direct_io_for_flush_and_compaction;
  options.compaction_readahead_size = ours.compaction_readahead_size;
  options.max_total_wal_size = ours.max_total_wal_size;
  options.delayed_write_rate = ours.delayed_write_rate;
  options.allow_concurrent_memtable_write = ours.allow_concurrent_memtable_write;
  options.write_buffer_size = family.write_buffer_size;
  options.max_write_buffer_number = family.max_write_buffer_number;
  options.compaction_style =
      family.compaction_style == CompactionStyle::kFifo        ? rocksdb::kCompactionStyleFIFO
      : family.compaction_style == CompactionStyle::kNone      ? rocksdb::kCompactionStyleNone
      : family.compaction_style == CompactionStyle::kUniversal ? rocksdb::kCompactionStyleUniversal
                                                               : rocksdb::kCompactionStyleLevel;
  rocksdb::CompactionOptionsUniversal& universal = options.compaction_options_universal;
  universal.size_ratio = family.universal.size_ratio;
  universal.min_merge_width = family.universal.min_merge_width;
  universal.max_merge_width = family.universal.max_merge_width;
  universal.max_size_amplification_percent = family.universal.max_size_amplification_percent;
  universal.compression_size_percent = family.universal.compression_size_percent;
  universal.stop_style = family.universal.stop_style == UniversalStopStyle::kSimilarSize
                             ? rocksdb::kCompactionStopStyleSimilarSize
                             : rocksdb::kCompactionStopStyleTotalSize;
  universal.allow_trivial_move = family.universal.allow_trivial_move;
  options.compaction_options_fifo.max_table_files_size = family.fifo_max_table_files_size;
  options.disable_auto_compactions = family.disable_auto_compactions;
  options.num_levels = family.num_levels;
  options.level0_file_num_compaction_trigger = family.level0_file_num_compaction_trigger;
  options.level0_slowdown_writes_trigger = family.level0_slowdown_writes_trigger;
  options.level0_stop_writes_trigger = family.level0_stop_writes_trigger;
  options.max_bytes_for_level_base = family.max_bytes_for_level_base;
  options.max_bytes_for_level_multiplier = family.max_bytes_for_level_multiplier;
  options.level_compaction_dynamic_level_bytes = family.level_compaction_dynamic_level_bytes;
  options.target_file_size_base = family.target_file_size_base;
  options.target_file_size_multiplier = static_cast<int>(family.target_file_size_multiplier);
  options.soft_pending_compaction_bytes_limit = family.soft_pending_compaction_bytes_limit;
  options.hard_pending_compaction_bytes_limit = family.hard_pending_compaction_bytes_limit;
  options.compression = static_cast<rocksdb::CompressionType>(family.table.compression);
  options.table_factory.reset(
      rocksdb::NewBlockBasedTableFactory(TableOptionsOf(settings, lru_cache)));
  return options;
}

// Options that RocksDB publishes as faster and leaves off, each since the version that has it:
// finger search in the memtable (11.1), keys apart from values in data blocks (11.0), and
// interpolation in the indexes whose keys are uniform (11.1).
constexpr std::array kBest = {"memtable_batch_lookup_optimization=true",
                              "block_based_table_factory={separate_key_value_in_data_block=true}",
                              "block_based_table_factory={index_block_search_type=kAuto;"
                              "uniform_cv_threshold=0.2}"};

void TurnOn(const std::string& text, rocksdb::Options* options) {
  const rocksdb::ConfigOptions strict;
  rocksdb::ColumnFamilyOptions family(*options);
  if (rocksdb::GetColumnFamilyOptionsFromString(strict, family, text, &family).ok()) {
    *options = rocksdb::Options(rocksdb::DBOptions(*options), family);
  }
}

// Options that are not members of rocksdb::Options.
struct Apart {
  bool async_io = false;   // Of scans.
  bool lru_cache = false;  // Instead of the HyperClockCache that RocksDB recommends.

  bool Take(const std::string& text) {
    const bool on = text.ends_with("=true");
    if (!on && !text.ends_with("=false")) return false;
    const std::string name = text.substr(0, text.find('='));
    bool* const place = name == "async_io" ? &async_io : name == "lru_cache" ? &lru_cache : nullptr;
    if (place != nullptr) *place = on;
    return place != nullptr;
  }
};

// One NAME=VALUE of RocksDB's own: of the database, the family or its tables.
Status Apply(const std::string& text, rocksdb::Options* options) {
  const rocksdb::ConfigOptions strict;
  rocksdb::ColumnFamilyOptions family(*options);
  rocksdb::DBOptions database(*options);
  const bool applied =
      rocksdb::GetColumnFamilyOptionsFromString(strict, family, text, &family).ok() ||
      rocksdb::GetDBOptionsFromString(strict, database, text, &database).ok() ||
      rocksdb::GetColumnFamilyOptionsFromString(strict, family,
                                                "block_based_table_factory={" + text + "}", &family)
          .ok();
  if (!applied) return Status::InvalidArgument("RocksDB does not take the option '" + text + "'");
  *options = rocksdb::Options(database, family);
  return Status::Ok();
}

// Newer versions hand out a unique_ptr, older ones a pointer.
template <typename Rocks>
rocksdb::Status Open(const rocksdb::Options& options, const Settings& settings,
                     std::unique_ptr<Rocks>* db) {
  const auto open = [&](auto* place) {
    return settings.read_only ? Rocks::OpenForReadOnly(options, settings.directory, place)
                              : Rocks::Open(options, settings.directory, place);
  };
  if constexpr (requires { Rocks::Open(options, settings.directory, db); }) {
    return open(db);
  } else {
    Rocks* raw = nullptr;
    const rocksdb::Status opened = open(&raw);
    db->reset(raw);
    return opened;
  }
}

}  // namespace

std::string StoreName() {
  return "RocksDB " + rocksdb::GetRocksVersionAsString() + (VARVE_PEER_ASSERTS ? " (asserts)" : "");
}

bool HasOwnOptions() { return true; }

Result<std::unique_ptr<Store>> OpenStore(const Settings& settings) {
  Apart apart;
  std::vector<std::string> others;
  for (const std::string& text : settings.peer_options) {
    if (!apart.Take(text)) others.push_back(text);
  }
  rocksdb::Options options = OptionsOf(settings, apart.lru_cache);
  for (const char* text : kBest) TurnOn(text, &options);
  for (const std::string& text : others) RETURN_IF_ERROR(Apply(text, &options));
  std::unique_ptr<rocksdb::DB> db;
  RETURN_IF_ERROR(FromRocks(Open(options, settings, &db)));
  return std::unique_ptr<Store>(
      std::make_unique<RocksStore>(std::move(db), settings, apart.async_io));
}

}  // namespace varve::cli::bench
