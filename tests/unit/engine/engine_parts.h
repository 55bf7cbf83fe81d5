// SPDX-License-Identifier: Apache-2.0
// The parts of an open database one by one, on files in memory: families, the MANIFEST's log, WALs,
// background jobs, which wait until they are asked for, and the write path.
//
// As after an opening: families 0, 1, ... without data, MANIFEST-000005, and WAL 6, which is the
// first that they need. One thread, which takes the locks as the engine does.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/context.h"
#include "core/engine/files/file_gc.h"
#include "core/engine/files/version_log.h"
#include "core/engine/files/wal_set.h"
#include "core/engine/jobs/background.h"
#include "core/engine/open/family_options.h"
#include "core/engine/read/get.h"
#include "core/engine/write/write_path.h"
#include "core/table/block/clock_cache.h"
#include "core/version/manifest_reader.h"
#include "tests/unit/engine/watched_fs.h"

namespace varve {

// Keeps jobs until they are asked for; runs them for who waits only if told to.
class AskedExecutor final : public Executor {
 public:
  void Schedule(Lane lane, std::function<void()> job) override {
    jobs_.emplace_back(lane, std::move(job));
  }
  int Parallelism(Lane) const override { return 1; }
  bool RunOneWhileWaiting() override { return for_waiters_ && RunOne(); }
  void RunForWaiters(bool run) { for_waiters_ = run; }

  size_t queued(Lane lane) const {
    return static_cast<size_t>(std::count_if(
        jobs_.begin(), jobs_.end(), [lane](const auto& job) { return job.first == lane; }));
  }
  // Runs the oldest job; false if there is none.
  bool RunOne() {
    if (jobs_.empty()) return false;
    std::function<void()> job = std::move(jobs_.front().second);
    jobs_.pop_front();
    job();
    return true;
  }
  int RunAll() {
    int jobs = 0;
    while (RunOne()) ++jobs;
    return jobs;
  }

 private:
  std::deque<std::pair<Lane, std::function<void()>>> jobs_;
  bool for_waiters_ = false;
};

// A context without families, as the engine's constructor leaves it.
struct ContextFixture {
  explicit ContextFixture(const Options& options = {}) {
    context.options = options;
    context.options.env = NativeEnvironment();
    context.options.env.file_system = &fs;
    context.options.env.executor = &executor;
    context.directory = "db";
    context.db_id = "11111111-2222-4333-8444-555555555555";
    context.blocks = std::make_shared<ClockCache>(1 << 20);
    context.tables = std::make_unique<TableCache>(fs, "db", context.blocks, /*max_open_files=*/-1,
                                                  /*direct_reads=*/false);
    context.blobs = std::make_shared<BlobReader>(fs, "db");
    context.snapshots = SnapshotList::Create(context.visible);
    context.wal_bytes_limit = uint64_t{1} << 40;
    REQUIRE(fs.CreateDirectory("db").ok());
  }

  std::unique_ptr<Family> NewFamily(ColumnFamilyId id, const ColumnFamilyOptions& options) const {
    ColumnFamilyOptions resolved = options;
    if (resolved.comparator == nullptr) resolved.comparator = BytewiseComparator();
    return std::make_unique<Family>(id, id == 0 ? "default" : "family" + std::to_string(id),
                                    resolved, std::string(resolved.comparator->name()),
                                    context.blobs, context.readahead(), context.memtable_grades());
  }
  Family* AddFamily(ColumnFamilyId id, const ColumnFamilyOptions& options = {}) {
    context.AssertNotShared();
    std::unique_ptr<Family> family = NewFamily(id, options);
    family->Begin(family->NewMemTable(), /*first_wal=*/6);
    family->Publish(EmptyVersion(*BytewiseComparator(), context.tables.get(), options));
    return context.families.Add(std::move(family));
  }

  std::vector<std::string> Files() {
    std::vector<std::string> names;
    const auto entries = fs.List("db");
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) names.push_back(entry.name);
    std::sort(names.begin(), names.end());
    return names;
  }
  bool Exists(const std::string& name) { return fs.Exists(JoinPath("db", name)); }

  WatchedFs fs;
  AskedExecutor executor;
  EngineContext context;
};

struct EngineParts : ContextFixture {
  explicit EngineParts(const Options& options = {}, ColumnFamilyId families = 1)
      : ContextFixture(options), gc(context), wals(context) {
    DatabaseState state;
    state.counters.next_file_number = 10;
    state.counters.db_id = context.db_id;
    state.counters.min_log_number_to_keep = 6;
    for (ColumnFamilyId id = 0; id < families; ++id) {
      all.push_back(AddFamily(id, options.family));
      FamilyState& family = state.families.Add(
          {.id = id,
           .name = all.back()->name(),
           .comparator_name = all.back()->comparator_name(),
           .comparator = BytewiseComparator(),
           .log_number = 6,
           .full_history_ts_low = {},
           .persist_user_timestamps = {},
           .version = EmptyVersion(*BytewiseComparator(), context.tables.get(), options.family)});
      state.counters.max_family = family.id;
    }
    auto manifest = ManifestWriter::Create(fs, "db", 5, state, {});
    REQUIRE_MESSAGE(manifest.ok(), manifest.status().ToString());
    log = std::make_unique<VersionLog>(context, gc, state, state.counters.next_file_number);
    log->Begin(*std::move(manifest));
    background = std::make_unique<Background>(context, *log, gc, wals);
    writes = std::make_unique<WritePath>(context, *log, *background, wals);
    const WritePath::Lead lead(*writes);
    REQUIRE(wals.Roll(6).ok());
    fs.log().clear();
  }
  ~EngineParts() {
    executor.RunForWaiters(true);
    background->Stop();
  }

  Status Put(ColumnFamilyId family, std::string_view key, std::string_view value,
             const WriteOptions& options = {}) {
    WriteBatch batch;
    batch.Put(key, value, family);
    return writes->Write(options, &batch);
  }
  // "none", or an error's text.
  std::string Get(ColumnFamilyId family, std::string_view key) {
    const auto pin = all[family]->views().Acquire();
    const auto value = GetFromView(*pin, {}, key, context.visible);
    if (!value.ok()) return value.status().ToString();
    return value->has_value() ? (*value)->ToString() : "none";
  }
  // Seals the family's memtable; its flush is scheduled.
  void Seal(ColumnFamilyId family) {
    const WritePath::Lead lead(*writes);
    Family* const one[] = {all[family]};
    REQUIRE(writes->Switch(one, FlushReason::kManual).ok());
  }
  void Reconsider() {
    MutexLock lock(context.mutex());
    background->Reconsider();
  }
  size_t Sealed(ColumnFamilyId family) {
    MutexLock lock(context.mutex());
    return all[family]->immutables().size();
  }
  uint64_t FilesOn(ColumnFamilyId family, int level) {
    MutexLock lock(context.mutex());
    return log->VersionOf(family)->files(level).size();
  }
  // What an opening would find in the MANIFEST.
  DatabaseState Stored() {
    auto read = ReadManifest(fs, "db", Options(), nullptr);
    REQUIRE_MESSAGE(read.ok(), read.status().ToString());
    return read->state;
  }

  FileGc gc;
  WalSet wals;
  std::vector<Family*> all;  // By id.
  std::unique_ptr<VersionLog> log;
  std::unique_ptr<Background> background;
  std::unique_ptr<WritePath> writes;
};

}  // namespace varve
