// SPDX-License-Identifier: Apache-2.0
// Directories with a byte changed or a file cut short, wherever that may be: each report is made or
// refused with a reason. (Under ASan and UBSan this is a test of every parser below, too.)
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/fs/memory_fs.h"
#include "core/inspect/history/history.h"
#include "core/inspect/lsm/lsm_report.h"
#include "core/inspect/options/options_report.h"
#include "core/inspect/wal/wal_report.h"
#include "varve/environment.h"

namespace varve {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kLog =
    "2026/11/21-01:09:18 1 EVENT_LOG_v1 {\"time_micros\": 17, \"job\": 2, \"event\": "
    "\"flush_started\", \"flush_reason\": \"Manual Flush\"}\n"
    "2026/11/21-01:09:18 1 EVENT_LOG_v1 {\"time_micros\": 18, \"cf_name\": \"default\", \"job\": "
    "2, "
    "\"event\": \"table_file_creation\", \"file_number\": 9, \"file_size\": 20002, "
    "\"table_properties\": {\"column_family_id\": 0}}\n"
    "2026/11/21-01:09:18 1 EVENT_LOG_v1 {\"time_micros\": 19, \"job\": 2, \"event\": "
    "\"flush_finished\"}\n"
    "2026/11/21-01:09:18 1 EVENT_LOG_v1 {\"time_micros\": 20, \"job\": 3, \"event\": "
    "\"compaction_started\", \"files_L0\": [9, 11], \"score\": 1}\n";

// What the reports read; tables are only looked at by name.
Files ReadFixture(const std::string& path) {
  FileSystem& fs = *NativeEnvironment().file_system;
  const auto entries = fs.List(path);
  REQUIRE(entries.ok());
  Files files;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.is_directory) continue;
    const auto bytes = ReadFileToString(fs, path + "/" + entry.name, 4 << 20);
    REQUIRE(bytes.ok());
    files.emplace_back(entry.name, entry.name.ends_with(".sst") ? "" : *bytes);
  }
  files.emplace_back("LOG", kLog);
  return files;
}

std::unique_ptr<FileSystem> Store(const Files& files) {
  auto memory = NewMemoryFileSystem();
  REQUIRE(memory->CreateDirectory("db").ok());
  for (const auto& [name, bytes] : files) {
    auto file = memory->Create("db/" + name, /*direct=*/false);
    REQUIRE(file.ok());
    REQUIRE((*file)->Append(bytes).ok());
  }
  return memory;
}

// Every refusal has a reason.
void ReportAll(FileSystem& fs, uint64_t* refused) {
  const auto look = [refused](const Status& status) {
    if (status.ok()) return;
    ++*refused;
    CHECK_FALSE(status.message().empty());
  };
  look(ReportLsm(fs, "db").status());
  look(ReportLsm(fs, "db", {.edit = 3, .open_tables = true}).status());
  look(ReportWals(fs, "db").status());
  look(ReportOptions(fs, "db").status());
  const auto history = ReportHistory(fs, "db");
  look(history.status());
  if (!history.ok()) return;
  const LineageIndex index(*history);
  for (FileNumber number = 0; number < 40; number++) {
    const auto lineage = index.Of(number);
    if (lineage) CHECK(lineage->file.number == number);
  }
}

TEST_CASE("reports of damaged directories end, with a reason where there is no report") {
  std::mt19937_64 random(11);
  uint64_t refused = 0, reports = 0;
  for (const char* name :
       {"rocksdb-7.8.3/cursor", "rocksdb-7.8.3/multi_cf", "rocksdb-7.8.3/blob",
        "rocksdb-7.8.3/twopc", "rocksdb-11.9/recycle", "leveldb-1.23/leveldb_l0"}) {
    const Files whole = ReadFixture(std::string(VARVE_FIXTURES) + "/db/" + name);
    for (int round = 0; round < 300; round++) {
      Files damaged = whole;
      std::string& bytes = damaged[random() % damaged.size()].second;
      if (bytes.empty()) continue;
      if (random() % 4 == 0) {
        bytes.resize(random() % bytes.size());
      } else {
        bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
      }
      CAPTURE(name);
      CAPTURE(round);
      ReportAll(*Store(damaged), &refused);
      reports++;
    }
  }
  CHECK(reports > 1000);
  CHECK(refused > 200);
}

}  // namespace
}  // namespace varve
