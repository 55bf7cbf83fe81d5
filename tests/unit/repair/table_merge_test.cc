// SPDX-License-Identifier: Apache-2.0
#include "core/repair/table_merge.h"

#include "tests/unit/repair/repair_files.h"

namespace varve {
namespace {

TableSurvey Survey(RepairFiles& db, FileNumber number) {
  const BlobReader blobs(db.fs(), "db");
  auto survey = SurveyTable(db.fs(), "db/" + TableFileName(number), {}, blobs);
  REQUIRE_MESSAGE(survey.ok(), survey.status().ToString());
  return *std::move(survey);
}

TEST_CASE("MergeTables: all versions of all keys, each once") {
  RepairFiles db;
  db.Table(6, {{"a", 5, ValueType::kValue, "new"}, {"b", 2, ValueType::kValue, "2"}});
  db.Table(7, {{"a", 1, ValueType::kValue, "old"},
               {"b", 2, ValueType::kValue, "2"},
               {"c", 7, ValueType::kDeletion, ""}});
  TableSurvey first = Survey(db, 6);
  TableSurvey second = Survey(db, 7);
  first.description.oldest_blob_file = 30;
  second.description.oldest_blob_file = 20;
  const auto merged =
      MergeTables(db.env(), "db/000008.sst", *BytewiseComparator(), {&first, &second});
  REQUIRE_MESSAGE(merged.ok(), merged.status().ToString());
  REQUIRE(merged->has_value());
  CHECK_EQ((*merged)->oldest_blob_file, 20);
  CHECK_EQ((*merged)->smallest_sequence, 1);
  CHECK_EQ((*merged)->largest_sequence, 7);
  const TableSurvey all = Survey(db, 8);
  std::vector<std::string> seen;
  const auto it = all.reader->NewIterator({});
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    seen.push_back(std::string(it->key().user_key) + "@" + std::to_string(it->key().sequence));
  }
  CHECK_EQ(seen, std::vector<std::string>{"a@5", "a@1", "b@2", "c@7"});
}

}  // namespace
}  // namespace varve
