// SPDX-License-Identifier: Apache-2.0
// Engine is an open database: it owns the parts and connects them. varve/db.h is its public
// interface.
//
//   writes   WritePath: WriteQueue -> WalSet -> memtables            engine/write/write_path.h
//   reads    Family::views() + visible() -> GetFromView, DbIterator  engine/read/
//   jobs     Background -> RunFlush, RunCompaction -> VersionLog     engine/jobs/background.h
//   files    FileGc, VersionLog                                      engine/files/file_gc.h
//
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/context.h"
#include "core/engine/family.h"
#include "core/engine/files/file_gc.h"
#include "core/engine/files/version_log.h"
#include "core/engine/files/wal_set.h"
#include "core/engine/jobs/background.h"
#include "core/engine/locks.h"
#include "core/engine/open/options_store.h"
#include "core/engine/read/snapshots.h"
#include "core/engine/write/write_path.h"
#include "core/format/manifest/version_edit.h"
#include "core/format/options/options_file.h"
#include "core/version/column_families.h"
#include "varve/db.h"

namespace varve {

class Recovery;
class StoredRange;

enum class OpenMode : uint8_t { kReadWrite, kReadOnly };

class Engine {
 public:
  static Result<std::unique_ptr<Engine>> Open(const Options& options, const Grades& grades,
                                              const std::string& path, OpenMode mode,
                                              RecoveryReport* report,
                                              JobListener* listener = nullptr);
  ~Engine();
  Status Close() EXCLUDES(closing_mutex, write_lead, engine_mutex);
  // As DB::CatchUp().
  Status CatchUp(const DropOptions& dropped, RecoveryReport* report)
      EXCLUDES(closing_mutex, write_lead, engine_mutex);

  // Stamps sequence numbers into the batch.
  Status Write(const WriteOptions& options, WriteBatch* batch) EXCLUDES(write_lead, engine_mutex);

  // --- two-phase commits: as in varve/db.h
  Status Prepare(const WriteOptions& options, const std::string& name, const WriteBatch& batch)
      EXCLUDES(write_lead, engine_mutex);
  Status CommitPrepared(const WriteOptions& options, const std::string& name,
                        const WriteBatch& more) EXCLUDES(write_lead, engine_mutex);
  Status RollbackPrepared(const WriteOptions& options, const std::string& name)
      EXCLUDES(write_lead, engine_mutex);
  std::vector<PreparedTransaction> PreparedTransactions() const EXCLUDES(engine_mutex);

  // --- reading. Pin a family's view first, then load visible(): see read_view.h.
  // The family, dropped or not; null if the id was never used. Lock-free; lives as long as the
  // engine.
  Family* FindFamily(ColumnFamilyId id) const;
  std::optional<ColumnFamilyId> FindFamily(std::string_view name) const;
  // The same for readers: kInvalidArgument if it does not exist or was dropped, kNotSupported
  // naming the comparator if that is unknown, kShutdown after Close().
  Result<Family*> FamilyToRead(ColumnFamilyId id) const;
  // FamilyToRead(), or a dropped one that is still readable (DropOptions).
  Result<Family*> ReadableFamily(ColumnFamilyId id) const;
  // The newest sequence number that readers may see.
  const std::atomic<Sequence>& visible() const { return context_.visible; }
  MultiGetGrade multiget_grade() const {
    return {context_.grades.multiget, context_.grades.multiget_io};
  }
  // Of a database that is open for writing: those of a read-only one are its views'.
  const std::shared_ptr<SnapshotList>& snapshots() const { return context_.snapshots; }
  Snapshot TakeSnapshot() EXCLUDES(engine_mutex);
  Result<Snapshot> TakeSnapshotAt(Sequence sequence) EXCLUDES(engine_mutex);

