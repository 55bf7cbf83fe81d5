// SPDX-License-Identifier: Apache-2.0
// The implementation of the public class DB: delegates to Engine.
#include "varve/db.h"

#include <utility>

#include "core/base/try.h"
#include "core/engine/engine.h"
#include "core/engine/jobs/checkpoint.h"
#include "core/engine/jobs/import.h"
#include "core/engine/jobs/ingest.h"
#include "core/engine/open/open_graded.h"
#include "core/engine/open/open_listened.h"
#include "core/engine/read/db_iterator.h"
#include "core/engine/read/get.h"
#include "core/engine/read/multiget.h"
#include "core/engine/read/timestamped_iterator.h"
#include "core/format/entry_size.h"

namespace varve {
namespace {

// A sequence number of another database's snapshot would mean nothing in this one, and that of one
// taken before DB::CatchUp() something else.
Status CheckSnapshot(const Engine& engine, const ReadView& view, const ReadOptions& options) {
  if (options.snapshot == nullptr) return Status::Ok();
  const SnapshotList* const valid =
      view.snapshots != nullptr ? view.snapshots.get() : engine.snapshots().get();
  if (valid->Has(*options.snapshot)) return Status::Ok();
  return Status::InvalidArgument(
      "ReadOptions::snapshot belongs to another database, or was taken before this one caught up");
}

// The checks of Engine::Write(), before the bytes are copied into a batch, which cannot hold more
// than 4 GiB of each.
Status CheckSizes(std::string_view key, std::string_view value) {
  RETURN_IF_ERROR(CheckKeySize(key.size()));
  return CheckEntrySize(key.size(), value.size());
}

Sequence MomentOf(const Engine& engine, const ReadOptions& options) {
  if (options.snapshot != nullptr) return options.snapshot->sequence();
  return engine.visible().load(std::memory_order_acquire);
}

Result<std::optional<Value>> WithoutTimestamps(Result<std::optional<TimestampedValue>> read) {
  if (!read.ok()) return read.status();
  if (!read->has_value()) return std::optional<Value>();
  return std::optional<Value>(std::move((**read).value));
}

}  // namespace

DB::DB(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
DB::~DB() = default;

Result<std::unique_ptr<DB>> DB::Open(const Options& options, const std::string& path,
                                     RecoveryReport* report) {
  return OpenGraded(options, {}, path, report);
}

Result<std::unique_ptr<DB>> DB::OpenReadOnly(const Options& options, const std::string& path,
                                             RecoveryReport* report) {
  return OpenGradedReadOnly(options, {}, path, report);
}

Result<std::unique_ptr<DB>> OpenGraded(const Options& options, const Grades& grades,
                                       const std::string& path, RecoveryReport* report) {
  ASSIGN_OR_RETURN(auto engine, Engine::Open(options, grades, path, OpenMode::kReadWrite, report));
  return std::make_unique<DB>(std::move(engine));
}

Result<std::unique_ptr<DB>> OpenListened(const Options& options, const std::string& path,
                                         JobListener* listener, RecoveryReport* report) {
  ASSIGN_OR_RETURN(auto engine,
                   Engine::Open(options, {}, path, OpenMode::kReadWrite, report, listener));
  return std::make_unique<DB>(std::move(engine));
}

Result<std::unique_ptr<DB>> OpenGradedReadOnly(const Options& options, const Grades& grades,
                                               const std::string& path, RecoveryReport* report) {
  ASSIGN_OR_RETURN(auto engine, Engine::Open(options, grades, path, OpenMode::kReadOnly, report));
  return std::make_unique<DB>(std::move(engine));
}

Status DB::CatchUp(const DropOptions& dropped, RecoveryReport* report) {
  return engine_->CatchUp(dropped, report);
}

Status DB::Close() { return engine_->Close(); }

Status DB::Write(const WriteOptions& options, WriteBatch batch) {
  return engine_->Write(options, &batch);
}

Status DB::Prepare(const WriteOptions& options, const std::string& name, const WriteBatch& batch) {
  return engine_->Prepare(options, name, batch);
}

Status DB::CommitPrepared(const WriteOptions& options, const std::string& name,
                          const WriteBatch& more) {
  return engine_->CommitPrepared(options, name, more);
}

Status DB::RollbackPrepared(const WriteOptions& options, const std::string& name) {
  return engine_->RollbackPrepared(options, name);
}

std::vector<PreparedTransaction> DB::PreparedTransactions() const {
  return engine_->PreparedTransactions();
}

Status DB::Put(const WriteOptions& options, std::string_view key, std::string_view value,
               ColumnFamilyId family) {
  RETURN_IF_ERROR(CheckSizes(key, value));
  WriteBatch batch;
  batch.Put(key, value, family);
  return engine_->Write(options, &batch);
}

Status DB::Delete(const WriteOptions& options, std::string_view key, ColumnFamilyId family) {
  RETURN_IF_ERROR(CheckSizes(key, {}));
  WriteBatch batch;
  batch.Delete(key, family);
  return engine_->Write(options, &batch);
}

Status DB::Merge(const WriteOptions& options, std::string_view key, std::string_view operand,
                 ColumnFamilyId family) {
  RETURN_IF_ERROR(CheckSizes(key, operand));
  WriteBatch batch;
  batch.Merge(key, operand, family);
  return engine_->Write(options, &batch);
}

Result<std::optional<Value>> DB::Get(const ReadOptions& options, std::string_view key,
                                     ColumnFamilyId family) {
  ASSIGN_OR_RETURN(const Family* const from, engine_->ReadableFamily(family));
  if (from->timestamp_size() != 0 || options.timestamp) [[unlikely]] {
    return WithoutTimestamps(GetWithTimestamp(options, key, family));
  }
  const ReadViewHolder::Pin view = from->views().Acquire();
  RETURN_IF_ERROR(CheckSnapshot(*engine_, *view, options));
  ReadCounters& counters = view.counters();
  const ReadTimer timer(counters.gets.value(), engine_->env().clock, &counters.get_durations);
  FilterCounts filter_counts;
  Result<std::optional<Value>> value =
      GetFromView(*view, options, key, MomentOf(*engine_, options), &filter_counts);
  counters.gets.Add(1);
  if (value.ok() && value->has_value()) counters.gets_found.Add(1);
  counters.Count(filter_counts);
  return value;
}

std::vector<Result<std::optional<Value>>> DB::MultiGet(const ReadOptions& options,
                                                       std::span<const std::string_view> keys,
                                                       ColumnFamilyId family) {
  const Result<Family*> from = engine_->ReadableFamily(family);
  if (!from.ok()) return std::vector<Result<std::optional<Value>>>(keys.size(), from.status());
  if ((*from)->timestamp_size() != 0 || options.timestamp) {
    std::vector<Result<std::optional<Value>>> values;
    values.reserve(keys.size());
    for (auto& value : MultiGetWithTimestamps(options, keys, family)) {
      values.push_back(WithoutTimestamps(std::move(value)));
    }
    return values;
  }
  const ReadViewHolder::Pin view = (*from)->views().Acquire();
  const Status may_read = CheckSnapshot(*engine_, *view, options);
  if (!may_read.ok()) return std::vector<Result<std::optional<Value>>>(keys.size(), may_read);
  ReadCounters& counters = view.counters();
  const ReadTimer timer(counters.multigets.value(), engine_->env().clock,
                        &counters.multiget_durations);
  FilterCounts filter_counts;
  auto values = MultiGetFromView(*view, options, keys, MomentOf(*engine_, options),
                                 engine_->multiget_grade(), &filter_counts);
  counters.multigets.Add(1);
  counters.multiget_keys.Add(keys.size());
  uint64_t found = 0;
  for (const auto& value : values) found += value.ok() && value->has_value() ? 1 : 0;
  counters.multiget_keys_found.Add(found);
  counters.Count(filter_counts);
  return values;
}

Result<std::optional<TimestampedValue>> DB::GetWithTimestamp(const ReadOptions& options,
                                                             std::string_view key,
                                                             ColumnFamilyId family) {
  ASSIGN_OR_RETURN(const Family* const from, engine_->ReadableFamily(family));
  const ReadViewHolder::Pin view = from->views().Acquire();
  RETURN_IF_ERROR(CheckSnapshot(*engine_, *view, options));
  RETURN_IF_ERROR(CheckReadTimestamp(*view, options, /*wanted=*/true));
  ReadCounters& counters = view.counters();
  const ReadTimer timer(counters.gets.value(), engine_->env().clock, &counters.get_durations);
  auto value = GetTimestamped(view.Share(), options, key, MomentOf(*engine_, options));
  counters.gets.Add(1);
  if (value.ok() && value->has_value()) counters.gets_found.Add(1);
  return value;
}

std::vector<Result<std::optional<TimestampedValue>>> DB::MultiGetWithTimestamps(
    const ReadOptions& options, std::span<const std::string_view> keys, ColumnFamilyId family) {
  using Read = Result<std::optional<TimestampedValue>>;
  const Result<Family*> from = engine_->ReadableFamily(family);
  if (!from.ok()) return std::vector<Read>(keys.size(), from.status());
  const ReadViewHolder::Pin view = (*from)->views().Acquire();
  Status may_read = CheckSnapshot(*engine_, *view, options);
  if (may_read.ok()) may_read = CheckReadTimestamp(*view, options, /*wanted=*/true);
  if (!may_read.ok()) return std::vector<Read>(keys.size(), may_read);
  ReadCounters& counters = view.counters();
  const ReadTimer timer(counters.multigets.value(), engine_->env().clock,
                        &counters.multiget_durations);
  const Sequence at = MomentOf(*engine_, options);
  std::vector<Read> values;
  values.reserve(keys.size());
  uint64_t found = 0;
  for (const std::string_view key : keys) {
    values.push_back(GetTimestamped(view.Share(), options, key, at));
    found += values.back().ok() && values.back()->has_value() ? 1 : 0;
  }
  counters.multigets.Add(1);
  counters.multiget_keys.Add(keys.size());
  counters.multiget_keys_found.Add(found);
  return values;
}

Result<Sequence> DB::NewestSequence(std::string_view key, ColumnFamilyId family) {
  ASSIGN_OR_RETURN(const Family* const from, engine_->FamilyToRead(family));
  if (from->timestamp_size() != 0) {
    return Status::NotSupported("the newest change of a key with timestamps");
  }
  const ReadViewHolder::Pin view = from->views().Acquire();
  return varve::NewestSequence(*view, key, MomentOf(*engine_, {}));
}

Result<Iterator> DB::NewIterator(const ReadOptions& options, ColumnFamilyId family) {
  ASSIGN_OR_RETURN(const Family* const from, engine_->ReadableFamily(family));
  const ReadViewHolder::Pin view = from->views().Acquire();
  RETURN_IF_ERROR(CheckSnapshot(*engine_, *view, options));
  RETURN_IF_ERROR(CheckReadTimestamp(*view, options, /*wanted=*/false));
  view.counters().iterators.Add(1);
  return Iterator(DbIterator::Create(from->views(), view, engine_->visible(), options));
}

Snapshot DB::GetSnapshot() { return engine_->TakeSnapshot(); }

Result<Snapshot> DB::GetSnapshotAt(Sequence sequence) { return engine_->TakeSnapshotAt(sequence); }

Result<ColumnFamilyId> DB::CreateColumnFamily(const std::string& name,
                                              const ColumnFamilyOptions& options) {
  return engine_->CreateColumnFamily(name, options);
}

Result<std::vector<ColumnFamilyId>> DB::CreateColumnFamilies(std::span<const NewFamily> families) {
  return engine_->CreateColumnFamilies(families);
}

Status DB::DropColumnFamily(ColumnFamilyId family, const DropOptions& options) {
  return engine_->DropColumnFamily(family, options);
}

void DB::ForgetDroppedFamily(ColumnFamilyId family) { engine_->ForgetDroppedFamily(family); }

std::vector<FamilyInfo> DB::Families() const { return engine_->Families(); }

std::optional<ColumnFamilyId> DB::FindFamily(std::string_view name) const {
  return engine_->FindFamily(name);
}

Status DB::Flush(const FlushOptions& options, ColumnFamilyId family) {
  return engine_->Flush(options, family);
}

Status DB::FlushAll() { return engine_->FlushAll(); }

Status DB::CompactRange(const CompactRangeOptions& options, std::optional<std::string_view> begin,
                        std::optional<std::string_view> end, ColumnFamilyId family) {
  return engine_->CompactRange(options, begin, end, family);
}

Status DB::CompactFiles(const CompactFilesOptions& options, std::span<const std::string> names,
                        int output_level, ColumnFamilyId family, CompactionJobInfo* info) {
  return engine_->CompactFiles(options, names, output_level, family, info);
}

Status DB::SyncWal() { return engine_->SyncAllWals(); }

Status DB::PauseBackgroundWork() { return engine_->PauseBackgroundWork(); }

Status DB::ContinueBackgroundWork() { return engine_->ContinueBackgroundWork(); }

Status DB::WaitForBackgroundWork() { return engine_->WaitForBackgroundWork(); }

Status DB::Ingest(const IngestOptions& options, const std::vector<std::string>& paths,
                  ColumnFamilyId family) {
  const FamilyTables tables{family, paths};
  return IngestFamilies(options, {&tables, 1});
}

Status DB::IngestFamilies(const IngestOptions& options, std::span<const FamilyTables> families) {
  return IngestTables(engine_.get(), options, families);
}

Status DB::DeleteFilesInRange(std::optional<std::string_view> begin,
                              std::optional<std::string_view> end, ColumnFamilyId family) {
  return engine_->DeleteFilesInRange(begin, end, family);
}

Status DB::IncreaseFullHistoryTsLow(std::string_view timestamp, ColumnFamilyId family) {
  return engine_->IncreaseFullHistoryTsLow(timestamp, family);
}

Result<std::string> DB::FullHistoryTsLow(ColumnFamilyId family) const {
  return engine_->FullHistoryTsLow(family);
}

std::shared_ptr<const void> DB::HoldFiles() {
  return std::make_shared<const Engine::FileHold>(engine_.get());
}

Status DB::Checkpoint(const std::string& path) { return WriteCheckpoint(engine_.get(), path); }

Status DB::CheckpointOf(const Environment& env, const std::string& directory,
                        const std::string& path) {
  FileSystem* const given = env.file_system;
  return WriteCheckpointOfFiles(given != nullptr ? *given : *NativeEnvironment().file_system,
                                directory, path);
}

Result<ExportedFamily> DB::ExportColumnFamily(const std::string& path, ColumnFamilyId family) {
  return ExportFamily(engine_.get(), family, path);
}

Result<ColumnFamilyId> DB::ImportColumnFamily(const NewFamily& family, const ImportOptions& options,
                                              const ExportedFamily& exported) {
  return ImportFamily(engine_.get(), family, options, exported);
}

Status DB::SetOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                      ColumnFamilyId family) {
  return engine_->SetOptions(changes, family);
}

Status DB::CheckOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                        ColumnFamilyId family) const {
  return engine_->OptionsWith(changes, family).status();
}

Status DB::StoreOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                        ColumnFamilyId family) {
  return engine_->StoreOptions(changes, family);
}

Result<ColumnFamilyOptions> DB::OptionsOf(ColumnFamilyId family) const {
  ASSIGN_OR_RETURN(const Family* const open, engine_->FamilyToRead(family));
  return open->options();
}

const std::string& DB::path() const { return engine_->directory(); }
const RecoveryReport& DB::recovery() const { return engine_->recovery(); }

DbStats DB::Stats() const { return engine_->Stats(); }

std::vector<FamilyStats> DB::StatsOfFamilies() const { return engine_->StatsOfFamilies(); }

std::vector<LevelInfo> DB::Levels(ColumnFamilyId family) const { return engine_->Levels(family); }

Result<std::vector<LiveFile>> DB::LiveFiles(ColumnFamilyId family) const {
  return engine_->LiveFiles(family);
}

Result<std::vector<LogFile>> DB::LogFiles() const { return engine_->LogFiles(); }

Result<uint64_t> DB::ApproximateSize(std::optional<std::string_view> begin,
                                     std::optional<std::string_view> end,
                                     ColumnFamilyId family) const {
  return engine_->ApproximateSize(begin, end, family);
}

}  // namespace varve
