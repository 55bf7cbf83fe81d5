// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/base/text.h"
#include "core/inspect/table/table_report.h"
#include "tests/unit/inspect/golden_tables.h"
#include "varve/environment.h"

namespace varve {
namespace {

FileSystem& Files() { return *NativeEnvironment().file_system; }

TEST_CASE("EntryStream: a table gives as many entries of each type as its manifest counts") {
  for (const GoldenTable& table : GoldenTables()) {
    if (table.refused()) continue;
    CAPTURE(table.name);
    Result<EntryStream> stream = EntryStream::OpenTable(Files(), table.path, {});
    REQUIRE_MESSAGE(stream.ok(), stream.status().ToString());
    uint64_t points = 0, tombstones = 0, puts = 0;
    StoredEntry entry;
    while (stream->Next(&entry)) {
      (entry.type == "range_delete" ? tombstones : points)++;
      puts += entry.type == "put";
    }
    REQUIRE_MESSAGE(stream->status().ok(), stream->status().ToString());
    CHECK(points == table.facts["entries_found"]);
    CHECK(tombstones == table.facts["range_deletions"].size());
    CHECK(puts == table.facts["counts"].value("put", 0));
  }
}

TEST_CASE("EntryStream: a range is half-open") {
  const std::string path = std::string(VARVE_FIXTURES) + "/sst/ldb123_bloom.ldb";
  Result<EntryStream> stream =
      EntryStream::OpenTable(Files(), path, {.from = "key000010", .to = "key000020"});
  REQUIRE(stream.ok());
  std::vector<std::string> keys;
  StoredEntry entry;
  while (stream->Next(&entry)) keys.emplace_back(entry.key);
  REQUIRE(keys.size() == 10);
  CHECK(keys.front() == "key000010");
  CHECK(keys.back() == "key000019");
}

TEST_CASE("EntryStream: a database shows tables and logs, newest version first") {
  const std::string path = std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/multi_cf";
  Result<EntryStream> stream = EntryStream::OpenDatabase(Files(), path, "default", {});
  REQUIRE_MESSAGE(stream.ok(), stream.status().ToString());
  StoredEntry entry;
  std::string last_key;
  Sequence last_sequence = 0;
  uint64_t count = 0;
  while (stream->Next(&entry)) {
    if (entry.type == "range_delete") continue;
    if (count++ > 0) {
      const bool ascends =
          last_key < entry.key || (last_key == entry.key && last_sequence > entry.sequence);
      CHECK(ascends);
    }
    last_key = entry.key;
    last_sequence = entry.sequence;
  }
  CHECK(stream->status().ok());
  CHECK(count == 19);
  CHECK_FALSE(EntryStream::OpenDatabase(Files(), path, "no such family", {}).ok());
}

}  // namespace
}  // namespace varve
