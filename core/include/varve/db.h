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

#include "varve/compact_files.h"
#include "varve/comparator.h"
#include "varve/export.h"
#include "varve/exported_family.h"
#include "varve/file_system.h"
#include "varve/iterator.h"
#include "varve/live_file.h"
#include "varve/log_file.h"
#include "varve/merge_operator.h"
#include "varve/options.h"
#include "varve/result.h"
#include "varve/snapshot.h"
#include "varve/stats.h"
#include "varve/two_phase.h"
#include "varve/types.h"
#include "varve/value.h"
#include "varve/write_batch.h"

namespace varve {

class Engine;

// One piece of data that recovery left out or could not trust. Recovery never drops data without
// one.
struct RecoveryLoss {
  std::string file = {};    // Its name within the database's directory.
  uint64_t offset = 0;      // Where the damage starts, in bytes from the beginning of the file.
  uint64_t bytes = 0;       // How many bytes of the file were not used.
  std::string reason = {};  // What is wrong, for people.
  // False: the end of a log as a crash leaves it, an unfinished write. True: a crash does not
  // explain it, so acknowledged or even synced writes may be missing.
  bool damage = false;
  // The file currently ends within the skipped part: a process that is writing to the database may
  // be in the middle of this record. Never true of damage.
  bool unfinished = false;
};

// What opening a database replayed from its WALs, and what it left out.
struct RecoveryReport {
  uint64_t wal_files = 0;            // WALs that were read.
  uint64_t wal_records = 0;          // Records replayed from them.
  uint64_t wal_bytes = 0;            // Total size of these files.
  std::vector<RecoveryLoss> losses;  // What was left out or not trusted; empty if nothing was.
  // Stored options that this engine does not honour, and what is used instead, for people. The data
  // is complete nevertheless.
  std::vector<std::string> option_notes;

  // Some acknowledged writes may be missing from this database.
  bool damaged() const {
    for (const RecoveryLoss& loss : losses) {
      if (loss.damage) return true;
    }
    return false;
  }
};

// A column family of an open database, as DB::Families() lists them.
struct FamilyInfo {
  ColumnFamilyId id = 0;   // The id that functions of DB take. Never reused.
  std::string name;        // Unique among the existing families.
  std::string comparator;  // Name of its key order, whether this program knows it or not.
};

// A column family to be created.
struct NewFamily {
  std::string name;             // Not empty, and not that of a family that exists.
  ColumnFamilyOptions options;  // A null comparator is the bytewise one.
};

// What GetWithTimestamp() finds.
struct TimestampedValue {
  Value value;            // As of Get().
  std::string timestamp;  // That it was written with; of merge operands, the newest.
};

// Tables for one column family: DB::IngestFamilies().
struct FamilyTables {
  ColumnFamilyId family = kDefaultColumnFamilyId;  // Listed once in a call.
  std::vector<std::string> paths = {};  // Files made by SstFileWriter, ours or RocksDB's.
};

// An open database. Any number of threads may call any function at once, except the destructor,
// which must be the last call.
//
// Errors that most functions share: kShutdown after Close(); kInvalidArgument for a family that
// does not exist or was dropped; kNotSupported for a family whose comparator is unknown, and for
// changes to a database that is open read-only. After a failed write or sync of a WAL or the
// MANIFEST, all changes return that first failure until the database is reopened; reads still work.
//
// Keys and values passed in need to live only until the call returns.
class VARVE_EXPORT DB {
 public:
  // Opens the database in the directory `path` for reading and writing, and locks it against other
  // processes and other DBs of this process. Replays its WALs and writes their contents into
  // tables.
  //
  // `report`, if given, says what recovery replayed and what it left out; it is also filled in when
  // recovery fails. Damage in a WAL is Corruption and leaves the directory unchanged, unless
  // Options::accept_loss.
  //
  // kNotFound: there is no database, and Options::create_if_missing is false. kInvalidArgument:
  // options are out of range or contradict each other, the comparator is not the one the database
  // was written with, or the database exists and Options::error_if_exists is set. kBusy: it is
  // locked. kNotSupported: a LevelDB directory, a feature that this engine cannot write (an
  // unknown comparator, user-defined timestamps, ...), or there are prepared transactions and
  // Options::allow_2pc is not set. kCorruption, kIoError, kNoSpace: see Code.
  //
  // `options` is copied; the comparators, merge operators and the members of `env` that it points
  // to must outlive the DB.
  static Result<std::unique_ptr<DB>> Open(const Options& options, const std::string& path,
                                          RecoveryReport* report = nullptr);
  // Opens the database in the directory `path` for reading. Errors are those of Open() except
  // kBusy, with the differences below.
  //
  // Takes no lock and writes nothing. Shows the state at the time of opening, even if another
  // process is writing to the database, until CatchUp(). (A writer that opens the database later
  // may delete tables that this DB has not opened yet: reading those then fails with kNotFound or
  // kIoError, and CatchUp() or reopening helps.)
  //
  // Also opens LevelDB directories, databases with unknown comparators (for raw reading) and
  // databases with damaged WALs: see recovery(). Replayed WALs take at most 32 MiB of memory (plus
  // the largest batch, and the changes of prepared transactions); the rest goes to unnamed
  // temporary files (FileSystem::CreateScratch), where the file system supports them.
  static Result<std::unique_ptr<DB>> OpenReadOnly(const Options& options, const std::string& path,
                                                  RecoveryReport* report = nullptr);
  // Closes the database if Close() was not called, and drops the resulting Status: call Close() to
  // see it. No other call may be running.
  ~DB();

