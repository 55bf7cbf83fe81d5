// SPDX-License-Identifier: Apache-2.0
// DB is a database in a directory: an LSM tree in RocksDB's on-disk format.
//
//   auto db = DB::Open({.create_if_missing = true}, "/tmp/db");
//   if (!db.ok()) ...
//   (*db)->Put({}, "key", "value");
//   Result<std::optional<Value>> value = (*db)->Get({}, "key");
//
// Thread-safe. All families found in the MANIFEST are opened, each with Options::families[name]
// or Options::family, completed by what the database keeps for it (see OptionSource). Destroying
// the DB closes it (see Close()); iterators, snapshots and Values must be gone before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varve/comparator.h"
#include "varve/export.h"
#include "varve/file_system.h"
#include "varve/iterator.h"
#include "varve/merge_operator.h"
#include "varve/options.h"
#include "varve/result.h"
#include "varve/snapshot.h"
#include "varve/stats.h"
#include "varve/types.h"
#include "varve/value.h"
#include "varve/write_batch.h"

namespace varve {

class Engine;

// One thing that recovery left out, or could not trust. No loss is only a log line.
struct RecoveryLoss {
  std::string file = {};
  uint64_t offset = 0;  // Where the trouble starts.
  uint64_t bytes = 0;   // How much of the file was not used.
  std::string reason = {};
  // False: the end of a log as a crash leaves it, a write that was under way. True: a crash does
  // not explain it, so that what is missing may have been acknowledged, and synced.
  bool damage = false;
};

struct RecoveryReport {
  uint64_t wal_files = 0;
  uint64_t wal_records = 0;
  uint64_t wal_bytes = 0;
  std::vector<RecoveryLoss> losses;
  // Options that the database keeps and that this engine does not honour, and what holds instead;
  // sentences for people. Its contents are whole all the same.
  std::vector<std::string> option_notes;

  // What stands on this recovery is not all that was written.
  bool damaged() const {
    for (const RecoveryLoss& loss : losses) {
      if (loss.damage) return true;
    }
    return false;
  }
};

struct FamilyInfo {
  ColumnFamilyId id = 0;
  std::string name;
  std::string comparator;
};

// A column family to be created.
struct NewFamily {
  std::string name;
  ColumnFamilyOptions options;
};

class VARVE_EXPORT DB {
 public:
  // `report`, if given, says what recovery replayed and what it had to leave out. Damage in a WAL
  // is Corruption, and the directory stays as it is, unless Options::accept_loss.
  static Result<std::unique_ptr<DB>> Open(const Options& options, const std::string& path,
                                          RecoveryReport* report = nullptr);
  // Takes no lock, writes nothing; shows the state at the time of opening, of a database that is
  // being written to as well. Opens what Open() does, and LevelDB directories and databases with
  // foreign comparators (for raw reading), and databases with damaged WALs: see recovery().
  // What the WALs hold takes at most 32 MiB of memory (and the largest batch); the rest is in
  // temporary files without names (FileSystem::CreateScratch), if there can be any.
  static Result<std::unique_ptr<DB>> OpenReadOnly(const Options& options, const std::string& path,
                                                  RecoveryReport* report = nullptr);
  ~DB();

  // Waits for running jobs, syncs the WAL so that every kBuffered write is durable, flushes what was
  // written with kNone, and releases the lock. Writes in other threads are kept like that, or fail
  // with kShutdown, as all later calls do. Not ok: what was in no WAL may be lost.
  Status Close();

  // --- writing
  Status Write(const WriteOptions& options, WriteBatch batch);
  Status Put(const WriteOptions& options, std::string_view key, std::string_view value,
             ColumnFamilyId family = kDefaultColumnFamilyId);
  Status Delete(const WriteOptions& options, std::string_view key,
                ColumnFamilyId family = kDefaultColumnFamilyId);
  // NotSupported where the family has no merge operator.
  Status Merge(const WriteOptions& options, std::string_view key, std::string_view operand,
               ColumnFamilyId family = kDefaultColumnFamilyId);

