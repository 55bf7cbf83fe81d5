// SPDX-License-Identifier: Apache-2.0
// Engine is an open database: it owns the parts and connects them. varve/db.h is its public face.
//
//   writes   WritePath: WriteQueue -> WalSet -> memtables            engine/write_path.h
//   reads    Family::views() + visible() -> GetFromView, DbIterator  engine/get.h, db_iterator.h
//   jobs     Background -> RunFlush, RunCompaction -> VersionLog     engine/background.h
//   files    FileGc, VersionLog                                      engine/file_gc.h
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

#include "core/engine/background.h"
#include "core/engine/context.h"
#include "core/engine/family.h"
#include "core/engine/file_gc.h"
#include "core/engine/options_store.h"
#include "core/engine/snapshots.h"
#include "core/engine/version_log.h"
#include "core/engine/wal_set.h"
#include "core/engine/write_path.h"
#include "core/format/options_file.h"
#include "core/format/version_edit.h"
#include "core/version/column_families.h"
#include "varve/db.h"

namespace varve {

class Recovery;

enum class OpenMode : uint8_t { kReadWrite, kReadOnly };

class Engine {
 public:
  static Result<std::unique_ptr<Engine>> Open(const Options& options, const std::string& path,
                                              OpenMode mode, RecoveryReport* report);
  ~Engine();
  Status Close();

  Status Write(const WriteOptions& options, WriteBatch* batch);  // Stamps the batch.

  // --- reading. Pin a family's view first, then load visible(): see read_view.h.
  // The family, dropped or not; null if there never was one. Lock-free; lives as long as this.
  Family* FindFamily(ColumnFamilyId id) const;
  std::optional<ColumnFamilyId> FindFamily(std::string_view name) const;
  // The same for readers: kInvalidArgument if there is none (any more), kNotSupported naming the
  // comparator if it is foreign, kShutdown after Close().
  Result<Family*> FamilyToRead(ColumnFamilyId id) const;
  // The newest sequence number that readers may see.
  const std::atomic<Sequence>& visible() const { return context_.visible; }
  MultiGetGrade multiget_grade() const {
    return {context_.options.multiget, context_.options.multiget_io};
  }
  const std::shared_ptr<SnapshotList>& snapshots() const { return context_.snapshots; }

  // --- families, maintenance, figures: as in varve/db.h
  Result<std::vector<ColumnFamilyId>> CreateColumnFamilies(std::span<const NewFamily> families);
  Result<ColumnFamilyId> CreateColumnFamily(const std::string& name,
                                            const ColumnFamilyOptions& options);
  Status DropColumnFamily(ColumnFamilyId family);
  std::vector<FamilyInfo> Families() const;
  Status Flush(const FlushOptions& options, ColumnFamilyId family);
  Status FlushAll();
  Status CompactRange(const CompactRangeOptions& options, std::optional<std::string_view> begin,
                      std::optional<std::string_view> end, ColumnFamilyId family);
  Status WaitForBackgroundWork();
  using OptionChanges = std::vector<std::pair<std::string, std::string>>;
  Result<ColumnFamilyOptions> OptionsWith(const OptionChanges& changes,
                                          ColumnFamilyId family) const;
  Status SetOptions(const OptionChanges& changes, ColumnFamilyId family);
  Status StoreOptions(const OptionChanges& changes, ColumnFamilyId family);
  DbStats Stats() const;
  std::vector<FamilyStats> StatsOfFamilies() const;
  std::vector<LevelInfo> Levels(ColumnFamilyId family) const;

  // --- for ingestion and checkpoints
  const Options& options() const { return context_.options; }  // Environment complete.
  const Environment& env() const { return context_.options.env; }
  const std::string& directory() const { return context_.directory; }
  const RecoveryReport& recovery() const { return recovery_; }
  TableCache* tables() const { return context_.tables.get(); }
  // kShutdown, or why writes are closed, or kNotSupported in a read-only database.
  Status CheckWritable() const;

  // Never given out before. The file is garbage unless an edit names it, and is left alone until
  // then while a FileHold lives.
  FileNumber NewFileNumber();

  // No file of the directory is deleted while one lives. Movable.
  class FileHold {
   public:
    explicit FileHold(Engine* engine);
    FileHold(FileHold&& other) noexcept;
    FileHold& operator=(FileHold&&) = delete;
    ~FileHold();

   private:
    Engine* engine_;
  };

  // Writes started earlier are through, later ones wait, until it is destroyed. One thread.
  class WritePause {
   public:
    explicit WritePause(Engine* engine) : lead_(*engine->writes_) {}

