// SPDX-License-Identifier: Apache-2.0
// Every WAL under fixtures/db against fixtures/logs.txt, which an independent decoder wrote.
#include "core/inspect/wal/wal_report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/text/text.h"
#include "core/format/log/log_record.h"
#include "core/format/log/two_phase.h"
#include "core/format/log/write_batch_format.h"
#include "core/fs/memory_fs.h"
#include "core/inspect/wal/recovery_report.h"
#include "core/wal/log_writer.h"
#include "varve/environment.h"
#include "varve/write_batch.h"

namespace varve {
namespace {

FileSystem& Files() { return *NativeEnvironment().file_system; }

struct GoldenRecord {
  uint64_t offset = 0, size = 0;
  std::string crc;
  uint64_t sequence = 0, count = 0;
  std::string tags;
};

struct GoldenLog {
  std::string path;
  bool clean = true;
  std::vector<GoldenRecord> records;
};

std::vector<GoldenLog> GoldenWals() {
  std::ifstream in(VARVE_FIXTURES "/logs.txt");
  std::vector<GoldenLog> logs;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    if (line.starts_with("#")) continue;
    if (!line.starts_with(" ")) {
      GoldenLog& log = logs.emplace_back();
      std::string verdict;
      words >> log.path >> verdict;
      log.clean = verdict == "clean";
    } else {
      GoldenRecord& record = logs.back().records.emplace_back();
      words >> record.offset >> record.size >> record.crc >> record.sequence >> record.count >>
          record.tags;
    }
  }
  std::erase_if(logs, [](const GoldenLog& log) { return !log.path.ends_with(".log"); });
  return logs;
}

TEST_CASE("WalStream: each batch is where the independent decoder found it, with what it holds") {
  uint64_t records = 0;
  for (const GoldenLog& log : GoldenWals()) {
    CAPTURE(log.path);
    const std::string path = std::string(VARVE_FIXTURES) + "/" + log.path;
    const auto place = FindWal(Files(), path, std::nullopt);
    REQUIRE(place.ok());
    auto stream = WalStream::Open(Files(), place->path, place->number, place->families);
    REQUIRE(stream.ok());
    WalRecord record;
    bool damaged = false;
    size_t next = 0;
    while (stream->Next(&record)) {
      damaged |= !record.damage.empty();
      if (!record.damage.empty()) continue;
      if (next >= log.records.size()) break;
      const GoldenRecord& golden = log.records[next++];
      CHECK(record.offset == golden.offset);
      CHECK(record.batch_bytes == golden.size);
      CHECK(Hex(record.payload_crc32c, 8) == golden.crc);
      CHECK(record.sequence == golden.sequence);
      CHECK(record.count == golden.count);
      const auto tags = std::count(golden.tags.begin(), golden.tags.end(), ',') + 1;
      if (!golden.tags.empty()) CHECK(record.operations.size() == static_cast<size_t>(tags));
      records++;
    }
    CHECK(stream->status().ok());
    CHECK(next == log.records.size());
    CHECK(damaged == !log.clean);
  }
  CHECK(records > 300);
}

TEST_CASE("WalStream: damage costs its block, and what follows is read") {
  const auto memory = NewMemoryFileSystem();
  const auto bytes = ReadFileToString(
      Files(), std::string(VARVE_FIXTURES) + "/db/hand/hand_wal/000003.log", 1 << 20);
  REQUIRE(bytes.ok());
  REQUIRE(bytes->size() > 2 * 32768);
  std::string damaged = *bytes;
  damaged[100] ^= 1;
  auto file = memory->Create("000003.log", /*direct=*/false);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(damaged).ok());
  auto stream = WalStream::Open(*memory, "000003.log", 3, {});
  REQUIRE(stream.ok());
  WalRecord record;
  uint64_t lost = 0, behind = 0;
  while (stream->Next(&record)) {
    if (!record.damage.empty()) lost += record.size;
    if (record.damage.empty() && record.offset >= 32768) behind++;
  }
  CHECK(lost > 0);
  CHECK(behind > 0);
}

