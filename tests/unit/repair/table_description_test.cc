// SPDX-License-Identifier: Apache-2.0
#include "core/repair/table_description.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/format/file_name.h"
#include "core/format/internal_key.h"
#include "core/fs/memory_fs.h"
#include "core/table/write/table_builder.h"
#include "core/version/blob_reader.h"

namespace varve {
namespace {

struct Point {
  std::string key;
  Sequence sequence = 0;
};

// A real table in memory, and what a survey says of it.
class Surveyed {
 public:
  Surveyed(const std::vector<Point>& points, const std::vector<RangeTombstone>& deletions) {
    REQUIRE(fs_->CreateDirectory("db").ok());
    const std::string path = JoinPath("db", TableFileName(7));
    auto file = fs_->Create(path, /*direct=*/false);
    REQUIRE(file.ok());
    TableBuilder builder(TableOptions(), *BytewiseComparator(), TableOrigin(), file->get());
    for (const Point& p : points) {
      REQUIRE(builder.Add({p.key, p.sequence, ValueType::kValue}, "value").ok());
    }
    for (const RangeTombstone& d : deletions) {
      REQUIRE(builder.AddRangeTombstone(d.begin, d.end, d.sequence).ok());
    }
    REQUIRE(builder.Finish().ok());
    REQUIRE((*file)->Close().ok());
    const BlobReader blobs(*fs_, "db");
    auto surveyed = SurveyTable(*fs_, path, TableContext(), blobs);
    REQUIRE_MESSAGE(surveyed.ok(), surveyed.status().ToString());
    survey = *std::move(surveyed);
    stored = survey.description;
    stored.number = 7;
  }

  std::string Bounds(bool salvaged = false) {
    why.clear();
    described = DescribeAsFound(stored, survey, salvaged, &why);
    return DebugString(*DecodeInternalKey(described.smallest)) + " .. " +
           DebugString(*DecodeInternalKey(described.largest));
  }

 private:
  const std::unique_ptr<FileSystem> fs_ = NewMemoryFileSystem();

 public:
  TableSurvey survey;
  FileDescription stored, described;
  std::string why;
};

std::string End(const std::string& key) {
  return EncodeInternalKey({key, kMaxSequence, ValueType::kRangeDeletion});
}

TEST_CASE("DescribeAsFound: a description that is right stays, to the last field") {
  Surveyed t({{"a", 9}, {"c", 3}}, {});
  t.stored.epoch = 12;
  t.stored.marked_for_compaction = true;
  t.Bounds();
  CHECK(t.described == t.stored);
  CHECK(t.why.empty());
}

TEST_CASE("DescribeAsFound: bounds that cut range deletions are kept") {
  Surveyed t({{"c", 9}}, {{"a", "z", 8}});
  CHECK_EQ(t.Bounds(), "\"a\"@8:range_delete .. \"z\"@72057594037927935:range_delete");
  t.stored.smallest = EncodeInternalKey({"b", 8, ValueType::kRangeDeletion});
  t.stored.largest = End("f");
  CHECK_EQ(t.Bounds(), "\"b\"@8:range_delete .. \"f\"@72057594037927935:range_delete");
  CHECK(t.why.empty());
}

TEST_CASE("DescribeAsFound: bounds are no wider than what the table has") {
  Surveyed t({{"c", 9}, {"e", 8}}, {});
  t.stored.smallest = EncodeInternalKey({"a", 9, ValueType::kValue});
  t.stored.largest = End("z");
  CHECK_EQ(t.Bounds(), "\"c\"@9:put .. \"e\"@8:put");
}

TEST_CASE("DescribeAsFound: a point outside widens them, and is said") {
  Surveyed t({{"c", 9}, {"k", 8}}, {{"a", "z", 7}});
  t.stored.smallest = EncodeInternalKey({"d", 7, ValueType::kRangeDeletion});
  t.stored.largest = End("f");
  CHECK_EQ(t.Bounds(), "\"c\"@9:put .. \"k\"@8:put");
  CHECK_EQ(t.why, "the MANIFEST gives other bounds");
}

TEST_CASE("DescribeAsFound: bounds beside range deletions alone are not believed") {
  Surveyed t({}, {{"c", "f", 7}});
  t.stored.smallest = EncodeInternalKey({"m", 7, ValueType::kRangeDeletion});
  t.stored.largest = End("p");
  CHECK_EQ(t.Bounds(), "\"c\"@7:range_delete .. \"f\"@72057594037927935:range_delete");
  CHECK_EQ(t.why, "the MANIFEST gives other bounds");
}

TEST_CASE("DescribeAsFound: a wrong size and wrong sequences are put right") {
  Surveyed t({{"c", 9}}, {});
  t.stored.size += 1;
  t.stored.smallest_sequence = t.stored.largest_sequence = 5;
  t.Bounds();
  CHECK_EQ(t.described.size, t.survey.description.size);
  CHECK_EQ(t.described.smallest_sequence, 9);
  CHECK_EQ(t.described.largest_sequence, 9);
  CHECK_EQ(t.why, "the MANIFEST says " + std::to_string(t.stored.size) +
                      " bytes; the MANIFEST gives other sequence numbers");
}

TEST_CASE("DescribeAsFound: a salvaged table is another file, which no checksum is known of") {
  Surveyed t({{"c", 9}}, {});
  t.stored.size += 100;
  t.stored.unique_id = {1, 2};
  t.stored.file_checksum = "sum";
  t.stored.file_checksum_function = "crc";
  t.stored.tail_size = 50;
  t.Bounds(/*salvaged=*/true);
  CHECK(t.described.unique_id == std::array<uint64_t, 2>{0, 0});
  CHECK(t.described.file_checksum.empty());
  CHECK(t.described.file_checksum_function.empty());
  CHECK_EQ(t.described.tail_size, 0);
  CHECK(t.why.empty());  // That its size is another one is no news.
}

}  // namespace
}  // namespace varve
