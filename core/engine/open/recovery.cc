// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open/recovery.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/compaction/flush_job.h"
#include "core/engine/jobs/job_for.h"
#include "core/engine/open/family_options.h"
#include "core/engine/open/identity.h"
#include "core/engine/open/options_store.h"
#include "core/engine/open/spill.h"
#include "core/engine/open/wal_replay.h"
#include "core/format/limits.h"
#include "core/format/log/two_phase.h"
#include "core/format/log/write_batch_format.h"
#include "core/fs/durable.h"
#include "core/fs/file_copy.h"
#include "core/version/database_files.h"
#include "core/version/manifest_origin.h"
#include "core/version/manifest_reader.h"
#include "core/version/table_paths_fs.h"
#include "core/version/version_builder.h"
#include "core/wal/log_writer.h"

namespace varve {
namespace {

// Replayed bytes between two checks of memory usage.
constexpr uint64_t kBytesBetweenLooks = 1 << 20;
// At most the size of the smallest batch with an entry: one family is checked per batch.
constexpr uint64_t kBytesPerFamilyLookedAt = 16;

constexpr std::string_view kLostDirectory = "lost";
constexpr int kNamesTriedMax = 1000;

}  // namespace

Recovery::Recovery(EngineContext& context, OptionsStore& stored, RecoveryReport* report)
    : context_(context), stored_(stored), report_(report) {}

Status Recovery::Create(const EngineContext& context) {
  Status missing = MissingCurrent(context.fs(), context.directory);
  if (missing.code() != Code::kNotFound) return missing;
  RETURN_IF_ERROR(
      WriteIdentity(context.fs(), context.directory, NewDatabaseId(*context.options.env.random)));
  // A database with CURRENT always has its options.
  RETURN_IF_ERROR(OptionsStore::Create(context));
  const ColumnFamilyOptions& options = OptionsOf(context.options, "default");
  FamilyState family;
  family.name = "default";
  family.comparator = options.comparator == nullptr ? BytewiseComparator() : options.comparator;
  family.comparator_name = std::string(family.comparator->name());
  family.version = EmptyVersion(*family.comparator, nullptr, options);
  DatabaseState state;
  state.families.Add(std::move(family));
  return ManifestWriter::Create(context.fs(), context.directory, 1, state, {}).status();
}

Status Recovery::Check() {
  RETURN_IF_ERROR(ReadFiles());
  RETURN_IF_ERROR(CheckFiles());
  for (const FamilyState& family : state_.families.all()) {
    RETURN_IF_ERROR(CheckFamily(family, OptionsOf(context_.options, family.name)));
  }
  return context_.options.accept_loss ? Status::Ok() : CheckDamage();
}

Status Recovery::Run() {
  context_.AssertNotShared();
  RETURN_IF_ERROR(ReadFiles());
  RETURN_IF_ERROR(CheckFiles());
  RETURN_IF_ERROR(OpenFamilies());
  return ReplayWals();
}

// RocksDB keeps tables within the levels of its options, but an OPTIONS file may be outdated or
// written by hand.
void Recovery::FitLevels(Options* completed) {
  const auto kept = [&](const std::string& name) { return OptionsOf(*completed, name).num_levels; };
  const auto given = [&](const std::string& name) {
    return OptionsOf(context_.options, name).num_levels;
  };
  const bool fewer =
      std::any_of(completed->families.begin(), completed->families.end(),
                  [&](const auto& family) { return kept(family.first) < given(family.first); });
  if (!fewer) return;
  const auto manifest =
      ReadManifest(context_.fs(), context_.directory, context_.options, /*tables=*/nullptr);
  if (!manifest.ok()) return;  // Whatever the error is, it is not caused by the levels.
  for (const FamilyState& family : manifest->state.families.all()) {
    int needed = 0;
    for (int level = 0; level < family.version->num_levels(); ++level) {
      if (!family.version->files(level).empty()) needed = level + 1;
    }
    if (needed <= kept(family.name)) continue;
    stored_.Note("column family " + EscapeForDisplay(family.name) + ": num_levels is kept as " +
                 std::to_string(kept(family.name)) + ", but there are tables in level " +
                 std::to_string(needed - 1) + "; " + std::to_string(given(family.name)) +
                 " is used instead");
    completed->families[family.name].num_levels = given(family.name);
  }
}

Status Recovery::ReadFiles() {
  completed_ = context_.options;
  stored_.CompleteFamilies(&completed_);
  FitLevels(&completed_);
  HeldFiles held(context_.fs(), context_.directory, context_.tables.get(), context_.blobs.get());
  OtherWriters others = OtherWriters::kNone;
  HoldFiles hold;
  if (context_.read_only) {
    others = OtherWriters::kPossible;
    hold = [&](const DatabaseFiles& files) {
      SettlePlaces(files.manifest.state);
      return held.Hold(files.manifest.state);
    };
  }
  ASSIGN_OR_RETURN(DatabaseFiles files,
                   ReadDatabaseFiles(context_.fs(), context_.directory, completed_,
                                     context_.tables.get(), others, hold));
  const RecoveredManifest& manifest = files.manifest;
  if (manifest.leveldb && !context_.read_only) return RefuseToWriteLevelDb(context_.directory);
  if (manifest.torn_bytes > 0) {
    report_->losses.push_back({.file = ManifestFileName(manifest.number),
                               .offset = manifest.file_size - manifest.torn_bytes,
                               .bytes = manifest.torn_bytes,
                               .reason = "an unfinished record at the end",
                               .unfinished = true});
  }
  for (RecoveryLoss& loss : LostWals(files)) report_->losses.push_back(std::move(loss));
  state_ = std::move(files.manifest.state);
  entries_ = std::move(files.entries);
  if (SettlePlaces(state_)) {
    ASSIGN_OR_RETURN(entries_, context_.fs().List(context_.directory));
  }
  wals_ = std::move(files.wals);
  held.LetGoOfOthers(state_);
  return NoteNames();
}

// Of tables at several places, the one in the path that the MANIFEST names, if its size is right;
// else another one of that size. Returns whether there are such tables.
bool Recovery::SettlePlaces(const DatabaseState& state) const {
  if (context_.table_paths == nullptr) return false;
  bool any = false;
  for (const FamilyState& family : state.families.all()) {
    const ColumnFamilyOptions& options = OptionsOf(completed_, family.name);
    for (int level = 0; level < family.version->num_levels(); ++level) {
      for (const FilePtr& file : family.version->files(level)) {
        any |= SettlePlace(file->description, options);
      }
    }
  }
  return any;
}

bool Recovery::SettlePlace(const FileDescription& table, const ColumnFamilyOptions& options) const {
  const std::string name = TableFileName(table.number);
  const auto copies = context_.table_paths->CopiesOf(name);
  if (copies.size() < 2) return false;
  const bool known = table.path_id < options.cf_paths.size();
  const std::string own =
      JoinPath(known ? options.cf_paths[table.path_id].path : context_.directory, name);
  const auto rank = [&](const TablePathsFileSystem::Copy& copy) {
    return (copy.size == table.size ? 2 : 0) + (copy.place == own ? 1 : 0);
  };
  const auto best = std::ranges::max_element(copies, {}, rank);
  context_.table_paths->Settle(name, best->place);
  return true;
}

// Reading accepts any counters, but writing needs room to increase them: otherwise the next opening
// could not read the numbers that this one assigns.
Status Recovery::NoteNames() {
  next_file_number_ = state_.counters.next_file_number;
  const uint64_t limit = context_.read_only ? 2 * kFileNumberMax : kFileNumberMax;
  for (const DirectoryEntry& entry : entries_) {
    if (entry.is_directory) continue;
    const std::optional<FileName> name = ParseFileName(entry.name);
    if (!name || name->kind == FileKind::kInfoLog) continue;
    if (name->number >= limit) {
      return Status::Corruption(context_.PathOf(entry.name) + ": file numbers must not exceed " +
                                std::to_string(limit - 1));
    }
    next_file_number_ = std::max(next_file_number_, name->number + 1);
  }
  if (next_file_number_ <= limit) return Status::Ok();
  return Status::Corruption(context_.directory + ": the next file number is " +
                            std::to_string(next_file_number_) + ", but must not exceed " +
                            std::to_string(limit));
}

Status Recovery::CheckFiles() const {
  const TablePlaces places(context_.fs(), context_.directory, entries_);
  for (const FamilyState& family : state_.families.all()) {
    for (int level = 0; level < family.version->num_levels(); ++level) {
      for (const FilePtr& file : family.version->files(level)) {
        RETURN_IF_ERROR(CheckTable(places, file->description));
      }
    }
  }
  return Status::Ok();
}

Status Recovery::CheckTable(const TablePlaces& places, const FileDescription& table) const {
  const TablePlace place = places.Of(table);
  // RocksDB took over a LevelDB database and left its tables under their old names.
  if (place.name == TableLdbFileName(table.number) && !context_.read_only) {
    return RefuseToWriteLevelDb(context_.directory);
  }
  return place.status;
}

Status Recovery::CheckFamily(const FamilyState& family, const ColumnFamilyOptions& options) const {
  if (options.comparator != nullptr && !family.comparator_name.empty() &&
      options.comparator->name() != family.comparator_name) {
    return Status::InvalidArgument("column family " + EscapeForDisplay(family.name) +
                                   " is ordered by " + EscapeForDisplay(family.comparator_name) +
                                   ", not by " + std::string(options.comparator->name()));
  }
  if (context_.read_only) return Status::Ok();
  if (family.comparator == nullptr) {
    return UnknownOrder("column family " + EscapeForDisplay(family.name), family.comparator_name);
  }
  if (family.persist_user_timestamps == false) {
    return Status::NotSupported("column family " + EscapeForDisplay(family.name) +
                                " has user-defined timestamps that its tables do not keep");
  }
  return Status::Ok();
}

Status Recovery::OpenFamilies() {
  for (const FamilyState& stored : state_.families.all()) {
    FamilyState& family = *state_.families.Find(stored.id);
    RETURN_IF_ERROR(CheckFamily(family, OptionsOf(context_.options, family.name)));
    // RocksDB names the comparator of the default family when it first opens a new database: not
    // yet in one whose making was cut short.
    if (family.comparator_name.empty()) {
      family.comparator_name = std::string(family.comparator->name());
    }
    const ColumnFamilyOptions options =
        ResolveFamilyOptions(OptionsOf(completed_, family.name), family, stored_);
    Family* open = context_.families.Add(
        std::make_unique<Family>(family.id, family.name, options, family.comparator_name,
                                 context_.blobs, context_.readahead(), context_.memtable_grades()));
    if (family.comparator != nullptr) open->Begin(open->NewMemTable(), 0);
    if (open->timestamp_size() != 0) {
      std::string low = family.full_history_ts_low.value_or("");
      if (!low.empty() && low.size() != open->timestamp_size()) {
        return Status::Corruption("column family " + EscapeForDisplay(family.name) +
                                  ": full_history_ts_low has " + std::to_string(low.size()) +
                                  " bytes");
      }
      open->SetFullHistoryTsLow(std::move(low));
    }
  }
  return Status::Ok();
}

Status Recovery::ReplayWals() {
  const auto bound_memory = [this](uint64_t bytes) REQUIRES(write_lead, engine_mutex) {
    return context_.read_only ? SpillLarge(bytes) : FlushFull(bytes);
  };
  WalReplay replay(context_, state_, report_, bound_memory);
  Status replayed = replay.Run(std::move(wals_));
  if (replayed.ok()) replayed = NotePrepared(replay.prepared());
  if (replayed.ok() && !context_.read_only) replayed = CheckDamage();
  if (!replayed.ok()) {
    if (!context_.read_only) RemoveNewTables();
    return replayed;
  }
  next_in_wals_ = replay.next();
  // Also those before a batch without changes were used; RocksDB takes them for used as well.
  const Sequence in_wals = next_in_wals_ > 0 ? next_in_wals_ - 1 : 0;
  state_.counters.last_sequence = std::max(state_.counters.last_sequence, in_wals);
  state_.counters.max_family = std::max(state_.counters.max_family, replay.highest_family());
  context_.visible.store(state_.counters.last_sequence, std::memory_order_release);
  if (!context_.read_only) RETURN_IF_ERROR(FlushAll());
  RETURN_IF_ERROR(InstallTables());
  if (!context_.read_only) return Status::Ok();
  for (Family* family : context_.families.all()) family->Freeze();
  return Status::Ok();
}

// --- prepared transactions

// RocksDB gives the keys of a section their timestamps when it is committed; until then they have
// none.
Status Recovery::CheckPrepared(const std::string& name, const WriteBatch& batch) const {
  BatchReader in(batch.bytes());
  BatchRecord record;
  while (in.Next(&record)) {
    if (record.kind != BatchRecordKind::kEntry) continue;
    const Family* const family = context_.families.Find(record.family);
    if (family == nullptr || family->timestamp_size() == 0) continue;
    return Status::NotSupported(context_.directory + ": the prepared transaction '" +
                                EscapeForDisplay(name) + "' has keys with timestamps");
  }
  return in.status();
}

Status Recovery::NotePrepared(const PreparedSections& prepared) {
  const PreparedSections::Map& pending = prepared.pending();
  if (!pending.empty() && !context_.read_only && !context_.options.allow_2pc) {
    return Status::NotSupported(
        context_.directory + ": prepared transactions wait for a decision (" +
        std::to_string(pending.size()) + ", the first one is '" +
        EscapeForDisplay(pending.begin()->first) +
        "'). Open it as RocksDB's TransactionDB (allow_2pc) to commit them or roll them back");
  }
  for (const auto& [name, section] : pending) {
    if (!context_.read_only) RETURN_IF_ERROR(CheckPrepared(name, section.batch));
    RETURN_IF_ERROR(
        context_.prepared.Begin(name, std::make_shared<const WriteBatch>(section.batch)));
    context_.prepared.Logged(name, section.wal);
  }
  return Status::Ok();
}

Result<std::optional<WalExtent>> Recovery::LogPrepared() {
  std::vector<PreparedTransaction> transactions;
  {
    MutexLock lock(context_.mutex());
    transactions = context_.prepared.List();
    if (transactions.empty()) return std::optional<WalExtent>();
    prepared_wal_ = NewFileNumber();
    context_.prepared.AllMovedTo(prepared_wal_);
  }
  ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file,
                   context_.fs().Create(context_.PathOf(WalFileName(prepared_wal_)),
                                        /*direct=*/false));
  LogWriter log(std::move(file));
  // If this opening is cut short, the next one reads this log behind the old ones. It continues
  // their numbers, as nothing is missing between them even if one of them ends torn; and it forgets
  // what they have prepared first: RocksDB's assertions end a process that meets a name twice.
  for (const PreparedTransaction& transaction : transactions) {
    WriteBatch record = RollbackMark(transaction.name);
    record.Append(PreparedSection(transaction.changes, transaction.name));
    StampBatch(&record.mutable_bytes(), next_in_wals_);
    RETURN_IF_ERROR(log.Append(record.bytes()));
  }
  RETURN_IF_ERROR(log.Sync());
  RETURN_IF_ERROR(SyncDirectory(context_.fs(), context_.directory));
  const WalExtent extent{prepared_wal_, log.size()};
  RETURN_IF_ERROR(log.Close());
  return std::optional<WalExtent>(extent);
}

