// SPDX-License-Identifier: Apache-2.0
#include "core/repair/table_survey.h"

#include "tests/unit/repair/repair_phases.h"

namespace varve {
namespace {

struct Fixture : RepairPhases {
  // Table 7, as an engine of any kind may have written it.
  template <typename Fill>
  void Build(Fill fill, const TableOrigin& origin = {},
             const Comparator& order = *BytewiseComparator()) {
    auto file = fs().Create(kPath, /*direct=*/false);
    REQUIRE(file.ok());
    TableBuilder builder(TableOptions(), order, origin, file->get());
    fill(builder);
    REQUIRE(builder.Finish().ok());
  }
  Result<TableSurvey> Survey(const TableContext& context = {}) {
    return SurveyTable(fs(), kPath, context, blobs);
  }
  static constexpr const char* kPath = "db/000007.sst";
};

TEST_CASE("SurveyTable: entries, bounds and sequences are those of points and range deletions") {
  Fixture t;
  t.Build([](TableBuilder& b) {
    for (const TestEntry& e : {PutEntry("c", 9), PutEntry("c", 3), PutEntry("k", 5)}) {
      REQUIRE(b.Add(e.key(), e.value).ok());
    }
    REQUIRE(b.AddRangeTombstone("a", "f", 7).ok());
    REQUIRE(b.AddRangeTombstone("g", "m", 2).ok());
  });
  const auto survey = t.Survey();
  REQUIRE(survey.ok());
  CHECK_EQ(survey->entries, 5);
  CHECK_EQ(survey->description.smallest_sequence, 2);
  CHECK_EQ(survey->description.largest_sequence, 9);
  CHECK(survey->description.smallest == EncodeInternalKey({"a", 7, ValueType::kRangeDeletion}));
  CHECK(survey->description.largest ==
        EncodeInternalKey({"m", kMaxSequence, ValueType::kRangeDeletion}));
  CHECK(survey->smallest_point == EncodeInternalKey({"c", 9, ValueType::kValue}));
  CHECK(survey->largest_point == EncodeInternalKey({"k", 5, ValueType::kValue}));
  CHECK_EQ(survey->description.size, *t.fs().FileSize(t.kPath));
  CHECK(survey->blob_files.empty());
  CHECK_EQ(survey->description.oldest_blob_file, 0);
}

TEST_CASE("SurveyTable: times are those of the properties, and the order that of the table") {
  Fixture t;
  TableOrigin origin;
  origin.creation_time = 1000;
  origin.file_creation_time = 1100;
  t.Build(
      [](TableBuilder& b) {
        REQUIRE(b.Add({"b", 1, ValueType::kValue}, "").ok());
        REQUIRE(b.Add({"a", 1, ValueType::kValue}, "").ok());
      },
      origin, *ReverseBytewiseComparator());
  const auto survey = t.Survey();
  REQUIRE(survey.ok());
  CHECK_EQ(survey->description.oldest_ancestor_time, 1000);
  CHECK_EQ(survey->description.creation_time, 1100);
  CHECK(survey->description.smallest == EncodeInternalKey({"b", 1, ValueType::kValue}));
}

TEST_CASE("SurveyTable: an ingested table has the sequence that the MANIFEST gave it") {
  Fixture t;
  TableOrigin origin;
  origin.for_ingestion = true;
  t.Build([](TableBuilder& b) { REQUIRE(b.Add({"a", 0, ValueType::kValue}, "").ok()); }, origin);
  const auto survey = t.Survey({.smallest_sequence = 8, .largest_sequence = 8});
  REQUIRE(survey.ok());
  CHECK_EQ(survey->description.smallest_sequence, 8);
  CHECK_EQ(survey->description.largest_sequence, 8);
  CHECK(survey->description.smallest == EncodeInternalKey({"a", 8, ValueType::kValue}));
}

TEST_CASE(
    "SurveyTable: any byte of a data block that is wrong is Corruption, with file and offset") {
  Fixture t;
  t.Build([](TableBuilder& b) {
    for (int i = 0; i < 20; ++i) {
      REQUIRE(b.Add({std::to_string(10 + i), 1, ValueType::kValue}, "value").ok());
    }
  });
  const uint64_t block = t.Survey()->reader->properties().data_size;
  const std::string bytes = t.Read(t.kPath);
  for (size_t at = 0; at < block; at += 5) {
    CAPTURE(at);
    t.Write("000007.sst", bytes);
    t.Flip("000007.sst", static_cast<int64_t>(at));
    const Status damaged = t.Survey().status();
    CHECK(damaged.code() == Code::kCorruption);
    CHECK_MESSAGE(damaged.message().find("000007.sst@0") != std::string::npos, damaged.message());
  }
}

TEST_CASE("SurveyTable: a sequence beyond the database's last one is damage, too") {
  Fixture t;
  t.Build([](TableBuilder& b) { REQUIRE(b.Add({"a", 9, ValueType::kValue}, "").ok()); });
  CHECK(t.Survey({.last_sequence = 9}).ok());
  const Status beyond = t.Survey({.last_sequence = 8}).status();
  CHECK(beyond.code() == Code::kCorruption);
  CHECK(beyond.message().find("holds the sequence 9, and 8 is the last one") != std::string::npos);
}

TEST_CASE("SurveyTable: a file that is not there, or no table") {
  Fixture t;
  CHECK_FALSE(t.Survey().ok());
  t.Write("000007.sst", std::string(100, 'x'));
  CHECK(t.Survey().status().code() == Code::kCorruption);
  t.Write("000007.sst", "");
  CHECK(t.Survey().status().code() == Code::kCorruption);
}

}  // namespace
}  // namespace varve
