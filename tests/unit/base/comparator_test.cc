// SPDX-License-Identifier: Apache-2.0
#include "varve/comparator.h"

#include <doctest/doctest.h>

#include <string>

#include "core/base/keys/indexed_db_order.h"
#include "core/base/keys/key_order.h"

namespace varve {
namespace {

using namespace std::string_literals;

std::string Separator(std::string start, std::string_view limit) {
  const std::string before = start;
  BytewiseComparator()->FindShortestSeparator(&start, limit);
  CHECK_LE(before, start);
  CHECK_LT(start, limit);
  return start;
}

TEST_CASE("BytewiseComparator: a separator is cut after the first byte that can grow") {
  CHECK_EQ(Separator("abcdef", "abzz"), "abd");
  CHECK_EQ(Separator("abc1xyz", "abc3"), "abc2");
  CHECK_EQ(Separator("abc1xyz", "abc2\0"s), "abc2");  // limit goes on after the difference.
  CHECK_EQ(Separator("abc1xyz", "abc2"), "abc1y");    // limit ends at it.
  CHECK_EQ(Separator("abc1\xff\xffz", "abc2"), "abc1\xff\xff{");
  CHECK_EQ(Separator("abc1\xff\xff", "abc2"), "abc1\xff\xff");
}

TEST_CASE("BytewiseComparator: a prefix of its limit is its own separator") {
  CHECK_EQ(Separator("abc", "abcd"), "abc");
  CHECK_EQ(Separator("", "a"), "");
}

TEST_CASE("BytewiseComparator: bytes are unsigned") {
  CHECK_LT(BytewiseComparator()->Compare("\x7f", "\x80"), 0);
  CHECK_GT(ReverseBytewiseComparator()->Compare("\x7f", "\x80"), 0);
  CHECK_EQ(Separator("\x7f", "\x81"), "\x80");
}

TEST_CASE("ReverseBytewiseComparator: a separator stays between its keys") {
  std::string start = "abzz";
  ReverseBytewiseComparator()->FindShortestSeparator(&start, "abc");
  CHECK_LE(ReverseBytewiseComparator()->Compare("abzz", start), 0);
  CHECK_LT(ReverseBytewiseComparator()->Compare(start, "abc"), 0);
}

TEST_CASE("ComparatorByName: knows the built-in orders by their names in files, and no other") {
  CHECK_EQ(ComparatorByName("leveldb.BytewiseComparator"), BytewiseComparator());
  CHECK_EQ(ComparatorByName("rocksdb.ReverseBytewiseComparator"), ReverseBytewiseComparator());
  CHECK_EQ(ComparatorByName("idb_cmp1"), IndexedDbComparator());
  CHECK_EQ(ComparatorByName("BytewiseComparator"), nullptr);
}

TEST_CASE("WithKeyOrder: the inline order agrees with the comparator") {
  for (const Comparator* comparator : {BytewiseComparator(), ReverseBytewiseComparator()}) {
    CHECK_LT(comparator->Compare("a", "b") *
                 WithKeyOrder(*comparator, [](auto order) { return order("b", "a"); }),
             0);
  }
}

}  // namespace
}  // namespace varve
