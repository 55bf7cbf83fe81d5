// SPDX-License-Identifier: Apache-2.0
// An internal key orders all versions of all user keys.
//
//   | user key (n) | packed = sequence << 8 | type, LE u64 |
//
// Order: user key ascending by the family's comparator, then `packed` descending, so a seek to
// (key, snapshot) finds the newest version that the snapshot may see. In memory this struct is
// used; the packed form exists only inside format/, memtable/ and the blocks of table/. Separators
// in index blocks have arbitrary types: never validate those.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "varve/types.h"

namespace varve {

// Values are part of the format (sst-format section 2).
enum class ValueType : uint8_t {
  kDeletion = 0x00,
  kValue = 0x01,
  kMerge = 0x02,
  kSingleDeletion = 0x07,
  kRangeDeletion = 0x0F,  // Range-deletion block only: key = begin, value = end.
  kBlobIndex = 0x11,
  kDeletionWithTimestamp = 0x14,
  kWideColumnEntity = 0x16,
  kValuePreferredSeqno = 0x18,  // Value + fixed64.
  // Only in a MANIFEST, as the smallest key of a table that begins with a range deletion:
  // kTypeMaxValid of RocksDB since 9.1, which was 0x18 before.
  kMaxValid = 0x1A,
  kMaxForSeek = 0x7F,  // Used only as a bound, never stored.
};

// True for the types allowed in a data block. Others are Corruption there.
bool IsDataBlockType(uint8_t type);
// True for the types allowed in the smallest and largest key of a table in a MANIFEST.
bool IsBoundaryType(uint8_t type);
// Deletes one key, as opposed to a range.
constexpr bool IsPointDeletion(ValueType type) {
  return type == ValueType::kDeletion || type == ValueType::kSingleDeletion ||
         type == ValueType::kDeletionWithTimestamp;
}
constexpr bool IsDeletion(ValueType type) {
  return IsPointDeletion(type) || type == ValueType::kRangeDeletion;
}
// The name in the API: "put", "delete", "single_delete", "merge", "range_delete", "blob_index",
// "wide_columns", "put_with_time", "delete_with_timestamp"; otherwise "unknown".
std::string_view ValueTypeName(ValueType type);

inline constexpr uint64_t kPackedSize = 8;

constexpr uint64_t PackSequenceAndType(Sequence sequence, ValueType type) {
  return sequence << 8 | static_cast<uint8_t>(type);
}

struct InternalKey {
  std::string_view user_key;
  Sequence sequence = 0;
  ValueType type = ValueType::kValue;

  uint64_t packed() const { return PackSequenceAndType(sequence, type); }
};

// The first internal key of `user_key` that a reader at `snapshot` may see.
inline InternalKey LookupKey(std::string_view user_key, Sequence snapshot) {
  return {user_key, snapshot, ValueType::kMaxForSeek};
}

// < 0, 0, > 0. `order` is one of base/key_order.h.
template <typename Order>
int CompareInternalKeys(Order order, const InternalKey& a, const InternalKey& b) {
  if (const int c = order(a.user_key, b.user_key); c != 0) return c;
  const uint64_t pa = a.packed(), pb = b.packed();
  return pa > pb ? -1 : (pa < pb ? 1 : 0);
}

void AppendInternalKey(std::string* out, const InternalKey& key);
std::string EncodeInternalKey(const InternalKey& key);
// nullopt if shorter than 8 bytes. Any type byte is accepted. Points into `encoded`.
std::optional<InternalKey> DecodeInternalKey(std::string_view encoded);

// "user:42"@17:put with the key escaped, for messages.
std::string DebugString(const InternalKey& key);

}  // namespace varve
