// SPDX-License-Identifier: Apache-2.0
#include "core/format/internal_key.h"

#include <doctest/doctest.h>

#include "core/base/keys/key_order.h"

namespace varve {

TEST_CASE("InternalKey: the packed part is sequence and type, little-endian") {
  CHECK(EncodeInternalKey({"apple", 1, ValueType::kValue}) ==
        std::string("apple\x01\x01\0\0\0\0\0\0", 13));
}

TEST_CASE("InternalKey: decoding inverts encoding at the largest sequence and an empty key") {
  for (const InternalKey& key :
       {InternalKey{"k", kMaxSequence, ValueType::kMerge}, InternalKey{"", 0, ValueType::kDeletion},
        InternalKey{"a", 7, static_cast<ValueType>(0xFE)}}) {
    const std::string encoded = EncodeInternalKey(key);
    const auto decoded = DecodeInternalKey(encoded);
    REQUIRE(decoded.has_value());
    CHECK(decoded->user_key == key.user_key);
    CHECK(decoded->sequence == key.sequence);
    CHECK(decoded->type == key.type);
  }
}

TEST_CASE("InternalKey: fewer than eight bytes are not a key") {
  for (size_t size = 0; size < 8; ++size) {
    CHECK_FALSE(DecodeInternalKey(std::string(size, 'x')).has_value());
  }
}

TEST_CASE("InternalKey: newer versions of one user key come first") {
  const BytewiseOrder order;
  const InternalKey newer{"k", 9, ValueType::kDeletion}, older{"k", 3, ValueType::kValue};
  CHECK(CompareInternalKeys(order, newer, older) < 0);
  CHECK(CompareInternalKeys(order, older, newer) > 0);
  CHECK(CompareInternalKeys(order, older, older) == 0);
  CHECK(CompareInternalKeys(order, older, InternalKey{"l", 100, ValueType::kValue}) < 0);
  CHECK(CompareInternalKeys(order, LookupKey("k", 9), newer) < 0);
}

TEST_CASE("InternalKey: only entry types may stand in a data block") {
  std::string allowed;
  for (int type = 0; type < 256; ++type) {
    if (IsDataBlockType(static_cast<uint8_t>(type))) allowed += static_cast<char>(type);
  }
  CHECK(allowed == std::string("\x00\x01\x02\x07\x11\x14\x16\x18", 8));
}

TEST_CASE("InternalKey: messages escape the key and name the type") {
  CHECK(DebugString({"a\x01", 17, ValueType::kValue}) == "\"a\\x01\"@17:put");
  CHECK(DebugString({"a", 1, static_cast<ValueType>(0x42)}) == "\"a\"@1:type 66");
}

}  // namespace varve
