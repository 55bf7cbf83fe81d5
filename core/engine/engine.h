// SPDX-License-Identifier: Apache-2.0
// Engine is an open database: it owns the parts and connects them. varve/db.h is its public face.
//
//   writes   WriteQueue -> WriteStall -> Wal -> memtables            engine/write_*.h, wal_set.h
//   reads    Family::views() + visible() -> GetFromView, DbIterator  engine/get.h, db_iterator.h
//   jobs     Background -> FlushJob, CompactionJob -> Log()          engine/background.h
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
#include <vector>

#include "core/engine/family.h"
#include "core/engine/snapshots.h"
#include "core/format/version_edit.h"
#include "core/version/column_families.h"
#include "varve/db.h"

namespace varve {

enum class OpenMode : uint8_t { kReadWrite, kReadOnly };

// A WAL as it was at one moment; later bytes belong to later writes.
struct WalExtent {
  uint64_t number = 0;
  uint64_t size = 0;
};

class Engine {
 public:
  static Result<std::unique_ptr<Engine>> Open(const Options& options, const std::string& path,
                                              OpenMode mode, RecoveryReport* report);
  ~Engine();
  Status Close();

  Status Write(const WriteOptions& options, WriteBatch batch);

  // --- reading. Pin a family's view first, then load visible(): see read_view.h.
  // The family, dropped or not; null if there never was one. Lock-free; lives as long as this.
  Family* FindFamily(ColumnFamilyId id) const;
  // The same for readers: kInvalidArgument if there is none (any more), kNotSupported naming the
  // comparator if it is foreign, kShutdown after Close().
  Result<Family*> FamilyToRead(ColumnFamilyId id) const;
  // The newest sequence number that readers may see.
  const std::atomic<Sequence>& visible() const { return visible_; }
  const std::shared_ptr<SnapshotList>& snapshots() const { return snapshots_; }

  // --- families, maintenance, figures: as in varve/db.h
  Result<ColumnFamilyId> CreateColumnFamily(const std::string& name,
                                            const ColumnFamilyOptions& options);
  Status DropColumnFamily(ColumnFamilyId family);
  std::vector<FamilyInfo> Families() const;
  Status Flush(const FlushOptions& options, ColumnFamilyId family);
  Status FlushAll();
  Status CompactRange(const CompactRangeOptions& options, std::optional<std::string_view> begin,
                      std::optional<std::string_view> end, ColumnFamilyId family);
  Status WaitForBackgroundWork();
  DbStats Stats() const;
  std::vector<LevelInfo> Levels(ColumnFamilyId family) const;

  // --- for ingestion and checkpoints
  const Options& options() const;              // Environment complete.
  const Environment& env() const;
  const std::string& directory() const;
  TableCache* tables() const;
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
    explicit WritePause(Engine* engine);
    WritePause(const WritePause&) = delete;
    WritePause& operator=(const WritePause&) = delete;
    ~WritePause();

   private:
    Engine* engine_;
  };
  // No compaction runs while one lives: running ones are waited for, new ones (manual ones too)
  // wait. Ingestion places tables below level 0 and must not meet the outputs of a compaction
  // there. Taken before a WritePause.
  class CompactionPause {
   public:
    explicit CompactionPause(Engine* engine);
    CompactionPause(const CompactionPause&) = delete;
    CompactionPause& operator=(const CompactionPause&) = delete;
    ~CompactionPause();

   private:
    Engine* engine_;
  };
  // Everything in the family's memtables is in tables when this returns ok.
  Status FlushPaused(const WritePause& pause, Family& family);
  // Makes `sequence` (visible() + n) the newest visible one, after the edit that uses it.
  void PublishSequence(const WritePause& pause, Sequence sequence);

  // Logs the edits (several: one atomic group) and installs them: MANIFEST record synced, new
  // Versions published to readers, what became obsolete deleted. Fills in next_file_number and
  // last_sequence (at least what the edit says). Tables named must be synced, their directory too.
  Status Log(std::span<VersionEdit> edits);
  // The epoch for a new level-0 file of the family; see db-format 5.1.
  uint64_t NewEpoch(Family& family);

  // All that a copy of the database needs, as of one moment. The WALs' bytes are synced.
  struct Moment {
    DatabaseState state;
    std::vector<WalExtent> wals;
    FileHold hold;
  };
  Result<Moment> CaptureMoment();

 private:
  std::atomic<Sequence> visible_{0};
  std::shared_ptr<SnapshotList> snapshots_;
};

}  // namespace varve
