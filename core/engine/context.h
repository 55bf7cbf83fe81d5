// SPDX-License-Identifier: Apache-2.0
// EngineContext is shared by all parts of an open database: its settings, the services they use,
// the families, and the engine's mutex.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "core/base/check.h"
#include "core/base/options/grades.h"
#include "core/base/threads/mutex.h"
#include "core/engine/engine_counters.h"
#include "core/engine/family_queue.h"
#include "core/engine/family_set.h"
#include "core/engine/locks.h"
#include "core/engine/prepared_set.h"
#include "core/engine/read/snapshots.h"
#include "core/engine/write/error_state.h"
#include "core/format/file_name.h"
#include "core/table/cache/table_cache.h"
#include "core/version/blob_reader.h"
#include "varve/options.h"
#include "varve/types.h"

namespace varve {

class JobListener;
class TablePathsFileSystem;

struct EngineContext {
  Options options;  // Environment complete; never changes after Open().
  Grades grades;
  std::string directory;
  bool read_only = false;
  std::string db_id;
  std::string db_session_id;
  JobListener* listener = nullptr;              // May be null.
  TablePathsFileSystem* table_paths = nullptr;  // Null: all tables are in the directory.

  std::shared_ptr<ClockCache> blocks;
  std::shared_ptr<TableCache> tables;  // Read-only: replaced under the mutex, as are the next ones.
  std::shared_ptr<BlobReader> blobs;
  ErrorState errors;
  EngineCounters stats;

  // The newest sequence number that readers may see. The write group leader stores it (release)
  // after inserting everything up to it into the memtables; readers load it with acquire.
  std::atomic<Sequence> visible{0};
  std::shared_ptr<SnapshotList> snapshots;

  FamilySet families;
  // The families whose Version, memtables, options or jobs have changed since
  // Background::Reconsider() last looked at them: it looks at no others. Push one while the mutex
  // is held for the change.
  FamilyQueue changed_families GUARDED_BY(engine_mutex);
  PreparedSet prepared GUARDED_BY(engine_mutex);
  std::string remote_compaction_failure GUARDED_BY(engine_mutex);  // The last one.
  uint64_t remote_compactions_running GUARDED_BY(engine_mutex) = 0;
  // When the WALs together exceed this, the families that need the oldest one are flushed.
  std::atomic<uint64_t> wal_bytes_limit{0};
  CondVar changed;  // Signals any change that a thread may wait for under the mutex.
  // Set once recovery is done, before other threads can access the database.
  bool shared = false;

  Mutex& mutex() const RETURN_CAPABILITY(engine_mutex) { return mutex_; }
  // The thread that opens the database holds all its locks without taking them.
  void AssertNotShared() const ASSERT_CAPABILITY(write_lead, options_mutex, engine_mutex) {
    CHECK(!shared);
  }
  // Nobody leads writes that do not exist.
  void AssertReadOnly() const ASSERT_CAPABILITY(write_lead) { CHECK(read_only); }
  FileSystem& fs() const { return *options.env.file_system; }
  Clock& clock() const { return *options.env.clock; }
  ReadaheadPolicy readahead() const {
    return {.mode = options.scan_readahead,
            .initial_window = options.initial_auto_readahead_size,
            .max_window = options.max_auto_readahead_size,
            .sequential_reads_before = options.num_file_reads_for_auto_readahead};
  }
  MemTableGrades memtable_grades() const {
    return {grades.memtable_rep, grades.memtable_batch_lookup};
  }
  std::string PathOf(const std::string& name) const { return JoinPath(directory, name); }

  static constexpr uint64_t kLookMicros = 100'000;

  // Blocks until `condition()`, called with the mutex held, is true. Meanwhile lets an executor
  // without threads run its jobs.
  template <typename Condition>
  void WaitUntil(Condition condition) EXCLUDES(engine_mutex) {
    for (;;) {
      {
        MutexLock lock(mutex());
        if (condition()) return;
      }
      if (options.env.executor->RunOneWhileWaiting()) continue;
      MutexLock lock(mutex());
      if (condition()) return;
      // With a timeout: a job queued in an executor without threads wakes no waiter.
      changed.WaitFor(mutex(), kLookMicros);
    }
  }

 private:
  mutable Mutex mutex_;
};

}  // namespace varve