  // For a database that is open read-only, RocksDB's secondary instance: shows what there is now,
  // as opening it now would. Reads that begin after this returned see it; those that run meanwhile
  // see one state or the other, in each family. Iterators stay as they are until
  // Iterator::Refresh(). Snapshots taken before cannot be read at any more: kInvalidArgument.
  //
  // Families that were made since then appear, with the options that OpenReadOnly() got for their
  // names. Those that were dropped are gone, or as `dropped` says. Other options stay as they are.
  // Costs as much as opening does, but tables that are open stay so, with their cached blocks.
  //
  // `report`, if given, says what was replayed and left out now; recovery() stays that of the
  // opening. After an error everything is as before: kInvalidArgument if the database is open for
  // writing, or if it has to be opened again, because another one is in its directory or a crash of
  // the writer has undone the making of a family; else errors of OpenReadOnly().
  Status CatchUp(const DropOptions& dropped = {}, RecoveryReport* report = nullptr);

  // Waits for running jobs, syncs the WAL so that every kBuffered write is durable, flushes what
  // was written with kNone, and releases the lock. Concurrent writes either complete before that or
  // fail with kShutdown; later calls fail with kShutdown. If the result is not ok, writes made with
  // kNone may be lost. A second call does nothing and returns Ok.
  Status Close();

  // --- writing

  // Applies all changes of the batch, or none: they become visible together, in all families. Move
  // the batch in to save a copy. Returns when the write is visible to readers and as durable as
  // `options` asks for. May wait for other writes and for a write stall (see
  // WriteOptions::no_slowdown).
  //
  // kInvalidArgument: a family that does not exist, or a key, an entry or a batch that is too large
  // (write_batch.h). kNotSupported: a merge in a family without merge operator; two-phase-commit
  // markers or blob indexes in a batch of encoded bytes; the database is open read-only.
  // kCorruption: the encoded bytes are not a valid batch. kBusy: no_slowdown is set and writes are
  // stalled. After these errors nothing was written and the database still works. kIoError,
  // kNoSpace: the WAL could not be written; nothing is visible, the batch may or may not be there
  // after reopening, and no writes are accepted until then. If the write would have to wait for a
  // flush that fails, it returns the error of the flush. kShutdown: the database is closed or
  // closing.
  Status Write(const WriteOptions& options, WriteBatch batch);
  // Sets the value of a key: Write() of a batch with this one change, and its errors.
  Status Put(const WriteOptions& options, std::string_view key, std::string_view value,
             ColumnFamilyId family = kDefaultColumnFamilyId);
  // Deletes a key; Ok if there is no such key. Errors as of Write().
  Status Delete(const WriteOptions& options, std::string_view key,
                ColumnFamilyId family = kDefaultColumnFamilyId);
  // Adds an operand to the key's value, to be folded by the family's MergeOperator when the key is
  // read or compacted. NotSupported where the family has no merge operator. Errors as of Write().
  Status Merge(const WriteOptions& options, std::string_view key, std::string_view operand,
               ColumnFamilyId family = kDefaultColumnFamilyId);

