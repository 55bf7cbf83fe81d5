// SPDX-License-Identifier: Apache-2.0
#include "tests/mix/varve_kind.h"

#include <atomic>
#include <utility>

#include "core/engine/open/open_graded.h"
#include "tests/mix/model.h"
#include "varve/db.h"
#include "varve/option_table.h"
#include "varve/sst_file_writer.h"

namespace varve::mix {
namespace {

Trouble Said(const Status& status) { return status.ok() ? "" : status.ToString(); }

ColumnFamilyOptions FamilyOptions(const Options& options, const std::string& family) {
  ColumnFamilyOptions of_family = options.family;
  of_family.comparator = RunsBackwards(family) ? ReverseBytewiseComparator() : BytewiseComparator();
  return of_family;
}

class VarveSnapshot : public Snapshot {
 public:
  explicit VarveSnapshot(varve::Snapshot snapshot) : snapshot_(std::move(snapshot)) {}
  const varve::Snapshot* get() const { return &snapshot_; }

 private:
  varve::Snapshot snapshot_;
};

ReadOptions At(const Snapshot* at) {
  ReadOptions options;
  if (at != nullptr) options.snapshot = static_cast<const VarveSnapshot*>(at)->get();
  return options;
}

class VarveCursor : public Cursor {
 public:
  VarveCursor(Range range, ReadOptions options) : range_(std::move(range)), options_(options) {
    options_.lower_bound = range_.lower;
    options_.upper_bound = range_.upper;
    options_.prefix = range_.prefix;
  }
  Trouble Open(DB* db, ColumnFamilyId family) {
    auto made = db->NewIterator(options_, family);
    if (!made.ok()) return made.status().ToString();
    it_ = std::make_unique<Iterator>(*std::move(made));
    return {};
  }

  void SeekToFirst() override { it_->SeekToFirst(); }
  void SeekToLast() override { it_->SeekToLast(); }
  void Seek(const std::string& target) override { it_->Seek(target); }
  void SeekForPrev(const std::string& target) override { it_->SeekForPrev(target); }
  void Next() override { it_->Next(); }
  void Prev() override { it_->Prev(); }
  bool Valid() const override { return it_->Valid(); }
  std::string_view key() const override { return it_->key(); }
  std::string_view value() const override { return it_->value(); }
  Trouble trouble() const override { return Said(it_->status()); }
  Trouble Refresh() override { return Said(it_->Refresh()); }

 private:
  const Range range_;
  ReadOptions options_;
  std::unique_ptr<Iterator> it_;
};

class VarveDatabase : public Database {
 public:
  VarveDatabase(std::unique_ptr<DB> db, Options options, FileSystem* file_system)
      : db_(std::move(db)), options_(std::move(options)), file_system_(*file_system) {}

  Trouble ExpectFamilies(const std::set<std::string>& families, bool may_be_more) const {
    for (const std::string& family : families) {
      if (!db_->FindFamily(family).has_value()) return "family " + family + " is missing";
    }
    const bool more = db_->Families().size() > families.size();
    return more && !may_be_more ? "there are families too many" : "";
  }
  // After an opening the directory holds exactly the live tables.
  Trouble ExpectNoStrayTables() {
    if (Status s = db_->WaitForBackgroundWork(); !s.ok()) return s.ToString();
    uint64_t live = 0, tables = 0;
    for (const FamilyInfo& family : db_->Families()) {
      for (const LevelInfo& level : db_->Levels(family.id)) live += level.files;
    }
    auto entries = file_system_.List(db_->path());
    if (!entries.ok()) return entries.status().ToString();
    for (const DirectoryEntry& entry : *entries) tables += entry.name.ends_with(".sst");
    if (tables == live) return {};
    return std::to_string(tables) + " tables in the directory, " + std::to_string(live) + " live";
  }

