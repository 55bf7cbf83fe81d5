// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/table_candidate.h"

#include <doctest/doctest.h>

#include <string>

#include "core/format/file_name.h"
#include "core/format/internal_key.h"
#include "core/table/write/table_builder.h"
#include "tests/unit/engine/watched_fs.h"
#include "tests/unit/version/manifest_fixture.h"
#include "varve/sst_file_writer.h"

namespace varve {
namespace {

struct Fixture {
  Fixture() { REQUIRE(fs.CreateDirectory("db").ok()); }

  template <typename Fill>
  void Write(Fill fill, const Comparator& order = *BytewiseComparator()) {
    Options options = OptionsOn(&fs);
    options.family.comparator = &order;
    auto writer = SstFileWriter::Create(options.env, options.family, kCopy);
    REQUIRE(writer.ok());
    fill(*writer);
    REQUIRE(writer->Finish().ok());
  }
  // A table that an SstFileWriter would not write; with a property that says it had.
  template <typename Fill>
  void Build(Fill fill) {
    auto file = fs.Create(kCopy, /*direct=*/false);
    REQUIRE(file.ok());
    TableOrigin origin;
    origin.for_ingestion = true;
    TableBuilder builder(TableOptions(), *BytewiseComparator(), origin, file->get());
    fill(builder);
    REQUIRE(builder.Finish().ok());
    REQUIRE((*file)->Close().ok());
  }
  Result<TableCandidate> Verify(const Comparator& order = *BytewiseComparator()) {
    return VerifyCandidate(fs, kCopy, "in/source", 7, order);
  }
  // The bounds in the MANIFEST at sequence 9.
  std::string Bounds() {
    const auto candidate = Verify();
    REQUIRE_MESSAGE(candidate.ok(), candidate.status().ToString());
    const FileDescription table = candidate->Describe(9, 3, 1234);
    return DebugString(*DecodeInternalKey(table.smallest)) + " .. " +
           DebugString(*DecodeInternalKey(table.largest));
  }
  void Refused(const std::string& part) {
    const Status refused = Verify().status();
    CHECK(refused.code() == Code::kInvalidArgument);
    CHECK(refused.message().starts_with("in/source"));
    CHECK_MESSAGE(refused.message().find(part) != std::string::npos, refused.message());
  }

