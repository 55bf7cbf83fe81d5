// SPDX-License-Identifier: Apache-2.0
// The inspector against librocksdb: a database whose tables are never deleted is opened read-only
// after every single edit of its MANIFEST, and says itself which tables it has and what its levels
// score; its listener tells which jobs there were; and it knows its own options.
#include <doctest/doctest.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/listener.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "core/base/threads/mutex.h"
#include "core/inspect/history/history.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/lsm/manifest_timeline.h"
#include "core/inspect/options/options_report.h"
#include "core/inspect/options/rocksdb_options.h"
#include "core/inspect/verify/verify.h"
#include "tests/scratch_directory.h"
#include "varve/environment.h"

namespace varve {
namespace {

namespace fs = std::filesystem;

FileSystem& Files() { return *NativeEnvironment().file_system; }

struct ToldJob {
  EditKind kind = EditKind::kFlush;
  int job = 0;
  std::set<uint64_t> inputs, outputs;
  int output_level = 0;
  uint64_t bytes_read = 0, bytes_written = 0;
};

class Listener : public rocksdb::EventListener {
 public:
  void OnFlushCompleted(rocksdb::DB*, const rocksdb::FlushJobInfo& info) override {
    MutexLock lock(mu_);
    ToldJob job;
    job.job = info.job_id;
    job.outputs = {info.file_number};
    jobs_.push_back(job);
  }
  void OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo& info) override {
    MutexLock lock(mu_);
    ToldJob job;
    job.job = info.job_id;
    job.kind = EditKind::kCompaction;
    for (const auto& file : info.input_file_infos) job.inputs.insert(file.file_number);
    for (const auto& file : info.output_file_infos) job.outputs.insert(file.file_number);
    job.output_level = info.output_level;
    job.bytes_read = info.stats.total_input_bytes;
    job.bytes_written = info.stats.total_output_bytes;
    if (job.inputs != job.outputs) jobs_.push_back(job);  // Moves are told without statistics.
  }
  std::vector<ToldJob> jobs() {
    MutexLock lock(mu_);
    return jobs_;
  }

 private:
  Mutex mu_;
  std::vector<ToldJob> jobs_ GUARDED_BY(mu_);
};

rocksdb::Options SmallTables() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kNoCompression;
  options.disable_auto_compactions = true;
  options.target_file_size_base = 24 << 10;
  options.max_bytes_for_level_base = 64 << 10;
  options.max_bytes_for_level_multiplier = 3;
  options.num_levels = 5;
  return options;
}

void Must(const rocksdb::Status& status) { REQUIRE_MESSAGE(status.ok(), status.ToString()); }

// Writes, deletes, flushes, compacts, moves, ingests; two families, of which one is dropped. Every
// table that ever was stays in the directory.
void MakeDatabase(const std::string& path, rocksdb::Options options,
                  const std::shared_ptr<Listener>& listener, const std::string& external) {
  options.listeners = {listener};
  rocksdb::DB* db = nullptr;
  Must(rocksdb::DB::Open(options, path, &db));
  Must(db->DisableFileDeletions());
  rocksdb::ColumnFamilyHandle* second = nullptr;
  Must(db->CreateColumnFamily(options, "second", &second));
  const auto key = [](int i) { return "key" + std::to_string(100000 + i); };
  const bool leveled = options.compaction_style == rocksdb::kCompactionStyleLevel;
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < 400; i++) {
      const std::string k = key((i * 7 + round * 131) % 1500);
      Must(round == 3 ? db->Delete({}, k) : db->Put({}, k, std::string(100, 'a' + round)));
      if (i % 50 == 0) Must(db->Put({}, second, key(i), "second"));
    }
    Must(db->Flush({}));
    if (round == 1 && leveled) {
      const std::string end = key(700);
      const rocksdb::Slice to(end);
      Must(db->CompactRange({}, nullptr, &to));
    }
  }
  Must(db->Flush({}, second));
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options);
  Must(writer.Open(external));
  Must(writer.Put("zz1", "1"));
  Must(writer.Put("zz2", "2"));
  Must(writer.Finish());
  Must(db->IngestExternalFile({external}, {}));
  if (options.compaction_style != rocksdb::kCompactionStyleFIFO) {
    rocksdb::CompactRangeOptions all;
    all.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
    Must(db->CompactRange(all, second, nullptr, nullptr));
    for (int i = 0; i < 300; i++) Must(db->Put({}, key(i * 5), std::string(200, 'z')));
    Must(db->Flush({}));
    Must(db->CompactRange({}, nullptr, nullptr));
  }
  for (int i = 0; i < 300; i++) Must(db->Put({}, key(i), std::string(50, 'y')));
  Must(db->Flush({}));
  Must(db->DropColumnFamily(second));
  delete second;
  Must(db->Close());
  delete db;
}

