// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/output_check.h"

#include <doctest/doctest.h>

#include "core/compaction/table_output.h"
#include "tests/unit/compaction/job_fixture.h"

namespace varve {
namespace {

FileDescription WriteTable(JobFixture* t, const TableContents& contents) {
  auto output = TableOutput::Create(t->job, t->job.options.table);
  REQUIRE(output.ok());
  for (const TestEntry& e : contents.entries) REQUIRE((*output)->Add(e.key(), e.value).ok());
  for (const RangeTombstone& tomb : contents.tombstones) {
    REQUIRE((*output)->builder().AddRangeTombstone(tomb.begin, tomb.end, tomb.sequence).ok());
  }
  auto table = (*output)->Finish();
  REQUIRE(table.ok());
  return *std::move(table);
}

Status Check(JobFixture* t, const FileDescription& table) {
  return CheckOutput(*BytewiseComparator(), table, *t->Open(100));
}

TEST_CASE("CheckOutput: what a writer says of any table is true") {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    JobFixture t;
    std::mt19937_64 random(seed);
    TableContents contents;
    if (seed % 5 != 0) contents.entries = RandomEntries(*BytewiseComparator(), seed, seed);
    for (uint64_t i = seed % 5 == 0 ? 1 : random() % 4; i > 0; --i) {
      std::string begin(1, static_cast<char>('a' + random() % 20));
      contents.tombstones.push_back({begin, begin + "z", 1 + random() % 300});
    }
    if (contents.entries.empty() && contents.tombstones.empty()) continue;
    const Status checked = Check(&t, WriteTable(&t, contents));
    CHECK_MESSAGE(checked.ok(), checked.ToString());
  }
}

TEST_CASE("CheckOutput: a wrong bound or sequence is named, with what is true") {
  JobFixture t;
  const FileDescription table = WriteTable(
      &t,
      {{{"b", 9, ValueType::kValue, "x"}, {"c", 3, ValueType::kDeletion, ""}}, {{"a", "d", 5}}});
  const auto expect = [&](const FileDescription& said, const std::string& part) {
    const Status checked = Check(&t, said);
    CHECK(checked.code() == Code::kCorruption);
    CHECK(checked.message().starts_with("table 100: "));
    CHECK_MESSAGE(checked.message().find(part) != std::string::npos, checked.message());
  };
  REQUIRE(Check(&t, table).ok());
  FileDescription wrong = table;
  wrong.smallest = EncodeInternalKey({"b", 9, ValueType::kValue});  // The tombstone forgotten.
  expect(wrong, "its description has the keys ");
  wrong = table;
  wrong.largest = EncodeInternalKey({"c", 3, ValueType::kDeletion});
  expect(wrong, ", its entries ");
  wrong = table;
  wrong.largest = "short";  // No internal key at all.
  expect(wrong, "nothing");
  wrong = table;
  wrong.smallest_sequence = 4;
  expect(wrong, "its description has the sequences 4..9, its entries 3..9");
  wrong = table;
  wrong.largest_sequence = 8;
  expect(wrong, "its description has the sequences 3..8, its entries 3..9");
}

TEST_CASE("CheckOutput: a table that cannot be read is the readers' business") {
  JobFixture t;
  FileDescription table = WriteTable(&t, {{{"b", 9, ValueType::kValue, "x"}}, {}});
  t.Flip(100, 3);
  table.smallest_sequence = 1;
  CHECK(Check(&t, table).ok());
}

}  // namespace
}  // namespace varve
