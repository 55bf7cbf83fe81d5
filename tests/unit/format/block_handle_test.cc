// SPDX-License-Identifier: Apache-2.0
#include "core/format/table/block_handle.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/unit/format/table_file.h"

namespace varve {

TEST_CASE("BlockHandle: decoding inverts encoding and ignores what follows") {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  for (const BlockHandle handle :
       {BlockHandle{0, 0}, BlockHandle{961, 32}, BlockHandle{kMax, kMax}}) {
    std::string bytes;
    AppendBlockHandle(&bytes, handle);
    CHECK(bytes.size() <= kBlockHandleSizeMax);
    CHECK(Must(DecodeBlockHandle(bytes)) == handle);
    CHECK(Must(DecodeBlockHandle(bytes + "more")) == handle);
    for (size_t size = 0; size < bytes.size(); ++size) {
      CHECK_FALSE(DecodeBlockHandle(ExactBytes(bytes.substr(0, size)).view()).ok());
    }
  }
}

TEST_CASE("BlockHandle: it fits only with its trailer, and no sum wraps round") {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  CHECK(BlockHandle{10, 20}.FitsBelow(35));
  CHECK_FALSE(BlockHandle{10, 20}.FitsBelow(34));
  CHECK_FALSE(BlockHandle{kMax, 20}.FitsBelow(1000));
  CHECK_FALSE(BlockHandle{20, kMax}.FitsBelow(1000));
  CHECK_FALSE(BlockHandle{kMax - 3, kMax - 3}.FitsBelow(1000));
  CHECK_FALSE(BlockHandle{0, 0}.FitsBelow(4));
  CHECK(BlockHandle{0, 0}.FitsBelow(5));
}

}  // namespace varve
