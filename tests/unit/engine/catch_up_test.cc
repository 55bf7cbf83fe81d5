// SPDX-License-Identifier: Apache-2.0
// A database that is open read-only, beside one that writes, catches up.
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/format/file_name.h"
#include "tests/unit/engine/watched_fs.h"
#include "varve/db.h"

namespace varve {
namespace {

// Counts how often tables are opened.
class CountingFs final : public WatchedFs {
 public:
  Result<std::unique_ptr<RandomAccessFile>> OpenForRead(const std::string& path,
                                                        bool direct) override {
    if (path.ends_with(".sst")) ++tables_opened;
    return WatchedFs::OpenForRead(path, direct);
  }
  std::atomic<int> tables_opened = 0;
};

struct Fixture {
  Fixture() : options(OptionsOn(&fs)) {
    options.family.disable_auto_compactions = true;
    OpenWriter();
    Put("key", "old");
    auto opened = DB::OpenReadOnly(options, "db");
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    reader = *std::move(opened);
  }

  void OpenWriter() {
    auto opened = DB::Open(options, "db");
    REQUIRE_MESSAGE(opened.ok(), opened.status().ToString());
    writer = *std::move(opened);
  }
  void Put(const std::string& key, const std::string& value, ColumnFamilyId family = 0) {
    REQUIRE(writer->Put({}, key, value, family).ok());
  }
  void CatchUp(const DropOptions& dropped = {}) {
    const Status status = reader->CatchUp(dropped);
    REQUIRE_MESSAGE(status.ok(), status.ToString());
  }
  std::string Get(const std::string& key, ColumnFamilyId family = 0) {
    const auto value = reader->Get({}, key, family);
    if (!value.ok()) return value.status().ToString();
    return value->has_value() ? (*value)->ToString() : "nothing";
  }