// --- damage

Status Recovery::CheckDamage() const {
  const auto damage = std::find_if(report_->losses.begin(), report_->losses.end(),
                                   [](const RecoveryLoss& loss) { return loss.damage; });
  if (damage == report_->losses.end()) return Status::Ok();
  if (context_.options.accept_loss) return KeepDamagedLogs();
  return Status::Corruption(
      context_.PathOf(damage->file) + "@" + std::to_string(damage->offset) + ": " + damage->reason +
      ". Writing would drop the " + std::to_string(damage->bytes) +
      " bytes that cannot be replayed: read without them (read-only), or continue without them "
      "(accept_loss; the log is then kept in " +
      std::string(kLostDirectory) + "/)");
}

// Removes the files that a refused recovery wrote, so that the directory is unchanged.
void Recovery::RemoveNewTables() const {
  for (const VersionEdit& edit : new_tables_) {
    for (const VersionEdit::NewFile& added : edit.new_files) {
      RemoveObsoleteFile(context_.fs(), context_.PathOf(TableFileName(added.file.number)));
    }
    for (const BlobFileAddition& added : edit.blob_additions) {
      RemoveObsoleteFile(context_.fs(), context_.PathOf(BlobFileName(added.number)));
    }
  }
}

// Links each damaged log under a second name in lost/, where neither this engine nor RocksDB looks
// for logs. The first name is removed with the WALs before the new MANIFEST; after a crash before
// that, both exist.
Status Recovery::KeepDamagedLogs() const {
  CHECK(!context_.read_only);
  FileSystem& fs = context_.fs();
  const std::string directory = context_.PathOf(std::string(kLostDirectory));
  RETURN_IF_ERROR(fs.CreateDirectory(directory));
  std::set<std::string> names;
  for (const RecoveryLoss& loss : report_->losses) {
    if (loss.damage && fs.Exists(context_.PathOf(loss.file))) names.insert(loss.file);
  }
  for (const std::string& name : names) {
    std::string kept = JoinPath(directory, name);
    for (int i = 1; fs.Exists(kept); ++i) {
      if (i == kNamesTriedMax) return Status::Busy(kept + ": too many logs are kept there already");
      kept = JoinPath(directory, name + "." + std::to_string(i));
    }
    ASSIGN_OR_RETURN(const uint64_t size, fs.FileSize(context_.PathOf(name)));
    RETURN_IF_ERROR(LinkOrCopyFile(fs, context_.PathOf(name), kept, size));
  }
  RETURN_IF_ERROR(SyncDirectory(fs, directory));
  return SyncDirectory(fs, context_.directory);
}

