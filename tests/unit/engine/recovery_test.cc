// SPDX-License-Identifier: Apache-2.0
// Databases that real releases wrote, and damaged ones, against what those releases make of them
// (fixtures/db/manifest.json). Each is opened read-only, then read-write, then once more.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/threads/inline_executor.h"
#include "core/format/file_name.h"
#include "core/format/log/log_record.h"
#include "core/format/log/write_batch_format.h"
#include "core/format/manifest/version_edit_tags.h"
#include "core/fs/memory_fs.h"
#include "core/wal/log_writer.h"
#include "varve/db.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

using Json = nlohmann::json;
using Pairs = std::vector<std::pair<std::string, std::string>>;

const std::string kDatabases = std::string(VARVE_FIXTURES) + "/db/";

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    hex.push_back("0123456789ABCDEF"[byte >> 4]);
    hex.push_back("0123456789ABCDEF"[byte & 15]);
  }
  return hex;
}

// A copy of a fixture in memory.
class Copy {
 public:
  explicit Copy(const std::string& name) : fs_(NewMemoryFileSystem()) {
    REQUIRE(fs_->CreateDirectory("db").ok());
    for (const auto& entry : std::filesystem::directory_iterator(kDatabases + name)) {
      if (!entry.is_regular_file()) continue;
      auto file = fs_->Create("db/" + entry.path().filename().string(), false);
      REQUIRE(file.ok());
      REQUIRE((*file)->Append(ReadAll(entry.path())).ok());
    }
    options.env.file_system = fs_.get();
    options.env.executor = &executor_;
  }

  Status Open(bool read_only) {
    db.reset();
    report = RecoveryReport();
    auto opened =
        read_only ? DB::OpenReadOnly(options, "db", &report) : DB::Open(options, "db", &report);
    if (!opened.ok()) return opened.status();
    db = *std::move(opened);
    return Status::Ok();
  }

  Pairs Scan(ColumnFamilyId family) {
    Pairs pairs;
    auto it = db->NewIterator({}, family);
    REQUIRE(it.ok());
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      pairs.emplace_back(Hex(it->key()), Hex(it->value()));
    }
    REQUIRE(it->status().ok());
    return pairs;
  }

  void AddLog(uint64_t number, WriteBatch* batch) {
    StampBatch(&batch->mutable_bytes(), 1);
    auto file = fs_->Create("db/" + WalFileName(number), false);
    REQUIRE(file.ok());
    LogWriter log(*std::move(file));
    REQUIRE(log.Append(batch->bytes()).ok());
    REQUIRE(log.Sync().ok());
  }

  std::map<std::string, std::string> Files() {
    std::map<std::string, std::string> files;
    const auto entries = fs_->List("db");
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      auto bytes = ReadFileToString(*fs_, "db/" + entry.name, uint64_t{1} << 30);
      REQUIRE(bytes.ok());
      files[entry.name] = *std::move(bytes);
    }
    return files;
  }

  // The database goes first, what it stands on after it.
 private:
  std::unique_ptr<FileSystem> fs_;
  InlineExecutor executor_;

 public:
  Options options;
  RecoveryReport report;
  std::unique_ptr<DB> db;
};

void ExpectFamilies(Copy* copy, const Json& families) {
  CHECK(copy->db->Families().size() == families.size());
  for (const auto& [name, family] : families.items()) {
    CAPTURE(name);
    const auto id = copy->db->FindFamily(name);
    REQUIRE(id.has_value());
    const Pairs pairs = copy->Scan(*id);
    CHECK(pairs.size() == family["count"].get<size_t>());
    if (!family.contains("pairs_hex")) continue;
    for (size_t i = 0; i < pairs.size(); ++i) {
      CHECK(pairs[i].first == family["pairs_hex"][i][0].get<std::string>());
      CHECK(pairs[i].second == family["pairs_hex"][i][1].get<std::string>());
    }
  }
}

