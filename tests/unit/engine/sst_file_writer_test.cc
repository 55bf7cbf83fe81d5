// SPDX-License-Identifier: Apache-2.0
#include "varve/sst_file_writer.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "core/format/limits.h"
#include "core/table/read/table_reader.h"
#include "tests/unit/engine/watched_fs.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

struct Fixture {
  Fixture() {
    options.env = NativeEnvironment();
    options.env.file_system = &fs;
    REQUIRE(fs.CreateDirectory("in").ok());
  }
  std::unique_ptr<TableReader> Read(const std::string& path,
                                    const Comparator& order = *BytewiseComparator()) {
    auto file = fs.OpenForRead(path, /*direct=*/false);
    REQUIRE(file.ok());
    auto table = TableReader::Open(*std::move(file), {.comparator = &order});
    REQUIRE_MESSAGE(table.ok(), table.status().ToString());
    return *std::move(table);
  }
  static std::string Entries(const TableReader& table) {
    std::string text;
    const auto it = table.NewIterator({});
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += DebugString(it->key()) + "=" + std::string(it->value()) + " ";
    }
    REQUIRE(it->status().ok());
    for (const RangeTombstone& t : table.RawTombstones()) {
      text += "[" + t.begin + ".." + t.end + ")@" + std::to_string(t.sequence) + " ";
    }
    return text;
  }

  WatchedFs fs;
  Options options;
};

TEST_CASE("SstFileWriter: each kind of entry is in the table, without a sequence number yet") {
  Fixture t;
  t.options.family.merge_operator = MergeOperatorByName("max");
  auto writer = SstFileWriter::Create(t.options.env, t.options.family, "in/x");
  REQUIRE(writer.ok());
  REQUIRE(writer->DeleteRange("x", "z").ok());
  REQUIRE(writer->Put("a", "1").ok());
  REQUIRE(writer->Delete("b").ok());
  REQUIRE(writer->DeleteRange("c", "d").ok());  // In any order.
  REQUIRE(writer->DeleteRange("e", "e").ok());  // Deletes nothing.
  REQUIRE(writer->Merge("c", "2").ok());
  CHECK_EQ(writer->entries(), 5);
  REQUIRE(writer->Finish().ok());
  CHECK_EQ(writer->file_size(), *t.fs.FileSize("in/x"));
  const auto table = t.Read("in/x");
  const std::string entries = Fixture::Entries(*table);
  CHECK(entries.starts_with("\"a\"@0:put=1 \"b\"@0:delete= \"c\"@0:merge=2 "));
  CHECK(entries.find("[x..z)@0") != std::string::npos);
  CHECK(entries.find("[c..d)@0") != std::string::npos);
  CHECK_EQ(table->properties().external_version.value_or(0), 2);
  CHECK_EQ(table->properties().global_seqno.value_or(1), 0);
  CHECK_EQ(table->properties().merge_operator, t.options.family.merge_operator->name());
}

TEST_CASE("SstFileWriter: the order is the comparator's") {
  Fixture t;
  t.options.family.comparator = ReverseBytewiseComparator();
  auto writer = SstFileWriter::Create(t.options.env, t.options.family, "in/x");
  REQUIRE(writer.ok());
  REQUIRE(writer->Put("b", "").ok());
  CHECK(writer->Put("c", "").code() == Code::kInvalidArgument);
  REQUIRE(writer->Put("a", "").ok());
  CHECK(writer->DeleteRange("a", "b").code() == Code::kInvalidArgument);
  REQUIRE(writer->DeleteRange("b", "a").ok());
  REQUIRE(writer->Finish().ok());
  CHECK_EQ(t.Read("in/x", *ReverseBytewiseComparator())->comparator_name(),
           ReverseBytewiseComparator()->name());
}