// --- out of memory, into tables

// Bounds the memory used by replay, however long the WALs are. Checking memory takes time
// proportional to the replayed bytes, however many families there are.
Status Recovery::FlushFull(uint64_t batch_bytes) {
  bytes_since_look_ += batch_bytes;
  if (bytes_since_look_ < kBytesPerFamilyLookedAt * context_.families.all().size()) {
    return Status::Ok();
  }
  bytes_since_look_ = 0;
  for (Family* family : context_.families.all()) {
    if (family->memtable()->MemoryUsage() >= family->options().write_buffer_size &&
        !family->memtable()->empty()) {
      RETURN_IF_ERROR(FlushFamily(family));
    }
  }
  return Status::Ok();
}

Status Recovery::FlushAll() {
  for (Family* family : context_.families.all()) {
    if (!family->memtable()->empty()) RETURN_IF_ERROR(FlushFamily(family));
    CHECK(family->AllFlushed(), "WriteManifest() says that no WAL is needed");
  }
  return Status::Ok();
}

Status Recovery::FlushFamily(Family* family) {
  family->Seal(0, FlushReason::kMemTableFull);
  CHECK_OP(family->immutables().size(), ==, 1);
  const std::shared_ptr<MemTable> memtable = family->immutables().front().memtable;
  ASSIGN_OR_RETURN(FlushOutcome outcome, RunFlush(JobOf(*family), {&memtable, 1}));
  family->RemoveFlushed(1);
  if (outcome.table) NoteTable(*family, *std::move(outcome.table), std::move(outcome.blobs));
  return Status::Ok();
}