Json Databases() { return Json::parse(ReadAll(kDatabases + "manifest.json"))["databases"]; }

// What this engine refuses, and the words it must use. "": only when opened read-write.
const std::map<std::string, std::pair<std::string, std::string>> kRefused = {
    {"rocksdb-7.8.3/paths", {"db_paths", "db_paths"}},
    {"rocksdb-11.9/paths", {"db_paths", "db_paths"}},
    {"rocksdb-7.8.3/twopc", {"", "prepared transactions"}},
    {"rocksdb-11.9/twopc", {"", "prepared transactions"}},
    {"rocksdb-7.8.3/write_prepared", {"write-prepared", "write-prepared"}},
    {"rocksdb-7.8.3/udt", {"", "BytewiseComparator.u64ts"}},
    {"rocksdb-11.9/udt_nopersist", {"", "BytewiseComparator.u64ts"}},
    {"leveldb-1.23/leveldb_l0", {"", "varve dump OLD | varve load NEW -"}},
    {"leveldb-1.23/leveldb_empty", {"", "LevelDB"}},
    {"leveldb-1.23/leveldb_wal", {"", "LevelDB"}},
    {"chromium-156/local_storage", {"", "LevelDB"}},
    {"goleveldb-1.0/log_only", {"", "LevelDB"}},
    {"goleveldb-1.0/reopened_empty", {"", "LevelDB"}},
};

bool IsLevelDbs(const std::string& name) {
  return name.starts_with("leveldb") || name.starts_with("goleveldb") ||
         name.starts_with("chromium");
}

TEST_CASE("Recovery: databases of real releases have the contents that those releases see") {
  size_t opened = 0;
  const Json databases = Databases();
  for (const Json& database : databases) {
    const std::string name = database["name"];
    if (!database.contains("expect")) continue;
    CAPTURE(name);
    const Json& expected = database["expect"].front();
    const auto refused = kRefused.find(name);
    Copy copy(name);
    for (const bool read_only : {true, false, true}) {
      CAPTURE(read_only);
      const std::string refusal = refused == kRefused.end() ? ""
                                  : read_only               ? refused->second.first
                                                            : refused->second.second;
      const Status status = copy.Open(read_only);
      INFO(status.ToString());
      if (!refusal.empty()) {
        CHECK(status.code() == Code::kNotSupported);
        CHECK(status.message().find(refusal) != std::string::npos);
        continue;
      }
      REQUIRE(status.ok());
      if (refused == kRefused.end() || IsLevelDbs(name) || name.ends_with("/twopc")) {
        ExpectFamilies(&copy, expected["families"]);
        ++opened;
      }
    }
  }
  CHECK(opened > 80);
}

TEST_CASE("Recovery: what RocksDB has prepared is decided here") {
  for (const char* const name : {"rocksdb-7.8.3/twopc", "rocksdb-11.9/twopc"}) {
    for (const bool commit : {true, false}) {
      Copy copy(name);
      copy.options.allow_2pc = true;
      REQUIRE(copy.Open(/*read_only=*/false).ok());
      REQUIRE(copy.db->PreparedTransactions().size() == 1);
      CHECK(copy.db->PreparedTransactions()[0].name == "txn-pending");
      REQUIRE(copy.Scan(0).size() == 3);
      REQUIRE((commit ? copy.db->CommitPrepared({}, "txn-pending")
                      : copy.db->RollbackPrepared({}, "txn-pending"))
                  .ok());
      for (int opening = 0; opening < 2; ++opening) {
        CHECK(copy.db->PreparedTransactions().empty());
        CHECK(copy.Scan(0).size() == (commit ? 5 : 3));
        REQUIRE(copy.Open(/*read_only=*/false).ok());
      }
    }
  }
}

