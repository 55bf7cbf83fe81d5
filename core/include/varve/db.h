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
  std::string file = {};    // Its name within the database's directory.
  uint64_t offset = 0;      // Where the trouble starts, in bytes from the beginning of the file.
  uint64_t bytes = 0;       // How much of the file was not used.
  std::string reason = {};  // What is wrong there; a sentence for people.
  // False: the end of a log as a crash leaves it, a write that was under way. True: a crash does
  // not explain it, so that what is missing may have been acknowledged, and synced.
  bool damage = false;
  // The file ends, as far as it was written, within what is left out: a process that writes to the
  // database may be in the middle of it. Never true of damage.
  bool unfinished = false;
};

// What opening a database replayed from its WALs, and what it had to leave out.
struct RecoveryReport {
  uint64_t wal_files = 0;            // WALs that were read.
  uint64_t wal_records = 0;          // Records in them that were taken.
  uint64_t wal_bytes = 0;            // How large the files are together.
  std::vector<RecoveryLoss> losses;  // What was left out or not trusted; empty if nothing was.
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

// A column family of an open database, as DB::Families() lists them.
struct FamilyInfo {
  ColumnFamilyId id = 0;   // What DB's functions take. Never given to another family.
  std::string name;        // Unique among the families that there are.
  std::string comparator;  // Name of its key order, known here or not.
};

// A column family to be created.
struct NewFamily {
  std::string name;             // Not empty, and not that of a family that exists.
  ColumnFamilyOptions options;  // A null comparator is the bytewise one.
};

// An open database. All functions may be called from any number of threads at once, but for the
// destructor, which must be the last call.
//
// Errors that most functions share: kShutdown after Close(); kInvalidArgument for a family that
// does not exist or was dropped; kNotSupported for a family whose comparator is not known here and,
// from all that would change something, if the database is open read-only. After a failed write or
// sync of a WAL or the MANIFEST nothing can be changed until the database is opened again: what
// would change something returns that first failure; reads go on.
//
// Keys and values that are passed in need to live until the call returns.
class VARVE_EXPORT DB {
 public:
  // Opens the database in the directory `path` for reading and writing, and locks it against other
  // processes and other DBs of this one. Replays what its WALs hold and writes that into tables.
  //
  // `report`, if given, says what recovery replayed and what it had to leave out; it is filled in
  // when recovery fails, too. Damage in a WAL is Corruption, and the directory stays as it is,
  // unless Options::accept_loss.
  //
  // kNotFound: there is no database and no Options::create_if_missing. kInvalidArgument: options
  // out of range or at odds with each other, a comparator that is not the one the database was
  // written with, or a database that exists with Options::error_if_exists. kBusy: it is locked.
  // kNotSupported: a LevelDB directory, or a database with something that this engine cannot go on
  // with (an unknown comparator, user-defined timestamps, ...). kCorruption, kIoError, kNoSpace: as
  // these codes say.
  //
  // `options` is copied; the comparators, merge operators and the members of `env` that it points
  // to must outlive the DB.
  static Result<std::unique_ptr<DB>> Open(const Options& options, const std::string& path,
                                          RecoveryReport* report = nullptr);
  // Opens the database in the directory `path` for reading. Its errors are those of Open(), but for
  // kBusy and for what is said here.
  //
  // Takes no lock, writes nothing; shows the state at the time of opening, of a database that is
  // being written to as well. (A writer that opens the database later may delete tables that this has
  // not opened yet: reads of those then fail, kNotFound or kIoError, and opening anew helps.)
  //
  // Opens what Open() does, and LevelDB directories and databases with foreign comparators (for raw
  // reading), and databases with damaged WALs: see recovery().
  // What the WALs hold takes at most 32 MiB of memory (and the largest batch); the rest is in
  // temporary files without names (FileSystem::CreateScratch), if there can be any.
  static Result<std::unique_ptr<DB>> OpenReadOnly(const Options& options, const std::string& path,
                                                  RecoveryReport* report = nullptr);
  // Closes the database, if Close() was not called, and drops the Status of that: call Close() to
  // see it. No other call may be under way.
  ~DB();

  // Waits for running jobs, syncs the WAL so that every kBuffered write is durable, flushes what
  // was written with kNone, and releases the lock. Writes in other threads are kept like that, or
  // fail with kShutdown, as later writes, reads and changes do. Not ok: what was in no WAL may be
  // lost. A second call does nothing and is Ok.
  Status Close();

  // --- writing