  // --- two-phase commits, with Options::allow_2pc

  // Logs the changes of the batch under a name, without making them visible: the transaction is
  // prepared until CommitPrepared() or RollbackPrepared(), also over closings and crashes (as
  // durable as `options` asks for; kNone is taken as kBuffered here and in both of these). Keeping
  // others from its keys is up to the caller.
  //
  // kInvalidArgument: the name is not of 1 to 512 bytes, or a prepared transaction has it;
  // allow_2pc is not set. Otherwise errors of Write(): the transaction is not prepared, except that
  // it may be after reopening if the WAL could not be written.
  Status Prepare(const WriteOptions& options, const std::string& name, const WriteBatch& batch);
  // Makes the changes of a prepared transaction visible, and behind them those of `more`, as one
  // Write() would. kInvalidArgument: there is none of that name. After other errors it is still
  // prepared.
  Status CommitPrepared(const WriteOptions& options, const std::string& name,
                        const WriteBatch& more = {});
  // Forgets a prepared transaction. Errors as of CommitPrepared().
  Status RollbackPrepared(const WriteOptions& options, const std::string& name);
  // Those that are prepared now, by name: of a database that is open read-only, those that were
  // when it was opened or caught up.
  std::vector<PreparedTransaction> PreparedTransactions() const;

  // --- reading; absence is not an error

  // The value of the key at options.snapshot, or now; nullopt if there is none. The Value pins
  // memory and must be gone before the DB is.
  //
  // kCorruption: stored bytes are damaged, or the merge operator rejects an operand. kIoError,
  // kNotFound: a file could not be read, or is missing. kNotSupported: the value needs a merge
  // operator or a codec that is not available. kBusy: ReadOptions::cache_only. kInvalidArgument:
  // options.snapshot belongs to another DB, or options.timestamp is not what the family needs.
  Result<std::optional<Value>> Get(const ReadOptions& options, std::string_view key,
                                   ColumnFamilyId family = kDefaultColumnFamilyId);
  // Get() of many keys at once, faster than one by one: shared tables, filters and blocks are
  // looked up once, and reads are submitted to the device together. results[i] belongs to keys[i];
  // duplicates are allowed; all keys are read at the same sequence number. Each key has a Result of
  // its own, with the errors of Get(); an error of the whole call is in all of them.
  std::vector<Result<std::optional<Value>>> MultiGet(
      const ReadOptions& options, std::span<const std::string_view> keys,
      ColumnFamilyId family = kDefaultColumnFamilyId);
  // Get() in a family with timestamps, as of options.timestamp, with the timestamp of the value.
  // kInvalidArgument in a family without.
  Result<std::optional<TimestampedValue>> GetWithTimestamp(
      const ReadOptions& options, std::string_view key,
      ColumnFamilyId family = kDefaultColumnFamilyId);
  // The same of many keys.
  std::vector<Result<std::optional<TimestampedValue>>> MultiGetWithTimestamps(
      const ReadOptions& options, std::span<const std::string_view> keys,
      ColumnFamilyId family = kDefaultColumnFamilyId);
  // An iterator over the family at options.snapshot, or now; not positioned yet. Destroy it before
  // the DB; it pins the memtables and tables that it reads. Read errors, and a ReadOptions::prefix
  // that the comparator does not support, show in Iterator::status(). kInvalidArgument:
  // options.snapshot belongs to another DB.
  Result<Iterator> NewIterator(const ReadOptions& options,
                               ColumnFamilyId family = kDefaultColumnFamilyId);
  // The sequence number of the newest change of the key, also of a deletion; 0 if there is none. A
  // change may count as older than it was, but not than a Snapshot that exists, unless the key was
  // absent then and is absent now: compaction forgets what came and went. Errors of Get();
  // kNotSupported in a family with timestamps.
  Result<Sequence> NewestSequence(std::string_view key,
                                  ColumnFamilyId family = kDefaultColumnFamilyId);
  // The current state of the whole database, to read at (ReadOptions::snapshot) until the Snapshot
  // is destroyed. Never fails.
  Snapshot GetSnapshot();
  // A past state, as far as compaction has kept it: versions that were dropped stay dropped.
  // InvalidArgument for a sequence number that has not been used yet.
  Result<Snapshot> GetSnapshotAt(Sequence sequence);