  // --- families, maintenance, statistics: as in varve/db.h
  Result<std::vector<ColumnFamilyId>> CreateColumnFamilies(std::span<const NewFamily> families)
      EXCLUDES(write_lead, options_mutex, engine_mutex);
  Result<ColumnFamilyId> CreateColumnFamily(const std::string& name,
                                            const ColumnFamilyOptions& options)
      EXCLUDES(write_lead, options_mutex, engine_mutex);
  // InvalidArgument, NotSupported: these families could not be created.
  Status CheckToCreate(std::span<const NewFamily> families) const EXCLUDES(engine_mutex);
  // Where the tables of such a family come to be.
  std::string DirectoryOf(const NewFamily& family) const;
  // Creates a family that has these tables from the beginning. Their files and directories must be
  // synced; epochs are given here. Corruption: the tables cannot be together in a family.
  Result<ColumnFamilyId> CreateFilledFamily(const NewFamily& family,
                                            std::vector<VersionEdit::NewFile> tables)
      EXCLUDES(write_lead, options_mutex, engine_mutex);
  Status DropColumnFamily(ColumnFamilyId family, const DropOptions& options = {})
      EXCLUDES(write_lead, options_mutex, engine_mutex);
  void ForgetDroppedFamily(ColumnFamilyId family) EXCLUDES(engine_mutex);
  std::vector<FamilyInfo> Families() const;
  Status Flush(const FlushOptions& options, ColumnFamilyId family)
      EXCLUDES(write_lead, engine_mutex);
  Status FlushAll() EXCLUDES(write_lead, engine_mutex);
  Status CompactRange(const CompactRangeOptions& options, std::optional<std::string_view> begin,
                      std::optional<std::string_view> end, ColumnFamilyId family)
      EXCLUDES(write_lead, engine_mutex);
  Status CompactFiles(const CompactFilesOptions& options, std::span<const std::string> names,
                      int output_level, ColumnFamilyId family, CompactionJobInfo* info)
      EXCLUDES(engine_mutex);
  Status PauseBackgroundWork() EXCLUDES(engine_mutex);
  Status ContinueBackgroundWork() EXCLUDES(engine_mutex);
  Status WaitForBackgroundWork() EXCLUDES(engine_mutex);
  using OptionChanges = std::vector<std::pair<std::string, std::string>>;
  Result<ColumnFamilyOptions> OptionsWith(const OptionChanges& changes,
                                          ColumnFamilyId family) const;
  Status SetOptions(const OptionChanges& changes, ColumnFamilyId family)
      EXCLUDES(options_mutex, engine_mutex);
  Status StoreOptions(const OptionChanges& changes, ColumnFamilyId family)
      EXCLUDES(options_mutex, engine_mutex);
  DbStats Stats() const EXCLUDES(engine_mutex);
  std::vector<FamilyStats> StatsOfFamilies() const EXCLUDES(engine_mutex);
  std::vector<LevelInfo> Levels(ColumnFamilyId family) const EXCLUDES(engine_mutex);
  Result<std::vector<LiveFile>> LiveFiles(ColumnFamilyId family) const EXCLUDES(engine_mutex);
  static std::vector<LiveFile> FilesOf(const Version& version);
  Result<std::vector<LogFile>> LogFiles() EXCLUDES(engine_mutex);
  Result<uint64_t> ApproximateSize(std::optional<std::string_view> begin,
                                   std::optional<std::string_view> end, ColumnFamilyId family) const
      EXCLUDES(engine_mutex);
  Status DeleteFilesInRange(std::optional<std::string_view> begin,
                            std::optional<std::string_view> end, ColumnFamilyId family)
      EXCLUDES(write_lead, manifest_mutex, engine_mutex);
  Status IncreaseFullHistoryTsLow(std::string_view timestamp, ColumnFamilyId family)
      EXCLUDES(manifest_mutex, engine_mutex);
  Result<std::string> FullHistoryTsLow(ColumnFamilyId family) const EXCLUDES(engine_mutex);
  Status SyncAllWals() EXCLUDES(write_lead, engine_mutex);

  // --- for ingestion and checkpoints
  const Options& options() const { return context_.options; }  // Environment complete.
  const Environment& env() const { return context_.options.env; }
  const std::string& directory() const { return context_.directory; }
  const RecoveryReport& recovery() const { return recovery_; }
  TableCache* tables() const { return context_.tables.get(); }
  // kShutdown, the error that closed writes, or kNotSupported in a read-only database.
  Status CheckWritable() const;

  // What is in the family's tables now.
  Result<std::shared_ptr<const Version>> VersionToRead(ColumnFamilyId id) const
      EXCLUDES(engine_mutex);

  // A number never used before. The file is garbage unless an edit names it; until then, a FileHold
  // keeps it from being deleted.
  FileNumber NewFileNumber();

