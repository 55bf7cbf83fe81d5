// SPDX-License-Identifier: Apache-2.0
// LevelDB through its library. It has no MultiGet: a batch is as many gets.
#include <leveldb/cache.h>
#include <leveldb/db.h>
#include <leveldb/filter_policy.h>
#include <leveldb/write_batch.h>

#include <atomic>
#include <string>
#include <utility>

#include "cli/commands/bench/store.h"
#include "core/base/try.h"

namespace varve::cli::bench {
namespace {

leveldb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view ToView(const leveldb::Slice& slice) { return {slice.data(), slice.size()}; }

Status FromLevel(const leveldb::Status& status) {
  return status.ok() ? Status::Ok() : Status::IoError("leveldb: " + status.ToString());
}

class LevelScan final : public StoreScan {
 public:
  explicit LevelScan(leveldb::Iterator* it) : it_(it) {}
  void SeekToFirst() override { it_->SeekToFirst(), Expose(); }
  void SeekToLast() override { it_->SeekToLast(), Expose(); }
  void Seek(std::string_view key) override { it_->Seek(ToSlice(key)), Expose(); }
  void Next() override { it_->Next(), Expose(); }
  void Prev() override { it_->Prev(), Expose(); }
  Status status() const override { return FromLevel(it_->status()); }

 private:
  void Expose() {
    if (it_->Valid()) return Show(true, ToView(it_->key()), ToView(it_->value()));
    Show(false, {}, {});
  }
  const std::unique_ptr<leveldb::Iterator> it_;
};

// What a database is opened with and must outlive it.
struct Parts {
  std::unique_ptr<leveldb::Cache> cache;
  std::unique_ptr<const leveldb::FilterPolicy> filter;
};

class LevelStore final : public Store {
 public:
  LevelStore(Parts parts, std::unique_ptr<leveldb::DB> db, bool sync)
      : parts_(std::move(parts)), db_(std::move(db)) {
    writing_.sync = sync;
  }

  Status Put(std::string_view key, std::string_view value) override {
    written_ = true;
    return FromLevel(db_->Put(writing_, ToSlice(key), ToSlice(value)));
  }
  Status PutMany(std::span<const Record> records) override {
    written_ = true;
    leveldb::WriteBatch batch;
    for (const auto& [key, value] : records) batch.Put(ToSlice(key), ToSlice(value));
    return FromLevel(db_->Write(writing_, &batch));
  }
  Status Delete(std::string_view key) override {
    return FromLevel(db_->Delete(writing_, ToSlice(key)));
  }
  Status Get(std::string_view key, ReadCount* count) override {
    thread_local std::string value;
    const leveldb::Status status = db_->Get({}, ToSlice(key), &value);
    if (status.IsNotFound()) return Status::Ok();
    RETURN_IF_ERROR(FromLevel(status));
    count->Add(key, value);
    return Status::Ok();
  }
  Status MultiGet(std::span<const std::string_view> keys, ReadCount* count) override {
    for (const std::string_view key : keys) RETURN_IF_ERROR(Get(key, count));
    return Status::Ok();
  }
  Result<std::unique_ptr<StoreScan>> NewScan() override {
    return std::unique_ptr<StoreScan>(std::make_unique<LevelScan>(db_->NewIterator({})));
  }
  // It has no flush of its own: compacting one key's range writes the memtable out.
  Status Flush() override {
    const leveldb::Slice nothing("", 0);
    db_->CompactRange(&nothing, &nothing);
    return Status::Ok();
  }
  Status Compact() override {
    db_->CompactRange(nullptr, nullptr);
    return Status::Ok();
  }
  Status WaitForBackgroundWork() override { return Status::Ok(); }  // It cannot be asked.

  bool empty() const override {
    if (written_) return false;
    const std::unique_ptr<leveldb::Iterator> it(db_->NewIterator({}));
    it->SeekToFirst();
    return !it->Valid();
  }
  TreeState State() const override {
    TreeState state;
    for (int level = 0; level < 7; ++level) {
      std::string files;
      db_->GetProperty("leveldb.num-files-at-level" + std::to_string(level), &files);
      if (files != "0" && !files.empty()) state.levels.push_back({level, std::stoull(files), 0});
    }
    return state;
  }
  Status Close() override { return Status::Ok(); }

 private:
  const Parts parts_;  // Before db_, which uses them to its end.
  const std::unique_ptr<leveldb::DB> db_;
  leveldb::WriteOptions writing_;
  std::atomic<bool> written_ = false;
};

}  // namespace

std::string StoreName() {
  return "LevelDB " + std::to_string(leveldb::kMajorVersion) + "." +
         std::to_string(leveldb::kMinorVersion) + (VARVE_PEER_ASSERTS ? " (asserts)" : "");
}

bool HasOwnOptions() { return true; }

Result<std::unique_ptr<Store>> OpenStore(const Settings& settings) {
  if (!settings.peer_options.empty()) {
    return Status::InvalidArgument("LevelDB does not take the option '" +
                                   settings.peer_options.front() + "'");
  }
  const ColumnFamilyOptions& ours = settings.options.family;
  Parts parts;
  parts.cache.reset(leveldb::NewLRUCache(settings.options.block_cache_bytes));
  if (ours.table.filter != FilterKind::kNone && ours.table.filter_bits_per_key > 0) {
    parts.filter.reset(
        leveldb::NewBloomFilterPolicy(static_cast<int>(ours.table.filter_bits_per_key)));
  }
  leveldb::Options options;
  options.create_if_missing = settings.options.create_if_missing;
  options.write_buffer_size = ours.write_buffer_size;
  options.block_size = ours.table.block_size;
  options.block_restart_interval = static_cast<int>(ours.table.block_restart_interval);
  options.max_file_size = ours.target_file_size_base;
  options.block_cache = parts.cache.get();
  options.filter_policy = parts.filter.get();
  options.compression = ours.table.compression == CompressionType::kSnappy
                            ? leveldb::kSnappyCompression
                            : leveldb::kNoCompression;
  leveldb::DB* raw = nullptr;
  RETURN_IF_ERROR(FromLevel(leveldb::DB::Open(options, settings.directory, &raw)));
  return std::unique_ptr<Store>(
      std::make_unique<LevelStore>(std::move(parts), std::unique_ptr<leveldb::DB>(raw),
                                   settings.durability == Durability::kSync));
}

}  // namespace varve::cli::bench