TEST_CASE("Recovery: a LevelDB directory is left as it is, to the last byte") {
  for (const char* name :
       {"leveldb-1.23/leveldb_empty", "leveldb-1.23/leveldb_wal", "leveldb-1.23/leveldb_l0",
        "chromium-156/local_storage", "goleveldb-1.0/log_only", "goleveldb-1.0/reopened_empty"}) {
    CAPTURE(name);
    Copy copy(name);
    const auto before = copy.Files();
    copy.options.create_if_missing = true;
    CHECK(copy.Open(/*read_only=*/false).code() == Code::kNotSupported);
    CHECK(copy.Files() == before);
  }
}

// RocksDB logs the highest id only when it drops a family, so its MANIFEST does not say it.
TEST_CASE("Recovery: the id of a family that RocksDB made is not given out again") {
  Copy copy("rocksdb-7.8.3/entity");
  REQUIRE(copy.Open(/*read_only=*/false).ok());
  const auto old = copy.db->FindFamily("wide");
  REQUIRE(old.has_value());
  WriteBatch batch;
  batch.Put("of the dropped one", "value", *old);
  REQUIRE(copy.db->Write({}, std::move(batch)).ok());
  REQUIRE(copy.db->DropColumnFamily(*old).ok());
  const auto created = copy.db->CreateColumnFamily("another", {});
  REQUIRE_MESSAGE(created.ok(), created.status().ToString());
  CHECK_GT(*created, *old);
  REQUIRE(copy.Open(/*read_only=*/false).ok());
  CHECK(copy.Scan(*copy.db->FindFamily("another")).empty());
}

TEST_CASE("Recovery: an id that a log still has is not given out") {
  Copy copy("rocksdb-7.8.3/empty");
  WriteBatch batch;
  batch.Put("key", "of a family that nothing else knows of", 7);
  batch.Put("key", "and of one that cannot be", 0xFFFFFFFF);
  copy.AddLog(100, &batch);
  REQUIRE(copy.Open(/*read_only=*/false).ok());
  const auto created = copy.db->CreateColumnFamily("new", {});
  REQUIRE_MESSAGE(created.ok(), created.status().ToString());
  CHECK_EQ(*created, 8);
}

TEST_CASE("Recovery: where the ids of families are used up, creating one is refused") {
  Copy copy("../hostile/m_cfid_max");
  REQUIRE(copy.Open(/*read_only=*/false).ok());
  CHECK_EQ(copy.db->CreateColumnFamily("new", {}).status().code(), Code::kNotSupported);
  REQUIRE(copy.Open(/*read_only=*/false).ok());
  CHECK(copy.db->FindFamily("top").has_value());
}

// Each would count from numbers that leave no room, or hide what is written next.
TEST_CASE("Recovery: counters that cannot be right are refused at their place, for any use") {
  const std::map<std::string, std::string> words = {
      {"m_minlog_max", "MANIFEST-000005@42: MinLogNumberToKeep is 18446744073709551615"},
      {"m_nextf_max1", "MANIFEST-000005@0: NextFileNumber is 18446744073709551614"},
      {"m_log_max", "MANIFEST-000005@0: LogNumber is 18446744073709551615"},
      {"m_epoch_max", "MANIFEST-000005@42: the epoch of a table is 18446744073709551615"},
      {"m_fileno_2p63", "MANIFEST-000005@0: NextFileNumber is 18446744073709551615"},
  };
  for (const auto& [name, message] : words) {
    CAPTURE(name);
    for (const bool read_only : {true, false}) {
      Copy copy("../hostile/" + name);
      const Status status = copy.Open(read_only);
      CHECK(status.code() == Code::kCorruption);
      CHECK_MESSAGE(status.message().find(message) != std::string::npos, status.ToString());
    }
  }
}

