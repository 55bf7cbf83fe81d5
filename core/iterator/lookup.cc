// SPDX-License-Identifier: Apache-2.0
#include "core/iterator/lookup.h"

#include "core/base/check.h"
#include "core/format/value/stored_value.h"

namespace varve {
bool Lookup::Feed(Sequence sequence, ValueType fed, std::string_view bytes,
                  const std::shared_ptr<const void>& pin) {
  DCHECK(!done());
  DCHECK_OP(sequence, <=, snapshot);
  filters.Found();
  const bool merging = state == State::kMerging;
  if (!merging) newest = sequence;
  if (covered_by > sequence) {
    state = merging ? State::kMergedOntoNothing : State::kDeleted;
    return true;
  }
  switch (fed) {
    case ValueType::kValuePreferredSeqno: {
      const Result<std::string_view> user_value = InlineValue(fed, bytes);
      if (!user_value.ok()) {
        Fail(user_value.status().At(DebugString({user_key, sequence, fed})));
        return true;
      }
      bytes = *user_value;
      fed = ValueType::kValue;
      [[fallthrough]];
    }
    case ValueType::kValue:
    case ValueType::kBlobIndex:
    case ValueType::kWideColumnEntity:
      value = Value(bytes, pin);
      type = fed;
      state = merging ? State::kMergedOnto : State::kFound;
      return true;
    case ValueType::kMerge:
      operands.emplace_back(bytes, pin);
      state = State::kMerging;
      return false;
    case ValueType::kDeletion:
    case ValueType::kSingleDeletion:
    case ValueType::kDeletionWithTimestamp:
      state = merging ? State::kMergedOntoNothing : State::kDeleted;
      return true;
    case ValueType::kRangeDeletion:
    case ValueType::kMaxValid:
    case ValueType::kMaxForSeek:
      break;
  }
  Fail(Status::Corruption(DebugString({user_key, sequence, fed}) + ": entry of type " +
                          std::to_string(static_cast<int>(fed)) + " is not a value"));
  return true;
}

}  // namespace varve