// Levels 3, 2 and 1 filled from the bottom up, each far beyond its target.
void MakeOverfullLevels(const std::string& path, const rocksdb::Options& options) {
  rocksdb::DB* db = nullptr;
  Must(rocksdb::DB::Open(options, path, &db));
  Must(db->DisableFileDeletions());
  for (const int level : {3, 2, 1}) {
    for (int i = 0; i < 400 * level; i++) {
      Must(db->Put({}, std::to_string(level * 10000 + i), std::string(100, 'v')));
    }
    Must(db->Flush({}));
    std::vector<rocksdb::LiveFileMetaData> live;
    db->GetLiveFilesMetaData(&live);
    for (const auto& file : live) {
      if (file.level > 0) continue;
      rocksdb::CompactionOptions raw;
      raw.compression = rocksdb::kNoCompression;
      Must(db->CompactFiles(raw, {file.name}, level));
    }
  }
  for (int i = 0; i < 8; i++) {
    Must(db->Put({}, "0", std::string(9000, 'v')));
    Must(db->Flush({}));
  }
  Must(db->Close());
  delete db;
}

// `path` as it was after `edit`: its tables, and the MANIFEST up to there.
void CopyAsOf(const std::string& path, const std::string& manifest, uint64_t bytes,
              const std::string& copy) {
  fs::remove_all(copy);
  fs::create_directory(copy);
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".sst")) fs::create_hard_link(entry.path(), fs::path(copy) / name);
    if (name == "CURRENT" || name == "IDENTITY") fs::copy(entry.path(), fs::path(copy) / name);
  }
  std::ifstream in(path + "/" + manifest, std::ios::binary);
  std::string head(bytes, '\0');
  in.read(head.data(), static_cast<std::streamsize>(bytes));
  std::ofstream(copy + "/" + manifest, std::ios::binary) << head;
}

using FileFacts =
    std::tuple<std::string, int, uint64_t, uint64_t, std::string, std::string, uint64_t, uint64_t>;

std::set<FileFacts> FilesOf(const LsmReport& report) {
  std::set<FileFacts> facts;
  for (const FamilyReport& family : report.families) {
    for (const LevelReport& level : family.levels) {
      for (const FileReport& file : level.files) {
        facts.emplace(family.name, level.level, file.number, file.size, file.smallest.key,
                      file.largest.key, file.smallest_sequence, file.largest_sequence);
      }
    }
  }
  return facts;
}

// One read-only opening of librocksdb.
class Peer {
 public:
  Peer(const rocksdb::Options& options, const std::string& path) {
    std::vector<std::string> names;
    if (!rocksdb::DB::ListColumnFamilies(options, path, &names).ok()) return;
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    for (const std::string& name : names) families.emplace_back(name, options);
    if (!rocksdb::DB::OpenForReadOnly(options, path, families, &handles_, &db_).ok()) {
      db_ = nullptr;
    }
  }
  ~Peer() {
    if (db_ == nullptr) return;
    for (rocksdb::ColumnFamilyHandle* handle : handles_) delete handle;
    delete db_;
  }