// Recovery stops at it.
TEST_CASE("WalStream: a batch with sequence 0 is damage") {
  WriteBatch batch;
  batch.Put("key", "value");
  std::string log;
  AppendLogRecord(&log, LogRecordType::kFull, batch.bytes());
  const auto memory = NewMemoryFileSystem();
  auto file = memory->Create("000003.log", /*direct=*/false);
  REQUIRE(file.ok());
  REQUIRE((*file)->Append(log).ok());
  CHECK(CheckWal(*memory, {"000003.log", 3, {}}).code() == Code::kCorruption);
}

TEST_CASE("WalStream: what is behind a commit in its batch is numbered behind what that applies") {
  const auto put = [](const std::string& key) {
    WriteBatch batch;
    batch.Put(key, "v");
    return batch;
  };
  WriteBatch two = put("x"), group = put("a");
  two.Append(put("y"));
  group.Append(CommitMark("one"));
  group.Append(put("b"));
  group.Append(RollbackMark("two"));
  group.Append(put("c"));
  group.Append(CommitMark("of an older log"));
  group.Append(put("d"));
  const auto fs = NewMemoryFileSystem();
  auto file = fs->Create("000007.log", /*direct=*/false);
  REQUIRE(file.ok());
  LogWriter log(*std::move(file));
  Sequence sequence = 5;
  for (WriteBatch batch : {PreparedSection(two, "one"), PreparedSection(two, "two"), group}) {
    StampBatch(&batch.mutable_bytes(), sequence);
    REQUIRE(log.Append(batch.bytes()).ok());
  }
  REQUIRE(log.Close().ok());

  auto stream = WalStream::Open(*fs, "000007.log", 7, {});
  REQUIRE(stream.ok());
  std::string text;
  WalRecord record;
  while (stream->Next(&record)) {
    for (const WalOperation& operation : record.operations) {
      if (operation.type != "put") continue;
      text += std::string(operation.key) + "@";
      text += operation.sequence ? std::to_string(*operation.sequence) : "?";
      text += " ";
    }
  }
  CHECK(stream->status().ok());
  CHECK_EQ(text, "x@? y@? x@? y@? a@5 b@8 c@9 d@? ");
}

TEST_CASE("ReportWals: a log is live as long as a family needs it") {
  const std::string database = std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/archive";
  const auto report = ReportWals(Files(), database);
  REQUIRE(report.ok());
  REQUIRE(report->segments.size() == 3);
  CHECK(report->segments[0].name == "archive/000004.log");
  CHECK_FALSE(report->segments[0].live);
  CHECK(report->segments[2].live);
  CHECK(report->segments[2].first_sequence == Sequence{11});
}

// The process that holds the lock may be in the middle of writing a record, which it has not
// acknowledged yet.
TEST_CASE("ReportRecovery: the torn end of a log is not a loss while its writer runs") {
  const auto fs = NewMemoryFileSystem();
  REQUIRE(fs->CreateDirectory("db").ok());
  const std::string fixture = std::string(VARVE_FIXTURES) + "/db/damaged/torn_last_wal";
  const auto entries = Files().List(fixture);
  REQUIRE(entries.ok());
  for (const DirectoryEntry& entry : *entries) {
    if (entry.is_directory) continue;
    const auto bytes = ReadFileToString(Files(), fixture + "/" + entry.name, 16 << 20);
    REQUIRE(bytes.ok());
    auto file = fs->Create("db/" + entry.name, /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(*bytes).ok());
  }
  const auto alone = ReportRecovery(*fs, "db");
  REQUIRE(alone.ok());
  REQUIRE_EQ(alone->losses.size(), 1);
  CHECK(alone->losses[0].unfinished);
  CHECK_FALSE(alone->damaged());
  const auto lock = fs->Lock("db/LOCK");
  REQUIRE(lock.ok());
  const auto beside = ReportRecovery(*fs, "db");
  REQUIRE(beside.ok());
  CHECK(beside->losses.empty());
}

}  // namespace
}  // namespace varve
