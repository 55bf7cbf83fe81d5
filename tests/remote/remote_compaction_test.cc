// SPDX-License-Identifier: Apache-2.0
// Compactions by a service: the same contents as without one, whatever the worker does.
#include "core/engine/jobs/remote_compaction.h"

#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/threads/inline_executor.h"
#include "core/compaction/remote_check.h"
#include "core/fs/complete_environment.h"
#include "core/fs/memory_fs.h"
#include "tests/remote/remote_service.h"
#include "tests/scratch_directory.h"
#include "varve/compaction_filter.h"
#include "varve/db.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Database {
  explicit Database(bool with_service) : fs(NewMemoryFileSystem()) {
    options.env.file_system = fs.get();
    options.env.executor = &executor;
    options.env = Complete(options.env);
    service = std::make_unique<TestService>(options.env);
    if (with_service) options.custom_compaction_service = service.get();
    options.create_if_missing = true;
    options.compaction_service_fallback = false;
    options.family.write_buffer_size = 16 << 10;
    options.family.target_file_size_base = 8 << 10;
    options.family.max_bytes_for_level_base = 32 << 10;
    options.family.level0_file_num_compaction_trigger = 3;
    options.family.merge_operator = MergeOperatorByName("stringappend");
  }
  void Open() {
    db.reset();
    auto opened = DB::Open(options, "db");
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    db = *std::move(opened);
  }
  Status Settle() { return db->WaitForBackgroundWork(); }
  Pairs Contents(ColumnFamilyId family, const Snapshot* snapshot = nullptr) const {
    Pairs pairs;
    ReadOptions reading;
    reading.snapshot = snapshot;
    auto made = db->NewIterator(reading, family);
    REQUIRE(made.ok());
    Iterator it = *std::move(made);
    for (it.SeekToFirst(); it.Valid(); it.Next()) pairs.emplace_back(it.key(), it.value());
    REQUIRE_MESSAGE(it.status().ok(), it.status().ToString());
    return pairs;
  }
  // Tables that overlap, so that compacting them merges.
  void Fill(int rounds = 2) {
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < 200; ++i) {
        REQUIRE(db->Put({}, "key" + std::to_string(1000 + i), std::to_string(round)).ok());
      }
      REQUIRE(db->Flush().ok());
    }
  }
  size_t Files(const std::string& folder, std::string_view suffix) const {
    size_t files = 0;
    const auto entries = fs->List(folder);
    if (!entries.ok()) return 0;
    for (const DirectoryEntry& entry : *entries) files += entry.name.ends_with(suffix);
    return files;
  }

  std::unique_ptr<FileSystem> fs;
  InlineExecutor executor;
  Options options;
  std::unique_ptr<TestService> service;
  std::unique_ptr<DB> db;  // Goes first.
};

Status Compact(Database* t) {
  Status compacted = t->db->CompactRange({.force_bottommost = true}, {}, {});
  return compacted;
}

