// SPDX-License-Identifier: Apache-2.0
#include "core/repair/table_copy.h"

#include <doctest/doctest.h>

#include "core/table/read/table_reader.h"
#include "tests/unit/engine/watched_fs.h"

namespace varve {
namespace {

struct Fixture {
  Fixture() : env(NativeEnvironment()) {
    env.file_system = &fs;
    REQUIRE(fs.CreateDirectory("out").ok());
    origin.comparator = BytewiseComparator();
    origin.comparator_name = BytewiseComparator()->name();
    origin.format_version = 5;
  }
  std::unique_ptr<TableReader> Read() {
    auto file = fs.OpenForRead(kPath, /*direct=*/false);
    REQUIRE(file.ok());
    auto table = TableReader::Open(*std::move(file), {});
    REQUIRE_MESSAGE(table.ok(), table.status().ToString());
    return *std::move(table);
  }
  // A copy with two entries of a thousand bytes.
  std::unique_ptr<TableReader> Copied() {
    TableCopy copy(env, kPath);
    REQUIRE(copy.Begin(origin).ok());
    REQUIRE(copy.Add({"a", 9, ValueType::kValue}, std::string(1000, 'v')).ok());
    REQUIRE(copy.Add({"b", 3, ValueType::kMerge}, std::string(1000, 'v')).ok());
    REQUIRE(copy.Finish().ok());
    return Read();
  }