// The numbers from there on are those that a database may count to, and not those to begin with.
TEST_CASE("Recovery: if numbers are nearly used up nothing is written, but all can be read") {
  constexpr uint64_t kBeginMax = uint64_t{1} << 61;
  const auto fs = NewMemoryFileSystem();
  Options options;
  options.create_if_missing = true;
  options.env.file_system = fs.get();
  const auto put = [&](const std::string& key) {
    auto db = DB::Open(options, "db");
    return db.ok() ? (*db)->Put({}, key, "value") : db.status();
  };
  REQUIRE(put("before").ok());
  REQUIRE(fs->Create("db/" + TableFileName(kBeginMax), /*direct=*/false).ok());
  const auto current = ReadFileToString(*fs, "db/CURRENT", 100);
  CHECK_EQ(put("refused").code(), Code::kCorruption);
  CHECK_EQ(*ReadFileToString(*fs, "db/CURRENT", 100), *current);
  REQUIRE(fs->Remove("db/" + TableFileName(kBeginMax)).ok());
  REQUIRE(fs->Create("db/" + TableFileName(kBeginMax - 1), /*direct=*/false).ok());
  REQUIRE(put("after").ok());
  CHECK_EQ(put("refused").code(), Code::kCorruption);
  auto db = DB::OpenReadOnly(options, "db");
  REQUIRE_MESSAGE(db.ok(), db.status().ToString());
  CHECK((*db)->Get({}, "before")->has_value());
  CHECK((*db)->Get({}, "after")->has_value());
}

TEST_CASE("Recovery: at the last sequence number reads go on, and a write is refused") {
  Copy copy("../hostile/m_lastseq_max1");
  REQUIRE(copy.Open(/*read_only=*/false).ok());
  const Pairs before = copy.Scan(0);
  CHECK(copy.db->Put({}, "key", "value").code() == Code::kNotSupported);
  auto table = SstFileWriter::Create(copy.options.env, {}, "table");
  REQUIRE(table.ok());
  REQUIRE(table->Put("key", "value").ok());
  REQUIRE(table->Finish().ok());
  CHECK(copy.db->Ingest({}, {"table"}).code() == Code::kNotSupported);
  CHECK(copy.Scan(0) == before);
  CHECK(copy.db->CompactRange({}, std::nullopt, std::nullopt).ok());
  REQUIRE(copy.Open(/*read_only=*/false).ok());
  CHECK(copy.Scan(0) == before);
}

// A log that RocksDB tracks (track_and_verify_wals_in_manifest), and that some family needs.
TEST_CASE("Recovery: a log that is shorter than the MANIFEST says counts as damaged") {
  const auto fs = NewMemoryFileSystem();
  Options options;
  options.create_if_missing = true;
  options.env.file_system = fs.get();
  std::string log;
  for (const bool missing : {true, false}) {
    CAPTURE(missing);
    const std::string path = missing ? "missing" : "cut";
    REQUIRE(fs->CreateDirectory(path).ok());
    auto db = DB::Open(options, "db" + path);
    REQUIRE(db.ok());
    const auto other = (*db)->CreateColumnFamily("other", {});
    REQUIRE(other.ok());
    for (const char* key : {"a", "b"}) {
      WriteBatch batch;
      batch.Put(key, "value", *other);
      REQUIRE((*db)->Write({}, std::move(batch)).ok());
    }
    REQUIRE((*db)->Put({}, "key", "value").ok());
    REQUIRE((*db)->Flush().ok());  // The log that both share stays.
    const auto entries = fs->List("db" + path);
    REQUIRE(entries.ok());
    for (const DirectoryEntry& entry : *entries) {
      auto bytes = ReadFileToString(*fs, "db" + path + "/" + entry.name, 1 << 20);
      REQUIRE(bytes.ok());
      const auto name = ParseFileName(entry.name);
      if (name && name->kind == FileKind::kWal && entry.size > 0) {
        log = entry.name;
        if (missing) continue;
        bytes->clear();
      }
      if (name && name->kind == FileKind::kManifest) {
        std::string wal;
        AppendVarint64(&wal, 3);
        AppendVarint32(&wal, kWalFieldSyncedSize);
        AppendVarint64(&wal, 100);
        AppendVarint32(&wal, kWalFieldEnd);
        std::string edit;
        AppendVarint32(&edit, static_cast<uint32_t>(EditTag::kWalAddition));
        AppendLengthPrefixed(&edit, wal);
        AppendLogRecord(&*bytes, LogRecordType::kFull, edit);
      }
      auto file = fs->Create(path + "/" + entry.name, /*direct=*/false);
      REQUIRE(file.ok());
      REQUIRE((*file)->Append(*bytes).ok());
    }
    REQUIRE_EQ(log, WalFileName(3));
    RecoveryReport report;
    REQUIRE(DB::OpenReadOnly(options, path, &report).ok());
    REQUIRE(report.damaged());
    CHECK_EQ(report.losses.front().file, log);
    CHECK_EQ(report.losses.front().bytes, 100);
    CHECK_EQ(DB::Open(options, path).status().code(), Code::kCorruption);
    Options consent = options;
    consent.accept_loss = true;
    const Status accepted = DB::Open(consent, path).status();
    CHECK_MESSAGE(accepted.ok(), accepted.ToString());
    CHECK(DB::Open(options, path).ok());
  }
}

