// SPDX-License-Identifier: Apache-2.0
#include "tests/interop/rocksdb_kind.h"

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_batch.h>

#include <filesystem>
#include <map>
#include <unordered_map>
#include <utility>

#include "tests/interop/rocksdb_open.h"
#include "tests/mix/model.h"

namespace varve::interop {

using mix::Cursor;
using mix::Database;
using mix::Dice;
using mix::Group;
using mix::IngestForm;
using mix::Operation;
using mix::Range;
using mix::Snapshot;
using mix::TablesOf;
using mix::Trouble;

struct RocksDbKind::Drawn {
  rocksdb::DBOptions db;
  rocksdb::ColumnFamilyOptions family;
  rocksdb::IngestExternalFileOptions ingest;
};

namespace {

Trouble Said(const rocksdb::Status& status) { return status.ok() ? "" : status.ToString(); }

rocksdb::ColumnFamilyOptions FamilyOptions(const rocksdb::ColumnFamilyOptions& options,
                                           const std::string& family) {
  rocksdb::ColumnFamilyOptions of_family = options;
  of_family.comparator = mix::RunsBackwards(family) ? rocksdb::ReverseBytewiseComparator()
                                                    : rocksdb::BytewiseComparator();
  return of_family;
}

class RocksDbSnapshot : public Snapshot {
 public:
  explicit RocksDbSnapshot(rocksdb::DB* db) : db_(db), snapshot_(db->GetSnapshot()) {}
  ~RocksDbSnapshot() override { db_->ReleaseSnapshot(snapshot_); }
  const rocksdb::Snapshot* get() const { return snapshot_; }

 private:
  rocksdb::DB* const db_;
  const rocksdb::Snapshot* const snapshot_;
};

rocksdb::ReadOptions At(const Snapshot* at) {
  rocksdb::ReadOptions options;
  if (at != nullptr) options.snapshot = static_cast<const RocksDbSnapshot*>(at)->get();
  return options;
}

class RocksDbCursor : public Cursor {
 public:
  RocksDbCursor(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family, Range range,
                rocksdb::ReadOptions options)
      : range_(std::move(range)) {
    if (range_.lower.has_value()) lower_ = *range_.lower;
    if (range_.upper.has_value()) upper_ = *range_.upper;
    if (range_.lower.has_value()) options.iterate_lower_bound = &lower_;
    if (range_.upper.has_value()) options.iterate_upper_bound = &upper_;
    it_.reset(db->NewIterator(options, family));
  }

  void SeekToFirst() override { it_->SeekToFirst(); }
  void SeekToLast() override { it_->SeekToLast(); }
  void Seek(const std::string& target) override { it_->Seek(target); }
  void SeekForPrev(const std::string& target) override { it_->SeekForPrev(target); }
  void Next() override { it_->Next(); }
  void Prev() override { it_->Prev(); }
  bool Valid() const override { return it_->Valid(); }
  std::string_view key() const override { return it_->key().ToStringView(); }
  std::string_view value() const override { return it_->value().ToStringView(); }
  Trouble trouble() const override { return Said(it_->status()); }
  Trouble Refresh() override { return Said(it_->Refresh()); }

 private:
  const Range range_;
  rocksdb::Slice lower_, upper_;
  std::unique_ptr<rocksdb::Iterator> it_;
};

class RocksDbDatabase : public Database {
 public:
  RocksDbDatabase(std::string path, rocksdb::ColumnFamilyOptions family,
                  rocksdb::IngestExternalFileOptions ingest)
      : path_(std::move(path)), options_(std::move(family)), ingest_(ingest) {}
  ~RocksDbDatabase() override { LetGo(); }

  Trouble Open(const rocksdb::DBOptions& options, const std::set<std::string>& families,
               bool read_only) {
    std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
    for (const std::string& family : families) {
      descriptors.emplace_back(family, FamilyOptions(options_, family));
    }
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    const rocksdb::Status s =
        read_only ? rocksdb::DB::OpenForReadOnly(options, path_, descriptors, &handles, Into(&db_))
                  : rocksdb::DB::Open(options, path_, descriptors, &handles, Into(&db_));
    for (auto* handle : handles) handles_[handle->GetName()] = handle;
    return Said(s);
  }

