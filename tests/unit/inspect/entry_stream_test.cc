// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "core/base/text/text.h"
#include "core/fs/memory_fs.h"
#include "core/fs/read_only_fs.h"
#include "core/inspect/explain/locate.h"
#include "core/inspect/lsm/approximate_size.h"
#include "core/inspect/space/space.h"
#include "core/inspect/stored_order.h"
#include "core/inspect/table/table_report.h"
#include "tests/forwarding_fs.h"
#include "tests/unit/engine/watched_fs.h"
#include "tests/unit/inspect/golden_tables.h"
#include "varve/db.h"
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

// The keys, and "d:" with the begin of each range deletion.
std::string Listed(Result<EntryStream> stream) {
  REQUIRE_MESSAGE(stream.ok(), stream.status().ToString());
  std::string listed;
  StoredEntry entry;
  while (stream->Next(&entry)) {
    listed += (entry.type == "range_delete" ? "d:" : "") + std::string(entry.key) + " ";
  }
  CHECK_MESSAGE(stream->status().ok(), stream->status().ToString());
  return listed;
}

TEST_CASE("EntryStream: a prefix and a start, in either order") {
  for (const bool reverse : {false, true}) {
    CAPTURE(reverse);
    const auto fs = NewMemoryFileSystem();
    Options options = OptionsOn(fs.get());
    options.family.comparator = reverse ? ReverseBytewiseComparator() : BytewiseComparator();
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    WriteBatch deletion;  // Older than the keys, which it does not delete.
    deletion.DeleteRange(reverse ? "abz" : "ab", reverse ? "aba" : "abb");
    REQUIRE((*db)->Write({}, std::move(deletion)).ok());
    for (const char* key : {"a", "ab", "abc", "ac", "b"}) REQUIRE((*db)->Put({}, key, "v").ok());
    REQUIRE((*db)->Flush().ok());
    const auto listed = [&](const EntryRange& range) {
      return Listed(EntryStream::OpenDatabase(*fs, "db", "default", range));
    };
    const std::string deleted = reverse ? "d:abz " : "d:ab ";
    CHECK_EQ(listed({.prefix = "ab"}), (reverse ? "abc ab " : "ab abc ") + deleted);
    CHECK_EQ(listed({.prefix = "abc"}), "abc ");
    CHECK_EQ(listed({.prefix = "aa"}), "");
    // Also the deletion, which ends before the start.
    CHECK_EQ(listed({.prefix = "a", .start = reverse ? "a" : "ac"}),
             (reverse ? "a " : "ac ") + deleted);
  }
}

TEST_CASE("EntryStream: nothing beyond a range is read for the range deletions after it") {
  const auto fs = NewMemoryFileSystem();
  Options options = OptionsOn(fs.get());
  options.family.table.compression = CompressionType::kNone;
  {
    auto db = DB::Open(options, "db");
    REQUIRE(db.ok());
    WriteBatch deletions;
    for (const char* begin : {"1", "2", "3"}) deletions.DeleteRange(begin, "7");
    REQUIRE((*db)->Write({}, std::move(deletions)).ok());
    // Each in a block of its own.
    for (char key = '0'; key <= '9'; ++key) {
      REQUIRE((*db)->Put({}, std::string(1, key), std::string(8000, key)).ok());
    }
    REQUIRE((*db)->Flush().ok());
    REQUIRE((*db)->Close().ok());
  }
  const Result<std::vector<DirectoryEntry>> files = fs->List("db");
  REQUIRE(files.ok());
  for (const DirectoryEntry& file : *files) {
    if (!file.name.ends_with(".sst")) continue;
    const std::string path = "db/" + file.name;
    std::string bytes = *ReadFileToString(*fs, path, 1 << 20);
    bytes[bytes.find(std::string(8000, '6')) + 1] ^= 1;
    auto damaged = fs->Create(path, /*direct=*/false);
    REQUIRE((*damaged)->Append(bytes).ok());
    REQUIRE((*damaged)->Close().ok());
    Result<EntryStream> stream = EntryStream::OpenTable(*fs, path, {.to = "5"});
    REQUIRE(stream.ok());
    StoredEntry entry;
    std::string types;
    while (stream->Next(&entry)) types += entry.type == "put" ? 'p' : 'd';
    CHECK_MESSAGE(stream->status().ok(), stream->status().ToString());
    CHECK_EQ(types, "pppppddd");
    return;
  }
  FAIL("no table");
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

// The files of a database that somebody writes to. Its tables are gone once the MANIFEST was looked
// at twice: from then on the writer may remove any of them.
class LiveFiles final : public ForwardingFs {
 public:
  LiveFiles() : ForwardingFs(NewReadOnlyFileSystem(Files())) {}
  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    if (looks_ >= 2 && path.ends_with(".sst")) return Status::NotFound(path);
    return ForwardingFs::OpenForRead(path, direct);
  }
  Result<uint64_t> FileSize(const std::string& path) override {
    if (path.find("MANIFEST") != std::string::npos) ++looks_;
    return ForwardingFs::FileSize(path);
  }
  bool IsLocked(const std::string&) override { return true; }

 private:
  int looks_ = 0;
};

template <typename Stream>
uint64_t CountEntries(Result<Stream> stream) {
  REQUIRE_MESSAGE(stream.ok(), stream.status().ToString());
  StoredEntry entry;
  uint64_t count = 0;
  while (stream->Next(&entry)) ++count;
  CHECK_MESSAGE(stream->status().ok(), stream->status().ToString());
  return count;
}

TEST_CASE("Reports beside a writer: tables that it removes are kept open") {
  const std::string path = std::string(VARVE_FIXTURES) + "/db/rocksdb-7.8.3/cursor";
  const uint64_t entries = CountEntries(EntryStream::OpenDatabase(Files(), path, "default", {}));
  CHECK_GT(entries, 0);
  LiveFiles for_stream, for_order, for_range, for_space, for_key;
  CHECK_EQ(CountEntries(EntryStream::OpenDatabase(for_stream, path, "default", {})), entries);
  CHECK_EQ(CountEntries(StoredOrder::Open(for_order, path, "default")), entries);
  Result<EntryStream> stream = EntryStream::OpenDatabase(Files(), path, "default", {});
  REQUIRE(stream.ok());
  StoredEntry entry;
  for (uint64_t i = 0; i < entries / 2; ++i) REQUIRE(stream->Next(&entry));
  const std::string middle(entry.key);

  const auto range = MeasureRange(for_range, path, "default", middle, std::nullopt);
  REQUIRE_MESSAGE(range.ok(), range.status().ToString());
  CHECK_GT(range->opened, 0);
  const auto space = ReportSpace(for_space, path, {});
  REQUIRE_MESSAGE(space.ok(), space.status().ToString());
  CHECK_GT(space->families.at(0).keys, 0);
  const auto located = LocateKey(for_key, path, {.key = middle});
  REQUIRE_MESSAGE(located.ok(), located.status().ToString());
  bool found = !located->logged.empty();
  for (const LocatedFile& file : located->files) {
    CHECK_MESSAGE(file.look.problem.ok(), file.look.problem.ToString());
    found |= file.verdict == "holds";
  }
  CHECK(found);
}

}  // namespace
}  // namespace varve