  bool open() const { return db_ != nullptr; }
  uint64_t sequence() const { return db_->GetLatestSequenceNumber(); }
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const rocksdb::ColumnFamilyHandle* handle : handles_) names.insert(handle->GetName());
    return names;
  }
  std::set<FileFacts> files() const {
    std::vector<rocksdb::LiveFileMetaData> live;
    db_->GetLiveFilesMetaData(&live);
    std::set<FileFacts> facts;
    for (const auto& file : live) {
      facts.emplace(file.column_family_name, file.level, file.file_number, file.size,
                    file.smallestkey, file.largestkey, file.smallest_seqno, file.largest_seqno);
    }
    return facts;
  }
  // Whether a level scores 1 or more.
  bool wants_compaction(const std::string& family) const {
    uint64_t pending = 0;
    for (rocksdb::ColumnFamilyHandle* handle : handles_) {
      if (handle->GetName() != family) continue;
      REQUIRE(db_->GetIntProperty(handle, "rocksdb.compaction-pending", &pending));
    }
    return pending != 0;
  }
  // As its statistics print them, for levels that are not empty; the one that scores least is left
  // out there, which is all of them where only level 0 has a score.
  std::map<std::string, double> scores(const std::string& family) const {
    for (rocksdb::ColumnFamilyHandle* handle : handles_) {
      if (handle->GetName() != family) continue;
      std::map<std::string, std::string> stats;
      db_->GetMapProperty(handle, "rocksdb.cfstats", &stats);
      std::map<std::string, double> scores;
      for (const auto& [name, value] : stats) {
        if (name.starts_with("compaction.L") && name.ends_with(".Score")) {
          scores[name.substr(11, name.size() - 17)] = std::stod(value);
        }
      }
      return scores;
    }
    return {};
  }

 private:
  rocksdb::DB* db_ = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;
};

void CheckScores(const LsmReport& report, const Peer& peer) {
  for (const FamilyReport& family : report.families) {
    if (family.files > 0) CHECK(family.compensated);
    const bool due = std::any_of(family.levels.begin(), family.levels.end(),
                                 [](const LevelReport& level) { return level.score >= 1; });
    CHECK_MESSAGE(due == peer.wants_compaction(family.name),
                  family.name << " at edit " << report.edit);
    if (family.compaction_style != "level") continue;
    const std::map<std::string, double> told = peer.scores(family.name);
    for (const LevelReport& level : family.levels) {
      const auto score = told.find("L" + std::to_string(level.level));
      if (score == told.end()) continue;
      CHECK_MESSAGE(std::abs(score->second - level.score) < 0.00001,
                    family.name << " L" << level.level << " at edit " << report.edit << ": RocksDB "
                                << score->second << ", here " << level.score);
    }
  }
}

void CheckEveryEditOf(const ScratchDirectory& scratch, const std::string& path,
                      const rocksdb::Options& options) {
  auto timeline = ManifestTimeline::Open(Files(), path);
  REQUIRE(timeline.ok());
  const std::string manifest = fs::path(timeline->place().path).filename();
  uint64_t opened = 0;
  while (true) {
    const auto edit = timeline->Next();
    REQUIRE(edit.ok());
    if (!*edit) break;
    const std::string copy = scratch / "copy";
    CopyAsOf(path, manifest, (*edit)->offset + (*edit)->size, copy);
    const Peer peer(options, copy);
    if (!peer.open()) {
      CHECK((*edit)->number < 3);  // Counters that no edit has named yet.
      continue;
    }
    opened++;
    const auto report = ReportLsm(Files(), path, {.edit = (*edit)->number, .open_tables = true});
    REQUIRE_MESSAGE(report.ok(), report.status().ToString());
    CHECK(FilesOf(*report) == peer.files());
    CHECK(report->last_sequence == peer.sequence());
    std::set<std::string> names;
    for (const FamilyReport& family : report->families) names.insert(family.name);
    CHECK(names == peer.names());
    CheckScores(*report, peer);
  }
  CHECK(opened > 10);
}

void CheckEveryEdit(const rocksdb::Options& options) {
  const ScratchDirectory scratch;
  MakeDatabase(scratch / "db", options, std::make_shared<Listener>(), scratch / "external.sst");
  CheckEveryEditOf(scratch, scratch / "db", options);
}