// The same for a read-only recovery: spills the largest memtables until half of the limit is left.
Status Recovery::SpillLarge(uint64_t batch_bytes) {
  bytes_since_look_ += batch_bytes;
  if (!can_spill_ || bytes_since_look_ < kBytesBetweenLooks) return Status::Ok();
  bytes_since_look_ = 0;
  uint64_t total = 0;
  std::vector<Family*> largest;
  for (Family* family : context_.families.all()) {
    if (family->memtable() == nullptr || family->memtable()->empty()) continue;
    total += family->memtable()->MemoryUsage();
    largest.push_back(family);
  }
  if (total < kUnspilledBytesMax) return Status::Ok();
  const auto is_larger = [](const Family* a, const Family* b) REQUIRES(engine_mutex) {
    return a->memtable()->MemoryUsage() > b->memtable()->MemoryUsage();
  };
  std::sort(largest.begin(), largest.end(), is_larger);
  for (Family* family : largest) {
    if (!can_spill_ || total < kUnspilledBytesMax / 2) break;
    total -= family->memtable()->MemoryUsage();
    RETURN_IF_ERROR(SpillFamily(family));
  }
  return Status::Ok();
}

Status Recovery::SpillFamily(Family* family) {
  Result<FileDescription> table = SpillMemTable(JobOf(*family), *family->memtable());
  // Temporary files are not available, e.g. in a browser.
  if (table.status().code() == Code::kNotSupported) {
    can_spill_ = false;
    return Status::Ok();
  }
  RETURN_IF_ERROR(table.status());
  family->Seal(0, FlushReason::kMemTableFull);
  family->RemoveFlushed(1);
  NoteTable(*family, *std::move(table), {});
  return Status::Ok();
}

