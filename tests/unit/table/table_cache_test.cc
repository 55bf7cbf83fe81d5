// SPDX-License-Identifier: Apache-2.0
#include "core/table/cache/table_cache.h"

#include "core/format/file_name.h"
#include "core/format/table/unique_id.h"
#include "core/iterator/lookup.h"
#include "core/table/block/clock_cache.h"
#include "table_harness.h"

namespace varve {
namespace {

class Directory {
 public:
  Directory() { REQUIRE(fs->CreateDirectory("/db").ok()); }

  // Writes a table and returns what the MANIFEST would say of it.
  TableToOpen Write(FileNumber number, const std::string& name, std::string_view value = "value") {
    const auto file = *fs->Create("/db/" + name, false);
    TableOrigin origin;
    origin.db_id = "an identity";
    origin.db_session_id = "ABCDEFGHIJ0123456789";
    origin.file_number = number;
    TableBuilder builder({}, *BytewiseComparator(), origin, file.get());
    REQUIRE(builder.Add({"key", number, ValueType::kValue}, value).ok());
    REQUIRE(builder.Finish().ok());
    REQUIRE(file->Close().ok());
    TableToOpen table;
    table.number = number;
    table.size = builder.file_size();
    table.unique_id = TableUniqueId(origin.db_id, origin.db_session_id, number);
    table.comparator = BytewiseComparator();
    return table;
  }

  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
};

TEST_CASE("TableCache: opens a table once and hands out the same reader") {
  Directory directory;
  const TableToOpen table = directory.Write(5, TableFileName(5));
  TableCache cache(*directory.fs, "/db", nullptr, -1, false);
  const auto first = cache.Find(table);
  REQUIRE_MESSAGE(first.ok(), first.status().ToString());
  CHECK(*cache.Find(table) == *first);
  CHECK(cache.MemoryUsage() > 0);
  CHECK(cache.keeps_all_open());
}

TEST_CASE("TableCache: a number that is used again brings no block of the table before") {
  Directory directory;
  TableCache cache(*directory.fs, "/db", std::make_shared<ClockCache>(1 << 20), -1, false);
  for (const std::string value : {"value", "other"}) {
    const TableToOpen table = directory.Write(5, TableFileName(5), value);
    const auto reader = cache.Find(table);
    REQUIRE_MESSAGE(reader.ok(), reader.status().ToString());
    Lookup lookup("key", kMaxSequence);
    CHECK((*reader)->Get({}, &lookup));
    CHECK_EQ(lookup.value.view(), value);
    cache.Evict(table.number);
  }
}

TEST_CASE("TableCache: takes over the readers of an earlier state, of the very same tables") {
  Directory directory;
  const TableToOpen table = directory.Write(5, TableFileName(5));
  TableCache earlier(*directory.fs, "/db", nullptr, -1, false);
  const auto reader = *earlier.Find(table);
  TableCache later(*directory.fs, "/db", nullptr, -1, false);
  later.TakeReadersOf(&earlier);
  SUBCASE("the same") {
    CHECK(earlier.IsOpen(table));
    CHECK(*later.Find(table) == reader);
    CHECK_EQ(later.open_tables(), 1);
  }
  SUBCASE("the same, too late") {
    later.TakeReadersOf(nullptr);
    CHECK(*later.Find(table) != reader);
    CHECK_EQ(later.open_tables(), 2);
  }
  SUBCASE("another one of that number") {
    TableToOpen other = table;
    other.unique_id[0] ^= 1;
    CHECK_FALSE(earlier.IsOpen(other));
    CHECK_EQ(later.Find(other).status().code(), Code::kCorruption);
  }
  SUBCASE("one whose id is not known") {
    TableToOpen other = table;
    other.unique_id = {0, 0};
    CHECK_FALSE(earlier.IsOpen(other));
    CHECK(*later.Find(other) != reader);
  }
  SUBCASE("not open") { CHECK_FALSE(later.IsOpen(table)); }
}

TEST_CASE("TableCache: finds LevelDB's name, and says which file is missing") {
  Directory directory;
  const TableToOpen table = directory.Write(6, TableLdbFileName(6));
  TableCache cache(*directory.fs, "/db", nullptr, -1, false);
  CHECK(cache.Find(table).ok());
  TableToOpen absent = table;
  absent.number = 77;
  const auto missing = cache.Find(absent);
  REQUIRE(!missing.ok());
  CHECK(missing.status().code() == Code::kNotFound);
  CHECK(missing.status().message().find("000077.sst") != std::string_view::npos);
}

TEST_CASE("TableCache: a file that is not the MANIFEST's is refused") {
  Directory directory;
  const TableToOpen table = directory.Write(5, TableFileName(5));
  TableCache cache(*directory.fs, "/db", nullptr, -1, false);
  TableToOpen other = table;
  other.unique_id[1] ^= 1;
  CHECK(cache.Find(other).status().code() == Code::kCorruption);
  other = table;
  other.size += 1;
  CHECK(cache.Find(other).status().code() == Code::kCorruption);
}

TEST_CASE("TableCache: beyond its bound the least recently used reader closes, unless in use") {
  Directory directory;
  TableCache cache(*directory.fs, "/db", nullptr, 2, false);
  std::vector<TableToOpen> tables;
  for (FileNumber n = 1; n <= 3; ++n) tables.push_back(directory.Write(n, TableFileName(n)));
  std::weak_ptr<const TableReader> oldest = *cache.Find(tables[0]);
  const std::shared_ptr<const TableReader> held = *cache.Find(tables[1]);
  REQUIRE(cache.Find(tables[2]).ok());
  CHECK(oldest.expired());
  cache.Evict(2);
  CHECK(held->properties().entries == 1);
}

}  // namespace
}  // namespace varve