TEST_CASE("the state after every edit is RocksDB's, scores included: static targets") {
  rocksdb::Options options = SmallTables();
  options.level_compaction_dynamic_level_bytes = false;
  options.max_bytes_for_level_multiplier_additional = {1, 2, 1, 3, 1};
  CheckEveryEdit(options);
}

TEST_CASE("the state after every edit is RocksDB's, scores included: dynamic targets") {
  rocksdb::Options options = SmallTables();
  options.level_compaction_dynamic_level_bytes = true;
  CheckEveryEdit(options);
  options.max_bytes_for_level_base = 12 << 10;
  CheckEveryEdit(options);
}

TEST_CASE("the scores of several levels that want compaction at once are RocksDB's") {
  rocksdb::Options options = SmallTables();
  options.max_bytes_for_level_base = 8 << 10;
  for (const bool dynamic : {true, false}) {
    options.level_compaction_dynamic_level_bytes = dynamic;
    const ScratchDirectory scratch;
    MakeOverfullLevels(scratch / "db", options);
    CheckEveryEditOf(scratch, scratch / "db", options);
  }
}

TEST_CASE("the state after every edit is RocksDB's, scores included: universal and FIFO") {
  rocksdb::Options options = SmallTables();
  options.compaction_style = rocksdb::kCompactionStyleUniversal;
  CheckEveryEdit(options);
  options.compaction_style = rocksdb::kCompactionStyleFIFO;
  options.num_levels = 1;
  options.ttl = 0;
  options.compaction_options_fifo.max_table_files_size = 150 << 10;
  options.compaction_options_fifo.allow_compaction = true;
  CheckEveryEdit(options);
}

// Each job that the listener was told of is in the history with the same inputs and outputs.
void CheckJobs(const HistoryReport& history, const std::vector<ToldJob>& told, bool with_log) {
  REQUIRE(told.size() > 6);
  for (const ToldJob& expected : told) {
    const auto is_same = [&](const JobReport& job) {
      std::set<uint64_t> outputs;
      for (const JobFile& file : job.outputs) outputs.insert(file.number);
      return job.kind == expected.kind && outputs == expected.outputs;
    };
    const auto found = std::find_if(history.jobs.begin(), history.jobs.end(), is_same);
    REQUIRE_MESSAGE(found != history.jobs.end(), "job " << expected.job);
    std::set<uint64_t> inputs;
    for (const JobFile& file : found->inputs) inputs.insert(file.number);
    CHECK(inputs == expected.inputs);
    CHECK(found->output_level == expected.output_level);
    CHECK(found->inferred == !with_log);
    CHECK(found->edit > 0);
    if (with_log) CHECK(found->job == static_cast<uint64_t>(expected.job));
    if (expected.kind == EditKind::kCompaction) {
      CHECK(found->bytes_read == expected.bytes_read);
      CHECK(found->bytes_written == expected.bytes_written);
    }
  }
}

TEST_CASE("the history has the jobs that RocksDB told its listener, with a LOG and without") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "db";
  const auto listener = std::make_shared<Listener>();
  MakeDatabase(path, SmallTables(), listener, scratch / "external.sst");
  auto history = ReportHistory(Files(), path);
  REQUIRE(history.ok());
  CheckJobs(*history, listener->jobs(), /*with_log=*/true);
  uint64_t ingestions = 0, told_moves = 0, moves = 0;
  for (const JobReport& job : history->jobs) {
    ingestions += job.kind == EditKind::kIngestion ? 1 : 0;
    moves += job.kind == EditKind::kTrivialMove ? 1 : 0;
    told_moves += job.kind == EditKind::kTrivialMove && !job.inferred ? 1 : 0;
  }
  CHECK(ingestions == 1);
  CHECK(moves > 0);
  CHECK(told_moves == moves);

  fs::remove(path + "/LOG");
  history = ReportHistory(Files(), path);
  REQUIRE(history.ok());
  CheckJobs(*history, listener->jobs(), /*with_log=*/false);
}