TEST_CASE("Recovery: a foreign comparator's family is listed and not searched") {
  Copy copy("rocksdb-7.8.3/udt");
  REQUIRE(copy.Open(/*read_only=*/true).ok());
  const auto id = copy.db->FindFamily("ts");
  REQUIRE(id.has_value());
  CHECK(copy.db->Get({}, "k", *id).status().code() == Code::kNotSupported);
  const Status refused = copy.db->NewIterator({}, *id).status();
  CHECK(refused.code() == Code::kNotSupported);
  CHECK(refused.message().find("leveldb.BytewiseComparator.u64ts") != std::string::npos);
}

TEST_CASE("Recovery: each mode makes of each damage what RocksDB makes of it") {
  const std::map<std::string, WalRecoveryMode> modes = {
      {"tolerate_corrupted_tail", WalRecoveryMode::kTolerateCorruptedTail},
      {"absolute", WalRecoveryMode::kAbsoluteConsistency},
      {"point_in_time", WalRecoveryMode::kPointInTime},
      {"skip_any", WalRecoveryMode::kSkipAnyCorrupted},
  };
  size_t cases = 0;
  const Json databases = Databases();
  for (const Json& database : databases) {
    if (!database.contains("expect_by_mode")) continue;
    const std::string name = database["name"];
    CAPTURE(name);
    for (const auto& [mode, expected] : database["expect_by_mode"]["RocksDB 11.9"].items()) {
      CAPTURE(mode);
      for (const bool read_only : {true, false}) {
        CAPTURE(read_only);
        Copy copy(name);
        copy.options.accept_loss = true;
        copy.options.wal_recovery_mode = modes.at(mode);
        const Status status = copy.Open(read_only);
        INFO(status.ToString());
        ++cases;
        REQUIRE(status.ok() == expected["open"].get<bool>());
        if (!status.ok()) {
          CHECK(status.code() == Code::kCorruption);
          continue;
        }
        CHECK(copy.db->Stats().last_sequence == expected["last_seq"].get<uint64_t>());
        const Pairs pairs = copy.Scan(0);
        REQUIRE(pairs.size() == expected["keys"].size());
        for (size_t i = 0; i < pairs.size(); ++i) {
          CHECK(pairs[i].first == Hex(expected["keys"][i].get<std::string>()));
        }
        // A loss is reported by the first opening, and not again.
        const bool intact = name == "damaged/intact" || name == "damaged/zero_tail_wal7" ||
                            name == "damaged/missing_wal5";
        CHECK(copy.report.losses.empty() == intact);
        if (read_only) continue;
        REQUIRE(copy.Open(false).ok());
        CHECK(copy.report.losses.empty());
        CHECK(copy.Scan(0) == pairs);
      }
    }
  }
  CHECK(cases == 72);
}

}  // namespace
}  // namespace varve