TEST_CASE("A service makes of random changes what the engine makes of them") {
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    Database remote(true), local(false);
    for (Database* t : {&remote, &local}) {
      t->service->sends = seed % 6 < 3;
      t->options.compaction_service_fallback = seed % 2 == 0;
      t->options.max_subcompactions = seed % 3 == 0 ? 3 : 1;
      t->options.family.level_compaction_dynamic_level_bytes = seed % 4 < 2;
      t->options.family.table.compression =
          seed % 5 == 0 ? CompressionType::kNone : DefaultCompression();
      t->options.family.table.block_size = seed % 2 == 0 ? 512 : 4096;
      if (seed % 4 == 1) t->options.family.comparator = ReverseBytewiseComparator();
      if (seed > 12) {  // Inputs of more than two levels, and some of level 0.
        t->options.family.compaction_style = CompactionStyle::kUniversal;
        t->options.family.universal.size_ratio = 50;
      }
      t->Open();
      REQUIRE(t->db->CreateColumnFamily("other", t->options.family).ok());
    }
    std::vector<std::pair<Snapshot, Snapshot>> snapshots;
    for (int step = 0; step < 4000; ++step) {
      const ColumnFamilyId family = random() % 3 == 0 ? 1 : 0;
      const std::string key = "k" + std::to_string(random() % 600);
      const std::string value(random() % 60, static_cast<char>('a' + random() % 26));
      const uint64_t kind = random() % 100;
      for (Database* t : {&remote, &local}) {
        WriteBatch batch;
        if (kind < 60) {
          batch.Put(key, value, family);
        } else if (kind < 75) {
          batch.Merge(key, value, family);
        } else if (kind < 90) {
          batch.Delete(key, family);
        } else if (kind < 93) {
          std::string end = key + "5";
          const bool swapped = t->options.family.comparator == ReverseBytewiseComparator();
          batch.DeleteRange(swapped ? end : key, swapped ? key : end, family);
        } else if (kind < 95) {
          REQUIRE(t->db->Flush({}, family).ok());
        }
        REQUIRE(t->db->Write({}, batch).ok());
      }
      if (kind == 95 && snapshots.size() < 4) {
        snapshots.emplace_back(remote.db->GetSnapshot(), local.db->GetSnapshot());
      }
      if (kind == 96 && !snapshots.empty()) snapshots.erase(snapshots.begin());
    }
    for (const bool again : {false, true}) {
      for (const ColumnFamilyId family : {0U, 1U}) {
        for (Database* t : {&remote, &local}) REQUIRE(t->Settle().ok());
        CHECK(remote.Contents(family) == local.Contents(family));
        for (const auto& [a, b] : snapshots) {
          CHECK(remote.Contents(family, &a) == local.Contents(family, &b));
        }
        if (again) continue;
        for (Database* t : {&remote, &local}) {
          REQUIRE(t->db->CompactRange({.force_bottommost = true}, {}, {}, family).ok());
        }
      }
    }
    const DbStats stats = remote.db->Stats();
    CHECK(stats.remote_compactions > 0);
    CHECK_MESSAGE(stats.remote_compaction_failures == 0, stats.remote_compaction_failure);
    CHECK(stats.remote_compaction_fallbacks == 0);
    CHECK(stats.remote_compactions_running == 0);
    CHECK(remote.service->scheduled == remote.service->cancelled);
    CHECK(local.db->Stats().remote_compactions == 0);
    CHECK(remote.Files("db/remote-compactions", "") == 0);
    const Pairs before = remote.Contents(0);
    snapshots.clear();
    remote.Open();
    CHECK(remote.Contents(0) == before);
  }
}

TEST_CASE("A result that is not what it says is refused, counted, and the compaction done here") {
  using Change = std::function<void(RemoteResult*)>;
  const std::vector<std::pair<std::string, Change>> lies = {
      {"it is of the job", [](RemoteResult* r) { r->job_id += "0"; }},
      {"with the checksum", [](RemoteResult* r) { r->job_crc.value ^= 1; }},
      {"the worker failed: no disk",
       [](RemoteResult* r) {
         r->code = Code::kNoSpace;
         r->message = "no disk";
       }},
      {"its inputs are not those", [](RemoteResult* r) { r->edit.deleted_files.pop_back(); }},
      {"its inputs are not those",
       [](RemoteResult* r) { r->edit.deleted_files.push_back(r->edit.deleted_files[0]); }},
      {"its inputs are not those", [](RemoteResult* r) { ++r->edit.deleted_files[0].number; }},
      {"does more than to replace", [](RemoteResult* r) { r->edit.log_number = 9; }},
      {"does more than to replace", [](RemoteResult* r) { r->edit.family = 7; }},
      {"does more than to replace", [](RemoteResult* r) { r->edit.drop_family = true; }},
      {"entries, the inputs have", [](RemoteResult* r) { --r->entries_read; }},
      {"is for level", [](RemoteResult* r) { --r->edit.new_files[0].level; }},
      {"is there twice",
       [](RemoteResult* r) {
         r->edit.new_files.push_back(r->edit.new_files[0]);
         r->entries.push_back(r->entries[0]);
       }},
      {"fewer than 8 bytes", [](RemoteResult* r) { r->edit.new_files[0].file.smallest = "x"; }},
      {"bounds in the wrong order",
       [](RemoteResult* r) {
         std::swap(r->edit.new_files[0].file.smallest, r->edit.new_files[0].file.largest);
       }},
      {"beyond those of the inputs",
       [](RemoteResult* r) {
         r->edit.new_files[0].file.smallest = EncodeInternalKey({"a", 1, ValueType::kValue});
       }},
      {"the newest of the inputs",
       [](RemoteResult* r) { r->edit.new_files[0].file.largest_sequence = 1 << 30; }},
      {"its description has the keys",
       [](RemoteResult* r) { r->edit.new_files[0].file.smallest.replace(3, 4, "1001"); }},
      {"sequence", [](RemoteResult* r) { r->edit.new_files[0].file.largest_sequence = 1; }},
      {"another unique id", [](RemoteResult* r) { ++r->edit.new_files[0].file.unique_id[0]; }},
      {"entries, its properties say", [](RemoteResult* r) { ++r->entries[0]; }},
      {"", [](RemoteResult* r) { ++r->edit.new_files[0].file.size; }},
      {"", [](RemoteResult* r) { r->edit.new_files[0].file.number = 77; }},
      {"", [](RemoteResult* r) { r->session[0] = r->session[0] == 'A' ? 'B' : 'A'; }},
  };
  for (const auto& [why, lie] : lies) {
    for (const bool fallback : {false, true}) {
      CAPTURE(why);
      CAPTURE(fallback);
      Database t(true);
      t.service->sends = fallback;
      t.options.compaction_service_fallback = fallback;
      t.options.family.disable_auto_compactions = true;
      t.Open();
      t.Fill();
      const Pairs before = t.Contents(0);
      const size_t tables = t.Files("db", ".sst");
      t.service->ChangeResult(lie);
      const Status compacted = Compact(&t);
      CHECK_MESSAGE(t.service->last.ok(), t.service->last.ToString());
      const DbStats stats = t.db->Stats();
      CHECK(stats.remote_compactions == 0);
      CHECK(stats.remote_compaction_failures > 0);
      CHECK(stats.remote_compaction_failure.find("test: ") != std::string::npos);
      CHECK_MESSAGE(stats.remote_compaction_failure.find(why) != std::string::npos,
                    stats.remote_compaction_failure);
      CHECK(compacted.ok() == fallback);
      CHECK((stats.remote_compaction_fallbacks > 0) == fallback);
      CHECK(t.Contents(0) == before);
      if (!fallback) CHECK(t.Files("db", ".sst") == tables);
      CHECK(t.Files("db/remote-compactions", "") == 0);
    }
  }
}

