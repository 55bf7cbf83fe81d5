// SPDX-License-Identifier: Apache-2.0
// The edge cases that the first batched MultiGet (RocksDB PR 5011) had to be taught, in every
// grade.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/version/version.h"
#include "tests/unit/version/table_fixture.h"

namespace varve {
namespace {

constexpr MultiGetGrade kGrades[] = {{MultiGetMode::kGrouped, MultiGetIo::kPerFile},
                                     {MultiGetMode::kPipeline, MultiGetIo::kPerFile},
                                     {MultiGetMode::kPipeline, MultiGetIo::kGlobal}};

// "found:v" and so on, one for each key.
std::vector<std::string> Ask(const Version& version, MultiGetGrade grade,
                             const std::vector<std::string>& sorted) {
  std::vector<Lookup> lookups;
  for (const std::string& key : sorted) lookups.emplace_back(key, kMaxSequence);
  std::vector<Lookup*> batch;
  for (Lookup& lookup : lookups) batch.push_back(&lookup);
  version.MultiGet(ReadOptions{}, grade, batch);
  std::vector<std::string> answers;
  for (const Lookup& lookup : lookups) {
    std::string answer = lookup.state == Lookup::State::kSearching ? "absent"
                         : lookup.state == Lookup::State::kDeleted ? "deleted"
                         : lookup.state == Lookup::State::kFound   ? "found"
                                                                   : "merged";
    for (const Value& operand : lookup.operands) answer += ":" + operand.ToString();
    answers.push_back(answer + ":" + lookup.value.ToString());
  }
  return answers;
}

TEST_CASE("MultiGet, PR 5011: a key that is a file's largest goes on in the next file") {
  TableFixture tables;
  tables.Add(1, {{"a", 20, ValueType::kValue, "1"}, {"k", 19, ValueType::kMerge, "3"}});
  tables.Add(1, {{"k", 18, ValueType::kMerge, "2"}});  // Begins and ends with it.
  tables.Add(1, {{"k", 17, ValueType::kMerge, "1"}, {"m", 16, ValueType::kValue, "4"}});
  tables.Add(2, {{"k", 5, ValueType::kValue, "0"}, {"l", 4, ValueType::kValue, "5"}});
  const auto version = tables.Build();
  const std::vector<std::string> expected = {"found:1", "absent:", "merged:3:2:1:0",
                                             "found:5", "found:4", "absent:"};
  for (const MultiGetGrade grade : kGrades) {
    CHECK(Ask(*version, grade, {"a", "b", "k", "l", "m", "z"}) == expected);
    CHECK(Ask(*version, grade, {"k"}) == std::vector<std::string>{"merged:3:2:1:0"});
  }
}

TEST_CASE("MultiGet, PR 5011: duplicates of a file's largest key are swept along") {
  TableFixture tables;
  tables.Add(1, {{"a", 20, ValueType::kValue, "1"}, {"k", 19, ValueType::kMerge, "3"}});
  tables.Add(1, {{"k", 18, ValueType::kMerge, "2"}, {"m", 16, ValueType::kValue, "4"}});
  tables.Add(3, {{"k", 5, ValueType::kValue, "0"}});
  const auto version = tables.Build();
  const std::string k = "merged:3:2:0";
  for (const MultiGetGrade grade : kGrades) {
    CHECK(Ask(*version, grade, {"a", "a", "k", "k", "k", "m", "m"}) ==
          std::vector<std::string>{"found:1", "found:1", k, k, k, "found:4", "found:4"});
    CHECK(Ask(*version, grade, {"k", "k"}) == std::vector<std::string>{k, k});
    CHECK(Ask(*version, grade, std::vector<std::string>(200, "k")) ==
          std::vector<std::string>(200, k));
  }
}

TEST_CASE("MultiGet: what is deeper answers only after all that is above it") {
  TableFixture tables;
  tables.Add(0, {}, {{"b", "d", 30}});  // The newest of level 0 holds a tombstone only.
  tables.Add(0, {{"a", 25, ValueType::kDeletion, ""}, {"e", 24, ValueType::kMerge, "+"}});
  tables.Add(1, {{"a", 9, ValueType::kValue, "old"}, {"b", 8, ValueType::kValue, "old"}});
  tables.Add(2, {{"c", 3, ValueType::kMerge, "old"}, {"e", 2, ValueType::kValue, "base"}});
  const auto version = tables.Build();
  for (const MultiGetGrade grade : kGrades) {
    CHECK(Ask(*version, grade, {"a", "b", "c", "d", "e"}) ==
          std::vector<std::string>{"deleted:", "deleted:", "deleted:", "absent:", "merged:+:base"});
  }
}

}  // namespace
}  // namespace varve
