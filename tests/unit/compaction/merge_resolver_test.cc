// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/merge_resolver.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

namespace varve {
namespace {

// Newest first, as a compaction meets them.
std::vector<HeldVersion> Operands(const std::vector<std::string>& values) {
  std::vector<HeldVersion> operands;
  Sequence sequence = 10;
  for (const std::string& value : values) {
    operands.push_back({sequence--, ValueType::kMerge, value});
  }
  return operands;
}

std::string TextOf(const std::vector<HeldVersion>& versions) {
  std::string text;
  for (const HeldVersion& version : versions) {
    text += (text.empty() ? "" : " ") + std::string(ValueTypeName(version.type)) + "@" +
            std::to_string(version.sequence) + "=" + version.value;
  }
  return text;
}

const MergeResolver kAppend(MergeOperatorByName("stringappend"));
const MergeResolver kAdd(MergeOperatorByName("uint64add"));
const MergeResolver kNone(nullptr);

// Shows the key that it is given.
class KeyOperator final : public MergeOperator {
 public:
  std::string_view name() const override { return "key"; }
  Result<std::string> Merge(std::string_view key, std::optional<std::string_view>,
                            std::span<const std::string_view>) const override {
    return std::string(key);
  }
  std::optional<std::string> Combine(std::string_view key,
                                     std::span<const std::string_view>) const override {
    return std::string(key);
  }
};

// As reads do.
TEST_CASE("MergeResolver: an operator is given the key without its timestamp") {
  const KeyOperator shows_key;
  const MergeResolver resolver(&shows_key, /*timestamp_size=*/8);
  auto operands = Operands({"b", "a"});
  CHECK(resolver.Combine("key12345678", &operands));
  CHECK_EQ(TextOf(operands), "merge@10=key");
  CHECK(resolver.MergeOnto("key12345678", std::nullopt, &operands));
  CHECK_EQ(TextOf(operands), "put@10=key");
}

TEST_CASE("MergeResolver: operands onto a base are a put with the newest sequence") {
  auto operands = Operands({"c", "b"});
  CHECK(kAppend.MergeOnto("key", "a", &operands));
  CHECK_EQ(TextOf(operands), "put@10=a,b,c");
}

TEST_CASE("MergeResolver: without a base they are a put of their own") {
  auto operands = Operands({"c", "b"});
  CHECK(kAppend.MergeOnto("key", std::nullopt, &operands));
  CHECK_EQ(TextOf(operands), "put@10=b,c");
  auto one = Operands({"x"});
  CHECK(kAppend.MergeOnto("key", "", &one));
  CHECK_EQ(TextOf(one), "put@10=,x");
}

TEST_CASE("MergeResolver: onto an unknown base they are one operand") {
  auto operands = Operands({"d", "c", "b"});
  CHECK(kAppend.Combine("key", &operands));
  CHECK_EQ(TextOf(operands), "merge@10=b,c,d");
  auto one = Operands({"x"});  // Nothing to combine it with.
  CHECK_FALSE(kAppend.Combine("key", &one));
  CHECK_EQ(TextOf(one), "merge@10=x");
}

TEST_CASE("MergeResolver: what cannot be merged stays as it is, for a reader to hear of") {
  for (const MergeResolver* resolver : {&kNone, &kAdd}) {  // None known; operands of a wrong form.
    auto operands = Operands({"not 8 bytes", "neither"});
    CHECK_FALSE(resolver->MergeOnto("key", std::nullopt, &operands));
    CHECK_EQ(TextOf(operands), "merge@10=not 8 bytes merge@9=neither");
  }
  auto operands = Operands({"c", "b"});
  CHECK_FALSE(kNone.Combine("key", &operands));
  CHECK_EQ(TextOf(operands), "merge@10=c merge@9=b");
}

// Refuses to combine, and merges to what is asked for.
class Sized final : public MergeOperator {
 public:
  explicit Sized(size_t size) : size_(size) {}
  std::string_view name() const override { return "test.Sized"; }
  Result<std::string> Merge(std::string_view, std::optional<std::string_view>,
                            std::span<const std::string_view>) const override {
    return std::string(size_, 'v');
  }
  std::optional<std::string> Combine(std::string_view,
                                     std::span<const std::string_view>) const override {
    return std::nullopt;
  }

 private:
  const size_t size_;
};

TEST_CASE("MergeResolver: an operator may refuse to combine") {
  const Sized sized(3);
  const MergeResolver resolver(&sized);
  auto operands = Operands({"c", "b"});
  CHECK_FALSE(resolver.Combine("key", &operands));
  CHECK_EQ(operands.size(), 2);
  CHECK(resolver.MergeOnto("key", "a", &operands));
  CHECK_EQ(TextOf(operands), "put@10=vvv");
}

}  // namespace
}  // namespace varve