  // While one lives, no file of the directory is deleted. Movable.
  class FileHold {
   public:
    explicit FileHold(Engine* engine) EXCLUDES(engine_mutex);
    FileHold(FileHold&& other) noexcept;
    FileHold& operator=(FileHold&&) = delete;
    ~FileHold() EXCLUDES(engine_mutex);

   private:
    Engine* engine_;
  };

  // Earlier writes are complete and later ones wait until it is destroyed. One thread.
  class SCOPED_CAPABILITY WritePause {
   public:
    explicit WritePause(Engine* engine) ACQUIRE(write_lead) : lead_(*engine->writes_) {}
    ~WritePause() RELEASE() {}

   private:
    WritePath::Lead lead_;
  };
  // While one lives, no compaction starts, including manual ones; running ones continue. Ingestion
  // puts tables below level 0, where they must not overlap the outputs of a compaction. Take the
  // write lead first: a thread that waits for the lead may wait for a stalled writer, which waits
  // for compactions.
  class CompactionHold {
   public:
    explicit CompactionHold(Engine* engine) REQUIRES(write_lead) EXCLUDES(engine_mutex);
    CompactionHold(const CompactionHold&) = delete;
    CompactionHold& operator=(const CompactionHold&) = delete;
    ~CompactionHold() EXCLUDES(engine_mutex);

    // Where running compactions may put tables. A compaction that is no longer listed has installed
    // its outputs: call this before looking at the Version.
    std::vector<Background::OutputRange> RunningOutputs(const Family& family) const
        EXCLUDES(engine_mutex);

   private:
    Engine* engine_;
  };
  // When this returns ok, earlier writes are durable. Call it before logging any edit that records
  // more than "these writes are in tables now"; otherwise power loss may keep the edit and lose the
  // writes before it. A failure closes writes.
  Status SyncWal() REQUIRES(write_lead) EXCLUDES(engine_mutex);
  // When this returns ok, everything in the family's memtables is in tables.
  Status FlushPaused(Family& family) REQUIRES(write_lead) EXCLUDES(engine_mutex);
  // Makes `sequence` (visible() + n) the newest visible one, after logging the edit that uses it.
  void PublishSequence(Sequence sequence) REQUIRES(write_lead);

  // Logs the edits, all or none, and installs them: syncs the MANIFEST records, publishes the new
  // Versions to readers, deletes obsolete files. Fills in next_file_number and last_sequence (at
  // least the edits' own value). The tables they name and their directory must be synced.
  Status Log(std::vector<VersionEdit> edits) EXCLUDES(manifest_mutex, engine_mutex);
  // The epoch for a new level-0 file of the family; see db-format 5.1.
  uint64_t NewEpoch(Family& family) EXCLUDES(engine_mutex);

  // Everything that a copy of the database needs, as of one moment. The WALs are synced.
  struct Moment {
    // Outlives the Versions in `state`: files that only they use are deleted when it ends.
    FileHold hold;
    DatabaseState state;
    std::optional<OptionsFile> options;  // None: the database has no OPTIONS file.
    std::vector<WalExtent> wals;
  };
  Result<Moment> CaptureMoment() EXCLUDES(write_lead, options_mutex, engine_mutex);

 private:
  Engine(const Options& options, const Grades& grades, const std::string& path, OpenMode mode);

  // What an opening gets besides its options; either may be null.
  struct Beside {
    JobListener* listener = nullptr;
    TableCache* earlier = nullptr;  // Of an earlier state of the database: has open tables.
  };
  static Result<std::unique_ptr<Engine>> Open(const Options& options, const Grades& grades,
                                              const std::string& path, OpenMode mode,
                                              RecoveryReport* report, const Beside& beside);
  Status Start(RecoveryReport* report, TableCache* earlier);
  Status LockDirectory(RecoveryReport* report);
  Status CheckUnlocked(RecoveryReport* report) const;
  Status CheckNew() const;
  Status CheckMayPrepare() const;
  void MakeCaches();
  Status Recover(RecoveryReport* report);
  Status StartWriting(Recovery* recovery);