TEST_CASE("SstFileWriter: the deepest level's codec is used") {
  Fixture t;
  t.options.family.table.compression = CompressionType::kNone;
  uint64_t sizes[2];
  for (const bool smaller : {false, true}) {
    if (smaller) t.options.family.bottommost_compression.type = CompressionType::kZstd;
    auto writer = SstFileWriter::Create(t.options.env, t.options.family, "in/x");
    REQUIRE(writer.ok());
    REQUIRE(writer->Put("a", std::string(100'000, 'v')).ok());
    REQUIRE(writer->Finish().ok());
    sizes[smaller ? 1 : 0] = writer->file_size();
  }
  CHECK_LT(sizes[1], sizes[0] / 10);
}

TEST_CASE("SstFileWriter: finished means synced; the name is left to who ingests it") {
  Fixture t;
  auto writer = SstFileWriter::Create(t.options.env, t.options.family, "in/x");
  REQUIRE(writer.ok());
  REQUIRE(writer->Put("a", "1").ok());
  REQUIRE(writer->Finish().ok());
  CHECK_EQ(t.fs.log().back(), "sync x");
  CHECK_EQ(t.fs.Find("sync_directory"), t.fs.log().size());
  CHECK(writer->Finish().code() == Code::kInvalidArgument);
  CHECK(writer->Put("b", "1").code() == Code::kInvalidArgument);
  CHECK(t.fs.Exists("in/x"));
}

TEST_CASE("SstFileWriter: a writer that is moved is one writer") {
  Fixture t;
  {
    auto writer = SstFileWriter::Create(t.options.env, t.options.family, "in/x");
    REQUIRE(writer.ok());
    REQUIRE(writer->Put("a", "1").ok());
    SstFileWriter other(*std::move(writer));
    REQUIRE(other.Put("b", "1").ok());
    REQUIRE(other.Finish().ok());
  }
  CHECK(t.fs.Exists("in/x"));
}

TEST_CASE("SstFileWriter: a directory that is not there") {
  Fixture t;
  CHECK(SstFileWriter::Create(t.options.env, t.options.family, "nowhere/x").status().code() ==
        Code::kNotFound);
}

TEST_CASE("SstFileWriter: keys out of order and empty tables are refused, leftovers removed") {
  Fixture t;
  {
    auto writer = SstFileWriter::Create(t.options.env, t.options.family, "in/x");
    REQUIRE(writer.ok());
    REQUIRE(writer->Put("b", "1").ok());
    CHECK(writer->Put("b", "1").code() == Code::kInvalidArgument);
    CHECK(writer->Put("a", "1").code() == Code::kInvalidArgument);
    REQUIRE(writer->Put("c", "1").ok());
    CHECK(writer->entries() == 2);
  }
  CHECK_FALSE(t.fs.Exists("in/x"));  // Never finished.
  auto empty = SstFileWriter::Create(t.options.env, t.options.family, "in/y");
  REQUIRE(empty.ok());
  CHECK(empty->Finish().code() == Code::kInvalidArgument);
}

TEST_CASE("SstFileWriter: keys that no database would log are refused, bounds of ranges, too") {
  Fixture t;
  auto writer = SstFileWriter::Create(t.options.env, t.options.family, "in/x");
  REQUIRE(writer.ok());
  const std::string longest(kWrittenKeySizeMax + 1, 'k');
  CHECK(writer->Put(longest, "1").code() == Code::kInvalidArgument);
  CHECK(writer->DeleteRange("a", longest).code() == Code::kInvalidArgument);
  CHECK(writer->DeleteRange(longest, "z").code() == Code::kInvalidArgument);
  CHECK(writer->entries() == 0);
  CHECK(writer->DeleteRange("a", "b").ok());
}

TEST_CASE("SstFileWriter: options that a database would refuse are refused") {
  Fixture t;
  ColumnFamilyOptions options = t.options.family;
  options.table.format_version = 99;
  CHECK(SstFileWriter::Create(t.options.env, options, "in/x").status().code() ==
        Code::kInvalidArgument);
  CHECK_FALSE(t.fs.Exists("in/x"));
}

TEST_CASE("SstFileWriter: after a Finish() that failed, each call says so") {
  Fixture t;
  {
    auto writer = SstFileWriter::Create(t.options.env, t.options.family, "in/x");
    REQUIRE(writer.ok());
    REQUIRE(writer->Put("a", "1").ok());
    t.fs.set_judge([](const std::string& event) {
      return event.starts_with("sync x") ? Status::IoError("no") : Status::Ok();
    });
    CHECK(writer->Finish().code() == Code::kIoError);
    CHECK_FALSE(t.fs.Exists("in/x"));
    t.fs.set_judge(nullptr);
    CHECK(writer->Finish().code() == Code::kInvalidArgument);
    CHECK(writer->Put("b", "1").code() == Code::kInvalidArgument);
    CHECK(writer->DeleteRange("c", "d").code() == Code::kInvalidArgument);
    // Once more, under the same name: what the assignment destroys must leave the new file alone.
    writer = SstFileWriter::Create(t.options.env, t.options.family, "in/x");
    REQUIRE(writer.ok());
    REQUIRE(writer->Put("a", "1").ok());
    REQUIRE(writer->Finish().ok());
  }
  CHECK(t.fs.Exists("in/x"));
}

}  // namespace
}  // namespace varve