JobContext Recovery::JobOf(const Family& family) {
  JobContext job = JobFor(context_, family);
  job.new_file_number = [this] { return NewFileNumber(); };
  job.cancelled = [] { return false; };
  return job;
}

void Recovery::NoteTable(const Family& family, FileDescription table,
                         std::vector<BlobFileAddition> blobs) {
  table.epoch = state_.families.Find(family.id())->next_epoch++;
  VersionEdit edit;
  edit.family = family.id();
  edit.new_files.push_back({0, std::move(table)});
  edit.blob_additions = std::move(blobs);
  new_tables_.push_back(std::move(edit));
}

Status Recovery::InstallTables() {
  std::map<ColumnFamilyId, VersionBuilder> builders;
  for (const VersionEdit& edit : new_tables_) {
    const FamilyState* family = state_.families.Find(edit.family);
    auto [at, fresh] = builders.try_emplace(edit.family, family->comparator, family->version.get(),
                                            family->version->num_levels());
    RETURN_IF_ERROR(at->second.Apply(edit));
  }
  for (auto& [id, builder] : builders) {
    ASSIGN_OR_RETURN(state_.families.Find(id)->version,
                     builder.Build(context_.tables.get(), state_.counters.last_sequence));
  }
  return Status::Ok();
}

Result<std::unique_ptr<ManifestWriter>> Recovery::WriteManifest(uint64_t first_wal) {
  CHECK(!context_.read_only);
  CHECK_OP(first_wal, <, next_file_number_);
  const FileNumber number = NewFileNumber();
  for (const FamilyState& family : state_.families.all()) {
    state_.families.Find(family.id)->log_number = first_wal;
  }
  // As RocksDB does. Without it, an opening with two-phase commits reads logs whose removal a crash
  // undid.
  state_.counters.min_log_number_to_keep = prepared_wal_ != 0 ? prepared_wal_ : first_wal;
  state_.counters.prev_log_number = 0;
  state_.counters.next_file_number = next_file_number_;
  return ManifestWriter::Create(context_.fs(), context_.directory, number, state_, {});
}

}  // namespace varve