  // --- catching up: engine_catch_up.cc
  struct LaterState;
  void PinFiles(DatabaseState* state) const;
  void TakeOpenTables(TableCache* earlier) EXCLUDES(engine_mutex);
  Result<LaterState> ReadLaterState(RecoveryReport* report) EXCLUDES(engine_mutex);
  LaterState TakeState() EXCLUDES(engine_mutex);
  Status CheckIsLater(const LaterState& later) const REQUIRES(engine_mutex);
  // Leaves in `later` what has to be released without the mutex.
  void Adopt(LaterState* later, const DropOptions& dropped) REQUIRES(write_lead, engine_mutex);
  void SetWalLimit();
  Status StopWriting() REQUIRES(closing_mutex) EXCLUDES(write_lead, engine_mutex);

  Status CreateMissingFamilies();
  Status CheckNewFamilies(std::span<const NewFamily> families) const REQUIRES(engine_mutex);
  // The states of families to be created.
  Result<std::vector<FamilyState>> StatesOf(std::span<const NewFamily> families) const
      REQUIRES(write_lead) EXCLUDES(engine_mutex);
  void AddFamily(const FamilyState& state, const ColumnFamilyOptions& options)
      REQUIRES(write_lead, engine_mutex);
  // What readers see of the family once it is gone.
  std::shared_ptr<const Version> NothingOf(const Family& family) const;
  // Logs families to be created, with the tables that their states have, and stores their options.
  Status LogNewFamilies(const std::vector<FamilyState>& states, std::span<const NewFamily> families)
      REQUIRES(write_lead) EXCLUDES(options_mutex, engine_mutex);
  std::vector<FamilyNames> FamiliesForOptions(const Family* without = nullptr) const
      REQUIRES(options_mutex) EXCLUDES(engine_mutex);
  // Empty: there is none, or the OPTIONS file already has it.
  std::string MergeOperatorToStore(const Family& family) const REQUIRES(options_mutex)
      EXCLUDES(engine_mutex);
  // Makes the OPTIONS file list the current families, except `without` if given.
  Status StoreFamilies(const Family* without = nullptr) REQUIRES(options_mutex);
  Status CheckToStore(const OptionChanges& changes, const Family& family) const
      REQUIRES(options_mutex);
  Status WriteChanges(const OptionChanges& changes, const Family& family) REQUIRES(options_mutex);
  Status CheckMayChange(const Family& family) const REQUIRES(options_mutex);
  void ChangeOptions(const ColumnFamilyOptions& options, Family* family) REQUIRES(options_mutex);

  Result<Family*> FamilyToChange(ColumnFamilyId id) const;
  Status FlushFamilies(const std::vector<Family*>& families, bool wait, FlushReason reason)
      EXCLUDES(write_lead, engine_mutex);
  Status AwaitFlushed(const std::vector<Family*>& families) EXCLUDES(engine_mutex);
  Status FlushUnlogged(FlushReason reason) REQUIRES(write_lead) EXCLUDES(engine_mutex);
  Status FlushTimestamped(FlushReason reason) REQUIRES(write_lead) EXCLUDES(engine_mutex);
  std::vector<Family*> LiveFamilies() const;
  Status CompactDown(const CompactRangeOptions& options, Family* family, const StoredRange& range,
                     int* last_level);
  Status RewriteLevel(const CompactRangeOptions& options, Family* family, int level,
                      const StoredRange& range);

  // Completes the options by db_paths, and makes their tables visible in the directory.
  void UsePaths();
  Status MakePaths();
  Status CheckPathsAreKnown(const NewFamily& family) const;

  Mutex& closing() RETURN_CAPABILITY(closing_mutex) { return closing_; }

  std::unique_ptr<FileLock> lock_;                  // Released last.
  std::shared_ptr<TablePathsFileSystem> paths_fs_;  // Null: all tables are in the directory.
  // Of a read-only opening: nothing below it changes. Versions share it.
  std::shared_ptr<FileSystem> overlay_fs_;
  const Options given_;  // To Open().
  EngineContext context_;
  OptionsStore stored_;
  FileGc gc_;
  WalSet wals_;
  // Null in a read-only database, except log_, which then only holds the state.
  std::unique_ptr<VersionLog> log_;
  std::unique_ptr<Background> background_;
  std::unique_ptr<WritePath> writes_;
  RecoveryReport recovery_;  // Immutable once open.
  Mutex closing_;
  bool closed_ GUARDED_BY(closing_mutex) = false;
};

}  // namespace varve