TEST_CASE("every table's ancestors lead back to flushes, also through an old LOG") {
  const ScratchDirectory scratch;
  const std::string path = scratch / "db";
  const auto listener = std::make_shared<Listener>();
  const rocksdb::Options options = SmallTables();
  MakeDatabase(path, options, listener, scratch / "external.sst");
  // A second process begins a new MANIFEST and a new LOG.
  rocksdb::DB* db = nullptr;
  Must(rocksdb::DB::Open(options, path, &db));
  Must(db->Put({}, "key100001", "again"));
  Must(db->Flush({}));
  Must(db->CompactRange({}, nullptr, nullptr));
  Must(db->Close());
  delete db;

  const auto history = ReportHistory(Files(), path);
  REQUIRE(history.ok());
  CHECK(history->logs.size() == 2);
  const LineageIndex index(*history);
  const auto shape = ReportLsm(Files(), path);
  REQUIRE(shape.ok());
  std::map<uint64_t, const ToldJob*> maker;
  const std::vector<ToldJob> told = listener->jobs();
  for (const ToldJob& job : told) {
    for (const uint64_t file : job.outputs) maker[file] = &job;
  }
  uint64_t live = 0, complete = 0;
  for (const LevelReport& level : shape->families[0].levels) {
    for (const FileReport& file : level.files) {
      const auto lineage = index.Of(file.number);
      REQUIRE(lineage);
      CHECK_FALSE(lineage->file.consumed_by.has_value());
      live++;
      complete += lineage->complete ? 1 : 0;
      for (const LineageStep& step : lineage->ancestors) {
        const auto known = maker.find(step.number);
        if (known == maker.end()) continue;
        REQUIRE(step.made_by);
        CHECK(history->jobs[*step.made_by].kind == known->second->kind);
      }
    }
  }
  CHECK(live > 0);
  // The ingested table, which no event names, is an ancestor of at most the last table.
  CHECK(complete + 1 >= live);
}

TEST_CASE("options at their defaults do not differ, and each default is RocksDB's") {
  const ScratchDirectory scratch;
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* db = nullptr;
  Must(rocksdb::DB::Open(options, scratch / "db", &db));
  delete db;
  const auto report = ReportOptions(Files(), scratch / "db");
  REQUIRE(report.ok());
  CHECK(report->rocksdb_version == kRocksDbDefaultsVersion);
  for (const OptionReport& option : report->DatabaseOptions()) {
    CHECK_MESSAGE(option.default_value.has_value(), option.name);
    CHECK_MESSAGE(option.differs == (option.name == "create_if_missing"), option.name);
    CHECK_MESSAGE(option.from_file, option.name);
  }
  REQUIRE(report->families.size() == 1);
  const auto family = report->FamilyOptions("default");
  REQUIRE(family.has_value());
  for (const OptionReport& option : *family) {
    CHECK_MESSAGE(option.default_value.has_value(), option.name);
    CHECK_MESSAGE(!option.differs, option.name);
    // A list that is empty is not written.
    CHECK_MESSAGE(option.from_file == (option.name != "compression_per_level"), option.name);
  }
}

std::set<std::string> NamesIn(const std::string& lines) {
  std::set<std::string> names;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    names.insert(lines.substr(begin, std::min(lines.find('=', begin), end) - begin));
    begin = end + 1;
  }
  names.erase("");
  return names;
}

TEST_CASE("the mutable options are those of RocksDB") {
  rocksdb::ConfigOptions config;
  config.delimiter = "\n";
  config.mutable_options_only = true;
  std::string database, family, table;
  Must(rocksdb::GetStringFromDBOptions(config, rocksdb::DBOptions(), &database));
  rocksdb::ColumnFamilyOptions options;
  options.compression_per_level = {rocksdb::kNoCompression};  // Not named while it is empty.
  Must(rocksdb::GetStringFromColumnFamilyOptions(config, options, &family));
  const std::unique_ptr<rocksdb::TableFactory> factory(rocksdb::NewBlockBasedTableFactory());
  Must(factory->GetOptionString(config, &table));
  const std::map<OptionScope, std::set<std::string>> told = {
      {OptionScope::kDatabase, NamesIn(database)},
      {OptionScope::kColumnFamily, NamesIn(family)},
      {OptionScope::kTable, NamesIn(table)}};
  uint64_t is_mutable = 0;
  for (const RocksDbOption& row : RocksDbOptions()) {
    const std::string whole(row.name.substr(0, row.name.find('.')));
    CHECK_MESSAGE(row.is_mutable == told.at(row.scope).contains(whole), std::string(row.name));
    is_mutable += row.is_mutable ? 1 : 0;
  }
  CHECK(is_mutable > 70);
}