  // --- column families

  // Makes one family; see CreateColumnFamilies().
  Result<ColumnFamilyId> CreateColumnFamily(const std::string& name,
                                            const ColumnFamilyOptions& options);
  // Creates families and returns their ids, in the same order. They are durable in the MANIFEST
  // when this returns. All or none, except that a crash or a failure to write the MANIFEST may
  // leave the first few (they exist after reopening). Each call writes the OPTIONS file, which
  // lists every family: create many families with one call.
  // kInvalidArgument: a name that is empty, given twice or taken; options out of range or
  // contradictory. kNotSupported: all ids are used up.
  Result<std::vector<ColumnFamilyId>> CreateColumnFamilies(std::span<const NewFamily> families);
  // Durably removes a family and all its data. Its id is unknown to later calls, except as
  // DropOptions say; its files are deleted once nothing reads them. kInvalidArgument for the
  // default family and for one that does not exist.
  Status DropColumnFamily(ColumnFamilyId family, const DropOptions& options = {});
  // Ends what DropOptions::keep_readable allows: no read of the family may begin any more. Does
  // nothing if the family was not dropped.
  void ForgetDroppedFamily(ColumnFamilyId family);
  // All families, including those that cannot be read because their comparator is unknown.
  std::vector<FamilyInfo> Families() const;
  // The id of the family of that name; nullopt if there is none.
  std::optional<ColumnFamilyId> FindFamily(std::string_view name) const;

  // --- maintenance