  Trouble Get(const std::string& family, const std::string& key, const Snapshot* at,
              std::optional<std::string>* value) override {
    return Take(db_->Get(At(at), key, Id(family)), value);
  }
  Trouble MultiGet(const std::string& family, const std::vector<std::string>& keys,
                   const Snapshot* at, std::vector<std::optional<std::string>>* values) override {
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    const auto answers = db_->MultiGet(At(at), views, Id(family));
    values->resize(answers.size());
    for (size_t i = 0; i < answers.size(); ++i) {
      if (Trouble trouble = Take(answers[i], &(*values)[i]); !trouble.empty()) return trouble;
    }
    return {};
  }
  Trouble NewCursor(const std::string& family, const Range& range, const Snapshot* at,
                    std::unique_ptr<Cursor>* cursor) override {
    auto made = std::make_unique<VarveCursor>(range, At(at));
    Trouble trouble = made->Open(db_.get(), Id(family));
    *cursor = std::move(made);
    return trouble;
  }
  std::unique_ptr<Snapshot> TakeSnapshot() override {
    return std::make_unique<VarveSnapshot>(db_->GetSnapshot());
  }
  Trouble ChangedSince(const std::string& family, const std::string& key, const Snapshot* at,
                       std::optional<bool>* changed) override {
    const Result<Sequence> newest = db_->NewestSequence(key, Id(family));
    if (!newest.ok()) return newest.status().ToString();
    *changed = *newest > static_cast<const VarveSnapshot*>(at)->get()->sequence();
    return {};
  }

  Trouble Write(const Group& group, WriteForm form) override {
    WriteBatch batch;
    for (const Operation& op : group) AddTo<FamilyLast>(op, Id(op.family), &batch);
    WriteOptions options;
    if (form == WriteForm::kSynced) options.durability = Durability::kSync;
    if (form == WriteForm::kUnlogged) options.durability = Durability::kNone;
    constexpr uint64_t kPreparedOneOf = 3;
    const uint64_t number = writes_.fetch_add(1);
    const bool prepares = options_.allow_2pc && form != WriteForm::kUnlogged;
    if (prepares && number % kPreparedOneOf == 0) return WritePrepared(options, number, batch);
    return Said(db_->Write(options, std::move(batch)));
  }
  // What was being prepared when the process ended: nobody waits for it.
  Trouble ForgetPrepared() {
    for (const PreparedTransaction& prepared : db_->PreparedTransactions()) {
      if (Status s = db_->RollbackPrepared({}, prepared.name); !s.ok()) return s.ToString();
    }
    return {};
  }
  Trouble Flush(const std::string& family, bool wait) override {
    return Said(db_->Flush({.wait = wait}, Id(family)));
  }
  Trouble FlushAll() override { return Said(db_->FlushAll()); }
  Trouble Compact(const std::string& family, const Range& range, bool bottommost) override {
    return Said(
        db_->CompactRange({.force_bottommost = bottommost}, range.lower, range.upper, Id(family)));
  }
  Trouble Ingest(const std::vector<TablesOf>& families, const IngestForm& form) override {
    std::vector<FamilyTables> built;
    for (const auto& [family, tables] : families) {
      std::vector<std::string>& paths = built.emplace_back(FamilyTables{Id(family)}).paths;
      for (const Group& table : tables) {
        // A name of its own: where removing it fails, it stays the same file as the ingested one.
        paths.push_back(db_->path() + ".table" + std::to_string(tables_++));
        if (Trouble trouble = Build(family, table, paths.back()); !trouble.empty()) return trouble;
      }
    }
    const IngestOptions options{.move_files = form.move, .in_order = form.may_overlap};
    const Status s = db_->IngestFamilies(options, built);
    for (const FamilyTables& of_family : built) {
      for (const std::string& path : of_family.paths) {
        if (!form.move) file_system_.Remove(path).Ignore("best effort");
      }
    }
    return Said(s);
  }
  Trouble Checkpoint(const std::string& path) override { return Said(db_->Checkpoint(path)); }
  Trouble SetOptions(const std::string& family,
                     const std::vector<std::pair<std::string, std::string>>& changes) override {
    return Said(db_->SetOptions(changes, Id(family)));
  }
  Trouble CreateFamily(const std::string& family) override {
    return Said(db_->CreateColumnFamily(family, FamilyOptions(options_, family)).status());
  }
  // Some stay readable: until the next is dropped, or the database closed.
  Trouble DropFamily(const std::string& family) override {
    const ColumnFamilyId id = Id(family);
    if (readable_) {
      if (Trouble trouble = ForgetReadable(); !trouble.empty()) return trouble;
      return Said(db_->DropColumnFamily(id));
    }
    Readable dropped{id, {}};
    if (Trouble trouble = ReadAll(id, &dropped.records); !trouble.empty()) return trouble;
    if (Status s = db_->DropColumnFamily(id, {.keep_readable = true}); !s.ok()) return Said(s);
    readable_ = std::move(dropped);
    return ExpectStillReadable();
  }
  Trouble Close() override { return Said(db_->Close()); }
  // Nothing is due without writes.
  Trouble Settle() override { return Said(db_->WaitForBackgroundWork()); }
  Trouble Unsettle() override { return {}; }

