// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

using Base = std::optional<std::string_view>;

std::string Number(uint64_t number) {
  std::string bytes;
  AppendFixed64(&bytes, number);
  return bytes;
}

std::string Merged(std::string_view name, Base base,
                   std::initializer_list<std::string_view> operands) {
  const std::vector<std::string_view> list(operands);
  const Result<std::string> merged = MergeOperatorByName(name)->Merge("key", base, list);
  return merged.ok() ? *merged : merged.status().ToString();
}

TEST_CASE("MergeOperatorByName: RocksDB's names and nicknames, and no other") {
  CHECK_EQ(MergeOperatorByName("uint64add"), MergeOperatorByName("UInt64AddOperator"));
  CHECK_EQ(MergeOperatorByName("stringappend"), MergeOperatorByName("StringAppendOperator"));
  CHECK_EQ(MergeOperatorByName("max"), MergeOperatorByName("MaxOperator"));
  CHECK_EQ(MergeOperatorByName("put"), MergeOperatorByName("PutOperator"));
  for (const char* name : {"UInt64AddOperator", "StringAppendOperator", "StringAppendTESTOperator",
                           "MaxOperator", "PutOperator"}) {
    REQUIRE_NE(MergeOperatorByName(name), nullptr);
    CHECK_EQ(MergeOperatorByName(name)->name(), name);
  }
  CHECK_EQ(MergeOperatorByName("nullptr"), nullptr);
}

TEST_CASE("UInt64AddOperator: adds modulo 2^64, with and without a base") {
  const std::string one = Number(1);
  CHECK_EQ(Merged("uint64add", Number(40), {one, one}), Number(42));
  CHECK_EQ(Merged("uint64add", std::nullopt, {one, one}), Number(2));
  CHECK_EQ(Merged("uint64add", Number(~uint64_t{0}), {one}), Number(0));
}

TEST_CASE("UInt64AddOperator: a number that is not 8 bytes is corruption and names its key") {
  const std::string message =
      "corruption: UInt64AddOperator: key key: a number has 8 bytes, this one ";
  CHECK_EQ(Merged("uint64add", "abc", {}), message + "3");
  CHECK_EQ(Merged("uint64add", std::nullopt, {"123456789"}), message + "9");
  const std::string_view malformed[] = {"1"};
  CHECK_FALSE(MergeOperatorByName("uint64add")->Combine("key", malformed).has_value());
}

TEST_CASE("StringAppendOperator: separates by commas, empty parts too") {
  CHECK_EQ(Merged("stringappend", "a", {"b", "c"}), "a,b,c");
  CHECK_EQ(Merged("stringappend", std::nullopt, {"b", "c"}), "b,c");
  CHECK_EQ(Merged("stringappend", "", {"b"}), ",b");
  CHECK_EQ(Merged("stringappend", std::nullopt, {"", "b"}), ",b");
}

TEST_CASE("MaxOperator and PutOperator: the largest and the newest") {
  CHECK_EQ(Merged("max", "b", {"a", "\xff", "c"}), "\xff");
  CHECK_EQ(Merged("max", "z", {"a"}), "z");
  CHECK_EQ(Merged("max", std::nullopt, {""}), "");
  CHECK_EQ(Merged("put", "z", {"b", "a"}), "a");
}

TEST_CASE("Combine: merging the combination is merging its parts") {
  const std::string numbers[] = {Number(7), Number(9), Number(3), Number(1)};
  const std::string_view operands[] = {numbers[0], numbers[1], numbers[2]};
  for (const char* name : {"uint64add", "stringappend", "max", "put"}) {
    const MergeOperator& merge = *MergeOperatorByName(name);
    const auto combined = merge.Combine("key", operands);
    REQUIRE(combined.has_value());
    const std::string_view one[] = {*combined};
    for (const Base base : {Base(), Base(numbers[3])}) {
      CHECK_EQ(*merge.Merge("key", base, one), *merge.Merge("key", base, operands));
    }
  }
}

}  // namespace
}  // namespace varve