TEST_CASE("Every bit of a result, and every byte of its tables, is verified") {
  Database t(true);
  t.options.family.disable_auto_compactions = true;
  t.options.family.table.compression = CompressionType::kNone;
  t.Open();
  std::mt19937_64 random(1);
  const auto damage = [&](const std::string& path) {
    auto bytes = ReadFileToString(*t.fs, path, 1 << 30);
    REQUIRE(bytes.ok());
    const size_t bit = random() % (8 * bytes->size());
    (*bytes)[bit / 8] = static_cast<char>((*bytes)[bit / 8] ^ (1 << bit % 8));
    REQUIRE(ReplaceFileDurably(*t.fs, path + ".x", path, *bytes).ok());
  };
  t.Fill();
  const Pairs before = t.Contents(0);
  t.service->after = [&](const CompactionServiceJob& job) { damage(job.folder + "/RESULT"); };
  for (int i = 0; i < 60; ++i) {
    t.service->sends = i % 2 == 0;
    CHECK(!Compact(&t).ok());
  }
  t.service->after = [&](const CompactionServiceJob& job) {
    const auto entries = t.fs->List(job.folder);
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      if (entry.is_directory) damage(job.folder + "/" + entry.name + "/000001.sst");
    }
  };
  size_t refused = 0;
  for (int i = 0; i < 60; ++i) refused += Compact(&t).ok() ? 0 : 1;
  // A few bits of a table are of no block: padding, and filters that are then not used.
  CHECK(refused >= 40);
  CHECK(t.Contents(0) == before);
}