 private:
  using Records = std::vector<std::pair<std::string, std::string>>;
  struct Readable {
    ColumnFamilyId id;
    Records records;
  };

  Trouble ReadAll(ColumnFamilyId family, Records* records) {
    auto it = db_->NewIterator({}, family);
    if (!it.ok()) return it.status().ToString();
    for (it->SeekToFirst(); it->Valid(); it->Next()) records->emplace_back(it->key(), it->value());
    return Said(it->status());
  }
  Trouble ExpectStillReadable() {
    Records records;
    if (Trouble trouble = ReadAll(readable_->id, &records); !trouble.empty()) return trouble;
    return records == readable_->records ? "" : "a dropped family has other records than before";
  }
  Trouble ForgetReadable() {
    if (Trouble trouble = ExpectStillReadable(); !trouble.empty()) return trouble;
    const ColumnFamilyId id = readable_->id;
    readable_.reset();
    db_->ForgetDroppedFamily(id);
    return db_->NewIterator({}, id).ok() ? "a family is readable that was forgotten" : "";
  }

  // One that is not there would be found out by the verb.
  ColumnFamilyId Id(const std::string& family) const {
    return db_->FindFamily(family).value_or(~ColumnFamilyId{0});
  }

  static Trouble Take(const Result<std::optional<Value>>& answer,
                      std::optional<std::string>* value) {
    if (!answer.ok()) return answer.status().ToString();
    value->reset();
    if (answer->has_value()) *value = (**answer).ToString();
    return {};
  }

  Trouble Build(const std::string& family, const Group& table, const std::string& path) const {
    auto writer = SstFileWriter::Create(options_.env, FamilyOptions(options_, family), path);
    if (!writer.ok()) return writer.status().ToString();
    for (const Operation& op : table) {
      const Status s = WriteTo(op, &*writer);
      if (!s.ok()) return s.ToString();
    }
    return Said(writer->Finish());
  }

  std::unique_ptr<DB> db_;
  Trouble WritePrepared(const WriteOptions& options, uint64_t number, const WriteBatch& batch) {
    const std::string name = "write " + std::to_string(number);
    if (Status s = db_->Prepare({}, name, batch); !s.ok()) return s.ToString();
    return Said(db_->CommitPrepared(options, name));
  }