  // Writes the family's memtable into a table, so that its data no longer needs the WALs; does
  // nothing if it is empty. With FlushOptions::wait, returns when the tables are installed. If a
  // flush fails, its error is returned and the memtables stay.
  Status Flush(const FlushOptions& options = {}, ColumnFamilyId family = kDefaultColumnFamilyId);
  // Flush() of every family, waiting for them.
  Status FlushAll();
  // Flushes the family, then compacts its user keys in [begin, end], both inclusive, down to the
  // last level that has any of them; nullopt is unbounded. Returns when done. With FIFO compaction
  // it only flushes; with universal compaction it merges all tables of the family into the last
  // level if any of them has keys in the range.
  Status CompactRange(const CompactRangeOptions& options, std::optional<std::string_view> begin,
                      std::optional<std::string_view> end,
                      ColumnFamilyId family = kDefaultColumnFamilyId);
  // Compacts the tables with these names ("000012.sst", as LiveFiles() numbers them) into a level.
  // With them go, from level 0 down to the output level, the tables between them, those of which
  // the keys overlap, and the older ones of level 0, as by RocksDB. Nothing is flushed. If this
  // returns ok and `info` is not null, it says what was done. kInvalidArgument: no names, a table
  // that does not exist or is below the output level, a level or path that there is not; with FIFO
  // compaction, another level than 0. kBusy: another compaction has a table that is needed, or
  // writes to that level where this one would.
  Status CompactFiles(const CompactFilesOptions& options, std::span<const std::string> names,
                      int output_level, ColumnFamilyId family = kDefaultColumnFamilyId,
                      CompactionJobInfo* info = nullptr);
  // When this returns ok, all writes so far that are in a WAL (kBuffered and kSync) are on stable
  // storage. After a failure, no writes are accepted until the database is reopened. Ok at once if
  // there is nothing to sync. kNotSupported: the database is open read-only.
  Status SyncWal();
  // When this returns ok, no flush or compaction runs, and none starts until it was followed by as
  // many calls of ContinueBackgroundWork(). CompactFiles() goes on; Flush() and CompactRange()
  // wait, and writers do once memtables are full. Closing the database ends the pause.
  // kNotSupported: the database is open read-only. kShutdown: it is closing.
  Status PauseBackgroundWork();
  // kInvalidArgument: it is not paused.
  Status ContinueBackgroundWork();
  // Waits until no flush or compaction is running or due. If one failed and was not retried
  // successfully, returns its error. Ok at once if the database is open read-only.
  Status WaitForBackgroundWork();
  // Adds finished tables made by SstFileWriter (ours or RocksDB's), all or none. Their entries
  // count as newer than everything in the family. Every entry is read and verified first, several
  // tables at once on the executor's threads; writes wait only while the tables are assigned to
  // levels. Durable when this returns; a crash before that leaves no files, once the database is
  // opened again, but with IngestOptions::move_files perhaps both names of one. kInvalidArgument:
  // a table was not made for ingestion, has another comparator, is a file of this database or
  // overlaps another one of `paths` without IngestOptions::in_order; or, unless
  // IngestOptions::allow_overlap, it overlaps existing keys. kNotFound: a file does not exist.
  // kCorruption: a file is damaged.
  Status Ingest(const IngestOptions& options, const std::vector<std::string>& paths,
                ColumnFamilyId family = kDefaultColumnFamilyId);
  // Ingest() into several families in one step: readers, and a database that is opened after a
  // crash, see the tables of all of them or of none. kInvalidArgument also for a family that is
  // listed twice.
  Status IngestFamilies(const IngestOptions& options, std::span<const FamilyTables> families);
  // Removes the tables below level 0 whose keys are all in [begin, end], both inclusive; nullopt is
  // unbounded. What else the range has stays, and older versions of a key that was in a removed
  // table may become visible again: a quick way to free space, not to delete keys. Tables that a
  // compaction may be using stay. Open iterators and snapshots lose them only for later reads.
  Status DeleteFilesInRange(std::optional<std::string_view> begin,
                            std::optional<std::string_view> end,
                            ColumnFamilyId family = kDefaultColumnFamilyId);
  // In a family with timestamps, gives up the history before `timestamp`: reads at older timestamps
  // are kInvalidArgument from now on, and compactions drop versions that only those would see.
  // Durable when this returns. kInvalidArgument: it would decrease, or has another size.
  Status IncreaseFullHistoryTsLow(std::string_view timestamp,
                                  ColumnFamilyId family = kDefaultColumnFamilyId);
  // What was given to it last; empty if nothing was.
  Result<std::string> FullHistoryTsLow(ColumnFamilyId family = kDefaultColumnFamilyId) const;
  // While what this returns lives, no file of the database is deleted, e.g. to copy tables by name.
  // It must end before the DB does.
  std::shared_ptr<const void> HoldFiles();
  // Makes a complete database in the new directory `path`: tables are hard-linked where the file
  // system supports it, the rest is copied. Writes made with kNone are flushed first. The directory
  // appears complete and durable, or not at all; until then its parts are in "<path>.checkpoint".
  // kInvalidArgument: `path` is empty or exists, or "<path>.checkpoint" holds something else.
  // kBusy: another checkpoint is being made there. kNotSupported: the database is open read-only.
  Status Checkpoint(const std::string& path);
  // Checkpoint() of the files in `directory`, which another process may have open and write to: no
  // lock is taken. Needs no comparator and replays no WAL. Also kBusy if its files change faster
  // than they can be linked, kCorruption if its MANIFEST is damaged or lists missing files, and
  // kNotSupported if it is LevelDB's. Thread-safe.
  static Status CheckpointOf(const Environment& env, const std::string& directory,
                             const std::string& path);