TEST_CASE("options that were set differ, with their default beside them") {
  const ScratchDirectory scratch;
  rocksdb::Options options = SmallTables();
  options.compaction_options_universal.size_ratio = 7;
  rocksdb::BlockBasedTableOptions table;
  table.block_size = 999;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::DB* db = nullptr;
  Must(rocksdb::DB::Open(options, scratch / "db", &db));
  delete db;
  const auto report = ReportOptions(Files(), scratch / "db");
  REQUIRE(report.ok());
  std::map<std::string, std::string> differing;
  const auto family = report->FamilyOptions("default");
  REQUIRE(family.has_value());
  for (const OptionReport& option : *family) {
    if (option.differs) differing[option.name] = option.value + " " + *option.default_value;
  }
  CHECK(differing ==
        std::map<std::string, std::string>{{"block_size", "999 4096"},
                                           {"compaction_options_universal.size_ratio", "7 1"},
                                           {"compression", "kNoCompression kSnappyCompression"},
                                           {"disable_auto_compactions", "true false"},
                                           {"max_bytes_for_level_base", "65536 268435456"},
                                           {"max_bytes_for_level_multiplier", "3.000000 10.000000"},
                                           {"max_compaction_bytes", "614400 1677721600"},
                                           {"num_levels", "5 7"},
                                           {"target_file_size_base", "24576 67108864"}});
}

// Keys whose order keeps them out of the memtable's, so that nothing is flushed.
void IngestBeside(rocksdb::DB* db, const std::string& table, const std::vector<std::string>& keys) {
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), db->GetOptions());
  REQUIRE(writer.Open(table).ok());
  for (const std::string& key : keys) REQUIRE(writer.Put(key, "ingested").ok());
  REQUIRE(writer.Finish().ok());
  const rocksdb::Status s = db->IngestExternalFile({table}, {});
  REQUIRE_MESSAGE(s.ok(), s.ToString());
}

TEST_CASE("sequences of tables that RocksDB ingests between its writes are missing in no log") {
  for (const bool compact : {false, true}) {
    CAPTURE(compact);
    const ScratchDirectory scratch;
    const std::string path = scratch / "db";
    rocksdb::Options options;
    options.create_if_missing = true;
    options.avoid_flush_during_shutdown = true;
    options.disable_auto_compactions = true;
    rocksdb::DB* opened = nullptr;
    REQUIRE(rocksdb::DB::Open(options, path, &opened).ok());
    std::unique_ptr<rocksdb::DB> db(opened);
    REQUIRE(db->Put({}, "m1", "flushed").ok());
    REQUIRE(db->Put({}, "m2", "flushed").ok());
    REQUIRE(db->Flush({}).ok());
    REQUIRE(db->Put({}, "a", "logged").ok());
    IngestBeside(db.get(), scratch / "table", {"m1", "m2"});
    IngestBeside(db.get(), scratch / "table2", {"m2", "m3"});
    REQUIRE(db->Put({}, "b", "logged").ok());
    if (compact) {
      const rocksdb::Slice begin = "m", end = "n";
      REQUIRE(db->CompactRange({}, &begin, &end).ok());
    }
    REQUIRE(db->Put({}, "c", "logged").ok());
    db.reset();

    const auto report = VerifyDatabase(Files(), path, nullptr);
    REQUIRE_MESSAGE(report.ok(), report.status().ToString());
    CHECK(report->wal_records == 3);
    for (const Finding& finding : report->findings) {
      CHECK_MESSAGE(finding.layer != "wal", finding.file, ": ", finding.what);
    }
  }
}

}  // namespace
}  // namespace varve
