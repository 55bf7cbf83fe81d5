// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/wal/log_entries.h"

#include "core/format/file_name.h"
#include "core/version/database_files.h"
#include "tests/unit/inspect/inspected_db.h"
#include "tests/unit/iterator/iterator_suite.h"

namespace varve {
namespace {

DatabaseFiles FilesOf(InspectedDb& t) {
  auto files = ReadDatabaseFiles(t.fs, "db", Options(), nullptr, OtherWriters::kPossible);
  REQUIRE_MESSAGE(files.ok(), files.status().ToString());
  return *std::move(files);
}

std::string Listed(const LoggedFamily& logged) {
  std::string text;
  for (const LogEntry& e : logged.entries) {
    text += e.key + "@" + std::to_string(e.sequence) + ":" + std::string(ValueTypeName(e.type)) +
            "=" + e.value + " ";
  }
  for (const RangeTombstone& t : logged.deletions) {
    text += "[" + t.begin + ".." + t.end + ")@" + std::to_string(t.sequence) + " ";
  }
  return text;
}

TEST_CASE("ReadLogs: what recovery would replay, by family, with the numbers that it would give") {
  InspectedDb t;
  const ColumnFamilyId other = *t.db->CreateColumnFamily("other", t.options.family);
  WriteBatch batch;
  batch.Put("b", "1", 0);
  batch.Put("x", "2", other);
  batch.DeleteRange("a", "c", 0);
  batch.Delete("y", other);
  REQUIRE(t.db->Write({}, batch).ok());
  const DatabaseFiles files = FilesOf(t);
  const ColumnFamilies& families = files.manifest.state.families;
  Sequence last = 0;
  auto logged = ReadLogsByFamily(files.wals, families, std::nullopt, &last);
  REQUIRE_MESSAGE(logged.ok(), logged.status().ToString());
  CHECK_EQ(last, 4);
  CHECK_EQ(Listed((*logged)[0]), "b@1:put=1 [a..c)@3 ");
  CHECK_EQ(Listed((*logged)[other]), "x@2:put=2 y@4:delete= ");
  // One of them: the others' numbers count all the same.
  logged = ReadLogsByFamily(files.wals, families, other, &last);
  REQUIRE(logged.ok());
  CHECK_EQ(logged->size(), 1);
  CHECK_EQ(last, 4);
  std::vector<RangeTombstone> deletions;
  const auto entries =
      ReadLogs(files.wals, families, *families.Find(ColumnFamilyId{0}), &deletions);
  REQUIRE(entries.ok());
  CHECK_EQ(Listed({*entries, deletions}), "b@1:put=1 [a..c)@3 ");
}

TEST_CASE("ReadLogs: what a family has flushed is not its any more, in a log that another needs") {
  InspectedDb t;
  const ColumnFamilyId other = *t.db->CreateColumnFamily("other", t.options.family);
  t.Put("a", "flushed");
  t.Put("x", "needed", other);
  t.Flush();
  t.Put("b", "later");
  const DatabaseFiles files = FilesOf(t);
  auto logged = ReadLogsByFamily(files.wals, files.manifest.state.families, std::nullopt, nullptr);
  REQUIRE(logged.ok());
  CHECK_EQ(Listed((*logged)[0]), "b@3:put=later ");
  CHECK_EQ(Listed((*logged)[other]), "x@2:put=needed ");
}

TEST_CASE("ReadLogs: of a log that is cut anywhere, whole batches, as many as are whole") {
  InspectedDb t;
  for (const char* const key : {"a", "b", "c"}) {
    WriteBatch batch;
    batch.Put(key, "1");
    batch.Put(key, "2");
    REQUIRE(t.db->Write({}, batch).ok());
  }
  t.Close();
  const DatabaseFiles files = FilesOf(t);
  REQUIRE_FALSE(files.wals.empty());
  const std::string path = "db/" + WalFileName(files.wals.back().number);
  size_t before = 6;
  for (uint64_t size = *t.fs.FileSize(path); size > 0; --size) {
    CAPTURE(size);
    REQUIRE(t.fs.Truncate(path, size - 1).ok());
    const DatabaseFiles cut = FilesOf(t);
    std::vector<WalFile> wals;
    for (const WalFile& wal : cut.wals) wals.push_back(*OpenWal(t.fs, "db", wal.number));
    auto logged = ReadLogsByFamily(wals, cut.manifest.state.families, std::nullopt, nullptr);
    REQUIRE(logged.ok());
    const size_t entries = (*logged)[0].entries.size();
    CHECK_EQ(entries % 2, 0);
    CHECK_LE(entries, before);
    before = entries;
  }
  CHECK_EQ(before, 0);
}

TEST_CASE("LogEntriesIterator: the suite of all iterators, in either order of keys") {
  for (const Comparator* const order : {BytewiseComparator(), ReverseBytewiseComparator()}) {
    for (const size_t count : {size_t{0}, size_t{1}, size_t{200}}) {
      const std::vector<TestEntry> expected = RandomEntries(*order, count, 7);
      std::vector<LogEntry> written;
      for (const TestEntry& e : expected) {
        written.push_back({e.user_key, e.sequence, e.type, e.value});
      }
      std::sort(written.begin(), written.end(),
                [](const LogEntry& a, const LogEntry& b) { return a.sequence < b.sequence; });
      RunIteratorSuite(*order, expected, [&] { return NewLogEntriesIterator(*order, written); });
    }
  }
}

}  // namespace
}  // namespace varve
