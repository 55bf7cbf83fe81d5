// SPDX-License-Identifier: Apache-2.0
#include "core/format/entry_size.h"

#include <doctest/doctest.h>

#include <cstdint>

#include "core/base/bytes/byte_writer.h"
#include "core/format/limits.h"

namespace varve {
namespace {

constexpr uint64_t kMost = kWrittenEntrySizeMax;
constexpr uint64_t kHuge = ~uint64_t{0};

TEST_CASE("FitsBlock: key and value together, up to the limit, without overflow") {
  CHECK(FitsBlock(0, 0));
  CHECK(FitsBlock(kMost, 0));
  CHECK(FitsBlock(0, kMost));
  CHECK(FitsBlock(100, kMost - 100));
  CHECK_FALSE(FitsBlock(kMost + 1, 0));
  CHECK_FALSE(FitsBlock(0, kMost + 1));
  CHECK_FALSE(FitsBlock(100, kMost - 99));
  CHECK_FALSE(FitsBlock(kHuge, 1));  // Their sum is 0.
  CHECK_FALSE(FitsBlock(1, kHuge));
  CHECK_FALSE(FitsBlock(kHuge, kHuge));
}

// What the two checks let pass must be a block that readers take, whatever the lengths cost.
TEST_CASE("FitsBlock: the largest entry, with all that is written around it, is a block") {
  const uint64_t lengths = 3 * kMaxVarint32Size, packed = 8, restart_and_last_word = 8;
  CHECK_LE(kMost + lengths + packed + restart_and_last_word, kBlockRawSizeMax);
}

TEST_CASE("CheckEntrySize: says both sizes and the limit") {
  CHECK(CheckEntrySize(7, kMost - 7).ok());
  CHECK_EQ(CheckEntrySize(8, kMost - 7).ToString(),
           "invalid_argument: an entry with a key of 8 and a value of 4294967224 bytes: together "
           "they may have 4294967231");
}

TEST_CASE("CheckKeySize: a key of 256 MiB, and not one byte more") {
  CHECK(CheckKeySize(0).ok());
  CHECK(CheckKeySize(uint64_t{256} << 20).ok());
  CHECK_EQ(CheckKeySize((uint64_t{256} << 20) + 1).ToString(),
           "invalid_argument: a key of 268435457 bytes is larger than 268435456");
  CHECK_EQ(CheckKeySize(kHuge).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace varve