   private:
    WritePath::Lead lead_;
  };
  // No compaction starts while one lives, manual ones included; those that run go on. Ingestion
  // places tables below level 0 and must not meet the outputs of a compaction there. Taken after a
  // WritePause: who waits for the lead may wait for a writer that waits for compactions.
  class CompactionHold {
   public:
    explicit CompactionHold(Engine* engine);
    CompactionHold(const CompactionHold&) = delete;
    CompactionHold& operator=(const CompactionHold&) = delete;
    ~CompactionHold();

    // What runs may put tables there. A compaction that is not among them any more has installed
    // its outputs: ask before looking at the Version.
    std::vector<Background::OutputRange> RunningOutputs(const Family& family) const;

   private:
    Engine* engine_;
  };
  // What was written before is durable when this returns ok. Whoever logs an edit that says more
  // than "these writes are in tables now" comes after it: else power loss may leave the edit, and
  // not the writes before it.
  Status SyncPaused(const WritePause& pause);
  // Everything in the family's memtables is in tables when this returns ok.
  Status FlushPaused(const WritePause& pause, Family& family);
  // Makes `sequence` (visible() + n) the newest visible one, after the edit that uses it.
  void PublishSequence(const WritePause& pause, Sequence sequence);

  // Logs the edit and installs it: MANIFEST record synced, the new Version published to readers,
  // what became obsolete deleted. Fills in next_file_number and last_sequence (at least what the
  // edit says). Tables named must be synced, their directory too.
  Status Log(const VersionEdit& edit);
  // The epoch for a new level-0 file of the family; see db-format 5.1.
  uint64_t NewEpoch(Family& family);

  // All that a copy of the database needs, as of one moment. The WALs' bytes are synced.
  struct Moment {
    DatabaseState state;
    std::optional<OptionsFile> options;  // None: the database keeps none.
    std::vector<WalExtent> wals;
    FileHold hold;
  };
  Result<Moment> CaptureMoment();

 private:
  Engine(const Options& options, const std::string& path, OpenMode mode);

  Status Start(RecoveryReport* report);
  Status LockDirectory(RecoveryReport* report);
  Status CheckUnlocked(RecoveryReport* report) const;
  Status CheckNew() const;
  void MakeCaches();
  Status Recover(RecoveryReport* report);
  Status OpenEveryFile(const DatabaseState& state);
  Status StartWriting(Recovery* recovery);
  void SetWalLimit();
  Status StopWriting();

  Status CreateMissingFamilies();
  Status CheckNewFamilies(std::span<const NewFamily> families) const REQUIRES(context_.mutex);
  // The states of families that are about to exist.
  Result<std::vector<FamilyState>> StatesOf(std::span<const NewFamily> families) const
      EXCLUDES(context_.mutex);
  void AddFamily(const FamilyState& state, const ColumnFamilyOptions& options);
  // Logs families that are about to exist, and keeps their options.
  Status LogNewFamilies(const std::vector<FamilyState>& states,
                        std::span<const NewFamily> families);
  std::vector<FamilyNames> FamiliesForOptions(const Family* without = nullptr) const;
  // The OPTIONS file lists the families there are; not `without`, if given.
  Status StoreFamilies(const Family* without = nullptr) REQUIRES(stored_.mutex);
  Status CheckToStore(const OptionChanges& changes, const Family& family) const
      REQUIRES(stored_.mutex);
  Status WriteChanges(const OptionChanges& changes, const Family& family)
      REQUIRES(stored_.mutex);
  Status CheckMayChange(const Family& family) const REQUIRES(stored_.mutex);
  void ChangeOptions(const ColumnFamilyOptions& options, Family* family) REQUIRES(stored_.mutex);

  Result<Family*> FamilyToChange(ColumnFamilyId id) const;
  // For the leader of the write queue. A failure closes writes.
  Status SyncWal();
  Status FlushFamilies(const std::vector<Family*>& families, bool wait);
  Status AwaitFlushed(const std::vector<Family*>& families);
  Status FlushUnlogged();  // For the leader of the write queue.
  std::vector<Family*> LiveFamilies() const;
  Status CompactDown(Family* family, std::optional<std::string_view> begin,
                     std::optional<std::string_view> end, int* last_level);
  Status RewriteLevel(Family* family, int level, std::optional<std::string_view> begin,
                      std::optional<std::string_view> end);

  std::unique_ptr<FileLock> lock_;  // Released last.
  std::unique_ptr<FileSystem> overlay_fs_;  // Of a read-only opening: nothing below it changes.
  EngineContext context_;
  OptionsStore stored_;
  FileGc gc_;
  WalSet wals_;
  // Null in a read-only database, but for log_, which then only knows the state.
  std::unique_ptr<VersionLog> log_;
  std::unique_ptr<Background> background_;
  std::unique_ptr<WritePath> writes_;
  RecoveryReport recovery_;  // Immutable once open.
  Mutex closing_;  // Held for the whole of Close(); outermost.
  bool closed_ GUARDED_BY(closing_) = false;
};

}  // namespace varve