TEST_CASE("An output that is missing, cut short or of another job is refused") {
  Database t(true);
  t.options.family.disable_auto_compactions = true;
  t.Open();
  t.Fill();
  const Pairs before = t.Contents(0);
  const auto each_table = [&](const CompactionServiceJob& job, auto change) {
    const auto entries = t.fs->List(job.folder);
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      if (entry.is_directory) change(job.folder + "/" + entry.name + "/000001.sst");
    }
  };
  SUBCASE("missing") {
    t.service->after = [&](const CompactionServiceJob& job) {
      each_table(job, [&](const std::string& table) { REQUIRE(t.fs->Remove(table).ok()); });
    };
  }
  SUBCASE("cut short") {
    t.service->after = [&](const CompactionServiceJob& job) {
      each_table(job, [&](const std::string& table) { REQUIRE(t.fs->Truncate(table, 99).ok()); });
    };
  }
  SUBCASE("an input") {
    t.service->after = [&](const CompactionServiceJob& job) {
      const auto bytes = ReadFileToString(*t.fs, job.path, 1 << 20);
      const auto sent = DecodeRemoteJob("x", *bytes);
      REQUIRE(sent.ok());
      const std::string input = "db/" + TableFileName(sent->files.new_files.front().file.number);
      const auto contents = ReadFileToString(*t.fs, input, 1 << 30);
      each_table(job, [&](const std::string& table) {
        REQUIRE(ReplaceFileDurably(*t.fs, table + ".x", table, *contents).ok());
      });
    };
  }
  SUBCASE("no result") {
    t.service->after = [&](const CompactionServiceJob& job) {
      REQUIRE(t.fs->Remove(job.folder + "/RESULT").ok());
    };
  }
  CHECK(!Compact(&t).ok());
  CHECK(t.Contents(0) == before);
  t.service->after = nullptr;
  REQUIRE(Compact(&t).ok());
  CHECK(t.Contents(0) == before);
}

TEST_CASE("A service that refuses, or does not answer in time, is not waited for") {
  Database t(true);
  t.options.family.disable_auto_compactions = true;
  SUBCASE("refuses") {
    t.service->before = [](const CompactionServiceJob&) { return Status::IoError("no worker"); };
  }
  SUBCASE("does not answer") {
    t.options.compaction_service_timeout_seconds = 1;
    t.service->works = false;
  }
  t.Open();
  t.Fill();
  CHECK(!Compact(&t).ok());
  CHECK(t.service->scheduled == 1);
  CHECK(t.service->cancelled == 1);
  CHECK(t.db->Stats().remote_compaction_failures == 1);
}

TEST_CASE("Cancelling a compaction ends the wait, and is no failure of the service") {
  Database t(true);
  t.options.family.disable_auto_compactions = true;
  t.Open();
  t.Fill();
  std::atomic<bool> cancelled{true};
  t.service->works = false;
  t.service->before = [&](const CompactionServiceJob&) {
    cancelled = true;
    return Status::Ok();
  };
  cancelled = false;
  const Status compacted =
      t.db->CompactRange({.force_bottommost = true, .cancelled = &cancelled}, {}, {});
  CHECK(compacted.code() == Code::kShutdown);
  CHECK(t.db->Stats().remote_compaction_failures == 0);
  CHECK(t.service->cancelled == 1);
  CHECK(t.Files("db/remote-compactions", "") == 0);
}

TEST_CASE("What a crash left of jobs is removed when the database is opened") {
  Database t(true);
  t.Open();
  t.db.reset();
  for (const char* folder : {"db/remote-compactions", "db/remote-compactions/old",
                             "db/remote-compactions/old/ABCDEFGHIJ0123456789"}) {
    REQUIRE(t.fs->CreateDirectory(folder).ok());
  }
  REQUIRE(ReplaceFileDurably(*t.fs, "x", "db/remote-compactions/old/JOB", "x").ok());
  REQUIRE(ReplaceFileDurably(*t.fs, "x",
                             "db/remote-compactions/old/ABCDEFGHIJ0123456789/000001.sst", "x")
              .ok());
  t.Open();
  CHECK(!t.fs->Exists("db/remote-compactions"));
}

// Removes keys that end with 3.
class Without3 : public CompactionFilter {
 public:
  Decision Filter(int, std::string_view key, std::string_view, std::string*) override {
    return key.ends_with('3') ? Decision::kRemove : Decision::kKeep;
  }
};
class Without3Factory : public CompactionFilterFactory {
 public:
  explicit Without3Factory(std::string_view name) : name_(name) {}
  std::string_view name() const override { return name_; }
  std::unique_ptr<CompactionFilter> Create(const Context&) const override {
    return std::make_unique<Without3>();
  }

 private:
  const std::string_view name_;
};

