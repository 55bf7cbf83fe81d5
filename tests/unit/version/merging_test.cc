// SPDX-License-Identifier: Apache-2.0
#include "core/version/merging.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/unit/version/table_fixture.h"

namespace varve {
namespace {

const MergeOperator* Append() { return MergeOperatorByName("stringappend"); }

TableOrigin WrittenWith(std::string merge_operator) {
  TableOrigin origin;
  origin.merge_operator = std::move(merge_operator);
  return origin;
}

// One table, whose key "k" has operands.
struct OneTable {
  explicit OneTable(const std::string& merge_operator) {
    tables.Add(1, {{"k", 5, ValueType::kMerge, "x"}}, {}, WrittenWith(merge_operator));
    version = tables.Build();
  }
  TableFixture tables;
  std::shared_ptr<const Version> version;
};

OptionsSection Stored(const std::string& merge_operator) {
  OptionsSection section;
  section.Set("merge_operator", merge_operator);
  return section;
}

TEST_CASE("NamedMergeOperator: what the stored options name, known here or not") {
  CHECK_EQ(NamedMergeOperator(nullptr), nullptr);
  const OptionsSection nothing, null = Stored("nullptr"), empty = Stored(""), mine = Stored("Mine");
  for (const OptionsSection* section : {&nothing, &null, &empty}) {
    CHECK_EQ(NamedMergeOperator(section), nullptr);
  }
  CHECK_EQ(*NamedMergeOperator(&mine), "Mine");
}

TEST_CASE("MergeOperatorName: that of the operator, empty for none") {
  CHECK_EQ(MergeOperatorName(nullptr), "");
  CHECK_EQ(MergeOperatorName(Append()), "StringAppendOperator");
}

TEST_CASE("MergeOperatorOfTables: what the first table was written with, if it is known") {
  CHECK_EQ(MergeOperatorOfTables(*OneTable("StringAppendOperator").version), Append());
  CHECK_EQ(MergeOperatorOfTables(*OneTable("Mine").version), nullptr);
  CHECK_EQ(MergeOperatorOfTables(*OneTable("nullptr").version), nullptr);
  CHECK_EQ(MergeOperatorOfTables(*TableFixture().Build()), nullptr);
  OneTable gone("StringAppendOperator");
  gone.tables.RemoveFiles();
  CHECK_EQ(MergeOperatorOfTables(*gone.version), nullptr);  // Reads of the table say why.
}

TEST_CASE(
    "KeptMergeOperator: the stored one, known or not, and only without one that of the tables") {
  const OneTable table("StringAppendOperator");
  const OptionsSection nothing, null = Stored("nullptr"), max = Stored("MaxOperator"),
                                mine = Stored("Mine"),
                                other = Stored("{id=StringAppendOperator;delimiter=:;}");
  CHECK_EQ(KeptMergeOperator(nullptr, *table.version), Append());
  CHECK_EQ(KeptMergeOperator(&nothing, *table.version), Append());
  CHECK_EQ(KeptMergeOperator(&null, *table.version), Append());
  CHECK_EQ(KeptMergeOperator(&max, *table.version), MergeOperatorByName("max"));
  CHECK_EQ(KeptMergeOperator(&mine, *table.version), nullptr);
  CHECK_EQ(KeptMergeOperator(&other, *table.version), nullptr);  // Not with this delimiter.
}

TEST_CASE("FoldOperands: oldest first onto the base, or onto nothing") {
  const OneTable table("nullptr");
  const std::vector<std::string_view> operands = {"1", "2"};
  CHECK_EQ(*FoldOperands(Append(), *table.version, "k", "0", operands), "0,1,2");
  CHECK_EQ(*FoldOperands(Append(), *table.version, "k", std::nullopt, operands), "1,2");
  CHECK_EQ(*FoldOperands(Append(), *table.version, "k", "", operands), ",1,2");
  const std::vector<std::string_view> malformed = {"short"};
  CHECK_FALSE(
      FoldOperands(MergeOperatorByName("uint64add"), *table.version, "k", std::nullopt, malformed)
          .ok());
}

TEST_CASE("FoldOperands: without an operator it says which table was written with which") {
  const std::vector<std::string_view> operands = {"1"};
  const std::string what =
      "not_supported: the key 'k' has merge operands, and its family has no merge operator that is "
      "known here";
  CHECK_EQ(FoldOperands(nullptr, *OneTable("Mi\"ne\n").version, "k", std::nullopt, operands)
               .status()
               .ToString()
               .substr(0, what.size() + 30),
           what + " (table 1 was written with \"Mi");
  CHECK_EQ(FoldOperands(nullptr, *OneTable("Mine").version, "k", std::nullopt, operands)
               .status()
               .ToString(),
           what + " (table 1 was written with \"Mine\")");
  // Tables without the key, or without an operator, say nothing.
  CHECK_EQ(FoldOperands(nullptr, *OneTable("nullptr").version, "k", std::nullopt, operands)
               .status()
               .ToString(),
           what);
  const Status absent =
      FoldOperands(nullptr, *OneTable("Mine").version, "z\n", std::nullopt, operands).status();
  CHECK(absent.message().starts_with("the key 'z\\n' has"));
  CHECK(absent.message().find("table") == std::string_view::npos);
}

// A lookup in this state, with the operands 2 and 1 (the newest first) and the value 0.
Lookup LookupIn(Lookup::State state) {
  Lookup lookup("k", kMaxSequence);
  lookup.state = state;
  lookup.value = Value(std::string("0"));
  lookup.operands.emplace_back(std::string("2"));
  lookup.operands.emplace_back(std::string("1"));
  if (state == Lookup::State::kFailed) lookup.status = Status::IoError("unread");
  return lookup;
}

std::string Finish(const OneTable& table, Lookup::State state, bool resolves = true) {
  Lookup lookup = LookupIn(state);
  const Result<std::optional<Value>> value =
      FinishLookup(Append(), *table.version, &lookup, [&](Lookup* found) -> Result<Value> {
        if (!resolves) return Status::Corruption("no such blob");
        return Value("resolved " + found->value.ToString());
      });
  if (!value.ok()) return value.status().ToString();
  return value->has_value() ? (*value)->ToString() : "(absent)";
}

TEST_CASE("FinishLookup: each end of a lookup has its answer; stored values are resolved first") {
  using State = Lookup::State;
  const OneTable table("nullptr");
  CHECK_EQ(Finish(table, State::kFailed), "io_error: unread");
  CHECK_EQ(Finish(table, State::kSearching), "(absent)");
  CHECK_EQ(Finish(table, State::kDeleted), "(absent)");
  CHECK_EQ(Finish(table, State::kFound), "resolved 0");
  CHECK_EQ(Finish(table, State::kMergedOnto), "resolved 0,1,2");
  CHECK_EQ(Finish(table, State::kMerging), "1,2");
  CHECK_EQ(Finish(table, State::kMergedOntoNothing), "1,2");
  for (const State state : {State::kFound, State::kMergedOnto}) {
    CHECK_EQ(Finish(table, state, false), "corruption: no such blob");
  }
  CHECK_EQ(Finish(table, State::kMerging, false), "1,2");  // There is nothing to resolve.
}

}  // namespace
}  // namespace varve