  Trouble Get(const std::string& family, const std::string& key, const Snapshot* at,
              std::optional<std::string>* value) override {
    std::string bytes;
    const rocksdb::Status s = db_->Get(At(at), handles_.at(family), key, &bytes);
    return Take(s, bytes, value);
  }
  Trouble MultiGet(const std::string& family, const std::vector<std::string>& keys,
                   const Snapshot* at, std::vector<std::optional<std::string>>* values) override {
    const std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
    std::vector<std::string> bytes;
    const std::vector<rocksdb::ColumnFamilyHandle*> handles(keys.size(), handles_.at(family));
    const auto statuses = db_->MultiGet(At(at), handles, slices, &bytes);
    values->resize(statuses.size());
    for (size_t i = 0; i < statuses.size(); ++i) {
      const Trouble trouble = Take(statuses[i], bytes[i], &(*values)[i]);
      if (!trouble.empty()) return trouble;
    }
    return {};
  }
  Trouble NewCursor(const std::string& family, const Range& range, const Snapshot* at,
                    std::unique_ptr<Cursor>* cursor) override {
    *cursor = std::make_unique<RocksDbCursor>(db_.get(), handles_.at(family), range, At(at));
    return {};
  }
  std::unique_ptr<Snapshot> TakeSnapshot() override {
    return std::make_unique<RocksDbSnapshot>(db_.get());
  }

  Trouble Write(const Group& group, mix::WriteForm form) override {
    rocksdb::WriteBatch batch;
    for (const Operation& op : group) {
      if (const rocksdb::Status s = AddTo<mix::FamilyFirst>(op, handles_.at(op.family), &batch);
          !s.ok())
        return s.ToString();
    }
    rocksdb::WriteOptions options;
    options.sync = form == mix::WriteForm::kSynced;
    options.disableWAL = form == mix::WriteForm::kUnlogged;
    return Said(db_->Write(options, &batch));
  }
  Trouble Flush(const std::string& family, bool wait) override {
    rocksdb::FlushOptions options;
    options.wait = wait;
    return Said(db_->Flush(options, handles_.at(family)));
  }
  Trouble FlushAll() override {
    for (const auto& [family, handle] : handles_) {
      if (const rocksdb::Status s = db_->Flush({}, handle); !s.ok()) return s.ToString();
    }
    return {};
  }
  Trouble Compact(const std::string& family, const Range& range, bool bottommost) override {
    rocksdb::CompactRangeOptions options;
    if (bottommost) {
      options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
    }
    rocksdb::Slice begin, end;
    if (range.lower.has_value()) begin = *range.lower;
    if (range.upper.has_value()) end = *range.upper;
    return Said(db_->CompactRange(options, handles_.at(family),
                                  range.lower.has_value() ? &begin : nullptr,
                                  range.upper.has_value() ? &end : nullptr));
  }
  Trouble Ingest(const std::vector<TablesOf>& families, const IngestForm& form) override {
    std::vector<rocksdb::IngestExternalFileArg> arguments;
    std::vector<std::string> built;
    for (const auto& [family, tables] : families) {
      rocksdb::IngestExternalFileArg& argument = arguments.emplace_back();
      argument.column_family = handles_.at(family);
      argument.options = ingest_;
      argument.options.move_files = form.move;
      for (const Group& table : tables) {
        built.push_back(path_ + ".table" + std::to_string(built.size()));
        argument.external_files.push_back(built.back());
        if (const rocksdb::Status s = Build(family, table, built.back()); !s.ok()) {
          return s.ToString();
        }
      }
    }
    rocksdb::Status s;
    do {  // While a compaction is about to write where the tables go.
      s = db_->IngestExternalFiles(arguments);
    } while (s.IsTryAgain());
    for (const std::string& path : built) std::filesystem::remove(path);
    return Said(s);
  }
  Trouble Checkpoint(const std::string& path) override {
    rocksdb::Checkpoint* made = nullptr;
    rocksdb::Status s = rocksdb::Checkpoint::Create(db_.get(), &made);
    const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
    if (s.ok()) s = checkpoint->CreateCheckpoint(path);
    return Said(s);
  }
  Trouble SetOptions(const std::string& family,
                     const std::vector<std::pair<std::string, std::string>>& changes) override {
    std::unordered_map<std::string, std::string> fit(changes.begin(), changes.end());
    fit.erase("write_buffer_size");  // Asserted to hold more than an empty memtable.
    return Said(db_->SetOptions(handles_.at(family), fit));
  }
  Trouble CreateFamily(const std::string& family) override {
    return Said(
        db_->CreateColumnFamily(FamilyOptions(options_, family), family, &handles_[family]));
  }
  Trouble DropFamily(const std::string& family) override {
    auto* handle = handles_.extract(family).mapped();
    dropped_.push_back(handle);  // Cursors may still be there.
    return Said(db_->DropColumnFamily(handle));
  }
  Trouble Close() override {
    DestroyHandles();
    return Said(db_->Close());
  }
  Trouble Settle() override { return Said(db_->PauseBackgroundWork()); }
  Trouble Unsettle() override { return Said(db_->ContinueBackgroundWork()); }