  std::atomic<uint64_t> writes_{0};
  const Options options_;
  FileSystem& file_system_;
  uint64_t tables_ = 0;               // That were built.
  std::optional<Readable> readable_;  // A family that was dropped.
};

}  // namespace

VarveKind::VarveKind(const Environment& environment, bool newest_tables)
    : environment_(environment),
      file_system_(environment.file_system != nullptr ? *environment.file_system
                                                      : *NativeEnvironment().file_system),
      newest_tables_(newest_tables) {}

void VarveKind::DrawDatabaseOptions(Dice* dice) {
  options_.env = environment_;
  options_.create_if_missing = true;
  options_.paranoid_checks = !dice->OneIn(3);
  options_.max_open_files = dice->OneIn(4) ? 3 : -1;
  options_.max_background_jobs = 1 + static_cast<int>(dice->Pick(4));
  options_.max_subcompactions = 1 + static_cast<int>(dice->Pick(3));
  options_.block_cache_bytes = dice->OneIn(3) ? 0 : 1 << 16;
  grades_.block_form = dice->Of({BlockForm::kDisk, BlockForm::kLookup});
  grades_.partition_search = dice->Of({PartitionSearch::kIterate, PartitionSearch::kDecoded});
  grades_.multiget =
      dice->Of({MultiGetMode::kPerKey, MultiGetMode::kGrouped, MultiGetMode::kPipeline});
  grades_.multiget_io = dice->Of({MultiGetIo::kPerFile, MultiGetIo::kGlobal});
  options_.scan_readahead =
      dice->Of({ScanReadahead::kOff, ScanReadahead::kDoubling, ScanReadahead::kAdaptive});
  options_.max_manifest_file_size = dice->OneIn(3) ? 1 : 1 << 20;
  options_.max_total_wal_size = dice->OneIn(3) ? 4096 : 0;
}

void VarveKind::DrawFamilyOptions(Dice* dice) {
  ColumnFamilyOptions& family = options_.family;
  family.merge_operator = MergeOperatorByName("stringappend");
  family.write_buffer_size = uint64_t{2048} << dice->Pick(6);
  family.max_write_buffer_number = 2 + static_cast<int>(dice->Pick(3));
  family.target_file_size_base = uint64_t{512} << dice->Pick(6);
  family.max_bytes_for_level_base = uint64_t{4096} << dice->Pick(5);
  family.max_bytes_for_level_multiplier = 2 + static_cast<double>(dice->Pick(5));
  family.max_compaction_bytes = dice->OneIn(3) ? 2048 : 0;
  family.level0_file_num_compaction_trigger = 1 + static_cast<int>(dice->Pick(5));
  family.level_compaction_dynamic_level_bytes = dice->OneIn(2);
  family.disable_auto_compactions = dice->OneIn(5);
  grades_.memtable_rep =
      dice->Of({MemtableRep::kSkipList, MemtableRep::kBtree, MemtableRep::kBtreeHash});
  grades_.memtable_batch_lookup = dice->Of(
      {MemtableBatchLookup::kOff, MemtableBatchLookup::kFinger, MemtableBatchLookup::kInterleaved});
  grades_.file_search =
      dice->Of({FileSearch::kComparator, FileSearch::kPrefix, FileSearch::kHeads});
}

void VarveKind::DrawTableOptions(Dice* dice) {
  TableOptions& table = options_.family.table;
  table.format_version = 2 + static_cast<uint32_t>(dice->Pick(newest_tables_ ? 6 : 4));
  table.checksum = dice->Of(
      {ChecksumType::kCrc32c, ChecksumType::kXxh32, ChecksumType::kXxh64, ChecksumType::kXxh3});
  table.block_size = uint32_t{64} << dice->Pick(6);
  table.block_restart_interval = 1 + static_cast<uint32_t>(dice->Pick(16));
  table.index_block_restart_interval = 1 + static_cast<uint32_t>(dice->Pick(4));
  table.metadata_block_size = uint32_t{64} << dice->Pick(5);
  table.filter = dice->Of({FilterKind::kNone, FilterKind::kBloom, FilterKind::kRibbon});
  if (table.filter == FilterKind::kNone) table.filter_bits_per_key = 0;
  table.data_block_hash_index = dice->OneIn(3);
  table.compression = dice->Of({CompressionType::kNone, CompressionType::kLz4});
  if (dice->OneIn(3)) {
    table.index_type = IndexType::kTwoLevel;
    table.partition_filters = table.filter_bits_per_key > 0 && dice->OneIn(2);
  }
}

// Of a copy of the dice: what else is drawn from a seed stays as it was.
void VarveKind::DrawBlobOptions(Dice dice) {
  BlobOptions& blobs = options_.family.blobs;
  if (!dice.OneIn(3)) return;
  blobs.enabled = !dice.OneIn(6);
  blobs.min_size = dice.Pick(30);
  blobs.file_size = uint64_t{256} << dice.Pick(6);
  blobs.compression = dice.Of({CompressionType::kNone, CompressionType::kLz4});
  blobs.collect_garbage = dice.OneIn(2);
  blobs.age_cutoff = dice.Of({0.0, 0.25, 0.5, 1.0});
  blobs.force_threshold = dice.Of({0.3, 1.0});
  blobs.starting_level = static_cast<int>(dice.Pick(3));
}

// Of a copy of the dice, too.
void VarveKind::DrawUniversalOptions(Dice dice) {
  ColumnFamilyOptions& family = options_.family;
  dice.Pick(1000);  // Not what blob options are drawn from.
  if (!dice.OneIn(3)) return;
  family.compaction_style = CompactionStyle::kUniversal;
  UniversalOptions& universal = family.universal;
  universal.size_ratio = dice.Of({0u, 1u, 30u, 200u});
  universal.min_merge_width = 2 + static_cast<uint32_t>(dice.Pick(2));
  if (dice.OneIn(3)) {
    universal.max_merge_width = universal.min_merge_width + static_cast<uint32_t>(dice.Pick(3));
  }
  universal.max_size_amplification_percent = dice.Of({20u, 200u, 2000u});
  universal.compression_size_percent = dice.Of({-1, 50});
  universal.stop_style =
      dice.Of({UniversalStopStyle::kTotalSize, UniversalStopStyle::kSimilarSize});
  universal.allow_trivial_move = dice.OneIn(3);
}

std::string VarveKind::DrawOptions(Dice* dice) {
  options_ = Options();
  grades_ = Grades();
  DrawBlobOptions(*dice);
  const Dice apart = *dice;
  DrawDatabaseOptions(dice);
  DrawFamilyOptions(dice);
  DrawUniversalOptions(apart);
  DrawTableOptions(dice);
  const Options defaults;
  std::string words;
  for (const OptionRow& row : OptionTable()) {
    if (row.get(options_) == row.get(defaults)) continue;
    words.append(row.name).append("=").append(row.get(options_)).append(" ");
  }
  for (const GradeRow& row : GradeTable()) {
    if (row.get(grades_) == row.get({})) continue;
    words.append(row.name).append("=").append(row.get(grades_)).append(" ");
  }
  return words;
}

Options VarveKind::OptionsFor(const std::set<std::string>& families) const {
  Options options = options_;
  options.allow_2pc = in_two_phases_;
  for (const std::string& family : families) {
    options.families[family] = FamilyOptions(options_, family);
  }
  return options;
}

Trouble VarveKind::Open(const std::string& path, const std::set<std::string>& families,
                        std::unique_ptr<Database>* database) {
  return OpenBy(&OpenGraded, path, families, /*may_have_strays=*/false, database);
}

Trouble VarveKind::OpenReadOnly(const std::string& path, const std::set<std::string>& families,
                                std::unique_ptr<Database>* database) {
  // The writer beside it may be about to remove some.
  return OpenBy(&OpenGradedReadOnly, path, families, /*may_have_strays=*/true, database);
}

Trouble VarveKind::OpenBy(OpenFn open, const std::string& path,
                          const std::set<std::string>& families, bool may_have_strays,
                          std::unique_ptr<Database>* database) {
  RecoveryReport report;
  const Options options = OptionsFor(families);
  auto db = open(options, grades_, path, &report);
  if (!db.ok()) return db.status().ToString();
  for (const RecoveryLoss& loss : report.losses) {
    if (loss.damage || !may_have_traces_of_failures_) return "recovery left out " + loss.reason;
  }
  auto opened = std::make_unique<VarveDatabase>(*std::move(db), options, &file_system_);
  Trouble trouble = opened->ExpectFamilies(families, may_have_traces_of_failures_);
  if (trouble.empty() && !may_have_strays) trouble = opened->ExpectNoStrayTables();
  if (trouble.empty() && open == &OpenGraded) trouble = opened->ForgetPrepared();
  *database = std::move(opened);
  return trouble;
}

void VarveKind::Remove(const std::string& path) {
  auto entries = file_system_.List(path);
  if (!entries.ok()) return;  // It is not there.
  for (const DirectoryEntry& entry : *entries) {
    file_system_.Remove(path + "/" + entry.name).Ignore("best effort");
  }
  file_system_.RemoveDirectory(path).Ignore("best effort");
}

}  // namespace varve::mix
