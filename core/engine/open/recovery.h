// SPDX-License-Identifier: Apache-2.0
// Recovery turns a directory into the state of an open database.
//
//   CURRENT -> MANIFEST -> families -> files present, sizes right -> WALs -> memtables
//     read-write:  memtables -> level-0 tables -> new MANIFEST -> CURRENT -> sweep
//     read-only:   memtables stay, or go to temporary files (spill.h); nothing is written
//
// A read-only recovery may run concurrently with a writer, and shows a state that the writer had:
// see version/database_files.h. It then opens every table and blob file, so they stay readable
// after the writer has removed them. Otherwise tables are not opened: their sizes come from one
// listing of the directory.
//
// Damage in a WAL that a crash does not explain (wal/log_end.h) stops a read-write recovery with
// nothing changed, unless Options::accept_loss is set: then the damaged logs are kept in lost/
// before the MANIFEST makes them obsolete.
//
// Prepared transactions stay prepared: their sections are logged again, in one WAL, before the new
// MANIFEST makes the old logs obsolete. A crash in between leaves both, of which the later one
// counts.
//
// All replayed data is flushed, and every log number advanced, before the first write is accepted
// (rule S9), so crashing at any point and recovering again gives the same contents.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/compaction/job_context.h"
#include "core/engine/context.h"
#include "core/engine/files/wal_set.h"
#include "core/engine/locks.h"
#include "core/engine/open/options_store.h"
#include "core/version/column_families.h"
#include "core/version/manifest_writer.h"
#include "core/version/table_place.h"
#include "core/wal/wal_walk.h"
#include "varve/db.h"

namespace varve {

class Recovery {
 public:
  Recovery(EngineContext& context, OptionsStore& stored, RecoveryReport* report);

  // Creates an empty database. Requires the lock. Refuses a directory that has remains of a
  // database without CURRENT.
  static Status Create(const EngineContext& context);

  // Checks whether Run() would get as far as the WALs. Writes nothing.
  Status Check();
  // Adds families and their data to the context; views are not published yet.
  Status Run();
  // Read-write, after Run(): logs what is prepared, durably. Nullopt: there is nothing.
  Result<std::optional<WalExtent>> LogPrepared();
  // Read-write, after LogPrepared(): writes a MANIFEST of state(). `first_wal`: every log number.
  Result<std::unique_ptr<ManifestWriter>> WriteManifest(uint64_t first_wal);

  const DatabaseState& state() const { return state_; }
  FileNumber NewFileNumber() { return next_file_number_++; }
  FileNumber next_file_number() const { return next_file_number_; }
  // The directory as it was before anything was written.
  const std::vector<DirectoryEntry>& entries() const { return entries_; }

 private:
  void FitLevels(Options* completed);
  Status ReadFiles();
  bool SettlePlaces(const DatabaseState& state) const;
  bool SettlePlace(const FileDescription& table, const ColumnFamilyOptions& options) const;
  Status NoteNames();
  Status OpenFamilies() REQUIRES(write_lead, engine_mutex);
  Status CheckFamily(const FamilyState& family, const ColumnFamilyOptions& options) const;
  Status CheckFiles() const;
  Status CheckTable(const TablePlaces& places, const FileDescription& table) const;
  Status ReplayWals() REQUIRES(write_lead, engine_mutex);
  Status CheckDamage() const;
  Status NotePrepared(const PreparedSections& prepared) REQUIRES(engine_mutex);
  Status CheckPrepared(const std::string& name, const WriteBatch& batch) const
      REQUIRES(engine_mutex);
  Status KeepDamagedLogs() const;
  void RemoveNewTables() const;
  Status FlushFull(uint64_t batch_bytes) REQUIRES(write_lead, engine_mutex);
  Status FlushAll() REQUIRES(write_lead, engine_mutex);
  Status FlushFamily(Family* family) REQUIRES(write_lead, engine_mutex);
  Status SpillLarge(uint64_t batch_bytes) REQUIRES(write_lead, engine_mutex);
  Status SpillFamily(Family* family) REQUIRES(write_lead, engine_mutex);
  JobContext JobOf(const Family& family);
  void NoteTable(const Family& family, FileDescription table, std::vector<BlobFileAddition> blobs);
  Status InstallTables();

  EngineContext& context_;
  OptionsStore& stored_;
  RecoveryReport* report_;
  Options completed_;  // The caller's options, completed by the stored ones.
  DatabaseState state_;
  std::vector<WalFile> wals_;  // To be replayed.
  FileNumber next_file_number_ = 2;
  std::vector<DirectoryEntry> entries_;
  std::vector<VersionEdit> new_tables_;  // Flushed or spilled tables.
  uint64_t bytes_since_look_ = 0;        // Bytes replayed since the last check of memory.
  bool can_spill_ = true;
  Sequence next_in_wals_ = 0;  // The number behind those that the WALs use; 0: there was none.
  uint64_t prepared_wal_ = 0;  // Of LogPrepared(); 0: none.
};

}  // namespace varve