  static constexpr const char* kCopy = "db/000007.sst";
  WatchedFs fs;
};

TEST_CASE("TableCandidate: its range covers points and range deletions, whose ends are exclusive") {
  Fixture t;
  t.Write([](SstFileWriter& w) {
    REQUIRE(w.Put("c", "1").ok());
    REQUIRE(w.Delete("k").ok());
  });
  CHECK_EQ(t.Bounds(), "\"c\"@9:put .. \"k\"@9:delete");
  t.Write([](SstFileWriter& w) {
    REQUIRE(w.Put("c", "1").ok());
    REQUIRE(w.DeleteRange("a", "z").ok());
  });
  CHECK_EQ(t.Bounds(), "\"a\"@9:range_delete .. \"z\"@72057594037927935:range_delete");
  t.Write([](SstFileWriter& w) { REQUIRE(w.DeleteRange("b", "d").ok()); });
  CHECK_EQ(t.Bounds(), "\"b\"@9:range_delete .. \"d\"@72057594037927935:range_delete");
  // A point at the end of a deletion is beyond it; a deletion that begins at a point is before it.
  t.Write([](SstFileWriter& w) {
    REQUIRE(w.Put("b", "1").ok());
    REQUIRE(w.Put("d", "1").ok());
    REQUIRE(w.DeleteRange("b", "d").ok());
  });
  CHECK_EQ(t.Bounds(), "\"b\"@9:range_delete .. \"d\"@9:put");
}

TEST_CASE("TableCandidate: what the MANIFEST says of it") {
  Fixture t;
  t.Write([](SstFileWriter& w) { REQUIRE(w.Put("c", "1").ok()); });
  const FileDescription table = t.Verify()->Describe(9, 3, 1234);
  CHECK_EQ(table.number, 7);
  CHECK_EQ(table.size, *t.fs.FileSize(t.kCopy));
  CHECK_EQ(table.counts.entries, 1);
  CHECK_EQ(table.counts.raw_value_bytes, 1);
  CHECK_EQ(table.smallest_sequence, 9);
  CHECK_EQ(table.largest_sequence, 9);
  CHECK_EQ(table.epoch, 3);
  CHECK_EQ(table.creation_time, 1234);
  CHECK_EQ(table.oldest_ancestor_time, 1234);
}

TEST_CASE(
    "TableCandidate: tables that were not made for this are refused, by their source's name") {
  Fixture t;
  t.Write([](SstFileWriter& w) { REQUIRE(w.Put("a", "").ok()); }, *ReverseBytewiseComparator());
  t.Refused("table is ordered by \"rocksdb.ReverseBytewiseComparator\"");
  auto file = t.fs.Create(t.kCopy, /*direct=*/false);
  REQUIRE(file.ok());
  {
    TableBuilder builder(TableOptions(), *BytewiseComparator(), TableOrigin(), file->get());
    REQUIRE(builder.Add({"a", 0, ValueType::kValue}, "1").ok());
    REQUIRE(builder.Finish().ok());
  }
  t.Refused("it was not made by an SstFileWriter");
  t.Build([](TableBuilder& b) { REQUIRE(b.Add({"a", 5, ValueType::kValue}, "1").ok()); });
  t.Refused("\"a\"@5:put has a sequence number already");
  t.Build([](TableBuilder& b) { REQUIRE(b.AddRangeTombstone("a", "b", 5).ok()); });
  t.Refused("a range deletion has a sequence number already");
  t.Build([](TableBuilder& b) { REQUIRE(b.AddRangeTombstone("b", "b", 0).ok()); });
  t.Refused("it has no entries");
}

TEST_CASE("TableCandidate: two entries of one key are damage: one of them would never be read") {
  Fixture t;
  t.Build([](TableBuilder& b) {
    REQUIRE(b.Add({"a", 0, ValueType::kMerge}, "1").ok());
    REQUIRE(b.Add({"a", 0, ValueType::kValue}, "1").ok());
  });
  const Status refused = t.Verify().status();
  CHECK(refused.code() == Code::kCorruption);
  CHECK(refused.message().starts_with("in/source: "));
}

TEST_CASE(
    "TableCandidate: a table that is damaged or cut anywhere is refused in its source's name") {
  Fixture t;
  t.Write([](SstFileWriter& w) {
    for (int i = 0; i < 50; ++i) REQUIRE(w.Put(std::to_string(100 + i), "value").ok());
    REQUIRE(w.DeleteRange("a", "b").ok());
  });
  const std::string bytes = *ReadFileToString(t.fs, t.kCopy, 1 << 20);
  int refused = 0;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    CAPTURE(at);
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    WriteFile(t.fs, t.kCopy, changed);
    const auto candidate = t.Verify();
    if (candidate.ok()) {  // What is nowhere looked at: the table means the same.
      CHECK_EQ(candidate->largest_key, "b");
      continue;
    }
    ++refused;
    CHECK_MESSAGE(candidate.status().message().find("in/source") == 0,
                  candidate.status().message());
    CHECK(candidate.status().message().find("000007.sst") == std::string::npos);
    if (at % 9 == 0) {
      WriteFile(t.fs, t.kCopy, bytes.substr(0, at));
      CHECK_FALSE(t.Verify().ok());
    }
  }
  CHECK_GT(refused, static_cast<int>(bytes.size() / 3 * 9 / 10));
}

TEST_CASE("TableCandidate: a file that is not there") {
  Fixture t;
  CHECK(t.Verify().status().code() == Code::kNotFound);
}

}  // namespace
}  // namespace varve