  // --- reading; absence is not an error
  Result<std::optional<Value>> Get(const ReadOptions& options, std::string_view key,
                                   ColumnFamilyId family = kDefaultColumnFamilyId);
  // results[i] belongs to keys[i]; duplicates are fine; all keys see one moment.
  std::vector<Result<std::optional<Value>>> MultiGet(
      const ReadOptions& options, std::span<const std::string_view> keys,
      ColumnFamilyId family = kDefaultColumnFamilyId);
  Result<Iterator> NewIterator(const ReadOptions& options,
                               ColumnFamilyId family = kDefaultColumnFamilyId);
  Snapshot GetSnapshot();
  // The past, as far as compaction has kept it: versions it dropped stay dropped. InvalidArgument
  // for a sequence that has not happened yet.
  Result<Snapshot> GetSnapshotAt(Sequence sequence);

  // --- column families
  Result<ColumnFamilyId> CreateColumnFamily(const std::string& name,
                                            const ColumnFamilyOptions& options);
  // All or none, but that a crash meanwhile, or a failure to write the MANIFEST, may leave the first
  // few (which are there when the database is opened again). Each call writes the OPTIONS
  // file, which lists every family: many families are made by one call, not by many.
  Result<std::vector<ColumnFamilyId>> CreateColumnFamilies(std::span<const NewFamily> families);
  Status DropColumnFamily(ColumnFamilyId family);
  std::vector<FamilyInfo> Families() const;
  std::optional<ColumnFamilyId> FindFamily(std::string_view name) const;

  // --- maintenance
  Status Flush(const FlushOptions& options = {}, ColumnFamilyId family = kDefaultColumnFamilyId);
  Status FlushAll();
  // [begin, end] of user keys; nullopt is unbounded. Returns when done.
  Status CompactRange(const CompactRangeOptions& options, std::optional<std::string_view> begin,
                      std::optional<std::string_view> end,
                      ColumnFamilyId family = kDefaultColumnFamilyId);
  // Returns when no flush or compaction is running or due.
  Status WaitForBackgroundWork();
  // Takes over finished tables made by SstFileWriter (ours or RocksDB's), all or none.
  Status Ingest(const IngestOptions& options, const std::vector<std::string>& paths,
                ColumnFamilyId family = kDefaultColumnFamilyId);
  // A complete database in the new directory `path`: tables hard-linked, the rest copied. What was
  // written with kNone is flushed first.
  Status Checkpoint(const std::string& path);

  // Options of a running family: `changes` are names and values as in an OPTIONS file, all taken or
  // none; effective from the next flush, compaction or stall decision on, and stored: the database
  // goes on with them when it is opened again. InvalidArgument for one that is unknown, out of
  // range, or fixed when the database is opened (see MayChangeAtRunTime()).
  Status SetOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                    ColumnFamilyId family = kDefaultColumnFamilyId);
  // What SetOptions() would say.
  Status CheckOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                      ColumnFamilyId family = kDefaultColumnFamilyId) const;
  // The same for every option that a database keeps (see MayBeStored()), the database's own too:
  // those that are fixed when it is opened hold from the next opening on.
  Status StoreOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                      ColumnFamilyId family = kDefaultColumnFamilyId);
  // What holds for the family now: comparator and merge operator resolved.
  Result<ColumnFamilyOptions> OptionsOf(ColumnFamilyId family = kDefaultColumnFamilyId) const;

  const std::string& path() const;  // As given to Open().
  // What was replayed and left out when this was opened. If damaged(), every answer is partial.
  const RecoveryReport& recovery() const;
  DbStats Stats() const;
  std::vector<FamilyStats> StatsOfFamilies() const;
  std::vector<LevelInfo> Levels(ColumnFamilyId family = kDefaultColumnFamilyId) const;

 private:
  explicit DB(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace varve
