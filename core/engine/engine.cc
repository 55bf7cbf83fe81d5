// SPDX-License-Identifier: Apache-2.0
// Opening and closing, and the interfaces for ingestion and checkpoints. See engine_families.cc and
// engine_maintenance.cc for the rest.
#include "core/engine/engine.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/saturating.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/engine/open/family_options.h"
#include "core/engine/open/identity.h"
#include "core/engine/open/recovery.h"
#include "core/format/table/unique_id.h"
#include "core/fs/complete_environment.h"
#include "core/fs/durable.h"
#include "core/fs/overlay_fs.h"
#include "core/version/database_files.h"
#include "core/version/manifest_origin.h"
#include "core/version/manifest_reader.h"
#include "core/version/table_paths_fs.h"
#include "varve/option_table.h"

namespace varve {
namespace {

// A read-only open races with a writer that replaces MANIFEST, WALs and tables (db-format 1.4).
constexpr int kReadOnlyTriesMax = 10;

// Whether opening may have failed because a writer deleted files in the meantime. Without a writer,
// a missing table that the MANIFEST names is damage.
bool MayHaveVanished(const EngineContext& context, const Status& why) {
  if (why.code() == Code::kCorruption) {
    return context.fs().IsLocked(context.PathOf(std::string(kLockFileName)));
  }
  return why.code() == Code::kNotFound &&
         context.fs().Exists(context.PathOf(std::string(kCurrentFileName)));
}

Status NoSuchFamily(ColumnFamilyId id) {
  return Status::InvalidArgument("there is no column family " + std::to_string(id));
}

}  // namespace

Engine::Engine(const Options& options, const Grades& grades, const std::string& path, OpenMode mode)
    : given_(options), stored_(context_), gc_(context_), wals_(context_) {
  context_.options = options;
  context_.grades = grades;
  context_.options.env = Complete(options.env);
  context_.directory = path;
  context_.read_only = mode == OpenMode::kReadOnly;
  UsePaths();
  if (context_.read_only) {
    FileSystem& below = *context_.options.env.file_system;
    overlay_fs_ = {NewOverlayFileSystem(below).release(),
                   [paths = paths_fs_](FileSystem* overlay) { delete overlay; }};
    context_.options.env.file_system = overlay_fs_.get();
  }
  context_.snapshots = SnapshotList::Create(context_.visible);
}

void Engine::UsePaths() {
  Options& options = context_.options;
  UnifyNames(context_.directory, &options.db_paths);
  CompletePaths(options, context_.directory, &options.family);
  for (auto& [name, family] : options.families) CompletePaths(options, context_.directory, &family);
  const std::vector<std::string> paths = AllPaths(options);
  if (paths.empty()) return;
  paths_fs_ = NewTablePathsFileSystem(*options.env.file_system, context_.directory, paths);
  options.env.file_system = context_.table_paths = paths_fs_.get();
}

// With the directory locked.
Status Engine::MakePaths() {
  FileSystem& fs = context_.fs();
  for (const std::string& path : AllPaths(context_.options)) {
    if (path == context_.directory) continue;
    if (fs.Exists(JoinPath(path, std::string(kCurrentFileName)))) {
      return Status::InvalidArgument(path +
                                     ": is the directory of another database, and none of "
                                     "db_paths or cf_paths");
    }
    const bool was_there = fs.Exists(path);
    RETURN_IF_ERROR(fs.CreateDirectory(path));
    RETURN_IF_ERROR(SyncNameOfDirectory(fs, path, was_there));
  }
  return Status::Ok();
}

// Requires complete options.
void Engine::MakeCaches() {
  const Options& options = context_.options;
  // The one kind of BlockCache.
  context_.blocks = std::static_pointer_cast<ClockCache>(options.block_cache);
  if (context_.blocks == nullptr) {
    context_.blocks = std::make_shared<ClockCache>(options.block_cache_bytes);
  }
  context_.tables = std::make_unique<TableCache>(
      context_.fs(), context_.directory, context_.blocks, options.max_open_files,
      options.use_direct_reads,
      TableGrades{.partition_search = context_.grades.partition_search,
                  .block_form = context_.grades.block_form,
                  .file_search = context_.grades.file_search,
                  .protect_metadata = options.cache_metadata_with_high_priority});
  context_.blobs = std::make_shared<BlobReader>(context_.fs(), context_.directory);
}

Result<std::unique_ptr<Engine>> Engine::Open(const Options& options, const Grades& grades,
                                             const std::string& path, OpenMode mode,
                                             RecoveryReport* report, JobListener* listener) {
  return Open(options, grades, path, mode, report, {.listener = listener});
}

Result<std::unique_ptr<Engine>> Engine::Open(const Options& options, const Grades& grades,
                                             const std::string& path, OpenMode mode,
                                             RecoveryReport* report, const Beside& beside) {
  RETURN_IF_ERROR(ValidateOptions(options));
  RecoveryReport unseen;
  if (report == nullptr) report = &unseen;
  for (int tries = 1;; ++tries) {
    *report = RecoveryReport();
    std::unique_ptr<Engine> engine(new Engine(options, grades, path, mode));
    engine->context_.listener = beside.listener;
    Status started = engine->Start(report, beside.earlier);
    engine->recovery_ = *report;
    if (started.ok()) return engine;
    const bool again = mode == OpenMode::kReadOnly && MayHaveVanished(engine->context_, started);
    if (!again || tries >= kReadOnlyTriesMax) return started;
  }
}

Status Engine::LockDirectory(RecoveryReport* report) {
  CHECK(!context_.read_only, "locking a directory creates files in it");
  const bool create = context_.options.create_if_missing;
  const std::string current = context_.PathOf(std::string(kCurrentFileName));
  if (!context_.fs().Exists(current) && !create) {
    return MissingCurrent(context_.fs(), context_.directory);
  }
  const bool was_there = context_.fs().Exists(context_.directory);
  if (create) RETURN_IF_ERROR(context_.fs().CreateDirectory(context_.directory));
  const std::string lock = context_.PathOf(std::string(kLockFileName));
  // If opening is refused, the directory must stay unchanged, without even a new lock file. (A lock
  // file that was created is never removed: another process may be waiting for it.)
  if (!context_.fs().Exists(lock)) {
    // A writer that started meanwhile may have removed files that were to be read.
    RecoveryReport seen;
    Status checked = CheckUnlocked(&seen);
    if (!checked.ok() && !context_.fs().Exists(lock)) {
      *report = std::move(seen);
      return checked;
    }
    checked.Ignore("what is wrong is found again, or that the database is busy");
  }
  ASSIGN_OR_RETURN(lock_, context_.fs().Lock(lock));
  const bool exists = context_.fs().Exists(current);
  if (exists) RETURN_IF_ERROR(CheckNew());
  RETURN_IF_ERROR(MakePaths());
  if (exists) return Status::Ok();
  RETURN_IF_ERROR(SyncNameOfDirectory(context_.fs(), context_.directory, was_there));
  return Recovery::Create(context_);
}

Status Engine::CheckNew() const {
  if (!context_.options.error_if_exists) return Status::Ok();
  return Status::InvalidArgument(context_.directory + ": the database exists already");
}

// Everything that recovery rejects before it replays WALs. Without a lock file there is no writer.
Status Engine::CheckUnlocked(RecoveryReport* report) const {
  CHECK(lock_ == nullptr);
  if (HoldsLevelDb(context_.fs(), context_.directory)) {
    return RefuseToWriteLevelDb(context_.directory);
  }
  if (!context_.fs().Exists(context_.PathOf(std::string(kCurrentFileName)))) return Status::Ok();
  RETURN_IF_ERROR(CheckNew());
  Engine trial(context_.options, context_.grades, context_.directory, OpenMode::kReadWrite);
  RETURN_IF_ERROR(trial.stored_.Load(&trial.context_.options));
  trial.MakeCaches();
  return Recovery(trial.context_, trial.stored_, report).Check();
}

Status Engine::Start(RecoveryReport* report, TableCache* earlier) {
  if (!context_.read_only) RETURN_IF_ERROR(LockDirectory(report));
  RETURN_IF_ERROR(stored_.Load(&context_.options));
  MakeCaches();
  context_.tables->TakeReadersOf(earlier);
  Random& random = *context_.options.env.random;
  // Two statements, so that the order of draws does not depend on the compiler.
  const uint64_t upper = random.Next64();
  context_.db_session_id = MakeSessionId(upper, random.Next64() | 1);
  ASSIGN_OR_RETURN(context_.db_id, ReadIdentity(context_.fs(), context_.directory));
  RETURN_IF_ERROR(Recover(report));
  if (earlier != nullptr) TakeOpenTables(earlier);
  context_.tables->TakeReadersOf(nullptr);
  MutexLock lock(context_.mutex());
  for (const FamilyState& family : log_->state().families.all()) {
    Family* const open = context_.families.Find(family.id);
    if (context_.read_only) open->SetSnapshots(context_.snapshots);
    open->Publish(family.version);
  }
  if (background_ != nullptr) background_->Reconsider();
  return Status::Ok();
}

// Recovery's references to Versions are gone when this returns: the first compaction may start at
// once, and its inputs must be deleted with it.
Status Engine::Recover(RecoveryReport* report) {
  Recovery recovery(context_, stored_, report);
  RETURN_IF_ERROR(recovery.Run());
  report->option_notes = stored_.TakeNotes();
  context_.shared = true;
  if (!context_.read_only) return StartWriting(&recovery);
  DatabaseState state = recovery.state();
  PinFiles(&state);
  log_ = std::make_unique<VersionLog>(context_, gc_, std::move(state), recovery.next_file_number());
  const bool live = context_.fs().IsLocked(context_.PathOf(std::string(kLockFileName)));
  if (!live) return Status::Ok();
  LeaveOutUnfinished(report);
  // The files stay pinned, unless the writer has only just started.
  HeldFiles held(context_.fs(), context_.directory, context_.tables.get(), context_.blobs.get());
  return held.Hold(recovery.state());
}

Status Engine::StartWriting(Recovery* recovery) {
  ASSIGN_OR_RETURN(const std::optional<WalExtent> prepared, recovery->LogPrepared());
  const uint64_t first_wal = recovery->NewFileNumber();
  ASSIGN_OR_RETURN(std::unique_ptr<ManifestWriter> manifest, recovery->WriteManifest(first_wal));
  gc_.Sweep(recovery->state(), manifest->number(), recovery->entries());
  log_ =
      std::make_unique<VersionLog>(context_, gc_, recovery->state(), recovery->next_file_number());
  log_->Begin(std::move(manifest));
  background_ = std::make_unique<Background>(context_, *log_, gc_, wals_);
  writes_ = std::make_unique<WritePath>(context_, *log_, *background_, wals_);
  SetWalLimit();
  if (prepared) {
    MutexLock lock(context_.mutex());
    wals_.Hold(*prepared);
  }
  {
    const WritePath::Lead lead(*writes_);
    RETURN_IF_ERROR(wals_.Roll(first_wal));
  }
  if (context_.options.create_missing_column_families) RETURN_IF_ERROR(CreateMissingFamilies());
  MutexLock storing(stored_.mutex());
  RETURN_IF_ERROR(StoreFamilies());
  stored_.RemoveUnfinished();
  return Status::Ok();
}

void Engine::SetWalLimit() {
  uint64_t limit = context_.options.max_total_wal_size;
  if (limit == 0) {
    for (const Family* family : context_.families.all()) {
      if (family->dropped()) continue;
      const auto memtables = static_cast<uint64_t>(family->options().max_write_buffer_number);
      const uint64_t bytes = SaturatingMultiply(family->options().write_buffer_size, 4 * memtables);
      limit += std::min(bytes, std::numeric_limits<uint64_t>::max() - limit);
    }
  }
  context_.wal_bytes_limit.store(limit, std::memory_order_relaxed);
}

Engine::~Engine() {
  Close().Ignore("a caller who wants to know calls Close()");
  DCHECK_OP(context_.snapshots->count(), ==, 0);
}

Status Engine::Close() {
  MutexLock until_closed(closing());
  if (closed_) return Status::Ok();
  closed_ = true;
  Status closed = writes_ == nullptr ? Status::Ok() : StopWriting();
  context_.errors.Shut();
  lock_.reset();
  return closed;
}

Status Engine::StopWriting() {
  background_->EndStalls();
  // Kept until the end: every write is either admitted before this and flushed or logged, or
  // refused.
  const WritePath::Lead lead(*writes_);
  Status flushed = FlushUnlogged(FlushReason::kClosing);
  if (flushed.ok()) flushed = FlushTimestamped(FlushReason::kClosing);
  background_->Stop();
  Status closed = context_.errors.CheckWritable();
  if (closed.ok()) closed = wals_.Close();
  context_.errors.Shut();
  return closed.ok() ? flushed : closed;
}

Status Engine::Write(const WriteOptions& options, WriteBatch* batch) {
  RETURN_IF_ERROR(CheckWritable());
  // Sample roughly one write in N.
  const bool timed = context_.stats.batches_written.value() % kTimedOneOf == 0;
  if (!timed) return writes_->Write(options, batch);
  const uint64_t begin = context_.clock().NowNanos();
  Status written = writes_->Write(options, batch);
  context_.stats.write_durations.Record(context_.clock().NowNanos() - begin);
  return written;
}

// Without it, nothing is prepared that a later opening would be refused for.
Status Engine::CheckMayPrepare() const {
  RETURN_IF_ERROR(CheckWritable());
  if (context_.options.allow_2pc) return Status::Ok();
  return Status::InvalidArgument("allow_2pc is not set: no transactions are prepared");
}

Status Engine::Prepare(const WriteOptions& options, const std::string& name,
                       const WriteBatch& batch) {
  RETURN_IF_ERROR(CheckMayPrepare());
  return writes_->Prepare(options, name, batch);
}

Status Engine::CommitPrepared(const WriteOptions& options, const std::string& name,
                              const WriteBatch& more) {
  RETURN_IF_ERROR(CheckMayPrepare());
  return writes_->CommitPrepared(options, name, more);
}

Status Engine::RollbackPrepared(const WriteOptions& options, const std::string& name) {
  RETURN_IF_ERROR(CheckMayPrepare());
  return writes_->RollbackPrepared(options, name);
}

std::vector<PreparedTransaction> Engine::PreparedTransactions() const {
  MutexLock lock(context_.mutex());
  return context_.prepared.List();
}

Family* Engine::FindFamily(ColumnFamilyId id) const { return context_.families.Find(id); }

Result<Family*> Engine::FamilyToRead(ColumnFamilyId id) const {
  ASSIGN_OR_RETURN(Family* const family, ReadableFamily(id));
  if (family->dropped()) return NoSuchFamily(id);
  return family;
}

Result<Family*> Engine::ReadableFamily(ColumnFamilyId id) const {
  RETURN_IF_ERROR(context_.errors.CheckReadable());
  Family* family = context_.families.Find(id);
  if (family == nullptr || !family->readable()) return NoSuchFamily(id);
  if (family->comparator() == nullptr) {
    return UnknownOrder("column family " + EscapeForDisplay(family->name()),
                        family->comparator_name());
  }
  return family;
}

Status Engine::CheckWritable() const {
  if (context_.read_only) return Status::NotSupported("the database is open read-only");
  return context_.errors.CheckWritable();
}

FileNumber Engine::NewFileNumber() { return log_->NewFileNumber(); }

// In a read-only database, either before CatchUp() replaces what there is, or after.
Snapshot Engine::TakeSnapshot() {
  if (!context_.read_only) return context_.snapshots->Take();
  MutexLock lock(context_.mutex());
  return context_.snapshots->Take();
}

Result<Snapshot> Engine::TakeSnapshotAt(Sequence sequence) {
  if (!context_.read_only) return context_.snapshots->TakeAt(sequence);
  MutexLock lock(context_.mutex());
  return context_.snapshots->TakeAt(sequence);
}

Engine::FileHold::FileHold(Engine* engine) : engine_(engine) { engine_->gc_.Hold(); }
Engine::FileHold::FileHold(FileHold&& other) noexcept
    : engine_(std::exchange(other.engine_, nullptr)) {}
Engine::FileHold::~FileHold() {
  if (engine_ != nullptr) engine_->gc_.Release();
}

Engine::CompactionHold::CompactionHold(Engine* engine) : engine_(engine) {
  engine_->background_->HoldCompactions();
}
Engine::CompactionHold::~CompactionHold() { engine_->background_->ReleaseCompactions(); }
std::vector<Background::OutputRange> Engine::CompactionHold::RunningOutputs(
    const Family& family) const {
  return engine_->background_->RunningOutputs(family);
}

Status Engine::SyncWal() {
  // If an earlier sync failed, a later one that succeeds does not mean that its data is durable.
  RETURN_IF_ERROR(context_.errors.CheckWritable());
  Status synced = wals_.Sync();
  if (synced.ok()) return synced;
  context_.errors.CloseWrites(synced);
  MutexLock lock(context_.mutex());
  context_.changed.NotifyAll();
  return synced;
}

// Writes that are in no WAL would be lost at closing, and missing from a copy.
Status Engine::FlushUnlogged(FlushReason reason) {
  if (!writes_->has_unlogged_writes()) return Status::Ok();
  const std::vector<Family*> families = LiveFamilies();
  RETURN_IF_ERROR(writes_->Switch(families, reason));
  Status first;  // If one family cannot be flushed, still flush the others.
  for (Family* family : families) {
    Status flushed = AwaitFlushed({family});
    if (first.ok()) first = std::move(flushed);
  }
  if (!first.ok()) return first;
  {
    MutexLock lock(context_.mutex());
    for (const Family* family : families) CHECK(family->AllFlushed());
  }
  writes_->AllFlushed();
  return first;
}

// RocksDB since 8.3 takes keys in a WAL for keys without timestamps, unless the WAL says otherwise
// in a record that earlier releases refuse. So what is closed leaves none behind.
Status Engine::FlushTimestamped(FlushReason reason) {
  std::vector<Family*> families;
  {
    MutexLock lock(context_.mutex());
    for (Family* family : LiveFamilies()) {
      if (family->timestamp_size() != 0 && !family->AllFlushed()) families.push_back(family);
    }
  }
  if (families.empty()) return Status::Ok();
  RETURN_IF_ERROR(writes_->Switch(families, reason));
  return AwaitFlushed(families);
}

Status Engine::FlushPaused(Family& family) {
  Family* const one[] = {&family};
  RETURN_IF_ERROR(writes_->Switch(one, FlushReason::kIngestion));
  RETURN_IF_ERROR(AwaitFlushed({&family}));
  MutexLock lock(context_.mutex());
  CHECK(family.AllFlushed());
  return Status::Ok();
}

void Engine::PublishSequence(Sequence sequence) {
  CHECK_OP(sequence, >=, context_.visible.load(std::memory_order_relaxed));
  CHECK_OP(sequence, <=, kMaxSequence);
  context_.visible.store(sequence, std::memory_order_release);
}

Status Engine::Log(std::vector<VersionEdit> edits) {
  RETURN_IF_ERROR(log_->Log([&edits] { return std::move(edits); }, [] {}));
  MutexLock lock(context_.mutex());
  background_->Reconsider();
  return Status::Ok();
}

uint64_t Engine::NewEpoch(Family& family) {
  MutexLock lock(context_.mutex());
  return log_->NewEpoch(family.id());
}

Result<Engine::Moment> Engine::CaptureMoment() {
  RETURN_IF_ERROR(CheckWritable());
  FileHold hold(this);
  const WritePause pause(this);
  RETURN_IF_ERROR(FlushUnlogged(FlushReason::kCopy));
  RETURN_IF_ERROR(FlushTimestamped(FlushReason::kCopy));
  RETURN_IF_ERROR(SyncWal());
  CHECK(!writes_->has_unlogged_writes(), "the copy has only tables and WALs");
  std::optional<OptionsFile> options;
  {
    MutexLock storing(stored_.mutex());
    if (!stored_.empty()) options = stored_.FileOf(FamiliesForOptions());
  }
  MutexLock lock(context_.mutex());
  Moment moment{std::move(hold), log_->state(), std::move(options), {}};
  moment.state.counters.next_file_number = log_->next_file_number();
  moment.state.counters.last_sequence = context_.visible.load(std::memory_order_relaxed);
  for (const std::vector<WalExtent>* const list : {&wals_.held(), &wals_.closed()}) {
    for (const WalExtent& wal : *list) {
      if (wal.number >= moment.state.MinLogToReplay()) moment.wals.push_back(wal);
    }
  }
  CHECK(moment.wals.empty() || moment.wals.back().number < wals_.present_number());
  moment.wals.push_back({wals_.present_number(), wals_.present_size()});
  return moment;
}

}  // namespace varve