 private:
  static Trouble Take(const rocksdb::Status& status, const std::string& bytes,
                      std::optional<std::string>* value) {
    value->reset();
    if (status.IsNotFound()) return {};
    *value = bytes;
    return Said(status);
  }

  rocksdb::Status Build(const std::string& family, const Group& table, const std::string& path) {
    rocksdb::SstFileWriter writer(
        rocksdb::EnvOptions(),
        rocksdb::Options(rocksdb::DBOptions(), FamilyOptions(options_, family)));
    rocksdb::Status s = writer.Open(path);
    for (const Operation& op : table) {
      if (!s.ok()) return s;
      s = WriteTo(op, &writer);
    }
    return s.ok() ? writer.Finish() : s;
  }

  void DestroyHandles() {
    for (const auto& [family, handle] : handles_) dropped_.push_back(handle);
    handles_.clear();
    for (auto* handle : dropped_) db_->DestroyColumnFamilyHandle(handle);
    dropped_.clear();
  }
  void LetGo() {
    if (db_ != nullptr) DestroyHandles();
    db_.reset();
  }

  const std::string path_;
  const rocksdb::ColumnFamilyOptions options_;
  const rocksdb::IngestExternalFileOptions ingest_;
  std::unique_ptr<rocksdb::DB> db_;
  std::map<std::string, rocksdb::ColumnFamilyHandle*> handles_;
  std::vector<rocksdb::ColumnFamilyHandle*> dropped_;
};

rocksdb::DBOptions DrawDatabaseOptions(Dice* dice) {
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.info_log_level = rocksdb::FATAL_LEVEL;
  options.max_subcompactions = 1 + static_cast<uint32_t>(dice->Pick(3));
  options.max_open_files = dice->OneIn(4) ? 20 : -1;
  options.max_manifest_file_size = dice->OneIn(3) ? 1 : 1 << 20;
  options.max_total_wal_size = dice->OneIn(3) ? 4096 : 0;
  return options;
}

std::shared_ptr<rocksdb::TableFactory> DrawTables(Dice* dice) {
  rocksdb::BlockBasedTableOptions table;
  table.block_size = size_t{64} << dice->Pick(6);
  table.format_version = 2 + static_cast<uint32_t>(dice->Pick(4));
  if (dice->OneIn(2)) {
    table.filter_policy.reset(dice->OneIn(2) ? rocksdb::NewBloomFilterPolicy(10)
                                             : rocksdb::NewRibbonFilterPolicy(10));
  }
  table.index_type = dice->Of({rocksdb::BlockBasedTableOptions::kBinarySearch,
                               rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch,
                               rocksdb::BlockBasedTableOptions::kBinarySearchWithFirstKey});
  table.metadata_block_size = uint64_t{64} << dice->Pick(5);
  return std::shared_ptr<rocksdb::TableFactory>(rocksdb::NewBlockBasedTableFactory(table));
}

rocksdb::ColumnFamilyOptions DrawFamilyOptions(Dice* dice) {
  rocksdb::ColumnFamilyOptions options;
  rocksdb::MergeOperator::CreateFromString({}, "stringappend", &options.merge_operator)
      .PermitUncheckedError();
  options.write_buffer_size = size_t{64} << 10;
  options.target_file_size_base = uint64_t{512} << dice->Pick(6);
  options.max_bytes_for_level_base = uint64_t{4096} << dice->Pick(5);
  options.max_compaction_bytes = dice->OneIn(2) ? 1024 : 0;
  options.level0_file_num_compaction_trigger = 1 + static_cast<int>(dice->Pick(5));
  options.disable_auto_compactions = dice->OneIn(4);
  options.compaction_style =
      dice->OneIn(3) ? rocksdb::kCompactionStyleUniversal : rocksdb::kCompactionStyleLevel;
  options.level_compaction_dynamic_level_bytes = dice->OneIn(2);
  options.compression = dice->Of({rocksdb::kNoCompression, rocksdb::kLZ4Compression});
  options.table_factory = DrawTables(dice);
  return options;
}

// Of a copy of the dice: what else is drawn from a seed stays as it was.
void DrawBlobOptions(Dice dice, rocksdb::ColumnFamilyOptions* options) {
  if (!dice.OneIn(3)) return;
  options->enable_blob_files = !dice.OneIn(6);
  options->min_blob_size = dice.Pick(30);
  options->blob_file_size = uint64_t{256} << dice.Pick(6);
  options->blob_compression_type = dice.Of({rocksdb::kNoCompression, rocksdb::kLZ4Compression});
  options->enable_blob_garbage_collection = dice.OneIn(2);
  options->blob_garbage_collection_age_cutoff = dice.Of({0.0, 0.25, 0.5, 1.0});
  options->blob_garbage_collection_force_threshold = dice.Of({0.3, 1.0});
}

}  // namespace

RocksDbKind::RocksDbKind() : drawn_(std::make_unique<Drawn>()) {}
RocksDbKind::~RocksDbKind() = default;

std::string RocksDbKind::DrawOptions(Dice* dice) {
  const Dice apart = *dice;
  drawn_->db = DrawDatabaseOptions(dice);
  drawn_->family = DrawFamilyOptions(dice);
  DrawBlobOptions(apart, &drawn_->family);
  drawn_->ingest.write_global_seqno = dice->OneIn(2);
  const rocksdb::ColumnFamilyOptions& family = drawn_->family;
  const bool universal = family.compaction_style == rocksdb::kCompactionStyleUniversal;
  return std::string(universal ? "universal" : "level") +
         " write_buffer_size=" + std::to_string(family.write_buffer_size) +
         " target_file_size_base=" + std::to_string(family.target_file_size_base) +
         " max_compaction_bytes=" + std::to_string(family.max_compaction_bytes) +
         " level0_file_num_compaction_trigger=" +
         std::to_string(family.level0_file_num_compaction_trigger) +
         " disable_auto_compactions=" + std::to_string(family.disable_auto_compactions) +
         " enable_blob_files=" + std::to_string(family.enable_blob_files) +
         " enable_blob_garbage_collection=" +
         std::to_string(family.enable_blob_garbage_collection) +
         " max_subcompactions=" + std::to_string(drawn_->db.max_subcompactions);
}

Trouble RocksDbKind::Open(const std::string& path, const std::set<std::string>& families,
                          std::unique_ptr<Database>* database) {
  auto opened = std::make_unique<RocksDbDatabase>(path, drawn_->family, drawn_->ingest);
  Trouble trouble = opened->Open(drawn_->db, families, /*read_only=*/false);
  *database = std::move(opened);
  return trouble;
}

Trouble RocksDbKind::OpenReadOnly(const std::string& path, const std::set<std::string>& families,
                                  std::unique_ptr<Database>* database) {
  auto opened = std::make_unique<RocksDbDatabase>(path, drawn_->family, drawn_->ingest);
  Trouble trouble = opened->Open(drawn_->db, families, /*read_only=*/true);
  *database = std::move(opened);
  return trouble;
}

void RocksDbKind::Remove(const std::string& path) { std::filesystem::remove_all(path); }

}  // namespace varve::interop