TEST_CASE("A compaction filter works elsewhere if the worker knows its name, else it is refused") {
  const Without3Factory factory("without 3"), unnamed("");
  Database t(true);
  t.options.family.disable_auto_compactions = true;
  t.options.family.compaction_filter_factory = &factory;
  SUBCASE("registered") {
    t.service->worker.compaction_filters = {&factory};
    t.Open();
    t.Fill();
    REQUIRE(Compact(&t).ok());
    CHECK(t.Contents(0).size() == 180);
    CHECK(t.db->Stats().remote_compactions > 0);
  }
  SUBCASE("not registered") {
    t.Open();
    t.Fill();
    const Status compacted = Compact(&t);
    CHECK(compacted.code() == Code::kNotSupported);
    CHECK(compacted.message().find("no compaction filter \"without 3\"") != std::string::npos);
    CHECK(t.Contents(0).size() == 200);
  }
  SUBCASE("without a name") {
    t.options.family.compaction_filter_factory = &unnamed;
    t.options.compaction_service_fallback = true;
    t.Open();
    t.Fill();
    REQUIRE(Compact(&t).ok());
    CHECK(t.Contents(0).size() == 180);
    CHECK(t.service->scheduled == 0);
    CHECK(t.db->Stats().remote_compaction_fallbacks > 0);
  }
}

TEST_CASE("A worker refuses jobs that are damaged, or that nobody waits for") {
  Database t(true);
  t.options.family.disable_auto_compactions = true;
  t.Open();
  t.Fill();
  const Pairs before = t.Contents(0);
  int jobs = 0;
  t.service->before = [&](const CompactionServiceJob& offer) {
    const auto bytes = ReadFileToString(*t.fs, offer.path, 1 << 20);
    const auto job = DecodeRemoteJob("x", *bytes);
    REQUIRE(job.ok());
    const auto expect = [&](auto change, Code code, std::string_view why) {
      RemoteJob changed = *job;
      change(&changed);
      REQUIRE(ReplaceFileDurably(*t.fs, "x.tmp", "x", EncodeRemoteJob(changed)).ok());
      const Status refused = RunCompactionJob(t.service->worker, "x").status();
      CHECK_MESSAGE(refused.code() == code, refused.ToString());
      CHECK_MESSAGE(refused.message().find(why) != std::string::npos, refused.ToString());
      // It has told the engine; the next job may begin.
      t.fs->Remove(offer.folder + "/RESULT").Ignore("if it has");
      ++jobs;
    };
    expect([](RemoteJob* j) { j->id += "0"; }, Code::kNotFound, "nobody waits");
    expect([](RemoteJob* j) { j->comparator = "mine"; }, Code::kNotSupported,
           "comparator \"mine\"");
    expect([](RemoteJob* j) { j->merge_operator = "mine"; }, Code::kNotSupported,
           "merge operator \"mine\"");
    expect([](RemoteJob* j) { j->options = {{"no such", "1"}}; }, Code::kNotSupported, "no such");
    expect([](RemoteJob* j) { j->options = {{"block_size", "-1"}}; }, Code::kInvalidArgument, "");
    expect([](RemoteJob* j) { j->options = {{"db_paths", "/etc"}}; }, Code::kNotSupported, "");
    expect([](RemoteJob* j) { j->files.new_files.clear(); }, Code::kCorruption, "no inputs");
    expect([](RemoteJob* j) { j->files.new_files[0].level = 40; }, Code::kCorruption, "level 40");
    expect([](RemoteJob* j) { ++j->files.new_files[0].file.size; }, Code::kCorruption, "");
    expect([](RemoteJob* j) { ++j->files.new_files[0].file.unique_id[1]; }, Code::kCorruption, "");
    expect([](RemoteJob* j) { j->files.new_files[0].file.number = 4000; }, Code::kNotFound, "");
    expect([](RemoteJob* j) { j->files.new_files[0].file.smallest = "x"; }, Code::kCorruption, "");
    expect([](RemoteJob* j) { j->files.new_files.push_back(j->files.new_files[0]); },
           Code::kCorruption, "already there");
    expect([](RemoteJob* j) { j->directory = "elsewhere"; }, Code::kIoError, "is not seen here");
    for (const int level : {7, 63}) {
      expect(
          [&](RemoteJob* j) {
            j->input_level = j->output_level = level;
            j->files.new_files.clear();
          },
          Code::kCorruption, "no inputs");
    }
    expect([](RemoteJob* j) { j->target_file_size = 0; }, Code::kCorruption, "size of tables is 0");
    expect([](RemoteJob* j) { j->full_history_ts_low = "x"; }, Code::kCorruption, "1 bytes");
    // None has left tables.
    CHECK(t.Files(offer.folder, "") == 1);
    return Status::Ok();
  };
  REQUIRE(Compact(&t).ok());
  CHECK(jobs >= 18);
  CHECK(t.Contents(0) == before);
}

