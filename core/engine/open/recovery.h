// SPDX-License-Identifier: Apache-2.0
// Recovery turns a directory into the state of an open database.
//
//   CURRENT -> MANIFEST -> families -> files present, sizes right -> WALs -> memtables
//     read-write:  memtables -> level-0 tables -> new MANIFEST -> CURRENT -> sweep
//     read-only:   memtables stay, or go to temporary files (spill.h); nothing is written
//
// A read-only recovery may run beside a writer. What it shows is a state that the writer had: see
// version/database_files.h. It opens every table and blob file then: they stay readable after the
// writer has removed them. Else tables are not opened: their sizes come from one listing of the
// directory.
//
// Damage in a WAL that no crash explains (wal/log_end.h) stops a read-write recovery, with nothing
// changed, unless Options::accept_loss: then the damaged logs are kept in lost/ before the MANIFEST
// passes them.
//
// Everything that was replayed is flushed and every log number advanced before the first write is
// accepted (rule S9), so crashing in the middle and recovering again ends in the same contents.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/compaction/job_context.h"
#include "core/engine/context.h"
#include "core/engine/locks.h"
#include "core/engine/open/options_store.h"
#include "core/version/column_families.h"
#include "core/version/manifest_writer.h"
#include "core/wal/wal_walk.h"
#include "varve/db.h"

namespace varve {

class Recovery {
 public:
  Recovery(EngineContext& context, OptionsStore& stored, RecoveryReport* report);

  // Makes the smallest database there is. Requires the lock. Refuses a directory that has remains
  // of a database without CURRENT.
  static Status Create(const EngineContext& context);

  // Whether Run() would get as far as the WALs. Writes nothing.
  Status Check();
  // Families and their contents go into the context; views are not published yet.
  Status Run();
  // Read-write, after Run(): a MANIFEST that says all of state(). `first_wal`: every log number.
  Result<std::unique_ptr<ManifestWriter>> WriteManifest(uint64_t first_wal);

  const DatabaseState& state() const { return state_; }
  FileNumber NewFileNumber() { return next_file_number_++; }
  FileNumber next_file_number() const { return next_file_number_; }
  // The directory as it was before anything was written.
  const std::vector<DirectoryEntry>& entries() const { return entries_; }

 private:
  void FitLevels(Options* completed);
  Status ReadFiles();
  Status NoteNames();
  Status OpenFamilies() REQUIRES(write_lead, engine_mutex);
  Status CheckFamily(const FamilyState& family, const ColumnFamilyOptions& options) const;
  Status CheckFiles() const;
  Status CheckTable(const FileMetadata& file) const;
  Status ReplayWals() REQUIRES(write_lead, engine_mutex);
  Status CheckDamage() const;
  Status KeepDamagedLogs() const;
  void RemoveNewTables() const;
  Status FlushFull(uint64_t batch_bytes) REQUIRES(write_lead, engine_mutex);
  Status FlushAll() REQUIRES(write_lead, engine_mutex);
  Status FlushFamily(Family* family) REQUIRES(write_lead, engine_mutex);
  Status SpillLarge(uint64_t batch_bytes) REQUIRES(write_lead, engine_mutex);
  Status SpillFamily(Family* family) REQUIRES(write_lead, engine_mutex);
  JobContext JobOf(const Family& family);
  void NoteTable(const Family& family, FileDescription table);
  Status InstallTables();

  EngineContext& context_;
  OptionsStore& stored_;
  RecoveryReport* report_;
  Options completed_;  // The caller's, by what the database keeps.
  DatabaseState state_;
  std::vector<WalFile> wals_;  // To be replayed.
  FileNumber next_file_number_ = 2;
  std::vector<DirectoryEntry> entries_;
  std::unordered_map<std::string, uint64_t> sizes_;  // By name.
  std::vector<VersionEdit> new_tables_;              // What was flushed or spilled, per table.
  uint64_t bytes_since_look_ = 0;                    // Replayed since memory was looked at.
  bool can_spill_ = true;
};

}  // namespace varve
