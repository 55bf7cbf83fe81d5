// SPDX-License-Identifier: Apache-2.0
#include "core/format/value/stored_value.h"

#include <string>

#include "core/format/value/blob_record.h"
#include "core/format/value/wide_columns.h"

namespace varve {
namespace {

constexpr uint64_t kWriteTimeSize = 8;

}  // namespace

Result<std::string_view> InlineValue(ValueType type, std::string_view stored) {
  switch (type) {
    case ValueType::kValue:
      return stored;
    case ValueType::kValuePreferredSeqno:
      if (stored.size() < kWriteTimeSize) {
        return Status::Corruption("put with write time: " + std::to_string(stored.size()) +
                                  " bytes are too few for the time");
      }
      return stored.substr(0, stored.size() - kWriteTimeSize);
    case ValueType::kWideColumnEntity:
      return DefaultColumn(stored);
    default:
      break;
  }
  return Status::Corruption("an entry of type " + std::to_string(static_cast<int>(type)) +
                            " where a value is expected");
}

Status CheckStoredValue(std::string_view user_key, ValueType type, std::string_view stored) {
  switch (type) {
    case ValueType::kValuePreferredSeqno:
    case ValueType::kWideColumnEntity:
      return InlineValue(type, stored).status();
    case ValueType::kBlobIndex:
      return DecodeBlobIndex(stored, user_key).status();
    default:
      return Status::Ok();
  }
}

}  // namespace varve