  static constexpr const char* kPath = "out/000007.sst";
  WatchedFs fs;
  Environment env;
  SalvageOrigin origin;
};

TEST_CASE("TableCopy: without an entry there is no file") {
  Fixture t;
  {
    TableCopy copy(t.env, t.kPath);
    REQUIRE(copy.Begin(t.origin).ok());
    CHECK(copy.empty());
    CHECK_EQ(copy.size(), 0);
  }
  CHECK(t.fs.log().empty());
}

TEST_CASE("TableCopy: entries keep sequences and types, and are described") {
  Fixture t;
  TableCopy copy(t.env, t.kPath);
  REQUIRE(copy.Begin(t.origin).ok());
  REQUIRE(copy.Add({"a", 9, ValueType::kValue}, "1").ok());
  REQUIRE(copy.AddRangeDeletion("b", "d", 5).ok());
  REQUIRE(copy.Add({"c", 3, ValueType::kSingleDeletion}, "").ok());
  CHECK_FALSE(copy.empty());
  REQUIRE(copy.Finish().ok());
  const FileDescription said = copy.Description();
  CHECK_EQ(said.size, *t.fs.FileSize(t.kPath));
  CHECK_EQ(copy.size(), said.size);
  CHECK(said.smallest == EncodeInternalKey({"a", 9, ValueType::kValue}));
  CHECK(said.largest == EncodeInternalKey({"d", kMaxSequence, ValueType::kRangeDeletion}));
  CHECK_EQ(said.smallest_sequence, 3);
  CHECK_EQ(said.largest_sequence, 9);
  const auto table = t.Read();
  const auto it = table->NewIterator({});
  it->SeekToFirst();
  CHECK_EQ(DebugString(it->key()), "\"a\"@9:put");
  it->Next();
  CHECK_EQ(DebugString(it->key()), "\"c\"@3:single_delete");
  CHECK_EQ(table->RawTombstones().size(), 1);
}

TEST_CASE("TableCopy: finished means durable, with its name") {
  Fixture t;
  t.Copied();
  REQUIRE_GE(t.fs.log().size(), 2);
  CHECK_EQ(t.fs.log()[t.fs.log().size() - 2], "sync 000007.sst");
  CHECK_EQ(t.fs.log().back(), "sync_directory out");
}

TEST_CASE("TableCopy: an unfinished one leaves no file, whatever failed") {
  for (const char* const failing : {"", "append", "sync 0"}) {
    CAPTURE(failing);
    Fixture t;
    t.fs.set_judge([failing](const std::string& event) {
      return *failing != 0 && event.starts_with(failing) ? Status::NoSpace("full") : Status::Ok();
    });
    {
      TableCopy copy(t.env, t.kPath);
      REQUIRE(copy.Begin(t.origin).ok());
      REQUIRE(copy.Add({"a", 9, ValueType::kValue}, "1").ok());
      CHECK(t.fs.Exists(t.kPath));
      if (*failing != 0) CHECK(copy.Finish().code() == Code::kNoSpace);
    }
    CHECK_FALSE(t.fs.Exists(t.kPath));
  }
}

TEST_CASE("TableCopy: an order that nobody knows cannot be built in") {
  Fixture t;
  t.origin.comparator = nullptr;
  t.origin.comparator_name = "my.Order";
  TableCopy copy(t.env, t.kPath);
  const Status begun = copy.Begin(t.origin);
  CHECK(begun.code() == Code::kNotSupported);
  CHECK(begun.message().find("my.Order") != std::string::npos);
}

TEST_CASE("TableCopy: what could be read of the original's properties is the copy's") {
  Fixture t;
  TableProperties& p = t.origin.properties;
  p.family_id = 7;
  p.family_name = "seven";
  p.merge_operator = "max";
  p.creation_time = 1000;
  p.oldest_key_time = 900;
  p.file_creation_time = 1100;
  p.filter_policy = "rocksdb.BuiltinBloomFilter";
  const TableProperties copied = t.Copied()->properties();
  CHECK_EQ(copied.family_id, 7);
  CHECK_EQ(copied.family_name, "seven");
  CHECK_EQ(copied.merge_operator, "max");
  CHECK_EQ(copied.creation_time, 1000);
  CHECK_EQ(copied.oldest_key_time, 900);
  CHECK_EQ(copied.file_creation_time, 1100);
  CHECK_FALSE(copied.filter_policy.empty());
  CHECK_FALSE(copied.external_version.has_value());
}

TEST_CASE("TableCopy: a table to be ingested stays one; one without a filter gets none") {
  Fixture t;
  t.origin.for_ingestion = true;
  const TableProperties copied = t.Copied()->properties();
  CHECK_EQ(copied.external_version.value_or(0), 2);
  CHECK(copied.filter_policy.empty());
}

TEST_CASE("TableCopy: the format is the original's, if it is one of those that we write") {
  const struct {
    uint32_t original, copy;
  } cases[] = {{2, 2},
               {5, 5},
               {6, 6},
               {7, 7},
               {99, 7},
               {0, TableOptions().format_version},
               {1, TableOptions().format_version}};
  for (const auto& one : cases) {
    CAPTURE(one.original);
    Fixture t;
    t.origin.format_version = one.original;
    CHECK_EQ(t.Copied()->format_version(), one.copy);
  }
}

TEST_CASE("TableCopy: the codec is the one that the properties name, or that the blocks have") {
  const uint64_t raw = [] {
    Fixture t;
    return t.Copied()->properties().data_size;
  }();
  const auto size = [](const std::string& property, std::optional<BlockShape> shape) {
    Fixture t;
    t.origin.properties.compression = property;
    t.origin.shape = shape;
    return t.Copied()->properties().data_size;
  };
  for (const char* const name :
       {"Snappy", "ZSTD", "LZ4", "LZ4HC", "Zlib", "BZip2", "BuiltinV2;07;"}) {
    CAPTURE(name);
    CHECK_LT(size(name, std::nullopt), raw / 4);
  }
  for (const char* const name : {"", "NoCompression", "XPRESS", "BuiltinV2;", "BuiltinV2;06;",
                                 "BuiltinV2;FF;", ";", "BuiltinV2;0"}) {
    CAPTURE(name);
    CHECK_EQ(size(name, std::nullopt), raw);
  }
  CHECK_LT(size("", BlockShape{.compression = CompressionType::kZstd}), raw / 4);
}

}  // namespace
}  // namespace varve