  // Applies all changes of the batch, or none: they become visible together, in all families. To
  // save a copy, move the batch in. Returns when the write is as durable as `options` asks for and
  // visible to readers. May wait for others' writes and for a stall (see
  // WriteOptions::no_slowdown).
  //
  // kInvalidArgument: a family that does not exist, or a key, an entry or a batch that is too large
  // (write_batch.h). kNotSupported: a merge in a family without merge operator; two-phase-commit
  // markers or blob indexes in a batch of encoded bytes; the database is open read-only.
  // kCorruption: encoded bytes that are no batch. kBusy: no_slowdown, and writes are stalled. With
  // these, nothing was written and the database goes on. kIoError, kNoSpace: the WAL could not be
  // written; nothing is visible, it is unknown whether the batch is there after the next opening,
  // and no write is taken until then. A flush that cannot be done, and for which the write would
  // have to wait, returns its own error. kShutdown: the database is closed, or being closed.
  Status Write(const WriteOptions& options, WriteBatch batch);
  // Sets the value of a key: Write() of a batch with this one change, and its errors.
  Status Put(const WriteOptions& options, std::string_view key, std::string_view value,
             ColumnFamilyId family = kDefaultColumnFamilyId);
  // Removes a key, also if it is not there. Errors as of Write().
  Status Delete(const WriteOptions& options, std::string_view key,
                ColumnFamilyId family = kDefaultColumnFamilyId);
  // Adds an operand to the key's value, to be folded by the family's MergeOperator when the key is
  // read or compacted. NotSupported where the family has no merge operator. Errors as of Write().
  Status Merge(const WriteOptions& options, std::string_view key, std::string_view operand,
               ColumnFamilyId family = kDefaultColumnFamilyId);

  // --- reading; absence is not an error

  // The value of the key at options.snapshot, or now; nullopt if there is none. The Value pins
  // memory and must be gone before the DB is.
  //
  // kCorruption: stored bytes are damaged, or a merge operand is not of its operator's form.
  // kIoError, kNotFound: a file could not be read, or is gone. kNotSupported: the value needs a
  // merge operator or a codec that is not here. kBusy: ReadOptions::cache_only. kInvalidArgument:
  // options.snapshot is none of this DB's.
  Result<std::optional<Value>> Get(const ReadOptions& options, std::string_view key,
                                   ColumnFamilyId family = kDefaultColumnFamilyId);
  // Get() of many keys at once, which is faster than one by one: tables, filters and blocks that
  // keys share are looked at once, and reads go to the device together (see Options::multiget).
  // results[i] belongs to keys[i]; duplicates are fine; all keys see one moment. Each key has a
  // Result of its own, with the errors of Get(); what fails for the whole call is in all of them.
  std::vector<Result<std::optional<Value>>> MultiGet(
      const ReadOptions& options, std::span<const std::string_view> keys,
      ColumnFamilyId family = kDefaultColumnFamilyId);
  // An iterator over the family at options.snapshot, or now; not positioned yet. It must be gone
  // before the DB is; while it lives, the memtables and tables that it reads stay. An error while
  // reading, and a ReadOptions::prefix that the comparator does not allow, show in
  // Iterator::status(). kInvalidArgument: options.snapshot is none of this DB's.
  Result<Iterator> NewIterator(const ReadOptions& options,
                               ColumnFamilyId family = kDefaultColumnFamilyId);
  // The present moment of the whole database, to read at (ReadOptions::snapshot) until the Snapshot
  // is destroyed. Never fails.
  Snapshot GetSnapshot();
  // The past, as far as compaction has kept it: versions it dropped stay dropped. InvalidArgument
  // for a sequence that has not happened yet.
  Result<Snapshot> GetSnapshotAt(Sequence sequence);

  // --- column families

  // Makes one family; see CreateColumnFamilies().
  Result<ColumnFamilyId> CreateColumnFamily(const std::string& name,
                                            const ColumnFamilyOptions& options);
  // Makes families and returns their ids, in the same order. They are in the MANIFEST, durably,
  // when this returns. All or none, but that a crash meanwhile, or a failure to write the MANIFEST,
  // may leave the first few (which are there when the database is opened again). Each call writes
  // the OPTIONS file, which lists every family: many families are made by one call, not by many.
  // kInvalidArgument: a name that is empty, given twice or taken; options out of range or at odds.
  // kNotSupported: all ids are used up.
  Result<std::vector<ColumnFamilyId>> CreateColumnFamilies(std::span<const NewFamily> families);
  // Removes a family with all that it holds, durably. Its id is then unknown to all calls; its
  // files are deleted once no iterator reads from them. kInvalidArgument for the default family,
  // and for one that does not exist.
  Status DropColumnFamily(ColumnFamilyId family);
  // The families that there are now, also those that cannot be read for want of their comparator.
  std::vector<FamilyInfo> Families() const;
  // The id of the family of that name; nullopt if there is none.
  std::optional<ColumnFamilyId> FindFamily(std::string_view name) const;