  CountingFs fs;
  Options options;
  std::unique_ptr<DB> writer;
  std::unique_ptr<DB> reader;
};

std::string All(Iterator& it) {
  std::string all;
  for (it.SeekToFirst(); it.Valid(); it.Next()) {
    all += std::string(it.key()) + "=" + std::string(it.value()) + " ";
  }
  CHECK_MESSAGE(it.status().ok(), it.status().ToString());
  return all;
}

TEST_CASE("CatchUp: what was written, flushed and compacted since, and only then") {
  Fixture f;
  f.Put("key", "new");
  f.Put("other", "1");
  CHECK_EQ(f.Get("key"), "old");
  f.CatchUp();
  CHECK_EQ(f.Get("key"), "new");
  CHECK_EQ(f.Get("other"), "1");
  REQUIRE(f.writer->Flush().ok());
  f.Put("key", "newer");
  REQUIRE(f.writer->Delete({}, "other").ok());
  f.CatchUp();
  CHECK_EQ(f.Get("key"), "newer");
  CHECK_EQ(f.Get("other"), "nothing");
  REQUIRE(f.writer->CompactRange({}, {}, {}).ok());
  f.CatchUp();
  CHECK_EQ(f.Get("key"), "newer");
  CHECK_EQ(f.reader->Stats().last_sequence, f.writer->Stats().last_sequence);
  CHECK_EQ(f.reader->LiveFiles()->size(), f.writer->LiveFiles()->size());
  // A new MANIFEST.
  f.writer.reset();
  f.OpenWriter();
  f.Put("key", "newest");
  f.CatchUp();
  CHECK_EQ(f.Get("key"), "newest");
  f.CatchUp();  // Nothing is new.
  CHECK_EQ(f.Get("key"), "newest");
}

TEST_CASE("CatchUp: an iterator keeps its state, whose files are closed with it") {
  Fixture f;
  REQUIRE(f.writer->Flush().ok());
  f.Put("z", "1");
  REQUIRE(f.writer->Flush().ok());
  f.CatchUp();
  auto it = f.reader->NewIterator({});
  REQUIRE(it.ok());
  f.Put("key", "new");
  REQUIRE(f.writer->CompactRange({}, {}, {}).ok());
  f.CatchUp();
  CHECK_EQ(All(*it), "key=old z=1 ");
  CHECK_EQ(f.reader->Stats().open_tables, 3);
  REQUIRE(it->Refresh().ok());
  CHECK_EQ(f.reader->Stats().open_tables, 1);
  CHECK_EQ(All(*it), "key=new z=1 ");
}

TEST_CASE("CatchUp: a value outlives what it was read from") {
  Fixture f;
  const auto in_memory = f.reader->Get({}, "key");
  REQUIRE(f.writer->Flush().ok());
  f.CatchUp();
  const auto in_table = f.reader->Get({}, "key");
  f.Put("key", "new");
  REQUIRE(f.writer->CompactRange({}, {}, {}).ok());
  f.CatchUp();
  CHECK_EQ((*in_memory)->view(), "old");
  CHECK_EQ((*in_table)->view(), "old");
}

TEST_CASE("CatchUp: snapshots taken before cannot be read at, those taken after can") {
  Fixture f;
  const Snapshot before = f.reader->GetSnapshot();
  f.Put("key", "new");
  f.CatchUp();
  const Snapshot after = f.reader->GetSnapshot();
  const auto code_at = [&](const Snapshot& snapshot) {
    const ReadOptions at{.snapshot = &snapshot};
    const std::string_view keys[] = {"key"};
    const auto got = f.reader->Get(at, "key");
    CHECK_EQ(f.reader->MultiGet(at, keys)[0].status().code(), got.status().code());
    CHECK_EQ(f.reader->NewIterator(at).status().code(), got.status().code());
    if (got.ok()) CHECK_EQ((*got)->view(), "new");
    return got.status().code();
  };
  CHECK_EQ(code_at(before), Code::kInvalidArgument);
  CHECK_EQ(code_at(after), Code::kOk);
  CHECK_EQ(f.reader->Stats().snapshots, 1);
}

TEST_CASE("CatchUp: families that were made appear, and dropped ones go") {
  Fixture f;
  const auto id = f.writer->CreateColumnFamily("other", {});
  REQUIRE(id.ok());
  f.Put("key", "of the other", *id);
  CHECK_FALSE(f.reader->FindFamily("other"));
  f.CatchUp();
  CHECK_EQ(f.reader->FindFamily("other"), *id);
  CHECK_EQ(f.Get("key", *id), "of the other");
  REQUIRE(f.writer->DropColumnFamily(*id).ok());
  const auto again = f.writer->CreateColumnFamily("other", {});
  SUBCASE("at once") {
    f.CatchUp();
    CHECK_EQ(f.reader->Get({}, "key", *id).status().code(), Code::kInvalidArgument);
  }
  SUBCASE("or when they are forgotten") {
    f.CatchUp({.keep_readable = true});
    CHECK_EQ(f.Get("key", *id), "of the other");
    f.CatchUp({.keep_readable = true});
    CHECK_EQ(f.Get("key", *id), "of the other");
    f.reader->ForgetDroppedFamily(*id);
    CHECK_EQ(f.reader->Get({}, "key", *id).status().code(), Code::kInvalidArgument);
  }
  CHECK_EQ(f.reader->FindFamily("other"), *again);
  CHECK_EQ(f.Get("key", *again), "nothing");
}

TEST_CASE("CatchUp: a family of an unknown order comes and goes") {
  class Backwards final : public Comparator {
   public:
    std::string_view name() const override { return "backwards"; }
    int Compare(std::string_view a, std::string_view b) const override { return b.compare(a); }
  };
  const Backwards backwards;
  Fixture f;
  ColumnFamilyOptions options;
  options.comparator = &backwards;
  const auto id = f.writer->CreateColumnFamily("other", options);
  REQUIRE(id.ok());
  f.CatchUp();
  CHECK_EQ(f.reader->Families().at(1).comparator, "backwards");
  CHECK_EQ(f.reader->Get({}, "key", *id).status().code(), Code::kNotSupported);
  REQUIRE(f.writer->DropColumnFamily(*id).ok());
  SUBCASE("at once") { f.CatchUp(); }
  SUBCASE("or when it is forgotten") {
    f.CatchUp({.keep_readable = true});
    f.reader->ForgetDroppedFamily(*id);
  }
  CHECK_EQ(f.reader->Families().size(), 1);
  f.writer.reset();  // It uses the order.
}

TEST_CASE("CatchUp: a merge operator that the first table names") {
  Fixture f;
  f.options.family.merge_operator = MergeOperatorByName("StringAppendOperator");
  f.writer.reset();
  f.OpenWriter();
  REQUIRE(f.writer->Merge({}, "key", "1").ok());
  REQUIRE(f.writer->Merge({}, "key", "2").ok());
  REQUIRE(f.writer->Flush().ok());
  f.CatchUp();
  CHECK_EQ(f.Get("key"), "old,1,2");
}

TEST_CASE("CatchUp: tables that are open are not opened again") {
  constexpr int kTables = 10;
  Fixture f;
  for (int i = 0; i < kTables; ++i) {
    f.Put("key" + std::to_string(i), "value");
    REQUIRE(f.writer->Flush().ok());
  }
  bool live = true;
  SUBCASE("beside a writer") {}
  SUBCASE("after a writer") {
    f.writer.reset();
    live = false;
  }
  f.CatchUp();
  for (int i = 0; i < kTables; ++i) CHECK_EQ(f.Get("key" + std::to_string(i)), "value");
  CHECK_EQ(f.reader->Stats().open_tables, kTables);
  const uint64_t misses = f.reader->Stats().block_cache_misses;
  f.fs.tables_opened = 0;
  f.CatchUp();
  for (int i = 0; i < kTables; ++i) CHECK_EQ(f.Get("key" + std::to_string(i)), "value");
  CHECK_EQ(f.fs.tables_opened.load(), 0);
  CHECK_EQ(f.reader->Stats().block_cache_misses, misses);
  CHECK_EQ(f.reader->Stats().open_tables, kTables);
  if (!live) return;
  REQUIRE(f.writer->CompactRange({}, {}, {}).ok());
  f.fs.tables_opened = 0;
  f.CatchUp();
  CHECK_EQ(f.fs.tables_opened.load(), 1);
  CHECK_EQ(f.reader->Stats().open_tables, 1);
}

TEST_CASE("CatchUp: after an error everything is as before") {
  Fixture f;
  CHECK_EQ(f.writer->CatchUp().code(), Code::kInvalidArgument);
  f.Put("key", "new");
  SUBCASE("what cannot be read") {
    REQUIRE(f.fs.Remove("db/CURRENT").ok());
    CHECK_EQ(f.reader->CatchUp().code(), Code::kCorruption);
  }
  SUBCASE("another database") {
    f.writer.reset();
    const auto entries = f.fs.List("db");
    for (const DirectoryEntry& entry : *entries) {
      REQUIRE(f.fs.Remove("db/" + entry.name).ok());
    }
    f.OpenWriter();
    CHECK_EQ(f.reader->CatchUp().code(), Code::kInvalidArgument);
  }
  CHECK_EQ(f.Get("key"), "old");
  REQUIRE(f.reader->Close().ok());
  CHECK_EQ(f.reader->CatchUp().code(), Code::kShutdown);
}

// Changes of one batch are seen together, and what was seen once stays.
TEST_CASE("CatchUp: while others read") {
  constexpr int kRounds = 60;
  Fixture f;
  f.Put("a", "100");
  f.Put("b", "100");
  f.CatchUp();
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      std::string last = "100";
      while (!done) {
        const std::string_view keys[] = {"a", "b"};
        const auto values = f.reader->MultiGet({}, keys);
        REQUIRE_MESSAGE(values[0].ok(), values[0].status().ToString());
        const std::string now = (*values[0])->ToString();
        CHECK_EQ((*values[1])->view(), now);
        CHECK_GE(now, last);
        last = now;
        auto it = f.reader->NewIterator({});
        REQUIRE(it.ok());
        it->Seek("a");
        REQUIRE(it->Valid());
        const std::string first(it->value());
        it->Next();
        REQUIRE(it->Valid());
        CHECK_EQ(it->value(), first);
        const Snapshot snapshot = f.reader->GetSnapshot();
        CHECK_GE(f.reader->Stats().last_sequence, snapshot.sequence());
      }
    });
  }
  for (int i = 1; i <= kRounds; ++i) {
    WriteBatch batch;
    batch.Put("a", std::to_string(100 + i));
    batch.Put("b", std::to_string(100 + i));
    REQUIRE(f.writer->Write({}, std::move(batch)).ok());
    if (i % 3 == 0) REQUIRE(f.writer->Flush().ok());
    if (i % 10 == 0) REQUIRE(f.writer->CompactRange({}, {}, {}).ok());
    f.CatchUp();
    CHECK_EQ(f.Get("a"), std::to_string(100 + i));
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace varve
