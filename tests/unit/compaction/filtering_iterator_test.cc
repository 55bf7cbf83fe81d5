// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/filtering_iterator.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/iterator/iterator_suite.h"
#include "tests/unit/iterator/vector_iterator.h"

namespace varve {
namespace {

using enum ValueType;

// Removes "x", changes "c", and notes what it was asked.
class Letters final : public CompactionFilter {
 public:
  explicit Letters(std::string* asked) : asked_(asked) {}
  Decision Filter(int level, std::string_view key, std::string_view value,
                  std::string* new_value) override {
    *asked_ += std::to_string(level) + std::string(key) + "=" + std::string(value) + " ";
    if (value == "x") return Decision::kRemove;
    if (value != "c") return Decision::kKeep;
    *new_value = "changed";
    return Decision::kChange;
  }

 private:
  std::string* const asked_;
};

std::string Show(InternalIterator& it) {
  std::string out;
  for (it.SeekToFirst(); it.Valid(); it.Next()) {
    out += std::string(it.key().user_key) + "@" + std::to_string(it.key().sequence) + ":" +
           std::string(ValueTypeName(it.key().type)) + "=" + std::string(it.value()) + " ";
  }
  return out + (it.status().ok() ? "" : "failed");
}

std::unique_ptr<InternalIterator> Filtered(std::vector<TestEntry> entries, std::string* asked,
                                           size_t fail_at = SIZE_MAX - 1,
                                           std::optional<std::string> end = {}) {
  auto input = std::make_unique<VectorIterator>(*BytewiseComparator(), std::move(entries));
  input->FailAt(fail_at);
  return NewFilteringIterator(std::move(input), std::make_unique<Letters>(asked), /*blobs=*/nullptr,
                              *BytewiseComparator(), /*level=*/3, std::move(end));
}

TEST_CASE("FilteringIterator: only the newest version of a key is asked for, if it is a put") {
  std::string asked;
  const auto it = Filtered({{"a", 9, kValue, "x"},
                            {"a", 4, kValue, "x"},
                            {"b", 8, kMerge, "x"},
                            {"b", 3, kValue, "x"},
                            {"c", 7, kDeletion, ""},
                            {"c", 2, kValue, "c"},
                            {"d", 6, kValue, "c"},
                            {"e", 5, kValue, "e"}},
                           &asked);
  CHECK_EQ(Show(*it),
           "a@9:delete= a@4:put=x b@8:merge=x b@3:put=x c@7:delete= c@2:put=c "
           "d@6:put=changed e@5:put=e ");
  CHECK_EQ(asked, "3a=x 3d=c 3e=e ");
}

TEST_CASE("FilteringIterator: it begins anew with each seek") {
  std::string asked;
  const auto it = Filtered({{"a", 9, kValue, "x"}, {"b", 8, kValue, "b"}}, &asked);
  CHECK_EQ(Show(*it), Show(*it));
  it->Seek(LookupKey("b", kMaxSequence));
  REQUIRE(it->Valid());
  CHECK_EQ(it->value(), "b");
}

// With subcompactions, the next part asks about them: a filter that counts would count twice.
TEST_CASE("FilteringIterator: it does not ask about what is behind its part") {
  std::string asked;
  const auto it = Filtered({{"a", 9, kValue, "x"}, {"b", 8, kValue, "x"}, {"c", 7, kValue, "x"}},
                           &asked, SIZE_MAX - 1, "b");
  CHECK_EQ(Show(*it), "a@9:delete= b@8:put=x c@7:put=x ");
  CHECK_EQ(asked, "3a=x ");
}

TEST_CASE("FilteringIterator: a failure of the input is one of it") {
  std::string asked;
  CHECK_EQ(Show(*Filtered({{"a", 9, kValue, "a"}, {"b", 8, kValue, "b"}}, &asked, 1)),
           "a@9:put=a failed");
}

TEST_CASE("NewFilteringIterator: without a filter it is the input") {
  auto input = std::make_unique<VectorIterator>(*BytewiseComparator(), std::vector<TestEntry>());
  const InternalIterator* const same = input.get();
  CHECK(NewFilteringIterator(std::move(input), nullptr, nullptr, *BytewiseComparator(), 0, {})
            .get() == same);
}

}  // namespace
}  // namespace varve