  // --- maintenance

  // Writes the family's memtable into a table, so that its data no longer needs the WALs; nothing
  // to do if it is empty. With FlushOptions::wait, returns when the tables are installed; the error
  // of a flush that failed is returned, and the memtables stay.
  Status Flush(const FlushOptions& options = {}, ColumnFamilyId family = kDefaultColumnFamilyId);
  // Flush() of every family, waiting for them.
  Status FlushAll();
  // Flushes the family, then compacts what it has of the user keys [begin, end], both inclusive,
  // down to the last level that has any of them; nullopt is unbounded. Returns when done. With FIFO
  // compaction it only flushes.
  Status CompactRange(const CompactRangeOptions& options, std::optional<std::string_view> begin,
                      std::optional<std::string_view> end,
                      ColumnFamilyId family = kDefaultColumnFamilyId);
  // Returns when no flush or compaction is running or due. If a flush or compaction has failed and
  // was not repeated with success, its error. Ok at once if the database is open read-only.
  Status WaitForBackgroundWork();
  // Takes over finished tables made by SstFileWriter (ours or RocksDB's), all or none. Each counts
  // as newer than all that is in the family. Every entry is read and verified first; writes wait
  // only while the tables are put into their levels. Durable when this returns. kInvalidArgument: a
  // table that was not made for ingestion, is of another comparator, lies in the database itself or
  // overlaps another one of `paths`; and, unless IngestOptions::allow_overlap, one that overlaps
  // existing keys. kNotFound: a file is not there. kCorruption: one is damaged.
  Status Ingest(const IngestOptions& options, const std::vector<std::string>& paths,
                ColumnFamilyId family = kDefaultColumnFamilyId);
  // A complete database in the new directory `path`: tables hard-linked where the file system can,
  // the rest copied. What was written with kNone is flushed first. The directory is there complete
  // and durable, or not at all; until then its parts are in "<path>.checkpoint". kInvalidArgument:
  // `path` is empty, something is at it already, or what is no checkpoint's at that other name.
  // kBusy: another checkpoint is being made there. kNotSupported: the database is open read-only.
  Status Checkpoint(const std::string& path);

  // Options of a running family: `changes` are names and values as in an OPTIONS file, all taken or
  // none; effective from the next flush, compaction or stall decision on, and stored: the database
  // goes on with them when it is opened again. InvalidArgument for one that is unknown, out of
  // range, or fixed when the database is opened (see MayChangeAtRunTime()). kBusy if options of the
  // family were changed too often since the database was opened. Each call writes an OPTIONS file.
  Status SetOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                    ColumnFamilyId family = kDefaultColumnFamilyId);
  // What SetOptions() would say of the changes themselves; changes and writes nothing.
  Status CheckOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                      ColumnFamilyId family = kDefaultColumnFamilyId) const;
  // SetOptions() for every option that a database keeps (see MayBeStored()), the database's own
  // too: those that are fixed when it is opened hold from the next opening on. InvalidArgument also
  // for fewer levels than have tables, and for a codec's level that it refuses; NotSupported for a
  // codec that this build does not have.
  Status StoreOptions(const std::vector<std::pair<std::string, std::string>>& changes,
                      ColumnFamilyId family = kDefaultColumnFamilyId);
  // A copy of what holds for the family now: comparator and merge operator resolved.
  Result<ColumnFamilyOptions> OptionsOf(ColumnFamilyId family = kDefaultColumnFamilyId) const;

  // The directory, as given to Open(). Valid while the DB is.
  const std::string& path() const;
  // What was replayed and left out when this was opened. If damaged(), every answer is partial.
  // Never changes; valid while the DB is.
  const RecoveryReport& recovery() const;
  // The figures of the database since it was opened. Not all are of exactly one moment.
  DbStats Stats() const;
  // The figures of each family that was not dropped.
  std::vector<FamilyStats> StatsOfFamilies() const;
  // Files and bytes of each level of the family, level 0 first; empty if there is no such family.
  std::vector<LevelInfo> Levels(ColumnFamilyId family = kDefaultColumnFamilyId) const;

 private:
  friend class GradedDb;  // core/engine/open/open_graded.h
  explicit DB(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace varve