  // Flushes the family and links its tables (copies, where the file system cannot link) into the
  // new directory `path`, which appears complete and durable, or not at all. What is returned names
  // them there, as ImportColumnFamily() and RocksDB's CreateColumnFamilyWithImport() take it.
  // Errors of Checkpoint() and Flush(); kNotSupported also for a family with blob files.
  Result<ExportedFamily> ExportColumnFamily(const std::string& path,
                                            ColumnFamilyId family = kDefaultColumnFamilyId);
  // Makes a family of tables that were exported from another one, by us or by RocksDB, and returns
  // its id. Their entries keep their sequence numbers: those of this database continue behind
  // them, and a Snapshot that exists may see some of them. Every entry is read and verified first,
  // several tables at once on the executor's threads; that a level has nothing older than those
  // below is not verified. The family appears with all of its tables. Durable when this returns;
  // after an error nothing is left, and a crash may leave the family empty.
  //
  // kInvalidArgument: as of CreateColumnFamilies(), there are no tables, another comparator, a
  // level that the family does not have, or a table of this database. kNotFound: no such file.
  // kCorruption: it is damaged, is not as described, or the tables of a level overlap.
  // kNotSupported: its values are in blob files, its keys have timestamps, or its sequence numbers
  // are above 2^55.
  Result<ColumnFamilyId> ImportColumnFamily(const NewFamily& family, const ImportOptions& options,
                                            const ExportedFamily& exported);

  // Changes options of an open family: `changes` are names and values as in an OPTIONS file, and
  // either all are applied or none. They take effect with the next flush, compaction or stall
  // decision, and are stored for later openings. InvalidArgument for an option that is unknown, out
  // of range, or fixed while the database is open (see MayChangeAtRunTime()). kBusy if options of
  // the family were changed too often since the database was opened. Each call writes an OPTIONS
  // file.
  Status SetOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                    ColumnFamilyId family = kDefaultColumnFamilyId);
  // Validates `changes` as SetOptions() does, without changing or writing anything.
  Status CheckOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                      ColumnFamilyId family = kDefaultColumnFamilyId) const;
  // SetOptions() for every option that a database stores (see MayBeStored()), including those of
  // the database itself: options that are fixed while it is open take effect at the next opening.
  // InvalidArgument also if the last levels that would go have tables, and for a compression level
  // that the codec rejects; NotSupported for a codec that this build does not have.
  Status StoreOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                      ColumnFamilyId family = kDefaultColumnFamilyId);
  // A copy of the family's current options, with comparator and merge operator resolved.
  Result<ColumnFamilyOptions> OptionsOf(ColumnFamilyId family = kDefaultColumnFamilyId) const;

  // The directory, as given to Open(). Valid as long as the DB.
  const std::string& path() const;
  // What opening replayed and left out. If damaged(), every answer may be incomplete. Never
  // changes; valid as long as the DB.
  const RecoveryReport& recovery() const;
  // Statistics since the database was opened. Not a consistent snapshot: the figures may be of
  // slightly different times.
  DbStats Stats() const;
  // Statistics of each existing family.
  std::vector<FamilyStats> StatsOfFamilies() const;
  // Files and bytes of each level of the family, level 0 first; empty if there is no such family.
  std::vector<LevelInfo> Levels(ColumnFamilyId family = kDefaultColumnFamilyId) const;
  // The tables of the family, level by level; in level 0 newest first, below it by keys. Opens
  // those that were not used yet, for their numbers of entries. Errors as of Get().
  Result<std::vector<LiveFile>> LiveFiles(ColumnFamilyId family = kDefaultColumnFamilyId) const;
  // The logs in the directory, the oldest first. They are deleted once nothing needs them:
  // HoldFiles() prevents that.
  Result<std::vector<LogFile>> LogFiles() const;
  // Roughly how many bytes of tables the keys in [begin, end) take, as they are compressed; nullopt
  // is unbounded. Reads indexes only; memtables do not count. Errors as of Get().
  Result<uint64_t> ApproximateSize(std::optional<std::string_view> begin,
                                   std::optional<std::string_view> end,
                                   ColumnFamilyId family = kDefaultColumnFamilyId) const;

  // For Open() and OpenReadOnly() only: no other program can have an Engine.
  explicit DB(std::unique_ptr<Engine> engine);

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace varve