TEST_CASE("A worker whose input is damaged says so, and leaves no table") {
  Database t(true);
  t.options.family.disable_auto_compactions = true;
  t.options.family.table.compression = CompressionType::kNone;
  t.Open();
  t.Fill();
  t.service->before = [&](const CompactionServiceJob& offer) {
    const auto bytes = ReadFileToString(*t.fs, offer.path, 1 << 20);
    const auto job = DecodeRemoteJob("x", *bytes);
    const std::string input = "db/" + TableFileName(job->files.new_files[0].file.number);
    auto table = ReadFileToString(*t.fs, input, 1 << 30);
    (*table)[100] = static_cast<char>((*table)[100] ^ 1);
    return ReplaceFileDurably(*t.fs, "x", input, *table);
  };
  bool looked = false;
  t.service->after = [&](const CompactionServiceJob& offer) {
    looked = true;
    CHECK(t.Files(offer.folder, "") == 2);  // JOB and RESULT.
  };
  const Status compacted = Compact(&t);
  CHECK(compacted.code() == Code::kCorruption);
  CHECK(compacted.message().find("checksum") != std::string::npos);
  CHECK(looked);
}

TEST_CASE("A folder that is watched: one worker does each job, once") {
  ScratchDirectory home;
  const std::string folder = home / "jobs";
  REQUIRE(NativeEnvironment().file_system->CreateDirectory(folder).ok());
  const auto service = NewFolderCompactionService({}, folder);
  CompactionServiceJob job;
  job.id = "a-1";
  job.folder = home / "f";
  job.path = home / "JOB";
  FileSystem& fs = *NativeEnvironment().file_system;
  REQUIRE(ReplaceFileDurably(fs, home / "t", job.path, "no job").ok());
  REQUIRE(service->Schedule(job).ok());
  bool found = false;
  CHECK(RunFirstCompactionJob({}, folder, &found).status().code() == Code::kCorruption);
  CHECK(found);
  {
    const auto held = fs.Lock(folder + "/a-1.lock");
    REQUIRE(held.ok());
    CHECK(RunFirstCompactionJob({}, folder, &found).ok());
    CHECK(!found);  // Another worker is at it.
  }
  auto waited = service->Wait(job, 1000);
  REQUIRE(waited.ok());
  CHECK(!*waited);
  service->Cancel(job);
  CHECK(fs.List(folder)->empty());
  CHECK(service->Wait(job, 1000).status().code() == Code::kNotFound);
  REQUIRE(service->Schedule(job).ok());
  service->Sweep("b-");
  CHECK(fs.List(folder)->size() == 1);
  service->Sweep("a-");
  CHECK(fs.List(folder)->empty());
}

TEST_CASE("A command for each job: its end and its failure are seen, and it can be stopped") {
  ScratchDirectory home;
  CompactionServiceJob job;
  job.id = "a-1";
  job.folder = home.path();
  job.path = home / "it's JOB";
  FileSystem& fs = *NativeEnvironment().file_system;
  const auto end_of = [&](const std::string& command) {
    const auto service = NewCommandCompactionService({}, command);
    REQUIRE(service->Schedule(job).ok());
    auto waited = service->Wait(job, 60'000'000);
    service->Cancel(job);
    return waited;
  };
  CHECK(end_of("touch {job}.a {job}.b #").ok());
  CHECK(fs.Exists(job.path + ".a"));
  CHECK(fs.Exists(job.path + ".b"));
  CHECK(end_of("touch").ok());
  CHECK(fs.Exists(job.path));
  CHECK(end_of("exit 7 #").status().message().find("code 7") != std::string::npos);
  CHECK(end_of("kill -9 $$ #").status().message().find("signal 9") != std::string::npos);
  const auto service = NewCommandCompactionService({}, "exec sleep 1000 #");
  REQUIRE(service->Schedule(job).ok());
  auto waited = service->Wait(job, 1000);
  REQUIRE(waited.ok());
  CHECK(!*waited);
  service->Cancel(job);  // Returns once it has gone.
  CHECK(service->Wait(job, 1000).status().code() == Code::kInvalidArgument);
}

}  // namespace
}  // namespace varve
