// SPDX-License-Identifier: Apache-2.0
#include "core/format/internal_key.h"

#include "core/base/bytes/byte_writer.h"
#include "core/base/check.h"
#include "core/base/text/abbreviate.h"

namespace varve {

bool IsDataBlockType(uint8_t type) {
  switch (static_cast<ValueType>(type)) {
    case ValueType::kDeletion:
    case ValueType::kValue:
    case ValueType::kMerge:
    case ValueType::kSingleDeletion:
    case ValueType::kBlobIndex:
    case ValueType::kDeletionWithTimestamp:
    case ValueType::kWideColumnEntity:
    case ValueType::kValuePreferredSeqno:
      return true;
    case ValueType::kRangeDeletion:
    case ValueType::kMaxValid:
    case ValueType::kMaxForSeek:
      return false;
  }
  return false;
}

bool IsBoundaryType(uint8_t type) {
  return IsDataBlockType(type) || type == static_cast<uint8_t>(ValueType::kRangeDeletion) ||
         type == static_cast<uint8_t>(ValueType::kMaxValid);
}

std::string_view ValueTypeName(ValueType type) {
  switch (type) {
    case ValueType::kDeletion:
      return "delete";
    case ValueType::kValue:
      return "put";
    case ValueType::kMerge:
      return "merge";
    case ValueType::kSingleDeletion:
      return "single_delete";
    case ValueType::kRangeDeletion:
    case ValueType::kMaxValid:
      return "range_delete";
    case ValueType::kBlobIndex:
      return "blob_index";
    case ValueType::kDeletionWithTimestamp:
      return "delete_with_timestamp";
    case ValueType::kWideColumnEntity:
      return "wide_columns";
    case ValueType::kValuePreferredSeqno:
      return "put_with_time";
    case ValueType::kMaxForSeek:
      break;
  }
  return "unknown";
}

void AppendInternalKey(std::string* out, const InternalKey& key) {
  DCHECK_OP(key.sequence, <=, kMaxSequence);
  out->append(key.user_key);
  AppendFixed64(out, key.packed());
}

std::string EncodeInternalKey(const InternalKey& key) {
  std::string out;
  out.reserve(key.user_key.size() + kPackedSize);
  AppendInternalKey(&out, key);
  return out;
}

std::optional<InternalKey> DecodeInternalKey(std::string_view encoded) {
  if (encoded.size() < kPackedSize) return std::nullopt;
  const size_t user_size = encoded.size() - kPackedSize;
  const uint64_t packed = LoadFixed64(encoded.data() + user_size);
  return InternalKey{encoded.substr(0, user_size), packed >> 8,
                     static_cast<ValueType>(packed & 0xFF)};
}

std::string DebugString(const InternalKey& key) {
  std::string out =
      "\"" + AbbreviateForDisplay(key.user_key) + "\"@" + std::to_string(key.sequence);
  out += ':';
  const std::string_view name = ValueTypeName(key.type);
  if (name == "unknown") return out + "type " + std::to_string(static_cast<int>(key.type));
  return out.append(name);
}

}  // namespace varve
